"""The guesses of a class as one histogram, drawn as SVG so that a report is one file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from agentrl_lite.collect.overview import Guesses
from agentrl_lite.i18n import _

WIDTH, HEIGHT, MARGIN, FOOT = 640, 260, 44, 56


def summary(guesses: Guesses) -> str:
    """Return how many guesses there are, from where to where, the middle one, and the truth."""
    values = guesses.values
    half = len(values) // 2
    middle = values[half] if len(values) % 2 else values[half - 1] / 2 + values[half] / 2
    text = _("Guesses: {n}, from {low} to {high}; the middle one is {middle}.").format(
        n=len(values), low=f"{values[0]:g}", high=f"{values[-1]:g}", middle=f"{middle:g}"
    )
    if guesses.beyond:
        text += " " + _("Outside the range that makes sense: {n}.").format(n=guesses.beyond)
    if guesses.truth is not None:
        told = f"{guesses.truth:.{guesses.digits}f} {guesses.unit}".strip()
        text += " " + _("Computed: {value}.").format(value=told)
    return text


def svg(guesses: Guesses) -> str:
    """Return the histogram; its text alternative is `summary`."""
    most = max(guesses.counts) or 1
    step = (WIDTH - 2 * MARGIN) / len(guesses.counts)
    height = HEIGHT - FOOT - MARGIN
    marks = []
    for number, count in enumerate(guesses.counts):
        x, tall = MARGIN + number * step, height * count / most
        y = MARGIN + height - tall
        marks.append(
            f'<rect x="{x + 1:.1f}" y="{y:.1f}" width="{step - 2:.1f}" height="{tall:.1f}" '
            'fill="#0072b2"/>'
        )
        if count:
            marks.append(_text(x + step / 2, y - 6, str(count)))
    base = MARGIN + height
    marks += _truth(guesses, base)
    marks.append(f'<path d="M{MARGIN} {base}H{WIDTH - MARGIN}" stroke="#555"/>')
    for place in range(0, len(guesses.edges), math.ceil(len(guesses.edges) / 7)):
        marks.append(_text(MARGIN + place * step, base + 20, f"{guesses.edges[place]:.4g}"))
    marks.append(_text(WIDTH / 2, base + 44, guesses.unit))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(summary(guesses), quote=True)}">{"".join(marks)}</svg>'
    )


def _truth(guesses: Guesses, base: float) -> Iterator[str]:
    """Yield the line at the number that was guessed at."""
    if guesses.truth is None:
        return
    start, end = guesses.edges[0], guesses.edges[-1]
    x = MARGIN + (WIDTH - 2 * MARGIN) * (guesses.truth - start) / (end - start)
    yield f'<path d="M{x:.1f} 20V{base}" stroke="#d55e00" stroke-width="3" stroke-dasharray="6 4"/>'
    yield _text(min(max(x, 50), WIDTH - 50), 14, _("computed"))


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(text)}</text>'
