# Two commands are all a reader needs: `make lab` and `make test`. Each makes what it needs, from nothing.
#
# Settings, for example `make lab PYTHON=python3.12 LAB_ARGS="--port=9000"`:
PYTHON ?= python3
VENV ?= .venv
MY ?= my
LAB_ARGS ?=
PYTEST_ARGS ?=
SWEEPS_ARGS ?=
FIGURES ?= book/figures
FIGURES_ARGS ?=
EDITIONS ?= build/editions
BOOK ?= build/book
JOBS ?= 2
# A folder with all of Pyodide, for `make lite`; none, and readers' browsers get it by themselves.
PYODIDE_DIR ?=

# What nbgrader needs beside the test tools. It lies apart: nobody's JupyterLab shows its extension.
NBGRADER_NEEDS := nbgrader alembic mako notebook rapidfuzz setuptools

# Relative paths only: the project's own folder may have spaces in its name.
PY := $(VENV)/bin/python
CLI := $(PY) -m agentrl_lite.cli
PIP := $(PY) -m pip --disable-pip-version-check install -qq --no-input
# As root pip warns about damage to the system's Python; this one is our own.
export PIP_ROOT_USER_ACTION := ignore

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help lab edit test check notebooks figures sweeps book lite editions slides messages pyodide-versions clean

help:
	@echo "make lab        open the notebooks (your own copy, in $(MY)/) in JupyterLab"
	@echo "make test       run every check: style, types, tests, notebooks, browser"
	@echo "make edit       open notebooks/ itself in JupyterLab, for contributors"
	@echo "make notebooks  run every notebook again and store its outputs"
	@echo "make figures    write the print figures to $(FIGURES)/"
	@echo "make sweeps     train every experiment over sixteen seeds and store the figures (ten minutes)"
	@echo "make book       write the web site to $(BOOK)/en/; open its index.html"
	@echo "make lite       write the site whose notebooks run in the browser to $(BOOK)/lite/ (serve $(BOOK)/)"
	@echo "make editions   write the student and the instructor edition, and the package, to $(EDITIONS)/"
	@echo "make slides     write slides of every question to $(EDITIONS)/slides/; open its index.html"
	@echo "make messages   collect the strings to translate"
	@echo "make clean      remove $(VENV)/, build/ and caches; never $(MY)/ or your answers"

# ---- environment -------------------------------------------------------------------------------

# The file `.made` and not bin/python says that the environment is whole: a run that was interrupted,
# or that lacked ensurepip, leaves a bin/python behind.
$(VENV)/.made:
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
	  echo "There is no '$(PYTHON)' here. Install Python 3.11 or newer, or name it: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; v = ".".join(map(str, sys.version_info[:2])); sys.exit("Python 3.11 or newer is needed; $(PYTHON) is " + v + ". Name another: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	@echo "Making the environment in $(VENV) ..."
	@"$(PYTHON)" -m venv --clear "$(VENV)"
	@touch $@

# The test environment holds the reader's: one install serves both.
$(VENV)/.lab: $(VENV)/.made pyproject.toml constraints.txt
	@echo "Installing the package and JupyterLab (a minute or two, once) ..."
	@$(PIP) --constraint constraints.txt --editable '.[lab]'
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml constraints.txt
	@echo "Installing the package, JupyterLab and the test tools (a minute or two, once) ..."
	@$(PIP) --constraint constraints.txt --editable '.[lab,test,book,lite]'
	@rm -rf "$(VENV)/nbgrader"
	@$(PIP) --constraint constraints.txt --no-deps --target "$(VENV)/nbgrader" $(NBGRADER_NEEDS)
	@touch $(VENV)/.lab $@

# ---- reading and writing -----------------------------------------------------------------------

lab: $(VENV)/.lab
	@$(CLI) workcopy --copy "$(MY)"
	@$(PY) -m jupyterlab --config=jupyter_lab_config.py --ServerApp.root_dir="$(MY)" $(LAB_ARGS)

edit: $(VENV)/.test
	@$(PY) -m jupyterlab --config=jupyter_lab_config.py --ServerApp.root_dir=notebooks/en $(LAB_ARGS)

notebooks: $(VENV)/.test
	@$(CLI) notebooks

figures: $(VENV)/.lab
	@$(CLI) figures --out "$(FIGURES)" $(FIGURES_ARGS)

sweeps: $(VENV)/.test
	@$(CLI) sweeps --jobs "$(JOBS)" $(SWEEPS_ARGS)

book: $(VENV)/.test
	@$(CLI) book --out "$(BOOK)" --jobs "$(JOBS)"

# With PYODIDE_DIR the site asks for nothing from elsewhere. A book that is there gets its links.
lite: $(VENV)/.test
	@$(CLI) lite --out "$(BOOK)/lite" $(if $(PYODIDE_DIR),--pyodide "$(PYODIDE_DIR)")
	@if [ -f "$(BOOK)/en/index.html" ]; then $(CLI) book --out "$(BOOK)" --jobs "$(JOBS)"; fi

editions: $(VENV)/.test
	@$(CLI) edition student --out "$(EDITIONS)/student" --force
	@$(CLI) edition instructor --out "$(EDITIONS)/instructor" --force
	@$(PY) -m pip --disable-pip-version-check wheel -qq --no-deps --wheel-dir "$(EDITIONS)" .

slides: $(VENV)/.test
	@$(CLI) edition slides --out "$(EDITIONS)/slides" --force

messages: $(VENV)/.test
	@$(PY) tests/message_catalogue.py

# ---- checking ----------------------------------------------------------------------------------

test: check
	@$(PY) -m pytest -n $(JOBS) --dist loadfile $(PYTEST_ARGS)

check: $(VENV)/.test
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy

# Not part of `test`: it makes an environment of its own, with Python 3.12 where there is one.
pyodide-versions: $(VENV)/.made
	@$(PY) tests/pyodide_versions.py $(PYTEST_ARGS)

clean:
	rm -rf "$(VENV)" build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find agentrl_lite tests -name __pycache__ -type d -prune -exec rm -rf {} +
