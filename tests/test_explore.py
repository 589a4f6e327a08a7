"""The explorer: sliders, number boxes, messages in place, and what it leaves to static readers."""

import base64
import dataclasses
import html
import io
import sys
import threading

import ipywidgets
import numpy as np
import pytest
from PIL import Image

from agentrl_lite import figures
from agentrl_lite.figures import render
from agentrl_lite.widgets import explore
from agentrl_lite.widgets.explore import MIME, Explorer


@pytest.fixture
def explorer():
    return explore("q03-degenerate")


def sentence(explorer):
    return explorer.summary.value.partition(">")[2].removesuffix("</p>")


def test_it_starts_at_the_defaults(explorer):
    assert explorer.values == {"p": 0.1, "G": 8}
    assert sentence(explorer) == "At p = 0.10 and G = 8, 43.0 % of groups teach nothing."
    assert Image.open(io.BytesIO(explorer.picture.value)).size[0] >= 600


@pytest.mark.parametrize(
    ("figure", "start", "error", "message"),
    [
        ("q03-none", {}, ValueError, "figure must be one of .*q03-degenerate"),
        ("q03-degenerate", {"q": 1}, ValueError, "must be one of p, G; it was 'q'"),
        ("q03-degenerate", {"p": 3}, ValueError, "p must lie between 0.01 and 0.99; it was 3"),
        ("q03-degenerate", {"p": "x"}, TypeError, "p must be a number; it was 'x'"),
    ],
)
def test_a_wrong_start_is_refused(figure, start, error, message):
    with pytest.raises(error, match=message):
        explore(figure, **start)


def test_a_slider_moves_picture_sentence_text_alternative_and_box(explorer):
    before = explorer.picture.value
    explorer.rows["p"].slider.value = 0.3
    assert explorer.picture.value != before
    assert sentence(explorer) == "At p = 0.30 and G = 8, 5.8 % of groups teach nothing."
    assert explorer.picture.tooltip.endswith(sentence(explorer))
    assert explorer.rows["p"].number.value == 0.3


@pytest.mark.parametrize("sent", [0.30000000000000004, 0.29999999999999993])
def test_the_rounding_errors_of_a_slider_do_not_reach_the_reader(explorer, sent):
    explorer.rows["p"].slider.value = sent
    assert explorer.values["p"] == 0.3
    assert explorer.rows["p"].number.value == 0.3
    # Sent back rounded, it would pull the handle from under a hand that is further on by now.
    assert explorer.rows["p"].slider.value == sent


def test_a_typed_number_moves_slider_picture_and_sentence(explorer):
    explorer.rows["G"].number.value = 16
    assert explorer.rows["G"].slider.value == 16
    assert sentence(explorer) == "At p = 0.10 and G = 16, 18.5 % of groups teach nothing."


def test_a_number_between_two_steps_is_kept_as_typed(explorer):
    explorer.rows["p"].number.value = 0.125
    assert explorer.values["p"] == 0.125
    assert "p = 0.125" in sentence(explorer)


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("p", 1.5, "p must lie between 0.01 and 0.99; it was 1.5"),
        ("G", 100, "G must lie between 2 and 64; it was 100"),
        ("G", 8.5, "G must be a whole number; it was 8.5"),
    ],
)
def test_a_refused_number_is_answered_beside_it_and_nothing_is_lost(explorer, name, typed, message):
    picture, said = explorer.picture.value, explorer.summary.value
    row = explorer.rows[name]
    row.number.value = typed
    assert message in row.message.value
    assert 'role="alert"' in row.message.value
    assert row.number.value == typed
    assert (explorer.picture.value, explorer.summary.value) == (picture, said)
    row.number.value = 5 if name == "G" else 0.5
    assert row.message.value == ""
    assert explorer.picture.value != picture


def test_a_slider_clears_the_message_of_its_box(explorer):
    row = explorer.rows["G"]
    row.number.value = 100
    row.slider.value = 9
    assert row.message.value == ""
    assert row.number.value == 9


def test_reset_goes_back_to_the_start_values():
    explorer = explore("q03-degenerate", p=0.3)
    first = explorer.picture.value
    explorer.rows["p"].slider.value = 0.5
    explorer.rows["G"].number.value = 100
    explorer.reset.click()
    assert explorer.values == {"p": 0.3, "G": 8}
    assert explorer.picture.value == first
    assert explorer.rows["G"].number.value == 8
    assert explorer.rows["G"].message.value == ""


def test_only_a_figure_with_controls_has_a_reset():
    with_controls, without = explore("q03-degenerate"), explore("q26-sweep")
    assert with_controls.reset in with_controls.children
    assert not without.rows
    assert not [w for w in without.children if isinstance(w, ipywidgets.Button)]


def test_a_log_slider_steps_by_factors_and_lands_on_whole_numbers():
    explorer = explore("q03-step")
    row = explorer.rows["B"]
    row.slider.value = row.slider.base ** (row.slider.min + 1)
    assert explorer.values["B"] == 128
    assert isinstance(explorer.values["B"], int)
    row.number.value = 700
    assert explorer.values["B"] == 700
    assert row.slider.value == pytest.approx(700)


@pytest.mark.parametrize("figure_id", figures.ids())
def test_every_slider_covers_its_controls_range(figure_id):
    for row in explore(figure_id).rows.values():
        if row.control.names:
            continue
        control, slider = row.control, row.slider
        ends = (slider.min, slider.max)
        if control.log:
            ends = tuple(slider.base**end for end in ends)
        assert ends == pytest.approx((control.minimum, control.maximum))
        assert slider.continuous_update
        assert control.mark in slider.description
        assert slider.tooltip == f"{control.label} {control.mark}".rstrip()


NAMED = [
    (figure.id, control.name)
    for figure in figures.all_figures()
    for control in figure.controls
    if control.names
]


@pytest.mark.parametrize(("figure_id", "name"), NAMED)
def test_what_a_number_stands_for_is_chosen_by_name(figure_id, name):
    explorer = explore(figure_id)
    row, start = explorer.rows[name], explorer.values[name]
    control = row.control
    assert [text for text, _value in row.list.options] == list(control.names)
    pictures = {}
    for text, value in row.list.options:
        row.list.label = text
        assert explorer.values[name] == value
        assert explorer.figure.summary(**explorer.values) in html.unescape(explorer.summary.value)
        pictures[value] = explorer.picture.value
    assert len(set(pictures.values())) == len(control.names)
    explorer.reset.click()
    assert (row.list.value, explorer.values[name]) == (start, start)
    assert explorer.picture.value == pictures[start]


def test_two_explorers_of_one_figure_do_not_touch_each_other():
    first, second = explore("q03-degenerate"), explore("q03-degenerate")
    still = second.picture.value
    first.rows["p"].slider.value = 0.9
    assert second.values["p"] == 0.1
    assert second.picture.value == still
    second.rows["G"].slider.value = 32
    assert first.values == {"p": 0.9, "G": 8}


def broken(above):
    def draw(axes, **values):
        if values["p"] > above:
            raise ZeroDivisionError("no groups <left>")
        figures.get("q03-degenerate").draw(axes, **values)

    return dataclasses.replace(figures.get("q03-degenerate"), draw=draw)


def test_an_error_in_drawing_is_shown_in_place_until_the_next_good_value():
    explorer = Explorer(broken(above=0.5))
    explorer.rows["p"].slider.value = 0.8
    assert "ZeroDivisionError: no groups &lt;left&gt;" in explorer.problem.value
    assert 'role="alert"' in explorer.problem.value
    explorer.rows["p"].slider.value = 0.2
    assert explorer.problem.value == ""
    assert "p = 0.20" in sentence(explorer)


def test_a_figure_that_cannot_be_drawn_at_all_says_so_live_and_still():
    explorer = Explorer(broken(above=0.0))
    assert "no groups" in explorer.problem.value
    data, metadata = explorer._repr_mimebundle_()
    assert data["text/plain"] == "ZeroDivisionError: no groups <left>"
    assert "image/png" not in data
    assert metadata == {}


def test_the_output_serves_live_and_static_readers():
    explorer = explore("q03-degenerate", p=0.3)
    data, metadata = explorer._repr_mimebundle_()
    assert set(data) == {
        "application/vnd.jupyter.widget-view+json",
        MIME,
        "image/png",
        "text/plain",
    }
    assert data["text/plain"] == "At p = 0.30 and G = 8, 5.8 % of groups teach nothing."
    assert data[MIME] == {"figure": "q03-degenerate", "values": {"p": 0.3, "G": 8}}
    assert metadata["image/png"]["alt"].endswith(data["text/plain"])
    png = base64.b64decode(data["image/png"])
    assert len(png) < 60_000
    live, still = (Image.open(io.BytesIO(b)) for b in (explorer.picture.value, png))
    assert still.size[1] > still.size[0] * live.size[1] / live.size[0], "no room for the sentence"


def test_the_static_keys_do_not_depend_on_what_the_reader_did():
    explorer = explore("q03-degenerate")
    before, _ = explorer._repr_mimebundle_()
    explorer.rows["p"].slider.value = 0.8
    after, _ = explorer._repr_mimebundle_()
    assert before == after


def test_the_picture_has_a_text_alternative_that_its_view_can_show(explorer):
    state = explorer.picture.get_state()
    assert state["tooltip"].startswith("U-shaped curves")
    # Without a description the image's view fails on the tooltip.
    assert state["description"] == ""


def test_the_sentence_is_a_live_region(explorer):
    assert 'role="status" aria-live="polite"' in explorer.summary.value


def test_two_threads_draw_as_one_would():
    """JupyterLab may send a slider's messages to one thread while cells run on another."""
    figure = figures.get("q03-degenerate")
    wanted = {G: render.Canvas(figure).png({"p": 0.3, "G": G}) for G in range(2, 26)}
    canvas, wrong, barrier = render.Canvas(figure), [], threading.Barrier(3)

    def draw(sizes):
        barrier.wait()
        for G in sizes:
            if canvas.png({"p": 0.3, "G": G}) != wanted[G]:
                wrong.append(G)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=draw, args=(list(wanted)[i::3],)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == []


def test_moves_from_two_threads_end_with_picture_and_numbers_in_step():
    widget = explore("q03-degenerate")

    def move(name, values):
        for value in values:
            widget.rows[name].slider.value = value

    threads = [
        threading.Thread(target=move, args=("p", np.linspace(0.1, 0.5, 20).round(2))),
        threading.Thread(target=move, args=("G", range(2, 22))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert widget.values == {"p": 0.5, "G": 21}
    assert widget.picture.value == render.Canvas(widget.figure).png(widget.values)
    assert widget.figure.summary(**widget.values) in widget.summary.value
