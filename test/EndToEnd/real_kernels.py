#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels, compiled for every target, run on the emulator and compared with the reference evaluator and with what
plain Python computes from the formulas (oracle.py).

usage: real_kernels.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_80,sm_90] [--jobs N] [--keep FOLDER] [-v]
       real_kernels.py BUILD_DIR --random SECONDS [--seed N] ...     random types and shapes instead (real_random.py)

A case passes when tileiras-run --check succeeds: nothing was reported, the emulator agrees with the reference, and both
with the expected arrays; and when ptxas, where there is one, assembles the PTX. real_faults.py adds planted faults.
"""

import argparse
import os
import pathlib
import random
import sys
import tempfile
import threading
import time
import traceback

import harness
import real_attention
import real_matrix
import real_more
import real_norms
import real_quant
import real_routing
import real_rows
import run

# Other ways to compile and to run, tried on some cases for one target each.
VARIANTS = [("O0", "sm_80", ["--opt-level=0"]), ("w1", "sm_90", ["--pipeline-options=num-warps=1"]), ("w8", "sm_120", ["--pipeline-options=num-warps=8"]),
            ("schedules", "sm_100", ["--schedules=4"]), ("own-math", "sm_90", ["--pipeline-options=libdevice=false"]),
            ("slices", "sm_80", ["--pipeline-options=tile-room=1"])]
MODULES = [real_norms, real_rows, real_matrix, real_attention, real_routing, real_quant, real_more]


def all_cases():
    return [case for module in MODULES for case in module.cases()]


def command_of(case, target, tool, folder, *more):
    source = folder / f"{case.name}.mlir"
    if not source.exists():
        source.write_text(case.text)
    return [str(tool), str(source), f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--engine=reference,emulator",
            "--check", f"--gpu-name={target}", "--tolerance=" + case.tolerance.replace("/", ","), "--threads=1", *more, *case.arguments(folder)]


def run_case(case, target, tool, ptxas, folder, label="", options=()):
    ptx = folder / f"{case.name}-{target}{label}.ptx"
    command = command_of(case, target, tool, folder, f"--save-ptx={ptx}", *options)
    code, output = run.run(command)
    if code == 0 and run.targets.can_assemble(ptxas, target):
        code, output = run.run([ptxas, f"-arch={run.compiled_as(target)}", str(ptx), "-o", "/dev/null"])
    return None if code == 0 else f"{' '.join(command)}\nexit status {code}\n{output}"


OPTIONS = [[], [], ["--opt-level=0"], ["--pipeline-options=num-warps=1"], ["--pipeline-options=num-warps=2"], ["--pipeline-options=num-warps=8"],
           ["--schedules=3"], ["--pipeline-options=libdevice=false"], ["--pipeline-options=tile-room=1"], ["--pipeline-options=tile-room=1 num-warps=2"]]


def run_random(args, tool, ptxas, folder):
    """Each seed is one kernel, one target, one way to compile; what fails says its seed, which --seed repeats first."""
    import real_random
    end, seed, lock = time.monotonic() + args.random, args.seed, threading.Lock()
    failures, done = [], 0
    print(f"random kernels: first seed {seed}", flush=True)

    def worker():
        nonlocal seed, done
        while True:
            with lock:
                if time.monotonic() >= end:
                    return
                mine, seed = seed, seed + 1
            source = random.Random(mine)
            name = "?"
            try:
                case = real_random.random_case(source)
                name, case.name = case.name, f"{mine}-{case.name}"
                target, options = source.choice(args.targets.split(",")), source.choice(OPTIONS)
                if args.filter not in name:
                    continue
                error = run_case(case, target, tool, ptxas, folder, options=options)
            except Exception as problem:
                error = f"{type(problem).__name__}: {problem}\n{traceback.format_exc()}"
            with lock:
                done += 1
                if error:
                    failures.append(mine)
                    print(f"--- seed {mine}: {name}\n{error[-2500:]}", flush=True)
                elif args.v:
                    print(f"ok: seed {mine}: {name}", flush=True)
            for path in folder.glob(f"{mine}-*") if not error else []:
                path.unlink()
    workers = [threading.Thread(target=worker) for _ in range(args.jobs)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    print(f"random kernels: {done - len(failures)} ok, {len(failures)} not ok, seeds {args.seed} to {seed - 1}; failed: {failures}")
    return 1 if failures or not done else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    parser.add_argument("--filter", default="")
    parser.add_argument("--targets", default=",".join(run.TARGETS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="leave modules, data and PTX in this folder")
    parser.add_argument("--natural", action="store_true", help="the kernels with large tiles, for every target, and nothing else")
    parser.add_argument("--random", type=float, metavar="SECONDS", help="random kernels for so long")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    tool = pathlib.Path(args.build).resolve() / "bin" / "tileiras-run"
    ptxas = harness.find_ptxas()
    with tempfile.TemporaryDirectory(prefix="tileiras-real-") as scratch:
        folder = pathlib.Path(args.keep or scratch)
        folder.mkdir(exist_ok=True)
        if args.random:
            return run_random(args, tool, ptxas, folder)
        work = []
        import real_natural  # these import this module
        import real_faults
        natural = real_natural.cases(args.targets.split(",") if args.natural else None)
        small = [] if args.natural else all_cases()
        names = [case.name for case in small + natural]
        assert len(set(names)) == len(names), "two cases of one name"
        for number, case in enumerate(small + natural):
            command_of(case, "", tool, folder)  # writes the files, before several runs share them
            work += [(f"{case.name} {target}", lambda c=case, t=target: run_case(c, t, tool, ptxas, folder)) for target in case.targets or args.targets.split(",") if target in args.targets]
            for i, (label, target, options) in enumerate(VARIANTS):
                if target not in args.targets or case.targets or (i != number % len(VARIANTS) and label not in case.variants):
                    continue
                work.append((f"{case.name} {target} {label}", lambda c=case, t=target, n=label, o=options: run_case(c, t, tool, ptxas, folder, "-" + n, o)))
        for name, check in [] if args.natural else real_faults.all_faults():
            work.append((f"fault {name}", lambda c=check: c(tool, folder)))
        work = [w for w in work if args.filter in w[0]]
        outcome = harness.run_all(work, args.jobs, args.v)
    return harness.conclude("real kernels:", *outcome, args.report)


if __name__ == "__main__":
    sys.exit(main())
