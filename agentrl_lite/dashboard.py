"""What a training run logs at every step, and the history of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.advantages import group_summary
from agentrl_lite.protocol import Vocabulary
from agentrl_lite.rollout import Rollout
from agentrl_lite.trajectory import Producer, masked_in_share

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Dashboard(NamedTuple):
    """One step, measured before its update, save for the last six. NaN is over nothing.

    Attributes:
        reward: mean reward.
        solved: share of episodes that the deciding tests let pass.
        public: share whose file passes the public tests at the end.
        hidden: share whose file passes the hidden tests at the end.
        policy_entropy: mean entropy before words of the policy, in nats.
        tool_entropy: mean entropy before words of tool output, in nats.
        used_entropy: mean entropy where the loss mask is, in nats: what a trainer with a wrong
            mask would log.
        length: mean number of policy words.
        success_length_p50: their median over solved episodes.
        success_length_p90: their 90th percentile.
        success_length: their mean.
        failure_length_p50: the median over the others.
        failure_length_p90: the 90th percentile.
        failure_length: the mean.
        turns: mean number of turns ended.
        truncated: share of episodes that a limit ended.
        flat_groups: share of groups whose rewards do not differ.
        all_pass: share of groups in which every episode is solved.
        all_fail: share of groups in which none is.
        single_submit: share of episodes that submit in their first turn.
        unedited: share of episodes that end without an edit.
        tool_words: share of episodes in which the policy utters a word of the tools.
        masked_in_policy: share of policy tokens in the loss.
        masked_in_tool: share of tool tokens in the loss.
        tokens: tokens of all producers.
        trained_tokens: tokens in the loss.
        kl_reference: mean KL(policy, reference) before words of the policy, in nats.
        kl_behavior: k3 estimate of KL(behaviour, policy), in nats.
        capped_weights: share of importance weights above the cap.
        loss: mean over the step's updates.
        clip_fraction: share of tokens that a limit held, mean over the updates.
        gradient_norm: mean over the updates.
        largest_gradient_norm: maximum over the updates.
    """

    reward: float
    solved: float
    public: float
    hidden: float
    policy_entropy: float
    tool_entropy: float
    used_entropy: float
    length: float
    success_length_p50: float
    success_length_p90: float
    success_length: float
    failure_length_p50: float
    failure_length_p90: float
    failure_length: float
    turns: float
    truncated: float
    flat_groups: float
    all_pass: float
    all_fail: float
    single_submit: float
    unedited: float
    tool_words: float
    masked_in_policy: float
    masked_in_tool: float
    tokens: int
    trained_tokens: int
    kl_reference: float = float("nan")
    kl_behavior: float = float("nan")
    capped_weights: float = float("nan")
    loss: float = float("nan")
    clip_fraction: float = float("nan")
    gradient_norm: float = float("nan")
    largest_gradient_norm: float = float("nan")


class History:
    """The dashboards of a run, one for each step."""

    def __init__(self, rows: Sequence[Dashboard] = ()) -> None:
        self.rows = tuple(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Floats:
        """Return one figure over all steps, as float64."""
        if name not in Dashboard._fields:
            raise KeyError(f"{name!r} is not on the dashboard; it has {Dashboard._fields}")
        return np.array([getattr(row, name) for row in self.rows], dtype=np.float64)


def measure(
    played: Rollout, vocabulary: Vocabulary, mask_B_T: Bools, entropy_B_T: Floats, groups: int
) -> Dashboard:
    """Return what is known of a step before its update.

    Args:
        played: the episodes.
        vocabulary: their words.
        mask_B_T: what the loss will see.
        entropy_B_T: entropy before each predicted token.
        groups: number of groups P; the episodes are in their order.
    """
    batch, lengths, solved = played.batch, played.lengths_B, played.solved_B
    written, said = batch.producer[:, 1:], batch.ids[:, 1:]
    shares = masked_in_share(mask_B_T, batch.producer)
    solved_P_G = solved.reshape(groups, -1)
    utters = vocabulary.is_tool_word[said] & batch.mask_B_T
    success, failure = _spread(lengths[solved]), _spread(lengths[~solved])
    return Dashboard(
        reward=float(batch.rewards_B.mean()),
        solved=float(solved.mean()),
        public=float(played.public_B.mean()),
        hidden=float(played.hidden_B.mean()),
        policy_entropy=_mean(entropy_B_T[batch.mask_B_T]),
        tool_entropy=_mean(entropy_B_T[written == Producer.TOOL]),
        used_entropy=_mean(entropy_B_T[mask_B_T]),
        length=float(lengths.mean()),
        success_length_p50=success[0],
        success_length_p90=success[1],
        success_length=success[2],
        failure_length_p50=failure[0],
        failure_length_p90=failure[1],
        failure_length=failure[2],
        turns=float(played.turns_B.mean()),
        truncated=float(batch.truncated_B.mean()),
        flat_groups=group_summary(batch.rewards_B.reshape(groups, -1)).frac_reward_zero_std,
        all_pass=float(solved_P_G.all(axis=1).mean()),
        all_fail=float((~solved_P_G).all(axis=1).mean()),
        single_submit=float(((played.turns_B == 1) & ~batch.truncated_B).mean()),
        unedited=float((played.edits_B == 0).mean()),
        tool_words=float(utters.any(axis=1).mean()),
        masked_in_policy=shares["policy"],
        masked_in_tool=shares["tool"],
        tokens=int((batch.producer != Producer.PAD).sum()),
        trained_tokens=int(mask_B_T.sum()),
    )


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")


def _spread(lengths: NDArray[np.int64]) -> tuple[float, float, float]:
    if not lengths.size:
        return (float("nan"),) * 3
    # As `np.quantile`, which takes forty times as long for so few numbers.
    place = np.arange(lengths.size)
    median, high = np.interp((0.5 * place[-1], 0.9 * place[-1]), place, np.sort(lengths)).tolist()
    return median, high, float(lengths.mean())
