"""The companion's figures: a registry of pure draw functions with control specs.

A module `figures/qNN.py` (or `xN.py`) keeps the figures of one question in a tuple `FIGURES`; it is
imported when one of them is asked for.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable

from agentrl_lite.figures.spec import Control, Figure

__all__ = ["Control", "Figure", "all_figures", "get", "ids", "select"]


def _questions() -> list[str]:
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name for name in modules if re.fullmatch(r"[qx]\d+", name))


def all_figures(question: str | None = None) -> tuple[Figure, ...]:
    """Return the figures of one question, or of all of them, in the order of the appendix.

    Raises:
        ValueError: when two figures share an id or a number, or one is in another's module.
    """
    wanted = [name for name in _questions() if question in (None, name)]
    found: list[Figure] = []
    for name in wanted:
        figures: Iterable[Figure] = importlib.import_module(f"{__name__}.{name}").FIGURES
        for figure in figures:
            if figure.question != name:
                raise ValueError(
                    f"figure {figure.id} must be in {figure.question}.py, not {name}.py"
                )
            found.append(figure)
    for field in ("id", "number"):
        seen = [getattr(figure, field) for figure in found]
        if len(set(seen)) != len(seen):
            raise ValueError(f"figures must have distinct {field}s; they were {', '.join(seen)}")
    return tuple(found)


def ids(question: str | None = None) -> tuple[str, ...]:
    """Return the ids of the figures of one question, or of all of them.

    >>> "q03-degenerate" in ids("q03")
    True
    """
    return tuple(figure.id for figure in all_figures(question))


def get(figure_id: str) -> Figure:
    """Return the figure called `figure_id`; only its own question's module is imported.

    Raises:
        ValueError: when there is none; the message names the known ids.
    """
    for figure in all_figures(figure_id.partition("-")[0]):
        if figure.id == figure_id:
            return figure
    raise ValueError(f"figure must be one of {', '.join(ids())}; it was {figure_id!r}")


def select(only: Iterable[str] = ()) -> tuple[Figure, ...]:
    """Return the figures that `only` names by figure id or by question, each once; all if empty.

    Raises:
        ValueError: when a name is neither; the message names the known ones.
    """
    figures = all_figures()
    wanted = set(only)
    known = {figure.id for figure in figures} | {figure.question for figure in figures}
    unknown = sorted(wanted - known)
    if unknown:
        raise ValueError(
            f"figures must be named by {', '.join(sorted(known))}; there was {', '.join(unknown)}"
        )
    return tuple(f for f in figures if not wanted or wanted & {f.id, f.question})
