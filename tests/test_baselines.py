"""Every figure looks as it did: a curve that moved is found, smoother edges are not."""

import dataclasses
from pathlib import Path

import baseline_images
import matplotlib
import numpy as np
import pytest
from baseline_images import SPARE, changed, drawn, marked, path, stored
from PIL import Image

from agentrl_lite import figures
from agentrl_lite.figures import style

NAMED = [pytest.param(figure, id=figure.id) for figure in figures.all_figures()]
RENEW = "python tests/baseline_images.py"
PINS = (Path(__file__).parents[1] / "constraints.txt").read_text(encoding="utf-8")
# Another version of matplotlib may set a text a pixel further to the left.
pytestmark = pytest.mark.skipif(
    f"\nmatplotlib=={matplotlib.__version__}\n" not in PINS,
    reason=f"baselines are of the pinned matplotlib; this is {matplotlib.__version__}",
)


@pytest.mark.parametrize("figure", NAMED)
def test_a_figure_looks_as_it_did(figure, tmp_path):
    assert path(figure).exists(), f"{figure.id} has no baseline: {RENEW} {figure.id}"
    now = drawn(figure)
    mask = changed(stored(figure), now)
    if mask.sum() > SPARE:
        shown = tmp_path / f"{figure.id}-changed.png"
        Image.fromarray(np.concatenate([now, marked(now, mask)])).save(shown)
        pytest.fail(
            f"{figure.id}: {mask.sum()} of {mask.size} pixels have another colour; in red in "
            f"{shown}. If that is meant: {RENEW} {figure.id}",
            pytrace=False,
        )


def test_there_is_no_baseline_of_a_figure_that_is_gone():
    there = {file.stem for file in baseline_images.FOLDER.glob("*.png")}
    assert there <= set(figures.ids()), f"renew: {RENEW}"


def test_all_baselines_are_small():
    assert sum(file.stat().st_size for file in baseline_images.FOLDER.glob("*.png")) < 1_500_000


# ---- what a baseline tells apart ---------------------------------------------------------------

#: Figures of each kind: curves, bands of seeds, dots.
KINDS = (
    "q03-degenerate",
    "q03-step",
    "q05-error",
    "q12-sweep",
    "q21-spread",
    "q26-law",
    "x1-most-tasks",
)


def with_lines(figure, change):
    """Return the figure with `change` made to each curve that it draws."""

    def draw(axes, **values):
        figure.draw(axes, **values)
        for ax in np.atleast_1d(np.asarray(axes, dtype=object)):
            for line in ax.lines:
                if line.get_zorder() < 50 and len(line.get_xdata()) > 4:
                    change(ax, line)

    return dataclasses.replace(figure, draw=draw)


def up_by_one_percent(ax, line):
    """Move a line up by one part in a hundred of the axes' height."""
    to_axes = ax.transData + ax.transAxes.inverted()
    points = to_axes.transform(line.get_xydata())
    line.set_data(*to_axes.inverted().transform(points + np.array([0, 0.01])).T)


def other_colour(_ax, line):
    """Draw blue lines in green, and others in blue."""
    line.set_color(style.GREEN if line.get_color() == style.BLUE else style.BLUE)


def a_little_less_steep(ax, line):
    """Turn a line about its end: it moves by one part in fifty of the height at the other."""
    to_axes = ax.transData + ax.transAxes.inverted()
    points = to_axes.transform(line.get_xydata())
    points[:, 1] += 0.02 * np.linspace(0, 1, len(points))
    line.set_data(*to_axes.inverted().transform(points).T)


@pytest.mark.parametrize("change", [up_by_one_percent, other_colour, a_little_less_steep])
@pytest.mark.parametrize("figure_id", KINDS)
def test_a_changed_curve_is_found(figure_id, change):
    figure = figures.get(figure_id)
    assert changed(stored(figure), drawn(with_lines(figure, change))).sum() > 5 * SPARE


@pytest.mark.parametrize("figure_id", KINDS)
def test_smoother_edges_are_not_a_change(figure_id):
    now = drawn(figures.get(figure_id)).astype(int)
    edges = np.abs(np.diff(now, axis=1, append=now[:, -1:])).max(axis=2, keepdims=True) > 20
    smoother = now + edges * np.random.default_rng(1).integers(-30, 31, size=now.shape)
    mask = changed(stored(figures.get(figure_id)), np.clip(smoother, 0, 255))
    assert mask.sum() <= SPARE


def test_another_size_is_a_change_everywhere():
    now = drawn(figures.get("q03-degenerate"))
    assert changed(now[:-1], now).all()
