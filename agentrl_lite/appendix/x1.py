"""Exercise 1: the group size that sees the most tasks, over a whole pool of pass rates."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.i18n import N_
from agentrl_lite.pools import beta_pool, fit_beta, informative_tasks

# The exercise.
BUDGET = 512
HIGHEST = 0.4
# The steps' own assumptions.
TWO_KINDS = (0.1, 0.3)
MEAN, DEVIATION = 0.2, 0.3
ATTEMPTS = 8
#: How many of the logged tasks were solved 0, 1, ... 8 times in 8 attempts.
LOGGED = (74, 44, 26, 14, 21, 12, 7, 2, 0)
LONG = 16


def uniform_tasks(G: int, prompts: float | None = None, *, highest: float = HIGHEST) -> float:
    r"""Return a step's expected informative tasks, pass rates being uniform from 0 to `highest`.

    $P\left(1 - \frac{u^{G+1} + 1 - (1-u)^{G+1}}{u\,(G+1)}\right)$, computed by quadrature.

    Args:
        G: group size, from 1.
        prompts: prompts a step, P; `None` divides the exercise's budget, B/G, whole or not.
        highest: upper end of the pass rates, u, above 0.
    """
    pass_rates, weights = _uniform(highest)
    groups = BUDGET / G if prompts is None else prompts
    return float(informative_tasks(pass_rates, G, groups, weights=weights))


def uniform_waste(G: int, *, highest: float = HIGHEST) -> float:
    """Return the share of groups that teach nothing, pass rates uniform from 0 to `highest`."""
    return 1.0 - uniform_tasks(G, 1, highest=highest)


def most_tasks() -> int:
    """Return the smallest of the group sizes that see the most tasks."""
    # Equal up to rounding is equal: two sizes tie.
    return max(range(2, 65), key=lambda G: (round(uniform_tasks(G), 9), -G))


def smallest_group_of_pool(largest_waste: float = 0.5) -> int:
    """Return the smallest G whose wasted share of the exercise's pool is below `largest_waste`."""
    return next(G for G in range(2, 1000) if uniform_waste(G) < largest_waste)


@lru_cache(maxsize=64)
def _uniform(highest: float) -> tuple[np.ndarray, np.ndarray]:
    return beta_pool(1, 1, highest=highest)


def _logged_rates() -> np.ndarray:
    return np.repeat(np.arange(ATTEMPTS + 1), LOGGED) / ATTEMPTS


def _beta_tasks(a: float, b: float) -> float:
    pass_rates, weights = beta_pool(a, b)
    return float(informative_tasks(pass_rates, LONG, BUDGET // LONG, weights=weights))


def _fitted_tasks() -> float:
    return _beta_tasks(*fit_beta(np.repeat(np.arange(ATTEMPTS + 1), LOGGED), ATTEMPTS))


def _naively_fitted_tasks() -> float:
    """Fit to the variance of the logged rates, which holds the noise of the attempts too."""
    rates = _logged_rates()
    mean, variance = float(rates.mean()), float(rates.var())
    tightness = mean * (1 - mean) / variance - 1
    return _beta_tasks(mean * tightness, (1 - mean) * tightness)


def _tasks_at(G: int, printed: str) -> Number:
    return Number(
        id=f"x1-tasks-G{G}",
        how=f"512 / {G} * (1 - E[p^{G} + (1-p)^{G}]), p uniform on [0, 0.4]",
        compute=lambda: uniform_tasks(G),
        printed=printed,
        unit="informative tasks a step",
    )


NUMBERS = (
    Number("x1-budget", "given", lambda: BUDGET, "512", "episodes a step"),
    Number("x1-highest", "given", lambda: HIGHEST, "0.4", "success probability"),
    _tasks_at(2, "75.09"),
    _tasks_at(3, "75.09"),
    _tasks_at(4, "68.3"),
    _tasks_at(8, "46.4"),
    Number("x1-groups-G3", "512 // 3", lambda: BUDGET // 3, "170", "whole groups a step"),
    Number(
        "x1-whole-tasks-G3",
        "170 * (1 - E[p^3 + (1-p)^3]), p uniform on [0, 0.4]",
        lambda: uniform_tasks(3, BUDGET // 3),
        "74.8",
        "informative tasks a step",
    ),
)

PREDICTIONS = (
    Prediction(
        id="x1-change",
        question=N_(
            "From G = 4 to G = 8, at the same budget: by how much does the number of informative "
            "tasks a step change? (A minus sign means fewer.)"
        ),
        truth=lambda: 100 * (uniform_tasks(8) / uniform_tasks(4) - 1),
        unit="%",
        minimum=-100,
        maximum=100,
    ),
)

_SHARE = N_("That is the share of groups. How many groups does the step hold?")
_SIZE = N_("That is a group size. The count there is asked for.")

CHECKS = (
    Check(
        id="x1-two-kinds",
        kind="number",
        truth=lambda: float(informative_tasks(TWO_KINDS, 8, BUDGET // 8)),
        tolerance=0.05,
        hints=(
            Hint(
                lambda: float(informative_tasks([MEAN], 8, BUDGET // 8)),
                N_("That is a pool of tasks that are all alike. Average the shares, not the p."),
            ),
            Hint(lambda: float(informative_tasks(TWO_KINDS, 8, 1)), _SHARE),
            Hint(
                lambda: BUDGET // 8 - float(informative_tasks(TWO_KINDS, 8, BUDGET // 8)),
                N_("Those are the groups that teach nothing. The question is about the others."),
            ),
        ),
        otherwise=N_(
            "Work out the share of informative groups for each kind of task, take the mean of the "
            "two, multiply by the groups that you pay for."
        ),
    ),
    Check(
        id="x1-uniform",
        kind="number",
        truth=lambda: uniform_tasks(8),
        tolerance=0.05,
        hints=(
            Hint(
                lambda: float(informative_tasks([HIGHEST / 2], 8, BUDGET // 8)),
                N_("That puts every task at the mean. Integrate over the pool instead."),
            ),
            Hint(
                lambda: uniform_tasks(8, highest=1.0),
                N_("That averages over pass rates from 0 to 1. The pool ends at {highest}."),
                lambda: {"highest": HIGHEST},
            ),
            Hint(
                lambda: HIGHEST * uniform_tasks(8),
                N_("An integral is no mean yet. What is the density of this pool?"),
            ),
            Hint(lambda: uniform_tasks(8, 1), _SHARE),
        ),
        otherwise=N_(
            "Integrate p^G + (1-p)^G from 0 to the pool's upper end, divide by the pool's width, "
            "take it from 1, multiply by the number of groups."
        ),
    ),
    Check(
        id="x1-most",
        kind="number",
        truth=lambda: uniform_tasks(most_tasks()),
        tolerance=0.05,
        hints=(
            Hint(
                lambda: uniform_tasks(8),
                N_("That is the count at the group size you had before. Try others."),
            ),
            Hint(lambda: uniform_tasks(4), N_("Close, but a smaller group sees more.")),
            Hint(
                lambda: uniform_tasks(3, BUDGET // 3),
                N_("That is for whole groups. Take B/G as a real number here."),
            ),
            Hint(
                lambda: float(BUDGET),
                N_("That many groups of one can be paid for. Does a group of one differ?"),
            ),
            Hint(most_tasks, _SIZE),
            Hint(lambda: most_tasks() + 1, _SIZE),
        ),
        otherwise=N_("Put every group size from 2 into your closed form; take the greatest count."),
    ),
    Check(
        id="x1-mean-and-spread",
        kind="number",
        truth=lambda: BUDGET * (MEAN - MEAN**2 - DEVIATION**2),
        tolerance=0.05,
        hints=(
            Hint(
                lambda: BUDGET * MEAN * (1 - MEAN),
                N_("That is a pool without spread. What does spread do to the mean of p squared?"),
            ),
            Hint(
                lambda: BUDGET * (MEAN - MEAN**2 + DEVIATION**2),
                N_("Look at the sign: a spread moves tasks towards 0 and 1."),
            ),
            Hint(
                lambda: BUDGET * (MEAN - DEVIATION**2),
                N_("The mean of p squared is the variance plus one more term."),
            ),
        ),
        otherwise=N_(
            "For a pair the share is 2p(1-p). Write its mean with the mean and the variance of p."
        ),
    ),
    Check(
        id="x1-whole",
        kind="number",
        truth=lambda: uniform_tasks(3, BUDGET // 3),
        tolerance=0.05,
        hints=(
            Hint(
                lambda: uniform_tasks(3),
                N_("That counts a fraction of a group. Whole groups only."),
            ),
            Hint(
                lambda: uniform_tasks(3, math.ceil(BUDGET / 3)),
                N_("So many groups cost more than the budget."),
            ),
            Hint(lambda: BUDGET // 3, N_("Those are the groups. How many of them teach?")),
        ),
        otherwise=N_("Round the number of groups down, then multiply by the share that teaches."),
    ),
    Check(
        id="x1-under-half",
        kind="integer",
        truth=smallest_group_of_pool,
        hints=(
            Hint(
                lambda: smallest_group_of_pool() - 1,
                N_("At your G the share is still {share:.1f} %: above one half."),
                lambda: {"share": 100 * uniform_waste(smallest_group_of_pool() - 1)},
            ),
            Hint(
                most_tasks,
                N_("That sees the most tasks. At your G the wasted share is {share:.1f} %."),
                lambda: {"share": 100 * uniform_waste(most_tasks())},
            ),
            Hint(
                lambda: 2 * smallest_group_of_pool(),
                N_("At your G the share is far below one half: a smaller group will do."),
            ),
        ),
        otherwise=N_(
            "Read the share at your G and at G - 1: the first must be below one half, "
            "the second must not."
        ),
    ),
    Check(
        id="x1-fitted",
        kind="number",
        truth=_fitted_tasks,
        tolerance=0.1,
        hints=(
            Hint(
                _naively_fitted_tasks,
                N_(
                    "Your spread holds the noise of the attempts as well. Estimate the mean of p "
                    "squared by c(c-1)/(n(n-1))."
                ),
            ),
            Hint(
                lambda: float(informative_tasks(_logged_rates(), LONG, BUDGET // LONG)),
                N_(
                    "That takes each c/n for the task's p: a task that was never solved yet would "
                    "never be. Fit the pool instead."
                ),
            ),
            Hint(
                lambda: float(informative_tasks([_logged_rates().mean()], LONG, BUDGET // LONG)),
                N_("That puts every task at the mean. The spread is what you are after."),
            ),
        ),
        otherwise=N_(
            "Estimate the means of p and of its square, solve for a and b, then use the formula "
            "for E[p^G]; E[(1-p)^G] is the same with a and b exchanged."
        ),
    ),
)
