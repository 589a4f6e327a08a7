"""Q12: a price on every turn, and the agent submits at once."""

from __future__ import annotations

from dataclasses import replace

from agentrl_lite.experiments.spec import Arm, Experiment, Knob, Panel
from agentrl_lite.i18n import N_
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config

# A hard bucket: four checkouts in five are broken, so that most groups fail as a whole.
HARD = Rules(penalty=0.02, broken=(0.8,))
FAILING = Config(steps=120, optimiser="sgd", learning_rate=5.0, rules=HARD)

EXPERIMENT = Experiment(
    id="q12",
    arms=(
        Arm("failing", N_("priced and divided"), FAILING),
        Arm(
            "mended",
            N_("successes pay alone"),
            replace(FAILING, rules=replace(HARD, penalty_on="success")),
        ),
        Arm("undivided", N_("priced, not divided"), replace(FAILING, ddof=None)),
        Arm(
            "budget",
            N_("turn budget, no price"),
            replace(FAILING, rules=replace(HARD, penalty=0.0, max_turns=6)),
        ),
        Arm(
            "test-first",
            N_("a test comes first"),
            replace(FAILING, rules=replace(HARD, test_first=True)),
        ),
    ),
    panels=(
        Panel("single_submit", N_("Submits in its first turn"), (0, 1)),
        Panel("solved", N_("Solved share"), (0, 0.3)),
        Panel("turns", N_("Turns an episode"), (0, 8)),
    ),
    knobs=(
        Knob(
            "rules.penalty",
            N_("Price of a turn"),
            {"0": 0.0, "0.01": 0.01, "0.02": 0.02, "0.05": 0.05},
        ),
        Knob(
            "rules.penalty_on",
            N_("Who pays"),
            {N_("every episode"): "every", N_("successes alone"): "success"},
        ),
        Knob("ddof", N_("Divide by the std"), {N_("yes"): 0, N_("no"): None}),
        Knob("rules.broken", N_("Broken checkouts"), {"0": (0.0,), "0.5": (0.5,), "0.8": (0.8,)}),
    ),
    logged=("unedited", "reward", "failure_length", "success_length", "all_fail", "flat_groups"),
    every=4,
)
