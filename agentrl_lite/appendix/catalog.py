"""The thirty questions and six exercises: where each stands, and what it reduces to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agentrl_lite.i18n import N_

SECTIONS: Mapping[str, str] = {
    "B.1": N_("Objectives and estimators"),
    "B.2": N_("Rewards and verifiers"),
    "B.3": N_("Environment and tools"),
    "B.4": N_("Systems and scale"),
    "B.5": N_("Evaluation"),
    "B.6": N_("Debugging"),
    "B.7": N_("Research judgement"),
    "X": N_("Exercises"),
}

MECHANISMS: Mapping[str, str] = {
    "weights": N_("How the loss weighs tokens and trajectories"),
    "baseline": N_("How the baseline makes or removes signal"),
    "reward": N_("How reward differs from the goal"),
    "behaviour": N_("How the behaviour policy differs from the trained one"),
    "evaluation": N_("How evaluation differs from deployment"),
}


@dataclass(frozen=True)
class Question:
    """One question or exercise of the appendix.

    Attributes:
        id: `q03`, `x1`.
        section: a key of `SECTIONS`.
        title: marked with `N_`.
        mechanisms: keys of `MECHANISMS`, the main one first; none for what is arithmetic alone.
    """

    id: str
    section: str
    title: str
    mechanisms: tuple[str, ...]

    @property
    def label(self) -> str:
        """The name it goes by: `Q3`, `X1`."""
        return f"{self.id[0].upper()}{int(self.id[1:])}"


QUESTIONS = (
    Question("q01", "B.1", N_("Which average for trajectories of 40 and 2,400 tokens?"),
             ("weights",)),
    Question("q02", "B.1", N_("Gradient accumulation changed the result"), ("weights",)),
    Question("q03", "B.1", N_("How big a group, how many prompts?"), ("baseline",)),
    Question("q04", "B.1", N_("What is a lone success worth?"), ("baseline", "reward")),
    Question("q05", "B.1", N_("Three KL estimates, five-fold apart"), ("behaviour",)),
    Question("q06", "B.1", N_("Does this run still need its KL penalty?"),
             ("reward", "behaviour")),
    Question("q07", "B.2", N_("The agent hard-codes the public tests"), ("reward",)),
    Question("q08", "B.2", N_("Partial credit, partial repairs"), ("reward",)),
    Question("q09", "B.2", N_("Tests that flip"), ("reward",)),
    Question("q10", "B.2", N_("The judge is fooled"), ("reward",)),
    Question("q11", "B.2", N_("The hidden tests leak"), ("reward", "evaluation")),
    Question("q12", "B.3", N_("The agent submits at once"), ("baseline", "reward")),
    Question("q13", "B.3", N_("The agent never submits"), ("reward",)),
    Question("q14", "B.3", N_("A menu of edits, or any patch?"), ("baseline",)),
    Question("q15", "B.3", N_("Resets cost a quarter of the time"), ("baseline",)),
    Question("q16", "B.4", N_("A trainer two steps behind its data"), ("behaviour",)),
    Question("q17", "B.4", N_("Text that does not tokenise back"), ("behaviour",)),
    Question("q18", "B.4", N_("How large a rollout fleet?"), ("behaviour",)),
    Question("q19", "B.4", N_("How many GPU hours?"), ()),
    Question("q20", "B.4", N_("Trainer and engine drift apart"), ("behaviour",)),
    Question("q21", "B.5", N_("pass@k from ten samples"), ("evaluation",)),
    Question("q22", "B.5", N_("Are two points a gain?"), ("evaluation",)),
    Question("q23", "B.5", N_("High on the benchmark, low on new tasks"), ("evaluation",)),
    Question("q24", "B.5", N_("Better at one try, worse at many"), ("evaluation", "baseline")),
    Question("q25", "B.6", N_("Reward rises, the held-out score does not"),
             ("reward", "evaluation")),
    Question("q26", "B.6", N_("Entropy is gone by step 50"), ("baseline", "weights")),
    Question("q27", "B.6", N_("Answers grow to twice their length"), ("weights",)),
    Question("q28", "B.6", N_("Tool output in the agent's own turns"), ("weights",)),
    Question("q29", "B.7", N_("Imitate a teacher, or reinforce?"), ("behaviour", "baseline")),
    Question("q30", "B.7", N_("Adopt last week's preprint?"), ("evaluation",)),
    Question("x1", "X", N_("The group size that sees the most tasks"), ("baseline",)),
    Question("x2", "X", N_("GPU hours of a mixture of experts"), ()),
    Question("x3", "X", N_("Flips that only turn right into wrong"), ("reward",)),
    Question("x4", "X", N_("A fleet of 64 containers"), ("behaviour",)),
    Question("x5", "X", N_("When two defaults disagree"), ("reward",)),
    Question("x6", "X", N_("A unit test for the mask"), ("weights",)),
)  # fmt: skip


def question(question_id: str) -> Question:
    """Return a question of the appendix.

    Raises:
        ValueError: for an unknown id.

    >>> question("q03").label
    'Q3'
    """
    known = {q.id: q for q in QUESTIONS}
    if question_id not in known:
        raise ValueError(f"question must be one of {', '.join(known)}; it was {question_id!r}")
    return known[question_id]
