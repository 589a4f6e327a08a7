"""The tasks, and the table of what their tests say in every state of the menu."""

import ast
from collections import Counter

import numpy as np
import pytest

from agentrl_lite.bugfix import (
    HARDCODE,
    KINDS,
    MENU_SIZE,
    STATES,
    TASKS,
    Edit,
    Workspace,
    execute,
    verdict,
)
from agentrl_lite.bugfix.clues import clue, suspicions
from agentrl_lite.bugfix.outcomes import SLOW_FACTOR, median_lines, outcomes
from agentrl_lite.bugfix.verdicts import MOST_REMEMBERED, _remembered, content_hash

TABLE = outcomes()
K = len(TASKS)
EVERY = np.arange(K)
WRONG = np.ones((K, STATES), dtype=bool)
WRONG[EVERY, TABLE.right] = False
WRONG[:, [0, HARDCODE]] = False

each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)


# ---- the tasks ---------------------------------------------------------------------------------


def test_there_are_enough_tasks_of_every_kind():
    kinds = Counter(task.kind for task in TASKS)
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 2
    assert K >= 12
    assert len({task.name for task in TASKS}) == K


@each_task
def test_a_task_is_one_function_with_a_docstring_of_one_line(task):
    (function,) = ast.parse(task.text).body
    assert isinstance(function, ast.FunctionDef)
    assert function.name == task.name
    docstring = ast.get_docstring(function)
    assert docstring
    assert task.text.splitlines()[1] == f'    """{docstring}"""'
    assert task.path == f"{task.name}.py"
    assert task.description.endswith(".")
    assert max(map(len, task.text.splitlines())) <= 100


@each_task
def test_every_edit_applies_once_and_they_are_all_different(task):
    assert len(task.menu) == MENU_SIZE
    for edit in (*task.menu, task.hardcode):
        assert task.text.count(edit.search) == 1
        ast.parse(task.text.replace(edit.search, edit.replace))
    assert len({task.state_text(state) for state in range(STATES)}) == STATES
    assert task.state_text(0) == task.text
    assert task.edit(0) is None
    assert task.edit(task.right) == task.repair


@each_task
def test_the_free_form_tool_makes_the_same_files_as_the_menu(task):
    for state in range(1, STATES):
        edit = task.edit(state)
        workspace = Workspace(task)
        assert workspace.replace(edit.search, edit.replace).ok
        assert workspace.text == task.state_text(state)


@each_task
def test_hidden_tests_do_not_repeat_public_ones(task):
    assert len(task.public) >= 2
    assert len(task.hidden) >= 3
    assert not set(task.public) & set(task.hidden)
    assert len(set(task.public)) == len(task.public)
    assert len(set(task.hidden)) == len(task.hidden)


@each_task
def test_hardcode_tests_branches_on_equality_and_answers_what_is_public(task):
    before, after = ast.parse(task.text), ast.parse(task.state_text(HARDCODE))
    branches = after.body[0].body[1 : len(after.body[0].body) - len(before.body[0].body) + 1]
    assert branches
    for branch in branches:
        assert isinstance(branch, ast.If)
        compared = [node for node in ast.walk(branch.test) if isinstance(node, ast.Compare)]
        assert compared
        assert all(isinstance(op, ast.Eq) for node in compared for op in node.ops)
        assert isinstance(branch.body[0], ast.Return)
        ast.literal_eval(branch.body[0].value)


def test_the_place_on_the_menu_says_nothing():
    places = Counter(task.right for task in TASKS)
    assert set(places) == set(range(1, MENU_SIZE + 1))
    assert max(places.values()) - min(places.values()) <= 1


@pytest.mark.parametrize("state", [-1, STATES, True, 1.5, "1", None])
def test_a_state_is_a_place_on_the_menu(state):
    with pytest.raises(ValueError, match="state must be a whole number from 0 to 6; it was"):
        TASKS[0].edit(state)


# ---- outcomes ----------------------------------------------------------------------------------


def test_the_table_has_the_stated_shape_and_cannot_be_written_to():
    assert TABLE is outcomes()
    assert TABLE.names == tuple(task.name for task in TASKS)
    for array in (TABLE.kinds, TABLE.right, TABLE.clue_K):
        assert array.shape == (K,)
        assert array.dtype == np.int64
    for array in (TABLE.public_K_E, TABLE.hidden_K_E, TABLE.slow_K_E):
        assert array.shape == (K, STATES)
        assert array.dtype == bool
    with pytest.raises(ValueError, match="read-only"):
        TABLE.hidden_K_E[0, 0] = True
    with pytest.raises(ValueError, match="read-only"):
        TABLE.menu_only().hidden_K_E[0, 0] = True


def test_the_table_without_hardcoding_is_the_rest_of_it():
    menu = TABLE.menu_only()
    for name in ("public_K_E", "hidden_K_E", "slow_K_E", "lines_K_E"):
        assert np.array_equal(getattr(menu, name), getattr(TABLE, name)[:, :-1])
    assert np.array_equal(menu.right, TABLE.right)


def test_repairs_pass_everything_and_nothing_else_passes_the_hidden_tests():
    assert TABLE.public_K_E[EVERY, TABLE.right].all()
    assert TABLE.hidden_K_E[EVERY, TABLE.right].all()
    assert TABLE.hidden_K_E.sum() == K


def test_the_bug_shows_in_public_and_in_hidden():
    assert not TABLE.public_K_E[:, 0].any()
    assert not TABLE.hidden_K_E[:, 0].any()


def test_hardcoding_passes_in_public_and_fails_in_hidden():
    assert TABLE.public_K_E[:, HARDCODE].all()
    assert not TABLE.hidden_K_E[:, HARDCODE].any()


def test_the_table_is_not_the_identity():
    fools_public = TABLE.public_K_E & WRONG
    assert fools_public.any(axis=1).all()  # in every task some wrong edit passes in public
    assert not TABLE.public_K_E[WRONG].all()
    assert (~TABLE.public_K_E & WRONG).any(axis=1).all()  # and some wrong edit does not
    assert int(fools_public.sum()) == 30
    assert int(WRONG.sum()) == 64


@each_task
def test_memory_and_a_fresh_execution_agree_in_every_state(task):
    k = TASKS.index(task)
    for state in range(STATES):
        text = task.state_text(state)
        fresh = execute(task, text)
        assert fresh == verdict(task, text)
        assert fresh.public.passed == TABLE.public_K_E[k, state]
        assert fresh.hidden.passed == TABLE.hidden_K_E[k, state]
        assert fresh.lines == TABLE.lines_K_E[k, state]


def test_slow_is_told_by_lines():
    slow = TABLE.lines_K_E > SLOW_FACTOR * np.median(TABLE.lines_K_E, axis=1)[:, np.newaxis]
    assert np.array_equal(TABLE.slow_K_E, slow)
    assert 0 < TABLE.slow_K_E.sum() < TABLE.slow_K_E.size / 4
    assert TABLE.slow_K_E[EVERY, TABLE.right].any()  # some right patches are slow
    assert TABLE.slow_K_E[WRONG].any()
    for k, task in enumerate(TASKS):
        assert median_lines(task) == np.median(TABLE.lines_K_E[k])


def test_some_edit_loops_and_some_edit_breaks_the_import():
    results = [
        result
        for task in TASKS
        for state in range(STATES)
        for result in verdict(task, task.state_text(state)).hidden.results
    ]
    reasons = Counter(result.reason for result in results)
    assert {"passed", "wrong", "error", "lines"} <= set(reasons)
    assert any(result.message.startswith("NameError") for result in results)


def test_memory_is_by_content_and_bounded(monkeypatch):
    task = TASKS[0]
    assert verdict(task, task.text) is verdict(task, str(task.text))
    for number in range(3):
        verdict(task, f"# {number}\n")
    monkeypatch.setattr("agentrl_lite.bugfix.verdicts.MOST_REMEMBERED", len(_remembered))
    verdict(task, "# one more\n")
    assert (task, content_hash("# one more\n")) in _remembered
    assert len(_remembered) <= MOST_REMEMBERED


def test_two_tasks_do_not_share_a_memory():
    text = "def f(): pass\n"
    first, second = TASKS[0], TASKS[1]
    assert verdict(first, text).public.results[0].case in first.public
    assert verdict(second, text).public.results[0].case in second.public


# ---- clues -------------------------------------------------------------------------------------


@each_task
def test_a_clue_is_from_the_text_and_the_edits_alone(task):
    """Whatever the order of the menu, and whichever of its edits is right."""
    suggested = task.menu[clue(task.text, task.menu) - 1]
    for turn in range(1, MENU_SIZE):
        turned = task.menu[turn:] + task.menu[:turn]
        assert turned[clue(task.text, turned) - 1] == suggested
    assert clue(task.text, task.menu) == TABLE.clue_K[TASKS.index(task)]


def test_clues_help_and_mislead():
    right = TABLE.clue_K == TABLE.right
    assert K / MENU_SIZE < right.sum() < K
    # Some misleading clue leads to an edit that even passes in public.
    assert TABLE.public_K_E[EVERY, TABLE.clue_K][~right].any()


def test_another_text_gives_another_clue():
    menu = (Edit("a < b", "a <= b"), Edit("x=1", "x=2"))
    assert clue("def f(a, b, x=1):\n    'D.'\n    return a < b\n", menu) == 2
    assert clue("def f(a, b):\n    'D.'\n    x=1\n    return a < b\n", menu) == 1


def test_suspicions_come_in_order_and_spare_the_docstring():
    text = "def f(a, n=3):\n    'Use a.sort(), or and.'\n    a.pop()\n    b.pop()\n    return a\n"
    assert list(suspicions(text)) == [3, 1, 5]


def test_a_text_without_suspicions_suggests_the_smallest_change():
    menu = (Edit("x = 1", "x = 1000"), Edit("x = 1", "x = 2"))
    assert clue("def f():\n    'D.'\n    x = 1\n", menu) == 2
