"""Where a step's push goes: counts by hand, enumeration, and expectation against simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from agentrl_lite.advantages import group_advantages
from agentrl_lite.pools import mixed_pool
from agentrl_lite.push import expected_push_shares, push_shares
from agentrl_lite.rewards import flip_verdicts


def test_shares_by_hand():
    advantages = [[3.0, -1.0, -1.0, -1.0], [1.0, 1.0, -1.0, -1.0], [2.0, 1.0, -3.0, 0.0]]
    solved = [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
    got = push_shares(advantages, solved, [True, True, False])
    assert got.bucket == pytest.approx(5 / 8)
    assert got.false_in_bucket == pytest.approx(4 / 5)
    assert got.false_of_step == pytest.approx(4 / 8)


def test_a_step_without_push_has_no_shares():
    got = push_shares(np.zeros((2, 4)), np.zeros((2, 4)), [True, False])
    assert np.isnan(got.bucket)
    assert np.isnan(got.false_in_bucket)
    empty = push_shares([[1.0, -1.0]], [[1, 0]], [False])
    assert empty.bucket == 0
    assert np.isnan(empty.false_in_bucket)


def enumerated(pool, G, f, ddof, history, most):
    """Every verdict of every attempt, solved or not, with its probability."""
    step = bucket = false = 0.0
    for p in pool:
        shown = p * (1 - f) + (1 - p) * f
        inside = sum(
            np.prod([shown if r else 1 - shown for r in before])
            for before in product((0, 1), repeat=history)
            if sum(before) <= most
        )
        for solved in product((0, 1), repeat=G):
            for flips in product((0, 1), repeat=G):
                chance = np.prod([p if s else 1 - p for s in solved])
                chance *= np.prod([f if flip else 1 - f for flip in flips])
                rewards = np.array(solved) ^ np.array(flips)
                if rewards.std() == 0:
                    continue
                advantages = rewards - rewards.mean()
                if ddof is not None:
                    advantages = advantages / rewards.std(ddof=ddof)
                push = np.maximum(advantages, 0)
                step += chance * push.sum()
                bucket += inside * chance * push.sum()
                false += inside * chance * push[np.array(solved) == 0].sum()
    return bucket / step, false / bucket


@pytest.mark.parametrize("ddof", [None, 0, 1])
def test_the_expectation_is_the_enumeration(ddof):
    pool = [0.0, 0.1, 0.1, 0.6]
    got = expected_push_shares(
        pool, G=3, false_positive=0.1, false_negative=0.1, ddof=ddof, history=4, most=1
    )
    assert tuple(got) == pytest.approx(enumerated(pool, 3, 0.1, ddof, 4, 1), rel=1e-12)


@pytest.mark.parametrize("ddof", [None, 0])
def test_simulation_agrees_with_the_expectation(ddof):
    pool = mixed_pool(4_000, middle=0.02, rng=np.random.default_rng(1))
    flips = {"false_positive": 0.05, "false_negative": 0.02}
    runs = []
    for seed in range(16):
        rng = np.random.default_rng(seed)
        solved = rng.random((pool.size, 24)) < pool[:, np.newaxis]
        rewards = flip_verdicts(solved, **flips, rng=rng)
        advantages = group_advantages(rewards[:, 16:], ddof=ddof)
        runs.append(push_shares(advantages, solved[:, 16:], rewards[:, :16].sum(axis=1) <= 2))
    error = np.std(runs, axis=0, ddof=1) / 4
    expected = expected_push_shares(pool, G=8, ddof=ddof, **flips)
    assert (np.abs(np.mean(runs, axis=0) - expected) < 4 * error).all()


def test_an_honest_verifier_pushes_nothing_false():
    got = expected_push_shares([0.0, 0.02, 0.5], G=8, false_positive=0, false_negative=0.1)
    assert got.false_in_bucket == 0
    assert got.false_of_step == 0


def test_pairs_are_weighed_alike_divided_or_not():
    """A pair with a spread is always one of two: the division is a constant."""
    options = {"G": 2, "false_positive": 0.05, "false_negative": 0.05}
    one = expected_push_shares([0.02, 0.5], **options)
    assert one == pytest.approx(expected_push_shares([0.02, 0.5], ddof=0, **options))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: push_shares([1.0], [1], [True]), "advantages_P_G must be finite, with two axes"),
        (lambda: push_shares([[np.nan]], [[1]], [True]), "advantages_P_G must be finite"),
        (lambda: push_shares([[1.0]], [[1, 0]], [True]), r"solved_P_G .* \(1, 1\); .* \(1, 2\)"),
        (lambda: push_shares([[1.0]], [[1]], [True, True]), r"bucket_P .* \(1,\); .* \(2,\)"),
        (lambda: _expected(G=0), "G must be a whole number from 1; it was 0"),
        (lambda: _expected(history=2.5), "history .* 2.5"),
        (lambda: _expected(most=-1), "most .* -1"),
        (lambda: _expected(pool=[1.1]), "pass_rates"),
        (lambda: _expected(f=1.1), "false_positive"),
        (lambda: _expected(ddof=2), "ddof"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def _expected(pool=(0.1,), f=0.1, **options):
    options = {"G": 4} | options
    return expected_push_shares(pool, false_positive=f, false_negative=f, **options)
