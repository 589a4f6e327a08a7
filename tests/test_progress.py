"""The table of all questions counts what the store holds."""

import pytest
from card_files import write_answers

from agentrl_lite.appendix import exercises
from agentrl_lite.appendix.catalog import QUESTIONS, question
from agentrl_lite.reader import Record, open_store
from agentrl_lite.reader.store import Store
from agentrl_lite.widgets.progress import progress, row


@pytest.fixture(autouse=True)
def notebook_dir(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_empty_store_lists_the_notebooks_that_are_there(notebook_dir):
    assert "<table" not in progress().body.value
    for q in QUESTIONS[:3]:
        (notebook_dir / f"{q.id}_words.ipynb").touch()
    html = progress().body.value
    assert "You have worked on 0 of 3 notebooks" in html
    assert html.count('<th scope="row">') == html.count("arl-untouched") == 3


def test_a_row_counts_what_was_done(notebook_dir, reader_dir):
    write_answers(notebook_dir / "answers")
    store = Store("q03", reader_dir)
    store.write("action", "words")
    store.write("metric", "  ")
    store.open_reference("metric")
    store.tick("action", 0, True)
    store.tick("action", 1, True)
    store.commit_guess("q03-share", 1.0)
    store.pass_check("q03-smallest-G")
    store.pass_check("a check that is no longer there")
    found = row(question("q03"), store.record)
    assert (found.written, found.given, found.points, found.peeked) == (1, 2, 8, 1)
    assert (found.guessed, found.guesses) == (1, len(exercises.predictions("q03")))
    assert (found.passed, found.checks) == (1, len(exercises.check_ids("q03")))
    assert found.touched
    html = progress().body.value
    assert "You have worked on 1 of 1 notebooks" in html
    for column, text in [
        ("Parts written", "1 of 4"),
        ("Self-score", "2 of 8"),
        ("Guesses", "1 of 1"),
        ("Opened before writing", "1 of 4"),
    ]:
        assert f'<td data-column="{column}">{text}</td>' in html


def test_a_question_without_anything_is_untouched():
    assert not row(question("q04"), Record()).touched


def test_reading_again_sees_what_was_done_since(reader_dir):
    table = progress()
    Store("q03", reader_dir).write("action", "words")  # in another kernel
    open_store("q04").write("action", "words")  # in this one
    table.view.children[-1].click()
    assert "You have worked on 2 of 2 notebooks" in table.body.value


def test_a_damaged_file_is_said_and_left(reader_dir):
    reader_dir.mkdir()
    (reader_dir / "q03.json").write_text("damage")
    assert "Cannot be read" in progress().body.value
    assert (reader_dir / "q03.json").read_text() == "damage"


def test_the_static_form_depends_on_no_reader(reader_dir):
    view = "application/vnd.jupyter.widget-view+json"
    before = progress()._repr_mimebundle_()
    open_store("q03").write("action", "words")
    after = progress()._repr_mimebundle_()
    assert before.pop(view) != after.pop(view)
    assert before == after
    assert str(reader_dir) not in str(before)
    assert "Run this notebook" in before["text/html"]
