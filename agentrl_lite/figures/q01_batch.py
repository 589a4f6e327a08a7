"""The second figure of Q1: total weight against length, on batches of the tiny policy."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.experiments import experiment
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.losses import Aggregation, trajectory_weights
from agentrl_lite.trainer import steps

SEED, EVERY, LAST = 1, 10, 40
MODES: tuple[Aggregation, ...] = get_args(Aggregation)
_SPAN = np.array([1.5, 64.0])

MODE = Control(
    name="mode",
    symbol="mode",
    label=N_("Mode"),
    minimum=1,
    maximum=4,
    step=1,
    default=2,
    frames=(1, 2, 3, 4),
    integer=True,
    # The picture has the numbers, at its lines.
    names=tuple(f"{number} · {mode}" for number, mode in enumerate(MODES, 1)),
)
_UPDATES = Control(
    name="n",
    symbol="n",
    label=N_("Updates done"),
    minimum=0,
    maximum=LAST,
    step=EVERY,
    default=30,
    frames=(0, 30),
    integer=True,
)


class Drawn(NamedTuple):
    """One batch: policy tokens of each trajectory, whether it is solved, and L_max."""

    lengths: NDArray[np.int64]
    solved: NDArray[np.bool_]
    constant: float


@lru_cache(maxsize=1)
def batches() -> tuple[Drawn, ...]:
    """Return every tenth batch of a run that trains by sequence means."""
    config = replace(experiment("q27").arm("failing").config, seed=SEED, steps=LAST + 1)
    return tuple(
        Drawn(step.played.lengths_B, step.played.solved_B, config.max_length)
        for number, step in enumerate(steps(config, outcomes()))
        if number % EVERY == 0
    )


def relative_weights(drawn: Drawn, mode: Aggregation) -> NDArray[np.float64]:
    """Return each trajectory's total weight, times the number of trajectories."""
    mask = np.arange(drawn.lengths.max()) < drawn.lengths[:, np.newaxis]
    constant = drawn.constant if mode == "seq-mean-token-sum-norm" else None
    return len(drawn.lengths) * trajectory_weights(mask, mode, max_length=constant)


def _backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.06, right=0.975, bottom=0.16, top=0.885, wspace=0.1)
    weights, shares = fig.subplots(1, 2, width_ratios=(1.45, 1))
    weights.set_xscale("log", base=2)
    weights.set_yscale("log")
    weights.set(xlim=_SPAN, ylim=(0.03, 200))
    marks.count_axis(weights.xaxis, [2, 4, 8, 16, 32, 64])
    weights.set_yticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    style.quiet_axes(weights)
    weights.set_xlabel(_("Policy tokens of the trajectory"))
    marks.title(weights, _("Total weight of a trajectory, in units of 1/B"))
    shares.set(xlim=(0, 1), ylim=(3.4, -0.1))
    shares.set_yticks([])
    shares.spines["left"].set_visible(False)
    style.quiet_axes(shares, horizontal=False)
    marks.percent_axis(shares.xaxis)
    marks.title(shares, _("Share of the failures"))
    return weights, shares


def _label_lines(ax: Any, drawn: Drawn, mode: int) -> None:
    """Draw every mode's weight against length, with its number where the lines are apart."""
    lengths = drawn.lengths
    slopes = {1: 1 / lengths.mean(), 3: 1.0, 4: 1 / drawn.constant}
    for number in range(1, len(MODES) + 1):
        y = _SPAN * slopes[number] if number in slopes else np.ones(2)
        chosen = number == mode
        colour = style.BLUE if chosen else style.GHOST
        ax.plot(_SPAN, y, color=colour, lw=1.6 if chosen else style.GHOST_PT)
        end = 0 if number < 3 else 1
        text = ax.annotate(
            str(number),
            (_SPAN[end], y[end]),
            xytext=(4 - 8 * end, 2),
            textcoords="offset points",
            ha="right" if end else "left",
            fontsize=style.SMALL_PT,
            color=style.BLUE if chosen else style.GHOST_TEXT,
        )
        text.set(weight="bold" if chosen else "normal")


def _draw(axes: tuple[Any, Any], *, mode: int, n: int) -> None:
    ax, shares = axes
    drawn, name = batches()[n // EVERY], MODES[mode - 1]
    weight, failed = relative_weights(drawn, name), ~drawn.solved
    _label_lines(ax, drawn, mode)
    kinds = (
        (failed, "s", "none", style.VERMILION, _("failures: mean {tokens} tokens")),
        (drawn.solved, "o", style.GREEN, style.GREEN, _("successes: mean {tokens} tokens")),
    )
    for row, (which, marker, fill, colour, words) in enumerate(kinds):
        length, count = np.unique(drawn.lengths[which], return_counts=True)
        place = [weight[drawn.lengths == x][0] for x in length]
        ax.scatter(length, place, s=12 * count, marker=marker, fc=fill, ec=colour, lw=1.1, zorder=3)
        said = words.format(tokens=f"{drawn.lengths[which].mean():.1f}")
        text = ax.text(0.99, 0.115 - 0.085 * row, said, transform=ax.transAxes, ha="right")
        text.set(color=colour, fontsize=style.SMALL_PT)
    said = _("{number} · {mode}").format(number=mode, mode=name)
    text = ax.text(0.02, 0.91, said, transform=ax.transAxes, color=style.BLUE)
    text.set_weight("bold")
    bars = (
        (_("of the trajectories"), failed.mean(), style.GHOST),
        (_("of the policy tokens"), drawn.lengths[failed].sum() / drawn.lengths.sum(), style.GHOST),
        (_("of the weight"), weight[failed].sum() / weight.sum(), style.BLUE),
    )
    for row, (words, share, colour) in enumerate(bars):
        y = 0.72 + 1.1 * row
        shares.barh(y, share, height=0.42, color=colour)
        shares.text(0, y - 0.32, words, ha="left")
        number = shares.text(1, y - 0.32, marks.short_percent(float(share)), ha="right")
        number.set(weight="bold", color=style.BLUE if colour == style.BLUE else style.INK)


def _summary(*, mode: int, n: int) -> str:
    drawn, name = batches()[n // EVERY], MODES[mode - 1]
    weight, failed = relative_weights(drawn, name), ~drawn.solved
    return _(
        "After {n} updates failures have {failure} policy tokens on average and successes "
        "{success}; under {mode} the failures get {share} of the weight."
    ).format(
        n=n,
        failure=f"{drawn.lengths[failed].mean():.1f}",
        success=f"{drawn.lengths[~failed].mean():.1f}",
        mode=name,
        share=marks.percent(float(weight[failed].sum() / weight.sum())),
    )


BATCH = Figure(
    id="q01-batch",
    number="B.1b",
    columns=2,
    controls=(MODE, _UPDATES),
    caption=N_(
        "Total weight against length, on a batch of 128 trajectories of the tiny policy, by "
        "aggregation mode (left; areas count trajectories), and the failures' share of it (right)."
    ),
    alt=N_(
        "Left: discs for successes and squares for failures, on a straight line that is flat under "
        "sequence means and rises with the length under the other modes. Right: three bars with "
        "the failures' share of the trajectories, of the policy tokens and of the weight."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
