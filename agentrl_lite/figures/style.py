"""How every figure looks: sizes, type, palette, and a full set of matplotlib settings.

The settings are matplotlib's own defaults plus ours, entered with `matplotlib.rc_context`, so that
a picture depends neither on the reader's matplotlibrc nor on what a notebook has set.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import matplotlib
from matplotlib import patheffects

from agentrl_lite import i18n
from agentrl_lite.figures import fonts

INK = "#1F2328"
BLUE = "#0072B2"
VERMILION = "#D55E00"
GREEN = "#00805F"
PURPLE = "#8A2D6B"
GHOST = "#858B94"
GHOST_TEXT = "#636A73"
RULE = "#D8DCE1"
PAPER = "#FFFFFF"

#: Colours that may carry meaning. Each differs from the others and from paper for every kind of
#: colour vision; a line drawn in one still needs a direct label, a width or a dash of its own.
PALETTE = MappingProxyType(
    {
        "ink": INK,
        "blue": BLUE,
        "vermilion": VERMILION,
        "green": GREEN,
        "purple": PURPLE,
        "ghost": GHOST,
    }
)

#: Width and height in print, in inches, by number of columns.
SIZE_IN = MappingProxyType({1: (3.35, 2.45), 2: (6.9, 2.75)})

#: Width on screen, in CSS pixels, by number of columns: the same drawing, larger.
SCREEN_WIDTH_PX = MappingProxyType({1: 600, 2: 900})

#: Type sizes in points at print size; nothing in a figure is smaller than `SMALL_PT`.
SMALL_PT = 7.0
TEXT_PT = 8.0
HEADLINE_PT = 13.0

LINE_PT = 2.0
GHOST_PT = 0.9

_OURS: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GHOST_TEXT,
    "axes.labelcolor": INK,
    "axes.labelpad": 3.0,
    "axes.labelsize": TEXT_PT,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.unicode_minus": True,
    "figure.facecolor": PAPER,
    "font.size": TEXT_PT,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "lines.solid_capstyle": "round",
    "mathtext.fontset": "dejavusans",
    "pdf.compression": 6,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "agentrl-lite",
    "text.color": INK,
    "xtick.color": GHOST_TEXT,
    "xtick.labelcolor": INK,
    "xtick.labelsize": SMALL_PT,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.color": GHOST_TEXT,
    "ytick.labelcolor": INK,
    "ytick.labelsize": SMALL_PT,
    "ytick.major.size": 2.5,
    "ytick.major.width": 0.6,
}
_DRAWING = threading.RLock()
# Settings of windows and back ends: they touch no picture, and changing them has side effects.
_NOT_PICTURES = ("backend", "interactive", "macosx", "timezone", "tk.", "toolbar", "webagg")


@contextmanager
def settings() -> Iterator[None]:
    """Give matplotlib the companion's settings and no others, and the caller matplotlib alone.

    The fonts are those of the active language.

    A kernel may handle a slider's messages on one thread and run cells on another. Settings, font
    caches and canvases are for one at a time, so whoever draws does it inside this.
    """
    full: dict[Any, Any] = {
        key: value
        for key, value in matplotlib.rcParamsDefault.items()
        if not key.startswith(_NOT_PICTURES)
    }
    with _DRAWING:
        language: dict[Any, Any] = {"font.family": fonts.families(i18n.language())}
        with matplotlib.rc_context(full | _OURS | language):
            yield


def screen_dpi(columns: int) -> float:
    """Return the dots per inch at which a figure has its width on screen."""
    return SCREEN_WIDTH_PX[columns] / SIZE_IN[columns][0]


def halo() -> list[patheffects.AbstractPathEffect]:
    """Return the path effects that keep a label legible where lines run under it.

    They turn text into outlines, glyph by glyph: leave them off long texts that a slider moves.
    """
    return [patheffects.withStroke(linewidth=2.0, foreground=PAPER)]


def quiet_axes(axes: Any, *, horizontal: bool = True) -> None:
    """Leave `axes` with two thin spines and, if `horizontal`, faint rules at the y ticks."""
    axes.grid(visible=horizontal, axis="y")
    axes.tick_params(which="minor", length=0)
