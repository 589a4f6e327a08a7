"""What an experiment is: arms that differ in a few options, and what is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

from agentrl_lite.dashboard import Dashboard
from agentrl_lite.run_config import Config


@dataclass(frozen=True)
class Arm:
    """One way to train.

    Attributes:
        id: a word or two, with hyphens: `failing`, `mended`, `clip-higher`.
        label: what a picture calls it, in about 20 characters; marked with `N_`.
        config: the run; its seed is replaced.
    """

    id: str
    label: str
    config: Config


@dataclass(frozen=True)
class Knob:
    """An option that a reader may change while looking at an arm.

    Attributes:
        option: a field of `Config`; a dot leads inside one: `rules.penalty`, `clip.high`.
        label: what it is, in about 16 characters; marked with `N_`.
        choices: what each value is called, marked with `N_`, and the value.
    """

    option: str
    label: str
    choices: Mapping[str, object]

    def __post_init__(self) -> None:
        for value in self.choices.values():
            with_option(Config(), self.option, value)  # which says what is wrong with it
        object.__setattr__(self, "choices", MappingProxyType(dict(self.choices)))


@dataclass(frozen=True)
class Panel:
    """One figure of the dashboard, drawn against the step.

    Attributes:
        metric: a field of `Dashboard`.
        label: what it is, with its unit, in about 30 characters; marked with `N_`.
        limits: of its axis.
    """

    metric: str
    label: str
    limits: tuple[float, float]


@dataclass(frozen=True)
class Experiment:
    """Some arms over the same seeds.

    Attributes:
        id: the question's id, or that and a word: `q27`.
        arms: the first fails, the second is mended, others tell causes apart; or ways to compare.
        panels: what a live run draws, two to four.
        knobs: what a reader may change.
        logged: figures of the dashboard that a sweep keeps, those of the panels and more.
        every: a sweep keeps each so many-th step, the first and the last.
        attempts: a sweep tries each task so often with the final weights, and counts what passes
            the hidden tests; 0 for not at all.
    """

    id: str
    arms: tuple[Arm, ...]
    panels: tuple[Panel, ...]
    knobs: tuple[Knob, ...]
    logged: tuple[str, ...] = field(default=())
    every: int = 1
    attempts: int = 0

    def __post_init__(self) -> None:
        names = [arm.id for arm in self.arms]
        if len(names) < 2 or len(set(names)) != len(names):
            raise ValueError(f"arms of {self.id} must be at least two, and differ; it had {names}")
        if len({arm.config.steps for arm in self.arms}) > 1:
            raise ValueError(f"arms of {self.id} must all take the same number of steps")
        logged = tuple(dict.fromkeys((*(panel.metric for panel in self.panels), *self.logged)))
        unknown = [name for name in logged if name not in Dashboard._fields]
        if unknown:
            raise ValueError(f"figures of {self.id} must be on the dashboard; {unknown} are not")
        object.__setattr__(self, "logged", logged)

    def arm(self, arm_id: str) -> Arm:
        """Return one arm.

        Raises:
            ValueError: for an unknown one.
        """
        for arm in self.arms:
            if arm.id == arm_id:
                return arm
        known = ", ".join(arm.id for arm in self.arms)
        raise ValueError(f"arm must be one of {known}; it was {arm_id!r}")


def with_option(config: Config, option: str, value: object) -> Config:
    """Return the run with one option changed.

    Args:
        config: the run.
        option: a field of `Config`; a dot leads inside one.
        value: the new value.

    Raises:
        ValueError: for an unknown option, or a value that it refuses.

    >>> with_option(Config(), "clip.high", 0.28).clip
    Clip(low=0.2, high=0.28, dual=None)
    """
    name, _, inner = option.partition(".")
    if not hasattr(config, name):
        raise ValueError(f"option must be a field of Config; it was {option!r}")
    if inner:
        part = getattr(config, name)
        if not hasattr(part, inner):
            raise ValueError(f"option must be a field of Config.{name}; it was {option!r}")
        change = {inner: value}
        value = part._replace(**change) if hasattr(part, "_replace") else replace(part, **change)
    return replace(config, **cast(dict[str, Any], {name: value}))
