"""A check tells right from wrong, keeps a pass, and says the same to everybody."""

import tempfile

import pytest

from agentrl_lite.appendix import exercises
from agentrl_lite.reader.store import Store
from agentrl_lite.widgets.verdict import check

NAME = "q03-smallest-G"


@pytest.fixture(autouse=True)
def temp_dir(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def right_answer():
    found = [n for n in range(1, 100) if exercises.judge(NAME, n).status == "right"]
    (answer,) = found
    return answer


def test_a_pass_is_kept_once(reader_dir):
    check(NAME, right_answer())
    first_s = Store("q03", reader_dir).record.checks_s[NAME]
    check(NAME, right_answer())
    assert Store("q03", reader_dir).record.checks_s == {NAME: first_s}


@pytest.mark.parametrize("answer", [..., None, "seven", 3, 2.5])
def test_anything_else_is_not(reader_dir, answer):
    check(NAME, answer)
    assert not reader_dir.exists()


@pytest.mark.parametrize("answer", [..., "<seven>", 3])
def test_the_text_is_the_verdicts_and_the_same_each_time(answer):
    once, twice = (check(NAME, answer)._repr_mimebundle_() for _ in range(2))
    assert once == twice
    assert set(once) == {"text/html", "text/plain"}
    assert exercises.judge(NAME, answer).message in once["text/plain"]
    assert "<seven>" not in once["text/html"]


def test_a_pass_looks_the_same_the_second_time():
    assert check(NAME, right_answer())._repr_mimebundle_() == (
        check(NAME, right_answer())._repr_mimebundle_()
    )


def test_no_verdict_but_a_pass_holds_the_answer():
    answer = str(right_answer())
    for wrong in (*range(1, 40), ..., "x", 0.5):
        if str(wrong) != answer:
            text = check(NAME, wrong)._repr_mimebundle_()["text/plain"]
            assert answer not in text.split()


def test_a_pass_that_cannot_be_kept_is_said(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("AGENTRL_READER_DIR", str(tmp_path / "file" / "folder"))
    assert "NOT saved" in check(NAME, right_answer())._repr_mimebundle_()["text/plain"]


def test_an_unknown_check_is_refused():
    with pytest.raises(ValueError, match="'q03-nothing'"):
        check("q03-nothing", 1)
