# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels: attention with a running softmax, causal and not, grouped heads, windows, sinks, split along the keys,
and its backward pass. Expected: softmax(scale q k^T + mask) v written out."""

import math

import oracle
from front import Kernel

LOG2E = 1.4426950408889634
TOLERANCE = {"f32": "rel:1e-4/abs:2e-5", "f16": "rel:4e-3/abs:2e-3", "bf16": "rel:2e-2/abs:1e-2"}


def visible(i, j, causal, window, offset):
    return (not causal or j <= i + offset) and (window is None or i + offset - j < window)


def attended(q, k_, v, scale, causal=False, window=None, offset=0, sink=None):
    """Rows of softmax(scale q k^T) v, and the logarithm (base e) of each row's sum."""
    result, sums = [], []
    for i, line in enumerate(q):
        seen = [j for j in range(len(k_)) if visible(i, j, causal, window, offset)]
        logits = [scale * math.fsum(a * b for a, b in zip(line, k_[j])) for j in seen]
        top = max(logits + ([sink] if sink is not None else []))
        e = [math.exp(x - top) for x in logits]
        total = math.fsum(e + ([math.exp(sink - top)] if sink is not None else []))
        result.append([math.fsum(p * v[j][d] for p, j in zip(e, seen)) / total for d in range(len(v[0]))])
        sums.append(top + math.log(total))
    return result, sums


def heads_of(values, batch, heads, length, depth):
    return [[oracle.rows(values[(b * heads + h) * length * depth:][:length * depth], depth) for h in range(heads)] for b in range(batch)]


def flash(t, batch, heads, groups, m, n, depth, tm, tn, causal=False, window=None, sink=False, lse=False):
    """`heads` heads of queries share `groups` heads of keys and values. Tiles of keys that need no mask are handled by a first
    loop, the rest by a second one, as front ends split it. Queries end where the keys end."""
    scale, offset, share = 1 / math.sqrt(depth), n - m, heads // groups
    q, kk, v = oracle.uniform(t, [batch, heads, m, depth], seed=1, lo=-2, hi=2), oracle.uniform(t, [batch, groups, n, depth], seed=2, lo=-2, hi=2), \
        oracle.uniform(t, [batch, groups, n, depth], seed=3)
    sinks = oracle.uniform("f32", [heads], seed=4, lo=-1, hi=2)
    k = Kernel("fmha", "sm_100 = {num_cta_in_cga = 1, occupancy = 2}, default = {occupancy = 2}")
    aq, ak, av, ao = k.inp("q", t, [batch, heads, m, depth], q), k.inp("k", t, [batch, groups, n, depth], kk), k.inp("v", t, [batch, groups, n, depth], v), \
        k.out("o", t, [batch, heads, m, depth])
    alse = k.out("lse", "f32", [batch, heads, m]) if lse else None
    asink = k.inp("sink", "f32", [heads], sinks) if sink else None
    s, off = k.scalar("scale", "f32", scale), k.scalar("offset", "i32", offset)
    x, y, _ = k.block()
    b, h = y // heads, y % heads
    g = h // share
    qk_scale = s * LOG2E
    row = k.reshape(x * tm + off + k.iota(tm), [tm, 1])
    column = k.reshape(k.iota(tn), [1, tn])
    vq = k.reshape(k.load(aq, [b, h, x, 0], [1, 1, tm, depth], pad="zero"), [tm, depth])
    length = ak.dims[2]
    last = k.minimum((x + 1) * tm + off, length) if causal else length
    end = (last + (tn - 1)) // tn
    full = length // tn
    if causal:
        full = k.minimum((x * tm + off + 1) // tn, full)
    begin = k.const(0, "i32")
    if window:  # the first tile of keys that any row sees; masks everywhere
        begin = k.maximum(x * tm + off - (window - 1), 0) // tn
        full = begin

    def step(masked):
        def body(i, acc, total, top):
            vk = k.reshape(k.load(ak, [b, g, 0, i], [1, 1, depth, tn], pad="zero", dim_map=[0, 1, 3, 2], latency=2), [depth, tn])
            logits = k.mma(vq, vk, k.const(0, "f32", [tm, tn]))
            if masked:
                key = i * tn + column
                keep = key < length
                if causal:
                    keep = k.fit(keep, [tm, tn]) & (row >= key)
                if window:
                    keep = keep & (row - key < window)
                logits = logits + k.where(keep, 0.0, k.const(-math.inf, "f32"))
            now = k.maximum(top, k.reduce(logits, 1, "max", keep=True) * qk_scale)
            p = k.exp2(k.fma(logits, qk_scale, -k.fit(now, [tm, tn])))
            alpha = k.exp2(top - now)
            total = k.fma(total, alpha, k.reduce(p, 1, "add", keep=True))
            vv = k.reshape(k.load(av, [b, g, i, 0], [1, 1, tn, depth], pad="zero", latency=4), [tn, depth])
            return [k.mma(k.cast(p, t), vv, acc * alpha), total, now]
        return body
    # Rows without any key so far have a maximum of -1e30, not -inf: nothing is subtracted from itself.
    state = [k.const(0, "f32", [tm, depth]), k.const(0, "f32", [tm, 1]), k.const(-1e30, "f32", [tm, 1])]
    state = k.for_(begin, full, step(False), state)
    acc, total, top = k.for_(k.maximum(begin, full), end, step(True), state)
    if sink:
        extra = k.reshape(k.gather(asink, [h]), [1, 1]) * LOG2E
        now = k.maximum(top, extra)
        alpha = k.exp2(top - now)
        acc, total, top = acc * alpha, total * alpha + k.exp2(extra - now), now
    o = k.binary("divf", acc, total, " rounding<approx> flush_to_zero")
    k.store(ao, [b, h, x, 0], k.reshape(k.cast(o, t), [1, 1, tm, depth]))
    if lse:
        k.store(alse, [b, h, x], k.reshape((top + k.unary("log2", total)) * (1 / LOG2E), [1, 1, tm]))
    want, logs = [], []
    hk, hv = heads_of(kk, batch, groups, n, depth), heads_of(v, batch, groups, n, depth)
    for i, line in enumerate(heads_of(q, batch, heads, m, depth)):
        for j, head in enumerate(line):
            o, l = attended(head, hk[i][j // share], hv[i][j // share], scale, causal, window, offset, sinks[j] if sink else None)
            want += oracle.flat(o)
            logs += l
    ao.expect(want, TOLERANCE[t])
    if lse:
        alse.expect(logs, "rel:1e-3/abs:1e-3")
    name = f"attention-{t}-{batch}x{heads}_{groups}x{m}x{n}x{depth}-t{tm}x{tn}" + ("-causal" if causal else "") + (f"-window{window}" if window else "") + \
        ("-sink" if sink else "") + ("-lse" if lse else "")
    return k.case(name, (-(-m // tm), batch * heads, 1), TOLERANCE[t])


def flash_backward(t, heads, n, depth, tile_, causal, base2=False):
    """dq, dk, dv from q, k, v, o, do and the logarithms of the sums. A tile block owns a tile of keys and walks over the
    queries; dq is collected by atomics. base2: the logarithms are those of base 2, and powers of 2 are taken; the width of heads
    is known."""
    scale = 1 / math.sqrt(depth)
    q, kk, v, do = (oracle.uniform(t, [heads, n, depth], seed=5 + i, lo=-1.5, hi=1.5) for i in range(4))
    hq, hk, hv, hdo = (heads_of(a, 1, heads, n, depth)[0] for a in (q, kk, v, do))
    logs, deltas, dq, dk, dv = [], [], [], [], []
    for h in range(heads):
        o, l = attended(hq[h], hk[h], hv[h], scale, causal)
        delta = [math.fsum(a * b for a, b in zip(p, d)) for p, d in zip(o, hdo[h])]
        logs += l
        deltas += delta
        p = [[math.exp(scale * math.fsum(a * b for a, b in zip(hq[h][i], hk[h][j])) - l[i]) if visible(i, j, causal, None, 0) else 0.0
              for j in range(n)] for i in range(n)]
        dp = oracle.matmul(hdo[h], oracle.transposed(hv[h]))
        ds = [[p[i][j] * (dp[i][j] - delta[i]) * scale for j in range(n)] for i in range(n)]
        dv += oracle.flat(oracle.matmul(oracle.transposed(p), hdo[h]))
        dk += oracle.flat(oracle.matmul(oracle.transposed(ds), hq[h]))
        dq += oracle.flat(oracle.matmul(ds, hk[h]))
    k = Kernel("fmha_bwd")
    shape, box = [heads, n, depth], [1, tile_, depth]
    known = (2,) if base2 else ()
    aq, ak, av, ado = (k.inp(name, t, shape, values, static=known) for name, values in (("q", q), ("k", kk), ("v", v), ("do", do)))
    al, ad = (k.inp(name, "f32", [heads, n], [oracle.rounded("f32", x) for x in values])
              for name, values in (("lse", [x * LOG2E for x in logs] if base2 else logs), ("delta", deltas)))
    adq, adk, adv = k.out("dq", "f32", shape, "zeros", static=known), k.out("dk", t, shape, static=known), k.out("dv", t, shape, static=known)
    x, h, _ = k.block()
    vk, vv = (k.reshape(k.load(a, [h, x, 0], box, pad="zero"), box[1:]) for a in (ak, av))
    key = k.reshape(x * tile_ + k.iota(tile_), [1, tile_])
    zero, square = k.const(0, "f32", box[1:]), k.const(0, "f32", [tile_, tile_])

    def body(i, sdk, sdv):
        vq, vdo = (k.reshape(k.load(a, [h, i, 0], box, pad="zero", latency=3), box[1:]) for a in (aq, ado))
        l, d = (k.reshape(k.load(a, [h, i], [1, tile_], pad="zero"), [tile_, 1]) for a in (al, ad))
        row = k.reshape(i * tile_ + k.iota(tile_), [tile_, 1])
        keep = (key < ak.dims[1]) & (row < aq.dims[1])
        if causal:
            keep = keep & (row >= key)
        logits = k.mma(vq, k.permute(vk, [1, 0]), square)
        p = k.where(keep, k.exp2(k.fma(logits, scale * LOG2E, -k.fit(l, [tile_, tile_]))) if base2 else k.exp(logits * scale - l), 0.0)
        dp = k.mma(vdo, k.permute(vv, [1, 0]), square)
        ds = k.cast(p * (dp - d) * scale, t)
        k.reduce_into(adq, [h, i, 0], k.reshape(k.mma(ds, vk, zero), box))
        return [k.mma(k.permute(ds, [1, 0]), vq, sdk), k.mma(k.permute(k.cast(p, t), [1, 0]), vdo, sdv)]
    first = x if causal else 0
    sdk, sdv = k.for_(first, k.tiles(aq, box)[1], body, [zero, zero])
    k.store(adk, [h, x, 0], k.reshape(sdk, box))
    k.store(adv, [h, x, 0], k.reshape(sdv, box))
    for a, want in ((adq, dq), (adk, dk), (adv, dv)):
        a.expect(want, "rel:1e-2/abs:1e-2" if t == "f16" else "rel:5e-2/abs:4e-2" if t == "bf16" else "rel:1e-4/abs:5e-5")
    return k.case(f"attention-backward-{t}-{heads}x{n}x{depth}-t{tile_}" + ("-causal" if causal else "") + ("-base2" if base2 else ""), (-(-n // tile_), heads, 1),
                  "rel:1e-2,abs:1e-2" if t != "f32" else "rel:1e-4,abs:5e-5")


def paged_decode(t, batch, heads, groups, depth, page, lengths):
    """One query per sequence; keys and values lie in pages that a table names. All heads of a group are a tile of queries,
    the number of keys differs from sequence to sequence."""
    scale, share = 0.3, heads // groups
    most = max(-(-n // page) for n in lengths)
    pages = batch * most + 2
    order = oracle.uniform("i32", [pages], seed=9, lo=0, hi=1 << 20)
    table = sorted(range(pages), key=lambda i: order[i])[:batch * most]
    q = oracle.uniform(t, [batch, heads, depth], seed=10, lo=-2, hi=2)
    kc, vc = (oracle.uniform(t, [pages, page, groups, depth], seed=11 + i, lo=-1, hi=1) for i in range(2))
    k = Kernel("paged_decode")
    aq, ak, av = k.inp("q", t, [batch, heads, depth], q), k.inp("kc", t, [pages, page, groups, depth], kc), k.inp("vc", t, [pages, page, groups, depth], vc)
    at, an, ao = k.inp("table", "i32", [batch, most], table), k.inp("len", "i32", [batch], lengths), k.out("o", t, [batch, heads, depth])
    b, g, _ = k.block()
    n = k.reshape(k.gather(an, [b]), [])
    vq = k.reshape(k.load(aq, [b, g, 0], [1, share, depth], pad="zero"), [share, depth])
    column = k.reshape(k.iota(page), [1, page])

    def body(i, acc, total, top):
        where = k.reshape(k.gather(at, [b, i]), [])
        vk, vv = (k.reshape(k.load(a, [where, 0, g, 0], [1, page, 1, depth], pad="zero", latency=2), [page, depth]) for a in (ak, av))
        logits = k.mma(vq, k.permute(vk, [1, 0]), k.const(0, "f32", [share, page])) * scale
        logits = k.where(i * page + column < n, logits, -1e30)
        now = k.maximum(top, k.reduce(logits, 1, "max", keep=True))
        p, alpha = k.exp(logits - now), k.exp(top - now)
        return [k.mma(k.cast(p, t), vv, acc * alpha), total * alpha + k.reduce(p, 1, "add", keep=True), now]
    acc, total, _ = k.for_(0, (n + (page - 1)) // page, body, [k.const(0, "f32", [share, depth]), k.const(0, "f32", [share, 1]), k.const(-1e30, "f32", [share, 1])])
    k.store(ao, [b, g, 0], k.reshape(acc / total, [1, share, depth]))
    want = []
    for i, n_ in enumerate(lengths):
        for h in range(heads):
            def cached(c):
                return [c[((table[i * most + j // page] * page + j % page) * groups + h // share) * depth:][:depth] for j in range(n_)]
            o, _ = attended([q[(i * heads + h) * depth:][:depth]], cached(kc), cached(vc), scale)
            want += o[0]
    ao.expect(want, TOLERANCE[t])
    return k.case(f"paged-decode-{t}-{batch}x{heads}_{groups}x{depth}-p{page}", (batch, groups, 1), TOLERANCE[t])


def merge_splits(t, splits, rows, depth):
    """The second half of attention split along the keys: partial results weighted by their logarithms of sums; empty splits
    have -inf."""
    parts, logs = oracle.uniform("f32", [splits, rows, depth], seed=13), oracle.normal("f32", [splits, rows], seed=14, std=4)
    logs[rows] = logs[2 * rows + 1] = -math.inf
    k = Kernel("merge")
    ap, al, ao = k.inp("part", "f32", [splits, rows, depth], parts), k.inp("lse", "f32", [splits, rows], logs), k.out("o", t, [rows, depth])
    row, _, _ = k.block()
    width = 8
    l = k.load(al, [0, row], [width, 1], pad="neg_inf")
    l = k.where(k.reshape(k.iota(width), [width, 1]) < al.dims[0], l, -math.inf)
    e = k.exp(l - k.reduce(l, 0, "max", keep=True))
    weight = k.reshape(e / k.reduce(e, 0, "add", keep=True), [1, width])
    v = k.reshape(k.load(ap, [0, row, 0], [width, 1, depth], pad="zero"), [width, depth])
    k.store(ao, [row, 0], k.mma(weight, v, k.const(0, "f32", [1, depth])))
    want = []
    for i in range(rows):
        w = oracle.softmax([logs[s * rows + i] for s in range(splits)])
        want += [math.fsum(w[s] * parts[(s * rows + i) * depth + d] for s in range(splits)) for d in range(depth)]
    ao.expect(want)
    return k.case(f"merge-splits-{t}-{splits}x{rows}x{depth}", (rows, 1, 1), oracle.TOLERANCE[t])


def cases():
    return [flash("f16", 1, 2, 1, 40, 40, 32, 16, 16, causal=True, lse=True), flash("f16", 1, 2, 2, 20, 50, 32, 32, 32),
            flash("bf16", 1, 4, 2, 24, 37, 16, 16, 16, causal=True), flash("f32", 1, 1, 1, 20, 33, 16, 16, 16, causal=True),
            flash("f16", 1, 2, 1, 48, 48, 16, 16, 16, causal=True, window=13), flash("bf16", 2, 1, 1, 32, 48, 32, 32, 16, sink=True),
            flash("f16", 1, 1, 1, 64, 64, 64, 64, 32, causal=True, sink=True),
            flash_backward("f16", 1, 40, 32, 16, causal=True), flash_backward("bf16", 1, 32, 16, 16, causal=False), flash_backward("f32", 1, 20, 16, 16, causal=True),
            paged_decode("f16", 3, 8, 2, 32, 16, [5, 40, 17]), paged_decode("bf16", 2, 4, 4, 16, 8, [8, 19]),
            merge_splits("f16", 5, 6, 32), merge_splits("f32", 3, 4, 64)]
