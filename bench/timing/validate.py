#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The timing model against published measurements.

    bench/timing/validate.py BUILD [SET...] [--train] [--quick] [--check] [--jobs N] [--report FILE]

Each row: what was measured, what the model says, the error. T rows may be fitted, H rows (held out) may not; --train leaves
the latter out. --quick takes one row of each group; --check fails if the errors of the training rows have grown beyond LIMITS. Sets
and letters are those of docs/timing.md. Needs no GPU, but a ptxas, for the limits are those of its register and instruction counts,
and for the sets in CUDA nvcc; a set that lacks its tool is skipped. --report writes the number of sets within their limits.
"""

import argparse
import concurrent.futures
import functools
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
import kernels  # noqa: E402
import targets  # noqa: E402
from emulator import Emulator, Hidden, TensorMap  # noqa: E402

BF16, F16, U8 = 9, 6, 0


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


class Row:
    def __init__(self, name, role, measured, predicted, unit, note=""):
        self.name, self.role, self.measured, self.predicted, self.unit, self.note = name, role, measured, predicted, unit, note

    @property
    def error(self):
        return 100 * (self.predicted / self.measured - 1)


# F: SemiAnalysis, B200, one SM at 1300 MHz, TFLOPS of a CUTLASS main loop by number of stages from 2.
F = [("f16", 128, 128, 128, [3.69, 5.46, 7.16, 8.74, 10.01, 10.17], "T"), ("f16", 128, 256, 128, [5.59, 8.27, 10.46], "H"),
     ("f16", 128, 192, 128, [4.69, 6.96, 9.11, 10.44], "H"), ("f16", 128, 64, 128, [2.82, 4.23, 5.57, 6.76, 6.77], "T"),
     ("f16", 64, 128, 128, [2.70, 4.02, 5.22], "H"), ("f8f6f4", 128, 128, 128, [9.68, 14.45, 18.94, 19.83], "T"),
     ("f8f6f4", 128, 128, 64, [5.78, 8.64, 10.42], "H"), ("f8f6f4", 128, 256, 128, [14.59, 20.64], "H"),
     ("f8f6f4", 128, 64, 128, [5.57, 8.30, 10.89, 13.15], "H")]


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
            peak = 10.65 if size == 2 else 21.3
            label = ("tensor cores" if measured > 0.93 * peak else "not tensor cores")
            mine = "tensor cores" if predicted > 0.93 * peak else "not tensor cores"
            yield Row(f"{kind} {m}x{n}x{k} {stages} stages", role, measured, predicted, "TFLOPS",
                      "" if label == mine else "limiter differs")


# A: fast.cu, H100 SXM, bf16, M = N = K = 4096, TFLOPS. P: TileLang on an H800, M = N = 8192 by K.
A = [("2: 64x64, no overlap", dict(bm=64, bn=64, stages=1, consumers=1, overlap=False, everyone=True), 317, "T"),
     ("3: 128x128, no overlap", dict(bm=128, bn=128, stages=1, consumers=1, overlap=False, everyone=True), 423, "H"),
     ("4: producer and consumer, 5 stages", dict(bm=128, bn=128, stages=5, consumers=1, everyone=True), 498, "T"),
     ("5: 128x256, two consumers, 3 stages", dict(bm=128, bn=256, stages=3, consumers=2, everyone=True), 610, "H"),
     ("6: persistent", dict(bm=128, bn=256, stages=3, consumers=2, persistent=True, everyone=True), 660, "T"),
     ("7: one arrival of each warpgroup", dict(bm=128, bn=256, stages=3, consumers=2, persistent=True), 704, "H"),
     ("8: clusters of two, multicast", dict(bm=128, bn=256, stages=3, consumers=2, persistent=True, pair=True), 734, "T")]
P = [(256, 386, "H"), (1024, 628, "T"), (4096, 736, "H"), (16384, 766, "T")]


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
        yield Row(name, role, measured, p["tflops"], "TFLOPS", p["limiter"].split(":")[0])


def set_p(emulator, only_train, quick):
    for k, measured, role in P[1:2] if quick else P:
        if only_train and role == "H":
            continue
        p = gemm90(emulator, "h100", 8192, 8192, k, dict(bm=128, bn=256, stages=4, consumers=2, bulk_store=True), clock=1450.0)
        yield Row(f"K = {k}", role, measured, p["tflops"], "TFLOPS", p["limiter"].split(":")[0])


# O: RRZE, triad at full occupancy. W: quack, M = 4096, bf16. Sum: fast.cu. GB/s. (Arrays are smaller than measured where a
# gigabyte would be needed; the steady state is the same.)
ROWS = [("O triad, A100", "a100", 80, "triad", 2 ** 23, 512, 1794, "T"), ("A sum of int32, H100", "h100", 90, "sum", 2 ** 26, 1024, 3240, "T"),
        ("L vectorAdd of 2 M floats, RTX 5090", "rtx5090", 120, "add", 2 ** 21, 256, 29643, "T"),
        ("W copy, H100", "h100", 90, "copy", 2 ** 25, 512, 3003, "T"), ("W RMSNorm N=4096, RTX 5090", "rtx5090", 120, "rmsnorm2", 4096, 256, 1477, "T"),
        ("W RMSNorm N=8192, RTX 5090", "rtx5090", 120, "rmsnorm4", 8192, 256, 1531, "T"),
        ("W RMSNorm N=16384, RTX 5090", "rtx5090", 120, "rmsnorm8", 16384, 256, 1539, "T"),
        ("W softmax N=4096, RTX 5090", "rtx5090", 120, "softmax2", 4096, 256, 1552, "H"),
        ("W softmax N=8192, RTX 5090", "rtx5090", 120, "softmax4", 8192, 256, 1527, "H"),
        ("W softmax N=16384, RTX 5090", "rtx5090", 120, "softmax8", 16384, 256, 1504, "H")]


def set_w(emulator, only_train, quick):
    texts = {}
    for name, machine, target, kernel, size, threads, measured, role in ROWS[3:4] if quick else ROWS:
        if only_train and role == "H":
            continue
        if target not in texts:
            texts[target] = from_cuda(HERE / "rows.cu", target)
        word = lambda v: v.to_bytes(4, "little")
        if kernel == "triad":
            arrays, moved, grid = [bytearray(16 * size) for _ in range(3)], 48 * size, size // threads
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
        p = emulator.predict(texts[target], (grid,), arguments, machine, kernel=kernel, block=(threads, 1, 1),
                             timing={"l2_state": 0 if moved else 2}) # cycles are Nsight Compute's, which flushes L2
        if not moved: # in cycles of a locked clock
            yield Row(name, role, measured, p["cycles"] + p["launch_microseconds"] * p["clock_mhz"], "cycles", p["limiter"].split(":")[0])
            continue
        yield Row(name, role, measured, moved / p["microseconds"] * 1e-3, "GB/s", p["limiter"].split(":")[0])


# H: mymatmul, RTX 4090. C and D: learn-cuda, on an A100 and on an RTX 5090 at 400 W; the steps of C with the tiles that their source gives
# them. bf16, M = N = K, TFLOPS.
def mma(bm, bn, bk, warps_m=2, warps_n=2, stages=2, **more):
    return dict(BM=bm, BN=bn, BK=bk, WARPS_M=warps_m, WARPS_N=warps_n, STAGES=stages, **{k.upper(): v for k, v in more.items()})


LADDER = [("v1", mma(128, 128, 64, stages=1, ASYNC=0, PLACE=0, WIDE=0, EARLY=0), 140.7, 59.9, "T"),
          ("v2, cp.async", mma(128, 128, 64, stages=1, PLACE=0, WIDE=0, EARLY=0), 152.9, 64.9, "H"),
          ("v3, padded", mma(128, 128, 64, stages=1, PLACE=1, WIDE=0, EARLY=0), 160.5, 166.8, "T"),
          ("v4, swizzled", mma(128, 128, 64, stages=1, WIDE=0, EARLY=0), 177.4, 190.9, "H"),
          ("v6, two stages", mma(128, 64, 64), 177.7, 220.8, "T")]
MMA = [("H 1024, 64x64x64", "rtx4090", 89, 1024, mma(64, 64, 64), 87.4, "H"), ("H 2048, 128x64x64", "rtx4090", 89, 2048, mma(128, 64, 64), 128.1, "T"),
       ("H 4096, 128x128x32", "rtx4090", 89, 4096, mma(128, 128, 32), 138.7, "T"), ("H 8192, 128x128x32", "rtx4090", 89, 8192, mma(128, 128, 32), 142.5, "H"),
       *((f"C A100 {name}", "a100", 80, 4096, tile, a100, role) for name, tile, _, a100, role in LADDER),
       ("C A100 v6, 2048", "a100", 80, 2048, mma(128, 64, 64), 168, "H"), ("C A100 v6, 8192", "a100", 80, 8192, mma(128, 64, 64), 240, "H"),
       *((f"C RTX 5090 {name}", "rtx5090", 120, 4096, tile, ada, role) for name, tile, ada, _, role in LADDER),
       ("D RTX 5090, 4096", "rtx5090", 120, 4096, mma(128, 128, 32), 164, "T")]


def set_m(emulator, only_train, quick):
    texts = {}
    for name, machine, target, n, tile, measured, role in MMA[1:2] if quick else MMA:
        if only_train and role == "H":
            continue
        key = (target, *sorted(tile.items()))
        if key not in texts:
            texts[key] = from_cuda(HERE / "mma_gemm.cu", target, [f"-D{k}={v}" for k, v in tile.items()])
        bm, bn, row = tile["BM"], tile["BN"], 2 * tile["BK"] + 16 * (tile.get("PLACE") == 1)
        word = n.to_bytes(4, "little")
        p = emulator.predict(texts[key], (n // bm * (n // bn),), [bytearray(n * n * 2) for _ in range(3)] + [word, word], machine,
                             block=(32 * tile["WARPS_M"] * tile["WARPS_N"], 1, 1), shared=tile["STAGES"] * (bm + bn) * row,
                             timing={"samples": 2})
        yield Row(name, role, measured, p["tflops"], "TFLOPS", p["limiter"].split(":")[0])


# S: FlashAttention-2 in Triton on an H100, f16, 32 heads, head dimension 64, not causal, TFLOPS by (batch, length). The kernel is ours, the best of
# a few configurations by the model, for the measured one is an autotuner's.
S = [(32, 512, 290, "T"), (16, 1024, 324, "T"), (8, 2048, 339, "T"), (4, 4096, 348, "T"), (2, 8192, 350, "T"), (1, 16384, 353, "T")]
S_TUNED = [(128, 64, 4, 3), (128, 128, 8, 3), (128, 64, 8, 3)]


def set_s(emulator, only_train, quick):
    made = [json.loads(subprocess.run([triton_python(), HERE / "triton_attention.py", *map(str, config), "90"], capture_output=True, text=True,
                                      check=True).stdout) for config in (S_TUNED[:1] if quick else S_TUNED)]
    for batch, length, measured, role in S[1:2] if quick else S:
        size = batch * 32 * length * 64 * 2
        found = []
        for config, kernel in zip(S_TUNED, made):
            arguments = [bytearray(size), *(bytearray(size) for _ in range(3)), length.to_bytes(4, "little"), struct.pack("<f", 0.18)]
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


def set_k(emulator, only_train, quick):
    texts = {}
    for d, batch, length, *times, role in K[:1] if quick else K:
        if only_train and role != "T":
            continue
        for causal, measured in zip((True, False), times):
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
            p = emulator.predict(ptx, (132,), [*arrays, *maps, *words],
                                 "h100", block=(threads, 1, 1), shared=shared, timing={"clock_mhz": 1500.0, "l2_state": 2})
            yield Row(f"D = {d}, {batch} x {length}{', causal' if causal else ''}", role, measured,
                      p["cycles"] / 1500 + p["launch_microseconds"], "us", p["limiter"].split(":")[0])


# E: learn-cuda's ladder of tcgen05 on a B200 (Modal), bf16 4096^3, TFLOPS. Tiles are not given: 128 columns for one block, 256 for a pair. That machine
# is held back by power (more cycles' worth of products make nothing faster): the share is fitted on the last T row.
E_POWER = 0.575
E = [("boxes of 16 bytes", 255, "T", dict(BN=128, STAGES=1, ROLES=0, PAIR=0, PERSISTENT=0, NARROW=1)),
     ("boxes of 128 bytes", 710, "T", dict(BN=128, STAGES=1, ROLES=0, PAIR=0, PERSISTENT=0, NARROW=0)),
     ("pipelined", 914, "H", dict(BN=128, STAGES=4, ROLES=0, PAIR=0, PERSISTENT=0, NARROW=0)),
     ("roles", 1054, "T", dict(BN=128, STAGES=4, ROLES=1, PAIR=0, PERSISTENT=0, NARROW=0)),
     ("pair", 1170, "H", dict(BN=256, STAGES=6, ROLES=1, PAIR=1, PERSISTENT=0, NARROW=0)),
     ("persistent", 1273, "T", dict(BN=256, STAGES=6, ROLES=1, PAIR=1, PERSISTENT=1, NARROW=0))]


def set_e(emulator, only_train, quick):
    machines = HERE.parents[1] / "tileiras" / "Emulator" / "Timing" / "Machines"
    text, replaced = re.subn(r"tensor_power_share = \S+", f"tensor_power_share = {E_POWER}", (machines / "b200.gpu").read_text())
    assert replaced == 1
    with tempfile.NamedTemporaryFile("w", suffix=".gpu") as machine:
        machine.write(text)
        machine.flush()
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
            yield Row(name, role, measured, p["tflops"], "TFLOPS", p["limiter"].split(":")[0])


SETS = {"E": set_e, "K": set_k, "S": set_s, "M": set_m, "F": set_f, "A": set_a, "P": set_p, "W": set_w}
# What the tools must know for a set.
TARGETS = {"E": ["sm_100a"], "K": ["sm_90a"], "S": ["sm_90a"], "M": ["sm_80", "sm_89", "sm_120"], "F": ["sm_100a"], "A": ["sm_90a"], "P": ["sm_90a"], "W": ["sm_80", "sm_90", "sm_120"]}
IN_CUDA = "EKMW"


# Mean error of the training rows, percent.
LIMITS = {"E": 10, "K": 8, "S": 15, "M": 10, "F": 4, "A": 8, "P": 10, "W": 8}


def kendall(rows):
    pairs = [(a, b) for i, a in enumerate(rows) for b in rows[:i] if a.measured != b.measured]
    return sum(1 if (a.measured - b.measured) * (a.predicted - b.predicted) > 0 else -1 for a, b in pairs) / max(1, len(pairs))


@functools.cache
def triton_python():
    """An interpreter that has Triton, or None."""
    for python in (sys.executable, os.environ.get("TILEIRAS_TRITON_PYTHON")):
        if python and subprocess.run([python, "-c", "import triton"], capture_output=True).returncode == 0:
            return python


def lacking(name):
    """What keeps a set from running here, or None. The emulator asks the same ptxas."""
    ptxas = shutil.which(os.environ.get("TILEIRAS_PTXAS") or "ptxas")
    if not ptxas:
        return "there is no ptxas"
    unknown = [t for t in TARGETS[name] if t not in targets.known_to(ptxas)]
    if unknown:
        return f"ptxas does not know {' '.join(unknown)}"
    if name == "S" and not triton_python():
        return "there is no Triton: neither here nor in the interpreter that TILEIRAS_TRITON_PYTHON names"
    if name in IN_CUDA:
        if not shutil.which("nvcc"):
            return "there is no nvcc"
        known = subprocess.run(["nvcc", "--list-gpu-arch"], capture_output=True, text=True).stdout.split()
        unknown = [t for t in TARGETS[name] if t.replace("sm_", "compute_").rstrip("a") not in known]
        if unknown:
            return f"nvcc does not know {' '.join(unknown)}"
    return None


def run_set(build, name, train, quick):
    """What to print about a set, the mean error of its training rows (or None), and the seconds it took."""
    start, rows, text = time.time(), [], []
    for row in SETS[name](Emulator(build), train, quick):
        rows.append(row)
        text.append(f"| {name} | {row.name} | {row.role} | {row.measured:g} | {row.predicted:.4g} | {row.error:+.1f} % | {row.note} |")
    mean = None
    for role in "TH":
        errors = [abs(r.error) for r in rows if r.role == role]
        if errors:
            text.append(f"{name} {role}: mean {sum(errors) / len(errors):.1f} %, worst {max(errors):.1f} % of {len(errors)}")
            mean = sum(errors) / len(errors) if role == "T" else mean
    seconds = time.time() - start
    # Rows of several machines are no ladder; those of each are.
    steps = {}
    for row in rows:
        if name == "M" and not (row.name.startswith("C ") and row.name[-4:] not in ("2048", "8192")):
            continue
        steps.setdefault(" ".join(row.name.split()[1:2]) if name == "M" else name, []).append(row)
    ladders = ", ".join(f"{ladder} {kendall(found):.2f}" for ladder, found in steps.items() if len(found) > 2)
    return "\n".join(text + [f"{name}: Kendall tau {ladders}; {seconds:.0f} s"]), mean, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("sets", nargs="*", help=" ".join(SETS))
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="sets side by side")
    parser.add_argument("--report")
    options = parser.parse_args()
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
                text, mean, seconds = parts[name].result()
            except Exception as error:  # of the emulator, or of nvcc
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
                failed.append(name)
                continue
            print(text, flush=True)
            cases.append([name, seconds])
            if options.check and mean is not None and mean > LIMITS[name]:
                print(f"{name}: the errors are beyond their limit of {LIMITS[name]} %", file=sys.stderr)
                failed.append(name)
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps({
            "passed": len(names) - len(skips) - len(failed), "failed": len(failed), "skipped": len(skips),
            "skips": [f"set {name}: {why}" for name, why in skips.items()], "cases": cases}))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
