"""A class's answers, gathered from the files that readers hand in.

From the inside out: `handed_in` reads the files of one folder, person by person; `overview` puts
together what they say of each question; `histogram` draws the guesses; `report` writes
CSV and HTML.
"""

from agentrl_lite.collect.handed_in import HandIn, Unread, read_folder
from agentrl_lite.collect.overview import Overview, overview
from agentrl_lite.collect.report import write_report

__all__ = ["HandIn", "Overview", "Unread", "overview", "read_folder", "write_report"]
