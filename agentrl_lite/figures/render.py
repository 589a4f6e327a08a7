"""From a figure and its values to pixels or to a file's bytes.

`Canvas` keeps the backdrop as pixels, so that a new value draws only what it changes.
No pyplot: nothing global is touched, and nothing leaks.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as MplFigure
from PIL import Image

from agentrl_lite import i18n
from agentrl_lite.figures import style
from agentrl_lite.figures.spec import Figure

FORMATS = ("pdf", "svg", "png")
PRINT_DPI = 300.0

Pixels = npt.NDArray[np.uint8]

# What a line may not break within: a word, or a Chinese character; each with the space before it,
# and with the marks that must not begin or end a line.
_PIECE = re.compile(r" ?（*(?:[㐀-鿿]|[^ 㐀-鿿，。、；：）]+)[，。、；：）]*|.")

# Fresh artists lie above every static one, in a full drawing as in a fast one.
_ABOVE = 100.0


def _canvas(size_in: tuple[float, float], dpi: float) -> Any:
    return FigureCanvasAgg(MplFigure(figsize=size_in, dpi=dpi))


def _pixels(canvas: Any) -> Pixels:
    return np.array(canvas.buffer_rgba())[..., :3]


def _artists(picture: MplFigure) -> list[Artist]:
    """Return what a draw function can add to: the children of the figure and of its axes."""
    return [*picture.get_children(), *(child for ax in picture.axes for child in ax.get_children())]


@contextmanager
def _drawn(
    figure: Figure, picture: MplFigure, axes: Any, values: Mapping[str, float]
) -> Iterator[list[Artist]]:
    """Draw `values`; yield the fresh artists, lowest first, and remove them at the end."""
    before = set(_artists(picture))
    try:
        figure.draw(axes, **values)
        fresh = [artist for artist in _artists(picture) if artist not in before]
        for artist in fresh:
            artist.set_zorder(artist.get_zorder() + _ABOVE)
        yield sorted(fresh, key=lambda artist: artist.get_zorder())
    finally:
        for artist in _artists(picture):
            if artist not in before:
                artist.remove()


class Canvas:
    """A figure whose backdrop is drawn once, and whose values may change often.

    Args:
        figure: what to draw.
        dpi: dots per inch; the default gives the figure its width on screen.
    """

    def __init__(self, figure: Figure, dpi: float | None = None) -> None:
        self.figure = figure
        with style.settings():
            size_in = style.SIZE_IN[figure.columns]
            self._canvas = _canvas(size_in, dpi or style.screen_dpi(figure.columns))
            self._picture = self._canvas.figure
            self._axes = figure.backdrop(self._picture)
            self._canvas.draw()
        self._backdrop = self._canvas.copy_from_bbox(self._picture.bbox)

    def pixels(self, values: Mapping[str, float]) -> Pixels:
        """Return the picture at `values`: height x width x RGB, as a copy."""
        checked = self.figure.values(values)
        with style.settings():
            self._canvas.restore_region(self._backdrop)
            with _drawn(self.figure, self._picture, self._axes, checked) as fresh:
                for artist in fresh:
                    (artist.axes or self._picture).draw_artist(artist)
            return _pixels(self._canvas)

    def png(self, values: Mapping[str, float]) -> bytes:
        """Return the picture at `values` as PNG, encoded for speed."""
        return fast_png(self.pixels(values))


def full_pixels(figure: Figure, values: Mapping[str, float], dpi: float | None = None) -> Pixels:
    """Return the picture drawn whole, without a kept backdrop: height x width x RGB."""
    with style.settings():
        canvas = _canvas(style.SIZE_IN[figure.columns], dpi or style.screen_dpi(figure.columns))
        axes = figure.backdrop(canvas.figure)
        with _drawn(figure, canvas.figure, axes, figure.values(values)):
            canvas.draw()
            return _pixels(canvas)


def render_bytes(
    figure: Figure,
    values: Mapping[str, float],
    format: str,  # noqa: A002 - what matplotlib and the command line call it
    lang: str | None = None,
) -> bytes:
    """Return the figure at print size as the bytes of a file; equal calls give equal bytes.

    Args:
        figure: what to draw.
        values: one value per control; defaults stand in for missing ones.
        format: `pdf`, `svg` or `png`.
        lang: the language of its words; the active one if None.

    Raises:
        ValueError: when the format, a value or the language is unknown.
    """
    if format not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}; it was {format!r}")
    checked = figure.values(values)
    with i18n.using(lang or i18n.language()), style.settings():
        picture = _canvas(style.SIZE_IN[figure.columns], PRINT_DPI).figure
        axes = figure.backdrop(picture)
        buffer = io.BytesIO()
        with _drawn(figure, picture, axes, checked):
            picture.savefig(buffer, format=format, metadata=_metadata(figure, checked, format))
    return buffer.getvalue()


def _metadata(figure: Figure, values: Mapping[str, float], suffix: str) -> dict[str, str | None]:
    """Return what the file says of itself: title and description, never a date or a version."""
    title, description = f"{figure.number} {figure.id}", figure.alt_text(values)
    if suffix == "pdf":
        dates = {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None}
        return {"Title": title, "Subject": description, **dates}
    if suffix == "svg":
        return {"Title": title, "Description": description, "Date": None, "Creator": None}
    return {"Title": title, "Description": description, "Software": None}


def static_png(figure: Figure, values: Mapping[str, float]) -> bytes:
    """Return the picture at `values` with its summary as a line of text below, as a small PNG.

    Readers of a stored notebook may see nothing but this picture.
    """
    checked = figure.values(values)
    picture = full_pixels(figure, checked)
    words = text_strip(figure.summary(**checked), figure.columns)
    return small_png(np.concatenate([picture, words]))


def text_strip(sentence: str, columns: int) -> Pixels:
    """Return `sentence` set below a figure of that width, broken into lines where it must be."""
    width_in = style.SIZE_IN[columns][0]
    line_in = style.TEXT_PT * 1.45 / 72
    dpi = style.screen_dpi(columns)
    with style.settings():
        text = _canvas((width_in, line_in), dpi).figure.text(0, 0, "", fontsize=style.TEXT_PT)

        def width(line: str) -> float:
            text.set_text(line)
            return float(text.get_window_extent().width)

        lines = _wrap(sentence, width, 0.94 * width_in * dpi)
        canvas = _canvas((width_in, line_in * (len(lines) + 0.7)), dpi)
        canvas.figure.text(
            0.03, 1, "\n".join(lines), fontsize=style.TEXT_PT, va="top", linespacing=1.3
        )
        canvas.draw()
        return _pixels(canvas)


def _wrap(sentence: str, width: Callable[[str], float], limit: float) -> Sequence[str]:
    """Break `sentence` into lines no wider than `limit`; a number keeps its per cent.

    Lines break at spaces, and between Chinese characters, which have none between them.
    """
    first, *pieces = _PIECE.findall(sentence.replace(" %", "\u00a0%"))
    lines = [first]
    for piece in pieces:
        longer = lines[-1] + piece
        if width(longer) <= limit:
            lines[-1] = longer
        else:
            lines.append(piece.removeprefix(" "))
    return lines


def fast_png(pixels: Pixels) -> bytes:
    """Encode without row filters: flat colour needs none, and choosing them is most of the time."""
    height, width, _channels = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)  # each begins with filter type 0
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 1)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))
    )


def small_png(pixels: Pixels) -> bytes:
    """Encode with few colours, for a file that is kept; equal pixels give equal bytes."""
    # A figure has few hues, each with its edges' shades. Maximum coverage keeps the rare ones,
    # which median cut would blend into their neighbours.
    palette = Image.fromarray(pixels).quantize(
        128, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
    )
    buffer = io.BytesIO()
    palette.save(buffer, "png", optimize=True)
    return buffer.getvalue()
