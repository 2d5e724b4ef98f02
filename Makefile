# Everything a fresh machine needs, and nothing outside this folder: `make play`, `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: help setup play test check bench clean

help:
	@echo "make play    play a game in the terminal"
	@echo "make test    all checks and tests"
	@echo "make check   lint, format, types, layers"
	@echo "make bench   speed of the playouts on this machine"
	@echo "make setup   install into $(VENV) and compile"
	@echo "make clean   remove $(VENV) and build products"

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

setup: $(INSTALLED)
	$(BIN)/montego setup

play: setup
	$(BIN)/montego console

bench: setup
	$(BIN)/montego bench playouts --size 9
	$(BIN)/montego bench playouts --size 13
	$(BIN)/montego bench playouts --size 19

check: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# The suite, then small boards again with bounds checks (Numba ignores the switch where
# machine code is cached, hence a cache of its own) and without compilation.
test: check setup
	$(BIN)/pytest -n auto
	cache=$$(mktemp -d) && MONTEGO_CACHE_DIR=$$cache NUMBA_BOUNDSCHECK=1 MONTEGO_PATIENCE=0 \
		$(BIN)/pytest -m small_boards -n auto -q; status=$$?; rm -rf "$$cache"; exit $$status
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -m small_boards -n auto -q

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
