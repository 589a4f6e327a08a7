"""Q26 by other means than the package's: exact fractions, loops, and grids."""

from __future__ import annotations

from fractions import Fraction
from itertools import count

import numpy as np

SECOND_WAY = {
    "q26-entropy-before": lambda: Fraction(9, 10),
    "q26-entropy-after": lambda: Fraction(1, 20),
    "q26-steps": lambda: 50,
    "q26-stalled-reward": lambda: Fraction(3, 10),
}


def batches() -> int:
    """Multiply by 6/5 until one half is passed."""
    p = Fraction(1, 100)
    for n in count():
        if p > Fraction(1, 2):
            return n
        p *= Fraction(6, 5)
    raise AssertionError


def fastest() -> float:
    """The entropy after an exact, tiny step, on a fine grid of p."""
    p = np.linspace(0.5, 0.99, 98_001)
    rate = 1e-4
    odds = np.log(p / (1 - p))
    # Logits move by rate * p * (1-p) and by minus the same.
    moved = 1 / (1 + np.exp(-(odds + 2 * rate * p * (1 - p))))

    def nats(q):
        return -(q * np.log(q) + (1 - q) * np.log(1 - q))

    return float(p[np.argmin(nats(moved) - nats(p))])


def nats_a_word() -> float:
    """Bisect the chance that seven others are word for word as the first, for even words.

    Where every one of exp(h) continuations is as likely as any other, the bound is exact.
    """
    low, high = 0.0, 1.0
    for _ in range(60):
        h = (low + high) / 2
        alike = np.prod([np.prod([1 / np.exp(h)] * 10) for _ in range(7)])
        low, high = (h, high) if alike > 0.5 else (low, h)
    return low


RIGHT = {"q26-batches": batches, "q26-fastest": fastest, "q26-alike": nats_a_word}
WRONG = {
    "q26-batches": {21: "round", 245: "room grows", 16: "clip-higher", 20: "1.2"},
    "q26-fastest": {0.5: "slope is 0", 0.824: "natural gradient", 0.261: "rises"},
    "q26-alike": {0.0693: "pair", 0.00866: "agrees with itself", 0.099: "whole", 0.0143: "1/e"},
}
