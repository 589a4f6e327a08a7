"""Collects the strings to translate, and compiles what is translated: `make messages`.

It writes the template `agentrl_lite.pot`, brings each language's `.po` up to date with it, and
compiles that to the `.mo` which the package reads. All three depend on the strings alone.
"""

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parents[1] / "agentrl_lite"
CATALOGUE = PACKAGE / "locale" / "agentrl_lite.pot"
# A real date would change the files each time that they are written.
WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)


class _Compiled(Catalog):
    """A catalogue whose header does not name the program that wrote it."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [("Content-Type", "text/plain; charset=utf-8"), ("Language", str(self.locale))]


def extract() -> str:
    """Return the template's text."""
    catalogue = Catalog(
        project="agentrl-lite",
        header_comment="# Strings of agentrl-lite. `make messages` writes this file.",
        creation_date=WRITTEN,
    )
    found = extract_from_dir(
        str(PACKAGE), keywords={"_": None, "N_": None}, strip_comment_tags=True
    )
    for file, _line, message, comments, context in sorted(found, key=lambda item: item[:2]):
        place = (f"agentrl_lite/{Path(file).as_posix()}", 0)
        catalogue.add(message, None, [place], auto_comments=comments, context=context)
    return _text(catalogue)


def languages() -> Iterator[Path]:
    """Yield the `.po` of every language that has one."""
    yield from sorted(CATALOGUE.parent.glob("*/LC_MESSAGES/agentrl_lite.po"))


def updated(po: Path, template: str) -> str:
    """Return the text of `po` with the template's strings; a string that is gone is dropped.

    A string whose English has changed loses its translation: an old one under a new sentence
    could say something else.
    """
    catalogue = read(po)
    catalogue.update(
        read_po(io.BytesIO(template.encode())), no_fuzzy_matching=True, update_creation_date=False
    )
    catalogue.obsolete.clear()
    return _text(catalogue)


def compiled(text: str, lang: str) -> bytes:
    """Return the `.mo` of a `.po`'s text: its translated strings."""
    catalogue = _Compiled(locale=lang)
    for message in read_po(io.BytesIO(text.encode())):
        if message.id and message.string and not message.fuzzy:
            catalogue.add(message.id, message.string)
    content = io.BytesIO()
    write_mo(content, catalogue)
    return content.getvalue()


def read(po: Path) -> Catalog:
    """Return the catalogue of a `.po`."""
    with po.open("rb") as file:
        return read_po(file, locale=po.parts[-3])


def _text(catalogue: Catalog) -> str:
    text = io.BytesIO()
    write_po(text, catalogue, width=100, include_lineno=False)
    lines = text.getvalue().decode("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if "Generated-By" not in line)


def main() -> None:
    """Write the template, and each language's two files."""
    CATALOGUE.parent.mkdir(exist_ok=True)
    template = extract()
    CATALOGUE.write_text(template, encoding="utf-8", newline="\n")
    for po in languages():
        text = updated(po, template)
        po.write_text(text, encoding="utf-8", newline="\n")
        po.with_suffix(".mo").write_bytes(compiled(text, po.parts[-3]))


if __name__ == "__main__":
    main()
