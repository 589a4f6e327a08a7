"""Group advantages and degenerate groups: hand-computed cases, invariants, edges."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from agentrl_lite.advantages import (
    degenerate_probability,
    group_advantages,
    group_summary,
    informative_probability,
    smallest_group,
)

REWARDS = arrays(np.float64, st.tuples(st.integers(1, 3), st.integers(1, 6)),
                 elements=st.sampled_from([0.0, 0.5, 1.0, -2.0, 7.25]))  # fmt: skip
SETTINGS = [
    {"baseline": baseline, "ddof": ddof}
    for baseline, ddof in product(("mean", "leave_one_out"), (None, 0, 1))
]


def slow_advantage(rewards: list[float], i: int, baseline: str, ddof: int | None) -> float:
    """One episode's advantage by the textbook, with plain Python sums."""
    peers = rewards if baseline == "mean" else rewards[:i] + rewards[i + 1 :]
    if len(rewards) < 2 or max(rewards) == min(rewards):
        return 0.0
    centred = rewards[i] - sum(peers) / len(peers)
    if ddof is None or max(peers) == min(peers):
        return centred
    mean = sum(peers) / len(peers)
    return centred / (sum((r - mean) ** 2 for r in peers) / (len(peers) - ddof)) ** 0.5


@pytest.mark.parametrize("setting", SETTINGS)
@given(rewards=REWARDS)
def test_advantages_equal_the_textbook(setting, rewards):
    got = group_advantages(rewards, **setting)
    want = [
        [slow_advantage(row, i, **setting) for i in range(len(row))] for row in rewards.tolist()
    ]
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


def test_one_success_among_eight():
    rewards = [1] + [0] * 7
    np.testing.assert_allclose(group_advantages(rewards)[:2], [0.875, -0.125], rtol=1e-15)
    np.testing.assert_allclose(
        group_advantages(rewards, ddof=0)[:2], [7**0.5, -1 / 7**0.5], rtol=1e-14
    )
    np.testing.assert_allclose(group_advantages(rewards, ddof=1)[:2], [2.475, -0.354], atol=5e-4)


def test_the_standard_deviation_is_that_of_the_group():
    """OpenRLHF#1250: over the wrong axis these rows came out otherwise."""
    assert group_advantages([[1, 3], [10, 30]], ddof=0).tolist() == [[-1, 1], [-1, 1]]


@given(rewards=REWARDS)
def test_leave_one_out_is_a_stretched_centring(rewards):
    G = rewards.shape[-1]
    stretched = group_advantages(rewards) * (G / (G - 1) if G > 1 else 1)
    got = group_advantages(rewards, baseline="leave_one_out")
    np.testing.assert_allclose(got, stretched, rtol=1e-12, atol=1e-12)


@given(rewards=REWARDS, shift=st.floats(-100, 100))
def test_a_bonus_for_the_whole_group_changes_nothing(rewards, shift):
    np.testing.assert_allclose(
        group_advantages(rewards + shift), group_advantages(rewards), atol=1e-11
    )


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("row", [[0.3] * 4, [0.1 + 0.2, 0.3, 0.3], [1 - 0.9 - 0.1, 0.0], [5.0]])
def test_no_spread_is_exactly_zero(setting, row):
    """By a tolerance: these sums differ in their last bit."""
    assert group_advantages(row, **setting).tolist() == [0.0] * len(row)
    assert group_summary([row]).frac_reward_zero_std == 1.0


def test_rounding_of_short_floats_is_no_spread():
    row = np.array([np.float32(0.1) + np.float32(0.6), np.float32(0.7)], dtype=np.float32)
    assert row[0] != row[1]
    assert group_advantages(row, ddof=0).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_missing_reward_is_left_out_and_counted(setting):
    """TRL#5773: a NaN row must not poison its group."""
    with_gap = group_advantages([1.0, np.nan, 0.0, 0.0], **setting)
    without = group_advantages([1.0, 0.0, 0.0], **setting)
    assert with_gap.tolist() == [without[0], 0.0, without[1], without[2]]
    assert group_summary([[1.0, np.nan, 0.0, 0.0]]).unscored == 1
    assert group_advantages([np.nan, np.nan], **setting).tolist() == [0.0, 0.0]


def test_leave_one_out_with_peers_that_agree_stays_undivided():
    got = group_advantages([1.0, 0.0, 0.0], baseline="leave_one_out", ddof=0)
    np.testing.assert_allclose(got, [1.0, -0.5 / 0.5, -0.5 / 0.5])


def test_epsilon_is_added_to_the_deviation():
    np.testing.assert_allclose(group_advantages([0, 1], ddof=0, epsilon=0.5), [-0.5, 0.5])


@pytest.mark.parametrize("kind", [bool, np.int8, np.int64, np.float16, np.float32])
def test_any_real_type_is_computed_in_float64_and_left_alone(kind):
    rewards = np.array([[1, 0, 0], [1, 1, 0]], dtype=kind)
    before = rewards.copy()
    got = group_advantages(rewards, ddof=1)
    assert got.dtype == np.float64
    np.testing.assert_array_equal(rewards, before)
    np.testing.assert_allclose(got, group_advantages(before.astype(float), ddof=1))


def test_the_group_is_the_last_axis_and_others_are_carried():
    rewards = np.random.default_rng(0).random((2, 3, 4))
    got = group_advantages(rewards, ddof=0)
    for i, j in np.ndindex(2, 3):
        np.testing.assert_allclose(got[i, j], group_advantages(rewards[i, j], ddof=0))
    assert group_advantages(np.zeros((0, 4))).shape == (0, 4)


def test_a_share_over_no_group_is_nan():
    assert np.isnan(group_summary(np.zeros((0, 4))).frac_reward_zero_std)


def test_a_group_of_halves_is_flat():
    """OpenRLHF#1270: its mean is neither 0 nor 1, and still it teaches nothing."""
    assert group_summary([[0.5] * 4, [0, 1, 0, 1]]).frac_reward_zero_std == 0.5


@pytest.mark.parametrize(
    ("rewards", "options", "named"),
    [
        ([], {}, "rewards_P_G"),
        (1.0, {}, "rewards_P_G"),
        (["a"], {}, "rewards_P_G"),
        ([1j], {}, "rewards_P_G"),
        ([np.inf, 0], {}, "rewards_P_G"),
        ([0, 1], {"baseline": "median"}, "baseline .* 'median'"),
        ([0, 1], {"ddof": 2}, "ddof .* 2"),
        ([0, 1], {"ddof": True}, "ddof .* True"),
        ([0, 1], {"ddof": 0, "epsilon": -1}, "epsilon .* -1"),
        ([0, 1], {"ddof": 0, "epsilon": np.nan}, "epsilon .* nan"),
    ],
)
def test_bad_arguments_are_named(rewards, options, named):
    with pytest.raises(ValueError, match=named):
        group_advantages(rewards, **options)


@given(p=st.fractions(0, 1, max_denominator=50), G=st.integers(1, 24))
def test_degenerate_probability_by_counting(p, G):
    """One minus the binomial mass strictly between none and all, in exact fractions."""
    between = sum(comb(G, c) * p**c * (1 - p) ** (G - c) for c in range(1, G))
    assert float(degenerate_probability(float(p), G)) == pytest.approx(
        float(1 - between), abs=1e-12
    )
    assert float(informative_probability(float(p), G)) == pytest.approx(float(between), rel=1e-11)


def test_a_rare_success_keeps_its_digits():
    p = Fraction(1, 10**15)
    exact = 1 - p**8 - (1 - p) ** 8
    assert float(informative_probability(float(p), 8)) == pytest.approx(float(exact), rel=1e-12)


def test_ends_and_single_groups_are_exact():
    assert degenerate_probability([0, 1], 8).tolist() == [1, 1]
    assert degenerate_probability(np.linspace(0, 1, 11), 1).tolist() == [1] * 11
    assert informative_probability([0, 1], 8).tolist() == [0, 0]
    assert informative_probability(np.linspace(0, 1, 11), 1).tolist() == [0] * 11


def test_group_sizes_broadcast_against_probabilities():
    table = degenerate_probability(np.array([[0.1], [0.3]]), [4, 8, 16])
    np.testing.assert_array_equal(table.round(3), [[0.656, 0.430, 0.185], [0.248, 0.058, 0.003]])


@given(p=st.floats(0.001, 0.999), waste=st.floats(0.01, 0.99))
def test_smallest_group_is_below_and_the_one_before_is_not(p, waste):
    G = smallest_group(p, waste)
    assert degenerate_probability(p, G) < waste
    assert G == 1 or degenerate_probability(p, G - 1) >= waste


def test_at_one_half_two_episodes_are_not_below_one_half():
    assert smallest_group(0.5) == 3


@pytest.mark.parametrize("p", [-0.1, 1.1, np.nan, [0.5, 2]])
def test_a_probability_outside_is_named(p):
    for function in (degenerate_probability, informative_probability):
        with pytest.raises(ValueError, match="p must lie between 0 and 1; it was"):
            function(p, 8)


@pytest.mark.parametrize("G", [0, -1, 2.5, np.nan, np.inf])
def test_a_group_size_that_is_none_is_named(G):
    with pytest.raises(ValueError, match="G must be a whole number from 1; it was"):
        degenerate_probability(0.1, G)


@pytest.mark.parametrize(("p", "waste"), [(0, 0.5), (1, 0.5), (0.1, 0), (0.1, 1), (np.nan, 0.5)])
def test_a_waste_that_no_group_reaches_is_an_error(p, waste):
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        smallest_group(p, waste)
