"""Training runs against the step: a line for one seed, a band for many, each with its label.

Labels stand at the ends of their lines, to the right of the axes, and keep off each other. For that
`draw_band` needs the limits, and the size of the figure, as they will be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from agentrl_lite.experiments import Arm, Panel
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control
from agentrl_lite.i18n import N_, _
from agentrl_lite.sweeps import Sweep

Floats = NDArray[np.float64]

#: One colour for each arm, in the order of the experiment: what fails, what is mended, the others.
COLOURS = (
    style.VERMILION,
    style.BLUE,
    style.GREEN,
    style.PURPLE,
    style.INK,
    style.GHOST_TEXT,
)
#: A shape for each, at the line's end.
SHAPES = ("o", "s", "^", "D", "v", "<")

#: Room to the left of the axes for ticks, and to the right for labels; above and below them.
LEFT_IN, RIGHT_IN, TOP_IN, BOTTOM_IN = 0.40, 0.84, 0.29, 0.36
# A label is broken into lines of about so many letters, which is what the room is wide enough for.
_LETTERS = 12
_LINE_PT = 1.3 * style.SMALL_PT
_GAP_PT = 6.0
_LABEL = "run-label"
# A label stands at the height of the last steps' mean: one step's noise does not make it jump.
_CALM = 5


def beside(arms: Sequence[Arm]) -> Control:
    """Return the control that says which of some arms stands beside the one that fails.

    Args:
        arms: those to choose from; the second of them is where the control starts.
    """
    return Control(
        name="arm",
        symbol="arm",
        label=N_("Arm beside it"),
        minimum=1,
        maximum=len(arms),
        step=1,
        default=2,
        frames=tuple(range(1, len(arms) + 1)),
        integer=True,
        names=tuple(arm.label for arm in arms),
    )


def side_by_side(
    figure: Any, panels: Sequence[Panel], steps: int, *, columns: int | None = None
) -> tuple[Any, ...]:
    """Divide a figure into axes for these panels, with room for ticks and labels.

    Args:
        figure: an empty matplotlib figure.
        panels: what each axes shows: its title and its limits.
        steps: number of steps, which the x axis ends with.
        columns: panels a row; all in one row if None.

    Returns:
        The axes, in the order of the panels.
    """
    columns = columns or len(panels)
    rows = -(-len(panels) // columns)
    width_in, height_in = figure.get_size_inches()
    wide, high = 1 / columns, 1 / rows
    found = []
    for i, panel in enumerate(panels):
        row, column = divmod(i, columns)
        box = (
            column * wide + LEFT_IN / width_in,
            1 - (row + 1) * high + BOTTOM_IN / height_in,
            wide - (LEFT_IN + RIGHT_IN) / width_in,
            high - (TOP_IN + BOTTOM_IN) / height_in,
        )
        axes = figure.add_axes(box)
        style.quiet_axes(axes)
        axes.set(xlim=(0, steps), ylim=panel.limits)
        axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(4))
        axes.set_xlabel(_("Step"))
        marks.title(axes, _(panel.label))
        found.append(axes)
    return tuple(found)


def draw_band(
    axes: Any,
    steps: ArrayLike,
    values_S_N: ArrayLike,
    label: str,
    colour: str,
    *,
    shape: str = "o",
    dash: Any = "-",
) -> None:
    """Draw the mean over seeds as a line, their range as a band, and the label at the line's end.

    NaN is over nothing: it is left out of mean and range, and where every seed has it the line has
    a gap. A label whose line ends above or below the axes says the value.

    Args:
        axes: with its limits set.
        steps: shape (N,), ascending.
        values_S_N: one row for each of S seeds; a band needs two.
        label: what the line is, translated; "" for no label.
        colour: of line, band and label.
        shape: of the mark at the line's end.
        dash: of the line.

    Raises:
        ValueError: when the shapes do not fit.
    """
    x, values = np.asarray(steps, dtype=np.float64), np.asarray(values_S_N, dtype=np.float64)
    if x.ndim != 1 or values.ndim != 2 or values.shape[1] != len(x):
        raise ValueError(
            f"values_S_N must have a column for each of steps; their shapes were {values.shape} "
            f"and {x.shape}"
        )
    there = np.isfinite(values)
    (known,) = np.nonzero(there.any(axis=0))
    if not known.size:
        return
    mean = _mean(values)
    if len(values) > 1:
        low = np.where(there, values, np.inf).min(axis=0)
        high = np.where(there, values, -np.inf).max(axis=0)
        axes.fill_between(
            x, low, high, where=there.any(axis=0), color=colour, alpha=0.16, lw=0, zorder=2
        )
    axes.plot(x, mean, color=colour, lw=1.4, ls=dash, zorder=3)
    last = known[-1]
    axes.plot(
        x[last : last + 1],
        np.clip(mean[last : last + 1], *sorted(axes.get_ylim())),
        shape,
        ms=4.5,
        mfc=colour,
        mec=style.PAPER,
        mew=0.8,
        clip_on=False,
        zorder=4,
    )
    if label:
        end = float(np.mean(mean[known[-_CALM:]]))
        _label_end(axes, float(x[last]), end, float(mean[last]), label, colour)


def draw_arms(
    axes: Sequence[Any], sweep: Sweep, panels: Sequence[Panel], arms: Sequence[Arm]
) -> None:
    """Draw each arm of a sweep in each panel, in the colours and shapes of their order.

    Args:
        axes: of the panels, with their limits set.
        sweep: the stored runs.
        panels: what each axes shows.
        arms: at most as many as there are colours.
    """
    for ax, panel in zip(axes, panels, strict=True):
        for arm, colour, shape in zip(arms, COLOURS, SHAPES, strict=False):
            values = sweep[arm.id, panel.metric]
            draw_band(ax, sweep.steps, values, _(arm.label), colour, shape=shape)


def broken(label: str) -> str:
    r"""Break a label at its spaces into lines of about twelve letters.

    >>> broken("constant normaliser"), broken("mended"), broken("priced and divided")
    ('constant\nnormaliser', 'mended', 'priced and\ndivided')
    """
    lines: list[str] = []
    for word in label.split():
        if lines and len(lines[-1]) + 1 + len(word) <= _LETTERS:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def spread(wanted: ArrayLike, heights: ArrayLike, low: float, high: float) -> Floats:
    """Return heights for labels that keep off each other, as near as can be to where they belong.

    The sum of squared moves is the least that there is. Where they cannot all have room they begin
    at `low` and go on beyond `high`.

    Args:
        wanted: middle of each label, shape (n,).
        heights: height of each, in the same unit.
        low: where no label may begin below.
        high: where none may end above.

    Returns:
        The middles, shape (n,).

    >>> spread([5, 5.5, 9], [2, 2, 2], 0, 10)
    array([4.25, 6.25, 9.  ])
    """
    middles, tall = np.asarray(wanted, dtype=np.float64), np.asarray(heights, dtype=np.float64)
    order = np.argsort(middles, kind="stable")
    tall = tall[order]
    # Without the labels' own heights what is left must ascend: pool what does not.
    below = np.cumsum(tall) - tall / 2
    pools: list[tuple[float, int]] = []
    for value in middles[order] - below:
        pools.append((float(value), 1))
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            (a, n), (b, m) = pools[-2:]
            pools[-2:] = [((a * n + b * m) / (n + m), n + m)]
    flat = np.repeat([value for value, _n in pools], [n for _value, n in pools])
    placed = np.empty_like(middles)
    placed[order] = np.clip(flat, low, max(low, high - tall.sum())) + below
    return placed


def _mean(values_S_N: Floats) -> Floats:
    there = np.isfinite(values_S_N)
    count = there.sum(axis=0)
    total = np.where(there, values_S_N, 0.0).sum(axis=0)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


def _label_end(axes: Any, x: float, height: float, end: float, label: str, colour: str) -> None:
    """Add a label, and find places for all that the axes have."""
    low, high = sorted(axes.get_ylim())
    text = broken(label)
    if not low <= end <= high:
        text += f"\n{'↑' if end > high else '↓'} {end:.3g}"
    axes.annotate(
        text,
        (x, min(max(height, low), high)),
        xytext=(_GAP_PT, 0),
        textcoords="offset points",
        ha="left",
        va="center",
        fontsize=style.SMALL_PT,
        color=colour,
        linespacing=1.15,
        annotation_clip=False,
        gid=_LABEL,
        zorder=5,
    )
    _place(axes, [text for text in axes.texts if text.get_gid() == _LABEL])


def _place(axes: Any, labels: Sequence[Any]) -> None:
    to_points = 72 / axes.figure.dpi
    anchors = [axes.transData.transform(made.xy)[1] * to_points for made in labels]
    tall = [_LINE_PT * (1 + made.get_text().count("\n")) for made in labels]
    box = axes.bbox
    places = spread(anchors, tall, box.y0 * to_points, box.y1 * to_points)
    for made, anchor, place in zip(labels, anchors, places, strict=True):
        made.set_position((_GAP_PT, float(place - anchor)))
