"""`contents`: every question once by section, links only to notebooks that are there."""

from __future__ import annotations

import re

import pytest

from agentrl_lite.appendix.catalog import QUESTIONS
from agentrl_lite.widgets.contents import contents


def test_by_section_every_question_stands_once():
    labels = re.findall(r"^  (\w\d+) ·", repr(contents()), re.MULTILINE)
    assert labels == [question.label for question in QUESTIONS]


def test_by_mechanism_a_question_stands_under_each_of_its_own():
    labels = re.findall(r"^  (\w\d+) ·", repr(contents("mechanism")), re.MULTILINE)
    for question in QUESTIONS:
        assert labels.count(question.label) == len(question.mechanisms)


def test_only_notebooks_that_are_there_are_links(tmp_path, monkeypatch):
    (tmp_path / "q04_lone_success.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    html = contents()._repr_html_()
    assert re.findall(r'href="([^"]*)"', html) == ["q04_lone_success.ipynb"]
    assert html.count("<li>") == len(QUESTIONS)


def test_another_order_is_refused():
    with pytest.raises(ValueError, match="by must be 'section' or 'mechanism'; it was 'title'"):
        contents("title")
