"""Each print figure in each format, against one bare line plot saved by matplotlib.

Prints the time and the ratio for each file, and ends with status 1 when one takes more than two
seconds.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable

from matplotlib.figure import Figure

from agentrl_lite import figures
from agentrl_lite.figures import render

MOST_S = 2.0


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def bare(suffix: str) -> None:
    picture = Figure(figsize=(3.35, 2.45), dpi=render.PRINT_DPI)
    picture.add_subplot().plot([0, 1], [0, 1])
    picture.savefig(io.BytesIO(), format=suffix)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="figure ids or question ids")
    options = parser.parse_args()
    chosen = figures.select(options.only)
    slow = 0
    for suffix in render.FORMATS:
        bare(suffix)  # loads the back end
        least = seconds(lambda suffix=suffix: bare(suffix))
        for figure in chosen:
            taken = seconds(lambda f=figure, suffix=suffix: render.render_bytes(f, {}, suffix))
            slow += taken > MOST_S
            print(f"{figure.id}.{suffix}: {taken:.2f} s, {taken / least:.1f} times a bare plot")
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
