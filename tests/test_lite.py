"""The site whose notebooks run in a browser: contents, wheels, settings; nothing is fetched."""

import ast
import base64
import hashlib
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from datetime import UTC, datetime
from email.parser import Parser
from importlib import metadata
from pathlib import Path

import nbformat
import pyodide_versions
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agentrl_lite.lite import build, needs, pyodide, tools, wheels
from agentrl_lite.site.links import links

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "notebooks" / "en"
NOTEBOOKS = sorted(path.name for path in SOURCE.glob("*.ipynb"))
KNOWN = pyodide.known(ROOT / pyodide.KNOWN)
OWN = "agentrl-lite"
MEGABYTE = 1e6


def settings(site):
    """Return what a site tells its kernel."""
    data = json.loads((site / "jupyter-lite.json").read_text())["jupyter-config-data"]
    return data["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]


def meta(wheel):
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as file:
        (name,) = (n for n in file.namelist() if n.endswith(".dist-info/METADATA"))
        return Parser().parsestr(file.read(name).decode())


def content(wheel):
    """Return the bytes of each file of a wheel, after its record has been held against them."""
    with zipfile.ZipFile(wheel) as file:
        found = {name: file.read(name) for name in file.namelist()}
    (record,) = (name for name in found if name.endswith(".dist-info/RECORD"))
    lines = [line.rsplit(",", 2) for line in found[record].decode().splitlines()]
    assert {name for name, _, _ in lines} == set(found)
    for name, digest, size in lines:
        if name != record:
            kind, _, text = digest.partition("=")
            padded = text + "=" * (-len(text) % 4)
            hashed = hashlib.new(kind, found[name]).digest()
            assert base64.urlsafe_b64decode(padded) == hashed, name
            assert int(size) == len(found[name])
    return found


# ---- contents ----------------------------------------------------------------------------------


def test_every_notebook_and_answer_is_there_as_it_is(lite_site):
    files = lite_site / "files"
    there = {path.relative_to(files) for path in files.rglob("*") if path.is_file()}
    wanted = {
        path.relative_to(SOURCE)
        for path in SOURCE.rglob("*")
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    }
    assert {Path(name) for name in NOTEBOOKS} | {Path("index.md"), Path("answers/q03.md")} <= there
    assert there == wanted
    for path in there:
        assert (files / path).read_bytes() == (SOURCE / path).read_bytes(), path


def test_the_file_browser_lists_every_notebook(lite_site):
    listed = json.loads((lite_site / "api/contents/all.json").read_text())["content"]
    assert set(NOTEBOOKS) <= {entry["path"] for entry in listed}
    within = json.loads((lite_site / "api/contents/answers/all.json").read_text())["content"]
    assert "answers/q03.md" in {entry["path"] for entry in within}


def test_times_are_the_same_each_time(lite_site):
    listed = json.loads((lite_site / "api/contents/all.json").read_text())["content"]
    at = datetime.fromtimestamp(tools.EPOCH_S, UTC)
    assert {datetime.fromisoformat(entry["last_modified"]) for entry in listed} == {at}
    index = json.loads((lite_site / "pypi/all.json").read_text())
    uploads = {
        file["upload_time"]
        for entry in index.values()
        for files in entry["releases"].values()
        for file in files
    }
    assert {datetime.fromisoformat(text) for text in uploads} == {at}


def test_a_page_links_its_notebook_in_the_site(lite_site):
    for name in NOTEBOOKS:
        where = links(name.removesuffix(".ipynb"), "en", "../lite", "")["JupyterLite"]
        page, _, path = where.partition("?path=")
        assert (lite_site / page.removeprefix("../lite/")).is_file()
        assert (lite_site / "files" / path).is_file()


def test_the_site_is_small(lite_site):
    sizes = {path: path.stat().st_size for path in lite_site.rglob("*") if path.is_file()}
    assert sum(sizes.values()) < 40 * MEGABYTE
    assert sum(size for path, size in sizes.items() if path.suffix == ".whl") < 5 * MEGABYTE
    assert not [path for path in sizes if path.suffix == ".map"]


# ---- wheels ------------------------------------------------------------------------------------


def test_our_wheel_is_the_package_as_it_is_now(lite_site):
    (wheel,) = (lite_site / "pypi").glob("agentrl_lite-*.whl")
    packed = content(wheel)
    package = ROOT / "agentrl_lite"
    wanted = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in package.rglob("*")
        if path.suffix in (".py", ".json")
    }
    assert {n: packed[n] for n in packed if Path(n).suffix in (".py", ".json")} == wanted
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    told = meta(wheel)
    assert (told["Name"], told["Version"]) == (OWN, metadata.version(OWN))
    required = {str(Requirement(line)) for line in told.get_all("Requires-Dist")}
    assert required >= {str(Requirement(line)) for line in project["dependencies"]}


def test_the_index_lists_every_wheel_with_its_checksum(lite_site):
    folder = lite_site / "pypi"
    index = json.loads((folder / "all.json").read_text())
    listed = {}
    for name, entry in index.items():
        for version, (file,) in entry["releases"].items():
            wheel = folder / file["url"]
            listed[wheel.name] = file["digests"]["sha256"]
            assert (meta(wheel)["Version"], canonicalize_name(meta(wheel)["Name"])) == (
                version,
                name,
            )
    there = {path.name: hashlib.sha256(path.read_bytes()) for path in folder.glob("*.whl")}
    assert listed == {name: digest.hexdigest() for name, digest in there.items()}


def test_wheels_are_in_the_versions_that_are_pinned(lite_site):
    text = (ROOT / "constraints.txt").read_text()
    pins = {
        canonicalize_name(name): version
        for name, version in re.findall(r"^([\w.-]+)==(\S+)$", text, flags=re.MULTILINE)
    }
    for path in (lite_site / "pypi").glob("*.whl"):
        name, version = canonicalize_name(meta(path)["Name"]), meta(path)["Version"]
        if name not in (OWN, "ipykernel"):
            assert pins[name] == version
    assert {name: pins[name] for name in tools.VERSIONS} == tools.VERSIONS


def test_all_that_a_starting_kernel_installs_is_in_pyodide_or_in_the_site(lite_site):
    """Walk from what the kernel asks for, as its installer does: Pyodide's packages go first."""
    kernel = lite_site / "extensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
    ours, theirs = {}, {}
    for folder, found in ((lite_site / "pypi", ours), (kernel, theirs)):
        for path in folder.glob("*.whl"):
            found.setdefault(canonicalize_name(meta(path)["Name"]), []).append(meta(path))
    markers = KNOWN.markers() | {"extra": ""}
    waiting = [Requirement(name) for name in asked_for(kernel.parent)]
    waiting.append(Requirement("piplite"))
    met = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if (wanted.marker and not wanted.marker.evaluate(markers)) or name in met:
            continue
        if name in KNOWN.packages and KNOWN.packages[name] in wanted.specifier:
            continue
        found = ours.get(name) or theirs.get(name) or []
        fitting = [one for one in found if one["Version"] in wanted.specifier]
        assert fitting, f"{wanted}: neither in Pyodide {KNOWN.version} nor in the site"
        met.add(name)
        waiting += [
            Requirement(line) for one in fitting for line in one.get_all("Requires-Dist", [])
        ]
    assert {OWN, "ipykernel", "ipywidgets", "comm", "markdown-it-py"} <= met
    assert set(ours) <= met, "a wheel that nothing asks for"
    assert not {"typer", "filelock"} & met, "there is no command line and no lock in a browser"


def asked_for(static):
    """Return what the kernel's own program installs when it starts."""
    (names,) = {
        match
        for path in static.glob("*.js")
        for match in re.findall(r'\["ssl",("[\w",]+)\]', path.read_text(encoding="utf-8"))
    }
    return ["micropip", "ssl", *re.findall(r"\w+", names)]


def test_what_a_kernel_starts_with_is_what_its_program_says():
    asked = asked_for(tools.kernel_wheels().parent)
    with_kernel = {name.replace("_", "-") for name in tools.kernel_releases()}
    brought = {name for name in asked if name.replace("_", "-") not in with_kernel}
    assert brought == set(tools.KERNEL_STARTS_WITH)


def test_what_notebooks_import_is_in_pyodide_or_in_the_site(lite_site):
    """Follow every import of every notebook through the package."""
    roots = set()
    for name in NOTEBOOKS:
        cells = nbformat.read(SOURCE / name, as_version=4).cells
        for cell in cells:
            if cell.cell_type == "code":
                for module in imported(ast.parse(cell.source)):
                    roots |= reached(module)
    assert {"numpy", "sympy", "matplotlib", "ipywidgets", "markdown_it"} <= roots
    installed = metadata.packages_distributions()
    brought = {canonicalize_name(meta(p)["Name"]) for p in (lite_site / "pypi").glob("*.whl")}
    for root in roots:
        names = {canonicalize_name(name) for name in installed[root]}
        assert names & (brought | set(KNOWN.packages)), root


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def reached(module):
    """Return what importing a module needs beyond the standard library and the package."""
    ours = pyodide_versions.files(module)
    root = module.partition(".")[0]
    if ours:
        return set().union(*map(pyodide_versions.needed, ours))
    return set() if root in sys.stdlib_module_names else {root}


def test_the_table_of_pyodide_has_the_versions_that_make_pyodide_versions_tries():
    for line in pyodide_versions.REQUIREMENTS:
        wanted = Requirement(line)
        if "==" in line:
            assert KNOWN.packages[wanted.name] in wanted.specifier, line
    assert KNOWN.python.startswith("{}.{}.".format(*pyodide_versions.PYTHON))


def test_the_starter_asks_for_the_package_and_is_newer_than_the_placeholder(tmp_path):
    made = wheels.starter(tools.placeholder(), OWN, tmp_path)
    old, new = meta(tools.placeholder()), meta(made)
    assert new.get_all("Requires-Dist") == [OWN]
    assert old.get_all("Requires-Dist") is None
    assert new["Version"] == f"{old['Version']}.post1"
    modules = {n for n in content(made) if n.startswith("ipykernel/")}
    assert {"ipykernel/__init__.py", "ipykernel/comm.py"} <= modules


def test_a_packed_wheel_holds_modules_but_no_programs_and_no_extensions(tmp_path):
    packed = content(wheels.pack("jupyterlab-widgets", tmp_path))
    roots = {name.partition("/")[0] for name in packed}
    assert roots == {"jupyterlab_widgets", f"jupyterlab_widgets-{version()}.dist-info"}
    assert not {n for n in packed if "INSTALLER" in n or "__pycache__" in n}


def version():
    return metadata.version("jupyterlab-widgets")


def test_a_wheels_record_lies_beside_its_metadata(tmp_path):
    """However an installer has spelled the folder."""
    packed = {"Some.Name-1.0.dist-info/METADATA": b"Name: Some.Name\nVersion: 1.0\n"}
    found = content(wheels.write(tmp_path, "some_name", "1.0", packed))
    assert set(found) == {*packed, "Some.Name-1.0.dist-info/RECORD"}


def test_wheels_are_the_same_each_time(tmp_path):
    for name in ("one", "two"):
        build.bring_wheels(tmp_path / name)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two


def test_a_compiled_distribution_is_not_packed(tmp_path):
    with pytest.raises(ValueError, match="name must be of pure Python; numpy"):
        wheels.pack("numpy", tmp_path)
    assert wheels.installed("numpy").pure is False
    assert wheels.installed("comm").pure is True
    assert wheels.installed("no-such-distribution") is None


# ---- what a package needs ----------------------------------------------------------------------

SMALL = pyodide.Contents("1.0", "3.12.7", {"numpy": "2.0.2", "rich": "13.7.1"})
HERE = {
    "rich": needs.Release("15.0", ["mdurl~=0.1"], True),
    "mdurl": needs.Release("0.1.2", [], True),
    "pyzmq": needs.Release("27.0", [], False),
}


def resolved(*lines, kernel=None):
    return needs.resolve(lines, SMALL, kernel or {}, HERE.get)


def test_pyodides_own_packages_go_first():
    found = resolved("numpy>=2.0", "rich")
    assert (found.pyodide, found.wheels) == ({"numpy", "rich"}, {})


def test_a_newer_version_than_pyodides_is_brought_with_what_it_needs():
    assert resolved("rich>=14").wheels == {"rich": "15.0", "mdurl": "0.1.2"}


def test_every_requirement_on_what_is_brought_is_held_against_it():
    assert resolved("mdurl", "mdurl>=0.1").wheels == {"mdurl": "0.1.2"}
    with pytest.raises(ValueError, match=r"'mdurl<0\.1' must be"):
        resolved("mdurl", "mdurl<0.1")


def test_what_the_kernel_has_is_not_brought():
    found = resolved("mdurl>=0.1", kernel={"mdurl": ["0.0.9", "0.1.999"]})
    assert (found.kernel, found.wheels) == ({"mdurl"}, {})


def test_markers_are_those_of_the_browser():
    lines = ("pyzmq; sys_platform != 'emscripten'", "mdurl; python_version == '3.12'")
    assert resolved(*lines, "pyzmq; extra == 'more'").wheels == {"mdurl": "0.1.2"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("none-such", "Pyodide has none, and none is installed here"),
        ("numpy>=3", "Pyodide has 2.0.2, and none is installed here"),
        ("mdurl>=2", "Pyodide has none, and installed here is 0.1.2"),
        ("pyzmq", "Pyodide has none, and 27.0, installed here, is not pure Python"),
    ],
)
def test_what_nobody_can_bring_is_named(line, message):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        resolved(line)
    assert str(error.value).startswith(f"'{line}' must be in Pyodide 1.0")


# ---- settings ----------------------------------------------------------------------------------


def test_pyodide_comes_from_its_public_place_unless_the_site_has_its_own(lite_site):
    assert settings(lite_site)["pyodideUrl"] == pyodide.PUBLIC
    assert not (lite_site / build.OWN).exists()
    schema = tools.kernel_wheels().parent / "schema" / "kernel.v0.schema.json"
    kernels = json.loads(schema.read_text())["properties"]["pyodideUrl"]["default"]
    theirs = re.sub(r"v0\.27\.\d+", f"v{pyodide.VERSION}", kernels)
    assert theirs == pyodide.PUBLIC, "the same place, and the same minor version"


def test_the_kernel_asks_no_package_index(lite_site):
    told = settings(lite_site)
    assert told["disablePyPIFallback"] is True
    ours, kernels = (url.partition("?sha256=") for url in told["pipliteUrls"])
    assert (ours[0], kernels[0].rpartition("/static/")[2]) == ("./pypi/all.json", "pypi/all.json")
    for path, _, digest in (ours, kernels):
        assert hashlib.sha256((lite_site / path).read_bytes()).hexdigest() == digest


def test_the_only_address_elsewhere_is_pyodides(lite_site):
    text = "".join(
        path.read_text(encoding="utf-8")
        for path in (*lite_site.glob("*.json"), *lite_site.glob("*/jupyter-lite.json"))
        if "schema" not in path.name and path.name != "package.json"
    )
    assert set(re.findall(r"https?://[^\"\s]+", text)) == {pyodide.PUBLIC}


def test_widgets_and_the_kernel_are_the_only_extensions(lite_site):
    data = json.loads((lite_site / "jupyter-lite.json").read_text())["jupyter-config-data"]
    named = {entry["name"]: entry["load"] for entry in data["federated_extensions"]}
    assert set(named) == {
        "@jupyter-widgets/jupyterlab-manager",
        "@jupyterlite/pyodide-kernel-extension",
    }
    for name, load in named.items():
        assert (lite_site / "extensions" / name / load).is_file()


def test_the_arrow_keys_belong_to_a_slider_that_has_the_focus(lite_site):
    """Each shortcut that is replaced is one of JupyterLab's, letter by letter."""
    data = json.loads((lite_site / "jupyter-lite.json").read_text())["jupyter-config-data"]
    ours = data["settingsOverrides"]["@jupyterlab/shortcuts-extension:shortcuts"]["shortcuts"]
    schema = lite_site / "build/schemas/@jupyterlab/notebook-extension/tracker.json"
    labs = json.loads(schema.read_text())["jupyter.lab.shortcuts"]
    off = [{k: v for k, v in one.items() if k != "disabled"} for one in ours if "disabled" in one]
    assert {key for one in off for key in one["keys"]} == {
        "ArrowLeft",
        "ArrowRight",
        "ArrowUp",
        "ArrowDown",
    }
    assert all(one in labs for one in off)
    again = [one for one in ours if "disabled" not in one]
    assert again == [{**one, "selector": f"{one['selector']}:not(.noUi-handle)"} for one in off]


def test_pages_that_open_notebooks_tell_where_python_cannot_be_had(lite_site):
    for name in ("lab", "notebooks"):
        page = (lite_site / name / "index.html").read_text()
        (script,) = re.findall(r'<script src="(\S+)" data-python="(\S+)"></script>', page)
        assert (lite_site / name / script[0]).resolve() == lite_site / "notice.js"
        assert script[1] == settings(lite_site)["pyodideUrl"]


# ---- a Pyodide of one's own --------------------------------------------------------------------


@pytest.fixture
def distribution(tmp_path):
    """Return a folder that has of each package of Pyodide a file, if a short one."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in pyodide.CORE:
        (folder / name).write_text(name)
    packages = {}
    depends = {"scipy": ["numpy", "openblas"], "ipython": ["prompt_toolkit"]}
    for name, number in KNOWN.packages.items():
        key = name.replace("prompt-toolkit", "prompt_toolkit")
        file = f"{key}-{number}.whl"
        (folder / file).write_text(file)
        packages[key] = {
            "name": key,
            "version": number,
            "file_name": file,
            "sha256": hashlib.sha256(file.encode()).hexdigest(),
            "depends": depends.get(key, []),
        }
    lock = {"info": {"version": pyodide.VERSION}, "packages": packages}
    (folder / pyodide.LOCK).write_text(json.dumps(lock))
    return folder


def relock(folder, change):
    lock = json.loads((folder / pyodide.LOCK).read_text())
    change(lock)
    (folder / pyodide.LOCK).write_text(json.dumps(lock))


def test_a_site_with_its_own_pyodide_names_no_other_place(distribution, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    # What JupyterLite does with these is seen in the other site.
    monkeypatch.setattr(tools, "build", bare_site)
    out = build.build(tmp_path / "out" / "lite", distribution=distribution)
    url = settings(out)["pyodideUrl"]
    assert url.startswith("./")
    assert (out / url).is_file()
    for path in (*out.glob("*.json"), *out.glob("*/index.html")):
        assert "http" not in path.read_text(), path.name
    (python,) = re.findall('data-python="([^"]+)"', (out / "lab" / "index.html").read_text())
    assert (out / "lab" / python).is_file()
    folder = (out / url).parent
    lock = json.loads((folder / pyodide.LOCK).read_text())["packages"]
    assert {entry["file_name"] for entry in lock.values()} | set(pyodide.CORE) == {
        path.name for path in folder.iterdir() if path.name not in (pyodide.LOCK, pyodide.LICENCE)
    }
    licence = (folder / pyodide.LICENCE).read_text()
    assert "Mozilla Public License 2.0" in licence
    assert f"https://github.com/pyodide/pyodide, tag {pyodide.VERSION}" in licence
    assert {"numpy", "scipy", "openblas", "sympy", "matplotlib", "micropip", "ssl"} <= set(lock)
    assert "prompt_toolkit" in lock
    assert "pandas" not in lock, "nobody has asked for it"


def bare_site(lite_dir, out):
    lite_dir.rename(out)
    for name in build.OPENING:
        (out / name).mkdir()
        (out / name / "index.html").write_text("<body></body>")


def test_a_page_in_which_the_notice_has_no_place_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "index.html").write_text("<html>")
    with pytest.raises(ValueError, match=r"lab.index\.html must end its body once"):
        build.add_notice(tmp_path, own=False)


def test_another_version_of_pyodide_is_named(distribution, tmp_path):
    relock(distribution, lambda lock: lock["info"].update(version="0.28.0"))
    with pytest.raises(ValueError, match=r"pyodide must be Pyodide 0\.27\.7; in .* is 0\.28\.0"):
        pyodide.copy(distribution, ["numpy"], tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_what_a_folder_lacks_is_named(distribution, tmp_path):
    for name in ("numpy-2.0.2.whl", "openblas-0.3.26.whl", "pyodide.asm.wasm"):
        (distribution / name).unlink()
    with pytest.raises(ValueError, match=r"lacks 3 files: numpy-2\.0\.2\.whl, openb"):
        pyodide.copy(distribution, ["scipy"], tmp_path / "target")
    relock(distribution, lambda lock: lock["packages"].pop("openblas"))
    with pytest.raises(ValueError, match="must list openblas; it does not"):
        pyodide.copy(distribution, ["scipy"], tmp_path / "target")


def test_a_damaged_file_is_named(distribution, tmp_path):
    (distribution / "numpy-2.0.2.whl").write_text("half")
    with pytest.raises(ValueError, match=r"numpy-2\.0\.2\.whl must be as .* its checksum differs"):
        pyodide.copy(distribution, ["numpy"], tmp_path / "target")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"info": {"version": "0.27.7"}}'])
def test_a_damaged_lock_is_told(distribution, text):
    (distribution / pyodide.LOCK).write_text(text)
    with pytest.raises(ValueError, match="it is damaged"):
        pyodide.checked_lock(distribution)


def test_a_folder_of_something_else_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"must be a folder of Pyodide 0\.27\.7; there is no"):
        pyodide.checked_lock(tmp_path)


def test_the_table_must_tell_of_the_version_in_use(tmp_path):
    path = tmp_path / "pyodide.json"
    path.write_text('{"version": "0.26.0", "python": "3.12", "packages": {}}')
    with pytest.raises(ValueError, match=r"must tell of Pyodide 0\.27\.7; it tells of 0\.26\.0"):
        pyodide.known(path)


# ---- refusals, and make ------------------------------------------------------------------------


def test_a_folder_with_something_else_is_not_replaced(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ValueError, match="out must be new, empty, or a JupyterLite site"):
        build.build(tmp_path, SOURCE)
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_folder_without_notebooks_is_refused(tmp_path):
    with pytest.raises(ValueError, match="source must be a folder with notebooks"):
        build.build(tmp_path / "out", tmp_path)


def test_a_failure_leaves_the_old_site(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    out = tmp_path / "lite"
    out.mkdir()
    (out / "jupyter-lite.json").write_text("old")
    with pytest.raises(ValueError, match="must be a folder of Pyodide"):
        build.build(out, SOURCE, distribution=tmp_path / "nowhere")
    assert (out / "jupyter-lite.json").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("found", ["0.7.1", None])
def test_another_jupyterlite_is_refused(monkeypatch, found):
    def told(name):
        if found is None:
            raise metadata.PackageNotFoundError(name)
        return found

    monkeypatch.setattr(tools.metadata, "version", told)
    with pytest.raises(ValueError, match=r"must be 0\.6\.4; it is") as error:
        tools.check()
    assert (found or "not installed") in str(error.value)
    assert "pip install -c constraints.txt" in str(error.value)


def test_a_program_that_fails_is_told_with_its_words(tmp_path):
    with pytest.raises(ValueError, match="hatchling has failed:") as error:
        tools.wheel(tmp_path, tmp_path)
    assert "Missing `project` metadata table" in str(error.value)


def make(*arguments):
    command = ["make", "--no-print-directory", "-n", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_make_lite_hands_a_folder_of_pyodide_on_and_renews_the_books_links():
    plain, own = make("lite"), make("lite", "PYODIDE_DIR=/some where")
    assert "--pyodide" not in plain
    assert '--out "build/book/lite" --pyodide "/some where"' in own
    built, renewed = own.splitlines()[-2:]
    assert "cli lite" in built
    assert 'if [ -f "build/book/en/index.html" ]' in renewed
    assert "cli book" in renewed
