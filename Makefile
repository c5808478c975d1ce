# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The everyday commands. `make help` lists them; CMake and Ninja do the work in build/.

BUILD := build
# The precompiled header would otherwise defeat ccache: its time stamps differ between two checkouts.
export CCACHE_SLOPPINESS := pch_defines,time_macros,include_file_mtime,include_file_ctime

.PHONY: help setup configure build demo test fuzz bench format docs clean
.DEFAULT_GOAL := build

help:
	@echo "make build    compile everything (installs missing Debian packages first)"
	@echo "make demo     compile example kernels, run them on the emulator, compare with the reference"
	@echo "make test     unit, lit, end-to-end tests, examples, coverage table; prints 'N passed, N failed'"
	@echo "make fuzz     random kernels, emulator against reference; SECONDS=600 SEED=N TARGETS=sm_80,sm_90 JOBS=N"
	@echo "make bench    compile-time and emulator benchmarks"
	@echo "make format   clang-format over the tree"
	@echo "make docs     dialect reference in docs/dialects and $(BUILD)/docs; measures docs/coverage.md, docs/coverage-types.md and docs/ptx-coverage.md"
	@echo "make clean    remove $(BUILD)"

setup:
	@scripts/setup.sh

$(BUILD)/build.ninja: | setup
	@cmake --preset default

configure: setup $(BUILD)/build.ninja

build: configure
	@ninja -C $(BUILD)

demo: build
	@scripts/demo.sh $(BUILD)

test: build
	@scripts/test.sh $(BUILD)

# Another seed every time, unless one is given; the script prints it.
SECONDS := 600
SEED := $(shell date +%s)000
TARGETS := all
JOBS := $(shell nproc)

fuzz: build
	@test/EndToEnd/fuzz.py $(BUILD) --seed $(SEED) --seconds $(SECONDS) --targets $(TARGETS) --jobs $(JOBS)

bench: build
	@bench/run.sh $(BUILD)

docs: configure
	@ninja -C $(BUILD) docs tileiras tileiras-opt tileiras-run tileiras-translate unittests
	@scripts/coverage.py $(BUILD)
	@test/EndToEnd/op_types.py $(BUILD) --full --write
	@scripts/ptx_coverage.py $(BUILD)
	@scripts/nvgpu_contract.py $(BUILD)
	@test/NVGPU/run.py $(BUILD) --targets=all --write

format:
	@git ls-files '*.h' '*.cpp' | xargs -r $$(command -v clang-format-22 || command -v clang-format) -i

clean:
	@rm -rf $(BUILD)
