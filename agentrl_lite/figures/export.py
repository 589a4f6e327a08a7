"""Every print figure as a file, with a manifest: what `agentrl-lite figures` writes."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from tqdm import tqdm

from agentrl_lite import figures, i18n
from agentrl_lite.atomic import replace_file
from agentrl_lite.figures import captions, style
from agentrl_lite.figures.render import FORMATS, render_bytes
from agentrl_lite.figures.spec import Figure

MANIFEST = "manifest.json"
MACROS = "figures.tex"
_MM_PER_IN = 25.4


def export(
    ids: Iterable[str],
    formats: Sequence[str],
    out: Path,
    lang: str = "en",
    progress: bool = True,
) -> Path:
    """Write figures at their defaults and print size into `out`, and describe them in a manifest.

    Numbers, captions and alt texts are there once more as macros for LaTeX, in `figures.tex`.

    Each file is written whole or not at all, and equal calls write equal bytes. The manifest keeps
    the entries of earlier calls whose files are still there unchanged, as long as they were
    written by the same versions and in the same language.

    Args:
        ids: figure ids or question ids; empty for all figures.
        formats: some of `pdf`, `svg`, `png`.
        out: folder; made if missing.
        lang: language of the figures' words.
        progress: whether to show a progress bar on standard error.

    Returns:
        The path of the manifest.

    Raises:
        ValueError: when an id, a format or the language is unknown; nothing is written then.
    """
    chosen = figures.select(ids)
    unknown = [name for name in formats if name not in FORMATS]
    if unknown or not formats:
        there = ", ".join(unknown) or "none"
        raise ValueError(f"formats must be some of {', '.join(FORMATS)}; there was {there}")
    with i18n.using(lang):
        out.mkdir(parents=True, exist_ok=True)
        heading: dict[str, Any] = {"language": lang, "versions": _versions()}
        entries = _earlier(out, heading)
        jobs = [(figure, name) for figure in chosen for name in dict.fromkeys(formats)]
        for figure, name in tqdm(jobs, desc=i18n._("figures"), unit="file", disable=not progress):
            content = render_bytes(figure, figure.values(), name)
            path = out / f"{figure.id}.{name}"
            replace_file(path, content)
            entries[path.name] = _entry(figure, content)
        _describe(out, heading, entries)
    return out / MANIFEST


def _describe(out: Path, heading: dict[str, Any], entries: dict[str, Any]) -> None:
    """Write what `entries` say as JSON and as macros."""
    written = {entry["figure"] for entry in entries.values()}
    described = [figure for figure in figures.all_figures() if figure.id in written]
    replace_file(out / MACROS, captions.tex(described).encode())
    manifest = {**heading, "files": dict(sorted(entries.items()))}
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    replace_file(out / MANIFEST, text.encode())


def _entry(figure: Figure, content: bytes) -> dict[str, Any]:
    width_mm, height_mm = (
        round(_MM_PER_IN * inches, 1) for inches in style.SIZE_IN[figure.columns]
    )
    return {
        "sha256": hashlib.sha256(content).hexdigest(),
        "figure": figure.id,
        "number": figure.number,
        "columns": figure.columns,
        "width_mm": width_mm,
        "height_mm": height_mm,
        "caption": i18n._(figure.caption),
        "alt": figure.alt_text(figure.values()),
    }


def _versions() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "matplotlib": matplotlib.__version__,
    }


def _earlier(out: Path, heading: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of the manifest in `out` that are still true under the same heading."""
    try:
        manifest = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
        if {key: manifest[key] for key in heading} != heading:
            return {}
        entries: dict[str, Any] = manifest["files"]
        return {name: entry for name, entry in entries.items() if _is_true(out / name, entry)}
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # none yet, or not ours: this call writes a new one


def _is_true(path: Path, entry: dict[str, Any]) -> bool:
    known = path.stem in figures.ids() and path.is_file()
    return known and hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]
