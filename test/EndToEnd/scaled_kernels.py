# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of products with scales that do something else beside them."""

from kernels import Case, ceil_div, module, tile
from matrix_kernels import static_view, sums

# Types of factors and of scales, how many elements have one, and what the factors are filled with.
FP8 = ("f8E4M3FN", "f8E8M0FNU", 32, "random(seed={},lo=0,hi=2)")
FP4 = ("f4E2M1FN", "f8E4M3FN", 16, "bits(seed={})")
FP4_BY_POWERS = ("f4E2M1FN", "f8E8M0FNU", 32, "bits(seed={})")


def arrays(views, last):
    """Lines that make the views, their types, and the parameters and arguments. views: name -> (shape, box, element, what it is filled with)."""
    lines, types, params, args = "", {}, [], []
    for x, (shape, box, element, filled) in views.items():
        lines += f"%p{x}d = assume div_by<16>, %p{x} : tile<ptr<{element}>>\n"
        more, types[x] = static_view(x, f"p{x}d", shape, box, element, "" if x in last else "zero")
        lines += more
        params.append(f"%p{x}: tile<ptr<{element}>>")
        args.append(f"{'out:' if x in last else ''}{x}:{element}[{'x'.join(map(str, shape))}]={filled}")
    return lines, types, ", ".join(params), args


def factors(m, n, k, tm, tn, tk, types=FP8):
    t, scale, group, filled = types
    return {"a": ([m, k], [tm, tk], t, filled.format(91)), "b": ([n, k], [tn, tk], t, filled.format(92)),
            "sa": ([m, k // group], [tm, tk // group], scale, "random(seed=93,lo=0.25,hi=4)"),
            "sb": ([n, k // group], [tn, tk // group], scale, "random(seed=94,lo=0.25,hi=4)"), "o": ([m, n], [tm, tn], "f32", "poison")}


def product(views, types, number, into, row="%bx", column="%by"):
    """The loads of a round, and the product with scales."""
    (tm, tk), (tn, _) = views["a"][1], views["b"][1]
    lines = ""
    for x, block in (("sa", row), ("sb", column), ("a", row), ("b", column)):
        lines += f"  %{x}v, %{x}k = load_view_tko weak %{x}[{block}, {number}] : {types[x]}, tile<i32> -> {tile(*views[x][1:3])}, token\n"
    for x in ("b", "sb"):
        high, long = views[x][1]
        lines += f"  %{x}t = permute %{x}v [1, 0] : {tile([high, long], views[x][2])} -> {tile([long, high], views[x][2])}\n"
    t, scale, groups = views["a"][2], views["sa"][2], views["sa"][1][1]
    shapes = ", ".join([tile([tm, tk], t), tile([tk, tn], t), tile([tm, tn], "f32"), tile([tm, groups], scale), tile([groups, tn], scale)])
    return lines + f"  %s1 = mmaf_scaled %av, %bt, {into}, %sav, %sbt : {shapes}\n"


START = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"


def beside(what, m, n, rounds, tm=128, tn=128, tk=128, of=FP8):
    """The number of a round's tiles comes from memory, so that no round's copies begin before the one before is done. what: "reduced": rows of another array are
    added up beside the product; "turned": a tile goes through shared memory beside it."""
    views = factors(m, n, rounds * tk, tm, tn, tk, of)
    views["x"] = ([m, rounds * 64], [tm, 64], "f32", "random(seed=95,lo=0,hi=1)")
    views["numbers"] = ([rounds], [1], "i32", "iota(lo=0)")
    views["w"] = ([m], [tm], "f32", "poison") if what == "reduced" else ([m, rounds * 64], [tm, 64], "f32", "poison")
    lines, types, params, args = arrays(views, ("o", "w"))
    C, R, X = tile([tm, tn], "f32"), tile([tm], "f32"), tile([tm, 64], "f32")
    body = START + lines + f"%z = constant <f32: 0.0> : {C}\n%z2 = constant <f32: 0.0> : {R}\n%n = constant <i32: {rounds}> : tile<i32>\n"
    body += f"%c, %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z, %w0 = %z2) -> ({C}, {R}) {{\n"
    body += f"  %jv, %jk = load_view_tko weak %numbers[%i] : {types['numbers']}, tile<i32> -> tile<1xi32>, token\n  %j = reshape %jv : tile<1xi32> -> tile<i32>\n"
    body += product(views, types, "%j", "%s")
    body += f"  %xv, %xk = load_view_tko weak %x[%bx, %i] : {types['x']}, tile<i32> -> {X}, token\n"
    if what == "reduced":
        body += f"  %e = exp %xv : {X}\n  %q = reduce %e dim=1 identities=[0.0 : f32] : {X} -> {R}\n"
        body += "  (%p: tile<f32>, %u: tile<f32>) { %sum = addf %p, %u : tile<f32>\n    yield %sum : tile<f32> }\n"
    else:
        T = tile([64, tm], "f32")
        body += f"  %xp = reshape %xv : {X} -> {T}\n  %xq = permute %xp [1, 0] : {T} -> {X}\n  %xs = addf %xq, %xv : {X}\n"
        body += f"  %xt = store_view_tko weak %xs, %w[%bx, %i] : {X}, {types['w']}, tile<i32> -> token\n  %q = constant <f32: 1.0> : {R}\n"
    body += f"  %w1 = addf %w0, %q : {R}\n  continue %s1, %w1 : {C}, {R}\n}}\n"
    body += f"%t = store_view_tko weak %c, %o[%bx, %by] : {C}, {types['o']}, tile<i32> -> token\n"
    if what == "reduced":
        body += f"%t2 = store_view_tko weak %r, %w[%bx] : {R}, {types['w']}, tile<i32> -> token\n"
    name = f"scaled-beside-{what}-{m}x{n}x{rounds}-t{tm}x{tn}x{tk}" + ("" if of is FP8 else f"-{of[0]}-v{of[2]}")
    return Case(name, module("scaled", params, body), "scaled", (ceil_div(m, tm), ceil_div(n, tn), 1), args, sums("f32") if of is FP8 else "rel:1e-4,abs:5e-2")


def persistent(rows, n, rounds, blocks, tm, tn, tk, of=FP8):
    """Each block computes several tiles of rows, one after the other: the loop over k is inside of another."""
    views = factors(rows * tm, n, rounds * tk, tm, tn, tk, of)
    lines, types, params, args = arrays(views, ("o",))
    C = tile([tm, tn], "f32")
    body = START + lines + f"%z = constant <f32: 0.0> : {C}\n%rows = constant <i32: {rows}> : tile<i32>\n%st = constant <i32: {blocks}> : tile<i32>\n"
    body += "for %r in (%bx to %rows, step %st) : tile<i32> {\n"
    body += f"%c = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    body += product(views, types, "%i", "%s", row="%r") + f"  continue %s1 : {C}\n}}\n"
    body += f"%t = store_view_tko weak %c, %o[%r, %by] : {C}, {types['o']}, tile<i32> -> token\ncontinue\n}}\n"
    return Case(f"scaled-persistent-{of[0]}-{rows}x{n}x{rounds}-t{tm}x{tn}x{tk}-{blocks}", module("persistent", params + ", %n: tile<i32>", body), "persistent",
                (blocks, ceil_div(n, tn), 1), [*args, f"i32={rounds}"], "rel:1e-4,abs:5e-2" if of is FP4 else "rel:1e-4,abs:1e-3")


def two_products(m, n, rounds, tm, tn, tk, other_n, other_k, of=FP8, tma=True):
    """A product with scales and one of f16 in the same loop, each with sums of its own. tma: whether tensor copies may bring the factors of the latter."""
    hint = "" if tma else " optimization_hints = <default = {allow_tma = false}>"
    views = factors(m, n, rounds * tk, tm, tn, tk, of)
    blocks = ceil_div(n, tn)
    views["g"] = ([m, rounds * other_k], [tm, other_k], "f16", "random(seed=96,lo=-1,hi=1)")
    views["h"] = ([blocks * other_n, rounds * other_k], [other_n, other_k], "f16", "random(seed=97,lo=-1,hi=1)")
    views["q"] = ([m, blocks * other_n], [tm, other_n], "f32", "poison")
    lines, types, params, args = arrays(views, ("o", "q"))
    C, D = tile([tm, tn], "f32"), tile([tm, other_n], "f32")
    G, H, HT = tile([tm, other_k], "f16"), tile([other_n, other_k], "f16"), tile([other_k, other_n], "f16")
    body = START + lines + f"%z = constant <f32: 0.0> : {C}\n%z2 = constant <f32: 0.0> : {D}\n%n = constant <i32: {rounds}> : tile<i32>\n"
    body += f"%c, %d = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z, %u = %z2) -> ({C}, {D}) {{\n"
    body += product(views, types, "%i", "%s")
    body += f"  %gv, %gk = load_view_tko weak %g[%bx, %i]{hint} : {types['g']}, tile<i32> -> {G}, token\n"
    body += f"  %hv, %hk = load_view_tko weak %h[%by, %i]{hint} : {types['h']}, tile<i32> -> {H}, token\n  %ht = permute %hv [1, 0] : {H} -> {HT}\n"
    body += f"  %u1 = mmaf %gv, %ht, %u : {G}, {HT}, {D}\n  continue %s1, %u1 : {C}, {D}\n}}\n"
    body += f"%t = store_view_tko weak %c, %o[%bx, %by] : {C}, {types['o']}, tile<i32> -> token\n"
    body += f"%t2 = store_view_tko weak %d, %q[%bx, %by] : {D}, {types['q']}, tile<i32> -> token\n"
    return Case(f"scaled-{of[0]}-and-{m}x{n}x{rounds}-t{tm}x{tn}x{tk}-{other_n}x{other_k}" + ("" if tma else "-threads"), module("scaled", params, body), "scaled", (ceil_div(m, tm), blocks, 1), args,
                "rel:1e-4,abs:5e-2" if of is FP4 else "rel:1e-4,abs:1e-3")
