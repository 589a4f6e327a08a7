"""Sweeps: what is run, what is kept and stored, what a file may look like, and what is stale."""

from __future__ import annotations

import ast
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import joblib
import numpy as np
import pytest
from typer.testing import CliRunner

from agentrl_lite import experiments, sources
from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.checkpoints import pass_counts
from agentrl_lite.cli import app
from agentrl_lite.experiments import Arm, Experiment, Panel
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.sweeps import (
    SEEDS,
    Sweep,
    changes,
    fingerprint,
    load,
    record,
    run_sweep,
    runner,
)
from agentrl_lite.sweeps.fingerprint import stale
from agentrl_lite.sweeps.single import kept_steps, run, tried
from agentrl_lite.trainer import train

IDS = experiments.experiment_ids()
SMALL = Config(steps=5, prompts=4, group=4)
MADE_UP = Experiment(
    id="q99",
    arms=(
        Arm("failing", "failing", SMALL),
        Arm("mended", "mended", replace(SMALL, learning_rate=0.5)),
    ),
    panels=(Panel("reward", "Reward", (0, 1)),),
    knobs=(),
    logged=("failure_length", "all_pass", "tokens"),
    every=2,
    attempts=3,
)


def same(a, b):
    assert (a.arms, a.metrics, a.attempts) == (b.arms, b.metrics, b.attempts)
    assert (dict(a.options), dict(a.code)) == (dict(b.options), dict(b.code))
    assert np.array_equal(a.seeds, b.seeds)
    assert np.array_equal(a.steps, b.steps)
    figures = all(np.array_equal(a[key], b[key], equal_nan=True) for key in a.figures)
    return figures and all(np.array_equal(a.counts(arm), b.counts(arm)) for arm in a.passes)


@pytest.fixture(scope="module")
def swept():
    return run_sweep(MADE_UP, SEEDS[:3])


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Return an empty folder of results, which `load` and `store` use."""
    folder = tmp_path / "results"
    monkeypatch.setattr(record, "RESULTS", folder)
    load.cache_clear()
    yield folder
    load.cache_clear()


# ---- what a sweep says -------------------------------------------------------------------------


def by_hand(values, steps):
    values = np.array(values, dtype=np.float64)
    seeds = np.arange(len(values))
    return Sweep("q99", seeds, np.array(steps), ("a",), ("m",), {("a", "m"): values})


def test_means_over_first_and_last_steps_by_hand():
    nan = np.nan
    sweep = by_hand([[1, 2, 4, 8, 16], [nan, 2, nan, nan, nan]], [1, 2, 4, 6, 8])
    assert sweep.first("a", "m").tolist() == [7 / 3, 2]
    assert sweep.first("a", "m", steps=1)[0] == 1
    assert sweep.last("a", "m", steps=4)[0] == 12  # steps 6 and 8; 4 is the fifth from the end
    assert sweep.last("a", "m", steps=5)[0] == 28 / 3
    assert np.isnan(sweep.last("a", "m")).tolist() == [False, False]
    assert np.isnan(sweep.last("a", "m", steps=1)).tolist() == [False, True]
    assert sweep.at("a", "m", 6)[0] == 8


def test_what_a_sweep_does_not_hold_is_refused(swept):
    with pytest.raises(KeyError, match="arms failing, mended and one of the metrics reward"):
        swept["failing", "entropy"]
    with pytest.raises(ValueError, match=r"step must be one that the sweep kept: 1, 2, 4, 5; .* 3"):
        swept.at("failing", "reward", 3)
    with pytest.raises(ValueError, match="arm must be one that was tried: failing, mended"):
        swept.counts("blind")
    with pytest.raises(ValueError, match="none, since q99 has no attempts"):
        by_hand([[1.0]], [1]).counts("a")


@pytest.mark.parametrize("steps", [0, -1, 2.0, True])
def test_a_mean_is_over_a_whole_number_of_steps(swept, steps):
    with pytest.raises(ValueError, match="steps must be a whole number from 1"):
        swept.first("failing", "reward", steps)
    with pytest.raises(ValueError, match="steps must be a whole number from 1"):
        swept.last("failing", "reward", steps)


def test_what_was_found_cannot_be_changed(swept):
    for array in (swept["failing", "reward"], swept.seeds, swept.steps, swept.counts("mended")):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    with pytest.raises(TypeError):
        swept.figures["failing", "reward"] = 7


# ---- what is run -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("every", "steps", "kept"),
    [(1, 3, [1, 2, 3]), (2, 5, [1, 2, 4, 5]), (3, 6, [1, 3, 6]), (9, 4, [1, 4]), (5, 1, [1])],
)
def test_first_and_last_steps_are_kept(every, steps, kept):
    assert kept_steps(every, steps).tolist() == kept


def test_a_sweep_is_its_runs(swept):
    assert swept.steps.tolist() == [1, 2, 4, 5]
    assert swept.metrics == ("reward", "failure_length", "all_pass", "tokens")
    for arm in MADE_UP.arms:
        for i, seed in enumerate(SEEDS[:3]):
            history, end = train(replace(arm.config, seed=seed), outcomes())
            for metric in swept.metrics:
                expected = history[metric][[0, 1, 3, 4]]
                assert np.array_equal(swept[arm.id, metric][i], expected, equal_nan=True)
            config = replace(arm.config, seed=seed)
            expected = tried(config, outcomes(), end.newest, 3)
            assert np.array_equal(swept.counts(arm.id)[i], expected)


def test_a_sweep_does_not_depend_on_how_many_run_at_once(swept):
    assert same(run_sweep(MADE_UP, SEEDS[:3], jobs=2), swept)
    assert same(run_sweep(MADE_UP, SEEDS[:3], jobs=2, backend="threading"), swept)


def test_results_come_in_the_order_of_seeds_whichever_is_finished_first(swept, monkeypatch):
    finish = runner._runs

    def backwards(*arguments):
        yield from reversed(list(finish(*arguments)))

    monkeypatch.setattr(runner, "_runs", backwards)
    assert same(run_sweep(MADE_UP, SEEDS[:3]), swept)
    turned = run_sweep(MADE_UP, SEEDS[2::-1])
    assert np.array_equal(turned["mended", "reward"], swept["mended", "reward"][::-1])


def test_a_dask_cluster_runs_the_same_call(swept):
    from distributed import Client, LocalCluster

    local = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with LocalCluster(**local) as cluster, Client(cluster) as client:
        with joblib.parallel_config(backend="dask"):
            found = run_sweep(MADE_UP, SEEDS[:3])
        worker = client.run(lambda dask_worker: len(dask_worker.state.log))
        assert min(worker.values()) > 0, "the cluster had nothing to do"
    assert same(found, swept)


def test_each_process_has_one_thread():
    with runner._backend(None):
        assert joblib.parallel.get_active_backend()[0].inner_max_num_threads == 1
    with joblib.parallel_config(backend="threading"), runner._backend(None):
        active, _jobs = joblib.parallel.get_active_backend()
        assert isinstance(active, joblib.parallel.ThreadingBackend)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seeds": ()}, "seeds must be at least one"),
        ({"seeds": (1, 1)}, "seeds must be at least one, and differ"),
        ({"seeds": (-1,)}, "seed must be a whole number from 0"),
        ({"jobs": 0}, "jobs must be at least 1; it was 0"),
        ({"backend": "ray"}, "ray"),
    ],
)
def test_what_cannot_be_run_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        run_sweep(MADE_UP, **{"seeds": (1,)} | arguments)


def test_a_run_that_fails_fails_the_sweep():
    wrong = replace(outcomes(), public_K_E=outcomes().public_K_E[:1])
    with pytest.raises((ValueError, IndexError)):
        run_sweep(MADE_UP, (1, 2), jobs=2, table=wrong)


def test_attempts_are_made_under_the_arms_rules_without_broken_checkouts():
    config = replace(SMALL, seed=3, rules=Rules(broken=(1.0,), truncation="score", max_tokens=12))
    assert run(config, outcomes(), ("solved",), 1, 0).figures["solved"].max() == 0
    _, end = train(config, outcomes())
    found = tried(config, outcomes(), end.newest, 40)
    rng = np.random.default_rng([3, 5, 40])
    rules = replace(config.rules, broken=(0.0,))
    assert np.array_equal(found, pass_counts(end.newest, outcomes(), 40, rules, rng=rng))
    assert found.sum() > 0
    assert np.array_equal(found, run(config, outcomes(), ("solved",), 1, 40).passes)


def test_without_joblib_sweeps_are_read_and_not_run(monkeypatch):
    code = "import sys; import agentrl_lite.sweeps as s; print('joblib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"
    monkeypatch.setitem(sys.modules, "joblib", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'agentrl-lite\[sweep\]'"):
        run_sweep(MADE_UP, (1,))


# ---- files -------------------------------------------------------------------------------------


def test_a_stored_sweep_is_the_one_that_was_run_in_four_digits(swept, results):
    path = record.store(swept)
    assert path == results / "q99.json"
    first = path.read_bytes()
    stored = load("q99")
    assert load("q99") is stored
    for key, values in swept.figures.items():
        assert np.allclose(stored[key], values, rtol=5e-4, atol=0, equal_nan=True)
        assert np.array_equal(np.isnan(stored[key]), np.isnan(values))
    rounded = replace(swept, figures=stored.figures)
    assert same(stored, rounded)
    assert record.store(stored).read_bytes() == first
    assert path.stat().st_mode & 0o777 == 0o644
    assert [file.name for file in results.iterdir()] == ["q99.json"]


def test_a_sweep_without_attempts_has_no_counts(swept, results):
    record.store(swept)
    assert load("q99").attempts == 3
    found = run_sweep(replace(MADE_UP, attempts=0), SEEDS[:2])
    record.store(found)
    assert dict(found.passes) == dict(load("q99").passes) == {}


def test_a_file_has_a_line_for_each_arm_metric_and_seed(swept):
    lines = record.to_text(swept).splitlines()
    rows = [line for line in lines if line.lstrip().startswith('"2001": [')]
    assert len(rows) == 2 * 4 + 2  # arms times metrics, and each arm's passes
    assert json.loads(record.to_text(swept))["figures"]["mended"]["tokens"]["2001"][0] > 1


@pytest.mark.parametrize(
    ("value", "digits"),
    [
        (0.123456, "0.1235"),
        (55.0, "55"),
        (-0.0, "0"),
        (1234567.0, "1.235e+06"),
        (3.00004e-9, "3e-09"),
        (np.nan, "null"),
    ],
)
def test_four_digits(value, digits):
    text = record.to_text(replace(by_hand([[value]], [1]), options={"a": "x"}))
    assert f'"0": [{digits}]' in text
    assert np.array_equal(
        record.from_text(text)["a", "m"], [[float(digits.replace("null", "nan"))]], equal_nan=True
    )


def test_an_infinite_figure_is_not_stored(results):
    with pytest.raises(ValueError, match="finite, or NaN"):
        record.store(by_hand([[np.inf]], [1]))
    assert not results.exists() or not list(results.iterdir())


def test_a_full_disk_leaves_the_old_file(swept, results, monkeypatch):
    path = record.store(swept)
    before = path.read_bytes()

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        record.store(replace(swept, attempts=0, passes={}))
    assert path.read_bytes() == before
    assert [file.name for file in results.iterdir()] == ["q99.json"]


def test_an_unknown_sweep_names_those_that_are_there(swept, results):
    with pytest.raises(ValueError, match=r"\(none; `make sweeps` makes them\); it was 'q98'"):
        load("q98")
    record.store(swept)
    with pytest.raises(ValueError, match=r"\(q99; "):
        load("q98")


def without(*names):
    def change(data):
        for name in names[:-1]:
            data = data[name]
        del data[names[-1]]

    return change


def put(value, *names):
    def change(data):
        for name in names[:-1]:
            data = data[name]
        data[names[-1]] = value

    return change


DAMAGES = [
    (without("steps"), "'steps' is missing"),
    (without("figures", "failing"), "options must have a hash for each arm"),
    (without("figures", "failing", "reward"), "every arm must have the same metrics"),
    (without("figures", "failing", "reward", "2001"), "failing reward must have a row for each"),
    (without("options", "mended"), "options must have a hash for each arm"),
    (without("passes", "mended"), "passes must be there for every arm"),
    (put([1, 2], "figures", "mended", "reward", "2001"), "must be equally long"),
    (put([1, 2, 4], "steps"), "failing reward must have shape"),
    (put([4, 2, 1, 5], "steps"), "steps must rise from 1"),
    (put([], "steps"), "must hold seeds, steps and figures"),
    (put([0, 2, 4, 5], "steps"), "steps must rise from 1"),
    (put([1, 2, 3], "seeds"), "must have a row for each seed, in their order"),
    (put({}, "figures"), "must hold seeds, steps and figures"),
    (put(["a", 0, 0, 0], "figures", "mended", "reward", "2001"), "could not convert"),
    (put(3, "figures", "mended", "reward"), "wrong kind"),
    (put([float("inf")] * 4, "figures", "mended", "reward", "2001"), "must be finite"),
    (put([4] * 16, "passes", "mended", "2001"), "between 0 and 3"),
    (put(0, "attempts"), "passes must be there for every arm if tasks were tried, else for none"),
    (put("3", "attempts"), "wrong kind"),
    (put(None, "code"), "wrong kind"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES, ids=[message for _, message in DAMAGES])
def test_a_damaged_file_is_refused(swept, results, damage, message):
    path = record.store(swept)
    data = json.loads(path.read_text())
    damage(data)
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r"q99\.json must be a sweep's file.*--only q99") as caught:
        load("q99")
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[1]", "3", "\0", "[" * 100_000, '{"seeds": []}'])
def test_what_is_no_sweep_at_all_is_refused(results, text):
    results.mkdir()
    (results / "q99.json").write_text(text)
    with pytest.raises(ValueError, match=r"q99\.json must be a sweep's file"):
        load("q99")


# ---- what is stale -----------------------------------------------------------------------------


def written(source):
    return "".join(fingerprint.written(ast.parse(source)))


BODY = """
def f(x: int, *, y=1.5) -> str:
    return f"{x:.3f} and {y!r}" if x else b"z"
"""


@pytest.mark.parametrize(
    "other",
    [
        '"""Says something."""\n' + BODY,
        BODY.replace("    return", "    # why\n    return"),
        BODY.replace("    return", '    """Does something."""\n    return'),
        BODY.replace("1.5", "1.50"),
        BODY.replace('b"z"', "(b'z')"),
    ],
    ids=["docstring", "comment", "inner docstring", "number's spelling", "quotes and brackets"],
)
def test_what_says_the_same_has_the_same_text(other):
    assert written(other) == written(BODY)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1.5", "1.6"),
        (":.3f", ":.4f"),
        ("!r", ""),
        ("if x", "if not x"),
        ('b"z"', '"z"'),
        ('b"z"', "None"),
        ("*, ", ""),
        ("f(x", "g(x"),
        ("    return", "    x\n    return"),
    ],
)
def test_what_does_something_else_has_another_text(before, after):
    assert written(BODY.replace(before, after)) != written(BODY)


def test_the_text_is_the_same_in_every_version_of_python():
    """Written out by hand: no version's empty fields are in it."""
    assert written("class A(B):\n    def f(self):\n        'Doc.'\n") == (
        "Module(body=[ClassDef(name='A',bases=[Name(id='B')],body=[FunctionDef(name='f',"
        "args=arguments(args=[arg(arg='self')]),body=[])])])"
    )


def test_all_that_training_depends_on_is_hashed_and_nothing_else():
    modules = set(fingerprint.code_hashes())
    assert {"trainer", "rollout", "policy", "losses", "dashboard", "rules", "protocol"} <= modules
    assert {"bugfix.sandbox", "bugfix.guards", "bugfix.screen", "bugfix.outcomes"} <= modules
    assert {"bugfix.tasks", "bugfix.tasks.off_by_one", "sweeps.single", "checkpoints"} <= modules
    parts = {module.partition(".")[0] for module in modules}
    assert not parts & {"figures", "widgets", "appendix", "experiments", "cli", "notebooks"}
    assert not {"sweeps.record", "sweeps.runner", "bugfix.workspace", "bugfix.env"} & modules


@pytest.fixture
def made_up(monkeypatch):
    """Make the made-up experiment the only one there is."""
    monkeypatch.setattr(experiments, "experiment_ids", lambda: ("q99",))
    monkeypatch.setattr(experiments, "experiment", {"q99": MADE_UP}.__getitem__)
    monkeypatch.setattr(fingerprint, "SEEDS", SEEDS[:3])


def changed(**changes):
    return replace(MADE_UP, **changes)


OTHER_ARM = replace(MADE_UP.arms[1], config=replace(SMALL, learning_rate=0.4))
LONGER = tuple(replace(arm, config=replace(arm.config, steps=6)) for arm in MADE_UP.arms)


@pytest.mark.parametrize(
    ("wanted", "what"),
    [
        (changed(every=3), ["kept steps"]),
        (changed(logged=("tokens",)), ["metrics"]),
        (changed(attempts=4), ["attempts"]),
        (changed(arms=MADE_UP.arms[::-1]), ["arms"]),
        (changed(arms=(MADE_UP.arms[0], OTHER_ARM)), ["options of mended"]),
        (changed(arms=LONGER), ["kept steps", "options of failing", "options of mended"]),
        (changed(arms=(MADE_UP.arms[0], replace(OTHER_ARM, id="new"))),
         ["arms", "options of mended", "options of new"]),
    ],
)  # fmt: skip
def test_a_changed_experiment_makes_its_sweep_stale(swept, made_up, wanted, what):
    assert stale(swept, MADE_UP) == []
    assert stale(swept, wanted) == [f"q99: {name} changed since its sweep" for name in what]


def test_changed_code_makes_a_sweep_stale(swept, made_up, monkeypatch, tmp_path):
    package = tmp_path / "agentrl_lite"
    shutil.copytree(sources.ROOT, package, ignore=shutil.ignore_patterns("*.json", "*.pyc"))
    monkeypatch.setattr(sources, "ROOT", package)
    monkeypatch.setattr(fingerprint, "code_hashes", fingerprint.code_hashes.__wrapped__)
    trainer = package / "trainer.py"
    text = trainer.read_text()
    trainer.write_text('"""Another docstring."""\n# A comment.\n' + text.partition('"""\n')[2])
    assert stale(swept, MADE_UP) == []
    trainer.write_text(text.replace("config.steps", "config.steps + 1"))
    (package / "bugfix" / "tasks" / "order.py").write_text("")
    assert stale(swept, MADE_UP) == [
        f"q99: code of {name} changed since its sweep" for name in ("bugfix.tasks.order", "trainer")
    ]


def test_a_relabelled_or_redrawn_experiment_is_not_stale(swept, made_up):
    relabelled = tuple(replace(arm, label=f"{arm.id}!") for arm in MADE_UP.arms)
    panel = replace(MADE_UP.panels[0], limits=(0, 2))
    assert stale(swept, changed(arms=relabelled, panels=(panel,))) == []


# ---- the command -------------------------------------------------------------------------------


def command(*arguments):
    return CliRunner().invoke(app, ["sweeps", *arguments])


def test_the_command_stores_and_then_finds_nothing_changed(made_up, results, monkeypatch):
    monkeypatch.setattr(fingerprint, "SEEDS", SEEDS)
    done = command("--check")
    assert done.exit_code == 1
    assert done.stderr.startswith("q99: experiment must have a stored sweep")
    assert command("--jobs", "1").stdout == f"{results / 'q99.json'}\n"
    done = command("--check")
    assert (done.exit_code, done.stderr) == (0, "")
    monkeypatch.setattr(fingerprint, "SEEDS", SEEDS[:3])
    done = command("--check", "--only", "q99")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[0] == "q99: seeds changed since its sweep"
    assert "make sweeps" in done.stderr.splitlines()[-1]


def test_an_unknown_experiment_is_refused_in_one_line():
    done = command("--only", "q98")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("agentrl-lite sweeps: experiment must be one of ")


SLOW_SWEEP = """
import sys
from dataclasses import replace
from pathlib import Path
from agentrl_lite import experiments
from agentrl_lite.sweeps import record
from agentrl_lite.cli import app

record.RESULTS = Path(sys.argv.pop())
long = experiments.experiment("q27")
arms = tuple(replace(arm, config=replace(arm.config, steps=100_000)) for arm in long.arms)
experiments.experiment = lambda _: replace(long, arms=arms)
app()
"""


def is_there(group):
    """Tell whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_interrupted_sweep_leaves_the_old_file_and_no_process(tmp_path):
    old = tmp_path / "q27.json"
    old.write_text("old")
    arguments = ["sweeps", "--only", "q27", "--jobs", "2", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_SWEEP, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        while "0/80" not in (shown := process.stderr.readline(20)):
            assert process.poll() is None, shown
        time.sleep(1.5)  # until its workers are at it
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=20)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode not in (0, 2), said
    assert [file.name for file in tmp_path.iterdir()] == ["q27.json"]
    assert old.read_text() == "old"
    waited_until = time.monotonic() + 20
    while is_there(process.pid) and time.monotonic() < waited_until:
        time.sleep(0.1)  # some wait for their end to be noticed
    assert not is_there(process.pid)


# ---- what is stored ----------------------------------------------------------------------------


@pytest.mark.parametrize("experiment_id", IDS)
def test_the_stored_sweep_is_current(experiment_id):
    assert changes(experiments.experiment(experiment_id)) == [], "`make sweeps`"


@pytest.mark.parametrize("experiment_id", IDS)
def test_the_stored_file_is_small_and_is_what_would_be_written(experiment_id):
    path = record.RESULTS / f"{experiment_id}.json"
    assert path.stat().st_size < 150_000
    assert path.read_text() == record.to_text(load(experiment_id))


@pytest.mark.parametrize("experiment_id", IDS)
def test_a_run_that_is_trained_again_has_the_stored_figures(experiment_id):
    """What a run's first steps find does not depend on how many follow."""
    stored, wanted = load(experiment_id), experiments.experiment(experiment_id)
    arm, row = wanted.arms[-1], 5
    config = replace(arm.config, seed=int(stored.seeds[row]), steps=min(20, arm.config.steps))
    history, _ = train(config, outcomes())
    kept = stored.steps[stored.steps <= config.steps]
    for metric in stored.metrics:
        again = history[metric][kept - 1]
        assert stored[arm.id, metric][row, : len(kept)] == pytest.approx(
            again, rel=1e-3, abs=1e-9, nan_ok=True
        ), metric


def test_no_file_is_left_of_an_experiment_that_is_gone():
    assert {path.stem for path in record.RESULTS.iterdir()} == set(IDS)
