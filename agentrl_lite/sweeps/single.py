"""One run of a sweep: what it keeps of the dashboard, and what its final weights can do."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.checkpoints import pass_counts
from agentrl_lite.rules import Table
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import train

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# No default was tuned on these: that was done on 1000 to 1007.
SEEDS = tuple(range(2000, 2016))


class Run(NamedTuple):
    """What is kept of a run.

    Attributes:
        figures: by metric, each over the kept steps.
        passes: attempts that passed, by task, shape (K,); empty where there were none.
    """

    figures: dict[str, Floats]
    passes: Ints


def kept_steps(every: int, steps: int) -> Ints:
    """Return the steps that are kept: the first, each so many-th, and the last.

    Args:
        every: at least 1.
        steps: length of a run, at least 1.

    >>> kept_steps(4, 10).tolist()
    [1, 4, 8, 10]
    """
    return np.unique([1, *range(every, steps + 1, every), steps]).astype(np.int64)


def run(config: Config, table: Table, metrics: tuple[str, ...], every: int, attempts: int) -> Run:
    """Train once.

    Args:
        config: the run.
        table: outcomes of the tasks' tests.
        metrics: figures of the dashboard to keep.
        every: each so many-th step is kept.
        attempts: how often each task is tried with the final weights.
    """
    history, end = train(config, table)
    rows = kept_steps(every, config.steps) - 1
    figures = {name: history[name][rows] for name in metrics}
    passes = tried(config, table, end.newest, attempts) if attempts else np.zeros(0, np.int64)
    return Run(figures, passes)


def tried(config: Config, table: Table, weights: Floats, attempts: int) -> Ints:
    """Return how many attempts at each task pass the hidden tests, shape (K,).

    Args:
        config: the run; its rules hold, but no checkout is broken.
        table: outcomes of the tasks' tests.
        weights: final ones of the run.
        attempts: at each task.
    """
    # Training draws by seed and step; a third number leads elsewhere.
    rng = np.random.default_rng([config.seed, config.steps, attempts])
    rules = replace(config.rules, broken=(0.0,))
    return pass_counts(weights, table, attempts, rules, rng=rng)
