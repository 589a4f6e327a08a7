"""What a step of the tiny policy did to its entropy, and two ways to have known it beforehand.

The places stay the same: entropies before and after are both means over the words that the step's
own episodes said. That a changed policy also visits other places is left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.advantages import group_advantages
from agentrl_lite.policy import LossTerms, Policy, Targets
from agentrl_lite.rollout import Rollout
from agentrl_lite.rules import Table
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import State, policy_for, steps

Floats = NDArray[np.float64]


class Forecast(NamedTuple):
    """Changes of the mean entropy, one for each step, shape (steps,).

    Attributes:
        actual: in nats.
        first_order: gradient of the mean entropy times the change of the weights, in nats.
        covariance: minus the covariance over tokens of log-probability and advantage, the rule of
            thumb; in units of advantage times nats, and so without a scale.
    """

    actual: Floats
    first_order: Floats
    covariance: Floats


def entropy_forecast(config: Config, table: Table, state: State | None = None) -> Forecast:
    """Train, and return what each step did to the entropy beside what was forecast.

    Args:
        config: the run; its steps are those that are forecast.
        table: outcomes of the tasks' tests.
        state: where to go on; `None` starts from the base policy.
    """
    policy, rows = policy_for(table, config.rules), []
    before = None if state is None else state.newest
    for done in steps(config, table, state):
        start = done.state.start if before is None else before
        rewards_P_G = done.played.batch.rewards_B.reshape(config.prompts, config.group)
        advantages = group_advantages(rewards_P_G, ddof=config.ddof, epsilon=config.epsilon)
        rows.append(step_forecast(policy, start, done.state.newest, done.played, advantages))
        before = done.state.newest
    return Forecast(*np.array(rows, dtype=np.float64).reshape(-1, 3).T)


def step_forecast(
    policy: Policy, before: Floats, after: Floats, played: Rollout, advantages: Floats
) -> tuple[float, float, float]:
    """Return one step's change of entropy, its first-order product, and the covariance rule.

    Args:
        policy: its form.
        before: weights that sampled the episodes.
        after: weights after the step.
        played: the episodes, with at least one word of the policy.
        advantages: of each episode, in their order.
    """
    own = played.batch.mask_B_T
    scored = policy.score(before, played.codes_B_T[own])
    words = played.batch.ids[:, 1:][own]
    logprobs, nothing = scored.of(words), np.zeros(words.size)
    # An entropy bonus alone: with advantages of 0 the surrogate adds nothing.
    targets = Targets(
        codes=scored.codes,
        which=scored.which,
        tokens=words,
        weights=np.full(words.size, 1 / words.size),
        advantages=nothing,
        old_logprobs=logprobs,
        importance=nothing,
        ref_logprobs=logprobs,
    )
    bonus = policy.loss_gradient(before, targets, LossTerms(entropy_coef=1.0))
    later = policy.score_distinct(after, scored.codes, scored.which)
    A = np.repeat(advantages.ravel(), own.sum(axis=1))
    return (
        float(later.entropy.mean() - scored.entropy.mean()),
        -float((bonus.gradient * (after - before)).sum()),
        -float(((logprobs - logprobs.mean()) * (A - A.mean())).mean()),
    )


def step_ratios(policy: Policy, before: Floats, after: Floats, played: Rollout) -> Floats:
    """Return the ratio of each word's probability after a step to that before, shape (words,).

    Args:
        policy: its form.
        before: weights that sampled the episodes.
        after: weights after the step.
        played: the episodes.
    """
    own = played.batch.mask_B_T
    scored, words = policy.score(before, played.codes_B_T[own]), played.batch.ids[:, 1:][own]
    later = policy.score_distinct(after, scored.codes, scored.which)
    return np.asarray(np.exp(later.of(words) - scored.of(words)))
