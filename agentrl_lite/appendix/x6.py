"""Exercise 6: a unit test for the loss mask, on a trajectory made by hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.appendix.mask_tests import FAULTS, SHIFTS, Collate, Fault, try_test
from agentrl_lite.handmade import handmade
from agentrl_lite.i18n import N_
from agentrl_lite.trajectory import Batch, Producer, Trajectory, check_ownership, collate, loss_mask

#: One trajectory, and two of different lengths.
ONE = "<issue0> <issue1> hmm read end <file> <clue2> edit2 end"
TWO = (
    f"{ONE} <patched> test end <run> <passed> <[100%]> passed submit end",
    "<issue1> <issue0> edit1 end <patched> submit end",
)


def bits(mask_T: ArrayLike) -> int:
    """Return a mask as a whole number: a 1 that holds the place, then a digit for each token.

    >>> bin(bits([0, 1, 1]))
    '0b1011'
    """
    return int("1" + "".join("1" if inside else "0" for inside in np.asarray(mask_T)), 2)


def asserted_ownership(collated_by: Collate) -> None:
    """Do what Q28's guard does, on the two trajectories."""
    batch = collated_by([handmade(text) for text in TWO])
    check_ownership(batch.mask_B_T, batch.producer)


def _fixtures(tokens: int) -> Iterator[list[Trajectory]]:
    """Yield every way to share out so many tokens over one or two trajectories.

    Each has a prompt and, right behind it, a token of the policy. All tokens have one id: a word is
    then a tool's too if any tool says anything.
    """
    P = Producer
    rows = {
        length: [
            (P.PROMPT,) * prompt + (P.POLICY,) + rest
            for prompt in range(1, length)
            for rest in product((P.POLICY, P.TOOL), repeat=length - prompt - 1)
        ]
        for length in range(2, tokens + 1)
    }
    for count in (1, 2):
        for lengths in product(rows, repeat=count):
            if sum(lengths) == tokens:
                for batch in product(*(rows[length] for length in lengths)):
                    yield [_plain(who) for who in batch]


def _plain(who: tuple[Producer, ...]) -> Trajectory:
    producer, at = np.array(who, dtype=np.int8), np.arange(len(who))
    logprobs = np.where(producer == Producer.POLICY, -1.0 - at, np.nan)
    return Trajectory(np.zeros_like(at), producer, logprobs, 1.0)


def _differs(batch: Batch, right: Batch) -> bool:
    fields = ("ids", "mask_B_T", "behavior_logprobs_B_T")
    return any(not np.array_equal(getattr(batch, f), getattr(right, f)) for f in fields)


@lru_cache(maxsize=4)
def smallest_batch(faults: tuple[Fault, ...] = FAULTS) -> int:
    """Return the fewest tokens of a batch on which every fault shows, in any of its arrays.

    Args:
        faults: the faults.
    """
    for tokens in range(2, 20):
        for trajectories in _fixtures(tokens):
            right = collate(trajectories)
            # The last of the list show least often.
            if all(_differs(fault.collate(trajectories), right) for fault in reversed(faults)):
                return tokens
    raise ValueError("faults must show on some batch of less than 20 tokens; they did not")


def _shown_without_prompt() -> int:
    return smallest_batch(tuple(fault for fault in FAULTS if fault.id != "prompt"))


NUMBERS = (
    Number(
        "x6-shift",
        "columns of ids, less columns of ids[:, 1:]",
        lambda: len(handmade(ONE).ids) - collate([handmade(ONE)]).mask_B_T.shape[1],
        "1",
        "tokens",
    ),
)

PREDICTIONS = (
    Prediction(
        id="x6-ownership",
        question=N_("How many of the planted faults does the assertion on ownership let through?"),
        truth=lambda: try_test(asserted_ownership).mistakes,
        unit="",
        minimum=0,
        maximum=len(FAULTS),
        digits=0,
    ),
)

_SILENT = N_("Your test lets every fault through, as an empty one does. What does it assert?")
_REFUSES = N_("One line of the table is wrong. Is it the first? A right collate must pass.")

CHECKS = (
    Check(
        id="x6-expected",
        kind="integer",
        truth=lambda: bits(collate([handmade(ONE)]).mask_B_T[0]),
        hints=(
            Hint(
                lambda: bits(loss_mask([handmade(ONE).producer], fault="shift-1")[0]),
                N_("That is who wrote the token before. Which token does column 0 predict?"),
            ),
            Hint(
                lambda: bits(handmade(ONE).producer == Producer.POLICY),
                N_("That has a digit for each token of ids. The first token is never predicted."),
            ),
            Hint(
                lambda: bits(loss_mask([handmade(ONE).producer], fault="shift+1")[0]),
                N_("That is who wrote the token after. Which token does column 0 predict?"),
            ),
            Hint(
                lambda: int(bin(bits(collate([handmade(ONE)]).mask_B_T[0]))[3:], 2),
                N_("The digits are right. Put 0b1_ in front of them: that 1 holds the place."),
            ),
            Hint(
                lambda: bits(~collate([handmade(ONE)]).mask_B_T[0]),
                N_("That is the mask upside down: 1 is where the policy wrote the token."),
            ),
        ),
        otherwise=N_(
            "Write the words of ids[1:] one below the other, and beside each a 1 if it has no "
            "brackets. Mind the 1 in front that holds the place."
        ),
    ),
    Check(
        id="x6-shifts",
        kind="integer",
        truth=lambda: try_test(_asserted_mask, SHIFTS).mistakes,
        hints=(
            Hint(lambda: len(SHIFTS), _SILENT),
            Hint(lambda: 1, _REFUSES),
        ),
        otherwise=N_("The table says which shifts your test lets through. Compare every column."),
    ),
    Check(
        id="x6-faults",
        kind="integer",
        truth=lambda: try_test(_asserted_all).mistakes,
        hints=(
            Hint(lambda: len(FAULTS), _SILENT),
            Hint(
                lambda: try_test(_asserted_mask).mistakes,
                N_(
                    "So many get past a test of one trajectory's mask. Some need a second "
                    "trajectory, some a longer one; some leave the mask alone."
                ),
            ),
            Hint(
                lambda: try_test(_asserted_masks).mistakes,
                N_(
                    "Two are left. Those that need another length or a second trajectory show in "
                    "the mask; the others leave it alone. What else does a batch hold?"
                ),
            ),
            Hint(lambda: 1, _REFUSES),
        ),
        otherwise=N_("The table says which faults your test lets through. What would show them?"),
    ),
    Check(
        id="x6-smallest",
        kind="integer",
        truth=smallest_batch,
        hints=(
            Hint(
                _shown_without_prompt,
                N_("Almost: does your prompt have a token that is predicted? Try your batch."),
            ),
            Hint(
                lambda: smallest_batch() - 2,
                N_("Are those predicted tokens, or the longest trajectory? Count all of ids."),
            ),
            Hint(
                lambda: 2 * (smallest_batch() - 2),
                N_("That counts the padding. Count the tokens that somebody wrote."),
            ),
            Hint(
                lambda: smallest_batch() + 1,
                N_("One too many. Need both trajectories end with a word of the policy?"),
            ),
            Hint(
                lambda: sum(len(text.split()) for text in TWO),
                N_("That is the batch of the solution before. A far smaller one will do."),
            ),
        ),
        otherwise=N_(
            "List what each fault needs in order to show: a longer prompt, a second tool span, two "
            "words of the policy in a row, another length. Then let one token serve several."
        ),
    ),
)


def _asserted_mask(collated_by: Collate) -> None:
    batch = collated_by([handmade(ONE)])
    np.testing.assert_array_equal(batch.mask_B_T, [[0, 1, 1, 1, 0, 0, 1, 1]])


def _asserted_masks(collated_by: Collate) -> None:
    trajectories = [handmade(text) for text in TWO]
    np.testing.assert_array_equal(
        collated_by(trajectories).mask_B_T, collate(trajectories).mask_B_T
    )


def _asserted_all(collated_by: Collate) -> None:
    trajectories = [handmade(text) for text in TWO]
    if _differs(collated_by(trajectories), collate(trajectories)):
        raise AssertionError("the batch must be the right one; it was not")
