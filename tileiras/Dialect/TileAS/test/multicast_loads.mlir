// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-multicast-loads)))' --remarks-filter=".*" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-multicast-loads,tileas-alloc-pipeline-barriers,tileas-optimize-alloc-tensor)),convert-nv-tile-func-to-llvm,convert-pipeline-to-nvvm)' | FileCheck %s --check-prefix=NVVM
// What all blocks of a cluster load, each of them loads a part of for all.

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#r = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#two = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [2, 1, 1], numCTAs = 2>
!a = tensor<64x64xf16, #a>
!r = tensor<64x64xf16, #r>
!pipe = !nv_tileas.pipeline<2 x (!a, !a)>
!iter = !nv_tileas.pipeline_iterator<2 x (!a, !a)>
!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {

// The second tile is the same for both blocks: half of it from each, so the box of its tensor map is half as high.
// CHECK-LABEL: @shared
// CHECK: nv_tileas.make_tiled_tma_desc {{.*}}atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>
// CHECK: nv_tileas.make_tiled_tma_desc {{.*}}atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>
// CHECK: create_pipeline {{.*}}nv_tileas.cluster_ring = 2 : i32
// CHECK: nv_tileas.async.tiled_tma_load {{.*}}box = [64, 64]
// CHECK-NOT: nv_tileas.multicast
// CHECK-SAME: tx_count = 8192
// CHECK: nv_tileas.async.tiled_tma_load {{.*}}box = [32, 64]{{.*}}nv_tileas.multicast = 2 : i32{{.*}}tx_count = 8192
// REMARK: [Passed] Multicast{{.*}}Blocks=2{{.*}}BytesOfStage=16384, BytesShared=8192
//
// The blocks meet when the barriers are ready; the four warps of each arrive at both; before they end they meet again.
// NVVM-LABEL: @shared
// NVVM: "llvm.nvvm.mbarrier.init.shared"({{.*}}, %[[ONE:[^)]*]])
// NVVM: nvvm.fence.mbarrier.init
// NVVM: nvvm.cluster.arrive {aligned}
// NVVM-NEXT: nvvm.cluster.wait {aligned}
// NVVM-NOT: nvvm.barrier0
// NVVM: try_wait.parity.acquire.cluster.shared::cta.b64
// NVVM: mbarrier.arrive.expect_tx.shared.b64
// NVVM: try_wait.parity.shared.b64
// NVVM: setp.lt.u32 one, $1, 2;{{.*}}mapa.shared::cluster.u32{{.*}}mbarrier.arrive.release.cluster.shared::cluster.b64
// NVVM: nvvm.cluster.arrive {aligned}
// NVVM-NEXT: nvvm.cluster.wait {aligned}
// NVVM-NEXT: return
nv_tileaa.func @shared(%va: !view, %vb: !view, %n: i32) attributes {nv_tileaa.kernel_spec = #two, nv_tileas.divided_cluster} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %da, %ua = nv_tileas.make_tiled_tma_desc %va {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 0 : i32} : !view
  %db, %ub = nv_tileas.make_tiled_tma_desc %vb {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 1 : i32} : !view
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !a
  %b1 = nv_tileas.alloc_tensor : !a
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1 {numStages = 2 : i32} : (!a, !a, !a, !a) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %in, %out = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first, %y = %first) -> (!iter, !iter) : i32 {
    %q = nv_tileas.async.pipeline.producer_acquire %p, %x : !pipe, !iter
    %w = nv_tileas.async.pipeline.producer_write %p, %q : !pipe {
    ^bb0(%ta: !a, %tb: !a):
      %da1, %m0 = nv_tileas.async.tiled_tma_load %da, %va[%rank, %i] into %ta {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i32), !a
      %db1, %m1 = nv_tileas.async.tiled_tma_load %db, %vb[%i, %c0] into %tb {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i32), !a
      nv_tileas.async.pipeline.yield %da1, %db1 : !nv_tileas.async.token, !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
    %x1 = nv_tileas.async.pipeline.inc_iter %x : !iter
    %c = nv_tileas.async.pipeline.consumer_wait %p, %y : !pipe, !iter
    %d, %v = nv_tileas.async.pipeline.consumer_read %p, %c : !pipe -> !r {
    ^bb0(%ta: !a, %tb: !a):
      %z = nv_tileas.convert_layout %tb {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 8>} : !a -> !r
      nv_tileas.async.pipeline.yield %z : !r
    }
    nv_tileas.async.pipeline.consumer_release %p, %d : !pipe
    %y1 = nv_tileas.async.pipeline.inc_iter %y : !iter
    scf.yield %x1, %y1 : !iter, !iter
  }
  nv_tileaa.return
}
}
