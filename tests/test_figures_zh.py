"""The figures in Chinese: nothing left in English, no text over another or cut off."""

from functools import cache
from itertools import chain

import pytest
from test_figures import NAMED, texts

from agentrl_lite import figures, i18n
from agentrl_lite.figures import render
from agentrl_lite.figures.q01_batch import MODE, MODES

#: Questions of which every string of every figure is translated. A new one may wait.
WHOLE = ("q01", "q02", "q03", "q04", "q05", "q12", "q21", "q22", "q26", "q27", "q28", "x1", "x6")


@cache
def seen(figure_id):
    """Return the strings that a figure shows, and what goes wrong between them.

    At its defaults, in every corner, and with each control at one end and the others at theirs.
    """
    figure = figures.get(figure_id)
    defaults, wrong = figure.values(), set()
    ends = ({c.name: x} for c in figure.controls for x in (c.minimum, c.maximum))
    sweep = chain([defaults], figure.corners(), map(figure.values, ends))
    with i18n.using("zh"), i18n.collecting() as shown:
        for values, picture, found in texts(figure, sweep):
            wrong.update(clashes(picture, found))
            figure.summary(**values)
        figure.alt_text(defaults)
        for control in figure.controls:
            for text in (figure.caption, control.label, *control.names):
                i18n._(text)
    return frozenset(shown), frozenset(wrong)


def clashes(picture, found):
    """Yield which texts leave the picture or stand on another."""
    for index, (text, box) in enumerate(found):
        if min(box.x0, box.y0, picture.x1 - box.x1, picture.y1 - box.y1) < -0.5:
            yield f"{text.get_text()!r} leaves the figure"
        for other, there in found[index + 1 :]:
            beside = box.x1 <= there.x0 + 1 or there.x1 <= box.x0 + 1
            if not (beside or box.y1 <= there.y0 + 2 or there.y1 <= box.y0 + 2):
                yield f"{text.get_text()!r} is over {other.get_text()!r}"


@pytest.mark.parametrize("figure", NAMED)
def test_texts_stay_in_the_figure_and_off_each_other(figure):
    _shown, wrong = seen(figure.id)
    assert not wrong


@pytest.mark.parametrize("figure", NAMED)
def test_every_string_of_a_figure_is_translated(figure):
    shown, _wrong = seen(figure.id)
    # A mode of aggregation is called the same in every language.
    missing = i18n.untranslated(shown.difference(MODES, MODE.names), "zh")
    assert len(shown) > 3
    if figure.question in WHOLE:
        assert missing == [], "translate them in agentrl_lite/locale/zh, then `make messages`"


def test_what_has_no_translation_stays_in_english():
    with i18n.using("zh"):
        assert i18n._("Reward") == "奖励"
        assert i18n._("no such string") == "no such string"
    assert i18n.untranslated(["Reward", "no such string"], "zh") == ["no such string"]
    assert i18n._("Reward") == "Reward"


def test_strings_are_collected_only_inside():
    with i18n.collecting() as outer:
        i18n._("Reward")
        with i18n.collecting() as inner:
            i18n._("Reset")
    i18n._("Step")
    assert (outer, inner) == ({"Reward"}, {"Reset"})


@pytest.mark.parametrize("figure_id", ["q03-degenerate", "q22-levers"])
def test_a_chinese_sentence_is_broken_where_it_may_be(figure_id):
    figure = figures.get(figure_id)
    with i18n.using("zh"):
        sentence = figure.alt_text(figure.values())
        strip = render.text_strip(sentence, figure.columns)
        plain = render.text_strip("一", figure.columns)
    assert len(strip) > 1.3 * len(plain), "it stands in one line"
    assert (strip[:, -8:] == 255).all(), "text runs out on the right"


@pytest.mark.parametrize(
    ("sentence", "lines"),
    [
        ("one two three", ["one", "two", "three"]),
        ("当 p = 3，没有（仅）", ["当", "p", "=", "3，", "没", "有", "（仅）"]),
        ("43.0 % of it", ["43.0\N{NO-BREAK SPACE}%", "of", "it"]),
        ("，a", ["，", "a"]),
    ],
)
def test_pieces_that_stay_together(sentence, lines):
    assert render._wrap(sentence, len, 1) == lines
