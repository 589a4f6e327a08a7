"""Entropy: the first-order law against exact steps, and forecasts of the tiny policy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_up_tasks import made_up
from scipy.special import softmax

from agentrl_lite.entropy import clip_room, entropy, entropy_change, expected_step
from agentrl_lite.entropy_forecast import entropy_forecast, step_forecast, step_ratios
from agentrl_lite.losses import Clip, is_clipped
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import policy_for, steps

PUBLISHED = [0.7, 0.2, 0.1]


def exact_change(p, A, rate):
    """The change by a loop over actions, in plain numbers."""
    mean = sum(q * a for q, a in zip(p, A, strict=True))
    weights = [q * np.exp(rate * q * (a - mean)) for q, a in zip(p, A, strict=True)]
    new = [w / sum(weights) for w in weights]
    return sum(q * np.log(q) for q in p) - sum(q * np.log(q) for q in new)


def test_entropy_is_greatest_where_all_is_equally_likely():
    assert entropy(np.full(8, 1 / 8)) == pytest.approx(np.log(8), rel=1e-15)
    assert entropy([0.0, 1.0]) == 0.0
    assert np.signbit(entropy([0.0, 1.0])) == 0
    assert entropy(np.full((3, 2), 0.5)).shape == (3,)


def test_the_published_numbers():
    assert f"{exact_change(PUBLISHED, [1, 0, 0], 2e-3):.5e}" == "-1.97131e-04"
    exact = entropy(expected_step(PUBLISHED, [1, 0, 0], 2e-3)) - entropy(PUBLISHED)
    assert f"{exact:.5e}" == "-1.97131e-04"
    assert f"{entropy_change(PUBLISHED, [1, 0, 0], 2e-3):.5e}" == "-1.97110e-04"


@pytest.mark.parametrize("seed", range(20))
def test_the_law_is_the_slope_at_rate_zero(seed):
    rng = np.random.default_rng(seed)
    p, A = softmax(rng.normal(size=7)), rng.normal(size=7)
    h = 1e-5
    slope = (exact_change(p, A, h) - exact_change(p, A, -h)) / (2 * h)
    assert entropy_change(p, A, 1.0) == pytest.approx(slope, rel=1e-6, abs=1e-9)
    assert entropy(expected_step(p, A, 0.3)) - entropy(p) == pytest.approx(
        exact_change(p, A, 0.3), rel=1e-9, abs=1e-12
    )


def test_the_law_is_a_covariance():
    p, A = np.array(PUBLISHED), np.array([1.0, -0.5, 2.0])
    push = p * (A - p @ A)
    covariance = p @ (np.log(p) * push) - (p @ np.log(p)) * (p @ push)
    assert entropy_change(p, A, 0.1) == pytest.approx(-0.1 * covariance, rel=1e-12)


def test_a_constant_on_the_advantages_and_a_uniform_policy_change_nothing():
    assert entropy_change(PUBLISHED, [3, 3, 3], 1.0) == pytest.approx(0, abs=1e-15)
    assert entropy_change([0.25] * 4, [1, 2, 3, 4], 1.0) == pytest.approx(0, abs=1e-15)
    np.testing.assert_allclose(
        expected_step(PUBLISHED, [1, 0, 0], 0.5), expected_step(PUBLISHED, [6, 5, 5], 0.5)
    )


def test_states_stand_side_by_side():
    p, A = np.array([PUBLISHED, [0.1, 0.2, 0.7]]), [[1, 0, 0], [1, 0, 0]]
    both = entropy_change(p, A, 0.1)
    assert both[0] == pytest.approx(float(entropy_change(p[0], A[0], 0.1)))
    assert both[0] < 0 < both[1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: entropy([0.5, 0.6]), "probs must be at least 0 and sum to 1"),
        (lambda: entropy(1.0), "probs must be at least 0 and sum to 1"),
        (lambda: entropy([np.nan, 1.0]), "probs must be at least 0 and sum to 1"),
        (lambda: entropy_change([1.0, 0.0], [1, 0], 1.0), "probs must be above 0"),
        (lambda: expected_step(PUBLISHED, [1, 0, 0], np.inf), "rate must be finite; it was inf"),
        (lambda: clip_room(1.2, 0.2, 0.2), "probs must lie between 0 and 1; it was 1.2"),
        (lambda: clip_room(0.2, 1.2, 0.2), "low must lie between 0 and 1; it was 1.2"),
        (lambda: clip_room(0.2, 0.2, -1), "high must be finite and at least 0; it was -1"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("p", [0.01, 0.3, 0.5, 0.83, 0.84, 0.9])
def test_room_ends_where_the_surrogate_stops_to_push(p):
    low, high = clip_room(p, 0.2, 0.2)
    clip, inside = Clip(0.2, 0.2), 1 - 1e-6
    assert not is_clipped(np.log(high * inside / p), 1.0, clip)
    assert not is_clipped(np.log(low / inside / p), -1.0, clip)
    assert is_clipped(np.log(low * inside / p), -1.0, clip)
    assert bool(is_clipped(np.log(1.0 / p), 1.0, clip)) == (high < 1)


def test_no_probability_has_room_above_1():
    assert clip_room(0.9, 0.2, 0.2)[1] == 1.0
    assert clip_room(0.5, 0.2, 0.2)[1] == pytest.approx(0.6)


SMALL = Config(seed=3, steps=4, prompts=6, group=4, optimiser="sgd", learning_rate=0.2)


def test_a_small_step_is_forecast():
    forecast = entropy_forecast(SMALL, made_up())
    assert forecast.actual.shape == (4,)
    np.testing.assert_allclose(forecast.first_order, forecast.actual, rtol=0.05, atol=1e-5)


def test_the_product_is_the_slope_of_the_entropy():
    table = made_up()
    policy, done = policy_for(table), next(steps(SMALL, table))
    before, after = done.state.start, done.state.newest
    nothing = np.zeros(24)
    h, ends = 1e-4, []
    for t in (h, -h):
        at = before + t * (after - before)
        ends.append(step_forecast(policy, before, at, done.played, nothing)[0])
    product = step_forecast(policy, before, after, done.played, nothing)[1]
    assert product == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-5)


def test_the_rule_of_thumb_is_a_covariance_over_tokens():
    table = made_up()
    policy, done = policy_for(table), next(steps(SMALL, table))
    batch = done.played.batch
    A = np.arange(24.0)
    _, _, covariance = step_forecast(policy, done.state.start, done.state.newest, done.played, A)
    pairs = [
        (batch.behavior_logprobs_B_T[i, t], A[i]) for i, t in np.argwhere(batch.mask_B_T).tolist()
    ]
    x, y = np.array(pairs).T
    assert covariance == pytest.approx(-np.cov(x, y, ddof=0)[0, 1], rel=1e-9)


def test_a_forecast_goes_on_where_a_run_stopped():
    table = made_up()
    first = list(steps(replace(SMALL, steps=2), table))[-1].state
    rest = entropy_forecast(SMALL, table, first)
    np.testing.assert_array_equal(rest.actual, entropy_forecast(SMALL, table).actual[2:])
    assert entropy_forecast(replace(SMALL, steps=0), table).actual.shape == (0,)


def test_a_run_with_a_history_is_forecast_in_its_own_words():
    config = Config(steps=2, prompts=4, group=4, rules=Rules(history="leak"))
    forecast = entropy_forecast(config, made_up())
    assert forecast.actual.shape == (2,)
    assert np.isfinite(forecast.actual).all()


def test_ratios_are_1_where_nothing_moved_and_e_to_the_difference_where_it_did():
    table = made_up()
    policy, done = policy_for(table), next(steps(SMALL, table))
    start, after = done.state.start, done.state.newest
    own = done.played.batch.mask_B_T
    assert (step_ratios(policy, start, start, done.played) == 1).all()
    later = policy.score(after, done.played.codes_B_T[own]).of(done.played.batch.ids[:, 1:][own])
    expected = np.exp(later - done.played.batch.behavior_logprobs_B_T[own])
    np.testing.assert_allclose(step_ratios(policy, start, after, done.played), expected, rtol=1e-9)
