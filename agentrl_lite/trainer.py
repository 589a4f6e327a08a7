r"""GRPO with a tiny policy: one loop, of which every part can be changed by an option.

What it leaves out of a real trainer: an inference engine of its own, whose log-probabilities
differ; more than one process; text and its tokenisation; a value network; a learning-rate schedule,
weight decay and mixed precision; sandboxes that time out, rewards that come late; sequence packing.
Microbatches, and ranks, are added up one by one, with counts over the whole optimiser step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.advantages import group_advantages
from agentrl_lite.base_policy import base_weights
from agentrl_lite.dashboard import Dashboard, History, measure
from agentrl_lite.kl import k3
from agentrl_lite.losses import Normaliser, count, token_weights, trajectory_weights
from agentrl_lite.offpolicy import truncated_weights
from agentrl_lite.policy import (
    LossGradient,
    LossTerms,
    Policy,
    Scored,
    Targets,
    on_grid,
    renumber,
)
from agentrl_lite.protocol import Vocabulary
from agentrl_lite.rollout import Rollout, rollout
from agentrl_lite.rules import Rules, Table
from agentrl_lite.run_config import Config
from agentrl_lite.trajectory import Producer, check_ownership, loss_mask

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class State:
    """Where a run stands: all that its next step depends on.

    Attributes:
        step: number of steps done.
        weights: the last `staleness` + 1 weights, the newest last.
        start: weights that the run started from, the reference of the KL.
        moments: first and second moment of Adam.
        updates: number of updates done.
    """

    step: int
    weights: tuple[Floats, ...]
    start: Floats
    moments: tuple[Floats, Floats]
    updates: int = 0

    @property
    def newest(self) -> Floats:
        """The weights of the last update."""
        return self.weights[-1]


class Step(NamedTuple):
    """What a step yields: its figures, its episodes, and the state after it."""

    dashboard: Dashboard
    played: Rollout
    state: State


class Frozen(NamedTuple):
    """What stays fixed during a step's updates; aligned with the predicted tokens."""

    codes: Ints  # different codes, (U,)
    which_B_T: Ints  # index into them
    tokens_B_T: Ints
    mask_B_T: Bools
    advantages_B: Floats
    old_B_T: Floats
    importance_B_T: Floats
    ref_B_T: Floats
    weights: Floats  # weights before the updates
    scored: Scored  # what they give at the codes


def start(W: Floats) -> State:
    """Return the state of a run that begins with these weights."""
    W = on_grid(W)
    return State(0, (W,), W, (np.zeros_like(W), np.zeros_like(W)))


def policy_for(table: Table, rules: Rules | None = None) -> Policy:
    """Return the form of the policy whose words fit a table of outcomes, and the rules' tools."""
    log = rules is not None and rules.history != "none"
    return Policy(Vocabulary(table.public_K_E.shape[1] - 1, int(table.kinds.max()) + 1, log))


def train(config: Config, table: Table, state: State | None = None) -> tuple[History, State]:
    """Run to the end and return the dashboards and the last state; arguments as in `steps`."""
    rows, last = [], state or start(base_weights(policy_for(table, config.rules)))
    for done in steps(config, table, last):
        rows.append(done.dashboard)
        last = done.state
    return History(rows), last


def steps(config: Config, table: Table, state: State | None = None) -> Iterator[Step]:
    """Train step by step, from the base policy or from where a run was stopped.

    Whatever a step draws depends on the seed and the step's number: a run that is stopped and goes
    on from its state is the run that was not stopped.

    Args:
        config: the run; only `steps` may differ when one goes on.
        table: outcomes of the tasks' tests.
        state: where to go on.

    Yields:
        A `Step` after each update.
    """
    policy, P, G = policy_for(table, config.rules), config.prompts, config.group
    state = state or start(base_weights(policy))
    for number in range(state.step, config.steps):
        rng = np.random.default_rng([config.seed, number])
        tasks = np.repeat(rng.integers(len(table.kinds), size=P), G)
        groups = np.repeat(np.arange(P), G)
        behavior = state.weights[0]
        played = rollout(policy, behavior, table, tasks, groups, rules=config.rules, rng=rng)

        rewards_P_G = played.batch.rewards_B.reshape(P, G)
        advantages_P_G = group_advantages(rewards_P_G, ddof=config.ddof, epsilon=config.epsilon)
        mask = loss_mask(played.batch.producer, fault=config.mask_fault)
        if config.mask_fault == "none":
            check_ownership(mask, played.batch.producer)
        mask = mask & _kept(config, played, advantages_P_G)[:, np.newaxis]
        frozen, row = freeze(config, policy, state, played, mask, advantages_P_G.ravel())

        before, results = state, []
        for _ in range(config.epochs):
            for rows in _minibatches(config, rng):
                result = minibatch_gradient(config, policy, state.newest, frozen, rows)
                state = update(config, state, result.gradient)
                results.append(result)
        weights = (*before.weights, state.newest)[-(config.staleness + 1) :]
        state = State(number + 1, weights, state.start, state.moments, state.updates)
        yield Step(_with_updates(row, results, config.epochs), played, state)


def freeze(
    config: Config, policy: Policy, state: State, played: Rollout, mask: Bools, advantages_B: Floats
) -> tuple[Frozen, Dashboard]:
    """Score a step's tokens once, before its updates, and fill in the dashboard so far.

    Args:
        config: the run.
        policy: its form.
        state: before the updates.
        played: the episodes.
        mask: what the loss may see.
        advantages_B: one for each episode.
    """
    batch = played.batch
    real, own = batch.producer[:, 1:] != Producer.PAD, batch.mask_B_T
    tokens = batch.ids[:, 1:]
    scored = policy.score(state.newest, played.codes_B_T[real])

    def spread(values: Floats) -> Floats:
        array = np.zeros(real.shape)
        array[real] = values
        return array

    current = spread(scored.of(tokens[real]))
    # The reference is needed where the policy spoke, and in the loss if it has a KL.
    said = scored.which[own[real]]
    seen = scored._replace(which=said) if config.kl_coef else scored.only(said)
    ref = policy.score_distinct(state.start, seen.codes, scored.which)
    kl_U = (seen.probs_U_V * (seen.logprobs_U_V - ref.logprobs_U_V)).sum(axis=1)
    log_ratio = np.where(own, current - batch.behavior_logprobs_B_T, 0.0)
    importance, capped = np.ones(real.shape), float("nan")
    if config.importance_cap is not None:
        weights, capped = truncated_weights(
            log_ratio, own, level=config.importance_level, cap=config.importance_cap
        )
        importance = np.where(own, weights, 1.0)
    # Tokens that the policy did not write have no recorded log-probability.
    old = current - log_ratio if config.proximal == "behavior" else current
    which = np.zeros(real.shape, dtype=np.int64)
    which[real] = scored.which
    weights_B = trajectory_weights(mask, config.aggregation, max_length=config.divisor_length)
    entropy = spread(scored.entropy)
    row = measure(played, policy.vocabulary, mask, entropy, weights_B, config.prompts)
    row = row._replace(
        kl_reference=float(kl_U[seen.which].mean()),
        kl_behavior=float(k3(log_ratio[own]).mean()),
        capped_weights=capped,
    )
    ref_B_T = spread(ref.of(tokens[real])) if config.kl_coef else np.zeros(real.shape)
    fixed = (which, tokens, mask, advantages_B, old, importance, ref_B_T)
    return Frozen(scored.codes, *fixed, state.newest.copy(), scored), row


def minibatch_gradient(
    config: Config,
    policy: Policy,
    W: Floats,
    frozen: Frozen,
    rows: Ints,
    *,
    normaliser: Normaliser | None = None,
) -> LossGradient:
    """Add up the gradient of one update over its microbatches.

    Args:
        config: the run.
        policy: its form.
        W: current weights.
        frozen: what stays fixed.
        rows: the update's episodes, or those of one rank.
        normaliser: counts over all ranks; `None` where `rows` are all.
    """
    whole = normaliser or count(frozen.mask_B_T[rows])
    terms = LossTerms(config.clip, config.entropy_coef, config.kl_coef)
    longest = config.divisor_length
    parts, known = [], np.array_equal(W, frozen.weights)
    for part in np.array_split(rows, config.microbatches):
        mask = frozen.mask_B_T[part]
        weights = token_weights(mask, config.aggregation, max_length=longest, normaliser=whole)
        which = frozen.which_B_T[part][mask]
        # The tokens were scored with these weights already, where nothing was updated since.
        scored = frozen.scored.only(which) if known else None
        codes, which = (scored.codes, scored.which) if scored else renumber(frozen.codes, which)
        targets = Targets(
            codes=codes,
            which=which,
            tokens=frozen.tokens_B_T[part][mask],
            weights=weights[mask],
            advantages=np.repeat(frozen.advantages_B[part], mask.sum(axis=1)),
            old_logprobs=frozen.old_B_T[part][mask],
            importance=frozen.importance_B_T[part][mask],
            ref_logprobs=frozen.ref_B_T[part][mask],
        )
        parts.append(policy.loss_gradient(W, targets, terms, scored))
    return LossGradient(
        sum(part.loss for part in parts),
        np.sum([part.gradient for part in parts], axis=0),
        sum(part.clipped for part in parts),
    )


def update(config: Config, state: State, gradient: Floats) -> State:
    """Return the state after one update of the newest weights; refuse one that is not finite."""
    norm, limit = float(np.linalg.norm(gradient)), config.max_gradient_norm
    if not np.isfinite(norm):
        raise ValueError(f"gradient must be finite; its norm was {norm} in step {state.step + 1}")
    if limit is not None and norm > limit:
        gradient = gradient * (limit / norm)
    moments, updates, direction = state.moments, state.updates + 1, gradient
    if config.optimiser == "adam":
        slow, slower, epsilon = config.adam
        first = slow * moments[0] + (1 - slow) * gradient
        second = slower * moments[1] + (1 - slower) * gradient**2
        root = np.sqrt(second / (1 - slower**updates))
        direction, moments = first / (1 - slow**updates) / (root + epsilon), (first, second)
    W = on_grid(state.newest - config.learning_rate * direction)
    return State(state.step, (*state.weights[:-1], W), state.start, moments, updates)


def _kept(config: Config, played: Rollout, advantages_P_G: Floats) -> Bools:
    """Tell which episodes the loss may see, shape (B,)."""
    kept = np.ones(played.batch.truncated_B.shape, dtype=bool)
    if config.drop_flat_groups:
        # Advantages are exactly 0 throughout a flat group, and in no other.
        kept &= np.repeat(advantages_P_G.any(axis=1), config.group)
    if config.drop_truncated:
        kept &= ~played.batch.truncated_B
    return kept


def _minibatches(config: Config, rng: np.random.Generator) -> list[Ints]:
    episodes = np.arange(config.prompts * config.group)
    if config.minibatches == 1:
        return [episodes]
    return np.array_split(rng.permutation(episodes), config.minibatches)


def _with_updates(row: Dashboard, results: list[LossGradient], epochs: int) -> Dashboard:
    """Fill in what is known after a step's updates."""
    norms = [float(np.linalg.norm(result.gradient)) for result in results]
    passes = row.trained_tokens * epochs
    return row._replace(
        loss=float(np.mean([result.loss for result in results])),
        clip_fraction=sum(r.clipped for r in results) / passes if passes else float("nan"),
        gradient_norm=float(np.mean(norms)),
        largest_gradient_norm=max(norms),
    )
