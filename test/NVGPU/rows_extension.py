# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations MLIR lacks: stmatrix, tma.async.reduce, mbarrier.inval, tensor maps edited on the device."""

from case import SM80, SM90, SM90A_UP, Case, kernel
from emulator import Hidden
from formats import BF16, F16, F32, F64, Fraction, Random, pack, words
from rows_ldmatrix import address
from rows_mbarrier import GROUP, TOKEN, init
from rows_tma import (BEGIN, INT32, box_of, coordinates, copy_out, descriptor, indices, memref, offset, tensor_map, wait)

BFLOAT16, UINT32, UINT64, INT64, FLOAT16, FLOAT32, FLOAT64 = 9, 2, 4, 5, 6, 7, 8


def stored_matrices(registers, pitch, tiles, transpose):
    """The inverse of ldmatrix: 16 rows of `pitch` bytes."""
    out = bytearray(16 * pitch)
    for lane in range(32):
        for j in range(tiles):
            for half in range(2):
                row, column = lane // 4, 2 * (lane % 4) + half
                if transpose:
                    row, column = column, row
                to, of = address(8 * j + row, pitch) + 2 * column, 4 * (lane * tiles + j) + 2 * half
                out[to:to + 2] = registers[of:of + 2]
    return bytes(out)


def stmatrix_kernel(name, element, width, tiles, transpose, pitch):
    columns, per = pitch // width, 4 // width
    size = 16 * columns
    return kernel(name, f"%in: memref<32x{tiles}xi32>, %out: memref<{size}x{element}>", f"""
        %zero = arith.constant {'0.0' if element[0] in 'fb' else '0'} : {element}
        %n = arith.constant {size} : index
        %columns = arith.constant {columns} : index
        scf.for %i = %t to %n step %c32 {{
          %r = arith.divui %i, %columns : index
          %k = arith.remui %i, %columns : index
          memref.store %zero, %s[%r, %k] : memref<16x{columns}x{element}, 3>
        }}
        gpu.barrier
        %c16_ = arith.constant 16 : index
        %step = arith.constant {16 // width} : index
        %row = arith.remui %lane, %c16_ : index
        %right = arith.divui %lane, %c16_ : index
        %column = arith.muli %right, %step : index
        %w = vector.load %in[%lane, %c0] : memref<32x{tiles}xi32>, vector<{tiles}xi32>
        %f = vector.bitcast %w : vector<{tiles}xi32> to vector<{tiles * per}x{element}>
        %m = vector.shape_cast %f : vector<{tiles * per}x{element}> to vector<{tiles}x{per}x{element}>
        nvgpu.stmatrix %m, %s[%row, %column] {'{transpose}' if transpose else ''}
          : vector<{tiles}x{per}x{element}>, memref<16x{columns}x{element}, 3>
        gpu.barrier
        scf.for %i = %t to %n step %c32 {{
          %r = arith.divui %i, %columns : index
          %k = arith.remui %i, %columns : index
          %v = memref.load %s[%r, %k] : memref<16x{columns}x{element}, 3>
          memref.store %v, %out[%i] : memref<{size}x{element}>
        }}""", workgroup=f"%s: memref<16x{columns}x{element}, 3> {{llvm.align = 16 : i64}}")


def combine(op, old, new, kind, bits, form):
    mask = (1 << bits) - 1
    if form:
        a, b = form.decode(old), form.decode(new)
        return form.encode(a + b if op == "add" else min(a, b) if op == "min" else max(a, b))

    def signed(v):
        return v - (1 << bits) if kind == "s" and v >> (bits - 1) else v

    return {"add": lambda: old + new, "min": lambda: min(signed(old), signed(new)), "max": lambda: max(signed(old), signed(new)),
            "inc": lambda: 0 if old >= new else old + 1, "dec": lambda: new if old == 0 or old > new else old - 1,
            "and": lambda: old & new, "or": lambda: old | new, "xor": lambda: old ^ new}[op]() & mask


def reduce_kernel(name, element, box, start, op, predicate="%p", finish=True):
    count = 1
    for n in box:
        count *= n
    kind = descriptor(box, element)
    flat = f"memref<{count}x{element}, 3>"
    group = ", ".join(map(str, range(len(box))))
    starts = "\n".join(f"        %x{i} = arith.constant {v} : index" for i, v in enumerate(start))
    guard = f", predicate = {predicate}" if predicate else ""
    reduce_ = f"nvgpu.tma.async.reduce %s to %map[{coordinates(len(box))}], {op}{guard} : {memref(box, element)} -> {kind}"
    if not predicate:
        reduce_ = f"scf.if %p {{\n          {reduce_}\n        }}"
    return kernel(name, f"%src: memref<{count}x{element}>, %tensor: !llvm.ptr, %map: {kind}", f"""
        %p = arith.cmpi eq, %t, %c0 : index
        %never = arith.cmpi eq, %t, %c32 : index
{starts}
        %flat = memref.collapse_shape %s [[{group}]] : {memref(box, element)} into {flat}
        %count = arith.constant {count} : index
        scf.for %i = %t to %count step %c32 {{
          %v = memref.load %src[%i] : memref<{count}x{element}>
          memref.store %v, %flat[%i] : {flat}
        }}
        nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
        gpu.barrier
        {reduce_}
        {'''nvvm.cp.async.bulk.commit.group
        nvvm.cp.async.bulk.wait_group 0''' if finish else ''}""",
                  workgroup=f"%s: {memref(box, element)} {{llvm.align = 128 : i64}}")


# Operation, element type of the memref, the map's type, signedness, bytes, format (PTX ISA, cp.reduce.async.bulk.tensor).
REDUCTIONS = [(op, "i32", UINT32, "u", 4, None) for op in ("add", "min", "max", "inc", "dec", "and", "or", "xor")]
REDUCTIONS += [(op, "i32", INT32, "s", 4, None) for op in ("add", "min", "max")]
REDUCTIONS += [(op, "i64", UINT64, "u", 8, None) for op in ("add", "min", "max", "and", "or", "xor")]
REDUCTIONS += [(op, "i64", INT64, "s", 8, None) for op in ("min", "max")]
REDUCTIONS += [("add", "f32", FLOAT32, "", 4, F32)]
REDUCTIONS += [(op, "f16", FLOAT16, "", 2, F16) for op in ("add", "min", "max")]
REDUCTIONS += [(op, "bf16", BFLOAT16, "", 2, BF16) for op in ("add", "min", "max")]


def cases():
    rows = []
    random = Random(31)
    for element, width in (("f16", 2), ("bf16", 2), ("f32", 4), ("i8", 1), ("i32", 4)):
        for tiles in (1, 2, 4):
            for transpose in (False, True):
                if transpose and width != 2:
                    continue
                registers, pitch = random.bytes(128 * tiles), 48
                name = f"stmatrix_{element}_x{tiles}{'_trans' if transpose else ''}"
                rows.append(Case("nvgpu.stmatrix", name, stmatrix_kernel(name, element, width, tiles, transpose, pitch), SM90,
                                 args=[bytearray(registers), (bytearray(16 * pitch), "out")],
                                 expect={1: stored_matrices(registers, pitch, tiles, transpose)},
                                 ptx=(rf"stmatrix\.sync\.aligned\.m8n8\.x{tiles}{r'.trans' if transpose else ''}\.shared(::cta)?\.b16\s",)))
    text = stmatrix_kernel("stmatrix_no_barrier", "f16", 2, 4, False, 48)
    rows.append(Case("nvgpu.stmatrix", "stmatrix_no_barrier", text[::-1].replace("gpu.barrier"[::-1], "", 1)[::-1], SM90,
                     args=[bytearray(random.bytes(512)), (bytearray(16 * 48), "out")], reports=("race",)))

    # Reductions: the tensor's part becomes op(tensor, tile); outside the tensor nothing happens.
    for op, element, code, sign, width, form in REDUCTIONS:
        shape, box, start = (6, 64 // width), (4, 32 // width), (1, 16 // width)
        total = shape[0] * shape[1]

        def values(n):
            if form:
                return [form.encode(Fraction(random.between(-40, 40), 4)) for _ in range(n)]
            return [random.bits(8 * width) if i % 3 else random.below(6) for i in range(n)]

        tensor, tile = values(total), values(box[0] * box[1])
        want = list(tensor)
        for index in indices(box):
            where = [i + s for i, s in zip(index, start)]
            if all(0 <= i < n for i, n in zip(where, shape)):
                at = offset(where, shape)
                want[at] = combine(op, tensor[at], tile[offset(index, box)], sign, 8 * width, form)
        name = f"reduce_{op}_{sign}{element}"
        rows.append(Case("nvgpu.tma.async.reduce", name, reduce_kernel(name, element, box, start, op), SM90,
                         args=[bytearray(pack(tile, width)), bytearray(pack(tensor, width)), tensor_map(1, code, width, shape, box)],
                         expect={1: pack(want, width)},
                         ptx=(rf"cp\.reduce\.async\.bulk\.tensor\.2d\.global\.shared::cta\.{op}\.tile\.bulk_group\s+\[%rd\d+, "
                              r"\{%r\d+, ?%r\d+\} ?\], \[%?\w+\];",)))
    # One to five dimensions, clipped; without a predicate; with one that is never true.
    for label, shape, box, start, predicate in (
            ("1d", (40,), (32,), (16,), "%p"), ("3d", (3, 4, 8), (2, 3, 8), (2, 2, 4), "%p"),
            ("4d", (2, 3, 4, 8), (2, 2, 2, 4), (1, 1, 1, 4), "%p"), ("5d", (2, 2, 3, 4, 8), (1, 2, 2, 2, 4), (1, 1, 1, 1, 4), "%p"),
            ("unpredicated", (4, 16), (2, 8), (1, 4), None), ("never", (4, 16), (2, 8), (1, 4), "%never")):
        total, count = offset([n - 1 for n in shape], shape) + 1, offset([n - 1 for n in box], box) + 1
        tensor, tile = [random.bits(32) for _ in range(total)], [random.bits(32) for _ in range(count)]
        want = list(tensor)
        for index in indices(box):
            where = [i + s for i, s in zip(index, start)]
            if label != "never" and all(0 <= i < n for i, n in zip(where, shape)):
                want[offset(where, shape)] = tensor[offset(where, shape)] + tile[offset(index, box)] & 0xFFFFFFFF
        name = f"reduce_{label}"
        rows.append(Case("nvgpu.tma.async.reduce", name, reduce_kernel(name, "i32", box, start, "add", predicate), SM90,
                         args=[bytearray(pack(tile, 4)), bytearray(pack(tensor, 4)), tensor_map(1, UINT32, 4, shape, box)],
                         expect={1: pack(want, 4)},
                         ptx=(rf"cp\.reduce\.async\.bulk\.tensor\.{len(shape)}d\.global\.shared::cta\.add",)))
    text = reduce_kernel("reduce_no_wait", "i32", (2, 8), (1, 4), "add", finish=False)
    rows.append(Case("nvgpu.tma.async.reduce", "reduce_no_wait", text, SM90,
                     args=[bytearray(64), bytearray(256), tensor_map(1, UINT32, 4, (4, 16), (2, 8))], reports=("async",)))

    # After inval the eight bytes are a barrier no longer: another init may follow, with another count.
    for predicate in (", predicate = %p", ""):
        name = "inval" + ("_predicated" if predicate else "")
        inval = f"nvgpu.mbarrier.inval %b[%c0]{predicate} : {GROUP}"
        if not predicate:
            inval = f"scf.if %p {{ {inval} }}"
        rows.append(Case("nvgpu.mbarrier.inval", name, kernel(name, "%out: memref<64xi32>", f"""
            %n = arith.constant 64 : index{init(GROUP, "%c1")}
            {inval}
            nvgpu.mbarrier.init %b[%c0], %n, predicate = %p : {GROUP}
            gpu.barrier
            %token = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}
            gpu.barrier
            %done = nvgpu.mbarrier.test.wait %b[%c0], %token : {GROUP}, {TOKEN}
            %d = arith.extui %done : i1 to i32
            memref.store %d, %out[%t] : memref<64xi32>"""), SM80, block=(64,), args=[(bytearray(256), "out")],
                         expect={0: pack([1] * 64, 4)}, ptx=(r"mbarrier\.inval\.shared(::cta)?\.b64\s+\[%?\w+\];",)))
    rows.append(Case("nvgpu.mbarrier.inval", "inval_then_arrive", kernel("inval_then_arrive", "%out: memref<64xi32>", f"""
            {init(GROUP, "%c1")}
            nvgpu.mbarrier.inval %b[%c0], predicate = %p : {GROUP}
            gpu.barrier
            %token = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}"""), SM80, block=(64,), args=[(bytearray(256), "out")],
                     reports=("mbarrier", "uninitialized")))

    rows += tensormap_cases(random)
    return rows


def tensormap_cases(random):
    """A map of one tensor is copied to shared memory, edited there, published, fenced, and used for a load. What each edit
    does is told by what the load brings."""
    rows = []
    shape, box = (8, 32), (4, 8)
    first = random.bytes(8 * 32 * 4)
    second = random.bytes(8 * 32 * 4)

    def gather(tensor, rows_, pitch, steps, size, at, fill=bytes(4)):
        """A box of `size` at `at` of a tensor with `rows_` x extents; steps are element strides."""
        out = b""
        for i in range(-(-size[0] // steps[0])):
            for j in range(size[1]):
                r, c = at[0] + i * steps[0], at[1] + j
                inside = 0 <= r < rows_[0] and 0 <= c < rows_[1]
                out += tensor[r * pitch + 4 * c:r * pitch + 4 * c + 4] if inside else fill
        return out

    # name, edits, what the load then brings, floor, pattern
    def edit(kind, value, type_, ord_=None):
        name = f"%{kind}{ord_ if ord_ is not None else ''}"
        attribute = f" {{ord = {ord_} : i32}}" if ord_ is not None else ""
        constant = f"{name} = arith.constant {value} : {type_}\n          " if value is not None else ""
        name = name if value is not None else "%second"
        return f"{constant}nvgpu.tensormap.update.{kind} %mailbox, {name}{attribute} : memref<128xi8, 3>"

    plain = gather(first, shape, 128, (1, 1), box, (2, 8))
    variants = [
        ("nvgpu.tensormap.create.descriptor", "copied", [], plain, SM90, ()),
        ("nvgpu.tensormap.publish", "published", [], plain, SM90,
         (r"tensormap\.cp_fenceproxy\.global\.shared::cta\.tensormap::generic\.release\.(gpu|sys|cta)\.sync\.aligned",)),
        ("nvgpu.tensormap.update.global_address", "address", [edit("global_address", None, "i64")],
         gather(second, shape, 128, (1, 1), box, (2, 8)), SM90A_UP,
         (r"tensormap\.replace\.tile\.global_address(\.shared::cta)?\.b1024\.b64",)),
        ("nvgpu.tensormap.update.box_dim", "box", [edit("box_dim", 2, "i32", 1), edit("box_dim", 16, "i32", 0)],
         gather(first, shape, 128, (1, 1), (2, 16), (2, 8)), SM90A_UP,
         (r"tensormap\.replace\.tile\.box_dim(\.shared::cta)?\.b1024\.b32\s+\[%?\w+\], 1, (%r\d+|2);",)),
        ("nvgpu.tensormap.update.element_stride", "step", [edit("element_stride", 2, "i32", 1), edit("box_dim", 8, "i32", 1)],
         gather(first, shape, 128, (2, 1), (8, 8), (2, 8)), SM90A_UP,
         (r"tensormap\.replace\.tile\.element_stride(\.shared::cta)?\.b1024\.b32\s+\[%?\w+\], 1, (%r\d+|2);",)),
        ("nvgpu.tensormap.update.global_dim", "extent", [edit("global_dim", 4, "i32", 1), edit("global_dim", 12, "i32", 0)],
         gather(first, (4, 12), 128, (1, 1), box, (2, 8)), SM90A_UP,
         (r"tensormap\.replace\.tile\.global_dim(\.shared::cta)?\.b1024\.b32",)),
        ("nvgpu.tensormap.update.global_stride", "pitch", [edit("global_stride", 64, "i64", 0)],
         gather(first, shape, 64, (1, 1), box, (2, 8)), SM90A_UP,
         (r"tensormap\.replace\.tile\.global_stride(\.shared::cta)?\.b1024\.b64",)),
    ]
    tile = descriptor(box, "i32")
    # Over zeros: nothing of the copied map is left.
    variants.append((
        "nvgpu.tensormap.init", "init",
        ["%nothing = arith.constant dense<0> : vector<128xi8>",
         "vector.store %nothing, %mailbox[%c0] : memref<128xi8, 3>, vector<128xi8>",
         f"nvgpu.tensormap.init %mailbox as {tile} : memref<128xi8, 3>", edit("global_address", None, "i64"),
         edit("global_dim", 32, "i32", 0), edit("global_dim", 8, "i32", 1), edit("global_stride", 128, "i64", 0)],
        gather(second, shape, 128, (1, 1), box, (2, 8)), SM90A_UP,
        (r"tensormap\.replace\.tile\.rank(\.shared::cta)?\.b1024\.b32\s+\[%?\w+\], (%r\d+|1);",
         r"tensormap\.replace\.tile\.elemtype(\.shared::cta)?\.b1024\.b32\s+\[%?\w+\], 2;")))

    def text(name, edits, fence=True, publish=True):
        lines = "\n          ".join(edits)
        return kernel(name, f"%map: {tile}, %slot: {tile}, %second: i64, %out: memref<32xi32>", f"""{BEGIN}
        %false = arith.constant false
        %all = arith.constant -1 : i32
        %bytes = arith.constant 128 : index
        %x0 = arith.constant 2 : index
        %x1 = arith.constant 8 : index
        scf.if %p {{
          nvgpu.tensormap.create.descriptor %map to %mailbox : {tile}, memref<128xi8, 3>
          {lines}
        }}
        nvvm.bar.warp.sync %all : i32
        {f'nvgpu.tensormap.publish %mailbox to %slot : memref<128xi8, 3>, {tile}' if publish else ''}
        {f'nvgpu.tma.fence.descriptor %slot : {tile}' if fence else ''}
        nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %p : {GROUP}
        nvgpu.tma.async.load %slot[%x1, %x0], %b[%c0] to %s, predicate = %p : {tile}, {GROUP} -> {memref(box, "i32")}
        {wait()}{copy_out(box, "i32", 32)}""",
                      workgroup=f"%s: {memref(box, 'i32')} {{llvm.align = 128 : i64}}, %mailbox: memref<128xi8, 3> {{llvm.align = 128 : i64}}")

    for row, label, edits, want, floor, patterns in variants:
        name = f"tensormap_{label}"
        rows.append(Case(row, name, text(name, edits), floor,
                         args=[Hidden(bytearray(first)), tensor_map(0, INT32, 4, shape, box), (bytearray(128), "out"),
                               bytearray(second), (bytearray(128), "out")], expect={4: want}, ptx=patterns))
        assert len(want) == 128, name
    for label, kwargs, reports in (("no_fence", {"fence": False}, ("proxy", "race", "async")),
                                   ("no_publish", {"publish": False, "fence": False}, ("tensor-map", "invalid", "uninitialized", "descriptor"))):
        name = f"tensormap_{label}"
        rows.append(Case("nvgpu.tma.fence.descriptor" if label == "no_fence" else "nvgpu.tensormap.publish", name,
                         text(name, [], **kwargs), SM90,
                         args=[Hidden(bytearray(first)), tensor_map(0, INT32, 4, shape, box), (bytearray(128), "out"),
                               bytearray(second), (bytearray(128), "out")], reports=reports))
    return rows
