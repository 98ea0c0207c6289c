# All set-up happens here, in .venv. The machine needs git, make and a Python (3.11 or newer) with its venv module.

PYTHON ?= python3
SET ?= datasets/travel-policy-zh

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet
# The locks are complete and every file is checked against its hash, so nothing is left to resolve.
LOCKED := --no-deps --require-hashes -r
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-annotate --custom-compile-command "make lock"

# One more than the cores of a small machine: tests of screens wait as much as they compute.
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadgroup
MARKED := model or server or browser or slow or packaging

# Another environment that is switched on in the calling shell has no say in this one.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

.DEFAULT_GOAL := help
.PHONY: help app dev test test-marked browser test-all check docs format lock clean

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

app: $(VENV)/app.stamp ## open the app on the bundled set, or on SET=FOLDER
	$(BIN)/ragtui $(SET)

dev: $(VENV)/dev.stamp ## install everything that work on ragtui needs

test: $(VENV)/dev.stamp ## run the fast tests
	$(PYTEST) -m "not ($(MARKED))"

test-marked: $(VENV)/dev.stamp ## run the tests with real models, servers, browsers and wheels
	$(PYTEST) -m "$(MARKED)"

browser: ## put Debian's Chromium on this machine, which tests of HTML pages look with; they are skipped without it
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
			&& apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } \
		|| echo "No Chromium here, and no way to install it (that takes root and apt-get): tests of pages are skipped."

test-all: test test-marked ## run all tests

check: $(VENV)/dev.stamp ## check style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/dev.stamp ## write tables and pictures of the README anew
	$(BIN)/python docs/refresh.py

format: $(VENV)/dev.stamp ## put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(VENV)/dev.stamp ## write both locks anew, within the bounds of pyproject.toml
	$(COMPILE) --group build -o requirements.lock pyproject.toml
	$(COMPILE) --extra local-llm --group dev -c requirements.lock -o requirements-dev.lock pyproject.toml

clean: ## remove what builds and tools leave behind; .venv stays
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache snapshot_report.html
	find ragtui tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/python.stamp:
	@for python in $(PYTHON) python3.14 python3.13 python3.12 python3.11; do \
		if $$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			$$python -m venv $(VENV) && touch $@ && exit 0; \
		fi; \
	done; \
	echo "ragtui needs Python 3.11 or newer with its venv module (Debian and Ubuntu: apt install python3-venv)." >&2; \
	echo "Name one with: make PYTHON=/path/to/python" >&2; \
	exit 1

$(VENV)/app.stamp: $(VENV)/python.stamp requirements.lock pyproject.toml
	$(PIP_INSTALL) $(LOCKED) requirements.lock
	$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/app.stamp requirements-dev.lock
	$(PIP_INSTALL) $(LOCKED) requirements-dev.lock
	@touch $@
