"""Trajectories written in words."""

import numpy as np
import pytest

from agentrl_lite.handmade import VOCABULARY, handmade
from agentrl_lite.trajectory import Producer, collate

TEXT = "<issue0> <issue1> hmm read end <file> <clue2> edit2 end <patched> passed submit end"


def test_a_text_is_what_the_vocabulary_writes_of_it():
    made = handmade(TEXT, reward=0.5)
    assert VOCABULARY.text(made.ids, made.producer) == TEXT
    assert (made.reward, made.producer.dtype) == (0.5, np.int8)


def test_who_wrote_what():
    A, U, T = Producer.PROMPT, Producer.POLICY, Producer.TOOL
    assert handmade(TEXT).producer.tolist() == [A, A, U, U, U, T, T, U, U, T, U, U, U]
    assert handmade("<issue0>").producer.tolist() == [A]
    assert handmade("hmm <issue0>").producer.tolist() == [U, T]


def test_log_probabilities_tell_places_apart():
    logprobs = handmade(TEXT).behavior_logprobs
    assert np.isnan(logprobs).tolist() == [word.startswith("<") for word in TEXT.split()]
    assert logprobs[4] == -0.4
    assert collate([handmade(TEXT)]).behavior_logprobs_B_T[0, 3] == -0.4


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("  ", "text must hold at least one word"),
        ("hmm perhaps <why>", "it held perhaps, why"),
        ("<ends", "it held <ends"),
    ],
)
def test_bad_texts_are_named(text, named):
    with pytest.raises(ValueError, match=named):
        handmade(text)
