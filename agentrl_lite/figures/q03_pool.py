"""The third figure of Q3: the two counters of a whole pool, for every regime of sampling."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from agentrl_lite.appendix.q03 import BUDGET
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.pools import mixed_pool
from agentrl_lite.sampling import Regime, StepCounts, expect_steps

STEPS = 100
FLOOR = 3_000
_TOP = 10_000
_GROUPS = (2, 4, 8, 16, 32)
# Counts depend on the share of the pool that a step draws, not on its size: a quarter of the tasks
# with a quarter of the prompts gives a quarter of the counts, in a quarter of the time.
_TASKS, _SCALE = 5_000, 4
_TAIL_SHARE, _ALWAYS_SHARE = 0.2, 0.05

_MIDDLE = Control(
    name="p",
    symbol="p",
    label=N_("Pass rate of the middle"),
    minimum=0.02,
    maximum=0.30,
    step=0.01,
    default=0.10,
    frames=(0.02, 0.05, 0.06, 0.10, 0.20, 0.30),
)
_NEVER = Control(
    name="n",
    symbol="n",
    label=N_("Share of tasks never solved"),
    minimum=0.0,
    maximum=0.6,
    step=0.05,
    default=0.15,
    frames=(0.0, 0.15, 0.30, 0.60),
)
# At the same bill refilling sees the tasks that plain sampling sees: it has no line of its own.
_COLOURS: dict[Regime, str] = {"plain": style.INK, "filtered": style.BLUE}
_MARKERS: dict[Regime, str] = {"plain": "o", "filtered": "s"}
_NAMES: dict[Regime, str] = {
    "plain": N_("plain, or refilled at the same bill"),
    "filtered": N_("filtered"),
}


@lru_cache(maxsize=256)
def _counts(p: float, n: float) -> dict[Regime, list[StepCounts]]:
    """Return each regime's expected counts, one for each group size."""
    pool = mixed_pool(
        _TASKS,
        middle=p,
        tail_share=_TAIL_SHARE,
        never_share=n,
        always_share=_ALWAYS_SHARE,
        rng=np.random.default_rng(3),
    )
    return {
        regime: [
            expect_steps(pool, G=G, prompts=BUDGET // G // _SCALE, steps=STEPS, regime=regime)
            for G in _GROUPS
        ]
        for regime in _NAMES
    }


def _distinct(counts: StepCounts) -> float:
    """Return the distinct tasks in the pool's full size."""
    return counts.distinct_tasks * _SCALE


def _backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.085, right=0.97, bottom=0.16, top=0.885)
    ax = fig.add_subplot()
    ax.set(xlim=(-0.03, 1), ylim=(0, _TOP))
    style.quiet_axes(ax)
    marks.title(ax, _("Distinct tasks with a gradient, per {n} episodes").format(n="51,200"))
    ax.set_xlabel(_("Groups that teach nothing"))
    marks.percent_axis(ax.xaxis)
    marks.count_axis(ax.yaxis, range(0, _TOP + 1, 2_500))
    ax.fill_between([-0.03, 0.5], FLOOR, _TOP, color=style.RULE, alpha=0.45, lw=0)
    marks.label(ax, 0.49, _TOP, (0, -10), _("where you want to be"), style.GHOST_TEXT, "right")
    for row, (regime, name) in enumerate(_NAMES.items()):
        _key(ax, 0.955 - 0.075 * row, _(name), _COLOURS[regime], _MARKERS[regime])
    return ax


def _key(ax: Any, y: float, name: str, colour: str, marker: str) -> None:
    """Name a line at the right, at the height y in shares of the axes, where no line comes."""
    place = ax.transAxes
    ax.plot([0.985], [y], marker, ms=5.5, color=colour, mec=style.PAPER, transform=place)
    text = ax.text(0.97, y, name, transform=place, color=colour, fontsize=style.SMALL_PT)
    text.set(ha="right", va="center")


def _draw(ax: Any, *, p: float, n: float) -> None:
    for regime, counts in _counts(p, n).items():
        colour, marker = _COLOURS[regime], _MARKERS[regime]
        x, y = [c.zero_share for c in counts], [_distinct(c) for c in counts]
        ax.plot(x, y, color=colour, lw=1.4, marker=marker, ms=5.5, mec=style.PAPER)
        # The lines rise to the right: there is room to the upper left and to the lower right.
        offset, ha = ((-3, 4), "right") if regime == "filtered" else ((3, -10), "left")
        for G, u, v in zip(_GROUPS, x, y, strict=True):
            marks.label(ax, u, v, offset, f"{G}", colour, ha)


def _good_groups(counts: list[StepCounts]) -> str:
    """Return the group sizes for which both counters are where they should be, as a list."""
    good = [
        str(G)
        for G, c in zip(_GROUPS, counts, strict=True)
        if c.zero_share < 0.5 and _distinct(c) >= FLOOR
    ]
    return ", ".join(good) or _("none")


def _summary(*, p: float, n: float) -> str:
    counts = _counts(p, n)
    return _(
        "With the middle at p = {p} and {n} never solved, these group sizes are in the corner: "
        "{plain} of the plain pool; {filtered} of the filtered one."
    ).format(
        p=_MIDDLE.text(p),
        n=marks.percent(n),
        plain=_good_groups(counts["plain"]),
        filtered=_good_groups(counts["filtered"]),
    )


POOL = Figure(
    id="q03-pool",
    number="B.3c",
    columns=2,
    controls=(_MIDDLE, _NEVER),
    caption=N_(
        "Wasted share against distinct tasks with a gradient, for a pool with a middle, a tail and "
        "tasks at 0 and 1, with and without dropping tasks at 0 and 1. Numbers are group sizes."
    ),
    alt=N_(
        "Two falling lines from much waste and many tasks, at a group size of 2, to little waste "
        "and few tasks, at 32. The line of the filtered pool lies to the left of and above the "
        "plain one."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
