"""Makes what a teacher hands out: an edition without answers, and one with them.

The students' edition has no answer file, no cell tagged `solution` or `answer`, no output and no
metadata but tags; it is written only after a search for what the answers know has found nothing.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import nbformat

from agentrl_lite import __version__, leaks, notebooks
from agentrl_lite.i18n import N_, _

Kind = Literal["student", "instructor"]

# Marks a folder as an edition: only such a one may be replaced.
MANIFEST = "edition.json"

_LINK = re.compile(r"(?<!!)\[(?P<label>[^\]]*)\]\((?P<target>[^)\s]+)\)")
_PICTURE = re.compile(r"!\[[^\]]*\]\((?P<target>[^)\s]+)\)")

_README = {
    "student": N_(
        "# Edition for students\n\n"
        "With the package's file, which your teacher has, and Python 3.11 or newer:\n\n"
        "    python3 -m venv companion\n"
        "    companion/bin/pip install agentrl_lite-{version}-py3-none-any.whl jupyterlab\n"
        "    companion/bin/jupyter lab\n\n"
        "Your answers are kept in the folder `agentrl-reader` in your home folder. "
        "The reference answers are to be had from your teacher.\n"
    ),
    "instructor": N_(
        "# Edition for instructors\n\n"
        "All notebooks with their outputs, the solutions and the reference answers: "
        "don't hand it to students.\n\n"
        "    python3 -m venv companion\n"
        "    companion/bin/pip install agentrl_lite-{version}-py3-none-any.whl jupyterlab\n"
        "    companion/bin/jupyter lab\n\n"
        "`make editions` puts the package's file beside this folder; students need it too.\n"
    ),
}


class LeakError(ValueError):
    """An edition for students that would tell an answer; the message lists where."""


def build(
    kind: Kind,
    out: Path,
    questions: Sequence[str] | None = None,
    *,
    source: Path = notebooks.SOURCE,
    force: bool = False,
) -> Path:
    """Write an edition into the folder `out` and return that folder.

    Args:
        kind: `"student"` or `"instructor"`.
        out: a folder that is empty or not there yet.
        questions: ids such as `q03`; all if `None`. The start page always comes along.
        source: the folder of notebooks, with `answers/` in it.
        force: replace an edition that is already in `out`.

    Raises:
        ValueError: for an unknown kind or question, or an `out` that is in use.
        LeakError: when something to be handed out tells an answer. Nothing is written then.
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}; it was {kind!r}")
    chosen = _choose(notebooks.find([source]), questions)
    _require_free(out, force)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".edition-") as scratch:
        new = Path(scratch) / "new"
        new.mkdir()
        _fill(new, kind, chosen)
        if kind == "student" and (found := leaks.find_leaks(new, source)):
            listed = "".join(f"\n  {leak}" for leak in found)
            raise LeakError(
                f"the students' edition would tell answers; nothing is written:{listed}"
            )
        if out.exists():
            out.replace(Path(scratch) / "old")
        new.replace(out)
    return out


def without_answers(notebook: Any) -> Any:
    """Drop from `notebook`, in place, answers, outputs and all metadata but tags; return it."""
    notebooks.tidy(notebook)
    notebook.cells = [cell for cell in notebook.cells if not leaks.is_secret(cell)]
    for cell in notebook.cells:
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
    return notebook


def _choose(paths: Sequence[Path], questions: Sequence[str] | None) -> list[Path]:
    """Return the notebooks of `questions`, and those that belong to no question."""
    known = {leaks.question_of(path.name) for path in paths}
    for question in questions or ():
        if question not in known:
            names = ", ".join(sorted(name for name in known if name))
            raise ValueError(f"questions must be among {names}; one was {question!r}")
    wanted = known if questions is None else {None, *questions}
    return [path for path in paths if leaks.question_of(path.name) in wanted]


def _require_free(out: Path, force: bool) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise ValueError(f"out must be a folder; it was the file {out}")
    if any(out.iterdir()):
        if not (out / MANIFEST).is_file():
            raise ValueError(f"out must be empty or an earlier edition; {out} holds other files")
        if not force:
            raise ValueError(
                f"out must be empty; there is an edition in {out} (--force replaces it)"
            )


def _fill(new: Path, kind: Kind, paths: Sequence[Path]) -> None:
    """Write an edition of the notebooks at `paths` into the empty folder `new`."""
    change: Callable[[Any], Any] = without_answers if kind == "student" else notebooks.tidy
    questions = sorted({name for path in paths if (name := leaks.question_of(path.name))})
    if kind == "instructor":
        for question in questions:
            answer = paths[0].parent / "answers" / f"{question}.md"
            if answer.is_file():
                _copy(answer, new / "answers" / answer.name)
    books = {path: change(notebooks.read(path)) for path in paths}
    for path, notebook in books.items():
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                _copy_pictures(cell.source, path.parent, new)
    present = {path.name for path in paths}
    for path, notebook in books.items():
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = _unlink(cell.source, new, present)
        _write(new / path.name, notebooks.text(notebook))
    _write(new / "README.md", _(_README[kind]).format(version=__version__))
    record = {"edition": kind, "questions": questions, "agentrl-lite": __version__}
    _write(new / MANIFEST, json.dumps(record, indent=1) + "\n")


def _copy_pictures(markdown: str, source: Path, new: Path) -> None:
    for match in _PICTURE.finditer(markdown):
        target = match["target"]
        if _is_local(target) and (source / target).is_file() and ".." not in Path(target).parts:
            _copy(source / target, new / target)


def _unlink(markdown: str, new: Path, present: set[str]) -> str:
    """Turn links to files that the edition doesn't have into plain text."""

    def replace(match: re.Match[str]) -> str:
        target = match["target"].partition("#")[0]
        kept = not _is_local(target) or target in present or (new / target).is_file()
        return match[0] if kept else match["label"]

    return _LINK.sub(replace, markdown)


def _is_local(target: str) -> bool:
    """Say whether a link leads to a file: not to an address elsewhere, nor within the page."""
    return bool(target) and not re.match(r"[a-z][a-z+.-]*:|#", target)


def _copy(old: Path, new: Path) -> None:
    new.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(old, new)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
