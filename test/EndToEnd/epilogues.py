# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels compute with the sums of a product before they store them: none, scaled, relu, bias, residual (added in place: inplace), silu, sigmoid, gelu, erf, tanh, softplus; several
one after the other."""

import dataclasses
import re

from matrix_kernels import values, view2d


def of(names, sums):
    """The lines of operations that `names`, joined by hyphens, say, and what they end with. Numbers are those of the line before."""
    count = 0

    def lines(*texts):
        nonlocal count, last
        made = []
        for text in texts:
            op, *operands = text.split()
            count += 1
            number = f"%u{count}"
            operands = [last if o == "x" else first if o == "c" else o if o[0] == "%" else f"%u{count - 1}" for o in operands]
            if op == "constant":
                made.append(f"{number} = constant <f32: {text.split()[1]}> : {sums}")
            else:
                made.append(f"{number} = {op} {', '.join(operands)} : {sums}")
        last = f"%u{count}"
        return made

    last = "%c"
    text = []
    for name in names:
        first = last
        if name == "relu":
            text += lines("constant 0.0", "maxf c p")
        elif name == "scaled":
            text += lines("constant 0.37", "mulf c p")
        elif name == "tanh":
            text += lines("tanh c")
        elif name == "bias":
            text += lines("addf c %bias")
        elif name in ("residual", "inplace"):
            text += lines("addf c %rest")
        elif name == "silu":
            text += ["%one = constant <f32: 1.0> : " + sums] + lines("constant -1.4427", "mulf c p", "exp2 p", "addf p %one", "divf c p")
        elif name == "sigmoid":  # x times that of x, as front ends write silu
            text += ["%one = constant <f32: 1.0> : " + sums] + lines("negf c", "exp p", "addf p %one", "divf %one p", "mulf p c")
        elif name == "softplus":
            text += ["%one = constant <f32: 1.0> : " + sums] + lines("exp c", "addf p %one", "log p")
        elif name == "gelu":  # by the hyperbolic tangent
            text += ["%one = constant <f32: 1.0> : " + sums, "%half1 = constant <f32: 0.5> : " + sums, "%cube = constant <f32: 0.044715> : " + sums, "%root = constant <f32: 0.79788456> : " + sums]
            text += lines("mulf c c", "mulf p %cube", "addf p %one", "mulf p c", "mulf p %root", "tanh p", "addf p %one", "mulf p c", "mulf p %half1")
        elif name == "erf":  # gelu by the error function, Abramowitz and Stegun 7.1.26
            text += ["%one = constant <f32: 1.0> : " + sums, "%half1 = constant <f32: 0.5> : " + sums]
            text += [f"%p{i} = constant <f32: {v}> : {sums}" for i, v in enumerate((0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429, 0.3275911, 0.70710678, 0.0))]
            text += lines("mulf c %p6")
            z = last
            text += lines(f"absf {z}")
            a = last
            text += lines(f"mulf {a} %p5", "addf p %one", "divf %one p")
            t = last
            text += lines(f"mulf {t} %p4", "addf p %p3", f"mulf p {t}", "addf p %p2", f"mulf p {t}", "addf p %p1", f"mulf p {t}", "addf p %p0", f"mulf p {t}")
            polynomial = last
            text += lines(f"mulf {z} {z}", "negf p", "exp p", f"mulf p {polynomial}", "subf %one p")
            right = last
            text += lines(f"negf {right}")
            left = last
            text.append(f"%less = cmpf less_than ordered {z}, %p7 : {sums} -> {sums.replace('xf32', 'xi1')}")
            text.append(f"%erf = select %less, {left}, {right} : {sums.replace('xf32', 'xi1')}, {sums}")
            text += lines("addf %erf %one", "mulf p c", "mulf p %half1")
        elif name != "none":
            raise ValueError(name)
    return text, last


def with_epilogue(case, name):
    """A product whose sums are stored converted (tensor_stores.converted), with `name` in between: several are joined by hyphens. Bias (a row of f32) and what is added (as it is
    stored) are further parameters."""
    names = name.split("-")
    sums = re.search(r"%half = ftof %c : (tile<[^>]*>)", case.text)[1]
    tm, tn = map(int, re.findall(r"\d+(?=x)", sums))
    body, result = of(names, sums)
    text, args, before = case.text, list(case.args), []
    stored = re.search(r"%half = ftof %c : tile<[^>]*> -> tile<\d+x\d+x(\w+)>", text)[1]
    m, n = re.search(r"out:o:\w+\[(\d+)x(\d+)\]", " ".join(args)).groups()
    aligned = "%o_p = assume" in text
    extra = []
    if "inplace" in names:
        place, view = re.search(r"store_view_tko weak %half, %o\[([^]]*)\]", text)[1], re.search(r"%o = make_partition_view %o_t : (.*)", text)[1]
        padded = re.sub(r"\), (?:padding_value = \w+, )?", "), padding_value = zero, ", view, count=1)
        before += [f"%rest_v = make_partition_view %o_t : {padded}", f"%rest_l, %tr = load_view_tko weak %rest_v[{place}] : {padded}, tile<i32> -> tile<{tm}x{tn}x{stored}>, token",
                   f"%rest = ftof %rest_l : tile<{tm}x{tn}x{stored}> -> {sums}"]
        text = text.replace(f"%o[{place}] :", f"%o[{place}] token = %tr :")
        args = [re.sub(r"out:(o:.*)=poison", rf"\1={values(stored, 33)}", arg) for arg in args]
    if "bias" in names:
        extra.append("%pbias: tile<ptr<f32>>")
        args.insert(3, f"bias:f32[1x{n}]={values('f32', 31)}")
        lines, view = view2d("bias_v", "pbias", "c1", "n", "n", 1, tn, "f32", "zero", aligned=False)
        before += [lines.rstrip(), f"%bias_l, %tb = load_view_tko weak %bias_v[%c0, %by] : {view}, tile<i32> -> tile<1x{tn}xf32>, token",
                   f"%bias = broadcast %bias_l : tile<1x{tn}xf32> -> {sums}"]
    if "residual" in names:
        extra.append(f"%prest: tile<ptr<{stored}>>")
        args.insert(3 + ("bias" in names), f"rest:{stored}[{m}x{n}]={values(stored, 32)}")
        lines, view = view2d("rest_v", "prest", "m", "n", "n", tm, tn, stored, "zero", aligned=aligned)
        before += [lines.rstrip(), f"%rest_l, %tr = load_view_tko weak %rest_v[%bx, %by] : {view}, tile<i32> -> tile<{tm}x{tn}x{stored}>, token",
                   f"%rest = ftof %rest_l : tile<{tm}x{tn}x{stored}> -> {sums}"]
    if extra:
        text = re.sub(r"(%po: tile<ptr<\w+>>)", lambda found: ", ".join([found[1], *extra]), text, count=1)
    text = text.replace("%half = ftof %c", "\n".join(before + body + [f"%half = ftof {result}"]))
    return dataclasses.replace(case, name=f"{case.name}-{name}", text=text, args=args)
