#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factors of wgmma that threads write, because they widen them or because words lie across in memory: each stage of a ring has a
place for them, and the product of the round before goes on while they are written. On the emulator with the race checker on, under
several schedules, with copies and products that are done early, late and at random; with every number of rounds from none to one more than
there are stages; in one agent and in several. And with one thing wrong at a time in the PTX, which has to be noticed.

usage: written_factors.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--full] [--jobs N] [-v]

A case passes when every run gives exactly what the reference does (all numbers are whole and small), ptxas takes the PTX without a
warning, a serialised product or a spill, and products go on into the next round where they are expected to. --full: 16 schedules
of every case and every strategy.
"""

import dataclasses
import re
import sys
import tempfile

import matrix_kernels
from agents import counted
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import spilled_bytes
from under_test import Bench
from wgmma import FAULTS, NOT_APART, WAIT

STRATEGIES = ("auto", "unspecialize unspecialized-pipeline-num-stages=3", "warp-specialize", "none")
GOES_ON = "wgmma.wait_group.sync.aligned 1;"


def gemm(t, m, n, k, tm, tn, tk, **options):
    """Whole numbers whose sums are exact in any order."""
    case = matrix_kernels.gemm(t, "f32", m, n, k, tm, tn, tk, **options)
    args = [re.sub(r"^([ab]):(\w+\[\w+\])=.*", lambda a: f"{a[1]}:{a[2]}=integers(seed={41 + ord(a[1])},lo=-4,hi=5)", a) for a in case.args]
    return dataclasses.replace(case, args=args, tolerance="exact", on={})


def cases():
    """(case, whether its product goes on while the factor of the next round is written)"""
    for rounds in range(6):
        case = gemm("bf16", 128, 128, 64 * max(rounds, 1), 128, 128, 64, aligned=True, transposed=True, widened="i8")
        yield (case if rounds else dataclasses.replace(case, name=case.name + "-without-k", args=case.args[:-1] + ["i32=0"])), True
    yield gemm("f16", 256, 128, 320, 128, 128, 64, aligned=True, widened="i8"), True
    yield gemm("f16", 256, 256, 320, 256, 128, 64, aligned=True, transposed=True, widened="i8"), True
    yield gemm("f16", 144, 272, 464, 128, 256, 64, aligned=True, widened="f8E4M3FN"), True
    yield gemm("bf16", 200, 136, 328, 128, 128, 64, transposed=True, widened="i8"), None  # rows are copied word by word
    yield gemm("bf16", 128, 128, 640, 128, 128, 128, aligned=True, widened="i8"), True  # three stages have room
    yield matrix_kernels.nibbles(144, 144, 352, 128, 128, 64), True
    # Words that lie across: f32, which a tensor copy rounds on the left and threads on the right, and tf32 as it is.
    yield gemm("tf32", 256, 256, 288, 128, 256, 32, aligned=True, loaded="f32"), True
    yield gemm("tf32", 272, 144, 304, 256, 128, 32, aligned=True, loaded="f32"), True
    yield gemm("tf32", 128, 256, 160, 128, 256, 32, aligned=True), True
    # Shared memory has no time for more, and other blocks multiply meanwhile.
    yield gemm("tf32", 128, 128, 160, 128, 128, 32, aligned=True, loaded="f32"), False
    yield gemm("tf32", 128, 128, 160, 128, 128, 32, aligned=True), False
    yield gemm("bf16", 64, 64, 320, 64, 64, 64, aligned=True, widened="i8"), False


def long():
    """Loops long enough for two agents that compute, both of which would write the same place of a stage: there is one. And tiles that
    such agents take in turns."""
    for case in (counted(gemm("bf16", 192, 208, 1152, 128, 128, 64, aligned=True, transposed=True, widened="i8"), 18),
                 counted(gemm("tf32", 256, 128, 1024, 256, 128, 32, aligned=True, loaded="f32"), 32)):
        yield case, "warp-specialize unspecialized-pipeline-num-stages=3 num-warps=8"
        yield case, "warp-specialize dynamic-persistent=true turns=tile-blocks num-warps=8"


def check_long(bench, case, strategy):
    name = f"{case.name}-{strategy}"
    error, ptx = bench.compare(name, case, "sm_90", f"--pipeline-options=pipeline-strategy={strategy}", "--multiprocessors=2", timings=("random",))
    if error or GOES_ON not in ptx:
        return error or "products do not go on into the next round"
    return bench.assemble(name, "sm_90", lambda output: "C75" in output or spilled_bytes(output))


def check(bench, case, goes_on, strategy):
    name = f"{case.name}-{strategy}"
    error, ptx = bench.compare(name, case, "sm_90", f"--pipeline-options=pipeline-strategy={strategy}")
    if error:
        return error
    if "wgmma.mma_async" not in ptx:
        return "wgmma does not multiply"
    expected = goes_on if goes_on is None or strategy.startswith("unspecialize") else False if strategy == "none" else None
    if expected is not None and (GOES_ON in ptx) != expected:
        return f"products {'go on' if GOES_ON in ptx else 'do not go on'} into the next round"
    return bench.assemble(name, "sm_90", lambda output: "C75" in output or spilled_bytes(output))


# What else is left out, and why it matters.
MORE = {r"cp\.async\.wait_group\s+\d+;": "nobody waits for the stage (PTX ISA, cp.async.wait_group)"}
# What does no harm: (kernel, what) and why.
WORDS = "gemm-tf32-f32-256x128x224-t256x128x32-aligned-of-f32"
HARMLESS = {(WORDS, "without bar.sync 0; #0"): "no access to shared memory stands before it",
            (WORDS, "without bar.sync 0; #2"): "behind it mbarriers are made, of bytes that nobody had before, and another barrier follows",
            (WORDS, "without bar.sync 0; #8"): "sums are written over rows of the left factor that the same warpgroup has multiplied, and over a stage that all have "
                                               "released; warps of one warpgroup wait for each other (PTX ISA, wgmma.wait_group: .sync.aligned)"}


def planted(text):
    """(name, what is wrong by the ISA, where, PTX) of all faults of a kernel."""
    for pattern, why in {**FAULTS, **MORE}.items():
        for number, match in enumerate(re.finditer(pattern, text)):
            yield f"without {' '.join(match[0].split())} #{number}", why, match.start(), text[:match.start()] + text[match.end():]
    # One product more may be under way than before, and one group of copies.
    for pattern in (f"({WAIT})([01]);{NOT_APART}", r"(cp\.async\.wait_group\s+)(\d+);"):
        for number, match in enumerate(re.finditer(pattern, text)):
            yield (f"{' '.join(match[0].split())} lets one more go on #{number}", "what is under way is read or written (PTX ISA, wgmma.wait_group, cp.async.wait_group)",
                   match.start(), f"{text[:match.start()]}{match[1]}{int(match[2]) + 1};{text[match.end():]}")


def faulty(bench, case, strategy):
    """Of two loops, with tensor copies and without, one is executed; faults of the other are left out."""
    name = f"fault-{case.name}-{strategy}"
    right = bench.path(name, ".npy")
    text, output = bench.compile(name, case, "sm_90", f"--pipeline-options=pipeline-strategy={strategy}", f"--dump=o={right}")
    if text is None or GOES_ON not in text:
        yield f"{case.name} compiles", lambda: output or "no product goes on"
        return
    arguments = ["--tolerance=exact", *[re.sub(r"^(out:o:\w+\[\w+\])", rf"\1{{expect={right}}}", a) for a in bench.launch(case)]]
    wrong = lambda code: code in (6, 7)

    def plant(number, why, at, broken):
        reached = text[:at] + "trap;\n" + text[at:]
        if bench.noticed(f"{name}-{number}-reached", reached, "", *arguments, timings=("early",), schedules=1, wrong=lambda code: code != 0):
            return None
        return bench.noticed(f"{name}-{number}", broken, why, *arguments, wrong=wrong)

    for number, (what, why, at, broken) in enumerate(planted(text)):
        if (case.name, what) not in HARMLESS:
            yield f"{case.name} {strategy}: {what}", lambda n=number, w=why, a=at, b=broken: plant(n, w, a, b)


def main():
    parser = suite_arguments(["sm_90"])
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tileiras-written-factors-") as folder:
        bench = Bench(args.build, find_ptxas(), folder, args.full)
        work = []
        for turn, (case, goes_on) in enumerate(cases()):
            for strategy in STRATEGIES if args.full else (STRATEGIES[1], STRATEGIES[(0, 2, 3)[turn % 3]]):
                work.append((f"{case.name} {strategy}", lambda c=case, g=goes_on, s=strategy: check(bench, c, g, s)))
        work += [(f"{case.name} {strategy}", lambda c=case, s=strategy: check_long(bench, c, s)) for case, strategy in long()]
        work += faulty(bench, gemm("bf16", 128, 128, 448, 128, 128, 64, aligned=True, transposed=True, widened="i8"), STRATEGIES[1])
        work += faulty(bench, gemm("tf32", 256, 128, 224, 256, 128, 32, aligned=True, loaded="f32"), STRATEGIES[1])
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("written factors:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
