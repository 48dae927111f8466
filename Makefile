# `make demo`, `make play`, `make watch` and `make test` set up all they need in .venv; only Python 3.11+ and make are required
# (and, for the tests of the page, chromium). Nothing here is newer than GNU make 3.81, which macOS comes with.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# The environment, with mccfr in it; `$(SETUP) --extra dev` has what developing needs too. The Python of an environment
# that is there already does it, so that PYTHON need be given only once.
RECENT = -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
SETUP = @python=$(BIN)/python; $$python $(RECENT) || python="$(PYTHON)"; "$$python" $(RECENT) || \
	{ echo "mccfr needs Python 3.11 or later; say which with: make PYTHON=/path/to/python3.11" >&2; exit 2; }; \
	"$$python" tools/environment.py $(VENV) --python "$(PYTHON)"

# Tests start several hundred processes: byte code that each compiled for itself would be a sixth of their time.
test test-all test-gpu fuzz quick-tests: export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo play watch test test-all test-gpu fuzz format bench dist docs docs-serve notebooks browser clean developing documenting types quick-tests

demo:
	$(SETUP)
	@$(BIN)/mccfr demo

# A hand of hold'em. Other agents: .venv/bin/mccfr play --help
play:
	$(SETUP)
	@$(BIN)/mccfr play

# The page. Other games and methods: .venv/bin/mccfr watch --help
watch:
	$(SETUP) --extra web
	@$(BIN)/mccfr watch

developing:
	$(SETUP) --extra dev

documenting:
	$(SETUP) --extra docs

test:
	@$(MAKE) --no-print-directory -j 2 developing browser
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m ruff check .
	@$(MAKE) --no-print-directory -j 2 types quick-tests

types:
	$(BIN)/python -m mypy

# Taking assertions apart costs each of the processes ten seconds; what fails is run once more, with its details.
quick-tests:
	$(BIN)/python -m pytest -n 4 --assert plain -m "not slow and not gpu" || \
		{ $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; exit 1; }

test-all:
	@$(MAKE) --no-print-directory -j 2 developing browser
	$(BIN)/python -m pytest -n 3 -m "not gpu"

# What needs an NVIDIA GPU, and the packages of mccfr[gpu].
test-gpu: developing
	$(SETUP) --extra gpu
	$(BIN)/python -m pytest -m gpu -rs

# Strange inputs of every kind: make fuzz N=1000 SEED=7 KINDS="files strings" JOBS=2
N ?= 100000
SEED ?= 0
KINDS ?= files archives efg strings games spots pages
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

fuzz: developing
	$(BIN)/python -m fuzz -n $(N) --seed $(SEED) --kinds "$(KINDS)" --jobs $(JOBS)

format: developing
	$(BIN)/python -m ruff format .
	$(BIN)/python -m ruff check --fix .

bench: developing
	$(BIN)/python benchmarks/peers.py

# The wheel and the source archive, for a release: docs/releasing.md. The wheel is built from the archive.
dist: developing
	rm -rf build dist *.egg-info
	$(BIN)/python -m build --no-isolation
	@ls -l dist

# The documentation site, built without the network; notebooks are shown with the outputs stored in them.
docs: documenting
	$(BIN)/python docs/build_site.py

docs-serve: documenting
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --dev-addr 127.0.0.1:8000

# Run the notebooks and store what they print and draw.
notebooks: documenting
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
