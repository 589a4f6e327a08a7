"""The third figure of Q12: sixteen seeds of what fails, beside one other arm."""

from __future__ import annotations

from typing import Any

from agentrl_lite.experiments import Panel, experiment
from agentrl_lite.figures import runs
from agentrl_lite.figures.spec import Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.sweeps import load

_OTHERS = ("budget", "mended", "undivided", "test-first")
_PANELS = (
    Panel("single_submit", N_("Submits in its first turn"), (0, 1)),
    Panel("unedited", N_("Ends without an edit"), (0, 1)),
)


def _backdrop(fig: Any) -> tuple[Any, ...]:
    return runs.side_by_side(fig, _PANELS, int(load("q12").steps[-1]))


def _draw(axes: tuple[Any, ...], *, arm: int) -> None:
    arms = [experiment("q12").arm(which) for which in ("failing", _OTHERS[arm - 1])]
    runs.draw_arms(axes, load("q12"), _PANELS, arms)


def _summary(*, arm: int) -> str:
    sweep, other = load("q12"), _OTHERS[arm - 1]
    last = {
        (which, metric): f"{sweep.last(which, metric).mean():.3f}"
        for which in ("failing", other)
        for metric in ("single_submit", "unedited")
    }
    return _(
        "Over {seeds} seeds {failing} of the episodes submit in their first turn at the end, and "
        "{other} beside it ({name}), where {unedited} end without an edit."
    ).format(
        seeds=len(sweep.seeds),
        failing=last["failing", "single_submit"],
        other=last[other, "single_submit"],
        name=_(experiment("q12").arm(other).label),
        unedited=last[other, "unedited"],
    )


SWEEP = Figure(
    id="q12-sweep",
    number="B.12b",
    columns=2,
    controls=(runs.beside([experiment("q12").arm(other) for other in _OTHERS]),),
    caption=N_(
        "Sixteen seeds of the tiny agent, mean and range: share of episodes that submit in their "
        "first turn, and share that end without an edit, priced and divided and in the arm chosen."
    ),
    alt=N_(
        "Two panels against the step. With a price on every turn and division by the deviation "
        "both shares rise to one within forty steps, in every seed; the arm beside it mostly stays "
        "near nothing."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
