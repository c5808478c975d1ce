#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles that are combined with memory by TMA: atomic_red_view_tko of every mode and type that cp.reduce.async.bulk.tensor has, by many blocks into
the same places, at edges of the array, in slices, behind products and in loops, among products (gradients of attention, causal and not), ordered by tokens with what comes before and after. On the
emulator with the race checker on, under several schedules and timings, with tensor maps and without.

usage: tma_reductions.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_90,sm_100] [--full] [--jobs N] [-v]

A case passes when every run agrees with the reference, its PTX combines by TMA (or, where that is not allowed, does not), and ptxas takes
it without a warning. Then every fence, barrier, commit and wait is left out or weakened, one at a time, and each time the checker has to
report it; and tensor maps are made of numbers with sign where there is none, and the other way round, which results show.
"""

import dataclasses
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import matrix_kernels
import real_attention
from agents import NO_MAPS
from harness import conclude, find_ptxas, run_all, suite_arguments
from kernels import Case, ceil_div, is_float, module, tile, view2d
from run import run
from tensor_stores import without
from under_test import TIMINGS, Bench
import targets

TARGETS = ["sm_90", "sm_100", "sm_120"]
BY_TMA = ["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=true"]
REDUCTION = r"cp\.reduce\.async\.bulk\.tensor"
WRITTEN = r"cp\.async\.bulk\.wait_group\s+0;"


def converted(t):
    """Lines that make %y of the i32 tile %x."""
    def line(shape):
        if t == "i32":
            return "%y = addi %x, %none : " + tile(shape, "i32") + "\n"
        if t == "i64":
            return f"%y = exti %x signed : {tile(shape, 'i32')} -> {tile(shape, t)}\n"
        return f"%y = itof %x signed : {tile(shape, 'i32')} -> {tile(shape, t)}\n"
    return line


def fold(mode, t, m, n, tm, tn, gm, gap=8, scope="device", rounds=1, before="", after=""):
    """Tiles of a tall array, all combined with the ones of a small one, whose last column is `gap` before the next row; in a loop, if there are
    rounds."""
    wide, vx = view2d("a", "pa", "m", "n", "n", tm, tn, "i32", "zero")
    lines = (f"%o_p = assume div_by<16>, %po : tile<ptr<{t}>>\n%o_s = assume div_by<16>, %s : tile<i32>\n%small = constant <i32: {gm}> : tile<i32>\n")
    more, vo = view2d("o", "o_p", "small", "n", "o_s", tm, tn, t)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n" + wide + lines + more
    body += f"%none = constant <i32: 0> : {tile([tm, tn], 'i32')}\n%r = constant <i32: {rounds}> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
    inner = f"%x, %t0 = load_view_tko weak %a[{'%row' if rounds > 1 else '%bx'}, %by] : {vx}, tile<i32> -> {tile([tm, tn], 'i32')}, token\n"
    inner += converted(t)([tm, tn])
    inner += f"%t1 = atomic_red_view_tko relaxed {scope} %o[%c0, %by], {mode}, %y : {tile([tm, tn], t)}, {vo}, tile<i32> -> token\n"
    if rounds > 1:
        inner = "%first = muli %bx, %r : tile<i32>\n%row = addi %first, %i : tile<i32>\n" + inner
        inner = "for %i in (%c0 to %r, step %c1) : tile<i32> {\n" + inner + "}\n"
    text = module("fold", f"%pa: tile<ptr<i32>>, %po: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>, %s: tile<i32>", body + before + inner + after)
    width = ceil_div(n + gap, 16) * 16
    few = t in ("f16", "bf16")
    start = "zeros" if is_float(t) else "random(lo=-40,hi=40,seed=28)"
    return Case(f"fold-{mode}-{t}-{m}x{n}-t{tm}x{tn}" + (f"-{scope}" if scope != "device" else "") + (f"-r{rounds}" if rounds > 1 else ""), text, "fold",
                (ceil_div(m, tm * rounds), ceil_div(n, tn), 1),
                [f"a:i32[{m}x{n}]=random(lo={0 if few else -100},hi={3 if few else 100},seed=27)", f"out:o:{t}[{gm}x{width}]={start}", f"i32={m}", f"i32={n}",
                 f"i32={width}"])


def ordered(t, mode, tm, tn):
    """A tile is stored, combined with another, loaded and stored elsewhere: tokens order all of it."""
    m, n = 2 * tm - 7, 2 * tn - 16
    T = tile([tm, tn], t)
    va, pa = view2d("a", "pa", "m", "n", "n", tm, tn, t, "zero", aligned=True)
    vo, po = view2d("o", "po", "m", "n", "n", tm, tn, t, aligned=True)
    vl, pl = view2d("l", "po", "m", "n", "n", tm, tn, t, "zero", aligned=True)
    vq, pq = view2d("q", "pq", "m", "n", "n", tm, tn, t, aligned=True)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vo + vl + vq
    body += f"""%x, %t0 = load_view_tko weak %a[%bx, %by] : {pa}, tile<i32> -> {T}, token
%ones = constant <{t}: {'1.0' if is_float(t) else '1'}> : {T}
%t1 = store_view_tko weak %ones, %o[%bx, %by] : {T}, {po}, tile<i32> -> token
%t2 = atomic_red_view_tko relaxed device %o[%bx, %by], {mode}, %x token = %t1 : {T}, {po}, tile<i32> -> token
%again, %t3 = load_view_tko weak %l[%bx, %by] token=%t2 : {pl}, tile<i32> -> {T}, token
%more = {'addf' if is_float(t) else 'addi'} %again, %ones : {T}
%t4 = store_view_tko weak %more, %q[%bx, %by] : {T}, {pq}, tile<i32> -> token
"""
    text = module("ordered", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{t}>>, %pq: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    data = "integers(seed=31)" if not is_float(t) else "random(lo=-9,hi=9,seed=31)"
    return Case(f"ordered-{mode}-{t}-t{tm}x{tn}", text, "ordered", (2, 2, 1),
                [f"a:{t}[{m}x{n}]={data}", f"out:o:{t}[{m}x{n}]=poison", f"out:q:{t}[{m}x{n}]=poison", f"i32={m}", f"i32={n}"])


def split(case, parts):
    """A product that several blocks add to the same place."""
    text = case.text
    store = re.search(r" *%\w+ = store_view_tko weak %c, (%\w+)\[([^\]]*)\] : (tile<[^>]*>), (.*), tile<i32> -> token", text)
    text = text.replace(store[0], f"    %red = atomic_red_view_tko relaxed device {store[1]}[{store[2]}], addf, %c : {store[3]}, {store[4]}, tile<i32> -> token")
    text = text.replace(store[4], re.sub(r", padding_value = \w+", "", store[4]))
    return dataclasses.replace(case, name=f"split-{case.name}", text=text, args=[a.replace("=poison", "=zeros") for a in case.args],
                               grid=(case.grid[0], case.grid[1], parts))


def cases():
    """Cases with whether they are done by TMA."""
    for t in ("i32", "i64"):
        for mode in ("add", "and", "or", "xor", "max", "min", "umax", "umin"):
            yield fold(mode, t, 70, 120, 32, 64, 32), True
    for t in ("f32", "f16", "bf16"):
        yield fold("addf", t, 100, 136, 32, 64, 32), True
    yield fold("add", "i32", 33, 60, 64, 64, 33, scope="tl_blk"), True
    yield fold("addf", "f32", 280, 100, 32, 64, 20, rounds=3), True
    yield fold("addf", "f32", 70, 250, 128, 128, 70), True  # in slices
    yield split(matrix_kernels.gemm("f16", "f32", 128, 128, 128, 64, 64, 64, aligned=True), 3), True
    yield ordered("i32", "add", 32, 64), True
    yield ordered("f32", "addf", 64, 64), True
    # Not for TMA: no such reduction, other strong accesses.
    yield fold("addf", "f64", 70, 60, 32, 32, 32), False
    other = "%old, %ta = atomic_rmw_tko relaxed device %po, add, %c0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n"
    yield dataclasses.replace(fold("add", "i32", 70, 64, 32, 64, 32, after=other), name="another-atomic"), False


def gradients(folder):
    """Gradients of attention, added up among the products of a round: with a place of their own or that of other tiles, and queries that overhang."""
    for t, n, depth, width, causal in (("f16", 128, 64, 64, False), ("f16", 100, 64, 64, True), ("bf16", 80, 128, 64, True), ("f16", 256, 64, 128, False), ("f16", 200, 64, 128, True),
                                       ("f16", 144, 128, 64, False)):
        case = real_attention.flash_backward(t, 1, n, depth, width, causal, base2=n > 128)
        yield Case(case.name, case.text, case.entry, case.grid, case.arguments(pathlib.Path(folder)), case.tolerance.replace("/", ","))


def check(bench, case, byTma, target, strategy):
    name = f"{case.name} {target} {strategy}"
    error, text = bench.compare(name, case, target, f"--pipeline-options=pipeline-strategy={strategy}", prefix=BY_TMA,
                                timings=TIMINGS if bench.full else ("random",))
    if error:
        return error
    if bool(re.search(REDUCTION, text)) != byTma:
        return f"is {'not ' if byTma else ''}combined by TMA"
    if not byTma:
        return None
    error = bench.noticed(f"{name} none", re.sub(*NO_MAPS, text), "", *bench.launch(case), timings=("late",), schedules=2, wrong=lambda code: code == 0)
    if error:
        return f"without tensor maps: {error}"
    return bench.assemble(name, target)


# What is left out, on which side of the reductions, and why that is harmful.
FAULTS = {
    "proxy fence": (r"fence\.proxy\.async\.shared::cta;", True, "what threads have written is not ordered before the reads of the copy"),
    "barrier": (r"\bbar(?:rier)?\.(?:cta\.)?sync[^;]*;", True, "the copy reads what other threads have not written yet"),
    "commit": (r"cp\.async\.bulk\.commit_group;", False, "the wait covers nothing"),
    "wait": (r"cp\.async\.bulk\.wait_group(?:\.read)?\s+\d;", False, "shared memory is given back, or written again, before it has been read"),
}


def faults(bench, case, target):
    name = f"fault {case.name} {target}"
    text, output = bench.compile(name, case, target, prefix=BY_TMA)
    if text is None:
        yield f"{name} compiles", lambda: output
        return
    broken = {what: (without(text, pattern, before, REDUCTION), why) for what, (pattern, before, why) in FAULTS.items()}
    again = r"cp\.async\.bulk\.wait_group\.read\s+0;"
    if case.name.startswith("attention") and re.search(again, text).start() < re.search(REDUCTION, text).start():
        # The tile is waited for when the next round writes it, and behind the loop.
        broken["wait"] = (without(text, again, False, REDUCTION), "other tiles have its bytes before it has been read")
        broken["wait of the round before"] = (without(text, again, True, REDUCTION), "the tile is written before the reduction of the round before has read it")
        broken["barrier of the round before"] = (re.sub(rf"({again}[\s\S]{{0,200}}?)\bbar(?:rier)?\.(?:cta\.)?sync[^;]*;", r"\1", text, count=1),
                                                 "other threads write the tile before one has waited for the reduction")
    if case.name.startswith("ordered"):
        del broken["proxy fence"]  # that of global memory is for all of memory
        broken["written"] = (re.sub(WRITTEN, "cp.async.bulk.wait_group.read 0;", text), "what is combined is loaded before it has been written")
        broken["fence of global memory"] = (re.sub(r"fence\.proxy\.async;", "", text), "what threads have stored is not ordered before the reduction")
    for what, (changed, why) in broken.items():
        yield f"{name} {what}", lambda changed=changed, why=why, what=what: ("found no place to break" if changed == text else bench.noticed(
            f"{name} {what}", changed, why, *bench.launch(case)))


def signs(bench, case, target):
    """The tensor map of the other kind of numbers gives other results."""
    name = f"fault signs {case.name} {target}"
    text, output = bench.compile(name, case, target, prefix=BY_TMA)
    if text is None:
        return output
    kinds = {"2": "3", "3": "2", "4": "5", "5": "4"}
    changed = re.sub(r"(tensormap\.replace\.tile\.elemtype\S*\s+\[[^]]*\], )(\d)", lambda m: m[1] + kinds[m[2]], text)
    if changed == text:
        return "found no place to break"
    results = []
    for which in (text, changed):
        path, values = bench.path(name, f"-{len(results)}.ptx"), bench.path(name, f"-{len(results)}.npy")
        path.write_text(which)
        code, output = run([str(bench.tool), str(path), "--engine=emulator", *bench.launch(case), f"--dump=o={values}"])
        if code:
            return output
        results.append(values.read_bytes())
    return "the results are the same" if results[0] == results[1] else None


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    chosen = [t for t in args.targets.split(",") if t in TARGETS]
    with tempfile.TemporaryDirectory(prefix="tileiras-reductions-") as folder:
        bench, work = Bench(args.build, find_ptxas(), folder, args.full), []
        for number, (case, byTma) in enumerate(cases()):
            if not args.full and number < 16 and (number + number // 8) % 2:  # each mode of one type
                continue
            pairs = [(t, s) for t in chosen for s in ("unspecialize", "warp-specialize")]
            for target, strategy in pairs if args.full else pairs[number % len(pairs):][:1] if pairs else []:
                work.append((f"{case.name} {target} {strategy}", lambda c=case, b=byTma, t=target, s=strategy: check(bench, c, b, t, s)))
        of_attention = list(gradients(folder))
        for number, case in enumerate(of_attention):
            for target in chosen if args.full else chosen[number % len(chosen):][:1]:
                work.append((f"{case.name} {target}", lambda c=case, t=target: check(bench, c, True, t, "auto")))
        broken = [fold("add", "i32", 70, 120, 32, 64, 32, rounds=2), fold("addf", "f32", 70, 250, 128, 128, 70), ordered("i32", "add", 32, 64), of_attention[3]]
        for number, case in enumerate(broken):
            for target in chosen if args.full else chosen[number % len(chosen):][:1]:
                if args.filter in f"fault {case.name} {target}":
                    work += faults(bench, case, target)
        for number, mode in enumerate(("max", "umin")):
            for target in chosen if args.full else chosen[number % len(chosen):][:1]:
                case = fold(mode, "i64" if number else "i32", 70, 120, 32, 64, 32)
                work.append((f"fault signs {case.name} {target}", lambda c=case, t=target: signs(bench, c, t)))
        passed, failures, times = run_all([w for w in work if args.filter in w[0] or w[0].startswith("fault " + args.filter)], args.jobs, args.v)
    return conclude("tma reductions:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
