# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has a kernel multiply one slice of a tile twice: of two slices of one tile the second becomes the first.

usage: wrong_slice.py FILE.mlir [FUNCTION]
"""

import re
import sys


def main():
    lines = open(sys.argv[1]).read().split("\n")
    function = sys.argv[2] if len(sys.argv) > 2 else "exact"
    start = next(i for i, line in enumerate(lines) if f"nv_tileaa.func @{function}(" in line)
    first = {}
    for i in range(start, len(lines)):
        found = re.match(r"(\s*%\S+ = nv_tileas\.extract_slice )(%\S+?)\[(.*?)\](.*)", lines[i])
        if not found:
            continue
        if found[2] in first and first[found[2]] != found[3]:
            lines[i] = f"{found[1]}{found[2]}[{first[found[2]]}]{found[4]}"
            print("\n".join(lines))
            return 0
        first.setdefault(found[2], found[3])
    sys.exit("no tile has two slices")


if __name__ == "__main__":
    sys.exit(main())
