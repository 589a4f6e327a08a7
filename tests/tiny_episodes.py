"""Episodes on made-up tasks, of the base policy or of one that says what it is told."""

import dataclasses

import numpy as np

from agentrl_lite.base_policy import base_weights
from agentrl_lite.losses import Clip
from agentrl_lite.rollout import rollout
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import policy_for
from tests.made_up_tasks import made_up

TABLE = made_up()
POLICY = policy_for(TABLE)
V = POLICY.vocabulary
BASE = base_weights(POLICY)
WHOLE = Rules(broken=(0.0,))
SHORT = Config(steps=4, prompts=8, group=4)
# Every part of the trainer at once.
BUSY = dataclasses.replace(
    SHORT,
    clip=Clip(0.2, 0.28, 3.0),
    epochs=2,
    minibatches=2,
    microbatches=3,
    kl_coef=0.05,
    entropy_coef=0.01,
    staleness=2,
    importance_cap=2.0,
    drop_truncated=True,
    max_gradient_norm=1.0,
)


def played(rules=WHOLE, W=None, B=64, seed=0, tasks=None):
    policy = policy_for(TABLE, rules)
    W = base_weights(policy) if W is None else W
    rng = np.random.default_rng(seed)
    tasks = rng.integers(len(TABLE.kinds), size=B) if tasks is None else np.asarray(tasks)
    groups = np.arange(len(tasks)) // 8
    return rollout(policy, W, TABLE, tasks, groups, rules=rules, rng=rng)


def scripted(words, rules=WHOLE, task=0, B=1, seed=0):
    """Episodes of a policy that says these words whatever it perceives, one after the other.

    What it says next depends on the last word that anybody wrote, where that is a word of the
    script, and else on the words of tools.
    """
    policy = policy_for(TABLE, rules)
    v = policy.vocabulary
    W = np.zeros(policy.shape)
    last = policy.blocks["last"].start
    at = v.id["issue0"] + TABLE.kinds[task]
    for word in words:
        if not v.is_tool_word[v.id[word]]:
            W[last + at, v.id[word]] = 200.0
        at = v.id[word]
    return played(rules, W, seed=seed, tasks=[task] * B)


def text(result, i=0, rules=WHOLE):
    v = policy_for(TABLE, rules).vocabulary
    return v.text(result.batch.ids[i], result.batch.producer[i])
