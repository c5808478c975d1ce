// Two products of one tile: slices of it are made once, and are the registers of the tile.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,tileas-refine-atom-by-resource)))' -o %t.mlir --remarks-filter=resources --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir

// The first product sees both factors in fragments, 128 words of a thread, beside the loop's sums and tiles; the second one finds the slices of the
// left one there, which cost nothing beside those that it takes them from.
// REMARK: [Passed] RefinedAtom {{.*}}Slices=4, Words=384
// REMARK: [Passed] RefinedAtom {{.*}}Slices=4, Words=328
// REMARK: [Passed] RefinedAtom {{.*}}Slices=4, Words=264
// CHECK: scf.for
// CHECK: %[[X:.*]] = nv_tileas.convert_layout %{{.*}} : tensor<64x512xf16
// CHECK-COUNT-4: nv_tileas.extract_slice %[[X]]
// CHECK-NOT: nv_tileas.extract_slice %[[X]]
// CHECK-COUNT-8: nv_tileas.dot {{.*}}tensor<64x128xf16
// CHECK-NOT: tensor<64x128xf16

!q = !nv_tileaa.tiled_view<[32, 512], !nv_tileaa.memref<32x512xf16, strides = [512, 1]>>
!k = !nv_tileaa.tiled_view<[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>
!o = !nv_tileaa.tiled_view<[512, 32], !nv_tileaa.memref<512x32xf32, strides = [32, 1]>>
#spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>

gpu.module @m attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @twice(%q: !q, %q2: !q, %k: !k, %o: !o, %n: i32) attributes {nv_tileaa.kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = arith.constant dense<0.0> : tensor<64x32xf32>
    %zo = arith.constant dense<0.0> : tensor<512x32xf32>
    %xq, %t0 = nv_tileaa.tiled_load %q[%c0, %c0] : !q, (i32, i32) -> tensor<32x512xf16>
    %tq = nv_tileaa.permute %xq [1, 0] : tensor<32x512xf16> -> tensor<512x32xf16>
    %xq2, %t4 = nv_tileaa.tiled_load %q2[%c0, %c0] : !q, (i32, i32) -> tensor<32x512xf16>
    %tq2 = nv_tileaa.permute %xq2 [1, 0] : tensor<32x512xf16> -> tensor<512x32xf16>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zo) -> (tensor<512x32xf32>) : i32 {
      %xk, %t1 = nv_tileaa.tiled_load %k[%i, %c0] : !k, (i32, i32) -> tensor<64x512xf16>
      %xv, %t2 = nv_tileaa.tiled_load %k[%i, %c0] : !k, (i32, i32) -> tensor<64x512xf16>
      %s = nv_tileaa.dot %xk, %tq, %z : tensor<64x512xf16>, tensor<512x32xf16>, tensor<64x32xf32>
      %s2 = nv_tileaa.dot %xk, %tq2, %s : tensor<64x512xf16>, tensor<512x32xf16>, tensor<64x32xf32>
      %h = arith.truncf %s2 : tensor<64x32xf32> to tensor<64x32xf16>
      %tv = nv_tileaa.permute %xv [1, 0] : tensor<64x512xf16> -> tensor<512x64xf16>
      %p = nv_tileaa.dot %tv, %h, %acc : tensor<512x64xf16>, tensor<64x32xf16>, tensor<512x32xf32>
      scf.yield %p : tensor<512x32xf32>
    }
    %t3 = nv_tileaa.tiled_store %o[%c0, %c0], %r : !o, (i32, i32), tensor<512x32xf32>
    nv_tileaa.return
  }
}
