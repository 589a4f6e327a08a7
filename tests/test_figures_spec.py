"""Controls and figures refuse what contradicts itself, and the registry finds what there is."""

import dataclasses

import pytest

from agentrl_lite import figures
from agentrl_lite.figures import Control, Figure

CONTROL = Control(
    name="p",
    symbol="p",
    label="Pass rate",
    minimum=0.0,
    maximum=1.0,
    step=0.05,
    default=0.1,
    frames=(0.1, 0.5),
)
BUDGET = Control(
    name="B",
    symbol="B",
    label="Budget",
    minimum=64,
    maximum=1024,
    step=2,
    default=512,
    frames=(128, 512),
    log=True,
    integer=True,
)
SIGN = Control(
    name="s",
    symbol="s",
    label="Side",
    minimum=-1,
    maximum=1,
    step=1,
    default=0,
    frames=(0,),
    integer=True,
)
FIGURE = Figure(
    id="q03-test",
    number="B.3",
    columns=1,
    controls=(CONTROL, BUDGET),
    caption="A caption.",
    alt="A picture.",
    backdrop=lambda fig: fig.add_subplot(),
    draw=lambda axes, **values: None,
    summary=lambda *, p, B: f"p is {p}, B is {B}.",
)


@pytest.mark.parametrize(
    ("symbol", "label", "mark"),
    [
        ("cap", "Cap, tokens", ""),
        ("std", "Divided by std", ""),
        ("ddof", "Subtracted", "ddof"),
        ("b", "Only B solved", "b"),
        ("arm", "Charm", "arm"),
    ],
)
def test_a_symbol_that_the_label_says_does_not_stand_beside_it(symbol, label, mark):
    assert dataclasses.replace(CONTROL, symbol=symbol, label=label).mark == mark


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "two words"}, "name must be a Python keyword name; it was 'two words'"),
        ({"symbol": " "}, "symbol of control 'p' must not be empty"),
        ({"label": ""}, "label of control 'p' must not be empty"),
        ({"minimum": 1.0}, "minimum of control 'p' must be below maximum 1"),
        ({"step": 0.0}, "step of control 'p' must be above 0"),
        ({"step": 0.3}, "maximum of control 'p' must be reachable from 0 by steps"),
        ({"default": 0.12}, "default of control 'p' must be reachable"),
        ({"default": 1.05}, r"default of control 'p' must lie in \[0, 1\]; it was 1.05"),
        ({"frames": (0.5, 0.1)}, "frames of control 'p' must ascend"),
        ({"frames": (0.1, 0.1)}, "frames of control 'p' must ascend"),
        ({"frames": (0.5,)}, "frames of control 'p' must hold the default 0.1"),
        ({"frames": (0.1, 1.5)}, "frames of control 'p' must lie in"),
        ({"integer": True}, "step of control 'p' must go from integer to integer"),
        ({"log": True}, "minimum of control 'p' must be above 0 for a log control"),
    ],
)
def test_a_control_refuses_fields_that_contradict(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(CONTROL, **change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"step": 1}, "step of control 'B' must be above 1"),
        ({"maximum": 1000}, "maximum of control 'B' must be reachable from 64 by steps"),
        ({"default": 500}, "default of control 'B' must be reachable"),
    ],
)
def test_a_log_control_steps_by_factors(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(BUDGET, **change)


@pytest.mark.parametrize("control", [CONTROL, BUDGET])
def test_steps_lead_from_end_to_end_and_back(control):
    last = round(control.steps(control.maximum))
    values = [control.at(place) for place in range(last + 1)]
    assert (values[0], values[-1]) == (control.minimum, control.maximum)
    assert [round(control.steps(value), 6) for value in values] == list(range(last + 1))
    assert control.steps(control.default) == pytest.approx(values.index(control.default))


def test_names_stand_for_numbers_where_they_are_read_and_not_where_they_are_checked():
    named = dataclasses.replace(SIGN, names=("below", "level", "above"))
    assert [named.text(value) for value in (-1, 0, 1)] == ["below", "level", "above"]
    assert SIGN.text(-1) == named.digits(-1) == "-1"
    with pytest.raises(ValueError, match="s must lie between -1 and 1; it was 2"):
        named.check(2)


@pytest.mark.parametrize("names", [("below",), ("a", "b", "c", "d")])
def test_a_control_has_a_name_for_each_number_or_none(names):
    with pytest.raises(ValueError, match="names of control 's' must name each of its 3 whole"):
        dataclasses.replace(SIGN, names=names)
    with pytest.raises(ValueError, match="names of control 'p' must name"):
        dataclasses.replace(CONTROL, names=("x",) * 21)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "Q03"}, "id must look like 'q03-degenerate'; it was 'Q03'"),
        ({"id": "q03-"}, "id must look like"),
        ({"number": "3"}, "number of q03-test must look like 'B.3' or 'B.3a'; it was '3'"),
        ({"number": "B.X"}, "number of q03-test must look like"),
        ({"number": "B.1X"}, "number of q03-test must look like"),
        ({"columns": 3}, "columns of q03-test must be 1 or 2; it was 3"),
        ({"controls": (CONTROL, CONTROL)}, "controls of q03-test must have distinct names"),
        ({"caption": " "}, "caption of q03-test must not be empty"),
        ({"alt": ""}, "alt of q03-test must not be empty"),
    ],
)
def test_a_figure_refuses_malformed_fields(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(FIGURE, **change)


@pytest.mark.parametrize("number", ["B.3", "B.21a", "B.X1", "B.X1a"])
def test_questions_and_exercises_number_their_figures(number):
    assert dataclasses.replace(FIGURE, number=number).number == number


def test_values_are_completed_by_defaults_and_typed():
    values = FIGURE.values({"B": 700.0})
    assert values == {"p": 0.1, "B": 700}
    assert isinstance(values["B"], int)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"p": 1.2}, ValueError, "p must lie between 0.00 and 1.00; it was 1.2"),
        ({"p": float("nan")}, ValueError, "p must lie between 0.00 and 1.00; it was nan"),
        ({"B": float("inf")}, ValueError, "B must lie between 64 and 1024; it was inf"),
        ({"B": 64.5}, ValueError, "B must be a whole number; it was 64.5"),
        ({"q": 1}, ValueError, "a control of q03-test must be one of p, B; it was 'q'"),
        ({"p": "0.5"}, TypeError, "p must be a number; it was '0.5'"),
        ({"p": True}, TypeError, "p must be a number; it was True"),
    ],
)
def test_values_refuse_what_is_out_of_range(given, error, message):
    with pytest.raises(error, match=message):
        FIGURE.values(given)


def test_corners_and_frames_are_every_combination():
    corners = list(FIGURE.corners())
    assert corners == [{"p": p, "B": B} for p in (0.0, 1.0) for B in (64, 1024)]
    assert {"p": 0.1, "B": 128} in list(FIGURE.frames())
    assert len(list(FIGURE.frames())) == 4


def test_text_has_the_digits_of_the_step_or_of_the_value():
    assert [CONTROL.text(x) for x in (0.1, 0.125, 1.0)] == ["0.10", "0.125", "1.00"]
    assert [BUDGET.text(x) for x in (64, 1024)] == ["64", "1024"]


def test_alt_text_says_what_is_shown_and_what_it_says_now():
    assert FIGURE.alt_text({"p": 0.5, "B": 64}) == "A picture. p is 0.5, B is 64."


def test_the_registry_finds_figures_by_id_and_question():
    assert figures.get("q03-degenerate").question == "q03"
    assert set(figures.ids("q03")) <= set(figures.ids())
    assert figures.ids("q99") == ()
    assert [f.id for f in figures.select(["q03-step"])] == ["q03-step"]
    assert [f.id for f in figures.select(["q03", "q03-step"])] == list(figures.ids("q03"))
    assert figures.select() == figures.all_figures()


@pytest.mark.parametrize("name", ["q03-nothing", "q99-degenerate", "", "q03"])
def test_an_unknown_figure_is_answered_with_the_known_ones(name):
    with pytest.raises(ValueError, match=r"one of .*q03-degenerate, q03-step.*; it was"):
        figures.get(name)


def test_an_unknown_selection_is_answered_with_the_known_names():
    with pytest.raises(ValueError, match=r"named by .*q03, q03-degenerate.*; there was q77"):
        figures.select(["q03", "q77"])


def test_every_figure_has_a_number_of_its_own():
    numbers = [figure.number for figure in figures.all_figures()]
    assert len(set(numbers)) == len(numbers) > 0
