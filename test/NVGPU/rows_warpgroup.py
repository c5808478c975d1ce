# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.warpgroup.*: descriptors of tiles that TMA brought, products of a warpgroup, accumulators and where they are stored.

A is stored with K contiguous. B is stored as the descriptor's memref says: rows of K, N contiguous, which transposeB tells
the instruction."""

from case import SM90A, Case, kernel
from emulator import Hidden
from formats import BF16, E4M3, E5M2, F16, F32, Random, pack
from rows_tma import GROUP, SWIZZLE, descriptor, memref, tensor_map, wait

FLOAT16, FLOAT32, BFLOAT16, UINT8 = 6, 7, 9, 0


class Type:
    def __init__(self, mlir, ptx, code, width, form, values):
        self.mlir, self.ptx, self.code, self.width, self.form, self.values = mlir, ptx, code, width, form, values


TYPES = {
    "f16": Type("f16", "f16", FLOAT16, 2, F16, range(-3, 4)), "bf16": Type("bf16", "bf16", BFLOAT16, 2, BF16, range(-3, 4)),
    "tf32": Type("tf32", "tf32", FLOAT32, 4, F32, range(-3, 4)),
    "e4m3": Type("f8E4M3FN", "e4m3", UINT8, 1, E4M3, range(-3, 4)),
    "e5m2": Type("f8E5M2", "e5m2", UINT8, 1, E5M2, range(-3, 4)),
}


def image(matrix, t):
    return b"".join(pack([t.form.encode(v) for v in row], t.width) for row in matrix)


def warpgroup_kernel(name, t, m, n, k, d, swizzle, transpose_b=True, wait_text=None, products=1, swizzle_b=None, fence=""):
    """One tile of A (m x k) and one of B, which needs as many boxes as its rows have spans."""
    span = SWIZZLE[swizzle][1] // t.width
    b_shape = (k, n) if transpose_b else (n, k)
    kind_a = descriptor((m, k), t.mlir, swizzle)
    boxes = n // span if transpose_b else 1
    box_b = (k, span) if transpose_b else (n, k)
    kind_b = descriptor(box_b, t.mlir, swizzle)
    full_b = memref(b_shape, t.mlir)
    acc = f"!nvgpu.warpgroup.accumulator<fragmented = vector<{m}x{n}x{d}>>"
    desc_a = f"!nvgpu.warpgroup.descriptor<tensor = {memref((m, k), t.mlir)}>"
    desc_b = f"!nvgpu.warpgroup.descriptor<tensor = {full_b}>"
    size = (m * k + n * k) * t.width
    shared = f"memref<{size}xi8, 3>"
    loads = []
    for i in range(boxes):
        at = m * k * t.width + i * box_b[0] * box_b[1] * t.width
        loads.append(f"""
          %ob{i} = arith.constant {at} : index
          %sb{i} = memref.view %s[%ob{i}][] : {shared} to {memref(box_b, t.mlir)}
          %x{i} = arith.constant {i * span if transpose_b else 0} : index
          nvgpu.tma.async.load %mb[%x{i}, %c0], %b[%c0] to %sb{i}, predicate = %p : {kind_b}, {GROUP} -> {memref(box_b, t.mlir)}""")
    steps, last = "", "%acc0"
    for i in range(products):
        steps += f"""
        %acc{i + 1} = nvgpu.warpgroup.mma %da, %db, {last} {{{'transposeB, ' if transpose_b else ''}waitGroup = 0 : i64}}
          : {desc_a}, {desc_b}, {acc} -> {acc}"""
        last = f"%acc{i + 1}"
    return kernel(name, f"%ma: {kind_a}, %mb: {kind_b}, %out: memref<{m}x{n}x{d}>", f"""
        %p = arith.cmpi eq, %t, %c0 : index
        %false = arith.constant false
        %b = nvgpu.mbarrier.create -> {GROUP}
        nvgpu.mbarrier.init %b[%c0], %c1, predicate = %p : {GROUP}
        nvvm.fence.mbarrier.init
        gpu.barrier
        %bytes = arith.constant {size} : index
        %sa = memref.view %s[%c0][] : {shared} to {memref((m, k), t.mlir)}
        %ofb = arith.constant {m * k * t.width} : index
        %sb = memref.view %s[%ofb][] : {shared} to {full_b}
        nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %p : {GROUP}
        nvgpu.tma.async.load %ma[%c0, %c0], %b[%c0] to %sa, predicate = %p : {kind_a}, {GROUP} -> {memref((m, k), t.mlir)}
        {"".join(loads)}
        {wait() if wait_text is None else wait_text}
        %da = nvgpu.warpgroup.generate.descriptor %sa, %ma : {memref((m, k), t.mlir)}, {kind_a} -> {desc_a}
        %db = nvgpu.warpgroup.generate.descriptor %sb, %mb : {full_b}, {kind_b} -> {desc_b}
        %acc0 = nvgpu.warpgroup.mma.init.accumulator -> {acc}
        {steps}
        {fence}
        nvgpu.warpgroup.mma.store {last}, %out : {acc} to memref<{m}x{n}x{d}>""",
                  workgroup=f"%s: {shared} {{llvm.align = 1024 : i64}}")


def case(name, tname, m, n, k, d, swizzle, transpose_b=True, seed=0, row="nvgpu.warpgroup.mma", products=1, **kwargs):
    t = TYPES[tname]
    random = Random(7000 + seed)
    a = [[random.choice(t.values) for _ in range(k)] for _ in range(m)]
    b = [[random.choice(t.values) for _ in range(n)] for _ in range(k)]
    columns = list(zip(*b))
    want = [[products * sum(x * y for x, y in zip(r, c)) for c in columns] for r in a]
    form = {"f32": F32, "f16": F16}[d]
    span = SWIZZLE[swizzle][1] // t.width
    stored_b = b if transpose_b else [list(c) for c in columns]
    box_b = (k, span) if transpose_b else (n, k)
    text = warpgroup_kernel(name, t, m, n, k, d, swizzle, transpose_b, products=products,
                            **{key: kwargs.pop(key) for key in ("wait_text", "fence") if key in kwargs})
    reports = kwargs.get("reports", ())
    pattern = (r"wgmma\.fence\.sync\.aligned;", rf"wgmma\.mma_async\.sync\.aligned\.m64n{n}k{32 // t.width}\.{d}\.{t.ptx}\.{t.ptx}",
               r"wgmma\.commit_group\.sync\.aligned;", r"wgmma\.wait_group\.sync\.aligned\s+0;")
    return Case(row, name, text, SM90A, block=(128,),
                args=[Hidden(bytearray(image(a, t))), Hidden(bytearray(image(stored_b, t))),
                      tensor_map(0, t.code, t.width, (m, k), (m, k), swizzle),
                      tensor_map(1, t.code, t.width, (k, n) if transpose_b else (n, k), box_b, swizzle),
                      (bytearray(m * n * form.bits // 8), "out")],
                expect={} if reports else {4: b"".join(pack([form.encode(v) for v in r], form.bits // 8) for r in want)},
                ptx=() if reports else pattern, **kwargs)


def cases():
    rows = []
    number = 0
    for tname, k, swizzle, transpose_b, shapes in (
            ("f16", 64, "swizzle_128b", True, ((64, 64), (128, 64), (64, 128), (128, 128))),
            ("bf16", 64, "swizzle_128b", True, ((64, 64), (128, 128))),
            ("f16", 32, "swizzle_64b", True, ((64, 32), (64, 64))), ("f16", 16, "swizzle_32b", True, ((64, 16), (64, 32))),
            ("f16", 64, "swizzle_128b", False, ((64, 64), (64, 8), (128, 128))),
            ("tf32", 32, "swizzle_128b", False, ((64, 32), (64, 64))),
            ("e4m3", 128, "swizzle_128b", False, ((64, 32), (128, 64))), ("e5m2", 128, "swizzle_128b", False, ((64, 32),))):
        for m, n in shapes:
            number += 1
            name = f"warpgroup_{tname}_{m}x{n}x{k}_{swizzle}{'_transb' if transpose_b else ''}"
            rows.append(case(name, tname, m, n, k, "f32", swizzle, transpose_b, seed=number))
    # The other rows of the table are what those kernels begin and end with; each has one of its own.
    for row in ("generate.descriptor", "mma.init.accumulator", "mma.store"):
        name = "warpgroup_" + row.replace(".", "_")
        rows.append(case(name, "f16", 64, 64, 64, "f32", "swizzle_128b", seed=number, row="nvgpu.warpgroup." + row))
    rows.append(case("warpgroup_chain", "f16", 64, 64, 64, "f32", "swizzle_128b", seed=50, products=3))
    rows.append(case("warpgroup_f16_f16", "f16", 64, 64, 64, "f16", "swizzle_128b", seed=51))
    # Planted: nobody waits for the tiles; nobody waits for the product.
    rows.append(case("warpgroup_no_wait", "f16", 64, 64, 64, "f32", "swizzle_128b", wait_text="", reports=("async", "race")))
    unfinished = case("warpgroup_unfinished", "f16", 64, 64, 64, "f32", "swizzle_128b", reports=("async",))
    unfinished.text = unfinished.text.replace("waitGroup = 0", "waitGroup = 1")
    rows.append(unfinished)
    return rows
