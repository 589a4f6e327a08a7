"""A guess committed to before anything is computed, and later laid beside the truth."""

from __future__ import annotations

import math
from html import escape
from typing import Any

import ipywidgets as W  # noqa: N812

from agentrl_lite.appendix.exercises import Prediction, prediction
from agentrl_lite.i18n import _
from agentrl_lite.reader import Guess, Store, open_store
from agentrl_lite.reader.schedule import Postponed
from agentrl_lite.widgets.output import bundle, button, html, show, style
from agentrl_lite.widgets.status import clock_time, notices_to_html, to_html

# A browser sends "Enter was pressed" a moment before the text that was entered.
ENTER_WAITS_S = 0.3

GUESS_STYLE = """
.arl-block .widget-text.arl-number { width: auto; height: auto; flex-flow: row wrap;
  align-items: center; gap: 4px 8px; overflow: visible; }
.arl-block .arl-number > label { width: auto; height: auto; color: inherit; text-align: left;
  white-space: normal;
  font-size: var(--jp-content-font-size1, 14px); }
.arl-block .arl-number > input { flex: 0 0 8em; width: 8em; min-height: 32px;
  font-size: var(--jp-content-font-size1, 14px); color: var(--jp-content-font-color1, #1f2328);
  background: var(--jp-layout-color0, #fff); border: 1px solid var(--jp-border-color1, #767676); }
"""


def parse(text: str, asked: Prediction) -> float:
    """Return the number a reader typed.

    Args:
        text: as typed, as digits or as a fraction; the unit may follow the number.
        asked: says which numbers make sense.

    Raises:
        ValueError: with a message for the reader.
    """
    bare = text.strip().replace("−", "-")
    if asked.unit:
        bare = bare.removesuffix(asked.unit).strip()
    if not bare:
        raise ValueError(_("Write a number first."))
    value = _value(bare)
    if not math.isfinite(value):
        message = _("“{text}” is not a number. Write digits, with a point before decimals.")
        raise ValueError(message.format(text=text.strip()))
    if not asked.minimum <= value <= asked.maximum:
        message = _("The number must lie from {minimum} to {maximum}; {value} does not.")
        raise ValueError(
            message.format(
                minimum=_with_unit(f"{asked.minimum:g}", asked.unit),
                maximum=_with_unit(f"{asked.maximum:g}", asked.unit),
                value=_with_unit(bare, asked.unit),
            )
        )
    return value


def _value(text: str) -> float:
    """Return the number that was typed, as digits or as a fraction; NaN for anything else."""
    above, slash, below = text.partition("/")
    try:
        return float(above) / float(below) if slash else float(above)
    except (ValueError, ZeroDivisionError):
        return math.nan


def doubt(text: str, value: float, asked: Prediction) -> str:
    """Return a question where 0.27 may stand for 27 %; else nothing.

    Args:
        text: as typed; a sign for per cent leaves no doubt.
        value: the number in it.
        asked: has the unit.
    """
    if asked.unit != "%" or "%" in text or not 0 < value < 1:
        return ""
    return _("Did you mean {percent} %? If it is {value} %, press Commit once more.").format(
        percent=f"{100 * value:g}", value=f"{value:g}"
    )


def compare(guess: float, true_value: float, asked: Prediction) -> str:
    """Return in words by how much a guess is off.

    >>> asked = Prediction("q03-share", "", lambda: 65.61, "%", 0, 100)
    >>> compare(50.0, 65.61, asked)
    'You were 15.6 percentage points too low.'
    >>> compare(20.0, 65.61, asked)
    'You were 45.6 percentage points too low, by a factor of 3.3.'
    """
    off = round(guess - true_value, asked.digits)
    if off == 0:
        return _("You were right, to the digits shown.")
    unit = _("percentage points") if asked.unit == "%" else asked.unit
    distance = f"{abs(off):.{asked.digits}f} {unit}".strip()
    ratio = max(guess, true_value) / min(guess, true_value) if min(guess, true_value) > 0 else 1.0
    if ratio >= 2:
        far = (
            _("You were {distance} too high, by a factor of {ratio}.")
            if off > 0
            else _("You were {distance} too low, by a factor of {ratio}.")
        )
        return far.format(distance=distance, ratio=f"{ratio:.1f}")
    near = _("You were {distance} too high.") if off > 0 else _("You were {distance} too low.")
    return near.format(distance=distance)


class GuessForm:
    """Takes one number; once it is committed, shows it and takes no other.

    Attributes:
        view: the widget.
        field: where the number is typed.
        commit: commits it.
        message: what is wrong with it, or where the guess is kept.
    """

    def __init__(self, asked: Prediction, store: Store) -> None:
        self.asked = asked
        self._store = store
        self._doubted = ""
        # Sent when the reader leaves the field, and so always before a press of the button.
        self.field = W.Text(
            description=_with_unit(_("Your guess"), asked.unit and f"({asked.unit})"),
            continuous_update=False,
        ).add_class("arl-number")
        self._enter = Postponed(self._commit)
        self.field.on_msg(self._receive)
        self.commit = button(_("Commit"))
        self.commit.on_click(lambda _button: self._commit())
        self.form = W.HBox([self.field, self.commit]).add_class("arl-row")
        self.frozen = html()
        self.message = html()
        self.status = html()
        lead = html(f"{style(GUESS_STYLE)}<p><strong>{escape(_(asked.question))}</strong></p>")
        self.view = W.VBox([lead, self.form, self.frozen, self.message, self.status])
        self.view.add_class("arl-block")
        store.watch(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what the store knows."""
        guess = self._store.record.guesses.get(self.asked.id)
        show(self.form, guess is None)
        self.frozen.value = "" if guess is None else self._frozen_html(guess)
        self.status.value = notices_to_html(self._store) + (
            to_html(self._store.state) if self._store.state.kind == "failed" else ""
        )

    def _frozen_html(self, guess: Guess) -> str:
        text = _("Your guess: {value}, committed on {date}. It stays as it is.").format(
            value=_with_unit(f"{guess.value:g}", self.asked.unit),
            date=clock_time(guess.committed_s, "%Y-%m-%d, %H:%M"),
        )
        return f'<div class="arl-good" role="status">{escape(text)}</div>'

    def _receive(self, _widget: W.Widget, content: dict[str, Any], _buffers: object) -> None:
        if content.get("event") == "submit":
            self._enter.soon(ENTER_WAITS_S)

    def _commit(self) -> None:
        self._enter.cancel()
        if self.asked.id in self._store.record.guesses:
            return
        text = self.field.value
        try:
            value = parse(text, self.asked)
            if text != self._doubted and (question := doubt(text, value, self.asked)):
                self._doubted = text
                raise ValueError(question)
        except ValueError as error:
            self.message.value = f'<div class="arl-bad" role="alert">{escape(str(error))}</div>'
            self.field.focus()
            return
        self.message.value = ""
        if self._store.commit_guess(self.asked.id, value).value != value:
            text = _("You had committed a guess in another window already. That one counts.")
            self.message.value = f'<div class="arl-notice" role="alert">{escape(text)}</div>'

    def _repr_mimebundle_(self, **_options: object) -> dict[str, Any]:
        text = _(self.asked.question)
        hint = _("Commit to a number before you read on.")
        return bundle(
            self.view,
            f"<p><strong>{escape(text)}</strong> {escape(hint)}</p>",
            f"predict({self.asked.id!r}): {text}",
            "guess",
            {"guess": self.asked.id},
        )


class Truth:
    """The guess beside the truth; nothing of the truth before there is a guess.

    Attributes:
        view: the widget.
    """

    def __init__(self, asked: Prediction, store: Store) -> None:
        self.asked = asked
        self._store = store
        self.body = html()
        self.view = W.VBox([html(style()), self.body]).add_class("arl-block")
        store.watch(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what the store knows."""
        guess = self._store.record.guesses.get(self.asked.id)
        question = f"<p><strong>{escape(_(self.asked.question))}</strong></p>"
        if guess is None:
            text = _("You have not guessed yet. Commit a number above; then the truth appears.")
            self.body.value = f'{question}<div class="arl-notice">{escape(text)}</div>'
            return
        true_value = self.asked.truth()
        text = _("You guessed {guess}. It is {truth}.").format(
            guess=_with_unit(f"{guess.value:g}", self.asked.unit),
            truth=_with_unit(f"{true_value:.{self.asked.digits}f}", self.asked.unit),
        )
        words = compare(guess.value, true_value, self.asked)
        self.body.value = (
            f'{question}<div class="arl-good" role="status">{escape(text)} {escape(words)}</div>'
        )

    def _repr_mimebundle_(self, **_options: object) -> dict[str, Any]:
        text = _("Your guess stands here beside the truth once you run this notebook.")
        return bundle(
            self.view,
            f"<p>{escape(text)}</p>",
            f"truth({self.asked.id!r})",
            "guess",
            {"guess": self.asked.id, "truth": True},
        )


def predict(prediction_id: str) -> GuessForm:
    """Return a form that commits one guess.

    Args:
        prediction_id: such as `q03-share`.

    Raises:
        ValueError: for an unknown prediction.
    """
    return GuessForm(prediction(prediction_id), open_store(_question_of(prediction_id)))


def truth(prediction_id: str) -> Truth:
    """Return the guess beside the truth; it appears when the guess is committed.

    Args:
        prediction_id: such as `q03-share`.

    Raises:
        ValueError: for an unknown prediction.
    """
    return Truth(prediction(prediction_id), open_store(_question_of(prediction_id)))


def _question_of(prediction_id: str) -> str:
    return prediction_id.split("-")[0]


def _with_unit(value: str, unit: str) -> str:
    return f"{value} {unit}".strip()
