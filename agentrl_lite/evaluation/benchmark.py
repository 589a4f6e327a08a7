"""A made-up benchmark of which the truth is known, to try comparisons on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agentrl_lite import checked


class Variances(NamedTuple):
    """What `difference_components` takes, for one task, one attempt and one seed."""

    task: float
    sampling: float
    seed: float


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Tasks that two methods attempt; most are settled, and all differences are on the open ones.

    A settled task is always solved or never, by both. On an open task method B passes with
    probability one half, plus half the gain, plus or minus its taste for this task, plus what its
    training seed brings; A has the same with the gain and the taste reversed. The defaults give
    what Q22's scenario shows, on average: 41 % and 43 %, with 8 % and 6 % discordant.

    Attributes:
        open_share: share of open tasks, above 0.
        always_share: share of tasks that both always solve.
        gain: how much better B is than A, on average over all tasks and seeds.
        taste: how far an open task's pass rate lies from the average, up for one, down for the
            other.
        seed_sd: standard deviation, from seed to seed, of one method's average pass rate.

    Raises:
        ValueError: when shares or pass rates would leave the range from 0 to 1.
    """

    open_share: float = 0.27
    always_share: float = 0.285
    gain: float = 0.02
    taste: float = 0.09
    seed_sd: float = 0.01

    def __post_init__(self) -> None:
        if not (self.open_share > 0 and 0 <= self.always_share <= 1 - self.open_share):
            raise ValueError(
                "open_share must be above 0, always_share from 0, their sum at most 1; they were "
                f"{self.open_share!r}, {self.always_share!r}"
            )
        if self.taste < 0 or self.seed_sd < 0:
            raise ValueError(
                f"taste and seed_sd must be at least 0; they were {self.taste!r}, {self.seed_sd!r}"
            )
        reach = (abs(self.gain) / 2 + 5 * self.seed_sd) / self.open_share + self.taste
        if not reach <= 0.5:
            raise ValueError(
                "gain, taste and seed_sd must leave the open tasks' pass rates between 0 and 1, "
                f"five deviations out; they reach {reach:.2f} from one half"
            )

    def variances(self) -> Variances:
        """Return the three variances, exactly."""
        shift = self.gain / self.open_share
        off_centre = shift**2 / 4 + self.taste**2 + (self.seed_sd / self.open_share) ** 2
        return Variances(
            task=self.open_share * (shift**2 + 4 * self.taste**2) - self.gain**2,
            sampling=self.open_share * 2 * (0.25 - off_centre),
            seed=2 * self.seed_sd**2,
        )

    def simulate_passes(
        self,
        *,
        tasks: int,
        samples: int = 1,
        seeds: int = 1,
        repetitions: int = 1,
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Run both methods, with fresh tasks and fresh seeds in every repetition.

        Args:
            tasks: N, from 1.
            samples: attempts at each task by each seed, K, from 1.
            seeds: training runs of each method, S, from 1.
            repetitions: whole comparisons, R, from 1.
            rng: random generator.

        Returns:
            Passes among the K attempts, shape (2, R, S, N): method A, then B.

        Raises:
            ValueError: for a count that is no whole number from 1.

        >>> passes = Benchmark().simulate_passes(tasks=500, seeds=3, rng=np.random.default_rng(0))
        >>> passes.shape
        (2, 1, 3, 500)
        """
        sizes = {"tasks": tasks, "samples": samples, "seeds": seeds, "repetitions": repetitions}
        for name, size in sizes.items():
            checked.whole(name, size, 1)
        kind = rng.random((repetitions, tasks))
        always = (kind >= self.open_share) & (kind < self.open_share + self.always_share)
        # Only open tasks are run: which comparison each belongs to, and its place there.
        run, place = np.nonzero(kind < self.open_share)
        taste = np.where(rng.random(run.size) < 0.5, -self.taste, self.taste)
        half = self.gain / (2 * self.open_share)
        passes = np.empty((2, repetitions, seeds, tasks), dtype=np.int64)
        passes[:] = samples * always[:, np.newaxis]
        for arm, sign in enumerate((-1.0, 1.0)):
            shift = rng.normal(0.0, self.seed_sd / self.open_share, (seeds, repetitions))
            rate = np.clip(0.5 + sign * (half + taste) + shift[:, run], 0.0, 1.0)
            # One attempt is a comparison, which is several times faster than a binomial.
            drawn = rng.random(rate.shape) < rate if samples == 1 else rng.binomial(samples, rate)
            passes[arm][run, :, place] = drawn.T
        return passes
