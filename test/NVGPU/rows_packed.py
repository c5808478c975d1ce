# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.cvt_fpext, cvt_fptrunc, fma.packed.f32x2, mul.packed.f32x2, rcp: bit patterns against exact arithmetic, rounded once."""

import struct

from case import SM80, SM89, SM100, SMALL_FLOATS, Case, kernel
from formats import (BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, F32, NAN, NEG_INF, POS_INF, Fraction, Random, pack)

KINDS = {"e4m3x2": (E4M3, 8, SM89), "e5m2x2": (E5M2, 8, SM89), "e2m3x2": (E2M3, 8, SMALL_FLOATS),
         "e3m2x2": (E3M2, 8, SMALL_FLOATS), "e2m1x2": (E2M1, 4, SMALL_FLOATS)}
FORMATS = {"f16": (F16, 2), "bf16": (BF16, 2), "f32": (F32, 4)}
SPECIAL32 = [0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFFC12345, 0x7F800001, 0x00000001, 0x807FFFFF,
             0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000, 0x33800000, 0x33800001, 0x477FE000, 0x477FF000, 0x477FEFFF]


def is_negative_zero(form, bits):
    return form.is_negative_zero(bits)


def narrow(source, bits, target, mode="rn", relu=False):
    """One conversion: NaNs become the target's canonical one, what has no NaN takes its largest number."""
    value = source.decode(bits)
    if value == NAN:
        return target.canonical if target.canonical is not None else target.largest
    if relu and (value == NEG_INF or (value not in (POS_INF,) and value < 0) or is_negative_zero(source, bits)):
        return 0
    saturate = target not in (F16, BF16)
    return target.encode(value, mode, saturate=saturate, negative_zero=is_negative_zero(source, bits))


def ue8m0(bits, mode):
    """The exponent, rounded; the sign is ignored (PTX ISA, cvt: ue8m0x2), and there is no zero."""
    magnitude = bits & 0x7FFFFFFF
    if magnitude > 0x7F800000:
        return 0xFF
    exponent, fraction = magnitude >> 23, magnitude & 0x7FFFFF
    if mode == "rp" and fraction:
        # A subnormal above 2^-127 rounds up to 2^-126, one at or below it to 2^-127.
        exponent += 1 if exponent or fraction > 0x400000 else 0
    return min(exponent, 0xFE)


def trunc_kernel(name, element, kind, n, rounding="", relu=""):
    width = FORMATS[element][1]
    words = width // 2
    flat = f"vector<{words}xi32>"
    return kernel(name, f"%in: memref<{n}x{words}xi32>, %out: memref<{n}xi32>", f"""
        %count = arith.constant {n} : index
        scf.for %i = %t to %count step %c32 {{
          %w = vector.load %in[%i, %c0] : memref<{n}x{words}xi32>, {flat}
          %v = vector.bitcast %w : {flat} to vector<2x{element}>
          %r = nvgpu.cvt_fptrunc %v, {kind}{rounding}{relu} : vector<2x{element}> -> i32
          memref.store %r, %out[%i] : memref<{n}xi32>
        }}""")


def ext_kernel(name, kind, element, n, relu=""):
    words = FORMATS[element][1] // 2
    return kernel(name, f"%in: memref<{n}xi32>, %out: memref<{n}x{words}xi32>", f"""
        %count = arith.constant {n} : index
        scf.for %i = %t to %count step %c32 {{
          %w = memref.load %in[%i] : memref<{n}xi32>
          %r = nvgpu.cvt_fpext %w, {kind}{relu} : i32 -> vector<2x{element}>
          %v = vector.bitcast %r : vector<2x{element}> to vector<{words}xi32>
          vector.store %v, %out[%i, %c0] : memref<{n}x{words}xi32>, vector<{words}xi32>
        }}""")


def pairs(values):
    return list(zip(values[::2], values[1::2]))


def inputs(form, random, n):
    """Bit patterns of all kinds: specials, random ones, and ones near numbers of small formats."""
    values = []
    if form is F32:
        values += SPECIAL32
        for small in (E4M3, E5M2, E2M1, E2M3, E3M2):
            for _ in range(20):
                low = small.decode(random.below(small.largest) & (small.sign - 1))
                high = small.decode(min(random.below(small.largest) + 1, small.largest))
                if NAN in (low, high):
                    continue
                middle = F32.encode((Fraction(low) + Fraction(high)) / 2)
                values += [middle, middle + 1, max(middle - 1, 0), middle | 0x80000000]
    else:
        values += [0, form.sign, form.infinity, form.infinity | form.sign, form.infinity + 1, 1, form.largest]
        values += [bits * 251 & (2 ** form.bits - 1) for bits in range(200)]
    while len(values) < n:
        values.append(random.bits(form.bits))
    return values[:n]


def f32(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def packed_op(op, operands, mode, ftz):
    """f32x2 arithmetic on bit patterns: exact, rounded once."""
    values = []
    for bits in operands:
        if ftz and not bits & 0x7F800000:
            bits &= 0x80000000
        values.append((F32.decode(bits), bits >> 31))
    if any(v == NAN for v, _ in values):
        return F32.canonical
    (a, sa), (b, sb) = values[:2]
    infinite = [v in (POS_INF, NEG_INF) for v, _ in values]
    sign = sa ^ sb
    if infinite[0] or infinite[1]:
        if a == 0 or b == 0:
            return F32.canonical
        if op == "fma" and infinite[2] and values[2][1] != sign:
            return F32.canonical
        return 0xFF800000 if sign else 0x7F800000
    if op == "mul":
        return F32.encode(a * b, mode, ftz=ftz, negative_zero=sign)
    c, sc = values[2]
    if infinite[2]:
        return 0xFF800000 if sc else 0x7F800000
    total = a * b + c
    zero_sign = sign if sign == sc else mode == "rm"
    if total == 0 and (a * b != 0):
        zero_sign = mode == "rm"
    return F32.encode(total, mode, ftz=ftz, negative_zero=zero_sign)


def cases():
    rows = []
    random = Random(21)
    for kind, (form, bits, floor) in KINDS.items():
        for element in ("f32", "f16"):
            source, width = FORMATS[element]
            for relu in ("", " relu"):
                n = 256
                values = pairs(inputs(source, random, 2 * n))
                # Element 0 goes to the low bits; what lies above the pair is zero.
                want = [narrow(source, a, form, relu=bool(relu)) | narrow(source, b, form, relu=bool(relu)) << bits
                        for a, b in values]
                name = f"trunc_{element}_{kind}{relu.strip()}"
                middle = r"(\.relu)" if relu else ""
                through = "f16x2" if element == "f16" and floor is SM89 else "f32"
                rows.append(Case("nvgpu.cvt_fptrunc", name, trunc_kernel(name, element, kind, n, relu=relu), floor,
                                 args=[bytearray(pack([v for pair in values for v in pair], width)), (bytearray(4 * n), "out")],
                                 expect={1: pack(want, 4)},
                                 ptx=(rf"cvt\.rn\.satfinite{middle}\.{kind}\.{through}\s",)))
        # Every pattern, in both places.
        for element in ("f16", "f32"):
            target, width = FORMATS[element]
            for relu in ("", " relu"):
                n = 1 << form.bits
                mask = n - 1
                values = [(i, (i * 7 + 3) & mask) for i in range(n)]
                # e2m3 and e3m2 sit in bytes whose upper bits must be zero; e2m1 in nibbles.
                words = [a | b << bits for a, b in values]

                def extend(v):
                    value = form.decode(v)
                    if value == NAN:
                        return target.canonical
                    if relu and (value == NEG_INF or (value != POS_INF and (value < 0 or form.is_negative_zero(v)))):
                        return 0
                    return target.encode(value, negative_zero=form.is_negative_zero(v))

                want = b"".join(pack([extend(a), extend(b)], width) for a, b in values)
                name = f"extend_{kind}_{element}{relu.strip()}"
                rows.append(Case("nvgpu.cvt_fpext", name, ext_kernel(name, kind, element, n, relu), floor,
                                 args=[bytearray(pack(words, 4)), (bytearray(len(want)), "out")], expect={1: want},
                                 ptx=(rf"cvt\.rn{r'.relu' if relu else ''}\.f16x2\.{kind}\s",)))
    # Scales of MX formats.
    for mode in ("rz", "rp"):
        values = pairs(inputs(F32, random, 512))
        want = [ue8m0(a, mode) | ue8m0(b, mode) << 8 for a, b in values]
        name = f"trunc_f32_ue8m0_{mode}"
        rows.append(Case("nvgpu.cvt_fptrunc", name, trunc_kernel(name, "f32", "ue8m0x2", 256, ", " + mode), SMALL_FLOATS,
                         args=[bytearray(pack([v for pair in values for v in pair], 4)), (bytearray(1024), "out")],
                         expect={1: pack(want, 4)}, ptx=(rf"cvt\.{mode}\.satfinite\.ue8m0x2\.f32\s",)))
    for element in ("bf16", "f32"):
        target, width = FORMATS[element]
        values = [(i, 255 - i) for i in range(256)]

        def scale(v):
            if v == 0xFF:
                return target.canonical
            return target.encode(Fraction(2) ** (v - 127))

        want = b"".join(pack([scale(a), scale(b)], width) for a, b in values)
        name = f"extend_ue8m0_{element}"
        rows.append(Case("nvgpu.cvt_fpext", name, ext_kernel(name, "ue8m0x2", element, 256), SMALL_FLOATS,
                         args=[bytearray(pack([a | b << 8 for a, b in values], 4)), (bytearray(len(want)), "out")],
                         expect={1: want}, ptx=(r"cvt\.rn\.bf16x2\.ue8m0x2\s",)))
    # Halves.
    for kind, form in (("f16x2", F16), ("bf16x2", BF16)):
        for mode in ("rn", "rz"):
            for relu in ("", " relu"):
                values = pairs(inputs(F32, random, 512))
                want = [narrow(F32, a, form, mode, bool(relu)) | narrow(F32, b, form, mode, bool(relu)) << 16 for a, b in values]
                name = f"trunc_f32_{kind}_{mode}{relu.strip()}"
                rows.append(Case("nvgpu.cvt_fptrunc", name,
                                 trunc_kernel(name, "f32", kind, 256, "" if mode == "rn" and not relu else ", " + mode, relu), SM80,
                                 args=[bytearray(pack([v for pair in values for v in pair], 4)), (bytearray(1024), "out")],
                                 expect={1: pack(want, 4)}, ptx=(rf"cvt\.{mode}{r'.relu' if relu else ''}\.{kind}\.f32\s",)))
        values = pairs(inputs(form, random, 512))
        finite = [[v if form.decode(v) != NAN else 0x3C00 for v in pair] for pair in values]
        want = b"".join(pack([F32.encode(form.decode(v), negative_zero=form.is_negative_zero(v)) for v in pair], 4) for pair in finite)
        name = f"extend_{kind}_f32"
        rows.append(Case("nvgpu.cvt_fpext", name, ext_kernel(name, kind, "f32", 256), SM80,
                         args=[bytearray(pack([a | b << 16 for a, b in finite], 4)), (bytearray(2048), "out")], expect={1: want}))

    # Packed arithmetic: every rounding, with and without ftz, on values whose results overflow, vanish and tie.
    for op, count in (("fma", 3), ("mul", 2)):
        for mode in ("rn", "rz", "rm", "rp"):
            for ftz in (False, True):
                n = 256
                operands = []
                for i in range(2 * n):
                    style = i % 8
                    if style == 0:
                        operands.append([random.choice(SPECIAL32) for _ in range(count)])
                    elif style == 1:  # close to the smallest normal
                        operands.append([random.between(0x1FC00000, 0x20000000) | random.below(2) << 31 for _ in range(2)] +
                                        [random.bits(23)] * (count - 2))
                    elif style == 2:  # close to overflow
                        operands.append([random.between(0x5F000000, 0x5FFFFFFF) for _ in range(2)] +
                                        [random.between(0x7E800000, 0x7F7FFFFF)] * (count - 2))
                    elif style == 3 and count == 3:  # cancellation
                        a, b = (random.between(0x3F800000, 0x40000000) for _ in range(2))
                        operands.append([a, b, F32.encode(-F32.decode(a) * F32.decode(b))])
                    else:
                        operands.append([random.between(0x3F000000, 0x40FFFFFF) | random.below(2) << 31 for _ in range(count)])
                want = pack([packed_op(op, bits, mode, ftz) for bits in operands], 4)
                arrays = [bytearray(pack([bits[k] for bits in operands], 4)) for k in range(count)]
                names = "abc"[:count]
                loads = "\n".join(f"          %{v} = vector.load %p{v}[%i, %c0] : memref<{n}x2xf32>, vector<2xf32>" for v in names)
                name = f"{op}_f32x2_{mode}{'_ftz' if ftz else ''}"
                suffix = "" if mode == "rn" and not ftz else f", {mode}" + (" ftz" if ftz else "")
                text = kernel(name, ", ".join(f"%p{v}: memref<{n}x2xf32>" for v in names) + f", %out: memref<{n}x2xf32>", f"""
        %count = arith.constant {n} : index
        scf.for %i = %t to %count step %c32 {{
{loads}
          %r = nvgpu.{op}.packed.f32x2 {', '.join('%' + v for v in names)}{suffix} : vector<2xf32>
          vector.store %r, %out[%i, %c0] : memref<{n}x2xf32>, vector<2xf32>
        }}""")
                rows.append(Case(f"nvgpu.{op}.packed.f32x2", name, text, SM100,
                                 args=[*arrays, (bytearray(8 * n), "out")], expect={count: want},
                                 ptx=(rf"{op}\.{mode}{r'.ftz' if ftz else ''}\.f32x2\s",)))

    # rcp of numbers whose reciprocals are exact, so that one unit of error shows; ftz.
    for count in (1, 2, 4):
        values = [F32.encode(Fraction(2) ** e) | s << 31 for e in range(-30, 31) for s in (0, 1)][:120]
        values += [0, 0x80000000, 0x7F800000, 0xFF800000, 1, 0x80000001, 0x7F000000, 0x7E800000]  # the last but one: result flushed

        def reciprocal(bits):
            value = F32.decode(0x80000000 & bits if not bits & 0x7F800000 else bits)
            sign = bits & 0x80000000
            if value == 0:
                return sign | 0x7F800000
            if value in (POS_INF, NEG_INF):
                return sign
            return F32.encode(1 / value, ftz=True)

        n = len(values) // count
        name = f"rcp_{count}"
        text = kernel(name, f"%in: memref<{n}x{count}xf32>, %out: memref<{n}x{count}xf32>", f"""
        %count = arith.constant {n} : index
        scf.for %i = %t to %count step %c32 {{
          %v = vector.load %in[%i, %c0] : memref<{n}x{count}xf32>, vector<{count}xf32>
          %r = nvgpu.rcp %v {{rounding = approx, ftz}} : vector<{count}xf32>
          vector.store %r, %out[%i, %c0] : memref<{n}x{count}xf32>, vector<{count}xf32>
        }}""")
        rows.append(Case("nvgpu.rcp", name, text, SM80,
                         args=[bytearray(pack(values[:n * count], 4)), (bytearray(4 * n * count), "out")],
                         expect={1: pack([reciprocal(v) for v in values[:n * count]], 4)}, ptx=(r"rcp\.approx\.ftz\.f32\s",)))
    return rows
