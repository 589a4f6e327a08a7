"""The students' edition tells no answer, and its checks still work."""

import ast
import builtins
import functools
import json
import re
import shutil
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from agentrl_lite import editions, figures, leaks, notebooks
from agentrl_lite.appendix import exercises
from agentrl_lite.widgets import answer_card

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / notebooks.SOURCE
QUESTIONS = sorted({q for p in SOURCE.glob("*.ipynb") if (q := leaks.question_of(p.name))})
CARD, FIGURE = (f"application/vnd.agentrl.{kind}+json" for kind in ("card", "figure"))
SENTENCE = "Groups that agree with themselves cancel and were bought for nothing."


@pytest.fixture(scope="module")
def student(tmp_path_factory):
    """Return the students' edition of the whole book."""
    return editions.build("student", tmp_path_factory.mktemp("editions") / "student", source=SOURCE)


def cells_of(folder):
    for path in sorted(folder.glob("*.ipynb")):
        for cell in notebooks.read(path).cells:
            yield path, cell


# ---- the real book -----------------------------------------------------------------------------


def test_the_students_edition_has_every_notebook(student):
    assert {p.name for p in student.glob("*.ipynb")} == {p.name for p in SOURCE.glob("*.ipynb")}


def test_it_holds_no_answer_cell_output_or_metadata(student):
    assert not (student / "answers").exists()
    assert not (student / "agentrl_lite").exists()
    for path, cell in cells_of(student):
        assert not leaks.is_secret(cell), (path.name, cell.id)
        assert not cell.get("outputs"), (path.name, cell.id)
        assert cell.get("execution_count") is None, (path.name, cell.id)
        assert set(cell.metadata) <= {"tags"}, (path.name, cell.id)


def test_no_file_of_it_quotes_an_answer(student):
    """Looks for each sentence and each literal by a second way than `find_leaks`: plain search."""
    handed_out = list(cells_of(student))
    everything = squeezed("\n".join(cell.source for _path, cell in handed_out))
    everything += squeezed((student / "README.md").read_text())
    for sentence in sentences():
        assert squeezed(sentence) not in everything, sentence
    for path, cell in cells_of(SOURCE):
        if leaks.is_secret(cell) and cell.cell_type == "code":
            # What the scenario states is no secret.
            own = "\n".join(
                c.source
                for p, c in handed_out
                if p.name == path.name and not c.id.endswith("-scenario")
            )
            for literal in long_literals(cell.source):
                assert not re.search(rf"(?<![\w.]){re.escape(literal)}(?![\w])", own), literal


def test_the_wheel_that_comes_with_it_holds_no_sentence_of_an_answer():
    """Every file of the package's folder is in it; a formula or a number a check needs may be."""
    package = [path for path in (ROOT / "agentrl_lite").rglob("*") if path.is_file()]
    assert not [p for p in package if p.suffix == ".ipynb" or p.parent.name == "answers"]
    texts = [p.read_text() for p in package if p.suffix in (".py", ".json", ".pot", ".po", ".md")]
    everything = squeezed("\n".join(texts))
    assert squeezed("What produces the symptom, step by step") in everything
    for sentence in sentences():
        assert squeezed(sentence) not in everything, sentence


def sentences():
    """Yield the answers' sentences of more than five words."""
    for answer in SOURCE.glob("answers/*.md"):
        for sentence in re.split(r"(?<=[.?])\s+|\n+", answer.read_text()):
            if len(sentence.split()) > 5:
                yield sentence.removeprefix("- [ ] ")


def squeezed(text):
    return re.sub(r"[\W_]+", "", text).lower()


def long_literals(code):
    """Yield the decimals of a cell's code that have three digits or more after leading zeros."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            text = repr(node.value)
            if len(text.replace(".", "").lstrip("0")) >= 3 and "e" not in text:
                yield text


def solution_of(path, exercise):
    """Return the code of an exercise's solution, as the book has it."""
    cells = [c for c in notebooks.read(path).cells if c.id.startswith(f"{exercise}-")]
    tagged = [c for c in cells if "solution" in c.metadata.get("tags", ())]
    return "\n".join(c.source for c in tagged if c.cell_type == "code")


def code_of(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_cell_of_it_needs_one_that_is_not_there(student, question):
    (path,) = student.glob(f"{question}_*.ipynb")
    tree = ast.parse("\n".join(code_of(notebooks.read(path))))
    made, used = set(dir(builtins)), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler):
            made.add(node.name)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
    assert used <= made, used - made


@pytest.mark.parametrize("question", QUESTIONS)
def test_its_checks_accept_the_truth(student, question):
    """Runs the setup, then each cell that waits, with the truth in place of the three dots."""
    (path,) = student.glob(f"{question}_*.ipynb")
    truths = {one.id: one.truth() for block in exercises.blocks() for one in block.CHECKS}
    place, asked = {}, set()
    for cell in notebooks.read(path).cells:
        if "setup" in cell.metadata.get("tags", ()):
            exec(cell.source, place)
        for name in re.findall(rf'check\("({question}-[^"]+)", *\w+\)', cell.source):
            asked.add(name)
            if cell.source.startswith("from "):  # a cell that shows how a check is called
                continue
            *body, last = ast.parse(cell.source.replace("= ...", f"= {truths[name]!r}")).body
            exec(compile(ast.Module(body, []), cell.id, "exec"), place)
            verdict = eval(compile(ast.Expression(last.value), cell.id, "eval"), place)
            assert "✓" in verdict._repr_mimebundle_()["text/plain"], name
    functions = set(re.findall(rf'check\("({question}-[^"]+)", *\w+\(', str(code_of(
        notebooks.read(path)
    ))))  # fmt: skip
    assert asked | functions == set(exercises.check_ids(question))


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_output_of_it_shows_what_its_checks_accept(student, question):
    """Its cells with the outputs that the book has stored: what a reader sees after *Run all*."""
    (path,) = student.glob(f"{question}_*.ipynb")
    stored = {c.id: c.get("outputs", ()) for c in notebooks.read(SOURCE / path.name).cells}
    cells = notebooks.read(path).cells
    for cell in cells:
        cell.outputs = stored[cell.id]
    assert told(question, cells) == []


def told(question, cells):
    """Return (cell, check, number) for each number in an output that a check takes for right.

    A figure's start is ours to choose: it must show none, wherever it stands. Another output may
    show one below the check that asks for it. What the scenario states is no secret.
    """
    given, asked = set(), {}
    for place, cell in enumerate(cells):
        if cell.id == f"{question}-scenario":
            given = numbers(cell.source)
        for check in re.findall(rf'check\("({question}-[^"]+)"', cell.source):
            asked[check] = place
    return [
        (cell.id, check, number)
        for place, cell in enumerate(cells)
        for output in cell.get("outputs", ())
        for number in sorted(numbers(" ; ".join(shown(output))) - given)
        for check in exercises.check_ids(question)
        if FIGURE in output.get("data", {}) or place < asked.get(check, len(cells))
        if accepts(check, number)
    ]


def shown(output):
    """Yield what an output says: its text, and a figure's alternative, caption and controls."""
    data = output.get("data", {})
    if CARD in data:  # its reference, which the edition does not have
        return
    yield output.get("text", "")
    yield data.get("text/plain", "")
    yield re.sub(r"(?s)<style.*?</style>|<[^<>]*>", " ", data.get("text/html", ""))
    yield output.get("metadata", {}).get("image/png", {}).get("alt", "")
    if FIGURE in data:
        figure = figures.get(data[FIGURE]["figure"])
        yield figure.caption
        yield from (figure.control(k).text(v) for k, v in data[FIGURE]["values"].items())


def numbers(text):
    return {sign * value for value, _digits in leaks.numbers_in(text) for sign in (1, -1)}


@functools.cache
def accepts(check, number):
    return exercises.judge(check, number).status == "right"


def test_it_runs(student, tmp_path):
    """Runs all of X6, whose functions, that a reader is to write, are taken from its solutions."""
    (path,) = student.glob("x6_*.ipynb")
    notebook = notebooks.read(path)
    asked = []
    for cell in notebook.cells:
        for name, written in re.findall(r'check\("(x6-[^"]+)", *\w+\((\w+)', cell.source):
            solution = solution_of(SOURCE / path.name, cell.id.removesuffix("-check"))
            (made,) = re.findall(r"(?m)^def (\w+)\(collate\)", solution)
            cell.source = f"{solution}\n{written} = {made}\n{cell.source}"
            asked.append((cell, name))
    client = NotebookClient(notebook, resources={"metadata": {"path": str(student)}})
    client.execute(env=notebooks.kernel_environment(tmp_path))
    assert len(asked) == 2
    for cell, name in asked:
        assert "✓" in cell.outputs[-1].data["text/plain"], name


def test_the_instructors_edition_keeps_everything(tmp_path):
    out = editions.build("instructor", tmp_path / "out", source=SOURCE)
    assert {p.name for p in (out / "answers").iterdir()} == {
        p.name for p in (SOURCE / "answers").iterdir()
    }
    for path in SOURCE.glob("*.ipynb"):
        mine, original = notebooks.read(out / path.name), notebooks.read(path)
        assert [c.id for c in mine.cells] == [c.id for c in original.cells]
        assert [c.get("outputs") for c in mine.cells] == [c.get("outputs") for c in original.cells]


# ---- a small book with planted leaks -----------------------------------------------------------


@pytest.fixture
def book(tmp_path):
    """Return a book of one question, whose answers know a sentence, a number and a truth."""
    source = tmp_path / "en"
    (source / "answers").mkdir(parents=True)
    (source / "answers" / "q03.md").write_text(
        f"# q03\n\n## Mechanism\n\n{SENTENCE} It is 18.53 %.\n"
    )
    shown = new_output("execute_result", {"text/plain": "'43.05'"}, execution_count=1)
    cells = [
        new_markdown_cell("We pay for 512 episodes, 1.25 each.", id="q03-scenario"),
        new_markdown_cell("See [the start](00_start.ipynb), [Q4](q04_b.ipynb).", id="q03-links"),
        new_code_cell("1 + 1", id="q03-sum", outputs=[shown], execution_count=1),
        new_markdown_cell("What of 0.375?", id="q03-exercise-1"),
        new_code_cell("x = ...", id="q03-exercise-1-check"),
        new_code_cell(
            "assert x == 0.8125\nassert y == 512\nz = 0.375",
            id="q03-solution",
            metadata={"tags": ["solution"]},
            outputs=[new_output("stream", name="stdout", text="forty-two 27.45\n")],
            execution_count=2,
        ),
    ]
    nbformat.write(new_notebook(cells=cells), source / "q03_a.ipynb")
    nbformat.write(
        new_notebook(cells=[new_markdown_cell("# Start", id="start-title")]),
        source / "00_start.ipynb",
    )
    return source


def planted(book, source, kind="markdown", **more):
    """Add a cell with `source` to the question's notebook."""
    path = book / "q03_a.ipynb"
    notebook = notebooks.read(path)
    new = new_markdown_cell if kind == "markdown" else new_code_cell
    notebook.cells.append(new(source, **({"id": "q03-planted"} | more)))
    nbformat.write(notebook, path)


def test_a_sound_book_goes_out(book, tmp_path):
    out = editions.build("student", tmp_path / "out", source=book)
    assert {p.name for p in out.iterdir()} == {
        "00_start.ipynb",
        "q03_a.ipynb",
        "README.md",
        editions.MANIFEST,
    }
    assert leaks.find_leaks(out, book) == []


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        "as said, groups that *agree* with\nthemselves   cancel and were **bought** for nothing",
        "<b>Groups that agree</b> with themselves cancel and were bought for nothing!",
        "The share is 18.53 %.",
        "The share is 0.1853.",
        "About 18.530 in a hundred",
        "It comes to 0.8125.",
        "Printed: 27.45",
        "You need 7.",
        "You need seven.",
        "Then 899 are paid.",
        "Or 898.6, say.",
    ],
)
@pytest.mark.parametrize("kind", ["markdown", "code"])
def test_a_leak_is_refused_and_nothing_is_written(book, tmp_path, text, kind):
    planted(book, text if kind == "markdown" else f"# {' '.join(text.split())}", kind)
    out = tmp_path / "out"
    with pytest.raises(editions.LeakError, match=r"q03_a\.ipynb, cell q03-planted: "):
        editions.build("student", out, source=book)
    assert not out.exists()
    assert not list(tmp_path.glob(".edition-*"))


@pytest.mark.parametrize(
    "text",
    ["512 episodes at 1.25", "What of 0.375?", "Version 18.53.1", "Q7 and G7", "Groups agree."],
)
def test_what_is_given_or_means_something_else_is_no_leak(book, tmp_path, text):
    planted(book, text)
    editions.build("student", tmp_path / "out", source=book)


def test_what_the_card_shows_everybody_is_no_leak_but_its_reference_is(book, tmp_path):
    """The card stands in the notebook twice, the second time tagged as an answer."""
    card = new_output(
        "display_data", {"text/html": f"<h3>How big a group it is</h3><p>{SENTENCE}</p>"}
    )
    for number, tags in enumerate(([], ["answer"])):
        planted(
            book,
            "answer_card('q03')",
            "code",
            outputs=[card],
            metadata={"tags": tags},
            id=f"q03-card-{number}",
        )
    planted(book, "How big a group it is")
    editions.build("student", tmp_path / "out", source=book)
    planted(book, SENTENCE, id="q03-told")
    with pytest.raises(editions.LeakError, match="cell q03-told: quotes an answer"):
        editions.build("student", tmp_path / "out2", source=book)


@pytest.mark.parametrize(
    "tamper",
    [
        lambda n: n.cells[0].metadata.update(note=SENTENCE),
        lambda n: n.metadata.update(title=SENTENCE),
        lambda n: n.cells[2].outputs.append(new_output("stream", text=SENTENCE)),
        lambda n: n.cells[2].outputs.append(new_output("display_data", {"text/html": SENTENCE})),
        lambda n: n.cells[2].outputs.append(
            new_output("display_data", {"text/html": "<td style='color: red'>18.53</td>"})
        ),
        lambda n: n.cells[2].outputs.append(
            new_output("display_data", {"application/vnd.agentrl.card+json": {"x": [SENTENCE]}})
        ),
        lambda n: n.cells[2].outputs.append(
            new_output("display_data", {"image/png": ""}, metadata={"image/png": {"alt": SENTENCE}})
        ),
    ],
)
def test_the_search_reads_outputs_and_metadata(book, tmp_path, tamper):
    out = editions.build("student", tmp_path / "out", source=book)
    path = out / "q03_a.ipynb"
    notebook = notebooks.read(path)
    tamper(notebook)
    path.write_text(json.dumps(notebook))
    assert [leak.file for leak in leaks.find_leaks(out, book)] == ["q03_a.ipynb"]


@pytest.mark.parametrize(
    ("kind", "said", "below", "number"),
    [
        ("table", "above 0.509 it stops", False, 0.509),
        ("table", "above 50.9 % it stops", False, 0.509),
        ("table", "above 0.509 it stops", True, None),
        ("figure", "The share is 0.509.", True, 0.509),
        ("figure", "The share is 0.511, not 0.508.", False, None),
        ("card", "The share is 0.509.", False, None),
    ],
)
def test_an_output_may_not_tell_what_is_asked_below_nor_a_figure_at_all(kind, said, below, number):
    data = {"text/plain": said}
    if kind == "figure":
        data[FIGURE] = {"figure": "q03-pool", "values": {"n": 0.15, "p": 0.1}}
    elif kind == "card":
        data[CARD] = {"card": "q03"}
    output = new_output("execute_result", data, execution_count=1)
    asks = new_code_cell('check("q03-two-pools", x)', id="q03-asks")
    shows = new_code_cell("x", id="q03-shows", outputs=[output])
    scenario = new_markdown_cell("We waste 50.8 %.", id="q03-scenario")
    cells = [scenario, asks, shows] if below else [scenario, shows, asks]
    expected = [] if number is None else [("q03-shows", "q03-two-pools", number)]
    assert told("q03", cells) == expected


def test_a_colour_in_an_output_is_no_number(book, tmp_path):
    out = editions.build("student", tmp_path / "out", source=book)
    path = out / "q03_a.ipynb"
    notebook = notebooks.read(path)
    styled = "<style>td { color: rgb(0, 18.53, 0) }</style><td style='flex: 18.53'>fine</td>"
    notebook.cells[2].outputs.append(new_output("display_data", {"text/html": styled}))
    path.write_text(json.dumps(notebook))
    assert leaks.find_leaks(out, book) == []


@pytest.mark.parametrize("name", ["answers/q03.md", "q03.md", "notes.txt"])
def test_the_search_reads_every_file(book, tmp_path, name):
    out = editions.build("student", tmp_path / "out", source=book)
    (out / name).parent.mkdir(exist_ok=True)
    shutil.copyfile(book / "answers" / "q03.md", out / name)
    assert {leak.file for leak in leaks.find_leaks(out, book)} == {name}


def test_links_to_what_is_not_handed_out_become_text(book, tmp_path):
    out = editions.build("student", tmp_path / "out", source=book)
    (cell,) = (c for c in notebooks.read(out / "q03_a.ipynb").cells if c.id == "q03-links")
    assert cell.source == "See [the start](00_start.ipynb), Q4."


def test_a_paragraph_that_is_only_a_link_goes_with_it(book, tmp_path):
    planted(book, "[How to](90_gone.ipynb)\n\n[Start](00_start.ipynb)\n\nBy [Q4](q04_b.ipynb).")
    out = editions.build("student", tmp_path / "out", source=book)
    (cell,) = (c for c in notebooks.read(out / "q03_a.ipynb").cells if c.id == "q03-planted")
    assert cell.source.strip() == "[Start](00_start.ipynb)\n\nBy Q4."


def test_pictures_in_the_text_come_along(book, tmp_path):
    (book / "images").mkdir()
    (book / "images" / "a.png").write_bytes(b"\x89PNG")
    planted(book, "![A curve](images/a.png) ![B](https://example.org/b.png)")
    out = editions.build("student", tmp_path / "out", source=book)
    assert (out / "images" / "a.png").read_bytes() == b"\x89PNG"


def test_some_questions_come_with_the_start_page_and_their_answers(book, tmp_path):
    other = new_notebook(cells=[new_markdown_cell("# Q4", id="q04-title")])
    nbformat.write(other, book / "q04_b.ipynb")
    (book / "answers" / "q04.md").write_text("# q04\n")
    out = editions.build("instructor", tmp_path / "out", ["q04"], source=book)
    found = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
    assert found == {"00_start.ipynb", "q04_b.ipynb", "answers/q04.md", "README.md", "edition.json"}


@pytest.mark.parametrize("kind", ["student", "instructor"])
def test_no_link_of_a_subset_is_dead(kind, tmp_path):
    """Neither in the text nor in a stored output: the start page lists all notebooks."""
    out = editions.build(kind, tmp_path / "out", ["q03", "q21"], source=SOURCE)
    present = {p.name for p in out.glob("*.ipynb")}
    assert {name.partition("_")[0] for name in present} == {"00", "q03", "q21"}
    linked = set()
    for path, cell in cells_of(out):
        pages = [o.data.get("text/html", "") for o in cell.get("outputs", ()) if "data" in o]
        targets = re.findall(r"""(?:\]\(|href=["'])([^)"'#]+)""", "\n".join([cell.source, *pages]))
        linked |= {t for t in targets if not re.match(r"[a-z]+:", t)}
        assert "q04_lone_success.ipynb" not in json.dumps(cell), (path.name, cell.id)
    assert linked <= present
    assert linked


@pytest.mark.parametrize("kind", ["student", "instructor"])
def test_a_zip_file_holds_the_folder(book, tmp_path, kind):
    folder = editions.build(kind, tmp_path / "course", source=book)
    file = editions.build(kind, tmp_path / "course", source=book, zipped=True)
    assert file == tmp_path / "course.zip"
    with zipfile.ZipFile(file) as opened:
        assert opened.testzip() is None
        inside = {name: opened.read(name) for name in opened.namelist()}
    on_disk = {
        f"course/{p.relative_to(folder).as_posix()}": p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file()
    }
    assert inside == on_disk


def test_two_zip_files_of_one_book_are_equal_and_the_ending_may_be_said(book, tmp_path):
    one = editions.build("student", tmp_path / "a" / "x", source=book, zipped=True)
    two = editions.build("student", tmp_path / "b" / "x.zip", source=book, zipped=True)
    assert one.read_bytes() == two.read_bytes()


def test_a_zip_file_replaces_only_an_edition(book, tmp_path):
    editions.build("student", tmp_path / "x", source=book, zipped=True)
    with pytest.raises(ValueError, match="--force replaces it"):
        editions.build("student", tmp_path / "x", source=book, zipped=True)
    editions.build("student", tmp_path / "x", source=book, zipped=True, force=True)
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as other:
        other.writestr("thesis.md", "mine")
    (tmp_path / "text.zip").write_text("mine")
    for name in ("mine", "text"):
        before = (tmp_path / f"{name}.zip").read_bytes()
        with pytest.raises(ValueError, match="holds something else"):
            editions.build("student", tmp_path / name, source=book, zipped=True, force=True)
        assert (tmp_path / f"{name}.zip").read_bytes() == before


def test_answers_are_no_choice_for_notebooks(book, tmp_path):
    with pytest.raises(ValueError, match="student always has no answers"):
        editions.build("student", tmp_path / "out", source=book, answers=True)
    with pytest.raises(ValueError, match="instructor always has answers"):
        editions.build("instructor", tmp_path / "out", source=book, answers=False)


def test_a_students_card_says_where_the_answer_is_to_be_had(tmp_path, monkeypatch):
    out = editions.build("student", tmp_path / "out", ["q03"], source=SOURCE)
    assert "from your teacher" in (out / "README.md").read_text()
    monkeypatch.chdir(out)
    shown = answer_card("q03")._repr_mimebundle_()["text/html"]
    assert "whoever handed it out has it" in shown


def test_a_folder_in_use_is_left_alone(book, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.md").write_text("mine")
    for force in (False, True):
        with pytest.raises(ValueError, match="holds something else"):
            editions.build("student", out, source=book, force=force)
    assert [p.name for p in out.iterdir()] == ["thesis.md"]


def test_an_earlier_edition_is_replaced_only_by_force(book, tmp_path):
    out = tmp_path / "out"
    editions.build("instructor", out, source=book)
    with pytest.raises(ValueError, match=r"out must be empty.*--force"):
        editions.build("student", out, source=book)
    assert (out / "answers").exists()
    editions.build("student", out, source=book, force=True)
    assert not (out / "answers").exists()
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("film", "out"),
            "kind must be one of student, instructor, slides, handout; it was 'film'",
        ),
        (("student", "out", ["q77"]), "questions must be among q03; one was 'q77'"),
        (("student", "out", ["q03", ""]), "questions must be among q03; one was ''"),
        (("student", "out", []), "questions must name at least one of q03; it was empty"),
    ],
)
def test_errors_say_what_was_expected(book, tmp_path, arguments, message):
    kind, out, *rest = arguments
    with pytest.raises(ValueError, match=message):
        editions.build(kind, tmp_path / out, *rest, source=book)
