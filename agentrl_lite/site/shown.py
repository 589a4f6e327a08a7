"""Which figures the pages of a folder show, and where their controls start."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from agentrl_lite import figures
from agentrl_lite.site.frames import places
from agentrl_lite.site.pictures import Values
from agentrl_lite.site.prepare import OURS

_FIGURE = f"{OURS}figure+json"
_DIRECTIVE = re.compile(r"^```\{(slider|still)\} (\S+)$", re.MULTILINE)


def wanted(folder: Path) -> Mapping[str, list[Values]]:
    """Return the values at which each figure is shown somewhere in a folder, each once."""
    found: dict[str, list[Values]] = {}
    for figure_id, start, moving in _shown(folder):
        values = found.setdefault(figure_id, [])
        every, _indices = places(figures.get(figure_id), start, moving=moving)
        values += [one for one in every if one not in values]
    return found


def _shown(folder: Path) -> Iterator[tuple[str, Mapping[str, float], bool]]:
    """Yield each figure on a page: its id, where its controls start, and whether they move."""
    for path in sorted(folder.rglob("*.md")):
        for kind, figure_id in _DIRECTIVE.findall(path.read_text(encoding="utf-8")):
            yield figure_id, {}, kind == "slider"
    for path in sorted(folder.rglob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            for output in cell.get("outputs", ()):
                if content := output.get("data", {}).get(_FIGURE):
                    yield content["figure"], content["values"], True
