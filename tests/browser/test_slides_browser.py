"""Slides on a projector: a browser, a file, no network."""

from pathlib import Path

import pytest

from agentrl_lite import editions, notebooks

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / notebooks.SOURCE


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    """Return the slides of every question."""
    out = tmp_path_factory.mktemp("slides") / "out"
    editions.build("slides", out, source=SOURCE, book=ROOT / "book")
    return sorted(out.glob("[qx]*.html"))


@pytest.fixture(scope="module")
def deck(decks):
    (path,) = (path for path in decks if path.name.startswith("q03_"))
    return path


def opened(browser, deck, width, height):
    page = browser.new_page(viewport={"width": width, "height": height})
    page.asked, page.troubles = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("requestfailed", lambda request: page.troubles.append(request.url))
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("console", lambda m: m.type == "error" and page.troubles.append(m.text))
    page.goto(deck.as_uri())
    page.wait_for_selector("body[data-ready]", timeout=90_000)
    return page


@pytest.fixture(scope="module")
def page(browser, deck):
    page = opened(browser, deck, 1280, 720)
    yield page
    page.close()


# In px of a slide, each slide laid out as while it was fitted: how far it reaches to the right and
# down, its smallest text of three kinds, and its smallest picture in terms of its own pixels.
MEASURE = """() => {
  document.body.classList.add("measuring");
  return [...document.querySelectorAll(".slides > section > section")].map((slide, number) => {
    const box = slide.getBoundingClientRect(), scale = box.width / slide.offsetWidth;
    const seen = [...slide.querySelectorAll("*")].filter(
      el => el.getBoundingClientRect().width && !el.closest("defs, mjx-assistive-mml"));
    const least = (...tags) => Math.min(1000, ...seen
      .filter(el => tags.includes(el.tagName) && el.textContent.trim())
      .map(el => parseFloat(getComputedStyle(el).fontSize)));
    const edge = side => Math.max(0, ...seen.map(el => el.getBoundingClientRect()[side]));
    return {
      number, width: slide.offsetWidth,
      right: (edge("right") - box.left) / scale, bottom: (edge("bottom") - box.top) / scale,
      picture: Math.min(1000, ...[...slide.querySelectorAll(".jp-OutputArea img")].map(image =>
        Math.min(image.offsetHeight / image.naturalHeight,
                 image.offsetWidth / image.naturalWidth))),
      text: least("P", "LI"), code: least("PRE"), cell: least("TD", "TH"),
    };
  });
}"""


def test_every_slide_of_every_question_fits_and_reads_from_the_back_row(browser, decks):
    assert len(decks) == len(list(SOURCE.glob("[qx]*.ipynb")))
    for path in decks:
        page = opened(browser, path, 1280, 720)
        slides = page.evaluate(MEASURE)
        assert len(slides) == page.evaluate("Reveal.getTotalSlides()") > 20
        assert page.troubles == []
        assert page.locator("mjx-merror").count() == 0
        page.close()
        for slide in slides:
            where = (path.name, slide)
            assert slide["width"] == 1280, where
            assert slide["right"] <= 1280, where
            assert slide["bottom"] <= 720, where
            assert slide["text"] >= 32, where
            assert slide["code"] >= 18, where
            assert slide["cell"] >= 20, where
            assert slide["picture"] >= 0.9, where


def test_on_a_phone_slides_are_upright_and_fit(browser, deck):
    page = opened(browser, deck, 390, 844)
    slides = page.evaluate(MEASURE)
    page.close()
    assert {slide["width"] for slide in slides} == {720}
    assert max(slide["right"] for slide in slides) <= 720
    assert max(slide["bottom"] for slide in slides) <= 1280


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
    code = page.locator(".fragment > :not(aside) .highlight").first
    page.evaluate(
        "el => { const i = Reveal.getIndices(el.closest('section')); Reveal.slide(i.h, i.v, -1) }",
        code.element_handle(),
    )
    code.wait_for(state="hidden")
    page.keyboard.press("ArrowRight")
    code.wait_for(state="visible")


def test_the_speaker_has_a_window_with_the_code_behind_the_slide(page):
    """It comes on S, and follows the slides; keys pressed there lead on."""
    notes = page.locator("aside.notes").first
    page.evaluate(
        "el => { const i = Reveal.getIndices(el.closest('section')); Reveal.slide(i.h, i.v) }",
        notes.element_handle(),
    )
    assert notes.is_hidden()
    code = notes.locator("pre").first.text_content().strip()
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    window = popup.value
    window.wait_for_selector("pre")
    assert window.locator("pre").first.text_content().strip() == code
    here = window.locator(".place").text_content()
    assert here == page.evaluate("`${Reveal.getSlidePastCount() + 1} / ${Reveal.getTotalSlides()}`")
    at = place(page)
    window.keyboard.press("ArrowRight")
    page.wait_for_function(
        "at => Reveal.getSlidePastCount() + (Reveal.getIndices().f ?? -1) != at", arg=sum(at)
    )
    page.evaluate("Reveal.slide(0, 0)")
    window.wait_for_function("document.querySelector('.place').textContent.startsWith('1 / ')")
    window.close()


def test_formulas_are_drawn(page):
    assert page.locator("mjx-container svg").count() > 20
    assert page.locator("mjx-merror").count() == 0
