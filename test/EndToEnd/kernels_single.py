# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One operation at a time: element-wise operations over several types, scans, casts of pointers, queries, prints, assertions."""

from kernels import Case, ceil_div, is_float, literal, module, splat, tile
from kernels_memory import pointers, positions


def elementwise(op, sources, result, line, n, block, lo=-9, hi=9, tolerance="exact", fill="0"):
    """%x0, %x1, ... loaded element by element, %y computed by `line`, stored."""
    body = positions(block)
    for k, t in enumerate(sources):
        v = tile([block], t)
        body += pointers(f"p{k}", f"a{k}", "i", [block], t) + f"%z{k} = constant <{t}: {literal(t, 1)}> : {v}\n"
        body += f"%x{k}, %t{k} = load_ptr_tko weak %p{k}, %in, %z{k} : {tile([block], f'ptr<{t}>')}, {tile([block], 'i1')}, {v} -> {v}, token\n"
    body += line + "\n" + pointers("q", "o", "i", [block], result)
    body += f"%s = store_ptr_tko weak %q, %y, %in : {tile([block], f'ptr<{result}>')}, {tile([block], result)}, {tile([block], 'i1')} -> token\n"
    params = ", ".join([f"%a{k}: tile<ptr<{t}>>" for k, t in enumerate(sources)] + [f"%o: tile<ptr<{result}>>", "%n: tile<i32>"])
    name = "single-" + op + "-" + "-".join(sources + [result])
    return Case(name, module("single", params, body), "single", (ceil_div(n, block), 1, 1),
                [f"a{k}:{t}[{n}]=random(lo={lo},hi={hi},seed={40 + k})" for k, t in enumerate(sources)] + [f"out:o:{result}[{n}]=poison", f"i32={n}"],
                tolerance)


def unary(op, t, suffix="", **more):
    return elementwise(op, [t], t, f"%y = {op} %x0{suffix} : {tile([64], t)}", 100, 64, **more)


def binary(op, t, suffix="", **more):
    return elementwise(op, [t, t], t, f"%y = {op} %x0, %x1{suffix} : {tile([64], t)}", 100, 64, **more)


def scan(op, t, shape, dim, reverse):
    """Prefixes along an axis, of a whole tile."""
    size, v = 1, tile(shape, t)
    for d in shape:
        size *= d
    flat = tile([size], t)
    body = f"%i = iota : tile<{size}xi32>\n" + pointers("p", "a", "i", [size], t) + pointers("q", "o", "i", [size], t)
    body += f"%x, %t0 = load_ptr_tko weak %p : {tile([size], f'ptr<{t}>')} -> {flat}, token\n"
    x = "%x"
    if len(shape) > 1:
        body += f"%xs = reshape %x : {flat} -> {v}\n"
        x = "%xs"
    identity = f"{literal(t, 1 if op[:3] == 'mul' else 0)} : {t}"
    body += (f"%y = scan {x} dim={dim} reverse={'true' if reverse else 'false'} identities=[{identity}] : {v} -> {v}\n"
             f"(%acc: tile<{t}>, %e: tile<{t}>) {{\n  %u = {op} %acc, %e : tile<{t}>\n  yield %u : tile<{t}>\n}}\n")
    y = "%y"
    if len(shape) > 1:
        body += f"%ys = reshape %y : {v} -> {flat}\n"
        y = "%ys"
    body += f"%t1 = store_ptr_tko weak %q, {y} : {tile([size], f'ptr<{t}>')}, {flat} -> token\n"
    text = module("scan", f"%a: tile<ptr<{t}>>, %o: tile<ptr<{t}>>", body)
    return Case(f"scan-{op}-{t}-{'x'.join(map(str, shape))}-d{dim}" + ("-reverse" if reverse else ""), text, "scan", (1, 1, 1),
                [f"a:{t}[{size}]=random(lo=1,hi=3,seed=42)", f"out:o:{t}[{size}]=poison"],
                {"f32": "rel:1e-5,abs:1e-6", "f64": "rel:1e-12,abs:1e-12"}.get(t, "exact"))


def addresses(n, block):
    """Pointers as integers and back, pointers of another type."""
    body = positions(block) + pointers("p", "a", "i", [block], "f32")
    P, Q, A = tile([block], "ptr<f32>"), tile([block], "ptr<i32>"), tile([block], "i64")
    body += f"%l = ptr_to_int %p : {P} -> {A}\n%zero64 = constant <i64: 0> : {A}\n%m = addi %l, %zero64 : {A}\n%b = int_to_ptr %m : {A} -> {P}\n"
    body += f"%c = ptr_to_ptr %b : {P} -> {Q}\n%no = constant <i32: 0> : {tile([block], 'i32')}\n"
    body += f"%x, %t0 = load_ptr_tko weak %c, %in, %no : {Q}, {tile([block], 'i1')}, {tile([block], 'i32')} -> {tile([block], 'i32')}, token\n"
    body += f"%y = bitcast %x : {tile([block], 'i32')} -> {tile([block], 'f32')}\n%w = negf %y : {tile([block], 'f32')}\n"
    body += pointers("q", "o", "i", [block], "f32")
    body += "%k = make_token : token\n%j = join_tokens %k, %t0 : token\n"
    body += f"%t1 = store_ptr_tko weak %q, %w, %in token=%j : {P}, {tile([block], 'f32')}, {tile([block], 'i1')} -> token\n"
    text = module("addresses", "%a: tile<ptr<f32>>, %o: tile<ptr<f32>>, %n: tile<i32>", body)
    return Case(f"addresses-{n}-b{block}", text, "addresses", (ceil_div(n, block), 1, 1),
                [f"a:f32[{n}]=random(seed=43)", f"out:o:f32[{n}]=poison", f"i32={n}"])


def queries(m, n):
    """Grid, extents and tile numbers, stored by the first tile block; printed and asserted on the way."""
    tv = "tensor_view<?x?xf32, strides=[?,1]>"
    pv = f"partition_view<tile=(8x16), {tv}>"
    sv = f"strided_view<tile=(8x16), traversal_strides=[4,24], {tv}>"
    body = "%b0, %b1, %b2 = get_tile_block_id : tile<i32>\n%g0, %g1, %g2 = get_num_tile_blocks : tile<i32>\n"
    body += f"%t = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> {tv}\n"
    body += f"%v = make_partition_view %t : {pv}\n%s = make_strided_view %t : {sv}\n"
    body += f"%e0, %e1 = get_tensor_shape %t : {tv} -> tile<i32>\n%v0, %v1 = get_index_space_shape %v : {pv} -> tile<i32>\n"
    body += f"%s0, %s1 = get_index_space_shape %s : {sv} -> tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n"
    body += '%ok = cmpi less_than %b0, %g0, signed : tile<i32> -> tile<i1>\nassert %ok, "a tile block outside the grid" : tile<i1>\n'
    body += '%pt = print_tko "block %d of %d\\n", %b0, %g0 : tile<i32>, tile<i32> -> token\n'
    body += "%first = cmpi equal %b0, %c0, signed : tile<i32> -> tile<i1>\nif %first {\n"
    for k, name in enumerate(("g0", "g1", "g2", "e0", "e1", "v0", "v1", "s0", "s1")):
        body += f"%k{k} = constant <i32: {k}> : tile<i32>\n%q{k} = offset %o, %k{k} : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
        body += f"%w{k} = store_ptr_tko weak %q{k}, %{name} : tile<ptr<i32>>, tile<i32> -> token\n"
    body += "}\n"
    text = module("queries", "%a: tile<ptr<f32>>, %o: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>", body)
    return Case(f"queries-{m}x{n}", text, "queries", (3, 1, 1), [f"a:f32[{m}x{n}]=random(seed=44)", "out:o:i32[9]=poison", f"i32={m}", f"i32={n}"])


def strided_view(t, m, n):
    """Overlapping and gapped tiles: steps that are not the tile's extents."""
    tv = f"tensor_view<?x?x{t}, strides=[?,1]>"
    sv = f"strided_view<tile=(8x16), traversal_strides=[4,24], padding_value = zero, {tv}>"
    pv = f"partition_view<tile=(8x16), {tv}>"
    v = tile([8, 16], t)
    rows, cols = ceil_div(m, 4), ceil_div(n, 24)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
    body += f"%t = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> {tv}\n%s = make_strided_view %t : {sv}\n"
    body += f"%om = constant <i32: {8 * rows}> : tile<i32>\n%on = constant <i32: {16 * cols}> : tile<i32>\n"
    body += f"%u = make_tensor_view %o, shape = [%om, %on], strides = [%on, 1] : tile<i32> -> {tv}\n%p = make_partition_view %u : {pv}\n"
    body += f"%x, %t0 = load_view_tko weak %s[%bx, %by] : {sv}, tile<i32> -> {v}, token\n"
    body += f"%t1 = store_view_tko weak %x, %p[%bx, %by] : {v}, {pv}, tile<i32> -> token\n"
    text = module("strided", f"%a: tile<ptr<{t}>>, %o: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    return Case(f"strided-view-{t}-{m}x{n}", text, "strided", (rows, cols, 1),
                [f"a:{t}[{m}x{n}]=random(lo=-9,hi=9,seed=45)", f"out:o:{t}[{8 * rows}x{16 * cols}]=poison", f"i32={m}", f"i32={n}"])


def insertion(t):
    """A small tile put into a larger one at a run-time place."""
    big, small, flat = tile([16, 16], t), tile([4, 8], t), tile([256], t)
    body = f"%i = iota : tile<256xi32>\n" + pointers("p", "a", "i", [256], t) + pointers("q", "o", "i", [256], t)
    body += f"%x, %t0 = load_ptr_tko weak %p : {tile([256], f'ptr<{t}>')} -> {flat}, token\n%xs = reshape %x : {flat} -> {big}\n"
    body += f"%part = extract %xs[%r, %c] : {big} -> {small}\n%c1 = constant <i32: 1> : tile<i32>\n%c3 = constant <i32: 3> : tile<i32>\n"
    body += f"%y = insert %part, %xs[%c3, %c1] : {small}, {big}\n%ys = reshape %y : {big} -> {flat}\n"
    body += f"%t1 = store_ptr_tko weak %q, %ys : {tile([256], f'ptr<{t}>')}, {flat} -> token\n"
    text = module("insertion", f"%a: tile<ptr<{t}>>, %o: tile<ptr<{t}>>, %r: tile<i32>, %c: tile<i32>", body)
    return Case(f"insert-{t}", text, "insertion", (1, 1, 1), [f"a:{t}[256]=random(lo=-9,hi=9,seed=46)", f"out:o:{t}[256]=poison", "i32=2", "i32=0"])


def cases():
    ulp = {"f32": "ulp:2", "f64": "ulp:2", "f16": "ulp:1", "bf16": "ulp:1"}
    result = []
    for t in ("f32", "f16", "f64", "bf16"):
        result += [unary(op, t) for op in ("ceil", "floor", "absf")]
        result += [unary(op, t, lo=-4, hi=4, tolerance=ulp[t]) for op in ("cos", "sin", "tan", "cosh", "sinh")]
        result += [binary("fpowf", t, lo=0.1, hi=4, tolerance=ulp[t]), binary("atan2", t, tolerance=ulp[t]), binary("remf", t)]
    for t in ("i8", "i16", "i32", "i64"):
        result += [unary("absi", t), binary("mulhii", t)]
    result += [scan("addi", "i32", [256], 0, False), scan("addi", "i64", [8, 32], 1, True), scan("addf", "f32", [16, 16], 0, False),
               scan("muli", "i8", [4, 8, 16], 1, False), scan("addf", "f64", [128], 0, True), scan("addi", "i16", [1024], 0, False)]
    result += [addresses(100, 64), queries(50, 70), strided_view("f32", 30, 50), strided_view("i8", 17, 60), insertion("f32"), insertion("i16"), insertion("f64")]
    return result
