r"""The tiny policy: a linear softmax over a sum of seven rows of one weight matrix.

The logits are $z = \sum_f W_f$ over the rows of what the policy perceives: a bias, the last word,
the word before, the phase, the clue, the kind of issue by phase, and the place in the turn. With
$p = \mathrm{softmax}(z)$ the gradient of a word's log-probability is
$\partial \log p_y / \partial z = e_y - p$, and that of the entropy
$\partial H / \partial z = -p (\log p + H)$; each row that took part gets it.

A *code* is one number for all that is perceived (`Vocabulary.code`). Many tokens of a batch share
one, so that log-probabilities are computed once per different code: `distinct` finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from agentrl_lite.kl import k3
from agentrl_lite.losses import Clip, clipped_surrogate, clipped_surrogate_slope, is_clipped
from agentrl_lite.protocol import N_PLACES, PHASES, Vocabulary

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
PER_CODE = 7
#: Weights are multiples of it. Two machines' `exp` and sums may differ in the last bit. Rounded
#: away at each update, that hardly ever grows into another word.
GRID = 2.0**-30


class Scored(NamedTuple):
    """Distributions at the different codes, and which token has which.

    Attributes:
        codes: different codes, shape (U,).
        which: index into `codes` of each token, shape (N,).
        logprobs_U_V: log-probabilities of every word, shape (U, V).
        probs_U_V: their exponentials.
        entropy_U: entropies in nats, shape (U,).
    """

    codes: Ints
    which: Ints
    logprobs_U_V: Floats
    probs_U_V: Floats
    entropy_U: Floats

    def of(self, tokens: Ints) -> Floats:
        """Return the log-probability of each token, shape (N,)."""
        return np.asarray(self.logprobs_U_V[self.which, tokens])

    @property
    def entropy(self) -> Floats:
        """Return the entropy before each token, shape (N,)."""
        return np.asarray(self.entropy_U[self.which])

    def only(self, which: Ints) -> Scored:
        """Return what there is of some tokens alone, given their indices into `codes`."""
        kept, index = _present(len(self.codes), which)
        tables = (self.logprobs_U_V, self.probs_U_V, self.entropy_U)
        return Scored(self.codes[kept], index, *(table.take(kept, 0) for table in tables))


class Targets(NamedTuple):
    """The tokens that a loss is about, flat; N of them, before which U different things are seen.

    Attributes:
        codes: what the policy perceives, each once, shape (U,).
        which: index into `codes` of each token; this and all that follow, shape (N,).
        tokens: the words written.
        weights: weight of each in the loss.
        advantages: advantage of its trajectory.
        old_logprobs: proximal log-probability, in nats.
        importance: truncated importance weight; 1 where there is none.
        ref_logprobs: the reference's log-probability; read only where `kl_coef` is above 0.
    """

    codes: Ints
    which: Ints
    tokens: Ints
    weights: Floats
    advantages: Floats
    old_logprobs: Floats
    importance: Floats
    ref_logprobs: Floats


class LossTerms(NamedTuple):
    """What the loss is made of: surrogate - `entropy_coef` entropy + `kl_coef` k3.

    Attributes:
        clip: limits of the surrogate.
        entropy_coef: in units of reward per nat.
        kl_coef: in units of reward per nat.
    """

    clip: Clip = Clip()
    entropy_coef: float = 0.0
    kl_coef: float = 0.0


class LossGradient(NamedTuple):
    """A loss, its gradient, and how many of its tokens a limit held.

    Attributes:
        loss: the value; 0.0 over no token.
        gradient: shape of the weights.
        clipped: number of tokens.
    """

    loss: float
    gradient: Floats
    clipped: int


@dataclass(frozen=True)
class Policy:
    """The form of the policy over a vocabulary; its weights are passed in and never changed."""

    vocabulary: Vocabulary

    @cached_property
    def blocks(self) -> dict[str, slice]:
        """Rows of the weights by what they are about."""
        v = self.vocabulary
        sizes = {"bias": 1, "last": len(v), "previous": len(v), "phase": len(PHASES)}
        sizes |= {"clue": v.n_clues, "kind": v.kinds * len(PHASES), "place": N_PLACES}
        ends = np.cumsum(list(sizes.values())).tolist()
        return {
            name: slice(end - size, end)
            for (name, size), end in zip(sizes.items(), ends, strict=True)
        }

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of the weights: rows, words."""
        return self.blocks["place"].stop, len(self.vocabulary)

    @cached_property
    def _context_rows(self) -> Ints:
        """Rows that a context takes part in: phase, clue, kind by phase, place."""
        v = self.vocabulary
        rest, place = np.divmod(np.arange(v.n_contexts), N_PLACES)
        kind, clue = np.divmod(rest, v.n_clues)  # kind by phase is left
        parts = {"phase": kind % len(PHASES), "clue": clue, "kind": kind, "place": place}
        return np.stack([self.blocks[name].start + part for name, part in parts.items()], axis=1)

    def rows(self, codes: Ints) -> Ints:
        """Return the rows that take part, shape (U, 7).

        Args:
            codes: shape (U,).
        """
        pair, context = np.divmod(codes, self.vocabulary.n_contexts)
        last, previous = np.divmod(pair, len(self.vocabulary))
        rows = np.zeros((len(codes), PER_CODE), dtype=np.int64)
        rows[:, 1] = self.blocks["last"].start + last
        rows[:, 2] = self.blocks["previous"].start + previous
        rows[:, 3:] = self._context_rows[context]
        return rows

    def parts(self, W: Floats, join: np.ufunc = np.add) -> tuple[Floats, ...]:
        """Return the rows joined by last word, word before, kind and mood, place in the turn.

        Args:
            W: weights, or what stands for them.
            join: `np.add`; or `np.multiply` for exponentials.
        """
        rows = {name: W[block] for name, block in self.blocks.items()}
        kinds = rows["kind"].reshape(self.vocabulary.kinds, len(PHASES), 1, -1)
        moods = join(kinds, join(rows["phase"][:, np.newaxis], rows["clue"]))
        last = join(rows["last"], rows["bias"])
        return last, rows["previous"], moods.reshape(-1, W.shape[1]), rows["place"]

    def tables(self, W: Floats, join: np.ufunc = np.add) -> tuple[Floats, Floats]:
        """Return the rows joined for each pair of words, and for each context.

        A code's logits are one row of the first plus one row of the second.
        """
        last, previous, moods, places = self.parts(W, join)
        pairs = join(last[:, np.newaxis], previous)
        contexts = join(moods[:, np.newaxis], places)
        return pairs.reshape(-1, W.shape[1]), contexts.reshape(-1, W.shape[1])

    def score(self, W: Floats, codes: Ints) -> Scored:
        """Return the distributions before each token.

        Args:
            W: weights.
            codes: shape (N,).
        """
        return self.score_distinct(W, *distinct(codes))

    def score_distinct(self, W: Floats, codes: Ints, which: Ints) -> Scored:
        """Return the same for codes that are known to differ, and the tokens' indices to them."""
        lasts, previouses, moods, places = self.parts(W)
        pair, context = np.divmod(codes, self.vocabulary.n_contexts)
        last, previous = np.divmod(pair, len(self.vocabulary))
        mood, place = np.divmod(context, N_PLACES)
        z = lasts.take(last, 0) + previouses.take(previous, 0)
        z += moods.take(mood, 0)
        z += places.take(place, 0)
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        total = p.sum(axis=1, keepdims=True)
        p /= total
        z -= np.log(total)
        return Scored(codes, which, z, p, -np.einsum("uv,uv->u", p, z))

    def loss_gradient(
        self, W: Floats, targets: Targets, terms: LossTerms, scored: Scored | None = None
    ) -> LossGradient:
        r"""Return the weighted loss of some tokens and its gradient.

        A token's slope $s$ with respect to its log-probability goes to the logits as
        $s (e_y - p)$. Tokens with one code are added up first.

        Args:
            W: weights.
            targets: the tokens.
            terms: clip limits and coefficients.
            scored: what `score_distinct` returns for these weights and the targets' codes, where
                that is known already.
        """
        if not targets.codes.size:
            return LossGradient(0.0, np.zeros(self.shape), 0)
        scored = scored or self.score_distinct(W, targets.codes, targets.which)
        logprobs, weight = scored.of(targets.tokens), targets.weights
        log_ratio = logprobs - targets.old_logprobs
        surrogate = clipped_surrogate(log_ratio, targets.advantages, terms.clip)
        slope = clipped_surrogate_slope(log_ratio, targets.advantages, terms.clip)
        loss = float((weight * targets.importance * surrogate).sum())
        slope = weight * targets.importance * slope
        if terms.kl_coef:
            x = targets.ref_logprobs - logprobs
            loss += terms.kl_coef * float((weight * k3(x)).sum())
            slope = slope - terms.kl_coef * weight * np.expm1(x)
        U, V = scored.logprobs_U_V.shape
        dz = _sums(scored.which * V + targets.tokens, slope, U * V).reshape(U, V)
        dz -= _sums(scored.which, slope, U)[:, np.newaxis] * scored.probs_U_V
        if terms.entropy_coef:
            weight_U = _sums(scored.which, weight, U)
            loss -= terms.entropy_coef * float(weight_U @ scored.entropy_U)
            push = (terms.entropy_coef * weight_U)[:, np.newaxis] * scored.probs_U_V
            dz += push * (scored.logprobs_U_V + scored.entropy_U[:, np.newaxis])
        clipped = int(is_clipped(log_ratio, targets.advantages, terms.clip).sum())
        return LossGradient(loss, self._to_rows(scored.codes, dz), clipped)

    def _to_rows(self, codes: Ints, dz: Floats) -> Floats:
        """Give each row the sum of the logits' gradients in which it took part."""
        rows = self.rows(codes).ravel()
        starts = np.arange(0, rows.size + 1, PER_CODE)
        took_part = csc_array((np.ones(rows.size), rows, starts), (self.shape[0], len(codes)))
        return np.asarray(took_part @ dz)


def on_grid(W: Floats) -> Floats:
    """Return weights as multiples of `GRID`, as every float64 from 2**22 on is one."""
    small = np.abs(W) < 2.0**22
    return np.where(small, np.rint(np.where(small, W, 0.0) / GRID) * GRID, W)


def distinct(codes: Ints) -> tuple[Ints, Ints]:
    """Return the different codes, sorted, and each token's index among them."""
    found, which = np.unique(codes, return_inverse=True)
    # NumPy 2.0 gives the indices the shape of the input, other versions a flat one.
    return found, which.reshape(codes.shape)


def renumber(codes: Ints, which: Ints) -> tuple[Ints, Ints]:
    """Leave out the codes that no token has any more; as `distinct(codes[which])`, but faster."""
    kept, index = _present(len(codes), which)
    return codes[kept], index


def _present(size: int, which: Ints) -> tuple[Ints, Ints]:
    """Return which of the numbers below `size` occur, sorted, and where among them each is."""
    present = np.zeros(size, dtype=bool)
    present[which] = True
    return present.nonzero()[0], (np.cumsum(present) - 1)[which]


def _sums(which: Ints, values: Floats, size: int) -> Floats:
    """Return the sum of the values that go to each index, shape (size,)."""
    return np.asarray(np.bincount(which, values, size), dtype=np.float64)
