"""Group baselines: what an episode's reward is compared with, and when the comparison says nothing.

Arrays of rewards are named `rewards_P_G`: P prompts, each with a group of G episodes. The group is
always the last axis; any axes before it are carried along. Everything is computed in float64.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agentrl_lite import checked

Floats = NDArray[np.float64]
Baseline = Literal["mean", "leave_one_out"]


class GroupSummary(NamedTuple):
    """What a dashboard shows of one step's groups.

    Attributes:
        frac_reward_zero_std: share of groups in which every scored episode has the same reward.
        unscored: number of episodes whose reward is NaN (a verifier that did not answer).
    """

    frac_reward_zero_std: float
    unscored: int


def group_advantages(
    rewards_P_G: ArrayLike,
    *,
    baseline: Baseline = "mean",
    ddof: int | None = None,
    epsilon: float = 0.0,
) -> Floats:
    r"""Compare each episode with its group.

    With the group's mean $\bar r$ as baseline the advantage is $r_i - \bar r$; with leave-one-out
    it is $r_i - \frac{1}{G-1}\sum_{j \ne i} r_j$, which is $G/(G-1)$ times as much. Where `ddof`
    is given, it is divided by (standard deviation + `epsilon`): of the whole group, or, with
    leave-one-out, of the other episodes alone.

    A group without spread gets exactly 0, and so does a group of one. With leave-one-out, an
    episode whose peers do not differ among themselves is left undivided. A NaN reward counts as
    not scored: its advantage is 0 and the rest of the group does not see it.

    Args:
        rewards_P_G: shape (..., G), rewards of any real type; NaN where there is no score.
        baseline: `"mean"` or `"leave_one_out"`.
        ddof: `None` does not divide; 0 divides by the population, 1 by the sample standard
            deviation (the default of torch's `std`).
        epsilon: added to the standard deviation, in units of reward, at least 0.

    Returns:
        Advantages, shape (..., G), float64, in units of reward, or without a unit where divided.

    Raises:
        ValueError: for a group of no episodes, an infinite reward, an unknown baseline, or a `ddof`
            or `epsilon` out of range.

    Reference:
        Shao et al. 2024, arXiv 2402.03300 (divided); Liu et al. 2025, arXiv 2503.20783 (undivided);
        Ahmadian et al. 2024, arXiv 2402.14740 (leave-one-out).

    >>> group_advantages([1, 0, 0, 0]).tolist()
    [0.75, -0.25, -0.25, -0.25]
    >>> group_advantages([[1, 3], [10, 30]], ddof=0).tolist()
    [[-1.0, 1.0], [-1.0, 1.0]]
    """
    rewards, tolerance = _rewards(rewards_P_G)
    if baseline not in ("mean", "leave_one_out"):
        raise ValueError(f"baseline must be 'mean' or 'leave_one_out'; it was {baseline!r}")
    if ddof is not None and (isinstance(ddof, bool) or ddof not in (0, 1)):
        raise ValueError(f"ddof must be None, 0 or 1; it was {ddof!r}")
    checked.at_least("epsilon", epsilon)

    scored = ~np.isnan(rewards)
    count = scored.sum(axis=-1, keepdims=True)
    mean = np.where(scored, rewards, 0.0).sum(axis=-1, keepdims=True) / _least(count, 1)
    centred = np.where(scored, rewards - mean, 0.0)

    advantages = centred
    if baseline == "leave_one_out":
        advantages = centred * count / _least(count - 1, 1)
    if ddof is not None:
        squares = (centred**2).sum(axis=-1, keepdims=True)
        divides = np.ones_like(scored)
        if baseline == "leave_one_out":
            squares, count, divides = _peers(rewards, scored, tolerance)
        deviation = np.sqrt(squares / _least(count - ddof, 1))
        # A group whose peers do not differ has nothing to be divided by; 1 leaves it as it is.
        advantages = advantages / np.where(divides & (deviation > 0), deviation + epsilon, 1.0)
    flat = _flat(rewards, scored, tolerance)[..., np.newaxis]
    return np.where(flat | ~scored, 0.0, advantages)


def group_summary(rewards_P_G: ArrayLike) -> GroupSummary:
    """Count the groups that teach nothing and the episodes without a score.

    Groups are judged by their spread, not by their mean: a group of four halves teaches nothing,
    although its mean is neither 0 nor 1 (OpenRLHF#1270). A group of one has no spread.

    Args:
        rewards_P_G: shape (..., G), rewards; NaN where there is no score.

    Returns:
        A `GroupSummary`; over no group at all the share is NaN, as a metric over nothing is.

    Raises:
        ValueError: for a group of no episodes or an infinite reward.

    >>> group_summary([[0, 0, 0, 0], [1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]])
    GroupSummary(frac_reward_zero_std=0.6666666666666666, unscored=0)
    """
    rewards, tolerance = _rewards(rewards_P_G)
    scored = ~np.isnan(rewards)
    flat = _flat(rewards, scored, tolerance)
    share = float(flat.mean()) if flat.size else float("nan")
    return GroupSummary(share, int((~scored).sum()))


def informative_probability(p: ArrayLike, G: ArrayLike) -> Floats:
    r"""Return the chance that a group holds both a success and a failure, $1 - p^G - (1-p)^G$.

    Valid for G independent episodes of one task with a 0/1 reward and success probability p. Keeps
    its relative precision for rare successes, where it tends to $Gp$.

    Args:
        p: success probability, from 0 to 1; any shape.
        G: group size, a whole number from 1; broadcasts against `p`.

    Returns:
        Probabilities, float64, of the broadcast shape; exactly 0 at p = 0, p = 1 and G = 1.

    Raises:
        ValueError: for p outside [0, 1] (NaN included), or G not a whole number from 1.

    >>> round(float(informative_probability(0.1, 8)), 3)
    0.57
    """
    p_array, G_array = checked.chances("p", p), checked.counts("G", G, 1)
    rarer = np.minimum(p_array, 1.0 - p_array)
    both = -np.expm1(G_array * np.log1p(-rarer)) - rarer**G_array
    return np.asarray(np.where(G_array == 1, 0.0, np.maximum(both, 0.0)))


def degenerate_probability(p: ArrayLike, G: ArrayLike) -> Floats:
    r"""Return the chance that all G episodes of a group get the same 0/1 reward, $p^G + (1-p)^G$.

    Such a group has advantage 0 throughout, and so no gradient. Logged by trainers as
    `frac_reward_zero_std`, of which this is the expectation.

    Args:
        p: success probability, from 0 to 1; any shape.
        G: group size, a whole number from 1; broadcasts against `p`.

    Returns:
        Probabilities, float64, of the broadcast shape; exactly 1 at p = 0, p = 1 and G = 1.

    Raises:
        ValueError: for p outside [0, 1] (NaN included), or G not a whole number from 1.

    >>> degenerate_probability(0.1, [4, 8, 16]).round(3).tolist()
    [0.656, 0.43, 0.185]
    """
    p_array, G_array = checked.chances("p", p), checked.counts("G", G, 1)
    same = p_array**G_array + (1.0 - p_array) ** G_array
    return np.asarray(np.where(G_array == 1, 1.0, np.minimum(same, 1.0)))


def smallest_group(p: float, largest_waste: float = 0.5) -> int:
    r"""Return the smallest G for which $p^G + (1-p)^G$ is *below* `largest_waste`.

    Args:
        p: success probability, strictly between 0 and 1.
        largest_waste: share of groups that may teach nothing, strictly between 0 and 1.

    Returns:
        The group size.

    Raises:
        ValueError: for p or `largest_waste` outside the open interval: no group would do.

    >>> smallest_group(0.1), smallest_group(0.3)
    (7, 3)
    """
    for name, value in (("p", p), ("largest_waste", largest_waste)):
        checked.chance(name, value, strictly=True)
    low, high = 1, 2
    while degenerate_probability(p, high) >= largest_waste:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if degenerate_probability(p, middle) >= largest_waste:
            low = middle
        else:
            high = middle
    return high


def _rewards(rewards_P_G: ArrayLike) -> tuple[Floats, float]:
    """Return the rewards in float64, and the relative spread below which they count as equal."""
    given = np.asarray(rewards_P_G)
    if given.dtype.kind not in "biuf":
        raise ValueError(f"rewards_P_G must be real numbers; its type was {given.dtype}")
    if given.ndim == 0 or given.shape[-1] == 0:
        raise ValueError(
            f"rewards_P_G must hold at least one episode a group; its shape was {given.shape}"
        )
    if np.isinf(given).any():
        raise ValueError("rewards_P_G must be finite, or NaN where there is no score; it held inf")
    # The rounding of a reward that was summed up in a short float type is not a spread.
    rounding = float(np.finfo(given.dtype).eps) if given.dtype.kind == "f" else 0.0
    return given.astype(np.float64), max(1e-12, 4 * rounding)


def _flat(rewards: Floats, scored: NDArray[np.bool_], tolerance: float) -> NDArray[np.bool_]:
    """Tell, per group, whether the scored rewards are equal up to rounding."""
    low = np.where(scored, rewards, np.inf).min(axis=-1)
    high = np.where(scored, rewards, -np.inf).max(axis=-1)
    size = np.maximum(1.0, np.abs(np.where(scored, rewards, 0.0)).max(axis=-1))
    # Fewer than two scores have no spread; none at all would be -inf - inf.
    return np.asarray((scored.sum(axis=-1) < 2) | (high - low <= tolerance * size))


def _peers(
    rewards: Floats, scored: NDArray[np.bool_], tolerance: float
) -> tuple[Floats, NDArray[np.int64], NDArray[np.bool_]]:
    """Return each episode's peers' sum of squares, their number, and whether they differ."""
    G = rewards.shape[-1]
    others = ~np.eye(G, dtype=bool) & scored[..., np.newaxis, :]
    values = np.where(others, rewards[..., np.newaxis, :], 0.0)
    count = others.sum(axis=-1)
    mean = values.sum(axis=-1) / _least(count, 1)
    squares = (np.where(others, values - mean[..., np.newaxis], 0.0) ** 2).sum(axis=-1)
    return squares, count, ~_flat(values, others, tolerance)


def _least(count: NDArray[np.int64], least: int) -> NDArray[np.int64]:
    """Keep a divisor from 0 where what it divides is 0 too."""
    return np.maximum(count, least)
