"""Q12 by other means than the package's: fractions, sympy, enumeration of groups."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod, sqrt
from statistics import fmean, pstdev

import sympy

SECOND_WAY = {
    "q12-steps": lambda: 4 * 25,
    "q12-submit-share": lambda: Fraction(7, 10),
    "q12-solved-start": lambda: Fraction(1, 4),
    "q12-solved-end": lambda: Fraction(2, 25),
    "q12-price": lambda: -Fraction(1, 50),
    "q12-turns": lambda: 6,
    "q12-submit-value": lambda: -Fraction(1, 50),
    "q12-try-cost": lambda: Fraction(6, 50),
    "q12-threshold": lambda: -Fraction(1, 50) + Fraction(6, 50),
}


def divided_push(q, G):
    """Sum over the make-up of a group: how many give up, succeed, fail."""
    ways = ((0.1, -0.02), (0.9 * q, 0.88), (0.9 * (1 - q), -0.12))
    total = 0.0
    for group in combinations_with_replacement(range(3), G):
        rewards = [ways[kind][1] for kind in group]
        if pstdev(rewards) < 1e-9:
            continue
        copies = factorial(G) / prod(factorial(group.count(kind)) for kind in range(3))
        pushed = sum(rewards[i] - fmean(rewards) for i in range(G) if group[i] == 0)
        total += copies * prod(ways[kind][0] for kind in group) * pushed / pstdev(rewards)
    return total


def tips(G):
    """The first whole per mille at which the push is no longer upwards."""
    return next(k for k in range(1_000) if divided_push(k / 1_000, G) <= 0) / 1_000


def crossing():
    q = sympy.symbols("q")
    price = sympy.Rational(1, 20)
    return float(sympy.solve(q - 4 * price + price, q)[0])


def sign_turns():
    """Two give up, one succeeds, five fail after six turns: where is -c the mean?"""
    c = sympy.symbols("c")
    mean = (2 * -c + (1 - 6 * c) + 5 * (-6 * c)) / 8
    return float(sympy.solve(-c - mean, c)[0])


RIGHT = {
    "q12-tipping-small": lambda: tips(4),
    "q12-threshold-other": crossing,
    "q12-all-fail": lambda: sqrt(12 / 4),
    "q12-price-turns-sign": sign_turns,
}
WRONG = {
    "q12-tipping-small": {0.256: "groups of eight", 0.10: "mean rewards cross"},
    "q12-threshold-other": {0.20: "not free either", 0.06: "scenario's price"},
    "q12-all-fail": {0.075: "not divided", 0.577: "the other advantage", 1.677: "ddof at 1"},
    "q12-price-turns-sign": {0.025: "all eight", 0.02778: "after the first"},
}
