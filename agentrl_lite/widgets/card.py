"""The answer card: four boxes, ten minutes, the reference part by part beside your own words."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as W  # noqa: N812

from agentrl_lite import answers
from agentrl_lite.appendix import catalog
from agentrl_lite.i18n import _
from agentrl_lite.reader import PARTS, Store, open_store
from agentrl_lite.reader.markdown import export, to_markdown
from agentrl_lite.widgets.clock import Clock
from agentrl_lite.widgets.output import bundle, button, html, show, style
from agentrl_lite.widgets.part import PartPanel
from agentrl_lite.widgets.status import notices_to_html, to_html

CARD_STYLE = """
.arl-part { flex-flow: row wrap; gap: 4px 24px; overflow: visible; padding: 8px 0;
  border-top: 1px solid var(--jp-border-color2, #bdbdbd); }
.arl-own, .arl-reference { flex: 1 1 19rem; min-width: 0; overflow: visible; }
.arl-block .widget-textarea.arl-box { width: auto; height: auto; flex-flow: column;
  align-items: stretch; overflow: visible; }
.arl-block .arl-box > label { width: auto; height: auto; text-align: left; font-weight: 600;
  white-space: normal; line-height: 1.5;
  color: inherit; font-size: var(--jp-content-font-size1, 14px); }
.arl-block .arl-box > textarea { width: 100%; box-sizing: border-box; resize: vertical;
  min-height: 6.5em; font-family: var(--jp-content-font-family, sans-serif);
  font-size: var(--jp-content-font-size1, 14px); line-height: 1.45;
  color: var(--jp-content-font-color1, #1f2328); background: var(--jp-layout-color0, #fff);
  border: 1px solid var(--jp-border-color1, #767676); }
.arl-block .arl-box > textarea::placeholder { color: var(--jp-ui-font-color2, #616161); }
.arl-reference { border-left: 4px solid #0072b2; padding-left: 12px; }
.arl-block .widget-checkbox.arl-point { width: auto; height: auto; max-width: 100%; }
.arl-block .arl-point label { white-space: normal; display: flex; gap: 8px; align-items: baseline;
  width: auto; color: inherit; line-height: 1.4; font-size: var(--jp-content-font-size1, 14px); }
.arl-block .arl-point span { white-space: normal; overflow: visible; }
.arl-block .jupyter-widgets-disconnected textarea, .jupyter-widgets-disconnected .arl-box textarea {
  pointer-events: none; opacity: 0.6; }
.arl-words { white-space: pre-wrap; border: 1px solid var(--jp-border-color2, #bdbdbd);
  padding: 6px 8px; }
.arl-kept > .widget-html:last-child { flex: 1 1 100%; }
"""


class AnswerCard:
    """The live card of one question; `answer_card` makes it.

    Attributes:
        view: the widget.
        panels: one per part, by key.
        clock: the ten minutes.
        status: where the reader's words are, unless a box was written in: then it is there.
    """

    def __init__(self, question: catalog.Question, store: Store) -> None:
        self.question = question
        self.store = store
        self.title = f"{question.label} · {_(question.title)}"
        self._reference, trouble = _load_reference(question.id)
        self.clock = Clock(store)
        self.panels = {
            key: PartPanel(key, store, (self._reference or {}).get(key), self._touch)
            for key in PARTS
        }
        self._last_written = ""
        self.notices = html()
        self.status = html()
        self.score = html()
        self.exported = html()
        save = button(_("Save as Markdown"))
        save.on_click(lambda _button: self.export())
        heading = _heading(self.title, compares=self._reference is not None)
        where = _("Your words are kept in {file}.").format(file=store.path)
        self.view = W.VBox(
            [
                html(style(CARD_STYLE) + heading),
                self.notices,
                self.clock.view,
                *(panel.view for panel in self.panels.values()),
                html(trouble),
                W.HBox([self.score, self.status]).add_class("arl-row").add_class("arl-foot"),
                W.HBox([save, self.exported]).add_class("arl-row"),
                html(f'<span class="arl-quiet">{escape(where)}</span>'),
            ]
        ).add_class("arl-block")
        store.watch(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what the store knows."""
        for panel in self.panels.values():
            panel.refresh()
        self.clock.refresh()
        self.notices.value = notices_to_html(self.store)
        # In one place only: a screen reader announces every one.
        state = to_html(self.store.state)
        self.status.value = "" if self._last_written else state
        for key, panel in self.panels.items():
            panel.status.value = state if key == self._last_written else ""
        self.score.value = escape(self._score())
        show(self.score, bool(self.score.value))

    def export(self) -> None:
        """Write the reader's words to a Markdown file in their folder and say where it is."""
        text = to_markdown(self.store.record, self.title, self._reference)
        try:
            file = export(text, self.store.path.parent, f"{self.question.id}-answers")
        except OSError as error:
            message = _("NOT written: {problem}.").format(problem=error.strerror or error)
            self.exported.value = f'<span role="alert" class="arl-bad">{escape(message)}</span>'
        else:
            message = _("Written to {file}").format(file=file)
            self.exported.value = f'<span role="status">{escape(message)}</span>'

    def _touch(self, key: str) -> None:
        self._last_written = key

    def _score(self) -> str:
        record, reference = self.store.record, self._reference
        if reference is None or not record.opened_s:
            return ""
        total = sum(len(part.points) for part in reference.values())
        given = sum(
            1 for key, n in record.ticks if key in reference and n < len(reference[key].points)
        )
        return _("Self-score: {given} of {total} points.").format(given=given, total=total)

    def _repr_mimebundle_(self, **_options: object) -> dict[str, Any]:
        return bundle(
            self.view,
            static_html(self.title, self._reference),
            f"answer_card({self.question.id!r})",
            "card",
            {"card": self.question.id},
        )


_cards: dict[Store, AnswerCard] = {}


def answer_card(question_id: str) -> AnswerCard:
    """Return the answer card of a question, the same one whenever it is asked for in a kernel.

    Args:
        question_id: such as `q03`.

    Raises:
        ValueError: for an unknown question.
    """
    question = catalog.question(question_id)
    store = open_store(question_id)
    if store not in _cards:
        _cards[store] = AnswerCard(question, store)
    return _cards[store]


def static_html(title: str, reference: dict[str, answers.Part] | None) -> str:
    """Return the card for a page without a kernel: the prompts, and the reference in closed parts.

    Args:
        title: the question's name and title.
        reference: its parts; None in an edition without answers.
    """
    blocks = [_heading(title, compares=reference is not None)]
    for key in PARTS:
        heading, prompt = escape(_(answers.HEADINGS[key])), escape(_(answers.PROMPTS[key]))
        if reference is None:
            blocks.append(f"<p><strong>{heading}.</strong> {prompt}</p>")
            continue
        points = "".join(
            f"<li>{answers.to_inline_html(point)}</li>" for point in reference[key].points
        )
        blocks.append(
            f"<details><summary><strong>{heading}.</strong> {prompt}</summary>\n"
            f"{answers.to_html(reference[key].text)}<ul>{points}</ul></details>"
        )
    if reference is None:
        blocks.append(f"<p>{escape(_no_reference())}</p>")
    return f'<div class="arl-static-card">{"".join(blocks)}</div>'


def _heading(title: str, *, compares: bool) -> str:
    lead = _("Ten minutes, in your own words, before you look anything up.")
    if compares:
        lead += " " + _("Then open the reference part by part and compare.")
    return (
        f'<div role="heading" aria-level="3" class="arl-title">{escape(title)}</div>'
        f"<p>{escape(lead)}</p>"
    )


def _load_reference(question_id: str) -> tuple[dict[str, answers.Part] | None, str]:
    """Return the reference, if there is a sound one, and what to tell the reader if not."""
    try:
        reference = answers.load(question_id)
    except (ValueError, OSError) as error:
        message = _("The reference answer cannot be read: {problem}").format(problem=error)
        return None, f'<div class="arl-bad" role="alert">{escape(message)}</div>'
    if reference is None:
        return None, f'<div class="arl-quiet">{escape(_no_reference())}</div>'
    return reference, ""


def _no_reference() -> str:
    return _(
        "There is no reference answer here. If this is an edition for students, whoever handed it "
        "out has it; the full edition keeps it in the folder “answers”."
    )
