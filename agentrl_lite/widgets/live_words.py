"""What a live run says in words: a sentence with its numbers, and a table of first and last."""

from __future__ import annotations

import math
from collections.abc import Sequence

from agentrl_lite.experiments import Panel
from agentrl_lite.i18n import _
from agentrl_lite.pair import Pair

#: So many steps are averaged at the start of a run and at its end.
FIRST, LAST = 5, 10


def number(value: float, panel: Panel) -> str:
    """Return a figure with the digits that its panel can show.

    >>> reward = Panel("reward", "Reward", (0, 1))
    >>> number(0.123, reward), number(float("nan"), reward)
    ('0.12', 'none')
    """
    if math.isnan(value):
        return _("none")
    low, high = panel.limits
    return f"{value:.{2 if high - low <= 4 else 1}f}"


def panel_words(pair: Pair, panel: Panel) -> str:
    """Return a panel's numbers of both runs over the last steps: `Reward 0.4 (a) and 0.7 (b)`."""
    first, second = (number(pair.last(way.arm, panel.metric, LAST), panel) for way in pair.ways)
    return _("{panel} {first} ({one}) and {second} ({two})").format(
        panel=_(panel.label),
        first=first,
        one=pair.ways[0].label,
        second=second,
        two=pair.ways[1].label,
    )


def sentence(pair: Pair, panels: Sequence[Panel]) -> str:
    """Return the numbers of every panel and both runs, over the last steps, in one sentence.

    Where a reader has changed the second run, another sentence says how.
    """
    if not pair.done:
        return _("With seed {seed}, no step is done yet.").format(seed=pair.seed)
    numbers = _("With seed {seed}, in the mean of steps {first} to {last}: {numbers}.").format(
        seed=pair.seed,
        first=max(1, pair.done - LAST + 1),
        last=pair.done,
        numbers="; ".join(panel_words(pair, panel) for panel in panels),
    )
    return " ".join(filter(None, (numbers, pair.ways[1].told)))


def rows(pair: Pair, panels: Sequence[Panel]) -> list[dict[str, str]]:
    """Return a row for each panel and run: its mean over the first steps, and over the last."""
    first, last = (
        _("first {n}").format(n=min(FIRST, pair.done)),
        _("last {n}").format(n=min(LAST, pair.done)),
    )
    found = []
    for panel in panels:
        for way in pair.ways:
            found.append(
                {
                    _("mean"): _(panel.label),
                    _("run"): way.label,
                    first: number(pair.first(way.arm, panel.metric, FIRST), panel),
                    last: number(pair.last(way.arm, panel.metric, LAST), panel),
                }
            )
    return found


def alt(pair: Pair, panels: Sequence[Panel]) -> str:
    """Return what the picture shows, and what it says."""
    names = "; ".join(_(panel.label) for panel in panels)
    what = _("Curves of two training runs against the step, a panel each for: {panels}.")
    return f"{what.format(panels=names)} {sentence(pair, panels)}"
