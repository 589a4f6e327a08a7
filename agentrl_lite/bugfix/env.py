"""An episode of turns: one tool a turn, until the agent submits or the turns are used up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from agentrl_lite import checked
from agentrl_lite.bugfix.outcomes import SLOW_FACTOR, median_lines
from agentrl_lite.bugfix.task import KINDS, Task
from agentrl_lite.bugfix.workspace import Reply, Workspace, report

Tool = Literal["read", "edit", "replace", "log", "test", "submit"]
TOOLS: tuple[str, ...] = get_args(Tool)
CHOICES = {
    "reward": ("hidden", "public"),
    "truncation": ("fail", "score"),
    "penalty_on": ("every", "success", "none"),
    "flaky_on": ("every", "slow"),
    "history": ("none", "plain", "leak"),
}


@dataclass(frozen=True, kw_only=True)
class TurnRules:
    """The rules of an episode of turns.

    Attributes:
        max_turns: the episode is truncated after so many turns without a submit; from 1.
        reward: whether the `"hidden"` or the `"public"` tests decide; 1 where all pass.
        truncation: a truncated episode fails (`"fail"`), or its file is scored as it stands
            (`"score"`).
        penalty: what a turn costs, in units of reward, at least 0.
        penalty_on: who pays: `"every"` episode, turn by turn; a `"success"` alone, at its end; or
            `"none"`.
        truncated_turns: a truncated episode is charged for at least this many turns, from 0.
            Without it, a policy that never submits is cheaper than one that works.
        re_edit: whether an edit of the menu may replace an earlier one.
        flaky: chance that a run of the tests says the opposite, from 0 to 1.
        flaky_on: on `"every"` run; or as time-outs, that hit the passes of `"slow"` patches alone.
        broken: chance of a checkout in which no test can run, by kind of bug; where there
            are more kinds than numbers, these come round again.
        history: what `log` shows: the tool is not there (`"none"`), it shows the past, or it leaks
            the repair.
    """

    max_turns: int = 8
    reward: Literal["hidden", "public"] = "hidden"
    truncation: Literal["fail", "score"] = "fail"
    penalty: float = 0.0
    penalty_on: Literal["every", "success", "none"] = "every"
    truncated_turns: int = 0
    re_edit: bool = False
    flaky: float = 0.0
    flaky_on: Literal["every", "slow"] = "every"
    broken: tuple[float, ...] = (0.0,)
    history: Literal["none", "plain", "leak"] = "plain"

    def __post_init__(self) -> None:
        checked.whole("max_turns", self.max_turns, 1)
        checked.whole("truncated_turns", self.truncated_turns)
        for name, allowed in CHOICES.items():
            checked.option(name, getattr(self, name), allowed)
        checked.at_least("penalty", self.penalty)
        checked.chance("flaky", self.flaky)
        checked.some_chances("broken", self.broken)

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that are there."""
        return tuple(tool for tool in TOOLS if tool != "log" or self.history != "none")


class Action(NamedTuple):
    """What an agent does in a turn.

    Attributes:
        tool: one of `TOOLS`; any other is a wasted turn.
        edit: for `edit`: 1 to 5 of the menu, or 6, `hardcode_tests`.
        search: for `replace`: what to look for.
        replace: for `replace`: what to put there.
    """

    tool: str
    edit: int = 0
    search: str = ""
    replace: str = ""


class Turn(NamedTuple):
    """What came of a turn, in gymnasium's order.

    Attributes:
        observation: what the tool answered.
        reward: of this turn.
        terminated: whether the agent has submitted.
        truncated: whether the turns are used up.
        info: `turns` taken; `ok`, whether the tool did what was asked; `applied`, edits that did;
            at the end also `public` and `hidden`, what the tests really say, and `slow`, `broken`.
    """

    observation: str
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class Episode:
    """One attempt at a task.

    Args:
        task: the task.
        rules: the rules.
        rng: decides whether the checkout is broken and what a flaky run says.

    >>> from agentrl_lite.bugfix.tasks import TASKS
    >>> episode = Episode(TASKS[0], rng=np.random.default_rng(0))
    >>> episode.step(Action("edit", 3)).observation
    'overlaps.py: edit 3 applied.'
    >>> episode.step(Action("submit"))[1:4]
    (1.0, True, False)
    """

    def __init__(
        self, task: Task, rules: TurnRules | None = None, *, rng: np.random.Generator
    ) -> None:
        self.rules = rules or TurnRules()
        self.workspace = Workspace(
            task, leaks=self.rules.history == "leak", re_edit=self.rules.re_edit
        )
        self.turns = 0
        self.ended = False
        self._rng = rng
        kind = KINDS.index(task.kind)
        chance = self.rules.broken[kind % len(self.rules.broken)]
        self.broken = bool(rng.random() < chance)

    @property
    def prompt(self) -> str:
        """What the agent reads before its first turn."""
        return f"{self.workspace.task.description} Tools: {', '.join(self.rules.tools)}."

    @property
    def slow(self) -> bool:
        """Whether the file as it stands executes many more lines than the task's median state."""
        lines = self.workspace.verdict.lines
        return lines > SLOW_FACTOR * median_lines(self.workspace.task)

    def step(self, action: Action) -> Turn:
        """Take a turn.

        Args:
            action: the tool and what it needs.

        Raises:
            ValueError: after the end.
        """
        if self.ended:
            raise ValueError("step must come before the end of the episode; it has ended")
        self.turns += 1
        terminated = action.tool == "submit"
        truncated = not terminated and self.turns == self.rules.max_turns
        reply = self._answer(action)
        reward, info = 0.0, {"turns": self.turns, "ok": reply.ok, "applied": self.workspace.applied}
        if self.rules.penalty_on == "every":
            reward -= self.rules.penalty
        if terminated or truncated:
            self.ended = True
            reward += self._final_reward(truncated)
            verdict = self.workspace.verdict
            info |= {
                "public": verdict.public.passed and not self.broken,
                "hidden": verdict.hidden.passed and not self.broken,
                "slow": self.slow,
                "broken": self.broken,
            }
        return Turn(reply.text, reward, terminated, truncated, info)

    def _answer(self, action: Action) -> Reply:
        workspace = self.workspace
        if action.tool not in self.rules.tools:
            tools = ", ".join(self.rules.tools)
            return Reply(False, f"There is no tool {action.tool!r}; there are {tools}.")
        if action.tool == "edit":
            return workspace.choose(action.edit)
        if action.tool == "replace":
            return workspace.replace(action.search, action.replace)
        if action.tool == "read":
            return workspace.read()
        if action.tool == "log":
            return workspace.log()
        return self._test() if action.tool == "test" else Reply(True, "Submitted.")

    def _test(self) -> Reply:
        task, result = self.workspace.task, self.workspace.verdict.public
        passed = self._says(result.passed)
        if self.broken:
            return Reply(False, f"ERROR test_{task.path}: the checkout is broken, no test ran")
        return Reply(passed, report(task, result, flipped=passed != result.passed))

    def _says(self, passed: bool) -> bool:
        """Return what one run of the tests says; every run draws one number, flaky or not."""
        hit = self._rng.random() < self.rules.flaky
        if self.broken:
            return False
        if self.rules.flaky_on == "slow":
            hit = hit and passed and self.slow
        return passed != hit

    def _final_reward(self, truncated: bool) -> float:
        """Return the score, less what is still to be paid."""
        rules, verdict = self.rules, self.workspace.verdict
        scored = not truncated or rules.truncation == "score"
        chosen = verdict.hidden if rules.reward == "hidden" else verdict.public
        solved = scored and self._says(chosen.passed)
        charged = max(self.turns, rules.truncated_turns) if truncated else self.turns
        owed = {"every": charged - self.turns, "success": charged * solved, "none": 0}
        return float(solved) - rules.penalty * owed[rules.penalty_on]
