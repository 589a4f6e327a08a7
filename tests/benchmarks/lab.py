"""A JupyterLab of its own in a temporary folder, and a Chromium that looks at it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import nbformat
from playwright.sync_api import Browser, Page, sync_playwright

TOKEN = "benchmark"  # the server listens on this machine only, and ends with the script
START_S = 60.0


@contextlib.contextmanager
def jupyterlab(notebooks: Mapping[str, list[str]]) -> Iterator[str]:
    """Serve one notebook per entry, made of its code cells; yield the server's address."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        work = folder / "work"
        work.mkdir()
        for title, sources in notebooks.items():
            cells = [nbformat.v4.new_code_cell(source) for source in sources]
            kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
            notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
            nbformat.write(notebook, work / f"{title}.ipynb")
        quiet = folder / "settings" / "@jupyterlab" / "apputils-extension"
        quiet.mkdir(parents=True)
        quiet.joinpath("notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
        runtime = folder / "runtime"
        log = (folder / "log.txt").open("wb")
        environment = os.environ | {
            "HOME": str(folder),
            "JUPYTER_RUNTIME_DIR": str(runtime),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
            "AGENTRL_READER_DIR": str(folder / "reader"),
        }
        command = [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *("--ServerApp.port=0", "--ServerApp.port_retries=0"),
            f"--IdentityProvider.token={TOKEN}",
            f"--ServerApp.root_dir={work}",
        ]
        server = subprocess.Popen(command, cwd=work, env=environment, stdout=log, stderr=log)
        try:
            yield _address(runtime, server, folder / "log.txt")
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
            log.close()


def _address(runtime: Path, server: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and server.poll() is None:
        for info in runtime.glob("jpserver-*.json"):
            with contextlib.suppress(ValueError, OSError):
                url = json.loads(info.read_text())["url"]
                urllib.request.urlopen(f"{url}api/status?token={TOKEN}", timeout=5).close()
                return str(url)
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a Chromium: the system's if there is one, else Playwright's own."""
    system = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def open_notebook(page: Page, address: str, title: str) -> None:
    """Open a notebook alone in the simple interface, and wait for its idle kernel."""
    page.goto(f"{address}lab/tree/{title}.ipynb?reset&token={TOKEN}")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=START_S * 1000)
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=START_S * 1000)


def run_all(page: Page) -> None:
    """Run every cell from the menu, as a reader would."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
