"""What the print tests share: programs that a machine may lack, and the words of a figure."""

import os
import re
import shutil
import subprocess

import pytest


def tool(name, package):
    """Return the path of a program, or skip the test that wants it; under CI, fail it.

    `package` is what to install.
    """
    path = shutil.which(name)
    if path is None:
        reason = f"no {name}: install {package}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return path


def run(*command):
    """Run a program and return what it says."""
    done = subprocess.run([str(part) for part in command], check=True, capture_output=True)
    return done.stdout.decode("utf-8")


def signs(text):
    """Return the signs of a text but its spaces, sorted: viewers order and space it each their way.

    Of mathematics, `$10^{-3}$`, they are those that are set.
    """
    text = re.sub(r"\$([^$]*)\$", lambda maths: _set(maths[1]), text)
    return sorted(re.sub(r"\s", "", text))


def _set(maths):
    return re.sub(r"\\[a-z]+|[{}^_]", "", maths).replace("-", "\N{MINUS SIGN}")
