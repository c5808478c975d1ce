// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of cute_nvgpu that are one instruction, and memory by address: all of them executed.
// RUN: tileiras-run %s --entry=through --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 --dynamic-shared=512 'in:f16[32x8]=random(seed=1)' 'out:y:f16[32x8]' 'out:n:i32[2]' --dump=in=%t.in.npy --show=n | FileCheck %s --check-prefix=N
// N: 512 17
// RUN: tileiras-run %s --entry=through --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 --dynamic-shared=512 'in:f16[32x8]=random(seed=1)' 'out:y:f16[32x8]{expect=%t.in.npy}' 'out:n:i32[2]'
// Nobody waits for the copies.
// RUN: sed '/cp.async.wait.group/d' %s > %t.hasty.mlir
// RUN: not tileiras-run %t.hasty.mlir --entry=through --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --async=late --block=32 --dynamic-shared=512 'in:f16[32x8]=random(seed=1)' 'out:y:f16[32x8]{expect=%t.in.npy}' 'out:n:i32[2]'


!p = !cute.ptr<f16, smem, align<16>>
!row = !cute.memref<f16, smem, align<16>, "8:1">
!g = !cute.ptr<f16, gmem, align<16>>
!grow = !cute.memref<f16, gmem, align<16>, "8:1">
!r = !cute.ptr<f16, rmem, align<16>>
!rrow = !cute.memref<f16, rmem, align<16>, "8:1">
!i8row = !cute.int_tuple<"?{div=8}">
!vector = !cute_nvgpu.universal_copy<128>

gpu.module @kernels {
  // Rows of eight go by cp.async, ldmatrix and stmatrix (dynamic shared memory), and a vector in registers.
  gpu.func @through(%in: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c17 = arith.constant 17 : i32
    %first = arith.cmpi eq, %t, %c0 : i32
    %at = arith.muli %t, %c8 : i32
    %eight = cute.make_int_tuple(%at) : (i32) -> !i8row
    %gin = cute.inttoptr(%in) : (!llvm.ptr<1>) -> !g
    %gy = cute.inttoptr(%y) : (!llvm.ptr<1>) -> !g
    %gn = cute.inttoptr(%n) : (!llvm.ptr<1>) -> !cute.ptr<i32, gmem>
    %s = cute_nvgpu.arch.alloc_smem 256 : !p
    %d = cute_nvgpu.arch.get_dyn_smem : !p
    %r = cute_nvgpu.arch.alloc_rmem 8 : !r
    %from = cute.add_offset(%gin, %eight) : (!g, !i8row) -> !g
    %to = cute.add_offset(%gy, %eight) : (!g, !i8row) -> !g
    %srow = cute.add_offset(%s, %eight) : (!p, !i8row) -> !p
    %drow = cute.add_offset(%d, %eight) : (!p, !i8row) -> !p
    %line = cute.static : !cute.layout<"8:1">
    %vector = cute.make_atom : !vector
    %fetched = cute.make_view(%from, %line) : (!g, !cute.layout<"8:1">) -> !grow
    cute.prefetch_atom_call(%vector, %fetched) : !vector, !grow
    cute_nvgpu.arch.copy.SM80.cp_async(%srow, %from) 16 : !p, !g
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    gpu.barrier
    %w:4 = cute_nvgpu.arch.copy.ldsm(%srow) : (!p) -> (i32, i32, i32, i32)
    cute_nvgpu.arch.copy.stsm(%drow, %w#0, %w#1, %w#2, %w#3) : !p
    gpu.barrier
    %a = cute.make_view(%drow, %line) : (!p, !cute.layout<"8:1">) -> !row
    %b = cute.make_view(%r, %line) : (!r, !cute.layout<"8:1">) -> !rrow
    %c = cute.make_view(%to, %line) : (!g, !cute.layout<"8:1">) -> !grow
    cute.copy(%vector, %a, %b) : !vector, !row, !rrow
    cute.copy(%vector, %b, %c) : !vector, !rrow, !grow
    // What the first lane has, all have.
    %own = arith.addi %t, %c17 : i32
    %same = cute_nvgpu.arch.make_warp_uniform(%own) : i32
    %size = cute_nvgpu.arch.get_dyn_smem_size : i32
    scf.if %first {
      cute.ptr.store(%gn, %size) : !cute.ptr<i32, gmem>, i32
    }
    %c31 = arith.constant 31 : i32
    %last = arith.cmpi eq, %t, %c31 : i32
    scf.if %last {
      %one = cute.static : !cute.int_tuple<"1">
      %next = cute.add_offset(%gn, %one) : (!cute.ptr<i32, gmem>, !cute.int_tuple<"1">) -> !cute.ptr<i32, gmem>
      cute.ptr.store(%next, %same) : !cute.ptr<i32, gmem>, i32
    }
    gpu.return
  }
}
