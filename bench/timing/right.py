#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the kernels that sets K and E are predicted from multiply right: they run on the emulator and are compared with NumPy.

    bench/timing/right.py BUILD [--report FILE]

Needs nvcc and NumPy; without them everything is skipped.
"""

import argparse
import json
import pathlib
import sys
import time

import validate
from validate import BF16, F16, E, Emulator, Hidden, TensorMap, attention_sm90, from_cuda

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
                 block=(threads, 1, 1), shared=shared)
    q, k, v = (t.astype(np.float64) for t in (q, k, v))
    s = q @ k.transpose(0, 2, 1) / d ** 0.5
    if causal:
        s = np.where(np.tril(np.ones((length, length))) > 0, s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    return np.abs(o - p / p.sum(-1, keepdims=True) @ v).max() < 2e-3


def gemm(emulator, macros):
    m, n, k = 512, 512, 448
    pair, rows, width = macros["PAIR"], macros["BN"] // (1 + macros["PAIR"]), 8 if macros["NARROW"] else 64
    random = np.random.default_rng(1)
    a, b = random.integers(-3, 4, (m, k)), random.integers(-3, 4, (n, k))
    bits = lambda t: np.ascontiguousarray(t.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    c = np.zeros((m, n), np.uint16)
    maps = [TensorMap(i, BF16, [k, r], [k * 2], [width, box], swizzle=0 if macros["NARROW"] else 3, by_value=True)
            for i, (r, box) in enumerate(((m, 128), (n, rows)))]
    tiles = m // (128 * (1 + pair)), n // macros["BN"]
    emulator.run(from_cuda(validate.HERE / "gemm_sm100.cu", "100a", [f"-D{key}={value}" for key, value in macros.items()]),
                 (2 if macros["PERSISTENT"] else tiles[0] * tiles[1] * (1 + pair),),
                 [Hidden(bits(a)), Hidden(bits(b)), *maps, c, *(np.int32(value) for value in (n, k // 64, *tiles))],
                 block=(192 if macros["ROLES"] else 128, 1, 1), shared=macros["STAGES"] * (128 + rows) * 128)
    wanted = a @ b.T
    got = (c.astype(np.uint32) << 16).view(np.float32)
    return np.abs(got - wanted).max() <= np.abs(wanted).max() / 256 # one rounding to bf16


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report")
    options = parser.parse_args()
    why = "there is no NumPy" if np is None else validate.lacking("K") or validate.lacking("E")
    cases, failed = [], 0
    if not why:
        emulator = Emulator(options.build)
        work = [(f"attention {case}", lambda case=case: attention(emulator, *case))
                for case in ((64, 3, 128, True, 300, 3), (64, 3, 192, False, 384, 4), (128, 2, 128, True, 300, 2), (128, 2, 176, False, 600, 2))]
        work += [(f"gemm, {name}", lambda macros=macros: gemm(emulator, macros)) for name, _, _, macros in E]
        for name, run in work:
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
