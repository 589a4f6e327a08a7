"""Makes what a teacher hands out or projects: notebooks, slides and handouts of any questions.

From the inside out: `content` drops answers and takes care of links and pictures; `still` gives
every live widget the form it has where nothing runs; `slides` and `handout` make pages of that,
which `chromium` prints; `words` is what an edition says of itself; `make` writes folder or zip.
"""

from agentrl_lite.editions.content import without_answers
from agentrl_lite.editions.make import MANIFEST, Kind, LeakError, build

__all__ = ["MANIFEST", "Kind", "LeakError", "build", "without_answers"]
