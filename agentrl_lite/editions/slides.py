"""Slides of a notebook. The types follow from headings and tags each time: no notebook keeps them.

A heading of the first two levels starts a group of slides, a paragraph the next slide in it. Code
with its output, and what stood in the notebook closed, come at the next key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from nbformat import from_dict
from nbformat.v4 import new_markdown_cell

from agentrl_lite.editions.still import BELOW, LATER, is_heading

WORDS = 90  # on a slide, about; a paragraph is never cut
ROWS = 6  # of a table, on a slide
# What else fills a slide, in words.
_HEADING = 12  # words that are no slide by themselves
_LINE_OF_CODE = 6
_ROW = 8


def plan(cells: Sequence[Any]) -> list[Any]:
    """Return the cells of a deck, each with its slide type.

    Args:
        cells: from `still.still`; changed in place.
    """
    planned: list[Any] = []
    full = 0  # words on the slide so far
    for cell in cells:
        tags = cell.metadata.get("tags", ())
        for number, piece in enumerate(_pieces(cell)):
            more = _fill(piece)
            if number == 0 and is_heading(piece):
                kind = "slide"
            elif number == 0 and BELOW in tags:
                kind = "-"
            elif number == 0 and LATER in tags and (full + more <= WORDS or full <= _HEADING):
                kind = "fragment"
            else:
                kind = "subslide"
            full = more if kind in ("slide", "subslide") else full + more
            piece.metadata = from_dict({"slideshow": {"slide_type": kind}})
            planned.append(piece)
    return planned


def _pieces(cell: Any) -> Iterator[Any]:
    """Cut what is too long for a slide: a text between paragraphs, code from what it puts out."""
    if cell.cell_type == "code":
        yield from _code_pieces(cell)
        return
    pages: list[list[str]] = [[]]
    for block in _blocks(cell.source):
        if pages[-1] and sum(map(_words, pages[-1])) + _words(block) > WORDS:
            pages.append([])
        pages[-1].append(block)
    for number, page in enumerate(pages):
        name = cell.id if number == 0 else f"{cell.id}-page-{number}"
        yield new_markdown_cell("\n\n".join(page), id=name[-64:])


def _code_pieces(cell: Any) -> Iterator[Any]:
    if not cell.source or _fill(cell) <= WORDS:
        yield cell
        return
    code, output = cell.copy(), cell.copy()
    code.outputs, output.source = [], ""
    output.id = f"{cell.id}-output"[-64:]
    yield code
    if output.outputs:
        yield output


def _fill(cell: Any) -> int:
    """Return how much of a slide a cell takes, in words. A picture wants one for itself."""
    if cell.cell_type == "markdown":
        return sum(map(_words, _blocks(cell.source)))
    filled = _LINE_OF_CODE * len(cell.source.splitlines())
    for output in cell.outputs:
        data = output.get("data", {})
        text = "".join(data.get("text/html", ""))
        if "image/png" in data:
            return WORDS + 1
        lines = text.count("<tr") or "".join(data.get("text/plain", output.get("text", ""))).count(
            "\n"
        )
        filled += _ROW * (lines + 1)
    return filled


def _words(block: str) -> int:
    rows = sum(line.startswith("|") for line in block.splitlines())
    return _ROW * rows if rows else len(block.split())


def _blocks(markdown: str) -> Iterator[str]:
    """Yield the paragraphs of a text; a fence is one, and a long table becomes several."""
    fence = False
    block: list[str] = []
    for paragraph in re.split(r"\n\s*\n", markdown):
        block.append(paragraph)
        fence ^= len(re.findall(r"(?m)^\s*```", paragraph)) % 2 == 1
        if not fence:
            yield from _tables("\n\n".join(block))
            block = []
    if block:
        yield "\n\n".join(block)


def _tables(block: str) -> Iterator[str]:
    lines = block.splitlines()
    head, rows = lines[:2], lines[2:]
    if not block.startswith("|") or len(rows) <= ROWS:
        yield block
        return
    for start in range(0, len(rows), ROWS):
        yield "\n".join([*head, *rows[start : start + ROWS]])
