# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products of the end-to-end tests: every type row of mmaf, mmai and mmaf_scaled, shapes from a single row to
several warps, batches, and kernels whose products feed each other."""

import dataclasses
import pathlib
import re

from kernels import Case, ceil_div, is_float, literal, module, promised, sums, tile, view2d

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "attention.mlir"

# Operand, accumulator: the rows of the specification.
FLOAT_ROWS = [("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("tf32", "f32"), ("f32", "f32"), ("f64", "f64"), ("f8E4M3FN", "f32"),
              ("f8E4M3FN", "f16"), ("f8E5M2", "f32"), ("f8E5M2", "f16")]
SIGNS = [("signed", "signed"), ("signed", "unsigned"), ("unsigned", "signed"), ("unsigned", "unsigned")]


# The largest relative error of one addition: f16 sums are rounded, f32 ones cut off by tensor cores (docs/math-accuracy.md).
ADDITION = {"f16": 2.0 ** -11, "f32": 2.0 ** -23, "f64": 2.0 ** -53}


def tolerance(t, acc, terms=None):
    """Operands are positive. f16 sums are rounded at every step of an instruction; f32 x f32 is a chain of fma in one order
    as the reference has it. Two sums of `terms` products, each in an order of its own, differ by no more than an error of each
    addition of both; many terms come nowhere near that, so that it is the narrower bound for few."""
    if t == "f32":
        return "exact"
    usual = "rel:1e-2,abs:1e-2" if acc == "f16" else sums(acc)
    if terms is None or acc not in ADDITION:
        return usual
    rel, rest = usual.removeprefix("rel:").split(",")
    return f"rel:{min(float(rel), 2 * terms * ADDITION[acc]):.3g},{rest}"


def promoted_tolerance(tk):
    """Where sums of 8-bit floats are the unit's, added up in f32 every 128 of k: docs/math-accuracy.md. Operands are positive."""
    return f"rel:{min(tk, 128) // 32 * 34 * 2.0 ** -13:.2e},abs:1e-6"


def on_targets(t, acc, tm, tk):
    """Tolerances that differ: sm_90 multiplies 8-bit floats by wgmma where there are 64 rows."""
    return {"sm_90": promoted_tolerance(max(tk, 32))} if t.startswith("f8") and acc == "f32" and tm >= 64 else {}


def product(a, b, c, ta, tb, tc, signs=None, fast=False):
    if signs:
        return f"mmai {a}, {b}, {c} {signs[0]} {signs[1]} : {ta}, {tb}, {tc}"
    return f"mmaf {a}, {b}, {c}{' fast_acc' if fast else ''} : {ta}, {tb}, {tc}"


def values(t, seed):
    return f"random(seed={seed}," + ("lo=0,hi=2)" if is_float(t) or t == "tf32" else "lo=-128,hi=127)")


def size(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def zero(t):
    return literal("f32" if t[0] in "ft" or t == "bf16" else t, 0)


def gemm(t, acc, m, n, k, tm, tn, tk, signs=None, aligned=False, transposed=False, left=False, fast=False, added=False,
         loaded=None, widened=None):
    """The loop over K that every front end writes. transposed: B is stored n x k, its tiles are permuted; left: so is A, k x m.
    fast: sums of 8-bit floats may lose digits; added: the product starts from zero, and an addition adds it up. loaded: what the
    arrays hold, if it is converted before it is multiplied; widened: the same for B alone."""
    l, r = loaded or t, widened or loaded or t
    va, pa = (view2d("a", "pa", "k", "m", "m", tk, tm, l, "zero", aligned=aligned) if left
              else view2d("a", "pa", "m", "k", "k", tm, tk, l, "zero", aligned=aligned))
    vb, pb = (view2d("b", "pb", "n", "k", "k", tn, tk, r, "zero", aligned=aligned) if transposed
              else view2d("b", "pb", "k", "n", "n", tk, tn, r, "zero", aligned=aligned))
    vo, po = view2d("o", "po", "m", "n", "n", tm, tn, acc, aligned=aligned)
    A, B, C = tile([tm, tk], t), tile([tk, tn], t), tile([tm, tn], acc)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vb + vo
    body += "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
    body += f"%ks:2 = get_index_space_shape %a : {pa} -> tile<i32>\n%z = constant <{acc}: {zero(acc)}> : {C}\n"
    body += f"%c = for %kk in (%c0 to %ks#{0 if left else 1}, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    if left:
        body += f"  %xt, %t0 = load_view_tko weak %a[%kk, %bx] : {pa}, tile<i32> -> {tile([tk, tm], l)}, token\n"
        body += f"  %xl = permute %xt [1, 0] : {tile([tk, tm], l)} -> {tile([tm, tk], l)}\n"
    else:
        body += f"  %xl, %t0 = load_view_tko weak %a[%bx, %kk] : {pa}, tile<i32> -> {tile([tm, tk], l)}, token\n"
    if transposed:
        body += f"  %yt, %t1 = load_view_tko weak %b[%by, %kk] : {pb}, tile<i32> -> {tile([tn, tk], r)}, token\n"
        body += f"  %yl = permute %yt [1, 0] : {tile([tn, tk], r)} -> {tile([tk, tn], r)}\n"
    else:
        body += f"  %yl, %t1 = load_view_tko weak %b[%kk, %by] : {pb}, tile<i32> -> {tile([tk, tn], r)}, token\n"
    if loaded:
        body += f"  %x = ftof %xl : {tile([tm, tk], l)} -> {A}\n"
    else:
        body = body.replace("%xl", "%x")
    if r != t:
        body += f"  %y = {'itof' if r[0] == 'i' else 'ftof'} %yl{' signed' if r[0] == 'i' else ''} : {tile([tk, tn], r)} -> {B}\n"
    else:
        body = body.replace("%yl", "%y")
    if added:
        add = "addi" if acc[0] == "i" else "addf"
        body += f"  %p = {product('%x', '%y', '%z', A, B, C, signs)}\n  %s1 = {add} %s, %p : {C}\n  continue %s1 : {C}\n}}\n"
    else:
        body += f"  %s1 = {product('%x', '%y', '%s', A, B, C, signs, fast)}\n  continue %s1 : {C}\n}}\n"
    body += f"%t2 = store_view_tko weak %c, %o[%bx, %by] : {C}, {po}, tile<i32> -> token\n"
    text = module("gemm", f"%pa: tile<ptr<{l}>>, %pb: tile<ptr<{r}>>, %po: tile<ptr<{acc}>>, %m: tile<i32>, %n: tile<i32>, "
                  "%k: tile<i32>", body)
    name = f"gemm-{t}-{acc}-{m}x{n}x{k}-t{tm}x{tn}x{tk}" + ("-" + "-".join(signs) if signs else "")
    name += promised(aligned) + ("-transposed" if transposed else "") + ("-left" if left else "") + ("-fast" if fast else "") + ("-added" if added else "") + (f"-of-{loaded}" if loaded else "") + (f"-by-{widened}" if widened else "")
    b = f"{n}x{k}" if transposed else f"{k}x{n}"
    a = f"{k}x{m}" if left else f"{m}x{k}"
    return Case(name, text, "gemm", (ceil_div(m, tm), ceil_div(n, tn), 1),
                [f"a:{l}[{a}]={values(l, 21)}", f"b:{r}[{b}]={values(r, 22)}", f"out:o:{acc}[{m}x{n}]=poison",
                 f"i32={m}", f"i32={n}", f"i32={k}"], tolerance(t, acc, k) if not signs else "exact", on_targets(t, acc, tm, tk))


def nibbles(m, n, k, tm, tn, tk):
    """f16 by signed halves of bytes, n x k, the lower half first, times an f16 for each tk of k."""
    h = tk // 2
    va, pa = view2d("a", "pa", "m", "k", "k", tm, tk, "f16", "zero", aligned=True)
    vb, pb = view2d("b", "pb", "n", "kh", "kh", tn, h, "i8", "zero", aligned=True)
    vq, pq = view2d("q", "pq", "kg", "n", "n", 1, tn, "f16", "zero", aligned=True)
    vo, po = view2d("o", "po", "m", "n", "n", tm, tn, "f32", aligned=True)
    halves, apart, pairs = tile([tn, h], "i8"), tile([tn, h, 1], "i8"), tile([tn, h, 2], "i8")
    B, C = tile([tk, tn], "f16"), tile([tm, tn], "f32")
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vb + vq + vo
    body += f"%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%four = constant <i8: 4> : {halves}\n"
    body += f"%ks:2 = get_index_space_shape %a : {pa} -> tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    body += f"%c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    body += f"  %x, %t0 = load_view_tko weak %a[%bx, %kk] : {pa}, tile<i32> -> {tile([tm, tk], 'f16')}, token\n"
    body += f"  %bytes, %t1 = load_view_tko weak %b[%by, %kk] : {pb}, tile<i32> -> {halves}, token\n"
    body += f"  %up = shli %bytes, %four : {halves}\n  %lo = shri %up, %four signed : {halves}\n  %hi = shri %bytes, %four signed : {halves}\n"
    body += f"  %lo3 = reshape %lo : {halves} -> {apart}\n  %hi3 = reshape %hi : {halves} -> {apart}\n"
    body += f"  %both = cat %lo3, %hi3 dim = 2 : {apart}, {apart} -> {pairs}\n  %w = reshape %both : {pairs} -> {tile([tn, tk], 'i8')}\n"
    body += f"  %wt = permute %w [1, 0] : {tile([tn, tk], 'i8')} -> {tile([tk, tn], 'i8')}\n  %wf = itof %wt signed : {tile([tk, tn], 'i8')} -> {B}\n"
    body += f"  %scale, %t2 = load_view_tko weak %q[%kk, %by] : {pq}, tile<i32> -> {tile([1, tn], 'f16')}, token\n"
    body += f"  %scales = broadcast %scale : {tile([1, tn], 'f16')} -> {B}\n  %y = mulf %wf, %scales : {B}\n"
    body += f"  %s1 = mmaf %x, %y, %s : {tile([tm, tk], 'f16')}, {B}, {C}\n  continue %s1 : {C}\n}}\n"
    body += f"%t3 = store_view_tko weak %c, %o[%bx, %by] : {C}, {po}, tile<i32> -> token\n"
    text = module("gemm", "%pa: tile<ptr<f16>>, %pb: tile<ptr<i8>>, %pq: tile<ptr<f16>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, "
                  "%k: tile<i32>, %kh: tile<i32>, %kg: tile<i32>", body)
    return Case(f"gemm-of-nibbles-{m}x{n}x{k}-t{tm}x{tn}x{tk}", text, "gemm", (ceil_div(m, tm), ceil_div(n, tn), 1),
                [f"a:f16[{m}x{k}]=integers(seed=51,lo=-4,hi=5)", f"b:i8[{n}x{k // 2}]=random(seed=52,lo=-128,hi=127)",
                 f"q:f16[{ceil_div(k, tk)}x{n}]=integers(seed=53,lo=1,hi=3)", f"out:o:f32[{m}x{n}]=poison",
                 f"i32={m}", f"i32={n}", f"i32={k}", f"i32={k // 2}", f"i32={ceil_div(k, tk)}"], "exact")


def static_view(name, base, shape, box, t, padding=""):
    """A view of a contiguous array of known extents, rank 2 or 3."""
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    tv = f"tensor_view<{'x'.join(map(str, shape))}x{t}, strides={strides}>".replace(" ", "")
    pad = f", padding_value = {padding}" if padding else ""
    pv = f"partition_view<tile=({'x'.join(map(str, box))}){pad}, {tv}>"
    return f"%{name}_t = make_tensor_view %{base}, shape = {shape}, strides = {strides} : {tv}\n%{name} = make_partition_view %{name}_t : {pv}\n", pv


def batched(t, acc, batch, m, n, k, tb, tm, tn, tk, signs=None):
    """One product of rank 3 for each block of batches, accumulating onto what is in memory."""
    va, pa = static_view("a", "pa", [batch, m, k], [tb, tm, tk], t, "zero")
    vb, pb = static_view("b", "pb", [batch, k, n], [tb, tk, tn], t, "zero")
    vo, po = static_view("o", "po", [batch, m, n], [tb, tm, tn], acc, "zero")
    A, B, C = tile([tb, tm, tk], t), tile([tb, tk, tn], t), tile([tb, tm, tn], acc)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n" + va + vb + vo
    body += f"%x, %t0 = load_view_tko weak %a[%bx, %c0, %c0] : {pa}, tile<i32> -> {A}, token\n"
    body += f"%y, %t1 = load_view_tko weak %b[%bx, %c0, %c0] : {pb}, tile<i32> -> {B}, token\n"
    body += f"%s, %t2 = load_view_tko weak %o[%bx, %c0, %c0] : {po}, tile<i32> -> {C}, token\n"
    body += f"%r = {product('%x', '%y', '%s', A, B, C, signs)}\n"
    body += f"%t3 = store_view_tko weak %r, %o[%bx, %c0, %c0] token = %t2 : {C}, {po}, tile<i32> -> token\n"
    text = module("batched", f"%pa: tile<ptr<{t}>>, %pb: tile<ptr<{t}>>, %po: tile<ptr<{acc}>>", body)
    name = f"batched-{t}-{acc}-{batch}x{m}x{n}x{k}-t{tb}x{tm}x{tn}x{tk}" + ("-" + "-".join(signs) if signs else "")
    return Case(name, text, "batched", (ceil_div(batch, tb), 1, 1),
                [f"a:{t}[{batch}x{m}x{k}]={values(t, 23)}", f"b:{t}[{batch}x{k}x{n}]={values(t, 24)}",
                 f"o:{acc}[{batch}x{m}x{n}]={values(acc, 25)}"], tolerance(t, acc, k + 1) if not signs else "exact", on_targets(t, acc, tm, tk))


def scaled(t, scale, m, n, k, block, batch=0, aligned=False, signs=False):
    """mmaf_scaled of one tile. aligned: pointers are promised to be divisible by 16; signs: scales have both."""
    lead = [batch] if batch else []
    shapes = {"a": (lead + [m, k], t), "b": (lead + [k, n], t), "sa": (lead + [m, k // block], scale), "sb": (lead + [k // block, n], scale),
              "o": (lead + [m, n], "f32")}
    body = "%c0 = constant <i32: 0> : tile<i32>\n"
    at = ", ".join(["%c0"] * (len(lead) + 2))
    for name, (shape, element) in shapes.items():
        packed = element == "f4E2M1FN"  # two in a byte, unpacked in the kernel
        stored, kind = (shape[:-1] + [shape[-1] // 2], "i8") if packed else (shape, element)
        lines, pv = static_view(name, "p" + name + ("d" if aligned else ""), stored, stored, kind)
        if aligned:
            body += f"%p{name}d = assume div_by<16>, %p{name} : tile<ptr<{kind}>>\n"
        body += lines + f"%{name}{'b' if packed else 'v'}, %{name}k = load_view_tko weak %{name}[{at}] : {pv}, tile<i32> -> {tile(stored, kind)}, token\n"
        if packed:
            count = size(shape)
            body += f"%{name}r = reshape %{name}b : {tile(stored, 'i8')} -> {tile([count // 2], 'i8')}\n"
            body += f"%{name}u = unpack %{name}r : {tile([count // 2], 'i8')} -> {tile([count], element)}\n"
            body += f"%{name}v = reshape %{name}u : {tile([count], element)} -> {tile(shape, element)}\n"
    types = ", ".join(tile(*shapes[x]) for x in ("a", "b", "o", "sa", "sb"))
    body += f"%r = mmaf_scaled %av, %bv, %ov, %sav, %sbv : {types}\n"
    _, pv = static_view("o", "po", *[shapes["o"][0]] * 2, "f32")
    body += f"%t = store_view_tko weak %r, %o[{at}] token = %ok : {tile(*shapes['o'])}, {pv}, tile<i32> -> token\n"
    text = module("scaled", ", ".join(f"%p{x}: tile<ptr<{'i8' if e == 'f4E2M1FN' else e}>>" for x, (_, e) in shapes.items()), body)
    args = []
    for i, (x, (shape, e)) in enumerate(shapes.items()):
        low, high = (-4 if signs else 0.25, 4) if x in ("sa", "sb") else (0, 2)
        if e == "f4E2M1FN":
            args.append(f"{x}:i8[{'x'.join(map(str, shape[:-1] + [shape[-1] // 2]))}]=random(seed={31 + i},lo=-128,hi=127)")
            continue
        args.append(f"{x}:{e}[{'x'.join(map(str, shape))}]=random(seed={31 + i},lo={low},hi={high})")
    name = f"scaled-{t}-{scale}-{m}x{n}x{k}-v{block}" + (f"-b{batch}" if batch else "") + ("-signs" if signs else "")
    # f4 comes in all signs; the reference rounds every partial sum, and they cancel.
    return Case(name, text, "scaled", (1, 1, 1), args, "rel:1e-5,abs:2e-2" if t == "f4E2M1FN" else sums("f32"))


class ScaleBlocks:
    """Scales of `rows` rows, one for `block` elements of k, in blocks of 128 x 4 as libraries keep them: scale s of row r is byte 16 (r % 32) + 4 (r / 32 % 4) + s % 4 of
    block (r / 128, s / 4). The kernel sees blocks of the shape `of`, and brings a tile of `high` x `long` scales into rows. known: how many there are is, else
    they are arguments."""
    def __init__(self, x, element, rows, groups, high, long, of, known=True):
        self.x, self.element, self.counts, self.of, self.known = x, element, (ceil_div(rows, 128), ceil_div(groups, 4)), list(of), known
        self.tile, self.shape = [high // 128, long // 4, *of], [high, long]
        extents, apart = ["?" if not known else n for n in self.counts] + self.of, 1
        self.strides = []
        for extent in reversed([self.counts[1], *of]):
            self.strides.insert(0, apart)
            apart *= extent
        self.strides.insert(0, apart)
        first = str(self.strides[0]) if known else "?"
        self.view = f"tensor_view<{'x'.join(map(str, extents))}x{element}, strides=[{first},{','.join(map(str, self.strides[1:]))}]>"
        self.type = f"partition_view<tile=({'x'.join(map(str, self.tile))}), padding_value = zero, {self.view}>"
        self.numbers = [] if known else [(f"{x}r_", self.counts[0]), (f"{x}c_", self.counts[1]), (f"{x}d_", self.strides[0])]

    def views(self):
        x, ends = self.x, ", ".join(map(str, self.of))
        if self.known:
            return (f"%{x}_t = make_tensor_view %p{x}d, shape = [{', '.join(map(str, self.counts))}, {ends}], strides = [{', '.join(map(str, self.strides))}] : {self.view}\n"
                    f"%{x} = make_partition_view %{x}_t : {self.type}\n")
        even = self.counts[0] & -self.counts[0]  # clusters divide tiles of whole blocks only where no tile hangs over
        return (f"%{x}d = assume div_by<512>, %{x}d_ : tile<i32>\n%{x}r = assume div_by<{even}>, %{x}r_ : tile<i32>\n"
                f"%{x}_t = make_tensor_view %p{x}d, shape = [%{x}r, %{x}c_, {ends}], strides = [%{x}d, {', '.join(map(str, self.strides[1:]))}] : tile<i32> -> {self.view}\n"
                f"%{x} = make_partition_view %{x}_t : {self.type}\n")

    def load(self, row, column):
        x, loaded = self.x, tile(self.tile, self.element)
        whole, turned = [*self.tile[:2], 32, 4, 4], [self.tile[0], 4, 32, self.tile[1], 4]
        text = f"  %{x}l, %{x}k = load_view_tko weak %{x}[{row}, {column}{', %c0' * len(self.of)}] : {self.type}, tile<i32> -> {loaded}, token\n"
        source = f"%{x}l"
        if self.tile != whole:
            text += f"  %{x}w = reshape {source} : {loaded} -> {tile(whole, self.element)}\n"
            source = f"%{x}w"
        return text + (f"  %{x}p = permute {source} [0, 3, 2, 1, 4] : {tile(whole, self.element)} -> {tile(turned, self.element)}\n"
                       f"  %{x}v = reshape %{x}p : {tile(turned, self.element)} -> {tile(self.shape, self.element)}\n")

    def argument(self, filled):
        return f"{self.x}:{self.element}[{'x'.join(map(str, (*self.counts, *self.of)))}]={filled}"


def scaled_gemm(t, m, n, k, tm, tn, tk, transposed=False, by_rows=False, blocks=None):
    """The loop over K with a power of two for every 32 elements of it. transposed: b is stored n x k. by_rows: so are its scales, and extents
    are no multiples of tiles. blocks: scales lie in blocks, which the kernel sees so (ScaleBlocks)."""
    groups = ceil_div(k, 32)
    views = {"a": ([m, k], [tm, tk], t), "b": ([n, k], [tn, tk], t) if transposed else ([k, n], [tk, tn], t), "sa": ([m, groups], [tm, tk // 32], "f8E8M0FNU"),
             "sb": ([n, groups], [tn, tk // 32], "f8E8M0FNU") if by_rows else ([groups, n], [tk // 32, tn], "f8E8M0FNU"), "o": ([m, n], [tm, tn], "f32")}
    body, types = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n", {}
    blocked = {x: ScaleBlocks(x, "f8E8M0FNU", rows, groups, high, tk // 32, blocks) for x, rows, high in (("sa", m, tm), ("sb", n, tn)) if blocks}
    for name, (shape, box, element) in views.items():
        body += f"%p{name}d = assume div_by<16>, %p{name} : tile<ptr<{element}>>\n"
        if name in blocked:
            body += blocked[name].views()
            continue
        lines, types[name] = static_view(name, f"p{name}d", shape, box, element, "zero" if by_rows and name != "o" else "")
        body += lines
    C = tile([tm, tn], "f32")
    body += f"%z = constant <f32: 0.0> : {C}\n%n = constant <i32: {ceil_div(k, tk)}> : tile<i32>\n"
    body += f"%c = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    for name, at in (("a", "%bx, %i"), ("b", "%by, %i" if transposed else "%i, %by"), ("sa", "%bx, %i"), ("sb", "%by, %i" if by_rows else "%i, %by")):
        _, box, element = views[name]
        if name in blocked:
            body += blocked[name].load(*at.split(", "))
            continue
        body += f"  %{name}v, %{name}k = load_view_tko weak %{name}[{at}] : {types[name]}, tile<i32> -> {tile(box, element)}, token\n"
    if transposed:
        body += f"  %bt = permute %bv [1, 0] : {tile([tn, tk], t)} -> {tile([tk, tn], t)}\n"
    if by_rows:
        body += f"  %sbt = permute %sbv [1, 0] : {tile(views['sb'][1], 'f8E8M0FNU')} -> {tile([tk // 32, tn], 'f8E8M0FNU')}\n"
    shapes = {**{x: views[x][1] for x in views}, "b": [tk, tn], "sb": [tk // 32, tn]}
    operands = ", ".join(tile(shapes[x], views[x][2]) for x in ("a", "b", "o", "sa", "sb"))
    body += f"  %s1 = mmaf_scaled %av, {'%bt' if transposed else '%bv'}, %s, %sav, {'%sbt' if by_rows else '%sbv'} : {operands}\n  continue %s1 : {C}\n}}\n"
    body += f"%t = store_view_tko weak %c, %o[%bx, %by] : {C}, {types['o']}, tile<i32> -> token\n"
    text = module("scaled", ", ".join(f"%p{x}: tile<ptr<{e}>>" for x, (_, _, e) in views.items()), body)
    fills = {x: "poison" if x == "o" else f"random(seed={61 + i},lo={0.25 if x[0] == 's' else 0},hi={4 if x[0] == 's' else 2})" for i, x in enumerate(views)}
    args = [blocked[x].argument(fills[x]) if x in blocked else f"{'out:' if x == 'o' else ''}{x}:{e}[{'x'.join(map(str, shape))}]={fills[x]}"
            for x, (shape, _, e) in views.items()]
    name = f"scaled-gemm-{t}-{m}x{n}x{k}-t{tm}x{tn}x{tk}" + ("-transposed" if transposed else "") + ("-rows" if by_rows and not blocks else "")
    name += f"-blocks{'x'.join(map(str, blocks))}" if blocks else ""
    return Case(name, text, "scaled", (ceil_div(m, tm), ceil_div(n, tn), 1), args, sums("f32"))


def fp4_gemm(scale, block, m, n, k, tm, tn, tk, stored="bytes", row=None, across=False, known=True, blocks=None):
    """The loop over K for f4E2M1FN, a scale for every `block` of it; b is stored n x k and turned. stored: "bytes", which the kernel unpacks, or "elements".
    row: elements from one row of both arrays to the next (k). across: b is stored k x n. known: extents are, else they are arguments.
    blocks: scales lie in blocks, which the kernel sees so (ScaleBlocks)."""
    row, f4, groups = row or k, "f4E2M1FN", ceil_div(k, block)
    bytes_, wide = stored == "bytes", (n + 1) // 2 * 2
    arrays = {"a": (m, k, row, tm, tk, f4), "b": (k, n, wide, tk, tn, f4) if across else (n, k, row, tn, tk, f4), "sa": (m, groups, groups, tm, tk // block, scale),
              "sb": (n, groups, groups, tn, tk // block, scale), "o": (m, n, n, tm, tn, "f32")}
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
    types, args, numbers, loads = {}, [], [], {}
    blocked = {x: ScaleBlocks(x, scale, rows, groups, high, tk // block, blocks, known) for x, rows, high in (("sa", m, tm), ("sb", n, tn)) if blocks}
    for x, (rows, columns, apart, high, long, element) in arrays.items():
        if element == f4 and bytes_:
            columns, apart, long, element = columns // 2, apart // 2, long // 2, "i8"
        body += f"%p{x}d = assume div_by<16>, %p{x} : tile<ptr<{element}>>\n"
        if x in blocked:
            body += blocked[x].views()
            numbers += blocked[x].numbers
            loads[x] = tile([high, long], element)
            args.append(blocked[x].argument(f"random(seed={85 + len(args)},lo=0.25,hi=4)"))
            continue
        pad = "" if x == "o" else ", padding_value = zero"
        if known:
            tv = f"tensor_view<{rows}x{columns}x{element}, strides=[{apart},1]>"
            body += f"%{x}_t = make_tensor_view %p{x}d, shape = [{rows}, {columns}], strides = [{apart}, 1] : {tv}\n"
        else:
            tv = f"tensor_view<?x?x{element}, strides=[?,1]>"
            for name, value in (("r", rows), ("c", columns), ("d", apart)):
                by = min(value & -value, 32)
                body += f"%{x}{name} = assume div_by<{by}>, %{x}{name}_ : tile<i32>\n"
                numbers.append((f"{x}{name}_", value))
            body += f"%{x}_t = make_tensor_view %p{x}d, shape = [%{x}r, %{x}c], strides = [%{x}d, 1] : tile<i32> -> {tv}\n"
        types[x] = f"partition_view<tile=({high}x{long}){pad}, {tv}>"
        body += f"%{x} = make_partition_view %{x}_t : {types[x]}\n"
        loads[x] = tile([high, long], element)
        shape = f"{rows}x{apart}"
        filled = {"o": "poison", "a": "bits(seed=81)", "b": "bits(seed=82)"}.get(x, f"random(seed={85 + len(args)},lo=0.25,hi=4)")
        if element == "i8":
            filled = f"random(seed={81 + len(args)},lo=-128,hi=127)"
        args.append(f"{'out:' if x == 'o' else ''}{x}:{element}[{shape}]={filled}")
    C = tile([tm, tn], "f32")
    body += f"%z = constant <f32: 0.0> : {C}\n%steps = constant <i32: {ceil_div(k, tk)}> : tile<i32>\n"
    body += f"%c = for %i in (%c0 to %steps, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    for x, at in (("a", "%bx, %i"), ("b", "%i, %by" if across else "%by, %i"), ("sa", "%bx, %i"), ("sb", "%by, %i")):
        body += blocked[x].load(*at.split(", ")) if x in blocked else f"  %{x}v, %{x}k = load_view_tko weak %{x}[{at}] : {types[x]}, tile<i32> -> {loads[x]}, token\n"
    turned = "bv"
    if bytes_:
        for x, high, long in (("a", tm, tk), ("b", *((tk, tn) if across else (tn, tk)))):
            flat, unpacked = tile([high * long // 2], "i8"), tile([high * long], f4)
            body += f"  %{x}f = reshape %{x}v : {loads[x]} -> {flat}\n  %{x}u = unpack %{x}f : {flat} -> {unpacked}\n"
            body += f"  %{x}e = reshape %{x}u : {unpacked} -> {tile([high, long], f4)}\n"
        turned = "be"
    A, B, SA, SB = tile([tm, tk], f4), tile([tk, tn], f4), loads["sa"], tile([tk // block, tn], scale)
    if not across:
        body += f"  %bt = permute %{turned} [1, 0] : {tile([tn, tk], f4)} -> {B}\n"
        turned = "bt"
    body += f"  %sbt = permute %sbv [1, 0] : {loads['sb']} -> {SB}\n"
    body += f"  %s1 = mmaf_scaled %{'ae' if bytes_ else 'av'}, %{turned}, %s, %sav, %sbt : {A}, {B}, {C}, {SA}, {SB}\n  continue %s1 : {C}\n}}\n"
    body += f"%t = store_view_tko weak %c, %o[%bx, %by] : {C}, {types['o']}, tile<i32> -> token\n"
    pointers = [f"%p{x}: tile<ptr<{'i8' if a[5] == f4 and bytes_ else a[5]}>>" for x, a in arrays.items()]
    text = module("fp4", ", ".join(pointers + [f"%{name}: tile<i32>" for name, _ in numbers]), body)
    name = f"fp4-gemm-{scale}-v{block}-{m}x{n}x{k}-t{tm}x{tn}x{tk}-{stored}" + (f"-rows{row}" if row != k else "") + ("-across" if across else "")
    name += f"-blocks{'x'.join(map(str, blocks))}" if blocks else ""
    return Case(name + ("" if known else "-unknown"), text, "fp4", (ceil_div(m, tm), ceil_div(n, tn), 1), args + [f"i32={v}" for _, v in numbers], "rel:1e-4,abs:5e-2")


def attention(t, rows, keys, depth, tm, tn, aligned=False, falling=False, flushed=False, kept=False, split=False, second=0):
    """softmax(q k^T) v with a running maximum: the result of one product is the left operand of the next, and the
    accumulator is scaled in between. falling: every logit is less than those of the keys before it, so that the maximum stays where the first tile has it and
    all factors of the accumulator behind that are 1. flushed: powers below the normal numbers are zero. kept: the maximum is raised when it has grown by more than
    8, and logits rise from tile to tile, so that it is in some rounds and not in others. split: whole tiles of keys have a loop of their own,
    in which nothing is masked, and the rest a second one, which goes on with the sums of the first. second: queries and keys have so many elements more, which
    lie in arrays of their own and are multiplied apart (latent attention)."""
    vq, pq = view2d("q", "pq", "m", "d", "d", tm, depth, t, "zero", aligned=aligned)
    vk, pk = view2d("k", "pk", "n", "d", "d", tn, depth, t, "zero", aligned=aligned)
    vv, pv = view2d("v", "pv", "n", "d", "d", tn, depth, t, "zero", aligned=aligned)
    vo, po = view2d("o", "po", "m", "d", "d", tm, depth, "f32", aligned=aligned)
    vq2, pq2 = view2d("q2", "pq2", "m", "d2", "d2", tm, second, t, "zero", aligned=aligned)
    vk2, pk2 = view2d("k2", "pk2", "n", "d2", "d2", tn, second, t, "zero", aligned=aligned)
    Q2, K2, KT2 = (tile(shape, t) for shape in ([tm, second], [tn, second], [second, tn]))
    Q, K, KT, S, P, O, R, R1 = (tile([tm, depth], t), tile([tn, depth], t), tile([depth, tn], t), tile([tm, tn], "f32"), tile([tm, tn], t),
                                tile([tm, depth], "f32"), tile([tm], "f32"), tile([tm, 1], "f32"))
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + vq + vk + vv + vo
    body += "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
    body += f"%x, %tx = load_view_tko weak %q[%bx, %c0] : {pq}, tile<i32> -> {Q}, token\n"
    if second:
        body += vq2 + vk2 + f"%x2, %tx2 = load_view_tko weak %q2[%bx, %c0] : {pq2}, tile<i32> -> {Q2}, token\n"
    body += f"%zs = constant <f32: 0.0> : {S}\n%zo = constant <f32: 0.0> : {O}\n%zr = constant <f32: 0.0> : {R}\n"
    body += f"%low = constant <f32: -1.0e+30> : {R}\n%lows = constant <f32: -1.0e+30> : {S}\n%c = constant <f32: 0.3> : {S}\n"
    body += f"%ks:2 = get_index_space_shape %k : {pk} -> tile<i32>\n"
    body += f"%size = constant <i32: {tn}> : tile<i32>\n%iota = iota : {tile([tn], 'i32')}\n"
    def rounds(results, first, last, inits, masked):
        body = (f"{results} = for %i in ({first} to {last}, step %c1) : tile<i32> iter_values(%o0 = {inits[0]}, %m0 = {inits[1]}, %l0 = {inits[2]}) "
                f"-> ({O}, {R}, {R}) {{\n")
        body += f"  %y, %ty = load_view_tko weak %k[%i, %c0] : {pk}, tile<i32> -> {K}, token\n"
        body += f"  %yt = permute %y [1, 0] : {K} -> {KT}\n  %s{'1' if second else ''} = mmaf %x, %yt, %zs : {Q}, {KT}, {S}\n"
        if second:
            body += f"  %y2, %ty2 = load_view_tko weak %k2[%i, %c0] : {pk2}, tile<i32> -> {K2}, token\n"
            body += f"  %yt2 = permute %y2 [1, 0] : {K2} -> {KT2}\n  %s = mmaf %x2, %yt2, %s1 : {Q2}, {KT2}, {S}\n"
        body += f"  %sc = mulf %s, %c : {S}\n"
        # Keys beyond the end do not count.
        N = tile([tn], "i32")
        body += f"  %first = muli %i, %size : tile<i32>\n  %left = subi %n, %first : tile<i32>\n"
        body += f"  %leftr = reshape %left : tile<i32> -> tile<1xi32>\n  %leftb = broadcast %leftr : tile<1xi32> -> {N}\n"
        body += f"  %in = cmpi less_than %iota, %leftb, signed : {N} -> {tile([tn], 'i1')}\n"
        body += f"  %inr = reshape %in : {tile([tn], 'i1')} -> {tile([1, tn], 'i1')}\n"
        body += f"  %inb = broadcast %inr : {tile([1, tn], 'i1')} -> {tile([tm, tn], 'i1')}\n"
        body += f"  %sm = select %inb, %sc, %lows : {tile([tm, tn], 'i1')}, {S}\n" if masked else ""
        logits = "%sm" if masked else "%sc"
        raised = (f"  %m2 = maxf %m0, %rowmax : {R}\n  %more = subf %m2, %m0 : {R}\n  %eight = constant <f32: 8.0> : {R}\n"
                  f"  %far = cmpf greater_than ordered %more, %eight : {R} -> {tile([tm], 'i1')}\n  %m1 = select %far, %m2, %m0 : {tile([tm], 'i1')}, {R}\n")
        for name, op, identity in (("rowmax", "maxf", "-1.0e+30"), ("rowsum", "addf", "0.0")):
            source = logits if op == "maxf" else "%p"
            if op == "addf":
                body += raised if kept else f"  %m1 = maxf %m0, %rowmax : {R}\n"
                body += f"  %m1r = reshape %m1 : {R} -> {R1}\n  %m1b = broadcast %m1r : {R1} -> {S}\n"
                body += f"  %dist = subf {logits}, %m1b : {S}\n  %p = exp2 %dist{' flush_to_zero' if flushed else ''} : {S}\n"
            body += f"  %{name} = reduce {source} dim=1 identities=[{identity} : f32] : {S} -> {R}\n"
            body += f"  (%e: tile<f32>, %w: tile<f32>) {{\n    %u = {op} %e, %w : tile<f32>\n    yield %u : tile<f32>\n  }}\n"
        body += f"  %dm = subf %m0, %m1 : {R}\n  %alpha = exp2 %dm : {R}\n"
        body += f"  %l1 = mulf %l0, %alpha : {R}\n  %l2 = addf %l1, %rowsum : {R}\n"
        body += f"  %ar = reshape %alpha : {R} -> {R1}\n  %ab = broadcast %ar : {R1} -> {O}\n  %o1 = mulf %o0, %ab : {O}\n"
        body += f"  %ph = ftof %p : {S} -> {P}\n" if t != "f32" else ""
        body += f"  %z, %tz = load_view_tko weak %v[%i, %c0] : {pv}, tile<i32> -> {K}, token\n"
        body += f"  %o2 = mmaf {'%ph' if t != 'f32' else '%p'}, %z, %o1 : {P}, {K}, {O}\n  continue %o2, %m1, %l2 : {O}, {R}, {R}\n}}\n"
        return body

    if split:
        body += f"%whole = divi %n, %size signed rounding<zero> : tile<i32>\n"
        body += rounds("%acc0, %max0, %sum0", "%c0", "%whole", ("%zo", "%low", "%zr"), False)
        body += rounds("%acc, %max, %sum", "%whole", "%ks#0", ("%acc0", "%max0", "%sum0"), True)
    else:
        body += rounds("%acc, %max, %sum", "%c0", "%ks#0", ("%zo", "%low", "%zr"), True)
    body += f"%lr = reshape %sum : {R} -> {R1}\n%lb = broadcast %lr : {R1} -> {O}\n%res = divf %acc, %lb : {O}\n"
    body += f"%t2 = store_view_tko weak %res, %o[%bx, %c0] : {O}, {po}, tile<i32> -> token\n"
    text = module("attention", f"%pq: tile<ptr<{t}>>, %pk: tile<ptr<{t}>>, %pv: tile<ptr<{t}>>, %po: tile<ptr<f32>>, %m: tile<i32>, "
                  "%n: tile<i32>, %d: tile<i32>" + (f", %pq2: tile<ptr<{t}>>, %pk2: tile<ptr<{t}>>, %d2: tile<i32>" if second else ""), body)
    # Keys grow from element to element; a tile of 64 keys of width 64 is some 1.2 powers of two below the one before it.
    q, k = ("random(seed=41,lo=-2e-5,hi=-1e-5)", "iota") if falling else ("random(seed=41,lo=1e-5,hi=4e-5)", "iota") if kept else ("random(seed=41)", "random(seed=42)")
    return Case(f"attention-{t}-{rows}x{keys}x{depth}-t{tm}x{tn}" + ("-aligned" if aligned else "") + ("-falling" if falling else "") + ("-flushed" if flushed else "") +
                ("-kept" if kept else "") + ("-split" if split else "") + (f"-{second}-more" if second else ""), text,
                "attention",
                (ceil_div(rows, tm), 1, 1), [f"q:{t}[{rows}x{depth}]={q}", f"k:{t}[{keys}x{depth}]={k}",
                 f"v:{t}[{keys}x{depth}]=random(seed=43,lo=0.5,hi=2)", f"out:o:f32[{rows}x{depth}]=poison", f"i32={rows}", f"i32={keys}",
                 f"i32={depth}", *([f"q2:{t}[{rows}x{second}]=random(seed=44)", f"k2:{t}[{keys}x{second}]=random(seed=45)", f"i32={second}"] if second else [])],
                "rel:3e-2,abs:1e-3" if t.startswith("f8") else "rel:5e-3,abs:1e-4" if t != "f32" else "rel:1e-4,abs:1e-5")


def infinite(case, suffix=""):
    """Attention whose values are all infinite, and so is the result."""
    return dataclasses.replace(case, name=f"{case.name}-infinite{suffix}", tolerance="exact", args=[re.sub(r"^(v:[^=]*)=.*", r"\1=inf", a) for a in case.args])


def example_attention(rows, width=64, element="f16", causal=True, whole=False, kept=False):
    """The text of examples/attention.mlir with tiles of `rows` queries and keys instead of 32, heads of another width, and arrays that begin at
    multiples of 16 bytes, as Triton is told. whole: the length is a multiple of the tile, as Triton's kernel takes for granted. Without `causal` all
    keys count, and logits are scaled and lowered in one step, as Triton does where it may. kept: the maximum is raised when it has grown by more than 8."""
    text = EXAMPLE.read_text()
    if kept:
        text = text.replace("%top1 = maxf %top0, %row_top1 : tile<32x1xf32>", """%higher = maxf %top0, %row_top1 : tile<32x1xf32>
      %more = subf %higher, %top0 : tile<32x1xf32>
      %eight = constant <f32: 8.0> : tile<32x1xf32>
      %far = cmpf greater_than ordered %more, %eight : tile<32x1xf32> -> tile<32x1xi1>
      %top1 = select %far, %higher, %top0 : tile<32x1xi1>, tile<32x1xf32>""")
    if not causal:
        text = re.sub(r"%end = .*", "%end = divi %length, %c32 signed rounding<positive_inf> : tile<i32>", text)
        text = re.sub(r"(?s)      %key0 = .*?(?=      %row_top = )", "", text).replace("reduce %masked", "reduce %logits")
        text = re.sub(r"%below = .*", "%lowered = negf %tops : tile<32x32xf32>\n      %below = fma %qk, %scales, %lowered : tile<32x32xf32>", text)
        text = re.sub(r"(?s)    // Positions of the queries.*?\n\n", "", text)
    if whole:
        text = re.sub(r"\s*optimization_hints=<default = \{occupancy = 2\}>", "", text)
        text = text.replace("%length: tile<i32>", "%size: tile<i32>").replace(
            "    %block, %head", "    %length = assume div_by<32>, %size : tile<i32>\n    %block, %head")
    extents = {"32": str(rows), "64": str(width)}
    text = text.replace("constant <i32: 31>", f"constant <i32: {rows - 1}>")
    text = re.sub(r"(?<![A-Za-z0-9%.])(32|64)(?=x)|(?<=x)(32|64)(?=[x)])|(?<=i32: )(32|64)(?=>)|(?<=div_by<)32(?=>)|(?<= )64(?=[,\]])|(?<=,)64(?=,)",
                  lambda found: extents[found[0]], text)
    text = re.sub(r"( *)%t(\w) = make_tensor_view %\2,", r"\1%a\2 = assume div_by<16>, %\2 : tile<ptr<f16>>\n\g<0>", text)
    return text.replace("make_tensor_view %", "make_tensor_view %a").replace("f16", element)


def attention_of_whole_tiles(t, heads, length, depth, rows, causal, kept=False):
    """The attention that bench/attention_loop.py measures: no element is beyond an edge, and the compiler knows it."""
    shape = f"{t}[{heads}x{length}x{depth}]"
    return Case(f"attention-{t}-whole-{heads}x{length}x{depth}-t{rows}" + ("-causal" if causal else "") + ("-kept" if kept else ""),
                example_attention(rows, depth, t, causal, True, kept),
                "attention", (length // rows, heads, 1), [f"q:{shape}=random(seed=51)", f"k:{shape}=random(seed=52)", f"v:{shape}=random(seed=53,lo=0.5,hi=2)",
                                                          f"out:o:{shape}=poison", f"i32={heads}", f"i32={heads}", f"i32={length}", "i32=1", "f32=0.3"],
                "rel:2e-2,abs:1e-3" if t == "bf16" else "rel:5e-3,abs:1e-3")


def all_cases():
    cases = []
    for t, acc in FLOAT_ROWS:
        cases += [gemm(t, acc, 50, 45, 70, 32, 32, 32), gemm(t, acc, 20, 72, 100, 16, 64, 64, transposed=True)]
    for signs in SIGNS:
        cases += [gemm("i8", "i32", 50, 45, 70, 32, 32, 32, signs)]
    cases += [gemm("i8", "i32", 20, 72, 100, 16, 64, 64, SIGNS[1], transposed=True)]
    cases += [gemm("f16", "f32", 50, 45, 70, 32, 32, 32, added=True), gemm("i8", "i32", 50, 45, 70, 32, 32, 32, SIGNS[0], added=True)]
    # Large tiles, wide accesses, several passes of every warp.
    cases += [gemm("f16", "f32", 128, 128, 96, 128, 64, 32, aligned=True), gemm("bf16", "f32", 64, 256, 64, 64, 128, 64, aligned=True),
              gemm("f8E4M3FN", "f32", 64, 64, 128, 64, 64, 128, aligned=True), gemm("f32", "f32", 64, 64, 48, 64, 64, 16, aligned=True),
              gemm("f16", "f32", 144, 128, 64, 128, 128, 32, aligned=True, transposed=True),
              gemm("bf16", "f32", 64, 128, 160, 64, 128, 128, aligned=True)]
    # What four warps multiply instead of eight (tileas-choose-warps), with overhanging edges.
    cases += [gemm("f16", "f32", 144, 144, 208, 128, 128, 64, aligned=True), gemm("tf32", "f32", 144, 128, 80, 128, 128, 32, aligned=True, transposed=True),
              gemm("i8", "i32", 144, 128, 288, 128, 128, 128, SIGNS[1], aligned=True),
              gemm("f8E4M3FN", "f32", 144, 128, 288, 128, 128, 128, aligned=True, transposed=True, fast=True)]
    # Arrays whose edge cuts accesses: copies past registers, and through them.
    cases += [gemm("f16", "f32", 200, 144, 80, 128, 128, 32, aligned=3), gemm("bf16", "f32", 200, 144, 80, 64, 128, 64, aligned=1, transposed=True),
              gemm("f16", "f32", 144, 80, 96, 64, 64, 32, aligned=7, left=True), gemm("tf32", "f32", 80, 144, 48, 64, 64, 32, aligned=3),
              gemm("i8", "i32", 80, 144, 160, 64, 64, 64, SIGNS[1], aligned=3), gemm("f8E4M3FN", "f32", 80, 144, 160, 64, 64, 64, aligned=5, transposed=True),
              gemm("f32", "f32", 40, 48, 48, 32, 32, 16, aligned=1), gemm("f64", "f64", 40, 48, 48, 32, 32, 16, aligned=1)]
    # Tiles smaller than an instruction, along each extent.
    for t, acc in (("f16", "f32"), ("f16", "f16"), ("tf32", "f32"), ("f64", "f64"), ("f8E5M2", "f16"), ("bf16", "f32"), ("f32", "f32")):
        cases += [gemm(t, acc, 5, 40, 40, 4, 32, 16), gemm(t, acc, 40, 3, 24, 32, 2, 16), gemm(t, acc, 3, 2, 65, 1, 1, 64),
                  gemm(t, acc, 20, 20, 20, 16, 16, 8), gemm(t, acc, 20, 20, 9, 16, 16, 4), gemm(t, acc, 9, 12, 5, 8, 8, 1)]
    for k in (16, 8, 2):
        cases.append(gemm("i8", "i32", 10, 20, 3 * k - 1, 8, 16, k, SIGNS[2]))
    for t, acc in (("f16", "f32"), ("f32", "f32"), ("f64", "f64"), ("f8E4M3FN", "f16"), ("tf32", "f32")):
        cases += [batched(t, acc, 5, 20, 24, 30, 2, 32, 32, 32), batched(t, acc, 16, 7, 9, 16, 8, 8, 16, 16)]
    cases += [batched("i8", "i32", 6, 20, 24, 60, 4, 32, 32, 64, SIGNS[1]), batched("bf16", "f32", 3, 33, 20, 16, 1, 64, 32, 16)]
    cases += [scaled("f8E4M3FN", "f8E8M0FNU", 32, 32, 64, 32), scaled("f8E5M2", "f8E8M0FNU", 16, 64, 128, 32),
              scaled("f8E4M3FN", "f8E8M0FNU", 8, 16, 32, 32, batch=4), scaled("f4E2M1FN", "f8E4M3FN", 32, 32, 64, 16),
              scaled("f4E2M1FN", "f8E4M3FN", 64, 32, 128, 16, signs=True),
              scaled("f4E2M1FN", "f8E4M3FN", 32, 16, 64, 16, batch=2, signs=True), scaled("f4E2M1FN", "f8E8M0FNU", 16, 32, 64, 16), scaled("f4E2M1FN", "f8E8M0FNU", 32, 16, 128, 32)]
    cases += [attention("f16", 40, 70, 32, 32, 32), attention("bf16", 64, 100, 64, 64, 32), attention("f32", 20, 30, 16, 16, 16),
              attention("f16", 16, 48, 64, 16, 16)]
    cases += [attention_of_whole_tiles("f16", 2, 96, 64, 32, False), attention_of_whole_tiles("bf16", 2, 128, 32, 64, True)]
    return cases
