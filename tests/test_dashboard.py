"""The dashboard: whole, in range, and each new figure by a second way."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from agentrl_lite.dashboard import Dashboard, repeats
from agentrl_lite.losses import AGGREGATIONS
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import policy_for, steps, train
from agentrl_lite.trajectory import Producer, loss_mask
from tests.tiny_episodes import TABLE, V, scripted

SHORT = Config(steps=4, prompts=8, group=4)
NAN = float("nan")


def test_the_dashboard_is_whole():
    history, _ = train(dataclasses.replace(SHORT, importance_cap=2.0, staleness=1), TABLE)
    assert len(history) == 4
    over_some = ("success", "failure", "genuine")
    may_be_nothing = {n for n in Dashboard._fields if n.startswith(over_some)}
    for name in set(Dashboard._fields) - may_be_nothing:
        assert np.isfinite(history[name]).all(), name
    shares = ("solved", "public", "hidden", "truncated", "flat_groups", "all_pass", "all_fail")
    for name in (*shares, "single_submit", "unedited", "tool_words", "clip_fraction"):
        assert (history[name] >= 0).all(), name
        assert (history[name] <= 1).all(), name
    assert (history["hidden"] <= history["public"]).all()
    assert (history["all_pass"] + history["all_fail"] <= history["flat_groups"] + 1e-12).all()
    assert history["kl_reference"][0] == pytest.approx(0, abs=1e-12)
    assert (history["kl_reference"][1:] > 0).all()
    assert (history["kl_behavior"][1:] > 0).all()
    assert history["masked_in_policy"].tolist() == [1] * 4
    assert history["masked_in_tool"].tolist() == [0] * 4
    with pytest.raises(KeyError, match="not on the dashboard"):
        history["loos"]


def test_the_dashboard_by_hand():
    done = next(steps(dataclasses.replace(SHORT, steps=1), TABLE))
    row, played = done.dashboard, done.played
    lengths = played.lengths_B
    assert row.length == lengths.mean()
    solved = played.solved_B
    assert row.success_length_p50 == np.median(lengths[solved])
    assert row.failure_length_p90 == pytest.approx(np.quantile(lengths[~solved], 0.9))
    assert row.reward == solved.mean()
    p = np.exp(played.batch.behavior_logprobs_B_T[played.batch.mask_B_T])
    assert row.trained_tokens == p.size == lengths.sum()
    assert row.tokens == (played.batch.producer > 0).sum()


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else NAN


@pytest.mark.parametrize("mode", AGGREGATIONS)
@pytest.mark.parametrize(
    "change",
    [{}, {"mask_fault": "span"}, {"drop_truncated": True, "drop_flat_groups": True}],
    ids=["plain", "span", "dropped"],
)
def test_weights_of_successes_and_failures_by_hand_and_their_sum(mode, change):
    rules = Rules(max_tokens=24)
    config = Config(steps=1, prompts=8, group=8, rules=rules, aggregation=mode, **change)
    done = next(steps(config, TABLE))
    row, batch, solved = done.dashboard, done.played.batch, done.played.solved_B
    lengths = loss_mask(batch.producer, fault=config.mask_fault).sum(axis=1)
    if change and "drop_truncated" in change:
        flat = np.ptp(batch.rewards_B.reshape(8, 8), axis=1) == 0
        lengths = lengths * ~(np.repeat(flat, 8) | batch.truncated_B)
        assert (lengths == 0).any()
    kept = (lengths > 0).sum()
    by_hand = {
        "token-mean": lengths / lengths.sum(),
        "seq-mean-token-mean": (lengths > 0) / kept,
        "seq-mean-token-sum": lengths / kept,
        "seq-mean-token-sum-norm": lengths / kept / config.max_length,
    }[mode]
    assert 0 < solved.sum() < 64
    assert row.success_weight == pytest.approx(mean(by_hand[solved]), rel=1e-12)
    assert row.failure_weight == pytest.approx(mean(by_hand[~solved]), rel=1e-12)
    total = solved.sum() * row.success_weight + (~solved).sum() * row.failure_weight
    L = lengths.sum() / kept
    wanted = {"seq-mean-token-sum": L, "seq-mean-token-sum-norm": L / config.max_length}
    assert total == pytest.approx(wanted.get(mode, 1.0), rel=1e-12)


def test_turns_and_repeats_by_a_loop_over_words():
    done = next(steps(Config(steps=1, prompts=16, rules=Rules(re_edit=True)), TABLE))
    row, result = done.dashboard, done.played
    counts = []
    for ids, who in zip(result.batch.ids, result.batch.producer, strict=True):
        calls = [
            V.words[ids[i - 1]]
            for i in range(1, len(ids))
            if V.words[ids[i]] == "end" and who[i] == Producer.POLICY
        ]
        named = [w for w in calls if w in ("read", "test", "submit") or w.startswith("edit")]
        counts.append(len(named) - len(set(named)))
    assert len(set(counts)) > 1
    assert repeats(result, V).tolist() == counts
    failed = ~result.solved_B
    assert row.failure_repeats == pytest.approx(mean(np.array(counts)[failed]))
    assert row.failure_turns == pytest.approx(mean(result.turns_B[failed]))
    assert row.success_turns == pytest.approx(mean(result.turns_B[~failed]))
    assert row.turns == pytest.approx(result.turns_B.mean())


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["read", "end", "file", "clue3", "read"], 3),
        (["hmm", "end", "error", "hmm"], 0),
        (["edit1", "end", "patched", "edit2", "end", "error", "edit2"], 2),
        (["end", "error", "end"], 0),
    ],
    ids=str,
)
def test_what_counts_as_a_repeated_call(words, count):
    """Of four turns: a call that comes again, none at all, edits of two numbers."""
    result = scripted(words, Rules(broken=(0.0,), max_turns=4), task=2)
    assert result.turns_B.tolist() == [4]
    assert repeats(result, V).tolist() == [count]


def test_a_call_that_the_rules_refuse_is_a_call():
    rules = Rules(test_first=True, max_turns=3)
    assert repeats(scripted(["submit", "end", "error", "submit"], rules), V).tolist() == [2]
    rules = Rules(history="plain", max_turns=3)
    v = policy_for(TABLE, rules).vocabulary
    assert repeats(scripted(["log", "end", "past", "log"], rules), v).tolist() == [2]


@pytest.mark.parametrize("flaky", [0.0, 0.3])
def test_genuine_successes_are_those_that_truly_pass(flaky):
    config = Config(steps=1, prompts=32, rules=Rules(flaky=flaky))
    done = next(steps(config, TABLE))
    result = done.played
    true = [h for h, s in zip(result.hidden_B, result.solved_B, strict=True) if s]
    assert done.dashboard.genuine == pytest.approx(mean(true))
    assert (done.dashboard.genuine < 0.9) == (flaky > 0)
    none, _ = train(dataclasses.replace(config, rules=Rules(broken=(1.0,))), TABLE)
    assert np.isnan(none["genuine"][0])
    assert np.isnan(none["success_turns"][0])
    assert np.isnan(none["success_weight"][0])
