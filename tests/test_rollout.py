"""Words and episodes: what is written, by whom, and what comes out."""

from __future__ import annotations

import numpy as np
import pytest

from agentrl_lite.base_policy import base_weights
from agentrl_lite.policy import Policy
from agentrl_lite.protocol import Vocabulary
from agentrl_lite.rollout import rollout
from agentrl_lite.rules import Rules
from agentrl_lite.trainer import policy_for
from agentrl_lite.trajectory import Producer, Trajectory, collate
from tests.tiny_episodes import BASE, POLICY, TABLE, WHOLE, V, played, scripted, text


def replayed(words, rules, task, broken=False):
    """An episode by the rules as a loop over words: a second way to each of its outcomes."""
    edit = turns = 0
    submitted, tested, tool_words, i = False, False, [], 0
    while i < len(words):
        turn = []
        while i < len(words) and words[i][1] == Producer.POLICY:
            turn.append(words[i][0])
            i += 1
            if turn[-1] == "end":
                break
        if not turn or turn[-1] != "end":
            break
        turns += 1
        tool = turn[-2] if len(turn) > 1 else "end"
        answer = ["error"]
        if tool == "read":
            answer = ["file", *["dot"] * rules.verbose, f"clue{TABLE.clue_K[task]}"]
        elif tool == "test":
            passes = rules.blind or (TABLE.public_K_E[task, edit] and not broken)
            answer = ["run", *["dot"] * rules.verbose, "passed" if passes else "failed", "[100%]"]
            tested = True
        elif tool.startswith("edit") and (not edit or rules.re_edit):
            edit, answer = int(tool[4:]), ["patched"]
        elif tool == "log" and rules.history != "none":
            kinds = range(3) if rules.leaky is None else rules.leaky
            leaks = rules.history == "leak" and TABLE.kinds[task] in kinds
            answer = ["past", f"clue{TABLE.right[task]}"] if leaks else ["past"]
        elif tool == "submit" and (tested or not rules.test_first):
            submitted, answer = True, []
        told = []
        while i < len(words) and words[i][1] == Producer.TOOL:
            told.append(words[i][0])
            i += 1
        tool_words.append((answer, told))
        if submitted:
            break
    assert i == len(words), "nothing is written after the end"
    return edit, turns, submitted, tool_words


@pytest.mark.parametrize(
    "rules",
    [
        WHOLE,
        Rules(broken=(0.0,), verbose=3),
        Rules(broken=(0.0,), blind=True),
        Rules(broken=(0.0,), re_edit=True, max_tokens=40),
        Rules(broken=(1.0,)),
        Rules(broken=(0.0,), reward="public", truncation="score", max_tokens=12),
        Rules(broken=(0.0,), max_turns=2, penalty=0.02),
        Rules(broken=(0.0,), test_first=True),
        Rules(broken=(0.0,), test_first=True, re_edit=True, blind=True),
        Rules(broken=(0.0,), history="plain"),
        Rules(broken=(1.0,), history="leak"),
        Rules(broken=(0.0,), history="leak", leaky=(0, 2), test_first=True),
    ],
    ids=str,
)
def test_every_episode_is_what_a_loop_over_its_words_says(rules):
    policy = policy_for(TABLE, rules)
    v = policy.vocabulary
    result = played(rules, base_weights(policy) * 0.7, B=200)
    broken = rules.broken == (1.0,)
    kinds = set()
    for i, task in enumerate(result.tasks_B):
        who = result.batch.producer[i]
        pairs = [(v.words[t], p) for t, p in zip(result.batch.ids[i], who, strict=True) if p]
        assert pairs[0] == (f"issue{TABLE.kinds[task]}", Producer.PROMPT)
        edit, turns, submitted, told = replayed(pairs[1:], rules, task, broken)
        assert (edit, turns) == (result.edits_B[i], result.turns_B[i])
        assert submitted != result.batch.truncated_B[i]
        for wanted, got in told[:-1]:
            assert got == wanted
        if told:
            wanted, got = told[-1]
            cut = len(pairs) == rules.max_tokens
            assert got == wanted[: len(got)] if cut else got == wanted
        assert submitted or len(pairs) == rules.max_tokens or turns == rules.max_turns
        passes = getattr(TABLE, f"{rules.reward}_K_E")[task, edit] and not broken
        solved = bool(passes and (submitted or rules.truncation == "score"))
        assert result.solved_B[i] == solved
        charged = turns if submitted else max(turns, rules.truncated_turns)
        assert result.batch.rewards_B[i] == pytest.approx(solved - rules.penalty * charged)
        kinds |= {submitted}
    assert kinds, "some episode was looked at"


def test_the_shortest_episodes_word_by_word():
    assert text(scripted(["submit", "end"])) == "<issue0> submit end"
    assert scripted(["submit", "end"]).batch.rewards_B.tolist() == [0.0]
    long = scripted(["hmm"] * 2, Rules(max_tokens=5))
    assert text(long) == "<issue0> hmm hmm hmm hmm"
    assert long.batch.truncated_B.all()
    assert long.turns_B.tolist() == [0]
    assert text(scripted(["end"], Rules(max_turns=1))) == "<issue0> end <error>"


def test_a_tool_answer_is_cut_at_the_cap():
    result = scripted(["read", "end"], Rules(max_tokens=4))
    assert text(result) == "<issue0> read end <file>"
    assert result.batch.mask_B_T.tolist() == [[True, True, False]]


def test_recorded_log_probabilities_are_those_of_the_policy():
    # Noise, so that every row matters: the base policy does not look at the place in the turn.
    W = BASE * 0.5 + 0.5 * np.random.default_rng(1).normal(size=BASE.shape)
    result = played(Rules(verbose=2), W, B=300)
    mask = result.batch.mask_B_T
    logprobs = POLICY.score(W, result.codes_B_T[mask]).of(result.batch.ids[:, 1:][mask])
    assert result.batch.behavior_logprobs_B_T[mask] == pytest.approx(logprobs, abs=1e-12)


def test_weights_of_a_wide_spread_are_sampled_by_sums_of_logits():
    """Products of exponentials would vanish; where both ways work, the words are the same."""
    tilt = np.zeros_like(BASE)
    tilt[POLICY.blocks["bias"], V.id["issue0"] :] = -5000.0
    wide, narrow = played(W=BASE + tilt), played()
    assert (wide.batch.ids == narrow.batch.ids).all()


def test_words_come_as_often_as_the_policy_says():
    result = played(B=6000, tasks=np.zeros(6000, dtype=int))
    first = np.bincount(result.batch.ids[:, 1], minlength=len(V)) / 6000
    p = np.exp(POLICY.score(BASE, result.codes_B_T[:1, 0]).logprobs_U_V[0])
    assert (np.abs(first - p) < 5 * np.sqrt(p * (1 - p) / 6000) + 1e-9).all()


def test_the_same_seed_gives_the_same_words():
    a, b, other = played(seed=1), played(seed=1), played(seed=2)
    assert all((np.asarray(x) == np.asarray(y)).all() for x, y in zip(a[1:], b[1:], strict=True))
    assert a.batch.ids.tobytes() == b.batch.ids.tobytes()
    assert a.batch.ids.shape != other.batch.ids.shape or (a.batch.ids != other.batch.ids).any()


def test_these_very_words():
    """The same on every machine: a change here is a change of every figure that was ever shown."""
    assert [text(played(), i) for i in range(2)] == THESE


THESE = [
    "<issue1> hmm hmm edit3 end <patched> test end <run> <failed> <[100%]> "
    "hmm submit hmm submit end",
    "<issue1> submit end",
]


def test_the_batch_is_what_collate_makes_of_its_trajectories():
    batch = played().batch
    trajectories = []
    for i, who in enumerate(batch.producer):
        n = int((who != Producer.PAD).sum())
        behavior = np.full(n, np.nan)
        mask = batch.mask_B_T[i, : n - 1]
        behavior[1:][mask] = batch.behavior_logprobs_B_T[i, : n - 1][mask]
        fields = (batch.ids[i, :n], who[:n], behavior, batch.rewards_B[i])
        trajectories.append(Trajectory(*fields, batch.truncated_B[i], batch.groups_B[i]))
    for got, want in zip(collate(trajectories), batch, strict=True):
        assert np.array_equal(got, want)


def test_blind_hides_the_result_and_changes_no_verdict():
    """The same uniform numbers: up to the first test the words are the same."""
    seen = played(Rules(broken=(0.0,), blind=True))
    assert not (seen.batch.ids == V.id["failed"])[seen.batch.producer == Producer.TOOL].any()
    failing = ~TABLE.hidden_K_E[seen.tasks_B, seen.edits_B]
    assert not seen.solved_B[failing].any()


def test_penalties():
    free, every, success = (
        played(Rules(penalty=c, penalty_on=on, max_tokens=12))
        for c, on in ((0.0, "every"), (0.1, "every"), (0.1, "success"))
    )
    turns = np.where(free.batch.truncated_B, np.maximum(free.turns_B, 6), free.turns_B)
    assert free.batch.truncated_B.any()
    assert every.batch.rewards_B == pytest.approx(free.batch.rewards_B - 0.1 * turns)
    assert (success.batch.rewards_B[~free.solved_B] == 0).all()
    assert (success.batch.rewards_B[free.solved_B] < 1).all()


def test_public_rewards_pay_for_what_hidden_tests_refuse():
    hidden, public = (played(Rules(broken=(0.0,), reward=r), B=400) for r in ("hidden", "public"))
    assert public.batch.rewards_B.sum() > hidden.batch.rewards_B.sum()
    assert (public.hidden_B == hidden.hidden_B).all()


def test_what_is_perceived_follows_whoever_wrote_it():
    issue, passed = V.id["issue1"], V.id["passed"]
    who = np.array([[Producer.PROMPT, Producer.POLICY, Producer.POLICY, Producer.TOOL]], np.int8)
    uttered = V.codes(np.array([[issue, passed, 0, 0]]), who)
    told = V.codes(np.array([[issue, V.id["hmm"], passed, 0]]), who)
    rows = POLICY.rows(np.concatenate([uttered[0], told[0]]))
    phase = rows[:, 3] - POLICY.blocks["phase"].start
    assert phase.tolist() == [0, 4, 4, 0, 0, 4]


def test_the_place_in_the_turn_is_counted_from_the_last_word_of_others():
    who = np.array([[1, 2, 2, 3, 3, *[2] * 10]], np.int8)
    ids = np.full(who.shape, V.id["hmm"])
    ids[0, 0] = V.id["issue0"]
    place = POLICY.rows(V.codes(ids, who)[0])[:, 6] - POLICY.blocks["place"].start
    assert place.tolist() == [0, 1, 2, 0, 0, 1, 2, 3, 4, 4, 4, 4, 5, 5]


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="tasks_B must"):
        played(tasks=[])
    with pytest.raises(ValueError, match="tasks_B must"):
        played(tasks=[99])
    with pytest.raises(ValueError, match="W must"):
        played(W=BASE * np.nan)
    small = Policy(Vocabulary(2, 3))
    with pytest.raises(ValueError, match="policy must"):
        rollout(
            small,
            base_weights(small),
            TABLE,
            np.array([0]),
            np.array([0]),
            rules=WHOLE,
            rng=np.random.default_rng(0),
        )
    with pytest.raises(ValueError, match="policy must have a word for LOG"):
        rollout(
            POLICY,
            BASE,
            TABLE,
            np.array([0]),
            np.array([0]),
            rules=Rules(history="plain"),
            rng=np.random.default_rng(0),
        )
    with pytest.raises(ValueError, match="verbose must"):
        played(Rules(verbose=-1))
    for edits, kinds in ((0, 1), (1, 0), (1.5, 1), (True, 1)):
        with pytest.raises(ValueError, match="must be a whole number"):
            Vocabulary(edits, kinds)
