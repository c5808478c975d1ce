# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays: loads and stores, padding, orders, views, gathers, raw memory, atomics, slices, lists, tuples."""

from cutile_arith import FLOATS, INTEGERS, floats, integers, rng
from cutile_case import *

PADDING = {"ZERO": 0.0, "NEG_ZERO": -0.0, "NAN": np.nan, "POS_INF": np.inf, "NEG_INF": -np.inf}


def kernel(parameters, body, **names):
    return ct.kernel(function(parameters, body.strip("\n"), **names))


def padded(x, shape, value):
    want = np.full(shape, value, x.dtype)
    want[tuple(slice(0, n) for n in x.shape)] = x
    return want


def loads():
    copy = kernel("x, y, T: ct.Constant[int]", "t = ct.load(x, (ct.bid(0), ct.bid(1)), (T, 32), padding_mode=ct.PaddingMode.ZERO)\nct.store(y, (ct.bid(0), ct.bid(1)), t)")
    for t, dtype in {**FLOATS, **INTEGERS, "e4m3": e4m3, "e5m2": e5m2, "bool": np.bool_}.items():
        x = rng("copy" + t).integers(0, 2 if t == "bool" else 100, (37, 83)).astype(dtype)
        yield Case(f"copy-{t}", copy, (3, 3), [Array(x), out((37, 83), dtype), Const(16)], {1: (x, 0)})
    for name, value in PADDING.items():
        for t in ("f16", "bf16", "f32", "f64", "i32", "e4m3", "e5m2"):
            if t == "i32" and name not in ("ZERO",):
                continue
            if t == "e4m3" and "INF" in name:
                continue
            dtype = {**FLOATS, **INTEGERS, "e4m3": e4m3, "e5m2": e5m2}[t]
            x = rng("pad" + t).integers(1, 9, (5, 11)).astype(dtype)
            k = kernel("x, y", f"ct.store(y, (0, 0), ct.load(x, (0, 0), (8, 16), padding_mode=ct.PaddingMode.{name}))")
            yield Case(f"padding-{name}-{t}", k, (1,), [Array(x), out((8, 16), dtype)], {1: (padded(x, (8, 16), value), "bits")})
    x = np.arange(6 * 10 * 14, dtype=np.int32).reshape(6, 10, 14)
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)):
        # The tile's dimension d lies along the array's dimension order[d].
        k = kernel("x, y", f"t = ct.load(x, (0, 0, 0), (4, 4, 4), order={order})\nct.store(y, (0, 0, 0), t)")
        yield Case("order" + "".join(map(str, order)), k, (1,), [Array(x), out((4, 4, 4), np.int32)], {1: (x.transpose(order)[:4, :4, :4].copy(), 0)})
        k = kernel("x, y", f"t = ct.load(x, (0, 0, 0), (4, 4, 4))\nct.store(y, (0, 0, 0), t, order={order})")
        want = np.zeros((4, 4, 4), np.int32)
        want.transpose(order)[:] = x[:4, :4, :4]
        yield Case("store-order" + "".join(map(str, order)), k, (1,), [Array(x), out((4, 4, 4), np.int32)], {1: (want, 0)})
    m = rng("F").standard_normal((40, 56)).astype(f32)
    k = kernel("x, y", "t = ct.load(x, (ct.bid(0), ct.bid(1)), (16, 32), order='F')\nct.store(y, (ct.bid(0), ct.bid(1)), t)")
    yield Case("order-F", k, (4, 2), [Array(m), out((56, 40), f32)], {1: (m.T.copy(), 0)})
    big = rng("strided").integers(0, 1000, (64, 96)).astype(np.int32)
    k = kernel("x, y", "ct.store(y, (ct.bid(0), ct.bid(1)), ct.load(x, (ct.bid(0), ct.bid(1)), (16, 16)) * 2)")
    for name, view in (("transposed", big.T), ("every-third", big[:, ::3]), ("rows", big[::2, :48]), ("broadcast", np.broadcast_to(big[0, :64], (32, 64)))):
        grid = (-(-view.shape[0] // 16), -(-view.shape[1] // 16))
        yield Case(f"strided-{name}", k, grid, [Array(view, internal=name == "broadcast"), out(view.shape, np.int32)], {1: (view * 2, 0)})
    result = np.zeros((96, 64), np.int32)
    yield Case("strided-out", k, (4, 6), [Array(big), Array(result.T)], {1: (big * 2, 0)})
    yield Case("index64", k, (4, 6), [Array(big, index=ct.int64), out((64, 96), np.int32, index=ct.int64)], {1: (big * 2, 0)})
    for rank in (1, 2, 3, 4, 5):
        shape = (3, 5, 3, 5, 9)[-rank:]
        tile = (2, 4, 2, 4, 8)[-rank:]
        v = rng(f"nd{rank}").integers(0, 1000, shape).astype(np.int16)
        count = [-(-n // t) for n, t in zip(shape, tile)]
        index, body = [], ["b = ct.bid(0)"]
        for d in reversed(range(rank)):
            body += [f"i{d} = b % {count[d]}", f"b = b // {count[d]}"]
        index = "(" + "".join(f"i{d}, " for d in range(rank)) + ")"
        body += [f"ct.store(y, {index}, ct.load(x, {index}, {tile}) + 1)"]
        yield Case(f"nd-{rank}", kernel("x, y", "\n".join(body)), (int(np.prod(count)),), [Array(v), out(shape, np.int16)], {1: (v + 1, 0)})
    v = floats("scalar", f32, n=40, special=False)
    yield Case("scalar-load", kernel("x, y", "i = ct.bid(0)\na = ct.load(x, (i,), ())\nct.store(y, (i,), a * 2.0)"), (40,), [Array(v), out(40, f32)], {1: (v * 2, 0)})
    k = kernel("x, y", "t = ct.load(x, (ct.bid(0),), (64,), check_bounds=False, latency=3, allow_tma=False)\nct.store(y, (ct.bid(0),), t + 1.0, check_bounds=False, latency=7, allow_tma=False)")
    w = floats("nobounds", f32, n=256, special=False)
    yield Case("unchecked", k, (4,), [Array(w), out(256, f32)], {1: (w + f32(1), 0)})
    k = kernel("x, y", "t = ct.load(x, (ct.bid(0),), (64,), latency=10)\nct.store(y, (ct.bid(0),), t + 1.0, latency=1)")
    yield Case("latency", k, (4,), [Array(w), out(256, f32)], {1: (w + f32(1), 0)})
    k = kernel("x, y", "n = ct.num_tiles(x, 0, (16, 8))\nm = ct.num_tiles(x, 1, (16, 8))\nct.store(y, (0,), ct.astile((1, 0, 0, 0), dtype=ct.int32) * n + ct.astile((0, 1, 0, 0), dtype=ct.int32) * m + ct.astile((0, 0, 1, 0), "
               "dtype=ct.int32) * x.shape[0] + ct.astile((0, 0, 0, 1), dtype=ct.int32) * x.strides[0])")
    yield Case("num-tiles", k, (1,), [Array(big[:37]), out(4, np.int32)], {1: ([3, 12, 37, 96], 0)})
    k = kernel("y", "b = ct.bid(0) + ct.num_blocks(0) * (ct.bid(1) + ct.num_blocks(1) * ct.bid(2))\nct.store(y, (b,), ct.full((1,), 1, ct.int32) * (b * 10 + ct.num_blocks(2)))")
    yield Case("grid", k, (3, 4, 2), [out(24, np.int32)], {0: (np.arange(24) * 10 + 2, 0)})


def views():
    x = rng("views").integers(0, 1000, (20, 40)).astype(np.int32)
    k = kernel("x, y", "v = x.tiled_view((8, 16), padding_mode=ct.PaddingMode.ZERO)\nw = y.tiled_view((8, 16))\nfor i in range(v.num_tiles(0)):\n    for j in range(v.num_tiles(1)):\n        w.store((i, j), v.load((i, j)) + 1)")
    yield Case("tiled-view", k, (1,), [Array(x), out((20, 40), np.int32)], {1: (x + 1, 0)})
    for steps in ((4, 4), (1, 16), (10, 20), (3, 7)):
        n = [-(-(20 - 0) // steps[0]), -(-40 // steps[1])]
        k = kernel("x, y", f"v = x.tiled_view((8, 16), padding_mode=ct.PaddingMode.ZERO, traversal_steps={steps})\nct.store(y, (ct.bid(0), 0, 0), v.load((ct.bid(0), 1)).reshape((1, 8, 16)))")
        want = np.stack([padded(x[i * steps[0]:i * steps[0] + 8, steps[1]:steps[1] + 16], (8, 16), 0) for i in range(2)])
        yield Case(f"steps-{steps[0]}-{steps[1]}", k, (2,), [Array(x), out((2, 8, 16), np.int32)], {1: (want, 0)})
        del n
    s = np.arange(100, dtype=f32)
    k = kernel("x, y", "v = x.tiled_view(16, traversal_steps=8)\nw = y.tiled_view(16)\nn = v.num_tiles(0)\nw.store(0, v.load(2) + n)")
    yield Case("steps-count", k, (1,), [Array(s), out(16, f32)], {1: (s[16:32] + 13, 0)})
    k = kernel("x, y", "t = x.tiled_view((1, 16)).load((2, 1))\ny.tiled_view((8, 16)).store((0, 0), t)\ny.tiled_view((8, 16)).store((1, 1), x.tiled_view(()).load((3, 5)))")
    want = np.zeros((16, 32), np.int32)
    want[:8, :16], want[8:, 16:] = x[2, 16:32], x[3, 5]
    yield Case("view-broadcast", k, (1,), [Array(x), Array(np.zeros((16, 32), np.int32))], {1: (want, 0)})
    k = kernel("x, y, z, p", "v = x.tiled_view((4, 8))\nif p > 3:\n    a = x\nelse:\n    a = y\nct.store(z, (0, 0), ct.load(a, (1, 1), (4, 8)))\n"
               "for i in range(2):\n    z.tiled_view((4, 8)).store((1 + i, 0), v.load((0, 0)))\n    v = y.tiled_view((4, 8))")
    y = x[::-1].copy()
    yield Case("arrays-chosen", k, (1,), [Array(x), Array(y), out((12, 8), np.int32), np.int32(2)], {2: (np.concatenate([y[4:8, 8:16], x[:4, :8], y[:4, :8]]), 0)})
    k = kernel("x, y", "v = x.tiled_view((), traversal_steps=(2, 3))\nw = y.tiled_view(())\nfor i in range(4):\n    w.store(i, v.load((i, i + 1)))")
    yield Case("view-scalars", k, (1,), [Array(x), out(4, np.int32)], {1: ([x[2 * i, 3 * i + 3] for i in range(4)], 0)})
    # A store with gaps.
    y = np.full(64, -1, np.int32)
    want = y.copy()
    for i in range(4):
        want[16 * i:16 * i + 8] = np.arange(8) + i
    k = kernel("y", "v = y.tiled_view(8, traversal_steps=16)\nv.store(ct.bid(0), ct.arange(8, dtype=ct.int32) + ct.bid(0))")
    yield Case("steps-store", k, (4,), [Array(y)], {0: (want, 0)})
    for t, dtype in (("i32", np.int32), ("u32", np.uint32), ("i64", np.int64), ("f32", f32), ("f16", f16), ("bf16", bf16), ("f64", f64), ("u64", np.uint64)):
        for op in ("add", "max", "min", "and", "or", "xor"):
            if op in ("and", "or", "xor", "max", "min") and t in FLOATS:
                continue
            base = rng("vr" + t).integers(0, 100, 40).astype(dtype)
            more = rng("vm" + t).integers(0, 100, (6, 16)).astype(dtype)
            want = base.astype(f64 if t in FLOATS else dtype)
            numpy = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[op]
            for b in range(6):
                p = slice(16 * (b % 3), min(40, 16 * (b % 3) + 16))
                want[p] = numpy(want[p], more[b, :p.stop - p.start].astype(want.dtype))
            k = kernel("x, y", f"b = ct.bid(0)\nv = y.tiled_view(16)\nv.atomic_store_{op}(b % 3, ct.load(x, (b, 0), (1, 16)).reshape((16,)))")
            yield Case(f"view-{op}-{t}", k, (6,), [Array(more), Array(base)], {1: (want, 0)})


def gathers():
    x = rng("gx").integers(0, 10000, 100).astype(np.int32)
    i = rng("gi").integers(-20, 130, 64).astype(np.int32)
    inside = (i >= 0) & (i < 100)
    want = np.where(inside, x[np.clip(i, 0, 99)], -7)
    yield Case("gather", kernel("x, i, y", "ct.store(y, (0,), ct.gather(x, ct.load(i, (0,), (64,)), padding_value=-7))"), (1,),
               [Array(x), Array(i), out(64, np.int32)], {2: (want, 0)})
    mask = rng("gm").integers(0, 2, 64).astype(bool)
    yield Case("gather-mask", kernel("x, i, m, y", "ct.store(y, (0,), ct.gather(x, ct.load(i, (0,), (64,)), mask=ct.load(m, (0,), (64,)), padding_value=5, latency=4))"), (1,),
               [Array(x), Array(i), Array(mask), out(64, np.int32)], {3: (np.where(inside & mask, x[np.clip(i, 0, 99)], 5), 0)})
    safe = np.clip(i, 0, 99)
    yield Case("gather-unchecked", kernel("x, i, y", "ct.store(y, (0,), ct.gather(x, ct.load(i, (0,), (64,)), check_bounds=False))"), (1,),
               [Array(x), Array(safe), out(64, np.int32)], {2: (x[safe], 0)})
    for t, dtype in {**FLOATS, **INTEGERS, "bool": np.bool_, "e5m2": e5m2}.items():
        v = rng("gv" + t).integers(0, 2 if t == "bool" else 100, (30, 50)).astype(dtype)
        r, c = rng("gr").integers(-3, 33, 16).astype(np.int32), rng("gc").integers(-3, 53, 32).astype(np.int64 if t == "f64" else np.int32)
        ok = ((r >= 0) & (r < 30))[:, None] & ((c >= 0) & (c < 50))[None, :]
        want = np.where(ok, v[np.clip(r, 0, 29)[:, None], np.clip(c, 0, 49)[None, :]], np.zeros((), dtype))
        yield Case(f"gather-2d-{t}", kernel("x, r, c, y", "ct.store(y, (0, 0), ct.gather(x, (ct.load(r, (0,), (16,))[:, None], ct.load(c, (0,), (32,))[None, :])))"), (1,),
                   [Array(v), Array(r), Array(c), out((16, 32), dtype)], {3: (want, 0)})
        # Every place is written once.
        places = rng("gp").permutation(80)[:64].astype(np.int32) - 10
        source = rng("gs" + t).integers(0, 2 if t == "bool" else 100, 64).astype(dtype)
        start = np.zeros(60, dtype)
        want = start.copy()
        for p, s in zip(places, source):
            if 0 <= p < 60:
                want[p] = s
        yield Case(f"scatter-{t}", kernel("y, i, s", "ct.scatter(y, ct.load(i, (0,), (64,)), ct.load(s, (0,), (64,)))"), (1,), [Array(start), Array(places), Array(source)], {0: (want, 0)})
    cube = rng("g3").integers(0, 1000, (5, 7, 9)).astype(np.int32)
    k = kernel("x, y", "a = ct.arange(4, dtype=ct.int32)\nct.store(y, (0, 0, 0), ct.gather(x, (a[:, None, None], (a * 2)[None, :, None], ct.arange(8, dtype=ct.int32)[None, None, :] + 2), padding_value=-1))")
    want = np.array([[[cube[i, 2 * j, c + 2] if 2 * j < 7 and c + 2 < 9 else -1 for c in range(8)] for j in range(4)] for i in range(4)])
    yield Case("gather-3d", k, (1,), [Array(cube), out((4, 4, 8), np.int32)], {1: (want, 0)})
    for t in ("f16", "i8"):
        strided = rng("gst").integers(0, 100, (64, 6)).astype({**FLOATS, **INTEGERS}[t])[:, ::2]
        k = kernel("x, y", "ct.store(y, (0, 0), ct.gather(x, ((ct.arange(32, dtype=ct.int32) * 2)[:, None], ct.arange(4, dtype=ct.int32)[None, :])))")
        yield Case(f"gather-strided-{t}", k, (1,), [Array(strided), out((32, 4), strided.dtype)], {1: (padded(strided[::2], (32, 4), 0), 0)})
    start = np.zeros((16, 24), f32)
    want = start.copy()
    odd = np.arange(16) % 2 == 1
    want[np.ix_(odd, np.arange(0, 24, 3))] = 2.5
    k = kernel("y", "r = ct.arange(16, dtype=ct.int32)[:, None]\nc = ct.arange(8, dtype=ct.int32)[None, :] * 3\nct.scatter(y, (r, c), 2.5, mask=(r % 2 == 1), latency=2)")
    yield Case("scatter-mask", k, (1,), [Array(start)], {0: (want, 0)})
    k = kernel("x, y", "b = ct.bid(0)\ns = ct.gather(x, b)\nct.scatter(y, 39 - b, s * 3)")
    yield Case("gather-scalar", k, (40,), [Array(x[:40].copy()), out(40, np.int32)], {1: (x[:40][::-1] * 3, 0)})
    m = rng("adv").integers(0, 1000, (40, 24)).astype(np.int32)
    rows = rng("advr").permutation(40)[:8].astype(np.int32)
    k = kernel("x, r, y", "t = ct.load_advanced_indexing(x, (ct.load(r, (0,), (8,)), ct.Slice(ct.bid(0) * 8, 16)), padding_mode=ct.PaddingMode.ZERO)\nct.store(y, (ct.bid(0), 0, 0), t.reshape((1, 8, 16)))")
    yield Case("advanced-rows", k, (2,), [Array(m), Array(rows), out((2, 8, 16), np.int32)], {2: (np.stack([m[rows, :16], m[rows, 8:24]]), 0)})
    k = kernel("x, r, y", "t = ct.load_advanced_indexing(x, (ct.Slice(4, 16), ct.load(r, (0,), (8,)) % 24))\nct.store(y, (0, 0), t)")
    yield Case("advanced-columns", k, (1,), [Array(m), Array(rows), out((16, 8), np.int32)], {2: (m[4:20, rows % 24], 0)})
    outside = np.array([0, 39, 45, -1, 3, 100, 7, 20], np.int32)
    want = np.zeros((8, 16), np.int32)
    for j, r in enumerate(outside):
        if 0 <= r < 40:
            want[j, :4] = m[r, 20:]
    k = kernel("x, r, y", "t = ct.load_advanced_indexing(x, (ct.load(r, (0,), (8,)), ct.Slice(20, 16)), padding_mode=ct.PaddingMode.ZERO)\nct.store(y, (0, 0), t)")
    yield Case("advanced-outside", k, (1,), [Array(m), Array(outside), out((8, 16), np.int32)], {2: (want, 0)})
    k = kernel("y, r", "rows = ct.load(r, (0,), (8,))\nct.store_advanced_indexing(y, (rows, ct.Slice(8, 8)), ct.broadcast_to(rows[:, None], (8, 8)))")
    want = np.zeros((40, 24), np.int32)
    want[rows, 8:16] = rows[:, None]
    yield Case("advanced-store", k, (1,), [Array(np.zeros((40, 24), np.int32)), Array(rows)], {0: (want, 0)})


def raw():
    x = rng("raw").integers(0, 1000, 200).astype(np.int32)
    k = kernel("x, y", "o = ct.arange(64, dtype=ct.int32) * 3\nm = o < 150\nt = x.get_raw_memory().load_offset(o, mask=m, padding_value=-1)\ny.get_raw_memory().store_offset(ct.arange(64, dtype=ct.int64), t)")
    yield Case("raw", k, (1,), [Array(x), out(64, np.int32)], {1: (np.where(np.arange(64) * 3 < 150, x[np.minimum(np.arange(64) * 3, 199)], -1), 0)})
    k = kernel("x, y", "m = y.get_raw_memory()\nm.store_offset(ct.arange(32, dtype=ct.int32) * 2, ct.load(x, (0,), (32,)), mask=ct.arange(32, dtype=ct.int32) > 3, latency=2)")
    want = np.zeros(64, np.int32)
    want[8::2] = x[4:32]
    yield Case("raw-store", k, (1,), [Array(x), Array(np.zeros(64, np.int32))], {1: (want, 0)})
    k = kernel("x, y", "s = x.slice(axis=0, start=3, stop=40)\nct.store(y, (0,), ct.load(s, (1,), (32,), padding_mode=ct.PaddingMode.ZERO))")
    yield Case("slice", k, (1,), [Array(x), out(32, np.int32)], {1: (padded(x[35:40], 32, 0), 0)})
    m = rng("slice2").integers(0, 1000, (24, 40)).astype(np.int32)
    k = kernel("x, y, a, n", "s = x.slice(axis=1, start=a, stop=a + n).slice(axis=0, start=ct.bid(0) * 8, stop=ct.bid(0) * 8 + 5)\n"
               "t = ct.load(s, (0, 0), (8, 32), padding_mode=ct.PaddingMode.ZERO)\nct.store(y, (ct.bid(0), 0, 0), t.reshape((1, 8, 32)))")
    want = np.stack([padded(m[8 * b:8 * b + 5, 7:26], (8, 32), 0) for b in range(3)])
    yield Case("slice-dynamic", k, (3,), [Array(m), out((3, 8, 32), np.int32), np.int32(7), np.int32(19)], {1: (want, 0)})
    k = kernel("x, y", "s = y.slice(axis=0, start=4, stop=20)\nct.store(s, (0,), ct.load(x, (0,), (32,)))")
    want = np.zeros(64, np.int32)
    want[4:20] = x[:16]
    yield Case("slice-store", k, (1,), [Array(x), Array(np.zeros(64, np.int32))], {1: (want, 0)})
    k = kernel("x, y", "v = ct.Array.from_foreign(x.foreign_pointer, (8, 16), (16, 1))\nw = ct.Array.from_foreign(x.foreign_pointer, x.shape, x.strides)\nct.store(y, (0, 0), ct.load(v, (0, 0), (8, 16)) + ct.load(w, (0,), (1,)).reshape((1, 1)))")
    yield Case("foreign", k, (1,), [Array(x), out((8, 16), np.int32)], {1: (x[:128].reshape(8, 16) + x[0], 0)})
    lists = [rng(f"l{i}").integers(0, 100, 32).astype(np.int32) for i in range(3)]
    k = kernel("xs, y", "s = ct.zeros((32,), ct.int32)\nfor i in range(len(xs)):\n    s += ct.load(xs[i], (0,), (32,)) * (i + 1)\nct.store(y, (0,), s)")
    yield Case("list", k, (1,), [List([Array(v) for v in lists]), out(32, np.int32)], {1: (lists[0] + 2 * lists[1] + 3 * lists[2], 0)})
    k = kernel("p, y", "a, b, s = p\nct.store(y, (0,), ct.load(a, (0,), (32,)) - ct.load(b, (0,), (32,)) * s)")
    yield Case("tuple", k, (1,), [Tuple([Array(lists[0]), Array(lists[1]), np.int32(3)]), out(32, np.int32)], {1: (lists[0] - 3 * lists[1], 0)})
    for t, value in (("i8", np.int8(-5)), ("u8", np.uint8(200)), ("i16", np.int16(-300)), ("i32", np.int32(-70000)), ("u32", np.uint32(4_000_000_000)), ("i64", np.int64(-5_000_000_000)),
                     ("u64", np.uint64(2 ** 63 + 5)), ("f32", f32(2.75)), ("f64", f64(0.1)), ("f16", f16(1.5)), ("bf16", bf16(3.0)), ("bool", np.bool_(True))):
        k = kernel("s, y", "ct.store(y, (0,), ct.full((4,), 0, y.dtype) + s if y.dtype != ct.bool_ else ct.broadcast_to(s, (4,)))" if t != "bool" else "ct.store(y, (0,), ct.broadcast_to(s, (4,)))")
        k = kernel("s, y", "ct.store(y, (0,), ct.broadcast_to(s, (4,)))")
        yield Case(f"scalar-{t}", k, (1,), [value, out(4, value.dtype)], {1: (np.full(4, value), 0)})
    # The same array twice: in and out, shifted.
    v = np.arange(64, dtype=f32)
    k = kernel("x", "t = ct.load(x, (0,), (64,))\nct.store(x, (0,), t * 2.0)\nu = ct.load(x, (0,), (64,))\nct.store(x, (0,), u + 1.0)")
    yield Case("in-place", k, (1,), [Array(v)], {0: (v * 2 + 1, 0)})


ORDERS = {"relaxed": ct.MemoryOrder.RELAXED, "acquire": ct.MemoryOrder.ACQUIRE, "release": ct.MemoryOrder.RELEASE, "acq_rel": ct.MemoryOrder.ACQ_REL}
SCOPES = {"block": ct.MemoryScope.BLOCK, "device": ct.MemoryScope.DEVICE, "sys": ct.MemoryScope.SYS}


def atomics():
    numpy = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
    for t in ("i32", "u32", "i64", "u64", "f32", "f64", "f16", "bf16"):
        dtype = {**FLOATS, **INTEGERS}[t]
        for op, f in numpy.items():
            if t in FLOATS and op != "add":
                continue
            places = rng("ap" + t).integers(0, 20, 128).astype(np.int32)
            update = rng("au" + t).integers(0, 8, 128).astype(dtype)
            base = rng("ab" + t).integers(0, 50, 20).astype(dtype)
            want = base.astype(f64 if t in FLOATS else dtype)
            for _ in range(2):
                for p, u in zip(places, update):
                    want[p] = f(want[p], want.dtype.type(u))
            k = kernel("y, i, u", f"at = ct.load(i, (0,), (128,))\nct.atomic_{op}(y, at, ct.load(u, (0,), (128,)))")
            yield Case(f"atomic-{op}-{t}", k, (2,), [Array(base), Array(places), Array(update)], {0: (want, 0)})
    for t in ("i32", "u32", "i64", "u64", "f32", "f64"):
        dtype = {**FLOATS, **INTEGERS}[t]
        base = rng("xb" + t).integers(0, 50, 64).astype(dtype)
        order = rng("xo").permutation(64).astype(np.int32)
        update = np.arange(64).astype(dtype)
        changed = base.copy()
        changed[order] = update
        k = kernel("y, i, u, old", "ct.store(old, (0,), ct.atomic_xchg(y, ct.load(i, (0,), (64,)), ct.load(u, (0,), (64,))))")
        yield Case(f"atomic-xchg-{t}", k, (1,), [Array(base), Array(order), Array(update), out(64, dtype)], {0: (changed, 0), 3: (base[order], 0)})
        expected = np.where(np.arange(64) % 2 == 0, base[order], base[order] + dtype(1)).astype(dtype)
        after = base.copy()
        after[order[::2]] = update[::2]
        k = kernel("y, i, e, u, old", "ct.store(old, (0,), ct.atomic_cas(y, ct.load(i, (0,), (64,)), ct.load(e, (0,), (64,)), ct.load(u, (0,), (64,))))")
        yield Case(f"atomic-cas-{t}", k, (1,), [Array(base), Array(order), Array(expected), Array(update), out(64, dtype)], {0: (after, 0), 4: (base[order], 0)})
    for order, o in ORDERS.items():
        for scope, s in SCOPES.items():
            blocks = 1 if scope == "block" else 3
            k = kernel("y, z", "ct.atomic_add(y, ct.arange(32, dtype=ct.int32) % 8, 1, memory_order=O, memory_scope=S)\nct.atomic_max(z, 0, ct.bid(0), memory_order=O, memory_scope=S)", O=o, S=s)
            yield Case(f"atomic-{order}-{scope}", k, (blocks,), [Array(np.zeros(8, np.int32)), Array(np.zeros(1, np.int32))],
                       {0: (np.full(8, 4 * blocks), 0), 1: ([blocks - 1], 0)})
    # Two dimensions, outside, and the value before.
    k = kernel("y, old", "r = ct.arange(8, dtype=ct.int32)[:, None] - 2\nc = ct.arange(8, dtype=ct.int32)[None, :]\nct.store(old, (0, 0), ct.where((r >= 0) & (r < 4) & (c < 6), ct.atomic_add(y, (r, c), r * 10 + c), 0))")
    base = np.arange(24, dtype=np.int32).reshape(4, 6)
    want, old = base.copy(), np.zeros((8, 8), np.int32)
    for r in range(-2, 6):
        for c in range(8):
            if 0 <= r < 4 and c < 6:
                old[r + 2, c] = base[r, c]
                want[r, c] += r * 10 + c
    yield Case("atomic-2d", k, (1,), [Array(base), out((8, 8), np.int32)], {0: (want, 0), 1: (old, 0)})
    k = kernel("y", "m = y.get_raw_memory()\no = ct.arange(32, dtype=ct.int32)\nm.atomic_add_offset(o % 4, 2, mask=o % 2 == 0)\nm.atomic_xor_offset(o + 4, o)\nm.atomic_max_offset(36, 9)\nm.atomic_cas_offset(37, 0, 5)\nm.atomic_or_offset(38, 6)\nm.atomic_and_offset(38, 3)\nm.atomic_min_offset(39, -4)\nm.atomic_xchg_offset(40, 11)")
    want = np.zeros(48, np.int32)
    want[[0, 2]] = 16
    want[4:36] = np.arange(32)
    want[36:41] = [9, 5, 2, -4, 11]
    yield Case("atomic-raw", k, (1,), [Array(np.zeros(48, np.int32))], {0: (want, 0)})
    # The last of the blocks adds up what the others have stored.
    k = kernel("x, part, count, y", "b = ct.bid(0)\nct.store(part, (b,), ct.sum(ct.load(x, (b,), (64,))), memory_order=ct.MemoryOrder.RELAXED, memory_scope=ct.MemoryScope.DEVICE)\n"
               "n = ct.atomic_add(count, 0, 1)\nif n == ct.num_blocks(0) - 1:\n    s = ct.load(part, (0,), (8,), memory_order=ct.MemoryOrder.RELAXED, memory_scope=ct.MemoryScope.DEVICE)\n    ct.store(y, (0,), ct.sum(s))")
    x = rng("last").integers(0, 100, 512).astype(np.int32)
    yield Case("last-block", k, (8,), [Array(x), Array(np.zeros(8, np.int32)), Array(np.zeros(1, np.int32)), out(1, np.int32)], {3: ([x.sum()], 0)})
    k = kernel("x, y", "ct.store(y, (0,), ct.load(x, (0,), (1,), memory_order=ct.MemoryOrder.ACQUIRE, memory_scope=ct.MemoryScope.DEVICE) + 1, memory_order=ct.MemoryOrder.RELEASE, memory_scope=ct.MemoryScope.SYS)")
    yield Case("acquire-release", k, (1,), [Array(x[:1].copy()), out(1, np.int32)], {1: (x[:1] + 1, 0)})
    # A lock around a sum that is not atomic.
    k = kernel("lock, s", "while ct.atomic_cas(lock, 0, 0, 1, memory_order=ct.MemoryOrder.ACQUIRE) == 1:\n    pass\nct.store(s, (0,), ct.load(s, (0,), (16,)) + ct.bid(0))\nct.atomic_xchg(lock, 0, 0, memory_order=ct.MemoryOrder.RELEASE)")
    yield Case("lock", k, (5,), [Array(np.zeros(1, np.int32)), Array(np.zeros(16, np.int32))], {1: (np.full(16, 10), 0)})


def cases():
    for group in (loads, views, gathers, raw, atomics):
        yield from group()
