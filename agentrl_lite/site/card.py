"""The answer card as HTML: four boxes that the browser keeps, and the reference in closed parts."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from agentrl_lite import answers
from agentrl_lite.appendix.catalog import Question
from agentrl_lite.i18n import _

MINUTES = 10


def card_html(question: Question, reference: Mapping[str, answers.Part] | None, name: str) -> str:
    """Return the card of a question.

    Boxes and buttons are disabled until `book/_static/card.js` is there to keep what is written.

    Args:
        question: whose.
        reference: its parts; None where there is no answer file.
        name: starts every id, and so must differ from card to card on a page.
    """
    title = f"{question.label} · {_(question.title)}"
    lead = _(
        "Ten minutes, in your own words, before you look anything up. Then open the reference "
        "part by part and compare. What you write is kept in this browser, and sent nowhere."
    )
    without = _("Writing needs JavaScript. The reference opens without it.")
    parts = "".join(
        _part_html(key, reference[key] if reference else None, f"{name}-{key}")
        for key in answers.HEADINGS
    )
    return (
        f'<section class="arl-card arl-block" data-question="{question.id}" '
        f'aria-labelledby="{name}-title">'
        f'<p class="arl-title" id="{name}-title">{escape(title)}</p><p>{escape(lead)}</p>'
        f'<p class="arl-without">{escape(without)}</p>'
        f'<div class="arl-notices" role="alert"></div>'
        f'<div class="arl-row arl-clock">{_button("clock", _("Start the clock"))}'
        '<span class="arl-face" role="timer"></span></div>'
        f"{parts}{_foot_html(name)}</section>"
    )


def _part_html(key: str, reference: answers.Part | None, name: str) -> str:
    heading, prompt = escape(_(answers.HEADINGS[key])), escape(_(answers.PROMPTS[key]))
    empty = _(
        "This box is still empty. Comparing helps most with words of your own, even rough ones."
    )
    ask = (
        f'<div class="arl-notice arl-ask" role="alert" hidden><p>{escape(empty)}</p>'
        f"{_button('write', _('Write first'))} {_button('anyway', _('Open it anyway'))}</div>"
    )
    return (
        f'<div class="arl-part" data-part="{key}"><div class="arl-own">'
        f'<label for="{name}">{heading}</label>'
        f'<textarea id="{name}" rows="4" placeholder="{prompt}" disabled></textarea>'
        f'<div class="arl-kept"></div>'
        f"{ask if reference else ''}</div>"
        f"{_reference_html(key, reference) if reference else ''}</div>"
    )


def _reference_html(key: str, reference: answers.Part) -> str:
    points = "".join(
        f'<label class="arl-point"><input type="checkbox" data-point="{number}" disabled> '
        f"<span>{answers.to_inline_html(point)}</span></label>"
        for number, point in enumerate(reference.points)
    )
    return (
        f'<details class="arl-reference"><summary>{escape(_(answers.OPEN_LABELS[key]))}</summary>'
        f"{answers.to_html(reference.text)}"
        f'<p class="arl-quiet">{escape(_("Tick what your words cover:"))}</p>{points}</details>'
    )


def _foot_html(name: str) -> str:
    return (
        '<div class="arl-row arl-foot"><span class="arl-status" role="status"></span>'
        '<span class="arl-score"></span></div><div class="arl-row">'
        f"{_button('markdown', _('Export as Markdown'))}"
        f"{_button('json', _('Export as JSON'))}</div>{file_row(name)}"
        '<p class="arl-told" role="status"></p>'
    )


def file_row(name: str) -> str:
    """Return a field for the files that `book/_static/bring.js` brings answers back from.

    Args:
        name: starts its id.
    """
    return (
        f'<div class="arl-row"><label for="{name}-file">'
        f"{escape(_('Bring answers back from a file'))}</label>"
        f'<input id="{name}-file" type="file" accept=".json,application/json" multiple disabled>'
        "</div>"
    )


def _button(action: str, label: str) -> str:
    return (
        f'<button type="button" class="arl-button" data-action="{action}" disabled>'
        f"{escape(label)}</button>"
    )
