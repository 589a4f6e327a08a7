"""What a step's sampling pays for and what it teaches: by expectation, and by simulation.

Three regimes: `"plain"` draws P different tasks a step. `"filtered"` first drops every task whose
last attempts, logged before, were all failures or all successes. `"refilled"` is dynamic sampling
group by group: it draws until P informative groups are there, and pays for the others too.

The pool is held fixed: the policy does not learn here. That is what makes the counts comparable
between ways of spending one budget.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from agentrl_lite import checked
from agentrl_lite.advantages import informative_probability
from agentrl_lite.pools import as_pool

Regime = Literal["plain", "filtered", "refilled"]


class StepCounts(NamedTuple):
    """The two counters of a run over a fixed pool, and what they cost; counted, or expected.

    Attributes:
        G: group size.
        prompts: prompts a step.
        zero_share: share of the paid-for groups in which every episode got the same reward.
        distinct_tasks: number of different tasks that gave at least one group with a gradient.
        episodes: episodes paid for, those of groups thrown away included.
        tasks_kept: tasks left in the pool after filtering.
    """

    G: int
    prompts: int
    zero_share: float
    distinct_tasks: float
    episodes: float
    tasks_kept: float

    @property
    def distinct_per_episode(self) -> float:
        """Distinct tasks with a gradient, per episode paid for."""
        return self.distinct_tasks / self.episodes


def expect_steps(
    pass_rates: ArrayLike,
    *,
    G: int,
    prompts: int,
    steps: int = 100,
    regime: Regime = "plain",
    history: int = 16,
) -> StepCounts:
    r"""Return the expectation of what `simulate_steps` counts, up to the variation of a refill.

    A task whose groups differ with probability $q = 1 - p^G - (1-p)^G$, and of which a step draws
    the share d, is taught within S steps with chance $1 - (1 - dq)^S$. A step draws the share
    $P/N$ of the pool; of the tasks the filter keeps, $P/N_k$; and with dynamic sampling
    $P / (N \bar q)$, where that a refill draws now more and now fewer is left out.

    Args:
        pass_rates: the pool, shape (N,), from 0 to 1.
        G: group size, a whole number from 1.
        prompts: prompts a step, from 1.
        steps: number of steps, from 1.
        regime: `"plain"`, `"filtered"` or `"refilled"`, as in `simulate_steps`.
        history: attempts a task already has behind it when the filter looks, from 1.

    Returns:
        Expected counts.

    Raises:
        ValueError: as `simulate_steps`.

    >>> round(expect_steps([0.5] * 100, G=2, prompts=10, steps=20).distinct_tasks, 1)
    64.2
    """
    pool = as_pool(pass_rates)
    _check_steps(regime, prompts=prompts, steps=steps, history=history)
    # A filter keeps a task when a "group" of its last attempts differs.
    kept = informative_probability(pool, history) if regime == "filtered" else np.ones(pool.size)
    teaches = informative_probability(pool, G)
    taught_share = float(kept @ teaches / kept.sum()) if kept.any() else 0.0
    groups = float(prompts)
    if regime == "refilled":
        _check_refill(taught_share)
        groups = prompts / taught_share
    if groups > kept.sum():
        raise ValueError(
            f"prompts must be at most what the {kept.sum():g} tasks kept can fill; it was {prompts}"
        )
    distinct = kept @ (1.0 - (1.0 - groups / kept.sum() * teaches) ** steps)
    episodes = groups * G * steps
    return StepCounts(G, prompts, 1 - taught_share, float(distinct), episodes, float(kept.sum()))


def simulate_steps(
    pass_rates: ArrayLike,
    *,
    G: int,
    prompts: int,
    steps: int = 100,
    regime: Regime = "plain",
    history: int = 16,
    rng: np.random.Generator,
) -> StepCounts:
    """Spend `steps` steps on a pool and count what a trainer could count from its rewards.

    Args:
        pass_rates: the pool, shape (N,), from 0 to 1.
        G: group size, a whole number from 1.
        prompts: prompts a step, from 1; in the end each is one group of G episodes.
        steps: number of steps, from 1.
        regime: `"plain"`, `"filtered"` or `"refilled"`.
        history: attempts a task already has behind it when the filter looks, from 1.
        rng: random generator.

    Returns:
        The counts.

    Raises:
        ValueError: for an argument out of range, for more prompts than there are tasks to draw, or
            for dynamic sampling from a pool in which no group can ever differ.

    Reference:
        Yu et al. 2025 (DAPO), arXiv 2503.14476, dynamic sampling.
    """
    pool = as_pool(pass_rates)
    _check_steps(regime, prompts=prompts, steps=steps, history=history)
    kept = np.arange(pool.size)
    if regime == "filtered":
        solved = rng.binomial(history, pool)
        kept = kept[(solved > 0) & (solved < history)]
    if prompts > kept.size:
        raise ValueError(f"prompts must be at most the {kept.size} tasks kept; it was {prompts!r}")
    if regime == "refilled":
        _check_refill(informative_probability(pool, G).max())

    taught = np.zeros(pool.size, dtype=bool)
    groups = flat_groups = 0
    for _ in range(steps):
        # Within a step no task comes twice, unless refilling has gone through the whole pool.
        order = rng.permutation(kept)
        wanted, start = prompts, 0
        while wanted:
            drawn = order.take(range(start, start + wanted), mode="wrap")
            rewards_P_G = rng.random((wanted, G)) < pool[drawn, np.newaxis]
            differs = rewards_P_G.any(axis=-1) & ~rewards_P_G.all(axis=-1)
            taught[drawn[differs]] = True
            groups, start = groups + wanted, start + wanted
            flat_groups += wanted - int(differs.sum())
            wanted = wanted - int(differs.sum()) if regime == "refilled" else 0
    return StepCounts(
        G, prompts, flat_groups / groups, int(taught.sum()), groups * G, int(kept.size)
    )


def _check_steps(regime: str, **counts: int) -> None:
    checked.option("regime", regime, get_args(Regime))
    for name, value in counts.items():
        checked.whole(name, value, 1)


def _check_refill(informative: float) -> None:
    if not informative:
        raise ValueError("pass_rates must let some group differ; refilling would never end")
