#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products by tcgen05.mma with sums in tensor memory, on sm_100, sm_103 and sm_110: every type, both orders of both
operands, 64 and 128 rows, several tiles, ragged edges, batches, loops that may be empty, sums that are changed between
products, chains of products, and rings whose products nobody waits for, filled by cp.async and by TMA, in one agent and in three;
on the emulator with the race checker on, under several schedules, with early, late and random completion. And with one instruction of the PTX taken out, or changed, at a time, which has to be reported.

usage: tcgen05.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--full] [--jobs N] [-v]

A case passes when its PTX holds tcgen05.mma and no mma.sync (the other way round where that is expected), ptxas takes it
without a warning or a register spill, and every run agrees with the reference. --full takes 16 schedules of every case on
all targets and every fault; otherwise targets take turns. Of the faults at least 95 % have to be reported; those that are not are named.
"""

import dataclasses
import itertools
import re
import sys
import tempfile

import matrix_kernels
import pipeline_kernels
import product_chains
import scaled_kernels
from epilogues import with_epilogue
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import run, spilled_bytes
from tensor_stores import converted
from under_test import Bench

TARGETS = ["sm_100", "sm_103", "sm_110"]
ROWS = [("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("f16", "f16"), ("f8E4M3FN", "f32"), ("f8E5M2", "f32")]


RINGS = [("f16", 128, 256, 640, 128, 256, 64, False), ("bf16", 192, 128, 592, 64, 128, 64, True), ("tf32", 128, 64, 320, 128, 64, 32, True),
         ("f8E4M3FN", 256, 64, 1280, 128, 64, 128, True), ("i8", 128, 128, 1280, 128, 64, 128, True)]
# How loops are divided, and what fills their rings: what stands before and behind the command.
AGENTS = ["--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages=3"]
ONE_AGENT, BY_TMA = ([], []), (["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=true"], [])
COPIES = (["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=false"], [])
PERSISTENT = ([], ["--pipeline-options=dynamic-persistent=true"])
STRATEGIES = {name: [f"--pipeline-options=pipeline-strategy={name}"] for name in ("none", "unspecialize", "auto")}
WAYS = {"by TMA": BY_TMA, "in agents by TMA": (["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=true"], AGENTS), "in agents": (["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=false"], AGENTS)}


def rings():
    """More rounds than twice the stages of a ring."""
    for t, m, n, k, tm, tn, tk, transposed in RINGS:
        signs = ("signed", "signed") if t == "i8" else None
        yield matrix_kernels.gemm(t, "i32" if signs else "f32", m, n, k, tm, tn, tk, aligned=True, transposed=transposed,
                                  signs=signs), {"sm_100", "sm_110"} if signs else set(TARGETS)
    # A loop around: sums are read before the next products begin.
    yield pipeline_kernels.persistent(128, 64, 64, 7, 5, 2), set(TARGETS)
    yield pipeline_kernels.persistent(64, 128, 32, 5, 9, 2, "bf16"), set(TARGETS)
    yield pipeline_kernels.persistent(128, 128, 32, 5, 2, 1), set(TARGETS)


def stored_in_parts():
    """Tiles whose sums take all columns of tensor memory, and are read and stored part by part: edges that are cut within a part, no round of the loop, tiles
    one after the other in a block."""
    gemm, persistent = matrix_kernels.gemm, pipeline_kernels.persistent
    yield gemm("f16", "f32", 300, 528, 192, 256, 256, 64, aligned=True)
    yield gemm("bf16", "f32", 256, 112, 320, 256, 256, 64, aligned=True, transposed=True)
    yield gemm("f16", "f32", 200, 289, 90, 256, 256, 32)
    yield gemm("f8E4M3FN", "f32", 400, 304, 640, 256, 256, 128, aligned=True, transposed=True)
    yield gemm("f16", "f32", 256, 256, 0, 256, 256, 64)  # no round of the loop
    yield persistent(256, 256, 64, 3, 5, 2)
    yield persistent(256, 256, 32, 3, 2, 1, "bf16")


def across():
    """(case, which factors lie across, whether tensor copies put them there) of tf32 that is in shared memory as in memory, in the swizzle with atoms of 32
    bytes: all four orders, edges that are cut, tiles of 64 and 256 rows, instructions of 32 and of 16 columns, which read too few to lie across, and rows that
    begin anywhere, where no thread has two numbers that are side by side in memory."""
    def gemm(*shape, left, right, expected=None, **options):
        case = matrix_kernels.gemm("tf32", "f32", *shape, left=left, transposed=not right, **options)
        return case, expected or (left, right), not expected

    for left, right in itertools.product((False, True), repeat=2):
        yield gemm(128, 128, 160, 128, 128, 32, left=left, right=right, aligned=True)
        yield gemm(208, 144, 176, 64, 128, 64, left=left, right=right, aligned=True)
    yield gemm(144, 272, 208, 128, 256, 64, left=True, right=True, aligned=True)
    yield gemm(256, 256, 160, 256, 256, 32, left=True, right=True, aligned=True)
    yield gemm(256, 128, 192, 256, 128, 64, left=False, right=True, aligned=True)
    yield gemm(64, 64, 160, 64, 64, 32, left=True, right=True, aligned=True)  # 32 columns
    yield gemm(128, 32, 160, 128, 32, 32, left=False, right=True, aligned=True)
    yield gemm(64, 32, 160, 64, 32, 32, left=True, right=True, aligned=True, expected=(True, False))  # 16 columns
    yield gemm(128, 16, 160, 128, 16, 32, left=True, right=True, aligned=True, expected=(True, False))
    yield gemm(100, 73, 203, 128, 64, 32, left=True, right=True, expected=(False, True))
    yield gemm(100, 73, 203, 128, 64, 32, left=False, right=False)


def loaded_in_parts():
    """Cases as above, with how many parts there are, whose results take what is loaded, too: in place, another array, a row for all rows. Of 128 rows by four
    warps, which have all columns."""
    gemm, persistent = matrix_kernels.gemm, pipeline_kernels.persistent
    for case, t, epilogue, parts in (
            (gemm("f16", "f32", 300, 528, 192, 256, 256, 64, aligned=True), "f16", "bias", 4),
            (gemm("bf16", "f32", 256, 112, 320, 256, 256, 64, aligned=True, transposed=True), "bf16", "scaled-inplace", 4),
            (gemm("f16", "f32", 270, 289, 90, 256, 128, 32), "f16", "inplace", 2),
            (gemm("f8E4M3FN", "f32", 150, 304, 640, 128, 256, 128, aligned=True, transposed=True), "bf16", "scaled-inplace", 4),
            (gemm("bf16", "f32", 300, 208, 128, 256, 128, 64, aligned=8), "bf16", "bias-residual-relu", 2),
            (gemm("f16", "f32", 256, 128, 0, 256, 128, 64, aligned=True), "f16", "inplace", 2),
            (persistent(256, 128, 64, 3, 5, 2), "f16", "inplace", 2),
            (persistent(128, 256, 64, 3, 2, 1, "bf16"), "bf16", "scaled-inplace", 4)):
        yield with_epilogue(converted(case, t), epilogue), parts


def scaled_rings():
    """Loops whose scales come to tensor memory from the stages of a ring, in columns of their own for each stage: all formats, tiles of 128 and 256 rows and
    columns, 4 to 16 scales along k, odd extents, tails of k (scales of rows still begin at multiples of four bytes), fewer rounds than stages."""
    fp4, fp8 = matrix_kernels.fp4_gemm, matrix_kernels.scaled_gemm
    yield fp8("f8E4M3FN", 200, 140, 1136, 128, 128, 128, transposed=True, by_rows=True)
    yield fp8("f8E5M2", 130, 300, 640, 128, 256, 128, transposed=True, by_rows=True)
    yield fp8("f8E4M3FN", 256, 128, 768, 256, 128, 128, transposed=True, by_rows=True)
    yield fp4("f8E4M3FN", 16, 200, 140, 1472, 128, 128, 256)
    yield fp4("f8E4M3FN", 16, 130, 260, 1536, 128, 256, 256)
    yield fp4("f8E8M0FNU", 16, 128, 128, 1536, 128, 128, 256, stored="elements")
    yield fp4("f8E8M0FNU", 32, 128, 140, 1920, 128, 128, 256, known=False)
    yield fp4("f8E8M0FNU", 32, 200, 200, 1408, 128, 128, 128)
    yield fp4("f8E4M3FN", 16, 256, 128, 512, 128, 128, 256)  # two rounds
    # Scales in blocks, as libraries keep them: one copy for a tile of them, which tensor copies make, too.
    yield fp8("f8E4M3FN", 200, 140, 1136, 128, 128, 128, transposed=True, by_rows=True, blocks=(32, 4, 4))
    yield fp8("f8E5M2", 130, 300, 640, 128, 256, 128, transposed=True, by_rows=True, blocks=(2, 256))
    yield fp4("f8E4M3FN", 16, 200, 140, 1472, 128, 128, 256, blocks=(512,))
    yield fp4("f8E4M3FN", 16, 256, 260, 1536, 128, 256, 256, blocks=(32, 4, 4))
    yield fp4("f8E8M0FNU", 32, 260, 140, 1920, 256, 128, 256, known=False, blocks=(32, 4, 4))


def scaled_beside():
    """Products with scales beside something else in the loop: threads wait for them where they write what they read, scales too; other rings of the loop that
    tensor copies fill; more columns than two stages of scales have room beside."""
    beside, both = scaled_kernels.beside, scaled_kernels.two_products
    yield beside("reduced", 256, 128, 9)
    yield beside("turned", 128, 256, 9)
    yield both(128, 256, 5, 128, 256, 256, 128, 128)
    yield both(128, 256, 4, 128, 256, 256, 128, 128, tma=False)
    yield both(256, 128, 6, 128, 128, 128, 64, 64)
    yield both(128, 256, 5, 128, 256, 512, 32, 16, scaled_kernels.FP4)


# Kernels that spill in agents, two words of a thread.
SPILLING = ("scaled-persistent-f4E2M1FN-5x256x4-t128x256x256-2",)


def scaled_persistent():
    """A loop over tiles around: stages go on where they were, and in agents sums are read while the next products begin, if tensor memory has room for both."""
    persistent = scaled_kernels.persistent
    yield persistent(5, 128, 5, 2, 128, 128, 128)
    yield persistent(5, 256, 7, 2, 128, 128, 256, scaled_kernels.FP4)
    yield persistent(5, 256, 4, 2, 128, 256, 256, scaled_kernels.FP4)  # room for one tile of sums


def rotated():
    """Attention whose first product is issued an iteration ahead: 0 to 7 rounds, odd lengths, widths of 64 and 128, keys of 64 and 128."""
    attention, everywhere = matrix_kernels.attention, set(TARGETS)
    for keys in (0, 64, 128, 192, 448):
        yield attention("f16", 128, keys, 64, 128, 64, aligned=True), everywhere
    yield attention("bf16", 100, 410, 64, 128, 64, aligned=True), everywhere
    yield attention("f16", 128, 320, 128, 128, 64, aligned=True), everywhere
    yield attention("f16", 128, 512, 128, 128, 128, aligned=True), everywhere
    # Keys and values in rings of two stages each: no round, one, two, more than both rings have; rows and keys that are cut.
    for keys in (0, 64, 128, 704):
        yield attention("bf16", 128, keys, 128, 128, 64, aligned=True), everywhere
    yield attention("bf16", 200, 410, 128, 128, 64, aligned=True), everywhere
    yield attention("bf16", 128, 448, 128, 128, 64, aligned=True, falling=True), everywhere
    yield attention("f16", 256, 512, 64, 256, 64, aligned=True), everywhere
    # Two warpgroups with 128 rows each: no round, one, fewer than stages, more; a last tile of queries and of keys that is cut.
    for keys in (0, 128, 384, 896):
        yield attention("bf16", 256, keys, 64, 256, 128, aligned=True), everywhere
    yield attention("f16", 400, 410, 64, 256, 128, aligned=True), everywhere
    yield attention("bf16", 256, 448, 128, 256, 64, aligned=True), everywhere
    # P in the columns of S, of each warpgroup: no round, one, as many as stages, more; tiles that are cut.
    for keys in (0, 128, 256, 640):
        yield attention("bf16", 256, keys, 128, 256, 128, aligned=True), everywhere
    yield attention("f16", 400, 410, 128, 256, 128, aligned=True), everywhere
    yield attention("bf16", 256, 512, 128, 256, 128, aligned=True, falling=True), everywhere
    # Warps that leave their sums where they are in all rounds but the first.
    yield attention("bf16", 256, 448, 64, 256, 64, aligned=True, falling=True), everywhere
    yield attention("f16", 128, 448, 64, 128, 64, aligned=True, falling=True), everywhere
    yield attention("bf16", 128, 512, 128, 128, 128, aligned=True, falling=True), everywhere
    for rows, keys, depth, tm, tn in ((256, 512, 128, 256, 128), (200, 410, 128, 128, 64), (256, 448, 64, 256, 64), (128, 640, 64, 128, 128)):
        yield attention("bf16" if rows == 256 else "f16", rows, keys, depth, tm, tn, aligned=True, kept=True), everywhere
    # Whole tiles of keys have a loop of their own: no round of it, none of the other one, both, with P in the columns of S and beside them.
    for keys in (90, 256, 404):
        yield attention("bf16", 256, keys, 128, 256, 128, aligned=True, split=True), everywhere
    yield attention("f16", 200, 410, 128, 128, 64, aligned=True, split=True), everywhere
    yield attention("bf16", 256, 410, 64, 256, 64, aligned=True, split=True), everywhere
    # Two products add up to the logits, and each of three streams has one stage, or two.
    for keys in (128, 508):
        yield attention("bf16", 256, keys, 128, 256, 128, aligned=True, split=True, second=64), everywhere
    yield attention("f16", 200, 320, 128, 256, 64, aligned=True, second=64), everywhere
    # P of bytes in the columns of S, and keys and values in the stages of one ring: both products are waited for at one mbarrier.
    for keys in (128, 1024):
        yield attention("f8E5M2", 256, keys, 128, 256, 128, aligned=True), everywhere
    yield attention("f8E4M3FN", 200, 410, 128, 256, 128, aligned=True, split=True), everywhere
    yield attention("f16", 64, 448, 64, 64, 64, aligned=True), everywhere  # P in shared memory
    yield attention("bf16", 128, 300, 64, 128, 64), everywhere  # no ring


def powers():
    """Attention of which multiply-adds compute a part of the powers (tileas-share-exponentials): both types. Two warpgroups have turns instead,
    and loops only some of whose rounds have masks are left as they are."""
    attention, whole = matrix_kernels.attention, matrix_kernels.attention_of_whole_tiles
    yield whole("bf16", 2, 256, 128, 128, False), True
    yield whole("f16", 1, 384, 128, 128, False), True
    yield whole("bf16", 1, 640, 128, 128, False, kept=True), True
    yield whole("f16", 1, 384, 128, 128, True), False
    yield whole("bf16", 1, 256, 128, 128, True), False
    yield attention("f16", 200, 410, 128, 128, 64, aligned=True, flushed=True), False
    yield attention("bf16", 256, 448, 128, 256, 64, aligned=True, flushed=True), False
    yield attention("bf16", 256, 512, 128, 256, 128, aligned=True, flushed=True), False
    yield attention("bf16", 128, 512, 128, 128, 128, aligned=True, falling=True, flushed=True), False


def pairs():
    """Products of f4E2M1FN by kinds mxf4 and mxf4nvf4: the three types of scales, bytes that are unpacked and elements, rings that are not filled up, one instruction
    along k and several, ragged edges, rows that end in the middle of a byte, extents that are not known, and what lies across."""
    gemm = matrix_kernels.fp4_gemm
    for scale, block in (("f8E8M0FNU", 32), ("f8E8M0FNU", 16), ("f8E4M3FN", 16)):
        yield gemm(scale, block, 256, 128, 1024, 128, 64, 256)
        yield gemm(scale, block, 200, 72, 448, 128, 64, 128)
    yield gemm("f8E4M3FN", 16, 128, 256, 512, 128, 256, 128, stored="elements")
    yield gemm("f8E8M0FNU", 32, 130, 100, 352, 128, 64, 64, stored="elements", known=False)
    yield gemm("f8E8M0FNU", 16, 128, 128, 1536, 128, 128, 512)
    yield gemm("f8E8M0FNU", 32, 128, 16, 64, 128, 16, 64)  # one instruction
    yield gemm("f8E4M3FN", 16, 256, 64, 512, 256, 64, 256)  # 256 rows
    yield gemm("f8E8M0FNU", 32, 100, 50, 195, 128, 64, 64, stored="elements", row=200)  # rows end with half a byte
    yield gemm("f8E4M3FN", 16, 100, 30, 131, 128, 32, 64, stored="elements", row=131)  # and begin with one
    yield gemm("f8E4M3FN", 16, 128, 64, 256, 128, 64, 128, stored="elements", across=True)
    yield gemm("f8E8M0FNU", 32, 128, 64, 256, 128, 64, 128, across=True)


def cases():
    """(case, targets that multiply it by tcgen05)"""
    gemm, attention, scaled_gemm, everywhere = matrix_kernels.gemm, matrix_kernels.attention, matrix_kernels.scaled_gemm, set(TARGETS)
    for t, acc in ROWS:
        for transposed in (False, True):
            yield gemm(t, acc, 128, 128, 128, 128, 64, 64, aligned=True, transposed=transposed), everywhere
        yield gemm(t, acc, 100, 72, 88, 64, 32, 64), everywhere
    yield gemm("f16", "f32", 128, 256, 128, 128, 256, 64, aligned=True), everywhere
    yield gemm("f16", "f32", 256, 128, 64, 256, 64, 64, aligned=True), everywhere
    yield gemm("bf16", "f32", 64, 256, 96, 64, 256, 32, aligned=True, transposed=True), everywhere
    yield gemm("f16", "f32", 128, 16, 64, 128, 16, 16, aligned=True), everywhere
    yield gemm("f16", "f32", 64, 16, 64, 64, 16, 32, aligned=True), everywhere
    yield gemm("f16", "f32", 128, 64, 0, 128, 64, 64), everywhere  # no round of the loop
    yield gemm("f16", "f32", 64, 64, 64, 32, 64, 32), set()  # 32 rows
    yield gemm("f64", "f64", 64, 64, 64, 64, 32, 16), set()
    for signs in (("signed", "signed"), ("unsigned", "signed")):
        for transposed in (False, True):
            yield gemm("i8", "i32", 128, 64, 128, 64, 64, 64, signs=signs, transposed=transposed), {"sm_100", "sm_110"}
    yield matrix_kernels.batched("f16", "f32", 2, 64, 32, 32, 1, 64, 32, 32), everywhere
    yield matrix_kernels.batched("f16", "f32", 4, 64, 32, 32, 2, 64, 32, 32), set()
    yield from rings()
    for t, scale, m, n, k, block in (("f8E4M3FN", "f8E8M0FNU", 128, 64, 128, 32), ("f8E5M2", "f8E8M0FNU", 128, 16, 64, 32),
                                     ("f8E4M3FN", "f8E8M0FNU", 256, 128, 256, 32), ("f8E4M3FN", "f8E8M0FNU", 128, 256, 32, 32),
                                     ("f4E2M1FN", "f8E8M0FNU", 128, 64, 128, 32)):
        yield matrix_kernels.scaled(t, scale, m, n, k, block, aligned=True), everywhere
    yield matrix_kernels.scaled("f8E4M3FN", "f8E8M0FNU", 64, 64, 64, 32), set()  # 64 rows
    yield matrix_kernels.scaled("f8E4M3FN", "f8E8M0FNU", 128, 64, 64, 32, batch=2), set()
    yield scaled_gemm("f8E4M3FN", 256, 128, 640, 128, 64, 64), everywhere
    yield scaled_gemm("f8E5M2", 128, 256, 256, 128, 128, 128), everywhere
    yield scaled_gemm("f8E4M3FN", 128, 64, 1024, 128, 64, 64), everywhere
    yield scaled_gemm("f8E5M2", 256, 128, 896, 128, 128, 128, transposed=True), everywhere
    yield attention("f16", 100, 140, 64, 64, 64), everywhere
    yield attention("bf16", 128, 128, 64, 128, 64), everywhere
    yield from rotated()
    for case in product_chains.all_cases():
        yield case, everywhere
    for case in pairs():
        yield case, everywhere


def products(ptx):
    return len(re.findall(r"tcgen05\.mma\.", ptx)), len(re.findall(r"\bmma\.sync", ptx))


def check(case, target, expected, bench, way=ONE_AGENT, agents=False, copied=False, shared=None, parts=None,
          turned=None):
    """agents: whether products have an agent of their own. copied: whether scales come from shared to tensor memory, and no thread writes there. shared:
    whether multiply-adds compute a part of the powers. parts: in how many parts sums are read, 64 words of a thread each. turned:
    which factors of tf32 lie across, and whether tensor copies put them there."""
    prefix, options = way
    name = " ".join([case.name, target, *prefix[1:], *options, *["roles"] * agents])  # what may be divided is compared beside what has to be
    wrong, ptx = bench.compare(name, case, target, *options, prefix=prefix)
    if wrong:
        return wrong
    if agents and "setmaxnreg" not in ptx:
        return "products have no agent of their own"
    copies, stores = len(re.findall(r"tcgen05\.cp\.", ptx)), len(re.findall(r"tcgen05\.st\.", ptx))
    if copied and (not copies or stores):
        return f"{copies} tcgen05.cp and {stores} tcgen05.st: scales were expected to be copied"
    if parts and (re.findall(r"tcgen05\.(?:ld|wait::ld)\S*", ptx) != ["tcgen05.ld.sync.aligned.32x32b.x64.b32", "tcgen05.wait::ld.sync.aligned;"] * parts):
        return f"sums were expected to be read in {parts} parts"
    if shared is not None and ("add.rm.f32x2" in ptx) != shared:
        return f"multiply-adds were {'' if shared else 'not '}expected to compute a part of the powers"
    if turned is not None:
        found = {(bool(int(d) >> 15 & 1), bool(int(d) >> 16 & 1)) for d in re.findall(r"tcgen05\.mma\S*kind::tf32 [^;]*, (\d+), \w+;", ptx)}
        if found != {turned[0]}:
            return f"factors lie across as {found}, expected {turned[0]}"
        # One map of each, with atoms of 32 bytes where the factor lies across.
        turned, by_tma = turned
        if by_tma and way != COPIES and (maps := ptx.count("tensormap.replace.tile.swizzle_atomicity")) != sum(turned):
            return f"{maps} tensor maps have atoms of 32 bytes"
    if case.entry == "persistent" and "scaled" not in case.name:
        # In agents the next sums begin while the last ones are read: there are two tiles of them.
        tm, tn = map(int, re.search(r"-(\d+)x(\d+)x", case.name).groups())
        columns = min(512, (2 if "setmaxnreg" in ptx else 1) * tm * tn // 128)
        if not re.search(rf"tcgen05\.alloc\S* \[\S+\], {max(32, columns)};", ptx):
            return f"the kernel does not take {columns} columns"
    unit, sync = products(ptx)
    if (unit > 0) != expected or (expected and sync):
        return f"{unit} tcgen05.mma and {sync} mma.sync; tcgen05.mma was {'' if expected else 'not '}expected"
    if case.entry == "fp4":
        block, powers = re.search(r"v(\d+)", case.name)[1], "f8E8M0FNU" in case.name
        kind = f"kind::{'mxf4.' if block == '32' else 'mxf4nvf4.'}block_scale"
        if ptx.count(kind) != unit or (powers != all(int(d) >> 23 & 1 for d in re.findall(r"block_scale[^;]*, (\d+), \[", ptx))):
            return f"{ptx.count(kind)} of {unit} products are of {kind}"
        # PTX ISA, "tcgen05.mma": K = 96 on sm_103a only. 128 bytes of a row are 96, 96 and 64 elements.
        longer = target == "sm_103" and int(re.search(r"-t\d+x\d+x(\d+)", case.name)[1]) % 256 == 0 and "t256x" not in case.name
        if (f".block_scale.block{block}" in ptx) != longer:
            return f"K = 96 was {'' if longer else 'not '}expected"
    # 16 warps have 128 registers each: two words are spilled where sums of 128x256 are read while the next ones begin.
    allowed = 8 if agents and case.name in SPILLING else 0
    return bench.assemble(name, target, lambda output: expected and spilled_bytes(output) > allowed)


# What is taken out or changed, one occurrence at a time, and why each is harmful by the PTX ISA.
FAULTS = {
    r"(tensormap\.replace\.tile\.swizzle_atomicity[^;]*, )1;": (r"\g<1>0;", "tensor copies move atoms of 16 bytes"),
    r"tcgen05\.commit[^;]*;": ("", "nobody learns that the product is done (tcgen05.commit)"),
    r"mbarrier\.try_wait\.parity(\S*) done, (\S+), (%r\d+);": (
        r"{ .reg .b32 other; xor.b32 other, \g<3>, 1; mbarrier.try_wait.parity\g<1> done, \g<2>, other; }", "the wait is for another phase (mbarrier.try_wait.parity)"),
    r"mbarrier\.init[^;]*;": ("", "the mbarrier is not initialised (mbarrier.init)"),
    r"(shl\.b32\s+%r\d+, %r\d+, 6;\s+add\.s32\s+(%r\d+), )%r\d+(, %r\d+;\s+add\.s32\s+%r\d+, \2, )": (r"\g<1>0\g<3>", "the sums of the other stage are read"),
    r"(shl\.b32\s+(%r\d+), %r\d+, 6;\s+add\.s32\s+%r\d+, )\2(, %r\d+;\s+(?!add))": (r"\g<1>0\g<3>", "products add to the sums of the other stage"),
    r"bar\.sync\s+%r\d+, 128;": ("", "a warpgroup does not meet before the product that reads what all its threads wrote"),
    r"(mov\.b32\s+%r\d+, )2(;\s+mbarrier\.init)": (lambda m: m[1] + "1" + m[2], "a stage is empty when the products of one warpgroup have read it"),
    r"@%p\d+ mbarrier\.arrive\.shared::cta\.b64 _[^;]*;|mbarrier\.arrive\.shared::cta\.b64 _[^;]*;": ("", "a turn never ends, or another agent learns nothing of factors or of sums that are multiplied"),
    r"vote\.sync\.any\.pred\s+(%p\d+), %p\d+, -1;": (r"setp.ne.b32 \g<1>, 0, 0;", "sums are never multiplied"),
    r"tcgen05\.wait::ld\.sync\.aligned;": ("", "sums are used while they are loaded (tcgen05.wait::ld)"),
    r"(tcgen05\.ld\.[^;]*\.x64\.[^;]*\+ )(\d+)(\])": (lambda m: m[1] + str(int(m[2]) ^ 64) + m[3], "the sums of another part are read"),
    r"(ld\.global\.v4\.b32\s[^;]*\[%rd\d+)(\];)": (r"\g<1>+128\g<2>", "the tile of another part is added"),
    r"tcgen05\.wait::st\.sync\.aligned;": ("", "sums are added to while they are stored (tcgen05.wait::st)"),
    r"(tcgen05\.mma[^;]*, \[%r\d+ \+ )(\d+)(\], \S+, \d+, )": (lambda m: m[1] + str(int(m[2]) ^ 8) + m[3], "the left operand is that of another k"),
    r"tcgen05\.dealloc[^;]*;": ("", "tensor memory is not given back (tcgen05.dealloc)"),
    r"fence\.proxy\.async\.shared::cta;": ("", "writes of the generic proxy are not ordered before reads of the async proxy"),
    r"(tcgen05\.mma[^;]*scale_vec[^;]*, )(\d+)(, \[)": (lambda m: m[1] + str(int(m[2]) ^ 1 << 4) + m[3], "the scales of B are those of another k"),
    r"(tcgen05\.mma[^;]*scale_vec[^;]*\+ )(\d+)(\], \[)": (lambda m: m[1] + str(int(m[2]) + 4) + m[3], "the scales of A are in other columns"),
    r"(tcgen05\.mma[^;]*kind::mxf4[^;]*, )(\d+)(, \[)": (lambda m: m[1] + str(int(m[2]) ^ 1 << 23) + m[3], "the scales are of the other type"),
    r"(tcgen05\.mma[^;]*kind::mxf4\.[^;]*, )(\d+)(, \[\S+ \+ )": (lambda m: m[1] + str(int(m[2]) ^ 1 << 30) + m[3], "the scales of A are those of the next 64 elements"),
    r"tcgen05\.st\.sync[^;]*;": ("", "scales, or sums, are not written (tcgen05.st)"),
    r"tcgen05\.cp[^;]*;": ("", "scales are not copied to tensor memory (tcgen05.cp)"),
    r"(tcgen05\.cp\S* \[%r\d+ \+ )(\d+)(\])": (lambda m: m[1] + str(int(m[2]) ^ 4) + m[3], "scales are copied to columns of others"),
    r"(shl\.b32\s+(%r\d+), %r\d+, [3-5];\s+add\.s32\s+%r\d+, )\2(, %r\d+;\s+add\.s32\s+%r\d+, %r\d+, \d+;)": (r"\g<1>0\g<3>", "all stages have the same columns"),
    r"cp\.async\.mbarrier\.arrive\.noinc[^;]*;": ("", "a stage is never full (cp.async.mbarrier.arrive)"),
    r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64\s+(\[[^;]*\]);": (r"mbarrier.arrive.shared.b64 _, \g<1>;", "a stage is full before its copies are done"),
    r"(mov\.b32\s+%r\d+, )(129|257)(;\s+mbarrier\.init)": (lambda m: m[1] + str(int(m[2]) - 1) + m[3], "a stage is full before the last thread has arrived"),
    r"(?s)(mov\.b32\s+%r\d+, )129(;\s+mbarrier\.init.*?)(?:@one )?mbarrier\.arrive\.shared\.b64\s+\S+, \[%\w+(?:\+0)?\];(?=[^@]*cp\.async\.mbarrier|(?!.*mbarrier\.arrive))": (
        r"\g<1>128\g<2>", "a stage is full when its copies are, whoever still reads its columns"),
    r"(tcgen05\.mma[^;]*\], )(\S+)(, \S+, \d+)": (r"\g<1>0\g<3>", "the left operand is not where its descriptor says"),
    r"add\.s64 (left|right), (%rd\d+), \d+;": (r"mov.b64 \g<1>, \g<2>;", "a later step along k reads what the first one read"),
    r"(tcgen05\.mma[^;]*, )(\d+)(, \w+;)": (lambda m: m[1] + str(int(m[2]) ^ 1 << 17) + m[3], "the instruction descriptor has another N"),
    r"(tcgen05\.mma[^;]*, )(\d+)(, (?:adds|always);)": (lambda m: m[1] + str(int(m[2]) ^ 1 << 16) + m[3], "the instruction descriptor turns B"),
}


def fault_cases():
    gemm = matrix_kernels.gemm
    yield gemm("f16", "f32", 128, 64, 640, 128, 64, 64, aligned=True), "", COPIES
    yield gemm("bf16", "f32", 64, 64, 640, 64, 64, 64, aligned=True, transposed=True), "", COPIES
    for name, way in WAYS.items():
        yield gemm("f16", "f32", 128, 64, 640, 128, 64, 64, aligned=True), " " + name, way
    yield gemm("tf32", "f32", 128, 64, 320, 128, 64, 32, aligned=True, left=True), " by TMA", BY_TMA
    for name in ("by TMA", "in agents by TMA"):
        yield with_epilogue(converted(pipeline_kernels.persistent(256, 128, 64, 3, 2, 1), "f16"), "inplace"), " " + name, WAYS[name]
        yield pipeline_kernels.persistent(128, 64, 64, 5, 5, 2), " " + name, WAYS[name]
    yield matrix_kernels.attention("f16", 64, 128, 64, 64, 64), "", COPIES
    for name, way in (("", COPIES), (" by TMA", BY_TMA)):
        yield matrix_kernels.attention("f16", 128, 256, 64, 128, 64, aligned=True), name, way
    yield matrix_kernels.attention("bf16", 256, 384, 64, 256, 64, aligned=True), " by two warpgroups", BY_TMA
    yield matrix_kernels.attention("bf16", 256, 256, 128, 256, 128, aligned=True), " in the columns of the sums", BY_TMA
    yield matrix_kernels.attention("bf16", 256, 508, 128, 256, 128, aligned=True, split=True), " in two loops", BY_TMA
    yield matrix_kernels.attention("f8E5M2", 256, 640, 128, 256, 128, aligned=True), " of bytes", BY_TMA
    for name, way in (("", COPIES), (" by TMA", BY_TMA)):
        yield matrix_kernels.attention("bf16", 128, 384, 128, 128, 64, aligned=True), " in two rings" + name, way
    yield product_chains.attention_backward("bf16", 128, 256, 64, 128, 64, of_queries=True), " backward", COPIES
    yield product_chains.experts("f16", 128, 2, 64, 128, 128, 64, 64), " experts", COPIES
    yield matrix_kernels.scaled_gemm("f8E4M3FN", 128, 64, 256, 128, 64, 128), "", COPIES
    yield matrix_kernels.scaled_gemm("f8E4M3FN", 128, 64, 640, 128, 64, 64, transposed=True), " in a ring", BY_TMA
    yield matrix_kernels.fp4_gemm("f8E8M0FNU", 32, 128, 64, 1024, 128, 64, 256), " of pairs", COPIES
    yield matrix_kernels.fp4_gemm("f8E4M3FN", 16, 128, 64, 1024, 128, 64, 128), " of pairs in a ring", BY_TMA


    rows = matrix_kernels.scaled_gemm("f8E4M3FN", 128, 128, 1152, 128, 128, 128, transposed=True, by_rows=True)
    blocks = matrix_kernels.fp4_gemm("f8E4M3FN", 16, 128, 128, 1536, 128, 128, 256)
    for name in ("in agents by TMA", "in agents", "by TMA"):
        yield rows if name == "in agents by TMA" else blocks, " scales " + name, WAYS[name]
    yield matrix_kernels.fp4_gemm("f8E4M3FN", 16, 128, 128, 2048, 128, 128, 256, blocks=(32, 4, 4)), " scales in agents by TMA", WAYS["in agents by TMA"]


def further_launches(t, rows, keys, depth, tm, tn, split=False):
    """Of the attention that is launched with `keys`: no key, where what is written in front of the loop is read behind it; logits that fall, so that no warp
    but for the first round has a factor other than 1, and the wait behind its stores of P is the only one before the product that reads them; in two loops also
    logits that rise, so that the second loop multiplies its sums, too."""
    def launch(number, **which):
        return matrix_kernels.attention(t, rows, number, depth, tm, tn, aligned=True, split=split, **which)

    launches = [launch(0), launch(keys, falling=True)]
    if split:
        launches.append(dataclasses.replace(launch(keys), args=launch(keys, kept=True).args))
    return launch(keys).name, launches


# Kernels that do not do all they can do in one launch: the others, in which faults are looked for that the first one does not notice.
LAUNCHES = dict([further_launches("f16", 128, 256, 64, 128, 64), further_launches("bf16", 256, 384, 64, 256, 64), further_launches("bf16", 128, 384, 128, 128, 64),
                 further_launches("bf16", 256, 256, 128, 256, 128), further_launches("bf16", 256, 508, 128, 256, 128, split=True),
                 further_launches("f8E5M2", 256, 640, 128, 256, 128)])


# Instructions that speak for all that the thread has done before (PTX ISA, "membar, fence", "tcgen05.wait"), and what has to come behind them. One of them is not
# needed where the same thread comes to another one on every way to what uses what they speak of, and all threads meet between that one and the use.
MMA = r"tcgen05\.(?:mma|cp|commit)|cp\.async\.bulk"
CUMULATIVE = {"fence.proxy.async": re.compile(MMA), "tcgen05.wait::st": re.compile(MMA + r"|tcgen05\.ld")}
# What the generic proxy does to stages and to mbarriers that the async proxy uses. The word where the kernel's tensor memory begins is neither, and phases of
# mbarriers are those of both proxies.
GENERIC = re.compile(r"st\.shared|cp\.async\.c[ag]|mbarrier\.init|ld\.shared\.v")
LABEL = re.compile(r"\s*(\$?\w+):$")
BRANCH = re.compile(r"\s*(@!?\S+\s+)?(?:bra(?:\.uni)?\s+(\$?\w+)|ret|exit|trap);")


class Ways:
    """The ways that threads may go through the lines of a kernel's PTX."""

    def __init__(self, text):
        self.lines, self.next = text.split("\n"), {}
        labels = {label[1]: at for at, line in enumerate(self.lines) if (label := LABEL.match(line))}
        for at, line in enumerate(self.lines):
            branch = BRANCH.match(line)
            self.next[at] = [at + 1] if (not branch or branch[1]) and at + 1 < len(self.lines) else []
            if branch and branch[2]:
                self.next[at].append(labels[branch[2]])
        self.before = {at: [] for at in self.next}
        for at, ways in self.next.items():
            for way in ways:
                self.before[way].append(at)

    def all(self, start, ways, judge, state=None):
        """Whether `judge` is content with every way from the line `start` on. It is told a line and a state, and returns True (no need to go on), False, or
        the state in which the way goes on. What it says of `start` itself does not matter: that line is the one taken out."""
        seen, work = set(), [(way, state) for way in ways[start]]
        while work:
            at, state = work.pop()
            if (at, state) in seen:
                continue
            seen.add((at, state))
            verdict = judge(self.lines[at], state) if at != start else state
            if verdict is False:
                return False
            if verdict is not True:
                work += [(way, verdict) for way in ways[at]]
        return True


def is_repeated(ways, at, match):
    what = next((what for what in CUMULATIVE if match[0].startswith(what)), None)

    def judge(line, state):
        if CUMULATIVE[what].search(line):
            return False
        return "again" if what in line else True if state and "bar.sync" in line else state
    return bool(what) and ways.all(at, ways.next, judge)


def orders_nothing(ways, at, match):
    """A fence between the proxies where the thread has done nothing to stages since the one before it, or since the kernel began."""
    return match[0].startswith("fence.proxy.async") and ways.all(
        at, ways.before, lambda line, _: "fence.proxy.async" in line or (False if GENERIC.search(line) else None))


def only_takes_turns(text, match):
    """The wait for a turn in attention of two warpgroups, behind which comes the number that keeps the powers behind it (ProductsByWarpgroup.cpp). Turns order
    no memory, only who has the special functions: with the other parity the other warpgroup begins, and they take turns all the same, as each phase of a turn's
    mbarrier completes one turn of the other warpgroup later (PTX ISA, "mbarrier.try_wait": of the current phase or the one before it)."""
    return match[0].startswith("mbarrier.try_wait") and bool(re.match(
        r"[^{}]*\}\s*tcgen05\.fence::after_thread_sync;\s*// end inline asm\s*// begin inline asm\s*mov\.b32 %r\d+, %r\d+;", text[match.end():]))


def is_unused(text, match, reached):
    """The mbarrier of a product that this launch does not come to, as it is in a loop for other arguments."""
    at = re.match(r"mbarrier\.init\S*\s+\[(%r\d+) \+ (\d+)\]", match[0])
    base = at and re.search(rf"add\.s32\s+{at[1]}, %r\d+, (\d+);", text)
    if not base:
        return False
    names = re.findall(rf"add\.s32\s+(%r\d+), %r\d+, {int(base[1]) + int(at[2])};", text)
    return not any(number in reached and re.search(rf"\[(?:{'|'.join(names)})\]", line) for number, line in enumerate(text.split("\n"), 1)) if names else True


def mutants(text, reached):
    """(what is done, the PTX with it), on lines that threads reach."""
    ways = Ways(text)
    for pattern, (instead, why) in FAULTS.items():
        for number, match in enumerate(re.finditer(pattern, text)):
            at = text.count("\n", 0, match.start())
            if at + 1 not in reached:
                continue  # of the loop for other arguments
            if is_repeated(ways, at, match) or orders_nothing(ways, at, match) or only_takes_turns(text, match) or is_unused(text, match, reached):
                continue
            broken = text[:match.start()] + re.sub(pattern, instead, match[0], count=1) + text[match.end():]
            if broken != text:
                yield f"{match[0].split()[0][:60]} #{number}: {why}", broken


def faulty(case, how, way, bench):
    """Runs the case's PTX with one fault, on lines that it reaches; yields (name, check). A fault is noticed if the case's launch notices it, or one of LAUNCHES."""
    what, (prefix, options) = f"fault {case.name}{how}", way
    ptx, launches, reached = None, [], set()
    for number, launch in enumerate([case, *LAUNCHES.get(case.name, ())]):
        name = f"{what} launch {number}"
        right, lines, arguments = bench.path(name, ".npy"), bench.path(name, ".lines"), bench.launch(launch)
        text, output = bench.compile(name, launch, "sm_100", f"--dump=o={right}", *options, prefix=prefix)
        if text is None or text != (ptx or text):
            yield f"{name} compiles", lambda text=text, output=output: f"the kernel is another one\n{output}" if text else output
            return
        ptx = text
        if not launches:
            code, output = run([str(bench.tool), str(bench.path(name, ".ptx")), "--engine=emulator", f"--coverage={lines}", *arguments])
            counts = (lines / "coverage.info").read_text() if code == 0 else ""
            reached = {int(line) for line, count in re.findall(r"^DA:(\d+),(\d+)", counts, re.M) if int(count)}
            if not reached:
                yield f"{name} runs", lambda output=output: output
                return
        launches.append((right, arguments))
    for number, (name, broken) in enumerate(mutants(ptx, reached)):
        def caught(broken=broken, number=number, name=name):
            result, missed = bench.path(f"{what} {number}", ".npy"), None
            for right, arguments in launches:
                missed = bench.noticed(f"{what} {number}", broken, name, "--max-steps=2000000", f"--dump=o={result}", *arguments, schedules=2,
                                       wrong=lambda code, right=right: code in (3, 6) or (code == 0 and result.read_bytes() != right.read_bytes()))
                if missed is None:
                    break
            return missed
        yield f"{what} {name}", caught


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tileiras-tcgen05-") as folder:
        bench = Bench(args.build, find_ptxas(), folder, args.full)
        turns, work, faults = itertools.cycle(TARGETS), [], []
        for case, expected in cases():
            for target in TARGETS if args.full else [next(turns)]:
                work.append((f"{case.name} {target}", lambda case=case, target=target, expected=target in expected:
                             check(case, target, expected, bench)))
                if args.full:
                    work.append((f"{case.name} {target} divided if possible", lambda case=case, target=target, expected=target in expected:
                                 check(case, target, expected, bench, WAYS["in agents by TMA"])))
        for number, (case, _) in enumerate(rings()):
            target = TARGETS[number % 2 * 2]
            for name, way in WAYS.items():
                if not args.full and (number + list(WAYS).index(name)) % 2 and not args.filter:
                    continue
                work.append((f"{case.name} {target} {name}", lambda case=case, target=target, way=way, name=name: check(
                    case, target, True, bench, way, "agents" in name)))
        for number, (case, *turned) in enumerate(across()):
            for offset, (name, way) in enumerate({"in one agent": COPIES, "by TMA": BY_TMA, "in agents by TMA": WAYS["in agents by TMA"]}.items()):
                if not args.full and not args.filter and (number + offset) % 2:
                    continue
                work.append((f"{case.name} {TARGETS[(number + offset) % 3]} across {name}", lambda case=case, target=TARGETS[(number + offset) % 3], way=way, turned=turned: check(
                    case, target, True, bench, way, turned=turned)))
        for number, case in enumerate(stored_in_parts()):
            for offset, (name, options) in enumerate(STRATEGIES.items()):
                if not args.full and not args.filter and (number + offset) % 3:
                    continue
                target = TARGETS[(number + offset) % 2]
                work.append((f"{case.name} {target} in parts {name}", lambda case=case, target=target, options=options: check(
                    case, target, True, bench, ([], options), parts=4)))
        for number, (case, parts) in enumerate(loaded_in_parts()):
            for offset, (name, options) in enumerate(STRATEGIES.items()):
                if not args.full and not args.filter and (number + offset) % 3:
                    continue
                target = TARGETS[(number + offset) % 2]
                work.append((f"{case.name} {target} in parts {name}", lambda case=case, target=target, options=options, parts=parts: check(
                    case, target, True, bench, ([], options), parts=parts)))
        for number, case in enumerate(scaled_rings()):
            for offset, (name, way) in enumerate({"in one agent": COPIES, **WAYS}.items()):
                if not args.full and not args.filter and (number + offset) % 2:
                    continue
                target = TARGETS[(number + offset) % 3]
                work.append((f"{case.name} {target} scales {name}", lambda case=case, target=target, way=way, name=name: check(
                    case, target, True, bench, way, "in agents" in name, copied=True)))
        for number, case in enumerate(scaled_persistent()):
            for offset, (name, way) in enumerate({"in one agent": COPIES, **WAYS, "claimed": PERSISTENT}.items()):
                target = TARGETS[(number + offset) % 3]
                work.append((f"{case.name} {target} scales {name}", lambda case=case, target=target, way=way, name=name: check(
                    case, target, True, bench, way, "in agents" in name, copied=True)))
        for number, case in enumerate(scaled_beside()):
            for offset, (name, way) in enumerate({"as it comes": ONE_AGENT, "in one agent": COPIES, **WAYS}.items()):
                if offset and not args.full and not args.filter and (number + offset) % 2:
                    continue
                work.append((f"{case.name} {TARGETS[(number + offset) % 3]} {name}", lambda case=case, target=TARGETS[(number + offset) % 3], way=way: check(
                    case, target, True, bench, way)))
        for number, (case, _) in enumerate(rotated()):
            work.append((f"{case.name} {TARGETS[number % 3]} by TMA", lambda case=case, target=TARGETS[number % 3]: check(
                case, target, True, bench, BY_TMA)))
        # In the order that its cubin has, as ptxas 13.0 spills in the usual one.
        if bench.ptxas:
            case = matrix_kernels.attention("bf16", 256, 404, 128, 256, 128, aligned=True, split=True, flushed=True)
            work.append((f"{case.name} sm_100 by TMA in another order", lambda case=case: check(
                case, "sm_100", True, bench, (BY_TMA[0], ["--register-limits=ptx"]))))
        # sm_103 has twice as many ex2.
        for number, (case, shared) in enumerate(powers()):
            for target in TARGETS if args.full or args.filter else [TARGETS[number % 3]]:
                work.append((f"{case.name} {target} powers", lambda case=case, target=target, shared=shared and target != "sm_103": check(
                    case, target, True, bench, BY_TMA, shared=shared)))
        # 96 elements along k on sm_103, beside 64.
        work += [(f"{case.name} {target} by TMA", lambda case=case, target=target: check(case, target, True, bench, BY_TMA))
                 for case, target in zip(list(pairs())[::2], itertools.cycle(["sm_103", "sm_100"])) if "elements" not in case.name]
        # The loop is run again and again: waits go on counting where they were.
        work += [(f"{case.name} sm_100 persistent", lambda case=case: check(case, "sm_100", True, bench, PERSISTENT))
                 for case in (matrix_kernels.attention("f16", 640, 320, 64, 128, 64, aligned=True), matrix_kernels.attention("bf16", 384, 64, 64, 128, 64, aligned=True),
                              matrix_kernels.attention("bf16", 1280, 384, 64, 256, 64, aligned=True))]
        for case, how, way in fault_cases():
            if args.filter in case.name or args.filter in "faults":
                # Of kernels in other ways than the usual one a third is enough for every day.
                all_faults = list(faulty(case, how, way, bench))
                faults += all_faults[::1 if args.full or not how else 3]
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
        noticed, missed, more = run_all(faults, args.jobs, args.v)
    print(f"faults: {noticed} of {len(faults)} noticed")
    for name, _ in missed:
        print(f"not noticed: {name}")
    if noticed < 0.95 * len(faults):
        failures += missed
    else:
        passed += noticed
    return conclude("tcgen05:", passed, failures, times + more, args.report)


if __name__ == "__main__":
    sys.exit(main())
