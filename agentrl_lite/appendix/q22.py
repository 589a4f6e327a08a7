"""Question 22: two points more on 500 tasks, one attempt each. Is that a gain?"""

from __future__ import annotations

import math

import numpy as np

from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.evaluation import (
    difference_components,
    mcnemar,
    paired_difference,
    paired_se,
    power,
    rate_se,
    units_needed,
)
from agentrl_lite.i18n import N_

# The scenario.
TASKS = 500
SOLVED_A, SOLVED_B = 205, 215
GAINED, LOST = 40, 30
# The exercises' own assumptions.
FLIPS = 60
MORE_SAMPLES = 8
TASK_VARIANCE, SAMPLING_VARIANCE, SEED_SD, SAMPLES = 0.01, 0.13, 0.015, 4
LEVEL, TARGET = 0.05, 0.8


def pooled_rate() -> float:
    """Return the pass rate of both checkpoints taken together."""
    return (SOLVED_A + SOLVED_B) / (2 * TASKS)


def task_variance_seen() -> float:
    """Return the variance over tasks of the difference, for one attempt each."""
    return TASKS * float(paired_se(GAINED, LOST, TASKS)) ** 2


def smallest_gain(lost: int, method: str = "exact", level: float = LEVEL) -> int:
    """Return the smallest count of gained tasks that beats `lost` at this two-sided level."""
    gained = np.arange(lost, 10 * lost + 20)
    p_values = mcnemar(gained, lost, method).p_value  # type: ignore[arg-type]
    return int(gained[p_values < level][0])


def smallest_gain_of(discordant: int) -> int:
    """Return the smallest count of gained tasks among a fixed number of discordant ones."""
    gained = np.arange(math.ceil(discordant / 2), discordant + 1)
    return int(gained[mcnemar(gained, discordant - gained).p_value < LEVEL][0])


def se_after(sampling: float, samples: int) -> float:
    """Return the standard error with `samples` attempts, when luck explains `sampling` of one."""
    task = task_variance_seen() - sampling
    return float(difference_components(task, sampling, 0.0, tasks=TASKS, samples=samples).se)


def seeds_wanted(
    *, arms: int = 2, task: float = TASK_VARIANCE, samples: float = SAMPLES, shared: bool = True
) -> float:
    """Return the training seeds that make the scenario's gain detectable, not rounded up.

    Args:
        arms: methods whose seed spread counts; 1 is a mistake.
        task: variance over tasks of the true difference.
        samples: attempts at each task by each seed; may be infinite.
        shared: whether all seeds attempt the same tasks; `False` is a mistake.
    """
    gain = float(paired_difference(GAINED, LOST, TASKS))
    # One unit's variance over this number of units is the variance that is small enough.
    allowed = 1 / float(units_needed(gain, 1.0, target=TARGET))
    per_seed = arms * SEED_SD**2 + SAMPLING_VARIANCE / (TASKS * samples)
    if shared:
        return per_seed / (allowed - task / TASKS)
    return (per_seed + task / TASKS) / allowed


def _tasks(sd: float, target: float = TARGET, level: float = LEVEL) -> float:
    gain = float(paired_difference(GAINED, LOST, TASKS))
    return float(units_needed(gain, sd, alpha=level, target=target))


def _unpaired_se() -> float:
    return float(
        np.hypot(rate_se(SOLVED_A / TASKS, TASKS), rate_se(SOLVED_B / TASKS, TASKS)).item()
    )


NUMBERS = (
    Number("q22-tasks", "given", lambda: TASKS, "500", "tasks"),
    Number("q22-rate-a", "given: 205 of 500", lambda: 100 * SOLVED_A / TASKS, "41.0", "%"),
    Number("q22-rate-b", "given: 215 of 500", lambda: 100 * SOLVED_B / TASKS, "43.0", "%"),
    Number("q22-gained", "given", lambda: GAINED, "40", "tasks that only B solved"),
    Number("q22-lost", "given", lambda: LOST, "30", "tasks that only A solved"),
    Number("q22-pooled-rate", "(205 + 215) / 1000", pooled_rate, "0.42", "pass rate"),
    Number(
        "q22-rate-se",
        "sqrt(0.42 * 0.58 / 500)",
        lambda: float(rate_se(pooled_rate(), TASKS)),
        "0.022",
        "pass rate",
    ),
    Number(
        "q22-unpaired-se",
        "sqrt(0.41 * 0.59 / 500 + 0.43 * 0.57 / 500)",
        _unpaired_se,
        "0.031",
        "pass rate",
    ),
    Number(
        "q22-difference",
        "(40 - 30) / 500",
        lambda: float(paired_difference(GAINED, LOST, TASKS)),
        "0.02",
        "pass rate",
    ),
    Number(
        "q22-paired-se",
        "sqrt(40 + 30) / 500",
        lambda: float(paired_se(GAINED, LOST, TASKS, under_null=True)),
        "0.0167",
        "pass rate",
    ),
    Number(
        "q22-paired-se-full",
        "sqrt(40 + 30 - (40 - 30)^2 / 500) / 500",
        lambda: float(paired_se(GAINED, LOST, TASKS)),
        "0.0167",
        "pass rate",
    ),
    Number(
        "q22-z",
        "(40 - 30) / sqrt(40 + 30)",
        lambda: math.sqrt(float(mcnemar(GAINED, LOST, "uncorrected").statistic)),
        "1.2",
        "standard errors",
    ),
    Number(
        "q22-p-value",
        "exact McNemar: 2 P(Bin(70, 1/2) <= 30)",
        lambda: float(mcnemar(GAINED, LOST).p_value),
        "0.28",
        "probability",
    ),
)

PREDICTIONS = (
    Prediction(
        id="q22-power",
        question=N_(
            "Suppose that B really is two points better. How often would a comparison like this "
            "one, 500 tasks and one attempt each, find it at the 5 % level?"
        ),
        truth=lambda: 100 * float(power(GAINED / TASKS - LOST / TASKS, _paired_se())),
        unit="%",
        minimum=0,
        maximum=100,
        digits=0,
    ),
)


def _paired_se() -> float:
    return float(paired_se(GAINED, LOST, TASKS))


_IN_POINTS = N_("That is in points. As a share, one point is 0.01.")

CHECKS = (
    Check(
        id="q22-smallest-b",
        kind="integer",
        truth=lambda: smallest_gain(LOST),
        hints=(
            Hint(
                lambda: smallest_gain(LOST, "uncorrected"),
                N_(
                    "There chi-squared is just below the level. It approximates; the exact test is "
                    "still above, at p = {p:.3f}."
                ),
                lambda: {"p": float(mcnemar(smallest_gain(LOST, "uncorrected"), LOST).p_value)},
            ),
            Hint(
                lambda: smallest_gain_of(GAINED + LOST),
                N_("That keeps b + c at {total}. Here c stays where it is, and b + c grows."),
                lambda: {"total": GAINED + LOST},
            ),
            Hint(
                lambda: smallest_gain(LOST, level=2 * LEVEL),
                N_("One tail is below the level there. The test counts both."),
            ),
        ),
        otherwise=N_(
            "Read the p-value at your b and at b - 1: the first must be below the level, the "
            "second must not."
        ),
    ),
    Check(
        id="q22-tasks-needed",
        kind="number",
        truth=lambda: _tasks(math.sqrt(task_variance_seen())),
        # Leaving the second term out of the variance, or rounding z, comes this close.
        tolerance=15.0,
        hints=(
            Hint(
                lambda: _tasks(_unpaired_se() * math.sqrt(TASKS)),
                N_("That is the bill for two unpaired runs. On shared tasks only b and c count."),
            ),
            Hint(
                lambda: _tasks(math.sqrt(task_variance_seen()), target=0.5),
                N_(
                    "At that number a true gain of two points is found every other time. Add the "
                    "quantile for the power to that for the level."
                ),
            ),
            Hint(
                lambda: _tasks(math.sqrt(task_variance_seen()), level=2 * LEVEL),
                N_("That is for a one-sided test. Both tails count."),
            ),
        ),
        otherwise=N_(
            "The spread of one task's difference comes from b and c alone. units_needed does the "
            "rest."
        ),
    ),
    Check(
        id="q22-se-more-samples",
        kind="share",
        truth=lambda: se_after(FLIPS / TASKS, MORE_SAMPLES),
        # Leaving the second term out of the variance comes close to 0.0001.
        tolerance=0.0002,
        hints=(
            Hint(
                lambda: _paired_se() / math.sqrt(MORE_SAMPLES),
                N_("You shrank the whole variance. More attempts do not make tasks more alike."),
            ),
            Hint(
                lambda: se_after(FLIPS / TASKS / 2, MORE_SAMPLES),
                N_("A against itself has two attempts in it, just as A against B has: halve none."),
            ),
            Hint(
                lambda: math.sqrt((task_variance_seen() - FLIPS / TASKS) / TASKS),
                N_("That is what would be left with endless attempts."),
            ),
            Hint(lambda: 100 * se_after(FLIPS / TASKS, MORE_SAMPLES), _IN_POINTS),
            # The same, rounded as a reader would.
            Hint(lambda: round(100 * se_after(FLIPS / TASKS, MORE_SAMPLES), 2), _IN_POINTS),
        ),
        otherwise=N_(
            "Take the luck that A shows against itself out of the variance of one task's "
            "difference. Divide the luck by the attempts; leave the rest as it is."
        ),
    ),
    Check(
        id="q22-seeds-needed",
        kind="integer",
        truth=lambda: math.ceil(seeds_wanted()),
        hints=(
            Hint(
                lambda: math.floor(seeds_wanted()),
                N_("At your number the power is still a little below. Which way must you round?"),
            ),
            Hint(
                lambda: math.ceil(seeds_wanted(arms=1)),
                N_("Both methods are trained with seeds, and both spreads enter the difference."),
            ),
            Hint(
                lambda: math.ceil(seeds_wanted(shared=False)),
                N_(
                    "All seeds attempt the same tasks: the tasks' term is there in full, however "
                    "many seeds you run."
                ),
            ),
            Hint(
                lambda: math.ceil(seeds_wanted(samples=1)),
                N_("That is with one attempt at each task. Here there are several."),
            ),
            Hint(
                lambda: math.ceil(seeds_wanted(samples=math.inf)),
                N_("That is with endless attempts. Here there are {samples}, and luck has a part."),
                lambda: {"samples": SAMPLES},
            ),
            Hint(
                lambda: 2 * math.ceil(seeds_wanted()),
                N_("That is both methods together. The question asks for the seeds of each."),
            ),
        ),
        otherwise=N_(
            "Find the variance at which two points have the power asked for. Take the tasks' term "
            "off it; the other two terms, for one seed, must fit into what is left."
        ),
    ),
)
