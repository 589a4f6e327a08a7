"""Runs against the step: bands, labels that keep off each other, and the picture that moves."""

import io
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from agentrl_lite.dashboard import Dashboard, History
from agentrl_lite.experiments import Panel, experiment, experiment_ids
from agentrl_lite.figures import render, runs, style
from agentrl_lite.figures.runs import draw_band, side_by_side, spread
from agentrl_lite.figures.runs_canvas import PANEL_PX, RunsCanvas

PANELS = (Panel("reward", "Reward", (0, 1)), Panel("length", "Policy tokens", (0, 64)))
STEPS = np.arange(1, 11)


@pytest.fixture
def axes():
    with style.settings():
        figure = Figure(figsize=style.SIZE_IN[2], dpi=130)
        FigureCanvasAgg(figure)
        yield side_by_side(figure, PANELS, 10)


def band(axes):
    """Return the corners of the one band, one row for each step, by height."""
    (found,) = axes.collections
    return found.get_paths()[0].vertices


def labels(axes):
    return [text for text in axes.texts if text.get_gid() == runs._LABEL]


# ---- a band ------------------------------------------------------------------------------------


def test_a_band_has_the_mean_as_its_line_and_the_range_as_its_edges(axes):
    values = np.array([[0.1, 0.2, 0.6], [0.3, 0.2, 0.0]])
    draw_band(axes[0], [2, 4, 6], values, "failing", "red")
    np.testing.assert_allclose(axes[0].lines[0].get_xydata(), [[2, 0.2], [4, 0.2], [6, 0.3]])
    edges = {(x, round(float(y), 9)) for x, y in band(axes[0])}
    assert {(2, 0.1), (2, 0.3), (4, 0.2), (6, 0.0), (6, 0.6)} <= edges


def test_one_seed_is_a_line_without_a_band(axes):
    draw_band(axes[0], STEPS, np.full((1, 10), 0.5), "failing", "red")
    assert not axes[0].collections


def test_what_is_over_nothing_is_left_out_and_makes_a_gap_where_it_is_all(axes):
    values = np.full((2, 5), 0.5)
    values[0, 1] = values[:, 3] = np.nan
    draw_band(axes[0], STEPS[:5], values, "failing", "red")
    line, _end = axes[0].lines
    np.testing.assert_array_equal(line.get_ydata(), [0.5, 0.5, 0.5, np.nan, 0.5])


def test_a_line_of_which_nothing_is_known_is_not_drawn(axes):
    draw_band(axes[0], STEPS, np.full((3, 10), np.nan), "failing", "red")
    draw_band(axes[0], [], np.zeros((3, 0)), "failing", "red")
    assert not axes[0].lines
    assert not axes[0].texts


def test_the_label_stands_at_the_last_step_that_is_known(axes):
    values = np.linspace(0, 1, 10)[np.newaxis].copy()
    values[0, 7:] = np.nan
    draw_band(axes[0], STEPS, values, "constant normaliser", "red")
    (label,) = labels(axes[0])
    assert label.get_text() == "constant\nnormaliser"
    assert label.get_color() == "red"
    x, y = label.xy
    assert x == 7
    assert y == pytest.approx(values[0, 2:7].mean())
    np.testing.assert_allclose(axes[0].lines[1].get_xydata(), [[7, values[0, 6]]])


def test_no_label_where_none_is_wanted(axes):
    draw_band(axes[0], STEPS, np.full((1, 10), 0.5), "", "red")
    assert not axes[0].texts


@pytest.mark.parametrize(("value", "says"), [(81.23, "↑ 81.2"), (-3.0, "↓ -3"), (64.0, None)])
def test_a_line_that_leaves_the_axes_says_where_it_is(axes, value, says):
    draw_band(axes[1], STEPS, np.full((1, 10), value), "yours", "red")
    (label,) = labels(axes[1])
    assert label.get_text() == ("yours" if says is None else f"yours\n{says}")
    low, high = axes[1].get_ylim()
    assert low <= label.xy[1] <= high
    assert low <= axes[1].lines[1].get_ydata()[0] <= high


@pytest.mark.parametrize(
    ("steps", "values"), [([1, 2], [[1, 2, 3]]), ([[1, 2]], [[1, 2]]), ([1, 2], [1, 2])]
)
def test_shapes_that_do_not_fit_are_refused(axes, steps, values):
    with pytest.raises(ValueError, match="values_S_N must have a column for each of steps"):
        draw_band(axes[0], steps, values, "a", "red")


# ---- labels ------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.floats(-50, 150), st.floats(1, 15)), min_size=1, max_size=6),
)
def test_labels_keep_off_each_other_and_inside(pairs):
    wanted, tall = (np.array(part) for part in zip(*pairs, strict=True))
    placed = spread(wanted, tall, 0, 100)
    order = np.argsort(placed)
    low, high = (placed - tall / 2)[order], (placed + tall / 2)[order]
    assert (low[1:] >= high[:-1] - 1e-9).all()
    assert low[0] >= -1e-9
    assert high[-1] <= 100 + 1e-9
    assert (np.diff(wanted[order]) >= 0).all(), "they stand in the order of their lines"


def test_labels_with_room_stay_where_they_are():
    np.testing.assert_allclose(spread([80, 10, 40], [10, 10, 10], 0, 100), [80, 10, 40])


def test_labels_that_meet_move_by_as_little_as_can_be():
    best = spread([20, 23, 24], [4, 8, 4], 0, 100)
    np.testing.assert_allclose(np.diff(best), [6, 6])
    moved = ((best - [20, 23, 24]) ** 2).sum()
    for shift in (-0.1, 0.1):
        assert ((best + shift - [20, 23, 24]) ** 2).sum() > moved


def test_too_many_labels_begin_at_the_bottom_and_still_do_not_overlap():
    np.testing.assert_allclose(spread([5, 5, 5], [10, 10, 10], 0, 20), [5, 15, 25])


@pytest.mark.parametrize("experiment_id", experiment_ids())
def test_all_arms_at_one_height_are_legible(experiment_id):
    """Every label in the figure, off the ticks, and off the others."""
    arms, panel = experiment(experiment_id).arms, Panel("reward", "Reward", (0, 1))
    with style.settings():
        figure = Figure(figsize=style.SIZE_IN[2], dpi=130)
        canvas = FigureCanvasAgg(figure)
        for axes, height in zip(side_by_side(figure, (panel, panel), 100), (0, 1), strict=True):
            for arm, colour, shape in zip(arms, runs.COLOURS, runs.SHAPES, strict=False):
                draw_band(
                    axes, STEPS * 10, np.full((2, 10), height), arm.label, colour, shape=shape
                )
        drawn = []
        with pytest.MonkeyPatch.context() as patch:
            whole = Text.draw
            patch.setattr(
                Text, "draw", lambda self, renderer: (drawn.append(self), whole(self, renderer))[1]
            )
            canvas.draw()
        boxes = [(t, t.get_window_extent()) for t in drawn if t.get_visible() and t.get_text()]
    assert sum(text.get_gid() == runs._LABEL for text, _ in boxes) == 2 * len(arms)
    for i, (text, box) in enumerate(boxes):
        assert box.x0 >= 0, text.get_text()
        assert box.y0 >= 0, text.get_text()
        assert box.x1 <= figure.bbox.x1, text.get_text()
        assert box.y1 <= figure.bbox.y1, text.get_text()
        for other, its in boxes[i + 1 :]:
            apart = (
                box.x1 <= its.x0 or its.x1 <= box.x0 or box.y1 <= its.y0 + 1 or its.y1 <= box.y0 + 1
            )
            assert apart, (text.get_text(), other.get_text())


def test_no_arm_shares_its_colour_or_its_shape():
    most = max(len(experiment(name).arms) for name in experiment_ids())
    assert len(set(runs.COLOURS)) == len(runs.COLOURS) >= most
    assert len(set(runs.SHAPES)) == len(runs.SHAPES) >= most


# ---- the picture that moves --------------------------------------------------------------------


def curves(n, low=0.2, high=0.6):
    """Return n steps of a made-up run."""
    return {"reward": np.linspace(low, high, n), "length": np.linspace(10, 50, n)}


def test_a_panel_has_the_size_that_is_promised_and_the_pixels_of_the_whole():
    canvas = RunsCanvas((*PANELS, PANELS[0]), 10)
    both = {"failing": curves(4), "mended": curves(3, 0.1)}
    whole, pngs = canvas.pixels(both), canvas.pngs(both)
    width, height = PANEL_PX
    assert whole.shape == (2 * height, 2 * width, 3)
    parts = [np.array(Image.open(io.BytesIO(png))) for png in pngs]
    assert len(parts) == 3
    np.testing.assert_array_equal(parts[1], whole[:height, width:])
    np.testing.assert_array_equal(parts[2], whole[height:, :width])


def test_a_redraw_forgets_what_was_drawn_before():
    canvas = RunsCanvas(PANELS, 10)
    few = canvas.pixels({"failing": curves(3)})
    many = canvas.pixels({"failing": curves(9), "mended": curves(9, 0.1)})
    assert (few != many).any()
    np.testing.assert_array_equal(canvas.pixels({"failing": curves(3)}), few)
    np.testing.assert_array_equal(RunsCanvas(PANELS, 10).pixels({"failing": curves(3)}), few)


def test_a_run_of_no_step_is_an_empty_frame():
    canvas = RunsCanvas(PANELS, 10)
    np.testing.assert_array_equal(canvas.pixels({"failing": curves(0)}), canvas.pixels({}))


def test_a_run_that_cannot_be_drawn_leaves_the_canvas_usable():
    canvas = RunsCanvas(PANELS, 10)
    good = canvas.pixels({"failing": curves(3)})
    with pytest.raises(KeyError, match="length"):
        canvas.pixels({"failing": {"reward": np.zeros(3)}})
    np.testing.assert_array_equal(canvas.pixels({"failing": curves(3)}), good)


def test_a_history_can_be_drawn():
    row = Dashboard(*([0.5] * len(Dashboard._fields)))
    canvas = RunsCanvas(PANELS, 10)
    drawn = canvas.pixels({"failing": History([row, row])})
    assert (drawn != canvas.pixels({})).any()


@pytest.mark.parametrize("panels", [PANELS, PANELS[:1], PANELS * 2])
def test_a_still_picture_is_as_wide_as_a_figure_and_the_same_bytes_each_time(panels):
    stills = [
        RunsCanvas(panels, 10).still({"failing": curves(9)}, "The mean is 0.5.") for _ in range(2)
    ]
    assert stills[0] == stills[1]
    assert len(stills[0]) < 60_000
    picture = Image.open(io.BytesIO(stills[0]))
    assert picture.size[0] == style.SCREEN_WIDTH_PX[2]
    rows = -(-len(panels) // 2)
    assert picture.size[1] > rows * PANEL_PX[1] + 10, "no room for the sentence"


def test_a_redraw_is_fast():
    """Four panels of two runs of 150 steps; a slow machine gets three times as long."""
    canvas, both = RunsCanvas(PANELS * 2, 150), {"a": curves(150), "b": curves(150, 0.3)}
    spent = []
    for _ in range(4):
        begun = time.perf_counter()
        canvas.pngs(both)
        spent.append(time.perf_counter() - begun)
    assert min(spent) < 0.3


def test_the_fast_pngs_are_what_render_makes():
    canvas = RunsCanvas(PANELS[:1], 10)
    runs_ = {"failing": curves(5)}
    assert canvas.pngs(runs_) == [render.fast_png(canvas.pixels(runs_))]
