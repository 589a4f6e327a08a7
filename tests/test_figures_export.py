"""Print files: the same bytes twice, real fonts inside, and a manifest that tells the truth."""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import zlib

import numpy as np
import pytest
from PIL import Image

from agentrl_lite import figures
from agentrl_lite.figures import captions, render, style
from agentrl_lite.figures.export import export

NAMED = [pytest.param(figure, id=figure.id) for figure in figures.all_figures()]


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return two folders that fresh processes wrote: every figure, in every format."""
    code = (
        "import pathlib, sys; from agentrl_lite.figures.export import export; "
        "export([], ['pdf', 'svg', 'png'], pathlib.Path(sys.argv[1]), progress=False)"
    )
    folders = []
    for seed in ("1", "77"):
        out = tmp_path_factory.mktemp(f"seed{seed}")
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(out)], env=environment, check=True)
        folders.append(out)
    return folders


def test_two_fresh_processes_write_the_same_bytes(written):
    seen = [digests(folder) for folder in written]
    assert seen[0] == seen[1]
    assert len(seen[0]) == 3 * len(figures.ids()) + 2


def test_chinese_figures_are_the_same_bytes_too(tmp_path):
    out = tmp_path / "process"
    code = "import sys; from agentrl_lite.cli import app; app(sys.argv[1:])"
    command = ["figures", "--only", "q03", "--lang", "zh", "--out", str(out)]
    done = subprocess.run(
        [sys.executable, "-c", code, *command], check=True, capture_output=True, text=True
    )
    count = re.search(r"(\d+) of (\d+) strings are translated", done.stderr)
    assert count[1] == count[2]
    manifest = export(["q03"], ["svg", "png", "pdf"], tmp_path / "here", "zh", progress=False)
    assert digests(out) == digests(tmp_path / "here")
    entry = json.loads(manifest.read_text(encoding="utf-8"))["files"]["q03-step.pdf"]
    assert entry["caption"].startswith("每步 B 个回合的预算")
    assert entry["number"] == "B.3b"


def test_english_says_nothing_of_translations(tmp_path, capsys):
    from agentrl_lite.cli import figures as command

    command(only="q03-degenerate", formats="svg", out=tmp_path)
    assert "translated" not in "".join(capsys.readouterr())


def test_the_manifest_tells_what_each_file_is(tmp_path):
    path = export(["q03"], ["svg", "png"], tmp_path / "new" / "folder", progress=False)
    manifest = json.loads(path.read_text(encoding="utf-8"))
    assert set(manifest["versions"]) == {"python", "numpy", "matplotlib"}
    found = digests(path.parent)
    del found["manifest.json"], found["figures.tex"]
    assert found == {name: entry["sha256"] for name, entry in manifest["files"].items()}
    entry = manifest["files"]["q03-step.svg"]
    figure = figures.get("q03-step")
    assert entry["number"] == figure.number
    assert (entry["columns"], entry["width_mm"], entry["height_mm"]) == (2, 175.3, 69.8)
    assert entry["caption"] == figure.caption
    assert entry["alt"] == figure.alt_text(figure.values())


def test_a_later_partial_export_keeps_what_is_still_true(tmp_path):
    export(["q03"], ["svg"], tmp_path, progress=False)
    (tmp_path / "q03-step.svg").write_text("changed by hand", encoding="utf-8")
    path = export(["q03-degenerate"], ["png"], tmp_path, progress=False)
    named = set(json.loads(path.read_text(encoding="utf-8"))["files"])
    assert {"q03-degenerate.svg", "q03-degenerate.png"} <= named
    assert "q03-step.svg" not in named


@pytest.mark.parametrize("text", ["not json", "[]", '{"files": 3}'])
def test_a_foreign_manifest_is_replaced(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    path = export(["q03-degenerate"], ["svg"], tmp_path, progress=False)
    assert list(json.loads(path.read_text(encoding="utf-8"))["files"]) == ["q03-degenerate.svg"]


@pytest.mark.parametrize(
    ("ids", "formats", "message"),
    [
        (["q03-nothing"], ["pdf"], "named by .*q03, q03-degenerate.*; there was q03-nothing"),
        (["q03"], ["pdf", "gif"], "formats must be some of pdf, svg, png; there was gif"),
        (["q03"], [], "formats must be some of pdf, svg, png; there was none"),
    ],
)
def test_an_unknown_name_is_refused_before_anything_is_written(tmp_path, ids, formats, message):
    out = tmp_path / "out"
    with pytest.raises(ValueError, match=message):
        export(ids, formats, out, progress=False)
    assert not out.exists()


def test_an_unknown_language_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"lang must be one of .*; it was 'tlh'"):
        export(["q03"], ["svg"], tmp_path / "out", lang="tlh", progress=False)
    assert not (tmp_path / "out").exists()


def test_progress_is_shown_when_wanted(tmp_path, capsys):
    export(["q03-degenerate"], ["svg"], tmp_path, progress=True)
    assert "figures: 100%" in capsys.readouterr().err
    export(["q03-degenerate"], ["svg"], tmp_path, progress=False)
    assert capsys.readouterr().err == ""


def pdf_objects(content):
    """Return the text of every object, with compressed streams opened."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    opened = []
    for stream in streams:
        try:
            opened.append(zlib.decompress(stream))
        except zlib.error:
            opened.append(stream)
    return content, opened


@pytest.mark.parametrize("figure", NAMED)
def test_pdf_embeds_truetype_fonts_and_no_others(written, figure):
    content, streams = pdf_objects((written[0] / f"{figure.id}.pdf").read_bytes())
    whole = b"\n".join([content, *streams])
    kinds = set(
        re.findall(rb"/Subtype\s*/(Type0|Type1|Type3|TrueType|CIDFontType\d|MMType1)", whole)
    )
    assert b"CIDFontType2" in kinds or b"TrueType" in kinds
    assert kinds <= {b"Type0", b"TrueType", b"CIDFontType2"}
    names = set(re.findall(rb"/FontName\s*/(\S+)", whole))
    assert names
    assert all(b"DejaVuSans" in name for name in names)
    assert len(re.findall(rb"/FontFile2\b", whole)) == len(names)
    assert b"/FontFile3" not in whole
    programs = [stream for stream in streams if stream.startswith(b"\x00\x01\x00\x00")]
    assert len(programs) == len(names), "an embedded font is not TrueType outlines"


@pytest.mark.parametrize("figure", NAMED)
@pytest.mark.parametrize("suffix", render.FORMATS)
def test_files_carry_no_date_and_no_maker(written, figure, suffix):
    content = (written[0] / f"{figure.id}.{suffix}").read_bytes()
    for mark in (b"Date", b"<dc:date>", b"/Producer", b"Software", b"Matplotlib v"):
        assert mark not in content


@pytest.mark.parametrize("figure", NAMED)
def test_print_size_is_what_the_columns_say(written, figure):
    with Image.open(written[0] / f"{figure.id}.png") as image:
        width, height = image.size
    expected = np.array(style.SIZE_IN[figure.columns]) * render.PRINT_DPI
    np.testing.assert_allclose([width, height], expected, atol=1)


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError, match="format must be one of pdf, svg, png; it was 'eps'"):
        render.render_bytes(figures.get("q03-degenerate"), {}, "eps")


def test_the_fast_png_holds_the_pixels():
    pixels = render.Canvas(figures.get("q03-degenerate")).pixels({})
    with Image.open(io.BytesIO(render.fast_png(pixels))) as image:
        assert (np.asarray(image) == pixels).all()


def test_macros_for_latex_hold_what_the_manifest_holds(written):
    manifest = json.loads((written[0] / "manifest.json").read_text(encoding="utf-8"))
    text = (written[0] / "figures.tex").read_text(encoding="utf-8")
    found = dict(re.findall(r"csname appendix:(\S+)\\endcsname\{(.*)\}\n", text))
    assert len(found) == 3 * len(figures.ids())
    for entry in manifest["files"].values():
        for field in ("number", "caption", "alt"):
            assert found[f"{field}:{entry['figure']}"] == captions.escaped(entry[field])
    assert text.isascii(), "pdflatex has no glyph for " + re.sub(r"[\x00-\x7f]", "", text)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("100 % of a_b & {c}", r"100 \% of a\_b \& \{c\}"),
        (
            "σ−1 \\ ε^2 ~ #",
            r"\ensuremath{\sigma}\ensuremath{-}1 \textbackslash{} "
            r"\ensuremath{\varepsilon}\textasciicircum{}2 \textasciitilde{} \#",
        ),
    ],
)
def test_signs_that_latex_takes_for_commands_are_escaped(text, source):
    assert captions.escaped(text) == source
