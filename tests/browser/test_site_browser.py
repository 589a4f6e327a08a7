"""The site as a reader meets it, served and from a stick."""

import functools
import http.server
import json
import math
import random
import re
import threading
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from agentrl_lite import answers
from agentrl_lite.appendix import catalog
from agentrl_lite.appendix.exercises import STATUS_WORDS, check, judge
from agentrl_lite.reader.markdown import to_markdown
from agentrl_lite.reader.merge import merge
from agentrl_lite.reader.record import PARTS, Guess, Kept, Record, Text, from_json, to_json

pytestmark = pytest.mark.browser

PAGE = "q03_group_size.html"
START = "00_start.html"
WORDS = "A group that agrees with itself cancels. Ünïcödé ✓"
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
# Else it takes most of its time to list what is well, and asks for style sheets once more.
AXE = {"resultTypes": ["violations"], "preload": False}
# What depends on colours and on the window's width; all else is the same twice.
LOOKS = AXE | {"runOnly": ["color-contrast", "scrollable-region-focusable", "target-size"]}
# One page of each kind.
KINDS = (
    "index",
    "00_start",
    "q03_group_size",
    "gallery",
    "glossary",
    "instructors",
    "api_kl",
    "search",
)


# What a page asks for on its own: what draws its formulas, and its pictures, late ones included.
SETTLED = """async () => {
    await window.MathJax?.startup?.promise;
    const decoded = image => { image.loading = "eager"; return image.decode(); };
    await Promise.all(Array.from(document.images, decoded));
}"""


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

    def __init__(self, browser, size="desktop", scheme="light", maths=True, **options):
        width, height = SIZES[size]
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **options
        )
        self.asked, self.troubles = [], []
        if not maths:  # setting a page's formulas is most of the time that opening it takes
            script = {"content_type": "text/javascript", "body": ""}
            self.context.route("**/tex-svg.js", lambda route: route.fulfill(**script))

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
    somebody = Visitor(browser, maths=False)
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


def read(somebody, address):
    """Open a page, move its first sliders, and wait until it has asked for all that it wants."""
    opened = somebody.open(address)
    for slider in opened.locator("input[type=range]").all()[:2]:
        slider.press("ArrowRight")
    opened.evaluate(SETTLED)
    return opened


def assert_none_left(somebody, address):
    assert len(somebody.asked) > len(KINDS)
    assert somebody.elsewhere(address) == []
    assert somebody.troubles == []


def test_no_request_leaves_the_site_on_a_stick(browser, stick):
    somebody = Visitor(browser)
    for name in KINDS:
        read(somebody, f"{stick}{name}.html").close()
    somebody.context.close()
    assert_none_left(somebody, stick)


@pytest.mark.parametrize("way", ["served", "stick"])
def test_the_search_finds(visitor, way, request):
    opened = visitor.open(f"{request.getfixturevalue(way)}search.html?q=dynamic+sampling")
    expect(opened.locator("#search-results li a").first).to_be_visible()
    expect(opened.locator("#search-results")).to_contain_text("Q3")


@pytest.mark.parametrize(("words", "first"), [("tool+output", "Q28"), ("KL", "Q5")])
def test_the_search_finds_the_question_first(visitor, served, words, first):
    opened = visitor.open(f"{served}search.html?q={words}")
    # The results come one after another; each is put in its place by its score.
    expect(opened.locator(".search-summary")).to_contain_text("finished")
    expect(opened.locator("#search-results li a").first).to_contain_text(first)


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


def test_what_a_number_stands_for_is_chosen_by_its_name(visitor, served):
    opened = visitor.open(served + "q27_length_growth.html")
    figure = opened.locator(".arl-figure", has=opened.locator("select")).first
    image, mode = figure.locator("img"), figure.get_by_role("combobox", name="Mode")
    before = image.get_attribute("src")
    expect(mode.locator("option:checked")).to_have_text("sequence mean")
    mode.press("ArrowUp")
    expect(mode.locator("option:checked")).to_have_text("token mean")
    expect(image).not_to_have_attribute("src", before)
    expect(figure.locator(".arl-summary")).to_contain_text("token mean")
    figure.get_by_role("combobox", name="Divided by std").select_option("no")
    expect(mode.locator("option:checked")).to_have_text("sequence mean")
    figure.get_by_role("button", name="Reset").click()
    expect(image).to_have_attribute("src", before)


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
    expect(card(opened).locator(".arl-status")).to_have_text("Kept in this browser.")
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


def test_escape_takes_the_question_back(page):
    summary = card(page).locator("summary").first
    summary.press("Enter")
    expect(card(page).get_by_role("button", name="Write first").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(card(page).locator(".arl-ask").first).to_be_hidden()
    expect(summary).to_be_focused()
    kept = page.evaluate("localStorage.getItem('agentrl-lite/q03')")
    assert kept is None, "nothing was opened"


def test_a_sign_that_arrives_in_two_halves_is_whole(page):
    """As some drivers and input methods send it."""
    box(page).fill("a")
    box(page).evaluate("""box => {
        for (const half of ["\\ud83d", "\\ude00"]) {
            box.value += half;
            box.dispatchEvent(new Event("input", { bubbles: true }));
        }
    }""")
    expect(box(page)).to_have_value("a\U0001f600")
    assert stored(page)["answers"]["mechanism"]["text"] == "a\U0001f600"


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


def test_formulas_in_a_reference_are_drawn_when_it_opens(browser, served):
    somebody = Visitor(browser)
    page = somebody.open(served + PAGE)
    box(page).fill(WORDS)
    reference = card(page).locator(".arl-reference").first
    reference.locator("summary").click()
    formula = reference.locator("mjx-container svg").first
    expect(formula).to_be_visible()
    assert formula.bounding_box()["height"] > 5
    assert "\\(" not in reference.inner_text()
    somebody.context.close()


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
    expect(status).to_have_text(re.compile(f"The browser says: .*{reason}$"))
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
    field.fill("0x10")
    field.press("Enter")
    expect(form.get_by_role("alert")).to_contain_text("“0x10” is not a number")
    field.fill("1/2")
    field.press("Enter")
    expect(form.get_by_role("alert")).to_contain_text("Did you mean 50 %? If it is 0.5 %,")
    field.fill("100/2 %")
    form.get_by_role("button", name="Commit").click()
    expect(form).to_contain_text("Your guess: 50 %")
    told = "You guessed 50 %. It is 65.6 %. You were 15.6 percentage points too low."
    expect(truth).to_contain_text(told)
    page.reload()
    expect(truth).to_contain_text(told)
    expect(form.get_by_role("textbox")).to_be_hidden()
    assert from_json(stored(page)).guesses["q03-share"].value == 50


# ---- checks ------------------------------------------------------------------------------------


def test_a_check_answers_in_place_and_keeps_a_pass(visitor, served, page):
    form = page.locator('[data-check="q03-smallest-G-hard"]')
    field, verdict = form.get_by_role("textbox"), form.get_by_role("status")
    for typed, status, said in (
        ("", "unanswered", "Write a number first."),
        ("many", "type", "This answer must be a whole number; it was 'many'."),
        ("13", "wrong", "Which way must you round?"),
        ("14", "right", "Right."),
    ):
        field.fill(typed)
        field.press("Enter")
        expect(verdict).to_contain_text(said)
        expect(verdict).to_have_attribute("data-status", status)
        name = STATUS_WORDS[status]
        expect(verdict.get_by_role("img", name=name, exact=True)).to_be_visible()
    assert set(from_json(stored(page)).checks_s) == {"q03-smallest-G-hard"}
    page.reload()
    expect(verdict).to_contain_text("Right, on 20")
    start = visitor.open(served + START)
    expect(start.locator('.arl-progress td[data-column="Checks"]')).to_have_text("1 of 5")


def answers_to(check_id):
    """Return texts that somebody may type, right ones, typical wrong ones and silly ones."""
    asked = check(check_id)
    truth, edge = asked.truth(), asked.tolerance
    numbers = [truth, *(hint.value() for hint in asked.hints)]
    numbers += [truth + 0.99 * edge, truth - 0.99 * edge, truth + 1.01 * edge + 1e-6, -truth - 1]
    texts = [repr(number) for number in numbers]
    silly = ("seven", "0.5", "2.5", "95", "-1", "1000.0", "1,000", "nan", "1e999", "7" * 50)
    return [*texts, *silly]


def as_python_has_it(text):
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        return value if math.isfinite(value) else text
    return text


def test_every_check_says_here_what_it_says_in_the_notebook(site, page):
    judged_by = {
        check_id: data
        for path in site.glob("*.html")
        for check_id, data in re.findall(
            r'data-check="([\w-]+)"[^>]* data-judge="([^"]+)"', path.read_text(encoding="utf-8")
        )
    }
    typed = {check_id: answers_to(check_id) for check_id in judged_by}
    said = page.evaluate(
        """([judgedBy, typed]) => Object.entries(typed).map(([id, texts]) => {
            const asked = AgentRL.judgedBy({ dataset: { judge: judgedBy[id] } });
            return texts.map(text => AgentRL.judge(asked, text));
        })""",
        [judged_by, typed],
    )
    statuses = set()
    for (check_id, texts), verdicts in zip(typed.items(), said, strict=True):
        for text, verdict in zip(texts, verdicts, strict=True):
            expected = judge(check_id, as_python_has_it(text))
            assert verdict == [expected.status, expected.message], (check_id, text)
            statuses.add(verdict[0])
        assert verdicts[0][0] == "right", check_id
    assert len(judged_by) > 40
    assert statuses == {"right", "wrong", "type"}


def test_a_fraction_is_a_number(page):
    parsed = page.evaluate(
        "['7/8', ' −1 / 4', '3/0', '1/2/3', '1 2', '.5', '5.'].map(AgentRL.parseAnswer)"
    )
    assert parsed == [0.875, -0.25, None, None, None, 0.5, 5]


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


def test_a_card_brings_back_its_own_answers_and_says_what_else_a_file_holds(page, tmp_path):
    box(page).fill(WORDS)
    mine, others, both = stored(page), tmp_path / "others.json", tmp_path / "answers.json"
    theirs = mine | {"question": "q04"}
    others.write_text(json.dumps(theirs))
    both.write_text(json.dumps({"version": 1, "records": [theirs, mine]}))
    page.evaluate("localStorage.clear()")
    page.reload()
    field, told = card(page).get_by_label("Bring answers back"), card(page).locator(".arl-told")
    field.set_input_files(others)
    expect(told).to_have_text("others.json holds no answers to this question; it has Q4.")
    expect(box(page)).to_have_value("")
    field.set_input_files(both)
    expect(told).to_have_text("Brought back: Q3.")
    expect(box(page)).to_have_value(WORDS)
    assert page.evaluate("Object.keys(localStorage).filter(key => key.endsWith('q04'))") == []


# The engine that keeps each file by itself is not here; what a page says there is.
FIREFOX = """
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...asked) => asked[0] === "-moz-appearance" || supports(...asked);
"""


@pytest.mark.parametrize(("firefox", "way"), [(True, "stick"), (True, "served"), (False, "stick")])
def test_what_firefox_keeps_of_a_file_is_not_called_all_that_there_is(
    visitor, firefox, way, request
):
    if firefox:
        visitor.context.add_init_script(FIREFOX)
    start = visitor.open(request.getfixturevalue(way) + START)
    alone = firefox and way == "stick"
    said = "with each page by itself" if alone else "Nothing is kept in this browser yet."
    expect(start.locator(".arl-progress")).to_contain_text(said)
    opened = visitor.open(request.getfixturevalue(way) + PAGE)
    told = card(opened).locator(".arl-told")
    expect(told).to_contain_text(said) if alone else expect(told).to_be_empty()
    box(opened).fill(WORDS)
    kept = "with each page by itself" if alone else "Your words are kept in this browser."
    expect(start.locator(".arl-progress")).to_contain_text(kept)


@pytest.mark.parametrize("draft", ["the same", "another"])
def test_bringing_back_loses_no_words(visitor, served, page, tmp_path, draft):
    box(page).fill("older")
    old = stored(page)
    if draft == "another":
        old["answers"]["mechanism"]["draft"] = "other-1"
    file = tmp_path / "q03.json"
    file.write_text(json.dumps(old))
    box(page).fill("newer")
    start = visitor.open(served + START)
    kept = card(page).locator(".arl-kept .arl-notice")
    for _time in range(2):  # the second time changes nothing
        start.get_by_label("Bring answers back from a file").set_input_files(file)
        expect(start.locator(".arl-progress")).to_contain_text("Brought back: Q3.")
        expect(box(page)).to_have_value("newer")
        expect(kept).to_have_count(1)
        expect(kept).to_contain_text("older")
    record = from_json(stored(page))
    assert [one.text.text for one in record.kept.values()] == ["older"]


def test_words_that_are_there_already_are_not_kept_beside(visitor, served, page, tmp_path):
    box(page).fill("A sentence.")
    file = tmp_path / "q03.json"
    file.write_text(json.dumps(stored(page)))
    box(page).fill("A sentence. And another.")
    start = visitor.open(served + START)
    start.get_by_label("Bring answers back from a file").set_input_files(file)
    expect(start.locator(".arl-progress")).to_contain_text("Brought back: Q3.")
    assert from_json(stored(page)).kept == {}


def some_record(rng):
    """Return a record of few texts, drafts and times, so that two of them often meet."""
    now = 1_790_000_000.0

    def text(draft):
        revision = rng.randint(1, 3)
        words = "" if rng.random() < 0.2 else f"{draft} in edit {revision}"
        return Text(words, draft, revision, now + revision)

    def some(names, make):
        return {name: make() for name in names if rng.random() < 0.5}

    kept = [(part, draft) for part in PARTS[:2] for draft in "abc" if rng.random() < 0.3]
    return Record(
        answers=some(PARTS, lambda: text(rng.choice("abc"))),
        ticks=frozenset(some([(part, n) for part in PARTS for n in (0, 1)], lambda: None)),
        deadline_s=rng.choice([None, now + 60]),
        opened_s=some(PARTS, lambda: now + rng.randint(1, 9)),
        opened_unwritten_s=some(PARTS, lambda: now + rng.randint(1, 9)),
        guesses=some(["q03-share"], lambda: Guess(rng.randint(1, 99), now + rng.random())),
        checks_s=some(["q03-smallest-G", "q03-two-pools"], lambda: now + rng.randint(1, 9)),
        kept={(part, draft): Kept(part, text(draft), rng.random() < 0.3) for part, draft in kept},
    )


def words_of(record):
    """Return all texts of a record, by the part that they were written for."""
    answers = {(part, text.text) for part, text in record.answers.items() if text.text}
    return answers | {(one.part, one.text.text) for one in record.kept.values() if one.text.text}


def test_records_are_joined_as_the_package_joins_them_and_more_words_stay(page):
    rng = random.Random(5)
    pairs = [(some_record(rng), some_record(rng)) for _number in range(200)]
    joined = page.evaluate(
        """pairs => pairs.map(([mine, theirs]) =>
            AgentRL.keepWords(AgentRL.mergeRecords(mine, theirs), [mine, theirs]))""",
        [[to_json(mine, "q03"), to_json(theirs, "q03")] for mine, theirs in pairs],
    )
    for (mine, theirs), data in zip(pairs, joined, strict=True):
        here, there = from_json(data), merge(Record(), mine, theirs)
        # Times are written in milliseconds.
        there = from_json(to_json(there, "q03"))
        texts = {"answers": {}, "kept": {}}
        assert replace(here, **texts) == replace(there, **texts)
        assert words_of(here) >= words_of(there)
        assert words_of(here) == words_of(mine) | words_of(theirs)
        for part, text in there.answers.items():
            if text.text:  # an empty box takes the other's words
                assert here.answers[part] == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"version": 1, "question": "q99"}', "question q99"),
        ('{"version": 1, "question": "toString"}', "question toString"),
        ('{"version": 1, "question": "__proto__"}', "question __proto__"),
        ('{"records": []}', "It holds no answers."),
    ],
)
def test_a_file_that_is_no_export_is_named(visitor, served, tmp_path, text, problem):
    start = visitor.open(served + START)
    file = tmp_path / "holiday.json"
    file.write_text(text)
    start.get_by_label("Bring answers back from a file").set_input_files(file)
    told = f"holiday.json is not an export of this book: {problem}"
    expect(start.locator(".arl-status")).to_have_text(told)


def test_what_is_brought_back_and_not_kept_is_said_to_be_so(visitor, served, page, tmp_path):
    box(page).fill(WORDS)
    file = tmp_path / "q03.json"
    file.write_text(json.dumps(stored(page)))
    page.evaluate("localStorage.clear()")
    visitor.context.add_init_script(REFUSE + "const refused = Storage.prototype.setItem;")
    start = visitor.open(served + START)
    start.get_by_label("Bring answers back from a file").set_input_files(file)
    block, status = start.locator(".arl-progress"), start.locator(".arl-status")
    expect(status).to_contain_text("Brought back: Q3. NOT kept")
    expect(status).to_have_class(re.compile("arl-bad"))
    expect(block).to_contain_text("You have worked on 1 of")
    expect(block).not_to_contain_text("are kept in this browser")
    start.evaluate("delete Storage.prototype.setItem")
    start.evaluate(
        "Storage.prototype.setItem = function (key, value) { this[key] = value; };"
        "AgentRL.store('q03').write('metric', 'more')"
    )
    expect(status).to_have_text("Brought back: Q3.")
    expect(status).not_to_have_class(re.compile("arl-bad"))
    expect(block).to_contain_text("Your words are kept in this browser.")


WHOLE = to_json(
    Record(
        answers={"mechanism": Text(WORDS, "a-1", 1, 1_790_000_000.0)},
        ticks=frozenset({("mechanism", 0)}),
        deadline_s=1_790_000_000.5,
        opened_s={"mechanism": 1_790_000_000.0},
        opened_unwritten_s={"mechanism": 1_790_000_000.0},
        guesses={"q03-share": Guess(50.0, 1_790_000_000.0)},
        checks_s={"q03-smallest-G": 1_790_000_000.0},
        kept={("metric", "b-1"): Kept("metric", Text("x", "b-1", 2, 1_790_000_000.0))},
    ),
    "q03",
)


def broken_records(data):
    """Yield copies of a record in which one thing is of another kind, or is not there."""
    for *outer, last in places(data):
        for bad in (None, "x", 1.5, True, [], {}, [None], {"mechanism": None}, "left out"):
            copy = copy_of = json.loads(json.dumps(data))
            for key in outer:
                copy = copy[key]
            copy[last] = bad
            if bad == "left out":
                del copy[last]
            yield copy_of


def places(data, way=()):
    """Yield the way to everything in a record but its question, which has a test of its own."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        if key != "question":
            yield (*way, key)
        if isinstance(value, dict | list):
            yield from places(value, (*way, key))


def is_refused(data):
    try:
        from_json(data)
    except (ValueError, OSError):
        return True
    return False


def test_what_the_package_cannot_read_is_refused_here(page):
    broken = [WHOLE, *broken_records(WHOLE)]
    problems = page.evaluate("broken => broken.map(AgentRL.recordProblem)", broken)
    refused = [is_refused(data) for data in broken]
    assert len(broken) > 200
    assert [
        data for data, bad, told in zip(broken, refused, problems, strict=True) if bad != bool(told)
    ] == []
    assert problems[0] == ""
    assert not all(refused)
    assert any(refused)


def test_on_paper_nothing_is_cut_off(page, tmp_path):
    words = [f"word{number}" for number in range(900)]
    box(page).fill("\n".join(" ".join(words[n : n + 9]) for n in range(0, 900, 9)))
    assert box(page).bounding_box()["height"] <= 0.6 * SIZES["desktop"][1] + 1
    page.emulate_media(media="print")
    for thing in (".arl-own textarea", ".arl-scroll", ".bd-article table"):
        wide, high = page.locator(thing).first.evaluate(
            "e => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]"
        )
        assert (wide, high) <= (0, 1), thing


def test_a_box_of_an_older_browser_grows_for_paper(visitor, served):
    visitor.context.add_init_script("CSS.supports = () => false;")
    opened = visitor.open(served + PAGE)
    opened.add_style_tag(content=".arl-own textarea { field-sizing: fixed !important; }")
    box(opened).fill("line\n" * 100)
    before = box(opened).bounding_box()["height"]
    opened.emulate_media(media="print")
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert (
        box(opened).evaluate("e => e.style.height")
        == f"{box(opened).evaluate('e => e.scrollHeight') + 2}px"
    )
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    opened.emulate_media(media="screen")
    assert box(opened).bounding_box()["height"] == before


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


@pytest.mark.parametrize(
    ("size", "scheme", "rules"), [("desktop", "light", AXE), ("phone", "dark", LOOKS)]
)
def test_axe_finds_nothing_serious_nothing_scrolls_sideways_and_no_request_leaves(
    browser, served, size, scheme, rules
):
    somebody = Visitor(browser, size, scheme)
    found = []
    for name in KINDS:
        opened = read(somebody, f"{served}{name}.html")
        if name == "q03_group_size":
            box(opened).fill(WORDS)
            # What is closed is looked at, too.
            opened.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
        # Thousands of strokes and coloured words: the other pages' code has the same colours.
        skipped = {
            "exclude": [["mjx-container"], *([[".highlight"]] if name == "q03_group_size" else [])]
        }
        for violation in Axe().run(opened, skipped, rules).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                nodes = [node["html"][:120] for node in violation["nodes"][:3]]
                found.append((name, violation["id"], len(violation["nodes"]), nodes))
        width = opened.evaluate("document.documentElement.scrollWidth")
        assert width <= SIZES[size][0], name
        opened.close()
    somebody.context.close()
    assert found == []
    assert_none_left(somebody, served)
