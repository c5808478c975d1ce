#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: fuzz/smoke.sh [SECONDS]
# Builds the fuzzers with sanitizers (in build-fuzz/) and runs each for a while (default 30 s) from seeds: the tests'
# modules, and a sample of $TILEIRAS_CORPUS or ../shared/corpus where there is one. Needs libclang-rt-22-dev.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-30}
build=build-fuzz
jobs=${TILEIRAS_JOBS:-$(nproc)}

cmake --preset fuzz >/dev/null
ninja -C "$build" -j "$jobs" BytecodeReaderFuzzer TextFuzzer

seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
mkdir -p "$seeds/text" "$seeds/bytecode" "$build/found"
cp tileiras/Bytecode/test/*.mlir tileiras/Dialect/CudaTile/test/*.mlir "$seeds/text/" 2>/dev/null || true
# The fuzzers need bytes to start from: translate what the ordinary build can translate.
translate=build/bin/tileiras-translate
if [[ -x $translate ]]; then
  for version in 13.1 13.2 13.3 13.4; do
    for file in tileiras/Bytecode/test/*.mlir; do
      "$translate" -mlir-to-cudatilebc --bytecode-version=$version "$file" \
        -o "$seeds/bytecode/$(basename "$file" .mlir)-$version" 2>/dev/null || true
    done
  done
fi
corpus=${TILEIRAS_CORPUS:-../shared/corpus}
if [[ -d $corpus ]]; then
  find "$corpus" -name '*.tileirbc' -size -3k | sort | awk 'NR % 15 == 0' | while read -r file; do
    cp "$file" "$seeds/bytecode/"
  done
fi
echo "seeds: $(ls "$seeds/bytecode" | wc -l) of bytecode, $(ls "$seeds/text" | wc -l) of text"

# MLIR's libraries are not instrumented: containers that cross into them look overflown to ASan, and what contexts
# keep for good looks leaked.
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
for run in BytecodeReaderFuzzer:bytecode TextFuzzer:text; do
  fuzzer=${run%%:*}
  "$build/fuzz/$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1 \
    -artifact_prefix="$build/found/$fuzzer-" "$seeds/${run##*:}" 2>&1 | tail -n 12
done
echo "fuzz: nothing found in $seconds s each"
