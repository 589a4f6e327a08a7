"""`live`: two arms of an experiment, trained before the reader's eyes."""

from __future__ import annotations

import base64
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentrl_lite import checked, experiments
from agentrl_lite.dashboard import History
from agentrl_lite.experiments import Experiment, Panel
from agentrl_lite.figures.runs_canvas import RunsCanvas
from agentrl_lite.i18n import _
from agentrl_lite.pair import Pair, Way
from agentrl_lite.widgets import live_words as words
from agentrl_lite.widgets.knobs import Knobs
from agentrl_lite.widgets.live_face import MOST_SEED, Face
from agentrl_lite.widgets.runner import Runner

MIME = "application/vnd.agentrl.live+json"
#: Least time between two pictures.
REDRAW_S = 0.1
#: Least time from Run to the end, for what is over sooner cannot be watched or paused; but never so
#: much that an arm's step waits for longer than the second.
RUN_S, STEP_S = 4.0, 0.05
#: In a browser Python is slower: a run from the button takes this share of the steps there. The
#: cell's own takes all of them, since what stands around it was found with these.
BROWSER_SHARE = 1 / 3


def live(
    experiment_id: str,
    *,
    seed: int = 1,
    arms: Sequence[str] | None = None,
    steps: int | None = None,
    panels: Sequence[str] | None = None,
) -> Live:
    """Train two arms of an experiment with one seed; return them with a picture and with controls.

    The training is over when this returns. A press of a button trains both anew, with another seed
    and other options for the second, if the reader likes. `history` and `sample` go on telling of
    the first training, so that what a cell says of it stays true; `latest` tells of the newest.

    Args:
        experiment_id: for instance `"q27"`.
        seed: of both arms, from 0 to 999,999.
        arms: ids of two arms; `None` for the experiment's first two: what fails, and what is
            mended.
        steps: number of steps; `None` for the experiment's own. In a browser, the button's runs
            take a third of them.
        panels: metrics that are drawn, of the experiment's panels; `None` for all of these.

    Raises:
        ValueError: for an unknown experiment, arm or panel, or a seed or number of steps that
            cannot be.
    """
    experiment = experiments.experiment(experiment_id)
    chosen = tuple(arm.id for arm in experiment.arms[:2]) if arms is None else tuple(arms)
    if len(chosen) != 2 or len(set(chosen)) != 2:
        raise ValueError(f"arms must be two different ones; they were {chosen!r}")
    for arm in chosen:
        experiment.arm(arm)  # which says what is wrong with it
    return Live(experiment, chosen, checked_seed(seed), steps, _panels(experiment, panels))


class Live:
    """Two arms in training; made by `live`.

    Attributes:
        experiment: what the arms are of.
        arms: ids of both.
        seed: of the first training.
        steps: number of steps of the first training.
        panels: what is drawn.
        knobs: options of the second arm.
        face: the widgets.
        runner: does what the buttons ask for.
    """

    def __init__(
        self,
        experiment: Experiment,
        arms: tuple[str, ...],
        seed: int,
        steps: int | None,
        panels: tuple[Panel, ...],
    ) -> None:
        self.experiment, self.arms, self.seed, self.panels = experiment, arms, seed, panels
        self._arms = tuple(experiment.arm(name) for name in arms)
        self.steps = self._arms[0].config.steps if steps is None else checked_steps(steps)
        self.knobs = Knobs(experiment, self._arms[1])
        self._stored = self._pair = self._pair_of(seed, self.steps)
        for _piece in self._stored.train():
            pass
        self._still = ""
        self._drawn_s = 0.0
        self.runner = Runner(self._after, self._show, self._fail)
        self.face = Face(panels, self.steps, seed, self.knobs.view, self._note())
        here = self.runner.here
        self.face.run.on_click(lambda _button: here(self._begin, self.face.wait))
        self.face.hold.on_click(lambda _button: here(self.pause))
        self.face.end.on_click(lambda _button: here(self.stop))
        self.face.seed.observe(lambda _change: self._read_seed(), "value")
        self._show()

    @property
    def steps_again(self) -> int:
        """Number of steps of a training from the button."""
        return math.ceil(self.steps * BROWSER_SHARE) if _in_browser() else self.steps

    @property
    def latest(self) -> Mapping[str, History]:
        """Dashboards of the newest training by arm, of the steps that both arms have done."""
        return {way.arm: self._pair.history(way.arm) for way in self._pair.ways}

    def history(self, arm: str) -> History:
        """Return the dashboards of an arm's first training.

        Raises:
            ValueError: for another arm.
        """
        return self._stored.history(arm)

    def sample(self, arm: str) -> str:
        """Return an episode of the first training's last step in words.

        It is the first that shows what the experiment's first panel is about (a limit ends it, it
        submits at once, it utters a tool's word), else the first unsolved one. Words that the
        policy did not write are in angle brackets.

        Raises:
            ValueError: for another arm.
        """
        return self._stored.sample(arm, self.experiment.panels[0].metric)

    def start(self) -> None:
        """Train both anew, with the seed in the box, and the second as the knobs have it."""
        seed = self._read_seed()
        if seed is None:
            self._show()
            return
        try:
            pair = self._pair_of(seed, self.steps_again)
        except ValueError as error:  # options that do not go together
            self._fail(error)
            return
        self._pair = pair
        self.runner.pace_s = min(STEP_S, RUN_S / (2 * pair.steps))
        self.runner.start(pair.train())

    def pause(self) -> None:
        """Hold the training, or go on with it."""
        if self.runner.state == "paused":
            self.runner.go_on()
        else:
            self.runner.pause()

    def stop(self) -> None:
        """End the training, and keep what is drawn."""
        self.runner.stop()

    def _begin(self) -> None:
        self.runner.soon(self.start)

    def _pair_of(self, seed: int, steps: int) -> Pair:
        first, second = (replace(arm.config, seed=seed, steps=steps) for arm in self._arms)
        return Pair(
            Way(self.arms[0], _(self._arms[0].label), first),
            Way(self.arms[1], self.knobs.label, self.knobs.config(second), self.knobs.told),
        )

    def _note(self) -> str:
        if self.steps_again == self.steps:
            return ""
        text = _("Python is slower in a browser: a run from here takes {steps} of {whole} steps.")
        return text.format(steps=self.steps_again, whole=self.steps)

    def _read_seed(self) -> int | None:
        """Return the seed in the box; say what is wrong with it where there is none."""
        try:
            seed = checked_seed(self.face.seed.value)
        except ValueError as error:
            self.face.complain(str(error))
            return None
        self.face.complain("")
        return seed

    def _after(self) -> None:
        self.face.count(self._pair)
        if time.monotonic() - self._drawn_s >= REDRAW_S:
            self.face.draw(self._pair)
            self._drawn_s = time.monotonic()

    def _show(self) -> None:
        self.face.show(self.runner.state, self._pair)
        self._drawn_s = time.monotonic()

    def _fail(self, error: Exception) -> None:
        self.face.complain(f"{type(error).__name__}: {error}")

    def _repr_mimebundle_(self, **_options: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live view, and the still form, which tells of the first training."""
        sentence = words.sentence(self._stored, self.panels)
        if not self._still:
            png = RunsCanvas(self.panels, self.steps).still(self._stored.histories(), sentence)
            self._still = base64.b64encode(png).decode("ascii")
        data: dict[str, Any] = dict(self.face.view._repr_mimebundle_())
        data[MIME] = {
            "experiment": self.experiment.id,
            "arms": list(self.arms),
            "seed": self.seed,
            "steps": self.steps,
        }
        data["text/plain"] = sentence
        data["image/png"] = self._still
        return data, {"image/png": {"alt": words.alt(self._stored, self.panels)}}


def checked_seed(seed: float) -> int:
    """Return a seed as a whole number.

    Raises:
        ValueError: for what cannot be one.

    >>> checked_seed(3.0)
    3
    """
    if not isinstance(seed, bool) and seed == seed and float(seed).is_integer():
        whole = int(seed)
        if 0 <= whole <= MOST_SEED:
            return whole
    message = _("seed must be a whole number from 0 to {most}; it was {seed}")
    raise ValueError(message.format(most=f"{MOST_SEED:,}", seed=seed))


def checked_steps(steps: int) -> int:
    """Return a number of steps.

    Raises:
        ValueError: for what cannot be one.
    """
    checked.whole("steps", steps, 1)
    return steps


def _in_browser() -> bool:
    return sys.platform == "emscripten"


def _panels(experiment: Experiment, panels: Sequence[str] | None) -> tuple[Panel, ...]:
    if panels is None:
        return experiment.panels
    known = {panel.metric: panel for panel in experiment.panels}
    unknown = [name for name in panels if name not in known]
    if unknown or not panels:
        there = ", ".join(unknown) or "none"
        raise ValueError(f"panels must be some of {', '.join(known)}; there was {there}")
    return tuple(known[name] for name in panels)
