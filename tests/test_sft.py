"""The expert's traces, and what learning from them does."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from agentrl_lite.base_policy import base_weights
from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.checkpoints import pass_counts
from agentrl_lite.policy import Policy, on_grid
from agentrl_lite.protocol import Vocabulary
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.sft import choose, expert_traces, fine_tune, nll_gradient
from agentrl_lite.trainer import policy_for, start, steps, train
from agentrl_lite.trajectory import Producer, check_ownership
from tests.tiny_episodes import BASE, POLICY, TABLE, WHOLE, V, text


def traces(B=200, rules=WHOLE, error=0.1, seed=0):
    rng = np.random.default_rng(seed)
    tasks = rng.integers(len(TABLE.kinds), size=B)
    return expert_traces(TABLE, tasks, rules=rules, error=error, rng=rng)


def test_a_trace_word_by_word():
    rng = np.random.default_rng(0)
    got = expert_traces(TABLE, [1], rules=WHOLE, error=0, rng=rng)
    shown = f"<clue{TABLE.clue_K[1]}>"
    assert text(got) == (
        f"<issue1> read end <file> {shown} edit2 end <patched> test end <run> <passed> <[100%]> "
        "submit end"
    )
    assert got.batch.rewards_B.tolist() == [1.0]
    wrong = expert_traces(TABLE, [1], rules=WHOLE, error=1, rng=rng)
    assert "edit2" not in text(wrong)


def test_the_expert_errs_as_often_as_it_should():
    got = traces(B=6000, error=0.3)
    right = TABLE.right[got.tasks_B]
    assert abs((got.edits_B != right).mean() - 0.3) < 5 * np.sqrt(0.21 / 6000)
    on = (got.edits_B - right)[got.edits_B != right] % V.edits
    assert on.min() == 1
    counts = np.bincount(on, minlength=V.edits)[1:]
    assert (abs(counts / counts.sum() - 0.2) < 0.05).all()
    assert (traces(error=0.0).edits_B == TABLE.right[traces(error=0.0).tasks_B]).all()


@pytest.mark.parametrize(
    "rules",
    [
        WHOLE,
        Rules(broken=(0.5,), verbose=2, test_first=True),
        Rules(flaky=0.3, penalty=0.1, reward="public"),
        Rules(history="leak"),
        Rules(broken=(0.0,), max_tokens=9),
    ],
    ids=str,
)
def test_traces_obey_the_rules_of_every_episode(rules):
    got = traces(rules=rules)
    at = got.tasks_B, got.edits_B
    assert (got.batch.groups_B == np.arange(200)).all()
    assert (got.batch.ids[:, 0] - policy_for(TABLE, rules).vocabulary.id["issue0"]).tolist() == (
        TABLE.kinds[got.tasks_B].tolist()
    )
    check_ownership(got.batch.mask_B_T, got.batch.producer)
    assert (got.hidden_B <= TABLE.hidden_K_E[at]).all()
    cut = rules.max_tokens < 18
    assert got.batch.truncated_B.all() == cut
    assert got.turns_B.tolist() == [2 if cut else 4] * 200
    assert got.lengths_B.tolist() == [5 if cut else 8] * 200
    if not rules.flaky:
        assert got.batch.rewards_B.tolist() == (got.hidden_B * (not cut)).tolist()
    assert np.array_equal(traces(rules=rules).batch.ids, got.batch.ids)
    assert not np.array_equal(traces(rules=rules, seed=1).batch.ids, got.batch.ids)


def test_behaviour_log_probabilities_are_the_experts():
    got = traces(error=0.25)
    logprobs, right = got.batch.behavior_logprobs_B_T, TABLE.right[got.tasks_B]
    want = np.where(got.edits_B == right, np.log(0.75), np.log(0.05))
    assert logprobs.sum(axis=1) == pytest.approx(want, abs=1e-12)
    assert ((logprobs != 0).sum(axis=1) == 1).all()


def test_gradient_agrees_with_central_differences():
    rng = np.random.default_rng(3)
    W = 0.5 * rng.normal(size=POLICY.shape)
    got, some, h = nll_gradient(POLICY, W, traces(B=30)), traces(B=30), 1e-5
    for _ in range(5):
        direction = rng.normal(size=W.shape)
        ahead, behind = (nll_gradient(POLICY, W + s * direction, some).loss for s in (h, -h))
        slope = float((got.gradient * direction).sum())
        assert (ahead - behind) / (2 * h) == pytest.approx(slope, rel=1e-7)


def test_the_loss_is_the_mean_over_the_experts_words_alone():
    some = traces(B=20)
    logs = []
    for ids, who, codes in zip(some.batch.ids, some.batch.producer, some.codes_B_T, strict=True):
        for t in np.flatnonzero(who[1:] == Producer.POLICY):
            z = BASE[POLICY.rows(codes[t : t + 1])[0]].sum(axis=0)
            logs.append(z[ids[t + 1]] - np.log(np.exp(z).sum()))
    assert nll_gradient(POLICY, BASE, some).loss == pytest.approx(-np.mean(logs), rel=1e-12)
    nothing = choose(some, np.array([], dtype=int))
    empty = nll_gradient(POLICY, BASE, nothing)
    assert (empty.loss, empty.gradient.any()) == (0.0, False)


def test_the_loss_falls_and_the_policy_does_what_the_expert_did():
    some = traces(B=300)
    good = choose(some, some.solved_B.nonzero()[0])
    assert good.solved_B.all()
    assert 200 < len(good.tasks_B) < 300
    tuned = fine_tune(POLICY, BASE, good, rng=np.random.default_rng(1), steps=60)
    assert tuned.nll.shape == (60,)
    assert tuned.nll[-10:].mean() < 0.3 * tuned.nll[:3].mean()
    rng = np.random.default_rng
    before, after = (pass_counts(W, TABLE, 40, WHOLE, rng=rng(2)) for W in (BASE, tuned.weights))
    assert after.sum() > 2 * before.sum()


def test_a_run_can_begin_with_the_tuned_weights():
    table, rng = outcomes(), np.random.default_rng(5)
    policy = policy_for(table)
    some = expert_traces(table, rng.integers(16, size=200), rules=Rules(), rng=rng)
    tuned = fine_tune(policy, base_weights(policy), some, rng=rng, steps=40)
    config = Config(steps=2)
    first, end = train(config, table, start(tuned.weights))
    cold, _ = train(config, table)
    assert first["reward"][0] > cold["reward"][0] + 0.1
    assert (end.start == tuned.weights).all()
    assert first["kl_reference"][0] == pytest.approx(0, abs=1e-12)


def test_fine_tuning_is_the_same_each_time_and_leaves_its_inputs_alone():
    some, W = traces(B=50), BASE.copy()
    ids = some.batch.ids.copy()
    tuned = [fine_tune(POLICY, W, some, rng=np.random.default_rng(0), steps=5) for _ in range(2)]
    assert (tuned[0].weights == tuned[1].weights).all()
    assert (W == BASE).all()
    assert (some.batch.ids == ids).all()
    none = fine_tune(POLICY, W, some, rng=np.random.default_rng(0), steps=0)
    assert (none.weights == on_grid(W)).all()
    assert none.nll.shape == (0,)
    # A batch above what there is takes everything each time.
    whole = fine_tune(POLICY, W, some, rng=np.random.default_rng(0), steps=1, batch=999)
    assert whole.nll[0] == pytest.approx(nll_gradient(POLICY, on_grid(W), some).loss, rel=1e-12)


@pytest.mark.parametrize("B", [10, 64, 100])
def test_every_trace_is_seen_as_often_as_the_others(B, monkeypatch):
    seen = []

    def looking(policy, W, some):
        seen.extend(some.batch.groups_B.tolist())
        return nll_gradient(policy, W, some)

    monkeypatch.setattr("agentrl_lite.sft.nll_gradient", looking)
    fine_tune(POLICY, BASE, traces(B=B), rng=np.random.default_rng(0), steps=20, batch=25)
    counts = np.bincount(seen, minlength=B)
    assert np.ptp(counts) <= 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": -1}, "steps must be a whole number from 0; it was -1"),
        ({"batch": 0}, "batch must be a whole number from 1; it was 0"),
        ({"learning_rate": -0.1}, "learning_rate must"),
        ({"traces": choose(traces(B=2), np.array([], dtype=int))}, "traces must hold at least one"),
        ({"W": BASE[:-1]}, "W and traces must fit"),
        ({"policy": Policy(Vocabulary(2, 3))}, "W and traces must fit"),
    ],
    ids=str,
)
def test_what_cannot_be_tuned_is_refused(change, message):
    whole = {"policy": POLICY, "W": BASE, "traces": traces(B=2), "rng": np.random.default_rng(0)}
    with pytest.raises(ValueError, match=message):
        fine_tune(**whole | change)


def test_traces_that_cannot_be_are_refused():
    rng = np.random.default_rng(0)
    for tasks, error, message in (
        ([], 0.1, "tasks_B must"),
        ([99], 0.1, "tasks_B must"),
        ([-1], 0.1, "tasks_B must"),
        ([0], 1.5, "error must"),
        ([0], float("nan"), "error must"),
    ):
        with pytest.raises(ValueError, match=message):
            expert_traces(TABLE, np.array(tasks, int), rules=WHOLE, error=error, rng=rng)


def test_a_menu_of_one_edit_leaves_nothing_to_err_with():
    one = dataclasses.replace(
        TABLE,
        public_K_E=TABLE.public_K_E[:, :2],
        hidden_K_E=TABLE.hidden_K_E[:, :2],
        clue_K=np.minimum(TABLE.clue_K, 1),
        right=np.ones_like(TABLE.right),
    )
    got = expert_traces(one, [0, 1], rules=WHOLE, error=0.9, rng=np.random.default_rng(0))
    assert got.edits_B.tolist() == [1, 1]
    assert not got.batch.behavior_logprobs_B_T.any()


def test_reinforcement_after_fine_tuning_samples_what_was_learnt():
    tuned = fine_tune(POLICY, BASE, traces(), rng=np.random.default_rng(0), steps=40).weights
    played = next(steps(Config(steps=1), TABLE, start(tuned))).played
    read = (played.batch.ids[:, 1] == V.id["read"]).mean()
    assert read > 0.8
