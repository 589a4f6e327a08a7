"""An exercise's check as HTML: a box for the answer, and what the page's script judges it by."""

from __future__ import annotations

import base64
import json
from html import escape

from agentrl_lite.appendix.exercises import Check
from agentrl_lite.i18n import _


def check_html(asked: Check, name: str) -> str:
    """Return a form that holds a number against a check, for `book/_static/check.js`.

    Args:
        asked: the check; its truth is computed now.
        name: starts every id, and so must differ from form to form on a page.
    """
    # The placeholder is what notebooks mean by "in place of the three dots".
    without = _("Checking needs JavaScript. The hint and the solution open without it.")
    return (
        f'<form class="arl-check arl-block" data-check="{asked.id}" '
        f'data-question="{asked.id.partition("-")[0]}" data-judge="{judge_data(asked)}" novalidate>'
        f'<div class="arl-row"><label for="{name}">{escape(_("Your answer"))}</label>'
        f'<input id="{name}" type="text" autocomplete="off" '
        'placeholder="..." disabled>'
        f'<button class="arl-button" disabled>{escape(_("Check"))}</button></div>'
        f'<p class="arl-verdict" role="status"></p><p class="arl-without">{escape(without)}</p>'
        "</form>"
    )


def note_html() -> str:
    """Return what stands in place of a check whose answer is code that the reader writes."""
    text = _(
        "Your code cannot run on this page. Write it, then open the hint and the solution. In the "
        "notebook this cell says whether it is right."
    )
    return f'<p class="arl-note">{text}</p>'


def judge_data(asked: Check) -> str:
    """Return what an answer is judged by, so that nobody reads it by looking at the page's source.

    Base 64 keeps no secret: the solution stands on the page, too, closed but not locked.
    """
    data = {
        "kind": asked.kind,
        "truth": asked.truth(),
        "tolerance": asked.tolerance,
        "hints": [[hint.value(), _(hint.text).format(**hint.fields())] for hint in asked.hints],
        "otherwise": _(asked.otherwise),
    }
    return base64.b64encode(json.dumps(data).encode()).decode("ascii")
