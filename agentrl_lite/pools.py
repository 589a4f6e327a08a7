"""A pool of tasks, and how many of them a step is expected to learn from.

A pool is an array of success probabilities, one per task.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import roots_jacobi

from agentrl_lite import checked
from agentrl_lite.advantages import informative_probability

Floats = NDArray[np.float64]


def mixed_pool(
    tasks: int,
    *,
    middle: float = 0.1,
    tail: tuple[float, float] = (0.3, 0.5),
    tail_share: float = 0.2,
    never_share: float = 0.15,
    always_share: float = 0.05,
    rng: np.random.Generator,
) -> Floats:
    """Draw a pool with a middle, a tail of easier tasks, and tasks at 0 and at 1.

    Args:
        tasks: number of tasks, at least 1.
        middle: success probability of the tasks that are left over by the shares.
        tail: lowest and highest success probability of the easier tasks, drawn uniformly.
        tail_share: share of tasks in the tail.
        never_share: share of tasks that the policy never solves.
        always_share: share of tasks that it always solves.
        rng: random generator; decides the tail's probabilities and the order of the tasks.

    Returns:
        Success probabilities, shape (tasks,), float64.

    Raises:
        ValueError: for a probability outside [0, 1], or shares that sum to more than 1.

    >>> pool = mixed_pool(1000, rng=np.random.default_rng(0))
    >>> float(np.median(pool)), int((pool == 0).sum()), int((pool == 1).sum())
    (0.1, 150, 50)
    """
    checked.whole("tasks", tasks, 1)
    low, high = tail
    if not (0 <= low <= high <= 1 and 0 <= middle <= 1):
        raise ValueError(
            f"middle and tail must lie from 0 to 1, tail in order; they were {middle!r}, {tail!r}"
        )
    shares = (tail_share, never_share, always_share)
    if min(shares) < 0 or sum(shares) > 1 + 1e-12:
        raise ValueError(f"shares must be at least 0 and sum to at most 1; they were {shares!r}")
    in_tail, never, always = (round(share * tasks) for share in shares)
    pool = np.full(tasks, middle)
    pool[:in_tail] = rng.uniform(low, high, in_tail)
    pool[in_tail : in_tail + never] = 0.0
    pool[in_tail + never : in_tail + never + always] = 1.0
    return rng.permutation(pool)


def beta_pool(
    a: float, b: float, *, highest: float = 1.0, nodes: int = 40
) -> tuple[Floats, Floats]:
    r"""Stand a few weighted tasks for a pool whose pass rates follow `highest` times a Beta(a, b).

    Gauss-Jacobi quadrature: the mean of a polynomial in p up to degree $2\cdot$`nodes`$\,-1$ over
    these tasks is its mean over the pool, up to rounding. $1 - p^G - (1-p)^G$ is one of degree G,
    so `informative_tasks` is then exact for G below twice `nodes`. Beta(1, 1) is the uniform pool.

    Args:
        a: first shape, above 0; below 1 it heaps tasks up at 0.
        b: second shape, above 0; below 1 it heaps tasks up at `highest`.
        highest: greatest success probability, above 0, at most 1.
        nodes: number of tasks, from 1.

    Returns:
        Success probabilities and their weights, which sum to 1, each of shape (nodes,), float64.

    Raises:
        ValueError: for an argument out of range.

    >>> pass_rates, weights = beta_pool(1, 1, highest=0.4)
    >>> float(informative_tasks(pass_rates, 4, 128, weights=weights).round(2))
    68.32
    """
    checked.above("a", a)
    checked.above("b", b)
    if not 0 < highest <= 1:
        raise ValueError(f"highest must be above 0 and at most 1; it was {highest!r}")
    checked.whole("nodes", nodes, 1)
    x, weights = roots_jacobi(nodes, b - 1, a - 1)
    return highest * (1 + x) / 2, weights / weights.sum()


def fit_beta(successes: ArrayLike, attempts: int) -> tuple[float, float]:
    r"""Return the Beta whose first two moments are those of the tasks' success probabilities.

    From c successes in n attempts, $c/n$ estimates p without bias, and $c(c-1)/(n(n-1))$ estimates
    $p^2$. The square of $c/n$ does not: it holds the noise of the attempts as well.

    Args:
        successes: shape (N,), whole numbers from 0 to `attempts`, one for each task.
        attempts: attempts at each task, a whole number from 2.

    Returns:
        The shapes a and b.

    Raises:
        ValueError: for an argument out of range, or for counts that spread no more than alike
            tasks would, or are all 0 or `attempts`: no Beta has such moments.

    >>> a, b = fit_beta([0, 0, 1, 2, 4], 4)
    >>> round(a, 2), round(b, 2)
    (0.37, 0.68)
    """
    checked.whole("attempts", attempts, 2)
    counts = np.asarray(successes, dtype=np.float64)
    if counts.ndim != 1 or counts.size == 0:
        raise ValueError(f"successes must hold at least one task; its shape was {counts.shape}")
    odd = counts[~((counts >= 0) & (counts <= attempts) & (counts == np.floor(counts)))]
    if odd.size:
        raise ValueError(
            f"successes must be whole numbers from 0 to {attempts}; one was {odd[0]:g}"
        )
    mean = float(counts.mean() / attempts)
    square = float((counts * (counts - 1)).mean() / (attempts * (attempts - 1)))
    if not mean**2 < square < mean:
        raise ValueError(
            "successes must spread more than those of alike tasks, and not be all 0 or all "
            f"{attempts}; the means of p and of its square came out as {mean:g} and {square:g}"
        )
    tightness = (mean - square) / (square - mean**2)
    return mean * tightness, (1 - mean) * tightness


def informative_tasks(
    pass_rates: ArrayLike, G: ArrayLike, prompts: ArrayLike, *, weights: ArrayLike | None = None
) -> Floats:
    r"""Return how many of a step's tasks are expected to teach something.

    $P \cdot \mathrm{E}[1 - p^G - (1-p)^G]$, the expectation being over the pool from which the P
    prompts are drawn. At a budget of B episodes, P = B/G.

    Args:
        pass_rates: the pool, shape (N,): success probabilities from 0 to 1.
        G: group size, whole numbers from 1; any shape.
        prompts: prompts a step, at least 0; broadcasts against `G`.
        weights: shape (N,), how often each task is drawn, at least 0; `None` draws them equally.

    Returns:
        Expected counts, float64, of the broadcast shape of `G` and `prompts`.

    Raises:
        ValueError: for an empty pool, or an argument out of range.

    >>> float(informative_tasks([0.1], 8, 64).round(1))
    36.5
    """
    prompts_array = np.asarray(prompts, dtype=np.float64)
    if not (np.isfinite(prompts_array) & (prompts_array >= 0)).all():
        raise ValueError(f"prompts must be finite and at least 0; it was {prompts!r}")
    return np.asarray(prompts_array * _pool_share(pass_rates, G, weights))


def expected_draws(
    pass_rates: ArrayLike, G: ArrayLike, *, weights: ArrayLike | None = None
) -> Floats:
    r"""Return how many groups dynamic sampling pays for, on average, per informative group.

    A refill can fail like a first draw, so the number of draws is geometric with mean
    $1 / \mathrm{E}[1 - p^G - (1-p)^G]$. Multiply by G for episodes.

    Args:
        pass_rates: the pool, shape (N,), or one success probability.
        G: group size, whole numbers from 1; any shape.
        weights: shape (N,), how often each task is drawn; `None` draws them equally.

    Returns:
        Expected draws, float64, of the shape of `G`; infinite where no draw can succeed.

    Raises:
        ValueError: for an empty pool, or an argument out of range.

    Reference:
        Yu et al. 2025 (DAPO), arXiv 2503.14476, dynamic sampling.

    >>> float(expected_draws(0.1, 8).round(2))
    1.76
    """
    share = _pool_share(pass_rates, G, weights)
    with np.errstate(divide="ignore"):
        return np.asarray(1.0 / share)


def as_pool(pass_rates: ArrayLike) -> Floats:
    """Return pass rates as a float64 array of shape (N,), N from 1; one number is a pool of one.

    Raises:
        ValueError: for no task at all, more than one axis, or a rate outside [0, 1].
    """
    pool = np.atleast_1d(np.asarray(pass_rates, dtype=np.float64))
    if pool.ndim != 1 or pool.size == 0:
        raise ValueError(f"pass_rates must hold at least one task; its shape was {pool.shape}")
    outside = pool[~((pool >= 0.0) & (pool <= 1.0))]
    if outside.size:
        raise ValueError(f"pass_rates must lie between 0 and 1; one was {outside[0]}")
    return pool


def _pool_share(pass_rates: ArrayLike, G: ArrayLike, weights: ArrayLike | None) -> Floats:
    """Return the mean of `informative_probability` over the pool, in the shape of G."""
    pool = as_pool(pass_rates)
    draws = np.ones_like(pool) if weights is None else np.asarray(weights, dtype=np.float64)
    if (
        draws.shape != pool.shape
        or not (np.isfinite(draws) & (draws >= 0)).all()
        or not draws.sum()
    ):
        raise ValueError(
            f"weights must be {pool.size} numbers of at least 0, not all 0; they were {weights!r}"
        )
    each = informative_probability(pool, np.asarray(G)[..., np.newaxis])
    return np.asarray(each @ (draws / draws.sum()))
