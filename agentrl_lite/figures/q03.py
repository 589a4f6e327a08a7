"""Figures of Q3: group size against prompt count at a fixed budget of episodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from agentrl_lite.advantages import degenerate_probability, informative_probability
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.q03_pool import POOL
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _

_PASS_RATE = Control(
    name="p",
    symbol="p",
    label=N_("Pass rate"),
    minimum=0.01,
    maximum=0.99,
    step=0.01,
    default=0.10,
    frames=(0.05, 0.10, 0.30, 0.50),
)
_GROUP_SIZE = Control(
    name="G",
    symbol="G",
    label=N_("Group size"),
    minimum=2,
    maximum=64,
    step=1,
    default=8,
    frames=(4, 6, 7, 8, 14, 16),
    integer=True,
)
_BUDGET = Control(
    name="B",
    symbol="B",
    label=N_("Episodes a step"),
    minimum=64,
    maximum=4096,
    step=2,
    default=512,
    frames=(512,),
    log=True,
    integer=True,
)

_P = np.linspace(0, 1, 401)
_GROUPS = np.arange(2, 65)
# Ghost curves and where their labels stand: height on the curve's right-hand arm.
_GHOST_GROUPS = {2: 0.63, 4: 0.46, 8: 0.33, 16: 0.23, 32: 0.14}
# Ghost curves of the other kind, and the group size at which their labels stand.
_GHOST_RATES = {0.01: 30, 0.05: 17, 0.1: 11, 0.2: 6, 0.5: 4}


def _count(number: float) -> str:
    """Return a number of groups: whole where it is whole, else with one decimal."""
    return f"{number:.0f}" if float(number).is_integer() else f"{number:.1f}"


# --- q03-degenerate ---------------------------------------------------------------------------


def _degenerate_backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.145, right=0.965, bottom=0.17, top=0.895)
    ax = fig.add_subplot()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    style.quiet_axes(ax)
    ax.set_xlabel(_("Pass rate {p} of the task").format(p="$p$"))
    marks.title(ax, _("Groups that teach nothing"))
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.50", "0.75", "1"])
    marks.percent_axis(ax.yaxis)
    marks.level(ax, 0.5)
    for G, height in _GHOST_GROUPS.items():
        share = degenerate_probability(_P, G)
        ax.plot(_P, share, color=style.GHOST, lw=style.GHOST_PT)
        right = _P > 0.5
        ax.annotate(
            f"G = {G}" if G == 2 else f"{G}",
            (np.interp(height, share[right], _P[right]), height),
            xytext=(-2.5, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=style.SMALL_PT,
            color=style.GHOST_TEXT,
            path_effects=style.halo(),
        )
    return ax


def _draw_degenerate(ax: Any, *, p: float, G: int) -> None:
    share = float(degenerate_probability(p, G))
    ax.plot(_P, degenerate_probability(_P, G), color=style.BLUE, lw=style.LINE_PT)
    ax.text(
        0.5,
        float(degenerate_probability(0.5, G)) + 0.035,
        f"G = {G}",
        ha="center",
        color=style.BLUE,
        weight="bold",
        path_effects=style.halo(),
    )
    marks.marker(ax, p, share)
    marks.headline(ax, 0.5, 0.855, "center", marks.short_percent(share))
    values = f"p = {_PASS_RATE.text(p)}"
    marks.words(ax, 0.5, 0.78, "center", _("teach nothing at {values}").format(values=values))


def _degenerate_summary(*, p: float, G: int) -> str:
    return _("At p = {p} and G = {G}, {share} of groups teach nothing.").format(
        p=_PASS_RATE.text(p),
        G=_GROUP_SIZE.text(G),
        share=marks.percent(float(degenerate_probability(p, G))),
    )


# --- q03-step ---------------------------------------------------------------------------------


def _group_axis(ax: Any) -> None:
    ax.set_xscale("log", base=2)
    ax.set_xlim(2, 64)
    marks.count_axis(ax.xaxis, [2, 4, 8, 16, 32, 64])
    ax.set_xlabel(_("Group size {G}").format(G="$G$"))


def _step_backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.065, right=0.98, bottom=0.15, top=0.885, wspace=0.2)
    tasks, wasted = fig.subplots(1, 2)
    for ax in (tasks, wasted):
        _group_axis(ax)
        style.quiet_axes(ax)
    marks.title(tasks, _("Informative tasks a step"))
    tasks.set_yscale("log")
    tasks.set_ylim(0.1, 4000)
    marks.count_axis(tasks.yaxis, [1, 10, 100, 1000])
    marks.title(wasted, _("Groups that teach nothing"))
    wasted.set_ylim(0, 1)
    marks.percent_axis(wasted.yaxis)
    marks.level(wasted, 0.5)
    for rate, G in _GHOST_RATES.items():
        share = degenerate_probability(rate, _GROUPS)
        wasted.plot(_GROUPS, share, color=style.GHOST, lw=style.GHOST_PT)
        wasted.annotate(
            f"p = {rate}" if rate == min(_GHOST_RATES) else f"{rate}",
            (G, float(degenerate_probability(rate, G))),
            xytext=(3, 1),
            textcoords="offset points",
            fontsize=style.SMALL_PT,
            color=style.GHOST_TEXT,
            path_effects=style.halo(),
        )
    return tasks, wasted


def _draw_step(axes: tuple[Any, Any], *, p: float, G: int, B: int) -> None:
    tasks, wasted = axes
    informative = B / _GROUPS * informative_probability(p, _GROUPS)
    here = float(B / G * informative_probability(p, G))
    tasks.fill_between(_GROUPS, informative, B / _GROUPS, color=style.RULE, alpha=0.6, lw=0)
    tasks.plot(_GROUPS, B / _GROUPS, color=style.GHOST_TEXT, lw=1.2, ls=(0, (5, 2)))
    tasks.plot(_GROUPS, informative, color=style.BLUE, lw=style.LINE_PT)
    marks.label(tasks, 4, B / 4, (5, 2), _("groups paid for"), style.GHOST_TEXT, "left")
    marks.label(tasks, 64, informative[-1], (0, -14), _("tasks that teach"), style.BLUE, "right")
    marks.marker(tasks, G, here)
    marks.headline(tasks, 1, 1.025, "right", f"{here:.1f}")
    words = _("groups paid for: {groups}").format(groups=_count(B / G))
    marks.words(tasks, 1, 0.925, "right", words)

    share = float(degenerate_probability(p, G))
    wasted.plot(_GROUPS, degenerate_probability(p, _GROUPS), color=style.BLUE, lw=style.LINE_PT)
    marks.marker(wasted, G, share)
    marks.headline(wasted, 1, 1.025, "right", marks.short_percent(share))
    values = f"p = {_PASS_RATE.text(p)}, G = {_GROUP_SIZE.text(G)}"
    marks.words(wasted, 1, 0.925, "right", values)


def _step_summary(*, p: float, G: int, B: int) -> str:
    tasks = float(B / G * informative_probability(p, G))
    return _(
        "At p = {p}, {B} episodes in groups of {G} give {tasks} informative tasks a step; "
        "{share} of the groups teach nothing."
    ).format(
        p=_PASS_RATE.text(p),
        B=_BUDGET.text(B),
        G=_GROUP_SIZE.text(G),
        tasks=f"{tasks:.1f}",
        share=marks.percent(float(degenerate_probability(p, G))),
    )


FIGURES = (
    Figure(
        id="q03-degenerate",
        number="B.3a",
        columns=1,
        controls=(_PASS_RATE, _GROUP_SIZE),
        caption=N_(
            "Share of groups in which every episode has the same reward, against the task's pass "
            "rate: one curve for each group size G."
        ),
        alt=N_(
            "U-shaped curves, one for each group size from 2 to 32: the share of groups that "
            "teach nothing is 100 % where the pass rate is 0 or 1 and least at one half, and the "
            "larger the group, the wider and lower the valley."
        ),
        backdrop=_degenerate_backdrop,
        draw=_draw_degenerate,
        summary=_degenerate_summary,
    ),
    Figure(
        id="q03-step",
        number="B.3b",
        columns=2,
        controls=(_PASS_RATE, _GROUP_SIZE, _BUDGET),
        caption=N_(
            "What a budget of B episodes a step buys, against the group size G. Left: groups paid "
            "for (dashed) and tasks that give a gradient (solid). Right: the share wasted."
        ),
        alt=N_(
            "Two panels over the group size from 2 to 64. Left: the number of informative tasks a "
            "step falls as groups grow. Right: the wasted share falls too, slowly when the pass "
            "rate is low."
        ),
        backdrop=_step_backdrop,
        draw=_draw_step,
        summary=_step_summary,
    ),
    POOL,
)
