"""The names that a patch sees: ordinary ones, and guarded ones in place of those that may grow."""

from __future__ import annotations

import builtins
import importlib
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

from agentrl_lite.bugfix.screen import EXCEPTIONS, GUARD, MODULES

MOST_ITEMS = 10_000
MOST_BITS = 10_000
MOST_OUTPUT = 10_000
WIDEST = 999

_NAMES = (
    "abs all any bin bool callable chr dict divmod enumerate filter float frozenset hex int "
    "isinstance issubclass len list max min next oct ord repr reversed set sorted str tuple zip "
    "True False None"
)


class StopPatch(BaseException):
    """A patch has used up what it may use; `reason` is one of `sandbox.REASONS`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Output:
    """What a patch has printed."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.size = 0

    def print(self, *values: object, sep: str | None = " ", end: str | None = "\n") -> None:
        """Keep a line of output; stop the patch where it prints without end."""
        text = (" " if sep is None else sep).join(map(str, values))
        text += "\n" if end is None else end
        self.size += len(text)
        self.parts.append(text[:MOST_OUTPUT])
        if self.size > MOST_OUTPUT:
            raise StopPatch("output", f"it printed more than {MOST_OUTPUT:,} characters")

    @property
    def text(self) -> str:
        """All of it, up to the limit."""
        return "".join(self.parts)[:MOST_OUTPUT]


def patch_builtins(output: Output, tick: Callable[[], bool]) -> dict[str, Any]:
    """Return a fresh table of builtins for one run.

    Args:
        output: takes what `print` prints.
        tick: called at the head of every loop, function and comprehension.
    """
    table = {name: getattr(builtins, name) for name in (*_NAMES.split(), *EXCEPTIONS)}
    table |= {"print": output.print, "__import__": _import, "exit": _exit, "quit": _exit}
    table[GUARD + "tick"] = tick
    table |= {"SystemExit": SystemExit, "MemoryError": MemoryError}
    for guard in (iter_, format_, map_, pow_, range_, round_, sum_, type_):
        table[guard.__name__[:-1]] = guard
    for operation in (times, times_by, power, power_by, shift, shift_by, modulo, modulo_by):
        table[GUARD + operation.__name__] = operation
    for name in ("center", "ljust", "rjust", "zfill"):
        table[GUARD + name] = _padding(name)
    for method in (replace, join, format_method):
        table[GUARD + method.__name__.removesuffix("_method")] = method
    return table


def _import(
    name: str,
    globals_: object = None,
    locals_: object = None,
    fromlist: object = (),
    level: int = 0,
) -> Any:
    if level or name not in MODULES:
        raise ImportError(f"{name} cannot be imported here; {', '.join(MODULES)} can")
    return importlib.import_module(name)


def _exit(*_code: object) -> None:
    raise StopPatch("exit", "it called exit")


def _too_large(what: str) -> StopPatch:
    return StopPatch("memory", f"{what} would grow beyond {MOST_ITEMS:,} items or digits")


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
        raise _too_large("a range")
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
        raise _too_large("a number")
    return round(number, ndigits)


def pow_(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """Like `pow`, of bounded size."""
    _check_power(base, exponent if modulus is None else 1)
    return pow(base, exponent, modulus)


def format_(value: object, spec: str = "") -> str:
    """Like `format`, up to `WIDEST` wide."""
    _check_spec(spec)
    return format(value, spec)


# ---- operators ---------------------------------------------------------------------------------


def times_by(left: Any, right: Any) -> Any:
    """Return `right` after looking how large `left * right` would be."""
    if isinstance(left, int) and isinstance(right, int):
        if left.bit_length() + right.bit_length() > MOST_BITS:
            raise _too_large("a number")
    elif hasattr(left, "__len__") and isinstance(right, int):
        if len(left) * right > MOST_ITEMS:
            raise _too_large("a sequence")
    elif hasattr(right, "__len__") and isinstance(left, int) and len(right) * left > MOST_ITEMS:
        raise _too_large("a sequence")
    return right


def power_by(left: Any, right: Any) -> Any:
    """Return `right` after looking how large `left ** right` would be."""
    _check_power(left, right)
    return right


def shift_by(left: Any, right: Any) -> Any:
    """Return `right` after looking how large `left << right` would be."""
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right > MOST_BITS:
        raise _too_large("a number")
    return right


def modulo_by(left: Any, right: Any) -> Any:
    """Return `right` after looking how wide a text `left % right` would be."""
    if isinstance(left, str | bytes):
        text = left if isinstance(left, str) else left.decode("latin-1")
        if re.search(r"%(\(.*\))?[^a-zA-Z%]*?(\d{4}|\*)", text, re.DOTALL):
            raise _too_large("a text")
        values = right.values() if isinstance(right, dict) else right
        _check_filled(text.count("%"), values if hasattr(values, "__len__") else [values])
    return right


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
        raise _too_large("a number")


# ---- methods of texts --------------------------------------------------------------------------


def _padding(name: str) -> Callable[..., Any]:
    def padding(text: Any, width: Any, *fill: Any) -> Any:
        if isinstance(width, int) and width > WIDEST:
            raise _too_large("a text")
        return getattr(text, name)(width, *fill)

    return padding


def replace(text: Any, *arguments: Any, **named: Any) -> Any:
    """Like `text.replace(old, new)`."""
    new = arguments[1] if len(arguments) > 1 else ""
    if hasattr(new, "__len__") and (len(text) + 1) * len(new) > 100 * MOST_ITEMS:
        raise _too_large("a text")
    return text.replace(*arguments, **named)


def join(separator: Any, parts: Any) -> Any:
    """Like `separator.join(parts)`."""
    if not hasattr(parts, "__len__"):
        parts = list(parts)
    size = sum(len(part) for part in parts if isinstance(part, str | bytes))
    if hasattr(separator, "__len__"):
        size += len(separator) * len(parts)
    if size > 100 * MOST_ITEMS:
        raise _too_large("a text")
    return separator.join(parts)


def format_method(text: Any, *values: Any, **named: Any) -> Any:
    """Like `text.format(...)`, of whole values: no attributes, no items."""
    if isinstance(text, str):
        for field in re.findall(r"\{([^{}]*)", text):
            name, _, spec = field.partition(":")
            if "." in name or "[" in name:
                raise ValueError("format takes whole values here, no attributes or items")
            _check_spec(spec)
        if re.search(r":[^{}]*\{", text):
            raise _too_large("a text")
        _check_filled(text.count("{"), [*values, *named.values()])
    return text.format(*values, **named)


def _check_filled(places: int, values: Any) -> None:
    """Look how long a text with so many places becomes when it is filled with these."""
    if isinstance(values, str | bytes):
        values = [values]
    longest = max((len(value) for value in values if isinstance(value, str | bytes)), default=0)
    if places * longest > 100 * MOST_ITEMS:
        raise _too_large("a text")


def _check_spec(spec: object) -> None:
    widths = re.findall(r"\d+", spec) if isinstance(spec, str) else []
    if any(len(width) > 1 + math.floor(math.log10(WIDEST)) for width in widths):
        raise _too_large("a text")
