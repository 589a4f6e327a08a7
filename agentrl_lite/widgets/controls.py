"""The controls of `explore`: a slider with a number box, or a list of names to choose from."""

from __future__ import annotations

import html
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import ipywidgets

from agentrl_lite.figures.spec import Control
from agentrl_lite.i18n import _


class _Face(ABC):
    """What the controls share.

    Args:
        control: what the reader may move.
        value: where it starts.
        moved: called after the value has changed, never with a refused one.
        lock: held while the value changes and until `moved` is done.
    """

    def __init__(
        self,
        control: Control,
        value: float,
        moved: Callable[[], None],
        lock: AbstractContextManager[object],
    ) -> None:
        self.control = control
        self.value = value
        self._moved = moved
        self._lock = lock
        self._putting = False
        self.box = ipywidgets.Box(self._parts())
        self.box.add_class("arl-control")

    @abstractmethod
    def _parts(self) -> list[Any]:
        """Make the widgets that stand in the box."""

    @contextmanager
    def _silently(self) -> Iterator[None]:
        self._putting = True
        try:
            yield
        finally:
            self._putting = False


class Row(_Face):
    """One control: a slider with its label, a number box kept in step, and room for a message."""

    def _parts(self) -> list[Any]:
        control, value = self.control, self.value
        self.slider = _slider(control, value)
        self.number = ipywidgets.FloatText(
            value=value,
            step=1 if control.log else control.step,
            tooltip=_("{control}: type a number from {minimum} to {maximum}").format(
                control=_name(control),
                minimum=control.digits(control.minimum),
                maximum=control.digits(control.maximum),
            ),
        )
        self.message = ipywidgets.HTML()
        self.slider.observe(self._on_slider, "value")
        self.number.observe(self._on_number, "value")
        return [self.slider, self.number, self.message]

    def put(self, value: float) -> None:
        """Set slider and number box to `value` without calling `moved`."""
        self.value = value
        with self._silently():
            self.slider.value = value
            self.number.value = value
        self.message.value = ""

    def _on_slider(self, change: dict[str, Any]) -> None:
        with self._lock:
            if self._putting:
                return
            self.value = _clean(self.control, change["new"])
            self._moved()  # the picture is what the reader waits for: the box follows it
            # The slider itself is left alone: the reader's hand may be further on by now, and a
            # value sent back would pull the handle from it.
            with self._silently():
                self.number.value = self.value
            self.message.value = ""

    def _on_number(self, change: dict[str, Any]) -> None:
        with self._lock:
            if self._putting:
                return
            try:
                value = self.control.check(change["new"])
            except ValueError as error:
                # What was typed stays in the box; slider and picture keep the last good value.
                self.message.value = problem_html(str(error))
                return
            self.put(value)
            self._moved()


class Choice(_Face):
    """One control whose values have names: a list to choose from."""

    def _parts(self) -> list[Any]:
        control, value = self.control, self.value
        places = range(len(control.names))
        self.list = ipywidgets.Dropdown(
            options=[(control.text(control.at(place)), control.at(place)) for place in places],
            value=value,
            **_labels(control),
        )
        self.list.observe(self._on_list, "value")
        return [self.list]

    def put(self, value: float) -> None:
        """Choose `value` without calling `moved`."""
        with self._silently():
            self.value = self.list.value = value

    def _on_list(self, change: dict[str, Any]) -> None:
        with self._lock:
            if self._putting:
                return
            self.value = self.control.check(change["new"])
            self._moved()


def _slider(control: Control, value: float) -> Any:
    options = {
        "value": value,
        "continuous_update": True,
        "readout": False,
        **_labels(control),
    }
    if control.log:
        least = math.log(control.minimum) / math.log(control.step)
        steps = round(control.steps(control.maximum))
        ends = {"min": least, "max": least + steps, "step": 1}
        return ipywidgets.FloatLogSlider(base=control.step, **ends, **options)
    ends = {"min": control.minimum, "max": control.maximum, "step": control.step}
    kind = ipywidgets.IntSlider if control.integer else ipywidgets.FloatSlider
    return kind(**ends, **options)


def _labels(control: Control) -> dict[str, Any]:
    mark = f" <i>{html.escape(control.mark)}</i>" if control.mark else ""
    return {
        "description": f"{html.escape(_(control.label))}{mark}",
        "description_allow_html": True,
        "tooltip": _name(control),
        "style": {"description_width": "150px"},
    }


def _name(control: Control) -> str:
    return f"{_(control.label)} {control.mark}".rstrip()


def _clean(control: Control, value: float) -> float:
    """Return a slider's value without the rounding errors of its steps and powers."""
    near = float(f"{value:.9g}")
    return control.check(min(max(near, control.minimum), control.maximum))


def problem_html(message: str) -> str:
    """Return a message about what went wrong, read aloud at once."""
    return f'<p class="arl-problem" role="alert">{html.escape(message)}</p>'
