"""What the weights of a run can do."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from agentrl_lite.base_policy import base_weights
from agentrl_lite.checkpoints import pass_counts
from agentrl_lite.evaluation import pass_at_k
from agentrl_lite.rules import Rules
from agentrl_lite.trainer import policy_for
from tests.tiny_episodes import BASE, POLICY, TABLE, WHOLE, V

K = len(TABLE.kinds)
# It says `edit2`, ends, submits, ends: right for the tasks whose repair is edit 2.
SECOND = np.zeros_like(BASE)
AFTER = SECOND[POLICY.blocks["last"]]
AFTER[V.id["issue0"] :, V.id["edit2"]] = 200.0
AFTER[[V.id["edit2"], V.id["submit"]], V.id["end"]] = 200.0
AFTER[V.id["patched"], V.id["submit"]] = 200.0


def counts(W=SECOND, attempts=7, rules=WHOLE, seed=0):
    return pass_counts(W, TABLE, attempts, rules, rng=np.random.default_rng(seed))


def test_a_policy_without_chance_passes_always_or_never():
    assert counts().tolist() == (7 * (TABLE.right == 2)).tolist()
    assert counts().dtype == np.int64
    assert pass_at_k(7, counts(), 3).tolist() == (1.0 * (TABLE.right == 2)).tolist()


@pytest.mark.parametrize(
    ("rules", "share"),
    [
        (Rules(broken=(1.0,)), 0),
        (Rules(broken=(0.0,), flaky=0.9), 1),
        (Rules(broken=(0.0,), reward="public"), 1),
        (Rules(broken=(0.0,), max_turns=1), 0),
        (Rules(broken=(0.0,), max_turns=1, truncation="score"), 1),
        (Rules(broken=(0.0,), max_tokens=4), 0),
        (Rules(broken=(0.0,), penalty=0.5), 1),
    ],
    ids=str,
)
def test_what_counts_is_the_truth_under_the_rules(rules, share):
    """A flaky run, the public tests or a price change nothing; a cap does, unless files count."""
    assert counts(rules=rules).tolist() == (7 * share * (TABLE.right == 2)).tolist()


def test_counts_are_drawn_anew_for_each_task_and_the_same_for_a_seed():
    first = counts(BASE, attempts=200)
    assert (first == counts(BASE, attempts=200)).all()
    assert (first != counts(BASE, attempts=200, seed=1)).any()
    assert len(set(first.tolist())) > 3
    assert first.max() < 200
    assert first.sum() > 0


def test_a_vocabulary_with_a_history_is_that_of_the_rules():
    rules = Rules(history="leak")
    W = base_weights(policy_for(TABLE, rules))
    assert counts(W, attempts=20, rules=rules).shape == (K,)
    with pytest.raises(ValueError, match="W must be finite and of shape"):
        counts(W)


@pytest.mark.parametrize("attempts", [0, -1, 1.0, True])
def test_no_attempt_is_refused(attempts):
    with pytest.raises(ValueError, match="attempts must be a whole number from 1"):
        counts(attempts=attempts)


def test_nothing_is_changed():
    W, before = SECOND.copy(), dataclasses.asdict(TABLE)
    counts(W)
    assert (W == SECOND).all()
    assert all((value == before[name]).all() for name, value in dataclasses.asdict(TABLE).items())
