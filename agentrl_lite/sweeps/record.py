"""A sweep as a file: one line for each arm, metric and seed, in four significant digits.

A file is replaced in one step, after its successor is complete on disk: a sweep that is interrupted
leaves the old one, and so does a full disk.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from agentrl_lite.atomic import replace_file
from agentrl_lite.experiments import Experiment
from agentrl_lite.sweeps.fingerprint import stale
from agentrl_lite.sweeps.result import Floats, Ints, Sweep

RESULTS = Path(__file__).parents[1] / "experiments" / "results"


@functools.cache
def load(experiment_id: str) -> Sweep:
    """Return the stored sweep of an experiment.

    Raises:
        ValueError: where there is none, or its file is damaged.
    """
    path = RESULTS / f"{experiment_id}.json"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        known = ", ".join(sorted(file.stem for file in RESULTS.glob("*.json"))) or "none"
        raise ValueError(
            f"experiment must have a stored sweep ({known}; `make sweeps` makes them); "
            f"it was {experiment_id!r}"
        ) from None
    try:
        return from_text(text)
    except ValueError as error:
        raise ValueError(
            f"{path} must be a sweep's file, and is damaged: {error}. "
            f"`agentrl-lite sweeps --only {experiment_id}` makes it anew"
        ) from None


def changes(wanted: Experiment) -> list[str]:
    """Return what is wrong with an experiment's stored sweep, a line each; empty if it is current.

    Args:
        wanted: the experiment as it stands.
    """
    try:
        stored = load(wanted.id)
    except ValueError as error:
        return [f"{wanted.id}: {error}"]
    return stale(stored, wanted)


def store(sweep: Sweep) -> Path:
    """Write a sweep to its file and return the file's path.

    Raises:
        ValueError: for a figure that is infinite.
        OSError: when it cannot be written; the old file is then as it was.
    """
    content = to_text(sweep).encode("utf-8")
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{sweep.experiment}.json"
    replace_file(path, content)
    load.cache_clear()
    return path


def to_text(sweep: Sweep) -> str:
    """Return a sweep as text; equal sweeps give equal texts."""
    seeds = [str(seed) for seed in sweep.seeds]
    figures = {
        arm: {
            metric: dict(zip(seeds, map(_rounded, sweep[arm, metric]), strict=True))
            for metric in sweep.metrics
        }
        for arm in sweep.arms
    }
    passes = {
        arm: dict(zip(seeds, map(_whole, of_arm), strict=True))
        for arm, of_arm in sweep.passes.items()
    }
    record = {
        "experiment": json.dumps(sweep.experiment),
        "seeds": _whole(sweep.seeds),
        "steps": _whole(sweep.steps),
        "attempts": str(sweep.attempts),
        "options": {name: json.dumps(digest) for name, digest in sweep.options.items()},
        "code": {name: json.dumps(digest) for name, digest in sweep.code.items()},
        "figures": figures,
        "passes": passes,
    }
    return "".join(_lines(record, "")) + "\n"


def from_text(text: str) -> Sweep:
    """Return the sweep that a text holds.

    Raises:
        ValueError: if something is missing or of the wrong kind.
    """
    try:
        sweep = _parsed(json.loads(text))
        _check(sweep)
    except KeyError as error:
        raise ValueError(f"{error} is missing") from None
    except (TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"something in it is of the wrong kind ({error})") from None
    return sweep


def _parsed(data: Any) -> Sweep:
    seeds, by_arm = data["seeds"], data["figures"]
    return Sweep(
        experiment=data["experiment"],
        seeds=np.array(seeds, dtype=np.int64),
        steps=np.array(data["steps"], dtype=np.int64),
        arms=tuple(by_arm),
        metrics=tuple(dict.fromkeys(metric for of_arm in by_arm.values() for metric in of_arm)),
        figures={
            (arm, metric): _stacked(by_seed, seeds, f"{arm} {metric}")
            for arm, of_arm in by_arm.items()
            for metric, by_seed in of_arm.items()
        },
        attempts=data["attempts"],
        passes={
            arm: _stacked(by_seed, seeds, f"passes of {arm}").astype(np.int64)
            for arm, by_seed in data["passes"].items()
        },
        options=data["options"],
        code=data["code"],
    )


def _check(sweep: Sweep) -> None:
    shape = (len(sweep.seeds), len(sweep.steps))
    if 0 in shape or not sweep.figures:
        raise ValueError("it must hold seeds, steps and figures")
    if (np.diff(sweep.steps) <= 0).any() or sweep.steps[0] < 1:
        raise ValueError("steps must rise from 1")
    wanted = {(arm, metric) for arm in sweep.arms for metric in sweep.metrics}
    if set(sweep.figures) != wanted:
        raise ValueError("every arm must have the same metrics")
    for (arm, metric), values in sweep.figures.items():
        if values.shape != shape:
            raise ValueError(f"{arm} {metric} must have shape {shape}; it was {values.shape}")
        if np.isinf(values).any():
            raise ValueError(f"{arm} {metric} must be finite, or null")
    if set(sweep.options) != set(sweep.arms):
        raise ValueError("options must have a hash for each arm")
    if (set(sweep.passes) != set(sweep.arms)) if sweep.attempts else sweep.passes:
        raise ValueError("passes must be there for every arm if tasks were tried, else for none")
    for arm, counts in sweep.passes.items():
        if not ((counts >= 0) & (counts <= sweep.attempts)).all():
            raise ValueError(f"passes of {arm} must be between 0 and {sweep.attempts}")


def _stacked(by_seed: dict[str, list[float | None]], seeds: list[int], name: str) -> Floats:
    """Return the rows of all seeds as one array; null is NaN."""
    if list(by_seed) != [str(seed) for seed in seeds]:
        raise ValueError(f"{name} must have a row for each seed, in their order")
    lengths = {len(row) for row in by_seed.values()}
    if len(lengths) > 1:
        raise ValueError(f"rows of {name} must be equally long; their lengths were {lengths}")
    return np.array(list(by_seed.values()), dtype=np.float64)


def _lines(value: Any, indent: str) -> Iterator[str]:
    """Yield a nested table as JSON; what is no table is text already."""
    if not isinstance(value, dict):
        yield value
        return
    inner = indent + " "
    yield "{"
    for i, (name, part) in enumerate(value.items()):
        yield f"{',' if i else ''}\n{inner}{json.dumps(name)}: "
        yield from _lines(part, inner)
    yield f"\n{indent}}}" if value else "}"


def _rounded(row: Floats) -> str:
    return "[" + ",".join(map(_digits, row.tolist())) + "]"


def _digits(value: float) -> str:
    if math.isinf(value):
        raise ValueError("a sweep's figures must be finite, or NaN; one was infinite")
    return "null" if math.isnan(value) else f"{value + 0.0:.4g}"  # + 0.0 takes a minus off 0


def _whole(row: Ints) -> str:
    return "[" + ",".join(map(str, row.tolist())) + "]"
