"""What a price on turns pays for: enumeration of groups, the closed form, limits, scale."""

from __future__ import annotations

from itertools import product
from statistics import fmean, pstdev

import numpy as np
import pytest

from agentrl_lite.turn_price import give_up_push, threshold, tipping_rate

SCENARIO = {"c": 0.02, "n": 6}


def enumerated(q, c, n, G, x, *, divided, success_pays=False):
    """Play every group of G, attempt by attempt."""
    ways = (
        ("gives up", x, 0.0 if success_pays else -c),
        ("solved", (1 - x) * q, 1 - c * n),
        ("failed", (1 - x) * (1 - q), 0.0 if success_pays else -c * n),
    )
    total = 0.0
    for group in product(ways, repeat=G):
        rewards = [reward for _, _, reward in group]
        spread = pstdev(rewards)
        if spread < 1e-12:
            continue
        scale = spread if divided else 1.0
        pushed = sum(
            (reward - fmean(rewards)) / scale for name, _, reward in group if name == "gives up"
        )
        total += float(np.prod([chance for _, chance, _ in group])) * pushed / G
    return total


@pytest.mark.parametrize("G", [2, 3, 5])
@pytest.mark.parametrize("q", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("success_pays", [False, True])
def test_the_push_is_that_of_every_group(G, q, success_pays):
    for divided in (False, True):
        got = give_up_push(
            q,
            **SCENARIO,
            G=G,
            given_up=0.3,
            ddof=0 if divided else None,
            epsilon=0.0,
            paid_by="success" if success_pays else "every",
        )
        expected = enumerated(q, 0.02, 6, G, 0.3, divided=divided, success_pays=success_pays)
        assert got == pytest.approx(expected, rel=1e-10, abs=1e-14)


def test_undivided_it_is_the_closed_form_and_tips_at_the_threshold():
    rng = np.random.default_rng(0)
    for q, x in rng.random((20, 2)):
        c, n, G = 0.3 * rng.random(), 1 + 9 * rng.random(), int(rng.integers(1, 20))
        got = give_up_push(q, c=c, n=n, G=G, given_up=x, ddof=None)
        closed = x * (1 - x) * (G - 1) / G * (threshold(c, n) - q)
        assert got == pytest.approx(closed, rel=1e-9, abs=1e-13)
        if 0.05 < x < 0.95 and G > 1 and threshold(c, n) < 1:
            tips = tipping_rate(c=c, n=n, G=G, given_up=x, ddof=None)
            assert tips == pytest.approx(threshold(c, n), abs=1e-9)


def test_a_group_that_all_fails_does_not_feel_the_price():
    pushes = [give_up_push(0.0, c=c, n=6, epsilon=0.0) for c in (0.2, 0.02, 2e-6)]
    assert pushes == pytest.approx([pushes[0]] * 3, rel=1e-9)
    assert give_up_push(0.0, c=0.0, n=6) == 0
    assert give_up_push(0.0, c=0.02, n=1) == 0


def test_divided_the_tipping_rate_hardly_depends_on_the_price():
    rates = [tipping_rate(c=c, n=6) for c in (2e-2, 2e-3, 2e-4)]
    assert rates[0] > 2 * threshold(0.02, 6)
    assert rates[2] > 0.8 * rates[0]
    assert rates[2] > 200 * threshold(2e-4, 6)


def test_a_pair_tips_at_one_half_divided():
    """In a pair that differs the larger reward gets +1: try and success against giving up."""
    assert tipping_rate(**SCENARIO, G=2) == pytest.approx(0.5, abs=1e-4)


def test_where_successes_pay_alone_nothing_pays_for_giving_up():
    for q in (0.01, 0.2, 0.9):
        assert give_up_push(q, **SCENARIO, paid_by="success") < 0
    assert give_up_push(0.0, **SCENARIO, paid_by="success") == 0
    assert tipping_rate(**SCENARIO, paid_by="success") == 0
    assert tipping_rate(c=0.4, n=6, ddof=None) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"q": 1.5}, "q must lie between 0 and 1; it was 1.5"),
        ({"given_up": float("nan")}, "given_up must lie between 0 and 1; it was nan"),
        ({"c": -0.1}, "c must be finite and at least 0; it was -0.1"),
        ({"c": float("inf")}, "c must be finite"),
        ({"n": 0}, "n must be finite and at least 1; it was 0"),
        ({"G": 0}, "G must be a whole number from 1; it was 0"),
        ({"G": 2.5}, "G must be a whole number from 1; it was 2.5"),
        ({"paid_by": "nobody"}, "paid_by must be one of every, success; it was 'nobody'"),
    ],
)
def test_what_is_out_of_range_is_named(options, message):
    given = {"q": 0.2, "c": 0.02, "n": 6} | options
    with pytest.raises(ValueError, match=message):
        give_up_push(given.pop("q"), **given)
