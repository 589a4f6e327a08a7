"""Writes an edition, whole or not at all: as a folder, or as a zip file that holds that folder.

An edition without answers is written only after a search for what the answers know has found
nothing.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal, get_args

from nbformat.v4 import new_output

from agentrl_lite import __version__, leaks, notebooks
from agentrl_lite.editions import content, words
from agentrl_lite.i18n import _

Kind = Literal["student", "instructor", "slides", "handout"]

# Marks a folder as an edition: only such a one may be replaced.
MANIFEST = "edition.json"

_FORMS = ("slides", "handout")
# Whether an edition has answers if nobody says: slides show them one key after the question.
_ANSWERS = {"student": False, "instructor": True, "slides": True, "handout": False}
_NAMES = {f"application/vnd.agentrl.{kind}+json" for kind in ("card", "guess")}
_DRAWN = {f"application/vnd.agentrl.{kind}+json" for kind in ("figure", "live")}
# The same bytes from the same notebooks: a zip file keeps times, so it gets its earliest.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


class LeakError(ValueError):
    """An edition without answers that would tell one; the message lists where."""


@dataclass(frozen=True)
class _Order:
    """What is to be made: `build`'s arguments, checked."""

    kind: Kind
    paths: list[Path]
    answers: bool
    source: Path
    book: Path


def build(
    kind: Kind,
    out: Path,
    questions: Sequence[str] | None = None,
    *,
    source: Path = notebooks.SOURCE,
    force: bool = False,
    answers: bool | None = None,
    zipped: bool = False,
    book: Path = Path("book"),
) -> Path:
    """Write an edition to `out` and return its path.

    Args:
        kind: `"student"`, `"instructor"`, `"slides"` or `"handout"`.
        out: a folder that is empty or not there yet.
        questions: ids such as `q03`; all if `None`. The start page comes along with notebooks.
            A link to a notebook that does not come along becomes plain text.
        source: the folder of notebooks, with `answers/` in it.
        force: replace an edition that is already in `out`.
        answers: for slides and handouts: with answers or without. By default slides have them, a
            handout has none.
        zipped: write one file, `out` with `.zip` behind it, that holds the folder.
        book: the folder with the templates of slides and handouts.

    Raises:
        ValueError: for an unknown kind or question, or an `out` that is in use.
        LeakError: when something to be handed out tells an answer. Nothing is written then.
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}; it was {kind!r}")
    if answers is not None and kind not in _FORMS and answers != _ANSWERS[kind]:
        has = "has answers" if _ANSWERS[kind] else "has no answers"
        raise ValueError(f"answers is a choice for slides and handout; {kind} always {has}")
    paths = content.choose(notebooks.find([source]), questions)
    if kind in _FORMS:
        paths = [path for path in paths if leaks.question_of(path.name)]
    told = _ANSWERS[kind] if answers is None else answers
    order = _Order(kind, paths, told, source, book)
    name = out.name.removesuffix(".zip") if zipped else out.name
    target = out.with_name(f"{name}.zip") if zipped else out
    _require_free(target, zipped, force)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".edition-") as scratch:
        new = Path(scratch) / "new"
        new.mkdir()
        _fill(new, order)
        if zipped:
            new = _zip(new, name, Path(scratch) / "new.zip")
        if target.exists():
            target.replace(Path(scratch) / "old")
        new.replace(target)
    return target


def _require_free(out: Path, zipped: bool, force: bool) -> None:
    if not out.exists() or (not zipped and out.is_dir() and not any(out.iterdir())):
        return
    if zipped and not out.is_file():
        raise ValueError(f"out must be a file; it was the folder {out}")
    if not zipped and not out.is_dir():
        raise ValueError(f"out must be a folder; it was the file {out}")
    if not (_is_edition_zip(out) if zipped else (out / MANIFEST).is_file()):
        raise ValueError(f"out must be empty or an earlier edition; {out} holds something else")
    if not force:
        raise ValueError(f"out must be empty; there is an edition in {out} (--force replaces it)")


def _is_edition_zip(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as file:
            return any(name.count("/") == 1 and name.endswith(f"/{MANIFEST}")
                       for name in file.namelist())  # fmt: skip
    except (OSError, zipfile.BadZipFile):
        return False


def _zip(folder: Path, name: str, path: Path) -> Path:
    """Write `folder` as a zip file in which it is called `name`; the same bytes each time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for inside in sorted(p for p in folder.rglob("*") if p.is_file()):
            entry = zipfile.ZipInfo(f"{name}/{inside.relative_to(folder).as_posix()}", _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            file.writestr(entry, inside.read_bytes())
    return path


def _fill(new: Path, order: _Order) -> None:
    """Write an edition into the empty folder `new`."""
    if order.kind in _FORMS:
        _fill_with_pages(new, order)
    else:
        _fill_with_notebooks(new, order)


def _fill_with_notebooks(new: Path, order: _Order) -> None:
    if order.answers:
        for question in _questions(order):
            answer = order.source / "answers" / f"{question}.md"
            if answer.is_file():
                content.copy(answer, new / "answers" / answer.name)
    change = notebooks.tidy if order.answers else content.without_answers
    _write_notebooks(new, {path: change(notebooks.read(path)) for path in order.paths})
    _finish(new, order)


def _write_notebooks(new: Path, books: dict[Path, Any]) -> None:
    for path, notebook in books.items():
        content.copy_pictures(notebook, path.parent, new)
    present = {path.name for path in books}
    for path, notebook in books.items():
        content.mend_links(notebook, new, present)
        content.write(new / path.name, notebooks.text(notebook))


def _fill_with_pages(new: Path, order: _Order) -> None:
    # Imported here: an edition of notebooks needs no nbconvert.
    from agentrl_lite.editions import handout, pages

    form: pages.Form = "slides" if order.kind == "slides" else "handout"
    if form == "handout":
        handout.require_browser()
    change = notebooks.tidy if order.answers else content.drop_secrets
    books = {path: change(notebooks.read(path)) for path in order.paths}
    if not order.answers:
        _drop_telling_outputs(books, order.source, new.parent)
    present = {path.name for path in books}
    for path, notebook in books.items():
        content.copy_pictures(notebook, path.parent, new)
        content.mend_links(notebook, new, present, ".html" if form == "slides" else ".pdf")
    titles = pages.write_pages(form, books, new, order.answers, order.book)
    if form == "slides":
        content.write(new / "index.html", words.index_html(titles))
    # Before the assets come: they are long, and the same for everybody.
    _finish(new, order)
    pages.copy_assets(form, new, order.book)
    if form == "handout":
        handout.print_pages(new, list(titles))


def _drop_telling_outputs(books: dict[Path, Any], source: Path, scratch: Path) -> None:
    """Drop each output that tells a secret, and say so; the student edition has none at all.

    Of a card or a guess, its name stays: `still` makes the question of it.
    """
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        for path, notebook in books.items():
            content.write(Path(folder) / path.name, notebooks.text(notebook))
        telling = {(leak.file, leak.cell) for leak in leaks.find_leaks(Path(folder), source)}
    for path, notebook in books.items():
        for cell in notebook.cells:
            if (path.name, cell.id) in telling and cell.cell_type == "code":
                _drop_outputs(cell)


def _drop_outputs(cell: Any) -> None:
    kinds = {kind for output in cell.outputs for kind in output.get("data", {})}
    if kinds & _DRAWN:
        cell.source = ""  # without its picture, the call that draws it says nothing
    named = [
        new_output("display_data", {k: v for k, v in output.data.items() if k in _NAMES})
        for output in cell.outputs
        if _NAMES & output.get("data", {}).keys()
    ]
    told = f'<p class="omitted">{escape(_("Run the notebook to see what comes here."))}</p>'
    cell.outputs = named or [new_output("display_data", {"text/html": told})]


def _finish(new: Path, order: _Order) -> None:
    """Write what the edition says of itself, and search it unless it may tell answers.

    Raises:
        LeakError: when it tells one.
    """
    content.write(new / "README.md", words.readme(order.kind, order.answers))
    record = {
        "edition": order.kind,
        "answers": order.answers,
        "questions": _questions(order),
        "agentrl-lite": __version__,
    }
    content.write(new / MANIFEST, json.dumps(record, indent=1) + "\n")
    if not order.answers and (found := leaks.find_leaks(new, order.source)):
        listed = "".join(f"\n  {leak}" for leak in found)
        raise LeakError(f"the {order.kind} edition would tell answers; nothing is written:{listed}")


def _questions(order: _Order) -> list[str]:
    return sorted({name for path in order.paths if (name := leaks.question_of(path.name))})
