# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow, the language around it, hints, printing, assertions."""

import dataclasses as dc

from cutile_arith import floats, rng
from cutile_case import *


def kernel(parameters, body, options=None, **names):
    made = function(parameters, body.strip("\n"), **names)
    return ct.kernel(**options)(made) if options else ct.kernel(made)


@ct.function
def doubled(x):
    return x * 2


def clipped(x, lo, hi=10):
    return ct.minimum(ct.maximum(x, lo), hi)


def power_of(x, n: int):
    if n == 0:
        return x * 0 + 1
    return x * power_of(x, n - 1)


@dc.dataclass(frozen=True)
class Pair:
    a: object
    b: object

    def total(self):
        return self.a + self.b


def loops():
    x = np.arange(64, dtype=np.int32)
    io = [Array(x), out(64, np.int32)]

    def one(name, body, want, more=(), **names):
        parameters = "x_, y_" + "".join(f", p{i}" for i in range(len(more)))
        text = "x = ct.load(x_, (0,), (64,))\n" + body.strip("\n") + "\nct.store(y_, (0,), r)"
        return Case(name, kernel(parameters, text, **names), (1,), io + list(more), {1: (np.broadcast_to(want, 64), 0)})

    yield one("for-range", "r = x\nfor i in range(10):\n    r = r + i", x + 45)
    yield one("for-start-step", "r = x\nfor i in range(3, 20, 4):\n    r = r * 2 + i", ((((x * 2 + 3) * 2 + 7) * 2 + 11) * 2 + 15) * 2 + 19)
    yield one("for-dynamic", "r = x\nfor i in range(p0, p1, p2):\n    r = r + i", x + sum(range(5, 50, 7)), (np.int32(5), np.int32(50), np.int32(7)))
    yield one("for-empty", "r = x\nfor i in range(p0):\n    r = r + 1000", x, (np.int32(0),))
    yield one("for-negative-bounds", "r = x\nfor i in range(p0, p1):\n    r = r + i", x + sum(range(-7, 3)), (np.int32(-7), np.int32(3)))
    yield one("for-nested", "r = x\nfor i in range(4):\n    for j in range(i, 6):\n        for k in range(2):\n            r = r + i * j - k",
              x + sum(i * j - k for i in range(4) for j in range(i, 6) for k in range(2)))
    yield one("for-break", "r = x\nfor i in range(100):\n    if i == p0:\n        break\n    r = r + i", x + sum(range(7)), (np.int32(7),))
    yield one("for-continue", "r = x\nfor i in range(20):\n    if i % 3 == 0:\n        continue\n    r = r + i", x + sum(i for i in range(20) if i % 3))
    yield one("for-break-continue", "r = x\nn = 0\nfor i in range(50):\n    if i % 2 == 1:\n        continue\n    if n > 4:\n        break\n    n = n + 1\n    r = r + i * 100", x + 100 * (0 + 2 + 4 + 6 + 8))
    yield one("while", "r = x\nn = p0\nwhile n > 1:\n    if n % 2 == 0:\n        n = n // 2\n    else:\n        n = 3 * n + 1\n    r = r + 1", x + 111, (np.int32(27),))
    yield one("while-break", "r = x\nn = 0\nwhile True:\n    n = n + 1\n    if n > p0:\n        break\n    if n % 2 == 0:\n        continue\n    r = r + n", x + 1 + 3 + 5 + 7 + 9, (np.int32(10),))
    yield one("while-tile", "r = x\nwhile ct.max(r) < 1000:\n    r = r * 2 + 1", next(v for v in _doubling(x) if v.max() >= 1000))
    yield one("nested-break", "r = x\nfor i in range(5):\n    j = 0\n    while True:\n        j = j + 1\n        if j > i:\n            break\n        if j == 3:\n            continue\n        r = r + j",
              x + sum(j for i in range(5) for j in range(1, i + 1) if j != 3))
    yield one("if-tiles", "if p0 > 3:\n    r = x + 1\n    s = x * 2\nelse:\n    r = x - 1\n    s = x * 3\nr = r + s", 3 * x + 1, (np.int32(4),))
    yield one("if-chain", "r = x\nfor i in range(6):\n    if i == 0:\n        r = r + 1\n    elif i < 3:\n        r = r + 10\n    elif i == 3 or i == 5:\n        r = r + 100\n    else:\n        r = r - 1", x + 1 + 20 + 200 - 1)
    yield one("if-boolean", "r = x\nif (p0 > 1 and p0 < 5) or not (p1 == 2):\n    r = r + 5\nif not p0 > 100:\n    r = r * 2", (x + 5) * 2, (np.int32(3), np.int32(2)))
    yield one("ternary", "r = x + (1 if p0 > 0 else -1)\nr = r * (5 if p0 > 10 else 2)", (x + 1) * 2, (np.int32(3),))
    yield one("carried-tuple", "a = (x, x * 0, 0)\nfor i in range(5):\n    a = (a[0] + 1, a[1] + a[0], a[2] + i)\nr = a[0] + a[1] + a[2]",
              (x + 5) + sum(x + i for i in range(5)) + 10)
    yield one("swap", "a = x\nb = x * 10\nfor i in range(p0):\n    a, b = b, a + 1\nr = a - b", _swapped(x), (np.int32(5),))
    yield one("static-iter", "r = x\nfor i in ct.static_iter(range(4)):\n    r = r + i * i\nfor n, m in ct.static_iter(((1, 2), (3, 4))):\n    r = r + n * m", x + 14 + 14)
    yield one("static-shapes", "r = x * 0\nfor n in ct.static_iter((1, 2, 4, 8)):\n    t = ct.reshape(x, (n, 64 // n))\n    r = r + ct.sum(ct.max(t, 1), 0)", sum(x.reshape(n, -1).max(1).sum() for n in (1, 2, 4, 8)))
    yield one("static-eval", "n = ct.static_eval(sum(q * q for q in range(5)))\nr = x + n\nct.static_assert(x.shape[0] == 64, 'shape')\nif ct.ensure_constant(n > 100):\n    r = r * 0", x + 30)
    yield one("helpers", "r = doubled(x) + clipped(x, 3) + clipped(x, lo=2, hi=5)", x * 2 + np.clip(x, 3, 10) + np.clip(x, 2, 5), doubled=doubled, clipped=clipped)
    yield one("recursion", "r = power_of(x, 3)", x ** 3, power_of=power_of)
    yield one("dataclass", "p = Pair(x, x + 1)\nr = p.total() + p.a", 3 * x + 1, Pair=Pair)
    yield one("closure", "k = p0 * 2\ndef add(t):\n    return t + k\nr = add(add(x))\nf = lambda t: t * 3\nr = f(r)", (x + 12) * 3, (np.int32(3),))
    yield one("unpacking", "a, (b, c) = x, (x + 1, x + 2)\nr = a + b * c", x + (x + 1) * (x + 2))
    yield one("divisible", "n = ct.assume_divisible_by(p0, 16)\nr = x + n", x + 48, (np.int32(48),))
    yield one("item-bound", "n = ct.sum(ct.where(x < 10, 1, 0))\nr = x\nfor i in range(n):\n    r = r + 1", x + 10)
    yield one("float-carried", "s = 0.0\nt = x * 0.5\nfor i in range(8):\n    s = s + i * 0.25\n    t = t + s\nr = t.astype(ct.int32)", (x * 0.5 + sum(sum(j * 0.25 for j in range(i + 1)) for i in range(8))).astype(np.int32))
    yield one("for-memory", "r = x\nfor i in range(4):\n    ct.store(y_, (0,), r)\n    r = ct.load(y_, (0,), (64,)) + i", x + 6)
    k = kernel("x, y", "i = ct.bid(0)\nif i >= 2:\n    return\nt = ct.load(x, (i,), (16,))\nif ct.sum(t) > 200:\n    ct.store(y, (i,), t * 0)\n    return\nct.store(y, (i,), t)")
    want = np.zeros(64, np.int32)
    want[:16] = x[:16]
    yield Case("early-return", k, (4,), [Array(x), Array(np.zeros(64, np.int32))], {1: (want, 0)})
    k = kernel("x, y", "acc = ct.zeros((16,), ct.int32)\nfor i in range(ct.bid(0), 4, ct.num_blocks(0)):\n    acc = acc + ct.load(x, (i,), (16,))\nct.store(y, (ct.bid(0), 0), acc.reshape((1, 16)))")
    rows = x.reshape(4, 16)
    yield Case("persistent", k, (3,), [Array(x), out((3, 16), np.int32)], {1: (np.stack([rows[0] + rows[3], rows[1], rows[2]]), 0)})


def _doubling(x):
    while True:
        yield x
        x = x * 2 + 1


def _swapped(x):
    a, b = x, x * 10
    for _ in range(5):
        a, b = b, a + 1
    return a - b


def hints():
    x = floats("hints", f32, n=4096, special=False).reshape(64, 64)
    body = "t = ct.load(x, (ct.bid(0), 0), (16, 64))\nm = ct.max(t, 1, keepdims=True)\ne = ct.exp(t - m)\nct.store(y, (ct.bid(0), 0), e / ct.sum(e, 1, keepdims=True))"
    e = np.exp(x.astype(f64) - x.max(1, keepdims=True))
    want = e / e.sum(1, keepdims=True)
    by = ct.ByTarget(sm_90=2, sm_100=4, default=1)
    for name, options in (("ctas-2", dict(num_ctas=2)), ("ctas-16", dict(num_ctas=16)), ("occupancy-1", dict(occupancy=1)), ("occupancy-32", dict(occupancy=32)), ("warps-4", dict(num_worker_warps=4)),
                          ("warps-8", dict(num_worker_warps=8)), ("by-target", dict(num_ctas=by, occupancy=ct.ByTarget(sm_120=3, default=2))), ("opt-0", dict(opt_level=0)),
                          ("all", dict(num_ctas=2, occupancy=4, num_worker_warps=8, opt_level=3))):
        yield Case("hint-" + name, kernel("x, y", body, options), (4,), [Array(x), out((64, 64), f32)], {1: (want, 1e-6)})
    a, b = rng("ha").integers(-3, 4, (64, 64)).astype(f16), rng("hb").integers(-3, 4, (64, 64)).astype(f16)
    body = "ct.store(r, (0, 0), ct.load(a, (0, 0), (64, 64)) @ ct.load(b, (0, 0), (64, 64)))"
    for n in (1, 2, 4):
        yield Case(f"hint-mma-{n}", kernel("a, b, r", body, dict(num_ctas=n)), (1,), [Array(a), Array(b), out((64, 64), f16)], {2: (a.astype(f64) @ b.astype(f64), 0)})
    k = kernel("x, y", "ct.grid_dependency_control_wait()\nt = ct.load(x, (0,), (64,))\nct.grid_dependency_control_launch_dependents()\nct.store(y, (0,), t + 1.0)")
    v = x[0].copy()
    yield Case("dependent-launch", k, (1,), [Array(v), out(64, f32)], {1: (v + f32(1), 0)})


def printing():
    def said(name, body, want, arguments=(), parameters=""):
        return Case("print-" + name, kernel(parameters, body), (1,), list(arguments), printed=want)
    yield said("scalar", "ct.printf('value: %d %5.2f|%x\\n', ct.full((), 42, ct.int32), ct.full((), 1.5, ct.float32), ct.full((), 255, ct.uint32))", "value: 42  1.50|ff\n")
    yield said("tile", "ct.printf('%d\\n', ct.arange(4, dtype=ct.int32))", "[0, 1, 2, 3]\n")
    yield said("nested", "print(ct.arange(8, dtype=ct.int32).reshape((2, 2, 2)))", "[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]\n")
    yield said("fstring", "t = ct.full((2,), 1.25, ct.float16)\nn = ct.arange(2, dtype=ct.int64) - 5\nprint(f'a {t:.2f} b {n} c {3 + 4}', 'end', sep='; ')", "a [1.25, 1.25] b [-5, -4] c 7; end\n")
    yield said("types", "ct.printf('%d %u %lld %f %g %e\\n', ct.full((), -3, ct.int8), ct.full((), 200, ct.uint8), ct.full((), -2**40, ct.int64), ct.full((), 0.5, ct.float64), ct.full((), 2.5, ct.bfloat16), "
               "ct.full((), 1e10, ct.float32))", "-3 200 -1099511627776 0.500000 2.5 1.000000e+10\n")
    yield said("unsigned", "print(ct.full((), 200, ct.uint8), ct.full((2,), 65535, ct.uint16), ct.full((), 2**32 - 1, ct.uint32), ct.full((), -1, ct.int64).astype(ct.uint64))",
               "200 [65535, 65535] 4294967295 18446744073709551615\n")
    yield said("widths", "ct.printf('[%8d|%-6d|%+d|%06d|%#x|%10.3e|%g]\\n', ct.full((), 42, ct.int32), ct.full((), 42, ct.int32), ct.full((), 42, ct.int32), ct.full((), 42, ct.int32), ct.full((), 42, ct.int32), "
               "ct.full((), 1234.5, ct.float64), ct.full((), 0.0001, ct.float32))", "[      42|42    |+42|000042|0x2a| 1.234e+03|0.0001]\n")
    yield said("floats", "print(ct.full((2,), 1.5, ct.float16), ct.full((2,), -2.25, ct.bfloat16), ct.full((2,), 1e-3, ct.float32), ct.full((1,), 3.0, ct.float64), sep='/')",
               "[1.500000, 1.500000]/[-2.250000, -2.250000]/[0.001000, 0.001000]/[3.000000]\n")
    yield said("percent", "ct.printf('100%% {curly} [%d]\\n', ct.full((), 7, ct.int16))", "100% {curly} [7]\n")
    yield said("bool", "print(ct.arange(4, dtype=ct.int32) > 1)", "[0, 0, 1, 1]\n")
    yield said("loop", "for i in range(3):\n    print('i', i)", "i 0\ni 1\ni 2\n")
    yield said("branch", "if ct.bid(0) == 0:\n    print('first')\nelse:\n    print('second')", "first\n")
    x = np.arange(16, dtype=np.int32)
    yield Case("print-blocks", kernel("x", "print(ct.bid(0), ct.load(x, (ct.bid(0),), (4,)))"), (4,), [Array(x)],
               printed=lambda s: sorted(s.splitlines()) == [f"{b} [{4 * b}, {4 * b + 1}, {4 * b + 2}, {4 * b + 3}]" for b in range(4)])
    y = [Array(x), out(16, np.int32)]
    yield Case("assert-holds", kernel("x, y", "t = ct.load(x, (0,), (16,))\nct.assert_(t >= 0, 'negative')\nct.store(y, (0,), t)"), (1,), y, {1: (x, 0)})
    yield Case("assert-fails", kernel("x, y", "t = ct.load(x, (0,), (16,))\nct.assert_(t != 11, 'eleven is here')\nct.store(y, (0,), t)"), (1,), y, fails="eleven is here")


def cases():
    for group in (loops, hints, printing):
        yield from group()
