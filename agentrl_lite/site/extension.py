"""What Sphinx loads: outputs made ready, docstrings as reST, pictures put in their place."""

from __future__ import annotations

import shutil
from collections.abc import Set
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment.collectors import EnvironmentCollector
from sphinx.util.docutils import SphinxDirective, SphinxRole

from agentrl_lite import i18n
from agentrl_lite.appendix import catalog
from agentrl_lite.site import mime
from agentrl_lite.site.docstrings import to_rst
from agentrl_lite.site.figure import FOLDER
from agentrl_lite.site.links import links
from agentrl_lite.site.prepare import prepare

SCRIPTS = (
    "words.js",
    "number.js",
    "record.js",
    "store.js",
    "bring.js",
    "figure.js",
    "card.js",
    "guess.js",
    "check.js",
    "progress.js",
)
SETTINGS = ("source", "static", "frames", "lite", "repository", "code")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx."""
    for name in SETTINGS:
        app.add_config_value(f"agentrl_{name}", "", "env", str)
    app.connect("config-inited", _configure)
    app.connect("source-read", _prepare)
    app.connect("autodoc-process-docstring", _mark, priority=400)  # before napoleon, at 500
    app.connect("autodoc-skip-member", _skip)
    app.connect("build-finished", _place_pictures)
    app.add_env_collector(PictureCollector)
    app.add_role("question", QuestionRole())
    app.add_directive("slider", SliderDirective)
    app.add_directive("still", StillDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class PictureCollector(EnvironmentCollector):
    """Keeps which pictures each page shows, over builds and over processes."""

    def clear_doc(self, app: Sphinx, env: Any, docname: str) -> None:
        """Forget a page."""
        _pictures(env).pop(docname, None)

    def merge_other(self, app: Sphinx, env: Any, docnames: Set[str], other: Any) -> None:
        """Take over what another process has read."""
        theirs = _pictures(other)
        _pictures(env).update({name: theirs[name] for name in docnames if name in theirs})

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        """Note the pictures of a page that has been read."""
        found = [file for node in doctree.findall(nodes.raw) for file in node.get("frames", ())]
        _pictures(app.env)[app.env.current_document.docname] = found


class QuestionRole(SphinxRole):
    """A question by its id: a link to its page, or plain text as long as there is none."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link."""
        asked = catalog.question(self.text)
        title = f"{asked.label} · {i18n._(asked.title)}"
        pages = [name for name in self.env.found_docs if name.startswith(f"{asked.id}_")]
        if not pages:
            self.env.note_reread()
            return [nodes.inline("", title)], []
        target = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{pages[0]}"}
        link = addnodes.pending_xref(
            "", nodes.inline("", title), refdoc=self.env.docname, refexplicit=True, **target
        )
        return [link], []


class SliderDirective(SphinxDirective):
    """A figure with its sliders, at its defaults, on a page that is no notebook."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the figure."""
        name = f"slider-{self.env.new_serialno('slider')}"
        return [mime.slider(self.env, self.arguments[0], {}, name)]


class StillDirective(SphinxDirective):
    """A figure at its defaults, without sliders, with the command that writes it for print."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the figure."""
        return [mime.still(self.env, self.arguments[0])]


def _configure(app: Sphinx, config: Any) -> None:
    i18n.use(config.language)
    config.html_static_path = [*config.html_static_path, config.agentrl_static]
    config.html_js_files = [*config.html_js_files, *((name, {"defer": ""}) for name in SCRIPTS)]


def _prepare(app: Sphinx, docname: str, source: list[str]) -> None:
    if Path(app.env.doc2path(docname)).suffix == ".ipynb":
        config = app.config
        where = links(docname, config.language, config.agentrl_lite, config.agentrl_repository)
        source[0] = prepare(source[0], where)


def _mark(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = to_rst(lines)


def _skip(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out the fields of named tuples: Python gives them a docstring that says nothing."""
    return True if (getattr(obj, "__doc__", "") or "").startswith("Alias for field") else None


def _place_pictures(app: Sphinx, exception: Exception | None) -> None:
    """Bring the pictures that pages show to the site, and take away those that none shows."""
    if exception is not None or app.builder.format != "html":
        return
    wanted = {file for files in _pictures(app.env).values() for file in files}
    folder = Path(app.outdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in wanted:
            path.unlink()
    for file in sorted(wanted):
        if not (folder / file).is_file():
            shutil.copyfile(Path(app.config.agentrl_frames) / file, folder / file)


def _pictures(env: Any) -> dict[str, list[str]]:
    if not hasattr(env, "agentrl_pictures"):
        env.agentrl_pictures = {}
    found: dict[str, list[str]] = env.agentrl_pictures
    return found
