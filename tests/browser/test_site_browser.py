"""The site as a reader meets it, served and from a stick."""

import functools
import http.server
import json
import re
import threading

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from agentrl_lite import answers
from agentrl_lite.appendix import catalog
from agentrl_lite.reader.markdown import to_markdown
from agentrl_lite.reader.record import Record, from_json

pytestmark = pytest.mark.browser

PAGE = "q03_group_size.html"
START = "00_start.html"
WORDS = "A group that agrees with itself cancels. Ünïcödé ✓"
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
AXE = {"resultTypes": ["violations"]}  # else it takes most of its time to list what is well
# One page of each kind.
KINDS = ("index", "00_start", "q03_group_size", "gallery", "glossary", "instructors", "api_kl")


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass


@pytest.fixture(scope="module")
def served(site):
    """Return the address at which the site is served."""
    handler = functools.partial(Handler, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def stick(site):
    """Return the address at which the site lies in the file system."""
    return f"{site.as_uri()}/"


class Visitor:
    """Somebody with a browser of their own: no other visitor sees what it keeps."""

    def __init__(self, browser, size="desktop", scheme="light", **options):
        width, height = SIZES[size]
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **options
        )
        self.asked, self.troubles = [], []

    def open(self, address):
        page = self.context.new_page()
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("requestfailed", lambda request: self.troubles.append(request.url))
        page.on("response", lambda answer: answer.ok or self.troubles.append(answer.url))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto(address)
        return page

    def elsewhere(self, *here):
        """Return the addresses that were asked for and are not of the site."""
        return [url for url in self.asked if not url.startswith((*here, "data:", "blob:"))]


@pytest.fixture
def visitor(browser):
    somebody = Visitor(browser)
    yield somebody
    somebody.context.close()


@pytest.fixture
def page(visitor, served):
    """Return the page about group sizes, fresh."""
    return visitor.open(served + PAGE)


def card(page):
    return page.locator(".arl-card").first


def box(page, name="Mechanism"):
    return card(page).get_by_role("textbox", name=name)


def stored(page, question="q03"):
    """Return what the browser keeps of a question."""
    return json.loads(page.evaluate(f"localStorage.getItem('agentrl-lite/{question}')"))


# ---- no request leaves the site ----------------------------------------------------------------


@pytest.mark.parametrize("way", ["served", "stick"])
def test_no_request_leaves_the_site(browser, way, request):
    address = request.getfixturevalue(way)
    somebody = Visitor(browser)
    for name in (*KINDS, "search"):
        opened = somebody.open(f"{address}{name}.html")
        for slider in opened.locator("input[type=range]").all()[:2]:
            slider.press("ArrowRight")
        opened.wait_for_load_state("networkidle", timeout=120_000)
        opened.close()
    somebody.context.close()
    assert len(somebody.asked) > len(KINDS)
    assert somebody.elsewhere(address) == []
    assert somebody.troubles == []


@pytest.mark.parametrize("way", ["served", "stick"])
def test_the_search_finds(visitor, way, request):
    opened = visitor.open(f"{request.getfixturevalue(way)}search.html?q=dynamic+sampling")
    expect(opened.locator("#search-results li a").first).to_be_visible()
    expect(opened.locator("#search-results")).to_contain_text("Q3")


# ---- figures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["served", "stick"])
def test_a_slider_changes_picture_sentence_and_alt_text(visitor, way, request):
    opened = visitor.open(request.getfixturevalue(way) + PAGE)
    figure = opened.locator(".arl-figure").first
    image, sentence = figure.locator("img"), figure.locator(".arl-summary")
    first, second = figure.locator("input[type=range]").all()[:2]
    before = image.get_attribute("src"), sentence.inner_text()

    first.focus()
    first.press("ArrowRight")
    expect(image).not_to_have_attribute("src", before[0])
    expect(sentence).not_to_have_text(before[1])
    assert sentence.inner_text().replace("\xa0", " ") in image.get_attribute("alt").replace(
        "\xa0", " "
    )
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    moved = first.input_value()

    second.press("ArrowLeft")
    assert first.input_value() == str(int(moved) - 1), "the other control goes back to its start"

    figure.get_by_role("button", name="Reset").click()
    expect(image).to_have_attribute("src", before[0])
    expect(sentence).to_have_text(before[1])


def test_a_slider_says_its_value_and_what_is_held(page):
    slider = page.get_by_role("slider", name="Group size G").first
    assert slider.get_attribute("aria-valuetext") == "8"
    held = slider.get_attribute("aria-describedby")
    assert page.locator(f"#{held}").inner_text() == "with p = 0.10"
    slider.press("End")
    assert slider.get_attribute("aria-valuetext") != "8"


def test_without_scripts_the_first_picture_stands_alone(browser, stick):
    somebody = Visitor(browser, java_script_enabled=False)
    opened = somebody.open(stick + PAGE)
    expect(opened.locator(".arl-figure img").first).to_be_visible()
    expect(opened.locator(".arl-controls").first).to_be_hidden()
    expect(opened.get_by_text("Writing needs JavaScript").first).to_be_visible()
    assert box(opened).is_disabled()
    opened.locator(".arl-reference summary").first.click()
    expect(opened.locator(".arl-reference p").first).to_be_visible()
    somebody.context.close()


# ---- the card ----------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["served", "stick"])
def test_words_survive_a_reload(visitor, way, request):
    opened = visitor.open(request.getfixturevalue(way) + PAGE)
    box(opened).fill(WORDS)
    expect(card(opened).locator(".arl-status")).to_contain_text("Kept in this browser")
    opened.reload()
    expect(box(opened)).to_have_value(WORDS)
    assert box(opened, "Confirming metric").input_value() == ""


def test_both_cards_of_a_page_show_the_same_words(page):
    box(page).fill(WORDS)
    second = page.locator(".arl-card").nth(1).get_by_role("textbox", name="Mechanism")
    expect(second).to_have_value(WORDS)


def test_two_tabs_show_the_same_words(visitor, served, page):
    other = visitor.open(served + PAGE)
    box(page).fill("from the first")
    expect(box(other)).to_have_value("from the first")
    box(other, "Action and its cost").fill("from the second")
    expect(box(page, "Action and its cost")).to_have_value("from the second")
    assert box(page).input_value() == "from the first"


def test_a_text_that_this_tab_has_not_seen_is_kept_beside(page):
    box(page).fill("mine")
    # As a tab would have it that slept while another one wrote.
    page.evaluate(
        """() => {
            const record = JSON.parse(localStorage.getItem("agentrl-lite/q03"));
            Object.assign(record.answers.mechanism, {text: "theirs", draft: "x-1", revision: 5});
            localStorage.setItem("agentrl-lite/q03", JSON.stringify(record));
        }"""
    )
    box(page).fill("mine, further")
    notice = card(page).locator(".arl-kept .arl-notice")
    expect(notice).to_contain_text("theirs")
    notice.get_by_role("button", name="Append it to mine").click()
    expect(box(page)).to_have_value("mine, further\n\ntheirs")
    expect(notice).to_have_count(0)
    assert from_json(stored(page)).text("mechanism") == "mine, further\n\ntheirs"


def test_the_card_asks_before_it_opens_a_reference_unwritten(page):
    reference = card(page).locator(".arl-reference").first
    summary = reference.locator("summary")
    summary.click()
    expect(reference).not_to_have_attribute("open", "")
    expect(card(page).get_by_text("This box is still empty").first).to_be_visible()
    card(page).get_by_role("button", name="Open it anyway").first.click()
    expect(reference).to_have_attribute("open", "")
    record = from_json(stored(page))
    assert set(record.opened_unwritten_s) == set(record.opened_s) == {"mechanism"}


def test_what_is_opened_after_writing_is_not_noted_as_peeking(page):
    box(page).fill(WORDS)
    card(page).locator(".arl-reference summary").first.click()
    point = card(page).locator("[data-point]").first
    point.check()
    expect(card(page).locator(".arl-score")).to_contain_text("1 of ")
    page.reload()
    expect(page.locator(".arl-card [data-point]").first).to_be_checked()
    record = from_json(stored(page))
    assert (set(record.opened_s), record.opened_unwritten_s) == ({"mechanism"}, {})
    assert record.ticks == {("mechanism", 0)}


def test_formulas_in_a_reference_are_drawn_when_it_opens(page):
    box(page).fill(WORDS)
    reference = card(page).locator(".arl-reference").first
    reference.locator("summary").click()
    formula = reference.locator("mjx-container svg").first
    expect(formula).to_be_visible()
    assert formula.bounding_box()["height"] > 5
    assert "\\(" not in reference.inner_text()


def test_the_clock_runs_over_a_reload_and_stops(page):
    start = card(page).get_by_role("button", name="Start 10 minutes")
    start.click()
    face = card(page).get_by_role("timer")
    expect(face).to_have_text(re.compile(r"(10:00|09:5\d) left"))
    page.reload()
    expect(face).to_have_text(re.compile(r"09:[45]\d left"))
    card(page).get_by_role("button", name="Stop the clock").click()
    expect(face).to_have_text("")


def test_when_time_is_up_nothing_opens_or_locks(page):
    card(page).get_by_role("button", name="Start 10 minutes").click()
    page.evaluate("AgentRL.store('q03').runClock(Date.now() / 1000 - 1)")
    expect(card(page).get_by_role("timer")).to_contain_text("Time is up")
    box(page).fill("late")
    expect(box(page)).to_have_value("late")
    assert card(page).locator("details[open]").count() == 0


REFUSE = """
Storage.prototype.setItem = () => { throw new DOMException("It is full", "QuotaExceededError"); };
"""
FORBID = """
Object.defineProperty(window, "localStorage", { get() { throw new Error("Access is denied"); } });
"""


@pytest.mark.parametrize(
    ("script", "reason"), [(REFUSE, "full"), (FORBID, "denied")], ids=["full", "denied"]
)
def test_a_browser_that_keeps_nothing_is_told_of_and_loses_nothing(visitor, served, script, reason):
    visitor.context.add_init_script(script)
    opened = visitor.open(served + PAGE)
    box(opened).fill(WORDS)
    status = card(opened).locator(".arl-status")
    expect(status).to_contain_text("NOT kept")
    expect(status).to_contain_text(reason)
    box(opened, "Action and its cost").fill("more")
    expect(box(opened)).to_have_value(WORDS)
    with opened.expect_download() as download:
        card(opened).get_by_role("button", name="Export as Markdown").click()
    assert WORDS in download.value.path().read_text(encoding="utf-8")


def test_a_damaged_entry_is_set_aside_and_told_of(visitor, served):
    opened = visitor.open(served + PAGE)
    opened.evaluate("localStorage.setItem('agentrl-lite/q03', '{\"version\": 1, tru')")
    opened.reload()
    expect(card(opened).locator(".arl-notices")).to_contain_text("set aside")
    aside = opened.evaluate("Object.keys(localStorage).find(key => key.includes('damaged'))")
    assert opened.evaluate(f"localStorage.getItem('{aside}')") == '{"version": 1, tru'
    box(opened).fill(WORDS)
    assert from_json(stored(opened)).text("mechanism") == WORDS


def test_an_entry_of_a_newer_version_is_left_alone(visitor, served):
    opened = visitor.open(served + PAGE)
    newer = '{"version": 2, "question": "q03"}'
    opened.evaluate(f"localStorage.setItem('agentrl-lite/q03', '{newer}')")
    opened.reload()
    expect(card(opened).locator(".arl-notices")).to_contain_text("newer version")
    box(opened).fill(WORDS)
    assert opened.evaluate("localStorage.getItem('agentrl-lite/q03')") == newer


# ---- guess -------------------------------------------------------------------------------------


def test_a_guess_is_committed_once_and_laid_beside_the_truth(page):
    form, truth = page.locator(".arl-guess").first, page.locator(".arl-truth").first
    expect(truth).to_contain_text("You have not guessed yet")
    field = form.get_by_role("textbox")
    field.fill("many")
    field.press("Enter")
    expect(form.get_by_role("alert")).to_contain_text("“many” is not a number")
    field.fill("120")
    field.press("Enter")
    expect(form.get_by_role("alert")).to_contain_text("from 0 % to 100 %; 120 % does not")
    field.fill("50 %")
    form.get_by_role("button", name="Commit").click()
    expect(form).to_contain_text("Your guess: 50 %")
    told = "You guessed 50 %. It is 65.6 %. You were 15.6 percentage points too low."
    expect(truth).to_contain_text(told)
    page.reload()
    expect(truth).to_contain_text(told)
    expect(form.get_by_role("textbox")).to_be_hidden()
    assert from_json(stored(page)).guesses["q03-share"].value == 50


# ---- export and import -------------------------------------------------------------------------


def test_an_export_is_what_the_package_writes_and_reads(page):
    box(page).fill("Line one.\n\n> quoted\nlast")
    card(page).locator(".arl-reference summary").first.click()
    card(page).locator("[data-point]").nth(1).check()
    page.locator(".arl-guess input").first.fill("12.5")
    page.locator(".arl-guess button").first.click()
    card(page).locator(".arl-reference summary").nth(1).click()
    card(page).get_by_role("button", name="Open it anyway").nth(0).click()

    texts = {}
    for name in ("Export as Markdown", "Export as JSON"):
        with page.expect_download() as download:
            card(page).get_by_role("button", name=name).click()
        texts[download.value.suggested_filename] = download.value.path().read_text("utf-8")
    record = from_json(json.loads(texts["q03.json"]))
    assert record.guesses["q03-share"].value == 12.5
    assert record.ticks == {("mechanism", 1)}
    asked = catalog.question("q03")
    reference = answers.load("q03", page_folder())
    title = f"{asked.label} · {asked.title}"
    assert texts["q03-answers.md"] == to_markdown(record, title, reference)


def page_folder():
    from test_site import NOTEBOOKS

    return NOTEBOOKS[0].parent / "answers"


def test_all_answers_are_exported_and_brought_back_elsewhere(
    browser, visitor, served, page, tmp_path
):
    box(page).fill(WORDS)
    page.locator(".arl-guess input").first.fill("40")
    page.locator(".arl-guess button").first.click()
    start = visitor.open(served + START)
    expect(start.locator(".arl-progress table")).to_contain_text("1 of 4")
    with start.expect_download() as download:
        start.get_by_role("button", name="Export all as JSON").click()
    file = tmp_path / "answers.json"
    download.value.save_as(file)

    elsewhere = Visitor(browser)
    there = elsewhere.open(served + START)
    expect(there.locator(".arl-progress")).to_contain_text("Nothing is kept in this browser yet.")
    there.get_by_label("Bring answers back from a file").set_input_files(file)
    expect(there.locator(".arl-progress")).to_contain_text("Brought back: Q3.")
    there.goto(served + PAGE)
    expect(box(there)).to_have_value(WORDS)
    record = from_json(stored(there))
    assert isinstance(record, Record)
    assert record.guesses["q03-share"].value == 40
    elsewhere.context.close()


def test_bringing_back_loses_no_words(visitor, served, page, tmp_path):
    box(page).fill("older")
    old = stored(page)
    file = tmp_path / "q03.json"
    file.write_text(json.dumps(old))
    old["answers"]["mechanism"]["draft"] = "other-1"
    file.write_text(json.dumps(old))
    box(page).fill("newer")
    start = visitor.open(served + START)
    start.get_by_label("Bring answers back from a file").set_input_files(file)
    expect(start.locator(".arl-progress")).to_contain_text("Brought back: Q3.")
    expect(box(page)).to_have_value("newer")
    expect(card(page).locator(".arl-kept").first).to_contain_text("older")


def test_a_file_that_is_no_export_is_named(visitor, served, tmp_path):
    start = visitor.open(served + START)
    file = tmp_path / "holiday.json"
    file.write_text('{"version": 1, "question": "q99"}')
    start.get_by_label("Bring answers back from a file").set_input_files(file)
    expect(start.locator(".arl-progress")).to_contain_text("holiday.json is not an export")


# ---- keyboard, closed parts, accessibility -----------------------------------------------------


def test_solutions_open_by_keyboard(page):
    solution = page.locator("details.hide", has_text="Solution 1").first
    code = solution.locator("pre").first
    expect(code).to_be_hidden()
    solution.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(code).to_be_visible()


def test_a_card_is_worked_by_keyboard_alone(page):
    box(page).focus()
    page.keyboard.type("by keyboard")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    reference = card(page).locator(".arl-reference").first
    expect(reference).to_have_attribute("open", "")


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_axe_finds_nothing_serious_and_no_page_scrolls_sideways(browser, served, size, scheme):
    somebody = Visitor(browser, size, scheme)
    found = []
    for name in KINDS:
        opened = somebody.open(f"{served}{name}.html")
        if name == "q03_group_size":
            box(opened).fill(WORDS)
            # What is closed is looked at, too.
            opened.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
        # Thousands of strokes and coloured words: the other pages' code has the same colours.
        skipped = {
            "exclude": [["mjx-container"], *([[".highlight"]] if name == "q03_group_size" else [])]
        }
        for violation in Axe().run(opened, skipped, AXE).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                nodes = [node["html"][:120] for node in violation["nodes"][:3]]
                found.append((name, violation["id"], len(violation["nodes"]), nodes))
        width = opened.evaluate("document.documentElement.scrollWidth")
        assert width <= SIZES[size][0], name
        opened.close()
    somebody.context.close()
    assert found == []
