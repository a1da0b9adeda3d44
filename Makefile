# Two commands: `make run` and `make test`. Each sets itself up from nothing, in .venv.

VENV ?= .venv
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
EXTRAS ?= dev
PYTEST_ARGS ?= -n 2
STAMP = $(VENV)/.installed-$(EXTRAS)

.PHONY: run test kill search peers setup clean

run: setup
	$(VENV)/bin/toolroute build
	$(VENV)/bin/python -m toolroute_host

test: setup
	$(VENV)/bin/python -m pytest $(PYTEST_ARGS)

# Busy hosts are killed 2,000 times, whole ones on disk 400 times: `make test` does it 200
# times and 40. KILL_SEED=N repeats one.
KILLS ?= 2000
HOST_KILLS ?= 400
kill: setup
	KILLS=$(KILLS) HOST_KILLS=$(HOST_KILLS) $(VENV)/bin/python -m pytest $(PYTEST_ARGS) -rP tests/runtime/kill tests/host/kill

# Random tables, transcripts and hosts, new ones each time: `make test` tries the same.
SEARCHES = tests/codegen/test_oracle.py tests/codegen/test_coverage_routes.py \
  tests/codegen/test_coverage_refusals.py tests/runtime/test_machine.py tests/transcript/legality
search: setup
	NEW_EXAMPLES=1 TOOLROUTE_EXAMPLES=200 $(VENV)/bin/python -m pytest $(PYTEST_ARGS) $(SEARCHES)

# Public libraries judge what was settled; they are many, so in a venv of their own.
peers:
	$(MAKE) setup VENV=$(VENV)-peers EXTRAS=dev,peers
	npm install --silent --no-audit --no-fund --no-package-lock --prefix tests/transcript/peers/ai
	TOOLROUTE_PEERS=1 $(VENV)-peers/bin/python -m pytest $(PYTEST_ARGS) tests/transcript/peers

setup: $(STAMP)

$(STAMP): pyproject.toml
	@if [ -z "$(PYTHON)" ]; then echo "toolroute needs Python 3.11 or later: none was found. Name one with PYTHON=/path/to/python3.11" >&2; exit 2; fi
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade pip
	$(VENV)/bin/python -m pip install --quiet --editable '.[$(EXTRAS)]'
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-peers tests/transcript/peers/ai/node_modules build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
