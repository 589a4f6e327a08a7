"""The reader's own copy of the notebooks, `my/`: it follows the source, and never loses a word.

A file belongs to the reader as soon as its words differ from those that were placed there. A
notebook's words are its cells' sources: running it and saving the outputs doesn't make it the
reader's, writing in it does. What was placed is kept in `my/.placed.json`; where that record is
missing or can't be read, every file that differs from the source counts as the reader's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentrl_lite.atomic import replace_file
from agentrl_lite.i18n import _

RECORD = ".placed.json"

# No fingerprint is empty: with this entry, whatever a file says is the reader's.
_UNKNOWN = {"source": "", "words": ""}


@dataclass
class Report:
    """What `refresh` did, as file names relative to the copy.

    Attributes:
        copy: the reader's folder.
        placed: files that were not there.
        updated: untouched files that followed the source.
        removed: untouched files whose source is gone.
        behind: the reader's files whose source has moved on.
        beside: newer versions placed beside the reader's files.
        unknown: whether the record of what was placed could not be read.
    """

    copy: Path
    placed: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    unknown: bool = False

    def lines(self, command: str) -> Iterator[str]:
        """Yield what the reader should know, a line each.

        Args:
            command: what puts newer versions beside the reader's files.
        """
        if self.unknown:
            yield _("{record} can't be read: files that differ are taken as yours.").format(
                record=self.copy / RECORD
            )
        counts = (
            (self.placed, _("Files placed in {copy}: {n}")),
            (self.updated, _("Files brought up to date in {copy}: {n}")),
            (self.removed, _("Files removed from {copy} that the book no longer has: {n}")),
        )
        for names, text in counts:
            if names:
                yield text.format(n=len(names), copy=self.copy)
        for name in self.behind:
            yield _("{file} is yours and stays; the book has a newer one.").format(
                file=self.copy / name
            )
        if self.behind:
            yield _("To get the newer ones beside yours: {command}").format(command=command)
        for name in self.beside:
            yield _("The book's newer version is in {file}.").format(file=self.copy / name)


def refresh(source: Path, copy: Path, *, beside: bool = False) -> Report:
    """Bring `copy` up to date with `source`, without touching what the reader has changed.

    A file that the reader deleted is placed anew: that is how to get a fresh one.

    Args:
        source: the folder of notebooks, with `answers/` in it.
        copy: the reader's folder; made if it isn't there.
        beside: place a newer version of each file of the reader's beside it, as `name.new.ipynb`.

    Raises:
        ValueError: when `source` holds no notebook.
    """
    originals = {path.relative_to(source).as_posix(): path for path in _files(source)}
    if not any(name.endswith(".ipynb") for name in originals):
        raise ValueError(f"source must be a folder with notebooks; it was '{source}'")
    copy.mkdir(parents=True, exist_ok=True)
    record, readable = _load(copy / RECORD)
    report = Report(copy, unknown=not readable)
    for name, original in originals.items():
        record[name] = _follow(original, name, record.get(name, _UNKNOWN), beside, report)
    for name in sorted(set(record) - set(originals)):
        _let_go(copy / name, record.pop(name), name, report)
    _write(copy / RECORD, json.dumps({"version": 1, "files": record}, indent=1).encode() + b"\n")
    return report


def fingerprint(content: bytes, name: str) -> str:
    """Return a hash of a file's words: for a notebook, of its cells' types and sources alone.

    >>> run = b'{"cells": [{"cell_type": "code", "source": ["1"], "outputs": [1]}]}'
    >>> new = b'{"cells": [{"cell_type": "code", "source": "1", "outputs": []}]}'
    >>> fingerprint(run, "a.ipynb") == fingerprint(new, "a.ipynb")
    True
    """
    if name.endswith(".ipynb"):
        try:
            words = [
                (cell["cell_type"], "".join(cell["source"]), cell.get("attachments"))
                for cell in json.loads(content)["cells"]
            ]
            content = json.dumps(words, sort_keys=True).encode()
        except (ValueError, KeyError, TypeError, AttributeError):
            pass  # not a notebook any more: every byte counts
    return hashlib.sha256(content).hexdigest()


def _follow(
    original: Path, name: str, entry: dict[str, str], beside: bool, report: Report
) -> dict[str, str]:
    """Bring one file up to date and return its entry in the record."""
    mine = report.copy / name
    content = original.read_bytes()
    now = {"source": hashlib.sha256(content).hexdigest(), "words": fingerprint(content, name)}
    if not mine.exists() and not mine.is_symlink():
        _write(mine, content)
        report.placed.append(name)
        return now
    words = fingerprint(mine.read_bytes(), name) if mine.is_file() else "not a file"
    if words == entry.get("words") and not mine.is_symlink():
        if entry.get("source") != now["source"]:
            _write(mine, content)
            report.updated.append(name)
        return now
    if words == now["words"]:
        return now
    if entry.get("source") == now["source"]:
        return entry
    if beside:
        report.beside.append(_place_beside(mine, content).relative_to(report.copy).as_posix())
        return _UNKNOWN | {"source": now["source"]}
    report.behind.append(name)
    return entry


def _let_go(mine: Path, entry: dict[str, str], name: str, report: Report) -> None:
    """Remove a file whose source is gone, unless the reader has changed it."""
    if mine.is_symlink() or not mine.is_file():
        return
    if fingerprint(mine.read_bytes(), name) == entry.get("words"):
        mine.unlink()
        report.removed.append(name)


def _place_beside(mine: Path, content: bytes) -> Path:
    """Write `content` under a free name beside the reader's file, and return that name."""
    number = 1
    while True:
        ending = "new" if number == 1 else f"new-{number}"
        path = mine.with_name(f"{mine.stem}.{ending}{mine.suffix}")
        if not path.exists():
            _write(path, content)
            return path
        number += 1


def _files(folder: Path) -> Iterator[Path]:
    """Yield the folder's files in order, without hidden ones and caches."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(p.startswith(".") or p == "__pycache__" for p in parts):
            yield path


def _load(path: Path) -> tuple[dict[str, dict[str, str]], bool]:
    """Return what was placed, and whether the record could be read."""
    try:
        files: Any = json.loads(path.read_text(encoding="utf-8"))["files"]
        record = {
            str(name): {key: str(entry[key]) for key in ("source", "words")}
            for name, entry in files.items()
            if not Path(name).is_absolute() and ".." not in Path(name).parts
        }
    except FileNotFoundError:
        # Nothing placed yet: a new copy, which needs no warning.
        return {}, True
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}, False
    return record, True


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content)
