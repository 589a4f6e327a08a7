"""How sure a rate or a mean over tasks is, and how many tasks would make it surer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from agentrl_lite import checked
from agentrl_lite.checked import Floats


class Interval(NamedTuple):
    """The ends of an interval, in the unit of what it is for."""

    low: Floats
    high: Floats


def rate_se(rate: ArrayLike, n: ArrayLike) -> Floats:
    r"""Return the standard error of a pass rate over n independent tasks, $\sqrt{p(1-p)/n}$.

    Args:
        rate: pass rates, from 0 to 1.
        n: tasks, whole numbers from 0.

    Returns:
        Standard errors, float64, of the broadcast shape; NaN where n = 0.

    Raises:
        ValueError: for an argument out of range.

    >>> round(float(rate_se(0.42, 500)), 3)
    0.022
    """
    rates, tasks = checked.chances("rate", rate), checked.counts("n", n)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(rates * (1 - rates) / tasks.astype(np.float64))
    return np.asarray(np.where(tasks == 0, np.nan, error))


def wilson_interval(successes: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval for a rate, which stays within [0, 1] and works for few tasks.

    Args:
        successes: whole numbers from 0 to n.
        n: trials, whole numbers from 0.
        confidence: strictly between 0 and 1.

    Returns:
        The ends, float64, of the broadcast shape; 0 and 1 where n = 0, since nothing is known.

    Raises:
        ValueError: for an argument out of range.

    Reference:
        Wilson 1927.

    >>> [round(float(end), 3) for end in wilson_interval(20, 50)]
    [0.276, 0.538]
    """
    trials, passes = checked.samples(n, successes, "successes")
    z2 = _z(checked.chance("confidence", confidence, strictly=True)) ** 2
    total = trials + z2
    middle = (passes + z2 / 2) / total
    failures = (trials - passes).astype(np.float64)
    # Where nothing (or all) passed the exact end is 0 (or 1): rounding must not move it.
    spent = passes * failures / np.maximum(trials, 1)
    half = np.sqrt(z2) / total * np.sqrt(spent + z2 / 4)
    low = np.where(passes == 0, 0.0, middle - half)
    high = np.where(failures == 0, 1.0, middle + half)
    return Interval(low, high)


def bootstrap_interval(
    values: ArrayLike,
    *,
    confidence: float = 0.95,
    resamples: int = 10_000,
    rng: np.random.Generator,
) -> Interval:
    """Return the percentile bootstrap's interval for a mean over tasks.

    Resample *tasks*, the units that were drawn from a wider set, and not the samples within them.
    For a paired comparison give the per-task differences.

    Args:
        values: one number per task, shape (N,), N from 1.
        confidence: strictly between 0 and 1.
        resamples: how often to resample, from 1.
        rng: random generator.

    Returns:
        The ends, float64 scalars, in the unit of `values`.

    Raises:
        ValueError: for no task, a value that is not finite, or an argument out of range.

    Reference:
        Efron 1979.
    """
    tasks = np.asarray(values, dtype=np.float64)
    if tasks.ndim != 1 or not tasks.size or not np.isfinite(tasks).all():
        raise ValueError(
            f"values must be finite, one for each task and at least one; shape {tasks.shape}"
        )
    checked.whole("resamples", resamples, 1)
    tail = (1 - checked.chance("confidence", confidence, strictly=True)) / 2
    means = np.empty(resamples)
    # In blocks: a million indices at a time are 8 MB.
    block = max(1, 1_000_000 // tasks.size)
    for start in range(0, resamples, block):
        drawn = rng.integers(tasks.size, size=(min(block, resamples - start), tasks.size))
        means[start : start + block] = tasks[drawn].mean(axis=1)
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(np.asarray(low), np.asarray(high))


def power(difference: ArrayLike, se: ArrayLike, alpha: float = 0.05) -> Floats:
    r"""Return the chance that a two-sided test finds a true difference, by the normal law.

    $\Phi(|d|/s - z_{1-\alpha/2}) + \Phi(-|d|/s - z_{1-\alpha/2})$.

    Args:
        difference: true difference, any unit.
        se: standard error of its estimate, above 0, in the same unit.
        alpha: level of the test, strictly between 0 and 1.

    Returns:
        Power, float64, of the broadcast shape; `alpha` where there is no difference.

    Raises:
        ValueError: for an argument out of range.

    >>> round(float(power(0.02, 0.0167)), 2)
    0.22
    """
    errors = np.asarray(se, dtype=np.float64)
    if not (errors > 0).all():
        raise ValueError(f"se must be above 0; it was {se!r}")
    shift = np.abs(np.asarray(difference, dtype=np.float64)) / errors
    z = _z(1 - checked.chance("alpha", alpha, strictly=True))
    return np.asarray(stats.norm.sf(z - shift) + stats.norm.cdf(-z - shift))


def units_needed(
    difference: ArrayLike, sd: ArrayLike, *, alpha: float = 0.05, target: float = 0.8
) -> Floats:
    r"""Return how many tasks (or seeds) make a difference detectable.

    $n = \left((z_{1-\alpha/2} + z_{power})\, \sigma / d\right)^2$, not rounded up.

    Args:
        difference: true difference, not 0.
        sd: standard deviation of one unit's difference, at least 0, in the same unit.
        alpha: level of the two-sided test, strictly between 0 and 1.
        target: power wanted, strictly between 0 and 1.

    Returns:
        Units, float64, of the broadcast shape.

    Raises:
        ValueError: for an argument out of range.

    Reference:
        Miller 2024, arXiv 2411.00640, section 5: 969 questions for 3 points at a variance of 1/9.

    >>> round(float(units_needed(0.03, 1 / 3)))
    969
    """
    shift, spread = np.asarray(difference, dtype=np.float64), np.asarray(sd, dtype=np.float64)
    if not (shift != 0).all():
        raise ValueError(f"difference must not be 0; it was {difference!r}")
    if not (spread >= 0).all():
        raise ValueError(f"sd must be at least 0; it was {sd!r}")
    z = _z(1 - checked.chance("alpha", alpha, strictly=True)) + stats.norm.ppf(
        checked.chance("target", target, strictly=True)
    )
    return np.asarray((z * spread / shift) ** 2)


def _z(level: float) -> float:
    """Return the two-sided normal quantile: 1.96 for 0.95."""
    return float(stats.norm.ppf(0.5 + level / 2))
