"""Where a slider without a kernel stops: where it is told to, and evenly on its own scale.

A picture must be drawn for every stop, so a slider has about ten of them.
"""

from __future__ import annotations

from itertools import pairwise

from agentrl_lite.figures.spec import Control

#: How many gaps there would be between a slider's stops if all were even.
GAPS = 8
#: A control with no more values than these stops at each of them.
ALL = 12


def stops(control: Control, start: float) -> tuple[float, ...]:
    """Return the values at which a slider stops, ascending.

    Both ends, the start, and what the control asks for are among them. What is wide between two of
    them is divided evenly, which for a `log` control means by equal factors.

    >>> G = Control(name="G", symbol="G", label="Group size", minimum=2, maximum=64, step=1,
    ...             default=8, frames=(4, 8, 16), integer=True)
    >>> stops(G, 8)
    (2, 4, 8, 16, 24, 32, 40, 48, 56, 64)
    """
    last = round(control.steps(control.maximum))
    found = {control.at(0), control.at(last), control.check(start)}
    found.update(map(control.check, control.frames))
    if last < ALL:
        return tuple(sorted(found.union(map(control.at, range(last + 1)))))
    for low, high in pairwise(sorted(map(control.steps, found))):
        parts = round((high - low) * GAPS / last)
        found.update(control.at(round(low + (high - low) * n / parts)) for n in range(1, parts))
    return tuple(sorted(found))
