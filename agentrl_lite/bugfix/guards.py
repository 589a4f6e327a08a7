"""The names that a patch sees: ordinary ones, and guarded ones in place of those that may grow."""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

from agentrl_lite.bugfix.guarding import FROM_RIGHT, GUARD, PADDING
from agentrl_lite.bugfix.screen import EXCEPTIONS
from agentrl_lite.bugfix.texts import (
    WIDEST,
    check_filled,
    format_,
    format_method,
    from_right,
    join,
    padding_of,
    replace,
    split,
)
from agentrl_lite.bugfix.within import (
    MOST_ITEMS,
    StopPatch,
    modules,
    names,
    of_type,
    ticking,
    too_large,
)

MOST_BITS = 10_000
MOST_OUTPUT = 10_000

_NAMES = (
    "abs all any bin bool callable chr dict float frozenset hex int isinstance issubclass len list "
    "next oct ord repr reversed set str tuple "
    "True False None"
)


class Output:
    """What a patch has printed."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.size = 0

    def print(self, *values: object, sep: str | None = " ", end: str | None = "\n") -> None:
        """Keep a line of output; stop the patch where it prints without end."""
        between = " " if sep is None else sep
        for i, value in enumerate(values):  # one by one: all together may be too much
            self._take(between if i else "")
            self._take(str(value))
        self._take("\n" if end is None else end)

    def _take(self, text: str) -> None:
        self.size += len(text)
        self.parts.append(text[:MOST_OUTPUT])
        if self.size > MOST_OUTPUT:
            raise StopPatch("output", f"it printed more than {MOST_OUTPUT:,} characters")

    @property
    def text(self) -> str:
        """All of it, up to the limit."""
        return "".join(self.parts)[:MOST_OUTPUT]


def patch_builtins(output: Output, tick: Callable[..., bool]) -> dict[str, Any]:
    """Return a fresh table of builtins for one run.

    Args:
        output: takes what `print` prints.
        tick: called at the head of every loop, function and comprehension, and in every guard that
            may copy much or call back.
    """
    table = {name: getattr(builtins, name) for name in (*_NAMES.split(), *EXCEPTIONS)}
    table |= {"print": output.print, "exit": _exit, "quit": _exit}
    table[GUARD + "tick"] = tick
    table |= {"SystemExit": SystemExit, "MemoryError": MemoryError}
    for guard in (divmod_, iter_, format_, map_, pow_, range_, round_, sum_, type_):
        table[guard.__name__[:-1]] = guard
    for operation in (times, times_by, power, power_by, shift, shift_by, modulo, modulo_by, divide):
        table[GUARD + operation.__name__] = operation
    methods = {name: padding_of(name) for name in PADDING}
    methods |= {name: from_right(name) for name in FROM_RIGHT}
    methods |= {"replace": replace, "join": join, "format": format_method}
    methods["split"] = split
    for name, method in methods.items():
        table[GUARD + name] = ticking(of_type(method), tick)
    numbers = {"gcd": _of_small(math.gcd), "isqrt": _of_small(math.isqrt), "lcm": lcm}
    return table | names(tick) | {"__import__": modules(numbers, tick)}


def _exit(*_code: object) -> None:
    raise StopPatch("exit", "it called exit")


# ---- builtins ----------------------------------------------------------------------------------


def iter_(values: Any) -> Iterator[Any]:
    """Like `iter`, without the form that calls a function for ever."""
    return iter(values)


def type_(value: object) -> type:
    """Like `type`, without the form that makes a class."""
    return type(value)


def range_(*bounds: Any) -> range:
    """Like `range`, up to `MOST_ITEMS` long."""
    made = range(*bounds)
    if made and abs(made[-1] - made[0]) >= MOST_ITEMS * abs(made.step):
        raise too_large("a range")
    return made


def map_(function: Callable[..., Any], *iterables: Any) -> Iterator[Any]:
    """Like `map`, of a Python function's kind: every value passes a counted line."""
    for values in zip(*iterables, strict=False):
        yield function(*values)


def sum_(values: Any, start: Any = 0) -> Any:
    """Like `sum`, of numbers."""
    if not isinstance(start, int | float):
        raise TypeError("sum() adds up numbers here")
    return sum(values, start)


def round_(number: Any, ndigits: Any = None) -> Any:
    """Like `round`, up to `WIDEST` places."""
    if isinstance(ndigits, int) and abs(ndigits) > WIDEST:
        raise too_large("a number")
    return round(number, ndigits)


def pow_(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """Like `pow`, of bounded size."""
    if modulus is None:
        _check_power(base, exponent)
    elif _bits(exponent) * _bits(modulus) > 100 * MOST_BITS:
        raise too_large("a number")
    _check_numbers(base, modulus)
    return pow(base, exponent, modulus)


def divmod_(left: Any, right: Any) -> Any:
    """Like `divmod`, of bounded size."""
    _check_numbers(left, right)
    return divmod(left, right)


def lcm(*numbers: Any) -> Any:
    """Like `math.lcm`, of bounded size."""
    if sum(map(_bits, numbers)) > MOST_BITS:
        raise too_large("a number")
    return math.lcm(*numbers)


def _of_small(function: Callable[..., Any]) -> Callable[..., Any]:
    def small(*numbers: Any) -> Any:
        _check_numbers(*numbers)
        return function(*numbers)

    return small


# ---- operators ---------------------------------------------------------------------------------


def times_by(left: Any, right: Any) -> Any:
    """Return `right` after looking how large `left * right` would be."""
    if isinstance(left, int) and isinstance(right, int):
        if left.bit_length() + right.bit_length() > MOST_BITS:
            raise too_large("a number")
    elif hasattr(left, "__len__") and isinstance(right, int):
        if len(left) * right > MOST_ITEMS:
            raise too_large("a sequence")
    elif hasattr(right, "__len__") and isinstance(left, int) and len(right) * left > MOST_ITEMS:
        raise too_large("a sequence")
    return right


def power_by(left: Any, right: Any) -> Any:
    """Return `right` after looking how large `left ** right` would be."""
    _check_power(left, right)
    return right


def shift_by(left: Any, right: Any) -> Any:
    """Return `right` after looking how large `left << right` would be."""
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right > MOST_BITS:
        raise too_large("a number")
    return right


def modulo_by(left: Any, right: Any) -> Any:
    """Return `right` after looking how wide a text `left % right` would be."""
    _check_numbers(left, right)
    if isinstance(left, str | bytes):
        text = left if isinstance(left, str) else left.decode("latin-1")
        if re.search(r"%(\(.*\))?[^a-zA-Z%]*?(\d{4}|\*)", text, re.DOTALL):
            raise too_large("a text")
        values = right.values() if isinstance(right, dict) else right
        check_filled(text.count("%"), values if hasattr(values, "__len__") else [values])
    return right


def divide(left: Any, right: Any) -> Any:
    """Return `left // right`, whose time grows with the square of the digits."""
    _check_numbers(left, right)
    return left // right


def times(left: Any, right: Any) -> Any:
    """Return `left * right`."""
    return left * times_by(left, right)


def power(left: Any, right: Any) -> Any:
    """Return `left ** right`."""
    return left ** power_by(left, right)


def shift(left: Any, right: Any) -> Any:
    """Return `left << right`."""
    return left << shift_by(left, right)


def modulo(left: Any, right: Any) -> Any:
    """Return `left % right`."""
    return left % modulo_by(left, right)


def _check_power(base: Any, exponent: Any) -> None:
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and exponent > 1 and base.bit_length() * exponent > MOST_BITS:
        raise too_large("a number")


def _bits(number: Any) -> int:
    return number.bit_length() if isinstance(number, int) else 0


def _check_numbers(*numbers: Any) -> None:
    """Look how long numbers are that a text or the source may have made."""
    if any(_bits(number) > 10 * MOST_BITS for number in numbers):
        raise too_large("a number")
