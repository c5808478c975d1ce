# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton kernels of set L with tensor descriptors that the kernel makes: a product C = A B^T of f16 (rows of K, results f16), and attention of
f16 with tiles of 64 x 64.

    python triton_descriptors.py gemm BM BN BK WARPS STAGES CAPABILITY
    python triton_descriptors.py attention LENGTH D CAUSAL CAPABILITY

prints {"ptx", "shared", "threads", "hidden", "scratch"} as JSON; `hidden` is the number of pointers that Triton adds, the first to `scratch`
bytes for each block. Needs Triton, but no GPU.
"""
import json
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def gemm(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    below, beside = tl.cdiv(m, BM), tl.cdiv(n, BN)
    group = tl.program_id(0) // (8 * beside)  # eight rows of tiles together
    height = min(below - group * 8, 8)
    row = (group * 8 + tl.program_id(0) % height) * BM
    column = tl.program_id(0) % (8 * beside) // height * BN
    left = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [n, k], [k, 1], [BN, BK])
    out = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    sums = tl.zeros([BM, BN], tl.float32)
    for step in range(tl.cdiv(k, BK)):
        sums = tl.dot(left.load([row, step * BK]), right.load([column, step * BK]).T, sums)
    out.store([row, column], sums.to(tl.float16))


@triton.jit
def attention(q, k, v, o, scale, N: tl.constexpr, D: tl.constexpr, B: tl.constexpr, CAUSAL: tl.constexpr):
    first = tl.program_id(0) * B
    head = tl.program_id(1).to(tl.int64) * N * D
    queries = tl.make_tensor_descriptor(q + head, [N, D], [D, 1], [B, D])
    keys = tl.make_tensor_descriptor(k + head, [N, D], [D, 1], [B, D])
    values = tl.make_tensor_descriptor(v + head, [N, D], [D, 1], [B, D])
    top = tl.full([B], -float("inf"), tl.float32)
    total = tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    rows, columns = first + tl.arange(0, B), tl.arange(0, B)
    mine = queries.load([first, 0])
    last = min(first + B, N) if CAUSAL else N
    for start in range(0, last, B):
        scores = tl.dot(mine, keys.load([start, 0]).T) * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= start + columns[None, :], scores, -float("inf"))
        higher = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp(tl.where(higher[:, None] == -float("inf"), -float("inf"), scores - higher[:, None]))
        less = tl.exp(top - higher)
        acc = tl.dot(weights.to(tl.float16), values.load([start, 0]), acc * less[:, None])
        total = total * less + tl.sum(weights, 1)
        top = higher
    out = tl.make_tensor_descriptor(o + head, [N, D], [D, 1], [B, D])
    out.store([first, 0], (acc / total[:, None]).to(tl.float16))


if __name__ == "__main__":
    which, *numbers = sys.argv[1:]
    numbers = [int(n) for n in numbers]
    if which == "gemm":
        bm, bn, bk, warps, stages, capability = numbers
        types = dict(a="*fp16", b="*fp16", c="*fp16", m="i32", n="i32", k="i32", BM="constexpr", BN="constexpr", BK="constexpr")
        source = ASTSource(gemm, types, constexprs=dict(BM=bm, BN=bn, BK=bk), attrs={(i,): [["tt.divisibility", 16]] for i in range(6)})
    else:
        length, d, causal, capability = numbers
        warps, stages = 4, 3
        types = dict(q="*fp16", k="*fp16", v="*fp16", o="*fp16", scale="fp32", N="constexpr", D="constexpr", B="constexpr", CAUSAL="constexpr")
        source = ASTSource(attention, types, constexprs=dict(N=length, D=d, B=64, CAUSAL=bool(causal)),
                           attrs={(i,): [["tt.divisibility", 16]] for i in range(4)})
    done = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=dict(num_warps=warps, num_stages=stages))
    ptx = done.asm["ptx"]
    entry = ptx[ptx.index(".entry"):]
    named = sum(t != "constexpr" for t in types.values())
    print(json.dumps({"ptx": ptx, "shared": done.metadata.shared, "threads": 32 * done.metadata.num_warps,
                      "hidden": entry[:entry.index(")")].count(".param") - named, "scratch": done.metadata.global_scratch_size}))
