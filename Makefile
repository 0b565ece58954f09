# Two commands matter: `make run` and `make test`. Both make the environment first; `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TEST_WORKERS ?= 2
KUBERNETES ?= 1.34

.PHONY: help env run test test-all test-browser coverage helm test-deploy manifests image test-image check lint types contracts fix mutants bench pictures vendor lock release controlplane test-controlplane dex test-dex

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 21

env: $(STAMP) ## Make .venv with the pinned dependencies (instant when nothing changed)

# pip verifies every file against its hash, and takes wheels only: no compiler is ever needed.
$(STAMP): requirements-dev.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Berth needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Set PYTHON=/path/to/python3.11."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
		|| { echo "Python's venv module is missing. Install it: apt-get install python3-venv"; exit 1; }
	@echo "Installing dependencies into $(VENV), about a minute …"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements-dev.lock
	@touch $@

run: env ## Start everything (Redis, worker, beat, web) and print the address with a sign-in link
	@echo "Starting Berth …"
	@set -a; [ ! -f .env ] || . ./.env; set +a; exec $(BIN)/python manage.py serve --stop-with-parent

test: env ## Run the tests; browser tests run where Chromium is found
	@# A file's tests stay together, so that a browser or a prepared directory is made once for all of them. Files come in
	@# the order of tests/conftest.py: pytest-xdist's own, by the number of tests, puts those last that take longest.
	$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

test-all: ## Run the tests with every recorded answer of kube-scheduler, also where `make test` takes a sample
	BERTH_TEST_WHOLE=1 $(MAKE) test

test-browser: env ## Run the browser tests, and keep a picture of each page in each look in build/screenshots
	rm -rf build/screenshots
	BERTH_REQUIRE_BROWSER=1 BERTH_TEST_SCREENSHOTS=$(CURDIR)/build/screenshots $(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder tests/browser $(ARGS)

coverage: ## Run the tests but those in a browser, and hold what they reach against the floors in pyproject.toml
	$(MAKE) test ARGS="-m 'not browser and not controlplane and not dex' --cov --cov-report= $(ARGS)"
	$(BIN)/python -m tests.support.coverage_floor

controlplane: env ## Build the Kubernetes control plane that tests run (needs Go; instant when nothing changed)
	@BERTH_TEST_KUBERNETES=$(KUBERNETES) nice $(BIN)/python -m tests.controlplane.build

test-controlplane: controlplane ## Run the tests on a real control plane, by themselves (KUBERNETES=1.37: of that minor)
	BERTH_TEST_KUBERNETES=$(KUBERNETES) BERTH_REQUIRE_CONTROLPLANE=1 $(BIN)/python -m pytest -m controlplane $(ARGS)

helm: env ## Build helm and kustomize, which tests of deploy/ run (needs Go; instant when nothing changed)
	@nice $(BIN)/python -m tests.deploy.programs

test-deploy: helm ## Run the tests of chart and manifests; those that apply them are among test-controlplane's
	BERTH_REQUIRE_HELM=1 $(BIN)/python -m pytest tests/deploy $(ARGS)

manifests: helm ## Render the chart into deploy/kustomize again
	@$(BIN)/python -m tests.deploy.programs --manifests

dex: env ## Build Dex, the identity provider that tests sign in with (needs Go; instant when nothing changed)
	@nice $(BIN)/python -m tests.identity.build

test-dex: dex ## Run the tests that sign in with Dex
	BERTH_REQUIRE_DEX=1 $(BIN)/python -m pytest -m dex tests/identity $(ARGS)

image: env ## Build the container image, as root with buildah (BASE=debian: upon Debian's packages; ARGS="--archive berth.tar")
	@BASE=$(BASE) $(BIN)/python -m scripts.image $(ARGS)

test-image: env ## Build the image upon Debian's packages and run its processes as containers (as root, minutes)
	BERTH_TEST_IMAGE=1 $(BIN)/python -m pytest tests/deploy/test_image.py $(ARGS)

check: lint types contracts ## Lint, types and import contracts

lint: env ## Check style of Python and templates
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@git ls-files -z 'templates/*.html' | xargs -0 -r $(BIN)/djade --check --target-version 5.2

types: env ## Check types, strictly
	$(BIN)/mypy

contracts: env ## Check that imports between the rings point inwards
	$(BIN)/lint-imports

fix: env ## Format Python and templates, repair what can be repaired
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@git ls-files -z 'templates/*.html' | xargs -0 -r $(BIN)/djade --target-version 5.2

mutants: env ## Change single expressions of services and presenters, and say which changes no test notices (ARGS="--seed 7 --sample 100")
	$(BIN)/python -m scripts.mutants $(ARGS)

bench: env ## Measure, print, and write bench/latest.json (ARGS="pages simulate": these groups; ARGS=--help lists them)
	$(BIN)/python -m bench $(ARGS)

pictures: env ## Draw the pictures of the documentation again (needs Chromium)
	$(BIN)/python -m scripts.pictures

vendor: env ## Fetch the pinned browser libraries into static/vendor again
	$(BIN)/python scripts/vendor.py

release: env ## Build wheel, source, Helm chart, bill of materials and checksums of the present commit into dist/
	@$(BIN)/python -m scripts.release

lock: env ## Compile the lock files from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-strip-extras -q -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra batch --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-strip-extras -q -o requirements-batch.lock
	$(BIN)/uv pip compile pyproject.toml --extra batch --extra dev --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-strip-extras -q -o requirements-dev.lock
