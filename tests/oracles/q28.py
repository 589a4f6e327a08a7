"""Q28 by other means than the package's: plain counts of turns and words."""

from __future__ import annotations

from fractions import Fraction

SECOND_WAY = {"q28-progress": lambda: 10 * 10, "q28-shift": lambda: len("abc") - len("abc"[1:])}

RIGHT = {
    # Four turns of three words keep two each; three answers let one token in each.
    "q28-tool-share": lambda: float(Fraction(3, 3 + 4 * 2)),
    "q28-at-policy": lambda: float((Fraction(62, 100) - Fraction(3, 4) * Fraction(14, 100)) * 4),
}
WRONG = {
    "q28-tool-share": {
        4 / 12: "behind the last turn",
        3 / 12: "no longer in the loss",
        3 / 15: "dropped out",
    },
    "q28-at-policy": {
        0.62: "both kinds",
        0.78: "exchanged",
        0.48: "no sum",
        1.1: "half and half",
        1.58: "Three to one",
    },
}
