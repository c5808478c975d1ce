#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles copied by TMA, in both directions: element types, ranks 1 to 5, all swizzles, boxes that a tile needs several of, other
orders of dimensions, extents that leave partial boxes, tiles outside of the array, turned views; with tensor maps that the kernel
builds. On the emulator, with the race checker on, compared with the same copy in cuda_tile by the reference.

usage: tma.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_90,sm_120] [--full] [--jobs N] [-v]

Each case is a kernel in nv_tileas: a stage of a ring is filled by async.tiled_tma_load, read into registers, written to another
shared tile, and stored by async.tiled_tma_store. What each wait and fence is for is shown by leaving it out. Products in cuda_tile
are compiled, must be filled by TMA, and are executed with and without tensor maps. --full runs every case on every target
instead of one of them.
"""

import math
import os
import pathlib
import re
import sys
import tempfile

import matrix_kernels
from checklist import LOOK, NO_MAPS
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import compiled_as, run
import targets

BYTES = {"i8": 1, "f8E4M3FN": 1, "f8E5M2": 1, "f16": 2, "bf16": 2, "i16": 2, "f32": 4, "i32": 4, "f64": 8, "i64": 8}


class Case:
    """`shape`: of the array, last dimension dense; `tile`: of the tiles; `dims`: tile dimension to array dimension; `order`: of
    tile dimensions in shared memory, the fastest first; `offset`: added to the tile index of the load; `padding`: elements between
    rows."""

    def __init__(self, name, element, shape, tile, swizzle, dims=None, order=None, offset=0, padding=0, reduce=False):
        self.name, self.element, self.shape, self.tile, self.swizzle = name, element, shape, tile, swizzle
        rank = len(tile)
        self.dims = dims or list(range(rank))
        dense = self.dims.index(rank - 1)
        self.order = order or [dense] + [t for t in reversed(range(rank)) if t != dense]
        self.offset, self.padding, self.reduce = offset, padding, reduce
        self.size = BYTES[element]
        self.grid = [math.ceil(shape[self.dims[t]] / tile[t]) if t < 3 else 1 for t in range(rank)]

    def strides(self):
        strides = [1]
        for d in reversed(range(1, len(self.shape))):
            extent = self.shape[d] + (self.padding if d == len(self.shape) - 1 else 0)
            strides.insert(0, strides[0] * math.ceil(extent * self.size / 16) * 16 // self.size if len(strides) == 1 else strides[0] * extent)
        return strides

    def elements(self):
        return max(1, self.strides()[0] * self.shape[0])

    def bits(self):
        """Of the offset in shared memory before the swizzle: the coordinates that each flips."""
        result, rest = [], [int(math.log2(e)) for e in self.tile]
        start = [0] * len(self.tile)

        def take(t, count):
            for _ in range(min(count, rest[t])):
                basis = [0] * len(self.tile)
                basis[t] = 1 << start[t]
                result.append(basis)
                start[t] += 1
                rest[t] -= 1

        inner = self.swizzle // self.size if self.swizzle else self.tile[self.order[0]]
        take(self.order[0], int(math.log2(inner)))
        for t in self.order[1:] + self.order[:1]:
            take(t, 99)
        return result

    def shared(self):
        bits, log = self.bits(), int(math.log2(self.size))
        span = {0: 0, 32: 1, 64: 2, 128: 3}[self.swizzle]
        bases = []
        for b, basis in enumerate(bits):
            other = bits[b - 3] if 7 - log <= b < 7 - log + span else [0] * len(basis)
            bases.append([x + y for x, y in zip(basis, other)])
        return f"#nv_tileas.shared<rank = {len(self.tile)}, offset = {bases}>"

    def registers(self):
        zero = [0] * len(self.tile)
        bits = []
        for t in reversed(range(len(self.tile))):
            for b in range(int(math.log2(self.tile[t]))):
                basis = list(zero)
                basis[t] = 1 << b
                bits.append(basis)
        lanes, warps, regs = bits[:5], bits[5:7], bits[7:]
        lanes += [zero] * (5 - len(lanes))
        warps += [zero] * (2 - len(warps))
        return f"#nv_tileas.linear<rank = {len(self.tile)}, register = {regs}, lane = {lanes}, warp = {warps}>"

    def atom(self):
        """Box, order and swizzle: what the verifier would ask for."""
        bits, box, order, next_bit = self.bits(), [1] * len(self.tile), [], 0
        dense = self.order[0]
        limit = {dense: min(256, self.swizzle // self.size if self.swizzle else 256)}
        while next_bit < len(bits):
            t = next(i for i, v in enumerate(bits[next_bit]) if v)
            if t in order or bits[next_bit][t] != 1:
                break
            order.append(t)
            while next_bit < len(bits) and bits[next_bit][t] == box[t] and box[t] * 2 <= limit.get(t, 256):
                box[t] *= 2
                next_bit += 1
        order += [t for t in range(len(self.tile)) if t not in order]
        return f"box = {box}, order = {order}, swizzle = {self.swizzle}"

    def reference(self):
        rank, e = len(self.tile), self.element
        shape = "x".join(map(str, self.shape))
        view = f"!cuda_tile.tensor_view<{shape}x{e}, strides={self.strides()}>"
        tile = "x".join(map(str, self.tile))
        part = f"!cuda_tile.partition_view<tile=({tile}), padding_value = zero, !view, dim_map={self.dims}>"
        ids = ["%bx", "%by", "%bz"][:rank] + ["%c0"] * (rank - 3)
        loads = [f"%l{t}" for t in range(rank)]
        adds = "\n".join(f"    {loads[t]} = addi {ids[t]}, %off : tile<i32>" if t == 0 else f"    {loads[t]} = addi {ids[t]}, %c0 : tile<i32>"
                         for t in range(rank))
        return f"""
!view = {view}
!part = {part}
cuda_tile.module @kernels {{
  entry @copy(%x: tile<ptr<{e}>>, %y: tile<ptr<{e}>>) {{
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %off = constant <i32: {self.offset}> : tile<i32>
{adds}
    %xv = make_tensor_view %x, shape = {self.shape}, strides = {self.strides()} : !view
    %yv = make_tensor_view %y, shape = {self.shape}, strides = {self.strides()} : !view
    %xp = make_partition_view %xv : !part
    %yp = make_partition_view %yv : !part
    %v, %t1 = load_view_tko weak %xp[{", ".join(loads)}] : !part, tile<i32> -> tile<{tile}x{e}>, token
    %t2 = store_view_tko weak %v, %yp[{", ".join(ids)}] : tile<{tile}x{e}>, !part, tile<i32> -> token
    return
  }}
}}
"""

    def module(self):
        rank, e = len(self.tile), self.element
        shape, tile = "x".join(map(str, self.shape)), "x".join(map(str, self.tile))
        ids = ["%bx", "%by", "%bz"][:rank] + ["%c0"] * (rank - 3)
        loads = ["%first"] + ids[1:]
        types = ", ".join(["i32"] * rank)
        count = math.prod(self.tile) * self.size
        return f"""
!memref = !nv_tileaa.memref<{shape}x{e}, strides = {self.strides()}>
!view = !nv_tileaa.tiled_view<{self.tile}, dim_map = {self.dims}, padding = zero, !memref>
#shared = {self.shared()}
#held = {self.registers()}
#load = #nv_tileas.tma_load<{self.atom()}>
#store = #nv_tileas.tma_store<{self.atom()}>
!tile = tensor<{tile}x{e}, #shared>
!held = tensor<{tile}x{e}, #held>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<1 x (!tile)>
gpu.module @kernels {{
  nv_tileaa.func @copy(%x: !nv_tileaa.ptr<{e}>, %y: !nv_tileaa.ptr<{e}>) attributes {{nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>}} {{
    %c0 = arith.constant 0 : i32
    %off = arith.constant {self.offset} : i32
    %bx, %by, %bz = nv_tileaa.get_program_id
    %first = arith.addi %bx, %off : i32
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !nv_tileaa.ptr<{e}>, (), () -> !memref
    %ym = nv_tileaa.make_memref %y, sizes [], strides [] : !nv_tileaa.ptr<{e}>, (), () -> !memref
    %xv = nv_tileaa.block_tile %xm : !memref -> !view
    %yv = nv_tileaa.block_tile %ym : !memref -> !view
    %dx, %ux = nv_tileas.make_tiled_tma_desc %xv {{atom = #load}} : !view
    %dy, %uy = nv_tileas.make_tiled_tma_desc %yv {{atom = #store}} : !view
    %stage = nv_tileas.alloc_tensor : !tile
    %p = nv_tileas.async.pipeline.create_pipeline %stage {{numStages = 1 : i32}} : (!tile) -> !pipe
    %it = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {{
    ^bb0(%s: !tile):
      %done, %m = nv_tileas.async.tiled_tma_load %dx, %xv[{", ".join(loads)}] into %s {{atom = #load, tx_count = {count} : i32}} : !view, ({types}), !tile
      nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
    }}
    nv_tileas.async.pipeline.producer_commit %p, %t1 : !pipe
    %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
    %q1, %v = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> !held {{
    ^bb0(%s: !tile):
      %r = nv_tileas.convert_layout %s {{atom_plan = #nv_tileas.atom_plan<tag = 1, vec = {self.size}>}} : !tile -> !held
      nv_tileas.async.pipeline.yield %r : !held
    }}
    nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
    %out = nv_tileas.alloc_tensor : !tile
    nv_tileas.copy %v, %out {{nv_tileas.async_proxy}} : !held, !tile
    %stored, %m = nv_tileas.async.tiled_tma_store %dy, %out, %yv[{", ".join(ids)}] {{atom = #store{", rmw_mode = #nv_tileaa.rmw_mode<add>" if self.reduce else ""}}} : !tile, !view, ({types})
    nv_tileas.async.wait %stored
    nv_tileaa.return
  }}
}}
"""

    def arguments(self, expect=None):
        kind = {"f": "normal(seed=3)", "b": "normal(seed=3)", "i": "integers(seed=3)"}[self.element[0]]
        n = self.elements()
        # Zeros: what lies between the rows nobody writes, and reductions add.
        out = f"out:y:{self.element}[{n}]" + (f"{{expect={expect}}}" if expect else "") + "=0"
        return [f"x:{self.element}[{n}]={kind}", out]


def cases():
    for element in BYTES:
        width = 128 // BYTES[element]
        yield Case(f"{element}-2d-128", element, [40, width + width // 2], [16, width], 128)
    for swizzle in (0, 32, 64, 128):
        inner = max(swizzle, 64) // 2
        yield Case(f"f16-swizzle{swizzle}", "f16", [70, 3 * inner - 8], [32, 2 * inner], swizzle)
        yield Case(f"i8-swizzle{swizzle}", "i8", [64, 160], [32, 128], swizzle)
        yield Case(f"f32-swizzle{swizzle}", "f32", [33, 100], [16, 32], swizzle)
    yield Case("rank1", "f32", [1000], [256], 0)
    yield Case("rank1-several-boxes", "i8", [3000], [1024], 0)
    yield Case("rank3", "f16", [3, 20, 72], [2, 8, 64], 128)
    yield Case("rank3-batch-fastest-row", "bf16", [4, 6, 64], [4, 4, 64], 128, order=[2, 0, 1])
    yield Case("rank4", "f32", [2, 3, 5, 40], [2, 2, 4, 32], 128)
    yield Case("rank5", "f16", [2, 2, 3, 4, 40], [2, 1, 2, 4, 32], 64)
    yield Case("rank5-none", "i32", [2, 1, 3, 4, 16], [1, 1, 2, 2, 16], 0)
    yield Case("turned", "f16", [72, 100], [64, 32], 128, dims=[1, 0])
    yield Case("turned-batch", "f32", [3, 36, 40], [32, 1, 32], 128, dims=[2, 0, 1])
    yield Case("rows-512", "i8", [600, 64], [512, 32], 32)
    yield Case("padded-rows", "f16", [30, 60], [16, 64], 128, padding=20)
    yield Case("beyond-the-end", "f16", [40, 64], [16, 64], 128, offset=3)
    yield Case("before-the-beginning", "f16", [40, 64], [16, 64], 128, offset=-7)
    yield Case("far-away", "f16", [40, 64], [16, 64], 128, offset=2**31 - 5)
    yield Case("smaller-than-box", "f16", [3, 8], [16, 64], 128)
    yield Case("reduction", "f32", [40, 40], [16, 32], 128, reduce=True)
    yield Case("reduction-f16", "f16", [40, 72], [16, 64], 128, reduce=True)
    yield Case("reduction-i32", "i32", [40, 72], [16, 32], 128, reduce=True)


def zeros(count):
    """A file of NumPy with so many f16."""
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(2 * count)


def check(case, target, tool, ptxas, folder):
    base = pathlib.Path(folder) / f"{case.name}-{target}"
    same, source, ptx, expected = (base.with_suffix(s) for s in (".ref.mlir", ".mlir", ".ptx", ".npy"))
    same.write_text(case.reference())
    source.write_text(case.module())
    grid = "--grid=" + ",".join(map(str, case.grid[:3]))
    if case.offset:  # every tile lies outside of the array, where cuda_tile says nothing
        expected.write_bytes(zeros(case.elements()))
    else:
        code, output = run([str(tool), str(same), "--engine=reference", grid, *case.arguments(), f"--dump=y={expected}"])
        if code:
            return f"reference: {output}"
    command = [str(tool), str(source), f"--gpu-name={target}", "--check-races", "--schedules=3", "--async=random", "--threads=1", grid,
               f"--save-ptx={ptx}", *case.arguments(expected)]
    code, output = run(command)
    if code:
        return f"{' '.join(command)}\nexit status {code}\n{output}"
    text = ptx.read_text()
    if "cp.async.bulk.tensor" not in text or (case.reduce and "cp.reduce.async.bulk.tensor" not in text):
        return "no tensor copies in the PTX"
    if targets.can_assemble(ptxas, target):
        code, output = run([ptxas, f"-arch={compiled_as(target)}", str(ptx), "-o", str(base.with_suffix(".cubin"))])
        if code or "warning" in output.lower():
            return f"ptxas: {output}"
    return None


FAULTS = {
    r"fence\.proxy\.async\.shared::cta;": "writes of threads are not ordered before the reads of tensor stores",
    r"cp\.async\.bulk\.commit_group;": "the wait covers no stores",
    r"cp\.async\.bulk\.wait_group\s+0;": "the block ends, or others read, before the store has",
}


def faulty(case, tool, folder):
    source = pathlib.Path(folder) / f"fault-{case.name}.mlir"
    source.write_text(case.module())
    ptx = source.with_suffix(".ptx")
    grid = "--grid=" + ",".join(map(str, case.grid[:3]))
    code, output = run([str(tool), str(source), "--gpu-name=sm_90", f"--save-ptx={ptx}", "--threads=1", grid, *case.arguments()])
    if code:
        yield f"{case.name} compiles", lambda: output
        return
    text = ptx.read_text()
    for kind, (pattern, why) in enumerate(FAULTS.items()):
        # The last of its kind: the fence before the ring is made is for bytes that held something before, and here nothing did.
        match = list(re.finditer(pattern, text))[-1]
        broken = source.with_name(f"{source.stem}-{kind}.ptx")
        broken.write_text(text[:match.start()] + text[match.end():])

        def caught(broken=broken, why=why):
            for timing in ("late", "early", "random"):
                code, output = run([str(tool), str(broken), "--check-races", f"--async={timing}", "--schedules=4", grid, *case.arguments()])
                if code == 6:
                    return None
            return f"not reported: {why}\n{output}"
        yield f"{case.name} without {match[0]}", caught


def products():
    """Kernels in cuda_tile whose loop the compiler fills by TMA."""
    gemm = matrix_kernels.gemm
    yield gemm("f16", "f32", 128, 128, 320, 64, 64, 64, aligned=True)
    yield gemm("bf16", "f32", 192, 128, 256, 128, 128, 64, aligned=True)
    yield gemm("f16", "f32", 128, 128, 192, 64, 128, 64, aligned=True, transposed=True)
    yield gemm("i8", "i32", 128, 64, 256, 64, 64, 64, aligned=True, signs=("signed", "signed"), transposed=True)
    yield gemm("f16", "f32", 128, 128, 64, 64, 64, 64, aligned=True)  # one iteration
    # Two rings in one loop, the first of which has it duplicated (on sm_120: keys and values have a stage each).
    yield matrix_kernels.attention("f16", 64, 512, 128, 64, 128, aligned=True)
    yield matrix_kernels.attention("bf16", 80, 320, 64, 64, 64, aligned=True)


def long_product():
    """Its loop is too long to be there twice: only what fills the ring is, and asks in every round. Halved and doubled, sums stay what
    they are."""
    case = matrix_kernels.gemm("f16", "f32", 128, 128, 320, 64, 64, 64, aligned=True)
    tile = "tile<64x64xf32>"
    lines, last = [f"  %half = constant <f32: 0.5> : {tile}", f"  %two = constant <f32: 2.0> : {tile}"], "%s1"
    for i in range(40):
        lines += [f"  %h{i} = mulf {last}, %half : {tile}", f"  %d{i} = mulf %h{i}, %two : {tile}"]
        last = f"%d{i}"
    case.text = case.text.replace(f"  continue %s1 : {tile}", "\n".join(lines) + f"\n  continue {last} : {tile}")
    case.name += "-long"
    return case


def without_maps(text):
    """All entries of the table are somebody else's."""
    text, places = re.subn(*NO_MAPS, text)
    assert places, "no place where the table is looked up"
    return text


def with_neighbours(text):
    """Every other entry of the table is somebody else's, so half of the keys are not where they are looked for first."""
    return re.sub(LOOK, r"{ .reg .pred others; .reg .b64 parity; \g<0> and.b64 parity, \2, 256; setp.eq.b64 others, parity, 0; @others mov.b64 \1, 4; }", text)


# Of the barriers that are waited for, full stands first.
FULL = "the wait for full"

# In a loop whose ring TMA fills, or threads where there are no tensor maps: pattern, replacement, why that is harmful.
RING_FAULTS = {
    "maps": [
        (r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, (\[[^]]*\]), %r\d+;", r"mbarrier.arrive.shared.b64 _, \1;", "nobody waits for the bytes"),
        (FULL, "setp.eq.b32 done, 0, 0;", "stages are read before the copies have arrived"),
        (r"fence\.mbarrier_init[^;]*;", "", "tensor copies may not find the barriers initialised"),
    ],
    "threads": [
        (FULL, "setp.eq.b32 done, 0, 0;", "stages are read before other threads' copies have arrived"),
        (r"cp\.async\.wait_group\s+0;", "", "a stage is full before the copies are done"),
        (r"cp\.async\.commit_group;", "", "the wait covers no copies"),
        (r"fence\.proxy\.async\.shared::cta;", "", "copies of threads are not ordered before the reads of products"),
    ],
}


def faulty_ring(case, tool, folder):
    """The case's PTX with every place of a fault changed, for the way that it then goes."""
    source = pathlib.Path(folder) / f"fault-{case.name}.mlir"
    source.write_text(case.text)
    ptx = source.with_suffix(".ptx")
    arguments = [f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--threads=1", *case.args]
    code, output = run([str(tool), str(source), "--engine=emulator", "--gpu-name=sm_90", f"--save-ptx={ptx}", *arguments])
    if code:
        yield f"{case.name} compiles", lambda: output
        return
    text = ptx.read_text()
    for way, faults in RING_FAULTS.items():
        for number, (pattern, replacement, why) in enumerate(faults):
            if pattern == FULL:
                waits = set(map(int, re.findall(r"mbarrier\.try_wait\S* done, \[%r\d+\+(\d+)\]", text)))
                pattern = rf"mbarrier\.try_wait\S* done, \[%r\d+\+{min(waits)}\], %r\d+;"
            changed, count = re.subn(pattern, replacement, text if way == "maps" else without_maps(text))
            broken = source.with_name(f"{source.stem}-{way}-{number}.ptx")
            broken.write_text(changed)

            def caught(broken=broken, why=why, count=count):
                if not count:
                    return "found no place to break"
                for timing in ("late", "early", "random"):
                    code, output = run([str(tool), str(broken), "--engine=emulator", "--check-races", f"--async={timing}", "--schedules=4", *arguments])
                    if code == 6:
                        return None
                return f"not reported: {why}\n{output}"
            yield f"fault: {case.name} {way} {number}", caught


def check_product(case, target, tool, ptxas, folder):
    """With tensor maps, and with a table in which all entries belong to somebody else: without."""
    base = pathlib.Path(folder) / f"{case.name}-{target}"
    source, ptx, full = base.with_suffix(".mlir"), base.with_suffix(".ptx"), base.with_suffix(".full.ptx")
    source.write_text(case.text)
    arguments = [f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--threads=1", "--schedules=3", *case.args]
    command = [str(tool), str(source), "--engine=reference,emulator", "--check", f"--gpu-name={target}", f"--tolerance={case.tolerance}",
               "--async=random", f"--save-ptx={ptx}", *arguments]
    code, output = run(command)
    if code:
        return f"{' '.join(command)}\nexit status {code}\n{output}"
    text = ptx.read_text()
    if "cp.async.bulk.tensor" not in text:
        return "no tensor copies in the PTX"
    code, output = run([str(tool.with_name("tileiras")), str(source), f"--gpu-name={target}", "--emit=tileas"])
    loops = len(re.findall(r"nv_tileas\.(?:async\.)?dot ", output))
    # Of attention, the last product is done behind the loop where it is rotated: once, or in either branch with a stage of its ring.
    # An agent that only multiplies has nothing to do twice, and neither has a loop that is too long for it.
    once = case.name.endswith("-long") or "agent_switch" in output
    wanted = [1] if once else [2, 4, 5, 6] if case.name.startswith("attention") else [2]
    if code or loops not in wanted:
        return f"there are {loops} products\n{output}"
    full.write_text(without_maps(text))
    code, output = run([str(tool), str(full), "--engine=emulator", "--check-races", *arguments, f"--dump=o={base}-full.npy"])
    if code:
        return f"without tensor maps: {output}"
    code, output = run([str(tool), str(ptx), "--engine=emulator", "--check-races", "--stats", *arguments, f"--dump=o={base}-map.npy"])
    by_maps = re.findall(r"TMA sectors\s+(\d+)", output)
    if code or pathlib.Path(f"{base}-full.npy").read_bytes() != pathlib.Path(f"{base}-map.npy").read_bytes():
        return f"the two ways to fill the ring give different results\n{output}"
    crowded = base.with_suffix(".crowded.ptx")
    crowded.write_text(with_neighbours(text))
    code, output = run([str(tool), str(crowded), "--engine=emulator", "--check-races", "--stats", "--launches=2", *arguments, f"--dump=o={base}-crowded.npy"])
    if code or crowded.read_text() == text or pathlib.Path(f"{base}-crowded.npy").read_bytes() != pathlib.Path(f"{base}-map.npy").read_bytes() or re.findall(r"TMA sectors\s+(\d+)", output) != by_maps or not by_maps:
        return f"entries of others in the table: {output}"
    if targets.can_assemble(ptxas, target):
        code, output = run([ptxas, f"-arch={compiled_as(target)}", str(ptx), "-o", str(base.with_suffix(".cubin"))])
        if code or "warning" in output.lower() or "C75" in output:
            return f"ptxas: {output}"
    return None


def main():
    chips = [t for t in targets.sample() if int(re.search(r"\d+", t)[0]) >= 90]
    parser = suite_arguments(chips)
    parser.add_argument("--full", action="store_true")
    os.environ["TILEIR_PREFER_TMA_FOR_LOAD_STORE"] = "true"
    args = parser.parse_args()
    tool, ptxas = pathlib.Path(args.build).resolve() / "bin/tileiras-run", find_ptxas()
    chosen = [t for t in args.targets.split(",") if t in chips] or chips
    with tempfile.TemporaryDirectory(prefix="tileiras-tma-") as folder:
        work = []
        for i, case in enumerate(cases()):
            for target in chosen if args.full else [chosen[i % len(chosen)]]:
                work.append((f"{case.name} {target}", lambda case=case, target=target: check(case, target, tool, ptxas, folder)))
        for i, case in enumerate([*products(), long_product()]):
            for target in chosen if args.full or i == 0 else [chosen[i % len(chosen)]]:
                work.append((f"{case.name} {target}", lambda case=case, target=target: check_product(case, target, tool, ptxas, folder)))
        for case in (Case("faults", "f16", [40, 72], [16, 64], 128), Case("faults-f32", "f32", [70, 40], [64, 32], 128)):
            work += faulty(case, tool, folder)
        work += faulty_ring(long_product(), tool, folder)
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("tma:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
