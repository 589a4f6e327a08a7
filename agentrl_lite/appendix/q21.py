"""Question 21: pass@k from a record of n samples and c passes."""

from __future__ import annotations

import math
from math import comb

import numpy as np

from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.evaluation import pass_at_k, pass_at_k_moments, pass_at_k_plugin
from agentrl_lite.i18n import N_

# The scenario.
SAMPLES, PASSES, TRIES = 10, 3, 5
# The exercises' own assumptions.
RARE = (20, 2, 10)
CERTAIN = (40, 2)
THREE_TASKS = (6, 3, 0)
HARD, HARD_TRIES, MOST_SPREAD = 0.05, 10, 0.10


def gap_points() -> float:
    """Return by how many points the unbiased pass@5 lies above the plug-in."""
    unbiased = pass_at_k(SAMPLES, PASSES, TRIES)
    return 100 * float(unbiased - pass_at_k_plugin(SAMPLES, PASSES, TRIES))


def first_certain(n: int, c: int) -> int:
    """Return the least k at which the unbiased estimate is exactly 1."""
    return 1 + int(np.argmax(pass_at_k(n, c, np.arange(1, n + 1)) == 1.0))


def samples_needed(p: float, k: int, most: float) -> int:
    """Return the least n, from k, at which one task's estimate has a spread below `most`.

    Args:
        p: success probability, strictly between 0 and 1.
        k: tries, from 1.
        most: standard deviation that must not be reached, above 0.
    """

    def small(n: int) -> bool:
        return float(pass_at_k_moments(p, n, k)[1]) < most**2

    # The variance falls as n grows: double n until it is small, then halve the bracket.
    high = k
    while not small(high):
        high *= 2
    low = max(high // 2, k - 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if small(middle) else (middle, high)
    return high


NUMBERS = (
    Number("q21-samples", "given", lambda: SAMPLES, "10", "samples"),
    Number("q21-passes", "given", lambda: PASSES, "3", "samples"),
    Number(
        "q21-pass-1",
        "1 - C(n-c,1)/C(n,1) at n = 10, c = 3",
        lambda: float(pass_at_k(SAMPLES, PASSES, 1)),
        "0.3",
        "chance of a pass",
    ),
    Number(
        "q21-subsets-failing",
        "C(10-3, 5)",
        lambda: comb(SAMPLES - PASSES, TRIES),
        "21",
        "subsets of 5 samples",
    ),
    Number("q21-subsets", "C(10, 5)", lambda: comb(SAMPLES, TRIES), "252", "subsets of 5 samples"),
    Number(
        "q21-pass-5",
        "1 - C(n-c,5)/C(n,5) at n = 10, c = 3",
        lambda: float(pass_at_k(SAMPLES, PASSES, TRIES)),
        "0.917",
        "chance of a pass",
    ),
    Number(
        "q21-plugin-5",
        "1 - (1 - c/n)^5 at n = 10, c = 3",
        lambda: float(pass_at_k_plugin(SAMPLES, PASSES, TRIES)),
        "0.832",
        "chance of a pass",
    ),
    Number("q21-gap", "unbiased minus plug-in, in points", gap_points, "8.5", "points"),
)

PREDICTIONS = (
    Prediction(
        id="q21-gap",
        question=N_(
            "Take every way to choose 5 of the ten recorded samples, and count those that hold a "
            "pass. By how many points does their share differ from the colleague's number? "
            "(Negative: it is lower.)"
        ),
        truth=gap_points,
        unit=N_("points"),
        minimum=-100,
        maximum=100,
    ),
)


def _average(passes: tuple[int, ...]) -> float:
    return float(np.mean(pass_at_k(SAMPLES, passes, TRIES)))


def _coin_spread() -> float:
    """Return the variance of one yes-or-no trial of pass@k on the hard task."""
    chance = -math.expm1(HARD_TRIES * math.log1p(-HARD))
    return chance * (1 - chance)


def _large_n_samples() -> int:
    """Return the n that the first-order variance, $k^2 p (1-p)^{2k-1} / n$, asks for."""
    per_sample = HARD_TRIES**2 * HARD * (1 - HARD) ** (2 * HARD_TRIES - 1)
    return math.ceil(per_sample / MOST_SPREAD**2)


CHECKS = (
    Check(
        id="q21-certain-k",
        kind="integer",
        truth=lambda: first_certain(*CERTAIN),
        hints=(
            Hint(
                lambda: CERTAIN[0] - CERTAIN[1],
                N_("At that k one subset is left that holds failures only."),
            ),
            Hint(lambda: CERTAIN[0], N_("That k is certain too. A smaller one already is.")),
            Hint(
                lambda: CERTAIN[0] // CERTAIN[1],
                N_("That is how many samples one pass costs on average. Subsets can be unlucky."),
            ),
        ),
        otherwise=N_(
            "Read the estimate at your k and at k - 1: the first must be 100 %, the second not."
        ),
    ),
    Check(
        id="q21-pass-10",
        kind="share",
        truth=lambda: float(pass_at_k(*RARE)),
        tolerance=0.001,
        hints=(
            Hint(
                lambda: float(pass_at_k_plugin(*RARE)),
                N_("That is the colleague's formula: it draws a sample and puts it back."),
            ),
            Hint(
                lambda: float(pass_at_k_plugin(RARE[0], RARE[2], RARE[1])),
                N_(
                    "You placed the passes one by one, each with the same chance of being chosen. "
                    "Once one is left out, the next is a little likelier to be in."
                ),
            ),
            Hint(
                lambda: min(1.0, RARE[2] * RARE[1] / RARE[0]),
                N_("That is the mean number of passes among the chosen, not the chance of any."),
            ),
        ),
        otherwise=N_("Count subsets: those with failures only, over all. Then one minus that."),
    ),
    Check(
        id="q21-average",
        kind="share",
        truth=lambda: _average(THREE_TASKS),
        tolerance=0.001,
        hints=(
            Hint(
                lambda: float(pass_at_k(SAMPLES * len(THREE_TASKS), sum(THREE_TASKS), TRIES)),
                N_("You pooled the samples of all tasks. Five tries at one task stay at one task."),
            ),
            Hint(
                lambda: float(
                    pass_at_k_plugin(SAMPLES * len(THREE_TASKS), sum(THREE_TASKS), TRIES)
                ),
                N_("That takes the mean pass rate to the power. Estimate each task first."),
            ),
            Hint(
                lambda: float(np.mean(pass_at_k_plugin(SAMPLES, THREE_TASKS, TRIES))),
                N_("Averaged in the right order, but of the biased estimates."),
            ),
        ),
        otherwise=N_("One estimate for each task, then their mean."),
    ),
    Check(
        id="q21-samples-needed",
        kind="integer",
        truth=lambda: samples_needed(HARD, HARD_TRIES, MOST_SPREAD),
        hints=(
            Hint(
                lambda: samples_needed(HARD, HARD_TRIES, MOST_SPREAD) - 1,
                N_("At that n the spread is still a little over 10 points."),
            ),
            Hint(
                _large_n_samples,
                N_("That is the law for large n, a little too kind here. Use the exact variance."),
            ),
            Hint(
                lambda: math.ceil(HARD_TRIES * _coin_spread() / MOST_SPREAD**2),
                N_("That n is safe, by the bound k/n. The question is the smallest."),
            ),
            Hint(
                lambda: math.ceil(_coin_spread() / MOST_SPREAD**2),
                N_("One sample is not a whole trial of ten tries: it carries far less."),
            ),
        ),
        otherwise=N_(
            "Compute the spread from `pass_at_k_moments` at your n and at n - 1: the first must "
            "be below 10 points, the second must not."
        ),
    ),
)
