"""What a figure's picture depends on: code and stored results, found from the imports."""

from __future__ import annotations

import ast
import functools
import hashlib
from pathlib import Path

from agentrl_lite.figures.spec import Figure
from agentrl_lite.sources import PACKAGE, ROOT, file_of, imported

# What makes a file of a figure.
_PICTURES = Path(__file__).with_name("pictures.py")


def dependencies(figure: Figure) -> tuple[Path, ...]:
    """Return the files of the package that a figure's picture depends on."""
    return _closure(_module(figure))


def code_hash(figure: Figure) -> str:
    """Return a hash of those files."""
    return _hash(_module(figure))


def _module(figure: Figure) -> str:
    """Return the module that takes in all of a question's figures."""
    return f"{PACKAGE}.figures.{figure.question}"


@functools.cache
def _hash(module: str) -> str:
    digest = hashlib.sha256()
    for path in _closure(module):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _closure(module: str) -> tuple[Path, ...]:
    """Return the files of a module, of all it imports from the package, and their data."""
    found: set[Path] = {_PICTURES}
    waiting = [module, f"{PACKAGE}.figures.render"]
    while waiting:
        path = file_of(waiting.pop())
        if path in found:
            continue
        found.add(path)
        # Stored results lie in a folder beside the module that reads them.
        if path.name == "__init__.py":
            found.update(p for p in path.parent.glob("results/*") if p.is_file())
        waiting += imported(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(sorted(found))
