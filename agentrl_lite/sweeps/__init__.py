"""Every arm of an experiment over sixteen seeds: how they are run, stored, loaded and checked.

`run_sweep` trains, `store` writes one file for each experiment into `experiments/results/`, `load`
reads it, and `changes` tells whether options or code have changed since. The command for all of it
is `agentrl-lite sweeps`, or `make sweeps`.
"""

from agentrl_lite.sweeps.record import changes, load, store
from agentrl_lite.sweeps.result import Sweep
from agentrl_lite.sweeps.runner import run_sweep
from agentrl_lite.sweeps.single import SEEDS

__all__ = ["SEEDS", "Sweep", "changes", "load", "run_sweep", "store"]
