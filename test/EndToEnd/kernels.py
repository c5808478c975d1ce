# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of the end-to-end tests, as generators of cuda_tile text.

Every function returns a Case: the module, the entry, the grid and the arguments in tileiras-run's notation. Sizes are
odd on purpose, so that tiles overhang; arrays are random with a seed, never zeros or ones.
"""

import re
from dataclasses import dataclass, field


@dataclass
class Case:
    name: str
    text: str
    entry: str
    grid: tuple
    args: list
    tolerance: str = "exact"
    on: dict = field(default_factory=dict)  # tolerances of targets that have another one

    def within(self, target):
        return self.on.get(target.rstrip("af"), self.tolerance)


def ceil_div(a, b):
    return -(-a // b)


def is_float(t):
    return t[0] in "fb"


def literal(t, value):
    """A number as the dense literal of element type t wants it."""
    return f"{float(value)!r}" if is_float(t) else f"{int(value)}"


def module(entry, params, body, hints=""):
    lines = "\n".join("    " + l for l in body.strip("\n").split("\n"))
    return f"cuda_tile.module @kernels {{\n  entry @{entry}({params}){hints} {{\n{lines}\n    return\n  }}\n}}\n"


def hinted(text, hints):
    """The module with optimization_hints for its entry, which had none: hinted(text, "default = {occupancy = 2}")."""
    text, count = re.subn(r"(entry @\w+\([^)]*\)) \{", rf"\1 optimization_hints=<{hints}> {{", text)
    assert count == 1, text
    return text


def splat(name, value, shape, element):
    """Lines that broadcast the rank-0 %value to tile<shape x element>."""
    ones = "x".join("1" for _ in shape)
    full = "x".join(map(str, shape))
    return (f"%{name}_1 = reshape %{value} : tile<{element}> -> tile<{ones}x{element}>\n"
            f"%{name} = broadcast %{name}_1 : tile<{ones}x{element}> -> tile<{full}x{element}>\n")


def tile(shape, t):
    return "tile<" + "".join(f"{d}x" for d in shape) + t + ">"


def sums(t):
    """Tolerance of results that depend on the order of a summation, by element type of the result. Summands are
    positive in these cases: with cancellation no relative tolerance would mean anything."""
    return {"f64": "rel:1e-12,abs:1e-12", "f32": "rel:1e-5,abs:1e-6", "f16": "rel:2e-3,abs:1e-3",
            "bf16": "rel:1.6e-2,abs:1e-2"}.get(t, "exact")


ORDERED = {"add": "addf", "mul": "mulf", "sub": "subf", "max": "maxf"}


def arith(op, t):
    """Mnemonic of add, mul, sub, max for an element type, with its suffix."""
    if is_float(t):
        return ORDERED[op], ""
    return {"add": "addi", "mul": "muli", "sub": "subi", "max": "maxi"}[op], (" signed" if op == "max" else "")


def view2d(name, base, m, n, stride, tm, tn, t, padding="", strides=None, aligned=False):
    """A row-major (or strided) 2-D tensor view and its partition; returns the lines and the view type.

    aligned: pointer, extent and stride are promised to be divisible by 16, which allows wide accesses. A number: pointer and
    stride alone, and rows end so many elements before the next begins, so that the edge may cut an access.
    """
    if aligned and aligned is not True:
        lines = (f"%{name}_p = assume div_by<16>, %{base} : tile<ptr<{t}>>\n%{name}_s = assume div_by<16>, %{stride} : tile<i32>\n"
                 f"%{name}_g = constant <i32: {aligned}> : tile<i32>\n%{name}_n = subi %{n}, %{name}_g : tile<i32>\n")
        more, view = view2d(name, f"{name}_p", m, f"{name}_n", f"{name}_s", tm, tn, t, padding)
        return lines + more, view
    if aligned:
        lines = (f"%{name}_p = assume div_by<16>, %{base} : tile<ptr<{t}>>\n"
                 f"%{name}_n = assume div_by<16>, %{n} : tile<i32>\n%{name}_s = assume div_by<16>, %{stride} : tile<i32>\n")
        more, view = view2d(name, f"{name}_p", m, f"{name}_n", f"{name}_s", tm, tn, t, padding)
        return lines + more, view
    pad = f", padding_value = {padding}" if padding else ""
    if strides is None:
        tv = f"tensor_view<?x?x{t}, strides=[?,1]>"
        make = f"%{name}_t = make_tensor_view %{base}, shape = [%{m}, %{n}], strides = [%{stride}, 1] : tile<i32> -> {tv}\n"
    else:
        tv = f"tensor_view<?x?x{t}, strides=[?,?]>"
        make = (f"%{name}_t = make_tensor_view %{base}, shape = [%{m}, %{n}], strides = [%{strides[0]}, %{strides[1]}] "
                f": tile<i32> -> {tv}\n")
    pv = f"partition_view<tile=({tm}x{tn}){pad}, {tv}>"
    return make + f"%{name} = make_partition_view %{name}_t : {pv}\n", pv


# ---------------------------------------------------------------------------------------------------------------------


def promised(aligned):
    """What a case's name says of it."""
    return "-aligned" + ("" if aligned is True else f"-less-{aligned}") if aligned else ""


def axpy(t, size, block, warps=None, aligned=False):
    mul, _ = arith("mul", t)
    add, _ = arith("add", t)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
    body += f"%cb = constant <i32: {block}> : tile<i32>\n%start = muli %bx, %cb : tile<i32>\n"
    body += f"%lane = iota : tile<{block}xi32>\n" + splat("sb", "start", [block], "i32")
    body += f"%i = addi %sb, %lane : tile<{block}xi32>\n" + splat("nb", "n", [block], "i32")
    body += f"%in = cmpi less_than %i, %nb, signed : tile<{block}xi32> -> tile<{block}xi1>\n"
    body += f"%zero = constant <{t}: {literal(t, 0)}> : tile<{block}x{t}>\n"
    if aligned:
        body += f"%na = assume div_by<16>, %n : tile<i32>\n" + splat("nb2", "na", [block], "i32")
        body += f"%in2 = cmpi less_than %i, %nb2, signed : tile<{block}xi32> -> tile<{block}xi1>\n"
        body = body.replace("%in =", "%in_unused =").replace("%in2 =", "%in =")
        body += "".join(f"%{p}_a = assume div_by<16>, %{p} : tile<ptr<{t}>>\n" for p in "xy")
    for p in "xy":
        body += splat(p + "s", p + "_a" if aligned else p, [block], f"ptr<{t}>")
        body += f"%{p}p = offset %{p}s, %i : tile<{block}xptr<{t}>>, tile<{block}xi32> -> tile<{block}xptr<{t}>>\n"
        body += (f"%{p}v, %{p}t = load_ptr_tko weak %{p}p, %in, %zero : tile<{block}xptr<{t}>>, tile<{block}xi1>, "
                 f"tile<{block}x{t}> -> tile<{block}x{t}>, token\n")
    body += splat("ab", "a", [block], t)
    body += f"%ax = {mul} %xv, %ab : tile<{block}x{t}>\n%r = {add} %ax, %yv : tile<{block}x{t}>\n"
    body += (f"%tok = store_ptr_tko weak %yp, %r, %in token=%yt : tile<{block}xptr<{t}>>, tile<{block}x{t}>, "
             f"tile<{block}xi1> -> token\n")
    hints = f" optimization_hints=<default = {{num_worker_warps_per_cta = {warps}}}>" if warps else ""
    text = module("axpy", f"%x: tile<ptr<{t}>>, %y: tile<ptr<{t}>>, %a: tile<{t}>, %n: tile<i32>", body, hints)
    scalar = "1.375" if is_float(t) else "-3"
    return Case(f"axpy-{t}-{size}-b{block}" + (f"-w{warps}" if warps else "") + promised(aligned), text, "axpy", (ceil_div(size, block), 1, 1),
                [f"x:{t}[{size}]=random(lo=-4,hi=4,seed=1)", f"out:y:{t}[{size}]=random(lo=-4,hi=4,seed=2)",
                 f"{t}={scalar}", f"i32={size}"])


def elementwise(t, m, n, tm, tn, aligned=False):
    """A fused chain on two inputs through views, with comparisons, selects and math."""
    shape = tile([tm, tn], t)
    mask = tile([tm, tn], "i1")
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
    va, pa = view2d("a", "pa", "m", "n", "n", tm, tn, t, "zero", aligned=aligned)
    vb, pb = view2d("b", "pb", "m", "n", "n", tm, tn, t, "zero", aligned=aligned)
    vo, po = view2d("o", "po", "m", "n", "n", tm, tn, t, aligned=aligned)
    body += va + vb + vo
    body += f"%x, %t0 = load_view_tko weak %a[%bx, %by] : {pa}, tile<i32> -> {shape}, token\n"
    body += f"%y, %t1 = load_view_tko weak %b[%bx, %by] : {pb}, tile<i32> -> {shape}, token\n"
    if is_float(t):
        body += (f"%s = addf %x, %y : {shape}\n%p = mulf %s, %x : {shape}\n%d = subf %p, %y : {shape}\n"
                 f"%q = absf %d : {shape}\n%one = constant <{t}: 1.0> : {shape}\n%q1 = addf %q, %one : {shape}\n"
                 f"%r = sqrt %q1 : {shape}\n%u = divf %d, %r : {shape}\n%v = fma %u, %x, %y : {shape}\n"
                 f"%c = cmpf less_than ordered %x, %y : {shape} -> {mask}\n%w = select %c, %v, %u : {mask}, {shape}\n"
                 f"%z = maxf %w, %x : {shape}\n%k = minf %z, %q1 : {shape}\n%res = negf %k : {shape}\n")
    else:
        body += (f"%s = addi %x, %y : {shape}\n%p = muli %s, %x : {shape}\n%d = subi %p, %y : {shape}\n"
                 f"%three = constant <{t}: 3> : {shape}\n%q = divi %d, %three signed : {shape}\n"
                 f"%r = remi %d, %three signed : {shape}\n%u = xori %q, %r : {shape}\n%sh = shli %u, %three : {shape}\n"
                 f"%sr = shri %sh, %three signed : {shape}\n%an = andi %sr, %y : {shape}\n%o1 = ori %an, %x : {shape}\n"
                 f"%c = cmpi greater_than %x, %y, signed : {shape} -> {mask}\n"
                 f"%w = select %c, %o1, %d : {mask}, {shape}\n%mx = maxi %w, %x signed : {shape}\n"
                 f"%res = mini %mx, %sh unsigned : {shape}\n")
    body += f"%t2 = store_view_tko weak %res, %o[%bx, %by] : {shape}, {po}, tile<i32> -> token\n"
    text = module("chain", f"%pa: tile<ptr<{t}>>, %pb: tile<ptr<{t}>>, %po: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    return Case(f"elementwise-{t}-{m}x{n}-t{tm}x{tn}" + promised(aligned), text, "chain", (ceil_div(m, tm), ceil_div(n, tn), 1),
                [f"a:{t}[{m}x{n}]=random(lo=-9,hi=9,seed=3)", f"b:{t}[{m}x{n}]=random(lo=-9,hi=9,seed=4)",
                 f"out:o:{t}[{m}x{n}]=poison", f"i32={m}", f"i32={n}"])


def softmax(t, m, n, tm, tn, aligned=False):
    """Row softmax; a tile holds whole rows."""
    assert tn >= n
    f = tile([tm, tn], "f32")
    va, pa = view2d("a", "pa", "m", "n", "n", tm, tn, t, "neg_inf", aligned=aligned)
    vo, po = view2d("o", "po", "m", "n", "n", tm, tn, t, aligned=aligned)
    col, row = tile([tm], "f32"), tile([tm, 1], "f32")
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n" + va + vo
    body += f"%raw, %t0 = load_view_tko weak %a[%bx, %c0] : {pa}, tile<i32> -> {tile([tm, tn], t)}, token\n"
    body += f"%x = ftof %raw : {tile([tm, tn], t)} -> {f}\n" if t != "f32" else ""
    x = "%x" if t != "f32" else "%raw"
    body += (f"%mx = reduce {x} dim=1 identities=[0xFF800000 : f32] : {f} -> {col}\n"
             f"(%e: tile<f32>, %acc: tile<f32>) {{\n  %u = maxf %e, %acc : tile<f32>\n  yield %u : tile<f32>\n}}\n")
    body += f"%mx1 = reshape %mx : {col} -> {row}\n%mxb = broadcast %mx1 : {row} -> {f}\n%d = subf {x}, %mxb : {f}\n%ex = exp %d : {f}\n"
    body += (f"%sm = reduce %ex dim=1 identities=[0.0 : f32] : {f} -> {col}\n"
             f"(%e: tile<f32>, %acc: tile<f32>) {{\n  %u = addf %e, %acc : tile<f32>\n  yield %u : tile<f32>\n}}\n")
    body += f"%sm1 = reshape %sm : {col} -> {row}\n%smb = broadcast %sm1 : {row} -> {f}\n%r = divf %ex, %smb : {f}\n"
    body += f"%rt = ftof %r : {f} -> {tile([tm, tn], t)}\n" if t != "f32" else ""
    r = "%rt" if t != "f32" else "%r"
    body += f"%t2 = store_view_tko weak {r}, %o[%bx, %c0] : {tile([tm, tn], t)}, {po}, tile<i32> -> token\n"
    text = module("softmax", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    return Case(f"softmax-{t}-{m}x{n}-t{tm}x{tn}" + promised(aligned), text, "softmax", (ceil_div(m, tm), 1, 1),
                [f"a:{t}[{m}x{n}]=normal(seed=5,std=3)", f"out:o:{t}[{m}x{n}]=poison", f"i32={m}", f"i32={n}"], sums(t))


def layernorm(t, m, n, tn):
    """Layer norm forward: one row per tile block, columns in a loop of tiles, weight and bias."""
    f, ft = tile([1, tn], "f32"), tile([1, tn], t)
    va, pa = view2d("a", "pa", "m", "n", "n", 1, tn, t, "zero")
    vo, po = view2d("o", "po", "m", "n", "n", 1, tn, t)
    w1 = "tensor_view<?xf32, strides=[1]>"
    pw = f"partition_view<tile=({tn}), padding_value = zero, {w1}>"
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vo
    for name in "wb":
        body += f"%{name}_t = make_tensor_view %p{name}, shape = [%n], strides = [1] : tile<i32> -> {w1}\n"
        body += f"%{name} = make_partition_view %{name}_t : {pw}\n"
    body += "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
    body += f"%steps:2 = get_index_space_shape %a : {pa} -> tile<i32>\n"
    body += f"%zero = constant <f32: 0.0> : {f}\n"
    conv = (lambda d, s: f"  %{d} = ftof %{s} : {ft} -> {f}\n") if t != "f32" else (lambda d, s: "")
    pick = (lambda d, s: f"%{d}") if t != "f32" else (lambda d, s: f"%{s}")
    body += f"%s, %q = for %j in (%c0 to %steps#1, step %c1) : tile<i32> iter_values(%sa = %zero, %qa = %zero) -> ({f}, {f}) {{\n"
    body += f"  %raw, %t0 = load_view_tko weak %a[%bx, %j] : {pa}, tile<i32> -> {ft}, token\n" + conv("x", "raw")
    x = pick("x", "raw")
    body += f"  %s1 = addf %sa, {x} : {f}\n  %q1 = fma {x}, {x}, %qa : {f}\n  continue %s1, %q1 : {f}, {f}\n}}\n"
    for src, dst in (("s", "sum"), ("q", "sq")):
        body += (f"%{dst}_r = reduce %{src} dim=1 identities=[0.0 : f32] : {f} -> tile<1xf32>\n"
                 f"(%e: tile<f32>, %acc: tile<f32>) {{\n  %u = addf %e, %acc : tile<f32>\n  yield %u : tile<f32>\n}}\n"
                 f"%{dst} = reshape %{dst}_r : tile<1xf32> -> tile<f32>\n")
    body += ("%nf = itof %n signed : tile<i32> -> tile<f32>\n%mean = divf %sum, %nf : tile<f32>\n"
             "%msq = divf %sq, %nf : tile<f32>\n%mm = mulf %mean, %mean : tile<f32>\n%var = subf %msq, %mm : tile<f32>\n"
             "%eps = constant <f32: 1.0e-5> : tile<f32>\n%ve = addf %var, %eps : tile<f32>\n%rstd = rsqrt %ve : tile<f32>\n")
    body += splat("meanb", "mean", [1, tn], "f32") + splat("rstdb", "rstd", [1, tn], "f32")
    body += f"for %j in (%c0 to %steps#1, step %c1) : tile<i32> {{\n"
    body += f"  %raw, %t0 = load_view_tko weak %a[%bx, %j] : {pa}, tile<i32> -> {ft}, token\n" + conv("x", "raw")
    body += f"  %d = subf {x}, %meanb : {f}\n  %h = mulf %d, %rstdb : {f}\n"
    for name in "wb":
        body += (f"  %{name}v, %{name}k = load_view_tko weak %{name}[%j] : {pw}, tile<i32> -> tile<{tn}xf32>, token\n"
                 f"  %{name}r = reshape %{name}v : tile<{tn}xf32> -> {f}\n")
    body += f"  %g = fma %h, %wr, %br : {f}\n"
    body += f"  %gt = ftof %g : {f} -> {ft}\n" if t != "f32" else ""
    g = "%gt" if t != "f32" else "%g"
    body += f"  %t2 = store_view_tko weak {g}, %o[%bx, %j] : {ft}, {po}, tile<i32> -> token\n}}\n"
    text = module("layernorm", f"%pa: tile<ptr<{t}>>, %pw: tile<ptr<f32>>, %pb: tile<ptr<f32>>, %po: tile<ptr<{t}>>, "
                  "%m: tile<i32>, %n: tile<i32>", body)
    return Case(f"layernorm-{t}-{m}x{n}-t{tn}", text, "layernorm", (m, 1, 1),
                [f"a:{t}[{m}x{n}]=normal(seed=6,mean=1,std=2)", f"w:f32[{n}]=random(lo=-1,hi=2,seed=7)",
                 f"b:f32[{n}]=random(lo=-1,hi=1,seed=8)", f"out:o:{t}[{m}x{n}]=poison", f"i32={m}", f"i32={n}"],
                "rel:1e-4,abs:1e-5" if t == "f32" else sums(t))


def transpose(t, m, n, tm, tn, aligned=False):
    va, pa = view2d("a", "pa", "m", "n", "n", tm, tn, t, aligned=aligned)
    vo, po = view2d("o", "po", "n", "m", "m", tn, tm, t, aligned=aligned)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vo
    body += f"%x, %t0 = load_view_tko weak %a[%bx, %by] : {pa}, tile<i32> -> {tile([tm, tn], t)}, token\n"
    body += f"%y = permute %x [1, 0] : {tile([tm, tn], t)} -> {tile([tn, tm], t)}\n"
    body += f"%t1 = store_view_tko weak %y, %o[%by, %bx] : {tile([tn, tm], t)}, {po}, tile<i32> -> token\n"
    text = module("transpose", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    return Case(f"transpose-{t}-{m}x{n}-t{tm}x{tn}" + promised(aligned), text, "transpose", (ceil_div(m, tm), ceil_div(n, tn), 1),
                [f"a:{t}[{m}x{n}]=random(seed=9,lo=-50,hi=50)", f"out:o:{t}[{n}x{m}]=poison", f"i32={m}", f"i32={n}"])


def reduction(t, op, dim, m, n, tm, tn):
    """Reduces each tile along a dimension; the result is one value per row or column of the tile."""
    mn, suffix = arith(op, t)
    kept = tn if dim == 0 else tm
    identity = {"add": "0.0", "mul": "1.0"}.get(op, "-1.0e+4") if is_float(t) else {"add": "0", "mul": "1"}.get(op, "-128")
    va, pa = view2d("a", "pa", "m", "n", "n", tm, tn, t, "zero")
    rows, cols = ceil_div(m, tm), ceil_div(n, tn)
    # Results: dim 0 -> array [rows, n]; dim 1 -> array [m, cols] written as columns.
    om, on = (rows, n) if dim == 0 else (cols, m)
    wide = tile([1, kept], t)
    vo, po = view2d("o", "po", "om", "on", "on", 1, kept, t)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vo
    body += f"%x, %t0 = load_view_tko weak %a[%bx, %by] : {pa}, tile<i32> -> {tile([tm, tn], t)}, token\n"
    body += (f"%r = reduce %x dim={dim} identities=[{identity} : {t}] : {tile([tm, tn], t)} -> {tile([kept], t)}\n"
             f"(%e: tile<{t}>, %acc: tile<{t}>) {{\n  %u = {mn} %e, %acc{suffix} : tile<{t}>\n  yield %u : tile<{t}>\n}}\n")
    body += f"%y = reshape %r : {tile([kept], t)} -> {wide}\n"
    at = "%bx, %by" if dim == 0 else "%by, %bx"
    body += f"%t1 = store_view_tko weak %y, %o[{at}] : {wide}, {po}, tile<i32> -> token\n"
    text = module("reduce", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>, %om: tile<i32>, "
                  "%on: tile<i32>", body)
    return Case(f"reduce-{op}-dim{dim}-{t}-{m}x{n}-t{tm}x{tn}", text, "reduce", (rows, cols, 1),
                [f"a:{t}[{m}x{n}]=random(seed=10,lo={0 if op == 'add' and is_float(t) else -3},hi=3)", f"out:o:{t}[{om}x{on}]=poison", f"i32={m}", f"i32={n}",
                 f"i32={om}", f"i32={on}"], "exact" if op == "max" else sums(t))


def strided_copy(t, m, n, sm, sn, tm, tn):
    va, pa = view2d("a", "pa", "m", "n", "", tm, tn, t, "", ("sm", "sn"))
    vo, po = view2d("o", "po", "m", "n", "n", tm, tn, t)
    shape = tile([tm, tn], t)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vo
    body += f"%x, %t0 = load_view_tko weak %a[%bx, %by] : {pa}, tile<i32> -> {shape}, token\n"
    body += f"%t1 = store_view_tko weak %x, %o[%bx, %by] : {shape}, {po}, tile<i32> -> token\n"
    text = module("copy", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>, %sm: tile<i32>, "
                  "%sn: tile<i32>", body)
    return Case(f"strided-copy-{t}-{m}x{n}-s{sm}x{sn}-t{tm}x{tn}", text, "copy", (ceil_div(m, tm), ceil_div(n, tn), 1),
                [f"a:{t}[{m}x{n}]{{strides={sm}x{sn}}}=random(seed=11,lo=-60,hi=60)", f"out:o:{t}[{m}x{n}]=poison",
                 f"i32={m}", f"i32={n}", f"i32={sm}", f"i32={sn}"])


def matmul(t, acc, m, n, k, tm, tn, tk):
    """A naive matrix product: broadcast both tiles to three dimensions, multiply, reduce along k."""
    mul, _ = arith("mul", acc)
    add, _ = arith("add", acc)
    va, pa = view2d("a", "pa", "m", "k", "k", tm, tk, t, "zero")
    vb, pb = view2d("b", "pb", "k", "n", "n", tk, tn, t, "zero")
    vo, po = view2d("o", "po", "m", "n", "n", tm, tn, acc)
    c2, c3 = tile([tm, tn], acc), tile([tm, tk, tn], acc)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vb + vo
    body += "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
    body += f"%ks:2 = get_index_space_shape %a : {pa} -> tile<i32>\n%z = constant <{acc}: {literal(acc, 0)}> : {c2}\n"
    body += f"%c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> ({c2}) {{\n"
    body += f"  %x, %t0 = load_view_tko weak %a[%bx, %kk] : {pa}, tile<i32> -> {tile([tm, tk], t)}, token\n"
    body += f"  %y, %t1 = load_view_tko weak %b[%kk, %by] : {pb}, tile<i32> -> {tile([tk, tn], t)}, token\n"
    x, y = "%x", "%y"
    if t != acc:
        cast = "ftof %{0}" if is_float(t) else "exti %{0} signed"
        for v, s in (("x", [tm, tk]), ("y", [tk, tn])):
            body += f"  %{v}c = {cast.format(v)} : {tile(s, t)} -> {tile(s, acc)}\n"
        x, y = "%xc", "%yc"
    body += f"  %x3 = reshape {x} : {tile([tm, tk], acc)} -> {tile([tm, tk, 1], acc)}\n  %xb = broadcast %x3 : {tile([tm, tk, 1], acc)} -> {c3}\n"
    body += f"  %y3 = reshape {y} : {tile([tk, tn], acc)} -> {tile([1, tk, tn], acc)}\n  %yb = broadcast %y3 : {tile([1, tk, tn], acc)} -> {c3}\n"
    zero = "0.0" if is_float(acc) else "0"
    body += f"  %p = {mul} %xb, %yb : {c3}\n  %r = reduce %p dim=1 identities=[{zero} : {acc}] : {c3} -> {c2}\n"
    body += f"  (%e: tile<{acc}>, %q: tile<{acc}>) {{\n    %u = {add} %e, %q : tile<{acc}>\n    yield %u : tile<{acc}>\n  }}\n"
    body += f"  %s1 = {add} %s, %r : {c2}\n  continue %s1 : {c2}\n}}\n"
    body += f"%t2 = store_view_tko weak %c, %o[%bx, %by] : {c2}, {po}, tile<i32> -> token\n"
    text = module("matmul", f"%pa: tile<ptr<{t}>>, %pb: tile<ptr<{t}>>, %po: tile<ptr<{acc}>>, %m: tile<i32>, %n: tile<i32>, "
                  "%k: tile<i32>", body)
    return Case(f"matmul-{t}-{m}x{n}x{k}-t{tm}x{tn}x{tk}", text, "matmul", (ceil_div(m, tm), ceil_div(n, tn), 1),
                [f"a:{t}[{m}x{k}]=random(seed=12,lo=0,hi=2)", f"b:{t}[{k}x{n}]=random(seed=13,lo=0,hi=2)",
                 f"out:o:{acc}[{m}x{n}]=poison", f"i32={m}", f"i32={n}", f"i32={k}"], sums(acc))


def control(size, block):
    """loop with break, if with results, cat, extract, conversions: per block a small integer computation on tiles."""
    b2 = 2 * block
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n"
    tv = "tensor_view<?xi32, strides=[1]>"
    pin, pout = f"partition_view<tile=({block}), padding_value = zero, {tv}>", f"partition_view<tile=({b2}), {tv}>"
    body += f"%a_t = make_tensor_view %pa, shape = [%n], strides = [1] : tile<i32> -> {tv}\n%a = make_partition_view %a_t : {pin}\n"
    body += f"%n2 = addi %n, %n : tile<i32>\n%o_t = make_tensor_view %po, shape = [%n2], strides = [1] : tile<i32> -> {tv}\n%o = make_partition_view %o_t : {pout}\n"
    T, T2 = f"tile<{block}xi32>", f"tile<{b2}xi32>"
    body += f"%x, %t0 = load_view_tko weak %a[%bx] : {pin}, tile<i32> -> {T}, token\n"
    # Collatz-like scalar loop whose trip count depends on the block id.
    body += "%lim = constant <i32: 40> : tile<i32>\n%start = addi %bx, %c1 : tile<i32>\n%two = constant <i32: 2> : tile<i32>\n%three = constant <i32: 3> : tile<i32>\n"
    body += f"""%steps, %acc = loop iter_values(%i = %c0, %v = %start, %t = %x) : tile<i32>, tile<i32>, {T} -> tile<i32>, {T} {{
  %done = cmpi less_than_or_equal %v, %c1, signed : tile<i32> -> tile<i1>
  if %done {{
    break %i, %t : tile<i32>, {T}
  }}
  %over = cmpi greater_than_or_equal %i, %lim, signed : tile<i32> -> tile<i1>
  if %over {{
    %neg = negi %t : {T}
    break %i, %neg : tile<i32>, {T}
  }}
  %odd = remi %v, %two signed : tile<i32>
  %isodd = cmpi equal %odd, %c1, signed : tile<i32> -> tile<i1>
  %nv = if %isodd -> (tile<i32>) {{
    %m3 = muli %v, %three : tile<i32>
    %m31 = addi %m3, %c1 : tile<i32>
    yield %m31 : tile<i32>
  }} else {{
    %h = divi %v, %two signed : tile<i32>
    yield %h : tile<i32>
  }}
  %ni = addi %i, %c1 : tile<i32>
  %nvr = reshape %nv : tile<i32> -> tile<1xi32>
  %nvb = broadcast %nvr : tile<1xi32> -> {T}
  %nt = addi %t, %nvb : {T}
  continue %ni, %nv, %nt : tile<i32>, tile<i32>, {T}
}}
"""
    body += f"%io = iota : {T}\n" + splat("stepsb", "steps", [block], "i32")
    body += f"%y = muli %io, %stepsb : {T}\n%z = cat %acc, %y dim = 0 : {T}, {T} -> {T2}\n"
    body += f"%lo = extract %z[%c1] : {T2} -> {T}\n%hi = extract %z[%c0] : {T2} -> {T}\n%w = cat %lo, %hi dim = 0 : {T}, {T} -> {T2}\n"
    body += f"%f = itof %w signed : {T2} -> tile<{b2}xf32>\n%hf = constant <f32: 0.5> : tile<{b2}xf32>\n%g = mulf %f, %hf : tile<{b2}xf32>\n%u = ftoi %g signed : tile<{b2}xf32> -> {T2}\n"
    body += f"%t1 = store_view_tko weak %u, %o[%bx] : {T2}, {pout}, tile<i32> -> token\n"
    text = module("control", "%pa: tile<ptr<i32>>, %po: tile<ptr<i32>>, %n: tile<i32>", body)
    return Case(f"control-{size}-b{block}", text, "control", (ceil_div(size, block), 1, 1),
                [f"a:i32[{size}]=random(seed=14,lo=-1000,hi=1000)", f"out:o:i32[{2 * size}]=poison", f"i32={size}"])


def slices(t, count, size):
    """The `count` parts of a tile added up in a loop: which part is taken depends on the counter."""
    whole, part = tile([count * size], t), tile([size], t)
    add, _ = arith("add", t)
    body = ("%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n" + f"%cn = constant <i32: {count}> : tile<i32>\n"
            f"%z = constant <{t}: {literal(t, 0)}> : {part}\n")
    for name, extent, base in (("a", count * size, "pa"), ("o", size, "po")):
        tv = f"tensor_view<{extent}x{t}, strides=[1]>"
        body += f"%{name}_t = make_tensor_view %{base}, shape = [{extent}], strides = [1] : {tv}\n"
        body += f"%{name} = make_partition_view %{name}_t : partition_view<tile=({extent}), {tv}>\n"
    pa, po = (f"partition_view<tile=({e}), tensor_view<{e}x{t}, strides=[1]>>" for e in (count * size, size))
    body += f"%x, %t0 = load_view_tko weak %a[%c0] : {pa}, tile<i32> -> {whole}, token\n"
    body += f"%r = for %i in (%c0 to %cn, step %c1) : tile<i32> iter_values(%s = %z) -> ({part}) {{\n"
    body += f"  %y = extract %x[%i] : {whole} -> {part}\n  %u = {add} %s, %y : {part}\n  continue %u : {part}\n}}\n"
    body += f"%t1 = store_view_tko weak %r, %o[%c0] : {part}, {po}, tile<i32> -> token\n"
    text = module("slices", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{t}>>", body)
    return Case(f"slices-{t}-{count}x{size}", text, "slices", (1, 1, 1),
                [f"a:{t}[{count * size}]=random(seed=41,lo=-9,hi=9)", f"out:o:{t}[{size}]=poison"])


def conversions(src, dst, n, block):
    """Every conversion between the element types of one kernel argument pair."""
    S, D = f"tile<{block}x{src}>", f"tile<{block}x{dst}>"
    if is_float(src) and is_float(dst):
        conv = f"ftof %x : {S} -> {D}"
    elif is_float(src):
        conv = f"ftoi %x signed : {S} -> {D}"
    elif is_float(dst):
        conv = f"itof %x signed : {S} -> {D}"
    elif int(src[1:]) < int(dst[1:]):
        conv = f"exti %x signed : {S} -> {D}"
    else:
        conv = f"trunci %x : {S} -> {D}"
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
    for p, t, pad in (("a", src, ", padding_value = zero"), ("o", dst, "")):
        tv = f"tensor_view<?x{t}, strides=[1]>"
        body += f"%{p}_t = make_tensor_view %p{p}, shape = [%n], strides = [1] : tile<i32> -> {tv}\n"
        body += f"%{p} = make_partition_view %{p}_t : partition_view<tile=({block}){pad}, {tv}>\n"
    body += (f"%x, %t0 = load_view_tko weak %a[%bx] : partition_view<tile=({block}), padding_value = zero, "
             f"tensor_view<?x{src}, strides=[1]>>, tile<i32> -> {S}, token\n%y = {conv}\n"
             f"%t1 = store_view_tko weak %y, %o[%bx] : {D}, partition_view<tile=({block}), tensor_view<?x{dst}, strides=[1]>>, "
             "tile<i32> -> token\n")
    text = module("convert", f"%pa: tile<ptr<{src}>>, %po: tile<ptr<{dst}>>, %n: tile<i32>", body)
    return Case(f"convert-{src}-{dst}", text, "convert", (ceil_div(n, block), 1, 1),
                [f"a:{src}[{n}]=random(seed=15,lo=-120,hi=120)", f"out:o:{dst}[{n}]=poison", f"i32={n}"])


def math(fn, t, n, block):
    S = f"tile<{block}x{t}>"
    tv = f"tensor_view<?x{t}, strides=[1]>"
    pv, po = f"partition_view<tile=({block}), padding_value = zero, {tv}>", f"partition_view<tile=({block}), {tv}>"
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
    body += f"%a_t = make_tensor_view %pa, shape = [%n], strides = [1] : tile<i32> -> {tv}\n%a = make_partition_view %a_t : {pv}\n"
    body += f"%o_t = make_tensor_view %po, shape = [%n], strides = [1] : tile<i32> -> {tv}\n%o = make_partition_view %o_t : {po}\n"
    body += f"%x, %t0 = load_view_tko weak %a[%bx] : {pv}, tile<i32> -> {S}, token\n%y = {fn} %x : {S}\n"
    body += f"%t1 = store_view_tko weak %y, %o[%bx] : {S}, {po}, tile<i32> -> token\n"
    text = module("math", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{t}>>, %n: tile<i32>", body)
    lo = "0.01" if fn in ("log", "log2", "sqrt", "rsqrt") else "-9"
    return Case(f"math-{fn}-{t}", text, "math", (ceil_div(n, block), 1, 1),
                [f"a:{t}[{n}]=random(seed=16,lo={lo},hi=9)", f"out:o:{t}[{n}]=poison", f"i32={n}"],
                "exact" if fn == "sqrt" else "ulp:2" if t in ("f32", "f64") else "ulp:1")


def all_cases():
    cases = []
    for t in ("f32", "f16", "bf16", "f64", "i32", "i64", "i16", "i8"):
        cases.append(axpy(t, 1000, 256))
    cases += [slices("f32", 8, 64), slices("i32", 4, 256)]
    cases += [axpy("f32", 4097, 1024), axpy("f16", 777, 128), axpy("f32", 33, 32), axpy("f32", 5000, 1024, 8),
              axpy("f32", 17, 4), axpy("f32", 4000, 1024, aligned=True), axpy("f16", 2000, 512, aligned=True),
              axpy("i8", 6400, 2048, aligned=True)]
    for t in ("f32", "f16", "bf16", "f64", "i32", "i64", "i16", "i8"):
        cases.append(elementwise(t, 45, 77, 16, 32))
    cases += [elementwise("f32", 64, 128, 32, 64), elementwise("f32", 3, 1000, 1, 512), elementwise("f16", 130, 5, 64, 8),
              elementwise("f32", 45, 80, 16, 64, True), elementwise("f16", 45, 144, 32, 64, True),
              elementwise("i8", 20, 96, 16, 64, True), elementwise("f64", 20, 48, 8, 32, True)]
    cases += [softmax("f32", 37, 333, 4, 512), softmax("f16", 9, 1000, 1, 1024), softmax("bf16", 21, 100, 8, 128),
              softmax("f32", 5, 2048, 1, 2048), softmax("f32", 65, 17, 32, 32),
              softmax("f32", 37, 336, 4, 512, True), softmax("f16", 9, 1008, 2, 1024, True)]
    cases += [layernorm("f32", 7, 1111, 256), layernorm("f16", 5, 640, 512), layernorm("bf16", 3, 2049, 1024)]
    cases += [transpose("f32", 70, 45, 32, 32), transpose("f16", 128, 64, 64, 64), transpose("i8", 33, 65, 32, 64),
              transpose("f64", 20, 31, 8, 16), transpose("bf16", 100, 3, 128, 4), transpose("i64", 40, 40, 16, 32),
              transpose("f32", 80, 48, 32, 32, True), transpose("f16", 144, 80, 64, 64, True),
              transpose("i8", 96, 160, 64, 64, True)]
    # Wide accesses that the edge cuts, and one that it does not happen to cut.
    cases += [elementwise(t, 45, 144, 32, 64, less) for t, less in (("f16", 3), ("f16", 8), ("f32", 2), ("bf16", 15), ("i8", 5), ("f64", 1))]
    cases += [softmax("f32", 37, 336, 4, 512, 3), softmax("f16", 9, 1008, 2, 1024, 1), softmax("bf16", 9, 1024, 1, 1024, 7),
              transpose("f32", 80, 48, 32, 32, 1), transpose("f16", 144, 80, 64, 64, 13), transpose("i8", 96, 160, 64, 64, 3)]
    for dim in (0, 1):
        cases += [reduction("f32", "add", dim, 70, 90, 32, 64), reduction("i32", "max", dim, 33, 129, 16, 128),
                  reduction("f16", "max", dim, 40, 40, 64, 16), reduction("i64", "add", dim, 100, 20, 128, 8),
                  reduction("f64", "mul", dim, 12, 50, 4, 32), reduction("i8", "add", dim, 31, 63, 8, 256),
                  reduction("bf16", "add", dim, 17, 100, 2, 512)]
    cases += [strided_copy("f32", 50, 60, 131, 2, 16, 32), strided_copy("f16", 64, 64, 1, 64, 32, 32),
              strided_copy("i8", 45, 30, 40, 1, 32, 32), strided_copy("f64", 9, 200, 3, 30, 8, 64)]
    cases += [matmul("f32", "f32", 33, 47, 50, 16, 16, 16), matmul("f16", "f32", 40, 24, 64, 32, 8, 16),
              matmul("i8", "i32", 20, 36, 30, 8, 32, 8), matmul("f64", "f64", 17, 19, 23, 16, 16, 4),
              matmul("bf16", "f32", 32, 32, 32, 16, 32, 8)]
    cases += [control(1000, 128), control(300, 32)]
    kinds = ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")
    cases += [conversions(s, d, 333, 128) for s in kinds for d in kinds if s != d]
    for fn in ("exp", "exp2", "log", "log2", "sqrt", "rsqrt", "tanh"):
        cases += [math(fn, t, 500, 256) for t in ("f32", "f16", "f64", "bf16")]
    import kernels_memory  # these import this module
    import kernels_divisions
    import kernels_identity
    import kernels_nibbles
    import kernels_single
    import matrix_kernels
    return cases + matrix_kernels.all_cases() + kernels_memory.cases() + kernels_nibbles.cases() + kernels_identity.cases() + kernels_single.cases() + kernels_divisions.cases()
