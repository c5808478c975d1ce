#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of `cutlass` operations: matrix products whose tiles schedulers divide (a block a tile, persistent, stream-K), pipelines filled by
threads and by bulk copies, sequence, named and generic barriers, block-striped access; executed on the emulator with the race
checker on, under several orders of warps and times of copies, and compared with what plain Python computes. Then with one thing
wrong at a time, which has to be reported or to give other numbers.

usage: cutlass.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets LIST] [--full] [--jobs N] [-v]
"""

import array
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import cutlass_kernels as kernels
import targets
from emulator import Emulator, EmulatorError
from harness import conclude, find_ptxas, run_all, suite_arguments
from targets import can_assemble, compiled_as

STEPS = 4_000_000
TIMINGS = (0, 1, 2)  # early, late, random


def i32(value):
    return struct.pack("<i", value)


def floats(values):
    return bytearray(array.array("f", values).tobytes())


def ints(values):
    return bytearray(array.array("i", values).tobytes())


def read(kind, data):
    result = array.array(kind)
    result.frombytes(bytes(data))
    return list(result)


class Suite:
    def __init__(self, args, folder):
        self.build, self.folder, self.full = pathlib.Path(args.build), pathlib.Path(folder), args.full
        self.ptxas = find_ptxas()

    def compile(self, name, text, target):
        # Two cases may compile the same kernel.
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        source, ptx = folder / f"{name.replace(chr(32), chr(45))}.mlir", folder / f"{name.replace(chr(32), chr(45))}.ptx"
        source.write_text(text)
        done = subprocess.run([str(self.build / "bin" / "tileiras"), str(source), f"--gpu-name={target}", "--emit=ptx", "-o", str(ptx)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            return None, done.stdout
        if can_assemble(self.ptxas, target):
            said = subprocess.run([self.ptxas, f"-arch={compiled_as(target)}", str(ptx), "-o", "/dev/null"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            if said.returncode or said.stdout.strip():
                return None, f"ptxas: {said.stdout}"
        return ptx.read_text(), None

    def run(self, ptx, name, grid, block, arguments, schedule=0, timing=1, cluster=()):
        Emulator(self.build).run(ptx, grid, arguments, kernel=name, block=block, check_races=1, schedule=schedule, async_timing=timing,
                                 seed=schedule, host_threads=1, max_warp_instructions=STEPS, cluster=cluster)

    def everywhere(self, what):
        """what(schedule, timing) -> None or what is wrong, for several of both."""
        for schedule in range(4):
            for timing in TIMINGS if self.full else (TIMINGS[schedule % 3],):
                try:
                    wrong = what(schedule, timing)
                except EmulatorError as error:
                    wrong = f"reported {error.kinds}: {error}"
                if wrong:
                    return f"schedule {schedule}, timing {timing}: {wrong}"
        return None


#
# Matrix products
#


def divided_tiles(tiles, k_tiles, units):
    """How many tiles stream-K divides by their steps: none if all blocks get as many, else those of the last two rounds."""
    if tiles % units == 0 or k_tiles == 0:
        return 0
    return tiles if tiles < units else units + tiles % units


def gemm(suite, kind, m, n, k, units, target, text=None, skip_start=False):
    """A function (schedule, timing), and an error that compiling gave."""
    ptx, error = suite.compile(f"gemm-{kind}-{m}-{n}-{k}-{units}-{target}", text or kernels.gemm(kind), target)
    if error:
        return None, error
    chance = random.Random(m * 7 + n * 5 + k)
    a = [float(chance.randint(-4, 4)) for _ in range(m * k)]
    b = [float(chance.randint(-4, 4)) for _ in range(k * n)]
    want = [sum(a[i * k + q] * b[q * n + j] for q in range(k)) for i in range(m) for j in range(n)]
    tm, tn, kt = -(-m // 32), -(-n // 32), -(-k // 8)
    shared = divided_tiles(tm * tn, kt, units) if kind == "streamk" else 0

    def once(schedule, timing):
        flags, sizes = ints([77] * max(shared, 1)), bytearray(24)
        c, workspace = floats([-1000.0] * (m * n)), floats([-1e6] * (1024 * max(shared, 1)))
        suite.run(ptx, "start", (1,), (64,), [i32(m), i32(n), i32(k), i32(units), flags, sizes], schedule, timing)
        sums, words, grid = struct.unpack("<qqq", bytes(sizes))
        expected = (shared * 4096, shared * 4, tm * tn if kind == "dp" else units)
        if (sums, words, grid) != expected:
            return f"workspace and grid are {(sums, words, grid)}, not {expected}"
        if skip_start:
            flags = ints([77] * max(shared, 1))
        suite.run(ptx, "gemm", (tm, tn) if kind == "dp" else (units,), (160,),
                  [floats(a or [0.0]), floats(b or [0.0]), c, i32(m), i32(n), i32(k), i32(units), workspace, flags], schedule, timing)
        got = read("f", c)
        wrong = [i for i in range(m * n) if got[i] != want[i]]
        return f"{len(wrong)} of {m * n} sums are wrong, the first {got[wrong[0]]} for {want[wrong[0]]}" if wrong else None

    return once, None


def check_gemm(suite, *arguments):
    once, error = gemm(suite, *arguments)
    return error or suite.everywhere(once)


GEMMS = [("streamk", 77, 50, 45, 4), ("streamk", 96, 96, 20, 5), ("streamk", 130, 40, 33, 3), ("streamk", 33, 33, 100, 16), ("streamk", 64, 64, 16, 4),
         ("streamk", 40, 20, 0, 3), ("streamk", 1, 1, 200, 7), ("static_persistent", 77, 50, 45, 4), ("static_persistent", 100, 70, 9, 1),
         ("static_persistent", 33, 65, 24, 9), ("dp", 77, 50, 45, 1), ("dp", 32, 96, 8, 1)]


def noticed(suite, once):
    """None where a run is reported or gives other numbers."""
    for schedule in range(4):
        for timing in TIMINGS:
            try:
                if once(schedule, timing):
                    return None
            except EmulatorError:
                return None
    return "nothing is noticed"


# What is replaced in the text, and how often that has to be there.
GEMM_FAULTS = {
    "the producer's first phase": ("%s0 = cutlass.pipeline.state.create %c0, %c1, %c0", "%s0 = cutlass.pipeline.state.create %c0, %c0, %c0", 1),
    "the consumers' first phase": ("%s0 = cutlass.pipeline.state.create %c0, %c0, %c0", "%s0 = cutlass.pipeline.state.create %c0, %c1, %c0", 1),
    "the producer's first stage": ("%s0 = cutlass.pipeline.state.create %c0, %c1, %c0", "%s0 = cutlass.pipeline.state.create %c1, %c1, %c0", 1),
    "no wait for a full stage": ("cutlass.pipeline.consumer_wait %pipe, %q unless %ready : !pipe, !st3", "", 1),
    "a wait that always has been done": ("%ready = cutlass.pipeline.consumer_try_wait %pipe, %q : !pipe, !st3", "%ready = arith.constant true", 1),
    "no release": ("cutlass.pipeline.consumer_release %pipe, %q : !pipe, !st3", "", 1),
    "one release too many": ("cutlass.pipeline.consumer_release %pipe, %q : !pipe, !st3",
                             "cutlass.pipeline.consumer_release %pipe, %q : !pipe, !st3\n cutlass.pipeline.consumer_release %pipe, %q : !pipe, !st3", 1),
    "one consumer fewer": ("consumer = <warp_specialized, warps = 4>", "consumer = <warp_specialized, warps = 3>", 2),
    "a stage that is not gone on from": ("%q1 = cutlass.pipeline.state.increment %q : !st3",
                                         "%q1 = cutlass.pipeline.state.create %c0, %c0, %c0 : !st3", 1),
    "fix-up by more threads than there are": ("sync %id, %c128", "sync %id, %c160", 1),
    "fix-up of fragments of other threads": ("by %t of 128 sync", "by %c4 of 128 sync", 1),
    "everybody writes": ("scf.if %epilogue", "scf.if %always", 1),
}


def gemm_faults(suite, target):
    text = kernels.gemm("streamk").replace("    %zero = arith", "    %c160 = arith.constant 160 : i32\n    %always = arith.constant true\n    %zero = arith", 1)
    for name, (old, new, count) in GEMM_FAULTS.items():
        def check(old=old, new=new, count=count):
            if text.count(old) != count:
                return f"{text.count(old)} places to change, not {count}"
            once, error = gemm(suite, "streamk", 77, 50, 45, 4, target, text.replace(old, new))
            return error or noticed(suite, once)
        yield f"fault: gemm {target}: {name}", check

    def uninitialised():
        once, error = gemm(suite, "streamk", 77, 50, 45, 4, target, skip_start=True)
        return error or noticed(suite, once)
    yield f"fault: gemm {target}: flags that nobody has zeroed", uninitialised


#
# The others: name -> (text, launch), launch(suite, ptx, schedule, timing) -> None or what is wrong
#


def sequence(depth, rounds):
    def launch(suite, ptx, schedule, timing):
        out = ints([-1] * (64 * depth))
        suite.run(ptx, "sequence", (1,), (96,), [out, i32(rounds)], schedule, timing)
        got = read("i", out)
        for which in range(depth):
            turns = len(range(which, rounds, depth))
            want = [0, 1, 2] * turns
            if got[64 * which:64 * which + 3 * turns] != want:
                return f"the turns are {got[64 * which:64 * which + 3 * turns]}"
        return None
    return kernels.SEQUENCE.format(depth=depth), launch


def striped(t, n, blocks):
    kind = {"f32": "f", "f64": "d", "i32": "i"}[t]

    def launch(suite, ptx, schedule, timing):
        zeros = lambda: bytearray(array.array(kind, [0] * (96 * n)).tobytes())
        total, order, flags, copy = zeros(), ints([0] * blocks), ints([0]), zeros()
        suite.run(ptx, "striped", (blocks,), (96,), [total, order, flags, copy], schedule, timing)
        size = {"f": 4, "d": 8, "i": 4}[kind]
        piece = 1
        while n % (2 * piece) == 0 and 2 * piece * size <= 16:
            piece *= 2
        want = [0] * (96 * n)
        for thread in range(96):
            for e in range(n):
                want[(e // piece * 96 + thread) * piece + e % piece] = sum(thread + b for b in range(blocks))
        for what, data in (("reduced", total), ("added", copy)):
            if read(kind, data) != want:
                return f"what is {what} differs"
        if read("i", order) != list(range(1, blocks + 1)):
            return f"blocks came as {read('i', order)}"
        return None
    text = kernels.STRIPED.format(n=n, type=t)
    if t == "i32":
        text = text.replace("%f = arith.sitofp %xs : vector<{0}xi32> to vector<{0}xi32>".format(n), "%f = arith.addi %xs, %zeros : vector<{0}xi32>".format(n))
        text = text.replace("%ones = arith.constant dense<1>", "%zeros = arith.constant dense<0>")
    return text, launch


def bulk(steps, text=kernels.BULK, blocks=1):
    def launch(suite, ptx, schedule, timing):
        data = [(i * 37) % 1001 for i in range(512 * max(steps, 1))]
        out = ints([-1] * (64 * blocks))
        suite.run(ptx, "bulk", (blocks,), (96,), [ints(data), out, i32(steps)], schedule, timing, cluster=(blocks,) if blocks > 1 else ())
        want = [sum(data[s * 512 + j * 64 + t] for s in range(steps) for j in range(8)) for t in range(64)] * blocks
        return None if read("i", out) == want else "the sums differ"
    return text, launch


def strided(mode, steps):
    def launch(suite, ptx, schedule, timing):
        out = ints([-1] * 128)
        suite.run(ptx, "strided", (1,), (160,), [out, i32(steps)], schedule, timing)
        want = []
        for t in range(128):
            side = (t // 32) % 2 if mode == "strided_mod" else t // 64
            phases = [1 - s // 2 % 2 for s in range(steps)]
            want.append(sum((s + t % 32) * (2 if side else 1) + (phases[s] if side else 0) for s in range(steps)))
        return None if read("i", out) == want else f"the sums are {read('i', out)[:4]}, not {want[:4]}"
    return kernels.STRIDED.format(mode=mode, side="remui" if mode == "strided_mod" else "divui"), launch


def store(steps):
    def launch(suite, ptx, schedule, timing):
        out = ints([-1] * (256 * steps))
        suite.run(ptx, "store", (1,), (32,), [out, i32(steps)], schedule, timing)
        return None if read("i", out) == list(range(256 * steps)) else "what is stored differs"
    return kernels.STORE, launch


def launch_control(m, n):
    def launch(suite, ptx, schedule, timing):
        out = ints([0] * (m * n))
        suite.run(ptx, "fill", (-(-m // 32), -(-n // 8)), (32,), [out, i32(m), i32(n)], schedule, timing)
        return None if read("i", out) == list(range(m * n)) else "tiles are missing or come twice"
    return kernels.LAUNCH_CONTROL, launch


def cases(target):
    row = next(r for r in targets.rows() if r["name"] == target)
    yield from (("sequence, one turn", sequence(1, 5)), ("sequence, two turns", sequence(2, 7)), ("striped f32", striped("f32", 12, 5)),
                ("striped f64", striped("f64", 3, 3)), ("striped i32", striped("i32", 5, 4)), ("strided by remainder", strided("strided_mod", 7)),
                ("strided by quotient", strided("strided_div", 5)))
    if row["compute_capability"] >= 90:
        yield from (("bulk copies", bulk(7)), ("bulk copies, none", bulk(0)), ("bulk stores", store(5)))
    if row["compute_capability"] in (90, 100):  # ptxas advises against multicast elsewhere
        yield "multicast bulk copies", bulk(5, kernels.CLUSTER, 2)
    if row["compute_capability"] >= 100:
        yield "launch control", launch_control(100, 37)


# Case, what is replaced in its text by what.
FAULTS = [
    ("sequence, one turn", "no wait for the turn", "cutlass.seq_bar.wait %bar, %s : !bar, !place", ""),
    ("sequence, two turns", "no wait for the turn", "cutlass.seq_bar.wait %bar, %s : !bar, !place", ""),
    ("sequence, one turn", "the turn is not given on", "%s1 = cutlass.seq_bar.arrive %bar, %s : !bar, !place", "%s1 = cutlass.seq_bar.state.create %group : !place"),
    ("sequence, one turn", "groups of two warps", "warps = 1>", "warps = 2>"),
    ("striped f32", "nobody waits for the block before", "cutlass.generic_barrier.wait_eq %flags[%c0] by %t, %b : !p", ""),
    ("striped f32", "blocks do not say that they are done", "cutlass.generic_barrier.arrive_increment %flags[%c0] by %t, %c1 : !p", ""),
    ("striped f32", "pieces of other threads", "by %t of 96 : vector<12xf32>, !p\n", "by %t of 64 : vector<12xf32>, !p\n"),
    ("strided by remainder", "halves that are both the first", "stride 2 which 1>", "stride 2>"),
    ("bulk copies", "no wait for a full stage", "cutlass.pipeline.consumer_wait %pipe, %q : !pipe, !st2", ""),
    ("bulk copies", "no release", "cutlass.pipeline.consumer_release %pipe, %q : !pipe, !st2", ""),
    ("bulk copies", "more bytes are expected than come", "bytes 2048", "bytes 4096"),
    ("bulk copies", "fewer bytes are expected than come", "bytes 2048", "bytes 1024"),
    ("multicast bulk copies", "blocks are told that their own only is empty", "consumer = <cluster, warps = 2 blocks 2>", "consumer = <warp_specialized, warps = 2>"),
    ("bulk stores", "a stage is written that copies still read", "cutlass.pipeline.producer_acquire %pipe, %q : !pipe, !st2", ""),
    ("bulk stores", "the block leaves before its copies are done", "cutlass.pipeline.producer_tail %pipe, %end : !pipe, !st2", ""),
    ("launch control", "nobody waits for the answer", "%next = cutlass.tile_scheduler.query_next_work %sched, %ask : !sched, !work -> !work",
     "%never = arith.constant false\n%next = cutlass.tile_scheduler.create_dp_work_tile_info %params, %c0, %c0, %c0 steps %c0, %c0 valid %never : !params -> !work"),
]


def main():
    parser = suite_arguments(["sm_80", "sm_90", "sm_100", "sm_120"])
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    names = args.targets.split(",")
    with tempfile.TemporaryDirectory(prefix="tileiras-cutlass-") as folder:
        suite = Suite(args, folder)
        work = []
        for turn, case in enumerate(GEMMS):
            for target in names if args.full else [names[turn % len(names)]]:
                work.append((f"gemm {' '.join(map(str, case))} {target}", lambda case=case, target=target: check_gemm(suite, *case, target)))
        for turn, kind in enumerate(("dp", "static_persistent", "streamk")):
            for target in names if args.full else [names[turn % len(names)]]:
                work.append((f"gemm {kind}, work made again {target}", lambda kind=kind, target=target: check_gemm(
                    suite, kind, 77, 70, 45, 4, target, kernels.remade(kind))))
        for target in names:
            for name, (text, launch) in cases(target):
                def check(name=name, text=text, launch=launch, target=target):
                    ptx, error = suite.compile(f"{name}-{target}", text, target)
                    return error or suite.everywhere(lambda schedule, timing: launch(suite, ptx, schedule, timing))
                work.append((f"{name} {target}", check))
        for target in names if args.full else names[:1]:
            work += gemm_faults(suite, target)
        for number, (name, what, old, new) in enumerate(FAULTS):
            able = [target for target in names if name in dict(cases(target))]
            for target in able if args.full else able[:1]:
                def check(name=name, old=old, new=new, target=target, number=number):
                    text, launch = dict(cases(target))[name]
                    if old not in text:
                        return "nothing to change"
                    ptx, error = suite.compile(f"fault-{number}-{target}", text.replace(old, new), target)
                    return error or noticed(suite, lambda schedule, timing: launch(suite, ptx, schedule, timing))
                work.append((f"fault: {name} {target}: {what}", check))
        work = [w for w in work if args.filter in w[0]]
        passed, failures, times = run_all(work, args.jobs, args.v)
    return conclude("cutlass:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
