"""Q1 by other means than the package's: exact fractions, one token at a time."""

from __future__ import annotations

from fractions import Fraction

BATCH = [40] * 12 + [2_400] * 4


def by_tokens(lengths: list[int]) -> list[Fraction]:
    """Total weight of each trajectory under the token mean, every token counted."""
    tokens = [i for i, length in enumerate(lengths) for _ in range(length)]
    return [Fraction(tokens.count(i), len(tokens)) for i in range(len(lengths))]


def constant_like_the_token_mean() -> int:
    """The whole L_max at which sixteen trajectories' tokens weigh what the token mean gives."""
    return next(
        n for n in range(1, 3_000) if Fraction(1, len(BATCH) * n) == Fraction(1, sum(BATCH))
    )


SECOND_WAY = {
    "q01-short": lambda: 40,
    "q01-long": lambda: 2_400,
    "q01-token-ratio": lambda: Fraction(1, 2 * 40) / Fraction(1, 2 * 2_400),
}
RIGHT = {
    "q01-failures-share": lambda: float(sum(by_tokens(BATCH)[12:])),
    "q01-same-constant": constant_like_the_token_mean,
    "q01-rate-factor": lambda: float(Fraction(1, 2_400) / Fraction(1, 9_000)),
}
WRONG = {
    "q01-failures-share": {0.25: "share of the trajectories", 0.984: "one short", 0.048: "left"},
    "q01-same-constant": {2_400: "longest", 1_220: "middle of the two", 10_080: "all tokens"},
    "q01-rate-factor": {1: "less far", 0.2667: "Which way", 1.9365: "noise"},
}
