#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every public operation on every element type, in every mode, for every target: compiled, run on the emulator, compared with the reference.

usage: op_types.py BUILD_DIR [--full] [--write] [--targets sm_80,...] [--filter REGEX] [--jobs N] [--report FILE.json]

The cases are those of op_table.py. Without --full each kernel runs for one of the targets, as in `make test`. --write (with --full) makes
BUILD/docs/coverage-types.md. An operation without a case for an element type is a failure. Beside the four targets of the page each kernel (without --full: every fourth) runs for one of the others.

A type that an operation does not take is one that the verifier refuses, naming the operation: this is asked for, not looked up.
"""

import argparse
import bisect
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "test" / "EndToEnd"), str(ROOT / "scripts"), str(ROOT / "test")]

import op_builder  # noqa: E402
import op_page  # noqa: E402
import op_table  # noqa: E402
from coverage import operations  # noqa: E402
from harness import find_ptxas  # noqa: E402
from run import compiled_as  # noqa: E402
import targets as build_targets  # noqa: E402

TARGETS = build_targets.sample()
OTHERS = build_targets.others()
TIMEOUT_S = 120
MOST_CASES = 24  # of one kernel


def run(command, text=None):
    try:
        done = subprocess.run([str(w) for w in command], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                              timeout=TIMEOUT_S)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", f"error: timeout after {TIMEOUT_S} s\n"


def ask_verifier(tools, cases, folder):
    """What the verifier says to each case by itself: {case name: diagnostic or None}. One process for all of them."""
    path, starts, text = folder / "verify.mlir", [], ""
    line = 1
    for case in cases:
        one = op_builder.build([case]).text()
        starts.append(line)
        text += one + "// -----\n"
        line += one.count("\n") + 1
    path.write_text(text)
    _, _, errors = run([tools / "tileiras-opt", "-split-input-file", "-o", os.devnull, path])
    said = {}
    for place, message in re.findall(r"^\S*?:(\d+):\d+: error: (.*)$", errors, re.M):
        said.setdefault(cases[bisect.bisect_right(starts, int(place)) - 1].name, message)
    return {case.name: said.get(case.name) for case in cases}


# Refusals that come before there is an operation to name: a literal or a type that cannot be written.
BEFORE_THE_OP = {"reduce": "expected non-function type", "scan": "expected non-function type", "constant": "expect element type to be one of", "global": "expect element type to be one of",
                 "*": r"F4E2M1FN tiles must have an even number|failed to verify constraint: element type|number type|pointee|element type of"}


def is_refusal(case, message):
    return f"'cuda_tile.{case.op}'" in message or any(re.search(BEFORE_THE_OP[k], message) for k in (case.op, "*") if k in BEFORE_THE_OP)


def judge(case, message):
    """What is wrong with the verifier's word on a case; None if nothing is."""
    if case.allowed:
        return f"refused, though the specification allows it: {message}" if message else None
    if not message:
        return "accepted, though the specification does not allow it"
    return None if is_refusal(case, message) else f"refused for another reason: {message}"


class Runner:
    def __init__(self, tools, folder, libdevice, ptxas):
        self.tools, self.folder, self.libdevice, self.ptxas = tools, folder, libdevice, ptxas
        self.written = set()
        self.runs = 0

    def run(self, cases, target):
        """{case name: None or what went wrong}."""
        b = op_builder.build(cases)
        base = self.folder / f"{abs(hash((cases[0].name, len(cases))))}-{target}"
        source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
        source.write_text(b.text())
        options = [] if self.libdevice else ["--pipeline-options=libdevice=false"]
        common = [self.tools / "tileiras-run", source, f"--grid={b.grid}", "--threads=1", f"--gpu-name={target}", *options,
                  *b.arguments(self.folder, self.written)]
        self.runs += 1
        code, out, err = run([*common, "--engine=reference,emulator", "--check", f"--save-ptx={ptx}"])
        wrong = {}
        if code == 7:
            names = dict(re.findall(r"^mismatch: .*?: '(\w+)': (.*)$", err, re.M))
            for a in b.arrays:
                if a.name in names and a.case:
                    wrong.setdefault(a.case.name, names.pop(a.name))
                elif a.name in names:
                    code = -2  # an input was overwritten: whose fault it is shows one by one
        if code == 0 and any(c.prints for c in cases):
            printed = [sorted(run([*common, f"--engine={e}"])[1].splitlines()) for e in ("reference", "emulator")]
            if printed[0] != printed[1] or not printed[0]:
                code, err = 1, f"prints {printed[1][:3]}, the reference {printed[0][:3]}"
        if code == 0 and build_targets.can_assemble(self.ptxas, target):
            code, out, err = run([self.ptxas, f"-arch={compiled_as(target)}", ptx, "-o", os.devnull])
        for path in (source, ptx):
            if path.exists() and (code == 0 or len(cases) > 1):
                path.unlink()
        if code not in (0, 7) or (code == 7 and not wrong):
            if len(cases) > 1:  # which of them is it
                result = {}
                for case in cases:
                    result |= self.run([case], target)
                return result
            return {cases[0].name: (err.strip() or out.strip() or f"exit status {code}")[-600:]}
        return {case.name: wrong.get(case.name) for case in cases}


def kernels(cases):
    """Cases of one group and grid, so many at a time."""
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case.group, case.grid, case.prints].append(case)
    result = []
    for members in groups.values():
        pieces = -(-len(members) // MOST_CASES)
        size = -(-len(members) // pieces)
        result += [members[i:i + size] for i in range(0, len(members), size)]
    return result


def planted(tools, runner, folder):
    """Mistakes that must be noticed, and blamed on the right case."""
    def unary(name, op, t, suffix="", **more):
        return op_builder.Case(name, t, "", lambda b: b.store(b.op(f"{op} {b.load(t)}{suffix} : {op_builder.tile(t)}"), t), **more)

    def outside(b):  # an address that is none
        p = b.op(f"int_to_ptr {b.constant('i64', 4096)} : tile<i64> -> tile<ptr<f32>>")
        x = b.name("x")
        b.line(f"{x}, {x}_t = load_ptr_tko weak {p} : tile<ptr<f32>> -> tile<f32>, token")
        b.store(x, "f32", ())
    wrong = []
    allowed, refused = unary("sin", "sin", "i32"), unary("absf", "absf", "f32", allowed=False)
    other = unary("negf", "absf", "i32", allowed=False)  # refused, but not at the operation it is about
    said = ask_verifier(tools, [allowed, refused, other], folder)
    for case, word in ((allowed, "allows it"), (refused, "does not allow"), (other, "another reason")):
        if word not in str(judge(case, said[case.name])):
            wrong.append((f"planted mistake: {case.name}", f"was not noticed: {judge(case, said[case.name])}"))
    right, inexact = unary("right", "absf", "f32"), unary("inexact", "exp", "f32", " rounding<approx>")
    found = runner.run([right, inexact], "sm_90")
    if found[right.name] or "differ" not in str(found[inexact.name]):
        wrong.append(("planted mistake: an approximation called exact", f"gave {found}"))
    reader = op_builder.Case("outside", "f32", "", outside)
    found = runner.run([right, reader], "sm_90")
    if found[right.name] or "in no allocation" not in str(found[reader.name]):
        wrong.append(("planted mistake: an address outside every allocation", f"gave {found}"))
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--full", action="store_true", help="every kernel for every target")
    parser.add_argument("--write", action="store_true", help="write BUILD/docs/coverage-types.md")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--filter", default="", help="regular expression on the names of cases")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--part", type=int, default=0, help="which quarter of the runs, without --full")
    parser.add_argument("--own-math", action="store_true", help="functions from our own library, as without a CUDA toolkit")
    parser.add_argument("--no-run", action="store_true", help="ask the verifier only")
    parser.add_argument("--show", type=int, default=40, help="how many failures to print")
    parser.add_argument("--report")
    args = parser.parse_args()
    start = time.monotonic()
    tools = pathlib.Path(args.build).resolve() / "bin"
    every = op_table.cases()
    cases = [c for c in every if re.search(args.filter, c.name)]
    failures, results = [], collections.defaultdict(dict)
    with tempfile.TemporaryDirectory(prefix="tileiras-types-") as name:
        folder = pathlib.Path(name)
        # What is allowed is parsed when it is compiled; here only the ones that must be refused.
        said = ask_verifier(tools, [c for c in cases if args.no_run or not c.allowed], folder)
        for case in cases:
            if wrong := judge(case, said.get(case.name)):
                failures.append((case.name, wrong))
        runnable = [c for c in cases if c.allowed and not said.get(c.name)]
        runner = Runner(tools, folder, not args.own_math, find_ptxas())
        targets = args.targets.split(",")
        work = []
        for number, kernel in enumerate(kernels(runnable)):
            mine = targets if args.full or len(targets) < 2 else [targets[(number + args.part) % len(targets)]]
            work += [(kernel, t) for t in mine]
            if targets == TARGETS and (args.full or (number + args.part) % 4 == 0):
                work.append((kernel, OTHERS[(number // 4 + args.part) % len(OTHERS)]))
        if args.no_run:
            work = []
        if work and not args.filter:
            failures += planted(tools, runner, folder)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for (kernel, target), outcome in zip(work, pool.map(lambda w: runner.run(*w), work)):
                for case, wrong in outcome.items():
                    results[case][target] = wrong
                    if wrong:
                        failures.append((f"{case}, {target}", wrong))
    done = sum(len(r) for r in results.values()) + sum(not c.allowed for c in cases)
    ops = operations()
    failures += [(cell, "a hole: op_table.py has no case") for cell in op_page.holes(every, ops)]
    if args.write:
        if not (args.full and targets == TARGETS and not args.filter):
            sys.exit("op_types: --write needs --full, all targets and no filter")
        page = pathlib.Path(args.build) / "docs" / "coverage-types.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(op_page.page(every, said, results, TARGETS, ops))
    for name, why in failures[:args.show]:
        print(f"FAIL: {name}\n    " + why.replace("\n", "\n    "))
    print(f"op-types: {len(cases)} cases, {runner.runs} runs, {done - len(failures)} ok, {len(failures)} not ok ({time.monotonic() - start:.1f} s)")
    if args.report:
        pathlib.Path(args.report).write_text(json.dumps({"passed": max(0, done - len(failures)), "failed": len(failures)}))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
