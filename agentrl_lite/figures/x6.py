"""The figure of exercise 6: which planted faults show in the mask of a batch made by hand."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from agentrl_lite.appendix.mask_tests import FAULTS, SHIFTS
from agentrl_lite.figures import style, tokens
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.handmade import handmade
from agentrl_lite.i18n import N_, _
from agentrl_lite.trajectory import Batch, Producer, Trajectory, collate

_PROMPT = Control(
    name="a",
    symbol="a",
    label=N_("Prompt tokens"),
    minimum=1,
    maximum=3,
    step=1,
    default=1,
    frames=(1, 2),
    integer=True,
)
_TURNS = Control(
    name="n",
    symbol="n",
    label=N_("Turns"),
    minimum=1,
    maximum=4,
    step=1,
    default=2,
    frames=(1, 2, 3),
    integer=True,
)
_SPAN = Control(
    name="s",
    symbol="s",
    label=N_("Tool tokens"),
    minimum=1,
    maximum=3,
    step=1,
    default=2,
    frames=(2,),
    integer=True,
)
_ROWS = Control(
    name="b",
    symbol="b",
    label=N_("Trajectories"),
    minimum=1,
    maximum=2,
    step=1,
    default=1,
    frames=(1, 2),
    integer=True,
)
# Hundredths of an inch.
_LEFT, _CELL, _TOP, _HEIGHT = 14, 17, 62, 26
_LIST, _FIRST, _LINE = 392, 44, 16.2


def fixture(a: int, n: int, s: int, b: int) -> list[Trajectory]:
    """Return the batch of the controls: turns of two words, tool spans between them.

    Args:
        a: tokens of each prompt.
        n: turns of the first trajectory.
        s: tokens of each tool span.
        b: trajectories; the second has one turn.
    """
    prompt, turn, span = " ".join(["<issue0>"] * a), "hmm end", " ".join(["<dot>"] * s)
    long = f"{prompt} " + f" {span} ".join([turn] * n)
    return [handmade(text) for text in (long, f"{prompt} {turn}")[:b]]


@lru_cache(maxsize=256)
def _seen(a: int, n: int, s: int, b: int) -> tuple[Batch, frozenset[str]]:
    """Return the batch, and the ids of the faults whose mask differs from the right one."""
    made = fixture(a, n, s, b)
    right = collate(made)
    differ = (f.id for f in FAULTS if (f.collate(made).mask_B_T != right.mask_B_T).any())
    return right, frozenset(differ)


def _listed() -> list[tuple[str, frozenset[str]]]:
    """Return what is listed, and the faults that a line stands for: the shifts share one."""
    shifts = frozenset(fault.id for fault in SHIFTS)
    rest = [(_(f.label), frozenset({f.id})) for f in FAULTS if f.id not in shifts]
    return [(_("whole mask shifted, by up to 3 either way"), shifts), *rest]


def _backdrop(fig: Any) -> Any:
    ax = tokens.page(fig)
    tokens.heading(ax, _LEFT, 18, _("A batch, and the mask that you expect of it"))
    kinds = (Producer.PROMPT, Producer.POLICY, Producer.TOOL, Producer.PAD)
    tokens.key(ax, _LEFT, 42, *kinds)
    ax.text(_LEFT, 186, _("faults do not show in this mask"), va="center")
    tokens.heading(ax, _LIST, 18, _("Planted faults"))
    for i, (label, _faults) in enumerate(_listed()):
        y = _FIRST + i * _LINE
        ax.text(_LIST + 16, y, label, va="center_baseline", fontsize=style.SMALL_PT)
    return ax


def _draw(ax: Any, *, a: int, n: int, s: int, b: int) -> None:
    batch, seen = _seen(a, n, s, b)
    for i, producers in enumerate(batch.producer):
        y = _TOP + i * (_HEIGHT + 8)
        for j, producer in enumerate(producers.tolist()):
            x = _LEFT + j * _CELL
            tokens.box(ax, x, y, _CELL, _HEIGHT, producer)
            if j:
                inside = bool(batch.mask_B_T[i, j - 1])
                ink = tokens.FILLS[producer][1]
                middle = (x + _CELL / 2, y + _HEIGHT / 2)
                tokens.written(ax, *middle, str(int(inside)), ink, bold=inside)
    through = len(FAULTS) - len(seen)
    text = _("{through} of {count}").format(through=through, count=len(FAULTS))
    big = ax.text(_LEFT, 162, text, va="center", weight="bold", fontsize=style.HEADLINE_PT)
    big.set_color(style.VERMILION)
    for i, (_label, faults) in enumerate(_listed()):
        colour, face = (
            (style.BLUE, style.BLUE) if faults <= seen else (style.VERMILION, style.PAPER)
        )
        dot = (_LIST + 5, _FIRST + i * _LINE - 1)
        ax.plot(*dot, "o", ms=5, mfc=face, mec=colour, mew=1.4)


def _summary(*, a: int, n: int, s: int, b: int) -> str:
    batch, seen = _seen(a, n, s, b)
    return _(
        "Prompt tokens {a}, turns {n}, tool tokens a span {s}, trajectories {b}: the mask covers "
        "{covered} of {tokens} tokens, and {through} of the {count} faults do not show in it."
    ).format(
        b=b,
        n=n,
        a=a,
        s=s,
        tokens=int(np.count_nonzero(batch.producer)),
        covered=int(batch.mask_B_T.sum()),
        through=len(FAULTS) - len(seen),
        count=len(FAULTS),
    )


FIGURES = (
    Figure(
        id="x6-fixture",
        number="B.X6",
        columns=2,
        controls=(_PROMPT, _TURNS, _SPAN, _ROWS),
        caption=N_(
            "Left: a batch made by hand, its tokens in the colour of who wrote them, with the "
            "expected mask on every predicted token; the first token of a trajectory is never "
            "predicted. Right: faults planted in collate. A full dot shows in the mask, a ring "
            "does not."
        ),
        alt=N_(
            "One or two rows of boxes with noughts and ones, and a list of planted faults with "
            "full dots and rings: a longer and more varied batch has fewer rings."
        ),
        backdrop=_backdrop,
        draw=_draw,
        summary=_summary,
    ),
)
