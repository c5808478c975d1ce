# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.ldmatrix: one, two and four 8x8 matrices, plain and transposed, and wider or narrower elements in the plain form."""

from case import SM75, Case, kernel
from formats import Random


def lanes_of(image, stride, tiles, transpose):
    """Registers of every lane (PTX ISA, ldmatrix): row r of matrix j is the 16 bytes at the address lane 8j + r gives; lane
    l gets of each matrix the 32 bits of row l/4, columns 2(l%4) and the next, or the transposed ones."""
    out = b""
    for lane in range(32):
        for j in range(tiles):
            for half in range(2):
                row, column = lane // 4, 2 * (lane % 4) + half
                if transpose:
                    row, column = column, row
                start = address(8 * j + row, stride) + 2 * column
                out += image[start:start + 2]
    return out


def address(lane, stride):
    """Where the row that lane `lane` names begins: matrices 0 and 1 above each other, 2 and 3 to their right."""
    row, column = lane % 16, 16 * (lane // 16)
    return row * stride + column


def ldmatrix_kernel(name, element, width, tiles, transpose, per, pitch):
    columns = pitch // width
    rows, size = 16, 16 * columns
    step = 16 // width
    words = tiles
    return kernel(name, f"%src: memref<{size}x{element}>, %out: memref<32x{words}xi32>", f"""
        %n = arith.constant {size} : index
        scf.for %i = %t to %n step %c32 {{
          %v = memref.load %src[%i] : memref<{size}x{element}>
          %columns = arith.constant {columns} : index
          %r = arith.divui %i, %columns : index
          %k = arith.remui %i, %columns : index
          memref.store %v, %s[%r, %k] : memref<{rows}x{columns}x{element}, 3>
        }}
        gpu.barrier
        %c16_ = arith.constant 16 : index
        %step = arith.constant {step} : index
        %row = arith.remui %lane, %c16_ : index
        %right = arith.divui %lane, %c16_ : index
        %column = arith.muli %right, %step : index
        %m = nvgpu.ldmatrix %s[%row, %column] {{numTiles = {tiles} : i32, transpose = {str(transpose).lower()}}}
          : memref<{rows}x{columns}x{element}, 3> -> vector<{tiles}x{per}x{element}>
        %f = vector.shape_cast %m : vector<{tiles}x{per}x{element}> to vector<{tiles * per}x{element}>
        %w = vector.bitcast %f : vector<{tiles * per}x{element}> to vector<{words}xi32>
        vector.store %w, %out[%lane, %c0] : memref<32x{words}xi32>, vector<{words}xi32>""",
                  workgroup=f"%s: memref<{rows}x{columns}x{element}, 3> {{llvm.align = 16 : i64}}")


def cases():
    rows = []
    random = Random(7)
    for element, width in (("f16", 2), ("bf16", 2), ("f32", 4), ("i8", 1), ("i32", 4)):
        for tiles in (1, 2, 4):
            for transpose in (False, True):
                if transpose and width != 2:
                    continue  # rows are exchanged 16 bits at a time
                pitch = 48  # bytes between rows: not a power of two
                image = random.bytes(16 * pitch)
                name = f"ldmatrix_{element}_x{tiles}{'_trans' if transpose else ''}"
                trans = r"\.trans" if transpose else ""
                rows.append(Case("nvgpu.ldmatrix", name,
                                 ldmatrix_kernel(name, element, width, tiles, transpose, 4 // width, pitch), SM75,
                                 args=[bytearray(image), (bytearray(128 * tiles), "out")],
                                 expect={1: lanes_of(image, pitch, tiles, transpose)},
                                 ptx=(rf"ldmatrix\.sync\.aligned\.m8n8\.x{tiles}{trans}\.shared(::cta)?\.b16 ",)))
    image = random.bytes(16 * 48)
    text = ldmatrix_kernel("ldmatrix_workgroup", "f16", 2, 4, True, 2, 48).replace(", 3>", ", #gpu.address_space<workgroup>>")
    rows.append(Case("nvgpu.ldmatrix", "ldmatrix_workgroup", text, SM75, args=[bytearray(image), (bytearray(512), "out")],
                     expect={1: lanes_of(image, 48, 4, True)}, ptx=(r"ldmatrix\.sync\.aligned\.m8n8\.x4\.trans\.shared",)))
    # Planted: rows that do not begin at multiples of 16 bytes; shared memory nobody published.
    image = random.bytes(16 * 48)
    text = ldmatrix_kernel("ldmatrix_misaligned", "f16", 2, 4, False, 2, 48)
    rows.append(Case("nvgpu.ldmatrix", "ldmatrix_misaligned", text.replace("%row, %column", "%row, %row"), SM75,
                     args=[bytearray(image), (bytearray(512), "out")], reports=("misaligned",)))
    text = ldmatrix_kernel("ldmatrix_no_barrier", "f16", 2, 4, False, 2, 48).replace("gpu.barrier", "")
    rows.append(Case("nvgpu.ldmatrix", "ldmatrix_no_barrier", text, SM75, args=[bytearray(image), (bytearray(512), "out")],
                     reports=("race",)))
    return rows
