"""Figures of Q5: three estimators of a KL divergence, token by token and on average."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter

from agentrl_lite.appendix.q05 import (
    DISTANCE_STEP,
    ESTIMATORS,
    GREATEST_DISTANCE,
    LOG_RATIOS,
    moments,
)
from agentrl_lite.figures import marks, style
from agentrl_lite.figures.q05_tail import TAIL
from agentrl_lite.figures.spec import Control, Figure
from agentrl_lite.i18n import N_, _

_LEAST, _MOST = -1.0, 1.0
_COLOURS = {"k1": style.INK, "k2": style.PURPLE, "k3": style.BLUE}
_SIGNS = {"k1": "$k_1$", "k2": "$k_2$", "k3": "$k_3$"}
_DASHES: dict[str, Any] = {"k1": "-", "k2": (0, (4, 2)), "k3": "-"}
_MARKERS = {"k1": "o", "k2": "s", "k3": "D"}


def _token(i: int, default: float, frames: tuple[float, ...]) -> Control:
    return Control(
        name=f"x{i}",
        symbol=f"x{'₁₂₃'[i - 1]}",
        label=N_("Log-ratio"),
        minimum=_LEAST,
        maximum=_MOST,
        step=0.1,
        default=default,
        frames=frames,
    )


_TOKENS = (
    _token(1, LOG_RATIOS[0], (-0.8, -0.2)),
    _token(2, LOG_RATIOS[1], (0.1, 0.8)),
    _token(3, LOG_RATIOS[2], (-0.5, 0.5)),
)
_DISTANCE = Control(
    name="d",
    symbol="d",
    label=N_("Distance"),
    minimum=DISTANCE_STEP,
    maximum=GREATEST_DISTANCE,
    step=DISTANCE_STEP,
    default=0.5,
    frames=(0.1, 0.5, 1.0, 1.6, 1.65, 3.0),
)
_COUNT = Control(
    name="n",
    symbol="n",
    label=N_("Tokens"),
    minimum=1,
    maximum=6561,
    step=3,
    default=3,
    frames=(1, 3, 81, 6561),
    log=True,
    integer=True,
)


# --- q05-tokens -------------------------------------------------------------------------------


def _tokens_backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.06, right=0.9, bottom=0.16, top=0.885, wspace=0.2)
    curves, rows = fig.subplots(1, 2)
    x = np.linspace(_LEAST, _MOST, 301)
    curves.set(xlim=(_LEAST, _MOST), ylim=(-1, 1.08))
    style.quiet_axes(curves)
    curves.axhline(0, color=style.GHOST_TEXT, lw=0.9)
    marks.title(curves, _("What one token says, in nats"))
    curves.set_xlabel(_("Log-ratio {x}").format(x="$x$"))
    for axis in (curves.xaxis, curves.yaxis, rows.xaxis):
        axis.set_major_locator(FixedLocator([-1, -0.5, 0, 0.5, 1]))
    for name, f in ESTIMATORS.items():
        line = {"color": _COLOURS[name], "lw": 1.4, "ls": _DASHES[name]}
        curves.plot(x, f(x), **line)
    marks.label(curves, 0.9, -0.9, (3, 4), _SIGNS["k1"], _COLOURS["k1"], "left")
    marks.label(curves, -0.93, 0.43, (4, 5), _SIGNS["k2"], _COLOURS["k2"], "left")
    marks.label(curves, 0.85, 0.49, (-3, 4), _SIGNS["k3"], _COLOURS["k3"], "right")

    rows.set(xlim=(-1.05, 1.05), ylim=(-0.6, 2.6))
    style.quiet_axes(rows, horizontal=False)
    rows.axvline(0, color=style.GHOST_TEXT, lw=0.9)
    marks.title(rows, _("The three tokens, and their mean"))
    rows.set_xlabel(_("nats"))
    rows.set_yticks([2, 1, 0], list(_SIGNS.values()), fontsize=style.TEXT_PT)
    rows.tick_params(axis="y", length=0, labelcolor=style.INK)
    return curves, rows


def _draw_tokens(axes: tuple[Any, Any], **x: float) -> None:
    curves, rows = axes
    tokens = np.array([x["x1"], x["x2"], x["x3"]])
    for token in tokens:
        ends = [min(0.0, -token), max(-token, float(ESTIMATORS["k3"](token)), token**2 / 2)]
        curves.plot([token, token], ends, color=style.VERMILION, lw=0.8, ls=(0, (2, 2)))
    for height, (name, f) in zip((2, 1, 0), ESTIMATORS.items(), strict=True):
        values, colour = f(tokens), _COLOURS[name]
        dots = {"color": colour, "marker": _MARKERS[name], "ls": "", "mec": style.PAPER}
        curves.plot(tokens, values, ms=4.5, clip_on=False, **dots)
        mean = float(values.mean())
        rows.plot([0, mean], [height, height], color=style.VERMILION, lw=5, alpha=0.35)
        rows.plot(values, [height] * 3, ms=5.5, **dots)
        rows.plot([mean, mean], [height - 0.3, height + 0.3], color=style.VERMILION, lw=2)
        text = rows.text(1.02, height, _signed(mean), transform=rows.get_yaxis_transform())
        text.set(va="center", color=style.VERMILION, weight="bold")


def _signed(number: float) -> str:
    return f"{number:.4f}".replace("-", "\N{MINUS SIGN}")


def _tokens_summary(**x: float) -> str:
    tokens = np.array([x["x1"], x["x2"], x["x3"]])
    k1, k2, k3 = (_signed(float(f(tokens).mean())) for f in ESTIMATORS.values())
    values = ", ".join(control.text(x[control.name]) for control in _TOKENS)
    values = values.replace("-", "\N{MINUS SIGN}")
    return _(
        "For the log-ratios {values} the means are {k1} (k1), {k2} (k2) and {k3} (k3)."
    ).format(values=values, k1=k1, k2=k2, k3=k3)


# --- q05-error --------------------------------------------------------------------------------

_D = np.linspace(DISTANCE_STEP, GREATEST_DISTANCE, 120)


@lru_cache(maxsize=1)
def _curves() -> dict[str, tuple[Any, Any]]:
    """Return each estimator's bias, and its spread on one token, as shares of the divergence."""
    divergence = np.array([moments(d, "k1")[0] for d in _D])
    found = {}
    for name in ESTIMATORS:
        mean, spread = np.array([moments(d, name) for d in _D]).T  # type: ignore[arg-type]
        found[name] = (mean / divergence - 1, spread / divergence)
    return found


def _here(d: float, n: int) -> tuple[float, float, float, float]:
    """Return the divergence, the relative errors of k1 and k3, and the relative bias of k2."""
    divergence, spread = moments(d, "k1")
    root = n**0.5 * divergence
    bias = moments(d, "k2")[0] / divergence - 1
    return divergence, spread / root, moments(d, "k3")[1] / root, bias


def _error_backdrop(fig: Any) -> tuple[Any, Any]:
    fig.subplots_adjust(left=0.075, right=0.98, bottom=0.16, top=0.885, wspace=0.22)
    spread, bias = fig.subplots(1, 2)
    for ax in (spread, bias):
        style.quiet_axes(ax)
        ax.set_xlim(0, GREATEST_DISTANCE)
        ax.xaxis.set_major_locator(FixedLocator([0, 1, 2, 3]))
        ax.set_xlabel(_("Distance {d}, in logits").format(d="$d$"))
    marks.title(spread, _("Standard error ÷ KL"))
    spread.set_yscale("log")
    spread.set_ylim(0.002, 300)
    spread.yaxis.set_major_locator(FixedLocator([0.01, 0.1, 1, 10]))
    spread.yaxis.set_major_formatter(FuncFormatter(lambda share, _at: _percent(share)))
    spread.minorticks_off()
    marks.title(bias, _("Bias ÷ KL"))
    bias.set_ylim(-0.1, 0.15)
    bias.yaxis.set_major_locator(FixedLocator([-0.1, -0.05, 0, 0.05, 0.1]))
    bias.yaxis.set_major_formatter(FuncFormatter(lambda share, _at: _signed_percent(share, 0)))
    bias.axhline(0, color=style.BLUE, lw=style.LINE_PT)
    zero = _("{k1} and {k3}").format(k1=_SIGNS["k1"], k3=_SIGNS["k3"])
    marks.label(bias, 2.95, 0, (0, 4), zero, style.BLUE, "right")
    bias.plot(_D, _curves()["k2"][0], color=_COLOURS["k2"], lw=style.LINE_PT, ls=_DASHES["k2"])
    marks.label(bias, 2.7, -0.037, (5, 4), _SIGNS["k2"], _COLOURS["k2"], "left")
    return spread, bias


def _draw_error(axes: tuple[Any, Any], *, d: float, n: int) -> None:
    spread, bias = axes
    _divergence, k1_error, k3_error, k2_bias = _here(d, n)
    # Where each curve's label stands: at a distance at which the others are far from it.
    places = {"k1": (0.45, (4, 4), "left"), "k2": (2.9, (0, -11), "right"),
              "k3": (2.75, (-4, 4), "right")}  # fmt: skip
    for name, (_bias, one_token) in _curves().items():
        error = one_token / n**0.5
        line = {"color": _COLOURS[name], "lw": style.LINE_PT, "ls": _DASHES[name]}
        spread.plot(_D, error, **line)
        at, offset, ha = places[name]
        marks.label(spread, at, np.interp(at, _D, error), offset, _SIGNS[name], _COLOURS[name], ha)
    bottom = spread.get_ylim()[0]
    top = max(k1_error, k3_error)
    spread.plot([d, d], [bottom, top], color=style.VERMILION, lw=0.8, ls=(0, (2, 2)))
    for error in (k1_error, k3_error):
        spread.plot(
            [d], [error], "o", ms=7, mfc=style.VERMILION, mec=style.PAPER, mew=1.2, clip_on=False
        )
    marks.headline(spread, 1, 1.025, "right", _times((k1_error / k3_error) ** 2))
    marks.words(spread, 1, 0.925, "right", _("tokens that k1 needs, for one of k3"))
    marks.marker(bias, d, k2_bias)
    marks.headline(bias, 1, 1.025, "right", _signed_percent(k2_bias, 1))
    marks.words(bias, 1, 0.925, "right", _("of k2, whatever n is"))


def _times(ratio: float) -> str:
    return f"× {ratio:,.0f}" if ratio >= 100 else f"× {ratio:.2g}"


def _percent(share: float) -> str:
    return _("{percent} %").format(percent=f"{100 * share:,.0f}")


def _signed_percent(share: float, decimals: int) -> str:
    number = f"{100 * share:+.{decimals}f}".replace("-", "\N{MINUS SIGN}")
    return _("{percent} %").format(percent="0" if share == 0 else number)


def _error_summary(*, d: float, n: int) -> str:
    divergence, k1_error, k3_error, k2_bias = _here(d, n)
    return _(
        "At d = {d} the divergence is {kl} nats; a mean with n = {n} has a standard error of "
        "{k1} of that with k1 and {k3} with k3, and k2 is biased by {bias}."
    ).format(
        d=_DISTANCE.text(d),
        kl=f"{divergence:.3g}",
        n=_COUNT.text(n),
        k1=marks.short_percent(k1_error),
        k3=marks.short_percent(k3_error),
        bias=_signed_percent(k2_bias, 1),
    )


FIGURES = (
    Figure(
        id="q05-tokens",
        number="B.5a",
        columns=2,
        controls=_TOKENS,
        caption=N_(
            "Three tokens' log-ratios under the estimators k1, k2 and k3. Left: what each token "
            "says. Right: the three values of each estimator, and their mean."
        ),
        alt=N_(
            "Two panels. Left: k1 is a falling line, k2 a parabola and k3 a curve that touches "
            "the parabola at zero, lies below it on the left and above it on the right. Right: "
            "for each estimator three dots and their mean."
        ),
        backdrop=_tokens_backdrop,
        draw=_draw_tokens,
        summary=_tokens_summary,
    ),
    Figure(
        id="q05-error",
        number="B.5b",
        columns=2,
        controls=(_DISTANCE, _COUNT),
        caption=N_(
            "How wrong a mean over n tokens is, as a share of the divergence, against the "
            "distance of two categoricals. Left: standard error. Right: bias."
        ),
        alt=N_(
            "Two panels over the distance. Left: the error of k1 falls steeply, that of k2 "
            "slowly; that of k3 begins low, rises and crosses k1. Right: k1 and k3 have no bias; "
            "that of k2 stays within a tenth of the divergence."
        ),
        backdrop=_error_backdrop,
        draw=_draw_error,
        summary=_error_summary,
    ),
    TAIL,
)
