"""How long a live run takes: each arm's training alone, what the cell waits for, and one picture.

All is timed by the processor time it takes, on one thread, at each experiment's own number of
steps. A picture is every panel of two whole runs, drawn and encoded. Prints medians, and each arm's
share of what its cell waits for; ends with status 1 when an arm takes more than three seconds, a
cell more than six, or a picture more than a tenth of one.
"""

from __future__ import annotations

import os

# Before NumPy is imported, which reads it once.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.dashboard import History
from agentrl_lite.experiments import Arm, experiment, experiment_ids
from agentrl_lite.figures.runs_canvas import RunsCanvas
from agentrl_lite.trainer import train
from agentrl_lite.widgets import live

MOST_ARM_S = 3.0
MOST_CELL_S = 6.0
MOST_PICTURE_S = 0.1


def timed(action: Callable[[], object], repeats: int) -> float:
    """Return the median of the processor time that an action takes, in seconds."""
    spent = []
    for _ in range(repeats):
        begun = time.process_time()
        action()
        spent.append(time.process_time() - begun)
    return statistics.median(spent)


def trained(arm: Arm, seed: int) -> History:
    return train(replace(arm.config, seed=seed), outcomes())[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=experiment_ids(), help="experiments")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each")
    parser.add_argument("--every", action="store_true", help="all arms, not the first two alone")
    options = parser.parse_args()
    outcomes()
    live("q27", steps=2)
    missed: list[str] = []
    for name in options.only:
        chosen = experiment(name)
        arms = chosen.arms if options.every else chosen.arms[:2]
        runs = {arm.label: trained(arm, 1) for arm in arms[:2]}
        canvas = RunsCanvas(chosen.panels, len(next(iter(runs.values()))))
        cell_s = timed(lambda name=name: live(name), options.repeats)
        picture_s = timed(lambda canvas=canvas, runs=runs: canvas.pngs(runs), 5 * options.repeats)
        print(f"{name}  the cell {cell_s:5.2f} s   a picture {picture_s * 1e3:4.0f} ms")
        for arm in arms:
            arm_s = timed(lambda arm=arm: trained(arm, 1), options.repeats)
            share = f"{arm_s / cell_s:5.0%} of the cell's time"
            print(f"     {arm.id:14} {arm_s:5.2f} s   {share}   {arm.config.steps} steps")
            if arm_s > MOST_ARM_S:
                missed.append(f"{name} {arm.id} takes {arm_s:.2f} s, at most {MOST_ARM_S:g} wanted")
        if cell_s > MOST_CELL_S:
            missed.append(f"{name}: the cell takes {cell_s:.2f} s, at most {MOST_CELL_S:g} wanted")
        if picture_s > MOST_PICTURE_S:
            missed.append(f"{name}: a picture takes {picture_s * 1e3:.0f} ms")
    for line in missed:
        print(f"missed: {line}")
    return int(bool(missed))


if __name__ == "__main__":
    raise SystemExit(main())
