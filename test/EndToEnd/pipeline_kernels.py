# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops worth pipelining: products over a range of tiles with bounds and steps of every kind, several streams, loops in
loops, loops whose loads cannot be made ahead."""

import matrix_kernels
from kernels import Case, module, tile
from matrix_kernels import on_targets, product, static_view, tolerance, values, zero


def aligned_view(name, base, shape, box, t, padding="zero"):
    """Of an array at a multiple of 16 bytes, so that cp.async may copy it."""
    lines, pv = static_view(name, f"{base}_16", shape, box, t, padding)
    return f"%{base}_16 = assume div_by<16>, %{base} : tile<ptr<{t}>>\n" + lines, pv


def ranged(tm, tn, tk, tiles, low, high, step=1, t="f16", acc="f32", bounds="run time", counter="i32", streams=1, latency=0, aligned=True,
           counted=False, raw="", occupancy=0):
    """The sum of the products of tiles low, low + step, ... below high. bounds: "run time", "constant" or "step" (all of
    them at run time, the step too). Not aligned: tiles come through registers. counted: the tiles' number is carried by
    the loop beside its counter. raw: the type in memory, which is converted first. occupancy: so many blocks at a time."""
    k = tiles * tk
    names = ["ab", "cd", "ef"][:streams]
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n"
    first = "%c0"
    if counter != "i32":
        first = "%z0"
        body += f"%z0 = constant <{counter}: 0> : tile<{counter}>\n"
    views = {}
    for a, b in names:
        view = aligned_view if aligned else lambda *view: static_view(*view, "zero")
        va, views[a] = view(a, "p" + a, [tm, k], [tm, tk], raw or t)
        vb, views[b] = view(b, "p" + b, [k, tn], [tk, tn], raw or t)
        body += va + vb
    vo, po = static_view("o", "po", [tm, tn], [tm, tn], acc)
    A, B, C = tile([tm, tk], t), tile([tk, tn], t), tile([tm, tn], acc)
    RA, RB, load = tile([tm, tk], raw or t), tile([tk, tn], raw or t), "r" if raw else ""
    body += vo + f"%z = constant <{acc}: {zero(acc)}> : {C}\n"
    if bounds == "constant":
        body += f"%lo = constant <{counter}: {low}> : tile<{counter}>\n%hi = constant <{counter}: {high}> : tile<{counter}>\n"
    elif bounds == "run time":
        body += f"%lo = constant <{counter}: {low}> : tile<{counter}>\n"
    if bounds != "step":
        body += f"%st = constant <{counter}: {step}> : tile<{counter}>\n"
    hint = f" optimization_hints = <default = {{latency = {latency}}}>" if latency else ""
    more, number = (", %j = %lo", "%j") if counted else ("", "%i")
    carried = f"({C}, tile<{counter}>)" if counted else f"({C})"
    body += f"{'%sum, %last' if counted else '%sum'} = for %i in (%lo to %hi, step %st) : tile<{counter}> iter_values(%s0 = %z{more}) -> {carried} {{\n"
    for n, (a, b) in enumerate(names):
        body += f"  %x{n}{load}, %t{a} = load_view_tko weak %{a}[{first}, {number}]{hint} : {views[a]}, tile<{counter}> -> {RA}, token\n"
        body += f"  %y{n}{load}, %t{b} = load_view_tko weak %{b}[{number}, {first}]{hint} : {views[b]}, tile<{counter}> -> {RB}, token\n"
        if raw:
            body += f"  %x{n} = ftof %x{n}r : {RA} -> {A}\n  %y{n} = ftof %y{n}r : {RB} -> {B}\n"
        body += f"  %s{n + 1} = {product(f'%x{n}', f'%y{n}', f'%s{n}', A, B, C)}\n"
    if counted:
        body += f"  %j1 = addi %j, %st : tile<{counter}>\n  continue %s{streams}, %j1 : {C}, tile<{counter}>\n}}\n"
    else:
        body += f"  continue %s{streams} : {C}\n}}\n"
    body += f"%ts = store_view_tko weak %sum, %o[%c0, %c0] : {C}, {po}, tile<i32> -> token\n"
    pointers = ", ".join(f"%p{x}: tile<ptr<{raw or t}>>" for pair in names for x in pair) + f", %po: tile<ptr<{acc}>>"
    args = [f"{x}:{raw or t}[{s}]={values(t, 61 + i)}" for i, (x, s) in
            enumerate((x, f"{tm}x{k}" if j == 0 else f"{k}x{tn}") for pair in names for j, x in enumerate(pair))]
    args.append(f"out:o:{acc}[{tm}x{tn}]=poison")
    if bounds == "step":
        pointers += f", %lo: tile<{counter}>, %hi: tile<{counter}>, %st: tile<{counter}>"
        args += [f"{counter}={low}", f"{counter}={high}", f"{counter}={step}"]
    elif bounds == "run time":
        pointers += f", %hi: tile<{counter}>"
        args.append(f"{counter}={high}")
    name = f"ranged-{t}-{tm}x{tn}x{tk}-{low}to{high}by{step}-{bounds.replace(' ', '-')}"
    name += (f"-{counter}" if counter != "i32" else "") + (f"-{streams}-streams" if streams > 1 else "") + (f"-latency{latency}" if latency else "")
    name += ("" if aligned else "-unaligned") + ("-counted" if counted else "") + (f"-from-{raw}" if raw else "") + (f"-occupancy{occupancy}" if occupancy else "")
    hints = f" optimization_hints = <default = {{occupancy = {occupancy}}}>" if occupancy else ""
    return Case(name, module("ranged", pointers, body, hints), "ranged", (1, 1, 1), args, tolerance(t, acc))


def persistent(tm, tn, tk, rows, tiles, blocks, t="f16"):
    """Each block computes several tiles of rows, one after the other: the loop over k is inside of another."""
    k, m = tiles * tk, rows * tm
    va, pa = aligned_view("a", "pa", [m, k], [tm, tk], t)
    vb, pb = aligned_view("b", "pb", [k, tn], [tk, tn], t)
    vo, po = static_view("o", "po", [m, tn], [tm, tn], "f32")
    A, B, C = tile([tm, tk], t), tile([tk, tn], t), tile([tm, tn], "f32")
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vb + vo
    body += "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
    body += f"%rows = constant <i32: {rows}> : tile<i32>\n%st = constant <i32: {blocks}> : tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    body += "for %r in (%bx to %rows, step %st) : tile<i32> {\n"
    body += f"  %c = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    body += f"    %x, %t0 = load_view_tko weak %a[%r, %i] : {pa}, tile<i32> -> {A}, token\n"
    body += f"    %y, %t1 = load_view_tko weak %b[%i, %c0] : {pb}, tile<i32> -> {B}, token\n"
    body += f"    %s1 = {product('%x', '%y', '%s', A, B, C)}\n    continue %s1 : {C}\n  }}\n"
    body += f"  %ts = store_view_tko weak %c, %o[%r, %c0] : {C}, {po}, tile<i32> -> token\n  continue\n}}\n"
    text = module("persistent", f"%pa: tile<ptr<{t}>>, %pb: tile<ptr<{t}>>, %po: tile<ptr<f32>>, %n: tile<i32>", body)
    return Case(f"persistent-{t}-{tm}x{tn}x{tk}-{rows}rows-{tiles}", text, "persistent", (blocks, 1, 1),
                [f"a:{t}[{m}x{k}]={values(t, 71)}", f"b:{t}[{k}x{tn}]={values(t, 72)}", f"out:o:f32[{m}x{tn}]=poison", f"i32={tiles}"],
                tolerance(t, "f32"))


def gathered(tm, tn, tk, tiles, low, high, step=1, t="f16", rows=0, width=0, bounds="run time", other="0.0", carried=False, views=True,
             ordered=False):
    """Products whose left factor is gathered through pointers: its rows are those that a list names, of which the last ones, and columns
    behind `width`, are masked. other: what masked elements are. carried: pointers are carried by the loop, and moved on. Not views: the right factor is loaded through pointers as well, as its rows lie.
    ordered: the list is 0, 1, 2 and so on, of which the masked ones are no rows of the array."""
    k = tiles * tk
    rows, width = rows or tm, width or k
    P, A, B, C = tile([tm, tk], f"ptr<{t}>"), tile([tm, tk], t), tile([tk, tn], t), tile([tm, tn], "f32")
    I, M, R, K1 = tile([tm, tk], "i32"), tile([tm, tk], "i1"), tile([tm, 1], "i32"), tile([1, tk], "i32")
    body = f"%pa_16 = assume div_by<16>, %pa : tile<ptr<{t}>>\n%pi_16 = assume div_by<16>, %pi : tile<ptr<i32>>\n%c0 = constant <i32: 0> : tile<i32>\n"
    vb, pb = aligned_view("b", "pb", [k, tn], [tk, tn], t)
    vo, po = static_view("o", "po", [tm, tn], [tm, tn], "f32")
    body += (vb if views else f"%pb_16 = assume div_by<16>, %pb : tile<ptr<{t}>>\n") + vo
    body += f"%lo = constant <i32: {low}> : tile<i32>\n%st = constant <i32: {step}> : tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    if bounds == "constant":
        body += f"%hi = constant <i32: {high}> : tile<i32>\n"

    def spread(name, base, shape, kind):
        ones = "x".join("1" for _ in shape)
        return f"%{name}r = reshape {base} : tile<{kind}> -> tile<{ones}x{kind}>\n%{name} = broadcast %{name}r : tile<{ones}x{kind}> -> {tile(shape, kind)}\n"

    # The rows' numbers, and where they begin.
    L = tile([tm], "i32")
    body += f"%line = iota : {L}\n%pib1 = reshape %pi_16 : tile<ptr<i32>> -> tile<1xptr<i32>>\n%pib = broadcast %pib1 : tile<1xptr<i32>> -> {tile([tm], 'ptr<i32>')}\n"
    body += f"%pil = offset %pib, %line : {tile([tm], 'ptr<i32>')}, {L} -> {tile([tm], 'ptr<i32>')}\n"
    body += f"%row, %tr = load_ptr_tko weak %pil : {tile([tm], 'ptr<i32>')} -> {L}, token\n"
    body += f"%pitch = constant <i32: {k}> : {L}\n%start = muli %row, %pitch : {L}\n%startc = reshape %start : {L} -> {R}\n%starts = broadcast %startc : {R} -> {I}\n"
    body += f"%nrows = constant <i32: {rows}> : {L}\n%there = cmpi less_than %line, %nrows, signed : {L} -> {tile([tm], 'i1')}\n"
    body += f"%therec = reshape %there : {tile([tm], 'i1')} -> {tile([tm, 1], 'i1')}\n%inrow = broadcast %therec : {tile([tm, 1], 'i1')} -> {M}\n"
    body += f"%iota = iota : {tile([tk], 'i32')}\n%tkc = constant <i32: {tk}> : tile<i32>\n"
    body += spread("base", "%pa_16", [tm, tk], f"ptr<{t}>")
    body += f"%fill = constant <{t}: {other}> : {A}\n%wide = constant <i32: {width}> : {K1}\n"

    def columns(of, indent):
        """The columns of round `of`, and those of the array as offsets."""
        lines = f"%at = muli {of}, %tkc : tile<i32>\n" + spread("atb", "%at", [tk], "i32") + f"%col = addi %atb, %iota : {tile([tk], 'i32')}\n"
        lines += f"%colr = reshape %col : {tile([tk], 'i32')} -> {K1}\n%cols = broadcast %colr : {K1} -> {I}\n"
        return "".join(indent + line + "\n" for line in lines.splitlines())

    more, types, names = "", f"({C})", "%sum"
    if carried:
        first = columns("%lo", "").replace("%at", "%fat").replace("%col", "%fcol")
        body += first + f"%foff = addi %starts, %fcols : {I}\n%q0 = offset %base, %foff : {P}, {I} -> {P}\n"
        body += f"%by = constant <i32: {step * tk}> : {I}\n"
        more, types, names = ", %q = %q0", f"({C}, {P})", "%sum, %qe"
    body += f"{names} = for %i in (%lo to %hi, step %st) : tile<i32> iter_values(%s = %z{more}) -> {types} {{\n" + columns("%i", "  ")
    if not carried:
        body += f"  %off = addi %starts, %cols : {I}\n  %q = offset %base, %off : {P}, {I} -> {P}\n"
    body += f"  %incol1 = cmpi less_than %colr, %wide, signed : {K1} -> {tile([1, tk], 'i1')}\n  %incol = broadcast %incol1 : {tile([1, tk], 'i1')} -> {M}\n  %in = andi %inrow, %incol : {M}\n"
    body += f"  %x, %tx = load_ptr_tko weak %q, %in, %fill : {P}, {M}, {A} -> {A}, token\n"
    if views:
        body += f"  %y, %ty = load_view_tko weak %b[%i, %c0] : {pb}, tile<i32> -> {B}, token\n"
    else:
        Q, J = tile([tk, tn], f"ptr<{t}>"), tile([tk, tn], "i32")
        lines = f"%colc = reshape %col : {tile([tk], 'i32')} -> {tile([tk, 1], 'i32')}\n%tnc = constant <i32: {tn}> : {tile([tk, 1], 'i32')}\n"
        lines += f"%brow = muli %colc, %tnc : {tile([tk, 1], 'i32')}\n%brows = broadcast %brow : {tile([tk, 1], 'i32')} -> {J}\n"
        lines += f"%n = iota : {tile([tn], 'i32')}\n%nr = reshape %n : {tile([tn], 'i32')} -> {tile([1, tn], 'i32')}\n%ns = broadcast %nr : {tile([1, tn], 'i32')} -> {J}\n"
        lines += f"%boff = addi %brows, %ns : {J}\n" + spread("bbase", "%pb_16", [tk, tn], f"ptr<{t}>") + f"%bq = offset %bbase, %boff : {Q}, {J} -> {Q}\n"
        lines += f"%y, %ty = load_ptr_tko weak %bq : {Q} -> {B}, token\n"
        body += "".join("  " + line + "\n" for line in lines.splitlines())
    body += f"  %s1 = {product('%x', '%y', '%s', A, B, C)}\n"
    if carried:
        body += f"  %q1 = offset %q, %by : {P}, {I} -> {P}\n  continue %s1, %q1 : {C}, {P}\n}}\n"
    else:
        body += f"  continue %s1 : {C}\n}}\n"
    body += f"%ts = store_view_tko weak %sum, %o[%c0, %c0] : {C}, {po}, tile<i32> -> token\n"
    pointers = f"%pa: tile<ptr<{t}>>, %pb: tile<ptr<{t}>>, %po: tile<ptr<f32>>, %pi: tile<ptr<i32>>" + ("" if bounds == "constant" else ", %hi: tile<i32>")
    args = [f"a:{t}[{rows}x{k}]={values(t, 71)}", f"b:{t}[{k}x{tn}]={values(t, 72)}", f"out:o:f32[{tm}x{tn}]=poison", f"i:i32[{tm}]={'iota' if ordered else f'random(seed=73,lo=0,hi={rows - 1})'}"]
    name = f"gathered-{t}-{tm}x{tn}x{tk}-{low}to{high}by{step}-{bounds.replace(' ', '-')}-{rows}rows-{width}columns"
    name += ("" if other == "0.0" else "-other") + ("-carried" if carried else "") + ("" if views else "-pointers")
    return Case(name, module("gathered", pointers, body), "gathered", (1, 1, 1), args + ([] if bounds == "constant" else [f"i32={high}"]), tolerance(t, "f32"),
                on_targets(t, "f32", tm, tk))


def chased(tm, tn, tk, tiles, t="f16"):
    """Which tile comes next is read from memory: nothing can be loaded ahead."""
    k = tiles * tk
    va, pa = aligned_view("a", "pa", [tm, k], [tm, tk], t)
    vb, pb = aligned_view("b", "pb", [k, tn], [tk, tn], t)
    vo, po = static_view("o", "po", [tm, tn], [tm, tn], "f32")
    A, B, C = tile([tm, tk], t), tile([tk, tn], t), tile([tm, tn], "f32")
    body = va + vb + vo + "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
    body += f"%n = constant <i32: {tiles}> : tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    body += f"%c = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z) -> ({C}) {{\n"
    body += "  %q = offset %pi, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
    body += "  %j, %tj = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token\n"
    body += f"  %x, %t0 = load_view_tko weak %a[%c0, %j] : {pa}, tile<i32> -> {A}, token\n"
    body += f"  %y, %t1 = load_view_tko weak %b[%j, %c0] : {pb}, tile<i32> -> {B}, token\n"
    body += f"  %s1 = {product('%x', '%y', '%s', A, B, C)}\n  continue %s1 : {C}\n}}\n"
    body += f"%ts = store_view_tko weak %c, %o[%c0, %c0] : {C}, {po}, tile<i32> -> token\n"
    text = module("chased", f"%pa: tile<ptr<{t}>>, %pb: tile<ptr<{t}>>, %po: tile<ptr<f32>>, %pi: tile<ptr<i32>>", body)
    return Case(f"chased-{t}-{tm}x{tn}x{tk}-{tiles}", text, "chased", (1, 1, 1),
                [f"a:{t}[{tm}x{k}]={values(t, 81)}", f"b:{t}[{k}x{tn}]={values(t, 82)}", f"out:o:f32[{tm}x{tn}]=poison",
                 f"i:i32[{tiles}]=random(seed=83,lo=0,hi={tiles - 1})"], tolerance(t, "f32"))


def grouped(tm, tn, tk, rows, rounds, blocks, t="f16", groups=3, bounds="run time", odd=0):
    """A persistent loop over tiles that asks the sizes of groups, in a loop of its own, which tile a round has, and multiplies if there is
    one. odd: elements that the last tile lacks."""
    m = rows * tm - odd
    view = aligned_view if tk % 8 == 0 and not odd else lambda *view: static_view(*view, "zero")
    va, pa = view("a", "pa", [m, tk], [tm, tk], t)
    vb, pb = view("b", "pb", [tk, 2 * tn], [tk, tn], t)
    vo, po = static_view("o", "po", [rounds * tm + 1, tn], [tm, tn], "f32")
    A, B, C = tile([tm, tk], t), tile([tk, tn], t), tile([tm, tn], "f32")
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + va + vb + vo
    body += "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%c2 = constant <i32: 2> : tile<i32>\n"
    body += f"%groups = constant <i32: {groups}> : tile<i32>\n%rows = constant <i32: {rows}> : tile<i32>\n%most = constant <i32: {rows + 1}> : tile<i32>\n"
    body += f"%st = constant <i32: {blocks}> : tile<i32>\n%z = constant <f32: 0.0> : {C}\n"
    if bounds == "constant":
        body += f"%n = constant <i32: {rounds}> : tile<i32>\n"
    first = "%c0" if blocks == 1 else "%bx"
    body += f"for %r in ({first} to %n, step %st) : tile<i32> {{\n"
    body += "  %sum = for %g in (%c0 to %groups, step %c1) : tile<i32> iter_values(%p = %r) -> (tile<i32>) {\n"
    body += "    %q = offset %pi, %g : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
    body += "    %s, %ts = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token\n"
    body += "    %more = muli %s, %p : tile<i32>\n    %p1 = addi %more, %g : tile<i32>\n    continue %p1 : tile<i32>\n  }\n"
    body += "  %place = remi %sum, %most signed : tile<i32>\n  %half = remi %sum, %c2 signed : tile<i32>\n"
    body += "  %found = cmpi less_than %place, %rows, signed : tile<i32> -> tile<i1>\n  if %found {\n"
    body += f"    %x, %t0 = load_view_tko weak %a[%place, %c0] : {pa}, tile<i32> -> {A}, token\n"
    body += f"    %y, %t1 = load_view_tko weak %b[%c0, %half] : {pb}, tile<i32> -> {B}, token\n"
    body += f"    %d = {product('%x', '%y', '%z', A, B, C)}\n"
    body += f"    %to = store_view_tko weak %d, %o[%r, %c0] : {C}, {po}, tile<i32> -> token\n  }}\n  continue\n}}\n"
    pointers = f"%pa: tile<ptr<{t}>>, %pb: tile<ptr<{t}>>, %po: tile<ptr<f32>>, %pi: tile<ptr<i32>>"
    args = [f"a:{t}[{m}x{tk}]={values(t, 84)}", f"b:{t}[{tk}x{2 * tn}]={values(t, 85)}", f"out:o:f32[{rounds * tm + 1}x{tn}]=zeros",
            f"i:i32[{groups}]=random(seed=86,lo=1,hi=4)"]
    if bounds != "constant":
        pointers += ", %n: tile<i32>"
        args.append(f"i32={rounds}")
    name = f"grouped-{t}-{tm}x{tn}x{tk}-{rows}rows-{rounds}rounds-{blocks}-{bounds.replace(' ', '-')}" + (f"-odd{odd}" if odd else "")
    return Case(name, module("grouped", pointers, body), "grouped", (blocks, 1, 1), args, tolerance(t, "f32"))


def stream(n, tiles, low, high, step, t, pointers, chain):
    """Loads that feed no product: the sum of tiles low, low + step, ... below high (and each of them doubled, with
    `chain`). By a view, or by pointers that the loop carries and moves on."""
    T, F, P = tile([n], t), tile([n], "f32"), tile([n], f"ptr<{t}>")
    va, pa = static_view("a", "pa", [tiles * n], [n], t)
    vc, pc = static_view("c", "pc", [tiles * n], [n], t)
    vo, po = static_view("o", "po", [n], [n], "f32")
    body = va + vc + vo + f"%c0 = constant <i32: 0> : tile<i32>\n%lo = constant <i32: {low}> : tile<i32>\n%st = constant <i32: {step}> : tile<i32>\n"
    body += f"%z = constant <f32: 0.0> : {F}\n"
    carried, moved = f"({F})", ""
    if pointers:
        offsets = tile([n], "i32")
        body += f"%iota = iota : {offsets}\n%at = constant <i32: {low * n}> : {offsets}\n%by = constant <i32: {step * n}> : {offsets}\n"
        body += f"%par = reshape %pa : tile<ptr<{t}>> -> tile<1xptr<{t}>>\n%pab = broadcast %par : tile<1xptr<{t}>> -> {P}\n"
        body += f"%o0 = addi %iota, %at : {offsets}\n%q0 = offset %pab, %o0 : {P}, {offsets} -> {P}\n"
        carried, moved = f"({F}, {P})", ", %q = %q0"
    body += f"{'%sum, %qe' if pointers else '%sum'} = for %i in (%lo to %hi, step %st) : tile<i32> iter_values(%s = %z{moved}) -> {carried} {{\n"
    body += f"  %x, %tx = load_ptr_tko weak %q : {P} -> {T}, token\n" if pointers else f"  %x, %tx = load_view_tko weak %a[%i] : {pa}, tile<i32> -> {T}, token\n"
    if chain:
        body += f"  %twice = addf %x, %x : {T}\n  %tw = store_view_tko weak %twice, %c[%i] : {T}, {pc}, tile<i32> -> token\n"
    body += f"  %f = ftof %x : {T} -> {F}\n  %s1 = addf %s, %f : {F}\n" if t != "f32" else f"  %s1 = addf %s, %x : {F}\n"
    if pointers:
        body += f"  %q1 = offset %q, %by : {P}, {offsets} -> {P}\n  continue %s1, %q1 : {F}, {P}\n}}\n"
    else:
        body += f"  continue %s1 : {F}\n}}\n"
    body += f"%to = store_view_tko weak %sum, %o[%c0] : {F}, {po}, tile<i32> -> token\n"
    text = module("stream", f"%pa: tile<ptr<{t}>>, %pc: tile<ptr<{t}>>, %po: tile<ptr<f32>>, %hi: tile<i32>", body)
    name = f"stream-{t}-{n}-{low}to{high}by{step}" + ("-pointers" if pointers else "") + ("-chain" if chain else "")
    return Case(name, text, "stream", (1, 1, 1), [f"a:{t}[{tiles * n}]={values(t, 91)}", f"out:c:{t}[{tiles * n}]=zeros", f"out:o:f32[{n}]=poison", f"i32={high}"],
                "rel:1e-5,abs:1e-5")


def trips(stages):
    """Numbers of iterations around which something happens."""
    return sorted({0, 1, 2, stages - 1, stages, stages + 1})


def cases(stages):
    """(case, whether its loop is pipelined) for loops of so many stages."""
    for n in trips(stages):
        for bounds in ("run time", "constant", "step"):
            known = None if bounds == "constant" and n < 3 else True  # as many stages as iterations
            yield ranged(64, 32, 32, 6, 0, n, bounds=bounds), known
            yield ranged(64, 32, 32, 16, 1, 1 + 3 * n - (n > 0), 3, bounds=bounds), known
    yield ranged(64, 64, 64, 5, 0, 5, t="bf16"), True
    yield ranged(32, 64, 32, 6, 0, 6, t="f8E4M3FN"), None
    yield ranged(64, 32, 16, 6, 0, 6, t="tf32"), True
    yield ranged(64, 64, 32, 6, 0, 6, streams=2), True
    yield ranged(32, 32, 32, 6, 0, 6, streams=3), True
    yield ranged(64, 32, 32, 6, 0, 6, latency=2), None
    yield ranged(64, 32, 32, 6, 0, 6, counter="i64"), True
    yield ranged(64, 32, 32, 6, 0, 6, counter="i16"), True
    yield ranged(64, 32, 32, 6, 2, 6, counter="i16", bounds="step"), True
    yield persistent(64, 32, 32, 5, 4, 2), True
    yield chased(64, 32, 32, 5), False
    yield matrix_kernels.gemm("f16", "f32", 128, 128, 160, 64, 64, 32, aligned=True), True
    yield matrix_kernels.gemm("bf16", "f32", 144, 128, 128, 128, 128, 32, aligned=True, transposed=True), True
    yield matrix_kernels.gemm("f16", "f32", 112, 80, 96, 64, 32, 32, aligned=True), True
    yield matrix_kernels.attention("f16", 64, 160, 64, 64, 32), None
    yield matrix_kernels.attention("bf16", 40, 70, 32, 32, 32), None
    yield matrix_kernels.attention("f16", 64, 170, 64, 64, 32, split=True), None
    yield ranged(64, 32, 32, 6, 0, 6, counted=True), True
    yield ranged(64, 32, 32, 16, 1, 14, 3, bounds="step", counter="i16", counted=True), True
    # Iterations divided along k where two of them have no room (sm_80, sm_89).
    for n in trips(stages):
        yield ranged(128, 128, 64, 6, 0, n), None
    yield ranged(128, 128, 64, 6, 2, 5, counter="i16"), None
    yield matrix_kernels.gemm("bf16", "f32", 144, 272, 160, 128, 256, 64, aligned=True, transposed=True), None
    yield matrix_kernels.gemm("f16", "f32", 128, 128, 320, 128, 128, 128, aligned=True, left=True), None
    # A ring of one stage each for keys and values where two of both have no room (sm_80, sm_89).
    for n in (1, 2, 3):
        yield matrix_kernels.attention("f16", 128, 128 * n, 64, 128, 128, aligned=True), None
    yield matrix_kernels.attention("bf16", 80, 272, 64, 128, 128, aligned=True), None


def gathers(stages):
    """(case, whether all that its loop loads is under way ahead in a ring) for loops whose tiles come through pointers."""
    for n in trips(stages):
        for bounds in ("run time", "constant"):
            known = None if bounds == "constant" and n < 3 else True
            yield gathered(64, 32, 32, 6, 0, n, rows=50, width=180 - n, bounds=bounds), known if n % 4 == 0 else None
            yield gathered(64, 64, 64, 16, 1, 1 + 3 * n - (n > 0), 3, rows=64, bounds=bounds, views=n % 2 == 0), known
            yield gathered(64, 32, 32, 16, 1, 1 + 3 * n - (n > 0), 3, rows=40, width=360, bounds=bounds, views=n % 2 == 1, carried=True), known
    yield gathered(64, 64, 64, 5, 0, 5, t="bf16", rows=50, width=200, views=False, ordered=True), None if stages > 2 else True
    yield gathered(64, 128, 32, 6, 0, 6, rows=61, width=64), True
    yield gathered(128, 128, 64, 5, 0, 5, rows=77, width=136), None
    yield gathered(64, 64, 64, 6, 0, 6, t="f8E4M3FN", rows=31, width=160), None
    yield gathered(64, 64, 32, 6, 0, 6, t="f32", rows=33), None
    # Elements one by one, or not zero where they are masked: through registers.
    yield gathered(64, 32, 32, 6, 0, 6, rows=50, width=181), None
    yield gathered(64, 32, 32, 6, 0, 6, rows=50, width=176, other="1.0"), None


def ahead():
    """Loops whose loads are made ahead in registers."""
    for n in (0, 1, 2, 3, 4):
        yield ranged(32, 32, 16, 6, 0, n, aligned=False)
        yield ranged(32, 32, 16, 16, 1, 1 + 3 * n - (n > 0), 3, bounds="step", counter=("i32", "i16", "i64")[n % 3], aligned=False)
        yield stream(256, 16, 1, 1 + 3 * n - (n > 0), 3, "f16", n % 2 == 0, n % 2 == 1)
        yield stream(256, 8, 0, n, 1, "f32", n % 2 == 1, n % 2 == 0)
    yield ranged(32, 32, 16, 5, 0, 5, aligned=False, counted=True)
    yield ranged(64, 64, 32, 4, 0, 4, t="bf16", aligned=False)
    # Both factors fetched by ldmatrix, or there are no registers for the loads.
    yield ranged(128, 128, 32, 4, 0, 4, aligned=False)


def in_branches():
    """Loops that ask memory which tiles they multiply, a round ahead."""
    for n in (0, 1, 2, 3, 4, 7):
        yield grouped(32, 32, 32, 3, n, 1)
        yield grouped(64, 32, 64, 2, n, 2, t="bf16", odd=5 * (n % 2))
    for n in (2, 3):
        yield grouped(32, 64, 32, 4, n, 1, t="f32", bounds="constant")
        yield grouped(64, 64, 64, 4, 2 * n, 2, t="f16", groups=1, bounds="constant")


def staged():
    """Loops whose tiles are converted before they are multiplied, with registers too few to hold them ahead: a ring has them as they
    come (where products are not those of warpgroups)."""
    for n in trips(3):
        yield ranged(64, 64, 32, 6, 0, n, t="tf32", raw="f32", occupancy=4)
        yield ranged(64, 64, 64, 16, 1, 1 + 3 * n - (n > 0), 3, bounds="step", counter=("i32", "i16", "i64")[n % 3], raw="f8E5M2", occupancy=4)
    yield ranged(128, 64, 64, 5, 0, 5, raw="f8E5M2", occupancy=4)
    yield ranged(64, 64, 64, 5, 0, 5, t="f8E5M2", occupancy=4)
