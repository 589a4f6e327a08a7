"""Every figure of the dashboard against plain loops: on a batch by chance, and on a real step."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from agentrl_lite.dashboard import Dashboard, measure
from agentrl_lite.losses import AGGREGATIONS
from agentrl_lite.rollout import Rollout
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import steps
from agentrl_lite.trajectory import Batch, Producer
from tests.test_training_oracle import (
    Weights,
    by_definition,
    kept,
    logprobs,
    perceived,
    share_of,
    state_of,
    three_weights,
    tokens_of,
)
from tests.tiny_episodes import BASE, POLICY, TABLE, V, played

NAN = float("nan")
PAD, PROMPT, OWN, TOOL = Producer.PAD, Producer.PROMPT, Producer.POLICY, Producer.TOOL
UPDATES = ("loss", "clip_fraction", "gradient_norm", "largest_gradient_norm")
SCORES = ("kl_reference", "kl_behavior", "capped_weights")


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else NAN


def quantile(values, q):
    """Return a quantile, by a straight line between the two values that it lies between."""
    values = sorted(values)
    if not values:
        return NAN
    place = q * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


def repeated_calls(ids, who):
    """Count an episode's calls of a tool that it called before."""
    words, calls = [V.words[i] for i in ids], []
    for word, before, producer in zip(words[1:], words, who[1:], strict=False):
        named = before in ("read", "test", "submit") or before.startswith("edit")
        if producer == OWN and word == "end" and named:
            calls.append(before)
    return len(calls) - len(set(calls))


def recounted(result, mask, entropy, weights, groups):
    """Return what `measure` says, by loops over episodes and over their predicted tokens."""
    batch, B = result.batch, range(len(result.batch.ids))
    at = [(i, t) for i in B for t in range(mask.shape[1])]
    by = {who: [(i, t) for i, t in at if batch.producer[i, t + 1] == who] for who in Producer}
    good = [i for i in B if result.solved_B[i]]
    bad = [i for i in B if not result.solved_B[i]]
    G = len(B) // groups
    teams = [range(g * G, (g + 1) * G) for g in range(groups)]
    utters = {i for i, t in by[OWN] if V.words[batch.ids[i, t + 1]] in V.tool_words}
    lengths = [int(result.lengths_B[i]) for i in B]
    say = [repeated_calls(batch.ids[i], batch.producer[i]) for i in B]
    return {
        "reward": mean(batch.rewards_B),
        "solved": len(good) / len(B),
        "public": mean(result.public_B),
        "hidden": mean(result.hidden_B),
        "genuine": mean(result.hidden_B[i] for i in good),
        "policy_entropy": mean(entropy[x] for x in by[OWN]),
        "tool_entropy": mean(entropy[x] for x in by[TOOL]),
        "used_entropy": mean(entropy[x] for x in at if mask[x]),
        "length": mean(lengths),
        "success_length_p50": quantile([lengths[i] for i in good], 0.5),
        "success_length_p90": quantile([lengths[i] for i in good], 0.9),
        "success_length": mean(lengths[i] for i in good),
        "failure_length_p50": quantile([lengths[i] for i in bad], 0.5),
        "failure_length_p90": quantile([lengths[i] for i in bad], 0.9),
        "failure_length": mean(lengths[i] for i in bad),
        "success_weight": mean(weights[i] for i in good),
        "failure_weight": mean(weights[i] for i in bad),
        "turns": mean(result.turns_B),
        "success_turns": mean(result.turns_B[i] for i in good),
        "failure_turns": mean(result.turns_B[i] for i in bad),
        "failure_repeats": mean(say[i] for i in bad),
        "truncated": mean(batch.truncated_B),
        "flat_groups": mean(len({batch.rewards_B[i] for i in team}) == 1 for team in teams),
        "all_pass": mean(all(i in good for i in team) for team in teams),
        "all_fail": mean(all(i in bad for i in team) for team in teams),
        "single_submit": mean(result.turns_B[i] == 1 and not batch.truncated_B[i] for i in B),
        "unedited": mean(result.edits_B[i] == 0 for i in B),
        "tool_words": len(utters) / len(B),
        "masked_in_prompt": mean(mask[x] for x in by[PROMPT]),
        "masked_in_policy": mean(mask[x] for x in by[OWN]),
        "masked_in_tool": mean(mask[x] for x in by[TOOL]),
        "tokens": sum(who != PAD for row in batch.producer for who in row),
        "trained_tokens": sum(bool(mask[x]) for x in at),
    }


def by_chance(seed, B=24, L=30):
    """Episodes that no policy played: words, producers and outcomes do not hang together.

    Turns of the policy and answers by turns, prompts of one to three words, padding behind.
    """
    rng = np.random.default_rng(seed)
    # Words that name tools and end turns come often enough to be calls.
    often = [V.id[w] for w in ("read", "edit1", "edit2", "test")]
    ids = rng.choice([*range(len(V)), *often * 4], size=(B, L))
    producer = np.zeros((B, L), dtype=np.int8)
    for i in range(B):
        cut = [0, *np.cumsum(rng.integers(1, 5, size=L))]
        for turn, (a, b) in enumerate(itertools.pairwise(cut)):
            producer[i, a:b] = PROMPT if turn == 0 else OWN if turn % 2 else TOOL
            ids[i, min(b, L) - 1] = V.id["end"] if turn % 2 else ids[i, min(b, L) - 1]
        producer[i, rng.integers(8, L + 1) :] = PAD
    own = producer[:, 1:] == OWN
    solved = rng.random(B) < np.repeat(rng.choice([0.0, 0.4, 0.6, 1.0], size=6), B // 6)
    rewards = np.where(np.repeat([0, 0, 0, 0, 1, 1], B // 6), rng.random(B), solved)
    batch = Batch(
        ids, producer, own, np.zeros(own.shape), rewards, rng.random(B) < 0.4, np.arange(B)
    )
    return Rollout(
        batch=batch,
        codes_B_T=np.zeros(own.shape, dtype=np.int64),
        tasks_B=np.zeros(B, dtype=np.int64),
        edits_B=rng.integers(3, size=B),
        public_B=rng.random(B) < 0.7,
        hidden_B=rng.random(B) < 0.4,
        solved_B=solved,
        turns_B=rng.integers(1, 4, size=B),
        # Skewed, so that means are no medians; and not the count of anything else.
        lengths_B=rng.geometric(0.1, size=B),
    )


def the_same(row, want, later=()):
    for name in Dashboard._fields:
        if name not in later:
            got = getattr(row, name)
            assert got == pytest.approx(want[name], rel=1e-11, abs=1e-13, nan_ok=True), name


def some_batch(seed):
    """Return arguments of `measure`; mask and entropies are by chance too, and stand on padding."""
    result, rng = by_chance(seed), np.random.default_rng([seed, 1])
    shape = result.batch.mask_B_T.shape
    return result, rng.random(shape) < 0.4, 3 * rng.random(shape), rng.random(len(result.turns_B))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_measured_of_a_batch_by_chance(seed):
    result, *rest = some_batch(seed)
    want = recounted(result, *rest, 6)
    the_same(measure(result, V, *rest, 6), want, UPDATES + SCORES)


def test_no_figure_of_the_batches_by_chance_could_pass_for_another():
    figures = [tuple(recounted(*some_batch(seed), 6).values()) for seed in range(4)]
    columns = list(zip(*figures, strict=True))
    assert len(set(columns)) == len(columns)
    assert np.isfinite(figures).all()


@pytest.mark.parametrize("solved", [False, True])
def test_what_is_measured_where_all_or_none_are_solved(solved):
    result = by_chance(7)._replace(solved_B=np.full(24, solved))
    own = result.batch.mask_B_T
    entropy, weights = np.full(own.shape, 0.5), np.full(24, 0.25)
    row = measure(result, V, own, entropy, weights, 6)
    the_same(row, recounted(result, own, entropy, weights, 6), UPDATES + SCORES)
    nothing = {name for name in Dashboard._fields[:-7] if np.isnan(getattr(row, name))}
    others = "failure" if solved else "success"
    expected = {name for name in Dashboard._fields if name.startswith(others)}
    assert nothing - {"masked_in_prompt"} == expected | (set() if solved else {"genuine"})


# A real step.

STEP = Config(
    seed=8,
    steps=1,
    prompts=6,
    group=4,
    rules=Rules(max_tokens=10, re_edit=True, truncation="score", reward="public", penalty=0.01),
    max_length=7.5,
    staleness=1,
    optimiser="sgd",
)


def scores(config, result, weights):
    """Return the divergences and the share of weights above the cap, over the policy's tokens."""
    batch, reference, behavior, raw = result.batch, [], [], []
    for ids, who in zip(batch.ids, batch.producer, strict=True):
        ratios = []
        for t, rows in enumerate(perceived(POLICY, ids, who)):
            if who[t + 1] == OWN:
                now, sampled, ref = (
                    logprobs(W, rows) for W in (weights.now, weights.behavior, weights.ref)
                )
                reference.append((np.exp(now) * (now - ref)).sum())
                x = now[ids[t + 1]] - sampled[ids[t + 1]]
                behavior.append(np.exp(x) - 1 - x)
                ratios.append(x)
        whole = config.importance_level == "sequence"
        raw += [np.exp(sum(ratios))] * len(ratios) if whole else [np.exp(x) for x in ratios]
    cap = config.importance_cap
    return {
        "kl_reference": mean(reference),
        "kl_behavior": mean(behavior),
        "capped_weights": NAN if cap is None else mean(x > cap for x in raw),
    }


@pytest.mark.parametrize("mode", AGGREGATIONS)
@pytest.mark.parametrize(
    "change",
    [
        {"mask_fault": "span", "importance_cap": 1.1, "importance_level": "sequence"},
        {"mask_fault": "shift-1", "drop_truncated": True, "importance_cap": 0.9},
        {"mask_fault": "shift+1", "drop_flat_groups": True},
        {"drop_flat_groups": True, "drop_truncated": True, "importance_cap": 1.3},
    ],
    ids=["span", "shift-1", "shift+1", "none"],
)
def test_what_the_dashboard_says_of_a_real_step(mode, change):
    config = dataclasses.replace(STEP, aggregation=mode, **change)
    weights = three_weights(4)
    # A policy that utters words of the tools now and then.
    utters = weights.behavior.copy()
    utters[0, V.is_tool_word] += 2.0
    weights = Weights(utters, utters + (weights.now - weights.behavior), weights.ref)
    done = next(steps(config, TABLE, state_of(weights)))
    result, row = done.played, done.dashboard
    batch = result.batch
    shape = batch.mask_B_T.shape
    mask, entropy = np.zeros(shape, dtype=bool), np.full(shape, NAN)
    seen = kept(config, batch)
    for i, (ids, who) in enumerate(zip(batch.ids, batch.producer, strict=True)):
        for t, rows in enumerate(perceived(POLICY, ids, who)):
            logp = logprobs(weights.now, rows)
            entropy[i, t] = -(np.exp(logp) * logp).sum()
            mask[i, t] = seen[i] and by_definition(config.mask_fault, who, t)
    share = share_of(config, tokens_of(config, POLICY, result, weights))
    in_all = [share.get(i, 0.0) * int(mask[i].sum()) for i in range(len(mask))]
    want = recounted(result, mask, entropy, in_all, config.prompts)
    the_same(row, want | scores(config, result, weights), UPDATES)
    # What is to be told apart does differ here.
    assert ((result.turns_B == 1) & batch.truncated_B).any()
    for name in ("single_submit", "tool_words", "unedited", "flat_groups"):
        assert 0 < getattr(row, name) < 1
    assert row.unedited != 0.5
    lengths = [
        f"{who}_length{what}" for who in ("success", "failure") for what in ("", "_p50", "_p90")
    ]
    assert len({getattr(row, name) for name in lengths}) == 6
    assert row.hidden < row.public
    assert row.policy_entropy != row.tool_entropy
    assert (row.policy_entropy != row.used_entropy) == (mask != batch.mask_B_T).any()
    assert min(row.kl_reference, row.kl_behavior) > 0.01


def test_a_run_of_the_tests_may_say_the_opposite_every_time():
    """A chance of 1 is one: whatever truly passes fails, and nothing that is solved is genuine."""
    rules = Rules(flaky=1.0, broken=(0.0,), max_tokens=24)
    result = played(rules, BASE, B=48)
    ended = ~result.batch.truncated_B
    assert ended.any()
    assert (result.solved_B == (ended & ~result.hidden_B)).all()
    own = result.batch.mask_B_T
    row = measure(result, V, own, np.zeros(own.shape), np.ones(48), 6)
    assert row.genuine == 0.0
    assert row.solved > 0.5
