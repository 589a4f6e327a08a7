"""Slides on a projector: a browser, a file, no network."""

from pathlib import Path

import pytest

from agentrl_lite import editions, notebooks

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / notebooks.SOURCE


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    out = tmp_path_factory.mktemp("slides") / "out"
    editions.build("slides", out, ["q03"], source=SOURCE, book=ROOT / "book")
    return next(out.glob("q03_*.html"))


@pytest.fixture(scope="module")
def page(browser, deck):
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.asked, page.troubles = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("requestfailed", lambda request: page.troubles.append(request.url))
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("console", lambda m: m.type == "error" and page.troubles.append(m.text))
    page.goto(deck.as_uri())
    page.wait_for_selector("body[data-ready]", timeout=90_000)
    yield page
    context.close()


def place(page):
    return page.evaluate("[Reveal.getSlidePastCount(), Reveal.getIndices().f ?? -1]")


def test_no_request_leaves_the_folder(page, deck):
    here = deck.parent.as_uri()
    assert [url for url in page.asked if not url.startswith((here, "data:"))] == []
    assert page.troubles == []
    assert any(url.endswith("assets/reveal.js") for url in page.asked)


def test_one_key_leads_through_slides_and_fragments(page):
    page.evaluate("Reveal.slide(0, 0)")
    seen = [place(page)]
    for _press in range(250):
        page.keyboard.press("ArrowRight")
        if (now := place(page)) == seen[-1]:
            break
        seen.append(now)
    assert seen == sorted(seen)
    assert seen[-1][0] == page.evaluate("Reveal.getTotalSlides()") - 1
    assert sum(1 for _slide, fragment in seen if fragment >= 0) > 20
    page.keyboard.press("ArrowLeft")
    assert place(page) == seen[-2]


def test_code_and_answers_are_hidden_until_their_key(page):
    code = page.locator(".fragment .highlight").first
    page.evaluate(
        "el => { const i = Reveal.getIndices(el.closest('section')); Reveal.slide(i.h, i.v, -1) }",
        code.element_handle(),
    )
    code.wait_for(state="hidden")
    page.keyboard.press("ArrowRight")
    code.wait_for(state="visible")


def test_text_is_large_enough_for_the_back_row(page):
    """In px of a slide 720 px high; the smallest is a table on a full slide."""
    for selector, least in (("p, li", 22), ("pre", 20), ("td, th", 17)):
        sizes = page.evaluate(
            """selector => [...document.querySelector(".slides").querySelectorAll(selector)]
            .filter(el => el.textContent.trim())
            .map(el => parseFloat(getComputedStyle(el).fontSize))""",
            selector,
        )
        assert min(sizes) >= least, selector


def test_no_slide_needs_scrolling(page):
    assert page.locator(".slides section.long").count() == 0


def test_formulas_are_drawn(page):
    assert page.locator("mjx-container svg").count() > 20
    assert page.locator("mjx-merror").count() == 0
