# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of op_table.py: shapes, literals, reductions, control flow, matrix products, what stands around a kernel."""

import op_values
from op_builder import NONE, SIZE, TYPES, Case, product, tile
from op_table_arith import BF, F, I, I4, N, rows
from op_values import FLOATS, INTS

ALL = TYPES  # tiles of every element type
TRUE = "true"


def literal(t, number):
    if t == "i1":
        return "true" if number % 2 else "false"
    if t in INTS:
        return str(number)
    return f"{float(number)!r}"


def element(t):
    return "ptr<f32>" if t == "ptr" else t


def hexadecimal(t, bits):
    return f"0x{bits >> FLOATS[t].pad:0{-(-FLOATS[t].bits // 4)}X}"


def shapes():
    def unary(op, suffix, source, result):
        def modes(t):
            def emit(b):
                b.store(b.op(f"{op} {b.load(t, 'bits', source)}{suffix} : {tile(t, source)} -> {tile(t, result)}"), t, result)
            yield f"{'x'.join(map(str, source))} to {'x'.join(map(str, result))}", emit
        return modes

    def some(*makers):
        return lambda t: [m for maker in makers for m in maker(t)]
    result = rows("broadcast", ALL, some(unary("broadcast", "", (1, 16), (8, 16)), unary("broadcast", "", (8, 2, 1), (8, 2, 4))), "shape")
    result += rows("reshape", ALL, some(unary("reshape", "", (8, 16), (4, 32)), unary("reshape", "", (2, 4, 8), (64,))), "shape")
    result += rows("permute", ALL, some(unary("permute", " [1, 0]", (8, 16), (16, 8)), unary("permute", " [2, 0, 1]", (2, 4, 8), (8, 2, 4))), "shape")

    def cat(t):
        for dim in (0, 1):
            def emit(b, dim=dim):
                s, r = (8, 8), ((16, 8), (8, 16))[dim]
                x, y = b.load(t, "bits", s), b.load(t, "any0", s)
                b.store(b.op(f"cat {x}, {y} dim = {dim} : {tile(t, s)}, {tile(t, s)} -> {tile(t, r)}"), t, r)
            yield f"dim {dim}", emit

    def extract(t):
        def emit(b):
            i, j = b.constant("i32", 1), b.constant("i32", 2)
            b.store(b.op(f"extract {b.load(t, 'bits', (8, 16))}[{i}, {j}] : {tile(t, (8, 16))} -> {tile(t, (4, 4))}"), t, (4, 4))
        yield "constant index", emit

        def emit(b):
            i, j = b.op(f"remi {b.block()}, {b.constant('i32', 2)} unsigned : tile<i32>"), b.block()
            b.store(b.op(f"extract {b.load(t, 'bits', (8, 16))}[{i}, {j}] : {tile(t, (8, 16))} -> {tile(t, (4, 4))}"), t, (4, 4))
        yield "index of the tile block", emit

    def insert(t):
        def emit(b):
            s, d = (4, 4), (8, 16)
            i = b.op(f"remi {b.block()}, {b.constant('i32', 2)} unsigned : tile<i32>")
            b.store(b.op(f"insert {b.load(t, 'any0', s)}, {b.load(t, 'bits', d)}[{i}, {b.block()}] : {tile(t, s)}, {tile(t, d)}"), t, d)
        yield "", emit

    def select(t):
        def emit(b):
            c, x, y = b.load("i1", "any0"), b.load(t, "bits"), b.load(t, "any1")
            b.store(b.op(f"select {c}, {x}, {y} : {tile('i1')}, {tile(t)}"), t)
        yield "", emit
    result += rows("cat", ALL, cat, "shape") + rows("extract", ALL, extract, "shape") + rows("insert", ALL, insert, "shape")
    return result + rows("select", [t for t in ALL if t != "f4E2M1FN"], select, "shape")


def literals():
    def numbers(t):
        """Eight literals: numbers that every format has, and patterns."""
        if t in INTS:
            w = op_values.INTS[t]
            return ["true", "false"] * 4 if t == "i1" else [str(v) for v in (0, 1, -1, -(1 << (w - 1)), (1 << (w - 1)) - 1, 5, -7, (1 << w) - 1)]
        if t == "ptr":
            return ["0"] * 8
        text = [literal(t, v) for v in (1, 2, 4)] + [literal(t, v) for v in ((0.5,) if t == "f8E8M0FNU" else (-1.5,))]
        return text + [hexadecimal(t, b) for b in op_values.values(t, "bits", 4)]

    def constant(t):
        def emit(b):
            b.store(b.op(f"constant <{element(t)}: [{', '.join(numbers(t))}]> : {tile(t, (8,))}"), t, (8,))
        yield "list", emit

        def emit(b):
            b.store(b.op(f"constant <{t}: {numbers(t)[1]}> : {tile(t, (4, 8))}"), t, (4, 8))
        yield "splat", emit
        if t != "f4E2M1FN":
            def emit(b):
                b.store(b.op(f"constant <{t}: {numbers(t)[2]}> : {tile(t, ())}"), t, ())
            yield "rank 0", emit

    def iota(t):
        n = {"i1": 2, "i4": 16}.get(t, 128)

        def emit(b):
            b.store(b.op(f"iota : {tile(t, (n,))}"), t, (n,))
        yield "", emit

    def global_(t):
        for words in ("", "private constant"):
            def emit(b, words=words):
                g = b.name("g")[1:]
                b.outside.append(f"global {words} @{g} alignment = 16 <{element(t)}: [{', '.join(numbers(t))}]> : {tile(t, (8,))}")
                base = b.op(f"get_global @{g} : {tile(f'ptr<{t}>', ())}")
                p = b.pointers(base, t, 8, b.op("iota : tile<8xi32>"))
                x = b.name("x")
                b.line(f"{x}, {x}_t = load_ptr_tko weak {p} : tile<8xptr<{t}>> -> {tile(t, (8,))}, token")
                b.store(x, t, (8,))
            yield words or "public", emit

    def entry(t):
        def emit(b):
            value = {"i1": "true", "ptr": "4096"}.get(t) or ("-3" if t in INTS else "2.0")
            b.store(b.splat(b.parameter(t, value), t, (2,)), t, (2,))
        yield "scalar parameter", emit
    scalars = [t for t in N if t != "f4E2M1FN"] + ["ptr"]
    return (rows("constant", N, constant, "literal") + rows("iota", I, iota, "literal") +
            rows("global", N, global_, "literal", also=("get_global",)) + rows("entry", [*scalars, "i4"], entry, "literal"))


def packing():
    def repack(op):
        def modes(t):
            n = 512 * 8 // op_values.width(t) if t != "ptr" else 64
            n = n * 1 if t != "i1" else 4096

            def emit(b):
                if op == "pack":
                    b.store(b.op(f"pack {b.load(t, 'bits', (n,))} : {tile(t, (n,))} -> tile<512xi8>"), "i8", (512,))
                else:
                    b.store(b.op(f"unpack {b.load('i8', 'bits', (512,))} : tile<512xi8> -> {tile(t, (n,))}"), t, (n,))
            yield "", emit
        return modes
    other = [t for t in [*N, "i4"] if t not in ("i8", "f8E4M3FN", "f8E5M2", "f8E8M0FNU")]
    return rows("pack", other, repack("pack"), "pack", grid=1) + rows("unpack", other, repack("unpack"), "pack", grid=1)


def bodies(t):
    """(mode, identity, element, lines) of regions that do not care for the order."""
    def plain(op, suffix=""):
        return lambda b, x, y, t=t: b.op(f"{op} {x}, {y}{suffix} : tile<{t}>")
    if t == "i1":
        return [("ori", "0", plain("ori")), ("andi", "-1", plain("andi")), ("xori", "0", plain("xori"))]
    if t == "i4":
        def largest(b, x, y):
            p, q = (b.op(f"exti {v} signed : tile<i4> -> tile<i32>") for v in (x, y))
            return b.op(f"trunci {b.op(f'maxi {p}, {q} signed : tile<i32>')} : tile<i32> -> tile<i4>")
        return [("larger, through i32", "-8", largest)]
    if t in INTS:
        low, high = -(1 << (INTS[t] - 1)), (1 << (INTS[t] - 1)) - 1
        return [("addi", "0", plain("addi")), ("maxi", str(low), plain("maxi", " signed")), ("mini", str(high), plain("mini", " signed")),
                ("umaxi", "0", plain("maxi", " unsigned")), ("xori", "0", plain("xori")), ("muli", "1", plain("muli"))]
    if t in BF:
        inf = {"f16": "0x7C00", "bf16": "0x7F80", "f32": "0x7F800000", "f64": "0x7FF0000000000000"}[t]
        ninf = {"f16": "0xFC00", "bf16": "0xFF80", "f32": "0xFF800000", "f64": "0xFFF0000000000000"}[t]
        return [("addf", "0.0", plain("addf")), ("maxf", ninf, plain("maxf")), ("minf", inf, plain("minf")),
                ("maxf propagate_nan", ninf, plain("maxf", " propagate_nan"))]
    if t == "ptr":
        return [("", "0", plain("maxi", " signed"))]

    def larger(b, x, y):
        """The larger one, compared in f32, where every number of these formats has its place."""
        p, q = (b.op(f"ftof {v} : tile<{t}> -> tile<f32>") for v in (x, y))
        less = b.op(f"cmpf less_than ordered {p}, {q} : tile<f32> -> tile<i1>")
        return b.op(f"select {less}, {y}, {x} : tile<i1>, tile<{t}>")
    lowest = {"tf32": "-1.0e+30", "f8E4M3FN": "-448.0", "f8E5M2": "-57344.0"}.get(t, "1.0" if t == "f8E8M0FNU" else "-6.0")
    return [("larger, through f32", lowest, larger)]


def aggregates():
    def modes(op):
        def make(t):
            for mode, identity, body in bodies(t):
                for dim in (0, 1):
                    for reverse in (("", "reverse") if op == "scan" else ("",)):
                        def emit(b, identity=identity, body=body, dim=dim, reverse=reverse, mode=mode):
                            s = (8, 32)
                            r = s if op == "scan" else ((32,), (8,))[dim]
                            # Sums of small whole numbers are the same in every order; the identity is none for NaN, if numbers win over it.
                            x = b.load(t, "whole:-3:3" if mode in ("addf", "larger, through f32") else "number0" if mode in ("maxf", "minf") else "any0", s)
                            more = f" reverse={'true' if reverse else 'false'}" if op == "scan" else ""
                            out, e, acc = b.name(), b.name("e"), b.name("c")
                            b.line(f"{out} = {op} {x} dim={dim}{more} identities=[{identity} : {'ptr<f32>' if t == 'ptr' else t}] : {tile(t, s)} -> {tile(t, r)}")
                            b.line(f"({e}: {tile(t, ())}, {acc}: {tile(t, ())}) {{")
                            b.line(f"  yield {body(b, e, acc)} : {tile(t, ())}")
                            b.line("}")
                            b.store(out, t, r)
                        yield " ".join(w for w in (mode, f"dim {dim}", reverse) if w), emit
            if t in BF + I and t != "i1":
                def emit(b):  # the largest number and where it is
                    s = (8, 32)
                    x = b.load(t, "whole:-3:3" if t in BF else "any0", s)
                    place = b.op(f"reshape {b.op('iota : tile<256xi32>')} : tile<256xi32> -> tile<8x32xi32>")
                    more = " reverse=false" if op == "scan" else ""
                    r = s if op == "scan" else (8,)
                    out, e, acc, f, ac2 = (b.name() for _ in range(5))
                    low = "-100.0" if t in BF else str(-(1 << (INTS[t] - 1)))
                    b.line(f"{out}:2 = {op} {x}, {place} dim=1{more} identities=[{low} : {t}, 1000 : i32] : {tile(t, s)}, tile<8x32xi32> -> {tile(t, r)}, {tile('i32', r)}")
                    b.line(f"({e}: tile<{t}>, {acc}: tile<{t}>, {f}: tile<i32>, {ac2}: tile<i32>) {{")
                    def cmp(word):
                        return b.op(f"cmpf {word} ordered {e}, {acc} : tile<{t}> -> tile<i1>" if t in BF else f"cmpi {word} {e}, {acc}, signed : tile<{t}> -> tile<i1>")
                    more_, same_ = cmp("greater_than"), cmp("equal")
                    value = b.op(f"select {more_}, {e}, {acc} : tile<i1>, tile<{t}>")
                    first = b.op(f"mini {f}, {ac2} signed : tile<i32>")
                    at = b.op(f"select {more_}, {f}, {ac2} : tile<i1>, tile<i32>")
                    at = b.op(f"select {same_}, {first}, {at} : tile<i1>, tile<i32>")
                    b.line(f"  yield {value}, {at} : tile<{t}>, tile<i32>")
                    b.line("}")
                    b.store(f"{out}#0", t, r)
                    b.store(f"{out}#1", "i32", r)
                yield "two operands, largest and its place", emit
        return make
    reducible = [t for t in [*N, "i4"] if t != "f4E2M1FN"]
    return rows("reduce", reducible, modes("reduce"), "reduce", also=("yield",)) + rows("scan", reducible, modes("scan"), "scan", also=("yield",))


def control():
    """Loops and branches that carry tiles of the type: they swap two of them."""
    shape = (64,)

    def for_(t):
        for iv in ("i32", "i8", "i16", "i64", "i1"):
            for unsigned in ("", "unsigned "):
                if iv == "i1" and not unsigned:
                    continue  # there is no positive step of a signed i1

                def emit(b, iv=iv, unsigned=unsigned):
                    x, y = b.load(t, "bits", shape), b.load(t, "any0", shape)
                    # The unsigned loops cross the sign bit.
                    lo, hi = ("0", "7") if not unsigned else {"i1": ("false", "true")}.get(iv) or (str((1 << (INTS[iv] - 1)) - 2), str((1 << (INTS[iv] - 1)) + 3))
                    low, high, step = b.constant(iv, lo), b.constant(iv, hi), b.constant(iv, "true" if iv == "i1" else "2")
                    out, p, q, i = b.name(), b.name("p"), b.name("q"), b.name("i")
                    v = tile(t, shape)
                    b.line(f"{out}:2 = for {unsigned}{i} in ({low} to {high}, step {step}) : tile<{iv}> iter_values({p} = {x}, {q} = {y}) -> ({v}, {v}) {{")
                    b.line(f"  continue {q}, {p} : {v}, {v}")
                    b.line("}")
                    b.store(f"{out}#0", t, shape)
                yield f"{unsigned}{iv} counter", emit

    def loop(t):
        def emit(b):
            x, y = b.load(t, "bits", shape), b.load(t, "any0", shape)
            zero, one, end = (b.constant("i32", k) for k in (0, 1, 3))
            end = b.op(f"addi {end}, {b.block()} : tile<i32>")
            out, p, q, i = b.name(), b.name("p"), b.name("q"), b.name("i")
            v = tile(t, shape)
            b.line(f"{out} = loop iter_values({p} = {x}, {q} = {y}, {i} = {zero}) : {v}, {v}, tile<i32> -> {v} {{")
            done = b.op(f"cmpi greater_than_or_equal {i}, {end}, signed : tile<i32> -> tile<i1>")
            b.line(f"if {done} {{\n      break {p} : {v}\n    }}")
            nxt = b.op(f"addi {i}, {one} : tile<i32>")
            b.line(f"continue {q}, {p}, {nxt} : {v}, {v}, tile<i32>")
            b.line("}")
            b.store(out, t, shape)
        yield "", emit

    def if_(t):
        def emit(b):
            x, y = b.load(t, "bits", shape), b.load(t, "any0", shape)
            one = b.constant("i32", 1)
            c = b.op(f"cmpi equal {b.op(f'andi {b.block()}, {one} : tile<i32>')}, {one}, signed : tile<i32> -> tile<i1>")
            out, v = b.name(), tile(t, shape)
            b.line(f"{out} = if {c} -> ({v}) {{\n      yield {x} : {v}\n    }} else {{\n      yield {y} : {v}\n    }}")
            b.store(out, t, shape)
        yield "", emit

    def assert_(t):
        def emit(b):
            x = b.load(t, "any0")
            if t == "i1":
                x = b.op(f"ori {x}, {b.op(f'xori {x}, {b.constant(t, TRUE, (SIZE,))} : {tile(t)}')} : {tile(t)}")
            b.line(f'assert {x}, "never" : {tile(t)}')
            b.store(x, t)
        yield "", emit
    result = rows("for", ALL, for_, "control", also=("continue",)) + rows("loop", ALL, loop, "control", also=("break", "continue"))
    return result + rows("if", ALL, if_, "control", also=("yield",)) + rows("assert", ["i1"], assert_, "control")


def matrices():
    """Operands are small whole numbers, so that every sum is exact in every order and type; and random ones within the type's precision."""
    floats = {"f16": ["f32", "f16"], "bf16": ["f32"], "tf32": ["f32"], "f32": ["f32"], "f64": ["f64"], "f8E4M3FN": ["f32", "f16"], "f8E5M2": ["f32", "f16"]}
    shapes_ = [((16, 16), (16, 32), (32, 16)), ((2, 16, 16), (2, 16, 16), (2, 16, 16)), ((8, 8), (8, 8), (8, 8)), ((64, 32), (64, 32), (32, 32))]

    def product_of(t, acc, shape, words, exact=True):
        c, a, d = shape

        def emit(b):
            kinds = ("whole:-2:2", "whole:-1:2", "whole:-4:4") if exact else ("whole:0:3",) * 3
            x, y, z = b.load(t, kinds[0], a), b.load(t, kinds[1], d), b.load(acc, kinds[2], c)
            b.store(b.op(f"{words[0]} {x}, {y}, {z}{words[1]} : {tile(t, a)}, {tile(t, d)}, {tile(acc, c)}"), acc, c)
        return emit

    def mmaf(t):
        for acc in floats.get(t, ["f32"]):
            for shape in shapes_:
                yield f"acc {acc} " + "x".join(map(str, shape[0])) + f" k {shape[1][-1]}", product_of(t, acc, shape, ("mmaf", ""))
            yield f"acc {acc} fast_acc", product_of(t, acc, shapes_[0], ("mmaf", " fast_acc"))

            def emit(b, acc=acc):  # NaN, infinities, subnormals: one term per sum, so no order matters
                x, z = b.load(t, "any0", (16, 16)), b.constant(acc, "0.0", (16, 16))
                rows_, cols = (b.op(f"reshape {b.op(f'iota : tile<16xi32>')} : tile<16xi32> -> {tile('i32', s)}") for s in ((16, 1), (1, 16)))
                r2, c2 = (b.op(f"broadcast {v} : {tile('i32', s)} -> {tile('i32', (16, 16))}") for v, s in ((rows_, (16, 1)), (cols, (1, 16))))
                eye = b.op(f"cmpi equal {r2}, {c2}, signed : {tile('i32', (16, 16))} -> {tile('i1', (16, 16))}")
                one, zero = b.constant(t, "1.0", (16, 16)), b.constant(t, "0.0", (16, 16))
                y = b.op(f"select {eye}, {one}, {zero} : {tile('i1', (16, 16))}, {tile(t, (16, 16))}")
                b.store(b.op(f"mmaf {x}, {y}, {z} : {tile(t, (16, 16))}, {tile(t, (16, 16))}, {tile(acc, (16, 16))}"), acc, (16, 16))
            yield f"acc {acc} special values times the unit matrix", emit

    def mmai(t):
        for signs in ("signed signed", "signed unsigned", "unsigned signed", "unsigned unsigned"):
            for shape in shapes_[:3]:
                c, a, d = shape

                def emit(b, signs=signs, c=c, a=a, d=d):
                    x, y, z = b.load(t, "any0", a), b.load(t, "bits", d), b.load("i32", "any0", c)
                    b.store(b.op(f"mmai {x}, {y}, {z} {signs} : {tile(t, a)}, {tile(t, d)}, {tile('i32', c)}"), "i32", c)
                yield f"{signs} " + "x".join(map(str, c)), emit

    def scaled(t):
        combos = {"f4E2M1FN": [("f8E4M3FN", 16), ("f8E8M0FNU", 16), ("f8E8M0FNU", 32)]}.get(t, [("f8E8M0FNU", 32)])
        for scale, block in combos:
            for batch in ((), (2,)):
                def emit(b, scale=scale, block=block, batch=batch):
                    m, n, k = 16, 16, 64
                    a, d, c = (*batch, m, k), (*batch, k, n), (*batch, m, n)
                    sa, sb = (*batch, m, k // block), (*batch, k // block, n)
                    x, y, z = b.load(t, "whole:-2:2", a), b.load(t, "whole:-1:2", d), b.load("f32", "whole:-4:4", c)
                    p, q = b.load(scale, "whole:1:4", sa), b.load(scale, "whole:0:2", sb)
                    types = ", ".join(tile(*v) for v in ((t, a), (t, d), ("f32", c), (scale, sa), (scale, sb)))
                    b.store(b.op(f"mmaf_scaled {x}, {y}, {z}, {p}, {q} : {types}"), "f32", c)
                yield f"scale {scale} block {block}" + (" batched" if batch else ""), emit
    return (rows("mmaf", list(floats), mmaf, "mma", grid=2) + rows("mmai", ["i8"], mmai, "mma", grid=2) +
            rows("mmaf_scaled", ["f8E4M3FN", "f8E5M2", "f4E2M1FN"], scaled, "mma", grid=2))


def surroundings():
    def coordinates(op):
        def modes(t):
            def emit(b):
                x, y, z = b.name(), b.name(), b.name()
                b.line(f"{x}, {y}, {z} = {op} : {tile(t, ())}")
                if t == "i32":
                    b.store(x, t, ())
                    b.store(y, t, ())
            yield "", emit
        return modes

    def assume(t):
        predicates = [f"bounded<?, {min(100, (1 << (INTS.get(t, 8) - 1)) - 1)}>", "bounded<-4, ?>", "div_by<1>", "same_elements<[1]>"]
        if t == "i1":
            predicates[:2] = ["bounded<-1, 0>"]
        if t == "ptr":
            predicates = ["div_by<1>", "same_elements<[1]>"]
        if t not in INTS and t != "ptr":
            predicates = predicates[2:]
        for predicate in predicates:
            def emit(b, predicate=predicate):
                x = b.load(t, "any0" if t in ("i1", "ptr") or t not in INTS else "whole:-4:7")
                b.store(b.op(f"assume {predicate}, {x} : {tile(t)}"), t)
            yield predicate, emit

    def print_(t):
        shape = () if t not in ("i4", "f4E2M1FN") else (2,)
        words = ["%d", "%5i", "%x", "%u"] if t in INTS or t == "ptr" else ["%f", "%.3e", "%g"]
        for word in words:
            for s in ((), (4,)) if shape == () else ((4,),):
                def emit(b, word=word, s=s):
                    x = b.load(t, "whole:-3:3" if t != "ptr" else "any0", s) if s else b.scalar(t, "whole:-3:3" if t != "ptr" else "any0")
                    b.line(f'{b.name("t")} = print_tko "{t} {word} %%\\n", {x} : {tile(t, s)} -> token')
                    b.store(x, t, s)
                yield f"{word} rank {len(s)}", emit

    def nothing(op, lines):
        def emit(b):
            x = b.load("f32", "any0")
            for line in lines:
                b.line(line.replace("%T", b.name("t")))
            b.store(x, "f32")
        return Case(op, NONE, "", emit, group="none")
    result = rows("get_tile_block_id", ["i32"], coordinates("get_tile_block_id"), "core") + rows("get_num_tile_blocks", ["i32"], coordinates("get_num_tile_blocks"), "core")
    result += rows("assume", [*I, "i4", "ptr"], assume, "core")
    result += rows("print_tko", N + ["i4", "ptr"], print_, "print", prints=True, grid=2)
    return result + [nothing("module", []), nothing("return", ["%Tz = make_token : token"])]


def cases():
    return (shapes() + literals() + packing() + aggregates() + control() + matrices() + surroundings())
