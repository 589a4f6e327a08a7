"""What a notebook shows: sliders, live runs, the answer card, guesses, checks and progress."""

from agentrl_lite.widgets.card import answer_card
from agentrl_lite.widgets.contents import contents
from agentrl_lite.widgets.explore import explore
from agentrl_lite.widgets.guess import predict, truth
from agentrl_lite.widgets.live import live
from agentrl_lite.widgets.progress import progress
from agentrl_lite.widgets.table import table
from agentrl_lite.widgets.verdict import check

__all__ = [
    "answer_card",
    "check",
    "contents",
    "explore",
    "live",
    "predict",
    "progress",
    "table",
    "truth",
]
