"""The site: what its pieces are made of, and what the built pages hold."""

import base64
import dataclasses
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from agentrl_lite import answers, figures
from agentrl_lite.appendix import catalog
from agentrl_lite.appendix.exercises import check, prediction
from agentrl_lite.figures.runs_canvas import PANEL_PX
from agentrl_lite.figures.spec import Control
from agentrl_lite.site import pages, pictures
from agentrl_lite.site.card import card_html
from agentrl_lite.site.check import check_html
from agentrl_lite.site.depends import dependencies
from agentrl_lite.site.docstrings import to_rst
from agentrl_lite.site.figure import figure_html, held_text
from agentrl_lite.site.frames import Frame, Frames, frames, places, size_px
from agentrl_lite.site.guess import guess_html, truth_html
from agentrl_lite.site.links import links, repository
from agentrl_lite.site.live import around, panels
from agentrl_lite.site.prepare import CHECK, LIVE, prepare
from agentrl_lite.site.shown import wanted
from agentrl_lite.site.stops import ALL, stops
from agentrl_lite.site.words import WORDS, words_js

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks" / "en").glob("*.ipynb"))
SCRIPTS = sorted((ROOT / "book" / "_static").glob("*.js"))
HEAVIEST_BYTES = 2_000_000
REFERENCE = answers.load("q03", ROOT / "notebooks" / "en" / "answers")


class Page(HTMLParser):
    """The elements of a page: tag and attributes, in their order."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def all(self, *tags, **wanted):
        """Return the attributes of the elements of some kinds, or of all that have a class."""
        return [
            attributes
            for tag, attributes in self.elements
            if (not tags or tag in tags)
            and all(
                value in attributes.get(name.rstrip("_"), "").split()
                for name, value in wanted.items()
            )
        ]


# ---- where a slider stops ----------------------------------------------------------------------


def control(**changes):
    fields = {"minimum": 2, "maximum": 64, "step": 1, "default": 8, "frames": (8,), "integer": True}
    return Control(name="G", symbol="G", label="Group size", **(fields | changes))


def test_stops_are_the_ends_the_start_what_is_asked_for_and_even_between():
    assert stops(control(), 8) == (2, 8, 16, 24, 32, 40, 48, 56, 64)
    assert stops(control(frames=(4, 8)), 9) == (2, 4, 8, 9, 17, 25, 33, 40, 48, 56, 64)


def test_stops_of_a_log_control_lie_a_factor_apart():
    budget = control(minimum=1, maximum=4**16, step=4, default=4**8, frames=(4**8,), log=True)
    assert stops(budget, 4**8) == tuple(4 ** (2 * n) for n in range(9))


def test_a_start_between_two_steps_is_a_stop():
    assert 0.125 in stops(
        control(minimum=0.0, maximum=1.0, step=0.05, default=0.1, frames=(0.1,), integer=False),
        0.125,
    )


@pytest.mark.parametrize("figure", figures.all_figures(), ids=lambda figure: figure.id)
def test_every_control_moves_both_ways_in_enough_steps(figure):
    for one in figure.controls:
        found = stops(one, one.default)
        assert list(found) == sorted(set(found))
        assert (found[0], found[-1]) == (one.minimum, one.maximum)
        assert {one.default, *one.frames} <= set(found)
        count = round(one.steps(one.maximum)) + 1
        assert len(found) == count if count <= ALL else 8 <= len(found) <= 15


# What a notebook's text sends the reader to on a slider, and what its exercises read off one.
NAMED = {
    ("q02-weights", "n2"): (400,),
    ("q03-degenerate", "G"): (6, 7, 14),
    ("q03-pool", "p"): (0.06,),
    ("q04-advantages", "G"): (13, 14),
    ("q04-advantages", "c"): (0, 8),
    ("q04-genuine", "f"): (0.002, 0.003),
    ("q04-genuine", "p"): (0.3,),
    ("q04-push", "f"): (0.0,),
    ("q05-error", "d"): (1.6, 1.65),
    ("q05-tail", "s"): (0.0005, 0.01, 0.0105),
    ("q12-push", "G"): (4,),
    ("q12-push", "c"): (0.0002, 0.002),
    ("q21-estimates", "k"): (5, 12),
    ("q21-estimates", "n"): (40,),
    ("q21-estimates", "c"): (2,),
    ("q21-spread", "p"): (0.05,),
    ("q22-pairs", "b"): (48, 49),
    ("q22-levers", "K"): (1, 16),
    ("q26-law", "p"): (0.5,),
    ("q26-table", "high"): (0.28, 0.48),
    ("q26-table", "rate"): (0.5,),
    ("x1-most-tasks", "G"): (2, 3),
}


def at_start(figure):
    """Return where the controls of a figure start on its page."""
    for path in NOTEBOOKS:
        for data in outputs(path):
            kept = data.get("application/vnd.agentrl.figure+json", {})
            if kept.get("figure") == figure.id:
                return figure.values(kept["values"])
    raise AssertionError(f"no notebook shows {figure.id}")


def outputs(path):
    """Return the data of every stored output of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = (output.get("data", {}) for c in cells for output in c.get("outputs", []))
    return [data for data in found if data]


@pytest.mark.parametrize(("figure", "name"), NAMED)
def test_a_slider_stops_where_the_text_sends_the_reader(figure, name):
    shown = figures.get(figure)
    found = stops(shown.control(name), at_start(shown)[name])
    assert set(NAMED[figure, name]) <= set(found)


# ---- frames ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def degenerate():
    return figures.get("q03-degenerate")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return the folder of the frames' pictures."""
    return tmp_path_factory.mktemp("frames")


@pytest.fixture(scope="module")
def shown(degenerate, drawn):
    return frames(degenerate, {"p": 0.3}, drawn)


def test_one_control_moves_at_a_time_from_the_start(degenerate, shown):
    assert shown.all[0].values == {"p": 0.3, "G": 8}
    for name, indices in shown.stops.items():
        values = [shown.all[index].values[name] for index in indices]
        assert tuple(values) == stops(degenerate.control(name), shown.start[name])
        for index in indices:
            others = {key: v for key, v in shown.all[index].values.items() if key != name}
            assert others == {key: v for key, v in shown.start.items() if key != name}
    # The start is common to all controls: a sum, less what is counted twice.
    assert len(shown.all) == sum(len(indices) - 1 for indices in shown.stops.values()) + 1


def test_each_frame_is_a_picture_of_its_own_with_its_own_sentence(degenerate, shown, drawn):
    width, height = size_px(degenerate)
    different = set()
    for frame in shown.all:
        with Image.open(drawn / frame.file) as picture:
            assert picture.size[0] == pytest.approx(width * pictures.DENSITY, abs=1)
            assert picture.size[1] == pytest.approx(height * pictures.DENSITY, abs=2)
            different.add(picture.convert("RGB").tobytes())
        assert frame.summary == degenerate.summary(**frame.values)
    assert len(different) == len(shown.all)
    assert {path.name for path in drawn.iterdir()} == {frame.file for frame in shown.all}


def test_a_figure_that_stands_still_has_the_first_frame_alone(degenerate, shown, drawn):
    assert frames(degenerate, {"p": 0.3}, drawn, moving=False).all == shown.all[:1]


def test_pictures_are_drawn_once(degenerate, shown, drawn, monkeypatch):
    monkeypatch.setattr(pictures.render, "Canvas", None)
    assert frames(degenerate, {"p": 0.3}, drawn) == shown
    assert pictures.draw_all({degenerate.id: [shown.start]}, drawn, 2) == 0


def test_pictures_are_drawn_anew_when_the_code_changes(degenerate, shown, monkeypatch):
    monkeypatch.setattr(pictures, "code_hash", lambda figure: "another")
    second = {pictures.name(degenerate, frame.values) for frame in shown.all}
    assert len(second) == len(shown.all)
    assert not {frame.file for frame in shown.all} & second


def test_several_processes_draw_what_one_draws(degenerate, shown, drawn, tmp_path):
    wanted = {key: [figures.get(key).values({"p": 0.3})] for key in (degenerate.id, "q03-step")}
    assert pictures.draw_all(wanted, tmp_path, 2) == 2
    name = shown.all[0].file
    with Image.open(tmp_path / name) as one, Image.open(drawn / name) as other:
        # The palettes differ: they are chosen for what is drawn together.
        apart = np.subtract(one.convert("RGB"), other.convert("RGB"), dtype=np.int16)
    assert np.abs(apart).max() <= 40
    assert np.abs(apart).mean() < 0.5


def test_a_figure_depends_on_what_its_module_imports_and_on_stored_results():
    names, without = (
        {p.relative_to(ROOT).as_posix() for p in dependencies(figures.get(figure))}
        for figure in ("q27-sweep", "q03-step")
    )
    assert {
        "agentrl_lite/figures/q27.py",
        "agentrl_lite/figures/q27_sweep.py",
        "agentrl_lite/figures/render.py",
        "agentrl_lite/site/pictures.py",
        "agentrl_lite/experiments/results/q27.json",
    } <= names
    assert "agentrl_lite/kl.py" not in without


def test_colours_of_a_frame_are_those_of_the_figure(shown, drawn):
    with Image.open(drawn / shown.all[0].file) as picture:
        colours = {colour for _count, colour in picture.convert("RGB").getcolors(1 << 20)}
    blue = (0x00, 0x72, 0xB2)
    assert min(max(abs(a - b) for a, b in zip(c, blue, strict=True)) for c in colours) <= 8


def test_pages_name_the_figures_that_they_show(tmp_path):
    (tmp_path / "a.md").write_text("```{slider} q03-degenerate\n```\n\n```{still} q03-step\n```\n")
    stored = {
        "application/vnd.agentrl.figure+json": {"figure": "q03-degenerate", "values": {"p": 0.3}}
    }
    cells = [{"cell_type": "code", "outputs": [{"data": stored}]}, {"cell_type": "markdown"}]
    (tmp_path / "b.ipynb").write_text(json.dumps({"cells": cells}))
    found = wanted(tmp_path)
    assert set(found) == {"q03-degenerate", "q03-step"}
    assert found["q03-step"] == [figures.get("q03-step").values()]
    values = found["q03-degenerate"]
    assert all(values.count(one) == 1 for one in values)
    for start in ({}, {"p": 0.3}):
        every, _indices = places(figures.get("q03-degenerate"), start)
        assert all(one in values for one in every)


# ---- HTML --------------------------------------------------------------------------------------


def test_a_slider_says_what_it_holds(degenerate, shown):
    html = figure_html(shown, "f")
    assert held_text(degenerate, degenerate.control("G"), shown.start) == "with p = 0.30"
    page = Page(html)
    sliders = page.all("input")
    assert [s["type"] for s in sliders] == ["range", "range"]
    assert {s["aria-valuetext"] for s in sliders} == {"0.30", "8"}
    for slider in sliders:
        assert f'<label for="{slider["id"]}">' in html
        assert f'id="{slider["aria-describedby"]}">with ' in html
    data = json.loads(re.search(r'json">(.*?)</script>', html)[1])
    assert len(data["frames"]) == len(shown.all)
    assert page.all("img")[0]["alt"] == degenerate.alt_text(shown.start)


def test_where_two_could_move_a_figure_says_that_one_does(degenerate, shown):
    told = "one control moves at a time"
    assert figure_html(shown, "f").index(told) < figure_html(shown, "f").index("<label")
    alone = dataclasses.replace(degenerate, controls=degenerate.controls[:1])
    assert told not in figure_html(dataclasses.replace(shown, figure=alone), "f")


def test_what_a_number_stands_for_is_chosen_from_a_list_of_names(drawn):
    figure = figures.get("q27-push")
    mode = figure.control("mode")
    html = figure_html(frames(figure, {}, drawn), "f")
    page = Page(html)
    assert [s["data-control"] for s in page.all("select")] == ["mode", "std"]
    assert [s["data-control"] for s in page.all("input")] == ["cap"]
    (chosen,) = (o for o in page.all("option")[: len(mode.names)] if "selected" in o)
    assert chosen["value"] == str(mode.frames.index(mode.default))
    for name in mode.names:
        assert f">{name}</option>" in html
    # The label says what the symbol would.
    assert f'<label for="f-mode">{mode.label}</label>' in html
    assert f"with mode = {mode.text(mode.default)}, std = yes" in html


def test_a_figures_data_cannot_end_their_script(degenerate, shown):
    evil = Frame(shown.all[0].values, "a.png", "</script><b>")
    html = figure_html(Frames(degenerate, shown.start, (evil,), {"p": (0,), "G": (0,)}), "f")
    assert html.count("</script>") == 1
    assert "<b>" not in html


def test_the_reference_is_closed_and_boxes_wait_for_the_script():
    html = card_html(catalog.question("q03"), REFERENCE, "card-1")
    page = Page(html)
    assert len(page.all("details")) == 4
    assert all("open" not in details for details in page.all("details"))
    assert len(page.all("textarea")) == 4
    points = sum(len(part.points) for part in REFERENCE.values())
    assert [part["type"] for part in page.all("input")] == ["checkbox"] * points + ["file"]
    assert all(
        "disabled" in e for e in page.all("textarea", "input", "button") if "hidden" not in e
    )
    for box in page.all("textarea"):
        assert f'<label for="{box["id"]}">' in html


def test_a_card_without_reference_has_only_boxes():
    page = Page(card_html(catalog.question("q03"), None, "card-1"))
    assert len(page.all("textarea")) == 4
    assert page.all("details") == []


def test_a_guess_asks_and_does_not_tell():
    asked = prediction("q03-share")
    html = guess_html(asked, "guess-1")
    assert asked.question in html
    assert f"{asked.truth():.1f}" not in html
    (form,) = Page(html).all("form")
    assert (form["data-minimum"], form["data-maximum"], form["data-unit"]) == ("0", "100", "%")


def test_the_truth_is_computed_when_the_page_is_made_and_closed():
    asked = prediction("q03-share")
    html = truth_html(asked)
    (place,) = Page(html).all(class_="arl-truth")
    assert float(place["data-truth"]) == asked.truth()
    before, told = html.split("<details>")
    assert "65.6" in told
    assert "65.6" not in re.sub(r'data-truth="[^"]*"', "", before)


def test_a_check_asks_and_tells_nothing_in_clear():
    asked = check("q03-whole-batches")
    html = check_html(asked, "check-1")
    (form,) = Page(html).all("form")
    assert (form["data-question"], form["data-check"]) == ("q03", asked.id)
    assert '<label for="check-1">' in html
    assert all("disabled" in element for element in Page(html).all("input", "button"))
    for told in (f"{asked.truth():.0f}", asked.otherwise, *(hint.text for hint in asked.hints)):
        assert told not in html
    data = json.loads(base64.b64decode(form["data-judge"]))
    assert (data["truth"], data["tolerance"]) == (asked.truth(), asked.tolerance)


# ---- notebooks made ready ----------------------------------------------------------------------


def cell(source, data=None, tags=()):
    outputs = [{"output_type": "display_data", "data": data, "metadata": {}}] if data else []
    return {
        "cell_type": "code",
        "metadata": {"tags": list(tags)},
        "source": source,
        "outputs": outputs,
    }


def prepared(*cells):
    title = {"cell_type": "markdown", "metadata": {}, "source": "# Title"}
    text = json.dumps({"cells": [title, *cells]})
    return json.loads(prepare(text, {"the notebook": "_sources/q03.ipynb"}))["cells"]


def test_a_closed_cell_is_called_by_its_first_line():
    *_, made = prepared(cell("# Solution 1.\nassert True", tags=["solution", "hide-cell"]))
    assert made["metadata"]["mystnb"]["code_prompt_show"] == "Solution 1."


def test_a_stored_picture_gives_way_to_the_slider():
    kind = "application/vnd.agentrl.figure+json"
    data = {kind: {"figure": "q03-step"}, "image/png": "AAAA", "text/plain": "words"}
    *_, made = prepared(cell('explore("q03-step")', data))
    assert list(made["outputs"][0]["data"]) == [kind]
    assert "remove-input" in made["metadata"]["tags"]


def test_a_live_view_becomes_its_stored_run():
    made = cell("live()", {LIVE: {}, "image/png": "AAAA", "text/plain": "They part."})
    made["outputs"][0]["metadata"] = {"image/png": {"alt": "Two\nruns."}}
    *_, made = prepared(made)
    assert made["outputs"][0]["data"] == {
        LIVE: {"png": "AAAA", "alt": "Two runs.", "sentence": "They part."}
    }
    assert "remove-input" not in made["metadata"]["tags"]


def test_a_stored_runs_sentence_is_text_and_no_picture():
    made = io.BytesIO()
    Image.new("RGB", (900, 2 * PANEL_PX[1] + 56)).save(made, "PNG")
    cut = panels(base64.b64encode(made.getvalue()).decode())
    with Image.open(io.BytesIO(base64.b64decode(cut))) as picture:
        assert picture.size == (900, 2 * PANEL_PX[1])
    before, after = around("a < b")
    assert "a &lt; b" in after
    assert "This is one stored run." in after
    (box,) = Page(before).all("div")
    assert (box["class"], box["tabindex"]) == ("arl-picture arl-columns-2", "0")


def test_what_only_a_kernel_can_do_is_left_out():
    note = {"cell_type": "markdown", "metadata": {"tags": ["kernel-only"]}, "source": "Run this."}
    assert [made["source"] for made in prepared(note, cell("1"))][2:] == ["1"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_speaks_of_no_kernel(path):
    made = json.loads(prepare(path.read_text(encoding="utf-8"), {}))["cells"]
    for one in made:
        if one["cell_type"] == "markdown":
            text = "".join(one["source"])
            told = r"\*Run|Shift \+|\bkernel|\bRun (this|it)|AGENTRL_READER|[Pp]ress "
            assert not re.search(told, text), text


def test_a_check_becomes_one_of_the_page():
    verdict = '<div class="arl-verdict" role="status">Not answered yet.</div>'
    *_, made = prepared(cell('x = ...\ncheck("q03-smallest-G", x)', {"text/html": [verdict]}))
    assert made["outputs"][0]["data"] == {CHECK: {"check": "q03-smallest-G", "typed": True}}
    assert "remove-input" in made["metadata"]["tags"]


def test_a_check_of_code_that_the_reader_writes_stays_a_cell():
    verdict = '<div class="arl-verdict" role="status">Not yet.</div>'
    *_, made = prepared(cell('check("x6-shifts", try_test(f).mistakes)', {"text/html": [verdict]}))
    assert made["outputs"][0]["data"] == {CHECK: {"check": "x6-shifts", "typed": False}}
    assert "remove-input" not in made["metadata"]["tags"]


def test_links_to_notebooks_become_links_to_pages():
    data = {"text/html": '<a href="q03_group_size.ipynb">Q3</a> <a href="x.ipynb#y">'}
    *_, made = prepared(cell("contents()", data))
    assert made["outputs"][0]["data"]["text/html"] == (
        '<a href="q03_group_size.html">Q3</a> <a href="x.html#y">'
    )


def test_a_table_that_scrolls_can_be_reached_by_keyboard():
    *_, made = prepared(cell("table()", {"text/html": '<div class="arl-scroll"><table>'}))
    assert (
        '<div class="arl-scroll" tabindex="0" role="group"'
        in (made["outputs"][0]["data"]["text/html"])
    )


def test_the_title_is_followed_by_where_the_page_can_be_run():
    _title, run, *_ = prepared(cell("1"))
    assert '<a href="_sources/q03.ipynb" download>the notebook</a>' in run["source"]


# ---- links -------------------------------------------------------------------------------------


def test_without_an_address_no_link_leaves_the_site():
    assert not any(a.startswith("http") for a in links("q03_x", "en", "", "").values())


@pytest.mark.parametrize(
    ("address", "binder"),
    [
        ("https://github.com/a/b", "https://mybinder.org/v2/gh/a/b/main?urlpath="),
        ("https://git.example.org/a/b", "v2/git/https%3A%2F%2Fgit.example.org%2Fa%2Fb/main?"),
    ],
)
def test_with_an_address_there_are_binder_and_colab(address, binder):
    found = links("q03_x", "en", "", address)
    assert binder in found["Binder"]
    assert found["Binder"].endswith("lab%2Ftree%2Fnotebooks%2Fen%2Fq03_x.ipynb")
    assert ("Colab" in found) is address.startswith("https://github.com/")


def test_jupyterlite_is_linked_where_it_was_built():
    assert links("q03_x", "en", "../lite", "")["JupyterLite"] == (
        "../lite/notebooks/index.html?path=q03_x.ipynb"
    )
    assert "JupyterLite" not in links("q03_x", "en", "", "")


def test_the_address_stands_in_pyproject(tmp_path):
    file = tmp_path / "pyproject.toml"
    assert repository(file) == ""
    file.write_text("[project]\nname = 'x'\n")
    assert repository(file) == ""
    file.write_text("[project]\nname = 'x'\n[project.urls]\nRepository = 'https://x.org/a/'\n")
    assert repository(file) == "https://x.org/a"


# ---- docstrings, contents, words ---------------------------------------------------------------


def test_docstrings_are_marked_as_in_rest():
    lines = ["Let $x_1$ be `a b`;", "see $y", "+ z$.", "", ">>> $x$ `y`", "`z`", "", "`w`s"]
    assert to_rst(lines) == [
        "Let :math:`x_1` be ``a b``;",
        "see :math:`y + z`.",
        "",
        ">>> $x$ `y`",
        "`z`",
        "",
        "``w``\\ s",
    ]


def test_a_docstrings_table_becomes_a_list_of_rows():
    lines = ["A:", "", "    | a | b |", "    |---|---|", "    | `c` | $d$ |", "", "End."]
    assert to_rst(lines) == [
        "A:",
        "",
        "    .. list-table::",
        "       :header-rows: 1",
        "",
        "       * - a",
        "         - b",
        "       * - ``c``",
        "         - :math:`d`",
        "",
        "",
        "End.",
    ]


def test_contents_follow_the_catalogue_and_leave_out_empty_sections():
    text = pages.contents(["index", "x1_a", "q21_b", "q03_c", "q01_d", "00_start", "api", "api_kl"])
    captions = re.findall(r":caption: (.+)", text)
    assert captions == [
        "Start here",
        "B.1 Objectives and estimators",
        "B.5 Evaluation",
        "Exercises",
        "Beside the questions",
    ]
    listed = [line for line in text.splitlines() if re.fullmatch(r"\w+", line)]
    assert listed == ["00_start", "q01_d", "q03_c", "q21_b", "x1_a", "api"]


def test_scripts_say_what_is_in_the_catalogue_and_no_more():
    script = "\n".join(path.read_text() for path in SCRIPTS)
    for key in WORDS:
        assert re.search(rf"\bwords\.{key}\b", script), f"no script says {key}"
    assert set(re.findall(r"\bwords\.(\w+)", script)) == set(WORDS)


def test_words_hold_each_question_that_has_a_page():
    text = words_js(ROOT / "notebooks" / "en")
    data = json.loads(text[text.index("{") : text.rindex("}") + 1])
    names = {path.name.partition("_")[0] for path in NOTEBOOKS} - {"00"}
    assert set(data["questions"]) == names
    assert all(len(q["points"]) in (0, 4) for q in data["questions"].values())


# ---- the built site ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(site):
    """Return every page of the site by name: its text, and its elements."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(site.glob("*.html"))}
    return {name: (text, Page(text)) for name, text in texts.items()}


def is_elsewhere(address):
    return bool(re.match(r"(?:[a-z][a-z+.-]*:)?//|https?:", address))


def test_every_notebook_has_a_page(built):
    assert {f"{path.stem}.html" for path in NOTEBOOKS} <= set(built)


def test_written_pages_and_made_ones_are_there(built):
    wanted = {"index", "01_this_site", "glossary", "gallery", "instructors", "api", "search"}
    assert {f"{name}.html" for name in wanted} <= set(built)
    assert {"api_kl.html", "api_figures.html", "api_evaluation.html"} <= set(built)


def test_nothing_is_open_before_the_reader_opens_it(built):
    for name, (_text, page) in built.items():
        inside = [d for d in page.all("details") if "arl-nav" not in d.get("class", "")]
        assert not [d for d in inside if "open" in d], name


def test_every_answer_file_stands_in_closed_parts(built):
    for path in (ROOT / "notebooks" / "en" / "answers").glob("*.md"):
        (name,) = (n for n in built if n.startswith(f"{path.stem}_"))
        references = built[name][1].all("details", class_="arl-reference")
        assert len(references) in (4, 8), name


def test_no_page_asks_for_anything_elsewhere(built, site):
    for name, (_text, page) in built.items():
        for tag, attributes in page.elements:
            asked = [attributes.get("src", ""), attributes.get("srcset", "")]
            asked += [attributes.get("href", "")] if tag in ("link", "use", "image") else []
            # A canonical or licence link is read by no browser; a stylesheet or icon is.
            assert not [a for a in asked if is_elsewhere(a)], (name, tag, attributes)
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        found = re.findall(r"(?:url\(|@import\s+)[\"']?([^\"')\s]+)", text)
        assert not [address for address in found if is_elsewhere(address)], path


def test_every_local_address_leads_somewhere(built, site):
    identifiers = {
        name: {a["id"] for _tag, a in page.elements if "id" in a}
        for name, (_text, page) in built.items()
    }
    for name, (_text, page) in built.items():
        for _tag, attributes in page.elements:
            for address in (attributes.get("href", ""), attributes.get("src", "")):
                target, _hash, anchor = address.partition("#")
                target = target.partition("?")[0]
                if re.match(r"[a-z]+:", address) or is_elsewhere(address):
                    continue
                assert not target or (site / target).exists(), (name, address)
                if anchor and (target or name) in identifiers:
                    assert anchor in identifiers[target or name], (name, address)


def test_no_link_leads_to_a_notebook_but_to_download_it(built):
    for name, (_text, page) in built.items():
        for attributes in page.all("a"):
            address = attributes.get("href", "")
            if ".ipynb" in address:
                assert address.startswith("_sources/"), (name, address)
                assert "download" in attributes


def test_no_link_leads_to_binder_or_colab_while_the_repository_has_no_address(built):
    if repository(ROOT / "pyproject.toml"):
        pytest.skip("the repository has an address")
    for name, (text, _page) in built.items():
        assert "mybinder.org" not in text, name
        assert "colab.research" not in text, name


def frames_of(text):
    data = re.findall(r'<script type="application/json">(\{.*?\})</script></figure>', text, re.S)
    return [json.loads(part) for part in data]


def test_every_explored_figure_moves(built):
    for path in NOTEBOOKS:
        stored = json.loads(path.read_text(encoding="utf-8"))
        wanted = [
            output["data"]["application/vnd.agentrl.figure+json"]["figure"]
            for stored_cell in stored["cells"]
            for output in stored_cell.get("outputs", [])
            if "application/vnd.agentrl.figure+json" in output.get("data", {})
        ]
        moving = frames_of(built[f"{path.stem}.html"][0])
        assert len(moving) == len(wanted), path.stem
        for figure_id, data in zip(wanted, moving, strict=True):
            figure = figures.get(figure_id)
            assert list(data["controls"]) == [one.name for one in figure.controls]
            for one in figure.controls:
                line = data["controls"][one.name]
                assert len(line) >= len(one.frames)
                # From where it starts, it moves: to another picture, and mostly to other words.
                assert len({data["frames"][index][0] for index, _text in line}) == len(line) > 1
            assert all(sentence for _file, sentence in data["frames"])


def test_every_live_view_is_a_picture_that_scrolls(built):
    for path in NOTEBOOKS:
        wanted = sum(LIVE in data for data in outputs(path))
        text, page = built[f"{path.stem}.html"]
        assert text.count("This is one stored run.") == wanted
        moving = len(frames_of(text))
        assert len(page.all(class_="arl-picture")) == moving + wanted


def test_every_check_of_a_number_can_be_answered_on_its_page(built):
    found = [
        form["data-check"]
        for _text, page in built.values()
        for form in page.all(class_="arl-check")
    ]
    asked = [
        match[1]
        for path in NOTEBOOKS
        for match in re.finditer(
            r'"\w+ = \.\.\.\\n",\s+"check\(\\"([\w-]+)\\"', path.read_text(encoding="utf-8")
        )
    ]
    assert len(asked) > 40
    assert sorted(found) == sorted(asked)


def test_every_figure_is_in_the_gallery_with_its_command(built):
    text, page = built["gallery.html"]
    there = {path.name.partition("_")[0] for path in NOTEBOOKS}
    for figure in figures.all_figures():
        if figure.question in there:
            assert f"agentrl-lite figures --only {figure.id}<" in text
    assert all(image["alt"] for image in page.all("img", loading="lazy"))


def test_every_picture_has_words(built):
    for name, (_text, page) in built.items():
        assert all(image.get("alt", "").strip() for image in page.all("img")), name


def test_a_page_weighs_at_most_two_megabytes_beyond_what_all_share(built, site):
    for name, (text, page) in built.items():
        files = {image["src"].partition("?")[0] for image in page.all("img")}
        files |= {file for data in frames_of(text) for file, _sentence in data["frames"]}
        own = [file for file in files if not file.startswith(("_static/", "data:"))]
        weight = len(text.encode()) + sum((site / file).stat().st_size for file in own)
        assert weight <= HEAVIEST_BYTES, (name, weight)


def test_no_picture_is_left_that_no_page_shows(built, site):
    shown = set()
    for text, page in built.values():
        shown |= {image["src"] for image in page.all("img")}
        shown |= {file for data in frames_of(text) for file, _sentence in data["frames"]}
    stored = {f"_figures/{path.name}" for path in (site / "_figures").iterdir()}
    assert stored == {file for file in shown if file.startswith("_figures/")}


def test_every_page_with_formulas_loads_what_draws_them(built):
    for name, (text, _page) in built.items():
        if 'class="math' in text:
            assert "_static/mathjax/tex-svg.js" in text, name


def test_pages_have_neighbours_landmarks_and_a_language(built):
    for path in NOTEBOOKS:
        _text, page = built[f"{path.stem}.html"]
        assert page.all("html")[0]["lang"] == "en"
        assert page.all("main")
        assert page.all("nav")
        assert page.all("a", class_="right-next"), path.stem
        assert page.all("a", class_="left-prev"), path.stem


def test_no_identifier_stands_twice_on_a_page(built):
    for name, (_text, page) in built.items():
        found = [
            a["id"] for _tag, a in page.elements if a.get("id", "").startswith(("card", "fig"))
        ]
        assert len(found) == len(set(found)), name


def test_the_downloaded_notebook_is_the_stored_one(site):
    for path in NOTEBOOKS:
        assert (site / "_sources" / path.name).read_bytes() == path.read_bytes()
