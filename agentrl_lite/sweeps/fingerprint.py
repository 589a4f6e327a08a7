"""What a stored sweep depends on, as hashes: each arm's options, and the code that trains.

A module counts by what it does: a changed comment, docstring or line break leaves its hash as it
was, and so does another version of Python.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from agentrl_lite.experiments import Arm, Experiment
from agentrl_lite.sources import PACKAGE, file_of, imported
from agentrl_lite.sweeps.result import Sweep
from agentrl_lite.sweeps.single import SEEDS, kept_steps

# One run, and its table: what these import in turn is all that its figures depend on.
ROOTS = (f"{PACKAGE}.sweeps.single", f"{PACKAGE}.bugfix.outcomes")
DIGITS = 12


def stale(sweep: Sweep, wanted: Experiment) -> list[str]:
    """Return what has changed since a sweep was run, a line each; empty if it is current.

    Args:
        sweep: as stored.
        wanted: the experiment as it stands.
    """
    options = {arm.id: options_hash(arm) for arm in wanted.arms}
    kept = kept_steps(wanted.every, wanted.arms[0].config.steps)
    pairs: tuple[tuple[str, object, object], ...] = (
        ("seeds", tuple(sweep.seeds.tolist()), SEEDS),
        ("kept steps", sweep.steps.tolist(), kept.tolist()),
        ("arms", sweep.arms, tuple(options)),
        ("metrics", sweep.metrics, wanted.logged),
        ("attempts", sweep.attempts, wanted.attempts),
    )
    changed = [name for name, stored, now in pairs if stored != now]
    changed += [f"options of {name}" for name in _differing(sweep.options, options)]
    changed += [f"code of {name}" for name in _differing(sweep.code, code_hashes())]
    return [f"{sweep.experiment}: {name} changed since its sweep" for name in changed]


def options_hash(arm: Arm) -> str:
    """Return a hash of all options but the seed."""
    return _digest(repr(replace(arm.config, seed=0)))


@functools.cache
def code_hashes() -> Mapping[str, str]:
    """Return a hash of each module that training depends on, by its name within the package."""
    found: dict[str, str] = {}
    waiting = list(ROOTS)
    while waiting:
        module = waiting.pop()
        name = module.removeprefix(f"{PACKAGE}.")
        if name in found:
            continue
        tree = ast.parse(file_of(module).read_text(encoding="utf-8"))
        found[name] = _digest("".join(written(tree)))
        waiting += imported(tree)
    return MappingProxyType(dict(sorted(found.items())))


def written(node: object) -> Iterator[str]:
    """Yield the parts of a syntax tree's text, without docstrings and positions.

    `ast.dump` writes empty fields in some versions of Python and leaves them out in others.

    >>> "".join(written(ast.parse("x = -y  # why")))
    "Module(body=[Assign(targets=[Name(id='x')],value=UnaryOp(op=USub(),operand=Name(id='y')))])"
    """
    if isinstance(node, list):
        parts = [part for part in node if not _is_docstring(part)]
        yield "["
        for i, part in enumerate(parts):
            yield "," if i else ""
            yield from written(part)
        yield "]"
    elif isinstance(node, ast.AST):
        yield f"{type(node).__name__}("
        fields = [(name, value) for name, value in ast.iter_fields(node) if _counts(name, value)]
        for i, (name, value) in enumerate(fields):
            yield f"{',' if i else ''}{name}="
            yield from written(value)
        yield ")"
    else:
        yield repr(node)


def _counts(name: str, value: object) -> bool:
    return value is not None and value != [] and name not in ("ctx", "kind", "type_ignores")


def _is_docstring(node: object) -> bool:
    """Tell whether a statement is nothing but a text."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _differing(stored: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    return sorted(name for name in {*stored, *now} if stored.get(name) != now.get(name))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:DIGITS]
