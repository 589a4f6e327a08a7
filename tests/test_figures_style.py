"""The palette, measured: for three kinds of colour vision, and against paper."""

import itertools

import numpy as np
import pytest

from agentrl_lite.figures import style

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
VISION = {
    "typical": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.01182, 0.04294, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
LEAST_DISTANCE = 15.0  # CIE 1976 units; about 2 is the least visible difference
TEXT_COLOURS = (style.INK, style.GHOST_TEXT, style.BLUE)


def linear(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    ratio = TO_XYZ @ np.clip(rgb, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(colour):
    luminance = [TO_XYZ[1] @ linear(c) for c in (style.PAPER, colour)]
    return (luminance[0] + 0.05) / (luminance[1] + 0.05)


@pytest.mark.parametrize("vision", VISION)
def test_colours_stay_apart_for_every_kind_of_vision(vision):
    for (a, first), (b, second) in itertools.combinations(style.PALETTE.items(), 2):
        seen = [lab(VISION[vision] @ linear(colour)) for colour in (first, second)]
        assert np.linalg.norm(seen[0] - seen[1]) >= LEAST_DISTANCE, (a, b)


@pytest.mark.parametrize("name", style.PALETTE)
def test_every_colour_stands_out_from_paper(name):
    assert contrast(style.PALETTE[name]) >= 3


@pytest.mark.parametrize("colour", TEXT_COLOURS)
def test_small_text_is_legible_on_paper(colour):
    assert contrast(colour) >= 4.5
