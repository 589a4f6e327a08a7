"""The third figure of Q5: a few tokens far away, as a mean and as quantiles show them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from agentrl_lite.figures import marks, style
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _
from agentrl_lite.kl import summarise

_SIZE = 20_000
# Calm log-ratios are normal, as close as the grid goes; their divergence is half the variance.
_SIGMA = 0.1
_QUANTILES = (0.99, 0.999)

_SHARE = Control(
    name="s",
    symbol="s",
    label=N_("Far tokens, share"),
    minimum=0.0,
    maximum=0.02,
    step=0.0005,
    default=0.002,
    frames=(0.0, 0.0005, 0.002, 0.01, 0.0105, 0.02),
)
_FAR = Control(
    name="L",
    symbol="L",
    label=N_("How far, nats"),
    minimum=1.0,
    maximum=12.0,
    step=0.5,
    default=6.0,
    frames=(2.0, 6.0, 12.0),
)
_ROWS = ("mean", *_QUANTILES)


def _log_ratios(s: float, far: float) -> NDArray[np.float64]:
    """Return a batch of which the share `s` lies at -`far`, and the rest is calm."""
    wild = round(s * _SIZE)
    calm = _SIZE - wild
    grid = ndtri((np.arange(calm) + 0.5) / calm)
    return np.append(_SIGMA * grid - _SIGMA**2 / 2, np.full(wild, -far))


@lru_cache(maxsize=512)
def _dials(s: float, far: float) -> tuple[float, ...]:
    """Return the mean of k3 and the two quantiles of |x|, in nats."""
    x = _log_ratios(s, far)
    both = [summarise(x, quantile=q) for q in _QUANTILES]
    return float(both[0].k3), *(float(one.abs_quantile) for one in both)


def _beyond(x: NDArray[np.float64]) -> tuple[Any, Any]:
    """Return the sizes |x| in falling order, and the share of tokens at least as large."""
    sizes = np.sort(np.abs(x))[::-1]
    # All of the tail, and of the many others enough for a curve.
    kept = np.unique(np.geomspace(1, _SIZE, 400).astype(int)) - 1
    return (kept + 1) / _SIZE, sizes[kept]


def _backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.065, right=0.9, bottom=0.16, top=0.885, wspace=0.42)
    tail, dials = fig.subplots(1, 2)
    style.quiet_axes(tail)
    tail.set_xscale("log")
    tail.set_yscale("log")
    tail.set(xlim=(1, 1e-4), ylim=(0.01, 20))
    tail.set_xticks([1, 0.1, 0.01, 0.001, 0.0001], ["100 %", "10 %", "1 %", "0.1 %", "0.01 %"])
    tail.set_yticks([0.01, 0.1, 1, 10], ["0.01", "0.1", "1", "10"])
    tail.minorticks_off()
    marks.title(tail, _("Size of the log-ratio, in nats"))
    tail.set_xlabel(_("Share of tokens at least as far"))
    tail.plot(*_beyond(_log_ratios(0, 1)), color=style.GHOST, lw=1.4, ls=(0, (4, 2)))
    marks.label(tail, 1e-4, 0.4, (0, -14), _("calm batch"), style.GHOST_TEXT, "right")
    for q in _QUANTILES:
        tail.axvline(1 - q, color=style.GHOST_TEXT, lw=0.9, ls=(0, (5, 3)))
        text = _("{percent} %").format(percent=f"{100 * q:g}")
        marks.label(tail, 1 - q, 0.01, (-3, 4), text, style.GHOST_TEXT, "right")

    style.quiet_axes(dials, horizontal=False)
    dials.set_xscale("log")
    dials.set(xlim=(1, 200), ylim=(-0.6, 2.6))
    dials.set_xticks([1, 10, 100], ["× 1", "× 10", "× 100"])
    dials.minorticks_off()
    marks.title(dials, _("What moves, against the calm batch"))
    dials.set_xlabel(_("Times the calm value"))
    names = [_("mean of k3")]
    names += [_("{percent} % quantile").format(percent=f"{100 * q:g}") for q in _QUANTILES]
    dials.set_yticks([2, 1, 0], names)
    dials.tick_params(axis="y", length=0, pad=6, labelcolor=style.INK)
    return tail, dials


def _draw(axes: tuple[Any, Any], *, s: float, L: float) -> None:
    tail, dials = axes
    tail.plot(*_beyond(_log_ratios(s, L)), color=style.BLUE, lw=style.LINE_PT)
    now, calm = _dials(s, L), _dials(0.0, L)
    for q, value in zip(_QUANTILES, now[1:], strict=True):
        tail.plot([1 - q], [value], "o", ms=7, mfc=style.VERMILION, mec=style.PAPER, mew=1.2)
    for height, value, before in zip((2, 1, 0), now, calm, strict=True):
        times = value / before
        dials.plot([1, times], [height, height], color=style.BLUE, lw=5, alpha=0.35)
        dials.plot(
            [times], [height], "o", color=style.VERMILION, ms=7, mec=style.PAPER, clip_on=False
        )
        text = dials.text(1.03, height, f"× {times:.3g}", transform=dials.get_yaxis_transform())
        # Not bold: at this size bold figures look as if they had serifs.
        text.set(va="center", color=style.VERMILION, fontsize=9.5)


def _summary(*, s: float, L: float) -> str:
    (mean, low, high), (mean0, low0, high0) = _dials(s, L), _dials(0.0, L)
    return _(
        "With {share} of the tokens {far} nats away the mean of k3 goes from {mean0} to {mean}, "
        "the 99 % quantile from {low0} to {low}, and the 99.9 % quantile from {high0} to {high}."
    ).format(
        share=_("{percent} %").format(percent=f"{100 * s:.2f}"),
        far=_FAR.text(L),
        mean0=f"{mean0:.4f}",
        mean=f"{mean:.4f}",
        low0=f"{low0:.2f}",
        low=f"{low:.2f}",
        high0=f"{high0:.2f}",
        high=f"{high:.2f}",
    )


TAIL = Figure(
    id="q05-tail",
    number="B.5c",
    columns=2,
    controls=(_SHARE, _FAR),
    caption=N_(
        "A batch in which a few tokens lie far from the reference. Left: the share of tokens with "
        "a log-ratio at least that large (dashed: without the far ones). Right: what the mean of "
        "k3 and two quantiles make of it."
    ),
    alt=N_(
        "Two panels. Left: the size of the log-ratio against the share of tokens at least as far, "
        "both axes logarithmic; dashed without the far tokens, solid with them, and a dot at each "
        "of two quantiles. Right: how many times the calm value the mean of k3 and the two "
        "quantiles show."
    ),
    backdrop=_backdrop,
    draw=_draw,
    summary=_summary,
)
