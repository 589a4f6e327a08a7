"""The figures of Q26 that show the stored runs of sixteen seeds."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agentrl_lite import sweeps
from agentrl_lite.base_policy import base_weights
from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.checkpoints import pass_counts
from agentrl_lite.evaluation import pass_at_k
from agentrl_lite.experiments import experiment
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.runs import COLOURS, SHAPES, draw_band, side_by_side
from agentrl_lite.figures.spec import Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.rules import Rules
from agentrl_lite.trainer import policy_for

# The arms whose range over seeds is drawn; the others are a mean alone.
_RANGED = ("failing", "mended")
_K = 2 ** np.arange(7)


def _sweep_backdrop(fig: Any) -> tuple[Any, ...]:
    entropy, reward, _flat = experiment("q26").panels
    return side_by_side(fig, (entropy, reward), experiment("q26").arms[0].config.steps)


def _draw_sweep(axes: tuple[Any, ...]) -> None:
    sweep = sweeps.load("q26")
    for ax, metric in zip(axes, ("policy_entropy", "reward"), strict=True):
        for arm, colour, shape in zip(experiment("q26").arms, COLOURS, SHAPES, strict=True):
            values = sweep[arm.id, metric]
            if arm.id not in _RANGED:
                values = values.mean(axis=0, keepdims=True)
            draw_band(ax, sweep.steps, values, _(arm.label), colour, shape=shape)


def _sweep_summary() -> str:
    sweep = sweeps.load("q26")
    failing, mended = (sweep.at(arm, "policy_entropy", 50).mean() for arm in _RANGED)
    return _(
        "At step 50 the failing runs have {failing} nats left on average, the mended ones {mended}."
    ).format(failing=f"{failing:.2f}", mended=f"{mended:.2f}")


@lru_cache(maxsize=1)
def _curves() -> dict[str, NDArray[np.float64]]:
    """Return pass@k of the base policy and of some arms, mean over tasks and seeds."""
    sweep, table = sweeps.load("q26"), outcomes()
    weights, rules = base_weights(policy_for(table)), Rules(broken=(0.0,))
    base = pass_counts(weights, table, sweep.attempts, rules, rng=np.random.default_rng(26))
    counts = {"base": base[np.newaxis]} | {
        arm: sweep.counts(arm) for arm in ("failing", "halved-higher", "mended")
    }
    return {
        name: pass_at_k(sweep.attempts, passes[..., np.newaxis], _K).mean(axis=(0, 1))
        for name, passes in counts.items()
    }


def _passes_backdrop(fig: Any) -> Any:
    _curves()  # the base policy tries every task here, and not in the first redraw
    fig.subplots_adjust(left=0.125, right=0.76, bottom=0.17, top=0.895)
    ax = fig.add_subplot()
    ax.set_xscale("log", base=2)
    ax.set(xlim=(1, _K[-1]), ylim=(0, 1.02))
    style.quiet_axes(ax)
    marks.count_axis(ax.xaxis, _K.tolist())
    marks.title(ax, _("pass@k, mean over 16 tasks"))
    ax.set_xlabel(_("Attempts {k}").format(k="$k$"))
    return ax


def _draw_passes(ax: Any) -> None:
    arms = [arm.id for arm in experiment("q26").arms]
    dash: Any
    for name, curve in _curves().items():
        if name == "base":
            # Its end is far from where the last steps' mean would put the label.
            marks.label(ax, 8, curve[3], (7, -7), _("base policy"), style.INK, "left")
            label, colour, shape, dash = "", style.INK, "p", (0, (4, 2))
        else:
            i = arms.index(name)
            label, dash = _(experiment("q26").arm(name).label), "-"
            colour, shape = COLOURS[i], SHAPES[i]
        draw_band(ax, _K, curve[np.newaxis], label, colour, shape=shape, dash=dash)


def _passes_summary() -> str:
    curves = _curves()
    return _(
        "With 8 attempts the base policy solves {base} of the tasks, the failing runs {failing}, "
        "the mended ones {mended}."
    ).format(**{name: marks.percent(curves[name][3]) for name in ("base", "failing", "mended")})


SWEEP = Figure(
    id="q26-sweep",
    number="B.26d",
    columns=2,
    controls=(),
    caption=N_(
        "Six ways to train the tiny policy, mean over sixteen seeds; for the failing and the "
        "mended one the range over seeds too. Left: entropy of the policy. Right: reward."
    ),
    alt=N_(
        "Two panels over 100 steps with a line for each of six arms. Left: the entropy of the "
        "failing arm and of the four others falls within 50 steps; the mended one's stays high. "
        "Right: the reward of the mended arm ends highest."
    ),
    backdrop=_sweep_backdrop,
    draw=_draw_sweep,
    summary=_sweep_summary,
)
PASSES = Figure(
    id="q26-passes",
    number="B.26e",
    columns=1,
    controls=(),
    caption=N_(
        "pass@k of the policy that the runs start from and of three arms after training, mean over "
        "tasks and sixteen seeds."
    ),
    alt=N_(
        "pass@k against the number of attempts from 1 to 64: the curve of the failing arm is flat "
        "and is crossed by that of the base policy before 4; that of the halved rate with "
        "clip-higher is flat too, and higher; the mended arm's is the highest up to 8, and then "
        "the base policy's is."
    ),
    backdrop=_passes_backdrop,
    draw=_draw_passes,
    summary=_passes_summary,
)
