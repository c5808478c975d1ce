#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what is implemented and tested of every public cuda_tile operation, and writes BUILD/docs/coverage.md.

usage: coverage.py [BUILD] [--check] [--jobs N]

Nothing is looked up in a list of claims: the tools of the build are run on the lit tests and on the kernels of coverage_kernels.py. With
--check the exit status says whether the table has a hole: an operation of which something is not implemented, not tested or wrong.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "test" / "EndToEnd"), str(ROOT / "test")]

import coverage_kernels  # noqa: E402
import kernels  # noqa: E402
import targets  # noqa: E402

TARGETS = targets.sample()
LIT_TESTS = ROOT / "tileiras" / "Dialect" / "CudaTile" / "test"
TIMEOUT_S = 60
YES, NO = "yes", "–"


def run(words, text=None):
    try:
        done = subprocess.run([str(w) for w in words], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=TIMEOUT_S)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", f"error: timeout after {TIMEOUT_S} s"


def operations():
    """Mnemonic -> minor version of the bytecode that brought it, in the order of the opcodes."""
    table = (ROOT / "tileiras" / "Bytecode" / "OpTable.def").read_text()
    rows = re.findall(r'^TILEIR_(?:OP\(0x[0-9A-F]+, "(\w+)", (\d+)|MODULE_LEVEL_OP\(0x[0-9A-F]+, "(\w+)")', table, re.M)
    return {name or module_level: f"13.{minor or 1}" for name, minor, module_level in rows}


def names_in(generic):
    return set(re.findall(r'"cuda_tile\.(\w+)"', generic))


class Tools:
    def __init__(self, build):
        self.bin = pathlib.Path(build).resolve() / "bin"
        self.tileiras, self.opt, self.run, self.translate = (
            self.bin / n for n in ("tileiras", "tileiras-opt", "tileiras-run", "tileiras-translate"))
        for tool in (self.tileiras, self.opt, self.run, self.translate):
            if not tool.exists():
                sys.exit(f"coverage: there is no {tool}: build first")


def round_trips(tools):
    """Operations of the lit tests that print, parse and print again, if what is printed parses to the same."""
    found = set()
    for path in sorted(LIT_TESTS.glob("*.mlir")):
        if not re.search(r"^// RUN: tileiras-opt .*\| *tileiras-opt .*\| *FileCheck", path.read_text(), re.M):
            continue
        split = ["-split-input-file"] if "// -----" in path.read_text() else []
        code, printed, _ = run([tools.opt, path, *split])
        again_code, again, _ = run([tools.opt, *split], printed)
        generic_code, generic, _ = run([tools.opt, "-mlir-print-op-generic", *split], again)
        if code == again_code == generic_code == 0 and printed == again:
            found |= names_in(generic)
    return found


def refused_in_tests(tools, ops):
    """Operations at which a lit test expects an error, of tests that pass."""
    found = set()
    for path in sorted(LIT_TESTS.glob("*.mlir")):
        text = path.read_text()
        if "-verify-diagnostics" not in text:
            continue
        unregistered = ["-allow-unregistered-dialect"] if "-allow-unregistered-dialect" in text else []
        code, _, _ = run([tools.opt, path, "-split-input-file", "-verify-diagnostics", *unregistered])
        if code != 0:
            continue
        lines = text.split("\n")
        for at, line in enumerate(lines):
            place = re.search(r"expected-error *@(below|\+(\d+))", line)
            if not place:
                continue
            target = at + int(place[2] or 1)
            while target < len(lines) and lines[target].lstrip().startswith("//"):
                target += 1
            code_line = lines[target].strip() if target < len(lines) else ""
            op = re.match(r'(?:%[^=]*= *)?"?(?:cuda_tile\.)?(\w+)', code_line)
            if op and op[1] in ops:
                found.add(op[1])
    return found


def ran_end_to_end():
    """Operations in the cases of the end-to-end tests."""
    found = set()
    for case in kernels.all_cases():
        # A statement starts with its results, or at once with the mnemonic.
        found |= set(re.findall(r"^ *(?:%[^=\n]*= *)?(?:cuda_tile\.)?([a-z]\w*)", case.text, re.M))
    return found


def first_error(text, target=""):
    """The first diagnostic, without its location and with the target's name replaced, so that targets share a line."""
    errors = [line.split("error:", 1)[1].strip() for line in text.split("\n") if "error:" in line]
    return re.sub(rf"\b{target}\b", "the target", errors[0]) if errors else "ended without a diagnostic"


def measure(tools, name, kernel, folder):
    """Runs one kernel through every tool."""
    source, bytecode = folder / f"{name}.mlir", folder / f"{name}.bc"
    source.write_text(kernel.text)
    code, generic, error = run([tools.opt, "-mlir-print-op-generic", source])
    if code != 0:
        sys.exit(f"coverage: the kernel of '{name}' is refused by the parser: {error}")
    result = {"names": names_in(generic)}

    code, _, _ = run([tools.translate, "--mlir-to-cudatilebc", source, "-o", bytecode])
    back = run([tools.translate, "--cudatilebc-to-mlir", bytecode]) if code == 0 else (code, "", "")
    result["bytecode"] = back[0] == 0 and run([tools.opt, "-mlir-print-op-generic"], back[1])[1] == generic

    common = [source, "--entry=kernel", f"--grid={kernel.grid}", "--threads=1", f"--tolerance={kernel.tolerance}", *kernel.args]
    result["reference"] = run([tools.run, "--engine=reference", *common])[0] == 0
    for target in TARGETS:
        code, _, error = run([tools.tileiras, source, f"--gpu-name={target}", "--emit=ptx", "-o",
                              folder / f"{name}.{target}.ptx"])
        result[target] = None if code == 0 else first_error(error, target)
    result["emulator"] = "not compiled"
    for target in ["sm_90", *targets.sample()]:
        if result[target] is None:
            code, output, error = run([tools.run, "--engine=reference,emulator", "--check", f"--gpu-name={target}",
                                       *common])
            said = first_error(error) if "error:" in error else "\n".join(re.findall(r"mismatch:.*", output + error)[:1])
            result["emulator"] = None if code == 0 else f"exit status {code}: {said}"
            break
    return result


def page(tools, jobs):
    ops, all_kernels = operations(), coverage_kernels.kernels()
    if set(ops) != set(all_kernels):
        sys.exit(f"coverage: operations and kernels do not match: {sorted(set(ops) ^ set(all_kernels))}")
    with tempfile.TemporaryDirectory(prefix="tileiras-coverage-") as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        distinct = {all_kernels[name].text: name for name in ops}
        done = {text: pool.submit(measure, tools, name, all_kernels[name], pathlib.Path(folder)) for text, name in distinct.items()}
        printed, refused = round_trips(tools), refused_in_tests(tools, ops)
        executed = ran_end_to_end()
        results = {name: done[all_kernels[name].text].result() for name in ops}
    for name, result in results.items():
        if name not in result["names"]:
            sys.exit(f"coverage: the kernel of '{name}' does not contain it")

    columns = {"parse, print": lambda n, r: n in printed, "verifier": lambda n, r: n in refused, "bytecode": lambda n, r: r["bytecode"],
               "reference": lambda n, r: r["reference"]}
    columns |= {target: (lambda n, r, t=target: r[t] is None) for target in TARGETS}
    columns |= {"emulator": lambda n, r: r["emulator"] is None, "end-to-end": lambda n, r: n in executed}
    total, holes = collections.Counter(), []
    rows, notes = [], collections.defaultdict(list)
    for name in sorted(ops):
        cells = []
        for column, test in columns.items():
            good = bool(test(name, results[name]))
            total[column] += good
            if not good:
                holes.append(f"{name}: {column}")
            cells.append(YES if good else "refused" if column in TARGETS else NO)
        rows.append(f"| `{name}` | {ops[name]} | " + " | ".join(cells) + " |")
        for target in TARGETS:
            if results[name][target]:
                notes[name, results[name][target]].append(target)
        if results[name]["emulator"] not in (None, "not compiled"):
            notes[name, results[name]["emulator"]].append("emulator")
    text = f"""# Operations: what is implemented and tested

Measured by `scripts/coverage.py` (`make docs`, `make test`). A cell that is not `yes` fails `make test`.

| column | `yes` means |
|---|---|
| since | version of Tile IR bytecode |
| parse, print | the operation is in a lit test of `tileiras/Dialect/CudaTile/test` whose output, parsed again, prints the same |
| verifier | a test there expects an error at the operation |
| bytecode | a kernel of `scripts/coverage_kernels.py` with the operation, written as bytecode and read back, is the same |
| reference | the kernel runs on the reference evaluator |
| {', '.join(TARGETS)} | the kernel is compiled to PTX for the target; `refused`: with the diagnostic below the table |
| emulator | its PTX (sm_90, or the first target that takes it) runs on the emulator, without a report, and gives what the reference gives |
| end-to-end | the operation is in a kernel of `test/EndToEnd/kernels.py`, run for every target with several options |

"""
    text += "| operation | since | " + " | ".join(columns) + " |\n" + "|---" * (len(columns) + 2) + "|\n"
    text += "\n".join(rows) + "\n"
    text += f"| **{len(ops)}** | | " + " | ".join(f"**{total[c]}**" for c in columns) + " |\n"
    text += "\nOne kernel per operation, with one element type: a `yes` does not speak for every type, shape and modifier.\n"
    if notes:
        text += "\n## Diagnostics\n\n| operation | where | diagnostic |\n|---|---|---|\n"
        for (name, message), where in sorted(notes.items()):
            message = message.replace("|", "\\|").replace("<", "&lt;")
            text += f"| `{name}` | {', '.join(where)} | {message} |\n"
    return text, len(ops), total, holes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default=ROOT / "build")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    start = time.monotonic()
    text, count, total, holes = page(Tools(args.build), args.jobs)
    folder = pathlib.Path(args.build) / "docs"
    folder.mkdir(exist_ok=True)
    (folder / "coverage.md").write_text(text)
    for hole in holes:
        print(f"coverage: a hole: {hole} ({folder / 'coverage.md'} says more)")
    print(f"coverage: {count} operations; " + ", ".join(f"{c} {n}" for c, n in total.items()) + f" ({time.monotonic() - start:.1f} s)")
    return 1 if holes and args.check else 0


if __name__ == "__main__":
    sys.exit(main())
