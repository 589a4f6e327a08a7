"""Figures of Q26: what one step does to the entropy, what a clip forbids, tables and real runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter

from agentrl_lite.entropy import clip_room, entropy, entropy_change, expected_step
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.q26_sweep import PASSES, SWEEP
from agentrl_lite.figures.q26_tabular import CLIP_HIGH, CLIP_LOW, TABLE
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _

_RATE = Control(
    name="rate",
    symbol="η",
    label=N_("Learning rate"),
    minimum=0.25,
    maximum=8,
    step=2,
    default=1,
    frames=(1, 4, 8),
    log=True,
)
_P = Control(
    name="p",
    symbol="p",
    label=N_("Rewarded answer"),
    minimum=0.02,
    maximum=0.98,
    step=0.02,
    default=0.2,
    frames=(0.2, 0.5, 0.8),
)
_GRID = np.linspace(0.001, 0.999, 400)


def _pair(p: Any) -> Any:
    """Return the distributions over two answers of which the first has probability p."""
    p = np.asarray(p, dtype=np.float64)
    return np.stack([p, 1 - p], axis=-1)


def _exact(p: Any, rate: float) -> Any:
    pi = _pair(p)
    return entropy(expected_step(pi, [1.0, 0.0], rate)) - entropy(pi)


def _rate_text(rate: float) -> str:
    return f"{rate:g}"


# --- q26-law ----------------------------------------------------------------------------------


def _law_backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.125, right=0.97, bottom=0.17, top=0.895)
    ax = fig.add_subplot()
    ax.set(xlim=(0, 1), ylim=(-0.8, 0.8))
    style.quiet_axes(ax)
    marks.title(ax, _("Entropy change in one step, nats"))
    ax.set_xlabel(_("Probability of the rewarded answer"))
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.50", "0.75", "1"])
    ax.set_yticks([-0.5, 0, 0.5])
    ax.axhline(0, color=style.GHOST_TEXT, lw=0.9)
    ax.plot(_GRID, -entropy(_pair(_GRID)), color=style.GHOST, lw=style.GHOST_PT)
    marks.label(ax, 0.985, -0.7, (0, 0), _("thin: all there is"), style.GHOST_TEXT, "right")
    return ax


def _draw_law(ax: Any, *, p: float, rate: float) -> None:
    change, law = _exact(_GRID, rate), entropy_change(_pair(_GRID), [1.0, 0.0], rate)
    ax.plot(_GRID, law, color=style.PURPLE, lw=1.4, ls=(0, (4, 2)))
    ax.plot(_GRID, change, color=style.BLUE, lw=style.LINE_PT)
    here, forecast = float(_exact(p, rate)), float(entropy_change(_pair(p), [1.0, 0.0], rate))
    marks.marker(ax, p, here)
    marks.headline(ax, 0.985, 0.885, "right", f"{here:+.3f}".replace("-", "−"))
    text = _("exact, at p = {p} and η = {rate}").format(p=_P.text(p), rate=_rate_text(rate))
    marks.words(ax, 0.985, 0.81, "right", text)
    first = f"{forecast:+.3f}".replace("-", "−")
    ax.text(
        0.985,
        0.735,
        _("first order (dashed): {change}").format(change=first),
        transform=ax.transAxes,
        ha="right",
        color=style.PURPLE,
    )


def _law_summary(*, p: float, rate: float) -> str:
    return _(
        "At p = {p} and η = {rate} one step changes the entropy by {exact} nats; first order says "
        "{first}."
    ).format(
        p=_P.text(p),
        rate=_rate_text(rate),
        exact=f"{float(_exact(p, rate)):+.4f}",
        first=f"{float(entropy_change(_pair(p), [1.0, 0.0], rate)):+.4f}",
    )


# --- q26-clip ---------------------------------------------------------------------------------

_TICKS = (0.01, 0.1, 0.5, 0.9, 0.99)
_ENDS = (0.002, 0.997)
_TOP = 0.9995
_MARKED = (0.01, 0.9)


def _odds(p: Any) -> Any:
    return np.log(p / (1 - p))


def _odds_axis(axis: Any) -> None:
    axis.set_major_locator(FixedLocator([_odds(t) for t in _TICKS]))
    axis.set_major_formatter(FuncFormatter(lambda u, _at: f"{1 / (1 + np.exp(-u)):.2g}"))


def _clip_backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.125, right=0.97, bottom=0.17, top=0.895)
    ax = fig.add_subplot()
    ax.set(xlim=_odds(np.array(_ENDS)), ylim=_odds(np.array((0.001, _TOP))))
    style.quiet_axes(ax)
    _odds_axis(ax.xaxis)
    _odds_axis(ax.yaxis)
    marks.title(ax, _("Pushed until it has this probability"))
    ax.set_xlabel(_("Probability when the batch was sampled (log-odds)"))
    ends = _odds(np.array(_ENDS))
    ax.plot(ends, ends, color=style.GHOST, lw=style.GHOST_PT)
    return ax


def _draw_clip(ax: Any, *, low: float, high: float) -> None:
    free = 1 / (1 + high)
    p = np.union1d(
        1 / (1 + np.exp(-np.linspace(_odds(_ENDS[0]), _odds(_ENDS[1]), 300))), [free - 1e-4]
    )
    floor, ceiling = clip_room(p, low, high)
    top = np.minimum(ceiling, 1 - 1e-9)
    x = _odds(p)
    ax.fill_between(x, _odds(floor), _odds(top), color=style.BLUE, alpha=0.12, lw=0)
    bounded = p < free
    ax.plot(x[bounded], _odds(top[bounded]), color=style.BLUE, lw=style.LINE_PT)
    ax.plot(x, _odds(floor), color=style.GREEN, lw=style.LINE_PT, ls=(0, (4, 2)))
    marks.label(ax, _odds(0.045), _odds(0.13), (0, 0), _("up to here"), style.BLUE, "right")
    marks.label(ax, _odds(0.99), _odds(0.32), (0, 0), _("down to here"), style.GREEN, "right")
    ax.text(
        _odds(0.0028),
        _odds(0.984),
        _("no upper limit\nfrom p = {p}").format(p=f"{free:.2f}"),
        color=style.INK,
    )
    for p_now in _MARKED:
        _lower, upper = clip_room(p_now, low, high)
        end = min(float(_odds(min(float(upper), 1 - 1e-9))), float(_odds(_TOP)))
        ax.plot([_odds(p_now)] * 2, [_odds(p_now), end], color=style.VERMILION, lw=2.6)
        ax.plot(
            [_odds(p_now)], [_odds(p_now)], "o", ms=6, mfc=style.VERMILION, mec=style.PAPER, mew=1.2
        )
        text = _("{before} to {after}").format(before=f"{p_now:g}", after=f"{float(upper):.3g}")
        ax.annotate(
            text,
            (_odds(p_now), _odds(p_now if p_now < 0.5 else 0.996)),
            xytext=(8, -11),
            textcoords="offset points",
            weight="bold",
            color=style.VERMILION,
            path_effects=style.halo(),
        )


def _clip_summary(*, low: float, high: float) -> str:
    rare = clip_room(_MARKED[0], low, high)
    return _(
        "With a clip of {low} below and {high} above, a token at 0.01 is pushed between {floor} "
        "and {ceiling}; from a probability of {free} up no upper limit holds."
    ).format(
        low=CLIP_LOW.text(low),
        high=CLIP_HIGH.text(high),
        floor=f"{float(rare[0]):.4f}",
        ceiling=f"{float(rare[1]):.4f}",
        free=f"{1 / (1 + high):.3f}",
    )


FIGURES = (
    Figure(
        id="q26-law",
        number="B.26a",
        columns=1,
        controls=(_P, _RATE),
        caption=N_(
            "Entropy change of a policy over two answers in one policy-gradient step, against the "
            "probability of the rewarded one: exact (solid) and to first order (dashed)."
        ),
        alt=N_(
            "A curve over the probability of the rewarded answer: entropy rises where that answer "
            "is the rarer one and falls where it is the commoner one. A dashed curve, the "
            "first-order law, lies on it at small learning rates and leaves it at large ones."
        ),
        backdrop=_law_backdrop,
        draw=_draw_law,
        summary=_law_summary,
    ),
    Figure(
        id="q26-clip",
        number="B.26b",
        columns=1,
        controls=(CLIP_LOW, CLIP_HIGH),
        caption=N_(
            "Between which probabilities a clipped surrogate still pushes a token, against its "
            "probability when the batch was sampled; both axes in log-odds."
        ),
        alt=N_(
            "A band around the diagonal, in log-odds: narrow for rare tokens, and without an upper "
            "edge for common ones. Two tokens are marked, at 0.01 and at 0.9."
        ),
        backdrop=_clip_backdrop,
        draw=_draw_clip,
        summary=_clip_summary,
    ),
    TABLE,
    SWEEP,
    PASSES,
)
