"""Two policies on the same tasks: the difference, its standard error, McNemar's test."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from agentrl_lite import checked
from agentrl_lite.checked import Floats


class McNemar(NamedTuple):
    """A test on discordant pairs.

    Attributes:
        statistic: the smaller count for the exact test, chi-squared for the others.
        p_value: two-sided.
    """

    statistic: Floats
    p_value: Floats


def paired_difference(b: ArrayLike, c: ArrayLike, n: ArrayLike) -> Floats:
    r"""Return the difference of two pass rates on the same n tasks, $(b - c)/n$.

    Args:
        b: tasks that only the second solved, whole numbers from 0.
        c: tasks that only the first solved, whole numbers from 0.
        n: all tasks, whole numbers of at least b + c.

    Returns:
        Differences, float64, of the broadcast shape; NaN where n = 0.

    Raises:
        ValueError: for a negative or broken count, or b + c > n.

    >>> float(paired_difference(40, 30, 500))
    0.02
    """
    gained, lost, tasks = _pairs(b, c, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((gained - lost) / tasks)


def paired_se(b: ArrayLike, c: ArrayLike, n: ArrayLike, *, under_null: bool = False) -> Floats:
    r"""Return the standard error of `paired_difference`, $\sqrt{b + c - (b-c)^2/n}\,/\,n$.

    Only tasks on which the two disagree carry information. Under the hypothesis of no difference
    the second term is left out, which is what a test uses: $\sqrt{b + c}\,/\,n$.

    Args:
        b: tasks that only the second solved, whole numbers from 0.
        c: tasks that only the first solved, whole numbers from 0.
        n: all tasks, whole numbers of at least b + c.
        under_null: whether to leave the second term out.

    Returns:
        Standard errors, float64, of the broadcast shape; NaN where n = 0.

    Raises:
        ValueError: for a negative or broken count, or b + c > n.

    >>> round(float(paired_se(40, 30, 500)), 6)
    0.016709
    """
    gained, lost, tasks = _pairs(b, c, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = gained + lost - (0.0 if under_null else (gained - lost) ** 2 / tasks)
        return np.asarray(np.sqrt(spread) / tasks)


def mcnemar(
    b: ArrayLike, c: ArrayLike, method: Literal["exact", "corrected", "uncorrected"] = "exact"
) -> McNemar:
    r"""Test whether two discordant counts differ by more than chance.

    Given b + c discordant pairs and no difference, b is $\mathrm{Bin}(b + c, 1/2)$. `"exact"` sums
    that distribution's tails; `"uncorrected"` compares $(b-c)^2/(b+c)$ with chi-squared on one
    degree of freedom; `"corrected"` first moves $|b-c|$ by 1 towards 0.

    Args:
        b: pairs that went one way, whole numbers from 0.
        c: pairs that went the other way, whole numbers from 0.
        method: `"exact"`, `"corrected"` or `"uncorrected"`.

    Returns:
        Statistic and two-sided p-value, of the broadcast shape; p = 1 where b + c = 0.

    Raises:
        ValueError: for a negative or broken count, or another method.

    Reference:
        McNemar 1947; Edwards 1948 for the correction.

    >>> round(float(mcnemar(40, 30).p_value), 5)
    0.28198
    """
    if method not in ("exact", "corrected", "uncorrected"):
        raise ValueError(f"method must be exact, corrected or uncorrected; it was {method!r}")
    one, other = np.broadcast_arrays(checked.counts("b", b), checked.counts("c", c))
    total = (one + other).astype(np.float64)
    if method == "exact":
        fewer = np.minimum(one, other).astype(np.float64)
        return McNemar(fewer, np.minimum(2 * stats.binom.cdf(fewer, total, 0.5), 1.0))
    distance = np.abs(one - other).astype(np.float64)
    if method == "corrected":
        distance = np.maximum(distance - 1, 0.0)
    # No discordant pair is no evidence: the statistic is 0 there.
    statistic = distance**2 / np.maximum(total, 1.0)
    return McNemar(statistic, np.asarray(stats.chi2.sf(statistic, 1)))


def _pairs(b: ArrayLike, c: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats, Floats]:
    gained, lost, tasks = np.broadcast_arrays(
        checked.counts("b", b), checked.counts("c", c), checked.counts("n", n)
    )
    if (gained + lost > tasks).any():
        raise ValueError(f"b + c must be at most n; they were b = {b!r}, c = {c!r}, n = {n!r}")
    return gained.astype(np.float64), lost.astype(np.float64), tasks.astype(np.float64)
