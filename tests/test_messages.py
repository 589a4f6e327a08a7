"""The strings that readers see can all be translated."""

import ast

import message_catalogue
import pytest
from babel.messages.pofile import read_po

MODULES = sorted(message_catalogue.PACKAGE.rglob("*.py"))


def test_the_catalogue_is_current():
    stored = message_catalogue.CATALOGUE.read_text(encoding="utf-8")
    assert stored == message_catalogue.extract(), "strings have changed: `make messages`"


def test_the_catalogue_holds_the_packages_strings():
    with message_catalogue.CATALOGUE.open("rb") as file:
        messages = {message.id for message in read_po(file)}
    assert {"Reset", "Mechanism", "Right."} <= messages


def misuses(source):
    """Return the lines where `_` or `N_` gets a text that no catalogue can hold.

    `N_` takes a literal; `_` takes a literal, or a name for one that a table keeps.
    """
    lines = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id not in ("_", "N_"):
            continue
        literal = len(node.args) == 1 and isinstance(node.args[0], ast.Constant)
        named = len(node.args) == 1 and isinstance(
            node.args[0], ast.Name | ast.Attribute | ast.Subscript
        )
        if not (literal or (named and node.func.id == "_")):
            lines.append(node.lineno)
    return lines


@pytest.mark.parametrize(
    "path", MODULES, ids=lambda p: str(p.relative_to(message_catalogue.PACKAGE))
)
def test_texts_are_literals(path):
    assert misuses(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source", ['_(f"{n} files")', '_("a" + b)', '_("{n}".format(n=1))', "N_(text)", '_("a", "b")']
)
def test_other_texts_are_found(source):
    assert misuses(source) == [1]
