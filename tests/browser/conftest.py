"""A real JupyterLab, started as `make lab` starts it, and a real Chromium looking at it."""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

ROOT = Path(__file__).parents[2]
START_S = 60
# Every wait below is for something that takes a second or two on an idle machine.
PATIENCE_MS = 90_000
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# JupyterLab takes cells out of the page while they are scrolled away; the tests look at all.
WHOLE_NOTEBOOK = {"windowingMode": "none"}
_RUN = re.compile(r"\[\d+\]")


@dataclass
class Lab:
    """A running JupyterLab.

    Attributes:
        url: address up to the path.
        token: what lets a reader in.
        process: the server.
        notebooks: the folder that it serves.
        reader: the reader's store.
        outside: addresses elsewhere that a page has asked for.
    """

    url: str
    token: str
    process: subprocess.Popen
    notebooks: Path
    reader: Path
    outside: list[str] = field(default_factory=list)

    def kill_kernels(self) -> int:
        """Kill every kernel on the spot and return how many there were."""
        kernels = [
            child
            for child in psutil.Process(self.process.pid).children(recursive=True)
            if any("ipykernel" in word for word in child.cmdline())
        ]
        for kernel in kernels:
            kernel.kill()
        return len(kernels)


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Iterator[Lab]:
    """Serve a copy of the notebooks, away from the settings and the store of whoever runs this."""
    home = tmp_path_factory.mktemp("lab")
    served = home / "notebooks"
    shutil.copytree(ROOT / "notebooks" / "en", served)
    settings = home / "config/lab/user-settings/@jupyterlab/notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text(json.dumps(WHOLE_NOTEBOOK))
    token = secrets.token_hex(16)
    environment = os.environ | {
        "AGENTRL_READER_DIR": str(home / "reader"),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_TOKEN": token,
    }
    command = [sys.executable, "-m", "jupyterlab", f"--config={ROOT / 'jupyter_lab_config.py'}"]
    options = [f"--ServerApp.root_dir={served}", "--ServerApp.port=0", "--no-browser"]
    with (home / "log").open("w") as log:
        process = subprocess.Popen(
            command + options, cwd=ROOT, env=environment, stdout=log, stderr=log
        )
    try:
        url = _wait_for_url(home / "runtime", process, home / "log")
        yield Lab(url, token, process, served, home / "reader")
    finally:
        children = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for child in children:
            if child.is_running():
                child.kill()


def _wait_for_url(runtime: Path, process: subprocess.Popen, log: Path) -> str:
    """Return the server's address once it has written it down."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        for path in runtime.glob("jpserver-*.json"):
            try:
                return str(json.loads(path.read_text())["url"])
            except ValueError:
                pass  # being written
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


@pytest.fixture(scope="module")
def browser(browser_executable) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_executable, args=CHROMIUM_ARGUMENTS
        )
        yield browser
        browser.close()


class Reader:
    """Somebody at the browser, with one notebook open at a time."""

    def __init__(self, lab: Lab, browser: Browser, notebook: str) -> None:
        self.lab = lab
        self.notebook = notebook
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.route("**/*", self._guard)
        self.page: Page = self.open()

    def open(self) -> Page:
        """Open the notebook in a new tab, and wait until its kernel is ready."""
        self.page = self.context.new_page()
        self.page.goto(f"{self.lab.url}lab/tree/{self.notebook}?token={self.lab.token}&reset")
        expect(self.page.locator(".jp-Notebook .jp-Cell").first).to_be_visible(timeout=PATIENCE_MS)
        # Cells that run before the kernel is connected only bring up a dialog.
        connected = self.page.locator("#jp-main-statusbar").get_by_text("| Idle")
        expect(connected).to_be_visible(timeout=PATIENCE_MS)
        return self.page

    def run_all(self) -> None:
        """Run every cell from the menu, and wait until none is waiting any more."""
        self.choose("Edit", "editmenu:clear-all")  # else stored outputs look like new ones
        self.choose("Run", "runmenu:run-all")
        prompts = self.page.locator(".jp-CodeCell .jp-InputPrompt")
        expect(prompts.last).to_have_text(_RUN, timeout=PATIENCE_MS)
        expect(prompts.filter(has_text="*")).to_have_count(0, timeout=PATIENCE_MS)

    def choose(self, menu: str, command: str) -> None:
        """Pick a command from one of JupyterLab's menus."""
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.locator(f'.lm-Menu-item[data-command="{command}"]').click()

    def save(self) -> None:
        """Save the notebook and wait until it is on the disk: a reload cuts a save short."""
        path = self.lab.notebooks / self.notebook
        before = path.stat().st_mtime_ns
        self.choose("File", "docmanager:save")
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while path.stat().st_mtime_ns == before:
            assert time.monotonic() < deadline, f"{self.notebook} was not saved"
            self.page.wait_for_timeout(50)
        expect(self.page.locator(".lm-DockPanel-tabBar .jp-mod-dirty")).to_have_count(
            0, timeout=PATIENCE_MS
        )

    def errors(self) -> list[str]:
        """Return what cells have failed with."""
        failed = self.page.locator('[data-mime-type="application/vnd.jupyter.error"]')
        return failed.all_inner_texts()

    def _guard(self, route: Route) -> None:
        address = route.request.url
        if address.startswith((self.lab.url, "data:", "blob:")):
            route.continue_()
        else:
            self.lab.outside.append(address)
            route.abort()


@pytest.fixture(scope="module")
def reader(browser, lab) -> Iterator[Reader]:
    """Somebody who has opened the notebook about group sizes and has run all of it."""
    somebody = Reader(lab, browser, "q03_group_size.ipynb")
    somebody.run_all()
    yield somebody
    somebody.context.close()


@pytest.fixture(scope="module")
def visit(browser, lab) -> Iterator[Callable[..., Reader]]:
    """Return a function that writes a notebook of some code cells and runs all of it."""
    visitors = []

    def visit(name: str, *sources: str) -> Reader:
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(notebook, lab.notebooks / name)
        visitors.append(Reader(lab, browser, name))
        visitors[-1].run_all()
        return visitors[-1]

    yield visit
    for somebody in visitors:
        somebody.context.close()
