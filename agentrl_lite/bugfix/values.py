"""How a value differs from the one expected, and an exception in a line."""

from __future__ import annotations

import reprlib

MOST_VALUES = 2_000


def difference(value: object, expected: object) -> str:
    """Return how a value differs from what was expected, or nothing. Types count: 1 is not True."""
    left = [MOST_VALUES]
    strange = _strange(value, left)
    if strange:
        return strange
    if _typed(value) == _typed(expected):
        return ""
    return f"it was {_shown(value)}"


def _strange(value: object, left: list[int]) -> str:
    """Return what is no plain data in a value, or nothing; look at `left[0]` values at most."""
    left[0] -= 1
    if left[0] < 0:
        return "it was too large to compare"
    if type(value) in (list, tuple, set, frozenset, dict):
        parts: list[object] = list(value)  # type: ignore[call-overload]
        if isinstance(value, dict):
            parts += value.values()
        return next(filter(None, (_strange(part, left) for part in parts)), "")
    if value is None or type(value) in (bool, int, float, str):
        return ""
    return f"it was no plain value but a {type(value).__name__}"


def _typed(value: object) -> object:
    """Return a value in a form in which 1, 1.0 and True are three things."""
    if isinstance(value, dict):
        return (dict, {_typed(key): _typed(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return (type(value), tuple(_typed(item) for item in value))
    if isinstance(value, set | frozenset):
        return (type(value), {(type(item), item) for item in value})
    return (type(value), value)


def _shown(value: object) -> str:
    short = reprlib.Repr()
    short.maxstring = short.maxother = short.maxlong = 60
    try:
        return short.repr(value)
    except ValueError:  # Python writes out no number of more than 4,300 digits
        return "a very long number"


def describe(error: Exception) -> str:
    """Return an exception in a line, as a test runner does."""
    text = error.args[0] if error.args else ""
    if not isinstance(text, str | int):
        text = ""
    if isinstance(text, int):
        text = _shown(text)
    elif isinstance(error, KeyError):
        text = repr(text[:100])
    line = f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__
    return line.splitlines()[0]
