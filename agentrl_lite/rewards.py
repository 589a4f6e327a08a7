"""Rewards that are not what they claim: verdicts that flip, and how many of the passes are real.

A patch is *solved* or not; a verifier says *rewarded* or not. The two rates at which they part are
`false_positive` (an unsolved patch is rewarded) and `false_negative` (a solved one is not). A test
that flips either way alike has both at f.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agentrl_lite import checked

Floats = NDArray[np.float64]


def flip_verdicts(
    solved: ArrayLike,
    *,
    false_positive: float,
    false_negative: float,
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Return what a flaky verifier says of each patch, every verdict flipped on its own.

    Valid where flips depend on nothing but whether the patch is right: not for a time limit that
    hits slow patches.

    Args:
        solved: whether each patch is right, any shape, booleans or 0 and 1.
        false_positive: chance that a wrong patch is rewarded, from 0 to 1.
        false_negative: chance that a right patch is not, from 0 to 1.
        rng: random generator; one number is drawn for each patch, whatever the rates.

    Returns:
        Verdicts, boolean, of the shape of `solved`.

    Raises:
        ValueError: for a rate outside [0, 1], or a patch that is neither right nor wrong.

    >>> rng = np.random.default_rng(0)
    >>> flip_verdicts([1, 1, 0, 0], false_positive=1.0, false_negative=0.0, rng=rng).tolist()
    [True, True, True, True]
    """
    given = np.asarray(solved)
    if given.dtype.kind not in "biuf" or not ((given == 0) | (given == 1)).all():
        raise ValueError("solved must hold booleans, or 0 and 1; it held something else")
    right = given.astype(bool)
    flips_wrong, flips_right = _rates(false_positive, false_negative)
    return np.asarray(right ^ (rng.random(right.shape) < np.where(right, flips_right, flips_wrong)))


def rewarded_rate(p: ArrayLike, *, false_positive: ArrayLike, false_negative: ArrayLike) -> Floats:
    r"""Return the pass rate that a flaky verifier shows, $p(1-f_-) + (1-p)f_+$.

    Args:
        p: true success probability, from 0 to 1; any shape.
        false_positive: $f_+$, chance that a wrong patch is rewarded; broadcasts against `p`.
        false_negative: $f_-$, chance that a right patch is not; broadcasts against `p`.

    Returns:
        Probabilities, float64, of the broadcast shape.

    Raises:
        ValueError: for an argument outside [0, 1].

    >>> round(float(rewarded_rate(0.02, false_positive=0.04, false_negative=0.04)), 4)
    0.0584
    """
    rate = checked.chances("p", p)
    flips_wrong, flips_right = _rates(false_positive, false_negative)
    return np.asarray(rate * (1.0 - flips_right) + (1.0 - rate) * flips_wrong)


def genuine_share(p: ArrayLike, *, false_positive: ArrayLike, false_negative: ArrayLike) -> Floats:
    r"""Return the share of rewarded episodes that are solved, by Bayes' rule.

    $p(1-f_-) \,/\, \bigl(p(1-f_-) + (1-p)f_+\bigr)$, for verdicts that flip on their own. With
    $f_- = f_+ = f$ it is one half at $p = f$. Elsewhere called the precision of the verifier, or
    the positive predictive value.

    Args:
        p: true success probability, from 0 to 1; any shape.
        false_positive: $f_+$, chance that a wrong patch is rewarded; broadcasts against `p`.
        false_negative: $f_-$, chance that a right patch is not; broadcasts against `p`.

    Returns:
        Shares, float64, of the broadcast shape; NaN where nothing is ever rewarded.

    Raises:
        ValueError: for an argument outside [0, 1].

    >>> genuine_share([0.0, 0.04, 1.0], false_positive=0.04, false_negative=0.04).tolist()
    [0.0, 0.5, 1.0]
    """
    rewarded = rewarded_rate(p, false_positive=false_positive, false_negative=false_negative)
    solved = checked.chances("p", p) * (1.0 - checked.chances("false_negative", false_negative))
    nothing = rewarded == 0.0
    return np.asarray(np.where(nothing, np.nan, solved / np.where(nothing, 1.0, rewarded)))


def _rates(false_positive: ArrayLike, false_negative: ArrayLike) -> tuple[Floats, Floats]:
    return checked.chances("false_positive", false_positive), checked.chances(
        "false_negative", false_negative
    )
