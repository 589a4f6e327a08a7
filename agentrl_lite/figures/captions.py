"""What a LaTeX source needs beside the picture: number, caption and alt text as macros.

Typst reads the same from the manifest, which is JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentrl_lite import i18n
from agentrl_lite.figures.spec import Figure

_HEAD = r"""% Written by `agentrl-lite figures`; do not edit.
\providecommand{\appendixfigure}[2]{%
  \ifcsname appendix:#2:#1\endcsname\csname appendix:#2:#1\endcsname
  \else\errmessage{No figure of the appendix is called #1, or #2 is not number, caption or alt}\fi}
"""

# A font that pdflatex uses by default has none of these outside of mathematics.
_MATHS = {
    "ε": r"\varepsilon",
    "η": r"\eta",
    "β": r"\beta",
    "σ": r"\sigma",
    "−": "-",
    "±": r"\pm",
    "×": r"\times",
    "÷": r"\div",
    "√": r"\surd",
    "<": "<",
    ">": ">",
    "|": "|",
}
_ESCAPED = {
    **{sign: rf"\ensuremath{{{maths}}}" for sign, maths in _MATHS.items()},
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "\N{NO-BREAK SPACE}": "~",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPED)))


def tex(figures: Iterable[Figure]) -> str:
    r"""Return macros for some figures, in the active language.

    Input the file, then write `\appendixfigure{q03-step}{caption}`, or `{number}`, or `{alt}`; a
    name that is not in the file stops LaTeX.
    """
    lines = []
    for figure in figures:
        said = {
            "number": figure.number,
            "caption": i18n._(figure.caption),
            "alt": figure.alt_text(figure.values()),
        }
        for field, text in said.items():
            name = rf"\csname appendix:{field}:{figure.id}\endcsname"
            lines.append(rf"\expandafter\def{name}{{{escaped(text)}}}" + "\n")
    return _HEAD + "".join(lines)


def escaped(text: str) -> str:
    r"""Return `text` as LaTeX source: what is a command there is the sign itself.

    >>> print(escaped("50 % of a_b, ε = 1e-6"))
    50 \% of a\_b, \ensuremath{\varepsilon} = 1e-6
    """
    return _SPECIAL.sub(lambda match: _ESCAPED[match.group()], text)
