"""Each check lets its range pass, edges included, and names what it refuses."""

import re

import numpy as np
import pytest

from agentrl_lite import checked
from agentrl_lite.rules import Rules
from agentrl_lite.run_config import Config


@pytest.mark.parametrize("value", [1, 8, np.int64(1), np.uint8(200)])
def test_one_whole_number_of_any_type_comes_back_as_an_int(value):
    assert type(checked.whole("G", value, 1)) is int
    assert checked.whole("G", value, 1) == value


@pytest.mark.parametrize("value", [0, -1, True, 1.0, np.float64(2), "3", None, float("nan"), [1]])
def test_anything_else_is_named(value):
    message = re.escape(f"G must be a whole number from 1; it was {value!r}")
    with pytest.raises(ValueError, match=f"^{message}$"):
        checked.whole("G", value, 1)


def test_counts_may_be_floats_without_a_fraction():
    found = checked.counts("n", [0, 3.0, 2.0**53 - 1])
    assert (found.dtype, found.tolist()) == (np.int64, [0, 3, 2**53 - 1])


@pytest.mark.parametrize(
    "given", [[1, -1], [0.5], [np.nan], [np.inf], [2.0**53], "3", [True], None]
)
def test_counts_that_are_none_are_named(given):
    with pytest.raises(ValueError, match=r"^n must be a whole number from 0; it was "):
        checked.counts("n", given)


def test_counts_have_their_least():
    assert checked.counts("n", [2, 3], 2).tolist() == [2, 3]
    with pytest.raises(ValueError, match="from 2; it was 1"):
        checked.counts("n", 1, 2)


@pytest.mark.parametrize("value", [0, 0.3, 1, np.float64(0.5)])
def test_a_chance_passes(value):
    assert checked.chance("q", value) == value
    assert checked.chances("q", [value]).tolist() == [value]


@pytest.mark.parametrize("value", [-1e-9, 1 + 1e-9, float("nan"), float("inf")])
def test_no_chance_is_named(value):
    for check in (checked.chance, checked.chances):
        with pytest.raises(ValueError, match=f"^q must lie between 0 and 1; it was {value!r}$"):
            check("q", value)


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, float("nan")])
def test_a_chance_may_have_to_leave_both_open(value):
    with pytest.raises(
        ValueError, match=f"^q must lie strictly between 0 and 1; it was {value!r}$"
    ):
        checked.chance("q", value, strictly=True)
    assert checked.chance("q", 1e-12, strictly=True) == 1e-12


@pytest.mark.parametrize("value", [1, 1.0, 1e300])
def test_a_number_from_a_least_one(value):
    assert checked.at_least("n", value, 1) == value


@pytest.mark.parametrize("value", [1 - 1e-9, float("nan"), float("inf"), -float("inf")])
def test_a_number_below_its_least_is_named(value):
    with pytest.raises(ValueError, match=f"^n must be finite and at least 1; it was {value!r}$"):
        checked.at_least("n", value, 1)


@pytest.mark.parametrize("value", [0, 0.0, -1, float("nan"), float("inf")])
def test_a_number_that_is_not_above_is_named(value):
    with pytest.raises(ValueError, match=f"^a must be finite and above 0; it was {value!r}$"):
        checked.above("a", value)
    assert checked.above("a", 1e-300) == 1e-300


def test_an_option_is_one_of_those_named():
    checked.option("mode", "sum", ("mean", "sum"))
    with pytest.raises(ValueError, match=r"^mode must be one of mean, sum; it was 'max'$"):
        checked.option("mode", "max", ("mean", "sum"))


def test_more_passes_than_samples_are_named():
    n, c = checked.samples([2, 3], 2)
    assert (n.tolist(), c.tolist()) == ([2, 3], [2, 2])
    with pytest.raises(
        ValueError, match=r"^passes must be at most n; they were passes = 3, n = 2$"
    ):
        checked.samples(2, 3, "passes")


def test_options_that_are_written_to_files_become_ints():
    config = Config(steps=np.int64(3), rules=Rules(max_tokens=np.int32(20), max_turns=np.int16(2)))
    assert config == Config(steps=3, rules=Rules(max_tokens=20, max_turns=2))
    assert {type(config.steps), type(config.rules.max_tokens), type(config.rules.max_turns)} == {
        int
    }
