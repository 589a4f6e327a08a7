"""Where a line may stand: who imports whom, what things are called, how long they get."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "agentrl_lite"
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST = 300

CALCULATING = {"numpy", "scipy"}

# Part of the package: what it may import from elsewhere, and which other parts. A part that isn't
# here calculates: numpy, scipy, and other parts that calculate. Exceptions get a line of their own.
PARTS = {
    "i18n": (set(), set()),
    "atomic": (set(), set()),
    "answers": ({"markdown_it", "mdit_py_plugins"}, {"i18n"}),
    "appendix": (CALCULATING, {"calculating", "i18n"}),
    "reader": ({"filelock"}, {"answers", "appendix", "atomic", "i18n"}),
    "experiments": (set(), {"calculating", "i18n"}),
    "gym_env": ({"gymnasium", "numpy"}, {"calculating"}),
    "saved_runs": (CALCULATING, {"calculating", "atomic"}),
    "sweeps": (CALCULATING | {"joblib", "tqdm"}, {"calculating", "atomic", "experiments", "i18n"}),
    "figures": (
        CALCULATING | {"matplotlib", "PIL", "tqdm"},
        {"calculating", "appendix", "atomic", "experiments", "sweeps", "i18n", "__init__"},
    ),
    "widgets": (
        {"ipywidgets", "traitlets"},
        {"calculating", "answers", "appendix", "experiments", "figures", "i18n", "reader"},
    ),
    "notebooks": ({"nbclient", "nbformat", "tqdm"}, set()),
    "leaks": (set(), {"appendix", "notebooks"}),
    "editions": (
        {"nbconvert", "nbformat"},
        {"answers", "appendix", "i18n", "leaks", "notebooks", "__init__"},
    ),
    "collect": (set(), {"answers", "appendix", "i18n", "reader"}),
    "workcopy": (set(), {"atomic", "i18n"}),
    "site": (
        CALCULATING | {"docutils", "matplotlib", "PIL", "sphinx"},
        {"calculating", "answers", "appendix", "atomic", "figures", "i18n", "__init__"},
    ),
    "lite": ({"packaging"}, set()),
    "cli": (
        {"typer"},
        {"answers", "appendix", "collect", "editions", "experiments", "figures", "lite"}
        | {"i18n", "notebooks", "reader", "site", "sweeps", "workcopy"},
    ),
    "__init__": (set(), set()),
}


def part_of(module):
    """Return the part that a dotted name within the package belongs to: `figures`."""
    names = module.split(".")
    return names[1] if len(names) > 1 else "__init__"


def dotted(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree, everywhere=True):
    """Yield the dotted name of each module that a module's text imports."""
    nodes = ast.walk(tree) if everywhere else tree.body
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                inside = ROOT / f"{node.module}.{alias.name}".replace(".", "/")
                is_module = inside.is_dir() or inside.with_suffix(".py").is_file()
                yield f"{node.module}.{alias.name}" if is_module else node.module


def forbidden(module, tree):
    """Return the imports that the table doesn't allow to a module."""
    part = part_of(module)
    outside, inside = PARTS.get(part, (CALCULATING, {"calculating"}))
    wrong = []
    for name in imported(tree):
        root = name.partition(".")[0]
        if root in sys.stdlib_module_names or root == "__future__":
            continue
        if root == "agentrl_lite":
            other = part_of(name)
            kind = other if other in PARTS else "calculating"
            if other != part and kind not in inside:
                wrong.append(name)
        elif root not in outside:
            wrong.append(name)
    return wrong


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_imports_follow_the_table(path):
    assert forbidden(dotted(path), ast.parse(path.read_text())) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("agentrl_lite.advantages", "import matplotlib"),
        ("agentrl_lite.advantages", "def f():\n    from ipywidgets import HTML"),
        ("agentrl_lite.advantages", "from agentrl_lite import figures"),
        ("agentrl_lite.advantages", "from agentrl_lite.i18n import _"),
        ("agentrl_lite.figures.q03", "import ipywidgets"),
        ("agentrl_lite.figures.q03", "from agentrl_lite import widgets"),
        ("agentrl_lite.cli", "from agentrl_lite.widgets import explore"),
        ("agentrl_lite.reader.store", "import numpy"),
        ("agentrl_lite.kl", "import torch"),
        ("agentrl_lite.bugfix.env", "import gymnasium"),
    ],
)
def test_forbidden_imports_are_found(module, source):
    assert len(forbidden(module, ast.parse(source))) == 1


def test_nothing_imports_widgets():
    assert all("widgets" not in inside for _outside, inside in PARTS.values())


def test_no_module_imports_itself_round_a_corner():
    graph = {
        dotted(path): set(imported(ast.parse(path.read_text()), everywhere=False))
        for path in MODULES
    }
    done, open_ = set(), []

    def visit(module):
        assert module not in open_, f"a circle of imports: {' -> '.join([*open_, module])}"
        if module in done:
            return
        open_.append(module)
        for other in sorted(graph[module] & graph.keys()):
            visit(other)
        done.add(open_.pop())

    for module in graph:
        visit(module)


def test_nothing_heavy_happens_at_import():
    """Pyodide has no threads and no processes, and a reader's machine may have no network."""
    for path in MODULES:
        tree = ast.parse(path.read_text())
        names = {name.partition(".")[0] for name in imported(tree)}
        heavy = names & {"multiprocessing", "concurrent", "subprocess", "socket"}
        heavy |= names & {"urllib", "requests", "httpx"}
        if dotted(path) == "agentrl_lite.editions.chromium":
            heavy.discard("subprocess")  # it prints handouts; no notebook imports it
        if dotted(path) == "agentrl_lite.site.pictures":
            heavy.discard("concurrent")  # it draws for the site; no notebook imports it
        if dotted(path) == "agentrl_lite.lite.tools":
            heavy.discard("subprocess")  # it runs JupyterLite; no notebook imports it either
        assert not heavy, (dotted(path), heavy)
        # A lock guards against the kernel's threads; one of our own is never started.
        used = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
        of_threading = {n.attr for n in used if ast.unparse(n.value) == "threading"}
        assert of_threading <= {"RLock"}, dotted(path)


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_module_is_named_for_what_it_does_and_stays_short(path):
    assert not {"utils", "util", "helpers", "helper", "common", "misc"} & set(path.parts)
    assert path.stem not in {"utils", "util", "helpers", "helper", "common", "misc"}
    assert len(path.read_text().splitlines()) <= LONGEST


def test_no_two_widgets_style_one_class():
    """A page holds every widget's style at once, and JupyterLab every open notebook's."""
    styled = {}
    for path in (ROOT / "agentrl_lite" / "widgets").glob("*.py"):
        for name in re.findall(r"(?m)^ *(\.arl-[\w-]+)[^\n{;]*[{,]", path.read_text()):
            styled.setdefault(name, set()).add(path.stem)
    assert {"explore", "output", "progress", "table"} <= set.union(*styled.values())
    shared = {name for name, by in styled.items() if len(by) > 1}
    # What `output` gives every block, a widget may refine.
    assert {n for n in shared if "output" not in styled[n]} == set(), styled
