"""Figures of Q12: where giving up pays, by the mean reward and by the push of a group."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from numpy.typing import NDArray

from agentrl_lite.advantages import group_advantages
from agentrl_lite.figures import marks, runs, style
from agentrl_lite.figures.q12_sweep import SWEEP
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.turn_price import give_up_push, threshold, tipping_rate

# Share of the attempts that give up, in the first figure.
_GIVEN_UP = 0.1
_RATES = np.linspace(0.0, 0.6, 61)
_LEAST_REWARD = -0.4
_LEAST_PRICE, _EPSILON = 2e-5, 1e-6

_PRICE = Control(
    name="c",
    symbol="c",
    label=N_("Price of a turn"),
    minimum=_LEAST_PRICE,
    maximum=0.2,
    step=10,
    default=0.02,
    frames=(0.0002, 0.002, 0.02),
    log=True,
)
_TURNS = Control(
    name="n",
    symbol="n",
    label=N_("Turns of a try"),
    minimum=2,
    maximum=12,
    step=1,
    default=6,
    frames=(6,),
    integer=True,
)
_RATE = Control(
    name="q",
    symbol="q",
    label=N_("Solved tries"),
    minimum=0.01,
    maximum=0.6,
    step=0.01,
    default=0.25,
    frames=(0.05, 0.25, 0.5),
)
_GROUP_SIZE = Control(
    name="G",
    symbol="G",
    label=N_("Group size"),
    minimum=2,
    maximum=32,
    step=2,
    default=8,
    frames=(4, 8),
    integer=True,
)
# Each way to train: its name, its options, its colour and shape.
_WAYS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    (N_("divided"), {}, style.VERMILION, "o"),
    (N_("undivided"), {"ddof": None}, style.BLUE, "s"),
)


# --- q12-push ---------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _curve(way: int, c: float, n: int, G: int) -> tuple[NDArray[np.float64], float]:
    """Return the push over `_RATES`, and where it changes its sign."""
    options = {"c": c, "n": n, "G": G, "given_up": _GIVEN_UP, **_WAYS[way][1]}
    pushes = np.array([give_up_push(float(q), **options) for q in _RATES])
    return pushes, tipping_rate(**options)


def _push_backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.055, right=0.875, bottom=0.16, top=0.885, wspace=0.52)
    reward, push = fig.subplots(1, 2)
    for ax in (reward, push):
        style.quiet_axes(ax)
        ax.set_xlim(0, _RATES[-1])
        ax.xaxis.set_major_locator(FixedLocator([0, 0.2, 0.4, 0.6]))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda q, _at: f"{100 * q:.0f} %"))
        ax.set_xlabel(_("Success rate of a try"))
        ax.axhline(0, color=style.GHOST_TEXT, lw=0.6)
    marks.title(reward, _("Mean reward"))
    reward.set_ylim(_LEAST_REWARD, 0.6)
    reward.yaxis.set_major_locator(FixedLocator([-0.4, -0.2, 0, 0.2, 0.4, 0.6]))
    marks.title(push, _("Push towards giving up"))
    push.set_ylim(-0.2, 0.3)
    push.yaxis.set_major_locator(FixedLocator([-0.2, -0.1, 0, 0.1, 0.2, 0.3]))
    for ax in (reward, push):
        ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _at: _signed(y, 1)))
    return reward, push


def _draw_push(axes: tuple[Any, Any], *, c: float, n: int, q: float, G: int) -> None:
    reward, push = axes
    give_up, tries = np.full_like(_RATES, -c), _RATES - c * n
    runs.draw_band(reward, _RATES, give_up[np.newaxis], _("gives up"), style.VERMILION)
    seen = np.where(tries >= _LEAST_REWARD, tries, np.nan)
    runs.draw_band(reward, _RATES, seen[np.newaxis], _("tries"), style.GREEN, shape="^")
    if np.isnan(seen).all():
        marks.words(reward, 0.98, 0.03, "right", _("tries: below the picture"))
    for way, (name, _options, colour, shape) in enumerate(_WAYS):
        pushes, tips = _curve(way, c, n, G)
        runs.draw_band(push, _RATES, pushes[np.newaxis], _(name), colour, shape=shape)
        if 0 < tips <= _RATES[-1]:
            push.plot([tips], [0], shape, ms=6, mfc=colour, mec=style.PAPER, mew=1.0, zorder=6)
    for ax in axes:
        ax.axvline(q, color=style.VERMILION, lw=0.8, ls=(0, (2, 2)))
    pushed = _here(c, n, q, G)[0]
    marks.headline(push, 0.98, 0.89, "right", _signed(pushed, 3))
    marks.words(push, 0.98, 0.81, "right", _("divided, at {q}").format(q=_percent(q)))


def _here(c: float, n: int, q: float, G: int) -> tuple[float, float]:
    """Return the push at q, divided and not."""
    divided, undivided = (
        give_up_push(q, c=c, n=n, G=G, given_up=_GIVEN_UP, **options)
        for _name, options, _colour, _shape in _WAYS
    )
    return divided, undivided


def _push_summary(*, c: float, n: int, q: float, G: int) -> str:
    divided, undivided = _here(c, n, q, G)
    return _(
        "At a price of {c} and {n} turns, with tries solved {q} and groups of {G}, the push is "
        "{divided} divided, where it tips at {tips}, and {undivided} undivided, where it tips at "
        "{threshold}."
    ).format(
        c=_PRICE.text(c),
        n=n,
        q=_percent(q),
        G=G,
        divided=_signed(divided, 3),
        tips=marks.percent(_curve(0, c, n, G)[1]),
        undivided=_signed(undivided, 4),
        threshold=marks.percent(min(threshold(c, n), 1.0)),
    )


def _percent(q: float) -> str:
    return _("{percent} %").format(percent=f"{100 * q:.0f}")


def _signed(number: float, digits: int) -> str:
    text = f"{number:.{digits}f}".replace("-", "\N{MINUS SIGN}")
    return text.removeprefix("\N{MINUS SIGN}") if float(f"{number:.{digits}f}") == 0 else text


# --- q12-scale --------------------------------------------------------------------------------

_PRICES = np.geomspace(_LEAST_PRICE / 100, 0.2, 61)


def _lone(c: float, n: int, G: int, ddof: int | None) -> float:
    """Return the advantage of the only one that gives up, in a group that all fails."""
    rewards = -c * np.where(np.arange(G) < 1, 1, n)
    return float(group_advantages(rewards, ddof=ddof, epsilon=_EPSILON)[0])


@lru_cache(maxsize=256)
def _lone_curve(n: int, G: int, ddof: int | None) -> NDArray[np.float64]:
    return np.array([_lone(float(c), n, G, ddof) for c in _PRICES])


def _scale_backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.1, right=0.8, bottom=0.17, top=0.885)
    ax = fig.add_subplot()
    ax.set_xscale("log")
    ax.set(xlim=_PRICES[[0, -1]], ylim=(0, 6))
    style.quiet_axes(ax)
    marks.title(ax, _("Advantage of the one that gave up"))
    ax.set_xlabel(_("Price of a turn"))
    ticks = [1e-6, 1e-4, 1e-2]
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda c, _at: f"$10^{{{np.log10(c):.0f}}}$"))
    ax.xaxis.set_minor_locator(NullLocator())
    return ax


def _draw_scale(ax: Any, *, c: float, n: int, G: int) -> None:
    for name, ddof, colour, shape in (
        (_("divided"), 0, style.VERMILION, "o"),
        (_("undivided"), None, style.BLUE, "s"),
    ):
        line = _lone_curve(n, G, ddof)[np.newaxis]
        runs.draw_band(ax, _PRICES, line, name, colour, shape=shape)
    marks.marker(ax, c, _lone(c, n, G, 0))
    marks.headline(ax, 0.02, 0.89, "left", f"{_lone(c, n, G, 0):.2f}")
    words = _("undivided {x}").format(x=f"{_lone(c, n, G, None):.2g}")
    marks.words(ax, 0.02, 0.81, "left", words)


def _scale_summary(*, c: float, n: int, G: int) -> str:
    return _(
        "Where all {G} fail and one gives up, {n} turns against one at a price of {c}, its "
        "advantage is {divided} divided and {undivided} undivided."
    ).format(
        G=G,
        n=n,
        c=_PRICE.text(c),
        divided=f"{_lone(c, n, G, 0):.2f}",
        undivided=f"{_lone(c, n, G, None):.2g}",
    )


FIGURES = (
    Figure(
        id="q12-push",
        number="B.12",
        columns=2,
        controls=(_PRICE, _TURNS, _RATE, _GROUP_SIZE),
        caption=N_(
            "Left: mean reward of an episode that tries for n turns and of one that submits at "
            "once. Right: expected push on the logit of giving up, where one attempt in ten gives "
            "up, with and without division by the standard deviation; marks where it changes its "
            "sign."
        ),
        alt=N_(
            "Two panels over the success rate of a try. Left: two lines for the mean reward, a "
            "level one for giving up and a rising one for trying. Right: two curves for the push, "
            "divided and undivided, each with a mark where it changes its sign."
        ),
        backdrop=_push_backdrop,
        draw=_draw_push,
        summary=_push_summary,
    ),
    Figure(
        id="q12-scale",
        number="B.12a",
        columns=1,
        controls=(_PRICE, _TURNS, _GROUP_SIZE),
        caption=N_(
            "A group in which every attempt fails and one gives up at once: the advantage of that "
            "one against the price of a turn (ε = 1e-6)."
        ),
        alt=N_(
            "Two lines over the price of a turn, on a logarithmic axis. Divided, the advantage of "
            "the one that gave up is level over four decades; undivided it is next to nothing "
            "until the price is large."
        ),
        backdrop=_scale_backdrop,
        draw=_draw_scale,
        summary=_scale_summary,
    ),
    SWEEP,
)
