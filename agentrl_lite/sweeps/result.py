"""What a sweep found: figures by arm, metric, seed and step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from agentrl_lite import checked

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sweep:
    """Runs of the same arms over the same seeds. Its arrays cannot be written to.

    `sweep["failing", "reward"]` is a figure over seeds and kept steps, of shape (S, n); it is NaN
    where it is over nothing, as the length of failures is where every episode is solved.

    Attributes:
        experiment: its id.
        seeds: S of them.
        steps: the n kept steps; the first step of a run is 1.
        arms: ids.
        metrics: figures of the dashboard.
        figures: by arm and metric, each of shape (S, n).
        attempts: how often each task was tried with the final weights; 0 for not at all.
        passes: how many of them passed, by arm, each of shape (S, K).
        options: a hash of each arm's options.
        code: a hash of each module that training depends on.
    """

    experiment: str
    seeds: Ints
    steps: Ints
    arms: tuple[str, ...]
    metrics: tuple[str, ...]
    figures: Mapping[tuple[str, str], Floats]
    attempts: int = 0
    passes: Mapping[str, Ints] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    code: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for array in (self.seeds, self.steps, *self.figures.values(), *self.passes.values()):
            array.setflags(write=False)
        for name in ("figures", "passes", "options", "code"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __getitem__(self, arm_and_metric: tuple[str, str]) -> Floats:
        """Return a figure over seeds and kept steps, shape (S, n).

        Raises:
            KeyError: for an arm or a metric that the sweep did not keep.
        """
        try:
            return self.figures[arm_and_metric]
        except KeyError:
            raise KeyError(
                f"a sweep's key must be one of the arms {', '.join(self.arms)} and one of the "
                f"metrics {', '.join(self.metrics)}; it was {arm_and_metric!r}"
            ) from None

    def first(self, arm: str, metric: str, steps: int = 5) -> Floats:
        """Return a figure's mean over those of a run's first steps that were kept, shape (S,).

        Steps where it is NaN are left out; the mean over none is NaN.

        Args:
            arm: id.
            metric: figure of the dashboard.
            steps: how many, from 1.

        Raises:
            ValueError: for fewer.
        """
        return self._mean(arm, metric, self.steps <= _at_least_one(steps))

    def last(self, arm: str, metric: str, steps: int = 10) -> Floats:
        """Return the same over a run's last steps, shape (S,); see `first`."""
        return self._mean(arm, metric, self.steps > self.steps[-1] - _at_least_one(steps))

    def at(self, arm: str, metric: str, step: int) -> Floats:
        """Return a figure at one step, shape (S,).

        Raises:
            ValueError: for a step that was not kept.
        """
        (where,) = np.nonzero(self.steps == step)
        if not where.size:
            kept = ", ".join(map(str, self.steps))
            raise ValueError(f"step must be one that the sweep kept: {kept}; it was {step!r}")
        return self[arm, metric][:, where[0]]

    def counts(self, arm: str) -> Ints:
        """Return how many of `attempts` attempts passed, by seed and task, shape (S, K).

        They are made with the final weights, under the arm's rules, but without broken checkouts.
        The hidden tests decide; one that a limit ends fails, unless the rules score it.

        Raises:
            ValueError: for an unknown arm, or where nothing was tried.
        """
        if arm not in self.passes:
            tried = ", ".join(self.passes) or f"none, since {self.experiment} has no attempts"
            raise ValueError(f"arm must be one that was tried: {tried}; it was {arm!r}")
        return self.passes[arm]

    def _mean(self, arm: str, metric: str, chosen: NDArray[np.bool_]) -> Floats:
        values = self[arm, metric][:, chosen]
        there = ~np.isnan(values)
        number = there.sum(axis=1)
        total = np.where(there, values, 0.0).sum(axis=1)
        return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _at_least_one(steps: int) -> int:
    checked.whole("steps", steps, 1)
    return steps
