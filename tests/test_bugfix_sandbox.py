"""The sandbox: whatever a patch does, a test ends with a reason."""

import itertools
import sys
import time
import tracemalloc
from textwrap import dedent

import pytest

from agentrl_lite.bugfix import Case, run_cases, sandbox
from agentrl_lite.bugfix.guards import MOST_OUTPUT
from agentrl_lite.bugfix.screen import DEEPEST_NESTING, LONGEST_TEXT

CALL = Case("f(3)", "4")


def run(source, case=CALL, **options):
    (result,) = run_cases(dedent(source), [case], **options).results
    return result


def body(text):
    """Return a file whose function has this body."""
    return "def f(x):\n" + "\n".join(f"    {line}" for line in dedent(text).strip().splitlines())


def test_a_right_function_passes_and_its_lines_are_counted():
    result = run("def f(x):\n    y = x\n    return y + 1\n")
    assert result == (CALL, "passed", "", 3)  # the def, and two lines of the body


def test_a_wrong_value_is_shown():
    assert run("def f(x):\n    return [x] * 2\n")[1:3] == ("wrong", "it was [3, 3]")


# name: (body of the function, reason)
ATTACKS = {
    # loops
    "loop": ("while True: pass", "lines"),
    "loop in a for": ("for _ in iter([1]):\n    while 1:\n        x += 1", "lines"),
    "loop over a growing list": ("a = [1]\nfor i in a: a.append(i)", "lines"),
    "endless generator": ("def g():\n    while True: yield 1\nreturn sum(g())", "lines"),
    "loop in a comprehension": ("return [y for y in range(9999) for z in range(9999)]", "lines"),
    "loop in a set comprehension": ("return {z for y in range(999) for z in range(99)}", "lines"),
    "loop by map": ("return len(list(map(abs, range(9999))))", "lines"),
    "nested maps": (
        "m = [[1] * 999] * 999\nreturn list(map(list, map(map, [sum] * 999, [m] * 999)))",
        "lines",
    ),
    "loop in a sort key": (
        "def k(v):\n    while True: pass\nreturn sorted([1, 2], key=k)",
        "lines",
    ),
    "loop in a default": ("def g(y=[i for i in range(9999)]): pass", "lines"),
    "budget swallowed": (
        "while True:\n    try:\n        while True: pass\n    except: pass",
        "lines",
    ),
    "budget swallowed by name": (
        "while True:\n    try:\n        while True: pass\n    except Exception: pass",
        "lines",
    ),
    "loop in an except": (
        "try:\n    1 / 0\nexcept ZeroDivisionError:\n    while True: pass",
        "lines",
    ),
    # recursion
    "recursion": ("return f(x)", "recursion"),
    "recursion of lambdas": ("g = lambda: g()\nreturn g()", "recursion"),
    "recursion of generators": ("def g():\n    yield from g()\nreturn list(g())", "recursion"),
    "recursion swallowed": ("try: return f(x)\nexcept RuntimeError: return 4", "recursion"),
    "exponential recursion": ("return f(x - 1) + f(x - 1) if x > -99 else 0", "lines"),
    # raising, leaving
    "raise": ("raise ValueError('no')", "error"),
    "raise exit": ("raise SystemExit", "exit"),
    "raise exit with a message": ("raise SystemExit('bye')", "exit"),
    "exit": ("exit()", "exit"),
    "exit with a code": ("exit(0)", "exit"),
    "quit": ("quit()", "exit"),
    "exit swallowed": ("try: exit()\nexcept: return 4", "exit"),
    "raise no memory": ("raise MemoryError", "memory"),
    "division by zero": ("return x / 0", "error"),
    "unknown name": ("return y", "error"),
    "deep iteration": ("a = []\nfor _ in range(3000): a = [a]\nreturn a", "recursion"),
    # printing
    "print without end": ("while True: print('more')", "output"),
    "one long print": ("print('x' * 9999, 'y' * 9999)", "output"),
    # allocating
    "power": ("return 10 ** 10 ** 8", "memory"),
    "power by assignment": ("x **= 10 ** 9", "memory"),
    "pow": ("return pow(10, 10 ** 9)", "memory"),
    "squares": ("for _ in range(99): x = x * x", "memory"),
    "shift": ("return 1 << 10 ** 10", "memory"),
    "shift by assignment": ("x <<= 10 ** 10", "memory"),
    "long text": ("return 'a' * 10 ** 10", "memory"),
    "long text from the left": ("return 10 ** 10 * 'a'", "memory"),
    "long list": ("return [0] * 10 ** 10", "memory"),
    "long list by assignment": ("a = [0]\na *= 10 ** 10", "memory"),
    "an item by assignment": ("a = [[0]]\na[0] *= 10 ** 10", "memory"),
    "long range": ("return list(range(10 ** 10))", "memory"),
    "long range backwards": ("return sum(range(10 ** 10, 0, -3))", "memory"),
    "doubling a list": ("a = [0]\nwhile True: a.extend(a)", "memory"),
    "doubling a text": ("a = 'a'\nwhile True: a += a", "memory"),
    "doubling by unpacking": ("a = [0]\nwhile True: a = [*a, *a]", "memory"),
    "many lists": ("return [[0] * 9999 for _ in range(4999)]", "memory"),
    "a list in a list in a list": ("a = []\nwhile True: a.append([0] * 9999)", "memory"),
    "squaring a text": ("a = 'a' * 9999\nreturn a.replace('', a)", "memory"),
    "joining": ("a = 'a' * 9999\nreturn a.join([a] * 9999)", "memory"),
    "joining a generator": ("a = 'a' * 9999\nreturn ''.join(a for _ in range(4000))", "memory"),
    "padding": ("return 'a'.ljust(10 ** 10)", "memory"),
    "zeros": ("return '1'.zfill(10 ** 10)", "memory"),
    "wide format": ("return '{:10000000000}'.format(x)", "memory"),
    "computed format": ("return '{:{}}'.format(x, 10 ** 10)", "memory"),
    "wide builtin format": ("return format(x, '10000000000')", "memory"),
    "wide percent": ("return '%10000000000d' % x", "memory"),
    "starred percent": ("return '%*d' % (10 ** 10, x)", "memory"),
    "named wide percent": ("return '%(a)9999999999d' % {'a': x}", "memory"),
    "percent by assignment": ("a = '%9999999999d'\na %= x", "memory"),
    "filling by percent": ("a = 'a' * 9999\nreturn '%s' * 4999 % ((a,) * 4999)", "memory"),
    "filling by name": ("a = 'a' * 9999\nreturn '%(b)s' * 1999 % {'b': a}", "memory"),
    "filling by one": ("a = 'a' * 9999\nb = a * 1\nb += a\nb %= 'c' * 9999", "error"),
    "filling by format": ("a = 'a' * 9999\nreturn ('{0}' * 3333).format(a)", "memory"),
    "filling by keyword": ("a = 'a' * 9999\nreturn ('{b}' * 3333).format(b=a)", "memory"),
    "rounding to a power": ("return round(5, -10 ** 10)", "memory"),
    # what is not offered by name
    "iter for ever": ("return list(iter(int, 1))", "error"),
    "sum of lists": ("return sum([[1]] * 9, [])", "error"),
    "attribute by format": ("return '{0.real}'.format(x)", "error"),
    "import os": ("import os", "error"),
    "import sys": ("import sys\nsys.settrace(None)", "error"),
    "import itertools": ("from itertools import count", "error"),
    "relative import": ("from . import x", "error"),
    "open": ("open('/etc/passwd')", "error"),
    "eval": ("eval('1')", "error"),
    "getattr": ("getattr(x, 'real')", "error"),
    "make a class by type": ("type('A', (), {})", "error"),
    "globals": ("globals()", "error"),
    # what is refused before it runs
    "finally": ("try: pass\nfinally:\n    while True: pass", "refused"),
    "class": ("class A: pass", "refused"),
    "with": ("with x: pass", "refused"),
    "async": ("async def g(): pass", "refused"),
    "matrix product": ("return x @ x", "refused"),
    "dunder": ("return x.__class__", "refused"),
    "dunder name": ("return __builtins__", "refused"),
    "private attribute": ("return x._y", "refused"),
    "frame": ("return (i for i in x).gi_frame", "refused"),
    "mro": ("return Exception.mro()", "refused"),
    "except what is computed": ("try: pass\nexcept f(x): pass", "refused"),
    "except BaseException": ("try: pass\nexcept BaseException: pass", "refused"),
    "except a new meaning": (
        "ValueError = x\ntry: pass\nexcept ValueError: pass",
        "refused",
    ),
    "new meaning by argument": ("def g(KeyError): pass", "refused"),
    "new meaning by import": ("import math as KeyError", "refused"),
    "new meaning by pattern": ("match x:\n    case KeyError: pass", "refused"),
    "another guard": ("_guard_tick = x", "refused"),
    "calling a guard": ("_guard_tick()", "refused"),
    "guarded method passed on": ("return map(str.join, [x])", "refused"),
    "wide f-string": ("return f'{x:99999999999}'", "refused"),
    "computed f-string": ("return f'{x:{x}}'", "refused"),
    "factorial": ("import math\nreturn math.factorial(10 ** 9)", "refused"),
    "target with an effect": ("a = [1]\na[f(x)] *= 2", "refused"),
    "does not parse": ("return (", "refused"),
    # what does not end, since it never began
    "generator": ("return 1\nyield", "wrong"),
}


LONG = "a = 'a' * 9999\nfor _ in range(8): a += a\n"  # two and a half million letters

# What a single line might do without end, or with too much: C code that executes no line.
ONE_LINE = {
    # taking in what grows by it
    "extending by itself": ("a = [1]\na.extend(iter(a))", "memory"),
    "extending by type": ("a = [1]\nlist.extend(a, iter(a))", "memory"),
    "adding itself": ("a = [1]\na += iter(a)", "memory"),
    "extending by enumerate": ("a = [1]\na.extend(enumerate(a))", "memory"),
    "extending by filter": ("a = [1]\na.extend(filter(None, a))", "memory"),
    "extending by zip": ("a = [1]\na.extend(zip(a))", "memory"),
    "extending by merge": (
        "import heapq\na = [1]\na.extend(heapq.merge(a, []))",
        "memory",
    ),
    "extending by a generator": ("a = [1]\na.extend(y for y in a)", "lines"),
    "filter that appends": ("a = [1]\nreturn list(filter(a.append, a))", "lines"),
    "any that appends": ("a = [1]\nreturn any(filter(a.append, a))", "lines"),
    "unpacking what appends": ("a = [1]\nreturn [*filter(a.append, a)]", "lines"),
    "minimum that appends": ("a = [1.0]\nreturn min(a, key=lambda y: a.append(y) or y)", "lines"),
    "key that appends": ("a = [[]]\nreturn max(a, key=lambda y: a.append(y) or 1)", "lines"),
    "updating by enumerate": ("d = {1: 2}\nd.update(enumerate(d))", "error"),
    # many at once
    "union of many": ("return set().union(*[range(9999)] * 9999)", "memory"),
    "union by type": ("return set.union(set(), *[range(9999)] * 9999)", "memory"),
    "difference of many": ("a = {1}\na.difference_update(*[range(9999)] * 9999)", "memory"),
    "wide zip": ("return list(zip(*[[1] * 9999] * 3000))", "memory"),
    "wide zip of iterators": ("return list(zip(*[iter([1] * 9999)] * 3000))", "memory"),
    "keys that are lists": (f"{LONG}return sorted([a] * 9999, key=list)", "memory"),
    "sort by lists": (f"{LONG}b = [a] * 9999\nb.sort(key=list)", "memory"),
    "unpacking into a list": (f"a = [1] * 9999\nreturn [{'*a, ' * 4500}]", "memory"),
    "unpacking into a set": (f"a = range(9999)\nreturn {{{'*a, ' * 4500}}}", "lines"),
    "unpacking into a tuple": (f"a = [1] * 9999\nreturn ({'*a, ' * 4500})", "memory"),
    "unpacking into a call": (f"a = [1] * 9999\nreturn max({'*a, ' * 4500})", "memory"),
    "unpacking into a dict": (
        f"a = dict.fromkeys(range(999))\nreturn [{'{**a}, ' * 2500}]",
        "memory",
    ),
    "copies by slice": (f"{LONG}a = list(a)\nreturn [{'a[:], ' * 3000}]", "memory"),
    "copies by list": (f"a = [1] * 9999\nreturn [{'list(a), ' * 2000}]", "memory"),
    "copies by sign": (f"{LONG}a = int(a, 16)\nreturn [{'-a, ' * 4500}]", "memory"),
    "copies by or": (f"a = set(range(9999))\nreturn [{'a | a, ' * 2500}]", "memory"),
    "adding in a row": (f"{LONG}return {' + '.join('a' * 50)}", "memory"),
    "f-string of long texts": (f"{LONG}return f'{'{a}' * 4500}'", "memory"),
    "f-string of forms": (f"{LONG}return f'{'{a!r}' * 3000}'", "memory"),
    "enumerating a long text": (f"{LONG}return list(enumerate(a))", "memory"),
    "splitting a long text": (f"{LONG}return a.split('a')", "memory"),
    "printing many": (f"{LONG}print(*[a] * 9999)", "output"),
    "starred targets": (
        f"{LONG}a = list(a)\n{'; '.join(f'*b{i}, = a' for i in range(1200))}",
        "refused",
    ),
    "starred targets within one": (
        f"{LONG}a = list(a)\n[{', '.join(f'[*b{i}]' for i in range(1200))}] = [a] * 1200",
        "refused",
    ),
    "starred patterns": (
        f"{LONG}match [list(a)] * 1200:\n"
        f"    case [{', '.join(f'[*b{i}]' for i in range(1200))}]: pass",
        "refused",
    ),
    # doubling again and again on one line
    "doubling by sums": (f"a = [1]\n{'a += a; ' * 40}", "memory"),
    "doubling by extend": (f"a = [1]\n{'a.extend(a); ' * 40}", "memory"),
    "doubling by slices": (f"a = [1]\n{'a[:0] = a; ' * 40}", "memory"),
    "doubling by targets": (f"a = [1]\n{'a[:0] = ' * 40} a", "memory"),
    "doubling by walrus": (f"a = [1]\nreturn [{'a := a + a, ' * 40}]", "memory"),
    "doubling by lambdas": (
        f"a = [1]\nb = lambda a: a + a\nreturn {'b(' * 40}a{')' * 40}",
        "memory",
    ),
    # long numbers and long searches
    "dividing": (f"{LONG}return int(a, 16) // int(a[:999999], 16)", "memory"),
    "dividing with rest": (f"{LONG}return divmod(int(a, 16), int(a[:999999], 16))", "memory"),
    "rest": (f"{LONG}return int(a, 16) % int(a[:999999], 16)", "memory"),
    "divisor": (
        f"{LONG}import math\nreturn math.gcd(int(a, 16), int(a[:999999], 16))",
        "memory",
    ),
    "multiple": ("from math import lcm\nreturn lcm(*range(1, 9999))", "memory"),
    "power and rest": ("return pow(3, 10 ** 2000 - 1, 10 ** 2000 - 7)", "memory"),
    "digits": ("return int('9' * 9999)", "error"),
    "search from the right": (f"{LONG}return a.rfind('ab' + a[:999999])", "memory"),
    # by another way to a name
    "imported factorial": ("from math import factorial\nreturn factorial(3 * 10 ** 5)", "refused"),
    "imported as": ("from math import comb as c\nreturn c(10 ** 6, 10 ** 5)", "refused"),
    "module as": ("import math as m\nreturn m.perm(10 ** 6)", "refused"),
    "pattern of a method": ("match 'a':\n    case str(ljust=m): return m(10 ** 8)", "refused"),
    "pattern of a dunder": ("match 1:\n    case int(__class__=c): return c", "refused"),
    "pattern of what is refused": ("match 'a':\n    case str(translate=c): return c", "refused"),
    "pattern's class": ("match 1:\n    case x.__class__(): return 4", "refused"),
    "padding by type": ("return str.ljust('a', 10 ** 8)", "memory"),
    "attribute by format by type": ("return str.format('{0.real}', x)", "error"),
    "altering a module": ("import math\nmath.floor = None", "refused"),
    "altering a module by del": ("import heapq\ndel heapq.heappush", "refused"),
}
ATTACKS |= ONE_LINE
TOO_LARGE = "{} would grow beyond 10,000 items or digits"


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_a_failed_test_with_a_reason(name):
    source, reason = ATTACKS[name]
    trace = sys.gettrace()
    result = run(body(source))
    assert (result.reason, result.passed) == (reason, False), result
    assert result.message
    assert "\n" not in result.message
    assert result.reason in sandbox.REASONS
    assert sys.gettrace() is trace
    assert not tracemalloc.is_tracing()


@pytest.mark.parametrize("name", ONE_LINE)
def test_a_line_takes_neither_long_nor_much(name):
    tracemalloc.start()
    began = time.process_time()
    try:
        result = run(body(ONE_LINE[name][0]))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100 * 2**20
    assert result.message != "no memory left"  # a guard stopped it, and not the machine
    assert time.process_time() - began < 10  # without guards: minutes, or for ever


def test_every_reason_has_an_attack():
    assert {reason for _body, reason in ATTACKS.values()} == set(sandbox.REASONS) - {"passed"}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (body("while True: pass"), "more than 5,000 lines executed"),
        (body("return f(x)"), "more than 150 calls within each other"),
        (body("raise ValueError('no\\nyes')"), "ValueError: no"),
        (body("raise KeyError('k')"), "KeyError: 'k'"),
        (body("raise ValueError"), "ValueError"),
        (body("raise ValueError(7)"), "ValueError: 7"),
        (body("raise ValueError([1])"), "ValueError"),
        (body("return x / 0"), "ZeroDivisionError: division by zero"),
        (body("return 10 ** 10 ** 8"), "a number would grow beyond 10,000 items or digits"),
        (body("a = 'a'\nwhile True: a += a"), "more than 4 MiB in use"),
        (body("while True: print('again')"), "it printed more than 10,000 characters"),
        (body("exit()"), "it called exit"),
        (body(ONE_LINE["filter that appends"][0]), "one line called a function 10,000 times"),
        (body(ONE_LINE["unpacking into a set"][0]), "more turns than 5,000 lines may take"),
        (body(ONE_LINE["splitting a long text"][0]), TOO_LARGE.format("a list of parts")),
        (body("import os"), "ImportError: os cannot be imported here; bisect, heapq, math can"),
        ("def f(x):\n    return (\n", "line 2: '(' was never closed"),
        ("def f(x):\n    class A: pass\n", "line 2: class is not offered here"),
        ("def f(x):\n    break\n", "line 2: 'break' outside loop"),
        ("x = '\0'", "source code string cannot contain null bytes"),
        ("#" * (LONGEST_TEXT + 1), "the file is longer than 20,000 characters"),
        (body("return " + "-" * 100 + "1"), f"it is nested deeper than {DEEPEST_NESTING} levels"),
        (body("return (i for i in [x])"), "it was no plain value but a generator"),
        (body("return [1, [len]]"), "it was no plain value but a builtin_function_or_method"),
        (body("return [0] * 9999"), "it was too large to compare"),
        ("g = 1\n", "NameError: name 'f' is not defined"),
        ("", "NameError: name 'f' is not defined"),
    ],
)
def test_the_message_says_what_happened(source, message):
    assert run(source).message.partition(" (")[0] == message


@pytest.mark.parametrize("source", ["(" * 5000, "-" * 19_000 + "1", "[" * 90 + "]" * 90, "x." * 9])
def test_deeply_nested_source_is_refused(source):
    assert run(source).reason == "refused"


@pytest.mark.parametrize(
    ("value", "expected", "passed"),
    [
        ("1", "1", True),
        ("True", "1", False),
        ("1.0", "1", False),
        ("[1, (2, {'a': {3}})]", "[1, (2, {'a': {3}})]", True),
        ("[1, (2, {'a': {3}})]", "[1, (2, {'a': {4}})]", False),
        ("(1, 2)", "[1, 2]", False),
        ("{1: 2}", "{True: 2}", False),
        ("{(1, (2,)): 3, 'b': None}", "{'b': None, (1, (2,)): 3}", True),
        ("{1, 2}", "{2, 1}", True),
        ("{1.0}", "{1}", False),
        ("''", "''", True),
        ("None", "0", False),
    ],
)
def test_values_are_alike_where_their_types_are_too(value, expected, passed):
    assert run(f"def f(x):\n    return {value}\n", Case("f(3)", expected)).passed is passed


@pytest.mark.parametrize(
    "text",
    [
        "a = [1]\nb = a\na *= 3\nreturn len(b) + 1",  # in place: others see it
        "a = [2, 3]\na[0] *= 2\nreturn a[0]",
        "return 2 ** 2",
        "return 17 % 13",
        "return 1 << 2",
        "return len('%4d' % x)",
        "return len('%s-%s' % ('a', 'bc'))",
        "return len('%(a)s' % {'a': 'four'})",
        "return len('%s' % 'four')",
        "return len(f'{x:>4}')",
        "return len('{:>4}'.format(x))",
        "return len('{}{{'.format(x)) + 2",
        "return len('-'.join(['a', 'b'])) + 1",
        "return len('abab'.replace('b', 'xx')) - 2",
        "return len('ab'.center(4))",
        "return int('4'.zfill(3))",
        "return round(3.9)",
        "return sum(map(max, [1, 2], [3, 1])) - 1",
        "import math\nreturn math.isqrt(16)",
        "from bisect import bisect_left\nreturn bisect_left([1, 2, 3, 4], 5)",
        "try:\n    x / 0\nexcept (KeyError, ZeroDivisionError) as e:\n    return 4",
        "try:\n    x / 0\nexcept:\n    return 4",
        "return next(y for y in [4, 5])",
        "for _ in range(500):\n    y = next(y for y in [4, 5])\nreturn y",
        "def g():\n    'Only a docstring.'\ng()\nreturn 4",
        "return (lambda y: y + 1)(x)",
        "g = lambda: 0\nreturn 4 + g()",
        "return sum(1 for y in range(9) if y % 2)",
        "match x:\n    case 3: return 4",
        "i = 0\nwhile i < 4: i += 1\nelse: return i",
        "print('x', 1, sep='-', end='')\nreturn 4",
        "a, *b = [1, 2, 4]\nreturn b[1]",
        "a = [1]\na.extend(iter([2, 3, 4]))\nreturn a[-1]",
        "a = [1]\na += (y for y in [2, 3])\nreturn sum(a[:0] + [*a[:1], *iter(a[2:])])",
        "a = [1, 2, 3]\na[1:2] = iter([4, 5])\ndel a[:2]\nreturn a[0] + len(a) - 3",
        "return {**{'a': 1}, 'b': 4}['b']",
        "return max(*[1, 4]) if f'{x}{x!r:>2}-{{' == '3 3-{' else 0",
        "return sorted([1, 4, 2], key=lambda y: -y)[0]",
        "a = [4, 1]\na.sort(key=abs, reverse=True)\nreturn max(a, key=abs, default=0)",
        "return len({1}.union([2], iter([3]), {4})) + len(set.intersection({1}, {2}))",
        "return sum(a * b for a, b in zip([1, 2], [2, 1], strict=True))",
        "return list(enumerate(filter(None, [0, 3, 4]), 1))[1][1]",
        "from math import gcd, lcm\nimport heapq as h\nreturn gcd(8, 12) * lcm(1, 1)",
        "import heapq\nreturn heapq.nlargest(1, [4, -5], key=lambda y: y)[0]",
        "return divmod(9, 2)[0] + 17 // x // 9 + pow(2, 4, 16)",
        "return [-y for y in (1, -4)][1] + (-x + x) + len('a,b'.rsplit(',')) - 2",
    ],
)
def test_ordinary_code_means_what_it_means(text):
    assert run(body(text)).reason == "passed", run(body(text))


def test_a_repeat_at_the_limit_is_allowed_and_one_beyond_is_not():
    assert run(body("return len([0] * 10_000) - 9_996")).passed
    assert run(body("return len([0] * 10_001)")).reason == "memory"


def test_the_budget_is_of_lines():
    source = body("for i in range(20):\n    pass\nreturn 4")
    lines = run(source).lines
    assert run(source, most_lines=lines).passed
    assert run(source, most_lines=lines - 1)[1] == "lines"


@pytest.mark.parametrize("most_lines", [0, -1, 1.5, True, None])
def test_a_budget_is_a_whole_number_from_1(most_lines):
    with pytest.raises(ValueError, match="most_lines must be a whole number from 1; it was"):
        run_cases("", [], most_lines=most_lines)


def test_lines_are_the_same_on_every_run():
    source = body("return [f(x - 1) for _ in range(2)] if x else 4")
    first, *others = (run(source) for _ in range(5))
    assert others == [first] * 4


def test_every_test_starts_from_a_fresh_namespace():
    source = "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen) + 3\n"
    assert run_cases(source, [CALL, CALL, CALL]).passed


def test_builtins_cannot_be_spoilt_for_the_next_test():
    source = "def f(x):\n    global len\n    y = len([1])\n    len = 7\n    return y + x\n"
    assert run_cases(source, [CALL, CALL]).passed


def test_output_is_kept_up_to_a_limit():
    result = run_cases(body("print('seen', x)\nreturn 4"), [CALL, CALL])
    assert result.output == "seen 3\nseen 3\n"
    endless = run_cases(body("while True: print('y' * 5000)"), [CALL, CALL])
    assert not endless.passed
    assert len(endless.output) == MOST_OUTPUT


def test_setup_runs_before_the_call():
    case = Case("values", "[1, 2]", setup="values = [2, 1]\nf(values)")
    assert run("def f(x):\n    x.sort()\n", case).passed
    assert case.text == "values = [2, 1]\nf(values)\nassert values == [1, 2]"


def test_a_budget_that_runs_out_in_a_finaliser_still_ends_the_test():
    """There the trace function is lost and what it raised is swallowed; the ticks remain.

    Each turn closes a generator, whose `except` is one of the lines: some budget ends there.
    """
    source = body(
        """
        def g():
            try:
                yield 1
            except ValueError:
                pass
        while True:
            next(g())
        """
    )
    for most_lines in range(100, 115):
        assert run(source, most_lines=most_lines).reason == "lines"


@pytest.mark.parametrize(
    "head", ["while True: pass", "for i in range(9): i", "return [i for i in 'ab']"]
)
def test_what_was_stopped_stays_stopped(head, monkeypatch):
    """As if the trace function had been lost: nothing is counted, and the ticks end it."""
    monkeypatch.setattr(sandbox._Meter, "enter", lambda self, *event: None)
    meter = sandbox._Meter.__init__

    def stopped(self, most_lines):
        meter(self, most_lines)
        self.stopped = ("lines", "before")

    monkeypatch.setattr(sandbox._Meter, "__init__", stopped)
    assert run(body(head))[1:3] == ("lines", "before")


def test_the_trace_function_is_put_back():
    def trace(frame, event, argument):
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run(body("while True: pass"))
        kept = sys.gettrace()
    finally:
        sys.settrace(before)
    assert kept is trace


def test_an_interrupt_comes_through_and_the_trace_function_is_put_back(monkeypatch):
    def interrupt(*values):
        raise KeyboardInterrupt

    monkeypatch.setattr(sandbox.Output, "print", interrupt)
    before, hook = sys.gettrace(), sys.unraisablehook
    with pytest.raises(KeyboardInterrupt):
        run(body("try:\n    print(x)\nexcept:\n    return 4"))
    assert sys.gettrace() is before
    assert sys.unraisablehook is hook
    assert not tracemalloc.is_tracing()


def test_counting_of_memory_is_left_on_where_it_was_on():
    tracemalloc.start()
    try:
        run(body("return 4"))
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_a_deep_caller_does_not_change_the_result():
    def deeper(n):
        return deeper(n - 1) if n else run(body("return f(x)"))

    assert deeper(100) == deeper(0)


def test_names_of_attacks_do_not_repeat():
    bodies = [source for source, _reason in ATTACKS.values()]
    assert all(a != b for a, b in itertools.combinations(bodies, 2))
