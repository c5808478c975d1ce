#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/demo.sh [BUILD_DIR]
# Compiles a row softmax for Hopper, shows the PTX, runs it on the emulator and compares every element with the reference.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() { printf '\n\033[1m$ %s\033[0m\n' "$*"; "$@"; }

echo "A row softmax in Tile IR (examples/softmax.mlir):"
sed -n '/entry @/,$p' examples/softmax.mlir

step "$build/bin/tileiras" examples/softmax.mlir --gpu-name sm_90 --emit=ptx -o "$work/softmax.ptx"
echo "... $(wc -l < "$work/softmax.ptx") lines of PTX. The head of the kernel:"
sed -n '/^.version/,/^{/p' "$work/softmax.ptx"

step "$build/bin/tileiras-run" examples/softmax.mlir --entry=softmax --grid=37 --gpu-name=sm_90 \
  --engine=reference,emulator --check --tolerance=rel:1e-5,abs:1e-7 --summary \
  'x:f32[37x333]=normal(seed=1,std=3)' 'out:y:f32[37x333]=poison' i32=37 i32=333
