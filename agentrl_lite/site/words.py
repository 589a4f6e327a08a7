"""What the scripts of a page say, and what they know of the questions: `_static/words.js`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from agentrl_lite import answers
from agentrl_lite.appendix.catalog import QUESTIONS, SECTIONS
from agentrl_lite.appendix.exercises import (
    MUST,
    NOT_YET,
    OUTSIDE,
    POINT,
    RIGHT,
    STATUS_WORDS,
    check_ids,
    predictions,
)
from agentrl_lite.i18n import N_, _
from agentrl_lite.site.card import MINUTES

WORDS = {
    # the card
    "start": N_("Start {minutes} minutes"),
    "stop": N_("Stop the clock"),
    "left": N_("{time} left"),
    "timeUp": N_("Time is up. Read on when you are ready, or write on."),
    "kept": N_("Kept in this browser, {time}."),
    "keptBefore": N_("Kept in this browser."),
    "notKept": N_(
        "NOT kept: this browser refuses to store anything. Your words stay while this page is "
        "open. Export them before you leave it. The browser says: {problem}"
    ),
    "score": N_("Self-score: {given} of {total} points."),
    "twoVersions": N_("Another window wrote this part at {time}; both versions are kept."),
    "append": N_("Append it to mine"),
    "putAway": N_("Put it away"),
    "damaged": N_(
        "What this browser held about {question} was damaged and could not be read. It is set "
        "aside under the name {aside}."
    ),
    "newer": N_(
        "What this browser holds about {question} was written by a newer version of this book. It "
        "is left alone, and what you write here is not kept."
    ),
    # the guess
    "writeNumber": N_("Write a number first."),
    "notNumber": N_("“{text}” is not a number. Write digits, with a point before decimals."),
    "outside": N_("The number must lie from {minimum} to {maximum}; {value} does not."),
    "doubt": N_("Did you mean {percent} %? If it is {value} %, press Commit once more."),
    "frozen": N_("Your guess: {value}, committed on {date}. It stays as it is."),
    "guessed": N_("You guessed {guess}. It is {truth}."),
    "exact": N_("You were right, to the digits shown."),
    "high": N_("You were {distance} too high."),
    "low": N_("You were {distance} too low."),
    "highBy": N_("You were {distance} too high, by a factor of {ratio}."),
    "lowBy": N_("You were {distance} too low, by a factor of {ratio}."),
    "points": N_("percentage points"),
    # the check
    "right": RIGHT,
    "notYet": NOT_YET,
    "outsideShare": OUTSIDE,
    "point": POINT,
    "passed": N_("Right, on {date}."),
    # the export
    "nothing": N_("*Nothing written.*"),
    "unwritten": N_("*Reference opened before anything was written here.*"),
    "otherVersion": N_("*Another version, written in another window:*"),
    "guesses": N_("Guesses"),
    "guessLine": N_("{asked} {value}{unit}, committed on {date}."),
    # the progress
    "question": N_("Question"),
    "written": N_("Parts written"),
    "selfScore": N_("Self-score"),
    "checks": N_("Checks"),
    "peeked": N_("Opened before writing"),
    "of": N_("{done} of {total}"),
    "worked": N_("You have worked on {done} of {total} pages."),
    "keptAll": N_("Your words are kept in this browser."),
    "noneYet": N_("Nothing is kept in this browser yet."),
    "imported": N_("Brought back: {names}."),
    "ofOthers": N_("{file} holds no answers to this question; it has {names}."),
    "alone": N_(
        "Opened from a disk, Firefox keeps what you write with each page by itself. Export it on "
        "its page, and bring the file back where you want it; or open the book from a server."
    ),
    "noAnswers": N_("It holds no answers."),
    "notImported": N_("{file} is not an export of this book: {problem}"),
    "progress": N_("Progress"),
}


def words_js(source: Path) -> str:
    """Return the script that every page loads first.

    Args:
        source: the folder of notebooks, with `answers` in it.
    """
    words = {key: _(text) for key, text in WORDS.items()}
    data = {
        "minutes": MINUTES,
        "words": words,
        "headings": {key: _(heading) for key, heading in answers.HEADINGS.items()},
        "statuses": {status: _(word) for status, word in STATUS_WORDS.items()},
        "must": {kind: _(text) for kind, text in MUST.items()},
        "questions": questions(source),
    }
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return f'"use strict";\n\n// Made when the site is built.\nconst AgentRL = {text};\n'


def questions(source: Path) -> Mapping[str, object]:
    """Return what the scripts know of each question that has a page."""
    pages = {path.name.partition("_")[0]: path.stem for path in sorted(source.glob("[qx]*.ipynb"))}
    return {
        question.id: {
            "title": f"{question.label} · {_(question.title)}",
            "section": _(SECTIONS[question.section]),
            "page": pages[question.id],
            "points": _points(question.id, source),
            "checks": len(check_ids(question.id)),
            "predictions": {
                asked.id: {"question": _(asked.question), "unit": asked.unit}
                for asked in predictions(question.id)
            },
        }
        for question in QUESTIONS
        if question.id in pages
    }


def _points(question: str, source: Path) -> Mapping[str, tuple[str, ...]]:
    reference = answers.load(question, source / "answers")
    return {key: part.points for key, part in (reference or {}).items()}
