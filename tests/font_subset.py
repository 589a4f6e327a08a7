"""Cuts the fonts of the figures to the characters of their catalogue: `agentrl_lite/fonts/`.

    npm pack @expo-google-fonts/noto-sans-sc && tar xzf expo-google-fonts-noto-sans-sc-*.tgz
    python tests/font_subset.py package

Needed when a translation has a character that the fonts lack; a test says which. Equal sources and
characters give equal files. The outlines must be TrueType's, `glyf`: matplotlib embeds others as
Type 42 all the same, and mupdf then finds no text in the PDF.
"""

import hashlib
import io
import string
import sys
from pathlib import Path

import message_catalogue
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONTS = message_catalogue.PACKAGE / "fonts"
# A family of its own: a whole Noto Sans SC on the reader's machine is not taken for ours.
# "Source" is the only reserved name of these fonts, so that ours may say where they come from.
FAMILY = "Agentrl Noto Sans SC"
STYLES = {"Regular": "400Regular", "Bold": "700Bold"}
#: The licence's copyright line, version and address stay; what names the family is ours.
_KEPT_NAMES = (0, 5, 7, 8, 9, 10, 11, 13, 14)
# Signs that matplotlib writes by itself, or that figures join to translated text.
_SIGNS = "−·×÷±→↑↓≤≥≈∞√ \N{NO-BREAK SPACE}"


def characters(lang: str) -> str:
    """Return every character that the translated strings hold, and ASCII, in order."""
    folder = message_catalogue.CATALOGUE.parent / lang / "LC_MESSAGES"
    catalogue = message_catalogue.read(folder / "agentrl_lite.po")
    used = {char for message in catalogue if message.id for char in message.string}
    return "".join(sorted(used.union(string.printable[:95], _SIGNS) - {"\n"}))


def subset(source: Path, style: str, text: str) -> bytes:
    """Return a TrueType font of the source's outlines for the characters of `text`.

    Raises:
        ValueError: when the outlines are not TrueType's, or the source lacks a character.
    """
    options = Options()
    options.layout_features = []
    options.hinting = False
    options.name_IDs = list(_KEPT_NAMES)
    options.notdef_outline = True
    options.drop_tables += ["BASE", "GDEF", "GPOS", "GSUB", "STAT", "vhea", "vmtx", "gasp"]
    font = TTFont(source, recalcTimestamp=False)
    if "glyf" not in font:
        raise ValueError(f"{source} must have TrueType outlines; its tables were {font.keys()}")
    missing = "".join(char for char in text if ord(char) not in font.getBestCmap())
    if missing:
        raise ValueError(f"{source} must have every character; it lacks {missing}")
    cutter = Subsetter(options)
    cutter.populate(text=text)
    cutter.subset(font)
    _rename(font, style)
    content = io.BytesIO()
    font.save(content, reorderTables=True)
    return content.getvalue()


def _rename(font: TTFont, style: str) -> None:
    whole, postscript = f"{FAMILY} {style}", f"{FAMILY.replace(' ', '')}-{style}"
    for number, value in ((1, FAMILY), (2, style), (3, postscript), (4, whole), (6, postscript)):
        font["name"].setName(value, number, 3, 1, 0x409)


def main(package: Path) -> None:
    """Write a subset of each style of the unpacked npm package, and say what it is."""
    text = characters("zh")
    for style, folder in STYLES.items():
        content = subset(package / folder / f"NotoSansSC_{folder}.ttf", style, text)
        (FONTS / f"NotoSansSC-{style}-subset.ttf").write_bytes(content)
        print(
            f"{style}: {len(text)} characters, {len(content):,} bytes, sha256 "
            f"{hashlib.sha256(content).hexdigest()[:12]}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
