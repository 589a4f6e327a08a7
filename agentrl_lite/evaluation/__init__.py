"""Evaluation on a fixed set of tasks: pass@k, paired comparisons, intervals and power.

Everything broadcasts and is computed in float64. Counts of samples and tasks are whole numbers;
they may come as floats, but never with a fraction.
"""

from agentrl_lite.evaluation.benchmark import Benchmark
from agentrl_lite.evaluation.components import (
    Components,
    crossed_se,
    difference_components,
    split_variance,
)
from agentrl_lite.evaluation.intervals import (
    Interval,
    bootstrap_interval,
    power,
    rate_se,
    units_needed,
    wilson_interval,
)
from agentrl_lite.evaluation.paired import McNemar, mcnemar, paired_difference, paired_se
from agentrl_lite.evaluation.passes import pass_at_k, pass_at_k_moments, pass_at_k_plugin

__all__ = [
    "Benchmark",
    "Components",
    "Interval",
    "McNemar",
    "bootstrap_interval",
    "crossed_se",
    "difference_components",
    "mcnemar",
    "paired_difference",
    "paired_se",
    "pass_at_k",
    "pass_at_k_moments",
    "pass_at_k_plugin",
    "power",
    "rate_se",
    "split_variance",
    "units_needed",
    "wilson_interval",
]
