"""What this reader has done, question by question."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as W  # noqa: N812

from agentrl_lite import answers
from agentrl_lite.appendix.catalog import QUESTIONS, SECTIONS, Question
from agentrl_lite.appendix.exercises import check_ids, predictions
from agentrl_lite.i18n import N_, _
from agentrl_lite.reader import PARTS, Record, folder, read
from agentrl_lite.widgets.output import bundle, button, html, style

PROGRESS_STYLE = """
.arl-progress { container-type: inline-size; }
.arl-progress table { border-collapse: collapse; margin: 0; }
.arl-progress th, .arl-progress td { padding: 3px 12px 3px 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--jp-border-color2, #bdbdbd); white-space: normal; }
.arl-progress tbody th { font-weight: normal; min-width: 14em; }
.arl-progress tbody th[colspan] { font-weight: 600; padding-top: 10px; }
.arl-progress tr.arl-untouched td, .arl-progress tr.arl-untouched th {
  color: var(--jp-ui-font-color2, #616161); }
@container (max-width: 34rem) {
  .arl-progress table, .arl-progress tbody, .arl-progress tr, .arl-progress th { display: block; }
  .arl-progress thead, .arl-progress td.arl-none { display: none; }
  .arl-progress td { display: block; border: 0; padding-left: 16px; }
  .arl-progress td::before { content: attr(data-column) ": "; }
}
"""

COLUMNS = (
    N_("Parts written"),
    N_("Self-score"),
    N_("Guesses"),
    N_("Checks"),
    N_("Opened before writing"),
)


@dataclass(frozen=True)
class Row:
    """What is known of one question.

    Attributes:
        question: which one.
        written: parts with words in them.
        given: rubric points the reader gave themselves.
        points: rubric points there are; 0 where this edition has no reference.
        guessed, guesses: guesses committed, and asked for.
        passed, checks: checks passed, and set.
        peeked: parts opened before anything was written there.
        problem: what is wrong with the file; empty when nothing is.
    """

    question: Question
    written: int
    given: int
    points: int
    guessed: int
    guesses: int
    passed: int
    checks: int
    peeked: int
    problem: str = ""

    @property
    def touched(self) -> bool:
        """Whether the reader has done anything here."""
        done = (self.written, self.given, self.guessed, self.passed, self.peeked)
        return any(done) or bool(self.problem)


def row(question: Question, record: Record, problem: str = "") -> Row:
    """Return what `record` says of a question."""
    asked = [p.id for p in predictions(question.id)]
    checks = check_ids(question.id)
    return Row(
        question=question,
        written=len(record.written_parts()),
        given=len(record.ticks),
        points=_count_points(question.id),
        guessed=sum(name in record.guesses for name in asked),
        guesses=len(asked),
        passed=sum(name in record.checks_s for name in checks),
        checks=len(checks),
        peeked=len(record.opened_unwritten_s),
        problem=problem,
    )


def table(rows: list[Row]) -> str:
    """Return the rows as an HTML table, section by section."""
    columns = [_("Question"), *(_(column) for column in COLUMNS)]
    names = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    head = f"<thead><tr>{names}</tr></thead>"
    body: list[str] = []
    section = ""
    for item in rows:
        if item.question.section != section:
            section = item.question.section
            name = escape(f"{section} · {_(SECTIONS[section])}")
            body.append(f'<tr><th colspan="{len(columns)}" scope="rowgroup">{name}</th></tr>')
        body.append(_row_html(item))
    return (
        f'<div class="arl-progress"><table aria-label="{escape(_("Progress"))}">{head}'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


class Progress:
    """The table of all questions, as it was when it was last read.

    Attributes:
        view: the widget.
    """

    def __init__(self) -> None:
        self.body = html()
        again = button(_("Read again"))
        again.on_click(lambda _button: self.refresh())
        self.view = W.VBox([html(style(PROGRESS_STYLE)), self.body, again]).add_class("arl-block")
        self.refresh()

    def refresh(self) -> None:
        """Read everything again."""
        here = {path.name.partition("_")[0] for path in Path.cwd().glob("[qx]*_*.ipynb")}
        rows = [row(question, *read(question.id)) for question in QUESTIONS]
        # Questions that cannot be worked on here, and were not elsewhere, would only fill the page.
        rows = [item for item in rows if item.touched or item.question.id in here]
        lead = _("You have worked on {done} of {total} notebooks. Your words are kept in {folder}.")
        text = lead.format(
            done=sum(item.touched for item in rows), total=len(rows), folder=folder()
        )
        shown = table(rows) if rows else ""
        self.body.value = f'<p role="status">{escape(text)}</p>{shown}'

    def _repr_mimebundle_(self, **_options: object) -> dict[str, Any]:
        text = _("Run this notebook to see here what you have written, guessed and passed.")
        return bundle(
            self.view,
            f"<p>{escape(text)}</p>",
            "progress()",
            "progress",
            {"questions": [question.id for question in QUESTIONS]},
        )


def progress() -> Progress:
    """Return what this reader has done, question by question."""
    return Progress()


def _row_html(item: Row) -> str:
    title = escape(f"{item.question.label} · {_(item.question.title)}")
    if item.problem:
        title += f'<div class="arl-bad">{escape(_("Cannot be read:"))} {escape(item.problem)}</div>'
    counts = [
        (item.written, len(PARTS)),
        (item.given, item.points),
        (item.guessed, item.guesses),
        (item.passed, item.checks),
        (item.peeked, len(PARTS)),
    ]
    cells = "".join(_cell(_(name), *count) for name, count in zip(COLUMNS, counts, strict=True))
    kind = "" if item.touched else ' class="arl-untouched"'
    return f'<tr{kind}><th scope="row">{title}</th>{cells}</tr>'


def _cell(column: str, done: int, total: int) -> str:
    if done == 0:  # in a table that is empty at first, only what was done should catch the eye
        return '<td class="arl-none">–</td>'
    text = _("{done} of {total}").format(done=done, total=total)
    return f'<td data-column="{escape(column)}">{escape(text)}</td>'


def _count_points(question_id: str) -> int:
    try:
        reference = answers.load(question_id)
    except (ValueError, OSError):  # the card says so; here it only counts as having no points
        return 0
    return sum(len(part.points) for part in (reference or {}).values())
