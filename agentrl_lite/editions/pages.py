"""Slides and handouts as pages: HTML from nbconvert, with all they need in a folder beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from nbconvert.exporters import HTMLExporter, SlidesExporter
from nbformat.v4 import new_notebook

from agentrl_lite import answers
from agentrl_lite.editions import content, slides
from agentrl_lite.editions.still import still
from agentrl_lite.i18n import language

Form = Literal["slides", "handout"]
#: The folder that holds nbconvert's templates, and the site's formulas.
BOOK = Path("book")
_ASSETS = {
    "slides": ("reveal.js", "reveal.css", "slides.js", "slides.css", "LICENSE"),
    "handout": ("handout.js", "handout.css"),
}
_MATHJAX = Path("_static", "mathjax", "tex-svg.js")


def write_pages(
    form: Form, books: Mapping[Path, Any], new: Path, answers_too: bool, book: Path = BOOK
) -> dict[str, str]:
    """Write one page for each notebook into the folder `new` and return file name to title.

    Args:
        form: how the notebooks are shown.
        books: path to notebook, with outputs; answers are dropped already if they are to be.
        new: the edition's folder.
        answers_too: whether the card's reference is told.
        book: the folder of templates.
    """
    exporter = _exporter(form, book)
    titles: dict[str, str] = {}
    for path, notebook in books.items():
        question = path.name.partition("_")[0]
        reference = answers.load(question, path.parent / "answers") if answers_too else None
        cells = still(notebook, reference, answers_too)
        if form == "slides":
            cells = slides.plan(cells)
        title = _title(notebook) or path.stem
        about = {"lang": language(), "title": title}
        page, _resources = exporter.from_notebook_node(
            new_notebook(cells=cells, metadata=notebook.metadata), {"agentrl": about}
        )
        content.write(new / f"{path.stem}.html", page)
        titles[f"{path.stem}.html"] = title
    return titles


def copy_assets(form: Form, new: Path, book: Path = BOOK) -> None:
    """Copy what the pages of a form ask for into `new/assets`."""
    for name in _ASSETS[form]:
        content.copy(book / form / name, new / "assets" / name)
    content.copy(book / _MATHJAX, new / "assets" / _MATHJAX.name)


def _exporter(form: Form, book: Path) -> Any:
    template = book / form / "index.html.j2"
    if not template.is_file():
        raise ValueError(
            f"book must be the book's folder, with {form}/{template.name} in it; it was {book}"
        )
    options = {
        "extra_template_basedirs": [str(book.resolve())],
        "template_name": form,
        "exclude_input_prompt": True,
        "exclude_output_prompt": True,
        "exclude_anchor_links": True,
    }
    return SlidesExporter(**options) if form == "slides" else HTMLExporter(**options)


def _title(notebook: Any) -> str:
    """Return a notebook's first heading."""
    for cell in notebook.cells:
        if match := re.match(r"# (.+)", cell.source):
            return match[1].strip()
    return ""
