"""Reference answers: a sound file is taken apart, any other is refused with its line."""

import pytest

from agentrl_lite import answers

PART = "About $p = 0.1$ of *it*.\n\n- [ ] one\n- [ ] two\n"
SOUND = "# q03\n\n" + "\n".join(f"## {heading}\n\n{PART}" for heading in answers.HEADINGS.values())


def test_a_sound_file():
    parts = answers.parse(SOUND, "q03", "q03.md")
    assert list(parts) == ["mechanism", "measurement", "action", "metric"]
    assert parts["metric"] == answers.Part("metric", "About $p = 0.1$ of *it*.", ("one", "two"))


def test_a_point_may_go_on_in_the_next_line():
    text = SOUND.replace("- [ ] one\n", "- [ ] one,\n  and more\n", 1)
    assert answers.parse(text, "q03", "q03.md")["mechanism"].points == ("one, and more", "two")


def test_a_heading_inside_a_fence_is_code():
    text = SOUND.replace("About", "```\n## Mechanism\n```\nAbout", 1)
    assert "## Mechanism" in answers.parse(text, "q03", "q03.md")["mechanism"].text


def test_found_beside_the_notebook_or_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert answers.load("q03") is None
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "q03.md").write_text(SOUND, "utf-8")
    assert answers.load("q03") == answers.load("q03", tmp_path / "answers")
    assert len(answers.load("q03")) == 4


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("# q03\n", "# q04\n", r"x\.md, line 1: the file must start with '# q03'"),
        ("# q03\n", "Hello\n# q03\n", r"x\.md, line 1: the file must start"),
        ("# q03\n", "# q03\nHello\n", r"x\.md, line 2: text must stand below"),
        (
            "## Mechanism",
            "## Mechanics",
            r"x\.md, line 3: heading 1 must be '## Mechanism'; it was",
        ),
        ("## Action and its cost", "## Confirming metric", r"x\.md, line 17: heading 3 must be"),
        ("About $p = 0.1$ of *it*.", "", r"x\.md, line 3: the part has no text"),
        ("- [ ] two\n", "", r"x\.md, line 3: a part must have 2 to 3 '- \[ \]' points; it had 1"),
        ("- [ ] two\n", "- [ ] two\n" * 3, r"x\.md, line 3: a part must have 2 to 3 .*it had 4"),
        ("- [ ] two\n", "- [ ] two\n\nMore.\n", r"x\.md, line 10: only '- \[ \]' lines may follow"),
    ],
)
def test_any_other_file_is_refused_with_its_line(old, new, error):
    assert old in SOUND
    with pytest.raises(ValueError, match=error):
        answers.parse(SOUND.replace(old, new, 1), "q03", "x.md")


def test_a_missing_or_a_fifth_heading_and_an_empty_file_are_refused():
    with pytest.raises(ValueError, match=r"line 23: the heading '## Confirming metric' is missing"):
        answers.parse(SOUND.partition("## Confirming")[0], "q03", "x.md")
    with pytest.raises(ValueError, match=r"line 31: only four parts"):
        answers.parse(f"{SOUND}\n## More\n\n{PART}", "q03", "x.md")
    with pytest.raises(ValueError, match="line 1"):
        answers.parse("", "q03", "x.md")


def test_maths_is_left_to_mathjax_and_html_is_shown_as_text():
    assert r"\(a &lt; b\)" in answers.to_html("$a < b$")
    assert r"\[x^2\]" in answers.to_html("$$x^2$$")
    assert "<script>" not in answers.to_html("<script>alert(1)</script>")
    assert "<td>1</td>" in answers.to_html("| a |\n|---|\n| 1 |\n")
