"""What the figures of Q1 and Q2 say, by other means than they compute it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from agentrl_lite import figures
from agentrl_lite.figures import q01, q01_batch, q02, q02_partitions


@pytest.mark.parametrize("mode", q01.MODES)
def test_q01_weighs_a_batch_of_which_half_is_short(mode):
    lengths = np.repeat([40, 2400], 8)
    by_hand = {
        "token-mean": np.full(16, 1 / lengths.sum()),
        "seq-mean-token-mean": 1 / (16 * lengths),
        "seq-mean-token-sum": np.full(16, 1 / 16),
        "seq-mean-token-sum-norm": np.full(16, 1 / (16 * 4800)),
    }[mode]
    found = q01._weights(mode, short=40, long=2400, B=16, M=4800)
    np.testing.assert_allclose(found, by_hand[[0, -1]], rtol=1e-12)


def test_q01_writes_ratios_with_the_smaller_as_one():
    assert q01._ratio(60.0, 1.0) == "60 : 1"
    assert q01._ratio(1.0, 1.875) == "1 : 1.9"
    assert q01._ratio(2.0, 2.0) == "1 : 1"
    assert q01._ratio(1.0, 9600.0) == "1 : 9,600"


def test_q01_batches_are_of_a_run_in_which_failures_grow():
    first, *_, last = q01_batch.batches()
    assert [len(drawn.lengths) for drawn in (first, last)] == [128, 128]
    failures = [drawn.lengths[~drawn.solved].mean() for drawn in (first, last)]
    assert failures[1] > 2 * failures[0]


@pytest.mark.parametrize("number", range(5))
def test_q01_relative_weights_are_one_on_average_or_proportional(number):
    drawn = q01_batch.batches()[number]
    weights = [q01_batch.relative_weights(drawn, mode) for mode in q01_batch.MODES]
    lengths = drawn.lengths
    np.testing.assert_allclose(weights[0], lengths / lengths.mean(), rtol=1e-12)
    np.testing.assert_allclose(weights[1], 1, rtol=1e-12)
    np.testing.assert_allclose(weights[2], lengths, rtol=1e-12)
    np.testing.assert_allclose(weights[3], lengths / drawn.constant, rtol=1e-12)


def test_q02_push_counts_tokens():
    """Two microbatches of 100 and 900 tokens, three in four of the first a success's."""
    solved = np.repeat([True, False, True, False], [75, 25, 225, 675])
    assert q02.global_push(100, 900, 0.5) == pytest.approx(solved.sum() / (~solved).sum())
    assert q02.global_push(400, 400, 0.3) == pytest.approx(1.0)
    assert q02.global_push(100, 900, [-1, 0, 1]) == pytest.approx([9, 1, 1 / 9])


def test_q02_draws_every_partition():
    compared = q02_partitions._compared()
    assert {m: len(pairs) for m, pairs in compared.items()} == {
        1: 1,
        2: 31,
        3: 90,
        4: 65,
        5: 15,
        6: 1,
    }
    np.testing.assert_allclose(compared[1], 1, rtol=1e-12)
    pairs = np.concatenate([*compared.values()])
    assert ((pairs[:, 0] > 0) & (pairs[:, 0] <= 1 + 1e-12)).all(), "a point is outside the picture"
    assert pairs[:, 1].max() < q02_partitions._TOP


@pytest.mark.parametrize(
    ("figure_id", "says"),
    [
        ("q01-weights", r"1\.56e-03 .* 40 tokens and 2\.60e-05 .* 2,400, .* weigh 1 : 1\."),
        ("q01-batch", r"After 30 updates .* the failures get \d\d\.\d % of the weight\."),
        ("q02-weights", r"1/400 or 1/3,600 in place of 1/2,000; .* push 2\.33 times"),
        ("q02-partitions", r"m = 3 \(90 of 203 partitions\)"),
    ],
)
def test_summaries_at_the_defaults(figure_id, says):
    figure = figures.get(figure_id)
    assert re.search(says, figure.summary(**figure.values()))
