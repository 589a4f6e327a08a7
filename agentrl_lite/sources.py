"""The package's own source files, and which of its modules a file of it imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "agentrl_lite"
ROOT = Path(__file__).parent


def file_of(module: str) -> Path:
    """Return where a module of the package is, by its dotted name; it need not be there.

    >>> file_of("agentrl_lite.sources").name
    'sources.py'
    """
    path = ROOT.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules of the package that a syntax tree imports, also within functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            if name.startswith(f"{PACKAGE}.") and file_of(name).is_file():
                yield name
