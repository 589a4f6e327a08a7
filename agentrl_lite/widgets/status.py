"""Says where the reader's words are: saved, on their way, or in danger."""

from __future__ import annotations

import time
from html import escape

from agentrl_lite.i18n import _
from agentrl_lite.reader import SaveState, Store


def describe(state: SaveState) -> str:
    """Return one sentence on how the last save went; empty before the first.

    >>> describe(SaveState("failed", problem="No space left on device"))
    'NOT saved: No space left on device. Your words are still in these boxes: copy them elsewhere.'
    """
    if state.kind == "idle":
        return ""
    if state.kind == "pending":
        return _("Saving…")
    if state.kind == "saved":
        return _("Saved {time}").format(time=clock_time(state.at_s))
    if state.copy is None:
        message = _(
            "NOT saved: {problem}. Your words are still in these boxes: copy them elsewhere."
        )
        return message.format(problem=state.problem)
    message = _(
        "NOT saved: {problem}. Your words are still in these boxes and a copy is at {copy}."
    )
    return message.format(problem=state.problem, copy=state.copy)


def to_html(state: SaveState) -> str:
    """Return `describe(state)` as HTML that a screen reader announces; at once where it failed."""
    if state.kind == "failed":
        return f'<div class="arl-bad" role="alert">{escape(describe(state))}</div>'
    # "Saving…" comes with every burst of keys: read aloud, it would drown the reader's own words.
    live = 'role="status" aria-live="polite"' if state.kind == "saved" else 'aria-live="off"'
    return f'<span class="arl-quiet" {live}>{escape(describe(state))}</span>'


def notices_to_html(store: Store) -> str:
    """Return what the reader should be told about the file, as HTML."""
    return "".join(
        f'<div class="arl-notice" role="alert">{escape(notice)}</div>' for notice in store.notices
    )


def clock_time(epoch_s: float, form: str = "%H:%M:%S") -> str:
    """Return a moment as the reader's own clock shows it."""
    return time.strftime(form, time.localtime(epoch_s))
