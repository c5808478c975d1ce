# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The everyday commands. `make help` lists them; CMake and Ninja do the work in build/.

BUILD := build

.PHONY: help setup configure build wheel docs-site demo test test-all test-quick fuzz bench format docs clean
.DEFAULT_GOAL := build

help:
	@echo "make build       compile everything (installs missing Debian packages first), and lay out the compiler's code"
	@echo "make demo        build two tools, compile example kernels, run them on the emulator, compare with the reference"
	@echo "make test        every suite but the long ones, side by side; prints 'N passed, N failed'; ONLY=\"-L emulator\" chooses suites"
	@echo "make test-quick  what takes less than a minute, for the daily loop"
	@echo "make test-all    the long suites too (some hours of processor time)"
	@echo "make fuzz        random kernels, emulator against reference; SECONDS=600 SEED=N TARGETS=sm_80,sm_90 JOBS=N"
	@echo "make bench       compile-time and emulator benchmarks; OTHER=DIR compares with the build of another tree, side by side"
	@echo "make wheel       the Python package, in $(BUILD)/wheel (docs/python.md)"
	@echo "make format      clang-format over the tree"
	@echo "make docs        reference of the dialects and measured tables, in $(BUILD)/docs (some minutes)"
	@echo "make docs-site   the documentation as a site with search, in $(BUILD)/site (takes mkdocs-material from PyPI)"
	@echo "make clean       remove $(BUILD)"

setup:
	@scripts/setup.sh

$(BUILD)/build.ninja: | setup
	@cmake --preset default

configure: setup $(BUILD)/build.ninja

build: configure
	@ninja -C $(BUILD)
	@scripts/lay_out_code.py $(BUILD)

# Only what it runs: half of a build is unit tests and fuzzers.
demo: configure
	@ninja -C $(BUILD) tileiras tileiras-run
	@scripts/demo.sh $(BUILD)

# `make test ONLY="-L emulator"`: options of ctest choose suites.
test: build
	@scripts/run_tests.py $(BUILD) --jobs $(JOBS) $(ONLY)

test-all: build
	@scripts/run_tests.py $(BUILD) --all --jobs $(JOBS) $(ONLY)

# The compiler as it was linked: the daily loop does not wait for its code to be laid out.
test-quick: configure
	@ninja -C $(BUILD)
	@scripts/run_tests.py $(BUILD) --jobs $(JOBS) -L quick

# Another seed every time, unless one is given; the script prints it.
SECONDS := 600
SEED := $(shell date +%s)000
TARGETS := all
JOBS := $(shell nproc)

fuzz: build
	@test/EndToEnd/fuzz.py $(BUILD) --seed $(SEED) --seconds $(SECONDS) --targets $(TARGETS) --jobs $(JOBS)

bench: build
	@ninja -C $(BUILD) benchmarks
	@if [ -n "$(OTHER)" ]; then bench/compare.py "$(OTHER)" --build $(BUILD); else bench/run.sh $(BUILD); fi

wheel: configure
	@ninja -C $(BUILD) libtileiras tileiras-emu package-tileiras package-tileiras-run package-tileirdisasm
	@scripts/make_wheel.py $(BUILD)

docs: configure
	@ninja -C $(BUILD) docs all
	@scripts/coverage.py $(BUILD)
	@test/EndToEnd/op_types.py $(BUILD) --full --write
	@scripts/ptx_coverage.py $(BUILD)
	@scripts/nvgpu_contract.py $(BUILD)
	@test/NVGPU/run.py $(BUILD) --targets=all --write
	@scripts/wgmma_table.py $(BUILD) --write $(BUILD)/docs/wgmma.md
	@bench/wgmma_loop.py $(BUILD) --write $(BUILD)/docs/wgmma-loop.md
	@TILEIRAS_SCHEDULE_TABLE=$(BUILD)/docs/schedules.md $(BUILD)/unittests/ScheduleOracleTest --gtest_brief=1
	@test/EndToEnd/atoms.py $(BUILD) --write $(BUILD)/docs/atoms.md
	@scripts/static_quality.py $(BUILD) --write $(BUILD)/docs/static-quality.md

docs-site:
	@mkdir -p $(BUILD)
	@scripts/docs_site.py $(BUILD)

format:
	@git ls-files '*.h' '*.cpp' | xargs -r $$(command -v clang-format-22 || command -v clang-format) -i

clean:
	@rm -rf $(BUILD)
