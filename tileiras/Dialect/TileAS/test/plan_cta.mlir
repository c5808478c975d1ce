// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-plan-cta)))' --remarks-filter=".*" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// Products of two blocks: each has half of the right factor.

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [0, 64]]>
#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#two = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [2, 1, 1], numCTAs = 2>
#one = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>
!a = tensor<128x32xf16, #a>
!b = tensor<32x128xf16, #b>
!t = tensor<128x128xf32, #t>
!pipe = !nv_tileas.pipeline<2 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<2 x (!a, !b)>
!va = !nv_tileaa.tiled_view<[128, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!vb = !nv_tileaa.tiled_view<[32, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {

// CHECK: #[[B:.*]] = #nv_tileas.shared<rank = 2, offset = {{.*}}[8, 0], [16, 0]{{\]}}, block = {{\[}}[0, 64]]>
// CHECK-LABEL: @pair
// CHECK-SAME: nv_tileas.cta_pair
// CHECK: make_tiled_tma_desc {{.*}}box = [128, 32]
// CHECK: make_tiled_tma_desc {{.*}}box = [32, 64]
// CHECK: nv_tileas.alloc_tensor : tensor<32x128xf16, #[[B]]>
// CHECK: create_pipeline {{.*}}nv_tileas.cluster_ring = 2 : i32, nv_tileas.cta_pair
// CHECK: ^bb0(%{{.*}}: tensor<128x32xf16, #{{.*}}>, %[[TB:.*]]: tensor<32x128xf16, #[[B]]>):
// CHECK: async.tiled_tma_load {{.*}}nv_tileas.cta_pair, tx_count = 8192
// CHECK: async.tiled_tma_load {{.*}} into %[[TB]] {atom = {{.*}}nv_tileas.cta_pair, tx_count = 4096
// CHECK: nv_tileas.dot {{.*}} tensor<32x128xf16, #[[B]]>
// REMARK: [Passed] Pairs | Category:product | Function=pair {{.*}}Products=1
nv_tileaa.func @pair(%va: !va, %vb: !vb, %n: i32) attributes {nv_tileaa.kernel_spec = #two, nv_tileas.divided_cluster} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %da, %ua = nv_tileas.make_tiled_tma_desc %va {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tmaIdx = 0 : i32} : !va
  %db, %ub = nv_tileas.make_tiled_tma_desc %vb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tmaIdx = 1 : i32} : !vb
  %t = nv_tileas.alloc_tensor : !t
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %b1 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1 {numStages = 2 : i32} : (!a, !b, !a, !b) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %in, %out = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first, %y = %first) -> (!iter, !iter) : i32 {
    %q = nv_tileas.async.pipeline.producer_acquire %p, %x : !pipe, !iter
    %w = nv_tileas.async.pipeline.producer_write %p, %q : !pipe {
    ^bb0(%ta: !a, %tb: !b):
      %d0, %m0 = nv_tileas.async.tiled_tma_load %da, %va[%rank, %i] into %ta {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tx_count = 8192 : i32} : !va, (i32, i32), !a
      %d1, %m1 = nv_tileas.async.tiled_tma_load %db, %vb[%i, %c0] into %tb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !vb, (i32, i32), !b
      nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
    %x1 = nv_tileas.async.pipeline.inc_iter %x : !iter
    %c = nv_tileas.async.pipeline.consumer_wait %p, %y : !pipe, !iter
    %d = nv_tileas.async.pipeline.consumer_read %p, %c : !pipe {
    ^bb0(%ta: !a, %tb: !b):
      %s = nv_tileas.dot %ta, %tb, %t {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>, nv_tileas.under_way} : !a, !b, !t
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %p, %d {nv_tileas.by_products} : !pipe
    %y1 = nv_tileas.async.pipeline.inc_iter %y : !iter
    scf.yield %x1, %y1 : !iter, !iter
  }
  nv_tileaa.return
}

// Both blocks load the same rows: nothing to be had. Likewise where a ring is made in a loop, or somebody waits for the
// product, or there is one block.
// CHECK-LABEL: @same_rows
// CHECK-NOT: cta_pair
// REMARK: [Missed] Pairs | Category:product | Function=same_rows {{.*}}Reason="the blocks do not divide the rows"
nv_tileaa.func @same_rows(%va: !va, %vb: !vb, %n: i32) attributes {nv_tileaa.kernel_spec = #two, nv_tileas.divided_cluster} {
  %c0 = arith.constant 0 : i32
  %da, %ua = nv_tileas.make_tiled_tma_desc %va {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tmaIdx = 0 : i32} : !va
  %db, %ub = nv_tileas.make_tiled_tma_desc %vb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tmaIdx = 1 : i32} : !vb
  %t = nv_tileas.alloc_tensor : !t
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %b1 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1 {numStages = 2 : i32} : (!a, !b, !a, !b) -> !pipe
  %x = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %q = nv_tileas.async.pipeline.producer_acquire %p, %x : !pipe, !iter
  %w = nv_tileas.async.pipeline.producer_write %p, %q : !pipe {
  ^bb0(%ta: !a, %tb: !b):
    %d0, %m0 = nv_tileas.async.tiled_tma_load %da, %va[%n, %c0] into %ta {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tx_count = 8192 : i32} : !va, (i32, i32), !a
    %d1, %m1 = nv_tileas.async.tiled_tma_load %db, %vb[%c0, %c0] into %tb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !vb, (i32, i32), !b
    nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
  }
  nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
  %c = nv_tileas.async.pipeline.consumer_wait %p, %x : !pipe, !iter
  %d = nv_tileas.async.pipeline.consumer_read %p, %c : !pipe {
  ^bb0(%ta: !a, %tb: !b):
    %s = nv_tileas.dot %ta, %tb, %t {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>, nv_tileas.under_way} : !a, !b, !t
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.consumer_release %p, %d {nv_tileas.by_products} : !pipe
  nv_tileaa.return
}

// CHECK-LABEL: @waited_for
// CHECK-NOT: cta_pair
// REMARK: [Missed] Pairs | Category:product | Function=waited_for {{.*}}Reason="somebody waits for a product"
nv_tileaa.func @waited_for(%ta: !a, %tb: !b, %t: !t) attributes {nv_tileaa.kernel_spec = #two, nv_tileas.divided_cluster} {
  %s = nv_tileas.dot %ta, %tb, %t {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !a, !b, !t
  nv_tileaa.return
}

// REMARK-NOT: Pairs
// CHECK-LABEL: @one_block
// CHECK-NOT: cta_pair
nv_tileaa.func @one_block(%ta: !a, %tb: !b, %t: !t) attributes {nv_tileaa.kernel_spec = #one} {
  %s = nv_tileas.dot %ta, %tb, %t {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !a, !b, !t
  nv_tileaa.return
}
}
