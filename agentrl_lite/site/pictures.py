"""Draws the pictures of the sliders that work without a kernel, each once, in several processes.

A file's name holds a hash of all that its picture depends on, so that one that is there is right.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import matplotlib
import numpy as np
import PIL
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from agentrl_lite import figures, i18n
from agentrl_lite.atomic import replace_file
from agentrl_lite.figures import render, style
from agentrl_lite.figures.spec import Figure
from agentrl_lite.site.depends import code_hash

# Dots per CSS pixel: enough for a phone's screen, and a third of the bytes that 3 would take.
DENSITY = 1.5
COLOURS = 64
# The key of a PNG under which its sentence stands.
_SENTENCE = "Description"

Values = Mapping[str, float]


def name(figure: Figure, values: Values) -> str:
    """Return the file name of a figure's picture at `values`, one for each control."""
    parts = [
        code_hash(figure),
        json.dumps(dict(values), sort_keys=True),
        i18n.language(),
        f"{DENSITY} {COLOURS} {matplotlib.__version__} {np.__version__} {PIL.__version__}",
    ]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return f"{figure.id}-{digest[:12]}.png"


def draw(figure: Figure, wanted: Iterable[Values], folder: Path) -> None:
    """Draw those of a figure's pictures that `folder` does not hold yet."""
    missing = _missing(figure, wanted, folder)
    if not missing:
        return
    folder.mkdir(parents=True, exist_ok=True)
    canvas = render.Canvas(figure, DENSITY * style.screen_dpi(figure.columns))
    drawn = [canvas.pixels(values) for values in missing.values()]
    palette = _palette(drawn)
    for (file, values), pixels in zip(missing.items(), drawn, strict=True):
        replace_file(folder / file, _png(pixels, palette, figure.summary(**values)))


def sentence(path: Path) -> str:
    """Return what the figure says at the values of a picture that has been drawn."""
    with Image.open(path) as picture:
        return str(picture.info[_SENTENCE])


def draw_all(wanted: Mapping[str, Sequence[Values]], folder: Path, jobs: int) -> int:
    """Draw the pictures of many figures that `folder` does not hold yet, and return how many.

    Args:
        wanted: by the figure's id.
        folder: where pictures are kept.
        jobs: processes that draw at once.
    """
    missing = {
        figure_id: list(_missing(figures.get(figure_id), values, folder).values())
        for figure_id, values in wanted.items()
    }
    # The long ones first: none is left over to one process at the end.
    order = sorted((key for key in missing if missing[key]), key=lambda key: -len(missing[key]))
    if jobs > 1 and len(order) > 1:
        with ProcessPoolExecutor(jobs) as pool:
            language = i18n.language()
            tasks = [pool.submit(_draw, key, missing[key], folder, language) for key in order]
            for task in tasks:
                task.result()
    else:
        for key in order:
            draw(figures.get(key), missing[key], folder)
    return sum(map(len, missing.values()))


def _draw(figure_id: str, wanted: Sequence[Values], folder: Path, language: str) -> None:
    with i18n.using(language):
        draw(figures.get(figure_id), wanted, folder)


def _missing(figure: Figure, wanted: Iterable[Values], folder: Path) -> dict[str, Values]:
    named = {name(figure, values): values for values in wanted}
    return {file: values for file, values in named.items() if not (folder / file).is_file()}


def _palette(drawn: Sequence[render.Pixels]) -> Image.Image:
    """Choose the colours for all pictures at once: for each alone it would take most of the time.

    A figure has few hues, each with its edges' shades. Maximum coverage keeps the rare ones.
    """
    # Every third row and column tells the colours of plain areas and of their edges alike.
    thinned = np.concatenate([pixels[::3, ::3] for pixels in drawn])
    return Image.fromarray(thinned).quantize(
        COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
    )


def _png(pixels: render.Pixels, palette: Image.Image, summary: str) -> bytes:
    """Encode with those colours; WebP would take three times as long and save a sixth.

    The figure's sentence travels along: it can take as long to compute as the picture to draw.
    """
    buffer, about = io.BytesIO(), PngInfo()
    about.add_itxt(_SENTENCE, summary)
    few = Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE)
    few.save(buffer, "png", compress_level=6, pnginfo=about)
    return buffer.getvalue()
