"""KL estimators: hand-computed cases, exact enumeration, gradients, and the edges."""

from __future__ import annotations

from math import expm1, log

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from agentrl_lite import kl

LOGITS = arrays(np.float64, 4, elements=st.floats(-3, 3))


def softmax(logits):
    weights = np.exp(logits - np.max(logits))
    return weights / weights.sum()


def test_the_appendix_by_hand():
    x = [-0.2, 0.1, -0.5]
    np.testing.assert_allclose(kl.k1(x), [0.2, -0.1, 0.5])
    np.testing.assert_allclose(kl.k2(x), [0.02, 0.005, 0.125])
    np.testing.assert_allclose(kl.k3(x), [0.0187, 0.0052, 0.1065], atol=5e-5)
    assert kl.summarise(x)[:3] == pytest.approx((0.2, 0.05, 0.0435), abs=5e-5)


@given(LOGITS, LOGITS)
def test_k1_and_k3_are_unbiased_by_enumeration(logits, ref_logits):
    pi, ref = softmax(logits), softmax(ref_logits)
    want = sum(p * (log(p) - log(q)) for p, q in zip(pi, ref, strict=True))
    x = np.log(ref) - np.log(pi)
    assert pi @ kl.k1(x) == pytest.approx(want, abs=1e-12)
    assert pi @ kl.k3(x) == pytest.approx(want, abs=1e-12)
    assert float(kl.categorical_kl(logits, ref_logits)) == pytest.approx(want, abs=1e-12)


@given(st.floats(-700, 700).filter(lambda x: x == 0 or abs(x) > 1e-100))
def test_k3_is_never_negative_and_right_to_the_last_digits(x):
    with mpmath.workdps(400):
        exact = mpmath.expm1(mpmath.mpf(x)) - mpmath.mpf(x)
        assert float(kl.k3(x)) >= 0
        assert float(kl.k3(x)) == pytest.approx(float(exact), rel=1e-11, abs=1e-300)


def test_k3_of_a_tiny_ratio_in_float32():
    """TRL#3015: naive float32 gives 1.66e-8 where 5.0e-9 is right, and 22.6 overflows float16."""
    assert float(kl.k3(np.float32(1e-4))) == pytest.approx(5.0e-9, rel=1e-3)
    assert float(kl.k3(22.6434)) == pytest.approx(6.82e9, rel=1e-3)
    assert np.isfinite(kl.k3(np.float16(22.64)))


def test_extreme_ratios():
    assert kl.k3([800.0, -800.0]).tolist() == [np.inf, 799.0]
    assert kl.k1([800.0, -800.0]).tolist() == [-800.0, 800.0]
    assert kl.k3([np.inf, -np.inf]).tolist() == [np.inf, np.inf]
    clamped = kl.clamp([800.0, -800.0, 5.0], 20)
    assert clamped.changed == 2
    assert kl.k3(clamped.log_ratio)[0] == pytest.approx(expm1(20) - 20, rel=1e-12)


def test_a_token_impossible_under_both_contributes_nothing():
    """heretic#348: -inf minus -inf is not NaN here."""
    x = kl.log_ratio([-np.inf, -np.inf, -1.0], [-np.inf, -2.0, -np.inf])
    assert x.tolist() == [0.0, -np.inf, np.inf]
    assert kl.k3(x[:1]).tolist() == [0.0]


def test_k2_is_k3_to_the_second_order_and_no_further():
    x = np.array([1e-3, -1e-3])
    np.testing.assert_allclose(kl.k2(x), kl.k3(x), rtol=5e-4)
    assert not np.allclose(kl.k2(x), kl.k3(x), rtol=1e-4, atol=0)


@given(LOGITS, LOGITS)
def test_what_each_estimator_pushes_as_a_loss(logits, ref_logits):
    """k1 pushes nothing, k2 the gradient of KL(pi, ref), k3 that of KL(ref, pi)."""
    pi, ref = softmax(logits), softmax(ref_logits)
    reverse = pi * (np.log(pi / ref) - pi @ np.log(pi / ref))
    gradients = {"k1": np.zeros(4), "k2": reverse, "k3": pi - ref}
    for name, want in gradients.items():
        got = kl.loss_gradient(logits, ref_logits, name)
        np.testing.assert_allclose(got, want, atol=1e-12)


@pytest.mark.parametrize("name", ["k1", "k2", "k3"])
def test_loss_gradient_against_central_differences(name):
    rng = np.random.default_rng(0)
    logits, ref_logits = rng.normal(size=(2, 5))
    pi, estimate = softmax(logits), getattr(kl, name)

    def loss(moved):  # the sampled tokens keep their chances: they are data
        return pi @ estimate(np.log(softmax(ref_logits)) - np.log(softmax(moved)))

    h = 1e-6 * np.eye(5)
    numeric = [(loss(logits + step) - loss(logits - step)) / 2e-6 for step in h]
    np.testing.assert_allclose(kl.loss_gradient(logits, ref_logits, name), numeric, atol=1e-8)


def test_what_is_outside_the_mask_has_no_influence():
    x, mask = [0.1, np.nan, np.inf, -0.3], [1, 0, 0, 1]
    assert kl.summarise(x, mask) == kl.summarise([0.1, -0.3])
    assert np.isnan(kl.summarise([0.1, np.nan], [1, 1]).k3)


def test_a_summary_of_nothing_is_nan():
    assert np.isnan(kl.summarise([])).all()
    assert np.isnan(kl.summarise([1.0], [0])).all()


def test_a_few_tokens_that_diverge_show_in_the_quantile_not_in_the_mean():
    calm = np.full(990, 0.01)
    wild = np.concatenate([calm, np.full(10, -5.0)])
    before, after = kl.summarise(calm, quantile=0.995), kl.summarise(wild, quantile=0.995)
    assert after.k3 < 0.05
    assert (before.abs_quantile, after.abs_quantile) == pytest.approx((0.01, 5.0))
    assert after.negative_share == 0.99


@pytest.mark.parametrize("function", [kl.k1, kl.k2, kl.k3])
def test_inputs_are_left_alone_and_results_are_float64(function):
    for kind in (np.float16, np.float32, np.int64):
        x = np.array([[1, 2], [0, -3]], dtype=kind)
        before = x.copy()
        assert function(x).dtype == np.float64
        np.testing.assert_array_equal(x, before)
        np.testing.assert_allclose(function(x), function(before.astype(float)))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: kl.log_ratio([0.1], [-1]), r"ref_logprobs .* at most 0; they were \[0.1\]"),
        (lambda: kl.log_ratio([-1], [np.nan]), "logprobs .*nan"),
        (lambda: kl.clamp([1], -1), "limit must be at least 0; it was -1"),
        (lambda: kl.clamp([1], np.nan), "limit must be at least 0; it was nan"),
        (lambda: kl.summarise([1.0], [1, 1]), r"mask must have the shape \(1,\)"),
        (lambda: kl.summarise([1.0], quantile=2), "quantile .* 2"),
        (lambda: kl.loss_gradient([0, 1], [0, 1], "k4"), "estimator .* 'k4'"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()
