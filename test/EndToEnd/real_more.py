# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels that exercise control flow, memory order and odd reductions: lists of arrays, chained scans, recurrent
states, i4 weights, optimisers, pooling, fractals, partitions."""

import math
import random

import oracle
from front import Kernel
from real_matrix import close


def listed_gemm(t, shapes, tiles, blocks):
    """Products of arrays of different shapes, passed as lists: addresses and extents come from a table in memory."""
    tm, tn, tk = tiles
    data = [(oracle.uniform(t, [m, k], seed=10 * i), oracle.uniform(t, [k, n], seed=10 * i + 1)) for i, (m, n, k) in enumerate(shapes)]
    k = Kernel("listed")
    _, ta, count = k.array_list("as", [(f"a{i}", t, [m, kk], a, False) for i, ((m, n, kk), (a, b)) in enumerate(zip(shapes, data))])
    _, tb, _ = k.array_list("bs", [(f"b{i}", t, [kk, n], b, False) for i, ((m, n, kk), (a, b)) in enumerate(zip(shapes, data))])
    outs, tc, _ = k.array_list("cs", [(f"c{i}", "f32", [m, n], "poison", True) for i, (m, n, kk) in enumerate(shapes)])
    first, _, _ = k.block()
    step, _, _ = k.grid_size()
    model_a = k.arrays()[0]

    def problem(i, start, mine):
        a, b, c = k.element_of(ta, i, model_a), k.element_of(tb, i, model_a), k.element_of(tc, i, outs[0])
        rows, columns = k.tiles(a, [tm, tk])[0], k.tiles(b, [tk, tn])[1]
        steps = k.tiles(a, [tm, tk])[1]
        end = start + rows * columns

        def work(now):
            k.break_if(now >= end, [now])
            x, y = (now - start) // columns, (now - start) % columns

            def body(j, acc):
                return [k.mma(k.load(a, [x, j], [tm, tk], pad="zero"), k.load(b, [j, y], [tk, tn], pad="zero"), acc)]
            [acc] = k.for_(0, steps, body, [k.const(0, "f32", [tm, tn])])
            k.store(c, [x, y], acc)
            return [now + step]
        [mine] = k.loop(work, [mine])
        return [end, mine]
    k.for_(0, count, problem, [k.const(0, "i32"), first])
    for (m, n, kk), (a, b), out in zip(shapes, data, outs):
        out.expect(oracle.flat(oracle.matmul(oracle.rows(a, kk), oracle.rows(b, n))), close("f32"))
    return k.case(f"listed-gemm-{t}-{len(shapes)}-g{blocks}", (blocks, 1, 1), close("f32"))


def chained_scan(n, width):
    """Running sums of a long array in one pass: a tile block waits for the sum of those before it, adds its own and passes it on
    (release and acquire on a flag)."""
    x = oracle.uniform("i32", [n], seed=1, lo=-99, hi=99)
    blocks = -(-n // width)
    k = Kernel("chained")
    ax, ay = k.inp("x", "i32", [n], x), k.out("y", "i32", [n])
    asum, aflag = k.out("sum", "i32", [blocks], "poison"), k.out("flag", "i32", [blocks], "zeros")
    b, _, _ = k.block()
    v = k.load(ax, [b], [width], pad="zero")
    s = k.scan(v, 0, "add")
    total = k.reduce(v, 0, "add")
    zero = k.const(0, "i32")

    def wait():
        p, _ = k.pointers(aflag, [b - 1], check=False)

        def spin(_):
            flag, token = k.emit_many(f"load_ptr_tko acquire device {p} : {p.type} -> tile<i32>, token", [([], "i32"), ([], "token")])
            k.break_if(flag.eq(1), [token])
            return [token]
        [asum.token] = k.loop(spin, [k.root])
        return [k.gather(asum, [b - 1], check=False)]
    [before] = k.if_(b > 0, wait, lambda: [zero])
    k.scatter(asum, [b], before + total, check=False)
    p, _ = k.pointers(aflag, [b], check=False)
    k.emit(f"store_ptr_tko release device {p}, {k.const(1, 'i32')} token={asum.token} : {p.type}, tile<i32> -> token", [], "token")
    k.store(ay, [b], s + before)
    want, now = [], 0
    for v in x:
        now += v
        want.append(now)
    ay.expect(want, "exact")
    aflag.expect([1] * blocks, "exact")
    return k.case(f"chained-scan-{n}-t{width}", (blocks, 1, 1))


def delta_rule(t, heads, steps, dk, dv):
    """A gated delta rule: a matrix of state per head, carried over the steps of a sequence.
    S <- g S + k (beta (v - S^T k))^T; o = S^T q"""
    q, kk = oracle.uniform(t, [heads, steps, dk], seed=2, lo=-0.5, hi=0.5), oracle.uniform(t, [heads, steps, dk], seed=3, lo=-0.5, hi=0.5)
    v, gate, beta = oracle.uniform(t, [heads, steps, dv], seed=4), oracle.uniform("f32", [heads, steps], seed=5, lo=-0.5, hi=0), \
        oracle.uniform("f32", [heads, steps], seed=6, lo=0, hi=1)
    k = Kernel("delta_rule")
    aq, ak, av = k.inp("q", t, [heads, steps, dk], q), k.inp("k", t, [heads, steps, dk], kk), k.inp("v", t, [heads, steps, dv], v)
    ag, ab, ao, as_ = k.inp("g", "f32", [heads, steps], gate), k.inp("beta", "f32", [heads, steps], beta), k.out("o", t, [heads, steps, dv]), \
        k.out("state", "f32", [heads, dk, dv])
    h, part, _ = k.block()
    width = min(1 << (dv - 1).bit_length(), 32)

    def row(a, i, extent, column, at=0):
        r = k.cast(k.load(a, [h, i, at], [1, 1, extent], pad="zero"), "f32")
        return k.reshape(r, [extent, 1] if column else [1, extent])

    def body(i, s):
        vq, vk, vv = row(aq, i, dk, True), row(ak, i, dk, True), row(av, i, width, False, part)
        g, b = (k.reshape(k.gather(a, [h, i]), [1, 1]) for a in (ag, ab))
        s = s * k.exp(g)
        delta = (vv - k.reduce(s * vk, 0, "add", keep=True)) * b
        s = k.fma(k.fit(vk, [dk, width]), k.fit(delta, [dk, width]), s)
        k.store(ao, [h, i, part], k.reshape(k.reduce(s * vq, 0, "add"), [1, 1, width]))
        return [s]
    [s] = k.for_(0, aq.dims[1], body, [k.const(0, "f32", [dk, width])])
    k.store(as_, [h, 0, part], k.reshape(s, [1, dk, width]))
    want, states = [], []
    for i in range(heads):
        s = [[0.0] * dv for _ in range(dk)]
        for j in range(steps):
            at = i * steps + j
            rq, rk, rv = q[at * dk:][:dk], kk[at * dk:][:dk], v[at * dv:][:dv]
            s = [[x * math.exp(gate[at]) for x in line] for line in s]
            delta = [beta[at] * (rv[c] - math.fsum(s[r][c] * rk[r] for r in range(dk))) for c in range(dv)]
            s = [[s[r][c] + rk[r] * delta[c] for c in range(dv)] for r in range(dk)]
            want += [math.fsum(s[r][c] * rq[r] for r in range(dk)) for c in range(dv)]
        states += oracle.flat(s)
    ao.expect(want, "rel:2e-3/abs:1e-3" if t == "f16" else "rel:1e-4/abs:1e-5")
    as_.expect(states, "rel:1e-3/abs:1e-4")
    return k.case(f"delta-rule-{t}-{heads}x{steps}x{dk}x{dv}", (heads, -(-dv // width), 1), "rel:1e-3,abs:1e-4")


def group_norm(t, batch, channels, groups, height, width):
    """Normalisation over groups of channels of an image, its tile of rank 4, sums over three axes."""
    per = channels // groups
    x = oracle.normal(t, [batch, channels, height, width], seed=7, mean=0.5)
    w = oracle.uniform("f32", [channels], seed=8)
    box = [1, per] + [1 << (d - 1).bit_length() for d in (height, width)]
    k = Kernel("group_norm")
    ax, aw, ay = k.inp("x", t, [batch, channels, height, width], x), k.inp("w", "f32", [channels], w), k.out("y", t, [batch, channels, height, width])
    g, n, _ = k.block()
    v = k.cast(k.load(ax, [n, g, 0, 0], box, pad="zero"), "f32")
    count = per * height * width

    def over_all(z):
        for axis in (3, 2, 1):
            z = k.reduce(z, axis, "add", keep=True)
        return z
    mean = over_all(v) / count
    rows, columns = k.reshape(k.iota(box[2]), [1, 1, box[2], 1]), k.reshape(k.iota(box[3]), [1, 1, 1, box[3]])
    d = k.where((rows < height) & (columns < width), v - mean, 0.0)
    r = k.rsqrt(over_all(d * d) / count + 1e-5)
    k.store(ay, [n, g, 0, 0], d * r * k.reshape(k.load(aw, [g], [per]), [1, per, 1, 1]))
    want = []
    for i in range(batch * groups):
        part = x[i * count:(i + 1) * count]
        u = math.fsum(part) / count
        s = 1 / math.sqrt(math.fsum((a - u) ** 2 for a in part) / count + 1e-5)
        want += [(a - u) * s * w[i % groups * per + j // (height * width)] for j, a in enumerate(part)]
    ay.expect(want)
    return k.case(f"group-norm-{t}-{batch}x{channels}x{height}x{width}-g{groups}", (groups, batch, 1), oracle.TOLERANCE[t])


def pixel_shuffle(t, height, width, factor):
    """Channels become pixels: a permutation of a tile of rank 6."""
    channels = factor * factor * 2
    x = oracle.uniform(t, [height, width, channels], seed=9, lo=-100, hi=100)
    k = Kernel("shuffle")
    ax, ay = k.inp("x", t, [height, width, channels], x), k.out("y", t, [height * factor, width * factor, 2])
    i, j, _ = k.block()
    v = k.reshape(k.load(ax, [i, j, 0], [4, 4, channels], pad="zero"), [1, 4, 4, factor, factor, 2])
    k.store(ay, [i, j, 0], k.reshape(k.permute(v, [0, 1, 3, 2, 4, 5]), [4 * factor, 4 * factor, 2]))
    ay.expect((x[((r // factor) * width + c // factor) * channels + ((r % factor) * factor + c % factor) * 2 + p]
               for r in range(height * factor) for c in range(width * factor) for p in range(2)), "exact")
    return k.case(f"pixel-shuffle-{t}-{height}x{width}-f{factor}", (-(-height // 4), -(-width // 4), 1))


def max_pool(t, height, width, window, stride):
    """Windows that overlap and hang over the edge: a strided view padded with -inf; also where the maximum was."""
    x = oracle.normal(t, [height, width], seed=10)
    rows, columns = -(-height // stride), -(-width // stride)
    k = Kernel("max_pool")
    ax, ay, ai = k.inp("x", t, [height, width], x), k.out("y", t, [rows, columns]), k.out("i", "i32", [rows, columns])
    i, j, _ = k.block()
    v = k.load(ax, [i, j], [window, window], pad="neg_inf", steps=[stride, stride])
    at = k.reshape((i * stride + k.iota(window)) * width, [window, 1]) + k.reshape(j * stride + k.iota(window), [1, window])
    best, where = k.argbest(k.reshape(v, [window * window]), k.reshape(at, [window * window]), 0)
    k.store(ay, [i, j], k.reshape(best, [1, 1]))
    k.store(ai, [i, j], k.reshape(where, [1, 1]))
    values, places = [], []
    for r in range(rows):
        for c in range(columns):
            seen = [(p, q) for p in range(r * stride, min(height, r * stride + window)) for q in range(c * stride, min(width, c * stride + window))]
            p, q = max(seen, key=lambda s: (x[s[0] * width + s[1]], -s[0], -s[1]))
            values.append(x[p * width + q])
            places.append(p * width + q)
    ay.expect(values, "exact")
    ai.expect(places, "exact")
    return k.case(f"max-pool-{t}-{height}x{width}-w{window}-s{stride}", (rows, columns, 1))


def fractal(rows, columns, limit):
    """Iteration counts: the loop ends when no point of the tile is left, or at the limit."""
    k = Kernel("fractal")
    ay = k.out("y", "i32", [rows, columns])
    i, j, _ = k.block()
    h, w = 4, 16
    cr = k.cast(k.reshape(j * w + k.iota(w), [1, w]), "f32") * 0.0625 - 2.0
    ci = k.cast(k.reshape(i * h + k.iota(h), [h, 1]), "f32") * 0.125 - 1.0
    zero = k.const(0, "f32", [h, w])

    def step(n, zr, zi, counts):
        inside = zr * zr + zi * zi <= 4.0
        left = k.reduce(k.reduce(k.cast(inside, "i32", "unsigned"), 1, "add"), 0, "add")
        out = [n, zr, zi, counts]
        k.break_if(left.eq(0) | (n >= limit), out)
        next_r, next_i = zr * zr - zi * zi + cr, zr * zi * 2.0 + ci
        return [n + 1, k.where(inside, next_r, zr), k.where(inside, next_i, zi), counts + k.cast(inside, "i32", "unsigned")]
    counts = k.loop(step, [k.const(0, "i32"), zero, zero, k.const(0, "i32", [h, w])])[3]
    k.store(ay, [i, j], counts)
    r32 = lambda v: oracle.rounded("f32", v)  # noqa: E731
    want = []
    for r in range(rows):
        for c in range(columns):
            a, b, x, y, n = c * 0.0625 - 2.0, r * 0.125 - 1.0, 0.0, 0.0, 0
            while n < limit and r32(r32(x * x) + r32(y * y)) <= 4:
                x, y, n = r32(r32(r32(x * x) - r32(y * y)) + a), r32(r32(r32(x * y) * 2) + b), n + 1
            want.append(n)
    ay.expect(want, "exact")
    return k.case(f"fractal-{rows}x{columns}-{limit}", (-(-rows // h), -(-columns // w), 1))


def int4_gemv(n, k_, group, rows):
    """y = W x with W of 4-bit integers, two to a byte, with a scale and an offset for each group of a row."""
    w = oracle.uniform("i8", [n, k_], seed=11, lo=-8, hi=7)
    x = oracle.uniform("f16", [k_], seed=12)
    scale, shift = oracle.uniform("f16", [n, k_ // group], seed=13, lo=0.01, hi=0.1), oracle.uniform("i8", [n, k_ // group], seed=14, lo=-8, hi=7)
    data = [(lo & 15) | (hi & 15) << 4 for lo, hi in zip(w[::2], w[1::2])]
    k = Kernel("gemv")
    aw, ax, as_, az = k.inp("w", "i8", [n, k_ // 2], [v - 256 if v > 127 else v for v in data]), k.inp("x", "f16", [k_], x), \
        k.inp("scale", "f16", [n, k_ // group], scale), k.inp("shift", "i8", [n, k_ // group], shift)
    ay = k.out("y", "f32", [n])
    block, _, _ = k.block()

    def body(g, acc):
        v = k.reshape(k.load(aw, [block, g], [rows, group // 2], pad="zero"), [rows * group // 2])
        v = k.emit(f"unpack {v} : {v.type} -> tile<{rows * group}xi4>", [rows * group], "i4")
        v = k.reshape(k.cast(v, "i8"), [rows, group])
        s, z = (k.load(a, [block, g], [rows, 1], pad="zero") for a in (as_, az))
        wide = k.cast(v - z, "f32") * k.cast(s, "f32")
        return [k.fma(wide, k.reshape(k.cast(k.load(ax, [g], [group], pad="zero"), "f32"), [1, group]), acc)]
    [acc] = k.for_(0, k_ // group, body, [k.const(0, "f32", [rows, group])])
    k.store(ay, [block], k.reduce(acc, 1, "add"))
    # Differences of 4-bit numbers fit i8.
    ay.expect((math.fsum((w[i * k_ + j] - shift[(i * k_ + j) // group]) * scale[(i * k_ + j) // group] * x[j] for j in range(k_)) for i in range(n)),
              "rel:1e-4/abs:1e-4")
    return k.case(f"int4-gemv-{n}x{k_}-g{group}", (-(-n // rows), 1, 1), "rel:1e-4,abs:1e-4")


def adam(n, width, step):
    """One step of an optimiser: bf16 parameters and gradients, f32 moments, four arrays changed in place; stochastic
    rounding of the parameters with random bits from a hash of the position."""
    p, g = oracle.uniform("bf16", [n], seed=15), oracle.uniform("bf16", [n], seed=16)
    m, v = oracle.uniform("f32", [n], seed=17, lo=-0.1, hi=0.1), oracle.uniform("f32", [n], seed=18, lo=0, hi=0.1)
    b1, b2, rate, eps = 0.9, 0.999, 0.01, 1e-8
    k = Kernel("adam")
    ap, ag, am, av = k.inp("p", "bf16", [n], p), k.inp("g", "bf16", [n], g), k.inp("m", "f32", [n], m), k.inp("v", "f32", [n], v)
    c1, c2 = k.scalar("c1", "f32", 1 / (1 - b1 ** step)), k.scalar("c2", "f32", 1 / (1 - b2 ** step))
    block, _, _ = k.block()
    vg = k.cast(k.load(ag, [block], [width], pad="zero"), "f32")
    nm = k.load(am, [block], [width], pad="zero") * b1 + vg * (1 - b1)
    nv = k.load(av, [block], [width], pad="zero") * b2 + vg * vg * (1 - b2)
    vp = k.cast(k.load(ap, [block], [width], pad="zero"), "f32")
    new = vp - nm * c1 * rate / (k.sqrt(nv * c2) + eps)
    h = (block * width + k.iota(width)) * 747796405 + 1403630843
    h = (h ^ (h >> 16)) * 277803737
    bits = k.bitcast(new, "i32") + ((h >> 16) & 0xFFFF)
    k.store(ap, [block], k.bitcast(bits & -65536, "f32"))
    k.store(am, [block], nm)
    k.store(av, [block], nv)
    wm = [a * b1 + b * (1 - b1) for a, b in zip(m, g)]
    wv = [a * b2 + b * b * (1 - b2) for a, b in zip(v, g)]
    am.expect(wm, "rel:1e-6/abs:1e-8")
    av.expect(wv, "rel:1e-6/abs:1e-9")
    # Either neighbour is right; which one depends on the hash, so within one step of bf16.
    ap.expect((a - x / (1 - b1 ** step) * rate / (math.sqrt(y / (1 - b2 ** step)) + eps) for a, x, y in zip(p, wm, wv)), "rel:7.9e-3/abs:1e-6")
    return k.case(f"adam-{n}-t{width}", (-(-n // width), 1, 1), "rel:1e-6,abs:1e-9")


def best_segment(n, width):
    """The contiguous run with the largest sum: a reduction of four operands (sum, best prefix, best suffix, best) whose order
    matters, since prefixes and suffixes are those of the joined run."""
    x = oracle.uniform("i32", [3, n], seed=19, lo=-50, hi=45)
    k = Kernel("best_segment")
    ax, ay = k.inp("x", "i32", [3, n], x), k.out("y", "i32", [3])
    row, _, _ = k.block()
    v = k.load(ax, [row, 0], [1, width], pad="zero")
    none = -(1 << 20)
    v1 = k.where(k.reshape(k.iota(width) < n, [1, width]), v, none)

    def join(s0, s1, p0, p1, e0, e1, b0, b1):
        return [s0 + s1, k.maximum(p0, s0 + p1), k.maximum(e1, s1 + e0), k.maximum(k.maximum(b0, b1), e0 + p1)]
    r = k.fold("scan", [v, v1, v1, v1], 1, [0, none, none, none], join, " reverse=false")
    k.store(ay, [row], k.reshape(k.extract(r[3], [0, width - 1], [1, 1]), [1]))
    ay.expect((max(sum(line[i:j]) for i in range(n) for j in range(i + 1, n + 1)) for line in oracle.rows(x, n)), "exact")
    return k.case(f"best-segment-{n}-t{width}", (3, 1, 1))


def partition(n, width, bit):
    """One pass of a radix sort over a tile: those without the bit first, order kept; keys and their places move together."""
    keys = oracle.uniform("i32", [n], seed=20, lo=0, hi=1 << 20)
    k = Kernel("partition")
    ak, ay, ai = k.inp("k", "i32", [n], keys), k.out("y", "i32", [n]), k.out("i", "i32", [n])
    v = k.load(ak, [0], [width], pad="zero")
    i = k.iota(width)
    inside = i < ak.dims[0]
    one = k.cast(((v >> bit) & 1).ne(0) & inside, "i32", "unsigned")
    zero = k.where(inside, 1 - one, 0)
    zeros = k.reduce(zero, 0, "add")
    place = k.where(one.ne(0), zeros + k.scan(one, 0, "add") - 1, k.scan(zero, 0, "add") - 1)
    k.scatter(ay, [place], v, mask=inside)
    k.scatter(ai, [place], i, mask=inside)
    order = sorted(range(n), key=lambda j: (keys[j] >> bit) & 1)
    ay.expect((keys[j] for j in order), "exact")
    ai.expect(order, "exact")
    return k.case(f"partition-{n}-t{width}", (1, 1, 1))


def transposed_histogram(n, bins, blocks):
    """Atomic additions from several tile blocks whose loops end at different times, then their maximum into a scalar."""
    source = random.Random(21)
    x = [min(bins - 1, int(source.expovariate(0.3))) for _ in range(n)]
    width = 32
    k = Kernel("histogram", "default = {num_worker_warps_per_cta = 2}")
    ax, ah, am = k.inp("x", "i32", [n], x), k.out("h", "i32", [bins], "zeros"), k.out("last", "i32", [1], [-1])
    first, _, _ = k.block()
    step, _, _ = k.grid_size()

    def body(j):
        v = k.load(ax, [j], [width], pad="zero")
        at = j * width + k.iota(width)
        k.atomic(ah, [v], "add", 1, mask=at < ax.dims[0])
        k.atomic(am, [k.fit(0, [width], "i32")], "max", at, mask=at < ax.dims[0])
    k.for_(first, k.tiles(ax, [width])[0], body, step=step)
    ah.expect([x.count(b) for b in range(bins)], "exact")
    am.expect([n - 1], "exact")
    return k.case(f"histogram-loop-{n}-b{bins}-g{blocks}", (blocks, 1, 1))


def cases():
    return [listed_gemm("f32", [(9, 20, 17), (33, 8, 40), (16, 16, 16)], (16, 16, 16), 3), listed_gemm("f16", [(20, 40, 30), (5, 33, 64)], (16, 32, 32), 2),
            chained_scan(500, 64), delta_rule("f32", 2, 9, 16, 32), delta_rule("f16", 1, 7, 32, 40), group_norm("f16", 2, 8, 4, 5, 7),
            group_norm("f32", 1, 8, 2, 8, 8), pixel_shuffle("f16", 6, 7, 2), pixel_shuffle("i8", 4, 5, 4), max_pool("f32", 7, 9, 4, 2), max_pool("f16", 6, 5, 2, 2),
            fractal(10, 40, 30), int4_gemv(21, 128, 32, 8), adam(300, 128, 3), best_segment(27, 32), partition(100, 128, 3), transposed_histogram(333, 11, 3)]
