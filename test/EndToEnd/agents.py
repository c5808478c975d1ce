#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warp specialisation: the loops of pipeline_kernels.py divided among an agent that copies and one that computes
(pipeline-strategy=warp-specialize), on the emulator with the race checker on and under several schedules; products whose rings
are filled by TMA, with tensor maps and without; and with one thing wrong at a time in the PTX, which has to be reported or to give
other numbers.

usage: agents.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_80,sm_90] [--full] [--jobs N] [-v]

A case passes when every run agrees with the reference, ptxas takes the PTX without a warning, and a loop that is to be pipelined
has agents. Without --full each case runs on one of the targets in turn.
"""

import dataclasses
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import matrix_kernels
import pipeline_kernels
from checklist import NO_MAPS, loop_with
from epilogues import with_epilogue
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import run, spilled_bytes
from under_test import TIMINGS, Bench

TARGETS = ["sm_80", "sm_89", "sm_90", "sm_100", "sm_120"]
RING = "mbarrier.arrive"


def strategy(stages, warps=0):
    return f"--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages={stages} num-warps={warps}"


def check(bench, case, pipelined, stages, target):
    name = f"{case.name}-{stages}-{target}"
    error, ptx = bench.compare(name, case, target, strategy(stages), timings=TIMINGS if bench.full else ("late",))
    if error:
        return error
    # Whether two stages fit is not the same question for one agent and for two, which share no bytes: see the remark.
    if pipelined is False and RING in ptx:
        return "has a ring, although the loop cannot be pipelined"
    return bench.assemble(name, target, lambda output: "ignored" in output)


def products():
    """Kernels in cuda_tile whose ring an agent fills by TMA, and warps: of 1 and 2 warpgroups that compute."""
    gemm = matrix_kernels.gemm
    yield gemm("f16", "f32", 128, 128, 320, 64, 64, 64, aligned=True), 4
    yield gemm("f16", "f32", 192, 208, 336, 128, 128, 64, aligned=True), 8
    yield gemm("bf16", "f32", 128, 256, 512, 128, 256, 64, aligned=True), 8
    yield gemm("f16", "f32", 128, 128, 192, 64, 128, 64, aligned=True, transposed=True), 4
    yield gemm("i8", "i32", 128, 64, 256, 64, 64, 64, aligned=True, signs=("signed", "signed"), transposed=True), 4
    yield gemm("f16", "f32", 128, 128, 64, 64, 64, 64, aligned=True), 4  # one iteration


def check_product(bench, case, warps, target):
    """With tensor maps, and with a table in which all entries belong to somebody else: without."""
    name, schedules = f"{case.name}-{target}", 16 if bench.full else 3
    error, text = bench.compare(name, case, target, strategy(3, warps), timings=TIMINGS if bench.full else ("random",), schedules=schedules)
    if error:
        return error
    if "cp.async.bulk.tensor" not in text:
        return "no tensor copies in the PTX"
    return (fills_alike(bench, name, case, text, schedules)
            or bench.assemble(name, target, lambda output: "C75" in output or re.search(r"[1-9]\d* bytes spill", output)))


def fills_alike(bench, name, case, text, schedules):
    """By TMA, and where nobody finds tensor maps."""
    results = []
    for way, ptx in (("map", text), ("none", re.sub(*NO_MAPS, text))):
        result = bench.path(f"{name}-{way}", ".npy")
        error = bench.noticed(f"{name}-{way}", ptx, "", *bench.launch(case), f"--dump=o={result}", timings=("late",), schedules=schedules,
                              wrong=lambda code: code == 0)
        if error:
            return error
        results.append(result.read_bytes())
    return None if results[0] == results[1] else "the two ways to fill the ring give different results"


def counted(case, rounds):
    """The case with a number of rounds that the compiler knows: with few units of work for each of them, two agents compute."""
    count = f"%rounds = constant <i32: {rounds}> : tile<i32>\n"
    text = re.sub(r"(%c|%acc, %max, %sum) = for (%\w+) in \(%c0 to %ks#\d,", rf"{count}\1 = for \2 in (%c0 to %rounds,", case.text)
    return dataclasses.replace(case, name=f"{case.name}-{rounds}-rounds", text=text)


def dual():
    """Kernels and targets of two agents that compute: four warps each, on tiles of eight."""
    gemm, attention = matrix_kernels.gemm, matrix_kernels.attention
    for target in ("sm_90", "sm_120"):
        yield counted(gemm("f16", "f32", 192, 208, 1152, 128, 128, 64, aligned=True), 18), target
        yield counted(gemm("bf16", "f32", 128, 256, 1024, 128, 256, 64, aligned=True), 16), target
        yield counted(attention("f16", 128, 4096, 64, 128, 64, aligned=True), 64), target
    yield counted(gemm("i8", "i32", 128, 128, 4096, 128, 128, 128, aligned=True, signs=("signed", "signed"), transposed=True), 32), "sm_90"
    yield counted(attention("bf16", 80, 4096, 128, 128, 64, aligned=True), 64), "sm_90"


def check_dual(bench, case, target):
    name, schedules = f"dual-{case.name}-{target}", 16 if bench.full else 3
    error, text = bench.compare(name, case, target, strategy(3, 8), timings=TIMINGS if bench.full else ("random",), schedules=schedules)
    if error:
        return error
    agents = len(re.findall(r"setmaxnreg\.inc", text))
    if agents < 2 and "gemm" in case.name:  # how much work attention is depends on how its products are ordered
        return "there are no two agents that compute"
    return bench.assemble(name, target, lambda output: "C75" in output or spilled_bytes(output))


def streams():
    """Attention whose keys and values have rings of their own, as two stages are all there is: kernels, targets, warps; whether the ring is divided."""
    attention = matrix_kernels.attention
    yield attention("f16", 128, 384, 128, 128, 128, aligned=True), "sm_90", 8, True
    yield attention("bf16", 80, 144, 64, 64, 64, aligned=True), "sm_90", 4, True
    yield matrix_kernels.infinite(attention("f16", 128, 384, 128, 128, 128, aligned=True)), "sm_90", 8, True
    yield matrix_kernels.infinite(attention("bf16", 80, 144, 64, 64, 64, aligned=True)), "sm_90", 4, True
    yield attention("f16", 64, 64, 64, 64, 64, aligned=True), "sm_90", 4, True  # one iteration
    yield attention("f16", 64, 320, 64, 64, 64, aligned=True), "sm_120", 4, True
    yield attention("bf16", 80, 144, 64, 64, 64), "sm_120", 4, None  # not aligned: values come through registers
    yield attention("f16", 64, 192, 32, 64, 32, aligned=True), "sm_80", 4, True
    yield attention("f16", 64, 192, 32, 64, 32, aligned=True), "sm_89", 4, True
    yield attention("f16", 128, 192, 64, 128, 64, aligned=True), "sm_100", 4, None  # products in tensor memory release their stages themselves


def merged():
    """Attention in two loops, which fill and empty the same rings one after the other, and how many bytes of stages there are: no round of the one or the other
    loop, both; queries in slices, each of which begins where the one before has ended."""
    attention = matrix_kernels.attention
    for keys in (90, 384, 404):
        yield attention("f16", 128, keys, 128, 128, 128, aligned=True, split=True), "sm_90", 8
    yield attention("bf16", 256, 404, 128, 256, 128, aligned=True, split=True), "sm_90", 8
    yield attention("bf16", 80, 144, 64, 64, 64, aligned=True, split=True), "sm_120", 4


def check_merged(bench, case, target, warps):
    name, schedules = f"merged-{case.name}-{target}", 16 if bench.full else 2
    error, text = bench.compare(name, case, target, strategy(2, warps), timings=TIMINGS if bench.full else ("random",), schedules=schedules)
    if error:
        return error
    # Of either ring two stages of 32 KiB (sm_120: 8), queries, and what is left of the last product.
    made = len(re.findall(r"mbarrier\.init", text))
    return (f"{made} mbarriers are made: the loops do not share their rings" if RING not in text or made > 12
            else bench.assemble(name, target, lambda output: "C75" in output or re.search(r"[1-9]\d* bytes spill", output)))


def rings_of(ptx):
    """How many rings there are: their barriers begin with those that a producer's wait for the first stage names."""
    return len(re.findall(r"mbarrier\.try_wait|mbarrier\.test_wait", "\n".join(loop_with(ptx, "mma"))))


def with_last_behind(case):
    """A product whose last round the kernel does behind its loop, with factors that it loads before."""
    (x, y, dot), = re.findall(r" +(%x, %t0 = load_view_tko.*\n) +(%y, %t1 = load_view_tko.*\n) +(%s1 = mmaf.*\n)", case.text)
    first = "%last = subi %ks#1, %c1 : tile<i32>\n" + (x + y).replace("%t0", "%tx").replace("%t1", "%ty").replace("%x,", "%xl,").replace("%y,", "%yl,").replace("%kk", "%last")
    text = case.text.replace("%c = for %kk in (%c0 to %ks#1,", first + "%sums = for %kk in (%c0 to %last,")
    text = text.replace("%t2 = store_view_tko", dot.replace("%s1", "%c").replace("%x,", "%xl,").replace("%y,", "%yl,").replace("%s ", "%sums ") + "%t2 = store_view_tko")
    return dataclasses.replace(case, name=f"{case.name}-last-behind", text=text)


def rounds():
    """What is one more round of a ring: stages, target, warps. The last values of attention: rounds of the loop, with queries and keys that hang over, in one and two loops, of which the
    first may have none, tile blocks of which some have more to do, infinite values, and latent attention. A factor of a product behind a loop of none, one, two rounds and more."""
    for case, stages in last_values():
        yield case, stages, "sm_90", 8
    gemm = matrix_kernels.gemm
    for k, target, warps in ((32, "sm_80", 8), (64, "sm_120", 8), (96, "sm_80", 8), (320, "sm_90", 4), (304, "sm_120", 8)):
        yield with_last_behind(gemm("f16", "f32", 128, 256, k, 128, 128, 32, aligned=True)), 3, target, warps
    yield with_last_behind(gemm("bf16", "f32", 250, 144, 592, 128, 128, 64, aligned=True)), 3, "sm_90", 8
    yield with_last_behind(gemm("f16", "f32", 60, 64, 512, 64, 64, 64, aligned=True)), 2, "sm_80", 4


def last_values():
    attention, whole = matrix_kernels.attention, matrix_kernels.attention_of_whole_tiles
    for keys, stages in ((128, 3), (256, 3), (384, 3), (512, 3), (640, 2), (404, 4)):
        yield attention("f16", 128, keys, 64, 128, 128, aligned=True), stages
    yield attention("bf16", 80, 272, 128, 128, 128, aligned=True), 2
    yield attention("bf16", 240, 320, 32, 128, 64, aligned=True), 3
    yield matrix_kernels.infinite(attention("f16", 128, 384, 128, 128, 128, aligned=True)), 3
    for keys in (90, 404):
        yield attention("f16", 128, keys, 64, 128, 128, aligned=True, split=True), 3
    yield whole("bf16", 5, 384, 128, 128, True), 2
    yield whole("f16", 2, 256, 64, 128, False), 3
    yield attention("f16", 128, 384, 64, 128, 128, aligned=True, second=64), 2


def check_rounds(bench, case, stages, target, warps):
    name, schedules = f"rounds-{case.name}-{target}-{stages}", 16 if bench.full else 2
    error, text = bench.compare(name, case, target, strategy(stages, warps), timings=TIMINGS if bench.full else ("random",), schedules=schedules)
    if error:
        return error
    code, said = run([str(bench.tool.with_name("tileiras")), str(bench.path(name, ".mlir")), f"--gpu-name={target}", "--emit=tileas", "-v", "-o", str(bench.path(name, ".out")), strategy(stages, warps)])
    found = re.search(r"\[Passed\] RingRound .*Tiles=(\d)", said)
    wanted = "2" if "last-behind" in case.name else "1"
    if code or not found or found[1] != wanted:
        return f"{found[1] if found else 'no'} tiles are one more round of a ring\n{said}"
    return fills_alike(bench, name, case, text, schedules) or bench.assemble(name, target, lambda output: "C75" in output or spilled_bytes(output))


def check_streams(bench, case, target, warps, divided):
    name, schedules = f"streams-{case.name}-{target}", 16 if bench.full else 2
    error, text = bench.compare(name, case, target, strategy(2, warps), timings=TIMINGS if bench.full else ("random",), schedules=schedules)
    if error:
        return error
    if divided is not None and rings_of(text) != (2 if divided else 1):
        return f"{rings_of(text)} waits of the agent that computes for its stages in a round"
    if target == "sm_90":  # and where nobody finds tensor maps
        result = bench.path(f"{name}-none", ".npy")
        error = bench.noticed(f"{name}-none", re.sub(*NO_MAPS, text), "", *bench.launch(case), f"--dump=o={result}", timings=("late",), schedules=schedules,
                              wrong=lambda code: code == 0)
        if error:
            return error
    return bench.assemble(name, target, lambda output: "C75" in output or re.search(r"[1-9]\d* bytes spill", output))


def check_turns(bench, case, target, options):
    """Two warpgroups that issue their products in turns: the barriers of the turns are there, and all else is as before."""
    name, schedules = f"turns-{case.name}-{target}", 16 if bench.full else 1 if "persistent" in options else 2
    error, text = bench.compare(name, case, target, options + " turns=always", timings=TIMINGS if bench.full else ("random",), schedules=schedules)
    if error:
        return error
    # In a loop over tile blocks the blocks of the agents' loops may stand anywhere: counted in all of the kernel, with what gives
    # the first turn.
    loop = text if "persistent" in options else "\n".join(loop_with(text, "wgmma.mma_async"))
    taken, given = (len(re.findall(rf"\bbar\.{word}\s+1[34],", loop)) for word in ("sync", "arrive"))
    if taken != (2 if "persistent" in options else 1) or not taken <= given <= 2 * taken:
        return f"a round does not take and give one turn, but {taken} and {given}"
    return bench.assemble(name, target, lambda output: "C75" in output or re.search(r"[1-9]\d* bytes spill", output))


def check_persistent(bench, case, target):
    """More tile blocks than the GPU has multiprocessors: the agents go on to the next one, the one that copies ahead of the other."""
    name = f"persistent-{case.name}-{target}"
    options = "--pipeline-options=pipeline-strategy=warp-specialize dynamic-persistent=true num-warps=8"
    error, text = bench.compare(name, case, target, options, timings=TIMINGS if bench.full else ("random",), schedules=16 if bench.full else 1)
    if error:
        return error
    if "nctaid" not in text or RING not in text:
        return "blocks do not divide the tile blocks among themselves, or have no agents"
    # Of 128 x 64 sums: once for the products, and once for those who read them.
    if target == "sm_100" and not re.search(r"tcgen05\.alloc\S* \[\S+\], 128;", text):
        return "tensor memory does not have the sums twice"
    return bench.assemble(name, target, lambda output: "C75" in output or re.search(r"[1-9]\d* bytes spill", output))


def alternating():
    """Kernels whose two computing agents have every other tile block: stages, multiprocessors of the GPU (tile blocks of a block: odd and even, one, none for an agent), rounds fewer and more than
    stages, as many, and none; every type."""
    from tensor_stores import converted  # which takes from here what it needs

    gemm = matrix_kernels.gemm
    yield gemm("f16", "f32", 300, 48, 576, 64, 64, 64, aligned=True), 3, 1  # five tile blocks, nine rounds
    yield gemm("f16", "f32", 236, 112, 112, 64, 64, 64, aligned=True), 4, 3  # eight: three, three and two; two rounds
    yield gemm("f16", "f32", 60, 64, 320, 64, 64, 64, aligned=True), 2, 1  # one tile block
    yield gemm("bf16", "f32", 190, 64, 192, 64, 64, 64, aligned=True), 3, 2  # two and one; as many rounds as stages
    yield gemm("f16", "f32", 124, 128, 64, 64, 64, 64, aligned=True), 3, 1  # one round
    yield gemm("f16", "f32", 124, 64, 0, 64, 64, 64, aligned=True), 3, 1  # none
    yield gemm("i8", "i32", 192, 64, 384, 64, 64, 64, aligned=True, signs=("signed", "signed"), transposed=True), 4, 1
    yield gemm("f8E4M3FN", "f32", 192, 64, 512, 64, 64, 128, aligned=True, transposed=True), 3, 1
    large = converted(gemm("bf16", "f32", 368, 128, 320, 128, 128, 64, aligned=True), "bf16")
    yield large, 4, 1
    # Something is computed with the sums, which is no reason for slices.
    silu = """%one = constant <f32: 1.0> : tile<128x128xf32>
      %e = exp2 %c : tile<128x128xf32>
      %d = addf %e, %one : tile<128x128xf32>
      %q = divf %c, %d : tile<128x128xf32>
      %half = ftof %q"""
    yield dataclasses.replace(large, name=large.name + "-silu", text=re.sub(r"%half = ftof %c", silu, large.text)), 3, 2


def alternately(stages):
    return strategy(stages, 4) + " dynamic-persistent=true turns=tile-blocks"


CHOSEN = "--pipeline-options=pipeline-strategy=auto"


def chosen():
    """The same, where nobody asks for it: kernels that compute with their sums what takes long enough. Multiprocessors: a block has an odd number of tile blocks, an even one, one. Rounds: none, one, two, as many
    as the four stages, one fewer and one more."""
    from tensor_stores import converted

    def kernel(epilogue, m, n, k, t="f16", tk=64, **more):
        return with_epilogue(converted(matrix_kernels.gemm(t, "f32", m, n, k, 128, 128, tk, aligned=True, **more), "f16" if t[0:2] == "f8" else t), epilogue)

    yield kernel("silu", 384, 128, 0), 1
    yield kernel("sigmoid", 368, 128, 64, "bf16"), 1
    yield kernel("bias", 300, 112, 128), 1
    yield kernel("silu", 384, 128, 176), 1
    yield kernel("tanh", 200, 128, 256, "bf16"), 1  # two tile blocks
    yield kernel("bias", 384, 240, 304, "bf16"), 2  # six: three and three
    yield kernel("silu", 640, 128, 320), 2  # five: three and two
    yield kernel("sigmoid", 256, 128, 320), 2  # one each
    yield kernel("silu", 384, 128, 640), 1  # ten rounds: an agent begins two phases behind
    yield kernel("silu", 384, 112, 640, "f8E4M3FN", 128, transposed=True, fast=True), 1


def check_alternating(bench, case, stages, there, options="", ways=("true", "false")):
    """By TMA, where nobody finds tensor maps, and by cp.async alone."""
    for tma in ways:
        name = f"{'chosen' if options else 'alternating'}-{case.name}-{stages}-{tma}"
        error, text = bench.compare(name, case, "sm_90", options or alternately(stages), f"--multiprocessors={there}", timings=TIMINGS if bench.full else ("random",), schedules=16 if bench.full else 3,
                                    prefix=["env", f"TILEIR_PREFER_TMA_FOR_LOAD_STORE={tma}"])
        if error:
            return error
        for number in ("13", "14"):
            if len(re.findall(rf"\bbar\.sync\s+{number}, 256", text)) != 1 or len(re.findall(rf"\bbar\.arrive\s+{number}, 256", text)) != 1:
                return "there are no two agents with turns"
        if len(re.findall(r"setmaxnreg\.inc", text)) != 2:
            return "there are no two agents that get registers"
        error = bench.assemble(name, "sm_90", lambda output: "C75" in output or spilled_bytes(output))
        if error:
            return error
        if tma == "true":
            result = bench.path(f"{name}-none", ".npy")
            error = bench.noticed(f"{name}-none", re.sub(*NO_MAPS, text), "", *bench.launch(case), f"--multiprocessors={there}", f"--dump=o={result}", timings=("late",),
                                  schedules=16 if bench.full else 3, wrong=lambda code: code == 0)
            if error:
                return error
            right = bench.path(f"{name}-map", ".npy")
            bench.noticed(f"{name}-map", text, "", *bench.launch(case), f"--multiprocessors={there}", f"--dump=o={right}", timings=("late",), schedules=1, wrong=lambda code: code == 0)
            if right.read_bytes() != result.read_bytes():
                return "the two ways to fill the ring give different results"
    return None


ASK, TAKE_OVER = "clusterlaunchcontrol.try_cancel", ["sm_100", "sm_103", "sm_110", "sm_120"]


def numbers():
    """Each tile block writes which one it is: nothing for agents to divide, so all warps ask and read the answers."""
    view, partition = matrix_kernels.view2d("o", "po", "m", "n", "n", 64, 32, "i32")
    wide = matrix_kernels.tile([64, 32], "i32")
    text = matrix_kernels.module("numbers", "%po: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>", "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + view + f"""
      %hundred = constant <i32: 100> : tile<i32>
      %row = muli %bx, %hundred : tile<i32>
      %number = addi %row, %by : tile<i32>
      %one = reshape %number : tile<i32> -> tile<1x1xi32>
      %all = broadcast %one : tile<1x1xi32> -> {wide}
      %t = store_view_tko weak %all, %o[%bx, %by] : {wide}, {partition}, tile<i32> -> token
    """)
    return matrix_kernels.Case("numbers", text, "numbers", (5, 4, 1), ["out:o:i32[299x107]=poison", "i32=299", "i32=107"], "exact")


def twice():
    """One agent that loads for the next tile block ahead, by its number: blocks divide the tile blocks after all, though they were to take them over."""
    sides = [matrix_kernels.view2d(name, "p" + name, "m", "n", "n", 64, 32, "f32", *zero) for name, zero in (("a", ["zero"]), ("o", []))]
    wide = matrix_kernels.tile([64, 32], "f32")
    text = matrix_kernels.module("twice", "%pa: tile<ptr<f32>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>", "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + sides[0][0] + sides[1][0] + f"""
      %x, %t0 = load_view_tko weak %a[%bx, %by] : {sides[0][1]}, tile<i32> -> {wide}, token
      %y = addf %x, %x : {wide}
      %t1 = store_view_tko weak %y, %o[%bx, %by] : {wide}, {sides[1][1]}, tile<i32> -> token
    """)
    return matrix_kernels.Case("twice", text, "twice", (4, 4, 1), ["a:f32[203x107]=normal(seed=1)", "out:o:f32[203x107]=poison", "i32=203", "i32=107"], "exact")


def takeovers():
    """Agents that take over tile blocks: 0 to 4 rounds of a ring of three stages, every type, odd sizes, one tile block."""
    gemm = matrix_kernels.gemm
    for rounds in range(5):
        yield gemm("f16", "f32", 364, 176, 64 * rounds, 128, 64, 64, aligned=True)
    yield gemm("f16", "f32", 100, 48, 192, 128, 64, 64, aligned=True)
    yield gemm("bf16", "f32", 236, 208, 208, 128, 128, 64, aligned=True, transposed=True)
    yield gemm("f8E4M3FN", "f32", 400, 128, 384, 128, 64, 128, aligned=True, transposed=True)
    yield gemm("i8", "i32", 400, 128, 384, 128, 64, 128, aligned=True, transposed=True, signs=("signed", "signed"))
    yield gemm("f16", "f32", 301, 143, 99, 128, 64, 32)
    yield numbers()
    yield twice()


def check_takeover(bench, case, target):
    """Filled by TMA and by cp.async, on a GPU of one multiprocessor, of fewer than tile blocks, of as many, and of more."""
    blocks = case.grid[0] * case.grid[1]
    for tma in ("true", "false"):
        name = f"takeover-{case.name}-{target}-{tma}"
        for number, there in enumerate((1, 3, blocks, blocks + 1)):
            error, text = bench.compare(name, case, target, strategy(3, 8) + " persistent-blocks=take-over", f"--multiprocessors={there}",
                                        timings=TIMINGS if bench.full else (TIMINGS[(number + 1) % 3],), schedules=16 if bench.full else 2,
                                        prefix=["env", f"TILEIR_PREFER_TMA_FOR_LOAD_STORE={tma}"])
            if error:
                return error
        divided = case.name == "twice" and tma == "false"  # tensor copies are not moved ahead
        if (ASK in text) == divided or ("%nsmid" in text) != divided:
            return "blocks do not take over the tile blocks of others, or leave although they have one"
        if not divided:
            # The checker lets reads of threads pass without a fence (docs/emulator.md); PTX ISA, "Causality order", has accesses of different proxies in order only across one.
            reads, asks = len(re.findall(AWAITED, text)), text.count(ASK)
            if not reads or len(re.findall(ANSWER + NEAR + PROXY, text)) != reads or len(re.findall(PROXY + r"(?:(?!fence)[\s\S]){0,400}?" + ASK, text)) != asks or not asks:
                return "an answer is read, or asked for, without a proxy fence"
        error = bench.assemble(name, target, lambda output: "C75" in output or spilled_bytes(output))
        if error:
            return error
    return None


# Of the place of an answer: at +64 who waits for the answer, at +96 who asks waits until the place is free.
AWAITED = r"done, \[[^]]*\+64\][^;]*;"
ANSWER, PROXY = AWAITED + r"(?:(?!try_wait)[\s\S])*?ld\.shared\.v2\.b64[^;]*;", r"fence\.proxy\.async\.shared::cta;"
NEAR = r"(?:(?!try_wait|ld\.shared)[\s\S])*?"
ANNOUNCED = r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, \[%r\d+\], (%r\d+);(?=(?:(?!expect_tx|bulk)[\s\S]){0,200}?try_cancel)"
OF_TAKEOVER = {
    "answer unawaited": (r"(mbarrier\.t\w+_wait\.parity\.shared\.b64 done, \[[^]]*\+64\][^;]*;)", "setp.eq.u32 done, 0, 0;", "an answer is read before it is there"),
    "place unawaited": (r"(mbarrier\.t\w+_wait\.parity\.shared\.b64 done, \[[^]]*\+96\][^;]*;)", "setp.eq.u32 done, 0, 0;", "an answer comes over one that is read"),
    "not released": (ANSWER + NEAR + r"((?:@one )?mbarrier\.arrive\.shared\.b64[^;]*;)", "", "who asks waits forever"),
    "released by all": (ANSWER + NEAR + r"(@one )mbarrier\.arrive\.shared\.b64[^;]*;", "", "a place is free before all have read it, or again"),
    "lanes apart": (ANSWER + NEAR + r"(bar\.warp\.sync\s+-1;)", "", "a lane releases what others read"),
    "agent apart": (ANSWER + r"\s*(?:[^;]*;\s*){0,3}?" + PROXY + r"\s*(bar\.sync\s+\d+(?:, \d+)?;)", "", "a warp asks while others read"),
    "8 bytes": (ANNOUNCED, "8", "an answer is there before its last bytes"),
    "32 bytes": (ANNOUNCED, "32", "an answer is never there"),
}


def takeover_faults(text):
    """(what is wrong, the PTX, why that is harmful) of each place of each fault of the kernel."""
    for kind, (pattern, replacement, why) in OF_TAKEOVER.items():
        for number, place in enumerate(re.finditer(pattern, text)):
            yield f"{kind} {number}", text[:place.start(1)] + replacement + text[place.end(1):], why
    at = re.search(r"try_cancel[^;]*\[%rd\d+\+(\d+)\];", text)
    for question in range(4 if at else 0):
        for side, barrier in (("full", int(at.group(1))), ("empty", int(at.group(1)) + 32)):
            init = re.search(rf"mbarrier\.init\.shared\.b64\s+\[global_smem\+{barrier + 8 * question}\], (%r\d+);", text)
            count = int(re.findall(rf"mov\.b32\s+{init.group(1)}, (\d+);", text[:init.start()])[-1])
            for wrong in {count + 1, max(count - 1, 1)} - {count}:
                other = f"mov.b32 {init.group(1)}, {wrong}; {init.group(0)} mov.b32 {init.group(1)}, {count};"
                yield f"{side} {question} of {wrong}", text[:init.start()] + other + text[init.end():], "a phase ends early or never"


def faulty_takeovers(bench, target):
    """What one kernel does not reach another does: tile blocks of no round, which nothing but the answers orders, and of one; by TMA, and where nobody finds tensor
    maps; on one multiprocessor, where a block does all tile blocks, so that places are used again."""
    ways, names = [], []
    for k in (32, 0):
        case = matrix_kernels.gemm("f16", "f32", 300, 96, k, 64, 32, 32, aligned=True)
        text, output = bench.compile(f"fault-takeover-{k}-{target}", case, target, strategy(8, 8) + " persistent-blocks=take-over", "--multiprocessors=1")
        if text is None:
            yield f"fault: takeover {target} compiles", lambda output=output: output
            return
        # Threads that copy meet for the last stages of a tile block, too (PTX ISA, "bar": what is before is performed), so two of these barriers lie
        # between reading an answer and asking for its place again, four rounds later: `numbers` has no other one.
        faults = [fault for fault in takeover_faults(text) if not fault[0].startswith("agent apart")]
        names = names or [(name, why) for name, _, why in faults]
        ways.append((case, {name: broken for name, broken, _ in faults}))
        for maps in (True, False):
            right = text if maps else re.sub(*NO_MAPS, text)
            done = bench.noticed(f"fault-takeover-{k}-{target}-right-{maps}", right, "", *bench.launch(case), "--multiprocessors=1", wrong=lambda code: code == 0)
            yield f"takeover {target} {case.name} {'with' if maps else 'without'} maps runs", lambda done=done: done
    for name, why in names:
        def check(name=name, why=why):
            for number, (case, faults) in enumerate(ways):
                for maps in (True, False):
                    if name not in faults:
                        continue
                    text = faults[name] if maps else re.sub(*NO_MAPS, faults[name])
                    error = bench.noticed(f"fault-takeover-{target}-{name}-{number}-{maps}", text, why, *bench.launch(case), "--multiprocessors=1", timings=("random", "late"))
                    if not error:
                        return None
            return error
        yield f"fault: takeover {target} {name}", check
    case = numbers()
    text, output = bench.compile(f"fault-takeover-{case.name}-{target}", case, target, strategy(8, 8) + " persistent-blocks=take-over", "--multiprocessors=1")
    for name, broken, why in takeover_faults(text or ""):
        yield f"fault: takeover {target} {case.name} {name}", lambda name=name, broken=broken, why=why: bench.noticed(
            f"fault-takeover-{target}-{case.name}-{name}", broken, why, *bench.launch(case), "--multiprocessors=1")


def uneven():
    """Causal attention, whose later tile blocks have more keys: more heads than begin together, so that there is a section of fewer; heads that share keys."""
    whole = matrix_kernels.attention_of_whole_tiles
    yield whole("f16", 19, 96, 64, 32, True), "sm_80"
    yield whole("bf16", 17, 256, 64, 128, True), "sm_90"
    yield whole("f16", 3, 512, 128, 128, True), "sm_90"
    yield whole("f16", 18, 64, 64, 32, True), "sm_120"
    # Along y, and with heads in x and z.
    yield other_axes(whole("f16", 18, 96, 64, 32, True), 6), "sm_80"
    yield other_axes(whole("bf16", 20, 256, 64, 128, True), 5), "sm_90"


def other_axes(case, heads):
    """The grid as so many heads by tile blocks by groups of heads."""
    blocks, all_heads, _ = case.grid
    text = re.sub(r"%block, %head, (%\w+) = (get_tile_block_id.*)",
                  rf"%near, %block, \1 = \2\n    %group = constant <i32: {heads}> : tile<i32>\n    %far = muli \1, %group : tile<i32>\n"
                  r"    %head = addi %far, %near : tile<i32>", case.text)
    return dataclasses.replace(case, name=f"{case.name}-xz{heads}", text=text, grid=(heads, blocks, all_heads // heads))


def check_uneven(bench, case, target):
    name = f"uneven-{case.name}-{target}"
    # As on a GPU of so few multiprocessors that not all blocks begin at once.
    error, text = bench.compare(name, case, target, "--pipeline-options=pipeline-strategy=auto num-warps=8", "--multiprocessors=5", timings=TIMINGS if bench.full else ("random",), schedules=16 if bench.full else 1)
    if error:
        return error
    if "nsmid" not in text:
        return "the tile blocks are in the order of the kernel"
    return bench.assemble(name, target, lambda output: "C75" in output or spilled_bytes(output))


WAIT = r"mbarrier\.t\w+_wait\.parity\.shared\.b64 done, [^;]*;"
ARRIVE = r"mbarrier\.arrive\.shared\.b64[^;]*;"
# What is broken, and why that is harmful. The first wait of the text is for full stages, the last for empty ones.
FAULTS = {
    "full unawaited": (rf"\A([\s\S]*?){WAIT}", r"\g<1>setp.eq.u32 done, 0, 0;", "stages are read before they are full"),
    "empty unawaited": (rf"{WAIT}((?:(?!{WAIT})[\s\S])*)\Z", r"setp.eq.u32 done, 0, 0;\g<1>", "stages are filled while they are read"),
    "not given back": (ARRIVE, "mov.pred one, one;", "the producer waits forever"),
}
OF_COPIES = {
    "not filled": (r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64[^;]*;", "", "the consumer waits forever"),
    "full early": (r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64\s+", "mbarrier.arrive.shared.b64 _, ", "a stage is full before its copies are done"),
    "lanes apart": (r"bar\.warp\.sync\s+-1;", "", "a lane gives back what others read"),
}
EXPECT = r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, \[([^]]*)\], [^;]*;"
COPY = r"cp\.async\.bulk\.tensor\.\dd\.shared[^;]*;"  # stores name global memory first
OF_TMA = {
    "empty unawaited by one": (rf"{WAIT}([\s\S]{{0,400}}?{EXPECT})", r"setp.eq.u32 done, 0, 0;\g<1>", "stages are filled while they are read"),
    "bytes not announced": (EXPECT, "", "nobody arrives at full"),
    "too few bytes": (EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, [\1], 4096;", "stages are full before their last bytes"),
    "too many bytes": (EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, [\1], 65536;", "stages are never full"),
    "copy missing": (COPY, "", "bytes that were announced do not come"),
    "filled by all": (r"elect\.sync\s+(%r\d+)\|(%p\d+), -1;", r"setp.eq.u32 \2, 0, 0;", "every lane fills the stage"),
    "no barrier for no stage": (r"mbarrier\.init\.shared\.b64[^;]*;(?=\s*fence\.mbarrier_init)", "", "the first round gives back a stage that there is not"),
    "given back early": (r"wgmma\.wait_group\.sync\.aligned 1;", "wgmma.wait_group.sync.aligned 3;", "products read what is filled"),
    "bytes used again early": (r"bar\.sync\s+1, \d+;", "", "a warp writes its sums over what others read"),
}
# Two agents that compute. What is used again behind the loops is the ring, which the other one may still read.
OF_TWO = {
    "one does not give back": (rf"\A([\s\S]*?){ARRIVE}", r"\1mov.pred one, one;", "the producer waits forever"),
    "one gives back for both": (r"(mov\.b32\s+%r\d+, )8;(?=\s*mbarrier\.init)", r"\g<1>4;", "stages are filled while the other agent reads them"),
    "behind the loops apart": (r"bar\.sync\s+15, 256;", "", "an agent writes its sums over what the other one reads"),
    "agents of the wrong size": (r"bar\.sync\s+15, 256;", "bar.sync 15, 128;", "an agent goes on without the other one"),
    "warps of an agent apart": (r"bar\.sync\s+1, 128;", "", "a warp reads sums that another one has not written"),
}
WITHOUT_MAPS = {
    "copies unawaited": (r"cp\.async\.wait_group\s+\d+;", "", "a stage is full before its copies are done"),
    "one group too many": (r"cp\.async\.wait_group\s+1;", "cp.async.wait_group 2;", "a stage is full before its last copies are done"),
    "last copies unawaited": (r"cp\.async\.wait_group\s+0;", "", "the last stages are full before their copies are done"),
    "threads apart": (r"(cp\.async\.wait_group\s+\d+;[\s\S]{0,200}?)bar\.sync\s+\d+, 128;", r"\1", "one thread arrives for copies of others"),
    "no proxy fence": (r"(cp\.async\.wait_group\s+\d+;\s*)fence\.proxy\.async[^;]*;", r"\1", "products read by another proxy what threads wrote"),
    "last stages not filled": (r"(cp\.async\.wait_group\s+0;[\s\S]{0,600}?)@one mbarrier\.arrive[^;]*;", r"\1", "the consumer waits for them forever"),
}


def faulty(bench, case, target, faults, warps=0, prepare=None):
    """Runs the case's PTX with something broken; yields (name, check)."""
    name = f"{case.name} {target}" + (" without maps" if prepare else "")
    text, output = bench.compile(f"fault-{name}", case, target, strategy(3, warps))
    if text is None:
        yield f"{name} compiles", lambda: output
        return
    if prepare:
        text = re.sub(*prepare, text)
    for kind, (pattern, replacement, why) in faults.items():
        broken, count = re.subn(pattern, replacement, text, count=kind == "copy missing")
        yield f"fault: {name} {kind}", lambda kind=kind, broken=broken, why=why, count=count: (
            bench.noticed(f"fault-{name}-{kind}", broken, why, *bench.launch(case)) if count else "there is nothing to break")


# Rings of their own for keys and values: a loop, what of it, which of them (None: all), what in its place, why that is harmful.
MULTIPLY, FILL = "wgmma.mma_async", "expect_tx"
OF_STREAMS = {
    "keys unawaited": (MULTIPLY, WAIT, 0, "setp.eq.u32 done, 0, 0;", "keys are read before they are there"),
    "values unawaited": (MULTIPLY, WAIT, 1, "setp.eq.u32 done, 0, 0;", "values are read before they are there"),
    "keys not given back": (MULTIPLY, ARRIVE, 0, "mov.pred one, one;", "who copies keys waits forever"),
    "values not given back": (MULTIPLY, ARRIVE, 1, "mov.pred one, one;", "who copies values waits forever"),
    "keys given back twice": (MULTIPLY, rf"@one ({ARRIVE})", 0, r"@one \1 @one \1", "a stage of keys is empty before all warps have read it"),
    "keys given back early": (MULTIPLY, r"wgmma\.wait_group\.sync\.aligned 1;", None, "wgmma.wait_group.sync.aligned 2;", "the product reads keys that are being replaced"),
    "values given back early": (MULTIPLY, r"wgmma\.wait_group\.sync\.aligned 0;", None, "wgmma.wait_group.sync.aligned 1;", "the product reads values that are being replaced"),
    "empty keys unawaited": (FILL, WAIT, 0, "setp.eq.u32 done, 0, 0;", "keys are replaced while they are read"),
    "empty values unawaited": (FILL, WAIT, 1, "setp.eq.u32 done, 0, 0;", "values are replaced while they are read"),
    "keys not announced": (FILL, EXPECT, 0, "", "nobody arrives for keys"),
    "values not announced": (FILL, EXPECT, 1, "", "nobody arrives for values"),
}
BEHIND = "behind "
# The last values, which are a round more of their ring.
OF_ROUNDS = {
    "last values unawaited": (BEHIND + MULTIPLY, WAIT, 0, "setp.eq.u32 done, 0, 0;", "the last product reads values that have not come"),
    "empty place of the last values unawaited": (BEHIND + FILL, WAIT, 0, "setp.eq.u32 done, 0, 0;", "the last values replace what is being read"),
    "last values not announced": (BEHIND + FILL, EXPECT, 0, "", "nobody arrives for the last values"),
    "too many bytes of last values": (BEHIND + FILL, EXPECT, 0, r"mbarrier.arrive.expect_tx.shared.b64 _, [\1], 65536;", "bytes are announced that do not come"),
    "last values not copied": (BEHIND + FILL, COPY, 0, "", "bytes that were announced do not come"),
}
# The values of the iteration before the first are a tile outside of every array. With infinite ones.
OF_FIRST_VALUES = {"first values read": (FILL, r"add\.s32\s+(%r\d+), (%r\d+), -1;", None, r"add.s32 \1, \2, -1; max.s32 \1, \1, 0;", "zero times infinity is added to the sums")}
SYNC, PASS = r"bar\.sync\s+1[34], 256;", r"bar\.arrive\s+(1[34]), 256;"
OF_TURNS = {
    "turn unawaited": (MULTIPLY, SYNC, 0, "", "turns are handed on to nobody, and the next one does not come"),
    "turn kept": (MULTIPLY, PASS, 0, "", "the other warpgroup waits forever"),
    "turn for too few": (MULTIPLY, PASS, 0, r"bar.arrive \1, 128;", "the two sides name different numbers of threads"),
    "turn at another barrier": (MULTIPLY, PASS, 0, r"bar.arrive 12, 256;", "the other warpgroup waits forever"),
}


# Two agents that have every other tile block: what of the kernel, which of the places, what in its place, why that is harmful. They pass over nine fillings at a time, less what leads back
# to the same place of a ring of three stages.
OF_ALTERNATING = {
    "turn of the first unawaited": (r"bar\.sync\s+13, 256;", 0, "", "a stage is read in the phase before the last"),
    "turn of the second unawaited": (r"bar\.sync\s+14, 256;", 0, "", "a stage is read before it is full"),
    "turn of the first kept": (r"bar\.arrive\s+14, 256;", 0, "", "the second one waits forever"),
    "turn of the second kept": (r"bar\.arrive\s+13, 256;", 0, "", "the first one waits forever"),
    "empty when both have read": (r"(mov\.b32\s+%r\d+, )4;(?=\s*mbarrier\.init)", 0, r"\g<1>8;", "a stage is never empty"),
    "empty before all have read": (r"(mov\.b32\s+%r\d+, )4;(?=\s*mbarrier\.init)", 0, r"\g<1>2;", "a stage is filled while it is read"),
    "first passes over too much": (r"(mul\.hi\.u32[^;]*, )715827883;", 0, r"\g<1>0;", "an agent reads the tile block of the other one"),
    "second passes over too much": (r"(mul\.hi\.u32[^;]*, )715827883;", 1, r"\g<1>0;", "an agent reads the tile block of the other one"),
}


def faulty_alternating(bench):
    yield from faulty_turns(bench, "alternating", matrix_kernels.gemm("f16", "f32", 300, 48, 576, 64, 64, 64, aligned=True), alternately(3), OF_ALTERNATING)


def faulty_chosen(bench):
    """Of four stages, by which nothing is divided."""
    case = next(case for case, _ in chosen() if "f16-f32-384x128x640" in case.name)
    yield from faulty_turns(bench, "chosen", case, CHOSEN, {kind: fault for kind, fault in OF_ALTERNATING.items() if "passes over" not in kind})


def faulty_turns(bench, of, case, options, faults):
    text, output = bench.compile(f"fault-{of}", case, "sm_90", options, "--multiprocessors=1")
    if text is None:
        yield f"fault: {of} compiles", lambda: output
        return
    launch = [*bench.launch(case), "--multiprocessors=1"]
    right = bench.path(f"fault-{of}", ".npy")
    done = bench.noticed(f"fault-{of}-right", text, "", *launch, f"--dump=o={right}", wrong=lambda code: code == 0)
    yield f"{of} runs", lambda: done
    expecting = [re.sub(r"^(out:o:\w+\[\w+\])", rf"\1{{expect={right}}}", a) for a in launch]
    for maps in (True, False):
        whole = text if maps else re.sub(*NO_MAPS, text)
        for kind, (pattern, number, replacement, why) in faults.items():
            places = list(re.finditer(pattern, whole))
            broken = len(places) > number and whole[:places[number].start()] + places[number].expand(replacement) + whole[places[number].end():]
            yield f"fault: {of} {kind}{'' if maps else ' without maps'}", lambda kind=kind, broken=broken, why=why, maps=maps: (
                bench.noticed(f"fault-{of}-{kind}-{maps}", broken, why, f"--tolerance={case.tolerance}", *expecting, wrong=lambda code: code in (6, 7))
                if broken else "there is nothing to break")


def broken_in_loop(text, which, pattern, number, replacement):
    """The PTX with something else in a loop, or behind it; None if it is not there."""
    behind = which.startswith(BEHIND)
    loop, lines = loop_with(text, which.removeprefix(BEHIND)), text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.strip() == loop[0])
    if behind:
        at, loop = at + len(loop), lines[at + len(loop):]
    inside = "\n".join(lines[at:at + len(loop)])
    places = list(re.finditer(pattern, inside))
    if len(places) <= (number or 0):
        return None
    for place in reversed(places if number is None else [places[number]]):
        inside = inside[:place.start()] + place.expand(replacement) + inside[place.end():]
    return "\n".join([*lines[:at], inside, *lines[at + len(loop):]])


def faulty_loops(bench, case, target, options, faults):
    """Runs the case's PTX with something broken in a loop; yields (name, check)."""
    name = f"{case.name} {target}"
    text, output = bench.compile(f"fault-{name}-loops", case, target, options)
    if text is None:
        yield f"{name} compiles", lambda: output
        return
    right = bench.path(f"fault-{name}-loops", ".npy")
    done = bench.noticed(f"fault-{name}-right", text, "", *bench.launch(case), f"--dump=o={right}", wrong=lambda code: code == 0)
    yield f"{name} runs", lambda: done
    launch = [re.sub(r"^(out:o:\w+\[\w+\])", rf"\1{{expect={right}}}", a) for a in bench.launch(case)]
    for kind, (which, pattern, number, replacement, why) in faults.items():
        broken = broken_in_loop(text, which, pattern, number, replacement)
        yield f"fault: {name} {kind}", lambda kind=kind, broken=broken, why=why: (
            bench.noticed(f"fault-{name}-{kind}", broken, why, f"--tolerance={case.tolerance}", *launch, wrong=lambda code: code in (6, 7))
            if broken else "there is nothing to break")


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    names = args.targets.split(",")
    # However few rounds there are: these are small.
    os.environ["TILEIR_PREFER_TMA_FOR_LOAD_STORE"] = "true"
    with tempfile.TemporaryDirectory(prefix="tileiras-agents-") as folder:
        bench = Bench(args.build, find_ptxas(), folder, args.full)
        work, turn = [], 0
        for stages in (2, 3, 4):
            for case, pipelined in pipeline_kernels.cases(stages):
                turn += 1
                if not args.full and turn % 4 and not args.filter:
                    continue  # a sample
                for target in names if args.full else [names[turn // 4 % len(names)]]:
                    work.append((f"{case.name} {stages} stages {target}",
                                 lambda case=case, pipelined=pipelined, stages=stages, target=target: check(bench, case, pipelined, stages, target)))
        if "sm_90" in names:
            for case, warps in products():
                work.append((f"by TMA: {case.name}", lambda case=case, warps=warps: check_product(bench, case, warps, "sm_90")))
            for k in (64, 384, 448):  # seven rounds are enough to look for tensor maps, where that is left to the compiler
                case = matrix_kernels.gemm("f16", "f32", 136, 112, k, 128, 128, 64, aligned=True)
                work.append((f"few rounds: {case.name}", lambda case=case: bench.compare(
                    f"few-{case.name}", case, "sm_90", strategy(4, 8), timings=TIMINGS, prefix=["env", "-u", "TILEIR_PREFER_TMA_FOR_LOAD_STORE"])[0]))
        for case, target in dual():
            if target in names:
                work.append((f"dual: {case.name} {target}", lambda case=case, target=target: check_dual(bench, case, target)))
        for target, rows in (("sm_90", 12), ("sm_100", 13)):
            if target in names:
                case = matrix_kernels.gemm("f16", "f32", rows * 128 - 20, 12 * 64, 192, 128, 64, 64, aligned=True)
                work.append((f"persistent: {case.name} {target}", lambda case=case, target=target: check_persistent(bench, case, target)))
        for number, case in enumerate(takeovers()):
            # Targets in turn; sm_103 and sm_110 go with sm_100.
            for target in TAKE_OVER if args.full or args.filter else TAKE_OVER[number % 4:number % 4 + 1]:
                if target not in names and (target == "sm_120" or "sm_100" not in names):
                    continue
                work.append((f"takeover: {case.name} {target}", lambda case=case, target=target: check_takeover(bench, case, target)))
        for case, stages, there in alternating() if "sm_90" in names else ():
            work.append((f"alternating: {case.name} {stages} stages", lambda case=case, stages=stages, there=there: check_alternating(bench, case, stages, there)))
        for case, there in chosen() if "sm_90" in names else ():
            work.append((f"chosen: {case.name}", lambda case=case, there=there: check_alternating(bench, case, 4, there, CHOSEN, ("true",))))
        for case, target in uneven():
            if target in names:
                work.append((f"uneven: {case.name} {target}", lambda case=case, target=target: check_uneven(bench, case, target)))
        for number, (case, target, warps, divided) in enumerate(streams()):
            if target in names and (args.full or args.filter or number % 2 == 0):
                work.append((f"streams: {case.name} {target}",
                             lambda case=case, target=target, warps=warps, divided=divided: check_streams(bench, case, target, warps, divided)))
        for number, (case, stages, target, warps) in enumerate(rounds()):
            if target in names and (args.full or args.filter or number % 3 == 2):
                work.append((f"rounds: {case.name} {stages} stages {target}",
                             lambda case=case, stages=stages, target=target, warps=warps: check_rounds(bench, case, stages, target, warps)))
        for case, target, warps in merged():
            if target in names:
                work.append((f"merged: {case.name} {target}", lambda case=case, target=target, warps=warps: check_merged(bench, case, target, warps)))
        if "sm_90" in names:
            attention = matrix_kernels.attention
            # An odd number of rounds, one, and one that is known.
            for case in (attention("f16", 128, 384, 128, 128, 128, aligned=True), attention("bf16", 80, 64, 64, 128, 64, aligned=True),
                         counted(attention("f16", 128, 4096, 64, 128, 64, aligned=True), 64))[:3 if args.full or args.filter else 1]:
                work.append((f"turns: {case.name}", lambda case=case: check_turns(bench, case, "sm_90", strategy(3, 8))))
            # The loop stands in another one, with more tile blocks than the GPU has multiprocessors.
            case = attention("bf16", 128 * 140, 192 if args.full else 64, 64, 128, 64, aligned=True)
            work.append((f"turns: persistent {case.name}", lambda case=case: check_turns(bench, case, "sm_90", strategy(3, 8) + " dynamic-persistent=true")))
        work = [w for w in work if args.filter in w[0]]
        if not args.filter or "fault".startswith(args.filter):
            work += faulty(bench, pipeline_kernels.ranged(64, 32, 32, 6, 0, 6), "sm_80", FAULTS | OF_COPIES)
            case = matrix_kernels.gemm("f16", "f32", 128, 128, 512, 128, 128, 64, aligned=True)
            # There the last wait of the text is one of the branch without tensor maps.
            of_tma = {kind: fault for kind, fault in (FAULTS | OF_TMA).items() if kind != "empty unawaited"}
            work += faulty(bench, case, "sm_90", of_tma, warps=8)
            work += faulty(bench, counted(matrix_kernels.gemm("f16", "f32", 128, 128, 1024, 128, 128, 64, aligned=True), 16), "sm_90", OF_TWO, warps=8)
            work += faulty(bench, case, "sm_90", WITHOUT_MAPS, warps=8, prepare=NO_MAPS)
            case = matrix_kernels.attention("f16", 128, 640, 128, 128, 128, aligned=True)
            work += faulty_loops(bench, case, "sm_90", strategy(3, 8), OF_STREAMS | OF_ROUNDS)
            work += faulty_loops(bench, matrix_kernels.infinite(case), "sm_90", strategy(3, 8), OF_FIRST_VALUES)
            work += faulty_loops(bench, case, "sm_90", strategy(3, 8) + " turns=always", OF_TURNS)
            work += faulty_loops(bench, matrix_kernels.attention("f16", 128, 660, 128, 128, 128, aligned=True, split=True), "sm_90", strategy(3, 8), OF_STREAMS)
            work += faulty_alternating(bench)
            work += faulty_chosen(bench)
            for target in ("sm_100", "sm_120"):
                work += faulty_takeovers(bench, target)
        passed, failures, times = run_all(work, args.jobs, args.v)
    return conclude("agents:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
