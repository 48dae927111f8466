# `make demo` and `make test` set up all they need in .venv; only Python 3.11+ and make are required
# (and, for the tests of the page, chromium).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-all fuzz format bench docs docs-serve notebooks browser clean

demo: $(VENV)/installed
	$(BIN)/mccfr demo

test:
	@$(MAKE) --no-print-directory -j 2 $(VENV)/developing browser
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -n 3 -m "not slow"

test-all:
	@$(MAKE) --no-print-directory -j 2 $(VENV)/developing browser
	$(BIN)/pytest -n 3

# Strange inputs of every kind: make fuzz N=1000 SEED=7 KINDS="files strings" JOBS=2
N ?= 100000
SEED ?= 0
KINDS ?= files archives efg strings games pages
JOBS ?= $(shell nproc 2>/dev/null || echo 1)

fuzz: $(VENV)/developing
	$(BIN)/python -m fuzz -n $(N) --seed $(SEED) --kinds "$(KINDS)" --jobs $(JOBS)

format: $(VENV)/developing
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/developing
	$(BIN)/python benchmarks/peers.py

# The documentation site, built without the network; notebooks are shown with the outputs stored in them.
docs: $(VENV)/documenting
	$(BIN)/python docs/build_site.py

docs-serve: $(VENV)/documenting
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --dev-addr 127.0.0.1:8000

# Run the notebooks and store what they print and draw.
notebooks: $(VENV)/documenting
	$(BIN)/python docs/run_notebooks.py --write

# A browser for the tests of the page, where it can be installed; without one they are skipped and say so.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "installing chromium for the tests of the page"; \
			{ apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y chromium; } >/dev/null 2>&1 || true; \
		fi

clean:
	rm -rf $(VENV) build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "mccfr needs Python 3.11 or later; say which with: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/documenting: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs,plot]"
	touch $@

$(VENV)/developing: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@
