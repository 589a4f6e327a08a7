"""Question 3 as a reader meets it: in JupyterLab, with mouse and keyboard."""

import json
import re
import time

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

WORDS = "A group that agrees with itself cancels."
PATIENCE_S = 10


def explorer(reader):
    """Return the first figure's sliders, picture and sentence."""
    return reader.page.locator(".arl-explore").first


def picture(figure):
    """Return the bytes of the picture, as text: its address changes with its title already."""
    return figure.locator(".arl-picture img").evaluate(
        """async image => {
            const bytes = new Uint8Array(await (await fetch(image.src)).arrayBuffer());
            return Array.from(bytes, byte => byte.toString(16)).join(" ");
        }"""
    )


def sentence(figure):
    return figure.locator(".arl-summary").inner_text()


def wait_for_change(figure, before):
    """Wait until sentence and picture both differ from `before`."""
    expect(figure.locator(".arl-summary")).not_to_have_text(before[0])
    deadline = time.monotonic() + PATIENCE_S
    while picture(figure) == before[1]:
        assert time.monotonic() < deadline, "the sentence has changed, the picture has not"
        time.sleep(0.1)


def test_every_cell_runs(reader):
    assert reader.errors() == []
    expect(explorer(reader).locator(".arl-picture img")).to_be_visible()


def test_a_slider_moves_by_keyboard(reader):
    figure = explorer(reader)
    before = sentence(figure), picture(figure)
    figure.locator(".noUi-handle").first.focus()
    reader.page.keyboard.press("ArrowRight")
    wait_for_change(figure, before)
    reader.page.keyboard.press("ArrowLeft")
    expect(figure.locator(".arl-summary")).to_have_text(before[0])


def test_a_slider_moves_by_mouse(reader):
    figure = explorer(reader)
    before = sentence(figure), picture(figure)
    handle = figure.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    reader.page.mouse.move(x, y)
    reader.page.mouse.down()
    reader.page.mouse.move(x + 60, y, steps=5)
    reader.page.mouse.up()
    wait_for_change(figure, before)


def test_words_survive_a_killed_kernel_and_a_closed_tab(reader):
    box = reader.page.get_by_role("textbox", name="Mechanism").first
    box.press_sequentially(WORDS, delay=15)
    expect(box).to_have_value(WORDS)
    wait_until_stored(reader.lab.reader / "q03.json", WORDS)

    assert reader.lab.kill_kernels() == 1
    reader.page.close()
    reader.open()
    reader.run_all()

    expect(reader.page.get_by_role("textbox", name="Mechanism").first).to_have_value(WORDS)
    assert reader.errors() == []


def wait_until_stored(file, words):
    """The card promises a second after the last key; a busy machine gets more."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if file.exists() and words in json.dumps(json.loads(file.read_text())):
            return
        time.sleep(0.1)
    found = file.read_text() if file.exists() else "nothing"
    pytest.fail(f"{words!r} is not in {file}, which holds {found}")


def test_the_reference_opens_beside_the_words(reader):
    told = reader.page.get_by_text(re.compile("a group that agrees with itself cancels: all pass"))
    expect(told).to_have_count(0)
    reader.page.get_by_role("button", name="Open the reference: mechanism").first.click()
    expect(told.first).to_be_visible()


def test_an_answer_in_the_text_opens(reader):
    answer = reader.page.locator("details.answer").first
    text = answer.locator("p").first
    expect(text).to_be_hidden()
    answer.locator("summary").click()
    expect(text).to_be_visible()


def test_nothing_outside_is_asked_for(reader):
    assert reader.lab.outside == []
