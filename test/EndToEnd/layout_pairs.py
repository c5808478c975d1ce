#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions between layouts, executed: tiles are loaded in one layout, converted, and stored in the other.

usage: layout_pairs.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets LIST] [--count N] [--seed N] [--jobs N] [-v]

unittests/Support/ConvertPairsTest.cpp carries out the plans of every ordered pair of more than 500 layouts; here a sample of such pairs
(regular ones, with copies, in any order) goes all the way through the compiler to the emulator with its race checker, eight pairs to a kernel,
for elements of every size: what is stored has to be what was loaded, and no access to shared memory may
have a bank conflict.
"""

import functools
import pathlib
import random
import re
import sys
import tempfile

from harness import conclude, run_all, suite_arguments
from run import TARGETS, run

ROWS, COLUMNS, PAIRS = 16, 32, 8
TYPES = ["i8", "f16", "bf16", "f32", "i64", "f8E4M3FN"]


def layout(rng):
    """Every coordinate bit is a bit of the register, lane or warp number; lanes may hold copies then."""
    bits = [[1 << i, 0] for i in range(4)] + [[0, 1 << i] for i in range(5)]
    rng.shuffle(bits)
    copies = rng.choice([0, 0, 0, 1, 2])
    lanes = [[0, 0]] * copies + bits[:5 - copies]
    rng.shuffle(lanes)
    rest = bits[5 - copies:]
    warps = [rest.pop() if rng.random() < 0.8 else [0, 0] for _ in range(2)]
    # Memory accesses want neighbours in a thread often enough.
    if rng.random() < 0.5:
        rest.sort(key=lambda b: (b[0], b[1]))
    return f"#nv_tileas.linear<rank = 2, register = {rest}, lane = {lanes}, warp = {warps}>"


def module(seed, t):
    rng = random.Random(seed)
    memref = f"!nv_tileaa.memref<{ROWS * PAIRS}x{COLUMNS}x{t}, strides = [{COLUMNS}, 1]>"
    view = f"!nv_tileaa.tiled_view<[{ROWS}, {COLUMNS}], {memref}>"
    lines = ["%c0 = arith.constant 0 : i32"]
    for name in "ab":
        lines += [f"%m{name} = nv_tileaa.make_memref %p{name}, sizes[], strides[] : !nv_tileaa.ptr<{t}>, (), () -> {memref}",
                  f"%v{name} = nv_tileaa.block_tile %m{name} : {memref} -> {view}"]
    for i in range(PAIRS):
        a, b = (f"tensor<{ROWS}x{COLUMNS}x{t}, {layout(rng)}>" for _ in range(2))
        lines += [f"%i{i} = arith.constant {i} : i32", f"%x{i}, %t{i} = nv_tileas.tiled_load %va[%i{i}, %c0] {{vec = 1 : i32}} : {view}, (i32, i32) -> {a}",
                  f"%y{i} = nv_tileas.convert_layout %x{i} : {a} -> {b}",
                  f"%u{i} = nv_tileas.tiled_store %vb[%i{i}, %c0], %y{i} {{vec = 1 : i32}} : {view}, (i32, i32), {b}"]
    spec = "#nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>"
    return (f"gpu.module @m {{\nnv_tileaa.func @k(%pa: !nv_tileaa.ptr<{t}>, %pb: !nv_tileaa.ptr<{t}>) attributes {{nv_tileaa.kernel_spec = {spec}}} {{\n  " +
            "\n  ".join(lines) + "\n  nv_tileaa.return\n}\n}\n")


def check(seed, t, target, bin_dir, folder, spoil=""):
    base = pathlib.Path(folder) / f"pairs-{seed}-{t}-{target}"
    source, ptx, expected = base.with_suffix(".mlir"), base.with_suffix(".ptx"), base.with_suffix(".npy")
    source.write_text(module(seed, t))
    code, said = run([str(bin_dir / "tileiras"), str(source), f"--gpu-name={target}", "--emit=ptx", "-o", str(ptx)])
    if code:
        return said
    if spoil:
        text, count = re.subn(spoil, "", ptx.read_text(), count=1)
        if not count:
            return "nothing to break"
        ptx.write_text(text)
    array = f"{t}[{ROWS * PAIRS}x{COLUMNS}]"
    common = [str(bin_dir / "tileiras-run"), str(ptx), "--threads=1", "--engine=emulator", f"a:{array}=random(seed={seed})"]
    code, said = run([*common, f"--dump=a={expected}", "--stats", "--check-races", "--schedules=2", f"out:b:{array}=poison"])
    if code:
        return said
    conflicts = int(re.search(r"shared bank conflicts\s+(\d+)", said)[1])
    code, said = run([*common, f"out:b:{array}{{expect={expected}}}=poison"])
    return said if code else f"{conflicts} bank conflicts\n{source.read_text()}" if conflicts else None


def planted(bin_dir, folder):
    """A barrier less, and a shuffle from other lanes, have to be noticed."""
    for what in (r"\n\s*(?:bar|barrier)[.\w:]*\s+(?:all )?0;", r"\n\s*shfl[^;]*;"):
        if not check(5, "f32", "sm_80", bin_dir, folder, what):
            return f"not noticed: {what} taken out"
    return None


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    bin_dir, chosen, types = pathlib.Path(args.build).resolve() / "bin", args.targets.split(","), TYPES
    with tempfile.TemporaryDirectory(prefix="tileiras-pairs-") as folder:
        work = [(f"pairs {args.seed + i} {types[i % len(types)]} {chosen[i % len(chosen)]}",
                 functools.partial(check, args.seed + i, types[i % len(types)], chosen[i % len(chosen)], bin_dir, folder))
                for i in range(args.count)] + [("planted", functools.partial(planted, bin_dir, folder))]
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("layout pairs:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
