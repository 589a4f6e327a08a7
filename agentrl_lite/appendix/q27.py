"""Question 27: the mean length of an answer doubles, among the failures."""

from __future__ import annotations

import math

from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.i18n import N_
from agentrl_lite.rewards import genuine_share, rewarded_rate

# The scenario.
STEPS = 300
LENGTH_START = 1_800
LENGTH_END = 3_700
# The notebook's own assumptions.
SOLVED = 0.3
# Those of the exercises.
MICROBATCHES, MICROBATCH = 4, 8
TURNS = (6, 10)
TURN_TOKENS = (300, 370)
SOLVED_BY_CHAIN = 0.25
LIE_RATE = 0.2


def failed_length(mean: float, success: float, solved: float) -> float:
    """Return the mean length of failures, where the mean over all and over successes is known.

    Args:
        mean: over all episodes, in tokens.
        success: over the solved ones.
        solved: their share, below 1.
    """
    return (mean - solved * success) / (1 - solved)


def pressure_left(episodes: int, microbatches: int = 1) -> float:
    r"""Return how much of the sequence mean's pressure on length the token mean keeps.

    The pressure is $-dw/dL_i$, the rate at which a token's weight falls with its own episode's
    length, here where all lengths are L. A token weighs $1/(M n L)$ under either mode; its slope is
    $1/(M n L^2)$ under sequence means, and $1/(M (nL)^2)$ where each of M microbatches divides by
    its own tokens.

    Args:
        episodes: n, in each microbatch.
        microbatches: M, of which the mean is taken.
    """
    length = 1.0
    sequence = 1 / (microbatches * episodes * length**2)
    token = 1 / (microbatches * (episodes * length) ** 2)
    return token / sequence


def turns_share() -> float:
    """Return which share of the growth, in logarithms, is more turns."""
    turns, tokens = TURNS[1] / TURNS[0], TURN_TOKENS[1] / TURN_TOKENS[0]
    return math.log(turns) / math.log(turns * tokens)


def pressure_seen(solved: float, lies: float) -> float:
    r"""Return the advantage of those that see FAILED, summed over a step: $E[(r - q)\,1_F]$.

    Args:
        solved: q.
        lies: rate at which the test says the opposite of what is true.
    """
    flips = {"false_positive": lies, "false_negative": lies}
    passed = float(rewarded_rate(solved, **flips))
    solved_and_failed = solved - passed * float(genuine_share(solved, **flips))
    return solved_and_failed - solved * (1 - passed)


def _per_visit(solved: float, lies: float) -> float:
    passed = float(rewarded_rate(solved, false_positive=lies, false_negative=lies))
    return pressure_seen(solved, lies) / (1 - passed)


NUMBERS = (
    Number("q27-steps", "given", lambda: STEPS, "300", "steps"),
    Number("q27-length-start", "given", lambda: LENGTH_START, "1,800", "policy tokens"),
    Number("q27-length-end", "given", lambda: LENGTH_END, "3,700", "policy tokens"),
    Number("q27-growth", "3,700 / 1,800", lambda: LENGTH_END / LENGTH_START, "2", "times"),
)

PREDICTIONS = (
    Prediction(
        id="q27-failed-length",
        question=N_(
            "The mean over all episodes went from 1,800 to 3,700 tokens. Say three episodes in ten "
            "are solved, and those stayed at 1,800. How long is a failed episode now?"
        ),
        truth=lambda: failed_length(LENGTH_END, LENGTH_START, SOLVED),
        unit="tokens",
        minimum=0,
        maximum=20_000,
        digits=0,
    ),
)

CHECKS = (
    Check(
        id="q27-microbatch",
        kind="share",
        truth=lambda: pressure_left(MICROBATCH, MICROBATCHES),
        tolerance=0.002,
        hints=(
            Hint(
                lambda: pressure_left(MICROBATCH * MICROBATCHES),
                N_("That divides by the tokens of the whole step. This trainer does not."),
            ),
            Hint(
                lambda: 1 / MICROBATCHES,
                N_("That is one in the number of microbatches. Who shares a token's divisor?"),
            ),
            Hint(
                lambda: 1.0,
                N_("So it would be with one episode in each microbatch. Here there are more."),
            ),
        ),
        otherwise=N_(
            "Write down a token's weight under both modes, differentiate by its own episode's "
            "length, set all lengths equal, divide."
        ),
    ),
    Check(
        id="q27-turns-share",
        kind="share",
        truth=turns_share,
        tolerance=0.005,
        hints=(
            Hint(
                lambda: (
                    (TURNS[1] - TURNS[0])
                    * TURN_TOKENS[0]
                    / (TURNS[1] * TURN_TOKENS[1] - TURNS[0] * TURN_TOKENS[0])
                ),
                N_("That prices the new turns at the old length. At the new one the sum differs."),
            ),
            Hint(
                lambda: (
                    (TURNS[1] - TURNS[0])
                    * TURN_TOKENS[1]
                    / (TURNS[1] * TURN_TOKENS[1] - TURNS[0] * TURN_TOKENS[0])
                ),
                N_("That prices the new turns at the new length. At the old one the sum differs."),
            ),
            Hint(
                lambda: 1 - turns_share(),
                N_("That is the share of longer turns. The question is the share of more turns."),
            ),
        ),
        otherwise=N_(
            "Factors multiply, so their logarithms add. Split the logarithm of the whole growth."
        ),
    ),
    Check(
        id="q27-lying-test",
        kind="share",
        truth=lambda: (
            pressure_seen(SOLVED_BY_CHAIN, LIE_RATE) / pressure_seen(SOLVED_BY_CHAIN, 0.0)
        ),
        tolerance=0.004,
        hints=(
            Hint(
                lambda: _per_visit(SOLVED_BY_CHAIN, LIE_RATE) / _per_visit(SOLVED_BY_CHAIN, 0.0),
                N_("That is for one episode that sees FAILED. How many see it has changed too."),
            ),
            Hint(
                lambda: 1 - LIE_RATE,
                N_("A lie takes one failure away from FAILED; what does it bring there instead?"),
            ),
        ),
        otherwise=N_(
            "List the four kinds of episodes, right or wrong, PASSED or FAILED, with their "
            "chances. Sum chance times advantage over the two that see FAILED."
        ),
    ),
)
