"""Tasks whose bug is a wrong operator."""

from agentrl_lite.bugfix.task import Case, Edit, Task

KIND = "wrong operator"

OVERLAPS = Task(
    name="overlaps",
    kind=KIND,
    description="The room planner reports a clash between meetings that are hours apart.",
    text='''\
def overlaps(first, second):
    """Tell whether two slots (start, end) share a moment; the end does not belong to a slot."""
    start, end = first
    other_start, other_end = second
    return start < other_end or other_start < end
''',
    public=(
        Case("overlaps((1, 4), (3, 6))", "True"),
        Case("overlaps((1, 2), (5, 6))", "False"),
    ),
    hidden=(
        Case("overlaps((1, 3), (3, 5))", "False"),
        Case("overlaps((3, 5), (1, 3))", "False"),
        Case("overlaps((2, 3), (1, 9))", "True"),
        Case("overlaps((7, 8), (1, 2))", "False"),
    ),
    menu=(
        Edit("start < other_end or other_start < end", "start < other_end"),
        Edit("start < other_end or other_start < end", "start <= other_start < end"),
        Edit("other_end or other_start", "other_end and other_start"),
        Edit(
            "start < other_end or other_start < end",
            "start <= other_end and other_start <= end",
        ),
        Edit(
            "start < other_end or other_start < end",
            "(start < other_end) != (other_start < end)",
        ),
    ),
    right=3,
    branches="""\
if (first, second) == ((1, 4), (3, 6)):
    return True
if (first, second) == ((1, 2), (5, 6)):
    return False""",
)

TOGGLED = Task(
    name="toggled",
    kind=KIND,
    description="A switch that is already on stays on when it is pressed.",
    text='''\
def toggled(state, pressed):
    """Return the switches, bits of a number, after each bit of `pressed` has been flipped."""
    return state | pressed
''',
    public=(
        Case("toggled(6, 2)", "4"),
        Case("toggled(7, 7)", "0"),
    ),
    hidden=(
        Case("toggled(0, 4)", "4"),
        Case("toggled(5, 3)", "6"),
        Case("toggled(9, 0)", "9"),
    ),
    menu=(
        Edit("state | pressed", "state ^ pressed"),
        Edit("state | pressed", "state & ~pressed"),
        Edit("state | pressed", "state & pressed"),
        Edit("state | pressed", "state - pressed"),
        Edit("state | pressed", "state + pressed"),
    ),
    right=1,
    branches="""\
if (state, pressed) == (6, 2):
    return 4
if (state, pressed) == (7, 7):
    return 0""",
)

TASKS = (OVERLAPS, TOGGLED)
