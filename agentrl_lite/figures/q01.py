"""Figures of Q1: what a token and what a trajectory weigh, by aggregation mode."""

from __future__ import annotations

from typing import Any, get_args

from matplotlib.ticker import FixedLocator, NullLocator

from agentrl_lite.appendix.q01 import weights_of_two
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.q01_batch import BATCH
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.losses import Aggregation, Normaliser

_MODE = Control(
    name="mode",
    symbol="k",
    label=N_("Mode, 1 to 4"),
    minimum=1,
    maximum=4,
    step=1,
    default=2,
    frames=(1, 2, 3, 4),
    integer=True,
)
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
MODES: tuple[Aggregation, ...] = get_args(Aggregation)
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


def _row(ax: Any, y: int, short: float, long: float, chosen: bool) -> None:
    """Draw what the two weigh under one mode: a disc, a square, and the thread between them."""
    thread, size = (style.BLUE, 8.0) if chosen else (style.GHOST, 5.0)
    ends = (("s", long, style.VERMILION), ("o", short, style.GREEN))
    ax.plot([short, long], [y, y], color=thread, lw=style.LINE_PT if chosen else 1.0)
    for marker, x, colour in ends:
        # Where both weigh the same, the disc stands inside the square.
        ms = size + 4 if marker == "s" else size
        fill = colour if chosen else style.GHOST
        ax.plot([x], [y], marker, ms=ms, mfc=fill, mec=style.PAPER, mew=1.0)
    ratio = ax.text(1, y - 0.25, _ratio(short, long), transform=ax.get_yaxis_transform())
    ratio.set(ha="right", color=style.INK if chosen else style.GHOST_TEXT)
    ratio.set(weight="bold" if chosen else "normal", fontsize=style.SMALL_PT)


def _draw(axes: tuple[Any, Any], *, mode: int, short: int, long: int, B: int, M: int) -> None:
    token, trajectory = axes
    for y, name in enumerate(MODES, start=1):
        a, b = _weights(name, short, long, B, M)
        _row(token, y, a, b, y == mode)
        _row(trajectory, y, short * a, long * b, y == mode)
        said = _("{number} · {mode}").format(number=y, mode=name)
        text = token.text(0, y - 0.25, said, transform=token.get_yaxis_transform())
        text.set(color=style.BLUE if y == mode else style.GHOST_TEXT)
        text.set(weight="bold" if y == mode else "normal", fontsize=style.SMALL_PT)
    a, b = _weights(MODES[mode - 1], short, long, B, M)
    _name_ends(token, mode, a, b)
    _name_ends(trajectory, mode, short * a, long * b)


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
        controls=(_MODE, _SHORT, _LONG, _BATCH, _CONSTANT),
        caption=N_(
            "What one token (left) and a whole trajectory (right) weigh in a batch of which one "
            "half is short (disc) and one half long (square), by aggregation mode."
        ),
        alt=N_(
            "Four rows, one for each aggregation mode, in two panels. Under sequence means the "
            "tokens of a short and of a long trajectory lie far apart and the whole trajectories "
            "coincide; under the other three modes it is the other way round."
        ),
        backdrop=_backdrop,
        draw=_draw,
        summary=_summary,
    ),
    BATCH,
)
