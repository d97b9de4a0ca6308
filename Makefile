# make demo and make test need only Python >= 3.11, a C++20 compiler and PyPI. All output goes to $(VENV), build/,
# demo-output/ and paper-output/. Completed steps are recorded in $(VENV)/stamps and repeated when their inputs change.

PYTHON ?= python3
VENV ?= .venv
CXX ?= c++
PYTEST_FLAGS ?= -n auto -q
# Seconds that make fuzz spends on each reader, and the readers: all of them if READERS is empty.
SECONDS_EACH ?= 60
READERS ?=

SANITIZED_TESTS ?= tests/fuzzing tests/data tests/model/files tests/counts tests/scores tests/search tests/properties

export CXX
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
# Without --quiet a first installation prints two hundred lines; PIP_FLAGS= shows them.
PIP_FLAGS ?= --quiet
PIP := $(BIN)/python -m pip --disable-pip-version-check $(PIP_FLAGS)
CORE_FILES := $(wildcard cpp/core/*/*.?pp cpp/bind/*.?pp cpp/bind/*/*.?pp) CMakeLists.txt
CPP_FILES := $(wildcard cpp/*/*.?pp cpp/*/*/*.?pp)
# Headers are checked through the files that include them. main.cpp holds nothing but doctest.
TIDY_FILES := $(wildcard cpp/core/*/*.cpp cpp/tests/*/*.cpp)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-slow test-browser test-engines coverage lint tidy format stubs bench paper docs core-test sanitize fuzz sdist-test wheel wheel-test track clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

demo: $(STAMPS)/package  ## learn networks from bundled data and draw them
	@$(BIN)/python examples/demo.py

test: $(STAMPS)/extra-test  ## the tests, without the slow ones
	$(BIN)/python -m pytest $(PYTEST_FLAGS) -m "not slow and not engines"

test-slow: $(STAMPS)/extra-test  ## only the slow tests
	$(BIN)/python -m pytest $(PYTEST_FLAGS) -m slow

test-engines: $(STAMPS)/extra-test $(STAMPS)/extra-engines  ## the tests of all engines: Spark, which needs Java, Postgres, ibis and those of make test
	@tools/find_java.sh
	$(BIN)/python -m pytest -q tests/data/engines tests/counts -m "not slow"

test-browser: $(STAMPS)/extra-test $(STAMPS)/extra-browser  ## the tests of pages in a real Chromium, which is installed where it can be
	@tools/check_scripts.sh
	@tools/find_chromium.sh
	$(BIN)/python -m pytest -q tests/browser

coverage: $(STAMPS)/extra-test $(STAMPS)/extra-coverage  ## the tests with Python line coverage; report in build/coverage
	$(BIN)/python -m pytest $(PYTEST_FLAGS) -m "not slow and not engines" --cov --cov-report=html:build/coverage --cov-report=term:skip-covered

lint: $(STAMPS)/extra-test $(STAMPS)/extra-lint  ## ruff, mypy, clang-format and the import rules between packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run -Werror $(CPP_FILES)
	$(BIN)/lint-imports --no-cache

tidy: $(STAMPS)/extra-lint  ## clang-tidy on the C++ core and its tests; a minute or two
	@PATH="$(abspath $(BIN)):$$PATH" cmake --preset core -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
	@printf '%s\n' $(TIDY_FILES) | xargs -P $$(nproc) -n 4 $(BIN)/clang-tidy --quiet -p build/core

format: $(STAMPS)/extra-lint  ## rewrite the sources in the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP_FILES)

stubs: $(STAMPS)/package  ## write src/qnml/_core.pyi from the built module
	$(BIN)/python -m nanobind.stubgen -q -m qnml._core -o src/qnml/_core.pyi

bench: $(STAMPS)/extra-bench  ## speed, compared with other programs
	@for bench in benchmarks/[a-z]*.py benchmarks/large; do $(BIN)/python $$bench || exit 1; done

paper: $(STAMPS)/extra-plot  ## run the paper's experiments, into paper-output and docs/paper.md; takes hours, resumes if stopped
	$(BIN)/qnml paper all --as-published --resume --out paper-output --document docs/paper.md

docs: $(STAMPS)/extra-docs  ## build the documentation as web pages in docs/output
	$(BIN)/python -m tools.gallery build/gallery/gallery
	$(BIN)/python -m sphinx -q -W --keep-going -b html -d build/doctrees docs docs/output
	@echo "Open docs/output/index.html"

core-test: $(STAMPS)/build-tools  ## the C++ core's own tests under the address, undefined-behaviour and thread sanitizers
	@for preset in sanitize threads; do \
	  PATH="$(abspath $(BIN)):$$PATH" && export PATH && \
	  cmake --preset $$preset >/dev/null && cmake --build --preset $$preset && ctest --preset $$preset || exit 1; \
	done

sanitize: $(STAMPS)/extra-test  ## the tests of readers, core and searches with the Python module under sanitizers
	@tools/sanitized.sh $(BIN)/python build/sanitized
	@build/sanitized/run -m pytest $(PYTEST_FLAGS) -m "not slow and not engines" $(SANITIZED_TESTS)

fuzz: $(STAMPS)/extra-fuzz  ## fuzz every reader, SECONDS_EACH=60 seconds each
	$(BIN)/python -m fuzz --seconds $(SECONDS_EACH) $(READERS)

sdist-test: $(STAMPS)/extra-test  ## build the sdist, install it into an empty environment and test it
	$(BIN)/python -m pytest -q -m slow tests/structure/test_sdist.py

wheel: $(STAMPS)/extra-release  ## build a wheel for this system in wheelhouse
	@tools/build_wheel.sh $(BIN)/python wheelhouse

wheel-test: wheel  ## build a wheel, install it into an empty environment without a compiler, and learn a network there
	@tools/test_wheel.sh $(PYTHON) wheelhouse

track: $(STAMPS)/extra-test  ## run the benchmarks that are tracked over commits, once, here
	$(BIN)/python -m pytest -q --durations=0 --durations-min=0 -p no:xdist tests/docs/test_tracked_benchmarks.py

clean:  ## remove everything that the targets above created
	rm -rf build dist demo-output docs/output .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .import_linter_cache wheelhouse $(STAMPS)
	@echo "Kept: $(VENV) and paper-output. Remove them by hand for a fresh start."

$(STAMPS)/build-tools: tools/requirements.py tools/check_machine.sh
	@tools/check_machine.sh $(PYTHON)
	@test -x $(BIN)/python || { echo "Making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@mkdir -p $(STAMPS)
	@echo "Installing the build tools"
	@$(BIN)/python tools/requirements.py build >$(STAMPS)/build.txt
	@$(PIP) install -r $(STAMPS)/build.txt
	@touch $@

$(STAMPS)/package: $(STAMPS)/build-tools pyproject.toml $(CORE_FILES)
	@echo "Building qnml, one to three minutes on two cores"
	@$(BIN)/python tools/show_build.py "Building qnml" $(BIN)/python -m pip --disable-pip-version-check install -v --no-build-isolation -e .
	@touch $@

$(STAMPS)/extra-%: $(STAMPS)/package pyproject.toml
	@echo "Installing what '$*' needs"
	@$(BIN)/python tools/requirements.py $* >$(STAMPS)/$*.txt
	@$(PIP) install -r $(STAMPS)/$*.txt || { echo "The group '$*' cannot be installed here; pip says why." >&2; exit 1; }
	@touch $@
