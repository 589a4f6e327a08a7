"""The pictures of the slider that works without a kernel, kept between builds.

A figure's controls move one at a time, each from the values that the page starts with: the number
of pictures is the sum of the controls' frames and not their product.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
import PIL
from PIL import Image

from agentrl_lite import i18n
from agentrl_lite.atomic import replace_file
from agentrl_lite.figures import render, style
from agentrl_lite.figures.spec import Figure

PACKAGE = "agentrl_lite"
ROOT = Path(__file__).parents[1]

# Dots per CSS pixel: enough for a phone's screen, and a third of the bytes that 3 would take.
DENSITY = 1.5
COLOURS = 128


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


def frames(
    figure: Figure, values: Mapping[str, float], folder: Path, *, moving: bool = True
) -> Frames:
    """Return a figure's frames, and draw those that `folder` does not hold yet.

    Args:
        figure: what to draw.
        values: where the controls start; defaults stand in for missing ones.
        folder: where pictures are kept, named by what they depend on.
        moving: whether the controls move; the start alone if not.
    """
    start = figure.values(values)
    wanted = [start]
    stops: dict[str, tuple[int, ...]] = {}
    for control in figure.controls if moving else ():
        indices = []
        for value in sorted({*control.frames, start[control.name]}):
            moved = figure.values({**start, control.name: value})
            if moved not in wanted:
                wanted.append(moved)
            indices.append(wanted.index(moved))
        stops[control.name] = tuple(indices)
    names = [f"{figure.id}-{_key(figure, moved)}.webp" for moved in wanted]
    _draw(figure, dict(zip(names, wanted, strict=True)), folder)
    made = (
        Frame(moved, name, figure.summary(**moved))
        for moved, name in zip(wanted, names, strict=True)
    )
    return Frames(figure, start, tuple(made), stops)


def size_px(figure: Figure) -> tuple[int, int]:
    """Return the width and height that a figure has on screen, in CSS pixels.

    >>> from agentrl_lite import figures
    >>> size_px(figures.get("q03-degenerate"))
    (600, 439)
    """
    width_in, height_in = style.SIZE_IN[figure.columns]
    width = style.SCREEN_WIDTH_PX[figure.columns]
    return width, round(width * height_in / width_in)


def dependencies(figure: Figure) -> tuple[Path, ...]:
    """Return the files of the package that a figure's picture depends on."""
    return _closure(_module(figure))


def _draw(figure: Figure, wanted: Mapping[str, Mapping[str, float]], folder: Path) -> None:
    missing = {name: v for name, v in wanted.items() if not (folder / name).is_file()}
    if not missing:
        return
    folder.mkdir(parents=True, exist_ok=True)
    canvas = render.Canvas(figure, DENSITY * style.screen_dpi(figure.columns))
    drawn = [canvas.pixels(values) for values in missing.values()]
    palette = _palette(drawn)
    for name, pixels in zip(missing, drawn, strict=True):
        replace_file(folder / name, _webp(pixels, palette))


def _palette(drawn: Sequence[render.Pixels]) -> Image.Image:
    """Choose the colours for all pictures at once: for each alone it would take most of the time.

    A figure has few hues, each with its edges' shades. Maximum coverage keeps the rare ones.
    """
    # Every third row and column tells the colours of plain areas and of their edges alike.
    thinned = np.concatenate([pixels[::3, ::3] for pixels in drawn])
    return Image.fromarray(thinned).quantize(
        COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
    )


def _webp(pixels: render.Pixels, palette: Image.Image) -> bytes:
    """Encode without loss but for the palette; a higher method gains a sixth at twice the time."""
    few = Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    few.convert("RGB").save(buffer, "webp", lossless=True, method=1, quality=10)
    return buffer.getvalue()


def _key(figure: Figure, values: Mapping[str, float]) -> str:
    """Return a hash of all that a picture depends on."""
    parts = [
        _code_hash(_module(figure)),
        json.dumps(dict(values), sort_keys=True),
        i18n.language(),
        f"{DENSITY} {COLOURS} {matplotlib.__version__} {np.__version__} {PIL.__version__}",
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def _module(figure: Figure) -> str:
    """Return the module that takes in all of a question's figures."""
    return f"{PACKAGE}.figures.{figure.question}"


@functools.cache
def _code_hash(module: str) -> str:
    digest = hashlib.sha256()
    for path in _closure(module):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _closure(module: str) -> tuple[Path, ...]:
    """Return the files of a module, of all it imports from the package, and their data."""
    found: set[Path] = {Path(__file__)}
    waiting = [module, f"{PACKAGE}.figures.render"]
    while waiting:
        path = _file(waiting.pop())
        if path in found:
            continue
        found.add(path)
        # Stored results lie in a folder beside the module that reads them.
        if path.name == "__init__.py":
            found.update(p for p in path.parent.glob("results/*") if p.is_file())
        waiting += _imported(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(sorted(found))


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (n for n in names if n.startswith(PACKAGE) and _file(n).is_file())


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
