"""Training end to end, in tokens a second, against another trainer; and cost against episodes.

The other trainer is a script whose path is an argument. It offers `train(Cfg(steps=..., P=...,
G=..., lr=..., epochs=..., seed=...))`, which returns weights, a history whose `ntok` counts each
step's tokens, and anything else. Both run by turns in this process, on one thread, and are timed by
the processor time they take. Prints medians and their ratio, then seconds by number of episodes,
and ends with status 1 when ours is not twice as fast, or when 32 times the episodes cost more than
32 times the seconds, a tenth more allowed.
"""

from __future__ import annotations

import os

# Before NumPy is imported, which reads it once.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import importlib.util
import statistics
import sys
import time
from pathlib import Path
from types import ModuleType

from agentrl_lite.bugfix.outcomes import outcomes
from agentrl_lite.run_config import Config
from agentrl_lite.trainer import train

LEAST_RATIO = 2.0
EPISODES = (128, 256, 512, 1024, 2048, 4096)
GROUP = 8
MOST_OVER = 1.1


def load(path: Path) -> ModuleType:
    """Import a script from its path."""
    spec = importlib.util.spec_from_file_location("other_trainer", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is not a Python script")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def ours(steps: int, seed: int, *, episodes: int = 128, epochs: int = 2) -> tuple[float, float]:
    """Return tokens and seconds of one run."""
    config = Config(steps=steps, seed=seed, prompts=episodes // GROUP, group=GROUP, epochs=epochs)
    begun = time.process_time()
    history, _ = train(config, outcomes())
    return float(history["tokens"].sum()), time.process_time() - begun


def theirs(other: ModuleType, steps: int, seed: int) -> tuple[float, float]:
    """Return tokens and seconds of one run of the other trainer."""
    config = other.Cfg(steps=steps, P=128 // GROUP, G=GROUP, lr=0.05, epochs=2, seed=seed)
    begun = time.process_time()
    _, history, *_ = other.train(config)
    return float(history["ntok"].sum()), time.process_time() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, nargs="?", help="script of the other trainer")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each")
    parser.add_argument("--steps", type=int, default=100, help="steps a run")
    options = parser.parse_args()
    outcomes()
    ours(3, 0)
    failed = False

    if options.other:
        other = load(options.other)
        theirs(other, 3, 0)
        rates: dict[str, list[float]] = {"ours": [], "theirs": []}
        for seed in range(options.repeats):
            for name, (tokens, seconds) in (
                ("ours", ours(options.steps, seed)),
                ("theirs", theirs(other, options.steps, seed)),
            ):
                rates[name].append(tokens / seconds)
        mine, other_rate = (statistics.median(rates[name]) for name in ("ours", "theirs"))
        pairs = zip(rates["ours"], rates["theirs"], strict=True)
        ratios = sorted(a / b for a, b in pairs)
        print(f"ours:   {mine:9,.0f} tokens/s")
        print(f"theirs: {other_rate:9,.0f} tokens/s")
        print(
            f"ratio: {mine / other_rate:.2f} (run by run {ratios[0]:.2f} to {ratios[-1]:.2f}; "
            f"wanted: at least {LEAST_RATIO:g})"
        )
        failed |= mine / other_rate < LEAST_RATIO

    print("\nepisodes a step   ms a step   us an episode")
    cost = {}
    for episodes in EPISODES:
        runs = [ours(5, seed, episodes=episodes, epochs=1)[1] / 5 for seed in range(3)]
        cost[episodes] = statistics.median(runs)
        print(f"{episodes:15,d}{cost[episodes] * 1e3:12.1f}{cost[episodes] / episodes * 1e6:16.1f}")
    fewest, most = EPISODES[0], EPISODES[-1]
    growth, factor = cost[most] / cost[fewest], most // fewest
    print(f"{factor} times the episodes cost {growth:.1f} times the seconds")
    failed |= growth > factor * MOST_OVER
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
