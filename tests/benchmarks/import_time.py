"""Importing `agentrl_lite.widgets` in a fresh process, against the libraries it stands on.

Alternates the two, prints both medians, their ratio and their difference, and ends with status 1
when the difference is above a second.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

LIBRARIES = "import numpy, sympy, matplotlib, ipywidgets"
OURS = "import agentrl_lite.widgets"
MOST_MORE_S = 1.0


def seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="processes of each kind")
    options = parser.parse_args()
    taken: dict[str, list[float]] = {LIBRARIES: [], OURS: []}
    for code in taken:
        seconds(code)  # the first run writes byte code and fills the disk's cache
    for _ in range(options.repeats):
        for code, times in taken.items():
            times.append(seconds(code))
    libraries, ours = (statistics.median(times) for times in taken.values())
    print(f"{LIBRARIES}: {libraries:.2f} s")
    print(f"{OURS}: {ours:.2f} s")
    print(f"ratio {ours / libraries:.2f}, difference {ours - libraries:+.2f} s")
    return 1 if ours - libraries > MOST_MORE_S else 0


if __name__ == "__main__":
    raise SystemExit(main())
