"""Collects the strings to translate: `python tests/message_catalogue.py` writes the catalogue."""

import io
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

PACKAGE = Path(__file__).parents[1] / "agentrl_lite"
CATALOGUE = PACKAGE / "locale" / "agentrl_lite.pot"


def extract() -> str:
    """Return the catalogue's text; it depends on the strings alone."""
    catalogue = Catalog(
        project="agentrl-lite",
        header_comment="# Strings of agentrl-lite. `make messages` writes this file.",
        # A real date would change the file each time that it is written.
        creation_date=datetime(2026, 1, 1, tzinfo=UTC),
    )
    found = extract_from_dir(
        str(PACKAGE), keywords={"_": None, "N_": None}, strip_comment_tags=True
    )
    for file, _line, message, comments, context in sorted(found, key=lambda item: item[:2]):
        place = (f"agentrl_lite/{Path(file).as_posix()}", 0)
        catalogue.add(message, None, [place], auto_comments=comments, context=context)
    text = io.BytesIO()
    write_po(text, catalogue, width=100, include_lineno=False)
    lines = text.getvalue().decode("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if "Generated-By" not in line)


if __name__ == "__main__":
    CATALOGUE.parent.mkdir(exist_ok=True)
    CATALOGUE.write_text(extract(), encoding="utf-8", newline="\n")
