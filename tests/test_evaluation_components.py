"""Variance components of a paired comparison: enumeration, simulation, edges."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrl_lite.evaluation import (
    Benchmark,
    crossed_se,
    difference_components,
    paired_se,
    power,
    split_variance,
    units_needed,
)

COUNTS = st.integers(1, 64)


@pytest.mark.parametrize("samples", [1, 2, 3])
def test_task_and_sampling_terms_by_looking_at_every_outcome(samples):
    """One task drawn from three, both checkpoints sampled on it: every outcome, weighted."""
    rates = np.array([[0.1, 0.5], [0.8, 0.7], [1.0, 0.4]])
    mean = square = 0.0
    for p_a, p_b in rates:
        for outcome in product((0, 1), repeat=2 * samples):
            chance = np.prod(
                [(p if x else 1 - p) for p, x in zip([p_a, p_b] * samples, outcome, strict=True)]
            )
            difference = (sum(outcome[1::2]) - sum(outcome[::2])) / samples
            mean += chance * difference / 3
            square += chance * difference**2 / 3
    got = difference_components(
        (rates[:, 1] - rates[:, 0]).var(),
        (rates * (1 - rates)).sum(axis=1).mean(),
        0.0,
        tasks=1,
        samples=samples,
    )
    assert float(got.total) == pytest.approx(square - mean**2, abs=1e-14)


@given(COUNTS, COUNTS, COUNTS)
def test_each_lever_shrinks_its_own_terms(tasks, samples, seeds):
    one = difference_components(0.01, 0.13, 0.0002, tasks=1)
    got = difference_components(0.01, 0.13, 0.0002, tasks=tasks, samples=samples, seeds=seeds)
    ratios = [float(one[i] / got[i]) for i in range(3)]
    assert ratios == pytest.approx([tasks, tasks * samples * seeds, seeds], rel=1e-12)
    assert float(got.se) ** 2 == pytest.approx(float(sum(got)), rel=1e-12)


def test_components_broadcast():
    got = difference_components(0.01, [[0.13], [0.2]], 0.0, tasks=[100, 200, 400])
    assert got.se.shape == got.task.shape == (2, 3)
    assert (np.diff(got.se, axis=1) < 0).all()


def test_the_benchmarks_defaults_are_the_scenario_on_average():
    """41 and 43 per cent, 40 and 30 tasks of 500 discordant."""
    passes = Benchmark().simulate_passes(
        tasks=500, repetitions=4_000, rng=np.random.default_rng(1)
    )[:, :, 0]
    rates = passes.mean(axis=(1, 2))
    gained = ((passes[1] == 1) & (passes[0] == 0)).sum(axis=-1).mean()
    lost = ((passes[1] == 0) & (passes[0] == 1)).sum(axis=-1).mean()
    assert rates == pytest.approx([0.41, 0.43], abs=0.002)
    assert (gained, lost) == pytest.approx((40, 30), abs=0.6)


@pytest.mark.parametrize(("tasks", "samples", "seeds"), [(300, 1, 1), (80, 6, 1), (60, 2, 8)])
def test_the_formula_is_the_spread_of_the_simulation(tasks, samples, seeds):
    benchmark = Benchmark(gain=0.03, taste=0.15, seed_sd=0.01)
    passes = benchmark.simulate_passes(
        tasks=tasks, samples=samples, seeds=seeds, repetitions=4_000, rng=np.random.default_rng(2)
    )
    rates = passes.mean(axis=(2, 3)) / samples
    got = difference_components(
        *benchmark.variances(), tasks=tasks, samples=samples, seeds=seeds
    ).total
    differences = rates[1] - rates[0]
    assert differences.mean() == pytest.approx(0.03, abs=4 * differences.std() / 4_000**0.5)
    # A variance from 4,000 draws is good to 2.2 %; the seed-by-task term adds 1.4 % at most.
    assert differences.var() == pytest.approx(float(got), rel=0.08)


def test_a_settled_task_is_the_same_in_every_attempt():
    passes = Benchmark(open_share=0.3, always_share=0.7).simulate_passes(
        tasks=1_000, samples=40, seeds=2, rng=np.random.default_rng(3)
    )
    settled = (passes == 40).all(axis=(0, 1, 2))
    assert settled.mean() == pytest.approx(0.7, abs=0.06)
    assert passes.min() > 0


def test_the_simulation_repeats_itself():
    first, second = (
        Benchmark().simulate_passes(tasks=50, samples=3, rng=np.random.default_rng(5))
        for _ in range(2)
    )
    assert (first == second).all()


def test_the_split_is_unbiased():
    benchmark = Benchmark(taste=0.2)
    passes = benchmark.simulate_passes(
        tasks=400, samples=3, repetitions=1_500, rng=np.random.default_rng(4)
    )[:, :, 0]
    splits = np.array([split_variance(a, b, 3) for a, b in zip(*passes, strict=True)])
    error = splits.std(axis=0, ddof=1) / 1_500**0.5
    want = benchmark.variances()
    # One seed: its taste for the open tasks counts as the task's.
    seed_by_task = want.seed * (1 / benchmark.open_share - 1)
    assert abs(splits[:, 0].mean() - want.task - seed_by_task) < 4 * error[0]
    assert abs(splits[:, 1].mean() - want.sampling) < 4 * error[1]


def test_the_split_of_checkpoints_that_never_waver():
    split = split_variance([0, 4, 4, 0], [4, 4, 4, 0], 4)
    assert split == pytest.approx((0.25, 0.0))


def test_crossed_se_by_hand_and_by_simulation():
    """Two seeds, three tasks: seeds' means 1/3, 2/3; tasks' means 0, 1/2, 1."""
    rest = sum(x**2 for x in (1 / 6, -1 / 3, 1 / 6)) * 2
    want = (1 / 18) / 2 + (1 / 4) / 3 - rest / (2 * 6)
    got = crossed_se([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    assert float(got) ** 2 == pytest.approx(max(want, 1 / 12))
    rng = np.random.default_rng(6)
    x = (
        rng.normal(0, 1, (4_000, 12, 1))
        + rng.normal(0, 2, (4_000, 1, 30))
        + rng.normal(0, 3, (4_000, 12, 30))
    )
    assert (crossed_se(x) ** 2).mean() == pytest.approx(1 / 12 + 4 / 30 + 9 / 360, rel=0.03)
    assert x.mean(axis=(1, 2)).var() == pytest.approx(1 / 12 + 4 / 30 + 9 / 360, rel=0.08)


def test_crossed_se_of_one_seed_or_one_task_is_not_known():
    assert np.isnan(crossed_se(np.zeros((1, 10))))
    assert np.isnan(crossed_se(np.zeros((5, 4, 1)))).all()
    assert crossed_se(np.zeros((5, 2, 3))).tolist() == [0.0] * 5


def test_crossed_se_leaves_its_input_alone():
    given_ = np.arange(6.0).reshape(2, 3)
    before = given_.copy()
    crossed_se(given_)
    assert (given_ == before).all()


def test_one_sample_is_the_paired_error_of_the_appendix():
    """40 and 30 of 500: the two per-task variances add up to what paired_se sees."""
    total = 70 / 500 - 0.02**2
    got = difference_components(0.02, total - 0.02, 0.0, tasks=500)
    assert float(got.se) == pytest.approx(float(paired_se(40, 30, 500)), rel=1e-12)
    needed = float(units_needed(0.02, total**0.5))
    assert float(power(0.02, (total / needed) ** 0.5)) == pytest.approx(0.8, abs=1e-4)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: difference_components(-1, 0, 0, tasks=5), "task_variance must be at least 0"),
        (lambda: difference_components(0, np.nan, 0, tasks=5), "sampling_variance must be"),
        (lambda: difference_components(0, 0, -1, tasks=5), "seed_variance must be at least 0"),
        (lambda: difference_components(0, 0, 0, tasks=0), "tasks must be a whole number from 1"),
        (lambda: difference_components(0, 0, 0, tasks=5, samples=0.5), "samples must be a whole"),
        (lambda: difference_components(0, 0, 0, tasks=5, seeds=0), "seeds must be a whole number"),
        (lambda: split_variance([0, 1], [1, 1], 1), "samples must be a whole number from 2; it"),
        (lambda: split_variance([0, 3], [1, 1], 2), "passes_a_N must be at most n"),
        (lambda: split_variance([0, 1], [1], 2), "must be of one shape"),
        (lambda: split_variance([0], [1], 2), "N from 2"),
        (lambda: crossed_se([0.0, 1.0]), "must have the dimensions S and N"),
        (lambda: Benchmark(open_share=0), "open_share must be above 0"),
        (lambda: Benchmark(open_share=0.8), "their sum at most 1"),
        (lambda: Benchmark(taste=-0.1), "taste and seed_sd must be at least 0"),
        (lambda: Benchmark(taste=0.45), "must leave the open tasks' pass rates between 0 and 1"),
        (lambda: _simulate(tasks=0), "tasks must be a whole number from 1; it was 0"),
        (lambda: _simulate(tasks=5, samples=1.5), "samples must be a whole number from 1"),
        (lambda: _simulate(tasks=5, seeds=True), "seeds must be a whole number from 1"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def _simulate(**sizes):
    return Benchmark().simulate_passes(**sizes, rng=np.random.default_rng(0))
