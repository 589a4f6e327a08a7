r"""Entropy of a policy, and what a policy-gradient step does to it.

For one state with the logits as parameters ("tabular") the step is $\dot z = \eta\, \pi A$, with
the advantage centred under $\pi$. With many states that share weights no such formula holds; what
does is the product of the entropy's gradient with the step that was really taken
(`entropy_forecast`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax, xlogy

from agentrl_lite import checked

Floats = NDArray[np.float64]


def entropy(probs: ArrayLike) -> Floats:
    r"""Return the entropy $-\sum_a \pi_a \log \pi_a$ over the last axis, in nats.

    Args:
        probs: shape (..., V), probabilities that sum to 1 over the last axis.

    Returns:
        Shape (...), float64; an impossible action adds 0.

    Raises:
        ValueError: for what is no distribution.

    >>> entropy([[0.5, 0.5], [1.0, 0.0]]).round(4).tolist()
    [0.6931, 0.0]
    """
    pi = _distribution(probs)
    return np.asarray(-xlogy(pi, pi).sum(axis=-1) + 0.0)


def expected_step(probs: ArrayLike, advantages: ArrayLike, rate: float) -> Floats:
    r"""Return the policy after one exact policy-gradient step on its logits.

    The logits move by $\eta\, \pi_a (A_a - E_\pi A)$, the mean of the score-function gradient over
    every action. Nothing is sampled, and nothing is clipped: at the first step of a batch every
    ratio is 1.

    Args:
        probs: shape (..., V), all above 0.
        advantages: of each action; a constant on top of all changes nothing.
        rate: learning rate, finite.

    Returns:
        Shape (..., V).

    Raises:
        ValueError: for what is no distribution, an impossible action, or a rate that is not finite.

    >>> expected_step([0.5, 0.5], [1, 0], 1.0).round(4).tolist()
    [0.6225, 0.3775]
    """
    pi = _distribution(probs)
    return np.asarray(softmax(np.log(pi) + _push(pi, advantages, rate), axis=-1))


def entropy_change(probs: ArrayLike, advantages: ArrayLike, rate: float) -> Floats:
    r"""Return the entropy change of such a step to first order, $-\eta\,Cov_\pi(\log\pi, \pi A)$.

    Valid while $\eta\, \pi A$ is small against 1, for a softmax over logits that nothing shares.
    A step along the natural gradient, which moves the logits by $\eta A$ itself, has A in place of
    $\pi A$.

    Args:
        probs: as in `expected_step`.
        advantages: as in `expected_step`.
        rate: as in `expected_step`.

    Returns:
        Nats, shape (...).

    Raises:
        ValueError: as `expected_step`.

    Reference:
        Cui et al. 2025, arXiv 2505.22617.

    >>> print(f"{float(entropy_change([0.7, 0.2, 0.1], [1, 0, 0], 2e-3)):.5e}")
    -1.97110e-04
    """
    pi = _distribution(probs)
    push = _push(pi, advantages, rate)
    logprobs = np.log(pi)
    # E[(log pi + H) push] is the covariance: log pi + H has mean 0.
    centred = logprobs - (pi * logprobs).sum(axis=-1, keepdims=True)
    return np.asarray(-(pi * centred * push).sum(axis=-1) + 0.0)


def clip_room(probs: ArrayLike, low: float, high: float) -> tuple[Floats, Floats]:
    """Return the probabilities between which a clipped surrogate still pushes a token.

    Where its advantage is negative, the token is pushed until it reaches the first; where it is
    positive, until it reaches the second. Beyond, its own gradient is 0. No step is shortened: an
    update that starts below a limit may end far above it.

    Args:
        probs: probability under the proximal policy, from 0 to 1.
        low: `Clip.low`, from 0 to 1.
        high: `Clip.high`, at least 0.

    Returns:
        Lower and upper limit; the upper one is 1 where the clip allows more than that.

    Raises:
        ValueError: for a probability or a limit out of range.

    Reference:
        Yu et al. 2025 (DAPO), arXiv 2503.14476, for a higher upper limit.

    >>> [limit.round(3).tolist() for limit in clip_room([0.01, 0.9], 0.2, 0.2)]
    [[0.008, 0.72], [0.012, 1.0]]
    """
    p = checked.chances("probs", probs)
    checked.chance("low", low)
    checked.at_least("high", high)
    return np.asarray(p * (1 - low)), np.asarray(np.minimum(p * (1 + high), 1.0))


def _push(pi: Floats, advantages: ArrayLike, rate: float) -> Floats:
    """Return what a step adds to the logits."""
    if not np.isfinite(rate):
        raise ValueError(f"rate must be finite; it was {rate!r}")
    if not (pi > 0).all():
        raise ValueError("probs must be above 0: no logit makes an action impossible")
    A = np.asarray(advantages, dtype=np.float64)
    return np.asarray(rate * pi * (A - (pi * A).sum(axis=-1, keepdims=True)))


def _distribution(probs: ArrayLike) -> Floats:
    pi = np.asarray(probs, dtype=np.float64)
    if not pi.ndim or not ((pi >= 0).all() and np.allclose(pi.sum(axis=-1), 1, atol=1e-9)):
        raise ValueError(f"probs must be at least 0 and sum to 1; it was {probs!r}")
    return pi
