"""Puts guarded operations into a patch's syntax tree, in the place of those that may grow.

A step is an expression that may copy what it is given, such as a call or a slice. Memory is looked
at once a line, and so many steps may stand on one line that some of them have to look as well.
"""

from __future__ import annotations

import ast
from collections import Counter

GUARD = "_guard_"
STEPS_BETWEEN_LOOKS = 4
# Called with the object as the first argument; by kind, for `guards` and `within` define them.
PADDING = ("center", "ljust", "rjust", "zfill")
JOINING = (
    "difference",
    "difference_update",
    "intersection",
    "intersection_update",
    "union",
    "update",
)
FROM_RIGHT = ("rfind", "rindex", "rpartition", "rsplit")
GUARDED_METHODS = {
    *PADDING,
    *JOINING,
    *FROM_RIGHT,
    "extend",
    "format",
    "join",
    "replace",
    "sort",
    "split",
}
GROWING: dict[type[ast.operator], str] = {
    ast.Mult: "times",
    ast.Pow: "power",
    ast.LShift: "shift",
    ast.Mod: "modulo",
}


class RefusedError(Exception):
    """The source does not parse, or uses something that is not offered."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def guarded(tree: ast.Module) -> ast.Module:
    """Return the tree, altered in place, with guards.

    Raises:
        RefusedError: for a guarded method that is not called but passed on.
    """
    _Guarding().visit(tree)
    return ast.fix_missing_locations(tree)


def plain(target: ast.expr) -> bool:
    """Whether a target may be read twice without any effect."""
    if isinstance(target, ast.Subscript):
        place = target.slice
        return isinstance(target.value, ast.Name) and isinstance(place, ast.Name | ast.Constant)
    return isinstance(target, ast.Name)


class _Guarding(ast.NodeTransformer):
    """Puts guarded operations in the place of those that may grow."""

    def __init__(self) -> None:
        self.steps: Counter[int] = Counter()

    def step(self, node: ast.expr) -> ast.expr:
        """Count a step on its line; let some of them tick first."""
        self.steps[node.lineno] += 1
        return node if self.steps[node.lineno] % STEPS_BETWEEN_LOOKS else _ticking(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        guard = GROWING.get(type(node.op))
        if not _constant(node):
            guard = {ast.Add: "add", ast.FloorDiv: "divide"}.get(type(node.op), guard)
        return self.step(_call(guard, node, [node.left, node.right]) if guard else node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        self.generic_visit(node)
        if isinstance(node.op, ast.Add) and not isinstance(node.value, ast.Constant):
            # `values += iter(values)` would take what it adds. The target is left alone.
            node.value = _call("taken", node.value, [node.value])
        guard = GROWING.get(type(node.op))
        if guard:
            # Checked, and left in place: `values *= 2` alters the list that others see.
            current = ast.parse(ast.unparse(node.target), mode="eval").body
            for part in ast.walk(current):
                ast.copy_location(part, node)
            node.value = _call(f"{guard}_by", node, [current, node.value])
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.Starred:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = _call("spread", node.value, [node.value])
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        self.generic_visit(node)
        if node.arg is None:
            node.value = _call("spread", node.value, [node.value])
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.Dict:
        self.generic_visit(node)
        pairs = zip(node.keys, node.values, strict=True)
        node.values = [v if k else _call("spread", v, [v]) for k, v in pairs]
        return node

    def visit_Slice(self, node: ast.Slice) -> ast.Slice:
        self.generic_visit(node)
        # Ticks in all slices that are read, written or deleted: `a[:0] = a` doubles a list.
        node.lower = _ticking(node.lower or ast.copy_location(ast.Constant(None), node))
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):  # its format is constant, and stays
                part.value = self.visit(part.value)
        if len(node.values) < 2:
            return node
        parts = [self.alone(part) for part in node.values]
        both: list[ast.expr] = [ast.Constant(""), ast.List(parts, ast.Load())]
        return _call("join", node, [ast.copy_location(part, node) for part in both])

    def alone(self, part: ast.expr) -> ast.expr:
        """Return a part of an f-string as a text of its own, which is a step."""
        if isinstance(part, ast.Constant):
            return part
        return self.step(ast.copy_location(ast.JoinedStr([part]), part))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return node if isinstance(node.operand, ast.Constant) else self.step(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
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
        return self.step(node)

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
        node.body = _ticking(node.body)
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


def _ticking(node: ast.expr) -> ast.expr:
    """Return an expression that ticks, and then is what it was."""
    both = ast.BoolOp(ast.And(), [_call("tick", node, []), node])
    return ast.copy_location(both, node)


def _constant(node: ast.BinOp) -> bool:
    """Whether a side is constant: then a sum grows by no more than the source is long."""
    return isinstance(node.left, ast.Constant) or isinstance(node.right, ast.Constant)
