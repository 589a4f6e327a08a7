"""A run in a file: the same run afterwards, and nothing lost when something goes wrong."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import subprocess
import sys
import textwrap
import zipfile

import numpy as np
import pytest

from agentrl_lite.losses import Clip
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.saved_runs import SavedRun, load_run, save_run
from agentrl_lite.trainer import start, train
from tests.tiny_episodes import BASE, TABLE

SHORT = Config(steps=4, prompts=4, group=4)
# Every kind of option and of state: tuples, None, a nested NamedTuple, several weights, moments.
BUSY = dataclasses.replace(
    SHORT,
    rules=Rules(broken=(0.1, 0.25), flaky=0.1, leaky=(0, 2), history="leak", max_turns=5),
    clip=Clip(0.2, 0.28, 3.0),
    epochs=2,
    minibatches=2,
    staleness=2,
    importance_cap=float("inf"),
    ddof=None,
    adam=(0.8, 0.9, 1e-4),
)


def arrays(state):
    return (*state.weights, state.start, *state.moments)


def same(a, b):
    counts = (a.step, a.updates) == (b.step, b.updates)
    return counts and all(
        x.dtype == y.dtype and (x == y).all() for x, y in zip(arrays(a), arrays(b), strict=True)
    )


def saved(path, config=SHORT, steps=2):
    _, state = train(dataclasses.replace(config, steps=steps), TABLE)
    save_run(path, config, state)
    return state


@pytest.mark.parametrize("config", [SHORT, BUSY], ids=["short", "busy"])
@pytest.mark.parametrize("stop", [0, 1, 3, 4])
def test_a_run_goes_on_from_its_file_as_if_it_had_not_stopped(config, stop, tmp_path):
    whole, end = train(config, TABLE)
    first, state = train(dataclasses.replace(config, steps=stop), TABLE)
    save_run(tmp_path / "run.npz", config, state)
    got = load_run(tmp_path / "run.npz")
    assert got.config == config
    assert same(got.state, state)
    rest, again = train(*got[:1], TABLE, got.state)
    assert same(again, end)
    for name in ("reward", "loss", "gradient_norm", "policy_entropy"):
        assert np.array_equal(np.append(first[name], rest[name]), whole[name], equal_nan=True)


def test_only_the_number_of_steps_may_be_another(tmp_path):
    path = tmp_path / "run.npz"
    saved(path, BUSY)
    longer = dataclasses.replace(BUSY, steps=9)
    assert load_run(path, longer).config == longer
    other = dataclasses.replace(BUSY, learning_rate=0.1, seed=5)
    with pytest.raises(ValueError, match=r"seed is 0 there and 5 here; learning_rate is 0\.05"):
        load_run(path, other)
    rules = dataclasses.replace(BUSY, rules=dataclasses.replace(BUSY.rules, flaky=0.2))
    with pytest.raises(ValueError, match=r"config must be that of .*, but for steps; rules is"):
        load_run(path, rules)


def test_a_newer_format_is_named(tmp_path):
    path = tmp_path / "run.npz"
    saved(path)
    rewrite(path, format=2)
    with pytest.raises(ValueError, match=r"run\.npz must be of format 1 or older; it is of 2"):
        load_run(path)


def rewrite(path, **header):
    with np.load(path) as file:
        content = dict(file)
    old = json.loads(str(content["header"][()]))
    content["header"] = np.array(json.dumps({**old, **header}))
    np.savez(path, **content)


@pytest.mark.parametrize(
    "header",
    [
        {"format": "1"},
        {"format": 0},
        {"step": -1},
        {"step": 1.5},
        {"updates": None},
        {"config": {}},
        {"config": {**dataclasses.asdict(SHORT), "learning_rate": -1}},
        {"config": {**dataclasses.asdict(SHORT), "colour": 3}},
        {"config": 3},
    ],
    ids=str,
)
def test_a_header_that_cannot_be_is_damage(header, tmp_path):
    path = tmp_path / "run.npz"
    saved(path)
    rewrite(path, **header)
    with pytest.raises(ValueError, match=r"run\.npz must be a saved run, and whole"):
        load_run(path)


@pytest.mark.parametrize(
    "change",
    [
        {"weights": np.zeros((1, 2, 3))},
        {"weights": np.zeros((2, *BASE.shape))},
        {"weights": np.zeros((0, *BASE.shape))},
        {"start": BASE * np.nan},
        {"start": BASE.astype(np.float32)},
        {"moments": np.zeros(3)},
        {"header": np.array("not json")},
        {"header": np.array("[1]")},
        {"header": np.array([1.0, 2.0])},
    ],
    ids=["shape", "many", "none", "nan", "float32", "moments", "text", "list", "numbers"],
)
def test_arrays_that_cannot_be_are_damage(change, tmp_path):
    path = tmp_path / "run.npz"
    saved(path)
    with np.load(path) as file:
        content = {**file, **change}
    np.savez(path, **content)
    with pytest.raises(ValueError, match=r"run\.npz must be a saved run, and whole"):
        load_run(path)


def test_a_file_of_something_else_is_no_saved_run(tmp_path):
    path = tmp_path / "run.npz"
    np.save(tmp_path / "one.npy", BASE)
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("hello", "there")
    for content in (
        b"",
        b"hello",
        (tmp_path / "one.npy").read_bytes(),
        (tmp_path / "other.zip").read_bytes(),
        b"cos\nsystem\n(S'touch here'\ntR.",
    ):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"run\.npz must be a saved run, and whole"):
            load_run(path)
    with pytest.raises(FileNotFoundError):
        load_run(tmp_path / "none.npz")


def test_damage_anywhere_is_found_or_does_no_harm(tmp_path):
    """A bit that turned over at some place, or an end that is missing."""
    path = tmp_path / "run.npz"
    state = saved(path)
    whole, rng, refused = path.read_bytes(), np.random.default_rng(0), 0
    spots = [*range(120), *(len(whole) - 1 - np.arange(120)), *rng.integers(len(whole), size=120)]
    for spot in spots:
        broken = bytearray(whole)
        broken[spot] ^= 1 << rng.integers(8)
        path.write_bytes(bytes(broken))
        refused += not_harmed(path, state)
    assert refused > 200
    for length in rng.integers(len(whole), size=40):
        path.write_bytes(whole[:length])
        assert not_harmed(path, state)


def not_harmed(path, state):
    """Return whether a file is refused; if it is not, it must hold what was saved."""
    try:
        got = load_run(path)
    except ValueError:
        return True
    assert got.config == SHORT
    assert same(got.state, state)
    return False


@pytest.mark.parametrize(
    "problem",
    [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()],
    ids=["full disk", "interrupted"],
)
@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_when_writing_fails_the_old_file_stays(problem, where, tmp_path, monkeypatch):
    path = tmp_path / "run.npz"
    state = saved(path)

    def fails(*_args):
        raise problem

    target = "os.fsync" if where == "fsync" else "pathlib.Path.replace"
    monkeypatch.setattr(target, fails)
    with pytest.raises(type(problem)) as caught:
        saved(path, steps=3)
    if isinstance(problem, OSError):
        assert caught.value.errno == errno.ENOSPC
        assert "not saved (No space left on device); the file of before is as it was" in str(
            caught.value
        )
        assert "run.npz" in str(caught.value)
    assert same(load_run(path).state, state)
    assert [file.name for file in tmp_path.iterdir()] == ["run.npz"]


def test_a_disk_that_is_really_full(tmp_path):
    """The kernel refuses to write more than so many bytes, as a full disk does."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "run.npz"
    state = saved(path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
    try:
        with pytest.raises(OSError, match="the run was not saved"):
            save_run(path, SHORT, state)
        with pytest.raises(OSError, match="the run was not saved") as first:
            save_run(tmp_path / "new.npz", SHORT, state)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "before" not in str(first.value)
    assert same(load_run(path).state, state)
    assert [file.name for file in tmp_path.iterdir()] == ["run.npz"]


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_file(tmp_path):
    path = tmp_path / "run.npz"
    state = saved(path)
    program = """
        import os, sys
        from agentrl_lite.saved_runs import load_run, save_run
        run = load_run(sys.argv[1])
        os.fsync = lambda handle: os.kill(os.getpid(), 9)
        save_run(sys.argv[1], run.config, run.state)
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(path)]
    assert subprocess.run(command, check=False).returncode == -9
    assert same(load_run(path).state, state)
    # What the dead process left behind is in nobody's way.
    saved(path, steps=3)
    assert load_run(path).state.step == 3


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OSError, match=r"the run was not saved \(No such file or directory\)"):
        save_run(tmp_path / "none" / "run.npz", SHORT, start(BASE))


def test_saving_changes_nothing(tmp_path):
    state = start(BASE)
    save_run(str(tmp_path / "run.npz"), SHORT, state)
    assert same(state, start(BASE))
    assert isinstance(load_run(str(tmp_path / "run.npz")), SavedRun)
