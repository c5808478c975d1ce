#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the command lines that stand in the heads of examples/*.mlir, each for every target, and assembles what they compile.

usage: examples.py BUILD_DIR [--report FILE.json]
"""

import json
import pathlib
import re
import shlex
import sys
import tempfile

import harness
import run

ROOT = pathlib.Path(__file__).resolve().parents[2]


def commands(path):
    """The tileiras-run lines of the leading comment, continued by backslashes."""
    head = []
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        head.append(line[2:].strip())
    text = re.sub(r"\\\n", " ", "\n".join(head))
    return [shlex.split(line) for line in text.splitlines() if line.startswith("tileiras-run ")]


def check(command, target, bin_dir, folder, ptxas):
    name = next(a for a in command if a.endswith(".mlir"))
    ptx = pathlib.Path(folder) / "example.ptx"
    full = [str(bin_dir / command[0])] + [str(ROOT / a) if a == name else a for a in command[1:] if not a.startswith("--gpu-name")]
    if "--check" not in full:
        return "the command compares nothing"
    code, output = run.run(full + [f"--gpu-name={target}", f"--save-ptx={ptx}"])
    if code == 0 and run.targets.can_assemble(ptxas, target):
        code, output = run.run([ptxas, f"-arch={run.compiled_as(target)}", str(ptx), "-o", "/dev/null"])
    return None if code == 0 else f"exit status {code}\n{output}"


def main():
    bin_dir = pathlib.Path(sys.argv[1]).resolve() / "bin"
    report = sys.argv[sys.argv.index("--report") + 1] if "--report" in sys.argv else None
    passed = failed = 0
    readme = (ROOT / "examples" / "README.md").read_text()
    with tempfile.TemporaryDirectory(prefix="tileiras-examples-") as folder:
        for path in sorted((ROOT / "examples").glob("*.mlir")):
            found = commands(path)
            errors = [] if found else ["no command line in its head"]
            errors += [] if path.name in readme else ["not in examples/README.md"]
            for command in found:
                for target in run.TARGETS:
                    error = check(command, target, bin_dir, folder, harness.find_ptxas())
                    passed += error is None
                    errors += [f"{target}: {error}"] if error else []
            failed += len(errors)
            for error in errors:
                print(f"FAIL: {path.name}: {error}")
    print(f"examples: {passed} ok, {failed} not ok")
    if report:
        pathlib.Path(report).write_text(json.dumps({"passed": passed, "failed": failed}))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
