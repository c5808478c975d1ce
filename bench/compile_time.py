#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long `tileiras KERNEL --emit=ptx` takes as a process, and where the time goes.

usage: compile_time.py [--build DIR] [--runs N] [--gpu-name sm_90] [--emit ptx] [--limit-ms N] KERNEL...

Per kernel: minimum, median and maximum of the wall and CPU time of N processes (after two unmeasured ones that warm the
file cache), as the operating system accounts them; then the medians of the phases from --time-report-json, of N
further runs, because reporting costs a little itself. With --limit-ms the exit status is 1 when a median is above it.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def run_once(command):
    """Wall and CPU milliseconds of one process."""
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"failed ({os.waitstatus_to_exitcode(status)}): {' '.join(command)}")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024


def row(name, values):
    print(f"  {name:<46}{min(values):9.2f}{statistics.median(values):9.2f}{max(values):9.2f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernels", nargs="+")
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--gpu-name", default="sm_90")
    parser.add_argument("--emit", default="ptx")
    parser.add_argument("--limit-ms", type=float)
    args = parser.parse_args()
    tool = str(pathlib.Path(args.build).resolve() / "bin" / "tileiras")
    over = False
    for kernel in args.kernels:
        command = [tool, kernel, f"--gpu-name={args.gpu_name}", f"--emit={args.emit}", "-o", "/dev/null"]
        for _ in range(2):
            run_once(command)
        wall, cpu, memory = zip(*(run_once(command) for _ in range(args.runs)))
        print(f"{kernel}, {args.gpu_name}, --emit={args.emit}: {args.runs} runs")
        print(f"  {'milliseconds':<46}{'min':>9}{'median':>9}{'max':>9}")
        row("process, wall", wall)
        row("process, CPU", cpu)
        phases = {}
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            for _ in range(args.runs):
                subprocess.run([*command, f"--time-report-json={report}"], check=True)
                for name, ms in json.loads(report.read_text()).items():
                    phases.setdefault(name, []).append(ms)
        for name, values in phases.items():
            row(("  " if name.startswith("pass ") else "") + name, values)
        print(f"  peak memory {statistics.median(memory):.0f} MiB")
        if args.limit_ms and statistics.median(wall) > args.limit_ms:
            over = True
            print(f"  above the limit of {args.limit_ms} ms")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
