# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Triton, and for each what NumPy says. Imported by triton_ptx.py where there is a Triton."""

import numpy as np
import triton
import triton.language as tl


@triton.jit
def softmax(out, x, n, stride, B: tl.constexpr):
    row = tl.program_id(0)
    o = tl.arange(0, B)
    v = tl.load(x + row * stride + o, mask=o < n, other=-float("inf"))
    v = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * stride + o, v / tl.sum(v, 0), mask=o < n)


@triton.jit
def layer_norm(out, x, w, b, n, eps, B: tl.constexpr):
    row = tl.program_id(0)
    mean = tl.zeros([B], tl.float32)
    for start in range(0, n, B):
        o = start + tl.arange(0, B)
        mean += tl.load(x + row * n + o, mask=o < n, other=0).to(tl.float32)
    mean = tl.sum(mean, 0) / n
    var = tl.zeros([B], tl.float32)
    for start in range(0, n, B):
        o = start + tl.arange(0, B)
        v = tl.where(o < n, tl.load(x + row * n + o, mask=o < n, other=0).to(tl.float32) - mean, 0)
        var += v * v
    rstd = 1 / tl.sqrt(tl.sum(var, 0) / n + eps)
    for start in range(0, n, B):
        o = start + tl.arange(0, B)
        v = (tl.load(x + row * n + o, mask=o < n, other=0).to(tl.float32) - mean) * rstd
        v = v * tl.load(w + o, mask=o < n) + tl.load(b + o, mask=o < n)
        tl.store(out + row * n + o, v, mask=o < n)


@triton.jit
def gemm(c, a, b, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    gemm_in_parts(c, a, b, M, N, K, BM, BN, BK, None)


@triton.jit
def gemm_promoted(c, a, b, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """`gemm` of 8-bit floats whose sums of one round (sm_90 has them with 14 bits) are added up in f32."""
    gemm_in_parts(c, a, b, M, N, K, BM, BN, BK, BK)


@triton.jit
def gemm_in_parts(c, a, b, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, IMPRECISE: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * K + rk[None, :]
    pb = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), tl.int32 if a.dtype.element_ty == tl.int8 else tl.float32)
    for k in range(0, K, BK):
        x = tl.load(pa, mask=(rm[:, None] < M) & (rk[None, :] < K - k), other=0.0)
        y = tl.load(pb, mask=(rk[:, None] < K - k) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc, max_num_imprecise_acc=IMPRECISE)
        pa += BK
        pb += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def gemm_by_maps(c, a, b, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """`gemm` with both factors through tensor maps that the kernel makes; sums are stored through pointers, as there."""
    da = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    db = tl.make_tensor_descriptor(b, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.int32 if a.dtype.element_ty == tl.int8 else tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(da.load([row, k]), db.load([k, column]), acc)
    rm, rn = row + tl.arange(0, BM), column + tl.arange(0, BN)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def persistent_gemm(c, a, b, M, N, K, PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tiles by turns, operands and result through tensor maps that the kernel makes itself."""
    da = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    db = tl.make_tensor_descriptor(b, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    dc = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    tiles_n = tl.cdiv(N, BN)
    for tile in range(tl.program_id(0), tl.cdiv(M, BM) * tiles_n, PROGRAMS):
        m, n = tile // tiles_n * BM, tile % tiles_n * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(da.load([m, k]), db.load([n, k]).T, acc)
        dc.store([m, n], acc.to(tl.float16))


@triton.jit
def gemm_persistent(c, a, b, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PROGRAMS: tl.constexpr, PARTS: tl.constexpr,
                    ROLES: tl.constexpr):
    """`gemm` by programs that stay, whose loops over tiles and over k are one and pipelined as such, or given to warps with roles; a tile is stored in one
    part or in two, through as much shared memory, while factors of the next one arrive."""
    da = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    db = tl.make_tensor_descriptor(b, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    dc = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN // PARTS])
    tiles_n = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * tiles_n, PROGRAMS, flatten=not ROLES, warp_specialize=ROLES):
        m, n = tile // tiles_n * BM, tile % tiles_n * BN
        acc = tl.zeros((BM, BN), tl.int32 if a.dtype.element_ty == tl.int8 else tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(da.load([m, k]), db.load([k, n]), acc)
        if PARTS == 1:
            dc.store([m, n], acc.to(c.dtype.element_ty))
        else:
            left, right = acc.reshape(BM, 2, BN // 2).permute(0, 2, 1).split()
            dc.store([m, n], left.to(c.dtype.element_ty))
            dc.store([m, n + BN // 2], right.to(c.dtype.element_ty))


@triton.jit
def pipelined_gemm(c, a, b, M, N, K, PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                   SPECIAL: tl.constexpr):
    """The same with larger tiles, whose loop over tiles is pipelined as a whole, or given to warps with roles."""
    da = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    db = tl.make_tensor_descriptor(b, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    dc = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    tiles_n = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * tiles_n, PROGRAMS, flatten=not SPECIAL, warp_specialize=SPECIAL):
        m, n = tile // tiles_n * BM, tile % tiles_n * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(da.load([m, k]), db.load([n, k]).T, acc)
        dc.store([m, n], acc.to(c.dtype.element_ty))


@triton.jit
def scaled_gemm(c, a, sa, b, sb, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TYPE: tl.constexpr,
                PACK: tl.constexpr):
    """Block-scaled product of a [M, K] and b [N, K], a power of two for 32 elements along K."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk, rs = tl.arange(0, BK // PACK), tl.arange(0, BK // 32)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * (K // PACK) + (k // PACK + rk)[None, :])
        y = tl.load(b + rn[None, :] * (K // PACK) + (k // PACK + rk)[:, None])
        fx = tl.load(sa + rm[:, None] * (K // 32) + (k // 32 + rs)[None, :])
        fy = tl.load(sb + rn[:, None] * (K // 32) + (k // 32 + rs)[None, :])
        acc = tl.dot_scaled(x, fx, TYPE, y, fy, TYPE, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


@triton.jit
def attention_tma(out, q, k, v, n, scale, B: tl.constexpr, D: tl.constexpr):
    """Attention whose blocks come through tensor maps."""
    heads = tl.num_programs(1) * n
    dq = tl.make_tensor_descriptor(q, shape=[heads, D], strides=[D, 1], block_shape=[B, D])
    dk = tl.make_tensor_descriptor(k, shape=[heads, D], strides=[D, 1], block_shape=[B, D])
    dv = tl.make_tensor_descriptor(v, shape=[heads, D], strides=[D, 1], block_shape=[B, D])
    do = tl.make_tensor_descriptor(out, shape=[heads, D], strides=[D, 1], block_shape=[B, D])
    head = tl.program_id(1) * n
    row = head + tl.program_id(0) * B
    Q = dq.load([row, 0])
    m = tl.full([B], -float("inf"), tl.float32)
    s = tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    for start in range(0, n, B):
        p = tl.dot(Q, dk.load([head + start, 0]).T) * scale
        top = tl.maximum(m, tl.max(p, 1))
        p = tl.exp2(p - top[:, None])
        f = tl.exp2(m - top)
        s = s * f + tl.sum(p, 1)
        acc = tl.dot(p.to(out.dtype.element_ty), dv.load([head + start, 0]), acc * f[:, None])
        m = top
    do.store([row, 0], (acc / s[:, None]).to(out.dtype.element_ty))


@triton.jit
def attention_by_maps(out, q, k, v, n, scale, B: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    """`attention` with queries, keys and values through tensor maps that the kernel makes; the result is stored through pointers, as there."""
    attention_in_loop(out, q, k, v, n, scale, B, D, CAUSAL, False)


@triton.jit
def attention_roles(out, q, k, v, n, scale, B: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    """`attention_by_maps` by warps with roles, which Triton 3.9 lets store past the end through pointers: the result goes through a tensor map, too."""
    attention_in_loop(out, q, k, v, n, scale, B, D, CAUSAL, True)


@triton.jit
def attention_in_loop(out, q, k, v, n, scale, B: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr, ROLES: tl.constexpr):
    head = tl.program_id(1) * n * D
    dq = tl.make_tensor_descriptor(q + head, shape=[n, D], strides=[D, 1], block_shape=[B, D])
    dk = tl.make_tensor_descriptor(k + head, shape=[n, D], strides=[D, 1], block_shape=[B, D])
    dv = tl.make_tensor_descriptor(v + head, shape=[n, D], strides=[D, 1], block_shape=[B, D])
    rows, d = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, D)
    Q = dq.load([tl.program_id(0) * B, 0])
    m = tl.full([B], -float("inf"), tl.float32)
    s = tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    end = tl.program_id(0) * B + B if CAUSAL else n
    for start in tl.range(0, end, B, warp_specialize=ROLES):
        p = tl.dot(Q, dk.load([start, 0]).T) * scale
        if CAUSAL:
            p = tl.where(rows[:, None] >= (start + tl.arange(0, B))[None, :], p, -float("inf"))
        top = tl.maximum(m, tl.max(p, 1))
        p = tl.exp2(p - top[:, None])
        f = tl.exp2(m - top)
        s = s * f + tl.sum(p, 1)
        acc = tl.dot(p.to(out.dtype.element_ty), dv.load([start, 0]), acc * f[:, None])
        m = top
    if ROLES:
        do = tl.make_tensor_descriptor(out + head, shape=[n, D], strides=[D, 1], block_shape=[B, D])
        do.store([tl.program_id(0) * B, 0], (acc / s[:, None]).to(out.dtype.element_ty))
    else:
        tl.store(out + head + rows[:, None] * D + d[None, :], (acc / s[:, None]).to(out.dtype.element_ty))


@triton.jit
def attention(out, q, k, v, n, scale, B: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    head = tl.program_id(1) * n * D
    d = tl.arange(0, D)
    Q = tl.load(q + head + rows[:, None] * D + d[None, :])
    m = tl.full([B], -float("inf"), tl.float32)
    s = tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    end = tl.program_id(0) * B + B if CAUSAL else n
    for start in range(0, end, B):
        cols = start + tl.arange(0, B)
        K = tl.load(k + head + cols[None, :] * D + d[:, None])
        p = tl.dot(Q, K) * scale
        if CAUSAL:
            p = tl.where(rows[:, None] >= cols[None, :], p, -float("inf"))
        top = tl.maximum(m, tl.max(p, 1))
        p = tl.exp2(p - top[:, None])
        f = tl.exp2(m - top)
        s = s * f + tl.sum(p, 1)
        V = tl.load(v + head + cols[:, None] * D + d[None, :])
        acc = tl.dot(p.to(V.dtype), V, acc * f[:, None])
        m = top
    tl.store(out + head + rows[:, None] * D + d[None, :], (acc / s[:, None]).to(out.dtype.element_ty))


@triton.jit
def attention_backward(dq, dk, dv, q, k, v, do, lse, delta, n, B: tl.constexpr, D: tl.constexpr, SCALE: tl.constexpr, CAUSAL: tl.constexpr):
    """A program owns a block of keys and walks over the queries; dq is added up in memory. lse: of base 2."""
    head = tl.program_id(1) * n
    cols, d = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, D)
    own = (head + cols)[:, None] * D + d[None, :]
    K = tl.load(k + own, mask=cols[:, None] < n, other=0.0)
    V = tl.load(v + own, mask=cols[:, None] < n, other=0.0)
    sdk = tl.zeros([B, D], tl.float32)
    sdv = tl.zeros([B, D], tl.float32)
    for start in range(tl.program_id(0) * B if CAUSAL else 0, n, B):
        rows = start + tl.arange(0, B)
        there = rows[:, None] < n
        at = (head + rows)[:, None] * D + d[None, :]
        Q = tl.load(q + at, mask=there, other=0.0)
        DO = tl.load(do + at, mask=there, other=0.0)
        l = tl.load(lse + head + rows, mask=rows < n, other=0.0)
        t = tl.load(delta + head + rows, mask=rows < n, other=0.0)
        keep = there & (cols[None, :] < n)
        if CAUSAL:
            keep = keep & (rows[:, None] >= cols[None, :])
        p = tl.where(keep, tl.exp2(tl.dot(Q, K.T) * (SCALE * 1.4426950408889634) - l[:, None]), 0.0)
        ds = (p * (tl.dot(DO, V.T) - t[:, None]) * SCALE).to(Q.dtype)
        tl.atomic_add(dq + at, tl.dot(ds, K), mask=there, sem="relaxed")
        sdk = tl.dot(ds.T, Q, sdk)
        sdv = tl.dot(p.to(Q.dtype).T, DO, sdv)
    tl.store(dk + own, sdk.to(dk.dtype.element_ty), mask=cols[:, None] < n)
    tl.store(dv + own, sdv.to(dv.dtype.element_ty), mask=cols[:, None] < n)


@triton.jit
def attention_backward_by_maps(dq, dk, dv, q, k, v, do, lse, delta, n, B: tl.constexpr, D: tl.constexpr, SCALE: tl.constexpr, CAUSAL: tl.constexpr):
    """`attention_backward` whose tiles come through tensor maps that the kernel makes, and which adds dq up through one; the results are stored through
    pointers, as there."""
    head = tl.program_id(1) * n
    mq = tl.make_tensor_descriptor(q + head * D, shape=[n, D], strides=[D, 1], block_shape=[B, D])
    mk = tl.make_tensor_descriptor(k + head * D, shape=[n, D], strides=[D, 1], block_shape=[B, D])
    mv = tl.make_tensor_descriptor(v + head * D, shape=[n, D], strides=[D, 1], block_shape=[B, D])
    mdo = tl.make_tensor_descriptor(do + head * D, shape=[n, D], strides=[D, 1], block_shape=[B, D])
    mdq = tl.make_tensor_descriptor(dq + head * D, shape=[n, D], strides=[D, 1], block_shape=[B, D])
    first = tl.program_id(0) * B
    cols, d = first + tl.arange(0, B), tl.arange(0, D)
    own = (head + cols)[:, None] * D + d[None, :]
    K, V = mk.load([first, 0]), mv.load([first, 0])
    sdk = tl.zeros([B, D], tl.float32)
    sdv = tl.zeros([B, D], tl.float32)
    for start in range(first if CAUSAL else 0, n, B):
        rows = start + tl.arange(0, B)
        Q, DO = mq.load([start, 0]), mdo.load([start, 0])
        l = tl.load(lse + head + rows, mask=rows < n, other=0.0)
        t = tl.load(delta + head + rows, mask=rows < n, other=0.0)
        keep = (rows[:, None] < n) & (cols[None, :] < n)
        if CAUSAL:
            keep = keep & (rows[:, None] >= cols[None, :])
        p = tl.where(keep, tl.exp2(tl.dot(Q, K.T) * (SCALE * 1.4426950408889634) - l[:, None]), 0.0)
        ds = (p * (tl.dot(DO, V.T) - t[:, None]) * SCALE).to(Q.dtype)
        mdq.atomic_add([start, 0], tl.dot(ds, K))
        sdk = tl.dot(ds.T, Q, sdk)
        sdv = tl.dot(p.to(Q.dtype).T, DO, sdv)
    tl.store(dk + own, sdk.to(dk.dtype.element_ty), mask=cols[:, None] < n)
    tl.store(dv + own, sdv.to(dv.dtype.element_ty), mask=cols[:, None] < n)


@triton.jit
def convolution(y, x, w, pixels, features, depth, H, W, sn, sh, sw, OH: tl.constexpr, OW: tl.constexpr, C: tl.constexpr, SIZE: tl.constexpr, STRIDE: tl.constexpr,
                BORDER: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A convolution of NHWC images as a product whose left factor is gathered: a row of it is the window of a pixel of the result."""
    pixel, feature = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    image, rest = pixel // (OH * OW), pixel % (OH * OW)
    top, left = rest // OW * STRIDE - BORDER, rest % OW * STRIDE - BORDER
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, depth, BK):
        column = k + tl.arange(0, BK)
        tap, channel = column // C, column % C
        row, line = top[:, None] + (tap // SIZE)[None, :], left[:, None] + (tap % SIZE)[None, :]
        there = (pixel[:, None] < pixels) & (column[None, :] < depth) & (row >= 0) & (row < H) & (line >= 0) & (line < W)
        a = tl.load(x + image[:, None] * sn + row * sh + line * sw + channel[None, :], mask=there, other=0.0)
        b = tl.load(w + column[:, None] * features + feature[None, :], mask=(column[:, None] < depth) & (feature[None, :] < features), other=0.0)
        acc = tl.dot(a, b, acc)
    tl.store(y + pixel[:, None] * features + feature[None, :], acc, mask=(pixel[:, None] < pixels) & (feature[None, :] < features))


@triton.jit
def bins(out, x, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n, other=0)
    tl.atomic_add(out + v, 1, mask=o < n)


@triton.jit
def scan(out, best, x, R: tl.constexpr, B: tl.constexpr):
    r, o = tl.arange(0, R), tl.arange(0, B)
    v = tl.load(x + r[:, None] * B + o[None, :])
    tl.store(out + r[:, None] * B + o[None, :], tl.cumsum(v, 1))
    tl.store(best + r, tl.argmax(v, 1))


@triton.jit
def mixed(out, x, n, B: tl.constexpr):
    """Conversions, integer division, transcendental functions, a sort."""
    o = tl.arange(0, B)
    v = tl.load(x + o, mask=o < n, other=0)
    h = v.to(tl.float16).to(tl.float32) + v.to(tl.bfloat16).to(tl.float32)
    i = (v * 1000).to(tl.int32)
    q = (i // 7 + i % 7).to(tl.float32)
    t = tl.sin(v) + tl.cos(v) + tl.log(tl.abs(v) + 1) + tl.erf(v) + tl.sqrt(tl.abs(v)) + tl.floor(v)
    tl.store(out + o, tl.sort(h + q + t), mask=o < n)


def attention_reference(q, k, v, causal):
    s = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) / np.sqrt(q.shape[2])
    if causal:
        s = np.where(np.tril(np.ones(s.shape[1:], bool)), s, -np.inf)
    p = np.exp(s - s.max(2, keepdims=True))
    return p / p.sum(2, keepdims=True) @ v.astype(np.float64)


def attention_gradients(q, k, v, do, causal):
    """dq, dk, dv, and what the kernel is given: the sums' logarithms of base 2, and the sums of o * do."""
    q, k, v, do = (x.astype(np.float64) for x in (q, k, v, do))
    scale = 1 / np.sqrt(q.shape[2])
    s = q @ k.transpose(0, 2, 1) * scale
    if causal:
        s = np.where(np.tril(np.ones(s.shape[1:], bool)), s, -np.inf)
    top = s.max(2, keepdims=True)
    sums = np.exp(s - top).sum(2, keepdims=True)
    p = np.exp(s - top) / sums
    delta = (p @ v * do).sum(2)
    ds = p * (do @ v.transpose(0, 2, 1) - delta[:, :, None]) * scale
    return ds @ k, ds.transpose(0, 2, 1) @ q, p.transpose(0, 2, 1) @ do, (top + np.log(sums))[:, :, 0] / np.log(2), delta


class Case:
    """`arguments`: (Triton type, NumPy value) each; `expected`: {index: (array, absolute tolerance)}."""

    def __init__(self, name, kernel, grid, arguments, constants, expected, targets=(80, 90, 100), warps=4, stages=3):
        self.name, self.kernel, self.grid, self.arguments = name, kernel, grid, arguments
        self.constants, self.expected, self.targets, self.warps, self.stages = constants, expected, targets, warps, stages


def cases():
    rng = np.random.default_rng(1)

    def normal(*shape, type=np.float32):
        return rng.standard_normal(shape).astype(type)

    def i32(v):
        return "i32", np.int32(v)

    x = normal(7, 1000)
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    yield Case("softmax", softmax, (7,), [("*fp32", (np.empty_like(x), "out")), ("*fp32", x), i32(1000), i32(1000)],
               {"B": 1024}, {0: (e / e.sum(1, keepdims=True), 1e-6)})

    for triton_type, tolerance in (("*fp32", 1e-4), ("*fp16", 4e-3)):
        x = normal(5, 777, type=np.float32 if triton_type == "*fp32" else np.float16)
        w, b = normal(777), normal(777)
        d = x.astype(np.float64) - x.astype(np.float64).mean(1, keepdims=True)
        want = d / np.sqrt((d * d).mean(1, keepdims=True) + 1e-5) * w + b
        yield Case("layer-norm" + triton_type[1:], layer_norm, (5,),
                   [(triton_type, (np.empty_like(x), "out")), (triton_type, x), ("*fp32", w), ("*fp32", b), i32(777),
                    ("fp32", np.float32(1e-5))], {"B": 256}, {0: (want, 4 * tolerance)})

    for name, type, size in (("fp16", np.float16, (192, 136, 160)), ("fp32", np.float32, (128, 64, 96)),
                             ("i8", np.int8, (128, 128, 192))):
        M, N, K = size
        if type == np.int8:
            a, b = rng.integers(-100, 100, (M, K)).astype(type), rng.integers(-100, 100, (K, N)).astype(type)
            c, want, tolerance = np.empty((M, N), np.int32), a.astype(np.int64) @ b.astype(np.int64), 0
        else:
            a, b = normal(M, K, type=type), normal(K, N, type=type)
            # fp32 goes through tf32, with ten bits.
            c, want, tolerance = np.empty((M, N), np.float32), a.astype(np.float64) @ b.astype(np.float64), 1e-3 if type == np.float16 else 0.05
        for warps, tile in ((4, (64, 64, 32)), (8, (128, 64, 64))):
            if type == np.float32 and warps == 8:
                continue
            yield Case(f"gemm-{name}-{warps}", gemm, (-(-M // tile[0]), -(-N // tile[1])),
                       [("*i32" if type == np.int8 else "*fp32", (c.copy(), "out")), ("*" + name, a), ("*" + name, b), i32(M),
                        i32(N), i32(K)], dict(zip(("BM", "BN", "BK"), tile)), {0: (want, tolerance)}, warps=warps)

    a, b = normal(200, 128, type=np.float16), normal(144, 128, type=np.float16)
    yield Case("gemm-tma", persistent_gemm, (3,),
               [("*fp16", (np.empty((200, 144), np.float16), "out")), ("*fp16", a), ("*fp16", b), i32(200), i32(144), i32(128)],
               {"PROGRAMS": 3, "BM": 64, "BN": 64, "BK": 64}, {0: (a.astype(np.float64) @ b.astype(np.float64).T, 0.05)},
               targets=(90, 100))

    a, b = normal(300, 192, type=np.float16), normal(256, 192, type=np.float16)
    for special in (False, True):
        yield Case("gemm-tma-" + ("roles" if special else "flat"), pipelined_gemm, (2,),
                   [("*fp16", (np.empty((300, 256), np.float16), "out")), ("*fp16", a), ("*fp16", b), i32(300), i32(256), i32(192)],
                   {"PROGRAMS": 2, "BM": 128, "BN": 128, "BK": 64, "SPECIAL": special},
                   {0: (a.astype(np.float64) @ b.astype(np.float64).T, 0.05)}, targets=(90, 100))

    # e4m3 codes of numbers that are small integers, and pairs of e2m1 codes in a byte.
    def blocks(rows, k, bits):
        codes = rng.integers(0, 16, (rows, k)).astype(np.uint8)
        if bits == 4:
            sign, magnitude = codes >> 3, np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])[codes & 7]
            stored = codes[:, ::2] | codes[:, 1::2] << 4
        else:
            sign, magnitude = codes >> 3, np.array([0, 1, 2, 3, 4, 5, 6, 7.0])[codes & 7]
            stored = sign << 7 | np.array([0, 0x38, 0x40, 0x44, 0x48, 0x4a, 0x4c, 0x4e], np.uint8)[codes & 7]
        scales = rng.integers(125, 130, (rows, k // 32)).astype(np.uint8)
        return stored.astype(np.uint8), scales, np.where(sign, -magnitude, magnitude) * np.exp2(scales.astype(float) - 127).repeat(32, 1)

    for name, bits in (("e4m3", 8), ("e2m1", 4)):
        (a, sa, wa), (b, sb, wb) = blocks(128, 256, bits), blocks(256, 256, bits)
        kind = "*fp8e4nv" if bits == 8 else "*u8"
        yield Case("gemm-scaled-" + name, scaled_gemm, (1, 2),
                   [("*fp32", (np.empty((128, 256), np.float32), "out")), (kind, a), ("*u8", sa), (kind, b), ("*u8", sb), i32(128),
                    i32(256), i32(256)], {"BM": 128, "BN": 128, "BK": 128, "TYPE": name, "PACK": 8 // bits},
                   {0: (wa @ wb.T, 0)}, targets=(100,))

    q, k, v = (normal(2, 256, 64, type=np.float16) for _ in range(3))
    yield Case("attention-tma", attention_tma, (2, 2),
               [("*fp16", (np.empty_like(q), "out")), ("*fp16", q), ("*fp16", k), ("*fp16", v), i32(256),
                ("fp32", np.float32(1.4426950408889634 / 8))], {"B": 128, "D": 64},
               {0: (attention_reference(q, k, v, False), 4e-3)}, targets=(90, 100))
    yield Case("attention-roles", attention_roles, (2, 2), [("*fp16", (np.empty_like(q), "out")), ("*fp16", q), ("*fp16", k), ("*fp16", v), i32(256),
               ("fp32", np.float32(1.4426950408889634 / 8))], {"B": 128, "D": 64, "CAUSAL": False}, {0: (attention_reference(q, k, v, False), 4e-3)}, targets=(90,))

    M, N, K = 192, 136, 160
    a, b = normal(M, K, type=np.float16), normal(K, N, type=np.float16)
    yield Case("gemm-by-maps", gemm_by_maps, (3, 3), [("*fp32", (np.empty((M, N), np.float32), "out")), ("*fp16", a), ("*fp16", b), i32(M), i32(N), i32(K)],
               {"BM": 64, "BN": 64, "BK": 32}, {0: (a.astype(np.float64) @ b, 1e-3)}, targets=(90, 100, 120))
    q, k, v = (normal(2, 192, 64, type=np.float16) for _ in range(3))
    yield Case("attention-by-maps", attention_by_maps, (3, 2), [("*fp16", (np.empty_like(q), "out")), ("*fp16", q), ("*fp16", k), ("*fp16", v), i32(192),
                                                                ("fp32", np.float32(1.4426950408889634 / 8))], {"B": 64, "D": 64, "CAUSAL": False},
               {0: (attention_reference(q, k, v, False), 4e-3)}, targets=(90, 100, 120))

    for causal in (False, True):
        q, k, v = (normal(2, 192, 64, type=np.float16) for _ in range(3))
        yield Case(f"attention{'-causal' if causal else ''}", attention, (3, 2),
                   [("*fp16", (np.empty_like(q), "out")), ("*fp16", q), ("*fp16", k), ("*fp16", v), i32(192),
                    ("fp32", np.float32(1.4426950408889634 / 8))], {"B": 64, "D": 64, "CAUSAL": causal},
                   {0: (attention_reference(q, k, v, causal), 4e-3)})

    for causal in (False, True):
        for kernel, targets in ((attention_backward, (80, 90, 100, 120)), (attention_backward_by_maps, (90, 120))):
            q, k, v, do = (normal(2, 160, 64, type=np.float16) for _ in range(4))
            want = attention_gradients(q, k, v, do, causal)
            yield Case(f"{kernel.__name__.replace('_', '-')}{'-causal' if causal else ''}", kernel, (3, 2),
                       [("*fp32", np.zeros(q.shape, np.float32))] + [("*fp16", (np.empty_like(q), "out"))] * 2 +
                       [("*fp16", x) for x in (q, k, v, do)] + [("*fp32", x.astype(np.float32)) for x in want[3:]] + [i32(160)],
                       {"B": 64, "D": 64, "SCALE": 0.125, "CAUSAL": causal}, {i: (want[i], 2e-2) for i in range(3)}, targets=targets)

    x, w = normal(2, 9, 11, 16, type=np.float16), normal(3 * 3 * 16, 64, type=np.float16)
    padded = np.pad(x.astype(np.float64), ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.concatenate([padded[:, i:i + 9, j:j + 11] for i in range(3) for j in range(3)], axis=3)
    yield Case("convolution", convolution, (4, 1), [("*fp32", (np.empty((2 * 9 * 11, 64), np.float32), "out")), ("*fp16", x), ("*fp16", w),
                                                    *map(i32, (198, 64, 144, 9, 11, 9 * 11 * 16, 11 * 16, 16))],
               {"OH": 9, "OW": 11, "C": 16, "SIZE": 3, "STRIDE": 1, "BORDER": 1, "BM": 64, "BN": 64, "BK": 32},
               {0: (windows.reshape(198, 144) @ w.astype(np.float64), 1e-3)}, targets=(80, 90, 100, 120))

    x = rng.integers(0, 50, 5000).astype(np.int32)
    yield Case("atomics", bins, (10,), [("*i32", np.zeros(50, np.int32)), ("*i32", x), i32(5000)], {"B": 512},
               {0: (np.bincount(x, minlength=50), 0)})

    x = rng.integers(-1000, 1000, (8, 256)).astype(np.int32)
    yield Case("scan", scan, (1,), [("*i32", (np.empty_like(x), "out")), ("*i32", (np.empty(8, np.int32), "out")), ("*i32", x)],
               {"R": 8, "B": 256}, {0: (np.cumsum(x, 1), 0), 1: (np.argmax(x, 1), 0)})

    x = rng.uniform(-3, 3, 512).astype(np.float32)
    y = x.astype(np.float64)
    bf = (((x.view(np.uint32).astype(np.uint64) + 0x7fff + (x.view(np.uint32) >> 16 & 1)) >> 16 << 16).astype(np.uint32)).view(np.float32)
    i = (x * np.float32(1000)).astype(np.int32)
    quotient = np.trunc(i / 7).astype(np.int64)
    want = np.sort(x.astype(np.float16).astype(np.float64) + bf + quotient + (i - 7 * quotient) + np.sin(y) + np.cos(y) +
                   np.log(np.abs(y) + 1) + np.vectorize(__import__("math").erf)(y) + np.sqrt(np.abs(y)) + np.floor(y))
    yield Case("mixed", mixed, (1,), [("*fp32", (np.empty_like(x), "out")), ("*fp32", x), i32(512)], {"B": 512}, {0: (want, 1e-3)})
