"""Where a reader's words in all questions are counted, exported and brought back."""

from __future__ import annotations

from html import escape

from agentrl_lite.i18n import _
from agentrl_lite.site.card import file_row


def progress_html(name: str) -> str:
    """Return an empty table that `book/_static/progress.js` fills, and the buttons below it.

    Args:
        name: starts every id.
    """
    without = _("Run this notebook, or switch JavaScript on, to see what you have written.")
    buttons = "".join(
        f'<button type="button" class="arl-button" data-action="{action}" disabled>'
        f"{escape(text)}</button>"
        for action, text in (
            ("markdown", _("Export all as Markdown")),
            ("json", _("Export all as JSON")),
        )
    )
    return (
        '<div class="arl-progress arl-block"><div class="arl-table-place">'
        f"<p>{escape(without)}</p></div>"
        f'<div class="arl-row">{buttons}</div>'
        f'{file_row(name)}<p class="arl-status" role="status"></p></div>'
    )
