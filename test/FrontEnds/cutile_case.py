# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A cuTile kernel with its arguments and what NumPy says it should give; the signature under which the front end compiles
it; rounding to every number format, from the definitions of the formats."""

import dataclasses
import io
import linecache

import cuda.tile as ct
import ml_dtypes
import numpy as np
from cuda.tile.compilation import (ArrayConstraint, CallingConvention, ConstantConstraint, KernelSignature, ListConstraint,
                                   ScalarConstraint, TupleConstraint, export_kernel)

bf16, e4m3, e5m2, e8m0, e2m1 = (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float8_e8m0fnu,
                                ml_dtypes.float4_e2m1fn)
f16, f32, f64 = np.float16, np.float32, np.float64
DTYPES = {np.bool_: ct.bool_, np.int8: ct.int8, np.int16: ct.int16, np.int32: ct.int32, np.int64: ct.int64, np.uint8: ct.uint8,
          np.uint16: ct.uint16, np.uint32: ct.uint32, np.uint64: ct.uint64, f16: ct.float16, f32: ct.float32, f64: ct.float64,
          bf16: ct.bfloat16, e4m3: ct.float8_e4m3fn, e5m2: ct.float8_e5m2, e8m0: ct.float8_e8m0fnu}
DTYPES = {np.dtype(n): d for n, d in DTYPES.items()}


@dataclasses.dataclass
class Array:
    """An array argument. `data` may be a view (transposed, with gaps) that starts where its base starts. `out`: starts
    unwritten. Arrays with a group in common may be the same memory. `shape`: a contiguous array that is only described."""
    data: np.ndarray
    dtype: object = None
    out: bool = False
    index: object = ct.int32
    groups: tuple = ()
    internal: bool = False
    shape: tuple = None

    def __post_init__(self):
        self.dtype = self.dtype or DTYPES[self.data.dtype]
        base = self.data
        while isinstance(base.base, np.ndarray):
            base = base.base
        self.memory = base
        self.strides = tuple(s // self.data.itemsize for s in self.data.strides)
        if self.shape:
            self.strides = tuple(int(np.prod(self.shape[d + 1:])) for d in range(len(self.shape)))

    def constraint(self, plain):
        """What the launcher of cuTile finds out about an array before it compiles for it; `plain` asks for no such facts."""
        size = self.data.itemsize
        facts = {}
        if not plain:
            facts = dict(stride_constant=[1 if s == 1 else None for s in self.strides],
                         stride_divisible_by=[16 // size if s != 1 and s * size % 16 == 0 else 1 for s in self.strides],
                         shape_divisible_by=[16 if n % 16 == 0 and n else 1 for n in self.data.shape], base_addr_divisible_by=16)
        return ArrayConstraint(self.dtype, self.data.ndim, index_dtype=self.index, stride_lower_bound_incl=0,
                               alias_groups=self.groups, may_alias_internally=self.internal, **facts)

    def words(self):
        word = np.int64 if self.index is ct.int64 else np.int32
        return [word(n) for n in self.data.shape + self.strides]


def out(shape, dtype, **more):
    return Array(np.zeros(shape, dtype), out=True, **more)


@dataclasses.dataclass
class Const:
    """A ct.Constant: part of the signature, not passed."""
    value: object


@dataclasses.dataclass
class List:
    """Arrays of one kind, passed as a list."""
    arrays: list


@dataclasses.dataclass
class Tuple:
    items: list


@dataclasses.dataclass
class Case:
    """`expected`: argument -> (array, tolerance); `fails`: words of the report that the run must end with; `printed`: the
    output, or a function that says whether it is right; `refuses`: words of the diagnostic, where the front end's module is no
    valid one; `runs`: too large for the emulator if not, compiled only."""
    name: str
    kernel: object
    grid: tuple
    arguments: list
    expected: dict = dataclasses.field(default_factory=dict)
    printed: object = None
    fails: str = None
    refuses: str = None
    runs: bool = True

    def signature(self, plain):
        def constraint(argument):
            if isinstance(argument, Const):
                return ConstantConstraint(argument.value)
            if isinstance(argument, Array):
                return argument.constraint(plain)
            if isinstance(argument, List):
                return ListConstraint(argument.arrays[0].constraint(plain), alias_groups=(), elements_may_alias=False)
            if isinstance(argument, Tuple):
                return TupleConstraint([constraint(item) for item in argument.items])
            return ScalarConstraint(DTYPES[np.dtype(argument.dtype)])
        return KernelSignature([constraint(a) for a in self.arguments], CallingConvention.cutile_python_v2())

    def bytecode(self, version, plain=False, target=None):
        file = io.BytesIO()
        export_kernel(self.kernel, [self.signature(plain)], file, output_format="tileir_bytecode", bytecode_version=version,
                      gpu_code=target)
        return file.getvalue()


def function(parameters, body, **names):
    """A Python function from text, with source lines that the front end can find. `body`: an expression, or statements."""
    if "\n" not in body and not body.startswith(("return", "ct.store")):
        body = "return " + body
    lines = [f"def generated({parameters}):\n"] + [f"    {line}\n" for line in body.split("\n")]
    name = f"<cutile {len(linecache.cache)}>"
    linecache.cache[name] = (sum(map(len, lines)), None, lines, name)
    space = {"ct": ct, **names}
    exec(compile("".join(lines), name, "exec"), space)
    return space["generated"]


def elementwise(inputs, expression, **names):
    """The kernel of out[i] = expression of the inputs, of any rank: the tile shape is a constant, the grid one-dimensional."""
    text = [f"{n} = ct.load({n}_, (ct.bid(0),), (T,))" for n in inputs]
    text.append(f"ct.store(result_, (ct.bid(0),), {expression})")
    return ct.kernel(function(", ".join(n + "_" for n in inputs) + ", result_, T: ct.Constant[int]", "\n".join(text), **names))


# Exponent bits, mantissa bits; what the largest exponent means: infinities and NaNs, one NaN, nothing special.
FORMATS = {"f64": (11, 52, "ieee"), "f32": (8, 23, "ieee"), "tf32": (8, 10, "ieee"), "bf16": (8, 7, "ieee"), "f16": (5, 10, "ieee"),
           "e5m2": (5, 2, "ieee"), "e4m3": (4, 3, "fn"), "e2m1": (2, 1, "all")}


def largest(name):
    ebits, mbits, kind = FORMATS[name]
    bias = 2 ** (ebits - 1) - 1
    if kind == "ieee":
        return (2 - 2.0 ** -mbits) * 2.0 ** bias
    return (2 - 2.0 ** -mbits * (2 if kind == "fn" else 1)) * 2.0 ** (bias + 1)


def quantise(x, name, mode="RN", saturate=None):
    """x (f64) rounded to the format. Too large: infinity if the mode goes there, where the format has one and does not
    saturate; the largest number otherwise."""
    x = np.asarray(x, np.float64)
    ebits, mbits, kind = FORMATS[name]
    least = 2 - 2 ** (ebits - 1) - mbits  # exponent of the smallest subnormal number
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(x)
        place = np.maximum(exponent - 1 - mbits, least).astype(np.int64)
        scaled = np.ldexp(x, -place)
        rounded = {"RN": np.rint, "RZ": np.trunc, "RM": np.floor, "RP": np.ceil,
                   "RA": lambda v: np.copysign(np.floor(np.abs(v) + 0.5), v)}[mode](scaled)
        y = np.copysign(np.ldexp(rounded, place), x)
        top = largest(name)
        away = {"RN": True, "RA": True, "RZ": False, "RM": x < 0, "RP": x > 0}[mode] | np.isinf(x)
        saturate = kind != "ieee" if saturate is None else saturate
        limit = top if saturate else np.where(away, np.inf, top)
        y = np.where(np.abs(y) > top, np.copysign(limit, x), y)
        return np.where(np.isnan(x), np.nan, y)


def differs(got, want, tolerance):
    """What differs, or None. Tolerance: 0, "bits" (zeros have signs), a bound of the absolute error, (relative, absolute)."""
    if got.dtype.kind in "biu":
        wrong = got != np.asarray(want).astype(got.dtype)
    else:
        g, w = got.astype(np.float64), np.asarray(want).astype(np.float64)
        with np.errstate(all="ignore"):
            if tolerance in (0, "bits"):
                wrong = ~((g == w) | (np.isnan(g) & np.isnan(w)))
                if tolerance == "bits":
                    wrong |= (np.signbit(g) != np.signbit(w)) & ~np.isnan(w)
            else:
                relative, absolute = tolerance if isinstance(tolerance, tuple) else (0, tolerance)
                near = np.abs(g - w) <= absolute + relative * np.abs(w)
                wrong = ~np.where(np.isfinite(w), near, (g == w) | (np.isnan(g) & np.isnan(w)))
    if not wrong.any():
        return None
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (f"{int(wrong.sum())} of {wrong.size} elements differ, first at {first}: {got[first]!r} instead of "
            f"{np.asarray(want)[first]!r}")


