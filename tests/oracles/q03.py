"""Q3 by other means than the package's: enumeration in exact fractions, and simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np


def all_equal(p: str, G: int) -> Fraction:
    """Share of groups that agree: enumerated where that is small, else by binomial counts."""
    q = Fraction(p)
    if G <= 8:
        outcomes = product((0, 1), repeat=G)
        return sum(
            (prod(q if r else 1 - q for r in o) for o in outcomes if len(set(o)) == 1), Fraction(0)
        )
    return 1 - sum(comb(G, c) * q**c * (1 - q) ** (G - c) for c in range(1, G))


def first_below_half(p: str) -> int:
    return next(G for G in range(1, 1000) if all_equal(p, G) < Fraction(1, 2))


SECOND_WAY = {
    "q03-budget": lambda: 128 * 4,
    "q03-middle": lambda: Fraction(1, 10),
    "q03-tail-low": lambda: Fraction(3, 10),
    "q03-tail-high": lambda: Fraction(1, 2),
    "q03-prompts-G4": lambda: 128,
    "q03-prompts-G8": lambda: 64,
    "q03-prompts-G16": lambda: 32,
    **{
        f"q03-degenerate-{name}-G{G}": (lambda p=p, G=G: all_equal(p, G))
        for name, p in (("p10", "1/10"), ("p30", "3/10"))
        for G in (4, 8, 16)
    },
    "q03-default-G": lambda: next(G for G in (2, 4, 8, 16) if first_below_half("1/10") <= G),
    "q03-default-prompts": lambda: 512 // 8,
}


def simulated_batches() -> float:
    """Whole batches of 64 groups until 64 differ: the mean bill over many tries."""
    rng = np.random.default_rng(11)
    q = float(1 - all_equal("1/10", 8))
    bills = []
    for _ in range(20_000):
        filled = batches = 0
        while filled < 64:
            filled, batches = filled + rng.binomial(64, q), batches + 1
        bills.append(batches * 512)
    return float(np.mean(bills))


RIGHT = {
    "q03-smallest-G": lambda: first_below_half("1/10"),
    "q03-smallest-G-hard": lambda: first_below_half("1/20"),
    "q03-episodes-paid": lambda: float(512 / (1 - all_equal("1/10", 8))),
    "q03-whole-batches": simulated_batches,
    "q03-two-pools": lambda: float((1 + all_equal("2/5", 8)) / 2),
}
WRONG = {
    "q03-smallest-G": {8: "power of two", 6: "53.1 %", 5: "series"},
    "q03-smallest-G-hard": {13: "51 %", 11: "series", 10: "series", 16: "power of two"},
    "q03-episodes-paid": {732: "refill can fail too", 512: "none is wasted", 112: "groups"},
    "q03-whole-batches": {899: "group by group", 1024: "Two batches", 131: "groups"},
    "q03-two-pools": {
        0.168: "all tasks are alike",
        0.0175: "solvable half",
        0.511: "average the two",
    },
}
