"""Runs every arm of an experiment over seeds, on several processes or on a cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
from tqdm import tqdm

from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.experiments import Experiment
from agentrl_lite.rules import Table
from agentrl_lite.run_config import Config
from agentrl_lite.sweeps.fingerprint import code_hashes, options_hash
from agentrl_lite.sweeps.result import Sweep
from agentrl_lite.sweeps.single import SEEDS, Run, kept_steps, run


def run_sweep(
    experiment: Experiment,
    seeds: Sequence[int] = SEEDS,
    *,
    jobs: int | None = None,
    backend: str | None = None,
    table: Table | None = None,
    progress: bool = False,
) -> Sweep:
    """Train every arm with every seed; the result does not depend on how many at once.

    Needs joblib, of the extra `sweep`. By itself it uses processes of this machine, with one
    thread each. A Dask cluster takes the runs where a client is connected to it, and its workers
    have the package:

        with Client("tcp://...:8786"), joblib.parallel_config(backend="dask"):
            sweep = run_sweep(experiment("q27"))

    Args:
        experiment: arms, figures to keep, tries with the final weights.
        seeds: at least one, all different.
        jobs: runs at once, from 1; by default one, or as many as a cluster has room for.
        backend: joblib's name for where to run; by default the one of `joblib.parallel_config`,
            else processes.
        table: outcomes of the tasks' tests; by default those of the real tasks.
        progress: whether to show a bar on standard error.

    Raises:
        ValueError: for no seed, a seed twice, or no job.
        ModuleNotFoundError: where joblib is not installed.
    """
    if not len(seeds) or len(set(seeds)) != len(seeds):
        raise ValueError(f"seeds must be at least one, and differ; they were {list(seeds)}")
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs must be at least 1; it was {jobs}")
    if find_spec("joblib") is None:
        raise ModuleNotFoundError("a sweep needs joblib: pip install 'agentrl-lite[sweep]'")
    code, table = code_hashes(), table or outcomes()
    configs = [replace(arm.config, seed=seed) for arm in experiment.arms for seed in seeds]
    found: dict[int, Run] = {}
    bar = tqdm(total=len(configs), desc=experiment.id, unit="run", disable=not progress)
    with bar, closing(_runs(experiment, configs, table, jobs, backend)) as finished:
        for number, one in finished:
            found[number] = one
            bar.update()
    runs = [found[number] for number in range(len(configs))]
    return _sweep(experiment, seeds, runs, code)


def _runs(
    experiment: Experiment,
    configs: Sequence[Config],
    table: Table,
    jobs: int | None,
    backend: str | None,
) -> Generator[tuple[int, Run], None, None]:
    """Yield each run with its number, as soon as it is finished."""
    import joblib

    with _backend(backend):
        parallel = joblib.Parallel(n_jobs=jobs, batch_size=1, return_as="generator_unordered")
        one = joblib.delayed(_numbered)
        kept = experiment.logged, experiment.every, experiment.attempts
        yield from parallel(one(i, config, table, *kept) for i, config in enumerate(configs))


@contextmanager
def _backend(name: str | None) -> Iterator[None]:
    """Choose a backend, and one thread for each of the processes of joblib's own."""
    import joblib

    if name is None:
        active, _jobs = joblib.parallel.get_active_backend()
        name = "loky" if isinstance(active, joblib.parallel.LokyBackend) else None
    options = {"inner_max_num_threads": 1} if name == "loky" else {}
    with joblib.parallel_config(backend=name, **options) if name else nullcontext():
        yield


def _numbered(
    number: int,
    config: Config,
    table: Table,
    metrics: tuple[str, ...],
    every: int,
    attempts: int,
) -> tuple[int, Run]:
    return number, run(config, table, metrics, every, attempts)


def _sweep(
    experiment: Experiment, seeds: Sequence[int], runs: Sequence[Run], code: Mapping[str, str]
) -> Sweep:
    """Put the runs of all arms and seeds together; they are in that order."""
    arms = tuple(arm.id for arm in experiment.arms)
    of_arm = {arm: runs[i * len(seeds) : (i + 1) * len(seeds)] for i, arm in enumerate(arms)}
    return Sweep(
        experiment=experiment.id,
        seeds=np.array(seeds, dtype=np.int64),
        steps=kept_steps(experiment.every, experiment.arms[0].config.steps),
        arms=arms,
        metrics=experiment.logged,
        figures={
            (arm, metric): np.stack([one.figures[metric] for one in of_arm[arm]])
            for arm in arms
            for metric in experiment.logged
        },
        attempts=experiment.attempts,
        passes={
            arm: np.stack([one.passes for one in of_arm[arm]])
            for arm in arms
            if experiment.attempts
        },
        options={arm.id: options_hash(arm) for arm in experiment.arms},
        code=code,
    )
