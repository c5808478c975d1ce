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
def gemm_persistent(c, a, b, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PROGRAMS: tl.constexpr, PARTS: tl.constexpr):
    """`gemm` by programs that stay, whose loops over tiles and over k are one and pipelined as such; a tile is stored in one part or in two, through as
    much shared memory, while factors of the next one arrive."""
    da = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    db = tl.make_tensor_descriptor(b, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    dc = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN // PARTS])
    tiles_n = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * tiles_n, PROGRAMS, flatten=True):
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
    for start in range(0, end, B):
        p = tl.dot(Q, dk.load([start, 0]).T) * scale
        if CAUSAL:
            p = tl.where(rows[:, None] >= (start + tl.arange(0, B))[None, :], p, -float("inf"))
        top = tl.maximum(m, tl.max(p, 1))
        p = tl.exp2(p - top[:, None])
        f = tl.exp2(m - top)
        s = s * f + tl.sum(p, 1)
        acc = tl.dot(p.to(out.dtype.element_ty), dv.load([start, 0]), acc * f[:, None])
        m = top
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
                   {0: (a.astype(np.float64) @ b.astype(np.float64).T, 0.05)}, targets=(100,) if special else (90, 100))

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
