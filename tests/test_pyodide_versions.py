"""Which tests run under the browser's versions, and with which interpreter."""

from __future__ import annotations

import sys

import pyodide_versions
import pytest
from packaging.requirements import Requirement

from tests.test_environment import declared


def test_what_calculates_or_draws_is_chosen():
    chosen = {path.stem for path in pyodide_versions.chosen_tests()}
    assert {"test_trainer", "test_losses", "test_figures", "test_bugfix_sandbox"} <= chosen
    assert {"test_rollout", "test_entropy", "test_appendix", "test_evaluation"} <= chosen
    assert {"test_reader", "test_reader_merge"} <= chosen
    assert not {"test_card", "test_cli", "test_notebooks", "test_gym_env"} & chosen
    modules = {path.stem for path in pyodide_versions.chosen_modules()}
    assert {"kl", "outcomes", "marks"} <= modules
    assert not {"card", "answers"} & modules


def test_its_versions_are_within_the_packages_bounds():
    bounds = {requirement.name: requirement.specifier for requirement in declared()}
    pins = [Requirement(line) for line in pyodide_versions.REQUIREMENTS]
    for pin in (pin for pin in pins if str(pin.specifier).startswith("==")):
        version = str(pin.specifier).removeprefix("==")
        assert version in bounds[pin.name]
        assert str(bounds[pin.name]).removeprefix(">=") == ".".join(version.split(".")[:2])


@pytest.fixture
def there(monkeypatch, tmp_path):
    """Say which interpreters there are, and of which version."""
    versions = {}
    monkeypatch.setattr(pyodide_versions, "version", versions.get)
    monkeypatch.setattr(pyodide_versions.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.delenv("PYTHON312", raising=False)
    return versions


def test_a_python_that_is_named_comes_first(there, monkeypatch):
    there |= {"/bin/python3.12": (3, 12), "/mine": (3, 12), "/old": (3, 11)}
    assert pyodide_versions.find_python() == "/bin/python3.12"
    monkeypatch.setenv("PYTHON312", "/mine")
    assert pyodide_versions.find_python() == "/mine"
    monkeypatch.setenv("PYTHON312", "/old")
    assert pyodide_versions.find_python() == "/bin/python3.12"


def test_pyenvs_are_found(there, tmp_path):
    python = tmp_path / "versions" / "3.12.9" / "bin" / "python3.12"
    python.parent.mkdir(parents=True)
    python.touch()
    there[str(python)] = (3, 12)
    assert pyodide_versions.find_python() == str(python)


def test_without_one_the_scripts_own_serves_if_numpy_goes_with_it(there, monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 11, 7, "final", 0))
    assert pyodide_versions.find_python() == sys.executable
    monkeypatch.setattr(sys, "version_info", (3, 13, 0, "final", 0))
    assert pyodide_versions.find_python() is None
    assert pyodide_versions.main() == 3
    assert "No Python 3.12 was found" in capsys.readouterr().out


def test_a_version_is_asked_for(tmp_path):
    assert pyodide_versions.version(sys.executable) == sys.version_info[:2]
    assert pyodide_versions.version(str(tmp_path / "none")) is None
    assert pyodide_versions.version("false") is None
