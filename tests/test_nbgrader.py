"""nbgrader 0.9.6 releases a student edition as it is, and collects what comes back.

`make test` puts nbgrader into a folder of its own, so that nobody's JupyterLab shows its extension.
"""

import os
import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from agentrl_lite import editions, notebooks

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / notebooks.SOURCE
VERSION = "0.9.6"
#: Where the Makefile puts it; NBGRADER names another folder.
FOLDER = Path(os.environ.get("NBGRADER") or Path(sys.prefix) / "nbgrader")
NAME = "q03_group_size.ipynb"

# Imported once: that takes longer than all commands together.
SHELL = """
import os, sys
from nbgrader.apps.nbgraderapp import NbGraderApp

for line in sys.stdin:
    folder, *arguments = line.rstrip().split("\\t")
    os.chdir(folder)
    NbGraderApp.clear_instance()
    try:
        NbGraderApp.launch_instance(argv=arguments)
    except SystemExit as end:
        if end.code:
            raise
    print("DONE", arguments[0], flush=True)
"""


@pytest.fixture(scope="module")
def installed():
    """Return what is installed in nbgrader's folder: name to distribution."""
    found = {canonicalize_name(d.name): d for d in distributions(path=[str(FOLDER)])}
    if "nbgrader" not in found:
        pytest.fail(f"nbgrader is not in {FOLDER}: `make test` puts it there", pytrace=False)
    return found


@pytest.fixture
def course(installed, tmp_path):
    """Return a function that calls nbgrader in a folder: `teacher` or `student`, its attributes."""
    teacher, student, home = (tmp_path / name for name in ("teacher", "student", "home"))
    exchange = tmp_path / "exchange"
    for folder in (teacher / "source", student, home, exchange):
        folder.mkdir(parents=True)
    exchange.chmod(0o777)
    for folder in (teacher, student):
        (folder / "nbgrader_config.py").write_text(
            "c = get_config()\n"
            "c.CourseDirectory.course_id = 'course'\n"
            f"c.CourseDirectory.root = {str(folder)!r}\n"
            f"c.Exchange.root = {str(exchange)!r}\n"
        )
    environment = os.environ | {
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(FOLDER),
        # It calls its database tool by name.
        "PATH": os.pathsep.join([str(FOLDER / "bin"), os.environ["PATH"]]),
    }
    with (
        (tmp_path / "log").open("w+") as log,
        subprocess.Popen(
            [sys.executable, "-c", SHELL],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as shell,
    ):

        def call(folder, *arguments):
            print(folder, *arguments, sep="\t", file=shell.stdin, flush=True)
            if not any(line == f"DONE {arguments[0]}\n" for line in shell.stdout):
                log.seek(0)
                pytest.fail(f"nbgrader {' '.join(arguments)}: {log.read()[-2000:]}")

        call.teacher, call.student = teacher, student
        yield call
        shell.stdin.close()


def test_a_student_edition_is_released_and_collected_as_it_is(course):
    teacher, student = course.teacher, course.student
    week = editions.build("student", teacher / "source" / "week1", ["q03"], source=SOURCE)
    course(teacher, "generate_assignment", "week1", "--create")
    course(teacher, "release_assignment", "week1")
    course(student, "fetch_assignment", "week1")
    fetched = student / "week1"
    assert {p.name for p in fetched.iterdir()} == {p.name for p in week.iterdir()}
    for path in week.glob("*.ipynb"):
        before, after = notebooks.read(path), notebooks.read(fetched / path.name)
        assert [(c.id, c.source) for c in after.cells] == [(c.id, c.source) for c in before.cells]
    book = notebooks.read(fetched / NAME)
    book.cells[-1].source += "\n\nMy own words."
    (fetched / NAME).write_text(notebooks.text(book))
    (fetched / "answers.json").write_text("{}")
    course(student, "submit", "week1")
    course(teacher, "collect", "week1")
    (came_back,) = teacher.glob(f"submitted/*/week1/{NAME}")
    assert came_back.read_text() == (fetched / NAME).read_text()
    assert (came_back.parent / "answers.json").is_file()


def test_it_is_the_version_that_is_promised_beside_the_pins(installed):
    assert installed["nbgrader"].version == VERSION
    pins = dict(re.findall(r"(?m)^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text()))
    pins = {canonicalize_name(name): Version(version) for name, version in pins.items()}
    for name, one in installed.items():
        assert Version(one.version) == pins[name], name
        for need in map(Requirement, one.requires or ()):
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert pins[canonicalize_name(need.name)] in need.specifier, (name, str(need))
