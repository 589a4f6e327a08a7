"""A gym of real repair tasks: small buggy functions, edits of their source, tests that really run.

`tasks` holds the tasks, `workspace` the tools, `sandbox` runs tests under a budget of executed
lines, `verdicts` remembers what came out, `outcomes` is the table that training looks it up in (its
function has the module's name, and is imported from there), and `env` plays an episode of turns.
"""

from agentrl_lite.bugfix.env import Action, Episode, Turn, TurnRules
from agentrl_lite.bugfix.sandbox import CaseResult, SuiteResult, run_cases
from agentrl_lite.bugfix.task import HARDCODE, KINDS, MENU_SIZE, STATES, Case, Edit, Task
from agentrl_lite.bugfix.tasks import TASKS
from agentrl_lite.bugfix.verdicts import Verdict, execute, verdict
from agentrl_lite.bugfix.workspace import Reply, Workspace

__all__ = [
    "HARDCODE",
    "KINDS",
    "MENU_SIZE",
    "STATES",
    "TASKS",
    "Action",
    "Case",
    "CaseResult",
    "Edit",
    "Episode",
    "Reply",
    "SuiteResult",
    "Task",
    "Turn",
    "TurnRules",
    "Verdict",
    "Workspace",
    "execute",
    "run_cases",
    "verdict",
]
