"""Searches an edition for what only the answers know.

An answer is: the answer files, the cells tagged `solution` or `answer`, their outputs and literals.
Three kinds of secrets follow from it:

- *words*: each sentence, each clause of six words or more, and each run of ten words. They are
  looked for in every file, with markup, case and spacing ignored.
- *numbers*: each literal with three significant digits or more that the question's own scenario and
  exercises don't give. They are looked for in the question's own notebook: elsewhere, the same
  digits mean something else.
- *truths*: each number, in digits or in words, that one of the question's checks takes for right
  and the scenario doesn't give. They, too, are looked for in the question's own notebook.
"""

from __future__ import annotations

import functools
import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentrl_lite import notebooks
from agentrl_lite.appendix import exercises

SECRET_TAGS = frozenset({"answer", "solution"})
CLAUSE = 6  # words from which a clause is telling
RUN = 10  # words from which any run is telling
SHORT_SENTENCE = 4  # words below which a sentence may be anybody's
DIGITS = 3

_ANSWER_FILE = re.compile(r"(.*/)?(answers/.*|[qx]\d+\.md)")
# Numbers below five are in every second sentence; these are telling.
_SPELLED = ("five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen")
_BLOCK = re.compile(r"</?(?:p|div|details|summary|h\d|ul|ol|li|table|tr|t[dh]|br)\b[^<>]*>")
_QUESTION = re.compile(r"([qx]\d+)[_.]")
_WORD = re.compile(r"\w+(?:\.\d+)?")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w|\.\d)")


@dataclass(frozen=True)
class Leak:
    """A place that gives an answer away.

    Attributes:
        file: path within the edition.
        cell: the cell's id; empty outside notebooks.
        secret: what was found.
    """

    file: str
    cell: str
    secret: str

    def __str__(self) -> str:
        """Say where, and what."""
        place = f"{self.file}, cell {self.cell}" if self.cell else self.file
        return f"{place}: {self.secret}"


@dataclass
class Secrets:
    """What one question's answers know and its reader should not read.

    Attributes:
        question: `q03`.
        phrases: words joined by single spaces.
        numbers: values.
        given: values that the scenario states.
    """

    question: str
    phrases: set[str] = field(default_factory=set)
    numbers: set[float] = field(default_factory=set)
    given: set[float] = field(default_factory=set)


#: Phrases by how many words they have, each with the questions whose answers hold it.
_Index = dict[int, dict[str, set[str]]]


def question_of(name: str) -> str | None:
    """Return the question that a file's name starts with.

    >>> question_of("q03_group_size.ipynb"), question_of("00_start.ipynb")
    ('q03', None)
    """
    match = _QUESTION.match(name)
    return match[1] if match else None


def is_secret(cell: Any) -> bool:
    """Say whether a cell belongs to an answer."""
    return bool(SECRET_TAGS.intersection(cell.metadata.get("tags", ())))


def find_leaks(edition: Path, source: Path) -> list[Leak]:
    """Search every file of an edition for the answers that the source's notebooks hold.

    Args:
        edition: the folder to hand out.
        source: the folder of notebooks that it was made from.

    Returns:
        the places found; none for a sound edition.
    """
    known = list(secrets(source))
    index = _index(known)
    found: list[Leak] = []
    for path in sorted(edition.rglob("*")):
        name = path.relative_to(edition).as_posix()
        if path.is_dir():
            continue
        if _ANSWER_FILE.fullmatch(name):
            found.append(Leak(name, "", "an answer file"))
        for cell, text in _passages(path):
            told = [*_quotes(text, index), *_values(name, text, known)]
            found += (Leak(name, cell, what) for what in told)
    return found


def secrets(source: Path) -> Iterator[Secrets]:
    """Yield what is secret of each question that has a notebook or an answer file in `source`."""
    by_question: dict[str, Secrets] = {}
    for path in (*sorted(source.glob("*.ipynb")), *sorted((source / "answers").glob("*.md"))):
        question = question_of(path.name)
        if question is None:
            continue
        entry = by_question.setdefault(question, Secrets(question))
        if path.suffix == ".md":
            # The four headings are what every reader is asked to write under: no secret.
            _learn(entry, re.sub(r"(?m)^#.*$", "", path.read_text(encoding="utf-8")))
        else:
            _learn_notebook(entry, notebooks.read(path))
    yield from by_question.values()


def _learn_notebook(entry: Secrets, notebook: Any) -> None:
    """Add the secrets of a notebook's tagged cells, less what its other cells state or show."""
    stated: set[float] = set()
    # The card is shown twice, once of them in an answer: its title and headings are no secret.
    # What it tells of the reference is learned from the answer file.
    shown: set[str] = set()
    for cell in notebook.cells:
        if is_secret(cell):
            for text in (cell.source, *_outputs(cell)):
                _learn(entry, text)
            continue
        shown.update(phrase for text in _outputs(cell) for phrase in phrases(text))
        if cell.id.startswith(f"{entry.question}-exercise"):
            stated |= {value for value, _digits in numbers_in(cell.source)}
        elif cell.id == f"{entry.question}-scenario":
            entry.given = {value for value, _digits in numbers_in(cell.source)}
    entry.numbers -= stated | entry.given
    entry.phrases -= shown


def _learn(entry: Secrets, text: str) -> None:
    entry.phrases |= set(phrases(text))
    new = {value for value, digits in numbers_in(text) if digits >= DIGITS}
    entry.numbers |= new - entry.given


def phrases(text: str) -> Iterator[str]:
    """Yield the sentences, clauses and runs of words by which a text can be recognised.

    >>> list(phrases("Neither costs an episode. - [ ] I named it."))
    ['neither costs an episode']
    """
    for sentence in re.split(r"[.!?](?:\s|$)|\n\s*\n|\n\s*[-*#|>]|- \[ \]", _plain(text)):
        words = _WORD.findall(sentence)
        if len(words) >= SHORT_SENTENCE:
            yield " ".join(words)
        for clause in re.split(r"[,;:()\n\u2013\u2014]\s", sentence):
            part = _WORD.findall(clause)
            if len(part) >= CLAUSE:
                yield " ".join(part)
        for start in range(len(words) - RUN):
            yield " ".join(words[start : start + RUN])


def numbers_in(text: str) -> Iterator[tuple[float, int]]:
    """Yield each number of a text with its count of significant digits; a per cent twice.

    >>> list(numbers_in("43.0 % of 2,400; version 0.7.1; Q7"))
    [(43.0, 3), (0.43, 3), (2400.0, 2)]
    """
    for match in _NUMBER.finditer(text):
        plain = match[0].replace(",", "")
        mantissa = re.split("[eE]", plain)[0]
        digits = mantissa.replace(".", "").lstrip("0")
        if "." not in mantissa:
            digits = digits.rstrip("0")
        value = float(plain)
        yield value, len(digits)
        if re.match(r"\s*\\?%", text[match.end() :]):
            # 10 digits after the point undo the division's rounding.
            yield round(value / 100, 10), len(digits)


def _index(known: Iterable[Secrets]) -> _Index:
    index: _Index = {}
    for entry in known:
        for phrase in entry.phrases:
            of_length = index.setdefault(phrase.count(" ") + 1, {})
            of_length.setdefault(phrase, set()).add(entry.question)
    return index


def _quotes(text: str, index: _Index) -> Iterator[str]:
    """Yield for each question the longest of its answers' phrases that a passage holds."""
    words = _WORD.findall(_plain(text))
    longest: dict[str, str] = {}
    for length in sorted(index):
        starts = range(len(words) - length + 1)
        runs = {" ".join(words[start : start + length]) for start in starts}
        for phrase in sorted(runs & index[length].keys()):
            longest |= dict.fromkeys(index[length][phrase], phrase)
    for question, phrase in sorted(longest.items()):
        yield f"quotes an answer of {question}: {phrase!r}"


def _values(name: str, text: str, known: Iterable[Secrets]) -> Iterator[str]:
    """Yield the numbers in a passage of the file `name` that its own question's answers know."""
    own = question_of(Path(name).name)
    for entry in known:
        if entry.question != own:
            continue
        words = set(_WORD.findall(_plain(text)))
        values = {value for value, _digits in numbers_in(text)}
        spelled = {float(n) for n, word in enumerate(_SPELLED, start=5) if word in words}
        for value in sorted(values & entry.numbers):
            yield f"has the number {value:g}, which an answer of {own} tells"
        for check in exercises.check_ids(own):
            for value in sorted((values | spelled) - entry.given):
                if _is_right(check, value):
                    yield f"has the number {value:g}, which is right for the check {check}"


@functools.cache
def _is_right(check: str, value: float) -> bool:
    # Some truths are simulated; the same small numbers come up in every cell.
    return exercises.judge(check, value).status == "right"


def _passages(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the texts of a file, each with the id of its cell."""
    if path.suffix == ".ipynb":
        notebook = notebooks.read(path)
        yield "", json.dumps(notebook.metadata, ensure_ascii=False)
        for cell in notebook.cells:
            yield cell.id, cell.source
            yield cell.id, json.dumps(cell.metadata, ensure_ascii=False)
            yield from ((cell.id, text) for text in _outputs(cell))
    elif path.suffix == ".html":
        yield "", _of_page(path.read_text(encoding="utf-8"))
    else:
        # Bytes that are no text, of a picture for example, become signs that match nothing.
        yield "", path.read_bytes().decode("utf-8", errors="replace")


def _of_page(page: str) -> str:
    """Return what a page shows or reads out: without styles, scripts and its tags' attributes."""
    shown = re.sub(r"(?s)<(style|script)\b.*?</\1>", " ", page)

    def bare(tag: re.Match[str]) -> str:
        told = re.findall(r"""\b(?:alt|title|aria-label)=(?:"([^"]*)"|'([^']*)')""", tag[0])
        words = "".join(f"<p>{double or single}</p>" for double, single in told)
        return f"<{tag[1]}>{words}"

    return html.unescape(re.sub(r"""<(/?\w+)(?:"[^"]*"|'[^']*'|[^<>"'])*>""", bare, shown))


def _outputs(cell: Any) -> Iterator[str]:
    """Yield every text in a cell's outputs, of whatever kind."""
    for output in cell.get("outputs", ()):
        for key in ("text", "evalue"):
            if key in output:
                yield output[key]
        for mime, content in output.get("data", {}).items():
            if mime == "text/html":
                yield _of_page(content)  # a colour in a style tells nothing
            elif mime.startswith("text/") or mime == "image/svg+xml":
                yield content
            elif not mime.startswith("image/"):
                yield json.dumps(content, ensure_ascii=False)
        yield json.dumps(output.get("metadata", {}), ensure_ascii=False)


def _plain(text: str) -> str:
    """Return a text in lower case, without HTML's and Markdown's marks."""
    blocks = _BLOCK.sub("\n\n", text)
    bare = html.unescape(re.sub(r"<[^<>]*>", " ", blocks))
    return re.sub(r"[*_`$\\]", "", bare).lower()
