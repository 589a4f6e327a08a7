"""The repair tasks as a gymnasium environment; needs the extra `gym`.

Actions are the tools, one a turn; observations are what the tool answers, as text. Free-form edits
have no place in a finite set of actions: for those, use `bugfix.Episode`. Importing this module
registers the environment.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from agentrl_lite.bugfix import HARDCODE, TASKS, Action, Episode, Task, TurnRules

LONGEST_OBSERVATION = 4_096
NAME = "agentrl_lite/BugFix-v0"


class BugfixEnv(gymnasium.Env[str, np.int64]):
    """Attempts at tasks that are drawn at random, or chosen by `reset(options={"task": name})`.

    Attributes:
        actions: what each action number does: read, test, submit, the edits of the menu,
            `hardcode_tests`, and `log` where the rules have it.

    >>> env = gymnasium.make("agentrl_lite/BugFix-v0")
    >>> observation, info = env.reset(seed=0, options={"task": "boxes"})
    >>> [env.step(action)[1:4] for action in (7, 2)]
    [(0.0, False, False), (1.0, True, False)]
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - gymnasium's own form

    def __init__(
        self,
        tasks: Sequence[Task] = TASKS,
        rules: TurnRules | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not tasks:
            raise ValueError("tasks must hold at least one; there was none")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be None or 'ansi'; it was {render_mode!r}")
        self.tasks = tuple(tasks)
        self.rules = rules or TurnRules()
        self.render_mode = render_mode
        edits = [Action("edit", state) for state in range(1, HARDCODE + 1)]
        self.actions = (Action("read"), Action("test"), Action("submit"), *edits)
        if "log" in self.rules.tools:
            self.actions += (Action("log"),)
        self.action_space = gymnasium.spaces.Discrete(len(self.actions))
        self.observation_space = gymnasium.spaces.Text(
            LONGEST_OBSERVATION, min_length=0, charset=string.printable
        )
        self._episode: Episode | None = None
        self._shown = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an attempt.

        Args:
            seed: makes what follows the same every time.
            options: `task`, the name of a task; else one is drawn.

        Returns:
            The prompt, and in `info` the task's name.

        Raises:
            ValueError: for a name that no task has.
        """
        super().reset(seed=seed)
        name = (options or {}).get("task")
        drawn = self.tasks[int(self.np_random.integers(len(self.tasks)))]
        if name is not None:
            chosen = [task for task in self.tasks if task.name == name]
            if not chosen:
                known = ", ".join(task.name for task in self.tasks)
                raise ValueError(f"task must be one of {known}; it was {name!r}")
            drawn = chosen[0]
        self._episode = Episode(drawn, self.rules, rng=self.np_random)
        self._shown = self._text(self._episode.prompt)
        return self._shown, {"task": drawn.name}

    def step(self, action: np.int64) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take a turn.

        Args:
            action: index of `actions`.

        Raises:
            ValueError: before a reset, after the end, or for a number that is no action.
        """
        if self._episode is None:
            raise ValueError("step must come after reset; there was none")
        if not self.action_space.contains(action):
            last = len(self.actions) - 1
            raise ValueError(f"action must be a whole number from 0 to {last}; it was {action!r}")
        turn = self._episode.step(self.actions[action])
        self._shown = self._text(turn.observation)
        return self._shown, turn.reward, turn.terminated, turn.truncated, turn.info

    def render(self) -> str | None:
        """Return what was last seen, in the mode `ansi`."""
        return self._shown if self.render_mode == "ansi" else None

    @staticmethod
    def _text(answer: str) -> str:
        """Return an answer within the bounds that the observation space states."""
        printable = "".join(char if char in string.printable else "?" for char in answer)
        return printable[:LONGEST_OBSERVATION]


gymnasium.register(NAME, entry_point="agentrl_lite.gym_env:BugfixEnv")
