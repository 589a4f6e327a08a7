"""Executes the notebooks in place, so that two executions write the same bytes.

What differs from run to run is dropped: timings, widget state and the widget-view key (a stored
one makes a trusted JupyterLab say "model not found"). What may differ from reader to reader is shut
out: the kernel gets an empty reader's store, no profile of its own and a fixed hash seed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from tqdm import tqdm

SOURCE = Path("notebooks/en")
TIMEOUT_S = 120
VIEW = "application/vnd.jupyter.widget-view+json"

_NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_KEPT_CELL_METADATA = ("jupyter", "slideshow", "tags")


class NotebookError(ValueError):
    """A notebook that can't be read or run; the message names the file, the cell and the error."""


def kernel_environment(folder: str | Path) -> dict[str, str]:
    """Return the environment for a kernel whose outputs are to be the same for everybody.

    Args:
        folder: an empty folder, for the reader's store and for IPython's profile.
    """
    dropped = {"MPLBACKEND", "FORCE_COLOR", "PYTHONSTARTUP", "PYTHONWARNINGS"}
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    environment["AGENTRL_READER_DIR"] = str(Path(folder) / "reader")
    environment["IPYTHONDIR"] = str(Path(folder) / "ipython")
    environment["NO_COLOR"] = "1"
    environment["PYTHONHASHSEED"] = "0"
    return environment


def read(path: Path) -> Any:
    """Return the notebook at `path` as nbformat's nodes.

    Raises:
        NotebookError: when there is no such file, or it isn't a notebook.
    """
    try:
        return nbformat.read(path, as_version=4)
    except (OSError, ValueError, nbformat.ValidationError) as error:
        raise NotebookError(f"{path} can't be read as a notebook: {error}") from None


def tidy(notebook: Any) -> Any:
    """Drop from `notebook`, in place, what differs from run to run; return it."""
    notebook.metadata = nbformat.from_dict(_NOTEBOOK_METADATA)
    count = 0
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: cell.metadata[key] for key in _KEPT_CELL_METADATA if key in cell.metadata}
        )
        if cell.cell_type != "code":
            continue
        # A cell that was never run keeps no count: the tests must see that.
        ran = cell.execution_count is not None
        count += 1
        cell.execution_count = count if ran else None
        for output in cell.outputs:
            output.get("data", {}).pop(VIEW, None)
            if output.output_type == "execute_result":
                output.execution_count = cell.execution_count
    return notebook


def text(notebook: Any) -> str:
    """Return what a notebook's file holds: sorted keys, one space of indent, a last newline."""
    return str(nbformat.writes(notebook, indent=1, ensure_ascii=False)).rstrip("\n") + "\n"


def tidied(path: Path) -> str:
    """Return the file's text without what differs from run to run; nothing is executed."""
    return text(tidy(read(path)))


def executed(path: Path) -> str:
    """Return the text that the notebook's file has once it is executed from top to bottom.

    Raises:
        NotebookError: when a cell fails, takes too long or kills its kernel.
    """
    notebook = read(path)
    here = {"id": "no cell"}
    with tempfile.TemporaryDirectory(prefix="agentrl-") as folder:
        client = NotebookClient(
            notebook,
            timeout=TIMEOUT_S,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            # Else every kernel warns that it talks over loopback unencrypted.
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": str(path.parent)}},
        )
        client.on_cell_start = lambda cell, cell_index: here.update(id=cell.get("id", cell_index))
        try:
            client.execute(env=kernel_environment(folder))
        except CellExecutionError as error:
            raise NotebookError(
                f"{path}, cell {here['id']}: {error.ename}: {error.evalue}"
            ) from None
        except CellTimeoutError:
            raise NotebookError(
                f"{path}, cell {here['id']}: still running after {TIMEOUT_S} s"
            ) from None
        except DeadKernelError:
            raise NotebookError(f"{path}, cell {here['id']}: the kernel died") from None
    return text(tidy(notebook))


def find(paths: Sequence[Path] = (SOURCE,)) -> list[Path]:
    """Return the notebooks that `paths` name: a file itself, a folder's notebooks in order.

    Raises:
        NotebookError: when a path is neither, or a folder holds no notebook.
    """
    found: list[Path] = []
    for path in paths:
        inside = [path] if path.suffix == ".ipynb" else sorted(path.glob("*.ipynb"))
        if not inside or not inside[0].is_file():
            raise NotebookError(f"paths must be notebooks or folders of notebooks; one was {path}")
        found += inside
    return found


def refresh(
    paths: Sequence[Path],
    renew: Callable[[Path], str] = executed,
    *,
    check: bool = False,
    progress: bool = False,
) -> list[Path]:
    """Write every notebook anew and return those whose bytes changed.

    Args:
        paths: notebooks.
        renew: gives a notebook's new text: `executed` or `tidied`.
        check: write nothing.
        progress: show a bar, if somebody looks at it.
    """
    changed = []
    for path in tqdm(paths, unit="notebook", disable=None if progress else True):
        new = renew(path)
        if new == path.read_text(encoding="utf-8"):
            continue
        changed.append(path)
        if not check:
            path.write_text(new, encoding="utf-8", newline="\n")
    return changed
