"""The frames of the slider that works without a kernel: which values, which picture, which words.

A figure's controls move one at a time, each from the values that the page starts with: the number
of pictures is the sum of the controls' stops and not their product.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agentrl_lite.figures import style
from agentrl_lite.figures.spec import Figure
from agentrl_lite.site import pictures
from agentrl_lite.site.stops import stops


@dataclass(frozen=True)
class Frame:
    """One picture.

    Attributes:
        values: one value per control.
        file: the picture's file name.
        summary: what the figure says at these values.
    """

    values: Mapping[str, float]
    file: str
    summary: str


@dataclass(frozen=True)
class Frames:
    """All pictures of one figure on one page.

    Attributes:
        figure: whose.
        start: the values of the first frame.
        all: the frames, each once, the start first.
        stops: for each control the indices into `all`, in the order of its values.
    """

    figure: Figure
    start: Mapping[str, float]
    all: tuple[Frame, ...]
    stops: Mapping[str, tuple[int, ...]]


def places(
    figure: Figure, values: Mapping[str, float], *, moving: bool = True
) -> tuple[list[pictures.Values], dict[str, tuple[int, ...]]]:
    """Return the values of all frames, and for each control the indices of its stops.

    Args:
        figure: what is shown.
        values: where the controls start; defaults stand in for missing ones.
        moving: whether the controls move; the start alone if not.
    """
    start = figure.values(values)
    found: list[pictures.Values] = [start]
    indices: dict[str, tuple[int, ...]] = {}
    for control in figure.controls if moving else ():
        line = []
        for value in stops(control, start[control.name]):
            moved = figure.values({**start, control.name: value})
            if moved not in found:
                found.append(moved)
            line.append(found.index(moved))
        indices[control.name] = tuple(line)
    return found, indices


def frames(
    figure: Figure, values: Mapping[str, float], folder: Path, *, moving: bool = True
) -> Frames:
    """Return a figure's frames, and draw those that `folder` does not hold yet.

    Args:
        figure: what is shown.
        values: where the controls start; defaults stand in for missing ones.
        folder: where pictures are kept.
        moving: whether the controls move; the start alone if not.
    """
    found, indices = places(figure, values, moving=moving)
    pictures.draw(figure, found, folder)
    files = [pictures.name(figure, at) for at in found]
    made = (
        Frame(at, file, pictures.sentence(folder / file))
        for at, file in zip(found, files, strict=True)
    )
    return Frames(figure, found[0], tuple(made), indices)


def size_px(figure: Figure) -> tuple[int, int]:
    """Return the width and height that a figure has on screen, in CSS pixels.

    >>> from agentrl_lite import figures
    >>> size_px(figures.get("q03-degenerate"))
    (600, 439)
    """
    width_in, height_in = style.SIZE_IN[figure.columns]
    width = style.SCREEN_WIDTH_PX[figure.columns]
    return width, round(width * height_in / width_in)
