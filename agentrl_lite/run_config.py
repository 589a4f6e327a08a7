"""The options of a training run."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, get_args

from agentrl_lite import checked
from agentrl_lite.losses import AGGREGATIONS, Aggregation, Clip, clipped_surrogate
from agentrl_lite.offpolicy import Level
from agentrl_lite.rules import Rules
from agentrl_lite.trajectory import FAULTS, Fault

Optimiser = Literal["adam", "sgd"]
Proximal = Literal["recomputed", "behavior"]


@dataclass(frozen=True)
class Config:
    """A run; the defaults are a healthy one.

    Attributes:
        seed: of everything that is random.
        steps: number of steps, from 0.
        prompts: P, groups a step.
        group: G, episodes a group.
        rules: of an episode.
        aggregation: how tokens become a loss.
        max_length: $L_{max}$ in tokens; read by `seq-mean-token-sum-norm` alone.
        ddof: of the standard deviation that divides advantages; `None` does not divide.
        epsilon: added to the standard deviation, in units of reward.
        clip: limits of the surrogate.
        epochs: passes over a step's episodes.
        minibatches: updates a pass.
        microbatches: parts of which each update's gradient is added up.
        optimiser: `"adam"` or `"sgd"`.
        learning_rate: at least 0.
        adam: decay of both moments, and what is added to the root of the second.
        max_gradient_norm: gradients above it are shortened to it; `None` leaves them.
        kl_coef: of the k3 estimate of the KL to the policy that the run started from.
        entropy_coef: of the entropy bonus.
        mask_fault: what is wrong with the loss mask; with a fault nobody checks ownership.
        staleness: steps that the sampling policy lags behind.
        proximal: old log-probabilities are computed anew at the start of a step, or are those that
            were recorded when the tokens were sampled.
        importance_cap: weights of recomputed against recorded log-probabilities, truncated here;
            `None` for no weights.
        importance_level: a weight for each token, or one for each trajectory.
        drop_flat_groups: groups without spread are left out of the loss, and of its counts.
        drop_truncated: truncated episodes are left out in the same way.
    """

    seed: int = 0
    steps: int = 100
    prompts: int = 16
    group: int = 8
    rules: Rules = field(default_factory=Rules)
    aggregation: Aggregation = "token-mean"
    max_length: float = 12.0
    ddof: int | None = 0
    epsilon: float = 1e-6
    clip: Clip = field(default_factory=Clip)
    epochs: int = 1
    minibatches: int = 1
    microbatches: int = 1
    optimiser: Optimiser = "adam"
    learning_rate: float = 0.05
    adam: tuple[float, float, float] = (0.9, 0.99, 1e-3)
    max_gradient_norm: float | None = None
    kl_coef: float = 0.0
    entropy_coef: float = 0.0
    mask_fault: Fault = "none"
    staleness: int = 0
    proximal: Proximal = "recomputed"
    importance_cap: float | None = None
    importance_level: Level = "token"
    drop_flat_groups: bool = False
    drop_truncated: bool = False

    @property
    def divisor_length(self) -> float | None:
        """$L_{max}$ for the aggregation that divides by it, else `None`."""
        return self.max_length if self.aggregation == "seq-mean-token-sum-norm" else None

    def __post_init__(self) -> None:
        for name, least in COUNTS.items():
            # An int whatever came: options are written to files.
            object.__setattr__(self, name, checked.whole(name, getattr(self, name), least))
        for name in ("learning_rate", "kl_coef", "entropy_coef", "epsilon"):
            checked.at_least(name, getattr(self, name))
        for name in ("drop_flat_groups", "drop_truncated"):
            checked.flag(name, getattr(self, name))
        for name, kind in (("rules", Rules), ("clip", Clip)):
            if not isinstance(getattr(self, name), kind):
                raise ValueError(
                    f"{name} must be a {kind.__name__}; it was {getattr(self, name)!r}"
                )
        for name, allowed in CHOICES.items():
            checked.option(name, getattr(self, name), allowed)
        if isinstance(self.ddof, bool):
            raise ValueError(f"ddof must be one of None, 0, 1; it was {self.ddof!r}")
        for name in ("importance_cap", "max_gradient_norm"):
            if getattr(self, name) is not None:
                checked.above(name, getattr(self, name), finite=False)
        checked.above("max_length", self.max_length)
        clipped_surrogate(0.0, 0.0, self.clip)  # which says what is wrong with it
        if not (
            isinstance(self.adam, tuple | list)
            and len(self.adam) == 3
            and all(map(_is_number, self.adam))
            and all(0 <= decay < 1 for decay in self.adam[:2])
            and self.adam[2] > 0
        ):
            raise ValueError(
                f"adam must hold two decays below 1 and an epsilon above 0; it was {self.adam!r}"
            )
        if self.minibatches * self.microbatches > self.prompts * self.group:
            raise ValueError(
                f"minibatches times microbatches must be at most the {self.prompts * self.group} "
                f"episodes of a step; they were {self.minibatches} and {self.microbatches}"
            )


def _is_number(value: object) -> bool:
    """Tell whether this is a finite number; a bool is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


COUNTS = {
    **dict.fromkeys(("prompts", "group", "epochs", "minibatches", "microbatches"), 1),
    **dict.fromkeys(("seed", "steps", "staleness"), 0),
}
CHOICES: dict[str, tuple[object, ...]] = {
    "aggregation": AGGREGATIONS,
    "ddof": (None, 0, 1),
    "optimiser": get_args(Optimiser),
    "mask_fault": FAULTS,
    "proximal": get_args(Proximal),
    "importance_level": get_args(Level),
}
