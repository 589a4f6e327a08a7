"""pass@k: the unbiased estimator, the plug-in, and what the first one's spread is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from agentrl_lite import checked
from agentrl_lite.checked import Counts, Floats

_BLOCK = 16_384


def pass_at_k(n: ArrayLike, c: ArrayLike, k: ArrayLike) -> Floats:
    r"""Estimate the chance that at least one of k tries passes, from c passes among n samples.

    $1 - \binom{n-c}{k} / \binom{n}{k}$: the share of k-subsets of the samples that hold a pass.
    Unbiased for $1 - (1-p)^k$ where $k \le n$. Computed draw by draw over min(c, k) draws, as the
    chance that a pass has come so far, $s + (1-s)\, t$: positive terms only, so that small values
    keep their digits. Differences of lgamma lose four digits by n = 1,000.

    Args:
        n: samples drawn, whole numbers from 0.
        c: samples that passed, whole numbers from 0 to n.
        k: tries, whole numbers from 0.

    Returns:
        Estimates, float64, of the broadcast shape; NaN where k > n or n = 0, exactly 1 where
        fewer than k samples failed.

    Raises:
        ValueError: for a negative or broken count, or c > n.

    Reference:
        Chen et al. 2021, arXiv 2107.03374, section 2.1.

    >>> pass_at_k(10, 3, [1, 5]).round(3).tolist()
    [0.3, 0.917]
    """
    n_, c_, k_ = np.broadcast_arrays(*checked.samples(n, c), checked.counts("k", k))
    shape = n_.shape
    samples, passes, tries = n_.ravel(), c_.ravel(), k_.ravel()
    undefined = (tries > samples) | (samples == 0)
    certain = ~undefined & (tries > samples - passes)
    # The formula is symmetric in c and k: the product may run over the smaller of the two.
    terms = np.where(undefined | certain, 0, np.minimum(passes, tries))
    # Rows stand by number of terms, so that those still drawn from are always the first ones.
    # Small integers are sorted by their digits, several times faster.
    kind = np.int16 if terms.max(initial=0) < 2**15 else np.int64
    rows = np.flatnonzero(terms)
    order = rows[np.argsort(np.negative(terms[rows], dtype=kind, casting="unsafe"), kind="stable")]
    result = np.zeros(terms.size)
    # In blocks that stay in the processor's cache.
    for start in range(0, order.size, _BLOCK):
        block = order[start : start + _BLOCK]
        other = np.maximum(passes[block], tries[block]).astype(np.float64)
        result[block] = _drawn(terms[block], samples[block].astype(np.float64), other)
    result[certain], result[undefined] = 1.0, np.nan
    return result.reshape(shape)


def _drawn(terms: Counts, left: Floats, other: Floats) -> Floats:
    """Return the chance of a pass after so many draws; rows stand by terms, most terms first.

    `left`, the samples to draw from, is used up.
    """
    chance, step = np.zeros(terms.size), np.empty(terms.size)
    active = np.searchsorted(-terms, -np.arange(terms.max(initial=0)), side="left")
    for rows in active.tolist():
        seen, now = chance[:rows], step[:rows]
        np.divide(other[:rows], left[:rows], out=now)
        now *= 1.0 - seen
        seen += now
        left[:rows] -= 1
    return chance


def pass_at_k_plugin(n: ArrayLike, c: ArrayLike, k: ArrayLike) -> Floats:
    r"""Return the plug-in $1 - (1 - c/n)^k$, which is biased downwards for k > 1.

    It is the expectation of `best@N` by bootstrap with replacement. Defined for k > n too, which
    hides that such a k was never observed.

    Args:
        n: samples drawn, whole numbers from 0.
        c: samples that passed, whole numbers from 0 to n.
        k: tries, whole numbers from 0.

    Returns:
        Estimates, float64, of the broadcast shape; NaN where n = 0.

    Raises:
        ValueError: for a negative or broken count, or c > n.

    >>> round(float(pass_at_k_plugin(10, 3, 5)), 3)
    0.832
    """
    (samples, passes), tries = checked.samples(n, c), checked.counts("k", k)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_fail = np.log1p(-(passes / samples.astype(np.float64)))
        value = -np.expm1(np.where(tries == 0, 0.0, tries * log_fail)) + 0.0
    return np.asarray(np.where(samples == 0, np.nan, value))


def pass_at_k_moments(p: ArrayLike, n: int, k: int) -> tuple[Floats, Floats]:
    r"""Return mean and variance of `pass_at_k` when each of n samples passes with probability p.

    Exact, by summing over the binomial distribution of c.

    Args:
        p: success probabilities, from 0 to 1; any shape.
        n: samples drawn, a whole number from 1.
        k: tries, a whole number from 0 to n.

    Returns:
        Mean and variance, float64, each of the shape of `p`.

    Raises:
        ValueError: for p outside [0, 1], n < 1 or k outside [0, n].

    >>> mean, variance = pass_at_k_moments(0.3, 10, 5)
    >>> round(float(mean), 4), round(1 - 0.7**5, 4)
    (0.8319, 0.8319)
    """
    rates = checked.chances("p", p)
    if checked.counts("n", n, 1).ndim:
        raise ValueError(f"n must be one whole number; it was {n!r}")
    if checked.counts("k", k).ndim or k > n:
        raise ValueError(f"k must be a whole number from 0 to n = {n}; it was {k!r}")
    # scipy's mass overflows at the very least of numbers; no variance there is above 0 either.
    rates = np.where(rates < 1e-300, 0.0, rates)
    passes = np.arange(n + 1)
    mass = stats.binom.pmf(passes, n, rates[..., np.newaxis])
    values = pass_at_k(n, passes, k)
    mean = mass @ values
    return mean, (mass * (values - mean[..., np.newaxis]) ** 2).sum(axis=-1)
