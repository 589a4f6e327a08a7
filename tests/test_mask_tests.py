"""Faults planted in `collate`, against lists written by hand; and what a test of masks is told."""

import numpy as np
import pytest

from agentrl_lite.appendix.mask_tests import FAULTS, SHIFTS, complaint, shifted, try_test
from agentrl_lite.handmade import handmade
from agentrl_lite.trajectory import collate, loss_mask

#            1   2   3   4   5   6   7   8   9  10
LONG = "<issue0> <issue1> hmm end <file> <clue1> <dot> hmm end <error> end"
SHORT = "<issue0> <issue0> file end"
BATCH = [handmade(LONG), handmade(SHORT)]
#        ids[1:] of LONG                  and of SHORT
RIGHT = [[0, 1, 1, 0, 0, 0, 1, 1, 0, 1], [0, 1, 1, 0, 0, 0, 0, 0, 0, 0]]
BY_HAND = {
    "shift-3": [[0, 0, 0, 0, 1, 1, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    "shift-2": [[0, 0, 0, 1, 1, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    "shift-1": [[0, 0, 1, 1, 0, 0, 0, 1, 1, 0], [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]],
    "shift+1": [[1, 1, 0, 0, 0, 1, 1, 0, 1, 0], [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
    "shift+2": [[1, 0, 0, 0, 1, 1, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    "shift+3": [[0, 0, 0, 1, 1, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    "span": [[0, 1, 1, 1, 1, 1, 1, 1, 1, 1], RIGHT[1]],
    "prompt": [[1, 1, 1, 0, 0, 0, 1, 1, 0, 1], [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]],
    "padding": [RIGHT[0], [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    "tool-first": [[0, 1, 1, 1, 0, 0, 1, 1, 1, 1], RIGHT[1]],
    "tool-last": [[0, 1, 1, 0, 0, 1, 1, 1, 1, 1], RIGHT[1]],
    "tool-later": [[0, 1, 1, 0, 0, 0, 1, 1, 1, 1], RIGHT[1]],
    "turn-first": [[0, 1, 1, 0, 0, 0, 0, 1, 0, 0], RIGHT[1]],
    "last": [[0, 1, 1, 0, 0, 0, 1, 1, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
    "by-word": [RIGHT[0], [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]],
    "first-row": [RIGHT[0], RIGHT[0]],
    "empty": [[0] * 10, [0] * 10],
    "logprobs": RIGHT,
    "ids": RIGHT,
}
FAULT = {fault.id: fault for fault in FAULTS}


def test_every_fault_is_known_by_its_mask():
    assert collate(BATCH).mask_B_T.astype(int).tolist() == RIGHT
    masks = {name: f.collate(BATCH).mask_B_T.astype(int).tolist() for name, f in FAULT.items()}
    assert masks == BY_HAND


@pytest.mark.parametrize("name", ["shift-1", "shift+1"])
def test_a_shift_by_one_is_the_fault_that_trainers_are_given(name):
    batch = FAULT[name].collate(BATCH)
    assert (batch.mask_B_T == loss_mask(batch.producer, fault=name)).all()


def test_a_shift_by_none_is_right():
    for ours, theirs in zip(shifted(0)(BATCH), collate(BATCH), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_shift_beyond_the_ends_lets_nothing_in():
    assert not shifted(40)(BATCH).mask_B_T.any()
    assert not shifted(-40)(BATCH).mask_B_T.any()


def test_before_the_first_token_nobody_wrote_anything():
    continued = [handmade("hmm read end")]
    assert shifted(-2)(continued).mask_B_T.tolist() == [[False, True]]


def test_log_probabilities_come_from_the_token_before():
    late = FAULT["logprobs"].collate(BATCH).behavior_logprobs_B_T
    assert late[0].tolist() == [0, 0, -0.2, 0, 0, 0, 0, -0.7, 0, 0]


def test_other_ids_and_all_else_as_it_was():
    right, other = collate(BATCH), FAULT["ids"].collate(BATCH)
    changed = np.argwhere(other.ids != right.ids).tolist()
    assert changed == [[0, 2], [0, 3], [1, 2], [1, 3]]
    np.testing.assert_array_equal(other.behavior_logprobs_B_T, right.behavior_logprobs_B_T)


def test_no_fault_changes_its_input():
    before = [t.ids.tolist() for t in BATCH]
    for fault in FAULTS:
        fault.collate(BATCH)
    assert [t.ids.tolist() for t in BATCH] == before


def asserts_mask(collated_by):
    assert collated_by(BATCH).mask_B_T.astype(int).tolist() == RIGHT


def test_a_test_is_told_what_it_lets_through():
    tried = try_test(asserts_mask)
    assert (tried.right, tried.survivors, tried.mistakes) == ("", ("logprobs", "ids"), 2)
    rows = [tuple(row.values()) for row in tried.rows()]
    assert rows[0] == ("none", "nothing", "green", "")
    assert rows[1] == ("shift-3", "whole mask shifted", "red", "")
    assert rows[-1] == ("ids", "text decoded and encoded again", "green", "yes")
    assert len(rows) == len(FAULTS) + 1


def test_an_empty_test_lets_everything_through():
    assert try_test(lambda collated_by: None).mistakes == len(FAULTS)
    assert try_test(lambda collated_by: None, SHIFTS).mistakes == len(SHIFTS)


def test_a_test_that_refuses_everything_is_mistaken_once():
    def refuses(collated_by):
        raise AssertionError

    tried = try_test(refuses)
    assert (tried.right, tried.survivors, tried.mistakes) == ("AssertionError", (), 1)
    marks = [(row["the test is"], row["mistake"]) for row in tried.rows()]
    assert tried.rows()[0]["what is wrong"] == "nothing, but: AssertionError"
    assert marks == [("red", "yes")] + [("red", "")] * len(FAULTS)


def test_what_is_returned_is_not_asserted():
    tried = try_test(lambda collated_by: collated_by(BATCH).mask_B_T.sum() == 7)
    assert tried.mistakes == 1
    assert "in place of an assert" in tried.right


def test_a_broken_test_says_how_it_broke():
    assert complaint(lambda collated_by: collated_by([]), collate).startswith("ValueError: traj")
    assert "unexpected" in complaint(lambda collated_by: collated_by(x=1), collate)


def test_an_interrupt_is_no_complaint():
    def interrupted(collated_by):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        try_test(interrupted)


def test_what_cannot_be_called_is_refused():
    with pytest.raises(TypeError, match=r"test must be a function.*Ellipsis"):
        try_test(...)
