"""`pass_at_k` for a million rows (n, c, k), against a loop over the textbook product.

The loop is timed on a sample of the rows and scaled, both in processor time. Prints the ratio, and
the largest error against exact integer arithmetic; ends with status 1 when the ratio is below 20 or
the error above 1e-12.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction
from math import comb

import numpy as np

from agentrl_lite.evaluation import pass_at_k

LEAST_RATIO = 20.0
MOST_ERROR = 1e-12
MOST_SAMPLES = 1000


def rows(count: int, rng: np.random.Generator) -> np.ndarray:
    """Return rows (n, c, k) with 1 <= n <= 1000 and c, k from 0 to n, shape (3, count)."""
    n = rng.integers(1, MOST_SAMPLES + 1, count)
    return np.stack([n, rng.integers(0, n + 1), rng.integers(0, n + 1)])


def textbook(n: int, c: int, k: int) -> float:
    """Return one row's estimate by the product that the papers print."""
    if n - c < k:
        return 1.0
    fail = 1.0
    for i in range(n - c + 1, n + 1):
        fail *= 1.0 - k / i
    return 1.0 - fail


def error(n: int, c: int, k: int, got: float) -> float:
    """Return how far `got` is from the exact fraction, whose difference is exact too."""
    return abs(float(Fraction(got) - 1 + Fraction(comb(n - c, k), comb(n, k))))


def seconds(work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows for the package")
    parser.add_argument("--sample", type=int, default=5_000, help="rows for the loop")
    parser.add_argument("--exact", type=int, default=5_000, help="rows compared with integers")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each; the fastest counts")
    options = parser.parse_args()
    every = rows(options.rows, np.random.default_rng(0))
    some = every[:, : options.sample].T.tolist()

    pass_at_k(*every[:, :100])  # the first call loads what it needs
    # Alternating, so that whatever else the machine does falls on both.
    ours, loop = [], []
    for _ in range(options.repeats):
        ours.append(seconds(lambda: pass_at_k(*every)))
        loop.append(seconds(lambda: [textbook(*row) for row in some]))
    whole = min(loop) * options.rows / len(some)
    ratio = whole / min(ours)
    print(f"pass_at_k, {options.rows:,} rows: {min(ours):.2f} s")
    print(f"textbook loop, {len(some):,} rows, scaled to as many: {whole:.2f} s")
    print(f"ratio {ratio:.1f} (at least {LEAST_RATIO:g})")

    # Random rows, and the whole edge at the largest n, where rounding has most terms to build up.
    c, k = np.divmod(np.arange((MOST_SAMPLES // 10 + 1) ** 2), MOST_SAMPLES // 10 + 1) * np.array(
        [[10], [10]]
    )
    edge = np.stack([np.full_like(c, MOST_SAMPLES), c, k])
    compared = np.concatenate([every[:, : options.exact], edge], axis=1)
    got = pass_at_k(*compared)
    largest = max(
        error(*row, value) for row, value in zip(compared.T.tolist(), got.tolist(), strict=True)
    )
    print(f"largest error, {got.size:,} rows up to n = {MOST_SAMPLES:,}: {largest:.1e} "
          f"(at most {MOST_ERROR:g})")  # fmt: skip
    return 1 if ratio < LEAST_RATIO or largest > MOST_ERROR else 0


if __name__ == "__main__":
    raise SystemExit(main())
