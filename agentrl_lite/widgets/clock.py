"""Ten minutes that end with an offer. The clock never opens, closes or locks anything."""

from __future__ import annotations

import math
import time
from html import escape

import ipywidgets as W  # noqa: N812

from agentrl_lite.i18n import _
from agentrl_lite.reader import Store
from agentrl_lite.reader.schedule import Postponed
from agentrl_lite.widgets.output import button, html

MINUTES = 10


def clock_html(deadline_s: float | None, now_s: float) -> str:
    """Return what the clock shows at `now_s`, in seconds since the epoch.

    >>> clock_html(1_000.0, 935.5)
    '<span role="timer">01:05 left</span>'
    """
    if deadline_s is None:
        return ""
    left_s = deadline_s - now_s
    if left_s > 0:
        minutes, seconds = divmod(math.ceil(left_s), 60)
        text = _("{minutes:02d}:{seconds:02d} left").format(minutes=minutes, seconds=seconds)
        return f'<span role="timer">{escape(text)}</span>'
    message = _("Time is up. Read on when you are ready, or write on.")
    return f'<span role="status" class="arl-good">{escape(message)}</span>'


class Clock:
    """A button that starts and stops ten minutes, and the time that is left.

    The store keeps the moment at which they end, so that they go on while the notebook is closed.

    Attributes:
        view: the widget.
        button: starts the clock, or stops it while it runs.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.button = button("")
        self.button.on_click(lambda _button: self._press())
        self.face = html()
        self.view = W.HBox([self.button, self.face]).add_class("arl-row")
        self._tick = Postponed(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the time left, and come back when the next second begins."""
        deadline_s, now_s = self._store.record.deadline_s, time.time()
        running = deadline_s is not None and deadline_s > now_s
        label = _("Stop the clock") if running else _("Start {minutes} minutes")
        self.button.description = label.format(minutes=MINUTES)
        self.face.value = clock_html(deadline_s, now_s)
        if deadline_s is not None and running:
            self._tick.again((deadline_s - now_s) % 1.0 + 0.02)

    def _press(self) -> None:
        deadline_s, now_s = self._store.record.deadline_s, time.time()
        running = deadline_s is not None and deadline_s > now_s
        self._store.run_clock(None if running else round(now_s, 3) + 60 * MINUTES)
        self.refresh()
