"""One step, frozen: the same gradient by any partition, and by scores that are known."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from agentrl_lite.base_policy import base_weights
from agentrl_lite.losses import AGGREGATIONS, Clip, Normaliser
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import (
    freeze,
    minibatch_gradient,
    policy_for,
    start,
    steps,
    train,
)
from agentrl_lite.trajectory import loss_mask
from tests.tiny_episodes import BUSY, SHORT, TABLE


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


@pytest.mark.parametrize("config", [SHORT, BUSY], ids=["short", "busy"])
@pytest.mark.parametrize("fault", ["none", "span"])
def test_scores_that_are_known_are_not_needed(config, fault):
    """The first update takes the scores of `freeze`; other weights are scored anew."""
    policy = policy_for(TABLE)
    done = next(steps(dataclasses.replace(config, steps=1), TABLE))
    mask = loss_mask(done.played.batch.producer, fault=fault)
    advantages = np.linspace(-1.0, 1.5, config.prompts * config.group)
    frozen, _ = freeze(config, policy, done.state, done.played, mask, advantages)
    W, rows = done.state.newest, np.arange(3, 20)
    forgotten = frozen._replace(weights=W + 1.0)
    known, anew = (minibatch_gradient(config, policy, W, f, rows) for f in (frozen, forgotten))
    assert (known.gradient == anew.gradient).all()
    assert known.loss == anew.loss
    assert known.gradient.any()
    # The same array with other numbers in it is other weights.
    W += 0.1 * np.random.default_rng(1).normal(size=W.shape)
    moved, wanted = (minibatch_gradient(config, policy, w, frozen, rows) for w in (W, W.copy()))
    assert (moved.gradient == wanted.gradient).all()
    assert (moved.gradient != known.gradient).any()


def test_the_reference_is_scored_where_the_loss_needs_it():
    """With a KL in the loss that is at every token; the figure is the same without."""
    far = dataclasses.replace(SHORT, steps=1, staleness=0, learning_rate=0.5)
    _, state = train(far, TABLE)
    policy = policy_for(TABLE)
    played = next(steps(dataclasses.replace(far, steps=2), TABLE, state)).played
    rows = []
    for kl_coef in (0.0, 0.5):
        config = dataclasses.replace(far, kl_coef=kl_coef, mask_fault="span")
        mask = loss_mask(played.batch.producer, fault="span")
        frozen, row = freeze(config, policy, state, played, mask, np.zeros(32))
        rows.append(row)
    want = policy.score(state.start, played.codes_B_T[mask]).of(played.batch.ids[:, 1:][mask])
    assert frozen.ref_B_T[mask] == pytest.approx(want, abs=1e-12)
    assert rows[0].kl_reference == rows[1].kl_reference > 0


def test_parts_with_their_own_counts_would_not_add_up():
    """What the global counts are for: means of means push short parts more."""
    config = Config(prompts=2, group=3)
    policy, W, frozen = frozen_batch(config)
    want = minibatch_gradient(config, policy, W, frozen, np.arange(6)).gradient
    parts = [np.array([0]), np.arange(1, 6)]
    got = sum(minibatch_gradient(config, policy, W, frozen, p).gradient for p in parts) / 2
    cosine = (got * want).sum() / (np.linalg.norm(got) * np.linalg.norm(want))
    assert cosine < 1 - 1e-4
