"""Puts a JupyterLite site together: settings, notebooks, wheels, and Pyodide if it is at hand."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from agentrl_lite.lite import pyodide, tools, wheels
from agentrl_lite.lite.needs import Needs, resolve

NOTEBOOKS = Path("notebooks/en")
SETTINGS = Path("book/lite")
PACKAGE = "agentrl-lite"
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
#: Where a site has a Pyodide of its own.
OWN = "static/pyodide"
SITE = "jupyter-lite.json"
#: Tells a reader that Python cannot be had; in the pages that open notebooks.
NOTICE = "notice.js"
OPENING = ("lab", "notebooks")


def build(out: Path, source: Path = NOTEBOOKS, distribution: Path | None = None) -> Path:
    """Write the site and return its folder.

    Args:
        out: the folder; what an earlier run wrote there is replaced.
        source: the notebooks, with their answers, as readers are to find them.
        distribution: a folder with all of Pyodide; by default readers' browsers get it from its
            public place, and only when a notebook is opened.

    Raises:
        ValueError: when `source` has no notebooks, when `out` holds something else, when anything
            that a notebook needs cannot be brought, or when JupyterLite has failed.
    """
    tools.check()
    if not any(source.glob("*.ipynb")):
        raise ValueError(f"source must be a folder with notebooks; it was {source}")
    if out.exists() and any(out.iterdir()) and not (out / SITE).is_file():
        raise ValueError(f"out must be new, empty, or a JupyterLite site; it was {out}")
    out.parent.mkdir(parents=True, exist_ok=True)
    # On the same disk, so that a site that is whole takes its place in one step.
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".lite-") as name:
        work = Path(name)
        needed = stage(work / "site", source, own=distribution is not None)
        if distribution is not None:  # what is wrong with it is told before the longer part
            pyodide.copy(distribution, needed.pyodide, work / "own")
        tools.build(work / "site", work / "made")
        add_notice(work / "made", own=distribution is not None)
        if distribution is not None:
            shutil.copytree(work / "own", work / "made" / OWN)
        if out.exists():
            shutil.rmtree(out)
        (work / "made").rename(out)
    return out


def stage(folder: Path, source: Path, *, own: bool) -> Needs:
    """Write what JupyterLite makes a site of, and return what the notebooks need.

    Args:
        folder: which is not there yet.
        source: the notebooks.
        own: whether the site has a Pyodide of its own.
    """
    copy_notebooks(source, folder / "files")
    needed = bring_wheels(folder / "pypi")
    for path in sorted(SETTINGS.glob("*.json")):
        if path.name != pyodide.KNOWN.name:
            shutil.copyfile(path, folder / path.name)
    site = _read(folder / SITE)
    site["jupyter-config-data"]["litePluginSettings"][KERNEL]["pyodideUrl"] = _python("./", own)
    _write(folder / SITE, site)
    config = _read(folder / "jupyter_lite_config.json")
    extensions = [str(tools.extension(name)) for name in tools.EXTENDING]
    config["LiteBuildConfig"]["federated_extensions"] = extensions
    _write(folder / "jupyter_lite_config.json", config)
    return needed


def add_notice(site: Path, *, own: bool) -> None:
    """Put the notice into each page that opens notebooks.

    Args:
        site: as JupyterLite has made it.
        own: whether the site has a Pyodide of its own.

    Raises:
        ValueError: when such a page does not end its body once: the notice would stand nowhere.
    """
    shutil.copyfile(SETTINGS / NOTICE, site / NOTICE)
    script = f'<script src="../{NOTICE}" data-python="{_python("../", own)}"></script>'
    for name in OPENING:
        path = site / name / "index.html"
        page = path.read_text(encoding="utf-8")
        if page.count("</body>") != 1:
            raise ValueError(f"{path} must end its body once, for the notice to stand there")
        path.write_text(page.replace("</body>", f"{script}\n</body>"), encoding="utf-8")


def _python(root: str, own: bool) -> str:
    """Return where Python comes from, for a page that reaches the site's folder by `root`."""
    return f"{root}{OWN}/{pyodide.SCRIPT}" if own else pyodide.PUBLIC


def copy_notebooks(source: Path, folder: Path) -> None:
    """Copy the notebooks and what lies beside them, but nothing hidden."""
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source)
        if path.is_file() and not any(part.startswith(".") for part in inside.parts):
            (folder / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / inside)


def bring_wheels(folder: Path) -> Needs:
    """Write our wheel and all that it needs beyond Pyodide, and return what that is."""
    folder.mkdir(parents=True)
    ours = tools.wheel(Path(), folder)
    wanted = [*wheels.requirements(ours), *tools.KERNEL_STARTS_WITH]
    needed = resolve(wanted, pyodide.known(), tools.kernel_releases(), wheels.installed)
    for name in sorted(needed.wheels):
        wheels.pack(name, folder)
    wheels.starter(tools.placeholder(), PACKAGE, folder)
    return needed


def _read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def _write(path: Path, data: dict[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
