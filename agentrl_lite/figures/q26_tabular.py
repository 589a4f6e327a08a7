"""The figure of Q26 in which many tables of answers are trained."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.losses import Clip
from agentrl_lite.tabular import HABIT, Path, train_table

CLIP_LOW = Control(
    name="low",
    symbol="l",
    label=N_("Clip low"),
    minimum=0.08,
    maximum=0.40,
    step=0.04,
    default=0.20,
    frames=(0.20,),
)
CLIP_HIGH = Control(
    name="high",
    symbol="h",
    label=N_("Clip high"),
    minimum=0.12,
    maximum=0.60,
    step=0.04,
    default=0.20,
    frames=(0.20, 0.28, 0.48),
)
_RATE = Control(
    name="rate",
    symbol="η",
    label=N_("Learning rate"),
    minimum=0.125,
    maximum=8,
    step=2,
    default=4,
    frames=(0.5, 4),
    log=True,
)
_EPOCHS = Control(
    name="epochs",
    symbol="E",
    label=N_("Epochs a batch"),
    minimum=1,
    maximum=8,
    step=1,
    default=4,
    frames=(1, 4),
    integer=True,
)
_BATCHES = 50
_RUNS = 64
_SEED = 26
_STALL = 0.3  # reward of the habit
_FAILING = (4.0, 4, 0.2, 0.2)


@lru_cache(maxsize=256)
def paths(rate: float, epochs: int, low: float, high: float) -> Path:
    """Return the figure's runs: the same 64 seeds for every setting."""
    rng = np.random.default_rng(_SEED)
    clip = Clip(low, high)
    return train_table(
        HABIT, rate=rate, epochs=epochs, clip=clip, rng=rng, batches=_BATCHES, runs=_RUNS
    )


def _backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.06, right=0.975, bottom=0.15, top=0.885, wspace=0.2)
    nats, reward = fig.subplots(1, 2)
    batches, failing = np.arange(_BATCHES + 1), paths(*_FAILING)
    for ax, values, limits, text in (
        (nats, failing.entropy, (0, 1.6), _("Entropy, nats")),
        (reward, failing.reward, (0, 1.0), _("Expected reward")),
    ):
        ax.set(xlim=(0, _BATCHES), ylim=limits)
        ax.set_xlabel(_("Batch"))
        style.quiet_axes(ax)
        marks.title(ax, text)
        ax.plot(batches, values.mean(axis=1), color=style.GHOST, lw=1.2, ls=(0, (5, 2)))
    marks.label(nats, 1, 1.5, (0, 0), _("dashed: as it opens"), style.GHOST_TEXT, "left")
    reward.axhline(_STALL, color=style.GHOST_TEXT, lw=0.9, ls=(0, (1, 2)))
    marks.label(reward, 50, _STALL, (0, -9), _("what the habit earns"), style.GHOST_TEXT, "right")
    return nats, reward


def _draw(axes: tuple[Any, Any], *, rate: float, epochs: int, low: float, high: float) -> None:
    path, batches = paths(rate, epochs, low, high), np.arange(_BATCHES + 1)
    for ax, values, colour in zip(axes, path, (style.BLUE, style.VERMILION), strict=True):
        spread = np.quantile(values, [0.1, 0.9], axis=1)
        ax.fill_between(batches, *spread, color=colour, alpha=0.14, lw=0)
        ax.plot(batches, values.mean(axis=1), color=colour, lw=style.LINE_PT)
    nats, reward = axes
    marks.headline(nats, 1, 0.86, "right", f"{path.entropy[-1].mean():.2f}")
    marks.words(nats, 1, 0.785, "right", _("nats are left, mean of 64 runs"))
    marks.headline(reward, 1, 0.93, "right", f"{path.reward[-1].mean():.2f}")
    words = _("{habit} of 64 runs still have the habit").format(habit=_with_habit(path))
    marks.words(reward, 1, 0.855, "right", words)


def _with_habit(path: Path) -> int:
    """Return how many runs end below the middle between the habit and the right answer.

    Some of them are stuck, and some on their way: what tells is the entropy they have left.
    """
    return int((path.reward[-1] < (_STALL + max(HABIT.success)) / 2).sum())


def _summary(*, rate: float, epochs: int, low: float, high: float) -> str:
    path = paths(rate, epochs, low, high)
    return _(
        "With η at {rate}, epochs at {epochs} and the clip at {low} below and {high} above, "
        "{nats} nats and a reward of {reward} are there after 50 batches; {habit} of 64 runs still "
        "have the habit."
    ).format(
        rate=f"{rate:g}",
        epochs=_EPOCHS.text(epochs),
        low=CLIP_LOW.text(low),
        high=CLIP_HIGH.text(high),
        nats=f"{path.entropy[-1].mean():.2f}",
        reward=f"{path.reward[-1].mean():.2f}",
        habit=_with_habit(path),
    )


TABLE = Figure(
    id="q26-table",
    number="B.26c",
    columns=2,
    controls=(_RATE, _EPOCHS, CLIP_LOW, CLIP_HIGH),
    caption=N_(
        "A policy over eight answers, trained on one group of eight attempts a batch: mean over 64 "
        "runs, and the range of the middle 80 %. Left: entropy. Right: expected reward. One rare "
        "answer earns 0.8, a habit 0.3, six others nothing."
    ),
    alt=N_(
        "Two panels over 50 batches. Left: the mean entropy and the range of the middle 80 % of "
        "runs. Right: the expected reward in the same way, with a dotted line at what the habit "
        "earns. A dashed line in each shows the setting that the figure opens with."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
