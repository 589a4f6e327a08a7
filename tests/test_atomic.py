"""A file is replaced whole or not at all."""

import os
from pathlib import Path

import pytest

from agentrl_lite.atomic import replace_file


def fail(*_arguments):
    raise OSError("disk full")


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "figure.svg"
    found.write_bytes(b"before")
    return found


def test_new_content_takes_the_old_ones_place(path):
    replace_file(path, b"after")
    assert path.read_bytes() == b"after"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(("owner", "step"), [(os, "fsync"), (Path, "chmod"), (Path, "replace")])
def test_a_failure_leaves_the_old_file_and_nothing_beside_it(path, monkeypatch, owner, step):
    monkeypatch.setattr(owner, step, fail)
    with pytest.raises(OSError, match="disk full"):
        replace_file(path, b"after")
    assert path.read_bytes() == b"before"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="files have no such modes")
@pytest.mark.parametrize(("private", "mode"), [(False, 0o644), (True, 0o600)])
def test_others_may_read_it_unless_it_is_private(path, private, mode):
    replace_file(path, b"after", private=private)
    assert path.stat().st_mode & 0o777 == mode
