"""The site, built once for all tests of a run, however many processes they run in."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Return the folder of the built site."""
    base = tmp_path_factory.getbasetemp()
    # Under xdist each process has a folder of its own below the one that they share.
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    out = shared / "site"
    with FileLock(shared / "site.lock"):
        if not (shared / "site.seconds").is_file():
            started = time.monotonic()
            build(out)
            (shared / "site.seconds").write_text(str(time.monotonic() - started))
    return out / "en"


def build(out):
    command = [sys.executable, "-m", "agentrl_lite.cli", "book", "--out", str(out), "--jobs", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
