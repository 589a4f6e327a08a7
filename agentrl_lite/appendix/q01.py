"""Question 1: how a loss weighs the tokens of trajectories of very different length."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.i18n import N_
from agentrl_lite.losses import Aggregation, Normaliser, token_weights

# The scenario.
SHORT, LONG = 40, 2_400
# The exercises' own assumptions.
SUCCESSES, FAILURES = 12, 4
CAP, LARGER_CAP = 2_400, 9_000


def weights_of_two(
    short: int, long: int, mode: Aggregation, *, whole: Normaliser, max_length: float
) -> tuple[float, float]:
    """Return what a token of a short and of a long trajectory weighs in one batch.

    Args:
        short: policy tokens of the one, from 1.
        long: policy tokens of the other, at least as many.
        mode: of the aggregation.
        whole: counts of the batch that both belong to.
        max_length: the constant, in tokens; read by `seq-mean-token-sum-norm` alone.
    """
    mask = np.arange(long) < np.array([[short], [long]])
    constant = max_length if mode == "seq-mean-token-sum-norm" else None
    weights = token_weights(mask, mode, max_length=constant, normaliser=whole)
    return float(weights[0, 0]), float(weights[1, 0])


def _ratio() -> float:
    whole = Normaliser(SHORT + LONG, 2)
    short, long = weights_of_two(SHORT, LONG, "seq-mean-token-mean", whole=whole, max_length=1.0)
    return short / long


def _lengths() -> NDArray[np.int64]:
    """Return the policy tokens of each trajectory of the exercises' batch."""
    return np.repeat([SHORT, LONG], [SUCCESSES, FAILURES])


def _share_of_failures(weights: NDArray[np.float64] | NDArray[np.int64]) -> float:
    """Return the failures' share of trajectories' total weights, in the order of `_lengths`."""
    return float(weights[SUCCESSES:].sum() / weights.sum())


NUMBERS = (
    Number("q01-short", "given", lambda: SHORT, "40", "policy tokens"),
    Number("q01-long", "given", lambda: LONG, "2,400", "policy tokens"),
    Number(
        "q01-token-ratio",
        "1/(B L_short) over 1/(B L_long), at 40 and 2,400 tokens",
        _ratio,
        "60",
    ),
)

PREDICTIONS = (
    Prediction(
        id="q01-long-share",
        question=N_(
            "One trajectory of 40 tokens and one of 2,400 make up a batch. Under the token mean, "
            "what share of the weight goes to the long one?"
        ),
        truth=lambda: 100 * LONG / (SHORT + LONG),
        unit="%",
        minimum=0,
        maximum=100,
    ),
)

CHECKS = (
    Check(
        id="q01-failures-share",
        kind="share",
        truth=lambda: _share_of_failures(_lengths()),
        tolerance=0.005,
        hints=(
            Hint(
                lambda: FAILURES / (SUCCESSES + FAILURES),
                N_("That is their share of the trajectories: the weight under sequence means."),
            ),
            Hint(
                lambda: LONG / (SHORT + LONG),
                N_(
                    "That is one long trajectory against one short one. How many are there of each?"
                ),
            ),
            Hint(
                lambda: 1 - _share_of_failures(_lengths()),
                N_("That is what is left for the successes."),
            ),
        ),
        otherwise=N_("Under the token mean a group's weight is its share of the batch's tokens."),
    ),
    Check(
        id="q01-same-constant",
        kind="number",
        truth=lambda: float(_lengths().mean()),
        tolerance=0.5,
        hints=(
            Hint(lambda: LONG, N_("With the longest as the constant each token weighs less.")),
            Hint(
                lambda: (SHORT + LONG) / 2,
                N_("That is the middle of the two lengths. There are more short ones than long."),
            ),
            Hint(
                lambda: int(_lengths().sum()),
                N_("That is all tokens. The constant form has the number of trajectories as well."),
            ),
        ),
        otherwise=N_(
            "Set 1 / (B L_max) equal to one over the batch's tokens, and solve for L_max."
        ),
    ),
    Check(
        id="q01-rate-factor",
        kind="number",
        truth=lambda: LARGER_CAP / CAP,
        tolerance=0.005,
        hints=(
            Hint(lambda: 1, N_("Then each token pushes less far than before: the divisor grew.")),
            Hint(
                lambda: (LARGER_CAP / CAP) ** 0.5,
                N_("A root is for noise, where a batch grows. Here the gradient itself shrinks."),
            ),
            Hint(
                lambda: CAP / LARGER_CAP,
                N_("The divisor made each token's weight smaller. Which way must the rate go?"),
            ),
        ),
        otherwise=N_("A token pushes by the learning rate times its weight, 1 / (B L_max)."),
    ),
)
