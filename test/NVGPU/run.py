#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes every row of the nvgpu contract: kernels in MLIR, compiled to PTX for every target that has the instruction,
assembled by ptxas (where there is one), looked through for the instruction, run on the emulator and compared with an
oracle in Python; below the floor, the diagnostic. Kernels with a planted mistake must be reported.

usage: run.py BUILD_DIR [--filter TEXT] [--targets sm_80,sm_90a|all] [--groups rows_tma,...] [--write | --mutate]
              [--mlir-opt PATH] [--report FILE] [--jobs N] [-v]

--write makes BUILD/docs/nvgpu-tests.md. --mlir-opt takes the kernels through
upstream's passes instead, to see what those make of them. --mutate runs every kernel without each of its synchronising
operations (mutants.py); a run of everything takes a sample of that, and of
compilation with --opt-level=0. Kernels of one file of rows are compiled together; if that fails, each by itself, so that every row has its own result.
"""

import argparse
import concurrent.futures
import copy
import dataclasses
import functools
import json
import os
import pathlib
import re
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent / "EndToEnd"))

import compilers  # noqa: E402
import formats  # noqa: E402
import mutants  # noqa: E402
import table  # noqa: E402
from case import SAMPLE, TARGETS  # noqa: E402
from emulator import Emulator, EmulatorError, Hidden  # noqa: E402
from harness import find_ptxas  # noqa: E402

GROUPS = ["rows_copy", "rows_mma", "rows_mbarrier", "rows_ldmatrix", "rows_tma", "rows_sparse", "rows_warpgroup", "rows_packed", "rows_extension", "rows_gpu", "rows_host"]
MUTATED = ["rows_copy", "rows_mbarrier", "rows_tma"], "sm_90a"
UNOPTIMISED = ["rows_warpgroup", "rows_sparse"]
STEPS = 2_000_000  # warp instructions of a block: an endless loop is a failed test


@functools.cache  # workers are forks, which find it filled
def cases_of(group):
    rows = __import__(group).cases()
    names = [case.name for case in rows]
    assert len(set(names)) == len(names), f"{group}: a kernel's name is used twice"
    return rows


def entry_text(ptx, name):
    """The text of one kernel."""
    found = re.search(rf"\.entry {name}\(.*?(?=\.entry |\Z)", ptx, re.S)
    return found[0] if found else ""


def execute(emulator, module, case, timing):
    """None, or what is wrong."""
    arguments = copy.deepcopy(case.args)  # they are written to
    try:
        output = emulator.run(module, case.grid, arguments, kernel=case.name, block=case.block, shared=case.shared,
                              cluster=case.cluster, async_timing=timing, check_races=1, capture_output=1, host_threads=1,
                              max_warp_instructions=STEPS)
    except EmulatorError as error:
        if any(kind in case.reports for kind in error.kinds) and case.says in str(error):
            return None
        if case.hostile:
            return f"reported as {error.kinds}, not as one of {case.reports} with '{case.says}':\n{error}"
        return str(error)
    if case.hostile:
        return f"the planted mistake was not reported ({' or '.join(case.reports)})"
    for index, want in case.expect.items():
        array = arguments[index]
        got = bytes(array[0] if isinstance(array, tuple) else array.array if isinstance(array, Hidden) else array)
        if got != want:
            at = next(i for i in range(len(want)) if got[i] != want[i]) if len(got) == len(want) else -1
            return (f"argument {index} differs first at byte {at} of {len(want)}: {got[max(at, 0):at + 16].hex()} instead of "
                    f"{want[max(at, 0):at + 16].hex()}")
    if case.output is not None and output != case.output:
        return f"printed {output!r} instead of {case.output!r}"
    return None


@dataclasses.dataclass
class Result:
    row: str
    name: str
    target: str
    kind: str    # run, planted, refused
    error: str   # None if all is well
    rows: list   # of the contract that the kernel exercises, or that it was refused for
    shown: list = ()  # those of which the PTX has the instructions


class Worker:
    def __init__(self, args):
        self.args = args
        self.emulator = Emulator(args.build)
        self.compiler = compilers.Upstream(args.mlir_opt) if args.mlir_opt else compilers.Ours(args.build)
        self.ptxas = find_ptxas()
        self.shown = {}  # by the name of a kernel, of the target that was last checked
        self.folder = tempfile.TemporaryDirectory(prefix="tileiras-nvgpu-")

    def compile(self, cases, target):
        text = ""
        for case in cases:
            host = ""
            if case.host:
                host, error = self.compiler.convert(case.host)
                if host is None:
                    return None, error
                # Every kernel brings a runtime of its own instead of the declaration.
                host = re.sub(r"^ *llvm\.func .*@mgpu\w+\([^{\n]*\n", "", host, flags=re.M)
                host = re.sub(r"@(mgpu\w+)", rf"@\1_{case.name}", host)
            text += case.text.replace("@HOST@", host)
        return self.compiler.compile(text, target)

    def check(self, cases, target, ptx):
        """Name -> None or what is wrong, of kernels that were compiled together; None: look at each by itself."""
        if self.ptxas and compilers.capability_known(self.ptxas, target):
            path = pathlib.Path(self.folder.name) / "kernels.ptx"
            error = compilers.assemble(self.ptxas, ptx, target, path)
            if error:
                return None if len(cases) > 1 else {cases[0].name: f"ptxas: {error}"}
        results = {}
        try:
            module = self.emulator.parse(ptx)
        except EmulatorError as error:
            return None if len(cases) > 1 else {cases[0].name: f"the emulator does not take the PTX: {error}"}
        for case in cases:
            text = entry_text(ptx, case.name)
            wrong = [f"no {p} in the PTX" for p in case.ptx if not re.search(p, text)]
            wrong += [f"{p} in the PTX" for p in case.absent if re.search(p, text)]
            if not case.hostile:
                self.shown[case.name] = table.shown(case, text, ptx)
            if not wrong:
                wrong = [f"timing {timing}: {error}" for timing in case.timings
                         if (error := execute(self.emulator, module, case, timing))]
            if wrong and self.args.v:
                wrong.append(text)
            results[case.name] = "\n".join(wrong) or None
        self.emulator.release(module)
        return results

    def mutate(self, group, target):
        """One result per kernel and operation taken out of it."""
        results = []
        work = [(op, mutant) for case in cases_of(group)
                if self.args.filter in f"{case.row} {case.name}" and case.floor.has(target) and not case.hostile
                for op, mutant in mutants.mutants(case)]
        ptx, _ = self.compile([mutant for _, mutant in work], target) if work else (None, "")
        module = self.emulator.parse(ptx) if ptx else None
        for op, mutant in work:
            mine, messages = (module, "")
            if not ptx:  # some do not compile any more
                text, messages = self.compile([mutant], target)
                mine = self.emulator.parse(text) if text else None
            caught = messages if mine is None else next(
                filter(None, (execute(self.emulator, mine, mutant, timing) for timing in (0, 1, 2))), None)
            wrong = None
            if not caught and not mutants.harmless(mutant.name):
                wrong = f"nobody misses {op}"
            results.append(Result(op, mutant.name, target, "mutant" if caught or wrong else "harmless", wrong, []))
            if mine is not None and not ptx:
                self.emulator.release(mine)
        if module is not None:
            self.emulator.release(module)
        return results

    def __call__(self, group, target, mode=""):
        start = time.monotonic()
        if mode == "mutants":
            return self.mutate(group, target), time.monotonic() - start
        if mode == "unoptimised":
            self.compiler.opt_level = 0
            results = [r for r in self.every(group, target) if r.kind in ("run", "planted")]
            self.compiler.opt_level = 3
            return [dataclasses.replace(r, kind=mode) for r in results], time.monotonic() - start
        return self.every(group, target), time.monotonic() - start

    def every(self, group, target):
        results = []
        cases = [c for c in cases_of(group) if self.args.filter in f"{c.row} {c.name}"]
        here = [c for c in cases if c.floor.has(target)]
        checked = None
        if here:
            ptx, _ = self.compile(here, target)
            checked = self.check(here, target, ptx) if ptx else None
        if checked is None:
            checked = {}
            for case in here:
                ptx, messages = self.compile([case], target)
                checked.update(self.check([case], target, ptx) if ptx else {case.name: f"not compiled: {messages}"})
        for case in here:
            results.append(Result(case.row, case.name, target, "planted" if case.hostile else "run", checked[case.name],
                                  table.exercised(case), self.shown.get(case.name, [])))
        below = [c for c in cases if not c.floor.has(target) and not c.hostile]
        return results + self.refused(below, target)

    def refused(self, cases, target):
        """Every one must be refused, with one error that names its operation and the target, at the operation."""
        if not cases:
            return []
        # The compiler stops counting after some errors; the pass by itself does not.
        ptx, messages = self.compiler.verify("".join(case.text for case in cases), target)
        errors = {}
        for line, column, message in re.findall(r"^[^:\n]*:(\d+):(\d+): error: (.*)", messages, re.M):
            errors.setdefault((int(line), int(column)), []).append(message)
        results, first = [], 2  # the text begins after the line that opens the module
        for case in cases:
            last = first + case.text.count("\n")
            here = [m for (line, _), m in errors.items() if first <= line < last]
            rows = table.exercised(case)
            lacking = [key for key in rows if not table.covers(key, target)]
            wrong = []
            if ptx:
                wrong.append("compiled for a target below its floor")
            if case.row not in [op for op, _ in lacking]:
                wrong.append(f"the contract says that {target} has {case.row}")
            for op, _ in lacking:
                wanted = rf"'{re.escape(op)}'( \([\w ]+\))? needs sm_\d+[af]?.*; the target is {target}$"
                if not any(len(m) == 1 and re.match(wanted, m[0]) for m in here):
                    wrong.append(f"no error '{wanted}', but {here or messages[-600:]}")
            wrong += [f"further errors: {m}" for m in here if len(m) != 1 or "; the target is " not in m[0]]
            results.append(Result(case.row, case.name, target, "refused", "\n".join(wrong) or None, lacking))
            first = last
        return results


worker = None


def start_worker(args):
    global worker
    worker = Worker(args)


def work(group, target, mode):
    return worker(group, target, mode)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    parser.add_argument("--filter", default="")
    parser.add_argument("--targets", default=",".join(SAMPLE))
    parser.add_argument("--groups", default=",".join(GROUPS))
    parser.add_argument("--mlir-opt")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--mutate", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    targets = TARGETS if args.targets == "all" else args.targets.split(",")
    formats.self_test()
    for group in args.groups.split(","):
        cases_of(group)
    results = []
    items = [(group, target, "mutants" if args.mutate else "") for target in targets for group in args.groups.split(",")]
    everything = not args.filter and not args.mlir_opt and not args.mutate and args.groups == ",".join(GROUPS)
    if everything and MUTATED[1] in targets:  # a sample of --mutate
        items += [(group, MUTATED[1], "mutants") for group in MUTATED[0]]
        items += [(group, MUTATED[1], "unoptimised") for group in (UNOPTIMISED if len(targets) < len(TARGETS) else GROUPS)]
    with concurrent.futures.ProcessPoolExecutor(args.jobs, initializer=start_worker, initargs=(args,)) as pool:
        for item, future in [(item, pool.submit(work, *item)) for item in items]:
            try:
                part, seconds = future.result()
            except Exception as error:  # a crash of the emulator is a failed test too
                part, seconds = [Result(item[0], item[0], item[1], "run", f"{type(error).__name__}: {error}", [])], 0
            results += part
            if args.v:
                print(f"{' '.join(filter(None, item))}: {len(part)} in {seconds:.2f} s", flush=True)
    failures = [r for r in results if r.error]
    for r in failures[:60]:
        print(f"FAIL: {r.row} {r.name} {r.target} ({r.kind})\n{r.error[:6000]}")
    passed, failed = len(results) - len(failures), len(failures)
    if everything:
        # Everything was run for these targets: is every row of the contract among it, and the page true?
        lines, wrong = table.cells([c for g in GROUPS for c in cases_of(g)], [r for r in results if not r.error], targets)
        if args.write and not failures and not wrong and targets == TARGETS:
            page = pathlib.Path(args.build) / "docs" / "nvgpu-tests.md"
            page.parent.mkdir(exist_ok=True)
            page.write_text(table.page(lines, targets))
        for text in wrong[:40]:
            print(f"FAIL: {text}")
        passed, failed = passed + (not wrong), failed + len(wrong)
    kinds = ", ".join(f"{sum(1 for r in results if r.kind == kind and not r.error)} {kind}" for kind in ("run", "refused", "planted", "mutant", "harmless", "unoptimised") if any(r.kind == kind for r in results))
    print(f"nvgpu: {passed} ok ({kinds}), {failed} not ok; targets {' '.join(targets)}" +
          ("" if find_ptxas() else "; no ptxas here, PTX not assembled"))
    if args.report:
        pathlib.Path(args.report).write_text(json.dumps({"passed": passed, "failed": failed}))
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
