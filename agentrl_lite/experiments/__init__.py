"""The experiments of the questions: arms that fail, arms that are mended, and controls.

A module `experiments/qNN.py` keeps one question's in `EXPERIMENT`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re

from agentrl_lite.experiments.spec import Arm, Experiment, Knob, Panel, with_option

__all__ = ["Arm", "Experiment", "Knob", "Panel", "experiment", "experiment_ids", "with_option"]


def experiment_ids() -> tuple[str, ...]:
    """Return the ids of all experiments.

    >>> "q27" in experiment_ids()
    True
    """
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in names if re.fullmatch(r"[qx]\d+", name)))


def experiment(experiment_id: str) -> Experiment:
    """Return the experiment of one question.

    Raises:
        ValueError: for an unknown id.
    """
    if experiment_id not in experiment_ids():
        known = ", ".join(experiment_ids())
        raise ValueError(f"experiment must be one of {known}; it was {experiment_id!r}")
    found: Experiment = importlib.import_module(f"{__name__}.{experiment_id}").EXPERIMENT
    return found
