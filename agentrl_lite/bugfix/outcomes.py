"""The table of outcomes: every menu state of every task, executed once."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.bugfix.clues import clue
from agentrl_lite.bugfix.task import HARDCODE, KINDS, STATES, Task
from agentrl_lite.bugfix.tasks import TASKS
from agentrl_lite.bugfix.verdicts import verdict

SLOW_FACTOR = 1.4


@dataclass(frozen=True)
class Outcomes:
    """What training needs of the tasks; K tasks, E states of a file.

    State 0 is the file with its bug, states 1 to 5 have one edit of the menu, and the last one, 6
    (`task.HARDCODE`), has `hardcode_tests`. The arrays cannot be written to.

    Attributes:
        names: the tasks.
        kinds: index of each task's kind of bug in `task.KINDS`, shape (K,).
        right: the state with the reference repair, shape (K,).
        public_K_E: whether all public tests pass.
        hidden_K_E: whether all hidden tests pass.
        slow_K_E: whether more than `SLOW_FACTOR` times as many lines were executed as in the
            median of the task's states.
        lines_K_E: lines executed by all tests together; a looping patch stops at its budget.
        clue_K: the state that reading suggests, from the text by `clues.clue`, from 1 to 5.
    """

    names: tuple[str, ...]
    kinds: NDArray[np.int64]
    right: NDArray[np.int64]
    public_K_E: NDArray[np.bool_]
    hidden_K_E: NDArray[np.bool_]
    slow_K_E: NDArray[np.bool_]
    lines_K_E: NDArray[np.int64]
    clue_K: NDArray[np.int64]

    def menu_only(self) -> Outcomes:
        """Return the table without `hardcode_tests`, for a policy that is not offered it."""
        return replace(
            self,
            public_K_E=self.public_K_E[:, :HARDCODE],
            hidden_K_E=self.hidden_K_E[:, :HARDCODE],
            slow_K_E=self.slow_K_E[:, :HARDCODE],
            lines_K_E=self.lines_K_E[:, :HARDCODE],
        )


@functools.cache
def outcomes() -> Outcomes:
    """Run the tests of every task in every state of its menu, and return what came out.

    >>> table = outcomes()
    >>> every = range(len(table.names))
    >>> bool(table.hidden_K_E[every, table.right].all()), int(table.hidden_K_E.sum())
    (True, 16)
    >>> int((table.clue_K == table.right).sum())
    8
    """
    verdicts = [[verdict(task, task.state_text(e)) for e in range(STATES)] for task in TASKS]
    lines_K_E = np.array([[v.lines for v in row] for row in verdicts], dtype=np.int64)
    median_K_1 = np.median(lines_K_E, axis=1, keepdims=True)
    table = Outcomes(
        names=tuple(task.name for task in TASKS),
        kinds=np.array([KINDS.index(task.kind) for task in TASKS], dtype=np.int64),
        right=np.array([task.right for task in TASKS], dtype=np.int64),
        public_K_E=np.array([[v.public.passed for v in row] for row in verdicts]),
        hidden_K_E=np.array([[v.hidden.passed for v in row] for row in verdicts]),
        slow_K_E=lines_K_E > SLOW_FACTOR * median_K_1,
        lines_K_E=lines_K_E,
        clue_K=np.array([clue(task.text, task.menu) for task in TASKS], dtype=np.int64),
    )
    for array in vars(table).values():
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    return table


@functools.cache
def median_lines(task: Task) -> float:
    """Return the median, over a task's menu states, of the lines that all its tests execute.

    Args:
        task: any task, of the table or not.
    """
    return float(np.median([verdict(task, task.state_text(e)).lines for e in range(STATES)]))
