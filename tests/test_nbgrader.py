"""nbgrader 0.9.6 releases a student edition as it is, and collects what comes back."""

import getpass
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from agentrl_lite import editions, notebooks

SOURCE = Path(__file__).parents[1] / notebooks.SOURCE
VERSION = "0.9.6"
#: Not among the test tools: it brings `notebook` and a database. NBGRADER names one elsewhere.
NBGRADER = os.environ.get("NBGRADER") or shutil.which("nbgrader")

pytestmark = pytest.mark.skipif(
    NBGRADER is None, reason=f"nbgrader is not installed: pip install nbgrader=={VERSION}"
)
NAME = "q03_group_size.ipynb"


@pytest.fixture
def course(tmp_path):
    """Return a function that calls nbgrader in a course of its own."""
    folder, exchange, home = tmp_path / "course", tmp_path / "exchange", tmp_path / "home"
    for made in (folder / "source", exchange, home):
        made.mkdir(parents=True)
    exchange.chmod(0o777)
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
        # It calls its database tool by name.
        "PATH": os.pathsep.join([str(Path(NBGRADER).parent), os.environ["PATH"]]),
        "USER": getpass.getuser(),
    }

    def call(*arguments, inside=folder):
        shutil.copy(folder / "nbgrader_config.py", inside) if inside != folder else None
        done = subprocess.run(
            [NBGRADER, *arguments], cwd=inside, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout + done.stderr

    call.folder = folder
    return call


def test_a_student_edition_is_released_and_collected_as_it_is(course, tmp_path):
    assert VERSION in course("--version")
    week = editions.build("student", course.folder / "source" / "week1", ["q03"], source=SOURCE)
    course("generate_assignment", "week1", "--create")
    released = course.folder / "release" / "week1"
    assert {p.name for p in released.glob("*.ipynb")} == {p.name for p in week.glob("*.ipynb")}
    for path in week.glob("*.ipynb"):
        before, after = notebooks.read(path), notebooks.read(released / path.name)
        assert [c.source for c in after.cells] == [c.source for c in before.cells]
    course("release_assignment", "week1")
    student = tmp_path / "student"
    student.mkdir()
    course("fetch_assignment", "week1", inside=student)
    handed_in = student / "week1" / NAME
    book = notebooks.read(handed_in)
    book.cells[-1].source += "\n\nMy own words."
    handed_in.write_text(notebooks.text(book))
    course("submit", "week1", inside=student)
    course("collect", "week1")
    (came_back,) = course.folder.glob(f"submitted/*/week1/{NAME}")
    assert "My own words." in came_back.read_text()
