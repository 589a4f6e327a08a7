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
from collections.abc import Iterator
from types import CodeType

LONGEST_TEXT = 20_000
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
GUARD = "_guard_"
GUARDED_METHODS = {"center", "format", "join", "ljust", "replace", "rjust", "zfill"}

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
_REFUSED_ATTRIBUTES = {
    "comb",
    "expandtabs",
    "factorial",
    "format_map",
    "maketrans",
    "mro",
    "perm",
    "prod",
    "to_bytes",
    "translate",
}
_FRAME_ATTRIBUTE = re.compile(r"(gi|cr|ag|f|tb|co|func)_")
_GROWING = {ast.Mult: "times", ast.Pow: "power", ast.LShift: "shift", ast.Mod: "modulo"}


class RefusedError(Exception):
    """The source does not parse, or uses something that is not offered."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


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
    for node in _nodes(tree):
        reason = _refusal(node)
        if reason:
            raise RefusedError(reason, getattr(node, "lineno", None))
    guarded = ast.fix_missing_locations(_Guarding().visit(tree))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(guarded, filename, "exec", dont_inherit=True)
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
    if isinstance(node, ast.Attribute):
        name = node.attr
        if name.startswith("_") or name in _REFUSED_ATTRIBUTES or _FRAME_ATTRIBUTE.match(name):
            return f"the attribute {name} is not offered here"
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
    if isinstance(node, ast.AugAssign) and type(node.op) in _GROWING and not _plain(node.target):
        return "this operator takes a plain name or an item of one here"
    return ""


def _names_exceptions(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Tuple):
        return all(isinstance(n, ast.Name) and n.id in EXCEPTIONS for n in node.elts)
    return node is None or (isinstance(node, ast.Name) and node.id in EXCEPTIONS)


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


def _plain(target: ast.expr) -> bool:
    """Whether a target may be read twice without any effect."""
    if isinstance(target, ast.Subscript):
        place = target.slice
        return isinstance(target.value, ast.Name) and isinstance(place, ast.Name | ast.Constant)
    return isinstance(target, ast.Name)


class _Guarding(ast.NodeTransformer):
    """Puts guarded operations in the place of those that may grow."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        guard = _GROWING.get(type(node.op))
        return _call(guard, node, [node.left, node.right]) if guard else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        self.generic_visit(node)
        guard = _GROWING.get(type(node.op))
        if guard:
            # Checked, and left in place: `values *= 2` alters the list that others see.
            current = ast.parse(ast.unparse(node.target), mode="eval").body
            for part in ast.walk(current):
                ast.copy_location(part, node)
            node.value = _call(f"{guard}_by", node, [current, node.value])
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        method = node.func
        if isinstance(method, ast.Attribute) and method.attr in GUARDED_METHODS:
            self.generic_visit(method)
            node.args = [self.visit(argument) for argument in node.args]
            node.keywords = [self.visit(keyword) for keyword in node.keywords]
            name = ast.Name(f"{GUARD}{method.attr}", ast.Load())
            node.func = ast.copy_location(name, node)
            node.args.insert(0, method.value)
            return node
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        if node.attr in GUARDED_METHODS:
            raise RefusedError(f"{node.attr} can only be called here, not passed on", node.lineno)
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        _tick_first(node.body)
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        self.generic_visit(node)
        _tick_first(node.body)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        _tick_first(node.body)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self.generic_visit(node)
        both = ast.BoolOp(ast.And(), [_call("tick", node.body, []), node.body])
        node.body = ast.copy_location(both, node.body)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.ifs.insert(0, _call("tick", node.iter, []))
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        if node.type is None:
            # A bare `except` would swallow the end of the budget.
            node.type = ast.copy_location(ast.Name("Exception", ast.Load()), node)
        return node


def _tick_first(body: list[ast.stmt]) -> None:
    """Let a block begin with a tick, which is true, and which stops what has been stopped before.

    The trace function is gone once it has raised, and a finaliser may swallow what it raised. Then
    nothing would be counted any more; so every loop, function and comprehension ticks besides.
    """
    first = body[0]
    docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    place = 1 if docstring and len(body) > 1 else 0
    at = body[place]
    body.insert(place, ast.copy_location(ast.Expr(_call("tick", at, [])), at))


def _call(guard: str, at: ast.AST, arguments: list[ast.expr]) -> ast.Call:
    call = ast.Call(ast.Name(f"{GUARD}{guard}", ast.Load()), arguments, [])
    return ast.copy_location(call, at)
