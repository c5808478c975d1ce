# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuTile's autotuner: every configuration of a matrix product is compiled, launched and timed by events, and the best one is
right. Runs under tileiras-emu; with --time=GPU the times are those that the timing model predicts, so the choice is one for that
GPU, and every repetition takes as long as the first. Prints "good" at its end.
"""
import os

import cuda.tile as ct
import numpy as np

from cutile_launch import DeviceArray, call
import ctypes
from cutile_case import Array

M, N, K = 256, 128, 128


@ct.kernel
def matmul(x, y, out, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((tm, tn), ct.float32)
    for k in range(ct.cdiv(x.shape[1], tk)):
        acc = ct.mma(ct.load(x, (i, k), (tm, tk)), ct.load(y, (k, j), (tk, tn)), acc)
    ct.store(out, (i, j), acc.astype(out.dtype))


def main():
    call("cuInit", 0)
    context = ctypes.c_void_p()
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((M, K)).astype(np.float16), rng.standard_normal((K, N)).astype(np.float16)
    x, y, out = (DeviceArray(Array(v)) for v in (a, b, np.zeros((M, N), np.float16)))
    space = [{"tm": tm, "tn": tn, "tk": tk} for tm in (16, 64) for tn in (32, 64) for tk in (32,)] + [{"tm": 24, "tn": 32, "tk": 32}]
    result = ct.tune.exhaustive_search(
        space, 0, lambda c: (ct.cdiv(M, c["tm"]), ct.cdiv(N, c["tn"])), matmul,
        lambda c: (x, y, out, c["tm"], c["tn"], c["tk"]), quiet=True, flush_l2=False)
    # 24 is no power of two, which a tile must have: that configuration fails, and the search goes on.
    assert len(result.successes) == 4 and len(result.failures) == 1, result
    if os.environ.get("TILEIRAS_TIME"):
        assert all(m.error_margin_us < 1e-2 and m.mean_us > 0.5 for m in result.successes), result.summary()
        assert result.best.config["tm"] == 16, result.summary()  # more blocks: 64 of them where there are 132 SMs
    best = result.best.config
    ct.launch(0, (ct.cdiv(M, best["tm"]), ct.cdiv(N, best["tn"])), matmul, (x, y, out, *best.values()))
    call("cuCtxSynchronize")
    np.testing.assert_allclose(out.result().astype(np.float32), a.astype(np.float32) @ b.astype(np.float32), rtol=1e-2, atol=0.1)
    print("good")


if __name__ == "__main__":
    main()
