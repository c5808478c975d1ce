# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.warpgroup.*: descriptors of tiles that TMA brought, products of a warpgroup, accumulators and where they are stored.

A is M x K and B is K x N; which of its dimensions is dense in memory is what transposeA and transposeB say: without them K is,
with them M or N, in atoms of 128 bytes. TMA moves f32 where the product reads tf32."""

import operator

from case import SM90A, Case, kernel
from emulator import Hidden
from formats import BF16, E4M3, E5M2, F16, F32, Random, pack
from rows_tma import GROUP, SWIZZLE, descriptor, memref, tensor_map, wait

FLOAT16, FLOAT32, BFLOAT16, UINT8 = 6, 7, 9, 0


class Type:
    def __init__(self, mlir, ptx, code, width, form, values, moved=None):
        self.mlir, self.ptx, self.code, self.width, self.form, self.values = mlir, ptx, code, width, form, values
        self.moved = moved or mlir


TYPES = {
    "f16": Type("f16", "f16", FLOAT16, 2, F16, range(-3, 4)), "bf16": Type("bf16", "bf16", BFLOAT16, 2, BF16, range(-3, 4)),
    "tf32": Type("tf32", "tf32", FLOAT32, 4, F32, range(-3, 4), moved="f32"),
    "e4m3": Type("f8E4M3FN", "e4m3", UINT8, 1, E4M3, range(-3, 4)),
    "e5m2": Type("f8E5M2", "e5m2", UINT8, 1, E5M2, range(-3, 4)),
}


def image(matrix, t):
    return b"".join(pack([t.form.encode(v) for v in row], t.width) for row in matrix)


class Tile:
    """A rows x depth operand (rows of the product), as TMA brings it: boxes of one atom's width."""

    def __init__(self, t, rows, depth, transposed, swizzle="swizzle_128b"):
        self.t, self.swizzle = t, swizzle
        span = SWIZZLE[swizzle][1] // t.width
        self.stored = (depth, rows) if transposed else (rows, depth)
        self.box = (self.stored[0], span)
        self.boxes = self.stored[1] // span
        self.bytes = rows * depth * t.width
        self.kind = descriptor(self.box, t.moved, swizzle)

    def image(self, matrix, transposed):
        return image([list(c) for c in zip(*matrix)] if transposed else matrix, self.t)

    def map(self, array):
        return tensor_map(array, self.t.code, self.t.width, self.stored, self.box, self.swizzle)

    def loads(self, name, at, shared):
        text, size = "", self.box[0] * self.box[1] * self.t.width
        for i in range(self.boxes):
            text += f"""
        %o{name}{i} = arith.constant {at + i * size} : index
        %s{name}{i} = memref.view %s[%o{name}{i}][] : {shared} to {memref(self.box, self.t.moved)}
        %x{name}{i} = arith.constant {i * self.box[1]} : index
        nvgpu.tma.async.load %m{name}[%x{name}{i}, %c0], %b[%c0] to %s{name}{i}, predicate = %p
          : {self.kind}, {GROUP} -> {memref(self.box, self.t.moved)}"""
        return text


def warpgroup_kernel(name, t, m, n, k, d, transpose_a=False, transpose_b=True, wait_text=None, products=1, wait_group=0):
    a, b = Tile(t, m, k, transpose_a), Tile(t, n, k, transpose_b)
    acc = f"!nvgpu.warpgroup.accumulator<fragmented = vector<{m}x{n}x{d}>>"
    type_a, type_b = memref((m, k), t.mlir), memref((k, n), t.mlir)
    desc_a, desc_b = (f"!nvgpu.warpgroup.descriptor<tensor = {type_}>" for type_ in (type_a, type_b))
    size = a.bytes + b.bytes
    shared = f"memref<{size}xi8, 3>"
    attributes = ("transposeA, " if transpose_a else "") + ("transposeB, " if transpose_b else "")
    steps = ""
    for i in range(products):
        steps += f"""
        %acc{i + 1} = nvgpu.warpgroup.mma %da, %db, %acc{i} {{{attributes}waitGroup = {wait_group} : i64}}
          : {desc_a}, {desc_b}, {acc} -> {acc}"""
    return kernel(name, f"%ma: {a.kind}, %mb: {b.kind}, %out: memref<{m}x{n}x{d}>", f"""
        %p = arith.cmpi eq, %t, %c0 : index
        %false = arith.constant false
        %b = nvgpu.mbarrier.create -> {GROUP}
        nvgpu.mbarrier.init %b[%c0], %c1, predicate = %p : {GROUP}
        nvvm.fence.mbarrier.init
        gpu.barrier
        %bytes = arith.constant {size} : index
        %begin_b = arith.constant {a.bytes} : index
        nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %p : {GROUP}
        {a.loads("a", 0, shared)}{b.loads("b", a.bytes, shared)}
        {wait() if wait_text is None else wait_text}
        %sa = memref.view %s[%c0][] : {shared} to {type_a}
        %sb = memref.view %s[%begin_b][] : {shared} to {type_b}
        %da = nvgpu.warpgroup.generate.descriptor %sa, %ma : {type_a}, {a.kind} -> {desc_a}
        %db = nvgpu.warpgroup.generate.descriptor %sb, %mb : {type_b}, {b.kind} -> {desc_b}
        %acc0 = nvgpu.warpgroup.mma.init.accumulator -> {acc}
        {steps}
        nvgpu.warpgroup.mma.store %acc{products}, %out : {acc} to memref<{m}x{n}x{d}>""",
                  workgroup=f"%s: {shared} {{llvm.align = 1024 : i64}}")


def case(name, tname, m, n, k, d="f32", transpose_a=False, transpose_b=True, seed=0, row="nvgpu.warpgroup.mma", products=1,
         reports=(), **kwargs):
    t = TYPES[tname]
    random = Random(7000 + seed)
    a = [[random.choice(t.values) for _ in range(k)] for _ in range(m)]
    b = [[random.choice(t.values) for _ in range(n)] for _ in range(k)]
    columns = [list(c) for c in zip(*b)]
    want = [[products * sum(map(operator.mul, r, c)) for c in columns] for r in a]
    tile_a, tile_b = Tile(t, m, k, transpose_a), Tile(t, n, k, transpose_b)
    text = warpgroup_kernel(name, t, m, n, k, d, transpose_a, transpose_b, products=products, **kwargs)
    transposes = rf"{int(transpose_a)},\s*{int(transpose_b)};" if t.width == 2 else "1;"
    pattern = (r"wgmma\.fence\.sync\.aligned;",
               rf"wgmma\.mma_async\.sync\.aligned\.m64n{n}k{32 // t.width}\.{d}\.{t.ptx}\.{t.ptx}[^;]*{transposes}",
               r"wgmma\.commit_group\.sync\.aligned;", r"wgmma\.wait_group\.sync\.aligned\s+0;")
    return Case(row, name, text, SM90A, block=(128,),
                args=[Hidden(bytearray(tile_a.image(a, transpose_a))), Hidden(bytearray(tile_b.image(columns, transpose_b))),
                      tile_a.map(0), tile_b.map(1), (bytearray(m * n * 4), "out")],
                expect={} if reports else {4: b"".join(pack([F32.encode(v) for v in r], 4) for r in want)},
                ptx=() if reports else pattern, reports=reports)


def cases():
    rows = []
    # Every type; one and two groups of 64 rows; narrow and wide; both layouts of each operand where the type has them.
    for number, (tname, k, transpose_a, transpose_b, shapes) in enumerate((
            ("f16", 64, False, True, ((64, 64), (128, 64), (64, 128), (128, 128), (64, 256))),
            ("f16", 64, False, False, ((64, 8), (64, 24), (64, 64), (128, 128))),
            ("f16", 64, True, True, ((64, 64), (128, 64))),
            ("f16", 128, False, True, ((64, 64), (128, 128))), ("f16", 128, False, False, ((128, 64),)),
            ("f16", 16, True, True, ((128, 64),)), ("bf16", 64, False, True, ((64, 64), (128, 128))),
            ("bf16", 64, False, False, ((64, 40),)), ("tf32", 32, False, False, ((64, 32), (128, 64))),
            ("e4m3", 128, False, False, ((64, 32), (128, 64))), ("e5m2", 128, False, False, ((64, 32),)))):
        for m, n in shapes:
            name = f"warpgroup_{tname}_{m}x{n}x{k}{'_ta' if transpose_a else ''}{'_tb' if transpose_b else ''}"
            rows.append(case(name, tname, m, n, k, transpose_a=transpose_a, transpose_b=transpose_b, seed=number))
    # The other rows of the table are what those kernels begin and end with; each has one of its own.
    for number, row in enumerate(("generate.descriptor", "mma.init.accumulator", "mma.store")):
        rows.append(case("warpgroup_" + row.replace(".", "_"), "f16", 128, 64, 64, seed=90 + number, row="nvgpu.warpgroup." + row))
    rows.append(case("warpgroup_chain", "f16", 64, 64, 64, seed=50, products=3))
    # Planted: nobody waits for the tiles; nobody waits for the product.
    rows.append(case("warpgroup_no_wait", "f16", 64, 64, 64, wait_text="", reports=("async", "race")))
    # The descriptor of B names other bytes than the copies wrote: a row of the pattern cannot begin there; it can, but nobody has
    # written the end.
    for name, by, report in (("misaligned", 112, "descriptor"), ("misplaced", 512, "uninitialized")):
        moved = case(f"warpgroup_{name}", "f16", 64, 64, 64, row="nvgpu.warpgroup.generate.descriptor", reports=(report,))
        moved.text = moved.text.replace("memref<16384xi8, 3>", "memref<16896xi8, 3>").replace(
            "%begin_b = arith.constant 8192", f"%begin_b = arith.constant {8192 + by}")
        rows.append(moved)
    rows.append(case("warpgroup_unfinished", "f16", 64, 64, 64, wait_group=1, reports=("async",)))
    return rows
