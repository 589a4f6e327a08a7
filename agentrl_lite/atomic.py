"""A file that is replaced in one step, or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, content: bytes, *, private: bool = False) -> None:
    """Put `content` in the place of `path`, after all of it is on the disk.

    A process that is killed, or a disk that is full, leaves the old file as it was; a killed
    process may leave a `.<stem>-*.tmp` beside it.

    Args:
        path: the file, in a folder that is there.
        content: all of it.
        private: whether others may not read it.

    Raises:
        OSError: when it cannot be written.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if not private:
            Path(name).chmod(0o644)  # mkstemp's own mode would hide it from everybody else
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
