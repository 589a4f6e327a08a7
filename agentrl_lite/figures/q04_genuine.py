"""The second figure of Q4: which share of a task's rewards is genuine, by Bayes' rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.rewards import genuine_share

_PASS_RATE = Control(
    name="p",
    symbol="p",
    label=N_("True pass rate"),
    minimum=0.005,
    maximum=0.9,
    step=0.005,
    default=0.02,
    frames=(0.01, 0.02, 0.1, 0.3),
)
_FLIP_RATE = Control(
    name="f",
    symbol="f",
    label=N_("Flip rate"),
    minimum=0.0,
    maximum=0.2,
    step=0.001,
    default=0.04,
    frames=(0.0, 0.01, 0.04, 0.1, 0.2),
)

_P = np.geomspace(0.004, 1, 241)
_GHOST_FLIPS = (0.01, 0.1)
_LABEL_HEIGHT = 0.9


def _genuine(p: Any, f: float, negatives: bool = True) -> Any:
    return genuine_share(p, false_positive=f, false_negative=f if negatives else 0.0)


def _genuine_backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.145, right=0.955, bottom=0.17, top=0.895)
    ax = fig.add_subplot()
    ax.set_xscale("log")
    ax.set(xlim=(0.004, 1), ylim=(0, 1))
    style.quiet_axes(ax)
    marks.title(ax, _("Rewards that are genuine"))
    ax.set_xlabel(_("True pass rate {p} of the task").format(p="$p$"))
    ax.set_xticks([0.01, 0.1, 1], ["0.01", "0.1", "1"])
    marks.percent_axis(ax.yaxis)
    marks.level(ax, 0.5)
    for f in _GHOST_FLIPS:
        ax.plot(_P, _genuine(_P, f), color=style.GHOST, lw=style.GHOST_PT)
        ax.annotate(
            f"f = {f}" if f == min(_GHOST_FLIPS) else f"{f}",
            (float(np.interp(0.62, _genuine(_P, f), _P)), 0.62),
            xytext=(-3, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=style.SMALL_PT,
            color=style.GHOST_TEXT,
            path_effects=style.halo(),
        )
    return ax


def _draw_genuine(ax: Any, *, p: float, f: float) -> None:
    ax.plot(_P, _genuine(_P, f, negatives=False), color=style.PURPLE, lw=1.2, ls=(0, (4, 2)))
    ax.plot(_P, _genuine(_P, f), color=style.BLUE, lw=style.LINE_PT)
    at = float(np.interp(_LABEL_HEIGHT, _genuine(_P, f), _P)) if f else 0.05
    label = ax.annotate(
        f"f = {_FLIP_RATE.text(f)}",
        (max(at, 0.016), _LABEL_HEIGHT),
        xytext=(-4, 0),
        textcoords="offset points",
        ha="right",
        va="center",
        color=style.BLUE,
        weight="bold",
    )
    label.set_path_effects(style.halo())
    share = float(_genuine(p, f))
    # No thread to the axis: at an easy task it would run through the words.
    ax.plot([p], [share], "o", ms=7, mfc=style.VERMILION, mec=style.PAPER, mew=1.2, clip_on=False)
    marks.headline(ax, 1, 0.2, "right", marks.short_percent(share))
    marks.words(ax, 1, 0.125, "right", _("genuine at {p}").format(p=f"p = {_PASS_RATE.text(p)}"))
    one_sided = marks.short_percent(float(_genuine(p, f, negatives=False)))
    ax.text(
        1,
        0.05,
        _("false positives only: {share}").format(share=one_sided),
        transform=ax.transAxes,
        ha="right",
        fontsize=style.SMALL_PT,
        color=style.PURPLE,
    )


def _genuine_summary(*, p: float, f: float) -> str:
    return _(
        "At a true pass rate of {p} and verdicts that flip at {f}, {share} of the rewards are "
        "genuine; if only wrong patches flip, {one_sided}."
    ).format(
        p=_PASS_RATE.text(p),
        f=_FLIP_RATE.text(f),
        share=marks.percent(float(_genuine(p, f))),
        one_sided=marks.percent(float(_genuine(p, f, negatives=False))),
    )


GENUINE = Figure(
    id="q04-genuine",
    number="B.4b",
    columns=1,
    controls=(_PASS_RATE, _FLIP_RATE),
    caption=N_(
        "Share of rewarded episodes that are really solved, against the task's true pass "
        "rate, when verdicts flip at rate f (solid) or only wrong patches do (dashed)."
    ),
    alt=N_(
        "S-shaped curves over the true pass rate on a log scale, one for each flip rate: the "
        "share of genuine rewards is near 0 for tasks far harder than the flip rate and near "
        "100 % for easy ones."
    ),
    backdrop=_genuine_backdrop,
    draw=_draw_genuine,
    summary=_genuine_summary,
)
