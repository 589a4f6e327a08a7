"""What a class did with each question: who wrote what, who looked first, and how they guessed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agentrl_lite.answers import Part
from agentrl_lite.appendix.catalog import QUESTIONS
from agentrl_lite.appendix.exercises import predictions
from agentrl_lite.collect.handed_in import HandIn, records_of
from agentrl_lite.reader.record import PARTS, Record

BINS = 12


@dataclass(frozen=True)
class Row:
    """One person and one question.

    Attributes:
        person: who.
        empty: parts without words.
        scores: part to points that the person gave themselves.
        opened_first: parts whose reference was opened before anything was written there.
        checks: how many checks were passed.
        guesses: prediction to number.
        record: all of it.
    """

    person: str
    empty: tuple[str, ...]
    scores: Mapping[str, int]
    opened_first: tuple[str, ...]
    checks: int
    guesses: Mapping[str, float]
    record: Record


@dataclass(frozen=True)
class Guesses:
    """The guesses at one number, and how many fall into each bin.

    Attributes:
        prediction: its id.
        question: what was asked; empty for a prediction that this book doesn't have.
        unit: of the numbers.
        values: sorted.
        edges: of the bins, one more than there are counts.
        counts: of the bins.
        beyond: guesses outside the range that makes sense; they are in no bin.
    """

    prediction: str
    question: str
    unit: str
    values: tuple[float, ...]
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    beyond: int


@dataclass(frozen=True)
class Overview:
    """One question.

    Attributes:
        question: `q03`.
        rows: one for each person who answered it, by name.
        missing: the others.
        points: part to how many rubric points there are; empty without the reference answers.
        guesses: by prediction.
    """

    question: str
    rows: tuple[Row, ...]
    missing: tuple[str, ...]
    points: Mapping[str, int]
    guesses: tuple[Guesses, ...]


def overview(
    found: HandIn, references: Mapping[str, Mapping[str, Part] | None]
) -> tuple[Overview, ...]:
    """Return what a class did, question by question, in the book's order.

    Args:
        found: what was handed in.
        references: question to reference answer, where there is one.
    """
    made = []
    for question in QUESTIONS:
        records = records_of(found, question.id)
        if records:
            rows = tuple(_row(person, records[person]) for person in sorted(records))
            reference = references.get(question.id) or {}
            made.append(
                Overview(
                    question.id,
                    rows,
                    tuple(sorted(set(found.records) - set(records))),
                    {key: len(part.points) for key, part in reference.items()},
                    _all_guesses(rows),
                )
            )
    return tuple(made)


def _row(person: str, record: Record) -> Row:
    return Row(
        person=person,
        empty=tuple(part for part in PARTS if not record.text(part).strip()),
        scores={part: sum(1 for owner, _n in record.ticks if owner == part) for part in PARTS},
        opened_first=tuple(part for part in PARTS if part in record.opened_unwritten_s),
        checks=len(record.checks_s),
        guesses={name: guess.value for name, guess in sorted(record.guesses.items())},
        record=record,
    )


def _all_guesses(rows: Sequence[Row]) -> tuple[Guesses, ...]:
    names = sorted({name for row in rows for name in row.guesses})
    return tuple(
        bin_guesses(name, [row.guesses[name] for row in rows if name in row.guesses])
        for name in names
    )


def bin_guesses(name: str, values: Sequence[float]) -> Guesses:
    """Count guesses in bins of one width, over the range that makes sense where it is finite."""
    asked = {prediction.id: prediction for prediction in predictions()}.get(name)
    low, high = (asked.minimum, asked.maximum) if asked else (-math.inf, math.inf)
    inside = sorted(value for value in values if low <= value <= high)
    # The range itself would crush a class that guesses between 1 and 50 of a million.
    start, end = (inside[0], inside[-1]) if inside else (0.0, 1.0)
    if start == end:
        start, end = start - 0.5, end + 0.5
    # Each end is divided first: the span of two huge numbers may be infinite.
    edges = [start * (1 - n / BINS) + end * (n / BINS) for n in range(BINS + 1)]
    counts = [0] * BINS
    for value in inside:
        place = sum(1 for edge in edges[1:-1] if value >= edge)
        counts[place] += 1
    return Guesses(
        name,
        asked.question if asked else "",
        asked.unit if asked else "",
        tuple(sorted(values)),
        tuple(edges),
        tuple(counts),
        len(values) - len(inside),
    )
