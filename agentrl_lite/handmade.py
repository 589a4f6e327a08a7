"""Trajectories written by hand in words, for derivations and for unit tests."""

from __future__ import annotations

import numpy as np

from agentrl_lite.protocol import Vocabulary
from agentrl_lite.trajectory import Producer, Trajectory

#: The words of a small menu: four edits, two kinds of issue.
VOCABULARY = Vocabulary(edits=4, kinds=2)


def handmade(text: str, *, reward: float = 1.0) -> Trajectory:
    """Return the trajectory that a text tells, as `Vocabulary.text` would write it.

    Words in angle brackets are not the policy's: those before its first word are the prompt, the
    others tool output. The log-probability of a policy's word is minus a tenth of its place in
    `ids`, so that no two are alike.

    Args:
        text: words of `VOCABULARY`, with spaces between them; any producer may write any word.
        reward: what the verifier said.

    Raises:
        ValueError: for no word, or an unknown one.

    >>> handmade("<issue0> read end <file> <clue2>").producer.tolist()
    [1, 2, 2, 3, 3]
    """
    words = text.split()
    if not words:
        raise ValueError("text must hold at least one word; there was none")
    own = np.array([not (w.startswith("<") and w.endswith(">")) for w in words])
    names = [word if mine else word[1:-1] for word, mine in zip(words, own, strict=True)]
    unknown = [name for name in names if name not in VOCABULARY.id]
    if unknown:
        raise ValueError(
            f"text must hold words such as {', '.join(VOCABULARY.words[:6])}; "
            f"it held {', '.join(unknown)}"
        )
    begun = np.maximum.accumulate(own)
    others = np.where(begun, Producer.TOOL, Producer.PROMPT)
    return Trajectory(
        ids=np.array([VOCABULARY.id[name] for name in names], dtype=np.int64),
        producer=np.where(own, Producer.POLICY, others).astype(np.int8),
        behavior_logprobs=np.where(own, -np.arange(len(words)) / 10, np.nan),
        reward=reward,
    )
