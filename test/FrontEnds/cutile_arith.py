# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element by element: arithmetic of every type, functions, comparisons, conversions, bits."""

import zlib

from cutile_case import *

FLOATS = {"f16": f16, "bf16": bf16, "f32": f32, "f64": f64}
INTEGERS = {f"{'u' if k == 'uint' else 'i'}{n}": getattr(np, f"{k}{n}") for k in ("int", "uint") for n in (8, 16, 32, 64)}
ROUNDING = {"RZ": ct.RoundingMode.RZ, "RM": ct.RoundingMode.RM, "RP": ct.RoundingMode.RP, "RN": ct.RoundingMode.RN}
EPS = {"f16": 2.0 ** -10, "bf16": 2.0 ** -7, "f32": 2.0 ** -22, "f64": 2.0 ** -51}
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, -2.5, 3.5, 2.0, -0.75]


def rng(name):
    return np.random.default_rng(zlib.crc32(name.encode()))


def floats(name, dtype, lo=-4, hi=4, n=300, special=True):
    x = rng(name).uniform(lo, hi, n)
    if special:
        x[:len(SPECIAL)] = SPECIAL
    return x.astype(dtype)


def integers(name, dtype, n=300, lo=None, hi=None):
    info = np.iinfo(dtype)
    x = rng(name).integers(info.min if lo is None else lo, info.max if hi is None else hi, n, dtype, endpoint=True)
    if lo is None and hi is None:
        x[:4] = [info.min, info.max, 0, 1]
    return x


def case(name, inputs, expression, want, dtype, tolerance=0, tile=128, **names):
    """One result of one shape with the inputs, a dictionary."""
    n = next(iter(inputs.values())).size
    arguments = [Array(x) for x in inputs.values()] + [out(n, dtype), Const(tile)]
    return Case(name, elementwise(inputs, expression, **names), (-(-n // tile),), arguments, {len(inputs): (want, tolerance)})


def refused(name, inputs, expression, dtype, words, **names):
    """What the front end makes of it is no valid module: the diagnostic says so."""
    made = case(name, inputs, expression, np.zeros(next(iter(inputs.values())).size), dtype, **names)
    made.expected, made.refuses = {}, words
    return made


# Name, argument range, NumPy's function, absolute tolerance in units of eps beside the relative one.
FUNCTIONS = [("exp", -8, 8, np.exp), ("exp2", -8, 8, np.exp2), ("log", 0, 50, np.log), ("log2", 0, 50, np.log2), ("sqrt", 0, 50, np.sqrt),
             ("rsqrt", 0, 50, lambda x: 1 / np.sqrt(x)), ("sin", -30, 30, np.sin), ("cos", -30, 30, np.cos), ("tan", -1.5, 1.5, np.tan),
             ("sinh", -5, 5, np.sinh), ("cosh", -5, 5, np.cosh), ("tanh", -5, 5, np.tanh), ("floor", -50, 50, np.floor),
             ("ceil", -50, 50, np.ceil), ("abs", -50, 50, np.abs), ("negative", -50, 50, np.negative)]


def functions():
    for name, lo, hi, numpy in FUNCTIONS:
        for t, dtype in FLOATS.items():
            x = floats(name + t, dtype, lo, hi)
            with np.errstate(all="ignore"):
                want = numpy(x.astype(f64))
            exact = name in ("floor", "ceil", "abs", "negative")
            yield case(f"{name}-{t}", {"x": x}, f"ct.{name}(x)", want.astype(dtype), dtype, "bits" if exact else (4 * EPS[t], EPS[t]))
    for t, dtype in FLOATS.items():
        x = floats("isnan" + t, dtype)
        yield case(f"isnan-{t}", {"x": x}, "ct.isnan(x)", np.isnan(x.astype(f64)), np.bool_)
    x = floats("variants", f32, 0.001, 30, special=False)
    w = x.astype(f64)
    for name, expression, want, relative in (
            ("exp-approx", "ct.exp(x, rounding_mode=M)", np.exp(w), 1e-5), ("tanh-approx", "ct.tanh(x, rounding_mode=M)", np.tanh(w), 1e-3),
            ("sqrt-approx", "ct.sqrt(x, rounding_mode=M)", np.sqrt(w), 1e-6), ("div-approx", "ct.truediv(1.0, x, rounding_mode=M)", 1 / w, 1e-6)):
        yield case(name, {"x": x}, expression, want, f32, (relative, 0), M=ct.RoundingMode.APPROX)
    for name, expression, want in (("exp-full", "ct.exp(x, rounding_mode=M)", np.exp(w)), ("tanh-full", "ct.tanh(x, rounding_mode=M)", np.tanh(w)),
                                   ("div-full", "ct.truediv(1.0, x, rounding_mode=M)", 1 / w)):
        yield case(name, {"x": x}, expression, want, f32, (1e-6, 0), M=ct.RoundingMode.FULL)
    tiny = np.concatenate([x[:64], np.ldexp(x[:64].astype(f64), -130).astype(f32), -np.ldexp(x[:64].astype(f64), -130).astype(f32)])
    for name, expression in (("exp2", "ct.exp2(x, flush_to_zero=True)"), ("sqrt", "ct.sqrt(ct.abs(x), flush_to_zero=True)"),
                             ("rsqrt", "ct.rsqrt(ct.abs(x) + 1.0, flush_to_zero=True)")):
        flushed = np.where(np.abs(tiny) < 2.0 ** -126, 0, tiny).astype(f64)
        want = {"exp2": np.exp2(flushed), "sqrt": np.sqrt(np.abs(flushed)), "rsqrt": 1 / np.sqrt(np.abs(flushed) + 1)}[name]
        yield case(f"{name}-ftz", {"x": tiny}, expression, want, f32, (1e-6, 0))
    for t, dtype in FLOATS.items():
        y, x = floats("atan2y" + t, dtype, special=False), floats("atan2x" + t, dtype, special=False)
        yield case(f"atan2-{t}", {"y": y, "x": x}, "ct.atan2(y, x)", np.arctan2(y.astype(f64), x.astype(f64)), dtype, (4 * EPS[t], EPS[t]))
        b, e = floats("powb" + t, dtype, 0.1, 4, special=False), floats("powe" + t, dtype, -3, 3, special=False)
        yield case(f"pow-{t}", {"b": b, "e": e}, "ct.pow(b, e)", (b.astype(f64) ** e.astype(f64)).astype(dtype), dtype, (8 * EPS[t], EPS[t]))
        whole = integers("powi" + t, np.int32, lo=-5, hi=5)
        yield case(f"powi-{t}", {"b": b, "e": whole}, "b ** e", (b.astype(f64) ** whole).astype(dtype), dtype, (16 * EPS[t], EPS[t]))
    # The exact cases of pow, and both signs of its base.
    b = np.array([2, -2, 0, -0.0, 1, -1, 10, np.inf, -np.inf, -3, 4, 0.5, -0.5, 7, 9, 16], f32).repeat(8)
    e = np.tile(np.array([0, 1, -1, 2, -3, 0.5, np.inf, 3], f32), 16)
    with np.errstate(all="ignore"):
        yield case("pow-special", {"b": b, "e": e}, "b ** e", np.power(b.astype(f64), e.astype(f64)), f32, (1e-6, 0))


def rounded_binary():
    operations = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide}
    for t, dtype in FLOATS.items():
        x, y = floats("rx" + t, dtype), floats("ry" + t, dtype)[::-1].copy()
        for name, numpy in operations.items():
            with np.errstate(all="ignore"):
                want = numpy(x, y) if t == "f64" else numpy(x.astype(np.longdouble), y.astype(np.longdouble)).astype(f64)
                if t != "f64":
                    want = quantise(want, t)
            yield case(f"{name}-{t}", {"x": x, "y": y}, f"ct.{name}(x, y)", want, dtype, "bits")
    x, y = floats("dx", f32, special=False), floats("dy", f32, special=False)
    tiny, tiny2 = (np.ldexp(v.astype(f64), -127).astype(f32) for v in (x, y))
    for name, numpy in operations.items():
        for mode in ("RZ", "RM", "RP"):
            exact = numpy(x.astype(np.longdouble), y.astype(np.longdouble))
            # Rounding twice, first to f64, is harmless here except where f64 falls on a neighbour: keep the direction.
            wide = exact.astype(f64)
            wide = np.where(wide > exact, np.nextafter(wide, -np.inf), wide) if mode != "RP" else np.where(wide < exact, np.nextafter(wide, np.inf), wide)
            if mode == "RZ":
                wide = np.where((exact < 0) & (exact.astype(f64) != exact), np.where(exact.astype(f64) < exact, np.nextafter(exact.astype(f64), np.inf), exact.astype(f64)), wide)
            yield case(f"{name}-{mode}", {"x": x, "y": y}, f"ct.{name}(x, y, rounding_mode=M)", quantise(wide, "f32", mode), f32, "bits", M=ROUNDING[mode])
        flush = lambda v: np.where(np.abs(v) < 2.0 ** -126, np.copysign(0, v), v)
        a, b = (tiny, y) if name in ("mul", "truediv") else (tiny, tiny2)
        with np.errstate(all="ignore"):
            want = flush(quantise(numpy(flush(a.astype(f64)), flush(b.astype(f64))), "f32"))
        yield case(f"{name}-ftz", {"x": a, "y": b}, f"ct.{name}(x, y, flush_to_zero=True)", want, f32, 0)
    r = np.abs(floats("sqrtm", f32, special=False))
    for mode in ("RZ", "RM", "RP"):
        yield case(f"sqrt-{mode}", {"x": r}, "ct.sqrt(x, rounding_mode=M)", quantise(np.sqrt(r.astype(f64)), "f32", mode), f32, "bits", M=ROUNDING[mode])


def minima_and_comparisons():
    compare = {"greater": np.greater, "greater_equal": np.greater_equal, "less": np.less, "less_equal": np.less_equal, "equal": np.equal,
               "not_equal": np.not_equal}
    for t, dtype in {**FLOATS, **INTEGERS}.items():
        whole = t not in FLOATS
        x, y = (integers("cx" + t, dtype), integers("cy" + t, dtype)) if whole else (floats("cx" + t, dtype), floats("cy" + t, dtype)[::-1].copy())
        y[::7] = x[::7]
        text = "\n".join(["x = ct.load(x_, (ct.bid(0),), (T,))", "y = ct.load(y_, (ct.bid(0),), (T,))"] +
                         [f"ct.store({n}_, (ct.bid(0),), ct.{n}(x, y))" for n in compare])
        kernel = ct.kernel(function("x_, y_, " + ", ".join(n + "_" for n in compare) + ", T: ct.Constant[int]", text))
        wx, wy = (x, y) if whole else (x.astype(f64), y.astype(f64))
        yield Case(f"compare-{t}", kernel, (3,), [Array(x), Array(y)] + [out(300, np.bool_) for _ in compare] + [Const(128)],
                   {i + 2: (f(wx, wy), 0) for i, f in enumerate(compare.values())})
        for name, numpy, propagate in (("minimum", np.fmin, np.minimum), ("maximum", np.fmax, np.maximum)):
            yield case(f"{name}-{t}", {"x": x, "y": y}, f"ct.{name}(x, y)", numpy(wx, wy), dtype)
            if not whole:
                yield case(f"{name}-nan-{t}", {"x": x, "y": y}, f"ct.{name}(x, y, propagate_nan=True)", propagate(wx, wy), dtype)
    x, y = np.array([0.0, -0.0, 0.0, -0.0] * 8, f32), np.array([-0.0, 0.0, 0.0, -0.0] * 8, f32)
    yield case("maximum-zeros", {"x": x, "y": y}, "ct.maximum(x, y)", [0.0, 0.0, 0.0, -0.0] * 8, f32, "bits", tile=32)
    yield case("minimum-zeros", {"x": x, "y": y}, "ct.minimum(x, y)", [-0.0, -0.0, 0.0, -0.0] * 8, f32, "bits", tile=32)
    tiny = np.ldexp(floats("mmftz", f32, special=False).astype(f64), -128).astype(f32)
    flush = np.where(np.abs(tiny) < 2.0 ** -126, 0, tiny)
    yield case("maximum-ftz", {"x": tiny, "y": -tiny}, "ct.maximum(x, y, flush_to_zero=True)", np.maximum(flush, -flush), f32)


def whole_numbers():
    for t, dtype in INTEGERS.items():
        x, y = integers("ix" + t, dtype), integers("iy" + t, dtype)
        divisor = np.where(y == 0, 1, y).astype(dtype)
        if t[0] == "i":
            divisor = np.where((divisor == -1) & (x == np.iinfo(dtype).min), 1, divisor).astype(dtype)
        bits = np.dtype(dtype).itemsize * 8
        shift = integers("is" + t, dtype, lo=0, hi=bits - 1)
        small = np.abs(integers("ik" + t, dtype, lo=1, hi=9))
        if t[0] == "u":
            # cuTile 1.7 makes a divi of this that the public verifier does not allow.
            yield refused(f"floordiv-{t}", {"x": x, "d": divisor}, "x // d", dtype, "rounding mode 'negative_inf' is not allowed with 'unsigned' flag")
        with np.errstate(all="ignore"):
            rows = [("add", "x + y", x + y), ("sub", "x - y", x - y), ("mul", "x * y", x * y), ("floordiv", "x // d" if t[0] == "i" else "ct.cdiv(x - x % d, d)", x // divisor),
                    ("mod", "x % d", x % divisor), ("and", "x & y", x & y), ("or", "x | y", x | y), ("xor", "x ^ y", x ^ y),
                    ("shl", "x << s", x << shift), ("shr", "x >> s", x >> shift), ("not", "~x", ~x), ("neg", "-x", (0 - x).astype(dtype)),
                    ("cdiv", "ct.cdiv(ct.maximum(x, 0) >> 1, k)", -(-(np.maximum(x, 0) // 2).astype(object) // small.astype(object))),
                    ("const", "(x + 3) * 5 - (7 & x)", (x + dtype(3)) * dtype(5) - (dtype(7) & x))]
            if t[0] == "i":
                rows.append(("abs", "ct.abs(ct.maximum(x, -100))", np.abs(np.maximum(x, -100))))
        text = [f"{n} = ct.load({n}_, (ct.bid(0),), (T,))" for n in "xydsk"]
        text += [f"ct.store(r{i}, (ct.bid(0),), {e})" for i, (_, e, _) in enumerate(rows)]
        if t[0] == "i":
            text += ["q, r = divmod(x, d)", f"ct.store(r{len(rows)}, (ct.bid(0),), q)", f"ct.store(r{len(rows) + 1}, (ct.bid(0),), r)"]
            rows += [("", "", x // divisor), ("", "", x % divisor)]
        kernel = ct.kernel(function("x_, y_, d_, s_, k_, " + ", ".join(f"r{i}" for i in range(len(rows))) + ", T: ct.Constant[int]", "\n".join(text)))
        wants = [w for _, _, w in rows]
        yield Case(f"whole-{t}", kernel, (3,), [Array(v) for v in (x, y, divisor, shift, small)] + [out(300, dtype) for _ in wants] + [Const(128)],
                   {5 + i: (np.asarray(w).astype(dtype), 0) for i, w in enumerate(wants)})
    b = rng("bools").integers(0, 2, (2, 300)).astype(bool)
    x, y = b[0].copy(), b[1].copy()
    yield case("bool", {"x": x, "y": y}, "(x & y) ^ (x | ~y)", (x & y) ^ (x | ~y), np.bool_)
    yield case("bool-sum", {"x": x, "y": y}, "x.astype(ct.int32) + y.astype(ct.int32) * 2", x + y * 2, np.int32)
    for t in ("f16", "bf16", "f32"):
        p, q = floats("fd" + t, FLOATS[t], -50, 50, special=False), floats("fq" + t, FLOATS[t], 1, 7, special=False)
        exact = p.astype(f64) / q.astype(f64)
        want = np.floor(quantise(exact, t))
        yield case(f"floordiv-{t}", {"x": p, "y": q}, "x // y", want, FLOATS[t], (0, 1.0))
        yield case(f"mod-{t}", {"x": p, "y": q}, "x % y", np.mod(p.astype(f64), q.astype(f64)), FLOATS[t], (4 * EPS[t], 8 * EPS[t]))


def mixed_types():
    i, u, h, s = (integers("mi", np.int32, lo=-1000, hi=1000), integers("mu", np.uint8), floats("mh", f16, special=False),
                  floats("ms", f32, special=False))
    yield case("i32+f32", {"i": i, "s": s}, "i + s", i.astype(f32) + s, f32, 1e-3)
    yield case("u8*f16", {"u": u, "h": h}, "u * h", (u.astype(f16) * h), f16, (2e-3, 0))
    yield case("i32+u8", {"i": i, "u": u}, "i + u.astype(ct.int32)", i + u, np.int32)
    yield case("f16+f32", {"h": h, "s": s}, "h + s", h.astype(f32) + s, f32, 1e-6)
    yield case("i32-by-i32", {"i": i}, "i / 7", i.astype(f32) / f32(7), f32, (1e-6, 0))
    yield case("where", {"i": i, "s": s}, "ct.where(i > 0, s, -s)", np.where(i > 0, s, -s), f32)
    yield case("where-const", {"i": i}, "ct.where((i > 0) & (i < 500), i, -1)", np.where((i > 0) & (i < 500), i, -1), np.int32)
    yield case("fma", {"s": s, "i": i}, "s * 2.5 + i", s.astype(f64) * 2.5 + i, f32, (1e-6, 1e-4))
    for t, dtype in {**FLOATS, **INTEGERS}.items():
        x = integers("w" + t, dtype) if t in INTEGERS else floats("w" + t, dtype)
        yield case(f"where-{t}", {"i": i, "x": x}, "ct.where(i % 3 == 0, x, ct.zeros((T,), x.dtype))", np.where(i % 3 == 0, x, dtype(0)), dtype)


CT = {"f64": ct.float64, "f32": ct.float32, "tf32": ct.tfloat32, "bf16": ct.bfloat16, "f16": ct.float16, "e5m2": ct.float8_e5m2,
      "e4m3": ct.float8_e4m3fn}
STORED = {"f64": f64, "f32": f32, "tf32": f32, "bf16": bf16, "f16": f16, "e5m2": e5m2, "e4m3": e4m3}
MODES = {"RZ": ct.RoundingMode.RZ, "RM": ct.RoundingMode.RM, "RP": ct.RoundingMode.RP, "RA": ct.RoundingMode.RA}


def conversions():
    for a, stored in STORED.items():
        top = min(largest(a), 1e30)
        x = rng("conv" + a).uniform(-1, 1, 600) * np.exp2(rng("conve" + a).uniform(-12, 8, 600))
        x[:16] = [0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 1.5, 448, 464, 480, -57344, 61440, 2.0 ** -10, top, 65504]
        x = quantise(x, a)
        x = x.astype(stored)
        exact = x.astype(f64)
        for b in STORED:
            if a == b or "tf32" in (a, b) and {a, b} != {"tf32", "f32"}:
                continue
            load = "x.astype(A)" if a == "tf32" else "x"
            store = "(" + load + ").astype(B)" + (".astype(ct.float32)" if b == "tf32" else "")
            yield case(f"to-{a}-{b}", {"x": x}, store, quantise(exact, b, saturate=b in ("e4m3", "e5m2") or None), STORED[b], "bits", A=CT[a], B=CT[b])
        for t in INTEGERS:
            info = np.iinfo(INTEGERS[t])
            y = np.clip(np.where(np.isfinite(exact), exact, 3), max(-30000, float(info.min)), min(30000.0, float(info.max)))
            y = quantise(y, a, "RZ").astype(stored)
            if a != "tf32":
                yield case(f"to-{a}-{t}", {"x": y}, "x.astype(B)", np.trunc(y.astype(f64)), INTEGERS[t], B=DTYPES[np.dtype(INTEGERS[t])])
                z = integers(f"from{t}{a}", INTEGERS[t])
                if a in ("e4m3", "e5m2"):  # what is too large is nobody's word
                    z = integers(f"from{t}{a}", INTEGERS[t], lo=max(info.min, -440), hi=min(info.max, 440))
                want = quantise(z.astype(f64), a) if t not in ("i64", "u64") or a == "f64" else None
                if want is not None:
                    yield case(f"to-{t}-{a}", {"x": z}, "x.astype(B)", want, stored, B=CT[a])
        yield case(f"to-{a}-bool", {"x": x}, "x.astype(B)" if a != "tf32" else "x.astype(A).astype(B)", x.astype(f64) != 0, np.bool_, A=CT[a], B=ct.bool_)
    for t, dtype in INTEGERS.items():
        x = integers("ii" + t, dtype)
        for u, other in INTEGERS.items():
            if t != u:
                yield case(f"to-{t}-{u}", {"x": x}, "x.astype(B)", x.astype(other), other, B=DTYPES[np.dtype(other)])


def rounded_conversions():
    """Every row of the table of rounding modes that the front end has (13.4)."""
    from cuda.tile._ir.ops_utils import FTOF_ROUNDING_REGISTRY
    names = {v: k for k, v in CT.items()}
    for (source, target), modes in FTOF_ROUNDING_REGISTRY.items():
        a, b = names.get(source), names.get(target)
        if not a or not b or a == b:
            continue
        x = rng("rc" + a).uniform(-1, 1, 256) * np.exp2(rng("rce" + a).uniform(-20, 12, 256))
        x = quantise(x, a, saturate=True).astype(STORED[a])
        for name, mode in MODES.items():
            if mode not in modes:
                continue
            load = "x.astype(A)" if a == "tf32" else "x"
            if a == "bf16" and b == "f16" and name != "RZ":  # in cuTile's table, but not in that of the specification
                yield refused(f"to-{a}-{b}-{name}", {"x": x}, "ct.astype(x, B, rounding_mode=M)", f16, "invalid rounding mode specified", B=CT[b], M=mode)
                continue
            store = f"ct.astype({load}, B, rounding_mode=M)" + (".astype(ct.float32)" if b == "tf32" else "")
            yield case(f"to-{a}-{b}-{name}", {"x": x}, store, quantise(x.astype(f64), b, name), STORED[b], 0, A=CT[a], B=CT[b], M=mode)
    # Powers of two: up, and toward zero.
    for a in ("f32", "bf16", "f16", "f64"):
        x = (np.abs(rng("e8" + a).uniform(0.01, 4, 128)) * np.exp2(rng("e8e" + a).integers(-8, 8, 128))).astype(STORED[a])
        for name, round_ in (("RZ", np.floor), ("RP", np.ceil)):
            yield case(f"to-{a}-e8m0-{name}", {"x": x}, "ct.astype(x, B, rounding_mode=M)", np.exp2(round_(np.log2(x.astype(f64)))), e8m0, 0, B=ct.float8_e8m0fnu, M=MODES[name])
    p = np.exp2(rng("e8back").integers(-20, 15, 128).astype(f64)).astype(e8m0)
    for b in ("f32", "bf16", "f16", "f64"):
        yield case(f"to-e8m0-{b}", {"x": p}, "x.astype(B)", quantise(p.astype(f64), b), STORED[b], B=CT[b])


def bits():
    same = {8: ("i8", "u8", "e4m3", "e5m2"), 16: ("i16", "u16", "f16", "bf16"), 32: ("i32", "u32", "f32"), 64: ("i64", "u64", "f64")}
    types = {**INTEGERS, **{k: v for k, v in STORED.items() if k != "tf32"}}
    for size, names in same.items():
        raw = rng(f"bits{size}").integers(0, 256, 300 * size // 8).astype(np.uint8)
        for a in names:
            for b in names:
                if a != b:
                    x = raw.view(types[a]).copy()
                    unsigned = INTEGERS[f"u{size}"]
                    expression = "ct.bitcast(ct.bitcast(x, B), U)" if f"u{size}" not in (b,) else "ct.bitcast(x, B)"
                    yield case(f"bitcast-{a}-{b}", {"x": x}, expression, x.view(unsigned), unsigned, B=DTYPES[np.dtype(types[b])], U=DTYPES[np.dtype(unsigned)])
    for t in ("i16", "i32", "i64", "f16", "f32", "bf16", "f64", "e4m3", "u8"):
        dtype = types[t]
        width = np.dtype(dtype).itemsize
        raw = rng("pack" + t).integers(0, 256, 128 * width).astype(np.uint8)
        x = raw.view(dtype).copy()
        unpack = ct.kernel(function("x_, r_", "x = ct.load(x_, (0,), (N,))\nct.store(r_, (0,), ct.bitcast(ct.unpack_from_bytes(x, D), U))", N=128 * width,
                                    D=DTYPES[np.dtype(dtype)], U=DTYPES[np.dtype(INTEGERS[f"u{8 * width}"])]))
        if t != "u8":
            pack = ct.kernel(function("x_, r_", "x = ct.load(x_, (0,), (128,))\nct.store(r_, (0,), ct.pack_to_bytes(x))"))
            yield Case(f"pack-{t}", pack, (1,), [Array(x), out(128 * width, np.uint8)], {1: (raw, 0)})
            yield Case(f"unpack-{t}", unpack, (1,), [Array(raw), out(128, INTEGERS[f"u{8 * width}"])], {1: (x.view(INTEGERS[f"u{8 * width}"]), 0)})
    # Four bits: two to a byte, the first in the low half.
    raw = rng("fp4").integers(0, 256, 128).astype(np.uint8)
    codes = np.stack([raw & 15, raw >> 4], 1).reshape(-1)
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])[codes]
    for t in ("f32", "f16", "bf16"):
        kernel = ct.kernel(function("x_, r_", "x = ct.load(x_, (0,), (128,))\nct.store(r_, (0,), ct.unpack_from_bytes(x, ct.float4_e2m1fn).astype(D))", D=CT[t]))
        yield Case(f"fp4-{t}", kernel, (1,), [Array(raw), out(256, STORED[t])], {1: (values, "bits")})
        x = quantise(rng("tofp4" + t).uniform(-8, 8, 256), t).astype(STORED[t])
        nearest = quantise(x.astype(f64), "e2m1")
        code = np.array([np.argmin(np.abs(np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6]) - abs(v))) for v in nearest]) | np.where(np.signbit(nearest), 8, 0)
        kernel = ct.kernel(function("x_, r_", "x = ct.load(x_, (0,), (256,))\nct.store(r_, (0,), ct.pack_to_bytes(x.astype(ct.float4_e2m1fn)))"))
        yield Case(f"{t}-fp4", kernel, (1,), [Array(x), out(128, np.uint8)], {1: ((code[::2] | code[1::2] << 4).astype(np.uint8), 0)})


def cases():
    for group in (functions, rounded_binary, minima_and_comparisons, whole_numbers, mixed_types, conversions, rounded_conversions, bits):
        yield from group()
