"""Some runs as they go: a picture that is drawn anew many times while they train."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as MplFigure
from numpy.typing import NDArray

from agentrl_lite.experiments import Panel
from agentrl_lite.figures import render, style
from agentrl_lite.figures.runs import COLOURS, SHAPES, draw_band, side_by_side

Floats = NDArray[np.float64]

#: Width and height of one panel in pixels: two fit beside each other in a notebook, and one is
#: still legible when a phone makes it smaller.
PANEL_PX = (380, 264)


class Curves(Protocol):
    """What is drawn of a run: a `History`, or arrays by name."""

    def __getitem__(self, name: str, /) -> Floats:
        """Return one figure of the dashboard over the steps so far."""


class RunsCanvas:
    """Panels of which frames, ticks and titles are drawn once, and the runs in them many times.

    Args:
        panels: what is drawn, one or more.
        steps: number of steps, which the x axes end with.
        columns: panels a row.
    """

    def __init__(self, panels: Sequence[Panel], steps: int, columns: int = 2) -> None:
        self.panels = tuple(panels)
        self.columns = min(columns, len(self.panels))
        with style.settings():
            self._canvas = _empty(self.columns, -(-len(self.panels) // self.columns))
            self._axes = side_by_side(self._canvas.figure, self.panels, steps, columns=self.columns)
            self._canvas.draw()
        self._backdrop = self._canvas.copy_from_bbox(self._canvas.figure.bbox)

    def pixels(self, runs: Mapping[str, Curves]) -> render.Pixels:
        """Return the picture of some runs, by label: height x width x RGB, as a copy."""
        with style.settings():
            self._canvas.restore_region(self._backdrop)
            for axes, panel in zip(self._axes, self.panels, strict=True):
                self._draw(axes, panel, runs)
            return np.array(self._canvas.buffer_rgba())[..., :3]

    def pngs(self, runs: Mapping[str, Curves]) -> list[bytes]:
        """Return a picture of each panel as PNG, encoded for speed."""
        whole = self.pixels(runs)
        width, height = PANEL_PX
        found = []
        for i in range(len(self.panels)):
            row, column = divmod(i, self.columns)
            part = whole[row * height : (row + 1) * height, column * width : (column + 1) * width]
            found.append(render.fast_png(part))
        return found

    def still(self, runs: Mapping[str, Curves], sentence: str) -> bytes:
        """Return all panels with a sentence below as a small PNG; equal calls give equal bytes."""
        drawn, words = self.pixels(runs), render.text_strip(sentence, 2)
        whole = np.full((len(drawn), words.shape[1], 3), 255, dtype=np.uint8)
        whole[:, : drawn.shape[1]] = drawn
        return render.small_png(np.concatenate([whole, words]))

    def _draw(self, axes: Any, panel: Panel, runs: Mapping[str, Curves]) -> None:
        before = set(axes.get_children())
        try:
            for (label, curves), colour, shape in zip(runs.items(), COLOURS, SHAPES, strict=False):
                values = curves[panel.metric]
                steps = 1 + np.arange(len(values))
                draw_band(axes, steps, values[np.newaxis], label, colour, shape=shape)
            fresh = [artist for artist in axes.get_children() if artist not in before]
            for artist in sorted(fresh, key=lambda artist: artist.get_zorder()):
                axes.draw_artist(artist)
        finally:
            for artist in axes.get_children():
                if artist not in before:
                    artist.remove()


def _empty(columns: int, rows: int) -> Any:
    dpi = style.screen_dpi(2)
    # Half a pixel more, or rounding could lose one.
    size_in = ((columns * PANEL_PX[0] + 0.5) / dpi, (rows * PANEL_PX[1] + 0.5) / dpi)
    return FigureCanvasAgg(MplFigure(figsize=size_in, dpi=dpi))
