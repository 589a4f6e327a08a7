"""Ratios, truncated weights and mismatch: exact cases, invariants, edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrl_lite.offpolicy import (
    effective_sample_size,
    log_ratio,
    mismatch,
    sequence_ratio,
    truncated_weights,
)


@given(st.integers(0, 99), st.floats(0.5, 5))
def test_weights_by_their_definition(seed, cap):
    rng = np.random.default_rng(seed)
    x, mask = rng.normal(size=(3, 4)), rng.random((3, 4)) < 0.7
    token = truncated_weights(x, mask, cap=cap)
    np.testing.assert_allclose(token.weights_B_T, np.where(mask, np.minimum(np.exp(x), cap), 0))
    if mask.any():
        assert token.truncated_share == pytest.approx((np.exp(x[mask]) > cap).mean())
    sequence = truncated_weights(x, mask, level="sequence", cap=cap)
    whole = np.array([np.prod(np.exp(row[m])) for row, m in zip(x, mask, strict=True)])
    want = np.where(mask, np.minimum(whole, cap)[:, None], 0)
    np.testing.assert_allclose(sequence.weights_B_T, want)


def test_extreme_ratios_neither_overflow_nor_leak():
    x, mask = [[800.0, -800.0, np.nan, np.inf]], [[1, 1, 0, 0]]
    got = truncated_weights(x, mask, cap=2.0)
    np.testing.assert_allclose(got.weights_B_T, [[2.0, 0.0, 0.0, 0.0]])
    assert got.truncated_share == 0.5
    assert sequence_ratio(x, mask).tolist() == [1.0]
    assert mismatch(x, mask).max == 800.0


def test_the_share_is_of_raw_weights():
    """After truncation no weight is above the cap any more: counted there, it would be 0."""
    assert truncated_weights([[5.0, 0.0]], [[1, 1]]).truncated_share == 0.5


def test_a_top_p_sampler_multiplies_every_ratio_by_the_kept_mass():
    """TRL#6789: the sampler renormalises, and all ratios fall by the mass it kept."""
    p = np.array([0.5, 0.3, 0.15, 0.05])
    kept = p[:3] / p[:3].sum()
    x = log_ratio(np.log(p[:3]), np.log(kept))[None]
    np.testing.assert_allclose(truncated_weights(x, np.ones((1, 3))).weights_B_T, 0.95)


def test_a_token_impossible_under_both_has_ratio_one():
    assert log_ratio([-np.inf, -1.0], [-np.inf, -np.inf]).tolist() == [0.0, np.inf]


@given(st.lists(st.floats(1e-200, 1e200), min_size=1, max_size=20))
def test_effective_sample_size_lies_between_one_and_all(weights):
    size = effective_sample_size(weights)
    assert 1 - 1e-9 <= size <= len(weights) + 1e-9
    assert effective_sample_size([1.0] * len(weights)) == len(weights)


def test_effective_sample_size_of_lognormal_ratios():
    """For log-ratios N(-s^2/2, s^2) the share that is left is exp(-s^2)."""
    x = np.random.default_rng(0).normal(-0.125, 0.5, 400_000)
    assert effective_sample_size(np.exp(x)) / x.size == pytest.approx(np.exp(-0.25), rel=0.01)


def test_mismatch_counts_the_policys_tokens_alone():
    got = mismatch([[0.1, -0.3, 9.0]], [[1, 1, 0]])
    assert got.mean == pytest.approx(0.2)
    assert got.max == pytest.approx(0.3)
    assert got.k3 == pytest.approx(np.mean([np.expm1(0.1) - 0.1, np.expm1(-0.3) + 0.3]))


def test_the_metric_is_over_all_tokens_not_a_mean_over_ranks():
    """TRL#6380: 100 tokens at 0.1 and 900 at 0.3 are 0.28, not 0.20."""
    x = np.concatenate([np.full(100, 0.1), np.full(900, 0.3)])[None]
    assert mismatch(x, np.ones_like(x)).mean == pytest.approx(0.28)


def test_nothing_is_nan():
    assert np.isnan(mismatch([[1.0]], [[0]])).all()
    assert np.isnan(sequence_ratio([[1.0]], [[0]])).all()
    assert np.isnan(effective_sample_size([]))
    assert np.isnan(truncated_weights([[1.0]], [[0]]).truncated_share)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: truncated_weights([[1]], [[1, 1]]), "must share two axes"),
        (lambda: truncated_weights([[1]], [[1]], level="turn"), "level .* 'turn'"),
        (lambda: truncated_weights([[1]], [[1]], cap=0), "cap must be above 0; it was 0"),
        (lambda: effective_sample_size([-1]), "weights must be finite"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()
