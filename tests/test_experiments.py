"""Experiments: what an arm may be, and how arms differ."""

from dataclasses import fields, replace

import pytest

from agentrl_lite.dashboard import Dashboard
from agentrl_lite.experiments import (
    Arm,
    Experiment,
    Knob,
    Panel,
    experiment,
    experiment_ids,
    with_option,
)
from agentrl_lite.run_config import Config

PANELS = (Panel("reward", "Reward", (0, 1)),)
TWO = (Arm("failing", "one", Config()), Arm("mended", "two", Config(epochs=2)))


def made(**change):
    return Experiment(**{"id": "q99", "arms": TWO, "panels": PANELS, "knobs": ()} | change)


def options(config):
    """Return every option of a run, those inside its parts by their dotted name."""
    flat = {}
    for field in fields(Config):
        value = getattr(config, field.name)
        if field.name == "rules":
            flat |= {f"rules.{inner.name}": getattr(value, inner.name) for inner in fields(value)}
        elif field.name == "clip":
            flat |= {f"clip.{name}": part for name, part in value._asdict().items()}
        else:
            flat[field.name] = value
    return flat


def differences(one, other):
    theirs = options(other)
    return {name for name, value in options(one).items() if value != theirs[name]}


@pytest.mark.parametrize("experiment_id", experiment_ids())
def test_arms_differ_from_the_first_and_from_each_other(experiment_id):
    arms = experiment(experiment_id).arms
    for i, arm in enumerate(arms):
        assert all(differences(arm.config, earlier.config) for earlier in arms[:i])


def test_each_control_changes_one_thing():
    changes = {
        (name, arm.id): differences(arm.config, experiment(name).arms[0].config)
        for name in ("q12", "q26", "q27", "q28")
        for arm in experiment(name).arms[1:]
    }
    # Those that are meant to change two or three at once.
    assert changes.pop(("q26", "mended")) == {"learning_rate", "epochs", "clip.high"}
    assert changes.pop(("q26", "halved-higher")) == {"learning_rate", "clip.high"}
    assert changes.pop(("q12", "budget")) == {"rules.penalty", "rules.max_turns"}
    assert {arm: len(change) for arm, change in changes.items()} == dict.fromkeys(changes, 1)


def test_splits_spend_the_same():
    runs = [arm.config for arm in experiment("q03").arms]
    assert {run.prompts * run.group for run in runs} == {128}


@pytest.mark.parametrize("experiment_id", experiment_ids())
def test_knobs_start_where_an_arm_stands(experiment_id):
    given = experiment(experiment_id)
    for knob in given.knobs:
        assert options(given.arms[1].config)[knob.option] in knob.choices.values()
        assert len(knob.choices) > 1


@pytest.mark.parametrize("experiment_id", experiment_ids())
def test_what_is_drawn_is_kept_and_on_the_dashboard(experiment_id):
    given = experiment(experiment_id)
    assert {panel.metric for panel in given.panels} <= set(given.logged) <= set(Dashboard._fields)
    assert all(panel.limits[0] < panel.limits[1] for panel in given.panels)


def test_an_option_is_changed_and_nothing_else():
    base = Config()
    assert with_option(base, "rules.penalty", 0.05) == replace(
        base, rules=replace(base.rules, penalty=0.05)
    )
    assert differences(with_option(base, "clip.high", 0.3), base) == {"clip.high"}
    assert base == Config()


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("speed", 1, r"option must be a field of Config; it was 'speed'"),
        ("rules.speed", 1, r"option must be a field of Config\.rules; it was 'rules\.speed'"),
        ("learning_rate", -1.0, "learning_rate must be .*; it was -1.0"),
        ("rules.penalty", -1.0, "penalty must be finite and at least 0; it was -1.0"),
        ("clip.high", -1.0, "clip"),
    ],
)
def test_bad_options_are_named(option, value, message):
    with pytest.raises(ValueError, match=message):
        with_option(Config(), option, value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arms": TWO[:1]}, "arms of q99 must be at least two"),
        ({"arms": (TWO[0], TWO[0])}, "and differ"),
        ({"arms": (TWO[0], Arm("x", "x", Config(steps=3)))}, "the same number of steps"),
        ({"logged": ("speed",)}, "must be on the dashboard"),
        ({"panels": (Panel("speed", "Speed", (0, 1)),)}, "must be on the dashboard"),
    ],
)
def test_bad_experiments_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        made(**change)


def test_a_knob_refuses_what_a_run_would_refuse():
    with pytest.raises(ValueError, match="epochs must be a whole number from 1"):
        Knob("epochs", "Epochs", {"none": 0})


def test_unknown_names_are_answered_with_the_known():
    with pytest.raises(ValueError, match=r"must be one of .*q27.*; it was 'q99'"):
        experiment("q99")
    with pytest.raises(ValueError, match=r"must be one of failing, mended; it was 'broken'"):
        made().arm("broken")
    assert made().arm("mended") == TWO[1]
