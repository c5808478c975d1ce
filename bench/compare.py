#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two builds side by side: compile time, the emulator's speed, the size of the compiler.

usage: compare.py OTHER_BUILD [--build DIR] [--runs N] [--modules DIR] [--gpu-names sm_80,sm_90] [--no-emulator]

The builds take turns, kernel by kernel, so that what else the machine does falls on both. Of a kernel's runs, minimum
and median; of several kernels, the sums of these. `--modules` is a folder of Tile IR bytecode (*.tileirbc), of which so many
are taken, evenly, that there are `--count` of them. EmulatorBench is built by `ninja benchmarks` in both builds; a build in
which it is missing or older than the emulator is refused, because it would measure another tree.
"""

import argparse
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from compile_time import run_once

BENCHMARK = re.compile(r"^(\S+)\s+(\d+) Mthread-instr/s .* race checker\s+(\d+)")


def evenly(files, count):
    return [files[i * len(files) // count] for i in range(min(count, len(files)))]


def compile_times(tools, kernels, target, runs):
    """[tool][kernel] -> wall milliseconds; a kernel that one of the tools refuses is left out."""
    times = [{} for _ in tools]
    for kernel in kernels:
        commands = [[tool, str(kernel), f"--gpu-name={target}", "--emit=ptx", "-o", "/dev/null"] for tool in tools]
        if any(subprocess.run(c, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode for c in commands):
            continue
        for run in range(runs):
            for command, result in zip(commands, times):
                result.setdefault(kernel, []).append(run_once(command)[0])
    return times


def line(name, other, this, unit):
    change = f"{100 * (this / other - 1):+6.1f} %" if other else ""
    print(f"  {name:<44}{other:10.1f}{this:10.1f} {unit:<4}{change}")


def emulator(builds, runs, limit):
    """{benchmark: [[(plain, checked), ...] of each build]}, in million thread instructions a second."""
    rates = {}
    for _ in range(runs):
        for i, build in enumerate(builds):
            text = subprocess.run([build / "bench" / "EmulatorBench", *limit], check=True, capture_output=True, text=True).stdout
            for match in filter(None, map(BENCHMARK.match, text.splitlines())):
                rates.setdefault(match[1], [[], []])[i].append((int(match[2]), int(match[3])))
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--modules", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--gpu-names", default="sm_80,sm_90")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--no-emulator", action="store_true")
    parser.add_argument("--emulator-runs", type=int, default=3)
    parser.add_argument("--emulator-kernels", default="", help="comma-separated; default: all")
    args = parser.parse_args()
    builds = [args.other.resolve(), args.build.resolve()]
    tools = [str(build / "bin" / "tileiras") for build in builds]
    for build in builds:
        bench, library = build / "bench" / "EmulatorBench", build / "lib" / "libTileirasEmulator.a"
        if args.no_emulator:
            continue
        if not bench.exists() or (library.exists() and bench.stat().st_mtime < library.stat().st_mtime):
            sys.exit(f"{bench} is missing or older than the emulator: ninja -C {build} benchmarks")

    softmax = pathlib.Path(__file__).resolve().parent.parent / "examples" / "softmax.mlir"
    print(f"  {'':<44}{'other':>10}{'this':>10}")
    with tempfile.TemporaryDirectory() as folder:
        sizes = []
        for i, tool in enumerate(tools):
            stripped = pathlib.Path(folder) / str(i)
            subprocess.run([shutil.which("strip") or "llvm-strip-22", "-o", stripped, tool], check=True)
            sizes.append(stripped.stat().st_size / 1e6)
    line("tileiras, stripped", *sizes, "MB")
    for target in [] if args.no_compile else args.gpu_names.split(","):
        sets = [("softmax", [softmax])]
        if args.modules:
            modules = evenly(sorted(args.modules.rglob("*.tileirbc")), args.count)
            sets.append((f"{len(modules)} modules", modules))
        for name, kernels in sets:
            times = compile_times(tools, kernels, target, args.runs if len(kernels) == 1 else max(3, args.runs // 3))
            if len(times[0]) < len(kernels):
                name = f"{len(times[0])} of {name}"
            for what, pick in (("minimum", min), ("median", statistics.median)):
                line(f"{name}, {target}, {what}", *(sum(map(pick, t.values())) for t in times), "ms")
    if args.no_emulator:
        return
    limit = args.emulator_kernels.split(",") if args.emulator_kernels else []
    for name, (other, this) in emulator(builds, args.emulator_runs, limit).items():
        for which, label in enumerate(("", ", race checker")):
            median = [statistics.median(run[which] for run in runs) for runs in (other, this)]
            line(f"emulator, {name}{label}, median", *median, "M/s")
            line(f"emulator, {name}{label}, best", *(max(run[which] for run in runs) for runs in (other, this)), "M/s")


if __name__ == "__main__":
    main()
