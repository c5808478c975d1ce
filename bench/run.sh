#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/run.sh [BUILD_DIR]
# Compile time of the example kernels, then every benchmark binary of the build.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}

python3 bench/compile_time.py --build "$build" examples/*.mlir
for binary in "$build"/bench/*; do
  [[ -f $binary && -x $binary ]] || continue
  echo
  echo "== $(basename "$binary")"
  "$binary"
done
