#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""f32 that is multiplied as tf32: rounded on its way to shared memory by tensor copies, by threads where an array has no tensor map,
and in registers elsewhere. On the emulator with the race checker on, under several schedules and strategies, with whole numbers
of more digits than tf32 has, ties among them, of which any other rounding gives other sums.

usage: rounded_loads.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_90,sm_100] [--full] [--jobs N] [-v]

A case passes when every run gives exactly what the reference does, ptxas takes the PTX without a warning, and tensor maps round where
they are expected to; with maps that do not round the sums are others. Each case is run as it is, and with a table of tensor maps that has no room. --full: 16 schedules,
every target and strategy instead of one in turn.
"""

import dataclasses
import re
import sys
import tempfile

import matrix_kernels
from checklist import NO_MAPS
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import spilled_bytes
from under_test import TIMINGS, Bench

TARGETS = ["sm_90", "sm_100", "sm_120", "sm_103", "sm_110", "sm_80"]
TCGEN05 = ("sm_100", "sm_103", "sm_110")  # their products read factors that lie across
STRATEGIES = ["auto", "unspecialize unspecialized-pipeline-num-stages=2", "unspecialize unspecialized-pipeline-num-stages=3",
              "warp-specialize unspecialized-pipeline-num-stages=4"]
# However few rounds a loop has.
ALWAYS = ("env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=true")
ROUNDS = re.compile(r"tensormap\.replace\.tile\.elemtype[^;]*, 11;")


def gemm(m, n, k, tm, tn, tk, **options):
    """Whole numbers: of 13 digits on the left, every other one a tie, of 2 on the right. Sums are exact."""
    case = matrix_kernels.gemm("tf32", "f32", m, n, k, tm, tn, tk, loaded="f32", **options)
    args = [re.sub(r"^(a:\w+\[\w+\])=.*", r"\1=integers(seed=31,lo=-8191,hi=8191)", a) for a in case.args]
    args = [re.sub(r"^(b:\w+\[\w+\])=.*", r"\1=integers(seed=32,lo=-2,hi=2)", a) for a in args]
    return dataclasses.replace(case, args=args, tolerance="exact", on={})


def cases():
    """(case, where tensor copies can bring both factors: everywhere if k lies side by side, True)"""
    for options in (dict(transposed=True), dict(), dict(left=True), dict(left=True, transposed=True)):
        copied = options == dict(transposed=True) or TCGEN05
        yield gemm(128, 128, 320, 128, 128, 32, aligned=True, **options), copied
        yield gemm(208, 144, 368, 64, 128, 64, aligned=True, **options), copied
        yield gemm(112, 80, 208, 64, 64, 32, aligned=True, **options), copied
    yield gemm(128, 256, 256, 128, 256, 32, aligned=True, transposed=True), True
    yield gemm(256, 128, 288, 256, 128, 32, aligned=True, transposed=True), True
    # No tensor map: rows are not multiples of 16 bytes, which is known at run time only.
    yield gemm(100, 73, 203, 64, 64, 32, transposed=True), False
    yield gemm(128, 128, 35, 64, 64, 32, transposed=True), False
    # Fewer rounds than tensor maps are worth, and none.
    yield gemm(64, 64, 32, 64, 64, 32, aligned=True, transposed=True), False
    empty = gemm(128, 128, 64, 128, 128, 32, aligned=True, transposed=True)
    yield dataclasses.replace(empty, name=empty.name + "-without-k", args=empty.args[:-1] + ["i32=0"]), False


def expects_maps(ptx, target, copied):
    if target == "sm_80":
        return not ROUNDS.search(ptx)
    return bool(ROUNDS.search(ptx)) if copied else True


def check(bench, case, copied, target, strategy):
    copied = copied is True or (bool(copied) and target in copied)
    name = f"{case.name}-{target}-{strategy}"
    right = bench.path(name, ".npy")
    error, ptx = bench.compare(name, case, target, f"--pipeline-options=pipeline-strategy={strategy}", f"--dump=o={right}", prefix=ALWAYS if copied else (),
                               timings=TIMINGS if bench.full else ("late", "random"))
    if error:
        return error
    if not expects_maps(ptx, target, copied):
        return "tensor maps round" if target == "sm_80" else "no tensor map rounds"
    # An agent of 40 registers that rounds what it copies 16 times in a round may put two of them aside.
    if target == "sm_90" and "st.shared.b32" in ptx and "-aligned" in case.name:
        return "words are written one by one"
    if error := bench.assemble(name, target, lambda output: spilled_bytes(output) > 16):
        return error
    if target == "sm_80":
        return None
    arguments = ["--tolerance=exact", *[re.sub(r"^(out:o:\w+\[\w+\])", rf"\1{{expect={right}}}", a) for a in bench.launch(case)]]
    wrong = lambda code: code in (6, 7)
    without, places = re.subn(*NO_MAPS, ptx)
    if places and not bench.noticed(f"{name}-without-maps", without, "", *arguments, wrong=wrong, schedules=2):
        return "without tensor maps the results are others, or something is reported"
    # A map of f32 leaves the rounding to the product, which cuts digits off.
    if copied:
        raw = re.sub(r"(tensormap\.replace\.tile\.elemtype[^;]*, )11;", r"\g<1>7;", ptx)
        return bench.noticed(f"{name}-raw", raw, "tiles are not rounded", *arguments, wrong=wrong, schedules=2)
    return None


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    targets, turn, work = args.targets.split(","), 0, []
    with tempfile.TemporaryDirectory(prefix="tileiras-rounded-loads-") as folder:
        bench = Bench(args.build, find_ptxas(), folder, args.full)
        for case, copied in cases():
            for target in targets if args.full else sorted({targets[0], targets[1 % len(targets)], targets[turn % len(targets)]}):
                for strategy in STRATEGIES if args.full else [STRATEGIES[turn % len(STRATEGIES)]]:
                    work.append((f"{case.name} {target} {strategy}", lambda c=case, k=copied, t=target, s=strategy: check(bench, c, k, t, s)))
                turn += 1
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("rounded loads:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
