"""What weights teach about length: enumeration in fractions, symbols, differences, limits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy

from agentrl_lite.length_push import go_on_push, grow, length_chances
from agentrl_lite.losses import AGGREGATIONS

SEQUENCE, TOKEN, CONSTANT = "seq-mean-token-mean", "token-mean", "seq-mean-token-sum-norm"


def every_path(h, said, cap):
    """Yield the chance, the score and the length of each way an answer can go on."""
    chance, score, length = Fraction(1), Fraction(0), said
    while length < cap:
        yield chance * (1 - h), score - h, length
        chance, score, length = chance * h, score + (1 - h), length + 1
    yield chance, score, length


@pytest.mark.parametrize("h", [Fraction(1, 7), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize(("said", "cap"), [(1, 1), (1, 2), (3, 9), (8, 40)])
def test_chances_and_push_are_those_of_an_enumeration(h, said, cap):
    paths = list(every_path(h, said, cap))
    chances = length_chances(float(h), said=said, cap=cap)
    np.testing.assert_allclose(chances, [float(c) for c, _, _ in paths], rtol=1e-13)
    push = sum(c * s * Fraction(1, n) for c, s, n in paths)
    weights = 1 / np.arange(said, cap + 1)
    assert go_on_push(float(h), weights, said=said, cap=cap) == pytest.approx(
        float(push), rel=1e-11, abs=1e-15
    )


def test_the_push_is_the_slope_of_the_mean_weight():
    theta = sympy.symbols("theta")
    h = 1 / (1 + sympy.exp(-theta))
    weights = [sympy.Rational(1, n) for n in (5, 6, 7)]
    mean = (1 - h) * weights[0] + h * (1 - h) * weights[1] + h**2 * weights[2]
    for at in (-1.5, 0.0, 2.0):
        exact = float(sympy.diff(mean, theta).subs(theta, at))
        got = go_on_push(float(h.subs(theta, at)), [1 / 5, 1 / 6, 1 / 7], said=5, cap=7)
        assert got == pytest.approx(exact, rel=1e-12)


def test_equal_weights_push_nowhere_and_falling_ones_against_going_on():
    rng = np.random.default_rng(0)
    for h in rng.random(20):
        assert abs(go_on_push(float(h), 0.3, said=4, cap=30)) < 1e-12
        falling = np.sort(rng.random(27))[::-1]
        assert go_on_push(float(h), falling, said=4, cap=30) < 0
    assert go_on_push(0.0, [1 / 4, 1 / 5], said=4, cap=5) == 0
    assert go_on_push(1.0, [1 / 4, 1 / 5], said=4, cap=5) == 0
    assert go_on_push(0.5, [0.25], said=4, cap=4) == 0


def test_failures_grow_to_the_cap_only_where_they_are_seen():
    seen = grow(SEQUENCE, solved=0.25, seen=True, cap=40, rate=50.0)
    assert (np.diff(seen.failures) > 0).all()
    assert (np.diff(seen.successes) < 0).all()
    assert seen.failures[-1] > 0.9 * 40
    hidden = grow(SEQUENCE, solved=0.25, seen=False, cap=40, rate=50.0)
    np.testing.assert_allclose(hidden, seen.failures[0], rtol=1e-12)


@pytest.mark.parametrize("mode", [CONSTANT, "seq-mean-token-sum"])
def test_a_weight_without_length_moves_nothing(mode):
    grown = grow(mode, solved=0.25, seen=True, rate=50.0)
    np.testing.assert_allclose(grown, grown.failures[0], rtol=1e-12)


def test_token_mean_keeps_a_share_of_one_in_so_many_episodes():
    first = {
        (mode, B): grow(mode, solved=0.25, seen=True, said=50, cap=51, steps=1, episodes=B)
        for mode in (SEQUENCE, TOKEN)
        for B in (1, 16, 128)
    }
    for B in (1, 16, 128):
        rise = [np.diff(first[mode, B].failures)[0] for mode in (TOKEN, SEQUENCE)]
        assert rise[0] / rise[1] == pytest.approx(1 / B, rel=0.02)


def test_division_only_hastens():
    slow, fast = (grow(SEQUENCE, solved=0.25, seen=True, divide=d, steps=1) for d in (False, True))
    ratio = np.diff(fast.failures)[0] / np.diff(slow.failures)[0]
    assert ratio == pytest.approx(1 / np.sqrt(0.25 * 0.75), rel=0.02)


def test_first_step_by_finite_differences():
    """Along one step the objective, advantage times mean weight, rises by slope squared."""
    rate, q = 1e-4, 0.25
    before = grow(SEQUENCE, solved=q, seen=True, divide=False, steps=0)
    after = grow(SEQUENCE, solved=q, seen=True, divide=False, steps=1, rate=rate)
    slope = go_on_push(0.5, 1 / np.arange(8, 65), said=8, cap=64)
    words = go_on_push(0.5, np.arange(8, 65), said=8, cap=64)
    expected = rate * (1 - q) * -q * slope * words
    assert after.failures[1] - before.failures[0] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"solved": 0.0}, "solved must lie strictly between 0 and 1; it was 0.0"),
        ({"solved": float("nan")}, "solved must lie strictly"),
        ({"go_on": 1.0}, "go_on must lie strictly"),
        ({"go_on": 1.5}, "go_on must lie between 0 and 1; it was 1.5"),
        ({"said": 0}, "said must be a whole number from 1; it was 0"),
        ({"cap": 7}, "cap must be a whole number from 8; it was 7"),
        ({"cap": 9.5}, "cap must be a whole number"),
        ({"steps": -1}, "steps must be a whole number from 0; it was -1"),
        ({"episodes": 0}, "episodes must be a whole number from 1; it was 0"),
        ({"mode": "mean"}, f"mode must be one of {', '.join(AGGREGATIONS)}; it was 'mean'"),
    ],
)
def test_what_is_out_of_range_is_named(options, message):
    given = {"mode": SEQUENCE, "solved": 0.25, "seen": True} | options
    mode = given.pop("mode")
    with pytest.raises(ValueError, match=message):
        grow(mode, **given)
