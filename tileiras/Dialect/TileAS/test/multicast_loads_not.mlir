// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-multicast-loads)))' --remarks-filter=".*" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// Loads that blocks do not have in common stay as they are.

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#two = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [2, 1, 1], numCTAs = 2>
!a = tensor<64x64xf16, #a>
!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {

// One box, of which the rows divide the tile and no tile is the same; and a loop that one block goes through more often.
// CHECK-LABEL: @not_shared
// CHECK-NOT: nv_tileas.cluster_ring
// CHECK-NOT: nv_tileas.multicast
// REMARK: [Missed] Multicast{{.*}}Reason="no tile of it is the same for all blocks"
// REMARK: [Missed] Multicast{{.*}}Reason="not all blocks fill it as often"
nv_tileaa.func @not_shared(%va: !view, %n: i32) attributes {nv_tileaa.kernel_spec = #two, nv_tileas.divided_cluster} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %more = arith.addi %n, %rank : i32
  %da, %ua = nv_tileas.make_tiled_tma_desc %va {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 0 : i32} : !view
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !a
  %b1 = nv_tileas.alloc_tensor : !a
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %a1 {numStages = 2 : i32} : (!a, !a) -> !nv_tileas.pipeline<2 x (!a)>
  %q = nv_tileas.async.pipeline.create_pipeline %b0, %b1 {numStages = 2 : i32} : (!a, !a) -> !nv_tileas.pipeline<2 x (!a)>
  %first = nv_tileas.async.pipeline.create_iterator %p : !nv_tileas.pipeline<2 x (!a)> -> !nv_tileas.pipeline_iterator<2 x (!a)>
  %t0 = nv_tileas.async.pipeline.producer_acquire %p, %first : !nv_tileas.pipeline<2 x (!a)>, !nv_tileas.pipeline_iterator<2 x (!a)>
  %w0 = nv_tileas.async.pipeline.producer_write %p, %t0 : !nv_tileas.pipeline<2 x (!a)> {
  ^bb0(%ta: !a):
    %da1, %m0 = nv_tileas.async.tiled_tma_load %da, %va[%rank, %c0] into %ta {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i32), !a
    nv_tileas.async.pipeline.yield %da1 : !nv_tileas.async.token
  }
  %last = scf.for %i = %c0 to %more step %c1 iter_args(%x = %first) -> (!nv_tileas.pipeline_iterator<2 x (!a)>) : i32 {
    %t1 = nv_tileas.async.pipeline.producer_acquire %q, %x : !nv_tileas.pipeline<2 x (!a)>, !nv_tileas.pipeline_iterator<2 x (!a)>
    %w1 = nv_tileas.async.pipeline.producer_write %q, %t1 : !nv_tileas.pipeline<2 x (!a)> {
    ^bb0(%ta: !a):
      %da1, %m0 = nv_tileas.async.tiled_tma_load %da, %va[%c0, %c0] into %ta {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i32), !a
      nv_tileas.async.pipeline.yield %da1 : !nv_tileas.async.token
    }
    %x1 = nv_tileas.async.pipeline.inc_iter %x : !nv_tileas.pipeline_iterator<2 x (!a)>
    scf.yield %x1 : !nv_tileas.pipeline_iterator<2 x (!a)>
  }
  nv_tileaa.return
}
}
