"""The reference answers: `answers/qNN.md` beside the notebook, in four parts with rubric points.

An edition for students has no such files; `load` then returns None and everything else works.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from mdit_py_plugins.dollarmath import dollarmath_plugin

from agentrl_lite.i18n import N_, _

HEADINGS = {
    "mechanism": N_("Mechanism"),
    "measurement": N_("Cheapest discriminating measurement"),
    "action": N_("Action and its cost"),
    "metric": N_("Confirming metric"),
}
PROMPTS = {
    "mechanism": N_("What produces the symptom, step by step, with a number."),
    "measurement": N_("What you would look at first, and what each outcome would tell you."),
    "action": N_("What you would change, and what that costs."),
    "metric": N_("Which number must move, how far, and by when."),
}
OPEN_LABELS = {
    "mechanism": N_("Open the reference: mechanism"),
    "measurement": N_("Open the reference: measurement"),
    "action": N_("Open the reference: action"),
    "metric": N_("Open the reference: metric"),
}
POINTS = (2, 3)  # rubric points in a part, at least and at most

_POINT = re.compile(r"- \[ \] +(?P<text>\S.*)")


@dataclass(frozen=True)
class Part:
    """One part of a reference answer.

    Attributes:
        key: `mechanism`, `measurement`, `action` or `metric`.
        text: Markdown with $maths$.
        points: what earns a tick, each one line of Markdown.
    """

    key: str
    text: str
    points: tuple[str, ...]


def path(question: str, folder: Path | None = None) -> Path:
    """Return where the answer to `question` lies: in `folder`, else in `answers` here.

    >>> path("q03").as_posix()
    'answers/q03.md'
    """
    return (Path("answers") if folder is None else folder) / f"{question}.md"


def load(question: str, folder: Path | None = None) -> dict[str, Part] | None:
    """Read the reference answer to `question`.

    Args:
        question: such as `q03`.
        folder: where the answers lie; `answers` in the working directory unless given.

    Returns:
        its four parts by key, in their order; None when this edition has no answer file.

    Raises:
        ValueError: when the file is not as `parse` wants it.
    """
    file = path(question, folder)
    try:
        return parse(file.read_text(encoding="utf-8"), question, file.as_posix())
    except FileNotFoundError:
        return None


def parse(markdown: str, question: str, name: str) -> dict[str, Part]:
    """Take an answer file apart.

    Args:
        markdown: the file's text: `# q03`, then the four headings of `HEADINGS` in their order (or
            as the active language has them), each with text and two or three lines `- [ ] point`.
        question: the id that the first heading must have.
        name: the file's name, for errors.

    Returns:
        its four parts by key, in their order.

    Raises:
        ValueError: naming file and line, when anything is missing, twice, or out of order.
    """
    lines = markdown.splitlines()
    starts = [
        number
        for number, line in _outside_fences(lines)
        if line.startswith(("# ", "## ")) or line.strip() in ("#", "##")
    ]
    if not starts or lines[starts[0]].strip() != f"# {question}" or _filled(lines[: starts[0]]):
        raise ValueError(f"{name}, line 1: the file must start with '# {question}'")
    if _filled(lines[starts[0] + 1 : starts[1] if len(starts) > 1 else len(lines)]):
        raise ValueError(f"{name}, line {starts[0] + 2}: text must stand below one of the headings")
    parts: dict[str, Part] = {}
    for place, (key, heading) in enumerate(HEADINGS.items(), start=1):
        if place >= len(starts):
            raise ValueError(f"{name}, line {len(lines)}: the heading '## {heading}' is missing")
        start = starts[place]
        if lines[start].strip() not in (f"## {heading}", f"## {_(heading)}"):
            raise ValueError(
                f"{name}, line {start + 1}: heading {place} must be '## {heading}'; "
                f"it was {lines[start].strip()!r}"
            )
        end = starts[place + 1] if place + 1 < len(starts) else len(lines)
        parts[key] = _parse_part(key, lines[:end], start + 1, name)
    if len(starts) > len(HEADINGS) + 1:
        extra = starts[len(HEADINGS) + 1]
        raise ValueError(f"{name}, line {extra + 1}: only four parts are allowed")
    return parts


def to_html(markdown: str) -> str:
    r"""Render Markdown with $maths$ for MathJax; raw HTML in it is shown as text.

    >>> to_html("At $p = 0.1$ it is *rare*.")
    '<p>At <span class="math inline">\\(p = 0.1\\)</span> it is <em>rare</em>.</p>\n'
    """
    return str(_renderer().render(markdown))


def to_inline_html(markdown: str) -> str:
    """Render one line of Markdown without a paragraph round it.

    >>> to_inline_html("names *both* counters")
    'names <em>both</em> counters'
    """
    return str(_renderer().renderInline(markdown))


def _renderer() -> MarkdownIt:
    def maths(content: str, options: dict[str, bool]) -> str:
        text = escapeHtml(content.strip())
        return rf"\[{text}\]" if options["display_mode"] else rf"\({text}\)"

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return markdown.use(dollarmath_plugin, renderer=maths, allow_labels=False, double_inline=True)


def _outside_fences(lines: list[str]) -> list[tuple[int, str]]:
    outside: list[tuple[int, str]] = []
    fence = ""
    for number, line in enumerate(lines):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and fence in ("", mark):
            fence = "" if fence else mark
        elif not fence:
            outside.append((number, line))
    return outside


def _parse_part(key: str, lines: list[str], start: int, name: str) -> Part:
    """Take apart `lines[start:]`, the lines below one heading."""
    first = next((n for n in range(start, len(lines)) if _POINT.match(lines[n])), len(lines))
    text = "\n".join(lines[start:first]).strip()
    if not text:
        raise ValueError(f"{name}, line {start}: the part has no text")
    points: list[str] = []
    for number in range(first, len(lines)):
        line = lines[number]
        if match := _POINT.match(line):
            points.append(match["text"].strip())
        elif line.startswith("  ") and line.strip():
            points[-1] += f" {line.strip()}"
        elif line.strip():
            raise ValueError(f"{name}, line {number + 1}: only '- [ ]' lines may follow a point")
    low, high = POINTS
    if not low <= len(points) <= high:
        raise ValueError(
            f"{name}, line {start}: a part must have {low} to {high} '- [ ]' points; "
            f"it had {len(points)}"
        )
    return Part(key, text, tuple(points))


def _filled(lines: list[str]) -> bool:
    return any(line.strip() for line in lines)
