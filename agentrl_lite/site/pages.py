"""The pages that are made and not written: the contents, the gallery, the package's reference."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

import agentrl_lite
from agentrl_lite import figures
from agentrl_lite.appendix.catalog import QUESTIONS, SECTIONS
from agentrl_lite.i18n import _

PACKAGE = agentrl_lite.__name__
#: Pages that follow the questions, if they are there.
LAST = ("glossary", "gallery", "instructors", "teaching_at_scale", "api")
# What makes the book out of the notebooks is nobody's library. Its docstrings stand in the code.
_NOT_DESCRIBED = (
    "answers",
    "atomic",
    "cli",
    "collect",
    "editions",
    "i18n",
    "leaks",
    "lite",
    "notebooks",
    "reader",
    "site",
    "workcopy",
)


def contents(documents: Iterable[str]) -> str:
    """Return the lists that lead to every page, as MyST.

    Args:
        documents: the pages' names.
    """
    left = sorted(set(documents) - {"index"})
    by_question = {name.partition("_")[0]: name for name in left}
    groups: list[tuple[str, list[str]]] = []
    for key, title in SECTIONS.items():
        caption = _(title) if key == "X" else f"{key} {_(title)}"
        pages = [by_question[q.id] for q in QUESTIONS if q.section == key and q.id in by_question]
        groups.append((caption, pages))
    taken = {page for _caption, pages in groups for page in pages}
    last = [name for name in LAST if name in left]
    first = [name for name in left if name not in taken and name not in last]
    first = [name for name in first if not name.startswith("api_")]
    groups = [(_("Start here"), first), *groups, (_("Beside the questions"), last)]
    return "\n".join(_toctree(caption, pages) for caption, pages in groups if pages)


def gallery(documents: Iterable[str]) -> str:
    """Return the page of all figures, each with the command that writes it for print.

    Args:
        documents: the pages' names: a question without a page has no figures to show yet.
    """
    blocks = [
        f"# {_('All figures')}",
        _(
            "Every figure at its defaults, with the command that writes it for print. "
            "`make figures` writes all of them."
        ),
    ]
    there = {name.partition("_")[0] for name in documents}
    for question in QUESTIONS:
        if question.id in there and (ids := figures.ids(question.id)):
            blocks.append(f"## {question.label} · {_(question.title)}")
            blocks += [f"```{{still}} {figure_id}\n```" for figure_id in ids]
            blocks.append(f"{{question}}`{question.id}`")
    return "\n\n".join(blocks) + "\n"


def api() -> dict[str, str]:
    """Return the pages that describe the package, by name."""
    parts = _parts()
    lead = _("Made from the docstrings. A part is imported by its name: `agentrl_lite.kl`.")
    rows = "\n".join(
        f"- [`{PACKAGE}.{part}`](api_{part}): {_first_line(modules[0])}"
        for part, modules in parts.items()
    )
    pages = {f"api_{part}": _part_page(part, modules) for part, modules in parts.items()}
    return {"api": f"# {_('The package')}\n\n{lead}\n\n{rows}\n", **pages}


def _parts() -> dict[str, list[str]]:
    """Return the package's public modules, by the part that they belong to."""
    parts: dict[str, list[str]] = {}
    folder = Path(agentrl_lite.__path__[0])
    # By the files' names: what is not described need not be imported.
    for path in folder.rglob("*.py"):
        names = path.relative_to(folder).with_suffix("").parts
        names = names[:-1] if names[-1] == "__init__" else names
        if names and names[0] not in _NOT_DESCRIBED and not any(map(_is_private, names)):
            parts.setdefault(names[0], []).append(".".join((PACKAGE, *names)))
    return {part: sorted(modules) for part, modules in sorted(parts.items())}


def _is_private(name: str) -> bool:
    """Say whether a module belongs to one question: that is for its notebook to tell."""
    return name.startswith("_") or (name[0] in "qx" and name[1:2].isdigit()) or name == "tasks"


def _part_page(part: str, modules: Sequence[str]) -> str:
    # In no list of pages: forty more lines beside every page would cost the reader's eye, and a
    # fifth of the build.
    blocks = ["---\norphan: true\n---", f"# {PACKAGE}.{part}", f"[{_('The package')}](api.md)"]
    for module in modules:
        if module != f"{PACKAGE}.{part}":
            blocks.append(f"## {module}")
        blocks.append(
            f"```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n   :ignore-module-all:\n```"
        )
    return "\n\n".join(blocks) + "\n"


def _first_line(module: str) -> str:
    """Return the first line of a module's docstring, without importing it."""
    spec = find_spec(module)
    text = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


def _toctree(caption: str, pages: Sequence[str]) -> str:
    lines = ["```{toctree}", ":maxdepth: 1", f":caption: {caption}", "", *pages, "```", ""]
    return "\n".join(lines)


def write_if_changed(path: Path, text: str) -> None:
    """Write a file unless it holds this text already: Sphinx reads again what is newer."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
