"""Q28: the loss mask lets tool output in."""

from __future__ import annotations

from dataclasses import replace

from agentrl_lite.experiments.spec import Arm, Experiment, Knob, Panel
from agentrl_lite.i18n import N_
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config

# Tool output is long, as it is in practice.
RIGHT = Config(steps=150, optimiser="sgd", learning_rate=5.0, rules=Rules(verbose=6))

EXPERIMENT = Experiment(
    id="q28",
    arms=(
        Arm("failing", N_("whole span"), replace(RIGHT, mask_fault="span")),
        Arm("mended", N_("right mask"), RIGHT),
        Arm("shift-1", N_("shifted by -1"), replace(RIGHT, mask_fault="shift-1")),
        Arm("shift+1", N_("shifted by +1"), replace(RIGHT, mask_fault="shift+1")),
    ),
    panels=(
        Panel("tool_words", N_("Episodes that utter tool words"), (0, 1)),
        Panel("used_entropy", N_("Entropy where the mask is, nats"), (0, 2)),
        Panel("policy_entropy", N_("Entropy of the policy, nats"), (0, 2)),
        Panel("reward", N_("Reward"), (0, 1)),
    ),
    knobs=(
        Knob(
            "mask_fault",
            N_("Loss mask"),
            {
                N_("right"): "none",
                N_("whole span"): "span",
                N_("shifted by -1"): "shift-1",
                N_("shifted by +1"): "shift+1",
            },
        ),
        Knob("rules.verbose", N_("Idle tool words"), {"0": 0, "6": 6, "12": 12}),
    ),
    logged=("tool_entropy", "masked_in_policy", "masked_in_tool", "length"),
    every=5,
)
