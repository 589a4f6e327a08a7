"""Question 5: three estimates of a KL divergence from three tokens, nearly five-fold apart."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.i18n import N_
from agentrl_lite.kl import Estimator, k1, k2, k3

# The scenario.
LOG_RATIOS = (-0.2, 0.1, -0.5)
# Two categoricals a distance d apart: the policy's logits are the reference's plus d times this.
REF = (0.2, 0.3, 0.5)
DIRECTION = (1.0, 0.0, -1.0)
# The distances that can be looked at, in logits.
DISTANCE_STEP, GREATEST_DISTANCE = 0.05, 3.0
# The exercises' own assumptions.
SETTLED_KL = 0.02
RELATIVE_ERROR = 0.1
RARE_TOKEN = 0.1
TOKENS, FAR_TOKENS, CALM_RATIO, FAR_RATIO = 10_000, 20, 0.05, -6.0

ESTIMATORS = {"k1": k1, "k2": k2, "k3": k3}


def log_probabilities(d: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the log-probabilities of the policy and of its reference, at distance d."""
    ref = np.log(REF)
    logits = ref + d * np.array(DIRECTION)
    return logits - np.log(np.exp(logits).sum()), ref


def moments(d: float, estimator: Estimator) -> tuple[float, float]:
    """Return an estimator's expectation and standard deviation on one token, by enumeration.

    Args:
        d: distance of the two categoricals.
        estimator: `"k1"`, `"k2"` or `"k3"`.

    Returns:
        Expectation and standard deviation, in nats.

    >>> [round(x, 4) for x in moments(0.0, "k1")]
    [0.0, 0.0]
    """
    policy, ref = log_probabilities(d)
    chances, values = np.exp(policy), ESTIMATORS[estimator](ref - policy)
    mean = chances @ values
    return float(mean), float(np.sqrt(chances @ (values - mean) ** 2))


def crossing() -> float:
    """Return the first distance, of those that a slider reaches, where k3 scatters more than k1."""
    steps = round(GREATEST_DISTANCE / DISTANCE_STEP)
    distances = (DISTANCE_STEP * i for i in range(1, steps + 1))
    return next(d for d in distances if moments(d, "k3")[1] > moments(d, "k1")[1])


def log_ratio_spread(kl: float) -> float:
    r"""Return the standard deviation of one token's log-ratio, for normal log-ratios.

    Under the policy $e^x$ has mean 1, so a normal x of variance $\sigma^2$ has mean $-\sigma^2/2$,
    and the divergence is $\sigma^2/2$.

    Args:
        kl: the divergence, in nats a token, at least 0.

    >>> round(log_ratio_spread(0.02), 6)
    0.2
    """
    return math.sqrt(2 * kl)


def tokens_needed(kl: float, relative_error: float, estimator: Estimator) -> float:
    r"""Return how many tokens bring a mean's standard error down to a share of the divergence.

    For normal log-ratios the variance is $\sigma^2$ for k1 and $e^{\sigma^2} - 1 - \sigma^2$ for
    k3, with $\sigma^2 = 2\,\mathrm{KL}$.

    Args:
        kl: the divergence, in nats a token, above 0.
        relative_error: standard error wanted, as a share of `kl`.
        estimator: `"k1"` or `"k3"`.

    Returns:
        Tokens, not rounded.
    """
    variance = 2 * kl if estimator == "k1" else math.expm1(2 * kl) - 2 * kl
    return variance / (relative_error * kl) ** 2


def three_token_chances(rare: float = RARE_TOKEN) -> NDArray[np.float64]:
    """Return the policy whose whole vocabulary has the scenario's three log-ratios.

    Its probabilities sum to one, and so do the reference's, each a probability times its ratio.

    Args:
        rare: probability of the third token.
    """
    ratios = np.exp(LOG_RATIOS)
    sums = np.array([1 - rare, 1 - rare * ratios[2]])
    return np.append(np.linalg.solve(np.array([np.ones(2), ratios[:2]]), sums), rare)


def far_share(estimator: Estimator = "k3") -> float:
    """Return the share of a batch's mean that its few far tokens make up."""
    f = ESTIMATORS[estimator]
    far = FAR_TOKENS * float(f(FAR_RATIO))
    return far / (far + (TOKENS - FAR_TOKENS) * float(f(CALM_RATIO)))


def _numbers() -> tuple[Number, ...]:
    found = [
        Number(f"q05-log-ratio-{i}", "given", lambda x=x: x, f"{x}", "nats")  # type: ignore[misc]
        for i, x in enumerate(LOG_RATIOS, start=1)
    ]
    rows: tuple[tuple[Estimator, str, tuple[str, ...], str], ...] = (
        ("k1", "-x", ("0.2", "-0.1", "0.5"), "0.200"),
        ("k2", "x^2 / 2", ("0.02", "0.005", "0.125"), "0.050"),
        ("k3", "e^x - 1 - x", ("0.0187", "0.0052", "0.1065"), "0.0435"),
    )
    for name, formula, tokens, mean in rows:
        f = ESTIMATORS[name]
        for i, (x, printed) in enumerate(zip(LOG_RATIOS, tokens, strict=True), start=1):
            how = f"{formula} at x = {x}"
            compute = lambda f=f, x=x: float(f(x))  # noqa: E731 - bound now, called later
            found.append(Number(f"q05-{name}-{i}", how, compute, printed, "nats"))
        average = lambda f=f: float(f(LOG_RATIOS).mean())  # noqa: E731
        found.append(
            Number(f"q05-{name}-mean", f"mean of {formula} over the three", average, mean, "nats")
        )
    return tuple(found)


NUMBERS = _numbers()

PREDICTIONS = (
    Prediction(
        id="q05-size",
        question=N_(
            "Two policies are 0.02 nats a token apart, and the log-ratios of their tokens are "
            "bell-shaped. What is the standard deviation of one token's log-ratio?"
        ),
        truth=lambda: log_ratio_spread(SETTLED_KL),
        unit="nats",
        minimum=0,
        maximum=2,
        digits=2,
    ),
)


def _mean(estimator: Estimator) -> float:
    return float(ESTIMATORS[estimator](LOG_RATIOS).mean())


CHECKS = (
    Check(
        id="q05-k3-mean",
        kind="number",
        truth=lambda: _mean("k3"),
        tolerance=0.0001,
        hints=(
            Hint(
                lambda: float(k3(np.negative(LOG_RATIOS)).mean()),
                N_("The sign is turned: x is the reference's log-probability minus the policy's."),
            ),
            Hint(
                lambda: float(k3(np.mean(LOG_RATIOS))),
                N_("That is k3 of the mean. Take k3 of each token first, then the mean."),
            ),
            Hint(
                lambda: 3 * _mean("k3"),
                N_("That is the sum over the three tokens. Divide it by three."),
            ),
            Hint(lambda: _mean("k2"), N_("That is k2: near, and the square, not the exponential.")),
            Hint(lambda: _mean("k1"), N_("That is k1, which leaves the exponential out.")),
        ),
        otherwise=N_("For each token take e^x - 1 - x, with its sign; then average the three."),
    ),
    Check(
        id="q05-crossing",
        kind="number",
        truth=crossing,
        tolerance=DISTANCE_STEP,
        hints=(
            Hint(
                lambda: moments(crossing(), "k1")[0],
                N_("That is the divergence there, in nats. The question is the distance d."),
            ),
        ),
        otherwise=N_(
            "Raise d step by step, and read the two errors in the sentence under the picture: "
            "where does that of k3 become the larger?"
        ),
    ),
    Check(
        id="q05-three-tokens",
        kind="number",
        truth=lambda: float(three_token_chances() @ k1(LOG_RATIOS)),
        tolerance=0.0001,
        hints=(
            Hint(
                lambda: _mean("k3"),
                N_("That is an average over the sample. Weigh each token by its probability."),
            ),
            Hint(
                lambda: _mean("k1"),
                N_("That is an average over the sample. Weigh each token by its probability."),
            ),
            Hint(
                lambda: float(three_token_chances() @ k2(LOG_RATIOS)),
                N_("That is the expectation of k2, which is biased."),
            ),
            Hint(
                lambda: float((three_token_chances() * np.exp(LOG_RATIOS)) @ np.array(LOG_RATIOS)),
                N_("That is the other direction: you weighed by the reference's probabilities."),
            ),
        ),
        otherwise=N_(
            "Two equations give the two probabilities: they sum to nine tenths, and the "
            "reference's three, probability times ratio, sum to 1. Then weigh k1 by them."
        ),
    ),
    Check(
        id="q05-tokens-needed",
        kind="integer",
        truth=lambda: math.ceil(tokens_needed(SETTLED_KL, RELATIVE_ERROR, "k3")),
        hints=(
            Hint(
                lambda: round(tokens_needed(SETTLED_KL, RELATIVE_ERROR, "k1")),
                N_("That is what k1 needs. The question is k3."),
            ),
            Hint(
                lambda: math.floor(tokens_needed(SETTLED_KL, RELATIVE_ERROR, "k3")),
                N_("With one token fewer than needed the error is still too large: round up."),
            ),
            Hint(
                lambda: 2 / RELATIVE_ERROR**2,
                N_("You stopped at the first term of the variance. Keep the exponential."),
            ),
            Hint(
                lambda: math.ceil(
                    math.sqrt(tokens_needed(SETTLED_KL, RELATIVE_ERROR, "k3")),
                ),
                N_("A standard error falls with the square root of the count. Square once more."),
            ),
        ),
        otherwise=N_(
            "Find the variance of k3 for normal log-ratios, then the count at which its root, "
            "divided by the root of the count, is a tenth of the divergence."
        ),
    ),
    Check(
        id="q05-far-share",
        kind="share",
        truth=far_share,
        tolerance=0.005,
        hints=(
            Hint(
                lambda: FAR_TOKENS / TOKENS,
                N_("That is their share of the tokens. The question is their share of the mean."),
            ),
            Hint(
                lambda: far_share("k2"),
                N_("That is with k2, which grows as the square. k3 grows as |x| on this side."),
            ),
            Hint(
                lambda: FAR_TOKENS * float(k3(FAR_RATIO)) / TOKENS,
                N_("That is what they add to the mean, in nats. Divide it by the whole mean."),
            ),
        ),
        otherwise=N_("Sum k3 over the 20, sum it over the others, and divide."),
    ),
)
