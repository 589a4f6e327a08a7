"""The few marks that the figures share: titles, axes, direct labels, the marked value in large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from agentrl_lite.figures import style
from agentrl_lite.i18n import _


def percent(share: float) -> str:
    """Return a share as a percentage with one decimal that never rounds to none or all.

    >>> percent(0.4305), percent(0.0), percent(1e-9)
    ('43.0 %', '0.0 %', 'under 0.1 %')
    """
    if 0 < share < 0.0005:
        return _("under {percent} %").format(percent="0.1")
    if 0.9995 <= share < 1:
        return _("over {percent} %").format(percent="99.9")
    return _("{percent} %").format(percent=f"{100 * share:.1f}")


def short_percent(share: float) -> str:
    """Return what `percent` returns with signs for its words, for large type.

    >>> short_percent(0.4305), short_percent(1e-9), short_percent(1 - 1e-9)
    ('43.0 %', '< 0.1 %', '> 99.9 %')
    """
    if 0 < share < 0.0005:
        return _("{percent} %").format(percent="< 0.1")
    if 0.9995 <= share < 1:
        return _("{percent} %").format(percent="> 99.9")
    return percent(share)


def percent_axis(axis: Any) -> None:
    """Give an axis that runs from 0 to 1 five ticks in percent."""
    axis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    axis.set_major_formatter(FuncFormatter(lambda share, _position: f"{100 * share:.0f} %"))


def count_axis(axis: Any, ticks: Sequence[float]) -> None:
    """Give an axis of counts these ticks and no others, with separated thousands."""
    axis.set_major_locator(FixedLocator(list(ticks)))
    axis.set_major_formatter(FuncFormatter(lambda count, _position: f"{count:,.0f}"))
    axis.set_minor_formatter(NullFormatter())


def title(ax: Any, text: str) -> None:
    """Say above the axes what their height means."""
    ax.set_title(text, loc="left", fontsize=style.TEXT_PT, weight="bold", color=style.INK, pad=6)


def level(ax: Any, y: float) -> None:
    """Draw a quiet dashed line across at a height that matters."""
    ax.axhline(y, color=style.GHOST_TEXT, lw=0.9, ls=(0, (5, 3)))


def marker(ax: Any, x: float, y: float) -> None:
    """Mark where the controls stand on the curve, with a thread down to the x axis."""
    bottom = ax.get_ylim()[0]
    colour = style.VERMILION
    ax.plot([x, x], [bottom, y], color=colour, lw=0.8, ls=(0, (2, 2)), clip_on=False)
    ax.plot([x], [y], "o", ms=7, mfc=colour, mec=style.PAPER, mew=1.2, clip_on=False)


def headline(ax: Any, x: float, y: float, ha: str, number: str) -> None:
    """Write the marked value large, at (x, y) in shares of the axes."""
    ax.text(
        x,
        y,
        number,
        transform=ax.transAxes,
        ha=ha,
        fontsize=style.HEADLINE_PT,
        weight="bold",
        color=style.VERMILION,
    )


def words(ax: Any, x: float, y: float, ha: str, text: str) -> None:
    """Write below the large number what it is, at (x, y) in shares of the axes."""
    ax.text(x, y, text, transform=ax.transAxes, ha=ha)


def label(
    ax: Any, x: float, y: float, offset: tuple[float, float], text: str, colour: str, ha: str
) -> None:
    """Write a small label beside a point, `offset` in points away from it."""
    ax.annotate(
        text,
        (x, y),
        xytext=offset,
        textcoords="offset points",
        ha=ha,
        fontsize=style.SMALL_PT,
        color=colour,
    )
