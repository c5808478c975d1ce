# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention in Triton as set S describes it: rows of queries, blocks of keys, f16, head dimension 64, nothing masked.

    python triton_attention.py BM BN WARPS STAGES CAPABILITY

prints {"ptx", "shared", "threads", "hidden"} as JSON; `hidden` is the number of parameters that Triton adds. Needs Triton, but no GPU.
"""
import json
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def attention(out, q, k, v, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    base = tl.program_id(1).to(tl.int64) * n * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols, d = tl.arange(0, BN), tl.arange(0, D)
    queries = tl.load(q + base + rows[:, None] * D + d[None, :])
    keys, values = k + base + cols[None, :] * D + d[:, None], v + base + cols[:, None] * D + d[None, :]
    top = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for start in range(0, n, BN):
        scores = tl.dot(queries, tl.load(keys + start * D))
        higher = tl.maximum(top, tl.max(scores, 1) * scale)
        weights = tl.exp2(scores * scale - higher[:, None])
        less = tl.exp2(top - higher)
        total = total * less + tl.sum(weights, 1)
        acc = tl.dot(weights.to(tl.float16), tl.load(values + start * D), acc * less[:, None])
        top = higher
    tl.store(out + base + rows[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16))


if __name__ == "__main__":
    bm, bn, warps, stages, capability = map(int, sys.argv[1:])
    types = dict(out="*fp16", q="*fp16", k="*fp16", v="*fp16", n="i32", scale="fp32", BM="constexpr", BN="constexpr", D="constexpr")
    source = ASTSource(attention, types, constexprs=dict(BM=bm, BN=bn, D=64), attrs={(i,): [["tt.divisibility", 16]] for i in range(5)})
    done = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=dict(num_warps=warps, num_stages=stages))
    ptx = done.asm["ptx"]
    entry = ptx[ptx.index(".entry"):]
    print(json.dumps({"ptx": ptx, "shared": done.metadata.shared, "threads": 32 * done.metadata.num_warps,
                      "hidden": entry[:entry.index(")")].count(".param") - 6}))
