"""The report: a page to read, and the same as tables for a spreadsheet.

Whatever a reader wrote is text: it is escaped in the page, and no cell of a table can start a
formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from agentrl_lite.answers import HEADINGS
from agentrl_lite.appendix import catalog
from agentrl_lite.collect import histogram
from agentrl_lite.collect.handed_in import HandIn
from agentrl_lite.collect.overview import Overview, Row
from agentrl_lite.i18n import _, language
from agentrl_lite.reader.record import PARTS

#: The files of a report. Only these are ever written over.
FILES = ("report.html", "answers.csv", "guesses.csv", "not_read.csv")
# A spreadsheet takes a cell that starts so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #1f2328; background: #fff; }
table { border-collapse: collapse; margin: .5rem 0 1rem; }
th, td { border-bottom: 1px solid #c8ccd1; padding: .25rem .6rem; text-align: left;
  vertical-align: top; }
.wide { overflow-x: auto; }
.wide td { min-width: 6rem; }
.words { white-space: pre-wrap; overflow-wrap: anywhere; margin: .2rem 0 .8rem;
  border-left: 3px solid #0072b2; padding-left: .6rem; }
svg { max-width: 40rem; width: 100%; font: 17px system-ui, sans-serif; }
.top { white-space: nowrap; }
.bad { border-left: 4px solid #d55e00; padding-left: .7rem; }
"""


def write_report(found: HandIn, questions: Sequence[Overview], out: Path) -> Path:
    """Write `report.html` and three tables into the folder `out`; return the page's path.

    Raises:
        ValueError: when `out` holds anything but an earlier report.
    """
    if out.exists() and not out.is_dir():
        raise ValueError(f"out must be a folder; it was the file {out}")
    other = sorted(p.name for p in out.iterdir() if p.name not in FILES) if out.is_dir() else []
    if other:
        raise ValueError(f"out must be empty or an earlier report; {out} holds {other[0]}")
    out.mkdir(parents=True, exist_ok=True)
    texts = (
        _page(found, questions),
        _csv(_answer_rows(questions)),
        _csv(_guess_rows(questions)),
        _csv([["file", "reason"], *([item.file, item.reason] for item in found.unread)]),
    )
    for name, text in zip(FILES, texts, strict=True):
        # Half of a surrogate pair, which JSON can hold, cannot be written as UTF-8.
        data = text.encode("utf-8", "replace")
        # With a mark in front, since a spreadsheet takes a CSV for the system's code page else.
        (out / name).write_bytes(b"\xef\xbb\xbf" + data if name.endswith(".csv") else data)
    return out / FILES[0]


def _csv(rows: Iterable[Sequence[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(
        [_harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return stream.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _answer_rows(questions: Sequence[Overview]) -> list[list[object]]:
    heads = [f"{part}_{what}" for part in PARTS for what in ("words", "points", "opened_first")]
    rows: list[list[object]] = [["question", "person", *heads, "empty", "checks_passed"]]
    for question in questions:
        for row in question.rows:
            cells: list[object] = [question.question, row.person]
            for part in PARTS:
                words = len(row.record.text(part).split())
                cells += [words, row.scores[part], int(part in row.opened_first)]
            rows.append([*cells, " ".join(row.empty), row.checks])
    return rows


def _guess_rows(questions: Sequence[Overview]) -> list[list[object]]:
    rows: list[list[object]] = [["question", "person", "prediction", "value"]]
    for question in questions:
        for row in question.rows:
            rows += [[question.question, row.person, *guess] for guess in row.guesses.items()]
    return rows


def _page(found: HandIn, questions: Sequence[Overview]) -> str:
    title = escape(_("A class's answers"))
    lead = _("People: {people}. Questions: {questions}.").format(
        people=len(found.records), questions=len(questions)
    )
    blocks = [f"<h1>{title}</h1><p>{escape(lead)}</p>"]
    blocks += _notices(found)
    blocks.append(_at_a_glance(found, questions))
    blocks += [_section(question) for question in questions]
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language())}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Whatever slipped through the escaping could do nothing.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(blocks)
        + "\n</main>\n</body>\n</html>\n"
    )


def _notices(found: HandIn) -> list[str]:
    """Return what does not count or looks odd, before anything else is read."""
    blocks = []
    if found.unread:
        items = "".join(
            f"<li><code>{escape(item.file)}</code>: {escape(item.reason)}</li>"
            for item in found.unread
        )
        blocks.append(f'<div class="bad"><h2>{escape(_("Not read"))}</h2><ul>{items}</ul></div>')
    if found.duplicates:
        items = "".join(f"<li>{escape(text)}</li>" for text in found.duplicates)
        blocks.append(f'<div class="bad"><h2>{escape(_("Twice"))}</h2><ul>{items}</ul></div>')
    return blocks


def _section(question: Overview) -> str:
    about = catalog.question(question.question)
    blocks = [f"<h2>{escape(about.label)} · {escape(_(about.title))}</h2>"]
    if question.missing:
        text = _("Nothing from: {people}.").format(people=", ".join(question.missing))
        blocks.append(f"<p>{escape(text)}</p>")
    blocks.append(_table(question))
    for guesses in question.guesses:
        asked = _(guesses.question) or guesses.prediction
        blocks.append(f"<h3>{escape(asked)}</h3>{histogram.svg(guesses)}")
        blocks.append(f"<p>{escape(histogram.summary(guesses))}</p>")
    blocks += [_words(row, question.parts) for row in question.rows]
    return f'<section id="{question.question}">{"".join(blocks)}</section>'


def _at_a_glance(found: HandIn, questions: Sequence[Overview]) -> str:
    """Return a line for each question, which leads to it."""
    lines = []
    for question in questions:
        label = catalog.question(question.question).label
        answered = _("{n} of {people}").format(n=len(question.rows), people=len(found.records))
        cells = "".join(f"<td>{_of_part(question, part)}</td>" for part in PARTS)
        lines.append(
            f'<tr><th scope="row"><a href="#{question.question}">{escape(label)}</a></th>'
            f'<td class="top">{escape(answered)}</td>{cells}</tr>'
        )
    columns = [_("Question"), _("Answered"), *(_(HEADINGS[part]) for part in PARTS)]
    return _wide(_("All questions at a glance"), columns, lines)


def _of_part(question: Overview, part: str) -> str:
    """Return how many left a part empty, what the others gave themselves, and who peeked."""
    if part not in question.parts:
        return ""
    told = [_("{n} empty").format(n=sum(part in row.empty for row in question.rows))]
    scored = [row.scores[part] for row in question.rows if part in row.record.opened_s]
    if scored and part in question.points:
        mean = f"{sum(scored) / len(scored):.1f}"
        told.append(
            _("on average {mean} of {most} points").format(mean=mean, most=question.points[part])
        )
    if opened := sum(part in row.opened_first for row in question.rows):
        told.append(_("{n} opened before writing").format(n=opened))
    return "<br>".join(map(escape, told))


def _wide(title: str, columns: Sequence[str], lines: Sequence[str]) -> str:
    """Return a table that can be moved sideways, with the keyboard too, on a narrow screen."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(title, quote=True)}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _table(question: Overview) -> str:
    headings = [_(HEADINGS[part]) for part in question.parts]
    columns = [_("Who"), *headings, _("Exercises passed")]
    lines = []
    for row in question.rows:
        cells = "".join(
            f"<td>{escape(_cell(row, part, question.points))}</td>" for part in question.parts
        )
        lines.append(
            f'<tr><th scope="row">{escape(row.person)}</th>{cells}<td>{row.checks}</td></tr>'
        )
    return _wide(catalog.question(question.question).label, columns, lines)


def _cell(row: Row, part: str, points: Mapping[str, int]) -> str:
    if part in row.empty:
        text = _("empty")
    else:
        text = _("words: {n}").format(n=len(row.record.text(part).split()))
    if part in row.record.opened_s:
        total = f"/{points[part]}" if part in points else ""
        text += ", " + _("points: {given}").format(given=f"{row.scores[part]}{total}")
    if part in row.opened_first:
        text += ", " + _("opened before writing")
    return text


def _words(row: Row, written: Sequence[str]) -> str:
    parts = "".join(
        f'<h4>{escape(_(HEADINGS[part]))}</h4><div class="words">'
        f"{escape(row.record.text(part).strip())}</div>"
        for part in written
        if part not in row.empty
    )
    return f"<details><summary>{escape(row.person)}</summary>{parts}</details>" if parts else ""
