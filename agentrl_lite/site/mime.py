"""Says how outputs of our own kinds look on a page: what MyST-NB asks, by entry point."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes

from agentrl_lite import answers, figures
from agentrl_lite.appendix import catalog
from agentrl_lite.appendix.exercises import check, prediction
from agentrl_lite.site.card import card_html
from agentrl_lite.site.check import check_html, note_html
from agentrl_lite.site.depends import dependencies
from agentrl_lite.site.figure import figure_html, still_html
from agentrl_lite.site.frames import Frames, frames
from agentrl_lite.site.guess import guess_html, truth_html
from agentrl_lite.site.live import around, panels
from agentrl_lite.site.prepare import CHECK, LIVE, OURS, REPLACED
from agentrl_lite.site.progress import progress_html


class PageRenderer:
    """Turns `application/vnd.agentrl.*` into HTML that needs no kernel."""

    mime_priority_overrides: ClassVar[list[tuple[str, str, int]]] = [
        ("*", kind, 1) for kind in (*REPLACED, CHECK, LIVE)
    ]

    @staticmethod
    def handle_mime(renderer: Any, data: Any, inline: bool) -> list[nodes.Element] | None:
        """Return the nodes for an output, or None if it is not one of ours."""
        if inline or not data.mime_type.startswith(OURS):
            return None
        env = renderer.renderer.sphinx_env
        kind = data.mime_type.removeprefix(OURS).removesuffix("+json")
        name = f"{kind}-{data.cell_index}"
        content = data.content
        if kind == "figure":
            return [slider(env, content["figure"], content["values"], name)]
        if kind == "card":
            return [_card(env, content["card"], name)]
        if kind == "guess":
            asked = prediction(content["guess"])
            return [_raw(truth_html(asked) if content.get("truth") else guess_html(asked, name))]
        if kind == "live":
            return _live(renderer, data)
        if kind == "progress":
            return [_raw(progress_html(name))]
        if kind == "check":
            asked = content["check"]
            return [_raw(check_html(check(asked), name) if content["typed"] else note_html())]
        return []  # without a form of its own: what is stored beside it is shown


def slider(env: Any, figure_id: str, values: dict[str, float], name: str) -> nodes.raw:
    """Return a figure that moves, and note what the page depends on."""
    shown = _frames(env, figure_id, values)
    return _with_pictures(shown, figure_html(shown, name))


def still(env: Any, figure_id: str) -> nodes.raw:
    """Return a figure at its defaults that does not move."""
    shown = _frames(env, figure_id, {}, moving=False)
    return _with_pictures(shown, still_html(shown))


def _frames(env: Any, figure_id: str, values: dict[str, float], *, moving: bool = True) -> Frames:
    figure = figures.get(figure_id)
    for path in dependencies(figure):
        env.note_dependency(str(path))
    return frames(figure, values, Path(env.config.agentrl_frames), moving=moving)


def _with_pictures(shown: Frames, html: str) -> nodes.raw:
    """Return a figure's node, which knows its pictures: they must come along with the page."""
    node = _raw(html)
    node["frames"] = [frame.file for frame in shown.all]
    return node


def _card(env: Any, question_id: str, name: str) -> nodes.raw:
    folder = Path(env.config.agentrl_source) / "answers"
    reference = answers.load(question_id, folder)
    if reference is not None:
        env.note_dependency(str(answers.path(question_id, folder)))
    return _raw(card_html(catalog.question(question_id), reference, name))


def _live(renderer: Any, data: Any) -> list[nodes.Element]:
    content = data.content
    picture = replace(data, mime_type="image/png", content=panels(content["png"]))
    (image,) = renderer.render_image(picture)
    image["alt"] = content["alt"]
    before, after = around(content["sentence"])
    return [_raw(before), image, _raw(after)]


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")
