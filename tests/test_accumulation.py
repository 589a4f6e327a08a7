"""Gradient accumulation: parts add up to one batch under global counts, and not under their own."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentrl_lite import trainer
from agentrl_lite.accumulation import (
    accumulated,
    agreement,
    global_counts,
    mean_of_means,
    set_partitions,
)
from agentrl_lite.base_policy import base_weights
from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.losses import AGGREGATIONS
from agentrl_lite.policy import Targets
from agentrl_lite.rollout import rollout
from agentrl_lite.run_config import Config

B = 24
CONFIG = Config(prompts=3, group=8, entropy_coef=0.01, kl_coef=0.02)
POLICY = trainer.policy_for(outcomes())
W = base_weights(POLICY)
ROWS = np.arange(B)


@pytest.fixture(scope="module")
def frozen():
    rng = np.random.default_rng(7)
    tasks, groups = np.repeat(rng.integers(4, size=3), 8), np.repeat(np.arange(3), 8)
    played = rollout(POLICY, W, outcomes(), tasks, groups, rules=CONFIG.rules, rng=rng)
    advantages = rng.normal(size=B)
    mask = played.batch.mask_B_T.copy()
    mask[5] = False  # a trajectory without a token in the loss
    step, _row = trainer.freeze(CONFIG, POLICY, trainer.start(W), played, mask, advantages)
    return step


def whole(frozen, config=CONFIG, rows=ROWS):
    return trainer.minibatch_gradient(config, POLICY, W, frozen, rows).gradient


def test_set_partitions_are_all_there_and_differ():
    for n, bell in enumerate((1, 1, 2, 5, 15, 52, 203)):
        found = [frozenset(map(frozenset, parts)) for parts in set_partitions(n)]
        assert len(found) == len(set(found)) == bell
        assert all(sorted(i for part in parts for i in part) == [*range(n)] for parts in found)


@pytest.mark.parametrize("n", [-1, 2.0, True])
def test_set_partitions_refuse_what_is_no_count(n):
    with pytest.raises(ValueError, match="n must be a whole number from 0"):
        next(set_partitions(n))


def test_agreement_of_what_is_known():
    cosine, ratio = agreement([[1.0, 0.0]], [[1.0, 1.0]])
    assert (cosine, ratio) == (pytest.approx(math.sqrt(0.5)), pytest.approx(math.sqrt(0.5)))
    assert agreement([-2.0], [1.0]) == (-1.0, 2.0)
    assert agreement([1e-200], [1e-200]) == (1.0, 1.0)


def test_agreement_with_nothing_is_nan():
    assert np.isnan(agreement([0.0], [0.0])).all()
    assert np.isnan(agreement([1.0], [0.0])).all()
    cosine, ratio = agreement([0.0], [1.0])
    assert math.isnan(cosine)
    assert ratio == 0
    with pytest.raises(ValueError, match=r"gradient must be of the reference's size 1; it was 2"):
        agreement([1.0, 2.0], [1.0])


@pytest.mark.parametrize("mode", AGGREGATIONS)
def test_every_partition_adds_up_to_one_batch(frozen, mode):
    config, rows = replace(CONFIG, aggregation=mode), ROWS[3:9]
    reference = whole(frozen, config, rows)
    for parts in set_partitions(6):
        summed = accumulated(config, POLICY, W, frozen, [rows[list(part)] for part in parts])
        np.testing.assert_allclose(summed, reference, rtol=0, atol=1e-13)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 6), min_size=B, max_size=B), st.integers(1, 4))
def test_random_parts_add_up_with_microbatches_in_them(frozen, owner, microbatches):
    config = replace(CONFIG, microbatches=microbatches)
    parts = [ROWS[np.array(owner) == rank] for rank in range(7)]  # some may be empty
    summed = accumulated(config, POLICY, W, frozen, parts)
    cosine, ratio = agreement(summed, whole(frozen))
    assert abs(cosine - 1) < 1e-12
    assert abs(ratio - 1) < 1e-12


def test_mean_of_means_is_its_weights(frozen):
    """By the weights 1 / (m n_j), with a gradient that is put together here."""
    parts = [ROWS[:3], ROWS[3:14], ROWS[14:]]
    weights = np.zeros(frozen.mask_B_T.shape)
    for part in parts:
        weights[part] = frozen.mask_B_T[part] / frozen.mask_B_T[part].sum() / len(parts)
    used = frozen.mask_B_T
    targets = Targets(
        codes=frozen.codes,
        which=frozen.which_B_T[used],
        tokens=frozen.tokens_B_T[used],
        weights=weights[used],
        advantages=np.repeat(frozen.advantages_B, used.sum(axis=1)),
        old_logprobs=frozen.old_B_T[used],
        importance=frozen.importance_B_T[used],
        ref_logprobs=frozen.ref_B_T[used],
    )
    terms = trainer.LossTerms(CONFIG.clip, CONFIG.entropy_coef, CONFIG.kl_coef)
    expected = POLICY.loss_gradient(W, targets, terms).gradient
    found = mean_of_means(CONFIG, POLICY, W, frozen, parts)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)
    assert agreement(found, whole(frozen)).cosine < 0.999


def test_parts_of_one_trajectory_make_sequence_means(frozen):
    rows = ROWS[frozen.mask_B_T.any(axis=1)]
    single = mean_of_means(CONFIG, POLICY, W, frozen, [[row] for row in rows])
    by_sequence = whole(frozen, replace(CONFIG, aggregation="seq-mean-token-mean"), rows)
    np.testing.assert_allclose(single, by_sequence, rtol=0, atol=1e-14)


def test_the_constant_form_keeps_its_direction_under_equal_numbers(frozen):
    """Its own counts are numbers of trajectories: equal ones average to the right value."""
    config = replace(CONFIG, aggregation="seq-mean-token-sum-norm")
    parts = np.split(ROWS[ROWS != 5][:20], 4)
    found = mean_of_means(config, POLICY, W, frozen, parts)
    np.testing.assert_allclose(found, whole(frozen, config, ROWS[ROWS != 5][:20]), atol=1e-14)


def test_counts_are_added_up_over_parts(frozen):
    counts = global_counts(frozen, [[0, 1], [5], []])
    assert counts == (int(frozen.mask_B_T[:2].sum()), 2)


def test_a_part_without_a_token_adds_nothing_and_is_counted(frozen):
    alone = mean_of_means(CONFIG, POLICY, W, frozen, [[0]])
    np.testing.assert_allclose(mean_of_means(CONFIG, POLICY, W, frozen, [[0], [5]]), alone / 2)
    np.testing.assert_allclose(accumulated(CONFIG, POLICY, W, frozen, [[0], [5]]), alone)
    assert (accumulated(CONFIG, POLICY, W, frozen, [[5]]) == 0).all()


@pytest.mark.parametrize("function", [accumulated, mean_of_means])
def test_parts_must_be_parts(frozen, function):
    with pytest.raises(ValueError, match="at least one part; there was none"):
        function(CONFIG, POLICY, W, frozen, [])
    with pytest.raises(ValueError, match=r"must not share a row; these are in two: \[3\]"):
        function(CONFIG, POLICY, W, frozen, [[2, 3], [3]])
