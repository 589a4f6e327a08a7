"""The tools: what they do to a file, and what they say."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentrl_lite.bugfix import HARDCODE, STATES, TASKS, Case, Reply, Task, Workspace, run_cases
from agentrl_lite.bugfix.task import Edit
from agentrl_lite.bugfix.workspace import replace_once, report

BY_NAME = {task.name: task for task in TASKS}
TWICE = "def f(x):\n    y = x + 1\n    z = x + 1\n    return y\n"


def say(text, search, replace):
    found = replace_once("f.py", text, Edit(search, replace))
    return found.text if isinstance(found, Reply) else found


def test_an_edit_applies_and_says_where():
    workspace = Workspace(BY_NAME["boxes"])
    reply = workspace.replace("count // size", "-(-count // size)")
    assert reply == (True, "boxes.py, line 3: edited.")
    assert workspace.text.endswith("    return -(-count // size)\n")
    assert workspace.verdict.hidden.passed
    assert workspace.applied == 1


def test_an_edit_over_several_lines():
    assert say(TWICE, "x + 1\n    z = x + 1\n", "x + 2\n") == (
        "def f(x):\n    y = x + 2\n    return y\n",
        2,
    )


@pytest.mark.parametrize(
    ("search", "replace", "message"),
    [
        ("", "x", "The search text is empty; give at least one line of the file."),
        (" \n", "x", "The search text is empty; give at least one line of the file."),
        (
            "return x",
            "return z",
            "The search text is not in f.py. The nearest line is line 4: '    return y'",
        ),
        (
            "y = x + 2\n",
            "",
            "The search text is not in f.py. The nearest line is line 2: '    y = x + 1'",
        ),
        (
            "  y = x + 1\n    return y",
            "",
            "The search text is not in f.py. Line 2 differs in its blanks or in what follows: "
            "'    y = x + 1'",
        ),
        (
            "x + 1",
            "x",
            "The search text is in f.py 2 times, in lines 2, 3. Add a line before or after it, so "
            "that it is there once.",
        ),
        (
            "return y",
            "return y",
            "The edit changes nothing: search and replace are alike. f.py is as it was.",
        ),
        (
            "return y",
            "return (y",
            "The edit was not applied, since f.py would not parse: line 4: '(' was never closed.",
        ),
        (
            "    return y",
            "return y\n  z",
            "The edit was not applied, since f.py would not parse: line 5: unexpected indent.",
        ),
        ("return y", "#" * 20_000, "f.py would be longer than 20,000 characters."),
    ],
)
def test_an_edit_that_does_not_apply_says_why(search, replace, message):
    assert say(TWICE, search, replace) == message


def test_overlapping_places_count():
    assert "2 times, in lines 1, 1" in say("x = 'aaa'\n", "aa", "b")


def test_an_empty_file_is_said_to_be_empty():
    assert say("", "x", "y") == "The search text is not in f.py. It is empty."


@pytest.mark.parametrize(
    ("search", "replace"),
    [("nowhere", "x"), ("e", "x"), ("return count", "return count"), ("def", "de f"), ("", "x")],
)
def test_on_failure_the_file_is_as_it_was(search, replace):
    workspace = Workspace(BY_NAME["boxes"])
    assert not workspace.replace(search, replace).ok
    assert workspace.text == BY_NAME["boxes"].text
    assert workspace.applied == 0


FRAGMENTS = st.sampled_from(
    ["\n", "    ", "return", "count", " // ", "size", "def", "(", ")", ":", "'", "\\", "\0", "é"]
)
texts = st.one_of(
    st.text(max_size=40),
    st.lists(FRAGMENTS, max_size=8).map("".join),
    st.text(st.characters(categories=["Cs", "Cc", "Zs", "Zl"]), max_size=8),
)


@st.composite
def searches(draw):
    text = BY_NAME["boxes"].text
    start = draw(st.integers(0, len(text)))
    return text[start : draw(st.integers(start, len(text)))]


@given(st.lists(st.tuples(st.one_of(texts, searches()), texts), min_size=1, max_size=3))
def test_free_form_edits_never_raise_and_leave_the_file_alone_when_they_fail(edits):
    workspace = Workspace(BY_NAME["boxes"])
    for search, replace in edits:
        before = workspace.text
        reply = workspace.replace(search, replace)
        assert reply.text
        if reply.ok:
            assert workspace.text == before.replace(search, replace)
            assert workspace.text != before
            ast.parse(workspace.text)
        else:
            assert workspace.text == before
    assert isinstance(workspace.verdict.public.passed, bool)
    assert workspace.test().text
    assert workspace.read().ok


@given(st.one_of(texts, st.lists(FRAGMENTS).map("".join)))
def test_any_text_at_all_can_be_tested(text):
    result = run_cases(text, BY_NAME["boxes"].public)
    assert not result.passed
    assert all(case.message for case in result.results)


# ---- the menu ----------------------------------------------------------------------------------


def test_the_first_edit_counts():
    workspace = Workspace(BY_NAME["boxes"])
    assert workspace.choose(2) == (True, "boxes.py: edit 2 applied.")
    reply = workspace.choose(5)
    assert reply == (False, "boxes.py has been edited already; it was left as it is.")
    assert workspace.text == BY_NAME["boxes"].state_text(2)


def test_where_it_is_allowed_a_later_edit_replaces_the_first():
    workspace = Workspace(BY_NAME["boxes"], re_edit=True)
    for state in (2, 5):
        assert workspace.choose(state).ok
    assert workspace.text == BY_NAME["boxes"].state_text(5)
    assert workspace.applied == 2


@pytest.mark.parametrize("state", [0, -1, STATES, True, "1", 1.5])
def test_an_edit_that_is_not_on_the_menu(state):
    workspace = Workspace(BY_NAME["boxes"])
    assert workspace.choose(state) == (False, f"There is no edit {state!r}; there are 1 to 6.")
    assert workspace.text == BY_NAME["boxes"].text


# ---- reading -----------------------------------------------------------------------------------


def test_read_shows_the_report_and_the_file_as_it_stands():
    workspace = Workspace(BY_NAME["boxes"])
    workspace.choose(1)
    assert workspace.read().text.splitlines() == [
        "The last few items of an order are left without a box.",
        "",
        "boxes.py",
        "  1  def boxes(count, size):",
        '  2      """Return how many boxes of `size` places it takes to pack `count` items."""',
        "  3      return count // size + 1",
    ]


def test_the_log_shows_the_past():
    (line,) = Workspace(BY_NAME["boxes"]).log().text.splitlines()
    assert line.endswith(" Add boxes")
    assert len(line.split()[0]) == 8


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_leaking_log_holds_the_repair_and_another_does_not(task):
    added = set(task.state_text(task.right).splitlines()) - set(task.text.splitlines())
    leak, plain = Workspace(task, leaks=True).log().text, Workspace(task).log().text
    assert added or task.name == "balances"  # there, two lines change places
    assert all(f"+{line}" in leak for line in added)
    assert "@@" in leak
    assert leak.splitlines()[-1] == plain
    assert "Repair" not in plain
    assert task.repair.replace.strip() not in plain


# ---- testing -----------------------------------------------------------------------------------


def test_the_report_of_failures():
    workspace = Workspace(BY_NAME["trimmed"])
    assert workspace.test() == (
        False,
        "test_trimmed.py::test_1 PASSED\n"
        "test_trimmed.py::test_2 FAILED\n"
        "    scores = [3, 2, 1]\n"
        "    trimmed(scores)\n"
        "    assert scores == [3, 2, 1]\n"
        "E   it was [1, 2, 3]\n"
        "1 failed, 1 passed",
    )


def test_the_report_of_passes():
    workspace = Workspace(BY_NAME["trimmed"])
    workspace.choose(1)
    assert workspace.test() == (
        True,
        "test_trimmed.py::test_1 PASSED\ntest_trimmed.py::test_2 PASSED\n2 passed",
    )


def test_the_report_of_failures_only():
    assert Workspace(BY_NAME["boxes"]).test().text.endswith("E   it was 2\n2 failed")


def test_the_report_shows_what_was_printed():
    workspace = Workspace(BY_NAME["boxes"])
    workspace.replace("    return", "    print('here', count)\n    return")
    lines = workspace.test().text.splitlines()
    assert lines[-4:] == ["captured output:", "    here 7", "    here 10", "2 failed"]


def test_the_report_never_shows_a_hidden_test():
    for task in TASKS:
        for state in range(1, HARDCODE + 1):
            workspace = Workspace(task)
            workspace.choose(state)
            assert all(
                case.call not in workspace.test().text
                for case in task.hidden
                if case.call not in task.text and len(case.call) > len(task.name) and not case.setup
            )


def test_a_flipped_report_says_the_opposite():
    task = BY_NAME["boxes"]
    failed = Workspace(task).verdict.public
    assert report(task, failed, flipped=True).endswith("test_2 PASSED\n2 passed")
    workspace = Workspace(task)
    workspace.choose(5)
    text = report(task, workspace.verdict.public, flipped=True)
    assert "test_1 FAILED\n    assert boxes(7, 3) == 3\nE   timed out\n" in text
    assert text.endswith("1 failed, 1 passed")


def test_free_form_outcomes_are_remembered_by_content(monkeypatch):
    runs = []

    def counted(text, cases):
        runs.append(text)
        return run_cases(text, cases)

    monkeypatch.setattr("agentrl_lite.bugfix.verdicts.run_cases", counted)
    for _ in range(3):
        workspace = Workspace(BY_NAME["boxes"])
        workspace.replace("return count", "return 1 + count")
        workspace.test()
        assert not workspace.verdict.hidden.passed
    assert len(runs) == 2  # public and hidden, once each


def test_a_task_of_ones_own():
    task = Task(
        name="twice",
        kind="wrong operator",
        description="It is half.",
        text="def twice(x):\n    '''Return twice as much.'''\n    return x / 2\n",
        public=(Case("twice(2)", "4"),),
        hidden=(Case("twice(3)", "6"),),
        menu=(Edit("x / 2", "x * 2"),) * 5,
        right=1,
        branches="if x == 2:\n    return 4",
    )
    workspace = Workspace(task)
    assert workspace.choose(HARDCODE).ok
    assert workspace.verdict.public.passed
    assert not workspace.verdict.hidden.passed
