"""Figures of Q27: how hard a token of a failure is pushed, and what grows out of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.ticker import FixedLocator, LogFormatterMathtext, NullLocator

from agentrl_lite.advantages import group_advantages
from agentrl_lite.appendix.q27 import LENGTH_START
from agentrl_lite.figures import marks, runs, style
from agentrl_lite.figures.q27_sweep import SWEEP
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.length_push import Grown, grow
from agentrl_lite.losses import Aggregation

# The batch of the first figure: as many episodes, in groups of which so many are solved.
_EPISODES, _GROUP, _SOLVED = 128, 8, 2
_SHORTEST, _FARTHEST = 500, 140_000
MODES: tuple[tuple[Aggregation, str], ...] = (
    ("token-mean", N_("token mean")),
    ("seq-mean-token-mean", N_("sequence mean")),
    ("seq-mean-token-sum-norm", N_("constant")),
)

_MODE = Control(
    name="mode",
    symbol="mode",
    label=N_("Mode"),
    minimum=1,
    maximum=3,
    step=1,
    default=2,
    frames=(1, 2, 3),
    integer=True,
    names=tuple(name for _mode, name in MODES),
)
_DIVIDE = Control(
    name="std",
    symbol="std",
    label=N_("Divided by std"),
    minimum=0,
    maximum=1,
    step=1,
    default=1,
    frames=(0, 1),
    integer=True,
    names=(N_("no"), N_("yes")),
)
_CAP_TOKENS = Control(
    name="cap",
    symbol="cap",
    label=N_("Cap, tokens"),
    minimum=4_096,
    maximum=32_768,
    step=2,
    default=8_192,
    frames=(8_192,),
    log=True,
    integer=True,
)
_CAP_WORDS = Control(
    name="cap",
    symbol="cap",
    label=N_("Cap, words"),
    minimum=16,
    maximum=96,
    step=8,
    default=64,
    frames=(64,),
    integer=True,
)
_SOLVED_SHARE = Control(
    name="q",
    symbol="q",
    label=N_("Solved share"),
    minimum=0.05,
    maximum=0.95,
    step=0.05,
    default=0.25,
    frames=(0.25,),
)


# --- q27-push ---------------------------------------------------------------------------------


def token_push(lengths: Any, *, mode: int, std: int, cap: int) -> Any:
    """Return |A| times a token's weight times B, for a failure among others of 1,800 tokens."""
    rewards = np.arange(_GROUP) < _SOLVED
    advantage = -float(group_advantages(rewards, ddof=0 if std else None)[-1])
    others = (_EPISODES - 1) * LENGTH_START
    weight = {
        "seq-mean-token-mean": 1.0 / lengths,
        "token-mean": _EPISODES / (lengths + others),
        "seq-mean-token-sum-norm": np.full_like(lengths, 1.0 / cap),
    }[MODES[mode - 1][0]]
    return advantage * weight


def _left_at_cap(mode: int, std: int, cap: int) -> float:
    at = np.array([LENGTH_START, cap], dtype=np.float64)
    start, end = token_push(at, mode=mode, std=std, cap=cap)
    return float(end / start)


def _push_backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.12, right=0.99, bottom=0.17, top=0.885)
    ax = fig.add_subplot()
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set(xlim=(_SHORTEST * 0.9, _FARTHEST), ylim=(4e-6, 6e-3))
    style.quiet_axes(ax)
    marks.title(ax, _("Push down on one token, × B"))
    ax.set_xlabel(_("Policy tokens of the failure"))
    marks.count_axis(ax.xaxis, [500, 2_000, 8_000, 32_000])
    ax.yaxis.set_major_locator(FixedLocator([1e-5, 1e-4, 1e-3]))
    ax.yaxis.set_major_formatter(LogFormatterMathtext())
    ax.yaxis.set_minor_locator(NullLocator())
    return ax


def _draw_push(ax: Any, *, mode: int, std: int, cap: int) -> None:
    lengths = np.geomspace(_SHORTEST, cap, 60)
    for number, (_mode, name) in enumerate(MODES, start=1):
        push = token_push(lengths, mode=number, std=std, cap=cap)
        chosen = number == mode
        colour = style.BLUE if chosen else style.GHOST
        ax.plot(lengths, push, color=colour, lw=style.LINE_PT if chosen else 1.2)
        at, offset = (0, (8, 6)) if number == 2 else (-1, (6, -3))
        colour = style.BLUE if chosen else style.GHOST_TEXT
        marks.label(ax, lengths[at], push[at], offset, _(name), colour, "left")
    ends = np.array([LENGTH_START, cap], dtype=np.float64)
    push = token_push(ends, mode=mode, std=std, cap=cap)
    ax.plot(ends, push, "o", ms=6, mfc=style.VERMILION, mec=style.PAPER, mew=1.0)
    marks.headline(ax, 0.98, 0.89, "right", marks.short_percent(_left_at_cap(mode, std, cap)))
    marks.words(ax, 0.98, 0.81, "right", _("is left at the cap"))


def _push_summary(*, mode: int, std: int, cap: int) -> str:
    at = np.array([LENGTH_START], dtype=np.float64)
    push = float(token_push(at, mode=mode, std=std, cap=cap)[0])
    return _(
        "Under the {mode}, {divided}, a token of a failure of 1,800 tokens is pushed down by "
        "{push} / B, and at the cap of {cap} tokens {left} of that is left."
    ).format(
        mode=_(MODES[mode - 1][1]),
        divided=_("divided by the std") if std else _("undivided"),
        push=f"{push:.1e}",
        cap=f"{cap:,}",
        left=marks.percent(_left_at_cap(mode, std, cap)),
    )


# --- q27-grow ---------------------------------------------------------------------------------

_HIGHEST = 108
_PANELS = ((N_("Mean words, result seen"), True), (N_("Mean words, result hidden"), False))
_KINDS = (
    ("successes", N_("successes {words}"), style.BLUE, "s"),
    ("failures", N_("failures {words}"), style.VERMILION, "o"),
)


@lru_cache(maxsize=1024)
def _grown(mode: int, std: int, cap: int, q: float, seen: bool) -> Grown:
    return grow(MODES[mode - 1][0], solved=q, seen=seen, divide=bool(std), cap=cap)


def _grow_backdrop(fig: Any) -> tuple[Any, ...]:
    fig.subplots_adjust(left=0.045, right=0.865, bottom=0.15, top=0.885, wspace=0.5)
    panels = tuple(fig.subplots(1, 2))
    for ax, (title, _seen) in zip(panels, _PANELS, strict=True):
        ax.set(xlim=(0, 60), ylim=(0, _HIGHEST))
        ax.xaxis.set_major_locator(FixedLocator([0, 20, 40, 60]))
        ax.yaxis.set_major_locator(FixedLocator([0, 25, 50, 75, 100]))
        style.quiet_axes(ax)
        ax.set_xlabel(_("Step along the expected gradient"))
        marks.title(ax, _(title))
    return panels


def _draw_grow(panels: tuple[Any, ...], *, mode: int, std: int, cap: int, q: float) -> None:
    for ax, (_title, seen) in zip(panels, _PANELS, strict=True):
        grown = _grown(mode, std, cap, q, seen)
        ax.axhline(cap, color=style.GHOST_TEXT, lw=0.9, ls=(0, (5, 3)))
        marks.label(ax, 1, cap, (0, 3), _("cap"), style.GHOST_TEXT, "left")
        for kind, label, colour, shape in _KINDS:
            words = getattr(grown, kind)
            text = _(label).format(words=f"{words[-1]:.1f}")
            steps = np.arange(len(words))
            runs.draw_band(ax, steps, words[np.newaxis], text, colour, shape=shape)


def _grow_summary(*, mode: int, std: int, cap: int, q: float) -> str:
    seen, hidden = (_grown(mode, std, cap, q, flag) for _title, flag in _PANELS)
    return _(
        "Under the {mode}, {divided}, with {q} solved and a cap of {cap}, failures go from {start} "
        "words to {seen} where the result is seen and to {hidden} where it is hidden."
    ).format(
        mode=_(MODES[mode - 1][1]),
        divided=_("divided by the std") if std else _("undivided"),
        q=_("{percent} %").format(percent=f"{100 * q:.0f}"),
        cap=cap,
        start=f"{seen.failures[0]:.1f}",
        seen=f"{seen.failures[-1]:.1f}",
        hidden=f"{hidden.failures[-1]:.1f}",
    )


FIGURES = (
    Figure(
        id="q27-push",
        number="B.27",
        columns=1,
        controls=(_MODE, _DIVIDE, _CAP_TOKENS),
        caption=N_(
            "How hard one token of a failed episode is pushed down, times the number of episodes, "
            "by aggregation: 128 episodes, the others of 1,800 tokens, 2 of 8 in a group solved. "
            "Dots: 1,800 tokens, and the cap, which is also the constant."
        ),
        alt=N_(
            "Three lines over the length of a failed episode, both axes logarithmic: under "
            "sequence means the push falls in proportion to the length; under token mean and "
            "constant it is level."
        ),
        backdrop=_push_backdrop,
        draw=_draw_push,
        summary=_push_summary,
    ),
    Figure(
        id="q27-grow",
        number="B.27a",
        columns=2,
        controls=(_MODE, _DIVIDE, _CAP_WORDS, _SOLVED_SHARE),
        caption=N_(
            "Mean length of answers whose reward is settled after 8 words, along the exact "
            "expected gradient (no noise, step size 12). Left: the policy knows which ones are "
            "failures; right: it does not."
        ),
        alt=N_(
            "Two panels, mean words against the step. Left, where the result is seen, failures "
            "climb towards the cap under sequence means while successes shrink. Right, where it "
            "is hidden, both stay level."
        ),
        backdrop=_grow_backdrop,
        draw=_draw_grow,
        summary=_grow_summary,
    ),
    SWEEP,
)
