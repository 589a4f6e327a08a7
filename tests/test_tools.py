"""Tools with a rule of their own: a test that comes first, flaky runs, a history that leaks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from agentrl_lite.bugfix.env import Action, Episode, TurnRules
from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.bugfix.tasks import TASKS
from agentrl_lite.protocol import Vocabulary
from agentrl_lite.rollout import rollout
from agentrl_lite.rules import Rules
from agentrl_lite.tools import said_if_flaky, spans_of, tools_of
from agentrl_lite.trainer import policy_for
from agentrl_lite.trajectory import Producer
from tests.tiny_episodes import BASE, POLICY, TABLE, WHOLE, played, scripted, text

FIRST = Rules(broken=(0.0,), test_first=True)


def test_a_submit_before_any_test_is_an_error_and_the_episode_goes_on():
    got = scripted(["submit", "end", "error", "test", "end"], FIRST)
    assert text(got).startswith("<issue0> submit end <error> test end <run> <failed> <[100%]> ")
    refused = scripted(["submit", "end", "error", "submit"], FIRST)
    assert refused.turns_B[0] > 10
    assert refused.batch.truncated_B.all()
    after = scripted(["test", "end", "run", "failed", "[100%]", "submit", "end"], FIRST)
    # `end` leads to nothing that is scripted: what follows the first submit does not matter.
    assert text(after).startswith("<issue0> test end <run> <failed> <[100%]> submit end")
    assert not after.batch.truncated_B[0]


def test_an_edit_is_kept_through_a_test():
    """The state of the file and whether it was tested are kept apart."""
    for done in (played(FIRST, B=300), played(Rules(test_first=True, re_edit=True), B=300)):
        v = policy_for(TABLE).vocabulary
        for ids, who, edit in zip(done.batch.ids, done.batch.producer, done.edits_B, strict=True):
            applied = np.flatnonzero((ids == v.id["patched"]) & (who == Producer.TOOL))
            last = v.words[ids[applied[-1] - 2]] if applied.size else "edit0"
            assert last == f"edit{edit}"


def test_flaky_draws_leave_the_words_alone():
    """Up to the first run that says the opposite the words are those of a run without."""
    plain, flaky = played(WHOLE, B=200), played(Rules(broken=(0.0,), flaky=0.3), B=200)
    v = policy_for(TABLE).vocabulary
    width = min(plain.batch.ids.shape[1], flaky.batch.ids.shape[1])
    ids = [done.batch.ids[:, :width] for done in (plain, flaky)]
    differs = (ids[0] != ids[1]).any(axis=1)
    first = (ids[0] != ids[1]).argmax(axis=1)
    assert 0 < differs.mean() < 0.5
    verdicts = {v.id["passed"], v.id["failed"]}
    for i in np.flatnonzero(differs):
        assert {ids[0][i, first[i]], ids[1][i, first[i]]} == verdicts
    nearly = played(Rules(broken=(0.0,), flaky=1e-12), B=200)
    assert (nearly.batch.ids == plain.batch.ids).all()
    assert (nearly.batch.rewards_B == plain.batch.rewards_B).all()


def test_a_run_without_flaky_tests_draws_no_number_for_them():
    """What is drawn after an episode, such as the minibatches, stays what it was."""
    left = []
    for flaky in (0.0, 0.3):
        rng, B = np.random.default_rng(3), 10
        rules = Rules(flaky=flaky)
        rollout(POLICY, BASE, TABLE, np.zeros(B, int), np.arange(B), rules=rules, rng=rng)
        left.append(rng.random())
    other = np.random.default_rng(3)
    other.random(10 + 63 * 10)
    assert left[0] == other.random() != left[1]


class Says:
    """A random generator whose next numbers are given."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


@pytest.mark.parametrize("on", ["every", "slow"])
@pytest.mark.parametrize("reward", ["hidden", "public"])
def test_flaky_runs_are_those_of_the_gym_by_turns(on, reward):
    """For every task, state, checkout and draw: what TEST says, and the verdict on submitting."""
    table, v = outcomes(), Vocabulary(6, 6)
    rules = Rules(flaky=0.5, flaky_on=on, reward=reward)
    turn_rules = TurnRules(flaky=0.5, flaky_on=on, reward=reward, broken=(0.5,))
    replies = spans_of(v, 0).replies
    tools = tools_of(v, replies, table, rules)
    chosen = table.hidden_K_E if reward == "hidden" else table.public_K_E
    wrong = said_if_flaky(chosen, table.slow_K_E, rules)
    for k, e, broken, hit in itertools.product(range(16), range(7), (0, 1), (0, 1)):
        episode = Episode(TASKS[k], turn_rules, rng=Says(1 - broken, 1 - hit, 1 - hit))
        if e:
            episode.step(Action("edit", e))
        told = episode.step(Action("test")).observation
        says = broken == 0 and "failed" not in told
        answer = (tools.if_flaky if hit else tools.answer)[2 * k + broken, e, v.id["test"]]
        assert answer == (replies.passed if says else replies.failed), (k, e, broken, hit)
        solved = (wrong if hit else chosen)[k, e] and not broken
        assert episode.step(Action("submit")).reward == solved, (k, e, broken, hit)


@pytest.mark.parametrize("on", ["every", "slow"])
def test_the_verdict_and_the_truth_are_kept_apart(on):
    done = played(Rules(broken=(0.0, 1.0), flaky=0.25, flaky_on=on), B=4000)
    at = done.tasks_B, done.edits_B
    broken = TABLE.kinds[done.tasks_B] % 2 == 1
    truth = TABLE.hidden_K_E[at] & ~broken
    assert (done.hidden_B == truth).all()
    assert (done.public_B == TABLE.public_K_E[at] & ~broken).all()
    ended = ~done.batch.truncated_B
    assert (done.batch.rewards_B == done.solved_B).all()
    assert not done.solved_B[broken | ~ended].any()
    may = ended & ~broken & ((truth & TABLE.slow_K_E[at]) if on == "slow" else True)
    assert (done.solved_B == truth)[ended & ~may].all()
    share = (done.solved_B != truth)[may].mean()
    assert abs(share - 0.25) < 5 * np.sqrt(0.25 * 0.75 / may.sum())


def test_each_run_of_a_test_draws_anew():
    """Two tests of one file: both verdicts, in the four combinations, as often as they should."""
    script = ["edit1", "end", "patched", "test", "end"]
    verdicts = ["run", "failed", "[100%]", "test", "run", "passed", "[100%]", "test"]
    rules = Rules(broken=(0.0,), flaky=0.5, max_turns=3)
    done = scripted([*script, *verdicts], rules, task=1, B=4000)
    v = policy_for(TABLE).vocabulary
    said = [
        np.flatnonzero(np.isin(ids, [v.id["failed"], v.id["passed"]])) for ids in done.batch.ids
    ]
    assert {len(at) for at in said} == {2}
    pairs = np.array(
        [ids[at] == v.id["passed"] for ids, at in zip(done.batch.ids, said, strict=True)]
    )
    counts = np.bincount(2 * pairs[:, 0] + pairs[:, 1], minlength=4)
    assert (abs(counts - 1000) < 150).all()
    # Truncated: no verdict, whatever a last run would have said.
    assert not done.solved_B.any()
    scored = scripted(
        [*script, *verdicts], Rules(**{**vars(rules), "truncation": "score"}), 1, 4000
    )
    assert abs(scored.solved_B.mean() - 0.5) < 0.05


def test_the_verdict_is_a_run_of_its_own():
    """What a test said of the same file tells nothing of the last run."""
    script = ["test", "end", "run", "failed", "[100%]", "submit", "end"]
    script += ["run", "passed", "[100%]", "submit", "end"]
    done = scripted(script, Rules(broken=(0.0,), flaky=0.5), B=4000)
    assert not done.batch.truncated_B.any()
    said = (done.batch.ids == policy_for(TABLE).vocabulary.id["passed"]).any(axis=1)
    counts = np.bincount(2 * said + done.solved_B, minlength=4)
    assert (abs(counts - 1000) < 150).all()


def test_blind_hides_flaky_runs_too():
    done = played(Rules(blind=True, flaky=0.5), B=300)
    v = policy_for(TABLE).vocabulary
    assert (done.batch.ids == v.id["passed"]).any()
    assert not ((done.batch.ids == v.id["failed"]) & (done.batch.producer == Producer.TOOL)).any()


@pytest.mark.parametrize(
    ("rules", "shown"),
    [
        (Rules(history="plain"), "<past>"),
        (Rules(history="leak"), "<past> <clue2>"),
        (Rules(history="leak", leaky=(1,)), "<past> <clue2>"),
        (Rules(history="leak", leaky=(0, 2)), "<past>"),
        (Rules(history="leak", leaky=()), "<past>"),
    ],
    ids=str,
)
def test_what_the_history_shows(rules, shown):
    assert (TABLE.right[1], TABLE.kinds[1]) == (2, 1)
    rules = Rules(**{**vars(rules), "max_turns": 1})
    assert text(scripted(["log", "end"], rules, task=1), rules=rules) == f"<issue1> log end {shown}"


def test_without_a_history_there_is_no_word_for_it():
    without, with_log = (
        policy_for(TABLE, rules).vocabulary for rules in (WHOLE, Rules(history="leak"))
    )
    assert set(with_log.words) - set(without.words) == {"log", "past"}
    assert with_log.is_tool_word[with_log.id["past"]]
    menu = {f"edit{j}" for j in range(1, 7)}
    for v, more in ((without, set()), (with_log, {"log"})):
        named = {v.words[i] for i in np.flatnonzero(v.is_tool_name)}
        assert named == menu | more | {"read", "test", "submit"}
    assert without.words == Vocabulary(6, 3).words
    assert without.replies().past == -1


def test_a_leaked_clue_is_perceived_as_one_that_was_read_and_the_past_is_not():
    v = policy_for(TABLE, Rules(history="leak")).vocabulary
    spans = spans_of(v, 0)
    start = 0
    for j in range(1, v.edits + 1):
        leaked = spans.mood_after[spans.replies.past + j, start]
        assert leaked == spans.mood_after[spans.replies.clue + j, start]
    assert spans.mood_after[spans.replies.past, start] == start


def test_the_base_policy_looks_at_the_history_now_and_then():
    rules = Rules(history="plain")
    done = played(rules, B=2000)
    v = policy_for(TABLE, rules).vocabulary
    looks = ((done.batch.ids == v.id["log"]) & (done.batch.producer == Producer.POLICY)).any(axis=1)
    assert 0.03 < looks.mean() < 0.25
