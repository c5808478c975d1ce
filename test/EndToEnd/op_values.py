# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers to try operations on, as bit patterns: special values against each other, ties of rounding, ordinary ones.

Everything is made by arithmetic on bits, with a seed, so that it is the same everywhere and needs no numeric library.
"""

import random
import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class Float:
    exponent: int  # bits
    fraction: int
    bias: int
    infinity: bool = True
    nan: bool = True
    pad: int = 0  # low bits of the stored word that carry nothing
    sign: bool = True

    @property
    def bits(self):
        return self.exponent + self.fraction + (1 if self.sign else 0)


FLOATS = {"f16": Float(5, 10, 15), "bf16": Float(8, 7, 127), "f32": Float(8, 23, 127), "tf32": Float(8, 10, 127, pad=13),
          "f64": Float(11, 52, 1023), "f8E4M3FN": Float(4, 3, 7, infinity=False), "f8E5M2": Float(5, 2, 15),
          "f8E8M0FNU": Float(8, 0, 127, infinity=False, sign=False), "f4E2M1FN": Float(2, 1, 1, infinity=False, nan=False)}
INTS = {"i1": 1, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def width(t):
    """Bits of one element in a tile of bytes (pack, unpack)."""
    return INTS[t] if t in INTS else FLOATS[t].bits + FLOATS[t].pad


def stored_bytes(t):
    return max(1, width(t) // 8)


def decode(t, bits):
    """The number a pattern stands for, as a Python float (f64 holds all of them); None for NaN."""
    f = FLOATS[t]
    bits >>= f.pad
    negative = f.sign and bits >> (f.bits - 1) & 1
    exponent, fraction = bits >> f.fraction & ((1 << f.exponent) - 1), bits & ((1 << f.fraction) - 1)
    top = (1 << f.exponent) - 1
    if not f.sign:
        return None if bits == 0xFF else 2.0 ** (exponent - f.bias)
    if exponent == top and f.infinity:
        return None if fraction else float("-inf" if negative else "inf")
    if f.nan and not f.infinity and exponent == top and fraction == (1 << f.fraction) - 1:
        return None
    value = (fraction if exponent == 0 else fraction + (1 << f.fraction)) * 2.0 ** (max(exponent, 1) - f.bias - f.fraction)
    return -value if negative else value


def encode(t, number):
    """The pattern of a number that the type holds exactly (anything else is a mistake in a table)."""
    f = FLOATS[t]
    if number == 0:
        return (1 << (f.bits - 1)) << f.pad if str(number)[0] == "-" else 0
    sign = 1 if number < 0 else 0
    bits64 = struct.unpack("<Q", struct.pack("<d", abs(number)))[0]
    exponent, fraction = (bits64 >> 52) - 1023, bits64 & ((1 << 52) - 1)
    keep = fraction >> (52 - f.fraction)
    bits = (exponent + f.bias) << f.fraction | keep
    if f.sign:
        bits |= sign << (f.bits - 1)
    bits <<= f.pad
    assert decode(t, bits) == number, (t, number)
    return bits


def special_floats(t):
    f = FLOATS[t]
    if f.bits + f.pad <= 8:
        return list(range(1 << f.bits))
    one = f.bias << f.fraction
    top = ((1 << f.exponent) - 1) << f.fraction
    positive = [0, 1, (1 << f.fraction) - 1, 1 << f.fraction, one - 1, one, one + 1, one + (1 << f.fraction),
                one + (1 << (f.fraction - 1)), top - 1, top, one - (1 << f.fraction), one + (f.fraction << f.fraction)]
    negative = 1 << (f.bits - 1)
    return [p << f.pad for p in positive] + [(p | negative) << f.pad for p in positive] + [(top | 1 << (f.fraction - 1)) << f.pad]


def random_float(t, rng, near=None):
    """An ordinary number; with `near`, of an exponent close to that one's. Every second one has few digits, so that sums and products are
    often ties."""
    f = FLOATS[t]
    top = (1 << f.exponent) - 1
    if near is not None:
        exponent = (near >> f.pad >> f.fraction & top) + rng.randint(-f.fraction - 2, f.fraction + 2)
    elif rng.random() < 0.2:
        exponent = rng.randint(0, top - 1)
    else:
        exponent = f.bias + rng.randint(-6, 6)
    exponent = min(max(exponent, 0), top - 1)
    fraction = rng.getrandbits(f.fraction) if f.fraction else 0
    if rng.random() < 0.5:
        fraction &= ~((1 << rng.randint(0, f.fraction)) - 1)
    bits = exponent << f.fraction | fraction
    if f.sign:
        bits |= rng.getrandbits(1) << (f.bits - 1)
    return bits << f.pad


def special_ints(w):
    if w <= 4:
        return list(range(1 << w))
    top = 1 << (w - 1)
    return [0, 1, 2, 3, w - 1, w, w + 1, 2 * top - 1, 2 * top - 2, top, top - 1, top + 1, top - 2, (2 * top - 1) // 3, 10, 2 * top - 10]


def signed(bits, w):
    return bits - (1 << w) if bits >> (w - 1) & 1 else bits


def pairs(t, count, seed):
    """`count` triples: every special value with every other one, then random ones."""
    rng = random.Random(f"{t}{seed}")
    special = special_ints(INTS[t]) if t in INTS else special_floats(t)
    rows = [(a, b) for a in special for b in special]
    if len(rows) > count * 3 // 4:
        rng.shuffle(rows)
        rows = rows[:count * 3 // 4]
    while len(rows) < count:
        if t in INTS:
            rows.append((rng.getrandbits(INTS[t]), rng.getrandbits(rng.choice([INTS[t], max(1, INTS[t] // 2)]))))
        else:
            a = random_float(t, rng)
            rows.append((a, random_float(t, rng, a if rng.random() < 0.7 else None)))
    result = []
    for a, b in rows[:count]:
        if t in INTS:
            c = rng.choice(special) if rng.random() < 0.5 else rng.getrandbits(INTS[t])
        else:
            c = rng.choice(special) if rng.random() < 0.3 else random_float(t, rng, b)
        result.append((a, b, c))
    return result


def f32_in(bits, low, high):
    """Whether an f32's exponent field lies in a range."""
    return low <= (bits >> 23 & 0xFF) <= high


def integer_bound(t, w, is_signed):
    """A test whether a float truncates into the range of an integer type."""
    low, high = (-(1 << (w - 1)), 1 << (w - 1)) if is_signed else (0, 1 << w)

    def fits(bits):
        value = decode(t, bits)
        if value is None or abs(value) == float("inf"):
            return False
        return low <= int(value) < high and (is_signed or value > -1)
    return fits


def values(t, kind, count, seed=1):
    """`count` patterns of type t. Kinds: any0 any1 any2 (columns of the same triples); div_signed1, div_unsigned1 (divisors for any0, and
    div_signed0, the dividends); small0, small1 (no overflow in any operation); shift1; toint:W:s; fits:W; whole:LO:HI (small whole
    numbers); notmin; bits; number0 (any0 without NaN); divapprox1."""
    rng = random.Random(f"{t}{kind}{seed}")
    w = INTS.get(t)
    if kind.startswith("any"):
        return [row[int(kind[3])] for row in pairs(t, count, seed)]
    if kind.startswith("number"):  # any, without NaN
        return [0 if decode(t, row[int(kind[6])]) is None else row[int(kind[6])] for row in pairs(t, count, seed)]
    if kind == "divapprox1":  # the divisors for which div.approx is specified: 2^-126 to 2^126
        return [b if f32_in(b, 1, 252) else b & 0x80000000 | 0x3F800000 | b & 0x7FFFFF for _, b, _ in pairs(t, count, seed)]
    if kind.startswith("div_"):
        result = []
        for a, b, _ in pairs(t, count, seed):
            if b == 0:
                b = rng.randint(1, (1 << w) - 1)
            if "unsigned" not in kind and b == (1 << w) - 1 and a == 1 << (w - 1):
                a = 0  # the smallest number divided by -1 does not fit
            result.append(a if kind[-1] == "0" else b)
        return result
    if kind.startswith("small"):
        if w == 1:
            return [rng.getrandbits(1) if kind[-1] == "0" else 0 for _ in range(count)]
        result = []
        for _ in range(count):
            a = rng.getrandbits(w // 2 - 1)
            result.append(a if kind[-1] == "0" else rng.randint(0, a))
        return result
    if kind == "shift1":
        return [rng.randint(0, w // 2) if w > 1 else 0 for _ in range(count)]
    if kind == "notmin":
        return [0 if a == 1 << (w - 1) else a for a, _, _ in pairs(t, count, seed)]
    if kind.startswith("fits:"):
        to = int(kind[5:])
        return [rng.getrandbits(to - 1) if to > 1 else 0 for _ in range(count)]
    if kind.startswith("toint:"):
        _, to, sign = kind.split(":")
        fits = integer_bound(t, int(to), sign == "s")
        result = [b for row in pairs(t, count, seed) for b in row[:2] if fits(b)][:count]
        edges = [p for p in (edge(t, int(to), sign == "s", k) for k in range(6)) if p is not None and fits(p)]
        result[:len(edges)] = edges
        pool = result or [b for b in special_floats(t) if fits(b)]
        while len(result) < count:
            if rng.random() < 0.3:
                result.append(rng.choice(pool))
            number = rng.uniform(-(1 << (int(to) - 1)) if sign == "s" else 0, 1 << (int(to) - 1)) if rng.random() < 0.7 else rng.uniform(0, 9)
            bits = round_down(t, number)
            if fits(bits):
                result.append(bits)
        rng.shuffle(result)
        return result[:count]
    if kind.startswith("whole:"):
        low, high = map(int, kind[6:].split(":"))
        if t in INTS:
            return [rng.randint(low, high) & ((1 << w) - 1) for _ in range(count)]
        if not FLOATS[t].sign:
            return [127 + rng.randint(0, 2) for _ in range(count)]
        return [encode(t, float(rng.randint(low, high))) for _ in range(count)]
    if kind == "bits":
        return [rng.getrandbits(w if w else FLOATS[t].bits) << (0 if w else FLOATS[t].pad) for _ in range(count)]
    raise ValueError(kind)


def round_down(t, number):
    """The pattern of a number cut to the type's digits; zero if it is tiny."""
    f = FLOATS[t]
    if not f.sign:
        number = abs(number) or 1.0
    if abs(number) < 2.0 ** (1 - f.bias):
        return encode(t, 1.0)
    bits64 = struct.unpack("<Q", struct.pack("<d", abs(number)))[0]
    bits64 &= ~((1 << (52 - f.fraction)) - 1)
    cut = struct.unpack("<d", struct.pack("<Q", bits64))[0]
    largest = max(decode(t, b << f.pad) for b in largest_patterns(t))
    return encode(t, (-1 if number < 0 else 1) * min(cut, largest))


def largest_patterns(t):
    f = FLOATS[t]
    top = ((1 << f.exponent) - 1) << f.fraction
    if not f.sign:
        return [254]
    if f.infinity:
        return [top - 1]
    return [top + (1 << f.fraction) - 1 - (1 if f.nan else 0)]


def edge(t, w, is_signed, k):
    """Numbers at the ends of an integer type's range."""
    high = float(1 << (w - 1)) if is_signed else float(1 << w)
    candidates = [round_down(t, high * (1 - 2.0 ** -(FLOATS[t].fraction + 1))), round_down(t, high - 1), round_down(t, high - 0.5),
                  round_down(t, -high) if is_signed else None, round_down(t, -high - 0.5) if is_signed else None,
                  round_down(t, -0.75) if FLOATS[t].sign else None]
    return candidates[k]


def write_npy(path, t, patterns):
    """Patterns as an array file; numbers of four bits as one byte each, in the low half."""
    size = stored_bytes(t)
    header = f"{{'descr': '{'|' if size == 1 else '<'}u{size}', 'fortran_order': False, 'shape': ({len(patterns)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    body = b"".join(p.to_bytes(size, "little") for p in patterns)
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + body)
