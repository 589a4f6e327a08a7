"""Runs tests on edited source, under a budget of executed lines.

Each test gets a fresh namespace, in which the file is executed and then the test's own lines. A
patch that loops, recurses, raises, calls exit, prints without end or takes too much memory is a
failed test with a reason. The count of lines is the same on every run and every machine with the
same Python; a clock is not looked at, and there is neither process nor thread.

What this cannot contain, since one step of C runs to its end before a line is counted:

- Comparing, hashing, or writing out as text, containers that share their parts, and `isinstance`
  with such a tuple of types: a list of one long text ten thousand times, or tuples within tuples.
  That can take all memory, or exponential time.
- One C call on data as large as the memory limit allows, on every line of the budget: sorting a
  quarter of a million numbers 5,000 times takes minutes, not for ever.
- A fault of the interpreter itself.

What it does not hide: the order of a set of texts and the address in a function's text differ from
run to run. Near the memory limit, which is of bytes, two machines may differ.
It keeps small mistakes from doing harm. It is no defence against an attacker: run a stranger's code
in a process that you can kill.
"""

from __future__ import annotations

import ast
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, NamedTuple

from agentrl_lite import checked
from agentrl_lite.bugfix.guarding import RefusedError
from agentrl_lite.bugfix.guards import Output, map_, patch_builtins
from agentrl_lite.bugfix.screen import compile_patch
from agentrl_lite.bugfix.task import Case
from agentrl_lite.bugfix.values import describe, difference
from agentrl_lite.bugfix.within import StopPatch

REASONS = (
    "passed",
    "wrong",
    "error",
    "lines",
    "recursion",
    "memory",
    "output",
    "exit",
    "refused",
)
MOST_LINES = 5_000
TICKS_PER_LINE = 10
MOST_BYTES = 4 * 2**20
DEEPEST_CALL = 150

_PATCH = "<patch>"
_TEST = "<test>"
_Trace = Callable[[FrameType, str, Any], Any]


class CaseResult(NamedTuple):
    """What became of one test.

    Attributes:
        case: the test.
        reason: one of `REASONS`.
        message: what a report says of a failure; empty for a pass.
        lines: executed lines of the patch.
    """

    case: Case
    reason: str
    message: str
    lines: int

    @property
    def passed(self) -> bool:
        """Whether it passed."""
        return self.reason == "passed"


class SuiteResult(NamedTuple):
    """What became of several tests.

    Attributes:
        results: in the order of the tests.
        output: what the patch printed, cut off at a limit.
    """

    results: tuple[CaseResult, ...]
    output: str

    @property
    def passed(self) -> bool:
        """Whether all of them passed."""
        return all(result.passed for result in self.results)

    @property
    def lines(self) -> int:
        """Executed lines, all tests together."""
        return sum(result.lines for result in self.results)


def run_cases(text: str, cases: Sequence[Case], *, most_lines: int = MOST_LINES) -> SuiteResult:
    r"""Run tests on a file's text; whatever the text does, this returns.

    Args:
        text: the file.
        cases: the tests.
        most_lines: budget of executed lines for each test, from 1.

    Returns:
        One result a test.

    Raises:
        ValueError: for a budget below 1.

    >>> case = Case("double(2)", "4")
    >>> run_cases("def double(x):\n    return x + x\n", [case]).passed
    True
    >>> run_cases("def double(x):\n    while True: pass\n", [case]).results[0].reason
    'lines'
    """
    checked.whole("most_lines", most_lines, 1)
    try:
        code = compile_patch(text, _PATCH)
    except RefusedError as error:
        where = f"line {error.line}: " if error.line else ""
        return SuiteResult(
            tuple(CaseResult(case, "refused", f"{where}{error}", 0) for case in cases), ""
        )
    output = Output()
    with _memory_counted():
        results = tuple(_run_case(code, case, _Meter(most_lines), output) for case in cases)
    return SuiteResult(results, output.text)


class _Meter:
    """Counts a patch's lines, its depth and its memory, and stops it."""

    def __init__(self, most_lines: int) -> None:
        self.most_lines = most_lines
        self.lines = 0
        self.ticks = 0
        self.depth = 0
        self.stopped: tuple[str, str] | None = None
        self.bytes_before = tracemalloc.get_traced_memory()[0]

    def stop(self, reason: str, message: str) -> StopPatch:
        self.stopped = (reason, message)
        return StopPatch(reason, message)

    def tick(self, turns: int = 1) -> bool:
        if self.stopped:
            raise StopPatch(*self.stopped)
        self.ticks += turns
        if self.ticks > TICKS_PER_LINE * self.most_lines:  # turns of a step that has no line
            raise self.stop("lines", f"more turns than {self.most_lines:,} lines may take")
        if tracemalloc.get_traced_memory()[0] - self.bytes_before > MOST_BYTES:  # a call less
            self.look_at_memory()
        return True

    def look_at_memory(self) -> None:
        if tracemalloc.get_traced_memory()[0] - self.bytes_before > MOST_BYTES:
            raise self.stop("memory", f"more than {MOST_BYTES // 2**20} MiB in use")

    def enter(self, frame: FrameType, event: str, argument: object) -> _Trace | None:
        code = frame.f_code
        if code.co_filename != _PATCH and code is not map_.__code__:
            return None
        self.depth += 1
        if self.depth > DEEPEST_CALL:
            raise self.stop("recursion", f"more than {DEEPEST_CALL} calls within each other")
        return self.follow

    def follow(self, frame: FrameType, event: str, argument: object) -> _Trace:
        if event == "return":
            self.depth -= 1
        elif event == "line":
            self.lines += 1
            if self.lines > self.most_lines:
                raise self.stop("lines", f"more than {self.most_lines:,} lines executed")
            self.look_at_memory()
        return self.follow


def _run_case(code: CodeType, case: Case, meter: _Meter, output: Output) -> CaseResult:
    setup = compile(case.setup, _TEST, "exec", dont_inherit=True)
    call = compile(case.call, _TEST, "eval", dont_inherit=True)
    expected = ast.literal_eval(case.expected)
    names: dict[str, Any] = {
        "__builtins__": patch_builtins(output, meter.tick),
        "__name__": "patch",
    }
    reason, message = "passed", ""
    try:
        with _traced(meter.enter):
            exec(code, names)
            exec(setup, names)
            value = eval(call, names)
        if meter.stopped:  # raised, and swallowed on its way
            reason, message = meter.stopped
        else:
            wrong = difference(value, expected)
            if wrong:
                reason, message = "wrong", wrong
    except StopPatch as stop:
        reason, message = stop.reason, str(stop)
    except SystemExit:
        reason, message = "exit", "it raised SystemExit"
    except RecursionError:
        reason, message = "recursion", "too many calls within each other"
    except MemoryError:
        reason, message = "memory", "no memory left"
    except Exception as error:
        reason, message = "error", describe(error)
    return CaseResult(case, reason, message, min(meter.lines, meter.most_lines))


@contextmanager
def _traced(trace: _Trace) -> Iterator[None]:
    """Let `trace` see what runs; whatever happens, put back what was there before."""
    before, hook = sys.gettrace(), sys.unraisablehook
    sys.unraisablehook = lambda unraisable: None
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
        sys.unraisablehook = hook


@contextmanager
def _memory_counted() -> Iterator[None]:
    """Count allocated bytes; leave the counting on where it was on already."""
    already = tracemalloc.is_tracing()
    if not already:
        tracemalloc.start()
    try:
        yield
    finally:
        if not already:
            tracemalloc.stop()
