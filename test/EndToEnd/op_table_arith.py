# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of op_table.py: floating point, integers, conversions."""

import math_limits
from op_builder import NONE, SIZE, TYPES, Case, tile
from op_values import FLOATS, INTS

I = ["i1", "i8", "i16", "i32", "i64"]
I4 = ["i1", "i4", "i8", "i16", "i32", "i64"]
BF = ["f16", "bf16", "f32", "f64"]
F = [*BF, "tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN"]
N = I + F
IEEE = ["nearest_even", "zero", "negative_inf", "positive_inf"]
PREDICATES = ["equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"]
FLAGS = ["none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"]


def rows(op, allowed, modes, group, tolerance=None, **more):
    """Cases of an operation: `modes(t)` gives (mode, emit[, tolerance]); of a type that is not allowed, the first mode, to be refused."""
    result = []
    for t in TYPES:
        ok = t in allowed
        for mode, emit, *limit in modes(t) if ok else list(modes(t))[:1]:
            result.append(Case(op, t, mode, emit, ok, limit[0] if limit else tolerance(t, mode) if tolerance else "exact", group=f"{group} {t}", **more))
    return result


def elementwise(op, t, count, suffix="", kinds=("any0", "any1", "any2"), result=None, tail=None):
    """count operands of type t, one result."""
    result = result or t

    def emit(b):
        x = ", ".join(b.load(t, k) for k in kinds[:count])
        b.store(b.op(f"{op} {x}{suffix} : {tail or tile(t)}"), result)
    return emit


def same(op, allowed, count, group, suffixes=lambda t: [""], **more):
    """Modes that are keywords after the operands."""
    return rows(op, allowed, lambda t: [(s.strip(), elementwise(op, t, count, s)) for s in suffixes(t)], group, **more)


def roundings(extra=(), flush=True):
    def suffixes(t):
        result = [f" rounding<{m}>" for m in IEEE]
        if t == "f32":
            result += [f" rounding<{m}>" for m in extra]
            if flush:
                result += [s + " flush_to_zero" for s in result]
        return [s.replace(" rounding<nearest_even>", "") for s in result]
    return suffixes


def floats():
    result = []
    for op in ("absf", "negf", "ceil", "floor"):
        result += same(op, BF, 1, "float")
    limit = math_limits.tolerance
    for op in ("cos", "sin", "tan", "cosh", "sinh", "log", "log2"):
        result += same(op, BF, 1, "math", tolerance=lambda t, mode, op=op: limit(op, t, mode))
    for op in ("exp", "tanh"):
        result += same(op, BF, 1, "math", lambda t: ["", " rounding<approx>"] if t == "f32" else [""],
                       tolerance=lambda t, mode, op=op: limit(op, t, mode))
    for op in ("exp2", "rsqrt"):
        result += same(op, BF, 1, "math", lambda t: ["", " flush_to_zero"] if t == "f32" else [""],
                       tolerance=lambda t, mode, op=op: limit(op, t, mode))
    result += same("sqrt", BF, 1, "float", roundings(["approx"]), tolerance=lambda t, mode: limit("sqrt", t, mode))
    for op in ("fpowf", "atan2"):
        result += same(op, BF, 2, "math", tolerance=lambda t, mode, op=op: limit(op, t, mode))
    result += same("remf", BF, 2, "math")
    for op in ("addf", "subf", "mulf"):
        result += same(op, BF, 2, "float", roundings())
    result += rows("divf", BF, lambda t: [(s.strip(), elementwise("divf", t, 2, s, ("any0", "divapprox1" if "approx" in s else "any1")))
                                          for s in roundings(["approx", "full"])(t)], "float", lambda t, mode: limit("divf", t, mode))
    result += same("fma", BF, 3, "float", roundings())
    nan = ["", " propagate_nan"]
    for op in ("maxf", "minf"):
        result += same(op, BF, 2, "float", lambda t: nan + ([" flush_to_zero" + n for n in nan] if t == "f32" else []))

    def compare(t):
        for predicate in PREDICATES:
            for ordering in ("ordered", "unordered"):
                def emit(b, words=f"{predicate} {ordering}"):
                    x, y = b.load(t, "any0"), b.load(t, "any1")
                    b.store(b.op(f"cmpf {words} {x}, {y} : {tile(t)} -> {tile('i1')}"), "i1")
                yield f"{predicate} {ordering}", emit
    result += rows("cmpf", BF, compare, "float")

    def power(t):
        for e, kind in (("i32", "whole:-12:12"), ("i1", "any1"), ("i8", "any1"), ("i16", "whole:-300:300")):
            def emit(b, e=e, kind=kind):
                b.store(b.op(f"fpowi {b.load(t, 'any0')}, {b.load(e, kind)} : {tile(t)}, {tile(e)}"), t)
            yield f"exponent {e}", emit, math_limits.tolerance("fpowi", t, e)
    result += rows("fpowi", BF, power, "math")
    return result


def integers():
    result = []
    for op in ("andi", "ori", "xori", "mulhii"):
        result += same(op, I, 2, "int")
    result += same("absi", I, 1, "int")
    result += rows("negi", I, lambda t: [("", elementwise("negi", t, 1)),
                                         ("overflow<no_signed_wrap>", elementwise("negi", t, 1, " overflow<no_signed_wrap>", ["notmin"]))], "int")

    def flags(op):
        second = "shift1" if op == "shli" else "small1"
        return lambda t: [("" if f == "none" else f"overflow<{f}>",
                           elementwise(op, t, 2, "" if f == "none" else f" overflow<{f}>", ["any0", "any1"] if f == "none" else ["small0", second]))
                          for f in FLAGS]
    for op in ("addi", "subi", "muli", "shli"):
        result += rows(op, I, flags(op), "int")

    def division(op, modes):
        return lambda t: [(f"{sign}{m}", elementwise(op, t, 2, f" {sign}{m}", [f"div_{sign}0", f"div_{sign}1"])) for sign, m in modes]
    down, up = " rounding<negative_inf>", " rounding<positive_inf>"
    result += rows("divi", I, division("divi", [("signed", ""), ("signed", down), ("signed", up), ("unsigned", ""), ("unsigned", up)]), "int")
    result += rows("remi", I, division("remi", [("signed", ""), ("unsigned", "")]), "int")
    for op in ("maxi", "mini", "shri"):
        result += same(op, I, 2, "int", lambda t: [" signed", " unsigned"])

    def compare(t):
        for predicate in PREDICATES:
            for sign in ("signed", "unsigned"):
                def emit(b, predicate=predicate, sign=sign):
                    x, y = b.load(t, "any0"), b.load(t, "any1")
                    b.store(b.op(f"cmpi {predicate} {x}, {y}, {sign} : {tile(t)} -> {tile('i1')}"), "i1")
                yield f"{predicate} {sign}", emit
    return result + rows("cmpi", I, compare, "int")


def widens(a, b):
    """Whether every number of format a is one of format b."""
    x, y = FLOATS[a], FLOATS[b]
    if not y.sign:
        return False
    if not x.sign:
        return b == "f64"  # 2^-127 is no normal f32, but f32's subnormals hold it; the specification counts exponents
    return x.fraction <= y.fraction and x.bias <= y.bias and (x.bias < y.bias or x.exponent <= y.exponent)


def float_modes(a, b):
    """Rounding modes of ftof (first row that applies)."""
    if b == "f8E8M0FNU":
        return ["zero", "positive_inf"]
    if b in ("f8E4M3FN", "f8E5M2", "f4E2M1FN"):
        return ["nearest_even"]
    if widens(a, b):
        return IEEE + ["nearest_away"]
    if (a, b) == ("f64", "f32"):
        return IEEE
    if (a, b) == ("f32", "tf32"):
        return ["nearest_even", "zero", "nearest_away"]
    return ["nearest_even", "zero"]


def pairs(op, sources, results, modes, group):
    """All pairs of types; `modes(a, b)` gives (mode, suffix, kind of values), none if the pair is not allowed."""
    made = []
    for a in TYPES:
        for b in results if a in sources else results[-1:]:
            found = list(modes(a, b)) if a in sources else []
            for mode, suffix, kind in found or [("", modes.fallback, "any0")]:
                def emit(k, a=a, b=b, suffix=suffix, kind=kind):
                    k.store(k.op(f"{op} {k.load(a, kind)}{suffix} : {tile(a)} -> {tile(b)}"), b)
                made.append(Case(op, a, mode, emit, bool(found), group=f"{group} {a}", pair=b))
    return made


def modes_of(fallback):
    def wrap(function):
        function.fallback = fallback
        return function
    return wrap


def width(t):
    return INTS[t] if t in INTS else FLOATS[t].bits


def conversions():
    @modes_of("")
    def ftof(a, b):
        if a != b:
            for m in float_modes(a, b):
                yield ("" if m == "nearest_even" else m), ("" if m == "nearest_even" else f" rounding<{m}>"), "any0"

    @modes_of(" signed")
    def ftoi(a, b):
        for sign in ("signed", "unsigned"):
            yield sign, f" {sign}", f"toint:{INTS[b]}:{sign[0]}"
            yield sign + " saturating", f" {sign} saturating", "any0"

    @modes_of(" signed")
    def itof(a, b):
        if b != "f8E8M0FNU":
            for sign in ("signed", "unsigned"):
                yield sign, f" {sign}", "any0"

    @modes_of(" signed")
    def exti(a, b):
        if width(b) > width(a):
            yield "signed", " signed", "any0"
            yield "unsigned", " unsigned", "any0"

    @modes_of("")
    def trunci(a, b):
        if width(b) < width(a):
            yield "", "", "any0"
            for flag in FLAGS[1:]:
                yield f"overflow<{flag}>", f" overflow<{flag}>", f"fits:{width(b)}"

    @modes_of("")
    def bitcast(a, b):
        if width(a) == width(b):
            yield "", "", "bits"

    result = pairs("ftof", F, F, ftof, "cast")
    result += pairs("ftoi", F, I, ftoi, "cast")
    result += pairs("itof", I, F, itof, "cast")
    result += pairs("exti", I4, I4, exti, "cast")
    result += pairs("trunci", I4, I4, trunci, "cast")
    return result + pairs("bitcast", N, N, bitcast, "cast")


def cases():
    return floats() + integers() + conversions()
