"""The fonts that come with the package: whole for their language, TrueType, out of the way."""

import re
import subprocess
import sys

import font_subset
import message_catalogue
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib import TTFont
from matplotlib import font_manager

from agentrl_lite.figures import fonts

LANGUAGES = [po.parts[-3] for po in message_catalogue.languages()]
FILES = [pytest.param(lang, path, id=path.stem) for lang in LANGUAGES for path in fonts.files(lang)]
DEJAVU = font_manager.findfont("DejaVu Sans")


@pytest.mark.parametrize(("lang", "path"), FILES)
def test_every_character_of_a_language_is_in_its_fonts(lang, path):
    with TTFont(path) as font:
        there = set(map(chr, font.getBestCmap()))
    missing = set(font_subset.characters(lang)) - there
    assert not missing, f"{path.name} lacks {''.join(sorted(missing))}: see tests/font_subset.py"


@pytest.mark.parametrize(("_lang", "path"), FILES)
def test_outlines_are_truetype_and_the_file_is_small(_lang, path):
    with TTFont(path) as font:
        assert "glyf" in font
        assert "CFF " not in font
    assert path.stat().st_size < 150_000


@pytest.mark.parametrize(("lang", "path"), FILES)
def test_a_font_says_whose_it_is_and_is_called_by_our_name(lang, path):
    with TTFont(path) as font:
        said = {name.nameID: str(name) for name in font["name"].names}
    assert said[1] == fonts.FIRST[lang] == font_subset.FAMILY
    assert said[0].startswith("(c) 2014-2021 Adobe")
    assert "SIL Open Font License, Version 1.1" in said[13]
    # What the licence calls a Reserved Font Name, and a changed font must not be called.
    reserved = re.search(r"Reserved Font Name '(\w+)'", said[0])[1]
    assert not any(reserved in said[number] for number in (1, 3, 4, 6))


def test_the_licence_lies_beside_the_fonts():
    text = (fonts.FOLDER / "OFL.txt").read_text(encoding="utf-8")
    assert text.startswith("Copyright 2014-2021 Adobe")
    assert "SIL OPEN FONT LICENSE Version 1.1" in text


@pytest.mark.parametrize(("lang", "path"), FILES)
def test_both_weights_are_found_by_name(lang, path):
    weight = "bold" if "Bold" in path.stem else "normal"
    assert fonts.families(lang)[0] == font_subset.FAMILY
    wanted = font_manager.FontProperties(family=font_subset.FAMILY, weight=weight)
    assert font_manager.findfont(wanted, fallback_to_default=False) == str(path)


def test_matplotlib_knows_the_font_only_once_it_is_asked_for():
    code = """
from matplotlib.font_manager import fontManager
from agentrl_lite import figures
from agentrl_lite.figures import render
def known(): return [f.name for f in fontManager.ttflist if f.name.startswith("Agentrl")]
figure = figures.get("q03-degenerate")
english = render.render_bytes(figure, {}, "svg", "en")
assert known() == [], known()
chinese = [render.render_bytes(figure, {}, "svg", "zh") for _ in range(2)]
assert len(known()) == 2, known()
assert chinese[0] == chinese[1] != english
assert render.render_bytes(figure, {}, "svg", "en") == english
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


# ---- the script --------------------------------------------------------------------------------


def test_a_subset_is_the_same_bytes_each_time_and_holds_what_it_should():
    first = font_subset.subset(DEJAVU, "Regular", "ab€")
    assert first == font_subset.subset(DEJAVU, "Regular", "ab€")
    with TTFont(font_subset.io.BytesIO(first)) as font:
        assert sorted(map(chr, font.getBestCmap())) == ["a", "b", "€"]


def test_a_character_that_the_source_lacks_is_named():
    with pytest.raises(ValueError, match="must have every character; it lacks 轨"):
        font_subset.subset(DEJAVU, "Regular", "a轨")


def test_outlines_that_are_not_truetypes_are_refused(tmp_path):
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder([".notdef"])
    builder.setupCFF("X", {}, {".notdef": _nothing()}, {})
    builder.setupHorizontalMetrics({".notdef": (500, 0)})
    builder.save(tmp_path / "cff.otf")
    with pytest.raises(ValueError, match=r"must have TrueType outlines; its tables were .*CFF"):
        font_subset.subset(tmp_path / "cff.otf", "Regular", "a")


def _nothing():
    from fontTools.misc.psCharStrings import T2CharString

    return T2CharString(program=["endchar"])
