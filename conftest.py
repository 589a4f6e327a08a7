"""Makes a notebook a test: `pytest notebooks/en/q03_*.ipynb` works."""

from importlib.util import find_spec

pytest_plugins = ["tests.built", "tests.notebook_cells"]

# Doctests are looked for in every module, and two modules cannot both be called `conftest`.
collect_ignore_glob = ["*conftest.py"]
# A module of an extra that is not installed; its own tests are skipped by name.
collect_ignore = [] if find_spec("gymnasium") else ["agentrl_lite/gym_env.py"]
