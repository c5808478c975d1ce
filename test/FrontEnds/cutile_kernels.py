# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole kernels as people write them."""

import cuda.tile as ct

from cutile_arith import floats, rng
from cutile_case import *

LOG2E = 1.4426950408889634


@ct.kernel
def softmax(x, y, WIDTH: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (1, WIDTH), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(y, (row, 0), (e / ct.sum(e, axis=1, keepdims=True)).astype(y.dtype))


@ct.kernel
def layer_norm(x, gamma, beta, y, mean, rstd, eps, WIDTH: ct.Constant[int]):
    row = ct.bid(0)
    n = x.shape[1]
    total = ct.zeros((1, WIDTH), ct.float32)
    squares = ct.zeros((1, WIDTH), ct.float32)
    for j in range(ct.num_tiles(x, 1, (1, WIDTH))):
        t = ct.load(x, (row, j), (1, WIDTH), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32)
        total += t
        squares += t * t
    m = ct.sum(total, axis=1) / n
    r = ct.rsqrt(ct.sum(squares, axis=1) / n - m * m + eps)
    ct.store(mean, (row,), m)
    ct.store(rstd, (row,), r)
    for j in range(ct.num_tiles(x, 1, (1, WIDTH))):
        t = ct.load(x, (row, j), (1, WIDTH), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32)
        g = ct.load(gamma, (j,), (WIDTH,), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32)
        b = ct.load(beta, (j,), (WIDTH,), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32)
        ct.store(y, (row, j), ((t - m[:, None]) * r[:, None] * g[None, :] + b[None, :]).astype(y.dtype))


@ct.kernel(occupancy=2)
def attention(q, k, v, o, scale, M: ct.Constant[int], N: ct.Constant[int], D: ct.Constant[int], CAUSAL: ct.Constant[bool]):
    head, block = ct.bid(1), ct.bid(0)
    tq = ct.load(q, (head, block, 0), (1, M, D)).reshape((M, D))
    top = ct.full((M, 1), -float("inf"), ct.float32)
    total = ct.zeros((M, 1), ct.float32)
    acc = ct.zeros((M, D), ct.float32)
    rows = block * M + ct.arange(M, dtype=ct.int32)[:, None]
    keys = k.shape[1]
    last = ct.cdiv((block + 1) * M, N) if CAUSAL else ct.cdiv(keys, N)
    for j in range(last):
        tk = ct.load(k, (head, 0, j), (1, D, N), order=(0, 2, 1), latency=2).reshape((D, N))
        s = ct.mma(tq, tk, ct.zeros((M, N), ct.float32))
        columns = j * N + ct.arange(N, dtype=ct.int32)[None, :]
        inside = columns < keys
        if CAUSAL:
            inside = inside & (rows >= columns)
        s = ct.where(inside, s * (scale * LOG2E), -float("inf"))
        higher = ct.maximum(top, ct.max(s, axis=1, keepdims=True))
        p = ct.exp2(s - higher, flush_to_zero=True)
        old = ct.exp2(top - higher, flush_to_zero=True)
        total = total * old + ct.sum(p, axis=1, keepdims=True)
        acc = acc * old
        tv = ct.load(v, (head, j, 0), (1, N, D), padding_mode=ct.PaddingMode.ZERO).reshape((N, D))
        acc = ct.mma(p.astype(v.dtype), tv, acc)
        top = higher
    ct.store(o, (head, block, 0), ct.truediv(acc, total, flush_to_zero=True, rounding_mode=ct.RoundingMode.APPROX).astype(o.dtype).reshape((1, M, D)))


@ct.kernel
def persistent_gemm(a, b, c, M: ct.Constant[int], N: ct.Constant[int], K: ct.Constant[int], GROUP: ct.Constant[int]):
    rows, columns = ct.cdiv(a.shape[0], M), ct.cdiv(b.shape[1], N)
    for number in range(ct.bid(0), rows * columns, ct.num_blocks(0)):
        group = number // (GROUP * columns)
        first = group * GROUP
        height = min(rows - first, GROUP)
        i = first + number % height
        j = (number % (GROUP * columns)) // height
        acc = ct.zeros((M, N), ct.float32)
        for k in range(ct.num_tiles(a, 1, (M, K))):
            ta = ct.load(a, (i, k), (M, K), padding_mode=ct.PaddingMode.ZERO)
            tb = ct.load(b, (k, j), (K, N), padding_mode=ct.PaddingMode.ZERO)
            acc = ct.mma(ta, tb, acc)
        ct.store(c, (i, j), acc.astype(c.dtype))


@ct.kernel
def philox(seed, y, T: ct.Constant[int]):
    """Ten rounds of Philox 4x32 on the number of the element."""
    n = ct.bid(0) * T + ct.arange(T, dtype=ct.int32)
    c0 = ct.astype(n, ct.uint32)
    c1 = c0 * 0
    c2 = c0 * 0
    c3 = c0 * 0
    k0 = ct.astype(seed, ct.uint32)
    k1 = k0 * 0
    for _ in range(10):
        p0 = ct.astype(c0, ct.uint64) * 0xD2511F53
        p1 = ct.astype(c2, ct.uint64) * 0xCD9E8D57
        h0, l0 = ct.astype(p0 >> 32, ct.uint32), ct.astype(p0 & 0xFFFFFFFF, ct.uint32)
        h1, l1 = ct.astype(p1 >> 32, ct.uint32), ct.astype(p1 & 0xFFFFFFFF, ct.uint32)
        c0, c1, c2, c3 = h1 ^ c1 ^ k0, l1, h0 ^ c3 ^ k1, l0
        k0 = k0 + 0x9E3779B9
        k1 = k1 + 0xBB67AE85
    ct.store(y, (ct.bid(0),), c0)


def philox_numbers(seed, n):
    mask = 0xFFFFFFFF
    result = []
    for i in range(n):
        c, k = [i, 0, 0, 0], [seed, 0]
        for _ in range(10):
            p0, p1 = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
            c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & mask, (p0 >> 32) ^ c[3] ^ k[1], p0 & mask]
            k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
        result.append(c[0])
    return np.array(result, np.uint32)


@ct.kernel
def histogram(x, counts, T: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (T,), padding_mode=ct.PaddingMode.ZERO)
    inside = ct.bid(0) * T + ct.arange(T, dtype=ct.int32) < x.shape[0]
    ct.atomic_add(counts, ct.where(inside, t, -1), 1)


@ct.kernel
def rope(x, cos, sin, y, D: ct.Constant[int]):
    row = ct.bid(0)
    a = ct.load(x, (row, 0), (1, D // 2)).astype(ct.float32)
    b = ct.load(x, (row, 1), (1, D // 2)).astype(ct.float32)
    c = ct.load(cos, (row, 0), (1, D // 2))
    s = ct.load(sin, (row, 0), (1, D // 2))
    ct.store(y, (row, 0), (a * c - b * s).astype(y.dtype))
    ct.store(y, (row, 1), (b * c + a * s).astype(y.dtype))


@ct.kernel
def quantise_rows(x, q, scales, WIDTH: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (1, WIDTH), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32)
    s = ct.maximum(ct.max(ct.abs(t), axis=1), 1e-12) / 448.0
    ct.store(scales, (row,), s)
    ct.store(q, (row, 0), (t / s[:, None]).astype(ct.float8_e4m3fn))


@ct.kernel
def swiglu(x, y, T: ct.Constant[int]):
    row, j = ct.bid(0), ct.bid(1)
    n = ct.num_tiles(y, 1, (1, T))
    gate = ct.load(x, (row, j), (1, T)).astype(ct.float32)
    up = ct.load(x, (row, j + n), (1, T)).astype(ct.float32)
    ct.store(y, (row, j), (gate / (1.0 + ct.exp(-gate)) * up).astype(y.dtype))


@ct.kernel
def bitonic_sort(x, y, LOG: ct.Constant[int]):
    n = ct.static_eval(2 ** LOG)
    t = ct.load(x, (0,), (n,))
    at = ct.arange(n, dtype=ct.int32)
    for i in ct.static_iter(range(1, LOG + 1)):
        for j in ct.static_iter(range(i - 1, -1, -1)):
            pairs = t.reshape((n >> (j + 1), 2, 1 << j))
            low, high = pairs.extract((0, 0, 0), (n >> (j + 1), 1, 1 << j)), pairs.extract((0, 1, 0), (n >> (j + 1), 1, 1 << j))
            up = ((at >> i) & 1 == 0).reshape((n >> (j + 1), 2, 1 << j)).extract((0, 0, 0), (n >> (j + 1), 1, 1 << j))
            least, most = ct.minimum(low, high), ct.maximum(low, high)
            t = ct.cat((ct.where(up, least, most), ct.where(up, most, least)), 1).reshape((n,))
    ct.store(y, (0,), t)


@ct.kernel
def top_k(x, values, places, K: ct.Constant[int], N: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (1, N), padding_mode=ct.PaddingMode.NEG_INF)
    at = ct.arange(N, dtype=ct.int32)[None, :]
    for i in range(K):
        best = ct.argmax(t, axis=1)
        ct.store(values, (row, i), ct.max(t, axis=1, keepdims=True))
        ct.store(places, (row, i), best[:, None])
        t = ct.where(at == best[:, None], -float("inf"), t)


@ct.kernel
def moe(x, weights, experts, tokens, y, M: ct.Constant[int], K: ct.Constant[int], N: ct.Constant[int]):
    """Rows of x that `tokens` lists, times the matrix of the block's expert."""
    block = ct.bid(0)
    expert = ct.load(experts, (block,), ())
    rows = ct.load(tokens, (block, 0), (1, M)).reshape((M,))
    acc = ct.zeros((M, N), ct.float32)
    for k in range(ct.cdiv(x.shape[1], K)):
        a = ct.gather(x, (rows[:, None], (k * K + ct.arange(K, dtype=ct.int32))[None, :]))
        b = ct.load(weights, (expert, k, 0), (1, K, N)).reshape((K, N))
        acc = ct.mma(a, b, acc)
    ct.scatter(y, (rows[:, None], ct.arange(N, dtype=ct.int32)[None, :]), acc.astype(y.dtype))


@ct.kernel
def moe_rows(x, weights, experts, tokens, y, M: ct.Constant[int], K: ct.Constant[int], N: ct.Constant[int]):
    """The same, whole rows at a time through a view."""
    block = ct.bid(0)
    expert = ct.load(experts, (block,), ())
    rows = ct.load(tokens, (block, 0), (1, M)).reshape((M,))
    acc = ct.zeros((M, N), ct.float32)
    for k in range(ct.cdiv(x.shape[1], K)):
        a = ct.load_advanced_indexing(x, (rows, ct.Slice(k * K, K)), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(weights, (expert, k, 0), (1, K, N)).reshape((K, N))
        acc = ct.mma(a, b, acc)
    ct.store_advanced_indexing(y, (rows, ct.Slice(0, N)), acc.astype(y.dtype))


def cases():
    for t, dtype in (("f32", f32), ("f16", f16), ("bf16", bf16)):
        x = floats("softmax" + t, dtype, n=11 * 100, special=False).reshape(11, 100)
        e = np.exp(x.astype(f64) - x.astype(f64).max(1, keepdims=True))
        yield Case(f"softmax-{t}", softmax, (11,), [Array(x), out((11, 100), dtype), Const(128)], {1: (e / e.sum(1, keepdims=True), 1e-5 if t == "f32" else 4e-3)})
        g, b = floats("gamma" + t, dtype, n=100, special=False), floats("beta" + t, dtype, n=100, special=False)
        m, v = x.astype(f64).mean(1), x.astype(f64).var(1)
        want = (x.astype(f64) - m[:, None]) / np.sqrt(v + 1e-5)[:, None] * g.astype(f64) + b.astype(f64)
        yield Case(f"layer-norm-{t}", layer_norm, (11,), [Array(x), Array(g), Array(b), out((11, 100), dtype), out(11, f32), out(11, f32), f32(1e-5), Const(64)],
                   {3: (want, 1e-4 if t == "f32" else (1e-2, 3e-2)), 4: (m, 1e-5), 5: (1 / np.sqrt(v + 1e-5), 1e-4)})
    for causal in (False, True):
        for t, dtype in (("f16", f16), ("bf16", bf16)):
            q, k, v = (rng(n + t).standard_normal((2, 64, 32)).astype(dtype) for n in "qkv")
            s = q.astype(f64) @ k.astype(f64).swapaxes(1, 2) / np.sqrt(32)
            if causal:
                s = np.where(np.tril(np.ones((64, 64), bool)), s, -np.inf)
            p = np.exp(s - s.max(-1, keepdims=True))
            want = p / p.sum(-1, keepdims=True) @ v.astype(f64)
            yield Case(f"attention-{t}{'-causal' if causal else ''}", attention, (2, 2), [Array(q), Array(k), Array(v), out((2, 64, 32), dtype), f32(1 / np.sqrt(32)), Const(32), Const(32),
                       Const(32), Const(causal)], {3: (want, 4e-3 if t == "f16" else 3e-2)})
    a, b = rng("pa").integers(-3, 4, (100, 72)).astype(f16), rng("pb").integers(-3, 4, (72, 88)).astype(f16)
    yield Case("persistent-gemm", persistent_gemm, (3,), [Array(a), Array(b), out((100, 88), f32), Const(32), Const(32), Const(32), Const(2)], {2: (a.astype(f64) @ b.astype(f64), 0)})
    yield Case("philox", philox, (2,), [np.int32(1234), out(256, np.uint32), Const(128)], {1: (philox_numbers(1234, 256), 0)})
    x = rng("hist").integers(0, 40, 1000).astype(np.int32)
    yield Case("histogram", histogram, (4,), [Array(x), Array(np.zeros(40, np.int32)), Const(256)], {1: (np.bincount(x, minlength=40), 0)})
    x, angle = floats("rope", bf16, n=8 * 64, special=False).reshape(8, 64), rng("angle").uniform(0, 6, (8, 32))
    lo, hi = x[:, :32].astype(f64), x[:, 32:].astype(f64)
    want = np.concatenate([lo * np.cos(angle) - hi * np.sin(angle), hi * np.cos(angle) + lo * np.sin(angle)], 1)
    yield Case("rope", rope, (8,), [Array(x), Array(np.cos(angle).astype(f32)), Array(np.sin(angle).astype(f32)), out((8, 64), bf16), Const(64)], {3: (want, (1e-2, 1e-3))})
    x = floats("quant", f32, n=6 * 120, special=False).reshape(6, 120)
    s = (np.abs(x).max(1) / f32(448)).astype(f32)
    yield Case("quantise", quantise_rows, (6,), [Array(x), out((6, 120), e4m3), out(6, f32), Const(128)], {1: (quantise((x / s[:, None]).astype(f64), "e4m3", saturate=True), 0), 2: (s, (1e-6, 0))})
    x = floats("swiglu", bf16, n=4 * 256, special=False).reshape(4, 256)
    g, u = x[:, :128].astype(f64), x[:, 128:].astype(f64)
    yield Case("swiglu", swiglu, (4, 2), [Array(x), out((4, 128), bf16), Const(64)], {1: (g / (1 + np.exp(-g)) * u, (1e-2, 1e-3))})
    x = rng("sort").integers(-1000, 1000, 64).astype(np.int32)
    yield Case("bitonic-sort", bitonic_sort, (1,), [Array(x), out(64, np.int32), Const(6)], {1: (np.sort(x), 0)})
    x = rng("topk").permutation(5 * 100).reshape(5, 100).astype(f32)
    order = np.argsort(-x, 1)[:, :4]
    yield Case("top-k", top_k, (5,), [Array(x), out((5, 4), f32), out((5, 4), np.int32), Const(4), Const(128)], {1: (np.take_along_axis(x, order, 1), 0), 2: (order, 0)})
    x, w = rng("moex").integers(-3, 4, (64, 96)).astype(bf16), rng("moew").integers(-3, 4, (3, 96, 32)).astype(bf16)
    experts, tokens = np.array([2, 0, 1, 0], np.int32), rng("moet").permutation(64).reshape(4, 16).astype(np.int32)
    want = np.zeros((64, 32))
    for e_, rows in zip(experts, tokens):
        want[rows] = x[rows].astype(f64) @ w[e_].astype(f64)
    for name, k in (("moe", moe), ("moe-rows", moe_rows)):
        yield Case(name, k, (4,), [Array(x), Array(w), Array(experts), Array(tokens), Array(np.zeros((64, 32), f32)), Const(16), Const(32), Const(32)], {4: (want, 0)})
    yield from natural()


def natural():
    """Tiles of the size people use."""
    def big(name, kernel, arguments):
        return Case("natural-" + name, kernel, (1,), arguments, runs=False)
    def array(shape, dtype):
        return Array(np.broadcast_to(np.zeros(1, dtype), shape), shape=shape)
    for t, dtype in (("f16", f16), ("bf16", bf16), ("f32", f32), ("e4m3", e4m3)):
        for m, n, k in ((128, 128, 64), (128, 256, 64), (256, 128, 64), (64, 64, 64), (256, 256, 32)):
            if t == "f32" and m * n > 128 * 128:
                continue
            a, b, c = (array(s, dtype if i < 2 else f32 if t == "e4m3" else dtype) for i, s in enumerate(((4096, 4096),) * 3))
            yield big(f"gemm-{t}-{m}x{n}x{k}", persistent_gemm, [a, b, c, Const(m), Const(n), Const(k), Const(8)])
    for t, dtype in (("f16", f16), ("bf16", bf16)):
        for m, n, d in ((64, 64, 64), (128, 64, 128), (128, 128, 64), (128, 128, 128), (256, 128, 64)):
            for causal in (False, True):
                q = [array((32, 8192, d), dtype) for _ in range(4)]
                yield big(f"attention-{t}-{m}x{n}x{d}{'-causal' if causal else ''}", attention, q + [f32(0.1), Const(m), Const(n), Const(d), Const(causal)])
        for width in (1024, 4096, 16384):
            yield big(f"softmax-{t}-{width}", softmax, [array((4096, width), dtype), array((4096, width), dtype), Const(width)])
            yield big(f"layer-norm-{t}-{width}", layer_norm, [array((4096, width), dtype), array((width,), dtype), array((width,), dtype), array((4096, width), dtype), array((4096,), f32),
                                                              array((4096,), f32), f32(1e-5), Const(width)])
        yield big(f"moe-{t}", moe, [array((4096, 2048), dtype), array((8, 2048, 128), dtype), array((32,), np.int32), array((32, 128), np.int32), array((4096, 128), dtype), Const(128), Const(64), Const(128)])
    yield big("sort-1024", bitonic_sort, [array((1024,), np.int32), array((1024,), np.int32), Const(10)])
    yield big("quantise-4096", quantise_rows, [array((4096, 4096), f32), array((4096, 4096), e4m3), array((4096,), f32), Const(4096)])
