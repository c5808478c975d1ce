#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What products on sm_90 with agents must show in their PTX and machine code, counted: one elected thread that fills the ring by
TMA, registers moved to those that multiply, products under way over the rounds, no barrier of the block and no proxy fence in a loop,
one arrival per warp, nothing spilled, no bank conflicts. Attention is counted likewise (keys and values have rings of their own where two
stages have room), and the loop of mma.sync on sm_120.

usage: hopper_checklist.py BUILD_DIR [--report FILE.json] [-v] [--keep FOLDER]

Three tiles that no other table of this project is about, each in arrays that are not multiples of it. Machine code is counted where there
are ptxas and nvdisasm (scripts/inner_loop.py says where it is looked for). What well-known kernels also have and these have not yet is
printed as "not yet" and is no failure: one copy per operand, clusters.
"""

import pathlib
import re
import sys

import checklist
import matrix_kernels
from checklist import assembled, count, loop_with, run, unnoticed, verdict

# Type, tile, extents, warps that multiply, stages (two in the last: two blocks share a multiprocessor).
SHAPES = [("bf16", (128, 256, 64), (320, 592, 464), 8, 4), ("f16", (128, 128, 128), (208, 336, 720), 8, 3), ("f16", (64, 256, 64), (144, 528, 336), 4, 2)]
# Type, rows and keys of a tile, width, rows, keys, stages, rings (keys and values apart where there is room for two stages only): attention.
ATTENTION = [("bf16", (128, 128), 128, (320, 592), 3, 2), ("f16", (128, 64), 128, (200, 720), 3, 1), ("f16", (128, 128), 64, (320, 400), 3, 1)]
OTHERS = r"\bbar\.|(?<!wgmma\.)\bfence\.|\bvote\.|\bshfl|\bdiv\.|\brem\.|\.local"
LIMITS = {"instructions per wgmma": 10, "R2UR per wgmma": 1}


def check_ptx(ptx, shape):
    """(what, got, wanted) of everything that is counted."""
    element, (m, n, k), _, warps, stages = shape
    steps = k // 16
    groups = max(1, warps // 4)
    whole = ptx.splitlines()
    multiply, fill = loop_with(ptx, "wgmma.mma_async"), loop_with(ptx, "expect_tx")
    products = max(1, m // (64 * groups)) * steps
    yield "loop that multiplies", bool(multiply), True
    yield "loop that fills", bool(fill), True
    yield "launch bounds", (count(whole, r"\.reqntid"), count(whole, r"\.minnctapersm")), (1, 1)
    yield "setmaxnreg", sorted(re.findall(r"setmaxnreg\.(\w+)\.sync\.aligned\.u32\s+(\d+)", ptx)), (
        [("dec", "40"), ("inc", "232")] if groups == 2 else [])
    yield "products of the widest n", count(multiply, rf"wgmma\.mma_async\.sync\.aligned\.m64n{min(n, 256)}k16"), products
    for name in ("fence", "commit_group", "wait_group"):
        yield f"wgmma.{name}", count(multiply, rf"wgmma\.{name}\.sync"), 1
    yield "a product under way", count(multiply, r"wgmma\.wait_group\.sync\.aligned 1;"), 1
    yield "waits for full stages", count(multiply, r"mbarrier\.try_wait"), 1
    yield "arrivals at empty", count(multiply, r"@one mbarrier\.arrive\."), 1
    yield "barriers, fences, votes", count(multiply, OTHERS), 0
    yield "elections for copies", count(fill, r"elect\.sync"), 0
    yield "waits for empty stages", count(fill, r"mbarrier\.try_wait"), 1
    yield "announcements", count(fill, r"mbarrier\.arrive\.expect_tx"), 1
    row = 128 // 2
    a_boxes, b_boxes = k // row, n // row
    yield "tensor copies", count(fill, r"cp\.async\.bulk\.tensor"), a_boxes + b_boxes
    yield "bytes announced", int((re.findall(r"mov\.b32\s+(%r\d+), (\d+);", ptx) and announced(ptx, fill)) or 0), (m * k + k * n) * 2
    yield "other work where copies are made", count(fill, OTHERS + r"|ld\.global|\bst\."), 0
    yield "shared bytes at least", min(190 * 1024, int(re.search(r"global_smem\[(\d+)\]", ptx)[1]) // 4096 * 4096), min(190 * 1024, stages * (m * k + k * n) * 2)


def announced(ptx, fill):
    register = next(re.search(r"expect_tx[^,]*, [^,]*, (%r\d+|\d+);", line)[1] for line in fill if "expect_tx" in line)
    values = {r: v for r, v in re.findall(r"mov\.b32\s+(%r\d+), (\d+);", ptx)}
    return values.get(register, register)


def check_machine(tools, ptx, shape):
    counts, (loop, everything) = assembled(tools, ptx, "sm_90a")
    yield from counts
    names = [name for name, _ in loop]
    products = sum("GMMA" in name for name in names)
    sums = {r for name, operands in loop if (size := re.match(r"HGMMA\.64x(\d+)x", name))
            for first in [int(re.match(r"\s*R(\d+)", operands)[1])] for r in range(first, first + int(size[1]) // 2)}
    moved = [op for op in loop if "GMMA" not in op[0] and (to := re.match(r"\s*R(\d+)\b", op[1])) and int(to[1]) in sums]
    yield "WARPGROUP.ARRIVE", names.count("WARPGROUP.ARRIVE"), 1
    yield "WARPGROUP.DEPBAR", sum(n.startswith("WARPGROUP.DEPBAR") for n in names), 1
    yield "BAR, LDL, STL, fences", sum(bool(re.match("BAR|LDL|STL|MEMBAR|FENCE", n)) for n in names), 0
    yield "moves of sums", len(moved), 0
    yield "SYNCS", sum(n.startswith("SYNCS") for n in names), 2
    for name, got in (("instructions per wgmma", len(names)), ("R2UR per wgmma", names.count("R2UR"))):
        yield f"{name} at most {LIMITS[name]}", got / products <= LIMITS[name] or f"{got} for {products}", True
    yield "USETMAXREG", sum(n.startswith("USETMAXREG") for n, _ in everything), 2 if shape[3] == 8 else 0
    # Around tensor copies ptxas puts loops where it cannot see that one thread issues them.
    places = [i for i, (n, _) in enumerate(everything) if n.startswith("UTMALDG")]
    around = everything[places[0] - 60:places[-1] + 4] if places else []
    yield "loops around tensor copies", sum(n.startswith("BRA.U.ANY") or "U.ANY" in n for n, _ in around), 0


def check_attention_ptx(ptx, shape):
    element, (m, n), width, _, stages, rings = shape
    whole, multiply, fill = ptx.splitlines(), loop_with(ptx, "wgmma.mma_async"), loop_with(ptx, "expect_tx")
    yield "setmaxnreg", sorted(re.findall(r"setmaxnreg\.(\w+)\.sync\.aligned\.u32\s+(\d+)", ptx)), [("dec", "40"), ("inc", "232")]
    yield "launch bounds", (count(whole, r"\.reqntid"), count(whole, r"\.minnctapersm")), (1, 1)
    yield "products", count(multiply, r"wgmma\.mma_async"), width // 16 + n // 16
    yield "P stays in registers", count(multiply, r"st\.shared|stmatrix"), 0
    yield "commits", count(multiply, r"wgmma\.commit_group"), 2
    yield "waits for full stages", count(multiply, r"mbarrier\.try_wait"), rings
    yield "arrivals at empty", count(multiply, r"@one mbarrier\.arrive\."), rings
    # Keys are given back before the softmax. The text of a loop may begin anywhere in its round: a round begins with the wait for keys.
    first = next((i for i, line in enumerate(multiply) if "mbarrier.try_wait" in line), 0)
    turned = multiply[first:] + multiply[:first]
    softmax = next((i for i, line in enumerate(turned) if "ex2" in line), 0)
    yield "arrivals before the softmax", count(turned[:softmax], r"@one mbarrier\.arrive\."), rings - 1
    yield "barriers, fences, votes", count(multiply, OTHERS.replace(r"|\bshfl", "")), 0
    # Four lanes have a row; two rows and two reductions of a thread, in two steps.
    yield "shuffles", count(multiply, r"\bshfl"), 8
    yield "elections for copies", count(fill, r"elect\.sync"), 0
    yield "waits for empty stages", count(fill, r"mbarrier\.try_wait"), rings
    yield "announcements", count(fill, r"mbarrier\.arrive\.expect_tx"), rings
    yield "tensor copies", count(fill, r"cp\.async\.bulk\.tensor"), 2 * (width // 64)
    yield "other work where copies are made", count(fill, OTHERS + r"|ld\.global|\bst\."), 0


def check_attention_machine(tools, ptx):
    counts, (loop, everything) = assembled(tools, ptx, "sm_90a")
    yield from counts
    names = [name for name, _ in loop]
    yield "BAR, LDL, STL, STS, fences", sum(bool(re.match("BAR|LDL|STL|STS|MEMBAR|FENCE", n)) for n in names), 0
    yield "R2UR", sum("R2UR" in n for n in names), 0
    yield "USETMAXREG", sum(n.startswith("USETMAXREG") for n, _ in everything), 2


def attention_case(shape, tools):
    element, (m, n), width, (rows, keys), stages, _ = shape
    kernel = matrix_kernels.attention(element, rows, keys, width, m, n, aligned=True)
    return judge(kernel, "sm_90", f"--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages={stages} num-warps=8", tools,
                 lambda ptx: check_attention_ptx(ptx.read_text(), shape), lambda ptx: check_attention_machine(tools, ptx))


def mma_sync_case(tools):
    """An agent that multiplies by mma.sync: 128 of them in a loop of at most 185 instructions, beside the NOPs that ptxas 13.0 puts between them."""
    def machine(ptx):
        counts, (loop, _) = assembled(tools, ptx, "sm_120a")
        yield from counts
        names = [n for n, _ in loop if n != "NOP"]
        yield "products", sum(n.startswith("HMMA") for n in names), 128
        yield "instructions at most 185", len(names) <= 185 or len(names), True
        yield "BAR, LDL, STL", sum(bool(re.match("BAR|LDL|STL", n)) for n in names), 0

    kernel = matrix_kernels.gemm("f16", "f32", 208, 336, 464, 128, 256, 64, aligned=True)
    return judge(kernel, "sm_120", "--pipeline-options=pipeline-strategy=warp-specialize num-warps=8", tools, lambda ptx: [], machine)


def judge(kernel, target, options, tools, check_text, check_code):
    """What is wrong with a kernel that is executed, and counted."""
    source = pathlib.Path(tools.folder) / f"{kernel.name}-{target}.mlir"
    source.write_text(kernel.text)
    ptx = source.with_suffix(".ptx")
    code, said = run([tools.compiler, source, f"--gpu-name={target}", "--emit=ptx", "-o", ptx, options])
    if code:
        return said
    code, said = run([tools.runner, source, f"--gpu-name={target}", "--engine=reference,emulator", "--check", "--stats", "--async=random", "--schedules=2", "--threads=1",
                      f"--entry={kernel.entry}", "--grid=" + ",".join(map(str, kernel.grid)), f"--tolerance={kernel.tolerance}", options, *kernel.args])
    if code:
        return said
    conflicts = re.search(r"shared bank conflicts\s+(\d+)", said)
    return verdict(kernel.name, [*check_text(ptx), ("bank conflicts", int(conflicts[1]) if conflicts else 0, 0),
                                 *(check_code(ptx) if tools.see_machine_code() else [])], tools)


def case(shape, tools):
    element, (m, n, k), extents, warps, stages = shape
    kernel = matrix_kernels.gemm(element, "f32", *extents, m, n, k, aligned=True)
    options = f"--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages={max(stages, 3)} num-warps={warps}"
    return judge(kernel, "sm_90", options, tools, lambda ptx: check_ptx(ptx.read_text(), shape), lambda ptx: check_machine(tools, ptx, shape))


# What a count must notice, planted in the text.
PLANTED = {
    "barriers, fences, votes": (r"(wgmma\.commit_group)", r"bar.sync 0;\n\1"),
    "a product under way": (r"wgmma\.wait_group\.sync\.aligned 1;", "wgmma.wait_group.sync.aligned 0;"),
    "setmaxnreg": (r"setmaxnreg\.dec\.sync\.aligned\.u32\s+40;", ""),
    "arrivals at empty": (r"@one mbarrier\.arrive\.", "mbarrier.arrive."),
    "elections for copies": (r"(mbarrier\.arrive\.expect_tx)", r"elect.sync _|%p0, -1;\n\1"),
    "tensor copies": (r"(cp\.async\.bulk\.tensor[^;]*;)", r"\1\n\1"),
    "launch bounds": (r"\.minnctapersm", ".maxnctapersm"),
}


PLANTED_IN_ATTENTION = {what: PLANTED[what] for what in ("barriers, fences, votes", "setmaxnreg", "elections for copies", "tensor copies", "launch bounds")} | {
    "P stays in registers": (r"(wgmma\.commit_group)", r"st.shared.b32 [%r0], %r0;\n\1"),
    "commits": (r"wgmma\.commit_group\.sync\.aligned;", ""),
    "shuffles": (r"(shfl\.sync[^;]*;)", r"\1\n\1"),
    "waits for full stages": (r"mbarrier\.try_wait", "mbarrier.test_wait"),
    "arrivals at empty": (r"@one mbarrier\.arrive\.", "mbarrier.arrive."),
    "arrivals before the softmax": (r"@one mbarrier\.arrive\.", "mbarrier.arrive."),
}


def planted(folder):
    """Whether each count notices what it is there for, in the PTX of the first case."""
    for prefix, planted_here, counted in ((f"gemm-{SHAPES[0][0]}", PLANTED, lambda text: check_ptx(text, SHAPES[0])),
                                          (f"attention-{ATTENTION[0][0]}", PLANTED_IN_ATTENTION, lambda text: check_attention_ptx(text, ATTENTION[0]))):
        text = next(pathlib.Path(folder).glob(f"{prefix}*sm_90.ptx")).read_text()
        if what := unnoticed(text, planted_here, counted):
            return f"'{what}' does not notice what was planted in {prefix}"
    return None


def work_of(tools):
    work = [(f"{s[0]} {'x'.join(map(str, s[1]))}", lambda s=s: case(s, tools)) for s in SHAPES]
    work += [(f"attention {s[0]} {s[1][0]}x{s[1][1]}x{s[2]}", lambda s=s: attention_case(s, tools)) for s in ATTENTION]
    return work + [("sm_120", lambda: mma_sync_case(tools))]


if __name__ == "__main__":
    sys.exit(checklist.main("hopper", work_of, planted, "one copy of three dimensions for the wide operand, multicast in clusters"))
