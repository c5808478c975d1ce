#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well memory operations are coalesced and vectorised: kernels that copy tiles, through views and through pointers,
with what can be proven about their addresses varied.

usage: coalescing.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_80,sm_90] [--page] [--jobs N] [-v]

Every kernel runs on the emulator and is compared with the reference. Each case has a lower limit of the bytes that one
thread moves per instruction, read off the PTX, and an upper limit of sectors: 32-byte sectors touched over those that the
bytes would fill at best, from --stats. Each promise (assume, inbounds) is there with and without: what it changes must be
seen. Broken promises must not bring anything down. --page prints the table of docs/coalescing.md.
"""

import functools
import pathlib
import re
import sys
import tempfile
from dataclasses import dataclass

from harness import conclude, run_all, suite_arguments
from kernels import literal, module, splat, tile
from run import TARGETS, run

BYTES = {"i1": 1, "i8": 1, "f8E4M3FN": 1, "i16": 2, "f16": 2, "bf16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8}


@dataclass
class Access:
    name: str
    text: str
    grid: tuple
    args: list
    load: int      # bytes per thread and load instruction, at least
    store: int     # the same for stores
    waste: float   # sectors over the least there could be, at most
    entry: str = "k"
    most: int = 16           # bytes per load, at most: shows that a promise was needed
    predicated: object = None  # whether accesses have predicates; None: either
    ignore: int = 0          # loads of this width are of something else (a table of indices)


def blockid():
    return "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"


def promise(name, value, n, t):
    return f"%{name} = assume div_by<{n}>, %{value} : tile<{t}>\n"


def view_type(shape, strides, t):
    dims = "x".join("?" if d is None else str(d) for d in shape)
    return f"tensor_view<{dims}x{t}, strides=[{','.join('?' if s is None else str(s) for s in strides)}]>"


def static_copy(t, shape, tile_shape, src, dst, load, store, waste=1.0, aligned=16, name="", warps=0, dim_map=None, extra=""):
    """Static shapes; src and dst are the orders of the dimensions in memory, slowest first."""
    body = blockid()
    zero = "%z = constant <i32: 0> : tile<i32>\n"
    types = []
    for base, order in (("a", src), ("b", dst)):
        strides, step = [0] * len(shape), 1
        for d in reversed(order):
            strides[d] = step
            step *= shape[d]
        tv = view_type(shape, strides, t)
        pv = f"partition_view<tile=({'x'.join(map(str, tile_shape))}){extra}, {tv}>"
        pointer = base
        if aligned > 1:
            body += promise(base + "_p", base, aligned, f"ptr<{t}>")
            pointer += "_p"
        body += f"%{base}_t = make_tensor_view %{pointer}, shape = {list(shape)}, strides = {strides} : {tv}\n"
        body += f"%{base}_v = make_partition_view %{base}_t : {pv}\n"
        types.append(pv)
    index = ["%bx", "%by", "%bz"][:len(shape)]
    grid = [-(-n // m) for n, m in zip(shape, tile_shape)] + [1] * (3 - len(shape))
    it = "tile<i32>"
    body += f"%x, %t0 = load_view_tko weak %a_v[{', '.join(index)}] : {types[0]}, {it} -> {tile(tile_shape, t)}, token\n"
    body += f"%t1 = store_view_tko weak %x, %b_v[{', '.join(index)}] token=%t0 : {tile(tile_shape, t)}, {types[1]}, {it} -> token\n"
    text = module("k", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>", body)
    dims = "x".join(map(str, shape))
    def stridesOf(order):
        strides, step = [0] * len(shape), 1
        for d in reversed(order):
            strides[d] = step
            step *= shape[d]
        return "x".join(map(str, strides))
    off = "" if aligned > 1 else f",offset={BYTES[t]}"
    args = [f"a:{t}[{dims}]{{strides={stridesOf(src)}{off}}}=random(seed=1)", f"out:b:{t}[{dims}]{{strides={stridesOf(dst)}{off}}}=poison"]
    return Access(name or f"view-{t}-{dims}", text, tuple(grid), args, load, store, waste)


def dynamic_copy(t, m, n, tm, tn, load, store, waste, divisor=1, pad="", inner_static=True, column=False, name=""):
    """Extents and strides are arguments; divisor is promised of pointer, extents and strides."""
    body = blockid()
    names = {"m": "m", "n": "n"}
    if divisor > 1:
        body += promise("m_d", "m", divisor, "i32") + promise("n_d", "n", divisor, "i32")
        names = {"m": "m_d", "n": "n_d"}
    types = []
    lead = names["m"] if column else names["n"]
    for base in "ab":
        pointer = base
        if divisor > 1:
            body += promise(base + "_p", base, 16, f"ptr<{t}>")
            pointer += "_p"
        static = [1, None] if column else [None, 1]
        tv = view_type([None, None], static, t)
        pv = f"partition_view<tile=({tm}x{tn}){pad if base == 'a' else ''}, {tv}>"
        strides = f"1, %{lead}" if column else f"%{lead}, 1"
        body += f"%{base}_t = make_tensor_view %{pointer}, shape = [%{names['m']}, %{names['n']}], strides = [{strides}] : tile<i32> -> {tv}\n"
        body += f"%{base}_v = make_partition_view %{base}_t : {pv}\n"
        types.append(pv)
    body += f"%x, %t0 = load_view_tko weak %a_v[%bx, %by] : {types[0]}, tile<i32> -> {tile([tm, tn], t)}, token\n"
    body += f"%t1 = store_view_tko weak %x, %b_v[%bx, %by] token=%t0 : {tile([tm, tn], t)}, {types[1]}, tile<i32> -> token\n"
    text = module("k", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    strides = f"1x{m}" if column else f"{n}x1"
    args = [f"a:{t}[{m}x{n}]{{strides={strides}}}=random(seed=3)", f"out:b:{t}[{m}x{n}]{{strides={strides}}}=poison", f"i32={m}", f"i32={n}"]
    return Access(name, text, (-(-m // tm), -(-n // tn), 1), args, load, store, waste)


def load_store(t, block_shape, pointers, mask, more=""):
    p, v, m = tile(block_shape, f"ptr<{t}>"), tile(block_shape, t), tile(block_shape, "i1")
    body = ""
    if mask:
        body += f"%zero = constant <{t}: {literal(t, 0)}> : {v}\n"
        body += f"%x, %t0 = load_ptr_tko weak %{pointers[0]}, %{mask}, %zero : {p}, {m}, {v} -> {v}, token\n"
        body += f"%t1 = store_ptr_tko weak %{pointers[1]}, %x, %{mask} token=%t0 : {p}, {v}, {m} -> token\n"
    else:
        body += f"%x, %t0 = load_ptr_tko weak %{pointers[0]} : {p} -> {v}, token\n"
        body += f"%t1 = store_ptr_tko weak %{pointers[1]}, %x token=%t0 : {p}, {v} -> token\n"
    return body


def offsets(name, base, index, shape, t, it="i32"):
    return (splat(name + "_b", base, shape, f"ptr<{t}>") +
            f"%{name} = offset %{name}_b, %{index} : {tile(shape, f'ptr<{t}>')}, {tile(shape, it)} -> {tile(shape, f'ptr<{t}>')}\n")


def line(t, n, block, load, store, waste, base=16, extent=1, mask=True, bound=None, name="", stride=1):
    """Pointers of one dimension: block id * block + lane, masked with the extent."""
    body = blockid() + f"%cb = constant <i32: {block}> : tile<i32>\n%start = muli %bx, %cb : tile<i32>\n"
    body += f"%lane = iota : tile<{block}xi32>\n" + splat("sb", "start", [block], "i32")
    body += f"%i = addi %sb, %lane : tile<{block}xi32>\n"
    index = "i"
    if stride != 1:
        body += f"%cs = constant <i32: {stride}> : tile<{block}xi32>\n%is = muli %i, %cs : tile<{block}xi32>\n"
        index = "is"
    extent_name = "n"
    if extent > 1:
        body += promise("n_d", "n", extent, "i32")
        extent_name = "n_d"
    if bound:
        body += f"%n_b = assume bounded<{bound}, ?>, %{extent_name} : tile<i32>\n"
        extent_name = "n_b"
    if mask:
        body += splat("nb", extent_name, [block], "i32")
        body += f"%in = cmpi less_than %i, %nb, signed : tile<{block}xi32> -> tile<{block}xi1>\n"
    for p in "ab":
        pointer = p
        if base > 1:
            body += promise(p + "_p", p, base, f"ptr<{t}>")
            pointer += "_p"
        body += offsets(p + "p", pointer, index, [block], t)
    body += load_store(t, [block], ("ap", "bp"), "in" if mask else "")
    text = module("k", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>, %n: tile<i32>", body)
    off = "" if base > 1 else f"{{offset={BYTES[t]}}}"
    size = n * stride
    return Access(name, text, (-(-n // block), 1, 1),
                  [f"a:{t}[{size}]{off}=random(seed=4)", f"out:b:{t}[{size}]{off}=zeros", f"i32={n}"], load, store, waste)


def plane(t, m, n, tm, tn, load, store, waste, divisor=16, column=False, masked="both", name="", promised=True):
    """Pointers of two dimensions: row * stride + column (or the other way round)."""
    body = blockid()
    inner, outer = ("m", "n") if column else ("n", "m")
    lead = inner
    if promised:
        body += promise("lead", lead, divisor, "i32")
    else:
        body += f"%lead = assume bounded<0, ?>, %{lead} : tile<i32>\n"
    shape = [tm, tn]
    for d, (axis, block, extent) in enumerate((("bx", tm, "m"), ("by", tn, "n"))):
        body += f"%c{d} = constant <i32: {block}> : tile<i32>\n%s{d} = muli %{axis}, %c{d} : tile<i32>\n"
        body += f"%l{d} = iota : tile<{block}xi32>\n" + splat(f"sb{d}", f"s{d}", [block], "i32") + f"%i{d} = addi %sb{d}, %l{d} : tile<{block}xi32>\n"
        one = [1, 1]
        one[d] = block
        body += f"%v{d} = reshape %i{d} : tile<{block}xi32> -> {tile(one, 'i32')}\n%x{d} = broadcast %v{d} : {tile(one, 'i32')} -> {tile(shape, 'i32')}\n"
        source = "lead" if extent == lead else extent
        body += splat(f"e{d}", source, shape, "i32") + f"%in{d} = cmpi less_than %x{d}, %e{d}, signed : {tile(shape, 'i32')} -> {tile(shape, 'i1')}\n"
    body += f"%in = andi %in0, %in1 : {tile(shape, 'i1')}\n" + splat("ld", "lead", shape, "i32")
    far, near = ("x1", "x0") if column else ("x0", "x1")
    body += f"%f = muli %{far}, %ld : {tile(shape, 'i32')}\n%o = addi %f, %{near} : {tile(shape, 'i32')}\n"
    for p in "ab":
        body += promise(p + "_p", p, 16, f"ptr<{t}>") + offsets(p + "p", p + "_p", "o", shape, t)
    body += load_store(t, shape, ("ap", "bp"), "in" if masked == "both" else "in0" if masked == "rows" else "")
    text = module("k", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
    strides = f"1x{m}" if column else f"{n}x1"
    return Access(name, text, (-(-m // tm), -(-n // tn), 1),
                  [f"a:{t}[{m}x{n}]{{strides={strides}}}=random(seed=5)", f"out:b:{t}[{m}x{n}]{{strides={strides}}}=poison", f"i32={m}", f"i32={n}"],
                  load, store, waste)


def rows_by_index(t, rows, n, tm, load, store, waste, name=""):
    """An embedding: rows chosen by a table, whole rows copied."""
    body = blockid() + f"%c = constant <i32: {tm}> : tile<i32>\n%s = muli %bx, %c : tile<i32>\n%l = iota : tile<{tm}xi32>\n"
    body += splat("sb", "s", [tm], "i32") + f"%i = addi %sb, %l : tile<{tm}xi32>\n" + offsets("tp", "table", "i", [tm], "i32")
    body += f"%row0, %tt = load_ptr_tko weak %tp : {tile([tm], 'ptr<i32>')} -> {tile([tm], 'i32')}, token\n"
    shape = [tm, n]
    body += f"%cn = constant <i32: {n}> : {tile([tm], 'i32')}\n%row = muli %row0, %cn : {tile([tm], 'i32')}\n%out = muli %i, %cn : {tile([tm], 'i32')}\n"
    body += f"%k = iota : tile<{n}xi32>\n%kv = reshape %k : tile<{n}xi32> -> tile<1x{n}xi32>\n%kb = broadcast %kv : tile<1x{n}xi32> -> {tile(shape, 'i32')}\n"
    for r, p in (("row", "a"), ("out", "b")):
        body += f"%{r}v = reshape %{r} : {tile([tm], 'i32')} -> {tile([tm, 1], 'i32')}\n%{r}b = broadcast %{r}v : {tile([tm, 1], 'i32')} -> {tile(shape, 'i32')}\n"
        body += f"%{p}o = addi %{r}b, %kb : {tile(shape, 'i32')}\n" + promise(p + "_p", p, 16, f"ptr<{t}>") + offsets(p + "p", p + "_p", p + "o", shape, t)
    body += load_store(t, shape, ("ap", "bp"), "")
    text = module("k", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>, %table: tile<ptr<i32>>", body)
    return Access(name, text, (rows // tm, 1, 1),
                  [f"a:{t}[{rows}x{n}]=random(seed=6)", f"out:b:{t}[{rows}x{n}]=poison", f"table:i32[{rows}]=random(lo=0,hi={rows - 1},seed=7)"], load, store, waste,
                  ignore=4)


def tile_1d(t, block, body, index, mask, args, params, name, load, **more):
    """One tile block; body makes %index and %mask of the loads and stores from a to b."""
    for p in "ab":
        body += promise(p + "_p", p, 16, f"ptr<{t}>") + offsets(p + "p", p + "_p", index, [block], t)
    body += load_store(t, [block], ("ap", "bp"), mask)
    text = module("k", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>" + params, body)
    return Access(name, text, (1, 1, 1), [f"a:{t}[{2 * block}]=random(seed=8)", f"out:b:{t}[{2 * block}]=zeros", *args], load, load, 8.0,
                  most=load, **more)


def promises(t):
    """(without, with) for every predicate and for inbounds."""
    b, n = BYTES[t], 1024
    wide = min(16, 8 * b)
    v, m = tile([n], "i32"), tile([n], "i1")
    lane = f"%l = iota : {v}\n"
    out = []
    for on in (False, True):
        width, tag = (wide, "with") if on else (b, "without")

        # Every block of 8 indices of a table counts up from a multiple of 8.
        body = lane + offsets("tp", "table", "l", [n], "i32") + f"%j, %tj = load_ptr_tko weak %tp : {tile([n], 'ptr<i32>')} -> {v}, token\n"
        body += f"%i = assume div_by<8, every 8 along 0>, %j : {v}\n" if on else ""
        out.append(tile_1d(t, n, body, "i" if on else "j", "", [f"table:i32[{n}]=iota(lo=0)"], ", %table: tile<ptr<i32>>",
                           f"promise-div-by-every-{tag}-{t}", width, ignore=0 if b == 4 and not on else 4))
        # Flags that are the same for 8 neighbours.
        body = lane + offsets("tp", "table", "l", [n], "i32") + f"%f, %tj = load_ptr_tko weak %tp : {tile([n], 'ptr<i32>')} -> {v}, token\n"
        body += f"%g = assume same_elements<[8]>, %f : {v}\n" if on else ""
        body += f"%zi = constant <i32: 0> : {v}\n%in = cmpi greater_than %{'g' if on else 'f'}, %zi, signed : {v} -> {m}\n"
        out.append(tile_1d(t, n, body, "l", "in", [f"table:i32[{n}]=1"], ", %table: tile<ptr<i32>>", f"promise-same-elements-{tag}-{t}", width,
                           ignore=0 if b == 4 and not on else 4, predicated=True))
        # i / 8 * 8 + i % 8 is i in runs of 8 where i is not negative: division rounds to zero.
        body = promise("sd", "s", 8, "i32") + splat("ss", "sd", [n], "i32") + lane + f"%i0 = addi %ss, %l : {v}\n"
        body += f"%i1 = assume bounded<0, ?>, %i0 : {v}\n" if on else ""
        i = "i1" if on else "i0"
        body += f"%c8 = constant <i32: 8> : {v}\n%q = divi %{i}, %c8 signed : {v}\n%r = remi %{i}, %c8 signed : {v}\n"
        body += f"%q8 = muli %q, %c8 : {v}\n%i = addi %q8, %r : {v}\n"
        out.append(tile_1d(t, n, body, "i", "", ["i32=8"], ", %s: tile<i32>", f"promise-not-negative-{tag}-{t}", width))
        # An extent that is at least the tile's: no mask is left.
        body = lane + (f"%m = assume bounded<{n}, ?>, %n : tile<i32>\n" if on else "") + splat("nb", "m" if on else "n", [n], "i32")
        body += f"%in = cmpi less_than %l, %nb, signed : {v} -> {m}\n"
        out.append(tile_1d(t, n, body, "l", "in", [f"i32={2 * n}"], ", %n: tile<i32>", f"promise-bounded-{tag}-{t}", wide if on else b,
                           predicated=not on))
        # div_by of extents, of the view's base; inbounds.
        tv = view_type([None, None], [192, 1], t)
        pv = f"partition_view<tile=(32x64), {tv}>"
        for what in ("extent", "view", "inbounds"):
            body = blockid()
            extent = "n"
            if what == "view" or (what == "extent" and on):
                body += promise("nd", "n", 16, "i32")
                extent = "nd"
            for p in "ab":
                pointer = p
                if what != "view":
                    body += promise(p + "_p", p, 16, f"ptr<{t}>")
                    pointer = p + "_p"
                body += f"%{p}_t = make_tensor_view %{pointer}, shape = [%m, %{extent}], strides = [192, 1] : tile<i32> -> {tv}\n"
                view = p + "_t"
                if what == "view" and on:
                    body += f"%{p}_u = assume div_by<16>, %{p}_t : {tv}\n"
                    view = p + "_u"
                body += f"%{p}_v = make_partition_view %{view} : {pv}\n"
            inside = " inbounds = [true, true]" if what == "inbounds" and on else ""
            body += f"%x, %t0 = load_view_tko weak %a_v[%bx, %by]{inside} : {pv}, tile<i32> -> {tile([32, 64], t)}, token\n"
            body += f"%t1 = store_view_tko weak %x, %b_v[%bx, %by] token=%t0{inside} : {tile([32, 64], t)}, {pv}, tile<i32> -> token\n"
            text = module("k", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>, %m: tile<i32>, %n: tile<i32>", body)
            out.append(Access(f"promise-{what}-{tag}-{t}", text, (1, 3, 1),
                              [f"a:{t}[32x192]=random(seed=9)", f"out:b:{t}[32x192]=poison", "i32=32", "i32=192"],
                              16 if on else b, 16 if on else b, 1.0, most=16 if on else b))
    return out


def broken_promises():
    """Kernels whose promises are false. Undefined, so anything may come out: but no crash of compiler or emulator."""
    out = []
    for t in ("i8", "f32"):
        for predicate in ("div_by<16>", "div_by<1024>", "bounded<0, 3>", "bounded<?, -5>", "bounded<1000, ?>"):
            body = f"%m = assume {predicate}, %n : tile<i32>\n%l = iota : tile<64xi32>\n" + splat("nb", "m", [64], "i32")
            body += "%in = cmpi less_than %l, %nb, signed : tile<64xi32> -> tile<64xi1>\n%i = addi %l, %nb : tile<64xi32>\n"
            for p in "ab":
                body += promise(p + "_p", p, 64, f"ptr<{t}>") + offsets(p + "p", p + "_p", "i", [64], t)
            body += load_store(t, [64], ("ap", "bp"), "in")
            out.append((f"n-{predicate}-{t}", module("k", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>, %n: tile<i32>", body),
                        [f"a:{t}[256]{{offset={BYTES[t]}}}=random(seed=10)", f"out:b:{t}[256]{{offset={BYTES[t]}}}=zeros", "i32=37"]))
        for predicate in ("div_by<64, every 64 along 0>", "div_by<4611686018427387904>", "same_elements<[64]>", "same_elements<[0]>",
                          "bounded<5, 5>", "bounded<-3, -3>", "div_by<16, every 0 along 0>", "div_by<2, every 3 along 0>"):
            body = "%l = iota : tile<64xi32>\n" + offsets("tp", "table", "l", [64], "i32")
            body += "%j, %tj = load_ptr_tko weak %tp : tile<64xptr<i32>> -> tile<64xi32>, token\n"
            body += f"%i = assume {predicate}, %j : tile<64xi32>\n%c = constant <i32: 20> : tile<64xi32>\n"
            body += "%in = cmpi less_than %i, %c, signed : tile<64xi32> -> tile<64xi1>\n"
            for p in "ab":
                body += promise(p + "_p", p, 64, f"ptr<{t}>") + offsets(p + "p", p + "_p", "i", [64], t)
            body += load_store(t, [64], ("ap", "bp"), "in")
            out.append((f"tile-{predicate}-{t}", module("k", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>, %table: tile<ptr<i32>>", body),
                        [f"a:{t}[256]{{offset={BYTES[t]}}}=random(seed=11)", f"out:b:{t}[256]{{offset={BYTES[t]}}}=zeros",
                         "table:i32[64]=random(lo=0,hi=200,seed=12)"]))
    return out


def check_broken(name, text, args, target, tool, folder):
    source = pathlib.Path(folder) / f"broken-{abs(hash((name, target)))}.mlir"
    source.write_text(text)
    command = [str(tool), str(source), "--engine=emulator", f"--gpu-name={target}", "--threads=1", *args]
    code, output = run(command)
    # 6: the emulator reports what the broken promise led to (an address that is not aligned, or outside).
    return None if code in (0, 6) else f"{' '.join(command)}\nexit status {code}\n{output}"


def cases():
    out = promises("i8") + promises("f16") + promises("f32")
    for t in ("i8", "f16", "f32", "f64"):
        b = BYTES[t]
        wide = 16
        # Rows of 32 or 64 bytes that do not begin at a sector touch one more than they fill: that is what i8 is allowed here.
        out += [
            static_copy(t, (4096,), (1024,), (0,), (0,), min(wide, b * 8), min(wide, b * 8), name=f"view-1d-{t}"),
            static_copy(t, (64, 256), (32, 64), (0, 1), (0, 1), wide, wide, name=f"view-rows-{t}"),
            static_copy(t, (64, 256), (32, 64), (1, 0), (1, 0), wide, wide, name=f"view-columns-{t}"),
            static_copy(t, (64, 256), (32, 64), (0, 1), (1, 0), wide, wide, name=f"view-transpose-{t}"),
            static_copy(t, (8, 64, 64), (2, 32, 32), (0, 1, 2), (0, 1, 2), wide, wide, name=f"view-3d-{t}"),
            static_copy(t, (8, 64, 64), (2, 32, 32), (0, 1, 2), (2, 0, 1), wide if b > 4 else min(wide, b * 16), min(wide, 2 * b), waste=4.0, name=f"view-3d-permuted-{t}"),
            # What does not start at a multiple of the access moves element by element, in runs all the same.
            static_copy(t, (64, 256), (32, 64), (0, 1), (0, 1), b, b, waste=2.0 if b == 1 else 1.6, aligned=1, name=f"view-rows-unaligned-{t}"),
            # The edge cuts whole accesses: extents divisible by 8.
            static_copy(t, (40, 200), (32, 64), (0, 1), (0, 1), min(wide, 8 * b), min(wide, 8 * b), waste=1.5 if b == 1 else 1.25, name=f"view-edge8-{t}"),
            static_copy(t, (37, 201), (32, 64), (0, 1), (0, 1), b, b, waste=2.1 if b == 1 else 1.9, name=f"view-edge-odd-{t}"),
            dynamic_copy(t, 48, 176, 32, 64, wide, wide, 1.3 if b == 1 else 1.0, divisor=16, name=f"view-dynamic-promised-{t}"),
            dynamic_copy(t, 48, 176, 32, 64, wide, wide, 1.3 if b == 1 else 1.0, divisor=16, pad=", padding_value = zero", name=f"view-dynamic-padded-{t}"),
            dynamic_copy(t, 48, 176, 32, 64, b, b, 1.6 if b == 1 else 1.0, name=f"view-dynamic-{t}"),
            dynamic_copy(t, 48, 176, 32, 64, wide, wide, 1.7 if b == 1 else 1.0, divisor=16, column=True, name=f"view-dynamic-columns-{t}"),
            line(t, 4096, 1024, min(wide, 8 * b), min(wide, 8 * b), 1.0, mask=False, name=f"pointer-1d-{t}"),
            line(t, 4000, 1024, min(wide, 8 * b), min(wide, 8 * b), 1.0, extent=16, name=f"pointer-1d-promised-{t}"),
            line(t, 4001, 1024, b, b, 1.1, name=f"pointer-1d-masked-{t}"),
            line(t, 4096, 1024, b, b, (b + 1) / b, base=1, mask=False, name=f"pointer-1d-unaligned-{t}"),
            line(t, 2048, 1024, b, b, 2.0, mask=False, stride=2, name=f"pointer-1d-stride2-{t}"),
            plane(t, 40, 192, 32, 64, wide, wide, 1.0, name=f"pointer-2d-{t}"),
            plane(t, 192, 40, 64, 32, wide, wide, 1.0, column=True, name=f"pointer-2d-columns-{t}"),
            plane(t, 37, 192, 32, 64, wide, wide, 1.0, masked="rows", name=f"pointer-2d-rowmask-{t}"),
            plane(t, 37, 187, 32, 64, b, b, 2.0, promised=False, name=f"pointer-2d-odd-{t}"),
            rows_by_index(t, 64, 128, 16, wide, wide, 1.05, name=f"pointer-gather-rows-{t}"),
        ]
    return out


def measure(case, target, tool, folder):
    """(error, load bytes, store bytes, waste)"""
    base = pathlib.Path(folder) / f"{case.name}-{target}"
    source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
    source.write_text(case.text)
    command = [str(tool), str(source), "--entry=k", "--grid=" + ",".join(map(str, case.grid)), "--engine=reference,emulator", "--check",
               "--stats", f"--gpu-name={target}", f"--save-ptx={ptx}", "--threads=1", *case.args]
    code, output = run(command)
    if code:
        return f"{' '.join(command)}\nexit status {code}\n{output}", 0, 0, 0
    # Of accesses of several widths the narrowest of the operation counts, so remainders cannot hide.
    widths, predicated = {"ld": [], "st": []}, False
    for guard, op, vector, bits in re.findall(r"(@!?%p\d+)?\s+(ld|st)\.global(?:\.[a-z:_]*?)*?(?:\.(v[248]))?\.[a-z](\d+)\s", ptx.read_text()):
        width = int(vector[1:] if vector else 1) * int(bits) // 8
        if op != "ld" or width != case.ignore:
            widths[op].append(width)
        predicated |= bool(guard)
    if case.predicated is not None and predicated != case.predicated:
        return f"{case.name} {target}: accesses {'have' if predicated else 'lack'} predicates", 0, 0, 0
    counters = {name: float(value) for name, value in re.findall(r"^\s*global (\w+(?: \w+)*?)\s+(\d+)$", output, re.M)}
    moved = counters["load bytes"] + counters["store bytes"]
    return None, min(widths["ld"], default=0), min(widths["st"], default=0), counters["sectors"] * 32 / moved


def check(case, target, tool, folder):
    error, load, store, waste = measure(case, target, tool, folder)
    if error:
        return error
    wrong = []
    if load < case.load:
        wrong.append(f"loads of {load} bytes, want {case.load}")
    if load > case.most:
        wrong.append(f"loads of {load} bytes without the promise, want {case.most}")
    if store < case.store:
        wrong.append(f"stores of {store} bytes, want {case.store}")
    if waste > case.waste + 0.005:
        wrong.append(f"{waste:.2f} times the sectors needed, want {case.waste}")
    return f"{case.name} {target}: " + "; ".join(wrong) if wrong else None


def page(tool, target, folder):
    print(f"| case ({target}) | bytes per load | bytes per store | sectors over least |\n|---|---|---|---|")
    for case in cases():
        error, load, store, waste = measure(case, target, tool, folder)
        print(f"| {case.name} | {error.splitlines()[-1] if error else load} | {store} | {waste:.2f} |")


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--page", action="store_true")
    args = parser.parse_args()
    tool = pathlib.Path(args.build).resolve() / "bin" / "tileiras-run"
    with tempfile.TemporaryDirectory(prefix="tileiras-coalescing-") as folder:
        if args.page:
            page(tool, args.targets.split(",")[0], folder)
            return 0
        work = [(f"coalescing {case.name} {target}", functools.partial(check, case, target, tool, folder))
                for case in cases() for target in args.targets.split(",") if args.filter in f"{case.name} {target}"]
        work += [(f"coalescing broken {name} {target}", functools.partial(check_broken, name, text, values, target, tool, folder))
                 for name, text, values in broken_promises() for target in args.targets.split(",") if args.filter in f"broken {name} {target}"]
        outcome = run_all(work, args.jobs, args.v)
    return conclude("coalescing:", *outcome, args.report)


if __name__ == "__main__":
    sys.exit(main())
