# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions and scans whose identity is not one for every value: NaNs in a maximum in which they lose, -0 in a sum from +0.

The definition (docs/architecture.md): result k is body(... body(body(identity, x0), x1) ..., xk). Rows begin with 0, 1, 2, ... of the odd
values or consist of them; results are compared as bits, NaNs being one of them.
"""

from kernels import Case, module, tile
from kernels_memory import pointers

BITS = {"f16": ("i16", "0x7C00", "0xFC00", "0x7E00"), "bf16": ("i16", "0x7F80", "0xFF80", "0x7FC0"),
        "f32": ("i32", "0x7F800000", "0xFF800000", "0x7FC00000"), "f64": ("i64", "0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000")}


def aggregate(kind, operations, t, shape, dim, odd="nan", reverse=False, identities=None):
    """kind: reduce or scan; one operation per operand, e.g. "maxf", "minf propagate_nan", "addf". The operands are x and -x in turn."""
    size, v = 1, tile(shape, t)
    for extent in shape:
        size *= extent
    flat, iv, im = tile([size], t), tile([size], "i32"), tile([size], "i1")
    integer, inf, minus_inf, nan = BITS.get(t, (t, None, None, None))
    inner = 1
    for extent in shape[dim + 1:]:
        inner *= extent
    body = f"%i = iota : {iv}\n" + pointers("p", "a", "i", [size], t)
    body += f"%x, %t0 = load_ptr_tko weak %p : {tile([size], f'ptr<{t}>')} -> {flat}, token\n"
    if t in BITS:
        # The position along the axis, from the end where the scan is; the row, all other positions.
        body += f"%cn = constant <i32: {inner}> : {iv}\n%cl = constant <i32: {shape[dim]}> : {iv}\n%cnl = constant <i32: {inner * shape[dim]}> : {iv}\n"
        body += f"%q0 = divi %i, %cn signed : {iv}\n%k0 = remi %q0, %cl signed : {iv}\n%cl1 = constant <i32: {shape[dim] - 1}> : {iv}\n"
        body += f"%k = subi %cl1, %k0 : {iv}\n" if reverse else f"%zero32 = constant <i32: 0> : {iv}\n%k = addi %k0, %zero32 : {iv}\n"
        body += f"%outer = divi %i, %cnl signed : {iv}\n%outer1 = muli %outer, %cn : {iv}\n%n1 = remi %i, %cn signed : {iv}\n%row = addi %outer1, %n1 : {iv}\n"
        # Of every six rows one begins with 0, 1, ... 4 odd values; the sixth has nothing else.
        body += f"%six = constant <i32: 6> : {iv}\n%five = constant <i32: 5> : {iv}\n%r6 = remi %row, %six signed : {iv}\n"
        body += f"%some = cmpi less_than %k, %r6, signed : {iv} -> {im}\n%all = cmpi equal %r6, %five, signed : {iv} -> {im}\n%isodd = ori %some, %all : {im}\n"
        body += f"%odd = constant <{t}: {nan if odd == 'nan' else '-0.0'}> : {flat}\n%m = select %isodd, %odd, %x : {im}, {flat}\n"
        negate = "negf %m"
    else:
        body += f"%zero = constant <{t}: 0> : {flat}\n%m = addi %x, %zero : {flat}\n"
        negate = "subi %zero, %m"
    sources = []
    for n, _ in enumerate(operations):
        if n % 2:
            body += f"%m{n} = {negate} : {flat}\n%v{n} = reshape %m{n} : {flat} -> {v}\n"
        else:
            body += f"%v{n} = reshape %m : {flat} -> {v}\n"
        sources.append(f"%v{n}")
    default = {"maxf": minus_inf, "minf": inf, "addf": "0.0", "mulf": "1.0", "addi": "0", "maxi": "0", "xori": "0"}
    names = [o.split()[0] for o in operations]
    values = ", ".join(f"{i} : {t}" for i in (identities or [default[n] for n in names]))
    kept = [e for d, e in enumerate(shape) if d != dim] if kind == "reduce" else shape
    count = size // shape[dim] if kind == "reduce" else size
    types, results = ", ".join([v] * len(names)), ", ".join([tile(kept, t)] * len(names))
    elements = ", ".join(f"%e{n}: tile<{t}>, %c{n}: tile<{t}>" if kind == "reduce" else f"%c{n}: tile<{t}>, %e{n}: tile<{t}>" for n in range(len(names)))
    inside = "".join(f"  %u{n} = {o.split()[0]} %c{n}, %e{n}{''.join(' ' + w for w in o.split()[1:])} : tile<{t}>\n" for n, o in enumerate(operations))
    flag = f" reverse={'true' if reverse else 'false'}" if kind == "scan" else ""
    head = "%y" if len(names) == 1 else f"%y:{len(names)}"
    body += (f"{head} = {kind} {', '.join(sources)} dim={dim}{flag} identities=[{values}] : {types} -> {results}\n({elements}) {{\n{inside}"
             f"  yield {', '.join(f'%u{n}' for n in range(len(names)))} : {', '.join([f'tile<{t}>'] * len(names))}\n}}\n")
    out = tile([count], integer)
    body += f"%j = iota : {tile([count], 'i32')}\n"
    for n in range(len(names)):
        y = "%y" if len(names) == 1 else f"%y#{n}"
        f = tile([count], t)
        body += f"%f{n} = reshape {y} : {tile(kept, t)} -> {f}\n"
        if t in BITS:
            body += f"%nan{n} = constant <{t}: {nan}> : {f}\n%is{n} = cmpf not_equal unordered %f{n}, %f{n} : {f} -> {tile([count], 'i1')}\n"
            body += f"%g{n} = select %is{n}, %nan{n}, %f{n} : {tile([count], 'i1')}, {f}\n%h{n} = bitcast %g{n} : {f} -> {out}\n"
        else:
            body += f"%hz{n} = constant <{t}: 0> : {f}\n%h{n} = addi %f{n}, %hz{n} : {f}\n"
        body += pointers(f"w{n}", f"o{n}", "j", [count], integer)
        body += f"%s{n} = store_ptr_tko weak %w{n}, %h{n} : {tile([count], f'ptr<{integer}>')}, {out} -> token\n"
    params = f"%a: tile<ptr<{t}>>, " + ", ".join(f"%o{n}: tile<ptr<{integer}>>" for n in range(len(names)))
    name = "-".join([f"identity-{kind}", "+".join(o.replace(" ", "_") for o in operations), t, "x".join(map(str, shape)), f"d{dim}", odd] +
                    (["reverse"] if reverse else []) + (["given"] if identities else []))
    # Whole numbers: sums and products are exact in every order.
    values = "integers(lo=-2,hi=2,seed=61)" if t in BITS else "random(lo=-50,hi=50,seed=61)"
    return Case(name, module("aggregate", params, body), "aggregate", (1, 1, 1),
                [f"a:{t}[{size}]={values}"] + [f"out:o{n}:{integer}[{count}]=poison" for n in range(len(names))])


def cases():
    result = []
    for t in BITS:
        result += [aggregate("scan", ["maxf"], t, [8, 32], 1), aggregate("reduce", ["minf"], t, [64, 8], 0)]
    for t in ("f16", "f32"):
        result += [aggregate("scan", ["minf"], t, [32, 8], 0, reverse=True), aggregate("scan", ["maxf propagate_nan"], t, [8, 32], 1, reverse=True),
                   aggregate("scan", ["addf"], t, [8, 8], 1, "zero"), aggregate("reduce", ["addf"], t, [8, 16], 1, "zero"),
                   aggregate("scan", ["maxf", "minf propagate_nan"], t, [8, 32], 1), aggregate("reduce", ["minf", "maxf propagate_nan"], t, [8, 32], 1)]
    result += [aggregate("scan", ["maxf"], "f32", shape, dim, reverse=reverse) for shape, dim, reverse in
               (([1024], 0, False), ([8, 1], 1, False), ([8, 1], 1, True), ([8, 256], 1, True), ([256, 8], 0, False), ([2, 16, 4], 1, True), ([8, 2], 1, False))]
    result += [aggregate("reduce", ["maxf"], "f32", shape, dim) for shape, dim in (([8, 1], 1), ([8, 256], 1), ([256, 8], 0), ([2, 16, 4], 1))]
    result += [aggregate(kind, ["addf"], "f32", [8, 64], 1, "zero", identities=["-0.0"]) for kind in ("scan", "reduce")]
    result += [aggregate(kind, ["mulf"], "f32", [8, 4], 1, "zero") for kind in ("scan", "reduce")]
    # The identity counts once, even where it is none.
    result += [aggregate(kind, ["addi", "maxi signed", "xori"], t, [8, 32], 1, identities=["5", "7", "9"]) for kind, t in (("scan", "i8"), ("reduce", "i16"), ("scan", "i32"), ("reduce", "i64"))]
    result += [aggregate("scan", ["addi"], "i32", [8, 128], 1, reverse=True, identities=["-3"]), aggregate("scan", ["maxi signed"], "i64", [128, 4], 0, identities=["11"])]
    return result
