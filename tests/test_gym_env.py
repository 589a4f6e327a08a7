"""The gymnasium adapter passes gymnasium's own check, and plays what an `Episode` plays."""

import numpy as np
import pytest

from agentrl_lite.bugfix import TASKS, Action, Episode, TurnRules

gymnasium = pytest.importorskip(
    "gymnasium", reason="gymnasium is not installed: pip install 'agentrl-lite[gym]'"
)
from gymnasium.utils.env_checker import check_env  # noqa: E402

from agentrl_lite.gym_env import LONGEST_OBSERVATION, NAME, BugfixEnv  # noqa: E402

RULES = [
    TurnRules(),
    TurnRules(history="none"),
    TurnRules(history="leak", flaky=0.3, broken=(0.2,), penalty=0.02, truncation="score"),
]


@pytest.mark.parametrize("rules", RULES, ids=["plain", "no history", "everything"])
@pytest.mark.parametrize("render_mode", [None, "ansi"])
def test_gymnasiums_own_check(rules, render_mode):
    env = gymnasium.make(NAME, rules=rules, render_mode=render_mode)
    check_env(env.unwrapped)
    env.close()


def test_it_plays_what_an_episode_plays():
    env = BugfixEnv(rules=RULES[2])
    for seed in range(5):
        env.action_space.seed(seed)
        observation, info = env.reset(seed=seed)
        task = next(task for task in TASKS if task.name == info["task"])
        rng = gymnasium.utils.seeding.np_random(seed)[0]
        rng.integers(len(TASKS))
        episode = Episode(task, RULES[2], rng=rng)
        assert observation == episode.prompt
        ended = False
        while not ended:
            action = env.action_space.sample()
            got, want = env.step(action), episode.step(env.actions[action])
            assert got == want
            ended = got[2] or got[3]


def test_all_tasks_are_drawn():
    env = BugfixEnv()
    names = {env.reset(seed=0)[1]["task"], *(env.reset()[1]["task"] for _ in range(300))}
    assert names == {task.name for task in TASKS}


def test_every_observation_lies_in_the_space():
    env = BugfixEnv(rules=RULES[2])
    for task in TASKS:
        for action in range(len(env.actions)):
            env.reset(seed=1, options={"task": task.name})
            observation = env.step(action)[0]
            assert env.observation_space.contains(observation)
            assert len(observation) < LONGEST_OBSERVATION  # none is cut off
            assert "?" not in observation


def test_actions_without_a_log():
    assert Action("log") in BugfixEnv().actions
    assert Action("log") not in BugfixEnv(rules=RULES[1]).actions


def test_render_shows_what_was_last_seen():
    env = BugfixEnv(render_mode="ansi")
    observation, _info = env.reset(seed=0)
    assert env.render() == observation
    observation = env.step(np.int64(0))[0]
    assert env.render() == observation
    assert BugfixEnv().render() is None


def test_bad_input_is_named():
    env = BugfixEnv()
    with pytest.raises(ValueError, match="step must come after reset"):
        env.step(0)
    with pytest.raises(ValueError, match=r"task must be one of overlaps, .*; it was 'none'"):
        env.reset(options={"task": "none"})
    env.reset(seed=0)
    for action in (-1, 10, 1.5, "read"):
        with pytest.raises(ValueError, match="action must be a whole number from 0 to 9; it was"):
            env.step(action)
    with pytest.raises(ValueError, match="tasks must hold at least one"):
        BugfixEnv(tasks=())
    with pytest.raises(ValueError, match="render_mode must be None or 'ansi'; it was 'human'"):
        BugfixEnv(render_mode="human")
