#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops without products whose tiles come by TMA, and padding other than zero: copies leave zero outside of an array, and threads put the
padding there when they have the tile in registers. Maxima, minima, sums and bits of ragged rows, softmax in chunks, elementwise chains, in
rings of several stages, by one agent and by several, with tensor maps and without.

usage: tma_padding.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_90,sm_100] [--full] [--jobs N] [-v]

A case passes when every run agrees with the reference, its PTX loads by TMA, and ptxas takes it without a warning. Then the selection is
left out, the edge is put in the wrong place, and the question whether a tile crosses it is answered wrongly: each time results differ. And
bytes, waits and the meeting before a stage is released are left out, which the checker reports.
"""

import dataclasses
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import matrix_kernels
from agents import NO_MAPS
from harness import conclude, find_ptxas, run_all, suite_arguments
from kernels import Case, ceil_div, module, tile, view2d
from real_norms import softmax_chunked
from run import run
from under_test import TIMINGS, Bench
import targets

TARGETS = ["sm_90", "sm_100", "sm_120"]
BY_TMA = ["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=true"]
LOAD = r"cp\.async\.bulk\.tensor\.\dd\.shared"
STRATEGIES = [("unspecialize", 2), ("unspecialize", 3), ("unspecialize", 4), ("warp-specialize", 3)]


def combined(what, t, m, n, gap, rows, width, pad, low=1, high=9, turned=False):
    """Along long rows, which end `gap` elements before the next begins: the largest, the smallest, the sum, or all bits together."""
    T, R = tile([rows, width], t), tile([rows], t)
    va, pa = view2d("a", "pa", "m", "n", "n", rows, width, t, pad, aligned=gap or True)
    tiles = "%ks:2 = get_index_space_shape %a : " + pa + " -> tile<i32>\n"
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n" + va + tiles
    start = {"max": "-1.0e30", "min": "1.0e30", "sum": "0.0", "bits": "0"}[what]
    kind = "i32" if what == "bits" else t
    C = tile([rows, width], kind)
    body += f"%z = constant <{kind}: {start}> : {C}\n"
    body += f"%all = for %j in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    body += f"  %x, %t0 = load_view_tko weak %a[%bx, %j] : {pa}, tile<i32> -> {T}, token\n"
    if what == "bits":
        body += f"  %b = bitcast %x : {T} -> {C}\n  %s1 = ori %s, %b : {C}\n"
    else:
        body += f"  %s1 = {'addf' if what == 'sum' else what + 'f'} %s, %x : {C}\n"
    body += f"  continue %s1 : {C}\n}}\n"
    identity = {"max": "-1.0e30", "min": "1.0e30", "sum": "0.0", "bits": "0"}[what]
    K = tile([rows], kind)
    body += f"%r = reduce %all dim=1 identities=[{identity} : {kind}] : {C} -> {K}\n(%e: tile<{kind}>, %acc: tile<{kind}>) {{\n"
    body += f"  %u = {'ori' if what == 'bits' else 'addf' if what == 'sum' else what + 'f'} %e, %acc : tile<{kind}>\n  yield %u : tile<{kind}>\n}}\n"
    tv = f"tensor_view<?x{kind}, strides=[1]>"
    body += f"%ot = make_tensor_view %po, shape = [%m], strides = [1] : tile<i32> -> {tv}\n%o = make_partition_view %ot : partition_view<tile=({rows}), {tv}>\n"
    body += f"%t1 = store_view_tko weak %r, %o[%bx] : {K}, partition_view<tile=({rows}), {tv}>, tile<i32> -> token\n"
    text = module("rows", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{kind}>>, %m: tile<i32>, %n: tile<i32>", body)
    return Case(f"{what}-{t}-{pad}-{m}x{n}-less-{gap}-t{rows}x{width}", text, "rows", (ceil_div(m, rows), 1, 1),
                [f"a:{t}[{m}x{n}]=random(lo={low},hi={high},seed=41)", f"out:o:{kind}[{m}]=poison", f"i32={m}", f"i32={n}"],
                "exact" if what != "sum" else {"f32": "rel:1e-5,abs:1e-5"}.get(t, "rel:2e-2,abs:1e-2"))


def chain(t, m, n, gap, rows, width):
    """Twice of what is there, and where nothing is, in every second column infinity would come out: two streams, one of them padded."""
    T = tile([rows, width], t)
    va, pa = view2d("a", "pa", "m", "n", "n", rows, width, t, "pos_inf", aligned=gap or True)
    vb, pb = view2d("b", "pb", "m", "n", "n", rows, width, t, "zero", aligned=gap or True)
    vo, po = view2d("o", "po", "m", "n", "n", rows, width, t, aligned=gap or True)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n" + va + vb + vo
    body += f"%ks:2 = get_index_space_shape %a : {pa} -> tile<i32>\n"
    body += f"for %j in (%c0 to %ks#1, step %c1) : tile<i32> {{\n"
    body += f"  %x, %t0 = load_view_tko weak %a[%bx, %j] : {pa}, tile<i32> -> {T}, token\n  %y, %t1 = load_view_tko weak %b[%bx, %j] : {pb}, tile<i32> -> {T}, token\n"
    body += f"  %s = addf %x, %y : {T}\n  %t2 = store_view_tko weak %s, %o[%bx, %j] : {T}, {po}, tile<i32> -> token\n}}\n"
    text = module("chain", f"%pa: tile<ptr<{t}>>, %pb: tile<ptr<{t}>>, %po: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    return Case(f"chain-{t}-{m}x{n}-less-{gap}-t{rows}x{width}", text, "chain", (ceil_div(m, rows), 1, 1),
                [f"a:{t}[{m}x{n}]=random(lo=1,hi=9,seed=42)", f"b:{t}[{m}x{n}]=random(lo=1,hi=9,seed=43)", f"out:o:{t}[{m}x{n}]=zeros", f"i32={m}", f"i32={n}"],
                "exact")


def softmax(folder, *arguments):
    case = softmax_chunked(*arguments)
    return Case(case.name, case.text, case.entry, case.grid, case.arguments(pathlib.Path(folder)), case.tolerance.replace("/", ","))


def cases(folder):
    yield combined("max", "f32", 7, 1008, 5, 1, 256, "neg_inf", -90, -1)
    yield combined("max", "f16", 70, 400, 3, 16, 64, "neg_inf", -90, -1)
    yield combined("max", "bf16", 9, 1040, 16, 4, 128, "neg_inf", -90, -1)
    yield combined("min", "f32", 33, 304, 7, 32, 32, "pos_inf")
    yield combined("min", "f16", 5, 528, 15, 2, 256, "pos_inf")
    yield combined("sum", "f32", 6, 240, 1, 4, 64, "nan")
    yield combined("max", "f32", 6, 240, 9, 8, 64, "nan", -90, -1)
    yield combined("bits", "f32", 12, 272, 2, 8, 64, "neg_zero")
    yield combined("sum", "f32", 6, 240, 1, 4, 64, "zero")
    yield combined("max", "f64", 10, 208, 3, 4, 64, "neg_inf", -90, -1)
    yield combined("max", "f32", 16, 512, 0, 8, 128, "neg_inf", -90, -1)  # no tile crosses the edge along rows
    yield combined("max", "f32", 3, 48, 4, 4, 64, "neg_inf", -90, -1)    # one round
    yield chain("f32", 12, 304, 5, 8, 64)
    yield chain("f16", 5, 400, 2, 4, 128)
    yield softmax(folder, "f32", 5, 1000, 1, 256)
    yield softmax(folder, "f16", 7, 600, 4, 64)
    yield softmax(folder, "bf16", 20, 168, 16, 64)


def check(bench, case, target, strategy, stages):
    name = f"{case.name} {target} {strategy} {stages}"
    error, text = bench.compare(name, case, target, f"--pipeline-options=pipeline-strategy={strategy} unspecialized-pipeline-num-stages={stages}",
                                prefix=BY_TMA, timings=TIMINGS if bench.full else ("random",))
    if error:
        return error
    if not re.search(LOAD, text):
        return "nothing is loaded by TMA"
    error = bench.noticed(f"{name} none", re.sub(*NO_MAPS, text), "", *bench.launch(case), timings=("late",), schedules=2, wrong=lambda code: code == 0)
    if error:
        return f"without tensor maps: {error}"
    return bench.assemble(name, target)


def product(pad):
    """The left factor is padded with something else than zero, which a product that reads shared memory cannot put there. Rows beyond the array
    are not stored, and along k nothing lies outside."""
    case = matrix_kernels.gemm("f16", "f32", 100, 144, 192, 64, 64, 64, aligned=True)
    lines = case.text.split("\n")
    view = re.search(r"make_partition_view %a_t : (.*)", case.text)[1]
    other = view.replace("padding_value = zero", f"padding_value = {pad}")
    text = "\n".join(line.replace(view, other) if "%a" in line else line for line in lines)
    return dataclasses.replace(case, name=f"product-{pad}", text=text)


def check_product(bench, pad, target):
    case = product(pad)
    name = f"{case.name} {target}"
    error, _ = bench.compare(name, case, target, prefix=BY_TMA)
    if error:
        return error
    code, output = run([*BY_TMA, str(bench.tool.with_name("tileiras")), str(bench.path(name, ".mlir")), f"--gpu-name={target}", "--emit=ptx",
                        "--remarks=memory", "-o", str(bench.path(name, ".remarks.ptx"))])
    return None if not code and "its padding is not zero, which copies leave outside of the array" in output else f"no remark\n{output}"


INFINITY = r"0fFF800000|0f7F800000"


def without_selection(text):
    return re.sub(rf"(selp\.f32[^;]*)({INFINITY})", r"\g<1>0f00000000", text)


def with_edge_moved(text):
    """What a selection asks about a place has one more of them inside."""
    for predicate in set(re.findall(rf"selp\.f32[^;]*(?:{INFINITY}), (%p\d+);", text)):
        text = re.sub(rf"setp\.(lt|gt)(\.\w+\s+{predicate},)", lambda m: f"setp.{m[1][0]}e{m[2]}", text)
    return text


def with_no_edge(text):
    """Nobody takes the branch for tiles at the edge."""
    def is_edge(rest):
        block = rest.split("bra")[0]
        return "selp" in block and re.search(INFINITY, block)

    def at(label):
        return text[text.index(f"\n{label}:"):]

    def inside(match):
        if is_edge(at(match[2])):
            return ""
        goes_on = re.match(r"\s*bra\.uni\s+([$\w]+);", text[match.end():])
        return f"bra.uni {match[2]};" if is_edge(at(goes_on[1]) if goes_on else text[match.end():]) else match[0]
    return re.sub(r"@(%p\d+) bra\s+([$\w]+);", inside, text)


FAULTS = {"no selection": without_selection, "the edge an element further": with_edge_moved, "no tile is at the edge": with_no_edge}


def faults(bench, case, target):
    """Of a loop whose tiles are filled by TMA: results are compared with those of the kernel as it was."""
    name = f"fault {case.name} {target}"
    # Two stages: they are filled again.
    text, output = bench.compile(name, case, target, "--pipeline-options=unspecialized-pipeline-num-stages=2", prefix=BY_TMA)
    if text is None:
        yield f"{name} compiles", lambda: output
        return
    good, ptx = bench.path(name, ".npy"), bench.path(name, ".good.ptx")
    ptx.write_text(text)
    code, output = run([str(bench.tool), str(ptx), "--engine=emulator", *bench.launch(case), f"--dump=o={good}"])
    if code:
        yield f"{name} runs", lambda: output
        return
    # Nobody but the barriers of the stages says when threads may read.
    for why, (pattern, replacement) in {
            "nobody waits for the bytes": (r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, (\[[^]]*\]), %r\d+;", r"mbarrier.arrive.shared.b64 _, \1;"),
            "nobody waits for stages": (r"mbarrier\.try_wait\S* done, \[[^]]*\], %r\d+;", "setp.eq.b32 done, 0, 0;"),
            "lanes do not meet before a stage is released": (r"bar\.warp\.sync\s+-1;", "")}.items():
        changed = re.sub(pattern, replacement, text)
        yield f"{name} {why}", lambda changed=changed, why=why: "found no place to break" if changed == text else bench.noticed(
            f"{name} {why}", changed, why, *bench.launch(case))
    arguments = [re.sub(r"\]=poison", f"]{{expect={good}}}=poison", a) for a in bench.launch(case)]
    for what, change in FAULTS.items():
        changed = change(text)
        yield f"{name} {what}", lambda changed=changed, what=what: "found no place to break" if changed == text else bench.noticed(
            f"{name} {what}", changed, what, *arguments, timings=("late",), schedules=1, wrong=lambda code: code != 0)


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    chosen = [t for t in args.targets.split(",") if t in TARGETS]
    with tempfile.TemporaryDirectory(prefix="tileiras-padding-") as folder:
        bench, work = Bench(args.build, find_ptxas(), folder, args.full), []
        for number, case in enumerate(cases(folder)):
            pairs = [(t, *s) for t in chosen for s in STRATEGIES]
            for target, strategy, stages in pairs if args.full else pairs[5 * number % len(pairs):][:1] if pairs else []:
                work.append((f"{case.name} {target} {strategy} {stages}",
                             lambda c=case, t=target, s=strategy, n=stages: check(bench, c, t, s, n)))
        for number, pad in enumerate(("nan", "neg_inf", "neg_zero") if args.full else ("nan",)):
            for target in chosen if args.full else chosen[number % len(chosen):][:1]:
                work.append((f"product-{pad} {target}", lambda p=pad, t=target: check_product(bench, p, t)))
        for number, case in enumerate([combined("max", "f32", 7, 1008, 5, 1, 256, "neg_inf", -90, -1), combined("min", "f32", 33, 304, 7, 32, 32, "pos_inf")]):
            for target in chosen if args.full else chosen[number % len(chosen):][:1]:
                if args.filter in f"fault {case.name} {target}":
                    work += faults(bench, case, target)
        passed, failures, times = run_all([w for w in work if args.filter in w[0] or w[0].startswith("fault")], args.jobs, args.v)
    return conclude("tma padding:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
