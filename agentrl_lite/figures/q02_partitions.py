"""The second figure of Q2: every partition of six trajectories, by two numbers of its gradient."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.accumulation import Agreement, agreement, mean_of_means, set_partitions
from agentrl_lite.advantages import group_advantages
from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.experiments import experiment
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.trainer import freeze, minibatch_gradient, policy_for, steps

SEED, UPDATES, SIX = 1, 30, 6
_TOP = 3.2

_PARTS = Control(
    name="m",
    symbol="m",
    label=N_("Microbatches"),
    minimum=1,
    maximum=SIX,
    step=1,
    default=3,
    frames=(1, 2, 3, 4, 5, 6),
    integer=True,
)


@lru_cache(maxsize=1)
def _compared() -> dict[int, NDArray[np.float64]]:
    """Return cosine and norm ratio of each mean of means, by number of parts; shape (n, 2)."""
    table, run = outcomes(), experiment("q27").arm("failing").config
    *_before, last, step = steps(replace(run, seed=SEED, steps=UPDATES + 1), table)
    config, policy = replace(run, aggregation="token-mean"), policy_for(table)
    rewards_P_G = step.played.batch.rewards_B.reshape(config.prompts, config.group)
    advantages = group_advantages(rewards_P_G, ddof=config.ddof, epsilon=config.epsilon).ravel()
    mask, W = step.played.batch.mask_B_T, last.state.newest
    frozen, _row = freeze(config, policy, last.state, step.played, mask, advantages)
    reference = minibatch_gradient(config, policy, W, frozen, np.arange(SIX)).gradient
    found: dict[int, list[Agreement]] = {}
    for parts in set_partitions(SIX):
        gradient = mean_of_means(config, policy, W, frozen, parts)
        found.setdefault(len(parts), []).append(agreement(gradient, reference))
    return {m: np.array(pairs) for m, pairs in found.items()}


def _backdrop(fig: Any) -> Any:
    fig.subplots_adjust(left=0.135, right=0.955, bottom=0.175, top=0.885)
    ax = fig.add_subplot()
    ax.set(xlim=(0, 1.04), ylim=(0, _TOP))
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.50", "0.75", "1"])
    ax.set_yticks([0, 1, 2, 3])
    style.quiet_axes(ax)
    ax.set_xlabel(_("Cosine with the gradient of one batch"))
    marks.title(ax, _("Norm, over that of one batch"))
    pairs = np.concatenate([*_compared().values()])
    ax.plot(*pairs.T, "o", ms=2.6, color=style.GHOST, alpha=0.6, mew=0)
    return ax


def _draw(ax: Any, *, m: int) -> None:
    pairs = _compared()[m]
    ax.plot(*pairs.T, "o", ms=4.2, color=style.BLUE, mec=style.PAPER, mew=0.4)
    ax.plot([1], [1], "D", ms=7, mfc=style.VERMILION, mec=style.PAPER, mew=1.0, clip_on=False)
    marks.label(ax, 1, 1, (2, -15), _("one count: all 203"), style.VERMILION, "right")
    said = _("mean of means, m = {m}: {n} of 203").format(m=m, n=len(pairs))
    text = ax.text(0.02, 0.05, said, transform=ax.transAxes, color=style.BLUE)
    text.set(fontsize=style.SMALL_PT, weight="bold")


def _summary(*, m: int) -> str:
    cosine, ratio = _compared()[m].T
    return _(
        "With m = {m} ({n} of 203 partitions) the mean of means has cosines from {a} to {b} and "
        "norm ratios from {c} to {d}; with one count for all, both are 1."
    ).format(
        m=m,
        n=len(cosine),
        a=f"{cosine.min():.2f}",
        b=f"{cosine.max():.2f}",
        c=f"{ratio.min():.2f}",
        d=f"{ratio.max():.2f}",
    )


PARTITIONS = Figure(
    id="q02-partitions",
    number="B.2b",
    columns=1,
    controls=(_PARTS,),
    caption=N_(
        "All 203 partitions of six trajectories into microbatches: cosine and norm ratio of the "
        "mean of means against one batch. With one count for all, every partition is the diamond."
    ),
    alt=N_(
        "A cloud of 203 points over cosine and norm ratio, one for each partition of six "
        "trajectories, spread from small cosines and ratios near three to the point (1, 1), where "
        "a diamond marks all partitions under global counts."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
