"""What the tools do, as tables: what they answer, and what they leave behind.

An episode is in a *state*: that of its file, 0 to E - 1, and where a rule asks for a TEST before a
SUBMIT, E more when there has been one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.protocol import Replies, Vocabulary
from agentrl_lite.rules import Rules, Table
from agentrl_lite.trajectory import Producer

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Spans(NamedTuple):
    """The tools' answers, A of at most S words, and where they lead.

    Attributes:
        replies: their words.
        producer: TOOL, or PAD behind the end, shape (A, S).
        last: the last word that stands there after an answer, shape (A,).
        previous: the word before that.
        mood_after: mood after an answer, shape (A, kinds x moods).
    """

    replies: Replies
    producer: NDArray[np.int8]
    last: Ints
    previous: Ints
    mood_after: Ints


class Tools(NamedTuple):
    """What each tool does.

    Attributes:
        answer: row of the answers, shape (2K, S, V), by situation (task, and broken checkout),
            state, and the word that names the tool.
        if_flaky: the same for a turn in which a flaky run says the opposite.
        state_after: shape (S, V).
    """

    answer: Ints
    if_flaky: Ints
    state_after: Ints


@lru_cache(maxsize=32)
def spans_of(v: Vocabulary, verbose: int) -> Spans:
    """Return the answers that a vocabulary has words for; `verbose` as in `Rules`."""
    replies = v.replies(verbose)
    inside = np.arange(replies.ids.shape[1]) < replies.lengths[:, np.newaxis]
    mood_after = np.repeat(np.arange(v.mood_after.shape[1])[np.newaxis], len(inside), axis=0)
    words = np.full((len(inside), 2), v.id["end"])
    for column, there in zip(replies.ids.T, inside.T, strict=True):
        stepped = v.mood_after[column[:, np.newaxis], mood_after]
        mood_after = np.where(there[:, np.newaxis], stepped, mood_after)
        shifted = np.stack([words[:, 1], column], axis=1)
        words = np.where(there[:, np.newaxis], shifted, words)
    producer = np.where(inside, Producer.TOOL, Producer.PAD).astype(np.int8)
    return Spans(replies, producer, words[:, 1].copy(), words[:, 0].copy(), mood_after)


def tools_of(v: Vocabulary, replies: Replies, table: Table, rules: Rules) -> Tools:
    """Return what each tool does on the tasks of a table.

    Args:
        v: the words.
        replies: the answers.
        table: outcomes of the tasks' tests.
        rules: the rules.
    """
    E = table.public_K_E.shape[1]
    edits, test = _menu(v), v.id["test"]
    after = np.repeat(np.arange(E)[:, np.newaxis], len(v), axis=1)
    after[_may_edit(rules), edits] = np.arange(1, E)
    if rules.test_first:
        after = np.concatenate([after, after + E])
        after[:E, test] += E
    passed = table.public_K_E
    answer = if_flaky = _answers(v, replies, table, rules, passed)
    if rules.flaky:
        wrong = said_if_flaky(passed, table.slow_K_E, rules)
        if_flaky = _answers(v, replies, table, rules, wrong)
    return Tools(answer, if_flaky, after)


def said_if_flaky(passed: Bools, slow: Bools, rules: Rules) -> Bools:
    """Return what a flaky run says of tests that pass, of patches that are slow."""
    return passed & ~slow if rules.flaky_on == "slow" else ~passed


def _answers(v: Vocabulary, replies: Replies, table: Table, rules: Rules, said_K_E: Bools) -> Ints:
    """Return `Tools.answer` where tests in a whole checkout say that."""
    K, E = said_K_E.shape
    answer = np.full((K, 2, E, len(v)), replies.error)
    answer[:, :, _may_edit(rules), _menu(v)] = replies.patched
    answer[..., v.id["read"]] = (replies.clue + table.clue_K)[:, np.newaxis, np.newaxis]
    if rules.history != "none":
        leaks = np.full(K, rules.history == "leak")
        if rules.leaky is not None:
            leaks &= np.isin(table.kinds, rules.leaky)
        shown = replies.past + np.where(leaks, table.right, 0)
        answer[..., v.id["log"]] = shown[:, np.newaxis, np.newaxis]
    passes = said_K_E[:, np.newaxis] & np.array([True, False])[:, np.newaxis]
    answer[..., v.id["test"]] = np.where(passes | rules.blind, replies.passed, replies.failed)
    answer[..., v.id["submit"]] = replies.silence
    if rules.test_first:
        untested = answer.copy()
        untested[..., v.id["submit"]] = replies.error
        answer = np.concatenate([untested, answer], axis=2)
    return answer.reshape(2 * K, -1, len(v))


def _menu(v: Vocabulary) -> slice:
    return slice(v.id["edit1"], v.id["edit1"] + v.edits)


def _may_edit(rules: Rules) -> slice:
    """Return the states of a file that an edit applies to."""
    return slice(0, None if rules.re_edit else 1)
