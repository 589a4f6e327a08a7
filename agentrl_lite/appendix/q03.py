"""Question 3: how big a group, how many prompts, at a fixed budget of episodes."""

from __future__ import annotations

import math

# The binomial's distribution function; scipy.stats has it too, and takes a second to import.
from scipy.special import bdtr

from agentrl_lite.advantages import degenerate_probability, informative_probability, smallest_group
from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.i18n import N_
from agentrl_lite.pools import expected_draws

# The scenario.
BUDGET = 512
GROUP_SIZES = (4, 8, 16)
MIDDLE = 0.1
TAIL = (0.3, 0.5)
# The exercises' own assumptions.
HARD_MIDDLE = 0.05
MEAN_PASS_RATE = 0.2


def default_group() -> int:
    """Return the next power of two from the smallest group that wastes less than half."""
    return 1 << (smallest_group(MIDDLE) - 1).bit_length()


def whole_batch_episodes(p: float, G: int, groups: int) -> float:
    r"""Return the episodes paid, on average, when refilling by whole batches.

    Every batch holds `groups` groups, until as many informative ones have come together. One more
    batch is needed after m of them with probability $P(\mathrm{Bin}(mP, q) < P)$; the sum of these
    over m is the mean number of batches.

    Args:
        p: success probability, strictly between 0 and 1.
        G: group size, from 2.
        groups: groups a batch, and informative groups wanted, P.

    Returns:
        Episodes, at least `groups * G`.
    """
    q = float(informative_probability(p, G))
    batches, m, needed = 0.0, 0, 1.0
    while needed > 1e-12:
        batches, m = batches + needed, m + 1
        needed = float(bdtr(groups - 1, m * groups, q))
    return batches * groups * G


def _degenerate(name: str, p: float, G: int, printed: str) -> Number:
    return Number(
        id=f"q03-degenerate-{name}-G{G}",
        how=f"p^G + (1-p)^G at p = {p}, G = {G}",
        compute=lambda: float(degenerate_probability(p, G)),
        printed=printed,
        unit="share of groups",
    )


NUMBERS = (
    Number("q03-budget", "given", lambda: BUDGET, "512", "episodes a step"),
    Number("q03-middle", "given", lambda: MIDDLE, "0.1", "success probability"),
    Number("q03-tail-low", "given", lambda: TAIL[0], "0.3", "success probability"),
    Number("q03-tail-high", "given", lambda: TAIL[1], "0.5", "success probability"),
    Number("q03-prompts-G4", "512 / 4", lambda: BUDGET // GROUP_SIZES[0], "128", "prompts a step"),
    Number("q03-prompts-G8", "512 / 8", lambda: BUDGET // GROUP_SIZES[1], "64", "prompts a step"),
    Number("q03-prompts-G16", "512 / 16", lambda: BUDGET // GROUP_SIZES[2], "32", "prompts a step"),
    _degenerate("p10", MIDDLE, 4, "0.656"),
    _degenerate("p10", MIDDLE, 8, "0.430"),
    _degenerate("p10", MIDDLE, 16, "0.185"),
    _degenerate("p30", TAIL[0], 4, "0.248"),
    _degenerate("p30", TAIL[0], 8, "0.058"),
    _degenerate("p30", TAIL[0], 16, "0.003"),
    Number(
        "q03-default-G",
        "next power of two from the smallest G with p^G + (1-p)^G < 1/2 at p = 0.1",
        default_group,
        "8",
        "episodes a group",
    ),
    Number(
        "q03-default-prompts",
        "budget / default G",
        lambda: BUDGET // default_group(),
        "64",
        "prompts a step",
    ),
)

PREDICTIONS = (
    Prediction(
        id="q03-share",
        question=N_("With G = 4 on the middle task, what share of the groups teaches nothing?"),
        truth=lambda: 100 * float(degenerate_probability(MIDDLE, GROUP_SIZES[0])),
        unit="%",
        minimum=0,
        maximum=100,
    ),
)


def _share_below(p: float) -> int:
    """Return the G that rounding the logarithm's quotient down would give."""
    return math.floor(math.log(0.5) / math.log1p(-p))


CHECKS = (
    Check(
        id="q03-smallest-G",
        kind="integer",
        truth=lambda: smallest_group(MIDDLE),
        hints=(
            Hint(
                default_group,
                N_("That is the power of two you would pick. The question is the smallest G."),
            ),
            Hint(
                lambda: _share_below(MIDDLE),
                N_("At your G the share is still {share:.1f} %: above one half."),
                lambda: {
                    "share": 100 * float(degenerate_probability(MIDDLE, _share_below(MIDDLE)))
                },
            ),
            Hint(
                lambda: 0.5 / MIDDLE,
                N_("1 - Gp is the start of a series, good where Gp is small. Use the whole term."),
            ),
        ),
        otherwise=N_(
            "Read the share at your G and at G - 1: the first must be below one half, "
            "the second must not."
        ),
    ),
    Check(
        id="q03-smallest-G-hard",
        kind="integer",
        truth=lambda: smallest_group(HARD_MIDDLE),
        hints=(
            Hint(
                lambda: _share_below(HARD_MIDDLE),
                N_("At your G the share is still {share:.0f} %. Which way must you round?"),
                lambda: {
                    "share": 100
                    * float(degenerate_probability(HARD_MIDDLE, _share_below(HARD_MIDDLE)))
                },
            ),
            Hint(
                lambda: 0.5 / HARD_MIDDLE,
                N_("1 - Gp is the start of a series, good where Gp is small. Use the whole term."),
            ),
            Hint(
                lambda: math.floor(0.5 / HARD_MIDDLE) + 1,
                N_("1 - Gp is the start of a series, good where Gp is small. Use the whole term."),
            ),
            Hint(
                lambda: 1 << (smallest_group(HARD_MIDDLE) - 1).bit_length(),
                N_("That is a power of two that works. The question is the smallest G."),
            ),
        ),
        otherwise=N_(
            "Solve (1-p)^G = 1/2 for G; p^G does not matter here. Then check both neighbours."
        ),
    ),
    Check(
        id="q03-episodes-paid",
        kind="number",
        truth=lambda: BUDGET * float(expected_draws(MIDDLE, default_group())),
        tolerance=2.0,
        hints=(
            Hint(
                lambda: BUDGET * (1 + float(degenerate_probability(MIDDLE, default_group()))),
                N_("You paid once for every wasted group. A refill can fail too."),
            ),
            Hint(
                lambda: BUDGET,
                N_("That is what the groups cost if none is wasted. Some are."),
            ),
            Hint(
                lambda: BUDGET / default_group() * float(expected_draws(MIDDLE, default_group())),
                N_("That counts groups. The bill is in episodes."),
            ),
        ),
        otherwise=N_(
            "How many groups do you draw, on average, until one of them differs? "
            "Multiply by the groups you need and by their size."
        ),
    ),
    Check(
        id="q03-whole-batches",
        kind="number",
        truth=lambda: whole_batch_episodes(MIDDLE, default_group(), BUDGET // default_group()),
        # A simulation of a few thousand repetitions comes this close.
        tolerance=10.0,
        hints=(
            Hint(
                lambda: BUDGET * float(expected_draws(MIDDLE, default_group())),
                N_(
                    "That is the bill group by group. A batch that is nearly enough costs a whole "
                    "further batch."
                ),
            ),
            Hint(
                lambda: (
                    whole_batch_episodes(MIDDLE, default_group(), BUDGET // default_group())
                    / default_group()
                ),
                N_("That counts groups. The bill is in episodes."),
            ),
            Hint(
                lambda: 2 * BUDGET,
                N_("Two batches are enough most of the time. What do the other times cost?"),
            ),
        ),
        otherwise=N_(
            "Simulate it: draw whole batches until enough groups differ, count the "
            "episodes, repeat a few thousand times, take the mean."
        ),
    ),
    Check(
        id="q03-two-pools",
        kind="share",
        truth=lambda: (1 + float(degenerate_probability(2 * MEAN_PASS_RATE, default_group()))) / 2,
        # Three digits: in the measurement's table stands 51.1 %, of another pool.
        tolerance=0.002,
        hints=(
            Hint(
                lambda: float(degenerate_probability(MEAN_PASS_RATE, default_group())),
                N_(
                    "That is the pool in which all tasks are alike. Average the shares, not the "
                    "pass rates."
                ),
            ),
            Hint(
                lambda: float(degenerate_probability(2 * MEAN_PASS_RATE, default_group())),
                N_("That is the solvable half alone. What do groups of the other half look like?"),
            ),
        ),
        otherwise=N_("Work out the share for each half of the pool, then average the two."),
    ),
)
