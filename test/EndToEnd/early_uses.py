#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stages of rings used too early and given back too early: planted in the PTX of our own kernels, each has to be reported; planted where
it does no harm, nothing may be.

usage: early_uses.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--jobs N] [-v]

Too early used: a thread reads what a copy is to bring (cp.async, or a tensor copy), right behind the copy, or behind its wait. Given back too
early: the arrival at the barrier of the empty stage stands before the wait for the asynchronous product that reads the stage, or nobody
waits for that product.
"""

import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import matrix_kernels
from harness import conclude, run_all, suite_arguments
from under_test import Bench

BY_TMA = ["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=true"]
BY_THREADS = ["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=false"]
# One round: the stage is filled once, and whoever has waited may read it.
ONCE = matrix_kernels.gemm("f16", "f32", 64, 64, 64, 64, 64, 64, aligned=True)
ROUNDS = matrix_kernels.gemm("f16", "f32", 128, 128, 512, 128, 128, 64, aligned=True)
READ = "\n\t{{\n\t.reg .b32 planted;\n\tld.volatile.shared.b32 planted, [{}];\n\t}}"
# As far as whoever has waited goes on.
FULL = r"mbarrier\.try_wait\S* done[\s\S]*?@%p\d+ bra[^\n]*\n"
COPIED = r"cp\.async\.wait_group\s+\d+;[\s\S]*?bar\.sync[^;]*;"


def insert(text, place, what):
    return text[:place] + what + text[place:]


def early_uses(text, target, how):
    """(what, PTX, is it harmful)."""
    if how == "tma":
        copy = re.search(r"cp\.async\.bulk\.tensor\.2d\.shared::cta\.global[^\[]*\[(%r\d+)\][^;]*;", text)
        wait = re.search(FULL, text[copy.end():])
        end = copy.end() + wait.end()
    else:
        copy = re.search(r"cp\.async\.c[ag]\.shared\.global \[(%rd?\d+)[^]]*\][^;]*;", text)
        wait = re.search(COPIED, text[copy.end():])
        end = copy.end() + wait.end()
    # Behind the wait every thread reads it, and its register may be one that only the thread of the copy has set.
    yield "behind its copy", insert(text, copy.end(), READ.format(copy[1])), True
    yield "behind its wait", insert(text, end, READ.format("global_smem")), False


def early_releases(text):
    """The wait for the product weakened or gone, and the arrival moved before it."""
    waits = list(re.finditer(r"wgmma\.wait_group\.sync\.aligned ([01]);", text))
    inner = next(w for w in waits if w[1] == "1")
    yield "nobody waits", text[:inner.start()] + text[inner.end():], True
    yield "one more goes on", text[:inner.start()] + inner[0].replace("1;", "2;") + text[inner.end():], True
    arrive = re.search(r"@one mbarrier\.arrive\.shared\.b64[\s\S]*?// end inline asm\n", text[inner.end():])
    behind = inner.end() + arrive.end()
    yield "before the wait", text[:inner.start()] + text[inner.end():behind] + f"\t{inner[0]}\n" + text[behind:], True
    yield "as it is", text, False


def planted(bench, case, target, strategy, prefix, faults, label):
    name = f"{label} {target} {strategy}"
    text, output = bench.compile(name, case, target, f"--pipeline-options=pipeline-strategy={strategy}", prefix=prefix)
    if text is None:
        yield f"{name} compiles", lambda: output
        return
    for what, broken, harmful in faults(text):
        wrong = (lambda code: code in (6, 7)) if harmful else (lambda code: code == 0)
        yield f"{name}: {what}", lambda what=what, broken=broken, wrong=wrong, harmful=harmful: bench.noticed(
            f"{name} {what}", broken, "what is planted does harm" if harmful else "reported, and does no harm", *bench.launch(case), wrong=wrong)


def main():
    parser = suite_arguments(["sm_80", "sm_90", "sm_100", "sm_120"])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tileiras-early-uses-") as folder:
        bench, work = Bench(args.build, None, folder), []
        for target, strategy, how in (("sm_80", "unspecialize", "cp.async"), ("sm_90", "unspecialize", "cp.async"), ("sm_90", "unspecialize", "tma"),
                                      ("sm_120", "unspecialize", "tma"), ("sm_120", "warp-specialize", "tma")):
            prefix = BY_TMA if how == "tma" else BY_THREADS
            work += planted(bench, ONCE, target, strategy, prefix, lambda text, t=target, h=how: early_uses(text, t, h), f"use by {how}")
        for strategy in ("unspecialize", "warp-specialize"):
            work += planted(bench, ROUNDS, "sm_90", strategy, BY_TMA, early_releases, "release")
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("early uses:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
