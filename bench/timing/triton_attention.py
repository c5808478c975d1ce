# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention in Triton as set S describes it: rows of queries, blocks of keys, f16, head dimension 64, nothing masked; arrays by block pointers with
strides that the caller gives, the logarithms of the sums written beside the result.

    python triton_attention.py BM BN WARPS STAGES CAPABILITY

prints {"ptx", "shared", "threads", "hidden"} as JSON; `hidden` is the number of parameters that Triton adds. Needs no GPU, but the Triton of the time
(VERSION): later ones make other code of it, and have no block pointers.
"""
import json
import sys

import triton
import triton.language as tl

VERSION = "3.0"  # of July 2024, when set S was measured


@triton.jit
def attention(q, k, v, scale, sums, out, head_stride, row_stride, n, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1)
    base = head.to(tl.int64) * head_stride
    first = tl.program_id(0) * BM
    queries = tl.load(tl.make_block_ptr(q + base, shape=(n, D), strides=(row_stride, 1), offsets=(first, 0), block_shape=(BM, D), order=(1, 0)))
    keys = tl.make_block_ptr(k + base, shape=(D, n), strides=(1, row_stride), offsets=(0, 0), block_shape=(D, BN), order=(0, 1))
    values = tl.make_block_ptr(v + base, shape=(n, D), strides=(row_stride, 1), offsets=(0, 0), block_shape=(BN, D), order=(1, 0))
    top = tl.full([BM], -float("inf"), tl.float32)
    total = tl.full([BM], 1.0, tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    scale *= 1.44269504  # of exp2
    for _ in range(0, n, BN):
        scores = tl.dot(queries, tl.load(keys))
        higher = tl.maximum(top, tl.max(scores, 1) * scale)
        weights = tl.math.exp2(scores * scale - higher[:, None])
        here = tl.sum(weights, 1)
        less = tl.math.exp2(top - higher)
        total = total * less + here
        acc = tl.dot(weights.to(tl.float16), tl.load(values), acc * less[:, None])
        top = higher
        keys = tl.advance(keys, (0, BN))
        values = tl.advance(values, (BN, 0))
    tl.store(sums + head * n + first + tl.arange(0, BM), top + tl.math.log2(total))
    result = tl.make_block_ptr(out + base, shape=(n, D), strides=(row_stride, 1), offsets=(first, 0), block_shape=(BM, D), order=(1, 0))
    tl.store(result, (acc / total[:, None]).to(tl.float16))


if __name__ == "__main__":
    if not triton.__version__.startswith(VERSION + "."):
        sys.exit(f"this is Triton {triton.__version__}; set S was measured with the code of {VERSION}")
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import AttrsDescriptor
    bm, bn, warps, stages, capability = map(int, sys.argv[1:])
    types = dict(q="*fp16", k="*fp16", v="*fp16", scale="fp32", sums="*fp32", out="*fp16", head_stride="i32", row_stride="i32", n="i32")
    aligned = tuple(i for i, name in enumerate(types) if name != "scale")
    source = ASTSource(attention, types, constants=dict(BM=bm, BN=bn, D=64), attrs=AttrsDescriptor(divisible_by_16=aligned, equal_to_1=()))
    done = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=dict(num_warps=warps, num_stages=stages))
    ptx = done.asm["ptx"]
    entry = ptx[ptx.index(".entry"):]
    print(json.dumps({"ptx": ptx, "shared": done.metadata.shared, "threads": 32 * done.metadata.num_warps,
                      "hidden": entry[:entry.index(")")].count(".param") - len(types)}))
