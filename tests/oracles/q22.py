"""Q22 by other means than the package's: exact fractions, enumeration, and search."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import comb, sqrt
from statistics import NormalDist, pvariance

# One number for each task: what B did there minus what A did.
DIFFERENCES = [1] * 40 + [-1] * 30 + [0] * 430
Z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)


def exact_p(b: int, c: int) -> Fraction:
    """Every split of b + c coin flips that is at least as lopsided as the one seen."""
    ways = sum(comb(b + c, k) for k in range(b + c + 1) if abs(2 * k - b - c) >= abs(b - c))
    return Fraction(ways, 2 ** (b + c))


def unpaired_se() -> float:
    a, b = [1] * 205 + [0] * 295, [1] * 215 + [0] * 285
    return sqrt((pvariance(a) + pvariance(b)) / 500)


SECOND_WAY = {
    "q22-tasks": lambda: 175 + 40 + 30 + 255,
    "q22-rate-a": lambda: Fraction(100 * (175 + 30), 500),
    "q22-rate-b": lambda: Fraction(100 * (175 + 40), 500),
    "q22-gained": lambda: 215 - 175,
    "q22-lost": lambda: 205 - 175,
    "q22-pooled-rate": lambda: Fraction(420, 1000),
    "q22-rate-se": lambda: sqrt(Fraction(42 * 58, 100 * 100) / 500),
    "q22-unpaired-se": unpaired_se,
    "q22-difference": lambda: Fraction(sum(DIFFERENCES), 500),
    "q22-paired-se": lambda: sqrt(sum(d * d for d in DIFFERENCES)) / 500,
    "q22-paired-se-full": lambda: sqrt(pvariance(DIFFERENCES) / 500),
    "q22-z": lambda: (215 - 205) / sqrt(70),
    "q22-p-value": lambda: exact_p(40, 30),
}


def power(variance: float) -> float:
    """Chance that two points pass the two-sided 5 % level, the far tail left out."""
    return 1 - NormalDist().cdf(NormalDist().inv_cdf(0.975) - 0.02 / sqrt(variance))


def variance_of_methods(seeds: int) -> float:
    return 0.01 / 500 + 0.13 / (500 * 4 * seeds) + (0.015**2 + 0.015**2) / seeds


RIGHT = {
    "q22-smallest-b": lambda: next(b for b in count(30) if exact_p(b, 30) < Fraction(1, 20)),
    "q22-tasks-needed": lambda: (Z / 0.02) ** 2 * pvariance(DIFFERENCES),
    "q22-se-more-samples": lambda: sqrt((pvariance(DIFFERENCES) - 0.12 + 0.12 / 8) / 500),
    "q22-seeds-needed": lambda: next(s for s in count(1) if power(variance_of_methods(s)) > 0.8),
}
WRONG = {
    "q22-smallest-b": {48: "approximates", 44: "keeps b + c at 70", 46: "One tail"},
    "q22-tasks-needed": {9556: "unpaired", 1341: "every other time", 2158: "one-sided"},
    "q22-se-more-samples": {
        0.0059: "whole variance",
        0.0132: "halve none",
        0.00626: "endless",
        0.832: "in points",
        0.83: "in points",
    },
    "q22-seeds-needed": {
        16: "round",
        10: "Both methods",
        11: "in full",
        23: "one attempt",
        15: "endless attempts",
        34: "both methods together",
    },
}
