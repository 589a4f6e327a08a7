"""The guesses of a class as one histogram, drawn as SVG so that a report is one file."""

from __future__ import annotations

from html import escape

from agentrl_lite.collect.overview import Guesses
from agentrl_lite.i18n import _

WIDTH, HEIGHT, MARGIN, FOOT = 640, 220, 30, 42


def summary(guesses: Guesses) -> str:
    """Return a sentence on the guesses: how many, from where to where, and the middle one."""
    values = guesses.values
    half = len(values) // 2
    middle = values[half] if len(values) % 2 else values[half - 1] / 2 + values[half] / 2
    text = _("{n} guesses, from {low} to {high}; the middle one is {middle}.").format(
        n=len(values), low=f"{values[0]:g}", high=f"{values[-1]:g}", middle=f"{middle:g}"
    )
    if guesses.beyond:
        text += " " + _("{n} outside the range that makes sense.").format(n=guesses.beyond)
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
            marks.append(_text(x + step / 2, y - 5, str(count)))
    base = MARGIN + height
    marks.append(f'<path d="M{MARGIN} {base}H{WIDTH - MARGIN}" stroke="#555"/>')
    for place in (0, len(guesses.counts) // 2, len(guesses.counts)):
        marks.append(_text(MARGIN + place * step, base + 16, f"{guesses.edges[place]:.3g}"))
    marks.append(_text(WIDTH / 2, base + 34, guesses.unit))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(summary(guesses), quote=True)}">{"".join(marks)}</svg>'
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(text)}</text>'
