"""Runs the calculating modules' and the figures' tests under the versions that Pyodide 0.27 has.

Python 3.12 is looked for in `$PYTHON312`, on the path, and where pyenv and uv keep theirs. Without
one, what runs this script does, as far as its version goes with NumPy 2.0. The environment is kept
in `build/pyodide-versions`: a second run installs nothing. Ends with the tests' own status, and
with 3 where nothing could be run.

    python tests/pyodide_versions.py [arguments of pytest]
"""

from __future__ import annotations

import ast
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
    "hypothesis>=6.100",
    "pytest>=8.3",
    "tqdm>=4.66",
)
# Parts of the package that need what is not installed here; the rest calculates or draws.
OTHER_PARTS = {"answers", "cli", "editions", "gym_env", "leaks", "notebooks", "reader", "widgets"}
OTHER_PARTS |= {"site", "workcopy"}
# What a test may import besides the package, the standard library and other tests' files.
INSTALLED = {"PIL", "hypothesis", "matplotlib", "mpmath", "numpy", "pytest", "scipy", "sympy"}


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
    """Yield the tests of what calculates or draws."""
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        names = set(imported(path))
        parts = {name.split(".")[1] for name in names if name.startswith(f"{PACKAGE}.")}
        here = {other.stem for other in (ROOT / "tests").glob("*")} | {"tests", PACKAGE}
        outside = {name.split(".")[0] for name in names} - here - sys.stdlib_module_names
        if parts and not parts & OTHER_PARTS and outside <= INSTALLED:
            yield path


def chosen_modules() -> Iterator[Path]:
    """Yield the package's modules that calculate or draw, for their doctests."""
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        part = path.relative_to(ROOT / PACKAGE).with_suffix("").parts[0]
        if part not in OTHER_PARTS and ">>>" in path.read_text(encoding="utf-8"):
            yield path


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports, and the names from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


if __name__ == "__main__":
    raise SystemExit(main())
