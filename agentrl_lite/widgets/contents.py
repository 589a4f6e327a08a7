"""`contents()`: the questions of the appendix, by section or by what they reduce to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Literal

from agentrl_lite.appendix.catalog import MECHANISMS, QUESTIONS, SECTIONS, Question
from agentrl_lite.i18n import _

By = Literal["section", "mechanism"]


class Contents:
    """A list of questions under headings, as HTML and as plain text; made by `contents`."""

    def __init__(self, groups: Mapping[str, Iterable[Question]], folder: Path) -> None:
        self._groups = {heading: tuple(found) for heading, found in groups.items()}
        self._pages = {path.name.partition("_")[0]: path.name for path in folder.glob("*_*.ipynb")}

    def _repr_html_(self) -> str:
        return "".join(
            f"<p><strong>{escape(heading)}</strong></p><ul>"
            + "".join(f"<li>{self._link(question)}</li>" for question in found)
            + "</ul>"
            for heading, found in self._groups.items()
        )

    def _link(self, question: Question) -> str:
        text = f"{question.label} · {escape(_(question.title))}"
        page = self._pages.get(question.id)
        return f'<a href="{escape(page, quote=True)}">{text}</a>' if page else text

    def __repr__(self) -> str:
        return "\n".join(
            line
            for heading, found in self._groups.items()
            for line in (heading, *(f"  {q.label} · {_(q.title)}" for q in found))
        )


def contents(by: By = "section") -> Contents:
    """List the questions under their sections, or under the mechanisms they reduce to.

    A question is a link where its notebook stands in the working directory. By mechanism, a
    question may stand under more than one heading, and one that is arithmetic alone under none.

    Args:
        by: `"section"` or `"mechanism"`.

    Raises:
        ValueError: for anything else.
    """
    if by == "section":
        groups = {
            f"{key} · {_(title)}" if key != "X" else _(title): [
                question for question in QUESTIONS if question.section == key
            ]
            for key, title in SECTIONS.items()
        }
    elif by == "mechanism":
        groups = {
            _(title): [question for question in QUESTIONS if key in question.mechanisms]
            for key, title in MECHANISMS.items()
        }
    else:
        raise ValueError(f"by must be 'section' or 'mechanism'; it was {by!r}")
    return Contents(groups, Path.cwd())
