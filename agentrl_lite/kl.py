r"""Estimates of a KL divergence from samples of the trained policy, and what they push as losses.

Tokens are sampled from the policy $\pi$; the log-ratio of a token is
$x = \log\pi_{ref} - \log\pi$. Everything stays in log space until the last step, in float64.

Reference: Schulman 2020, *Approximating KL divergence*; Shao et al. 2024, arXiv 2402.03300 (k3).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax

from agentrl_lite import checked

Floats = NDArray[np.float64]
Estimator = Literal["k1", "k2", "k3"]


class Clamped(NamedTuple):
    """Clamped log-ratios, and how many the clamp changed.

    Attributes:
        log_ratio: shape of the input, float64, in nats.
        changed: number of entries that lay outside the limits.
    """

    log_ratio: Floats
    changed: int


class KLSummary(NamedTuple):
    """Means over a batch's tokens, in nats, and what they hide.

    Attributes:
        k1: mean of `k1`.
        k2: mean of `k2`.
        k3: mean of `k3`.
        abs_quantile: the chosen quantile of the absolute log-ratio, in nats.
        negative_share: share of tokens whose k1 is negative.
    """

    k1: np.float64
    k2: np.float64
    k3: np.float64
    abs_quantile: np.float64
    negative_share: np.float64


def log_ratio(ref_logprobs: ArrayLike, logprobs: ArrayLike) -> Floats:
    r"""Return $x = \log\pi_{ref} - \log\pi$ per token.

    Where both log-probabilities are $-\infty$ the token is impossible under both policies, and the
    ratio is 0 rather than NaN (heretic#348).

    Args:
        ref_logprobs: log-probabilities under the reference, in nats, at most 0.
        logprobs: the same under the policy; broadcasts against `ref_logprobs`.

    Returns:
        Log-ratios, float64, of the broadcast shape, in nats.

    Raises:
        ValueError: for a positive log-probability or NaN.

    >>> log_ratio([-1.2, -np.inf], [-1.0, -np.inf]).round(6).tolist()
    [-0.2, 0.0]
    """
    ref, policy = _logprobs("ref_logprobs", ref_logprobs), _logprobs("logprobs", logprobs)
    both = np.isneginf(ref) & np.isneginf(policy)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(both, 0.0, ref - policy))


def clamp(x: ArrayLike, limit: float) -> Clamped:
    """Cut log-ratios off at ±`limit`, and count what was changed.

    verl clamps at ±20 before k3, OpenRLHF at -10, TRL not at all: a clamp bounds the estimate and
    hides the tokens that diverge, which is why it is counted.

    Args:
        x: log-ratios, in nats.
        limit: at least 0, in nats.

    Raises:
        ValueError: for a negative or NaN limit.

    >>> clamp([-30.0, 0.5], 20)
    Clamped(log_ratio=array([-20. ,   0.5]), changed=1)
    """
    if not limit >= 0:
        raise ValueError(f"limit must be at least 0; it was {limit!r}")
    values = np.asarray(x, dtype=np.float64)
    return Clamped(np.clip(values, -limit, limit), int((np.abs(values) > limit).sum()))


def k1(x: ArrayLike) -> Floats:
    r"""Return $k_1 = -x$: unbiased, and negative on some tokens.

    Args:
        x: log-ratios $\log\pi_{ref} - \log\pi$, in nats, of tokens sampled from the policy.

    Returns:
        Estimates per token, float64, in nats.

    >>> k1([-0.2, 0.1, -0.5]).tolist()
    [0.2, -0.1, 0.5]
    """
    return -np.asarray(x, dtype=np.float64)


def k2(x: ArrayLike) -> Floats:
    r"""Return $k_2 = x^2/2$: never negative, biased, near $k_3$ where x is small.

    Args:
        x: log-ratios $\log\pi_{ref} - \log\pi$, in nats, of tokens sampled from the policy.

    Returns:
        Estimates per token, float64, in nats squared, read as nats.

    >>> k2([-0.2, 0.1, -0.5]).round(3).tolist()
    [0.02, 0.005, 0.125]
    """
    values = np.asarray(x, dtype=np.float64)
    return np.asarray(values * values / 2)


def k3(x: ArrayLike) -> Floats:
    r"""Return $k_3 = e^x - 1 - x$: unbiased and never negative.

    Uses expm1, since $e^x - 1 - x$ loses every digit where x is small. Overflows to infinity from
    x = 709.8; use `clamp` first where that must not happen.

    Args:
        x: log-ratios $\log\pi_{ref} - \log\pi$, in nats, of tokens sampled from the policy.

    Returns:
        Estimates per token, float64, in nats.

    >>> k3([-0.2, 0.1, -0.5]).round(4).tolist()
    [0.0187, 0.0052, 0.1065]
    """
    values = np.asarray(x, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        exact = np.expm1(values) - values
    # expm1(x) - x still cancels: below 1e-4 the first terms of the series are the more exact.
    series = values * values / 2 * (1 + values / 3 * (1 + values / 4))
    return np.asarray(
        np.where(np.isposinf(values), np.inf, np.where(np.abs(values) < 1e-4, series, exact))
    )


def summarise(x: ArrayLike, mask: ArrayLike | None = None, *, quantile: float = 0.99) -> KLSummary:
    r"""Return what a dashboard should show of a batch: the means, and the tail they hide.

    Args:
        x: log-ratios $\log\pi_{ref} - \log\pi$, in nats; any shape.
        mask: true where the policy produced the token; `None` takes every token. What lies outside
            the mask has no influence, NaN included.
        quantile: which quantile of $|x|$ to show, from 0 to 1.

    Returns:
        A `KLSummary`, all NaN over no token.

    Raises:
        ValueError: for a mask of another shape, or a quantile outside [0, 1].

    >>> summarise([-0.2, 0.1, -0.5]).k3.round(4)
    np.float64(0.0435)
    """
    checked.chance("quantile", quantile)
    values = np.asarray(x, dtype=np.float64)
    kept = np.ones(values.shape, bool) if mask is None else np.asarray(mask).astype(bool)
    if kept.shape != values.shape:
        raise ValueError(f"mask must have the shape {values.shape} of x; it was {kept.shape}")
    tokens = values[kept]
    if not tokens.size:
        return KLSummary(*[np.float64(np.nan)] * 5)
    return KLSummary(
        k1(tokens).mean(),
        k2(tokens).mean(),
        k3(tokens).mean(),
        np.quantile(np.abs(tokens), quantile),
        np.float64((k1(tokens) < 0).mean()),
    )


def categorical_kl(logits: ArrayLike, ref_logits: ArrayLike) -> Floats:
    r"""Return $\mathrm{KL}(\pi\,\|\,\pi_{ref})$ of two categorical policies, by enumeration.

    Args:
        logits: shape (..., V), the policy's logits.
        ref_logits: the reference's; broadcasts against `logits`.

    Returns:
        Divergences, shape (...), float64, in nats.

    >>> float(categorical_kl([0.0, 0.0], [0.0, 0.0]))
    0.0
    """
    policy, ref = log_softmax(logits, axis=-1), log_softmax(ref_logits, axis=-1)
    return np.asarray((np.exp(policy) * (policy - ref)).sum(axis=-1))


def loss_gradient(logits: ArrayLike, ref_logits: ArrayLike, estimator: Estimator) -> Floats:
    r"""Return what an estimator pushes when it is used *as a loss* on a categorical policy.

    A token y is sampled, then $k(x_y)$ is differentiated with y held fixed. Over all y,
    $\sum_y \pi_y\,k'(x_y)\,(\pi - e_y)$, which is the gradient of
    nothing for k1, of $\mathrm{KL}(\pi\,\|\,\pi_{ref})$ for k2, and of
    $\mathrm{KL}(\pi_{ref}\,\|\,\pi)$ for k3.

    Args:
        logits: shape (..., V), the policy's logits.
        ref_logits: the reference's; broadcasts against `logits`.
        estimator: `"k1"`, `"k2"` or `"k3"`.

    Returns:
        Expected gradients with respect to the logits, shape (..., V), float64.

    Raises:
        ValueError: for another estimator.

    >>> loss_gradient([0.0, 1.0], [0.0, 0.0], "k1").round(12).tolist()
    [0.0, 0.0]
    """
    policy, ref = log_softmax(logits, axis=-1), log_softmax(ref_logits, axis=-1)
    x, pi = ref - policy, np.exp(policy)
    if estimator == "k1":
        slope = -np.ones_like(x)
    elif estimator == "k2":
        slope = x
    elif estimator == "k3":
        slope = np.expm1(x)
    else:
        raise ValueError(f"estimator must be 'k1', 'k2' or 'k3'; it was {estimator!r}")
    weight = pi * slope
    return np.asarray(pi * weight.sum(axis=-1, keepdims=True) - weight)


def _logprobs(name: str, given: ArrayLike) -> Floats:
    values = np.asarray(given, dtype=np.float64)
    if not (values <= 0).all():
        raise ValueError(f"{name} must be log-probabilities, at most 0; they were {given!r}")
    return values
