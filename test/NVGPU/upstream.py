#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the reproducers of docs/upstream-mlir.md still show what they are there for.

usage: upstream.py MLIR_OPT

A block of MLIR in the page whose first line is `// RUN: mlir-opt OPTIONS` is run; what the `// SHOWS: REGEX` lines say must be
in the output or the diagnostics. A mistake that upstream has mended is reported, so that our pattern can go.
"""

import pathlib
import re
import shlex
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "upstream-mlir.md"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    shown = failed = without = 0
    title = ""
    for title, block in re.findall(r"^### ([^\n]*)\n(.*?)(?=^#|\Z)", PAGE.read_text(), re.M | re.S):
        texts = [t for t in re.findall(r"```mlir\n(.*?)```", block, re.S) if t.startswith("// RUN: mlir-opt")]
        without += not texts
        for text in texts:
            options = shlex.split(text.splitlines()[0][len("// RUN: mlir-opt"):])
            done = subprocess.run([sys.argv[1], *options], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            output = done.stdout.decode(errors="replace")
            missing = [p for p in re.findall(r"^// SHOWS: (.*)$", text, re.M) if not re.search(p, output)]
            shown, failed = shown + (not missing), failed + bool(missing)
            if missing:
                print(f"{title}: no {' and no '.join(missing)} in\n{output[:3000]}")
    print(f"upstream: {shown} mistakes shown, {failed} not; {without} entries have no command")
    return 1 if failed or not shown else 0


if __name__ == "__main__":
    sys.exit(main())
