#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the kernels that the sets of validate.py are predicted from compute what they should: they run on the emulator, with its checks for races, and
are compared with NumPy.

    bench/timing/right.py BUILD [--only NAME] [--report FILE]

Needs nvcc and NumPy (of this interpreter, or of the one that TILEIRAS_TRITON_PYTHON names); without them everything is skipped. Sets L, S and U2 need Triton, too, S one of its own.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import validate
from emulator import EmulatorError
from validate import BF16, F16, E, Emulator, Hidden, TensorMap, attention_sm90, from_cuda, gemm_fp8_sm90

try:
    import numpy as np
except ImportError:
    np = None


def attention(emulator, d, groups, bn, causal, length, heads):
    text, shared, threads = attention_sm90.source(d, groups, bn, causal, True, bn == 192)
    random = np.random.default_rng(1)
    q, k, v = (random.standard_normal((heads, length, d)).astype(np.float16) for _ in range(3))
    o = np.zeros_like(q)
    maps = [TensorMap(i, F16, [d, length, heads], [d * 2, length * d * 2], [64, box, 1], swizzle=3, by_value=True)
            for i, box in enumerate((64 * groups, bn, bn, 64))]
    scale = np.float32(1.4426950408889634 / d ** 0.5)
    emulator.run(from_cuda(text, "90a"), (3,), [*(Hidden(t) for t in (q, k, v, o)), *maps, np.int32(length), scale, np.int32(heads), np.int32(1)],
                 block=(threads, 1, 1), shared=shared, check_races=1)
    return np.abs(o - softmax(q, k, v, causal)).max() < 2e-3


def gemm(emulator, macros):
    m, n, k = 512, 512, 448
    pair, rows, width = macros["PAIR"], macros["BN"] // (1 + macros["PAIR"]), 8 if macros["NARROW"] else 64
    random = np.random.default_rng(1)
    a, b = random.integers(-3, 4, (m, k)), random.integers(-3, 4, (n, k))
    c = np.zeros((m, n), np.uint16)
    maps = [TensorMap(i, BF16, [k, r], [k * 2], [width, box], swizzle=0 if macros["NARROW"] else 3, by_value=True)
            for i, (r, box) in enumerate(((m, 128), (n, rows)))]
    tiles = m // (128 * (1 + pair)), n // macros["BN"]
    emulator.run(from_cuda(validate.HERE / "gemm_sm100.cu", "100a", [f"-D{key}={value}" for key, value in macros.items()]),
                 (2 if macros["PERSISTENT"] else tiles[0] * tiles[1] * (1 + pair),),
                 [Hidden(bits(a)), Hidden(bits(b)), *maps, c, *(np.int32(value) for value in (n, k // 64, *tiles))],
                 block=(192 if macros["ROLES"] else 128, 1, 1), shared=macros["STAGES"] * (128 + rows) * 128, check_races=1)
    wanted = a @ b.T
    return np.abs(real(c) - wanted).max() <= np.abs(wanted).max() / 256 # one rounding to bf16


def bits(t):
    """As bf16, cut off."""
    return np.ascontiguousarray(t.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def real(t):
    return (t.astype(np.uint32) << 16).view(np.float32)


def sgemm(emulator, ptx, kernel, tile, block):
    n = 256
    random = np.random.default_rng(1)
    a, b, c = (random.integers(-4, 5, (n, n)).astype(np.float32) for _ in range(3))
    out = c.copy()
    emulator.run(ptx, (n // tile, n // tile), [a, b, out, np.int32(n), np.float32(0.5), np.float32(2)], kernel=kernel, block=(*block, 1), check_races=1)
    return (out == 0.5 * (a @ b) + 2 * c).all()


def mma_gemm(emulator, tile):
    n = 256
    random = np.random.default_rng(1)
    a, b = (random.integers(-3, 4, (n, n)) for _ in range(2))
    c = np.zeros((n, n), np.uint16)
    row = 2 * tile["BK"] + 16 * (tile.get("PLACE") == 1)
    emulator.run(from_cuda(validate.HERE / "mma_gemm.cu", "80", [f"-D{k}={v}" for k, v in tile.items()]), (n // tile["BM"] * (n // tile["BN"]),),
                 [bits(a), bits(b), c, np.int32(n), np.int32(n)], block=(32 * tile["WARPS_M"] * tile["WARPS_N"], 1, 1),
                 shared=tile["STAGES"] * (tile["BM"] + tile["BN"]) * row, check_races=1)
    wanted = a @ b.T
    return np.abs(real(c) - wanted).max() <= np.abs(wanted).max() / 256


def mma_rows(emulator, macros):
    """Products of single kernels: `macros` None is the one without shared memory."""
    n = 512
    random = np.random.default_rng(1)
    a, b = (random.integers(-2, 3, (n, n)).astype(np.float16) for _ in range(2))
    c = np.zeros((n, n), np.float32 if macros and not macros.get("HALF") else np.float16)
    kernel, grid, threads, shared = validate.u_launch(n, macros)
    emulator.run(from_cuda(validate.HERE / "mma_rows.cu", "89", [f"-D{key}={value}" for key, value in (macros or {}).items()]), grid,
                 [a, b, c, np.int32(n), np.int32(n)], kernel=kernel, block=(threads, 1, 1), shared=shared, check_races=1)
    return (c == a.astype(np.float32) @ b.astype(np.float32)).all() # whole numbers that f16 has


def wide_sgemm(emulator, ptx):
    m, n, k = 256, 512, 104
    random = np.random.default_rng(1)
    a, b = (random.integers(-4, 5, shape).astype(np.float32) for shape in ((m, k), (k, n)))
    c = np.zeros((m, n), np.float32)
    emulator.run(ptx, (n // 256, m // 128), [a, b, c, np.int32(n), np.int32(k)], kernel="wide", block=(256, 1, 1), check_races=1)
    return (c == a @ b).all()


def triton_rows(emulator, config):
    m, n, k = 200, 264, 168 # bounds in all directions
    random = np.random.default_rng(1)
    a, b = (random.integers(-2, 3, shape).astype(np.float16) for shape in ((m, k), (k, n)))
    c = np.zeros((m, n), np.float16)
    made = validate.triton_kernel("triton_products.py", "rows", *config, 89)
    emulator.run(made["ptx"], (-(-m // config[0]) * -(-n // config[1]),), [a, b, c, *(np.int32(v) for v in (m, n, k)), *validate.l_rest(made, 1)],
                 block=(made["threads"], 1, 1), shared=made["shared"], check_races=1)
    return (c == a.astype(np.float32) @ b.astype(np.float32)).all()


def triton_e4m3(emulator, which):
    """More tiles than blocks, so that the second round of some is seen."""
    m, n, k = 128 * 17, 256 * 8, 256
    random = np.random.default_rng(1)
    a, b = (random.integers(-1, 2, (rows, k)) for rows in (m, n))
    c = np.zeros((m, n), np.uint8)
    made, grid, arguments = validate.u2_launch(which, m, n, k, *(np.array([0, 0x38, 0xb8], np.uint8)[t] for t in (a, b)), c) # 0, 1, -1
    try:
        emulator.run(made["ptx"], grid, arguments, block=(made["threads"], 1, 1), shared=made["shared"], check_races=1)
    except EmulatorError as error:
        # It leaves out the fence between cp.async and wgmma, and that between an mbarrier's init and a copy.
        if any("[proxy]" not in report for report in error.reports):
            raise
    found, wanted = e4m3()[c], a @ b.T
    return (np.abs(found - wanted) <= np.abs(wanted) / 16).all()


def e4m3():
    return np.array([(-1.0) ** (c >> 7) * ((c & 7) / 8 + (c >> 3 & 15 > 0)) * 2.0 ** (max(c >> 3 & 15, 1) - 7) for c in range(256)])


def mma_attention(emulator, macros):
    heads, queries, keys, d = 2, 128, 192, 128
    random = np.random.default_rng(1)
    q, k, v = (real(bits(random.standard_normal((heads, rows, d)))) for rows in (queries, keys, keys))
    o = np.zeros((heads, queries, d), np.uint16)
    emulator.run(from_cuda(validate.HERE / "attention_mma.cu", "120", [f"-D{key}={value}" for key, value in macros.items()]), (heads * queries // macros["BM"],),
                 [bits(q), bits(k), bits(v), o, np.int32(queries), np.int32(keys), np.float32(d ** -0.5)], block=(128, 1, 1), shared=validate.m_shared(macros),
                 check_races=1)
    return np.abs(real(o) - softmax(q, k, v)).max() < 2e-2


def softmax(q, k, v, causal=False):
    q, k, v = (t.astype(np.float64) for t in (q, k, v))
    s = q @ k.transpose(0, 2, 1) / q.shape[-1] ** 0.5
    if causal:
        s = np.where(np.tril(np.ones(s.shape[1:])) > 0, s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v


def fp8_gemm(emulator, m, n, k, config, blocks):
    """Tiles that hang over the edge, and such that have columns of two scales."""
    random = np.random.default_rng(1)
    a, b = (random.integers(0x28, 0x40, (rows, k)).astype(np.uint8) | random.integers(0, 2, (rows, k)).astype(np.uint8) << 7 for rows in (m, n))
    values = np.array([(-1.0) ** (c >> 7) * ((c & 7) / 8 + (c >> 3 & 15 > 0)) * 2.0 ** ((c >> 3 & 15) - 7) for c in range(256)])
    ofA, ofB = random.uniform(0.5, 2, (k // 128, m)).astype(np.float32), random.uniform(0.5, 2, (-(-n // 128), k // 128)).astype(np.float32)
    c = np.zeros((m, n), np.uint16)
    text, shared, threads = gemm_fp8_sm90.source(*config)
    emulator.run(from_cuda(text, "90a"), (blocks,), [Hidden(a), Hidden(b), Hidden(ofA), Hidden(c), *validate.j_maps(m, n, k, *config[:2]), ofB,
                                                     *(np.int32(v) for v in (m, n, k))], block=(threads, 1, 1), shared=shared, check_races=1)
    parts = values[a].reshape(m, -1, 128) * ofA.T[:, :, None], values[b].reshape(n, -1, 128) * ofB.repeat(128, 0)[:n, :, None]
    wanted = parts[0].reshape(m, k) @ parts[1].reshape(n, k).T
    return np.abs(real(c) - wanted).max() <= np.abs(wanted).max() / 128


def wide_gemm(emulator, config):
    m, n, k = 512, 256, 448
    random = np.random.default_rng(1)
    a, b = random.integers(-3, 4, (m, k)), random.integers(-3, 4, (n, k))
    c = np.zeros((m, n), np.float32)
    macros, maps, tiles, grid, shared = validate.g_launch(m, n, k, config)
    emulator.run(from_cuda(validate.HERE / "gemm_sm100.cu", "103a", macros), (min(grid, 2) if config["PERSISTENT"] else grid,),
                 [Hidden(bits(a)), Hidden(bits(b)), Hidden(c), *maps, *(np.int32(v) for v in (n, k // 64, *tiles))], block=(192, 1, 1), shared=shared, check_races=1)
    return (c == a @ b.T).all()


def run_triton(emulator, made, grid, arguments):
    """Triton 3.9 leaves out the fence between an mbarrier's init and the first copy that uses it; anything else counts."""
    try:
        emulator.run(made["ptx"], grid, [*arguments, *validate.l_rest(made, grid[0] * (grid[1] if grid[1:] else 1))], block=(made["threads"], 1, 1),
                     shared=made["shared"], check_races=1)
    except EmulatorError as error:
        if any("mbarrier.init" not in report or "[proxy]" not in report for report in error.reports):
            raise


def triton_product(emulator, config):
    m, n, k = 192, 64, 320
    random = np.random.default_rng(1)
    a, b = (random.integers(-3, 4, (rows, k)).astype(np.float16) for rows in (m, n))
    c = np.zeros((m, n), np.float16)
    made = validate.triton_kernel("triton_descriptors.py", "gemm", *config, 120)
    blocks = -(-m // config[0]) * -(-n // config[1])
    run_triton(emulator, made, (blocks,), [a, b, c, *(np.int32(v) for v in (m, n, k))])
    return (c == (a.astype(np.float32) @ b.astype(np.float32).T).astype(np.float16)).all()


def triton_attention(emulator):
    heads, length, d = 2, 192, 64
    random = np.random.default_rng(1)
    q, k, v = (random.standard_normal((heads, length, d)).astype(np.float16) for _ in range(3))
    o = np.zeros_like(q)
    made = validate.triton_kernel("triton_descriptors.py", "attention", length, d, 1, 120)
    run_triton(emulator, made, (length // 64, heads), [q, k, v, o, np.float32(d ** -0.5)])
    return np.abs(o - softmax(q, k, v, True)).max() < 5e-3


def old_triton_attention(emulator, config):
    heads, length, d = 3, 256, 64
    random = np.random.default_rng(1)
    q, k, v = (random.standard_normal((heads, length, d)).astype(np.float16) for _ in range(3))
    o, sums = np.zeros_like(q), np.zeros((heads, length), np.float32)
    made = validate.triton_kernel("triton_attention.py", *config, 90, python=validate.old_triton_python())
    emulator.run(made["ptx"], (length // config[0], heads), [q, k, v, np.float32(d ** -0.5), sums, o, *(np.int32(n) for n in (length * d, d, length))],
                 block=(made["threads"], 1, 1), shared=made["shared"]) # not check_races: that Triton has no fence.proxy.async between cp.async and wgmma
    scores = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) / d ** 0.5
    return np.abs(o - softmax(q, k, v)).max() < 5e-3 and np.abs(sums - np.log2(np.exp(scores).sum(-1))).max() < 1e-2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--report")
    options = parser.parse_args()
    python = os.environ.get("TILEIRAS_TRITON_PYTHON")
    if np is None and python and subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
        return subprocess.call([python, __file__, *sys.argv[1:]])
    why = "there is no NumPy" if np is None else next(filter(None, map(validate.lacking, "KEBCGJMU")), None)
    cases, failed = [], 0
    if not why:
        emulator = Emulator(options.build)
        work = [(f"attention {case}", lambda case=case: attention(emulator, *case))
                for case in ((64, 3, 128, True, 300, 3), (64, 3, 192, False, 384, 4), (128, 2, 128, True, 300, 2), (128, 2, 176, False, 600, 2))]
        work += [(f"gemm, {name}", lambda macros=macros: gemm(emulator, macros)) for name, _, _, macros in E]
        sgemms = from_cuda(validate.HERE / "sgemm.cu", "86")
        work += [(f"f32 gemm, {name}", lambda rest=rest: sgemm(emulator, sgemms, *rest)) for name, *rest, _, _ in validate.B]
        work += [(f"mma.sync gemm, {name}", lambda tile=tile: mma_gemm(emulator, tile)) for name, tile, *_ in validate.LADDER]
        work += [("f32 gemm, wide", lambda: wide_sgemm(emulator, from_cuda(validate.HERE / "sgemm.cu", "80")))]
        work += [(f"mma.sync product by rows, {name}", lambda macros=macros: mma_rows(emulator, macros)) for name, _, _, macros in validate.U]
        work += [(f"mma.sync attention, {name}", lambda macros=macros: mma_attention(emulator, macros)) for name, _, _, macros in validate.M]
        work += [(f"e4m3 gemm {case}", lambda case=case: fp8_gemm(emulator, *case)) for case in
                 ((100, 128, 640, (64, 16, 8, False), 3), (128, 224, 512, (128, 56, 6, False), 2), (256, 448, 384, (128, 112, 6, False), 3),
                  (200, 288, 1024, (128, 96, 6, False), 2), (256, 512, 896, (128, 128, 5, True), 4))]
        work += [(f"tcgen05 gemm of f32 {config}", lambda config=config: wide_gemm(emulator, config)) for config in
                 (validate.G_PAIR, validate.G_ALONE, {**validate.G_ALONE, "PERSISTENT": 0})]
        if not validate.lacking("L"):
            work += [(f"Triton product {config}", lambda config=config: triton_product(emulator, config)) for config in validate.L_TUNED]
            work += [("Triton attention", lambda: triton_attention(emulator))]
        if not validate.lacking("U2"):
            work += [(f"Triton product by rows {config}", lambda config=config: triton_rows(emulator, config)) for *_, config in validate.U2_ROWS]
            work += [(f"Triton product of e4m3, {which}", lambda which=which: triton_e4m3(emulator, which)) for which, *_ in validate.U2_FP8]
        if not validate.lacking("S"):
            work += [(f"Triton attention of 2024 {config}", lambda config=config: old_triton_attention(emulator, config)) for config in validate.S_TUNED]
        for name, run in work:
            if options.only not in name:
                continue
            start = time.time()
            right = run()
            failed += not right
            cases.append([name, time.time() - start])
            print(f"{name}: {'ok' if right else 'WRONG'}")
    else:
        print(f"skipped, {why}")
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps({"passed": len(cases) - failed, "failed": failed, "skipped": int(bool(why)),
                                                            "skips": [why] if why else [], "cases": cases}))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
