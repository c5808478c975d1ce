// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by TMA, as an atom and as instructions, and what operations on tensor maps say: executed.
// RUN: tileiras-run %s --entry=sums --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 'in:i32[16x32]{pass=none}=iota(lo=0)' 'm:map=in{box=8x32}' 'out:y:i32[24x32]{pass=none}=1000' 'n:map=y{box=8x32}' 'out:flags:i32[4]=zeros' --show=y --show=flags > %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// First box: 1000 + x + x by the atom and by the instruction; second box: the smaller of 1000 and x; third: x as it is.
// CHECK: {{^ *}}1002 1004 1006 1008
// CHECK-NEXT: {{^ *}}1064 1066
// CHECK: {{^ *}}1448 1450
// CHECK-NEXT: {{^ *}}256 257 258
// CHECK: {{^ *}}480 481
// CHECK-NEXT: {{^ *}}1 2 3 4
// CHECK-NEXT: {{^ *}}32 33 34
// CHECK: {{^ *}}224 225
// The addresses agree, the copies of the map too, and there was something to compare.
// CHECK: 1 1 1 1
// The atom with another operation: the smaller of 1000 and x, plus x.
// RUN: sed 's/, "add">/, "min">/g' %s > %t.other.mlir
// RUN: tileiras-run %t.other.mlir --entry=sums --gpu-name=sm_90 --engine=emulator --check-races --block=32 'in:i32[16x32]{pass=none}=iota(lo=0)' 'm:map=in{box=8x32}' 'out:y:i32[24x32]{pass=none}=1000' 'n:map=y{box=8x32}' 'out:flags:i32[4]=zeros' --show=y | FileCheck %s --check-prefix=MIN
// MIN: {{^ *}}2 4 6 8
// RUN: sed '/fence.proxy/d' %s > %t.unfenced.mlir
// RUN: not tileiras-run %t.unfenced.mlir --entry=sums --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 'in:i32[16x32]{pass=none}=iota(lo=0)' 'm:map=in{box=8x32}' 'out:y:i32[24x32]{pass=none}=1000' 'n:map=y{box=8x32}' 'out:flags:i32[4]=zeros' 2>&1 | FileCheck %s --check-prefix=PROXY
// PROXY: proxy
// RUN: tileiras-run %s --entry=prints --gpu-name=sm_90 --engine=emulator --block=1 'in:i32[16x32]{pass=none}=iota(lo=0)' 'm:map=in{box=8x32}' 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT-COUNT-8: 0x{{[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+}}
// RUN: not tileiras-opt %s --convert-cute-to-llvm=chip=sm_89 2>&1 | FileCheck %s --check-prefix=ADA
// ADA: error: 'cute_nvgpu.arch.copy.SM100.tma_load' op needs tensor maps, which sm_89 does not have

!reduce = !cute_nvgpu.tma_reduce<"(32,8)", "add">
!tile = !cute.memref<i32, smem, align<128>, "(32,8):(1,32)">
!bar = !cute.memref<i64, smem, "1:1">
!box = !cute.coord_tensor<"(0,0) o (32,8):(1@0,1@1)">
!p = !cute.ptr<i32, smem, align<128>>
!map = !cute.ptr<i32, smem, align<128>>
gpu.module @kernels {
  gpu.func @sums(%in: !llvm.ptr {cute_nvgpu.grid_constant}, %out: !llvm.ptr {cute_nvgpu.grid_constant}, %flags: !cute.memref<i32, gmem, "4:1">) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %bytes = arith.constant 1024 : i32
    %ticks = arith.constant 1000000 : i32
    %first = arith.cmpi eq, %t, %c0 : i32
    %s = cute.memref.alloc_smem : !tile
    %u = cute.memref.alloc_smem : !tile
    %b = cute.memref.alloc_smem : !bar
    %copy = cute_nvgpu.arch.alloc_smem 32 : !map
    %pb = cute.get_iter(%b) : (!bar) -> !cute.ptr<i64, smem>
    %ps = cute.get_iter(%s) : (!tile) -> !p
    %pu = cute.get_iter(%u) : (!tile) -> !p
    %nb = cute.ptrtoint(%pb) : (!cute.ptr<i64, smem>) -> i64
    %mbar = llvm.inttoptr %nb : i64 to !llvm.ptr<3>
    %from = cute_nvgpu.get_grid_constant_pointer(%in) : (!llvm.ptr) -> !llvm.ptr
    %reduce = cute_nvgpu.atom.tma_reduce(%out) : (!llvm.ptr) -> !reduce
    %shape = cute.static : !cute.shape<"(32,8)">
    %box = cute.make_identity_tensor(%shape) : (!cute.shape<"(32,8)">) -> !box
    scf.if %first {
      cute_nvgpu.arch.prefetch_tma_desc(%in) : !llvm.ptr
      nvvm.mbarrier.init %mbar, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      %both = arith.addi %bytes, %bytes : i32
      nvvm.mbarrier.arrive.expect_tx %mbar, %both : !llvm.ptr<3>, i32
      cute_nvgpu.arch.copy.SM100.tma_load(%from, %ps, %pb at %c0, %c0) : !llvm.ptr, !p, !cute.ptr<i64, smem>
      cute_nvgpu.arch.copy.SM100.tma_load(%from, %pu, %pb at %c0, %c8) : !llvm.ptr, !p, !cute.ptr<i64, smem>
    }
    nvvm.mbarrier.try_wait.parity %mbar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    // Something of each thread, that the unit has to see: the first row grows by one.
    %v = cute.memref.load(%s, %t) : (!tile, i32) -> i32
    %larger = arith.addi %v, %c1 : i32
    cute.memref.store(%s, %t, %larger) : !tile, i32, i32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    scf.if %first {
      cute.copy(%reduce, %s, %box) : !reduce, !tile, !box
      cute_nvgpu.arch.copy.SM100.tma_reduce "add"(%out, %ps at %c0, %c0) : !llvm.ptr, !p
      cute_nvgpu.arch.copy.SM100.tma_reduce "min"(%out, %pu at %c0, %c8) : !llvm.ptr, !p
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0
      cute_nvgpu.arch.copy.SM100.tma_store(%out, %ps at %c0, %c16) : !llvm.ptr, !p
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0
      // Of the map: its address as a number, from the atom, and its bytes.
      %number = cute_nvgpu.cast_tma_desc_to_integer(%out) : !llvm.ptr
      %address = cute_nvgpu.get_tma_desc_addr(%reduce) : (!reduce) -> !cute.ptr<i32, generic, align<64>>
      %same = cute.ptrtoint(%address) : (!cute.ptr<i32, generic, align<64>>) -> i64
      %equal = arith.cmpi eq, %number, %same : i64
      %e = arith.extui %equal : i1 to i32
      cute.memref.store(%flags, %c0, %e) : !cute.memref<i32, gmem, "4:1">, i32, i32
      cute_nvgpu.copy_tma_desc(%out, %copy) : !llvm.ptr, !map
      %words = cute.static : !cute.layout<"32:1">
      %there = cute.make_view(%address, %words) : (!cute.ptr<i32, generic, align<64>>, !cute.layout<"32:1">) -> !cute.memref<i32, generic, align<64>, "32:1">
      %here = cute.make_view(%copy, %words) : (!map, !cute.layout<"32:1">) -> !cute.memref<i32, smem, align<128>, "32:1">
      %c32 = arith.constant 32 : i32
      %r:2 = scf.for %i = %c0 to %c32 step %c1 iter_args(%all = %c1, %any = %c0) -> (i32, i32) : i32 {
        %x = cute.memref.load(%there, %i) : (!cute.memref<i32, generic, align<64>, "32:1">, i32) -> i32
        %y = cute.memref.load(%here, %i) : (!cute.memref<i32, smem, align<128>, "32:1">, i32) -> i32
        %is = arith.cmpi eq, %x, %y : i32
        %one = arith.extui %is : i1 to i32
        %still = arith.andi %all, %one : i32
        %some = arith.cmpi ne, %x, %c0 : i32
        %found = arith.extui %some : i1 to i32
        %ever = arith.ori %any, %found : i32
        scf.yield %still, %ever : i32, i32
      }
      cute.memref.store(%flags, %c1, %r#0) : !cute.memref<i32, gmem, "4:1">, i32, i32
      cute.memref.store(%flags, %c2, %r#1) : !cute.memref<i32, gmem, "4:1">, i32, i32
      cute.memref.store(%flags, %c3, %c1) : !cute.memref<i32, gmem, "4:1">, i32, i32
    }
    gpu.return
  }

  gpu.func @prints(%in: !llvm.ptr {cute_nvgpu.grid_constant}) kernel {
    cute.print_tma_desc_tiled(%in) : !llvm.ptr
    cute.print_tma_desc_im2col(%in) : !llvm.ptr
    gpu.return
  }
}
