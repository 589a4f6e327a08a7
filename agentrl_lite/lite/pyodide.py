"""Pyodide: which packages it has, where readers get it from, and a copy of what a site needs."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

#: The version that was seen to work with the JupyterLite of `tools`.
VERSION = "0.27.7"
#: Where readers' browsers get it from, unless a site brings its own.
PUBLIC = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/pyodide.js"
#: Its names and versions: the short form of the lock file.
KNOWN = Path("book/lite/pyodide.json")

LOCK = "pyodide-lock.json"
SCRIPT = "pyodide.js"
LICENCE = "LICENCE.txt"
CORE = (SCRIPT, "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
#: Whoever passes Pyodide on has to say under which licence, and where its source is.
NOTICE = f"""\
This folder is a part of Pyodide {VERSION}, unchanged but for the list of its packages.
Pyodide is under the Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/.
Its source: https://github.com/pyodide/pyodide, tag {VERSION}.
Each package is under its own licence, in the .dist-info folder of its wheel.
"""


@dataclass(frozen=True)
class Contents:
    """What a version of Pyodide holds.

    Attributes:
        version: its own.
        python: its Python's version, in full.
        packages: version by name; names as package indices write them.
    """

    version: str
    python: str
    packages: Mapping[str, str]

    def markers(self) -> dict[str, str]:
        """Return what the markers of requirements are compared with there.

        >>> Contents("0.27.7", "3.12.7", {}).markers()["python_version"]
        '3.12'
        """
        return {
            "implementation_name": "cpython",
            "implementation_version": self.python,
            "os_name": "posix",
            "platform_machine": "wasm32",
            "platform_python_implementation": "CPython",
            "platform_release": "",
            "platform_system": "Emscripten",
            "platform_version": "",
            "python_full_version": self.python,
            "python_version": ".".join(self.python.split(".")[:2]),
            "sys_platform": "emscripten",
        }


def known(path: Path = KNOWN) -> Contents:
    """Return what `VERSION` holds, without having it at hand.

    Raises:
        ValueError: when the file tells of another version.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["version"] != VERSION:
        raise ValueError(f"{path} must tell of Pyodide {VERSION}; it tells of {data['version']}")
    return Contents(data["version"], data["python"], data["packages"])


def copy(folder: Path, names: Iterable[str], target: Path) -> None:
    """Copy from a folder of Pyodide what some packages need; its lock then lists no others.

    So each package that a notebook can ask for is there, and the site is a fifth of Pyodide.

    Args:
        folder: Pyodide as it is released, unpacked.
        names: the packages, as package indices write them.
        target: a folder that is not there yet.

    Raises:
        ValueError: when it is another version, or when a file is missing or damaged.
    """
    lock = checked_lock(folder)
    chosen = _with_dependencies(lock["packages"], names, folder)
    files = [*CORE, *(entry["file_name"] for entry in chosen.values())]
    _check_files(folder, chosen)
    target.mkdir(parents=True)
    for file in files:
        shutil.copyfile(folder / file, target / file)
    text = json.dumps({**lock, "packages": chosen}, indent=1, sort_keys=True)
    (target / LOCK).write_text(text + "\n", encoding="utf-8")
    (target / LICENCE).write_text(NOTICE, encoding="utf-8")


def checked_lock(folder: Path) -> dict[str, Any]:
    """Return the lock of a folder of Pyodide.

    Raises:
        ValueError: when the folder is none of Pyodide, or of another version.
    """
    path = folder / LOCK
    try:
        lock: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        found = lock["info"]["version"]
        lock["packages"].items()
    except FileNotFoundError:
        raise ValueError(
            f"pyodide must be a folder of Pyodide {VERSION}; there is no {path}"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{path} must be the lock of Pyodide {VERSION}; it is damaged") from None
    if found != VERSION:
        raise ValueError(f"pyodide must be Pyodide {VERSION}; in {folder} is {found}")
    return lock


def _with_dependencies(
    packages: Mapping[str, dict[str, Any]], names: Iterable[str], folder: Path
) -> dict[str, dict[str, Any]]:
    """Return the lock's entries of some packages and of all that they need, by the lock's keys."""
    key_of = {canonicalize_name(key): key for key in packages}
    chosen: dict[str, dict[str, Any]] = {}
    waiting = [canonicalize_name(name) for name in names]
    missing = set()
    while waiting:
        name = waiting.pop()
        if name not in key_of:
            missing.add(str(name))
        elif key_of[name] not in chosen:
            entry = packages[key_of[name]]
            chosen[key_of[name]] = entry
            waiting += [canonicalize_name(other) for other in entry["depends"]]
    if missing:
        raise ValueError(f"{folder / LOCK} must list {', '.join(sorted(missing))}; it does not")
    return dict(sorted(chosen.items()))


def _check_files(folder: Path, chosen: Mapping[str, dict[str, Any]]) -> None:
    sums = {entry["file_name"]: entry["sha256"] for entry in chosen.values()}
    missing = [name for name in (*CORE, *sums) if not (folder / name).is_file()]
    if missing:
        raise ValueError(
            f"pyodide must be the full distribution of Pyodide {VERSION}; of what the notebooks "
            f"need, {folder} lacks {len(missing)} files: {', '.join(sorted(missing))}"
        )
    for name, expected in sums.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != expected:
            raise ValueError(f"{folder / name} must be as {LOCK} says; its checksum differs")
