"""The figures of Q28 that show the stored runs of sixteen seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentrl_lite import sweeps
from agentrl_lite.experiments import Panel, experiment
from agentrl_lite.figures import marks
from agentrl_lite.figures.runs import draw_arms, side_by_side
from agentrl_lite.figures.spec import Figure
from agentrl_lite.i18n import N_, _

_OUTCOMES = (
    Panel("tool_words", N_("Episodes that utter tool words"), (0, 1)),
    Panel("reward", N_("Reward"), (0, 0.6)),
)
_MEASURED = (
    Panel("used_entropy", N_("Entropy where the mask is, nats"), (0, 1.8)),
    Panel("policy_entropy", N_("Entropy of the policy, nats"), (0, 1.8)),
)


def _axes(fig: Any, panels: Sequence[Panel]) -> tuple[Any, ...]:
    return side_by_side(fig, panels, experiment("q28").arms[0].config.steps)


def _draw(axes: tuple[Any, ...], panels: Sequence[Panel]) -> None:
    draw_arms(axes, sweeps.load("q28"), panels, experiment("q28").arms)


def _mean(arm: str, metric: str) -> float:
    return float(sweeps.load("q28").last(arm, metric).mean())


def _sweep_summary() -> str:
    return _(
        "In the last ten steps {span} of the episodes utter tool words with the whole span in the "
        "loss and {right} with the right mask, and their rewards are {low} and {high}."
    ).format(
        span=marks.percent(_mean("failing", "tool_words")),
        right=marks.percent(_mean("mended", "tool_words")),
        low=f"{_mean('failing', 'reward'):.2f}",
        high=f"{_mean('mended', 'reward'):.2f}",
    )


def _entropies_summary() -> str:
    sweep = sweeps.load("q28")
    return _(
        "With the whole span in the loss the logged entropy starts at {logged} nats where the "
        "policy's is {true}; in the last ten steps they are {logged_end} and {true_end}."
    ).format(
        logged=f"{sweep.first('failing', 'used_entropy').mean():.2f}",
        true=f"{sweep.first('failing', 'policy_entropy').mean():.2f}",
        logged_end=f"{_mean('failing', 'used_entropy'):.2f}",
        true_end=f"{_mean('failing', 'policy_entropy'):.2f}",
    )


SWEEP = Figure(
    id="q28-sweep",
    number="B.28a",
    columns=2,
    controls=(),
    caption=N_(
        "Four loss masks, sixteen seeds: mean and range. Left: share of episodes in which the "
        "policy utters a word of the tools. Right: reward."
    ),
    alt=N_(
        "Two panels over 150 steps with a band for each of four masks. Left: only the mask with "
        "the whole tool span rises, to most episodes. Right: the right mask ends highest."
    ),
    backdrop=lambda fig: _axes(fig, _OUTCOMES),
    draw=lambda axes: _draw(axes, _OUTCOMES),
    summary=_sweep_summary,
)
ENTROPIES = Figure(
    id="q28-entropies",
    number="B.28b",
    columns=2,
    controls=(),
    caption=N_(
        "The same runs. Left: entropy over the tokens that the mask covers, which is what a "
        "trainer logs. Right: entropy over the policy's own tokens."
    ),
    alt=N_(
        "Two panels over 150 steps with a band for each of four masks. Left: with the whole span "
        "the logged entropy starts above the others, rises, and falls. Right: the policy's own "
        "entropy falls furthest, and at once, with the mask shifted by +1."
    ),
    backdrop=lambda fig: _axes(fig, _MEASURED),
    draw=lambda axes: _draw(axes, _MEASURED),
    summary=_entropies_summary,
)
