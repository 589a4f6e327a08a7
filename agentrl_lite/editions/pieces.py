"""What stands on a slide as one: it comes at one key, and is never cut. And how many fit.

The room is counted in px of a slide that is 720 high, as `slides.css` sets it, with text of 33 px:
a full slide then reads from the back row. Heights are estimates, a line of text by its letters.
`slides.js` makes the last fit in the browser; the tests measure how small it had to go.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from nbformat.v4 import new_markdown_cell, new_output

WORDS = 160  # of text on a slide; a paragraph is never cut
ROWS = 6  # of a table in the text, on a slide
OUTPUT_ROWS = 10  # of a table that code puts out
HEIGHT = 725  # px; on a full slide the browser takes a little off the gaps
_LINE, _LETTERS, _GAP = 43, 68, 17  # px, letters in a line, px after a paragraph or what code makes
_ITEM_GAP, _ITEM_LETTERS = 11, 65
_HEADINGS = {"#": 140, "##": 66, "###": 58}
_FORMULA = 112
_CODE_LINE, _CODE_FRAME = 34, 30
_ROW_LINE, _ROW_LETTERS, _ROW_FRAME = 34, 62, 16
_COMMAND = re.compile(r"\\(?:[td]?frac|sqrt|mathrm|text\w*|left|right|operatorname|[,;!])")


def pieces(cell: Any) -> Iterator[Any]:
    """Cut a text between paragraphs, and code from what it puts out if both are too long."""
    if cell.cell_type == "code":
        yield from _code_pieces(cell)
        return
    for number, block in enumerate(_blocks(cell.source)):
        name = cell.id if number == 0 else f"{cell.id}-block-{number}"
        yield new_markdown_cell(block, id=name[-64:])


def fit(cells: Iterable[Any]) -> bool:
    """Say whether a slide holds all of these at a readable size."""
    cells = list(cells)
    words = sum(_words(cell.source) for cell in cells if cell.cell_type == "markdown")
    return words <= WORDS and sum(map(height, cells)) <= HEIGHT


def height(cell: Any) -> int:
    """Return how high a cell stands on a slide, in px."""
    if cell.cell_type == "markdown":
        return sum(map(_block_height, _blocks(cell.source)))
    return _code_height(cell.source) + sum(map(_output_height, cell.outputs))


def _code_pieces(cell: Any) -> Iterator[Any]:
    tables = [table for output in cell.outputs for table in _output_tables(output)]
    long = len(tables) > len(cell.outputs)
    if not long and (not cell.source or height(cell) <= HEIGHT):
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


def _code_height(source: str) -> int:
    return _CODE_LINE * len(source.splitlines()) + _CODE_FRAME if source else 0


def _output_height(output: Any) -> int:
    data = output.get("data", {})
    if "image/png" in data:
        return _picture_height("".join(data["image/png"]))
    if rows := re.findall(r"(?s)<tr\b.*?</tr>", "".join(data.get("text/html", ""))):
        return sum(map(_html_row_height, rows)) + _GAP
    if "text/latex" in data:
        return _FORMULA + _GAP
    return _code_height("".join(data.get("text/plain", output.get("text", ""))))


def _picture_height(data: str) -> int:
    """Return the height of a picture in its own pixels: the least at which it is shown.

    One whose height cannot be read takes a slide.
    """
    try:
        head = base64.b64decode(data[:32], validate=True)
    except binascii.Error:
        head = b""
    return min(HEIGHT, int.from_bytes(head[20:24], "big") + _GAP) if len(head) == 24 else HEIGHT


def _words(markdown: str) -> int:
    """Return the words of a text without its tables."""
    return len(re.sub(r"(?m)^\|.*$", "", markdown).split())


def _block_height(block: str) -> int:
    lines = block.splitlines()
    if lines[0].startswith("<div"):
        return 0  # room to write on paper
    if level := re.match("#+", block):
        return _HEADINGS[level[0]]
    if lines[0].startswith("|"):
        return sum(map(_row_height, (lines[0], *lines[2:]))) + _GAP
    if lines[0].startswith("```"):
        return _code_height("\n".join(lines[1:-1]))
    if block.startswith("$$"):
        return _FORMULA + _GAP
    # A line that is an item of a list begins anew; any other goes on.
    items = re.split(r"\n(?=\s*(?:[-*]|\d+\.) )", block)
    if len(items) == 1:
        return _lines(block, _LETTERS) * _LINE + _GAP
    return sum(_lines(item, _ITEM_LETTERS) * _LINE + _ITEM_GAP for item in items) + _GAP


def _row_height(row: str) -> int:
    return max(1, _lines(row, _ROW_LETTERS)) * _ROW_LINE + _ROW_FRAME


def _html_row_height(row: str) -> int:
    """Return the height of a row: a long one may break its words."""
    return _row_height(re.sub(r"<[^>]*>", " ", re.sub(r"</t[dh]>", " | ", row)))


def _lines(text: str, letters: int) -> int:
    return math.ceil(len(_seen(text)) / letters)


def _seen(text: str) -> str:
    """Return a text about as long as it looks: without its marks, formulas as their signs."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))
    return re.sub(r"[*`]", "", re.sub(r"\$([^$]+)\$", lambda match: _signs(match[1]), text))


def _signs(formula: str) -> str:
    return re.sub(r"[{}^_ ]", "", re.sub(r"\\[a-zA-Z|]+", "x", _COMMAND.sub("", formula)))


def _blocks(markdown: str) -> Iterator[str]:
    """Yield the paragraphs of a text; a fence is one, and a long table becomes several."""
    fence = False
    block: list[str] = []
    above = 0
    for paragraph in re.split(r"\n\s*\n", markdown.strip()):
        block.append(paragraph)
        fence ^= len(re.findall(r"(?m)^\s*```", paragraph)) % 2 == 1
        if not fence:
            whole = "\n\n".join(block)
            yield from _tables(whole, above) if whole.startswith("|") else [whole]
            above += _block_height(whole)
            block = []
    if block:
        yield "\n\n".join(block)


def _tables(block: str, above: int) -> Iterator[str]:
    """Cut a table between rows.

    Args:
        block: the table.
        above: height of the text before it. Its first rows go below that, if two have a place.
    """
    head, line, *rows = block.splitlines()
    room = HEIGHT - _row_height(head) - _GAP
    left = room - above if sum(map(_row_height, rows[:2])) <= room - above else room
    some: list[str] = []
    for row in rows:
        if some and (sum(map(_row_height, [*some, row])) > left or len(some) == ROWS):
            yield "\n".join([head, line, *some])
            some, left = [], room
        some.append(row)
    yield "\n".join([head, line, *some])
