#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles that leave a kernel by way of shared memory and TMA: sums of products as f16, bf16 and f32, at edges of the array, in slices,
of one agent and of several, behind persistent loops, in batches, in clusters, and ordered by tokens with what comes before and after.
On the emulator with the race checker on, under several schedules and timings, with tensor maps and without.

usage: tensor_stores.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_90,sm_100] [--full] [--jobs N] [-v]

A case passes when every run agrees with the reference, its PTX stores by TMA, and ptxas takes that without a warning. Then every fence,
commit and wait of the stores is left out or weakened, one at a time, and each time the checker has to report it.
"""

import dataclasses
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import matrix_kernels
import pipeline_kernels
from agents import NO_MAPS, counted
from clusters import batches, clustered
from harness import conclude, find_ptxas, run_all, suite_arguments
from kernels import Case, module, tile, view2d
from under_test import TIMINGS, Bench
import targets

TARGETS = ["sm_90", "sm_100", "sm_120"]
BY_TMA = ["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=true"]
STRATEGIES = ["unspecialize", "warp-specialize", "auto"]
STORE = r"cp\.async\.bulk\.tensor\.\dd\.global\.shared::cta"
READ, WRITTEN = r"cp\.async\.bulk\.wait_group\.read\s+0;", r"cp\.async\.bulk\.wait_group\s+0;"


def converted(case, t):
    """The product's sums are stored as elements of another type."""
    tm, tn = map(int, re.search(r"mmaf .*tile<(\d+)x(\d+)xf32>\n", case.text).groups())
    sums, stored = tile([tm, tn], "f32"), tile([tm, tn], t)
    lines = []
    for line in case.text.split("\n"):
        if "store_view_tko" in line:
            lines.append(f"%half = ftof %c : {sums} -> {stored}")
            line = line.replace("weak %c,", "weak %half,").replace(sums, stored)
        if "%po: tile<ptr<f32>>" in line:
            line = line.replace("%po: tile<ptr<f32>>", f"%po: tile<ptr<{t}>>")
        elif re.search(r"%o(_\w)?( =|\[)|%po\b", line):
            line = re.sub(r"(tensor_view<[^>]*?x)f32", rf"\1{t}", line).replace("ptr<f32>", f"ptr<{t}>")
        lines.append(line)
    return dataclasses.replace(case, name=f"{case.name}-to-{t}", text="\n".join(lines), tolerance="rel:2e-2,abs:1e-2",
                               args=[a.replace("out:o:f32", f"out:o:{t}") for a in case.args])


def ordered(m, n, k, tm, tn, tk):
    """What stands in the array is stored first, each tile from where the tensor store will not have it from; then comes the product,
    and behind that it is loaded again: tokens order all of it."""
    case = matrix_kernels.gemm("f16", "f32", m, n, k, tm, tn, tk, aligned=True)
    vq, pq = view2d("q", "pq", "m", "n", "n", tm, tn, "f32", aligned=True)
    C = tile([tm, tn], "f32")
    po = re.search(r"%o = make_partition_view %o_t : (.*)", case.text)[1]
    store = re.search(r"( *)%t2 = store_view_tko .*\n", case.text)
    text = case.text.replace(store[0], vq + f"""%ones = constant <f32: 1.0> : {C}
%t3 = store_view_tko weak %ones, %o[%bx, %by] : {C}, {po}, tile<i32> -> token
%t4 = store_view_tko weak %c, %o[%bx, %by] token=%t3 : {C}, {po}, tile<i32> -> token
%again, %t5 = load_view_tko weak %o[%bx, %by] token=%t4 : {po}, tile<i32> -> {C}, token
%more = addf %again, %ones : {C}
%t6 = store_view_tko weak %more, %q[%bx, %by] : {C}, {pq}, tile<i32> -> token
""").replace("%po: tile<ptr<f32>>,", "%po: tile<ptr<f32>>, %pq: tile<ptr<f32>>,")
    args = [*case.args[:3], f"out:q:f32[{m}x{n}]=poison", *case.args[3:]]
    return dataclasses.replace(case, name=f"ordered-{m}x{n}x{k}-t{tm}x{tn}x{tk}", text=text, args=args)


def cases():
    """Cases with what targets they are for, and which strategies."""
    gemm = matrix_kernels.gemm
    every = (TARGETS, STRATEGIES)
    for t in ("f16", "bf16", "f32"):
        def out(case, t=t):
            return converted(case, t) if t != "f32" else case
        operand = "bf16" if t == "bf16" else "f16"
        yield out(gemm(operand, "f32", 200, 208, 192, 128, 128, 64, aligned=True)), *every
        yield out(gemm(operand, "f32", 160, 272, 128, 128, 256, 64, aligned=True)), *every
        yield out(gemm(operand, "f32", 70, 80, 96, 64, 64, 32, aligned=True)), *every
        yield out(gemm(operand, "f32", 128, 144, 64, 64, 128, 64, aligned=True, transposed=True)), *every
    yield gemm("i8", "i32", 100, 80, 128, 64, 64, 64, signs=("signed", "signed"), aligned=True, transposed=True), *every
    for rows, tiles, blocks in ((5, 3, 2), (3, 1, 1)):
        yield pipeline_kernels.persistent(128, 128, 64, rows, tiles, blocks), *every
        yield converted(pipeline_kernels.persistent(64, 64, 64, rows, tiles, blocks), "f16"), *every
    # More tile blocks than multiprocessors: by default these divide them, and stores go on beside the next products. Three rounds, and one.
    for k in (192, 64):
        yield converted(gemm("bf16", "f32", 12 * 128 - 16, 12 * 128 - 48, k, 128, 128, 64, aligned=True), "bf16"), ["sm_90"], ["auto"]
    # Two agents that compute: each stores its half of the rows.
    dual = counted(gemm("f16", "f32", 208, 144, 1024, 128, 128, 64, aligned=True), 16)
    yield converted(dual, "f16"), ["sm_90"], ["warp-specialize"]
    yield dual, ["sm_90"], ["warp-specialize"]
    yield batches("f16", 2, 128, 128, 128, 64, 64, 64), *every
    yield ordered(96, 144, 128, 64, 128, 64), *every
    yield clustered(gemm("f16", "f32", 256, 256, 128, 128, 128, 64, aligned=True), 2), ["sm_90", "sm_100"], ["unspecialize", "warp-specialize"]


def check(bench, case, target, strategy):
    name = f"{case.name} {target} {strategy}"
    error, text = bench.compare(name, case, target, f"--pipeline-options=pipeline-strategy={strategy}", prefix=BY_TMA,
                                timings=TIMINGS if bench.full else ("random",))
    if error:
        return error
    if not re.search(STORE, text):
        return "nothing is stored by TMA"
    if strategy == "auto" and case.name.startswith("gemm-bf16-f32-1520x") and not re.search(rf"{READ}[\s\S]*{STORE}[\s\S]*{READ}", text):
        return "a store is not waited for a round later"
    error = bench.noticed(f"{name} none", re.sub(*NO_MAPS, text), "", *bench.launch(case), timings=("late",), schedules=2, wrong=lambda code: code == 0)
    if error:
        return f"without tensor maps: {error}"
    return bench.assemble(name, target, lambda output: "C75" in output)


def without(text, pattern, before, what=STORE):
    """The text without the match nearest to a store by TMA, on one side of each."""
    for place in reversed([m.start() for m in re.finditer(what, text)]):
        found = [m for m in re.finditer(pattern, text) if (m.end() <= place) == before]
        if found:
            match = found[-1] if before else found[0]
            text = text[:match.start()] + text[match.end():]
    return text


# What is left out, on which side of the stores, and why that is harmful.
FAULTS = {
    "proxy fence": (r"fence\.proxy\.async\.shared::cta;", True, "what threads have written is not ordered before the reads of the store"),
    "barrier": (r"\bbar(?:rier)?\.(?:cta\.)?sync[^;]*;", True, "the store reads what other threads have not written yet"),
    "commit": (r"cp\.async\.bulk\.commit_group;", False, "the wait covers no stores"),
    "wait": (r"cp\.async\.bulk\.wait_group(?:\.read)?\s+\d;", False, "shared memory is given back, or written again, before it has been read"),
}


def faults(bench, case, target, strategy):
    name = f"fault {case.name} {target} {strategy}"
    text, output = bench.compile(name, case, target, f"--pipeline-options=pipeline-strategy={strategy}", prefix=BY_TMA)
    if text is None:
        yield f"{name} compiles", lambda: output
        return
    broken = {what: (without(text, pattern, before), why) for what, (pattern, before, why) in FAULTS.items()}
    if case.name.startswith("persistent"):
        # A tile is waited for when the next round writes it, and behind the loop.
        again = r"cp\.async\.bulk\.wait_group\.read\s+0;"
        if len(re.findall(again, text)) != 2:
            broken["two waits"] = (text, "")
        broken["wait"] = (without(text, again, False), "the block leaves before its tile has been read")
        broken["wait of the round before"] = (without(text, again, True), "a tile is written before the store of the round before has read it")
        broken["barrier of the round before"] = (re.sub(rf"({again}[\s\S]{{0,200}}?)\bbar(?:rier)?\.(?:cta\.)?sync[^;]*;", r"\1", text, count=1),
                                                 "other threads write the tile before one has waited for the store")
    if case.name.startswith("ordered"):
        broken["written"] = (re.sub(WRITTEN, "cp.async.bulk.wait_group.read 0;", text), "what is stored is loaded before it has been written")
        broken["fence of global memory"] = (re.sub(r"fence\.proxy\.async;", "", text), "what threads have stored is not ordered before the tensor store")
    for what, (changed, why) in broken.items():
        yield f"{name} {what}", lambda changed=changed, why=why, what=what: ("found no place to break" if changed == text else bench.noticed(
            f"{name} {what}", changed, why, *bench.launch(case)))


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    chosen = [t for t in args.targets.split(",") if t in TARGETS]
    with tempfile.TemporaryDirectory(prefix="tileiras-tensor-stores-") as folder:
        bench, work = Bench(args.build, find_ptxas(), folder, args.full), []
        for number, (case, on, strategies) in enumerate(cases()):
            pairs = [(t, s) for t in on if t in chosen for s in strategies]
            for target, strategy in pairs if args.full else pairs[number % len(pairs):][:1] if pairs else []:
                work.append((f"{case.name} {target} {strategy}", lambda c=case, t=target, s=strategy: check(bench, c, t, s)))
        gemm = matrix_kernels.gemm
        broken = [(converted(gemm("f16", "f32", 128, 128, 128, 128, 128, 64, aligned=True), "f16"), STRATEGIES[:2]),
                  (converted(counted(gemm("f16", "f32", 128, 128, 1024, 128, 128, 64, aligned=True), 16), "bf16"), ["warp-specialize"]),
                  (converted(pipeline_kernels.persistent(64, 128, 64, 5, 3, 1), "f16"), ["warp-specialize"]),
                  (gemm("f16", "f32", 64, 128, 64, 64, 128, 64, aligned=True), STRATEGIES[:1]), (ordered(64, 128, 64, 64, 128, 64), STRATEGIES[:1])]
        for number, (case, strategies) in enumerate(broken):
            on = [t for t in chosen if "rounds" not in case.name or t == "sm_90"]
            for target in on if args.full else on[number % len(on):][:1] if on else []:
                for strategy in strategies:
                    if args.filter in f"fault {case.name} {target} {strategy}":
                        work += faults(bench, case, target, strategy)
        passed, failures, times = run_all([w for w in work if args.filter in w[0] or w[0].startswith("fault")], args.jobs, args.v)
    return conclude("tensor stores:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
