"""Episodes of the tiny agent, many at once.

The one loop runs over the words that policies say. A tool's answer is known as a whole when a turn
ends, so it is written as a whole, and every pass of the loop samples one word in each episode that
is still going. What tests say is looked up in a table of outcomes: of tests that really ran.

The uniform numbers of an episode depend on the seed, its index, the number of episodes and the cap
alone, and sampling inverts the cumulative distribution by sums in a fixed order: the same seed
gives the same words on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.policy import Policy
from agentrl_lite.protocol import N_PLACES, PLACES
from agentrl_lite.rules import Rules, Table
from agentrl_lite.tools import said_if_flaky, spans_of, tools_of
from agentrl_lite.trajectory import Batch, Producer, check_ownership, loss_mask

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
# In nats; the smallest float64 is about exp(-708).
SAFE_SPREAD = 600.0


class Rollout(NamedTuple):
    """Episodes that were played.

    Attributes:
        batch: tokens, producers, behaviour log-probabilities and rewards.
        codes_B_T: what the policy perceived before each predicted token.
        tasks_B: task of each.
        edits_B: state of the file at the end, 0 for unedited.
        public_B: whether the public tests truly pass at the end, whatever a flaky run says.
        hidden_B: whether the hidden tests truly pass.
        solved_B: the verdict that the reward is made of, with its flaky run.
        turns_B: turns that were ended.
        lengths_B: words of the policy.
    """

    batch: Batch
    codes_B_T: Ints
    tasks_B: Ints
    edits_B: Ints
    public_B: Bools
    hidden_B: Bools
    solved_B: Bools
    turns_B: Ints
    lengths_B: Ints


def rollout(
    policy: Policy,
    W: Floats,
    table: Table,
    tasks_B: Ints,
    groups_B: Ints,
    *,
    rules: Rules,
    rng: np.random.Generator,
) -> Rollout:
    """Play one episode on each task given.

    Args:
        policy: its form; the vocabulary must fit the table.
        W: its weights.
        table: outcomes of the tasks' tests.
        tasks_B: task of each episode, shape (B,), B from 1.
        groups_B: group of each episode.
        rules: the rules.
        rng: random generator.

    Raises:
        ValueError: for no episode, an unknown task, weights that are not finite, or a vocabulary
            that does not fit.
    """
    v = policy.vocabulary
    _check(policy, W, table, tasks_B, rules)
    B, cap = len(tasks_B), rules.max_tokens
    kinds = table.kinds[tasks_B]
    chances = np.array(rules.broken)[kinds % len(rules.broken)]
    broken = rng.random(B) < chances
    uniform = rng.random((cap - 1, B))
    # One for each turn that an episode may have, and the last for the verdict.
    flaky = rng.random((cap, B)) < rules.flaky if rules.flaky else None
    spans = spans_of(v, rules.verbose)
    replies = spans.replies
    tools = tools_of(v, replies, table, rules)
    situation = 2 * np.asarray(tasks_B) + broken

    # A tool's answer may start at the cap: room for it, cut off below.
    ids = np.zeros((B, cap + replies.ids.shape[1]), dtype=np.int64)
    producer, width = np.zeros(ids.shape, dtype=np.int8), ids.shape[1]
    ids[:, 0], producer[:, 0] = v.id["issue0"] + kinds, Producer.PROMPT
    states, turns = np.zeros(B, dtype=np.int64), np.zeros(B, dtype=np.int64)
    submitted = np.zeros(B, dtype=bool)

    distribution = _sampler(policy, W)
    V, end = len(v), v.id["end"]
    most_turns = rules.max_turns or cap
    place = PLACES[np.minimum(np.arange(cap + 1), len(PLACES) - 1)]
    span, first = np.arange(replies.ids.shape[1]), np.arange(B) * V
    mood_after, n_moods = v.mood_after.ravel(), v.mood_after.shape[1]
    # Flat positions in `ids`, words, and their chances: written down once, at the end.
    spoken: list[tuple[Ints, Ints, Floats]] = []
    # Of the episodes still going: index, next position, last two words, mood, words in the turn.
    row, at, said = np.arange(B), np.ones(B, dtype=np.int64), np.zeros(B, dtype=np.int64)
    last, previous, mood = ids[:, 0].copy(), ids[:, 0].copy(), kinds * v.n_moods
    for step in range(cap):
        if not row.size:
            break
        p = distribution(last * V + previous, mood * N_PLACES + place[said])
        cumulative = p.cumsum(axis=1)
        total = cumulative[:, -1]
        # The first word whose cumulative weight is above u times the total.
        token = (cumulative <= (uniform[step].take(row) * total)[:, np.newaxis]).argmin(axis=1)
        spoken.append((row * width + at, token, p.ravel().take(first[: row.size] + token) / total))
        previous, last, mood = last, token.copy(), mood_after.take(token * n_moods + mood)
        at, said = at + 1, said + 1
        (ended,) = (token == end).nonzero()
        if ended.size:
            who, tool = row[ended], previous[ended]
            state = states[who]
            turn = situation[who], state, tool
            answer = tools.answer[turn]
            if flaky is not None:
                answer = np.where(flaky[turns[who], who], tools.if_flaky[turn], answer)
            states[who] = tools.state_after[state, tool]
            turns[who] += 1
            submitted[who] = over = answer == replies.silence
            where = at[ended, np.newaxis] + span
            # What is written behind an answer's end is padding, as it was.
            ids[who[:, np.newaxis], where] = replies.ids[answer]
            producer[who[:, np.newaxis], where] = spans.producer[answer]
            last[ended], previous[ended] = spans.last[answer], spans.previous[answer]
            mood[ended] = spans.mood_after[answer, mood[ended]]
            at[ended] += replies.lengths[answer]
            said[ended] = 0
            # An episode that is over has no room left.
            at[ended[over | (turns[who] >= most_turns)]] = cap
        (going,) = (at < cap).nonzero()
        if going.size < row.size:
            each = (row, at, said, last, previous, mood)
            row, at, said, last, previous, mood = (x.take(going) for x in each)

    spots, words, chance = (np.concatenate(parts) for parts in zip(*spoken, strict=True))
    logprobs = np.zeros(ids.shape)
    ids.ravel()[spots], producer.ravel()[spots] = words, Producer.POLICY
    logprobs.ravel()[spots] = np.log(chance)
    used = min(cap, int((producer != Producer.PAD).any(axis=0).sum()))
    ids, producer = ids[:, :used], producer[:, :used]
    mask = loss_mask(producer)
    check_ownership(mask, producer)
    edits = states % table.public_K_E.shape[1]
    public = table.public_K_E[tasks_B, edits] & ~broken
    hidden = table.hidden_K_E[tasks_B, edits] & ~broken
    solved = hidden if rules.reward == "hidden" else public
    if flaky is not None:
        wrong = said_if_flaky(solved, table.slow_K_E[tasks_B, edits], rules) & ~broken
        solved = np.where(flaky[-1], wrong, solved)
    if rules.truncation == "fail":
        solved = solved & submitted
    charged = np.where(submitted, turns, np.maximum(turns, rules.truncated_turns))
    pays = {"every": True, "success": solved, "none": False}[rules.penalty_on]
    rewards = solved - rules.penalty * charged * pays
    behavior = logprobs[:, 1:used].copy()
    batch = Batch(ids, producer, mask, behavior, rewards, ~submitted, np.asarray(groups_B))
    return Rollout(
        batch=batch,
        codes_B_T=v.codes(ids, producer),
        tasks_B=np.asarray(tasks_B),
        edits_B=edits,
        public_B=public,
        hidden_B=hidden,
        solved_B=solved,
        turns_B=turns,
        lengths_B=mask.sum(axis=1),
    )


def _sampler(policy: Policy, W: Floats) -> Callable[[Ints, Ints], Floats]:
    """Return a function from a pair of words and a context to weights in proportion to chances.

    Sums of logits are products of exponentials, which are taken of the rows alone. Where a product
    of seven factors could vanish, it is the exponential of the sum.
    """
    spread = sum(np.ptp(W[block], axis=1).max() for block in policy.blocks.values())
    if spread < SAFE_SPREAD:
        E = np.exp(W - W.max(axis=1, keepdims=True))
        pairs, contexts = policy.tables(E, np.multiply)
        return lambda pair, context: pairs.take(pair, 0) * contexts.take(context, 0)
    sums = policy.tables(W, np.add)

    def by_sums(pair: Ints, context: Ints) -> Floats:
        z = sums[0].take(pair, 0) + sums[1].take(context, 0)
        return np.asarray(np.exp(z - z.max(axis=1, keepdims=True)))

    return by_sums


def _check(policy: Policy, W: Floats, table: Table, tasks_B: Ints, rules: Rules) -> None:
    v, (K, E) = policy.vocabulary, table.public_K_E.shape
    if not len(tasks_B):
        raise ValueError("tasks_B must hold at least one episode; there was none")
    if np.min(tasks_B) < 0 or np.max(tasks_B) >= K:
        raise ValueError(f"tasks_B must be indices of the {K} tasks; it was {tasks_B!r}")
    if rules.history != "none" and not v.log:
        raise ValueError(f"policy must have a word for LOG where history is {rules.history!r}")
    if v.edits != E - 1 or v.kinds <= table.kinds.max():
        raise ValueError(
            f"policy must have words for {E - 1} edits and {table.kinds.max() + 1} kinds; "
            f"it had {v.edits} and {v.kinds}"
        )
    if W.shape != policy.shape or not np.isfinite(W).all():
        raise ValueError(f"W must be finite and of shape {policy.shape}; its shape was {W.shape}")
