# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Number formats as exact rationals and bit patterns, in plain Python. Nothing here knows the compiler or the emulator.

A format is `Float(name, exponent bits, fraction bits)`; `decode` gives a Fraction, or one of the three marks below, and
`encode` rounds a Fraction once, by the named mode.
"""

import fractions
import functools
import struct

Fraction = fractions.Fraction
NAN, POS_INF, NEG_INF = "nan", "+inf", "-inf"


def power(n):
    return Fraction(1 << n) if n >= 0 else Fraction(1, 1 << -n)


class Float:
    """`ieee`: the top exponent means infinities and NaNs. Otherwise it holds numbers, except that `nan` (a magnitude), if
    given, is the only NaN. `canonical` is the NaN conversions write."""

    def __init__(self, name, exponent, fraction, *, ieee=True, nan=None, canonical=None):
        self.name, self.exponent, self.fraction, self.ieee, self.nan = name, exponent, fraction, ieee, nan
        self.bits = 1 + exponent + fraction
        self.bias = (1 << (exponent - 1)) - 1
        self.canonical = canonical
        self.sign = 1 << (self.bits - 1)
        top = (1 << (exponent + fraction)) - 1
        if ieee:
            self.infinity = ((1 << exponent) - 1) << fraction
            self.largest = self.infinity - 1
        else:
            self.infinity = None
            self.largest = top if nan is None else top - 1

    def decode(self, bits):
        magnitude = bits & (self.sign - 1)
        negative = bool(bits & self.sign)
        if self.ieee and magnitude >= self.infinity:
            return NAN if magnitude > self.infinity else NEG_INF if negative else POS_INF
        if self.nan is not None and magnitude == self.nan:
            return NAN
        exponent, fraction = magnitude >> self.fraction, magnitude & ((1 << self.fraction) - 1)
        if exponent:
            fraction |= 1 << self.fraction
        value = Fraction(fraction) * power(max(exponent, 1) - self.bias - self.fraction)
        return -value if negative else value

    @functools.lru_cache(maxsize=1 << 16)
    def encode(self, value, mode="rn", *, saturate=False, ftz=False, negative_zero=False):
        """`negative_zero`: the sign an exact zero has, which a Fraction cannot tell."""
        if value == NAN:
            return self.canonical
        if value in (POS_INF, NEG_INF):
            sign = self.sign if value == NEG_INF else 0
            return sign | (self.largest if saturate or self.infinity is None else self.infinity)
        sign = self.sign if value < 0 or (value == 0 and negative_zero) else 0
        rest = abs(Fraction(value))
        # Units of the last place at this magnitude; below the normal range those of the smallest normal.
        exponent = 1 - self.bias
        if rest:
            estimate = rest.numerator.bit_length() - rest.denominator.bit_length()
            estimate -= rest < power(estimate)
            exponent = max(exponent, estimate)
        unit = power(exponent - self.fraction)
        whole, left = divmod(rest / unit, 1)
        whole = int(whole)
        up = {"rn": left > Fraction(1, 2) or (left == Fraction(1, 2) and whole & 1), "rz": False,
              "rm": bool(sign) and left > 0, "rp": not sign and left > 0, "rna": left >= Fraction(1, 2)}[mode]
        whole += int(up)
        # `whole` counts units: with the hidden bit it carries into the exponent by itself.
        magnitude = whole + ((exponent + self.bias - 1) << self.fraction)
        if ftz and magnitude < (1 << self.fraction):
            return sign
        if magnitude > self.largest:
            away = {"rn": True, "rna": True, "rz": False, "rm": bool(sign), "rp": not sign}[mode]
            magnitude = self.largest if saturate or not away or self.infinity is None else self.infinity
        return sign | magnitude

    def is_negative_zero(self, bits):
        return bits == self.sign


F32 = Float("f32", 8, 23, canonical=0x7FFFFFFF)
F64 = Float("f64", 11, 52, canonical=0x7FF8000000000000)
F16 = Float("f16", 5, 10, canonical=0x7FFF)
BF16 = Float("bf16", 8, 7, canonical=0x7FFF)
E4M3 = Float("e4m3", 4, 3, ieee=False, nan=0x7F, canonical=0x7F)
E5M2 = Float("e5m2", 5, 2, canonical=0x7F)
E2M1 = Float("e2m1", 2, 1, ieee=False)
E2M3 = Float("e2m3", 2, 3, ieee=False)
E3M2 = Float("e3m2", 3, 2, ieee=False)


def self_test():
    """Known points (PTX ISA and vendor host code), so that a mistake here is not taken for one elsewhere."""
    points = [(E4M3, "0.1", 0x1D), (E4M3, "-2.5", 0xC2), (E4M3, "464", 0x7E), (E4M3, "0.001953125", 0x01),
              (E4M3, "0.0009765625", 0x00), (E4M3, "0.00146484375", 0x01), (E4M3, "0.003", 0x02), (E4M3, "17", 0x58),
              (E4M3, "19", 0x5A), (E5M2, "0.1", 0x2E), (E5M2, "448", 0x5F), (E5M2, "480", 0x60), (E5M2, "17", 0x4C),
              (E5M2, "1000000000", 0x7B), (E2M1, "0.25", 0), (E2M1, "0.75", 2), (E2M1, "5", 6), (E2M1, "100", 7),
              (E2M3, "7.4", 0x1F), (E3M2, "27", 0x1F), (E3M2, "0.0625", 0x01)]
    for form, text, bits in points:
        got = form.encode(Fraction(text), saturate=True)
        assert got == bits, f"{form.name} {text}: {got:#x}, not {bits:#x}"
    for form in (E4M3, E5M2, E2M1, E2M3, E3M2, F16, BF16):
        for bits in range(0, 1 << form.bits, 1 if form.bits <= 8 else 37):
            value = form.decode(bits)
            if value == NAN:
                continue
            for mode in ("rn", "rz", "rm", "rp"):
                assert form.encode(value, mode, negative_zero=form.is_negative_zero(bits)) == bits
    for value in (1.0, -1.5, 3.4028234663852886e38, 1e-45, 0.1):
        bits, = struct.unpack("<I", struct.pack("<f", value))
        assert F32.encode(Fraction(value)) == bits
        assert F64.encode(Fraction(value)) == struct.unpack("<Q", struct.pack("<d", value))[0]


def words(data, width):
    """Little-endian unsigned integers of `width` bytes."""
    return [int.from_bytes(data[i:i + width], "little") for i in range(0, len(data), width)]


def pack(values, width):
    mask = (1 << 8 * width) - 1
    return b"".join((v & mask).to_bytes(width, "little") for v in values)


def floats(values):
    return struct.pack(f"<{len(values)}f", *values)


class Random:
    """A small generator of its own (64-bit LCG, upper bits), so that data never change with the Python version."""

    def __init__(self, seed):
        self.state = (seed * 2 + 1) & (1 << 64) - 1
        for _ in range(3):
            self.bits(1)

    def bits(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        return self.state >> (64 - n) if n <= 40 else (self.bits(n - 32) << 32) | self.bits(32)

    def below(self, n):
        return self.bits(40) % n

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def choice(self, items):
        return items[self.below(len(items))]

    def bytes(self, n):
        return bytes(self.bits(8) for _ in range(n))
