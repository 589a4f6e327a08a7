"""A made-up table of outcomes: where a test needs tasks, but not real ones."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class MadeUp:
    kinds: NDArray[np.int64]
    public_K_E: NDArray[np.bool_]
    hidden_K_E: NDArray[np.bool_]
    slow_K_E: NDArray[np.bool_]
    right: NDArray[np.int64]
    clue_K: NDArray[np.int64]


def made_up(K=12, edits=6, kinds=3):
    """Some edits pass the public tests alone, some are slow, and some clues mislead or are none."""
    task = np.arange(K)
    right = 1 + task % (edits - 1)
    hidden = np.arange(edits + 1) == right[:, np.newaxis]
    public = hidden.copy()
    public[:, edits] = True
    public[::3, 1] = True
    clue = np.select([task % 6 == 0, task % 6 == 1], [0, 1 + right % (edits - 1)], right)
    slow = (task[:, np.newaxis] + np.arange(edits + 1)) % 3 == 0
    return MadeUp(task % kinds, public, hidden, slow, right, clue)
