"""The ledger: every number the appendix prints, with how it is computed.

An entry keeps two things apart: the digits as the appendix prints them, and the value that the
package computes. `disagreements` tells where they part.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from typing import Literal, get_args

from agentrl_lite.appendix import blocks

Format = Literal["table", "json", "csv", "tex"]
FORMATS: tuple[str, ...] = get_args(Format)

_ID = re.compile(r"([qx]\d+)-[A-Za-z0-9-]+")


@dataclass(frozen=True)
class Number:
    """One number of the appendix.

    Attributes:
        id: `q03-degenerate-p10-G4`: the question, then what it is.
        how: how it is computed, as a formula or in words; `"given"` for what a scenario assumes.
        compute: returns the value, in `unit`.
        printed: the digits as the appendix prints them: `"0.656"`, `"2,300"`, `"2.36e18"`.
        unit: `"1"` for a pure number, else a unit or what is counted.
        quantum: what the last printed digit counts, where the digits alone don't say: `"100"` for a
            `"2,300"` that is rounded to hundreds.
    """

    id: str
    how: str
    compute: Callable[[], float]
    printed: str
    unit: str = "1"
    quantum: str | None = None

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ValueError(f"id must look like 'q03-some-name'; it was {self.id!r}")
        for name, text in (("printed", self.printed), ("quantum", self.quantum)):
            try:
                number = Decimal(text.replace(",", "")) if text is not None else Decimal(1)
            except InvalidOperation:
                number = Decimal("nan")
            if not number.is_finite():
                raise ValueError(f"{name} of {self.id} must be a decimal number; it was {text!r}")

    @property
    def question(self) -> str:
        """The question it belongs to, `q03`."""
        return self.id.partition("-")[0]

    @property
    def value(self) -> float:
        """The computed value, in `unit`, at full precision."""
        return self.compute()

    @property
    def rounded(self) -> str:
        """The computed value, to as many digits as are printed and in the same form."""
        printed = Decimal(self.printed.replace(",", ""))
        quantum = Decimal(self.quantum) if self.quantum else Decimal(1).scaleb(_exponent(printed))
        digits = (Decimal(self.value) / quantum).quantize(Decimal(1), ROUND_HALF_EVEN) * quantum
        if "e" in self.printed.lower():
            decimals = len(printed.as_tuple().digits) - 1
            return f"{digits:.{decimals}e}".replace("e+", "e")
        grouping = "," if "," in self.printed else ""
        return f"{digits:{grouping}.{max(-_exponent(quantum), 0)}f}"

    @property
    def agrees(self) -> bool:
        """Whether the printed digits are those of the computed value."""
        return self.rounded == self.printed


def numbers(question: str | None = None) -> tuple[Number, ...]:
    """Return the entries of one question, or all.

    Args:
        question: `q03`, or `None` for all questions.

    Raises:
        ValueError: for a question without entries, or where two entries share an id.

    >>> [entry.rounded for entry in numbers("q03") if entry.id == "q03-degenerate-p10-G4"]
    ['0.656']
    """
    found = [entry for block in blocks() for entry in block.NUMBERS]
    ids = [entry.id for entry in found]
    if len(set(ids)) < len(ids):
        raise ValueError(f"ids must differ; twice: {sorted(i for i in ids if ids.count(i) > 1)}")
    if question is None:
        return tuple(found)
    known = sorted({entry.question for entry in found})
    if question not in known:
        raise ValueError(f"question must be one of {', '.join(known)}; it was {question!r}")
    return tuple(entry for entry in found if entry.question == question)


def disagreements(entries: Iterable[Number]) -> list[str]:
    """Say, a line each, where printed digits and computed value part."""
    return [
        f"{entry.id}: printed {entry.printed}, computed {entry.rounded} ({entry.value!r})"
        for entry in entries
        if not entry.agrees
    ]


def render(entries: Iterable[Number], fmt: Format = "table") -> str:
    r"""Write entries out, always in the same bytes.

    `tex` gives macros for the appendix's LaTeX source: input the file, then write
    `\appendixnumber{q03-degenerate-p10-G4}`; a name that is not in the file stops LaTeX.

    Args:
        entries: ledger entries.
        fmt: `"table"`, `"json"`, `"csv"` or `"tex"`.

    Raises:
        ValueError: for another format.
    """
    rows = [
        {
            "id": entry.id,
            "question": entry.question,
            "value": entry.value,
            "rounded": entry.rounded,
            "printed": entry.printed,
            "unit": entry.unit,
            "how": entry.how,
        }
        for entry in entries
    ]
    if fmt == "json":
        return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
    if fmt == "tex":
        return _TEX_HEAD + "".join(_tex(str(row["id"]), str(row["rounded"])) for row in rows)
    header = ["id", "question", "value", "rounded", "printed", "unit", "how"]
    if fmt == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()
    if fmt == "table":
        shown = ["id", "rounded", "printed", "unit", "how"]
        cells = [shown, *([str(row[name]) for name in shown] for row in rows)]
        widths = [max(len(line[i]) for line in cells) for i in range(len(shown))]
        lines = ("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) for line in cells)
        return "".join(line.rstrip() + "\n" for line in lines)
    raise ValueError(f"format must be one of {', '.join(FORMATS)}; it was {fmt!r}")


_TEX_HEAD = r"""% Written by `agentrl-lite numbers --format tex`; do not edit.
\providecommand{\appendixnumber}[1]{%
  \ifcsname appendix:#1\endcsname\csname appendix:#1\endcsname
  \else\errmessage{No number of the appendix is called #1}\fi}
"""


def _tex(name: str, rounded: str) -> str:
    mantissa, _, power = rounded.partition("e")
    body = mantissa.replace(",", "{,}")
    if power:
        body += rf"\times 10^{{{power}}}"
    return rf"\expandafter\def\csname appendix:{name}\endcsname{{\ensuremath{{{body}}}}}" + "\n"


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)  # finite, by __post_init__
    return exponent
