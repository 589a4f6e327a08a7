"""The repair tasks, by kind of bug."""

from agentrl_lite.bugfix.tasks import (
    defaults,
    edge_cases,
    mutation,
    off_by_one,
    operators,
    order,
)

TASKS = (
    *operators.TASKS,
    *off_by_one.TASKS,
    *edge_cases.TASKS,
    *defaults.TASKS,
    *order.TASKS,
    *mutation.TASKS,
)

__all__ = ["TASKS"]
