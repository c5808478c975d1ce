# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.mma.sp.sync: A with two of four (tf32: one of two) values per chunk, the metadata that says which, and the selector
that says whose metadata counts (PTX ISA, Warp-level matrix instructions using sparse matrix A)."""

from case import SM80, Case, kernel
from formats import Random, pack
from rows_mma import ELEMENTS, accumulator, by_register, fragment_b, fragment_c, load_fragment, matrix, product, spread, vector

# (m, n, k) with the k of the dense product, types, the number of selectors
# The dialect refuses the selectors 2 and 3 that the shapes with one supplying thread of four have.
SHAPES = [
    ((16, 8, 16), "f16", "f32", 2), ((16, 8, 16), "f16", "f16", 2), ((16, 8, 32), "f16", "f32", 2),
    ((16, 8, 32), "f16", "f16", 2), ((16, 8, 16), "bf16", "f32", 2), ((16, 8, 32), "bf16", "f32", 2),
    ((16, 8, 8), "tf32", "f32", 2), ((16, 8, 16), "tf32", "f32", 2), ((16, 8, 32), "s8", "s32", 2),
    ((16, 8, 64), "s8", "s32", 1), ((16, 8, 64), "s4", "s32", 2), ((16, 8, 128), "s4", "s32", 1),
]
PAIRS = [(i, j) for i in range(4) for j in range(i + 1, 4)]


def choose(random, ab, k):
    """For a row: the positions of the values that are kept, and the nibble of each chunk. 4-bit elements go in pairs."""
    kept, nibbles = [], []
    if ab == "tf32":
        for chunk in range(k // 2):
            pick = random.below(2)
            kept.append(2 * chunk + pick)
            nibbles.append(0xE if pick else 0x4)
    else:
        unit = 2 if ab == "s4" else 1
        for chunk in range(k // (4 * unit)):
            low, high = random.choice(PAIRS)
            for position in (low, high):
                kept += [(4 * chunk + position) * unit + u for u in range(unit)]
            nibbles.append(low | high << 2)
    return kept, nibbles


def metadata(shape, ab, selector, nibbles):
    """The metadata register of every lane; lanes that do not supply any hold rubbish."""
    lanes = [0x5A5A5A5A ^ lane * 0x01010101 for lane in range(32)]

    def word(list_):
        return sum(n << 4 * i for i, n in enumerate(list_))

    k = shape[2]
    small = (ab in ("f16", "bf16") and k == 16) or (ab == "tf32" and k == 8)
    for g in range(8):
        if ab in ("s8", "s4"):
            halves = 2 if (ab, k) in (("s8", 64), ("s4", 128)) else 1
            for c in range(halves):
                for h in range(2):
                    lane = 4 * g + (2 * c + h if halves == 2 else 2 * selector + h)
                    lanes[lane] = word(nibbles[g + 8 * h][8 * c:8 * c + 8])
        else:
            for c in range(1 if small else 2):
                lane = 4 * g + (selector if small else 2 * selector + c)
                lanes[lane] = word(nibbles[g][4 * c:4 * c + 4]) | word(nibbles[g + 8][4 * c:4 * c + 4]) << 16
    return pack(lanes, 4)


def fragment_a(k, per, lane):
    g, t = lane >> 2, lane & 3
    return [[(g + 8 * (r & 1), 4 * per * (r >> 1) + per * t + e) for e in range(per)] for r in range(16 * k // 32 // per)]


def cases():
    rows = []
    for number, (shape, ab, cd, selectors) in enumerate(SHAPES):
        for selector in range(selectors):
            m, n, k = shape
            name = f"sparse_m{m}n{n}k{k}_{ab}_{cd}_{selector}"
            random = Random(1000 + 10 * number + selector)
            ea, ec = ELEMENTS[ab], ELEMENTS[cd]
            full = [[0] * k for _ in range(m)]
            stored, nibbles = [], []
            for i in range(m):
                kept, row_nibbles = choose(random, ab, k)
                values = [random.choice([v for v in ea.values if v]) for _ in kept]
                for position, value in zip(kept, values):
                    full[i][position] = value
                stored.append(values)
                nibbles.append(row_nibbles)
            b = matrix(random, k, n, ea.values)
            c = matrix(random, m, n, ec.values)
            d = product(full, b, c)

            def c_registers(lane):
                return by_register(fragment_c(m, n, lane), ec.per)

            ra, rb, count = m * k // 64 // ea.per, n * k // 32 // ea.per, m * n // 32
            rc = count // ec.per
            acc, flat = accumulator(ec, count), f"vector<{count}x{ec.mlir}>"
            tf32 = ", tf32Enabled" if ab == "tf32" else ""
            chosen = f", sparsitySelector = {selector} : i32" if selector else ""
            text = kernel(name, f"%a: memref<32x{ra}xi32>, %b: memref<32x{rb}xi32>, %c: memref<32x{rc}xi32>, "
                                f"%e: memref<32x1xi32>, %d: memref<32x{rc}xi32>", f"""
                {load_fragment("A", "%a", ea, ra)}{load_fragment("B", "%b", ea, rb)}{load_fragment("C", "%c", ec, rc, acc)}
                %ew = vector.load %e[%lane, %c0] : memref<32x1xi32>, vector<1xi32>
                %meta = vector.bitcast %ew : vector<1xi32> to vector<2xi16>
                %D = nvgpu.mma.sp.sync(%A, %B, %C) metadata(%meta) {{mmaShape = [{m}, {n}, {k}]{tf32}{chosen}}}
                  : ({vector(ea, ra)}, {vector(ea, rb)}, {acc}) -> {acc}
                %f = vector.shape_cast %D : {acc} to {flat}
                %w = vector.bitcast %f : {flat} to vector<{rc}xi32>
                vector.store %w, %d[%lane, %c0] : memref<32x{rc}xi32>, vector<{rc}xi32>""")
            want = spread(d, c_registers, ec)
            middle = r"(\.satfinite)?" if cd == "s32" else ""
            rows.append(Case("nvgpu.mma.sp.sync", name, text, SM80,
                             args=[bytearray(spread(stored, lambda lane: fragment_a(k // 2, ea.per, lane), ea)),
                                   bytearray(spread(b, lambda lane: fragment_b(n, k, ea.per, lane), ea)),
                                   bytearray(spread(c, c_registers, ec)), bytearray(metadata(shape, ab, selector, nibbles)),
                                   (bytearray(len(want)), "out")], expect={4: want},
                             ptx=(rf"mma\.sp(::ordered_metadata)?\.sync\.aligned\.m{m}n{n}k{k}\.row\.col{middle}\.{cd}\.{ab}\.{ab}\.{cd}\s"
                                  rf"[^;]*,\s*(0x)?{selector};",)))
    # Planted: metadata that names one position twice.
    rows.append(Case("nvgpu.mma.sp.sync", "sparse_bad_metadata",
                     rows[0].text.replace("sparse_m16n8k16_f16_f32_0", "sparse_bad_metadata"), SM80,
                     args=[*rows[0].args[:3], bytearray(128), rows[0].args[4]], reports=("invalid",), says="sparsity metadata"))
    return rows
