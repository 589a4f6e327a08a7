"""The stores of one kernel: one for each question, whoever asks for it."""

from __future__ import annotations

import atexit
import threading
from pathlib import Path

from agentrl_lite.reader.files import folder, read_record
from agentrl_lite.reader.record import Record
from agentrl_lite.reader.store import Store

_open: dict[Path, Store] = {}
_opening = threading.RLock()


def open_store(question: str) -> Store:
    """Return the store of `question` in the reader's folder, the same one in the whole kernel."""
    path = folder().absolute() / f"{question}.json"
    with _opening:
        if path not in _open:
            _open[path] = Store(question, path.parent)
        return _open[path]


def read(question: str) -> tuple[Record, str]:
    """Return what is known of `question` without changing anything on disk.

    Returns:
        the record, and what was wrong with its file (empty when nothing was).
    """
    path = folder().absolute() / f"{question}.json"
    if path in _open:
        return _open[path].record, ""
    try:
        return read_record(path) or Record(), ""
    except (OSError, ValueError) as error:
        return Record(), str(error)


def flush_all() -> None:
    """Save whatever waits to be saved, in every store of this kernel."""
    for store in _open.values():
        store.flush()


# At the end of the kernel the event loop no longer turns: nothing postponed would run.
atexit.register(flush_all)
