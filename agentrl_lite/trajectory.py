"""Trajectories as tokens with their producer, and batches of them with the loss mask.

A language model scores token t+1 given tokens up to t. Whatever belongs to a scored token (mask,
log-probability, loss) is therefore aligned with `ids[:, 1:]` and has one column less than `ids`.
The mask is made from who *produced* each token, which is recorded when the token is sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agentrl_lite import checked

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Fault = Literal["none", "shift-1", "shift+1", "span"]
FAULTS: tuple[str, ...] = get_args(Fault)


class Producer(IntEnum):
    """Who wrote a token."""

    PAD = 0
    PROMPT = 1
    POLICY = 2
    TOOL = 3


@dataclass(frozen=True)
class Trajectory:
    """One episode as tokens.

    Attributes:
        ids: token ids, shape (L,).
        producer: who wrote each token, shape (L,), values of `Producer`, none of them PAD.
        behavior_logprobs: the sampler's log-probability of each token, in nats, shape (L,); NaN
            where the policy did not write it.
        reward: what the verifier said.
        truncated: whether a limit ended the episode.
        group: which prompt of the step it belongs to.
    """

    ids: Ints
    producer: NDArray[np.int8]
    behavior_logprobs: Floats
    reward: float
    truncated: bool = False
    group: int = 0

    def __post_init__(self) -> None:
        shapes = {np.shape(x) for x in (self.ids, self.producer, self.behavior_logprobs)}
        if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
            raise ValueError(f"ids, producer, behavior_logprobs must share one axis; {shapes}")
        if np.isin(self.producer, [p.value for p in Producer if p], invert=True).any():
            raise ValueError(f"producer must hold PROMPT, POLICY or TOOL; it was {self.producer}")
        written = np.asarray(self.producer) == Producer.POLICY
        if np.isnan(self.behavior_logprobs[written]).any():
            raise ValueError("behavior_logprobs must be given for every token of the policy")


class Batch(NamedTuple):
    """Trajectories padded on the right to one length; T is that of `ids` less one.

    Attributes:
        ids: shape (B, T+1).
        producer: shape (B, T+1); `Producer.PAD` behind the end.
        mask_B_T: true where the policy produced the predicted token `ids[:, 1:]`.
        behavior_logprobs_B_T: the sampler's, aligned with the mask; 0 outside it.
        rewards_B: shape (B,).
        truncated_B: shape (B,).
        groups_B: shape (B,).
    """

    ids: Ints
    producer: NDArray[np.int8]
    mask_B_T: Mask
    behavior_logprobs_B_T: Floats
    rewards_B: Floats
    truncated_B: Mask
    groups_B: Ints


def collate(trajectories: Sequence[Trajectory], *, pad_id: int = 0) -> Batch:
    """Pad trajectories to one length, with the loss mask aligned to the predicted tokens.

    Args:
        trajectories: at least one.
        pad_id: token id behind a trajectory's end; never scored.

    Returns:
        A `Batch`, whose mask has passed `check_ownership`.

    Raises:
        ValueError: for no trajectory.
    """
    if not trajectories:
        raise ValueError("trajectories must hold at least one; there was none")
    B, length = len(trajectories), max(len(t.ids) for t in trajectories)
    ids = np.full((B, length), pad_id, dtype=np.int64)
    producer = np.full((B, length), Producer.PAD, dtype=np.int8)
    logprobs = np.full((B, length), np.nan)
    for i, t in enumerate(trajectories):
        ids[i, : len(t.ids)] = t.ids
        producer[i, : len(t.ids)] = t.producer
        logprobs[i, : len(t.ids)] = t.behavior_logprobs
    mask = loss_mask(producer)
    check_ownership(mask, producer)
    return Batch(
        ids=ids,
        producer=producer,
        mask_B_T=mask,
        behavior_logprobs_B_T=np.where(mask, logprobs[:, 1:], 0.0),
        rewards_B=np.array([t.reward for t in trajectories], dtype=np.float64),
        truncated_B=np.array([t.truncated for t in trajectories]),
        groups_B=np.array([t.group for t in trajectories], dtype=np.int64),
    )


def loss_mask(producer: ArrayLike, *, fault: Fault = "none") -> Mask:
    """Return which predicted tokens the loss may see: those that the policy produced.

    The faults are for teaching. `"shift-1"` aligns the mask with `ids` in place of `ids[:, 1:]`, so
    that the token behind each policy token is trained and the first of each turn is not.
    `"shift+1"` errs the other way: the token before. `"span"` lets everything in that is not
    padding, tool output included.

    Args:
        producer: shape (B, T+1), values of `Producer`.
        fault: `"none"` for the right mask.

    Returns:
        Shape (B, T), aligned with `ids[:, 1:]`.

    Raises:
        ValueError: for another fault, or a producer that is not of two axes.

    >>> P = Producer
    >>> loss_mask([[P.PROMPT, P.POLICY, P.TOOL, P.POLICY]]).astype(int).tolist()
    [[1, 0, 1]]
    """
    who = np.asarray(producer)
    if who.ndim != 2:
        raise ValueError(f"producer must have two axes; its shape was {who.shape}")
    checked.option("fault", fault, FAULTS)
    real, by_policy = who[:, 1:] != Producer.PAD, who == Producer.POLICY
    if fault == "span":
        return np.asarray(real)
    if fault == "shift-1":
        return np.asarray(by_policy[:, :-1] & real)
    if fault == "shift+1":
        shifted: Mask = np.zeros(real.shape, dtype=bool)
        shifted[:, :-1] = by_policy[:, 2:]
        return shifted
    return np.asarray(by_policy[:, 1:])


def check_ownership(mask_B_T: ArrayLike, producer: ArrayLike) -> None:
    """Stop a batch whose mask covers a token that the policy did not produce.

    Args:
        mask_B_T: shape (B, T), aligned with `ids[:, 1:]`.
        producer: shape (B, T+1), values of `Producer`.

    Raises:
        ValueError: for such a token; the message names the first and counts all.
    """
    mask, who = np.asarray(mask_B_T).astype(bool), np.asarray(producer)[:, 1:]
    if mask.shape != who.shape:
        raise ValueError(f"mask_B_T must have the shape {who.shape}; it was {mask.shape}")
    wrong = np.argwhere(mask & (who != Producer.POLICY))
    if wrong.size:
        row, column = wrong[0]
        name = Producer(who[row, column]).name
        raise ValueError(
            f"mask_B_T must cover the policy's tokens alone; it covered {len(wrong)} others, the "
            f"first by {name} in trajectory {row}, predicted token {column}"
        )


def masked_in_share(mask_B_T: ArrayLike, producer: ArrayLike) -> dict[str, float]:
    """Return, by producer, which share of its predicted tokens the mask lets in.

    Args:
        mask_B_T: shape (B, T), aligned with `ids[:, 1:]`.
        producer: shape (B, T+1), values of `Producer`.

    Returns:
        Shares by the producer's name in lower case; NaN for one that wrote nothing.
    """
    mask, who = np.asarray(mask_B_T).astype(bool), np.asarray(producer)[:, 1:]
    shares = {}
    for kind in (Producer.PROMPT, Producer.POLICY, Producer.TOOL):
        written = mask[who == kind]
        shares[kind.name.lower()] = float(written.mean()) if written.size else float("nan")
    return shares
