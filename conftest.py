"""Makes a notebook a test: `pytest notebooks/en/q03_*.ipynb` works."""

pytest_plugins = ["tests.notebook_cells"]
