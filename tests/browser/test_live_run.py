"""A live run as a reader meets it: begun, held, ended, while it trains, with mouse and keyboard."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

STEP = re.compile(r"(\d+) of 60$")
# On an idle machine nothing below takes longer than two seconds.
PATIENCE_MS = 30_000
PHONE = {"width": 390, "height": 800}


@pytest.fixture(scope="module")
def somebody(visit):
    """Somebody who has run a notebook with two live runs."""
    expect.set_options(timeout=PATIENCE_MS)
    yield visit(
        "live.ipynb",
        "from agentrl_lite.widgets import live",
        'live("q27")',
        'live("q27", seed=2, panels=("reward", "truncated"), steps=8)',
        "6 * 7",
    )
    expect.set_options(timeout=None)


@pytest.fixture
def run(somebody):
    """The first of them, at rest."""
    found = somebody.page.locator(".arl-live").first
    expect(found.locator(".arl-panels img")).to_have_count(4)
    if button(found, "Start again").count():
        button(found, "Stop").click()
    expect(button(found, "Run")).to_be_visible()
    return found


def button(run, name):
    return run.get_by_role("button", name=name, exact=True)


def told(run):
    return run.get_by_text(STEP)


def step(run):
    """Return how many steps are done."""
    return int(STEP.search(told(run).inner_text())[1])


def pictures(run):
    return run.locator(".arl-panels img").evaluate_all(
        """images => Promise.all(images.map(async image => {
            const bytes = new Uint8Array(await (await fetch(image.src)).arrayBuffer());
            return Array.from(bytes, byte => byte.toString(16)).join("");
        }))"""
    )


def settled(run):
    """Return the pictures once they stand still: the last one may come a moment after its words."""
    page, drawn = run.page, None
    while drawn != (drawn := pictures(run)):
        page.wait_for_timeout(400)
    return drawn


def choose_seed(run, seed):
    run.get_by_label("Seed").fill(seed)
    run.get_by_label("Seed").press("Tab")


def begin(run):
    """Press Run, and wait until some steps are done."""
    button(run, "Run").click()
    expect(button(run, "Start again")).to_be_visible()
    expect(told(run)).to_have_text(re.compile(r"Step ([3-9]|[1-5]\d) of 60"))


def test_the_cell_has_trained_both_arms(somebody, run):
    assert somebody.errors() == []
    expect(told(run)).to_have_text("Done: step 60 of 60")
    expect(run).to_contain_text("With seed 1, in the mean of steps 51 to 60: ")


def test_the_picture_changes_while_it_trains_pause_holds_it_and_stop_keeps_it(somebody, run):
    whole = pictures(run)
    begin(run)
    begun, early = step(run), pictures(run)
    assert all(a != b for a, b in zip(early, whole, strict=True))

    button(run, "Pause").click()
    expect(told(run)).to_have_text(re.compile(r"Paused at step \d+ of 60"))
    held, drawn = step(run), settled(run)
    assert begun <= held < 60, "it was over before it was held"
    somebody.page.wait_for_timeout(800)
    assert (step(run), pictures(run)) == (held, drawn)

    button(run, "Go on").click()
    expect(told(run)).not_to_have_text(re.compile(f"step {held} of 60"))
    button(run, "Stop").click()
    expect(told(run)).to_have_text(re.compile(r"Stopped at step \d+ of 60"))
    ended, last = step(run), settled(run)
    assert held < ended < 60, "it was over before it was stopped"
    assert all(a != b for a, b in zip(last, drawn, strict=True))
    drawn = last
    somebody.page.wait_for_timeout(800)
    assert (step(run), pictures(run)) == (ended, drawn)


def test_the_same_seed_draws_the_same_pictures_again(somebody):
    other = somebody.page.locator(".arl-live").nth(1)
    first = settled(other)
    button(other, "Run").click()
    expect(button(other, "Start again")).to_be_visible()
    expect(other.get_by_text("Done: step 8 of 8")).to_be_visible()
    assert settled(other) == first


def test_starting_again_leaves_the_run_that_goes(run):
    begin(run)
    choose_seed(run, "4")
    button(run, "Start again").click()
    expect(run).to_contain_text("With seed 4, in the mean of steps 1 to ")
    button(run, "Stop").click()
    expect(told(run)).to_have_text(re.compile(r"Stopped at step \d+ of 60"))
    expect(run.get_by_role("alert")).to_have_count(0)


def test_other_cells_run_and_other_widgets_stand_still_while_it_trains(somebody, run):
    other = somebody.page.locator(".arl-live").nth(1)
    still = pictures(other)
    begin(run)
    cell = somebody.page.locator(".jp-CodeCell").last
    cell.locator(".cm-content").click()
    somebody.page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_have_text("[5]:")
    assert step(run) < 60, "it was over before the cell had run"
    assert pictures(other) == still
    button(other, "Run").click()
    expect(other.get_by_text("Done: step 8 of 8")).to_be_visible()
    button(run, "Stop").click()


def test_everything_is_reached_and_worked_by_keyboard(somebody, run):
    keys = somebody.page.keyboard
    run.get_by_label("Aggregation").focus()
    keys.press("End")
    expect(run).to_contain_text("“Yours” is “token mean” but for Aggregation: constant normaliser.")
    for label in ("Divide by the std", "Test result", "Token cap"):
        keys.press("Tab")
        expect(run.get_by_label(label)).to_be_focused()
    keys.press("Tab")
    expect(button(run, "Reset")).to_be_focused()
    keys.press("Tab")
    expect(run.get_by_label("Seed")).to_be_focused()
    keys.press("Control+a")
    keys.type("3")
    keys.press("Tab")
    expect(button(run, "Run")).to_be_focused()
    keys.press("Enter")
    expect(button(run, "Start again")).to_be_focused()
    expect(told(run)).to_have_text(re.compile(r"Step [1-9]\d? of 60"))
    keys.press("Tab")
    expect(button(run, "Pause")).to_be_focused()
    keys.press("Space")
    expect(told(run)).to_have_text(re.compile(r"Paused at step \d+ of 60"))
    expect(run).to_contain_text("With seed 3")
    expect(run).to_contain_text("(yours)")
    expect(button(run, "Go on")).to_be_focused()
    keys.press("Tab")
    keys.press("Enter")
    expect(told(run)).to_have_text(re.compile(r"Stopped at step \d+ of 60"))
    expect(button(run, "Stop")).to_be_focused()
    keys.press("Tab")
    keys.press("Enter")
    expect(run.get_by_role("table")).to_be_visible()
    keys.press("Enter")
    expect(run.get_by_role("table")).to_be_hidden()
    button(run, "Reset").click()


def test_a_bad_seed_is_answered_in_place(run):
    choose_seed(run, "2.5")
    expect(run.get_by_role("alert")).to_have_text(
        "seed must be a whole number from 0 to 999,999; it was 2.5"
    )
    choose_seed(run, "1")
    expect(run.get_by_role("alert")).to_have_count(0)


def test_an_open_table_stays_open_when_the_run_ends(somebody):
    run = somebody.page.locator(".arl-live").nth(1)
    run.locator("summary").click()
    table = run.get_by_role("table")
    expect(table).to_be_visible()
    before = table.inner_text()
    choose_seed(run, "5")
    button(run, "Run").click()
    expect(table).not_to_have_text(before)
    expect(table).to_be_visible()


def test_a_phone_gets_one_panel_a_row_and_nothing_runs_out(somebody, run):
    page = somebody.page
    before = page.viewport_size
    page.set_viewport_size(PHONE)
    page.keyboard.press("Control+b")  # puts the list of files away
    try:
        expect(page.locator("#jp-left-stack")).to_be_hidden()
        page.wait_for_timeout(500)
        room, images = run.bounding_box(), run.locator(".arl-panels img").all()
        boxes = [image.bounding_box() for image in images]
        assert len({round(box["x"]) for box in boxes}) == 1
        for box in boxes:
            assert box["x"] >= room["x"]
            assert box["x"] + box["width"] <= room["x"] + room["width"]
        assert run.evaluate("element => element.scrollWidth - element.clientWidth") <= 0
    finally:
        page.keyboard.press("Control+b")
        page.set_viewport_size(before)


def test_a_reload_finds_the_run_that_goes_on(somebody, run):
    begin(run)
    button(run, "Pause").click()
    expect(told(run)).to_have_text(re.compile(r"Paused at step \d+ of 60"))
    held, drawn = step(run), pictures(run)
    somebody.save()
    somebody.page.reload()
    again = somebody.page.locator(".arl-live").first
    expect(button(again, "Go on")).to_be_visible()
    assert (step(again), pictures(again)) == (held, drawn)
    button(again, "Go on").click()
    expect(told(again)).to_have_text(re.compile(rf"Step (?!{held} )\d+ of 60"))
    button(again, "Stop").click()
    expect(told(again)).to_have_text(re.compile(r"Stopped at step \d+ of 60"))


def test_a_kernel_that_has_died_is_told(somebody):
    run = somebody.page.locator(".arl-live").first
    assert somebody.lab.kill_kernels()
    expect(run).to_have_class(re.compile("jupyter-widgets-disconnected"))
    says = run.evaluate("element => getComputedStyle(element, '::before').content")
    assert says == '"The kernel has stopped. Run the notebook from the top to train here."'


def test_nothing_outside_is_asked_for(somebody):
    assert somebody.lab.outside == []
