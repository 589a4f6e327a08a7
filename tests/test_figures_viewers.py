"""Print figures in two viewers that share no code: the same picture and the same words in both.

A CFF font that is embedded as TrueType looks right in one and loses its text in the other.
"""

import io
import re
import subprocess

import numpy as np
import pytest
from PIL import Image
from print_tools import run, signs, tool
from test_figures import texts

from agentrl_lite import figures, i18n
from agentrl_lite.figures import render

DPI = 120
# Grey levels, of 255, between means over windows of so many pixels: viewers smooth edges each their
# way, which is 30 levels at most, and a digit that one of them lacks is more than 50.
WINDOW, APART = 8, 42

# Every figure in Chinese, which has most fonts; in English the first of each question.
FIRST = {figure.question: figure for figure in reversed(figures.all_figures())}
CASES = [
    *(pytest.param(figure, "zh", id=f"{figure.id}-zh") for figure in figures.all_figures()),
    *(pytest.param(figure, "en", id=f"{figure.id}-en") for figure in FIRST.values()),
]


@pytest.fixture(scope="module")
def viewers():
    """Return the programs: poppler's for picture, text and fonts, and mupdf's."""
    poppler = [tool(name, "poppler-utils") for name in ("pdftoppm", "pdftotext", "pdffonts")]
    return [*poppler, tool("mutool", "mupdf-tools")]


def grey(content):
    with Image.open(io.BytesIO(content)) as image:
        return np.asarray(image.convert("L"), dtype=np.float64)


def means(picture):
    """Return the means of all windows of a picture."""
    sums = np.pad(picture.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    n = WINDOW
    return (sums[n:, n:] - sums[:-n, n:] - sums[n:, :-n] + sums[:-n, :-n]) / n**2


def apart(one, other):
    """Return how far two pictures are apart where it is worst."""
    return np.abs(means(one) - means(other)).max()


def pictures(viewers, path):
    """Return what poppler and mupdf draw."""
    pdftoppm, _text, _fonts, mutool = viewers
    poppler = subprocess.run(
        [pdftoppm, "-r", str(DPI), "-png", path], check=True, capture_output=True
    ).stdout
    out = path.with_suffix(".png")
    subprocess.run(
        [mutool, "draw", "-q", "-r", str(DPI), "-o", out, path], check=True, capture_output=True
    )
    return grey(poppler), grey(out.read_bytes())


@pytest.mark.parametrize(("figure", "lang"), CASES)
def test_two_viewers_show_the_same(viewers, figure, lang, tmp_path):
    path = tmp_path / "figure.pdf"
    path.write_bytes(render.render_bytes(figure, {}, "pdf", lang))

    worst = apart(*pictures(viewers, path))
    assert worst < APART, f"{worst:.0f} grey levels apart at the worst place"

    _picture, pdftotext, pdffonts, mutool = viewers
    with i18n.using(lang):
        [(_, _, drawn)] = texts(figure, [figure.values()])
    # A text with a halo is drawn as outlines, on purpose.
    wanted = signs(" ".join(t.get_text() for t, _box in drawn if not t.get_path_effects()))
    assert signs(run(pdftotext, path, "-")) == wanted, "poppler"
    assert signs(run(mutool, "draw", "-q", "-F", "txt", "-o", "-", path)) == wanted, "mupdf"

    _head, _rule, *fonts = run(pdffonts, path).splitlines()
    assert fonts
    for line in fonts:
        assert re.search(r" (CID )?TrueType +\S+ +yes yes yes ", line), line


def test_a_digit_that_one_viewer_lacks_is_seen():
    figure = figures.get("q03-step")
    whole = render.full_pixels(figure, {}, DPI).mean(axis=2)
    [(_, _, drawn)] = texts(figure, [figure.values()], DPI)
    digits = [box for text, box in drawn if text.get_text() in ("2", "4", "8")]
    assert len(digits) > 3
    for box in digits:
        rows = slice(len(whole) - int(box.y1) - 1, len(whole) - int(box.y0) + 1)
        lacking = whole.copy()
        lacking[rows, int(box.x0) - 1 : int(box.x1) + 1] = 255
        assert apart(whole, lacking) > APART
