// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,tileas-refine-atom-by-resource)))' | FileCheck %s

!q = !nv_tileaa.tiled_view<[32, 512], !nv_tileaa.memref<32x512xf16, strides = [512, 1]>>
!k = !nv_tileaa.tiled_view<[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>
!o = !nv_tileaa.tiled_view<[512, 32], !nv_tileaa.memref<512x32xf32, strides = [32, 1]>>
#spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>

// 64 x 512 of f16 are more than all of 48 KiB, and as mma.sync takes them 128 registers of each thread, beside as many that they come from and
// the sums. So there are four products, of 128 of k each, each of which adds to the one before. What told slices apart in
// lanes and warps is now a matter of registers, at the load.
// CHECK: #[[ROWS:.*]] = #nv_tileas.linear<rank = 2, register = {{.*}}0, 256], [1, 0], [2, 0], [4, 0], [0, 128], [16, 0], [32, 0]], lane = {{.*}}, warp = {{.*}}0, 32], [0, 64], [8, 0]]>
// CHECK-LABEL: nv_tileaa.func @slices
// CHECK: scf.for
// CHECK: nv_tileas.tiled_load {{.*}} -> tensor<64x512xf16, #[[ROWS]]>
// CHECK: nv_tileas.extract_slice {{.*}} : tensor<64x512xf16, #[[ROWS]]> -> tensor<64x128xf16
// CHECK: %[[A:.*]] = nv_tileas.dot {{.*}} : tensor<64x128xf16
// CHECK: %[[B:.*]] = nv_tileas.dot %{{.*}}, %{{.*}}, %[[A]]
// CHECK: %[[C:.*]] = nv_tileas.dot %{{.*}}, %{{.*}}, %[[B]]
// CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %[[C]]
gpu.module @m attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @slices(%q: !q, %k: !k, %o: !o, %n: i32) attributes {nv_tileaa.kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = arith.constant dense<0.0> : tensor<64x32xf32>
    %zo = arith.constant dense<0.0> : tensor<512x32xf32>
    %xq, %t0 = nv_tileaa.tiled_load %q[%c0, %c0] : !q, (i32, i32) -> tensor<32x512xf16>
    %tq = nv_tileaa.permute %xq [1, 0] : tensor<32x512xf16> -> tensor<512x32xf16>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zo) -> (tensor<512x32xf32>) : i32 {
      %xk, %t1 = nv_tileaa.tiled_load %k[%i, %c0] : !k, (i32, i32) -> tensor<64x512xf16>
      %xv, %t2 = nv_tileaa.tiled_load %k[%i, %c0] : !k, (i32, i32) -> tensor<64x512xf16>
      %s = nv_tileaa.dot %xk, %tq, %z : tensor<64x512xf16>, tensor<512x32xf16>, tensor<64x32xf32>
      %h = arith.truncf %s : tensor<64x32xf32> to tensor<64x32xf16>
      %tv = nv_tileaa.permute %xv [1, 0] : tensor<64x512xf16> -> tensor<512x64xf16>
      %p = nv_tileaa.dot %tv, %h, %acc : tensor<512x64xf16>, tensor<64x32xf16>, tensor<512x32xf32>
      scf.yield %p : tensor<512x32xf32>
    }
    %t3 = nv_tileaa.tiled_store %o[%c0, %c0], %r : !o, (i32, i32), tensor<512x32xf32>
    nv_tileaa.return
  }

  // The first product alone leaves registers for its factor, which stays as it is.
  // CHECK-LABEL: nv_tileaa.func @fits
  // CHECK-NOT: extract_slice
  // CHECK: nv_tileas.dot {{.*}} : tensor<64x512xf16
  // CHECK-NOT: nv_tileas.dot
  nv_tileaa.func @fits(%q: !q, %k: !k, %o: !nv_tileaa.tiled_view<[64, 32], !nv_tileaa.memref<64x32xf32, strides = [32, 1]>>) attributes {nv_tileaa.kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %z = arith.constant dense<0.0> : tensor<64x32xf32>
    %xq, %t0 = nv_tileaa.tiled_load %q[%c0, %c0] : !q, (i32, i32) -> tensor<32x512xf16>
    %tq = nv_tileaa.permute %xq [1, 0] : tensor<32x512xf16> -> tensor<512x32xf16>
    %xk, %t1 = nv_tileaa.tiled_load %k[%c0, %c0] : !k, (i32, i32) -> tensor<64x512xf16>
    %s = nv_tileaa.dot %xk, %tq, %z : tensor<64x512xf16>, tensor<512x32xf16>, tensor<64x32xf32>
    %t3 = nv_tileaa.tiled_store %o[%c0, %c0], %s : !nv_tileaa.tiled_view<[64, 32], !nv_tileaa.memref<64x32xf32, strides = [32, 1]>>, (i32, i32), tensor<64x32xf32>
    nv_tileaa.return
  }
}
