# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose tile blocks share bytes: elements of four bits, cut at odd places.

The race checker (on with --check) sees every merge of half a byte that is not atomic, whatever order the blocks run in, and the
bounds checker what lies after an array whose size is no multiple of four bytes.
"""

from kernels import Case, ceil_div, module, splat, tile, view2d
from kernels_memory import pointers, positions

F4 = "f4E2M1FN"


def negated(x, y, shape):
    """%y = -%x, by way of f32: there is no arithmetic on four bits."""
    a, b = tile(shape, F4), tile(shape, "f32")
    return f"%{y}_w = ftof %{x} : {a} -> {b}\n%{y}_n = negf %{y}_w : {b}\n%{y} = ftof %{y}_n : {b} -> {a}\n"


def array(name, extents, seed, out=True):
    return f"{'out:' if out else ''}{name}:{F4}[{'x'.join(map(str, extents))}]=random(lo=-6,hi=6,seed={seed})"


def blocks2d(m, n, tm, tn, in_place=False, transposed=False, aligned=False, order="weak"):
    """Tiles of tm x tn of an m x n array, one block each, row-major or column-major."""
    shape = tile([tm, tn], F4)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n"
    strides = ("one", "m") if transposed else None
    va, pa = view2d("a", "y" if in_place else "x", "m", "n", "n", tm, tn, F4, "zero", strides=strides, aligned=aligned)
    vo, po = view2d("o", "y", "m", "n", "n", tm, tn, F4, strides=strides, aligned=aligned)
    if transposed:  # the type must know the stride that is 1
        va, pa, vo, po = (s.replace("strides=[?,?]", "strides=[1,?]").replace("strides = [%one, %m]", "strides = [1, %m]") for s in (va, pa, vo, po))
    load = "relaxed device" if order != "weak" else order
    body += va + vo + f"%v, %t0 = load_view_tko {load} %a[%bx, %by] : {pa}, tile<i32> -> {shape}, token\n" + negated("v", "w", [tm, tn])
    body += f"%t1 = store_view_tko {order} %w, %o[%bx, %by] token = %t0 : {shape}, {po}, tile<i32> -> token\n"
    text = module("blocks", f"%x: tile<ptr<{F4}>>, %y: tile<ptr<{F4}>>, %m: tile<i32>, %n: tile<i32>", body)
    marks = [w for w, on in (("inplace", in_place), ("transposed", transposed), ("aligned", aligned), (order.replace(" ", "-"), order != "weak")) if on]
    return Case("-".join([f"nibble-blocks-{m}x{n}-t{tm}x{tn}", *marks]), text, "blocks", (ceil_div(m, tm), ceil_div(n, tn), 1),
                [array("x", [m, n], 50, False), array("y", [m, n], 51), f"i32={m}", f"i32={n}"])


def through_pointers(n, count, block, order="weak", factor=1, first=0, in_place=False):
    """Tile block b moves elements b*count to b*count+count-1 of n (count <= block, odd: two blocks share a byte) to
    place (factor * i + first) mod n."""
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + f"%cc = constant <i32: {count}> : tile<i32>\n%start = muli %bx, %cc : tile<i32>\n"
    vec, mask = tile([block], "i32"), tile([block], "i1")
    body += f"%lane = iota : {vec}\n" + splat("sb", "start", [block], "i32") + f"%i = addi %sb, %lane : {vec}\n" + splat("nb", "n", [block], "i32")
    body += f"%inside = cmpi less_than %i, %nb, signed : {vec} -> {mask}\n%limit = constant <i32: {count}> : {vec}\n"
    body += f"%mine = cmpi less_than %lane, %limit, signed : {vec} -> {mask}\n%in = andi %inside, %mine : {mask}\n"
    body += f"%cf = constant <i32: {factor}> : {vec}\n%c1 = constant <i32: {first}> : {vec}\n%j0 = muli %i, %cf : {vec}\n%j1 = addi %j0, %c1 : {vec}\n"
    body += f"%j = remi %j1, %nb signed : {vec}\n" + pointers("p", "y" if in_place else "x", "j" if in_place else "i", [block], F4) + pointers("q", "y", "j", [block], F4)
    t, p = tile([block], F4), tile([block], f"ptr<{F4}>")
    load = "weak" if order == "weak" else "relaxed device"
    body += f"%zero = constant <{F4}: 0.0> : {t}\n%v, %t0 = load_ptr_tko {load} %p, %in, %zero : {p}, {mask}, {t} -> {t}, token\n" + negated("v", "w", [block])
    body += f"%t1 = store_ptr_tko {order} %q, %w, %in token=%t0 : {p}, {t}, {mask} -> token\n"
    text = module("move", f"%x: tile<ptr<{F4}>>, %y: tile<ptr<{F4}>>, %n: tile<i32>", body)
    return Case(f"nibble-pointers-{n}-c{count}-b{block}-{order.replace(' ', '-')}-f{factor}-{first}" + ("-inplace" if in_place else ""), text, "move",
                (ceil_div(n, count), 1, 1), [array("x", [n], 52, False), array("y", [n], 53), f"i32={n}"])


def strided(n, width, step):
    """Tiles of `width` elements, `step` apart: what lies between two tiles stays."""
    tv = f"tensor_view<?x{F4}, strides=[1]>"
    sv = f"strided_view<tile=({width}), traversal_strides=[{step}], {tv}>"
    shape = tile([width], F4)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
    for a, base in (("a", "x"), ("o", "y")):
        body += f"%{a}_t = make_tensor_view %{base}, shape = [%n], strides = [1] : tile<i32> -> {tv}\n%{a} = make_strided_view %{a}_t : {sv}\n"
    body += f"%v, %t0 = load_view_tko weak %a[%bx] : {sv}, tile<i32> -> {shape}, token\n" + negated("v", "w", [width])
    body += f"%t1 = store_view_tko weak %w, %o[%bx] : {shape}, {sv}, tile<i32> -> token\n"
    text = module("strided", f"%x: tile<ptr<{F4}>>, %y: tile<ptr<{F4}>>, %n: tile<i32>", body)
    return Case(f"nibble-strided-{n}-w{width}-s{step}", text, "strided", (ceil_div(n, step), 1, 1),
                [array("x", [n], 54, False), array("y", [n], 55), f"i32={n}"])


def scattered(m, n, tm, tn, axis):
    """Rows or columns in reverse order, by a scatter; one block per tile along the axis, all of the other dimension."""
    extent, size = (m, tm) if axis == 0 else (n, tn)
    tv = f"tensor_view<{m}x{n}x{F4}, strides=[{n},1]>"
    gv = f"gather_scatter_view<tile=({tm}x{tn}), {tv}, sparse_dim={axis}>"
    shape, vec = tile([tm, tn], F4), tile([size], "i32")
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + f"%cs = constant <i32: {size}> : tile<i32>\n%start = muli %bx, %cs : tile<i32>\n"
    body += f"%lane = iota : {vec}\n" + splat("sb", "start", [size], "i32") + f"%i = addi %sb, %lane : {vec}\n"
    body += f"%last = constant <i32: {extent - 1}> : {vec}\n%back = subi %last, %i : {vec}\n"  # beyond the edge: huge, outside
    for a, base in (("a", "x"), ("o", "y")):
        body += f"%{a}_t = make_tensor_view %{base}, shape = [{m}, {n}], strides = [{n}, 1] : {tv}\n%{a} = make_gather_scatter_view %{a}_t : {gv}\n"
    body += f"%co = constant <i32: {tn if axis == 0 else tm}> : tile<i32>\n%other = muli %by, %co : tile<i32>\n"  # in elements, unlike tiles of partitions
    at = lambda i: f"%{i}, %other" if axis == 0 else f"%other, %{i}"
    types = f"{vec}, tile<i32>" if axis == 0 else f"tile<i32>, {vec}"
    body += f"%v, %t0 = load_view_tko weak %a[{at('i')}] : {gv}, {types} -> {shape}, token\n" + negated("v", "w", [tm, tn])
    body += f"%t1 = store_view_tko weak %w, %o[{at('back')}] : {shape}, {gv}, {types} -> token\n"
    text = module("scattered", f"%x: tile<ptr<{F4}>>, %y: tile<ptr<{F4}>>", body)
    other, step = (n, tn) if axis == 0 else (m, tm)
    return Case(f"nibble-scatter{axis}-{m}x{n}-t{tm}x{tn}", text, "scattered", (ceil_div(extent, size), ceil_div(other, step), 1),
                [array("x", [m, n], 56, False), array("y", [m, n], 57)])


def odd_base(n, off, block):
    """A view that begins `off` elements after the pointer: its pairs are not bytes. What is before it stays."""
    tv, pv = f"tensor_view<?x{F4}, strides=[1]>", f"partition_view<tile=({block}), padding_value = neg_zero, tensor_view<?x{F4}, strides=[1]>>"
    shape = tile([block], F4)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%m = assume div_by<16>, %n : tile<i32>\n" + f"%off = constant <i32: {off}> : tile<i32>\n"
    for a, base in (("a", "x"), ("o", "y")):
        body += f"%{base}_a = assume div_by<16>, %{base} : tile<ptr<{F4}>>\n%{a}_p = offset %{base}_a, %off : tile<ptr<{F4}>>, tile<i32> -> tile<ptr<{F4}>>\n"
        body += f"%{a}_t = make_tensor_view %{a}_p, shape = [%m], strides = [1] : tile<i32> -> {tv}\n%{a} = make_partition_view %{a}_t : {pv}\n"
    body += f"%v, %t0 = load_view_tko weak %a[%bx] : {pv}, tile<i32> -> {shape}, token\n" + negated("v", "w", [block])
    body += f"%t1 = store_view_tko weak %w, %o[%bx] : {shape}, {pv}, tile<i32> -> token\n"
    text = module("base", f"%x: tile<ptr<{F4}>>, %y: tile<ptr<{F4}>>, %n: tile<i32>", body)
    return Case(f"nibble-base-{n}-o{off}-b{block}", text, "base", (ceil_div(n, block), 1, 1),
                [array("x", [n + off], 58, False), array("y", [n + off], 59), f"i32={n}"])


def global_and_scratch(n, block):
    """A table of an odd number of elements after a global, scratch memory written one element apart from where it is read, both by odd offsets."""
    values = [0.5, -6.0, 1.5, 2.0, -3.0, 4.0, 6.0, -0.5]
    table = ", ".join(str(values[k]) for k in range(8))
    body = positions(block) + f"%g = get_global @table : tile<ptr<{F4}>>\n%seven = constant <i32: 7> : {tile([block], 'i32')}\n"
    body += f"%k = remi %i, %seven signed : {tile([block], 'i32')}\n%one = constant <i32: 1> : {tile([block], 'i32')}\n%k1 = addi %k, %one : {tile([block], 'i32')}\n"
    body += pointers("gp", "g", "k1", [block], F4)
    t, p, m = tile([block], F4), tile([block], f"ptr<{F4}>"), tile([block], "i1")
    body += f"%v, %t0 = load_ptr_tko weak %gp : {p} -> {t}, token\n%s = alloca num_elem = {block + 1}, alignment = 1 : tile<ptr<{F4}>>\n"
    body += f"%l1 = addi %lane, %one : {tile([block], 'i32')}\n" + pointers("sp", "s", "l1", [block], F4)
    body += f"%t1 = store_ptr_tko weak %sp, %v token=%t0 : {p}, {t} -> token\n%z, %t2 = load_ptr_tko weak %sp token=%t1 : {p} -> {t}, token\n"
    body += negated("z", "w", [block]) + pointers("yp", "y", "i", [block], F4)
    body += f"%t3 = store_ptr_tko weak %yp, %w, %in : {p}, {t}, {m} -> token\n"
    text = module("store", f"%y: tile<ptr<{F4}>>, %n: tile<i32>", body).replace("  entry", f"  global @table <{F4}: [{table}]> : tile<8x{F4}>\n  entry", 1)
    return Case(f"nibble-global-{n}-b{block}", text, "store", (ceil_div(n, block), 1, 1), [array("y", [n], 60), f"i32={n}"])


def cases():
    return [blocks2d(9, 7, 4, 1), blocks2d(9, 7, 4, 1, in_place=True), blocks2d(5, 33, 2, 16), blocks2d(5, 33, 2, 16, in_place=True),
            blocks2d(7, 9, 4, 8, transposed=True), blocks2d(3, 5, 1, 2, in_place=True), blocks2d(32, 48, 16, 32, aligned=True), blocks2d(5, 7, 1, 2, order="relaxed device"),
            blocks2d(9, 3, 8, 1, order="release device", in_place=True), blocks2d(1, 1, 1, 2), blocks2d(64, 65, 32, 64, in_place=True),
            through_pointers(61, 13, 16), through_pointers(61, 13, 16, in_place=True), through_pointers(1, 1, 2), through_pointers(3, 1, 4),
            through_pointers(101, 32, 32, factor=7, first=3), through_pointers(101, 32, 32, factor=7, first=3, in_place=True), through_pointers(301, 127, 128),
            through_pointers(61, 13, 16, "relaxed device"), through_pointers(61, 13, 16, "release tl_blk"), through_pointers(33, 16, 16, "release sys", factor=5, in_place=True),
            strided(50, 2, 3), strided(41, 4, 5), strided(37, 8, 8), strided(33, 2, 1 + 1),
            scattered(9, 7, 4, 8, 0), scattered(5, 13, 4, 4, 1), scattered(16, 32, 8, 16, 1), scattered(16, 31, 8, 16, 0),
            odd_base(64, 1, 32), odd_base(48, 3, 16), odd_base(64, 2, 32), odd_base(64, 16, 32), global_and_scratch(61, 16), global_and_scratch(7, 8)]
