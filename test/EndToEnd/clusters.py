#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clusters (num_cta_in_cga 2, 4, 8): products whose blocks load together what all of them need, by multicast tensor copies, and
products of two blocks by tcgen05.mma; in one agent and in several, with tensor maps and without, on the emulator with the race
checker on, under several schedules and timings. And with one thing wrong at a time in the PTX, which has to be noticed.

usage: clusters.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_90,sm_100] [--full] [--jobs N] [-v]

A case passes when every run agrees with the reference, ptxas takes the PTX without a warning, and the PTX has what is expected of
it: multicast copies, products of pairs, or neither. Every fault has to be noticed: reported, or a result that differs.
"""

import dataclasses
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import cluster_kernels
import matrix_kernels
import pipeline_kernels
import scaled_kernels
from agents import FILL, MULTIPLY, broken_in_loop
from checklist import NO_MAPS, loop_with
from harness import conclude, find_ptxas, run_all, suite_arguments
from kernels import Case, hinted, module, tile
from under_test import TIMINGS, Bench

TARGETS = ["sm_90", "sm_100", "sm_103", "sm_110"]
BLACKWELL = TARGETS[1:]
BY_TMA = ["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=true"]
ONE, AGENTS = (["--pipeline-options=pipeline-strategy=" + name + " unspecialized-pipeline-num-stages=3"]
               for name in ("unspecialize", "warp-specialize"))
# A pair has half of the right operand each, and more stages in the same bytes: four of three, five of four.
FIVE_STAGES = [AGENTS[0].replace("stages=3", "stages=4")]
TWO_STAGES = [AGENTS[0].replace("stages=3", "stages=2")]
MULTICAST, PAIR, NEITHER = "multicast", "pair", "neither"


def clustered(case, blocks):
    """The case's kernel with num_cta_in_cga = blocks."""
    return dataclasses.replace(case, name=f"{case.name}-cluster{blocks}", text=hinted(case.text, f"default = {{num_cta_in_cga = {blocks}}}"))


def batches(t, batch, m, n, k, tm, tn, tk):
    """Batches of products, tiles of which have a batch of one: their factors are the same tiles with another shape."""
    aligned_view = pipeline_kernels.aligned_view
    va, pa = aligned_view("a", "pa", [batch, m, k], [1, tm, tk], t)
    vb, pb = aligned_view("b", "pb", [batch, k, n], [1, tk, tn], t)
    vo, po = matrix_kernels.static_view("o", "po", [batch, m, n], [1, tm, tn], "f32")
    A, B, C = tile([tm, tk], t), tile([tk, tn], t), tile([tm, tn], "f32")
    a1, b1, c1 = tile([1, tm, tk], t), tile([1, tk, tn], t), tile([1, tm, tn], "f32")
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vb + vo
    body += f"%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    body += f"%c = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    body += f"  %x1, %t0 = load_view_tko weak %a[%bz, %bx, %i] : {pa}, tile<i32> -> {a1}, token\n  %x = reshape %x1 : {a1} -> {A}\n"
    body += f"  %y1, %t1 = load_view_tko weak %b[%bz, %i, %by] : {pb}, tile<i32> -> {b1}, token\n  %y = reshape %y1 : {b1} -> {B}\n"
    body += f"  %s1 = {matrix_kernels.product('%x', '%y', '%s', A, B, C)}\n  continue %s1 : {C}\n}}\n%r = reshape %c : {C} -> {c1}\n"
    body += f"%ts = store_view_tko weak %r, %o[%bz, %bx, %by] : {c1}, {po}, tile<i32> -> token\n"
    text = module("batches", f"%pa: tile<ptr<{t}>>, %pb: tile<ptr<{t}>>, %po: tile<ptr<f32>>, %n: tile<i32>", body)
    values = matrix_kernels.values
    return Case(f"batches-{t}-{batch}x{m}x{n}x{k}-t{tm}x{tn}x{tk}", text, "batches", (m // tm, n // tn, batch),
                [f"a:{t}[{batch}x{m}x{k}]={values(t, 81)}", f"b:{t}[{batch}x{k}x{n}]={values(t, 82)}", f"out:o:f32[{batch}x{m}x{n}]=poison",
                 f"i32={k // tk}"], matrix_kernels.tolerance(t, "f32"))


def over(case):
    """The kernel with its results in the place of the right operand, which all blocks load: of ones, as sums are read as f16."""
    text = case.text.replace("make_tensor_view %po,", "make_tensor_view %over,").replace(
        "%bx, %by, %bz = get", "%over = ptr_to_ptr %pb : tile<ptr<f16>> -> tile<ptr<f32>>\n    %bx, %by, %bz = get", 1)
    assert text.count("%over") == 2, text
    ones = [re.sub(r"(?:out:)?(.*:f\d+\[.*\])=.*", r"\1=ones", a) for a in case.args]
    return dataclasses.replace(case, name=f"{case.name}-over", text=text, args=ones)


def cases():
    """(case, options, targets, what is expected)"""
    gemm = matrix_kernels.gemm
    f16 = ("f16", "f32")
    # Every block loads all that it needs.
    yield clustered(gemm(*f16, 512, 128, 384, 256, 128, 64, aligned=True), 2), [AGENTS[0] + " cluster-loads=own"], ["sm_90"], NEITHER
    for options in (ONE, AGENTS):
        # The right operand is the same for all blocks, in two boxes, in one, and in fewer than there are blocks.
        yield clustered(gemm(*f16, 512, 128, 448, 256, 128, 64, aligned=True), 2), options, ["sm_90"], MULTICAST
        yield clustered(gemm(*f16, 256, 128, 448, 256, 64, 64, aligned=True), 2), options, ["sm_90"], MULTICAST
        yield clustered(gemm(*f16, 512, 128, 320, 512, 128, 64, aligned=True), 4), options, ["sm_90"], MULTICAST
        # Edges in all dimensions; operands the other way round; one round, none.
        yield clustered(gemm("bf16", "f32", 392, 208, 336, 256, 128, 64, aligned=True, transposed=True), 2), options, ["sm_90"], MULTICAST
        yield clustered(gemm(*f16, 256, 128, 64, 256, 128, 64, aligned=True), 2), options, ["sm_90"], MULTICAST
    yield clustered(gemm(*f16, 1024, 64, 192, 1024, 64, 64, aligned=True), 8), AGENTS, ["sm_90"], MULTICAST
    yield clustered(gemm(*f16, 256, 128, 0, 256, 128, 64, aligned=True), 2), ONE, ["sm_90"], MULTICAST
    yield clustered(gemm("i8", "i32", 256, 64, 512, 128, 64, 128, signs=("signed", "signed"), aligned=True, transposed=True), 2), ONE, ["sm_90"], MULTICAST
    # The blocks divide columns: the left operand is the same for all.
    yield clustered(gemm(*f16, 64, 256, 320, 64, 256, 64, aligned=True), 2), ONE, ["sm_90"], MULTICAST
    # Keys and values have rings of their own, and both blocks, whose rows differ, need all of either. Five rounds, one, and four blocks.
    attention = matrix_kernels.attention
    yield clustered(attention("f16", 500, 600, 128, 256, 128, aligned=True), 2), TWO_STAGES, ["sm_90"], MULTICAST
    yield clustered(attention("bf16", 128, 64, 64, 128, 64, aligned=True), 2), TWO_STAGES, ["sm_90"], MULTICAST
    yield clustered(attention("f16", 256, 272, 64, 256, 64, aligned=True), 4), TWO_STAGES, ["sm_90"], MULTICAST
    # A ring that a loop makes again and again.
    yield clustered(pipeline_kernels.persistent(128, 64, 64, 5, 5, 2), 2), ONE, ["sm_90"], MULTICAST
    # Sixteen blocks are not portable; sm_120 has no fast multicast.
    yield clustered(gemm(*f16, 256, 128, 320, 256, 128, 64, aligned=True), 2), ONE, ["sm_120"], NEITHER

    # In one agent, and in three: one thread of the even block issues products, the others fill and read in both.
    for options in (ONE, AGENTS):
        yield from pairs(options)
        yield from scaled_pairs(options)
    # All that a ring can be: empty, full at once, and each of its stages used twice; of four stages and of five.
    for k in (0, 64, 128, 192, 256, 320, 512):
        yield clustered(gemm(*f16, 256, 128, k, 256, 128, 64, aligned=True), 2), AGENTS, BLACKWELL, PAIR
    for k in (0, 256, 320, 384, 704):
        yield clustered(gemm(*f16, 256, 128, k, 256, 128, 64, aligned=True), 2), FIVE_STAGES, BLACKWELL, PAIR
    yield clustered(gemm("bf16", "f32", 528, 144, 208, 256, 128, 64, aligned=True), 2), AGENTS, BLACKWELL, PAIR
    yield clustered(gemm(*f16, 256, 256, 320, 256, 256, 64, aligned=True), 2), AGENTS, BLACKWELL, PAIR
    yield clustered(gemm(*f16, 256, 128, 192, 256, 128, 32, aligned=True, transposed=True), 2), AGENTS, BLACKWELL, PAIR
    # Loops around them, which agents go through at their own pace: nobody meets in them, full sums say what others have loaded.
    persistent = pipeline_kernels.persistent
    yield clustered(persistent(256, 128, 64, 5, 5, 2), 2), AGENTS, BLACKWELL, PAIR
    yield clustered(persistent(256, 128, 64, 3, 1, 1, "bf16"), 2), AGENTS, BLACKWELL, PAIR
    yield clustered(persistent(256, 256, 64, 7, 2, 2), 2), AGENTS, BLACKWELL, PAIR
    none = persistent(256, 128, 64, 6, 2, 1)
    yield clustered(dataclasses.replace(none, name=f"{none.name}-none", args=[*none.args[:-1], "i32=0"]), 2), AGENTS, BLACKWELL, PAIR
    yield clustered(persistent(256, 64, 64, 5, 5, 2), 2), AGENTS, BLACKWELL, NEITHER
    yield clustered(persistent(512, 128, 64, 5, 3, 2), 4), AGENTS, BLACKWELL, NEITHER
    yield clustered(over(persistent(256, 64, 64, 1, 8, 1)), 2), AGENTS, BLACKWELL, NEITHER
    yield clustered(over(persistent(256, 128, 64, 1, 8, 1)), 2), AGENTS, BLACKWELL, PAIR
    # Rings of a loop, in which the blocks meet before sums are overwritten.
    yield clustered(pipeline_kernels.persistent(256, 128, 64, 5, 5, 2), 2), ONE, BLACKWELL, PAIR
    yield clustered(pipeline_kernels.persistent(256, 128, 64, 3, 1, 1, "bf16"), 2), ONE, BLACKWELL, PAIR
    yield clustered(batches("f16", 2, 256, 128, 320, 256, 128, 64), 2), ONE, ["sm_90"], MULTICAST
    # Blocks that meet before a store between two loops do not do so in agents: who fills the second ring would not come. More rounds than a
    # ring has stages, as many, and none; the second products by threads.
    two_loops, nested = cluster_kernels.two_loops, cluster_kernels.nested
    for n, m in ((5, 5), (3, 4), (0, 5), (5, 1)):
        yield clustered(two_loops(n, m, store="between"), 2), AGENTS, ["sm_90"], MULTICAST
        yield clustered(two_loops(n, m, store="between"), 2), AGENTS, BLACKWELL, PAIR
    yield clustered(two_loops(5, 5, "f32", store="between"), 2), AGENTS, ["sm_100"], PAIR
    # Without one, and with outer loops around one ring and two.
    for n, m in ((5, 5), (3, 4), (0, 5), (5, 0)):
        yield clustered(two_loops(n, m, store="behind"), 2), AGENTS, ["sm_90"], MULTICAST
        yield clustered(two_loops(n, m, store="behind"), 2), AGENTS, BLACKWELL, PAIR
        yield clustered(nested(n, m), 2), AGENTS, BLACKWELL, PAIR
        yield clustered(nested(n, m, rings=2), 2), AGENTS, BLACKWELL, PAIR
    yield clustered(two_loops(5, 5, "f32"), 2), AGENTS, ["sm_100"], PAIR
    # What one block stores the other one has loaded, not for products: that sums are full does not say so.
    for n, m in ((5, 2), (1, 4)):
        yield clustered(cluster_kernels.overwritten(n, m), 2), TWO_STAGES, ["sm_100"], PAIR
    # What a block stores over has been stored by the other one, which full sums do not say either: once, and in every round of a loop.
    yield clustered(cluster_kernels.stored_twice(5, None), 2), AGENTS, BLACKWELL, PAIR
    yield clustered(cluster_kernels.stored_twice(5, 2), 2), AGENTS, ["sm_100"], PAIR
    # 128 rows for both: each multiplies by itself, what both need is shared. Four blocks likewise, and columns that have no halves.
    yield clustered(gemm(*f16, 128, 128, 448, 128, 128, 64, aligned=True), 2), ONE, BLACKWELL, MULTICAST
    yield clustered(gemm(*f16, 512, 128, 320, 512, 128, 64, aligned=True), 4), ONE, BLACKWELL, MULTICAST
    yield clustered(gemm("tf32", "f32", 512, 128, 320, 512, 64, 32, aligned=True, left=True), 4), ONE, BLACKWELL, MULTICAST
    yield clustered(pipeline_kernels.persistent(256, 64, 64, 5, 5, 2), 2), ONE, BLACKWELL, MULTICAST
    yield from divided()


def pairs(options):
    """Products of two blocks."""
    gemm, f16 = matrix_kernels.gemm, ("f16", "f32")
    for t, acc, n, k, tk, transposed in (("f16", "f32", 128, 448, 64, False), ("bf16", "f32", 256, 320, 64, True), ("f16", "f32", 64, 320, 64, True),
                                         ("f8E4M3FN", "f32", 128, 640, 128, True), ("f8E5M2", "f32", 64, 640, 128, True), ("tf32", "f32", 64, 160, 32, True)):
        yield clustered(gemm(t, acc, 512, 2 * n, k, 256, n, tk, aligned=True, transposed=transposed), 2), options, BLACKWELL, PAIR
    yield clustered(gemm("i8", "i32", 256, 64, 640, 256, 64, 128, signs=("signed", "unsigned"), aligned=True, transposed=True), 2), options, ["sm_100", "sm_110"], PAIR
    yield clustered(gemm("bf16", "f32", 392, 208, 336, 256, 128, 64, aligned=True, transposed=True), 2), options, BLACKWELL, PAIR
    # tf32 that lies across: half of the right factor has to have 32 columns.
    yield clustered(gemm("tf32", "f32", 400, 208, 176, 256, 128, 32, aligned=True, left=True), 2), options, BLACKWELL, PAIR
    yield clustered(gemm("tf32", "f32", 256, 64, 320, 256, 64, 32, aligned=True), 2), options, BLACKWELL, PAIR
    yield clustered(gemm("tf32", "f32", 256, 64, 320, 256, 32, 32, aligned=True), 2), options, ["sm_100"], MULTICAST if options == ONE else NEITHER
    yield clustered(gemm(*f16, 256, 128, 64, 256, 128, 64, aligned=True, left=True), 2), options, BLACKWELL, PAIR
    yield clustered(gemm(*f16, 256, 128, 0, 256, 128, 64, aligned=True), 2), options, BLACKWELL, PAIR
    yield clustered(batches("f16", 2, 256, 256, 320, 256, 128, 64), 2), options, BLACKWELL, PAIR


def scaled_pairs(options):
    """Products with scales of two blocks: all formats, ragged edges and tails of k, fewer rounds than stages, loops around."""
    fp4, fp8, persistent = matrix_kernels.fp4_gemm, matrix_kernels.scaled_gemm, scaled_kernels.persistent
    yield clustered(fp8("f8E4M3FN", 392, 260, 1136, 256, 128, 128, transposed=True, by_rows=True), 2), options, BLACKWELL, PAIR
    yield clustered(fp4("f8E4M3FN", 16, 392, 300, 1472, 256, 128, 256), 2), options, BLACKWELL, PAIR
    yield clustered(fp4("f8E8M0FNU", 32, 200, 140, 1920, 256, 128, 256), 2), options, BLACKWELL, PAIR
    yield clustered(fp4("f8E8M0FNU", 16, 512, 128, 512, 256, 128, 256), 2), options, BLACKWELL, PAIR
    # Scales in blocks: each block of the cluster has one of the two of a tile, by tensor copies.
    yield clustered(fp8("f8E4M3FN", 392, 260, 1136, 256, 128, 128, transposed=True, by_rows=True, blocks=(2, 256)), 2), options, BLACKWELL, PAIR
    yield clustered(fp4("f8E4M3FN", 16, 512, 300, 1472, 256, 256, 256, blocks=(32, 4, 4)), 2), options, BLACKWELL, PAIR
    yield clustered(fp4("f8E8M0FNU", 32, 200, 140, 1920, 256, 128, 256, blocks=(512,)), 2), options, BLACKWELL, PAIR
    yield clustered(persistent(5, 128, 5, 2, 256, 128, 128), 2), options, BLACKWELL, PAIR
    yield clustered(persistent(5, 256, 7, 2, 256, 128, 256, scaled_kernels.FP4), 2), options, BLACKWELL, PAIR
    # Columns of A's scales that threads store: each block multiplies by itself what both have loaded together.
    yield clustered(fp8("f8E4M3FN", 256, 64, 640, 256, 64, 64), 2), options, ["sm_100"], MULTICAST
    # Tiles that no dimension can be divided of: the first block does all the work, with what it has room for itself.
    if options != ONE:
        return
    beside = scaled_kernels.beside
    yield clustered(beside("turned", 256, 256, 2, 256, 256, 256, scaled_kernels.FP4_BY_POWERS), 2), options, ["sm_100"], NEITHER
    yield clustered(beside("reduced", 256, 256, 2, 256, 256, 256, scaled_kernels.FP4), 2), options, ["sm_110"], NEITHER
    yield clustered(beside("turned", 256, 256, 2, 256, 256, 128), 2), options, ["sm_103"], NEITHER


def divided():
    """Clusters that stay and divide the tile blocks, one to three of them, some with a round more than others: ragged edges, one round along k and none, scales in rows and in
    blocks, one agent; blocks that load what both need together, or have columns of their own."""
    gemm, f16, fp4, fp8 = matrix_kernels.gemm, ("f16", "f32"), matrix_kernels.fp4_gemm, matrix_kernels.scaled_gemm
    agents, one = AGENTS[0] + " dynamic-persistent=true", ONE[0] + " dynamic-persistent=true"
    for options in (agents, one):
        yield clustered(gemm(*f16, 768, 384, 320, 256, 128, 64, aligned=True), 2), [options, "--multiprocessors=5"], BLACKWELL, PAIR
        yield clustered(gemm("bf16", "f32", 704, 304, 208, 256, 128, 64, aligned=True, transposed=True), 2), [options, "--multiprocessors=2"], BLACKWELL, PAIR
        yield clustered(fp4("f8E4M3FN", 16, 700, 300, 1472, 256, 128, 256), 2), [options, "--multiprocessors=4"], BLACKWELL, PAIR
        yield clustered(fp4("f8E4M3FN", 16, 768, 300, 1472, 256, 256, 256, blocks=(32, 4, 4)), 2), [options, "--multiprocessors=4"], BLACKWELL, PAIR
    # By default.
    auto = [AGENTS[0].replace("warp-specialize", "auto"), "--multiprocessors=4"]
    yield clustered(fp4("f8E8M0FNU", 32, 768, 300, 1472, 256, 256, 256, blocks=(512,)), 2), auto, BLACKWELL, PAIR
    yield clustered(fp4("f8E4M3FN", 16, 768, 200, 1472, 256, 128, 256, known=False, blocks=(2, 256)), 2), auto, BLACKWELL, PAIR
    yield clustered(gemm("bf16", "f32", 704, 304, 592, 256, 128, 64, aligned=True, transposed=True), 2), auto, BLACKWELL, PAIR
    yield clustered(gemm("f8E4M3FN", "f32", 704, 304, 640, 256, 256, 128, aligned=True, transposed=True), 2), auto, BLACKWELL, PAIR
    yield clustered(gemm(*f16, 768, 192, 320, 256, 64, 64, aligned=True), 2), auto, BLACKWELL, MULTICAST
    yield clustered(fp4("f8E4M3FN", 16, 700, 512, 1472, 256, 256, 256), 2), auto, BLACKWELL, PAIR
    yield clustered(fp8("f8E4M3FN", 392, 400, 1136, 256, 128, 128, transposed=True, by_rows=True, blocks=(2, 256)), 2), [agents, "--multiprocessors=6"], BLACKWELL, PAIR
    yield clustered(gemm(*f16, 1280, 128, 64, 256, 128, 64, aligned=True), 2), [agents, "--multiprocessors=4"], BLACKWELL, PAIR
    yield clustered(gemm(*f16, 768, 128, 0, 256, 128, 64, aligned=True), 2), [agents, "--multiprocessors=2"], BLACKWELL, PAIR
    yield clustered(gemm(*f16, 512, 128, 320, 256, 128, 64, aligned=True), 2), [agents, "--multiprocessors=8"], BLACKWELL, PAIR  # a cluster for each
    yield clustered(gemm(*f16, 1024, 256, 320, 512, 128, 64, aligned=True), 4), [agents, "--multiprocessors=9"], BLACKWELL, NEITHER
    yield clustered(gemm(*f16, 1024, 256, 320, 512, 128, 64, aligned=True), 4), [agents, "--multiprocessors=9"], ["sm_90"], MULTICAST
    for options in (agents, one):
        yield clustered(gemm(*f16, 512, 256, 320, 256, 128, 64, aligned=True), 2), [options, "--multiprocessors=3"], ["sm_90"], MULTICAST


def found(ptx):
    return PAIR if "tcgen05.mma.cta_group::2" in ptx else MULTICAST if "bulk.tensor" in ptx and ".multicast::cluster [" in ptx else NEITHER


def check(bench, case, options, target, expected):
    name = f"{case.name}-{target}-{options[0].split('=', 2)[2]}{''.join(options[1:])}".replace(" ", "-")
    error, ptx = bench.compare(name, case, target, *options, prefix=BY_TMA, timings=TIMINGS if bench.full else ("random",),
                               schedules=16 if bench.full else 3)
    if error:
        return error
    if found(ptx) != expected:
        return f"expected {expected}, but found {found(ptx)}"
    if "-blocks" in case.name and ".multicast::cluster.cta_group::2" not in ptx:
        return "both blocks load the scales of the right factor"
    # Of small tiles a multiprocessor has room for several instead.
    if options[1:] and ("%nsmid" in ptx) == ("-t256x64x" in case.name):
        return "clusters divide the tile blocks that were not expected to" if "%nsmid" in ptx else "clusters do not divide the tile blocks"
    # That both have begun is all that two who allocate tensor memory together have to know of each other.
    if expected == PAIR and "barrier.cluster.arrive.relaxed" not in ptx:
        return "the blocks of a pair order what they have not done yet"
    if case.name.startswith("persistent") and options == AGENTS and any("barrier.cluster" in line for line in loop_with(ptx, "tcgen05.ld")):
        return "blocks meet in a loop of agents"
    # Without tensor maps, where pairs have another way to fill their stages.
    if expected == PAIR or options in (AGENTS, TWO_STAGES):
        error = bench.noticed(f"{name}-none", re.sub(*NO_MAPS, ptx), "", *bench.launch(case), *options[1:], timings=("late",), schedules=2,
                              wrong=lambda code: code == 0)
        if error:
            return error
    return bench.assemble(name, target)


FULL_WAIT = r"mbarrier\.try_wait\.parity\.shared\.b64 done, [^;]*;"
EMPTY_WAIT = r"mbarrier\.try_wait\.parity\.acquire\.cluster\.shared::cta\.b64 done, [^;]*;"
EXPECT = r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, \[([^]]*)\], ([^;]*);"
MEET = r"barrier\.cluster\.arrive\.aligned;\s*barrier\.cluster\.wait\.aligned;"
COPY = r"(cp\.async\.bulk\.tensor[^;]*multicast::cluster[^;]*), (%rs\d+);"
# name: (pattern, replacement, why it is harmful)
SHARED = {
    "remote arrival missing": (r"setp\.lt\.u32 one, (\$?%?\w+), 2;|setp\.lt\.and\.u32 one, (%r\d+), 2, wanted;", lambda m: m[0].replace(", 2", ", 1"),
                               "the other block's producer waits for ever"),
    "arrivals at the own block": (r"@one mapa\.shared::cluster\.u32 there, there, %r\d+;", "", "the other block is not told"),
    "only to itself": (COPY, lambda m: f"{{ .reg .b16 own; .reg .b32 r; mov.u32 r, %cluster_ctarank; shl.b32 r, 1, r; cvt.u16.u32 own, r; {m[1]}, own; }}",
                       "the other block never has its part"),
    "to the first block only": (COPY, r"{ .reg .b16 first; mov.b16 first, 1; \1, first; }", "the second block never has its parts"),
    "parts swapped": (r"mov\.u32\s+(%r\d+), %cluster_ctarank;", r"mov.u32 \1, %cluster_ctarank; xor.b32 \1, \1, 0; and.b32 \1, \1, 0;", "both blocks do the first one's work"),
    "too few bytes": (EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, [\1], 16384;", "stages are full before the last bytes"),
    "bytes of its own only": (EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, [\1], 24576;", "the other block's bytes are not waited for"),
    "no meeting at the start": (rf"\A([\s\S]*?){MEET}", r"\1bar.sync 0;", "the other block copies before the mbarriers are ready"),
    "empty unawaited": (EMPTY_WAIT, "setp.eq.u32 done, 0, 0;", "stages are filled while the other block reads them"),
    "full unawaited": (FULL_WAIT, "setp.eq.u32 done, 0, 0;", "stages are read before they are full"),
}
# The blocks meet before they store, too, which is enough for those that leave; so both are taken out.
LAST = {"no meeting at the end": (rf"({MEET}[\s\S]*){MEET}", r"\1", "a block leaves while the other one arrives at its mbarriers")}
PAIRS = {
    "one block's bytes": (EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, [\1], 24576;", "the peer's bytes are not waited for"),
    "commit to one block": (r"(tcgen05\.commit[^;]*\.multicast::cluster\.b64 \[[^]]*\]), %rs\d+;",
                            r"{ .reg .b16 first; mov.b16 first, 1; \1, first; }", "the peer never learns that a stage is empty"),
    "own mbarrier": (r"mapa\.shared::cluster\.u32 (%r\d+), (%r\d+), 0;", r"mov.b32 \1, \2;", "the peer's copies complete where nobody waits"),
    "product of 128 rows": (r"(tcgen05\.mma[^;]*, )(\d+)(, \w+;)", lambda m: m[1] + str(int(m[2]) ^ 24 << 24) + m[3], "the peer's rows are not multiplied"),
    "half the columns": (r"(tcgen05\.mma[^;]*, )(\d+)(, \w+;)", lambda m: m[1] + str(int(m[2]) ^ 48 << 17) + m[3], "the peer's columns are not multiplied"),
    "each by itself": (r"(tcgen05[^;]*cta_group::)2", r"\g<1>1", "each block multiplies by half of the right operand"),
    "full unawaited": (FULL_WAIT, "setp.eq.u32 done, 0, 0;", "stages are read before they are full"),
    "no meeting at the start": (rf"\A([\s\S]*?){MEET}", r"\1bar.sync 0;", "the peer copies before the mbarriers are ready"),
    "empty unawaited": (EMPTY_WAIT, "setp.eq.u32 done, 0, 0;", "stages are filled while products read them"),
    "not given back": (r"tcgen05\.dealloc[^;]*;", "", "tensor memory is not given back"),
    "no product": (r"tcgen05\.mma[^;]*always;", "", "a step along k is missing"),
}


TO_BOTH = r"(tcgen05\.commit[^;]*\.multicast::cluster\.b64 \[[^]]*\]), %rs\d+;"
TO_FIRST, TO_SECOND = (r"{ .reg .b16 who; mov.b16 who, " + mask + r"; \1, who; }" for mask in "12")
PRODUCTS, COPIES = "tcgen05.mma", "expect_tx"
# In front of the agent that multiplies.
NOT_EVEN = r"setp\.ne\.b32\s+(%p\d+), (%r\d+), 0;(?=\s*(?:setp[^;]*;\s*or\.pred[^;]*;\s*)?@%p\d+[^;]*;\s*elect\.sync[^;]*;\s*not\.pred)"
# For an empty stage before the block ends: nothing is copied, multiplied or waited for in between that and the next wait or meeting.
LAST_WAIT = EMPTY_WAIT.replace("[^;]*;", r"[^;]*\+8\][^;]*;") + r"(?=(?:(?!cp\.async|\+0\]|tcgen05\.mma)[\s\S])*?(?:\+8\]|barrier\.cluster|bar\.sync))"
# In agents: a loop (None: all of the text), what of it, which of them (None: all), what in its place, why that is harmful.
PAIRS_IN_AGENTS = {
    "full unawaited": (PRODUCTS, EMPTY_WAIT, 0, "setp.eq.u32 done, 0, 0;", "stages are read before they are full"),
    "full of the round before": (PRODUCTS, r"(b64 done, \[%r\d+\+0\], )%r\d+;", 0, r"\g<1>0;", "stages are read before they are full again"),
    "stages released to the even block": (PRODUCTS, TO_BOTH, 0, TO_FIRST, "the peer never learns that a stage is empty"),
    "stages released to the odd block": (PRODUCTS, TO_BOTH, 0, TO_SECOND, "the even block never learns that a stage is empty"),
    "stages not released": (PRODUCTS, r"tcgen05\.commit[^;]*;", 0, "", "who fills stages waits for ever"),
    "stages released before products": (PRODUCTS, r"tcgen05\.commit[^;]*\[([^]]*)\][^;]*;", 0, r"{ .reg .b32 there; mbarrier.arrive.shared.b64 _, [\1]; mapa.shared::cluster.u32 there, \1, 1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }",
                                        "stages are filled while products read them"),
    "product of 128 rows": (PRODUCTS, r"(tcgen05\.mma[^;]*, )(\d+)(, \w+;)", None, lambda m: m[1] + str(int(m[2]) ^ 24 << 24) + m[3], "the peer's rows are not multiplied"),
    "half the columns": (PRODUCTS, r"(tcgen05\.mma[^;]*, )(\d+)(, \w+;)", None, lambda m: m[1] + str(int(m[2]) ^ 48 << 17) + m[3], "the peer's columns are not multiplied"),
    "a step missing": (PRODUCTS, r"tcgen05\.mma[^;]*always;", 0, "", "a step along k is missing"),
    "empty unawaited": (COPIES, EMPTY_WAIT, 0, "setp.eq.u32 done, 0, 0;", "stages are filled while products read them"),
    "last releases unawaited": (None, LAST_WAIT, None, "setp.eq.u32 done, 0, 0;", "products may arrive in a block that has ended"),
    "the first of four last releases unawaited": (None, LAST_WAIT, slice(0, None, 4), "setp.eq.u32 done, 0, 0;", "products may arrive in a block that has ended"),
    "the last of four releases unawaited": (None, LAST_WAIT, slice(3, None, 4), "setp.eq.u32 done, 0, 0;", "products may arrive in a block that has ended"),
    "one block's bytes": (COPIES, r"mov\.b32\s+(%r\d+), 49152;", 0, r"mov.b32 \1, 24576;", "the peer's bytes are not waited for"),
    "too many bytes": (COPIES, r"mov\.b32\s+(%r\d+), 49152;", 0, r"mov.b32 \1, 65536;", "stages are never full"),
    "bytes not announced": (COPIES, r"@even mbarrier\.arrive\.expect_tx[^;]*;", 0, "", "nobody arrives at full"),
    "one arrival of two": (COPIES, r"@even mbarrier\.arrive\.shared[^;]*;", 0, "", "stages are never full"),
    "announced by the odd block": (COPIES, r"setp\.eq\.u32 even, ([^,]*), 0;", 0, r"setp.ne.u32 even, \1, 0;", "the even block's stages are never full"),
    "own mbarrier": (COPIES, r"mapa\.shared::cluster\.u32 (%r\d+), (%r\d+), 0;", 0, r"mov.b32 \1, \2;", "the peer's copies complete where nobody waits"),
    "the odd block's mbarrier": (COPIES, r"(mapa\.shared::cluster\.u32 %r\d+, %r\d+, )0;", 0, r"\g<1>1;", "copies complete where nobody waits"),
    "a copy missing": (COPIES, r"cp\.async\.bulk\.tensor[^;]*;", 0, "", "bytes that were announced do not come"),
    "sums unawaited": (None, r"(mbarrier\.try_wait[^;]*;)(?=(?:(?!try_wait)[\s\S])*?tcgen05\.ld)", 0, "setp.eq.u32 done, 0, 0;", "sums are read before products are done"),
    "sums for the even block": (None, TO_BOTH, 1, TO_FIRST, "the peer waits for its sums for ever"),
    "sums for the odd block": (None, TO_BOTH, 1, TO_SECOND, "the even block waits for its sums for ever"),
    "sums read unfenced": (None, r"tcgen05\.fence::after_thread_sync;(?=(?:(?!fence)[\s\S])*?tcgen05\.ld)", 0, "", "sums are read before the wait for them"),
    "both blocks multiply": (None, NOT_EVEN, None, r"setp.ne.b32 \1, 0, 0;", "the odd block issues products, too"),
    "the odd block multiplies": (None, NOT_EVEN, None, r"setp.eq.b32 \1, \2, 0;", "the block that has full stages issues none"),
    "each by itself": (None, r"(tcgen05[^;]*cta_group::)2", None, r"\g<1>1", "each block multiplies by half of the right operand"),
    "no meeting at the start": (None, MEET, (0, 1), "bar.sync 0;", "the peer copies before the mbarriers are ready"),
    "no meeting at the end": (None, MEET, 2, "", "a block ends while the other one arrives at its mbarriers"),
    "not given back": (None, r"tcgen05\.dealloc[^;]*;", None, "", "tensor memory is not given back"),
}
# Of a loop around the products, in pairs and not.
SUMS_OF_PAIRS = {
    "sums not released": (None, r"@one mbarrier\.arrive\.release\.cluster[^;]*;(?=[\s\S]*expect_tx)", None, "", "who multiplies waits for columns for ever"),
    "sums released to the own block": (None, r"@one mapa\.shared::cluster\.u32 there, there, %r\d+;", None, "", "the peer has not released its sums"),
    "sums released by one block": (None, r"(mov\.b32\s+%r\d+, )16;(?=[^;]*mbarrier\.init)", None, r"\g<1>8;", "sums are overwritten while the peer reads them"),
    "sums' empty unawaited": (None, r"mbarrier\.try_wait[^;]*\+8\][^;]*;(?=(?:(?!\+8\])[\s\S])*tcgen05\.mma)", 0, "setp.eq.u32 done, 0, 0;", "sums are overwritten while threads read them"),
    "sums unawaited": (None, r"(mbarrier\.try_wait[^;]*;)(?=(?:(?!try_wait)[\s\S])*?tcgen05\.ld)", 0, "setp.eq.u32 done, 0, 0;", "sums are read before products are done"),
    "sums for the even block": (None, TO_BOTH, 0, TO_FIRST, "the peer waits for its sums for ever"),
    "sums read unfenced": (None, r"tcgen05\.fence::after_thread_sync;(?=(?:(?!fence)[\s\S])*?tcgen05\.ld)", 0, "", "sums are read before the wait for them"),
    "sums released unfenced": (None, r"(tcgen05\.wait::ld\.sync\.aligned;\s*)tcgen05\.fence::before_thread_sync;", None, r"\1", "sums are overwritten while threads read them"),
    "sums released before they are read": (None, r"tcgen05\.wait::ld\.sync\.aligned;", None, "", "sums are overwritten while threads read them"),
    "stages released to the even block": (PRODUCTS, TO_BOTH, 0, TO_FIRST, "the peer never learns that a stage is empty"),
    "empty unawaited": (COPIES, EMPTY_WAIT, 0, "setp.eq.u32 done, 0, 0;", "stages are filled while products read them"),
}
SUMS_OF_BLOCKS = {
    "sums of the own block": (None, r"(mbarrier\.init[^;]*;\s*fence\.mbarrier_init[^;]*;(?:(?!mbarrier)[\s\S])*?mov\.b32\s+%r\d+, )2;", None, r"\g<1>1;", "full sums do not say what the other block has loaded"),
    "sums for the own block": (None, TO_BOTH, 0, TO_FIRST, "the other block waits for ever"),
    "full without the other block": (None, r"(mbarrier\.try_wait[^;]*;)(?=(?:(?!try_wait)[\s\S])*?tcgen05\.ld)", 0, "setp.eq.u32 done, 0, 0;", "a block stores where the other one loads"),
}
# In kernels of several rings or rounds.
IN_ROUNDS = {kind: PAIRS_IN_AGENTS[kind] for kind in (
    "full unawaited", "stages released to the even block", "stages released to the odd block", "stages not released", "a step missing", "empty unawaited",
    "last releases unawaited", "the first of four last releases unawaited", "the last of four releases unawaited", "bytes not announced", "own mbarrier", "a copy missing", "sums unawaited", "sums read unfenced",
    "each by itself", "not given back")}
# Two loops that share a ring of three stages, each with tensor maps and without: whoever fills waits for the last releases at the end of each way.
IN_ROUNDS_OF_TWO = {kind: fault for kind, fault in IN_ROUNDS.items() if "of four" not in kind} | {
    "the last of three releases unawaited": (None, LAST_WAIT, slice(2, None, 3), "setp.eq.u32 done, 0, 0;", "products may arrive in a block that has ended")}
# The place of sums that are read in every round.
SUMS = {
    "sums overwritten": (None, EMPTY_WAIT.replace("[^;]*;", r"[^;]*\+8\][^;]*;") + r"(?=(?:(?!\+8\])[\s\S])*?tcgen05\.mma)", None, "setp.eq.u32 done, 0, 0;",
                         "products overwrite sums that are being read"),
    "sums not released": (None, r"(@one mapa\.shared::cluster\.u32 there, there, %r\d+;\s*)@one mbarrier\.arrive[^;]*;", 0, r"\1", "who multiplies waits for ever"),
    "sums released to the own block": (None, r"@one mapa\.shared::cluster\.u32 there, there, %r\d+;", 0, "", "the even block is not told of the peer's reading"),
}
AT_FIRST = r"mapa\.shared::cluster\.u32 there, there, 0;"
PAIRS_WITHOUT_MAPS = {
    "arrival at the own block": (AT_FIRST, "mapa.shared::cluster.u32 there, there, %cluster_ctarank;", "the even block waits for the peer's copies for ever"),
    "arrival at the odd block": (AT_FIRST, "mapa.shared::cluster.u32 there, there, 1;", "the even block waits for stages for ever"),
    "copies unawaited": (r"cp\.async\.wait_group\s+\d+;", "", "a stage is full before its copies are done"),
    "threads apart": (r"(cp\.async\.wait_group\s+\d+;[\s\S]{0,200}?)bar\.sync\s+\d+, 128;", r"\1", "one thread arrives for copies of others"),
    "no proxy fence": (r"(cp\.async\.wait_group\s+\d+;\s*)fence\.proxy\.async[^;]*;", r"\1", "products read by another proxy what threads wrote"),
    "arrivals unordered": (r"mbarrier\.arrive\.release\.cluster(\.shared::cluster\.b64 _, \[there\])", r"mbarrier.arrive.relaxed.cluster\1", "what the peer copied need not be there"),
    "one arrival is enough": (r"(mov\.b32\s+%r\d+, )2;(?=[^;]*mbarrier\.init)", r"\g<1>1;", "stages are full before the peer's half"),
    "full unawaited": (r"mbarrier\.try_wait[^;]*\+0\][^;]*;", "setp.eq.u32 done, 0, 0;", "stages are read before they are full"),
    "empty unawaited": (r"mbarrier\.try_wait[^;]*\+8\][^;]*;", "setp.eq.u32 done, 0, 0;", "stages are filled while products read them"),
}

# Of two rings that a round has: a loop, what of it, which of them, what in its place, why that is harmful.
TOLD = r"setp\.lt\.u32 one, ([^,]+), 2;"
STREAMS = {f"{tiles} {what}": (loop, pattern, number, replacement, why) for number, tiles in enumerate(("keys", "values")) for what, loop, pattern, replacement, why in (
    ("unawaited", MULTIPLY, FULL_WAIT, "setp.eq.u32 done, 0, 0;", "tiles are read before both blocks' parts are there"),
    ("not given back to the other block", MULTIPLY, TOLD, r"setp.lt.u32 one, \1, 1;", "the other block's producer waits for ever"),
    ("given back to the own block twice", MULTIPLY, r"@one mapa\.shared::cluster\.u32 there, there, %r\d+;", "", "the other block is not told"),
    ("empty unawaited", FILL, EMPTY_WAIT, "setp.eq.u32 done, 0, 0;", "stages are filled while the other block reads them"),
    ("too few bytes", FILL, EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, [\1], 16384;", "stages are full before the other block's bytes"),
    ("to the first block only", FILL, COPY, r"{ .reg .b16 first; mov.b16 first, 1; \1, first; }", "the second block never has its parts"))}


# Scales that threads of both blocks copy. The wait of the thread that multiplies, or relays; the remote arrival behind it.
RELAY = r"(mapa\.shared::cluster\.u32 there, there, 0;\s*)@one mbarrier\.arrive\.release\.cluster\.shared::cluster\.b64 _, \[there\];"
RELAYED = r"(done, \[[^]]*\+0\], [^;]*;[^@]*?@%p\d+ bra[^;]*;[^@]*?)fence\.proxy\.async\.shared::cta;"
SCALES_OF_PAIRS = {
    "not relayed": (None, RELAY, None, r"\1", "the even block waits for the odd one's scales for ever"),
    "relayed to the odd block": (None, RELAY, None, r"@one mbarrier.arrive.shared.b64 _, [there];", "nobody tells the even block"),
    "relayed by both": (None, r"mov\.pred one, %p\d+;(?=\s*add\.u32 there)", None, "setp.eq.u32 one, 0, 0;", "full stages have an arrival too many"),
    "relayed without order": (None, RELAY, None, r"\1@one mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [there];", "the even block has not seen the odd one's scales"),
    "relayed unfenced": (None, RELAYED, None, r"\1", "scales are copied before the async proxy sees them"),
    "full unawaited": (PRODUCTS, EMPTY_WAIT, 0, "setp.eq.u32 done, 0, 0;", "stages are read, and relayed, before they are full"),
    "a copy missing": (None, r"tcgen05\.cp[^;]*;", 0, "", "columns of scales are those of an earlier round"),
    "copied to columns of others": (None, r"(tcgen05\.cp\S* \[%r\d+ \+ )0(\])", None, r"\g<1>4\2", "columns of scales are not written"),
    "scales of other columns": (None, r"(tcgen05\.mma[^;]*\], \[%r\d+ \+ )(\d+)(\])", None, lambda m: m[1] + str(int(m[2]) + 4) + m[3], "the scales of B are in other columns"),
    "product of 128 rows": (None, r"(tcgen05\.mma[^;]*, )(\d+)(, \[)", None, lambda m: m[1] + str(int(m[2]) ^ 24 << 24) + m[3], "the peer's rows are not multiplied"),
    "an arrival of threads missing": (None, r"cp\.async\.mbarrier\.arrive\.noinc[^;]*;", None, "", "stages are never full"),
    "arrivals before copies": (None, r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64\s+(\[[^;]*\]);", None, r"mbarrier.arrive.shared.b64 _, \1;", "stages are full before scales are there"),
    "one arrival of three less": (None, r"(add\.s32\s+%r\d+, %r\d+, )130;|\b130\b", None, lambda m: m[0].replace("130", "129"), "stages are full before the odd block's scales are there"),
    "stages released to the even block": (PRODUCTS, TO_BOTH, 0, TO_FIRST, "the peer never learns that a stage is empty"),
}
# Clusters that stay and divide the tile blocks.
DIVIDED = {kind: PAIRS_IN_AGENTS[kind] for kind in ("full unawaited", "stages not released", "empty unawaited", "sums read unfenced", "each by itself")} | {
    kind: SUMS_OF_PAIRS[kind] for kind in ("sums not released", "sums released to the own block", "sums' empty unawaited")} | {
    "clusters leave that have tile blocks": (None, r"(setp\.ge\.u64\s+%p\d+, %rd\d+, )%rd\d+;", 0, r"\g<1>1;", "tile blocks are left undone"),
    "a block leaves its cluster": (None, r"barrier\.cluster\.arrive\.relaxed\.aligned;", 0,
                                   r"{ .reg .pred odd; .reg .b32 rank; mov.u32 rank, %cluster_ctarank; setp.eq.u32 odd, rank, 1; @odd exit; } \g<0>", "the other one waits for it"),
}
# Scales in blocks, which tensor copies bring.
SCALES_IN_BLOCKS = {kind: PAIRS_IN_AGENTS[kind] for kind in (
    "full unawaited", "full of the round before", "stages released to the even block", "stages released to the odd block", "stages not released", "empty unawaited",
    "bytes not announced", "announced by the odd block", "own mbarrier", "the odd block's mbarrier", "sums unawaited", "each by itself", "no meeting at the start")} | {
    kind: SCALES_OF_PAIRS[kind] for kind in ("a copy missing", "copied to columns of others", "scales of other columns", "product of 128 rows")} | {
    "scales not announced": (COPIES, r"(mbarrier\.arrive\.expect_tx[^;]*, )%r\d+;", 0, r"\g<1>49152;", "stages are full before scales are there"),
    "scales of A missing": (COPIES, r"cp\.async\.bulk\.tensor\.4d[^;]*;", 0, "", "bytes that were announced do not come"),
    "scales of B missing": (COPIES, r"cp\.async\.bulk\.tensor\.4d[^;]*;", 1, "", "bytes that were announced do not come"),
    "scales of B for one block": (COPIES, r"(cp\.async\.bulk\.tensor\.4d[^;]*\.multicast::cluster[^;]*), %rs\d+;", 0, r"{ .reg .b16 first; mov.b16 first, 1; \1, first; }",
                                  "the peer has half of the scales of B"),
    "scales of A elsewhere": (COPIES, r"(cp\.async\.bulk\.tensor\.4d\S* \[)(%r\d+)(\])", 0, r"\g<1>\2+512\3", "scales of other elements are multiplied by"),
}


def sound(bench, name, case, target, options):
    """The PTX before it is broken, and a launch that compares with what it gives; None, what is wrong and where it fails."""
    text, output = bench.compile(f"fault-{name}", case, target, *options, prefix=BY_TMA)
    if text is None:
        return None, output, "compiles"
    outputs = {a: bench.path(f"fault-{name}-{a.split(':')[1]}", ".npy") for a in case.args if a.startswith("out:")}
    error = bench.noticed(f"fault-{name}-none", text, "", *bench.launch(case), *options[1:], *(f"--dump={a.split(':')[1]}={result}" for a, result in outputs.items()),
                          wrong=lambda code: code == 0)
    if error:
        return None, error, "runs"
    return text, [a.replace("=poison", f"{{expect={outputs[a]},tol={case.tolerance.replace(',', '/')}}}=poison") if a in outputs else a for a in bench.launch(case)] + options[1:], ""


def faulty_streams(bench, case, target, options):
    name = f"{case.name} {target} rings"
    text, launch, what = sound(bench, name, case, target, options)
    if text is None:
        yield f"fault: {name} {what}", lambda: launch
        return
    changed = {kind: (broken_in_loop(text, *fault[:4]), fault[4]) for kind, fault in STREAMS.items()}
    changed["no meeting at the start"] = (re.sub(rf"\A([\s\S]*?){MEET}([\s\S]*?){MEET}", r"\1bar.sync 0;\2bar.sync 0;", text),
                                          "the other block copies before the mbarriers are ready")
    for kind, (broken, why) in changed.items():
        yield f"fault: {name} {kind}", lambda kind=kind, broken=broken, why=why: (
            bench.noticed(f"fault-{name}-{kind}", broken, why, *launch, wrong=lambda code: code in (6, 7)) if broken and broken != text else "there is nothing to break")


def faulty(bench, case, target, options, faults):
    name = f"{case.name} {target} {options[0].split('=')[2].split()[0]}"
    text, launch, what = sound(bench, name, case, target, options)
    if text is None:
        yield f"fault: {name} {what}", lambda: launch
        return
    for kind, (pattern, replacement, why) in faults.items():
        broken, count = re.subn(pattern, replacement, text)
        yield f"fault: {name} {kind}", lambda kind=kind, broken=broken, why=why, count=count: (
            bench.noticed(f"fault-{name}-{kind}", broken, why, *launch, wrong=lambda code: code in (6, 7)) if count and broken != text
            else "there is nothing to break")


def broken(text, which, pattern, number, replacement):
    """The text with something else in a loop, or anywhere; None if it is not there."""
    loop, lines = loop_with(text, which) if which else None, text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.strip() == loop[0]) if loop else 0
    end = at + len(loop) if loop else len(lines)
    inside = "\n".join(lines[at:end])
    places = list(re.finditer(pattern, inside))
    wanted = range(len(places)) if number is None else number if isinstance(number, tuple) else (number,)
    if isinstance(number, slice):  # places of loops of which a launch runs one
        wanted = range(len(places))[number]
    if not places or len(places) <= max(wanted):
        return None
    for place in (places[i] for i in sorted(wanted, reverse=True)):
        instead = replacement(place) if callable(replacement) else place.expand(replacement)
        inside = inside[:place.start()] + instead + inside[place.end():]
    return "\n".join([*lines[:at], inside, *lines[end:]])


def faulty_agents(bench, case, target, options, faults=PAIRS_IN_AGENTS, without_maps=PAIRS_WITHOUT_MAPS):
    """Agents of clusters, with tensor maps and without."""
    name = f"{case.name} {target} agents"
    text, launch, what = sound(bench, name, case, target, options)
    if text is None:
        yield f"fault: {name} {what}", lambda: launch
        return
    work = [(kind, broken(text, *fault[:4]), fault[4]) for kind, fault in faults.items()]
    without = re.sub(*NO_MAPS, text)
    work += [(f"{kind} without maps", broken(without, None, fault[0], None, fault[1]), fault[2]) for kind, fault in without_maps.items()]
    for kind, ptx, why in work:
        yield f"fault: {name} {kind}", lambda kind=kind, ptx=ptx, why=why: (
            bench.noticed(f"fault-{name}-{kind}", ptx, why, *launch, wrong=lambda code: code in (6, 7)) if ptx else "there is nothing to break")


def main():
    parser = suite_arguments(TARGETS + ["sm_120"])
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    names = args.targets.split(",")
    with tempfile.TemporaryDirectory(prefix="tileiras-clusters-") as folder:
        bench = Bench(args.build, find_ptxas(), folder, args.full)
        work = []
        for turn, (case, options, targets, expected) in enumerate(cases()):
            for target in targets if args.full else [targets[turn % len(targets)]]:
                if target in names:
                    work.append((f"{case.name} {target} {' '.join([options[0].split('=', 2)[2], *options[1:]])}",
                                 lambda case=case, options=options, target=target, expected=expected: check(bench, case, options, target, expected)))
        work = [w for w in work if args.filter in w[0]]
        if not args.filter or "fault".startswith(args.filter):
            gemm = matrix_kernels.gemm
            shared = clustered(gemm("f16", "f32", 256, 128, 448, 256, 128, 64, aligned=True), 2)
            if "sm_90" in names:
                work += faulty(bench, shared, "sm_90", ONE, SHARED)
                work += faulty(bench, shared, "sm_90", AGENTS, SHARED | LAST)
                work += faulty_streams(bench, clustered(matrix_kernels.attention("f16", 256, 640, 128, 256, 128, aligned=True), 2), "sm_90", TWO_STAGES)
            if "sm_100" in names:
                work += faulty(bench, shared, "sm_100", ONE, PAIRS)
                work += faulty_agents(bench, shared, "sm_100", AGENTS)
                work += faulty_agents(bench, clustered(pipeline_kernels.persistent(256, 128, 64, 7, 3, 1), 2), "sm_100", AGENTS, SUMS_OF_PAIRS, {})
                work += faulty_agents(bench, clustered(over(pipeline_kernels.persistent(256, 64, 64, 1, 8, 1)), 2), "sm_100", AGENTS, SUMS_OF_BLOCKS, {})
                scaled = clustered(matrix_kernels.fp4_gemm("f8E4M3FN", 16, 256, 128, 1536, 256, 128, 256), 2)
                work += faulty_agents(bench, scaled, "sm_100", AGENTS, SCALES_OF_PAIRS, {})
                scaled = clustered(matrix_kernels.fp4_gemm("f8E4M3FN", 16, 256, 128, 3072, 256, 128, 256, blocks=(32, 4, 4)), 2)
                work += faulty_agents(bench, scaled, "sm_100", AGENTS, SCALES_IN_BLOCKS, {})
                stays = clustered(gemm("f16", "f32", 768, 256, 448, 256, 128, 64, aligned=True), 2)
                work += faulty_agents(bench, stays, "sm_100", [AGENTS[0] + " dynamic-persistent=true", "--multiprocessors=4"], DIVIDED, {})
                rounds = cluster_kernels.ROUNDS
                for case, faults in ((cluster_kernels.nested(rounds, 4), IN_ROUNDS | SUMS), (cluster_kernels.nested(rounds, 4, rings=2), IN_ROUNDS_OF_TWO | SUMS),
                                     (cluster_kernels.two_loops(rounds, 4, store="behind"), IN_ROUNDS), (cluster_kernels.two_loops(rounds, rounds, "f32"), IN_ROUNDS)):
                    work += faulty_agents(bench, clustered(case, 2), "sm_100", AGENTS, faults, {})
        passed, failures, times = run_all(work, args.jobs, args.v)
    return conclude("clusters:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
