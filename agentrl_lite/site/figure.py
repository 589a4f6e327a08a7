"""A figure as HTML that moves without a kernel: native sliders over pictures made beforehand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape

from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import _
from agentrl_lite.site.frames import Frames, size_px

# Where the pictures lie, seen from a page. All pages lie in one folder.
FOLDER = "_figures"


def figure_html(shown: Frames, name: str) -> str:
    """Return a figure with its sliders, its picture and its sentence.

    The sliders are for `book/_static/figure.js`; without it the first picture stands alone.

    Args:
        shown: the pictures.
        name: starts every id, and so must differ from figure to figure on a page.
    """
    figure = shown.figure
    rows = "".join(_control_html(shown, control, name) for control in figure.controls)
    summary = escape(unbroken(shown.all[0].summary))
    group = escape(_("Controls of figure {number}").format(number=figure.number))
    controls = (
        f'<div class="arl-controls" role="group" aria-label="{group}" hidden>{_alone(figure)}{rows}'
        f'<button type="button" class="arl-button">{escape(_("Reset"))}</button></div>'
    )
    return (
        f'<figure class="arl-figure" id="{escape(name)}">{controls if rows else ""}'
        f"{picture_html(shown)}"
        f'<figcaption class="arl-summary"><span role="status">{summary}</span></figcaption>'
        f'<script type="application/json">{_data(shown)}</script></figure>'
    )


def _alone(figure: Figure) -> str:
    """Return what a reader must know where a task of the notebook would move two controls."""
    if len(figure.controls) < 2:
        return ""
    told = _(
        "Here one control moves at a time, and the others go back: a task that sets two at once "
        "needs the notebook. A slider stops where a picture was drawn."
    )
    return f'<p class="arl-quiet">{escape(told)}</p>'


def picture_html(shown: Frames, *, lazy: bool = False) -> str:
    """Return the first picture, in a box that scrolls where a page is too narrow for it.

    Args:
        shown: the pictures.
        lazy: fetch it only when the reader comes near it.
    """
    figure = shown.figure
    width, height = size_px(figure)
    label = escape(_("Picture, wider than a small screen"))
    # What scrolls must be within reach of the keyboard.
    scrolls = f' tabindex="0" role="group" aria-label="{label}"' if figure.columns > 1 else ""
    alt = escape(figure.alt_text(shown.start))
    late = ' loading="lazy"' if lazy else ""
    return (
        f'<div class="arl-picture arl-columns-{figure.columns}"{scrolls}>'
        f'<img src="{FOLDER}/{shown.all[0].file}" alt="{alt}" width="{width}" height="{height}"'
        f"{late}>"
        "</div>"
    )


def _control_html(shown: Frames, control: Control, name: str) -> str:
    ident = escape(f"{name}-{control.name}")
    held = held_text(shown.figure, control, shown.start)
    described = f' aria-describedby="{ident}-held"' if held else ""
    common = f'id="{ident}" data-control="{escape(control.name)}"{described}'
    field = _choice_html if control.names else _slider_html
    return (
        f'<div class="arl-control"><label for="{ident}">{_label_html(control)}</label>'
        + field(shown, control, common, ident)
        + (f'<span class="arl-held" id="{ident}-held">{escape(held)}</span>' if held else "")
        + "</div>"
    )


def _label_html(control: Control) -> str:
    mark = f" <i>{escape(control.mark)}</i>" if control.mark else ""
    return f"{escape(_(control.label))}{mark}"


def _slider_html(shown: Frames, control: Control, common: str, ident: str) -> str:
    stops = shown.stops[control.name]
    first = escape(control.text(shown.start[control.name]))
    return (
        f'<input type="range" {common} min="0" max="{len(stops) - 1}" step="1" '
        f'value="{stops.index(0)}" aria-valuetext="{first}"><output for="{ident}">{first}</output>'
    )


def _choice_html(shown: Frames, control: Control, common: str, ident: str) -> str:
    """Return a list: what stands for a number is better chosen than slid to."""
    options = "".join(
        f'<option value="{place}"{"" if index else " selected"}>'
        f"{escape(control.text(shown.all[index].values[control.name]))}</option>"
        for place, index in enumerate(shown.stops[control.name])
    )
    return f"<select {common}>{options}</select>"


def held_text(figure: Figure, control: Control, start: Mapping[str, float]) -> str:
    """Return what stays where it is while `control` moves; empty if nothing else could move."""
    others = [other for other in figure.controls if other is not control]
    if not others:
        return ""
    held = ", ".join(f"{other.symbol} = {other.text(start[other.name])}" for other in others)
    return _("with {held}").format(held=held)


def _data(shown: Frames) -> str:
    """Return what the script needs, as JSON that cannot end the script element."""
    data = {
        "alt": _(shown.figure.alt),
        "frames": [[f"{FOLDER}/{frame.file}", unbroken(frame.summary)] for frame in shown.all],
        "controls": {
            control.name: [
                [index, control.text(shown.all[index].values[control.name])]
                for index in shown.stops[control.name]
            ]
            for control in shown.figure.controls
        },
    }
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def still_html(shown: Frames) -> str:
    """Return the first picture with the figure's caption, number and print command."""
    figure = shown.figure
    command = f"agentrl-lite figures --only {figure.id}"
    number = _("Figure {number}.").format(number=figure.number)
    return (
        f'<figure class="arl-figure arl-still" id="{figure.id}">{picture_html(shown, lazy=True)}'
        f'<figcaption class="arl-summary"><strong>{escape(number)}</strong> '
        f"{escape(_(figure.caption))}</figcaption>"
        f"<p><code>{escape(command)}</code></p></figure>"
    )


def unbroken(sentence: str) -> str:
    """Keep a number and its per cent in one line."""
    return sentence.replace(" %", "\u00a0%")
