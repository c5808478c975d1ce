#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products by wgmma on sm_90: every type, both orders of B, several tiles, ragged edges, batches and chains, on the emulator
with the race checker on, under several schedules, with early, late and random completion; and with one synchronising
instruction of the PTX taken out at a time, which has to be reported.

usage: wgmma.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--full] [--jobs N] [-v]

A case passes when its PTX holds as many wgmma as the product has (none where it is expected to have none), ptxas takes it
without a warning, a register spill or a serialised product, and every run agrees with the reference. --full takes 16
schedules of every case instead of a sample, and of the faults all instead of a sample.
"""

import dataclasses
import re
import sys
import tempfile

import matrix_kernels
import real_attention
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import spilled_bytes
from under_test import Bench

ROWS = [("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("f16", "f16"), ("f8E4M3FN", "f32"), ("f8E5M2", "f32")]


def cases():
    """(case, whether wgmma multiplies it)"""
    gemm = matrix_kernels.gemm
    for t, acc in ROWS:
        for transposed in (False, True):
            yield gemm(t, acc, 128, 128, 128, 128, 64, 64, aligned=True, transposed=transposed), True
        yield gemm(t, acc, 100, 72, 88, 64, 32, 64), True
    yield gemm("f16", "f32", 128, 256, 128, 128, 256, 64, aligned=True), True
    yield gemm("f16", "f32", 256, 128, 64, 256, 64, 64, aligned=True), True
    yield gemm("bf16", "f32", 64, 256, 96, 64, 256, 32, aligned=True, transposed=True), True
    yield gemm("f16", "f32", 128, 16, 64, 128, 16, 16, aligned=True), True
    yield gemm("f16", "f32", 64, 64, 64, 32, 64, 32), False  # 32 rows
    yield gemm("f64", "f64", 64, 64, 64, 64, 32, 16), False
    for signs in (("signed", "signed"), ("unsigned", "signed")):
        for transposed in (False, True):
            yield gemm("i8", "i32", 128, 64, 128, 64, 64, 64, signs=signs, transposed=transposed), True
    yield matrix_kernels.batched("f16", "f32", 4, 64, 32, 32, 2, 64, 32, 32), True
    # No round of the loop: the sums are the zeros that no instruction writes.
    empty = gemm("f16", "f32", 128, 128, 64, 128, 128, 64, aligned=True)
    yield dataclasses.replace(empty, name=empty.name + "-without-k", args=empty.args[:-1] + ["i32=0"]), True


def chains():
    """Attention, whose second product goes on beside the first one of the next iteration: 0 to 3 iterations and more."""
    attention = matrix_kernels.attention
    once = attention("f16", 64, 64, 64, 64, 64, aligned=True)
    yield dataclasses.replace(once, name=once.name + "-without-keys", args=[*once.args[:-2], "i32=0", once.args[-1]])
    yield once
    # LLVM finds that there is one iteration: factors and sums are zeros, which must not share registers.
    late = attention("f16", 64, 64, 64, 64, 64, aligned=True)
    late.text = late.text.replace("%acc, %max", "%late = divi %ks#0, %ks#0 signed : tile<i32>\n%acc, %max").replace("(%c0 to %ks#0,", "(%c0 to %late,")
    yield dataclasses.replace(late, name=late.name + "-one-known-late")
    yield attention("f16", 64, 128, 64, 64, 64, aligned=True)
    yield attention("bf16", 80, 176, 64, 64, 64, aligned=True)
    yield attention("f16", 64, 320, 128, 64, 64, aligned=True)
    yield attention("bf16", 128, 192, 64, 128, 64, aligned=True)
    yield attention("f16", 128, 256, 64, 128, 128, aligned=True)
    yield attention("bf16", 128, 384, 128, 128, 128, aligned=True)
    # What the first iteration multiplies is not what stands there: no zero times infinity.
    for case in (attention("f16", 64, 320, 64, 64, 64, aligned=True), attention("bf16", 128, 256, 64, 128, 128, aligned=True)):
        for number in range(2):
            yield matrix_kernels.infinite(case, f"-{number}")
    whole = matrix_kernels.attention_of_whole_tiles
    yield matrix_kernels.infinite(whole("f16", 2, 192, 64, 64, False))
    yield matrix_kernels.infinite(whole("bf16", 1, 256, 128, 128, False))
    yield whole("f16", 2, 192, 64, 64, False)
    yield whole("bf16", 1, 256, 128, 128, False)
    yield whole("f16", 2, 256, 64, 64, True)
    # The sums and logits of two rounds leave the fewest registers here.
    yield whole("bf16", 1, 256, 128, 128, True)


def turned():
    """(case, the instruction that turns it) of products whose bytes lie across: threads turn one factor on its way from registers to the
    product, by stmatrix; two, or what is too small for that, between a ring and the product, by ldmatrix."""
    gemm = matrix_kernels.gemm
    for t, acc, signs in (("i8", "i32", ("signed", "unsigned")), ("f8E4M3FN", "f32", None), ("f8E5M2", "f32", None)):
        yield gemm(t, acc, 128, 256, 512, 128, 128, 128, signs=signs, aligned=True), "stmatrix"
        yield gemm(t, acc, 192, 160, 208, 64, 128, 64, signs=signs, aligned=True), "stmatrix"
        # Less than a tile of everything, one round, and two of which the second is cut.
        yield gemm(t, acc, 48, 80, 16, 64, 128, 64, signs=signs, aligned=True), "stmatrix"
        yield gemm(t, acc, 144, 272, 144, 128, 128, 128, signs=signs, aligned=True), "stmatrix"
        yield gemm(t, acc, 128, 128, 304, 128, 64, 64, signs=signs, aligned=True, left=True, transposed=True), "stmatrix"
        yield gemm(t, acc, 128, 64, 224, 64, 64, 32, signs=signs, aligned=True), "ldmatrix"
        yield gemm(t, acc, 144, 96, 352, 64, 32, 128, signs=signs, aligned=True, left=True), "ldmatrix"


def check_turned(bench, case, instruction, number):
    """Equal whatever the strategy and the stages, and never written byte by byte; and wrong if an instruction of the way is another."""
    others = ("warp-specialize", "none")
    stages = range(2, 5) if bench.full else [2 + number % 3]
    for strategy, count in (*(("unspecialize", count) for count in stages), *((other, 0) for other in (others if bench.full else [others[number % 2]]))):
        name = f"{case.name}-turned-{strategy}-{count}"
        right = bench.path(name, ".npy")
        options = f"pipeline-strategy={strategy}" + (f" unspecialized-pipeline-num-stages={count}" if count else "")
        error, ptx = bench.compare(name, case, "sm_90", f"--pipeline-options={options}", f"--dump=o={right}")
        if error:
            return f"{options}: {error}"
        if error := bench.assemble(name, "sm_90", lambda output: "C75" in output or spilled_bytes(output)):
            return f"{options}: {error}"
        if not products(ptx)[0]:
            return f"{options}: no wgmma"
        if strategy != "unspecialize":
            continue
        turns = re.findall(rf"{instruction}\.sync\.aligned\.m8n8\.x[24]\.trans", ptx)
        if not turns or "st.shared.b8" in ptx:
            return f"{options}: {len(turns)} {instruction}, " + ("and bytes are written one by one" if "st.shared.b8" in ptx else "none")
        arguments = ["--tolerance=exact", *[re.sub(r"^(out:o:\w+\[\w+\])", rf"\1{{expect={right}}}", a) for a in bench.launch(case)]]
        wrong = lambda code: code in (6, 7)
        values = {"ldmatrix": (30001, 25632), "stmatrix": (29538, 20800)}[instruction]
        selector = re.search(r"selp\.b32\s+%r\d+, (?:{0}, {1}|{1}, {0}), %p\d+;".format(*values), ptx)
        if not selector:
            return f"{options}: the selectors of prmt do not depend on the lane"
        same = re.sub(r"(\d{5}), (\d{5})", r"\1, \1", selector.group(0))
        for what, broken in (("rows not turned", ptx.replace(".trans", "", 1)), ("one selector for all lanes", ptx.replace(selector.group(0), same))):
            if broken == ptx:
                return f"{what}: nothing to change"
            if error := bench.noticed(f"{name}-broken", broken, what, *arguments, wrong=wrong):
                return error
    return None


def products(ptx):
    return len(re.findall(r"wgmma\.mma_async", ptx)), len(re.findall(r"\bmma\.sync", ptx))


def check(bench, case, expected):
    error, ptx = bench.compare(case.name, case, "sm_90")
    if error:
        return error
    wgmma, sync = products(ptx)
    if (wgmma > 0) != expected or (expected and sync):
        return f"{wgmma} wgmma and {sync} mma.sync; wgmma was {'' if expected else 'not '}expected"
    return bench.assemble(case.name, "sm_90", lambda output: "C75" in output or spilled_bytes(output))


def check_chain(bench, case, number):
    strategies = ("unspecialize", "warp-specialize", "none")
    for strategy in strategies if bench.full else [strategies[number % len(strategies)]]:
        name = f"{case.name}-{strategy}"
        error, ptx = bench.compare(name, case, "sm_90", f"--pipeline-options=pipeline-strategy={strategy}")
        if error:
            return error
        # Iterations overlap unless nothing does.
        if ("wgmma.wait_group.sync.aligned 1;" in ptx) != (strategy != "none"):
            return f"{strategy}: products " + ("go on side by side" if strategy == "none" else "are done one after the other")
        if error := bench.assemble(name, "sm_90", lambda output: "C75" in output or spilled_bytes(output)):
            return error
    return None


# What is taken out, one occurrence at a time, and why each is harmful by the PTX ISA. The kernels have two warpgroups: inside
# one, a product of all four warps also orders them (wgmma is .sync.aligned), so that some barriers do not matter.
WAIT = r"wgmma\.wait_group\.sync\.aligned "
# Of two waits that stand together the first is one that ptxas wants to see: the second is for the same products (PTX ISA, wgmma.wait_group).
NOT_APART = r"(?!\nAPART)"
FAULTS = {
    r"wgmma\.fence\.sync\.aligned;": "registers of the first product are not ordered before it (wgmma.fence)",
    r"wgmma\.commit_group\.sync\.aligned;": "the products are in no group that the wait covers (wgmma.commit_group)",
    WAIT + "[01];" + NOT_APART: "sums are read, or operands written, while the products run (wgmma.wait_group)",
    r"fence\.proxy\.async\.shared::cta;": "writes of the generic proxy are not ordered before reads of the async proxy",
    r"bar(?:rier\.cta)?\.sync(?:\.aligned)?\s+(?:all )?0;": "threads do not wait for the others' writes",
}
# Fields of a descriptor (PTX ISA, "Matrix Descriptor Format"), and bits of them that change what is read: the start, the stride
# between groups of eight rows (or of eight k where the other dimension is the faster one), the place in the swizzle pattern,
# which may only be that of the start, and the pattern. The leading stride is not read where one pattern holds all of k.
DESCRIPTOR_BITS = {"start": lambda d: 1, "stride": lambda d: d & (0x3FFF << 32) & -(d & (0x3FFF << 32)), "base": lambda d: 1 << 49,
                   "swizzle, low bit": lambda d: 1 << 62, "swizzle, high bit": lambda d: 1 << 63}


def fault_cases():
    gemm = matrix_kernels.gemm
    yield gemm("f16", "f32", 128, 128, 192, 128, 128, 64, aligned=True)
    yield gemm("bf16", "f32", 128, 64, 128, 128, 64, 64, aligned=True, transposed=True)
    yield gemm("i8", "i32", 128, 128, 256, 128, 128, 128, signs=("signed", "unsigned"))
    yield matrix_kernels.attention("f16", 128, 192, 64, 128, 64, aligned=True)


# What does no harm, of `fault_cases`: (kernel, text, number among those of its kind) and why.
ATTENTION = "attention-f16-128x192x64-t128x64-aligned"
MET = "every thread does the same again before the first product (PTX ISA, fence.proxy.async and bar.sync: both order all that came before)"
BEFORE = ("the copies that it is for are older than those of the loop, whose cp.async.wait_group 0 waited for them too, with a fence and a "
          "barrier behind it (PTX ISA, cp.async.wait_group)")
TURNED = "gemm-i8-i32-128x128x512-t128x128x128-signed-signed-aligned"
HARMLESS = {(TURNED, "bar", 1): "all have met in the wait for the other factor's stage, each behind its product of the round before",
            (ATTENTION, "fence", 0): MET, (ATTENTION, "bar", 0): "no access to shared memory stands before it", (ATTENTION, "bar", 1): MET,
            (ATTENTION, "fence", 2): BEFORE, (ATTENTION, "bar", 4): BEFORE,
            (ATTENTION, "wgmma.fence", 1): "between the two products of an iteration no thread accesses registers of the second, so the fence before "
                                           "the first one orders what it did to them (PTX ISA, wgmma.fence)"}


def planted(text):
    """(name, what is wrong by the ISA, PTX) of all faults of a kernel: their number is fixed by its text."""
    for pattern, why in FAULTS.items():
        for number, match in enumerate(re.finditer(pattern, text)):
            yield f"without {match[0]} #{number}", why, text[:match.start()] + text[match.end():]
    # One product more may be under way than before.
    for number, match in enumerate(re.finditer(f"({WAIT})([01]);{NOT_APART}", text)):
        yield (f"{match[0]} lets one more go on #{number}", FAULTS[WAIT + "[01];" + NOT_APART],
               f"{text[:match.start()]}{match[1]}{int(match[2]) + 1};{text[match.end():]}")
    # Registers of a left factor are written behind the commit.
    for number, commit in enumerate(re.finditer(r"wgmma\.commit_group\.sync\.aligned;", text)):
        last = re.findall(r"wgmma\.mma_async[^{;]*\{[^}]*\}, \{(%\w+)", text[text.rfind("wgmma.fence", 0, commit.start()):commit.start()])
        if last:
            yield (f"left factor written before its wait #{number}", "registers of wgmma.mma_async are accessed before wgmma.wait_group",
                   f"{text[:commit.end()]}\nmov.b32 {last[-1]}, 0;\n{text[commit.end():]}")
    # A use before its wait: a sum is read, or written, behind the commit.
    for number, commit in enumerate(re.finditer(r"wgmma\.commit_group\.sync\.aligned;", text)):
        sums = re.findall(r"wgmma\.mma_async[^{;]*\{(%\w+)", text[:commit.start()])[-1]
        for how, line in (("read", f"mov.b32 early, {sums};"), ("written", f"mov.b32 {sums}, 0;")):
            yield (f"sum {how} before its wait #{number}", "registers of wgmma.mma_async are accessed before wgmma.wait_group",
                   f"{text[:commit.end()]}\n{{ .reg .b32 early; {line} }}\n{text[commit.end():]}")
    constants = [m for m in re.finditer(r"or\.b64\s+%rd\d+, %rd\d+, (\d+);", text) if int(m[1]) >> 32]
    for number, match in enumerate(constants):
        for field, bit in DESCRIPTOR_BITS.items():
            descriptor = int(match[1])
            yield (f"descriptor #{number}: {field}", "another place is read",
                   text[:match.start(1)] + str(descriptor ^ bit(descriptor)) + text[match.end(1):])


def faulty(bench, case, stages=1):
    """Runs the case's PTX with one fault each; yields (name, check)."""
    name = f"fault-{case.name}-{stages}"
    right = bench.path(name, ".npy")
    # One stage, and products side by side.
    text, output = bench.compile(name, case, "sm_90", f"--pipeline-options=num-warps=8 pipeline-strategy=unspecialize unspecialized-pipeline-num-stages={stages}",
                                 f"--dump=o={right}")
    if text is None:
        yield f"{case.name} compiles", lambda: output
        return
    arguments = [f"--tolerance={case.tolerance}", *[re.sub(r"^(out:o:\w+\[\w+\])", rf"\1{{expect={right}}}", a) for a in bench.launch(case)]]
    for number, (what, why, broken) in enumerate(planted(text)):
        # Of descriptors a sample: those of one operand differ in where they begin.
        if not bench.full and what.startswith("descriptor") and number % 4:
            continue
        of = re.match(r"without (wgmma\.fence|fence|bar)\b.*#(\d+)$", what, re.S)
        if of and (case.name, of[1], int(of[2])) in HARMLESS:
            continue
        if stages > 1 and not what.startswith(("without fence", "without bar")):
            continue
        yield f"{case.name}{f' {stages} stages' if stages > 1 else ''}: {what}", lambda broken=broken, why=why, number=number: bench.noticed(
            f"{name}-{number}", broken, why, *arguments, wrong=lambda code: code in (6, 7))


def faulty_zeros(bench):
    """What counts as outside is read after all: in the first iteration, and behind a loop without one."""
    empty = matrix_kernels.attention("f16", 64, 64, 64, 64, 64, aligned=True)
    # No keys count, though there are some.
    empty = dataclasses.replace(empty, name=empty.name + "-none-counts", text=empty.text.replace(
        "%acc, %max", "%many = constant <i32: 1000> : tile<i32>\n%none = divi %d, %many signed : tile<i32>\n%acc, %max").replace(
            "(%c0 to %ks#0,", "(%c0 to %none,").replace("divf %acc", "addf %acc"))
    for case in (matrix_kernels.infinite(matrix_kernels.attention("f16", 128, 192, 64, 128, 64, aligned=True)), matrix_kernels.infinite(empty)):
        name = f"fault-{case.name}"
        right = bench.path(name, ".npy")
        text, output = bench.compile(name, case, "sm_90", "--pipeline-options=pipeline-strategy=unspecialize", f"--dump=o={right}")
        if text is None:
            yield f"{case.name} compiles", lambda output=output: output
            continue
        arguments = ["--tolerance=exact", *[re.sub(r"^(out:o:\w+\[\w+\])", rf"\1{{expect={right}}}", a) for a in bench.launch(case)]]
        copies = list(re.finditer(r"selp\.b32 (%r\d+), 16, 0, %p\d+;", text))
        if not copies:
            yield f"{case.name}: copies", lambda: "nothing that is copied counts as outside"
        broken = re.sub(r"selp\.b32 (%r\d+), 16, 0, %p\d+;", r"mov.b32 \1, 16;", text)
        yield f"{case.name}: values are read", lambda name=name, broken=broken, arguments=arguments: bench.noticed(
            f"{name}-read", broken, "zero times infinity is added to the sums", *arguments, wrong=lambda code: code in (6, 7))


def main():
    parser = suite_arguments(["sm_90"])
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tileiras-wgmma-") as folder:
        bench = Bench(args.build, find_ptxas(), folder, args.full)
        work = [(case.name, lambda case=case, expected=expected: check(bench, case, expected)) for case, expected in cases()]
        work += [(f"{case.name} turned", lambda case=case, by=by, number=number: check_turned(bench, case, by, number))
                 for number, (case, by) in enumerate(turned())]
        work += [(case.name, lambda case=case, number=number: check_chain(bench, case, number)) for number, case in enumerate(chains())]
        for case in fault_cases():
            work += faulty(bench, case)
        # One factor in a ring, and one that threads write: one fence for both.
        work += faulty(bench, matrix_kernels.gemm("i8", "i32", 128, 128, 512, 128, 128, 128, aligned=True, signs=("signed", "signed")), stages=3)
        work += faulty_zeros(bench)
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("wgmma:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
