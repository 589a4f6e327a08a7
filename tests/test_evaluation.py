"""pass@k, paired tests, intervals and power: exact oracles, published values, edges."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agentrl_lite.evaluation import (
    bootstrap_interval,
    mcnemar,
    paired_difference,
    paired_se,
    pass_at_k,
    pass_at_k_moments,
    pass_at_k_plugin,
    power,
    rate_se,
    units_needed,
    wilson_interval,
)

COUNTS = st.integers(1, 1000).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(0, n))
)


@given(COUNTS)
def test_pass_at_k_against_integers(counts):
    n, c, k = counts
    exact = 1 - Fraction(comb(n - c, k), comb(n, k))
    assert float(pass_at_k(n, c, k)) == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize(("n", "c", "k"), [(6, 2, 3), (5, 5, 1), (4, 0, 2)])
def test_pass_at_k_by_looking_at_every_subset(n, c, k):
    subsets = list(combinations([True] * c + [False] * (n - c), k))
    assert float(pass_at_k(n, c, k)) == pytest.approx(sum(map(any, subsets)) / len(subsets))


def test_the_appendix():
    np.testing.assert_allclose(pass_at_k(10, 3, [1, 5]), [0.3, 1 - 21 / 252], rtol=1e-14)
    assert float(pass_at_k_plugin(10, 3, 5)) == pytest.approx(1 - 0.7**5, rel=1e-14)


def test_problem_counts_in_place_of_sample_counts():
    """What 164 problems of which 50 pass would give, and what ten samples do."""
    assert float(pass_at_k(164, 50, 10)) == pytest.approx(0.9768, abs=5e-5)
    assert float(pass_at_k(10, 3, 10)) == 1.0


def test_edges_of_pass_at_k():
    assert np.isnan(pass_at_k([0, 5, 0], [0, 2, 0], [1, 6, 0])).all()
    assert pass_at_k([5, 5, 5], [0, 2, 5], [3, 0, 1]).tolist() == [0.0, 0.0, 1.0]
    assert float(pass_at_k(10, 4, 7)) == 1.0
    huge = pass_at_k(10**15, 10**15 // 2, 3)
    assert float(huge) == pytest.approx(7 / 8, rel=1e-9)
    assert pass_at_k(np.zeros((0, 3)), 0, 1).shape == (0, 3)


def test_pass_at_k_broadcasts_and_leaves_its_inputs_alone():
    n, c = np.array([[10], [20]]), np.array([[3], [4]])
    before = n.copy(), c.copy()
    got = pass_at_k(n, c, [1, 2, 5])
    assert got.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        assert got[i, j] == pass_at_k(n[i, 0], c[i, 0], [1, 2, 5][j])
    np.testing.assert_array_equal(n, before[0])
    np.testing.assert_array_equal(c, before[1])


def test_small_integer_types_do_not_wrap():
    got = pass_at_k(np.int8(127), np.int8(100), np.int8(20))
    assert float(got) == pytest.approx(float(1 - Fraction(comb(27, 20), comb(127, 20))))
    assert float(paired_se(np.int8(100), np.int8(27), 500)) == pytest.approx(
        float(paired_se(100, 27, 500))
    )


@given(st.floats(0, 1), st.integers(1, 40), st.data())
def test_the_estimator_is_unbiased_and_the_plug_in_is_low(p, n, data):
    k = data.draw(st.integers(0, n))
    mean, variance = pass_at_k_moments(p, n, k)
    truth = -np.expm1(k * np.log1p(-p)) if p < 1 else float(k > 0)
    assert float(mean) == pytest.approx(float(truth), abs=1e-10)
    assert float(variance) >= 0
    c = np.arange(n + 1)
    mass = stats.binom.pmf(c, n, p if p > 1e-300 else 0.0)  # scipy overflows below
    plugin = mass @ pass_at_k_plugin(n, c, k)
    assert plugin <= truth + 1e-10


def test_moments_at_the_least_of_numbers():
    assert [float(m) for m in pass_at_k_moments(np.finfo(float).tiny, 40, 1)] == [0.0, 0.0]


def test_many_rows_in_any_order_equal_single_rows():
    """More rows than a block holds, with certain and undefined ones between them."""
    n, c, k = np.random.default_rng(4).integers([[1], [0], [0]], 60, size=(3, 40_000))
    c = np.minimum(c, n)
    got = pass_at_k(n, c, k)
    for i in range(0, n.size, 397):
        np.testing.assert_equal(got[i], float(pass_at_k(n[i], c[i], k[i])))
    many = pass_at_k(100_000, 40_000, 40_000)  # more terms than 16 bits count
    assert float(many) == 1.0


def test_moments_against_simulation():
    c = np.random.default_rng(2).binomial(20, 0.2, size=100_000)
    drawn = pass_at_k(20, c, 8)
    mean, variance = pass_at_k_moments(0.2, 20, 8)
    assert abs(drawn.mean() - mean) < 4 * np.sqrt(variance / 100_000)
    assert drawn.var() == pytest.approx(float(variance), rel=0.03)


def test_two_points_on_five_hundred_tasks():
    """McNemar (40, 30): exact, corrected and uncorrected, as statsmodels prints them."""
    assert float(mcnemar(40, 30).p_value) == pytest.approx(0.28198, abs=5e-6)
    assert float(mcnemar(40, 30, "corrected").p_value) == pytest.approx(0.28206, abs=5e-6)
    chi2 = mcnemar(40, 30, "uncorrected")
    assert (float(chi2.statistic), float(chi2.p_value)) == pytest.approx((1.4286, 0.2320), abs=5e-5)
    assert float(paired_se(40, 30, 500)) == pytest.approx(0.016709, abs=5e-7)
    assert float(paired_se(40, 30, 500, under_null=True)) == pytest.approx(70**0.5 / 500)


@given(st.integers(0, 60), st.integers(0, 60))
def test_exact_mcnemar_is_the_binomial_test(b, c):
    want = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert float(mcnemar(b, c).p_value) == pytest.approx(want, rel=1e-10)
    assert mcnemar(b, c) == mcnemar(c, b)


def test_no_discordant_pair_is_no_evidence():
    for method in ("exact", "corrected", "uncorrected"):
        assert float(mcnemar(0, 0, method).p_value) == 1.0


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20), st.integers(1, 20))
def test_paired_se_is_that_of_the_differences(b, c, both, neither):
    differences = np.array([1.0] * b + [-1.0] * c + [0.0] * (both + neither))
    n = differences.size
    assert float(paired_se(b, c, n)) == pytest.approx(differences.std() / n**0.5, abs=1e-12)
    assert float(paired_difference(b, c, n)) == pytest.approx(differences.mean(), abs=1e-12)


def test_unpaired_errors_of_the_appendix():
    assert float(rate_se(0.42, 500)) == pytest.approx(0.022, abs=5e-4)
    assert float(np.hypot(rate_se(0.41, 500), rate_se(0.43, 500))) == pytest.approx(0.031, abs=5e-4)
    assert np.isnan(rate_se(0.5, 0))
    assert np.isnan(paired_se(0, 0, 0))


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_against_scipy(counts):
    successes, n = counts
    want = stats.binomtest(successes, n).proportion_ci(method="wilson")
    assert wilson_interval(successes, n) == pytest.approx((want.low, want.high), abs=1e-12)


def test_wilson_of_nothing_is_everything():
    assert [float(end) for end in wilson_interval(0, 0)] == [0.0, 1.0]


def test_the_bootstrap_covers_as_often_as_it_says():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(400):
        values = rng.random(60) < 0.4
        low, high = bootstrap_interval(values, resamples=400, rng=rng)
        hits += low <= 0.4 <= high
    # Percentile intervals are a little short at 60 tasks; three standard errors are 0.033.
    assert 0.95 - 0.045 < hits / 400 < 0.95 + 0.033


def test_the_bootstrap_is_repeatable_and_close_to_the_normal_interval():
    values = np.random.default_rng(1).normal(3, 2, 400)
    first, second = (bootstrap_interval(values, rng=np.random.default_rng(7)) for _ in range(2))
    assert first == second
    half = 1.96 * values.std() / 20
    assert first == pytest.approx((values.mean() - half, values.mean() + half), abs=0.02)


def test_power_by_simulation():
    rng = np.random.default_rng(3)
    z = rng.normal(0.02 / 0.01, 1, 200_000)
    assert float(power(0.02, 0.01)) == pytest.approx((np.abs(z) > 1.959964).mean(), abs=0.004)
    assert float(power(0.0, 0.01)) == pytest.approx(0.05)
    assert float(power(-0.02, 0.01)) == float(power(0.02, 0.01))


@given(st.floats(0.001, 0.5), st.floats(0.01, 2), st.floats(0.6, 0.99))
def test_the_units_needed_have_the_power_asked_for(difference, sd, target):
    n = float(units_needed(difference, sd, target=target))
    assert float(power(difference, sd / n**0.5)) == pytest.approx(target, abs=2e-3)


def test_three_points_need_969_questions():
    """Miller 2024 (arXiv 2411.00640)."""
    assert round(float(units_needed(0.03, np.sqrt(1 / 9)))) == 969


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: pass_at_k(10, 11, 1), "c must be at most n; they were c = 11, n = 10"),
        (lambda: pass_at_k(-1, 0, 1), "n must be a whole number from 0; it was -1"),
        (lambda: pass_at_k(10, 2.5, 1), "c must be a whole number from 0; it was 2.5"),
        (lambda: pass_at_k(10, 3, np.nan), "k must be a whole number from 0; it was nan"),
        (lambda: pass_at_k(10, 3, "5"), "k must be a whole number"),
        (lambda: pass_at_k(10, True, 5), "c must be a whole number"),
        (lambda: pass_at_k_plugin(10, 11, 1), "c must be at most n"),
        (lambda: pass_at_k_moments(1.5, 10, 5), "p must lie between 0 and 1; it was 1.5"),
        (lambda: pass_at_k_moments(0.5, 0, 0), "n must be a whole number from 1; it was 0"),
        (lambda: pass_at_k_moments(0.5, 10, 11), "k must be a whole number from 0 to n = 10"),
        (lambda: mcnemar(-1, 2), "b must be a whole number from 0; it was -1"),
        (lambda: mcnemar(1, 2, "other"), "method must be exact, corrected or uncorrected"),
        (lambda: paired_se(40, 30, 60), "b . c must be at most n"),
        (lambda: wilson_interval(3, 2), "successes must be at most n"),
        (lambda: wilson_interval(1, 2, 1.0), "confidence must lie strictly between 0 and 1"),
        (lambda: rate_se(1.2, 10), "rate must lie between 0 and 1; it was 1.2"),
        (lambda: _bootstrap([]), "values must be finite"),
        (lambda: _bootstrap([np.nan]), "values must be finite"),
        (lambda: _bootstrap([1.0], resamples=0), "resamples must be a whole number from 1"),
        (lambda: power(0.1, 0), "se must be above 0; it was 0"),
        (lambda: power(0.1, 1, alpha=0), "alpha must lie strictly between 0 and 1"),
        (lambda: units_needed(0, 1), "difference must not be 0"),
        (lambda: units_needed(1, -1), "sd must be at least 0; it was -1"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def _bootstrap(values, **options):
    return bootstrap_interval(values, rng=np.random.default_rng(0), **options)
