"""Tasks whose bug is an edge case that nobody thought of."""

from agentrl_lite.bugfix.task import Case, Edit, Task

KIND = "missing edge case"

LONGEST_RUN = Task(
    name="longest_run",
    kind=KIND,
    description="A run of sixes counts for nothing when it ends the game.",
    text='''\
def longest_run(text, wanted):
    """Return the length of the longest run of the character `wanted`."""
    best = run = 0
    for char in text:
        if char == wanted:
            run += 1
        else:
            best = max(best, run)
            run = 0
    return best
''',
    public=(
        Case("longest_run('baa', 'a')", "2"),
        Case("longest_run('aab', 'a')", "2"),
    ),
    hidden=(
        Case("longest_run('zzz', 'z')", "3"),
        Case("longest_run('aba', 'a')", "1"),
        Case("longest_run('abaa', 'a')", "2"),
        Case("longest_run('x  ', ' ')", "2"),
        Case("longest_run('', 'a')", "0"),
    ),
    menu=(
        Edit("return best", "return best + run"),
        Edit("return best", "return max(best, run)"),
        Edit("return best", "return best or run"),
        Edit("for char in text:", 'for char in text + " ":'),
        Edit("best = max(best, run)", "best = run"),
    ),
    right=2,
    branches="""\
if (text, wanted) == ('baa', 'a'):
    return 2
if (text, wanted) == ('aab', 'a'):
    return 2""",
)

PAIRS = Task(
    name="pairs",
    kind=KIND,
    description="A settings line that ends in a semicolon cannot be read.",
    text='''\
def pairs(line):
    """Return the name=value parts of a line as a dict; parts end at ';' and may be empty."""
    found = {}
    for part in line.split(";"):
        name, value = part.split("=")
        found[name.strip()] = value.strip()
    return found
''',
    public=(
        Case("pairs('a=1;b=2;')", "{'a': '1', 'b': '2'}"),
        Case("pairs('c = 3')", "{'c': '3'}"),
    ),
    hidden=(
        Case("pairs('')", "{}"),
        Case("pairs('a=1;;b=2')", "{'a': '1', 'b': '2'}"),
        Case("pairs('a=1; ')", "{'a': '1'}"),
    ),
    menu=(
        Edit('line.split(";")', 'line.split(";")[:-1]'),
        Edit('part.split("=")', 'part.split("=", 1)'),
        Edit('line.split(";")', 'line.rstrip(";").split(";")'),
        Edit('in line.split(";")', 'in [p for p in line.split(";") if p]'),
        Edit('in line.split(";")', 'in [p for p in line.split(";") if p.strip()]'),
    ),
    right=5,
    branches="""\
if line == 'a=1;b=2;':
    return {'a': '1', 'b': '2'}
if line == 'c = 3':
    return {'c': '3'}""",
)

LONGEST_PAUSE = Task(
    name="longest_pause",
    kind=KIND,
    description="The report stops with an error on a day without calls.",
    text='''\
def longest_pause(times):
    """Return the longest time between neighbours in a rising list; 0 where there are none."""
    return max(later - before for before, later in zip(times, times[1:]))
''',
    public=(
        Case("longest_pause([])", "0"),
        Case("longest_pause([1, 4, 6])", "3"),
    ),
    hidden=(
        Case("longest_pause([7])", "0"),
        Case("longest_pause([1, 9])", "8"),
        Case("longest_pause([0, 1, 5, 6])", "4"),
    ),
    menu=(
        Edit("    return max(", "    if not times:\n        return 0\n    return max("),
        Edit("zip(times, times[1:])", "zip([0] + times, times)"),
        Edit("    return max(", "    if len(times) < 3:\n        return 0\n    return max("),
        Edit(
            "max(later - before for before, later in zip(times, times[1:]))",
            "max((later - before for before, later in zip(times, times[1:])), default=0)",
        ),
        Edit("return max(", "return sum("),
    ),
    right=4,
    branches="""\
if times == []:
    return 0
if times == [1, 4, 6]:
    return 3""",
)

TASKS = (LONGEST_RUN, PAIRS, LONGEST_PAUSE)
