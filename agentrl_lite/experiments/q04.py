"""Q4: what a success is worth while the tests that say so flip."""

from __future__ import annotations

from dataclasses import replace

from agentrl_lite.experiments.spec import Arm, Experiment, Knob, Panel
from agentrl_lite.i18n import N_
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config

# Every checkout works: tests in a broken one fail whatever the file, and do not flip.
FLAKY = Config(steps=80, rules=Rules(flaky=0.04, broken=(0.0,)))

EXPERIMENT = Experiment(
    id="q04",
    arms=(
        Arm("flaky", N_("tests flip"), FLAKY),
        Arm("clean", N_("tests hold"), replace(FLAKY, rules=Rules(broken=(0.0,)))),
        Arm("flaky-undivided", N_("flip, not divided"), replace(FLAKY, ddof=None)),
        Arm("clean-undivided", N_("hold, not divided"),
            replace(FLAKY, rules=Rules(broken=(0.0,)), ddof=None)),
    ),
    panels=(
        Panel("genuine", N_("Rewarded that truly pass"), (0.5, 1)),
        Panel("hidden", N_("True pass rate"), (0, 1)),
    ),
    knobs=(
        Knob(
            "rules.flaky",
            N_("Flip rate"),
            {"0": 0.0, "0.02": 0.02, "0.04": 0.04, "0.10": 0.1, "0.20": 0.2},
        ),
        Knob("ddof", N_("Divide by the std"), {N_("yes"): 0, N_("no"): None}),
    ),
    logged=("solved", "reward"),
)  # fmt: skip
