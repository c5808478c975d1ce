// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TMA atoms: boxes of a tensor of coordinates to shared memory and back, by execution; and what is missing reported.
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 'in:f32[16x64]{pass=none}=iota(lo=0)' 'm:map=in{box=8x32}' 'out:y:f32[16x64]{pass=none}=poison' 'n:map=y{box=8x32}' --show=y | FileCheck %s --check-prefix=Y
// Y: 1 2 3 4
// Y: 961 962 963
// RUN: sed '/fence.proxy/d' %s > %t.mlir
// RUN: not tileiras-run %t.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 'in:f32[16x64]{pass=none}=iota(lo=0)' 'm:map=in{box=8x32}' 'out:y:f32[16x64]{pass=none}=poison' 'n:map=y{box=8x32}' 2>&1 | FileCheck %s --check-prefix=PROXY
// PROXY: proxy
// RUN: not tileiras-opt %s --convert-cute-to-llvm=chip=sm_89 2>&1 | FileCheck %s --check-prefix=ADA
// ADA: error: 'cute.copy' op needs tensor maps, which sm_89 does not have

!load = !cute_nvgpu.tma_load<"(32,8)">
!store = !cute_nvgpu.tma_store<"(32,8)">
!coords = !cute.coord_tensor<"(0,0) o (64,16):(1@0,1@1)">
!boxes = !cute.coord_tensor<"(0,0) o (32,8,2,2):(1@0,1@1,32@0,8@1)">
!tile = !cute.memref<f32, smem, align<128>, "(32,8,2,2):(1,32,256,512)">
!bar = !cute.memref<i64, smem, "1:1">
gpu.module @kernels {
  gpu.func @plus_one(%in: !llvm.ptr {cute_nvgpu.grid_constant}, %out: !llvm.ptr {cute_nvgpu.grid_constant}) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c1024 = arith.constant 1024 : i32
    %bytes = arith.constant 4096 : i32
    %ticks = arith.constant 1000000 : i32
    %one = arith.constant 1.0 : f32
    %first = arith.cmpi eq, %t, %c0 : i32
    %s = cute.memref.alloc_smem : !tile
    %b = cute.memref.alloc_smem : !bar
    %pb = cute.get_iter(%b) : (!bar) -> !cute.ptr<i64, smem>
    %nb = cute.ptrtoint(%pb) : (!cute.ptr<i64, smem>) -> i64
    %mbar = llvm.inttoptr %nb : i64 to !llvm.ptr<3>
    %load = cute_nvgpu.atom.tma_load(%in, %pb) : (!llvm.ptr, !cute.ptr<i64, smem>) -> !load
    %store = cute_nvgpu.atom.tma_store(%out) : (!llvm.ptr) -> !store
    %shape = cute.static : !cute.shape<"(64,16)">
    %box = cute.static : !cute.shape<"(32,8)">
    %coords = cute.make_identity_tensor(%shape) : (!cute.shape<"(64,16)">) -> !coords
    %boxes = cute.flat_divide(%coords, %box) : (!coords, !cute.shape<"(32,8)">) -> !boxes
    scf.if %first {
      cute_nvgpu.prefetch_tma_desc(%in) : !llvm.ptr
      cute.prefetch(%load, %boxes) : !load, !boxes
      nvvm.mbarrier.init %mbar, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %mbar, %bytes : !llvm.ptr<3>, i32
      cute.copy(%load, %boxes, %s) : !load, !boxes, !tile
    }
    nvvm.mbarrier.try_wait.parity %mbar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    scf.for %i = %t to %c1024 step %c32 : i32 {
      %v = cute.memref.load(%s, %i) : (!tile, i32) -> f32
      %w = arith.addf %v, %one : f32
      cute.memref.store(%s, %i, %w) : !tile, i32, f32
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    scf.if %first {
      cute.copy(%store, %s, %boxes) : !store, !tile, !boxes
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0
    }
    gpu.return
  }
}
