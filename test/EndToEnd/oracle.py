# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Number formats, random data and files for the real kernels, in plain Python.

Written from the definitions of the formats and sharing nothing with the compiler, the reference evaluator or the
emulator: what the kernels should give is computed on Python's floats, from inputs that were rounded here.
"""

import math
import random
import struct

# Exponent bits, mantissa bits, bias; what the largest exponent means: "ieee" infinities and NaNs, "fn" finite but for one
# NaN, "all" finite throughout.
SMALL = {"f8E4M3FN": (4, 3, 7, "fn"), "f8E5M2": (5, 2, 15, "ieee"), "f4E2M1FN": (2, 1, 1, "all")}
BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "tf32": 4, "f8E4M3FN": 1,
         "f8E5M2": 1, "f8E8M0FNU": 1, "f4E2M1FN": 1}
NPY = {"i1": "|b1", "i8": "|i1", "i16": "<i2", "i32": "<i4", "i64": "<i8", "f16": "<f2", "bf16": "<V2", "f32": "<f4", "f64": "<f8",
       "tf32": "<f4", "f8E4M3FN": "|V1", "f8E5M2": "|V1", "f8E8M0FNU": "|V1", "f4E2M1FN": "|u1"}
PACK = {"i1": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q"}


def is_float(t):
    return t[0] != "i"


def table(t):
    """The finite values of a small format, ascending from zero: (value, bits without sign)."""
    ebits, mbits, bias, kind = SMALL[t]
    values = []
    for bits in range(1 << (ebits + mbits)):
        e, m = bits >> mbits, bits & ((1 << mbits) - 1)
        top = e == (1 << ebits) - 1
        if (kind == "ieee" and top) or (kind == "fn" and top and m == (1 << mbits) - 1):
            continue
        values.append(((m / (1 << mbits)) * 2.0 ** (1 - bias) if e == 0 else (1 + m / (1 << mbits)) * 2.0 ** (e - bias), bits))
    return values


TABLES = {t: table(t) for t in SMALL}


def encode_small(t, x):
    """Nearest, ties to the even mantissa, too large saturates: what a conversion to an 8- or 4-bit float does."""
    ebits, mbits, _, kind = SMALL[t]
    sign = 1 << (ebits + mbits) if math.copysign(1, x) < 0 else 0
    values = TABLES[t]
    if math.isnan(x):
        return {"fn": sign | 0x7F, "ieee": sign | 0x7F, "all": values[-1][1]}[kind]
    x = min(abs(x), values[-1][0])
    low, high = 0, len(values) - 1
    while low < high:  # the last value not above x
        middle = (low + high + 1) // 2
        low, high = (middle, high) if values[middle][0] <= x else (low, middle - 1)
    if low + 1 < len(values):
        down, up = x - values[low][0], values[low + 1][0] - x
        if up < down or (up == down and values[low][1] & 1):
            low += 1
    return sign | values[low][1]


def decode_small(t, bits):
    ebits, mbits, _, _ = SMALL[t]
    magnitude, sign = bits & ((1 << (ebits + mbits)) - 1), bits >> (ebits + mbits)
    for value, b in TABLES[t]:
        if b == magnitude:
            return -value if sign else value
    return math.nan if t == "f8E4M3FN" or magnitude & ((1 << mbits) - 1) else -math.inf if sign else math.inf


def to_bits(t, x):
    """The bits of x, rounded to nearest even."""
    if t in SMALL:
        return encode_small(t, x)
    if t == "f8E8M0FNU":
        return 255 if math.isnan(x) else max(0, min(254, round(math.log2(x)) + 127))
    if t == "f64":
        return struct.unpack("<Q", struct.pack("<d", x))[0]
    if t == "f16":
        try:
            return struct.unpack("<H", struct.pack("<e", x))[0]
        except OverflowError:
            return 0xFC00 if x < 0 else 0x7C00
    try:
        bits = struct.unpack("<I", struct.pack("<f", x))[0]
    except OverflowError:
        bits = 0xFF800000 if x < 0 else 0x7F800000
    if t == "f32":
        return bits
    cut = 16 if t == "bf16" else 13  # bf16, tf32: f32 with fewer bits. From f32, as the hardware does
    if math.isnan(x):
        return 0x7FFF if t == "bf16" else bits
    bits += (1 << (cut - 1)) - 1 + ((bits >> cut) & 1)
    return bits >> 16 if t == "bf16" else bits & ~((1 << cut) - 1)


def from_bits(t, bits):
    if t in SMALL:
        return decode_small(t, bits)
    if t == "f8E8M0FNU":
        return math.nan if bits == 255 else 2.0 ** (bits - 127)
    if t == "f64":
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    if t == "f16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    return struct.unpack("<f", struct.pack("<I", bits << 16 if t == "bf16" else bits))[0]


def rounded(t, x):
    """x as type t holds it."""
    return from_bits(t, to_bits(t, x)) if is_float(t) else x


def size(shape):
    return math.prod(shape)


def write_npy(path, t, shape, values):
    """A .npy file, version 1.0: magic, header length, a Python dictionary padded to 64 bytes, the data."""
    text = f"{{'descr': '{NPY[t]}', 'fortran_order': False, 'shape': ({''.join(f'{d}, ' for d in shape)}), }}"
    text += " " * ((-(len(text) + 11)) % 64) + "\n"
    if is_float(t):
        data = b"".join(to_bits(t, v).to_bytes(BYTES[t], "little") for v in values)
    else:
        data = struct.pack(f"<{len(values)}{PACK[t]}", *(int(v) for v in values))
    assert len(values) == size(shape), (len(values), shape)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data)


def uniform(t, shape, seed, lo=-1.0, hi=1.0):
    """Random numbers as type t holds them."""
    source = random.Random(seed)
    if not is_float(t):
        return [source.randint(int(lo), int(hi)) for _ in range(size(shape))]
    return [rounded(t, source.uniform(lo, hi)) for _ in range(size(shape))]


def normal(t, shape, seed, mean=0.0, std=1.0):
    source = random.Random(seed)
    return [rounded(t, source.gauss(mean, std)) for _ in range(size(shape))]


def rows(values, n):
    """A flat list as a list of rows of n."""
    return [values[i:i + n] for i in range(0, len(values), n)]


def flat(lists):
    return [x for row in lists for x in row]


def matmul(a, b):
    """Product of two lists of rows, with one rounding per element at most."""
    columns = list(zip(*b))
    return [[math.fsum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def transposed(a):
    return [list(column) for column in zip(*a)]


def softmax(row):
    """exp(x) / sum exp(x), of rows with infinities as well: -inf counts nothing, a NaN or +inf spoils the row."""
    top = max(row)
    if any(math.isnan(x) for x in row) or top in (math.inf, -math.inf):
        return [math.nan] * len(row)
    e = [math.exp(x - top) for x in row]
    total = math.fsum(e)
    return [x / total for x in e]


# What rounding the result once to a type may cost, with room for f32 arithmetic before it.
TOLERANCE = {"f32": "rel:2e-5/abs:2e-6", "f16": "rel:2e-3/abs:5e-4", "bf16": "rel:1.6e-2/abs:4e-3", "f64": "rel:1e-12/abs:1e-12",
             "f8E4M3FN": "rel:0.13/abs:0.002", "f8E5M2": "rel:0.26/abs:0.0001"}
