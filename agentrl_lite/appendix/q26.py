"""Question 26: the entropy is gone before step 50."""

from __future__ import annotations

import math

from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.entropy import clip_room
from agentrl_lite.i18n import N_

# The scenario.
ENTROPY_BEFORE = 0.9
ENTROPY_AFTER = 0.05
STEPS = 50
STALLED_REWARD = 0.30
# What the derivations compare, with the limits of a symmetric clip and of DAPO's.
RARE, COMMON = 0.01, 0.9
LOW, HIGH, HIGHER = 0.2, 0.2, 0.28
# The exercises' own assumptions.
GROUP = 8
WORDS = 10
TARGET = 0.5

NUMBERS = (
    Number("q26-entropy-before", "given", lambda: ENTROPY_BEFORE, "0.9", "nats a policy token"),
    Number("q26-entropy-after", "given", lambda: ENTROPY_AFTER, "0.05", "nats a policy token"),
    Number("q26-steps", "given", lambda: STEPS, "50", "steps"),
    Number("q26-stalled-reward", "given", lambda: STALLED_REWARD, "0.30", "reward"),
)


def room_ratio() -> float:
    """Return how many times more probability the common token may gain than the rare one."""
    _low, high = clip_room([RARE, COMMON], LOW, HIGH)
    return float((high[1] - COMMON) / (high[0] - RARE))


def batches_to_pass(start: float, target: float, high: float) -> float:
    """Return how many batches, each ending at the clip's limit, lead from one chance to another."""
    return math.log(target / start) / math.log1p(high)


def fastest_fall(power: int) -> float:
    r"""Return the p where a step on two answers takes most entropy.

    The fall is $(p(1-p))^m \log\frac{p}{1-p}$ up to a factor, with m = 2 for a step on the logits
    and m = 1 for one along the natural gradient. Its logarithm is flat where
    $m (1-2p) \log\frac{p}{1-p} = -1$.

    Args:
        power: m.
    """
    # By halving: scipy.optimize takes seconds to import.
    low, high = 0.5, 1.0
    for _halving in range(60):
        p = (low + high) / 2
        rises = p < 1 and power * (2 * p - 1) * math.log(p / (1 - p)) < 1
        low, high = (p, high) if rises else (low, p)
    return low


PREDICTIONS = (
    Prediction(
        id="q26-room",
        question=N_(
            "Two tokens have positive advantages, at 0.01 and at 0.9. With a clip of 0.2 on both "
            "sides, how many times more probability may the second gain from one batch?"
        ),
        truth=room_ratio,
        unit=N_("times"),
        minimum=0,
        maximum=200,
        digits=0,
    ),
)


def _nats_a_word(others: int) -> float:
    """Return the entropy a word at which so many others agree with one half of the time."""
    return math.log(2) / (others * WORDS)


CHECKS = (
    Check(
        id="q26-batches",
        kind="integer",
        truth=lambda: math.ceil(batches_to_pass(RARE, TARGET, HIGH)),
        hints=(
            Hint(
                lambda: math.floor(batches_to_pass(RARE, TARGET, HIGH)),
                N_("After so many batches it is at {p:.2f} at most. Which way must you round?"),
                lambda: {"p": RARE * (1 + HIGH) ** math.floor(batches_to_pass(RARE, TARGET, HIGH))},
            ),
            Hint(
                lambda: round((TARGET - RARE) / (RARE * HIGH)),
                N_("You added the first batch's room again and again. The room grows with p."),
            ),
            Hint(
                lambda: math.ceil(batches_to_pass(RARE, TARGET, HIGHER)),
                N_("That is with clip-higher. The question has the symmetric clip."),
            ),
            Hint(
                lambda: math.ceil(math.log(TARGET / RARE) / HIGH),
                N_("log(1.2) is a little less than 0.2: do not round it before you divide."),
            ),
        ),
        otherwise=N_("Each batch multiplies the probability by 1.2 at most. Solve for the power."),
    ),
    Check(
        id="q26-fastest",
        kind="share",
        truth=lambda: fastest_fall(2),
        tolerance=0.005,
        hints=(
            Hint(
                lambda: 0.5,
                N_("At one half the entropy is at its top, and there its slope is 0."),
            ),
            Hint(
                lambda: fastest_fall(1),
                N_(
                    "That belongs to the natural gradient, which moves the logits by A. "
                    "The step here moves them by p A."
                ),
            ),
            Hint(
                lambda: 1 - fastest_fall(2),
                N_("There the entropy rises fastest. Where does it fall fastest?"),
            ),
        ),
        otherwise=N_("Take the derived change for two answers, and find where its slope is 0."),
    ),
    Check(
        id="q26-alike",
        kind="number",
        truth=lambda: _nats_a_word(GROUP - 1),
        tolerance=5e-5,
        hints=(
            Hint(
                lambda: _nats_a_word(1),
                N_("That is for a pair. A group is all alike when each other one is as the first."),
            ),
            Hint(
                lambda: _nats_a_word(GROUP),
                N_("The first episode agrees with itself. How many others must agree with it?"),
            ),
            Hint(
                lambda: _nats_a_word(GROUP - 1) * WORDS,
                N_("That is for the whole episode. The question is about one word."),
            ),
            Hint(
                lambda: _nats_a_word(GROUP - 1) / math.log(2),
                N_("You took the bound to 1/e, or logarithms to base 2. It is one half, in nats."),
            ),
        ),
        otherwise=N_("Set the derived lower bound for a group equal to one half; solve for H."),
    ),
)
