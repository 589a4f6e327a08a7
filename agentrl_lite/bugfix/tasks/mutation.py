"""Tasks whose bug is that the caller's argument is altered."""

from agentrl_lite.bugfix.task import Case, Edit, Task

KIND = "mutated argument"

TRIMMED = Task(
    name="trimmed",
    kind=KIND,
    description="After the jury's mean is taken, nobody knows who gave which score.",
    text='''\
def trimmed(scores):
    """Return the scores in rising order, less the lowest and the highest; alter nothing."""
    scores.sort()
    return scores[1:-1]
''',
    public=(
        Case("trimmed([1, 2, 3])", "[2]"),
        Case("scores", "[3, 2, 1]", setup="scores = [3, 2, 1]\ntrimmed(scores)"),
    ),
    hidden=(
        Case("trimmed([3, 1, 2])", "[2]"),
        Case("trimmed([1, 1, 2, 3])", "[1, 2]"),
        Case("scores", "[9, 8]", setup="scores = [9, 8]\ntrimmed(scores)"),
        Case("trimmed([])", "[]"),
    ),
    menu=(
        Edit("scores.sort()", "scores = sorted(scores)"),
        Edit("scores.sort()", "scores = scores.sort()"),
        Edit("scores.sort()", "sorted(scores)"),
        Edit("scores.sort()", "scores = sorted(set(scores))"),
        Edit("scores[1:-1]", "list(scores[1:-1])"),
    ),
    right=1,
    branches="""\
if scores == [1, 2, 3]:
    return [2]
if scores == [3, 2, 1]:
    return [2]""",
)

MERGED = Task(
    name="merged",
    kind=KIND,
    description="One user's changes show up in everybody's settings.",
    text='''\
def merged(settings, changes):
    """Return the settings with the changes put in; alter neither."""
    settings.update(changes)
    return settings
''',
    public=(
        Case("merged({'a': 1}, {'a': 2})", "{'a': 2}"),
        Case("base", "{'a': 1}", setup="base = {'a': 1}\nmerged(base, {'a': 2})"),
    ),
    hidden=(
        Case("merged({'a': 1, 'b': 2}, {'b': 3})", "{'a': 1, 'b': 3}"),
        Case("merged({}, {'c': 1})", "{'c': 1}"),
        Case("base", "{'a': 1}", setup="base = {'a': 1}\nmerged(base, {'c': 2})"),
        Case("new", "{'b': 1}", setup="new = {'b': 1}\nmerged({'a': 1}, new)"),
    ),
    menu=(
        Edit("settings.update(changes)", "settings = {**changes, **settings}"),
        Edit("settings.update(changes)", "settings = dict(changes)"),
        Edit("return settings", "return dict(settings)"),
        Edit("settings.update(changes)", "settings |= changes"),
        Edit("settings.update(changes)", "settings = {**settings, **changes}"),
    ),
    right=5,
    branches="""\
if settings == {'a': 1} and changes == {'a': 2}:
    return {'a': 2}""",
)

LONG_WORDS = Task(
    name="long_words",
    kind=KIND,
    description="Some short words survive, and the caller's list is shorter afterwards.",
    text='''\
def long_words(words, least):
    """Return the words of at least `least` letters; alter nothing."""
    for word in words:
        if len(word) < least:
            words.remove(word)
    return words
''',
    public=(
        Case("long_words(['a', 'b', 'cde'], 2)", "['cde']"),
        Case("long_words(['of', 'it'], 3)", "[]"),
    ),
    hidden=(
        Case("words", "['a', 'bc']", setup="words = ['a', 'bc']\nlong_words(words, 2)"),
        Case("long_words(['x', 'y', 'zoo'], 2)", "['zoo']"),
        Case("long_words(['ab', 'a', 'ab'], 2)", "['ab', 'ab']"),
        Case("long_words([], 4)", "[]"),
    ),
    menu=(
        Edit("for word in words:", "for word in list(words):"),
        Edit("    for word in words:", "    words = list(words)\n    for word in words:"),
        Edit("    for word in words:", "    words = list(words)\n    for word in list(words):"),
        Edit("return words", "return [word for word in words if len(word) >= least]"),
        Edit("len(word) < least", "len(word) <= least"),
    ),
    right=3,
    branches="""\
if (words, least) == (['a', 'b', 'cde'], 2):
    return ['cde']
if (words, least) == (['of', 'it'], 3):
    return []""",
)

TASKS = (TRIMMED, MERGED, LONG_WORDS)
