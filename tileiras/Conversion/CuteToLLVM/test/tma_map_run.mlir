// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor map that the kernel makes in global memory, for a tensor whose extent it learns when it runs, and changes to that of another one.
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 'in:i32[24x32]=iota(lo=0)' 'ws:i64[16]=zeros' 'out:y:i32[16x32]=poison' i32=16 --show=y > %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// Rows 8 to 15; then rows 12 to 15 of what has 12 rows from the fifth on, and nothing.
// CHECK: {{^ *}}256 257 258
// CHECK: {{^ *}}480 481
// CHECK-NEXT: {{^ *}}384 385
// CHECK: {{^ *}}480 481
// CHECK-NEXT: {{^ *}}0 0 0
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --block=32 'in:i32[24x32]=iota(lo=0)' 'ws:i64[16]=zeros' 'out:y:i32[16x32]=poison' i32=16 --show=y > %t.100.txt
// RUN: diff %t.txt %t.100.txt
// TMA has not learnt of the map, or of the change.
// RUN: sed '/of the first/d' %s > %t.unfenced.mlir
// RUN: not tileiras-run %t.unfenced.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 'in:i32[24x32]=iota(lo=0)' 'ws:i64[16]=zeros' 'out:y:i32[16x32]=poison' i32=16 2>&1 | FileCheck %s --check-prefix=PROXY
// RUN: sed '/of the second/d' %s > %t.stale.mlir
// RUN: not tileiras-run %t.stale.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 'in:i32[24x32]=iota(lo=0)' 'ws:i64[16]=zeros' 'out:y:i32[16x32]=poison' i32=16 2>&1 | FileCheck %s --check-prefix=PROXY
// PROXY: {{proxy|tensormap}}
// RUN: not tileiras-opt %s --convert-cute-to-llvm=chip=sm_89 2>&1 | FileCheck %s --check-prefix=ADA
// ADA: error: 'cute_nvgpu.make_tma_desc_tiled_at' op needs tensor maps, which sm_89 does not have

!tile = !cute.memref<i32, smem, align<128>, "(32,8):(1,32)">
!bar = !cute.memref<i64, smem, "1:1">
!map = !cute.ptr<i64, gmem, align<128>>
!rows = !cute.memref<i32, gmem, align<16>, "(32,?):(1,32)">
gpu.module @kernels {
  gpu.func @maps(%in: !llvm.ptr<1>, %ws: !llvm.ptr<1>, %y: !cute.memref<i32, gmem, "512:1">, %n: i32) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %c128 = arith.constant 128 : i32
    %c256 = arith.constant 256 : i32
    %bytes = arith.constant 1024 : i32
    %ticks = arith.constant 1000000 : i32
    %first = arith.cmpi eq, %t, %c0 : i32
    %s = cute.memref.alloc_smem : !tile
    %b = cute.memref.alloc_smem : !bar
    %pb = cute.get_iter(%b) : (!bar) -> !cute.ptr<i64, smem>
    %ps = cute.get_iter(%s) : (!tile) -> !cute.ptr<i32, smem, align<128>>
    %nb = cute.ptrtoint(%pb) : (!cute.ptr<i64, smem>) -> i64
    %mbar = llvm.inttoptr %nb : i64 to !llvm.ptr<3>
    %map = cute.inttoptr(%ws) : (!llvm.ptr<1>) -> !map
    %address = llvm.addrspacecast %ws : !llvm.ptr<1> to !llvm.ptr
    %w = cute.static : !cute.int_tuple<"32">
    %one = cute.static : !cute.int_tuple<"1">
    %shape = cute.make_shape(%w, %n) : (!cute.int_tuple<"32">, i32) -> !cute.shape<"(32,?)">
    %stride = cute.make_stride(%one, %w) : (!cute.int_tuple<"1">, !cute.int_tuple<"32">) -> !cute.stride<"(1,32)">
    %layout = cute.make_layout(%shape, %stride) : (!cute.shape<"(32,?)">, !cute.stride<"(1,32)">) -> !cute.layout<"(32,?):(1,32)">
    %p = cute.inttoptr(%in) : (!llvm.ptr<1>) -> !cute.ptr<i32, gmem, align<16>>
    %all = cute.make_view(%p, %layout) : (!cute.ptr<i32, gmem, align<16>>, !cute.layout<"(32,?):(1,32)">) -> !rows
    %fewer = arith.subi %n, %c4 : i32
    %less = cute.make_shape(%w, %fewer) : (!cute.int_tuple<"32">, i32) -> !cute.shape<"(32,?)">
    %rest = cute.make_layout(%less, %stride) : (!cute.shape<"(32,?)">, !cute.stride<"(1,32)">) -> !cute.layout<"(32,?):(1,32)">
    %four = cute.static : !cute.int_tuple<"128">
    %q = cute.add_offset(%p, %four) : (!cute.ptr<i32, gmem, align<16>>, !cute.int_tuple<"128">) -> !cute.ptr<i32, gmem, align<16>>
    %behind = cute.make_view(%q, %rest) : (!cute.ptr<i32, gmem, align<16>>, !cute.layout<"(32,?):(1,32)">) -> !rows
    scf.if %first {
      nvvm.mbarrier.init %mbar, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      cute_nvgpu.make_tma_desc_tiled_at "(32,8)" (%map, %all) : !map, !rows
      nvvm.fence.proxy.release #nvvm.mem_scope<gpu> // of the first
      nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %address, %c128 // of the first
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %mbar, %bytes : !llvm.ptr<3>, i32
      cute_nvgpu.arch.copy.SM100.tma_load(%map, %ps, %pb at %c0, %c8) : !map, !cute.ptr<i32, smem, align<128>>, !cute.ptr<i64, smem>
    }
    nvvm.mbarrier.try_wait.parity %mbar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    scf.for %i = %t to %c256 step %c32 : i32 {
      %v = cute.memref.load(%s, %i) : (!tile, i32) -> i32
      cute.memref.store(%y, %i, %v) : !cute.memref<i32, gmem, "512:1">, i32, i32
    }
    gpu.barrier
    scf.if %first {
      cute_nvgpu.update_tma_desc(%map, %behind) : !map, !rows
      nvvm.fence.proxy.release #nvvm.mem_scope<gpu> // of the second
      nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %address, %c128 // of the second
      nvvm.mbarrier.arrive.expect_tx %mbar, %bytes : !llvm.ptr<3>, i32
      cute_nvgpu.arch.copy.SM100.tma_load(%map, %ps, %pb at %c0, %c8) : !map, !cute.ptr<i32, smem, align<128>>, !cute.ptr<i64, smem>
    }
    nvvm.mbarrier.try_wait.parity %mbar, %c1, %ticks : !llvm.ptr<3>, i32, i32
    scf.for %i = %t to %c256 step %c32 : i32 {
      %v = cute.memref.load(%s, %i) : (!tile, i32) -> i32
      %j = arith.addi %i, %c256 : i32
      cute.memref.store(%y, %j, %v) : !cute.memref<i32, gmem, "512:1">, i32, i32
    }
    gpu.return
  }
}
