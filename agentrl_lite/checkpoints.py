"""What the weights of a run can do: so many attempts at each task."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agentrl_lite import checked
from agentrl_lite.rollout import rollout
from agentrl_lite.rules import Rules, Table
from agentrl_lite.trainer import policy_for

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def pass_counts(
    weights: Floats, table: Table, attempts: int, rules: Rules, *, rng: np.random.Generator
) -> Ints:
    """Try every task so often, and count the attempts that truly pass the hidden tests.

    What a flaky run says of them does not matter. A truncated attempt fails unless the rules score
    the file as it stands; one in a broken checkout fails.

    Args:
        weights: of the policy, `state.newest` for the last of a run.
        table: outcomes of the tasks' tests; K tasks.
        attempts: n, a whole number from 1.
        rules: of an attempt; those that the policy was trained under, or others.
        rng: random generator.

    Returns:
        The successes c of each task, shape (K,), from 0 to n, for `evaluation.pass_at_k`.

    Raises:
        ValueError: for `attempts` below 1, or what `rollout` refuses.
    """
    checked.whole("attempts", attempts, 1)
    K = len(table.kinds)
    tasks = np.repeat(np.arange(K), attempts)
    played = rollout(policy_for(table, rules), weights, table, tasks, tasks, rules=rules, rng=rng)
    scored = ~played.batch.truncated_B | (rules.truncation == "score")
    return np.asarray((played.hidden_B & scored).reshape(K, attempts).sum(axis=1), dtype=np.int64)
