"""The trainer: a run by any stops, faults, optimisers, and what is learnt."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.dashboard import Dashboard, History
from agentrl_lite.losses import AGGREGATIONS
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import (
    policy_for,
    start,
    steps,
    train,
    update,
)
from agentrl_lite.trajectory import loss_mask
from tests.tiny_episodes import BUSY, SHORT, TABLE


def same(a, b):
    return all(np.array_equal(a[name], b[name], equal_nan=True) for name in Dashboard._fields)


@pytest.mark.parametrize("config", [SHORT, BUSY], ids=["short", "busy"])
def test_the_same_seed_gives_the_same_run(config):
    (a, end), (b, _) = train(config, TABLE), train(config, TABLE)
    assert same(a, b)
    assert (end.newest == train(config, TABLE)[1].newest).all()
    other, _ = train(dataclasses.replace(config, seed=1), TABLE)
    assert not same(a, other)


@pytest.mark.parametrize("config", [SHORT, BUSY], ids=["short", "busy"])
@pytest.mark.parametrize("stop", [0, 1, 3])
def test_a_stopped_run_goes_on_as_if_it_had_not_stopped(config, stop):
    whole, end = train(config, TABLE)
    first, state = train(dataclasses.replace(config, steps=stop), TABLE)
    assert state.step == stop
    rest, again = train(config, TABLE, state)
    assert same(whole, History(first.rows + rest.rows))
    for a, b in zip((*end.weights, *end.moments), (*again.weights, *again.moments), strict=True):
        assert (a == b).all()
    nothing, after = train(config, TABLE, end)
    assert (len(nothing), after) == (0, end)


def test_each_step_draws_anew():
    drawn = [tuple(done.played.tasks_B) for done in steps(SHORT, TABLE)]
    assert len(set(drawn)) == len(drawn)


def test_a_run_that_is_left_in_the_middle_leaves_a_state_to_go_on_from():
    run = steps(SHORT, TABLE)
    state = [next(run).state for _ in range(2)][-1]
    run.close()
    assert same(train(SHORT, TABLE)[0], History(train_rows(2) + train(SHORT, TABLE, state)[0].rows))


def train_rows(n):
    return train(dataclasses.replace(SHORT, steps=n), TABLE)[0].rows


@pytest.mark.parametrize(
    ("fault", "policy", "tool"),
    [("none", 1, 0), ("span", 1, 1), ("shift-1", 0.7, 0.5), ("shift+1", 0.7, 0.5)],
)
def test_a_mask_fault_changes_what_is_trained(fault, policy, tool):
    config = dataclasses.replace(SHORT, steps=1, mask_fault=fault, ddof=None)
    right = dataclasses.replace(config, mask_fault="none")
    (got, end), (_, wanted) = train(config, TABLE), train(right, TABLE)
    shares = got["masked_in_policy"][0], got["masked_in_tool"][0]
    exact = {0, 1}
    for share, want in zip(shares, (policy, tool), strict=True):
        assert share == want if want in exact else 0 < share < 1
    assert (end.newest == wanted.newest).all() == (fault == "none")
    # The rollout of the first step, and what is really said of the policy, do not see the fault.
    assert got["policy_entropy"][0] == train(right, TABLE)[0]["policy_entropy"][0]
    assert (got["used_entropy"][0] == got["policy_entropy"][0]) == (fault == "none")


def test_ownership_is_checked_where_no_fault_is_asked_for(monkeypatch):
    """The assertion that a real trainer needs: a mask by mistake stops the run."""
    wrong = lambda producer, *, fault="none": loss_mask(producer, fault="span")  # noqa: E731
    monkeypatch.setattr("agentrl_lite.trainer.loss_mask", wrong)
    with pytest.raises(ValueError, match="mask_B_T must cover the policy's tokens alone"):
        train(SHORT, TABLE)


def test_flat_groups_and_truncated_episodes_are_left_out_of_the_counts():
    rules = Rules(max_tokens=16)
    kept = dataclasses.replace(SHORT, rules=rules, steps=1)
    every = next(steps(kept, TABLE))
    flat = next(steps(dataclasses.replace(kept, drop_flat_groups=True), TABLE))
    short = next(steps(dataclasses.replace(kept, drop_truncated=True), TABLE))
    rewards = every.played.batch.rewards_B.reshape(8, 4)
    informative = np.repeat(np.ptp(rewards, axis=1) > 0, 4)
    lengths, cut = every.played.lengths_B, every.played.batch.truncated_B
    assert cut.any()
    assert not informative.all()
    assert flat.dashboard.trained_tokens == lengths[informative].sum()
    assert short.dashboard.trained_tokens == lengths[~cut].sum()


def test_a_step_that_teaches_nothing_leaves_the_weights():
    """Rewards that never differ: gradients are exactly 0, and so is what SGD does with them."""
    config = dataclasses.replace(SHORT, rules=Rules(broken=(1.0,)), optimiser="sgd")
    history, end = train(config, TABLE)
    assert (end.newest == end.start).all()
    assert history["flat_groups"].tolist() == [1] * 4
    dropped, _ = train(dataclasses.replace(config, drop_flat_groups=True), TABLE)
    assert dropped["trained_tokens"].tolist() == [0] * 4
    assert dropped["loss"].tolist() == [0] * 4
    assert np.isnan(dropped["clip_fraction"]).all()
    assert np.isnan(dropped["used_entropy"]).all()


def test_optimisers_by_hand():
    W = np.zeros((2, 3))
    g = np.array([[3.0, 0.0, 0.0], [0.0, -4.0, 0.0]])
    sgd = dataclasses.replace(SHORT, optimiser="sgd", learning_rate=0.5)
    assert (update(sgd, start(W), g).newest == -0.5 * g).all()
    clipped = dataclasses.replace(sgd, max_gradient_norm=1.0)
    assert update(clipped, start(W), g).newest == pytest.approx(-0.1 * g)
    adam = dataclasses.replace(SHORT, optimiser="adam", learning_rate=0.5, adam=(0.9, 0.99, 1e-300))
    once = update(adam, start(W), g)
    assert once.newest[g != 0] == pytest.approx(-0.5 * np.sign(g[g != 0]))
    assert once.updates == 1
    twice = update(adam, once, -2 * g)
    first = (0.9 * 0.1 * g + 0.1 * -2 * g) / (1 - 0.9**2)
    second = (0.99 * 0.01 * g**2 + 0.01 * 4 * g**2) / (1 - 0.99**2)
    there = g != 0
    step = -0.5 * first[there] / np.sqrt(second[there])
    assert twice.newest[there] - once.newest[there] == pytest.approx(step)
    assert not W.any()


def test_the_sampler_lags_behind_by_the_staleness():
    config = dataclasses.replace(SHORT, staleness=2, steps=4)
    done = list(steps(config, TABLE))
    assert [len(step.state.weights) for step in done] == [2, 3, 3, 3]
    # The fourth step samples with the weights after the first.
    sampler, played = done[0].state.newest, done[3].played
    mask = played.batch.mask_B_T
    policy = policy_for(TABLE)
    logprobs = policy.score(sampler, played.codes_B_T[mask]).of(played.batch.ids[:, 1:][mask])
    assert played.batch.behavior_logprobs_B_T[mask] == pytest.approx(logprobs, abs=1e-12)


def test_recomputed_log_probabilities_hide_staleness_and_recorded_ones_do_not():
    config = dataclasses.replace(SHORT, steps=6, staleness=3, learning_rate=0.3)
    hidden, _ = train(config, TABLE)
    seen, _ = train(dataclasses.replace(config, proximal="behavior"), TABLE)
    assert not hidden["clip_fraction"].any()
    assert seen["clip_fraction"][1:].any()


def test_every_pair_of_options_runs():
    options = {
        "aggregation": AGGREGATIONS,
        "ddof": (None, 1),
        "optimiser": ("adam", "sgd"),
        "proximal": ("recomputed", "behavior"),
        "importance_cap": (None, 2.0),
        "importance_level": ("token", "sequence"),
        "mask_fault": ("none", "span", "shift-1", "shift+1"),
        "drop_flat_groups": (False, True),
    }
    base = dataclasses.replace(BUSY, steps=1, prompts=2, minibatches=1, microbatches=2)
    for a, b in itertools.combinations(options, 2):
        for x, y in itertools.product(options[a], options[b]):
            _, end = train(dataclasses.replace(base, **{a: x, b: y}), TABLE)
            assert np.isfinite(end.newest).all()


def test_a_healthy_run_learns_on_real_tasks():
    """Eight seeds, none of them tuned on: the last ten steps against the first ten."""
    gains = []
    for seed in range(100, 108):
        history, _ = train(Config(seed=seed, steps=60), outcomes())
        reward = history["reward"]
        gains.append(reward[-10:].mean() - reward[:10].mean())
    assert min(gains) > 0.05
    assert np.mean(gains) > 0.15
