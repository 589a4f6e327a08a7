"""Marks for tokens: a box for each, in the colour of who wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from matplotlib.patches import Rectangle

from agentrl_lite.figures import style
from agentrl_lite.i18n import N_, _
from agentrl_lite.trajectory import Producer

#: Fill and ink of a token by its producer. Light fills: text and marks stand on them.
FILLS: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        Producer.PAD: (style.PAPER, style.GHOST_TEXT),
        Producer.PROMPT: ("#E4E6EA", style.GHOST_TEXT),
        Producer.POLICY: ("#D3E7F4", style.BLUE),
        Producer.TOOL: ("#FBE3D2", style.VERMILION),
    }
)

NAMES: Mapping[int, str] = MappingProxyType(
    {
        Producer.PROMPT: N_("prompt"),
        Producer.POLICY: N_("policy"),
        Producer.TOOL: N_("tool"),
        Producer.PAD: N_("padding"),
    }
)


def page(fig: Any) -> Any:
    """Return axes without frame over the whole figure, in hundredths of an inch from the top."""
    width, height = fig.get_size_inches()
    ax = fig.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 100 * width), ylim=(100 * height, 0))
    ax.axis("off")
    return ax


def heading(ax: Any, x: float, y: float, text: str) -> None:
    """Write what follows below it, in bold."""
    ax.text(x, y, text, va="center", weight="bold")


def box(ax: Any, x: float, y: float, width: float, height: float, producer: int) -> None:
    """Draw a token's box; padding is an outline in dashes."""
    fill, _ink = FILLS[producer]
    padding = producer == Producer.PAD
    ax.add_patch(
        Rectangle(
            (x + 0.8, y),
            width - 1.6,
            height,
            fc=fill,
            ec=style.GHOST if padding else fill,
            lw=0.6,
            ls=(0, (2, 2)) if padding else "-",
        )
    )


def written(ax: Any, x: float, y: float, text: str, colour: str, *, bold: bool = False) -> None:
    """Write a small text centred on a point."""
    ax.text(
        x,
        y,
        text,
        ha="center",
        va="center_baseline",
        fontsize=style.SMALL_PT,
        color=colour,
        weight="bold" if bold else "normal",
    )


def key(ax: Any, x: float, y: float, *producers: Producer) -> None:
    """Name the colours, one after the other."""
    for producer in producers:
        box(ax, x, y - 7, 14, 14, producer)
        ax.text(x + 17, y, _(NAMES[producer]), va="center_baseline", fontsize=style.SMALL_PT)
        x += 65
