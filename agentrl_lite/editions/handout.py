"""A question on paper: printed pages, from the same still forms as the slides."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from agentrl_lite.editions import chromium


def require_browser() -> None:
    """Raise a ValueError before any work is done if there is nothing to print with."""
    chromium.find()


def print_pages(folder: Path, names: Sequence[str]) -> None:
    """Turn the pages `names` of a folder into PDFs, and leave nothing else that they needed."""
    for name in names:
        page = folder / name
        chromium.print_pdf(page, page.with_suffix(".pdf"))
        page.unlink()
    shutil.rmtree(folder / "assets")
    shutil.rmtree(folder / "images", ignore_errors=True)
