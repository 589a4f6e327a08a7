"""Figures of Q2: what averaging microbatches does to a token's weight and to a step's push."""

from __future__ import annotations

from typing import Any

import numpy as np

from agentrl_lite.appendix.q02 import local_weight
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.q02_partitions import PARTITIONS
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _

_FIRST = Control(
    name="n1",
    symbol="n1",
    label=N_("Short microbatch"),
    minimum=25,
    maximum=400,
    step=2,
    default=100,
    frames=(100,),
    log=True,
    integer=True,
)
_SECOND = Control(
    name="n2",
    symbol="n2",
    label=N_("Long microbatch"),
    minimum=400,
    maximum=2_000,
    step=100,
    default=900,
    frames=(400, 900, 2_000),
    integer=True,
)
_PARTS = Control(
    name="m",
    symbol="m",
    label=N_("Microbatches"),
    minimum=2,
    maximum=32,
    step=2,
    default=4,
    frames=(4,),
    log=True,
    integer=True,
)
_CORRELATION = Control(
    name="r",
    symbol="r",
    label=N_("Short and solved"),
    minimum=-1.0,
    maximum=1.0,
    step=0.1,
    default=0.5,
    frames=(-0.5, 0.0, 0.5, 1.0),
)
_TOKENS = np.geomspace(20, 2_500, 60)
_R = np.linspace(-1, 1, 81)


def global_push(n1: float, n2: float, r: Any) -> Any:
    """Return the tokens of successes over those of failures, in a step of which half is short.

    Of a short microbatch's tokens the share (1+r)/2 belongs to successes, of a long one's (1-r)/2;
    r is the correlation of being short with being solved. Means of means make the quotient 1.

    Args:
        n1: tokens of a short microbatch.
        n2: tokens of a long one.
        r: correlation, from -1 to 1; any shape.
    """
    r = np.asarray(r, dtype=np.float64)
    return (n1 * (1 + r) + n2 * (1 - r)) / (n1 * (1 - r) + n2 * (1 + r))


def _backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.075, right=0.975, bottom=0.165, top=0.885, wspace=0.22)
    weight, push = fig.subplots(1, 2)
    weight.set(xscale="log", yscale="log", xlim=(20, 2_500), ylim=(1e-6, 0.1))
    marks.count_axis(weight.xaxis, [25, 100, 400, 2_000])
    weight.set_yticks([1e-5, 1e-4, 1e-3, 1e-2, 0.1], [f"$10^{{{n}}}$" for n in range(-5, 0)])
    weight.set_xlabel(_("Policy tokens of the microbatch"))
    marks.title(weight, _("Weight of one token"))
    push.set(yscale="log", xlim=(-1, 1), ylim=(0.008, 125))
    push.set_xticks(
        [-1, -0.5, 0, 0.5, 1], ["\N{MINUS SIGN}1", "\N{MINUS SIGN}0.5", "0", "0.5", "1"]
    )
    push.set_yticks([0.01, 0.1, 1, 10, 100], ["1 : 100", "1 : 10", "1 : 1", "10 : 1", "100 : 1"])
    push.set_xlabel(_("Correlation of being short with being solved"))
    marks.title(push, _("Push of successes : failures"))
    for ax in (weight, push):
        ax.minorticks_off()
        style.quiet_axes(ax)
    push.plot(_R, np.ones(_R.size), color=style.BLUE, lw=style.LINE_PT)
    return weight, push


def _draw(axes: tuple[Any, Any], *, n1: int, n2: int, m: int, r: float) -> None:
    weight, push = axes
    right = 2 / (m * (n1 + n2))
    weight.plot(_TOKENS, 1 / (m * _TOKENS), color=style.BLUE, lw=style.LINE_PT)
    weight.plot([20, 2_500], [right, right], color=style.GREEN, lw=1.6, ls=(0, (5, 2)))
    for tokens in (n1, n2):
        _dot(weight, tokens, local_weight(tokens, m))
    ratio = n2 / n1
    marks.headline(weight, 0.985, 0.885, "right", f"{ratio:.3g} : 1")
    marks.words(weight, 0.985, 0.815, "right", _("short : long"))
    _key(weight, 0.14, style.BLUE, _("mean of means"))
    _key(weight, 0.05, style.GREEN, _("one count for all"))
    curve = global_push(n1, n2, _R)
    push.plot(_R, curve, color=style.GREEN, lw=1.6, ls=(0, (5, 2)))
    here = float(global_push(n1, n2, r))
    push.plot([r, r], [here, 1], color=style.VERMILION, lw=1.2)
    for y in (here, 1.0):
        _dot(push, r, y)
    marks.headline(push, 0.985, 0.885, "right", f"× {1 / here:.3g}")
    marks.words(push, 0.985, 0.815, "right", _("on the push of successes"))
    _key(push, 0.14, style.BLUE, _("mean of means"))
    _key(push, 0.05, style.GREEN, _("one count for all"))


def _dot(ax: Any, x: float, y: float) -> None:
    ax.plot([x], [y], "o", ms=7, mfc=style.VERMILION, mec=style.PAPER, mew=1.2, clip_on=False)


def _key(ax: Any, y: float, colour: str, text: str) -> None:
    """Name a line at the lower left, where none comes."""
    place = ax.transAxes
    dash = "-" if colour == style.BLUE else (0, (5, 2))
    ax.plot([0.02, 0.09], [y + 0.02, y + 0.02], color=colour, lw=1.8, ls=dash, transform=place)
    ax.text(0.105, y, text, transform=place, color=colour, fontsize=style.SMALL_PT)


def _summary(*, n1: int, n2: int, m: int, r: float) -> str:
    return _(
        "With {m} microbatches of {n1} or {n2} tokens a token weighs 1/{a} or 1/{b} in place of "
        "1/{c}; at a correlation of {r} successes push {factor} times as hard, relative to "
        "failures."
    ).format(
        m=m,
        n1=f"{n1:,}",
        n2=f"{n2:,}",
        a=f"{m * n1:,}",
        b=f"{m * n2:,}",
        c=f"{m * (n1 + n2) // 2:,}",
        r=_CORRELATION.text(r),
        factor=f"{1 / float(global_push(n1, n2, r)):.3g}",
    )


FIGURES = (
    Figure(
        id="q02-weights",
        number="B.2a",
        columns=2,
        controls=(_FIRST, _SECOND, _PARTS, _CORRELATION),
        caption=N_(
            "A step of m microbatches, one half of them short and the other half long. Left: what "
            "a token weighs. Right: the weight on successes over that on failures."
        ),
        alt=N_(
            "Left: under a mean of means a token's weight falls in proportion to its microbatch's "
            "tokens, while with one count for all it is level. Right: with one count the push of "
            "successes over failures falls where short trajectories are the solved ones; the mean "
            "of means lifts it back to one to one."
        ),
        backdrop=_backdrop,
        draw=_draw,
        summary=_summary,
    ),
    PARTITIONS,
)
