"""Question 4: a lone success in a group, and division by the standard deviation."""

from __future__ import annotations

import math

import numpy as np

from agentrl_lite.advantages import group_advantages
from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.i18n import N_
from agentrl_lite.rewards import genuine_share, rewarded_rate

# The scenario.
GROUP = 8
SUCCESSES = 1
# The notebook's running example: one verdict in 25 flips, one task in 50 is solved.
FLIP_RATE = 0.04
HARD_RATE = 0.02
# The exercises' own assumptions.
ADVANTAGE_WANTED = 3.5
LARGE_GROUP = 32
PASS_AGAIN = 0.40


def lone_success(G: int, ddof: int | None = 0) -> float:
    """Return the advantage of the only rewarded episode among G."""
    return float(group_advantages(np.arange(G) < 1, ddof=ddof)[0])


def smallest_lone_group(wanted: float, ddof: int = 0) -> int:
    """Return the smallest group in which a lone success gets more than `wanted`."""
    G = 2
    while lone_success(G, ddof) <= wanted:
        G += 1
    return G


def genuine_from_held_out(share: float, f: float) -> float:
    r"""Return the genuine share among rewarded episodes, of which `share` pass a flaky re-check.

    Of a genuine share g the re-check passes $g(1-f) + (1-g)f$; this solves for g.

    Args:
        share: share of the rewarded episodes that the second check passes.
        f: rate at which the second check flips, on its own, below one half.

    Returns:
        The genuine share; within [0, 1] where `share` lies from f to 1 - f.
    """
    return (share - f) / (1 - 2 * f)


def genuine_after_rerun(p: float, f: float) -> float:
    """Return the genuine share of what is rewarded twice, the second time by a run of its own."""
    once = float(genuine_share(p, false_positive=f, false_negative=f))
    return float(genuine_share(once, false_positive=f, false_negative=f))


def _of_group(divided: bool, rewarded: bool) -> float:
    rewards = np.arange(GROUP) < SUCCESSES
    return float(group_advantages(rewards, ddof=0 if divided else None)[0 if rewarded else -1])


def _factor(successes: int) -> float:
    rewards = np.arange(GROUP) < successes
    return float(group_advantages(rewards, ddof=0)[0] / group_advantages(rewards)[0])


def _relative_push(divided: bool) -> float:
    """Return the sum of positive advantages, over that of a group with half of it rewarded."""
    rewards = np.arange(GROUP) < np.array([[SUCCESSES], [GROUP // 2]])
    lone, half = np.maximum(group_advantages(rewards, ddof=0 if divided else None), 0).sum(axis=1)
    return float(lone / half)


NUMBERS = (
    Number("q04-group", "given", lambda: GROUP, "8", "episodes a group"),
    Number("q04-successes", "given", lambda: SUCCESSES, "1", "rewarded episodes"),
    Number("q04-mean", "c / G at c = 1, G = 8", lambda: SUCCESSES / GROUP, "0.125", "reward"),
    Number(
        "q04-sigma",
        "population standard deviation, sqrt(0.125 * 0.875)",
        lambda: float(np.std(np.arange(GROUP) < SUCCESSES)),
        "0.331",
        "reward",
    ),
    Number(
        "q04-success-divided",
        "(1 - mean) / sigma = sqrt(7)",
        lambda: _of_group(divided=True, rewarded=True),
        "2.65",
    ),
    Number(
        "q04-failure-divided",
        "-mean / sigma = -1 / sqrt(7)",
        lambda: _of_group(divided=True, rewarded=False),
        "-0.378",
    ),
    Number(
        "q04-success-centred",
        "1 - mean",
        lambda: _of_group(divided=False, rewarded=True),
        "0.875",
        "reward",
    ),
    Number(
        "q04-failure-centred",
        "-mean",
        lambda: _of_group(divided=False, rewarded=False),
        "-0.125",
        "reward",
    ),
    Number("q04-factor-half", "1 / sqrt(s (1-s)) at s = 4/8", lambda: _factor(GROUP // 2), "2"),
    Number("q04-factor-lone", "1 / sqrt(s (1-s)) at s = 1/8", lambda: _factor(1), "3.02"),
)

PREDICTIONS = (
    Prediction(
        id="q04-relative",
        question=N_(
            "Of your group's eight attempts one was rewarded; in the group beside it, four of "
            "eight. Measured against that group's push, by what factor does the division raise "
            "your group's? (The push is the sum of the positive advantages.)"
        ),
        truth=lambda: _relative_push(divided=True) / _relative_push(divided=False),
        unit="",
        minimum=0,
        maximum=10,
        digits=2,
    ),
)

CHECKS = (
    Check(
        id="q04-lone-group",
        kind="integer",
        truth=lambda: smallest_lone_group(ADVANTAGE_WANTED),
        hints=(
            Hint(
                lambda: smallest_lone_group(ADVANTAGE_WANTED) - 1,
                N_("There it gets {advantage:.2f}: not more than {wanted}."),
                lambda: {
                    "advantage": lone_success(smallest_lone_group(ADVANTAGE_WANTED) - 1),
                    "wanted": ADVANTAGE_WANTED,
                },
            ),
            Hint(
                lambda: smallest_lone_group(ADVANTAGE_WANTED, ddof=1),
                N_("That is with ddof at 1. The scenario divides by the population deviation."),
            ),
        ),
        otherwise=N_("Leave c at 1 and ddof at 0, and read the sentence at your G and at G - 1."),
    ),
    Check(
        id="q04-lone-sample",
        kind="number",
        truth=lambda: lone_success(LARGE_GROUP, ddof=1),
        tolerance=0.006,
        hints=(
            Hint(
                lambda: lone_success(LARGE_GROUP),
                N_("That is divided by the population deviation. This trainer takes G - 1."),
            ),
            Hint(
                lambda: lone_success(LARGE_GROUP, ddof=None),
                N_("That is the centred reward. This trainer divides it."),
            ),
            Hint(
                lambda: lone_success(LARGE_GROUP) * math.sqrt(LARGE_GROUP / (LARGE_GROUP - 1)),
                N_("The sample deviation is the larger of the two: which way does that push?"),
            ),
        ),
        otherwise=N_(
            "Take the sum of the squared differences from the mean, divide it by G - 1, and "
            "divide the centred reward by the root of that."
        ),
    ),
    Check(
        id="q04-held-out-flips",
        kind="share",
        truth=lambda: genuine_from_held_out(PASS_AGAIN, FLIP_RATE),
        tolerance=0.0015,
        hints=(
            Hint(
                lambda: PASS_AGAIN,
                N_("That is what passed. Some of those passed by a flip, and some genuine failed."),
            ),
            Hint(
                lambda: PASS_AGAIN - FLIP_RATE,
                N_("You took the false passes off. Genuine patches that the check missed come on."),
            ),
            Hint(
                lambda: PASS_AGAIN * (1 - FLIP_RATE),
                N_("That takes a share of the passes away. Write down both ways to pass instead."),
            ),
        ),
        otherwise=N_(
            "With a genuine share g, which share passes the second check? Set it equal to what "
            "was seen, and solve for g."
        ),
    ),
    Check(
        id="q04-rerun",
        kind="share",
        truth=lambda: genuine_after_rerun(HARD_RATE, FLIP_RATE),
        tolerance=0.002,
        hints=(
            Hint(
                lambda: float(
                    genuine_share(HARD_RATE, false_positive=FLIP_RATE, false_negative=FLIP_RATE)
                ),
                N_("That is after one verdict. The second is evidence too."),
            ),
            Hint(
                lambda: float(
                    genuine_share(HARD_RATE, false_positive=FLIP_RATE**2, false_negative=0.0)
                ),
                N_("Close. A right patch must pass twice too, and may flip either time."),
            ),
            Hint(
                lambda: float(
                    1 - rewarded_rate(HARD_RATE, false_positive=FLIP_RATE, false_negative=FLIP_RATE)
                ),
                N_("That is the share of attempts that are not rewarded at all."),
            ),
        ),
        otherwise=N_(
            "Bayes' rule once more: what one verdict left you with is the pass rate that the "
            "second verdict starts from."
        ),
    ),
)
