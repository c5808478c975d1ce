# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: format.py CLANG_FORMAT ROOT: names the C++ files under ROOT that `make format` would change; fails if there are any."""

import pathlib
import subprocess
import sys

tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
folders = [f for f in sorted(root.iterdir()) if f.is_dir() and not f.name.startswith((".", "build"))]
files = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix in (".h", ".cpp") and p.is_file())
done = subprocess.run([tool, "--dry-run", *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=root)
wrong = sorted({line.split(":", 1)[0] for line in done.stdout.splitlines() if "-Wclang-format-violations" in line})
for path in wrong:
    print(f"{path} is not formatted (make format)")
if not files or done.returncode:
    print(done.stdout[-2000:] if done.returncode else f"no C++ files under {root}")
print(f"{len(files)} files, {len(wrong)} not formatted")
sys.exit(bool(wrong) or done.returncode != 0 or not files)
