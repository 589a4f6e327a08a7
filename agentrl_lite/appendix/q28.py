"""Question 28: the loss mask lets tool output in."""

from __future__ import annotations

from agentrl_lite.appendix.exercises import Check, Hint, Prediction
from agentrl_lite.appendix.ledger import Number
from agentrl_lite.handmade import handmade
from agentrl_lite.i18n import N_
from agentrl_lite.trajectory import loss_mask, masked_in_share

#: Turns of two words, as an agent writes that does not think aloud.
SHORT_TURNS = "<issue0> read end <file> <clue1> edit1 end <patched> submit end"
#: Turns of three words; the last is not answered.
LONGER_TURNS = (
    "<issue0> hmm read end <file> <dot> <clue1> so edit1 end <patched> "
    "ok test end <run> <dot> <passed> <[100%]> ok submit end"
)
# The exercise on what a dashboard logs, in nats.
LOGGED, AT_TOOLS, TOOL_SHARE = 0.62, 0.14, 3 / (3 + 1)


def still_trained(text: str) -> float:
    """Return the share of a hand-made trajectory's policy tokens in a mask shifted by -1."""
    producer = [handmade(text).producer]
    return masked_in_share(loss_mask(producer, fault="shift-1"), producer)["policy"]


def tool_share(text: str) -> float:
    """Return the tools' share of the tokens in a mask shifted by -1."""
    return 1 - _own(text) / _covered(text)


def _covered(text: str) -> int:
    return int(loss_mask([handmade(text).producer], fault="shift-1").sum())


def _own(text: str) -> int:
    producer = handmade(text).producer
    covered = loss_mask([producer], fault="shift-1")
    return int((covered & loss_mask([producer])).sum())


def _turns(text: str) -> int:
    return text.split().count("end")


def _answers(text: str) -> int:
    return _turns(text) - 1


def _words(text: str) -> int:
    return int(loss_mask([handmade(text).producer]).sum())


def at_policy(logged: float, at_tools: float, tools: float) -> float:
    """Return the entropy at policy places, given that of all places in the mask, in nats.

    Args:
        logged: mean over the mask.
        at_tools: mean over the tool tokens in it.
        tools: their share of it, below 1.
    """
    return (logged - tools * at_tools) / (1 - tools)


NUMBERS = (
    Number("q28-progress", "given", lambda: 100, "100", "%"),
    Number(
        "q28-shift",
        "columns of ids, less columns of ids[:, 1:]",
        lambda: len(handmade(SHORT_TURNS).ids) - loss_mask([handmade(SHORT_TURNS).producer]).size,
        "1",
        "tokens",
    ),
)

PREDICTIONS = (
    Prediction(
        id="q28-share",
        question=N_(
            "Each turn of an agent has two words: a tool's name, and end. The mask is one place "
            "off. What share of the agent's own words is still trained?"
        ),
        truth=lambda: 100 * still_trained(SHORT_TURNS),
        unit="%",
        minimum=0,
        maximum=100,
        digits=0,
    ),
)

CHECKS = (
    Check(
        id="q28-tool-share",
        kind="share",
        truth=lambda: tool_share(LONGER_TURNS),
        tolerance=0.002,
        hints=(
            Hint(
                lambda: _turns(LONGER_TURNS) / (_turns(LONGER_TURNS) + _own(LONGER_TURNS)),
                N_("Is there anything behind the last turn to let in?"),
            ),
            Hint(
                lambda: _answers(LONGER_TURNS) / _words(LONGER_TURNS),
                N_("What is let in is right. But a turn's first word is no longer in the loss."),
            ),
            Hint(
                lambda: _answers(LONGER_TURNS) / (_words(LONGER_TURNS) + _answers(LONGER_TURNS)),
                N_("One word comes in and another drops out. Take out what dropped out."),
            ),
        ),
        otherwise=N_(
            "Count what the mask covers: of each turn all words but the first, and one tool token "
            "for each answer. Then the tool's part of that."
        ),
    ),
    Check(
        id="q28-at-policy",
        kind="number",
        truth=lambda: at_policy(LOGGED, AT_TOOLS, TOOL_SHARE),
        tolerance=0.005,
        hints=(
            Hint(lambda: LOGGED, N_("That is what is logged, over both kinds of places at once.")),
            Hint(
                lambda: at_policy(LOGGED, AT_TOOLS, 1 - TOOL_SHARE),
                N_("Your shares are exchanged: which kind of place is the more common?"),
            ),
            Hint(
                lambda: LOGGED - AT_TOOLS,
                N_("A mean of two groups is no sum. What does each count for?"),
            ),
            Hint(
                lambda: 2 * LOGGED - AT_TOOLS,
                N_("That is for half and half. The tool's places are more than half here."),
            ),
            Hint(
                lambda: at_policy(LOGGED, AT_TOOLS, 2 / 3),
                N_("Three to one: of how many tokens is that three?"),
            ),
        ),
        otherwise=N_("Write the logged mean as a weighted sum of the two, and solve it."),
    ),
)
