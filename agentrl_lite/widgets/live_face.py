"""The face of a live run: buttons, seed, progress, a picture for each panel, and the numbers."""

from __future__ import annotations

import json
from html import escape

import ipywidgets as W  # noqa: N812

from agentrl_lite.experiments import Panel
from agentrl_lite.figures.runs_canvas import PANEL_PX, RunsCanvas
from agentrl_lite.i18n import _
from agentrl_lite.pair import Pair
from agentrl_lite.widgets import live_words as words
from agentrl_lite.widgets.explore import Picture
from agentrl_lite.widgets.output import button, html, style
from agentrl_lite.widgets.runner import State
from agentrl_lite.widgets.table import table

MOST_SEED = 999_999

_STYLE = """
.arl-live { row-gap: 6px; }
.arl-live .widget-dropdown, .arl-live .widget-text { width: auto; height: auto; max-width: 100%;
  align-items: center; }
.arl-live .widget-label { width: auto; color: inherit; }
.arl-live select, .arl-live input { min-height: 30px; box-sizing: border-box;
  font-size: var(--jp-content-font-size1, 14px); }
.arl-live .arl-knob select { width: auto; min-width: 0; flex: 0 1 auto; }
.arl-live .arl-seed input { width: 7em; flex: none; }
.arl-off.widget-button { opacity: 0.7; }
.arl-bar { width: 220px; max-width: 100%; }
.arl-panels { flex-flow: row wrap; align-items: flex-start; align-self: flex-start;
  max-width: 100%; background: #fff; border-radius: 4px; overflow: hidden; }
.arl-open summary { cursor: pointer; width: fit-content; }
.arl-values > .widget-html-content { min-width: 0; }
.arl-live:not(:has(.arl-open[open])) > .arl-values { display: none; }
@media (max-width: 640px) { .arl-block.arl-live { padding: 8px 6px; } }
"""

# Two panels a row, or one where there is no room for two.
_PICTURE = {
    "flex": "1 1 320px",
    "width": "auto",
    "min_width": "0",
    "max_width": f"{PANEL_PX[0]}px",
    "height": "auto",
}


class Face:
    """What a reader sees of two runs, and what they press.

    Attributes:
        view: the widget.
        seed: the box for the seed.
        run: the button that begins.
        hold: the one that pauses and goes on.
        end: the one that stops.
        progress: the bar.
        told: where the training stands.
        problem: what went wrong, else empty.
        summary: the numbers in a sentence.
        pictures: one for each panel.
        values: the table of first and last.

    Args:
        panels: what is drawn.
        steps: number of steps.
        seed: which the box starts with.
        knobs: the widget of the knobs.
        note: what there is to know about these runs, else empty.
    """

    def __init__(
        self, panels: tuple[Panel, ...], steps: int, seed: int, knobs: W.Widget, note: str
    ) -> None:
        self._panels, self._canvas = panels, RunsCanvas(panels, steps)
        # A box for whole numbers would cut a fraction off, and one with bounds move the number.
        self.seed = W.FloatText(
            value=float(seed),
            step=1,
            description=_("Seed"),
            tooltip=_("A whole number from 0 to {most}").format(most=f"{MOST_SEED:,}"),
            style={"description_width": "initial"},
        ).add_class("arl-seed")
        self.run, self.hold, self.end = button(""), button(""), button(_("Stop"))
        self.progress = W.IntProgress(min=0, max=steps).add_class("arl-bar")
        self.told, self.problem, self.summary, self.values = html(), html(), html(), html()
        self.pictures = [Picture(format="png", layout=_PICTURE) for _panel in panels]
        opener = f"<summary>{escape(_('First and last steps'))}</summary>"
        presses = [self.seed, self.run, self.hold, self.end]
        self.view = W.VBox(
            [
                html(style(_STYLE + _stopped())),
                knobs,
                W.HBox(presses).add_class("arl-row"),
                W.HBox([self.progress, self.told]).add_class("arl-row"),
                html(f'<span class="arl-quiet">{escape(note)}</span>' if note else ""),
                self.problem,
                W.HBox(self.pictures).add_class("arl-panels"),
                self.summary,
                # The table stands beside it, and not inside: new values would close it.
                html(f'<details class="arl-open">{opener}</details>'),
                self.values.add_class("arl-values"),
            ]
        )
        self.view.add_class("arl-block").add_class("arl-live")

    def show(self, state: State, pair: Pair) -> None:
        """Show in which state two runs are, and what they have done."""
        paused, idle = state == "paused", state == "idle"
        self.run.description = _("Run") if idle else _("Start again")
        self.hold.description = _("Go on") if paused else _("Pause")
        for made in (self.hold, self.end):
            # A button that is disabled while it has the focus leaves a keyboard without a place.
            (made.add_class if idle else made.remove_class)("arl-off")
        self.draw(pair, live=state != "running")
        self.count(pair, state)
        self.values.value = table(words.rows(pair, self._panels))._repr_html_()

    def draw(self, pair: Pair, *, live: bool = False) -> None:
        """Draw what two runs have done so far.

        Args:
            pair: the runs.
            live: whether a screen reader tells the numbers.
        """
        pngs = self._canvas.pngs(pair.histories())
        for picture, panel, png in zip(self.pictures, self._panels, pngs, strict=True):
            with picture.hold_sync():  # one message for both
                picture.value = png
                picture.tooltip = words.panel_words(pair, panel)
        self.summary.value = _told(words.sentence(pair, self._panels), live)

    def count(self, pair: Pair, state: State = "running") -> None:
        """Say how many steps are done."""
        with self.progress.hold_trait_notifications():  # which of the two falls is all the same
            self.progress.max, self.progress.value = pair.steps, pair.done
        text = _("Step {done} of {steps}")
        if state == "paused":
            text = _("Paused at step {done} of {steps}")
        elif state == "idle":
            whole = pair.done == pair.steps
            text = (
                _("Done: step {done} of {steps}")
                if whole
                else _("Stopped at step {done} of {steps}")
            )
        self.told.value = _told(text.format(done=pair.done, steps=pair.steps), state != "running")

    def wait(self) -> None:
        """Say that the kernel is busy with something else."""
        self.told.value = _told(_("Starts when the kernel is free"), True)

    def complain(self, problem: str) -> None:
        """Show what went wrong; empty for nothing."""
        told = f'<div class="arl-bad" role="alert">{escape(problem)}</div>'
        self.problem.value = told if problem else ""


def _told(text: str, live: bool) -> str:
    # While it trains, a screen reader would come to nothing else.
    how = 'role="status" aria-live="polite"' if live else 'aria-live="off"'
    return f"<span {how}>{escape(text)}</span>"


def _stopped() -> str:
    text = _("The kernel has stopped. Run the notebook from the top to train here.")
    return f".arl-block.arl-live {{ --arl-disconnected: {json.dumps(text, ensure_ascii=False)}; }}"
