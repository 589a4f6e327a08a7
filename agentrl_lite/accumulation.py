r"""Gradient accumulation: one update's gradient from parts of its batch.

A part is a microbatch, or what a rank of a data-parallel run holds. Divided by counts over the
whole step, the parts add up to the gradient of one batch, in every aggregation mode. Each divided
by its own counts, and averaged, they do not unless the counts are equal: under the token mean a
token of a part with $n_j$ tokens weighs $1 / (m n_j)$ in place of $1 / \sum_j n_j$.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agentrl_lite import checked
from agentrl_lite.losses import Normaliser, count
from agentrl_lite.policy import Policy
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import Frozen, minibatch_gradient

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Agreement(NamedTuple):
    """How a gradient compares with a reference.

    Attributes:
        cosine: of the angle between them; 1 for the same direction.
        norm_ratio: its norm over the reference's.
    """

    cosine: float
    norm_ratio: float


def agreement(gradient: ArrayLike, reference: ArrayLike) -> Agreement:
    """Compare two gradients as flat vectors.

    Args:
        gradient: any shape.
        reference: as many numbers.

    Returns:
        The cosine, NaN where one of them is zero; and the ratio of norms, NaN where the reference
        is zero.

    Raises:
        ValueError: for gradients of different size.

    >>> agreement([3.0, 4.0], [6.0, 8.0])
    Agreement(cosine=1.0, norm_ratio=0.5)
    """
    g, r = (np.ravel(np.asarray(x, dtype=np.float64)) for x in (gradient, reference))
    if g.size != r.size:
        raise ValueError(f"gradient must be of the reference's size {r.size}; it was {g.size}")
    length, other = _norm(g), _norm(r)
    # Divided first: the product of two norms may vanish where neither does.
    cosine = float(g / length @ (r / other)) if length and other else float("nan")
    return Agreement(cosine, length / other if other else float("nan"))


def set_partitions(n: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every way to split 0 ... n-1 into parts, the order of parts aside.

    Args:
        n: at least 0. There are 1, 1, 2, 5, 15, 52, 203 ways for 0 to 6 (the Bell numbers).

    Raises:
        ValueError: for a negative n, or one that is no whole number.

    >>> list(set_partitions(3))[:2]
    [((0, 1, 2),), ((0, 1), (2,))]
    """
    checked.whole("n", n)
    if n == 0:
        yield ()
        return
    for parts in set_partitions(n - 1):
        for i, part in enumerate(parts):
            yield (*parts[:i], (*part, n - 1), *parts[i + 1 :])
        yield (*parts, (n - 1,))


def global_counts(frozen: Frozen, parts: Sequence[ArrayLike]) -> Normaliser:
    """Return the counts over all parts: each counts its own, and the counts are added up.

    Args:
        frozen: a step's tokens.
        parts: rows of each part.
    """
    counts = (count(frozen.mask_B_T[_rows(part)]) for part in parts)
    return sum(counts, Normaliser(0, 0))


def accumulated(
    config: Config, policy: Policy, W: Floats, frozen: Frozen, parts: Sequence[ArrayLike]
) -> Floats:
    """Return the sum of the parts' gradients, each divided by the counts over all of them.

    Args:
        config: the run; `microbatches` splits each part once more.
        policy: its form.
        W: current weights.
        frozen: a step's tokens.
        parts: rows of each part; a part may be of any size.

    Returns:
        A gradient of the weights' shape.

    Raises:
        ValueError: for no part, or a row in two of them.
    """
    _check_parts(parts)
    whole = global_counts(frozen, parts)
    gradients = [
        minibatch_gradient(config, policy, W, frozen, _rows(part), normaliser=whole).gradient
        for part in parts
    ]
    return np.asarray(np.sum(gradients, axis=0))


def mean_of_means(
    config: Config, policy: Policy, W: Floats, frozen: Frozen, parts: Sequence[ArrayLike]
) -> Floats:
    """Return the mean of the parts' gradients, each divided by its own counts: the bug of Q2.

    A part without a policy token adds nothing, and is counted among the parts, as frameworks do.

    Args:
        config: as in `accumulated`.
        policy: as in `accumulated`.
        W: as in `accumulated`.
        frozen: as in `accumulated`.
        parts: as in `accumulated`.

    Returns:
        A gradient of the weights' shape.

    Raises:
        ValueError: as `accumulated`.

    Reference:
        SkyRL#925, prime-rl#2562 (over ranks).
    """
    _check_parts(parts)
    gradients = [
        minibatch_gradient(config, policy, W, frozen, _rows(part)).gradient for part in parts
    ]
    return np.asarray(np.mean(gradients, axis=0))


def _norm(values: Floats) -> float:
    """Return the length of a vector whose squares may vanish or overflow."""
    largest = float(np.abs(values).max(initial=0.0))
    return largest * float(np.linalg.norm(values / largest)) if largest else 0.0


def _rows(part: ArrayLike) -> Ints:
    return np.asarray(part, dtype=np.int64)


def _check_parts(parts: Sequence[ArrayLike]) -> None:
    if not len(parts):
        raise ValueError("parts must hold at least one part; there was none")
    rows, often = np.unique(np.concatenate([_rows(p) for p in parts]), return_counts=True)
    if (often > 1).any():
        raise ValueError(f"parts must not share a row; these are in two: {rows[often > 1]}")
