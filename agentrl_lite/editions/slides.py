"""Slides of a notebook. The types follow from headings and tags each time: no notebook keeps them.

A heading of the first two levels starts a group of slides, and so does the slide behind which
stands all that follows the exercises. What comes next joins a slide while it fits, at the next key.
Code is on the slide if it waits for an answer, solves an exercise, or is what the text speaks of;
the rest of it is in the speaker's notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from nbformat import from_dict
from nbformat.v4 import new_markdown_cell

from agentrl_lite.editions.pieces import HEIGHT, fit, height, pieces
from agentrl_lite.editions.still import ANNOUNCED, BELOW, LIVE, SOLUTION, STARTS, is_heading
from agentrl_lite.i18n import _

# Lines of code on a slide, of none that is asked for: with what it puts out, and without.
LINES, SILENT_LINES = 6, 3
_NOTES = "agentrl-notes"
_MORE = "agentrl-more"  # a text goes on
_EXERCISE = re.compile(r"-exercise-\d+-0$")


def plan(cells: Sequence[Any]) -> list[Any]:
    """Return the cells of a deck, each with its slide type.

    Args:
        cells: from `still.still`; changed in place.
    """
    parts = [part for cell in cells for part in _parts(cell)]
    end = _end(parts)
    parts[end:end] = _end_slide(parts[end:])
    kinds: list[str] = []
    slide: list[Any] = []  # what stands on it so far
    for number, part in enumerate(parts):
        kind = _kind(parts[number:], slide, kinds)
        if kind == "slide" and number > end:
            kind = "subslide"
        if kind != "notes":
            slide = [part] if kind in ("slide", "subslide") else [*slide, part]
        kinds.append(kind)
    for part, kind in zip(parts, kinds, strict=True):
        part.metadata = from_dict({"slideshow": {"slide_type": kind}})
    return parts


def _kind(parts: Sequence[Any], slide: Sequence[Any], kinds: Sequence[str]) -> str:
    """Return the slide type of the first of `parts`.

    Args:
        parts: this one, and what follows.
        slide: what stands on the slide so far.
        kinds: the types so far.
    """
    part = parts[0]
    tags = part.metadata.tags
    if _NOTES in tags:
        return "notes"
    if is_heading(part):
        return "slide"
    if BELOW in tags:
        return "-"
    if slide and _is_title(slide[-1]):
        # With a title that came at a key comes what it is the title of.
        return "-" if _MORE in tags or len(slide) > 1 else "fragment"
    if STARTS in tags or LIVE in (*tags, *_tags(slide)) or not _joins(parts, slide):
        return "subslide"
    return "-" if _MORE in tags else "fragment"


def _joins(parts: Sequence[Any], slide: Sequence[Any]) -> bool:
    """Say whether the first of `parts` has its place on a slide with what is there.

    A text leaves it for the next, to stand with its picture, table or code, unless less than two
    fifths are taken: so empty a slide would be worse.
    """
    nearly_empty = 5 * sum(map(height, slide)) < 2 * HEIGHT
    return fit([*slide, *_together(parts, nearly_empty)])


def _together(parts: Sequence[Any], only_bound: bool) -> list[Any]:
    """Return the first of `parts` with what should stand on its slide.

    Args:
        parts: this one, and what follows.
        only_bound: leave out what could as well stand on the next slide. What belongs below it and
            what follows a title cannot; what a text announces, or what follows it and is no text,
            a table or formula can, and is left out too if one slide doesn't hold both.
    """
    shown = [part for part in parts if _NOTES not in part.metadata.tags]
    group = shown[:1]
    for part in shown[1:]:
        if BELOW in part.metadata.tags or _is_title(group[-1]):
            group.append(part)
            continue
        if not only_bound and _belongs(part, group[-1]) and fit([*group, part]):
            group.append(part)
        break
    return group


def _belongs(part: Any, before: Any) -> bool:
    if before.cell_type != "markdown":
        return False
    table = part.source.startswith(("|", "$$"))
    return bool(part.cell_type == "code" or table or before.source.endswith(":"))


def _tags(parts: Sequence[Any]) -> list[str]:
    return [tag for part in parts for tag in part.metadata.tags]


def _is_title(part: Any) -> bool:
    return part.cell_type == "markdown" and bool(re.fullmatch(r"#+ .*", part.source))


def _parts(cell: Any) -> list[Any]:
    """Cut a cell into what stands on a slide as one and what is in the notes; tag each."""
    tags = list(cell.metadata.get("tags", ()))
    hidden = list(_notes(cell, tags))
    if hidden:
        cell.source = ""
    if BELOW in tags:
        return [cell]
    shown = list(pieces(cell)) if cell.source or cell.get("outputs") else []
    for number, piece in enumerate(shown):
        # A later piece does not start what the first has started, nor belong below.
        later = [_MORE] if cell.cell_type == "markdown" else []
        piece.metadata = from_dict({"tags": tags if number == 0 else later})
    return [*shown[:1], *hidden, *shown[1:]]


def _notes(cell: Any, tags: Sequence[str]) -> Iterator[Any]:
    """Yield the code of a cell for the notes, unless it is on the slide."""
    if cell.cell_type != "code" or not cell.source or _shows_code(cell, tags):
        return
    notes = cell.copy()
    notes.id = f"{cell.id}-notes"[-64:]
    notes.outputs = []
    notes.metadata = from_dict({"tags": [_NOTES]})
    yield notes


def _shows_code(cell: Any, tags: Sequence[str]) -> bool:
    if BELOW in tags or SOLUTION in tags:
        return True
    if any("text/html" in output.get("data", {}) for output in cell.outputs):
        return False  # a table speaks for itself
    most = LINES if cell.outputs else SILENT_LINES if ANNOUNCED in tags else 0
    return len(cell.source.splitlines()) <= most


def _end(parts: Sequence[Any]) -> int:
    """Return where the first section after the last exercise begins; without one, the end."""
    numbers = [n for n, part in enumerate(parts) if _EXERCISE.search(part.id)]
    after = numbers[-1] + 1 if numbers else len(parts)
    return next((n for n in range(after, len(parts)) if is_heading(parts[n])), len(parts))


def _end_slide(behind: Sequence[Any]) -> list[Any]:
    """Return the slide with which the deck proper ends, if anything stands behind it."""
    titles = [part.source.splitlines()[0].lstrip("# ") for part in behind if is_heading(part)]
    if not titles:
        return []
    listed = "\n".join(f"- {title}" for title in titles)
    title = _("To read on")
    source = f"## {title}\n\n{listed}"
    return [new_markdown_cell(source, id="agentrl-end", metadata={"tags": []})]
