#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The timing model against published measurements.

    bench/timing/validate.py BUILD [SET...] [--train] [--quick] [--check] [--limiters] [--jobs N] [--report FILE]
    bench/timing/validate.py BUILD [SET...] --record     everything, with the limiters, into results.json and docs/timing.md
    bench/timing/validate.py BUILD --drift               a few quick rows against results.json
    bench/timing/validate.py BUILD --table [--check]     results.json into docs/timing.md

Each row: what was measured, what the model says, the error. T rows may be fitted, H rows (held out) may not; --train leaves
the latter out. --quick takes one row of each group; --check fails if the errors of the training rows have grown beyond LIMITS. Sets
and letters are those of docs/timing.md. Needs no GPU, but a ptxas, for the limits are those of its register and instruction counts,
and for the sets in CUDA nvcc; a set that lacks its tool is skipped. --limiters compares what kernels are limited by, as far as that is known,
with what the model names; one in ten may be wrong. --report writes the number of sets within their limits.

What the model says of the published cases is recorded, so that nobody changes it without knowing: --drift fails where a prediction of today is not that of
results.json, and --table --check where docs/timing.md is not what results.json says.
"""

import argparse
import concurrent.futures
import contextlib
import fcntl
import functools
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "test"), str(HERE.parents[1] / "test" / "EndToEnd")]
import attention_sm90  # noqa: E402
import gemm_fp8_sm90  # noqa: E402
import kernels  # noqa: E402
import targets  # noqa: E402
from emulator import Emulator, Hidden, TensorMap  # noqa: E402

BF16, F32, F16, U8 = 9, 7, 6, 0


def tensor_map(array, kind, rows, columns, box, swizzle):
    size = 1 if kind == U8 else 2
    return TensorMap(array, kind, [columns, rows], [columns * size], box, swizzle={128: 3, 64: 2}[swizzle], by_value=True)


def from_cuda(source, target, macros=()):
    """PTX of a file, or of a text, in CUDA."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.ptx"
        if isinstance(source, str):
            (text := pathlib.Path(folder) / "kernel.cu").write_text(source)
            source = text
        subprocess.run(["nvcc", "-ptx", f"-arch=compute_{target}", "-O3", *macros, source, "-o", out], check=True)
        return out.read_text()


def said(p):
    """What a prediction names as its limiter; two that are as good as each other, both."""
    return p["limiter"] if p["slack_percent"] >= 10 else f"{p['limiter']}, and as much by {p['second']}"


class Row:
    """`wanted`: what is known to limit it (a part of the limiter's name), if that is known."""

    def __init__(self, name, role, measured, predicted, unit, note="", wanted="", named=""):
        self.name, self.role, self.measured, self.predicted, self.unit, self.note = name, role, measured, predicted, unit, note
        self.wanted, self.named = wanted, named

    @property
    def right(self):
        return not self.wanted or any(part in self.named for part in self.wanted.split("|"))

    @property
    def error(self):
        return 100 * (self.predicted / self.measured - 1)


# F: SemiAnalysis, B200, one SM at 1300 MHz, TFLOPS of a CUTLASS main loop by number of stages from 2. What limits a row is known from the measurements:
# where one stage more brings a twentieth, it is the latency of the copies; where no more stages help, what the tile's shape says.
F = [("f16", 128, 128, 128, [3.69, 5.46, 7.16, 8.74, 10.01, 10.17], "T"), ("f16", 128, 256, 128, [5.59, 8.27, 10.46], "H"),
     ("f16", 128, 192, 128, [4.69, 6.96, 9.11, 10.44], "H"), ("f16", 128, 64, 128, [2.82, 4.23, 5.57, 6.76, 6.77], "T"),
     ("f16", 64, 128, 128, [2.70, 4.02, 5.22], "H"), ("f8f6f4", 128, 128, 128, [9.68, 14.45, 18.94, 19.83], "T"),
     ("f8f6f4", 128, 128, 64, [5.78, 8.64, 10.42], "H"), ("f8f6f4", 128, 256, 128, [14.59, 20.64], "H"),
     ("f8f6f4", 128, 64, 128, [5.57, 8.30, 10.89, 13.15], "H")]


F_ALL = {(kind, m, n, k_bytes): values for kind, m, n, k_bytes, values, _ in F}


def wanted_f(m, n, k_bytes, measured, next_measured):
    if next_measured > 1.02 * measured:
        return "latency of bulk copies" if next_measured > 1.05 * measured else ""
    # 128 x 128 needs 128 bytes a clock for full tensor cores; what was measured is between that and the 120 that come in.
    return "shared memory" if n < 128 else "bulk copy ingest" if k_bytes < 128 else "tensor cores|bulk copy ingest" if m == n == 128 else "tensor cores"


def set_f(emulator, only_train, quick):
    for kind, m, n, k_bytes, values, role in F:
        if only_train and role == "H":
            continue
        values = values[:1] if quick else values
        size = 2 if kind == "f16" else 1
        k = k_bytes // size
        for stages, measured in enumerate(values, 2):
            steps = 131072 // k
            ptx, shared, swizzle = kernels.tcgen05_loop(m, n, k_bytes, stages, kind)
            a, b = bytearray(m * k_bytes * steps), bytearray(n * k_bytes * steps)
            span = min(k_bytes, 128) // size
            maps = [tensor_map(0, BF16 if size == 2 else U8, m, k * steps, [span, m], swizzle),
                    tensor_map(1, BF16 if size == 2 else U8, n, k * steps, [span, n], swizzle)]
            p = emulator.predict(ptx, (1,), [Hidden(a), Hidden(b), *maps, bytearray(4), (steps).to_bytes(4, "little")],
                                 "b200", timing={"clock_mhz": 1300.0, "l2_state": 1}, shared=shared)
            predicted = 2 * m * n * k * steps / p["cycles"] * 1.3e9 * 1e-12
            more = F_ALL[kind, m, n, k_bytes][stages - 1:stages]
            wanted = wanted_f(m, n, k_bytes, measured, more[0] if more else 0)
            yield Row(f"{kind} {m}x{n}x{k} {stages} stages", role, measured, predicted, "TFLOPS", p["limiter"].split(":")[0], wanted, said(p))


# A: fast.cu, H100 SXM, bf16, M = N = K = 4096, TFLOPS. P: TileLang on an H800, M = N = 8192 by K.
A = [("2: 64x64, no overlap", dict(bm=64, bn=64, stages=1, consumers=1, overlap=False, everyone=True), 317, "T"),
     ("3: 128x128, no overlap", dict(bm=128, bn=128, stages=1, consumers=1, overlap=False, everyone=True), 423, "H"),
     ("4: producer and consumer, 5 stages", dict(bm=128, bn=128, stages=5, consumers=1, everyone=True), 498, "T"),
     ("5: 128x256, two consumers, 3 stages", dict(bm=128, bn=256, stages=3, consumers=2, everyone=True), 610, "H"),
     ("6: persistent", dict(bm=128, bn=256, stages=3, consumers=2, persistent=True, everyone=True), 660, "T"),
     ("7: one arrival of each warpgroup", dict(bm=128, bn=256, stages=3, consumers=2, persistent=True), 704, "H"),
     ("8: clusters of two, multicast", dict(bm=128, bn=256, stages=3, consumers=2, persistent=True, pair=True), 734, "T")]
P = [(256, 386, "H"), (512, 520, "H"), (1024, 628, "T"), (2048, 705, "H"), (4096, 736, "H"), (8192, 758, "H"), (16384, 766, "T")]
# The clock of an H800 is known for full tensor cores (P's source, by its steady state, for f16 and for e4m3) and for some that are not: FlashMLA's has 1600 MHz
# at 660 of the 865 TFLOPS of that clock. That is a power of -0.36; power as f V^2 and V as f say -1/3.
H800 = dict(tensor_clock_exponent=0.333)
# The measured kernels are an autotuner's, which chooses among tiles like these: the best by the model.
P_TUNED = [dict(bm=128, bn=256, stages=4, consumers=2, bulk_store=True), dict(bm=128, bn=128, stages=3, consumers=2, bulk_store=True)]


def tflops(p, m, n, k):
    return 2 * m * n * k / p["microseconds"] * 1e-6


def gemm90(emulator, machine, m, n, k, config, clock=0.0, blocks=None):
    ptx, shared = kernels.wgmma_gemm(**config)
    tiles = (m // config["bm"]) * (n // config["bn"])
    a, b, c = bytearray(m * k * 2), bytearray(n * k * 2), bytearray(m * n * 2)
    maps = [tensor_map(0, BF16, m, k, [64, config["bm"]], 128), tensor_map(1, BF16, n, k, [64, config["bn"] // (2 if config.get("pair") else 1)], 128)]
    words = [(v).to_bytes(4, "little") for v in (n, k // 64, n // config["bn"], tiles)]
    if config.get("bulk_store"):
        words.append(tensor_map(4, BF16, m, n, [64, 64], 128))
    grid = min(tiles, blocks) if blocks else tiles
    return emulator.predict(ptx, (grid,), [Hidden(a), Hidden(b), *maps, c, *words], machine,
                            timing={"clock_mhz": clock, "samples": 2}, shared=shared)


def set_a(emulator, only_train, quick):
    for name, config, measured, role in A[:1] if quick else A:
        if only_train and role == "H":
            continue
        p = gemm90(emulator, "h100", 4096, 4096, 4096, config, blocks=128 if config.get("persistent") else None)
        yield Row(name, role, measured, tflops(p, 4096, 4096, 4096), "TFLOPS", p["limiter"].split(":")[0])


def set_p(emulator, only_train, quick):
    for k, measured, role in P[2:3] if quick else P:
        if only_train and role == "H":
            continue
        with machine_with("h100", clock_tensor_mhz=1450, **H800) as machine:
            config, p = max(((config, gemm90(emulator, machine.name, 8192, 8192, k, config)) for config in P_TUNED), key=lambda f: -f[1]["microseconds"])
        yield Row(f"K = {k}, {config['bm']}x{config['bn']}", role, measured, tflops(p, 8192, 8192, k), "TFLOPS", p["limiter"].split(":")[0],
                  "tensor cores" if k == 16384 else "", said(p))


# O: RRZE, triad at full occupancy. W: quack, M = 4096, bf16. Sum: fast.cu. GB/s. (Arrays are smaller than measured where a
# gigabyte would be needed; the steady state is the same.)
ROWS = [("O triad, A100", "a100", 80, "triad", 2 ** 23, 512, 1794, "T"), ("O triad, two blocks of 256 of an SM, A100", "a100", 80, "stream", 2 ** 24, 256, 1571, "T"),
        ("A sum of int32, H100", "h100", 90, "sum", 2 ** 26, 1024, 3240, "T"),
        ("L vectorAdd of 2 M floats, RTX 5090", "rtx5090", 120, "add", 2 ** 21, 256, 29643, "T"),
        ("W copy, H100", "h100", 90, "copy", 2 ** 25, 512, 3003, "T"), ("W RMSNorm N=4096, RTX 5090", "rtx5090", 120, "rmsnorm2", 4096, 256, 1477, "T"),
        ("W RMSNorm N=8192, RTX 5090", "rtx5090", 120, "rmsnorm4", 8192, 256, 1531, "T"),
        ("W RMSNorm N=16384, RTX 5090", "rtx5090", 120, "rmsnorm8", 16384, 256, 1539, "T"),
        ("W softmax N=4096, RTX 5090", "rtx5090", 120, "softmax2", 4096, 256, 1552, "H"),
        ("W softmax N=8192, RTX 5090", "rtx5090", 120, "softmax4", 8192, 256, 1527, "H"),
        ("W softmax N=16384, RTX 5090", "rtx5090", 120, "softmax8", 16384, 256, 1504, "H")]


def set_w(emulator, only_train, quick):
    texts = {}
    for name, machine, target, kernel, size, threads, measured, role in ROWS[4:5] if quick else ROWS:
        if only_train and role == "H":
            continue
        if target not in texts:
            texts[target] = from_cuda(HERE / "rows.cu", target)
        word = lambda v: v.to_bytes(4, "little")
        if kernel == "triad":
            arrays, moved, grid = [bytearray(16 * size) for _ in range(3)], 48 * size, size // threads
            arguments = [*arrays, word(size)]
        elif kernel == "stream": # a double each thread; shared memory is what keeps more blocks away
            arrays, moved, grid = [bytearray(8 * size) for _ in range(3)], 24 * size, size // threads
            arguments = [*arrays, word(size)]
        elif kernel == "add":
            arrays, moved, grid = [bytearray(4 * size) for _ in range(3)], 0, size // threads
            arguments = [*arrays, word(size)]
        elif kernel == "sum":
            arguments, moved, grid = [bytearray(4 * size), bytearray(4), word(size // 4)], 4 * size, 132 * 2
        elif kernel == "copy":
            arguments, moved, grid = [bytearray(16 * size // 4), bytearray(16 * size // 4), word(size // 4)], 8 * size, 132 * 4
        elif kernel.startswith("rmsnorm"):
            x = 4096 * size * 2
            arguments, moved, grid = [bytearray(x), bytearray(2 * size), bytearray(x), struct.pack("<f", 1e-5)], 2 * x, 4096
        else:
            x = 4096 * size * 2
            arguments, moved, grid = [bytearray(x), bytearray(x)], 2 * x, 4096
        p = emulator.predict(texts[target], (grid,), arguments, machine, kernel=kernel, block=(threads, 1, 1), shared=80 * 1024 if kernel == "stream" else 0,
                             timing={"l2_state": 0 if moved else 2}) # cycles are Nsight Compute's, which flushes L2
        if not moved: # in cycles of a locked clock
            yield Row(name, role, measured, p["cycles"] + p["launch_microseconds"] * p["clock_mhz"], "cycles", p["limiter"].split(":")[0])
            continue
        yield Row(name, role, measured, moved / p["microseconds"] * 1e-3, "GB/s", p["limiter"].split(":")[0], "" if kernel == "stream" else "DRAM", said(p))


# H: mymatmul, RTX 4090. C and D: learn-cuda, on an A100 and on an RTX 5090 at 400 W; the steps of C with the tiles that their source gives
# them. bf16, M = N = K, TFLOPS.
def mma(bm, bn, bk, warps_m=2, warps_n=2, stages=2, **more):
    return dict(BM=bm, BN=bn, BK=bk, WARPS_M=warps_m, WARPS_N=warps_n, STAGES=stages, **{k.upper(): v for k, v in more.items()})


LADDER = [("v1", mma(128, 128, 64, stages=1, ASYNC=0, PLACE=0, WIDE=0, EARLY=0), 140.7, 59.9, "T"),
          ("v2, cp.async", mma(128, 128, 64, stages=1, PLACE=0, WIDE=0, EARLY=0), 152.9, 64.9, "H"),
          ("v3, padded", mma(128, 128, 64, stages=1, PLACE=1, WIDE=0, EARLY=0), 160.5, 166.8, "T"),
          ("v4, swizzled", mma(128, 128, 64, stages=1, WIDE=0, EARLY=0), 177.4, 190.9, "H"),
          ("v6, two stages", mma(128, 64, 64), 177.7, 220.8, "T")]
H = [("1024, 64x64x64", "rtx4090", 89, 1024, mma(64, 64, 64), 87.4, "H"), ("2048, 128x64x64", "rtx4090", 89, 2048, mma(128, 64, 64), 128.1, "T"),
     ("4096, 128x128x32", "rtx4090", 89, 4096, mma(128, 128, 32), 138.7, "T"), ("8192, 128x128x32", "rtx4090", 89, 8192, mma(128, 128, 32), 142.5, "H"),
     # Measured with twice the K, which would take six gigabytes here; all blocks are there at once, so that it is the same but for their start (another 1 to 2 %).
     ("64 x 65536, 64x128x32", "rtx4090", 89, (64, 65536, 8192), mma(64, 128, 32), 60.9, "H"), ("128 x 65536, 128x128x32", "rtx4090", 89, (128, 65536, 8192), mma(128, 128, 32), 119.7, "H")]
# The clock of H's machine: cuBLAS and Triton level off there at 144.3 and 145.2 TFLOPS, whatever the size (5120 to 10240), which is that of full tensor cores.
H_CLOCK = 145.2e6 / (512 * 128)
# C's A100 is an A100-SXM4-40GB, as its source says: of HBM2 (data sheet: 1555 GB/s), of which as much is had as of the 80 GB model's (RRZE's triad). Its v6 of 2048
# and 8192 is measured with the blocks in the grid's order, as ours are, and in another (v6b: 168.09 and 240.05).
C_A100 = dict(dram_gbs=1555, dram_best_gbs=1365, dram_read_gbs=1365)
C = [*((f"A100 {name}", "a100", 80, 4096, tile, a100, role) for name, tile, _, a100, role in LADDER),
     ("A100 v6, 2048", "a100", 80, 2048, mma(128, 64, 64), 170.64, "H"), ("A100 v6, 8192", "a100", 80, 8192, mma(128, 64, 64), 224.79, "H"),
     *((f"RTX 5090 {name}", "rtx5090", 120, 4096, tile, ada, role) for name, tile, ada, _, role in LADDER)]
D = [(f"RTX 5090, {n}", "rtx5090", 120, n, mma(128, 128, 32), measured, "T") for n, measured in ((2048, 158), (4096, 164), (8192, 192))]


def set_mma(rows, emulator, only_train, quick, clock=0.0):
    texts = {}
    for name, machine, target, shape, tile, measured, role in rows[:1] if quick else rows:
        if only_train and role == "H":
            continue
        key = (target, *sorted(tile.items()))
        if key not in texts:
            texts[key] = from_cuda(HERE / "mma_gemm.cu", target, [f"-D{k}={v}" for k, v in tile.items()])
        m, n, k = shape if isinstance(shape, tuple) else (shape,) * 3
        bm, bn, row = tile["BM"], tile["BN"], 2 * tile["BK"] + 16 * (tile.get("PLACE") == 1)
        with machine_with(machine, **(C_A100 if machine == "a100" else {})) as described:
            p = emulator.predict(texts[key], (m // bm * (n // bn),), [*(bytearray(2 * size) for size in (m * k, n * k, m * n)), *(v.to_bytes(4, "little") for v in (n, k))],
                                 described.name, block=(32 * tile["WARPS_M"] * tile["WARPS_N"], 1, 1), shared=tile["STAGES"] * (bm + bn) * row,
                                 timing={"samples": 2, "clock_mhz": clock})
        yield Row(name, role, measured, tflops(p, m, n, k), "TFLOPS", p["limiter"].split(":")[0], "DRAM" if m < n else "", said(p))


# S: FlashAttention-2 in Triton on an H100, f16, 32 heads, head dimension 64, not causal, TFLOPS by (batch, length), of July 2024. The kernel is ours in the
# source's form, compiled by the Triton of that time, and the best by the model of what the source's autotuner chooses among: no more keys than the head is wide,
# eight warps only for tiles of 128 x 128. (Seven stages leave room for one block of an SM, at half the rate.)
S = [(32, 512, 290, "T"), (16, 1024, 324, "T"), (8, 2048, 339, "T"), (4, 4096, 348, "T"), (2, 8192, 350, "T"), (1, 16384, 353, "T")]
S_TUNED = [(128, 64, 4, 3), (128, 64, 4, 4), (64, 64, 4, 3), (64, 64, 4, 4)]


def set_s(emulator, only_train, quick):
    made = [triton_kernel("triton_attention.py", *config, 90, python=old_triton_python()) for config in (S_TUNED[:1] if quick else S_TUNED)]
    for batch, length, measured, role in S[1:2] if quick else S:
        size = batch * 32 * length * 64 * 2
        found = []
        for config, kernel in zip(S_TUNED, made):
            arguments = [*(bytearray(size) for _ in range(3)), struct.pack("<f", 0.125), bytearray(batch * 32 * length * 4), bytearray(size),
                         *(v.to_bytes(4, "little") for v in (length * 64, 64, length))]
            p = emulator.predict(kernel["ptx"], (length // config[0], batch * 32), arguments + [bytes(8)] * kernel["hidden"], "h100",
                                 shared=kernel["shared"], block=(kernel["threads"], 1, 1), timing={"samples": 2})
            found.append((p["microseconds"], config, p))
        microseconds, config, p = min(found, key=lambda f: f[0])
        flop = 4 * batch * 32 * length * length * 64
        yield Row(f"{batch} x {length}, {config[0]}x{config[1]}", role, measured, flop / microseconds * 1e-6, "TFLOPS", p["limiter"].split(":")[0])


# K: FlashGPU-Sim's runs of FlashAttention-3 forward, f16, on an H100 at 1500 MHz: microseconds of Nsight Compute, causal and full, by
# (batch, length). Heads of 64: 32, tiles of 192 x 128 if causal, else 192 x 192 and the weights through shared memory; heads of 128: 16, tiles of
# 128 x 128 if causal, else 128 x 176.
K = [(64, 16, 512, 93.1, 124.9, "T"), (64, 64, 512, 336, 466, ""), (64, 16, 2048, 734, 1240, ""), (64, 8, 4096, 1300, 2350, "T"),
     (128, 16, 512, 67.0, 75.8, "H"), (128, 64, 512, 244, 268, ""), (128, 32, 1024, 305, 458, "T"), (128, 16, 2048, 470, 843, ""),
     (128, 4, 8192, 1590, 3110, "T")]


def predict_k(emulator, texts, d, batch, length, causal):
    groups, bn, heads = (3, 128 if causal else 192, 32) if d == 64 else (2, 128 if causal else 176, 16)
    key = d, groups, bn, causal, True, bn == 192
    if key not in texts:
        text, shared, threads = attention_sm90.source(*key)
        texts[key] = from_cuda(text, "90a"), shared, threads
    ptx, shared, threads = texts[key]
    heads *= batch
    arrays = [Hidden(bytearray(heads * length * d * 2)) for _ in range(4)]
    maps = [TensorMap(i, F16, [d, length, heads], [d * 2, length * d * 2], [64, box, 1], swizzle=3, by_value=True)
            for i, box in enumerate((64 * groups, bn, bn, 64))]
    together = min(heads, 1 << (2 ** 25 // (length * 4 * d)).bit_length() - 1) # FA3's: of 32 MB
    words = [v.to_bytes(4, "little") for v in (length, heads, together if causal else 1)]
    words.insert(1, struct.pack("<f", 0.18))
    return emulator.predict(ptx, (132,), [*arrays, *maps, *words],
                            "h100", block=(threads, 1, 1), shared=shared, timing={"clock_mhz": 1500.0, "l2_state": 2})


def set_k(emulator, only_train, quick):
    texts = {}
    for d, batch, length, *times, role in K[:1] if quick else K:
        if only_train and role != "T":
            continue
        for causal, measured in zip((True, False), times):
            p = predict_k(emulator, texts, d, batch, length, causal)
            yield Row(f"D = {d}, {batch} x {length}{', causal' if causal else ''}", role, measured,
                      p["cycles"] / 1500 + p["launch_microseconds"], "us", p["limiter"].split(":")[0],
                      "special function" if d == 64 and not causal else "", said(p))


# E: learn-cuda's ladder of tcgen05 on a B200 (Modal), bf16 4096^3, TFLOPS. Tiles are not given: 128 columns for one block, 256 for a pair. That machine
# is held back by power (more cycles' worth of products make nothing faster): the share is fitted on the last T row.
E_POWER = 0.575
E = [("boxes of 16 bytes", 255, "T", dict(BN=128, STAGES=1, ROLES=0, PAIR=0, PERSISTENT=0, NARROW=1)),
     ("boxes of 128 bytes", 710, "T", dict(BN=128, STAGES=1, ROLES=0, PAIR=0, PERSISTENT=0, NARROW=0)),
     ("pipelined", 914, "H", dict(BN=128, STAGES=4, ROLES=0, PAIR=0, PERSISTENT=0, NARROW=0)),
     ("roles", 1054, "T", dict(BN=128, STAGES=4, ROLES=1, PAIR=0, PERSISTENT=0, NARROW=0)),
     ("pair", 1170, "H", dict(BN=256, STAGES=6, ROLES=1, PAIR=1, PERSISTENT=0, NARROW=0)),
     ("persistent", 1273, "T", dict(BN=256, STAGES=6, ROLES=1, PAIR=1, PERSISTENT=1, NARROW=0))]


@contextlib.contextmanager
def machine_with(name, **numbers):
    """The file of a machine that has some other numbers."""
    text = (HERE.parents[1] / "tileiras" / "Emulator" / "Timing" / "Machines" / f"{name}.gpu").read_text()
    for key, value in numbers.items():
        text, replaced = re.subn(rf"^{key} = \S+", f"{key} = {value}", text, flags=re.M)
        assert replaced == 1
    with tempfile.NamedTemporaryFile("w", suffix=".gpu") as machine:
        machine.write(text)
        machine.flush()
        yield machine


def set_e(emulator, only_train, quick):
    with machine_with("b200", tensor_power_share=E_POWER) as machine:
        n = 4096
        for name, measured, role, macros in E[:1] if quick else E:
            if only_train and role != "T":
                continue
            ptx = from_cuda(HERE / "gemm_sm100.cu", "100a", [f"-D{k}={v}" for k, v in macros.items()])
            pair, rows, width = macros["PAIR"], macros["BN"] // (1 + macros["PAIR"]), 8 if macros["NARROW"] else 64
            maps = [TensorMap(i, BF16, [n, n], [n * 2], [width, box], swizzle=0 if macros["NARROW"] else 3, by_value=True)
                    for i, box in enumerate((128, rows))]
            tiles = n // (128 * (1 + pair)), n // macros["BN"]
            words = [v.to_bytes(4, "little") for v in (n, n // 64, *tiles)]
            p = emulator.predict(ptx, (148 if macros["PERSISTENT"] else tiles[0] * tiles[1] * (1 + pair),),
                                 [*(Hidden(bytearray(n * n * 2)) for _ in range(2)), *maps, bytearray(n * n * 2), *words], machine.name,
                                 block=(192 if macros["ROLES"] else 128, 1, 1), shared=macros["STAGES"] * (128 + rows) * 128,
                                 timing={"samples": 2})
            yield Row(name, role, measured, tflops(p, n, n, n), "TFLOPS", p["limiter"].split(":")[0])


# B: siboehm's ladder of f32 products without tensor cores on an RTX A6000, 4096^3, GFLOPS. A double-buffered step (17278) is not there: its source does not
# say how the work is divided.
B = [("naive", "naive", 32, (32, 32), 309, "T"), ("coalesced", "coalesced", 32, (1024, 1), 1986.5, "H"), ("shared memory", "tiled", 32, (1024, 1), 2980, "T"),
     ("eight of a column", "strip", 64, (512, 1), 8475, "H"), ("8 x 8", "square", 128, (256, 1), 15972, "T"), ("vectors", "vectorised", 128, (256, 1), 18237, "H"),
     ("autotuned", "autotuned", 128, (256, 1), 19721, "T"), ("warps", "warps", 128, (128, 1), 21779, "H")]


def set_b(emulator, only_train, quick):
    ptx, n = from_cuda(HERE / "sgemm.cu", "86"), 4096
    for name, kernel, tile, block, measured, role in B[4:5] if quick else B:
        if only_train and role != "T":
            continue
        p = emulator.predict(ptx, (n // tile, n // tile), [*(bytearray(4 * n * n) for _ in range(3)), n.to_bytes(4, "little"), *[struct.pack("<f", 0.5)] * 2],
                             "rtxa6000", kernel=kernel, block=(*block, 1), timing={"samples": 2})
        yield Row(name, role, measured, 2 * n ** 3 / p["microseconds"] * 1e-3, "GFLOPS", p["limiter"].split(":")[0])


# M: learn-cuda's attention on an RTX 5090 at 400 W, bf16, batch 4, 8 heads of 128, 4096 queries and 8192 keys, TFLOPS. Its fifth step and the first two have
# blocks of 64 keys, the others 32; the first has 128 queries, which registers cannot quite hold, the others 64.
M = [("v1", 142.9, "T", dict(BM=128, BN=64, SWIZZLE=0, STAGES=1, WIDE=0, SINGLE=0)), ("v2, swizzled", 181.1, "H", dict(BM=64, BN=64, SWIZZLE=1, STAGES=1, WIDE=0, SINGLE=0)),
     ("v3, two stages", 189.8, "T", dict(BM=64, BN=32, SWIZZLE=1, STAGES=2, WIDE=0, SINGLE=0)), ("v4, ldmatrix.x4", 194.3, "H", dict(BM=64, BN=32, SWIZZLE=1, STAGES=2, WIDE=1, SINGLE=0)),
     ("v5, one stage of values", 197.7, "H", dict(BM=64, BN=64, SWIZZLE=1, STAGES=2, WIDE=1, SINGLE=1))]


def m_shared(macros):
    return max(macros["BM"], macros["BN"] * (macros["STAGES"] + (1 if macros["SINGLE"] else macros["STAGES"]))) * 256


def set_m(emulator, only_train, quick):
    heads, queries, keys = 32, 4096, 8192
    for name, measured, role, macros in M[:1] if quick else M:
        if only_train and role != "T":
            continue
        ptx = from_cuda(HERE / "attention_mma.cu", "120", [f"-D{k}={v}" for k, v in macros.items()])
        p = emulator.predict(ptx, (heads * queries // macros["BM"],), [*(bytearray(heads * rows * 256) for rows in (queries, keys, keys, queries)),
                                                             *(v.to_bytes(4, "little") for v in (queries, keys)), struct.pack("<f", 0.0884)],
                             "rtx5090", block=(128, 1, 1), shared=m_shared(macros), timing={"samples": 1})
        yield Row(name, role, measured, 4 * heads * queries * keys * 128 / p["microseconds"] * 1e-6, "TFLOPS", p["limiter"].split(":")[0])


# J: DeepGEMM's first version on an H800, e4m3 with scales, TFLOPS by (m, n, k). The clock is that of TileLang's fp8 products on an H800 (the sheet of P's source); that
# of P's rule by power is not right for it (docs/timing.md).
J_CLOCK = 1490.0
J = [(64, 2112, 7168, 206, "T"), (64, 7168, 16384, 336, "H"), (128, 24576, 1536, 535, "T"), (128, 7168, 16384, 645, "H"), (4096, 2112, 7168, 1058, "H"),
     (4096, 24576, 1536, 990, "T"), (4096, 32768, 512, 590, "H"), (4096, 7168, 16384, 1358, "T")]


def j_maps(m, n, k, bm, bn):
    return [TensorMap(0, U8, [k, m], [k], [128, bm], swizzle=3, by_value=True), TensorMap(1, U8, [k, n], [k], [128, bn], swizzle=3, by_value=True),
            TensorMap(2, F32, [m, k // 128], [m * 4], [bm, 1], swizzle=0, by_value=True), TensorMap(3, BF16, [n, m], [n * 2], [bn, bm], swizzle=0, by_value=True)]


def set_j(emulator, only_train, quick):
    for m, n, k, measured, role in J[:1] if quick else J:
        if only_train and role != "T":
            continue
        config = gemm_fp8_sm90.choose(m, n)
        text, shared, threads = gemm_fp8_sm90.source(*config)
        arrays = [Hidden(bytearray(size)) for size in (m * k, n * k, m * k // 32, m * n * 2)]
        p = emulator.predict(from_cuda(text, "90a"), (132,), [*arrays, *j_maps(m, n, k, *config[:2]), bytearray(-(-n // 128) * (k // 128) * 4),
                                                              *(v.to_bytes(4, "little") for v in (m, n, k))],
                             "h100", block=(threads, 1, 1), shared=shared, timing={"samples": 2, "clock_mhz": J_CLOCK})
        yield Row(f"{m} x {n} x {k}, {config[0]}x{config[1]}", role, measured, tflops(p, m, n, k), "TFLOPS", p["limiter"].split(":")[0],
                  "DRAM" if m == 64 and n > 4096 else "", said(p))


# G: gb300-microbench, CuTe DSL's dense products on a B300, bf16 with results of f32, arrays in L2 as far as they fit, TFLOPS by (m, n, k).
G_PAIR, G_ALONE = dict(BN=128, STAGES=8, PAIR=1, PERSISTENT=1), dict(BN=128, STAGES=6, PAIR=0, PERSISTENT=1)
G = [(4096, 4096, 4096, 1665, "T", G_PAIR), (8192, 8192, 8192, 1444, "H", G_PAIR), (16384, 512, 4096, 811, "H", G_PAIR), (32768, 512, 4096, 756, "", G_PAIR),
     (512, 16384, 4096, 1263, "H", G_PAIR), (4096, 4096, 4096, 951, "H", {**G_ALONE, "PERSISTENT": 0}), (4096, 4096, 4096, 1462, "T", G_ALONE)]


def g_launch(m, n, k, macros):
    """Macros, maps, grid, bytes of shared memory."""
    pair, rows = macros["PAIR"], macros["BN"] // (1 + macros["PAIR"])
    maps = [TensorMap(0, BF16, [k, m], [k * 2], [64, 128], swizzle=3, by_value=True), TensorMap(1, BF16, [k, n], [k * 2], [64, rows], swizzle=3, by_value=True),
            TensorMap(2, F32, [n, m], [n * 4], [32, 32], swizzle=3, by_value=True)]
    tiles = m // (128 * (1 + pair)), n // macros["BN"]
    blocks = tiles[0] * tiles[1] * (1 + pair)
    return ([f"-D{key}={value}" for key, value in {**macros, "ROLES": 1, "NARROW": 0, "WIDE": 1}.items()], maps, tiles,
            min(148, blocks) if macros["PERSISTENT"] else blocks, macros["STAGES"] * (128 + rows) * 128 + 4 * 8192)


def set_g(emulator, only_train, quick):
    for m, n, k, measured, role, config in G[:1] if quick else G:
        if only_train and role != "T":
            continue
        macros, maps, tiles, grid, shared = g_launch(m, n, k, config)
        p = emulator.predict(from_cuda(HERE / "gemm_sm100.cu", "103a", macros), (grid,),
                             [*(Hidden(bytearray(size)) for size in (m * k * 2, n * k * 2, m * n * 4)), *maps, *(v.to_bytes(4, "little") for v in (n, k // 64, *tiles))],
                             "b300", block=(192, 1, 1), shared=shared, timing={"samples": 2, "l2_state": 1})
        way = "pairs" if config["PAIR"] else "persistent" if config["PERSISTENT"] else "a block each"
        yield Row(f"{m} x {n} x {k}, {way}", role, measured, tflops(p, m, n, k), "TFLOPS", p["limiter"].split(":")[0])


# L: FlashGPU-Sim's runs of Triton kernels on an RTX 5090 at 2580 MHz, cycles of Nsight Compute (its vectorAdd is in W). The product is an autotuner's: the best
# of its configurations by the model.
L_TUNED = [(128, 128, 64, 8, 3), (64, 128, 64, 4, 4), (128, 64, 64, 4, 4), (64, 64, 64, 4, 4), (128, 128, 32, 4, 4)]


def triton_kernel(script, *arguments, python=None):
    made = json.loads(subprocess.run([python or triton_python(), HERE / script, *map(str, arguments)], capture_output=True, text=True, check=True).stdout)
    # A newer version than the assembler's may stand there; nothing newer is used.
    return made | {"ptx": re.sub(r"^\.version 9\.\d$", ".version 9.0", made["ptx"], flags=re.M)}


def l_rest(made, blocks):
    """What Triton's own parameters are: room for the descriptors of each block, and nothing."""
    return [bytearray(max(1, made["scratch"] * blocks)), bytes(8)][:made["hidden"]]


def set_l(emulator, only_train, quick):
    if only_train:
        return
    timing = {"samples": 2, "clock_mhz": 2580.0, "l2_state": 2}
    m, n, k = 2560, 64, 2560
    found = []
    for bm, bn, bk, warps, stages in L_TUNED[:1] if quick else L_TUNED:
        made = triton_kernel("triton_descriptors.py", "gemm", bm, bn, bk, warps, stages, 120)
        blocks = -(-m // bm) * -(-n // bn)
        p = emulator.predict(made["ptx"], (blocks,), [*(bytearray(2 * size) for size in (m * k, n * k, m * n)), *(v.to_bytes(4, "little") for v in (m, n, k)),
                                                      *l_rest(made, blocks)], "rtx5090", block=(made["threads"], 1, 1), shared=made["shared"], timing=timing)
        found.append((p["cycles"] + p["launch_microseconds"] * p["clock_mhz"], f"{bm}x{bn}x{bk}", p))
    cycles, tile, p = min(found, key=lambda f: f[0])
    yield Row(f"product {m} x {n} x {k}, {tile}", "H", 77191, cycles, "cycles", p["limiter"].split(":")[0])
    heads, length, d = 32 * 32, 512, 64
    made = triton_kernel("triton_descriptors.py", "attention", length, d, 1, 120)
    p = emulator.predict(made["ptx"], (length // 64, heads), [*(bytearray(heads * length * d * 2) for _ in range(4)), struct.pack("<f", 0.125),
                                                             *l_rest(made, length // 64 * heads)], "rtx5090", block=(made["threads"], 1, 1),
                         shared=made["shared"], timing={**timing, "samples": 8})
    yield Row("attention 32 x 32 x 512 x 64, causal", "H", 797247, p["cycles"] + p["launch_microseconds"] * p["clock_mhz"], "cycles", p["limiter"].split(":")[0])


# U: single kernels. An RTX 4090 by tinygrad's steps (its PR 6926), f16 4096^3, TFLOPS: tiles of 64 x 128 x 64 and four warps with f32 sums, of 256 x 128 x 32
# and eight with f16 sums; the first step has no shared memory at all. The clock is the least at which its best kernel (339.8 with f16 sums) is possible.
U_CLOCK = 339.8e6 / (1024 * 128)
U_F32, U_F16 = dict(BM=64, BN=128, BK=64, WARPS_M=2, WARPS_N=2), dict(BM=256, BN=128, BK=32, WARPS_M=4, WARPS_N=2, STAGES=3, HALF=1, AHEAD=1)
# What limits some is known: rows that are not swizzled, as swizzling helps so much; two stages, at 97 % of the tensor cores' peak.
U = [("no shared memory", 105.6, "T", None), ("not swizzled", 104.96, "T", dict(U_F32, STAGES=1, SWIZZLE=0)), ("swizzled", 155.7, "H", dict(U_F32, STAGES=1)),
     ("two stages", 165.3, "T", dict(U_F32, STAGES=2)), ("f16 sums, three stages", 271.8, "H", U_F16), ("f16 sums, staged results", 339.8, "", dict(U_F16, STAGED=1))]


def u_launch(n, macros):
    """Kernel, grid, threads, bytes of shared memory."""
    if not macros:
        return "direct", (n // 128, n // 64), 128, 0
    bm, bn, bk = (macros[key] for key in ("BM", "BN", "BK"))
    return "gemm", (n // bm, n // bn), 32 * macros["WARPS_M"] * macros["WARPS_N"], macros["STAGES"] * (bm + bn) * bk * 2


def set_u(emulator, only_train, quick):
    n = 4096
    for name, measured, role, macros in U[3:4] if quick else U:
        if only_train and role != "T":
            continue
        ptx = from_cuda(HERE / "mma_rows.cu", "89", [f"-D{key}={value}" for key, value in (macros or {}).items()])
        kernel, grid, threads, shared = u_launch(n, macros)
        result = 4 if macros and not macros.get("HALF") else 2
        p = emulator.predict(ptx, grid, [*(bytearray(n * n * size) for size in (2, 2, result)), *[n.to_bytes(4, "little")] * 2], "rtx4090", kernel=kernel,
                             block=(threads, 1, 1), shared=shared, timing={"samples": 2, "clock_mhz": U_CLOCK})
        wanted = {"not swizzled": "shared memory", "two stages": "tensor cores"}.get(name, "")
        yield Row(f"RTX 4090, {name}", role, measured, tflops(p, n, n, n), "TFLOPS", p["limiter"].split(":")[0], wanted, said(p))
    if not only_train and not quick: # YHs_Sample on an A100 PCIe (issue 4), f32 without tensor cores
        m, n, k = 5120, 4096, 4096
        p = emulator.predict(from_cuda(HERE / "sgemm.cu", "80"), (n // 256, m // 128), [*(bytearray(4 * size) for size in (m * k, k * n, m * n)),
                                                                                      *(v.to_bytes(4, "little") for v in (n, k))],
                             "a100", kernel="wide", block=(256, 1, 1), timing={"samples": 2})
        yield Row("A100, f32 5120 x 4096 x 4096", "H", 18.58, tflops(p, m, n, k), "TFLOPS", p["limiter"].split(":")[0], "fma pipe", said(p)) # 95 % of its peak


# U2: what of U is Triton's. An RTX 4060 (triton issue 10851, which gives tiles and clocks), f16 2048^3 by sums; its L2 and DRAM are a third of an RTX 4090's in width, and what it gets
# of DRAM is its source's measurement. An H100 (triton PR 5461), e4m3 8192 x 8192 x 4096 with results of e4m3: tiles of 128 x 256 x 128, eight warps, four stages. Triton
# is the present one: what 3.2 and 3.3 made of the persistent kernels moves sums that are under way, which PTX does not allow.
U_4060 = dict(sms=24, dram_gbs=272, dram_best_gbs=250, dram_read_gbs=250, l2_mib=24, l2_bytes=1708 // 3)
U2_ROWS = [("f32 sums", 30.95, 2610.0, (64, 64, 32, 1, 0, 4, 4)), ("f16 sums", 53.09, 2700.0, (128, 128, 32, 8, 1, 8, 4))]
U2_FP8 = [("plain", 1208.9, ""), ("persistent", 1285.4, "T"), ("descriptors", 1330.7, ""), ("maps", 1347.3, "H")]
U2_TILE = 128, 256, 128


def u2_launch(which, m, n, k, a, b, c):
    """What Triton makes of one of the H100's kernels, its grid and its arguments."""
    bm, bn, bk = U2_TILE
    made = triton_kernel("triton_products.py", which, *U2_TILE, 8, 132, 8, 4, 90)
    grid = -(-m // bm) * -(-n // bn) if which == "plain" else 132
    arrays = [a, b, c]
    if which == "maps":
        arrays = [Hidden(array) for array in arrays]
        for i, (height, width, tall) in enumerate(((m, k, bm), (n, k, bn), (m, n, bm))):
            arrays += [TensorMap(i, U8, [width, height], [width], [128, tall], swizzle=3, by_value=True),
                       *(v.to_bytes(size, "little") for v, size in ((height, 4), (width, 4), (width, 8), (1, 8)))]
    return made, (grid,), [*arrays, *(v.to_bytes(4, "little") for v in (m, n, k)), *l_rest(made, grid)]


def set_u2(emulator, only_train, quick):
    n = 2048
    for name, measured, clock, config in U2_ROWS:
        if only_train or quick:
            break
        made = triton_kernel("triton_products.py", "rows", *config, 89)
        with machine_with("rtx4090", **U_4060) as machine:
            p = emulator.predict(made["ptx"], (-(-n // config[0]) * -(-n // config[1]),), [*(bytearray(2 * n * n) for _ in range(3)), *[n.to_bytes(4, "little")] * 3,
                                                                                       *l_rest(made, 1)],
                                 machine.name, block=(made["threads"], 1, 1), shared=made["shared"], timing={"samples": 2, "clock_mhz": clock})
        yield Row(f"RTX 4060, {name}, {config[0]}x{config[1]}", "H", measured, tflops(p, n, n, n), "TFLOPS", p["limiter"].split(":")[0],
                  "tensor cores", said(p)) # busy for 96 and 90 % by its source's profile
    m, n, k = 8192, 8192, 4096
    for which, measured, role in U2_FP8[1:2] if quick else U2_FP8:
        if only_train and role != "T":
            continue
        made, grid, arguments = u2_launch(which, m, n, k, *(bytearray(size) for size in (m * k, n * k, m * n)))
        p = emulator.predict(made["ptx"], grid, arguments, "h100", block=(made["threads"], 1, 1), shared=made["shared"], timing={"samples": 2})
        yield Row(f"H100, e4m3, {which}", role, measured, tflops(p, m, n, k), "TFLOPS", p["limiter"].split(":")[0])


SETS = {"E": set_e, "K": set_k, "S": set_s, "F": set_f, "A": set_a, "P": set_p, "W": set_w, "B": set_b, "G": set_g, "J": set_j, "L": set_l, "M": set_m, "U": set_u, "U2": set_u2,
        **{name: functools.partial(set_mma, rows, clock=clock) for name, rows, clock in (("C", C, 0.0), ("D", D, 0.0), ("H", H, H_CLOCK))}}
# What the tools must know for a set.
TARGETS = {"E": ["sm_100a"], "K": ["sm_90a"], "S": ["sm_90a"], "F": ["sm_100a"], "A": ["sm_90a"], "P": ["sm_90a"], "W": ["sm_80", "sm_90", "sm_120"],
           "B": ["sm_86"], "G": ["sm_103a"], "J": ["sm_90a"], "L": ["sm_120a"], "M": ["sm_120"], "C": ["sm_80", "sm_120"], "D": ["sm_120"], "H": ["sm_89"], "U": ["sm_80", "sm_89"],
           "U2": ["sm_89", "sm_90a"]}
IN_CUDA = "BCDEGHJKMUW"
IN_TRITON = ("L", "U2")
# Sets that are ladders of one machine; C's are two, and U has one of an RTX 4090.
LADDERS = "ABCEFGKMPSUW"


# Mean error of the training rows, percent.
LIMITS = {"E": 10, "K": 6, "S": 15, "F": 3, "A": 6, "P": 4, "W": 8, "B": 8, "G": 15, "J": 15, "L": 8, "M": 15, "C": 15, "D": 15, "H": 3, "U": 8, "U2": 15}


def kendall(rows):
    pairs = [(a, b) for i, a in enumerate(rows) for b in rows[:i] if a.measured != b.measured]
    return sum(1 if (a.measured - b.measured) * (a.predicted - b.predicted) > 0 else -1 for a, b in pairs) / max(1, len(pairs))


def picked(rows):
    """Of alternatives for one thing: which the model finds best, and how far behind the best that was measured that one is, percent."""
    best = max(rows, key=lambda row: row.predicted)
    return best.name, 100 * (1 - best.measured / max(row.measured for row in rows))


@functools.cache
def triton_python():
    """An interpreter that has Triton, or None."""
    for python in (sys.executable, os.environ.get("TILEIRAS_TRITON_PYTHON")):
        if python and subprocess.run([python, "-c", "import triton"], capture_output=True).returncode == 0:
            return python


S_TRITON = "3.0"  # triton_attention.py says why


@functools.cache
def old_triton_python():
    """An interpreter that has the Triton of set S, or None."""
    for python in (os.environ.get("TILEIRAS_OLD_TRITON_PYTHON"), os.environ.get("TILEIRAS_TRITON_PYTHON"), sys.executable):
        if python:
            found = subprocess.run([python, "-c", "import triton; print(triton.__version__)"], capture_output=True, text=True)
            if found.returncode == 0 and found.stdout.startswith(S_TRITON + "."):
                return python


def lacking(name):
    """What keeps a set from running here, or None. The emulator asks the same ptxas."""
    ptxas = shutil.which(os.environ.get("TILEIRAS_PTXAS") or "ptxas")
    if not ptxas:
        return "there is no ptxas"
    unknown = [t for t in TARGETS[name] if t not in targets.known_to(ptxas)]
    if unknown:
        return f"ptxas does not know {' '.join(unknown)}"
    if name in IN_TRITON and not triton_python():
        return "there is no Triton: neither here nor in the interpreter that TILEIRAS_TRITON_PYTHON names"
    if name == "S" and not old_triton_python():
        return (f"it was measured with the code of Triton {S_TRITON}, another's is not comparable, and TILEIRAS_OLD_TRITON_PYTHON names no interpreter that has it"
                f" (python3.11 -m venv v; v/bin/pip install triton=={S_TRITON}.0)")
    if name in IN_CUDA:
        if not shutil.which("nvcc"):
            return "there is no nvcc"
        known = subprocess.run(["nvcc", "--list-gpu-arch"], capture_output=True, text=True).stdout.split()
        unknown = [t for t in TARGETS[name] if t.replace("sm_", "compute_").rstrip("a") not in known]
        if unknown:
            return f"nvcc does not know {' '.join(unknown)}"
    return None


# What the model still names wrongly.
NAMED_WRONGLY = {"K, D = 64: special functions"}


def limiters(emulator):
    """Kernels whose limit is known from what they are, or from which change of them changed the measured time: what must be named, what is."""
    def loop(kind, m, n, k_bytes, stages):
        size = 2 if kind == "f16" else 1
        ptx, shared, swizzle = kernels.tcgen05_loop(m, n, k_bytes, stages, kind)
        k, steps = k_bytes // size, 512
        maps = [tensor_map(i, BF16 if size == 2 else U8, rows, k * steps, [min(k_bytes, 128) // size, rows], swizzle) for i, rows in enumerate((m, n))]
        return emulator.predict(ptx, (1,), [*(Hidden(bytearray(rows * k_bytes * steps)) for rows in (m, n)), *maps, bytearray(4), steps.to_bytes(4, "little")], "b200",
                                timing={"clock_mhz": 1300.0, "l2_state": 1}, shared=shared)

    yield "F, 128x192x64, 5 stages: products", "tensor cores", said(loop("f16", 128, 192, 128, 5))
    yield "F, 128x256x64, 4 stages: products", "tensor cores", said(loop("f16", 128, 256, 128, 4))
    yield "F, 128x128x64, 2 stages: latency", "latency of bulk copies", said(loop("f16", 128, 128, 128, 2))
    yield "F, 128x64x64, 2 stages: latency", "latency of bulk copies", said(loop("f16", 128, 64, 128, 2))
    yield "F, e4m3 128x128x64, 4 stages: rows of 64 bytes", "bulk copy ingest", said(loop("f8f6f4", 128, 128, 64, 4))
    yield "F, 128x64x64, 6 stages: operands of products", "shared memory", said(loop("f16", 128, 64, 128, 6))
    texts = {}

    def row(target, kernel, machine, grid, arguments, threads):
        if target not in texts:
            texts[target] = from_cuda(HERE / "rows.cu", target)
        return said(emulator.predict(texts[target], (grid,), arguments, machine, kernel=kernel, block=(threads, 1, 1)))

    word = lambda v: v.to_bytes(4, "little")
    yield "O, triad: DRAM", "DRAM", row("80", "triad", "a100", 2 ** 14, [*(bytearray(2 ** 27) for _ in range(3)), word(2 ** 23)], 512)
    yield "O, 64 KB: launch", "launch", row("80", "triad", "a100", 8, [*(bytearray(2 ** 16) for _ in range(3)), word(2 ** 12)], 512)
    for m, n, k, *_ in J[1:2]:
        text, shared, threads = gemm_fp8_sm90.source(*(config := gemm_fp8_sm90.choose(m, n)))
        p = emulator.predict(from_cuda(text, "90a"), (132,), [*(Hidden(bytearray(size)) for size in (m * k, n * k, m * k // 32, m * n * 2)),
                                                              *j_maps(m, n, k, *config[:2]), bytearray(n // 128 * (k // 128) * 4), *map(word, (m, n, k))],
                             "h100", block=(threads, 1, 1), shared=shared, timing={"samples": 2})
        yield "J, 64 rows: DRAM", "DRAM", said(p)
    yield "P, K = 16384: products", "tensor cores", said(gemm90(emulator, "h100", 8192, 8192, 16384, dict(bm=128, bn=256, stages=4, consumers=2, bulk_store=True), 1450.0))
    yield "K, D = 64: special functions", "special function unit", said(predict_k(emulator, {}, 64, 16, 512, False))
    ptx = from_cuda(HERE / "mma_gemm.cu", "80", [f"-D{k}={v}" for k, v in LADDER[0][1].items()])
    yield "C, rows neither padded nor swizzled: shared memory", "shared memory", said(emulator.predict(
        ptx, (1024,), [bytearray(2 ** 25) for _ in range(3)] + [word(4096)] * 2, "a100", block=(128, 1, 1), shared=256 * 128, timing={"samples": 2}))


def model():
    """A name for the model's present state: its sources, the machines and the kernels."""
    digest = hashlib.sha256()
    timing = HERE.parents[1] / "tileiras" / "Emulator" / "Timing"
    for path in sorted([*timing.glob("*.cpp"), *timing.glob("*.h"), *timing.glob("Machines/*.gpu")]):
        if not path.stem.startswith("Report"):
            digest.update(re.sub(rb"(//|#)[^\n]*|\s+", b"", path.read_bytes()))
    return digest.hexdigest()[:12]


def run_set(build, name, train, quick):
    """What to print about a set, the mean error of its training rows (or None), the seconds it took, and what to record."""
    start, rows, text = time.time(), [], []
    for row in SETS[name](Emulator(build), train, quick):
        rows.append(row)
        wrong = "" if row.right else f" (wrong: {row.wanted})"
        text.append(f"| {name} | {row.name} | {row.role} | {row.measured:g} | {row.predicted:.4g} | {row.error:+.1f} % | {row.note}{wrong} |")
    labelled = [row.right for row in rows if row.wanted]
    if labelled:
        text.append(f"{name}: {sum(labelled)} of {len(labelled)} limiters right")
    mean, picks = None, []
    for role in "TH":
        errors = [abs(r.error) for r in rows if r.role == role]
        if errors:
            text.append(f"{name} {role}: mean {sum(errors) / len(errors):.1f} %, worst {max(errors):.1f} % of {len(errors)}")
            mean = sum(errors) / len(errors) if role == "T" else mean
    seconds = time.time() - start
    # Rows of several machines are no ladder; those of each are.
    steps = {}
    for row in rows:
        if name in LADDERS and not (name == "C" and row.name[-4:] in ("2048", "8192")):
            steps.setdefault(row.name.split(" v")[0] if name == "C" else row.name.split(",")[0] if name == "U" else name, []).append(row)
    taus = {ladder: kendall(found) for ladder, found in steps.items() if len(found) > 2}
    ladders = ", ".join(f"{ladder} {tau:.2f}" for ladder, tau in taus.items())
    # Steps of a ladder, or tiles and stages, do the same work.
    if name == "F":
        steps = {}
        for row in rows:
            steps.setdefault(row.name.split()[0], []).append(row)
    if name in "ABCEFM":
        for ladder, found in steps.items():
            text.append("{}: the model picks {}, {:.1f} % below the best".format(ladder, *picked(found)))
            picks.append(picked(found)[1])
    record = {"model": model(), "tau": taus, "picked": max(picks, default=None),
              "rows": [{key: getattr(row, key) for key in ("name", "role", "measured", "predicted", "unit", "note", "wanted", "named")} for row in rows]}
    return "\n".join(text + [f"{name}: {f'Kendall tau {ladders}; ' if ladders else ''}{seconds:.0f} s"]), mean, seconds, record


RECORDED, PAGE = HERE / "results.json", HERE.parents[1] / "docs" / "timing.md"
BEGIN, END = "<!-- made by bench/timing/validate.py --table: begin -->", "<!-- end -->"
WHAT = {"F": ("B200, one SM at 1300 MHz, TMA and tcgen05 loops by stages (SEMI)", "T 4, H 7"),
        "K": ("H100 at 1500 MHz, FlashAttention-3 in f16 (FlashGPU-Sim)", "8, worst 15"),
        "L": ("RTX 5090 at 2580 MHz, Triton kernels (FlashGPU-Sim)", "8, worst 15"),
        "E": ("B200, bf16 4096^3, a tcgen05 ladder (GAU)", "15, tau 0.85"),
        "A": ("H100, bf16 4096^3, a wgmma ladder (FAST)", "15, tau 0.85"),
        "B": ("RTX A6000, f32 4096^3 without tensor cores (SIB)", "15, tau 0.85"),
        "S": ("H100, attention by Triton 3.0, six lengths (pytorch/benchmark)", "15"),
        "P": ("H800, 1450 MHz with full tensor cores, fp16 8192 x 8192 x K (TileLang)", "15"),
        "G": ("B300, bf16 products of CuTe (GB3)", "15"), "J": ("H800 at 1490 MHz, e4m3 with scales (DG)", "15"),
        "M": ("RTX 5090, attention by mma.sync (GAU)", "15, tau 0.85"), "C": ("A100 and RTX 5090, bf16 by mma.sync (GAU)", "15, tau 0.85"),
        "D": ("RTX 5090, bf16 by mma.sync, three sizes (GAU)", "15"), "H": ("RTX 4090 at 2216 MHz, bf16 by mma.sync, squares and few rows (MYM)", "15"),
        "U": ("RTX 4090 at 2592 MHz, f16 4096^3 by mma.sync (tinygrad); A100, f32 without tensor cores (YHS)", "15"),
        "U2": ("Triton's f16 products on an RTX 4060, and e4m3 on an H100 (triton)", "15"),
        "W": ("streams and row kernels on A100, H100, RTX 5090 (RRZE, FAST, QCK, FGS)", "8")}


def tables(recorded):
    """The recorded errors in Markdown: by set, then by row."""
    lines = ["| set | what | T: mean, worst | H: mean, worst | not marked | tau | limiters | picked | wanted |", "|---|---|---|---|---|---|---|---|---|"]
    rows = {name: [Row(**row) for row in recorded[name]["rows"]] for name in WHAT if name in recorded}
    models = {recorded[name]["model"] for name in rows}
    for name, found in rows.items():
        def errors(role):
            these = [abs(row.error) for row in found if row.role == role]
            return f"{sum(these) / len(these):.1f}, {max(these):.1f} of {len(these)}" if these else ""
        labelled = [row.right for row in found if row.wanted]
        tau = ", ".join(f"{value:.2f}" for value in recorded[name]["tau"].values())
        best = recorded[name]["picked"]
        lines.append(f"| {name} | {WHAT[name][0]} | {errors('T')} | {errors('H')} | {errors('')} | {tau} | "
                     f"{f'{sum(labelled)} of {len(labelled)}' if labelled else ''} | {'' if best is None else f'{best:.1f}'} | {WHAT[name][1]} |")
    labelled = [row.right for found in rows.values() for row in found if row.wanted]
    lines += ["", f"Limiters that are known from a row's own measurements or its shape: {sum(labelled)} of {len(labelled)} named rightly"
              f" ({100 * sum(labelled) / max(1, len(labelled)):.0f} %, 90 are wanted).",
              "All rows are of one state of the model." if len(models) == 1 else
              "Not all sets were run on the same state of the model: " + "; ".join(
                  ", ".join(name for name in rows if recorded[name]["model"] == m) for m in sorted(models)) + "."]
    if missing := [name for name in WHAT if name not in recorded]:
        lines[-1] += f" Not run on it: {', '.join(missing)}."
    lines += ["", "| set | row | | measured | predicted | error | limiter |", "|---|---|---|---|---|---|---|"]
    for name, found in rows.items():
        lines += [f"| {name} | {row.name} | {row.role} | {row.measured:g} {row.unit} | {row.predicted:.4g} | {row.error:+.1f} % | "
                  f"{row.note}{'' if row.right else f' (known: {row.wanted})'} |" for row in found]
    return "\n".join(lines)


def write_table(check):
    """Puts the recorded errors onto the page; with `check`, says whether they are there."""
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    new = f"{before}{BEGIN}\n{tables(json.loads(RECORDED.read_text()))}\n{END}{rest.split(END, 1)[1]}"
    if check and new != text:
        print(f"{PAGE.name} is not what {RECORDED.name} says: run validate.py BUILD --table", file=sys.stderr)
        return 1
    if not check:
        PAGE.write_text(new)
    return 0


# What --drift looks at: so many of a set's quick rows, which are among those recorded.
DRIFTS = {"W": 1, "F": 3, "A": 1, "B": 1}


def drift(build, report):
    """Whether some quick predictions are those recorded, to half a percent; which are not, is said."""
    recorded, moved, count, skips = json.loads(RECORDED.read_text()), 0, 0, []
    for name, few in DRIFTS.items():
        if why := lacking(name):
            skips.append(f"set {name}: {why}")
            continue
        for row in itertools.islice(SETS[name](Emulator(build), False, True), few):
            was = next((r["predicted"] for r in recorded[name]["rows"] if r["name"] == row.name), None)
            count += 1
            if was is None or abs(row.predicted / was - 1) > 0.005:
                moved += 1
                print(f"{name}, {row.name}: {row.predicted:.4g} {row.unit}, recorded {was if was is None else f'{was:.4g}'}", file=sys.stderr)
    moved += write_table(True)
    print(f"{count} predictions, {moved} not as recorded{''.join('; ' + s for s in skips)}")
    if moved:
        print("if the model was meant to change: validate.py BUILD --record, and look at every set", file=sys.stderr)
    if report:
        pathlib.Path(report).write_text(json.dumps({"passed": count - moved, "failed": moved, "skipped": len(skips), "skips": skips}))
    return int(moved > 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("sets", nargs="*", help=" ".join(SETS))
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--limiters", action="store_true", help="what kernels are limited by, instead of how long they take")
    parser.add_argument("--jobs", type=int, default=1, help="sets side by side")
    parser.add_argument("--report")
    parser.add_argument("--record", action="store_true", help="keep the results in results.json and put them into docs/timing.md")
    parser.add_argument("--table", action="store_true", help="put results.json into docs/timing.md; with --check, see whether it is there")
    parser.add_argument("--drift", action="store_true", help="see whether quick rows are predicted as they are recorded")
    options = parser.parse_args()
    if options.table:
        return write_table(options.check)
    if options.drift:
        return drift(options.build, options.report)
    if options.record and (options.train or options.quick):
        parser.error("what is recorded is whole sets")
    if options.limiters:
        if why := next(filter(None, map(lacking, "FWJPKC")), None):
            print(f"limiters: skipped, {why}")
            if options.report:
                pathlib.Path(options.report).write_text(json.dumps({"passed": 0, "failed": 0, "skipped": 1, "skips": [f"limiters: {why}"]}))
            return 0
        named, unexpected = [], 0
        for case, wanted, got in limiters(Emulator(options.build)):
            named.append(wanted in got)
            expected = named[-1] != (case in NAMED_WRONGLY)
            unexpected += not expected
            note = "" if named[-1] else "  (wrong, as is known)" if expected else "  WRONG"
            print(f"{case}: {got}{note}{'' if expected or not named[-1] else '  (right: no longer to be listed)'}", flush=True)
        print(f"{named.count(False)} of {len(named)} wrong, {unexpected} against what is known")
        if options.report:
            pathlib.Path(options.report).write_text(json.dumps({"passed": len(named) - unexpected, "failed": unexpected, "skipped": 0}))
        return int(unexpected > 0)
    names = options.sets or list(SETS)
    for name in names:
        if name not in SETS:
            parser.error(f"there is no set {name}")
    skips = {name: why for name in names if (why := lacking(name))}
    cases, failed = [], []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        parts = {name: pool.submit(run_set, options.build, name, options.train, options.quick) for name in names if name not in skips}
        for name in names:
            if name in skips:
                print(f"{name}: skipped, {skips[name]}")
                continue
            try:
                text, mean, seconds, record = parts[name].result()
            except Exception as error:  # of the emulator, or of nvcc
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
                failed.append(name)
                continue
            print(text, flush=True)
            cases.append([name, seconds])
            if options.record: # at once, so that what a long run has found is kept
                with open(RECORDED, "a+") as file: # another run may have other sets
                    fcntl.flock(file, fcntl.LOCK_EX)
                    file.seek(0)
                    recorded = json.loads(file.read() or "{}") | {name: record}
                    file.truncate(0)
                    file.write(json.dumps(recorded, indent=1, sort_keys=True) + "\n")
            if options.check and mean is not None and mean > LIMITS[name]:
                print(f"{name}: the errors are beyond their limit of {LIMITS[name]} %", file=sys.stderr)
                failed.append(name)
    if options.record:
        write_table(False)
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps({
            "passed": len(names) - len(skips) - len(failed), "failed": len(failed), "skipped": len(skips),
            "skips": [f"set {name}: {why}" for name, why in skips.items()], "cases": cases}))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
