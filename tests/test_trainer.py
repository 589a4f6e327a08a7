"""The trainer: one step by any partition, a run by any stops, faults, and what is learnt."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from agentrl_lite.base_policy import base_weights
from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.dashboard import Dashboard, History
from agentrl_lite.losses import AGGREGATIONS, Clip, Normaliser
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import (
    freeze,
    minibatch_gradient,
    policy_for,
    start,
    steps,
    train,
    update,
)
from agentrl_lite.trajectory import loss_mask
from tests.made_up_tasks import made_up

TABLE = made_up()
SHORT = Config(steps=4, prompts=8, group=4)
# Every part of the trainer at once.
BUSY = dataclasses.replace(
    SHORT,
    clip=Clip(0.2, 0.28, 3.0),
    epochs=2,
    minibatches=2,
    microbatches=3,
    kl_coef=0.05,
    entropy_coef=0.01,
    staleness=2,
    importance_cap=2.0,
    drop_truncated=True,
    max_gradient_norm=1.0,
)


def same(a, b):
    return all(np.array_equal(a[name], b[name], equal_nan=True) for name in Dashboard._fields)


def partitions(items):
    """Yield every partition of a list into parts that are not empty."""
    if not items:
        yield []
        return
    first, *rest = items
    for parts in partitions(rest):
        yield [[first], *parts]
        for i in range(len(parts)):
            yield [*parts[:i], [first, *parts[i]], *parts[i + 1 :]]


def frozen_batch(config):
    """A step's tokens, frozen; weights are those of another moment, so that ratios aren't 1."""
    policy = policy_for(TABLE)
    first = next(steps(dataclasses.replace(config, steps=1), TABLE))
    state = start(base_weights(policy))
    advantages = np.linspace(-1.0, 1.5, config.prompts * config.group)
    mask = loss_mask(first.played.batch.producer)
    frozen, _ = freeze(config, policy, state, first.played, mask, advantages)
    W = state.newest + 0.1 * np.random.default_rng(5).normal(size=policy.shape)
    return policy, W, frozen


@pytest.mark.parametrize("mode", AGGREGATIONS)
def test_every_partition_of_six_trajectories_gives_one_gradient(mode):
    config = Config(
        prompts=2, group=3, aggregation=mode, kl_coef=0.1, entropy_coef=0.1, clip=Clip(dual=3.0)
    )
    policy, W, frozen = frozen_batch(config)
    lengths = frozen.mask_B_T.sum(axis=1)
    assert len(set(lengths.tolist())) > 3, "lengths differ"
    everything = np.arange(6)
    want = minibatch_gradient(config, policy, W, frozen, everything).gradient
    whole = Normaliser(int(lengths.sum()), 6)
    seen = 0
    for parts in partitions(list(range(6))):
        got = sum(
            minibatch_gradient(config, policy, W, frozen, np.array(p), normaliser=whole).gradient
            for p in parts
        )
        cosine = (got * want).sum() / (np.linalg.norm(got) * np.linalg.norm(want))
        assert abs(cosine - 1) <= 1e-12
        assert abs(np.linalg.norm(got) / np.linalg.norm(want) - 1) <= 1e-12
        seen += 1
    assert seen == 203
    for m in range(1, 7):
        split = dataclasses.replace(config, microbatches=m)
        got = minibatch_gradient(split, policy, W, frozen, everything).gradient
        assert np.linalg.norm(got - want) <= 1e-12 * np.linalg.norm(want)


def test_parts_with_their_own_counts_would_not_add_up():
    """What the global counts are for: means of means push short parts more."""
    config = Config(prompts=2, group=3)
    policy, W, frozen = frozen_batch(config)
    want = minibatch_gradient(config, policy, W, frozen, np.arange(6)).gradient
    parts = [np.array([0]), np.arange(1, 6)]
    got = sum(minibatch_gradient(config, policy, W, frozen, p).gradient for p in parts) / 2
    cosine = (got * want).sum() / (np.linalg.norm(got) * np.linalg.norm(want))
    assert cosine < 1 - 1e-4


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


def test_the_dashboard_is_whole():
    history, _ = train(dataclasses.replace(SHORT, importance_cap=2.0, staleness=1), TABLE)
    assert len(history) == 4
    may_be_nothing = {n for n in Dashboard._fields if n.startswith(("success", "failure"))}
    for name in set(Dashboard._fields) - may_be_nothing:
        assert np.isfinite(history[name]).all(), name
    shares = ("solved", "public", "hidden", "truncated", "flat_groups", "all_pass", "all_fail")
    for name in (*shares, "single_submit", "unedited", "tool_words", "clip_fraction"):
        assert (history[name] >= 0).all(), name
        assert (history[name] <= 1).all(), name
    assert (history["hidden"] <= history["public"]).all()
    assert (history["all_pass"] + history["all_fail"] <= history["flat_groups"] + 1e-12).all()
    assert history["kl_reference"][0] == pytest.approx(0, abs=1e-12)
    assert (history["kl_reference"][1:] > 0).all()
    assert (history["kl_behavior"][1:] > 0).all()
    assert history["masked_in_policy"].tolist() == [1] * 4
    assert history["masked_in_tool"].tolist() == [0] * 4
    with pytest.raises(KeyError, match="not on the dashboard"):
        history["loos"]


def test_the_dashboard_by_hand():
    done = next(steps(dataclasses.replace(SHORT, steps=1), TABLE))
    row, played = done.dashboard, done.played
    lengths = played.lengths_B
    assert row.length == lengths.mean()
    solved = played.solved_B
    assert row.success_length_p50 == np.median(lengths[solved])
    assert row.failure_length_p90 == pytest.approx(np.quantile(lengths[~solved], 0.9))
    assert row.reward == solved.mean()
    p = np.exp(played.batch.behavior_logprobs_B_T[played.batch.mask_B_T])
    assert row.trained_tokens == p.size == lengths.sum()
    assert row.tokens == (played.batch.producer > 0).sum()


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
    adam = dataclasses.replace(SHORT, optimiser="adam", learning_rate=0.5, adam=(0.9, 0.99, 0.0))
    with np.errstate(invalid="ignore"):
        once = update(adam, start(W), g)
    assert once.newest[g != 0] == pytest.approx(-0.5 * np.sign(g[g != 0]))
    assert once.updates == 1
    with np.errstate(invalid="ignore"):
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


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"prompts": 0}, "prompts"),
        ({"group": 0}, "group"),
        ({"steps": -1}, "steps"),
        ({"epochs": 0}, "epochs"),
        ({"seed": 0.5}, "seed"),
        ({"learning_rate": -0.1}, "learning_rate"),
        ({"learning_rate": float("nan")}, "learning_rate"),
        ({"kl_coef": -1.0}, "kl_coef"),
        ({"aggregation": "mean"}, "aggregation"),
        ({"ddof": 2}, "ddof"),
        ({"optimiser": "lion"}, "optimiser"),
        ({"mask_fault": "shift"}, "mask_fault"),
        ({"proximal": "old"}, "proximal"),
        ({"importance_level": "turn"}, "importance_level"),
        ({"importance_cap": 0.0}, "importance_cap"),
        ({"max_gradient_norm": 0.0}, "max_gradient_norm"),
        ({"minibatches": 17, "microbatches": 2}, "minibatches times microbatches"),
        ({"clip": Clip(-0.1)}, "clip.low"),
        ({"max_length": 0.0}, "max_length"),
        ({"adam": (1.0, 0.9, 0.0)}, "adam"),
    ],
)
def test_options_out_of_range_are_refused(change, argument):
    with pytest.raises(ValueError, match=f"{argument} must"):
        dataclasses.replace(SHORT, **change)


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
