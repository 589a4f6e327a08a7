"""Aggregation and the clipped surrogate: the public cases, partitions, limits, slopes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrl_lite.losses import (
    AGGREGATIONS,
    Clip,
    Normaliser,
    aggregate,
    clipped_surrogate,
    clipped_surrogate_slope,
    count,
    is_clipped,
    token_weights,
    trajectory_weights,
)

LONGEST = {mode: 4.0 if mode == "seq-mean-token-sum-norm" else None for mode in AGGREGATIONS}
modes = pytest.mark.parametrize("mode", AGGREGATIONS)


def test_four_modes_on_one_batch():
    """verl#5417."""
    losses = np.array([[4, 9, 9, 9], [1, 1, 9, 9], [0.5] * 4])
    mask = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    want = dict(zip(AGGREGATIONS, (1.142857, 1.833333, 2.666667, 0.666667), strict=True))
    for mode in AGGREGATIONS:
        got = aggregate(losses, mask, mode, max_length=LONGEST[mode])
        assert got == pytest.approx(want[mode], abs=1e-6)


@modes
@given(data=st.data())
def test_any_split_over_microbatches_and_ranks_gives_the_same_loss(mode, data):
    """verl#6957, SkyRL#1296, prime-rl#2562: with counts over the whole step, parts add up."""
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    B = data.draw(st.integers(1, 8))
    losses, mask = rng.normal(size=(B, 5)), rng.random((B, 5)) < 0.5
    part_of = np.array(data.draw(st.lists(st.integers(0, 3), min_size=B, max_size=B)))
    parts = [part_of == part for part in range(4)]
    whole = sum((count(mask[part]) for part in parts), Normaliser(0, 0))
    assert whole == count(mask)
    options = {"max_length": LONGEST[mode]}
    total = sum(
        aggregate(losses[part], mask[part], mode, normaliser=whole, **options) for part in parts
    )
    assert total == pytest.approx(aggregate(losses, mask, mode, **options), abs=1e-12)


def test_what_a_mean_of_means_would_have_given():
    """100 tokens of loss 1 and 900 of loss 0: 0.5 by means of means, 0.1 is right."""
    losses, mask = np.zeros((2, 900)), np.zeros((2, 900), bool)
    losses[0, :100], mask[0, :100], mask[1] = 1, True, True
    assert aggregate(losses, mask, "token-mean") == pytest.approx(0.1)
    apart = [aggregate(losses[[i]], mask[[i]], "token-mean") for i in (0, 1)]
    assert np.mean(apart) == pytest.approx(0.5)


def test_token_weights_of_a_short_and_a_long_trajectory():
    mask = np.arange(2400) < np.array([[40], [2400]])
    ratio = {
        mode: (lambda w: w[0, 0] / w[1, 0])(token_weights(mask, mode, max_length=LONGEST[mode]))
        for mode in AGGREGATIONS
    }
    assert ratio == pytest.approx(
        {"token-mean": 1, "seq-mean-token-mean": 60, "seq-mean-token-sum": 1,
         "seq-mean-token-sum-norm": 1}
    )  # fmt: skip


@modes
def test_trajectory_weights_are_the_sums(mode):
    mask = [[1, 1, 0], [1, 1, 1], [0, 0, 0]]
    got = trajectory_weights(mask, mode, max_length=LONGEST[mode])
    np.testing.assert_allclose(got, token_weights(mask, mode, max_length=LONGEST[mode]).sum(axis=1))
    assert got[2] == 0.0


@modes
def test_no_token_is_no_loss_and_what_is_outside_has_no_influence(mode):
    options = {"max_length": LONGEST[mode]}
    assert aggregate([[np.nan]], [[0]], mode, **options) == 0.0
    assert aggregate(np.zeros((0, 3)), np.zeros((0, 3)), mode, **options) == 0.0
    clean = aggregate([[1.0, 0.0]], [[1, 0]], mode, **options)
    for poison in (np.nan, np.inf):
        assert aggregate([[1.0, poison]], [[1, 0]], mode, **options) == clean
    assert np.isnan(aggregate([[1.0, np.nan]], [[1, 1]], mode, **options))


def test_truncated_episodes_leave_the_denominator():
    """TRL#6369: 30 tokens of which 5 are masked divide by 25."""
    mask = np.ones((3, 10), bool)
    mask[2, :5] = False
    assert aggregate(np.ones((3, 10)), mask, "token-mean") == pytest.approx(1.0)
    assert token_weights(mask, "token-mean")[0, 0] == 1 / 25


def test_a_masked_advantage_has_no_influence():
    """AReaL#1346: advantages [1,1,10,10] with mask [1,1,0,0] give -1."""
    losses = clipped_surrogate(np.zeros((1, 4)), [[1, 1, 10, 10]], Clip())
    assert aggregate(losses, [[1, 1, 0, 0]], "token-mean") == -1.0


@given(st.floats(-3, 3), st.floats(-5, 5), st.sampled_from([None, 1.5, 3.0]))
def test_the_surrogate_by_its_definition(log_ratio, advantage, dual):
    clip = Clip(0.2, 0.28, dual)
    ratio = np.exp(log_ratio)
    best = min(ratio * advantage, np.clip(ratio, 0.8, 1.28) * advantage)
    if dual is not None and advantage < 0:
        best = max(best, dual * advantage)
    assert float(clipped_surrogate(log_ratio, advantage, clip)) == pytest.approx(-best, abs=1e-12)


@given(st.floats(-3, 3), st.floats(-5, 5), st.sampled_from([None, 1.5, 3.0]))
def test_the_slope_against_central_differences(log_ratio, advantage, dual):
    clip, h = Clip(0.2, 0.28, dual), 1e-6
    kinks = [np.log(x) for x in (0.8, 1.28, dual or 1.28)]
    if min(abs(log_ratio - kink) for kink in kinks) < 1e-5:
        return  # the derivative jumps there
    ends = (float(clipped_surrogate(log_ratio + s, advantage, clip)) for s in (h, -h))
    numeric = (next(ends) - next(ends)) / (2 * h)
    got = float(clipped_surrogate_slope(log_ratio, advantage, clip))
    assert got == pytest.approx(numeric, rel=1e-7, abs=1e-7)


def test_a_dual_clip_leaves_positive_advantages_alone():
    """slime: advantage 1 at ratio 1 must give -1, not -3."""
    assert float(clipped_surrogate(0.0, 1.0, Clip(dual=3.0))) == -1.0
    assert float(clipped_surrogate(np.log(10), -1.0, Clip(dual=3.0))) == 3.0
    assert bool(is_clipped(np.log(10), -1.0, Clip(dual=3.0)))


def test_a_huge_ratio_on_a_positive_advantage_stays_finite():
    assert clipped_surrogate([800.0, -800.0], 1.0, Clip()).tolist() == [-1.2, 0.0]
    assert clipped_surrogate_slope([800.0], 1.0, Clip()).tolist() == [0.0]


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: token_weights([[1]], "mean"), "mode must be one of token-mean.*it was 'mean'"),
        (lambda: token_weights([1], "token-mean"), r"mask_B_T must have two axes.*\(1,\)"),
        (lambda: token_weights([[1]], "token-mean", max_length=4), "max_length .* alone"),
        (lambda: token_weights([[1]], AGGREGATIONS[3]), "max_length must be given"),
        (lambda: token_weights([[1]], AGGREGATIONS[3], max_length=0), "max_length .* 0"),
        (lambda: token_weights([[1]], "token-mean", normaliser=Normaliser(0, 1)), "normaliser"),
        (lambda: aggregate([[1, 2]], [[1]], "token-mean"), "losses_B_T must have the mask's"),
        (lambda: is_clipped(0, 1, Clip(low=1.5)), "clip.low .* 1.5"),
        (lambda: is_clipped(0, 1, Clip(high=-1)), "clip.high .* -1"),
        (lambda: is_clipped(0, 1, Clip(dual=1)), "clip.dual must be above 1; it was 1"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()
