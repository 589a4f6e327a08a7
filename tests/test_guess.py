"""A guess is committed once, and the truth waits for it."""

import asyncio
import json
import tempfile

import pytest

from agentrl_lite.appendix.exercises import Prediction, prediction
from agentrl_lite.reader import open_store
from agentrl_lite.reader.store import Store
from agentrl_lite.widgets.guess import (
    ENTER_WAITS_S,
    GuessForm,
    compare,
    doubt,
    parse,
    predict,
    truth,
)

PERCENT = Prediction("q03-share", "How much?", lambda: 65.61, "%", 0, 100)
EPISODES = Prediction("q03-n", "How many?", lambda: 899.0, "episodes", 1, 1e6, digits=0)
PURE = Prediction("q03-x", "What?", lambda: -0.25, "", -1, 1, digits=2)


@pytest.fixture(autouse=True)
def temp_dir(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def shown(widget):
    return "arl-hidden" not in widget._dom_classes


def texts(widget):
    found = [widget.get_state()]
    for child in getattr(widget, "children", ()):
        found += texts(child)
    return found


def printed_truth(name="q03-share"):
    asked = prediction(name)
    return f"{asked.truth():.{asked.digits}f}"


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("50", 50.0),
        (" 65.6 % ", 65.6),
        ("65.6%", 65.6),
        ("1e1", 10),
        ("0", 0),
        ("7/8", 0.875),
        (" 1 / 4 %", 0.25),
    ],
)
def test_numbers_are_read(typed, value):
    assert parse(typed, PERCENT) == value


def test_a_minus_sign_is_read():
    assert parse("−0.5", PURE) == -0.5
    assert parse("3 episodes", EPISODES) == 3


@pytest.mark.parametrize("typed", ["", "  ", "%"])
def test_nothing_is_refused(typed):
    with pytest.raises(ValueError, match=r"^Write a number first\.$"):
        parse(typed, PERCENT)


@pytest.mark.parametrize(
    "typed", ["half", "0,5", "nan", "inf", "1 2", "50 % of them", "3/0", "1/2/3", "1/", "/2", "1/x"]
)
def test_what_is_no_number_is_refused(typed):
    with pytest.raises(ValueError, match=f"^“{typed}” is not a number"):
        parse(typed, PERCENT)


@pytest.mark.parametrize("typed", ["-0.1", "100.1", "1e300"])
def test_what_lies_outside_is_refused(typed):
    with pytest.raises(ValueError, match=f"from 0 % to 100 %; {typed} % does not"):
        parse(typed, PERCENT)


@pytest.mark.parametrize(
    ("asked", "guess", "words"),
    [
        (PERCENT, 65.6, "You were right, to the digits shown."),
        (PERCENT, 70, "You were 4.4 percentage points too high."),
        (PERCENT, 0, "You were 65.6 percentage points too low."),
        (EPISODES, 512, "You were 387 episodes too low."),
        (EPISODES, 3000, "You were 2101 episodes too high, by a factor of 3.3."),
        (PURE, 0.5, "You were 0.75 too high."),
    ],
)
def test_the_distance_in_words(asked, guess, words):
    assert compare(guess, asked.truth(), asked) == words


def test_a_committed_guess_is_frozen_with_its_date(reader_dir):
    form = predict("q03-share")
    assert shown(form.form)
    form.field.value = "50"
    assert "q03-share" not in form._store.record.guesses, "typing must not commit"
    form.commit.click()
    assert not shown(form.form)
    assert "Your guess: 50 %, committed on 20" in form.frozen.value
    form.field.value = "65.6"
    form.commit.click()
    assert form.message.value == ""
    assert Store("q03", reader_dir).record.guesses["q03-share"].value == 50.0
    again = GuessForm(prediction("q03-share"), Store("q03", reader_dir))
    assert not shown(again.form)
    assert again.frozen.value == form.frozen.value


@pytest.mark.parametrize("typed", ["", "lots", "101"])
def test_a_bad_guess_says_why_and_commits_nothing(reader_dir, typed):
    form = predict("q03-share")
    form.field.value = typed
    form.commit.click()
    assert 'role="alert"' in form.message.value
    assert shown(form.form)
    assert not reader_dir.exists()
    form.field.value = "50"
    form.commit.click()
    assert form.message.value == ""


def test_a_share_where_per_cent_are_asked_for_is_asked_about_once(reader_dir):
    form = predict("q03-share")
    form.field.value = "0.27"
    form.commit.click()
    assert "Did you mean 27 %? If it is 0.27 %, press Commit once more." in form.message.value
    assert not reader_dir.exists()
    form.commit.click()
    assert form._store.record.guesses["q03-share"].value == 0.27


@pytest.mark.parametrize("typed", ["0.27 %", "1/2 %", "27", "0", "1"])
def test_no_other_guess_is_asked_about(reader_dir, typed):
    form = predict("q03-share")
    form.field.value = typed
    form.commit.click()
    assert not shown(form.form)


def test_a_pure_number_below_one_is_no_share():
    assert doubt("0.27", 0.27, PURE) == ""


def test_enter_commits_what_arrives_just_after_it():
    """A browser reports the key before it reports the text."""

    async def enter():
        form = predict("q03-share")
        form._receive(form.field, {"event": "submit"}, [])
        form.field.value = "42"
        await asyncio.sleep(ENTER_WAITS_S + 0.3)
        return form

    assert asyncio.run(enter())._store.record.guesses["q03-share"].value == 42


def test_a_guess_from_another_window_counts_if_it_was_first(reader_dir):
    form = predict("q03-share")
    Store("q03", reader_dir).commit_guess("q03-share", 10.0)
    form.field.value = "50"
    form.commit.click()
    assert "in another window already" in form.message.value
    assert "Your guess: 10 %" in form.frozen.value


def test_a_guess_that_cannot_be_saved_is_said(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("AGENTRL_READER_DIR", str(tmp_path / "file" / "folder"))
    form = predict("q03-share")
    form.field.value = "50"
    form.commit.click()
    assert "NOT saved: Not a directory" in form.status.value


def test_no_truth_before_the_guess_and_both_after_it():
    beside = truth("q03-share")
    assert "You have not guessed yet" in beside.body.value
    before = json.dumps(texts(beside.view), default=str) + str(beside._repr_mimebundle_())
    assert printed_truth() not in before
    open_store("q03").commit_guess("q03-share", 50.0)
    assert f"You guessed 50 %. It is {printed_truth()} %." in beside.body.value
    assert "percentage points too low" in beside.body.value


@pytest.mark.parametrize("make", [predict, truth])
def test_the_static_form_depends_on_no_reader(make):
    view = "application/vnd.jupyter.widget-view+json"
    before = make("q03-share")._repr_mimebundle_()
    open_store("q03").commit_guess("q03-share", 50.0)
    after = make("q03-share")._repr_mimebundle_()
    assert before.pop(view) != after.pop(view)
    assert before == after
    assert before["application/vnd.agentrl.guess+json"]["guess"] == "q03-share"
    assert printed_truth() not in str(before)


@pytest.mark.parametrize("make", [predict, truth])
def test_an_unknown_prediction_is_refused(make):
    with pytest.raises(ValueError, match=r"q03-share.*'q03-nothing'"):
        make("q03-nothing")
