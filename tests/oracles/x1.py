"""X1 by other means than the package's: exact integrals in fractions, and Beta moments."""

from __future__ import annotations

from fractions import Fraction
from math import comb, lgamma

BUDGET = 512
U = Fraction(2, 5)


def mixed_mean(G: int, u: Fraction = U) -> Fraction:
    """Mean over p in [0, u] of the binomial mass strictly between 0 and G, expanded in p."""
    total = Fraction(0)
    for c in range(1, G):
        for k in range(G - c + 1):  # (1-p)^(G-c)
            power = c + k
            total += comb(G, c) * comb(G - c, k) * (-1) ** k * u**power / (power + 1)
    return total


def tasks(G: int) -> Fraction:
    return Fraction(BUDGET, G) * mixed_mean(G)


def fitted() -> float:
    """Factorial moments of the logged counts, then E[p^16] by gamma functions."""
    log = {0: 74, 1: 44, 2: 26, 3: 14, 4: 21, 5: 12, 6: 7, 7: 2}
    count = sum(log.values())
    m = Fraction(sum(c * n for c, n in log.items()), 8 * count)
    s = Fraction(sum(c * (c - 1) * n for c, n in log.items()), 56 * count)
    a, b = (float(x * (m - s) / (s - m * m)) for x in (m, 1 - m))

    def moment(x: float) -> float:
        return 2.718281828459045 ** (
            lgamma(x + 16) - lgamma(x) - lgamma(a + b + 16) + lgamma(a + b)
        )

    return 32 * (1 - moment(a) - moment(b))


SECOND_WAY = {
    "x1-budget": lambda: 128 * 4,
    "x1-highest": lambda: Fraction(2, 5),
    **{f"x1-tasks-G{G}": (lambda G=G: tasks(G)) for G in (2, 3, 4, 8)},
    "x1-groups-G3": lambda: (512 - 2) / 3,
    "x1-whole-tasks-G3": lambda: 170 * mixed_mean(3),
}

RIGHT = {
    "x1-two-kinds": lambda: float(
        32 * sum(1 - p**8 - (1 - p) ** 8 for p in (Fraction(1, 10), Fraction(3, 10)))
    ),
    "x1-uniform": lambda: float(tasks(8)),
    "x1-most": lambda: float(max(tasks(G) for G in range(2, 33))),
    # E[p(1-p)] of any pool with that mean and spread, here one of two kinds of task: at 0 and at a.
    "x1-mean-and-spread": lambda: 512 * float(Fraction(4, 13) * Fraction(13, 20) * Fraction(7, 20)),
    "x1-whole": lambda: float(170 * mixed_mean(3)),
    "x1-under-half": lambda: next(G for G in range(2, 99) if mixed_mean(G) > Fraction(1, 2)),
    "x1-fitted": fitted,
}
WRONG = {
    "x1-two-kinds": {53.26: "all alike", 0.756: "How many groups", 15.62: "teach nothing"},
    "x1-uniform": {
        53.26: "every task at the mean",
        49.78: "ends at 0.4",
        18.56: "density",
        0.725: "How many groups",
    },
    "x1-most": {
        46.4: "Try others",
        68.3: "smaller group",
        74.8: "whole groups",
        512: "of one",
        2: "count there is asked for",
        3: "count there is asked for",
    },
    "x1-mean-and-spread": {81.92: "without spread", 128: "sign", 56.32: "one more term"},
    "x1-whole": {75.09: "fraction", 75.24: "more than the budget", 170: "How many of them"},
    "x1-under-half": {3: "56.0 %", 2: "70.7 %", 8: "far below"},
    "x1-fitted": {21.36: "noise of the attempts", 19.24: "never solved", 31.28: "at the mean"},
}
