"""Figures of Q22: what discordant tasks say, and which lever shrinks which part of the noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from agentrl_lite.appendix.q22 import GAINED, LOST, SOLVED_A, TASKS
from agentrl_lite.evaluation import mcnemar, paired_difference, paired_se, rate_se
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.q22_levers import LEVERS
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _

_MOST = 50
_GAINED = Control(
    name="b",
    symbol="b",
    label=N_("Only B solved"),
    minimum=0,
    maximum=_MOST,
    step=1,
    default=GAINED,
    frames=(20, 40, 48, 49, 50),
    integer=True,
)
_LOST = Control(
    name="c",
    symbol="c",
    label=N_("Only A solved"),
    minimum=0,
    maximum=_MOST,
    step=1,
    default=LOST,
    frames=(10, 30, 50),
    integer=True,
)
_TASKS = Control(
    name="N",
    symbol="N",
    label=N_("Tasks"),
    minimum=400,
    maximum=4000,
    step=100,
    default=TASKS,
    frames=(500, 2000),
    integer=True,
)

_POINTS = 20
# Of the tasks on which both agree, this share is solved by both.
_BOTH = (SOLVED_A - LOST) / (TASKS - GAINED - LOST)
_Z95 = 1.959964
_PAIRED, _UNPAIRED = 0.68, 0.30


def _intervals(b: int, c: int, N: int) -> tuple[float, float, float]:
    """Return the difference and both standard errors, in points."""
    both = _BOTH * (N - b - c)
    unpaired = float(np.hypot(rate_se((both + c) / N, N), rate_se((both + b) / N, N)).item())
    paired = float(paired_se(b, c, N))
    return 100 * float(paired_difference(b, c, N)), 100 * paired, 100 * unpaired


def _p_text(p: float) -> str:
    """Return a p-value with two digits, or as below what two digits can say.

    >>> _p_text(0.2820), _p_text(0.0416), _p_text(1e-6)
    ('p = 0.28', 'p = 0.042', 'p < 0.001')
    """
    if p < 0.001:
        return _("p < {bound}").format(bound="0.001")
    return f"p = {p:.2f}" if p >= 0.0995 else f"p = {p:.3f}"


def _backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.03, right=0.975, bottom=0.165, top=0.885, wspace=0.1)
    coins, points = fig.subplots(1, 2)
    coins.set(xlim=(-_MOST - 2, _MOST + 2), ylim=(0, 1.75), yticks=[])
    style.quiet_axes(coins, horizontal=False)
    marks.title(coins, _("If each discordant task were a coin flip"))
    coins.set_xlabel(_("Net gain, {b} - {c}, in tasks").format(b="$b$", c="$c$"))
    points.set(xlim=(-_POINTS, _POINTS), ylim=(0, 1), yticks=[])
    style.quiet_axes(points, horizontal=False)
    marks.title(points, _("Difference, with its 95 % interval"))
    points.set_xlabel(_("B minus A, in points"))
    points.axvline(0, color=style.GHOST_TEXT, lw=0.9, ls=(0, (5, 3)))
    for ax in (coins, points):
        ax.spines["left"].set_visible(False)
    return coins, points


def _draw(axes: tuple[Any, Any], *, b: int, c: int, N: int) -> None:
    coins, points = axes
    gained = np.arange(b + c + 1)
    chance = stats.binom.pmf(gained, b + c, 0.5)
    net = 2 * gained - (b + c)
    # What is at least as lopsided, either way.
    tail = np.abs(net) >= abs(b - c)
    height = chance / chance.max()
    coins.vlines(net[~tail], 0, height[~tail], color=style.GHOST, lw=2.0)
    coins.vlines(net[tail], 0, height[tail], color=style.VERMILION, lw=2.0)
    p = float(mcnemar(b, c).p_value)
    marks.headline(coins, 0.0, 0.87, "left", _p_text(p))
    marks.words(coins, 0.0, 0.78, "left", _("coloured: as lopsided as"))
    marks.words(coins, 0.0, 0.71, "left", _("seen (▼) or more, either way"))
    coins.plot([b - c] * 2, [0, 1.06], color=style.INK, lw=0.8, ls=(0, (2, 2)))
    coins.plot([b - c], [1.06], "v", ms=7, color=style.INK, mec=style.PAPER)

    difference, paired, unpaired = _intervals(b, c, N)
    for y, error, colour, name in (
        (_PAIRED, paired, style.BLUE, _("paired: {plusminus}")),
        (_UNPAIRED, unpaired, style.GHOST_TEXT, _("as if unpaired: {plusminus}")),
    ):
        ends = [difference - _Z95 * error, difference + _Z95 * error]
        points.plot(ends, [y, y], color=colour, lw=3.0, solid_capstyle="butt")
        points.plot([difference], [y], "o", ms=6, color=colour, mec=style.PAPER)
        words = name.format(plusminus=f"± {_Z95 * error:.1f}")
        points.text(0.0, y + 0.1, words, transform=points.transAxes, color=colour, weight="bold")


def _summary(*, b: int, c: int, N: int) -> str:
    difference, paired, _unpaired = _intervals(b, c, N)
    if b + c == 0:
        return _(
            "No task disagrees, so that the exact test gives p = 1; ± 0 on {N} tasks is what the "
            "formula says, and not what is known."
        ).format(N=_TASKS.text(N))
    return _(
        "With b = {b} and c = {c} the exact test gives {p}; on {N} tasks the difference is "
        "{difference} points, ± {half} at 95 %."
    ).format(
        b=_GAINED.text(b),
        c=_LOST.text(c),
        N=_TASKS.text(N),
        p=_p_text(float(mcnemar(b, c).p_value)),
        difference=f"{difference:.1f}",
        half=f"{_Z95 * paired:.1f}",
    )


FIGURES = (
    Figure(
        id="q22-pairs",
        number="B.22a",
        columns=2,
        controls=(_GAINED, _LOST, _TASKS),
        caption=N_(
            "Two checkpoints on the same tasks. Left: how the b + c discordant tasks would fall if "
            "each were a coin flip; bars at least as lopsided as the count seen are coloured. "
            "Right: the difference with its 95 % interval, paired, and as if the tasks were not "
            "shared."
        ),
        alt=N_(
            "Two panels. Left: the binomial distribution of the net gain, a bell about zero with "
            "both tails marked. Right: two horizontal intervals about the same difference; the "
            "paired one is much shorter than the unpaired one."
        ),
        backdrop=_backdrop,
        draw=_draw,
        summary=_summary,
    ),
    LEVERS,
)
