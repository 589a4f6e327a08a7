"""`explore`: sliders, a picture and a sentence, from one figure's spec.

The picture is an `ipywidgets.Image` fed with PNG bytes, which neither flickers nor piles up late
frames. Beside the live widget one output carries a still picture for readers without a kernel.
"""

from __future__ import annotations

import base64
import html
import threading
from typing import Any

import ipywidgets
import traitlets

from agentrl_lite import figures
from agentrl_lite.figures import render, style
from agentrl_lite.figures.spec import Figure
from agentrl_lite.i18n import _
from agentrl_lite.widgets.controls import Choice, Row, problem_html

MIME = "application/vnd.agentrl.figure+json"

# Narrower than this, a two-column figure cannot be read: it scrolls sideways instead of shrinking.
_LEAST_WIDTH_PX = {1: 0, 2: 560}

_CSS = """
.arl-explore { max-width: 100%; row-gap: 4px; }
.arl-explore .widget-html { margin: 0; height: auto; min-height: 0; }
.arl-explore .widget-html:has(.widget-html-content:empty) { display: none; }
.arl-control { flex-flow: row wrap; align-items: center; column-gap: 8px; overflow: visible; }
.arl-control .widget-slider, .arl-control .widget-dropdown { flex: 0 1 480px; min-width: 0; }
.arl-control .widget-label { font-size: 14px; text-align: left; white-space: normal; height: auto;
  line-height: 1.25; }
.arl-control .widget-text { width: 92px; }
.arl-explore .arl-reset { width: auto; padding: 0 16px; align-self: flex-start; }
.arl-control .noUi-handle:focus-visible, .arl-control input:focus-visible,
.arl-reset:focus-visible {
  outline: 2px solid var(--jp-brand-color1, #0072b2); outline-offset: 2px; }
/* A shadow at the side to which there is more: white covers scroll with the picture, the shadows
   stay, and the picture, which is ink on white, lets them through. */
.arl-explore .arl-picture { overflow-x: auto; align-self: flex-start; max-width: 100%; min-width: 0;
  width: fit-content; border-radius: 4px; isolation: isolate;
  background:
    linear-gradient(to right, #fff 30%, transparent) 0 0 / 56px 100% local,
    linear-gradient(to left, #fff 30%, transparent) 100% 0 / 56px 100% local,
    linear-gradient(to right, rgba(0, 0, 0, 0.35), transparent) 0 0 / 20px 100% scroll,
    linear-gradient(to left, rgba(0, 0, 0, 0.35), transparent) 100% 0 / 20px 100% scroll,
    #fff;
  background-repeat: no-repeat; }
.arl-picture img { mix-blend-mode: multiply; }
.arl-explore p { margin: 4px 2px 0; line-height: 1.45;
  color: var(--jp-content-font-color1, #1f2328); }
.arl-summary { font-size: 16px; }
.arl-problem { font-size: 14px; padding: 2px 8px; border-left: 4px solid #d55e00; }
@media (max-width: 640px) {
  .arl-control .widget-slider { flex: 1 1 0; flex-wrap: wrap; height: auto; }
  .arl-control .widget-slider .widget-label { flex: 1 0 100%; }
  /* The track is 4 px high, the handle 16 px: without room it would lie on the label above. */
  .arl-control .widget-slider .slider-container { margin-top: 12px; margin-bottom: 8px; }
  .arl-control .widget-text { align-self: flex-end; }
}
"""


def explore(figure_id: str, **start: float) -> Explorer:
    """Return sliders over the figure called `figure_id`, its picture and its sentence.

    Args:
        figure_id: for instance `"q03-degenerate"`.
        start: values to begin with, by control name; defaults stand in for missing ones.

    Raises:
        TypeError: when a start value is not a number.
        ValueError: when there is no such figure or control, or a value is out of range.
    """
    return Explorer(figures.get(figure_id), start)


class Picture(ipywidgets.Image):  # type: ignore[misc]
    """A PNG with a text alternative in `tooltip`, which the browser keeps as the image's title.

    An ipywidgets image has no `alt`, and its view fails on a tooltip unless the model has a
    `description`: hence the empty one.
    """

    description = traitlets.Unicode("").tag(sync=True)


class Explorer(ipywidgets.VBox):  # type: ignore[misc]
    """The live widget, which also carries what a reader without a kernel sees.

    Args:
        figure: what to draw.
        start: values to begin with, by control name.
    """

    def __init__(self, figure: Figure, start: dict[str, float] | None = None) -> None:
        self.figure = figure
        self.start = figure.values(start)
        # Messages of the browser may come on another thread than cells run on.
        self.lock = threading.RLock()
        self.picture = Picture(format="png", layout=_picture_layout(figure.columns))
        self.summary = ipywidgets.HTML()
        self.problem = ipywidgets.HTML()
        self.rows = {
            control.name: (Choice if control.names else Row)(
                control, self.start[control.name], self._redraw, self.lock
            )
            for control in figure.controls
        }
        self.reset = ipywidgets.Button(
            description=_("Reset"), tooltip=_("Put every control back to its start")
        )
        self.reset.add_class("arl-reset")
        self.reset.on_click(self._on_reset)
        self._canvas: render.Canvas | None = None

        frame = ipywidgets.Box([self.picture])
        frame.add_class("arl-picture")
        super().__init__(
            [
                ipywidgets.HTML(f"<style>{_CSS}</style>"),
                *(row.box for row in self.rows.values()),
                *([self.reset] if self.rows else []),  # nothing to put back without a control
                frame,
                self.problem,
                self.summary,
            ]
        )
        self.add_class("arl-explore")
        self._redraw()

    @property
    def values(self) -> dict[str, float]:
        """One value per control, as the picture has them."""
        return {name: row.value for name, row in self.rows.items()}

    def _on_reset(self, _button: object) -> None:
        with self.lock:
            for name, row in self.rows.items():
                row.put(self.start[name])
            self._redraw()

    def _redraw(self) -> None:
        with self.lock:
            self._draw(self.values)

    def _draw(self, values: dict[str, float]) -> None:
        try:
            if self._canvas is None:
                self._canvas = render.Canvas(self.figure)
            png, summary = self._canvas.png(values), self.figure.summary(**values)
        except Exception as error:  # a slider's exception is lost unless the widget shows it
            self.problem.value = problem_html(f"{type(error).__name__}: {error}")
            return
        with self.picture.hold_sync():  # one message for both
            self.picture.value = png
            self.picture.tooltip = self.figure.alt_text(values)
        self.summary.value = (
            f'<p class="arl-summary" role="status" aria-live="polite">{html.escape(summary)}</p>'
        )
        self.problem.value = ""

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live view and the still form, which holds the start values, as MIME types."""
        data: dict[str, Any] = super()._repr_mimebundle_(**options)
        data[MIME] = {"figure": self.figure.id, "values": self.start}
        try:
            png = render.static_png(self.figure, self.start)
            data["text/plain"] = self.figure.summary(**self.start)
        except Exception as error:  # the live widget shows the same message in place
            data["text/plain"] = f"{type(error).__name__}: {error}"
            return data, {}
        data["image/png"] = base64.b64encode(png).decode("ascii")
        return data, {"image/png": {"alt": self.figure.alt_text(self.start)}}


def _picture_layout(columns: int) -> dict[str, str]:
    return {
        "width": f"{style.SCREEN_WIDTH_PX[columns]}px",
        "max_width": "100%",
        "min_width": f"{_LEAST_WIDTH_PX[columns]}px",
        "height": "auto",
    }
