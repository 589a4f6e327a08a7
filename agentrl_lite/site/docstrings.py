"""Turns docstrings, whose formulas, names and tables are written as in Markdown, into reST."""

from __future__ import annotations

import re
from collections.abc import Iterator

# `name` or $formula$, which may run over one line's end; a backslash takes a sign's meaning away.
_MARKED = re.compile(
    r"(?<![`\\])`(?P<code>[^`\n]+(?:\n[^`\n]+)?)`(?!`)"
    r"|(?<![\\$])\$(?P<maths>[^$\n]+(?:\n[^$\n]+)?)\$"
)


def to_rst(lines: list[str]) -> list[str]:
    r"""Return a docstring's lines with names and formulas marked as in reST.

    >>> to_rst(["Return $p^G$ for `p`, the `k`th.", ">>> f(`x`)"])
    ['Return :math:`p^G` for ``p``, the ``k``\\ th.', '>>> f(`x`)']
    """
    changed: list[str] = []
    for block, example in _blocks(lines):
        changed += block if example else _marked("\n".join(block)).split("\n")
    return _with_tables(changed)


def _blocks(lines: list[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield runs of lines, and whether each is an example, which ends at an empty line."""
    block: list[str] = []
    example = False
    for line in lines:
        if line.lstrip().startswith(">>>") and not example:
            if block:
                yield block, False
            block, example = [], True
        elif example and not line.strip():
            yield block, True
            block, example = [], False
        block.append(line)
    if block:
        yield block, example


def _marked(text: str) -> str:
    def mark(match: re.Match[str]) -> str:
        if match["code"]:
            marked = f"``{' '.join(match['code'].split())}``"
        else:
            marked = f":math:`{' '.join(match['maths'].split())}`"
        # A word may not follow at once.
        after = match.string[match.end() : match.end() + 1]
        before = match.string[match.start() - 1 : match.start()] if match.start() else ""
        return ("\\ " if before.isalnum() else "") + marked + ("\\ " if after.isalnum() else "")

    # A formula or name that ran over a line's end now stands in one line: no line begins anew.
    return _MARKED.sub(mark, text)


def _with_tables(lines: list[str]) -> list[str]:
    """Return the lines with each table of Markdown's written as reST's list of rows."""
    changed: list[str] = []
    in_table = False
    for line in lines:
        bare = line.strip()
        if not (bare.startswith("|") and bare.endswith("|") and len(bare) > 1):
            changed += ["", line] if in_table else [line]
            in_table = False
            continue
        indent = line[: len(line) - len(line.lstrip())]
        if not in_table:
            changed += [f"{indent}.. list-table::", f"{indent}   :header-rows: 1", ""]
            in_table = True
        if set(bare) <= set("|-: "):
            continue  # the rule below the header
        cells = [cell.strip() for cell in bare[1:-1].split("|")]
        changed += [f"{indent}   {'  -' if n else '* -'} {c}" for n, c in enumerate(cells)]
    return changed
