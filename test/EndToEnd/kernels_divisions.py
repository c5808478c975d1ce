# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Divisions and remainders by powers of two, of all kinds of rounding, where tileaa-simplify-divisions makes shifts of them."""

from kernels import Case, module, tile
from kernels_memory import pointers

ROUNDINGS = ["signed", "signed rounding<negative_inf>", "signed rounding<positive_inf>", "unsigned", "unsigned rounding<positive_inf>"]


def divisions(t, promised):
    """One tile of numbers, half of which have zeros below and every sign and size, the least number among them, divided by 1, 2, 16
    and a quarter of the range. promised: all are shifted by what they are divided by, which the compiler knows."""
    bits, size = int(t[1:]), 512
    vector, flags = tile([size], t), tile([size], "i1")
    body = f"%i = iota : {tile([size], 'i32')}\n" + pointers("p", "a", "i", [size], t)
    body += f"%x0, %t0 = load_ptr_tko weak %p : {tile([size], f'ptr<{t}>')} -> {vector}, token\n"
    body += f"%n = {'bitcast' if bits == 32 else 'exti' if bits > 32 else 'trunci'} %i {'signed ' if bits > 32 else ''}: {tile([size], 'i32')} -> {vector}\n" if bits != 32 else ""
    number = "%i" if bits == 32 else "%n"
    body += f"%high = constant <{t}: {bits - 8}> : {vector}\n%edges = shli {number}, %high : {vector}\n"
    body += f"%two = constant <{t}: 2> : {vector}\n%parity = remi {number}, %two unsigned : {vector}\n%zero = constant <{t}: 0> : {vector}\n"
    body += f"%even = cmpi equal %parity, %zero, signed : {vector} -> {flags}\n%x = select %even, %edges, %x0 : {flags}, {vector}\n"
    # A quotient divided again, by turns one that leaves nothing and one that does.
    body += f"%c3 = constant <{t}: 8> : {vector}\n%l3 = constant <{t}: 3> : {vector}\n%e0 = shli %x, %l3 : {vector}\n%e1 = divi %e0, %c3 signed : {vector}\n"
    body += f"%f0 = divi %x0, %two signed rounding<negative_inf> : {vector}\n%f1 = remi %f0, %c3 signed : {vector}\n%f2 = divi %f0, %c3 signed : {vector}\n"
    stored = ["%e1", "%f0", "%f1", "%f2"]
    for log in (0, 1, 4, bits - 2):
        body += f"%c{log} = constant <{t}: {1 << log}> : {vector}\n%l{log} = constant <{t}: {log}> : {vector}\n"
        body += f"%y{log} = shli %x, %l{log} : {vector}\n" if promised else ""
        value = f"%y{log}" if promised else "%x"
        for k, rounding in enumerate(ROUNDINGS):
            body += f"%q{log}_{k} = divi {value}, %c{log} {rounding} : {vector}\n"
            stored.append(f"%q{log}_{k}")
        for k, sign in enumerate(("signed", "unsigned")):
            body += f"%r{log}_{k} = remi {value}, %c{log} {sign} : {vector}\n"
            stored.append(f"%r{log}_{k}")
    for k, value in enumerate(stored):
        body += f"%k{k} = constant <i32: {k * size}> : {tile([size], 'i32')}\n%at{k} = addi %i, %k{k} : {tile([size], 'i32')}\n"
        body += pointers(f"o{k}", "b", f"at{k}", [size], t)
        body += f"%s{k} = store_ptr_tko weak %o{k}, {value} : {tile([size], f'ptr<{t}>')}, {vector} -> token\n"
    text = module("divide", f"%a: tile<ptr<{t}>>, %b: tile<ptr<{t}>>", body)
    lo = -(1 << min(bits, 62) - 1)
    return Case(f"divisions-{t}" + ("-exact" if promised else ""), text, "divide", (1, 1, 1),
                [f"a:{t}[{size}]=random(lo={lo},hi={-lo - 1},seed=11)", f"out:b:{t}[{len(stored) * size}]=poison"])


def cases():
    return [divisions(t, promised) for t in ("i8", "i16", "i32", "i64") for promised in (False, True)]
