"""The reader's copy: it follows the source where it may, and never loses a word."""

import json

import pytest

from agentrl_lite import workcopy

A = "q03_a.ipynb"
ANSWER = "answers/q03.md"


def notebook(*sources, outputs=()):
    cells = [
        {"cell_type": "code", "id": f"q03-{i}", "metadata": {}, "source": [s], "outputs": outputs}
        for i, s in enumerate(sources)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def folders(tmp_path):
    source, copy = tmp_path / "en", tmp_path / "my"
    (source / "answers").mkdir(parents=True)
    (source / A).write_text(notebook("one"))
    (source / ANSWER).write_text("# q03\n")
    return source, copy


def refreshed(folders, **options):
    return workcopy.refresh(*folders, **options)


def test_places_everything_that_is_handed_out(folders):
    source, copy = folders
    for hidden in (".ipynb_checkpoints/q03_a-checkpoint.ipynb", "__pycache__/x.pyc", ".DS_Store"):
        (source / hidden).parent.mkdir(exist_ok=True)
        (source / hidden).write_text("x")
    report = refreshed(folders)
    assert report.placed == [ANSWER, A]
    assert {p.relative_to(copy).as_posix() for p in copy.rglob("*") if p.is_file()} == {
        A,
        ANSWER,
        workcopy.RECORD,
    }
    assert (copy / A).read_text() == (source / A).read_text()


def test_a_second_run_does_nothing(folders):
    refreshed(folders)
    before = {p: p.stat().st_mtime_ns for p in folders[1].rglob("*.*") if p.name != workcopy.RECORD}
    report = refreshed(folders)
    assert list(report.lines("x")) == []
    assert before == {p: p.stat().st_mtime_ns for p in before}


def test_an_untouched_file_follows_the_source(folders):
    source, copy = folders
    refreshed(folders)
    (source / A).write_text(notebook("two"))
    (source / ANSWER).write_text("# q03, better\n")
    assert refreshed(folders).updated == [ANSWER, A]
    assert (copy / A).read_text() == notebook("two")
    assert (copy / ANSWER).read_text() == "# q03, better\n"


def test_running_a_notebook_does_not_make_it_the_readers(folders):
    source, copy = folders
    refreshed(folders)
    (copy / A).write_text(notebook("one", outputs=[{"output_type": "stream"}]))
    assert list(refreshed(folders).lines("x")) == []
    assert "stream" in (copy / A).read_text(), "outputs stay as long as the source does"
    (source / A).write_text(notebook("two"))
    assert refreshed(folders).updated == [A]


@pytest.mark.parametrize("name", [A, ANSWER])
def test_the_readers_words_are_never_overwritten(folders, name):
    source, copy = folders
    refreshed(folders)
    mine = notebook("one", "mine") if name == A else "mine\n"
    (copy / name).write_text(mine)
    assert list(refreshed(folders).lines("x")) == [], "yours, and nothing newer: no news"
    (source / name).write_text(notebook("two") if name == A else "two\n")
    report = refreshed(folders)
    assert (copy / name).read_text() == mine
    assert report.behind == [name]
    text = "\n".join(report.lines("agentrl-lite workcopy --beside"))
    assert name in text
    assert "agentrl-lite workcopy --beside" in text


def test_beside_puts_the_newer_one_next_to_the_readers(folders):
    source, copy = folders
    refreshed(folders)
    (copy / A).write_text(notebook("mine"))
    (source / A).write_text(notebook("two"))
    assert refreshed(folders, beside=True).beside == ["q03_a.new.ipynb"]
    assert (copy / A).read_text() == notebook("mine")
    assert (copy / "q03_a.new.ipynb").read_text() == notebook("two")
    assert list(refreshed(folders, beside=True).lines("x")) == [], "the same version comes once"
    (copy / "q03_a.new.ipynb").write_text(notebook("mine too"))
    (source / A).write_text(notebook("three"))
    assert refreshed(folders, beside=True).beside == ["q03_a.new-2.ipynb"]
    assert (copy / "q03_a.new.ipynb").read_text() == notebook("mine too")


def test_a_file_that_was_put_beside_stays_the_readers(folders):
    """Even after the reader has gone back to the text that was first placed."""
    source, copy = folders
    refreshed(folders)
    (copy / A).write_text(notebook("mine"))
    (source / A).write_text(notebook("two"))
    refreshed(folders, beside=True)
    (copy / A).write_text(notebook("one"))
    (source / A).write_text(notebook("three"))
    assert refreshed(folders).behind == [A]
    assert (copy / A).read_text() == notebook("one")


def test_taking_the_newer_text_over_makes_the_file_follow_again(folders):
    source, copy = folders
    refreshed(folders)
    (copy / A).write_text(notebook("mine"))
    (source / A).write_text(notebook("two"))
    refreshed(folders)
    (copy / A).write_text(notebook("two"))
    refreshed(folders)
    (source / A).write_text(notebook("three"))
    assert refreshed(folders).updated == [A]


@pytest.mark.parametrize("record", [None, "", "{", "[]", '{"files": {"q03_a.ipynb": 1}}'])
def test_without_a_record_what_differs_is_the_readers(folders, record):
    source, copy = folders
    refreshed(folders)
    (copy / A).write_text(notebook("mine"))
    (source / A).write_text(notebook("two"))
    if record is None:
        (copy / workcopy.RECORD).unlink()
    else:
        (copy / workcopy.RECORD).write_text(record)
    report = refreshed(folders)
    assert (copy / A).read_text() == notebook("mine")
    assert report.behind == [A]
    assert report.unknown == (record is not None)
    (source / ANSWER).write_text("# newer\n")
    assert refreshed(folders).updated == [ANSWER], "equal files are known again"


def test_a_deleted_file_comes_anew(folders):
    refreshed(folders)
    (folders[1] / A).unlink()
    assert refreshed(folders).placed == [A]


def test_a_file_that_left_the_source_goes_unless_it_is_the_readers(folders):
    source, copy = folders
    (source / "q04_b.ipynb").write_text(notebook("b"))
    (source / "q05_c.ipynb").write_text(notebook("c"))
    refreshed(folders)
    (copy / "q05_c.ipynb").write_text(notebook("mine"))
    (copy / "own.ipynb").write_text(notebook("own"))
    (source / "q04_b.ipynb").unlink()
    (source / "q05_c.ipynb").unlink()
    assert refreshed(folders).removed == ["q04_b.ipynb"]
    assert not (copy / "q04_b.ipynb").exists()
    assert (copy / "q05_c.ipynb").read_text() == notebook("mine")
    assert (copy / "own.ipynb").exists()


def test_a_notebook_that_is_no_json_any_more_is_the_readers(folders):
    source, copy = folders
    refreshed(folders)
    (copy / A).write_text("half a not")
    (source / A).write_text(notebook("two"))
    assert refreshed(folders).behind == [A]
    assert (copy / A).read_text() == "half a not"


def test_a_link_or_a_folder_in_the_way_is_the_readers(folders, tmp_path):
    source, copy = folders
    refreshed(folders)
    elsewhere = tmp_path / "elsewhere.ipynb"
    (copy / A).replace(elsewhere)
    (copy / A).symlink_to(elsewhere)
    (copy / ANSWER).unlink()
    (copy / ANSWER).mkdir()
    (source / A).write_text(notebook("two"))
    (source / ANSWER).write_text("two\n")
    assert refreshed(folders).behind == [ANSWER, A]
    assert elsewhere.read_text() == notebook("one")


def test_the_record_can_not_reach_outside(folders, tmp_path):
    _source, copy = folders
    refreshed(folders)
    victim = tmp_path / "victim"
    victim.write_text("x")
    entry = {"source": "", "words": workcopy.fingerprint(b"x", "victim")}
    (copy / workcopy.RECORD).write_text(json.dumps({"files": {"../victim": entry}}))
    refreshed(folders)
    assert victim.exists()


def test_an_interrupted_placing_leaves_the_old_file(folders, monkeypatch):
    source, copy = folders
    refreshed(folders)
    (source / A).write_text(notebook("two"))

    def fail(self, target):
        raise OSError("no space left")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(OSError, match="no space"):
        refreshed(folders)
    assert (copy / A).read_text() == notebook("one")
    assert not list(copy.glob(".*.tmp"))


def test_a_source_without_notebooks_is_refused(tmp_path):
    with pytest.raises(
        ValueError, match=r"source must be a folder with notebooks; it was .*nowhere"
    ):
        workcopy.refresh(tmp_path / "nowhere", tmp_path / "my")
    assert not (tmp_path / "my").exists()
