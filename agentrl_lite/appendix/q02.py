"""Question 2: a batch in four microbatches, and a loss that is the mean of their means."""

from __future__ import annotations

import numpy as np

from agentrl_lite.accumulation import set_partitions
from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.i18n import N_
from agentrl_lite.losses import token_weights

# The scenario.
TRAJECTORIES, MICROBATCHES = 16, 4
TOKENS = (100, 900)
# The exercises' own assumptions.
THREE = (200, 300, 1_500)
RANK_TOKENS, RANK_ENTROPIES = (100, 300, 600), (0.90, 0.50, 0.41)
LENGTHS = (40, 60, 90, 150, 400, 2_400)
RAGGED = (5, 5, 3)


def local_weight(tokens: int, microbatches: int) -> float:
    """Return what a token weighs where microbatches are averaged that are divided by their own.

    Args:
        tokens: of its microbatch, from 1.
        microbatches: m, from 1.
    """
    own = token_weights(np.ones((1, tokens), dtype=bool), "token-mean")
    return float(own[0, 0]) / microbatches


def largest_ratio(lengths: tuple[int, ...]) -> float:
    """Return the most by which two tokens' weights can differ, over all partitions.

    Args:
        lengths: policy tokens of each trajectory, from 1.
    """
    sums = (
        [sum(lengths[i] for i in part) for part in parts] for parts in set_partitions(len(lengths))
    )
    return max(max(tokens) / min(tokens) for tokens in sums)


def _excess(counts: tuple[int, ...], which: int) -> float:
    """Return by which factor a member of one part weighs more than in one batch of all."""
    return sum(counts) / (len(counts) * counts[which])


def _pooled() -> float:
    """Return the ranks' entropies, weighed by their tokens."""
    return float(np.average(RANK_ENTROPIES, weights=RANK_TOKENS))


NUMBERS = (
    Number("q02-trajectories", "given", lambda: TRAJECTORIES, "16", "trajectories a step"),
    Number("q02-microbatches", "given", lambda: MICROBATCHES, "4", "microbatches a step"),
    Number(
        "q02-per-microbatch",
        "16 / 4",
        lambda: TRAJECTORIES // MICROBATCHES,
        "4",
        "trajectories a microbatch",
    ),
    Number("q02-tokens-1", "given", lambda: TOKENS[0], "100", "policy tokens"),
    Number("q02-tokens-2", "given", lambda: TOKENS[1], "900", "policy tokens"),
    Number(
        "q02-inverse-weight-1",
        "1 over the weight 1/4 * 1/100 of a token of microbatch 1",
        lambda: 1 / local_weight(TOKENS[0], MICROBATCHES),
        "400",
    ),
    Number(
        "q02-inverse-weight-2",
        "1 over the weight 1/4 * 1/900 of a token of microbatch 2",
        lambda: 1 / local_weight(TOKENS[1], MICROBATCHES),
        "3600",
    ),
    Number(
        "q02-token-ratio",
        "1/400 over 1/3600",
        lambda: local_weight(TOKENS[0], MICROBATCHES) / local_weight(TOKENS[1], MICROBATCHES),
        "9",
    ),
)

PREDICTIONS = (
    Prediction(
        id="q02-first-share",
        question=N_(
            "The loss is a token mean. Of the weight of microbatches 1 and 2 together, what share "
            "should the 100 tokens of microbatch 1 have?"
        ),
        truth=lambda: 100 * TOKENS[0] / sum(TOKENS),
        unit="%",
        minimum=0,
        maximum=100,
    ),
)

CHECKS = (
    Check(
        id="q02-three-parts",
        kind="number",
        truth=lambda: _excess(THREE, 0),
        tolerance=0.05,
        hints=(
            Hint(
                lambda: sum(THREE) / THREE[0],
                N_("Each mean is divided by the number of microbatches as well."),
            ),
            Hint(
                lambda: THREE[2] / THREE[0],
                N_("That compares it with a token of the largest, which weighs too little itself."),
            ),
            Hint(
                lambda: 1 / _excess(THREE, 0),
                N_("That is the right weight over the one it gets. Turn it round."),
            ),
        ),
        otherwise=N_("Its weight is 1 / (m n_1). In one batch it would be one over all tokens."),
    ),
    Check(
        id="q02-pooled-entropy",
        kind="number",
        truth=_pooled,
        tolerance=0.002,
        hints=(
            Hint(
                lambda: sum(RANK_ENTROPIES) / len(RANK_ENTROPIES),
                N_("That is the mean of the ranks' means: what the wrong logger shows."),
            ),
        ),
        otherwise=N_("Add up entropy times tokens over the ranks, and divide by all tokens."),
    ),
    Check(
        id="q02-worst-partition",
        kind="number",
        truth=lambda: largest_ratio(LENGTHS),
        tolerance=0.05,
        hints=(
            Hint(
                lambda: max(LENGTHS) / min(LENGTHS),
                N_("That is one trajectory in each part. Another partition does worse."),
            ),
            Hint(
                lambda: sum(LENGTHS) / min(LENGTHS),
                N_("A trajectory stands in one part alone, so the two counts share none."),
            ),
        ),
        otherwise=N_(
            "For each of the 203 partitions, add up the lengths part by part and divide the "
            "largest sum by the smallest. Then take the largest quotient."
        ),
    ),
    Check(
        id="q02-ragged-trajectories",
        kind="number",
        truth=lambda: _excess(RAGGED, 2),
        tolerance=0.005,
        hints=(
            Hint(
                lambda: RAGGED[0] / RAGGED[2],
                N_("That compares it with the other parts, which weigh too little themselves."),
            ),
            Hint(
                lambda: sum(RAGGED) / RAGGED[2],
                N_("Each mean is divided by the number of microbatches as well."),
            ),
            Hint(
                lambda: 1 / _excess(RAGGED, 2),
                N_("That is the right weight over the one it gets. Turn it round."),
            ),
            Hint(
                lambda: 1,
                N_(
                    "It is immune while all microbatches hold equally many trajectories. These "
                    "do not."
                ),
            ),
        ),
        otherwise=N_("Its weight is one over m times the size of its own microbatch."),
    ),
)
