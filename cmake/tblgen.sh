#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: tblgen.sh MLIR-TBLGEN ARGS...
# Runs mlir-tblgen. Where the output differs from the one that is there only in documentation comments, which come from ODS
# descriptions, the old file stays as it is: nobody wants to compile everything again because of a better sentence.
out= previous=
for arg; do
  [ "$previous" = -o ] && out=$arg
  previous=$arg
done

[ -f "$out" ] && cp -p "$out" "$out.before"
"$@" || { status=$?; rm -f "$out.before"; exit $status; }
if [ -f "$out.before" ]; then
  grep -v '^ *///' "$out.before" > "$out.code"
  if grep -v '^ *///' "$out" | cmp -s - "$out.code"; then
    mv "$out.before" "$out"
  fi
  rm -f "$out.before" "$out.code"
fi
