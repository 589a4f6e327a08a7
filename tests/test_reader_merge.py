"""Merging never loses a text, whoever writes and saves in whatever order."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentrl_lite.reader import Guess, Kept, Record, Text
from agentrl_lite.reader.merge import merge
from agentrl_lite.reader.record import NewerVersionError, from_json, to_json

BASE = Record(answers={"action": Text("start", "z", 1)})


def with_action(text, draft, revision=1):
    return Record(answers={"action": Text(text, draft, revision)})


def test_one_side_changed():
    changed = with_action("new", "a")
    assert merge(BASE, changed, BASE) == changed
    assert merge(BASE, BASE, changed) == changed


def test_both_sides_changed_keeps_theirs():
    both = merge(BASE, with_action("mine", "a"), with_action("theirs", "b"))
    assert both.text("action") == "mine"
    assert [kept.text.text for kept in both.kept_for("action")] == ["theirs"]


def test_the_same_words_twice_keep_nothing():
    both = merge(BASE, with_action("same", "a"), with_action("same", "b"))
    assert both.text("action") == "same"
    assert both.kept == {}


def test_other_parts_of_the_other_window_come_in():
    theirs = replace(BASE, answers={**BASE.answers, "metric": Text("share", "b", 1)})
    both = merge(BASE, with_action("mine", "a"), theirs)
    assert (both.text("action"), both.text("metric")) == ("mine", "share")


def test_a_later_edit_of_the_kept_text_replaces_it():
    first = merge(BASE, with_action("mine", "a"), with_action("theirs", "b"))
    # The other window goes on writing: its old version need not be kept any longer, mine must be.
    second = merge(with_action("theirs", "b"), with_action("theirs, longer", "b", 2), first)
    assert second.text("action") == "theirs, longer"
    assert [kept.text.text for kept in second.kept_for("action")] == ["mine"]


def test_a_kept_text_that_was_edited_further_does_not_come_back():
    kept = replace(BASE, kept={("action", "b"): Kept("action", Text("theirs", "b", 1))})
    assert merge(kept, kept, BASE).kept == {}


def test_of_one_draft_the_later_revision_wins():
    late, early = with_action("two", "a", 2), with_action("one", "a", 1)
    assert merge(BASE, early, late).text("action") == "two"
    assert merge(BASE, late, early).text("action") == "two"


def test_a_text_put_away_stays_so_and_stays_in_the_file():
    key = ("action", "b")
    kept = replace(BASE, kept={key: Kept("action", Text("theirs", "b", 1))})
    away = replace(BASE, kept={key: Kept("action", Text("theirs", "b", 1), put_away=True)})
    for mine, theirs in ((away, kept), (kept, away)):
        both = merge(kept, mine, theirs)
        assert both.kept[key].put_away
        assert both.kept_for("action") == []


def test_ticks_given_and_taken_back_on_both_sides():
    base = Record(ticks=frozenset({("action", 0), ("action", 1)}))
    mine = Record(ticks=frozenset({("action", 0), ("metric", 0)}))
    theirs = Record(ticks=frozenset({("action", 1), ("metric", 1)}))
    assert merge(base, mine, theirs).ticks == {("metric", 0), ("metric", 1)}


def test_the_first_guess_and_the_first_time_count():
    mine = Record(guesses={"q": Guess(1.0, 20.0)}, opened_s={"action": 20.0}, checks_s={"c": 20.0})
    theirs = Record(guesses={"q": Guess(2.0, 10.0)}, opened_s={"action": 10.0})
    for both in (merge(Record(), mine, theirs), merge(Record(), theirs, mine)):
        assert both.guesses == {"q": Guess(2.0, 10.0)}
        assert both.opened_s == {"action": 10.0}
        assert both.checks_s == {"c": 20.0}


def test_the_clock_takes_the_side_that_changed():
    assert merge(Record(), Record(deadline_s=5.0), Record()).deadline_s == 5.0
    assert merge(Record(), Record(), Record(deadline_s=5.0)).deadline_s == 5.0
    running = Record(deadline_s=5.0)
    assert merge(running, Record(), running).deadline_s is None


class Window:
    """A writer as the store is one, on a disk that is a variable; follows who edited what."""

    def __init__(self, name, disk):
        self.name, self.disk = name, disk
        self.record = self.base = disk["record"]
        self.drafts = 0

    def write(self, text):
        old = self.record.answers.get("action", Text())
        if old.draft.startswith(self.name):
            new = Text(text, old.draft, old.revision + 1)
        else:
            self.drafts += 1
            new = Text(text, f"{self.name}{self.drafts}", 1)
        self.disk["parent"][new.version] = old.version
        self.record = replace(self.record, answers={"action": new})

    def put_away(self):
        kept = {key: replace(item, put_away=True) for key, item in self.record.kept.items()}
        self.record = replace(self.record, kept=kept)

    def save(self):
        self.record = self.base = merge(self.base, self.record, self.disk["record"])
        self.disk["record"] = self.record
        self.disk["saved"].append(self.record.answers.get("action", Text()))


steps = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from(["write", "write", "save", "save", "reopen", "put_away"]),
        st.text("xyz", max_size=3),
    ),
    max_size=30,
)


@settings(max_examples=150, deadline=None)
@given(steps)
def test_no_saved_text_is_lost(steps):
    disk = {"record": Record(), "parent": {}, "saved": []}
    windows = {name: Window(name, disk) for name in "abc"}
    opened = 0
    for name, step, text in steps:
        if step == "write":
            windows[name].write(text)
        elif step == "save":
            windows[name].save()
        elif step == "put_away":
            windows[name].put_away()
        else:
            windows[name].save()
            opened += 1
            windows[name] = Window(f"{name}{opened}-", disk)
    for window in windows.values():
        window.save()
    end = disk["record"]
    there = {end.text("action")} | {kept.text.text for kept in end.kept.values()}
    # Edited further, by somebody who had exactly this version in front of them, and saved.
    replaced, versions = set(), [text.version for text in disk["saved"]]
    for version in versions:
        while (version := disk["parent"].get(version)) is not None:
            replaced.add(version)
    for text in disk["saved"]:
        assert text.text in there or not text.text.strip() or text.version in replaced


@settings(max_examples=50, deadline=None)
@given(steps)
def test_versions_kept_do_not_pile_up_while_windows_type_on(steps):
    disk = {"record": Record(), "parent": {}, "saved": []}
    windows = {name: Window(name, disk) for name in "abc"}
    for name, step, text in steps:
        getattr(windows[name], "save" if step == "reopen" else step)(
            *[text] if step == "write" else []
        )
    drafts = sum(window.drafts for window in windows.values())
    assert len(disk["record"].kept) <= max(drafts - 1, 0)


names = st.text(min_size=1, max_size=5)
times = st.floats(0, 4e9).map(lambda t: round(t, 3))
texts = st.builds(Text, st.text(), names, st.integers(0, 99), times)
kept_texts = st.lists(st.builds(Kept, names, texts, st.booleans()))
records = st.builds(
    Record,
    answers=st.dictionaries(names, texts),
    ticks=st.frozensets(st.tuples(names, st.integers(0, 3))),
    deadline_s=st.none() | times,
    opened_s=st.dictionaries(names, times),
    opened_unwritten_s=st.dictionaries(names, times),
    guesses=st.dictionaries(names, st.builds(Guess, st.floats(-1e9, 1e9), times)),
    checks_s=st.dictionaries(names, times),
    kept=kept_texts.map(lambda items: {(item.part, item.text.draft): item for item in items}),
)


@settings(max_examples=50, deadline=None)
@given(records)
def test_json_brings_back_the_record(record):
    assert from_json(to_json(record, "q03")) == record


@settings(max_examples=50, deadline=None)
@given(records, records)
def test_merging_again_changes_nothing(mine, theirs):
    once = merge(Record(), mine, theirs)
    assert merge(theirs, once, theirs) == once
    assert merge(once, once, once) == once


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((), []),
        (("version",), "1"),
        (("answers",), []),
        (("answers", "action", "text"), 3),
        (("answers", "action", "revision"), True),
        (("answers", "action", "written"), "yesterday"),
        (("guesses", "g", "value"), float("nan")),
        (("self_score",), {"action": "0"}),
        (("kept",), {}),
        (("kept",), [3]),
    ],
)
def test_a_damaged_record_is_refused(path, value):
    record = replace(BASE, guesses={"g": Guess(1.0, 2.0)})
    data = {"top": to_json(record, "q03")}
    place, keys = data, ("top", *path)
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    with pytest.raises(ValueError, match=r"must be|yesterday"):
        from_json(data["top"])


def test_a_file_of_a_later_version_is_left_alone():
    with pytest.raises(NewerVersionError, match="version must be at most 1; it was 2"):
        from_json(to_json(BASE, "q03") | {"version": 2})
