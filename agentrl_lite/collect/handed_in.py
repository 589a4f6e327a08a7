"""Reads what was handed in. A file that cannot be read is named, never skipped.

A person is a file (`ada.json`) or a folder (`ada/q03.json`, however deep) in the folder that is
collected. Nothing that lies in a file is believed beyond its form, and none is followed elsewhere.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agentrl_lite.appendix.catalog import QUESTIONS
from agentrl_lite.i18n import _
from agentrl_lite.reader.record import Record, from_json

#: A card holds a few pages of text; a file of many megabytes is something else.
LARGEST_BYTES = 5_000_000
FILES = 20_000  # of a folder, at most: one for each of thirty questions of some hundred people
_KNOWN = frozenset(question.id for question in QUESTIONS)
#: What operating systems and course systems leave in a folder, and nobody handed in.
_NOT_HANDED_IN = ("__MACOSX", "Thumbs.db", "desktop.ini")


#: One thing that somebody did: a question, which part of it, and what tells it from another's.
_Mark = tuple[str | float, ...]


@dataclass(frozen=True)
class Unread:
    """Something in the folder that does not count, and why.

    Attributes:
        file: path within the folder.
        reason: one sentence.
    """

    file: str
    reason: str


@dataclass
class HandIn:
    """What was handed in.

    Attributes:
        records: person to question to record.
        unread: files that do not count.
        duplicates: sentences on people who seem to be there twice.
    """

    records: dict[str, dict[str, Record]] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)


def read_folder(folder: Path) -> HandIn:
    """Read every file of a folder.

    Raises:
        ValueError: when there is no such folder, or nothing lies in it.
    """
    if not folder.is_dir():
        raise ValueError(f"folder must be a folder of answers; it was {folder}")
    found = HandIn()
    seen: dict[_Mark, tuple[str, str]] = {}  # to whose it was, and the file's name
    empty = True
    for number, path in enumerate(_files(folder)):
        empty = False
        name = path.relative_to(folder).as_posix()
        if number >= FILES:
            found.unread.append(Unread(name, _("It comes after the first {n}.").format(n=FILES)))
            break
        _read_file(path, name, found, seen)
    if empty:
        raise ValueError(f"folder must hold what was handed in; {folder} is empty")
    _name_alike(found)
    return found


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        hidden = any(part.startswith(".") or part in _NOT_HANDED_IN for part in inside)
        if not hidden and (path.is_symlink() or not path.is_dir()):
            yield path


def _read_file(path: Path, name: str, found: HandIn, seen: dict[_Mark, tuple[str, str]]) -> None:
    inside = Path(name)
    person = printable(inside.parts[0] if len(inside.parts) > 1 else inside.stem)
    try:
        records = _records(_bytes(path))
    except (OSError, ValueError, ArithmeticError, RecursionError) as error:
        found.unread.append(Unread(printable(name), _reason(error)))
        return
    file = printable(name)
    found.duplicates += _of_others(file, person, records, seen)
    own = found.records.setdefault(person, {})
    for question, record in records.items():
        if question not in own:
            own[question] = record
            continue
        if record != own[question]:
            text_ = _("{person} handed in {question} more than once; the latest words count.")
            found.duplicates.append(text_.format(person=person, question=question))
        own[question] = max(own[question], record, key=_written_s)


def _of_others(
    file: str,
    person: str,
    records: Mapping[str, Record],
    seen: dict[_Mark, tuple[str, str]],
) -> list[str]:
    """Say which questions hold something that was handed in under another name, too."""
    shared: dict[str, list[str]] = {}
    for question, record in records.items():
        owners = [seen.setdefault(mark, (person, file)) for mark in _marks(question, record)]
        for other in dict.fromkeys(name for owner, name in owners if owner != person):
            shared.setdefault(other, []).append(question)
    text = _("{file} holds the same answers as {other}: {questions}.")
    return [
        text.format(file=file, other=other, questions=", ".join(questions))
        for other, questions in shared.items()
    ]


def _marks(question: str, record: Record) -> Iterator[_Mark]:
    """Yield what no two people have in common: words with their draft, deeds with their time."""
    for part in record.written_parts():
        yield question, part, record.answers[part].draft, record.text(part)
    for name, guess in record.guesses.items():
        yield question, name, guess.value, guess.committed_s
    for name, passed_s in record.checks_s.items():
        yield question, name, passed_s


def _bytes(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        ValueError: when it is no plain file of a sensible size.
    """
    if path.is_symlink() or not path.is_file():
        raise ValueError(_("It is no plain file."))
    if path.suffix.lower() != ".json":
        raise ValueError(_("It is not JSON. Ask for the export as JSON."))
    with path.open("rb") as stream:  # not by its size: a file may grow
        text = stream.read(LARGEST_BYTES + 1)
    if len(text) > LARGEST_BYTES:
        raise ValueError(_("It is larger than {n} bytes.").format(n=LARGEST_BYTES))
    return text


def _records(text: bytes) -> dict[str, Record]:
    """Return the records of an export, or the one of a reader's file.

    Raises:
        ValueError: when anything is not as it should be; then none of them counts.
    """
    data = json.loads(text.decode("utf-8-sig"))
    listed = data.get("records") if isinstance(data, dict) and "records" in data else [data]
    if not isinstance(listed, list) or not listed:
        raise ValueError(_("It holds no answers."))
    records: dict[str, Record] = {}
    for item in listed:
        question = item.get("question") if isinstance(item, dict) else None
        if not isinstance(question, str) or question not in _KNOWN:
            raise ValueError(_("It holds no answers to a question of this book."))
        if question in records:
            raise ValueError(_("It holds {question} twice.").format(question=question))
        records[question] = from_json(item)
    return records


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return _("It is nested too deeply.")
    if isinstance(error, json.JSONDecodeError):
        return _("It is not JSON: {problem}.").format(problem=error)
    if isinstance(error, UnicodeDecodeError):
        return _("It is not in UTF-8.")
    text = printable(str(error))
    return text if len(text) <= 200 else text[:197] + "..."


def printable(text: str) -> str:
    r"""Return a name or a message without signs that steer a terminal or turn a line round.

    >>> printable("a\x1b[2Jb")
    'a�[2Jb'
    """
    normal = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(sign)[0] == "C" else sign
        for sign in normal
    )


def _written_s(record: Record) -> float:
    times_s = [text.written_s for text in record.answers.values()]
    times_s += [guess.committed_s for guess in record.guesses.values()]
    times_s += record.opened_s.values()
    return max(times_s, default=0.0)


def _name_alike(found: HandIn) -> None:
    """Name people whose names differ only in case, spaces or a copy's number: `Ada (1)`."""
    by_key: dict[str, list[str]] = {}
    for person in found.records:
        by_key.setdefault(_key(person), []).append(person)
    for people in by_key.values():
        if len(people) > 1:
            text = _("These may be one person: {people}.")
            found.duplicates.append(text.format(people=", ".join(people)))


def _key(person: str) -> str:
    base, bracket, number = person.rstrip().rpartition("(")
    if bracket and number.rstrip(")").isdigit() and base.strip():
        person = base
    return "".join(sign for sign in person.casefold() if sign.isalnum())


def records_of(found: HandIn, question: str) -> Mapping[str, Record]:
    """Return person to record, for those who handed in something on a question."""
    return {person: own[question] for person, own in found.records.items() if question in own}
