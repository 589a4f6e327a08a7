r"""How a batch of tokens becomes one loss: weights by aggregation mode, and the clipped surrogate.

Every mode is a weight per token; the loss is the weighted sum. The weights are normalised by counts
over the *whole* optimiser step, so that splitting a batch over microbatches or ranks changes
nothing: give each part the global counts, and add the parts up.

Per-token arrays are `x_B_T`: B trajectories, T predicted tokens. `mask_B_T` is true where the
policy produced the predicted token; what stands elsewhere, NaN included, has no influence.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agentrl_lite import checked

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Aggregation = Literal[
    "token-mean", "seq-mean-token-mean", "seq-mean-token-sum", "seq-mean-token-sum-norm"
]
AGGREGATIONS: tuple[str, ...] = get_args(Aggregation)


class Normaliser(NamedTuple):
    """What a step's losses are divided by: counts over all its microbatches and ranks.

    Attributes:
        tokens: policy tokens (`batch_num_tokens` in verl, `num_items_in_batch` in TRL).
        sequences: trajectories with at least one policy token.
    """

    tokens: int
    sequences: int

    def __add__(self, other: object) -> Normaliser:
        """Add the counts of another part, as an all-reduce does."""
        if not isinstance(other, Normaliser):
            return NotImplemented
        return Normaliser(self.tokens + other.tokens, self.sequences + other.sequences)


def count(mask_B_T: ArrayLike) -> Normaliser:
    """Count one part's policy tokens and the trajectories that have any.

    Args:
        mask_B_T: shape (B, T).

    Raises:
        ValueError: for a mask that is not of two axes.

    >>> count([[1, 1, 0], [0, 0, 0]])
    Normaliser(tokens=2, sequences=1)
    """
    mask = _mask(mask_B_T)
    return Normaliser(int(mask.sum()), int(mask.any(axis=1).sum()))


def token_weights(
    mask_B_T: ArrayLike,
    mode: Aggregation,
    *,
    max_length: float | None = None,
    normaliser: Normaliser | None = None,
) -> Floats:
    r"""Return the weight of each token's loss, for trajectories of $L_i$ policy tokens.

    | mode | weight of a token of trajectory i |
    |---|---|
    | `token-mean` | $1 / \sum_j L_j$ |
    | `seq-mean-token-mean` | $1 / (B L_i)$ |
    | `seq-mean-token-sum` | $1 / B$ |
    | `seq-mean-token-sum-norm` | $1 / (B L_{max})$ |

    A trajectory without a policy token counts neither in B nor anywhere else.

    Args:
        mask_B_T: shape (B, T), true where the policy produced the token.
        mode: one of `AGGREGATIONS`.
        max_length: $L_{max}$ in tokens, above 0; for the last mode alone, which needs it.
        normaliser: counts over the whole optimiser step; `None` takes this batch for all of it.

    Returns:
        Weights, shape (B, T), float64, 0 outside the mask.

    Raises:
        ValueError: for an unknown mode, a missing or unusable `max_length`, or counts below those
            of this batch.

    Reference:
        Liu et al. 2025 (Dr. GRPO), arXiv 2503.20783; verl `loss_agg_mode`.

    >>> token_weights([[1, 0], [1, 1]], "seq-mean-token-mean").tolist()
    [[0.5, 0.0], [0.25, 0.25]]
    """
    mask = _mask(mask_B_T)
    checked.option("mode", mode, AGGREGATIONS)
    if (max_length is not None) != (mode == "seq-mean-token-sum-norm"):
        raise ValueError(f"max_length must be given for seq-mean-token-sum-norm alone; mode {mode}")
    if max_length is not None:
        checked.above("max_length", max_length)
    here = count(mask)
    whole = normaliser or here
    if whole.tokens < here.tokens or whole.sequences < here.sequences:
        raise ValueError(f"normaliser must count at least this batch, {here}; it was {whole}")
    # A batch without a token has no weight anywhere: its divisor does not matter.
    tokens, sequences = max(whole.tokens, 1), max(whole.sequences, 1)
    lengths = np.maximum(mask.sum(axis=1, keepdims=True), 1)
    weight: Floats | float
    if mode == "token-mean":
        weight = 1.0 / tokens
    elif mode == "seq-mean-token-mean":
        weight = 1.0 / (sequences * lengths)
    else:
        weight = 1.0 / (sequences * (max_length or 1.0))
    return np.asarray(np.where(mask, weight, 0.0))


def aggregate(
    losses_B_T: ArrayLike,
    mask_B_T: ArrayLike,
    mode: Aggregation,
    *,
    max_length: float | None = None,
    normaliser: Normaliser | None = None,
) -> float:
    """Return a batch's loss, or, with a global `normaliser`, a part's share of it.

    Args:
        losses_B_T: shape (B, T), a loss per token.
        mask_B_T: shape (B, T), true where the policy produced the token.
        mode: one of `AGGREGATIONS`.
        max_length: as in `token_weights`.
        normaliser: as in `token_weights`.

    Returns:
        The loss; 0.0 over no token.

    Raises:
        ValueError: as `token_weights`, or for losses of another shape than the mask.

    Reference:
        verl#5417 for the four modes on one batch; verl#6957 for what accumulation did to them.

    >>> losses, mask = [[4, 0, 0, 0], [1, 1, 0, 0], [.5] * 4], [[1, 0, 0, 0], [1, 1, 0, 0], [1] * 4]
    >>> round(aggregate(losses, mask, "token-mean"), 6)
    1.142857
    """
    mask, losses = _mask(mask_B_T), np.asarray(losses_B_T, dtype=np.float64)
    _same_shape("losses_B_T", losses, mask)
    weights = token_weights(mask, mode, max_length=max_length, normaliser=normaliser)
    # Chosen, not multiplied: NaN times 0 is NaN.
    return float((weights[mask] * losses[mask]).sum())


def trajectory_weights(
    mask_B_T: ArrayLike,
    mode: Aggregation,
    *,
    max_length: float | None = None,
    normaliser: Normaliser | None = None,
) -> Floats:
    """Return each trajectory's total weight, to be drawn against its length.

    Args:
        mask_B_T: shape (B, T), true where the policy produced the token.
        mode: one of `AGGREGATIONS`.
        max_length: as in `token_weights`.
        normaliser: as in `token_weights`.

    Returns:
        Shape (B,), float64.

    Raises:
        ValueError: as `token_weights`.

    >>> trajectory_weights([[1, 0], [1, 1]], "seq-mean-token-mean").tolist()
    [0.5, 0.5]
    """
    weights = token_weights(mask_B_T, mode, max_length=max_length, normaliser=normaliser)
    return np.asarray(weights.sum(axis=1))


class Clip(NamedTuple):
    """The limits of the clipped surrogate.

    Attributes:
        low: the ratio is cut off below 1 - low where the advantage is negative.
        high: the ratio is cut off above 1 + high where the advantage is positive.
        dual: where the advantage is negative, the loss is at most `dual` times its size; `None`
            leaves it unbounded.
    """

    low: float = 0.2
    high: float = 0.2
    dual: float | None = None


def clipped_surrogate(log_ratio: ArrayLike, advantages: ArrayLike, clip: Clip) -> Floats:
    r"""Return the loss $-\min(\rho A, \mathrm{clip}(\rho, 1-l, 1+h) A)$ of each token.

    Args:
        log_ratio: $\log\rho$, current minus proximal log-probability, in nats.
        advantages: A; broadcasts against `log_ratio`.
        clip: the limits.

    Returns:
        Losses, float64, of the broadcast shape.

    Raises:
        ValueError: for limits out of range.

    Reference:
        Schulman et al. 2017, arXiv 1707.06347; DAPO, arXiv 2503.14476, for h > l; Ye et al. 2020,
        arXiv 1912.09729, for the dual clip.

    >>> clipped_surrogate([0.0, 1.0], 1.0, Clip(dual=3.0)).tolist()
    [-1.0, -1.2]
    """
    _check_clip(clip)
    A = np.asarray(advantages, dtype=np.float64)
    ratio = _ratio(log_ratio)
    with np.errstate(over="ignore"):
        loss = np.maximum(-ratio * A, -np.clip(ratio, 1 - clip.low, 1 + clip.high) * A)
    if clip.dual is not None:
        loss = np.where(A < 0, np.minimum(loss, -clip.dual * A), loss)
    return np.asarray(loss)


def clipped_surrogate_slope(log_ratio: ArrayLike, advantages: ArrayLike, clip: Clip) -> Floats:
    r"""Return the derivative of `clipped_surrogate` with respect to the current log-probability.

    $-\rho A$ where no limit holds, else 0.

    Arguments and errors are those of `clipped_surrogate`.

    Returns:
        Slopes, float64, of the broadcast shape.

    >>> clipped_surrogate_slope([0.0, 1.0], 1.0, Clip()).tolist()
    [-1.0, 0.0]
    """
    A = np.asarray(advantages, dtype=np.float64)
    with np.errstate(over="ignore"):
        slope = -_ratio(log_ratio) * A
    return np.asarray(np.where(is_clipped(log_ratio, A, clip), 0.0, slope))


def is_clipped(log_ratio: ArrayLike, advantages: ArrayLike, clip: Clip) -> Mask:
    """Tell which tokens a limit holds, so that they push nothing.

    Where the advantage is 0 there is no push for a limit to hold, and none is counted: TRL and
    verl count so, too.

    Arguments and errors are those of `clipped_surrogate`.

    >>> is_clipped([1.0, 1.0, -1.0], [1.0, -1.0, -1.0], Clip()).tolist()
    [True, False, True]
    """
    _check_clip(clip)
    A = np.asarray(advantages, dtype=np.float64)
    ratio = _ratio(log_ratio)
    held = ((A > 0) & (ratio > 1 + clip.high)) | ((A < 0) & (ratio < 1 - clip.low))
    if clip.dual is not None:
        held = held | ((A < 0) & (ratio > clip.dual))
    return np.asarray(held)


def _ratio(log_ratio: ArrayLike) -> Floats:
    """Return the ratio, at most the largest float64: infinity times an advantage of 0 is NaN."""
    with np.errstate(over="ignore"):
        ratio = np.exp(np.asarray(log_ratio, dtype=np.float64))
    return np.asarray(np.minimum(ratio, np.finfo(np.float64).max))


def _mask(mask_B_T: ArrayLike) -> Mask:
    mask = np.asarray(mask_B_T)
    if mask.ndim != 2:
        raise ValueError(f"mask_B_T must have two axes, B and T; its shape was {mask.shape}")
    return mask.astype(bool)


def _same_shape(name: str, values: Floats, mask: Mask) -> None:
    if values.shape != mask.shape:
        raise ValueError(f"{name} must have the mask's shape {mask.shape}; it was {values.shape}")


def _check_clip(clip: Clip) -> None:
    checked.chance("clip.low", clip.low)
    if not clip.high >= 0:
        raise ValueError(f"clip.high must be at least 0; it was {clip.high!r}")
    if clip.dual is not None and not clip.dual > 1:
        raise ValueError(f"clip.dual must be above 1; it was {clip.dual!r}")
