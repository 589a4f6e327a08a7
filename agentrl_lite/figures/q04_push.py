"""The third figure of Q4: how much of a step's push raises false successes of the hard tasks."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.pools import mixed_pool
from agentrl_lite.push import PushShares, expected_push_shares

_TASKS = 400
_TAIL, _ALWAYS_SHARE = (0.3, 0.8), 0.05
# Of the hard tasks, the share that the policy never solves.
_NEVER_OF_HARD = 1 / 3

_FLIP_RATE = Control(
    name="f",
    symbol="f",
    label=N_("Flip rate"),
    minimum=0.0,
    maximum=0.2,
    step=0.002,
    default=0.04,
    frames=(0.0, 0.01, 0.04, 0.1),
)
_HARD = Control(
    name="p",
    symbol="p",
    label=N_("Hard pass rate"),
    minimum=0.005,
    maximum=0.1,
    step=0.005,
    default=0.02,
    frames=(0.02,),
)
_GROUP_SIZE = Control(
    name="G",
    symbol="G",
    label=N_("Group size"),
    minimum=2,
    maximum=64,
    step=2,
    default=8,
    frames=(8,),
    integer=True,
)
_HARD_SHARE = Control(
    name="h",
    symbol="h",
    label=N_("Hard tasks"),
    minimum=0.1,
    maximum=0.9,
    step=0.05,
    default=0.45,
    frames=(0.2, 0.45, 0.8),
)
# Each way to weigh: its name, the ddof that it divides with, and the height of its bar.
_WAYS: tuple[tuple[str, int | None, float], ...] = (
    (N_("undivided"), None, 1.0),
    (N_("divided"), 0, 0.0),
)


@lru_cache(maxsize=1024)
def _shares(f: float, p: float, G: int, h: float, ddof: int | None) -> PushShares:
    pool = mixed_pool(
        _TASKS,
        middle=p,
        tail=_TAIL,
        tail_share=1 - _ALWAYS_SHARE - h,
        never_share=h * _NEVER_OF_HARD,
        always_share=_ALWAYS_SHARE,
        rng=np.random.default_rng(4),
    )
    return expected_push_shares(pool, G=G, false_positive=f, false_negative=f, ddof=ddof)


def _backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.035, right=0.965, bottom=0.16, top=0.885)
    ax = fig.add_subplot()
    ax.set(xlim=(0, 1), ylim=(-0.35, 1.95))
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    style.quiet_axes(ax, horizontal=False)
    marks.percent_axis(ax.xaxis)
    marks.title(ax, _("Where a step's push goes"))
    ax.set_xlabel(_("Share of the sum of positive advantages"))
    keys = (
        (0.0, "left", _("hard bucket, false"), style.VERMILION),
        (0.32, "left", _("hard bucket, genuine"), style.BLUE),
        (1.0, "right", _("all other tasks"), style.GHOST_TEXT),
    )
    for x, ha, text, colour in keys:
        ax.text(x, 1.8, text, ha=ha, va="center", color=colour, weight="bold")
    return ax


def _draw(ax: Any, *, f: float, p: float, G: int, h: float) -> None:
    for name, ddof, y in _WAYS:
        shares = _shares(f, p, G, h, ddof)
        false, bucket = shares.false_of_step, shares.bucket
        bars = (
            (0.0, false, style.VERMILION),
            (false, bucket - false, style.BLUE),
            (bucket, 1 - bucket, style.RULE),
        )
        for left, width, colour in bars:
            ax.barh(y, width, left=left, height=0.5, color=colour, ec=style.PAPER, lw=0.8)
        ax.text(0, y + 0.41, _(name), ha="left", va="center", weight="bold")
        marked = ax.text(
            0.32, y + 0.41, marks.short_percent(false), ha="right", va="center", weight="bold"
        )
        marked.set_color(style.VERMILION)
        words = _("of the push to false successes; to the bucket {share}")
        share = marks.short_percent(bucket)
        ax.text(0.335, y + 0.41, words.format(share=share), ha="left", va="center")


def _summary(*, f: float, p: float, G: int, h: float) -> str:
    undivided, divided = (_shares(f, p, G, h, ddof) for _name, ddof, _y in _WAYS)
    return _(
        "At a flip rate of {f}, with {h} of the tasks hard (at {p}) and groups of {G}, false "
        "successes of the hard bucket get {undivided} of the push undivided, {divided} divided."
    ).format(
        f=_FLIP_RATE.text(f),
        h=_("{percent} %").format(percent=f"{100 * h:.0f}"),
        p=_HARD.text(p),
        G=_GROUP_SIZE.text(G),
        undivided=marks.percent(undivided.false_of_step),
        divided=marks.percent(divided.false_of_step),
    )


PUSH = Figure(
    id="q04-push",
    number="B.4c",
    columns=2,
    controls=(_FLIP_RATE, _HARD, _HARD_SHARE, _GROUP_SIZE),
    caption=N_(
        "Shares of a step's push (the sum of positive advantages) that raise false successes of "
        "the hard bucket, its genuine successes, and all other tasks; without and with division "
        "by the standard deviation."
    ),
    alt=N_(
        "Two stacked bars, undivided above and divided below: the part that goes to the hard "
        "bucket, and to its false successes, is larger in the divided one."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
