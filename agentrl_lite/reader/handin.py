"""Everything a reader wrote, in one file: as JSON to hand in or bring back, as Markdown to read.

The JSON is that of the site's export, so that either is collected alike.
"""

from __future__ import annotations

import json
from pathlib import Path

from agentrl_lite import answers
from agentrl_lite.appendix.catalog import QUESTIONS, Question
from agentrl_lite.i18n import _
from agentrl_lite.reader.files import read_record
from agentrl_lite.reader.markdown import to_markdown
from agentrl_lite.reader.record import VERSION, Record, to_json

SUFFIXES = (".json", ".md")


def hand_in(reader_folder: Path, out: Path, references: Path | None = None) -> list[str]:
    """Write all records of a reader's folder to the file `out`.

    Args:
        reader_folder: where the reader's files lie.
        out: ends in `.json` or `.md`; it is written over.
        references: the folder of reference answers, whose points the Markdown lists where the
            reader has opened them.

    Returns:
        what could not be read and is not in `out`, a sentence for each file.

    Raises:
        ValueError: for another ending, or when nothing can be read.
    """
    if out.suffix not in SUFFIXES:
        raise ValueError(f"out must end in {' or '.join(SUFFIXES)}; it was {out}")
    records: list[tuple[Question, Record]] = []
    problems: list[str] = []
    for question in QUESTIONS:
        path = reader_folder / f"{question.id}.json"
        try:
            record = read_record(path)
        except (OSError, ValueError) as error:
            problems.append(_("{file} cannot be read: {problem}").format(file=path, problem=error))
            continue
        if record is not None:
            records.append((question, record))
    if not records:
        told = "".join(f"; {problem}" for problem in problems)
        raise ValueError(f"reader_folder must hold answers; {reader_folder} has none{told}")
    out.write_text(
        _json(records) if out.suffix == ".json" else _markdown(records, references),
        encoding="utf-8",
        newline="\n",
    )
    return problems


def _json(records: list[tuple[Question, Record]]) -> str:
    data = {
        "version": VERSION,
        "records": [to_json(record, question.id) for question, record in records],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _markdown(records: list[tuple[Question, Record]], references: Path | None) -> str:
    return "\n".join(
        to_markdown(
            record,
            f"{question.label} · {_(question.title)}",
            answers.load(question.id, references),
        )
        for question, record in records
    )
