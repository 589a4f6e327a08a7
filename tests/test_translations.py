"""Translations say what the English says: same placeholders, same mathematics, nothing stale."""

import gettext
import re
import string

import message_catalogue
import pytest

LANGUAGES = [pytest.param(po, id=po.parts[-3]) for po in message_catalogue.languages()]
_MATHS = re.compile(r"\$[^$]*\$")


def translated(po):
    """Return the translated strings, by their English."""
    return {m.id: m.string for m in message_catalogue.read(po) if m.id and m.string}


def fields(text):
    """Return the placeholders of a text, with what stands behind their names."""
    found = string.Formatter().parse(text)
    return sorted(
        (name, spec, conversion or "") for _, name, spec, conversion in found if name is not None
    )


def faults(english, other):
    """Return what a translation must not change and has changed."""
    found = []
    if fields(english) != fields(other):
        found.append("placeholders")
    if sorted(_MATHS.findall(english)) != sorted(_MATHS.findall(other)):
        found.append("mathematics")
    if english.count("\n") != other.count("\n"):
        found.append("line breaks")
    if other != other.strip():
        found.append("spaces at an end")
    return found


def test_there_is_a_translation():
    assert [po.parts[-3] for po in message_catalogue.languages()] == ["zh"]


@pytest.mark.parametrize("po", LANGUAGES)
def test_translations_keep_placeholders_mathematics_and_lines(po):
    pairs = translated(po)
    assert len(pairs) > 350
    assert {english: found for english in pairs if (found := faults(english, pairs[english]))} == {}


@pytest.mark.parametrize(
    ("english", "other", "found"),
    [
        ("{n} of {m}", "{m} 个中 {n} 个", []),
        ("{n} of {m}", "{n} 个", ["placeholders"]),
        ("{x:.2f}", "{x}", ["placeholders"]),
        ("rate $p$", "通过率 $q$", ["mathematics"]),
        ("a\nb", "甲乙", ["line breaks"]),
        ("a", "甲 ", ["spaces at an end"]),
    ],
)
def test_what_a_translation_must_keep_is_found(english, other, found):
    assert faults(english, other) == found


@pytest.mark.parametrize("po", LANGUAGES)
def test_a_catalogue_has_the_strings_of_the_template(po):
    template = message_catalogue.CATALOGUE.read_text(encoding="utf-8")
    text = po.read_text(encoding="utf-8")
    assert text == message_catalogue.updated(po, template), "`make messages`"
    assert "#, fuzzy" not in text


@pytest.mark.parametrize("po", LANGUAGES)
def test_the_compiled_catalogue_is_the_text_one(po):
    content = po.with_suffix(".mo").read_bytes()
    assert content == message_catalogue.compiled(po.read_text(encoding="utf-8"), po.parts[-3])
    with po.with_suffix(".mo").open("rb") as file:
        found = gettext.GNUTranslations(file)
    for english, other in translated(po).items():
        assert found.gettext(english) == other


def test_a_string_whose_english_changed_loses_its_translation(tmp_path):
    po = tmp_path / "zh" / "LC_MESSAGES" / "agentrl_lite.po"
    po.parent.mkdir(parents=True)
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    po.write_text(f'{head}msgid "two runs"\nmsgstr "两次运行"\n\nmsgid "kept"\nmsgstr "留"\n')
    text = message_catalogue.updated(
        po, f'{head}msgid "three runs"\nmsgstr ""\n\nmsgid "kept"\nmsgstr ""\n'
    )
    assert "两次运行" not in text
    assert 'msgid "three runs"\nmsgstr ""' in text
    assert 'msgid "kept"\nmsgstr "留"' in text
