r"""Supervised fine-tuning on an expert's traces.

The expert reads, chooses an edit, tests and submits: four turns of two words each, without a word
of thought. It knows the right edit, which no policy of this package can see, and takes it, but for
a chance of error with which it takes another of the menu, each as often.

The loss is the mean negative log-likelihood of the words that the expert said; what tools said is
read, not learnt.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite import checked
from agentrl_lite.policy import LossGradient, LossTerms, Policy, Targets
from agentrl_lite.protocol import Vocabulary
from agentrl_lite.rollout import Rollout, rollout
from agentrl_lite.rules import Rules, Table
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import policy_for, start, update
from agentrl_lite.trajectory import Batch

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
# In nats: what is not in the script has a chance of exp(-200) a word.
CERTAIN = 200.0


class Tuned(NamedTuple):
    """What came of fine-tuning.

    Attributes:
        weights: the last ones; `trainer.start(weights)` begins a run with them.
        nll: mean negative log-likelihood of each step's words before its update, in nats a word,
            shape (steps,).
    """

    weights: Floats
    nll: Floats


def expert_traces(
    table: Table, tasks_B: Ints, *, rules: Rules, error: float = 0.1, rng: np.random.Generator
) -> Rollout:
    """Let the expert try tasks.

    Args:
        table: outcomes of the tasks' tests; `right` names the edits.
        tasks_B: task of each trace, shape (B,), B from 1.
        rules: of an episode; a cap may cut a trace off.
        error: chance of another edit, from 0 to 1; on a menu of one edit there is no other.
        rng: random generator.

    Returns:
        The episodes, in the order of `tasks_B` and each a group of its own. Their behaviour
        log-probabilities are the expert's.

    Raises:
        ValueError: for a chance out of range, or what `rollout` refuses.
    """
    checked.chance("error", error)
    policy, tasks_B = policy_for(table, rules), np.asarray(tasks_B)
    v, B, K = policy.vocabulary, len(tasks_B), len(table.kinds)
    if not B or tasks_B.min() < 0 or tasks_B.max() >= K:
        raise ValueError(f"tasks_B must hold indices of the {K} tasks; it was {tasks_B!r}")
    wrong = (rng.random(B) < error) & (v.edits > 1)
    # One of the others: so many places on, around the menu.
    on = rng.integers(1, max(v.edits, 2), size=B) * wrong
    edits = 1 + (table.right[tasks_B] - 1 + on) % v.edits
    parts = []
    for edit in np.unique(edits):
        who = np.flatnonzero(edits == edit)
        W = _script(policy, int(edit))
        parts.append(rollout(policy, W, table, tasks_B[who], who, rules=rules, rng=rng))
    traces = _together(parts)
    share = error if v.edits > 1 else 0.0
    chance = np.where(wrong, share / max(v.edits - 1, 1), 1 - share)
    said = traces.batch.ids[:, 1:]
    names = said - v.id["edit1"]
    chose = traces.batch.mask_B_T & (names >= 0) & (names < v.edits)
    logprobs = np.where(chose, np.log(chance)[:, np.newaxis], 0.0)
    return traces._replace(batch=traces.batch._replace(behavior_logprobs_B_T=logprobs))


def choose(traces: Rollout, rows: Ints) -> Rollout:
    """Return some of the traces, such as `traces.solved_B.nonzero()[0]`, those that succeeded.

    Args:
        traces: the episodes.
        rows: their indices.
    """
    batch = Batch._make(x[rows] for x in traces.batch)
    return Rollout._make((batch, *(x[rows] for x in traces[1:])))


def nll_gradient(policy: Policy, W: Floats, traces: Rollout) -> LossGradient:
    """Return the mean negative log-likelihood of the expert's words, and its gradient.

    Args:
        policy: its form.
        W: its weights.
        traces: the episodes.
    """
    own = traces.batch.mask_B_T
    tokens = traces.batch.ids[:, 1:][own]
    if not tokens.size:
        return LossGradient(0.0, np.zeros(policy.shape), 0)
    scored = policy.score(W, traces.codes_B_T[own])
    logprobs, ones = scored.of(tokens), np.ones(tokens.size)
    # At a ratio of 1 and an advantage of 1 the surrogate pushes as the log-likelihood does.
    targets = Targets(
        codes=scored.codes,
        which=scored.which,
        tokens=tokens,
        weights=ones / tokens.size,
        advantages=ones,
        old_logprobs=logprobs,
        importance=ones,
        ref_logprobs=logprobs,
    )
    pushed = policy.loss_gradient(W, targets, LossTerms(), scored)
    return LossGradient(-float(logprobs.mean()), pushed.gradient, 0)


def fine_tune(
    policy: Policy,
    W: Floats,
    traces: Rollout,
    *,
    rng: np.random.Generator,
    steps: int = 100,
    batch: int = 64,
    learning_rate: float = 0.05,
) -> Tuned:
    """Make the expert's words more likely, by Adam on batches that go through the traces in turn.

    Args:
        policy: its form; the vocabulary must be that of the traces.
        W: weights to start from.
        traces: the episodes.
        rng: shuffles them, anew for each pass.
        steps: updates, from 0.
        batch: traces an update, from 1; all of them where there are fewer.
        learning_rate: at least 0.

    Raises:
        ValueError: for no trace, or an option out of range.
    """
    checked.whole("steps", steps)
    checked.whole("batch", batch, 1)
    B = len(traces.tasks_B)
    if not B:
        raise ValueError("traces must hold at least one episode; there was none")
    if W.shape != policy.shape or traces.batch.ids.max() >= len(policy.vocabulary):
        raise ValueError(f"W and traces must fit a policy of shape {policy.shape}; they did not")
    config = Config(optimiser="adam", learning_rate=learning_rate)
    state, losses, waiting = start(W), [], np.zeros(0, dtype=np.int64)
    for _ in range(steps):
        if waiting.size < min(batch, B):
            waiting = np.concatenate([waiting, rng.permutation(B)])
        rows, waiting = waiting[:batch], waiting[batch:]
        result = nll_gradient(policy, state.newest, choose(traces, rows))
        losses.append(result.loss)
        state = update(config, state, result.gradient)
    return Tuned(state.newest, np.array(losses, dtype=np.float64))


def _script(policy: Policy, edit: int) -> Floats:
    """Return weights under which the last word decides what comes next."""
    v, W = policy.vocabulary, np.zeros(policy.shape)
    last = W[policy.blocks["last"]]
    for before, word in _follows(v, edit).items():
        last[v.id[before], v.id[word]] = CERTAIN
    return W


def _follows(v: Vocabulary, edit: int) -> dict[str, str]:
    """Return what the expert says after each word that can come before a word of its own."""
    follows = {f"issue{kind}": "read" for kind in range(v.kinds)}
    follows |= {f"clue{c}": f"edit{edit}" for c in range(v.edits + 1)}
    follows |= {"patched": "test", "[100%]": "submit"}
    return follows | dict.fromkeys(("read", f"edit{edit}", "test", "submit"), "end")


def _together(parts: list[Rollout]) -> Rollout:
    """Put episodes that were played apart into one, in the order of their groups.

    Their scripts differ in one word, so that all have the same length.
    """
    order = np.argsort(np.concatenate([part.batch.groups_B for part in parts]))
    batches = zip(*(part.batch for part in parts), strict=True)
    rest = zip(*(part[1:] for part in parts), strict=True)
    batch = Batch._make(np.concatenate(x)[order] for x in batches)
    return Rollout._make((batch, *(np.concatenate(x)[order] for x in rest)))
