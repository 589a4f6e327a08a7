"""Guards that look within a line: at what one step copies, takes from an iterator or calls back.

A step of C that calls back, or whose iterator gives more the more it takes, has no end and executes
no line. Here each such turn ticks: ticks are counted, and look at the memory.
"""

from __future__ import annotations

import functools
import importlib
import itertools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from agentrl_lite.bugfix.guarding import GUARD, JOINING
from agentrl_lite.bugfix.screen import MODULES, REFUSED_ATTRIBUTES

MOST_ITEMS = 10_000
_Tick = Callable[..., bool]


class StopPatch(BaseException):
    """A patch has used up what it may use; `reason` is one of `sandbox.REASONS`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def too_large(what: str) -> StopPatch:
    """Return what stops a patch that would make something too large."""
    return StopPatch("memory", f"{what} would grow beyond {MOST_ITEMS:,} items or digits")


def names(tick: _Tick) -> dict[str, Any]:
    """Return the names of this module's guards: builtins, and `GUARD` with operations and methods.

    Args:
        tick: counts, looks at the memory, and stops the patch where either is too much.
    """
    table = {name: _keyed(function, tick) for name, function in _KEYED_BUILTINS.items()}
    table |= {"enumerate": ticking(_enumerate, tick), "zip": ticking(_zip, tick)}
    table |= {"filter": lambda function, values: filter(_ticked(function, tick), values)}
    table[GUARD + "add"] = ticking(lambda left, right: left + right, tick)
    table[GUARD + "taken"] = ticking(_counted, tick)
    table[GUARD + "spread"] = lambda values: tick(_turns(values)) and _counted(values)
    table[GUARD + "extend"] = ticking(of_type(_taking("extend")), tick)
    table[GUARD + "sort"] = _keyed(of_type(_sort), tick)
    for name in JOINING:
        table[GUARD + name] = ticking(of_type(_taking(name)), tick)
    return table


def ticking(function: Callable[..., Any], tick: _Tick) -> Callable[..., Any]:
    """Return the function, with a tick before each call, when its arguments are there."""

    def ticked(*arguments: Any, **named: Any) -> Any:
        tick()
        return function(*arguments, **named)

    return ticked


def of_type(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a guarded method that can be called of a type, too: `str.join(", ", parts)`."""

    def called(target: Any, *arguments: Any, **named: Any) -> Any:
        if isinstance(target, type) and arguments and isinstance(arguments[0], target):
            target, *arguments = arguments  # type: ignore[assignment]
        return method(target, *arguments, **named)

    return called


def modules(numbers: dict[str, Any], tick: _Tick) -> Callable[..., ModuleType]:
    """Return what `import` calls: it gives copies, so that nobody else's modules are altered.

    Args:
        numbers: guarded functions of `math`.
        tick: for those functions that call back.
    """

    @functools.cache
    def copy(name: str) -> ModuleType:
        made = ModuleType(name)
        for key, value in vars(importlib.import_module(name)).items():
            if not key.startswith("_") and key not in REFUSED_ATTRIBUTES:
                keyed = key in ("merge", "nlargest", "nsmallest") or name == "bisect"
                setattr(made, key, _keyed(value, tick) if keyed else value)
        if name == "math":
            vars(made).update(numbers)
        return made

    def importing(
        name: str,
        globals_: object = None,
        locals_: object = None,
        fromlist: object = (),
        level: int = 0,
    ) -> ModuleType:
        if level or name not in MODULES:
            raise ImportError(f"{name} cannot be imported here; {', '.join(MODULES)} can")
        return copy(name)

    return importing


# ---- callbacks ---------------------------------------------------------------------------------

_KEYED_BUILTINS: dict[str, Callable[..., Any]] = {"max": max, "min": min, "sorted": sorted}


def _ticked(function: Any, tick: _Tick) -> Any:
    """Return a function that ticks on each call, and may be called `MOST_ITEMS` times."""
    if not callable(function):
        return function
    calls = itertools.count(1)

    def ticked(*arguments: Any) -> Any:
        tick()
        if next(calls) > MOST_ITEMS:
            raise StopPatch("lines", f"one line called a function {MOST_ITEMS:,} times")
        return function(*arguments)

    return ticked


def _keyed(function: Callable[..., Any], tick: _Tick) -> Callable[..., Any]:
    """Return a function whose argument `key` ticks on each call: `max(a, key=a.append)`."""

    def keyed(*arguments: Any, **named: Any) -> Any:
        tick()
        if "key" in named:
            named["key"] = _ticked(named["key"], tick)
        return function(*arguments, **named)

    return keyed


def _sort(values: Any, *arguments: Any, **named: Any) -> Any:
    return values.sort(*arguments, **named)


# ---- iterators ---------------------------------------------------------------------------------


def _counted(values: Any) -> Any:
    """Return what is no iterator as it is, and an iterator so that it stops at `MOST_ITEMS`."""
    if not hasattr(values, "__next__"):
        return values
    return itertools.chain(itertools.islice(values, MOST_ITEMS), _stopped(values))


def _stopped(values: Iterator[Any]) -> Iterator[Any]:
    for _ in values:
        raise too_large("what it takes in")
    yield from ()


def _turns(values: Any) -> int:
    """Return how many ticks it is worth to take in all values."""
    return 1 + _length(values) // 40 if hasattr(values, "__len__") else 1


def _length(values: Any) -> int:
    return len(values) if hasattr(values, "__len__") else MOST_ITEMS


def _taking(name: str) -> Callable[..., Any]:
    """Return a method that takes in all values of its arguments, `a.extend(b)` or `a.union(b, c)`.

    Many times the same argument costs nothing but time, which their lengths together bound.
    """

    def taking(target: Any, *others: Any, **named: Any) -> Any:
        sized = sum(len(other) for other in others if hasattr(other, "__len__"))
        if len(others) > 1 and sized > 100 * MOST_ITEMS:
            raise too_large("what it takes in")
        return getattr(target, name)(*map(_counted, others), **named)

    return taking


def _enumerate(values: Any, start: Any = 0) -> Any:
    """Like `enumerate`: a pair takes twenty times the memory of a letter."""
    if _length(values) > 10 * MOST_ITEMS:
        raise too_large("an enumeration")
    return enumerate(values, start)


def _zip(*iterables: Any, strict: Any = False) -> Any:
    """Like `zip`, with a bounded number of values in all its tuples together."""
    shortest = min(map(_length, iterables), default=0)
    if len(iterables) * shortest > 100 * MOST_ITEMS:
        raise too_large("a zip")
    return zip(*iterables, strict=strict)
