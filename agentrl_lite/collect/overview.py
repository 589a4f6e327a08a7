"""What a class did with each question: who wrote what, who looked first, and how they guessed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agentrl_lite.answers import Part
from agentrl_lite.appendix.catalog import QUESTIONS
from agentrl_lite.appendix.exercises import predictions
from agentrl_lite.collect.handed_in import HandIn, records_of
from agentrl_lite.reader.record import PARTS, Record

BINS = 12  # about: their width is a round number
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


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
        truth: the number that was guessed at; None for a prediction that this book doesn't have.
        digits: of the truth, behind the point.
    """

    prediction: str
    question: str
    unit: str
    values: tuple[float, ...]
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    beyond: int
    truth: float | None
    digits: int


@dataclass(frozen=True)
class Overview:
    """One question.

    Attributes:
        question: `q03`.
        rows: one for each person who answered it, by name.
        missing: the others.
        parts: of the card; none for an exercise, which has no card.
        points: part to how many rubric points there are; empty without the reference answers.
        guesses: by prediction.
    """

    question: str
    rows: tuple[Row, ...]
    missing: tuple[str, ...]
    parts: tuple[str, ...]
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
            reference = references.get(question.id) or {}
            points = {key: len(part.points) for key, part in reference.items()}
            parts = PARTS if question.id.startswith("q") else ()
            rows = tuple(
                _row(person, records[person], parts, points) for person in by_name(records)
            )
            made.append(
                Overview(
                    question.id,
                    rows,
                    tuple(by_name(set(found.records) - set(records))),
                    parts,
                    points,
                    _all_guesses(rows),
                )
            )
    return tuple(made)


def by_name(people: Iterable[str]) -> list[str]:
    """Return people in the order of a class list: capitals don't matter."""
    return sorted(people, key=lambda person: (person.casefold(), person))


def _row(person: str, record: Record, parts: Sequence[str], points: Mapping[str, int]) -> Row:
    # A point that the reference doesn't have was ticked in another edition: it is none.
    ticks = [(part, n) for part, n in record.ticks if n < points.get(part, n + 1)]
    return Row(
        person=person,
        empty=tuple(part for part in parts if not record.text(part).strip()),
        scores={part: sum(1 for owner, _n in ticks if owner == part) for part in PARTS},
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
    """Count guesses in bins of one round width; the truth lies in one of them, too."""
    asked = {prediction.id: prediction for prediction in predictions()}.get(name)
    low, high = (asked.minimum, asked.maximum) if asked else (-math.inf, math.inf)
    inside = sorted(value for value in values if low <= value <= high)
    truth = float(asked.truth()) if asked else None
    # The range that makes sense would crush a class that guesses between 1 and 50 of a million.
    edges = _edges([*inside, *([] if truth is None else [truth])])
    counts = [0] * (len(edges) - 1)
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
        truth,
        asked.digits if asked else 0,
    )


def _edges(values: Sequence[float]) -> list[float]:
    """Return edges of bins that hold all values, at multiples of 1, 2, 2.5 or 5 where it goes."""
    start, end = (min(values), max(values)) if values else (0.0, 1.0)
    if start == end:
        start, end = start - 0.5, end + 0.5
    # Each end is divided first: the span of two huge numbers may be infinite.
    width = end / BINS - start / BINS
    power = 10.0 ** math.floor(math.log10(width)) if width > 0 else 0.0
    step = next((r * power for r in _ROUND if r * power >= width * (1 - 1e-9)), 0.0)
    if step > 0 and math.isfinite(step) and abs(start / step) < 2**52:
        first, last = math.floor(start / step), math.ceil(end / step)
        edges = [place * step for place in range(first, last + 1)]
        if edges[0] <= start < end <= edges[-1] and math.isfinite(edges[0] - edges[-1]):
            return edges
    # Numbers at the edge of what a float can hold: as they are.
    return [start * (1 - n / BINS) + end * (n / BINS) for n in range(BINS + 1)]
