r"""What a price on every turn pays for: giving up, where the group of attempts agrees in failing.

Two ways to act. One *gives up*: it submits in its first turn, fails, and pays for one turn. The
other *tries*: it pays for n turns and is solved with probability q. A turn costs c and a solved
episode earns 1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import binom

from agentrl_lite import checked
from agentrl_lite.advantages import group_advantages

PaidBy = Literal["every", "success"]
PAYERS: tuple[str, ...] = get_args(PaidBy)
Floats = NDArray[np.float64]


def threshold(c: float, n: float) -> float:
    """Return the success rate below which giving up has the greater mean reward, c (n - 1).

    Args:
        c: price of a turn, in units of reward, at least 0.
        n: turns of a try, at least 1.

    Raises:
        ValueError: for an argument out of range.

    >>> round(threshold(0.02, 6), 2)
    0.1
    """
    _check(c, n)
    return c * (n - 1)


def give_up_push(
    q: float,
    *,
    c: float,
    n: float,
    G: int = 8,
    given_up: float = 0.1,
    ddof: int | None = 0,
    epsilon: float = 1e-6,
    paid_by: PaidBy = "every",
) -> float:
    r"""Return the expected push on the logit of giving up, exactly, over all groups of G.

    Each attempt gives up with probability x, on its own. Advantages sum to zero in a group, so the
    push is the mean over attempts of the advantages of those that give up,
    $E\bigl[\frac1G \sum_{i\ \text{gives up}} A_i\bigr]$. Undivided it is
    $x(1-x)\frac{G-1}{G}(q^* - q)$, with `threshold` for $q^*$.

    Args:
        q: success probability of a try, from 0 to 1.
        c: price of a turn, at least 0.
        n: turns of a try, at least 1.
        G: group size, from 1.
        given_up: x, from 0 to 1.
        ddof: as in `group_advantages`: `None` does not divide.
        epsilon: as in `group_advantages`.
        paid_by: every episode pays, or solved ones alone.

    Raises:
        ValueError: for an argument out of range.

    >>> abs(give_up_push(0.1, c=0.02, n=6, ddof=None)) < 1e-12
    True
    >>> give_up_push(0.1, c=0.02, n=6) > 0
    True
    """
    _check(c, n)
    for name, value in (("q", q), ("given_up", given_up)):
        checked.chance(name, value)
    checked.whole("G", G, 1)
    checked.option("paid_by", paid_by, PAYERS)
    chances_K_S = _binomial(G, given_up)[:, np.newaxis] * _solved(G, q)
    return float((chances_K_S * _pushes(c, n, G, ddof, epsilon, paid_by)).sum())


def tipping_rate(
    *,
    c: float,
    n: float,
    G: int = 8,
    given_up: float = 0.1,
    ddof: int | None = 0,
    epsilon: float = 1e-6,
    paid_by: PaidBy = "every",
) -> float:
    """Return the success rate of tries at which the push on giving up changes its sign.

    Below it training gives up more and more. Undivided it is `threshold`.

    Args:
        c: as in `give_up_push`, as are the others.
        n: turns of a try.
        G: group size.
        given_up: share that gives up.
        ddof: of the deviation.
        epsilon: added to it.
        paid_by: who pays.

    Returns:
        A rate from 0 to 1: 0 where the push is never upwards, 1 where it always is.
    """
    options = {"c": c, "n": n, "G": G, "given_up": given_up, "ddof": ddof, "epsilon": epsilon}

    def push(q: float) -> float:
        return give_up_push(q, paid_by=paid_by, **options)  # type: ignore[arg-type]

    low, high = 0.0, 1.0
    if push(low) <= 0:
        return low
    if push(high) > 0:
        return high
    for _ in range(50):  # halved so often, the interval is one number
        middle = (low + high) / 2
        low, high = (middle, high) if push(middle) > 0 else (low, middle)
    return (low + high) / 2


@lru_cache(maxsize=256)
def _pushes(
    c: float, n: float, G: int, ddof: int | None, epsilon: float, paid_by: PaidBy
) -> Floats:
    """Return the push of a group in which k give up and s are solved, shape (G + 1, G + 1).

    Cells with more than G - k solved mean nothing, and are 0.
    """
    pushes = np.zeros((G + 1, G + 1))
    every = paid_by == "every"
    for k in range(G + 1):
        s = np.arange(G - k + 1)[:, np.newaxis]
        place = np.arange(G)
        gives_up, solved = place < k, (place >= k) & (place < k + s)
        paid = np.where(gives_up, c, c * n) * (solved | every)
        advantages = group_advantages(solved - paid, ddof=ddof, epsilon=epsilon)
        pushes[k, : G - k + 1] = (advantages * gives_up).sum(axis=1) / G
    pushes.setflags(write=False)
    return pushes


def _binomial(G: int, p: float) -> Floats:
    k = np.arange(G + 1)
    return np.asarray(binom(G, k) * p**k * (1.0 - p) ** (G - k))


def _solved(G: int, q: float) -> Floats:
    """Return the chance of s solved among the G - k that try, shape (G + 1, G + 1)."""
    k, s = np.arange(G + 1)[:, np.newaxis], np.arange(G + 1)
    tries = G - k
    chance = binom(tries, s) * q**s * (1.0 - q) ** np.maximum(tries - s, 0)
    return np.where(s <= tries, chance, 0.0)


def _check(c: float, n: float) -> None:
    checked.at_least("c", c)
    checked.at_least("n", n, 1)
