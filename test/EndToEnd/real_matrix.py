# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels around matrix products: batched, persistent, grouped, split along K, quantised, block-scaled; Fourier
transforms as chains of small products."""

import cmath
import itertools
import math

import oracle
from front import Kernel


def close(t):
    """Results of sums with cancellation: the absolute part covers operands in [-1, 1)."""
    return {"f32": "rel:1e-4/abs:2e-5", "f16": "rel:2e-3/abs:2e-3", "bf16": "rel:1.6e-2/abs:1e-2"}[t]


def batched_matmul(t, to, batch, m, n, k_, tiles, transposed=False):
    """The usual loop over K with a batch dimension; B is stored [batch, n, k] if transposed and read through a dim_map."""
    tm, tn, tk = tiles
    a, b = oracle.uniform(t, [batch, m, k_], seed=1), oracle.uniform(t, [batch, n, k_] if transposed else [batch, k_, n], seed=2)
    k = Kernel("bmm", "sm_90 = {num_cta_in_cga = 1}, default = {occupancy = 2}")
    aa, ab, ac = k.inp("a", t, [batch, m, k_], a), k.inp("b", t, [batch, n, k_] if transposed else [batch, k_, n], b), k.out("c", to, [batch, m, n])
    z, x, y = k.block()
    steps = k.tiles(aa, [1, tm, tk])[2]

    def body(i, acc):
        va = k.reshape(k.load(aa, [z, x, i], [1, tm, tk], pad="zero", latency=4), [tm, tk])
        vb = k.load(ab, [z, i, y], [1, tk, tn], pad="zero", latency=4, dim_map=[0, 2, 1] if transposed else None)
        return [k.mma(va, k.reshape(vb, [tk, tn]), acc)]
    [acc] = k.for_(0, steps, body, [k.const(0, "f32", [tm, tn])])
    k.store(ac, [z, x, y], k.reshape(k.cast(acc, to), [1, tm, tn]))
    want = []
    for i in range(batch):
        pa, pb = oracle.rows(a[i * m * k_:(i + 1) * m * k_], k_), b[i * n * k_:(i + 1) * n * k_]
        want += oracle.flat(oracle.matmul(pa, oracle.transposed(oracle.rows(pb, k_)) if transposed else oracle.rows(pb, n)))
    # wgmma aligns what it adds up of 8-bit floats to the largest of 32 products, with 13 bits behind the point.
    within = "rel:1e-3/abs:1e-3" if t.startswith("f8") and to == "f32" else close(to)
    ac.expect(want, within)
    return k.case(f"bmm-{t}-{to}-{batch}x{m}x{n}x{k_}-t{tm}x{tn}x{tk}" + ("-transposed" if transposed else ""),
                  (batch, -(-m // tm), -(-n // tn)), within)


def swizzled(k, tile, rows, columns, group):
    """Tile coordinates from a running number, `group` rows of tiles at a time, so that neighbours share operands."""
    per = columns * group
    first = (tile // per) * group
    height = k.minimum(rows - first, group)
    inside = tile % per
    return first + inside % height, inside // height


def persistent_matmul(t, m, n, k_, tiles, blocks):
    """f32 operands are rounded to tf32, others multiplied as they are; alpha A B + beta C + bias, then relu."""
    tm, tn, tk = tiles
    a, b = oracle.uniform(t, [m, k_], seed=3), oracle.uniform(t, [k_, n], seed=4)
    c, bias, alpha, beta = oracle.uniform(t, [m, n], seed=5), oracle.uniform("f32", [n], seed=6), 0.5, -1.25
    k = Kernel("persistent", "sm_100 = {num_cta_in_cga = 2, occupancy = 2}, default = {num_cta_in_cga = 1}")
    aa, ab, ac, abias = k.inp("a", t, [m, k_], a), k.inp("b", t, [k_, n], b), k.inp("c", t, [m, n], c), k.inp("bias", "f32", [n], bias)
    sa, sb = k.scalar("alpha", "f32", alpha), k.scalar("beta", "f32", beta)
    first, _, _ = k.block()
    step, _, _ = k.grid_size()
    steps = k.tiles(aa, [tm, tk])[1]
    rows, columns = k.tiles(ac, [tm, tn])
    zero = k.const(0, "f32", [tm, tn])
    multiplied = "tf32" if t == "f32" else t

    def one(tile):
        x, y = swizzled(k, tile, rows, columns, 2)

        def body(i, acc):
            va, vb = k.load(aa, [x, i], [tm, tk], pad="zero"), k.load(ab, [i, y], [tk, tn], pad="zero")
            return [k.mma(k.cast(va, multiplied), k.cast(vb, multiplied), acc)]
        [acc] = k.for_(0, steps, body, [zero])
        old = k.cast(k.load(ac, [x, y], [tm, tn], pad="zero"), "f32")
        r = acc * sa + old * sb + k.reshape(k.load(abias, [y], [tn], pad="zero"), [1, tn])
        k.store(ac, [x, y], k.maximum(r, 0.0))
    k.for_(first, rows * columns, one, step=step)
    if t == "f32":
        a, b = [oracle.rounded("tf32", v) for v in a], [oracle.rounded("tf32", v) for v in b]
    product = oracle.flat(oracle.matmul(oracle.rows(a, k_), oracle.rows(b, n)))
    ac.expect([max(0.0, alpha * p + beta * q + bias[i % n]) for i, (p, q) in enumerate(zip(product, c))], close(t))
    return k.case(f"persistent-matmul-{t}-{m}x{n}x{k_}-t{tm}x{tn}x{tk}-g{blocks}", (blocks, 1, 1), close(t))


def grouped_gemm(t, sizes, n, k_, tiles, blocks):
    """Products of different heights in one launch: rows of A belong to groups with a weight matrix each. A loop walks through
    the groups while its tiles last, as schedulers on the device do."""
    tm, tn, tk = tiles
    total, groups = sum(sizes), len(sizes)
    a, b = oracle.uniform(t, [total, k_], seed=7), oracle.uniform(t, [groups, k_, n], seed=8)
    starts = [sum(sizes[:i]) for i in range(groups + 1)]
    k = Kernel("grouped")
    aa, ab, as_, ac = k.inp("a", t, [total, k_], a), k.inp("b", t, [groups, k_, n], b), k.inp("start", "i32", [groups + 1], starts), k.out("c", "f32", [total, n])
    first, _, _ = k.block()
    step, _, _ = k.grid_size()
    columns = k.tiles(ab, [1, tk, tn])[2]
    steps = k.tiles(aa, [tm, tk])[1]
    zero = k.const(0, "f32", [tm, tn])
    depth, across = k.iota(tk), k.iota(tn)

    def group(g, tile):
        begin, end = (k.reshape(k.gather(as_, [g + d]), []) for d in (0, 1))
        count = ((end - begin + (tm - 1)) // tm) * columns

        def work(now):
            k.break_if(now >= count, [now])
            x, y = now // columns, now % columns
            row = k.reshape(begin + x * tm + k.iota(tm), [tm, 1])

            def body(i, acc):
                va = k.gather(aa, [row, k.reshape(i * tk + depth, [1, tk])], mask=row < end)
                vb = k.reshape(k.load(ab, [g, i, y], [1, tk, tn], pad="zero"), [tk, tn])
                return [k.mma(va, vb, acc)]
            [acc] = k.for_(0, steps, body, [zero])
            k.scatter(ac, [row, k.reshape(y * tn + across, [1, tn])], acc, mask=row < end)
            return [now + step]
        [after] = k.loop(work, [tile])
        return [after - count]
    k.for_(0, groups, group, [first])
    want = []
    for g in range(groups):
        want += oracle.flat(oracle.matmul(oracle.rows(a[starts[g] * k_:starts[g + 1] * k_], k_), oracle.rows(b[g * k_ * n:(g + 1) * k_ * n], n)))
    ac.expect(want, close("f32"))
    return k.case(f"grouped-gemm-{t}-{'_'.join(map(str, sizes))}x{n}x{k_}", (blocks, 1, 1), close("f32"))


def split_k(t, m, n, k_, tiles, parts):
    """K is divided among tile blocks, which add their parts; the last to arrive at a tile (a counter tells) rounds the result."""
    tm, tn, tk = tiles
    a, b = oracle.uniform(t, [m, k_], seed=9), oracle.uniform(t, [k_, n], seed=10)
    across, down = -(-n // tn), -(-m // tm)
    k = Kernel("split_k")
    aa, ab = k.inp("a", t, [m, k_], a), k.inp("b", t, [k_, n], b)
    asum, acount, ac = k.out("sum", "f32", [m, n], "zeros"), k.out("count", "i32", [down, across], "zeros"), k.out("c", t, [m, n])
    x, y, z = k.block()
    steps = k.tiles(aa, [tm, tk])[1]
    each = (steps + (parts - 1)) // parts
    first = z * each

    def body(i, acc):
        return [k.mma(k.load(aa, [x, i], [tm, tk], pad="zero"), k.load(ab, [i, y], [tk, tn], pad="zero"), acc)]
    [acc] = k.for_(first, k.minimum(first + each, steps), body, [k.const(0, "f32", [tm, tn])])
    k.reduce_into(asum, [x, y], acc)
    acount.token = k.emit(f"join_tokens {acount.token}, {asum.token} : token", [], "token")
    arrived = k.reshape(k.atomic(acount, [k.reshape(x, [1]), k.reshape(y, [1])], "add", 1, order="acq_rel device"), [])

    def finish():
        asum.token = acount.token
        k.store(ac, [x, y], k.load(asum, [x, y], [tm, tn], pad="zero"))
    k.if_(arrived.eq(parts - 1), finish)
    product = oracle.flat(oracle.matmul(oracle.rows(a, k_), oracle.rows(b, n)))
    asum.expect(product, close("f32"))
    acount.expect([parts] * (down * across), "exact")
    ac.expect(product, close(t))
    return k.case(f"split-k-{t}-{m}x{n}x{k_}-p{parts}", (down, across, parts), close(t))


def int8_matmul(m, n, k_, tiles):
    """Weights and activations as i8, a scale per row and column, i32 sums, bf16 result."""
    tm, tn, tk = tiles
    a, b = oracle.uniform("i8", [m, k_], seed=11, lo=-128, hi=127), oracle.uniform("i8", [n, k_], seed=12, lo=-128, hi=127)
    sa, sb = oracle.uniform("f32", [m], seed=13, lo=0.001, hi=0.02), oracle.uniform("f32", [n], seed=14, lo=0.001, hi=0.02)
    k = Kernel("w8a8")
    aa, ab, asa, asb, ac = k.inp("a", "i8", [m, k_], a), k.inp("b", "i8", [n, k_], b), k.inp("sa", "f32", [m], sa), k.inp("sb", "f32", [n], sb), \
        k.out("c", "bf16", [m, n])
    x, y, _ = k.block()

    def body(i, acc):
        vb = k.permute(k.load(ab, [y, i], [tn, tk], pad="zero"), [1, 0])
        return [k.mmai(k.load(aa, [x, i], [tm, tk], pad="zero"), vb, acc)]
    [acc] = k.for_(0, k.tiles(aa, [tm, tk])[1], body, [k.const(0, "i32", [tm, tn])])
    r = k.cast(acc, "f32") * k.reshape(k.load(asa, [x], [tm], pad="zero"), [tm, 1]) * k.reshape(k.load(asb, [y], [tn], pad="zero"), [1, tn])
    k.store(ac, [x, y], r)
    product = oracle.matmul(oracle.rows(a, k_), oracle.transposed(oracle.rows(b, k_)))
    ac.expect((v * p * q for line, p in zip(product, sa) for v, q in zip(line, sb)), close("bf16"))
    return k.case(f"w8a8-{m}x{n}x{k_}", (-(-m // tm), -(-n // tn), 1), close("bf16"))


def fp8_matmul(t, m, n, k_, tiles, group):
    """fp8 operands with a scale per row and group of K (DeepSeek's way): the sums of a group are scaled as they are added."""
    tm, tn, tk = tiles
    assert tk == group
    groups = -(-k_ // group)
    a, b = oracle.uniform(t, [m, k_], seed=15, lo=-4, hi=4), oracle.uniform(t, [k_, n], seed=16, lo=-4, hi=4)
    sa, sb = oracle.uniform("f32", [m, groups], seed=17, lo=0.05, hi=0.2), oracle.uniform("f32", [groups], seed=18, lo=0.05, hi=0.2)
    k = Kernel("fp8")
    aa, ab, asa, asb, ac = k.inp("a", t, [m, k_], a), k.inp("b", t, [k_, n], b), k.inp("sa", "f32", [m, groups], sa), k.inp("sb", "f32", [groups], sb), \
        k.out("c", "bf16", [m, n])
    x, y, _ = k.block()
    zero = k.const(0, "f32", [tm, tn])

    def body(i, acc):
        part = k.mma(k.load(aa, [x, i], [tm, tk], pad="zero"), k.load(ab, [i, y], [tk, tn], pad="zero"), zero)
        return [acc + part * k.load(asa, [x, i], [tm, 1], pad="zero") * k.load(asb, [i], [1], pad="zero")]
    [acc] = k.for_(0, k.tiles(aa, [tm, tk])[1], body, [zero])
    k.store(ac, [x, y], acc)
    want = [0.0] * (m * n)
    for g in range(groups):
        cut = range(g * group, min(k_, (g + 1) * group))
        part = oracle.matmul([[line[j] for j in cut] for line in oracle.rows(a, k_)], [b[j * n:(j + 1) * n] for j in cut])
        want = [w + p * sa[(i // n) * groups + g] * sb[g] for i, (w, p) in enumerate(zip(want, oracle.flat(part)))]
    ac.expect(want, close("bf16"))
    return k.case(f"fp8-matmul-{t}-{m}x{n}x{k_}-g{group}", (-(-m // tm), -(-n // tn), 1), close("bf16"))


def block_scaled(t, scale, m, n, k_, tiles, block):
    """mmaf_scaled in a loop over K: every `block` elements along K share a scale. f4 operands arrive packed in bytes."""
    tm, tn, tk = tiles
    a, b = oracle.uniform(t, [m, k_], seed=19, lo=-3, hi=3), oracle.uniform(t, [n, k_], seed=20, lo=-3, hi=3)
    # Scales of f8E8M0FNU are powers of two.
    source = oracle.uniform("f32", [(m + n) * (k_ // block)], seed=21, lo=-2, hi=2)
    scales = [2.0 ** round(v) if scale == "f8E8M0FNU" else oracle.rounded(scale, 2.0 ** v) for v in source]
    sa, sb = scales[:m * (k_ // block)], scales[m * (k_ // block):]
    packed = t == "f4E2M1FN"
    k = Kernel("block_scaled")

    def operand(name, extent, values):
        if not packed:
            return k.inp(name, t, [extent, k_], values)
        bits = [oracle.to_bits(t, v) for v in values]
        data = [lo | hi << 4 for lo, hi in zip(bits[::2], bits[1::2])]
        return k.inp(name, "i8", [extent, k_ // 2], [v - 256 if v > 127 else v for v in data])
    aa, ab = operand("a", m, a), operand("b", n, b)
    asa, asb, ac = k.inp("sa", scale, [m, k_ // block], sa), k.inp("sb", scale, [n, k_ // block], sb), k.out("c", "f32", [m, n])
    x, y, _ = k.block()

    def tile(array, at, extent):
        if not packed:
            return k.load(array, at, [extent, tk], pad="zero")
        v = k.reshape(k.load(array, at, [extent, tk // 2], pad="zero"), [extent * tk // 2])
        return k.reshape(k.pack(v, t, extent * tk), [extent, tk])

    def body(i, acc):
        vb = k.permute(tile(ab, [y, i], tn), [1, 0])
        vsb = k.permute(k.load(asb, [y, i], [tn, tk // block]), [1, 0])
        return [k.mma_scaled(tile(aa, [x, i], tm), vb, acc, k.load(asa, [x, i], [tm, tk // block]), vsb)]
    [acc] = k.for_(0, k_ // tk, body, [k.const(0, "f32", [tm, tn])])
    k.store(ac, [x, y], acc)
    wide = [[v * sa[i * (k_ // block) + j // block] for j, v in enumerate(line)] for i, line in enumerate(oracle.rows(a, k_))]
    high = [[v * sb[i * (k_ // block) + j // block] for j, v in enumerate(line)] for i, line in enumerate(oracle.rows(b, k_))]
    ac.expect(oracle.flat(oracle.matmul(wide, oracle.transposed(high))), "rel:1e-4/abs:1e-2")
    return k.case(f"block-scaled-{t}-{scale}-{m}x{n}x{k_}-v{block}", (-(-m // tm), -(-n // tn), 1), "rel:1e-4,abs:1e-2")


def fourier(batch, factors):
    """A Fourier transform of length F0 F1 F2 as three dense transforms with twiddles between, complex numbers as pairs:
    reshapes, permutations and batched products of tiny tiles, as in cuTile's FFT sample."""
    f0, f1, f2 = factors
    n = f0 * f1 * f2
    x = oracle.uniform("f32", [batch, n, 2], seed=22)

    def roots(size):
        return [part for i in range(size) for j in range(size) for w in [cmath.exp(-2j * cmath.pi * i * j / size)] for part in (w.real, w.imag)]

    def twiddles(rows, columns, size):
        return [part for i in range(rows) for j in range(columns) for w in [cmath.exp(-2j * cmath.pi * i * j / size)] for part in (w.real, w.imag)]
    k = Kernel("fft")
    ax, ay = k.inp("x", "f32", [batch, n, 2], x), k.out("y", "f32", [batch, n, 2])
    tables = {name: k.inp(name, "f32", shape + [2], [oracle.rounded("f32", v) for v in values]) for name, shape, values in (
        ("w0", [f0, f0], roots(f0)), ("w1", [f1, f1], roots(f1)), ("w2", [f2, f2], roots(f2)),
        ("t0", [f0, f1 * f2], twiddles(f0, f1 * f2, n)), ("t1", [f1, f2], twiddles(f1, f2, f1 * f2)))}
    block, _, _ = k.block()
    per = 2

    def parts(array, at, shape):
        v = k.load(array, at, shape)
        return [k.reshape(k.extract(v, [0] * (len(shape) - 1) + [i], shape[:-1] + [1]), shape[:-1]) for i in (0, 1)]

    def times(a, b):
        return [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]

    def transform(w, v, rows, columns):
        """W (rows x rows) times every matrix of the batch."""
        lead = v[0].shape[0]
        w = [k.fit(k.reshape(p, [1, rows, rows]), [lead, rows, rows]) for p in w]
        zero = k.const(0, "f32", [lead, rows, columns])
        return [k.mma(w[0], v[0], zero) - k.mma(w[1], v[1], zero), k.mma(w[1], v[0], k.mma(w[0], v[1], zero))]

    # x[i0][i1][i2] -> over i0, twiddle, over i1, twiddle, over i2; the result comes out as y[k2][k1][k0].
    v = [k.reshape(p, [per, f0, f1 * f2]) for p in parts(ax, [block, 0, 0], [per, n, 2])]
    v = transform(parts(tables["w0"], [0, 0, 0], [f0, f0, 2]), v, f0, f1 * f2)
    v = times(v, [k.reshape(p, [1, f0, f1 * f2]) for p in parts(tables["t0"], [0, 0, 0], [f0, f1 * f2, 2])])
    v = [k.reshape(p, [per * f0, f1, f2]) for p in v]
    v = transform(parts(tables["w1"], [0, 0, 0], [f1, f1, 2]), v, f1, f2)
    v = times(v, [k.reshape(p, [1, f1, f2]) for p in parts(tables["t1"], [0, 0, 0], [f1, f2, 2])])
    v = [k.permute(k.reshape(p, [per * f0, f1, f2]), [0, 2, 1]) for p in v]
    v = transform(parts(tables["w2"], [0, 0, 0], [f2, f2, 2]), v, f2, f1)
    v = [k.permute(k.reshape(p, [per, f0, f2, f1]), [0, 2, 3, 1]) for p in v]
    a, b = (k.reshape(p, [per, n, 1]) for p in v)
    k.store(ay, [block, 0, 0], k.cat(a, b, 2))
    want = []
    for line in oracle.rows(x, 2 * n):
        z = [complex(p, q) for p, q in oracle.rows(line, 2)]
        for j in range(n):
            w = [v * cmath.exp(-2j * cmath.pi * i * j / n) for i, v in enumerate(z)]
            want += [math.fsum(u.real for u in w), math.fsum(u.imag for u in w)]
    ay.expect(want, "rel:1e-4/abs:2e-5")
    return k.case(f"fft-{batch}x{f0}x{f1}x{f2}", (-(-batch // per), 1, 1), "rel:1e-4,abs:2e-5")


def convolution_as_gemm(t, images, height, width, channels, features, kernel, stride, border, tiles):
    """A convolution as a product whose left operand is gathered: row p of it is the window of output pixel p, one column for each element of the
    kernel; NHWC, zero outside of the image. Windows overlap, so no view describes them."""
    tm, tn, tk = tiles
    out_h, out_w = ((e + 2 * border - kernel) // stride + 1 for e in (height, width))
    pixels, depth = images * out_h * out_w, kernel * kernel * channels
    x, w = oracle.uniform(t, [images, height, width, channels], seed=71), oracle.uniform(t, [depth, features], seed=72)
    k = Kernel("conv_gemm")
    ax, aw, ay = k.inp("x", t, [images, height, width, channels], x), k.inp("w", t, [depth, features], w), k.out("y", "f32", [pixels, features])
    bx, by, _ = k.block()
    pixel = k.reshape(bx * tm + k.iota(tm), [tm, 1])
    image, rest = pixel // (out_h * out_w), pixel % (out_h * out_w)
    top, left = rest // out_w * stride - border, rest % out_w * stride - border

    def body(i, acc):
        column = k.reshape(i * tk + k.iota(tk), [1, tk])
        tap, channel = column // channels, column % channels
        va = k.gather(ax, [image, top + tap // kernel, left + tap % kernel, channel], mask=(pixel < pixels) & (column < aw.dims[0]), pad=0,
                      check=(1, 2))
        return [k.mma(va, k.load(aw, [i, by], [tk, tn], pad="zero"), acc)]
    [acc] = k.for_(0, k.tiles(aw, [tk, tn])[0], body, [k.const(0, "f32", [tm, tn])])
    k.store(ay, [bx, by], acc)

    def value(n, row, line, f):
        total = []
        for u, v, c in itertools.product(range(kernel), range(kernel), range(channels)):
            at, col = row * stride - border + u, line * stride - border + v
            if 0 <= at < height and 0 <= col < width:
                total.append(x[((n * height + at) * width + col) * channels + c] * w[((u * kernel + v) * channels + c) * features + f])
        return math.fsum(total)
    ay.expect((value(n, i, j, f) for n in range(images) for i in range(out_h) for j in range(out_w) for f in range(features)), close("f32"))
    return k.case(f"conv-gemm-{t}-{images}x{height}x{width}x{channels}-f{features}-k{kernel}-s{stride}-b{border}-t{tm}x{tn}x{tk}",
                  (-(-pixels // tm), -(-features // tn), 1), close("f32"))


def cases():
    return [convolution_as_gemm("f16", 2, 7, 9, 8, 40, 3, 1, 1, (32, 32, 32)), convolution_as_gemm("bf16", 1, 11, 10, 3, 20, 3, 2, 0, (16, 32, 16)),
            convolution_as_gemm("f16", 1, 16, 16, 16, 64, 3, 1, 1, (64, 64, 64)),
            batched_matmul("f16", "f16", 2, 40, 30, 50, (32, 32, 32)), batched_matmul("bf16", "f32", 2, 20, 40, 33, (16, 32, 16), transposed=True),
            batched_matmul("f16", "bf16", 1, 64, 64, 64, (64, 32, 32), transposed=True),
            persistent_matmul("f32", 40, 36, 30, (16, 16, 16), 3), persistent_matmul("f16", 48, 64, 32, (32, 32, 32), 2),
            persistent_matmul("bf16", 50, 35, 40, (16, 32, 16), 4),
            grouped_gemm("f16", [20, 0, 33, 7], 40, 24, (16, 32, 16), 3), grouped_gemm("bf16", [5, 16, 40], 32, 32, (16, 32, 32), 2),
            split_k("f16", 30, 40, 130, (32, 32, 32), 3), split_k("bf16", 32, 32, 128, (16, 32, 32), 2),
            int8_matmul(40, 24, 70, (32, 16, 32)), fp8_matmul("f8E4M3FN", 20, 33, 96, (16, 32, 32), 32), fp8_matmul("f8E5M2", 16, 32, 60, (16, 32, 32), 32),
            block_scaled("f8E4M3FN", "f8E8M0FNU", 32, 32, 64, (16, 32, 32), 32), block_scaled("f4E2M1FN", "f8E4M3FN", 16, 32, 64, (16, 16, 32), 16),
            block_scaled("f4E2M1FN", "f8E8M0FNU", 16, 16, 64, (16, 16, 64), 32), fourier(4, (4, 4, 4)), fourier(3, (2, 8, 2))]
