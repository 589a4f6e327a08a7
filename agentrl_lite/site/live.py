"""A live view on a page where nothing runs: the stored run's picture, and its sentence as text."""

from __future__ import annotations

import base64
import io
from html import escape

from PIL import Image

from agentrl_lite.figures.runs_canvas import PANEL_PX
from agentrl_lite.i18n import _
from agentrl_lite.site.figure import unbroken


def around(sentence: str) -> tuple[str, str]:
    """Return the HTML before and after the picture of a stored run.

    Args:
        sentence: what the run came to.
    """
    label = escape(_("Picture, wider than a small screen"))
    stored = escape(_("This is one stored run. Run and its knobs are in the notebook."))
    # What scrolls must be within reach of the keyboard.
    before = (
        '<figure class="arl-figure arl-still">'
        f'<div class="arl-picture arl-columns-2" tabindex="0" role="group" aria-label="{label}">'
    )
    after = (
        f'</div><figcaption class="arl-summary">{escape(unbroken(sentence))}'
        f'<br><span class="arl-quiet">{stored}</span></figcaption></figure>'
    )
    return before, after


def panels(png: str) -> str:
    """Return a stored picture without the strip below its panels that holds the sentence.

    The strip is for viewers that show pictures alone, and is less high than a row of panels.

    Args:
        png: the picture, in base64; so is what is returned.
    """
    with Image.open(io.BytesIO(base64.b64decode(png))) as picture:
        width, height = picture.size
        made = io.BytesIO()
        picture.crop((0, 0, width, height - height % PANEL_PX[1])).save(made, "PNG", optimize=True)
    return base64.b64encode(made.getvalue()).decode("ascii")
