"""What is kept about one question, and how it is written down.

A record is never changed in place: every edit makes a new one (`dataclasses.replace`), so that the
version last seen on disk can be compared with the one in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar, cast

PARTS = ("mechanism", "measurement", "action", "metric")
VERSION = 1

T = TypeVar("T")


@dataclass(frozen=True)
class Text:
    """One version of a text, and where it stands in its author's line of edits.

    Attributes:
        text: the words.
        draft: names one line of edits by one window; another window's edit starts a new draft.
        revision: counts the edits of a draft; of two versions of one draft the higher is the later.
        written_s: when, in seconds since the epoch.
    """

    text: str = ""
    draft: str = ""
    revision: int = 0
    written_s: float = 0.0

    @property
    def version(self) -> tuple[str, int]:
        """Two texts with the same version are the same edit."""
        return self.draft, self.revision


@dataclass(frozen=True)
class Kept:
    """A text that lost its place to one written at the same time in another window.

    Attributes:
        part: the part it was written for.
        text: the words.
        put_away: whether the reader has dealt with it, so that the card need not show it again.
    """

    part: str
    text: Text
    put_away: bool = False


@dataclass(frozen=True)
class Guess:
    """A number committed to before the truth was shown.

    Attributes:
        value: the number, in the unit of its prediction.
        committed_s: when, in seconds since the epoch.
    """

    value: float
    committed_s: float


@dataclass(frozen=True)
class Record:
    """Everything kept about one question.

    Attributes:
        answers: part to text; a part never written to is absent.
        ticks: (part, index of the rubric point) for every point the reader gave themselves.
        deadline_s: when the clock ends, in seconds since the epoch; None when it does not run.
        opened_s: part to the time its reference answer was first opened.
        opened_unwritten_s: the same, only for parts opened while the reader's own box was empty.
        guesses: prediction id to guess.
        checks_s: check id to the time it was first passed.
        kept: (part, draft) to a text that lost its place.
    """

    answers: Mapping[str, Text] = field(default_factory=dict)
    ticks: frozenset[tuple[str, int]] = frozenset()
    deadline_s: float | None = None
    opened_s: Mapping[str, float] = field(default_factory=dict)
    opened_unwritten_s: Mapping[str, float] = field(default_factory=dict)
    guesses: Mapping[str, Guess] = field(default_factory=dict)
    checks_s: Mapping[str, float] = field(default_factory=dict)
    kept: Mapping[tuple[str, str], Kept] = field(default_factory=dict)

    def text(self, part: str) -> str:
        """Return the words in `part`, empty when there are none."""
        return self.answers[part].text if part in self.answers else ""

    def written_parts(self) -> list[str]:
        """Return the parts that hold more than white space, in their order on the card."""
        return [part for part in PARTS if self.text(part).strip()]

    def kept_for(self, part: str) -> list[Kept]:
        """Return the texts kept for `part` that the reader has not put away, oldest first."""
        shown = [k for k in self.kept.values() if k.part == part and not k.put_away]
        return sorted(shown, key=lambda k: k.text.written_s)


class NewerVersionError(OSError):
    """The file was written by a later version of this package: it is left alone."""


def to_json(record: Record, question: str) -> dict[str, object]:
    """Return `record` as plain JSON data, with times a person can read.

    >>> to_json(Record(deadline_s=1790000000.0), "q03")["deadline_epoch_s"]
    1790000000.0
    """
    return {
        "version": VERSION,
        "question": question,
        "answers": {part: _text_to_json(text) for part, text in record.answers.items()},
        "self_score": {
            part: sorted(point for owner, point in record.ticks if owner == part)
            for part in sorted({owner for owner, _ in record.ticks})
        },
        "deadline_epoch_s": record.deadline_s,
        "opened": _times_to_json(record.opened_s),
        "opened_before_writing": _times_to_json(record.opened_unwritten_s),
        "guesses": {
            name: {"value": guess.value, "committed": _iso(guess.committed_s)}
            for name, guess in record.guesses.items()
        },
        "checks_passed": _times_to_json(record.checks_s),
        "kept": [
            {"part": kept.part, "put_away": kept.put_away, **_text_to_json(kept.text)}
            for kept in record.kept.values()
        ],
    }


def from_json(data: object) -> Record:
    """Return the record that `to_json` wrote.

    Raises:
        NewerVersionError: when a later version of the package wrote it.
        ValueError: when anything in it is not as `to_json` writes it.
    """
    top = _mapping(data, "the file")
    version = _typed(top.get("version"), int, "version")
    if version > VERSION:
        raise NewerVersionError(f"version must be at most {VERSION}; it was {version}")
    kept = [_mapping(item, "kept") for item in _typed(top.get("kept"), list, "kept")]
    score = _entries(top, "self_score", lambda item, where: _typed(item, list, where))
    deadline = top.get("deadline_epoch_s")
    return Record(
        answers=_entries(top, "answers", _text_from_json),
        ticks=frozenset(
            (part, _typed(point, int, "self_score")) for part in score for point in score[part]
        ),
        deadline_s=None if deadline is None else _number(deadline, "deadline_epoch_s"),
        opened_s=_entries(top, "opened", _epoch),
        opened_unwritten_s=_entries(top, "opened_before_writing", _epoch),
        guesses=_entries(top, "guesses", _guess_from_json),
        checks_s=_entries(top, "checks_passed", _epoch),
        kept={
            (kept_item.part, kept_item.text.draft): kept_item
            for kept_item in (
                Kept(
                    part=_typed(item.get("part"), str, "kept.part"),
                    text=_text_from_json(item, "kept"),
                    put_away=_typed(item.get("put_away"), bool, "kept.put_away"),
                )
                for item in kept
            )
        },
    )


def _iso(epoch_s: float) -> str:
    return datetime.fromtimestamp(epoch_s, UTC).isoformat(timespec="milliseconds")


def _epoch(value: object, where: str) -> float:
    return datetime.fromisoformat(_typed(value, str, where)).timestamp()


def _times_to_json(times_s: Mapping[str, float]) -> dict[str, str]:
    return {name: _iso(at_s) for name, at_s in times_s.items()}


def _text_to_json(text: Text) -> dict[str, object]:
    return {
        "text": text.text,
        "written": _iso(text.written_s),
        "draft": text.draft,
        "revision": text.revision,
    }


def _text_from_json(value: object, where: str) -> Text:
    item = _mapping(value, where)
    return Text(
        text=_typed(item.get("text"), str, f"{where}.text"),
        draft=_typed(item.get("draft"), str, f"{where}.draft"),
        revision=_typed(item.get("revision"), int, f"{where}.revision"),
        written_s=_epoch(item.get("written"), f"{where}.written"),
    )


def _guess_from_json(value: object, where: str) -> Guess:
    item = _mapping(value, where)
    return Guess(
        value=_number(item.get("value"), f"{where}.value"),
        committed_s=_epoch(item.get("committed"), f"{where}.committed"),
    )


def _entries(
    top: Mapping[str, object], name: str, read: Callable[[object, str], T]
) -> dict[str, T]:
    found = _mapping(top.get(name), name)
    return {key: read(value, f"{name}.{key}") for key, value in found.items()}


def _mapping(value: object, where: str) -> dict[str, object]:
    return cast(dict[str, object], _typed(value, dict, where))


def _number(value: object, where: str) -> float:
    number = float(value) if type(value) is int else _typed(value, float, where)
    if not math.isfinite(number):
        raise ValueError(f"{where} must be a finite number; it was {number}")
    return number


def _typed(value: object, kind: type[T], where: str) -> T:
    # `type(...) is`, not isinstance: True is an int in Python, but not a revision.
    if type(value) is not kind:
        raise ValueError(f"{where} must be of type {kind.__name__}; it was {value!r}")
    return value
