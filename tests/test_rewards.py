"""Flipping verdicts: Bayes' rule against counts, simulation and limits; then the errors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrl_lite.rewards import flip_verdicts, genuine_share, rewarded_rate

rates = st.floats(0, 1)


def test_a_population_counted_by_hand():
    """Of 5,000 attempts 100 are right; 96 of these are rewarded, and 196 of the 4,900 wrong."""
    flips = {"false_positive": 0.04, "false_negative": 0.04}
    assert float(rewarded_rate(0.02, **flips)) == pytest.approx(292 / 5000, rel=1e-12)
    assert float(genuine_share(0.02, **flips)) == pytest.approx(96 / 292, rel=1e-12)


@given(rates, rates, rates)
def test_bayes_in_exact_fractions(p, wrong, right):
    rewarded = Fraction(p) * (1 - Fraction(right)) + (1 - Fraction(p)) * Fraction(wrong)
    got = float(genuine_share(p, false_positive=wrong, false_negative=right))
    if float(rewarded) < 1e-300:
        return
    assert got == pytest.approx(float(Fraction(p) * (1 - Fraction(right)) / rewarded), rel=1e-9)


@given(st.floats(1e-6, 0.5))
def test_half_is_genuine_where_the_task_is_as_rare_as_the_flip(f):
    assert float(genuine_share(f, false_positive=f, false_negative=f)) == pytest.approx(0.5)


@given(rates)
def test_a_verifier_that_never_errs_shows_the_task(p):
    assert float(rewarded_rate(p, false_positive=0, false_negative=0)) == p


def test_at_the_ends():
    flips = {"false_positive": 0.04, "false_negative": 0.04}
    assert genuine_share([0, 1], **flips).tolist() == [0.0, 1.0]
    assert np.isnan(genuine_share(0, false_positive=0, false_negative=0.1))
    assert np.isnan(genuine_share(1, false_positive=0.1, false_negative=1))
    # A verifier at one half tells nothing: the share is the pass rate.
    assert float(genuine_share(0.3, false_positive=0.5, false_negative=0.5)) == pytest.approx(0.3)


def test_rates_broadcast():
    got = genuine_share([[0.1], [0.2]], false_positive=[0.0, 0.1, 0.2], false_negative=0.1)
    assert got.shape == (2, 3)
    assert (got[:, 0] == 1).all()


def test_flips_come_at_their_rates_and_on_their_own():
    solved = np.arange(200_000) < 100_000
    got = flip_verdicts(
        solved, false_positive=0.04, false_negative=0.1, rng=np.random.default_rng(0)
    )
    flipped = got != solved
    for half, rate in ((solved, 0.1), (~solved, 0.04)):
        error = np.sqrt(rate * (1 - rate) / 100_000)
        assert abs(flipped[half].mean() - rate) < 4 * error
    pairs = flipped[~solved].reshape(-1, 2).all(axis=1)
    assert abs(pairs.mean() - 0.04**2) < 4 * np.sqrt(0.04**2 / 50_000)


def test_no_flips_and_all_flips():
    solved = np.array([[1, 0], [0, 1]])
    before, rng = solved.copy(), np.random.default_rng(0)
    same = flip_verdicts(solved, false_positive=0, false_negative=0, rng=rng)
    turned = flip_verdicts(solved, false_positive=1, false_negative=1, rng=rng)
    assert (same == solved).all()
    assert (turned == ~solved.astype(bool)).all()
    assert (solved == before).all()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: rewarded_rate(1.2, false_positive=0, false_negative=0), r"p must .* 1\.2"),
        (lambda: genuine_share(0.1, false_positive=-1, false_negative=0), "false_positive .* -1"),
        (lambda: genuine_share(0.1, false_positive=0, false_negative=np.nan), "false_negative"),
        (lambda: _flip([1, 2]), "solved must hold booleans"),
        (lambda: _flip([0.5]), "solved must hold booleans"),
        (lambda: _flip(["yes"]), "solved must hold booleans"),
        (lambda: _flip([1], false_positive=2), "false_positive .* 2"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def _flip(solved, false_positive=0.0):
    rng = np.random.default_rng(0)
    return flip_verdicts(solved, false_positive=false_positive, false_negative=0.0, rng=rng)
