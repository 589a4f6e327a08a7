"""Live runs: what is trained, what the buttons do while it trains, and what static readers get."""

import asyncio
import base64
import functools
import gettext
import io
import re
import sys
import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from agentrl_lite import i18n, pair
from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.experiments import Knob, experiment, experiment_ids, with_option
from agentrl_lite.trainer import policy_for, train
from agentrl_lite.widgets import knobs, live, live_face, runner
from agentrl_lite.widgets.live import MIME, Live, checked_seed

MODULE = sys.modules["agentrl_lite.widgets.live"]
STEPS = 4


class Sketch:
    """A canvas that writes down in place of drawing, which takes longer than the training."""

    def __init__(self, panels, _steps):
        self._panels = panels

    def pngs(self, runs):
        return [
            repr([(label, run[panel.metric].tolist()) for label, run in runs.items()]).encode()
            for panel in self._panels
        ]


@pytest.fixture(autouse=True)
def unhurried(request, monkeypatch):
    """Let a run take no longer than it needs, and draw only where a test is about pictures."""
    monkeypatch.setattr(MODULE, "RUN_S", 0.0)
    monkeypatch.setattr(runner, "SETTLE_S", 0.0)
    if "drawn" not in request.fixturenames:
        monkeypatch.setattr(live_face, "RunsCanvas", Sketch)


@pytest.fixture
def drawn():
    """Ask for a canvas that draws."""


@pytest.fixture
def run():
    return live("q27", steps=STEPS)


def words(widget):
    return re.sub(r"<[^>]*>", "", widget.value)


def pictures(run):
    return [picture.value for picture in run.face.pictures]


def figures_of(history):
    return {name: history[name] for name in history.rows[0]._fields}


def same(one, other):
    """Compare two histories, every figure of them."""
    if len(one) != len(other):
        return False
    return all(
        np.array_equal(a, b, equal_nan=True)
        for a, b in zip(figures_of(one).values(), figures_of(other).values(), strict=True)
    )


@functools.cache
def trained(arm, seed=1, steps=STEPS, **options):
    config = replace(experiment("q27").arm(arm).config, seed=seed, steps=steps)
    for option, value in options.items():
        config = with_option(config, option.replace("__", "."), value)
    return train(config, outcomes())[0]


async def begin(run):
    """Press Run, and wait until the training that it asks for has begun."""
    before = run._pair
    run.face.run.click()
    await until(lambda: run._pair is not before and run.runner.state == "running")


async def until(condition):
    """Wait for what the training does in the background."""
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not happen")


# ---- what is trained ---------------------------------------------------------------------------


def test_both_arms_are_trained_as_the_trainer_trains_them(run):
    for arm in ("failing", "mended"):
        assert same(run.history(arm), trained(arm))
        assert same(run.latest[arm], run.history(arm))
    assert (run.seed, run.steps, run.arms) == (1, STEPS, ("failing", "mended"))


def test_histories_hold_the_steps_that_both_arms_have_done(run):
    both = run._pair_of(1, STEPS)
    pieces = both.train()
    for _piece in range(3):
        next(pieces)
    assert both.done == len(both.history("failing")) == len(both.history("mended")) == 1
    assert both.first("failing", "reward") == both.last("failing", "reward")
    assert both.last("failing", "reward") == trained("failing")["reward"][0]


def test_seed_arms_and_panels_may_be_chosen():
    run = live("q27", seed=3, steps=2, arms=("mended", "blind"), panels=("reward", "truncated"))
    assert same(run.history("blind"), trained("blind", seed=3, steps=2))
    assert [panel.metric for panel in run.panels] == ["reward", "truncated"]
    assert len(run.face.pictures) == 2


def test_the_first_two_arms_are_the_default_in_every_experiment():
    for name in experiment_ids():
        assert live(name, steps=1).arms == tuple(arm.id for arm in experiment(name).arms[:2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"experiment_id": "q99"}, "experiment must be one of .*q27.*; it was 'q99'"),
        ({"arms": ("failing", "none")}, "arm must be one of failing, mended, .*; it was 'none'"),
        ({"arms": ("failing",)}, "arms must be two different ones"),
        ({"arms": ("failing", "failing")}, "arms must be two different ones"),
        ({"seed": -1}, "seed must be a whole number from 0 to 999,999; it was -1"),
        ({"seed": 1.5}, "seed must be a whole number .*; it was 1.5"),
        ({"seed": True}, "seed must be a whole number .*; it was True"),
        ({"steps": 0}, "steps must be a whole number from 1; it was 0"),
        ({"steps": 2.0}, "steps must be a whole number from 1; it was 2.0"),
        ({"panels": ("reward", "x")}, "panels must be some of failure_length, .*; there was x"),
        ({"panels": ()}, "panels must be some of failure_length, .*; there was none"),
    ],
)
def test_what_cannot_be_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        live(**{"experiment_id": "q27"} | arguments)


@pytest.mark.parametrize("seed", [float("nan"), float("inf"), 1e6])
def test_no_seed_is_made_of_what_is_not_a_number_or_too_large(seed):
    with pytest.raises(ValueError, match="seed must be a whole number"):
        checked_seed(seed)


def test_another_arm_has_no_history(run):
    for ask in (run.history, run.sample):
        with pytest.raises(ValueError, match="arm must be one of failing, mended; it was 'blind'"):
            ask("blind")


@pytest.mark.parametrize(
    ("experiment_id", "shows"),
    [
        ("q27", pair._is_truncated),
        ("q28", pair._utters),
        ("q12", pair._submits_at_once),
        ("q26", lambda played, _vocabulary: ~played.solved_B),
    ],
)
def test_a_sample_is_the_first_episode_that_shows_the_failure(experiment_id, shows):
    run = live(experiment_id, steps=3)
    played = run._stored._played["failing"]
    vocabulary = policy_for(outcomes(), experiment(experiment_id).arms[0].config.rules).vocabulary
    found = np.flatnonzero(shows(played, vocabulary))
    row = found[0] if found.size else np.flatnonzero(~played.solved_B)[0]
    batch = played.batch
    assert run.sample("failing") == vocabulary.text(batch.ids[row], batch.producer[row])


@pytest.fixture
def browser_run(monkeypatch):
    """Return a run of four steps as it is in a browser, where Python is slow."""
    monkeypatch.setattr(sys, "platform", "emscripten")
    return live("q27", steps=STEPS)


def test_in_a_browser_the_cells_own_training_is_whole(browser_run):
    """What notebooks assert of it was found with all steps."""
    assert browser_run.steps == len(browser_run.history("failing")) == STEPS
    assert same(browser_run.history("mended"), trained("mended"))


def test_in_a_browser_a_run_from_the_button_takes_a_third_of_the_steps(browser_run):
    face = browser_run.face
    assert (face.progress.value, face.progress.max) == (STEPS, STEPS)
    face.seed.value = 5
    face.run.click()
    assert same(browser_run.latest["failing"], trained("failing", seed=5, steps=2))
    assert words(face.told) == "Done: step 2 of 2"
    assert (face.progress.value, face.progress.max) == (2, 2)
    assert words(face.summary).startswith("With seed 5, in the mean of steps 1 to 2:")
    assert len(browser_run.history("failing")) == STEPS


def test_in_a_browser_it_says_how_many_steps_a_run_takes(browser_run):
    said = [words(child) for child in browser_run.face.view.children if hasattr(child, "value")]
    assert "Python is slower in a browser: a run from here takes 2 of 4 steps." in said


def test_elsewhere_it_says_nothing_of_browsers(run):
    assert not [
        child for child in run.face.view.children if "browser" in str(getattr(child, "value", ""))
    ]


# ---- what the buttons do -----------------------------------------------------------------------


def test_without_an_event_loop_a_press_trains_to_the_end(run):
    run.face.seed.value = 5
    run.face.run.click()
    assert same(run.latest["failing"], trained("failing", seed=5))
    assert words(run.face.told) == f"Done: step {STEPS} of {STEPS}"
    assert run.runner.state == "idle"


def test_a_run_from_the_button_is_the_trainers_and_history_stays_that_of_the_cell(run):
    async def play():
        run.face.seed.value = 2
        await begin(run)
        assert run.face.run.description == "Start again"
        await until(lambda: run.runner.state == "idle")

    before = pictures(run)
    asyncio.run(play())
    for arm in run.arms:
        assert same(run.latest[arm], trained(arm, seed=2))
        assert same(run.history(arm), trained(arm, seed=1))
    assert run.seed == 1
    assert run.face.progress.value == STEPS
    assert words(run.face.told) == f"Done: step {STEPS} of {STEPS}"
    assert words(run.face.summary).startswith("With seed 2, in the mean of steps 1 to 4:")
    assert pictures(run) != before
    assert run.face.problem.value == ""
    assert run.face.run.description == "Run"


def test_pause_holds_and_goes_on_as_if_nothing_had_been():
    async def play():
        run = live("q27", steps=12)
        await begin(run)
        await until(lambda: run._pair.done >= 2)
        run.face.hold.click()
        held, drawn = run._pair.done, pictures(run)
        assert words(run.face.told) == f"Paused at step {held} of 12"
        assert run.face.hold.description == "Go on"
        await asyncio.sleep(0.2)
        # A step of one arm may have been under way when the button was pressed.
        assert (run._pair.done, pictures(run)) == (held, drawn)
        run.face.hold.click()
        assert run.face.hold.description == "Pause"
        await until(lambda: run.runner.state == "idle")
        return run

    run = asyncio.run(play())
    assert same(run.latest["failing"], trained("failing", steps=12))
    assert same(run.latest["mended"], trained("mended", steps=12))


def test_stop_keeps_what_is_drawn_and_a_new_run_can_begin():
    async def play():
        run = live("q27", steps=12)
        await begin(run)
        await until(lambda: run._pair.done >= 2)
        run.face.end.click()
        done, drawn = run._pair.done, pictures(run)
        assert run.runner.state == "idle"
        assert words(run.face.told) == f"Stopped at step {done} of 12"
        await asyncio.sleep(0.2)
        assert (run._pair.done, pictures(run)) == (done, drawn)
        assert same(run.latest["failing"], trained("failing", steps=done))
        assert words(run.face.summary).startswith(f"With seed 1, in the mean of steps 1 to {done}:")
        await begin(run)
        await until(lambda: run.runner.state == "idle")
        return run

    run = asyncio.run(play())
    assert same(run.latest["mended"], trained("mended", steps=12))


def test_stop_ends_a_paused_run_too():
    async def play():
        run = live("q27", steps=12)
        await begin(run)
        await until(lambda: run._pair.done >= 1)
        run.face.hold.click()
        run.face.end.click()
        assert run.runner.state == "idle"
        assert run.face.hold.description == "Pause"
        await asyncio.sleep(0.1)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(play()) == set(), "something still waits"


def test_what_was_typed_before_a_press_counts_though_it_comes_after_it(run, monkeypatch):
    """A kernel may take a widget's messages on two threads, each at its own pace."""
    monkeypatch.setattr(runner, "SETTLE_S", 0.05)

    async def play():
        run.face.run.click()
        await asyncio.sleep(0.01)
        run.face.seed.value = 6
        await until(lambda: run._pair.seed == 6 and run.runner.state == "idle")

    asyncio.run(play())
    assert same(run.latest["failing"], trained("failing", seed=6))


def test_a_press_to_stop_takes_back_one_to_begin(run, monkeypatch):
    monkeypatch.setattr(runner, "SETTLE_S", 0.05)

    async def play():
        before = run._pair
        run.face.run.click()
        run.face.end.click()
        await asyncio.sleep(0.1)
        assert run._pair is before

    asyncio.run(play())


def test_two_presses_begin_once(run, monkeypatch):
    begun = []
    monkeypatch.setattr(run, "start", lambda: begun.append(1))

    async def play():
        run.face.run.click()
        run.face.run.click()
        await asyncio.sleep(0.05)

    asyncio.run(play())
    assert begun == [1]


@pytest.mark.parametrize("paused", [False, True])
def test_starting_again_leaves_the_run_that_goes(paused):
    async def play():
        run = live("q27", steps=6)
        await begin(run)
        await until(lambda: run._pair.done >= 2)
        if paused:
            run.face.hold.click()
        old = run._pair
        done = old.done
        run.face.seed.value = 7
        await begin(run)
        assert run._pair is not old
        await until(lambda: run.runner.state == "idle")
        assert old.done == done
        return run

    run = asyncio.run(play())
    assert same(run.latest["failing"], trained("failing", seed=7, steps=6))
    assert words(run.face.told) == "Done: step 6 of 6"


def test_pause_and_stop_do_nothing_where_nothing_goes(run):
    async def play():
        run.face.hold.click()
        run.face.end.click()
        assert run.runner.state == "idle"
        assert words(run.face.told) == f"Done: step {STEPS} of {STEPS}"

    asyncio.run(play())


def broken_after(pieces, error):
    """Return a training that raises after so many steps."""

    def train(self):
        whole = Pair_train(self)
        for _piece in range(pieces):
            yield next(whole)
        raise error

    return train


Pair_train = pair.Pair.train


@pytest.mark.parametrize("looped", [True, False])
def test_an_exception_in_training_is_shown_and_the_next_run_is_sound(run, monkeypatch, looped):
    async def with_loop():
        before = run._pair
        run.face.run.click()
        await until(lambda: run._pair is not before and run.runner.state == "idle")

    def go():
        asyncio.run(with_loop()) if looped else run.face.run.click()

    with monkeypatch.context() as patch:
        patch.setattr(pair.Pair, "train", broken_after(4, ZeroDivisionError("no <groups> left")))
        go()
    assert "ZeroDivisionError: no &lt;groups&gt; left" in run.face.problem.value
    assert 'role="alert"' in run.face.problem.value
    assert words(run.face.told) == f"Stopped at step 2 of {STEPS}"
    assert run.runner.state == "idle"
    go()
    assert run.face.problem.value == ""
    assert same(run.latest["failing"], trained("failing"))


def test_an_exception_in_drawing_is_shown_too(run, monkeypatch):
    async def play():
        def fail(_pair):
            raise RuntimeError("no paint")

        monkeypatch.setattr(MODULE, "REDRAW_S", 0.0)
        await begin(run)
        monkeypatch.setattr(run.face, "count", fail, raising=True)
        await asyncio.sleep(0.05)

    run.runner._changed = lambda: None
    asyncio.run(play())
    assert "RuntimeError: no paint" in run.face.problem.value


@pytest.mark.parametrize(
    ("typed", "says"),
    [(-3, "it was -3"), (2.5, "it was 2.5"), (1e9, "it was 1000000000")],
)
def test_a_bad_seed_is_answered_at_once_and_runs_nothing(run, typed, says):
    before = run._pair
    run.face.seed.value = typed
    assert "seed must be a whole number from 0 to 999,999" in run.face.problem.value
    assert says in run.face.problem.value
    run.face.run.click()
    assert run._pair is before
    assert run.face.problem.value
    run.face.seed.value = 8
    assert run.face.problem.value == ""
    run.face.run.click()
    assert run._pair.seed == 8


def test_two_widgets_train_at_once_and_do_not_touch_each_other():
    async def play():
        one, two = live("q27", steps=6), live("q12", steps=6)
        still = pictures(two)
        await begin(one)
        await until(lambda: one._pair.done >= 1)
        assert pictures(two) == still
        assert two.runner.state == "idle"
        two.face.seed.value = 4
        await begin(two)
        await until(lambda: two._pair.done >= 1)
        two.face.hold.click()
        await until(lambda: one.runner.state == "idle")
        assert two.runner.state == "paused"
        two.face.hold.click()
        await until(lambda: two.runner.state == "idle")
        return one, two

    one, two = asyncio.run(play())
    assert same(one.latest["failing"], trained("failing", steps=6))
    config = replace(experiment("q12").arms[0].config, seed=4, steps=6)
    assert same(two.latest["failing"], train(config, outcomes())[0])


def test_a_press_that_comes_on_another_thread_trains_on_the_cells_own_loop(monkeypatch):
    """JupyterLab may have a widget's messages handled on a thread and a loop of their own."""

    async def play():
        monkeypatch.setattr(runner, "PATIENCE_S", 0.05)
        run = live("q27", steps=6)
        threads = []
        run.runner._after = lambda: threads.append(threading.get_ident())

        async def press(button):
            button.click()
            await asyncio.sleep(0.1)

        def aside(button):
            thread = threading.Thread(target=lambda: asyncio.run(press(button)))
            thread.start()
            return thread

        aside(run.face.run).join()  # this loop is busy meanwhile
        assert words(run.face.told) == "Starts when the kernel is free"
        await until(lambda: run.runner.state == "running")
        aside(run.face.hold)
        await until(lambda: run.runner.state == "paused")
        run.face.end.click()

        said = []
        run.face.told.observe(lambda change: said.append(change["new"]), "value")
        beside = aside(run.face.run)
        await until(lambda: run.runner.state == "idle" and run._pair.done == 6)
        while beside.is_alive():
            await asyncio.sleep(0.01)
        assert not any("Starts when" in text for text in said), "the loop had come at once"
        assert set(threads) == {threading.get_ident()}

    asyncio.run(play())


def test_a_loop_that_has_ended_is_replaced_by_the_one_of_the_press():
    async def make():
        return live("q27", steps=STEPS)

    async def play(run):
        await begin(run)
        assert run.runner.state == "running"
        await until(lambda: run.runner.state == "idle")

    run = asyncio.run(make())
    asyncio.run(play(run))
    asyncio.run(play(run))
    assert same(run.latest["failing"], trained("failing"))


def test_a_loop_that_ends_in_the_middle_leaves_a_widget_that_can_run():
    async def leave(run):
        await begin(run)
        await until(lambda: run._pair.done >= 1)

    run = live("q27", steps=12)
    asyncio.run(leave(run))
    run.face.run.click()
    assert run.runner.state == "idle"
    assert same(run.latest["failing"], trained("failing", steps=12))


def test_others_get_their_turn_after_every_step(run):
    async def play():
        turns, seen = 0, []
        run.runner._after = lambda: seen.append(turns)
        await begin(run)
        while run.runner.state != "idle":
            turns += 1
            await asyncio.sleep(0)
        return seen

    seen = asyncio.run(play())
    assert len(seen) == 2 * STEPS
    # A kernel needs several turns of its loop to take in a message.
    assert min(np.diff(seen)) >= 3


def test_it_is_redrawn_ten_times_a_second_at_most(run, monkeypatch):
    clock, drawn = SimpleNamespace(now=0.0), []

    def tick():
        clock.now += 0.03
        return clock.now

    monkeypatch.setattr(MODULE, "time", SimpleNamespace(monotonic=tick))
    draw = run.face.draw
    monkeypatch.setattr(
        run.face, "draw", lambda *a, **k: (drawn.append(clock.now), draw(*a, **k))[1]
    )
    run.face.run.click()
    assert len(drawn) > 3
    assert min(np.diff(drawn[1:-1])) >= 0.1


def test_a_run_lasts_long_enough_to_be_watched(run, monkeypatch):
    monkeypatch.setattr(MODULE, "RUN_S", 4.0)
    run.runner.start = lambda pieces: None
    for run.steps, pace_s in ((50, 0.04), (2, 0.05)):
        run.start()
        assert run.runner.pace_s == pytest.approx(pace_s)


def test_the_pace_is_kept(run):
    async def play():
        loop = asyncio.get_running_loop()
        times = []

        def pieces():
            for _piece in range(4):
                times.append(loop.time())
                yield

        run.runner.pace_s = 0.06
        run.runner.start(pieces())
        await until(lambda: run.runner.state == "idle")
        return times

    assert min(np.diff(asyncio.run(play()))) >= 0.055


# ---- knobs -------------------------------------------------------------------------------------


def knob(run, option):
    (found,) = (choice for choice in run.knobs.choices if choice.knob.option == option)
    return found


def turn(run, option, name):
    choice = knob(run, option)
    choice.view.value = next(i for text, i in choice.view.options if text == name)


@pytest.mark.parametrize("experiment_id", experiment_ids())
def test_knobs_start_at_the_second_arms_own_values(experiment_id):
    for arm in experiment(experiment_id).arms:
        made = knobs.Knobs(experiment(experiment_id), arm)
        assert len(made.choices) == len(experiment(experiment_id).knobs)
        for choice in made.choices:
            assert choice.value == knobs.option_of(arm.config, choice.knob.option)
            assert choice.view.description
        assert made.config(arm.config) == arm.config
        assert made.label == arm.label


def test_a_knob_changes_the_second_arm_and_its_name_and_nothing_else(run):
    turn(run, "rules.max_tokens", "32")
    turn(run, "ddof", "no")
    assert "“Yours” is “token mean” but for Divide by the std: no, Token cap: 32." in words(
        run.knobs.view.children[0]
    )
    run.face.run.click()
    assert same(run.latest["failing"], trained("failing"))
    wanted = trained("mended", rules__max_tokens=32, ddof=None)
    assert same(run.latest["mended"], wanted)
    assert not same(wanted, trained("mended"))
    assert same(run.history("mended"), trained("mended"))
    said = words(run.face.summary)
    assert "(yours)" in said
    assert "(token mean)" not in said
    assert said.endswith("“Yours” is “token mean” but for Divide by the std: no, Token cap: 32.")


def test_a_knob_does_not_rename_a_run_that_is_drawn_already(run):
    before = words(run.face.summary)
    turn(run, "ddof", "no")
    assert words(run.face.summary) == before


def test_reset_puts_the_knobs_back_and_the_name(run):
    turn(run, "rules.max_tokens", "32")
    run.knobs.reset.click()
    assert run.knobs.changed == []
    assert words(run.knobs.view.children[0]) == "Change “token mean”, then run again."
    run.face.run.click()
    assert same(run.latest["mended"], trained("mended"))
    assert "(token mean)" in words(run.face.summary)


def test_a_value_that_is_no_choice_is_one_more():
    whole = experiment("q27")
    odd = replace(whole.arms[1], config=with_option(whole.arms[1].config, "rules.max_tokens", 48))
    run = Live(
        replace(whole, arms=(whole.arms[0], odd)), ("failing", "mended"), 1, 2, whole.panels[:1]
    )
    choice = knob(run, "rules.max_tokens")
    assert [name for name, _place in choice.view.options] == ["32", "64", "96", "48"]
    assert choice.value == 48
    turn(run, "rules.max_tokens", "64")
    assert run.knobs.label == "yours"
    turn(run, "rules.max_tokens", "48")
    assert run.knobs.label == "token mean"


def test_options_that_do_not_go_together_are_shown(run):
    whole = experiment("q27")
    wild = Knob("minibatches", "Minibatches", {"1": 1, "128": 128})
    double = replace(whole.arms[1], config=replace(whole.arms[1].config, microbatches=2))
    run = Live(
        replace(whole, arms=(whole.arms[0], double), knobs=(wild,)),
        ("failing", "mended"),
        1,
        2,
        whole.panels[:1],
    )
    turn(run, "minibatches", "128")
    run.face.run.click()
    assert "minibatches times microbatches must be at most" in run.face.problem.value
    assert run.runner.state == "idle"
    assert "(token mean)" in words(run.face.summary)


def test_an_experiment_without_knobs_shows_none():
    run = live("q27", steps=1)
    bare = Live(replace(run.experiment, knobs=()), run.arms, 1, 1, run.panels)
    assert "arl-hidden" in bare.knobs.view._dom_classes
    assert "arl-hidden" not in run.knobs.view._dom_classes


# ---- words, and static readers -----------------------------------------------------------------


def test_the_sentence_tells_the_last_ten_steps_of_every_panel():
    run = live("q27", steps=12)
    said = words(run.face.summary)
    assert said.startswith("With seed 1, in the mean of steps 3 to 12: ")
    for panel in run.panels:
        digits = 2 if panel.limits[1] <= 4 else 1
        a, b = (np.nanmean(trained(arm, steps=12)[panel.metric][-10:]) for arm in run.arms)
        assert (
            f"{panel.label} {a:.{digits}f} (sequence means) and {b:.{digits}f} (token mean)" in said
        )
    assert said.count(". ") == 0


def test_what_is_over_nothing_is_called_so(run):
    row = run._stored._rows["failing"][0]._replace(success_length=float("nan"))
    run._stored._rows["failing"] = [row] * STEPS
    run._show()
    assert "Policy tokens, successes none (sequence means)" in words(run.face.summary)


def test_numbers_are_read_aloud_when_the_training_rests_and_not_before(run):
    assert 'role="status" aria-live="polite"' in run.face.summary.value

    async def play():
        await begin(run)
        assert 'aria-live="off"' in run.face.summary.value
        assert 'aria-live="off"' in run.face.told.value
        await until(lambda: run._pair.done >= 1)
        run.face.hold.click()
        assert 'aria-live="polite"' in run.face.summary.value
        assert 'aria-live="polite"' in run.face.told.value
        run.face.end.click()

    asyncio.run(play())


def test_the_table_has_first_and_last_of_every_panel_and_arm():
    run = live("q27", steps=12)
    first, last = (
        trained("failing", steps=12)["failure_length"][s] for s in (slice(5), slice(2, 12))
    )
    table = run.face.values.value
    cells = [re.sub(r"<[^>]*>", "", c) for c in re.findall(r"<td>.*?</td>", table)]
    assert cells[:4] == [
        "Policy tokens, failures",
        "sequence means",
        f"{first.mean():.1f}",
        f"{last.mean():.1f}",
    ]
    assert len(cells) == 4 * 2 * len(run.panels)
    assert "first 5" in table
    assert "last 10" in table


def test_the_table_is_closed_and_new_values_do_not_close_what_a_reader_opened(run):
    opener = next(c for c in run.face.view.children if "<details" in str(getattr(c, "value", "")))
    before = opener.value
    assert "<details open" not in before
    run.face.seed.value = 3
    values = run.face.values.value
    run.face.run.click()
    assert run.face.values.value != values
    assert opener.value == before


def test_every_picture_has_a_text_alternative_that_its_view_can_show(drawn, run):
    for picture, panel in zip(run.face.pictures, run.panels, strict=True):
        state = picture.get_state()
        assert state["tooltip"].startswith(panel.label)
        assert state["description"] == ""
        assert Image.open(io.BytesIO(picture.value)).format == "PNG"


def test_the_output_serves_live_and_static_readers(run):
    data, metadata = run._repr_mimebundle_()
    assert set(data) == {
        "application/vnd.jupyter.widget-view+json",
        MIME,
        "image/png",
        "text/plain",
    }
    assert data[MIME] == {
        "experiment": "q27",
        "arms": ["failing", "mended"],
        "seed": 1,
        "steps": STEPS,
    }
    assert data["text/plain"] == words(run.face.summary)
    assert metadata["image/png"]["alt"].endswith(data["text/plain"])
    png = base64.b64decode(data["image/png"])
    assert len(png) < 60_000
    assert Image.open(io.BytesIO(png)).size[0] == 900


def test_the_static_keys_are_the_same_each_time_and_do_not_depend_on_what_a_reader_did(run):
    view = "application/vnd.jupyter.widget-view+json"
    before, _ = run._repr_mimebundle_()
    run.face.seed.value = 9
    turn(run, "ddof", "no")
    run.face.run.click()
    run._still = ""
    after, _ = run._repr_mimebundle_()
    again, _ = live("q27", steps=STEPS)._repr_mimebundle_()
    for data in (before, after, again):
        del data[view]
    assert before == after == again


class Brackets(gettext.NullTranslations):
    """A language in which every string stands in brackets."""

    def gettext(self, message):
        return f"⟦{message}⟧"


def test_every_word_can_be_translated(monkeypatch):
    monkeypatch.setattr(i18n, "_active", ("brackets", Brackets()))
    run = live("q27", steps=2)
    turn(run, "ddof", "⟦no⟧")
    run.face.seed.value = -1
    run.runner._home = asyncio.new_event_loop()
    run.runner._home.close()
    run.face.wait()
    seen = [words(run.face.told), words(run.face.problem)]
    run._show()

    def walk(widget):
        for trait in ("value", "description", "tooltip"):
            text = getattr(widget, trait, None)
            if isinstance(text, str):
                seen.append(re.sub(r"<style>.*?</style>|<[^>]*>", "\n", text, flags=re.DOTALL))
        for child in getattr(widget, "children", ()):
            walk(child)

    walk(run.face.view)
    seen += [name for choice in run.knobs.choices for name, _place in choice.view.options]
    seen.append(run._repr_mimebundle_()[1]["image/png"]["alt"])
    for text in seen:
        left = re.sub(r"⟦[^⟦⟧]*(⟦[^⟦⟧]*⟧[^⟦⟧]*)*⟧", "", text)
        left = re.sub(r"⟦[^⟦⟧]*(⟦[^⟦⟧]*(⟦[^⟦⟧]*⟧[^⟦⟧]*)*⟧[^⟦⟧]*)*⟧", "", text)
        assert not re.search(r"[^\W\d_]{2}", left), text
