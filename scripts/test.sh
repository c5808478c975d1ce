#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/test.sh [BUILD_DIR]
# Runs every unit test binary and every lit test, and prints the sum as "N passed, N failed" on the last line.
# Exits non-zero when anything failed, when a test binary died, or when nothing ran at all.
set -uo pipefail
cd "$(dirname "$0")/.."
exec python3 scripts/run_tests.py "$@"
