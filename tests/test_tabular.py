"""The table of answers against a slow loop, and what a clip can and cannot do to it."""

from __future__ import annotations

import numpy as np
import pytest

from agentrl_lite.losses import Clip, clipped_surrogate
from agentrl_lite.tabular import HABIT, Answers, _gradient, _sums, train_table

SYMMETRIC = Clip(0.2, 0.2)


def run(**change):
    setting = {"rate": 0.5, "epochs": 4, "clip": SYMMETRIC, "batches": 6, "runs": 5}
    return train_table(HABIT, **(setting | change), rng=np.random.default_rng(7))


def test_a_path_starts_from_the_answers_and_has_a_point_after_each_batch():
    path = run()
    p = np.array(HABIT.probs)
    assert path.entropy.shape == path.reward.shape == (7, 5)
    np.testing.assert_allclose(path.entropy[0], -(p * np.log(p)).sum(), rtol=1e-12)
    np.testing.assert_allclose(path.reward[0], 0.05 * 0.8 + 0.75 * 0.3, rtol=1e-12)


def test_the_same_seed_gives_the_same_path():
    np.testing.assert_array_equal(run().entropy, run().entropy)


def test_a_rate_of_zero_and_no_batch_change_nothing():
    assert np.ptp(run(rate=0.0).entropy) == pytest.approx(0, abs=1e-12)
    assert run(batches=0).entropy.shape == (1, 5)


def test_the_gradient_is_that_of_the_clipped_surrogate():
    rng = np.random.default_rng(1)
    z, old, said = rng.normal(size=4), rng.normal(size=4), rng.integers(4, size=12)
    A = rng.normal(size=12)
    clip = Clip(0.2, 0.28)

    def log_softmax(x):
        return x - np.log(np.exp(x).sum())

    def objective(x):
        ratio = (log_softmax(x) - log_softmax(old))[said]
        return -clipped_surrogate(ratio, A, clip).mean()

    up = _sums(said[np.newaxis], np.maximum(A, 0), 4) / 12
    down = _sums(said[np.newaxis], np.minimum(A, 0), 4) / 12
    now, before = (np.exp(log_softmax(x))[np.newaxis] for x in (z, old))
    found = _gradient(now, before, up, down, clip)[0]
    h = 1e-6
    slopes = [(objective(z + h * e) - objective(z - h * e)) / (2 * h) for e in np.eye(4)]
    np.testing.assert_allclose(found, slopes, atol=1e-8)


def test_one_update_a_batch_never_meets_the_clip():
    narrow, wide = run(epochs=1), run(epochs=1, clip=Clip(0.01, 5.0))
    np.testing.assert_array_equal(narrow.entropy, wide.entropy)
    assert (run().entropy != run(clip=Clip(0.2, 0.5)).entropy).any()


def test_with_one_sure_answer_there_is_nothing_to_learn():
    sure = Answers(probs=(0.5, 0.5), success=(1.0, 1.0))
    path = train_table(sure, rate=1.0, epochs=2, clip=SYMMETRIC, rng=np.random.default_rng(0))
    np.testing.assert_allclose(path.entropy, np.log(2), rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epochs": 0}, "epochs must be a whole number from 1; it was 0"),
        ({"batches": -1}, "batches must be a whole number from 0; it was -1"),
        ({"group": 2.5}, "group must be a whole number from 1; it was 2.5"),
        ({"runs": True}, "runs must be a whole number from 1; it was True"),
        ({"rate": np.nan}, "rate must be finite and at least 0; it was nan"),
        ({"clip": Clip(2.0, 0.2)}, "clip.low must lie between 0 and 1"),
    ],
)
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        run(**change)


@pytest.mark.parametrize(
    ("probs", "success", "message"),
    [
        ((0.5, 0.6), (1, 0), "probs must be at least 0 and sum to 1"),
        ((1.0, 0.0), (1, 0), "probs must be above 0"),
        ((0.5, 0.5), (1,), "success must hold 2 chances"),
        ((0.5, 0.5), (1, 2), "success must hold 2 chances"),
    ],
)
def test_answers_are_checked(probs, success, message):
    with pytest.raises(ValueError, match=message):
        Answers(probs=probs, success=success)
