# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.mma.sync: every shape and type, with fragments spread as the PTX ISA has them (Matrix Fragments for mma)."""

from case import SM80, SM90, Case, Floor, kernel
from formats import BF16, F16, F32, F64, NAN, POS_INF, Fraction, Random, pack


class Element:
    """How matrix elements stand in registers: `per` elements in a register of `width` bytes."""

    def __init__(self, mlir, ptx, per, encode, width=4, values=range(-3, 4)):
        self.mlir, self.ptx, self.per, self.encode, self.width, self.values = mlir, ptx, per, encode, width, values
        self.bits = 8 * width // per

    def register(self, values):
        return sum((self.encode(v) & (1 << self.bits) - 1) << self.bits * i for i, v in enumerate(values))


def plain(v):
    return v


ELEMENTS = {
    "f16": Element("f16", "f16", 2, F16.encode), "bf16": Element("bf16", "bf16", 2, BF16.encode),
    "tf32": Element("f32", "tf32", 1, F32.encode), "f64": Element("f64", "f64", 1, F64.encode, width=8),
    "f32": Element("f32", "f32", 1, F32.encode),
    "s8": Element("i8", "s8", 4, plain, values=range(-128, 128)), "s4": Element("i4", "s4", 8, plain, values=range(-8, 8)),
    "s32": Element("i32", "s32", 1, plain, values=range(-1000, 1000)),
}


def fragment_a(m, k, per, lane):
    """(row, column) of every element a lane holds, register by register."""
    g, t = lane >> 2, lane & 3
    registers = m * k // 32 // per
    if m == 8:
        return [[(g, per * t + e) for e in range(per)]]
    return [[(g + 8 * (r & 1), 4 * per * (r >> 1) + per * t + e) for e in range(per)] for r in range(registers)]


def fragment_b(n, k, per, lane):
    g, t = lane >> 2, lane & 3
    return [[(4 * per * r + per * t + e, g) for e in range(per)] for r in range(n * k // 32 // per)]


def fragment_c(m, n, lane):
    """Element by element; two neighbours share a register if they are 16 bits wide."""
    g, t = lane >> 2, lane & 3
    return [(g + 8 * (i >> 1), 2 * t + (i & 1)) for i in range(m * n // 32)]


def spread(matrix, fragment, element):
    """All lanes' registers as bytes, lane after lane."""
    return b"".join(pack([element.register([matrix[r][c] for r, c in register]) for register in fragment(lane)], element.width)
                    for lane in range(32))


def by_register(positions, per):
    return [positions[i:i + per] for i in range(0, len(positions), per)]


def product(a, b, c):
    return [[sum(x * y for x, y in zip(row, column)) + c[i][j] for j, column in enumerate(zip(*b))]
            for i, row in enumerate(a)]


def vector(element, registers, flat=False):
    per = element.per
    return f"vector<{registers * per}x{element.mlir}>" if flat else f"vector<{registers}x{per}x{element.mlir}>"


def load_fragment(name, source, element, registers, shape=None):
    """Registers of this lane from a memref of raw words, as the two-dimensional vector the op takes."""
    words = registers * element.width // 4
    shape = shape or vector(element, registers)
    flat = vector(element, registers, flat=True)
    return f"""
        %{name}w = vector.load {source}[%lane, %c0] : memref<32x{words}xi32>, vector<{words}xi32>
        %{name}f = vector.bitcast %{name}w : vector<{words}xi32> to {flat}
        %{name} = vector.shape_cast %{name}f : {flat} to {shape}"""


def accumulator(element, count):
    """Vector type of C and D: rows of two."""
    return f"vector<{max(count // 2, 1)}x2x{element.mlir}>"


def matrix(random, rows, columns, values):
    return [[random.choice(values) for _ in range(columns)] for _ in range(rows)]


# (m, n, k), A and B, C and D, floor
SHAPES = [
    ((16, 8, 8), "f16", "f32", SM80), ((16, 8, 8), "f16", "f16", SM80), ((16, 8, 16), "f16", "f32", SM80),
    ((16, 8, 16), "f16", "f16", SM80), ((16, 8, 8), "bf16", "f32", SM80), ((16, 8, 16), "bf16", "f32", SM80),
    ((16, 8, 4), "tf32", "f32", SM80), ((16, 8, 8), "tf32", "f32", SM80), ((8, 8, 4), "f64", "f64", SM80),
    ((16, 8, 16), "s8", "s32", SM80), ((16, 8, 32), "s8", "s32", SM80), ((16, 8, 32), "s4", "s32", SM80),
    ((16, 8, 64), "s4", "s32", SM80), ((8, 8, 16), "s8", "s32", SM80), ((8, 8, 32), "s4", "s32", SM80),
]


def mma_kernel(name, shape, ab, cd, attributes=""):
    m, n, k = shape
    a, c = ELEMENTS[ab], ELEMENTS[cd]
    registers_a, registers_b, count = m * k // 32 // a.per, n * k // 32 // a.per, m * n // 32
    words_a, words_b, words_c = (r * e.width // 4 for r, e in ((registers_a, a), (registers_b, a), (count // c.per, c)))
    acc = accumulator(c, count)
    flat = f"vector<{count}x{c.mlir}>"
    return kernel(name, f"%a: memref<32x{words_a}xi32>, %b: memref<32x{words_b}xi32>, %c: memref<32x{words_c}xi32>, "
                        f"%d: memref<32x{words_c}xi32>", f"""
        {load_fragment("A", "%a", a, registers_a)}{load_fragment("B", "%b", a, registers_b)}
        {load_fragment("C", "%c", c, count // c.per, acc)}
        %D = nvgpu.mma.sync(%A, %B, %C) {{mmaShape = [{m}, {n}, {k}]{attributes}}}
          : ({vector(a, registers_a)}, {vector(a, registers_b)}, {acc}) -> {acc}
        %f = vector.shape_cast %D : {acc} to {flat}
        %w = vector.bitcast %f : {flat} to vector<{words_c}xi32>
        vector.store %w, %d[%lane, %c0] : memref<32x{words_c}xi32>, vector<{words_c}xi32>""")


def mma_data(shape, ab, cd, seed, a=None, b=None, c=None):
    """Bytes of the fragments of A, B, C and D."""
    m, n, k = shape
    random = Random(seed)
    ea, ec = ELEMENTS[ab], ELEMENTS[cd]
    a = a or matrix(random, m, k, ea.values)
    b = b or matrix(random, k, n, ea.values)
    c = c or matrix(random, m, n, ec.values)
    d = product(a, b, c)

    def c_registers(lane):
        return by_register(fragment_c(m, n, lane), ec.per)

    return (spread(a, lambda lane: fragment_a(m, k, ea.per, lane), ea),
            spread(b, lambda lane: fragment_b(n, k, ea.per, lane), ea),
            spread(c, c_registers, ec), spread(d, c_registers, ec))


def cases():
    rows = []
    for number, (shape, ab, cd, floor) in enumerate(SHAPES):
        m, n, k = shape
        name = f"mma_m{m}n{n}k{k}_{ab}_{cd}"
        a, b, c, d = mma_data(shape, ab, cd, number)
        attributes = ", tf32Enabled" if ab == "tf32" else ""
        middle = r"(\.satfinite)?" if cd == "s32" else ""
        rows.append(Case("nvgpu.mma.sync", name, mma_kernel(name, shape, ab, cd, attributes), floor,
                         args=[bytearray(a), bytearray(b), bytearray(c), (bytearray(len(d)), "out")], expect={3: d},
                         ptx=(rf"mma\.sync\.aligned\.m{m}n{n}k{k}\.row\.col{middle}\.{cd}\.{ab}\.{ab}\.{cd}\b",)))
    # The low 13 bits of a tf32 operand are ignored.
    shape = (16, 8, 8)
    a, b, c, d = mma_data(shape, "tf32", "f32", 99)
    dirty = bytearray(a)
    for i in range(0, len(dirty), 4):
        dirty[i], dirty[i + 1] = 0xFF, dirty[i + 1] | 0x1F
    rows.append(Case("nvgpu.mma.sync", "mma_tf32_low_bits", mma_kernel("mma_tf32_low_bits", shape, "tf32", "f32", ", tf32Enabled"),
                     SM80, args=[dirty, bytearray(b), bytearray(c), (bytearray(len(d)), "out")], expect={3: d},
                     ptx=(r"mma\.sync\.aligned\.m16n8k8\.row\.col\.f32\.tf32\.tf32\.f32",)))
    # Sums beyond 32 bits stay at the end of the range: integer products saturate.
    top = 0x7FFFFFFF
    ones = [[127] * 32 for _ in range(16)]
    a, b, c, _ = mma_data((16, 8, 32), "s8", "s32", 0, a=ones, b=[[127] * 8 for _ in range(32)], c=[[top - 5] * 8] * 16)
    rows.append(Case("nvgpu.mma.sync", "mma_s8_saturates", mma_kernel("mma_s8_saturates", (16, 8, 32), "s8", "s32"), SM80,
                     args=[bytearray(a), bytearray(b), bytearray(c), (bytearray(512), "out")],
                     expect={3: pack([top] * 128, 4)}, ptx=(r"satfinite",)))
    # Infinities and NaNs travel.
    special = matrix(Random(5), 16, 16, [0, 1])
    special[3][7], special[9][2] = POS_INF, NAN
    b = [[1] * 8 for _ in range(16)]
    c = [[Fraction(1, 2)] * 8 for _ in range(16)]
    d = [[NAN if i == 9 else POS_INF if i == 3 else sum(special[i]) + Fraction(1, 2)] * 8 for i in range(16)]
    f16, f32 = ELEMENTS["f16"], ELEMENTS["f32"]
    rows.append(Case("nvgpu.mma.sync", "mma_f16_special", mma_kernel("mma_f16_special", (16, 8, 16), "f16", "f32"), SM80,
                     args=[bytearray(spread(special, lambda lane: fragment_a(16, 16, 2, lane), f16)),
                           bytearray(spread(b, lambda lane: fragment_b(8, 16, 2, lane), f16)),
                           bytearray(spread(c, lambda lane: by_register(fragment_c(16, 8, lane), 1), f32)),
                           (bytearray(512), "out")],
                     expect={3: spread(d, lambda lane: by_register(fragment_c(16, 8, lane), 1), f32)},
                     ptx=(r"mma\.sync",)))
    return rows
