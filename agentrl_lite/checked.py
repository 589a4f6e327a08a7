"""Arguments, checked. An error says which argument it is, what it must be, and what it was."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


def whole(name: str, value: object, least: int = 0) -> int:
    """Return one whole number of any integer type as an int. A bool is no number.

    Raises:
        ValueError: for a number below `least`, and for anything else.

    >>> whole("G", np.int64(8), 1)
    8
    >>> whole("G", 0, 1)
    Traceback (most recent call last):
    ValueError: G must be a whole number from 1; it was 0
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be a whole number from {least}; it was {value!r}")
    return int(value)


def counts(name: str, given: ArrayLike, least: int = 0) -> Counts:
    """Return whole numbers as int64, which holds every count that a float64 can.

    Raises:
        ValueError: for a number below `least`, one with a fraction, and anything else.

    >>> counts("n", [3, 4.0])
    array([3, 4])
    """
    array = np.asarray(given)
    if (
        array.dtype.kind not in "iuf"
        or not ((array >= least) & (array == np.floor(array)) & (array < 2**53)).all()
    ):
        raise ValueError(f"{name} must be a whole number from {least}; it was {given!r}")
    return array.astype(np.int64)


def samples(n: ArrayLike, c: ArrayLike, name: str = "c") -> tuple[Counts, Counts]:
    """Return numbers of samples and of passes among them, broadcast against each other.

    Args:
        n: samples.
        c: passes, at most `n`.
        name: of `c`, for the errors.

    Raises:
        ValueError: for anything but whole numbers, or more passes than samples.
    """
    drawn, passes = np.broadcast_arrays(counts("n", n), counts(name, c))
    if (passes > drawn).any():
        raise ValueError(f"{name} must be at most n; they were {name} = {c!r}, n = {n!r}")
    return drawn, passes


def chance(name: str, value: float, *, strictly: bool = False) -> float:
    """Return a number from 0 to 1, or strictly between them.

    Raises:
        ValueError: for any other number.
    """
    if not _is_real(value) or not (0 < value < 1 if strictly else 0 <= value <= 1):
        between = "strictly between" if strictly else "between"
        raise ValueError(f"{name} must lie {between} 0 and 1; it was {value!r}")
    return value


def chances(name: str, given: ArrayLike) -> Floats:
    """Return numbers from 0 to 1 in float64.

    Raises:
        ValueError: for any other number.
    """
    array = np.asarray(given, dtype=np.float64)
    if not ((array >= 0) & (array <= 1)).all():
        raise ValueError(f"{name} must lie between 0 and 1; it was {given!r}")
    return array


def some_chances(name: str, given: Sequence[float]) -> None:
    """Let a row of chances pass, from 0 to 1 each.

    Raises:
        ValueError: for none, for another number, and for what is no row.
    """
    row = isinstance(given, Sequence) and not isinstance(given, str)
    if not (row and given and all(_is_real(value) and 0 <= value <= 1 for value in given)):
        raise ValueError(f"{name} must hold chances between 0 and 1; it was {given!r}")


def at_least(name: str, value: float, least: float = 0) -> float:
    """Return a finite number from `least`.

    Raises:
        ValueError: for any other number.
    """
    if not (_is_real(value) and np.isfinite(value) and value >= least):
        raise ValueError(f"{name} must be finite and at least {least}; it was {value!r}")
    return value


def above(name: str, value: float, bound: float = 0, *, finite: bool = True) -> float:
    """Return a number above `bound`, a finite one unless told otherwise.

    Raises:
        ValueError: for any other number.
    """
    if not (_is_real(value) and value > bound and (not finite or np.isfinite(value))):
        what = "finite and above" if finite else "above"
        raise ValueError(f"{name} must be {what} {bound}; it was {value!r}")
    return value


def flag(name: str, value: object) -> None:
    """Let `True` and `False` pass.

    Raises:
        ValueError: for anything else.
    """
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False; it was {value!r}")


def option(name: str, value: object, allowed: Sequence[object]) -> None:
    """Let one of the options pass.

    Raises:
        ValueError: for anything else.

    >>> option("ddof", 2, (None, 0, 1))
    Traceback (most recent call last):
    ValueError: ddof must be one of None, 0, 1; it was 2
    """
    if value not in allowed:
        names = ", ".join(map(str, allowed))
        raise ValueError(f"{name} must be one of {names}; it was {value!r}")


def _is_real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
