# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products: every row of types, sizes below and above what the instructions take, batches, scales."""

from cutile_arith import CT, rng
from cutile_case import *

TYPES = {"f16": f16, "bf16": bf16, "f32": f32, "f64": f64, "e4m3": e4m3, "e5m2": e5m2, "i8": np.int8, "u8": np.uint8, "tf32": f32}
# Operands, accumulator.
ROWS = [("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("f32", "f32"), ("f64", "f64"), ("tf32", "f32"), ("e4m3", "f32"), ("e4m3", "f16"), ("e5m2", "f32"),
        ("e5m2", "f16"), ("i8", "i32"), ("u8", "i32")]
RESULT = {"f16": f16, "f32": f32, "f64": f64, "i32": np.int32}
SIZES = [(16, 16, 16), (32, 64, 32), (64, 32, 64), (8, 8, 8), (2, 4, 2), (1, 16, 32), (128, 8, 16), (4, 128, 128)]


def numbers(name, t, shape):
    """Small whole numbers, whose products and sums are exact in every type."""
    if t in ("i8", "u8"):
        return rng(name).integers(-128 if t == "i8" else 0, 128 if t == "i8" else 256, shape).astype(TYPES[t])
    return rng(name).integers(-3, 4, shape).astype(TYPES[t])


def wide(x):
    return x.astype(np.int64 if x.dtype.kind in "iu" else f64)


def products():
    for t, acc in ROWS:
        for m, n, k in SIZES:
            a, b, c = numbers("a" + t, t, (m, k)), numbers("b" + t, t, (k, n)), rng("c").integers(-9, 9, (m, n)).astype(RESULT[acc])
            cast = ".astype(ct.tfloat32)" if t == "tf32" else ""
            body = (f"a = ct.load(a_, (0, 0), ({m}, {k})){cast}\nb = ct.load(b_, (0, 0), ({k}, {n})){cast}\nc = ct.load(c_, (0, 0), ({m}, {n}))\n"
                    "ct.store(r_, (0, 0), ct.mma(a, b, c))")
            yield Case(f"mma-{t}-{acc}-{m}x{n}x{k}", ct.kernel(function("a_, b_, c_, r_", body)), (1,), [Array(a), Array(b), Array(c), out((m, n), RESULT[acc])],
                       {3: (wide(a) @ wide(b) + wide(c), 0)})
    a, b, c = numbers("mix1", "i8", (32, 32)), numbers("mix2", "u8", (32, 32)), np.zeros((32, 32), np.int32)
    k = ct.kernel(function("a, b, r", "ct.store(r, (0, 0), ct.mma(ct.load(a, (0, 0), (32, 32)), ct.load(b, (0, 0), (32, 32)), ct.zeros((32, 32), ct.int32)))"))
    yield Case("mma-i8-u8", k, (1,), [Array(a), Array(b), out((32, 32), np.int32)], {2: (wide(a) @ wide(b), 0)})
    for t in ("e4m3", "e5m2"):
        a, b = numbers("fa" + t, t, (64, 64)), numbers("fb" + t, t, (64, 32))
        k = ct.kernel(function("a, b, r", "ct.store(r, (0, 0), ct.mma(ct.load(a, (0, 0), (64, 64)), ct.load(b, (0, 0), (64, 32)), ct.zeros((64, 32), ct.float32), use_fast_acc=True))"))
        yield Case(f"mma-fast-{t}", k, (1,), [Array(a), Array(b), out((64, 32), f32)], {2: (wide(a) @ wide(b), 0)})
    # f32 is multiplied as f32, not as tf32.
    x, y = rng("true32").standard_normal((32, 64)).astype(f32), rng("true32b").standard_normal((64, 32)).astype(f32)
    k = ct.kernel(function("a, b, r", "ct.store(r, (0, 0), ct.load(a, (0, 0), (32, 64)) @ ct.load(b, (0, 0), (64, 32)))"))
    yield Case("matmul-f32", k, (1,), [Array(x), Array(y), out((32, 32), f32)], {2: (x.astype(f64) @ y.astype(f64), 2e-5)})
    h = rng("mmh").standard_normal((32, 64)).astype(f16), rng("mmh2").standard_normal((64, 32)).astype(f16)
    yield Case("matmul-f16", k, (1,), [Array(h[0]), Array(h[1]), out((32, 32), f16)], {2: (wide(h[0]) @ wide(h[1]), (5e-3, 2e-2))})
    # Batches, broadcast on either side.
    for name, sa, sb in (("3x3", (4, 16, 32), (4, 32, 16)), ("3x2", (4, 16, 32), (32, 16)), ("2x3", (16, 32), (4, 32, 16)), ("1x4", (1, 16, 32), (4, 32, 16))):
        for t in ("f16", "f32", "i8"):
            a, b = numbers("ba" + name, t, sa), numbers("bb" + name, t, sb)
            acc = "int32" if t == "i8" else "float32"
            body = f"ct.store(r, (0, 0, 0), ct.mma(ct.load(a, {(0,) * len(sa)}, {sa}), ct.load(b, {(0,) * len(sb)}, {sb}), ct.ones((4, 16, 16), ct.{acc})))"
            yield Case(f"mma-batch-{name}-{t}", ct.kernel(function("a, b, r", body)), (1,), [Array(a), Array(b), out((4, 16, 16), np.int32 if t == "i8" else f32)],
                       {2: (wide(a) @ wide(b) + 1, 0)})
    # Transposed operands, operands computed before, the accumulator used after.
    a, b = numbers("ta", "bf16", (64, 32)), numbers("tb", "bf16", (48, 64))
    body = ("a = ct.transpose(ct.load(a_, (0, 0), (64, 32))) + 1\nb = ct.load(b_, (0, 0), (64, 64), padding_mode=ct.PaddingMode.ZERO).transpose()\n"
            "c = ct.mma(a, b, ct.zeros((32, 64), ct.float32))\nct.store(r_, (0, 0), c * 2.0)\nct.store(s_, (0,), ct.sum(c, 0))")
    want = (wide(a).T + 1) @ wide(b).T
    yield Case("mma-transposed", ct.kernel(function("a_, b_, r_, s_", body)), (1,), [Array(a), Array(b), out((32, 48), f32), out(48, f32)], {2: (2 * want, 0), 3: (want.sum(0), 0)})
    # Chained: the result of one is the operand of the next.
    q, w, v = (numbers("ch" + n, "f16", (32, 32)) for n in "qwv")
    body = ("q, w, v = (ct.load(x, (0, 0), (32, 32)) for x in (q_, w_, v_))" if False else
            "q = ct.load(q_, (0, 0), (32, 32))\nw = ct.load(w_, (0, 0), (32, 32))\nv = ct.load(v_, (0, 0), (32, 32))\nz = ct.zeros((32, 32), ct.float32)\n"
            "s = ct.mma(q, w, z)\nct.store(r_, (0, 0), ct.mma((s / 16.0).astype(ct.float16), v, z))")
    s = quantise((wide(q) @ wide(w)) / 16, "f16")
    yield Case("mma-chained", ct.kernel(function("q_, w_, v_, r_", body)), (1,), [Array(q), Array(w), Array(v), out((32, 32), f32)], {3: (s @ wide(v), 1e-3)})
    # A loop over K, with an edge everywhere.
    for t, tile in (("f16", (32, 64, 32)), ("bf16", (64, 64, 64)), ("f32", (32, 32, 16)), ("e4m3", (64, 32, 64)), ("i8", (32, 64, 64)), ("tf32", (32, 32, 32))):
        m, n, k = 50, 72, 100
        a, b = numbers("ga" + t, t, (m, k)), numbers("gb" + t, t, (k, n))
        tm, tn, tk = tile
        cast = ".astype(ct.tfloat32)" if t == "tf32" else ""
        acc = "int32" if t == "i8" else "float32"
        body = (f"i = ct.bid(0)\nj = ct.bid(1)\nacc = ct.zeros(({tm}, {tn}), ct.{acc})\nfor k in range(ct.num_tiles(a_, 1, ({tm}, {tk}))):\n"
                f"    a = ct.load(a_, (i, k), ({tm}, {tk}), padding_mode=ct.PaddingMode.ZERO){cast}\n    b = ct.load(b_, (k, j), ({tk}, {tn}), padding_mode=ct.PaddingMode.ZERO){cast}\n"
                f"    acc = ct.mma(a, b, acc)\nct.store(r_, (i, j), acc)")
        yield Case(f"gemm-{t}", ct.kernel(function("a_, b_, r_", body)), (-(-m // tm), -(-n // tn)), [Array(a), Array(b), out((m, n), np.int32 if t == "i8" else f32)],
                   {2: (wide(a) @ wide(b), 0)})


def scaled():
    def powers(name, shape):
        return np.exp2(rng(name).integers(-3, 4, shape).astype(f64)).astype(e8m0)
    for t in ("e4m3", "e5m2"):
        for m, n, k in ((16, 16, 64), (128, 64, 128), (4, 8, 32)):
            a, b = numbers("sa" + t, t, (m, k)), numbers("sb" + t, t, (k, n))
            sa, sb = powers("ssa", (m, k // 32)), powers("ssb", (k // 32, n))
            c = rng("sc").integers(-4, 4, (m, n)).astype(f32)
            body = (f"a = ct.load(a_, (0, 0), ({m}, {k}))\nb = ct.load(b_, (0, 0), ({k}, {n}))\nx = ct.load(x_, (0, 0), ({m}, {k // 32}))\ny = ct.load(y_, (0, 0), ({k // 32}, {n}))\n"
                    f"ct.store(r_, (0, 0), ct.mma_scaled(a, x, b, y, ct.load(c_, (0, 0), ({m}, {n}))))")
            want = (wide(a) * wide(sa).repeat(32, 1)) @ (wide(b) * wide(sb).repeat(32, 0)) + c
            yield Case(f"scaled-{t}-{m}x{n}x{k}", ct.kernel(function("a_, x_, b_, y_, c_, r_", body)), (1,),
                       [Array(v) for v in (a, sa, b, sb, c)] + [out((m, n), f32)], {5: (want, (1e-6, 1e-3))})
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
    # 128 rows are what tcgen05.mma multiplies.
    for block, kind, (m, n, k) in ((32, "e8m0", (32, 16, 64)), (16, "e8m0", (32, 16, 64)), (16, "e4m3", (32, 16, 64)), (32, "e8m0", (128, 32, 128)), (16, "e4m3", (128, 64, 128))):
        a, b = rng("p4a").integers(0, 256, (m, k // 2)).astype(np.uint8), rng("p4b").integers(0, 256, (n, k // 2)).astype(np.uint8)
        wa, wb = (values[np.stack([v & 15, v >> 4], -1).reshape(v.shape[0], k)] for v in (a, b))
        sa = powers("p4sa", (m, k // block)) if kind == "e8m0" else rng("p4s").integers(1, 8, (m, k // block)).astype(e4m3)
        sb = powers("p4sb", (n, k // block)) if kind == "e8m0" else rng("p4t").integers(1, 8, (n, k // block)).astype(e4m3)
        body = (f"a = ct.unpack_from_bytes(ct.load(a_, (0, 0), ({m}, {k // 2})).reshape(({m * k // 2},)), ct.float4_e2m1fn).reshape(({m}, {k}))\n"
                f"b = ct.unpack_from_bytes(ct.load(b_, (0, 0), ({n}, {k // 2})).reshape(({n * k // 2},)), ct.float4_e2m1fn).reshape(({n}, {k})).transpose()\n"
                f"x = ct.load(x_, (0, 0), ({m}, {k // block}))\ny = ct.load(y_, (0, 0), ({n}, {k // block})).transpose()\n"
                f"ct.store(r_, (0, 0), ct.mma_scaled(a, x, b, y, ct.zeros(({m}, {n}), ct.float32)))")
        want = (wa * wide(sa).repeat(block, 1)) @ (wb * wide(sb).repeat(block, 1)).T
        yield Case(f"scaled-fp4-{kind}-{block}-{m}x{n}x{k}", ct.kernel(function("a_, x_, b_, y_, r_", body)), (1,), [Array(v) for v in (a, sa, b, sb)] + [out((m, n), f32)],
                   {4: (want, (1e-6, 1e-3))})


def scaled_in_blocks():
    """Scales as libraries keep them: those of 128 rows and four blocks of k in 512 bytes, seen in three shapes; two rounds of a loop over k."""
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
    m, n, k, tile = 256, 128, 512, 256

    def in_blocks(scales, shape):
        rows, groups = scales.shape
        return scales.reshape(rows // 128, 4, 32, groups // 4, 4).transpose(0, 3, 2, 1, 4).copy().reshape(rows // 128, groups // 4, *shape)

    a, b = rng("bla").integers(0, 256, (m, k // 2)).astype(np.uint8), rng("blb").integers(0, 256, (n, k // 2)).astype(np.uint8)
    wa, wb = (values[np.stack([v & 15, v >> 4], -1).reshape(v.shape[0], k)] for v in (a, b))
    sa, sb = rng("bls").integers(1, 8, (m, k // 16)).astype(e4m3), rng("blt").integers(1, 8, (n, k // 16)).astype(e4m3)
    want = (wa * wide(sa).repeat(16, 1)) @ (wb * wide(sb).repeat(16, 1)).T
    for shape in ((32, 4, 4), (2, 256), (512,)):
        place, block = ", 0" * len(shape), ", ".join(map(str, shape))
        load = (f"ct.load({{0}}_, ({{1}}, k{place}), (1, {tile // 64}, {block}), padding_mode=ct.PaddingMode.ZERO)"
                f".reshape((1, {tile // 64}, 32, 4, 4)).permute((0, 3, 2, 1, 4)).reshape((128, {tile // 16}))")
        factor = (f"ct.unpack_from_bytes(ct.load({{0}}_, ({{1}}, k), (128, {tile // 2}), padding_mode=ct.PaddingMode.ZERO).reshape(({64 * tile},)), ct.float4_e2m1fn)"
                  f".reshape((128, {tile}))")
        body = (f"i = ct.bid(0)\nj = ct.bid(1)\nacc = ct.zeros((128, 128), ct.float32)\nfor k in range(ct.num_tiles(a_, 1, (128, {tile // 2}))):\n"
                f"    a = {factor.format('a', 'i')}\n    b = {factor.format('b', 'j')}.transpose()\n    x = {load.format('x', 'i')}\n    y = {load.format('y', 'j')}.transpose()\n"
                "    acc = ct.mma_scaled(a, x, b, y, acc)\nct.store(r_, (i, j), acc)")
        yield Case(f"scaled-blocks-{'x'.join(map(str, shape))}", ct.kernel(function("a_, x_, b_, y_, r_", body)), (m // 128, n // 128),
                   [Array(a), Array(in_blocks(sa, shape)), Array(b), Array(in_blocks(sb, shape)), out((m, n), f32)], {4: (want, (1e-6, 1e-3))})


def cases():
    for group in (products, scaled, scaled_in_blocks):
        yield from group()
