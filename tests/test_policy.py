"""The policy: its gradient against differences, its distributions against a row at a time."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from agentrl_lite.base_policy import base_weights
from agentrl_lite.losses import Clip, clipped_surrogate
from agentrl_lite.policy import LossTerms, Policy, Targets, distinct, renumber
from agentrl_lite.protocol import Vocabulary

POLICY = Policy(Vocabulary(edits=3, kinds=2))
N = 40


def some_codes(rng, n=N):
    v = POLICY.vocabulary
    # Few words, so that codes come twice.
    last, previous = rng.integers(4, size=(2, n))
    return v.code(last, previous, rng.integers(v.n_contexts, size=n) // 40 * 40)


def some_targets(rng, W, *, importance=False):
    codes = some_codes(rng)
    tokens = rng.integers(len(POLICY.vocabulary), size=N)
    scored = POLICY.score(W, codes)
    return Targets(
        codes=scored.codes,
        which=scored.which,
        tokens=tokens,
        weights=rng.random(N) / N,
        advantages=rng.normal(size=N),
        # Ratios of every size, none of them near a limit by chance.
        old_logprobs=scored.of(tokens) + rng.choice([-2.0, -0.5, 0.05, 0.5, 2.0], size=N),
        importance=rng.random(N) * 2 if importance else np.ones(N),
        ref_logprobs=scored.of(tokens) + 0.5 * rng.normal(size=N),
    )


TERMS = [
    LossTerms(Clip(low, high, dual), entropy, kl)
    for (low, high), dual, entropy, kl in itertools.product(
        [(0.2, 0.2), (0.2, 0.28), (1.0, 1e9)], [None, 3.0], [0.0, 0.3], [0.0, 0.7]
    )
]


@pytest.mark.parametrize("importance", [False, True], ids=["plain", "importance"])
@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_gradient_agrees_with_central_differences(terms, importance):
    rng = np.random.default_rng(7)
    W = 0.5 * rng.normal(size=POLICY.shape)
    targets = some_targets(rng, W, importance=importance)
    got = POLICY.loss_gradient(W, targets, terms).gradient
    h = 1e-5
    for _ in range(4):
        direction = rng.normal(size=W.shape)
        ahead = POLICY.loss_gradient(W + h * direction, targets, terms).loss
        behind = POLICY.loss_gradient(W - h * direction, targets, terms).loss
        slope = float((got * direction).sum())
        assert (ahead - behind) / (2 * h) == pytest.approx(slope, rel=1e-7)


def test_each_weight_alone_agrees_with_central_differences():
    rng = np.random.default_rng(8)
    W = 0.5 * rng.normal(size=POLICY.shape)
    targets, terms = some_targets(rng, W), LossTerms(Clip(0.2, 0.28, 3.0), 0.3, 0.7)
    got = POLICY.loss_gradient(W, targets, terms).gradient
    want, h = np.zeros_like(W), 1e-5
    for at in np.ndindex(*W.shape):
        step = np.zeros_like(W)
        step[at] = h
        ahead, behind = (POLICY.loss_gradient(W + s, targets, terms).loss for s in (step, -step))
        want[at] = (ahead - behind) / (2 * h)
    assert np.linalg.norm(got - want) <= 1e-7 * np.linalg.norm(want)


def test_the_loss_is_what_the_loss_functions_say():
    rng = np.random.default_rng(9)
    W = 0.5 * rng.normal(size=POLICY.shape)
    targets = some_targets(rng, W, importance=True)
    logprobs, entropy = one_by_one(W, targets.codes[targets.which])
    own = logprobs[np.arange(N), targets.tokens]
    x = targets.ref_logprobs - own
    surrogate = clipped_surrogate(own - targets.old_logprobs, targets.advantages, Clip())
    per_token = targets.importance * surrogate - 0.3 * entropy + 0.7 * (np.exp(x) - 1 - x)
    got = POLICY.loss_gradient(W, targets, LossTerms(Clip(), 0.3, 0.7))
    assert got.loss == pytest.approx((targets.weights * per_token).sum(), rel=1e-12)


def one_by_one(W, codes):
    """Log-probabilities and entropies by the sum of the seven rows, softmax written out."""
    z = W[POLICY.rows(codes)].sum(axis=1)
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    return np.log(p), -(p * np.log(p)).sum(axis=1)


def test_distributions_are_those_of_the_seven_rows():
    rng = np.random.default_rng(10)
    W, codes = rng.normal(size=POLICY.shape), some_codes(rng)
    scored, (logprobs, entropy) = POLICY.score(W, codes), one_by_one(W, codes)
    assert scored.logprobs_U_V[scored.which] == pytest.approx(logprobs, abs=1e-12)
    assert scored.entropy == pytest.approx(entropy, abs=1e-12)
    assert len(scored.codes) < len(codes)
    assert POLICY.rows(codes).max() < POLICY.shape[0]


def test_each_code_has_rows_of_its_own():
    v = POLICY.vocabulary
    codes = np.arange(v.n_contexts)
    assert len(np.unique(POLICY.rows(codes), axis=0)) == v.n_contexts
    pairs, contexts = POLICY.tables(W := np.random.default_rng(1).normal(size=POLICY.shape))
    z = W[POLICY.rows(v.code(np.int64(5), np.int64(9), codes))].sum(axis=1)
    assert pairs[5 * len(v) + 9] + contexts == pytest.approx(z, abs=1e-12)


def test_huge_logits_stay_finite():
    W = 1e3 * np.random.default_rng(2).normal(size=POLICY.shape)
    scored = POLICY.score(W, some_codes(np.random.default_rng(3)))
    assert np.isfinite(scored.logprobs_U_V).all()
    assert np.isfinite(scored.entropy).all()
    assert (scored.entropy >= 0).all()


def test_no_token_is_no_loss():
    none = np.array([], dtype=np.int64)
    nothing = np.array([])
    targets = Targets(none, none, none, nothing, nothing, nothing, nothing, nothing)
    got = POLICY.loss_gradient(base_weights(POLICY), targets, LossTerms())
    assert got.loss == 0
    assert not got.gradient.any()


def test_renumbering_keeps_the_codes_that_are_left():
    codes, which = distinct(np.array([7, 3, 7, 9, 3]))
    got = renumber(codes, which[[0, 3, 2]])
    assert [x.tolist() for x in got] == [[7, 9], [0, 1, 0]]


def test_inputs_are_left_alone():
    rng = np.random.default_rng(4)
    W = rng.normal(size=POLICY.shape)
    targets = some_targets(rng, W)
    before = [x.copy() for x in (W, *targets)]
    POLICY.loss_gradient(W, targets, LossTerms(entropy_coef=0.1, kl_coef=0.1))
    assert all((a == b).all() for a, b in zip(before, (W, *targets), strict=True))


def test_the_base_policy_is_not_decided_yet():
    policy = Policy(Vocabulary(6, 6))
    v = policy.vocabulary
    contexts = np.arange(v.n_contexts)
    scored = policy.score(base_weights(policy), v.code(np.int64(0), np.int64(0), contexts))
    assert scored.entropy.mean() > 0.5
    after_tool = v.code(np.int64(v.id["test"]), np.int64(0), contexts)
    ends = policy.score(base_weights(policy), after_tool).logprobs_U_V[:, v.id["end"]]
    assert np.exp(ends).min() > 0.9
