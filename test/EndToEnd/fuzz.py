#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels: what the compiler makes of them, run on the emulator, must be what the reference computes.

usage: fuzz.py BUILD_DIR [--first N] [--count N] [--targets sm_80,sm_90] [--jobs N] [--skip KINDS] [--keep DIR] [--show SEED]

A seed is a kernel: the same number gives the same text and arguments everywhere. Kernels only contain operations whose
result is fixed to the bit (no library functions, no floating-point sums in free order) and no undefined behaviour: divisors
are odd, shift amounts small, conversions to integers clamped. So every comparison is exact. --show prints the kernel and the
command of one seed.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

INTS = ["i8", "i16", "i32", "i64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
TIMEOUT_S = 120


def tile(shape, t):
    return "tile<" + "".join(f"{d}x" for d in shape) + t + ">"


def size(shape):
    n = 1
    for d in shape:
        n *= d
    return n


def width(t):
    return int(t[1:]) if t[0] == "i" else {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}[t]


class Kernel:
    """Builds one kernel. Values are (name, shape, type); every method adds lines and returns a value."""

    def __init__(self, seed, skip=()):
        self.rng = random.Random(seed)
        self.skip = skip
        self.lines, self.counter, self.indent = [], 0, 1
        self.values = []
        self.params, self.args = [], []
        self.steps = 0
        self.generate()

    # ---- text

    def name(self, hint="v"):
        self.counter += 1
        return f"%{hint}{self.counter}"

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def add(self, text, shape, t):
        value = (self.name(), tuple(shape), t)
        self.line(f"{value[0]} = {text}")
        self.values.append(value)
        return value

    def constant(self, shape, t, number):
        literal = f"{float(number)!r}" if t[0] in "fb" else str(number)
        return self.add(f"constant <{t}: {literal}> : {tile(shape, t)}", shape, t)

    def text(self):
        params = ", ".join(f"%{n}: tile<{t}>" for n, t in self.params)
        return "cuda_tile.module @fuzz {\n  entry @k(" + params + ") {\n" + "\n".join(self.lines) + "\n    return\n  }\n}\n"

    # ---- choosing

    def pick(self, types=None, shape=None, want=None):
        """A value of one of the types (and of the shape), made if there is none."""
        found = [v for v in self.values if (types is None or v[2] in types) and (shape is None or v[1] == shape)
                 and (want is None or want(v))]
        if found:
            return self.rng.choice(found[-24:])
        t = self.rng.choice(types or INTS + FLOATS)
        s = shape if shape is not None else self.shape
        base = [v for v in self.values if v[1] == s and v[2] != "i1"]
        if base:
            return self.convert(self.rng.choice(base), t)
        return self.constant(s, t, self.rng.randint(-5, 5) if t != "i1" else 1)

    def convert(self, v, t):
        name, shape, u = v
        if u == t:
            return v
        if t == "i1":
            return self.add(f"cmpi less_than {name}, {self.constant(shape, u, 3)[0]}, signed : {tile(shape, u)} -> {tile(shape, t)}"
                            if u[0] == "i" else
                            f"cmpf greater_than ordered {name}, {self.constant(shape, u, 0.5)[0]} : {tile(shape, u)} -> "
                            f"{tile(shape, t)}", shape, t)
        kind = f"{tile(shape, u)} -> {tile(shape, t)}"
        sign = self.rng.choice(["signed", "unsigned"])
        if u[0] == "i" and t[0] == "i":
            return self.add(f"exti {name} {sign} : {kind}" if width(t) > width(u) else f"trunci {name} : {kind}", shape, t)
        if u[0] == "i":
            return self.add(f"itof {name} {sign} : {kind}", shape, t)
        if t[0] == "i":  # out of range is undefined: clamp first; the maximum loses a NaN
            low = self.add(f"maxf {name}, {self.constant(shape, u, 0 if sign == 'unsigned' else -100)[0]} : {tile(shape, u)}", shape, u)
            high = self.add(f"minf {low[0]}, {self.constant(shape, u, 100)[0]} : {tile(shape, u)}", shape, u)
            return self.add(f"ftoi {high[0]} {sign} : {kind}", shape, t)
        return self.add(f"ftof {name} : {kind}", shape, t)

    # ---- operations

    def op_int(self):
        a = self.pick(INTS)
        b = self.pick([a[2]], a[1])
        ty = tile(a[1], a[2])
        op = self.rng.choice(["addi", "subi", "muli", "andi", "ori", "xori", "maxi", "mini", "divi", "remi", "shli", "shri",
                              "negi", "absi", "mulhii"])
        sign = " " + self.rng.choice(["signed", "unsigned"])
        if op in ("negi", "absi"):
            return self.add(f"{op} {a[0]} : {ty}", a[1], a[2])
        if op in ("divi", "remi"):  # an odd divisor from 1 to 63
            m = self.add(f"andi {b[0]}, {self.constant(a[1], a[2], 62)[0]} : {ty}", a[1], a[2])
            b = self.add(f"ori {m[0]}, {self.constant(a[1], a[2], 1)[0]} : {ty}", a[1], a[2])
            rounding = self.rng.choice(["", " rounding<positive_inf>"] + ([" rounding<negative_inf>"] if sign == " signed" else []))
            return self.add(f"{op} {a[0]}, {b[0]}{sign}{rounding if op == 'divi' else ''} : {ty}", a[1], a[2])
        if op in ("shli", "shri"):
            b = self.add(f"andi {b[0]}, {self.constant(a[1], a[2], width(a[2]) - 1)[0]} : {ty}", a[1], a[2])
        return self.add(f"{op} {a[0]}, {b[0]}{sign if op in ('maxi', 'mini', 'shri') else ''} : {ty}", a[1], a[2])

    def op_float(self):
        a = self.pick(FLOATS)
        ty = tile(a[1], a[2])
        b, c = self.pick([a[2]], a[1]), self.pick([a[2]], a[1])
        op = self.rng.choice(["addf", "subf", "mulf", "divf", "fma", "maxf", "minf", "negf", "absf", "sqrt", "floor", "ceil"])
        mode = self.rng.choice(["", "", "", " rounding<zero>", " rounding<negative_inf>", " rounding<positive_inf>"])
        ftz = " flush_to_zero" if a[2] == "f32" and self.rng.random() < 0.2 else ""
        if op in ("negf", "absf", "floor", "ceil"):
            return self.add(f"{op} {a[0]} : {ty}", a[1], a[2])
        if op == "sqrt":
            return self.add(f"{op} {a[0]}{mode}{ftz} : {ty}", a[1], a[2])
        if op in ("maxf", "minf"):
            nan = self.rng.choice(["", " propagate_nan"])
            return self.add(f"{op} {a[0]}, {b[0]}{ftz}{nan} : {ty}", a[1], a[2])
        if op == "fma":
            return self.add(f"fma {a[0]}, {b[0]}, {c[0]}{mode}{ftz} : {ty}", a[1], a[2])
        return self.add(f"{op} {a[0]}, {b[0]}{mode}{ftz} : {ty}", a[1], a[2])

    def op_compare(self):
        a = self.pick(INTS + FLOATS)
        b = self.pick([a[2]], a[1])
        predicate = self.rng.choice(["equal", "not_equal", "less_than", "less_than_or_equal", "greater_than",
                                     "greater_than_or_equal"])
        kind = f"{tile(a[1], a[2])} -> {tile(a[1], 'i1')}"
        if a[2][0] == "i":
            return self.add(f"cmpi {predicate} {a[0]}, {b[0]}, {self.rng.choice(['signed', 'unsigned'])} : {kind}", a[1], "i1")
        return self.add(f"cmpf {predicate} {self.rng.choice(['ordered', 'unordered'])} {a[0]}, {b[0]} : {kind}", a[1], "i1")

    def op_select(self):
        a = self.pick(INTS + FLOATS)
        b, c = self.pick([a[2]], a[1]), self.pick(["i1"], a[1])
        return self.add(f"select {c[0]}, {a[0]}, {b[0]} : {tile(a[1], 'i1')}, {tile(a[1], a[2])}", a[1], a[2])

    def op_convert(self):
        return self.convert(self.pick(INTS + FLOATS), self.rng.choice(INTS + FLOATS))

    def op_bitcast(self):  # never of a float: NaNs have no fixed bits
        a = self.pick(INTS)
        options = [f for f in FLOATS if width(f) == width(a[2])]
        if not options:
            return self.op_convert()
        t = self.rng.choice(options)
        return self.add(f"bitcast {a[0]} : {tile(a[1], a[2])} -> {tile(a[1], t)}", a[1], t)

    def op_reshape(self):
        a = self.pick()
        dims, rest = [], size(a[1])
        while rest > 1 and len(dims) < 2:
            d = 1 << self.rng.randint(0, rest.bit_length() - 1)
            dims.append(d)
            rest //= d
        dims.append(rest)
        return self.add(f"reshape {a[0]} : {tile(a[1], a[2])} -> {tile(dims, a[2])}", dims, a[2])

    def op_permute(self):
        a = self.pick(want=lambda v: len(v[1]) >= 2)
        if len(a[1]) < 2:
            return self.op_reshape()
        order = list(range(len(a[1])))
        self.rng.shuffle(order)
        dims = [a[1][i] for i in order]
        return self.add(f"permute {a[0]} {order} : {tile(a[1], a[2])} -> {tile(dims, a[2])}", dims, a[2])

    def op_extract(self):
        a = self.pick()
        if not a[1]:
            return self.op_reshape()
        dims = [max(1, d >> self.rng.choice([0, 0, 1, 2])) for d in a[1]]
        indices = [self.constant((), "i32", self.rng.randrange(d // e))[0] for d, e in zip(a[1], dims)]
        return self.add(f"extract {a[0]}[{', '.join(indices)}] : {tile(a[1], a[2])} -> {tile(dims, a[2])}", dims, a[2])

    def op_cat(self):
        a = self.pick(want=lambda v: len(v[1]) >= 1 and size(v[1]) <= 1024)
        if not a[1] or size(a[1]) > 1024:
            return self.op_reshape()
        b = self.pick([a[2]], a[1])
        d = self.rng.randrange(len(a[1]))
        dims = list(a[1])
        dims[d] *= 2
        ty = tile(a[1], a[2])
        return self.add(f"cat {a[0]}, {b[0]} dim = {d} : {ty}, {ty} -> {tile(dims, a[2])}", dims, a[2])

    def op_broadcast(self):
        a = self.pick(want=lambda v: 1 in v[1])
        if 1 not in a[1]:
            return self.op_reduce()
        dims = [d if d != 1 or size(a[1]) > 256 else self.rng.choice([1, 2, 4, 8]) for d in a[1]]
        return self.add(f"broadcast {a[0]} : {tile(a[1], a[2])} -> {tile(dims, a[2])}", dims, a[2])

    def op_reduce(self):
        """Integer combinations and float minima: the same in every order."""
        a = self.pick(INTS + FLOATS, want=lambda v: len(v[1]) >= 1)
        if not a[1]:
            return self.op_reshape()
        d = self.rng.randrange(len(a[1]))
        t = f"tile<{a[2]}>"
        if a[2][0] == "i":
            op, identity = self.rng.choice([("addi", 0), ("xori", 0), ("ori", 0), ("andi", -1), ("muli", 1)])
            body, identity = f"{op} %e, %f : {t}", f"{identity} : {a[2]}"
        else:
            # A NaN must win: against an infinite identity it would otherwise matter whether the identity takes part.
            op = self.rng.choice(["maxf", "minf"])
            infinity = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF0000000000000}[a[2]]
            infinity |= 1 << (width(a[2]) - 1) if op == "maxf" else 0
            body, identity = f"{op} %e, %f propagate_nan : {t}", f"{infinity:#x} : {a[2]}"
        scan = self.rng.random() < 0.3 and a[2] in ("i32", "i64")
        dims = a[1] if scan else a[1][:d] + a[1][d + 1:]
        value = (self.name(), tuple(dims), a[2])
        reverse = f" reverse={self.rng.choice(['true', 'false'])}" if scan else ""
        self.line(f"{value[0]} = {'scan' if scan else 'reduce'} {a[0]} dim={d}{reverse} identities=[{identity}] : "
                  f"{tile(a[1], a[2])} -> {tile(dims, a[2])}")
        self.line(f"(%e: {t}, %f: {t}) {{")
        self.line(f"  %g = {body}")
        self.line(f"  yield %g : {t}")
        self.line("}")
        self.values.append(value)
        return value

    def op_mma(self):
        """Small integers, so that every sum is exact in binary32."""
        m, n, k = (1 << self.rng.randint(3, 6) for _ in range(3))
        integer = self.rng.random() < 0.3
        t = "i8" if integer else self.rng.choice(["f16", "bf16", "f32"])
        acc = "i32" if integer else "f32"

        def operand(rows, columns):
            base = self.pick(INTS)
            flat = self.fit(base, (rows, columns))
            if integer:
                return self.convert(flat, "i8")
            small = self.add(f"andi {flat[0]}, {self.constant(flat[1], flat[2], 7)[0]} : {tile(flat[1], flat[2])}", flat[1], flat[2])
            value = (self.name(), flat[1], t)
            self.line(f"{value[0]} = itof {small[0]} signed : {tile(flat[1], flat[2])} -> {tile(flat[1], t)}")
            return value

        a, b = operand(m, k), operand(k, n)
        c = self.constant((m, n), acc, 1)
        if integer:
            return self.add(f"mmai {a[0]}, {b[0]}, {c[0]} signed unsigned : {tile((m, k), t)}, {tile((k, n), t)}, {tile((m, n), acc)}",
                            (m, n), acc)
        return self.add(f"mmaf {a[0]}, {b[0]}, {c[0]} : {tile((m, k), t)}, {tile((k, n), t)}, {tile((m, n), acc)}", (m, n), acc)

    def fit(self, v, shape):
        """The value's elements, repeated or cut to another shape."""
        n, m = size(v[1]), size(shape)
        if n > m:
            flat = self.add(f"reshape {v[0]} : {tile(v[1], v[2])} -> {tile([n], v[2])}", [n], v[2])
            zero = self.constant((), "i32", 0)
            v = self.add(f"extract {flat[0]}[{zero[0]}] : {tile([n], v[2])} -> {tile([m], v[2])}", [m], v[2])
        elif n < m:
            flat = self.add(f"reshape {v[0]} : {tile(v[1], v[2])} -> {tile([1, n], v[2])}", [1, n], v[2])
            v = self.add(f"broadcast {flat[0]} : {tile([1, n], v[2])} -> {tile([m // n, n], v[2])}", [m // n, n], v[2])
        return v if v[1] == tuple(shape) else self.add(f"reshape {v[0]} : {tile(v[1], v[2])} -> {tile(shape, v[2])}", shape, v[2])

    # ---- control flow

    def scoped(self, steps):
        """Some operations in a region: what they define is forgotten afterwards."""
        outer = list(self.values)
        self.indent += 1
        for _ in range(steps):
            self.step(nested=True)
        self.indent -= 1
        return outer

    def condition(self):
        scalars = [v for v in self.values if v[1] == () and v[2] == "i32"] or [self.constant((), "i32", 3)]
        a, b = self.rng.choice(scalars), self.constant((), "i32", self.rng.randint(0, 3))
        return self.add(f"cmpi {self.rng.choice(['less_than', 'equal'])} {a[0]}, {b[0]}, signed : tile<i32> -> tile<i1>", (), "i1")

    def op_if(self):
        a = self.pick(INTS + FLOATS)
        c = self.condition()
        ty = tile(a[1], a[2])
        value = (self.name(), a[1], a[2])
        self.line(f"{value[0]} = if {c[0]} -> ({ty}) {{")
        for last in (False, True):
            outer = self.scoped(self.rng.randint(0, 3))
            self.indent += 1
            result = self.pick([a[2]], a[1])
            self.line(f"yield {result[0]} : {ty}")
            self.indent -= 1
            self.values = outer
            self.line("}" if last else "} else {")
        self.values.append(value)
        return value

    def op_for(self):
        a = self.pick(INTS + FLOATS)
        ty = tile(a[1], a[2])
        low, high, step = (self.constant((), "i32", n) for n in
                           (self.rng.randint(-3, 2), self.rng.randint(-1, 5), self.rng.randint(1, 3)))
        value, index, carried = (self.name(), a[1], a[2]), self.name("i"), self.name("c")
        self.line(f"{value[0]} = for {index} in ({low[0]} to {high[0]}, step {step[0]}) : tile<i32> "
                  f"iter_values({carried} = {a[0]}) -> ({ty}) {{")
        before = list(self.values)
        self.values += [(index, (), "i32"), (carried, a[1], a[2])]
        self.scoped(self.rng.randint(1, 4))
        self.indent += 1
        result = self.pick([a[2]], a[1])
        self.line(f"continue {result[0]} : {ty}")
        self.indent -= 1
        self.line("}")
        self.values = before + [value]
        return value

    def op_loop(self):
        """Counts to a small number and leaves with what it has."""
        a = self.pick(INTS + FLOATS)
        ty = tile(a[1], a[2])
        zero, one, limit = (self.constant((), "i32", n) for n in (0, 1, self.rng.randint(0, 4)))
        value, count, carried = (self.name(), a[1], a[2]), self.name("n"), self.name("c")
        self.line(f"{value[0]} = loop iter_values({count} = {zero[0]}, {carried} = {a[0]}) : tile<i32>, {ty} -> {ty} {{")
        before = list(self.values)
        self.values += [(count, (), "i32"), (carried, a[1], a[2])]
        done = self.name("d")
        self.line(f"  {done} = cmpi greater_than_or_equal {count}, {limit[0]}, signed : tile<i32> -> tile<i1>")
        self.line(f"  if {done} {{")
        self.line(f"    break {carried} : {ty}")
        self.line("  }")
        self.scoped(self.rng.randint(1, 3))
        self.indent += 1
        result = self.pick([a[2]], a[1])
        more = self.name("n")
        self.line(f"{more} = addi {count}, {one[0]} : tile<i32>")
        self.line(f"continue {more}, {result[0]} : tile<i32>, {ty}")
        self.indent -= 1
        self.line("}")
        self.values = before + [value]
        return value

    def step(self, nested=False):
        self.steps += 1
        choices = [(self.op_int, 5), (self.op_float, 5), (self.op_compare, 2), (self.op_select, 2), (self.op_convert, 3),
                   (self.op_bitcast, 1), (self.op_reshape, 1), (self.op_permute, 1), (self.op_extract, 1), (self.op_cat, 1),
                   (self.op_broadcast, 1), (self.op_reduce, 2), (self.op_mma, 0 if nested else 1)]
        if self.steps < 60:
            choices += [(self.op_if, 1), (self.op_for, 0 if nested else 1), (self.op_loop, 0 if nested else 1)]
        operations, weights = zip(*[c for c in choices if c[0].__name__[3:] not in self.skip])
        self.rng.choices(operations, weights)[0]()

    # ---- memory

    def load(self, k):
        """An input through a view that hangs over, or through masked pointers."""
        t = self.rng.choice(INTS + FLOATS)
        fill = "bits" if t[0] == "i" or self.rng.random() < 0.3 else self.rng.choice(["special", "random(lo=-8,hi=8)", "normal"])
        p = f"in{k}"
        self.params.append((p, f"ptr<{t}>"))
        m, n = self.shape
        if self.rng.random() < 0.5:
            rows, columns = (self.rng.randint(self.extent[i] - min(5, self.shape[i] - 1), self.extent[i] + 3) for i in (0, 1))
            gap = self.rng.choice([0, 0, 3])
            self.args.append(f"{p}:{t}[{rows}x{columns}]{{strides={columns + gap}x1}}={fill}")
            tv = f"tensor_view<{rows}x{columns}x{t}, strides=[{columns + gap},1]>"
            pv = f"partition_view<tile=({m}x{n}), padding_value = zero, {tv}>"
            self.line(f"%t{p} = make_tensor_view %{p}, shape = [{rows}, {columns}], strides = [{columns + gap}, 1] : {tv}")
            self.line(f"%v{p} = make_partition_view %t{p} : {pv}")
            value = (f"%x{k}", self.shape, t)
            self.line(f"{value[0]}, %tok{p} = load_view_tko weak %v{p}[%bx, %by] : {pv}, tile<i32> -> {tile(self.shape, t)}, token")
        else:
            count = size(self.shape)
            have = self.rng.randint(1, count)
            self.args.append(f"{p}:{t}[{have}]={fill}")
            lane = self.add(f"iota : {tile([count], 'i32')}", [count], "i32")
            limit = self.constant([count], "i32", have)
            mask = self.add(f"cmpi less_than {lane[0]}, {limit[0]}, signed : {tile([count], 'i32')} -> {tile([count], 'i1')}", [count], "i1")
            one, many = tile([1], f"ptr<{t}>"), tile([count], f"ptr<{t}>")
            self.line(f"%r{p} = reshape %{p} : tile<ptr<{t}>> -> {one}")
            self.line(f"%b{p} = broadcast %r{p} : {one} -> {many}")
            self.line(f"%q{p} = offset %b{p}, {lane[0]} : {many}, {tile([count], 'i32')} -> {many}")
            pad = self.constant([count], t, 2)
            flat = (f"%f{k}", (count,), t)
            self.line(f"{flat[0]}, %tok{p} = load_ptr_tko weak %q{p}, {mask[0]}, {pad[0]} : {many}, {tile([count], 'i1')}, "
                      f"{tile([count], t)} -> {tile([count], t)}, token")
            self.values.append(flat)
            value = (f"%x{k}", self.shape, t)
            self.line(f"{value[0]} = reshape {flat[0]} : {tile([count], t)} -> {tile(self.shape, t)}")
        self.values.append(value)

    def store(self, k, v):
        v = self.fit(v, self.shape)
        t = v[2]
        if t == "i1":
            v, t = self.convert_bool(v), "i8"
        p = f"out{k}"
        self.params.append((p, f"ptr<{t}>"))
        m, n = self.shape
        rows, columns = (self.rng.randint(self.extent[i] - min(3, self.shape[i] - 1), self.extent[i]) for i in (0, 1))
        self.args.append(f"out:{p}:{t}[{rows}x{columns}]=zeros")
        tv = f"tensor_view<{rows}x{columns}x{t}, strides=[{columns},1]>"
        pv = f"partition_view<tile=({m}x{n}), {tv}>"
        self.line(f"%t{p} = make_tensor_view %{p}, shape = [{rows}, {columns}], strides = [{columns}, 1] : {tv}")
        self.line(f"%v{p} = make_partition_view %t{p} : {pv}")
        self.line(f"%tok{p} = store_view_tko weak {v[0]}, %v{p}[%bx, %by] : {tile(self.shape, t)}, {pv}, tile<i32> -> token")

    def convert_bool(self, v):
        return self.add(f"exti {v[0]} unsigned : {tile(v[1], 'i1')} -> {tile(v[1], 'i8')}", v[1], "i8")

    def generate(self):
        rng = self.rng
        self.shape = (1 << rng.randint(0, 5), 1 << rng.randint(0, 5))
        self.grid = (rng.randint(1, 2), rng.randint(1, 2))
        self.extent = [self.shape[i] * self.grid[i] for i in (0, 1)]
        self.line("%bx, %by, %bz = get_tile_block_id : tile<i32>")
        self.values += [("%bx", (), "i32"), ("%by", (), "i32")]
        for k in range(rng.randint(1, 3)):
            self.load(k)
        for _ in range(rng.randint(3, 25)):
            self.step()
        # The last values, and some others, are stored.
        candidates = [v for v in self.values if size(v[1]) > 0]
        chosen = candidates[-3:] + [rng.choice(candidates) for _ in range(2)]
        for k, v in enumerate(dict.fromkeys(chosen)):
            self.store(k, v)


def command(tool, kernel, source, target):
    return [str(tool), str(source), "--grid=%d,%d" % kernel.grid, "--engine=reference,emulator", "--check", f"--gpu-name={target}",
            "--threads=1", *kernel.args]


def run_seed(seed, skip, targets, tool, folder, keep):
    kernel = Kernel(seed, skip)
    source = pathlib.Path(folder) / f"fuzz-{seed}.mlir"
    source.write_text(kernel.text())
    failures = []
    for target in targets:
        words = command(tool, kernel, source, target)
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
            code, output = done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired:
            code, output = -1, f"timeout after {TIMEOUT_S} s"
        if code:
            failures.append((seed, target, code, " ".join(f"'{w}'" for w in words) + "\n" + output))
    if failures and keep:
        shutil.copy(source, keep)
    source.unlink()
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--targets", default="sm_80,sm_90,sm_100,sm_120")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--skip", default="", help="kinds of operations to leave out: int,float,mma,reduce,for,...")
    parser.add_argument("--keep", help="folder for the kernels that failed")
    parser.add_argument("--show", type=int)
    args = parser.parse_args()
    tool = pathlib.Path(args.build).resolve() / "bin" / "tileiras-run"
    if args.show is not None:
        kernel = Kernel(args.show, args.skip.split(","))
        print(kernel.text() + "// " + " ".join(f"'{w}'" for w in command(tool, kernel, "FILE", args.targets.split(",")[0])))
        return 0
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    failures = []
    with tempfile.TemporaryDirectory(prefix="tileiras-fuzz-") as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(run_seed, seed, args.skip.split(","), args.targets.split(","), tool, folder, args.keep)
                for seed in range(args.first, args.first + args.count)]
        for job in jobs:
            for seed, target, code, text in job.result():
                failures.append(seed)
                said = [l for l in text.split("\n") if "error:" in l or "mismatch:" in l] or text.split("\n")[1:6]
                print(f"--- seed {seed} on {target}: exit status {code}\n" + "\n".join(l[:300] for l in said[:6]), flush=True)
    print(f"fuzz: {args.count} kernels, {len(failures)} failures" + (f" (seeds {sorted(set(failures))})" if failures else ""))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
