"""Puts an action off by a moment, on the event loop that the kernel runs anyway: no thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

#: A request that is late by more than this waits on a loop that no longer turns.
OVERDUE_S = 1.0


class Postponed:
    """An action that runs a moment after it was asked for, once for all requests in between.

    The first request sets the time and later ones do not move it: somebody who types without a
    pause is served too. Where no event loop runs (a script, a plain test), `soon` acts at once.

    A kernel may run a widget's messages on a loop of their own, which ends with the browser's tab:
    a request that waits on such a loop must not keep later ones from being served.
    """

    def __init__(self, action: Callable[[], object]) -> None:
        self._action = action
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def soon(self, delay_s: float) -> None:
        """Run the action in at most `delay_s` seconds; at once where no event loop runs."""
        if not self._set(delay_s):
            self._action()

    def again(self, delay_s: float) -> None:
        """Run the action in at most `delay_s` seconds; never where no event loop runs."""
        self._set(delay_s)

    def cancel(self) -> None:
        """Forget the request, if there is one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set(self, delay_s: float) -> bool:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return False
        if self._will_run(loop.time(), delay_s):
            return True
        self.cancel()
        self._loop, self._timer = loop, loop.call_later(delay_s, self._run)
        return True

    def _will_run(self, now_s: float, delay_s: float) -> bool:
        """Say whether a request is waiting that will be served soon enough."""
        if self._timer is None or self._loop is None or not self._loop.is_running():
            return False
        return now_s - OVERDUE_S < self._timer.when() <= now_s + delay_s

    def _run(self) -> None:
        self._timer = None
        self._action()
