# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: licences.py ROOT: names the sources under ROOT whose licence is not said once; fails if there are any."""

import pathlib
import sys

HEADER = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SUFFIXES = {".h", ".cpp", ".c", ".td", ".py"}
LINES = 12  # within which it stands

root = pathlib.Path(sys.argv[1])
folders = [f for f in sorted(root.iterdir()) if f.is_dir() and not f.name.startswith((".", "build"))]
# What is precompiled has nothing of its own in it: lists of headers.
files = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix in SUFFIXES and p.is_file() and p.parent != root / "cmake")
wrong = 0
for path in files:
    lines = path.read_text(errors="replace").splitlines()
    # In the head of the file, and at the start of a comment nowhere else.
    said = [number for number, line in enumerate(lines, 1) if line.lstrip("/#*| ").startswith((HEADER, "Part of open-tileiras. " + HEADER))]
    if len(said) == 1 and said[0] <= LINES:
        continue
    wrong += 1
    print(f"{path.relative_to(root)}{f':{said[1]}' if len(said) > 1 else ''}: the licence is said {len(said)} times" if len(said) != 1 else
          f"{path.relative_to(root)}:{said[0]}: the licence does not stand at the head")
print(f"{len(files)} files, {wrong} whose licence is not said once")
sys.exit(bool(wrong) or not files)
