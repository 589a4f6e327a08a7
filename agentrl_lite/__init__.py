"""Interactive companion to thirty design-review questions on agentic reinforcement learning."""

__version__ = "0.1.0"
