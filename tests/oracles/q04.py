"""Q4 by other means than the package's: statistics.pstdev, sympy, exact counts of a population."""

from __future__ import annotations

import statistics
from fractions import Fraction
from math import sqrt

import sympy

LONE = [1] + [0] * 7
HALF = [1] * 4 + [0] * 4


def standard_score(rewards, i, deviation=statistics.pstdev):
    return (rewards[i] - statistics.mean(rewards)) / deviation(rewards)


SECOND_WAY = {
    "q04-group": lambda: len(LONE),
    "q04-successes": lambda: sum(LONE),
    "q04-mean": lambda: statistics.mean(LONE),
    "q04-sigma": lambda: statistics.pstdev(LONE),
    "q04-success-divided": lambda: standard_score(LONE, 0),
    "q04-failure-divided": lambda: standard_score(LONE, 7),
    "q04-success-centred": lambda: Fraction(7, 8),
    "q04-failure-centred": lambda: -Fraction(1, 8),
    "q04-factor-half": lambda: 1 / statistics.pstdev(HALF),
    "q04-factor-lone": lambda: 1 / statistics.pstdev(LONE),
}


def counted_after(verdicts):
    """Of a million attempts, one in 50 solved, those rewarded in each of so many verdicts."""
    solved, unsolved = Fraction(20_000), Fraction(980_000)
    for _ in range(verdicts):
        solved, unsolved = solved * Fraction(24, 25), unsolved * Fraction(1, 25)
    return solved / (solved + unsolved)


def held_out():
    g = sympy.symbols("g")
    f = sympy.Rational(1, 25)
    return float(sympy.solve(g * (1 - f) + (1 - g) * f - sympy.Rational(2, 5), g)[0])


RIGHT = {
    "q04-lone-group": lambda: next(G for G in range(2, 99) if G - 1 > 3.5**2),
    "q04-lone-sample": lambda: standard_score([1] + [0] * 31, 0, statistics.stdev),
    "q04-held-out-flips": held_out,
    "q04-rerun": lambda: float(counted_after(2)),
}
WRONG = {
    "q04-lone-group": {13: "3.46", 15: "ddof at 1"},
    "q04-lone-sample": {
        sqrt(31): "population deviation",
        31 / 32: "centred reward",
        5.656: "larger of the two",
    },
    "q04-held-out-flips": {0.40: "passed by a flip", 0.36: "come on", 0.384: "both ways"},
    "q04-rerun": {
        float(counted_after(1)): "one verdict",
        0.9273: "pass twice",
        0.9416: "not rewarded",
    },
}
