#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests: every kernel of kernels.py, compiled for every target, executed on the emulator, compared with the reference.

usage: run.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_80,sm_90] [--jobs N] [-v]

A case passes when tileiras-run --check succeeds (the emulator reported nothing, results agree within the case's
tolerance) and, where ptxas is found, ptxas assembles the PTX for the target without spilling a register. faults.py adds
the planted faults.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import faults
import kernels
import matrix_faults

TARGETS = ["sm_80", "sm_90", "sm_100", "sm_120"]
TIMEOUT_S = 120


def find_ptxas():
    for candidate in (shutil.which("ptxas"), os.path.join(os.environ.get("CUDA_HOME", "/nowhere"), "bin/ptxas"),
                      "/usr/local/cuda/bin/ptxas"):
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    return None


def compiled_as(target):
    return target + "a" if int(target[3:]) >= 90 else target


def run(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, f"timeout after {TIMEOUT_S} s\n"


def spilled_bytes(text):
    """The most bytes per thread that a kernel spills, in what `ptxas -v` said."""
    return max((int(n) for n in re.findall(r"(\d+) bytes spill stores", text)), default=0)


# Other ways to compile and to run, tried on every third case.
VARIANTS = {"O0": ["--opt-level=0"], "w1": ["--pipeline-options=num-warps=1"], "w8": ["--pipeline-options=num-warps=8"],
            "schedules": ["--schedules=5"], "slices": ["--pipeline-options=tile-room=1"], "own-math": ["--pipeline-options=libdevice=false"]}


def run_case(case, target, tool, ptxas, folder, variant=None):
    base = pathlib.Path(folder) / f"{case.name}-{target}-{variant}"
    source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
    source.write_text(case.text)
    command = [str(tool), str(source), f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)),
               "--engine=reference,emulator", "--check", f"--gpu-name={target}",
               f"--tolerance={case.tolerance}",
               f"--save-ptx={ptx}", "--threads=1", *VARIANTS.get(variant, []), *case.args]
    code, output = run(command)
    if code == 0 and ptxas:
        code, output = run([ptxas, "-v", f"-arch={compiled_as(target)}", str(ptx), "-o", "/dev/null"])
        # Variants are not how anybody would compile the kernel.
        if code == 0 and variant is None and spilled_bytes(output):
            code, output = 1, f"spills registers:\n{output}"
    if code != 0:
        return f"{' '.join(command)}\nexit status {code}\n{output}"
    source.unlink()
    ptx.unlink()
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    parser.add_argument("--filter", default="")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    bin_dir = pathlib.Path(args.build).resolve() / "bin"
    ptxas = find_ptxas()
    passed, failures = 0, []
    slowest = []
    with tempfile.TemporaryDirectory(prefix="tileiras-e2e-") as folder:
        work = [(f"{case.name} {target}", run_case, (case, target, bin_dir / "tileiras-run", ptxas, folder))
                for case in kernels.all_cases() for target in args.targets.split(",")]
        for number, (variant, target) in enumerate(zip(VARIANTS, ["sm_80", "sm_90", "sm_90", "sm_90", "sm_90", "sm_90"])):
            work += [(f"{case.name} {target} {variant}", run_case,
                      (case, target, bin_dir / "tileiras-run", ptxas, folder, variant))
                     for case in kernels.all_cases()[number % 3::3] if target in args.targets]
        work += [(f"fault {name}", fn, (bin_dir, folder)) for name, fn in faults.ALL + matrix_faults.ALL]
        work = [w for w in work if args.filter in w[0]]

        def timed(item):
            start = time.monotonic()
            try:
                result = item[1](*item[2])
            except Exception as error:  # a broken harness is a failed test, not a lost one
                result = f"{type(error).__name__}: {error}"
            return result, time.monotonic() - start

        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for (name, _, _), (error, seconds) in zip(work, pool.map(timed, work)):
                slowest.append((seconds, name))
                if error is None:
                    passed += 1
                else:
                    failures.append((name, error))
                if args.v or error:
                    print(f"{'ok' if error is None else 'FAIL'}: {name} ({seconds:.2f} s)", flush=True)
    for name, error in failures[:40]:
        print(f"--- {name}\n{error[-3000:]}")
    for seconds, name in sorted(slowest, reverse=True)[:3]:
        print(f"slowest: {name} {seconds:.2f} s")
    print(f"end-to-end: {passed} ok, {len(failures)} not ok" + ("" if ptxas else "; no ptxas here, PTX not assembled"))
    if args.report:
        pathlib.Path(args.report).write_text(json.dumps({"passed": passed, "failed": len(failures)}))
    return 1 if failures or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
