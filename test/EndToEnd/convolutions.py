# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions as products of pixels and filters, in nv_tileas: pixels are loaded in im2col mode, or in boxes, filters in tile mode."""

import math
import operator
import re
import struct


def npy(path, kind, shape, values):
    code = {"f16": ("<f2", "e"), "f32": ("<f4", "f")}[kind]
    header = f"{{'descr': '{code[0]}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}{code[1]}", *values))


class Convolution:
    """Images n x h x w x c, filters r x s x c x 64, with `pad` pixels of zeros around and a stride. Sums are small whole numbers, so
    exact."""

    def __init__(self, name, n, h, w, c, r, s, pad=0, stride=1):
        self.name, self.n, self.h, self.w, self.c, self.r, self.s, self.pad, self.stride = name, n, h, w, c, r, s, pad, stride
        self.oh, self.ow = (h + 2 * pad - r) // stride + 1, (w + 2 * pad - s) // stride + 1

    def data(self):
        x = [(i * 7 + i // 13) % 5 - 2 for i in range(self.n * self.h * self.w * self.c)]
        f = [(i * 5 + i // 11) % 3 - 1 for i in range(self.r * self.s * self.c * 64)]
        return x, f

    def result(self):
        x, f = self.data()
        columns = [[f[t * 64 + k] for t in range(self.r * self.s * self.c)] for k in range(64)]
        zeros, out = [0] * self.c, []
        for n in range(self.n):
            for i in range(self.oh):
                for j in range(self.ow):
                    window = []
                    for r in range(self.r):
                        for s in range(self.s):
                            y, z = i * self.stride + r - self.pad, j * self.stride + s - self.pad
                            inside = 0 <= y < self.h and 0 <= z < self.w
                            at = ((n * self.h + y) * self.w + z) * self.c
                            window += x[at:at + self.c] if inside else zeros
                    out += [sum(map(operator.mul, window, column)) for column in columns]
        return out

    def launch(self, mode, target, folder):
        """Text, grid, arguments, and the file with what comes out."""
        x, f = self.data()
        files = {k: folder / f"{self.name}-{mode}-{target}-{k}.npy" for k in "xfy"}
        npy(files["x"], "f16", [self.n, self.h, self.w, self.c], x)
        npy(files["f"], "f16", [self.r * self.s * self.c, 64], f)
        shape = [self.n * self.oh * self.ow, 64] if mode == "im2col" else [self.n, self.oh, self.ow, 64]
        npy(files["y"], "f32", shape, self.result())
        grid = (math.ceil(self.n * self.oh * self.ow / 64), 1, 1) if mode == "im2col" else (math.ceil(self.ow / 8), math.ceil(self.oh / 8), self.n)
        args = [f"x:f16[{self.n}x{self.h}x{self.w}x{self.c}]={files['x']}", f"f:f16[{self.r * self.s * self.c}x64]={files['f']}",
                f"out:y:f32[{'x'.join(map(str, shape))}]=poison", f"i32={self.n}"]
        return self.text(mode, target), grid, args, files["y"]

    def text(self, mode, target):
        hw, im2col = self.h * self.w, mode == "im2col"
        tile = "1, 1, 64, 64" if im2col else "1, 8, 8, 64"
        basis = [[0, 0, 0, 1 << b] for b in range(6)] + ([[0, 0, 1 << b, 0] for b in range(6)] if im2col else
                                                          [[0, 0, 1 << b, 0] for b in range(3)] + [[0, 1 << b, 0, 0] for b in range(3)])
        swizzled = [[x + y for x, y in zip(v, basis[b - 3] if 6 <= b < 9 else [0] * 4)] for b, v in enumerate(basis)]
        corners = [-self.pad] * 2, [self.pad - self.r + 1, self.pad - self.s + 1]
        load = (f"#nv_tileas.tma_im2col_load<box = [1, 1, 64, 64], order = [3, 2, 1, 0], swizzle = 128, lower = {corners[0]}, "
                f"upper = {corners[1]}, steps = [1, {self.stride}, {self.stride}, 1]>" if im2col else
                "#nv_tileas.tma_load<box = [1, 8, 8, 64], order = [3, 2, 1, 0], swizzle = 128>")
        out = "?x64xf32, strides = [64, 1]" if im2col else f"?x{self.oh}x{self.ow}x64xf32, strides = [{self.oh * self.ow * 64}, {self.ow * 64}, 64, 1]"
        atom = ("#nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>" if target == "sm_90" else
                "#nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, "
                "fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>")
        sums = ("register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], "
                "warp = [[16, 0], [32, 0]]")
        sums4 = re.sub(r"\[(\d+), (\d+)\]", lambda m: f"[0, {int(m[1]) // 8}, {int(m[1]) % 8}, {m[2]}]", sums)
        start = f"""
    %c64 = arith.constant 64 : i32
    %ow = arith.constant {self.ow} : i32
    %oh = arith.constant {self.oh} : i32
    %stride = arith.constant {self.stride} : i32
    %pad = arith.constant {self.pad} : i32
    %p0 = arith.muli %bx, %c64 : i32
    %j = arith.remsi %p0, %ow : i32
    %lines = arith.divsi %p0, %ow : i32
    %i = arith.remsi %lines, %oh : i32
    %image = arith.divsi %lines, %oh : i32
    %js = arith.muli %j, %stride : i32
    %is = arith.muli %i, %stride : i32
    %x0 = arith.subi %js, %pad : i32
    %y0 = arith.subi %is, %pad : i32
    %pixels = arith.muli %n, %per : i32
    %ym = nv_tileaa.make_memref %py, sizes [%pixels], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !y""" if im2col else """
    %c8 = arith.constant 8 : i32
    %x0 = arith.muli %bx, %c8 : i32
    %y0 = arith.muli %by, %c8 : i32
    %ym = nv_tileaa.make_memref %py, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !y"""
        copy = ("%d0, %m0 = nv_tileas.async.tiled_tma_load %dx, %xv[%image, %y0, %x0, %ch] into %x4 offsets [%fr, %fs : i32, i32]" if im2col else
                "%yy = arith.addi %y0, %fr : i32\n        %xx = arith.addi %x0, %fs : i32\n"
                "        %d0, %m0 = nv_tileas.async.tiled_tma_load %dx, %xv[%bz, %yy, %xx, %ch] into %x4")
        store = ("%t = nv_tileas.tiled_store %yv[%bx, %c0], %sum : !yv, (i32, i32), !sum" if im2col else
                 "%sum4 = nv_tileas.view %sum : !sum -> !sum4\n"
                 "    %t = nv_tileas.tiled_store %yv[%bz, %by, %bx, %c0], %sum4 : !yv, (i32, i32, i32, i32), !sum4")
        return f"""
!x = !nv_tileaa.memref<?x{self.h}x{self.w}x{self.c}xf16, strides = [{hw * self.c}, {self.w * self.c}, {self.c}, 1]>
!f = !nv_tileaa.memref<{self.r * self.s * self.c}x64xf16, strides = [64, 1]>
!y = !nv_tileaa.memref<{out}>
!xv = !nv_tileaa.tiled_view<[{tile}], steps = [1, 1, 1, 64], padding = zero, !x>
!fv = !nv_tileaa.tiled_view<[64, 64], padding = zero, !f>
!yv = !nv_tileaa.tiled_view<[{"64, 64" if im2col else "1, 8, 8, 64"}], !y>
#pixels = {load}
#filter = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>
#swizzled = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#swizzled4 = #nv_tileas.shared<rank = 4, offset = {swizzled}>
#sums = #nv_tileas.linear<rank = 2, {sums}>
#sums4 = #nv_tileas.linear<rank = 4, {sums4}>
!tile = tensor<64x64xf16, #swizzled>
!tile4 = tensor<{tile.replace(", ", "x")}xf16, #swizzled4>
!sum = tensor<64x64xf32, #sums>
!sum4 = tensor<1x8x8x64xf32, #sums4>
!pipe = !nv_tileas.pipeline<3 x (!tile, !tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile, !tile)>
gpu.module @kernels {{
  nv_tileaa.func @conv(%px: !nv_tileaa.ptr<f16>, %pf: !nv_tileaa.ptr<f16>, %py: !nv_tileaa.ptr<f32>, %n: i32) attributes {{nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>}} {{
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %taps = arith.constant {self.s} : i32
    %chunks = arith.constant {self.c // 64} : i32
    %rounds = arith.constant {self.r * self.s * self.c // 64} : i32
    %per = arith.constant {self.oh * self.ow} : i32
    %zero = arith.constant dense<0.0> : !sum
    %bx, %by, %bz = nv_tileaa.get_program_id{start}
    %xm = nv_tileaa.make_memref %px, sizes [%n], strides [] : !nv_tileaa.ptr<f16>, (i32), () -> !x
    %fm = nv_tileaa.make_memref %pf, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f
    %xv = nv_tileaa.block_tile %xm : !x -> !xv
    %fv = nv_tileaa.block_tile %fm : !f -> !fv
    %yv = nv_tileaa.block_tile %ym : !y -> !yv
    %dx, %ux = nv_tileas.make_tiled_tma_desc %xv {{atom = #pixels}} : !xv
    %df, %uf = nv_tileas.make_tiled_tma_desc %fv {{atom = #filter}} : !fv
    %a0 = nv_tileas.alloc_tensor : !tile
    %b0 = nv_tileas.alloc_tensor : !tile
    %a1 = nv_tileas.alloc_tensor : !tile
    %b1 = nv_tileas.alloc_tensor : !tile
    %a2 = nv_tileas.alloc_tensor : !tile
    %b2 = nv_tileas.alloc_tensor : !tile
    %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2 {{numStages = 3 : i32}} : (!tile, !tile, !tile, !tile, !tile, !tile) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %sum, %ends:2 = scf.for %k = %c0 to %rounds step %c1 iter_args(%acc = %zero, %in = %first, %out = %first) -> (!sum, !iter, !iter) : i32 {{
      %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in {{pipeline_stage = 0 : i32}} : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 {{pipeline_stage = 0 : i32, producer_kind = "tma"}} : !pipe {{
      ^bb0(%x: !tile, %y: !tile):
        %ch = arith.remsi %k, %chunks : i32
        %tap = arith.divsi %k, %chunks : i32
        %fs = arith.remsi %tap, %taps : i32
        %fr = arith.divsi %tap, %taps : i32
        %x4 = nv_tileas.view %x : !tile -> !tile4
        {copy} {{atom = #pixels, tx_count = 8192 : i32}} : !xv, (i32, i32, i32, i32), !tile4
        %d1, %m1 = nv_tileas.async.tiled_tma_load %df, %fv[%k, %c0] into %y {{atom = #filter, tx_count = 8192 : i32}} : !fv, (i32, i32), !tile
        nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
      }}
      nv_tileas.async.pipeline.producer_commit %p, %t1 {{pipeline_stage = 0 : i32}} : !pipe
      %in1 = nv_tileas.async.pipeline.inc_iter %in {{pipeline_stage = 0 : i32}} : !iter
      %q0 = nv_tileas.async.pipeline.consumer_wait %p, %out {{pipeline_stage = 2 : i32}} : !pipe, !iter
      %q1, %r = nv_tileas.async.pipeline.consumer_read %p, %q0 {{pipeline_stage = 2 : i32}} : !pipe -> !sum {{
      ^bb0(%x: !tile, %y: !tile):
        %s = nv_tileas.dot %x, %y, %acc {{atom = {atom}}} : !tile, !tile, !sum
        nv_tileas.async.pipeline.yield %s : !sum
      }}
      nv_tileas.async.pipeline.consumer_release %p, %q1 {{pipeline_stage = 2 : i32}} : !pipe
      %out1 = nv_tileas.async.pipeline.inc_iter %out {{pipeline_stage = 2 : i32}} : !iter
      scf.yield %r, %in1, %out1 : !sum, !iter, !iter
    }}
    {store}
    nv_tileaa.return
  }}
}}
"""
