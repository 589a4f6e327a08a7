"""Every figure, at its defaults, its frames and every corner of its controls."""

import gettext
import re

import matplotlib
import numpy as np
import pytest
from matplotlib.text import Text

from agentrl_lite import figures, i18n
from agentrl_lite.advantages import degenerate_probability
from agentrl_lite.figures import render, style

FIGURES = figures.all_figures()
NAMED = [pytest.param(figure, id=figure.id) for figure in FIGURES]
# "p = 0.10, G = 8" and a lone symbol read the same in every language.
_MATHS = re.compile(r"\$.*\$|(\w = [\d.]+)(, \w = [\d.]+)*")


class Brackets(gettext.NullTranslations):
    """A language in which every string stands in brackets."""

    def gettext(self, message):
        return f"⟦{message}⟧"


@pytest.fixture
def bracketed(monkeypatch):
    monkeypatch.setattr(i18n, "_active", ("brackets", Brackets()))


def swept(figure):
    return [figure.values(), *figure.corners(), *figure.frames()]


def texts(figure, sweep, dpi=100.0):
    """Yield values, the picture's box, and every text drawn at those values with its extent."""
    static = {}

    def draw(text, renderer):
        if text.get_visible() and text.get_text().strip():
            static[text] = text.get_window_extent(renderer)
        return whole(text, renderer)

    whole = Text.draw
    with style.settings():
        canvas = render._canvas(style.SIZE_IN[figure.columns], dpi)
        axes = figure.backdrop(canvas.figure)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Text, "draw", draw)  # only ticks within the limits are drawn
            canvas.draw()
        for values in sweep:
            with render._drawn(figure, canvas.figure, axes, values) as fresh:
                moving = {t: t.get_window_extent() for t in fresh if isinstance(t, Text)}
                yield values, canvas.figure.bbox, [*static.items(), *moving.items()]


@pytest.mark.parametrize("figure", NAMED)
def test_texts_stay_in_the_figure_and_off_each_other(figure):
    for values, picture, found in texts(figure, swept(figure)):
        for text, box in found:
            inside = (
                box.x0 >= -0.5
                and box.y0 >= -0.5
                and box.x1 <= picture.x1 + 0.5
                and box.y1 <= picture.y1 + 0.5
            )
            assert inside, f"{text.get_text()!r} leaves the figure at {values}"
        for index, (text, box) in enumerate(found):
            for other, other_box in found[index + 1 :]:
                apart = (
                    box.x1 <= other_box.x0 + 1
                    or other_box.x1 <= box.x0 + 1
                    or box.y1 <= other_box.y0 + 2
                    or other_box.y1 <= box.y0 + 2
                )
                assert apart, f"{text.get_text()!r} is over {other.get_text()!r} at {values}"


@pytest.mark.parametrize("figure", NAMED)
def test_no_text_is_too_small_in_print(figure):
    [(_, _, found)] = texts(figure, [figure.values()])
    assert min(text.get_fontsize() for text, _ in found) >= style.SMALL_PT


@pytest.mark.parametrize("figure", NAMED)
def test_a_fast_redraw_equals_a_full_one(figure):
    canvas = render.Canvas(figure)
    sweep = [figure.values(), *figure.corners()]
    for values in sweep:
        fast = canvas.pixels(values).astype(int)
        assert np.abs(fast - render.full_pixels(figure, values)).max() <= 2, values
    assert (canvas.pixels(sweep[0]) == render.Canvas(figure).pixels(sweep[0])).all()


@pytest.mark.parametrize("figure", NAMED)
def test_each_control_changes_the_picture_and_the_summary(figure):
    canvas = render.Canvas(figure)
    for control in figure.controls:
        at_the_least = control.default == control.minimum
        other = control.maximum if at_the_least else control.default
        seen = [figure.values({control.name: x}) for x in (control.minimum, other)]
        pictures = [canvas.pixels(values) for values in seen]
        assert (pictures[0] != pictures[1]).any(), control.name
        assert figure.summary(**seen[0]) != figure.summary(**seen[1]), control.name


@pytest.mark.parametrize("figure", NAMED)
def test_drawing_leaves_no_artist_and_no_limit_behind(figure):
    canvas = render.Canvas(figure)
    before = render._artists(canvas._picture)
    limits = [(ax.get_xlim(), ax.get_ylim()) for ax in canvas._picture.axes]
    for values in figure.corners():
        canvas.pixels(values)
    assert render._artists(canvas._picture) == before
    assert [(ax.get_xlim(), ax.get_ylim()) for ax in canvas._picture.axes] == limits


@pytest.mark.parametrize("figure", NAMED)
def test_every_word_of_a_figure_can_be_translated(figure, bracketed):
    for values, _, found in texts(figure, [figure.values(), *figure.corners()]):
        words = [text.get_text() for text, _ in found]
        words += [figure.summary(**values), i18n._(figure.caption), i18n._(figure.alt)]
        words += [i18n._(control.label) for control in figure.controls]
        for text in words:
            if re.search(r"[^\W\d_]", text) and not _MATHS.fullmatch(text):
                assert text.startswith("⟦"), f"{text!r} is not translated"
                assert text.endswith("⟧"), f"{text!r} is not translated"


@pytest.mark.parametrize("figure", NAMED)
def test_a_summary_is_one_sentence(figure):
    for values in swept(figure):
        summary = figure.summary(**values)
        assert summary.endswith(".")
        assert ". " not in summary
        assert "nan" not in summary


@pytest.mark.parametrize("figure", NAMED)
def test_a_static_picture_is_small_and_repeats_itself(figure):
    first = render.static_png(figure, figure.values())
    assert first == render.static_png(figure, figure.values())
    assert len(first) < 60_000


def test_the_static_picture_carries_its_summary_below():
    figure = figures.get("q03-degenerate")
    picture = render.full_pixels(figure, {})
    strip = render.text_strip(figure.summary(**figure.values()), figure.columns)
    long = render.text_strip("word " * 40, figure.columns)
    assert strip.shape[1] == picture.shape[1]
    assert strip.min() < 80
    assert long.shape[0] > 2 * strip.shape[0]
    assert (long[:, -8:] == 255).all(), "text runs out on the right"


@pytest.mark.parametrize("figure", NAMED)
def test_drawing_ignores_and_leaves_the_readers_settings(figure):
    plain = render.static_png(figure, figure.values())
    odd = {"font.size": 31, "axes.grid": True, "lines.linewidth": 9, "figure.autolayout": True}
    with matplotlib.rc_context(odd):
        before = dict(matplotlib.rcParams)
        assert render.static_png(figure, figure.values()) == plain
        assert render.Canvas(figure).png({})
        assert dict(matplotlib.rcParams) == before


def test_an_error_in_drawing_leaves_the_canvas_usable():
    figure = figures.get("q03-degenerate")
    canvas = render.Canvas(figure)
    good = canvas.pixels({})
    with pytest.raises(ValueError, match=r"G must lie between 2 and 64; it was 99"):
        canvas.pixels({"G": 99})
    assert (canvas.pixels({}) == good).all()


def test_q03_says_the_numbers_of_the_appendix():
    degenerate, step = figures.get("q03-degenerate"), figures.get("q03-step")
    said = "At p = 0.10 and G = 8, 43.0 % of groups teach nothing."
    assert degenerate.summary(**degenerate.values()) == said
    assert "under 0.1 % of groups" in degenerate.summary(p=0.5, G=64)
    assert step.summary(**step.values()) == (
        "At p = 0.10, 512 episodes in groups of 8 give 36.5 informative tasks a step; "
        "43.0 % of the groups teach nothing."
    )


@pytest.mark.parametrize("values", [{"p": 0.1, "G": 8}, {"p": 0.7, "G": 3}, {"p": 0.01, "G": 64}])
def test_the_marker_of_q03_degenerate_stands_on_the_curve(values):
    figure = figures.get("q03-degenerate")
    with style.settings():
        axes = figure.backdrop(render._canvas((3, 2), 100).figure)
        before = set(axes.lines)
        figure.draw(axes, **values)
    curve, thread, marker = [line for line in axes.lines if line not in before]
    share = float(degenerate_probability(values["p"], values["G"]))
    np.testing.assert_allclose(marker.get_xydata(), [[values["p"], share]])
    np.testing.assert_allclose(thread.get_xydata(), [[values["p"], 0], [values["p"], share]])
    xs, ys = curve.get_xydata().T
    np.testing.assert_allclose(ys, xs ** values["G"] + (1 - xs) ** values["G"], atol=1e-12)
