"""What a fresh machine gets: dependencies, the two commands, and what CI installs."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = ("lab", "test", "book", "lite")

# conda-forge's name where it is another.
CONDA = {"matplotlib": "matplotlib-base"}

PINS = {
    canonicalize_name(name): Version(version)
    for name, version in re.findall(
        r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE
    )
}


def declared(*extras):
    """Return the requirements of the core and of some extras."""
    lines = list(PROJECT["dependencies"])
    for extra in extras:
        lines += PROJECT["optional-dependencies"][extra]
    return [Requirement(line) for line in lines]


# ---- dependencies ------------------------------------------------------------------------------


def test_environment_yml_lists_the_same_packages_and_bounds():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    listed = {d for d in environment["dependencies"] if isinstance(d, str)}
    wanted = {f"{CONDA.get(r.name, r.name)}{r.specifier}" for r in declared("lab")}
    assert listed == wanted | {f"python{PROJECT['requires-python']}", "pip"}
    assert {"pip": ["-e ."]} in environment["dependencies"]
    assert environment["channels"][0] == "conda-forge"


@pytest.mark.parametrize("requirement", declared(*EXTRAS), ids=lambda r: r.name)
def test_bounds_are_open_and_hold_the_pin(requirement):
    (bound,) = requirement.specifier
    assert bound.operator == ">="
    assert PINS[canonicalize_name(requirement.name)] in requirement.specifier


def test_everything_that_is_needed_is_pinned():
    """Follow what the installed packages need, and find each of them among the pins."""
    seen, queue = set(), [(r.name, r.extras) for r in declared(*EXTRAS)]
    while queue:
        name, extras = queue.pop()
        key = (canonicalize_name(name), frozenset(extras))
        if key in seen:
            continue
        seen.add(key)
        assert key[0] in PINS, f"{name} is needed, and not in constraints.txt"
        try:
            lines = requires(name) or []
        except PackageNotFoundError:
            pytest.fail(f"{name} is needed, and not installed")
        for need in map(Requirement, lines):
            if any(
                need.marker is None or need.marker.evaluate({"extra": e}) for e in extras or [""]
            ):
                queue.append((need.name, need.extras))
                assert PINS[canonicalize_name(need.name)] in need.specifier, (name, str(need))


def test_there_is_no_torch():
    assert not {name for name in PINS if "torch" in name or name in ("numba", "jax")}


# ---- make --------------------------------------------------------------------------------------


def make(*arguments):
    # Without what an outer `make test PYTEST_ARGS=...` hands down.
    outer = {"MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "PYTEST_ARGS", "JOBS"}
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in outer},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def python39(tmp_path):
    """Return a Python that says it is 3.9."""
    path = tmp_path / "python3.9"
    old = 'import sys; sys.version_info = (3, 9, 2, "final", 0); exec(sys.argv[1])'
    path.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{old}' \"$2\"\n")
    path.chmod(0o755)
    return path


def test_an_old_python_is_refused_in_one_clear_line(python39, tmp_path):
    done = make("lab", f"PYTHON={python39}", f"VENV={tmp_path / 'venv'}")
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed" in done.stderr
    assert "is 3.9" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_a_missing_python_is_named(tmp_path):
    done = make("test", "PYTHON=python9", f"VENV={tmp_path / 'venv'}")
    assert done.returncode != 0
    assert "There is no 'python9' here" in done.stderr


@pytest.fixture
def installed(tmp_path):
    """Return an environment that says it is whole and newer than what it depends on."""
    venv = tmp_path / "venv"
    venv.mkdir()
    for stamp in (".made", ".lab", ".test"):
        (venv / stamp).touch()
        os.utime(venv / stamp, (4e9, 4e9))
    return venv


@pytest.mark.parametrize("target", [".lab", ".test"])
def test_a_second_run_installs_nothing(installed, target):
    assert make("-q", f"{installed}/{target}", f"VENV={installed}").returncode == 0


@pytest.mark.parametrize("changed", ["pyproject.toml", "constraints.txt"])
@pytest.mark.parametrize("target", [".lab", ".test"])
def test_changed_requirements_are_installed(installed, target, changed):
    done = make("-n", f"{installed}/{target}", f"VENV={installed}", "-W", changed)
    assert "--constraint constraints.txt --editable" in done.stdout


def test_lab_refreshes_the_readers_copy_and_then_opens_it(installed):
    done = make("-n", "lab", f"VENV={installed}", "MY=mine", "LAB_ARGS=--port=9000")
    refresh, start = done.stdout.splitlines()
    assert refresh.endswith('agentrl_lite.cli workcopy --copy "mine"')
    assert "-m jupyterlab --config=jupyter_lab_config.py" in start
    assert start.endswith('--ServerApp.root_dir="mine" --port=9000')


def test_test_runs_every_check(installed):
    done = make("-n", "test", f"VENV={installed}")
    commands = [line.partition(" -m ")[2] for line in done.stdout.splitlines()]
    assert commands == [
        "ruff check .",
        "ruff format --check .",
        "mypy",
        "pytest -n 2 --dist loadfile ",
    ]


def test_clean_spares_what_is_the_readers():
    commands = make("-n", "clean").stdout
    assert "my" not in re.findall(r"[\w./-]+", commands)
    assert "agentrl-reader" not in commands


# ---- JupyterLab's settings ---------------------------------------------------------------------


def lab_settings(monkeypatch, uid, **environment):
    """Return what jupyter_lab_config.py sets for a user and an environment."""
    from traitlets.config import Config

    monkeypatch.setattr(os, "geteuid", lambda: uid)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    config = Config()
    code = (ROOT / "jupyter_lab_config.py").read_text()
    exec(compile(code, "jupyter_lab_config.py", "exec"), {"get_config": lambda: config})
    return config


@pytest.mark.parametrize(("uid", "allowed"), [(0, True), (1000, False)])
def test_root_is_allowed_only_to_root(monkeypatch, uid, allowed):
    assert lab_settings(monkeypatch, uid).ServerApp.allow_root is allowed


def test_a_browser_opens_only_on_a_display(monkeypatch):
    assert lab_settings(monkeypatch, 1000).ServerApp.open_browser is False
    assert lab_settings(monkeypatch, 1000, DISPLAY=":0").ServerApp.open_browser is True


def test_the_token_stays_on(monkeypatch):
    settings = lab_settings(monkeypatch, 1000)
    assert "token" not in settings.ServerApp
    assert "token" not in settings.IdentityProvider


# ---- CI ----------------------------------------------------------------------------------------


def run_ci(tmp_path, *present, without=None):
    """Run .ci/run with nothing on the PATH but some programs; return what it called.

    `without` names one of them that fails: Python fails to import what is looked for.
    """
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    log = tmp_path / "log"
    log.touch()
    for name in ("bash", "dirname"):
        (bin_ / name).symlink_to(shutil.which(name))
    for name in ("apt-get", *present):
        failing = "exit 1" if name == without else ""
        (bin_ / name).write_text(f'#!/bin/bash\necho "{name} $*" >> {log}\n{failing}\n')
        (bin_ / name).chmod(0o755)
    done = subprocess.run(
        ["bash", str(ROOT / ".ci" / "run")],
        env={"PATH": str(bin_), "CI": "true"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    calls = [line for line in log.read_text().splitlines() if not line.startswith("python3")]
    return done.returncode, calls


def test_ci_installs_nothing_that_is_there(tmp_path):
    there = ("make", "python3", "chromium", "pdftoppm", "mutool")
    assert run_ci(tmp_path, *there) == (0, ["make test"])


def test_ci_installs_a_browser_that_is_missing(tmp_path):
    code, calls = run_ci(tmp_path, "make", "python3")
    assert code == 0
    assert calls[0].startswith("apt-get update")
    assert {"chromium", "poppler-utils", "mupdf-tools"} <= set(calls[1].split())
    assert "python3" not in calls[1]
    assert calls[2:] == ["make test"]


def test_ci_completes_a_python_without_ensurepip(tmp_path):
    code, calls = run_ci(tmp_path, "make", "python3", "chromium", without="python3")
    assert (code, calls[1].split()[-1], calls[2:]) == (0, "python3-venv", ["make test"])


def test_ci_fails_where_make_does(tmp_path):
    """Here no make is there, and the stand-in for apt-get brings none."""
    code, calls = run_ci(tmp_path, "python3", "chromium")
    assert code != 0
    assert "make" in calls[1].split()


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_without_a_browser_its_tests_are_skipped_by_name_except_under_ci(tmp_path, ci, code):
    command = ["-m", "pytest", "-x", "-p", "no:cacheprovider", "--color=no", "tests/browser"]
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"PATH": str(tmp_path), "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout
    if ci:
        assert "no browser" in done.stdout
    else:
        assert "browser tests NOT run" in done.stdout
        assert "tests/browser/test_q03.py::test_every_cell_runs" in done.stdout


# ---- before a commit ---------------------------------------------------------------------------


def test_hooks_run_the_environments_own_tools():
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["repo"] == "local"
    entries = [hook["entry"] for hook in repository["hooks"]]
    assert all(entry.startswith(".venv/bin/python -m ") for entry in entries)
    for entry in entries:
        command = [sys.executable, *entry.split()[1:3], "--help"]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0, entry
