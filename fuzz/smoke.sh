#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: fuzz/smoke.sh [SECONDS]
# Builds the fuzzers with sanitizers (in build-fuzz/) and runs both at once for a while (default 30 s) from seeds: the
# tests' modules, and a sample of $TILEIRAS_CORPUS or ../shared/corpus where there is one. Needs libclang-rt-22-dev,
# and the ordinary build/ for seeds of bytecode. docs/fuzzing.md says more.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-30}
build=build-fuzz
jobs=${TILEIRAS_JOBS:-$(nproc)}

cmake --preset fuzz >/dev/null
ninja -C "$build" -j "$jobs" BytecodeReaderFuzzer TextFuzzer

seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
mkdir -p "$build/found"
corpus=${TILEIRAS_CORPUS:-../shared/corpus}
fuzz/seeds.py build "$seeds" $([[ -d $corpus ]] && echo --corpus "$corpus")

# MLIR's libraries are not instrumented: containers and arenas that cross into them look overflown to ASan.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:${ASAN_OPTIONS:-} UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
options=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=16384 -print_final_stats=1)
"$build/fuzz/BytecodeReaderFuzzer" "${options[@]}" -artifact_prefix="$build/found/BytecodeReaderFuzzer-" \
  "$seeds/bytecode" >"$build/found/BytecodeReaderFuzzer.log" 2>&1 &
bytecode=$!
"$build/fuzz/TextFuzzer" "${options[@]}" -artifact_prefix="$build/found/TextFuzzer-" -dict="$seeds/text.dict" \
  "$seeds/text" >"$build/found/TextFuzzer.log" 2>&1 &
text=$!
status=0
wait "$bytecode" || status=1
wait "$text" || status=1
tail -n 12 "$build/found/BytecodeReaderFuzzer.log" "$build/found/TextFuzzer.log"
[[ $status -eq 0 ]] && echo "fuzz: nothing found in $seconds s each"
exit $status
