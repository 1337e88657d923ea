# Everything happens in .venv; both commands work on a fresh Debian machine with Python 3.11 and root.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo quick test docs bench-suites bench-peers bench-detectors bench-detectors-small bench-detectors-web bench-plans bench-plans-real bench-minimise bench-recorder bench-cluster bench-resets bench-load bench-scale bench-mariadb bench-candidates bench-web bench-report bench-knotted bench-crawl bench-generate bench-first-hour bench-run-coverage wheels clean

demo: $(VENV)/demo.ready
	@$(BIN)/python -c 'import xdist' 2>/dev/null || $(BIN)/python -m pip install -q pytest-xdist
	@$(BIN)/python tools/demo.py $(VENV)/demo

# Two for each core: many tests wait for processes that they have started.
PYTEST := $(BIN)/python -m pytest -q -n $$(($$(getconf _NPROCESSORS_ONLN) * 2)) --dist worksteal
define checks
	$(BIN)/ruff check src tests bench tools
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
endef

# What to run before a commit: no browser, server or foreign runner, no long law, no apt packages.
quick: $(VENV)/dev.ready
	$(checks)
	$(PYTEST) -m 'not (slow or browser or server or foreign)'

test: $(VENV)/test.ready docs
	$(checks)
	$(PYTEST)

# The documentation as a site, in build/site. Any warning ends it: a link or an anchor that leads nowhere, a page that
# the navigation lacks. The variable turns off an advertisement.
docs: $(VENV)/docs.ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --clean
	@echo 'build/site/index.html'

bench-suites: $(VENV)/demo.ready
	$(BIN)/python bench/pytest_suite/run.py

bench-peers: $(VENV)/demo.ready
	$(BIN)/python bench/peers/run.py

bench-detectors: $(VENV)/demo.ready
	$(BIN)/python bench/detectors/run.py

bench-detectors-small: $(VENV)/demo.ready
	$(BIN)/python bench/detectors/run.py --small

bench-detectors-web: $(VENV)/demo.ready
	$(BIN)/python bench/detectors/run.py --web

bench-plans: $(VENV)/test.ready
	$(BIN)/python bench/plans/run.py

bench-plans-real: $(VENV)/demo.ready
	$(BIN)/python bench/plans/real.py

bench-recorder: $(VENV)/demo.ready
	$(BIN)/python bench/recorder/run.py

bench-cluster: $(VENV)/test.ready
	$(BIN)/python -m bench.cluster.run

bench-resets: $(VENV)/test.ready
	$(BIN)/python -m bench.resets.run

bench-run-coverage: $(VENV)/demo.ready
	$(BIN)/python -m bench.run_coverage.run

bench-load: $(VENV)/test.ready
	$(BIN)/python bench/load/run.py

bench-scale: $(VENV)/test.ready
	$(BIN)/python -m bench.scale.run

bench-mariadb: $(VENV)/test.ready
	$(BIN)/python -m bench.mariadb.run

bench-candidates: $(VENV)/test.ready
	$(BIN)/python -m bench.candidates.run

bench-web: $(VENV)/test.ready
	$(BIN)/python -m bench.web.run

bench-report: $(VENV)/test.ready
	$(BIN)/python -m bench.report.run

bench-knotted: $(VENV)/test.ready
	$(BIN)/python -m bench.knotted.run --write
	$(BIN)/python -m bench.knotted.simulated

bench-crawl: $(VENV)/test.ready
	$(BIN)/python -m bench.crawl.simulated --write
	$(BIN)/python -m bench.crawl.kinds.run --write
	$(BIN)/python -m bench.crawl.run --minutes 2 --seeds 3 -n 2
	$(BIN)/python -m bench.crawl.run --minutes 10 --seeds 1 --ways ours -n 2

bench-generate: $(VENV)/test.ready
	$(BIN)/python -m bench.generate.simulated --fresh --write

bench-minimise: $(VENV)/test.ready
	$(BIN)/python bench/plans/minimise.py

# ensurepip is a package of its own on Debian.
$(BIN)/python:
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || (apt-get update -qq && apt-get install -y -qq python3-venv)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip

# The recorder has parts in C. Without a compiler all the rest works.
$(VENV)/compiler.ready: $(BIN)/python
	@test -f "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" && command -v cc >/dev/null \
		|| (apt-get update -qq && apt-get install -y -qq gcc libc6-dev python3-dev) \
		|| echo 'no C compiler: what tests leave in memory will not be recorded'
	@touch $@

$(VENV)/demo.ready: $(VENV)/compiler.ready pyproject.toml setup.py $(wildcard src/unknot/recorder/native/*.[ch])
	$(BIN)/python -m pip install -q -e .
	@touch $@

# Suites that are not pytest's, and servers whose state is put back. What cannot be installed is skipped by the tests.
SYSTEMS := openjdk-17-jdk-headless junit4 junit5 nodejs bats golang-go chromium chromium-headless-shell chromium-driver postgresql mariadb-server mariadb-test mariadb-test-data zsh fish
$(VENV)/systems.ready: $(BIN)/python
	@missing=$$(for name in $(SYSTEMS); do dpkg -s $$name >/dev/null 2>&1 || echo $$name; done); test -z "$$missing" \
		|| (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing) \
		|| echo "not installed: $$missing"
	@touch $@

$(VENV)/dev.ready: $(VENV)/demo.ready
	$(BIN)/python -m pip install -q --group dev --group plugins
	@touch $@

$(VENV)/docs.ready: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install -q --group docs
	@touch $@

$(VENV)/release.ready: $(BIN)/python
	$(BIN)/python -m pip install -q --group release
	@touch $@

$(VENV)/test.ready: $(VENV)/dev.ready $(VENV)/systems.ready
	@touch $@

# The source distribution, and a wheel for every supported Python of this machine, in dist/.
wheels: $(VENV)/release.ready
	$(BIN)/python tools/build_wheels.py

clean:
	rm -rf $(VENV)
