"""The sites, each built once for all tests of a run, however many processes they run in."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Return the folder of the book as `make book` builds it."""
    return built_once(tmp_path_factory, "book", "--jobs", "2") / "en"


@pytest.fixture(scope="session")
def lite_site(tmp_path_factory):
    """Return the folder of the site as `make lite` builds it: Pyodide is elsewhere."""
    return built_once(tmp_path_factory, "lite")


def built_once(tmp_path_factory, command, *options):
    """Return the folder that the first process to ask has built."""
    base = tmp_path_factory.getbasetemp()
    # Under xdist each process has a folder of its own below the one that they share.
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    whole = shared / f"{command}.built"
    with FileLock(shared / f"{command}.lock"):
        if not whole.is_file():
            build(command, shared / command, *options)
            whole.touch()
    return shared / command


def build(command, out, *options):
    """Run a command of the package that writes a site."""
    environment = {k: v for k, v in os.environ.items() if k != "SOURCE_DATE_EPOCH"}
    done = subprocess.run(
        [sys.executable, "-m", "agentrl_lite.cli", command, "--out", str(out), *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
