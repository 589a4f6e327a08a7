"""What a reader's guess or answer is held against.

The truth is computed when it is asked for; nothing here stores it. A hint belongs to one typical
wrong value, which is computed too, the way the mistake is made.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from agentrl_lite.appendix import blocks
from agentrl_lite.i18n import N_, _

Kind = Literal["integer", "number", "share"]
Status = Literal["right", "wrong", "unanswered", "type"]


def _nothing() -> Mapping[str, object]:
    return {}


@dataclass(frozen=True)
class Hint:
    """A typical wrong value and what to say to it.

    Attributes:
        value: returns the wrong value, computed the way the mistake is made.
        text: the hint, marked with `N_`; may hold `{fields}`.
        fields: returns the numbers that enter the text.
    """

    value: Callable[[], float]
    text: str
    fields: Callable[[], Mapping[str, object]] = _nothing


@dataclass(frozen=True)
class Check:
    """One answer that a notebook asks for.

    Attributes:
        id: `q03-smallest-G`.
        kind: `"integer"`, `"number"`, or `"share"` (from 0 to 1).
        truth: returns the right value.
        tolerance: how far from it still counts as right, in the answer's own unit.
        hints: typical wrong values.
        otherwise: what to try next after any other wrong value, marked with `N_`.
    """

    id: str
    kind: Kind
    truth: Callable[[], float]
    otherwise: str
    hints: tuple[Hint, ...] = ()
    tolerance: float = 0.0


@dataclass(frozen=True)
class Prediction:
    """One guess that a reader commits to before anything is computed.

    Attributes:
        id: `q03-share`.
        question: what is to be guessed, marked with `N_`.
        truth: returns the true value, in `unit`.
        unit: `"%"`, or what is counted; `""` for a pure number.
        minimum: least number that makes sense.
        maximum: greatest number that makes sense.
        digits: decimals that the truth is shown with.
    """

    id: str
    question: str
    truth: Callable[[], float]
    unit: str
    minimum: float
    maximum: float
    digits: int = 1


@dataclass(frozen=True)
class Verdict:
    """What a check says: a status, and a sentence for the reader."""

    status: Status
    message: str


def check_ids(question: str | None = None) -> tuple[str, ...]:
    """Return the ids of one question's checks, or of all."""
    found = (one.id for block in blocks() for one in block.CHECKS)
    return tuple(i for i in found if question is None or i.startswith(f"{question}-"))


def predictions(question: str | None = None) -> tuple[Prediction, ...]:
    """Return one question's predictions, or all."""
    found = (p for block in blocks() for p in block.PREDICTIONS)
    return tuple(p for p in found if question is None or p.id.startswith(f"{question}-"))


def prediction(prediction_id: str) -> Prediction:
    """Return a prediction.

    Raises:
        ValueError: for an unknown id.
    """
    known = {p.id: p for p in predictions()}
    if prediction_id not in known:
        raise ValueError(
            f"prediction id must be one of {', '.join(known)}; it was {prediction_id!r}"
        )
    return known[prediction_id]


def check(check_id: str) -> Check:
    """Return a check.

    Raises:
        ValueError: for an unknown id.
    """
    known: dict[str, Check] = {one.id: one for block in blocks() for one in block.CHECKS}
    if check_id not in known:
        raise ValueError(f"check id must be one of {', '.join(known)}; it was {check_id!r}")
    return known[check_id]


def judge(check_id: str, answer: object) -> Verdict:
    """Hold an answer against a check, without telling the truth.

    Args:
        check_id: one of `check_ids()`.
        answer: the reader's; `None` or `...` means not answered yet.

    Returns:
        A verdict, whose text depends on nothing but the arguments and the language.

    Raises:
        ValueError: for an unknown check.

    >>> judge("q03-smallest-G", ...).status
    'unanswered'
    >>> judge("q03-smallest-G", "seven").message
    "This answer must be a whole number; it was 'seven'."
    """
    asked = check(check_id)
    if answer is None or answer is Ellipsis:
        message = _("Not answered yet. Put your answer in place of the three dots and run again.")
        return Verdict("unanswered", message)
    number = _number(answer)
    if number is None or (asked.kind == "integer" and number != round(number)):
        message = _(MUST[asked.kind]).format(answer=_short(answer))
        # 22,0 is a tuple in Python, and a text on a page of the site.
        with_comma = isinstance(answer, (str, tuple)) and "," in repr(answer)
        return Verdict("type", message + (_(POINT) if with_comma else ""))
    if asked.kind == "share" and not 0 <= number <= 1:
        return Verdict("type", _(OUTSIDE).format(answer=_short(answer)))
    if _near(number, asked.truth(), asked.tolerance):
        return Verdict("right", _(RIGHT))
    for hint in asked.hints:
        if _near(number, hint.value(), asked.tolerance):
            return Verdict("wrong", _(NOT_YET) + _(hint.text).format(**hint.fields()))
    return Verdict("wrong", _(NOT_YET) + _(asked.otherwise))


def _number(answer: object) -> float | None:
    """Return a real, finite number as a float; None for anything else, truth values included."""
    if getattr(answer, "shape", None) == () and hasattr(answer, "item"):
        answer = answer.item()  # a numpy scalar or an array of no dimension
    of_sympy = getattr(answer, "is_number", False) is True  # without a symbol, as 31/sqrt(32) is
    if isinstance(answer, bool) or not (
        isinstance(answer, numbers.Real) or (of_sympy and getattr(answer, "is_real", None) is True)
    ):
        return None
    try:
        number = float(answer)  # type: ignore[arg-type]
    except (OverflowError, TypeError):  # too large for a float, or real only on paper
        return None
    return number if math.isfinite(number) else None


def _near(number: float, target: float, tolerance: float) -> bool:
    # The few units in the last place are for answers that were computed in another order.
    return abs(number - target) <= tolerance + 1e-9 * max(1.0, abs(target))


def _short(answer: object) -> str:
    text = repr(answer)
    return text if len(text) <= 40 else text[:37] + "..."


# What is said of any check, here and where nothing of this runs: on the pages of the site.
RIGHT = N_("Right.")
NOT_YET = N_("Not yet. ")
MUST: Mapping[Kind, str] = {
    "integer": N_("This answer must be a whole number; it was {answer}."),
    "number": N_("This answer must be a number; it was {answer}."),
    "share": N_("This answer must be a share from 0 to 1; it was {answer}."),
}
POINT = N_(" Write a point before decimals.")
OUTSIDE = N_("This answer is a share, from 0 to 1; {answer} is outside. Is it in percent?")

# A verdict's status as a word, for those who read it without its colour.
STATUS_WORDS: Mapping[Status, str] = {
    "right": N_("Right"),
    "wrong": N_("Not yet"),
    "unanswered": N_("Open"),
    "type": N_("Not a fitting value"),
}
