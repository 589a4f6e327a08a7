"""The live record of one question: edits in memory, on disk a moment later."""

from __future__ import annotations

import functools
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Concatenate, Literal, ParamSpec, TypeVar

from agentrl_lite.i18n import _
from agentrl_lite.reader.files import (
    is_lost_with_tab,
    locked,
    read_record,
    read_rescues,
    remove_leftovers,
    set_aside,
    write_record,
    write_rescue,
)
from agentrl_lite.reader.merge import merge
from agentrl_lite.reader.record import Guess, Record, Text
from agentrl_lite.reader.schedule import Postponed

P = ParamSpec("P")
R = TypeVar("R")

SAVE_AFTER_S = 0.5
RETRY_AFTER_S = 5.0


@dataclass(frozen=True)
class SaveState:
    """How the last save went.

    Attributes:
        kind: `idle` before the first edit, `pending` until it is on disk, then `saved` or `failed`.
        at_s: when that became so, in seconds since the epoch.
        problem: what went wrong, as the system says it; empty unless `failed`.
        copy: where a copy of everything unsaved lies, if one could be made.
    """

    kind: Literal["idle", "pending", "saved", "failed"] = "idle"
    at_s: float = 0.0
    problem: str = ""
    copy: Path | None = None


def _alone(
    method: Callable[Concatenate[Store, P], R],
) -> Callable[Concatenate[Store, P], R]:
    """Let one thread at a time into the store: widgets' messages may come on one of their own."""

    @functools.wraps(method)
    def guarded(self: Store, *args: P.args, **kwargs: P.kwargs) -> R:
        with self.lock:
            return method(self, *args, **kwargs)

    return guarded  # type: ignore[return-value]  # mypy loses `self` in functools.wraps


class Store:
    """What the reader did with one question, kept in memory and on disk.

    Every method that changes something changes it in memory at once and on disk within
    `SAVE_AFTER_S`. A save that fails is tried again and never raises: `state` says what happened.

    Attributes:
        path: the file.
        record: what is known now, in this kernel.
        state: how the last save went.
        notices: what the reader should be told about the file, in order.
        lock: held while anything is changed.
    """

    def __init__(self, question: str, reader_folder: Path) -> None:
        self.lock = threading.RLock()
        self.path = reader_folder / f"{question}.json"
        self.record = Record()
        self.state = SaveState()
        self.notices: list[str] = []
        self._base = self.record
        self._writer = secrets.token_hex(4)
        self._drafts = 0
        self._copy: Path | None = None
        self._watchers: list[Callable[[], None]] = []
        self._saving = Postponed(self.save)
        self._load()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` after every change of `record`, `state` or `notices`."""
        self._watchers.append(watcher)

    @_alone
    def write(self, part: str, text: str) -> None:
        """Put `text` in the place of what `part` held."""
        # Half of a surrogate pair, which a browser may send, cannot be written as UTF-8.
        text = text.encode("utf-8", "replace").decode()
        old = self.record.answers.get(part, Text())
        if text == old.text:
            return
        if old.draft.startswith(f"{self._writer}-"):
            draft, revision = old.draft, old.revision + 1
        else:
            self._drafts += 1
            draft, revision = f"{self._writer}-{self._drafts}", 1
        new = Text(text, draft, revision, _now_s())
        self._edit(replace(self.record, answers={**self.record.answers, part: new}))

    @_alone
    def tick(self, part: str, point: int, given: bool) -> None:
        """Give yourself the rubric point number `point` of `part`, or take it back."""
        change = frozenset({(part, point)})
        ticks = self.record.ticks | change if given else self.record.ticks - change
        if ticks != self.record.ticks:
            self._edit(replace(self.record, ticks=ticks))

    @_alone
    def run_clock(self, deadline_s: float | None) -> None:
        """Let the clock end at `deadline_s` seconds since the epoch, or stop it with None."""
        self._edit(replace(self.record, deadline_s=deadline_s))

    @_alone
    def open_reference(self, part: str) -> None:
        """Note that the reference answer of `part` was opened, and whether anything was written."""
        times_s = {part: _now_s()}
        record = replace(self.record, opened_s=times_s | dict(self.record.opened_s))
        if part not in self.record.opened_s and not self.record.text(part).strip():
            unwritten_s = times_s | dict(self.record.opened_unwritten_s)
            record = replace(record, opened_unwritten_s=unwritten_s)
        self._edit(record)

    @_alone
    def commit_guess(self, name: str, value: float) -> Guess:
        """Keep `value` as the guess for prediction `name`, unless there is one already.

        Returns:
            the guess that counts: the first one.
        """
        if name not in self.record.guesses:
            guesses = {**self.record.guesses, name: Guess(value, _now_s())}
            # Saved at once: if another window has committed one already, that one counts.
            self._edit(replace(self.record, guesses=guesses), delay_s=None)
        return self.record.guesses[name]

    @_alone
    def pass_check(self, name: str) -> None:
        """Note that check `name` was passed, if it was not before."""
        if name not in self.record.checks_s:
            passed_s = {**self.record.checks_s, name: _now_s()}
            self._edit(replace(self.record, checks_s=passed_s), delay_s=None)

    @_alone
    def put_away(self, part: str, draft: str) -> None:
        """Show the text kept under `part` and `draft` no more; it stays in the file."""
        kept = dict(self.record.kept)
        kept[part, draft] = replace(kept[part, draft], put_away=True)
        self._edit(replace(self.record, kept=kept))

    @_alone
    def save(self) -> bool:
        """Bring memory and disk together now.

        Returns:
            whether everything is on disk.
        """
        self._saving.cancel()
        try:
            with locked(self.path):
                theirs = self._read_or_set_aside()
                # No file, or a damaged one, does not mean that another window deleted the words.
                merged = merge(self._base, self.record, self._base if theirs is None else theirs)
                if merged != theirs:
                    write_record(self.path, merged)
        except OSError as error:
            self._failed(error)
            return False
        self.record = self._base = merged
        self.state = SaveState("saved", time.time())
        if self._copy is not None:
            with suppress(OSError):  # left over, it is merged again at the next start, to no effect
                self._copy.unlink(missing_ok=True)
            self._copy = None
        self._tell()
        return True

    @_alone
    def flush(self) -> None:
        """Save now if anything waits to be saved."""
        if self.state.kind in ("pending", "failed"):
            self.save()

    def _edit(self, record: Record, *, delay_s: float | None = SAVE_AFTER_S) -> None:
        self.record = record
        if self.state.kind != "pending":
            self.state = replace(self.state, kind="pending", at_s=time.time())
            self._tell()
        if delay_s is None:
            self.save()
        else:
            self._saving.soon(delay_s)

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher()

    def _failed(self, error: OSError) -> None:
        copy: Path | None = None
        with suppress(OSError):  # no place for a copy either: the message says so
            copy = write_rescue(self.path, self._writer, self._base, self.record)
        self._copy = copy or self._copy
        self.state = SaveState("failed", time.time(), error.strerror or str(error), copy)
        self._tell()
        self._saving.again(RETRY_AFTER_S)

    def _load(self) -> None:
        if is_lost_with_tab():
            message = _("This browser lets the notebook keep no files: words vanish with the tab.")
            self.notices.append(message)
        copies, damaged = read_rescues(self.path)
        try:
            if self.path.parent.is_dir():
                self._read_first()
        except OSError as error:
            # The words are safe in the file; a later save merges with them as soon as it can.
            message = _("{file} cannot be read now: {problem}.")
            problem = error.strerror or str(error)
            self.notices.append(message.format(file=self.path, problem=problem))
        for copy in damaged:
            message = _("A copy made when saving failed cannot be read; it lies at {file}.")
            self.notices.append(message.format(file=copy))
        found = self.record
        for _file, base, mine in copies:
            self.record = merge(base, mine, self.record)
        if self.record != found:
            self.notices.append(_("Words that could not be saved last time are back."))
        if copies and self.save():
            for file, _base, _mine in copies:
                with suppress(OSError):  # merged again at the next start, to no effect
                    file.unlink(missing_ok=True)

    def _read_first(self) -> None:
        try:
            with locked(self.path):
                remove_leftovers(self.path)
                found = self._read_or_set_aside()
        except OSError:
            # A folder that takes no lock file can still be read.
            try:
                found = read_record(self.path)
            except ValueError as error:
                raise OSError(str(error)) from error
        self.record = self._base = found or Record()

    def _read_or_set_aside(self) -> Record | None:
        try:
            return read_record(self.path)
        except ValueError:
            aside = set_aside(self.path)
            message = _("{file} was damaged and could not be read. It is kept as {aside}.")
            self.notices.append(message.format(file=self.path.name, aside=aside))
            return None


def _now_s() -> float:
    return round(time.time(), 3)  # as exact as the file keeps it, so that reading back is equal
