"""What every test shares: an empty reader's store, and the rule for tests that need a browser."""

import os
import shutil

import pytest
from hypothesis import settings

# How long an example takes says something of the machine, not of the code.
settings.register_profile("unhurried", parent=settings(), deadline=None)
settings.load_profile("unhurried")

# pytest looks for doctests in every module: importing this one would shut its own network off.
collect_ignore = ["offline"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(autouse=True)
def reader_dir(tmp_path, monkeypatch):
    """Keep every test away from the store of whoever runs it."""
    folder = tmp_path / "agentrl-reader"
    monkeypatch.setenv("AGENTRL_READER_DIR", str(folder))
    return folder


def pytest_configure(config):
    config.addinivalue_line("markers", "browser: needs Chromium or Chrome")


def pytest_collection_modifyitems(items):
    if browser_path or os.environ.get("CI") == "true":
        return  # under CI they run, and fail for want of a browser: see `browser_executable`
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason=f"no browser: none of {', '.join(BROWSERS)}"))


@pytest.fixture(scope="session")
def browser_executable():
    """Return the browser's path."""
    if browser_path is None:
        pytest.fail(f"no browser: none of {', '.join(BROWSERS)} is installed", pytrace=False)
    return browser_path


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, heading in (
        ("no browser", "browser tests NOT run: install Chromium to run them"),
        (": install ", "tests of print NOT run: each says what to install"),
    ):
        reports = [report for report in skipped if reason in str(report.longrepr)]
        if reports:
            terminalreporter.section(heading, yellow=True)
        for report in reports:
            why = "" if reason == "no browser" else f" ({report.longrepr[2]})"
            terminalreporter.line(f"{report.nodeid}{why}")
