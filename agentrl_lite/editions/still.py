"""A stored notebook where nothing runs, on a wall or on paper: each widget in a form that is still.

A figure and a live run are their picture, the card is its four headings, a guess its question. A
cell that waits for the reader's answer is there without its verdict. Left out are the setup, hidden
checks and a line that only points at them, cells of nothing but assertions, unless the text before
announces them, and what is only for those who run the notebook.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from nbformat import from_dict
from nbformat.v4 import new_markdown_cell

from agentrl_lite import answers
from agentrl_lite.answers import Part
from agentrl_lite.appendix import exercises
from agentrl_lite.i18n import _

_OURS = "application/vnd.agentrl."
_DOTS = re.compile(r"(?m)= \.\.\.$")
_VERDICT = '<div class="arl-verdict"'
#: Up to so many words only point at a closed cell: here it is open, or left out.
_POINTER_WORDS = 12
_DETAILS = re.compile(
    r"<details[^>]*>\s*<summary>(?P<title>.*?)</summary>(?P<body>.*?)</details>", re.DOTALL
)
#: Room to write on paper; a slide doesn't show it.
_ROOM = '<div class="write"></div>'
_LINE = '<div class="write line"></div>'
#: Marks what a slide shows only at the next key.
LATER = "agentrl-later"
#: Marks what belongs on the slide of the cell above.
BELOW = "agentrl-below"
#: Marks what begins a slide: an exercise, a part of the reference, a section of the third level.
STARTS = "agentrl-starts"
#: Marks the code of a solution.
SOLUTION = "agentrl-solution"
#: Marks code without an output that the text before announces.
ANNOUNCED = "agentrl-announced"
#: Marks the picture of a live run.
LIVE = "agentrl-live"
_KERNEL_ONLY = "kernel-only"
_EXERCISE = re.compile(r"-exercise-\d+$")


def still(notebook: Any, reference: Mapping[str, Part] | None, answers_too: bool) -> list[Any]:
    """Return the cells of a notebook in the forms that hold still; the notebook stays as it is.

    Args:
        notebook: with its outputs.
        reference: the reference answer, if there is one.
        answers_too: whether truths and reference may be told. Cells that are tagged as an answer
            are dropped before this is called.
    """
    found: list[Any] = []
    cells = [cell for cell in notebook.cells if _KERNEL_ONLY not in _tags(cell)]
    for before, cell, following in zip([None, *cells], cells, [*cells[1:], None], strict=False):
        if cell.cell_type == "markdown":
            found += _text_cells(cell, following, answers_too)
        elif cell.cell_type == "code":
            found += _code_cells(cell, before, reference, answers_too)
    return found


def is_heading(cell: Any) -> bool:
    """Say whether a cell begins a section."""
    return cell.cell_type == "markdown" and bool(re.match(r"##? ", cell.source))


def _text_cells(cell: Any, following: Any, answers_too: bool) -> Iterator[Any]:
    """Yield the text of a cell, and apart from it what stood in it closed."""
    if _is_truth(following) and not answers_too:
        return
    leads_nowhere = following is not None and not is_heading(cell) and _is_left_out(following)
    points = leads_nowhere or "solution" in _tags(cell)
    start = 0
    for number, match in enumerate((*_DETAILS.finditer(cell.source), None)):
        text = cell.source[start : match.start() if match else None].strip()
        if text and not (points and len(text.split()) <= _POINTER_WORDS):
            begins = number == 0 and (_EXERCISE.search(cell.id) or text.startswith("### "))
            yield _markdown(f"{cell.id}-{number}", text, *([STARTS] if begins else []))
        if match:
            start = match.end()
            yield _markdown(f"{cell.id}-title-{number}", f"### {match['title'].strip()}")
            yield _markdown(f"{cell.id}-body-{number}", match["body"].strip(), LATER)


def _code_cells(
    cell: Any, before: Any, reference: Mapping[str, Part] | None, answers_too: bool
) -> Iterator[Any]:
    announced = _announces(before) and not cell.outputs
    if _is_left_out(cell) or (_only_asserts(cell) and not announced):
        return
    kinds = _ours(cell)
    if "card" in kinds:
        if "answer" in _tags(cell):
            yield from _reference_cells(cell.id, reference or {})
        else:
            yield from _prompt_cells(cell.id)
    elif "guess" in kinds:
        asked = exercises.prediction(kinds["guess"]["guess"])
        if not kinds["guess"].get("truth"):
            yield _markdown(cell.id, f"**{_(asked.question)}**\n\n{_LINE}", BELOW)
        elif answers_too:
            value = f"{asked.truth():.{asked.digits}f} {asked.unit}".strip()
            yield _markdown(cell.id, f"{_(asked.question)} **{value}**", LATER)
    elif "figure" in kinds or "live" in kinds:
        shown = cell.copy()
        shown.source = ""
        shown.metadata = from_dict({"tags": [LIVE] if "live" in kinds else []})
        shown.outputs = [output for output in cell.outputs if "image/png" in output.get("data", {})]
        if shown.outputs:
            yield shown
    else:
        shown = cell.copy()
        waits = _waits(cell)
        tags = [BELOW if waits else LATER]
        tags += [SOLUTION] if "solution" in _tags(cell) else []
        tags += [ANNOUNCED] if announced else []
        shown.metadata = from_dict({"tags": tags})
        if waits:
            shown.outputs = []
        if "hide-input" in _tags(cell):
            shown.source = ""
        if shown.source or shown.outputs:
            yield shown


def _is_left_out(cell: Any) -> bool:
    """Say whether a cell is only for those who run the notebook."""
    tags = _tags(cell)
    if cell.cell_type != "code":
        return False
    hidden = "hide-cell" in tags and "solution" not in tags
    return "setup" in tags or hidden or "progress" in _ours(cell)


def _only_asserts(cell: Any) -> bool:
    """Say whether a cell is tagged as a check, and does nothing but assert."""
    if "check" not in _tags(cell) or cell.outputs:
        return False
    return all(isinstance(node, ast.Assert) for node in ast.parse(cell.source).body)


def _announces(cell: Any) -> bool:
    """Say whether a text ends in a colon: the code after it ends its sentence."""
    return cell is not None and cell.cell_type == "markdown" and cell.source.rstrip().endswith(":")


def _waits(cell: Any) -> bool:
    """Say whether a cell asks for an answer: it has its verdict, or the three dots."""
    verdicts = any(_VERDICT in "".join(html) for html in _data(cell, "text/html"))
    return verdicts or bool(_DOTS.search(cell.source))


def _is_truth(cell: Any) -> bool:
    return cell is not None and bool(_ours(cell).get("guess", {}).get("truth"))


def _prompt_cells(name: str) -> Iterator[Any]:
    for key, heading in answers.HEADINGS.items():
        asked = f"**{_(heading)}.** {_(answers.PROMPTS[key])}"
        yield _markdown(f"{name}-{key}", f"{asked}\n\n{_ROOM}", BELOW)


def _reference_cells(name: str, reference: Mapping[str, Part]) -> Iterator[Any]:
    for key, part in reference.items():
        yield _markdown(f"{name}-title-{key}", f"### {_(answers.HEADINGS[key])}", STARTS)
        yield _markdown(f"{name}-text-{key}", part.text, LATER)
        points = "\n".join(f"- {point}" for point in part.points)
        yield _markdown(f"{name}-points-{key}", points, LATER)


def _markdown(name: str, text: str, *tags: str) -> Any:
    # An id may hold 64 signs; nbformat refuses a longer one.
    return new_markdown_cell(text, id=name[-64:], metadata={"tags": list(tags)})


def _tags(cell: Any) -> list[str]:
    return list(cell.metadata.get("tags", ()))


def _data(cell: Any, kind: str) -> Iterator[Any]:
    for output in cell.get("outputs", ()):
        if kind in output.get("data", {}):
            yield output.data[kind]


def _ours(cell: Any) -> dict[str, Any]:
    """Return what a cell's outputs say of our widgets: kind to data."""
    return {
        kind.removeprefix(_OURS).removesuffix("+json"): content
        for output in cell.get("outputs", ())
        for kind, content in output.get("data", {}).items()
        if kind.startswith(_OURS)
    }
