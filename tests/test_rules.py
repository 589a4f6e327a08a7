"""Rules: what is out of range is refused."""

from __future__ import annotations

import dataclasses

import pytest

from agentrl_lite.bugfix.env import TurnRules
from agentrl_lite.rules import Rules

NAN = float("nan")


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"max_tokens": 1}, "max_tokens"),
        ({"max_tokens": 64.0}, "max_tokens"),
        ({"max_turns": 0}, "max_turns"),
        ({"reward": "secret"}, "reward"),
        ({"truncation": "no"}, "truncation"),
        ({"penalty_on": "failure"}, "penalty_on"),
        ({"penalty": -0.1}, "penalty"),
        ({"penalty": NAN}, "penalty"),
        ({"penalty": float("inf")}, "penalty"),
        ({"broken": (1.5,)}, "broken"),
        ({"broken": (0.5, -0.1)}, "broken"),
        ({"broken": (NAN,)}, "broken"),
        ({"broken": ()}, "broken"),
        ({"truncated_turns": -1}, "truncated_turns"),
        ({"flaky": -0.01}, "flaky"),
        ({"flaky": 1.01}, "flaky"),
        ({"flaky": NAN}, "flaky"),
        ({"flaky_on": "fast"}, "flaky_on"),
        ({"history": "git"}, "history"),
        ({"leaky": (-1,)}, "leaky"),
        ({"leaky": (0.5,)}, "leaky"),
        ({"verbose": -1}, "verbose"),
        ({"verbose": True}, "verbose"),
    ],
    ids=str,
)
def test_rules_out_of_range_are_refused(change, argument):
    with pytest.raises(ValueError, match=f"{argument} must"):
        dataclasses.replace(Rules(), **change)


def test_an_unknown_rule_is_refused():
    with pytest.raises(TypeError, match="penalti"):
        Rules(penalti=0.1)


def test_rules_of_turns_have_the_same_names_and_values():
    """The gym by turns and the episodes of tokens are two adapters to one set of rules."""
    turns = {field.name for field in dataclasses.fields(TurnRules)}
    tokens = {field.name for field in dataclasses.fields(Rules)}
    assert turns <= tokens
    for change in ({"flaky": 0.1, "flaky_on": "slow"}, {"history": "leak"}, {"broken": (0.5,)}):
        Rules(**change)
        TurnRules(**change)
