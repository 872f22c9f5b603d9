# All targets except help and clean depend on one installed virtual environment, so each works on
# its own in a fresh clone, and targets can run in parallel under `make -j`. `lowest` and `pythons`
# run `make test` again, in separate environments.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --output-sync=target
# Modules are compiled to bytecode when they are first imported, for all processes after that one.
unexport PYTHONDONTWRITEBYTECODE

# The distribution's build of the version that python3 has, if there is one: it is optimised by profiles, which the
# builds of pyenv are not by default, and runs the tests in five sixths of the time.
PYTHON ?= $(shell if [[ "$$($(DISTRIBUTION) -c '$(VERSION)')" == "$$(python3 -c '$(VERSION)')" ]] && \
  $(DISTRIBUTION) -c '$(HAS_VENV)'; then echo $(DISTRIBUTION); else echo python3; fi 2>/dev/null)
DISTRIBUTION := /usr/bin/python3
SEED ?= 1
# The versions of Python that pyproject.toml lists, lowest first.
PYTHONS := 3.11 3.12 3.13
VENV := .venv
# The extras that the environment has.
EXTRAS := test
PY := $(VENV)/bin/python
READY := $(VENV)/.ready
PACKAGES := rise elevate strategies shine cases examples benchmarks tools
HAS_VENV := import ensurepip, venv
VERSION := import sys; print(sys.version_info[:2])
IS_RECENT := import sys; sys.exit(sys.version_info < (3, 11))

# Those of them that are on PATH; used by `lowest` only.
FOUND = $(foreach version,$(PYTHONS),$(shell python$(version) -c 'print("python$(version)")' 2>/dev/null))

.PHONY: help setup run test check-format check-lint check-types check-tests lowest pythons
.PHONY: first-hour soak soak-report whole deep peers bench slower-rows gpu pages texts text-differences format clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

setup: $(READY) ## Create .venv and install the project into it (other targets do this when needed)

# pip compiles no bytecode: most modules of what it installs are never imported, and the others are compiled then. Ours
# are compiled beside it, on another core.
$(READY): pyproject.toml
	@command -v $(PYTHON) >/dev/null && $(PYTHON) -c '$(IS_RECENT)' 2>/dev/null || \
	  { echo "error: Python 3.11 or newer is needed, and '$(PYTHON)' is not: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c '$(HAS_VENV)' 2>/dev/null || \
	  { echo "error: this Python cannot make virtual environments: apt-get install python3-venv" >&2; exit 1; }
	@echo "Setting up $(VENV) (once, about a minute)"
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(if $(LOWEST),$(PY) tools/lowest_versions.py '$(EXTRAS)' >$(VENV)/lowest.txt)
	@$(PYTHON) -m compileall -qq $(PACKAGES) & \
	  $(PY) -m pip install -qq --no-input --disable-pip-version-check --no-compile \
	  $(if $(LOWEST),--constraint $(VENV)/lowest.txt) --editable '.[$(EXTRAS)]' && wait
	@touch $@

run: $(READY) ## Compile, run and check the main example
	@$(PY) examples/main_job.py

# Types are checked beside the tests, which use both cores except when one of their processes is done.
test: check-format check-lint ## The gate: format, lint, strict types, laws, cases, doc examples
	@$(MAKE) --no-print-directory check-types & types=$$!; \
	  $(MAKE) --no-print-directory check-tests || { wait $$types || true; exit 1; }; \
	  wait $$types || { echo "error: the types above are wrong" >&2; exit 1; }

check-format: $(READY)
	@$(PY) -m ruff format --check . || { echo "error: the files above are not formatted: make format" >&2; exit 1; }

check-lint: $(READY)
	@$(PY) -m ruff check --quiet .

check-types: $(READY)
	@$(PY) -m mypy --no-error-summary

# Modules are compiled to bytecode once, instead of by each process that imports them.
check-tests: $(READY)
	@$(PY) -m compileall -qq $(PACKAGES)
	@$(PY) -m pytest -q -n 2 --dist loadfile

lowest: ## `make test` with the lowest versions that pyproject.toml allows, in .venv-lowest
	@$(MAKE) --no-print-directory test VENV=.venv-lowest LOWEST=yes EXTRAS=test,einsum,optuna,dask \
	  PYTHON=$(firstword $(FOUND) $(PYTHON))

pythons: ## `make test` under Python 3.11, 3.12 and 3.13; names those that are not on PATH
	@failed=; found=; for version in $(PYTHONS); do \
	  if python$$version -c '' 2>/dev/null; then \
	    echo "== Python $$version"; found=$$version; \
	    $(MAKE) --no-print-directory test VENV=.venv-$$version PYTHON=python$$version || failed+=" $$version"; \
	  else \
	    echo "== Python $$version: not on PATH, so not tested"; \
	  fi; \
	done; \
	[[ -z $$failed ]] || { echo "error: the tests fail under Python$$failed" >&2; exit 1; }; \
	[[ $$found ]] || { echo "error: none of these is on PATH: $(PYTHONS:%=python%)" >&2; exit 1; }

first-hour: $(READY) ## Install from a source distribution into a fresh environment, and run docs/first_hour.md there
	@$(PY) tools/first_hour.py

soak: $(READY) ## Random programs, strategies and texts for two hours (PART=, SEED=, COUNT=, AT=; all parts by default)
	@$(PY) -m tests.soak $(PART) --seed $(SEED) $(if $(COUNT),--count $(COUNT)) $(if $(AT),--at $(AT))

soak-report: $(READY) ## Merge soak results from build/soak/ into benchmarks/results/soak.md and soak.json
	@$(PY) -m tests.soak --merge

whole: $(READY) ## All tests with every row, of which `make test` runs a sample (about an hour)
	@$(PY) -m pytest -q -n 2 --dist loadfile --hypothesis-profile=whole

deep: $(READY) ## All tests in depth: thousands of cases per law, every architecture (many hours)
	@$(PY) -m pytest -q -n 2 -m 'not gpu' --hypothesis-profile=soak

peers: $(READY) ## Install the libraries and compilers that benchmarks compare with (several gigabytes)
	@$(PY) -m pip install -qq --no-input --disable-pip-version-check --editable '.[test,bench]'

bench: $(READY) ## Run every program in benchmarks/, without peers that are not installed
	@for program in benchmarks/[a-z]*.py; do echo "== $$program"; $(PY) "$$program"; done

slower-rows: $(READY) ## List benchmark results that became slower since a commit by more than their spread (FROM=)
	@$(PY) tools/slower_rows.py --since $(if $(FROM),$(FROM),HEAD) $(ONLY)

gpu: $(READY) ## Check and time kernels on a CUDA device in at most eight minutes; without one, say so
	@$(PY) -m benchmarks.gpu

pages: $(READY) ## Regenerate docs/primitives.md, docs/rules.md, docs/proofs.md, parts of other pages, and pictures
	@$(PY) -m tests.shine.primitive_page
	@$(PY) -m tests.laws.test_words
	@$(PY) -m tests.simulator.unvalidated_instructions
	@$(PY) -m tests.strategies.rules.rule_page
	@$(PY) -m tests.strategies.rules.test_dispatch
	@$(PY) -m tests.strategies.proof.proof_page
	@$(PY) -m tests.cases.excerpts
	@$(PY) -m tests.strategies.fireiron.test_pictures

texts: $(READY) ## Regenerate the golden texts of all cases: C and CUDA by the default strategies
	@$(PY) -m tests.cases.texts

text-differences: ## Diff the golden texts since a commit (FROM=), or between two (TO=)
	@git diff --stat --patch $(FROM) $(TO) -- tests/golden/texts

format: $(READY) ## Format, and apply lint's safe fixes
	@$(PY) -m ruff format --quiet .
	@$(PY) -m ruff check --quiet --fix .

clean: ## Delete caches and build results, but not .venv
	@rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -path "./.venv*" -prune -o -name __pycache__ -type d -exec rm -rf {} +
