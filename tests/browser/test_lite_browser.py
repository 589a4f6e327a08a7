"""The site whose notebooks run in a browser, as a reader meets it.

Without Pyodide at hand a notebook opens with its stored pictures, and its kernel asks for Pyodide
at its public place alone. With it, the kernel runs.
"""

import functools
import http.server
import json
import os
import re
import threading
import time
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from agentrl_lite.lite import pyodide
from agentrl_lite.site.links import links
from tests import built

pytestmark = pytest.mark.browser

NOTEBOOK = "q03_group_size.ipynb"
LIVE = "q27_length_growth.ipynb"
PATIENCE_MS = 90_000
# A kernel that starts loads all of the notebooks' packages, and Python is slow in a browser.
KERNEL_MS = 600_000
WORDS = "A group that agrees with itself cancels."
DISTRIBUTION = os.environ.get("PYODIDE_DIR")
# The folder of the reader's words is listed where a server would keep it; there is none.
ABSENT = re.compile(r"/api/contents/(agentrl-reader|Untitled%20Folder)/all\.json$")


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass


@contextmanager
def served(folder):
    """Serve a site in a folder of the server, as a book's is."""
    handler = functools.partial(Handler, directory=str(folder.parent))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{folder.name}/"
    finally:
        server.shutdown()
        server.server_close()


class Visitor:
    """Somebody with a browser of their own, who gets nothing from elsewhere."""

    def __init__(self, browser, address):
        self.address, self.elsewhere, self.troubles = address, set(), []
        self.here = (address.rpartition("/")[0].rpartition("/")[0], "data:", "blob:")
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.route("**/*", self._guard)

    def go(self, address):
        """Open a page of the site."""
        page = self.context.new_page()
        page.on("response", self._look)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto(self.address + address)
        return page

    def open(self, notebook):
        """Open a notebook at the address that the book's page of it links."""
        name = notebook.removesuffix(".ipynb")
        link = links(name, "en", self.address.rstrip("/"), "")["JupyterLite"]
        page = self.go(link.removeprefix(self.address))
        expect(page.locator(".jp-Notebook .jp-Cell").first).to_be_visible(timeout=PATIENCE_MS)
        return page

    def _guard(self, route):
        if route.request.url.startswith(self.here):
            route.continue_()
        else:
            self.elsewhere.add(route.request.url)
            route.abort()

    def _look(self, response):
        if not response.ok and not ABSENT.search(response.url):
            self.troubles.append(f"{response.status} {response.url}")


@pytest.fixture(scope="module")
def visitor(browser, lite_site):
    with served(lite_site) as address:
        somebody = Visitor(browser, address)
        yield somebody
        somebody.context.close()


@pytest.fixture(scope="module")
def page(visitor):
    """Return the notebook about group sizes, with a kernel that cannot start."""
    return visitor.open(NOTEBOOK)


def scroll_to(page, found):
    """Scroll down the notebook until something is there: cells far away are not in the page."""
    box = page.locator(".jp-Notebook").first.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 300)
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not found.count():
        assert time.monotonic() < deadline
        page.mouse.wheel(0, 600)
        page.wait_for_timeout(100)
    found.first.scroll_into_view_if_needed()
    return found.first


@pytest.mark.parametrize("address", ["", "lab/index.html"])
def test_every_notebook_is_listed(visitor, address):
    page = visitor.go(address)
    for path in (built.ROOT / "notebooks" / "en").glob("*.ipynb"):
        listed = page.locator(".jp-DirListing-item").filter(has_text=path.name)
        expect(listed).to_have_count(1, timeout=PATIENCE_MS)
    page.close()


def test_a_notebook_shows_its_stored_pictures(page):
    picture = scroll_to(page, page.locator(".jp-OutputArea-output img"))
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300


def test_nothing_is_asked_for_elsewhere_but_pyodide(page, visitor):
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not visitor.elsewhere and time.monotonic() < deadline:
        page.wait_for_timeout(200)
    assert visitor.elsewhere == {pyodide.PUBLIC}
    assert visitor.troubles == []


def test_who_cannot_have_python_is_told(page):
    told = page.get_by_role("alert").filter(has_text="no cell runs")
    expect(told).to_contain_text("Python could not be loaded from cdn.jsdelivr.net")
    told.get_by_role("button", name="Close").click()
    expect(told).to_have_count(0)


def test_the_widgets_extension_has_come_up(page):
    """It is made for a newer JupyterLab than the one in JupyterLite, and may stop going with it."""
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    entry = page.locator('.lm-Menu-item[data-command*="jupyterlab-manager"]')
    expect(entry.first).to_be_visible()
    page.keyboard.press("Escape")


# ---- with Pyodide at hand ----------------------------------------------------------------------


def run_all(page):
    """Wait for the kernel, run every cell from the menu, and wait until the last has run."""
    idle = page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
    expect(idle).to_be_visible(timeout=KERNEL_MS)
    page.get_by_role("menuitem", name="Edit", exact=True).click()
    page.locator('.lm-Menu-item[data-command="editmenu:clear-all"]').click()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click()
    prompts = page.locator(".jp-CodeCell .jp-InputPrompt")
    expect(prompts.last).to_have_text(re.compile(r"\[\d+\]"), timeout=KERNEL_MS)
    expect(prompts.filter(has_text="*")).to_have_count(0, timeout=KERNEL_MS)
    failed = page.locator('[data-mime-type="application/vnd.jupyter.error"]')
    assert failed.all_inner_texts() == []


def picture_of(figure):
    """Return the bytes of a figure's picture, as text."""
    return figure.locator(".arl-picture img").evaluate(
        """async image => {
            const bytes = new Uint8Array(await (await fetch(image.src)).arrayBuffer());
            return Array.from(bytes, byte => byte.toString(16)).join(" ");
        }"""
    )


def move_a_slider(page):
    figure = page.locator(".arl-explore").first
    handle = figure.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    before = figure.locator(".arl-summary").inner_text(), picture_of(figure)
    handle.focus()
    page.keyboard.press("ArrowRight")
    expect(figure.locator(".arl-summary")).not_to_have_text(before[0])
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while picture_of(figure) == before[1]:
        assert time.monotonic() < deadline, "the sentence has changed, the picture has not"
        page.wait_for_timeout(200)


def write_words(page):
    box = page.get_by_role("textbox", name="Mechanism").first
    box.press_sequentially(WORDS, delay=15)
    expect(page.get_by_text(re.compile("^Saved ")).first).to_be_visible()


@pytest.mark.skipif(
    DISTRIBUTION is None, reason=f"needs PYODIDE_DIR with a full Pyodide {pyodide.VERSION}"
)
def test_notebooks_run_without_a_request_to_elsewhere(browser, tmp_path):
    out = tmp_path / "lite"
    built.build("lite", out, "--pyodide", DISTRIBUTION)
    show_all_cells(out)
    with served(out) as address:
        somebody = Visitor(browser, address)
        page = somebody.open(NOTEBOOK)
        run_all(page)
        move_a_slider(page)
        write_words(page)
        page.close()
        page = somebody.open(NOTEBOOK)
        run_all(page)
        box = page.get_by_role("textbox", name="Mechanism").first
        expect(box).to_have_value(WORDS)
        page.close()
        page = somebody.open(LIVE)
        run_all(page)
        expect(page.locator(".arl-live").first).to_contain_text("Python is slower in a browser")
        expect(page.get_by_role("alert").filter(has_text="no cell runs")).to_have_count(0)
        assert somebody.elsewhere == set()
        assert somebody.troubles == []
        somebody.context.close()


def show_all_cells(site):
    """Keep cells in the page that are scrolled away, since the tests look at all."""
    path = site / "jupyter-lite.json"
    data = json.loads(path.read_text())
    overrides = data["jupyter-config-data"]["settingsOverrides"]
    overrides["@jupyterlab/notebook-extension:tracker"] = {"windowingMode": "none"}
    path.write_text(json.dumps(data))
