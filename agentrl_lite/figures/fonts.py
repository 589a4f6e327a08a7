"""The fonts of the figures, by language: DejaVu Sans, and before it what a language needs.

Matplotlib brings DejaVu Sans. The others are package data, cut to the characters of their
catalogue; `tests/font_subset.py` makes them. Their outlines are TrueType's, as Type 42 wants.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from matplotlib import font_manager

FOLDER = Path(__file__).parents[1] / "fonts"
LATIN = "DejaVu Sans"

#: The family that comes first, by language. Matplotlib 3.8 sets text beside mathematics in it
#: alone, without falling back on a later one: it must have every character of the language.
FIRST: Mapping[str, str] = MappingProxyType({"zh": "Agentrl Noto Sans SC"})

_FILES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"zh": ("NotoSansSC-Regular-subset.ttf", "NotoSansSC-Bold-subset.ttf")}
)


def files(lang: str) -> tuple[Path, ...]:
    """Return the font files that figures in `lang` need beside matplotlib's own; none for `en`."""
    return tuple(FOLDER / name for name in _FILES.get(lang, ()))


def families(lang: str) -> list[str]:
    """Return matplotlib's `font.family` for figures in `lang`.

    The first call for a language that has fonts of its own makes them known to matplotlib, until
    the process ends; no other family changes by that.

    >>> families("en")
    ['DejaVu Sans']
    """
    _register(lang)
    return [FIRST[lang], LATIN] if lang in FIRST else [LATIN]


@lru_cache(maxsize=8)
def _register(lang: str) -> None:
    for path in files(lang):
        font_manager.fontManager.addfont(str(path))
