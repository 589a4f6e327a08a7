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
    frames=(0.0, 0.002, 0.003, 0.01, 0.04, 0.1, 0.2),
)

# The curves begin where their labels end.
_LEFT, _START = 0.0021, 0.004
_P = np.geomspace(_START, 1, 241)
_GHOST_FLIPS = (0.01, 0.1)
# Least distance between two labels, and of a label from the frame, in shares of the height.
_APART, _MARGIN = 0.08, 0.03


def _genuine(p: Any, f: float, negatives: bool = True) -> Any:
    return genuine_share(p, false_positive=f, false_negative=f if negatives else 0.0)


def _genuine_backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.065, right=0.975, bottom=0.15, top=0.885)
    ax = fig.add_subplot()
    ax.set_xscale("log")
    ax.set(xlim=(_LEFT, 1), ylim=(0, 1))
    style.quiet_axes(ax)
    marks.title(ax, _("Rewards that are genuine"))
    ax.set_xlabel(_("True pass rate {p} of the task").format(p="$p$"))
    ax.set_xticks([0.01, 0.1, 1], ["0.01", "0.1", "1"])
    marks.percent_axis(ax.yaxis)
    marks.level(ax, 0.5)
    for f in _GHOST_FLIPS:
        ax.plot(_P, _genuine(_P, f), color=style.GHOST, lw=style.GHOST_PT)
    return ax


def _label_heights(flips: list[float]) -> list[float]:
    """Return heights for labels at the left ends of the curves, rising, `_APART` or more."""
    heights: list[float] = []
    for f in flips:
        least = heights[-1] + _APART if heights else _MARGIN
        heights.append(max(least, float(_genuine(_START, f))))
    return [min(height, 1 - _MARGIN) for height in heights]


def _draw_genuine(ax: Any, *, p: float, f: float) -> None:
    ax.plot(_P, _genuine(_P, f, negatives=False), color=style.PURPLE, lw=1.2, ls=(0, (4, 2)))
    ax.plot(_P, _genuine(_P, f), color=style.BLUE, lw=style.LINE_PT)
    flips = sorted({f, *_GHOST_FLIPS}, reverse=True)
    for rate, height in zip(flips, _label_heights(flips), strict=True):
        ax.annotate(
            f"f = {_FLIP_RATE.text(f) if rate == f else rate}",
            (_START, height),
            xytext=(-4, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=style.TEXT_PT if rate == f else style.SMALL_PT,
            color=style.BLUE if rate == f else style.GHOST_TEXT,
            weight="bold" if rate == f else "normal",
            path_effects=style.halo(),
        )
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
    columns=2,
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
