"""Options of a run, and what comes of bad ones: a clear error, or a result that is defined."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from agentrl_lite.experiments import with_option
from agentrl_lite.losses import Clip
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import start, steps, train
from tests.tiny_episodes import BASE, TABLE, V

SHORT = Config(steps=4, prompts=8, group=4)
NAN = float("nan")


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"prompts": 0}, "prompts"),
        ({"prompts": 2.0}, "prompts"),
        ({"group": 0}, "group"),
        ({"group": -1}, "group"),
        ({"steps": -1}, "steps"),
        ({"epochs": 0}, "epochs"),
        ({"seed": 0.5}, "seed"),
        ({"learning_rate": -0.1}, "learning_rate"),
        ({"learning_rate": NAN}, "learning_rate"),
        ({"learning_rate": "0.1"}, "learning_rate"),
        ({"learning_rate": True}, "learning_rate"),
        ({"kl_coef": -1.0}, "kl_coef"),
        ({"entropy_coef": float("inf")}, "entropy_coef"),
        ({"epsilon": None}, "epsilon"),
        ({"aggregation": "mean"}, "aggregation"),
        ({"ddof": 2}, "ddof"),
        ({"optimiser": "lion"}, "optimiser"),
        ({"mask_fault": "shift"}, "mask_fault"),
        ({"proximal": "old"}, "proximal"),
        ({"importance_level": "turn"}, "importance_level"),
        ({"importance_cap": 0.0}, "importance_cap"),
        ({"importance_cap": NAN}, "importance_cap"),
        ({"max_gradient_norm": 0.0}, "max_gradient_norm"),
        ({"minibatches": 17, "microbatches": 2}, "minibatches times microbatches"),
        ({"clip": Clip(-0.1)}, "clip.low"),
        ({"max_length": 0.0}, "max_length"),
        ({"max_length": float("inf")}, "max_length"),
        ({"adam": (1.0, 0.9, 1e-8)}, "adam"),
        ({"adam": (0.9, 0.99, 0.0)}, "adam"),
        ({"adam": (0.9, 0.99)}, "adam"),
    ],
    ids=str,
)
def test_options_out_of_range_are_refused(change, argument):
    with pytest.raises(ValueError, match=f"{argument} must"):
        dataclasses.replace(SHORT, **change)


def test_an_unknown_option_is_refused():
    with pytest.raises(TypeError, match="learning_rat'"):
        Config(learning_rat=0.1)
    with pytest.raises(ValueError, match=r"option must be a field of Config; it was 'lr'"):
        with_option(SHORT, "lr", 0.1)
    with pytest.raises(ValueError, match=r"Config.rules; it was 'rules.fee'"):
        with_option(SHORT, "rules.fee", 0.1)


def test_a_group_of_one_teaches_nothing():
    one = Config(steps=2, prompts=3, group=1, optimiser="sgd")
    history, end = train(one, TABLE)
    assert (end.newest == end.start).all()
    assert history["flat_groups"].tolist() == [1, 1]


def test_a_reward_without_a_value_counts_for_nothing(monkeypatch):
    """As an episode whose verifier broke down: no push, and the group's mean is over the others."""
    from agentrl_lite import trainer

    seen = {}

    def unscored(*args, **kwargs):
        played = seen["real"](*args, **kwargs)
        rewards = played.batch.rewards_B.copy()
        rewards[::5] = NAN
        return played._replace(batch=played.batch._replace(rewards_B=rewards))

    def freeze(config, policy, state, played, mask, advantages_B):
        seen["advantages"], seen["rewards"] = advantages_B, played.batch.rewards_B
        return seen["freeze"](config, policy, state, played, mask, advantages_B)

    seen["real"], seen["freeze"] = trainer.rollout, trainer.freeze
    monkeypatch.setattr(trainer, "rollout", unscored)
    monkeypatch.setattr(trainer, "freeze", freeze)
    history, end = train(dataclasses.replace(SHORT, steps=1, ddof=None), TABLE)
    rewards, advantages = seen["rewards"].reshape(8, 4), seen["advantages"].reshape(8, 4)
    assert np.isnan(rewards).any()
    want = np.nan_to_num(rewards - np.nanmean(rewards, axis=1, keepdims=True))
    assert advantages == pytest.approx(want, abs=1e-15)
    assert np.isfinite(end.newest).all()
    # The figure says so, rather than hide it.
    assert np.isnan(history["reward"][0])


def test_an_infinite_reward_is_refused():
    with (
        np.errstate(over="ignore"),
        pytest.raises(ValueError, match="rewards_P_G must be finite"),
    ):
        train(dataclasses.replace(SHORT, rules=Rules(penalty=1e308)), TABLE)


def test_a_gradient_without_a_size_stops_the_run():
    config = dataclasses.replace(SHORT, entropy_coef=1e308)
    with np.errstate(over="ignore"), pytest.raises(ValueError, match=r"gradient .* in step 1"):
        train(config, TABLE)


def test_an_absurd_rate_gives_a_policy_that_is_sure_of_itself():
    history, end = train(dataclasses.replace(SHORT, learning_rate=1e300), TABLE)
    assert np.isfinite(end.newest).all()
    assert history["policy_entropy"][-1] == pytest.approx(0, abs=1e-9)


def test_a_policy_that_never_ends_a_turn_runs_into_the_cap_and_is_charged():
    W = BASE.copy()
    W[:, V.id["hmm"]] += 100.0
    rules = Rules(penalty=0.1, max_tokens=20)
    done = next(steps(dataclasses.replace(SHORT, rules=rules), TABLE, start(W)))
    played = done.played
    assert played.turns_B.tolist() == [0] * 32
    assert played.lengths_B.tolist() == [19] * 32
    assert played.batch.truncated_B.all()
    assert played.batch.rewards_B == pytest.approx([-0.6] * 32)
    assert done.dashboard.truncated == 1
    assert np.isnan(done.dashboard.success_length)
    assert np.isfinite(done.state.newest).all()


@pytest.mark.parametrize(
    "W", [BASE * NAN, BASE[:-1], np.full_like(BASE, np.inf)], ids=["nan", "shape", "inf"]
)
def test_weights_that_are_none_are_refused(W):
    with pytest.raises(ValueError, match="W must be finite and of shape"):
        train(SHORT, TABLE, start(W))


def test_a_run_that_is_interrupted_inside_a_step_goes_on_from_the_step_before(monkeypatch):
    """Ctrl-C may come anywhere; the state of the last whole step is untouched."""
    from agentrl_lite import trainer

    whole, end = train(SHORT, TABLE)
    real, updates = trainer.update, []

    def interrupted(*args):
        updates.append(args)
        if len(updates) == 3:
            raise KeyboardInterrupt
        return real(*args)

    states = []

    def keep_states():
        for done in steps(SHORT, TABLE):
            states.append(done.state)

    monkeypatch.setattr(trainer, "update", interrupted)
    with pytest.raises(KeyboardInterrupt):
        keep_states()
    monkeypatch.setattr(trainer, "update", real)
    state = states[-1]
    assert state.step == 2
    rest, again = train(SHORT, TABLE, state)
    assert (again.newest == end.newest).all()
    assert rest["reward"].tolist() == whole["reward"][2:].tolist()
