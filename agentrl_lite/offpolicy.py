r"""Ratios between the policy that sampled and the policy that is trained.

Tokens are sampled from the behaviour policy $\mu$ and scored by another, $\pi$. The log-ratio of a
token is $\log\pi - \log\mu$, in nats. Everything stays in log space until the last step.

Per-token arrays are `x_B_T`; `mask_B_T` is true where the policy produced the predicted token. What
stands elsewhere, NaN included, has no influence; a metric over no token is NaN.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agentrl_lite.kl import k3

Floats = NDArray[np.float64]
Level = Literal["token", "sequence"]


class Truncated(NamedTuple):
    """Truncated importance weights, and what the truncation did.

    Attributes:
        weights_B_T: min(ratio, cap), 0 outside the mask.
        truncated_share: share of masked-in tokens whose *raw* weight was above the cap.
    """

    weights_B_T: Floats
    truncated_share: float


class Mismatch(NamedTuple):
    """How far two sets of log-probabilities of the same tokens are apart, in nats.

    Attributes:
        mean: mean absolute difference.
        p999: its 99.9th percentile.
        max: its maximum.
        k3: the k3 estimate of KL(mu, pi).
    """

    mean: float
    p999: float
    max: float
    k3: float


def log_ratio(logprobs_B_T: ArrayLike, behavior_logprobs_B_T: ArrayLike) -> Floats:
    r"""Return $\log\pi - \log\mu$ per token; 0 where both are $-\infty$.

    Args:
        logprobs_B_T: log-probabilities under the policy that is trained, in nats.
        behavior_logprobs_B_T: the same tokens' under the policy that sampled.

    Returns:
        Log-ratios, float64, of the broadcast shape.

    >>> log_ratio([-1.0, -np.inf], [-1.5, -np.inf]).tolist()
    [0.5, 0.0]
    """
    policy = np.asarray(logprobs_B_T, dtype=np.float64)
    behavior = np.asarray(behavior_logprobs_B_T, dtype=np.float64)
    both = np.isneginf(policy) & np.isneginf(behavior)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(both, 0.0, policy - behavior))


def truncated_weights(
    log_ratio_B_T: ArrayLike, mask_B_T: ArrayLike, *, level: Level = "token", cap: float = 2.0
) -> Truncated:
    r"""Return $\min(\rho, C)$, per token, or once for a whole sequence.

    At the sequence level $\rho$ is the product over the trajectory's policy tokens, and every one
    of them gets the same weight. Truncation bounds the variance and biases the update; what share
    of the weights it touched tells by how much.

    Args:
        log_ratio_B_T: shape (B, T), in nats.
        mask_B_T: shape (B, T).
        level: `"token"` or `"sequence"`.
        cap: C, above 0.

    Raises:
        ValueError: for shapes that differ, another level, or a cap that is not above 0.

    Reference:
        Ionides 2008; verl `rollout_is`, threshold 2.0; TRL `vllm_importance_sampling_mode`, 3.0.

    >>> truncated_weights([[0.0, 1.0]], [[1, 1]]).weights_B_T.tolist()
    [[1.0, 2.0]]
    """
    x, mask = _checked(log_ratio_B_T, mask_B_T)
    if level not in ("token", "sequence"):
        raise ValueError(f"level must be 'token' or 'sequence'; it was {level!r}")
    if not cap > 0:
        raise ValueError(f"cap must be above 0; it was {cap!r}")
    inside = np.where(mask, x, 0.0)
    if level == "sequence":
        inside = np.where(mask, inside.sum(axis=1, keepdims=True), 0.0)
    # The minimum is taken in log space, where nothing overflows.
    weights = np.where(mask, np.exp(np.minimum(inside, np.log(cap))), 0.0)
    share = float((inside[mask] > np.log(cap)).mean()) if mask.any() else float("nan")
    return Truncated(weights, share)


def sequence_ratio(log_ratio_B_T: ArrayLike, mask_B_T: ArrayLike) -> Floats:
    r"""Return each trajectory's geometric mean ratio, $\exp(\frac{1}{L}\sum_t \log\rho_t)$.

    Args:
        log_ratio_B_T: shape (B, T), in nats.
        mask_B_T: shape (B, T).

    Returns:
        Shape (B,), float64; NaN for a trajectory without a policy token.

    Raises:
        ValueError: for shapes that differ.

    Reference:
        Zheng et al. 2025 (GSPO), arXiv 2507.18071.

    >>> sequence_ratio([[np.log(2), np.log(8), 0.0]], [[1, 1, 0]]).round(12).tolist()
    [4.0]
    """
    x, mask = _checked(log_ratio_B_T, mask_B_T)
    length = mask.sum(axis=1)
    total = np.where(mask, x, 0.0).sum(axis=1)
    with np.errstate(over="ignore"):
        ratio = np.exp(total / np.maximum(length, 1))
    return np.asarray(np.where(length == 0, np.nan, ratio))


def effective_sample_size(weights: ArrayLike) -> float:
    r"""Return Kish's effective sample size, $(\sum w)^2 / \sum w^2$.

    Args:
        weights: importance weights, at least 0; any shape.

    Returns:
        A number from 1 to the number of weights; NaN where no weight is above 0.

    Raises:
        ValueError: for a weight that is negative or not finite.

    >>> effective_sample_size([1, 1, 0, 0])
    2.0
    """
    w = np.asarray(weights, dtype=np.float64).ravel()
    if not (np.isfinite(w) & (w >= 0)).all():
        raise ValueError(f"weights must be finite and at least 0; they were {weights!r}")
    if not w.any():
        return float("nan")
    # Scaled first: squares of tiny weights would vanish.
    w = w / w.max()
    return float(w.sum() ** 2 / (w**2).sum())


def mismatch(log_ratio_B_T: ArrayLike, mask_B_T: ArrayLike) -> Mismatch:
    r"""Return how far trainer and engine are apart on the tokens that the policy produced.

    Of *log-probabilities*; verl's `rollout_probs_diff` is of probabilities. Tokens are sampled from
    $\mu$, so that k3 of $\log\pi - \log\mu$ estimates $\mathrm{KL}(\mu\,\|\,\pi)$.

    Args:
        log_ratio_B_T: shape (B, T), in nats.
        mask_B_T: shape (B, T).

    Returns:
        A `Mismatch`, all NaN over no token.

    Raises:
        ValueError: for shapes that differ.

    >>> mismatch([[0.0, 0.3, 9.0]], [[1, 1, 0]]).max
    0.3
    """
    x, mask = _checked(log_ratio_B_T, mask_B_T)
    gaps = np.abs(x[mask])
    if not gaps.size:
        return Mismatch(*[float("nan")] * 4)
    return Mismatch(
        float(gaps.mean()),
        float(np.quantile(gaps, 0.999)),
        float(gaps.max()),
        float(k3(x[mask]).mean()),
    )


def _checked(log_ratio_B_T: ArrayLike, mask_B_T: ArrayLike) -> tuple[Floats, NDArray[np.bool_]]:
    x, mask = np.asarray(log_ratio_B_T, dtype=np.float64), np.asarray(mask_B_T).astype(bool)
    if x.ndim != 2 or x.shape != mask.shape:
        raise ValueError(
            f"log_ratio_B_T and mask_B_T must share two axes; they were {x.shape}, {mask.shape}"
        )
    return x, mask
