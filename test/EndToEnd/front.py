# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small front end: kernels written in Python come out as cuda_tile text, the way front ends emit it.

Arrays are parameters (address, extents, strides) with what is known of them stated by `assume`; Python numbers become
constants that are reshaped and broadcast; memory operations are threaded by tokens, each array having its own chain.

    k = Kernel("double")
    x, y = k.inp("x", "f16", [37, 100], values), k.out("y", "f16", [37, 100])
    row, _, _ = k.block()
    v = k.load(x, [row, 0], [1, 128], pad="zero")
    k.store(y, [row, 0], v + v)
    y.expect([2 * v for v in values], "exact")
    case = k.case("double-f16", grid=(37, 1, 1))
"""

import math
from dataclasses import dataclass, field

import oracle


def tile(shape, t):
    return "tile<" + "".join(f"{d}x" for d in shape) + t + ">"


def literal(t, x):
    if t == "i1":
        return "true" if x else "false"
    if not oracle.is_float(t):
        return str(int(x))
    if t == "f8E8M0FNU" or math.isinf(x) or math.isnan(x):
        return f"0x{oracle.to_bits(t, x):0{2 * oracle.BYTES[t]}X}"
    return f"{float(x):.9e}" if t != "f64" else f"{float(x):.17e}"


class Value:
    """An SSA value; arithmetic on it emits operations."""

    def __init__(self, k, name, shape, t):
        self.k, self.name, self.shape, self.t = k, name, list(shape), t
        self.type = "token" if t == "token" else tile(shape, t)

    def __str__(self):
        return f"%{self.name}"

    def op(self, other, floating, integer, flip=False):
        a, b = self.k.pair(other, self) if flip else self.k.pair(self, other)
        mnemonic, _, suffix = (floating if oracle.is_float(a.t) else integer).partition(" ")
        return self.k.emit(f"{mnemonic} {a}, {b}{' ' + suffix if suffix else ''} : {a.type}", a.shape, a.t)

    def __add__(self, o): return self.op(o, "addf", "addi")
    def __radd__(self, o): return self.op(o, "addf", "addi", True)
    def __sub__(self, o): return self.op(o, "subf", "subi")
    def __rsub__(self, o): return self.op(o, "subf", "subi", True)
    def __mul__(self, o): return self.op(o, "mulf", "muli")
    def __rmul__(self, o): return self.op(o, "mulf", "muli", True)
    def __truediv__(self, o): return self.op(o, "divf", "divi signed")
    def __rtruediv__(self, o): return self.op(o, "divf", "divi signed", True)
    def __floordiv__(self, o): return self.op(o, "", "divi signed rounding<negative_inf>")
    def __mod__(self, o): return self.op(o, "remf", "remi signed")
    def __and__(self, o): return self.op(o, "", "andi")
    def __or__(self, o): return self.op(o, "", "ori")
    def __xor__(self, o): return self.op(o, "", "xori")
    def __lshift__(self, o): return self.op(o, "", "shli")
    def __rshift__(self, o): return self.op(o, "", "shri unsigned")
    def __neg__(self): return self.k.unary("negf" if oracle.is_float(self.t) else "negi", self)
    def __lt__(self, o): return self.k.compare("less_than", self, o)
    def __le__(self, o): return self.k.compare("less_than_or_equal", self, o)
    def __gt__(self, o): return self.k.compare("greater_than", self, o)
    def __ge__(self, o): return self.k.compare("greater_than_or_equal", self, o)
    def eq(self, o): return self.k.compare("equal", self, o)
    def ne(self, o): return self.k.compare("not_equal", self, o)


@dataclass
class Array:
    """A parameter array: what the kernel sees, what it holds before and what it should hold after."""
    name: str
    t: str
    shape: list
    values: object  # a list, or text for tileiras-run ("poison")
    is_output: bool
    ptr: object = None
    dims: list = field(default_factory=list)
    strides: list = field(default_factory=list)
    tview: tuple = ()
    token: object = None
    reads: list = field(default_factory=list)
    wanted: list = None
    tolerance: str = ""
    passed: str = "array"

    def expect(self, values, tolerance=None):
        self.wanted, self.tolerance = list(values), oracle.TOLERANCE.get(self.t, "exact") if tolerance is None else tolerance


@dataclass
class Case:
    name: str
    text: str
    entry: str
    grid: tuple
    params: list  # arrays and "type=value"
    tolerance: str
    variants: tuple = ()  # of real_kernels.py, tried beside the one whose turn it is
    targets: list = None   # all, if none are named
    written: list = None

    def arguments(self, folder):
        """The arguments of tileiras-run; data goes to files in `folder`, once."""
        if self.written is None:
            self.written = self.write(folder)
        return self.written

    def write(self, folder):
        result = []
        for p in self.params:
            if isinstance(p, str):
                result.append(p)
                continue
            options = [f"pass={p.passed}"]
            if p.wanted is not None:
                path = folder / f"{self.name}-{p.name}-expect.npy"
                oracle.write_npy(path, p.t, p.shape, p.wanted)
                options += [f"expect={path}"] + ([f"tol={p.tolerance}"] if p.tolerance != "exact" else [])
            initial = p.values
            if not isinstance(initial, str):
                initial = folder / f"{self.name}-{p.name}.npy"
                oracle.write_npy(initial, p.t, p.shape, p.values)
            result.append(f"{'out:' if p.is_output else ''}{p.name}:{p.t}[{'x'.join(map(str, p.shape))}]{{{','.join(options)}}}={initial}")
        return result


class Kernel:
    def __init__(self, entry, hints=""):
        """hints: the contents of optimization_hints, such as "default = {occupancy = 2}"."""
        self.entry, self.hints = entry, hints
        self.params, self.signature, self.lines, self.count = [], [], [], 0
        self.root = self.emit("make_token : token", [], "token")
        self.blocks = None

    # -- text

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def raw(self, line):
        self.lines.append(line)

    def emit(self, text, shape, t):
        value = Value(self, self.name(), shape, t)
        self.raw(f"{value} = {text}")
        return value

    def emit_many(self, text, types):
        values = [Value(self, self.name(), s, t) for s, t in types]
        self.raw(f"{', '.join(map(str, values))} = {text}")
        return values

    def region(self, body):
        """The lines that body() emits, indented, and what it returns. Tokens made inside do not leave."""
        outer, self.lines = self.lines, []
        saved = [(a, a.token, list(a.reads)) for a in self.arrays()]
        blocks = self.blocks
        result = body()
        inner, self.lines = ["  " + line for line in self.lines], outer
        for a, token, reads in saved:
            a.token, a.reads = token, reads
        self.blocks = blocks
        return inner, result

    # -- parameters

    def arrays(self):
        return [p for p in self.params if isinstance(p, Array)]

    def param(self, name, t):
        self.signature.append(f"%{name}: tile<{t}>")
        return Value(self, name, [], t)

    def scalar(self, name, t, value):
        self.params.append(f"{t}={value!r}" if oracle.is_float(t) else f"{t}={value}")
        return self.param(name, t)

    def array(self, name, t, shape, values, is_output, static=()):
        a = Array(name, t, list(shape), values, is_output)
        self.params.append(a)
        ptr = self.param(name, f"ptr<{t}>")
        strides = [oracle.size(shape[i + 1:]) for i in range(len(shape))]
        dims = [self.param(f"{name}_d{i}", "i32") for i in range(len(shape))]
        steps = [self.param(f"{name}_s{i}", "i32") for i in range(len(shape))]
        a.ptr = self.assume(ptr, "div_by<16>")
        a.dims = [self.known(v, n, 16) for v, n in zip(dims, shape)]
        for i in static:  # extents that the front end has specialised for
            a.dims[i] = shape[i]
        bits = 4 if t == "f4E2M1FN" else 8 * oracle.BYTES[t]
        a.strides = [self.known(v, n, 128 // bits) for v, n in zip(steps[:-1], strides)] + [1]
        a.token = self.root
        return self.viewed(a)

    def viewed(self, a):
        """Gives an array of known address, extents and strides its tensor view."""
        t = a.t
        tv = "".join(f"{d if isinstance(d, int) else '?'}x" for d in a.dims)
        tv = f"tensor_view<{tv}{t}, strides=[{','.join(str(s) if isinstance(s, int) else '?' for s in a.strides)}]>"
        dynamic = any(isinstance(x, Value) for x in a.dims + a.strides)
        view = self.emit(f"make_tensor_view {a.ptr}, shape = [{', '.join(map(str, a.dims))}], strides = [{', '.join(map(str, a.strides))}] : "
                         f"{'tile<i32> -> ' if dynamic else ''}{tv}", [], t)
        a.tview = (view, tv)
        return a

    def array_list(self, name, arrays):
        """Arrays passed as a table of addresses, extents and strides in memory, and their number. arrays: (name, type, shape,
        values, is_output)."""
        made = []
        for a in arrays:
            made.append(Array(a[0], a[1], list(a[2]), a[3], a[4], passed="none"))
            self.params.append(made[-1])
        self.params.append(f"{name}:list=" + ",".join(a.name for a in made))
        table, count = self.param(name, "ptr<i64>"), self.param(f"{name}_n", "i32")
        width = 1 + 2 * len(made[0].shape)
        tv = f"tensor_view<?x{width}xi64, strides=[{width},1]>"
        view = self.emit(f"make_tensor_view {table}, shape = [{count}, {width}], strides = [{width}, 1] : tile<i32> -> {tv}", [], "i64")
        whole = Array(name, "i64", [len(made), width], None, False, token=self.root, tview=(view, tv))
        return made, whole, count

    def element_of(self, table, i, model):
        """The array that row i of a table describes: of the type and rank of `model`."""
        rank = len(model.shape)
        wide = 1 << (2 * rank).bit_length()
        row = self.load(table, [i, 0], [1, wide])
        words = [self.reshape(self.extract(row, [0, j], [1, 1]), []) for j in range(2 * rank)]
        base = self.emit(f"int_to_ptr {words[0]} : tile<i64> -> tile<ptr<{model.t}>>", [], f"ptr<{model.t}>")
        numbers = [self.assume(self.cast(w, "i32"), "bounded<0, ?>") for w in words[1:]]
        a = Array(model.name, model.t, model.shape, None, model.is_output, ptr=self.assume(base, "div_by<16>"), token=self.root)
        a.dims, a.strides = numbers[:rank], numbers[rank:] + [1]
        return self.viewed(a)

    def inp(self, name, t, shape, values, **options):
        return self.array(name, t, shape, values, False, **options)

    def out(self, name, t, shape, values="poison", **options):
        return self.array(name, t, shape, values, True, **options)

    def assume(self, value, predicate):
        return self.emit(f"assume {predicate}, {value} : {value.type}", value.shape, value.t)

    def known(self, value, number, most):
        """The assumptions of a front end that has seen `number`."""
        value = self.assume(value, "bounded<0, ?>")
        return self.assume(value, f"div_by<{most}>") if number % most == 0 else value

    # -- values

    def const(self, x, t, shape=()):
        return self.emit(f"constant <{t}: {literal(t, x)}> : {tile(shape, t)}", shape, t)

    def reshape(self, x, shape):
        return x if x.shape == list(shape) else self.emit(f"reshape {x} : {x.type} -> {tile(shape, x.t)}", shape, x.t)

    def fit(self, x, shape, t=None):
        """x as a tile of `shape`: extents of one are repeated, missing leading extents added."""
        if not isinstance(x, Value):
            x = self.const(x, t, shape if t == "f4E2M1FN" else ())  # there is no single element of four bits
        x = self.reshape(x, [1] * (len(shape) - len(x.shape)) + x.shape)
        return x if x.shape == list(shape) else self.emit(f"broadcast {x} : {x.type} -> {tile(shape, x.t)}", shape, x.t)

    def pair(self, a, b):
        t = (a if isinstance(a, Value) else b).t
        sa, sb = (x.shape if isinstance(x, Value) else [] for x in (a, b))
        rank = max(len(sa), len(sb))
        shape = [max(x, y) for x, y in zip([1] * (rank - len(sa)) + sa, [1] * (rank - len(sb)) + sb)]
        a, b = self.fit(a, shape, t), self.fit(b, shape, t)
        assert a.t == b.t, (a.type, b.type)
        return a, b

    def unary(self, mnemonic, x, suffix=""):
        return self.emit(f"{mnemonic} {x}{suffix} : {x.type}", x.shape, x.t)

    def binary(self, mnemonic, a, b, suffix=""):
        a, b = self.pair(a, b)
        return self.emit(f"{mnemonic} {a}, {b}{suffix} : {a.type}", a.shape, a.t)

    def exp(self, x): return self.unary("exp", x)
    def exp2(self, x): return self.unary("exp2", x, " flush_to_zero")
    def log(self, x): return self.unary("log", x)
    def sqrt(self, x): return self.unary("sqrt", x)
    def rsqrt(self, x): return self.unary("rsqrt", x)
    def tanh(self, x): return self.unary("tanh", x)
    def abs(self, x): return self.unary("absf" if oracle.is_float(x.t) else "absi", x)
    def maximum(self, a, b): return a.op(b, "maxf", "maxi signed")
    def minimum(self, a, b): return a.op(b, "minf", "mini signed")

    def fma(self, a, b, c):
        a, b = self.pair(a, b)
        c = self.fit(c, a.shape, a.t)
        return self.emit(f"fma {a}, {b}, {c} : {a.type}", a.shape, a.t)

    def sigmoid(self, x):
        """As cuTile writes it: an approximate quotient."""
        one, e = self.pair(1.0, self.exp(-x))
        return self.binary("divf", one, self.binary("addf", one, e, " flush_to_zero"), " rounding<approx> flush_to_zero")

    def compare(self, predicate, a, b, signed="signed"):
        a, b = self.pair(a, b)
        text = f"cmpf {predicate} ordered {a}, {b}" if oracle.is_float(a.t) else f"cmpi {predicate} {a}, {b}, {signed}"
        return self.emit(f"{text} : {a.type} -> {tile(a.shape, 'i1')}", a.shape, "i1")

    def where(self, c, a, b):
        a, b = self.pair(a, b)
        shape = self.pair_shape(c, a)
        c, a, b = self.fit(c, shape), self.fit(a, shape), self.fit(b, shape)
        return self.emit(f"select {c}, {a}, {b} : {c.type}, {a.type}", a.shape, a.t)

    @staticmethod
    def pair_shape(a, b):
        rank = max(len(a.shape), len(b.shape))
        return [max(x, y) for x, y in zip([1] * (rank - len(a.shape)) + a.shape, [1] * (rank - len(b.shape)) + b.shape)]

    def cast(self, x, t, signed="signed", suffix=""):
        if x.t == t:
            return x
        a, b = oracle.is_float(x.t), oracle.is_float(t)
        if a and b:
            text = f"ftof {x}"
        elif a:
            text = f"ftoi {x} {signed}"
        elif b:
            text = f"itof {x} {signed}"
        else:
            text = f"exti {x} {signed}" if int(x.t[1:]) < int(t[1:]) else f"trunci {x}"
        return self.emit(f"{text}{suffix} : {x.type} -> {tile(x.shape, t)}", x.shape, t)

    def bitcast(self, x, t):
        return self.emit(f"bitcast {x} : {x.type} -> {tile(x.shape, t)}", x.shape, t)

    def iota(self, n, t="i32"):
        return self.emit(f"iota : tile<{n}x{t}>", [n], t)

    def permute(self, x, order):
        shape = [x.shape[i] for i in order]
        return self.emit(f"permute {x} {list(order)} : {x.type} -> {tile(shape, x.t)}", shape, x.t)

    def extract(self, x, index, shape):
        at = ", ".join(str(self.index(i)) for i in index)
        return self.emit(f"extract {x}[{at}] : {x.type} -> {tile(shape, x.t)}", shape, x.t)

    def cat(self, a, b, dim):
        shape = [x + y if i == dim else x for i, (x, y) in enumerate(zip(a.shape, b.shape))]
        return self.emit(f"cat {a}, {b} dim = {dim} : {a.type}, {b.type} -> {tile(shape, a.t)}", shape, a.t)

    def pack(self, x, t, count):
        """Reinterprets a rank-1 tile as `count` elements of t, through bytes."""
        if x.t != "i8":
            n = x.shape[0] * (4 if x.t == "f4E2M1FN" else 8 * oracle.BYTES[x.t]) // 8
            x = self.emit(f"pack {x} : {x.type} -> tile<{n}xi8>", [n], "i8")
        return x if t == "i8" else self.emit(f"unpack {x} : {x.type} -> {tile([count], t)}", [count], t)

    def mma(self, a, b, c):
        return self.emit(f"mmaf {a}, {b}, {c} : {a.type}, {b.type}, {c.type}", c.shape, c.t)

    def mmai(self, a, b, c, signs="signed signed"):
        return self.emit(f"mmai {a}, {b}, {c} {signs} : {a.type}, {b.type}, {c.type}", c.shape, c.t)

    def mma_scaled(self, a, b, c, sa, sb):
        return self.emit(f"mmaf_scaled {a}, {b}, {c}, {sa}, {sb} : {', '.join(x.type for x in (a, b, c, sa, sb))}", c.shape, c.t)

    # -- reductions

    KINDS = {"add": ("+", 0), "mul": ("*", 1), "max": ("max", -math.inf), "min": ("min", math.inf)}

    def combine(self, kind):
        def body(a, b):
            if kind in ("add", "mul"):
                return [a + b if kind == "add" else a * b]
            return [self.maximum(a, b) if kind == "max" else self.minimum(a, b)]
        return body

    def fold(self, what, xs, axis, identities, body, attributes=""):
        """reduce or scan of several tiles; body gets (accumulated or element) pairs, operand by operand."""
        args = [Value(self, self.name(), [], x.t) for x in xs for _ in range(2)]
        inner, results = self.region(lambda: body(*args))
        shapes = [[d for i, d in enumerate(x.shape) if i != axis] if what == "reduce" else x.shape for x in xs]
        identity = ", ".join(f"{literal(x.t, v)} : {x.t}" for x, v in zip(xs, identities))
        values = self.emit_many(f"{what} {', '.join(map(str, xs))} dim={axis}{attributes} identities=[{identity}] : {', '.join(x.type for x in xs)} -> "
                                f"{', '.join(tile(s, x.t) for s, x in zip(shapes, xs))}", [(s, x.t) for s, x in zip(shapes, xs)])
        self.raw(f"({', '.join(f'{a}: {a.type}' for a in args)}) {{")
        self.lines += inner
        self.raw(f"  yield {', '.join(map(str, results))} : {', '.join(r.type for r in results)}")
        self.raw("}")
        return values

    def identity(self, kind, t):
        value = self.KINDS[kind][1]
        if not oracle.is_float(t) and math.isinf(value):
            value = (1 << (int(t[1:]) - 1)) - 1 if value > 0 else -(1 << (int(t[1:]) - 1))
        return value

    def reduce(self, x, axis, kind, keep=False):
        [r] = self.fold("reduce", [x], axis, [self.identity(kind, x.t)], self.combine(kind))
        return self.reshape(r, [1 if i == axis else d for i, d in enumerate(x.shape)]) if keep else r

    def scan(self, x, axis, kind, reverse=False):
        [r] = self.fold("scan", [x], axis, [self.identity(kind, x.t)], self.combine(kind), f" reverse={str(reverse).lower()}")
        return r

    def argbest(self, x, index, axis, largest=True):
        """The largest (smallest) elements along an axis and the index tile there; the lowest index among equals."""
        def body(a, b, i, j):
            better = (a > b) if largest else (a < b)
            first = better | (a.eq(b) & (i < j))
            return [self.where(first, a, b), self.where(first, i, j)]
        return self.fold("reduce", [x, index], axis, [self.identity("max" if largest else "min", x.t), (1 << 31) - 1], body)

    # -- memory

    def block(self):
        if not self.blocks:
            self.blocks = self.emit_many("get_tile_block_id : tile<i32>", [([], "i32")] * 3)
        return self.blocks

    def grid_size(self):
        return self.emit_many("get_num_tile_blocks : tile<i32>", [([], "i32")] * 3)

    def index(self, i):
        return i if isinstance(i, Value) else self.const(i, "i32")

    def view(self, a, shape, pad=None, dim_map=None, steps=None, sparse=None):
        text = f"tile=({'x'.join(map(str, shape))})"
        if steps:
            text += f", traversal_strides=[{','.join(map(str, steps))}]"
        text += (f", padding_value = {pad}" if pad else "") + f", {a.tview[1]}"
        text += f", dim_map={list(dim_map)}" if dim_map else ""
        text += f", sparse_dim={sparse}" if sparse is not None else ""
        kind = "strided" if steps else "partition" if sparse is None else "gather_scatter"
        view = self.emit(f"make_{kind}_view {a.tview[0]} : {kind}_view<{text}>", [], a.t)
        return view, f"{kind}_view<{text}>"

    def tiles(self, a, shape, **how):
        """The extents of the index space of a view."""
        view, vt = self.view(a, shape, **how)
        return self.emit_many(f"get_index_space_shape {view} : {vt} -> tile<i32>", [([], "i32")] * len(shape))

    @staticmethod
    def hint(latency, tma):
        items = ([f"latency = {latency}"] if latency else []) + ([f"allow_tma = {str(tma).lower()}"] if tma is not None else [])
        return f" optimization_hints = <default = {{{', '.join(items)}}}>" if items else ""

    @staticmethod
    def index_types(at, sparse):
        return at[0].type if sparse is None else ", ".join(x.type for x in at)

    def load(self, a, index, shape, latency=None, tma=None, sparse=None, **how):
        view, vt = self.view(a, shape, sparse=sparse, **how)
        at = [self.index(i) for i in index]
        value, token = self.emit_many(f"load_view_tko weak {view}[{', '.join(map(str, at))}] token = {a.token}{self.hint(latency, tma)} : {vt}, "
                                      f"{self.index_types(at, sparse)} -> {tile(shape, a.t)}, token", [(shape, a.t), ([], "token")])
        a.reads.append(token)
        return value

    def after_reads(self, a):
        """The token a store has to wait for: everything done to the array so far."""
        tokens = [a.token] + a.reads
        if len(tokens) > 1:
            a.token = self.emit(f"join_tokens {', '.join(map(str, tokens))} : token", [], "token")
        a.reads = []
        return a.token

    def store(self, a, index, value, latency=None, tma=None, sparse=None, **how):
        value = self.cast(value, a.t)
        view, vt = self.view(a, value.shape, sparse=sparse, **how)
        at = [self.index(i) for i in index]
        a.token = self.emit(f"store_view_tko weak {value}, {view}[{', '.join(map(str, at))}] token = {self.after_reads(a)}{self.hint(latency, tma)} : "
                            f"{value.type}, {vt}, {self.index_types(at, sparse)} -> token", [], "token")

    def reduce_into(self, a, index, value, mode="addf"):
        view, vt = self.view(a, value.shape)
        at = [self.index(i) for i in index]
        a.token = self.emit(f"atomic_red_view_tko relaxed device {view}[{', '.join(map(str, at))}], {mode}, {value} token = {self.after_reads(a)} : "
                            f"{value.type}, {vt}, tile<i32> -> token", [], "token")

    def pointers(self, a, index, check=True):
        """Addresses of the elements at `index` (one tile per dimension), and whether they exist. check: whether all coordinates are compared with
        the extents, or the dimensions in which they are."""
        where, inside = None, None
        checked = check if isinstance(check, tuple) else range(len(index)) if check else ()
        for dimension, (i, extent, stride) in enumerate(zip(index, a.dims, a.strides)):
            i = self.index(i)
            stride = stride if i.t == "i32" or isinstance(stride, int) else self.cast(stride, i.t)
            step = i * stride if not (isinstance(stride, int) and stride == 1) else i
            where = step if where is None else where + step
            if dimension in checked:
                extent = extent if i.t == "i32" or isinstance(extent, int) else self.cast(extent, i.t)
                good = (i >= 0) & (i < extent)
                inside = good if inside is None else inside & good
        base = self.fit(a.ptr, where.shape)
        return self.emit(f"offset {base}, {where} : {base.type}, {where.type} -> {base.type}", where.shape, base.t), inside

    def gather(self, a, index, mask=None, pad=0, check=True):
        p, inside = self.pointers(a, index, check)
        mask = inside if mask is None else mask if inside is None else self.fit(mask, p.shape) & self.fit(inside, p.shape)
        shape, more, types = p.shape, "", ""
        if mask is not None:
            mask, pad = self.fit(mask, shape), self.fit(pad, shape, a.t)
            more, types = f", {mask}, {pad}", f", {mask.type}, {pad.type}"
        value, token = self.emit_many(f"load_ptr_tko weak {p}{more} token={a.token} : {p.type}{types} -> {tile(shape, a.t)}, token",
                                      [(shape, a.t), ([], "token")])
        a.reads.append(token)
        return value

    def scatter(self, a, index, value, mask=None, check=True):
        p, inside = self.pointers(a, index, check)
        mask = inside if mask is None else mask if inside is None else self.fit(mask, p.shape) & self.fit(inside, p.shape)
        value = self.fit(self.cast(value, a.t), p.shape)
        more, types = (f", {self.fit(mask, p.shape)}", f", {tile(p.shape, 'i1')}") if mask is not None else ("", "")
        a.token = self.emit(f"store_ptr_tko weak {p}, {value}{more} token={self.after_reads(a)} : {p.type}, {value.type}{types} -> token", [], "token")

    def atomic(self, a, index, mode, value, mask=None, order="relaxed device"):
        p, inside = self.pointers(a, index)
        mask = inside if mask is None else self.fit(mask, p.shape) & self.fit(inside, p.shape)
        value, mask = self.fit(value, p.shape, a.t), self.fit(mask, p.shape)
        old, a.token = self.emit_many(f"atomic_rmw_tko {order} {p}, {mode}, {value}, {mask} token={self.after_reads(a)} : {p.type}, {value.type}, {mask.type} -> "
                                      f"{value.type}, token", [(p.shape, a.t), ([], "token")])
        return old

    # -- control flow

    def for_(self, lo, hi, body, inits=(), step=1, ordered=()):
        """body(i, *carried) returns the next carried values. ordered: arrays whose operations are ordered across iterations."""
        lo, hi, step = self.index(lo), self.index(hi), self.index(step)
        inits = list(inits) + [self.after_reads(a) for a in ordered]
        i, *args = [Value(self, self.name(), [], "i32")] + [Value(self, self.name(), v.shape, v.t) for v in inits]
        carried = len(inits) - len(ordered)

        def inside():
            for a, token in zip(ordered, args[carried:]):
                a.token = token
            result = list(body(i, *args[:carried]) or [])
            return result + [self.after_reads(a) for a in ordered]
        inner, nexts = self.region(inside)
        return self.close(f"for {i} in ({lo} to {hi}, step {step}) : tile<i32>", "->", args, inits, inner, nexts, ordered)

    def close(self, head, arrow, args, inits, inner, nexts, ordered):
        results, types = [], ", ".join(v.type for v in inits)
        if inits:
            results = [Value(self, self.name(), v.shape, v.t) for v in inits]
            pairs = ", ".join(f"{a} = {v}" for a, v in zip(args, inits))
            self.raw(f"{', '.join(map(str, results))} = {head} iter_values({pairs}) {arrow} ({types}) {{")
        else:
            self.raw(f"{head} {{")
        self.lines += inner
        if inits:
            self.raw(f"  continue {', '.join(map(str, nexts))} : {', '.join(v.type for v in nexts)}")
        self.raw("}")
        for a, token in zip(ordered, results[len(results) - len(ordered):]):
            a.token = token
        return results[:len(results) - len(ordered)]

    def loop(self, body, inits):
        """An endless loop; body gets the carried values, leaves with break_if and returns the next values."""
        args = [Value(self, self.name(), v.shape, v.t) for v in inits]
        inner, nexts = self.region(lambda: body(*args))
        results = [Value(self, self.name(), v.shape, v.t) for v in inits]
        types = ", ".join(v.type for v in inits)
        self.raw(f"{', '.join(map(str, results))} = loop iter_values({', '.join(f'{a} = {v}' for a, v in zip(args, inits))}) : {types} -> {types} {{")
        self.lines += inner
        self.raw(f"  continue {', '.join(map(str, nexts))} : {types}")
        self.raw("}")
        return results

    def break_if(self, condition, values):
        self.raw(f"if {condition} {{")
        self.raw(f"  break {', '.join(map(str, values))} : {', '.join(v.type for v in values)}")
        self.raw("}")

    def if_(self, condition, then, otherwise=None):
        inner, values = self.region(then)
        values = list(values or [])
        types = ", ".join(v.type for v in values)
        results = [Value(self, self.name(), v.shape, v.t) for v in values]
        head = f"{', '.join(map(str, results))} = " if results else ""
        self.raw(f"{head}if {condition}{f' -> ({types})' if results else ''} {{")
        self.lines += inner
        if results:
            self.raw(f"  yield {', '.join(map(str, values))} : {types}")
        if otherwise:
            inner, values = self.region(otherwise)
            self.raw("} else {")
            self.lines += inner
            if results:
                self.raw(f"  yield {', '.join(map(str, values))} : {types}")
        self.raw("}")
        return results

    # -- the finished kernel

    def text(self):
        hints = f" optimization_hints=<{self.hints}>" if self.hints else ""
        body = "\n".join("    " + line for line in self.lines)
        return f"cuda_tile.module @kernels {{\n  entry @{self.entry}({', '.join(self.signature)}){hints} {{\n{body}\n    return\n  }}\n}}\n"

    def case(self, name, grid, tolerance="exact"):
        """tolerance: between the reference and the emulator; against the oracle each array has its own."""
        return Case(name, self.text(), self.entry, grid, self.params, tolerance)
