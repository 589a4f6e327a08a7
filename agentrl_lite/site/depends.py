"""What a figure's picture depends on: code and stored results, found from the imports."""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

from agentrl_lite.figures.spec import Figure

PACKAGE = "agentrl_lite"
ROOT = Path(__file__).parents[1]
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
        path = _file(waiting.pop())
        if path in found:
            continue
        found.add(path)
        # Stored results lie in a folder beside the module that reads them.
        if path.name == "__init__.py":
            found.update(p for p in path.parent.glob("results/*") if p.is_file())
        waiting += _imported(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(sorted(found))


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (n for n in names if n.startswith(PACKAGE) and _file(n).is_file())


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
