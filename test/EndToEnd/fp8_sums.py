#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of 8-bit floats on sm_90, whose unit keeps few bits of sums: added up in f32 every 128 of k unless the module says fast_acc.
Every order of the factors, spans and edges, rings, agents and chains, on the emulator with the race checker on, under several schedules with
early, late and random completion; the three ways of adding up beside each other; and PTX with one thing wrong at a time, which has to be reported.

usage: fp8_sums.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--full] [--jobs N] [-v]

Results have to be as near to the reference as docs/math-accuracy.md says for the type, k and span. --full: 16 schedules of every case instead of 2,
every strategy for every case, and all faults.
"""

import dataclasses
import re
import sys
import tempfile

import matrix_kernels
import wgmma
from harness import conclude, find_ptxas, run_all, suite_arguments
from kernels import Case, module, tile
from matrix_kernels import promoted_tolerance, values
from run import run, spilled_bytes
from under_test import Bench

STRATEGIES = ("auto", "none", "unspecialize", "warp-specialize")
E4M3, E5M2 = "f8E4M3FN", "f8E5M2"


def cases():
    """(case, warps or 0, groups of instructions that a round has at least: one for each span and each instruction's columns of a warpgroup; 0 where
    a factor lies across and cannot be copied as it is, so that f16 is multiplied)"""
    gemm = matrix_kernels.gemm
    for t in (E4M3, E5M2):
        yield gemm(t, "f32", 128, 128, 384, 64, 64, 128, aligned=True), 0, 1
        yield gemm(t, "f32", 100, 72, 168, 64, 64, 128), 0, 0
        yield gemm(t, "f32", 128, 128, 384, 64, 64, 128, aligned=True, transposed=True), 0, 1
        yield gemm(t, "f32", 100, 72, 168, 64, 32, 128, transposed=True), 0, 1
    yield gemm(E4M3, "f32", 128, 256, 512, 128, 256, 128, aligned=True, transposed=True), 8, 1
    yield gemm(E4M3, "f32", 144, 272, 400, 128, 256, 128, aligned=True, transposed=True), 8, 1
    yield gemm(E5M2, "f32", 128, 128, 384, 128, 128, 128, aligned=True, transposed=True), 8, 1
    yield gemm(E4M3, "f32", 128, 128, 384, 128, 128, 128, aligned=True, transposed=True), 4, 1
    yield gemm(E4M3, "f32", 80, 80, 592, 64, 64, 256, aligned=True, transposed=True), 4, 2
    yield gemm(E5M2, "f32", 128, 16, 640, 128, 16, 512, aligned=True, transposed=True), 4, 2
    yield gemm(E4M3, "f32", 64, 128, 192, 64, 128, 32, aligned=True, transposed=True), 4, 1
    yield gemm(E4M3, "f32", 80, 144, 160, 64, 64, 64, aligned=5, transposed=True), 4, 1
    yield gemm(E4M3, "f32", 128, 64, 256, 64, 64, 128, aligned=True, left=True), 4, 1
    yield gemm(E4M3, "f32", 256, 128, 256, 256, 128, 64, aligned=True, transposed=True), 8, 2
    yield batched(E4M3, 4, 64, 32, 128, 2), 4, 2
    yield batched(E5M2, 2, 64, 64, 256, 1), 8, 2
    empty = gemm(E4M3, "f32", 128, 128, 128, 64, 64, 128, aligned=True, transposed=True)
    yield dataclasses.replace(empty, name=empty.name + "-without-k", args=empty.args[:-1] + ["i32=0"]), 4, 1


def loads(*tiles):
    """Lines that load tiles of arrays of known extents: (name, array, tile, place, type, whether rows become columns)."""
    lines = ""
    for name, shape, box, at, t, turned in tiles:
        view, kind = matrix_kernels.static_view(name, f"p{name}a", shape, box, t, "zero")
        lines += view
        whole = tile(box, t)
        lines += f"%{name}{'t' if turned else 'v'}, %{name}k = load_view_tko weak %{name}[{at}] : {kind}, tile<i32> -> {whole}, token\n"
        if turned:
            order = list(range(len(box) - 2)) + [len(box) - 1, len(box) - 2]
            lines += f"%{name}v = permute %{name}t {order} : {whole} -> {tile([box[i] for i in order], t)}\n"
    return lines


def entry(name, arrays, body):
    aligned = "".join(f"%p{n}a = assume div_by<16>, %p{n} : tile<ptr<{t}>>\n" for n, t in arrays)
    return module(name, ", ".join(f"%p{n}: tile<ptr<{t}>>" for n, t in arrays), "%c0 = constant <i32: 0> : tile<i32>\n" + aligned + body)


def batched(t, batch, m, n, k, tb):
    """Products of a batch, added to what is in memory; B is stored n x k."""
    A, B, C = ([tb, m, k], [tb, n, k], [tb, m, n])
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
    body += loads(("a", [batch, m, k], A, "%bx, %c0, %c0", t, False), ("b", [batch, n, k], B, "%bx, %c0, %c0", t, True),
                  ("o", [batch, m, n], C, "%bx, %c0, %c0", "f32", False))
    _, kind = matrix_kernels.static_view("o", "poa", [batch, m, n], C, "f32", "zero")
    body += f"%r = mmaf %av, %bv, %ov : {tile(A, t)}, {tile([tb, k, n], t)}, {tile(C, 'f32')}\n"
    body += f"%s = store_view_tko weak %r, %o[%bx, %c0, %c0] token = %ok : {tile(C, 'f32')}, {kind}, tile<i32> -> token\n"
    return Case(f"batched-{t}-{batch}x{m}x{n}x{k}-t{tb}", entry("batched", [("a", t), ("b", t), ("o", "f32")], body), "batched", (batch // tb, 1, 1),
                [f"a:{t}[{batch}x{m}x{k}]={values(t, 23)}", f"b:{t}[{batch}x{n}x{k}]={values(t, 24)}", f"o:f32[{batch}x{m}x{n}]={values('f32', 25)}"],
                promoted_tolerance(k))


def chain(t, m, n, k, columns, rounds):
    """Rounds of o += round(a b) c: the left factor of the second product is computed from the first one, in registers, and both others have k fastest."""
    N, P = tile([m, n], "f32"), tile([m, n], t)
    O = tile([m, columns], "f32")
    body = "%c1 = constant <i32: 1> : tile<i32>\n" + f"%n = constant <i32: {rounds}> : tile<i32>\n%z = constant <f32: 0.0> : {N}\n%zo = constant <f32: 0.0> : {O}\n"
    body += f"%half = constant <f32: {2.0 ** -8}> : {N}\n"
    body += loads(("a", [m, k], [m, k], "%c0, %c0", t, False))
    body += f"%sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%o0 = %zo) -> ({O}) {{\n"
    body += loads(("b", [rounds * n, k], [n, k], "%i, %c0", t, True), ("c", [columns, rounds * n], [columns, n], "%c0, %i", t, True))
    body += f"%d = mmaf %av, %bv, %z : {tile([m, k], t)}, {tile([k, n], t)}, {N}\n%e = mulf %d, %half : {N}\n%p = ftof %e : {N} -> {P}\n"
    body += f"%o1 = mmaf %p, %cv, %o0 : {P}, {tile([n, columns], t)}, {O}\ncontinue %o1 : {O}\n}}\n"
    view, kind = matrix_kernels.static_view("o", "poa", [m, columns], [m, columns], "f32")
    body += view + f"%s = store_view_tko weak %sum, %o[%c0, %c0] : {O}, {kind}, tile<i32> -> token\n"
    # Where a sum that lies between two numbers of 8 bits is rounded the other way, a factor is off by one in its last place.
    return Case(f"chain-{t}-{m}x{n}x{k}x{columns}-{rounds}", entry("chain", [("a", t), ("b", t), ("c", t), ("o", "f32")], body), "chain", (1, 1, 1),
                [f"a:{t}[{m}x{k}]={values(t, 31)}", f"b:{t}[{rounds * n}x{k}]={values(t, 32)}", f"c:{t}[{columns}x{rounds * n}]={values(t, 33)}",
                 f"out:o:f32[{m}x{columns}]=poison"], f"rel:{2.0 ** -4 if t == E4M3 else 2.0 ** -3},abs:1e-6")


def chains():
    """(case, warps: a warpgroup for each 64 rows, so that the threads that need a left factor have it)"""
    yield chain(E4M3, 64, 64, 64, 64, 3), 4
    yield chain(E5M2, 64, 128, 128, 32, 2), 4
    yield chain(E4M3, 128, 256, 128, 64, 2), 8


def options(warps, strategy, more=""):
    return f"--pipeline-options=pipeline-strategy={strategy}" + (f" num-warps={warps}" if warps else "") + more


def strategies(bench, number):
    return STRATEGIES if bench.full else [STRATEGIES[number % len(STRATEGIES)]]


def examine(bench, name, element, groups):
    """What is wrong with the PTX and with what ptxas makes of it."""
    text = bench.path(name, ".ptx").read_text()
    element = element if groups else "f16"
    if not re.search(rf"wgmma\.mma_async\.sync\.aligned\.\S*\.f32\.{element}\.{element}", text):
        return f"its factors are not multiplied as {element}"
    found = [len(re.findall(r"wgmma\.mma_async", group)) for group in re.findall(r"wgmma\.fence.*?wgmma\.commit_group", text, re.S)]
    if groups and max(found) > 4:
        return f"the unit adds up {32 * max(found)} of k"
    if len(found) < groups:
        return f"{len(found)} groups, expected {groups}"
    return bench.assemble(name, "sm_90", lambda output: "C75" in output or spilled_bytes(output))


def check(bench, case, number, warps, groups):
    for strategy in strategies(bench, number):
        name = f"{case.name}-{warps}-{strategy}"
        error, _ = bench.compare(name, case, "sm_90", options(warps, strategy))
        error = error or examine(bench, name, "e4m3" if E4M3 in case.name else "e5m2", groups)
        if error:
            return f"{strategy}: {error}"
    return None


def check_chain(bench, case, warps, number):
    for strategy in strategies(bench, number):
        name = f"{case.name}-{strategy}"
        error, text = bench.compare(name, case, "sm_90", options(warps, strategy))
        if error:
            return f"{strategy}: {error}"
        if not re.search(r"wgmma\.mma_async\S*k32\S+ \{[^}]*\}, \{", text):
            return f"{strategy}: no left factor in registers"
        if error := bench.assemble(name, "sm_90", lambda output: "C75" in output or spilled_bytes(output)):
            return error
    return None


def ways(bench, t):
    """k = 4,096 in the three ways: exact sums agree with the reference in all digits, promoted ones within their bound and no more, those of fast_acc
    not within that bound."""
    size, k = 64, 4096
    bound, exact = promoted_tolerance(128), "rel:1e-5,abs:1e-6"

    def agrees(way, tolerance):
        case = matrix_kernels.gemm(t, "f32", size, size, k, 64, 64, 128, aligned=True, transposed=True, fast=way == "fast_acc")
        code, output = run([str(bench.tool), str(bench.source(f"ways-{t}-{way}", case)), "--engine=reference,emulator", "--check", "--gpu-name=sm_90",
                            f"--tolerance={tolerance}", options(4, "auto", f" fp8-sums={way}" if way != "fast_acc" else ""), *bench.launch(case)])
        if code not in (0, 7):
            raise RuntimeError(output)
        return code == 0

    for way, tolerance, wanted in (("exact", exact, True), ("promoted", bound, True), ("promoted", exact, False), ("fast_acc", bound, False)):
        if agrees(way, tolerance) != wanted:
            return f"{way}: is {'not ' if wanted else ''}within {tolerance}"
    return None


def fault_cases():
    gemm = matrix_kernels.gemm
    yield gemm(E4M3, "f32", 128, 64, 512, 128, 64, 256, aligned=True, transposed=True), 8, "none"
    yield gemm(E4M3, "f32", 128, 256, 384, 128, 256, 128, aligned=True, transposed=True), 8, "none"
    yield gemm(E5M2, "f32", 128, 128, 640, 128, 128, 128, aligned=True, transposed=True), 8, "warp-specialize"


# What does no harm: (extents, strategy, what) and why.
HARMLESS = {("128x64x512", "none", "without wgmma.fence.sync.aligned; #1"): "of two tiles that are under way, the second one's registers were last read before the "
            "fence of the first, which orders all accesses before it (PTX ISA, wgmma.fence)"}


def planted(text):
    """Those of wgmma.py that are about the product itself, and what only promotion has."""
    for what, why, broken in wgmma.planted(text):
        if "wgmma" in what or what.startswith("sum"):
            yield what, why, broken
    for number, match in enumerate(re.finditer(r"setp\.ne\.b32 first, 0, 0;", text)):
        yield (f"span #{number} does not begin from zero", "what its registers held is added, too (scale-d)",
               f"{text[:match.start()]}setp.ne.b32 first, 1, 0;{text[match.end():]}")


def faulty(bench, case, warps, strategy):
    name = f"fault-{case.name}-{strategy}"
    right = bench.path(name, ".npy")
    text, output = bench.compile(name, case, "sm_90", options(warps, strategy), f"--dump=o={right}")
    if text is None:
        yield f"{case.name} compiles", lambda: output
        return
    arguments = [f"--tolerance={case.within('sm_90')}", *[re.sub(r"^(out:o:\w+\[\w+\])", rf"\1{{expect={right}}}", a) for a in bench.launch(case)]]
    for number, (what, why, broken) in enumerate(planted(text)):
        if (not bench.full and number % 3) or (re.search(r"\d+x\d+x\d+", case.name)[0], strategy, what) in HARMLESS:
            continue
        yield f"{case.name} {strategy}: {what}", lambda broken=broken, why=why, number=number: bench.noticed(
            f"{name}-{number}", broken, why, *arguments, wrong=lambda code: code in (6, 7))


def main():
    parser = suite_arguments(["sm_90"])
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tileiras-fp8-") as folder:
        bench = Bench(args.build, find_ptxas(), folder, args.full)
        work = [(f"{case.name} by {warps or 'its own'} warps", lambda case=case, number=number, warps=warps, groups=groups: check(bench, case, number, warps, groups))
                for number, (case, warps, groups) in enumerate(cases())]
        work += [(case.name, lambda case=case, number=number, warps=warps: check_chain(bench, case, warps, number))
                 for number, (case, warps) in enumerate(chains())]
        work += [(f"three ways of {t}", lambda t=t: ways(bench, t)) for t in (E4M3, E5M2)]
        for case, warps, strategy in fault_cases():
            if args.filter in case.name or args.filter in "faults":
                work += faulty(bench, case, warps, strategy)
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("fp8 sums:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
