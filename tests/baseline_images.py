"""Pictures that every figure is compared with: `python tests/baseline_images.py [q03-step ...]`.

It draws them anew into `tests/baselines/`, all of them or those named; look at what changed before
you commit it. Each holds two pictures of a figure, one over the other: at its defaults, and with
every control at its greatest. The measure is not the root mean square over the whole picture, which
a thin line that moves leaves almost as it was: it counts the pixels that have another colour.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from agentrl_lite import figures
from agentrl_lite.figures import render

FOLDER = Path(__file__).parent / "baselines"
DPI = 80.0
#: A pixel has another colour when a channel is further away than this, of 255. Smoothed edges and
#: the stored file's 128 colours stay below.
CHANNEL = 60
#: So many of them are none.
SPARE = 6


def drawn(figure):
    """Return a figure's pictures in one: height x width x RGB."""
    canvas = render.Canvas(figure, DPI)
    greatest = {control.name: control.maximum for control in figure.controls}
    sets = [figure.values(), figure.values(greatest)]
    return np.concatenate([canvas.pixels(values) for values in sets[: 1 + bool(greatest)]])


def path(figure):
    """Return where a figure's baseline is."""
    return FOLDER / f"{figure.id}.png"


def changed(baseline, now):
    """Return which pixels have another colour, as a mask; all of them where the sizes differ."""
    if baseline.shape != now.shape:
        return np.ones(now.shape[:2], dtype=bool)
    return np.abs(baseline.astype(int) - now).max(axis=2) > CHANNEL


def marked(now, mask):
    """Return the picture in faint grey, with the pixels of the mask in red."""
    faint = 200 + now.mean(axis=2, keepdims=True).astype(int) * 55 // 255
    return np.where(mask[..., np.newaxis], (220, 0, 0), faint).astype(np.uint8)


def stored(figure):
    """Return the pixels of a figure's baseline."""
    with Image.open(path(figure)) as image:
        return np.asarray(image.convert("RGB"))


def main(ids):
    """Draw the baselines of these figures, or of all; drop those of figures that are gone."""
    FOLDER.mkdir(exist_ok=True)
    for figure in figures.select(ids):
        path(figure).write_bytes(render.small_png(drawn(figure)))
    for file in FOLDER.glob("*.png"):
        if file.stem not in figures.ids():
            file.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
