"""Q27 by other means than the package's: counted episodes, sympy, finite differences."""

from __future__ import annotations

from fractions import Fraction

import sympy

SECOND_WAY = {
    "q27-steps": lambda: 3 * 100,
    "q27-length-start": lambda: 6 * 300,
    "q27-length-end": lambda: 10 * 370,
    "q27-growth": lambda: Fraction(37, 18),
}


def microbatch():
    """Lengthen one of eight episodes by a token, in exact fractions, and look at its weights."""

    def slope(weight, L=10**6):
        return weight(L) - weight(L + 1)

    L = 10**6
    local = slope(lambda own: Fraction(1, 4 * (own + 7 * L)))
    sequence = slope(lambda own: Fraction(1, 32 * own))
    return float(local / sequence)


def turns():
    x = sympy.symbols("x")  # 3,700/1,800 to the power x is 10/6
    return float(sympy.solve(sympy.Rational(37, 18) ** x - sympy.Rational(5, 3), x)[0])


def lying():
    """Of 400 episodes 100 are right; one verdict in five is the opposite of the truth."""
    advantage = {True: Fraction(3, 4), False: Fraction(-1, 4)}
    honest = 300 * advantage[False]
    flaky = 20 * advantage[True] + 240 * advantage[False]
    return float(flaky / honest)


RIGHT = {
    "q27-microbatch": microbatch,
    "q27-turns-share": turns,
    "q27-lying-test": lying,
}
WRONG = {
    "q27-microbatch": {0.03125: "whole step", 0.25: "number of microbatches", 1.0: "one episode"},
    "q27-turns-share": {0.6316: "old length", 0.7789: "new length", 0.291: "longer turns"},
    "q27-lying-test": {0.6923: "one episode", 0.8: "bring there instead"},
}
