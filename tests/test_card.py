"""The answer card: what it shows, keeps, hides and says."""

import asyncio
import errno
import json
import os
import re
import tempfile
import time

import ipywidgets as W  # noqa: N812
import pytest
from card_files import SECRETS, write_answers
from markdown_it import MarkdownIt

from agentrl_lite.answers import HEADINGS
from agentrl_lite.appendix import catalog
from agentrl_lite.reader import PARTS, SaveState
from agentrl_lite.reader.store import Store
from agentrl_lite.widgets import card as card_module
from agentrl_lite.widgets import clock as clock_module
from agentrl_lite.widgets.card import AnswerCard, answer_card, static_html
from agentrl_lite.widgets.clock import clock_html
from agentrl_lite.widgets.status import describe, to_html


@pytest.fixture(autouse=True)
def notebook_dir(tmp_path, monkeypatch):
    """Work where a notebook would, with a reference answer beside it."""
    folder = tmp_path / "notebook"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    write_answers(folder / "answers")
    return folder


def reopened(reader_dir):
    """Return a card as a new kernel makes it."""
    return AnswerCard(catalog.question("q03"), Store("q03", reader_dir))


def tree(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from tree(child)


def state_text(card):
    """Return everything that the browser holds about a card."""
    return json.dumps([w.get_state() for w in tree(card.view)], default=str)


def sent_text():
    """Return everything that the browser holds, shown or not."""
    return json.dumps(W.Widget.get_manager_state())


def shown(widget):
    return "arl-hidden" not in widget._dom_classes


def write_everywhere(card):
    for key in PARTS:
        card.panels[key].box.value = f"my {key}"


def kept_buttons(panel, number=0):
    found = [w for w in tree(panel.kept.children[number]) if isinstance(w, W.Button)]
    return {button.description: button for button in found}


# --- writing -------------------------------------------------------------------------------------


def test_four_labelled_boxes_with_a_line_on_what_to_write():
    card = answer_card("q03")
    assert list(card.panels) == list(PARTS)
    for key, panel in card.panels.items():
        assert panel.box.description == HEADINGS[key]
        assert panel.box.placeholder.endswith(".")
        assert "\n" not in panel.box.placeholder


def test_every_control_has_a_name():
    card = answer_card("q03")
    write_everywhere(card)
    for panel in card.panels.values():
        panel.toggle.click()
    controls = [w for w in tree(card.view) if isinstance(w, (W.Button, W.Textarea, W.Checkbox))]
    names = [control.description for control in controls if shown(control)]
    assert len(names) >= 4 + 4 + 8 + 2
    assert all(names)


def test_words_are_restored_on_reopening(reader_dir):
    write_everywhere(answer_card("q03"))
    again = reopened(reader_dir)
    assert [panel.box.value for panel in again.panels.values()] == [f"my {key}" for key in PARTS]


def test_the_same_card_within_a_kernel():
    assert answer_card("q03") is answer_card("q03")
    assert answer_card("q04") is not answer_card("q03")
    with pytest.raises(ValueError, match="'q99'"):
        answer_card("q99")


def test_the_state_is_told_beside_the_box_that_was_written_in():
    async def write():
        card = answer_card("q03")
        assert (card.status.value, card.panels["action"].status.value) == (to_html(SaveState()), "")
        card.panels["action"].box.value = "words"
        assert "Saving…" in card.panels["action"].status.value
        assert 'aria-live="off"' in card.panels["action"].status.value
        await asyncio.sleep(0.7)
        assert "Saved " in card.panels["action"].status.value
        assert 'aria-live="polite"' in card.panels["action"].status.value
        others = [p.status.value for k, p in card.panels.items() if k != "action"]
        assert [card.status.value, *others] == [""] * 4

    asyncio.run(write())


def test_the_state_in_words():
    at_s = time.mktime((2026, 11, 29, 14, 3, 12, 0, 0, -1))
    assert describe(SaveState("saved", at_s)) == "Saved 14:03:12"
    failed = SaveState("failed", at_s, "No space left on device", "/copies/q03.json")
    assert describe(failed) == (
        "NOT saved: No space left on device. "
        "Your words are still in these boxes and a copy is at /copies/q03.json."
    )
    assert 'role="alert"' in to_html(failed)


def test_a_full_disk_is_said_in_the_card(monkeypatch):
    def full(*_arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    card = answer_card("q03")
    monkeypatch.setattr("agentrl_lite.reader.store.write_record", full)
    card.panels["metric"].box.value = "words"
    said = card.panels["metric"].status.value
    assert "NOT saved: No space left on device" in said
    assert str(card.store.state.copy) in said


def test_a_damaged_file_is_said_in_the_card(reader_dir):
    reader_dir.mkdir()
    (reader_dir / "q03.json").write_text("damage")
    assert "q03.corrupt-1.json" in answer_card("q03").notices.value


# --- the reference -------------------------------------------------------------------------------


def test_nothing_of_the_reference_is_sent_before_its_part_is_opened():
    W.Widget.close_all()
    card = answer_card("q03")
    write_everywhere(card)
    assert not any(secret in sent_text() for secret in SECRETS.values())
    card.panels["action"].toggle.click()
    sent = sent_text()
    assert SECRETS["action"] in sent
    assert not any(SECRETS[key] in sent for key in PARTS if key != "action")
    card.panels["action"].toggle.click()
    assert SECRETS["action"] not in sent_text()


def test_opening_with_words_asks_nothing(reader_dir):
    card = answer_card("q03")
    write_everywhere(card)
    card.panels["action"].toggle.click()
    assert card.panels["action"].is_open
    record = Store("q03", reader_dir).record
    assert (set(record.opened_s), record.opened_unwritten_s) == ({"action"}, {})


def test_opening_before_writing_asks_once_and_is_kept(reader_dir):
    card = answer_card("q03")
    panel = card.panels["action"]
    panel.box.value = "  \n"
    panel.toggle.click()
    assert shown(panel.question)
    assert not panel.is_open
    _text, write, anyway = panel.question.children
    write.click()
    assert not shown(panel.question)
    assert not Store("q03", reader_dir).record.opened_s
    panel.toggle.click()
    anyway.click()
    assert panel.is_open
    assert not shown(panel.question)
    card.panels["metric"].toggle.click()
    assert card.panels["metric"].is_open, "asked a second time"
    panel.box.value = "written afterwards"
    assert set(Store("q03", reader_dir).record.opened_unwritten_s) == {"action", "metric"}


def test_ticks_are_kept_and_counted(reader_dir):
    card = answer_card("q03")
    write_everywhere(card)
    assert card.score.value == ""
    card.panels["action"].toggle.click()
    card.panels["action"].points[1].value = True
    assert card.score.value == "Self-score: 1 of 8 points."
    again = reopened(reader_dir)
    assert not again.panels["action"].is_open
    assert again.score.value == "Self-score: 1 of 8 points."
    again.panels["action"].toggle.click()
    assert [point.value for point in again.panels["action"].points] == [False, True]


def test_an_edition_without_answers_says_where_they_are(notebook_dir):
    (notebook_dir / "answers" / "q03.md").unlink()
    card = answer_card("q03")
    assert "There is no reference answer here" in state_text(card)
    assert "open the reference" not in state_text(card), "there is none"
    assert not any(shown(panel.toggle) for panel in card.panels.values())
    card.panels["action"].box.value = "words"
    assert card.store.state.kind == "saved"


def test_a_faulty_answer_file_is_said_and_costs_no_words(notebook_dir):
    (notebook_dir / "answers" / "q03.md").write_text("# q03\n")
    card = answer_card("q03")
    assert "answers/q03.md, line 1" in state_text(card)
    card.panels["action"].box.value = "words"
    assert card.store.state.kind == "saved"


# --- two windows ---------------------------------------------------------------------------------


def test_the_other_windows_words_are_shown_and_can_be_appended(reader_dir):
    card, other = answer_card("q03"), Store("q03", reader_dir)
    other.write("action", "from <elsewhere>")
    card.panels["action"].box.value = "mine"
    panel = card.panels["action"]
    assert "Another window wrote this part at" in state_text(card)
    buttons = kept_buttons(panel)
    assert list(buttons) == ["Show it", "Append it to mine", "Put it away"]
    words = panel.kept.children[0].children[-1]
    assert not shown(words)
    buttons["Show it"].click()
    assert shown(words)
    assert "from &lt;elsewhere&gt;" in words.value
    buttons["Append it to mine"].click()
    assert panel.box.value == "mine\n\nfrom <elsewhere>"
    assert panel.kept.children == ()
    assert reopened(reader_dir).panels["action"].kept.children == ()


def test_the_other_windows_words_come_in_where_nothing_was_written(reader_dir):
    card, other = answer_card("q03"), Store("q03", reader_dir)
    other.write("action", "from elsewhere")
    card.panels["metric"].box.value = "mine"
    assert card.panels["action"].box.value == "from elsewhere"
    assert card.panels["action"].kept.children == ()


def test_a_text_put_away_is_not_shown_again_but_stays(reader_dir):
    card, other = answer_card("q03"), Store("q03", reader_dir)
    other.write("action", "from elsewhere")
    card.panels["action"].box.value = "mine"
    kept_buttons(card.panels["action"])["Put it away"].click()
    again = reopened(reader_dir)
    assert again.panels["action"].kept.children == ()
    assert [kept.text.text for kept in again.store.record.kept.values()] == ["from elsewhere"]


# --- export --------------------------------------------------------------------------------------


def test_a_code_block_left_open_swallows_nothing_of_the_export(reader_dir):
    card = answer_card("q03")
    card.panels["mechanism"].box.value = "```python\nx = 1\n\nand so on"
    card.export()
    html = MarkdownIt().render((reader_dir / "q03-answers.md").read_text("utf-8"))
    assert html.count("<h2>") == 4


def test_export_holds_the_words_and_never_overwrites_another(reader_dir):
    card = answer_card("q03")
    card.panels["action"].box.value = "my action"
    card.panels["action"].toggle.click()
    card.panels["action"].points[0].value = True
    card.store.commit_guess("q03-share", 50.0)
    card.export()
    first = reader_dir / "q03-answers.md"
    text = first.read_text("utf-8")
    assert str(first) in card.exported.value
    assert text.startswith("# Q3 · How big a group, how many prompts?\n\n## Mechanism\n\n*Nothing")
    assert "## Action and its cost\n\n> my action\n\n- [x] secret-action one\n- [ ] two\n" in text
    assert "share of the groups teaches nothing? 50 %, committed on 20" in text
    assert SECRETS["metric"] not in text
    card.export()
    assert sorted(reader_dir.glob("*.md")) == [first]
    card.panels["action"].box.value = "changed"
    card.export()
    assert first.read_text("utf-8") == text
    assert "changed" in (reader_dir / "q03-answers-2.md").read_text("utf-8")


def test_an_export_that_fails_is_said(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("AGENTRL_READER_DIR", str(tmp_path / "file" / "folder"))
    card = answer_card("q03")
    card.export()
    assert "NOT written: Not a directory" in card.exported.value


# --- the clock -----------------------------------------------------------------------------------


def test_the_clock_survives_reopening_and_stops(reader_dir):
    card = answer_card("q03")
    assert card.clock.button.description == "Start 10 minutes"
    before_s = time.time()
    card.clock.button.click()
    assert card.store.record.deadline_s == pytest.approx(before_s + 600, abs=5)
    again = reopened(reader_dir)
    assert again.clock.button.description == "Stop the clock"
    assert re_left(again.clock.face.value) in ("10:00", "09:59", "09:58")
    again.clock.button.click()
    assert Store("q03", reader_dir).record.deadline_s is None
    assert again.clock.face.value == ""


def re_left(html):
    return html.split(">")[1].split(" ")[0]


@pytest.mark.parametrize(
    ("left_s", "text"), [(600.0, "10:00 left"), (59.4, "01:00 left"), (0.2, "00:01 left")]
)
def test_the_time_left(left_s, text):
    assert text in clock_html(1000.0 + left_s, 1000.0)


def test_the_end_offers_and_opens_nothing(monkeypatch):
    monkeypatch.setattr(clock_module, "MINUTES", 1.2 / 60)

    async def wait():
        card = answer_card("q03")
        card.clock.button.click()
        await asyncio.sleep(0.1)
        assert "left" in card.clock.face.value
        await asyncio.sleep(1.6)
        return card

    card = asyncio.run(wait())
    assert "Time is up" in card.clock.face.value
    assert card.clock.button.description.startswith("Start")
    assert not any(panel.is_open for panel in card.panels.values())
    assert not any(secret in state_text(card) for secret in SECRETS.values())
    card.panels["action"].box.value = "still writing"
    assert "Time is up" in card.clock.face.value


# --- without a kernel ----------------------------------------------------------------------------


def test_the_static_form_depends_on_no_reader(reader_dir, monkeypatch):
    empty = answer_card("q03")._repr_mimebundle_()
    card = answer_card("q03")
    write_everywhere(card)
    card.clock.button.click()
    card.panels["action"].toggle.click()
    view = "application/vnd.jupyter.widget-view+json"
    assert empty.pop(view)
    for other in (card, reopened(reader_dir)):
        full = other._repr_mimebundle_()
        assert full.pop(view)
        assert full == empty
    assert empty["application/vnd.agentrl.card+json"] == {"card": "q03"}
    assert empty["text/plain"] == "answer_card('q03')"


def test_the_static_form_holds_the_reference_in_closed_parts(notebook_dir):
    html = answer_card("q03")._repr_mimebundle_()["text/html"]
    assert html.count("<details>") == 4
    assert "<details open" not in html
    for key in PARTS:
        before, after = html.split(f"{SECRETS[key]} about", 1)
        assert before.count("<details>") == before.count("</details>") + 1
        assert "</details>" in after


def test_the_static_form_without_answers_has_the_prompts():
    html = static_html("Q3", None)
    assert "<details" not in html
    assert all(heading in html for heading in HEADINGS.values())
    assert "There is no reference answer here" in html
    assert "open the reference" not in html


def test_only_boxes_that_exist_are_styled():
    """Every class that the styles name is given to something, and the other way round."""
    card = answer_card("q03")
    card.panels["action"].toggle.click()
    card.panels["action"].question.children[2].click()
    text = state_text(card)
    named = set(re.findall(r"\.(arl-[a-z]+)", card_module.CARD_STYLE))
    assert named
    for name in named - {"arl-words", "arl-kept", "arl-block"}:
        assert f'"{name}"' in text, name
