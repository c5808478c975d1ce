# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of one tile block that fill rings in several loops: behind each other, with a store in between, and inside of another loop."""

from kernels import Case, module, tile
from matrix_kernels import product, static_view, tolerance, values
from pipeline_kernels import aligned_view

M, N, K = 256, 128, 320
ROUNDS = 5  # of each loop over K in the arrays, 64 or 16 at a time


def sums(result, a, b, n, boxes, types):
    """A loop of n products of tiles at (row, i) of one view and (i, column) of another. a, b: (view, its type, the fixed coordinate)."""
    (va, pa, row), (vb, pb, column), (A, B, C) = a, b, types
    lines = f"%{result} = for %i in (%c0 to {n}, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    lines += f"  %x, %t0 = load_view_tko weak {va}[{row}, %i] : {pa}, tile<i32> -> {A}, token\n"
    if boxes == "transposed":
        T = tile([N // 2, 64], "f16")
        lines += f"  %yt, %t1 = load_view_tko weak {vb}[{column}, %i] : {pb}, tile<i32> -> {T}, token\n  %y = permute %yt [1, 0] : {T} -> {B}\n"
    else:
        lines += f"  %y, %t1 = load_view_tko weak {vb}[%i, {column}] : {pb}, tile<i32> -> {B}, token\n"
    return lines + f"  %s1 = {product('%x', '%y', '%s', A, B, C)}\n  continue %s1 : {C}\n}}\n"


def two_loops(n, m, second="f16", store=""):
    """Sums of n products and of m ones of `second`, f32: by threads. The first are stored "between" the loops, or "behind" them with the
    sums of both, or not at all."""
    va, pa = aligned_view("a", "pa", [M, K], [M, 64], "f16")
    vb, pb = aligned_view("b", "pb", [K, 2 * N], [64, N], "f16")
    ve, pe = aligned_view("e", "pe", [M, 80], [M, 16], "f32")
    vf, pf = aligned_view("f", "pf", [80, N], [16, N], "f32")
    vo, po = static_view("o", "po", [M, N], [M, N], "f32")
    vq, pq = static_view("q", "pq", [M, N], [M, N], "f32")
    C, f16 = tile([M, N], "f32"), (tile([M, 64], "f16"), tile([64, N], "f16"))
    body = va + vb + ve + vf + vo + vq + f"%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    body += sums("first", ("%a", pa, "%c0"), ("%b", pb, "%c0"), "%n", "", (*f16, C))
    stored = f"%to = store_view_tko weak %first, %o[%c0, %c0] : {C}, {po}, tile<i32> -> token\n"
    body += stored if store == "between" else ""
    if second == "f16":
        body += sums("second", ("%a", pa, "%c0"), ("%b", pb, "%c1"), "%m", "", (*f16, C))
    else:
        body += sums("second", ("%e", pe, "%c0"), ("%f", pf, "%c0"), "%m", "", (tile([M, 16], "f32"), tile([16, N], "f32"), C))
    body += f"%both = addf %first, %second : {C}\n" + (stored if store == "behind" else "")
    body += f"%tq = store_view_tko weak %both, %q[%c0, %c0] : {C}, {pq}, tile<i32> -> token\n"
    names = ("pa", "f16"), ("pb", "f16"), ("pe", "f32"), ("pf", "f32"), ("po", "f32"), ("pq", "f32")
    text = module("two_loops", ", ".join(f"%{name}: tile<ptr<{t}>>" for name, t in names) + ", %n: tile<i32>, %m: tile<i32>", body)
    out = f"out:o:f32[{M}x{N}]=poison" if store else f"o:f32[{M}x{N}]=poison"
    return Case(f"two-loops-{second}-{n}-{m}{'-stored-' + store if store else ''}", text, "two_loops", (1, 1, 1),
                [f"a:f16[{M}x{K}]={values('f16', 61)}", f"b:f16[{K}x{2 * N}]={values('f16', 62)}", f"e:f32[{M}x80]={values('f32', 63)}",
                 f"f:f32[80x{N}]={values('f32', 64)}", out, f"out:q:f32[{M}x{N}]=poison", f"i32={n}", f"i32={m}"], tolerance("f16", "f32"))


def nested(n, rows, rings=1):
    """For each of `rows` rows of tiles the product of the sums of n products and, of two rings, of `rows` other ones; what is stored is
    the sum of that over all rows."""
    columns = N // rings
    va, pa = aligned_view("a", "pa", [ROUNDS * M, K], [M, 64], "f16")
    shape, box = ([K, N], [64, N]) if rings == 1 else ([N, K], [columns, 64])
    vb, pb = aligned_view("b", "pb", shape, box, "f16")
    vo, po = static_view("o", "po", [M, columns], [M, columns], "f32")
    types = tile([M, 64], "f16"), tile([64, columns], "f16"), tile([M, columns], "f32")
    C = types[2]
    body = va + vb + vo + f"%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    body += f"%total = for %r in (%c0 to %rows, step %c1) : tile<i32> iter_values(%t = %z) -> ({C}) {{\n"
    for ring, bound in list(enumerate(("%n", "%rows")))[:rings]:
        body += sums(f"r{ring}", ("%a", pa, "%r"), ("%b", pb, f"%c{ring}"), bound, "transposed" if rings == 2 else "", types)
    body += f"  %m = mulf %r0, %r{rings - 1} : {C}\n  %u = addf %t, %m : {C}\n  continue %u : {C}\n}}\n"
    body += f"%ts = store_view_tko weak %total, %o[%c0, %c0] : {C}, {po}, tile<i32> -> token\n"
    text = module("nested", "%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>, %n: tile<i32>, %rows: tile<i32>", body)
    return Case(f"nested-{rings}-{n}-{rows}", text, "nested", (1, 1, 1),
                [f"a:f16[{ROUNDS * M}x{K}]={values('f16', 65)}", f"b:f16[{'x'.join(map(str, shape))}]={values('f16', 66)}",
                 f"out:o:f32[{M}x{columns}]=poison", f"i32={n}", f"i32={rows}"], tolerance("f16", "f32"))


def stored_twice(n, rows):
    """The sums of n products, stored, and behind that twice the transposed ones in the same place: each block of a cluster stores over
    what the other one has. `rows` times; None: no loop around it."""
    size = M
    va, pa = aligned_view("a", "pa", [size, K], [size, 64], "f16")
    vb, pb = aligned_view("b", "pb", [K, size], [64, size], "f16")
    vo, po = static_view("o", "po", [size, size], [size, size], "f32")
    C = tile([size, size], "f32")
    body = va + vb + vo + f"%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    body += "" if rows is None else "for %row in (%c0 to %rows, step %c1) : tile<i32> {\n"
    body += sums("first", ("%a", pa, "%c0"), ("%b", pb, "%c0"), "%n", "", (tile([size, 64], "f16"), tile([64, size], "f16"), C))
    body += f"%t = store_view_tko weak %first, %o[%c0, %c0] : {C}, {po}, tile<i32> -> token\n"
    body += f"%twice = addf %first, %first : {C}\n%turned = permute %twice [1, 0] : {C} -> {C}\n"
    body += f"%u = store_view_tko weak %turned, %o[%c0, %c0] token = %t : {C}, {po}, tile<i32> -> token\n"
    body += "" if rows is None else "continue\n}\n"
    text = module("stored_twice", "%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>, %n: tile<i32>, %rows: tile<i32>", body)
    return Case(f"stored-twice-{n}-{rows or 'once'}", text, "stored_twice", (1, 1, 1),
                [f"a:f16[{size}x{K}]={values('f16', 70)}", f"b:f16[{K}x{size}]={values('f16', 71)}", f"out:o:f32[{size}x{size}]=poison", f"i32={n}",
                 f"i32={rows or 0}"], tolerance("f16", "f32"))


def overwritten(n, m):
    """The sums of n products and of m tiles of f, stored over the lower half of f's first tile and the upper half of its second: rows that
    another block of a cluster loads."""
    va, pa = aligned_view("a", "pa", [M, K], [M, 64], "f16")
    vb, pb = aligned_view("b", "pb", [K, N], [64, N], "f16")
    vf, pf = aligned_view("f", "pf", [ROUNDS * M, N], [M, N], "f16")
    vo, po = static_view("o", "po", [M, N], [M, N], "f16")
    C, F = tile([M, N], "f32"), tile([M, N], "f16")
    body = va + vb + vf + f"%half = constant <i32: {M // 2 * N}> : tile<i32>\n%po = offset %pf, %half : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>\n" + vo
    body += f"%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    body += sums("first", ("%a", pa, "%c0"), ("%b", pb, "%c0"), "%n", "", (tile([M, 64], "f16"), tile([64, N], "f16"), C))
    body += f"%before = make_token : token\n%all, %loaded = for %i in (%c0 to %m, step %c1) : tile<i32> iter_values(%s = %z, %t = %before) -> ({C}, token) {{\n"
    body += f"  %y, %t1 = load_view_tko weak %f[%i, %c0] : {pf}, tile<i32> -> {F}, token\n  %w = ftof %y : {F} -> {C}\n  %s1 = addf %s, %w : {C}\n"
    body += f"  %t2 = join_tokens %t1, %t : token\n  continue %s1, %t2 : {C}, token\n}}\n"
    body += f"%both = addf %first, %all : {C}\n%h = ftof %both : {C} -> {F}\n"
    body += f"%stored = store_view_tko weak %h, %o[%c0, %c0] token = %loaded : {F}, {po}, tile<i32> -> token\n"
    text = module("overwritten", "%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pf: tile<ptr<f16>>, %n: tile<i32>, %m: tile<i32>", body)
    return Case(f"overwritten-{n}-{m}", text, "overwritten", (1, 1, 1),
                [f"a:f16[{M}x{K}]={values('f16', 67)}", f"b:f16[{K}x{N}]={values('f16', 68)}", f"out:f:f16[{ROUNDS * M}x{N}]={values('f16', 69)}", f"i32={n}",
                 f"i32={m}"], "rel:1e-2,abs:1e-2")
