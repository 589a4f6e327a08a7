"""The site in English."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from conf_base import *  # noqa: F403

language = "en"
html_title = "Thirty design reviews"
