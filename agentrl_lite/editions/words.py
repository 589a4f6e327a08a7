"""What an edition says of itself: its README, and the page that lists its slides."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from agentrl_lite import __version__
from agentrl_lite.i18n import N_, _, language

_README = {
    "student": N_(
        "# Edition for students\n\n"
        "Put the package's file, which your teacher has, into this folder. "
        "There, with Python 3.11 or newer:\n\n"
        "    python3 -m venv companion\n"
        "    companion/bin/pip install agentrl_lite-{version}-py3-none-any.whl jupyterlab\n"
        "    companion/bin/jupyter lab 00_start.ipynb\n\n"
        "Your answers are kept in the folder `agentrl-reader` in your home folder. "
        "The reference answers are to be had from your teacher.\n\n"
        "To hand your answers in, write them to one file:\n\n"
        "    companion/bin/agentrl-lite answers --out answers.json\n"
    ),
    "instructor": N_(
        "# Edition for instructors\n\n"
        "All notebooks with their outputs, the solutions and the reference answers: "
        "don't hand it to students.\n\n"
        "    python3 -m venv companion\n"
        "    companion/bin/pip install agentrl_lite-{version}-py3-none-any.whl jupyterlab\n"
        "    companion/bin/jupyter lab\n\n"
        "`make editions` puts the package's file beside this folder; students need it too.\n"
    ),
    "slides": N_(
        "# Slides\n\n"
        "Open `index.html` in a browser; no network is needed. "
        "The right arrow or the space bar leads through everything, F fills the screen, "
        "O shows all slides, S opens the notes.\n"
    ),
    "handout": N_("# Handouts\n\nOne PDF for each question, A4.\n"),
}
# By whether the edition has answers.
_NOTICES = {
    True: N_("\nThe answers are in here: don't hand it to students.\n"),
    False: N_("\nThe answers are not in here; they are to be had from your teacher.\n"),
}


def readme(kind: str, answers: bool) -> str:
    """Return the README of an edition."""
    text = _(_README[kind]).format(version=__version__)
    if kind in ("slides", "handout"):
        text += _(_NOTICES[answers])
    return text


def index_html(titles: Mapping[str, str]) -> str:
    """Return the page that leads to the slides.

    Args:
        titles: file name to title.
    """
    items = "\n".join(
        f'<li><a href="{escape(name, quote=True)}">{escape(title)}</a></li>'
        for name, title in titles.items()
    )
    title = escape(_("Slides"))
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n"
        "<style>body { font: 1.25rem/1.7 sans-serif; max-width: 45rem; margin: 3rem auto; "
        "padding: 0 1rem; }</style>\n"
        f"</head>\n<body>\n<main>\n<h1>{title}</h1>\n<ul>\n{items}\n</ul>\n</main>\n</body>\n"
        "</html>\n"
    )
