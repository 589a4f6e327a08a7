"""Guarded methods of texts, which look how long a text would become."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from agentrl_lite.bugfix.within import MOST_ITEMS, too_large

WIDEST = 999


def padding_of(name: str) -> Callable[..., Any]:
    """Return a method like `text.ljust(width)`, up to `WIDEST` wide."""

    def padding(text: Any, width: Any, *fill: Any) -> Any:
        if isinstance(width, int) and width > WIDEST:
            raise too_large("a text")
        return getattr(text, name)(width, *fill)

    return padding


def from_right(name: str) -> Callable[..., Any]:
    """Return a method like `text.rfind`, which takes as long as the product of both lengths."""

    def search(text: Any, *arguments: Any, **named: Any) -> Any:
        for part in (*arguments, *named.values()):
            if isinstance(part, str | bytes) and len(part) * len(text) > 1_000 * MOST_ITEMS:
                raise too_large("a search")
        return getattr(text, name)(*arguments, **named)

    return search


def split(text: Any, *arguments: Any, **named: Any) -> Any:
    """Like `text.split(separator)`: each part takes twenty times the memory of a letter."""
    if hasattr(text, "__len__") and len(text) > 10 * MOST_ITEMS:
        raise too_large("a list of parts")
    return text.split(*arguments, **named)


def replace(text: Any, *arguments: Any, **named: Any) -> Any:
    """Like `text.replace(old, new)`."""
    new = arguments[1] if len(arguments) > 1 else ""
    if hasattr(new, "__len__") and (len(text) + 1) * len(new) > 100 * MOST_ITEMS:
        raise too_large("a text")
    return text.replace(*arguments, **named)


def join(separator: Any, parts: Any) -> Any:
    """Like `separator.join(parts)`."""
    if not hasattr(parts, "__len__"):
        parts = list(parts)
    size = sum(len(part) for part in parts if isinstance(part, str | bytes))
    if hasattr(separator, "__len__"):
        size += len(separator) * len(parts)
    if size > 100 * MOST_ITEMS:
        raise too_large("a text")
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
            raise too_large("a text")
        check_filled(text.count("{"), [*values, *named.values()])
    return text.format(*values, **named)


def check_filled(places: int, values: Any) -> None:
    """Look how long a text with so many places becomes when it is filled with these."""
    if isinstance(values, str | bytes):
        values = [values]
    longest = max((len(value) for value in values if isinstance(value, str | bytes)), default=0)
    if places * longest > 100 * MOST_ITEMS:
        raise too_large("a text")


def _check_spec(spec: object) -> None:
    widths = re.findall(r"\d+", spec) if isinstance(spec, str) else []
    if any(len(width) > 1 + math.floor(math.log10(WIDEST)) for width in widths):
        raise too_large("a text")


def format_(value: object, spec: str = "") -> str:
    """Like `format`, up to `WIDEST` wide."""
    _check_spec(spec)
    return format(value, spec)
