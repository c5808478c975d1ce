# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.tma.async.load and store, prefetch.descriptor, fence.descriptor: boxes of one to five dimensions, swizzles, clipped
boxes, predicates, multicast, and what happens when a wait or a byte is missing."""

import dataclasses
import itertools
import re

from case import SM90, Case, kernel
from emulator import Hidden, TensorMap
from formats import Random, pack, words

WORKGROUP = "#gpu.address_space<workgroup>"
GROUP = f"!nvgpu.mbarrier.group<memorySpace = {WORKGROUP}>"
FLOAT32, FLOAT16, UINT8, INT32 = 7, 6, 0, 3  # CUtensorMapDataType
SWIZZLE = {"none": (0, 0), "swizzle_32b": (1, 32), "swizzle_64b": (2, 64), "swizzle_128b": (3, 128)}


def swizzled(mode, offset):
    """Where byte `offset` of a buffer aligned to the pattern lands (PTX ISA, Tensors, Swizzling Modes)."""
    bits = {"none": 0, "swizzle_32b": 1, "swizzle_64b": 3, "swizzle_128b": 7}[mode]
    return offset ^ (offset >> 7 & bits) << 4


def descriptor(shape, element, swizzle="none", oob="zero"):
    """The type; `shape` is the box, outermost first."""
    extents = "x".join(map(str, shape))
    return (f"!nvgpu.tensormap.descriptor<tensor = memref<{extents}x{element}, 3>, swizzle = {swizzle}, l2promo = none, "
            f"oob = {oob}, interleave = none>")


def tensor_map(array, type_, width, shape, box, swizzle="none"):
    """Of a dense tensor, both lists outermost first."""
    strides, size = [], width
    for extent in reversed(shape[1:]):
        size *= extent
        strides.append(size)
    return TensorMap(array, type_, list(reversed(shape)), strides, list(reversed(box)), swizzle=SWIZZLE[swizzle][0])


def indices(shape):
    return itertools.product(*(range(n) for n in shape))


def offset(index, shape):
    at = 0
    for i, n in zip(index, shape):
        at = at * n + i
    return at


def box_of(tensor, width, shape, box, start, fill):
    """The box's elements as one piece of memory; what lies outside the tensor is `fill`."""
    out = b""
    for index in indices(box):
        where = [i + s for i, s in zip(index, start)]
        inside = all(0 <= i < n for i, n in zip(where, shape))
        at = offset(where, shape) * width
        out += tensor[at:at + width] if inside else fill
    return out


def swizzle_image(image, mode):
    out = bytearray(len(image))
    for i, byte in enumerate(image):
        out[swizzled(mode, i)] = byte
    return bytes(out)


def memref(shape, element, space=True):
    return f"memref<{'x'.join(map(str, shape))}x{element}{', 3' if space else ''}>"


def constants(values, prefix):
    return "\n".join(f"        %{prefix}{i} = arith.constant {v} : index" for i, v in enumerate(values))


def coordinates(rank, prefix="x"):
    """Innermost first, as the instruction has them."""
    return ", ".join(f"%{prefix}{i}" for i in reversed(range(rank)))


def copy_out(shape, element, count, per_thread=1, source="%s", out="%out"):
    """All threads copy the shared image as it lies to global memory."""
    flat = f"memref<{count}x{element}, 3>"
    group = ", ".join(map(str, range(len(shape))))
    collapse = (f"%flat = memref.collapse_shape {source} [[{group}]] : {memref(shape, element)} into {flat}" if len(shape) > 1
                else f"%flat = memref.cast {source} : {flat} to {flat}")
    return f"""
        {collapse}
        %count = arith.constant {count} : index
        scf.for %i = %t to %count step %c32 {{
          %v = memref.load %flat[%i] : {flat}
          memref.store %v, {out}[%i] : memref<{count}x{element}>
        }}"""


BEGIN = f"""
        %p = arith.cmpi eq, %t, %c0 : index
        %b = nvgpu.mbarrier.create -> {GROUP}
        nvgpu.mbarrier.init %b[%c0], %c1, predicate = %p : {GROUP}
        nvvm.fence.mbarrier.init
        gpu.barrier"""


def wait(phase="%false"):
    return f"""
        %ticks = arith.constant 10000000 : index
        nvgpu.mbarrier.try_wait.parity %b[%c0], {phase}, %ticks : {GROUP}"""


def load_kernel(name, element, width, box, start, swizzle="none", predicate="%p", bytes_=None, wait_text=None, expect=True,
                copy_predicate=None, begin=BEGIN, oob="zero", fence=""):
    count = 1
    for n in box:
        count *= n
    kind = descriptor(box, element, swizzle, oob)
    total = count * width if bytes_ is None else bytes_
    guard = f", predicate = {copy_predicate or predicate}" if predicate else ""
    expecting = (f"nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %p : {GROUP}" if expect else
                 f"scf.if %p {{ %token = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> !nvgpu.mbarrier.token }}")
    load = f"nvgpu.tma.async.load %map[{coordinates(len(box))}], %b[%c0] to %s{guard} : {kind}, {GROUP} -> {memref(box, element)}"
    if not predicate:
        load = f"scf.if %p {{\n          {load}\n        }}"
    return kernel(name, f"%map: {kind}, %out: memref<{count}x{element}>", f"""{begin}
        %false = arith.constant false
        %never = arith.cmpi eq, %t, %c32 : index
        %bytes = arith.constant {total} : index
{constants(start, "x")}
        {fence}
        {expecting}
        {load}
        {wait() if wait_text is None else wait_text}{copy_out(box, element, count)}""",
                  workgroup=f"%s: {memref(box, element)} {{llvm.align = 1024 : i64}}")


def load_pattern(rank):
    axes = ", ?".join([r"%r\d+"] * rank)
    return (rf"cp\.async\.bulk\.tensor\.{rank}d\.shared::(cluster|cta)\.global(\.tile)?\.mbarrier::complete_tx::bytes \[%?\w+\], "
            rf"\[%rd\d+, \{{{axes}\}} ?\], \[%?\w+\];")


def store_kernel(name, element, width, box, start, predicate="%p", wait_text=None, fence=True, barrier="gpu.barrier"):
    count = 1
    for n in box:
        count *= n
    kind = descriptor(box, element)
    flat = f"memref<{count}x{element}, 3>"
    group = ", ".join(map(str, range(len(box))))
    guard = f", predicate = {predicate}" if predicate else ""
    store = f"nvgpu.tma.async.store %s to %map[{coordinates(len(box))}]{guard} : {memref(box, element)} -> {kind}"
    if not predicate:
        store = f"scf.if %p {{\n          {store}\n        }}"
    # The thread that issued the copy waits for it before the block ends.
    finish = wait_text if wait_text is not None else "nvvm.cp.async.bulk.commit.group\n        nvvm.cp.async.bulk.wait_group 0"
    collapse = f"%flat = memref.collapse_shape %s [[{group}]] : {memref(box, element)} into {flat}"
    if len(box) == 1:
        collapse = f"%flat = memref.cast %s : {flat} to {flat}"
    return kernel(name, f"%src: memref<{count}x{element}>, %tensor: !llvm.ptr, %map: {kind}", f"""
        %p = arith.cmpi eq, %t, %c0 : index
        %never = arith.cmpi eq, %t, %c32 : index
{constants(start, "x")}
        {collapse}
        %count = arith.constant {count} : index
        scf.for %i = %t to %count step %c32 {{
          %v = memref.load %src[%i] : memref<{count}x{element}>
          memref.store %v, %flat[%i] : {flat}
        }}
        {"nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}" if fence else ""}
        {barrier}
        {store}
        {finish}""", workgroup=f"%s: {memref(box, element)} {{llvm.align = 128 : i64}}")


def store_pattern(rank):
    axes = ", ?".join([r"%r\d+"] * rank)
    return rf"cp\.async\.bulk\.tensor\.{rank}d\.global\.shared::cta(\.tile)?\.bulk_group \[%rd\d+, \{{{axes}\}} ?\], \[%?\w+\];"


def stored(tensor, width, shape, box, start, source):
    """The tensor after a box was stored; what lies outside is dropped."""
    out = bytearray(tensor)
    for index in indices(box):
        where = [i + s for i, s in zip(index, start)]
        if all(0 <= i < n for i, n in zip(where, shape)):
            at, of = offset(where, shape) * width, offset(index, box) * width
            out[at:at + width] = source[of:of + width]
    return bytes(out)


def cases():
    rows = []
    random = Random(11)
    # (tensor, box, start): one to five dimensions, boxes that hang over both ends.
    tiles = [((64,), (32,), (16,)), ((12, 32), (8, 16), (2, 12)), ((5, 6, 16), (3, 4, 8), (1, 1, 4)),
             ((3, 4, 5, 8), (2, 3, 2, 8), (1, 0, 2, 0)), ((2, 3, 3, 4, 8), (2, 2, 2, 2, 4), (0, 1, 1, 2, 4))]
    for shape, box, start in tiles:
        rank = len(shape)
        for label, at in (("inside", start), ("clipped", tuple(s + n - 1 for s, n in zip([0] * rank, shape)) if rank > 1 else (48,))):
            tensor = random.bytes(4 * offset([n - 1 for n in shape], shape) + 4)
            at = tuple(a - a % 4 if k == rank - 1 else a for k, a in enumerate(at))
            name = f"load_{rank}d_{label}"
            want = box_of(tensor, 4, shape, box, at, bytes(4))
            rows.append(Case("nvgpu.tma.async.load", name, load_kernel(name, "i32", 4, box, at), SM90,
                             args=[Hidden(bytearray(tensor)), tensor_map(0, INT32, 4, shape, box), (bytearray(len(want)), "out")],
                             expect={2: want}, ptx=(load_pattern(rank),)))
            source = random.bytes(len(want))
            name = f"store_{rank}d_{label}"
            rows.append(Case("nvgpu.tma.async.store", name, store_kernel(name, "i32", 4, box, at), SM90,
                             args=[bytearray(source), bytearray(tensor), tensor_map(1, INT32, 4, shape, box)],
                             expect={1: stored(tensor, 4, shape, box, at, source)}, ptx=(store_pattern(rank),)))
    # A start before the tensor: filled there.
    tensor = random.bytes(12 * 32 * 4)
    name = "load_2d_before"
    want = box_of(tensor, 4, (12, 32), (8, 16), (-3, -4), bytes(4))
    rows.append(Case("nvgpu.tma.async.load", name, load_kernel(name, "i32", 4, (8, 16), (-3, -4)), SM90,
                     args=[Hidden(bytearray(tensor)), tensor_map(0, INT32, 4, (12, 32), (8, 16)), (bytearray(len(want)), "out")],
                     expect={2: want}, ptx=(load_pattern(2),)))
    # Swizzles: 16 rows of exactly one span.
    for mode, (_, span) in SWIZZLE.items():
        if not span:
            continue
        for element, type_, width in (("f16", FLOAT16, 2), ("f32", FLOAT32, 4), ("i8", UINT8, 1)):
            shape, box, start = (40, 2 * span // width), (16, span // width), (3, span // width)
            # Numbers: a map of floats may touch NaNs.
            tensor = bytes(b & 0x3F for b in random.bytes(shape[0] * shape[1] * width))
            name = f"load_{mode}_{element}"
            want = swizzle_image(box_of(tensor, width, shape, box, start, bytes(width)), mode)
            rows.append(Case("nvgpu.tma.async.load", name, load_kernel(name, element, width, box, start, mode), SM90,
                             args=[Hidden(bytearray(tensor)), tensor_map(0, type_, width, shape, box, mode),
                                   (bytearray(len(want)), "out")], expect={2: want}, ptx=(load_pattern(2),)))
    shape, box, start = (12, 32), (8, 16), (2, 12)
    tensor = random.bytes(12 * 32 * 4)
    want = box_of(tensor, 4, shape, box, start, bytes(4))
    source = random.bytes(len(want))

    def load(name, text, **kwargs):
        return Case(kwargs.pop("row", "nvgpu.tma.async.load"), name, text, kwargs.pop("floor", SM90),
                    args=[Hidden(bytearray(tensor)), tensor_map(0, INT32, 4, shape, box), (bytearray(len(want)), "out")], **kwargs)

    def store(name, text, **kwargs):
        return Case("nvgpu.tma.async.store", name, text, SM90,
                    args=[bytearray(source), bytearray(tensor), tensor_map(1, INT32, 4, shape, box)], **kwargs)

    # Shared memory by gpu's name for it, and the barrier by number.
    text = load_kernel("load_workgroup", "i32", 4, box, start).replace("3>", WORKGROUP + ">").replace(
        "memorySpace = " + WORKGROUP, "memorySpace = 3")
    rows.append(load("load_workgroup", text, expect={2: want}, ptx=(load_pattern(2),)))
    text = store_kernel("store_workgroup", "i32", 4, box, start).replace(", 3>", f", {WORKGROUP}>")
    rows.append(store("store_workgroup", text, expect={1: stored(tensor, 4, shape, box, start, source)}, ptx=(store_pattern(2),)))
    # Without a predicate; with one that is never true (nothing is copied, nothing waited for).
    rows.append(load("load_unpredicated", load_kernel("load_unpredicated", "i32", 4, box, start, predicate=None),
                     expect={2: want}, ptx=(load_pattern(2),)))
    never = load_kernel("load_never", "i32", 4, box, start, copy_predicate="%never", expect=False)
    never = never[:never.index("%flat = ")] + """%one = arith.constant 7 : i32
  memref.store %one, %out[%t] : memref<128xi32>
  gpu.return
}
"""
    rows.append(load("load_never", never, expect={2: pack([7] * 32, 4) + bytes(96 * 4)}))
    rows[-1].args[2] = bytearray(512)
    rows.append(store("store_unpredicated", store_kernel("store_unpredicated", "i32", 4, box, start, predicate=None),
                      expect={1: stored(tensor, 4, shape, box, start, source)}, ptx=(store_pattern(2),)))
    rows.append(store("store_never", store_kernel("store_never", "i32", 4, box, start, predicate="%never"),
                      expect={1: tensor}))
    # A cache policy changes nothing that can be seen.
    policy = "{nvgpu.l2_cache_hint = 1369094286720630784 : i64}"
    text, found = re.subn(r"(nvgpu\.tma\.async\.load [^:]*?) :", rf"\1 {policy} :", load_kernel("load_hint", "i32", 4, box, start))
    assert found == 1
    rows.append(load("load_hint", text, expect={2: want}, ptx=(r"mbarrier::complete_tx::bytes\.L2::cache_hint ",)))
    text, found = re.subn(r"(nvgpu\.tma\.async\.store [^:]*?) :", rf"\1 {policy} :", store_kernel("store_hint", "i32", 4, box, start))
    assert found == 1
    rows.append(store("store_hint", text, expect={1: stored(tensor, 4, shape, box, start, source)},
                      ptx=(r"cp\.async\.bulk\.tensor\.2d\.global\.shared::cta\S*\.bulk_group\.L2::cache_hint ",)))
    # prefetch and fence of the descriptor.
    kind = descriptor(box, "i32")
    for row, name, fence, pattern in (
            ("nvgpu.tma.prefetch.descriptor", "prefetch_all", f"nvgpu.tma.prefetch.descriptor %map : {kind}",
             r"prefetch(\.\w+)?\.tensormap\s+\[%rd\d+\];"),
            ("nvgpu.tma.prefetch.descriptor", "prefetch_one", f"nvgpu.tma.prefetch.descriptor %map, predicate = %p : {kind}",
             r"@%p\d+ (bra|prefetch\.tensormap)"),
            ("nvgpu.tma.fence.descriptor", "fence_map", f"nvgpu.tma.fence.descriptor %map : {kind}",
             r"fence\.proxy\.tensormap::generic\.acquire\.(sys|gpu|cluster|cta) +\[%rd\d+\], 128;")):
        rows.append(load(name, load_kernel(name, "i32", 4, box, start, fence=fence), row=row, expect={2: want}, ptx=(pattern,)))

    # Multicast: block 0 of a cluster of two loads for both.
    cluster = BEGIN + """
        nvvm.cluster.arrive {aligned}
        nvvm.cluster.wait {aligned}
        %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
        %zero = arith.constant 0 : i32
        %first = arith.cmpi eq, %rank, %zero : i32
        %mask = arith.constant 3 : i16
        %q = arith.andi %p, %first : i1"""
    text = load_kernel("load_multicast", "i32", 4, box, start, copy_predicate="%q", begin=cluster)
    text = text.replace("to %s, predicate", "to %s multicast_mask = %mask, predicate")
    out = memref((128,), "i32", False)
    text = text.replace(f"%out: {out}", "%all: memref<2x128xi32>").replace("%flat =", """%r = arith.index_cast %rank : i32 to index
  %sub = memref.subview %all[%r, 0] [1, 128] [1, 1] : memref<2x128xi32> to memref<128xi32, strided<[1], offset: ?>>
  %flat =""").replace(f"%out[%i] : {out}", "%sub[%i] : memref<128xi32, strided<[1], offset: ?>>")
    rows.append(Case("nvgpu.tma.async.load", "load_multicast", text, SM90, grid=(2,), cluster=(2,),
                     args=[Hidden(bytearray(tensor)), tensor_map(0, INT32, 4, shape, box), (bytearray(2 * len(want)), "out")],
                     expect={2: want * 2},
                     ptx=(r"cp\.async\.bulk\.tensor\.2d\.shared::cluster\.global(\.tile)?\.mbarrier::complete_tx::bytes"
                          r"\.multicast::cluster \[%?\w+\], \[%rd\d+, \{%r\d+, ?%r\d+\} ?\], \[%?\w+\], (%rs\d+|3);",)))

    # Planted: the mask leaves the other block out, which waits for ever.
    rows.append(dataclasses.replace(rows[-1], name="load_multicast_left_out", expect={}, ptx=(), reports=("deadlock",),
                                    text=text.replace("@load_multicast(", "@load_multicast_left_out(").replace(
                                        "%mask = arith.constant 3 : i16", "%mask = arith.constant 1 : i16")))

    def planted_load(name, reports, says="", **kwargs):
        rows.append(load(name, load_kernel(name, "i32", 4, box, start, **kwargs), reports=reports, says=says))

    planted_load("load_no_wait", ("async",), wait_text="")
    planted_load("load_too_many_bytes", ("deadlock",), "bytes pending", bytes_=len(want) + 16)
    planted_load("load_too_few_bytes", ("deadlock",), "bytes pending", bytes_=len(want) - 16)
    planted_load("load_nothing_expected", ("async", "race", "deadlock", "mbarrier"), expect=False)
    planted_load("load_other_phase", ("async", "deadlock"), wait_text="%true = arith.constant true\n" + wait("%true"))
    planted_load("load_by_all", ("mbarrier", "async", "deadlock"), predicate=None)
    rows[-1].text = rows[-1].text.replace("scf.if %p {", "scf.if %all {").replace("%never =", "%all = arith.constant true\n  %never =")
    planted_load("load_unpublished", ("proxy", "mbarrier", "race"), begin=BEGIN.replace("nvvm.fence.mbarrier.init", ""))
    rows.append(store("store_no_fence", store_kernel("store_no_fence", "i32", 4, box, start, fence=False), reports=("proxy",)))
    rows.append(store("store_no_barrier", store_kernel("store_no_barrier", "i32", 4, box, start, barrier=""),
                      reports=("race", "async", "proxy")))
    rows.append(store("store_no_wait", store_kernel("store_no_wait", "i32", 4, box, start, wait_text=""), reports=("async",)))
    return rows
