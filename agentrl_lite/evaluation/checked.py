"""Arguments of the evaluation functions, checked and converted; errors name the argument."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


def whole(name: str, given: ArrayLike) -> Counts:
    """Return counts as int64, which holds every count that a float64 can."""
    array = np.asarray(given)
    if (
        array.dtype.kind not in "iuf"
        or not ((array >= 0) & (array == np.floor(array)) & (array < 2**53)).all()
    ):
        raise ValueError(f"{name} must be a whole number from 0; it was {given!r}")
    return array.astype(np.int64)


def samples(n: ArrayLike, c: ArrayLike, name: str = "c") -> tuple[Counts, Counts]:
    """Return samples and passes, broadcast against each other."""
    drawn, passes = np.broadcast_arrays(whole("n", n), whole(name, c))
    if (passes > drawn).any():
        raise ValueError(f"{name} must be at most n; they were {name} = {c!r}, n = {n!r}")
    return drawn, passes


def share(name: str, given: ArrayLike) -> Floats:
    """Return rates from 0 to 1 in float64."""
    array = np.asarray(given, dtype=np.float64)
    if not ((array >= 0) & (array <= 1)).all():
        raise ValueError(f"{name} must lie between 0 and 1; it was {given!r}")
    return array


def confidence(value: float, name: str = "confidence") -> float:
    """Return a level strictly between 0 and 1."""
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1; it was {value!r}")
    return value


def z(level: float) -> float:
    """Return the two-sided normal quantile: 1.96 for 0.95."""
    return float(stats.norm.ppf(0.5 + confidence(level) / 2))
