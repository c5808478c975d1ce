# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton kernels of set U2: a product of f16, all by rows, with sums of f32 or f16 (its source's for an RTX 4060: tiles in groups, bounds in all directions),
and products C = A B^T of e4m3 (its source's for an H100: Triton's own tutorial of December 2024): a block for each tile, persistent blocks whose two loops are one,
and the same with tensor maps that the kernel makes (`descriptors`) or the host (`maps`).

    python triton_products.py rows BM BN BK GROUP HALF WARPS STAGES CAPABILITY
    python triton_products.py plain|persistent|descriptors|maps BM BN BK GROUP BLOCKS WARPS STAGES CAPABILITY

prints {"ptx", "shared", "threads", "hidden", "scratch"} as JSON; `hidden` is the number of pointers that Triton adds, the first to `scratch` bytes for each block. Each map of the host
is followed by its two sizes and its two strides. Needs Triton, but no GPU.
"""
import json
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def place(tile, m, n, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    """Tiles go down a few rows of them, then to the next column."""
    below, beside = tl.cdiv(m, BM), tl.cdiv(n, BN)
    group = tile // (GROUP * beside)
    height = min(below - group * GROUP, GROUP)
    return group * GROUP + tile % (GROUP * beside) % height, tile % (GROUP * beside) // height


@triton.jit
def rows(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, HALF: tl.constexpr):
    down, across = place(tl.program_id(0), m, n, BM, BN, GROUP)
    row, column, inner = down * BM + tl.arange(0, BM), across * BN + tl.arange(0, BN), tl.arange(0, BK)
    left, right = a + row[:, None] * k + inner[None, :], b + inner[:, None] * n + column[None, :]
    sums = tl.zeros([BM, BN], tl.float16 if HALF else tl.float32)
    for step in range(tl.cdiv(k, BK)):
        rest = k - step * BK
        x = tl.load(left, mask=(row[:, None] < m) & (inner[None, :] < rest), other=0.0)
        y = tl.load(right, mask=(inner[:, None] < rest) & (column[None, :] < n), other=0.0)
        sums = tl.dot(x, y, sums, out_dtype=tl.float16 if HALF else tl.float32)
        left += BK
        right += BK * n
    tl.store(c + row[:, None] * n + column[None, :], sums.to(tl.float16), mask=(row[:, None] < m) & (column[None, :] < n))


@triton.jit
def plain(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, BLOCKS: tl.constexpr):
    down, across = place(tl.program_id(0), m, n, BM, BN, GROUP)
    row, column, inner = down * BM + tl.arange(0, BM), across * BN + tl.arange(0, BN), tl.arange(0, BK)
    ofA = tl.max_contiguous(tl.multiple_of(tl.where(row < m, row, 0), BM), BM)
    ofB = tl.max_contiguous(tl.multiple_of(tl.where(column < n, column, 0), BN), BN)
    left, right = a + ofA[:, None] * k + inner[None, :], b + inner[:, None] + ofB[None, :] * k
    sums = tl.zeros([BM, BN], tl.float32)
    for step in range(tl.cdiv(k, BK)):
        x = tl.load(left, mask=inner[None, :] < k - step * BK, other=0.0)
        y = tl.load(right, mask=inner[:, None] < k - step * BK, other=0.0)
        sums = tl.dot(x, y, sums)
        left += BK
        right += BK
    tl.store(c + row[:, None] * n + column[None, :], sums.to(tl.float8e4nv), mask=(row[:, None] < m) & (column[None, :] < n))


@triton.jit
def persistent(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, BLOCKS: tl.constexpr):
    steps, tiles = tl.cdiv(k, BK), tl.cdiv(m, BM) * tl.cdiv(n, BN)
    mine = tiles // BLOCKS
    if tl.program_id(0) < tiles % BLOCKS:
        mine += 1
    tile, step = tl.program_id(0) - BLOCKS, -1
    down, across = 0, 0
    inner, ofA, ofB = tl.arange(0, BK), tl.arange(0, BM), tl.arange(0, BN)
    sums = tl.zeros([BM, BN], tl.float32)
    for _ in range(0, steps * mine):
        step = tl.where(step == steps - 1, 0, step + 1)
        if step == 0:
            tile += BLOCKS
            down, across = place(tile, m, n, BM, BN, GROUP)
            ofA, ofB = down * BM + tl.arange(0, BM), across * BN + tl.arange(0, BN)
            ofA = tl.max_contiguous(tl.multiple_of(tl.where(ofA < m, ofA, 0), BM), BM)
            ofB = tl.max_contiguous(tl.multiple_of(tl.where(ofB < n, ofB, 0), BN), BN)
        along = step * BK + inner
        x = tl.load(a + ofA[:, None] * k + along[None, :], mask=inner[None, :] < k - step * BK, other=0.0)
        y = tl.load(b + along[:, None] + ofB[None, :] * k, mask=inner[:, None] < k - step * BK, other=0.0)
        sums = tl.dot(x, y, sums)
        if step == steps - 1:
            row, column = down * BM + tl.arange(0, BM), across * BN + tl.arange(0, BN)
            tl.store(c + row[:, None] * n + column[None, :], sums.to(tl.float8e4nv), mask=(row[:, None] < m) & (column[None, :] < n))
            sums = tl.zeros([BM, BN], tl.float32)


@triton.jit
def descriptors(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, BLOCKS: tl.constexpr):
    maps(tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK]), tl.make_tensor_descriptor(b, [n, k], [k, 1], [BN, BK]),
         tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN]), m, n, k, BM, BN, BK, GROUP, BLOCKS)


@triton.jit
def maps(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, BLOCKS: tl.constexpr):
    steps, tiles = tl.cdiv(k, BK), tl.cdiv(m, BM) * tl.cdiv(n, BN)
    mine = tiles // BLOCKS
    if tl.program_id(0) < tiles % BLOCKS:
        mine += 1
    tile, step = tl.program_id(0) - BLOCKS, -1
    row, column = 0, 0
    sums = tl.zeros([BM, BN], tl.float32)
    for _ in range(0, steps * mine):
        step = tl.where(step == steps - 1, 0, step + 1)
        if step == 0:
            tile += BLOCKS
            down, across = place(tile, m, n, BM, BN, GROUP)
            row, column = down * BM, across * BN
        sums = tl.dot(a.load([row, step * BK]), b.load([column, step * BK]).T, sums)
        if step == steps - 1:
            c.store([row, column], sums.to(tl.float8e4nv))
            sums = tl.zeros([BM, BN], tl.float32)


if __name__ == "__main__":
    which, bm, bn, bk, group, last, warps, stages, capability = sys.argv[1], *map(int, sys.argv[2:])
    if which == "maps":
        types = {name: f"tensordesc<fp8e4nv[{height},{width}]>" for name, height, width in (("a", bm, bk), ("b", bn, bk), ("c", bm, bn))}
    else:
        types = dict.fromkeys("abc", "*fp16" if which == "rows" else "*fp8e4nv")
    types |= dict.fromkeys("mnk", "i32")
    constants = dict(BM=bm, BN=bn, BK=bk, GROUP=group) | (dict(HALF=bool(last)) if which == "rows" else dict(BLOCKS=last))
    kinds = types | dict.fromkeys(constants, "constexpr")
    whole = {(i,): [["tt.divisibility", 16]] for i, kind in enumerate(types.values()) if "tensordesc" not in kind}
    done = triton.compile(ASTSource(globals()[which], kinds, constexprs=constants, attrs=whole), target=GPUTarget("cuda", capability, 32),
                          options=dict(num_warps=warps, num_stages=stages))
    ptx = done.asm["ptx"]
    entry = ptx[ptx.index(".entry"):]
    print(json.dumps({"ptx": ptx, "shared": done.metadata.shared, "threads": 32 * done.metadata.num_warps, "scratch": done.metadata.global_scratch_size,
                      "hidden": entry[:entry.index(")")].count(".param") - len(types) - (12 if which == "maps" else 0)}))
