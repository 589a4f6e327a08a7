"""A guess as HTML: one number to commit to, and later the truth beside it."""

from __future__ import annotations

from html import escape

from agentrl_lite.appendix.exercises import Prediction
from agentrl_lite.i18n import _


def guess_html(asked: Prediction, name: str) -> str:
    """Return a form that commits one number.

    Args:
        asked: what is to be guessed.
        name: starts every id, and so must differ from form to form on a page.
    """
    unit = f" ({asked.unit})" if asked.unit else ""
    label = escape(_("Your guess") + unit)
    return (
        f'<form class="arl-guess arl-block" data-prediction="{asked.id}" '
        f'data-question="{_question(asked)}" data-unit="{escape(asked.unit)}" '
        f'data-minimum="{asked.minimum:g}" data-maximum="{asked.maximum:g}" novalidate>'
        f"<p><strong>{escape(_(asked.question))}</strong> "
        f"{escape(_('Commit to a number before you read on.'))}</p>"
        f'<div class="arl-row arl-open"><label for="{name}">{label}</label>'
        f'<input id="{name}" type="text" autocomplete="off" disabled>'
        f'<button class="arl-button" disabled>{escape(_("Commit"))}</button></div>'
        '<p class="arl-notice" role="alert" hidden></p>'
        '<p class="arl-good" role="status" hidden></p></form>'
    )


def truth_html(asked: Prediction) -> str:
    """Return the place where the guess stands beside the truth, which is computed now."""
    value = asked.truth()
    shown = f"{value:.{asked.digits}f} {asked.unit}".strip()
    wait = _("You have not guessed yet. Commit a number above; then the truth appears.")
    return (
        f'<div class="arl-truth arl-block" data-prediction="{asked.id}" '
        f'data-question="{_question(asked)}" data-unit="{escape(asked.unit)}" '
        f'data-digits="{asked.digits}" data-truth="{value!r}">'
        f"<p><strong>{escape(_(asked.question))}</strong></p>"
        f'<div class="arl-open"><p class="arl-notice">{escape(wait)}</p>'
        f"<details><summary>{escape(_('Show the truth without a guess'))}</summary>"
        f"<p>{escape(_('It is {truth}.').format(truth=shown))}</p></details></div>"
        '<p class="arl-good" role="status" hidden></p></div>'
    )


def _question(asked: Prediction) -> str:
    return asked.id.partition("-")[0]
