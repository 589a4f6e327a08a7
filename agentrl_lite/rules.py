"""The rules of an episode, and what an episode needs to know of the tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from agentrl_lite import checked

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
RewardFrom = Literal["hidden", "public"]
Truncation = Literal["fail", "score"]
PenaltyOn = Literal["every", "success", "none"]
FlakyOn = Literal["every", "slow"]
History = Literal["none", "plain", "leak"]
CHOICES: dict[str, tuple[str, ...]] = {
    "reward": get_args(RewardFrom),
    "truncation": get_args(Truncation),
    "penalty_on": get_args(PenaltyOn),
    "flaky_on": get_args(FlakyOn),
    "history": get_args(History),
}


class Table(Protocol):
    """What an episode needs to know of the tasks: K tasks, E states of the file, 0 the unedited."""

    @property
    def kinds(self) -> Ints:
        """Kind of each task, shape (K,)."""

    @property
    def public_K_E(self) -> Bools:  # noqa: N802
        """Whether all public tests pass."""

    @property
    def hidden_K_E(self) -> Bools:  # noqa: N802
        """Whether all hidden tests pass."""

    @property
    def slow_K_E(self) -> Bools:  # noqa: N802
        """Whether the tests take so long that they may time out; read where `flaky_on` is slow."""

    @property
    def right(self) -> Ints:
        """The state that repairs each task, shape (K,); read where the history leaks."""

    @property
    def clue_K(self) -> Ints:  # noqa: N802
        """Which edit a READ suggests, 0 for none."""


@dataclass(frozen=True)
class Rules:
    """The rules of an episode.

    Attributes:
        max_tokens: the episode is truncated at this many tokens, of the prompt, the policy and the
            tools; from 2.
        max_turns: ... and after this many turns without a submit; from 1, or `None`.
        reward: whether the hidden or the public tests decide.
        truncation: a truncated episode fails, or its file is scored as it stands.
        penalty: what each turn costs, in units of reward, at least 0.
        penalty_on: every episode pays, those alone that the tests let pass, or none.
        truncated_turns: a truncated episode is charged for at least this many turns; without it a
            policy escapes by never ending one.
        re_edit: whether a later edit replaces the first; else it is an error.
        broken: chance of a checkout in which tests fail whatever the file, by kind of issue; where
            there are more kinds than numbers, these come round again.
        verbose: words without meaning in each READ and TEST.
        blind: TEST says `passed` whatever came out; the control for what the result does.
        test_first: a SUBMIT before any TEST is an error, and the episode goes on.
        flaky: chance that a run of the tests says the opposite, from 0 to 1: each TEST is a run,
            and so is the last one, which the reward is made of.
        flaky_on: on every run; or as time-outs, which fail a pass of a slow patch and nothing else.
            No test runs in a broken checkout: there it always fails.
        history: what LOG shows: there is no such tool and no word for it (`none`), it shows the
            past (`plain`), or the past with the right edit in it (`leak`).
        leaky: kinds of issue whose history leaks; `None` for all.
    """

    max_tokens: int = 64
    max_turns: int | None = None
    reward: RewardFrom = "hidden"
    truncation: Truncation = "fail"
    penalty: float = 0.0
    penalty_on: PenaltyOn = "every"
    truncated_turns: int = 6
    re_edit: bool = False
    broken: tuple[float, ...] = (0.0, 0.2, 0.4)
    verbose: int = 0
    blind: bool = False
    test_first: bool = False
    flaky: float = 0.0
    flaky_on: FlakyOn = "every"
    history: History = "none"
    leaky: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        for name, least in (
            ("max_tokens", 2), ("max_turns", 1), ("truncated_turns", 0), ("verbose", 0),
        ):  # fmt: skip
            if name != "max_turns" or self.max_turns is not None:
                # An int whatever came: rules are written to files.
                object.__setattr__(self, name, checked.whole(name, getattr(self, name), least))
        for name, allowed in CHOICES.items():
            checked.option(name, getattr(self, name), allowed)
        checked.at_least("penalty", self.penalty)
        checked.chance("flaky", self.flaky)
        checked.some_chances("broken", self.broken)
        if self.leaky is not None:
            kinds = tuple(checked.whole("leaky", kind) for kind in self.leaky)
            object.__setattr__(self, "leaky", kinds)
