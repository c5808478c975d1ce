# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of op_table.py: pointers, loads and stores, views, atomics, tokens."""

from op_builder import NONE, SIZE, TYPES, Case, memory_type, product, tile
from op_table_arith import BF, F, I, N, rows
from op_values import FLOATS, INTS

SCOPES = ["tl_blk", "device", "sys"]
ORDERS = ["relaxed", "acquire", "release", "acq_rel"]
POINTEES = N
I32 = "i32"


def pointer_values():
    def int_to_ptr(t):
        for pointee in POINTEES:
            def emit(b, pointee=pointee):
                x = b.load(t, "any0")
                p = b.op(f"int_to_ptr {x} : {tile(t)} -> {tile(f'ptr<{pointee}>')}")
                b.store(b.op(f"ptr_to_int {p} : {tile(f'ptr<{pointee}>')} -> {tile('i64')}"), "i64")
            yield f"pointee {pointee}", emit

    def ptr_to_int(t):
        def emit(b):
            b.store(b.op(f"ptr_to_int {b.load(t, 'any0')} : {tile(t)} -> {tile('i64')}"), "i64")
        yield "", emit

    def ptr_to_ptr(t):
        for pointee in [p for p in POINTEES if p != "f32"]:
            def emit(b, pointee=pointee):
                p = b.op(f"ptr_to_ptr {b.load(t, 'any0')} : {tile(t)} -> {tile(f'ptr<{pointee}>')}")
                b.store(b.op(f"ptr_to_int {p} : {tile(f'ptr<{pointee}>')} -> {tile('i64')}"), "i64")
            yield f"pointee {pointee}", emit

    def offset(t):
        def from_pointers(b, pointee="f32"):
            p, n = b.load("ptr", "any0"), b.load("i32", "any1")
            if pointee != "f32":
                p = b.op(f"ptr_to_ptr {p} : {tile('ptr')} -> {tile(f'ptr<{pointee}>')}")
            q = tile(f"ptr<{pointee}>")
            b.store(b.op(f"ptr_to_int {b.op(f'offset {p}, {n} : {q}, {tile(I32)} -> {q}')} : {q} -> {tile('i64')}"), "i64")
        if t == "ptr":
            for pointee in [p for p in POINTEES if p != "f4E2M1FN"]:
                yield f"pointee {pointee}", lambda b, pointee=pointee: from_pointers(b, pointee)
            return

        def emit(b):
            p, n = b.load("ptr", "any0"), b.load(t, "any1" if t in INTS and t != "i64" else "whole:-9:9")
            b.store(b.op(f"offset {p}, {n} : {tile('ptr')}, {tile(t)} -> {tile('ptr')}"), "ptr")
        yield "offset " + t, emit
    return (rows("int_to_ptr", ["i64"], int_to_ptr, "pointer") + rows("ptr_to_int", ["ptr"], ptr_to_int, "pointer") +
            rows("ptr_to_ptr", ["ptr"], ptr_to_ptr, "pointer") + rows("offset", [*I, "ptr"], offset, "pointer"))


def element(t):
    return "ptr<f32>" if t == "ptr" else t


def accesses():
    """Loads and stores through pointers, in every ordering, masked and padded."""
    n = SIZE

    def words(orders):
        return ["weak"] + [f"{o} {s}" for o in orders for s in SCOPES]

    def load(t):
        for order in words(["relaxed", "acquire"]):
            for mask in (("", "mask", "mask and padding") if order == "weak" else ("",)):
                def emit(b, order=order, mask=mask):
                    e = element(t)
                    base = b.array(e, n, f"{t}|bits") if t != "ptr" else b.array("i64", n, "i64|any0")
                    p, v, m = b.pointers(base, e, n), tile(t), tile("i1")
                    x, extra, types = b.name("x"), "", tile(f"ptr<{e}>")
                    if mask:
                        c = b.load("i1", "any0")
                        extra, types = f", {c}", f"{types}, {m}"
                        if "padding" in mask:
                            pad = b.load(t, "any1")
                            extra, types = f"{extra}, {pad}", f"{types}, {v}"
                    b.line(f"{x}, {x}_t = load_ptr_tko {order} {p}{extra} : {types} -> {v}, token")
                    if mask == "mask":  # what is masked off is undefined
                        x = b.op(f"select {c}, {x}, {b.load(t, 'any1')} : {m}, {v}") if t != "f4E2M1FN" else x
                    b.store(x, t)
                if t == "f4E2M1FN" and mask == "mask":
                    continue  # there is no select to keep the defined ones
                yield " ".join(w for w in (order, mask) if w), emit

    def store(t):
        for order in words(["relaxed", "release"]):
            for mask in (("", "mask") if order == "weak" else ("",)):
                def emit(b, order=order, mask=mask):
                    e = element(t)
                    x = b.load(t, "bits")
                    base = b.array(e if t != "f4E2M1FN" else "f4E2M1FN", n, "=zeros" if t != "f8E8M0FNU" else "=ones", True)
                    p = b.pointers(base, e, n)
                    extra, types = "", f"{tile(f'ptr<{e}>')}, {tile(t)}"
                    if mask:
                        extra, types = f", {b.load('i1', 'any0')}", f"{types}, {tile('i1')}"
                    b.line(f"{b.name('w')} = store_ptr_tko {order} {p}, {x}{extra} : {types} -> token")
                yield " ".join(w for w in (order, mask) if w), emit

    def alloca(t):
        for where in ("", " global"):
            def emit(b, where=where):
                e, x = element(t), b.load(t, "bits")
                base = b.op(f"alloca num_elem = {n}, alignment = 16{where} : tile<ptr<{e}>>")
                p = b.pointers(base, e, n, b.op(f"iota : tile<{n}xi32>"))
                w, y = b.name("w"), b.name("y")
                b.line(f"{w} = store_ptr_tko weak {p}, {x} : {tile(f'ptr<{e}>')}, {tile(t)} -> token")
                b.line(f"{y}, {y}_t = load_ptr_tko weak {p} token={w} : {tile(f'ptr<{e}>')} -> {tile(t)}, token")
                b.store(y, t)
            yield where.strip(), emit
    return rows("load_ptr_tko", N, load, "access") + rows("store_ptr_tko", N, store, "access") + rows("alloca", N, alloca, "alloca")


def views():
    R, C, m, n = 20, 32, 8, 16  # an array of every tile block, tiles

    def tensor(t, dynamic=""):
        """Lines that make a view of an R x C array; dynamic: its integer type if extents come at run time."""
        return f"tensor_view<{'?x?' if dynamic else f'{R}x{C}'}x{element(t)}, strides=[{'?' if dynamic else C},1]>"

    def make(b, base, t, dynamic=""):
        base = b.op(f"offset {base}, {b.start(R * C)} : tile<ptr<{element(t)}>>, tile<i32> -> tile<ptr<{element(t)}>>")
        if not dynamic:
            return b.op(f"make_tensor_view {base}, shape = [{R}, {C}], strides = [{C}, 1] : {tensor(t)}")
        rows_, cols = b.constant(dynamic, R), b.constant(dynamic, C)
        return b.op(f"make_tensor_view {base}, shape = [{rows_}, {cols}], strides = [{cols}, 1] : tile<{dynamic}> -> {tensor(t, dynamic)}")

    def paddings(t):
        return ["zero", "neg_zero", "nan", "pos_inf", "neg_inf"] if t in F and t not in INTS else ["zero"]

    def view(kind, t, pad="", dim_map="", dynamic=""):
        pad = f", padding_value = {pad}" if pad else ""
        more = {"partition_view": "", "strided_view": ", traversal_strides=[4,24]", "gather_scatter_view": ""}[kind]
        last = ", sparse_dim=0" if kind == "gather_scatter_view" else f", dim_map=[{dim_map}]" if dim_map else ""
        return f"{kind}<tile=({m}x{n}){more}{pad}, {tensor(t, dynamic)}{last}>"

    def loaded(t, kind, pad="", dim_map="", order="weak", inbounds="", dynamic="", store=False):
        """A tile loaded through a view (the last one of a column, which overhangs), or stored through it."""
        def emit(b):
            e = element(t)
            v = view(kind, t, pad, dim_map, dynamic)
            s = (m, n)
            i0, i1 = b.constant("i32", 2), b.constant("i32", 1)  # rows 16 to 23, of 20
            if kind == "strided_view":
                i0, i1 = b.constant("i32", 4), b.constant("i32", 1)  # rows 16 to 23, columns 24 to 39: both overhang
            if dim_map:  # columns 24 to 31 and rows 16 to 31, or columns 28 to 35 and rows 0 to 15
                i0, i1 = (b.constant("i32", k) for k in ((7, 0) if kind == "strided_view" else (3, 1)))
            index, types = f"{i0}, {i1}", "tile<i32>"
            if kind == "gather_scatter_view":
                picks = b.op(f"muli {b.op(f'iota : tile<{m}xi32>')}, {b.op(f'constant <i32: 5> : tile<{m}xi32>')} : tile<{m}xi32>")
                index, types = f"{picks}, {i1}", f"tile<{m}xi32>, tile<i32>"  # rows 0, 5, ... 35, some outside; columns from the second
            bounds = f" inbounds = {inbounds}" if inbounds else ""
            if inbounds:
                index = f"{b.constant('i32', 1)}, {i1}"
            if store:
                x = b.load(t, "bits", s)
                w = make(b, b.array(e, R * C, "=ones" if t == "f8E8M0FNU" else "=zeros", True), t, dynamic)
                w = b.op(f"make_{kind} {w} : {v}")
                b.line(f"{b.name('k')} = store_view_tko {order} {x}, {w}[{index}]{bounds} : {tile(t, s)}, {v}, {types} -> token")
                return
            w = make(b, b.array(e, R * C, f"{t}|bits") if t != "ptr" else b.array("i64", R * C, "i64|any0"), t, dynamic)
            w = b.op(f"make_{kind} {w} : {v}")
            x = b.name("x")
            b.line(f"{x}, {x}_t = load_view_tko {order} {w}[{index}]{bounds} : {v}, {types} -> {tile(t, s)}, token")
            b.store(x, t, s)
        return emit

    def modes(kind, store):
        def make_modes(t):
            orders = ["weak"] + [f"{o} {s}" for o in ("relaxed", "release" if store else "acquire") for s in SCOPES]
            for pad in paddings(t) if not store else [""]:
                yield " ".join(w for w in ("padding " + pad if pad else "", ) if w), loaded(t, kind, pad, store=store)
            if kind == "partition_view":
                for order in orders[1:]:
                    yield order, loaded(t, kind, "" if store else "zero", order=order, store=store)
                yield "inbounds", loaded(t, kind, "", inbounds="[true, true]", store=store)
                for extent in ("i8", "i16", "i32", "i64"):
                    yield f"extents {extent}", loaded(t, kind, "" if store else "zero", dynamic=extent, store=store)
            if kind != "gather_scatter_view":
                yield "dim_map", loaded(t, kind, "" if store else "zero", dim_map="1, 0", store=store)
        return make_modes
    result = []
    for kind in ("partition_view", "strided_view", "gather_scatter_view"):
        for op, store in (("load_view_tko", False), ("store_view_tko", True)):
            for case in rows(op, N, modes(kind, store), "view " + kind, also=("make_tensor_view", f"make_{kind}")):
                if not case.allowed and kind != "partition_view":
                    continue
                case.mode = " ".join(w for w in (kind.replace("_view", ""), case.mode) if w)
                result.append(case)
    for op in ("make_tensor_view", "make_partition_view", "make_strided_view", "make_gather_scatter_view"):
        for t in [t for t in TYPES if t not in N]:
            def emit(b, t=t, op=op):
                b.op(f"{op} %none : {tensor(t) if op == 'make_tensor_view' else view(op[5:], t)}")
            result.append(Case(op, t, "", emit, False))

    def tensor_shape(t):
        def emit(b):
            small = t in ("i1", "i4")
            tv = f"tensor_view<{'1x1' if small else f'?x{C}'}xf32, strides=[{1 if small else C},1]>"
            base = b.array("f32", 1, "f32|any0")
            at = b.op(f"make_tensor_view {base}, shape = [1, 1], strides = [1, 1] : {tv}" if small else
                      f"make_tensor_view {base}, shape = [{b.constant('i32', R)}, {C}], strides = [{C}, 1] : tile<i32> -> {tv}")
            x = b.name()
            b.line(f"{x}:2 = get_tensor_shape {at} : {tv} -> {tile(t, ())}")
            if t in I:
                b.store(f"{x}#0", t, ())
                b.store(f"{x}#1", t, ())
        yield "", emit

    def index_shape(t):
        for kind in ("partition_view", "strided_view", "gather_scatter_view"):
            def emit(b, kind=kind):
                small = t in ("i1", "i4")
                base = b.array("f32", 1, "f32|any0")
                tv = f"tensor_view<{'1x1' if small else f'?x{C}'}xf32, strides=[{1 if small else C},1]>"
                at = b.op(f"make_tensor_view {base}, shape = [1, 1], strides = [1, 1] : {tv}" if small else
                          f"make_tensor_view {base}, shape = [{b.constant('i32', R)}, {C}], strides = [{C}, 1] : tile<i32> -> {tv}")
                more = {"partition_view": "", "strided_view": ", traversal_strides=[4,24]", "gather_scatter_view": ""}[kind]
                v = f"{kind}<tile=({m}x{n}){more}, {tv}{', sparse_dim=0' if kind[0] == 'g' else ''}>"
                w = b.op(f"make_{kind} {at} : {v}")
                x = b.name()
                b.line(f"{x}:2 = get_index_space_shape {w} : {v} -> {tile(t, ())}")
                if t in I:
                    b.store(f"{x}#0", t, ())
                    b.store(f"{x}#1", t, ())
            yield kind.replace("_view", ""), emit
    return result + rows("get_tensor_shape", I, tensor_shape, "query") + rows("get_index_space_shape", I, index_shape, "query")


INT_MODES = ["and", "or", "xor", "add", "max", "min", "umax", "umin"]


def atomics():
    n = 128

    def target(b, t, kind="any1"):
        """Pointers to elements that start with known values and end as results."""
        e = element(t)
        base = b.array(e, n, "=poison", True, init=f"{t}|{kind}")
        return b.pointers(base, e, n)

    def atomic_modes(t):
        if t in ("i32", "i64"):
            return INT_MODES + ["xchg"]
        return (["addf"] if t in BF else []) + (["xchg"] if t in ("f32", "f64") else []) or ["xchg"]

    def rmw(t):
        v = tile(t, (n,))
        for mode in atomic_modes(t):
            orders = [f"{o} {s}" for o in ORDERS for s in SCOPES] if mode in ("add", "addf") else ["relaxed device"]
            for order in orders:
                def emit(b, mode=mode, order=order):
                    # PTX atomics on f32 flush subnormals or not, by target and place: whole numbers keep out of it.
                    kinds = ("whole:-9:9", "whole:-99:99") if mode == "addf" else ("any0", "any1")
                    x, p = b.load(t, kinds[0], (n,)), target(b, t, kinds[1])
                    y = b.name("y")
                    b.line(f"{y}, {y}_t = atomic_rmw_tko {order} {p}, {mode}, {x} : {tile(f'ptr<{element(t)}>', (n,))}, {v} -> {v}, token")
                    b.store(y, t, (n,))
                yield f"{mode} {order}", emit

            def emit(b, mode=mode):  # nobody looks at the old value, some elements are masked off
                kinds = ("whole:-9:9", "whole:-99:99") if mode == "addf" else ("any0", "any1")
                x, p, c = b.load(t, kinds[0], (n,)), target(b, t, kinds[1]), b.load("i1", "any0", (n,))
                y = b.name("y")
                b.line(f"{y}, {y}_t = atomic_rmw_tko relaxed device {p}, {mode}, {x}, {c} : {tile(f'ptr<{element(t)}>', (n,))}, {v}, {tile('i1', (n,))} -> {v}, token")
            yield f"{mode} masked", emit
            if mode != "xchg":
                def emit(b, mode=mode):  # eight elements in one place
                    kind = "whole:-2:2" if mode == "addf" else "any0"
                    e = element(t)
                    x, base = b.load(t, kind, (n,)), b.array(e, 16, "=poison", True, init=f"{t}|{'whole:-2:2' if mode == 'addf' else 'any1'}")
                    index = b.op(f"remi {b.op(f'iota : tile<{n}xi32>')}, {b.op(f'constant <i32: 16> : tile<{n}xi32>')} unsigned : tile<{n}xi32>")
                    y = b.name("y")
                    b.line(f"{y}, {y}_t = atomic_rmw_tko relaxed device {b.pointers(base, e, n, index)}, {mode}, {x} : {tile(f'ptr<{e}>', (n,))}, {v} -> {v}, token")
                yield f"{mode} many to one", emit

    def cas(t):
        v = tile(t, (n,))
        for order in [f"{o} {s}" for o in ORDERS for s in SCOPES]:
            def emit(b, order=order):
                x, new, p = b.load(t, "whole:0:1", (n,)), b.load(t, "any0", (n,)), target(b, t, "whole:0:2")
                y = b.name("y")
                b.line(f"{y}, {y}_t = atomic_cas_tko {order} {p}, {x}, {new} : {tile(f'ptr<{element(t)}>', (n,))}, {v} -> {v}, token")
                b.store(y, t, (n,))
            yield order, emit

        def emit(b):
            x, new, p, c = b.load(t, "whole:0:1", (n,)), b.load(t, "any0", (n,)), target(b, t, "whole:0:2"), b.load("i1", "any0", (n,))
            y = b.name("y")
            b.line(f"{y}, {y}_t = atomic_cas_tko relaxed device {p}, {x}, {new}, {c} : {tile(f'ptr<{element(t)}>', (n,))}, {v}, {tile('i1', (n,))} -> {v}, token")
            b.store(y, t, (n,))
        yield "masked", emit

    def red_view(t):
        for mode in (INT_MODES if t in ("i32", "i64") else ["addf"] if t in BF else ["add"]):
            for scope in ("tl_blk", "device"):
                for kind in ("partition_view", "strided_view"):
                    def emit(b, mode=mode, scope=scope, kind=kind):
                        e = element(t)
                        tv = f"tensor_view<12x16x{e}, strides=[16,1]>"
                        more = ", traversal_strides=[4,8]" if kind == "strided_view" else ""
                        v = f"{kind}<tile=(8x16){more}, {tv}>"
                        kinds = ("whole:-9:9", "whole:-99:99") if mode == "addf" else ("any0", "any1")
                        x = b.load(t, kinds[0], (8, 16))
                        base = b.array(e, 192, "=poison", True, init=f"{t}|{kinds[1]}")
                        base = b.op(f"offset {base}, {b.start(192)} : tile<ptr<{e}>>, tile<i32> -> tile<ptr<{e}>>")
                        at = b.op(f"make_tensor_view {base}, shape = [12, 16], strides = [16, 1] : {tv}")
                        w = b.op(f"make_{kind} {at} : {v}")
                        b.line(f"{b.name('k')} = atomic_red_view_tko relaxed {scope} {w}[{b.constant('i32', 1)}, {b.constant('i32', 0)}], {mode}, {x} : {tile(t, (8, 16))}, {v}, tile<i32> -> token")
                    yield f"{mode} {scope} {kind.replace('_view', '')}", emit
    words = ["i32", "i64", "f32", "f64"]
    return (rows("atomic_rmw_tko", [*words, "f16", "bf16"], rmw, "atomic") + rows("atomic_cas_tko", words, cas, "atomic") +
            rows("atomic_red_view_tko", [*words, "f16", "bf16"], red_view, "atomic"))


def tokens():
    """A store and a load on both sides of the operation."""
    def fence(op, line):
        def emit(b):
            x = b.load("f32", "any0")
            base = b.array("f32", SIZE, "=zeros", True)
            p, t = b.pointers(base, "f32", SIZE), b.name("t")
            b.line(f"{t} = store_ptr_tko weak {p}, {x} : {tile('ptr<f32>')}, {tile('f32')} -> token")
            u, y = b.name("u"), b.name("y")
            b.line(line.replace("%u", u).replace("%t", t))
            b.line(f"{y}, {y}_t = load_ptr_tko weak {p} token={u} : {tile('ptr<f32>')} -> {tile('f32')}, token")
            b.store(y, "f32")
        return Case(op, NONE, "", emit, group="tokens")
    return [fence("make_token", "%u = make_token : token"), fence("join_tokens", "%u = join_tokens %t, %t : token"),
            fence("memory_fence_alias_tko", "%u = memory_fence_alias_tko token=%t -> token"),
            fence("gdc_wait_tko", "%u = gdc_wait_tko token = %t -> token"),
            fence("gdc_launch_dependents_tko", "%u = gdc_launch_dependents_tko token = %t -> token")]


def cases():
    return pointer_values() + accesses() + views() + atomics() + tokens()
