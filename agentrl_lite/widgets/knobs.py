"""Knobs over the options of an arm: what a reader may change before the next run."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import ipywidgets as W  # noqa: N812

from agentrl_lite.experiments import Arm, Experiment, Knob, with_option
from agentrl_lite.i18n import _
from agentrl_lite.run_config import Config
from agentrl_lite.widgets.output import button, html, show


class Choice:
    """One knob as a drop-down list, which starts at the arm's own value.

    Attributes:
        knob: what it changes.
        view: the widget.
    """

    def __init__(self, knob: Knob, config: Config, moved: Callable[[], None]) -> None:
        self.knob = knob
        self._values = list(knob.choices.values())
        names = [_(name) for name in knob.choices]
        own = option_of(config, knob.option)
        if own not in self._values:
            self._values.append(own)
            names.append(value_text(own))
        self._own = self._values.index(own)
        # The list holds places: a value of None would mean to it that nothing is chosen.
        self.view = W.Dropdown(
            options=[(name, place) for place, name in enumerate(names)],
            value=self._own,
            description=_(knob.label),
            style={"description_width": "initial"},
        ).add_class("arl-knob")
        self.view.observe(lambda _change: moved(), "value")

    @property
    def changed(self) -> bool:
        """Whether it differs from the arm's own value."""
        return bool(self.view.value != self._own)

    @property
    def value(self) -> object:
        """The value that is chosen."""
        return self._values[self.view.value]

    @property
    def text(self) -> str:
        """What the knob is and what it stands at, for instance `Token cap: 96`."""
        name = self.view.options[self.view.value][0]
        return _("{knob}: {value}").format(knob=self.view.description, value=name)

    def reset(self) -> None:
        """Put it back to the arm's own value."""
        self.view.value = self._own


class Knobs:
    """The knobs of an experiment over one of its arms, what they make of it, and a reset.

    Attributes:
        view: the widget.
        choices: one for each knob.
        reset: the button that puts them back.
    """

    def __init__(self, experiment: Experiment, arm: Arm) -> None:
        self._arm = arm
        self.choices = [Choice(knob, arm.config, self._refresh) for knob in experiment.knobs]
        self._told = html()
        self.reset = button(_("Reset"))
        self.reset.tooltip = _("Put every knob back to the arm's own value")
        self.reset.on_click(lambda _button: self.put_back())
        row = W.HBox([*(choice.view for choice in self.choices), self.reset]).add_class("arl-row")
        self.view = W.VBox([self._told, row])
        show(self.view, bool(self.choices))
        self._refresh()

    @property
    def changed(self) -> list[Choice]:
        """Those that differ from the arm's own values."""
        return [choice for choice in self.choices if choice.changed]

    @property
    def label(self) -> str:
        """What a picture calls the arm as the knobs have it."""
        return _("yours") if self.changed else _(self._arm.label)

    @property
    def told(self) -> str:
        """How the arm as the knobs have it differs from its own values; empty if it does not."""
        if not self.changed:
            return ""
        return _("“Yours” is “{arm}” but for {options}.").format(
            arm=_(self._arm.label), options=", ".join(choice.text for choice in self.changed)
        )

    def config(self, config: Config) -> Config:
        """Return a run with the options that were changed.

        Raises:
            ValueError: when it refuses one, which the message names.
        """
        for choice in self.changed:
            config = with_option(config, choice.knob.option, choice.value)
        return config

    def put_back(self) -> None:
        """Put every knob back."""
        for choice in self.choices:
            choice.reset()

    def _refresh(self) -> None:
        told = self.told or _("Change “{arm}”, then run again.").format(arm=_(self._arm.label))
        self._told.value = f'<span class="arl-quiet" role="status">{escape(told)}</span>'


def option_of(config: Config, option: str) -> object:
    """Return an option's value; a dot leads inside a field.

    >>> option_of(Config(), "clip.high")
    0.2
    """
    value: object = config
    for name in option.split("."):
        value = getattr(value, name)
    return value


def value_text(value: object) -> str:
    """Return a value that the knob has no name for.

    >>> value_text((0.0, 0.2)), value_text(None), value_text(0.1)
    ('0, 0.2', 'none', '0.1')
    """
    if value is None:
        return _("none")
    if isinstance(value, tuple):
        return ", ".join(value_text(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
