// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps,tileas-divide-steps))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps{num-stages=1}))' | FileCheck %s --check-prefix=ONE
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps))' --remarks-filter=".*" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

!m8 = !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!vb = !nv_tileaa.tiled_view<[1, 256, 64], dim_map = [0, 1, 2], padding = zero, !nv_tileaa.memref<?x?x?xf16, strides = [?, ?, 1]>>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// 48 KiB for one iteration: half of each, and twice as many. What the counter of slices is in 64 bits is the new counter.
// REMARK: [Passed] Divided | Category:pipeline | Function=divided | Parts=2
// CHECK-LABEL: nv_tileaa.func @divided
// A view outside of the loop gets its narrow one beside it, where a tensor map can be made.
// CHECK: %[[A:.*]] = nv_tileaa.block_tile {{.*}} -> <[128, 32], padding = zero
// CHECK-NEXT: nv_tileaa.block_tile {{.*}} -> <[128, 64], padding = zero
// CHECK: %[[N:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[UB:.*]] = arith.muli %[[N]], %{{.*}} : i64
// CHECK: %[[B:.*]] = nv_tileaa.block_tile {{.*}} -> <[1, 256, 32], padding = zero
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[UB]] step %{{.*}} iter_args({{.*}}) -> (tensor<128x256xf32>) : i64 {
// CHECK: %[[ROW:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK: nv_tileaa.tiled_load %[[A]][%[[ROW]], %[[J]]] : {{.*}} -> tensor<128x32xf16>
// CHECK: nv_tileaa.tiled_load %[[B]][%{{.*}}, %{{.*}}, %[[J]]] : {{.*}} -> tensor<1x256x32xf16>
// CHECK: nv_tileaa.view {{.*}} : tensor<1x256x32xf16> -> tensor<256x32xf16>
// CHECK: nv_tileaa.permute {{.*}} [1, 0] : tensor<256x32xf16> -> tensor<32x256xf16>
// CHECK: nv_tileaa.dot {{.*}} : tensor<128x32xf16>, tensor<32x256xf16>, tensor<128x256xf32>
// ONE-LABEL: nv_tileaa.func @divided
// ONE-NOT: tensor<128x32xf16>
// ONE: nv_tileaa.func @counter_used
nv_tileaa.func @divided(%ma: !memref, %mb: !nv_tileaa.memref<?x?x?xf16, strides = [?, ?, 1]>, %m: i32, %n: i32, %z: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c0_64 = arith.constant 0 : i64
  %va = nv_tileaa.block_tile %ma : <?x?xf16, strides = [?, 1]> -> <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<128x256xf32>) : i32 {
    %a, %ta = nv_tileaa.tiled_load %va[%m, %i] : <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %i64 = arith.extui %i : i32 to i64
    %vb = nv_tileaa.block_tile %mb : <?x?x?xf16, strides = [?, ?, 1]> -> <[1, 256, 64], padding = zero, !nv_tileaa.memref<?x?x?xf16, strides = [?, ?, 1]>>
    %b, %tb = nv_tileaa.tiled_load %vb[%c0_64, %c0_64, %i64] : <[1, 256, 64], padding = zero, !nv_tileaa.memref<?x?x?xf16, strides = [?, ?, 1]>>, (i64, i64, i64) -> tensor<1x256x64xf16>
    %bv = nv_tileaa.view %b : tensor<1x256x64xf16> -> tensor<256x64xf16>
    %bt = nv_tileaa.permute %bv [1, 0] : tensor<256x64xf16> -> tensor<64x256xf16>
    %d = nv_tileaa.dot %a, %bt, %s : tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  nv_tileaa.return %r : tensor<128x256xf32>
}

// The counter says more than where the tiles are; a loop that may begin below zero; one that has room: as they are.
// CHECK-LABEL: nv_tileaa.func @counter_used
// CHECK-NOT: tensor<128x32xf16>
nv_tileaa.func @counter_used(%ma: !memref, %mb: !memref, %lb: i32, %n: i32, %z: tensor<128x128xf32>) -> i32 attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %va = nv_tileaa.block_tile %ma : <?x?xf16, strides = [?, 1]> -> <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %vb = nv_tileaa.block_tile %mb : <?x?xf16, strides = [?, 1]> -> <[64, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %r, %e = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %x = %c0) -> (tensor<128x128xf32>, i32) : i32 {
    %a, %ta = nv_tileaa.tiled_load %va[%c0, %i] : <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %b, %tb = nv_tileaa.tiled_load %vb[%i, %c0] : <[64, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %a, %b, %s : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    %x1 = arith.addi %x, %i : i32
    scf.yield %d, %x1 : tensor<128x128xf32>, i32
  }
  %r2 = scf.for %i = %lb to %n step %c1 iter_args(%s = %z) -> (tensor<128x128xf32>) : i32 {
    %a, %ta = nv_tileaa.tiled_load %va[%c0, %i] : <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %b, %tb = nv_tileaa.tiled_load %vb[%i, %c0] : <[64, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %a, %b, %s : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.return %e : i32
}

// Factors that are converted first: as they are loaded they need room twice, as they are multiplied once. They are divided where they would
// have no room as they are multiplied, not where registers may hold them.
// REMARK: [Passed] Divided | Category:pipeline | Function=converted | Parts=4
// CHECK-LABEL: nv_tileaa.func @converted
// CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<128x32xf8E5M2>
// CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<32x128xf8E5M2>
// CHECK: arith.extf {{.*}} : tensor<128x32xf8E5M2> to tensor<128x32xf16>
// CHECK: nv_tileaa.dot {{.*}} : tensor<128x32xf16>, tensor<32x128xf16>, tensor<128x128xf32>
// CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<128x64xf8E5M2>
nv_tileaa.func @converted(%ma: !m8, %mb: !m8, %n: i32, %z: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %va = nv_tileaa.block_tile %ma : <?x?xf8E5M2, strides = [?, 1]> -> <[128, 128], padding = zero, !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>>
  %vb = nv_tileaa.block_tile %mb : <?x?xf8E5M2, strides = [?, 1]> -> <[128, 128], padding = zero, !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<128x128xf32>) : i32 {
    %a, %ta = nv_tileaa.tiled_load %va[%c0, %i] : <[128, 128], padding = zero, !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>>, (i32, i32) -> tensor<128x128xf8E5M2>
    %b, %tb = nv_tileaa.tiled_load %vb[%i, %c0] : <[128, 128], padding = zero, !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>>, (i32, i32) -> tensor<128x128xf8E5M2>
    %ah = arith.extf %a : tensor<128x128xf8E5M2> to tensor<128x128xf16>
    %bh = arith.extf %b : tensor<128x128xf8E5M2> to tensor<128x128xf16>
    %d = nv_tileaa.dot %ah, %bh, %s : tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %vc = nv_tileaa.block_tile %ma : <?x?xf8E5M2, strides = [?, 1]> -> <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>>
  %vd = nv_tileaa.block_tile %mb : <?x?xf8E5M2, strides = [?, 1]> -> <[64, 128], padding = zero, !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>>
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%s = %r) -> (tensor<128x128xf32>) : i32 {
    %a, %ta = nv_tileaa.tiled_load %vc[%c0, %i] : <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf8E5M2>
    %b, %tb = nv_tileaa.tiled_load %vd[%i, %c0] : <[64, 128], padding = zero, !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf8E5M2>
    %ah = arith.extf %a : tensor<128x64xf8E5M2> to tensor<128x64xf16>
    %bh = arith.extf %b : tensor<64x128xf8E5M2> to tensor<64x128xf16>
    %d = nv_tileaa.dot %ah, %bh, %s : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.return %q : tensor<128x128xf32>
}
}
