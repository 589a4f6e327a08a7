"""Q26: entropy is gone by step 50."""

from __future__ import annotations

from dataclasses import replace

from agentrl_lite.experiments.spec import Arm, Experiment, Knob, Panel
from agentrl_lite.i18n import N_
from agentrl_lite.losses import Clip
from agentrl_lite.run_config import Config

FAILING = Config(steps=100, learning_rate=0.3, epochs=4, minibatches=4, adam=(0.9, 0.99, 1e-8))
HIGHER = Clip(0.2, 0.28)

EXPERIMENT = Experiment(
    id="q26",
    arms=(
        Arm("failing", N_("too large a step"), FAILING),
        Arm("mended", N_("mended"), replace(FAILING, learning_rate=0.05, epochs=1, clip=HIGHER)),
        Arm("halved", N_("rate halved"), replace(FAILING, learning_rate=0.15)),
        Arm("clip-higher", N_("clip-higher alone"), replace(FAILING, clip=HIGHER)),
        Arm("one-epoch", N_("one epoch alone"), replace(FAILING, epochs=1)),
        Arm(
            "halved-higher",
            N_("halved and clip-higher"),
            replace(FAILING, learning_rate=0.15, clip=HIGHER),
        ),
    ),
    panels=(
        Panel("policy_entropy", N_("Policy entropy, nats"), (0, 2)),
        Panel("reward", N_("Reward"), (0, 1)),
        Panel("flat_groups", N_("Zero-advantage groups"), (0, 1)),
    ),
    knobs=(
        Knob(
            "learning_rate",
            N_("Learning rate"),
            {"0.30": 0.3, "0.15": 0.15, "0.05": 0.05, "0.02": 0.02},
        ),
        Knob("epochs", N_("Epochs a batch"), {"1": 1, "2": 2, "4": 4}),
        Knob("clip.low", N_("Clip low"), {"0.1": 0.1, "0.2": 0.2}),
        Knob("clip.high", N_("Clip high"), {"0.20": 0.2, "0.28": 0.28, "0.40": 0.4}),
    ),
    logged=("clip_fraction", "gradient_norm", "all_fail", "all_pass", "failure_length"),
    every=5,
    attempts=64,
)
