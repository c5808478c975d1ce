#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/run.sh [BUILD_DIR]
# Compile time of the example kernels, then every benchmark binary of the build.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}

python3 bench/compile_time.py --build "$build" examples/*.mlir

echo
echo "== predicted share of peak (docs/timing.md)"
python3 scripts/timing_table.py "$build"
echo
echo "== alternatives of the compiler, ranked by the model"
"$build/bin/tileiras-run" bench/timing/gemm.mlir --grid=32,32 --time=h200,a100 --rank= --rank=num-warps=4 --rank=num-warps=8 \
  --rank=tile-room=64 'a:bf16[4096x4096]=zeros' 'b:bf16[4096x4096]=zeros' 'c:bf16[4096x4096]=zeros' i32=4096 i32=4096 i32=4096

for binary in "$build"/bench/*; do
  [[ -f $binary && -x $binary ]] || continue
  echo
  echo "== $(basename "$binary")"
  "$binary"
done
