"""Figures of Q1: what a token and what a trajectory weigh, by aggregation mode."""

from __future__ import annotations

from typing import Any

from matplotlib.ticker import FixedLocator, NullLocator

from agentrl_lite.appendix.q01 import weights_of_two
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.q01_batch import BATCH, MODE, MODES
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.losses import Aggregation, Normaliser

_SHORT = Control(
    name="short",
    symbol="S",
    label=N_("Short trajectory"),
    minimum=10,
    maximum=160,
    step=2,
    default=40,
    frames=(40,),
    log=True,
    integer=True,
)
_LONG = Control(
    name="long",
    symbol="L",
    label=N_("Long trajectory"),
    minimum=300,
    maximum=9_600,
    step=2,
    default=2_400,
    frames=(2_400,),
    log=True,
    integer=True,
)
_BATCH = Control(
    name="B",
    symbol="B",
    label=N_("Trajectories"),
    minimum=2,
    maximum=512,
    step=2,
    default=16,
    frames=(16,),
    log=True,
    integer=True,
)
_CONSTANT = Control(
    name="M",
    symbol="Lmax",
    label=N_("The constant"),
    minimum=75,
    maximum=9_600,
    step=2,
    default=4_800,
    frames=(4_800,),
    log=True,
    integer=True,
)
_TOKEN, _TRAJECTORY = (4e-9, 10.0), (4e-8, 1e5)


def _weights(mode: Aggregation, short: int, long: int, B: int, M: int) -> tuple[float, float]:
    """Return what a token of each weighs, in a batch of which one half is short."""
    whole = Normaliser(B // 2 * (short + long), B)
    return weights_of_two(short, long, mode, whole=whole, max_length=M)


def _ratio(a: float, b: float) -> str:
    """Return a : b, the smaller of the two as 1."""
    large, small = max(a, b), min(a, b)
    times = f"{large / small:,.1f}".removesuffix(".0")
    return f"{times} : 1" if a >= b else f"1 : {times}"


def _panel(ax: Any, title: str, limits: tuple[float, float], ticks: range) -> None:
    ax.set_xscale("log")
    ax.set(xlim=limits, ylim=(len(MODES) + 0.35, 0.2))
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    style.quiet_axes(ax, horizontal=False)
    marks.title(ax, title)
    ax.xaxis.set_major_locator(FixedLocator([10.0**n for n in ticks]))
    ax.set_xticklabels([f"$10^{{{n}}}$" for n in ticks])
    ax.xaxis.set_minor_locator(NullLocator())
    for y in range(1, len(MODES) + 1):
        ax.axhline(y, color=style.RULE, lw=0.7)


def _backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.015, right=0.985, bottom=0.12, top=0.885, wspace=0.07)
    token, trajectory = fig.subplots(1, 2)
    _panel(token, _("Weight of one token"), _TOKEN, range(-8, 1, 2))
    _panel(trajectory, _("Weight of the whole trajectory"), _TRAJECTORY, range(-6, 5, 2))
    for ax in (token, trajectory):
        text = ax.text(1, 1.04, _("short : long"), transform=ax.transAxes, ha="right")
        text.set(color=style.GHOST_TEXT, fontsize=style.SMALL_PT)
    return token, trajectory


def _chosen(ax: Any, y: int, short: float, long: float) -> None:
    """Draw what the two weigh under the chosen mode: a disc, a square, and their thread."""
    ax.plot([short, long], [y, y], color=style.BLUE, lw=style.LINE_PT)
    # Where both weigh the same, the disc stands inside the square.
    for marker, x, colour, ms in (("s", long, style.VERMILION, 12), ("o", short, style.GREEN, 8)):
        ax.plot([x], [y], marker, ms=ms, mfc=colour, mec=style.PAPER, mew=1.0)


def _others(ax: Any, rows: list[tuple[int, float, float]]) -> None:
    """Draw the same of the other modes, in grey: one artist for each kind of mark."""
    y, short, long = zip(*rows, strict=True)
    ax.hlines(y, short, long, color=style.GHOST, lw=1.0)
    for marker, x, ms in (("s", long, 9), ("o", short, 5)):
        ax.plot(x, y, marker, ms=ms, mfc=style.GHOST, mec=style.PAPER, mew=1.0)


def _words(ax: Any, x: float, y: int, said: str, chosen: bool, colour: str) -> None:
    """Write above a row, at its left or its right end."""
    text = ax.text(x, y - 0.25, said, transform=ax.get_yaxis_transform())
    text.set(ha="right" if x else "left", fontsize=style.SMALL_PT)
    text.set(color=colour if chosen else style.GHOST_TEXT, weight="bold" if chosen else "normal")


def _draw(axes: tuple[Any, Any], *, mode: int, short: int, long: int, B: int, M: int) -> None:
    token, trajectory = axes
    weights = [_weights(name, short, long, B, M) for name in MODES]
    for ax, times in ((token, (1, 1)), (trajectory, (short, long))):
        rows = [(y, a * times[0], b * times[1]) for y, (a, b) in enumerate(weights, start=1)]
        _others(ax, [row for row in rows if row[0] != mode])
        _chosen(ax, *rows[mode - 1])
        for y, a, b in rows:
            _words(ax, 1, y, _ratio(a, b), y == mode, style.INK)
        _name_ends(ax, *rows[mode - 1])
    for y, name in enumerate(MODES, start=1):
        said = _("{number} · {mode}").format(number=y, mode=name)
        _words(token, 0, y, said, y == mode, style.BLUE)


def _name_ends(ax: Any, mode: int, short: float, long: float) -> None:
    """Name the two marks below the chosen row, outwards."""
    side = 1 if short > long else -1
    ends = (
        (short, _("short"), style.GREEN, side),
        (long, _("long"), style.VERMILION, -side),
    )
    for x, name, colour, outwards in ends:
        ha = "left" if outwards > 0 else "right"
        marks.label(ax, x, mode, (2.0 * outwards, -14.0), name, colour, ha)


def _summary(*, mode: int, short: int, long: int, B: int, M: int) -> str:
    name = MODES[mode - 1]
    a, b = _weights(name, short, long, B, M)
    return _(
        "Under {mode}, with B = {B} and the constant at {M}, a token weighs {a} in a trajectory of "
        "{short} tokens and {b} in one of {long}, and the whole trajectories weigh {whole}."
    ).format(
        mode=name,
        B=_BATCH.text(B),
        M=f"{M:,}",
        short=f"{short:,}",
        long=f"{long:,}",
        a=f"{a:.2e}",
        b=f"{b:.2e}",
        whole=_ratio(short * a, long * b),
    )


FIGURES = (
    Figure(
        id="q01-weights",
        number="B.1a",
        columns=2,
        controls=(MODE, _SHORT, _LONG, _BATCH, _CONSTANT),
        caption=N_(
            "What one token (left) and a whole trajectory (right) weigh in a batch of which one "
            "half is short (disc) and one half long (square), by aggregation mode."
        ),
        alt=N_(
            "Two panels, each with a logarithmic axis and four rows, one for each aggregation "
            "mode. A disc stands for a short trajectory and a square for a long one: on the left "
            "at the weight of one token, on the right at that of the whole trajectory. Above the "
            "end of each row stands the ratio of the two."
        ),
        backdrop=_backdrop,
        draw=_draw,
        summary=_summary,
    ),
    BATCH,
)
