// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-plan-cta)))' --remarks-filter=".*" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// Products of two blocks in agents: the ring of the sums is one of the pair, and who fills stages waits for the last of them.

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [0, 64]]>
#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#r = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#two = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [2, 1, 1], numCTAs = 2>
!a = tensor<128x32xf16, #a>
!b = tensor<32x128xf16, #b>
!t = tensor<128x128xf32, #t>
!pipe = !nv_tileas.pipeline<4 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<4 x (!a, !b)>
!sums = !nv_tileas.pipeline<1 x (!t)>
!place = !nv_tileas.pipeline_iterator<1 x (!t)>
!va = !nv_tileaa.tiled_view<[128, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!vb = !nv_tileaa.tiled_view<[32, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {

// CHECK: #[[B:.*]] = #nv_tileas.shared<rank = 2, offset = {{.*}}[8, 0], [16, 0]{{\]}}, block = {{\[}}[0, 64]]>
// CHECK-LABEL: @agents
// CHECK-SAME: nv_tileas.cta_pair
// Five stages in the bytes of four.
// CHECK: create_pipeline {{.*}}numStages = 5 : i32, nv_tileas.cluster_ring = 2 : i32, nv_tileas.cta_pair
// CHECK: create_pipeline {{.*}}nv_tileas.cluster_ring = 2 : i32, nv_tileas.cta_pair, sharedMem = false
// CHECK: agent_switch
// CHECK: async.tiled_tma_load {{.*}}nv_tileas.cta_pair, tx_count = 8192
// CHECK: async.tiled_tma_load {{.*}}nv_tileas.cta_pair, tx_count = 4096
// CHECK: scf.yield
// CHECK-COUNT-4: inc_iter
// CHECK-NEXT: producer_acquire
// CHECK-NOT: producer_write
// CHECK: nv_tileas.dot {{.*}} tensor<32x128xf16, #[[B]]>
// REMARK: [Passed] Pairs | Category:product | Function=agents {{.*}}Products=1
// REMARK: [Missed] Pairs | Category:product | Function=one_filling {{.*}}Reason="where the filling of a ring ends is not known"
// REMARK: [Missed] Pairs | Category:product | Function=odd_rounds {{.*}}Reason="not all blocks use sums as often"
// REMARK: [Missed] Pairs | Category:product | Function=many_threads {{.*}}Reason="products have no agent of one thread"
nv_tileaa.func @agents(%va: !va, %vb: !vb, %k: i32, %out: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #two, nv_tileas.divided_cluster} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %n = arith.addi %k, %c1 : i32
  %da, %ua = nv_tileas.make_tiled_tma_desc %va {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tmaIdx = 0 : i32} : !va
  %db, %ub = nv_tileas.make_tiled_tma_desc %vb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tmaIdx = 1 : i32} : !vb
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %a2 = nv_tileas.alloc_tensor : !a
  %a3 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %b1 = nv_tileas.alloc_tensor : !b
  %b2 = nv_tileas.alloc_tensor : !b
  %b3 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2, %a3, %b3 {numStages = 4 : i32} : (!a, !b, !a, !b, !a, !b, !a, !b) -> !pipe
  %t = nv_tileas.alloc_tensor : !t
  %s = nv_tileas.async.pipeline.create_pipeline %t {numStages = 1 : i32, sharedMem = false} : (!t) -> !sums
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4, 1>, nv_tileas.single_thread = array<i32: 0, 0, 1>} {
    %first = nv_tileas.async.pipeline.create_iterator %s : !sums -> !place
    %w = nv_tileas.async.pipeline.consumer_wait %s, %first : !sums, !place
    %x = nv_tileas.convert_layout %t : !t -> tensor<128x128xf32, #r>
    nv_tileas.async.pipeline.consumer_release %s, %w : !sums
    nv_tileas.async.pipeline.yield
  }, {
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%it = %first) -> (!iter) : i32 {
      %q = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
      %w = nv_tileas.async.pipeline.producer_write %p, %q : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %d0, %m0 = nv_tileas.async.tiled_tma_load %da, %va[%rank, %i] into %ta {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tx_count = 8192 : i32} : !va, (i32, i32), !a
        %d1, %m1 = nv_tileas.async.tiled_tma_load %db, %vb[%i, %c0] into %tb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !vb, (i32, i32), !b
        nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %next : !iter
    }
    nv_tileas.async.pipeline.yield
  }, {
    %place = nv_tileas.async.pipeline.create_iterator %s : !sums -> !place
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %q = nv_tileas.async.pipeline.producer_acquire %s, %place : !sums, !place
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%it = %first) -> (!iter) : i32 {
      %w = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
      %d = nv_tileas.async.pipeline.consumer_read %p, %w : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %z = nv_tileas.dot %ta, %tb, %t {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>, nv_tileas.under_way} : !a, !b, !t
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.consumer_release %p, %d {nv_tileas.by_products} : !pipe
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %next : !iter
    }
    nv_tileas.async.pipeline.producer_commit %s, %q {nv_tileas.by_products} : !sums
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// The place of the last filling is not that of the next one.
nv_tileaa.func @one_filling(%va: !va, %vb: !vb, %k: i32, %out: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #two, nv_tileas.divided_cluster} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %n = arith.addi %k, %c1 : i32
  %da, %ua = nv_tileas.make_tiled_tma_desc %va {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tmaIdx = 0 : i32} : !va
  %db, %ub = nv_tileas.make_tiled_tma_desc %vb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tmaIdx = 1 : i32} : !vb
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %a2 = nv_tileas.alloc_tensor : !a
  %a3 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %b1 = nv_tileas.alloc_tensor : !b
  %b2 = nv_tileas.alloc_tensor : !b
  %b3 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2, %a3, %b3 {numStages = 4 : i32} : (!a, !b, !a, !b, !a, !b, !a, !b) -> !pipe
  %t = nv_tileas.alloc_tensor : !t
  %s = nv_tileas.async.pipeline.create_pipeline %t {numStages = 1 : i32, sharedMem = false} : (!t) -> !sums
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4, 1>, nv_tileas.single_thread = array<i32: 0, 0, 1>} {
    %first = nv_tileas.async.pipeline.create_iterator %s : !sums -> !place
    %w = nv_tileas.async.pipeline.consumer_wait %s, %first : !sums, !place
    %x = nv_tileas.convert_layout %t : !t -> tensor<128x128xf32, #r>
    nv_tileas.async.pipeline.consumer_release %s, %w : !sums
    nv_tileas.async.pipeline.yield
  }, {
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %q = nv_tileas.async.pipeline.producer_acquire %p, %first : !pipe, !iter
    %w = nv_tileas.async.pipeline.producer_write %p, %q : !pipe {
    ^bb0(%ta: !a, %tb: !b):
      %d0, %m0 = nv_tileas.async.tiled_tma_load %da, %va[%rank, %c0] into %ta {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tx_count = 8192 : i32} : !va, (i32, i32), !a
      %d1, %m1 = nv_tileas.async.tiled_tma_load %db, %vb[%c0, %c0] into %tb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !vb, (i32, i32), !b
      nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
    nv_tileas.async.pipeline.yield
  }, {
    %place = nv_tileas.async.pipeline.create_iterator %s : !sums -> !place
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %q = nv_tileas.async.pipeline.producer_acquire %s, %place : !sums, !place
    %w = nv_tileas.async.pipeline.consumer_wait %p, %first : !pipe, !iter
    %d = nv_tileas.async.pipeline.consumer_read %p, %w : !pipe {
    ^bb0(%ta: !a, %tb: !b):
      %z = nv_tileas.dot %ta, %tb, %t {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>, nv_tileas.under_way} : !a, !b, !t
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %p, %d {nv_tileas.by_products} : !pipe
    nv_tileas.async.pipeline.producer_commit %s, %q {nv_tileas.by_products} : !sums
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

nv_tileaa.func @odd_rounds(%va: !va, %vb: !vb, %k: i32, %out: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #two, nv_tileas.divided_cluster} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %n = arith.addi %k, %c1 : i32
  %da, %ua = nv_tileas.make_tiled_tma_desc %va {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tmaIdx = 0 : i32} : !va
  %db, %ub = nv_tileas.make_tiled_tma_desc %vb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tmaIdx = 1 : i32} : !vb
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %a2 = nv_tileas.alloc_tensor : !a
  %a3 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %b1 = nv_tileas.alloc_tensor : !b
  %b2 = nv_tileas.alloc_tensor : !b
  %b3 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2, %a3, %b3 {numStages = 4 : i32} : (!a, !b, !a, !b, !a, !b, !a, !b) -> !pipe
  %t = nv_tileas.alloc_tensor : !t
  %s = nv_tileas.async.pipeline.create_pipeline %t {numStages = 1 : i32, sharedMem = false} : (!t) -> !sums
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4, 1>, nv_tileas.single_thread = array<i32: 0, 0, 1>} {
    %first = nv_tileas.async.pipeline.create_iterator %s : !sums -> !place
    %w = nv_tileas.async.pipeline.consumer_wait %s, %first : !sums, !place
    %x = nv_tileas.convert_layout %t : !t -> tensor<128x128xf32, #r>
    nv_tileas.async.pipeline.consumer_release %s, %w : !sums
    nv_tileas.async.pipeline.yield
  }, {
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%it = %first) -> (!iter) : i32 {
      %q = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
      %w = nv_tileas.async.pipeline.producer_write %p, %q : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %d0, %m0 = nv_tileas.async.tiled_tma_load %da, %va[%rank, %i] into %ta {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tx_count = 8192 : i32} : !va, (i32, i32), !a
        %d1, %m1 = nv_tileas.async.tiled_tma_load %db, %vb[%i, %c0] into %tb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !vb, (i32, i32), !b
        nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %next : !iter
    }
    nv_tileas.async.pipeline.yield
  }, {
    %place = nv_tileas.async.pipeline.create_iterator %s : !sums -> !place
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %q = nv_tileas.async.pipeline.producer_acquire %s, %place : !sums, !place
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%it = %first) -> (!iter) : i32 {
      %w = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
      %d = nv_tileas.async.pipeline.consumer_read %p, %w : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %z = nv_tileas.dot %ta, %tb, %t {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>, nv_tileas.under_way} : !a, !b, !t
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.consumer_release %p, %d {nv_tileas.by_products} : !pipe
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %next : !iter
    }
    %mine = arith.cmpi eq, %rank, %c0 : i32
    scf.if %mine {
      nv_tileas.async.pipeline.producer_commit %s, %q {nv_tileas.by_products} : !sums
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

nv_tileaa.func @many_threads(%va: !va, %vb: !vb, %k: i32, %out: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #two, nv_tileas.divided_cluster} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %n = arith.addi %k, %c1 : i32
  %da, %ua = nv_tileas.make_tiled_tma_desc %va {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tmaIdx = 0 : i32} : !va
  %db, %ub = nv_tileas.make_tiled_tma_desc %vb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tmaIdx = 1 : i32} : !vb
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %a2 = nv_tileas.alloc_tensor : !a
  %a3 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %b1 = nv_tileas.alloc_tensor : !b
  %b2 = nv_tileas.alloc_tensor : !b
  %b3 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2, %a3, %b3 {numStages = 4 : i32} : (!a, !b, !a, !b, !a, !b, !a, !b) -> !pipe
  %t = nv_tileas.alloc_tensor : !t
  %s = nv_tileas.async.pipeline.create_pipeline %t {numStages = 1 : i32, sharedMem = false} : (!t) -> !sums
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4, 4>} {
    %first = nv_tileas.async.pipeline.create_iterator %s : !sums -> !place
    %w = nv_tileas.async.pipeline.consumer_wait %s, %first : !sums, !place
    %x = nv_tileas.convert_layout %t : !t -> tensor<128x128xf32, #r>
    nv_tileas.async.pipeline.consumer_release %s, %w : !sums
    nv_tileas.async.pipeline.yield
  }, {
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%it = %first) -> (!iter) : i32 {
      %q = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
      %w = nv_tileas.async.pipeline.producer_write %p, %q : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %d0, %m0 = nv_tileas.async.tiled_tma_load %da, %va[%rank, %i] into %ta {atom = #nv_tileas.tma_load<box = [128, 32], order = [1, 0], swizzle = 64>, tx_count = 8192 : i32} : !va, (i32, i32), !a
        %d1, %m1 = nv_tileas.async.tiled_tma_load %db, %vb[%i, %c0] into %tb {atom = #nv_tileas.tma_load<box = [32, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !vb, (i32, i32), !b
        nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %next : !iter
    }
    nv_tileas.async.pipeline.yield
  }, {
    %place = nv_tileas.async.pipeline.create_iterator %s : !sums -> !place
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %q = nv_tileas.async.pipeline.producer_acquire %s, %place : !sums, !place
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%it = %first) -> (!iter) : i32 {
      %w = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
      %d = nv_tileas.async.pipeline.consumer_read %p, %w : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %z = nv_tileas.dot %ta, %tb, %t {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>, nv_tileas.under_way} : !a, !b, !t
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.consumer_release %p, %d {nv_tileas.by_products} : !pipe
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %next : !iter
    }
    nv_tileas.async.pipeline.producer_commit %s, %q {nv_tileas.by_products} : !sums
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
}
