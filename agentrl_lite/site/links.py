"""Where a page's notebook can be run: as a file, in JupyterLite, on Binder, on Colab.

The address of the repository stands in one place, `project.urls` in pyproject.toml. As long as it
stands nowhere, no link leads to Binder or Colab.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from agentrl_lite.i18n import _

BRANCH = "main"


def repository(pyproject: Path) -> str:
    """Return the repository's address, or an empty text where none is set.

    Args:
        pyproject: the path of pyproject.toml.
    """
    if not pyproject.is_file():
        return ""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8")).get("project", {})
    return str(project.get("urls", {}).get("Repository", "")).removesuffix("/")


def links(name: str, lang: str, lite: str, address: str) -> dict[str, str]:
    """Return label and address of each place where a notebook can be run.

    Args:
        name: the notebook's name without its ending.
        lang: the language, which is the folder below `notebooks`.
        lite: where the JupyterLite site lies, seen from a page; empty if there is none.
        address: the repository's.

    >>> list(links("q03_group_size", "en", "", ""))
    ['the notebook, to download']
    """
    file = f"{name}.ipynb"
    found = {_("the notebook, to download"): f"_sources/{file}"}
    if lite:
        # One notebook in a window, as a phone needs it; from its menu leads a way to JupyterLab.
        found["JupyterLite"] = f"{lite}/notebooks/index.html?path={file}"
    if address:
        path = f"notebooks/{lang}/{file}"
        place = re.sub(r"^https?://", "", address)
        if place.startswith("github.com/"):
            where = place.removeprefix("github.com/")
            binder = f"gh/{where}"
            found["Colab"] = (
                f"https://colab.research.google.com/github/{where}/blob/{BRANCH}/{path}"
            )
        else:
            binder = f"git/{_quoted(address)}"
        lab = _quoted(f"lab/tree/{path}")
        found["Binder"] = f"https://mybinder.org/v2/{binder}/{BRANCH}?urlpath={lab}"
    return found


def _quoted(text: str) -> str:
    """Write an address so that it may stand within another one."""
    return text.replace("%", "%25").replace(":", "%3A").replace("/", "%2F")
