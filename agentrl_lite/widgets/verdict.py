"""Says whether an answer is right, without telling which one would be."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from agentrl_lite.appendix.exercises import STATUS_WORDS, Verdict, judge
from agentrl_lite.i18n import _
from agentrl_lite.reader import open_store
from agentrl_lite.widgets.status import describe

SIGNS = {"right": "✓", "wrong": "✗", "unanswered": "○", "type": "!"}
COLOURS = {"right": "#0072b2", "wrong": "#d55e00", "unanswered": "#858b94", "type": "#d55e00"}


@dataclass(frozen=True)
class CheckResult:
    """A verdict as a cell shows it: the same text for the same answer, whoever the reader is.

    Attributes:
        verdict: what the check says.
        problem: why a pass could not be kept; empty when it was, or when there was none.
    """

    verdict: Verdict
    problem: str = ""

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        status, message = self.verdict.status, self.verdict.message
        problem = f" {self.problem}" if self.problem else ""
        return {
            "text/plain": f"{SIGNS[status]} {message}{problem}",
            "text/html": (
                f'<div class="arl-verdict" role="status" style="border-left: 4px solid '
                f'{COLOURS[status]}; padding: 4px 0 4px 10px">'
                f'<strong role="img" aria-label="{escape(_(STATUS_WORDS[status]))}">'
                f"{SIGNS[status]}</strong> {escape(message + problem)}</div>"
            ),
        }


def check(check_id: str, answer: object) -> CheckResult:
    """Hold an answer against a check and keep a pass.

    Args:
        check_id: such as `q03-smallest-G`.
        answer: the reader's; `...` means not answered yet.

    Raises:
        ValueError: for an unknown check.
    """
    verdict = judge(check_id, answer)
    if verdict.status != "right":
        return CheckResult(verdict)
    store = open_store(check_id.split("-")[0])
    store.pass_check(check_id)
    return CheckResult(verdict, describe(store.state) if store.state.kind == "failed" else "")
