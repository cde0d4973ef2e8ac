# `make demo` and `make test` need only Python >= 3.11 with venv, git and make.

PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,$(shell $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(p))))
BIN := .venv/bin

.PHONY: demo test check cover compiled peers bench profile clean

demo: .venv/ready
	$(BIN)/trianon run sample_bots/demo.toml

# Two at a time, a file to each: most tests wait for processes.
test: .venv/ready
	$(BIN)/pytest -n 2 --dist loadfile

check: .venv/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

cover: .venv/ready
	rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --include='arena/*,protocol/*' --fail-under=95
	$(BIN)/coverage report

# The games' cores by mypyc, in a folder of their own: the tests and benchmarks that
# know it run them beside the plain ones. Needs a C compiler.
compiled: .venv/ready
	rm -rf .compiled && mkdir .compiled
	HATCH_BUILD_HOOKS_ENABLE=1 $(BIN)/pip wheel -q --disable-pip-version-check --no-deps -w .compiled/wheel .
	$(BIN)/pip install -q --disable-pip-version-check --no-deps --target .compiled .compiled/wheel/*.whl

# What the benchmarks are compared to, where it installs; the project never needs it.
peers: .venv/ready
	$(BIN)/pip install -q --disable-pip-version-check --upgrade --target .peers open_spiel

bench: .venv/ready
	$(BIN)/python -m benchmarks.bench --write bench.json

# Where the arena's own time of a decision goes.
profile: .venv/ready
	$(BIN)/python -m benchmarks.hotspots

# The lock pins versions and hashes for the interpreters it was made for; elsewhere
# the floors of pyproject.toml decide.
.venv/ready: pyproject.toml requirements-dev.lock
	@test -n "$(PYTHON)" || { echo "this needs Python 3.11 or later; name it:  make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	@if $(BIN)/python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' \
	    && $(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock; then \
	    echo "installed: the versions of requirements-dev.lock"; \
	else \
	    echo "installed: the newest versions above the floors; the lock does not fit this interpreter"; \
	    $(BIN)/pip install -q --disable-pip-version-check '.[dev]'; \
	fi
	$(BIN)/pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

clean:
	rm -rf .venv .compiled .peers .mypy_cache .ruff_cache .pytest_cache demo
