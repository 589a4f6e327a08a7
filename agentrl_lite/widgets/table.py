"""`table(...)`: a few rows of results, one of them marked, if not told otherwise to act on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from agentrl_lite.i18n import _

_STYLE = """<style>
.arl-table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 0.5em 0; }
.arl-table th, .arl-table td { padding: 0.3em 0.8em; text-align: right; border: 0;
  white-space: nowrap; }
.arl-table thead tr { border-bottom: 1.5px solid currentColor; }
.arl-table :is(th, td):first-child { text-align: left; }
.arl-table tr.arl-marked { font-weight: 600; outline: 2px solid currentColor; }
/* A shadow at the side to which there is more: the covers scroll with the table, the shadows stay.
   Rows let it through. */
.arl-scroll { --arl-page: var(--jp-layout-color0, Canvas); overflow-x: auto; max-width: 100%;
  width: fit-content;
  background:
    linear-gradient(to right, var(--arl-page) 30%, transparent) 0 0 / 40px 100% local,
    linear-gradient(to left, var(--arl-page) 30%, transparent) 100% 0 / 40px 100% local,
    linear-gradient(to right, rgba(127, 127, 127, 0.6), transparent) 0 0 / 16px 100% scroll,
    linear-gradient(to left, rgba(127, 127, 127, 0.6), transparent) 100% 0 / 16px 100% scroll;
  background-repeat: no-repeat; }
.arl-scroll .arl-table tbody tr:nth-child(n) { background: transparent; }
.arl-scroll .arl-table tbody tr:nth-child(even) { background: rgba(127, 127, 127, 0.1); }
</style>"""


class Table:
    """Rows that a notebook shows, as HTML and as plain text; made by `table`."""

    def __init__(
        self,
        header: list[str],
        cells: list[list[str]],
        mark: int | None,
        mark_text: str,
        closed: str,
    ) -> None:
        self._header, self._cells, self._closed = header, cells, closed
        self._mark, self._mark_text = mark, mark_text

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in self._header)
        body = ""
        for i, row in enumerate(self._cells):
            marked = i == self._mark
            # The mark is a word too: an outline says nothing to a screen reader.
            end = f"<td>← {escape(self._mark_text)}</td>" if marked else ""
            line = "".join(f"<td>{escape(cell)}</td>" for cell in row) + end
            body += f'<tr class="arl-marked">{line}</tr>' if marked else f"<tr>{line}</tr>"
        whole = (
            f'<div class="arl-scroll"><table class="arl-table">'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
        if self._closed:
            whole = f"<details><summary>{escape(self._closed)}</summary>{whole}</details>"
        return _STYLE + whole

    def __repr__(self) -> str:
        lines = [self._header, *self._cells]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self._header))]
        text = []
        for i, line in enumerate(lines, start=-1):
            cells = [line[0].ljust(widths[0])]
            cells += [c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True)]
            end = f"  <- {self._mark_text}" if i == self._mark else ""
            text.append("  ".join(cells).rstrip() + end)
        return "\n".join(text)


def table(
    rows: Sequence[Mapping[str, object]],
    formats: Mapping[str, str] | None = None,
    *,
    mark: int | None = None,
    mark_text: str = "",
    closed: str = "",
) -> Table:
    """Lay rows out as a table.

    Args:
        rows: at least one row; all have the same keys in the same order, which are the header. A
            NaN, a mean over nothing, becomes a dash.
        formats: format specifications by column, as in `format(value, ".1%")`.
        mark: index of the row that stands out.
        mark_text: what stands beside that row; "act on this" when it is empty.
        closed: a line to show in place of the table until the reader opens it.

    Raises:
        ValueError: for no rows, rows of different columns, a format for a column that is not
            there, or a mark outside the rows.

    >>> table([{"split": "128 x 4", "waste": 0.656}, {"split": "64 x 8", "waste": 0.43}],
    ...       {"waste": ".1%"}, mark=1)
    split    waste
    128 x 4  65.6%
    64 x 8   43.0%  <- act on this
    """
    if not rows:
        raise ValueError("rows must hold at least one row; there was none")
    header = list(rows[0])
    for i, row in enumerate(rows):
        if list(row) != header:
            raise ValueError(f"rows must all have the columns {header}; row {i} had {list(row)}")
    unknown = set(formats or {}) - set(header)
    if unknown:
        raise ValueError(f"formats must name columns of {header}; it named {sorted(unknown)}")
    if mark is not None and not 0 <= mark < len(rows):
        raise ValueError(f"mark must be a row from 0 to {len(rows) - 1}; it was {mark!r}")
    specs = formats or {}
    cells = [[_cell(row[name], specs.get(name, "")) for name in header] for row in rows]
    return Table(header, cells, mark, mark_text or _("act on this"), closed)


def _cell(value: object, spec: str) -> str:
    nothing = isinstance(value, float) and math.isnan(value)
    return "–" if nothing else format(value, spec)
