"""The third figure of Q27: sixteen seeds of what fails, beside one other arm."""

from __future__ import annotations

from typing import Any

from agentrl_lite.experiments import Panel, experiment
from agentrl_lite.figures import runs, style
from agentrl_lite.figures.spec import Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.sweeps import load

_OTHERS = ("constant", "mended", "undivided", "blind")
_PANELS = (
    Panel("failure_length", N_("Policy words, mean"), (0, 64)),
    Panel("truncated", N_("Truncated share"), (0, 0.7)),
)


def _backdrop(fig: Any) -> tuple[Any, ...]:
    return runs.side_by_side(fig, _PANELS, int(load("q27").steps[-1]))


def _draw(axes: tuple[Any, ...], *, arm: int) -> None:
    sweep, other = load("q27"), _OTHERS[arm - 1]
    name = _(experiment("q27").arm(other).label)
    length, truncated = axes
    dotted = (0, (1, 1.5))
    for ax, which, metric, label, colour, shape, dash in (
        (length, "failing", "failure_length", _("failures"), style.VERMILION, "o", "-"),
        (length, other, "failure_length", name, style.BLUE, "s", "-"),
        (length, "failing", "success_length", _("successes"), style.GREEN, "^", dotted),
        (truncated, "failing", "truncated", _("sequence means"), style.VERMILION, "o", "-"),
        (truncated, other, "truncated", name, style.BLUE, "s", "-"),
    ):
        runs.draw_band(ax, sweep.steps, sweep[which, metric], label, colour, shape=shape, dash=dash)


def _summary(*, arm: int) -> str:
    sweep, other = load("q27"), _OTHERS[arm - 1]
    growth = {
        which: sweep.last(which, "failure_length") / sweep.first(which, "failure_length")
        for which in ("failing", other)
    }
    return _(
        "Over {seeds} seeds failures grow {failing} times under sequence means and {other} times "
        "beside it ({name}; least {least}, most {most})."
    ).format(
        seeds=len(sweep.seeds),
        failing=f"{growth['failing'].mean():.1f}",
        other=f"{growth[other].mean():.2f}",
        name=_(experiment("q27").arm(other).label),
        least=f"{growth[other].min():.2f}",
        most=f"{growth[other].max():.2f}",
    )


SWEEP = Figure(
    id="q27-sweep",
    number="B.27b",
    columns=2,
    controls=(runs.beside([experiment("q27").arm(other) for other in _OTHERS]),),
    caption=N_(
        "Sixteen seeds of the tiny agent, mean and range. Left: policy words of failures and "
        "successes under sequence means, and of failures in the arm chosen. Right: share of "
        "episodes that the cap ended."
    ),
    alt=N_(
        "Two panels against the step. Under sequence means failures grow from ten words to more "
        "than thirty and a third of the episodes reach the cap, while successes stay at ten; the "
        "arm beside it stays far below."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
