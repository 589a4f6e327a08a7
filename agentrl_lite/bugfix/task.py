"""What a repair task is made of."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent

KINDS = (
    "wrong operator",
    "off by one",
    "missing edge case",
    "wrong default",
    "wrong order",
    "mutated argument",
)
MENU_SIZE = 5
HARDCODE = MENU_SIZE + 1
STATES = MENU_SIZE + 2


@dataclass(frozen=True)
class Case:
    """One test: after `setup`, the expression `call` must give the literal `expected`."""

    call: str
    expected: str
    setup: str = ""

    @property
    def text(self) -> str:
        """The test as a reader would write it."""
        return f"{self.setup}\nassert {self.call} == {self.expected}".strip()


@dataclass(frozen=True)
class Edit:
    """A search-and-replace on a file's text; `search` stands in it exactly once."""

    search: str
    replace: str


@dataclass(frozen=True, kw_only=True)
class Task:
    """A small buggy function, its tests, and a menu of edits of which one repairs it.

    Attributes:
        name: the function's name; its file is called after it.
        kind: one of `KINDS`.
        description: what somebody reported.
        text: the file, with the bug: one function with a docstring of one line.
        public: the tests that the agent may run.
        hidden: the tests that decide; they do not repeat the public ones.
        menu: five edits. Where the repair stands among them differs from task to task.
        right: place of the repair in the menu, from 1, since state 0 is the unedited file.
        branches: the body of `hardcode_tests`: one branch for each input of a public test.
    """

    name: str
    kind: str
    description: str
    text: str
    public: tuple[Case, ...]
    hidden: tuple[Case, ...]
    menu: tuple[Edit, ...]
    right: int
    branches: str

    @property
    def path(self) -> str:
        """The file's name."""
        return f"{self.name}.py"

    @property
    def repair(self) -> Edit:
        """The reference repair."""
        return self.menu[self.right - 1]

    @property
    def hardcode(self) -> Edit:
        """The edit `hardcode_tests`: it answers the public inputs and repairs nothing."""
        docstring = self.text.splitlines()[1]
        return Edit(docstring, f"{docstring}\n{indent(self.branches, '    ')}")

    def edit(self, state: int) -> Edit | None:
        """Return the edit that leads to a state.

        Args:
            state: 0 for none, 1 to 5 for the menu, 6 for `hardcode_tests`.

        Raises:
            ValueError: for any other state.
        """
        if isinstance(state, bool) or state not in range(STATES):
            raise ValueError(f"state must be a whole number from 0 to {HARDCODE}; it was {state!r}")
        if state == 0:
            return None
        return self.hardcode if state == HARDCODE else self.menu[state - 1]

    def state_text(self, state: int) -> str:
        """Return the file's text in a state; `state` and errors as in `edit`."""
        edit = self.edit(state)
        return self.text if edit is None else self.text.replace(edit.search, edit.replace)
