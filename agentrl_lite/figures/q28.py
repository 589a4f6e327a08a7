"""The figures of Q28: a mask on a trajectory made by hand, and the stored runs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from agentrl_lite.figures import style, tokens
from agentrl_lite.figures.q28_sweep import ENTROPIES, SWEEP
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.handmade import VOCABULARY, handmade
from agentrl_lite.i18n import N_, _
from agentrl_lite.trajectory import Producer, Trajectory

Bools = NDArray[np.bool_]
TEXT = "<issue0> <issue1> read end <file> <dot> <clue2> hmm edit2 end <patched> submit end"

_SHIFT = Control(
    name="shift",
    symbol="shift",
    label=N_("Shift of the mask"),
    minimum=-1,
    maximum=1,
    step=1,
    default=0,
    frames=(-1, 0, 1),
    integer=True,
)
_POLICIES = {
    -1: N_("first token of each span let in"),
    0: N_("tool spans left out"),
    1: N_("last token of each span let in"),
    2: N_("whole tool spans let in"),
}
_SPANS = Control(
    name="spans",
    symbol="spans",
    label=N_("Tool spans"),
    minimum=-1,
    maximum=2,
    step=1,
    default=0,
    frames=(-1, 0, 1, 2),
    integer=True,
    names=tuple(_POLICIES.values()),
)
# Hundredths of an inch.
_LEFT, _CELL, _HEIGHT = 16, 50.5, 26


class _Shown(NamedTuple):
    made: Trajectory
    own_T: Bools  # whether the policy wrote the predicted token
    mask_T: Bools


@lru_cache(maxsize=16)
def _shown(shift: int, spans: int) -> _Shown:
    """Return the trajectory and the mask that the controls make."""
    made = handmade(TEXT)
    own, tool = made.producer == Producer.POLICY, made.producer == Producer.TOOL
    taken = own | tool if spans == 2 else own.copy()
    if spans in (-1, 1):  # a span that begins one token late, or ends one early
        taken |= tool & ~np.roll(tool, -spans)
    asked = np.arange(1, len(own)) + shift
    inside = asked < len(own)
    mask = taken[np.where(inside, asked, 0)] & inside
    return _Shown(made, own[1:], mask)


def _backdrop(fig: Any) -> Any:
    ax = tokens.page(fig)
    tokens.heading(ax, _LEFT, 18, _("A trajectory: who wrote which token"))
    tokens.key(ax, 470, 18, Producer.PROMPT, Producer.POLICY, Producer.TOOL)
    made = handmade(TEXT)
    for j, (token, producer) in enumerate(zip(made.ids, made.producer.tolist(), strict=True)):
        x = _LEFT + j * _CELL
        tokens.box(ax, x, 34, _CELL, _HEIGHT, producer)
        word = _("{word}").format(word=VOCABULARY.words[token])
        tokens.written(ax, x + _CELL / 2, 47, word, tokens.FILLS[producer][1])
    tokens.heading(ax, _LEFT, 84, _("The mask on the predicted tokens"))
    ax.text(_LEFT + 105, 222, _("of the policy's tokens are trained"), va="center")
    ax.text(_LEFT + 105, 248, _("of the other tokens are in the loss"), va="center")
    return ax


def _draw(ax: Any, *, shift: int, spans: int) -> None:
    made, own, mask = _shown(shift, spans)
    for j, producer in enumerate(made.producer.tolist()[1:], start=1):
        x, inside, mine = _LEFT + j * _CELL, bool(mask[j - 1]), bool(own[j - 1])
        tokens.box(ax, x, 98, _CELL, _HEIGHT, producer)
        ink = style.INK if inside else style.GHOST_TEXT
        tokens.written(ax, x + _CELL / 2, 111, str(int(inside)), ink, bold=inside)
        if inside != mine:
            colour = style.VERMILION if inside else style.PURPLE
            edge = (x + 1.5, 99)
            ax.add_patch(Rectangle(edge, _CELL - 3, _HEIGHT - 2, fill=False, ec=colour, lw=1.6))
            text = _("let in") if inside else _("lost")
            tokens.written(ax, x + _CELL / 2, 136, text, colour, bold=True)
    lines = (
        (222, own & mask, own, style.PURPLE),
        (248, ~own & mask, ~own, style.VERMILION),
    )
    for y, some, of, colour in lines:
        text = _("{some} of {all}").format(some=int(some.sum()), all=int(of.sum()))
        big = ax.text(_LEFT, y, text, va="center", fontsize=style.HEADLINE_PT, weight="bold")
        big.set_color(colour)
    ax.text(_LEFT, 178, _(_POLICIES[spans]), va="center")
    shifted = _("mask shifted by {shift}").format(shift=f"{shift:+d}") if shift else _("no shift")
    ax.text(_LEFT, 160, shifted, va="center")


def _summary(*, shift: int, spans: int) -> str:
    _made, own, mask = _shown(shift, spans)
    return _(
        "Shift {shift}, {policy}: the mask trains {kept} of the {own} tokens that the policy "
        "wrote, and lets in {foreign} of the {others} others."
    ).format(
        shift=f"{shift:+d}" if shift else "0",
        policy=_(_POLICIES[spans]),
        kept=int((own & mask).sum()),
        own=int(own.sum()),
        foreign=int((~own & mask).sum()),
        others=int((~own).sum()),
    )


MASK = Figure(
    id="q28-mask",
    number="B.28",
    columns=2,
    controls=(_SHIFT, _SPANS),
    caption=N_(
        "A trajectory made by hand. Above, its tokens in the colour of who wrote them; below, the "
        "loss mask on each predicted token, which is each but the first. Frames mark tokens that "
        "are in the loss and should not be, and such as should be and are not."
    ),
    alt=N_(
        "A row of thirteen words and below it a row of noughts and ones: with a shift or a wrong "
        "tool span, some boxes are framed as let in or lost."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)

FIGURES = (MASK, SWEEP, ENTROPIES)
