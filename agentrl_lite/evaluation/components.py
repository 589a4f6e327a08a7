"""Where the noise of a paired comparison comes from: tasks, samples, training seeds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from agentrl_lite import checked
from agentrl_lite.checked import Floats


class Components(NamedTuple):
    """The variance of an estimated difference, in three terms that add up.

    Attributes:
        task: from which tasks happened to be on the benchmark.
        sampling: from the luck of single attempts.
        seed: from which training seeds happened to be run.
    """

    task: Floats
    sampling: Floats
    seed: Floats

    @property
    def total(self) -> Floats:
        """The variance of the difference."""
        return self.task + self.sampling + self.seed

    @property
    def se(self) -> Floats:
        """The standard error of the difference."""
        return np.asarray(np.sqrt(self.total))


class Split(NamedTuple):
    """Per-task variances, estimated from one pair of checkpoints; each may come out below 0.

    Attributes:
        task: variance over tasks of the true difference.
        sampling: mean over tasks of both Bernoulli variances, for one attempt each.
    """

    task: float
    sampling: float


def difference_components(
    task_variance: ArrayLike,
    sampling_variance: ArrayLike,
    seed_variance: ArrayLike,
    *,
    tasks: ArrayLike,
    samples: ArrayLike = 1,
    seeds: ArrayLike = 1,
) -> Components:
    r"""Return the three terms of a paired difference's variance, which say what would shrink it.

    $\sigma_{task}^2/N + \sigma_{sampling}^2/(NKS) + \sigma_{seed}^2/S$. Both methods run
    with S seeds, each seed attempts the same N tasks K times. A seed that suits some tasks better
    than others would add a fourth term, over NS; it is left out here.

    Args:
        task_variance: variance over tasks of the true difference of pass rates.
        sampling_variance: mean over tasks of $p_A(1-p_A) + p_B(1-p_B)$.
        seed_variance: variance over pairs of seeds of the true difference: twice that of one
            method's score.
        tasks: N, whole numbers from 1.
        samples: attempts at each task by each seed, K, whole numbers from 1.
        seeds: training runs of each method, S, whole numbers from 1.

    Returns:
        Three terms, float64, of the broadcast shape.

    Raises:
        ValueError: for a negative variance, or a count that is no whole number from 1.

    Reference:
        Miller 2024, arXiv 2411.00640, section 3, for the first two terms.

    >>> round(float(difference_components(0.01, 0.13, 0.0, tasks=500).se), 4)
    0.0167
    """
    variances = [
        _variance(name, given)
        for name, given in (
            ("task_variance", task_variance),
            ("sampling_variance", sampling_variance),
            ("seed_variance", seed_variance),
        )
    ]
    counts = [
        _count(name, given)
        for name, given in (("tasks", tasks), ("samples", samples), ("seeds", seeds))
    ]
    task, sampling, seed, N, K, S = np.broadcast_arrays(*variances, *counts)
    return Components(task / N, sampling / (N * K * S), seed / S)


def split_variance(passes_a_N: ArrayLike, passes_b_N: ArrayLike, samples: int) -> Split:
    r"""Split the spread of per-task differences into true differences and luck, without bias.

    Luck is seen within tasks, where one checkpoint's attempts disagree: c of K passes estimate
    $p(1-p)$ by $c(K-c)/(K(K-1))$. What luck does not explain of the spread is left for the tasks.

    Args:
        passes_a_N: passes of the first checkpoint, one count for each task.
        passes_b_N: passes of the second, on the same tasks in the same order.
        samples: attempts at each task, K, a whole number from 2.

    Returns:
        Two variances for one task and one attempt.

    Raises:
        ValueError: for fewer than two tasks or attempts, other shapes, or a count outside 0 to K.

    >>> split = split_variance([0, 1, 2, 2], [0, 2, 2, 1], 2)
    >>> round(split.task, 3), round(split.sampling, 3)
    (0.042, 0.25)
    """
    K = int(checked.counts("samples", samples, 2))
    passes = [
        checked.samples(K, given, name)[1].astype(np.float64)
        for name, given in (("passes_a_N", passes_a_N), ("passes_b_N", passes_b_N))
    ]
    shapes = [np.shape(passes_a_N), np.shape(passes_b_N)]
    if shapes[0] != shapes[1] or len(shapes[0]) != 1 or shapes[0][0] < 2:
        raise ValueError(
            f"passes_a_N and passes_b_N must be of one shape (N,), N from 2; they were {shapes}"
        )
    sampling = float(sum((c * (K - c)).mean() for c in passes) / (K * (K - 1)))
    spread = float(((passes[1] - passes[0]) / K).var(ddof=1))
    return Split(spread - sampling / K, sampling)


def crossed_se(differences_S_N: ArrayLike) -> Floats:
    r"""Return the standard error of a mean difference over S seeds that share N tasks.

    Seeds and tasks are both drawn from something wider, and both are crossed: with $V_S$ the
    variance of the seeds' means, $V_N$ that of the tasks' means and $V_{SN}$ that of what is left,
    $\sqrt{V_S/S + V_N/N - V_{SN}/(SN)}$. Never less than either of the first two alone.

    Args:
        differences_S_N: per-task differences of pass rates, shape (..., S, N).

    Returns:
        Standard errors, float64, of the leading shape; NaN for one seed or one task, which say
        nothing about others.

    Raises:
        ValueError: for fewer than two dimensions.

    Reference:
        Cameron, Gelbach and Miller 2011, Robust inference with multiway clustering.

    >>> round(float(crossed_se([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])), 3)
    0.289
    """
    differences = np.asarray(differences_S_N, dtype=np.float64)
    if differences.ndim < 2:
        raise ValueError(
            f"differences_S_N must have the dimensions S and N; its shape was {differences.shape}"
        )
    S, N = differences.shape[-2:]
    if S < 2 or N < 2:
        return np.full(differences.shape[:-2], np.nan)
    by_seed = differences.mean(axis=-1, keepdims=True)
    by_task = differences.mean(axis=-2, keepdims=True)
    whole = differences.mean(axis=(-2, -1), keepdims=True)
    rest = ((differences - by_seed - by_task + whole) ** 2).sum(axis=(-2, -1))
    seed = by_seed[..., 0].var(axis=-1, ddof=1) / S
    task = by_task[..., 0, :].var(axis=-1, ddof=1) / N
    both = seed + task - rest / ((S - 1) * (N - 1) * S * N)
    return np.asarray(np.sqrt(np.maximum(both, np.maximum(seed, task))))


def _variance(name: str, given: ArrayLike) -> Floats:
    array = np.asarray(given, dtype=np.float64)
    if not (array >= 0).all():
        raise ValueError(f"{name} must be at least 0; it was {given!r}")
    return array


def _count(name: str, given: ArrayLike) -> Floats:
    return checked.counts(name, given, 1).astype(np.float64)
