"""Figures of Q21: two estimates of pass@k from one record, and how far each is off."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

# For the binomial's mass, to ten digits; scipy.stats has more of them, and takes longer.
from scipy.special import gammaln

from agentrl_lite.evaluation import pass_at_k, pass_at_k_moments, pass_at_k_plugin
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.q21_bootstrap import BOOTSTRAP
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _

_MOST = 100


def _count(name: str, label: str, default: int, least: int, frames: tuple[int, ...]) -> Control:
    return Control(
        name=name,
        symbol=name,
        label=label,
        minimum=least,
        maximum=_MOST,
        step=1,
        default=default,
        frames=frames,
        integer=True,
    )


_N = _count("n", N_("Samples"), 10, 1, (10, 40))
_C = _count("c", N_("Passes"), 3, 0, (1, 2, 3))
_K = _count("k", N_("Tries"), 5, 1, (1, 2, 5, 8, 12))
_P = Control(
    name="p",
    symbol="p",
    label=N_("Pass rate"),
    minimum=0.01,
    maximum=0.99,
    step=0.01,
    default=0.30,
    frames=(0.05, 0.30),
)
_TRIES = Control(
    name="k",
    symbol="k",
    label=N_("Tries"),
    minimum=1,
    maximum=64,
    step=1,
    default=5,
    frames=(1, 5, 16),
    integer=True,
)
_TIMES = Control(
    name="m",
    symbol="n/k",
    label=N_("Samples per try"),
    minimum=1,
    maximum=16,
    step=1,
    default=2,
    frames=(1, 2, 4, 16),
    integer=True,
)
_UNBIASED, _PLUGIN = style.BLUE, style.PURPLE
_DASH = (0, (4, 2))


# --- q21-estimates ----------------------------------------------------------------------------


def _estimates_backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.065, right=0.635, bottom=0.155, top=0.885)
    ax = fig.add_subplot()
    ax.set_xscale("log")
    ax.set(xlim=(0.93, 110), ylim=(-0.02, 1.02))
    style.quiet_axes(ax)
    marks.title(ax, _("Chance that one of k tries passes, as estimated"))
    ax.set_xlabel(_("Tries {k}").format(k="$k$"))
    marks.count_axis(ax.xaxis, [1, 2, 5, 10, 20, 50, 100])
    marks.percent_axis(ax.yaxis)
    side = fig.add_axes((0.665, 0.155, 0.32, 0.73))
    side.set_axis_off()
    return ax, side


def _say(side: Any, y: float, number: str, text: str, colour: str, dash: Any) -> None:
    """Write a line's key, its value at k in large, and what it is."""
    side.plot([0, 0.12], [y + 0.035, y + 0.035], color=colour, lw=style.LINE_PT, ls=dash)
    side.text(0.17, y, number, fontsize=style.HEADLINE_PT, weight="bold", color=colour)
    side.text(0.17, y - 0.11, text, fontsize=style.TEXT_PT)


def _draw_estimates(axes: tuple[Any, Any], *, n: int, c: int, k: int) -> None:
    ax, side = axes
    side.set(xlim=(0, 1), ylim=(0, 1))
    if n < 100:
        ax.axvspan(n * 1.03, 110, color=style.RULE, alpha=0.55, lw=0)
    if n <= 40:
        # In the middle of the region, which is a geometric mean on this axis.
        words = _("k > n")
        ax.text(np.sqrt(n * 1.03 * 110), 0.03, words, ha="center", color=style.GHOST_TEXT)
    if c > n:
        side.text(0, 0.62, _("no such record:"), fontsize=style.HEADLINE_PT, color=style.VERMILION)
        side.text(0, 0.5, _("c = {c} passes among n = {n} samples").format(c=c, n=n))
        return
    within, tries = np.arange(1, n + 1), np.arange(1, _MOST + 1)
    ax.plot(tries, pass_at_k_plugin(n, c, tries), color=_PLUGIN, lw=1.6, ls=_DASH)
    curve = pass_at_k(n, c, within)
    ax.plot(within, curve, color=_UNBIASED, lw=style.LINE_PT)
    ax.plot(within[-1:], curve[-1:], "|", ms=9, mew=2, color=_UNBIASED)
    plugin, unbiased = float(pass_at_k_plugin(n, c, k)), float(pass_at_k(n, c, k))
    ax.axvline(k, color=style.VERMILION, lw=0.8, ls=(0, (2, 2)))
    for value, colour, shape in ((plugin, _PLUGIN, "s"), (unbiased, _UNBIASED, "o")):
        if value == value:
            ax.plot([k], [value], shape, ms=6.5, mfc=colour, mec=style.PAPER, mew=1.1)
    known = k <= n
    number = marks.short_percent(unbiased) if known else _("none")
    text = _("unbiased: without putting back") if known else _("unbiased: not defined for k > n")
    _say(side, 0.8, number, text, _UNBIASED, "-")
    _say(side, 0.45, marks.short_percent(plugin), _("plug-in: putting back"), _PLUGIN, _DASH)
    if known:
        gap = _("{gap} points apart").format(gap=f"{100 * (unbiased - plugin):.1f}")
    else:
        gap = _("never observed")
    side.text(0.17, 0.12, gap, weight="bold", color=style.VERMILION)


def _estimates_summary(*, n: int, c: int, k: int) -> str:
    given = {"n": n, "c": c, "k": k}
    if c > n:
        return _("No record has n = {n} and c = {c}, whatever k = {k} is.").format(**given)
    plugin = float(pass_at_k_plugin(n, c, k))
    if k > n:
        return _(
            "With n = {n} and c = {c} there is no estimate of pass@{k}; the plug-in says "
            "{plugin} all the same."
        ).format(**given, plugin=marks.percent(plugin))
    unbiased = float(pass_at_k(n, c, k))
    return _(
        "With n = {n} and c = {c}, pass@{k} is {unbiased} unbiased and {plugin} by "
        "plug-in, {gap} points apart."
    ).format(
        **given,
        unbiased=marks.percent(unbiased),
        plugin=marks.percent(plugin),
        gap=f"{100 * (unbiased - plugin):.1f}",
    )


# --- q21-spread -------------------------------------------------------------------------------

_MULTIPLES = np.arange(1, 17)
_Curves = NDArray[np.float64]


@lru_cache(maxsize=256)
def _errors(p: float, k: int) -> tuple[_Curves, _Curves, _Curves]:
    """Return bias and spread of the plug-in, and spread of the unbiased one, for each n/k."""
    truth = -np.expm1(k * np.log1p(-p))
    rows = []
    for n in (k * _MULTIPLES).tolist():
        c = np.arange(n + 1)
        mass = np.exp(
            gammaln(n + 1)
            - gammaln(c + 1)
            - gammaln(n - c + 1)
            + c * np.log(p)
            + (n - c) * np.log1p(-p)
        )
        values = pass_at_k_plugin(n, c, k)
        mean = float(mass @ values)
        spread = float(np.sqrt(mass @ (values - mean) ** 2))
        rows.append((mean - truth, spread, float(np.sqrt(pass_at_k_moments(p, n, k)[1]))))
    bias, plugin, unbiased = np.array(rows).T
    return bias, plugin, unbiased


def _spread_backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.065, right=0.98, bottom=0.155, top=0.885, wspace=0.17)
    bias, spread = fig.subplots(1, 2)
    for ax in (bias, spread):
        ax.set_xscale("log", base=2)
        ax.set_xlim(1, 16)
        marks.count_axis(ax.xaxis, [1, 2, 4, 8, 16])
        ax.set_xlabel(_("Samples for each try, {ratio}").format(ratio="$n/k$"))
        style.quiet_axes(ax)
    marks.title(bias, _("Mean error, in points"))
    bias.set_ylim(-20, 5)
    bias.set_yticks([-20, -15, -10, -5, 0, 5])
    bias.axhline(0, color=_UNBIASED, lw=style.LINE_PT)
    marks.label(bias, 1, 0, (6, 5), _("unbiased: none"), _UNBIASED, "left")
    marks.title(spread, _("Spread on one task, in points"))
    spread.set_ylim(0, 70)
    spread.set_yticks([0, 10, 20, 30, 40, 50, 60])
    return bias, spread


def _draw_spread(axes: tuple[Any, Any], *, p: float, k: int, m: int) -> None:
    bias, spread = axes
    errors, plugin, unbiased = (100 * curve for curve in _errors(p, k))
    bias.plot(_MULTIPLES, errors, color=_PLUGIN, lw=1.6, ls=_DASH)
    marks.marker(bias, m, errors[m - 1])
    marks.headline(bias, 1, 0.08, "right", _points(errors[m - 1]))
    marks.words(bias, 0.985, 0.2, "right", _("plug-in at n = {n}").format(n=f"{m * k:,}"))
    spread.plot(_MULTIPLES, plugin, color=_PLUGIN, lw=1.6, ls=_DASH)
    spread.plot(_MULTIPLES, unbiased, color=_UNBIASED, lw=style.LINE_PT)
    marks.marker(spread, m, unbiased[m - 1])
    marks.headline(spread, 1, 0.885, "right", f"{unbiased[m - 1]:.1f}")
    words = _("unbiased at n = {n} (dashed: plug-in)").format(n=f"{m * k:,}")
    marks.words(spread, 1, 0.8, "right", words)


def _points(points: float) -> str:
    """Return signed points, and never minus nothing."""
    return "0.0" if abs(points) < 0.05 else f"{points:+.1f}".replace("-", "\N{MINUS SIGN}")


def _spread_summary(*, p: float, k: int, m: int) -> str:
    errors, plugin, unbiased = (100 * curve[m - 1] for curve in _errors(p, k))
    return _(
        "At p = {p}, k = {k} and n = {n}, the plug-in is off by {bias} points on average, "
        "with a spread of {plugin}; the unbiased estimate by none, with a spread of {unbiased}."
    ).format(
        p=_P.text(p),
        k=k,
        n=f"{m * k:,}",
        bias=_points(errors),
        plugin=f"{plugin:.1f}",
        unbiased=f"{unbiased:.1f}",
    )


FIGURES = (
    Figure(
        id="q21-estimates",
        number="B.21a",
        columns=2,
        controls=(_N, _C, _K),
        caption=N_(
            "Two estimates of pass@k from one record of n samples with c passes. The unbiased one "
            "(solid) ends at k = n; the plug-in (dashed) runs on into tries that were never made."
        ),
        alt=N_(
            "Two rising curves over the number of tries from 1 to 100. They meet at one try; "
            "after that the solid unbiased curve lies above the dashed plug-in and ends at the "
            "number of samples, beyond which the area is shaded."
        ),
        backdrop=_estimates_backdrop,
        draw=_draw_estimates,
        summary=_estimates_summary,
    ),
    Figure(
        id="q21-spread",
        number="B.21b",
        columns=2,
        controls=(_P, _TRIES, _TIMES),
        caption=N_(
            "Mean error and spread (standard deviation) of both estimates on one task, against "
            "the samples drawn for each try: exact sums over the binomial distribution."
        ),
        alt=N_(
            "Two panels over n/k from 1 to 16. Left: the mean error of the plug-in is below zero "
            "and shrinks as samples grow; that of the unbiased estimate is zero throughout. "
            "Right: the spread of both falls, and fastest at first."
        ),
        backdrop=_spread_backdrop,
        draw=_draw_spread,
        summary=_spread_summary,
    ),
    BOOTSTRAP,
)
