"""A policy that is a table: one state, a few answers, groups of attempts, clipped updates.

All that a trainer adds to a policy-gradient step (sampling, group baselines, epochs over one batch,
the clip) and nothing that a network adds: the logits are the parameters, and nothing is shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from agentrl_lite import checked
from agentrl_lite.advantages import group_advantages
from agentrl_lite.entropy import entropy
from agentrl_lite.losses import Clip, clipped_surrogate

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Answers:
    """Answers to one question.

    Attributes:
        probs: how often the policy gives each at the start, shape (V,), all above 0.
        success: chance that the verifier lets each pass.
    """

    probs: tuple[float, ...]
    success: tuple[float, ...]

    def __post_init__(self) -> None:
        entropy(self.probs)  # which says what is wrong with it
        if not min(self.probs) > 0:
            raise ValueError(f"probs must be above 0; it was {self.probs!r}")
        if len(self.success) != len(self.probs) or not all(0 <= s <= 1 for s in self.success):
            raise ValueError(
                f"success must hold {len(self.probs)} chances between 0 and 1; "
                f"it was {self.success!r}"
            )


class Path(NamedTuple):
    """Runs before each batch and after the last, shape (batches + 1, runs).

    Attributes:
        entropy: in nats.
        reward: expected reward of one attempt.
    """

    entropy: Floats
    reward: Floats


#: A rare right answer, a habit that passes three times in ten, and six that never pass.
HABIT = Answers(probs=(0.05, 0.75, *(0.2 / 6,) * 6), success=(0.8, 0.3, *(0.0,) * 6))


def train_table(
    answers: Answers,
    *,
    rate: float,
    epochs: int,
    clip: Clip,
    rng: np.random.Generator,
    batches: int = 50,
    group: int = 8,
    runs: int = 64,
) -> Path:
    """Train many tables side by side, one group of attempts a batch.

    Advantages are divided by the group's standard deviation. Each epoch is one update by plain
    gradient ascent; ratios are against the policy that sampled the batch.

    Args:
        answers: the question.
        rate: learning rate, at least 0.
        epochs: updates on each batch, from 1.
        clip: limits of the surrogate.
        rng: random generator.
        batches: number of batches, from 0.
        group: attempts a batch, from 1.
        runs: number of tables, from 1.

    Raises:
        ValueError: for a number out of range.
    """
    for name, value, least in (
        ("epochs", epochs, 1), ("batches", batches, 0), ("group", group, 1), ("runs", runs, 1),
    ):  # fmt: skip
        checked.whole(name, value, least)
    checked.at_least("rate", rate)
    clipped_surrogate(0.0, 0.0, clip)  # which says what is wrong with it
    success = np.array(answers.success)
    z_R_V = np.log(np.tile(answers.probs, (runs, 1)))
    p_R_V = softmax(z_R_V, axis=1)
    path = [(entropy(p_R_V), p_R_V @ success)]
    for _ in range(batches):
        said_R_G = _draw(p_R_V, rng.random((runs, group)))
        rewards_R_G = rng.random((runs, group)) < success[said_R_G]
        advantages_R_G = group_advantages(rewards_R_G, ddof=0)
        # Attempts that gave the same answer have the same ratio: sums by the advantage's sign.
        up_R_V = _sums(said_R_G, np.maximum(advantages_R_G, 0.0), success.size) / group
        down_R_V = _sums(said_R_G, np.minimum(advantages_R_G, 0.0), success.size) / group
        old_R_V = p_R_V
        for _ in range(epochs):
            z_R_V = z_R_V + rate * _gradient(p_R_V, old_R_V, up_R_V, down_R_V, clip)
            p_R_V = np.exp(z_R_V - z_R_V.max(axis=1, keepdims=True))
            p_R_V /= p_R_V.sum(axis=1, keepdims=True)
        path.append((entropy(p_R_V), p_R_V @ success))
    entropies, rewards = (np.array(part) for part in zip(*path, strict=True))
    return Path(entropies, rewards)


def _gradient(p: Floats, old: Floats, up: Floats, down: Floats, clip: Clip) -> Floats:
    """Return the gradient of the clipped surrogate with respect to the logits, shape (R, V).

    As `losses.clipped_surrogate_slope`, for one ratio to an answer.
    """
    ratio = p / old
    pushed = np.where(ratio > 1 + clip.high, 0.0, up) + np.where(ratio < 1 - clip.low, 0.0, down)
    slope = ratio * pushed
    return np.asarray(slope - p * slope.sum(axis=1, keepdims=True))


def _draw(p_R_V: Floats, uniform_R_G: Floats) -> NDArray[np.int64]:
    cumulative = p_R_V.cumsum(axis=1)
    cumulative /= cumulative[:, -1:]
    return np.asarray((cumulative[:, np.newaxis] <= uniform_R_G[:, :, np.newaxis]).sum(axis=2))


def _sums(index_R_G: NDArray[np.int64], values_R_G: Floats, size: int) -> Floats:
    """Return the sum of the values that go to each answer, shape (R, size)."""
    R = len(index_R_G)
    flat = index_R_G + size * np.arange(R)[:, np.newaxis]
    sums = np.bincount(flat.ravel(), values_R_G.ravel(), R * size)
    return np.asarray(sums.reshape(R, size), dtype=np.float64)
