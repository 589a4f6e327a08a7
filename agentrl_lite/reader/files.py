"""Whole files, safely: where they lie, how they are read, locked and replaced.

A file is replaced in one step, after its successor is complete on disk: a process that is killed
leaves the old file or the new one. A file that cannot be read is set aside under another name.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agentrl_lite.atomic import replace_file
from agentrl_lite.reader.record import Record, from_json, to_json

LOCK_TIMEOUT_S = 2.0
IN_BROWSER = sys.platform == "emscripten"
#: In a browser, the one folder that outlasts the tab: where JupyterLite's own files lie.
DRIVE = Path("/drive")


def folder() -> Path:
    """Return the reader's folder: `$AGENTRL_READER_DIR`, or `agentrl-reader` in the home folder.

    In a browser the home folder vanishes with the tab: there it lies beside the notebooks.
    """
    chosen = os.environ.get("AGENTRL_READER_DIR")
    if chosen:
        return Path(chosen).expanduser()
    home = Path.home()
    if IN_BROWSER:
        home = DRIVE if DRIVE.is_dir() else Path.cwd()
    return home / "agentrl-reader"


def is_lost_with_tab() -> bool:
    """Return whether what is written vanishes with the browser's tab.

    It does where a browser lets no page keep files: in private windows, mostly.
    """
    return IN_BROWSER and not DRIVE.is_dir()


def rescue_folder(reader_folder: Path) -> Path:
    """Return where copies go that `reader_folder` does not take: one place per user and folder."""
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    name = hashlib.sha256(str(reader_folder.absolute()).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"agentrl-reader-{owner}" / name


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of `path` against other processes; a killed process lets go of it.

    Raises:
        OSError: when the folder cannot be written to, or another process holds the lock too long.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:  # "File exists" would tell the reader nothing
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
    if IN_BROWSER:  # one process, and no file locks
        yield
        return
    from filelock import FileLock  # which a browser does not have

    lock = FileLock(path.with_name(f".{path.stem}.lock"), timeout=LOCK_TIMEOUT_S)
    with lock:
        yield


def read_record(path: Path) -> Record | None:
    """Return what `path` holds; None when there is no such file.

    Raises:
        ValueError: when the file is damaged.
        OSError: when it cannot be read.
    """
    try:
        # UnicodeDecodeError and JSONDecodeError are ValueErrors; deep nesting is damage as well.
        return from_json(json.loads(path.read_bytes().decode("utf-8")))
    except FileNotFoundError:
        return None
    except RecursionError:
        raise ValueError(f"{path.name} must be a record; it was nested too deeply") from None


def set_aside(path: Path) -> Path:
    """Rename a damaged file to the first free `name.corrupt-<n>.json`, and return that name.

    The caller holds the lock, so that nobody takes the name in between.
    """
    number = 1
    while (aside := path.with_name(f"{path.stem}.corrupt-{number}.json")).exists():
        number += 1
    return path.rename(aside)


def write_record(path: Path, record: Record) -> None:
    """Replace `path` by `record` in one step.

    Raises:
        OSError: when that fails; the old file is then as it was.
    """
    write_json(path, to_json(record, path.stem))


def write_json(path: Path, data: object) -> None:
    """Replace `path` by `data` as readable JSON, in one step.

    Raises:
        OSError: when that fails; the old file is then as it was.
    """
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    replace_file(path, text.encode("utf-8"), private=True)


def remove_leftovers(path: Path) -> None:
    """Remove unfinished files that a killed process left. The caller holds the lock."""
    for leftover in path.parent.glob(f".{path.stem}-*.tmp"):
        leftover.unlink(missing_ok=True)


def write_rescue(path: Path, writer: str, base: Record, mine: Record) -> Path:
    """Write a copy of `mine` for `path` outside its folder, with the `base` to merge it by.

    Returns:
        the copy's path.

    Raises:
        OSError: when that fails too.
    """
    target = rescue_folder(path.parent)
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    if hasattr(os, "getuid") and target.stat().st_uid != os.getuid():
        raise PermissionError(f"{target} belongs to another user")
    copy = target / f"{path.stem}-{writer}.json"
    write_json(copy, {"base": to_json(base, path.stem), "mine": to_json(mine, path.stem)})
    return copy


def read_rescues(path: Path) -> tuple[list[tuple[Path, Record, Record]], list[Path]]:
    """Return the copies that wait for `path` as (file, base, mine), and those that are damaged."""
    good: list[tuple[Path, Record, Record]] = []
    damaged: list[Path] = []
    for copy in sorted(rescue_folder(path.parent).glob(f"{path.stem}-*.json")):
        try:
            data = json.loads(copy.read_bytes().decode("utf-8"))
            good.append((copy, from_json(data["base"]), from_json(data["mine"])))
        except (ValueError, TypeError, KeyError, OSError, RecursionError):
            damaged.append(copy)
    return good, damaged
