"""The short LaTeX and Typst files compile, with a figure, its caption and the ledger's numbers."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import typst
from print_tools import run, tool

from agentrl_lite.appendix import ledger
from agentrl_lite.figures import fonts
from agentrl_lite.figures.export import export

PRINT = Path(__file__).parents[1] / "book" / "print"


@pytest.fixture(scope="module", params=["en", "zh"])
def book(request, tmp_path_factory):
    """Return a folder like `book`: the examples, one question's figures, the ledger's numbers."""
    folder = tmp_path_factory.mktemp("book")
    shutil.copytree(PRINT, folder / "print")
    export(["q03"], ["pdf"], folder / "figures", request.param, progress=False)
    for suffix in ("json", "tex"):
        text = ledger.render(ledger.numbers(), suffix)
        (folder / "figures" / f"numbers.{suffix}").write_text(text, encoding="utf-8")
    return folder


def manifest(book):
    return json.loads((book / "figures" / "manifest.json").read_text(encoding="utf-8"))


def typeset(book):
    """Return the path of the PDF that Typst makes, with its own fonts and ours and no others."""
    out = book / "figure.pdf"
    typst.compile(
        str(book / "print" / "figure.typ"),
        output=str(out),
        root=str(book),
        font_paths=[str(fonts.FOLDER)],
        ignore_system_fonts=True,
    )
    return out


def squeezed(text):
    return re.sub(r"\s", "", text)


def assert_holds_figure_and_numbers(text, book):
    found, entry = squeezed(text), manifest(book)["files"]["q03-step.pdf"]
    assert "0.656ofthegroupsoffour" in found
    assert "0.430ofthegroupsofeight" in found
    assert squeezed(entry["caption"]) in found
    assert "B.3b" in found
    chinese = manifest(book)["language"] == "zh"
    title = "每步有信息的任务数" if chinese else "Informativetasksastep"
    assert title in found, "the figure's own words are not in the text"


def test_typst_sets_figure_caption_and_numbers(book):
    path = typeset(book)
    assert_holds_figure_and_numbers(run(tool("pdftotext", "poppler-utils"), path, "-"), book)


@pytest.mark.parametrize("book", ["en"], indirect=True)
def test_typst_tags_the_picture_with_its_alternative_text(book):
    objects = run(tool("mutool", "mupdf-tools"), "show", typeset(book), "grep")
    alt = manifest(book)["files"]["q03-step.pdf"]["alt"]
    assert f"/Alt({alt})" in objects


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("q03-degenerate-p10-G4", "q03-none", "no number of the appendix is called q03-none"),
        ('"q03-step"', '"q03-steps"', "no figure in ../figures is called q03-steps"),
    ],
)
def test_typst_stops_at_an_unknown_name(book, name, wrong, message):
    source = (PRINT / "figure.typ").read_text(encoding="utf-8").replace(name, wrong)
    changed = book / "print" / "changed.typ"
    changed.write_text(source, encoding="utf-8")
    with pytest.raises(RuntimeError, match=message):
        typst.compile(str(changed), root=str(book), ignore_system_fonts=True)


@pytest.mark.parametrize("book", ["en"], indirect=True)
def test_latex_sets_figure_caption_and_numbers(book):
    # Skipped under CI too: a TeX installation is as large as everything else together.
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex: install texlive-latex-recommended")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "figure.tex"]
    for _ in range(2):
        done = subprocess.run(command, cwd=book / "print", capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:]
    text = run(tool("pdftotext", "poppler-utils"), book / "print" / "figure.pdf", "-")
    assert_holds_figure_and_numbers(text.replace("-\n", ""), book)
