"""Prints a page to PDF with the Chromium or Chrome that is installed.

The one module of the package that starts a process; no notebook imports it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TIMEOUT_S = 90
# Formulas are set within this time of the page's own clock, which does not wait for ours.
_PAGE_MS = 20_000


def find() -> str:
    """Return the path of the browser.

    Raises:
        ValueError: when there is none.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise ValueError(
            f"a handout is printed by Chromium or Chrome; none of {', '.join(NAMES)} is on the PATH"
        )
    return found


def print_pdf(page: Path, pdf: Path) -> None:
    """Print the HTML file `page` to the file `pdf`.

    Raises:
        ValueError: when there is no browser, or it fails; the message holds its last line.
    """
    command = [find(), "--headless", "--disable-gpu", "--no-first-run"]
    command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--no-sandbox")  # root has none; the page is our own
    with tempfile.TemporaryDirectory(prefix="agentrl-chromium-", ignore_cleanup_errors=True) as own:
        command += [f"--user-data-dir={own}", f"--virtual-time-budget={_PAGE_MS}"]
        command += ["--no-pdf-header-footer", f"--print-to-pdf={pdf.resolve()}"]
        try:
            done = subprocess.run(
                [*command, page.resolve().as_uri()],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise ValueError(f"{command[0]} has not printed {page.name} in {TIMEOUT_S} s") from None
    if done.returncode or not pdf.is_file() or not pdf.read_bytes().startswith(b"%PDF"):
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise ValueError(f"{command[0]} has not printed {page.name}: {last}")
