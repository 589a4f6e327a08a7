"""What a patch may be written with, looked at before any of it runs.

Some things cannot be stopped once they run: a `finally` block that loops after the budget is spent,
a class whose methods are C functions, an operation that takes the interpreter's whole memory in one
step. Such source is refused by name; the operations that may grow are replaced by guarded ones
(`guards`), which keep their meaning and check sizes first.
"""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from types import CodeType
from typing import TypeGuard

from agentrl_lite.bugfix.guarding import (
    GROWING,
    GUARD,
    GUARDED_METHODS,
    guarded,
    plain,
)
from agentrl_lite.bugfix.guarding import RefusedError as RefusedError  # others take it from here

LONGEST_TEXT = 20_000
MOST_STARRED = 4
DEEPEST_NESTING = 60
MODULES = ("bisect", "heapq", "math")
EXCEPTIONS = (
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "Exception",
    "IndexError",
    "KeyError",
    "LookupError",
    "NameError",
    "NotImplementedError",
    "OverflowError",
    "RuntimeError",
    "StopIteration",
    "TypeError",
    "UnboundLocalError",
    "ValueError",
    "ZeroDivisionError",
)

_REFUSED_NODES: dict[type[ast.AST], str] = {
    ast.ClassDef: "class",
    ast.With: "with",
    ast.AsyncFunctionDef: "async",
    ast.AsyncFor: "async",
    ast.AsyncWith: "async",
    ast.Await: "await",
    ast.TryStar: "except*",
    ast.MatMult: "@",
}
REFUSED_ATTRIBUTES = {
    "comb",
    "expandtabs",
    "factorial",
    "format_map",
    "maketrans",
    "mro",
    "perm",
    "prod",
    "sumprod",
    "to_bytes",
    "translate",
}
_FRAME_ATTRIBUTE = re.compile(r"(gi|cr|ag|f|tb|co|func)_")


def parse(text: str) -> ast.Module:
    """Return the syntax tree of a file.

    Raises:
        RefusedError: where Python cannot read it, with Python's own message and the line.
    """
    if len(text) > LONGEST_TEXT:
        raise RefusedError(f"the file is longer than {LONGEST_TEXT:,} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise RefusedError(error.msg, error.lineno) from None
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:
        raise RefusedError(str(error) or "it is nested too deeply") from None


@functools.lru_cache(maxsize=256)
def compile_patch(text: str, filename: str) -> CodeType:
    """Return a patch as code in which whatever may grow is guarded.

    Args:
        text: the file.
        filename: what the code's lines are counted under.

    Raises:
        RefusedError: for source that does not parse, or that uses what is not offered.
    """
    tree = parse(text)
    starred: Counter[int] = Counter()
    for node in _nodes(tree):
        if isinstance(node, ast.MatchStar) or _starred_target(node):
            starred[node.lineno] += 1  # each copies a list, and memory is looked at once a line
            if starred[node.lineno] > MOST_STARRED:
                raise RefusedError(f"more than {MOST_STARRED} starred names on a line", node.lineno)
        reason = _refusal(node)
        if reason:
            raise RefusedError(reason, getattr(node, "lineno", None))
    whole = guarded(tree)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(whole, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise RefusedError(error.msg, error.lineno) from None
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:
        raise RefusedError(str(error) or "it is nested too deeply") from None


def _nodes(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all nodes, level by level, down to a depth that recursion is safe at."""
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST_NESTING):
        yield from level
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise RefusedError(f"it is nested deeper than {DEEPEST_NESTING} levels")


def _refusal(node: ast.AST) -> str:
    """Return why a node is refused, or nothing."""
    if type(node) in _REFUSED_NODES:
        return f"{_REFUSED_NODES[type(node)]} is not offered here"
    if isinstance(node, ast.Try) and node.finalbody:
        return "finally is not offered here"
    if isinstance(node, ast.ExceptHandler) and not _names_exceptions(node.type):
        return f"except takes names out of {', '.join(EXCEPTIONS)}"
    for name in _read_attributes(node):
        if name.startswith("_") or name in REFUSED_ATTRIBUTES or _FRAME_ATTRIBUTE.match(name):
            return f"the attribute {name} is not offered here"
    if isinstance(node, ast.MatchClass):
        for name in node.kwd_attrs:
            if name in GUARDED_METHODS:
                return f"{name} can only be called here, not passed on"
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return "an attribute cannot be given another meaning here"
    for name in _bound_names(node):
        if name.startswith("__") or name.startswith(GUARD):
            return f"the name {name} is not offered here"
        if name in EXCEPTIONS:
            return f"the name {name} cannot be given another meaning here"
    if isinstance(node, ast.Name) and (node.id.startswith("__") or node.id.startswith(GUARD)):
        return f"the name {node.id} is not offered here"
    if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
        spec = ast.unparse(node.format_spec)
        if re.search(r"\d{4}|\{", spec):
            return "a width above 999, or one that is computed, is not offered here"
    if isinstance(node, ast.AugAssign) and type(node.op) in GROWING and not plain(node.target):
        return "this operator takes a plain name or an item of one here"
    return ""


def _starred_target(node: ast.AST) -> TypeGuard[ast.Starred]:
    return isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Store)


def _names_exceptions(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Tuple):
        return all(isinstance(n, ast.Name) and n.id in EXCEPTIONS for n in node.elts)
    return node is None or (isinstance(node, ast.Name) and node.id in EXCEPTIONS)


def _read_attributes(node: ast.AST) -> list[str]:
    """Return the attributes that a node reads, be it by a dot, an import or a pattern."""
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.ImportFrom):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.MatchClass):
        return node.kwd_attrs
    return []


def _bound_names(node: ast.AST) -> list[str]:
    """Return the names that a node gives a meaning to."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    if isinstance(node, ast.FunctionDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return [node.name] if node.name else []
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.alias):
        return [part for name in (node.name, node.asname) if name for part in name.split(".")]
    if isinstance(node, ast.Global | ast.Nonlocal):
        return node.names
    if isinstance(node, ast.MatchMapping):
        return [node.rest] if node.rest else []
    return []
