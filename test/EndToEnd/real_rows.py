# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels on rows: rotary embeddings, gated activations, dropout, losses, running sums, top-k, recurrences."""

import math

import oracle
from front import Kernel


def rope_interleaved(t, tokens, heads, depth, to=None):
    """Pairs of neighbours are rotated; cos and sin are looked up by the position of each token; optionally quantised."""
    to = to or t
    half, cached, scale = depth // 2, 37, 1.25
    x = oracle.uniform(t, [tokens, heads, depth], seed=1, lo=-2, hi=2)
    angles = [[p / 100 ** (i / half) for i in range(half)] for p in range(cached)]
    table = [oracle.rounded("f32", f(a)) for line in angles for f in (math.cos, math.sin) for a in line]
    at = oracle.uniform("i64", [tokens], seed=2, lo=0, hi=cached - 1)
    k = Kernel("rope")
    ax, at_, ac, ay = k.inp("x", t, [tokens, heads, depth], x), k.inp("pos", "i64", [tokens], at), k.inp("cs", "f32", [cached, depth], table), \
        k.out("y", to, [tokens, heads, depth])
    s = k.scalar("scale", "f32", scale)
    block, head, _ = k.block()
    n = 8
    p = k.reshape(k.load(at_, [block], [n], pad="zero"), [n, 1])
    column = k.reshape(k.iota(half, "i32"), [1, half])
    wide = k.cast(column, "i64")
    cos, sin = (k.gather(ac, [k.fit(p, [n, half]), k.fit(wide + add, [n, half])], pad=0.0) for add in (0, half))
    v = k.cast(k.load(ax, [block, head, 0], [n, 1, depth], pad="zero"), "f32")
    v = k.reshape(v, [n, half, 2])
    even, odd = (k.reshape(k.extract(v, [0, 0, i], [n, half, 1]), [n, half]) for i in (0, 1))
    a, b = k.fma(even, cos, -(odd * sin)) * s, k.fma(odd, cos, even * sin) * s
    a, b = (k.reshape(k.cast(z, to), [n, half, 1]) for z in (a, b))
    k.store(ay, [block, head, 0], k.reshape(k.cat(a, b, 2), [n, 1, depth]))
    want = []
    for i, position in enumerate(at):
        c, d = table[position * depth:position * depth + half], table[position * depth + half:(position + 1) * depth]
        for h in range(heads):
            line = x[(i * heads + h) * depth:][:depth]
            for j in range(half):
                p, q = line[2 * j], line[2 * j + 1]
                want += [(p * c[j] - q * d[j]) * scale, (q * c[j] + p * d[j]) * scale]
    ay.expect(want)
    return k.case(f"rope-interleaved-{t}-{to}-{tokens}x{heads}x{depth}", (-(-tokens // n), heads, 1), oracle.TOLERANCE[to])


def rope_halves(t, tokens, heads, depth, width, back=False):
    """The halves of a head are rotated against each other, in place; depth need not be a power of two."""
    half = depth // 2
    x = oracle.uniform(t, [tokens, heads, depth], seed=3, lo=-2, hi=2)
    cos = [oracle.rounded("f32", math.cos(p / 50 ** (i / half))) for p in range(tokens) for i in range(half)]
    sin = [oracle.rounded("f32", math.sin(p / 50 ** (i / half))) for p in range(tokens) for i in range(half)]
    k = Kernel("rope")
    ax, ac, as_ = k.inp("x", t, [tokens, heads, depth], x), k.inp("cos", "f32", [tokens, half], cos), k.inp("sin", "f32", [tokens, half], sin)
    token, group, _ = k.block()
    j = k.iota(width)
    inside = j < half
    c, s = (k.gather(a, [token, j], mask=inside) for a in (ac, as_))
    if back:
        s = -s

    def body(h):
        lo, hi = (k.cast(k.gather(ax, [token, h, j + add], mask=inside), "f32") for add in (0, half))
        k.scatter(ax, [token, h, j], lo * c - hi * s, mask=inside)
        k.scatter(ax, [token, h, j + half], hi * c + lo * s, mask=inside)
    first = group * 2
    k.for_(first, k.minimum(first + 2, ax.dims[1]), body, ordered=[ax])
    want = []
    for i in range(tokens):
        p, q = cos[i * half:(i + 1) * half], [(-v if back else v) for v in sin[i * half:(i + 1) * half]]
        for h in range(heads):
            line = x[(i * heads + h) * depth:][:depth]
            want += [line[m] * p[m] - line[m + half] * q[m] for m in range(half)] + [line[m + half] * p[m] + line[m] * q[m] for m in range(half)]
    ax.expect(want)
    return k.case(f"rope-halves-{t}-{tokens}x{heads}x{depth}" + ("-backward" if back else ""), (tokens, -(-heads // 2), 1), oracle.TOLERANCE[t])


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def swiglu(t, m, n, rows, width):
    """silu(a) * b; a and b are the two halves of each row of one array."""
    x = oracle.normal(t, [m, 2 * n], seed=4, std=2)
    k = Kernel("swiglu", "default = {occupancy = 4}")
    ax, ay = k.inp("x", t, [m, 2 * n], x), k.out("y", t, [m, n])
    bx, by, _ = k.block()
    row = k.reshape(bx * rows + k.iota(rows), [rows, 1])
    column = k.reshape(by * width + k.iota(width), [1, width])
    inside = column < n
    a, b = (k.cast(k.gather(ax, [row, column + add], mask=inside), "f32") for add in (0, n))
    k.scatter(ay, [row, column], a * k.sigmoid(a) * b)
    ay.expect(p * sigmoid(p) * q for line in oracle.rows(x, 2 * n) for p, q in zip(line[:n], line[n:]))
    return k.case(f"swiglu-{t}-{m}x{n}-t{rows}x{width}", (-(-m // rows), -(-n // width), 1), oracle.TOLERANCE[t])


def swiglu_backward(t, m, n, rows, width):
    """Gradients replace the inputs, as frameworks do to save memory."""
    a, b, dy = (oracle.normal(t, [m, n], seed=5 + i, std=1.5) for i in range(3))
    k = Kernel("swiglu_bwd")
    aa, ab, ad = k.inp("a", t, [m, n], a), k.inp("b", t, [m, n], b), k.inp("dy", t, [m, n], dy)
    at = list(k.block()[:2])
    va, vb, vd = (k.cast(k.load(x, at, [rows, width], pad="zero", tma=False), "f32") for x in (aa, ab, ad))
    s = k.sigmoid(va)
    silu = va * s
    k.store(ab, at, vd * silu)
    k.store(aa, at, vd * vb * (silu * (1.0 - s) + s))
    want_a, want_b = [], []
    for p, q, g in zip(a, b, dy):
        e = sigmoid(p)
        want_b.append(g * p * e)
        want_a.append(g * q * e * (1 + p * (1 - e)))
    aa.expect(want_a)
    ab.expect(want_b)
    return k.case(f"swiglu-backward-{t}-{m}x{n}-t{rows}x{width}", (-(-m // rows), -(-n // width), 1), oracle.TOLERANCE[t])


def geglu(t, m, n, width):
    """gelu(a) * b with the tanh approximation, in one dimension over the flattened arrays."""
    a, b = oracle.normal(t, [m * n], seed=8, std=2), oracle.normal(t, [m * n], seed=9)
    k = Kernel("geglu")
    aa, ab, ay = k.inp("a", t, [m * n], a), k.inp("b", t, [m * n], b), k.out("y", t, [m * n])
    block, _, _ = k.block()
    va, vb = (k.cast(k.load(x, [block], [width], pad="zero"), "f32") for x in (aa, ab))
    inner = (va + va * va * va * 0.044715) * math.sqrt(2 / math.pi)
    k.store(ay, [block], va * 0.5 * (k.tanh(inner) + 1.0) * vb)
    ay.expect(0.5 * p * (1 + math.tanh(math.sqrt(2 / math.pi) * (p + 0.044715 * p ** 3))) * q for p, q in zip(a, b))
    return k.case(f"geglu-{t}-{m * n}-t{width}", (-(-m * n // width), 1, 1), oracle.TOLERANCE[t])


def dropout(t, n, width, keep):
    """Counter-based random numbers: ten rounds of Philox 4x32 (multiplications into high and low halves, exclusive ors)."""
    x, seed = oracle.uniform(t, [n], seed=10), 123456789
    limit = int(keep * 2 ** 32)
    k = Kernel("dropout")
    ax, ay = k.inp("x", t, [n], x), k.out("y", t, [n])
    s = k.scalar("seed", "i32", seed)
    block, _, _ = k.block()
    i = block * width + k.iota(width)
    c = [i] + [k.fit(0, [width], "i32")] * 3
    key = [k.fit(s, [width]), k.fit(0, [width], "i32")]

    def signed(v):
        return v - (1 << 32) if v >= 1 << 31 else v
    for _ in range(10):
        m0, m1 = signed(0xD2511F53), signed(0xCD9E8D57)
        h0, l0 = k.binary("mulhii", c[0], k.fit(m0, [width], "i32")), c[0] * m0
        h1, l1 = k.binary("mulhii", c[2], k.fit(m1, [width], "i32")), c[2] * m1
        c = [h1 ^ c[1] ^ key[0], l1, h0 ^ c[3] ^ key[1], l0]
        key = [key[0] + signed(0x9E3779B9), key[1] + signed(0xBB67AE85)]
    kept = k.compare("less_than", c[0], signed(limit), "unsigned")
    v = k.cast(k.load(ax, [block], [width], pad="zero"), "f32")
    k.store(ay, [block], k.where(kept, v * (1 / keep), 0.0))
    want = []
    for j in range(n):
        c, key = [j, 0, 0, 0], [seed, 0]
        for _ in range(10):
            p, q = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
            c = [(q >> 32) ^ c[1] ^ key[0], q & 0xFFFFFFFF, (p >> 32) ^ c[3] ^ key[1], p & 0xFFFFFFFF]
            key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
        want.append(x[j] / keep if c[0] < limit else 0.0)
    ay.expect(want)
    return k.case(f"dropout-{t}-{n}-t{width}", (-(-n // width), 1, 1), oracle.TOLERANCE[t])


def log_sum_exp(row):
    top = max(row)
    return top + math.log(math.fsum(math.exp(v - top) for v in row))


def cross_entropy(t, m, n, width, smoothing=0.0, z=0.0, ignored=-100):
    """Loss of each row over a long vocabulary (running maximum and sum), then its gradient in place of the logits."""
    x, labels = oracle.normal(t, [m, n], seed=11, std=3), oracle.uniform("i32", [m], seed=12, lo=0, hi=n - 1)
    labels[1] = ignored
    k = Kernel("cross_entropy", "default = {num_worker_warps_per_cta = 4}")
    ax, al, aloss, alse = k.inp("x", t, [m, n], x), k.inp("label", "i32", [m], labels), k.out("loss", "f32", [m]), k.out("lse", "f32", [m])
    row, _, _ = k.block()
    label = k.reshape(k.gather(al, [row]), [])
    tiles = k.tiles(ax, [1, width])[1]
    column = k.reshape(k.iota(width), [1, width])

    def tile(j, pad):
        return k.cast(k.load(ax, [row, j], [1, width], pad=pad, latency=2), "f32")

    def counted():
        def body(j, top, total, plain, hit):
            v = tile(j, "neg_inf")
            now = k.maximum(top, k.reduce(v, 1, "max", keep=True))
            at = j * width + column
            inside = at < ax.dims[1]
            return [now, total * k.exp(top - now) + k.reduce(k.exp(v - now), 1, "add", keep=True),
                    plain + k.reduce(k.where(inside, v, 0.0), 1, "add", keep=True),
                    hit + k.reduce(k.where(at.eq(label), v, 0.0), 1, "add", keep=True)]
        zero = k.const(0, "f32", [1, 1])
        top, total, plain, hit = k.for_(0, tiles, body, [k.const(-math.inf, "f32", [1, 1]), zero, zero, zero])
        lse = top + k.log(total)
        loss = lse - hit * (1 - smoothing) - plain * (smoothing / n) + lse * lse * z
        k.store(aloss, [row], k.reshape(loss, [1]))
        k.store(alse, [row], k.reshape(lse, [1]))

        def gradient(j):
            v = tile(j, "zero")
            p = k.exp(v - lse) * (1.0 + lse * (2 * z)) - smoothing / n
            p = k.where((j * width + column).eq(label), p - (1 - smoothing), p)
            k.store(ax, [row, j], p * (1 / m))
        k.for_(0, tiles, gradient, ordered=[ax])

    def skipped():
        zero = k.const(0, "f32", [1])
        k.store(aloss, [row], zero)
        k.store(alse, [row], zero)
        k.for_(0, tiles, lambda j: k.store(ax, [row, j], k.const(0, t, [1, width])))
    k.if_(label.ne(ignored), counted, skipped)
    losses, sums, grads = [], [], []
    for line, hit in zip(oracle.rows(x, n), labels):
        if hit == ignored:
            losses.append(0.0)
            sums.append(0.0)
            grads += [0.0] * n
            continue
        s = log_sum_exp(line)
        sums.append(s)
        target = [(smoothing / n) + (1 - smoothing if j == hit else 0) for j in range(n)]
        losses.append(math.fsum(p * (s - v) for p, v in zip(target, line)) + z * s * s)
        grads += [(math.exp(v - s) * (1 + 2 * z * s) - p) / m for p, v in zip(target, line)]
    aloss.expect(losses, "rel:2e-5/abs:2e-5")
    alse.expect(sums, "rel:2e-5/abs:2e-5")
    ax.expect(grads, oracle.TOLERANCE[t])
    return k.case(f"cross-entropy-{t}-{m}x{n}-t{width}" + (f"-s{smoothing}" if smoothing else "") + (f"-z{z}" if z else ""), (m, 1, 1), oracle.TOLERANCE[t])


def kl_divergence(t, m, n, width):
    """sum p (log p - log q), zero where p is zero, and its gradient with respect to the logits of q."""
    logits = oracle.normal(t, [m, n], seed=13, std=2)
    p = [oracle.rounded(t, v) for v in oracle.flat(oracle.softmax(r) for r in oracle.rows(oracle.normal("f32", [m, n], seed=14, std=2), n))]
    p[0] = p[7] = 0.0
    k = Kernel("kl")
    aq, ap, al, ag = k.inp("q", t, [m, n], logits), k.inp("p", t, [m, n], p), k.out("loss", "f32", [m]), k.out("grad", t, [m, n])
    row, _, _ = k.block()
    v = k.cast(k.load(aq, [row, 0], [1, width], pad="neg_inf"), "f32")
    w = k.cast(k.load(ap, [row, 0], [1, width], pad="zero"), "f32")
    top = k.reduce(v, 1, "max", keep=True)
    logq = v - top - k.log(k.reduce(k.exp(v - top), 1, "add", keep=True))
    some = w > 0.0
    terms = k.where(some, w * (k.log(k.where(some, w, 1.0)) - k.where(some, logq, 0.0)), 0.0)
    k.store(al, [row], k.reduce(terms, 1, "add"))
    k.store(ag, [row, 0], k.exp(logq) * k.reduce(w, 1, "add", keep=True) - w)
    losses, grads = [], []
    for line, target in zip(oracle.rows(logits, n), oracle.rows(p, n)):
        s = log_sum_exp(line)
        losses.append(math.fsum(a * (math.log(a) - (b - s)) for a, b in zip(target, line) if a > 0))
        total = math.fsum(target)
        grads += [math.exp(b - s) * total - a for a, b in zip(target, line)]
    al.expect(losses, "rel:1e-4/abs:1e-5")
    ag.expect(grads)
    return k.case(f"kl-divergence-{t}-{m}x{n}-t{width}", (m, 1, 1), "rel:1e-4,abs:1e-5" if t == "f32" else oracle.TOLERANCE[t])


def running(t, m, n, width, kind, reverse=False):
    """Running sums or products of rows longer than a tile: a scan of each tile, and what came before it."""
    whole = not oracle.is_float(t)
    x = oracle.uniform(t, [m, n], seed=15, lo=-9, hi=9) if whole else oracle.uniform(t, [m, n], seed=15, lo=0.5, hi=1.6)
    k = Kernel("running")
    ax, ay = k.inp("x", t, [m, n], x), k.out("y", t, [m, n])
    row, _, _ = k.block()
    tiles = k.tiles(ax, [2, width])[1]
    calc = t if whole or t == "f64" else "f32"

    def body(i, before):
        j = tiles - 1 - i if reverse else i
        v = k.cast(k.load(ax, [row, j], [2, width], pad="zero"), calc)
        if kind == "mul":
            v = k.where(k.reshape(j * width + k.iota(width) < ax.dims[1], [1, width]), v, k.fit(1, v.shape, calc))
        combine = k.combine(kind)
        [s] = combine(k.scan(v, 1, kind, reverse), before)
        k.store(ay, [row, j], s)
        [after] = combine(before, k.reduce(v, 1, kind, keep=True))
        return [after]
    k.for_(0, tiles, body, [k.const(0 if kind == "add" else 1, calc, [2, 1])])
    want = []
    for line in oracle.rows(x, n):
        total, out = 0 if kind == "add" else 1, []
        for v in reversed(line) if reverse else line:
            total = total + v if kind == "add" else total * v
            out.append(total)
        want += reversed(out) if reverse else out
    if whole:  # sums wrap around
        half = 1 << (int(t[1:]) - 1)
        want = [(v + half) % (2 * half) - half for v in want]
    ay.expect(want, "exact" if whole else None)
    name = f"running-{kind}-{t}-{m}x{n}-t{width}" + ("-reverse" if reverse else "")
    return k.case(name, (-(-m // 2), 1, 1), "exact" if whole else oracle.TOLERANCE[t])


def recurrence(t, m, n, width):
    """h[i] = a[i] h[i-1] + b[i] along rows: a scan of pairs, composing the steps, and a carry between tiles."""
    a, b = oracle.uniform(t, [m, n], seed=16, lo=0.3, hi=0.99), oracle.uniform(t, [m, n], seed=17)
    k = Kernel("recurrence")
    aa, ab, ah = k.inp("a", t, [m, n], a), k.inp("b", t, [m, n], b), k.out("h", "f32", [m, n])
    row, _, _ = k.block()

    def body(j, before):
        va, vb = (k.cast(k.load(x, [row, j], [1, width], pad="zero"), "f32") for x in (aa, ab))
        # (a2, b2) after (a1, b1): h -> a2 (a1 h + b1) + b2
        p, q = k.fold("scan", [va, vb], 1, [1.0, 0.0], lambda a1, a2, b1, b2: [a1 * a2, k.fma(b1, a2, b2)], " reverse=false")
        h = k.fma(p, before, q)
        k.store(ah, [row, j], h)
        return [k.extract(h, [0, width - 1], [1, 1])]
    k.for_(0, k.tiles(aa, [1, width])[1], body, [k.const(0, "f32", [1, 1])])
    want = []
    for p, q in zip(oracle.rows(a, n), oracle.rows(b, n)):
        h = 0.0
        for u, v in zip(p, q):
            h = u * h + v
            want.append(h)
    ah.expect(want, "rel:1e-4/abs:1e-5")
    return k.case(f"recurrence-{t}-{m}x{n}-t{width}", (m, 1, 1), "rel:1e-4,abs:1e-5")


def top_k(t, m, n, width, count):
    """The k largest of each row with their indices: k reductions of (value, index) pairs, taking out what was found."""
    x = oracle.uniform(t, [m, n], seed=18, lo=-4, hi=4)
    x[3] = x[9] = max(x[:n])  # equal values: the lower index first
    k = Kernel("top_k")
    ax, av, ai = k.inp("x", t, [m, n], x), k.out("v", t, [m, count]), k.out("i", "i32", [m, count])
    row, _, _ = k.block()
    rows = 4
    v = k.load(ax, [row, 0], [rows, width], pad="neg_inf")
    index = k.fit(k.iota(width), [rows, width])

    def body(j, left):
        best, at = k.argbest(left, index, 1)
        at1 = k.reshape(at, [rows, 1])
        k.scatter(av, [k.reshape(row * rows + k.iota(rows), [rows]), j], best)
        k.scatter(ai, [k.reshape(row * rows + k.iota(rows), [rows]), j], at)
        return [k.where(index.eq(at1), -math.inf, left)]
    k.for_(0, count, body, [v])
    values, places = [], []
    for line in oracle.rows(x, n):
        order = sorted(range(n), key=lambda j: (-line[j], j))[:count]
        values += [line[j] for j in order]
        places += order
    av.expect(values, "exact")
    ai.expect(places, "exact")
    return k.case(f"top-k-{t}-{m}x{n}-t{width}-k{count}", (-(-m // rows), 1, 1))


def arg_extremes(t, m, n, width):
    """argmax of each column and argmin of each row, integers and floats, first index among equals."""
    x = oracle.uniform(t, [m, n], seed=19, lo=-5, hi=5)
    k = Kernel("arg")
    ax, amax, amin = k.inp("x", t, [m, n], x), k.out("top", "i32", [n]), k.out("low", "i32", [m])
    v = k.load(ax, [0, 0], [16, width], pad="zero")
    r, c = k.reshape(k.iota(16), [16, 1]), k.reshape(k.iota(width), [1, width])
    inside = (r < ax.dims[0]) & (c < ax.dims[1])
    high = k.where(inside, v, k.identity("max", t))
    low = k.where(inside, v, k.identity("min", t))
    k.store(amax, [0], k.argbest(high, k.fit(r, [16, width]), 0)[1])
    k.store(amin, [0], k.argbest(low, k.fit(c, [16, width]), 1, largest=False)[1])
    lines = oracle.rows(x, n)
    amax.expect([max(range(m), key=lambda i: (lines[i][j], -i)) for j in range(n)], "exact")
    amin.expect([min(range(n), key=lambda j: (lines[i][j], j)) for i in range(m)], "exact")
    return k.case(f"arg-extremes-{t}-{m}x{n}", (1, 1, 1))


def power(x, y):
    """C's pow, of which Python's raises errors."""
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and y % 2 == 1 else math.inf
    except ValueError:
        return math.nan if x != 0 else math.copysign(math.inf, x) if y % 2 == 1 else math.inf


def powers():
    """Every special value to the power of every other: a table by broadcasting a column and a row."""
    inf, nan = math.inf, math.nan
    x = [oracle.rounded("f32", v) for v in (0, -0.0, 1, -1, inf, -inf, nan, 2, -2, 0.5, -0.5, 3.7, -3.7, 1e-30, -1e30, -10)]
    y = [oracle.rounded("f32", v) for v in (0, -0.0, 1, -1, inf, -inf, nan, 2, -2, 0.5, -0.5, 3, -3, 2.5, 16777216, -7)]
    k = Kernel("powers")
    ax, ay, az = k.inp("x", "f32", [16], x), k.inp("y", "f32", [16], y), k.out("z", "f32", [16, 16])
    u, v = k.load(ax, [0], [16]), k.load(ay, [0], [16])
    k.store(az, [0, 0], k.binary("fpowf", k.reshape(u, [16, 1]), k.reshape(v, [1, 16])))
    az.expect((power(p, q) for p in x for q in y), "rel:1e-5/abs:1e-38")
    case = k.case("powers", (1, 1, 1), "rel:1e-5,abs:1e-38")
    case.variants = ("own-math",)
    return case


def cases():
    return [rope_interleaved("bf16", 19, 3, 32), rope_interleaved("bf16", 12, 2, 64, "f8E4M3FN"), rope_interleaved("f16", 9, 2, 16, "f8E5M2"),
            rope_halves("f16", 5, 3, 48, 32), rope_halves("f32", 4, 2, 32, 16, back=True),
            swiglu("bf16", 5, 90, 2, 64), swiglu("f32", 3, 64, 1, 64), swiglu_backward("f16", 11, 50, 8, 32), swiglu_backward("f32", 8, 40, 4, 64),
            geglu("f16", 7, 61, 128), geglu("bf16", 8, 64, 256), dropout("f16", 500, 256, 0.75), dropout("f32", 300, 128, 0.4),
            cross_entropy("f32", 4, 333, 128), cross_entropy("bf16", 3, 256, 128, smoothing=0.1), cross_entropy("f16", 3, 200, 64, z=1e-3),
            kl_divergence("f32", 4, 100, 128), kl_divergence("f16", 3, 64, 64),
            running("i32", 5, 150, 64, "add"), running("f32", 4, 100, 64, "mul", reverse=True), running("f16", 3, 128, 64, "add"),
            running("i64", 3, 90, 32, "add", reverse=True), running("f64", 3, 70, 32, "add"), recurrence("f32", 3, 150, 64), recurrence("bf16", 2, 64, 32),
            top_k("f32", 6, 50, 64, 5), top_k("f16", 5, 100, 128, 3), arg_extremes("f32", 13, 29, 32), arg_extremes("i32", 16, 20, 32),
            arg_extremes("bf16", 9, 32, 32), powers()]
