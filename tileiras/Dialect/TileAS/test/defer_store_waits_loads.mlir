// The wait for stores of the round before, which has no token, beside waits for loads: neither stands for the other.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-defer-store-waits,tileas-optimize-alloc-tensor)))' -o %t.mlir && FileCheck %s < %t.mlir
// RUN: tileiras-opt %t.mlir -tileas-allocate-scratch -convert-nv-tile-func-to-llvm -convert-nv-tileas-to-llvm | FileCheck %s --check-prefix=LLVM

#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#sh = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[64, 64], !memref>
!ctile = tensor<64x64xf16, #sh>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {

// The loads are waited for before the tile is written.
// CHECK-LABEL: nv_tileaa.func @before
// CHECK: %[[LOADED:.*]], %{{.*}} = nv_tileas.async.tiled_load
// CHECK-NEXT: nv_tileas.async.wait %[[LOADED]]
// CHECK-NEXT: nv_tileas.async.wait {nv_tileas.source_read, nv_tileas.waits_for_stores}
// CHECK-NEXT: nv_tileas.copy
// LLVM-LABEL: @before
// LLVM: nvvm.cp.async.shared.global
// LLVM: nvvm.cp.async.wait.group 0
// LLVM: nvvm.cp.async.bulk.wait_group 0 {read}
// LLVM: cp.async.bulk.tensor
nv_tileaa.func @before(%o: !nv_tileaa.ptr<f16>, %n: i32, %low: i32, %high: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1 = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<64x64xf16, #copies>
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  %map, %usable = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : !view
  scf.for %i = %low to %high step %c1 : i32 {
    %in = nv_tileas.alloc_tensor : !ctile
    %tile = nv_tileas.alloc_tensor : !ctile
    %ld, %lt = nv_tileas.async.tiled_load %v[%i, %i] into %in {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !ctile
    nv_tileas.async.wait %ld
    nv_tileas.copy %x, %tile {nv_tileas.async_proxy, nv_tileas.no_raw_barrier} : tensor<64x64xf16, #copies>, !ctile
    %done, %t = nv_tileas.async.tiled_tma_store %map, %tile, %v[%i, %i] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : !ctile, !view, (i32, i32)
    nv_tileas.async.wait %done {nv_tileas.source_read}
  }
  nv_tileaa.return
}

// And behind it.
// CHECK-LABEL: nv_tileaa.func @behind
// CHECK: %[[LOADED:.*]], %{{.*}} = nv_tileas.async.tiled_load
// CHECK-NEXT: nv_tileas.async.wait {nv_tileas.source_read, nv_tileas.waits_for_stores}
// CHECK-NEXT: nv_tileas.copy
// CHECK-NEXT: nv_tileas.async.wait %[[LOADED]]
// LLVM-LABEL: @behind
// LLVM: nvvm.cp.async.shared.global
// LLVM: nvvm.cp.async.bulk.wait_group 0 {read}
// LLVM: nvvm.cp.async.wait.group 0
// LLVM: cp.async.bulk.tensor
nv_tileaa.func @behind(%o: !nv_tileaa.ptr<f16>, %n: i32, %low: i32, %high: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1 = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<64x64xf16, #copies>
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  %map, %usable = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : !view
  scf.for %i = %low to %high step %c1 : i32 {
    %in = nv_tileas.alloc_tensor : !ctile
    %tile = nv_tileas.alloc_tensor : !ctile
    %ld, %lt = nv_tileas.async.tiled_load %v[%i, %i] into %in {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !ctile
    nv_tileas.copy %x, %tile {nv_tileas.async_proxy, nv_tileas.no_raw_barrier} : tensor<64x64xf16, #copies>, !ctile
    nv_tileas.async.wait %ld
    %done, %t = nv_tileas.async.tiled_tma_store %map, %tile, %v[%i, %i] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : !ctile, !view, (i32, i32)
    nv_tileas.async.wait %done {nv_tileas.source_read}
  }
  nv_tileaa.return
}
}
