# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels that move data about: routing of tokens to experts, histograms, gathers, permutations, windows, segments."""

import math

import oracle
from front import Kernel


def router(t, tokens, experts, width, chosen, renormalise=True):
    """Softmax over the experts, the best `chosen` of them with their weights, and how many tokens each expert gets."""
    x = oracle.normal(t, [tokens, experts], seed=1, std=2)
    x[experts + 2] = x[experts + 5] = 6.0  # equal logits: the lower expert first
    k = Kernel("router")
    ax, aw, ae, ac = k.inp("x", t, [tokens, experts], x), k.out("w", "f32", [tokens, chosen]), k.out("e", "i32", [tokens, chosen]), \
        k.out("count", "i32", [experts], "zeros")
    block, _, _ = k.block()
    rows = 8
    token = block * rows + k.iota(rows)
    v = k.cast(k.load(ax, [block, 0], [rows, width], pad="neg_inf"), "f32")
    e = k.exp(v - k.reduce(v, 1, "max", keep=True))
    p = e / k.reduce(e, 1, "add", keep=True)
    index = k.fit(k.iota(width), [rows, width])
    left, best, total = p, [], None
    for _ in range(chosen):
        value, at = k.argbest(left, index, 1)
        best.append((value, at))
        total = value if total is None else total + value
        left = k.where(index.eq(k.reshape(at, [rows, 1])), -1.0, left)
    for i, (value, at) in enumerate(best):
        k.scatter(aw, [token, i], value / total if renormalise else value)
        k.scatter(ae, [token, i], at)
        k.atomic(ac, [at], "add", 1, mask=token < ax.dims[0])
    weights, places, counts = [], [], [0] * experts
    for line in oracle.rows(x, experts):
        p = oracle.softmax(line)
        order = sorted(range(experts), key=lambda j: (-line[j], j))[:chosen]
        total = math.fsum(p[j] for j in order) if renormalise else 1
        weights += [p[j] / total for j in order]
        places += order
        for j in order:
            counts[j] += 1
    aw.expect(weights, "rel:1e-4/abs:1e-5")
    ae.expect(places, "exact")
    ac.expect(counts, "exact")
    return k.case(f"moe-router-{t}-{tokens}x{experts}-top{chosen}", (-(-tokens // rows), 1, 1), "rel:1e-5,abs:1e-6")


def align_experts(pairs, experts, width, multiple):
    """Sorts (token, choice) pairs by expert, each expert's part padded to a multiple: counts by comparison, starts by a
    scan over the experts, places by a scan over the pairs. One tile block; the order within an expert is kept."""
    ids = oracle.uniform("i32", [pairs], seed=2, lo=0, hi=experts - 1)
    space = pairs + experts * multiple
    k = Kernel("align")
    ai, asorted, astart = k.inp("id", "i32", [pairs], ids), k.out("sorted", "i32", [space], [pairs] * space), k.out("start", "i32", [experts + 1])
    wide = 1 << (experts - 1).bit_length()
    v = k.load(ai, [0], [width], pad="zero")
    i = k.iota(width)
    inside = i < ai.dims[0]
    expert = k.reshape(k.iota(wide), [1, wide])
    mine = (k.reshape(v, [width, 1]).eq(expert)) & k.reshape(inside, [width, 1])
    ones = k.cast(mine, "i32", "unsigned")
    before = k.scan(ones, 0, "add") - ones  # earlier pairs of the same expert
    padded = ((k.reduce(ones, 0, "add") + (multiple - 1)) // multiple) * multiple
    ends = k.scan(padded, 0, "add")
    starts = ends - padded
    place = k.reduce(k.where(mine, before + k.reshape(starts, [1, wide]), 0), 1, "add")
    k.scatter(asorted, [place], i, mask=inside)
    column = k.iota(wide)
    k.scatter(astart, [column + 1], ends, mask=column < experts)
    k.scatter(astart, [k.fit(0, [1], "i32")], k.fit(0, [1], "i32"))
    want, start = [pairs] * space, [0]
    for e in range(experts):
        mine = [j for j in range(pairs) if ids[j] == e]
        want[start[-1]:start[-1] + len(mine)] = mine
        start.append(start[-1] + -(-len(mine) // multiple) * multiple)
    asorted.expect(want, "exact")
    astart.expect(start, "exact")
    return k.case(f"moe-align-{pairs}-e{experts}", (1, 1, 1))


def expert_matmul(t, tokens, chosen, experts, n, k_, tiles):
    """Tokens picked by the sorted list, multiplied by their expert's weights, weighted and added up by atomics."""
    tm, tn, tk = tiles
    ids = [(i * 5 + c * 3) % experts for i in range(tokens) for c in range(chosen)]
    slots, expert_of = [], []
    for e in range(experts):
        mine = [j for j in range(tokens * chosen) if ids[j] == e]
        mine += [tokens * chosen] * (-len(mine) % tm)  # padding: no such pair
        slots += mine
        expert_of += [e] * (len(mine) // tm)
    a, b, w = oracle.uniform(t, [tokens, k_], seed=3), oracle.uniform(t, [experts, n, k_], seed=4), oracle.uniform("f32", [tokens * chosen], seed=5, lo=0, hi=1)
    k = Kernel("experts", "default = {num_cta_in_cga = 1, occupancy = 1}")
    aa, ab, aw, aslot, aexp = k.inp("a", t, [tokens, k_], a), k.inp("b", t, [experts, n, k_], b), k.inp("w", "f32", [tokens * chosen], w), \
        k.inp("slot", "i32", [len(slots)], slots), k.inp("expert", "i32", [len(expert_of)], expert_of)
    ac = k.out("c", "f32", [tokens, n], "zeros")
    x, y, _ = k.block()
    slot = k.load(aslot, [x], [tm], pad="zero")
    real = k.reshape(slot < tokens * chosen, [tm, 1])
    token = k.reshape(slot // chosen, [tm, 1])
    expert = k.reshape(k.gather(aexp, [x]), [])
    depth = k.reshape(k.iota(tk), [1, tk])

    def body(i, acc):
        va = k.gather(aa, [token, i * tk + depth], mask=real)
        vb = k.reshape(k.load(ab, [expert, y, i], [1, tn, tk], pad="zero", latency=3), [tn, tk])
        return [k.mma(va, k.permute(vb, [1, 0]), acc)]
    [acc] = k.for_(0, k.tiles(ab, [1, tn, tk])[2], body, [k.const(0, "f32", [tm, tn])])
    acc = acc * k.reshape(k.gather(aw, [slot]), [tm, 1])
    k.atomic(ac, [token, k.reshape(y * tn + k.iota(tn), [1, tn])], "addf", acc, mask=k.fit(real, [tm, tn]))
    want = [0.0] * (tokens * n)
    for j, e in enumerate(ids):
        i = j // chosen
        for c in range(n):
            want[i * n + c] += w[j] * math.fsum(p * q for p, q in zip(a[i * k_:(i + 1) * k_], b[(e * n + c) * k_:(e * n + c + 1) * k_]))
    ac.expect(want, "rel:1e-4/abs:5e-5")
    return k.case(f"moe-experts-{t}-{tokens}x{chosen}-e{experts}-{n}x{k_}", (len(expert_of), -(-n // tn), 1), "rel:1e-4,abs:5e-5")


def histogram(n, bins, width):
    """Equal-width bins of floats; NaN and what lies outside counts nowhere. A private histogram per tile block by comparison,
    then one atomic per bin."""
    x = oracle.normal("f32", [n], seed=6, std=1.5)
    x[3], x[10], x[11] = math.nan, math.inf, -math.inf
    k = Kernel("histogram")
    ax, ah = k.inp("x", "f32", [n], x), k.out("h", "i32", [bins], "zeros")
    block, _, _ = k.block()
    v = k.load(ax, [block], [width], pad="nan")
    v = k.where(block * width + k.iota(width) < ax.dims[0], v, math.nan)
    good = (v >= -2.0) & (v < 2.0)
    place = k.cast(k.unary("floor", k.where(good, (v + 2.0) * (bins / 4), 0.0)), "i32")
    wide = 1 << (bins - 1).bit_length()
    hit = (k.reshape(place, [width, 1]).eq(k.reshape(k.iota(wide), [1, wide]))) & k.reshape(good, [width, 1])
    counts = k.reduce(k.cast(hit, "i32", "unsigned"), 0, "add")
    k.atomic(ah, [k.iota(wide)], "add", counts, mask=counts > 0)
    want = [0] * bins
    for v in x:
        if -2 <= v < 2:
            want[math.floor((oracle.rounded("f32", v + 2.0)) * (bins / 4))] += 1
    ah.expect(want, "exact")
    return k.case(f"histogram-{n}-b{bins}", (-(-n // width), 1, 1))


def embedding(t, words, n, tokens, rows, width, backward=False):
    """Rows of a table by index through a gather view; backwards gradients are added to their rows by atomics."""
    ids = oracle.uniform("i32", [tokens], seed=7, lo=0, hi=words - 1)
    ids[2] = ids[3] = ids[0]
    k = Kernel("embedding")
    if backward:
        g = oracle.uniform(t, [tokens, n], seed=8)
        ai, ag, aw = k.inp("id", "i32", [tokens], ids), k.inp("g", t, [tokens, n], g), k.out("dw", "f32", [words, n], "zeros")
        x, y, _ = k.block()
        token = x * rows + k.iota(rows)
        id_ = k.reshape(k.gather(ai, [token], pad=0), [rows, 1])
        v = k.cast(k.load(ag, [x, y], [rows, width], pad="zero"), "f32")
        k.atomic(aw, [id_, k.reshape(y * width + k.iota(width), [1, width])], "addf", v, mask=k.reshape(token < ai.dims[0], [rows, 1]))
        want = [0.0] * (words * n)
        for i, w in enumerate(ids):
            for j in range(n):
                want[w * n + j] += g[i * n + j]
        aw.expect(want, "rel:1e-5/abs:1e-6")
    else:
        table = oracle.uniform(t, [words, n], seed=9)
        ai, aw, ay = k.inp("id", "i32", [tokens], ids), k.inp("w", t, [words, n], table), k.out("y", t, [tokens, n])
        x, y, _ = k.block()
        id_ = k.gather(ai, [x * rows + k.iota(rows)])
        k.store(ay, [x, y], k.load(aw, [id_, y * width], [rows, width], pad="zero", sparse=0))
        ay.expect((table[w * n + j] for w in ids for j in range(n)), "exact")
    return k.case(f"embedding-{'backward-' if backward else ''}{t}-{words}x{n}-{tokens}", (-(-tokens // rows), -(-n // width), 1),
                  "rel:1e-5,abs:1e-6" if backward else "exact")


def permuted(t, shape, order, box):
    """A permutation of three or four dimensions, tile by tile."""
    x = oracle.uniform(t, shape, seed=10, lo=-100, hi=100)
    to = [shape[i] for i in order]
    k = Kernel("permute")
    # Half a byte is stored by reading the other half.
    ax, ay = k.inp("x", t, shape, x), k.out("y", t, to, "zeros" if t == "f4E2M1FN" else "poison")
    grid = [-(-s // b) for s, b in zip(shape, box)]
    b = k.block()
    at, rest = [], b[2]
    for extent in reversed(grid[2:]):
        at.insert(0, rest % extent)
        rest = rest // extent
    at = [b[0], b[1]] + at
    v = k.load(ax, at, box, pad="zero")
    k.store(ay, [at[i] for i in order], k.permute(v, order))
    strides = [oracle.size(shape[i + 1:]) for i in range(len(shape))]

    def values(i, offset):
        if i == len(order):
            yield x[offset]
        else:
            for j in range(to[i]):
                yield from values(i + 1, offset + j * strides[order[i]])
    ay.expect(values(0, 0), "exact")
    return k.case(f"permute-{t}-{'x'.join(map(str, shape))}-{''.join(map(str, order))}", (grid[0], grid[1], oracle.size(grid[2:])))


def convolution(t, channels, height, width, kernel, stride):
    """A depth-wise convolution: overlapping windows are a strided view whose steps are smaller than its tiles."""
    out_h, out_w = (height - kernel) // stride + 1, (width - kernel) // stride + 1
    x, w = oracle.uniform(t, [channels, height, width], seed=11), oracle.uniform(t, [channels, kernel, kernel], seed=12)
    box = 1 << (kernel - 1).bit_length()
    k = Kernel("conv")
    ax, aw, ay = k.inp("x", t, [channels, height, width], x), k.inp("w", t, [channels, kernel, kernel], w), k.out("y", "f32", [channels, out_h, out_w])
    i, j, _ = k.block()
    shape = [channels, box, box]  # all channels at once: a power of two
    v = k.cast(k.load(ax, [0, i, j], shape, pad="zero", steps=[channels, stride, stride]), "f32")
    f = k.cast(k.load(aw, [0, 0, 0], shape, pad="zero"), "f32")
    s = k.reduce(k.reduce(v * f, 2, "add"), 1, "add")
    k.store(ay, [0, i, j], k.reshape(s, [channels, 1, 1]))
    ay.expect((math.fsum(x[(c * height + p * stride + u) * width + q * stride + r] * w[(c * kernel + u) * kernel + r] for u in range(kernel) for r in range(kernel))
               for c in range(channels) for p in range(out_h) for q in range(out_w)), "rel:1e-4/abs:1e-5")
    return k.case(f"convolution-{t}-{channels}x{height}x{width}-k{kernel}-s{stride}", (out_h, out_w, 1), "rel:1e-4,abs:1e-5")


def segments(n, count, width):
    """Sums of runs of equal keys: a scan of (sum, key, begins) triples that starts anew where the key changes; the last of
    each run within the tile adds its sum."""
    keys = sorted(oracle.uniform("i32", [n], seed=13, lo=0, hi=count - 1))
    x = oracle.uniform("f32", [n], seed=14)
    k = Kernel("segments")
    ak, ax, ay = k.inp("key", "i32", [n], keys), k.inp("x", "f32", [n], x), k.out("y", "f32", [count], "zeros")
    block, _, _ = k.block()
    i = block * width + k.iota(width)
    key, following = k.gather(ak, [i], pad=-1), k.gather(ak, [i + 1], pad=-1)
    v = k.gather(ax, [i])

    def step(s0, s1, k0, k1):
        same = k0.eq(k1)
        return [k.where(same, s0 + s1, s1), k1]
    s, _ = k.fold("scan", [v, key], 0, [0.0, -1], step, " reverse=false")
    last = key.ne(following) | k.iota(width).eq(width - 1)
    k.atomic(ay, [key], "addf", s, mask=last)
    want = [[] for _ in range(count)]
    for j, v in zip(keys, x):
        want[j].append(v)
    ay.expect([math.fsum(v) for v in want], "rel:1e-5/abs:2e-6")
    return k.case(f"segments-{n}-c{count}", (-(-n // width), 1, 1), "rel:1e-5,abs:2e-6")


def sparse_rows(rows, columns, width):
    """Rows of different lengths (CSR): a loop per row with bounds from memory, operands picked by index."""
    lengths = [v % 23 for v in oracle.uniform("i32", [rows], seed=15, lo=0, hi=1000)]
    lengths[2] = 0
    starts = [sum(lengths[:i]) for i in range(rows + 1)]
    col = oracle.uniform("i32", [starts[-1]], seed=16, lo=0, hi=columns - 1)
    val, x = oracle.uniform("f32", [starts[-1]], seed=17), oracle.uniform("f32", [columns], seed=18)
    k = Kernel("spmv")
    as_, ac, av, ax, ay = k.inp("start", "i32", [rows + 1], starts), k.inp("col", "i32", [starts[-1]], col), k.inp("val", "f32", [starts[-1]], val), \
        k.inp("x", "f32", [columns], x), k.out("y", "f32", [rows])
    row, _, _ = k.block()
    begin, end = (k.reshape(k.gather(as_, [row + d]), []) for d in (0, 1))
    lane = k.iota(width)

    def body(i, acc):
        at = i + lane
        inside = at < end
        return [k.fma(k.gather(av, [at], mask=inside), k.gather(ax, [k.gather(ac, [at], mask=inside)], mask=inside), acc)]
    [acc] = k.for_(begin, end, body, [k.const(0, "f32", [width])], step=width)
    k.scatter(ay, [row], k.reduce(acc, 0, "add"))
    ay.expect([math.fsum(val[j] * x[col[j]] for j in range(starts[i], starts[i + 1])) for i in range(rows)], "rel:1e-5/abs:2e-6")
    return k.case(f"sparse-rows-{rows}x{columns}", (rows, 1, 1), "rel:1e-5,abs:2e-6")


def bitonic(t, m, n):
    """Sorts each row with its indices: log2(n) (log2(n) + 1) / 2 exchanges, partners found by reshaping to pairs."""
    x = oracle.uniform(t, [m, n], seed=19, lo=-50, hi=50)
    k = Kernel("bitonic")
    ax, av, ai = k.inp("x", t, [m, n], x), k.out("v", t, [m, n]), k.out("i", "i32", [m, n])
    row, _, _ = k.block()
    v = k.reshape(k.load(ax, [row, 0], [1, n], pad="zero"), [n])
    i, place = k.iota(n), k.iota(n)
    size = 2
    while size <= n:
        half = size // 2
        while half:
            def swapped(z):
                """z with the element of the partner, whose index differs in the bit `half`."""
                z = k.reshape(z, [n // (2 * half), 2, half])
                lo, hi = (k.extract(z, [0, b, 0], [n // (2 * half), 1, half]) for b in (0, 1))
                return k.reshape(k.cat(hi, lo, 1), [n])
            pv, pi = swapped(v), swapped(i)
            first = (v < pv) | (v.eq(pv) & (i < pi))
            # Whether this place keeps the smaller one: its bit `half` agrees with the direction of its run.
            low = (place & half).eq(0)
            up = (place & size).eq(0)
            take = first ^ (low ^ up)
            v, i = k.where(take, v, pv), k.where(take, i, pi)
            half //= 2
        size *= 2
    k.store(av, [row, 0], k.reshape(v, [1, n]))
    k.store(ai, [row, 0], k.reshape(i, [1, n]))
    values, places = [], []
    for line in oracle.rows(x, n):
        order = sorted(range(n), key=lambda j: (line[j], j))
        values += [line[j] for j in order]
        places += order
    av.expect(values, "exact")
    ai.expect(places, "exact")
    return k.case(f"sort-{t}-{m}x{n}", (m, 1, 1))


def cases():
    return [router("f32", 19, 12, 16, 2), router("bf16", 10, 8, 8, 4, renormalise=False), align_experts(50, 5, 64, 8), align_experts(100, 8, 128, 16),
            expert_matmul("f16", 17, 2, 3, 40, 24, (16, 32, 16)), expert_matmul("bf16", 8, 2, 4, 32, 32, (16, 16, 32)),
            histogram(700, 20, 128), embedding("f16", 30, 70, 13, 8, 64), embedding("f32", 20, 64, 8, 4, 32), embedding("bf16", 11, 50, 14, 8, 32, backward=True),
            permuted("f32", [5, 20, 9], [2, 0, 1], [4, 16, 8]), permuted("f16", [2, 6, 18, 10], [0, 2, 1, 3], [1, 4, 16, 16]),
            permuted("i8", [16, 40, 3], [1, 2, 0], [16, 32, 4]), permuted("f8E4M3FN", [3, 30, 20], [0, 2, 1], [2, 32, 16]),
            permuted("f4E2M1FN", [5, 20, 10], [2, 0, 1], [4, 16, 8]), permuted("f4E2M1FN", [6, 20, 34], [1, 0, 2], [4, 4, 16]),
            embedding("f4E2M1FN", 30, 64, 13, 8, 32),
            convolution("f32", 2, 9, 11, 3, 1), convolution("f16", 4, 10, 9, 3, 2), segments(300, 17, 64), sparse_rows(9, 40, 16), bitonic("f32", 3, 16),
            bitonic("i16", 2, 32)]
