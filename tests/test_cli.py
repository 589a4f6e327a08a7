"""The command line: what it prints, where it writes, and how it refuses."""

import json
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from typer.testing import CliRunner

from agentrl_lite import figures
from agentrl_lite.appendix import ledger
from agentrl_lite.cli import INSTALL, app

ROOT = Path(__file__).parents[1]


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def one_line(result):
    """Return the only line that a refusal prints."""
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


def test_help_loads_nothing_heavy():
    code = (
        "import sys, agentrl_lite.cli;"
        "print({'numpy', 'matplotlib', 'ipywidgets', 'nbformat'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"


def test_help_names_every_command():
    result = run("--help")
    assert result.exit_code == 0
    names = "figures numbers notebooks sweeps edition answers collect book lite workcopy"
    for name in names.split():
        assert name in result.output


def test_what_is_not_installed_is_named_with_what_brings_it(tmp_path):
    code = "import sys; sys.modules['sphinx'] = None; from agentrl_lite.cli import app; app()"
    command = [sys.executable, "-c", code, "book", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("agentrl-lite book: ")
    assert "sphinx" in line
    assert line.endswith(f"{INSTALL} brings it")
    extras = INSTALL.partition("[")[2].partition("]")[0].split(",")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras) <= set(project["optional-dependencies"])


@pytest.mark.parametrize("fmt", ledger.FORMATS)
def test_numbers_prints_the_ledger(fmt):
    result = run("numbers", "--question", "q03", "--format", fmt)
    assert result.exit_code == 0
    assert result.stdout == ledger.render(ledger.numbers("q03"), fmt)


def test_numbers_check_agrees():
    result = run("numbers", "--check")
    assert result.exit_code == 0
    assert str(len(ledger.numbers())) in result.stdout


def test_numbers_check_tells_where_digits_and_value_part(monkeypatch):
    wrong = ledger.Number("q03-wrong", "1/3", lambda: 1 / 3, "0.334")
    monkeypatch.setattr(ledger, "numbers", lambda question=None: (wrong,))
    result = run("numbers", "--check")
    assert result.exit_code == 1
    assert "q03-wrong: printed 0.334, computed 0.333" in result.stderr


def test_an_unknown_question_is_refused_in_one_line():
    assert one_line(run("numbers", "--question", "q99")).startswith(
        "agentrl-lite numbers: question must be one of q01"
    )


def test_figures_writes_those_that_were_asked_for(tmp_path):
    first = figures.ids()[0]
    result = run("figures", "--only", first, "--format", "svg", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".json", ".svg", ".tex"]


def test_figures_of_an_unknown_question_are_refused(tmp_path):
    line = one_line(run("figures", "--only", "q99", "--out", tmp_path / "out"))
    assert "figures must be named by" in line
    assert line.endswith("there was q99")
    assert not (tmp_path / "out").exists()


def test_an_unknown_format_is_refused(tmp_path):
    assert "gif" in one_line(run("figures", "--format", "gif", "--out", tmp_path / "out"))


@pytest.fixture
def book(tmp_path):
    """Return a folder with one notebook that was never run."""
    folder = tmp_path / "book"
    folder.mkdir()
    cells = [new_markdown_cell("# T", id="q03-title"), new_code_cell("1 + 1", id="q03-sum")]
    nbformat.write(new_notebook(cells=cells), folder / "q03_a.ipynb")
    return folder


def test_notebooks_writes_and_then_changes_nothing(book):
    path = book / "q03_a.ipynb"
    before = path.read_text()
    refused = run("notebooks", "--check", book)
    assert (refused.exit_code, path.read_text()) == (1, before)
    assert str(path) in refused.stderr
    assert run("notebooks", book).exit_code == 0
    after = path.read_text()
    assert "2" in "".join(json.loads(after)["cells"][1]["outputs"][0]["data"]["text/plain"])
    second = run("notebooks", path)
    assert (second.exit_code, path.read_text()) == (0, after)
    assert "nothing changed" in second.stdout
    assert run("notebooks", "--check", book).exit_code == 0


def test_notebooks_tidy_executes_nothing(book):
    path = book / "q03_a.ipynb"
    assert run("notebooks", "--tidy", path).exit_code == 0
    assert json.loads(path.read_text())["cells"][1]["execution_count"] is None


def test_a_path_without_notebooks_is_refused(tmp_path):
    assert str(tmp_path) in one_line(run("notebooks", tmp_path))


def test_edition_writes_a_folder_once(book, tmp_path):
    out = tmp_path / "out"
    assert run("edition", "student", "--out", out, "--source", book).exit_code == 0
    assert (out / "q03_a.ipynb").is_file()
    assert "--force" in one_line(run("edition", "student", "--out", out, "--source", book))
    assert run("edition", "student", "--out", out, "--source", book, "--force").exit_code == 0


def test_edition_takes_some_questions(book, tmp_path):
    out = tmp_path / "out"
    line = one_line(
        run("edition", "student", "--out", out, "--source", book, "--questions", "q03,q77")
    )
    assert "questions must be among q03; one was 'q77'" in line
    assert not out.exists()


def test_workcopy_reports_what_it_placed(book, tmp_path):
    copy = tmp_path / "my"
    result = run("workcopy", "--source", book, "--copy", copy)
    assert result.exit_code == 0
    assert str(copy) in result.stdout
    assert run("workcopy", "--source", book, "--copy", copy).stdout == ""


def test_workcopy_hints_at_a_command_that_works(book, tmp_path):
    copy = tmp_path / "my"
    command = [sys.executable, "-m", "agentrl_lite.cli", "workcopy"]
    folders = ["--source", str(book), "--copy", str(copy)]
    subprocess.run([*command, *folders], check=True)
    for path, text in ((copy / "q03_a.ipynb", "mine"), (book / "q03_a.ipynb", "newer")):
        nbformat.write(new_notebook(cells=[new_code_cell(text, id="q03-a")]), path)
    done = subprocess.run([*command, *folders], check=True, capture_output=True, text=True)
    hint = done.stdout.strip().splitlines()[-1].partition(": ")[2]
    subprocess.run([*shlex.split(hint), *folders], check=True)
    assert (copy / "q03_a.new.ipynb").is_file()
