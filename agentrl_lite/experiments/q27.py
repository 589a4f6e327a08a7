"""Q27: answers grow to twice their length, among the failures."""

from __future__ import annotations

from dataclasses import replace

from agentrl_lite.experiments.spec import Arm, Experiment, Knob, Panel
from agentrl_lite.i18n import N_
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config

# Plain gradient steps: Adam moves rare weights as fast as common ones, and hides the effect.
FAILING = Config(steps=60, optimiser="sgd", learning_rate=5.0, aggregation="seq-mean-token-mean")

EXPERIMENT = Experiment(
    id="q27",
    arms=(
        Arm("failing", N_("sequence means"), FAILING),
        Arm("mended", N_("token mean"), replace(FAILING, aggregation="token-mean")),
        Arm(
            "constant",
            N_("constant normaliser"),
            replace(FAILING, aggregation="seq-mean-token-sum-norm"),
        ),
        Arm("undivided", N_("without the std"), replace(FAILING, ddof=None)),
        Arm("blind", N_("test result hidden"), replace(FAILING, rules=Rules(blind=True))),
    ),
    panels=(
        Panel("failure_length", N_("Policy tokens, failures"), (0, 64)),
        Panel("success_length", N_("Policy tokens, successes"), (0, 64)),
        Panel("truncated", N_("Truncated share"), (0, 1)),
        Panel("reward", N_("Reward"), (0, 1)),
    ),
    knobs=(
        Knob(
            "aggregation",
            N_("Aggregation"),
            {
                N_("sequence means"): "seq-mean-token-mean",
                N_("token mean"): "token-mean",
                N_("constant normaliser"): "seq-mean-token-sum-norm",
            },
        ),
        Knob("ddof", N_("Divide by the std"), {N_("yes"): 0, N_("no"): None}),
        Knob("rules.blind", N_("Test result"), {N_("shown"): False, N_("hidden"): True}),
        Knob("rules.max_tokens", N_("Token cap"), {"32": 32, "64": 64, "96": 96}),
    ),
    logged=(
        "failure_length_p50",
        "failure_length_p90",
        "success_length_p50",
        "success_length_p90",
        "turns",
        "failure_turns",
        "failure_repeats",
        "failure_weight",
        "success_weight",
        "policy_entropy",
    ),
    every=4,
)
