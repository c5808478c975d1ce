# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels that quantise and dequantise: fp8 per group of a row, i8 per row, fp4 in blocks with fp8 or power-of-two
scales. Divisions and conversions round once, so that the results are exact."""

import math

import oracle
from front import Kernel

MAXIMUM = {"f8E4M3FN": 448.0, "f8E5M2": 57344.0, "f4E2M1FN": 6.0}


def f32(x):
    return oracle.rounded("f32", x)


def biggest(values):
    return max(abs(v) for v in values)


def fp8_groups(t, to, m, n, group, rows, specials=False):
    """A scale for every `group` neighbours of a row: their largest magnitude becomes the format's largest number."""
    x = oracle.normal(t, [m, n], seed=1, std=3)
    if specials:
        x[:group] = [0.0] * group  # nothing to scale: the smallest scale
        x[group + 1] = math.inf
    k = Kernel("quant_fp8", "default = {occupancy = 8}")
    ax, ay, as_ = k.inp("x", t, [m, n], x), k.out("y", to, [m, n]), k.out("s", "f32", [m, n // group])
    i, j, _ = k.block()
    v = k.cast(k.load(ax, [i, j], [rows, group], pad="zero"), "f32")
    top = k.maximum(k.reduce(k.abs(v), 1, "max", keep=True), 1e-10)
    scale = top / MAXIMUM[to]
    k.store(as_, [i, j], scale)
    k.store(ay, [i, j], k.minimum(k.maximum(v / scale, -MAXIMUM[to]), MAXIMUM[to]))
    values, scales = [], []
    for line in oracle.rows(x, n):
        for part in oracle.rows(line, group):
            s = f32(max(biggest(part), f32(1e-10)) / MAXIMUM[to])
            scales.append(s)
            for p in part:
                q = math.nan if math.isinf(p) and math.isinf(s) else f32(p / s)
                # minf and maxf return the number of a number and a NaN: an infinite group gives the lower bound.
                values.append(-MAXIMUM[to] if math.isnan(q) else max(-MAXIMUM[to], min(MAXIMUM[to], q)))
    ay.expect([oracle.rounded(to, v) for v in values], "exact")
    as_.expect(scales, "exact")
    return k.case(f"quantise-{t}-{to}-{m}x{n}-g{group}" + ("-specials" if specials else ""), (-(-m // rows), n // group, 1))


def fp8_dequant(t, to, m, n, group, rows):
    """The way back, a tile of several groups at a time: the scales are repeated along the row."""
    source = oracle.uniform(t, [m, n], seed=2, lo=-MAXIMUM[t], hi=MAXIMUM[t])
    source[1], source[n + 2] = math.nan, -0.0
    scales = oracle.uniform("f32", [m, n // group], seed=3, lo=0.001, hi=0.1)
    k = Kernel("dequant_fp8")
    ax, as_, ay = k.inp("x", t, [m, n], source), k.inp("s", "f32", [m, n // group], scales), k.out("y", to, [m, n])
    i, j, _ = k.block()
    together = 2
    v = k.reshape(k.cast(k.load(ax, [i, j], [rows, group * together], pad="zero"), "f32"), [rows, together, group])
    s = k.reshape(k.load(as_, [i, j], [rows, together], pad="zero"), [rows, together, 1])
    k.store(ay, [i, j], k.reshape(v * s, [rows, group * together]))
    ay.expect((oracle.rounded(to, f32(v * scales[i // group])) for i, v in enumerate(source)), "exact")
    return k.case(f"dequantise-{t}-{to}-{m}x{n}-g{group}", (-(-m // rows), -(-n // (group * together)), 1))


def int8_rows(t, m, n, width):
    """A scale per row from a first pass over its tiles; rounding to nearest by adding a half and taking the floor."""
    x = oracle.normal(t, [m, n], seed=4, std=2)
    k = Kernel("quant_i8")
    ax, ay, as_ = k.inp("x", t, [m, n], x), k.out("y", "i8", [m, n]), k.out("s", "f32", [m])
    row, _, _ = k.block()
    tiles = k.tiles(ax, [1, width])[1]

    def tile(j):
        return k.cast(k.load(ax, [row, j], [1, width], pad="zero"), "f32")
    [top] = k.for_(0, tiles, lambda j, now: [k.maximum(now, k.abs(tile(j)))], [k.const(0, "f32", [1, width])])
    scale = k.reduce(top, 1, "max", keep=True) / 127.0
    k.store(as_, [row], k.reshape(scale, [1]))

    def result(j):
        q = k.unary("floor", tile(j) / scale + 0.5)
        k.store(ay, [row, j], k.cast(k.cast(q, "i32"), "i8"))
    k.for_(0, tiles, result)
    values, scales = [], []
    for line in oracle.rows(x, n):
        s = f32(biggest(line) / 127)
        scales.append(s)
        values += [math.floor(f32(f32(v / s) + 0.5)) for v in line]
    ay.expect(values, "exact")
    as_.expect(scales, "exact")
    return k.case(f"quantise-{t}-i8-{m}x{n}-t{width}", (m, 1, 1))


def fp4_values(x, scales, block):
    return [f32(v / scales[i // block]) if scales[i // block] else 0.0 for i, v in enumerate(x)]


def fp4_blocks(t, m, n, rows, width, scale, packed):
    """fp4 with a scale for every 16 (f8E4M3FN) or 32 (f8E8M0FNU, a power of two) neighbours. `packed`: two elements to a byte
    are made with `pack` and stored as bytes; else they go through a view of f4E2M1FN."""
    block = 16 if scale == "f8E4M3FN" else 32
    x = oracle.normal(t, [m, n], seed=5, std=2)
    k = Kernel("quant_fp4")
    ax = k.inp("x", t, [m, n], x)
    ay = k.out("y", "i8", [m, n // 2]) if packed else k.out("y", "f4E2M1FN", [m, n], "zeros")
    as_ = k.out("s", scale, [m, n // block])
    i, j, _ = k.block()
    groups = width // block
    v = k.cast(k.load(ax, [i, j], [rows, width], pad="zero"), "f32")
    v = k.reshape(v, [rows, groups, block])
    top = k.reduce(k.abs(v), 2, "max", keep=True)
    if scale == "f8E4M3FN":
        s = k.cast(top / 6.0, scale)
        wide = k.cast(s, "f32")
        q = k.where(wide.eq(0.0), 0.0, v / wide)
    else:  # the exponent of the largest, less that of 4 = 2^2, the largest power of two in fp4
        code = k.maximum((k.bitcast(top, "i32") >> 23) - 2, 1)
        s = k.bitcast(k.cast(code, "i8"), scale)
        q = v * k.bitcast((254 - code) << 23, "f32")
    k.store(as_, [i, j], k.reshape(s, [rows, groups]))
    q = k.reshape(k.cast(q, "f4E2M1FN"), [rows, width])
    if packed:
        q = k.reshape(k.pack(k.reshape(q, [rows * width]), "i8", rows * width // 2), [rows, width // 2])
    k.store(ay, [i, j], q)
    scales = []
    for part in oracle.rows(x, block):
        if scale == "f8E4M3FN":
            scales.append(oracle.rounded(scale, f32(biggest(part) / 6)))
        else:
            scales.append(2.0 ** (math.frexp(biggest(part))[1] - 1 - 2))
    as_.expect(scales, "exact")
    values = fp4_values(x, scales, block)
    if packed:
        bits = [oracle.to_bits("f4E2M1FN", v) for v in values]
        data = [lo | hi << 4 for lo, hi in zip(bits[::2], bits[1::2])]
        ay.expect([v - 256 if v > 127 else v for v in data], "exact")
    else:
        ay.expect([oracle.rounded("f4E2M1FN", v) for v in values], "exact")
    return k.case(f"quantise-{t}-f4-{scale}-{m}x{n}-t{rows}x{width}" + ("-packed" if packed else ""), (-(-m // rows), -(-n // width), 1))


def fp4_dequant(to, m, n, rows, width, how):
    """fp4 in memory: through a view, through pointers, or as bytes that the kernel takes apart with a table of its own."""
    block = 16
    x = oracle.uniform("f4E2M1FN", [m, n], seed=6, lo=-6, hi=6)
    scales = oracle.uniform("f8E4M3FN", [m, n // block], seed=7, lo=0.1, hi=20)
    k = Kernel("dequant_fp4")
    if how == "table":
        bits = [oracle.to_bits("f4E2M1FN", v) for v in x]
        data = [lo | hi << 4 for lo, hi in zip(bits[::2], bits[1::2])]
        ax = k.inp("x", "i8", [m, n // 2], [v - 256 if v > 127 else v for v in data])
        table = k.inp("table", to, [16], [oracle.from_bits("f4E2M1FN", b) for b in range(16)])
    else:
        ax = k.inp("x", "f4E2M1FN", [m, n], x)
    as_, ay = k.inp("s", "f8E4M3FN", [m, n // block], scales), k.out("y", to, [m, n])
    i, j, _ = k.block()
    if how == "view":
        v = k.cast(k.load(ax, [i, j], [rows, width], pad="zero"), to)
    elif how == "pointers":
        row = k.reshape(i * rows + k.iota(rows), [rows, 1])
        v = k.cast(k.gather(ax, [row, k.reshape(j * width + k.iota(width), [1, width])], pad=0.5), to)
    else:
        byte = k.reshape(k.cast(k.load(ax, [i, j], [rows, width // 2], pad="zero"), "i32", "unsigned"), [rows, width // 2, 1])
        v = k.gather(table, [k.reshape(k.cat(byte & 15, byte >> 4, 2), [rows, width])])
    s = k.cast(k.load(as_, [i, j], [rows, width // block], pad="zero"), to)
    v = k.reshape(v, [rows, width // block, block]) * k.reshape(s, [rows, width // block, 1])
    k.store(ay, [i, j], k.reshape(v, [rows, width]))
    ay.expect((oracle.rounded(to, v * scales[i // block]) for i, v in enumerate(x)), "exact")
    return k.case(f"dequantise-f4-{to}-{m}x{n}-t{rows}x{width}-{how}", (-(-m // rows), -(-n // width), 1))


def fp4_shuffle(n, width):
    """Elements of four bits moved one by one through pointers: each block reverses its part of the array, halves of bytes
    included."""
    x = oracle.uniform("f4E2M1FN", [n], seed=8, lo=-6, hi=6)
    k = Kernel("reverse_fp4")
    ax, ay = k.inp("x", "f4E2M1FN", [n], x), k.out("y", "f4E2M1FN", [n], "zeros")
    b, _, _ = k.block()
    i = b * width + k.iota(width)
    v = k.gather(ax, [i])
    k.scatter(ay, [(b * width + (width - 1)) - k.iota(width)], v)
    want = [0.0] * n
    for j, v in enumerate(x):
        to = j // width * width + width - 1 - j % width
        if to < n:
            want[to] = v
    ay.expect(want, "exact")
    return k.case(f"reverse-f4-{n}-t{width}", (-(-n // width), 1, 1))


def cases():
    return [fp8_groups("bf16", "f8E4M3FN", 7, 192, 64, 4), fp8_groups("f32", "f8E5M2", 5, 64, 32, 2), fp8_groups("f16", "f8E4M3FN", 3, 96, 32, 2, specials=True),
            fp8_dequant("f8E4M3FN", "bf16", 6, 160, 32, 4), fp8_dequant("f8E5M2", "f32", 3, 64, 16, 2), int8_rows("f16", 3, 170, 64), int8_rows("f32", 2, 100, 128),
            fp4_blocks("f32", 6, 64, 4, 32, "f8E4M3FN", packed=False), fp4_blocks("bf16", 5, 96, 2, 64, "f8E8M0FNU", packed=False),
            fp4_blocks("f16", 4, 64, 2, 64, "f8E4M3FN", packed=True), fp4_dequant("f32", 5, 80, 4, 32, "view"), fp4_dequant("bf16", 4, 64, 2, 64, "table"),
            fp4_dequant("f16", 3, 48, 2, 32, "pointers"), fp4_shuffle(150, 32)]
