"""The reader's own words as a Markdown file, to hand in or to keep."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from agentrl_lite.answers import HEADINGS, Part
from agentrl_lite.appendix.exercises import predictions
from agentrl_lite.i18n import _
from agentrl_lite.reader.record import Record


def to_markdown(record: Record, title: str, reference: Mapping[str, Part] | None) -> str:
    """Return everything the reader did with one question, as Markdown.

    The text depends on nothing but the arguments, so that two exports of one state are equal. The
    reference answer stays out; rubric points appear where the reader has opened them.

    Args:
        record: what is kept about the question.
        title: the first heading.
        reference: the reference answer's parts, if there are any.
    """
    blocks = [f"# {title}"]
    for key, heading in HEADINGS.items():
        blocks.append(f"## {_(heading)}")
        words = record.text(key).strip()
        blocks.append(_quoted(words) if words else _("*Nothing written.*"))
        if key in record.opened_unwritten_s:
            blocks.append(_("*Reference opened before anything was written here.*"))
        if reference is not None and key in record.opened_s:
            points = [
                f"- [{'x' if (key, number) in record.ticks else ' '}] {point}"
                for number, point in enumerate(reference[key].points)
            ]
            blocks.append("\n".join(points))
        for kept in record.kept_for(key):
            blocks.append(_("*Another version, written in another window:*"))
            blocks.append(_quoted(kept.text.text.strip()))
    asked = {prediction.id: prediction for prediction in predictions()}
    if record.guesses:
        blocks.append(f"## {_('Guesses')}")
        line = _("{asked} {value}{unit}, committed on {date}.")
        blocks.append(
            "\n".join(
                "- "
                + line.format(
                    asked=_(asked[name].question) if name in asked else f"`{name}`:",
                    value=f"{guess.value:g}",
                    unit=f" {asked[name].unit}" if name in asked and asked[name].unit else "",
                    date=time.strftime("%Y-%m-%d", time.localtime(guess.committed_s)),
                )
                for name, guess in record.guesses.items()
            )
        )
    return "\n\n".join(blocks) + "\n"


def _quoted(words: str) -> str:
    """Set words apart as a quotation, which ends with them whatever Markdown they hold."""
    return "\n".join(f"> {line}".rstrip() for line in words.splitlines())


def export(markdown: str, folder: Path, name: str) -> Path:
    """Write `markdown` to `<name>.md` in `folder`, or to `<name>-2.md` and so on.

    An earlier export with the same text is left as it is and counts; one with another text is never
    overwritten.

    Returns:
        the file that holds the text.

    Raises:
        OSError: when it cannot be written; no half-written file stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    data = markdown.encode("utf-8")
    number = 1
    while True:
        target = folder / (f"{name}.md" if number == 1 else f"{name}-{number}.md")
        try:
            stream = target.open("xb")
        except FileExistsError:
            if target.is_file() and target.read_bytes() == data:
                return target
            number += 1
            continue
        try:
            with stream:
                stream.write(data)
        except BaseException:
            target.unlink(missing_ok=True)
            raise
        return target
