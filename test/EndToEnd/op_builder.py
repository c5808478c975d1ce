# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts cases of the operation tables (op_table.py) together into kernels.

A case is one operation on one element type in one mode: a function that asks a Builder for operand tiles, adds lines, and hands over
result tiles, which are stored to arrays of their own. So many cases share one kernel, and a wrong array names its case.
"""

import threading
from dataclasses import dataclass

import op_values

NONE = "none"  # the column of operations without an element type
TYPES = ["i1", "i4", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "tf32", "f64", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN", "ptr"]
SIZE = 256  # elements of a tile where the shape does not matter


@dataclass
class Case:
    op: str
    type: str          # column of the table
    mode: str          # what is varied; empty if nothing is
    emit: object       # function of a Builder
    allowed: bool = True
    tolerance: str = "exact"
    also: tuple = ()   # other operations that the case tests as much: their cells count it too
    grid: int = 4
    group: str = ""    # cases of one group share kernels
    pair: str = ""     # conversions: the type of the result
    prints: bool = False  # what is printed is compared

    @property
    def name(self):
        return " ".join(w for w in (self.op, self.type, "to " + self.pair if self.pair else "", self.mode) if w)


def product(shape):
    n = 1
    for d in shape:
        n *= d
    return n


def tile(t, shape=(SIZE,)):
    return "tile<" + "".join(f"{d}x" for d in shape) + ("ptr<f32>" if t == "ptr" else t) + ">"


def memory_type(t):
    """Pointers lie in memory as integers; numbers of four bits as bytes, unpacked in the kernel."""
    return "i64" if t == "ptr" else "i8" if t in ("i4", "f4E2M1FN") else t


@dataclass
class Array:
    name: str
    type: str
    count: int
    kind: str      # of op_values.values, or of tileiras-run's notation if it starts with "="
    out: bool = False
    tolerance: str = "exact"
    case: object = None


class Builder:
    """One kernel: text and arguments."""

    def __init__(self, grid):
        self.grid, self.counter = grid, 0
        self.lines, self.outside, self.arrays = [], [], []
        self.inputs, self.indices = {}, {}
        self.scalars = []
        self.case = None
        self.indent = 0

    def name(self, hint="v"):
        self.counter += 1
        return f"%{hint}{self.counter}"

    def line(self, text):
        self.lines.append("    " + text)

    def op(self, text, *types):
        """%new = text; returns the name."""
        result = self.name()
        self.line(f"{result} = {text}")
        return result

    def constant(self, t, value, shape=()):
        return self.op(f"constant <{t}: {value}> : {tile(t, shape)}")

    def block(self):
        if "block" not in self.indices:
            self.indices["block"] = "%bx"
            self.line("%bx, %by, %bz = get_tile_block_id : tile<i32>")
        return "%bx"

    def start(self, n):
        """The first position of this tile block's n elements, rank 0."""
        key = ("start", n)
        if key not in self.indices:
            self.indices[key] = self.op(f"muli {self.block()}, {self.constant('i32', n)} : tile<i32>")
        return self.indices[key]

    def positions(self, n):
        """Positions of this tile block's n elements."""
        key = ("positions", n)
        if key not in self.indices:
            start = self.op(f"reshape {self.start(n)} : tile<i32> -> tile<1xi32>")
            start = self.op(f"broadcast {start} : tile<1xi32> -> tile<{n}xi32>")
            self.indices[key] = self.op(f"addi {start}, {self.op(f'iota : tile<{n}xi32>')} : tile<{n}xi32>")
        return self.indices[key]

    def splat(self, value, t, shape):
        """A rank-0 tile, broadcast."""
        if not shape:
            return value
        one = self.op(f"reshape {value} : {tile(t, ())} -> {tile(t, [1] * len(shape))}")
        return self.op(f"broadcast {one} : {tile(t, [1] * len(shape))} -> {tile(t, shape)}")

    def pointers(self, base, t, n, index=None):
        """Pointers to elements of the array whose address is the rank-0 tile `base`; one per element of `index`."""
        p = f"ptr<{t}>"
        many = self.op(f"reshape {base} : tile<{p}> -> tile<1x{p}>")
        many = self.op(f"broadcast {many} : tile<1x{p}> -> tile<{n}x{p}>")
        index = index or self.positions(n)
        return self.op(f"offset {many}, {index} : tile<{n}x{p}>, tile<{n}xi32> -> tile<{n}x{p}>")

    def array(self, t, per_block, kind, out=False, tolerance="exact", init=None):
        """A kernel argument: the address of an array of `per_block` elements for each tile block."""
        base = self.name("p")
        self.arrays.append(Array(base[1:], t, per_block * self.grid, init or kind, out, tolerance, self.case if out else None))
        return base

    def load(self, t, kind="any0", shape=(SIZE,)):
        """A tile of type t, its numbers of the given kind."""
        key = (t, kind, tuple(shape))
        if key in self.inputs:
            return self.inputs[key]
        n, m = product(shape), memory_type(t)
        four = m != t and t != "ptr"
        flat = n // 2 if four else n
        base = self.array(m, flat, f"{t}|{kind}")
        p = self.pointers(base, m, flat)
        value = self.name("x")
        self.line(f"{value}, {value}_t = load_ptr_tko weak {p} : tile<{flat}xptr<{m}>> -> tile<{flat}x{m}>, token")
        if four:
            value = self.op(f"unpack {value} : tile<{flat}xi8> -> tile<{n}x{t}>")
        elif t == "ptr":
            value = self.op(f"int_to_ptr {value} : tile<{n}xi64> -> tile<{n}xptr<f32>>")
        if list(shape) != [n]:
            value = self.op(f"reshape {value} : {tile(t, [n])} -> {tile(t, shape)}")
        self.inputs[key] = value
        return value

    def scalar(self, t, kind="any0"):
        """A rank-0 tile from memory, one per tile block."""
        m = memory_type(t)
        base = self.array(m, 1, f"{t}|{kind}")
        p = self.op(f"offset {base}, {self.block()} : tile<ptr<{m}>>, tile<i32> -> tile<ptr<{m}>>")
        value = self.name("x")
        self.line(f"{value}, {value}_t = load_ptr_tko weak {p} : tile<ptr<{m}>> -> tile<{m}>, token")
        if t == "ptr":
            value = self.op(f"int_to_ptr {value} : tile<i64> -> tile<ptr<f32>>")
        return value

    def store(self, value, t, shape=(SIZE,), tolerance=None):
        """The result of the case."""
        n, m = product(shape), memory_type(t)
        if not shape:
            value = self.op(f"reshape {value} : {tile(t, ())} -> {tile(t, [1])}")
        elif list(shape) != [n]:
            value = self.op(f"reshape {value} : {tile(t, shape)} -> {tile(t, [n])}")
        if m != t and t != "ptr":
            value = self.op(f"pack {value} : {tile(t, [n])} -> tile<{n // 2}xi8>")
            n //= 2
        elif t == "ptr":
            value = self.op(f"ptr_to_int {value} : tile<{n}xptr<f32>> -> tile<{n}xi64>")
        base = self.array(m, n, "=poison", True, tolerance or (self.case.tolerance if self.case else "exact"))
        p = self.pointers(base, m, n)
        self.line(f"{self.name('w')} = store_ptr_tko weak {p}, {value} : tile<{n}xptr<{m}>>, tile<{n}x{m}> -> token")

    def parameter(self, t, literal):
        """A scalar parameter of the kernel."""
        name = self.name("s")
        self.scalars.append((name, t, literal))
        return name

    def text(self):
        params = [f"%{a.name}: tile<ptr<{a.type}>>" for a in self.arrays] + [f"{n}: {tile(t, ())}" for n, t, _ in self.scalars]
        outside = "".join(f"  {line}\n" for line in self.outside)
        return f"cuda_tile.module @kernels {{\n{outside}  entry @k({', '.join(params)}) {{\n" + "\n".join(self.lines) + "\n    return\n  }\n}\n"

    @staticmethod
    def write_input(path, a):
        t, kind = a.kind.split("|")
        temporary = path.with_suffix(f".{threading.get_ident()}")  # others may be at the same
        if t == "ptr":
            op_values.write_npy(temporary, "i64", op_values.values("i64", kind, a.count))
        elif memory_type(t) != t:
            halves = op_values.values(t, kind, 2 * a.count)
            op_values.write_npy(temporary, "i8", [low | high << 4 for low, high in zip(halves[::2], halves[1::2])])
        else:
            op_values.write_npy(temporary, t, op_values.values(t, kind, a.count))
        temporary.rename(path)

    def arguments(self, folder, written):
        """The command line's part; input files are written once, `written` remembers which."""
        result = []
        for a in self.arrays:
            if a.kind.startswith("="):
                init = a.kind[1:]
            else:
                path = folder / f"{a.kind.replace('|', '-').replace(':', '_')}-{a.count}.npy"
                if path not in written:
                    self.write_input(path, a)
                    written.add(path)
                init = str(path)
            options = "" if a.tolerance == "exact" else "{tol=" + a.tolerance.replace(",", "/") + "}"
            result.append(f"{'out:' if a.out else ''}{a.name}:{a.type}[{a.count}]{options}={init}")
        return result + [f"{t}={literal}" for _, t, literal in self.scalars]


def build(cases):
    """One kernel of cases of the same grid."""
    b = Builder(cases[0].grid)
    for case in cases:
        b.case = case
        case.emit(b)
    return b
