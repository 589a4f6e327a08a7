"""Q21 by other means than the package's: subsets looked at one by one, exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb


def looked_at(n: int, c: int, k: int) -> tuple[int, int]:
    """Return how many k-subsets of the record hold no pass, and how many there are."""
    subsets = list(combinations([True] * c + [False] * (n - c), k))
    return sum(not any(s) for s in subsets), len(subsets)


def chance(n: int, c: int, k: int) -> Fraction:
    """Return the estimate as an exact fraction: by looking where that is quick, else by counts."""
    if comb(n, k) < 1000:
        failing, every = looked_at(n, c, k)
        return 1 - Fraction(failing, every)
    return 1 - Fraction(comb(n - c, k), comb(n, k))


PLUGIN = 1 - Fraction(7, 10) ** 5

SECOND_WAY = {
    "q21-samples": lambda: len("FPFFPFFFPF"),
    "q21-passes": lambda: "FPFFPFFFPF".count("P"),
    "q21-pass-1": lambda: chance(10, 3, 1),
    "q21-subsets-failing": lambda: looked_at(10, 3, 5)[0],
    "q21-subsets": lambda: looked_at(10, 3, 5)[1],
    "q21-pass-5": lambda: chance(10, 3, 5),
    "q21-plugin-5": lambda: PLUGIN,
    "q21-gap": lambda: 100 * (chance(10, 3, 5) - PLUGIN),
}


def variance(p: Fraction, n: int, k: int) -> Fraction:
    """Return the estimate's variance, by the pairs of k-subsets and how much they share.

    Two subsets that share j samples both fail with probability $(1-p)^{2k-j}$.
    """
    q = 1 - p
    pairs = sum(
        Fraction(comb(k, j) * comb(n - k, k - j), comb(n, k)) * q ** (2 * k - j)
        for j in range(k + 1)
    )
    return pairs - q ** (2 * k)


RIGHT = {
    "q21-certain-k": lambda: next(k for k in range(1, 41) if chance(40, 2, k) == 1),
    "q21-pass-10": lambda: float(1 - Fraction(10 * 9, 20 * 19)),
    "q21-average": lambda: float((chance(10, 6, 5) + chance(10, 3, 5) + chance(10, 0, 5)) / 3),
    "q21-samples-needed": lambda: next(
        n for n in range(10, 400) if variance(Fraction(1, 20), n, 10) < Fraction(1, 100)
    ),
}
WRONG = {
    "q21-certain-k": {38: "one subset", 40: "smaller one", 20: "on average"},
    "q21-pass-10": {0.651: "puts it back", 0.75: "one by one", 1.0: "mean number"},
    "q21-average": {0.857: "pooled", 0.832: "mean pass rate", 0.607: "biased estimates"},
    "q21-samples-needed": {
        190: "a little over",
        189: "law for large n",
        241: "safe",
        25: "whole trial",
    },
}
