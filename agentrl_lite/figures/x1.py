"""Figure of X1: what the count of informative tasks says about group sizes, and what it omits."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.pools import beta_pool, informative_tasks

_HIGHEST = Control(
    name="u",
    symbol="u",
    label=N_("Top pass rate"),
    minimum=0.05,
    maximum=1.0,
    step=0.05,
    default=0.40,
    frames=(0.10, 0.20, 0.40, 0.80),
)
_GROUP_SIZE = Control(
    name="G",
    symbol="G",
    label=N_("Group size"),
    minimum=2,
    maximum=32,
    step=1,
    default=8,
    frames=(2, 3, 4, 8, 16),
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

_GROUPS = np.arange(2, 33)
_TOP = 24
_GHOST_ENDS = (0.1, 0.2, 0.4, 0.8)


@lru_cache(maxsize=64)
def _share(u: float) -> NDArray[np.float64]:
    """Return the share of groups that teach, for each group size, pass rates uniform up to u."""
    pass_rates, weights = beta_pool(1, 1, highest=u)
    return informative_tasks(pass_rates, _GROUPS, 1, weights=weights)


def _group_axis(ax: Any, left: float) -> None:
    ax.set_xscale("log", base=2)
    ax.set_xlim(left, 33)
    marks.count_axis(ax.xaxis, [2, 3, 4, 8, 16, 32])
    ax.set_xlabel(_("Group size {G}").format(G="$G$"))


def _backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.05, right=0.98, bottom=0.15, top=0.885, wspace=0.18)
    count, omitted = fig.subplots(1, 2)
    _group_axis(count, 1.2)  # room for the names of the lines, before their ends
    _group_axis(omitted, 1.9)
    for ax in (count, omitted):
        style.quiet_axes(ax)
    marks.title(count, _("Informative tasks per 100 episodes"))
    count.set_ylim(0, _TOP)
    marks.count_axis(count.yaxis, [0, 10, 20])
    for u in _GHOST_ENDS:
        per_100 = 100 * _share(u) / _GROUPS
        count.plot(_GROUPS, per_100, color=style.GHOST, lw=style.GHOST_PT)
        text = f"u = {u}" if u == max(_GHOST_ENDS) else f"{u}"
        marks.label(count, 2, per_100[0], (-6, -2.5), text, style.GHOST_TEXT, "right")
    marks.title(omitted, _("Groups that teach nothing"))
    omitted.set_ylim(0, 1.15)
    marks.percent_axis(omitted.yaxis)
    marks.level(omitted, 0.5)
    extra = 1 / (_GROUPS - 1)
    omitted.plot(_GROUPS, extra, color=style.PURPLE, lw=1.4, ls=(0, (5, 2)))
    words = _("extra variance, {term}").format(term="1 / (G − 1)")
    marks.label(omitted, 2, 1, (0, 4), words, style.PURPLE, "left")
    return count, omitted


def _draw(axes: tuple[Any, Any], *, u: float, G: int, B: int) -> None:
    count, omitted = axes
    share, here = _share(u), G - 2
    per_100 = 100 * share / _GROUPS
    count.plot(_GROUPS, per_100, color=style.BLUE, lw=style.LINE_PT)
    whole = 100 * (B // _GROUPS) * share / B
    count.plot(_GROUPS, whole, "o", ms=3.2, mfc=style.PAPER, mec=style.INK, mew=0.8)
    marks.marker(count, G, per_100[here])
    marks.headline(count, 1, 0.925, "right", f"{B / G * share[here]:.1f}")
    marks.words(count, 1, 0.855, "right", _("tasks a step"))
    words = _("{groups} whole groups: {tasks}").format(
        groups=f"{B // G:,}", tasks=f"{B // G * share[here]:.1f}"
    )
    marks.words(count, 1, 0.785, "right", words)

    omitted.plot(_GROUPS, 1 - share, color=style.BLUE, lw=style.LINE_PT)
    marks.marker(omitted, G, 1 - share[here])
    marks.headline(omitted, 1, 0.925, "right", marks.short_percent(1 - share[here]))
    marks.words(omitted, 1, 0.795, "right", _("of groups teach nothing"))


def _summary(*, u: float, G: int, B: int) -> str:
    share = float(_share(u)[G - 2])
    return _(
        "With pass rates uniform from 0 to {u}, {B} episodes in groups of {G} give {tasks} "
        "informative tasks a step, or {whole} in {groups} whole groups; {wasted} of the groups "
        "teach nothing."
    ).format(
        u=_HIGHEST.text(u),
        B=f"{B:,}",
        G=_GROUP_SIZE.text(G),
        tasks=f"{B / G * share:.1f}",
        whole=f"{B // G * share:.1f}",
        groups=f"{B // G:,}",
        wasted=marks.percent(1 - share),
    )


FIGURES = (
    Figure(
        id="x1-most-tasks",
        number="B.X1",
        columns=2,
        controls=(_HIGHEST, _GROUP_SIZE, _BUDGET),
        caption=N_(
            "A pool with pass rates uniform from 0 to u. Left: informative tasks per 100 episodes "
            "against the group size G, with B/G groups (line) and with whole groups only (rings). "
            "Right: the share of groups that teach nothing (solid), and by how much a mean of "
            "G - 1 peers adds to the variance of an advantage (dashed)."
        ),
        alt=N_(
            "Two panels over the group size from 2 to 32. Left: the number of informative tasks "
            "per 100 episodes is greatest for the smallest groups and falls from there. Right: the "
            "wasted share falls as groups grow, slowly when the pass rates are low, and so does "
            "the extra variance of the baseline, which is 100 % at 2."
        ),
        backdrop=_backdrop,
        draw=_draw,
        summary=_summary,
    ),
)
