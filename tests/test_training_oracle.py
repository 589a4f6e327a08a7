"""A step of training against plain loops: the loss from its definitions, one token at a time.

What a token's loss is made of is worked out here from words, producers and rewards, with the
softmax written out; of the package it takes the episodes and where the policy's rows are. The
trainer's gradient is held against central differences of that loss.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import NamedTuple

import numpy as np
import pytest

from agentrl_lite.advantages import group_advantages
from agentrl_lite.base_policy import base_weights
from agentrl_lite.losses import (
    AGGREGATIONS,
    Clip,
    Normaliser,
    clipped_surrogate_slope,
    is_clipped,
    token_weights,
)
from agentrl_lite.offpolicy import log_ratio, mismatch, truncated_weights
from agentrl_lite.policy import LossTerms, Policy, Targets
from agentrl_lite.protocol import PHASES, Vocabulary
from agentrl_lite.rollout import rollout
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import State, freeze, minibatch_gradient, start, steps, train, update
from agentrl_lite.trajectory import Producer, Trajectory, check_ownership, collate, loss_mask
from tests.tiny_episodes import BASE, POLICY, TABLE

NAN = float("nan")
PAD, PROMPT, OWN, TOOL = Producer.PAD, Producer.PROMPT, Producer.POLICY, Producer.TOOL
# Rewards that differ within most groups, and episodes that a limit ends.
RULES = Rules(max_tokens=20, penalty=0.1, truncation="score", re_edit=True, broken=(0.0,))
SMALL = Config(
    prompts=3, group=3, steps=1, rules=RULES, max_length=7.5, optimiser="sgd", learning_rate=2.0**20
)


# What the policy says, from its words.


def perceived(policy, ids, who):
    """Return the seven rows before each predicted token of one trajectory, padding left out."""
    v, blocks = policy.vocabulary, policy.blocks
    rows, phase, clue, kind, since = [], "start", 0, None, 0
    length = sum(who != PAD)
    for t in range(length - 1):
        word = v.words[ids[t]]
        before = v.words[ids[max(t - 1, 0)]]
        if t == 0:
            kind = int(word.removeprefix("issue"))
        if word.startswith("clue"):
            clue = 1 + int(word.removeprefix("clue"))
            phase = "read" if phase in ("start", "read") else phase
        phase = {"patched": "edited", "failed": "failed", "passed": "passed"}.get(word, phase)
        since = since + 1 if who[t] == OWN else 0
        place = since if since < 4 else 4 if since < 8 else 5
        at = PHASES.index(phase)
        rows.append(np.array([
            blocks["bias"].start,
            blocks["last"].start + v.id[word],
            blocks["previous"].start + v.id[before],
            blocks["phase"].start + at,
            blocks["clue"].start + clue,
            blocks["kind"].start + kind * len(PHASES) + at,
            blocks["place"].start + place,
        ]))  # fmt: skip
    return rows


def logprobs(W, rows):
    """Return the log-probability of every word, where these rows take part."""
    z = W.take(rows, axis=0).sum(axis=0)
    return z - np.log(np.exp(z).sum())


# What the loss is, from its definition.


class Token(NamedTuple):
    """A token in the loss, and what of it stays fixed in an update."""

    row: int
    rows: np.ndarray
    word: int
    advantage: float
    old: float
    importance: float
    ref: float


class Weights(NamedTuple):
    """Weights that sampled, that the step begins with, and of the reference."""

    behavior: np.ndarray
    now: np.ndarray
    ref: np.ndarray


def by_definition(fault, who, t):
    """Tell whether the loss sees the token that column t of `ids` predicts."""
    if who[t + 1] == PAD:
        return False
    if fault == "span":
        return True
    at = t + {"none": 1, "shift-1": 0, "shift+1": 2}[fault]
    return at < len(who) and who[at] == OWN


def advantages_of(config, rewards):
    """Return one advantage an episode: its reward against the mean of its group."""
    advantages = []
    for group in np.reshape(rewards, (-1, config.group)).tolist():
        mean = sum(group) / len(group)
        flat = max(group) - min(group) < 1e-9
        divisor = 1.0
        if config.ddof is not None and not flat:
            squares = sum((r - mean) ** 2 for r in group)
            divisor = (squares / (len(group) - config.ddof)) ** 0.5 + config.epsilon
        advantages += [0.0 if flat else (r - mean) / divisor for r in group]
    return advantages


def kept(config, batch):
    """Return the episodes that the loss may see."""
    groups = batch.rewards_B.reshape(-1, config.group)
    flat = np.repeat([max(g) - min(g) < 1e-9 for g in groups.tolist()], config.group)
    return [
        not (config.drop_truncated and batch.truncated_B[i])
        and not (config.drop_flat_groups and flat[i])
        for i in range(len(batch.ids))
    ]


def importance_of(config, ratios):
    """Return the truncated weight of each of an episode's own tokens, from its raw log-ratios."""
    if config.importance_cap is None:
        return dict.fromkeys(ratios, 1.0)
    whole = sum(ratios.values())
    raw = {t: whole if config.importance_level == "sequence" else x for t, x in ratios.items()}
    return {t: min(np.exp(x), config.importance_cap) for t, x in raw.items()}


def tokens_of(config, policy, played, weights):
    """Return what stays fixed of every token in the loss."""
    batch, tokens = played.batch, []
    advantages, seen = advantages_of(config, batch.rewards_B), kept(config, batch)
    for i, (ids, who) in enumerate(zip(batch.ids, batch.producer, strict=True)):
        rows = perceived(policy, ids, who)
        now = [logprobs(weights.now, r)[ids[t + 1]] for t, r in enumerate(rows)]
        own = [t for t in range(len(rows)) if who[t + 1] == OWN]
        recorded = {t: logprobs(weights.behavior, rows[t])[ids[t + 1]] for t in own}
        importance = importance_of(config, {t: now[t] - recorded[t] for t in own})
        old = dict(enumerate(now)) | (recorded if config.proximal == "behavior" else {})
        for t, r in enumerate(rows):
            if seen[i] and by_definition(config.mask_fault, who, t):
                ref = logprobs(weights.ref, r)[ids[t + 1]]
                fixed = advantages[i], old[t], importance.get(t, 1.0), ref
                tokens.append(Token(i, r, ids[t + 1], *fixed))
    return tokens


def share_of(config, tokens):
    """Return the weight of one token of each episode in the loss."""
    lengths = {}
    for token in tokens:
        lengths[token.row] = lengths.get(token.row, 0) + 1
    B = len(lengths)
    by_length = {
        "token-mean": lambda length: 1 / len(tokens),
        "seq-mean-token-mean": lambda length: 1 / B / length,
        "seq-mean-token-sum": lambda length: 1 / B,
        "seq-mean-token-sum-norm": lambda length: 1 / B / config.max_length,
    }[config.aggregation]
    return {row: by_length(length) for row, length in lengths.items()}


def surrogate(token, ratio, clip):
    """Return a token's clipped loss, and whether a limit holds it."""
    A = token.advantage
    plain, limited = ratio * A, min(max(ratio, 1 - clip.low), 1 + clip.high) * A
    gain = min(plain, limited)
    if clip.dual is not None and A < 0:
        gain = max(gain, clip.dual * A)
    return -gain, gain != plain


def plain_loss(config, tokens, W):
    """Return the loss of these tokens, and how many of them a limit holds."""
    loss, held, share = 0.0, 0, share_of(config, tokens)
    for token in tokens:
        logp = logprobs(W, token.rows)
        own = logp[token.word]
        value, holds = surrogate(token, np.exp(own - token.old), config.clip)
        entropy = -(np.exp(logp) * logp).sum()
        x = token.ref - own
        one = token.importance * value - config.entropy_coef * entropy
        loss += share[token.row] * (one + config.kl_coef * (np.exp(x) - 1 - x))
        held += holds
    return loss, held


def agrees(config, tokens, W, gradient, rng, h=1e-5):
    """Hold a gradient against central differences, along itself and along a line by chance."""
    size = np.linalg.norm(gradient)
    for direction in (gradient / size, rng.normal(size=W.shape)):
        ahead, behind = (plain_loss(config, tokens, W + s * direction)[0] for s in (h, -h))
        slope = float((gradient * direction).sum())
        assert (ahead - behind) / (2 * h) == pytest.approx(slope, rel=1e-7)


# Settings: no coefficient is the default's, and every pair of values comes up.

OPTIONS = {
    "aggregation": AGGREGATIONS,
    "ddof": (None, 0, 1),
    "epsilon": (0.0, 0.3),
    "clip": (Clip(0.1, 0.3), Clip(0.3, 0.1, 1.25)),
    "kl_coef": (0.0, 0.7),
    "entropy_coef": (0.0, 0.3),
    "importance_cap": (None, 0.8, 1.3),
    "importance_level": ("token", "sequence"),
    "proximal": ("recomputed", "behavior"),
    "mask_fault": ("none", "shift-1", "shift+1", "span"),
    "microbatches": (1, 3),
    "drop_flat_groups": (False, True),
    "drop_truncated": (False, True),
}


def drawn(number):
    rng = np.random.default_rng([92, number])
    chosen = {name: values[rng.integers(len(values))] for name, values in OPTIONS.items()}
    return dataclasses.replace(SMALL, seed=number, staleness=1, **chosen)


CASES = [drawn(number) for number in range(32)]
cases = pytest.mark.parametrize("config", CASES, ids=[f"case{c.seed}" for c in CASES])


def moved(W, rng, size):
    """Return weights nearby; on a grid, so that rounding to a finer one changes nothing."""
    return np.rint((W + size * rng.normal(size=W.shape)) * 2**16) / 2**16


def three_weights(seed):
    rng = np.random.default_rng([seed, 1])
    return Weights(*(moved(BASE, rng, 0.15) for _ in range(3)))


def state_of(weights):
    nothing = np.zeros_like(weights.now)
    return State(0, (weights.behavior, weights.now), weights.ref, (nothing, nothing))


def test_every_pair_of_values_comes_up():
    for (a, xs), (b, ys) in itertools.combinations(OPTIONS.items(), 2):
        met = {(getattr(c, a), getattr(c, b)) for c in CASES}
        assert met == set(itertools.product(xs, ys))


@cases
def test_a_whole_step_goes_along_the_gradient_of_the_plain_loss(config):
    """By SGD, the step's change of the weights is the gradient; advantages and mask are its own."""
    weights = three_weights(config.seed)
    done = next(steps(config, TABLE, state_of(weights)))
    tokens = tokens_of(config, POLICY, done.played, weights)
    assert tokens
    loss, held = plain_loss(config, tokens, weights.now)
    row = done.dashboard
    assert row.loss == pytest.approx(loss, rel=1e-11, abs=1e-13)
    assert row.trained_tokens == len(tokens)
    assert row.clip_fraction == pytest.approx(held / len(tokens), abs=1e-15)
    gradient = (weights.now - done.state.newest) / config.learning_rate
    assert row.gradient_norm == pytest.approx(np.linalg.norm(gradient), rel=1e-9)
    assert done.state.weights[0] is weights.now, "the next step's sampler"
    agrees(config, tokens, weights.now, gradient, np.random.default_rng(config.seed))


@cases
def test_a_later_update_of_a_minibatch_goes_along_the_gradient_of_the_plain_loss(config):
    """Other weights than those that the step began with, and seven of its nine episodes."""
    rng, weights = np.random.default_rng([config.seed, 2]), three_weights(config.seed)
    played = episodes(config, weights.behavior)
    fault, who = config.mask_fault, played.batch.producer
    mask = [[by_definition(fault, p, t) for t in range(len(p) - 1)] for p in who]
    mask = np.array(mask) & np.array(kept(config, played.batch))[:, np.newaxis]
    advantages = np.array(advantages_of(config, played.batch.rewards_B))
    frozen, _ = freeze(config, POLICY, state_of(weights), played, mask, advantages)
    W, rows = moved(weights.now, rng, 0.15), np.array([8, 1, 2, 0, 7, 4, 5])
    got = minibatch_gradient(config, POLICY, W, frozen, rows)
    every = tokens_of(config, POLICY, played, weights)
    tokens = [token for token in every if token.row in rows]
    assert 0 < len(tokens) < mask.sum()
    loss, held = plain_loss(config, tokens, W)
    assert got.loss == pytest.approx(loss, rel=1e-11, abs=1e-13)
    assert got.clipped == held
    agrees(config, tokens, W, got.gradient, rng)


def episodes(config, W):
    rng = np.random.default_rng(config.seed)
    tasks = np.repeat(rng.integers(len(TABLE.kinds), size=config.prompts), config.group)
    groups = np.repeat(np.arange(config.prompts), config.group)
    return rollout(POLICY, W, TABLE, tasks, groups, rules=config.rules, rng=rng)


def test_the_cases_reach_what_they_are_about():
    """Limits that hold, weights above the cap, and advantages of either sign and of none."""
    held, capped, signs = [], [], set()
    for config in CASES[:16]:
        weights = three_weights(config.seed)
        tokens = tokens_of(config, POLICY, episodes(config, weights.behavior), weights)
        held.append(plain_loss(config, tokens, weights.now)[1] > 0)
        capped.append(any(token.importance == config.importance_cap for token in tokens))
        signs |= {np.sign(token.advantage) for token in tokens}
    old = np.array([config.proximal == "behavior" for config in CASES[:16]])
    cap = np.array([config.importance_cap is not None for config in CASES[:16]])
    assert np.mean(np.array(held)[old]) > 0.8
    assert not np.array(held)[~old].any()
    assert np.mean(np.array(capped)[cap]) > 0.8
    assert signs == {-1, 0, 1}


def test_the_proximal_policy_is_the_one_that_sampled_where_that_is_asked_for():
    config = dataclasses.replace(SMALL, proximal="behavior", staleness=1)
    weights = three_weights(5)
    played = episodes(config, weights.behavior)
    own = played.batch.mask_B_T
    recorded = played.batch.behavior_logprobs_B_T[own]
    frozen, _ = freeze(config, POLICY, state_of(weights), played, own, np.ones(9))
    assert frozen.old_B_T[own] == pytest.approx(recorded, abs=1e-13)
    anew = dataclasses.replace(config, proximal="recomputed")
    other, _ = freeze(anew, POLICY, state_of(weights), played, own, np.ones(9))
    assert abs(other.old_B_T[own] - recorded).max() > 0.1


def test_both_divergences_of_a_policy_of_two_words():
    """Chances 1/2 when it sampled, 3/4 now, 2/3 in the reference: no two directions agree."""
    policy = Policy(Vocabulary(edits=TABLE.public_K_E.shape[1] - 1, kinds=3))
    a, b = policy.vocabulary.id["hmm"], policy.vocabulary.id["so"]

    def coin(p):
        W = np.zeros(policy.shape)
        W[0], W[0, [a, b]] = -300.0, np.log([p, 1 - p])
        return W

    weights = Weights(coin(1 / 2), coin(3 / 4), coin(2 / 3))
    config = dataclasses.replace(SMALL, staleness=1)
    played = episodes(config, weights.behavior)
    own, said = played.batch.mask_B_T, played.batch.ids[:, 1:]
    _, row = freeze(config, policy, state_of(weights), played, own, np.ones(9))
    forward = 3 / 4 * np.log(9 / 8) + 1 / 4 * np.log(3 / 4)
    backward = 2 / 3 * np.log(8 / 9) + 1 / 3 * np.log(4 / 3)
    assert abs(forward / backward - 1) > 0.03
    assert row.kl_reference == pytest.approx(forward, rel=1e-12)
    first, second = (said[own] == a).sum(), (said[own] == b).sum()
    assert first + second == own.sum()
    assert min(first, second) > 50
    # Of x = log(pi / mu), e^x - 1 - x.
    up, down = 3 / 2 - 1 - np.log(3 / 2), 1 / 2 - 1 - np.log(1 / 2)
    assert row.kl_behavior == pytest.approx((first * up + second * down) / own.sum(), rel=1e-12)


# Several updates a step.

SEVERAL = dataclasses.replace(
    SMALL, steps=3, epochs=2, minibatches=2, learning_rate=0.05, staleness=1, kl_coef=0.7,
    clip=Clip(0.05, 0.02), proximal="behavior", optimiser="adam", adam=(0.8, 0.95, 0.01),
    max_gradient_norm=0.25,
)  # fmt: skip


@pytest.fixture
def watched(monkeypatch):
    """Run `SEVERAL` and note each update: its weights, its episodes, what came out."""
    calls = []

    def spy(config, policy, W, frozen, rows, **rest):
        result = minibatch_gradient(config, policy, W, frozen, rows, **rest)
        calls.append((W, rows, result))
        return result

    monkeypatch.setattr("agentrl_lite.trainer.minibatch_gradient", spy)
    state = state_of(three_weights(3))
    done = list(steps(SEVERAL, TABLE, state))
    assert len(calls) == 3 * 4
    return state, done, calls


def test_minibatches_cover_the_batch_once_an_epoch_in_an_order_by_chance(watched):
    _, _, calls = watched
    orders = []
    for i in range(0, len(calls), 2):
        epoch = [rows.tolist() for _, rows, _ in calls[i : i + 2]]
        assert sorted(map(len, epoch)) == [4, 5]
        orders.append(tuple(itertools.chain(*epoch)))
        assert sorted(orders[-1]) == list(range(9))
    assert len({*orders, tuple(range(9))}) == 7


def test_the_dashboard_sums_up_a_steps_updates(watched):
    """Losses and limits by the plain loop, at the weights of each update."""
    state, done, calls = watched
    for step in done:
        behavior = state.weights[0]
        weights = Weights(behavior, state.newest, state.start)
        every = tokens_of(SEVERAL, POLICY, step.played, weights)
        losses, norms, held = [], [], 0
        for W, rows, result in calls[4 * (step.state.step - 1) : 4 * step.state.step]:
            loss, clipped = plain_loss(SEVERAL, [t for t in every if t.row in rows], W)
            losses.append(loss)
            norms.append(float(np.sqrt((result.gradient**2).sum())))
            held += clipped
        row = step.dashboard
        assert row.loss == pytest.approx(sum(losses) / 4, rel=1e-10, abs=1e-12)
        assert held > 0
        assert row.clip_fraction == pytest.approx(held / (2 * len(every)), rel=1e-12)
        assert row.gradient_norm == pytest.approx(sum(norms) / 4, rel=1e-12)
        assert row.largest_gradient_norm == pytest.approx(max(norms), rel=1e-12)
        assert max(norms) > 1.05 * min(norms)
        state = step.state


def test_adam_goes_on_from_update_to_update_and_from_step_to_step(watched):
    """Its twelve updates over again, number by number; weights are rounded to 2^-30 at most."""
    state, done, calls = watched
    slow, slower, epsilon = SEVERAL.adam
    first = second = 0.0
    ends = [W for W, _, _ in calls[1:]] + [done[-1].state.newest]
    for number, ((W, _, result), end) in enumerate(zip(calls, ends, strict=True), start=1):
        g = result.gradient * min(1.0, 0.25 / np.sqrt((result.gradient**2).sum()))
        first = slow * first + (1 - slow) * g
        second = slower * second + (1 - slower) * g**2
        unbiased = first / (1 - slow**number), second / (1 - slower**number)
        want = W - 0.05 * unbiased[0] / (np.sqrt(unbiased[1]) + epsilon)
        assert abs(end - want).max() <= 2.0**-30
    assert done[-1].state.updates == 12
    assert done[0].state.weights[0] is state.newest
    shortened = [np.linalg.norm(result.gradient) > 0.25 for _, _, result in calls]
    assert any(shortened)
    assert not all(shortened)


@pytest.mark.parametrize("bad", [NAN, np.inf, -np.inf])
def test_a_gradient_that_is_not_finite_is_refused(bad):
    gradient = np.zeros((2, 3))
    gradient[1, 2] = bad
    for limit in (None, 1.0):
        config = dataclasses.replace(SMALL, max_gradient_norm=limit)
        with pytest.raises(ValueError, match=r"gradient must be finite; its norm was .* in step 1"):
            update(config, start(np.zeros((2, 3))), gradient)


# What is learnt.

EASY = Config(steps=12, prompts=8, learning_rate=0.2, rules=Rules(broken=(0.0,)))


def reward_at_the_end(seed, **changes):
    """Of a policy that often succeeds at first, so that a push of the wrong sign does it harm."""
    config = dataclasses.replace(EASY, seed=seed, **changes)
    trusting = start(base_weights(POLICY, trust=2.5))
    return train(config, TABLE, trusting)[0]["reward"][-5:].mean()


def test_a_run_learns_from_the_sign_of_its_advantages(monkeypatch):
    """Every seed gains 0.15 on a policy that is not trained; without the sign none does."""
    seeds = (100, 101, 102)
    frozen = [reward_at_the_end(seed, learning_rate=0.0) for seed in seeds]
    gains = [reward_at_the_end(seed) - at for seed, at in zip(seeds, frozen, strict=True)]
    assert min(gains) > 0.15
    for wrong in (np.abs, np.negative):
        monkeypatch.setattr(
            "agentrl_lite.trainer.group_advantages",
            lambda *a, wrong=wrong, **rest: wrong(group_advantages(*a, **rest)),
        )
        assert reward_at_the_end(seeds[0]) - frozen[0] < 0.15


# The parts, at their edges.


def test_counts_over_a_step_are_not_below_a_parts_own():
    mask = [[1, 1, 0], [1, 0, 0]]
    for counts in (Normaliser(2, 2), Normaliser(3, 1), Normaliser(3, 0), Normaliser(99, 1)):
        with pytest.raises(ValueError, match="normaliser must count at least this batch"):
            token_weights(mask, "token-mean", normaliser=counts)
    for counts in (Normaliser(3, 2), Normaliser(99, 2), Normaliser(3, 99)):
        assert token_weights(mask, "token-mean", normaliser=counts)[0, 0] == 1 / counts.tokens


@pytest.mark.parametrize("length", [0, -1.0, NAN, np.inf])
def test_a_length_to_divide_by_is_finite_and_above_0(length):
    with pytest.raises(ValueError, match="max_length must be"):
        token_weights([[1]], "seq-mean-token-sum-norm", max_length=length)


@pytest.mark.parametrize("A", [2.0, -2.0, 0.0])
def test_a_ratio_exactly_at_a_limit_is_not_held(A):
    """Limits at 1, where the ratio is 1: a first update pushes even with no room at all."""
    none = Clip(0.0, 0.0)
    assert not is_clipped(0.0, A, none)
    assert clipped_surrogate_slope(0.0, A, none) == -A
    beyond = 1e-9 * np.sign(A)
    assert bool(is_clipped(beyond, A, none)) == (A != 0)


def test_a_ratio_exactly_at_the_dual_limit_is_not_held():
    limit = float(np.exp(0.5))
    at, within = Clip(0.2, 0.2, limit), Clip(0.2, 0.2, np.nextafter(limit, 1.0))
    assert not is_clipped(0.5, -1.0, at)
    assert clipped_surrogate_slope(0.5, -1.0, at) == -limit * -1.0
    assert is_clipped(0.5, -1.0, within)


def test_no_limit_holds_what_has_no_advantage():
    ratios = [-800.0, -1.0, 0.0, 1.0, 800.0]
    for clip in (Clip(), Clip(0.1, 0.3, 1.25)):
        assert is_clipped(ratios, 0.0, clip).tolist() == [False] * 5
        assert clipped_surrogate_slope(ratios, 0.0, clip).tolist() == [0.0] * 5


def test_a_ratio_exactly_at_the_cap_is_not_above_it():
    limit = float(np.log(2.0))
    for level in ("token", "sequence"):
        for x, share in ((limit, 0.0), (np.nextafter(limit, 1.0), 0.5)):
            got = truncated_weights([[x], [0.25]], [[1], [1]], level=level, cap=2.0)
            assert got.truncated_share == share


@pytest.mark.parametrize("cap", [NAN, 0.0, -1.0])
def test_a_cap_that_is_no_size_is_refused(cap):
    with pytest.raises(ValueError, match="cap must be above 0"):
        truncated_weights([[0.0]], [[1]], cap=cap)


def test_the_percentile_of_the_mismatch_is_of_one_in_a_thousand():
    """Of 0 to 2,000 thousandths, 99.9 % lie at or below 1,998."""
    gaps = np.random.default_rng(0).permutation(2001) / 1000.0
    signs = np.where(np.arange(2001) % 2, 1.0, -1.0)
    assert mismatch([gaps * signs], np.ones((1, 2001))).p999 == pytest.approx(1.998, abs=1e-9)


def test_only_what_is_impossible_under_both_has_ratio_0():
    """Infinity with a plus is no log-probability, and is not made to look like a good one."""
    policy, behavior = [-np.inf, -np.inf, np.inf, np.inf], [-np.inf, np.inf, -np.inf, np.inf]
    got = log_ratio([*policy, -1.0], [*behavior, -np.inf])
    np.testing.assert_array_equal(got, [0.0, -np.inf, np.inf, NAN, np.inf])


def test_the_guard_names_the_first_of_two_tokens_and_counts_both():
    who = np.array([[PROMPT, OWN, OWN, TOOL, OWN], [PROMPT, OWN, PROMPT, PAD, PAD]])
    mask = loss_mask(who)
    check_ownership(mask, who)
    mask[0, 2] = mask[1, 1] = True
    with pytest.raises(ValueError, match="mask_B_T must cover") as told:
        check_ownership(mask, who)
    assert str(told.value) == (
        "mask_B_T must cover the policy's tokens alone; it covered 2 others, the first by TOOL in "
        "trajectory 0, predicted token 2"
    )
    mask[0, 2] = False
    with pytest.raises(ValueError, match="covered 1 others, the first by PROMPT in trajectory 1, "):
        check_ownership(mask, who)


def test_collate_checks_the_mask_that_it_hands_on(monkeypatch):
    who = np.array([PROMPT, OWN, TOOL, OWN], dtype=np.int8)
    one = Trajectory(np.arange(4), who, np.where(who == OWN, -1.0, NAN), reward=1.0)
    assert collate([one]).mask_B_T.tolist() == [[True, False, True]]
    monkeypatch.setattr("agentrl_lite.trajectory.loss_mask", lambda who: who[:, 1:] != PAD)
    with pytest.raises(ValueError, match="it covered 1 others, the first by TOOL in trajectory 0"):
        collate([one])


def test_a_loss_over_no_token_is_nothing_at_all():
    whole, real = np.zeros(0, dtype=np.int64), np.zeros(0)
    targets = Targets(whole, whole, whole, real, real, real, real, real)
    got = POLICY.loss_gradient(BASE, targets, LossTerms(Clip(), 0.3, 0.7))
    assert (got.loss, got.clipped) == (0.0, 0)
    assert got.gradient.shape == BASE.shape
    assert not got.gradient.any()


def test_the_loops_perceive_what_the_package_does():
    played = episodes(SMALL, BASE)
    for i, (ids, who) in enumerate(zip(played.batch.ids, played.batch.producer, strict=True)):
        rows = perceived(POLICY, ids, who)
        assert np.array_equal(rows, POLICY.rows(played.codes_B_T[i, : len(rows)]))
