"""JupyterLite as it is installed here: its versions, its extensions, its program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

#: What was seen to work together, and with the Pyodide of `pyodide`.
VERSIONS = {"jupyterlite-core": "0.6.4", "jupyterlite-pyodide-kernel": "0.6.1"}
#: Distributions that bring an extension of JupyterLab which a site needs: the kernel, and widgets.
EXTENDING = ("jupyterlite-pyodide-kernel", "jupyterlab-widgets")
#: What the kernel installs when it starts, before any cell runs.
KERNEL_STARTS_WITH = ("micropip", "ssl", "sqlite3", "comm", "jedi", "ipython")
#: All times in a site, in seconds since the epoch, so that it is the same each time: early 2025.
EPOCH_S = 1_735_689_600


def check() -> None:
    """Raise a ValueError that says what to do unless JupyterLite is here in the right versions."""
    for name, wanted in VERSIONS.items():
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            found = "not installed"
        if found != wanted:
            raise ValueError(
                f"{name} must be {wanted}; it is {found}. "
                "pip install -c constraints.txt -e '.[lite]' brings it"
            )


def extension(name: str) -> Path:
    """Return the folder of the JupyterLab extension that a distribution brings.

    Raises:
        ValueError: when it brings none.
    """
    for path in metadata.distribution(name).files or []:
        if path.name == "package.json" and "labextensions" in path.parts:
            return Path(str(path.locate())).resolve().parent
    raise ValueError(f"name must be of a distribution with an extension; {name} has none")


def kernel_wheels() -> Path:
    """Return the folder of the wheels that the kernel has with it."""
    return extension("jupyterlite-pyodide-kernel") / "static" / "pypi"


def kernel_releases() -> dict[str, list[str]]:
    """Return the versions by name of the wheels that the kernel has with it."""
    index = json.loads((kernel_wheels() / "all.json").read_text(encoding="utf-8"))
    return {name: list(entry["releases"]) for name, entry in index.items()}


def placeholder() -> Path:
    """Return the kernel's wheel that stands for `ipykernel`."""
    (found,) = kernel_wheels().glob("ipykernel-*.whl")
    return found


def wheel(project: Path, folder: Path) -> Path:
    """Write the wheel of a project, and return its path. Nothing is fetched for it."""
    folder = folder.resolve()
    _run(["-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)], project)
    (found,) = folder.glob("*.whl")
    return found


def build(lite_dir: Path, out: Path) -> None:
    """Let JupyterLite make a site of a folder of settings, wheels and files."""
    where = ["--lite-dir", str(lite_dir.resolve()), "--output-dir", str(out.resolve())]
    _run(["-m", "jupyterlite_core", "build", *where], lite_dir)


def _run(arguments: list[str], folder: Path) -> None:
    """Run one of Python's programs away from anybody's own settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUPYTERLITE_", "JUPYTER_"))
    }
    own = {
        "JUPYTER_CONFIG_DIR": str(folder / ".jupyter"),
        "JUPYTER_NO_CONFIG": "1",
        "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", str(EPOCH_S)),
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=kept | own,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        told = "\n".join([*done.stdout.splitlines(), *done.stderr.splitlines()][-20:])
        raise ValueError(f"{arguments[1]} has failed:\n{told}")
