"""One part of the answer card: the reader's box, and the reference beside it once it is open."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import ipywidgets as W  # noqa: N812

from agentrl_lite.answers import HEADINGS, OPEN_LABELS, PROMPTS, Part, to_html, to_inline_html
from agentrl_lite.i18n import N_, _
from agentrl_lite.reader import Kept, Store
from agentrl_lite.widgets.output import button, html, show
from agentrl_lite.widgets.status import clock_time

HIDE_LABELS = {
    "mechanism": N_("Hide the reference: mechanism"),
    "measurement": N_("Hide the reference: measurement"),
    "action": N_("Hide the reference: action"),
    "metric": N_("Hide the reference: metric"),
}


class PartPanel:
    """The box for one part, its reference, its rubric points and any text kept for it.

    The reference text enters no widget before the reader opens it. `touched` is called with the
    part's key before a change of the box is handed to the store.

    Attributes:
        view: the widget.
        box: where the reader writes.
        toggle: opens the reference and hides it again.
        status: where the words are; beside the box that was written in last.
        points: the rubric points to tick; empty until the reference is open.
    """

    def __init__(
        self, key: str, store: Store, reference: Part | None, touched: Callable[[str], None]
    ) -> None:
        self.key = key
        self._store = store
        self._touched = touched
        self._reference = reference
        self.box = W.Textarea(
            value=store.record.text(key),
            description=_(HEADINGS[key]),
            placeholder=_(PROMPTS[key]),
            rows=4,
        ).add_class("arl-box")
        self.box.observe(lambda change: self._write(change["new"]), "value")
        self.toggle = button(_(OPEN_LABELS[key]))
        self.toggle.on_click(lambda _button: self._press())
        show(self.toggle, reference is not None)
        self.status = html()
        self.question = self._make_question()
        self.text = W.HTMLMath()
        self.points: list[W.Checkbox] = []
        self.reference = W.VBox().add_class("arl-reference")
        show(self.reference, False)
        self.kept = W.VBox()
        self._kept_shown: list[Kept] = []
        row = W.HBox([self.toggle, self.status]).add_class("arl-row")
        own = W.VBox([self.box, self.kept, row, self.question]).add_class("arl-own")
        self.view = W.Box([own, self.reference]).add_class("arl-part")
        self.refresh()

    @property
    def is_open(self) -> bool:
        """Whether the reference is shown."""
        return bool(self.reference.children)

    def refresh(self) -> None:
        """Show what the store knows."""
        record = self._store.record
        if self.box.value != record.text(self.key):
            self.box.value = record.text(self.key)
        for number, point in enumerate(self.points):
            point.value = (self.key, number) in record.ticks
        kept = record.kept_for(self.key)
        if kept != self._kept_shown:
            self._kept_shown = kept
            shown, self.kept.children = self.kept.children, [self._make_kept(k) for k in kept]
            for box in shown:
                for widget in (*box.children, box):
                    widget.close()

    def _write(self, text: str) -> None:
        if text != self._store.record.text(self.key):
            self._touched(self.key)
            self._store.write(self.key, text)

    def _press(self) -> None:
        record = self._store.record
        if self.is_open:
            self._close()
        elif not record.text(self.key).strip() and not record.opened_unwritten_s:
            show(self.question, True)
            self.question.children[1].focus()
        else:
            self._open()

    def _open(self) -> None:
        assert self._reference is not None  # without a reference the button is hidden
        show(self.question, False)
        self._store.open_reference(self.key)
        self.text.value = to_html(self._reference.text)
        self.points = [self._make_point(*item) for item in enumerate(self._reference.points)]
        lead = html(f"<strong>{escape(_('Reference'))}</strong>")
        ask = html(f'<span class="arl-quiet">{escape(_("Tick what your words cover:"))}</span>')
        self.reference.children = [lead, self.text, ask, *self.points]
        show(self.reference, True)
        self.toggle.description = _(HIDE_LABELS[self.key])

    def _close(self) -> None:
        show(self.reference, False)
        shown, self.reference.children = self.reference.children, []
        for widget in shown:
            if widget is not self.text:
                widget.close()
        self.points = []
        self.text.value = ""
        self.toggle.description = _(OPEN_LABELS[self.key])

    def _make_point(self, number: int, point: str) -> W.Checkbox:
        box = W.Checkbox(
            value=(self.key, number) in self._store.record.ticks,
            description=to_inline_html(point),
            description_allow_html=True,
            indent=False,
        ).add_class("arl-point")
        box.observe(lambda change: self._store.tick(self.key, number, change["new"]), "value")
        return box

    def _make_question(self) -> W.Box:
        text = _(
            "This box is still empty. Comparing helps most with words of your own, even rough ones."
        )
        anyway = _button(_("Open it anyway"), self._open_anyway)
        write = _button(_("Write first"), self._write_first)
        question = W.Box([html(f'<span role="alert">{escape(text)}</span>'), write, anyway])
        question.add_class("arl-row").add_class("arl-notice")
        show(question, False)
        return question

    def _open_anyway(self) -> None:
        self._open()
        self.toggle.focus()

    def _write_first(self) -> None:
        show(self.question, False)
        self.box.focus()

    def _make_kept(self, kept: Kept) -> W.Box:
        at = clock_time(kept.text.written_s, "%H:%M")
        note = _("Another window wrote this part at {time}; both versions are kept.")
        words = html(f'<div class="arl-words">{escape(kept.text.text)}</div>')
        show(words, False)

        def see() -> None:
            hidden = "arl-hidden" in words._dom_classes
            show(words, hidden)
            look.description = _("Hide it") if hidden else _("Show it")

        def append() -> None:
            mine = self._store.record.text(self.key).rstrip()
            self._store.write(self.key, f"{mine}\n\n{kept.text.text}" if mine else kept.text.text)
            away()

        def away() -> None:
            self._store.put_away(self.key, kept.text.draft)
            self.refresh()
            self.box.focus()

        look = _button(_("Show it"), see)
        buttons = [_button(_("Append it to mine"), append), _button(_("Put it away"), away)]
        lead = html(f'<span role="alert">{escape(note.format(time=at))}</span>')
        return (
            W.Box([lead, look, *buttons, words])
            .add_class("arl-row")
            .add_class("arl-notice")
            .add_class("arl-kept")
        )


def _button(label: str, action: Callable[[], None]) -> W.Button:
    made = button(label)
    made.on_click(lambda _button: action())
    return made
