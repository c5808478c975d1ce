# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every class of operations on tiles of many elements, as kernels of one tile block (large_tiles.py runs them).

Arrays are a little smaller than the tiles in every dimension that allows it, and their extents are kernel arguments: tiles overhang and
nothing is known to be aligned, which is the worst that layouts can meet.
"""

from kernels import Case, is_float, literal, module, sums, tile

TYPES = ["i1", "i8", "f16", "f32", "f64", "f8E4M3FN"]
SIZES = [1 << 14, 1 << 15, 1 << 16, 1 << 17]


def square(n):
    """n elements in two dimensions, as square as powers of two allow."""
    rows = 1 << ((n.bit_length() - 1) // 2)
    return [rows, n // rows]


def cube(n):
    bits = n.bit_length() - 1
    a = bits // 3
    return [1 << a, 1 << (bits - 2 * a), 1 << a]


class Kernel:
    def __init__(self, name, warps=0):
        self.name, self.warps = name, warps
        self.lines, self.params, self.args, self.count, self.tolerance = [], [], [], 0, "exact"
        self.indent = ""
        self.zero = self.op("constant <i32: 0> : tile<i32>")

    def new(self):
        self.count += 1
        return f"%v{self.count}"

    def line(self, text):
        self.lines.append(self.indent + text)

    def op(self, text):
        name = self.new()
        self.line(f"{name} = {text}")
        return name

    def scalar(self, t, value):
        name = f"%p{len(self.params)}"
        self.params.append(f"{name}: tile<{t}>")
        self.args.append(f"{t}={value}")
        return name

    def pointer(self, t, count, init, out=False):
        name = f"%p{len(self.params)}"
        self.params.append(f"{name}: tile<ptr<{t}>>")
        self.args.append(f"{'out:' if out else ''}a{len(self.params)}:{t}[{count}]={init}")
        return name

    def view(self, t, box, init, out=False, padding="", kind="partition_view", attribute=""):
        """A view of an array nearly as large as the tile."""
        extents = [d - 3 if d >= 16 else d for d in box]
        base = self.pointer(t, "x".join(map(str, extents)), init, out)
        sizes = [self.scalar("i32", e) for e in extents]
        strides, product = [], 1
        for e in reversed(extents):
            strides.insert(0, product)
            product *= e
        steps = [self.scalar("i32", s) for s in strides[:-1]] + ["1"]
        dynamic = ",".join(["?"] * (len(box) - 1) + ["1"])
        tv = f"tensor_view<{'?x' * len(box)}{t}, strides=[{dynamic}]>"
        view = self.op(f"make_tensor_view {base}, shape = [{', '.join(sizes)}], strides = [{', '.join(steps)}] : tile<i32> -> {tv}")
        pad = f", padding_value = {padding}" if padding else ""
        pv = f"{kind}<tile=({'x'.join(map(str, box))}){pad}, {tv}{attribute}>"
        return self.op(f"make_{kind} {view} : {pv}"), pv

    def load(self, t, box, init="", padding=None):
        padding = "zero" if padding is None else padding
        view, pv = self.view(t, box, init or values(t, len(self.params)), padding=padding)
        x = self.new()
        self.line(f"{x}, {x}_t = load_view_tko weak {view}[{', '.join([self.zero] * len(box))}] : {pv}, tile<i32> -> {tile(box, t)}, token")
        return x

    def store(self, x, t, box):
        view, pv = self.view(t, box, "poison" if t != "i1" else "zeros", out=True)
        self.line(f"{self.new()} = store_view_tko weak {x}, {view}[{', '.join([self.zero] * len(box))}] : {tile(box, t)}, {pv}, tile<i32> -> token")

    def splat(self, x, t, shape):
        ones = tile([1] * len(shape), t)
        return self.op(f"broadcast {self.op(f'reshape {x} : tile<{t}> -> {ones}')} : {ones} -> {tile(shape, t)}")

    def addresses(self, base, t, index, count):
        return self.op(f"offset {self.splat(base, f'ptr<{t}>', [count])}, {index} : {tile([count], f'ptr<{t}>')}, {tile([count], 'i32')} -> {tile([count], f'ptr<{t}>')}")

    def case(self):
        hints = f" optimization_hints=<default = {{num_worker_warps_per_cta = {self.warps}}}>" if self.warps else ""
        return Case(self.name, module("large", ", ".join(self.params), "\n".join(self.lines), hints), "large", (1, 1, 1), self.args, self.tolerance)


def values(t, seed):
    return f"random(seed={seed + 1})" if t == "i1" else f"random(lo=-3,hi=4,seed={seed + 1})"


def combine(t):
    """An associative operation whose result does not depend on the order, and its identity."""
    if t == "i1":
        return "xori", "", "0"
    if t.startswith("i"):
        return "addi", "", "0"
    return "maxf", "", {"f64": "0xFFF0000000000000", "f32": "0xFF800000", "f16": "0xFC00", "bf16": "0xFF80"}[t]


def computable(k, x, t, shape):
    """f8 has no arithmetic: f16 instead."""
    if not t.startswith("f8"):
        return x, t
    return k.op(f"ftof {x} : {tile(shape, t)} -> {tile(shape, 'f16')}"), "f16"


def apply(k, x, y, t, shape):
    name = "xori" if t == "i1" else "addi" if t.startswith("i") else "addf"
    return k.op(f"{name} {x}, {y} : {tile(shape, t)}")


# One function per class: (n, element type) -> Kernels ---------------------------------------------------------------------


def elementwise(n, t):
    shape = square(n)
    k = Kernel("elementwise")
    (x, c), (y, _) = (computable(k, k.load(t, shape), t, shape) for _ in range(2))
    z = apply(k, x, y, c, shape)
    if is_float(c):
        z = k.op(f"fma {z}, {x}, {y} : {tile(shape, c)}")
    k.store(z, c, shape)
    yield k


def transpose(n, t):
    shape = square(n)
    k = Kernel("transpose")
    k.store(k.op(f"permute {k.load(t, shape)} [1, 0] : {tile(shape, t)} -> {tile(shape[::-1], t)}"), t, shape[::-1])
    yield k


def permute(n, t):
    for order in ((2, 0, 1), (2, 1, 0)):
        shape = cube(n)
        result = [shape[d] for d in order]
        k = Kernel("permute" + "".join(map(str, order)))
        k.store(k.op(f"permute {k.load(t, shape)} {list(order)} : {tile(shape, t)} -> {tile(result, t)}"), t, result)
        yield k


def reduction(n, t):
    for shape in (square(n), [n], [8, n // 8], cube(n)):
        for dim in range(len(shape)):
            k = Kernel(f"reduce{dim}of" + "x".join(map(str, shape)))
            x, c = computable(k, k.load(t, shape), t, shape)
            op, suffix, identity = combine(c)
            kept = shape[:dim] + shape[dim + 1:]
            r = k.op(f"reduce {x} dim={dim} identities=[{identity} : {c}] : {tile(shape, c)} -> {tile(kept, c)} (%e: tile<{c}>, %a: tile<{c}>) {{ "
                     f"%u = {op} %e, %a{suffix} : tile<{c}> yield %u : tile<{c}> }}")
            if not kept:
                r, kept = k.op(f"reshape {r} : {tile([], c)} -> {tile([1], c)}"), [1]
            k.store(r, c, kept)
            yield k


def arguments_of_maximum(n, t):
    """A reduction of two operands whose body is not one operation."""
    if t in ("i1", "f8E4M3FN"):
        return
    for dim in (0, 1):
        shape = square(n)
        kept = [shape[1 - dim]]
        k = Kernel(f"argmax{dim}")
        x, y = k.load(t, shape), k.load("i32", shape)
        greater = "cmpf greater_than ordered %e, %a" if is_float(t) else "cmpi greater_than %e, %a, signed"
        low = combine(t)[2] if is_float(t) else "-128"
        r = k.new()
        k.line(f"{r}, {r}_i = reduce {x}, {y} dim={dim} identities=[{low} : {t}, 0 : i32] : {tile(shape, t)}, {tile(shape, 'i32')} -> {tile(kept, t)}, {tile(kept, 'i32')} "
               f"(%e: tile<{t}>, %a: tile<{t}>, %f: tile<i32>, %b: tile<i32>) {{ %c = {greater} : tile<{t}> -> tile<i1> %q = {greater.replace('%e, %a', '%a, %e')} : tile<{t}> -> tile<i1> "
               f"%u = select %c, %e, %a : tile<i1>, tile<{t}> %m = maxi %f, %b signed : tile<i32> %v = select %c, %f, %m : tile<i1>, tile<i32> "
               f"%w = select %q, %b, %v : tile<i1>, tile<i32> yield %u, %w : tile<{t}>, tile<i32> }}")
        k.store(r, t, kept)
        k.store(r + "_i", "i32", kept)
        yield k


def scan(n, t):
    for shape in (square(n), [n], [8, n // 8], cube(n)):
        for dim in range(len(shape)):
            for reverse in ("false", "true") if len(shape) == 2 else ("false",):
                k = Kernel(f"scan{dim}of" + "x".join(map(str, shape)) + ("-reverse" if reverse == "true" else ""))
                x, c = computable(k, k.load(t, shape), t, shape)
                op, suffix, identity = combine(c)
                k.store(k.op(f"scan {x} dim={dim} reverse={reverse} identities=[{identity} : {c}] : {tile(shape, c)} -> {tile(shape, c)} (%a: tile<{c}>, %e: tile<{c}>) {{ "
                             f"%u = {op} %a, %e{suffix} : tile<{c}> yield %u : tile<{c}> }}"), c, shape)
                yield k


def scan_pairs(n, t):
    """Two operands, not commutative: y = a x + b, composed. In whole numbers."""
    if t != "i8":
        return
    for dim in (0, 1):
        shape = square(n)
        k = Kernel(f"scanpairs{dim}")
        v = tile(shape, "i32")
        x, y = k.load("i32", shape), k.load("i32", shape)
        r = k.new()
        k.line(f"{r}, {r}_i = scan {x}, {y} dim={dim} reverse=false identities=[1 : i32, 0 : i32] : {v}, {v} -> {v}, {v} "
               f"(%a: tile<i32>, %b: tile<i32>, %c: tile<i32>, %d: tile<i32>) {{ %u = muli %a, %b : tile<i32> %m = muli %c, %b : tile<i32> "
               f"%w = addi %m, %d : tile<i32> yield %u, %w : tile<i32>, tile<i32> }}")
        k.store(r, "i32", shape)
        k.store(r + "_i", "i32", shape)
        yield k


def cat(n, t):
    for dim in (0, 1):
        whole = square(n)
        half = list(whole)
        half[dim] //= 2
        k = Kernel(f"cat{dim}")
        k.store(k.op(f"cat {k.load(t, half)}, {k.load(t, half)} dim = {dim} : {tile(half, t)}, {tile(half, t)} -> {tile(whole, t)}"), t, whole)
        yield k


def extract(n, t):
    for dim in (0, 1):
        whole = square(n)
        part = list(whole)
        part[dim] //= 4
        k = Kernel(f"extract{dim}")
        index = [k.zero, k.zero]
        index[dim] = k.scalar("i32", 2)
        k.store(k.op(f"extract {k.load(t, whole)}[{', '.join(index)}] : {tile(whole, t)} -> {tile(part, t)}"), t, part)
        yield k


def broadcast(n, t):
    for dim in (0, 1):
        shape = square(n)
        thin = list(shape)
        thin[dim] = 1
        k = Kernel(f"broadcast{dim}")
        b, c = computable(k, k.op(f"broadcast {k.load(t, thin)} : {tile(thin, t)} -> {tile(shape, t)}"), t, shape)
        x, _ = computable(k, k.load(t, shape), t, shape)
        k.store(apply(k, b, x, c, shape), c, shape)
        yield k


def reshape(n, t):
    shape = square(n)
    for result in ([n], [shape[0] // 4, shape[1] * 4], cube(n)):
        k = Kernel("reshapeto" + "x".join(map(str, result)))
        k.store(k.op(f"reshape {k.load(t, shape)} : {tile(shape, t)} -> {tile(result, t)}"), t, result)
        yield k


def gather(n, t):
    """Through a view with a list of coordinates, and through pointers."""
    shape = square(n)
    for dim in (0, 1):
        k = Kernel(f"gather{dim}")
        view, pv = k.view(t, shape, values(t, 3), padding="zero", kind="gather_scatter_view", attribute=f", sparse_dim={dim}")
        places = k.op(f"iota : tile<{shape[dim]}xi32>")
        turned = k.op(f"subi {k.op(f'constant <i32: {shape[dim] - 1}> : tile<{shape[dim]}xi32>')}, {places} : tile<{shape[dim]}xi32>")
        at, types = [k.zero, k.zero], ["tile<i32>", "tile<i32>"]
        at[dim], types[dim] = turned, f"tile<{shape[dim]}xi32>"
        x = k.new()
        k.line(f"{x}, {x}_t = load_view_tko weak {view}[{', '.join(at)}] : {pv}, {', '.join(types)} -> {tile(shape, t)}, token")
        view, pv = k.view(t, shape, "zeros", out=True, kind="gather_scatter_view", attribute=f", sparse_dim={dim}")
        k.line(f"{k.new()} = store_view_tko weak {x}, {view}[{', '.join(at)}] : {tile(shape, t)}, {pv}, {', '.join(types)} -> token")
        yield k
    k = Kernel("pointers")
    i = k.op(f"iota : tile<{n}xi32>")
    swap = k.op(f"xori {i}, {k.op(f'constant <i32: {n // 2 + 5}> : tile<{n}xi32>')} : tile<{n}xi32>")
    x, p, v = k.new(), tile([n], f"ptr<{t}>"), tile([n], t)
    k.line(f"{x}, {x}_t = load_ptr_tko weak {k.addresses(k.pointer(t, n, values(t, 5)), t, swap, n)} : {p} -> {v}, token")
    k.line(f"{k.new()} = store_ptr_tko weak {k.addresses(k.pointer(t, n, 'zeros', True), t, i, n)}, {x} : {p}, {v} -> token")
    yield k


def padding(n, t):
    if not is_float(t):
        return
    for kind in ("zero", "neg_zero", "nan", "pos_inf", "neg_inf"):
        if t.startswith("f8") and kind.endswith("inf"):
            continue
        shape = square(n)
        k = Kernel("padding-" + kind)
        x = k.load(t, shape, padding=kind)
        # Shifted, so that what was padding is stored.
        k.store(k.op(f"permute {x} [1, 0] : {tile(shape, t)} -> {tile(shape[::-1], t)}"), t, shape[::-1])
        yield k


def atomics(n, t):
    """Old values are looked at; a tile in which several threads hold an element."""
    if t not in ("f32", "f64"):
        return
    whole = {"f32": "i32", "f64": "i64"}[t]
    for mode, kind in (("add", whole), ("xchg", t), ("addf", t)):
        k = Kernel(f"atomic-{mode}-{kind}")
        i = k.op(f"iota : tile<{n}xi32>")
        p, v = tile([n], f"ptr<{kind}>"), tile([n], kind)
        x = k.load(kind, [n])
        old = k.new()
        k.line(f"{old}, {old}_t = atomic_rmw_tko relaxed device {k.addresses(k.pointer(kind, n, 'zeros', True), kind, i, n)}, {mode}, {x} : {p}, {v} -> {v}, token")
        k.store(old, kind, [n])
        yield k
    shape = square(n)
    k = Kernel("atomic-view")
    x = k.load(whole, shape)
    view, pv = k.view(whole, shape, "zeros", out=True)
    k.line(f"{k.new()} = atomic_red_view_tko relaxed device {view}[{k.zero}, {k.zero}], add, {x} : {tile(shape, whole)}, {pv}, tile<i32> -> token")
    yield k


def product(n, t):
    """The accumulator has n elements; then the left operand."""
    c = square(n)
    for rows, columns, depth in ((c[0], c[1], 32), (16, 32, n // 16)):
        if t == "i1" or (t in ("f32", "f64") and depth > 32 and n > 1 << 16):
            continue
        k = Kernel(f"product{rows}x{columns}x{depth}")
        acc = "i32" if t == "i8" else "f64" if t == "f64" else "f32"
        init = "random(lo=0,hi=2,seed=3)"
        a, b, o = tile([rows, depth], t), tile([depth, columns], t), tile([rows, columns], acc)
        x, y, z = k.load(t, [rows, depth], init), k.load(t, [depth, columns], init), k.load(acc, [rows, columns], init)
        if t == "i8":
            k.store(k.op(f"mmai {x}, {y}, {z} signed signed : {a}, {b}, {o}"), acc, [rows, columns])
        else:
            k.store(k.op(f"mmaf {x}, {y}, {z} : {a}, {b}, {o}"), acc, [rows, columns])
            k.tolerance = sums(acc)
        yield k
        if t == "f8E4M3FN":
            k = Kernel(f"scaled{rows}x{columns}x{depth}")
            s = "f8E8M0FNU"
            sa, sb = [rows, depth // 32], [depth // 32, columns]
            x, y, z = k.load(t, [rows, depth], init), k.load(t, [depth, columns], init), k.load(acc, [rows, columns], init)
            scales = "random(lo=1,hi=4,seed=9)"
            p, q = k.load(s, sa, scales, padding=""), k.load(s, sb, scales, padding="")
            k.store(k.op(f"mmaf_scaled {x}, {y}, {z}, {p}, {q} : {a}, {b}, {o}, {tile(sa, s)}, {tile(sb, s)}"), acc, [rows, columns])
            k.tolerance = sums(acc)
            yield k


def loop(n, t):
    """A tile carried through a loop, and one that changes its layout in every round."""
    side = 1 << ((n.bit_length() - 1) // 2)
    for turned in (False, True):
        shape = [side, side] if turned else square(n)
        k = Kernel("loop-turned" if turned else "loop")
        x, c = computable(k, k.load(t, shape), t, shape)
        end, one = k.scalar("i32", 2), k.op("constant <i32: 1> : tile<i32>")
        v = tile(shape, c)
        r = k.new()
        k.line(f"{r} = for %i in ({k.zero} to {end}, step {one}) : tile<i32> iter_values(%s = {x}) -> ({v}) {{")
        k.indent = "  "
        y = k.op(f"permute %s [1, 0] : {v} -> {v}") if turned else "%s"
        k.line(f"continue {apply(k, y, x, c, shape)} : {v}")
        k.indent = ""
        k.line("}")
        k.store(r, c, shape)
        yield k


def branch(n, t):
    shape = square(n)
    v = tile(shape, t)
    k = Kernel("if")
    x, y = k.load(t, shape), k.load(t, shape)
    flag = k.op(f"cmpi greater_than {k.scalar('i32', 1)}, {k.zero}, signed : tile<i32> -> tile<i1>")
    r = k.new()
    k.line(f"{r}, {r}_b = if {flag} -> ({v}, {v}) {{ yield {y}, {x} : {v}, {v} }} else {{ yield {x}, {y} : {v}, {v} }}")
    k.store(r, t, shape)
    k.store(r + "_b", t, shape)
    yield k


def printing(n, t):
    """Compared is what is printed."""
    if t not in ("i8", "f32"):
        return
    shape = square(n)
    k = Kernel("print")
    k.line(f'{k.new()} = print_tko "{"%f" if t == "f32" else "%i"}\\n", {k.load(t, shape)} : {tile(shape, t)} -> token')
    yield k


def softmax(n, t):
    """Rows that are read twice: what is loaded stays alive over a reduction."""
    if t not in ("f16", "f32"):
        return
    for shape in ([1, n], [8, n // 8], square(n)):
        k = Kernel("softmaxof" + "x".join(map(str, shape)))
        v, row, wide = tile(shape, t), tile([shape[0]], t), tile([shape[0], 1], t)
        x = k.load(t, shape, padding="neg_inf")

        def all_of(x, op, identity):
            r = k.op(f"reduce {x} dim=1 identities=[{identity} : {t}] : {v} -> {row} (%e: tile<{t}>, %a: tile<{t}>) {{ %u = {op} %e, %a : tile<{t}> yield %u : tile<{t}> }}")
            return k.op(f"broadcast {k.op(f'reshape {r} : {row} -> {wide}')} : {wide} -> {v}")

        maximum = "maxf"
        y = k.op(f"exp {k.op(f'subf {x}, {all_of(x, maximum, combine(t)[2])} : {v}')} : {v}")
        k.store(k.op(f"divf {y}, {all_of(y, 'addf', '0.0')} : {v}"), t, shape)
        k.tolerance = {"f32": "rel:1e-4,abs:1e-6", "f16": "rel:2e-2,abs:1e-2"}[t]
        yield k


def hinted(n, t):
    """Four warps were asked for, which cannot hold the tile; one dimension that is joined along itself cannot be sliced."""
    k = Kernel("hinted", warps=4)
    k.store(k.op(f"cat {k.load(t, [n // 2])}, {k.load(t, [n // 2])} dim = 0 : {tile([n // 2], t)}, {tile([n // 2], t)} -> {tile([n], t)}"), t, [n])
    yield k


CLASSES = [elementwise, transpose, permute, reduction, arguments_of_maximum, scan, scan_pairs, cat, extract, broadcast, reshape, gather, padding, atomics,
           product, loop, branch, printing, softmax, hinted]


def cases(sizes=SIZES, types=TYPES, classes=CLASSES):
    """(class, elements, type, Case)"""
    for make in classes:
        for n in sizes:
            for t in types:
                for k in make(n, t):
                    case = k.case()
                    case.name = f"{case.name}-{n}-{t}"
                    yield make.__name__, n, t, case
