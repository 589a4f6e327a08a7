"""How a notebook reads: its cells, tags, links and pictures. Nothing is executed here."""

import ast
import itertools
import re
import statistics
from pathlib import Path

import pytest

from agentrl_lite import answers, leaks, notebooks
from agentrl_lite.appendix import catalog, exercises

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / notebooks.SOURCE
BOOKS = sorted(SOURCE.glob("*.ipynb"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(SOURCE.glob("*.md"))]

TAGS = {"setup", "check", "hide-input", "hide-cell", "solution", "answer", "live", "kernel-only"}
LONGEST_CELL, MEDIAN_CELL, LONGEST_DEF = 15, 4, 5
LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")

each_book = pytest.mark.parametrize("path", BOOKS, ids=lambda p: p.stem)


def code_cells(path):
    return [cell for cell in notebooks.read(path).cells if cell.cell_type == "code"]


def texts(path):
    """Return the Markdown of a notebook or a page."""
    if path.suffix == ".md":
        return [path.read_text()]
    return [cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown"]


@each_book
def test_the_file_is_tidy(path):
    assert path.read_text() == notebooks.tidied(path), "run `make notebooks`"


@each_book
def test_tags_are_of_the_closed_set(path):
    for cell in notebooks.read(path).cells:
        assert set(cell.metadata.get("tags", ())) <= TAGS, cell.id


@each_book
def test_a_page_may_leave_out_what_is_for_kernels_alone(path):
    for cell in notebooks.read(path).cells:
        if "kernel-only" in cell.metadata.get("tags", ()):
            assert cell.cell_type == "markdown", cell.id
            assert not cell.source.startswith("#"), cell.id


@each_book
def test_the_title_is_the_catalogues(path):
    question = leaks.question_of(path.name)
    if question:
        asked = catalog.question(question)
        title = notebooks.read(path).cells[0].source.partition("\n")[0]
        assert title == f"# {asked.label} · {asked.title}"


@each_book
def test_hidden_cells_are_hidden_in_jupyterlab_too(path):
    for cell in code_cells(path):
        tags = set(cell.metadata.get("tags", ()))
        jupyter = cell.metadata.get("jupyter", {})
        hides_input = bool(tags & {"hide-input", "hide-cell"})
        assert jupyter.get("source_hidden", False) == hides_input, cell.id
        assert jupyter.get("outputs_hidden", False) == ("hide-cell" in tags), cell.id


@each_book
def test_a_solution_in_code_is_hidden(path):
    for cell in code_cells(path):
        tags = set(cell.metadata.get("tags", ()))
        assert "solution" not in tags or "hide-cell" in tags, cell.id


@each_book
def test_a_closed_cell_does_not_show_its_first_line(path):
    """JupyterLab shows the first line of a closed cell: it must be a comment that tells nothing."""
    for cell in code_cells(path):
        if "hide-cell" in cell.metadata.get("tags", ()):
            first = cell.source.splitlines()[0]
            assert re.fullmatch(r"# [^=]+\.", first), f"{cell.id}: {first}"


@each_book
def test_the_guess_comes_before_the_card(path):
    """A good answer computes the number: after it, a guess is none."""
    source = "\n".join(cell.source for cell in code_cells(path))
    if "answer_card(" in source and "predict(" in source:
        assert source.index("predict(") < source.index("answer_card(")


@each_book
def test_cells_are_named_by_hand(path):
    prefix = leaks.question_of(path.name) or path.stem.partition("_")[2]
    ids = [cell.id for cell in notebooks.read(path).cells]
    assert len(set(ids)) == len(ids)
    for cell_id in ids:
        assert re.fullmatch(rf"{prefix}(-[A-Za-z0-9]+)+", cell_id), cell_id


@each_book
def test_code_cells_are_short(path):
    lengths = {cell.id: len(cell.source.splitlines()) for cell in code_cells(path)}
    assert not {name: n for name, n in lengths.items() if n > LONGEST_CELL}
    assert statistics.median(lengths.values()) <= MEDIAN_CELL


@each_book
def test_code_is_plain_python_without_plotting(path):
    for cell in code_cells(path):
        tree = ast.parse(cell.source)  # a magic is a syntax error
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not names & {"plt", "matplotlib", "pylab"}, cell.id
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                assert node.end_lineno - node.lineno < LONGEST_DEF, cell.id


@each_book
def test_imports_stand_alone_in_the_first_code_cell(path):
    first, *others = code_cells(path)
    assert "setup" in first.metadata.get("tags", ()), first.id
    modules = set()
    for node in ast.parse(first.source).body:
        assert isinstance(node, ast.Import | ast.ImportFrom), first.id
        modules |= (
            {node.module}
            if isinstance(node, ast.ImportFrom)
            else {alias.name for alias in node.names}
        )
    assert not {m for m in modules if m.startswith(("matplotlib", "ipywidgets", "pylab"))}
    for cell in others:
        nodes = ast.walk(ast.parse(cell.source))
        assert not any(isinstance(n, ast.Import | ast.ImportFrom) for n in nodes), cell.id


@each_book
def test_prose_stands_before_every_code_cell(path):
    cells = notebooks.read(path).cells
    assert cells[0].cell_type == "markdown"
    for before, cell in itertools.pairwise(cells):
        assert cell.cell_type != "code" or before.cell_type == "markdown", cell.id


@each_book
def test_stored_outputs_can_be_read_by_everybody(path):
    for cell in code_cells(path):
        for output in cell.outputs:
            assert output.output_type != "error", cell.id
            assert output.get("name") != "stderr", f"{cell.id} writes to stderr"
            if "image/png" in output.get("data", {}):
                alt = output.metadata.get("image/png", {}).get("alt", "")
                assert len(alt.split()) > 3, f"the picture of {cell.id} has no alternative text"
            if output.get("data"):
                assert "text/plain" in output.data, cell.id


@each_book
def test_every_question_is_asked_and_checked(path):
    question = leaks.question_of(path.name)
    source = "\n".join(cell.source for cell in code_cells(path))
    asked = set(re.findall(r'\bcheck\("([^"]+)"', source))
    guessed = re.findall(r'\bpredict\("([^"]+)"\)', source)
    assert asked == (set(exercises.check_ids(question)) if question else set())
    assert guessed == ([p.id for p in exercises.predictions(question)] if question else [])
    assert set(guessed) == set(re.findall(r'\btruth\("([^"]+)"\)', source))
    if question and question.startswith("q"):
        assert f'answer_card("{question}")' in source


def test_questions_and_answers_come_in_pairs():
    asked = {q for p in BOOKS if (q := leaks.question_of(p.name)) and q.startswith("q")}
    assert {path.stem for path in (SOURCE / "answers").glob("*.md")} == asked
    assert asked <= {question.id for question in catalog.QUESTIONS}
    for question in asked:
        assert answers.load(question, SOURCE / "answers") is not None


@pytest.mark.parametrize("path", [*BOOKS, *PAGES], ids=lambda p: p.name)
def test_links_lead_somewhere_and_pictures_have_a_text(path):
    for text in texts(path):
        prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
        for link in LINK.finditer(prose):
            target = link["target"].partition("#")[0]
            if link["picture"]:
                assert len(link["text"].split()) > 3, f"{link[0]} has no alternative text"
            if target and not re.match(r"[a-z]+:", target):
                assert (path.parent / target).exists(), link[0]
        assert all("alt=" in tag for tag in re.findall(r"<img[^>]*>", prose))
