"""Q3: 128 episodes a step, spent on groups of 4, 8 or 16."""

from __future__ import annotations

from agentrl_lite.experiments.spec import Arm, Experiment, Panel
from agentrl_lite.i18n import N_
from agentrl_lite.run_config import Config

EPISODES = 128


def _split(G: int) -> Config:
    return Config(steps=60, group=G, prompts=EPISODES // G)


EXPERIMENT = Experiment(
    id="q03",
    arms=(
        Arm("g4", N_("groups of 4"), _split(4)),
        Arm("g8", N_("groups of 8"), _split(8)),
        Arm("g16", N_("groups of 16"), _split(16)),
    ),
    panels=(
        Panel("flat_groups", N_("Zero-advantage groups"), (0, 1)),
        Panel("reward", N_("Reward"), (0, 1)),
    ),
    knobs=(),
    logged=("policy_entropy", "all_fail", "all_pass"),
)
