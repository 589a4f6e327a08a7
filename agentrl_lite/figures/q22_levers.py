"""The second figure of Q22: tasks, samples and seeds, and what each of them takes off the noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from agentrl_lite.evaluation import (
    Benchmark,
    Components,
    difference_components,
    power,
    units_needed,
)
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _

_TASKS = Control(
    name="N",
    symbol="N",
    label=N_("Tasks"),
    minimum=250,
    maximum=8000,
    step=2,
    default=500,
    frames=(500, 2000, 8000),
    log=True,
    integer=True,
)
_SAMPLES = Control(
    name="K",
    symbol="K",
    label=N_("Samples per task"),
    minimum=1,
    maximum=64,
    step=2,
    default=2,
    frames=(1, 2, 4, 16, 64),
    log=True,
    integer=True,
)
_SEEDS = Control(
    name="S",
    symbol="S",
    label=N_("Training seeds"),
    minimum=1,
    maximum=32,
    step=1,
    default=2,
    frames=(1, 2, 4, 16),
    integer=True,
)

_TRUTH = Benchmark()
_GAIN = _TRUTH.gain
_K = 2.0 ** np.linspace(0, 6, 61)
_TOP = 3.6
# The standard error at which two points are found four times in five.
_ENOUGH = 100 / float(units_needed(_GAIN, 1.0)) ** 0.5
# The power that is wanted, and a line unlike the dashed curve's.
_POWER = 0.8
_DOTS = (0, (1, 2))
_NAMES = (
    (N_("luck of single attempts"), style.BLUE, 0.30),
    (N_("which tasks"), style.GREEN, 0.40),
    (N_("which seeds"), style.PURPLE, 0.55),
)


def _components(N: float, K: Any, S: float, seeds_count: bool = True) -> Components:
    # The curve is drawn between whole numbers of samples too: K goes into the variance.
    task, sampling, seed = _TRUTH.variances()
    at_one = difference_components(
        task, sampling, seed if seeds_count else 0.0, tasks=int(N), seeds=int(S)
    )
    return Components(at_one.task, at_one.sampling / np.asarray(K), at_one.seed)


def _backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.05, right=0.95, bottom=0.165, top=0.885, wspace=0.17)
    error, chance = fig.subplots(1, 2)
    for ax in (error, chance):
        ax.set_xscale("log", base=2)
        ax.set_xlim(1, 64)
        marks.count_axis(ax.xaxis, [1, 2, 4, 8, 16, 32, 64])
        ax.set_xlabel(_("Samples per task {K}").format(K="$K$"))
        style.quiet_axes(ax)
    error.set(ylim=(0, _TOP), yticks=[0, 1, 2, 3])
    marks.title(error, _("Standard error, in points"))
    for row, (name, colour, alpha) in enumerate(_NAMES):
        _key(error, 0.93 - 0.085 * row, _(name), colour, alpha)
    y = 0.93 - 0.085 * len(_NAMES)
    error.plot(
        [0.955, 0.995],
        [y, y],
        color=style.GHOST_TEXT,
        lw=1.1,
        ls=_DOTS,
        transform=error.transAxes,
    )
    _key_text(error, y, _("small enough for {percent}").format(percent="80 %"))
    chance.set_ylim(0, 1)
    marks.percent_axis(chance.yaxis)
    marks.title(chance, _("Chance to find two points"))
    # Right of the frame, where no curve can run into it.
    label = chance.text(1.015, _POWER, "80 %", transform=chance.transAxes, fontsize=style.SMALL_PT)
    label.set(ha="left", va="center", color=style.GHOST_TEXT)
    return error, chance


def _key(ax: Any, y: float, name: str, colour: str, alpha: float) -> None:
    """Name a band at the upper right, at the height y in shares of the axes."""
    place = ax.transAxes
    ax.plot([0.985], [y], "s", ms=6.5, color=colour, alpha=alpha, mec="none", transform=place)
    _key_text(ax, y, name)


def _key_text(ax: Any, y: float, words: str) -> None:
    text = ax.text(0.94, y, words, transform=ax.transAxes, fontsize=style.SMALL_PT)
    text.set(ha="right", va="center", color=style.INK)


def _name_curves(ax: Any, pair: float, method: float) -> None:
    """Name both curves near their right ends, which have these heights; `pair` is the higher."""
    lowest = pair if method < pair - 0.15 else method
    above = pair + 0.05 if pair < 0.925 else lowest - 0.075
    below = max(min(method - 0.075, above - 0.085), 0.05)
    for y, words, colour in (
        (above, _("these two checkpoints"), style.GHOST_TEXT),
        (below, _("the two methods"), style.BLUE),
    ):
        text = ax.text(0.965, y, words, transform=ax.transAxes, color=colour, weight="bold")
        text.set(ha="right", va="center", fontsize=style.SMALL_PT, path_effects=style.halo())


def _draw(axes: tuple[Any, Any], *, N: int, K: int, S: int) -> None:
    error, chance = axes
    curve = _components(N, _K, S)
    # Below each band, what is left once it is gone.
    levels = [100 * np.sqrt(v) for v in (curve.total, curve.task + curve.seed, curve.seed)]
    below = [*levels[1:], 0.0]
    for upper, lower, (_name, colour, alpha) in zip(levels, below, _NAMES, strict=True):
        upper = np.broadcast_to(upper, _K.shape)
        error.fill_between(_K, lower, upper, color=colour, alpha=alpha, lw=0)
    error.plot(_K, levels[0], color=style.INK, lw=style.LINE_PT)
    error.axhline(_ENOUGH, color=style.GHOST_TEXT, lw=1.1, ls=_DOTS)
    here = _components(N, K, S)
    marks.marker(error, K, 100 * float(here.se))
    marks.headline(error, 1, 1.025, "right", f"{100 * float(here.se):.2f}")

    method = power(_GAIN, curve.se)
    pair = power(_GAIN, _components(N, _K, S, seeds_count=False).se)
    chance.plot(_K, pair, color=style.GHOST_TEXT, lw=1.4, ls=(0, (5, 2)))
    chance.plot(_K, method, color=style.BLUE, lw=style.LINE_PT)
    chance.axhline(_POWER, color=style.GHOST_TEXT, lw=1.1, ls=_DOTS)
    _name_curves(chance, float(pair[-1]), float(method[-1]))
    at = float(power(_GAIN, here.se))
    marks.marker(chance, K, at)
    marks.headline(chance, 1, 1.025, "right", marks.short_percent(at))


def _summary(*, N: int, K: int, S: int) -> str:
    here = _components(N, K, S)
    return _(
        "On {N} tasks with K = {K} and S = {S} the standard error is {se} points, and a true gain "
        "of two points is found {power} of the time."
    ).format(
        N=_TASKS.text(N),
        K=_SAMPLES.text(K),
        S=_SEEDS.text(S),
        se=f"{100 * float(here.se):.2f}",
        power=marks.percent(float(power(_GAIN, here.se))),
    )


LEVERS = Figure(
    id="q22-levers",
    number="B.22b",
    columns=2,
    controls=(_TASKS, _SAMPLES, _SEEDS),
    caption=N_(
        "What tasks, samples and seeds leave of the noise, on a made-up benchmark like the "
        "scenario's. Left: the standard error against samples per task; below each band, what is "
        "left once it is gone. Dotted: small enough to find two points four times in five. Right: "
        "the chance to find them, for the methods (solid) and for these very checkpoints (dashed); "
        "dotted, 80 %."
    ),
    alt=N_(
        "Two panels over samples per task from 1 to 64. Left: the standard error falls and then "
        "lies flat on the bands of tasks and seeds, which samples do not thin. Right: the chance "
        "to find two points rises and levels off, lower for methods than for checkpoints."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
