"""The third figure of Q21: bootstrap intervals over tasks and over samples, side by side."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.evaluation import bootstrap_interval, pass_at_k
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _

# Tasks whose pass rates follow Beta(A, B): many are hard, a few are easy.
A, B = 0.5, 1.5
BENCHMARKS, RESAMPLES = 40, 200
_BANK = 2048

_TASKS = Control(
    name="N",
    symbol="N",
    label=N_("Tasks"),
    minimum=20,
    maximum=200,
    step=20,
    default=100,
    frames=(20, 100, 200),
    integer=True,
)
_SAMPLES = Control(
    name="n",
    symbol="n",
    label=N_("Samples per task"),
    minimum=5,
    maximum=50,
    step=5,
    default=10,
    frames=(10, 40),
    integer=True,
)
_TRIES = Control(
    name="k",
    symbol="k",
    label=N_("Tries"),
    minimum=1,
    maximum=5,
    step=1,
    default=5,
    frames=(1, 2, 5),
    integer=True,
)

_Ends = NDArray[np.float64]


def true_pass_at_k(k: int) -> float:
    """Return pass@k of all tasks that there are, $1 - E[(1-p)^k]$ for Beta(A, B)."""
    i = np.arange(k)
    return float(1 - np.prod((B + i) / (A + B + i)))


@lru_cache(maxsize=128)
def intervals(N: int, n: int, k: int) -> tuple[_Ends, _Ends]:
    """Return both kinds of interval for each benchmark, shape (benchmarks, 2)."""
    rng = np.random.default_rng(10)
    value = pass_at_k(n, np.arange(n + 1), k)
    # Every record's new estimates, drawn once: a resample then picks from its task's row.
    records = np.arange(n + 1)[:, np.newaxis]
    again = value[rng.binomial(n, records / n, (n + 1, _BANK))]
    over_tasks, over_samples = [], []
    for _repeat in range(BENCHMARKS):
        passes = rng.binomial(n, rng.beta(A, B, N))
        over_tasks.append(bootstrap_interval(value[passes], resamples=RESAMPLES, rng=rng))
        drawn = again[passes, rng.integers(_BANK, size=(RESAMPLES, N))].mean(axis=1)
        over_samples.append(np.quantile(drawn, [0.025, 0.975]))
    return np.array(over_tasks), np.array(over_samples)


def _backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.065, right=0.98, bottom=0.1, top=0.885, wspace=0.12)
    axes = fig.subplots(1, 2)
    for ax, title in zip(
        axes,
        (_("Tasks drawn again, with replacement"), _("Samples drawn again, within each task")),
        strict=True,
    ):
        ax.set(xlim=(0, BENCHMARKS + 1), ylim=(0, 1), xticks=[])
        ax.set_xlabel(_("{count} benchmarks, each of new tasks").format(count=BENCHMARKS))
        style.quiet_axes(ax)
        marks.percent_axis(ax.yaxis)
        marks.title(ax, title)
    return tuple(axes)


def _held(ends: _Ends, k: int) -> NDArray[np.bool_]:
    truth = true_pass_at_k(k)
    return np.asarray((ends[:, 0] <= truth) & (truth <= ends[:, 1]))


def _draw(axes: tuple[Any, Any], *, N: int, n: int, k: int) -> None:
    place = np.arange(1, BENCHMARKS + 1)
    for ax, ends in zip(axes, intervals(N, n, k), strict=True):
        held = _held(ends, k)
        ax.axhline(true_pass_at_k(k), color=style.INK, lw=1.0)
        for which, colour, width in ((held, style.GHOST, 1.4), (~held, style.VERMILION, 2.6)):
            ax.vlines(place[which], ends[which, 0], ends[which, 1], color=colour, lw=width)
        # Below the intervals where they lie high, above them where they lie low.
        y = 0.05 if true_pass_at_k(k) > 0.45 else 0.88
        marks.headline(ax, 0.015, y, "left", f"{held.sum()} / {BENCHMARKS}")
        ax.text(
            0.27, y + 0.01, _("intervals hold the truth (line)"), transform=ax.transAxes, ha="left"
        )


def _summary(*, N: int, n: int, k: int) -> str:
    tasks, samples = (int(_held(ends, k).sum()) for ends in intervals(N, n, k))
    return _(
        "For pass@{k} from {N} tasks with {n} samples each, {tasks} of {count} intervals over "
        "tasks hold the true value, and {samples} of {count} over samples."
    ).format(k=k, N=N, n=n, tasks=tasks, samples=samples, count=BENCHMARKS)


BOOTSTRAP = Figure(
    id="q21-bootstrap",
    number="B.21c",
    columns=2,
    controls=(_TASKS, _SAMPLES, _TRIES),
    caption=N_(
        "Bootstrap intervals (95 %) for the mean pass@k of benchmarks that were each drawn anew. "
        "Thick intervals miss the true value, the line."
    ),
    alt=N_(
        "Two rows of vertical intervals round a level line. Left, over tasks: long intervals, "
        "nearly all of which cross the line. Right, over samples: short ones, of which many miss "
        "it."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
