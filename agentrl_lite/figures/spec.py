"""What a figure is: controls with their ranges, a backdrop, a draw function and its words.

One `Figure` drives the sliders of a notebook, the static picture beside them, the print figure and
the sweep over every corner in the tests. Nothing here draws.
"""

from __future__ import annotations

import itertools
import math
import numbers
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agentrl_lite.i18n import _

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_QUESTION = re.compile(r"[qx]\d+")
_NUMBER = re.compile(r"[A-Z]\.X?[1-9]\d*[a-z]?")
# A value counts as lying on a step when it is this near to it, as a share of the step.
_ON_STEP = 1e-6


@dataclass(frozen=True, kw_only=True)
class Control:
    """One number that the reader may move.

    Attributes:
        name: keyword under which `Figure.draw` receives the value.
        symbol: how the text writes it, in Unicode: `p`, `G`, `β`.
        label: what it is, in a few words; marked with `N_`, translated when shown.
        minimum: least value allowed.
        maximum: greatest value allowed.
        step: distance between neighbours; when `log`, the *factor* between neighbours.
        default: the value at the start.
        frames: values that the slider without a kernel must stop at, ascending, with `default`.
        log: whether steps multiply.
        integer: whether only whole numbers are allowed.
        names: what each of its whole numbers stands for, where they count nothing; marked with
            `N_`, translated when shown.

    Raises:
        ValueError: when the fields contradict each other.
    """

    name: str
    symbol: str
    label: str
    minimum: float
    maximum: float
    step: float
    default: float
    frames: tuple[float, ...]
    log: bool = False
    integer: bool = False
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"name must be a Python keyword name; it was {self.name!r}")
        for field in ("symbol", "label"):
            if not getattr(self, field).strip():
                self._refuse(field, "must not be empty", getattr(self, field))
        if not self.minimum < self.maximum:
            self._refuse("minimum", f"must be below maximum {self.maximum:g}", self.minimum)
        if self.log and self.minimum <= 0:
            self._refuse("minimum", "must be above 0 for a log control", self.minimum)
        if self.step <= (1 if self.log else 0):
            self._refuse("step", f"must be above {1 if self.log else 0}", self.step)
        self._require_reachable("maximum", self.maximum)
        self._require_reachable("default", self.default)
        if self.integer and not all(float(x).is_integer() for x in (self.minimum, self.step)):
            self._refuse("step", "must go from integer to integer", self.step)
        places = round(self.steps(self.maximum)) + 1
        if self.names and not (self.integer and len(self.names) == places):
            self._refuse("names", f"must name each of its {places} whole numbers", self.names)
        if list(self.frames) != sorted(set(self.frames)):
            self._refuse("frames", "must ascend without repeating", self.frames)
        if self.default not in self.frames:
            self._refuse("frames", f"must hold the default {self.default:g}", self.frames)
        for frame in self.frames:
            self._require_reachable("frames", frame)

    def _refuse(self, field: str, must: str, was: object) -> None:
        raise ValueError(f"{field} of control {self.name!r} {must}; it was {was!r}")

    def _require_reachable(self, field: str, value: float) -> None:
        if not self.minimum <= value <= self.maximum:
            self._refuse(field, f"must lie in [{self.minimum:g}, {self.maximum:g}]", value)
        steps = self.steps(value)
        if abs(steps - round(steps)) > _ON_STEP:
            self._refuse(field, f"must be reachable from {self.minimum:g} by steps", value)

    @property
    def mark(self) -> str:
        """The symbol to stand beside the label; empty where it is a word that the label says.

        >>> cap = Control(name="cap", symbol="cap", label="Cap, tokens", minimum=1, maximum=2,
        ...               step=1, default=1, frames=(1,))
        >>> cap.mark
        ''
        """
        said = re.findall(r"\w{3,}", self.label.casefold())
        return "" if self.symbol.casefold() in said else self.symbol

    def steps(self, value: float) -> float:
        """Return how many steps lie between `minimum` and `value`; between two it is a fraction."""
        if self.log:
            return math.log(value / self.minimum) / math.log(self.step)
        return (value - self.minimum) / self.step

    def at(self, steps: int) -> float:
        """Return the value that lies so many steps above `minimum`.

        >>> B = Control(name="B", symbol="B", label="Episodes", minimum=64, maximum=4096, step=2,
        ...             default=512, frames=(512,), log=True, integer=True)
        >>> [B.at(n) for n in range(4)]
        [64, 128, 256, 512]
        """
        value = self.minimum * self.step**steps if self.log else self.minimum + steps * self.step
        return self.check(min(float(f"{value:.9g}"), self.maximum))

    def check(self, value: object) -> float:
        """Return `value` as a float (an int for an integer control), or refuse it.

        Raises:
            TypeError: when it is not a number.
            ValueError: when it is outside the range, not finite, or a fraction of a whole number.
        """
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError(
                _("{symbol} must be a number; it was {value!r}").format(
                    symbol=self.symbol, value=value
                )
            )
        number = float(value)
        if self.integer and math.isfinite(number) and not number.is_integer():
            raise ValueError(
                _("{symbol} must be a whole number; it was {value}").format(
                    symbol=self.symbol, value=f"{number:g}"
                )
            )
        if not self.minimum <= number <= self.maximum:
            raise ValueError(
                _("{symbol} must lie between {minimum} and {maximum}; it was {value}").format(
                    symbol=self.symbol,
                    minimum=self.digits(self.minimum),
                    maximum=self.digits(self.maximum),
                    value=f"{number:g}",
                )
            )
        return int(number) if self.integer else number

    def text(self, value: float) -> str:
        """Return the name of `value`, or its digits where it has none."""
        return _(self.names[round(self.steps(value))]) if self.names else self.digits(value)

    def digits(self, value: float) -> str:
        """Return `value` with the digits of the step, or with more where the value has more.

        >>> p = Control(name="p", symbol="p", label="Pass rate", minimum=0.0, maximum=1.0,
        ...             step=0.01, default=0.1, frames=(0.1,))
        >>> p.digits(0.1), p.digits(0.125)
        ('0.10', '0.125')
        """
        if self.integer:
            return f"{value:.0f}"
        decimals = 0 if self.log else max(0, math.ceil(-math.log10(self.step) - _ON_STEP))
        short = f"{value:.{decimals}f}"
        return short if math.isclose(float(short), value, rel_tol=1e-9) else f"{value:.4g}"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A picture that is a pure function of its controls, with what print and screen need.

    Attributes:
        id: the question's id, a hyphen and a word: `q03-degenerate`.
        number: its number in the appendix, `B.3` or `B.3a`; `B.X1` for an exercise's.
        columns: its width in print, 1 or 2 columns.
        controls: what the reader may move.
        caption: the caption in print; marked with `N_`.
        alt: what the picture shows, for readers who do not see it; marked with `N_`.
        backdrop: given an empty matplotlib figure, draws what never changes (with its limits) and
            returns the axes in whatever shape `draw` wants them.
        draw: given those axes and every control's value by keyword, adds fresh artists and changes
            nothing that was there.
        summary: given every control's value by keyword, returns one translated sentence.

    Raises:
        ValueError: when a field is malformed.
    """

    id: str
    number: str
    columns: int
    controls: tuple[Control, ...]
    caption: str
    alt: str
    backdrop: Callable[[Any], Any]
    draw: Callable[..., None]
    summary: Callable[..., str]

    def __post_init__(self) -> None:
        question, hyphen, word = self.id.partition("-")
        if not (_QUESTION.fullmatch(question) and hyphen and re.fullmatch(r"[a-z0-9-]+", word)):
            raise ValueError(f"id must look like 'q03-degenerate'; it was {self.id!r}")
        if not _NUMBER.fullmatch(self.number):
            raise ValueError(
                f"number of {self.id} must look like 'B.3' or 'B.3a'; it was {self.number!r}"
            )
        if self.columns not in (1, 2):
            raise ValueError(f"columns of {self.id} must be 1 or 2; it was {self.columns!r}")
        names = [control.name for control in self.controls]
        if len(set(names)) != len(names):
            raise ValueError(f"controls of {self.id} must have distinct names; they were {names}")
        for field in ("caption", "alt"):
            if not getattr(self, field).strip():
                raise ValueError(f"{field} of {self.id} must not be empty")

    @property
    def question(self) -> str:
        """The id of the question that the figure belongs to."""
        return self.id.partition("-")[0]

    def control(self, name: str) -> Control:
        """Return the control called `name`, or raise a ValueError that names the known ones."""
        for control in self.controls:
            if control.name == name:
                return control
        known = ", ".join(control.name for control in self.controls)
        raise ValueError(f"a control of {self.id} must be one of {known}; it was {name!r}")

    def values(self, given: Mapping[str, object] | None = None) -> dict[str, float]:
        """Return one checked value per control, the default where `given` has none.

        Raises:
            TypeError: when a value is not a number.
            ValueError: when a name is unknown or a value outside its control's range.
        """
        given = given or {}
        for name in given:
            self.control(name)
        return {c.name: c.check(given.get(c.name, c.default)) for c in self.controls}

    def corners(self) -> Iterator[dict[str, float]]:
        """Yield every combination of the controls' least and greatest values."""
        names = [control.name for control in self.controls]
        ends = ((control.minimum, control.maximum) for control in self.controls)
        for combination in itertools.product(*ends):
            yield self.values(dict(zip(names, combination, strict=True)))

    def frames(self) -> Iterator[dict[str, float]]:
        """Yield every combination of the controls' frames."""
        names = [control.name for control in self.controls]
        for combination in itertools.product(*(control.frames for control in self.controls)):
            yield self.values(dict(zip(names, combination, strict=True)))

    def alt_text(self, values: Mapping[str, float]) -> str:
        """Return what the picture shows, and what it says at `values`."""
        return f"{_(self.alt)} {self.summary(**values)}"
