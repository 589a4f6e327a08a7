"""Q2 by other means than the package's: fractions, tokens laid out one by one, brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import product


def mean_of_means(counts: list[int]) -> list[Fraction]:
    """The weight of a token of each part: the derivative of a mean of means, by a unit loss."""
    weights = []
    for part in range(len(counts)):
        losses = [[0] * n for n in counts]
        losses[part][0] = 1
        means = [Fraction(sum(own), len(own)) for own in losses]
        weights.append(sum(means) / len(means))
    return weights


def excess(counts: list[int], part: int) -> float:
    return float(mean_of_means(counts)[part] / Fraction(1, sum(counts)))


def worst(lengths: list[int]) -> float:
    """Every way to give six trajectories one of six labels."""
    found = 0.0
    for labels in product(range(len(lengths)), repeat=len(lengths)):
        sums: dict[int, int] = {}
        for label, length in zip(labels, lengths, strict=True):
            sums[label] = sums.get(label, 0) + length
        found = max(found, max(sums.values()) / min(sums.values()))
    return found


def pooled() -> float:
    tokens = [0.90] * 100 + [0.50] * 300 + [0.41] * 600
    return sum(tokens) / len(tokens)


# Two more microbatches, of any size, beside the two that are logged.
LOGGED = mean_of_means([100, 900, 250, 250])
SECOND_WAY = {
    "q02-trajectories": lambda: 4 * 4,
    "q02-microbatches": lambda: 4,
    "q02-per-microbatch": lambda: 4,
    "q02-tokens-1": lambda: 100,
    "q02-tokens-2": lambda: 900,
    "q02-inverse-weight-1": lambda: 1 / LOGGED[0],
    "q02-inverse-weight-2": lambda: 1 / LOGGED[1],
    "q02-token-ratio": lambda: LOGGED[0] / LOGGED[1],
}
RIGHT = {
    "q02-three-parts": lambda: excess([200, 300, 1_500], 0),
    "q02-pooled-entropy": pooled,
    "q02-worst-partition": lambda: worst([40, 60, 90, 150, 400, 2_400]),
    "q02-ragged-trajectories": lambda: excess([5, 5, 3], 2),
}
WRONG = {
    "q02-three-parts": {10: "number of microbatches", 7.5: "largest", 0.3: "Turn it round"},
    "q02-pooled-entropy": {0.6033: "ranks' means"},
    "q02-worst-partition": {60: "Another partition", 78.5: "share none"},
    "q02-ragged-trajectories": {
        1.667: "other parts",
        4.333: "number of",
        0.6923: "Turn it round",
        1: "immune",
    },
}
