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
    """One step, measured before its update, save for the last four. NaN is over nothing.

    A trajectory's *weight* is the sum of its tokens' weights in the loss, by the run's aggregation
    over all the step's episodes: what `losses.trajectory_weights` returns, 0 for an episode that
    is left out. Number of successes times their mean weight, plus the same of failures, is 1 for
    `token-mean` and `seq-mean-token-mean`, the mean length L for `seq-mean-token-sum`, and
    L / `max_length` for `seq-mean-token-sum-norm`; L is over episodes with tokens in the loss.

    Attributes:
        reward: mean reward.
        solved: share of episodes that the deciding tests let pass.
        public: share whose file passes the public tests at the end.
        hidden: share whose file passes the hidden tests at the end.
        genuine: share of the solved episodes whose file truly passes the hidden tests.
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
        success_weight: mean weight of solved episodes.
        failure_weight: mean weight of the others.
        turns: mean number of turns ended.
        success_turns: the mean over solved episodes.
        failure_turns: the mean over the others.
        failure_repeats: mean number of turns that call the same tool, with the same edit, as an
            earlier turn of the episode, over episodes that are not solved.
        truncated: share of episodes that a limit ended.
        flat_groups: share of groups whose rewards do not differ.
        all_pass: share of groups in which every episode is solved.
        all_fail: share of groups in which none is.
        single_submit: share of episodes that submit in their first turn.
        unedited: share of episodes that end without an edit.
        tool_words: share of episodes in which the policy utters a word of the tools.
        masked_in_policy: share of policy tokens in the loss. (A prompt is one word, the first;
            nothing predicts it, and no mask can let it in.)
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
    genuine: float
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
    success_weight: float
    failure_weight: float
    turns: float
    success_turns: float
    failure_turns: float
    failure_repeats: float
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
    played: Rollout,
    vocabulary: Vocabulary,
    mask_B_T: Bools,
    entropy_B_T: Floats,
    weights_B: Floats,
    groups: int,
) -> Dashboard:
    """Return what is known of a step before its update.

    Args:
        played: the episodes.
        vocabulary: their words.
        mask_B_T: what the loss will see.
        entropy_B_T: entropy before each predicted token.
        weights_B: weight of each trajectory in the loss.
        groups: number of groups P; the episodes are in their order.
    """
    batch, lengths, solved = played.batch, played.lengths_B, played.solved_B
    written, said = batch.producer[:, 1:], batch.ids[:, 1:]
    shares = masked_in_share(mask_B_T, batch.producer)
    solved_P_G = solved.reshape(groups, -1)
    utters = vocabulary.is_tool_word[said] & batch.mask_B_T
    success, failure = _spread(lengths[solved]), _spread(lengths[~solved])
    return Dashboard(
        reward=_mean(batch.rewards_B),
        solved=_mean(solved),
        public=_mean(played.public_B),
        hidden=_mean(played.hidden_B),
        genuine=_mean(played.hidden_B[solved]),
        policy_entropy=_mean(entropy_B_T[batch.mask_B_T]),
        tool_entropy=_mean(entropy_B_T[written == Producer.TOOL]),
        used_entropy=_mean(entropy_B_T[mask_B_T]),
        length=_mean(lengths),
        success_length_p50=success[0],
        success_length_p90=success[1],
        success_length=success[2],
        failure_length_p50=failure[0],
        failure_length_p90=failure[1],
        failure_length=failure[2],
        success_weight=_mean(weights_B[solved]),
        failure_weight=_mean(weights_B[~solved]),
        turns=_mean(played.turns_B),
        success_turns=_mean(played.turns_B[solved]),
        failure_turns=_mean(played.turns_B[~solved]),
        failure_repeats=_mean(repeats(played, vocabulary)[~solved]),
        truncated=_mean(batch.truncated_B),
        flat_groups=group_summary(batch.rewards_B.reshape(groups, -1)).frac_reward_zero_std,
        all_pass=_mean(np.asarray(solved_P_G.all(axis=1))),
        all_fail=_mean(np.asarray(~solved_P_G.any(axis=1))),
        single_submit=_mean((played.turns_B == 1) & ~batch.truncated_B),
        unedited=_mean(played.edits_B == 0),
        tool_words=_mean(np.asarray(utters.any(axis=1))),
        masked_in_policy=shares["policy"],
        masked_in_tool=shares["tool"],
        tokens=int((batch.producer != Producer.PAD).sum()),
        trained_tokens=int(mask_B_T.sum()),
    )


def repeats(played: Rollout, vocabulary: Vocabulary) -> NDArray[np.int64]:
    """Count the turns of each episode that call the same tool as an earlier one, shape (B,).

    Edits of another number are another tool; a turn that names none is no call.

    Args:
        played: the episodes.
        vocabulary: their words.
    """
    ids, said = played.batch.ids, played.batch.mask_B_T
    row, at = (said & (ids[:, 1:] == vocabulary.id["end"])).nonzero()
    tool = ids[row, at]  # the word before `end`
    called = np.zeros((len(ids), len(vocabulary)), dtype=bool)
    called[row, tool] = True
    calls = np.bincount(row[vocabulary.is_tool_name[tool]], minlength=len(ids))
    return np.asarray(calls - called[:, vocabulary.is_tool_name].sum(axis=1))


def _mean(values: NDArray[np.float64 | np.int64 | np.bool_]) -> float:
    # A sum is a third of the time of `values.mean()`, which for so few numbers is its overhead.
    return float(values.sum() / values.size) if values.size else float("nan")


def _spread(lengths: NDArray[np.int64]) -> tuple[float, float, float]:
    if not lengths.size:
        return (float("nan"),) * 3
    # As `np.quantile`, which takes forty times as long for so few numbers.
    place = np.arange(lengths.size)
    median, high = np.interp((0.5 * place[-1], 0.9 * place[-1]), place, np.sort(lengths)).tolist()
    return median, high, float(lengths.mean())
