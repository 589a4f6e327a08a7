"""`table`: the same cells as HTML and as text, and a mark that needs no colour."""

from __future__ import annotations

import re

import pytest

from agentrl_lite.widgets.table import table

ROWS = [{"split": "<a>", "waste": 0.656}, {"split": "b", "waste": 0.43}]


def test_html_holds_every_cell_escaped_and_marks_one_row_in_words():
    html = table(ROWS, {"waste": ".1%"}, mark=1)._repr_html_()
    assert re.findall(r"<td>(.*?)</td>", html) == [
        "&lt;a&gt;",
        "65.6%",
        "b",
        "43.0%",
        "← act on this",
    ]
    assert html.count('class="arl-marked"') == 1
    assert html.index('arl-marked"><td>b') > html.index("65.6%")
    assert re.findall(r'<th scope="col">(.*?)</th>', html) == ["split", "waste"]


def test_a_closed_table_shows_its_line_alone_until_it_is_opened():
    html = table(ROWS, mark=1, closed="The row & why")._repr_html_()
    assert re.search(r"<details><summary>The row &amp; why</summary><div.*</div></details>$", html)
    assert "<details" not in table(ROWS, mark=1)._repr_html_()


def test_a_mark_may_have_words_of_its_own():
    marked = table(ROWS, mark=1, mark_text="the rule's & ours")
    assert "<td>← the rule&#x27;s &amp; ours</td>" in marked._repr_html_()
    assert repr(marked).endswith("  <- the rule's & ours")
    assert "act on this" not in marked._repr_html_() + repr(marked)


def test_text_is_aligned():
    assert repr(table(ROWS, {"waste": ".1%"})) == "split  waste\n<a>    65.6%\nb      43.0%"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([],), "rows must hold at least one row"),
        (([{"a": 1}, {"b": 1}],), r"columns \['a'\]; row 1 had \['b'\]"),
        ((ROWS, {"wast": ""}), "wast"),
    ],
)
def test_bad_rows_are_named(arguments, named):
    with pytest.raises(ValueError, match=named):
        table(*arguments)


@pytest.mark.parametrize("mark", [-1, 2])
def test_a_mark_outside_is_refused(mark):
    with pytest.raises(ValueError, match="mark must be a row from 0 to 1"):
        table(ROWS, mark=mark)
