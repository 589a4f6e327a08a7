"""The ledger and the exercises: numbers by a second way, checkers against planted answers."""

from __future__ import annotations

import csv
import importlib
import io
import json
import re
from fractions import Fraction
from pkgutil import iter_modules

import numpy as np
import oracles
import pytest
import sympy

from agentrl_lite.appendix import blocks, catalog
from agentrl_lite.appendix.exercises import (
    STATUS_WORDS,
    check_ids,
    judge,
    prediction,
    predictions,
)
from agentrl_lite.appendix.ledger import FORMATS, Number, disagreements, numbers, render


def gathered(table):
    """Join one table of every module in tests/oracles."""
    modules = (importlib.import_module(f"oracles.{m.name}") for m in iter_modules(oracles.__path__))
    return {key: value for module in modules for key, value in getattr(module, table).items()}


# A number once more, by a way that shares no function with the package; right answers, by other
# means; typical wrong values, each with a word of the hint that fits just it.
SECOND_WAY, RIGHT, WRONG = (gathered(name) for name in ("SECOND_WAY", "RIGHT", "WRONG"))


def test_every_number_has_a_second_way_and_no_other_has():
    assert {entry.id for entry in numbers()} == set(SECOND_WAY)


@pytest.mark.parametrize("entry", numbers(), ids=lambda entry: entry.id)
def test_the_second_way_agrees(entry):
    assert entry.value == pytest.approx(float(SECOND_WAY[entry.id]()), rel=1e-12)


def test_every_printed_digit_agrees():
    assert disagreements(numbers()) == []


def test_a_digit_that_is_off_is_reported():
    entry = Number("q03-off", "given", lambda: 0.6561, "0.657")
    assert disagreements([entry]) == ["q03-off: printed 0.657, computed 0.656 (0.6561)"]


@pytest.mark.parametrize(
    ("value", "printed", "quantum", "rounded"),
    [
        (0.6561, "0.656", None, "0.656"),
        (0.43046721, "0.430", None, "0.430"),
        (2335.1, "2,300", "100", "2,300"),
        (9830.4, "9,830", "10", "9,830"),
        (2.359296e18, "2.36e18", None, "2.36e18"),
        (512, "512", None, "512"),
        (-0.3780, "-0.378", None, "-0.378"),
        (9.9996e17, "1.00e18", None, "1.00e18"),
    ],
)
def test_rounding_takes_the_printed_form(value, printed, quantum, rounded):
    entry = Number("q03-form", "given", lambda: value, printed, quantum=quantum)
    assert entry.rounded == rounded
    assert entry.agrees


@pytest.mark.parametrize(
    ("change", "named"),
    [({"id": "03-x"}, "id must look like"), ({"printed": "about 5"}, "printed of q03-a"),
     ({"printed": "nan"}, "printed of q03-a"), ({"quantum": "ten"}, "quantum of q03-a")],
)  # fmt: skip
def test_an_entry_that_cannot_be_compared_is_refused(change, named):
    fields = {"id": "q03-a", "how": "given", "compute": lambda: 1.0, "printed": "1"}
    with pytest.raises(ValueError, match=named):
        Number(**(fields | change))


def test_json_and_csv_hold_the_same_rows():
    entries = numbers("q03")
    from_json = json.loads(render(entries, "json"))
    from_csv = list(csv.DictReader(io.StringIO(render(entries, "csv"))))
    assert len(from_json) == len(from_csv) == len(entries)
    for one, other in zip(from_json, from_csv, strict=True):
        assert {key: str(value) for key, value in one.items()} == other


def test_tex_defines_each_number_once_and_balances_its_braces():
    text = render([*numbers("q03"), Number("q03-big", "given", lambda: 2.36e18, "2.36e18")], "tex")
    names = re.findall(r"\\expandafter\\def\\csname appendix:(\S+?)\\endcsname", text)
    assert names == [*(entry.id for entry in numbers("q03")), "q03-big"]
    assert text.count("{") == text.count("}")
    assert r"\ensuremath{2.36\times 10^{18}}" in text


def test_the_table_is_aligned_and_names_every_entry():
    lines = render(numbers(), "table").splitlines()
    column = lines[0].index("rounded")
    for line, entry in zip(lines[1:], numbers(), strict=True):
        assert line[:column].strip() == entry.id
        assert line[column:].startswith(entry.rounded)


@pytest.mark.parametrize("fmt", FORMATS)
def test_two_renderings_are_the_same(fmt):
    assert render(numbers(), fmt) == render(numbers(), fmt)


def test_unknown_names_are_answered_with_the_known():
    with pytest.raises(ValueError, match=r"question must be one of .*q03.*; it was 'q99'"):
        numbers("q99")
    with pytest.raises(ValueError, match="format must be one of table, json, csv, tex"):
        render(numbers(), "xml")
    with pytest.raises(ValueError, match=r"check id must be one of .*q03-smallest-G"):
        judge("q03-nothing", 1)
    with pytest.raises(ValueError, match=r"prediction id must be one of .*q03-share"):
        prediction("q03-nothing")
    with pytest.raises(ValueError, match="question must be one of q01"):
        catalog.question("q31")


def test_every_check_is_tried():
    assert set(RIGHT) == set(WRONG) == set(check_ids())


@pytest.mark.parametrize("check_id", check_ids())
def test_the_right_answer_is_accepted_in_every_number_type(check_id):
    answer = RIGHT[check_id]()
    types = [float, np.float64, np.array, sympy.Float]
    if isinstance(answer, int):
        types += [int, np.int64, sympy.Integer, Fraction]
    for kind in types:
        assert judge(check_id, kind(answer)).status == "right", kind


@pytest.mark.parametrize("check_id", check_ids())
def test_typical_wrong_answers_get_the_hint_that_fits(check_id):
    for answer, word in WRONG[check_id].items():
        verdict = judge(check_id, answer)
        assert verdict.status == "wrong"
        assert word in verdict.message


@pytest.mark.parametrize("check_id", check_ids())
@pytest.mark.parametrize("factor", [0.5, 0.9, 1.1, 3])
def test_other_numbers_are_wrong_and_not_told_the_truth(check_id, factor):
    truth = RIGHT[check_id]()
    answer = round(truth * factor) if isinstance(truth, int) else truth * factor
    if answer == truth:  # a small whole number rounds back to itself: take its neighbour
        answer += 1 if factor > 1 else -1
    if truth < 1:
        answer = min(answer, 1.0)
    verdict = judge(check_id, answer)
    assert verdict.status == "wrong"
    for shown in {f"{truth:g}", f"{truth:.0f}", f"{truth:.3f}"}:
        assert not re.search(rf"(?<![\d.]){re.escape(shown)}(?![\d])", verdict.message)


@pytest.mark.parametrize("check_id", check_ids())
def test_no_answer_and_no_number_are_told_apart(check_id):
    for nothing in (None, ...):
        assert judge(check_id, nothing).status == "unanswered"
    for odd in (
        "7",
        True,
        [7],
        np.array([7]),
        float("nan"),
        float("inf"),
        10**400,
        7j,
        {},
        sympy.Symbol("G"),
        sympy.Symbol("G", real=True) / 2,
        sympy.sqrt(-7),
        sympy.nan,
        sympy.oo,
        sympy.true,
    ):
        verdict = judge(check_id, odd)
        assert verdict.status == "type"
        assert repr(odd)[:20] in verdict.message


def test_an_exact_answer_of_sympy_is_a_number():
    assert judge("q04-lone-sample", 31 / sympy.sqrt(32)).status == "right"
    assert "population deviation" in judge("q04-lone-sample", sympy.sqrt(31)).message
    assert judge("q03-smallest-G", sympy.sqrt(40)).status == "type"


def test_a_broken_number_is_no_group_size():
    assert judge("q03-smallest-G", 6.5).message == (
        "This answer must be a whole number; it was 6.5."
    )


@pytest.mark.parametrize("answer", [(22, 0), "22,0"])
def test_a_comma_before_decimals_is_told_of(answer):
    message = judge("q03-smallest-G", answer).message
    assert message.endswith(f"it was {answer!r}. Write a point before decimals.")
    assert "point" not in judge("q03-smallest-G", "seven").message


def test_a_share_in_percent_is_noticed():
    assert "percent" in judge("q03-two-pools", 50.9).message


def test_a_verdict_is_the_same_each_time():
    for check_id, wrong in WRONG.items():
        for answer in wrong:
            assert judge(check_id, answer) == judge(check_id, answer)


def test_predictions_can_be_committed_and_are_true():
    share = prediction("q03-share")
    assert share.truth() == pytest.approx(65.62)
    for p in predictions():
        assert p.minimum <= p.truth() <= p.maximum
    assert predictions("q03") == (share,)
    assert predictions("q99") == ()


def test_every_status_has_a_word():
    assert set(STATUS_WORDS) == {"right", "wrong", "unanswered", "type"}


def test_the_catalogue_is_whole():
    labels = [q.label for q in catalog.QUESTIONS]
    assert labels == [f"Q{n}" for n in range(1, 31)] + [f"X{n}" for n in range(1, 7)]
    assert {q.section for q in catalog.QUESTIONS} == set(catalog.SECTIONS)
    assert {m for q in catalog.QUESTIONS for m in q.mechanisms} == set(catalog.MECHANISMS)
    assert len({q.title for q in catalog.QUESTIONS}) == 36


def test_blocks_belong_to_questions_of_the_catalogue():
    known = {q.id for q in catalog.QUESTIONS}
    for block in blocks():
        name = block.__name__.rpartition(".")[2]
        assert name in known
        for entry in (*block.NUMBERS, *block.CHECKS, *block.PREDICTIONS):
            assert entry.id.startswith(f"{name}-")


def test_whole_batches_pay_more_than_single_refills():
    q03 = importlib.import_module("agentrl_lite.appendix.q03")
    for p, G in ((0.1, 8), (0.3, 8), (0.5, 4)):
        differs = 1 - p**G - (1 - p) ** G
        assert q03.whole_batch_episodes(p, G, 64) > 64 * G / differs
