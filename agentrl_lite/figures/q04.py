"""Figures of Q4: what dividing by the standard deviation does to a lone success, and its worth."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from agentrl_lite.advantages import group_advantages
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.q04_genuine import GENUINE
from agentrl_lite.figures.q04_push import PUSH
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _

_GROUP_SIZE = Control(
    name="G",
    symbol="G",
    label=N_("Group size"),
    minimum=2,
    maximum=16,
    step=1,
    default=8,
    frames=(4, 8, 13, 14, 16),
    integer=True,
)
_SUCCESSES = Control(
    name="c",
    symbol="c",
    label=N_("Rewarded"),
    minimum=0,
    maximum=16,
    step=1,
    default=1,
    frames=(0, 1, 2, 4, 7, 8),
    integer=True,
)
_DDOF = Control(
    name="ddof",
    symbol="ddof",
    label=N_("Subtracted"),
    minimum=0,
    maximum=1,
    step=1,
    default=0,
    frames=(0, 1),
    integer=True,
)
_EPSILON = Control(
    name="epsilon",
    symbol="ε",
    label=N_("Added"),
    minimum=1e-6,
    maximum=1,
    step=10,
    default=1e-6,
    frames=(1e-6,),
    log=True,
)


def _signed(number: float, digits: int = 3) -> str:
    """Return a number to `digits` significant digits, with a real minus sign.

    >>> _signed(-0.37796), _signed(0.0)
    ('−0.378', '0')
    """
    return f"{number:.{digits}g}".replace("-", "−")


class _Group(NamedTuple):
    """Advantages in a group: of a rewarded and of a failed episode, divided and not."""

    rewarded: float
    failed: float
    rewarded_centred: float
    failed_centred: float


@lru_cache(maxsize=4096)
def _group(c: int, G: int, ddof: int, epsilon: float) -> _Group:
    rewards = np.arange(G) < c
    divided = group_advantages(rewards, ddof=ddof, epsilon=epsilon)
    centred = group_advantages(rewards)
    return _Group(float(divided[0]), float(divided[-1]), float(centred[0]), float(centred[-1]))


def _factor(group: _Group) -> float:
    return group.rewarded / group.rewarded_centred


def _share_axis(ax: Any) -> None:
    ax.set_xlim(0, 1)
    marks.percent_axis(ax.xaxis)
    ax.set_xlabel(_("Rewarded share of the group"))
    style.quiet_axes(ax)


def _advantages_backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.055, right=0.975, bottom=0.15, top=0.885, wspace=0.14)
    advantage, factor = fig.subplots(1, 2)
    for ax in (advantage, factor):
        _share_axis(ax)
    marks.title(advantage, _("Advantage of an episode"))
    advantage.set_ylim(-4.2, 4.2)
    advantage.set_yticks([-4, -2, 0, 2, 4], ["−4", "−2", "0", "2", "4"])
    advantage.axhline(0, color=style.GHOST_TEXT, lw=0.6)
    for ends in ((1, 0), (0, -1)):
        advantage.plot([0, 1], ends, color=style.GHOST_TEXT, lw=1.2, ls=(0, (5, 2)))
    marks.label(advantage, 0.99, -0.55, (0, 0), _("undivided"), style.GHOST_TEXT, "right")
    marks.title(factor, _("What the division multiplies by"))
    factor.set_ylim(0, 5)
    marks.count_axis(factor.yaxis, [0, 1, 2, 3, 4, 5])
    return advantage, factor


def _draw_advantages(axes: tuple[Any, Any], *, G: int, c: int, ddof: int, epsilon: float) -> None:
    advantage, factor = axes
    groups = [_group(k, G, ddof, epsilon) for k in range(1, G)]
    shares = np.arange(1, G) / G
    line = {"lw": 1.2, "marker": "o", "ms": 3.5, "clip_on": False}
    advantage.plot(shares, [g.rewarded for g in groups], color=style.BLUE, **line)
    advantage.plot(shares, [g.failed for g in groups], color=style.PURPLE, **line)
    factor.plot(shares, [_factor(g) for g in groups], color=style.BLUE, **line)

    rewarded = min(c, G)
    here, share = _group(rewarded, G, ddof, epsilon), rewarded / G
    colour = style.VERMILION
    heights = [here.rewarded, here.failed]
    advantage.plot([share] * 2, heights, color=colour, lw=0.8, ls=(0, (2, 2)))
    advantage.plot([share] * 2, heights, "o", ms=7, mfc=colour, mec=style.PAPER, clip_on=False)
    if rewarded:
        marks.headline(advantage, 1, 0.91, "right", _signed(here.rewarded))
        centred = _signed(here.rewarded_centred)
        marks.words(advantage, 1, 0.83, "right", _("rewarded; undivided {x}").format(x=centred))
    if rewarded < G:
        marks.headline(advantage, 0.02, 0.13, "left", _signed(here.failed))
        centred = _signed(here.failed_centred)
        marks.words(advantage, 0.02, 0.05, "left", _("failed; undivided {x}").format(x=centred))

    if 0 < rewarded < G:
        marks.marker(factor, share, _factor(here))
        marks.headline(factor, 0.5, 0.91, "center", f"× {_signed(_factor(here))}")
        words = _("{c} of {G} rewarded").format(c=rewarded, G=G)
    else:
        words = _("no spread: nothing to divide by")
    marks.words(factor, 0.5, 0.83, "center", words)


def _advantages_summary(*, G: int, c: int, ddof: int, epsilon: float) -> str:
    rewarded = min(c, G)
    if rewarded == 0:
        return _("None of {G} is rewarded: every advantage is 0, divided or not.").format(G=G)
    if rewarded == G:
        return _("All of {G} are rewarded: every advantage is 0, divided or not.").format(G=G)
    here = _group(rewarded, G, ddof, epsilon)
    return _(
        "With {c} of {G} rewarded (ddof = {ddof}, ε = {epsilon}), a rewarded episode gets "
        "{rewarded} and a failed one {failed}, which is {factor} times as much as undivided."
    ).format(
        c=rewarded,
        G=G,
        ddof=ddof,
        epsilon=f"{epsilon:g}",
        rewarded=_signed(here.rewarded),
        failed=_signed(here.failed),
        factor=_signed(_factor(here)),
    )


FIGURES = (
    Figure(
        id="q04-advantages",
        number="B.4a",
        columns=2,
        controls=(_GROUP_SIZE, _SUCCESSES, _DDOF, _EPSILON),
        caption=N_(
            "Left: the advantage of a rewarded (above zero) and of a failed episode, divided by "
            "the group's standard deviation (dots) and undivided (dashed), against the rewarded "
            "share of the group. Right: the factor between the two."
        ),
        alt=N_(
            "Two panels over the rewarded share of a group. Left: the divided advantage of a "
            "rewarded episode rises steeply where few are rewarded, the undivided one along a "
            "straight line. Right: the factor between them is U-shaped, least at one half."
        ),
        backdrop=_advantages_backdrop,
        draw=_draw_advantages,
        summary=_advantages_summary,
    ),
    GENUINE,
    PUSH,
)
