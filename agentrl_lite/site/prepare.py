"""Makes a stored notebook ready for a page on which nothing runs; its file stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from agentrl_lite.i18n import _

OURS = "application/vnd.agentrl."
#: What has a form of its own on a page: the stored picture or text beside it is not needed.
REPLACED = tuple(f"{OURS}{kind}+json" for kind in ("card", "figure", "guess", "progress"))
CHECK = f"{OURS}check+json"
LIVE = f"{OURS}live+json"
#: Tag of Markdown that tells what to do with a kernel: a page has none, and leaves it out.
KERNEL_ONLY = "kernel-only"

_CHECK_CALL = re.compile(r"""\bcheck\(\s*["']([qx]\d+-[\w-]+)["']""")
# Nothing but a name to put the answer in, and the check: the answer is a number to type.
_TYPED = re.compile(r"""(\w+) = \.\.\.\ncheck\("[\w-]+", \1\)""")
_VERDICT = '<div class="arl-verdict"'
_LINK = re.compile(r'(?<=href=")([\w-]+)\.ipynb(?=["#])')
_HIDING = {"hide-cell", "hide-input", "hide-output"}


def prepare(text: str, links: Mapping[str, str]) -> str:
    """Return a notebook's text, made ready.

    Args:
        text: the notebook file's text.
        links: label to address, for the line below the title that says where the page can be run.
    """
    notebook = json.loads(text)
    notebook["cells"] = [
        cell for cell in notebook["cells"] if KERNEL_ONLY not in cell["metadata"].get("tags", ())
    ]
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            _name_what_is_hidden(cell)
            for output in cell["outputs"]:
                if "data" in output:
                    _prepare_output(cell, output)
    notebook["cells"].insert(1, _run_cell(links))
    return json.dumps(notebook)


def _name_what_is_hidden(cell: dict[str, Any]) -> None:
    """Let a closed cell say what is in it: its first line is a comment that does."""
    if not _HIDING.intersection(cell["metadata"].get("tags", ())):
        return
    first = "".join(cell["source"]).partition("\n")[0]
    title = first.removeprefix("#").strip() if first.startswith("#") else _("Show the code")
    settings = cell["metadata"].setdefault("mystnb", {})
    settings |= {"code_prompt_show": title, "code_prompt_hide": title}


def _prepare_output(cell: dict[str, Any], output: dict[str, Any]) -> None:
    data = output["data"]
    kept = [kind for kind in data if kind in REPLACED]
    page = "".join(data.get("text/html", ""))
    if kept:
        output["data"] = {kind: data[kind] for kind in kept}
        _hide_code(cell)
    elif page.startswith(_VERDICT) and (call := _CHECK_CALL.search("".join(cell["source"]))):
        typed = _TYPED.fullmatch("".join(cell["source"]).strip()) is not None
        output["data"] = {CHECK: {"check": call[1], "typed": typed}}
        if typed:
            _hide_code(cell)
    elif LIVE in data:
        output["data"] = {LIVE: _stored_run(output)}
    else:
        output["data"] = {kind: data[kind] for kind in data if not kind.startswith(OURS)}
        if page:
            output["data"]["text/html"] = _reachable(_LINK.sub(r"\1.html", page))
        if "image/png" in data:
            alt = output.get("metadata", {}).get("image/png", {}).get("alt", "")
            settings = cell["metadata"].setdefault("mystnb", {})
            settings["image"] = {"alt": " ".join(alt.split()) or "".join(data["text/plain"])}


def _stored_run(output: dict[str, Any]) -> dict[str, str]:
    """Return what is left of a live view: its picture, what that shows, and its sentence."""
    data = output["data"]
    return {
        "png": "".join(data["image/png"]),
        "alt": " ".join(output["metadata"]["image/png"]["alt"].split()),
        "sentence": "".join(data["text/plain"]),
    }


def _hide_code(cell: dict[str, Any]) -> None:
    """Leave out a call such as answer_card("q03"): it tells a reader of the page nothing."""
    cell["metadata"].setdefault("tags", []).append("remove-input")


def _reachable(html: str) -> str:
    """Let a table that scrolls sideways be reached by keyboard."""
    label = _("Table, wider than a small screen")
    box = f'<div class="arl-scroll" tabindex="0" role="group" aria-label="{label}">'
    return html.replace('<div class="arl-scroll">', box)


def _run_cell(links: Mapping[str, str]) -> dict[str, Any]:
    """Return a cell that stands below the title: what works here, and where the code runs."""
    lead = _("Sliders, boxes and exercises work on this page; the code was run beforehand.")
    there = " · ".join(
        f'<a href="{address}"{" download" if address.startswith("_sources/") else ""}>{label}</a>'
        for label, address in links.items()
    )
    where = _("To change it:")
    html = f'<p class="arl-run">{lead} {where} {there}</p>'
    return {"cell_type": "markdown", "id": "site-run", "metadata": {}, "source": html}
