# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.tma.create.descriptor: host code that calls the runtime. It is converted as host code and then executed as a device
function, with a runtime that writes down what it was called with."""

from case import SM80, Case, kernel
from formats import pack

RUNTIME = "mgpuTensorMapEncodeTiledMemref"  # of MLIR's CUDA runtime wrappers; it reverses the extents of the box itself
# CUtensorMapDataType
TYPES = {"i8": 0, "ui8": 0, "si8": 0, "i16": 1, "ui16": 1, "ui32": 2, "i32": 3, "si32": 3, "ui64": 4, "i64": 5, "si64": 5,
         "f16": 6, "f32": 7, "f64": 8, "bf16": 9, "f8E4M3FN": 0, "f8E5M2": 0}
SWIZZLES = ("none", "swizzle_32b", "swizzle_64b", "swizzle_128b")
PROMOTIONS = ("none", "l2promo_64b", "l2promo_128b", "l2promo_256b")
FILLS, INTERLEAVES = ("zero", "nan"), ("none", "interleave_16b", "interleave_32b")


def host(name, element, box, swizzle, l2, oob, interleave):
    extents = "x".join(map(str, box))
    constants = "\n".join(f"  %b{i} = arith.constant {v} : index" for i, v in enumerate(box))
    kind = (f"!nvgpu.tensormap.descriptor<tensor = memref<{extents}x{element}, 3>, swizzle = {swizzle}, l2promo = {l2}, "
            f"oob = {oob}, interleave = {interleave}>")
    return f"""llvm.func @make_{name}(%rank: i64, %memref: !llvm.ptr) -> !llvm.ptr {{
  %0 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
  %1 = llvm.insertvalue %rank, %0[0] : !llvm.struct<(i64, ptr)>
  %2 = llvm.insertvalue %memref, %1[1] : !llvm.struct<(i64, ptr)>
  %u = builtin.unrealized_conversion_cast %2 : !llvm.struct<(i64, ptr)> to memref<*x{element}>
{constants}
  %d = nvgpu.tma.create.descriptor %u box[{', '.join(f'%b{i}' for i in range(len(box)))}] : memref<*x{element}> -> {kind}
  %p = builtin.unrealized_conversion_cast %d : {kind} to !llvm.ptr
  llvm.return %p : !llvm.ptr
}}
"""


def runtime(name, rank):
    """Notes its numbers, the extents of the box and the first word of what it was told is the memref, at the address the
    memref's second word gives."""
    stores = "\n".join(f"""  %i{k} = llvm.mlir.constant({k} : i64) : i64
  %q{k} = llvm.getelementptr %notes[%i{k}] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %{v}, %q{k} : i64, !llvm.ptr""" for k, v in enumerate(["rank", "type", "interleave", "swizzle", "l2", "oob", "first"]))
    boxes = "\n".join(f"""  %b{k} = llvm.mlir.constant({k} : i64) : i64
  %from{k} = llvm.getelementptr %box[%b{k}] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %v{k} = llvm.load %from{k} : !llvm.ptr -> i64
  %c{k} = llvm.mlir.constant({7 + k} : i64) : i64
  %to{k} = llvm.getelementptr %notes[%c{k}] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %v{k}, %to{k} : i64, !llvm.ptr""" for k in range(rank))
    return f"""llvm.func @{RUNTIME}_{name}(%rank: i64, %memref: !llvm.ptr, %type: i64, %interleave: i64, %swizzle: i64, %l2: i64,
    %oob: i64, %box: !llvm.ptr) -> !llvm.ptr {{
  %first = llvm.load %memref : !llvm.ptr -> i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %second = llvm.getelementptr %memref[%one] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %notes = llvm.load %second : !llvm.ptr -> !llvm.ptr
{stores}
{boxes}
  llvm.return %notes : !llvm.ptr
}}
"""


def cases():
    rows = []
    variants = [("f32", (8, 16), 0, 0, 0, 0), ("f16", (64, 64), 3, 2, 1, 0), ("bf16", (2, 3, 32), 2, 1, 1, 0),
                ("f64", (4, 4), 0, 3, 1, 0), ("ui8", (256,), 0, 0, 0, 0), ("ui16", (1, 2, 3, 16), 1, 3, 0, 0),
                ("ui32", (1, 2, 3, 4, 8), 0, 1, 0, 0), ("ui64", (2, 2), 0, 2, 0, 0), ("si32", (4, 8), 0, 0, 0, 0),
                ("si64", (4, 8), 0, 0, 0, 0), ("i8", (4, 32), 1, 0, 0, 0), ("i16", (4, 8), 0, 0, 0, 0), ("i32", (8,), 0, 0, 0, 0),
                ("i64", (8,), 0, 0, 0, 0), ("f8E4M3FN", (4, 128), 3, 0, 0, 0), ("si8", (16,), 0, 0, 0, 0)]
    for number, (element, box, swizzle, l2, oob, interleave) in enumerate(variants):
        name = f"create_{number}_{element}"
        host_text = host(name, element, box, SWIZZLES[swizzle], PROMOTIONS[l2], FILLS[oob], INTERLEAVES[interleave])
        text = "@HOST@" + runtime(name, len(box)) + kernel(name, "%memref: memref<2xi64>, %out: memref<13xi64>, %one: i64", f"""
        %p = arith.cmpi eq, %t, %c0 : index
        scf.if %p {{
          %o = memref.extract_aligned_pointer_as_index %out : memref<13xi64> -> index
          %oi = arith.index_cast %o : index to i64
          memref.store %oi, %memref[%one_] : memref<2xi64>
          %m = memref.extract_aligned_pointer_as_index %memref : memref<2xi64> -> index
          %mi = arith.index_cast %m : index to i64
          %mp = llvm.inttoptr %mi : i64 to !llvm.ptr
          %rank = arith.constant {len(box)} : i64
          %d = llvm.call @make_{name}(%rank, %mp) : (i64, !llvm.ptr) -> !llvm.ptr
          %di = llvm.ptrtoint %d : !llvm.ptr to i64
          %same = arith.cmpi eq, %di, %oi : i64
          %w = arith.extui %same : i1 to i64
          %last = arith.constant 12 : index
          memref.store %w, %out[%last] : memref<13xi64>
        }}""").replace(", %one: i64", "").replace("%one_", "%c1").replace("%c0 = ", "%c1 = arith.constant 1 : index\n  %c0 = ", 1)
        want = [len(box), TYPES[element], interleave, swizzle, l2, oob, 77 + number, *box]
        rows.append(Case("nvgpu.tma.create.descriptor", name, text, SM80, host=host_text,
                         args=[bytearray(pack([77 + number, 0], 8)), bytearray(104)],
                         expect={1: pack(want + [0] * (12 - len(want)) + [1], 8)}))
    return rows
