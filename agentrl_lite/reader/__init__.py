"""What belongs to the reader: answers, self-scores, guesses, checks passed, the clock's end.

One folder holds one JSON file per question. Every writer goes through `open_store`, which keeps one
live `Store` per question and kernel; `read` looks without touching anything.

The parts of this package, from the inside out: `record` says what is kept and how it is written as
JSON; `merge` joins two versions of it without losing a text; `files` reads and writes whole files
safely; `schedule` puts a save off by a moment; `store` is the live record of one
question; `stores` keeps those of a kernel.
"""

from agentrl_lite.reader.files import folder, rescue_folder
from agentrl_lite.reader.record import PARTS, Guess, Kept, Record, Text
from agentrl_lite.reader.store import SaveState, Store
from agentrl_lite.reader.stores import flush_all, open_store, read

__all__ = [
    "PARTS",
    "Guess",
    "Kept",
    "Record",
    "SaveState",
    "Store",
    "Text",
    "flush_all",
    "folder",
    "open_store",
    "read",
    "rescue_folder",
]
