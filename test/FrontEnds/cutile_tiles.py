# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole tiles: shapes, constants, reductions, scans."""

from cutile_arith import EPS, FLOATS, INTEGERS, floats, integers, rng
from cutile_case import *


def one_tile(name, inputs, body, wants, tolerance=0, **names):
    """A kernel of one block: loads whole inputs (x, y, ...), executes `body`, which names its results r0, r1, ..."""
    # The expected arrays give the results' shapes and types.
    text = [f"{n} = ct.load({n}_, {(0,) * v.ndim}, {v.shape})" for n, v in inputs.items()] + body.strip().split("\n")
    for i, w in enumerate(wants):
        text.append(f"ct.store(r{i}_, {(0,) * max(w.ndim, 1)}, r{i})" if w.ndim else f"ct.store(r{i}_, (0,), r{i})")
    parameters = [n + "_" for n in inputs] + [f"r{i}_" for i in range(len(wants))]
    arguments = [Array(v) for v in inputs.values()] + [out(w.shape or (1,), w.dtype) for w in wants]
    k = len(inputs)
    return Case(name, ct.kernel(function(", ".join(parameters), "\n".join(text), **names)), (1,), arguments,
                {k + i: (w.reshape(w.shape or (1,)), tolerance) for i, w in enumerate(wants)})


def shapes():
    x = np.arange(2 * 4 * 8 * 16, dtype=np.int32).reshape(2, 4, 8, 16)
    m = rng("m").integers(-99, 99, (16, 32)).astype(np.int16)
    yield one_tile("reshape", {"x": x}, "r0 = ct.reshape(x, (8, 128))\nr1 = x.reshape((4, -1))\nr2 = x.reshape((1024,))",
                   [x.reshape(8, 128), x.reshape(4, -1), x.reshape(-1)])
    for axes in ((3, 2, 1, 0), (1, 0, 3, 2), (0, 2, 1, 3), (2, 3, 0, 1)):
        yield one_tile("permute" + "".join(map(str, axes)), {"x": x}, f"r0 = ct.permute(x, {axes})\nr1 = ct.permute(x, {axes}).reshape((32, 32))",
                       [x.transpose(axes).copy(), x.transpose(axes).reshape(32, 32)])
    for t, dtype in {**FLOATS, **INTEGERS, "e4m3": e4m3, "bool": np.bool_}.items():
        v = rng("tr" + t).integers(0, 2, (32, 64)).astype(np.bool_) if t == "bool" else rng("tr" + t).integers(0, 100, (32, 64)).astype(dtype)
        yield one_tile(f"transpose-{t}", {"x": v}, "r0 = ct.transpose(x)", [v.T.copy()])
        yield one_tile(f"cat-{t}", {"x": v}, "r0 = ct.cat((x, x), 0)\nr1 = ct.cat((x, x), 1)", [np.concatenate([v, v]), np.concatenate([v, v], 1)])
    yield one_tile("transpose-axes", {"x": x}, "r0 = ct.transpose(x, 0, 2)\nr1 = x.transpose(1, 3)", [x.swapaxes(0, 2).copy(), x.swapaxes(1, 3).copy()])
    a, b = m[:, :16].copy(), m[:, 16:].copy()
    yield one_tile("cat", {"x": a, "y": b}, "r0 = ct.cat((x, y), 1)\nr1 = ct.cat((y, x), axis=-1)\nr2 = ct.cat((x, y), 0)",
                   [m, np.concatenate([b, a], 1), np.concatenate([a, b])])
    yield one_tile("extract", {"x": m}, "r0 = ct.extract(x, (1, 3), (8, 8))\nr1 = x.extract((0, 0), (16, 1))\nr2 = ct.extract(x, (15, 31), (1, 1))",
                   [m[8:, 24:].copy(), m[:, :1].copy(), m[15:, 31:].copy()])
    moved = m.copy()
    moved[4:8, 16:24] = 7
    yield one_tile("insert", {"x": m}, "r0 = ct.insert(x, (1, 2), ct.full((4, 8), 7, ct.int16))", [moved])
    moved = m.copy()
    moved[8:, :] = m[:8, :]
    yield one_tile("insert-extracted", {"x": m}, "r0 = x.insert((1, 0), x.extract((0, 0), (8, 32)))", [moved])
    # Which piece is known only at run time.
    text = "i = ct.bid(0)\nx = ct.load(x_, (0, 0), (16, 32))\np = x.extract((i, i), (4, 8))\nct.store(r_, (i, 0), p)\nct.store(q_, (0, i), x.extract((0, i), (16, 8)))"
    yield Case("extract-dynamic", ct.kernel(function("x_, r_, q_", text)), (4,), [Array(m), out((16, 8), np.int16), out((16, 32), np.int16)],
               {1: (np.concatenate([m[4 * i:4 * i + 4, 8 * i:8 * i + 8] for i in range(4)]), 0), 2: (m, 0)})
    want = np.stack([m] * 4)
    for i in range(4):
        want[i, 4 * i:4 * i + 4, 8 * (3 - i):8 * (3 - i) + 8] = i
    text = "i = ct.bid(0)\nx = ct.load(x_, (0, 0), (16, 32))\ny = ct.insert(x, (i, 3 - i), ct.full((4, 8), 0, ct.int16) + ct.astype(i, ct.int16))\nct.store(r_, (i, 0, 0), y.reshape((1, 16, 32)))"
    yield Case("insert-dynamic", ct.kernel(function("x_, r_", text)), (4,), [Array(m), out((4, 16, 32), np.int16)], {1: (want, 0)})
    v = np.arange(16, dtype=np.int32)
    yield one_tile("broadcast", {"x": v}, "r0 = ct.broadcast_to(x, (8, 16))\nr1 = x[:, None] * 100 + x[None, :]\nr2 = ct.expand_dims(x, 0) + ct.zeros((4, 1, 16), ct.int32)",
                   [np.broadcast_to(v, (8, 16)).copy(), v[:, None] * 100 + v, np.broadcast_to(v, (4, 1, 16)).copy()])
    a, b = np.arange(8, dtype=np.int32).reshape(8, 1), np.arange(4, dtype=np.int32) * 10
    yield one_tile("broadcasting", {"x": a, "y": b}, "r0 = x + y\nr1 = ct.where(x > 3, y, x)\nr2 = ct.maximum(x, 5) * y - 1\nr3 = (x == y) | (y < 15)",
                   [a + b, np.where(a > 3, b, a), np.maximum(a, 5) * b - 1, (a == b) | (b < 15)])
    cube = rng("cube").integers(0, 50, (2, 4, 8)).astype(np.int16)
    yield one_tile("cat-3d", {"x": cube}, "r0 = ct.cat((x, x + 1), 0)\nr1 = ct.cat((x, x + 1), 1)\nr2 = ct.cat((x, x + 1), 2)", [np.concatenate([cube, cube + 1], i).astype(np.int16) for i in range(3)])
    yield one_tile("fills", {"x": v}, "r0 = ct.arange(16, dtype=ct.int32) + x\nr1 = ct.arange(8, dtype=ct.float32, start=2, step=3)\nr2 = ct.full((4, 4), 2.5, ct.float16)\n"
                   "r3 = ct.ones((2, 8), ct.bfloat16)\nr4 = ct.astile(((1, 2), (3, 4)), dtype=ct.int64)\nr5 = ct.arange(8, dtype=ct.int32, start=7, step=-1)\nr6 = ct.full((16,), True, ct.bool_)",
                   [2 * v, np.arange(2, 26, 3, dtype=f32), np.full((4, 4), 2.5, f16), np.ones((2, 8), bf16), np.array([[1, 2], [3, 4]]), np.arange(7, -1, -1, dtype=np.int32),
                    np.ones(16, bool)])
    for t in ("i8", "u8", "i16", "u32", "i64", "u64"):
        dtype = INTEGERS[t]
        info = np.iinfo(dtype)
        yield one_tile(f"constants-{t}", {"x": v}, f"r0 = ct.full((4,), {info.max}, D)\nr1 = ct.full((4,), {info.min}, D)\nr2 = ct.astile((1, {info.max}, {info.min}, 3), dtype=D)",
                       [np.full(4, info.max, dtype), np.full(4, info.min, dtype), np.array([1, info.max, info.min, 3], dtype)], D=DTYPES[np.dtype(dtype)])
    for t, dtype in {**FLOATS, "e4m3": e4m3, "e5m2": e5m2}.items():
        yield one_tile(f"constants-{t}", {"x": v}, "r0 = ct.full((4,), 0.3, D)\nr1 = ct.full((4,), -1.75, D)\nr2 = ct.astile((0.0, 1.5, -2.0, 0.1), dtype=D)\nr3 = ct.full((2,), float('inf'), E).astype(ct.float32)",
                       [np.full(4, f32(0.3)).astype(dtype), np.full(4, -1.75).astype(dtype), np.array([0, 1.5, -2, 0.1], f32).astype(dtype), np.full(2, np.inf, f32)],
                       D=DTYPES[np.dtype(dtype)], E=ct.float32)
    yield one_tile("item", {"x": v}, "i = x.extract((5,), (1,)).item()\nr0 = ct.full((4,), 1, ct.int32) * i\nr1 = i", [np.full(4, 5, np.int32), np.array(5, np.int32)])


def reductions():
    for t, dtype in {**FLOATS, **INTEGERS}.items():
        x = floats("red" + t, dtype, -1, 1, 512, special=False) if t in FLOATS else integers("red" + t, dtype, 512)
        x = x.reshape(8, 4, 16)
        wide = x.astype(f64) if t in FLOATS else x
        number = dtype if t in FLOATS else dtype
        with np.errstate(all="ignore"):
            sums = [np.sum(wide, a, dtype=f64 if t in FLOATS else dtype).astype(dtype) for a in (None, 0, 2, (0, 2))]
            prod = np.prod(wide, 1, dtype=f64 if t in FLOATS else dtype).astype(dtype)
        yield one_tile(f"sum-{t}", {"x": x}, "r0 = ct.sum(x)\nr1 = ct.sum(x, 0)\nr2 = ct.sum(x, axis=2)\nr3 = ct.sum(x, (0, 2))\nr4 = ct.prod(x, 1)\nr5 = ct.sum(x, 1, keepdims=True)",
                       [np.asarray(s) for s in sums] + [prod, np.sum(wide, 1, dtype=f64 if t in FLOATS else dtype, keepdims=True).astype(dtype)],
                       tolerance=(8 * EPS[t], 40 * EPS[t]) if t in FLOATS else 0)
        yield one_tile(f"minmax-{t}", {"x": x}, "r0 = ct.max(x)\nr1 = ct.min(x, 0)\nr2 = ct.max(x, (1, 2), keepdims=True)\nr3 = ct.min(x, -1)",
                       [np.asarray(x.max(), number), x.min(0), x.max((1, 2), keepdims=True), x.min(-1)])
        tied = np.round(x.astype(f64) * 3).astype(dtype) if t in FLOATS else (x // dtype(np.iinfo(dtype).max // 3)).astype(dtype)
        yield one_tile(f"argminmax-{t}", {"x": tied}, "r0 = ct.argmax(x, 2)\nr1 = ct.argmin(x, 0)\nr2 = ct.argmax(x)\nr3 = ct.argmin(x, 1, keepdims=True)",
                       [tied.argmax(2).astype(np.int32), tied.argmin(0).astype(np.int32), np.asarray(tied.argmax(), np.int32), tied.argmin(1)[:, None, :].astype(np.int32)])
    x = floats("rednan", f32, n=512, special=False).reshape(16, 32)
    x[::3, 5], x[4, :], x[6, 3], x[7, 9] = np.nan, np.nan, np.inf, -np.inf
    first = np.where(np.isnan(x).any(1), np.isnan(x).argmax(1), np.argmax(x, 1)).astype(np.int32)
    firstmin = np.where(np.isnan(x).any(1), np.isnan(x).argmax(1), np.argmin(x, 1)).astype(np.int32)
    yield one_tile("max-nan", {"x": x}, "r0 = ct.max(x, 1, propagate_nan=True)\nr1 = ct.argmax(x, 1, propagate_nan=True)\nr2 = ct.argmin(x, 1, propagate_nan=True)\nr3 = ct.where(ct.sum(x, 1) > 0, 1, 0)",
                   [x.max(1), first, firstmin, (x.sum(1) > 0).astype(np.int32)])
    keep = np.delete(x, 4, 0)[:8]
    yield one_tile("max-ignores-nan", {"x": keep}, "r0 = ct.max(x, 1)\nr1 = ct.min(x, 1)\nr2 = ct.argmax(x, 1)\nr3 = ct.argmin(x, 1)",
                   [np.nanmax(keep, 1), np.nanmin(keep, 1), np.nanargmax(keep, 1).astype(np.int32), np.nanargmin(keep, 1).astype(np.int32)])
    for t in ("f16", "bf16", "f64"):
        v = keep.astype(FLOATS[t])
        w = v.astype(f64)
        yield one_tile(f"max-ignores-nan-{t}", {"x": v}, "r0 = ct.max(x, 1)\nr1 = ct.argmin(x, 1)\nr2 = ct.min(x, 0, propagate_nan=True)",
                       [np.nanmax(w, 1).astype(v.dtype), np.nanargmin(w, 1).astype(np.int32), w.min(0).astype(v.dtype)])
    for mode in ("RZ", "RM", "RP"):
        whole = rng("sumr").integers(-50, 50, (16, 16)).astype(f32)
        yield one_tile(f"sum-{mode}", {"x": whole}, "r0 = ct.sum(x, 1, rounding_mode=M)\nr1 = ct.prod(x * 0.0 + 2.0, 0, rounding_mode=M)", [whole.sum(1), np.full(16, 65536, f32)],
                       M=getattr(ct.RoundingMode, mode))
    tiny = (np.ldexp(floats("sumftz", f32, 0.5, 1, 256, special=False), -130)).reshape(16, 16).astype(f32)
    yield one_tile("sum-ftz", {"x": tiny}, "r0 = ct.sum(x, 1, flush_to_zero=True)\nr1 = ct.max(x, 1, flush_to_zero=True)", [np.zeros(16, f32), np.zeros(16, f32)])
    b = rng("redbool").integers(0, 2, (8, 32)).astype(bool)
    yield one_tile("any-all", {"x": b}, "r0 = ct.max(x.astype(ct.int32), 1)\nr1 = ct.min(x.astype(ct.int32), 1)\nr2 = ct.sum(ct.where(x, 1, 0), 0)",
                   [b.max(1).astype(np.int32), b.min(1).astype(np.int32), b.sum(0).astype(np.int32)])
    big = floats("redbig", f32, -1, 1, 8192, special=False)
    yield one_tile("sum-8192", {"x": big}, "r0 = ct.sum(x)\nr1 = ct.max(x)\nr2 = ct.argmax(x)", [np.asarray(big.astype(f64).sum(), f32), np.asarray(big.max()), np.asarray(big.argmax(), np.int32)],
                   tolerance=(1e-4, 1e-3))


def custom_reductions():
    x = rng("cr").integers(-1000, 1000, (16, 64)).astype(np.int32)
    y = rng("cr2").integers(1, 1000, (16, 64)).astype(np.int32)
    names = dict(
        gcd_like=function("a, b", "return ct.maximum(a, b) - ct.minimum(a, b) * 0"),
        xor=function("a, b", "a ^ b"), both=function("a0, a1, b0, b1", "return (a0 + b0, ct.maximum(a1, b1))"),
        affine=function("a0, a1, b0, b1", "return (a0 * b0, a1 * b0 + b1)"),
        first=function("a0, a1, b0, b1", "take = (b0 > a0) | ((b0 == a0) & (b1 < a1))\nreturn (ct.where(take, b0, a0), ct.where(take, b1, a1))"),
        welford=function("am, a2, an, bm, b2, bn", "n = an + bn\nd = bm - am\nw = ct.where(n > 0, bn / ct.maximum(n, 1.0), 0.0)\nreturn (am + d * w, a2 + b2 + d * d * an * w, n)"))
    yield one_tile("reduce-xor", {"x": x}, "r0 = ct.reduce(x, 1, xor, 0)\nr1 = ct.reduce(x, 0, xor, 0, keepdims=True)\nr2 = ct.reduce(x, 1, gcd_like, -2**31)",
                   [np.bitwise_xor.reduce(x, 1), np.bitwise_xor.reduce(x, 0, keepdims=True), x.max(1)], **names)
    yield one_tile("reduce-pair", {"x": x, "y": y}, "r0, r1 = ct.reduce((x, y), 1, both, (0, 0))", [x.sum(1, dtype=np.int32), y.max(1)], **names)
    order = np.array([max(range(64), key=lambda j: (row[j], -j)) for row in x], np.int32)
    yield one_tile("reduce-argmax", {"x": x}, "r0, r1 = ct.reduce((x, ct.broadcast_to(ct.arange(64, dtype=ct.int32), (16, 64))), 1, first, (-2**31, 2**31 - 1))",
                   [x.max(1), order], **names)
    f = floats("welford", f32, -3, 5, 1024, special=False).reshape(16, 64)
    yield one_tile("reduce-welford", {"x": f}, "m, s, n = ct.reduce((x, x * 0.0, x * 0.0 + 1.0), 1, welford, (0.0, 0.0, 0.0))\nr0 = m\nr1 = s / n\nr2 = n",
                   [f.astype(f64).mean(1).astype(f32), f.astype(f64).var(1).astype(f32), np.full(16, 64, f32)], tolerance=(1e-4, 1e-5), **names)
    small = rng("aff").integers(-1, 2, (8, 32)).astype(np.int32), rng("aff2").integers(-5, 5, (8, 32)).astype(np.int32)
    def recurrence(a, b, reverse=False):
        r0, r1 = np.zeros_like(a), np.zeros_like(b)
        for i in range(a.shape[0]):
            p, q = 1, 0
            for j in (range(a.shape[1] - 1, -1, -1) if reverse else range(a.shape[1])):
                p, q = p * a[i, j], q * a[i, j] + b[i, j]
                r0[i, j], r1[i, j] = p, q
        return [r0, r1]
    yield one_tile("scan-affine", {"x": small[0], "y": small[1]}, "r0, r1 = ct.scan((x, y), 1, affine, (1, 0))", recurrence(*small), **names)
    yield one_tile("scan-affine-reverse", {"x": small[0], "y": small[1]}, "r0, r1 = ct.scan((x, y), 1, affine, (1, 0), reverse=True)", recurrence(*small, True), **names)
    yield one_tile("scan-xor", {"x": x}, "r0 = ct.scan(x, 0, xor, 0)\nr1 = ct.scan(x, 1, xor, 0, reverse=True)",
                   [np.bitwise_xor.accumulate(x, 0), np.bitwise_xor.accumulate(x[:, ::-1], 1)[:, ::-1].copy()], **names)
    for t, dtype in {**FLOATS, **INTEGERS}.items():
        v = rng("cum" + t).integers(0, 3, (4, 8, 16)).astype(dtype)
        p = rng("cup" + t).integers(1, 3, (4, 8, 4)).astype(dtype)
        yield one_tile(f"cumsum-{t}", {"x": v}, "r0 = ct.cumsum(x, 2)\nr1 = ct.cumsum(x, 0)\nr2 = ct.cumsum(x, 1, reverse=True)",
                       [np.cumsum(v.astype(f64), 2).astype(dtype), np.cumsum(v.astype(f64), 0).astype(dtype), np.cumsum(v.astype(f64)[:, ::-1], 1)[:, ::-1].astype(dtype)])
        yield one_tile(f"cumprod-{t}", {"x": p}, "r0 = ct.cumprod(x, 2)\nr1 = ct.cumprod(x, 0, reverse=True)",
                       [np.cumprod(p.astype(f64), 2).astype(dtype), np.cumprod(p.astype(f64)[::-1], 0)[::-1].astype(dtype)])
    for t in ("f16", "bf16", "f32", "f64"):
        v = floats("cumr" + t, FLOATS[t], 0.9, 1.1, 1024, special=False).reshape(16, 64)
        w = v.astype(f64)
        yield one_tile(f"cum-reverse-{t}", {"x": v}, "r0 = ct.cumsum(x, 1, reverse=True)\nr1 = ct.cumprod(x, 0)",
                       [np.cumsum(w[:, ::-1], 1)[:, ::-1].astype(v.dtype), np.cumprod(w, 0).astype(v.dtype)], tolerance=(40 * EPS[t], 0))
    long = floats("long", f32, -1, 1, 4096, special=False)
    yield one_tile("cumsum-4096", {"x": long}, "r0 = ct.cumsum(x)", [np.cumsum(long.astype(f64)).astype(f32)], tolerance=1e-3)
    for mode in ("RZ", "RM"):
        whole = rng("cumr").integers(-50, 50, (4, 16)).astype(f32)
        yield one_tile(f"cumsum-{mode}", {"x": whole}, "r0 = ct.cumsum(x, 1, rounding_mode=M)", [whole.cumsum(1)], M=getattr(ct.RoundingMode, mode))


def ranks():
    """Tiles of every rank, and of one element."""
    for rank in range(1, 8):
        shape = (2, 4, 2, 4, 2, 2, 2)[:rank]
        x = rng(f"rank{rank}").integers(0, 99, shape).astype(np.int32)
        axes = tuple(range(rank))[::-1]
        turned = f"ct.permute(x, {axes})" if rank > 1 else "x"  # cuTile 1.7 makes a permute of rank 1, which is no valid one
        yield one_tile(f"rank-{rank}", {"x": x}, f"r0 = {turned} + 1\nr1 = ct.sum(x, {rank - 1})\nr2 = ct.max(x, 0, keepdims=True)",
                       [x.transpose(axes) + 1, x.sum(-1, dtype=np.int32), x.max(0, keepdims=True)])
    wide_ = rng("wide").integers(-1000, 1000, (64, 256)).astype(np.int32)
    yield one_tile("tile-16384", {"x": wide_}, "r0 = ct.transpose(x) * 2\nr1 = ct.sum(x, 0)\nr2 = ct.cumsum(x, 1)\nr3 = x.reshape((256, 64))",
                   [wide_.T * 2, wide_.sum(0, dtype=np.int32), np.cumsum(wide_, 1, dtype=np.int32), wide_.reshape(256, 64)])
    x = np.array([[7]], np.int32)
    yield one_tile("one-element", {"x": x}, "r0 = x * 6\nr1 = ct.sum(x)\nr2 = ct.cumsum(x, 1)\nr3 = ct.transpose(x)", [x * 6, np.asarray(7, np.int32), x, x])


def cases():
    for group in (shapes, reductions, custom_reductions, ranks):
        yield from group()
