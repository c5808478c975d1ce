#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""End-to-end tests: every kernel of kernels.py, compiled for every target, executed on the emulator, compared with the reference.

usage: run.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_80,sm_90] [--jobs N] [-v]

A case passes when tileiras-run --check succeeds (the emulator reported nothing, results agree within the case's
tolerance) and, where ptxas is found, ptxas assembles the PTX for the target without spilling a register. faults.py adds
the planted faults.
"""

import functools
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import faults
import kernels
import matrix_faults
import targets
from harness import conclude, find_ptxas, run_all, suite_arguments

TARGETS = targets.sample()
# A command may take this much processor time, and for so long it may wait: on a busy machine a process has a small part of a processor.
LIMIT_CPU_S, TIMEOUT_S = 240, 1200


compiled_as = targets.compiled_as


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_CPU_S, LIMIT_CPU_S + 5))


def run(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S, preexec_fn=limit_time)
    except subprocess.TimeoutExpired:
        return -1, f"timeout after {TIMEOUT_S} s\n"
    output = done.stdout.decode(errors="replace")
    if done.returncode == -signal.SIGXCPU:
        output += f"more than {LIMIT_CPU_S} s of processor time\n"
    return done.returncode, output


def spilled_bytes(text):
    """The most bytes per thread that a kernel spills, in what `ptxas -v` said."""
    return max((int(n) for n in re.findall(r"(\d+) bytes spill stores", text)), default=0)


def reported(tool, ptx, arguments, why):
    """None if the race checker reports something of the broken PTX under early, late or random completion; else what it printed."""
    for timing in ("late", "early", "random"):
        code, output = run([str(tool), str(ptx), "--check-races", f"--async={timing}", "--schedules=4", "--threads=1", *arguments])
        if code == 6:
            return None
    return f"not reported: {why}\n{output}"


# Other ways to compile and to run, tried on every third case.
VARIANTS = {"O0": ["--opt-level=0"], "w1": ["--pipeline-options=num-warps=1"], "w8": ["--pipeline-options=num-warps=8"],
            "schedules": ["--schedules=5"], "slices": ["--pipeline-options=tile-room=1"], "own-math": ["--pipeline-options=libdevice=false"]}
VARIANTS_OF_SOME = {"device": ["--static-shared=device", "--schedules=4"]}


def run_case(case, target, tool, ptxas, folder, variant=None):
    base = pathlib.Path(folder) / f"{case.name}-{target}-{variant}"
    source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
    source.write_text(case.text)
    command = [str(tool), str(source), f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)),
               "--engine=reference,emulator", "--check", f"--gpu-name={target}",
               f"--tolerance={case.within(target)}",
               f"--save-ptx={ptx}", "--threads=1", *(VARIANTS | VARIANTS_OF_SOME).get(variant, []), *case.args]
    code, output = run(command)
    if code == 0 and targets.can_assemble(ptxas, target):
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
    parser = suite_arguments(TARGETS)
    args = parser.parse_args()
    bin_dir = pathlib.Path(args.build).resolve() / "bin"
    ptxas = find_ptxas()
    with tempfile.TemporaryDirectory(prefix="tileiras-e2e-") as folder:
        work = [(f"{case.name} {target}", run_case, (case, target, bin_dir / "tileiras-run", ptxas, folder))
                for case in kernels.all_cases() for target in args.targets.split(",")]
        for number, (variant, target) in enumerate(zip(VARIANTS, ["sm_80", "sm_90", "sm_90", "sm_90", "sm_90", "sm_90"])):
            work += [(f"{case.name} {target} {variant}", run_case,
                      (case, target, bin_dir / "tileiras-run", ptxas, folder, variant))
                     for case in kernels.all_cases()[number % 3::3] if target in args.targets]
        # Rings beyond 48 KiB, whose iterations are halved where blocks share them.
        work += [(f"{case.name} sm_80 device", run_case, (case, "sm_80", bin_dir / "tileiras-run", ptxas, folder, "device"))
                 for case in kernels.all_cases() if "t128x128x" in case.name and "sm_80" in args.targets]
        work += [(f"fault {name}", fn, (bin_dir, folder)) for name, fn in faults.ALL + matrix_faults.ALL]
        work = [w for w in work if args.filter in w[0]]
        outcome = run_all([(name, functools.partial(check, *rest)) for name, check, rest in work], args.jobs, args.v)
    return conclude("end-to-end:", *outcome, args.report)


if __name__ == "__main__":
    sys.exit(main())
