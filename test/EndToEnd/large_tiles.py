#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles of 16,384 to 131,072 elements (and more): every class of operations of large_kernels.py on every element type compiles for
every target within a time, is assembled, and gives what the reference gives.

usage: large_tiles.py BUILD_DIR [--report FILE.json] [--all] [--sizes N,N] [--types T,T] [--classes NAME,NAME] [--targets sm_80,sm_90]
                      [--warps N] [--run N] [--seconds N] [--table FILE] [--jobs N] [-v]

Without --all this is a sample of a few seconds. --run N executes every N-th kernel, 0 none. Spilled bytes are reported, not refused.
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import large_kernels
import run as endtoend
import targets
from harness import conclude, find_ptxas, run_all

TARGETS = sorted({*targets.sample(), targets.others()[0]}, key=targets.names().index)  # sm_80, 86, 90, 100, 120
SECONDS = 10  # of processor time that a compilation may take


def command(words, seconds=600):
    """(exit status, what it said, processor time)."""
    with tempfile.TemporaryFile() as said:
        start = time.monotonic()
        process = subprocess.Popen(words, stdout=said, stderr=subprocess.STDOUT)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                break
            if time.monotonic() - start > seconds:
                process.kill()
                process.wait()
                return -1, f"timeout after {seconds} s", seconds
            time.sleep(0.005)
        said.seek(0)
        return process.returncode, said.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime


class Checker:
    def __init__(self, build, folder, seconds):
        self.tools, self.folder, self.seconds, self.ptxas = pathlib.Path(build).resolve() / "bin", pathlib.Path(folder), seconds, find_ptxas()
        self.rows = []

    def check(self, group, n, t, case, target, execute):
        base = self.folder / f"{case.name}-{target}"
        source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
        source.write_text(case.text)
        error, spilled = None, 0
        code, text, spent = command([str(self.tools / "tileiras"), "--emit=ptx", f"--gpu-name={target}", "-o", str(ptx), str(source)])
        if code != 0:
            error = "refused: " + text if code > 0 else f"died ({code}): {text}"
        elif spent > self.seconds:
            error = f"takes {spent:.1f} s to compile"
        if error is None and targets.can_assemble(self.ptxas, target):
            code, text, _ = command([self.ptxas, "-v", f"-arch={endtoend.compiled_as(target)}", str(ptx), "-o", "/dev/null"])
            spilled = endtoend.spilled_bytes(text)
            if code != 0:
                error = "ptxas: " + text
        if error is None and execute:
            code, text, _ = command([str(self.tools / "tileiras-run"), str(source), "--engine=reference,emulator", "--check", f"--gpu-name={target}",
                                     f"--tolerance={case.tolerance}", "--threads=1", "--max-steps=100000000", *case.args])
            if code != 0:
                error = f"exit status {code}: {text}"
        self.rows.append((group, n, t, target, case.name, spent, spilled, error, execute))
        for path in (source, ptx):
            path.unlink(missing_ok=True)
        return error

    def table(self):
        """Per class and size: kernels, refused or wrong, spilling, bytes, slowest."""
        groups = collections.defaultdict(list)
        for row in self.rows:
            groups[row[0], row[1]].append(row)
        lines = ["| class | elements | compiled | not ok | executed | spill | most bytes | slowest |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
        for (group, n), rows in sorted(groups.items()):
            lines.append(f"| {group} | {n:,} | {len(rows)} | {sum(r[7] is not None for r in rows)} | {sum(bool(r[8]) for r in rows)} | {sum(r[6] > 0 for r in rows)} | "
                         f"{max(r[6] for r in rows):,} | {max(r[5] for r in rows):.2f} s |")
        return "\n".join(lines) + "\n"


# Refused once for shared memory, or for too few threads.
REFUSED_ONCE = [("transpose", "transpose-131072-f16", "sm_80"), ("transpose", "transpose-16384-f64", "sm_86"), ("permute", "permute201-131072-f32", "sm_80"),
                ("scan", "scan0of16384-16384-f32", "sm_86"), ("scan", "scan1of256x512-reverse-131072-f16", "sm_80"), ("scan_pairs", "scanpairs1-16384-i8", "sm_80"),
                ("padding", "padding-nan-16384-f32", "sm_80"), ("hinted", "hinted-131072-f16", "sm_90")]


def sample():
    """Kernels that were refused once, and of every class one; sizes, types and targets in turn."""
    found = []
    for number, make in enumerate(large_kernels.CLASSES):
        rows = list(large_kernels.cases([1 << 14, 1 << 17], large_kernels.TYPES, [make]))
        old = [(row, target) for row in rows for group, name, target in REFUSED_ONCE if row[3].name == name]
        assert len(old) == sum(group == make.__name__ for group, _, _ in REFUSED_ONCE)
        one = rows[7 * number % len(rows)]
        found += [(*row, target, True) for row, target in old + [(one, TARGETS[number % len(TARGETS)])]]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sizes", default=",".join(map(str, large_kernels.SIZES)))
    parser.add_argument("--types", default=",".join(large_kernels.TYPES))
    parser.add_argument("--classes", default=",".join(c.__name__ for c in large_kernels.CLASSES))
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--filter", default="")
    parser.add_argument("--run", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tileiras-large-") as folder:
        checker = Checker(args.build, folder, args.seconds)
        if args.all:
            chosen = [c for c in large_kernels.CLASSES if c.__name__ in args.classes.split(",")]
            made = large_kernels.cases([int(s) for s in args.sizes.split(",")], args.types.split(","), chosen)
            work = [(*row, target) for row in made for target in args.targets.split(",")]
            work = [row for row in work if args.filter in f"{row[3].name} {row[4]}"]
            work = [(*row, bool(args.run) and i % args.run == 0) for i, row in enumerate(work)]
        else:
            work = sample()
        outcome = run_all([(f"{w[3].name} {w[4]}", lambda w=w: checker.check(*w)) for w in work], args.jobs, args.v)
        if args.table:
            pathlib.Path(args.table).write_text(checker.table())
        spilling = [row for row in checker.rows if row[6]]
        print(f"spills: {len(spilling)} of {len(checker.rows)} kernels")
        for row in sorted(spilling, key=lambda row: -row[6])[:20 if args.v else 0]:
            print(f"  {row[6]} bytes: {row[4]} {row[3]}")
    return conclude("large tiles:", *outcome, args.report)


if __name__ == "__main__":
    sys.exit(main())
