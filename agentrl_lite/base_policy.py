"""The policy that a run starts from, by a short rule."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.policy import Policy
from agentrl_lite.protocol import PHASES, THINKING

Floats = NDArray[np.float64]


def base_weights(
    policy: Policy, *, read: float = 4.7, log: float = 3.0, hunch: float = 1.0, trust: float = 0.3
) -> Floats:
    """Return the weights to start from: a policy that knows the protocol, and little else.

    The rule: it thinks a little (`hmm`), names a tool and ends the turn. At the start it reads
    or edits or gives up; after a clue it edits, with little trust in the clue; after an edit it
    tests; after a test it submits, sooner when the test passed. It has a hunch for `edit1`,
    shuns the last edit of the menu, and half knows what tool output looks like, without saying
    it.

    Args:
        policy: its form.
        read: logit of READ at the start.
        log: ... and of LOG, where there are words for it.
        hunch: what `edit1` is above the other edits.
        trust: what the edit that a clue names is above the others.
    """
    v, W = policy.vocabulary, np.zeros(policy.shape)
    rows = {name: W[block] for name, block in policy.blocks.items()}
    word, edits = v.id, slice(v.id["edit1"], v.id["edit1"] + v.edits)
    bias = rows["bias"][0]
    bias[:] = -3.5
    bias[v.is_tool_word] = -5.0
    bias[word["issue0"] :] = -9.0
    bias[: len(THINKING)] = (2.0, 0.0, -1.0, -2.0)
    bias[word["end"]] = -5.0
    # Logits of read, edit, test, submit, log in each phase.
    likes = {
        "start": (read, 2.8, 1.5, 2.5, log),
        "read": (1.0, 3.6, 1.5, 2.5, 0.5),
        "edited": (1.0, -0.5, 6.2, 4.0, -0.5),
        "failed": (2.0, 0.5, 2.0, 5.3, 0.5),
        "passed": (0.5, -1.0, 1.0, 6.3, -1.0),
    }
    the_log = slice(word["log"], word["log"] + 1) if v.log else slice(0)
    named = (word["read"], edits, word["test"], word["submit"], the_log)
    for phase, name in zip(rows["phase"], PHASES, strict=True):
        for words, like in zip(named, likes[name], strict=True):
            phase[words] = like
    rows["phase"][:2, edits.start] += hunch
    if v.edits > 1:
        rows["phase"][:, edits.stop - 1] -= 2 * hunch
    for c in range(1, v.edits + 1):
        rows["clue"][1 + c, edits.start + c - 1] = trust
    rows["last"][v.is_tool_name, word["end"]] = 12.0
    half = 2.0
    clues = [word[f"clue{c}"] for c in range(v.edits + 1)]
    rows["previous"][word["read"], word["file"]] = half
    rows["previous"][word["test"], word["run"]] = half
    rows["previous"][edits, word["patched"]] = half
    if v.log:
        rows["previous"][word["log"], word["past"]] = half
        rows["last"][word["past"], clues] = half
    rows["last"][word["end"], v.is_tool_word] = half
    rows["last"][word["file"], clues] = 2 * half
    rows["last"][word["run"], [word["passed"], word["failed"]]] = 2 * half
    rows["last"][[word["passed"], word["failed"]], word["[100%]"]] = 2 * half
    return W
