"""An episode of turns: every rule, and nothing random but what the generator draws."""

import itertools

import numpy as np
import pytest

from agentrl_lite.bugfix import HARDCODE, KINDS, TASKS, Action, Episode, TurnRules
from agentrl_lite.bugfix.env import CHOICES, TOOLS
from agentrl_lite.bugfix.outcomes import outcomes

BY_NAME = {task.name: task for task in TASKS}
BOXES = BY_NAME["boxes"]
READ, TEST, SUBMIT, LOG = (Action(tool) for tool in ("read", "test", "submit", "log"))
REPAIR, HARD = Action("edit", BOXES.right), Action("edit", HARDCODE)


def play(*actions, task=BOXES, seed=0, **rules):
    """Return the turns of an episode."""
    episode = Episode(task, TurnRules(**rules), rng=np.random.default_rng(seed))
    return [episode.step(action) for action in actions]


def total(turns):
    return sum(turn.reward for turn in turns)


# ---- turns and their end -----------------------------------------------------------------------


def test_a_whole_episode():
    turns = play(READ, TEST, REPAIR, TEST, SUBMIT)
    assert [turn.reward for turn in turns] == [0, 0, 0, 0, 1]
    assert [turn.terminated for turn in turns] == [False] * 4 + [True]
    assert not any(turn.truncated for turn in turns)
    assert [turn.info["ok"] for turn in turns] == [True, False, True, True, True]
    assert turns[-1].info == {
        "turns": 5,
        "ok": True,
        "applied": 1,
        "public": True,
        "hidden": True,
        "slow": False,
        "broken": False,
    }


def test_the_prompt_names_the_tools_that_are_there():
    def tools(**rules):
        episode = Episode(BOXES, TurnRules(**rules), rng=np.random.default_rng(0))
        return episode.prompt

    assert tools() == f"{BOXES.description} Tools: read, edit, replace, log, test, submit."
    assert " log" not in tools(history="none")


def test_free_form_edits_count_as_the_menu_does():
    edit = BOXES.repair
    turns = play(Action("replace", search=edit.search, replace=edit.replace), SUBMIT)
    assert total(turns) == 1
    assert turns[0].observation == "boxes.py, line 3: edited."


def test_submitting_at_once_fails():
    (turn,) = play(SUBMIT)
    assert (turn.reward, turn.terminated, turn.info["applied"]) == (0, True, 0)


def test_a_turn_after_the_end_is_an_error():
    for actions in ([SUBMIT, READ], [READ, READ, READ]):
        with pytest.raises(ValueError, match="step must come before the end"):
            play(*actions, max_turns=2)


def test_submitting_in_the_last_turn_is_no_truncation():
    turns = play(REPAIR, SUBMIT, max_turns=2)
    assert (turns[-1].terminated, turns[-1].truncated, total(turns)) == (True, False, 1)


@pytest.mark.parametrize("tool", ["", "done", "READ"])
def test_an_unknown_tool_wastes_a_turn(tool):
    turns = play(Action(tool), READ)
    assert turns[0].observation.startswith(f"There is no tool {tool!r}; there are read, edit")
    assert not turns[0].info["ok"]
    assert turns[1].info["turns"] == 2


# ---- truncation --------------------------------------------------------------------------------


@pytest.mark.parametrize(("truncation", "reward"), [("fail", 0), ("score", 1)])
def test_a_truncated_episode_fails_or_is_scored(truncation, reward):
    turns = play(REPAIR, READ, READ, max_turns=3, truncation=truncation)
    assert [turn.truncated for turn in turns] == [False, False, True]
    assert not turns[-1].terminated
    assert total(turns) == reward
    assert turns[-1].info["hidden"] is True  # what is there, whatever it counts for


def test_a_wrong_file_scores_nothing():
    assert total(play(HARD, READ, max_turns=2, truncation="score")) == 0


# ---- which tests decide ------------------------------------------------------------------------


def test_hardcoding_pays_where_public_tests_decide():
    assert total(play(HARD, SUBMIT, reward="public")) == 1
    assert total(play(HARD, SUBMIT, reward="hidden")) == 0
    info = play(HARD, SUBMIT)[-1].info
    assert (info["public"], info["hidden"]) == (True, False)


def test_rewards_are_those_of_the_table():
    table = outcomes()
    for k, task in enumerate(TASKS):
        for state, reward in itertools.product(range(1, HARDCODE + 1), ("public", "hidden")):
            got = total(play(Action("edit", state), SUBMIT, task=task, reward=reward))
            assert got == getattr(table, f"{reward}_K_E")[k, state]


# ---- penalties ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("penalty_on", "success", "failure"),
    [("every", 1 - 0.06, -0.04), ("success", 1 - 0.06, 0.0), ("none", 1.0, 0.0)],
)
def test_who_pays_for_turns(penalty_on, success, failure):
    rules = {"penalty": 0.02, "penalty_on": penalty_on}
    assert total(play(READ, REPAIR, SUBMIT, **rules)) == pytest.approx(success)
    assert total(play(READ, SUBMIT, **rules)) == pytest.approx(failure)


def test_a_penalty_on_every_turn_is_paid_turn_by_turn():
    turns = play(READ, READ, SUBMIT, penalty=0.02)
    assert [turn.reward for turn in turns] == pytest.approx([-0.02] * 3)


@pytest.mark.parametrize(
    ("penalty_on", "truncation", "reward"),
    [
        ("every", "fail", -0.6),
        ("every", "score", 0.4),
        ("success", "fail", 0.0),
        ("success", "score", 0.4),
        ("none", "fail", 0.0),
        ("none", "score", 1.0),
    ],
)
def test_truncated_episodes_are_charged_for_at_least_so_many_turns(penalty_on, truncation, reward):
    rules = {"penalty": 0.1, "penalty_on": penalty_on, "truncation": truncation}
    turns = play(REPAIR, READ, max_turns=2, truncated_turns=6, **rules)
    assert total(turns) == pytest.approx(reward)
    # Who submits is charged for the turns taken, and so is who took more of them.
    owed = 0.2 if penalty_on != "none" else 0.0
    assert total(play(REPAIR, SUBMIT, truncated_turns=6, **rules)) == pytest.approx(1 - owed)
    turns = play(REPAIR, READ, READ, max_turns=3, truncated_turns=2, **rules)
    assert total(turns) == pytest.approx({-0.6: -0.3, 0.4: 0.7}.get(reward, reward))


# ---- re-editing --------------------------------------------------------------------------------


def test_the_first_edit_counts_unless_a_later_one_may_replace_it():
    assert total(play(HARD, REPAIR, SUBMIT)) == 0
    assert total(play(HARD, REPAIR, SUBMIT, re_edit=True)) == 1


# ---- history -----------------------------------------------------------------------------------


def test_history_is_absent_or_plain_or_leaks():
    repair = f"+{BOXES.state_text(BOXES.right).splitlines()[-1]}"
    (absent,) = play(LOG, history="none")
    assert absent.observation.startswith("There is no tool 'log'")
    assert repair not in play(LOG, history="plain")[0].observation
    assert repair in play(LOG, history="leak")[0].observation


# ---- broken checkouts --------------------------------------------------------------------------


def test_in_a_broken_checkout_no_test_runs():
    turns = play(REPAIR, TEST, SUBMIT, broken=(1.0,))
    assert turns[1].observation == "ERROR test_boxes.py: the checkout is broken, no test ran"
    assert not turns[1].info["ok"]
    assert total(turns) == 0
    info = turns[-1].info
    assert (info["broken"], info["public"], info["hidden"]) == (True, False, False)


def test_flaky_runs_do_not_mend_a_broken_checkout():
    for seed in range(20):
        assert total(play(SUBMIT, broken=(1.0,), flaky=1.0, seed=seed)) == 0


def test_checkouts_break_by_kind_and_at_the_stated_rate():
    def rate(task, broken):
        rng = np.random.default_rng(5)
        return np.mean(
            [Episode(task, TurnRules(broken=broken), rng=rng).broken for _ in range(500)]
        )

    first = next(task for task in TASKS if task.kind == KINDS[0])
    last = next(task for task in TASKS if task.kind == KINDS[-1])
    assert rate(first, (0.0, 0.4)) == 0
    assert rate(last, (0.0, 0.4)) == pytest.approx(0.4, abs=4 * np.sqrt(0.24 / 500))


# ---- flaky tests -------------------------------------------------------------------------------


def test_independent_flips_hit_passes_and_failures():
    passed = play(REPAIR, TEST, SUBMIT, flaky=1.0)
    assert not passed[1].info["ok"]
    assert "timed out" in passed[1].observation
    assert total(passed) == 0
    assert passed[-1].info["hidden"] is True
    failed = play(TEST, SUBMIT, flaky=1.0)
    assert failed[0].info["ok"]
    assert failed[0].observation.endswith("2 passed")
    assert total(failed) == 1
    assert failed[-1].info["hidden"] is False


def test_time_outs_hit_the_passes_of_slow_patches_alone():
    rules = {"flaky": 1.0, "flaky_on": "slow"}
    slow, quick = BY_NAME["window_sums"], BOXES
    table = outcomes()
    assert table.slow_K_E[TASKS.index(slow), slow.right]
    assert not table.slow_K_E[TASKS.index(quick), quick.right]
    for task, solved in ((slow, 0), (quick, 1)):
        turns = play(Action("edit", task.right), TEST, SUBMIT, task=task, **rules)
        assert total(turns) == solved
        assert turns[1].info["ok"] is bool(solved)
        assert turns[-1].info["slow"] is not bool(solved)
    # A failure stays a failure, slow or not.
    for state in (1, 3, 4):
        turns = play(Action("edit", state), SUBMIT, task=slow, **rules)
        assert total(turns) == 0


def test_flips_come_at_the_stated_rate_and_run_by_run():
    episode = Episode(BOXES, TurnRules(max_turns=2_000, flaky=0.2), rng=np.random.default_rng(3))
    said = [episode.step(TEST).info["ok"] for _ in range(1_500)]
    assert np.mean(said) == pytest.approx(0.2, abs=4 * np.sqrt(0.16 / 1_500))
    assert np.corrcoef(said[1:], said[:-1])[0, 1] == pytest.approx(0, abs=4 / np.sqrt(1_500))


# ---- chance ------------------------------------------------------------------------------------


def random_actions(seed, n=30):
    rng = np.random.default_rng(seed)
    tools = rng.choice([tool for tool in TOOLS if tool != "submit"], n)
    return [Action(str(tool), int(rng.integers(0, 8)), "count", "size") for tool in tools]


@pytest.mark.parametrize("flaky_on", CHOICES["flaky_on"])
def test_the_same_seed_gives_the_same_episode(flaky_on):
    rules = {"flaky": 0.3, "flaky_on": flaky_on, "broken": (0.3,), "max_turns": 31}
    for seed in range(5):
        actions = [*random_actions(seed), SUBMIT]
        first, second = (play(*actions, seed=seed, re_edit=True, **rules) for _ in range(2))
        assert first == second


def test_other_seeds_give_other_episodes():
    told = {tuple(t.info["ok"] for t in play(*[TEST] * 8, seed=s, flaky=0.3)) for s in range(10)}
    assert len(told) > 1


def test_nothing_but_the_generator_is_drawn_from():
    state = np.random.get_state()[1].copy()
    play(READ, REPAIR, TEST, SUBMIT, flaky=0.5, broken=(0.5,))
    assert np.array_equal(np.random.get_state()[1], state)


def test_rules_do_not_shift_what_is_drawn():
    """Each run of the tests draws one number, so that two rules meet the same luck."""

    def drawn(**rules):
        rng = np.random.default_rng(9)
        episode = Episode(BOXES, TurnRules(**rules), rng=rng)
        for action in (TEST, REPAIR, TEST, SUBMIT):
            episode.step(action)
        return rng.random()

    ways = [{}, {"flaky": 0.5}, {"flaky": 0.5, "flaky_on": "slow"}, {"broken": (1.0,)}]
    assert len({drawn(**rules) for rules in ways}) == 1


# ---- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_turns", 0),
        ("max_turns", True),
        ("max_turns", 2.0),
        ("truncated_turns", -1),
        ("reward", "both"),
        ("truncation", "drop"),
        ("penalty_on", "all"),
        ("flaky_on", "fast"),
        ("history", True),
        ("penalty", -0.1),
        ("penalty", float("nan")),
        ("penalty", float("inf")),
        ("flaky", 1.1),
        ("flaky", -0.1),
        ("flaky", float("nan")),
        ("broken", ()),
        ("broken", (0.5, 2)),
        ("broken", (float("nan"),)),
    ],
)
def test_a_rule_out_of_range_is_named(name, value):
    with pytest.raises(ValueError, match=rf"^{name} must .*; it was "):
        TurnRules(**{name: value})
