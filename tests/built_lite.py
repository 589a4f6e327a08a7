"""The site whose notebooks run in a browser, built once for all tests of a run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def lite_site(tmp_path_factory):
    """Return the folder of the site as `make lite` builds it: Pyodide is elsewhere."""
    base = tmp_path_factory.getbasetemp()
    # Under xdist each process has a folder of its own below the one that they share.
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    out = shared / "lite"
    with FileLock(shared / "lite.lock"):
        if not out.is_dir():
            build(out)
    return out


def build(out, *options):
    command = [sys.executable, "-m", "agentrl_lite.cli", "lite", "--out", str(out), *options]
    environment = {k: v for k, v in os.environ.items() if k != "SOURCE_DATE_EPOCH"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
