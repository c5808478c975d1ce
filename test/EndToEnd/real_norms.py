# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels: softmax and normalisations, forward and backward. The expected results are computed row by row from the
formulas, not the way the kernels go about it."""

import math

import oracle
from front import Kernel


def softmax_row(t, m, n, width, specials=False):
    """A row as one tile; what overhangs reads as -inf."""
    x = oracle.normal(t, [m, n], seed=1, std=3)
    if specials:  # infinities of both kinds, a NaN, a row of nothing but -inf
        x[0] = x[5] = x[n - 1] = -math.inf
        x[n + 3] = math.inf
        x[2 * n + 7] = math.nan
        x[3 * n:4 * n] = [-math.inf] * n
    k = Kernel("softmax", "default = {occupancy = 4}")
    a, o = k.inp("x", t, [m, n], x), k.out("y", t, [m, n])
    row, _, _ = k.block()
    v = k.cast(k.load(a, [row, 0], [1, width], pad="neg_inf"), "f32")
    e = k.exp(v - k.reduce(v, 1, "max", keep=True))
    k.store(o, [row, 0], e / k.reduce(e, 1, "add", keep=True))
    o.expect(oracle.flat(oracle.softmax(r) for r in oracle.rows(x, n)))
    return k.case(f"softmax-row-{t}-{m}x{n}-t{width}" + ("-specials" if specials else ""), (m, 1, 1), oracle.TOLERANCE[t])


def softmax_persistent(t, m, n, width, blocks):
    """Several rows per tile block, addressed by pointers with masks; the loop strides by the size of the grid."""
    x = oracle.normal(t, [m, n], seed=2, std=2)
    k = Kernel("softmax", "sm_100 = {num_cta_in_cga = 1, occupancy = 2}, default = {occupancy = 2}")
    a, o = k.inp("x", t, [m, n], x), k.out("y", t, [m, n])
    first, _, _ = k.block()
    step, _, _ = k.grid_size()
    column = k.iota(width)

    def body(row):
        v = k.cast(k.gather(a, [row, column], pad=-math.inf), "f32")
        e = k.exp(v - k.reduce(v, 0, "max"))
        k.scatter(o, [row, column], e / k.reduce(e, 0, "add"))
    k.for_(first, a.dims[0], body, step=step)
    o.expect(oracle.flat(oracle.softmax(r) for r in oracle.rows(x, n)))
    return k.case(f"softmax-persistent-{t}-{m}x{n}-t{width}-g{blocks}", (blocks, 1, 1), oracle.TOLERANCE[t])


def softmax_chunked(t, m, n, rows, width):
    """Rows longer than a tile: running maximum and sum, then a second pass."""
    x = oracle.normal(t, [m, n], seed=3, std=3)
    k = Kernel("softmax")
    a, o = k.inp("x", t, [m, n], x), k.out("y", t, [m, n])
    row, _, _ = k.block()
    tiles = k.tiles(a, [rows, width])[1]

    def tile(j):
        return k.cast(k.load(a, [row, j], [rows, width], pad="neg_inf", latency=3), "f32")

    def body(j, top, total):
        v = tile(j)
        now = k.maximum(top, k.reduce(v, 1, "max", keep=True))
        return [now, total * k.exp(top - now) + k.reduce(k.exp(v - now), 1, "add", keep=True)]
    top, total = k.for_(0, tiles, body, [k.const(-1e30, "f32", [rows, 1]), k.const(0, "f32", [rows, 1])])
    k.for_(0, tiles, lambda j: k.store(o, [row, j], k.exp(tile(j) - top) / total))
    o.expect(oracle.flat(oracle.softmax(r) for r in oracle.rows(x, n)))
    return k.case(f"softmax-chunked-{t}-{m}x{n}-t{rows}x{width}", (-(-m // rows), 1, 1), oracle.TOLERANCE[t])


def softmax_backward(t, m, n, rows, width):
    """dx = y * (dy - sum(y * dy))"""
    y = oracle.flat(oracle.softmax(r) for r in oracle.rows(oracle.normal("f32", [m, n], seed=4, std=2), n))
    y = [oracle.rounded(t, v) for v in y]
    dy = oracle.uniform(t, [m, n], seed=5)
    k = Kernel("softmax_bwd")
    ay, ad, o = k.inp("y", t, [m, n], y), k.inp("dy", t, [m, n], dy), k.out("dx", t, [m, n])
    row, _, _ = k.block()
    v, d = (k.cast(k.load(a, [row, 0], [rows, width], pad="zero"), "f32") for a in (ay, ad))
    k.store(o, [row, 0], v * (d - k.reduce(v * d, 1, "add", keep=True)))
    want = []
    for r, g in zip(oracle.rows(y, n), oracle.rows(dy, n)):
        dot = math.fsum(p * q for p, q in zip(r, g))
        want += [p * (q - dot) for p, q in zip(r, g)]
    o.expect(want)
    return k.case(f"softmax-backward-{t}-{m}x{n}-t{rows}x{width}", (-(-m // rows), 1, 1), oracle.TOLERANCE[t])


def layer_norm(t, m, n, width):
    """Three passes over a row in tiles: mean, variance, result; mean and 1/std are kept for the backward pass."""
    x, w, b = oracle.normal(t, [m, n], seed=6, mean=1, std=2), oracle.uniform(t, [n], seed=7, lo=-1, hi=2), oracle.uniform(t, [n], seed=8)
    eps = 1e-5
    k = Kernel("layer_norm", "default = {}")
    ax, aw, ab, ay = k.inp("x", t, [m, n], x), k.inp("w", t, [n], w), k.inp("b", t, [n], b), k.out("y", t, [m, n])
    mean, rstd = k.out("mean", "f32", [m]), k.out("rstd", "f32", [m])
    e = k.scalar("eps", "f32", eps)
    row, _, _ = k.block()
    tiles = k.tiles(ax, [1, width])[1]
    zero = k.const(0, "f32", [1, width])
    count = k.cast(ax.dims[1], "f32")

    def tile(j):
        return k.cast(k.load(ax, [row, j], [1, width], pad="zero"), "f32")
    [total] = k.for_(0, tiles, lambda j, s: [s + tile(j)], [zero])
    mu = k.reduce(total, 1, "add") / count
    k.store(mean, [row], mu)
    column = k.iota(width)

    def deviation(j, s):
        d = tile(j) - k.reshape(mu, [1, 1])
        d = k.where(k.reshape(j * width + column < ax.dims[1], [1, width]), d, 0.0)
        return [s + k.binary("fpowf", d, 2.0)]
    [squares] = k.for_(0, tiles, deviation, [zero])
    r = 1.0 / k.sqrt(k.reduce(squares, 1, "add") / count + e)
    k.store(rstd, [row], r)

    def result(j):
        wj, bj = (k.reshape(k.cast(k.load(a, [j], [width], pad="zero"), "f32"), [1, width]) for a in (aw, ab))
        k.store(ay, [row, j], k.fma((tile(j) - k.reshape(mu, [1, 1])) * k.reshape(r, [1, 1]), wj, bj))
    k.for_(0, tiles, result)
    means, rstds, want = [], [], []
    for line in oracle.rows(x, n):
        u = math.fsum(line) / n
        s = 1 / math.sqrt(math.fsum((v - u) ** 2 for v in line) / n + eps)
        means.append(u)
        rstds.append(s)
        want += [(v - u) * s * p + q for v, p, q in zip(line, w, b)]
    ay.expect(want)
    mean.expect(means, "rel:1e-5/abs:1e-6")
    rstd.expect(rstds, "rel:1e-5/abs:1e-6")
    return k.case(f"layer-norm-{t}-{m}x{n}-t{width}", (m, 1, 1), oracle.TOLERANCE[t])


def layer_norm_backward(t, m, n, rows, width):
    """dx per row, dw and db summed over all rows by atomics through views."""
    x, w, dy = oracle.normal(t, [m, n], seed=9, std=2), oracle.uniform(t, [n], seed=10, lo=0.5, hi=1.5), oracle.uniform(t, [m, n], seed=11)
    means, rstds = [], []
    for line in oracle.rows(x, n):
        u = math.fsum(line) / n
        means.append(oracle.rounded("f32", u))
        rstds.append(oracle.rounded("f32", 1 / math.sqrt(math.fsum((v - u) ** 2 for v in line) / n + 1e-5)))
    k = Kernel("layer_norm_bwd")
    ax, aw, ady = k.inp("x", t, [m, n], x), k.inp("w", t, [n], w), k.inp("dy", t, [m, n], dy)
    mean, rstd = k.inp("mean", "f32", [m], means), k.inp("rstd", "f32", [m], rstds)
    adx, adw, adb = k.out("dx", t, [m, n]), k.out("dw", "f32", [n], "zeros"), k.out("db", "f32", [n], "zeros")
    row, _, _ = k.block()
    v, g = (k.cast(k.load(a, [row, 0], [rows, width], pad="zero"), "f32") for a in (ax, ady))
    wj = k.cast(k.load(aw, [0], [width], pad="zero"), "f32")
    mu, r = (k.reshape(k.load(a, [row], [rows], pad="zero"), [rows, 1]) for a in (mean, rstd))
    inside = k.reshape(k.iota(width) < ax.dims[1], [1, width])
    hat = k.where(inside, (v - mu) * r, 0.0)
    wdy = g * wj
    count = k.cast(ax.dims[1], "f32")
    c1 = k.reduce(hat * wdy, 1, "add", keep=True) / count
    c2 = k.reduce(wdy, 1, "add", keep=True) / count
    k.store(adx, [row, 0], (wdy - (hat * c1 + c2)) * r)
    k.reduce_into(adw, [0], k.reduce(g * hat, 0, "add"))
    k.reduce_into(adb, [0], k.reduce(g, 0, "add"))
    want, dw, db = [], [[] for _ in range(n)], [[] for _ in range(n)]
    for line, grad, u, s in zip(oracle.rows(x, n), oracle.rows(dy, n), means, rstds):
        hats = [(p - u) * s for p in line]
        p = [a * b for a, b in zip(grad, w)]
        a1, a2 = math.fsum(a * b for a, b in zip(p, hats)) / n, math.fsum(p) / n
        want += [s * (q - h * a1 - a2) for q, h in zip(p, hats)]
        for j in range(n):
            dw[j].append(grad[j] * hats[j])
            db[j].append(grad[j])
    adx.expect(want)
    adw.expect([math.fsum(c) for c in dw], "rel:1e-4/abs:2e-5")
    adb.expect([math.fsum(c) for c in db], "rel:1e-4/abs:2e-5")
    return k.case(f"layer-norm-backward-{t}-{m}x{n}-t{rows}x{width}", (-(-m // rows), 1, 1), oracle.TOLERANCE[t])


def rms_norm(t, m, n, width, offset, residual=False):
    """y = x * rstd * (offset + w), rows read by pointers; optionally x += residual first, in place."""
    x, w = oracle.normal(t, [m, n], seed=12), oracle.uniform(t, [n], seed=13, lo=-0.5, hi=0.5)
    extra = oracle.normal(t, [m, n], seed=14)
    k = Kernel("rms_norm", "default = {num_worker_warps_per_cta = 8}" if width > 512 else "")
    ax, aw = k.inp("x", t, [m, n], x), k.inp("w", t, [n], w)
    ares = k.inp("res", t, [m, n], extra) if residual else None
    ay, arstd = k.out("y", t, [m, n]), k.out("rstd", "f32", [m])
    row, _, _ = k.block()
    column = k.iota(width)
    v = k.cast(k.gather(ax, [row, column]), "f32")
    if residual:
        s = k.cast(v + k.cast(k.gather(ares, [row, column]), "f32"), t)
        k.scatter(ares, [row, column], s)
        v = k.cast(k.gather(ares, [row, column]), "f32")  # reads what has just been stored, ordered by its token
    r = k.rsqrt(k.reduce(v * v, 0, "add") / k.cast(ax.dims[1], "f32") + 1e-6)
    k.scatter(arstd, [row], r)
    k.scatter(ay, [row, column], v * r * (offset + k.cast(k.gather(aw, [column]), "f32")))
    want, rstds, sums = [], [], []
    for line, more in zip(oracle.rows(x, n), oracle.rows(extra, n)):
        if residual:
            line = [oracle.rounded(t, a + b) for a, b in zip(line, more)]
            sums += line
        s = 1 / math.sqrt(math.fsum(a * a for a in line) / n + 1e-6)
        rstds.append(s)
        want += [a * s * (offset + b) for a, b in zip(line, w)]
    ay.expect(want)
    arstd.expect(rstds, "rel:1e-5/abs:1e-6")
    if residual:
        ares.expect(sums, "exact")
    return k.case(f"rms-norm-{t}-{m}x{n}-t{width}" + ("-residual" if residual else ""), (m, 1, 1), oracle.TOLERANCE[t])


def rms_norm_backward(t, m, n, width, blocks):
    """Each tile block takes a run of rows and keeps its part of dw in registers; a second dimension of dw collects the parts."""
    x, w, dy = oracle.normal(t, [m, n], seed=15), oracle.uniform(t, [n], seed=16, lo=0.5, hi=1.5), oracle.uniform(t, [m, n], seed=17)
    rstds = [oracle.rounded("f32", 1 / math.sqrt(math.fsum(a * a for a in line) / n + 1e-6)) for line in oracle.rows(x, n)]
    k = Kernel("rms_norm_bwd")
    ax, aw, ady, ar = k.inp("x", t, [m, n], x), k.inp("w", t, [n], w), k.inp("dy", t, [m, n], dy), k.inp("rstd", "f32", [m], rstds)
    adx, adw = k.out("dx", t, [m, n]), k.out("dw", "f32", [blocks, n])
    block, _, _ = k.block()
    per = -(-m // blocks)
    first = block * per
    last = k.minimum(first + per, ax.dims[0])
    wj = k.reshape(k.cast(k.load(aw, [0], [width], pad="zero"), "f32"), [1, width])

    def body(row, dw):
        v, g = (k.cast(k.load(a, [row, 0], [1, width], pad="zero", latency=2), "f32") for a in (ax, ady))
        r = k.reshape(k.gather(ar, [row]), [1, 1])
        hat, p = v * r, g * wj
        mean = k.reduce(hat * p, 1, "add", keep=True) / k.cast(ax.dims[1], "f32")
        k.store(adx, [row, 0], (p - hat * mean) * r)
        return [dw + g * hat]
    [dw] = k.for_(first, last, body, [k.const(0, "f32", [1, width])])
    k.store(adw, [block, 0], dw)
    want, parts = [], [[[] for _ in range(n)] for _ in range(blocks)]
    for i, (line, grad, s) in enumerate(zip(oracle.rows(x, n), oracle.rows(dy, n), rstds)):
        mean = math.fsum(a * s * g * q for a, g, q in zip(line, grad, w)) / n
        want += [s * (g * q - a * s * mean) for a, g, q in zip(line, grad, w)]
        for j in range(n):
            parts[i // per][j].append(grad[j] * line[j] * s)
    adx.expect(want)
    adw.expect([math.fsum(c) for part in parts for c in part], "rel:1e-4/abs:1e-5")
    return k.case(f"rms-norm-backward-{t}-{m}x{n}-t{width}-g{blocks}", (blocks, 1, 1), oracle.TOLERANCE[t])


def welford(t, m, n, width):
    """Mean and variance in one reduction over three operands (count, mean, squares), combined pairwise."""
    x = oracle.normal(t, [m, n], seed=18, mean=100, std=0.5)
    k = Kernel("welford")
    ax, mean, var = k.inp("x", t, [m, n], x), k.out("mean", "f32", [m]), k.out("var", "f32", [m])
    row, _, _ = k.block()
    v = k.cast(k.load(ax, [row, 0], [4, width], pad="zero"), "f32")
    inside = k.fit(k.iota(width) < ax.dims[1], [4, width])
    count = k.cast(k.cast(inside, "i32", "unsigned"), "f32")

    def combine(na, nb, ma, mb, sa, sb):
        n_ = na + nb
        share = k.where(n_.eq(0.0), 0.0, nb / n_)
        d = mb - ma
        return [n_, ma + d * share, sa + sb + d * d * na * share]
    _, mu, s = k.fold("reduce", [count, v, k.const(0, "f32", [4, width])], 1, [0, 0, 0], combine)
    k.store(mean, [row], mu)
    k.store(var, [row], s / k.cast(ax.dims[1], "f32"))
    means, variances = [], []
    for line in oracle.rows(x, n):
        u = math.fsum(line) / n
        means.append(u)
        variances.append(math.fsum((a - u) ** 2 for a in line) / n)
    mean.expect(means, "rel:1e-6/abs:1e-6")
    var.expect(variances, "rel:1e-4/abs:1e-5")
    return k.case(f"welford-{t}-{m}x{n}-t{width}", (-(-m // 4), 1, 1), "rel:1e-4,abs:1e-5")


def cases():
    return [softmax_row("f32", 5, 333, 512, True), softmax_row("f16", 4, 200, 256, True), softmax_row("bf16", 4, 96, 128),
            softmax_persistent("f32", 11, 100, 128, 3), softmax_persistent("f16", 7, 48, 64, 2),
            softmax_chunked("f16", 7, 300, 4, 64), softmax_chunked("bf16", 6, 160, 2, 64),
            softmax_backward("f32", 9, 70, 4, 128), softmax_backward("bf16", 9, 64, 8, 64),
            layer_norm("f16", 3, 300, 128), layer_norm("bf16", 3, 256, 128), layer_norm("f32", 3, 333, 256),
            layer_norm_backward("f32", 10, 75, 4, 128), layer_norm_backward("f16", 8, 64, 4, 64),
            rms_norm("bf16", 4, 190, 256, 1.0), rms_norm("f32", 4, 600, 1024, 0.0), rms_norm("f16", 5, 128, 128, 0.0, residual=True),
            rms_norm_backward("f16", 9, 112, 128, 3), rms_norm_backward("f32", 7, 60, 64, 2), welford("f32", 9, 45, 64)]
