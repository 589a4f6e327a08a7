"""The words of the tiny agent: what the policy, the tools and the prompt say to each other.

A turn is any words of the policy up to `end`; the word before `end` names the tool. The tool
answers with words of its own. Every word has one id, and the policy *can* utter a tool's words:
that is what a loss on tool output teaches it. Who really wrote a token is recorded beside it.

What the policy perceives is a function of the tokens before, whoever wrote them (an uttered
`passed` fools it), and of its place in the turn, which a chat template would mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite import checked
from agentrl_lite.trajectory import Producer

Ints = NDArray[np.int64]
THINKING = ("hmm", "so", "wait", "ok")
PHASES = ("start", "read", "edited", "failed", "passed")
# Words of the policy since the turn began, in six bins: 0, 1, 2, 3, 4 to 7, 8 and more.
PLACES = np.array([0, 1, 2, 3, 4, 4, 4, 4, 5], dtype=np.int64)
N_PLACES = int(PLACES[-1]) + 1


class Replies(NamedTuple):
    """What tools answer: rows of token ids, and which row is which.

    Attributes:
        ids: shape (R, S), padded with 0.
        lengths: shape (R,).
        clue: row of a READ that shows clue 0; clue c is c rows on.
        patched: row of an edit that applied.
        passed: row of a TEST whose tests all passed.
        failed: row of a TEST whose tests did not.
        error: row of a turn that named no tool, or of an edit that did not apply.
        silence: row of a SUBMIT, of no words.
        past: row of a LOG that gives nothing away; one that leaks edit j is j rows on. -1 where
            there is no such tool.
    """

    ids: Ints
    lengths: Ints
    clue: int
    patched: int
    passed: int
    failed: int
    error: int
    silence: int
    past: int


@dataclass(frozen=True)
class Vocabulary:
    """The words, for a menu of so many edits and so many kinds of issue.

    Attributes:
        edits: edits on the menu, from 1; "no edit" is not one of them.
        kinds: kinds of issue, from 1; the prompt says which.
        log: whether there are words for LOG, a tool that shows the file's past.
    """

    edits: int
    kinds: int
    log: bool = False

    def __post_init__(self) -> None:
        for name in ("edits", "kinds"):
            checked.whole(name, getattr(self, name), 1)

    @cached_property
    def policy_words(self) -> tuple[str, ...]:
        """Words that are the policy's to say."""
        menu = tuple(f"edit{j}" for j in range(1, self.edits + 1))
        log = ("log",) if self.log else ()
        return (*THINKING, "read", *menu, "test", "submit", *log, "end")

    @cached_property
    def tool_words(self) -> tuple[str, ...]:
        """Words of the tools' output; `clue0` shows nothing."""
        clues = tuple(f"clue{c}" for c in range(self.edits + 1))
        past = ("past",) if self.log else ()
        verdicts = ("run", "passed", "failed", "[100%]")
        return ("file", *clues, "patched", *verdicts, "dot", "error", *past)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words; a token id is an index of this."""
        issues = tuple(f"issue{k}" for k in range(self.kinds))
        return self.policy_words + self.tool_words + issues

    @cached_property
    def id(self) -> dict[str, int]:
        """Token id of each word."""
        return {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    @property
    def n_clues(self) -> int:
        """What the policy can know of clues: none read yet, or one of `edits + 1`."""
        return self.edits + 2

    @property
    def n_moods(self) -> int:
        """How many moods there are for one kind of issue: phase and clue."""
        return len(PHASES) * self.n_clues

    @property
    def n_contexts(self) -> int:
        """How many contexts there are: kind and mood, and place in the turn."""
        return self.kinds * self.n_moods * N_PLACES

    @cached_property
    def is_tool_word(self) -> NDArray[np.bool_]:
        """Tell, per token id, whether it is a word of the tools' output; shape (V,)."""
        first = len(self.policy_words)
        ids = np.arange(len(self))
        return (ids >= first) & (ids < first + len(self.tool_words))

    @cached_property
    def is_tool_name(self) -> NDArray[np.bool_]:
        """Tell, per token id, whether it names a tool; shape (V,)."""
        names = self.policy_words[len(THINKING) : -1]
        return np.isin(np.array(self.words), names)

    @cached_property
    def phase_after(self) -> Ints:
        """The phase that a word leads to, shape (V,); -1 where it leads to none.

        A clue leads to `read` only before the first edit.
        """
        phase = np.full(len(self), -1, dtype=np.int64)
        phase[self._clues] = PHASES.index("read")
        for word, name in (("patched", "edited"), ("failed", "failed"), ("passed", "passed")):
            phase[self.id[word]] = PHASES.index(name)
        return phase

    @cached_property
    def clue_after(self) -> Ints:
        """What is known of clues after a word, shape (V,); -1 where the word shows none."""
        clue = np.full(len(self), -1, dtype=np.int64)
        clue[self._clues] = 1 + np.arange(self.edits + 1)
        return clue

    @property
    def _clues(self) -> slice:
        return slice(self.id["clue0"], self.id["clue0"] + self.edits + 1)

    @cached_property
    def mood_after(self) -> Ints:
        """Kind and mood after a word, shape (V, kinds x moods).

        The number is `(kind * phases + phase) * n_clues + clue`.
        """
        rest, clue = np.divmod(np.arange(self.kinds * self.n_moods), self.n_clues)
        kind, phase = np.divmod(rest, len(PHASES))
        to, shown = self.phase_after[:, np.newaxis], self.clue_after[:, np.newaxis]
        read = PHASES.index("read")
        keeps = (to < 0) | ((to == read) & (phase > read))
        new_phase, new_clue = np.where(keeps, phase, to), np.where(shown < 0, clue, shown)
        return np.asarray((kind * len(PHASES) + new_phase) * self.n_clues + new_clue)

    def replies(self, verbose: int = 0) -> Replies:
        """Return what the tools answer.

        Args:
            verbose: `dot` words in each READ and each TEST that say nothing, from 0.

        Raises:
            ValueError: for `verbose` below 0.
        """
        checked.whole("verbose", verbose)
        dots = ["dot"] * verbose
        spans = [["file", *dots, f"clue{c}"] for c in range(self.edits + 1)]
        verdicts = [["run", *dots, verdict, "[100%]"] for verdict in ("passed", "failed")]
        spans += [["patched"], *verdicts, ["error"], []]
        n, past = self.edits + 1, -1
        if self.log:
            past = len(spans)
            spans += [["past"], *(["past", f"clue{j}"] for j in range(1, n))]
        ids = np.zeros((len(spans), max(map(len, spans))), dtype=np.int64)
        for row, span in zip(ids, spans, strict=True):
            row[: len(span)] = [self.id[word] for word in span]
        lengths = np.array([len(span) for span in spans])
        return Replies(ids, lengths, 0, n, n + 1, n + 2, n + 3, n + 4, past)

    def code(self, last: Ints, previous: Ints, context: Ints) -> Ints:
        """Return one number for all that the policy perceives."""
        return (last * len(self) + previous) * self.n_contexts + context

    def codes(self, ids: Ints, producer: NDArray[np.int8]) -> Ints:
        """Return what the policy perceives before each predicted token.

        Args:
            ids: shape (B, T+1); the first column is the prompt, `issue...`.
            producer: shape (B, T+1), values of `Producer`.

        Returns:
            Codes, shape (B, T): column t is about `ids[:, :t+1]`. Behind a trajectory's end they
            mean nothing.
        """
        seen = ids[:, :-1]
        moods_T_B = np.empty(seen.T.shape, dtype=np.int64)
        mood = (seen[:, 0] - self.id["issue0"]) * self.n_moods
        mood_after, word_moods = self.mood_after.ravel(), seen.T * self.mood_after.shape[1]
        for words, moods in zip(word_moods, moods_T_B, strict=True):
            moods[:] = mood = mood_after.take(words + mood)
        at = np.arange(seen.shape[1])
        others = np.where(producer[:, :-1] == Producer.POLICY, 0, at)
        since = at - np.maximum.accumulate(others, axis=1)
        place = PLACES[np.minimum(since, len(PLACES) - 1)]
        context = moods_T_B.T * N_PLACES + place
        previous = np.concatenate([seen[:, :1], seen[:, :-1]], axis=1)
        return self.code(seen, previous, context)

    def text(self, ids: Ints, producer: NDArray[np.int8]) -> str:
        """Write one trajectory in words, those that the policy did not write in brackets.

        Args:
            ids: shape (L,).
            producer: shape (L,); what is padding is left out.
        """
        pairs = [(self.words[i], p) for i, p in zip(ids, producer, strict=True) if p]
        return " ".join(word if p == Producer.POLICY else f"<{word}>" for word, p in pairs)
