"""Two arms that train side by side: a step of one, a step of the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.dashboard import Dashboard, History
from agentrl_lite.protocol import Vocabulary
from agentrl_lite.rollout import Rollout
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import policy_for, steps

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Way:
    """What one run of a pair is.

    Attributes:
        arm: its id in the experiment.
        label: what the reader reads, translated.
        config: its options, with seed and steps.
        told: how it differs from the arm, translated; empty if it does not.
    """

    arm: str
    label: str
    config: Config
    told: str = ""


class Pair:
    """Two runs with one seed.

    Attributes:
        ways: what they are.
        seed: of both.
        steps: number of steps of each.
    """

    def __init__(self, first: Way, second: Way) -> None:
        self.ways = (first, second)
        self.seed, self.steps = first.config.seed, first.config.steps
        self._rows: dict[str, list[Dashboard]] = {way.arm: [] for way in self.ways}
        self._played: dict[str, Rollout] = {}

    def train(self) -> Iterator[None]:
        """Train to the end, and pause after each step of each run."""
        table = outcomes()
        runs = [(way.arm, steps(way.config, table)) for way in self.ways]
        for _number in range(self.steps):
            for arm, run in runs:
                done = next(run)
                self._rows[arm].append(done.dashboard)
                self._played[arm] = done.played
                yield

    @property
    def done(self) -> int:
        """Steps that both have done."""
        return min(len(rows) for rows in self._rows.values())

    def history(self, arm: str) -> History:
        """Return the dashboards of one run, of the steps that both have done.

        Raises:
            ValueError: for another arm.
        """
        return History(self._rows[self._known(arm)][: self.done])

    def first(self, arm: str, metric: str, steps: int = 5) -> float:
        """Return the mean of a metric over the first steps, NaN left out; NaN over nothing."""
        return _mean(self.history(arm)[metric][:steps])

    def last(self, arm: str, metric: str, steps: int = 10) -> float:
        """Return the mean of a metric over the last steps, NaN left out; NaN over nothing."""
        return _mean(self.history(arm)[metric][-steps:])

    def histories(self) -> Mapping[str, History]:
        """Return the dashboards of both, by label."""
        return {way.label: self.history(way.arm) for way in self.ways}

    def sample(self, arm: str, metric: str = "") -> str:
        """Return one episode of the last step in words.

        It is the first that shows what a metric counts, else the first unsolved one, else the first
        of all.

        Args:
            arm: its id.
            metric: of the dashboard.

        Raises:
            ValueError: for another arm, or before its first step.
        """
        if self._known(arm) not in self._played:
            raise ValueError(f"{arm} must have done a step; it had done none")
        played = self._played[arm]
        (config,) = (way.config for way in self.ways if way.arm == arm)
        vocabulary = policy_for(outcomes(), config.rules).vocabulary
        unsolved, shown = ~played.solved_B, np.zeros(len(played.solved_B), dtype=bool)
        if metric in _SHOWS:
            shown = _SHOWS[metric](played, vocabulary)
        row = int(np.where(shown, 2, unsolved).argmax())
        return vocabulary.text(played.batch.ids[row], played.batch.producer[row])

    def _known(self, arm: str) -> str:
        if arm not in self._rows:
            raise ValueError(f"arm must be one of {', '.join(self._rows)}; it was {arm!r}")
        return arm


def _mean(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")


def _utters(played: Rollout, vocabulary: Vocabulary) -> Bools:
    said = vocabulary.is_tool_word[played.batch.ids[:, 1:]] & played.batch.mask_B_T
    return np.asarray(said.any(axis=1))


def _submits_at_once(played: Rollout, _vocabulary: Vocabulary) -> Bools:
    return np.asarray((played.turns_B == 1) & ~played.batch.truncated_B)


def _is_truncated(played: Rollout, _vocabulary: Vocabulary) -> Bools:
    return played.batch.truncated_B


# What an episode shows of what a metric is about.
_SHOWS: Mapping[str, Callable[[Rollout, Vocabulary], Bools]] = {
    "tool_words": _utters,
    "single_submit": _submits_at_once,
    "truncated": _is_truncated,
    "failure_length": _is_truncated,
}
