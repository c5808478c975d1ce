#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether every test in the tree belongs to a suite of ctest: lit tests, unit tests, and scripts that count cases.

usage: inventory.py BUILD
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUFFIXES = {".mlir", ".test", ".ptx"}


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    listed = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], stdout=subprocess.PIPE, check=True, text=True)
    words = {word for test in json.loads(listed.stdout)["tests"] for word in test.get("command", [])}
    folders = [ROOT / pathlib.Path(w).relative_to(build / "test") for w in words if w.startswith(f"{build / 'test'}{os.sep}")]
    missing = []
    for path in sorted(ROOT.rglob("*")):
        inside = path.relative_to(ROOT).parts
        if any(part.startswith((".", "build")) for part in inside) or inside[0] == "shared" or not path.is_file():
            continue
        if path.suffix in SUFFIXES and "test" in inside[:-1] and "Inputs" not in inside and "Mutation" not in inside:
            if re.search(r"\bRUN:", path.read_text(errors="replace")) and not any(f in path.parents for f in folders):
                missing.append(f"{path.relative_to(ROOT)}: in no lit suite of test/CMakeLists.txt")
        elif path.suffix == ".py" and re.search(r'add_argument\("--report"|"--report" in sys.argv', path.read_text()):
            # Some scripts measure what is not in the repository.
            if str(path) not in words and path.name not in ("spills.py", "pipelined_loops.py", "corpus.py", "harness.py"):
                missing.append(f"{path.relative_to(ROOT)}: counts cases, and no suite runs it")
    for path in sorted((build / "unittests").iterdir()):
        if path.is_file() and os.access(path, os.X_OK) and str(path) not in words:
            missing.append(f"{path}: a unit test that ctest does not know (of a source that is gone? delete it)")
    for line in missing:
        print(line)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
