"""What the tests say of a file's text, executed once and remembered by content."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from agentrl_lite.bugfix.sandbox import SuiteResult, run_cases
from agentrl_lite.bugfix.task import Task

MOST_REMEMBERED = 4_096

_remembered: dict[tuple[Task, str], Verdict] = {}


class Verdict(NamedTuple):
    """The results of a task's tests on one text.

    Attributes:
        public: of the tests that the agent may run.
        hidden: of those that decide.
    """

    public: SuiteResult
    hidden: SuiteResult

    @property
    def lines(self) -> int:
        """Executed lines, all tests together."""
        return self.public.lines + self.hidden.lines


def execute(task: Task, text: str) -> Verdict:
    """Run all tests of a task on a text, whether or not that has been done before.

    Args:
        task: gives the tests.
        text: the file.
    """
    return Verdict(run_cases(text, task.public), run_cases(text, task.hidden))


def verdict(task: Task, text: str) -> Verdict:
    """Return what `execute` returns, from memory where the same content was run before.

    Args:
        task: gives the tests.
        text: the file.
    """
    key = (task, content_hash(text))
    if key not in _remembered:
        if len(_remembered) >= MOST_REMEMBERED:
            del _remembered[next(iter(_remembered))]
        _remembered[key] = execute(task, text)
    return _remembered[key]


def content_hash(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits.

    >>> content_hash("")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
