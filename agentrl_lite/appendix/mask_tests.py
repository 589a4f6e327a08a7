"""What a unit test of `collate` is held against: the right one, and faulty ones planted here.

A fault is a `collate` with one thing wrong. A test that stays green on it lets it through; the
field calls such a fault a surviving mutant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.i18n import N_, _
from agentrl_lite.trajectory import Batch, Producer, Trajectory, collate

Bools = NDArray[np.bool_]
Collate = Callable[[Sequence[Trajectory]], Batch]
Test = Callable[[Collate], object]


class Fault(NamedTuple):
    """A `collate` that is wrong, on purpose.

    Attributes:
        id: `shift-1`, `span`, `padding`.
        label: what is wrong, in a few words; marked with `N_`.
        collate: the faulty function.
    """

    id: str
    label: str
    collate: Collate


def with_mask(make: Callable[[Batch], Bools]) -> Collate:
    """Return a `collate` with another mask; log-probabilities go with the mask.

    Args:
        make: returns the mask, shape (B, T), given the right batch.
    """

    def faulty(trajectories: Sequence[Trajectory]) -> Batch:
        batch = collate(trajectories)
        mask = make(batch)
        return batch._replace(
            mask_B_T=mask,
            behavior_logprobs_B_T=np.where(mask, batch.behavior_logprobs_B_T, 0.0),
        )

    return faulty


def shifted(by: int) -> Collate:
    """Return a `collate` whose mask asks who wrote the token `by` places after the predicted one.

    Args:
        by: 0 is right; -1 takes `ids` for `ids[:, 1:]`.
    """

    def mask(batch: Batch) -> Bools:
        width = batch.mask_B_T.shape[1]
        columns = np.arange(1, width + 1) + by
        inside = (columns >= 0) & (columns <= width)
        asked = batch.producer[:, np.clip(columns, 0, width)] == Producer.POLICY
        return np.asarray(asked & inside & (batch.producer[:, 1:] != Producer.PAD))

    return with_mask(mask)


def _also(*kinds: Producer) -> Collate:
    """Let the tokens of other producers in as well."""
    return with_mask(lambda batch: batch.mask_B_T | np.isin(batch.producer[:, 1:], kinds))


def _edges(batch: Batch) -> tuple[Bools, Bools]:
    """Tell which predicted tokens are the first of a tool span, and which are the last."""
    tool = np.pad(batch.producer == Producer.TOOL, ((0, 0), (0, 1)))
    now, before, after = tool[:, 1:-1], tool[:, :-2], tool[:, 2:]
    return now & ~before, now & ~after


def _later_spans(batch: Batch) -> Bools:
    """Tell which predicted tokens belong to the second tool span or to one after it."""
    spans = np.cumsum(_edges(batch)[0], axis=1)
    return np.asarray((batch.producer[:, 1:] == Producer.TOOL) & (spans > 1))


def _last_tokens(batch: Batch) -> Bools:
    """Tell which predicted token is the last of each trajectory."""
    real = batch.producer[:, 1:] != Producer.PAD
    return np.asarray(real & ~np.pad(real, ((0, 0), (0, 1)))[:, 1:])


def _said_by_tools(batch: Batch) -> Bools:
    """Tell which predicted tokens are words that some tool says somewhere in the batch."""
    return np.isin(batch.ids[:, 1:], batch.ids[batch.producer == Producer.TOOL])


def _late_logprobs(trajectories: Sequence[Trajectory]) -> Batch:
    batch = collate(trajectories)
    before = np.pad(batch.behavior_logprobs_B_T, ((0, 0), (1, 0)))[:, :-1]
    return batch._replace(behavior_logprobs_B_T=np.where(batch.mask_B_T, before, 0.0))


def _encoded_again(trajectories: Sequence[Trajectory]) -> Batch:
    """Give the first two neighbours that the policy wrote other ids, as another split would."""
    batch = collate(trajectories)
    ids, own = batch.ids, batch.producer == Producer.POLICY
    for row, pairs in zip(ids, own[:, :-1] & own[:, 1:], strict=True):
        for start in np.flatnonzero(pairs)[:1]:
            row[start : start + 2] = ids.max() + 1, ids.max() + 2
    return batch


SHIFTS = tuple(
    Fault(f"shift{by:+d}", N_("whole mask shifted"), shifted(by)) for by in (-3, -2, -1, 1, 2, 3)
)

FAULTS = (
    *SHIFTS,
    Fault("span", N_("tool output let in"), _also(Producer.TOOL)),
    Fault("prompt", N_("prompt let in"), _also(Producer.PROMPT)),
    Fault("padding", N_("padding let in"), _also(Producer.PAD)),
    Fault(
        "tool-first",
        N_("first token of each tool span let in"),
        with_mask(lambda batch: batch.mask_B_T | _edges(batch)[0]),
    ),
    Fault(
        "tool-last",
        N_("last token of each tool span let in"),
        with_mask(lambda batch: batch.mask_B_T | _edges(batch)[1]),
    ),
    Fault(
        "tool-later",
        N_("tool spans after the first let in"),
        with_mask(lambda batch: batch.mask_B_T | _later_spans(batch)),
    ),
    Fault(
        "turn-first",
        N_("token behind each tool span left out"),
        with_mask(lambda batch: batch.mask_B_T & (batch.producer[:, :-1] != Producer.TOOL)),
    ),
    Fault(
        "last",
        N_("last token of each trajectory left out"),
        with_mask(lambda batch: batch.mask_B_T & ~_last_tokens(batch)),
    ),
    Fault(
        "by-word",
        N_("policy's tokens left out that a tool says too"),
        with_mask(lambda batch: batch.mask_B_T & ~_said_by_tools(batch)),
    ),
    Fault(
        "first-row",
        N_("first trajectory's mask taken for all"),
        with_mask(lambda batch: np.broadcast_to(batch.mask_B_T[:1], batch.mask_B_T.shape)),
    ),
    Fault("empty", N_("everything left out"), with_mask(lambda b: np.zeros_like(b.mask_B_T))),
    Fault("logprobs", N_("log-probabilities one place late"), _late_logprobs),
    Fault("ids", N_("text decoded and encoded again"), _encoded_again),
)


class Trial(NamedTuple):
    """How a test did.

    Attributes:
        right: what it said of the right `collate`; empty if it was content.
        survivors: ids of the faults that it let through.
        faults: those that it was tried on.
    """

    right: str
    survivors: tuple[str, ...]
    faults: tuple[Fault, ...]

    @property
    def mistakes(self) -> int:
        """Faults let through, and one more for refusing what is right."""
        return len(self.survivors) + bool(self.right)

    def rows(self) -> list[dict[str, str]]:
        """Return a line for the right `collate` and one for each fault, as `table` takes them."""
        refused = bool(self.right)
        right = _("nothing, but: {complaint}") if refused else _("nothing")
        said = [(_("none"), right.format(complaint=self.right), refused, refused)]
        for fault in self.faults:
            red = fault.id not in self.survivors
            said.append((fault.id, _(fault.label), red, not red))
        names = _("fault"), _("what is wrong"), _("the test is"), _("mistake")
        rows = (
            (name, what, _("red") if red else _("green"), _("yes") if mistaken else "")
            for name, what, red, mistaken in said
        )
        return [dict(zip(names, row, strict=True)) for row in rows]


def complaint(test: Test, collated_by: Collate) -> str:
    """Run a test on one `collate` and return what it complained of; empty for nothing.

    A test complains by raising an error. One that returns something has not asserted it, and that
    is a complaint about the test.
    """
    try:
        answer = test(collated_by)
    except Exception as error:
        return f"{type(error).__name__}: {error}".rstrip(": ")
    return "" if answer is None else f"returned {answer!r} in place of an assert"


def try_test(test: Test, faults: Iterable[Fault] = FAULTS) -> Trial:
    """Run a test on the right `collate` and on faulty ones.

    Args:
        test: takes a `collate`; raises an error, as `assert` does, if it is wrong.
        faults: what to plant.

    Raises:
        TypeError: for a test that cannot be called.

    >>> try_test(lambda collate: None, SHIFTS).mistakes
    6
    """
    if not callable(test):
        raise TypeError(f"test must be a function that takes a collate; it was {test!r}")
    planted = tuple(faults)
    survivors = tuple(f.id for f in planted if not complaint(test, f.collate))
    return Trial(complaint(test, collate), survivors, planted)
