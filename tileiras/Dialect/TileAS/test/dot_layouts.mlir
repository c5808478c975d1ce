// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse)))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-materialize-convert-layout,tileas-optimize-alloc-tensor)))' | FileCheck %s --check-prefix=SHARED

!ma = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!va = !nv_tileaa.tiled_view<[64, 32], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!vb = !nv_tileaa.tiled_view<[32, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!mc = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!vc = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>

// The accumulator that the loop carries has the layout of the products from its first value on; only the operands are
// converted in the loop, through shared memory, from where the product takes them itself.
gpu.module @gemm attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  // CHECK-LABEL: nv_tileaa.func @gemm
  // CHECK: %[[ZERO:.*]] = nv_tileaa.splat %{{.*}} : f32 -> tensor<64x64xf32, #[[C:.*]]>
  // CHECK: %[[ACC:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[ZERO]]) -> (tensor<64x64xf32, #[[C]]>)
  // CHECK: %[[X:.*]], %{{.*}} = nv_tileas.tiled_load
  // CHECK: %[[Y:.*]], %{{.*}} = nv_tileas.tiled_load
  // CHECK: %[[XA:.*]] = nv_tileas.convert_layout %[[X]]
  // CHECK: %[[YB:.*]] = nv_tileas.convert_layout %[[Y]]
  // CHECK-NEXT: %[[R:.*]] = nv_tileas.dot %[[XA]], %[[YB]], %[[S]]
  // CHECK-NEXT: scf.yield %[[R]]
  // SHARED-LABEL: nv_tileaa.func @gemm
  // SHARED: scf.for
  // Both operands are written between one pair of barriers.
  // SHARED: nv_tileas.copy %{{.*}}, %[[A:.*]] {atom_plan = {{[^,]*, [^,]*}}, nv_tileas.no_raw_barrier} :
  // SHARED: nv_tileas.copy %{{.*}}, %[[B:.*]] {atom_plan = {{[^,]*, [^,]*}}, no_war_barrier} :
  // SHARED: nv_tileas.dot %[[A]], %[[B]], %{{.*}} : tensor<64x32xf16, #shared{{.*}}>, tensor<32x64xf16, #shared{{.*}}>, tensor<64x64xf32, #linear
  nv_tileaa.func @gemm(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f32>, %m: i32, %i: i32) {
    %r = nv_tileaa.make_memref %p, sizes [%m], strides [] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
    %o = nv_tileaa.make_memref %q, sizes [%m], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !mc
    %a = nv_tileaa.block_tile %r : !ma -> !va
    %b = nv_tileaa.block_tile %r : !ma -> !vb
    %c = nv_tileaa.block_tile %o : !mc -> !vc
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %m step %c1 iter_args(%s = %z) -> (tensor<64x64xf32>) : i32 {
      %x, %t0 = nv_tileaa.tiled_load %a[%i, %k] : !va, (i32, i32) -> tensor<64x32xf16>
      %y, %t1 = nv_tileaa.tiled_load %b[%k, %i] : !vb, (i32, i32) -> tensor<32x64xf16>
      %d = nv_tileaa.dot %x, %y, %s : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %t2 = nv_tileaa.tiled_store %c[%i, %i], %acc : !vc, (i32, i32), tensor<64x64xf32>
    nv_tileaa.return
  }
}

// -----

// What one product gives goes into the next without leaving its thread: registers are renamed at most.
gpu.module @chain attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  // SHARED-LABEL: nv_tileaa.func @chain
  // SHARED: %[[R:.*]] = nv_tileas.dot
  // SHARED: %[[P:.*]] = arith.truncf
  // SHARED-NOT: alloc_tensor
  // SHARED: nv_tileas.dot
  nv_tileaa.func @chain(%p: f16, %z: f32) {
    %a = nv_tileaa.splat %p : f16 -> tensor<64x64xf16>
    %c = nv_tileaa.splat %z : f32 -> tensor<64x64xf32>
    %0 = nv_tileaa.dot %a, %a, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %2 = arith.truncf %0 : tensor<64x64xf32> to tensor<64x64xf16>
    %3 = nv_tileaa.dot %2, %a, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %4 = nv_tileaa.splat %z : f32 -> tensor<64x64xf32>
    %5 = arith.addf %3, %4 : tensor<64x64xf32>
    nv_tileaa.print "%f", %5 : tensor<64x64xf32>
    nv_tileaa.return
  }
}
