"""Puts an action off by a moment, on the event loop that the kernel runs anyway: no thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Postponed:
    """An action that runs a moment after it was asked for, once for all requests in between.

    The first request sets the time and later ones do not move it: somebody who types without a
    pause is served too. Where no event loop runs (a script, a plain test), `soon` acts at once.
    """

    def __init__(self, action: Callable[[], object]) -> None:
        self._action = action
        self._timer: asyncio.TimerHandle | None = None

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
        if self._timer is not None and self._timer.when() <= loop.time() + delay_s:
            return True
        self.cancel()
        self._timer = loop.call_later(delay_s, self._run)
        return True

    def _run(self) -> None:
        self._timer = None
        self._action()
