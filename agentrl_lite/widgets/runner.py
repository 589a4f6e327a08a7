"""Work on the kernel's event loop, a piece at a time: it can be paused, stopped, begun anew.

A kernel may handle a widget's messages on threads and loops of their own, which end with the
browser's tab. The work stays on the loop on which its cell ran: there it outlives the tab, and
nothing of it happens at the same time. Without a loop (a script) it is done at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Literal

State = Literal["idle", "running", "paused"]

#: How long a piece of work gives way. A message needs several turns of the loop to come through:
#: with no time at all, a button's press would wait for as many pieces.
GIVE_WAY_S = 0.002
#: How long a press to begin waits for what was typed before it: the two may come on two threads.
SETTLE_S = 0.1
#: How long a press waits on another loop until the reader is told so.
PATIENCE_S = 0.4


class Runner:
    """Does a piece of work, and tells how it goes.

    Attributes:
        state: of the work: `idle`, `running` or `paused`.
        pace_s: least time from one piece to the next, in seconds.

    Args:
        after: called after each piece of work.
        changed: called when the state has changed.
        failed: called with an exception that the work has raised; the state is `idle` by then.
    """

    def __init__(
        self,
        after: Callable[[], None],
        changed: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self.state: State = "idle"
        self.pace_s = 0.0
        self._after, self._changed, self._failed = after, changed, failed
        self._home = _running_loop()
        self._task: asyncio.Task[None] | None = None
        self._go: asyncio.Event | None = None
        self._soon: asyncio.TimerHandle | None = None

    def here(self, action: Callable[[], None], wait: Callable[[], None] | None = None) -> None:
        """Run an action on the work's own loop.

        Args:
            action: what to do.
            wait: called where that loop is another one than the caller's and does not come to it.
        """
        now = _running_loop()
        if self._home is None or not self._home.is_running():
            self._home = now
        if self._home is None or self._home is now:
            action()
            return
        told = None if wait is None or now is None else now.call_later(PATIENCE_S, wait)

        def act() -> None:
            if told is not None and now is not None and now.is_running():
                now.call_soon_threadsafe(told.cancel)
            action()

        self._home.call_soon_threadsafe(act)

    def soon(self, action: Callable[[], None]) -> None:
        """Run an action, on the loop that runs, when messages that came before it are through."""
        self._forget()
        now = _running_loop()
        if now is None:
            action()
        else:
            self._soon = now.call_later(SETTLE_S, action)

    def start(self, pieces: Iterator[None]) -> None:
        """Begin a piece of work, and leave whatever was being done."""
        self._leave()
        if _running_loop() is None:
            self._at_once(pieces)
            return
        self._go = asyncio.Event()
        self._go.set()
        self._set("running")
        self._task = asyncio.get_running_loop().create_task(self._drive(pieces, self._go))

    def pause(self) -> None:
        """Hold the work after the piece that is being done."""
        if self.state == "running" and self._go is not None:
            self._go.clear()
            self._set("paused")

    def go_on(self) -> None:
        """Go on where the work was paused."""
        if self.state == "paused" and self._go is not None:
            self._go.set()
            self._set("running")

    def stop(self) -> None:
        """Leave the work as it is."""
        self._forget()
        if self.state != "idle":
            self._leave()
            self._set("idle")

    def _forget(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
        self._soon = None

    def _leave(self) -> None:
        self._forget()
        if self._task is not None and not self._task.get_loop().is_closed():
            self._task.cancel()
        self._task = self._go = None

    def _set(self, state: State) -> None:
        self.state = state
        self._changed()

    def _at_once(self, pieces: Iterator[None]) -> None:
        self._set("running")
        try:
            for _piece in pieces:
                self._after()
        except Exception as error:
            self._set("idle")
            self._failed(error)
            return
        self._set("idle")

    async def _drive(self, pieces: Iterator[None], go: asyncio.Event) -> None:
        # Whoever cancels this task has begun something else: nothing may be told after that.
        loop = asyncio.get_running_loop()
        try:
            begun_s = loop.time()
            for _piece in pieces:
                self._after()
                await asyncio.sleep(max(GIVE_WAY_S, begun_s + self.pace_s - loop.time()))
                await go.wait()
                begun_s = loop.time()
        except Exception as error:
            self._task = self._go = None
            self._set("idle")
            self._failed(error)
            return
        self._task = self._go = None
        self._set("idle")


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
