"""Q5 by other means than the package's: mpmath, exact fractions, enumeration and simulation."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import sympy as sp

X = [Fraction(-1, 5), Fraction(1, 10), Fraction(-1, 2)]


def power_series(x: Fraction) -> Fraction:
    """k3 as the tail of the exponential's series, in fractions."""
    term, total = Fraction(1), Fraction(0)
    for i in range(1, 40):
        term = term * x / i
        if i > 1:
            total += term
    return total


BY_HAND = {"k1": lambda x: -x, "k2": lambda x: x * x / 2, "k3": power_series}

SECOND_WAY = {
    **{f"q05-log-ratio-{i}": (lambda x=x: x) for i, x in enumerate(X, start=1)},
    **{
        f"q05-{name}-{i}": (lambda f=f, x=x: f(x))
        for name, f in BY_HAND.items()
        for i, x in enumerate(X, start=1)
    },
    **{f"q05-{name}-mean": (lambda f=f: sum(map(f, X)) / 3) for name, f in BY_HAND.items()},
}


def first_distance() -> float:
    """The first slider step at which k3 scatters more than k1, in 30 digits."""
    for step in range(1, 61):
        d = mpmath.mpf(step) / 20
        weights = [r * mpmath.e ** (d * b) for r, b in zip((2, 3, 5), (1, 0, -1), strict=True)]
        total = sum(weights)
        pi = [w / total for w in weights]
        x = [mpmath.log(r / mpmath.mpf(10) / p) for r, p in zip((2, 3, 5), pi, strict=True)]
        variances = []
        for values in ([-v for v in x], [mpmath.e**v - 1 - v for v in x]):
            mean = sum(p * v for p, v in zip(pi, values, strict=True))
            square = sum(p * v * v for p, v in zip(pi, values, strict=True))
            variances.append(square - mean**2)
        if variances[1] > variances[0]:
            return float(d)
    raise AssertionError("no crossing")


def whole_vocabulary() -> float:
    """The divergence when the three tokens are all there is, solved by sympy."""
    a, b = sp.symbols("a b")
    ratios = [sp.exp(sp.Rational(x.numerator, x.denominator)) for x in X]
    tenth = sp.Rational(1, 10)
    solved = sp.solve([a + b + tenth - 1, a * ratios[0] + b * ratios[1] + tenth * ratios[2] - 1])
    return float(solved[a] / 5 - solved[b] / 10 + tenth / 2)


def count_for_k3() -> int:
    """Moments of k3 over a normal, by Gauss and Hermite's nodes."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    x = -0.02 + 0.2 * nodes
    values = np.exp(x) - 1 - x
    variance = weights @ values**2 - (weights @ values) ** 2
    return next(n for n in range(1, 10_000) if variance / n <= 0.002**2)


def far_part() -> float:
    far, calm = (
        20 * (mpmath.e**-6 + 5),
        9980 * (mpmath.e ** mpmath.mpf("0.05") - mpmath.mpf("1.05")),
    )
    return float(far / (far + calm))


RIGHT = {
    "q05-k3-mean": lambda: round(float(sum(map(power_series, X)) / 3), 4),
    "q05-crossing": first_distance,
    "q05-three-tokens": whole_vocabulary,
    "q05-tokens-needed": count_for_k3,
    "q05-far-share": far_part,
}
WRONG = {
    "q05-k3-mean": {
        0.0583: "sign is turned",
        0.0187: "k3 of the mean",
        0.1304: "sum",
        0.05: "square",
        0.2: "leaves the exponential out",
    },
    "q05-crossing": {0.722: "in nats"},
    "q05-three-tokens": {
        0.0435: "over the sample",
        0.2: "over the sample",
        0.0199: "biased",
        0.0162: "other direction",
        0.05: "Two equations",
    },
    "q05-tokens-needed": {
        10_000: "what k1 needs",
        202: "round up",
        200: "first term",
        15: "square root",
    },
    "q05-far-share": {0.002: "of the tokens", 0.9665: "with k2", 0.01: "in nats"},
}
