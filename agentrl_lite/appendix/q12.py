"""Question 12: the agent learns to submit at once, where every turn has a price."""

from __future__ import annotations

import numpy as np

from agentrl_lite.advantages import group_advantages
from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.i18n import N_
from agentrl_lite.turn_price import threshold, tipping_rate

# The scenario.
STEPS = 100
PRICE = 0.02
TURNS = 6
SUBMITS_AT_ONCE = 0.70
SOLVED_START, SOLVED_END = 0.25, 0.08
# The notebook's own assumption, and those of the exercises.
GROUP = 8
SMALL_GROUP = 4
OTHER_PRICE, OTHER_TURNS = 0.05, 4
BIG_GROUP, GAVE_UP = 16, 4
MIXED_GIVE_UP = 2


def solved_of_tries() -> float:
    """Return how often an episode is solved that does try, since the others never are."""
    return SOLVED_END / (1 - SUBMITS_AT_ONCE)


def all_fail(G: int, k: int, *, ddof: int | None = 0) -> tuple[float, float]:
    """Return the advantages of giving up and of trying, where k of G give up and nobody succeeds.

    Args:
        G: group size.
        k: how many give up, from 1 to G - 1.
        ddof: as in `group_advantages`.
    """
    rewards = -PRICE * np.where(np.arange(G) < k, 1, TURNS)
    advantages = group_advantages(rewards, ddof=ddof)
    return float(advantages[0]), float(advantages[-1])


def price_that_turns_the_sign(G: int, k: int, solved: int) -> float:
    """Return the price from which giving up has a positive advantage beside so many successes.

    It solves $c (n-1)(G-k) = s$ for c.

    Args:
        G: group size.
        k: how many give up.
        solved: how many of the others are solved.
    """
    return solved / ((TURNS - 1) * (G - k))


NUMBERS = (
    Number("q12-steps", "given", lambda: STEPS, "100", "steps"),
    Number("q12-submit-share", "given", lambda: SUBMITS_AT_ONCE, "0.70", "share of episodes"),
    Number("q12-solved-start", "given", lambda: SOLVED_START, "0.25", "share of episodes"),
    Number("q12-solved-end", "given", lambda: SOLVED_END, "0.08", "share of episodes"),
    Number("q12-price", "given, as a reward", lambda: -PRICE, "-0.02", "reward a turn"),
    Number("q12-turns", "given", lambda: TURNS, "6", "turns"),
    Number("q12-submit-value", "-c", lambda: -PRICE, "-0.02", "reward"),
    Number("q12-try-cost", "n c", lambda: TURNS * PRICE, "0.12", "reward"),
    Number(
        "q12-threshold",
        "c (n - 1)",
        lambda: threshold(PRICE, TURNS),
        "0.10",
        "success probability",
    ),
)

PREDICTIONS = (
    Prediction(
        id="q12-solved-of-tries",
        question=N_(
            "Seven episodes in ten submit at once, and fail. All in all 8 % are solved. Of the "
            "episodes that do try, how many are solved?"
        ),
        truth=lambda: 100 * solved_of_tries(),
        unit="%",
        minimum=0,
        maximum=100,
    ),
)

CHECKS = (
    Check(
        id="q12-tipping-small",
        kind="share",
        truth=lambda: tipping_rate(c=PRICE, n=TURNS, G=SMALL_GROUP),
        tolerance=0.006,
        hints=(
            Hint(
                lambda: tipping_rate(c=PRICE, n=TURNS, G=GROUP),
                N_("That is for groups of eight. Move G."),
            ),
            Hint(
                lambda: threshold(PRICE, TURNS),
                N_("That is where the two mean rewards cross. The question is the divided push."),
            ),
        ),
        otherwise=N_("Set G to 4, leave the others, and read where the divided push is zero."),
    ),
    Check(
        id="q12-threshold-other",
        kind="share",
        truth=lambda: threshold(OTHER_PRICE, OTHER_TURNS),
        tolerance=0.0005,
        hints=(
            Hint(
                lambda: OTHER_PRICE * OTHER_TURNS,
                N_("That is what a try costs. Giving up is not free either."),
            ),
            Hint(
                lambda: threshold(PRICE, OTHER_TURNS),
                N_("That is at the scenario's price. Here a turn costs more."),
            ),
        ),
        otherwise=N_("Write down the mean reward of both ways to act, and set them equal."),
    ),
    Check(
        id="q12-all-fail",
        kind="number",
        truth=lambda: all_fail(BIG_GROUP, GAVE_UP)[0],
        tolerance=0.01,
        hints=(
            Hint(
                lambda: all_fail(BIG_GROUP, GAVE_UP, ddof=None)[0],
                N_("That is centred and not divided. This trainer divides."),
            ),
            Hint(
                lambda: -all_fail(BIG_GROUP, GAVE_UP)[1],
                N_("That is the size of the other advantage, of those that tried."),
            ),
            Hint(
                lambda: all_fail(BIG_GROUP, GAVE_UP, ddof=1)[0],
                N_("That is with ddof at 1. This trainer takes the population deviation."),
            ),
            Hint(
                lambda: all_fail(GROUP, 1)[0],
                N_("That is for one of eight. Here four of sixteen gave up."),
            ),
        ),
        otherwise=N_(
            "Two values, four of one and twelve of the other: what does the advantage depend on?"
        ),
    ),
    Check(
        id="q12-price-turns-sign",
        kind="number",
        truth=lambda: price_that_turns_the_sign(GROUP, MIXED_GIVE_UP, 1),
        tolerance=0.0004,
        hints=(
            Hint(
                lambda: price_that_turns_the_sign(GROUP, 0, 1),
                N_("You counted all eight as tries. Those that gave up have no turns to save."),
            ),
            Hint(
                lambda: 1 / (TURNS * (GROUP - MIXED_GIVE_UP)),
                N_("Giving up saves the turns after the first, not all of them."),
            ),
        ),
        otherwise=N_(
            "The mean of the group is below the reward of giving up exactly if the success brings "
            "less than the tries cost more."
        ),
    ),
)
