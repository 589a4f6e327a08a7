"""What reading a file suggests, found in its text by rules of thumb, as a hasty reviewer would.

The rules know neither the tests nor the repair. They find the most suspicious line; among the edits
of this line they prefer those that look like the usual remedy, and then the smallest change. They
can mislead: a bug in an innocent line is overlooked, the usual remedy may be the wrong one, and of
two such edits the smaller is often wrong. `outcomes` says how often they are right.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import NamedTuple

from agentrl_lite.bugfix.task import Edit


class Smell(NamedTuple):
    """What a reviewer stumbles over in a line, and what is usually done about it.

    Attributes:
        pattern: of the line; `PARAMETER` stands for any name in the function's head.
        remedy: of what the line is replaced by.
    """

    pattern: str
    remedy: str


# From the most suspicious to the least.
SMELLS = (
    # An argument is altered: take a copy.
    Smell(r"\b(?:PARAMETER)\.(?:append|pop|remove|sort|update)\(", r" = (?:sorted|list|dict|\{\*)"),
    # A default that is not None: take another one.
    Smell(r"^def .*\w=[^=]", r"="),
    # Comparisons or bits put together: put them together in another way.
    Smell(r" (?:and|or|[|&^]) ", r" (?:and|[&^]) "),
    # The end of a range, or a division: go one further, or one less far.
    Smell(r"\brange\(|\bwhile\b.*[<>]|//", r"[-+] 1\b|[<>]="),
    # A sort key: sort the other way.
    Smell(r"\bkey=", r"-|reverse"),
    # A call that an empty input breaks: say what comes out then.
    Smell(r"\b(?:max|min)\(|\.split\(", r"\bdefault=|\bif\b"),
    # A result: a better one.
    Smell(r"\breturn\b", r""),
)


def suspicions(text: str) -> dict[int, Smell]:
    r"""Return the numbers of the lines that smell, the most suspicious first.

    Args:
        text: a file with one function, whose docstring is its second line.

    >>> list(suspicions("def f(x):\n    'Sort.'\n    y = x\n    x.sort()\n    return x\n"))
    [4, 5]
    """
    head, *_ = lines = text.splitlines()
    parameters = re.findall(r"[(,]\s*(\w+)", head)
    found: dict[int, Smell] = {}
    for smell in SMELLS:
        pattern = smell.pattern.replace("PARAMETER", "|".join(parameters) or "$^")
        for number, line in enumerate(lines, start=1):
            if number != 2 and number not in found and re.search(pattern, line):
                found[number] = smell
    return found


def clue(text: str, menu: tuple[Edit, ...]) -> int:
    """Return which edit of a menu the text suggests.

    It depends on the text and on the edits, not on their order.

    Args:
        text: the file, which holds the search text of every edit.
        menu: at least one edit.

    Returns:
        Place in the menu, from 1.
    """
    places = range(1, len(menu) + 1)
    here, remedy = list(places), ""
    for number, smell in suspicions(text).items():
        touching = [place for place in places if number in _lines_of(menu[place - 1], text)]
        if touching:
            here, remedy = touching, smell.remedy
            break

    def appeal(place: int) -> tuple[bool, int, str]:
        edit = menu[place - 1]
        matched = SequenceMatcher(None, edit.search, edit.replace).get_matching_blocks()
        kept = sum(block.size for block in matched)
        change = len(edit.search) + len(edit.replace) - 2 * kept
        return not re.search(remedy, edit.replace), change, edit.replace

    return min(here, key=appeal)


def _lines_of(edit: Edit, text: str) -> range:
    before, _, _ = text.partition(edit.search)
    first = before.count("\n") + 1
    return range(first, first + edit.search.strip("\n").count("\n") + 1)
