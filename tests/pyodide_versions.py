"""Runs the calculating modules' and the figures' tests under the versions that Pyodide 0.27 has.

Python 3.12 is looked for in `$PYTHON312`, on the path, and where pyenv and uv keep theirs. Without
one, what runs this script does, as far as its version goes with NumPy 2.0. The environment is kept
in `build/pyodide-versions`: a second run installs nothing. Ends with the tests' own status, and
with 3 where nothing could be run.

    python tests/pyodide_versions.py [arguments of pytest]
"""

from __future__ import annotations

import ast
import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "agentrl_lite"
FOLDER = ROOT / "build" / "pyodide-versions"
PYTHON = (3, 12)
# NumPy 2.0 has no wheels for any later Python.
LAST_PYTHON = (3, 12)
REQUIREMENTS = (
    "matplotlib==3.8.4",
    "numpy==2.0.2",
    "pillow==10.2.0",
    "scipy==1.14.1",
    "sympy==1.13.3",
    # matplotlib 3.8 calls functions by names that 3.2 warns of.
    "pyparsing<3.2",
    # The reader's store asks for it where files can be locked, as they can on this machine.
    "filelock>=3.16",
    "hypothesis>=6.100",
    "pytest>=8.3",
    "tqdm>=4.66",
)
# What a test, and all that it imports in turn, may need besides the standard library.
INSTALLED = {"PIL", "filelock", "hypothesis", "matplotlib", "mpmath", "numpy", "pytest", "scipy"}
INSTALLED |= {"sympy", "tqdm"}


def main() -> int:
    python = find_python()
    if python is None:
        have = ".".join(map(str, sys.version_info[:2]))
        wanted = ".".join(map(str, PYTHON))
        print(f"No Python {wanted} was found, and NumPy 2.0 does not go with {have}: nothing run.")
        print(f"Install one, or name it: PYTHON312=/path/to/python{wanted}")
        return 3
    installed = install(python)
    tests = [str(path.relative_to(ROOT)) for path in (*chosen_tests(), *chosen_modules())]
    # Not the settings that start notebooks, and not the plugin that runs them.
    options = ["--noconftest", "-p", "tests.conftest", "-o", "addopts=", "--strict-markers"]
    options += ["-p", "no:cacheprovider", "--doctest-modules"]
    command = [str(installed), "-m", "pytest", "-q", *options, *sys.argv[1:], *tests]
    return subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode


def find_python() -> str | None:
    """Return the interpreter to make the environment with."""
    for candidate in candidates():
        if version(candidate) == PYTHON:
            return candidate
    return sys.executable if sys.version_info[:2] <= LAST_PYTHON else None


def candidates() -> Iterator[str]:
    """Yield what may be a Python 3.12."""
    name = "python{}.{}".format(*PYTHON)
    if os.environ.get("PYTHON312"):
        yield os.environ["PYTHON312"]
    yield sys.executable
    if found := shutil.which(name):
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    uv = Path.home() / ".local" / "share" / "uv" / "python"
    for folder in (pyenv / "versions", uv):
        yield from map(str, sorted(folder.glob(f"*/bin/{name}")))


def version(python: str) -> tuple[int, int] | None:
    """Return an interpreter's version; `None` where there is none."""
    code = "import sys; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
        major, minor = map(int, done.stdout.split())
    except (OSError, subprocess.CalledProcessError, ValueError):
        return None
    return major, minor


def install(python: str) -> Path:
    """Make the environment, if it is not there yet, and return its interpreter."""
    inside = FOLDER / ("Scripts" if os.name == "nt" else "bin") / "python"
    stamp, wanted = FOLDER / ".installed", "\n".join((python, *REQUIREMENTS))
    if stamp.is_file() and stamp.read_text() == wanted:
        return inside
    print(f"Making an environment with {python} in {FOLDER.relative_to(ROOT)} ...", flush=True)
    subprocess.run([python, "-m", "venv", "--clear", FOLDER], check=True)
    pip = [inside, "-m", "pip", "--disable-pip-version-check", "install", "-qq", "--no-input"]
    subprocess.run([*pip, "--only-binary", ":all:", *REQUIREMENTS], check=True)
    stamp.write_text(wanted)
    return inside


def environment() -> dict[str, str]:
    """Return the environment of the tests, without what belongs to another interpreter."""
    others = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in others}


def chosen_tests() -> Iterator[Path]:
    """Yield the tests of the package that need nothing but what is installed."""
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        of_package = any(name.startswith(PACKAGE) for name in imported(path))
        if of_package and needed(path) <= INSTALLED:
            yield path


def chosen_modules() -> Iterator[Path]:
    """Yield the modules that need nothing but what is installed, for their doctests."""
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        if ">>>" in path.read_text(encoding="utf-8") and needed(path) <= INSTALLED:
            yield path


def needed(path: Path) -> set[str]:
    """Return what a file imports in turn, of what is neither ours nor the standard library's.

    An import within a function of ours counts in a test alone: a module does without it.
    """
    found, seen = set(), set()
    around = files(".".join(path.relative_to(ROOT).with_suffix("").parts))
    waiting = [(path, path.name.startswith("test_")), *((other, False) for other in around)]
    while waiting:
        file, everywhere = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        for name in imported(file, everywhere=everywhere):
            ours = files(name)
            waiting += [(other, False) for other in ours]
            root = name.partition(".")[0]
            if not ours and root not in sys.stdlib_module_names:
                found.add(root)
    return found


@functools.cache
def files(name: str) -> tuple[Path, ...]:
    """Return the files of ours that importing a dotted name runs, the packages around it too."""
    parts = name.split(".")
    paths = []
    for folder in (ROOT, ROOT / "tests"):
        for n in range(1, len(parts) + 1):
            stem = folder.joinpath(*parts[:n])
            paths += [stem.with_suffix(".py"), stem / "__init__.py"]
    return tuple(path for path in paths if path.is_file())


@functools.cache
def imported(path: Path, *, everywhere: bool = True) -> tuple[str, ...]:
    """Return the modules that a file imports, with the names from them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: list[str] = []
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(names)


if __name__ == "__main__":
    raise SystemExit(main())
