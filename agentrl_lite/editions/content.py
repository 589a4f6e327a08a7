"""What of a notebook goes into an edition: cells, outputs, pictures, links that lead somewhere."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import nbformat

from agentrl_lite import leaks, notebooks

_LINK = re.compile(r"(?<!!)\[(?P<label>[^\]]*)\]\((?P<target>[^)\s]+)\)")
# A paragraph that is nothing but a link says nothing without it.
_LONE_LINK = re.compile(r"(?:\A|\n\n)\[[^\]\n]*\]\([^)\s]+\)\.?(?=\n\n|\Z)")
_HTML_LINK = re.compile(
    r"""<a\b[^>]*\bhref=["'](?P<target>[^"']+)["'][^>]*>(?P<label>.*?)</a>""", re.DOTALL
)
_PICTURE = re.compile(r"!\[[^\]]*\]\((?P<target>[^)\s]+)\)")


def choose(paths: Sequence[Path], questions: Sequence[str] | None) -> list[Path]:
    """Return the notebooks of `questions`, and those that belong to no question.

    Raises:
        ValueError: when one of `questions` has no notebook, or none is named.
    """
    known = {leaks.question_of(path.name) for path in paths}
    names = ", ".join(sorted(name for name in known if name))
    if questions is not None and not questions:
        raise ValueError(f"questions must name at least one of {names}; it was empty")
    for question in questions or ():
        if question not in known:
            raise ValueError(f"questions must be among {names}; one was {question!r}")
    wanted = known if questions is None else {None, *questions}
    return [path for path in paths if leaks.question_of(path.name) in wanted]


def without_answers(notebook: Any) -> Any:
    """Drop from `notebook`, in place, answers, outputs and all metadata but tags; return it."""
    drop_secrets(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
    return notebook


def drop_secrets(notebook: Any) -> Any:
    """Drop from `notebook`, in place, answers and all metadata but tags; return it."""
    notebooks.tidy(notebook)
    notebook.cells = [cell for cell in notebook.cells if not leaks.is_secret(cell)]
    for cell in notebook.cells:
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
    return notebook


def copy_pictures(notebook: Any, source: Path, new: Path) -> None:
    """Copy to `new` the pictures that the text of a notebook in the folder `source` shows."""
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        for match in _PICTURE.finditer(cell.source):
            target = match["target"]
            within = ".." not in Path(target).parts and not Path(target).is_absolute()
            if _is_local(target) and within and (source / target).is_file():
                copy(source / target, new / target)


def mend_links(notebook: Any, new: Path, present: Collection[str], suffix: str = ".ipynb") -> None:
    """Turn each link to a file that the edition in `new` doesn't have into plain text.

    Args:
        notebook: changed in place, the HTML of its outputs too.
        new: the edition's folder; what lies in it already may be linked.
        present: names of the notebooks that come along.
        suffix: what takes the place of `.ipynb`, since the edition's pages end in it.
    """

    def replace(match: re.Match[str]) -> str:
        target = match["target"]
        file = target.partition("#")[0]
        if file in present:
            moved = file.removesuffix(".ipynb") + suffix + target[len(file) :]
            return match[0].replace(target, moved)
        return match[0] if not _is_local(target) or (new / file).is_file() else match["label"]

    def lone(match: re.Match[str]) -> str:
        link = _LINK.search(match[0])
        return "" if link and replace(link) == link["label"] else match[0]

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _LONE_LINK.sub(lone, cell.source)
            cell.source = _HTML_LINK.sub(replace, _LINK.sub(replace, cell.source))
        for output in cell.get("outputs", ()):
            if "text/html" in output.get("data", {}):
                output.data["text/html"] = _HTML_LINK.sub(replace, output.data["text/html"])


def copy(old: Path, new: Path) -> None:
    """Copy a file, with the folders that it needs."""
    new.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(old, new)


def write(path: Path, text: str) -> None:
    """Write a text file, the same bytes on every system."""
    path.write_text(text, encoding="utf-8", newline="\n")


def _is_local(target: str) -> bool:
    """Say whether a link leads to a file: not to an address elsewhere, nor within the page."""
    return bool(target) and not re.match(r"[a-z][a-z+.-]*:|#|//", target)
