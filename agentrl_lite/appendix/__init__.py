"""The appendix as data: its questions, its numbers, and what its exercises accept.

One module per question (`q03.py`) holds three tables: `NUMBERS`, `CHECKS` and `PREDICTIONS`. A new
module is found by its name; nothing lists it.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache
from types import ModuleType

_BLOCK = re.compile(r"[qx]\d+")


@cache
def blocks() -> tuple[ModuleType, ...]:
    """Import and return the questions' modules, in the order of their names."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if _BLOCK.fullmatch(m.name))
    return tuple(importlib.import_module(f"{__name__}.{name}") for name in names)
