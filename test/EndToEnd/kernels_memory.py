# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels around memory: atomics, byte-sized booleans, gathers and scatters, packing, globals, scratch memory, fences.

What atomics leave behind must not depend on their order, or there would be nothing to compare: integers commute, floats are
small whole numbers whose sums are exact, and old values are looked at where every element has its own place.
"""

from kernels import Case, ceil_div, is_float, literal, module, splat, tile, view2d


def pointers(name, base, index, shape, t):
    """%name: pointers to element %index of array %base."""
    return (splat(name + "_b", base, shape, f"ptr<{t}>") +
            f"%{name} = offset %{name}_b, %{index} : {tile(shape, f'ptr<{t}>')}, {tile(shape, 'i32')} -> {tile(shape, f'ptr<{t}>')}\n")


def positions(block):
    """%i: positions of the tile block's elements; %in: which of them exist (of %n)."""
    return (f"%bx, %by, %bz = get_tile_block_id : tile<i32>\n%cb = constant <i32: {block}> : tile<i32>\n"
            f"%start = muli %bx, %cb : tile<i32>\n%lane = iota : tile<{block}xi32>\n" + splat("sb", "start", [block], "i32") +
            f"%i = addi %sb, %lane : tile<{block}xi32>\n" + splat("nb", "n", [block], "i32") +
            f"%in = cmpi less_than %i, %nb, signed : tile<{block}xi32> -> tile<{block}xi1>\n")


def hints(warps):
    return f" optimization_hints=<default = {{num_worker_warps_per_cta = {warps}}}>" if warps else ""


def histogram(mode, t, n, block, bins, order="relaxed device", warps=None):
    """Every element goes into a bin with an atomic; many elements share one."""
    body = positions(block) + pointers("xp", "x", "i", [block], "i32")
    body += f"%zero = constant <i32: 0> : tile<{block}xi32>\n"
    body += f"%v, %t0 = load_ptr_tko weak %xp, %in, %zero : {tile([block], 'ptr<i32>')}, {tile([block], 'i1')}, {tile([block], 'i32')} -> {tile([block], 'i32')}, token\n"
    body += f"%cbins = constant <i32: {bins}> : tile<{block}xi32>\n%bin = remi %i, %cbins signed : tile<{block}xi32>\n"
    body += pointers("hp", "h", "bin", [block], t)
    if is_float(t):
        body += f"%w = itof %v signed : {tile([block], 'i32')} -> {tile([block], t)}\n"
    elif t == "i64":
        body += f"%w = exti %v signed : {tile([block], 'i32')} -> {tile([block], t)}\n"
    w = "%v" if t == "i32" else "%w"
    body += (f"%old, %t1 = atomic_rmw_tko {order} %hp, {mode}, {w}, %in : {tile([block], f'ptr<{t}>')}, {tile([block], t)}, "
             f"{tile([block], 'i1')} -> {tile([block], t)}, token\n")
    text = module("histogram", f"%x: tile<ptr<i32>>, %h: tile<ptr<{t}>>, %n: tile<i32>", body, hints(warps))
    lo, hi = (0, 3) if t in ("f16", "bf16") else (-100, 100)
    return Case(f"atomic-{mode}-{t}-{n}-b{block}-h{bins}" + (f"-w{warps}" if warps else "") + ("" if order == "relaxed device" else "-" + order.replace(" ", "-")),
                text, "histogram", (ceil_div(n, block), 1, 1),
                [f"x:i32[{n}]=random(lo={lo},hi={hi},seed=21)", f"out:h:{t}[{bins}]=" + ("zeros" if is_float(t) else "random(lo=-9,hi=9,seed=22)"),
                 f"i32={n}"])


def old_values(mode, t, n, block, order="relaxed device", warps=None, shape=None):
    """Each element at its own place, in reverse; the values before are stored. mode cas compares with the neighbour's value."""
    shape = shape or [block]
    vec = tile([block], t)
    body = positions(block) + f"%n1 = constant <i32: {n - 1}> : tile<{block}xi32>\n%j = subi %n1, %i : tile<{block}xi32>\n"
    body += pointers("xp", "x", "i", [block], t) + pointers("hp", "h", "j", [block], t) + pointers("op", "o", "i", [block], t)
    body += f"%zero = constant <{t}: {literal(t, 0)}> : {vec}\n"
    body += f"%v, %t0 = load_ptr_tko weak %xp, %in, %zero : {tile([block], f'ptr<{t}>')}, {tile([block], 'i1')}, {vec} -> {vec}, token\n"
    p, m = tile(shape, f"ptr<{t}>"), tile(shape, "i1")
    names = {"hp": p, "v": tile(shape, t), "in": m, "zero": tile(shape, t)}
    if shape != [block]:
        for name, type in names.items():
            one = type.replace("tile<" + "x".join(map(str, shape)), f"tile<{block}")
            body += f"%{name}_s = reshape %{name} : {one} -> {type}\n"
        suffix = "_s"
    else:
        suffix = ""
    v = tile(shape, t)
    if mode == "cas":
        body += (f"%old, %t1 = atomic_cas_tko {order} %hp{suffix}, %zero{suffix}, %v{suffix}, %in{suffix} : {p}, {v}, {m} -> {v}, token\n")
    else:
        body += f"%old, %t1 = atomic_rmw_tko {order} %hp{suffix}, {mode}, %v{suffix}, %in{suffix} : {p}, {v}, {m} -> {v}, token\n"
    old = "%old"
    if suffix:
        body += f"%old_v = reshape %old : {v} -> {vec}\n"
        old = "%old_v"
    body += f"%t2 = store_ptr_tko weak %op, {old}, %in : {tile([block], f'ptr<{t}>')}, {vec}, {tile([block], 'i1')} -> token\n"
    text = module("old", f"%x: tile<ptr<{t}>>, %h: tile<ptr<{t}>>, %o: tile<ptr<{t}>>, %n: tile<i32>", body, hints(warps))
    # Halves of the places hold zero, so that the comparison succeeds there.
    init = "random(lo=0,hi=2,seed=24)" if mode == "cas" and not is_float(t) else "zeros" if mode == "cas" else "random(lo=-9,hi=9,seed=24)"
    return Case(f"atomic-old-{mode}-{t}-{n}-b{block}" + (f"-w{warps}" if warps else "") + ("" if order == "relaxed device" else "-" + order.replace(" ", "-")) +
                ("" if shape == [block] else "-" + "x".join(map(str, shape))),
                text, "old", (ceil_div(n, block), 1, 1),
                [f"x:{t}[{n}]=random(lo=-9,hi=9,seed=23)", f"out:h:{t}[{n}]={init}", f"out:o:{t}[{n}]=poison", f"i32={n}"])


def last_block(n, block):
    """Every tile block leaves a partial sum; the one that counts to the end adds them up (release and acquire on the counter)."""
    blocks = ceil_div(n, block)
    size = 1 << (blocks - 1).bit_length()
    body = positions(block) + pointers("xp", "x", "i", [block], "i32") + f"%zero = constant <i32: 0> : tile<{block}xi32>\n"
    body += f"%v, %t0 = load_ptr_tko weak %xp, %in, %zero : {tile([block], 'ptr<i32>')}, {tile([block], 'i1')}, {tile([block], 'i32')} -> {tile([block], 'i32')}, token\n"
    body += (f"%s = reduce %v dim=0 identities=[0 : i32] : {tile([block], 'i32')} -> tile<i32>\n"
             "(%e: tile<i32>, %acc: tile<i32>) {\n  %u = addi %e, %acc : tile<i32>\n  yield %u : tile<i32>\n}\n")
    body += "%pp = offset %p, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
    body += "%t1 = store_ptr_tko weak %pp, %s : tile<ptr<i32>>, tile<i32> -> token\n"
    body += "%one = constant <i32: 1> : tile<i32>\n"
    body += "%old, %t2 = atomic_rmw_tko acq_rel device %c, add, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n"
    body += f"%last = constant <i32: {blocks - 1}> : tile<i32>\n%is = cmpi equal %old, %last, signed : tile<i32> -> tile<i1>\n"
    inner = f"%k = iota : tile<{size}xi32>\n%m = constant <i32: {blocks}> : tile<{size}xi32>\n%z = constant <i32: 0> : tile<{size}xi32>\n"
    inner += f"%kin = cmpi less_than %k, %m, signed : tile<{size}xi32> -> tile<{size}xi1>\n" + pointers("ap", "p", "k", [size], "i32")
    inner += (f"%parts, %t3 = load_ptr_tko weak %ap, %kin, %z token=%t2 : {tile([size], 'ptr<i32>')}, {tile([size], 'i1')}, {tile([size], 'i32')} "
              f"-> {tile([size], 'i32')}, token\n")
    inner += (f"%sum = reduce %parts dim=0 identities=[0 : i32] : {tile([size], 'i32')} -> tile<i32>\n"
              "(%e2: tile<i32>, %acc2: tile<i32>) {\n  %u2 = addi %e2, %acc2 : tile<i32>\n  yield %u2 : tile<i32>\n}\n")
    inner += "%t4 = store_ptr_tko weak %o, %sum : tile<ptr<i32>>, tile<i32> -> token\n"
    body += "if %is {\n" + inner + "}\n"
    text = module("last", "%x: tile<ptr<i32>>, %p: tile<ptr<i32>>, %c: tile<ptr<i32>>, %o: tile<ptr<i32>>, %n: tile<i32>", body)
    return Case(f"atomic-last-block-{n}-b{block}", text, "last", (blocks, 1, 1),
                [f"x:i32[{n}]=random(lo=-9,hi=9,seed=25)", f"out:p:i32[{blocks}]=poison", "out:c:i32[1]=zeros", "out:o:i32[1]=poison", f"i32={n}"])


def spin_lock(blocks, block):
    """A row of numbers behind a lock: taken by compare-and-swap, given back by an exchange."""
    body = f"%i = iota : tile<{block}xi32>\n" + pointers("dp", "d", "i", [block], "i32")
    body += "%free = constant <i32: 0> : tile<i32>\n%taken = constant <i32: 1> : tile<i32>\n"
    body += ("%got = loop : token {\n"
             "  %old, %t = atomic_cas_tko acquire device %l, %free, %taken : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n"
             "  %mine = cmpi equal %old, %free, signed : tile<i32> -> tile<i1>\n"
             "  if %mine {\n    break %t : token\n  }\n  continue\n}\n")
    p, v = tile([block], "ptr<i32>"), tile([block], "i32")
    body += f"%v, %t1 = load_ptr_tko weak %dp token=%got : {p} -> {v}, token\n%w = addi %v, %i : {v}\n"
    body += f"%t2 = store_ptr_tko weak %dp, %w token=%t1 : {p}, {v} -> token\n"
    body += "%o, %t3 = atomic_rmw_tko release device %l, xchg, %free token=%t2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n"
    text = module("lock", "%l: tile<ptr<i32>>, %d: tile<ptr<i32>>", body)
    return Case(f"atomic-lock-{blocks}-b{block}", text, "lock", (blocks, 1, 1),
                ["out:l:i32[1]=zeros", f"out:d:i32[{block}]=random(lo=-9,hi=9,seed=26)"])


def reduce_into_view(mode, t, m, n, tm, tn, gm):
    """Tiles of a tall array, all added into (or folded over) one small one."""
    wide = f"tensor_view<?x?xi32, strides=[?,1]>"
    flat = f"tensor_view<?x?x{t}, strides=[?,1]>"
    pv, po = f"partition_view<tile=({tm}x{tn}), padding_value = zero, {wide}>", f"partition_view<tile=({tm}x{tn}), {flat}>"
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
    body += f"%at = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> {wide}\n%av = make_partition_view %at : {pv}\n"
    body += f"%small = constant <i32: {gm}> : tile<i32>\n"
    body += f"%ot = make_tensor_view %o, shape = [%small, %n], strides = [%n, 1] : tile<i32> -> {flat}\n%ov = make_partition_view %ot : {po}\n"
    body += f"%x, %t0 = load_view_tko weak %av[%bx, %by] : {pv}, tile<i32> -> {tile([tm, tn], 'i32')}, token\n"
    y = "%x"
    if is_float(t):
        body += f"%y = itof %x signed : {tile([tm, tn], 'i32')} -> {tile([tm, tn], t)}\n"
        y = "%y"
    elif t == "i64":
        body += f"%y = exti %x signed : {tile([tm, tn], 'i32')} -> {tile([tm, tn], t)}\n"
        y = "%y"
    body += "%c0 = constant <i32: 0> : tile<i32>\n"
    body += f"%t1 = atomic_red_view_tko relaxed device %ov[%c0, %by], {mode}, {y} : {tile([tm, tn], t)}, {po}, tile<i32> -> token\n"
    text = module("fold", f"%a: tile<ptr<i32>>, %o: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    return Case(f"atomic-view-{mode}-{t}-{m}x{n}-t{tm}x{tn}", text, "fold", (ceil_div(m, tm), ceil_div(n, tn), 1),
                [f"a:i32[{m}x{n}]=random(lo=0,hi=3,seed=27)", f"out:o:{t}[{gm}x{n}]=zeros", f"i32={m}", f"i32={n}"])


def sums_in_rows(t, m, n, tm, tn, gm, promise, whole=False):
    """Tiles of a tall array, all added into a small one, whose base and rows are aligned to `promise` bytes and no better. whole: columns are
    promised to come in multiples of 16, else the edge may cut any run of elements."""
    size = {"f32": 4, "f16": 2, "bf16": 2, "f64": 8}[t]
    lines = ("%a_p = assume div_by<16>, %pa : tile<ptr<i32>>\n%a_s = assume div_by<16>, %sa : tile<i32>\n"
             f"%o_p = assume div_by<{promise}>, %po : tile<ptr<{t}>>\n%o_s = assume div_by<{max(1, promise // size)}>, %s : tile<i32>\n"
             f"%o_n = assume div_by<{16 if whole else 1}>, %n : tile<i32>\n%small = constant <i32: {gm}> : tile<i32>\n")
    wide, vx = view2d("a", "a_p", "m", "o_n", "a_s", tm, tn, "i32", "zero")
    more, vo = view2d("o", "o_p", "small", "o_n", "o_s", tm, tn, t)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n" + lines + wide + more
    body += f"%x, %t0 = load_view_tko weak %a[%bx, %by] : {vx}, tile<i32> -> {tile([tm, tn], 'i32')}, token\n"
    body += f"%y = itof %x signed : {tile([tm, tn], 'i32')} -> {tile([tm, tn], t)}\n"
    body += f"%t1 = atomic_red_view_tko relaxed device %o[%c0, %by], addf, %y : {tile([tm, tn], t)}, {vo}, tile<i32> -> token\n"
    text = module("sums", f"%pa: tile<ptr<i32>>, %po: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>, %s: tile<i32>, %sa: tile<i32>", body)
    step = max(1, promise // size)
    row, wide_row = (ceil_div(n, step) | 1) * step, ceil_div(n, 16) * 16  # the first an odd multiple
    offset = "" if promise == 16 else f"{{offset={promise}}}"
    return Case(f"sums-in-rows-{t}-{m}x{n}-t{tm}x{tn}-a{promise}" + ("-whole" if whole else ""), text, "sums", (ceil_div(m, tm), ceil_div(n, tn), 1),
                [f"a:i32[{m}x{wide_row}]=random(lo=0,hi=3,seed=27)", f"out:o:{t}[{gm}x{row}]{offset}=zeros", f"i32={m}", f"i32={n}", f"i32={row}", f"i32={wide_row}"])


def sums_at_pointers(t, rows, n, block, promise, together, masked=True):
    """Rows of numbers that are added up through pointers. The mask has runs of `together` elements, and the first pointer is aligned to `promise`
    bytes and no better."""
    shape, p, v, m = [block], tile([block], f"ptr<{t}>"), tile([block], t), tile([block], "i1")
    body = f"%hq = assume div_by<{promise}>, %h : tile<ptr<{t}>>\n%n = assume div_by<{together}>, %n0 : tile<i32>\n" + positions(block)
    body += "%first = muli %by, %n : tile<i32>\n" + splat("firsts", "first", shape, "i32") + f"%at = addi %i, %firsts : {tile(shape, 'i32')}\n"
    body += pointers("xp", "x", "at", shape, t) + pointers("hp", "hq", "i", shape, t) + f"%zero = constant <{t}: {literal(t, 0)}> : {v}\n"
    body += f"%v, %t0 = load_ptr_tko weak %xp, %in, %zero : {p}, {m}, {v} -> {v}, token\n"
    mask, type = (", %in", f", {m}") if masked else ("", "")
    body += f"%old, %t1 = atomic_rmw_tko relaxed device %hp, addf, %v{mask} : {p}, {v}{type} -> {v}, token\n"
    text = module("sums", f"%x: tile<ptr<{t}>>, %h: tile<ptr<{t}>>, %n0: tile<i32>", body)
    offset = "" if promise == 16 else f"{{offset={promise}}}"
    places = n if masked else ceil_div(n, block) * block
    return Case(f"sums-at-pointers-{t}-{rows}x{n}-b{block}-a{promise}-k{together}" + ("" if masked else "-all"), text, "sums", (ceil_div(n, block), rows, 1),
                [f"x:{t}[{rows * n}]=integers(seed=28,lo=0,hi=3)", f"out:h:{t}[{places}]{offset}=zeros", f"i32={n}"])


def sums_in_columns(t, rows, columns, ld, promise):
    """A tile of pointers that are neighbours along its first dimension; three blocks add to the same places."""
    shape = [rows, columns]
    i, p, v = tile(shape, "i32"), tile(shape, f"ptr<{t}>"), tile(shape, t)
    body = f"%hq = assume div_by<{promise}>, %h : tile<ptr<{t}>>\n%step = assume div_by<16>, %ld : tile<i32>\n"
    for name, size, one in (("r", rows, f"{rows}x1"), ("c", columns, f"1x{columns}")):
        body += f"%{name}_i = iota : {tile([size], 'i32')}\n%{name}_1 = reshape %{name}_i : {tile([size], 'i32')} -> tile<{one}xi32>\n"
        body += f"%{name} = broadcast %{name}_1 : tile<{one}xi32> -> {i}\n"
    body += splat("steps", "step", shape, "i32") + f"%column = muli %c, %steps : {i}\n%at = addi %r, %column : {i}\n"
    body += f"%seven = constant <i32: 7> : {i}\n%rest = remi %at, %seven signed : {i}\n%x = itof %rest signed : {i} -> {v}\n"
    body += pointers("hp", "hq", "at", shape, t) + f"%old, %t1 = atomic_rmw_tko relaxed device %hp, addf, %x : {p}, {v} -> {v}, token\n"
    text = module("sums", f"%h: tile<ptr<{t}>>, %ld: tile<i32>", body)
    offset = "" if promise == 16 else f"{{offset={promise}}}"
    return Case(f"sums-in-columns-{t}-{rows}x{columns}-a{promise}", text, "sums", (3, 1, 1), [f"out:h:{t}[{columns}x{ld}]{offset}=zeros", f"i32={ld}"])


def booleans(m, n, tm, tn, aligned=False):
    """i1 tiles: bytes in memory. Through a view, through pointers (masked), computed with and stored again."""
    promise = "%np = assume div_by<16>, %n : tile<i32>\n" if aligned else "%np = assume div_by<1>, %n : tile<i32>\n"
    ptr = "".join(f"%{p}q = assume div_by<16>, %{p} : tile<ptr<i1>>\n" for p in "abo") if aligned else ""
    q = "q" if aligned else ""
    tv = "tensor_view<?x?xi1, strides=[?,1]>"
    pv = f"partition_view<tile=({tm}x{tn}), padding_value = zero, {tv}>"
    b = tile([tm, tn], "i1")
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + promise + ptr
    for name in "abo":
        body += f"%{name}t = make_tensor_view %{name}{q}, shape = [%m, %np], strides = [%np, 1] : tile<i32> -> {tv}\n%{name}v = make_partition_view %{name}t : {pv}\n"
    body += f"%x, %t0 = load_view_tko weak %av[%bx, %by] : {pv}, tile<i32> -> {b}, token\n%y, %t1 = load_view_tko weak %bv[%bx, %by] : {pv}, tile<i32> -> {b}, token\n"
    body += f"%true = constant <i1: true> : {b}\n%ny = xori %y, %true : {b}\n%r = andi %x, %ny : {b}\n"
    body += f"%t2 = store_view_tko weak %r, %ov[%bx, %by] : {b}, {pv}, tile<i32> -> token\n"
    # The first row once more, through pointers, into the last array.
    body += f"%j = iota : tile<{tn}xi32>\n" + splat("nn", "n", [tn], "i32") + f"%jin = cmpi less_than %j, %nn, signed : tile<{tn}xi32> -> tile<{tn}xi1>\n"
    body += pointers("ap", "a", "j", [tn], "i1") + pointers("cp", "c", "j", [tn], "i1")
    row = tile([tn], "i1")
    body += f"%no = constant <i1: false> : {row}\n%w, %t3 = load_ptr_tko weak %ap, %jin, %no : {tile([tn], 'ptr<i1>')}, {row}, {row} -> {row}, token\n"
    body += f"%t4 = store_ptr_tko weak %cp, %w, %jin : {tile([tn], 'ptr<i1>')}, {row}, {row} -> token\n"
    text = module("booleans", "%a: tile<ptr<i1>>, %b: tile<ptr<i1>>, %o: tile<ptr<i1>>, %c: tile<ptr<i1>>, %m: tile<i32>, %n: tile<i32>", body)
    # All tile blocks of a row write the same bytes of the last array; one block per axis keeps that free of races.
    return Case(f"booleans-{m}x{n}-t{tm}x{tn}" + ("-aligned" if aligned else ""), text, "booleans", (1, 1, 1),
                [f"a:i1[{m}x{n}]=random(seed=28)", f"b:i1[{m}x{n}]=random(seed=29)", f"out:o:i1[{m}x{n}]=zeros", f"out:c:i1[{n}]=zeros", f"i32={m}", f"i32={n}"])


def gather(t, rows, cols, tm, tn, sparse, index="i32", wide=False):
    """Slices picked by a list of coordinates, some of them outside; scattered to other places."""
    tv = f"tensor_view<?x?x{t}, strides=[?,1]>"
    gv = f"gather_scatter_view<tile=({tm}x{tn}), padding_value = zero, {tv}, sparse_dim={sparse}>"
    picks = (tm, tn)[sparse]
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
    n, a, o = "n", "a", "o"
    if wide:
        body += f"%nw = assume div_by<16>, %n : tile<i32>\n%aw = assume div_by<16>, %a : tile<ptr<{t}>>\n%ow = assume div_by<16>, %o : tile<ptr<{t}>>\n"
        n, a, o = "nw", "aw", "ow"
    for name, base in (("at", a), ("ot", o)):
        body += f"%{name} = make_tensor_view %{base}, shape = [%m, %{n}], strides = [%{n}, 1] : tile<i32> -> {tv}\n"
    body += f"%ag = make_gather_scatter_view %at : {gv}\n%og = make_gather_scatter_view %ot : {gv}\n"
    body += f"%k = iota : tile<{picks}xi32>\n" + pointers("fp", "f", "k", [picks], index) + pointers("gp", "g", "k", [picks], index)
    ip, iv = tile([picks], f"ptr<{index}>"), tile([picks], index)
    body += f"%from, %t0 = load_ptr_tko weak %fp : {ip} -> {iv}, token\n%to, %t1 = load_ptr_tko weak %gp : {ip} -> {iv}, token\n"
    dense, along = (tn, "%by") if sparse == 0 else (tm, "%bx")
    body += f"%step = constant <i32: {dense}> : tile<i32>\n%start = muli {along}, %step : tile<i32>\n"
    src = "%from, %start" if sparse == 0 else "%start, %from"
    dst = "%to, %start" if sparse == 0 else "%start, %to"
    types = f"{iv}, tile<i32>" if sparse == 0 else f"tile<i32>, {iv}"
    body += f"%x, %t2 = load_view_tko weak %ag[{src}] : {gv}, {types} -> {tile([tm, tn], t)}, token\n"
    body += f"%t3 = store_view_tko weak %x, %og[{dst}] : {tile([tm, tn], t)}, {gv}, {types} -> token\n"
    text = module("gather", f"%a: tile<ptr<{t}>>, %f: tile<ptr<{index}>>, %g: tile<ptr<{index}>>, %o: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    grid = (1, ceil_div(cols, tn), 1) if sparse == 0 else (ceil_div(rows, tm), 1, 1)
    extent = (rows, cols)[sparse]
    return Case(f"gather-{t}-{rows}x{cols}-t{tm}x{tn}-d{sparse}-{index}" + ("-aligned" if wide else ""), text, "gather", grid,
                [f"a:{t}[{rows}x{cols}]=random(lo=-9,hi=9,seed=30)", f"f:{index}[{picks}]=random(lo=0,hi={extent + 2},seed=31)",
                 f"g:{index}[{picks}]=iota(lo=1)", f"out:o:{t}[{rows}x{cols}]=zeros", f"i32={rows}", f"i32={cols}"])


def repack(a, b, n):
    """n bytes read as type a, reinterpreted as i8 and as type b, stored as b. Numbers of 4 bits go in and out as bytes."""
    bits = {"i1": 1, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "tf32": 32,
            "f4E2M1FN": 4, "f8E4M3FN": 8, "f8E5M2": 8}
    body = ""
    def load(name, base, count, t):
        p = tile([count], f"ptr<{t}>")
        return (f"%{name}_i = iota : tile<{count}xi32>\n" + pointers(name + "_p", base, name + "_i", [count], t) +
                f"%{name}, %{name}_t = load_ptr_tko weak %{name}_p : {p} -> {tile([count], t)}, token\n")
    def store(name, base, count, t):
        p = tile([count], f"ptr<{t}>")
        return (f"%{name}_si = iota : tile<{count}xi32>\n" + pointers(name + "_sp", base, name + "_si", [count], t) +
                f"%{name}_st = store_ptr_tko weak %{name}_sp, %{name} : {p}, {tile([count], t)} -> token\n")
    na, nb = n * 8 // bits[a], n * 8 // bits[b]
    body += load("x", "a", na, a)
    if a == "i8":
        body += f"%bytes = addi %x, %x : tile<{n}xi8>\n"
    else:
        body += f"%bytes = pack %x : {tile([na], a)} -> tile<{n}xi8>\n"
    if b == "i8":
        body += f"%y = addi %bytes, %bytes : tile<{n}xi8>\n"
    else:
        body += f"%y = unpack %bytes : tile<{n}xi8> -> {tile([nb], b)}\n"
    out, count = b, nb
    if bits[b] == 4:
        out = "f32" if b.startswith("f") else "i32"
        body = body.replace("%y = unpack", "%y4 = unpack")
        body += f"%y = ftof %y4 : {tile([nb], b)} -> {tile([nb], 'f32')}\n" if b.startswith("f") else \
                f"%y = exti %y4 signed : {tile([nb], b)} -> {tile([nb], 'i32')}\n"
    body += store("y", "o", count, out)
    text = module("repack", f"%a: tile<ptr<{a}>>, %o: tile<ptr<{out}>>", body)
    init = "bits(seed=32)" if not is_float(a) and a != "i1" else "random(lo=-3,hi=3,seed=32)" if a != "i1" else "random(seed=32)"
    return Case(f"repack-{a}-{b}-{n}", text, "repack", (1, 1, 1), [f"a:{a}[{na}]={init}", f"out:o:{out}[{count}]=poison"])


def pack_small(t, n):
    """f32 or i32 numbers made 4 bits wide and packed into bytes."""
    wide = "f32" if t.startswith("f") else "i32"
    body = f"%i = iota : tile<{n}xi32>\n" + pointers("ap", "a", "i", [n], wide)
    body += f"%x, %t0 = load_ptr_tko weak %ap : {tile([n], f'ptr<{wide}>')} -> {tile([n], wide)}, token\n"
    body += f"%y = ftof %x : {tile([n], wide)} -> {tile([n], t)}\n" if wide == "f32" else f"%y = trunci %x : {tile([n], wide)} -> {tile([n], t)}\n"
    body += f"%z = pack %y : {tile([n], t)} -> tile<{n // 2}xi8>\n%j = iota : tile<{n // 2}xi32>\n" + pointers("op", "o", "j", [n // 2], "i8")
    body += f"%t1 = store_ptr_tko weak %op, %z : {tile([n // 2], 'ptr<i8>')}, tile<{n // 2}xi8> -> token\n"
    text = module("small", f"%a: tile<ptr<{wide}>>, %o: tile<ptr<i8>>", body)
    return Case(f"pack-{t}-{n}", text, "small", (1, 1, 1), [f"a:{wide}[{n}]=random(lo=-7,hi=7,seed=33)", f"out:o:i8[{n // 2}]=poison"])


def globals_and_scratch(t, n, block):
    """A table in the module, a counter in the module, and a tile turned around through scratch memory."""
    table = ", ".join(literal(t, (7 * k) % 11 - 5) for k in range(8))
    body = positions(block) + f"%g = get_global @table : tile<ptr<{t}>>\n%cnt = get_global @counter : tile<ptr<i32>>\n"
    body += f"%c7 = constant <i32: 7> : tile<{block}xi32>\n%k = andi %i, %c7 : tile<{block}xi32>\n" + pointers("gp", "g", "k", [block], t)
    p, v, b = tile([block], f"ptr<{t}>"), tile([block], t), tile([block], "i1")
    body += f"%w, %t0 = load_ptr_tko weak %gp : {p} -> {v}, token\n" + pointers("xp", "x", "i", [block], t)
    body += f"%zero = constant <{t}: {literal(t, 0)}> : {v}\n%x0, %t1 = load_ptr_tko weak %xp, %in, %zero : {p}, {b}, {v} -> {v}, token\n"
    add = "addf" if is_float(t) else "addi"
    body += f"%s = {add} %x0, %w : {v}\n%m = alloca num_elem = {block}, alignment = 64 : tile<ptr<{t}>>\n" + pointers("mp", "m", "lane", [block], t)
    body += f"%t2 = store_ptr_tko weak %mp, %s : {p}, {v} -> token\n%top = constant <i32: {block - 1}> : tile<{block}xi32>\n"
    body += f"%rev = subi %top, %lane : tile<{block}xi32>\n" + pointers("rp", "m", "rev", [block], t)
    body += f"%f = memory_fence_alias_tko token=%t2 -> token\n%r, %t3 = load_ptr_tko weak %rp token=%f : {p} -> {v}, token\n"
    body += pointers("op", "o", "i", [block], t) + f"%t4 = store_ptr_tko weak %op, %r, %in : {p}, {v}, {b} -> token\n"
    body += "%one = constant <i32: 1> : tile<i32>\n%old, %t5 = atomic_rmw_tko relaxed device %cnt, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n"
    body += "%t6 = gdc_launch_dependents_tko token = %t5 -> token\n%t7 = gdc_wait_tko token = %t6 -> token\n"
    text = module("storage", f"%x: tile<ptr<{t}>>, %o: tile<ptr<{t}>>, %n: tile<i32>", body)
    text = text.replace("  entry @", f"  global private constant @table alignment = 32 <{t}: [{table}]> : tile<8x{t}>\n"
                        f"  global @counter <i32: [0]> : tile<1xi32>\n  entry @", 1)
    return Case(f"storage-{t}-{n}-b{block}", text, "storage", (ceil_div(n, block), 1, 1),
                [f"x:{t}[{n}]=random(lo=-9,hi=9,seed=34)", f"out:o:{t}[{n}]=poison", f"i32={n}"])


def integer_power(t, e, n, block):
    body = positions(block) + pointers("xp", "x", "i", [block], t) + pointers("yp", "y", "i", [block], e) + pointers("op", "o", "i", [block], t)
    v, w, b = tile([block], t), tile([block], e), tile([block], "i1")
    body += f"%one = constant <{t}: 1.0> : {v}\n%zero = constant <{e}: 0> : {w}\n"
    body += f"%a, %t0 = load_ptr_tko weak %xp, %in, %one : {tile([block], f'ptr<{t}>')}, {b}, {v} -> {v}, token\n"
    body += f"%k, %t1 = load_ptr_tko weak %yp, %in, %zero : {tile([block], f'ptr<{e}>')}, {b}, {w} -> {w}, token\n"
    body += f"%r = fpowi %a, %k : {v}, {w}\n%t2 = store_ptr_tko weak %op, %r, %in : {tile([block], f'ptr<{t}>')}, {v}, {b} -> token\n"
    text = module("power", f"%x: tile<ptr<{t}>>, %y: tile<ptr<{e}>>, %o: tile<ptr<{t}>>, %n: tile<i32>", body)
    return Case(f"fpowi-{t}-{e}-{n}", text, "power", (ceil_div(n, block), 1, 1),
                [f"x:{t}[{n}]=random(lo=-3,hi=3,seed=35)", f"y:{e}[{n}]=random(lo=-5,hi=6,seed=36)", f"out:o:{t}[{n}]=poison", f"i32={n}"],
                {"f32": "rel:1e-5,abs:1e-30", "f64": "rel:1e-12,abs:1e-30", "f16": "rel:2e-3,abs:1e-6", "bf16": "rel:1e-2,abs:1e-20"}[t])


def signs(dst, n):
    """i1 that were computed as floats: true is -1, or 1 without a sign."""
    v = tile([n], dst)
    body = f"%i = iota : tile<{n}xi32>\n" + pointers("sp", "s", "i", [n], dst) + pointers("up", "u", "i", [n], dst)
    body += f"%b = trunci %i : {tile([n], 'i32')} -> {tile([n], 'i1')}\n"
    body += f"%x = itof %b signed : {tile([n], 'i1')} -> {v}\n%y = itof %b unsigned : {tile([n], 'i1')} -> {v}\n"
    body += f"%t0 = store_ptr_tko weak %sp, %x : {tile([n], f'ptr<{dst}>')}, {v} -> token\n%t1 = store_ptr_tko weak %up, %y : {tile([n], f'ptr<{dst}>')}, {v} -> token\n"
    text = module("sign", f"%s: tile<ptr<{dst}>>, %u: tile<ptr<{dst}>>", body)
    return Case(f"signs-{dst}-{n}", text, "sign", (1, 1, 1), [f"out:s:{dst}[{n}]=poison", f"out:u:{dst}[{n}]=poison"])


def tensor_bits(dst, n):
    """Any 32 bits as tf32, whose lower 13 bits do not count; and f32 through tf32, NaN of every payload included."""
    body = f"%i = iota : tile<{4 * n}xi32>\n" + pointers("ap", "a", "i", [4 * n], "i8")
    body += f"%j = iota : tile<{n}xi32>\n" + pointers("op", "o", "j", [n], dst) + pointers("rp", "r", "j", [n], "f32") + pointers("fp", "f", "j", [n], "f32")
    body += f"%x, %t0 = load_ptr_tko weak %ap : {tile([4 * n], 'ptr<i8>')} -> {tile([4 * n], 'i8')}, token\n"
    body += f"%y = unpack %x : {tile([4 * n], 'i8')} -> {tile([n], 'tf32')}\n%z = ftof %y : {tile([n], 'tf32')} -> {tile([n], dst)}\n"
    body += f"%t1 = store_ptr_tko weak %op, %z : {tile([n], f'ptr<{dst}>')}, {tile([n], dst)} -> token\n"
    body += f"%v, %t2 = load_ptr_tko weak %fp : {tile([n], 'ptr<f32>')} -> {tile([n], 'f32')}, token\n"
    body += f"%u = ftof %v : {tile([n], 'f32')} -> {tile([n], 'tf32')}\n%w = ftof %u : {tile([n], 'tf32')} -> {tile([n], 'f32')}\n"
    body += f"%t3 = store_ptr_tko weak %rp, %w : {tile([n], 'ptr<f32>')}, {tile([n], 'f32')} -> token\n"
    text = module("tf", f"%a: tile<ptr<i8>>, %f: tile<ptr<f32>>, %o: tile<ptr<{dst}>>, %r: tile<ptr<f32>>", body)
    return Case(f"tf32-bits-{dst}-{n}", text, "tf", (1, 1, 1), [f"a:i8[{4 * n}]=bits(seed=38)", f"f:f32[{n}]=bits(seed=39)", f"out:o:{dst}[{n}]=poison", f"out:r:f32[{n}]=poison"])


def tensor_float(src, n):
    """Integers to tf32, rounded once."""
    body = f"%i = iota : tile<{n}xi32>\n" + pointers("ap", "a", "i", [n], src) + pointers("op", "o", "i", [n], "f32")
    body += f"%x, %t0 = load_ptr_tko weak %ap : {tile([n], f'ptr<{src}>')} -> {tile([n], src)}, token\n"
    body += f"%y = itof %x signed : {tile([n], src)} -> {tile([n], 'tf32')}\n%z = ftof %y : {tile([n], 'tf32')} -> {tile([n], 'f32')}\n"
    body += f"%t1 = store_ptr_tko weak %op, %z : {tile([n], 'ptr<f32>')}, {tile([n], 'f32')} -> token\n"
    text = module("tf", f"%a: tile<ptr<{src}>>, %o: tile<ptr<f32>>", body)
    return Case(f"tf32-{src}-{n}", text, "tf", (1, 1, 1), [f"a:{src}[{n}]=bits(seed=37)", f"out:o:f32[{n}]=poison"])


def small_floats(a, b, n, mode=""):
    """One format to another; 4-bit numbers travel packed."""
    def side(name, t):
        return ("i8", n // 2) if t == "f4E2M1FN" else (t, n)
    (ta, na), (tb, nb) = side("a", a), side("b", b)
    body = f"%i = iota : tile<{na}xi32>\n" + pointers("ap", "a", "i", [na], ta) + f"%j = iota : tile<{nb}xi32>\n" + pointers("op", "o", "j", [nb], tb)
    body += f"%x, %t0 = load_ptr_tko weak %ap : {tile([na], f'ptr<{ta}>')} -> {tile([na], ta)}, token\n"
    x = "%x"
    if ta != a:
        body += f"%xa = unpack %x : {tile([na], ta)} -> {tile([n], a)}\n"
        x = "%xa"
    rounding = f" rounding<{mode}>" if mode else ""
    body += f"%y = ftof {x}{rounding} : {tile([n], a)} -> {tile([n], b)}\n"
    y = "%y"
    if tb != b:
        body += f"%yb = pack %y : {tile([n], b)} -> {tile([nb], tb)}\n"
        y = "%yb"
    body += f"%t1 = store_ptr_tko weak %op, {y} : {tile([nb], f'ptr<{tb}>')}, {tile([nb], tb)} -> token\n"
    text = module("small", f"%a: tile<ptr<{ta}>>, %o: tile<ptr<{tb}>>", body)
    return Case(f"ftof-{a}-{b}-{n}" + ("-" + mode if mode else ""), text, "small", (1, 1, 1), [f"a:{ta}[{na}]=bits(seed=38)", f"out:o:{tb}[{nb}]=poison"])


def cases():
    result = []
    for mode in ("add", "and", "or", "xor", "max", "min", "umax", "umin"):
        result += [histogram(mode, t, 700, 128, 48) for t in ("i32", "i64")]
    result += [histogram("addf", t, 300, 128, 40) for t in ("f16", "bf16", "f32", "f64")]
    result += [histogram("add", "i32", 100, 16, 7), histogram("addf", "f32", 500, 256, 3, warps=1), histogram("addf", "bf16", 100, 32, 50, warps=8),
               histogram("add", "i64", 500, 512, 40, "acq_rel sys", 8), histogram("addf", "f16", 90, 64, 50, "release device"),
               histogram("max", "i32", 60, 64, 9, "acquire tl_blk")]
    for t in ("i32", "i64", "f32", "f64"):
        result += [old_values("xchg", t, 333, 128), old_values("cas", t, 200, 64)]
    result += [old_values("add", "i32", 50, 16), old_values("addf", "f32", 200, 64, "acq_rel device", 8), old_values("umin", "i64", 300, 256, "release sys", 1),
               old_values("addf", "f64", 100, 8, "acquire device"), old_values("xor", "i32", 500, 256, shape=[16, 16]), old_values("cas", "i32", 120, 32, "acq_rel sys", shape=[4, 2, 4])]
    result += [last_block(1000, 128), last_block(90, 32), spin_lock(5, 64)]
    result += [reduce_into_view(mode, t, 50, 70, 16, 32, 13) for mode, t in
               (("addf", "f32"), ("addf", "f16"), ("addf", "bf16"), ("addf", "f64"), ("add", "i32"), ("add", "i64"), ("max", "i32"), ("umin", "i64"), ("or", "i32"))]
    result += [reduce_into_view("addf", "f32", 9, 5, 4, 4, 4)]
    result += [sums_in_rows("f32", 50, n, 16, 32, 13, promise) for n, promise in ((70, 16), (71, 16), (69, 8), (70, 4))]
    result += [sums_in_rows("f32", 70, 80, 32, 64, 29, promise, whole=True) for promise in (16, 8)]
    result += [sums_in_rows(t, 50, n, 16, 32, 13, promise) for t, n, promise in (("f16", 67, 16), ("f16", 70, 8), ("bf16", 71, 4), ("bf16", 69, 16), ("f16", 37, 2), ("f64", 37, 16))]
    result += [sums_in_rows("bf16", 70, 80, 32, 64, 29, 16, whole=True), sums_in_rows("f32", 9, 5, 4, 4, 4, 16), sums_in_rows("f32", 5, 3, 2, 2, 3, 16)]
    result += [sums_at_pointers("f32", 3, n, 512, promise, k) for n, promise, k in ((1300, 16, 4), (1306, 16, 2), (1301, 16, 1), (1300, 8, 4), (1300, 4, 4))]
    result += [sums_at_pointers("f32", 3, 1024, 512, 16, 16, masked=False), sums_at_pointers("f16", 3, 2000, 1024, 16, 8), sums_at_pointers("bf16", 2, 996, 512, 8, 4),
               sums_at_pointers("f16", 3, 90, 64, 4, 2), sums_at_pointers("f32", 3, 20, 32, 16, 4)]
    result += [sums_in_columns("f32", 64, 32, 80, 16), sums_in_columns("f16", 128, 64, 144, 16), sums_in_columns("f32", 64, 32, 80, 8)]
    result += [booleans(45, 77, 64, 128), booleans(16, 64, 16, 64, True), booleans(3, 5, 4, 8), booleans(30, 256, 32, 256, True)]
    result += [gather("f32", 50, 70, 8, 32, 0), gather("f16", 40, 64, 16, 64, 0, "i32", True), gather("i8", 33, 40, 16, 16, 1), gather("f64", 30, 50, 4, 64, 1, "i64"),
               gather("bf16", 100, 128, 32, 128, 0, "i64", True), gather("i32", 20, 9, 1, 8, 0)]
    result += [repack(a, b, n) for a, b, n in (("i32", "f32", 256), ("f32", "i8", 1024), ("i8", "i64", 512), ("f16", "i32", 64), ("i64", "bf16", 2048), ("f64", "f32", 128),
                                                ("i8", "f4E2M1FN", 128), ("i8", "i4", 64), ("i32", "f4E2M1FN", 512), ("bf16", "tf32", 256), ("i1", "i16", 256), ("i8", "i1", 64), ("i1", "i8", 16), ("i8", "i32", 8), ("i64", "i8", 16))]
    result += [tensor_bits(t, 256) for t in ("f32", "f64", "f16")] + [signs(t, 64) for t in ("bf16", "f16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2")]
    result += [pack_small("f4E2M1FN", 256), pack_small("i4", 64), pack_small("f4E2M1FN", 16)]
    result += [globals_and_scratch("f32", 300, 128), globals_and_scratch("i64", 70, 32), globals_and_scratch("f16", 1000, 256)]
    result += [integer_power(t, e, 100, 64) for t, e in (("f32", "i32"), ("f64", "i32"), ("f16", "i16"), ("bf16", "i8"))]
    result += [small_floats(a, b, 256) for a, b in (("f4E2M1FN", "f32"), ("f32", "f4E2M1FN"), ("f8E8M0FNU", "f32"), ("f64", "f4E2M1FN"))]
    result += [small_floats(a, b, 512, mode) for a, b, mode in (("f32", "f8E8M0FNU", "zero"), ("f16", "f8E8M0FNU", "positive_inf"), ("f32", "f8E8M0FNU", "positive_inf"), ("f64", "f8E8M0FNU", "zero"),
                                                              ("f32", "f16", "zero"), ("f64", "f32", "negative_inf"), ("f64", "f32", "positive_inf"), ("f64", "bf16", "zero"), ("f16", "bf16", "zero"))]
    result += [tensor_float("i32", 128), tensor_float("i64", 128), tensor_float("i16", 64)]
    return result
