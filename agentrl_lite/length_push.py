r"""What a loss's weights teach an answer about its length, once its reward is settled.

A chain that is small enough to enumerate: `said` words stand, and nothing that follows changes the
reward any more. One word more is said with probability $h$, again and again, up to `cap` words in
all. A word of an answer of L words has the weight $w(L)$ in the loss. With an advantage A, the push
on the logit $\theta$ of going on is then

$$\mathbb{E}\Bigl[A\,w(L)\,\tfrac{d}{d\theta}\log P(L)\Bigr] = A\,\tfrac{d}{d\theta}\,
\mathbb{E}[w(L)]:$$

training climbs $A\,\mathbb{E}[w(L)]$, whatever the reward was meant for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agentrl_lite import checked
from agentrl_lite.losses import AGGREGATIONS, Aggregation

Floats = NDArray[np.float64]


class Grown(NamedTuple):
    """Mean lengths over a number of steps, the start included; in words.

    Attributes:
        failures: of the answers that will not be rewarded, shape (steps + 1,).
        successes: of those that will.
    """

    failures: Floats
    successes: Floats


def length_chances(go_on: float, *, said: int, cap: int) -> Floats:
    """Return the chance of each length from `said` to `cap`, shape (cap - said + 1,).

    Args:
        go_on: chance of one word more, h, from 0 to 1.
        said: words that stand, from 1.
        cap: most words, from `said`.

    Raises:
        ValueError: for an argument out of range.

    >>> length_chances(0.5, said=8, cap=10).tolist()
    [0.5, 0.25, 0.25]
    """
    _check(go_on, said, cap)
    chances = go_on ** np.arange(cap - said + 1, dtype=np.float64)
    chances[:-1] *= 1.0 - go_on
    return np.asarray(chances)


def go_on_push(go_on: float, weights_L: ArrayLike, *, said: int, cap: int) -> float:
    r"""Return the push on the logit of going on at an advantage of 1, $d\,E[w(L)]/d\theta$.

    Another advantage is a factor. It is 0 for equal weights, since a mean score is 0, and below 0
    for weights that fall with the length: there a success is shortened and a failure drawn out.

    Args:
        go_on: chance of one word more, h, from 0 to 1.
        weights_L: $w(L)$, the weight of each word of an answer of each length, shape
            (cap - said + 1,), or one number for all.
        said: words that stand, from 1.
        cap: most words, from `said`.

    Raises:
        ValueError: for an argument out of range.

    Reference:
        Liu et al. 2025 (Dr. GRPO), arXiv 2503.20783.

    >>> round(go_on_push(0.5, [1 / 8, 1 / 9], said=8, cap=9), 6)  # -h (1-h) / (8 * 9)
    -0.003472
    """
    chances = length_chances(go_on, said=said, cap=cap)
    more = np.arange(cap - said + 1)
    # One word more scores 1 - h, stopping scores -h; at the cap nobody decides to stop.
    scores = more * (1.0 - go_on) - go_on * (more < cap - said)
    weights = np.broadcast_to(np.asarray(weights_L, dtype=np.float64), more.shape)
    return float((chances * scores * weights).sum())


def grow(
    mode: Aggregation,
    *,
    solved: float,
    seen: bool,
    divide: bool = True,
    said: int = 8,
    cap: int = 64,
    go_on: float = 0.5,
    rate: float = 12.0,
    steps: int = 60,
    episodes: int = 128,
) -> Grown:
    r"""Return how long answers become under gradient ascent on the expected objective.

    There is no noise: each step goes along the exact expectation. Advantages are $1 - q$ and $-q$
    for a solved share q, divided by $\sqrt{q(1-q)}$ if `divide`; every word's weight is that of
    `mode` times the number of episodes, and a constant normaliser divides by the mean length at the
    start.

    Args:
        mode: one of `AGGREGATIONS`.
        solved: q, strictly between 0 and 1.
        seen: whether the policy knows which answers are solved, and so has a logit for each kind;
            else one logit serves both.
        divide: by the standard deviation of the reward.
        said: words that stand, from 1.
        cap: most words, from `said`.
        go_on: chance of one word more at the start, strictly between 0 and 1.
        rate: size of a step.
        steps: number of steps, from 0.
        episodes: B, from 1; under `token-mean` the others weigh in.

    Raises:
        ValueError: for an argument out of range.
    """
    _check(go_on, said, cap)
    for name, value in (("solved", solved), ("go_on", go_on)):
        checked.chance(name, value, strictly=True)
    checked.whole("steps", steps)
    checked.whole("episodes", episodes, 1)
    checked.option("mode", mode, AGGREGATIONS)
    lengths, share = np.arange(said, cap + 1, dtype=np.float64), np.array([1 - solved, solved])
    advantages = np.array([-solved, 1 - solved])
    if divide:
        advantages /= np.sqrt(solved * (1 - solved))
    logits = np.full(2, np.log(go_on / (1 - go_on)))
    typical, means = 0.0, np.empty((steps + 1, 2))
    for step in range(steps + 1):
        h = 1.0 / (1.0 + np.exp(-logits))
        means[step] = [lengths @ length_chances(float(x), said=said, cap=cap) for x in h]
        batch = float(share @ means[step])
        typical = typical or batch
        weights = _weights(mode, lengths, batch, typical, episodes)
        slope = np.array([go_on_push(float(x), weights, said=said, cap=cap) for x in h])
        push = share * advantages * slope
        logits = logits + rate * (push if seen else push.sum())
    return Grown(means[:, 0], means[:, 1])


def _weights(
    mode: Aggregation, lengths: Floats, batch: float, typical: float, episodes: int
) -> Floats | float:
    """Return the weight of a word, times the number of episodes, for each length of its answer."""
    if mode == "seq-mean-token-mean":
        return 1.0 / lengths
    if mode == "token-mean":
        return episodes / (lengths + (episodes - 1) * batch)
    return 1.0 if mode == "seq-mean-token-sum" else 1.0 / typical


def _check(go_on: float, said: int, cap: int) -> None:
    checked.chance("go_on", go_on)
    checked.whole("said", said, 1)
    checked.whole("cap", cap, said)
