"""Slides of a notebook. The types follow from headings and tags each time: no notebook keeps them.

A heading of the first two levels starts a group of slides, a paragraph the next slide in it. Code
with its output, and what stood in the notebook closed, come at the next key.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from nbformat import from_dict
from nbformat.v4 import new_markdown_cell, new_output

from agentrl_lite.editions.still import BELOW, LATER, is_heading

WORDS = 90  # on a slide, about; a paragraph is never cut
ROWS = 6  # of a table in the text, on a slide
OUTPUT_ROWS = 10  # of a table that code puts out
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
    tables = [table for output in cell.outputs for table in _output_tables(output)]
    long = len(tables) > len(cell.outputs)
    if not long and (not cell.source or _fill(cell) <= WORDS):
        yield cell
        return
    if cell.source:
        code = cell.copy()
        code.outputs = []
        yield code
    for number, outputs in enumerate([[table] for table in tables] if long else [cell.outputs]):
        if outputs:
            page = cell.copy()
            page.id = f"{cell.id}-output-{number}"[-64:]
            page.source, page.outputs = "", outputs
            yield page


def _output_tables(output: Any) -> Iterator[Any]:
    """Yield an output; one with a long table as several, each with the table's head."""
    page = "".join(output.get("data", {}).get("text/html", ""))
    body = re.search(r"(?s)<tbody>(.*)</tbody>", page)
    rows = re.findall(r"(?s)<tr\b.*?</tr>", body[1]) if body else []
    if body is None or len(rows) <= OUTPUT_ROWS:
        yield output
        return
    # Of twelve rows, six and six: a slide with two looks like a mistake.
    each = math.ceil(len(rows) / math.ceil(len(rows) / OUTPUT_ROWS))
    for start in range(0, len(rows), each):
        some = "".join(rows[start : start + each])
        yield new_output("display_data", {"text/html": page.replace(body[1], some)})


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
    rows = [line for line in block.splitlines() if line.startswith("|")]
    return sum(map(_row_words, rows)) if rows else len(block.split())


def _row_words(row: str) -> int:
    return max(_ROW, len(row.replace("|", " ").split()))


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
    if not block.startswith("|"):
        yield block
        return
    head, rows = lines[:2], lines[2:]
    some: list[str] = []
    for row in rows:
        full = sum(map(_row_words, [*some, row])) > WORDS - _row_words(head[0])
        if some and (full or len(some) == ROWS):
            yield "\n".join([*head, *some])
            some = []
        some.append(row)
    yield "\n".join([*head, *some])
