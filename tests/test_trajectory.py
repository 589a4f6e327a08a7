"""Trajectories, masks and their faults, on a trajectory made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from agentrl_lite.trajectory import (
    FAULTS,
    Producer,
    Trajectory,
    check_ownership,
    collate,
    loss_mask,
    masked_in_share,
)

A, U, T = Producer.PROMPT, Producer.POLICY, Producer.TOOL
# prompt, prompt, policy x3, tool x2, policy x2
WHO = np.array([A, A, U, U, U, T, T, U, U], dtype=np.int8)
WANT = [0, 1, 1, 1, 0, 0, 1, 1]


def trajectory(who=WHO, **changes):
    fields = {
        "ids": np.arange(10, 10 + len(who)),
        "producer": np.asarray(who),
        "behavior_logprobs": np.where(np.asarray(who) == U, -0.5 * np.arange(len(who)), np.nan),
        "reward": 1.0,
    }
    return Trajectory(**(fields | changes))


def test_the_mask_stands_beside_the_predicted_token():
    assert loss_mask(WHO[None]).astype(int)[0].tolist() == WANT


def test_what_each_fault_lets_in():
    masks = {fault: loss_mask(WHO[None], fault=fault)[0] for fault in FAULTS}
    predicted = WHO[1:]
    assert predicted[masks["shift-1"]].tolist() == [U, U, T, U]
    assert masks["shift-1"].astype(int).tolist() == [0, 0, 1, 1, 1, 0, 0, 1]
    assert masks["shift+1"].astype(int).tolist() == [1, 1, 1, 0, 0, 1, 1, 0]
    assert predicted[masks["shift+1"]].tolist() == [A, U, U, T, U]
    assert masks["span"].all()


@pytest.mark.parametrize("fault", [f for f in FAULTS if f != "none"])
def test_the_guard_stops_every_fault(fault):
    check_ownership(loss_mask(WHO[None]), WHO[None])
    with pytest.raises(ValueError, match="mask_B_T must cover the policy's tokens alone"):
        check_ownership(loss_mask(WHO[None], fault=fault), WHO[None])


def test_the_guard_names_the_first_token():
    with pytest.raises(ValueError, match="others, the first by TOOL in trajectory 0, predicted"):
        check_ownership(loss_mask(WHO[None], fault="shift-1"), WHO[None])


def test_collate_pads_and_never_scores_the_padding():
    short = trajectory(WHO[:4], reward=0.0, truncated=True, group=3)
    batch = collate([trajectory(), short], pad_id=99)
    assert batch.ids.shape == (2, 9)
    assert batch.mask_B_T.astype(int).tolist() == [WANT, [0, 1, 1, 0, 0, 0, 0, 0]]
    assert batch.ids[1, 4:].tolist() == [99] * 5
    assert not batch.mask_B_T[1, 3:].any()
    assert not loss_mask(batch.producer, fault="span")[1, 3:].any()
    assert batch.rewards_B.tolist() == [1.0, 0.0]
    assert (batch.truncated_B.tolist(), batch.groups_B.tolist()) == ([False, True], [0, 3])


def test_log_probabilities_belong_to_the_tokens_that_were_sampled():
    """NeMo-RL#3297: the stored number must be that of the sampled id, one place on."""
    batch = collate([trajectory()])
    want = [-0.5 * (i + 1) if inside else 0.0 for i, inside in enumerate(WANT)]
    assert batch.behavior_logprobs_B_T[0].tolist() == want


def test_masked_in_share_by_producer():
    right = masked_in_share(loss_mask(WHO[None]), WHO[None])
    assert right == {"prompt": 0.0, "policy": 1.0, "tool": 0.0}
    shifted = masked_in_share(loss_mask(WHO[None], fault="shift-1"), WHO[None])
    assert shifted == {"prompt": 0.0, "policy": 0.6, "tool": 0.5}
    assert np.isnan(masked_in_share([[1]], [[U, U]])["tool"])


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: collate([]), "trajectories must hold at least one"),
        (lambda: trajectory(ids=np.arange(3)), "must share one axis"),
        (lambda: trajectory([A, Producer.PAD]), "producer must hold PROMPT, POLICY or TOOL"),
        (lambda: trajectory([A, U], behavior_logprobs=np.full(2, np.nan)), "behavior_logprobs"),
        (lambda: loss_mask([U]), "producer must have two axes"),
        (lambda: loss_mask([[U]], fault="half"), "fault must be one of none.*'half'"),
        (lambda: check_ownership([[1, 1]], [[U, U]]), "mask_B_T must have the shape"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()
