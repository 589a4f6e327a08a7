"""What one output carries: the live widget, and a form for those who read without a kernel."""

from __future__ import annotations

import json
from typing import Any

import ipywidgets as W  # noqa: N812 - as everybody writes it in a notebook

from agentrl_lite.i18n import _

_STYLE = """
.arl-block { border: 1px solid var(--jp-border-color2, #bdbdbd); border-radius: 4px;
  padding: 12px 16px; margin: 4px 0; max-width: 62rem; box-sizing: border-box;
  color: var(--jp-content-font-color1, #1f2328); }
.arl-block .widget-html, .arl-block .widget-html-content, .arl-block .widget-htmlmath-content {
  color: inherit; font-size: var(--jp-content-font-size1, 14px); line-height: 1.5;
  white-space: normal; height: auto; }
.arl-block .widget-html-content p, .arl-block .widget-htmlmath-content p { margin: 0 0 .5em; }
.arl-block .widget-html, .arl-block .widget-htmlmath { width: auto; max-width: 100%; }
.arl-row { flex-flow: row wrap; align-items: center; gap: 4px 12px; overflow: visible; }
.arl-block .widget-button { width: auto; height: auto; min-height: 32px; padding: 2px 12px;
  white-space: normal; line-height: 1.3; color: var(--jp-ui-font-color1, #1f2328);
  background: var(--jp-layout-color2, #eee); border: 1px solid var(--jp-border-color1, #767676);
  border-radius: 4px; }
.arl-block > .widget-button { align-self: flex-start; }
.arl-block button:focus-visible, .arl-block input:focus-visible, .arl-block textarea:focus-visible,
.arl-block [tabindex]:focus-visible {
  outline: 3px solid var(--jp-brand-color1, #1976d2) !important; outline-offset: 1px; }
.arl-block .widget-html:has(> .widget-html-content:empty) { display: none; }
.arl-title { font-weight: 600; font-size: 1.15em; }
.arl-quiet { color: var(--jp-ui-font-color2, #616161); }
.arl-bad, .arl-notice { border-left: 4px solid #d55e00; padding: 4px 0 4px 10px; }
.arl-good { border-left: 4px solid #0072b2; padding: 4px 0 4px 10px; }
.arl-hidden { display: none !important; }
.arl-block .jupyter-widgets-disconnected::before { content: none; }
.arl-block.jupyter-widgets-disconnected::before { content: var(--arl-disconnected);
  display: block; align-self: stretch; font: 600 14px/1.5 var(--jp-ui-font-family, sans-serif);
  color: inherit; border-left: 4px solid #d55e00; padding: 4px 0 4px 10px; margin-bottom: 8px; }
"""


def style(more: str = "") -> str:
    """Return the rules that every block of ours shares, and `more`, as a style element.

    They include what a block says when its kernel has stopped: a browser goes on taking words that
    nothing saves, and only the style sheet is there to say so.
    """
    text = _(
        "The kernel has stopped. What was saved is safe; what you write here now is not. "
        "Copy that, then run the notebook from the top."
    )
    variable = f".arl-block {{ --arl-disconnected: {json.dumps(text, ensure_ascii=False)}; }}"
    return f"<style>{_STYLE}{variable}\n{more}</style>"


def bundle(view: W.Widget, html: str, text: str, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of one output.

    Args:
        view: the live widget; a page without a kernel ignores it.
        html: what such a page shows. Nothing a reader did may enter it, nor may the time.
        text: the same in one line of plain text.
        kind: `card` or `guess`: the site builds a form of its own from this and `data`.
        data: what it needs to know for that.
    """
    parts: dict[str, Any] = dict(view._repr_mimebundle_())
    return parts | {
        "text/html": html,
        "text/plain": text,
        f"application/vnd.agentrl.{kind}+json": data,
    }


def button(label: str) -> W.Button:
    """Return a button that shows the whole of its label."""
    made = W.Button(description=label)
    made.layout.width = "auto"
    made.layout.height = "auto"
    return made


def html(text: str = "") -> W.HTML:
    """Return a place for HTML that takes the width it is given."""
    return W.HTML(text)


def show(widget: W.DOMWidget, shown: bool) -> None:
    """Show or hide a widget; a hidden one takes no place and cannot be reached by keyboard."""
    (widget.remove_class if shown else widget.add_class)("arl-hidden")
