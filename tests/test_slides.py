"""Slides and handouts: made by rule from headings and tags, still, silent where they must be."""

import base64
import re
import shutil
import struct
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from agentrl_lite import answers, editions, leaks, notebooks
from agentrl_lite.appendix import exercises
from agentrl_lite.editions import chromium, handout, slides
from agentrl_lite.editions.still import still

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / notebooks.SOURCE
BOOK = ROOT / "book"
QUESTION = "q03"
PNG = "iVBORw0KGgo="  # cut short: nobody can tell how high it is
VERDICT = {"text_html": '<div class="arl-verdict">Not answered</div>'}


def made(kind, out, **more):
    return editions.build(kind, out, [QUESTION], source=SOURCE, book=BOOK, **more)


@pytest.fixture(scope="module")
def with_answers(tmp_path_factory):
    return made("slides", tmp_path_factory.mktemp("slides") / "with")


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    return made("slides", tmp_path_factory.mktemp("slides") / "without", answers=False)


def png(height):
    """Return the head of a picture of 900 px by `height`."""
    return base64.b64encode(
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 900, height)
    ).decode()


def page_of(folder):
    (page,) = folder.glob(f"{QUESTION}_*.html")
    return page.read_text()


def squeezed(text):
    return re.sub(r"[\W_]+", "", re.sub(r"<[^>]*>", "", text)).lower()


def squeezed_code(page):
    """Return the code that a page shows, without the marks of its colours."""
    shown = re.findall(r"(?s)<pre>(.*?)</pre>", page)
    return "\n".join(re.sub(r"<[^>]*>", "", code) for code in shown)


# ---- the real book -----------------------------------------------------------------------------


def test_notebooks_keep_no_slide_types():
    for path in SOURCE.glob("*.ipynb"):
        for cell in notebooks.read(path).cells:
            assert "slideshow" not in cell.metadata, (path.name, cell.id)


@pytest.mark.parametrize("which", ["with_answers", "without"])
def test_slides_ask_for_nothing_elsewhere(request, which):
    folder = request.getfixturevalue(which)
    page = page_of(folder)
    asked = re.findall(r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="([^"]+)""", page)
    local = {a for a in asked if not a.startswith("data:")}
    assert local
    assert all((folder / address).is_file() for address in local), local
    assert (folder / "assets" / "LICENSE").is_file()
    assert f'href="{QUESTION}_' in (folder / "index.html").read_text()


def test_with_answers_each_part_of_the_reference_is_there_and_comes_later(with_answers):
    page = page_of(with_answers)
    reference = answers.load(QUESTION, SOURCE / "answers")
    for part in reference.values():
        for point in part.points:
            assert squeezed(point) in squeezed(page)
    fragments = page.split('<div class="fragment"')
    opening = squeezed(fragments[0])
    assert not any(squeezed(p) in opening for part in reference.values() for p in part.points)


def test_without_answers_no_sentence_of_them_is_there(without):
    """Looks by a second way than `leaks`: plain search."""
    page = squeezed(page_of(without))
    for sentence in re.split(
        r"(?<=[.?])\s+|\n+", (SOURCE / "answers" / f"{QUESTION}.md").read_text()
    ):
        if len(sentence.split()) > 5:
            assert squeezed(sentence.removeprefix("- [ ] ")) not in page, sentence
    (path,) = SOURCE.glob(f"{QUESTION}_*.ipynb")
    for cell in notebooks.read(path).cells:
        if leaks.is_secret(cell) and len(cell.source.split()) > 8:
            assert squeezed(cell.source) not in page, cell.id


@pytest.mark.parametrize("which", ["with_answers", "without"])
def test_every_live_widget_is_its_picture(request, which):
    page = page_of(request.getfixturevalue(which))
    (path,) = SOURCE.glob(f"{QUESTION}_*.ipynb")
    pictures = [
        output
        for cell in notebooks.read(path).cells
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    ]
    shown = re.findall(r'<img alt="([^"]*)" src="data:image/png;base64,', page)
    assert len(shown) == len(pictures)
    assert all(shown)
    assert not re.search(r"explore\b|answer_card\b|predict\b", squeezed_code(page))
    assert "widget-view" not in page


def test_links_lead_from_deck_to_deck_or_are_text(tmp_path, with_answers):
    assert ".ipynb" not in re.sub(r"<code>.*?</code>", "", page_of(with_answers))
    targets = set(re.findall(r'href="(\w+\.html)"', page_of(with_answers)))
    assert all((with_answers / target).is_file() for target in targets)


@pytest.mark.parametrize("told", [False, True])
def test_no_exercise_of_any_question_is_lost(told):
    """Nor, with answers, any that stood closed."""
    for path in SOURCE.glob("[qx]*.ipynb"):
        notebook = notebooks.read(path)
        if not told:
            editions.without_answers(notebook)
        shown = " ".join("".join(c.source.split()) for c in still(notebook, None, told))
        stated = [c for c in notebook.cells if re.search(r"-exercise-\d+$", c.id)]
        assert stated
        for cell in stated:
            assert "".join(cell.source.partition("<details")[0].split()) in shown, cell.id
        closed = "".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        for title in re.findall(r"<summary>(.*?)</summary>", closed):
            assert "###" + "".join(title.split()) in shown, title


@pytest.fixture(scope="module")
def planned():
    """Return (question, notebook, cells of its deck) for each; with answers, then without."""
    books = {path: notebooks.read(path) for path in sorted(SOURCE.glob("[qx]*.ipynb"))}
    decks = {True: [], False: []}
    for path, book in books.items():
        question = path.name.partition("_")[0]
        reference = answers.load(question, SOURCE / "answers")
        decks[True].append(
            (question, book, slides.plan(still(notebooks.read(path), reference, True)))
        )
        silent = editions.content.drop_secrets(notebooks.read(path))
        decks[False].append((question, book, slides.plan(still(silent, None, False))))
    return decks


def wall(deck):
    """Return what a deck shows, without its notes."""
    return [cell for cell in deck if cell.metadata.slideshow.slide_type != "notes"]


@pytest.mark.parametrize("told", [True, False])
def test_a_deck_is_short_enough_for_a_session(planned, told):
    counts = {
        question: sum(c.metadata.slideshow.slide_type in ("slide", "subslide") for c in deck)
        for question, _book, deck in planned[told]
    }
    assert {q: n for q, n in counts.items() if not 20 < n <= 50} == {}, counts


def test_with_answers_nothing_of_a_notebook_is_lost(planned):
    """Each statement, solution, part of the reference, picture and row of a table is on a slide."""
    for question, book, deck in planned[True]:
        shown = "".join(squeezed(cell.source) for cell in wall(deck))
        for cell in book.cells:
            if re.search(r"-exercise-\d+$", cell.id):
                assert squeezed(cell.source.partition("<details")[0]) in shown, cell.id
            if cell.cell_type == "code" and "solution" in cell.metadata.get("tags", ()):
                assert squeezed(cell.source) in shown, cell.id
        for part in (answers.load(question, SOURCE / "answers") or {}).values():
            for said in (part.text, *part.points):
                assert all(squeezed(p) in shown for p in said.split("\n\n")), (question, said)
        pictures, rows = outputs_of(book.cells)
        on_the_wall = outputs_of(wall(deck))
        assert pictures == on_the_wall[0], question
        assert rows <= on_the_wall[1], (question, rows - on_the_wall[1])


def outputs_of(cells):
    """Return the pictures in order, and the rows of tables without a mark; verdicts are none."""
    data = [out.get("data", {}) for cell in cells for out in cell.get("outputs", ())]
    pages = ["".join(d.get("text/html", "")) for d in data if not any("agentrl" in k for k in d)]
    bodies = [body for page in pages for body in re.findall(r"(?s)<tbody>(.*?)</tbody>", page)]
    rows = {
        squeezed(row).removesuffix("actonthis")
        for body in bodies
        for row in re.findall(r"(?s)<tr.*?</tr>", body)
    }
    return [d["image/png"] for d in data if "image/png" in d], rows


def test_each_text_and_table_row_that_a_deck_keeps_is_on_the_wall(planned):
    """Cutting into slides loses nothing of what the still notebook has."""
    for question, _book, deck in planned[True]:
        path = next(SOURCE.glob(f"{question}_*.ipynb"))
        reference = answers.load(question, SOURCE / "answers")
        shown = "".join(squeezed(cell.source) for cell in wall(deck))
        for cell in still(notebooks.read(path), reference, True):
            if cell.cell_type == "markdown":
                for piece in re.split(r"\n\s*\n|\n(?=\|)", cell.source):
                    assert squeezed(piece) in shown, (cell.id, piece)


def test_code_that_is_not_on_a_slide_is_in_its_notes(planned):
    for question, _book, deck in planned[True]:
        path = next(SOURCE.glob(f"{question}_*.ipynb"))
        kept = [
            cell for cell in still(notebooks.read(path), None, True) if cell.cell_type == "code"
        ]
        sources = {cell.source for cell in deck}
        assert [cell.id for cell in kept if cell.source not in sources] == []


def test_no_heading_ends_a_slide(planned):
    for told in (True, False):
        for question, _book, deck in planned[told]:
            shown = wall(deck)
            for cell, after in zip(shown, [*shown[1:], None], strict=True):
                if cell.source.startswith("#") and "\n" not in cell.source:
                    assert after is not None, (question, cell.source)
                    kind = after.metadata.slideshow.slide_type
                    assert kind in ("-", "fragment"), (question, cell.source)


# ---- by rule -----------------------------------------------------------------------------------


def kinds(*cells, answers_too=True, reference=None):
    """Return (start of the text, slide type) of each cell of a deck."""
    notebook = new_notebook(cells=list(cells))
    deck = slides.plan(still(notebook, reference, answers_too))
    return [(c.source[:12], c.metadata.slideshow.slide_type) for c in deck]


def text(source, *tags):
    return new_markdown_cell(source, metadata={"tags": list(tags)})


def code(source, *tags, **data):
    outputs = [new_output("display_data", {k.replace("_", "/", 1): v for k, v in data.items()})]
    return new_code_cell(source, metadata={"tags": list(tags)}, outputs=outputs if data else [])


LONG = "word " * 100


def test_headings_begin_slides_and_what_follows_comes_later():
    deck = kinds(
        text("# Title"), text("## Derive\n\nSo:"), code("1 + 1"), text("Then."), text(LONG)
    )
    assert deck == [
        ("# Title", "slide"),
        ("## Derive", "slide"),
        ("So:", "-"),
        ("1 + 1", "fragment"),
        ("Then.", "fragment"),
        ("word word wo", "fragment"),
    ]
    assert kinds(text("# T"), text(LONG), text(LONG))[-1] == ("word word wo", "subslide")


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        (code("1 + 1", text_plain="2"), "fragment"),
        (code("x\n" * slides.LINES, text_latex="$x$"), "fragment"),
        (code("x\n" * (slides.LINES + 1), text_latex="$x$"), "notes"),
        (code("table(rows)", text_html="<table><tr><td>1</td></tr></table>"), "notes"),
        (code("x = 1\ny = 2"), "notes"),
        (code("x = 1\nassert x == 1", "check"), "notes"),
        (code("# Solution\n" + "x = 1\n" * 9, "solution", "hide-cell"), "fragment"),
        (code("x = ...", **VERDICT), "-"),
    ],
)
def test_code_is_on_the_slide_or_in_the_notes(cell, kept):
    deck = slides.plan(still(new_notebook(cells=[text("# T"), text("So."), cell]), None, True))
    (kind,) = {c.metadata.slideshow.slide_type for c in deck if c.source == cell.source}
    assert kind == kept
    shown = [c for c in deck if c.metadata.slideshow.slide_type != "notes"]
    outputs = sum(len(c.get("outputs", ())) for c in shown)
    assert outputs == (0 if "..." in cell.source else len(cell.outputs))


def test_code_that_a_text_announces_is_on_the_slide_if_it_is_short():
    short, long = "x\n" * slides.SILENT_LINES, "x\n" * (slides.SILENT_LINES + 1)
    check = "assert 1 < 2"
    announced = [text("This is:"), code(check, "check")]
    assert kinds(text("# T"), *announced)[-1] == (check, "fragment")
    assert kinds(text("# T"), text("As:"), code(short))[-1][1] == "fragment"
    assert kinds(text("# T"), text("As:"), code(long))[-1][1] == "notes"


def test_cells_of_nothing_but_assertions_are_left_out_and_their_text_stays():
    deck = kinds(text("# T"), text("It is small."), code("# Yes.\nassert 1 < 2", "check"))
    assert [source for source, _kind in deck] == ["# T", "It is small."]
    mixed = code("x = 1\nassert x < 2", "check")
    assert kinds(text("# T"), mixed)[-1] == ("x = 1\nassert", "notes")


def test_what_is_only_for_a_kernel_is_left_out_and_the_text_before_finds_its_picture():
    note = text("Press Run.", "kernel-only")
    deck = kinds(text("# T"), text("This is:"), note, code("1 + 1"))
    assert deck == [("# T", "slide"), ("This is:", "fragment"), ("1 + 1", "fragment")]


def test_a_text_stands_with_its_picture_if_a_slide_holds_both():
    taken, picture = text("word " * 70), code("explore('x')", image_png=png(400))
    picture.outputs[0].data["application/vnd.agentrl.figure+json"] = {"figure": "x"}
    deck = kinds(text("# T"), taken, text("Look."), picture)
    assert [kind for _source, kind in deck[1:]] == ["fragment", "subslide", "fragment"]
    tall = code("explore('x')", image_png=png(700))
    tall.outputs[0].data["application/vnd.agentrl.figure+json"] = {"figure": "x"}
    deck = kinds(text("# T"), taken, text("Look."), tall)
    assert [kind for _source, kind in deck[1:]] == ["fragment", "fragment", "subslide"]


def test_exercises_reference_parts_and_sections_start_slides():
    exercise = new_markdown_cell("**2.** How many?", id="q03-exercise-2")
    deck = kinds(text("# T"), text("So."), exercise, text("### Edges\n\nSome."), text("More."))
    assert [kind for _source, kind in deck[1:]] == [
        "fragment",
        "subslide",
        "subslide",
        "-",
        "fragment",
    ]
    card = code("answer_card('q03')", "answer", text_html="<p>")
    card.outputs[0].data["application/vnd.agentrl.card+json"] = {"question": "q03"}
    reference = {key: answers.Part(key, "Because.", ("I said so.",)) for key in answers.HEADINGS}
    deck = kinds(text("# T"), text("So."), card, reference=reference)
    assert [kind for _source, kind in deck[2:]] == ["subslide", "fragment", "fragment"] * 4


def test_a_title_comes_with_what_it_is_the_title_of():
    closed = "<details>\n<summary>Hint</summary>\n\n{}\n\n</details>"
    short = kinds(text("# T"), text("Why?"), text(closed.format("Think.")))
    assert short[1:] == [("Why?", "fragment"), ("### Hint", "fragment"), ("Think.", "-")]
    long = kinds(text("# T"), text(LONG), text(closed.format(LONG)))
    assert [kind for _source, kind in long[2:]] == ["subslide", "fragment"]


def test_what_follows_the_exercises_stands_behind_one_slide():
    exercise = new_markdown_cell("## Exercises\n\n**1.** How?", id="q03-exercise-1")
    deck = kinds(text("# T"), exercise, text("## Beyond\n\nMore."), text("## Further"))
    assert [pair for pair in deck if pair[0].startswith("#")] == [
        ("# T", "slide"),
        ("## Exercises", "slide"),
        ("## To read on"[:12], "slide"),
        ("## Beyond", "subslide"),
        ("## Further", "subslide"),
    ]
    assert not any("To read" in source for source, _kind in kinds(text("# T"), text("## Beyond")))


def test_what_is_closed_in_the_notebook_comes_later():
    closed = "<details>\n<summary>Hint</summary>\n\nThink.\n\n</details>"
    deck = kinds(text("# T"), text(closed), text("Why?\n\n" + closed, "answer"))
    assert deck[1:] == [
        ("### Hint", "fragment"),
        ("Think.", "-"),
        ("Why?", "fragment"),
        ("### Hint", "fragment"),
        ("Think.", "-"),
    ]


def test_what_is_only_for_those_who_run_it_is_left_out():
    deck = kinds(
        text("# T"),
        text("Run this first."),
        code("import os", "setup"),
        text("Asserted in the closed cell."),
        code("# The same, asserted.", "hide-cell", "answer"),
        text("The solution is in the closed cell below.", "solution"),
        code("# Solution", "hide-cell", "solution"),
    )
    assert [source for source, _kind in deck] == ["# T", "# Solution"]


def test_a_task_is_there_with_its_dots_and_without_a_verdict():
    notebook = new_notebook(cells=[text("**2.** How many?"), code("x = ...", **VERDICT)])
    task, cell = still(notebook, None, False)
    assert task.source == "**2.** How many?"
    assert (cell.source, cell.outputs) == ("x = ...", [])
    assert kinds(text("# T"), text("Many?"), code("x = ...", **VERDICT))[-1] == ("x = ...", "-")


def test_what_explains_stays_though_a_hidden_check_follows():
    long = "What you see is explained in these words, and they are more than a dozen of them."
    closed = f"<details>\n<summary>Found</summary>\n\n{long}\n\n</details>"
    checks = [code("assert True", "hide-cell", "answer") for _ in range(2)]
    notebook = new_notebook(cells=[text(long), checks[0], text(closed, "answer"), checks[1]])
    assert [c.source for c in still(notebook, None, True)] == [long, "### Found", long]


@pytest.mark.parametrize("kind", ["figure", "live"])
def test_a_picture_has_no_call_and_a_live_run_a_slide_of_its_own(kind):
    drawn = code("explore('x')", image_png=png(100))
    drawn.outputs[0].data[f"application/vnd.agentrl.{kind}+json"] = {"figure": "x"}
    cells = [text("# T"), text("See."), drawn, text("So.")]
    deck = slides.plan(still(new_notebook(cells=cells), None, True))
    own = "subslide" if kind == "live" else "fragment"
    assert [cell.metadata.slideshow.slide_type for cell in deck[2:]] == [own, own]
    assert deck[2].source == ""
    assert "image/png" in deck[2].outputs[0].data


def test_a_picture_whose_height_is_not_known_has_a_slide_of_its_own():
    drawn = code("explore('x')", image_png=PNG)
    drawn.outputs[0].data["application/vnd.agentrl.figure+json"] = {"figure": "x"}
    assert [kind for _source, kind in kinds(text("# T"), text("So."), drawn)][1:] == [
        "fragment",
        "subslide",
    ]


def test_a_truth_is_told_only_with_answers():
    data = {"application/vnd.agentrl.guess+json": {"guess": "q03-share", "truth": True}}
    cell = new_code_cell("truth('q03-share')", outputs=[new_output("display_data", data)])
    asked = exercises.prediction("q03-share")
    told = f"{asked.truth():.{asked.digits}f}"
    for answers_too in (True, False):
        found = still(new_notebook(cells=[text("# T"), text("Now."), cell]), None, answers_too)
        assert any(told in c.source for c in found) is answers_too
        assert any(c.source == "Now." for c in found) is answers_too


def test_long_text_is_cut_between_paragraphs_and_tables_between_rows():
    paragraphs = "\n\n".join([" ".join(["word"] * 60)] * 4)
    deck = kinds(text("# T"), text(paragraphs))
    assert [kind for _source, kind in deck] == ["slide", "fragment", "-", "subslide", "-"]
    rows = "\n".join(f"| {n} | x |" for n in range(14))
    notebook = new_notebook(cells=[text("# T"), text(f"| a | b |\n|---|---|\n{rows}")])
    deck = slides.plan(still(notebook, None, True))
    assert all(c.source.startswith("| a | b |\n|---|") for c in deck[1:])
    assert [c.source.count("| x |") for c in deck[1:]] == [6, 6, 2]


def test_a_table_begins_below_its_text_if_rows_of_it_have_a_place_there():
    rows = "\n".join(["| " + "word " * 30 + "| x |"] * 8)
    table = f"| a | b |\n|---|---|\n{rows}"
    deck = kinds(text("# T"), text(f"## In the frameworks\n\nRead.\n\n{table}"))
    assert [kind for _source, kind in deck[1:]] == ["slide", "-", "-", "subslide"]


def test_a_long_table_that_code_puts_out_is_cut_between_rows():
    rows = "".join(f"<tr><td>{n}</td></tr>" for n in range(23))
    table = f"<table><thead><tr><th>n</th></tr></thead><tbody>{rows}</tbody></table>"
    deck = slides.plan(
        still(new_notebook(cells=[text("# T"), code("t", text_html=table)]), None, True)
    )
    pages = [cell for cell in deck[1:] if cell.outputs]
    assert not any(page.source for page in pages)
    shown = [page.outputs[0].data["text/html"] for page in pages]
    assert [page.count("<td>") for page in shown] == [8, 8, 7]
    assert all("<th>n</th>" in page for page in shown)
    assert re.findall(r"<td>(\d+)", "".join(shown)) == [str(n) for n in range(23)]


def test_a_table_of_long_cells_is_cut_sooner():
    row = "| " + "word " * 60 + "| x |"
    for cells, pages in ((row, 2), ("| a | x |", 1)):
        deck = kinds(text("# T"), text("| a | b |\n|---|---|\n" + "\n".join([cells] * 6)))
        assert len(deck) == 1 + pages


def test_a_fence_is_never_cut():
    fenced = "```\n" + "\n\n".join(["word " * 60] * 4) + "\n```"
    assert len(kinds(text("# T"), text(fenced))) == 2


# ---- a small book with planted leaks -----------------------------------------------------------


@pytest.fixture
def leaky(tmp_path):
    """Return a function that writes a book of one question, with one more cell in it."""

    def write(*more):
        source = tmp_path / "en"
        (source / "answers").mkdir(parents=True)
        (source / "answers" / "q03.md").write_text(
            "# q03\n\n## Mechanism\n\nGroups that agree cancel and were bought for nothing.\n"
        )
        cells = [new_markdown_cell("# Q3", id="q03-title"), *more]
        nbformat.write(new_notebook(cells=cells), source / "q03_a.ipynb")
        return source

    return write


@pytest.mark.parametrize("kind", ["slides", "handout"])
@pytest.mark.parametrize(
    "told",
    [
        "Groups that agree cancel and were bought for nothing.",
        "*Groups* that **agree** cancel and were\nbought for nothing",
        "You need 7.",
    ],
)
def test_a_leak_is_refused_and_nothing_is_written(leaky, tmp_path, kind, told):
    source = leaky(new_markdown_cell(told, id="q03-told"))
    with pytest.raises(editions.LeakError, match=r"q03_a\.html"):
        editions.build(kind, tmp_path / "out", source=source, answers=False, book=BOOK)
    assert sorted(p.name for p in tmp_path.iterdir() if p.name != "agentrl-reader") == ["en"]


def test_an_output_that_tells_is_dropped_and_another_stays(leaky, tmp_path):
    told = [new_output("stream", text="You need 7 of them\n")]
    kept = [new_output("stream", text="some 4 of them\n")]
    source = leaky(
        new_code_cell("tell()", id="q03-told", outputs=told),
        new_code_cell("keep()", id="q03-kept", outputs=kept),
    )
    out = editions.build("slides", tmp_path / "out", source=source, answers=False, book=BOOK)
    page = (out / "q03_a.html").read_text()
    assert "some 4 of them" in page
    assert "You need 7" not in page
    assert page.count("Run the notebook to see") == 1


def test_the_search_reads_what_a_page_reads_out(tmp_path):
    for page, n in (
        ('<p>x</p><img src="data:image/png;base64,+7/" alt="fine">', 0),
        ('<h1 id="q03-7">x</h1><style>a { width: 7px }</style><script>7</script>', 0),
        ('<img alt="You need 7">', 1),
        ('<span class="mi">7</span>', 1),
    ):
        (tmp_path / "q03_a.html").write_text(page)
        assert (len(leaks.find_leaks(tmp_path, SOURCE)) > 0) == bool(n), page


# ---- paper -------------------------------------------------------------------------------------


def test_without_a_browser_a_handout_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="printed by Chromium or Chrome; none of chromium"):
        made("handout", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_browser_that_fails_is_named_with_what_it_said(tmp_path, monkeypatch):
    fake = tmp_path / "chromium"
    fake.write_text("#!/bin/sh\necho first >&2; echo 'no display' >&2; exit 3\n")
    fake.chmod(0o755)
    monkeypatch.setattr(chromium, "find", lambda: str(fake))
    with pytest.raises(ValueError, match=r"chromium has not printed a\.html: no display"):
        chromium.print_pdf(tmp_path / "a.html", tmp_path / "a.pdf")


@pytest.mark.browser
def test_a_handout_is_one_pdf(tmp_path, browser_executable):
    out = made("handout", tmp_path / "out")
    (pdf,) = out.glob("*.pdf")
    assert pdf.read_bytes().startswith(b"%PDF")
    assert {p.name for p in out.iterdir()} == {pdf.name, "README.md", editions.MANIFEST}
    if shutil.which("pdftotext"):
        done = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True)
        assert "How big a group" in done.stdout
        assert not re.search(r"\$.*\$", done.stdout)  # formulas are drawn
        (point, *_rest) = answers.load(QUESTION, SOURCE / "answers")["mechanism"].points
        assert squeezed(point) not in squeezed(done.stdout)


@pytest.mark.parametrize("told", [False, True])
def test_a_handout_has_room_to_write_and_answers_only_if_asked(tmp_path, monkeypatch, told):
    """Looks at the pages that Chromium would print."""
    pages = {}

    def keep(folder, names):
        pages.update({name: (folder / name).read_text() for name in names})

    monkeypatch.setattr(handout, "print_pages", keep)
    monkeypatch.setattr(handout, "require_browser", lambda: None)
    made("handout", tmp_path / "out", answers=told)
    (page,) = pages.values()
    assert page.count('<div class="write">') == 4
    assert page.count('<div class="write line">') == 1  # for the guess
    (point, *_rest) = answers.load(QUESTION, SOURCE / "answers")["mechanism"].points
    assert (squeezed(point) in squeezed(page)) is told
    assert ("Run the notebook to see" in page) is not told
