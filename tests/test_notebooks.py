"""Executing notebooks: same bytes twice, and failures that say where."""

import base64
import io
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from notebook_cells import PIXELS, SHADES, same_picture
from PIL import Image

from agentrl_lite import notebooks

ROOT = Path(__file__).parents[1]
# One that only links, one with every widget and a live run, one whose functions a reader writes.
# The others' outputs are compared where nbval runs them: a second run would show no more.
EXECUTED = ("00_start", "q03_group_size", "x6_mask_unit_test")

# Each line could print something else in another run, or for another reader.
RESTLESS = """
import os, sys
import ipywidgets
print(sorted({"a", "b", "c"}, key=hash), os.path.exists(os.environ["AGENTRL_READER_DIR"]))
print("one"); sys.stdout.flush(); print("two")
display(ipywidgets.IntSlider())
"""


def written(path, *cells):
    nbformat.write(new_notebook(cells=list(cells)), path)
    return path


@pytest.mark.parametrize("name", EXECUTED)
def test_executing_writes_the_bytes_that_are_stored(name):
    path = ROOT / notebooks.SOURCE / f"{name}.ipynb"
    assert notebooks.executed(path) == path.read_text(encoding="utf-8"), "run `make notebooks`"


def test_two_executions_write_the_same_bytes(tmp_path):
    path = written(
        tmp_path / "a.ipynb", new_markdown_cell("# A", id="a"), new_code_cell(RESTLESS, id="b")
    )
    first = notebooks.executed(path)
    path.write_text(first)
    assert notebooks.executed(path) == first
    (cell,) = (c for c in notebooks.read(path).cells if c.cell_type == "code")
    assert [output.output_type for output in cell.outputs] == ["stream", "display_data"]
    assert "one\ntwo\n" in cell.outputs[0].text


def test_tidy_drops_what_differs_and_keeps_what_is_meant():
    view = {notebooks.VIEW: {"model_id": "x"}, "text/plain": "slider"}
    cell = new_code_cell(
        "1",
        id="q03-a",
        execution_count=17,
        metadata={
            "tags": ["check"],
            "jupyter": {"source_hidden": True},
            "execution": {"iopub.busy": "2026"},
            "trusted": True,
            "collapsed": False,
        },
        outputs=[new_output("execute_result", view, execution_count=17)],
    )
    unrun = new_code_cell("2", id="q03-b")
    metadata = {
        "widgets": {"state": {}},
        "kernelspec": {"name": "conda-env-x", "display_name": "X"},
    }
    notebook = notebooks.tidy(new_notebook(cells=[cell, unrun], metadata=metadata))
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert cell.metadata == {"tags": ["check"], "jupyter": {"source_hidden": True}}
    assert cell.outputs[0].data == {"text/plain": "slider"}
    assert (cell.execution_count, cell.outputs[0].execution_count) == (1, 1)
    assert unrun.execution_count is None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import os; os._exit(1)", "the kernel died"),
    ],
)
def test_a_failure_names_notebook_cell_and_error(tmp_path, source, message):
    path = written(tmp_path / "bad.ipynb", new_code_cell("1"), new_code_cell(source, id="q03-bad"))
    before = path.read_bytes()
    with pytest.raises(notebooks.NotebookError) as caught:
        notebooks.refresh([path])
    assert str(caught.value) == f"{path}, cell q03-bad: {message}"
    assert path.read_bytes() == before


def test_a_cell_that_never_ends_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(notebooks, "TIMEOUT_S", 1)
    path = written(tmp_path / "slow.ipynb", new_code_cell("while True: pass", id="q03-slow"))
    with pytest.raises(notebooks.NotebookError, match="cell q03-slow: still running after 1 s"):
        notebooks.executed(path)


@pytest.mark.parametrize("content", ["", "{}", "no json"])
def test_what_is_no_notebook_is_named(tmp_path, content):
    path = tmp_path / "x.ipynb"
    path.write_text(content)
    with pytest.raises(notebooks.NotebookError, match=r"x\.ipynb can't be read as a notebook"):
        notebooks.read(path)


def test_the_kernel_gets_nothing_of_its_readers(monkeypatch, tmp_path):
    for name in ("AGENTRL_READER_DIR", "IPYTHONDIR", "MPLBACKEND", "PYTHONWARNINGS"):
        monkeypatch.setenv(name, "mine")
    environment = notebooks.kernel_environment(tmp_path)
    assert "mine" not in environment.values()
    assert environment["PYTHONHASHSEED"] == "0"


# ---- the plugin that makes each cell a test ----------------------------------------------------


def png(changed=0, by=150, size=(30, 30)):
    """Return a grey picture with some pixels changed, as base64."""
    pixels = np.full((*size, 3), 100, dtype=np.uint8)
    pixels.reshape(-1, 3)[:changed] = 100 + by
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, format="png")
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (png(), True),
        (png(PIXELS, 150), True),
        (png(PIXELS + 1, 150), False),
        (png(900, SHADES), True),
        (png(900, SHADES + 1), False),
        (png(size=(30, 31)), False),
    ],
)
def test_pictures_are_compared_with_a_tolerance(other, same):
    assert same_picture(other, png()) is same


SHOW = "from IPython.display import display; display({%r: %r}, raw=True)"


def shown(mime, now, stored):
    """Return a cell that shows `now` where the file has `stored`."""
    return new_code_cell(
        SHOW % (mime, now),
        execution_count=1,
        outputs=[new_output("display_data", {mime: stored})],
    )


def run(source):
    return new_code_cell(source, execution_count=1)


CASES = {
    "same-text": (shown("text/plain", "a", "a"), "passed"),
    "other-text": (shown("text/plain", "a", "b"), "failed"),
    "other-html": (shown("text/html", "a", "b"), "failed"),
    "own-key": (shown("application/x+json", {"a": 1}, {"a": 1}), "passed"),
    "other-own-key": (shown("application/x+json", {"a": 1}, {"a": 2}), "failed"),
    "near-picture": (shown("image/png", png(3), png()), "passed"),
    "other-picture": (shown("image/png", png(200), png()), "failed"),
    "new-output": (run("1"), "failed"),
    "widget-view": (run("import ipywidgets; display(ipywidgets.Output())"), "failed"),
    "never-run": (new_code_cell("x = 1"), "failed"),
    "error": (run("1 / 0"), "failed"),
    "offline": (run("import urllib.request as u; u.urlopen('http://127.0.0.1:1')"), "refused"),
    "no-names": (run("import socket; socket.getaddrinfo('localhost', 80)"), "refused"),
    "no-udp": (
        run("import socket as s; s.socket(type=s.SOCK_DGRAM).sendto(b'', ('127.0.0.1', 9))"),
        "refused",
    ),
    "empty-store": (
        run("import os; assert not os.path.exists(os.environ['AGENTRL_READER_DIR'])"),
        "passed",
    ),
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Return what the plugin says of each case, from one run of pytest over one notebook."""
    cells = [nbformat.from_dict(cell | {"id": name}) for name, (cell, _wanted) in CASES.items()]
    path = written(tmp_path_factory.mktemp("plugin") / "cases.ipynb", *cells)
    command = ["-m", "pytest", "-rA", "--color=no", "-p", "no:cacheprovider", f"--rootdir={ROOT}"]
    done = subprocess.run(
        [
            sys.executable,
            *command,
            "-c",
            ROOT / "pyproject.toml",
            "-p",
            "tests.notebook_cells",
            path,
        ],
        cwd=ROOT,
        # What somebody asks of the outer run, say its durations, would stand between its lines.
        env={k: v for k, v in os.environ.items() if k != "PYTEST_ADDOPTS"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize("case", CASES)
def test_the_plugin_tells_sound_cells_from_others(outcomes, case):
    wanted = CASES[case][1]
    line = next(
        line
        for line in outcomes.splitlines()
        if line.endswith(f"::{case}") or f"::{case} - " in line
    )
    assert line.startswith("PASSED" if wanted == "passed" else "FAILED")
    if wanted == "refused":
        assert "PermissionError" in outcomes.partition(f", cell {case} _")[2].partition("\n____")[0]
