# Everything a fresh machine needs, and nothing outside this folder: `make play`, `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := HATCH_BUILD_NO_HOOKS=true $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALLED := $(VENV)/.installed
TOOLS := $(VENV)/.tools
# Neighbours stay together, which share kernels and fixtures; who is done takes from who is not.
PYTEST := $(BIN)/pytest -n auto --dist worksteal
# What the tests of training want, if they are to run: a build of PyTorch that suits the machine.
TORCH ?=

.PHONY: help setup frontend play console test check frontend-test bench clean

help:
	@echo "make play      the board in the browser; ARGS='--port 8000' passes options on"
	@echo "make console   a game in the terminal"
	@echo "make test      all checks and tests"
	@echo "make check     lint, format, types, layers of the Python source"
	@echo "make bench     speed of the playouts on this machine"
	@echo "make setup     install into $(VENV), build the page and compile"
	@echo "make frontend  build the page of the board, if its sources have changed"
	@echo "make clean     remove $(VENV) and build products"

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	@touch $@

$(TOOLS): $(INSTALLED)
	$(PIP) --editable '.[dev]' $(TORCH)
	@touch $@

frontend: $(INSTALLED)
	@$(BIN)/python frontend/build_page.py

setup: $(INSTALLED) frontend
	$(BIN)/montego setup

# Compiles nothing first: the board is there at once, and kernels compile behind it.
play: $(INSTALLED) frontend
	$(BIN)/montego play $(ARGS)

console: $(INSTALLED)
	$(BIN)/montego setup
	$(BIN)/montego console $(ARGS)

bench: setup
	$(BIN)/montego bench playouts --size 9
	$(BIN)/montego bench playouts --size 13
	$(BIN)/montego bench playouts --size 19

check: $(TOOLS)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

frontend-test: $(INSTALLED)
	@$(BIN)/python frontend/build_page.py lint types test

# What needs one core each goes side by side. Then the suite; small boards again with bounds checks
# (Numba ignores the switch where machine code is cached, hence a cache of its own) and without
# compilation; and what is for GPUs, in a simulator. `pytest -m gpu -s` is for machines with one.
test: $(TOOLS) frontend
	$(MAKE) --no-print-directory -j 2 check setup frontend-test
	$(PYTEST)
	cache=$$(mktemp -d) && MONTEGO_CACHE_DIR=$$cache NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 MONTEGO_PATIENCE=0 \
		$(PYTEST) -m small_boards -q; status=$$?; rm -rf "$$cache"; exit $$status
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m small_boards -q
	NUMBA_ENABLE_CUDASIM=1 $(PYTEST) -m cuda_simulator -q

clean:
	rm -rf $(VENV) frontend/node_modules src/montego/web/static build dist
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
