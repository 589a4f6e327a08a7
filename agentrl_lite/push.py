"""Where a step's push goes: which episodes the positive advantages raise, and which of those lie.

The *push* of an episode is its advantage where that is positive: the weight with which the step
makes its actions likelier. Only shares of a step's push are compared here: a factor on every
advantage changes the size of a step and not where it goes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The binomial's distribution function; scipy.stats has it too, and takes a second to import.
from scipy.special import bdtr, binom

from agentrl_lite import checked
from agentrl_lite.advantages import group_advantages
from agentrl_lite.pools import as_pool
from agentrl_lite.rewards import genuine_share, rewarded_rate


class PushShares(NamedTuple):
    """How much of a step's push falls to a bucket of tasks, and to its false successes.

    Attributes:
        bucket: the bucket's share of the whole step's push; NaN where nothing is pushed.
        false_in_bucket: share of the bucket's push that raises unsolved episodes; NaN over nothing.
    """

    bucket: float
    false_in_bucket: float

    @property
    def false_of_step(self) -> float:
        """Share of the whole step's push that raises the bucket's unsolved episodes."""
        return self.bucket * self.false_in_bucket


def push_shares(
    advantages_P_G: ArrayLike, solved_P_G: ArrayLike, bucket_P: ArrayLike
) -> PushShares:
    """Count where the push of a step went.

    Args:
        advantages_P_G: shape (P, G), finite.
        solved_P_G: shape (P, G), whether each episode is really solved.
        bucket_P: shape (P,), whether each task belongs to the bucket.

    Returns:
        The shares.

    Raises:
        ValueError: for shapes that do not fit, or an advantage that is not finite.

    >>> push_shares([[0.75, -0.75], [0.25, -0.25]], [[1, 0], [0, 0]], [False, True])
    PushShares(bucket=0.25, false_in_bucket=1.0)
    """
    advantages = np.asarray(advantages_P_G, dtype=np.float64)
    solved, bucket = np.asarray(solved_P_G, dtype=bool), np.asarray(bucket_P, dtype=bool)
    if advantages.ndim != 2 or not np.isfinite(advantages).all():
        raise ValueError(
            f"advantages_P_G must be finite, with two axes; its shape was {advantages.shape}"
        )
    for name, array, shape in (
        ("solved_P_G", solved, advantages.shape),
        ("bucket_P", bucket, advantages.shape[:1]),
    ):
        if array.shape != shape:
            raise ValueError(f"{name} must have the shape {shape}; it was {array.shape}")
    push = np.maximum(advantages, 0.0)
    inside = push[bucket]
    return _shares(push.sum(), inside.sum(), inside[~solved[bucket]].sum())


def expected_push_shares(
    pass_rates: ArrayLike,
    *,
    G: int,
    false_positive: float,
    false_negative: float,
    ddof: int | None = None,
    epsilon: float = 0.0,
    history: int = 16,
    most: int = 2,
) -> PushShares:
    r"""Return the shares that `push_shares` counts, as ratios of expectations.

    The bucket holds the tasks of which at most `most` of the last `history` attempts were rewarded.
    A group with c rewards pushes S(c), and c is binomial at the rate that the verifier shows; the
    flips being independent, each rewarded episode of a task is genuine with the same chance.

    Args:
        pass_rates: the pool, shape (N,): true success probabilities from 0 to 1.
        G: group size, a whole number from 1.
        false_positive: chance that a wrong patch is rewarded.
        false_negative: chance that a right patch is not.
        ddof: as in `group_advantages`: `None` does not divide.
        epsilon: as in `group_advantages`.
        history: attempts a task has behind it, from 1.
        most: rewarded attempts among these up to which a task is in the bucket, from 0.

    Returns:
        The shares.

    Raises:
        ValueError: for an argument out of range.
    """
    for name, value, least in (("G", G, 1), ("history", history, 1), ("most", most, 0)):
        checked.whole(name, value, least)
    # Tasks of the same rate are alike: each rate is worked out once.
    rates, copies = np.unique(as_pool(pass_rates), return_counts=True)
    flips = {"false_positive": false_positive, "false_negative": false_negative}
    shown = rewarded_rate(rates, **flips)
    push = copies * (_binomial(shown, G) @ _group_push(G, ddof, epsilon))
    inside = push * bdtr(min(most, history), history, shown)
    false = inside * (1.0 - np.nan_to_num(genuine_share(rates, **flips)))
    return _shares(push.sum(), inside.sum(), false.sum())


def _group_push(G: int, ddof: int | None, epsilon: float) -> NDArray[np.float64]:
    """Return the push of a group with c rewards, for c from 0 to G."""
    rewards = np.arange(G) < np.arange(G + 1)[:, np.newaxis]
    advantages = group_advantages(rewards, ddof=ddof, epsilon=epsilon)
    return np.asarray(np.maximum(advantages, 0.0).sum(axis=1))


def _binomial(rates: NDArray[np.float64], G: int) -> NDArray[np.float64]:
    """Return the chance of c successes in G, shape (rates, G + 1)."""
    c, p = np.arange(G + 1), rates[:, np.newaxis]
    return np.asarray(binom(G, c) * p**c * (1.0 - p) ** (G - c))


def _shares(step: float, bucket: float, false: float) -> PushShares:
    of_step = float(bucket / step) if step else float("nan")
    return PushShares(of_step, float(false / bucket) if bucket else float("nan"))
