"""Pools of tasks and sampling: expectations against enumeration and simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrl_lite.pools import (
    beta_pool,
    expected_draws,
    fit_beta,
    informative_tasks,
    mixed_pool,
)
from agentrl_lite.sampling import expect_steps, simulate_steps


@given(st.floats(0, 1))
def test_pairs_and_triples_see_equally_many_tasks(p):
    """At a budget B, both see B p (1-p): exercise X1's tie."""
    pairs, triples = (float(informative_tasks(p, G, 512 / G)) for G in (2, 3))
    assert pairs == pytest.approx(512 * p * (1 - p), abs=1e-9)
    assert triples == pytest.approx(pairs, abs=1e-9)


def test_informative_tasks_weighs_the_pool():
    """Two tasks, the first drawn three times as often; enumerated over all outcomes of a pair."""

    def mixed(p: float) -> float:
        return sum(
            (p if a else 1 - p) * (p if b else 1 - p)
            for a, b in product((0, 1), repeat=2)
            if a != b
        )

    got = informative_tasks([0.1, 0.4], 2, 10, weights=[3, 1])
    assert float(got) == pytest.approx(10 * (0.75 * mixed(0.1) + 0.25 * mixed(0.4)), rel=1e-12)


def test_group_sizes_and_prompts_broadcast():
    got = informative_tasks([0.1, 0.3], np.array([4, 8, 16]), 512 / np.array([4, 8, 16]))
    assert got.shape == (3,)
    assert (np.diff(got) < 0).all()


def test_draws_are_the_mean_of_a_geometric_count():
    rng = np.random.default_rng(1)
    rewards = rng.random((40_000, 8)) < 0.1
    informative = rewards.any(axis=1) & ~rewards.all(axis=1)
    draws = np.diff(np.flatnonzero(informative), prepend=-1)
    error = draws.std() / np.sqrt(draws.size)
    assert abs(draws.mean() - float(expected_draws(0.1, 8))) < 4 * error


def test_a_pool_that_never_differs_needs_infinitely_many_draws():
    assert float(expected_draws([0, 1], 8)) == np.inf


def test_mixed_pool_keeps_its_shares():
    pool = mixed_pool(20_000, rng=np.random.default_rng(3))
    assert np.median(pool) == 0.1
    assert (pool == 0).mean() == pytest.approx(0.15)
    assert (pool == 1).mean() == pytest.approx(0.05)
    tail = pool[(pool > 0.1) & (pool < 1)]
    assert tail.size == 4_000
    assert tail.min() >= 0.3
    assert tail.max() <= 0.5


def beta_moment(a: Fraction, b: Fraction, k: int) -> Fraction:
    """Mean of p^k under a Beta(a, b), in exact fractions."""
    moment = Fraction(1)
    for i in range(k):
        moment *= (a + i) / (a + b + i)
    return moment


@pytest.mark.parametrize(("a", "b"), [("1", "1"), ("1/10", "3"), ("7/10", "27/10"), ("5", "1/4")])
@pytest.mark.parametrize("G", [2, 3, 16, 64])
def test_a_beta_pool_is_exact_for_group_sizes(a, b, G):
    a, b = Fraction(a), Fraction(b)
    share = 1 - beta_moment(a, b, G) - beta_moment(b, a, G)
    tasks, weights = beta_pool(float(a), float(b))
    got = float(informative_tasks(tasks, G, 1, weights=weights))
    assert got == pytest.approx(float(share), rel=1e-11)


@pytest.mark.parametrize("highest", [0.05, 0.4, 1.0])
def test_beta_1_1_is_the_uniform_pool(highest):
    tasks, weights = beta_pool(1, 1, highest=highest)
    assert 0 < tasks.min() < tasks.max() < highest
    assert weights.sum() == pytest.approx(1)
    for power in (1, 2, 7):
        assert weights @ tasks**power == pytest.approx(highest**power / (power + 1), rel=1e-12)


def test_a_fit_gives_the_beta_back():
    """Expected counts of a beta-binomial have exactly its moments; a large draw has them nearly."""
    rng = np.random.default_rng(8)
    successes = rng.binomial(8, rng.beta(0.7, 2.7, 200_000))
    a, b = fit_beta(successes, 8)
    assert a == pytest.approx(0.7, rel=0.03)
    assert b == pytest.approx(2.7, rel=0.03)


def test_a_fit_by_hand():
    """Two attempts at six tasks: the mean is 5/12, c(c-1)/2 has mean 2/6."""
    a, b = fit_beta([0, 0, 0, 1, 2, 2], 2)
    m, s = Fraction(5, 12), Fraction(2, 6)
    k = (m - s) / (s - m**2)
    assert (a, b) == (pytest.approx(float(m * k)), pytest.approx(float((1 - m) * k)))


@pytest.mark.parametrize("regime", ["plain", "filtered", "refilled"])
@pytest.mark.parametrize("G", [4, 16])
def test_simulation_agrees_with_the_expectation(regime, G):
    pool = mixed_pool(2_000, rng=np.random.default_rng(5))
    setting = {"G": G, "prompts": 512 // G, "steps": 20, "regime": regime}
    runs = np.array(
        [simulate_steps(pool, **setting, rng=np.random.default_rng(seed)) for seed in range(16)]
    )
    error = runs.std(axis=0, ddof=1) / 4
    assert (np.abs(runs.mean(axis=0) - expect_steps(pool, **setting)) <= 4 * error + 1e-9).all()


def test_plain_steps_pay_for_what_they_draw():
    got = simulate_steps([0.5] * 100, G=8, prompts=10, steps=7, rng=np.random.default_rng(0))
    assert got.episodes == 8 * 10 * 7
    assert got.tasks_kept == 100
    assert 0 < got.distinct_tasks <= 70


def test_refilling_fills_every_step_and_pays_for_the_rest():
    pool = np.full(500, 0.1)
    got = simulate_steps(pool, G=8, prompts=20, steps=200, regime="refilled",
                         rng=np.random.default_rng(2))  # fmt: skip
    filled = round(got.episodes / 8 * (1 - got.zero_share))
    assert filled == 20 * 200
    draws = got.episodes / 8 / filled
    assert draws == pytest.approx(float(expected_draws(0.1, 8)), rel=0.03)


def test_the_filter_drops_the_ends_and_some_of_the_rest():
    pool = mixed_pool(20_000, rng=np.random.default_rng(4))
    got = simulate_steps(pool, G=8, prompts=64, steps=5, regime="filtered", history=16,
                         rng=np.random.default_rng(4))  # fmt: skip
    kept = ((pool > 0) & (pool < 1)) * (1 - pool**16 - (1 - pool) ** 16)
    spread = np.sqrt((kept * (1 - kept)).sum())
    assert abs(got.tasks_kept - kept.sum()) < 4 * spread


def test_the_same_seed_gives_the_same_counts():
    pool = mixed_pool(500, rng=np.random.default_rng(0))
    first, second = (
        simulate_steps(pool, G=4, prompts=30, steps=10, rng=np.random.default_rng(9))
        for _ in range(2)
    )
    assert first == second


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: informative_tasks([], 8, 64), "pass_rates must hold at least one task"),
        (
            lambda: informative_tasks([1.5], 8, 64),
            "pass_rates must lie between 0 and 1; one was 1.5",
        ),
        (lambda: informative_tasks([np.nan], 8, 64), "pass_rates .* nan"),
        (lambda: informative_tasks([0.1], 8, -1), "prompts .* -1"),
        (lambda: informative_tasks([0.1], 8, 64, weights=[0]), "weights"),
        (lambda: informative_tasks([0.1], 8, 64, weights=[1, 2]), "weights must be 1 numbers"),
        (lambda: beta_pool(0, 1), "a must be finite and above 0; it was 0"),
        (lambda: beta_pool(1, np.inf), "b must be finite and above 0; it was inf"),
        (lambda: beta_pool(1, 1, highest=1.2), "highest .* 1.2"),
        (lambda: beta_pool(1, 1, nodes=0), "nodes .* 0"),
        (lambda: fit_beta([0, 1], 1), "attempts must be a whole number from 2; it was 1"),
        (lambda: fit_beta([], 4), "successes must hold at least one task"),
        (lambda: fit_beta([0, 5], 4), "successes must be whole numbers from 0 to 4; one was 5"),
        (lambda: fit_beta([0, np.nan], 4), "one was nan"),
        (lambda: fit_beta([2, 2, 2], 4), "spread more"),
        (lambda: fit_beta([0, 4], 4), "all 0 or all 4"),
        (lambda: expect_steps([0.1], G=8, prompts=2), "prompts must be at most what the 1 tasks"),
        (lambda: expect_steps([0.0], G=8, prompts=1, regime="refilled"), "never end"),
        (lambda: expect_steps([0.0], G=8, prompts=1, regime="filtered"), "the 0 tasks kept"),
        (lambda: mixed_pool(0, rng=np.random.default_rng(0)), "tasks .* 0"),
        (lambda: mixed_pool(9, middle=2, rng=np.random.default_rng(0)), "middle"),
        (lambda: mixed_pool(9, tail_share=0.9, rng=np.random.default_rng(0)), "shares"),
        (lambda: _simulate(regime="other"), "regime .* 'other'"),
        (lambda: _simulate(prompts=0), "prompts .* 0"),
        (lambda: _simulate(prompts=2.5), "prompts .* 2.5"),
        (lambda: _simulate(prompts=11), "prompts must be at most the 10 tasks kept; it was 11"),
        (lambda: _simulate(steps=0), "steps .* 0"),
        (lambda: _simulate(pool=[0.0] * 10, regime="refilled"), "never end"),
        (lambda: _simulate(G=1, regime="refilled"), "never end"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def _simulate(pool=(0.5,) * 10, G=4, prompts=5, steps=2, **options):
    rng = np.random.default_rng(0)
    return simulate_steps(pool, G=G, prompts=prompts, steps=steps, rng=rng, **options)
