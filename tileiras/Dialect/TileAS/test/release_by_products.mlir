// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-release-by-products)))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-release-by-products,tileas-alloc-pipeline-barriers,tileas-optimize-alloc-tensor)),convert-nv-tile-func-to-llvm,convert-pipeline-to-nvvm)' | FileCheck %s --check-prefix=NVVM
// Products in tensor memory are not waited for in their loop: they release the stage when they are done.

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2], [8, 4], [0, 8]]>
#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8]]>
#r = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#ca = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [64, 0]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#cb = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 0], [0, 0]]>
!a = tensor<128x16xf16, #a>
!b = tensor<16x16xf16, #b>
!t = tensor<128x16xf32, #t>
!pipe = !nv_tileas.pipeline<2 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<2 x (!a, !b)>
!view_a = !nv_tileaa.tiled_view<[128, 16], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!view_b = !nv_tileaa.tiled_view<[16, 16], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [1, ?]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {

// CHECK-LABEL: @released
// NVVM-LABEL: @released
nv_tileaa.func @released(%va: !view_a, %vb: !view_b, %n: i32) -> tensor<128x16xf32, #r> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = nv_tileas.alloc_tensor : !t
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %b1 = nv_tileas.alloc_tensor : !b
  // NVVM: nvvm.elect.sync
  // One arrival empties a stage; nobody arrives at the barriers of full ones, which groups stand for.
  // NVVM: scf.if
  // NVVM-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mbarrier.init.shared"
  // NVVM-NOT: mbarrier.init
  // NVVM: nvvm.fence.mbarrier.init
  // NVVM: nvvm.barrier0
  // CHECK: %[[RING:.*]] = nv_tileas.async.pipeline.create_pipeline
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1 {groups, numStages = 2 : i32} : (!a, !b, !a, !b) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  // The first round finds the stages empty.
  // NVVM-NOT: try_wait
  %q0 = nv_tileas.async.pipeline.producer_acquire %p, %first : !pipe, !iter
  %w0 = nv_tileas.async.pipeline.producer_write %p, %q0 {producer_kind = "async_copy"} : !pipe {
  ^bb0(%a: !a, %b: !b):
    %d0, %m0 = nv_tileas.async.tiled_load %va[%c0, %c0] into %a {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #ca} : !view_a, (i32, i32), !a
    nv_tileas.async.pipeline.yield %d0 : !nv_tileas.async.token
  }
  nv_tileas.async.pipeline.producer_commit %p, %w0 : !pipe
  %second = nv_tileas.async.pipeline.inc_iter %first : !iter
  // NVVM: scf.for
  // CHECK: %[[LOOP:.*]]:2 = scf.for
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%in = %second, %out = %first) -> (!iter, !iter) : i32 {
    // CHECK: %[[W:.*]] = nv_tileas.async.pipeline.consumer_wait
    // NVVM: nvvm.cp.async.wait.group 0
    // NVVM: nvvm.barrier0
    %c = nv_tileas.async.pipeline.consumer_wait %p, %out {nv_tileas.async_proxy} : !pipe, !iter
    // The product comes before the copies, and so does what it needs.
    // CHECK-NEXT: arith.cmpi
    // CHECK-NEXT: nv_tileas.async.pipeline.consumer_read
    // CHECK: nv_tileas.dot {{.*}} {atom = {{.*}}, nv_tileas.under_way}
    // CHECK: nv_tileas.async.pipeline.consumer_release {{.*}} {nv_tileas.by_products}
    // CHECK: nv_tileas.async.pipeline.producer_acquire
    // NVVM: nv_tileas.dot
    // NVVM: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];
    // NVVM: mbarrier.try_wait.parity
    // NVVM: nv_tileas.async.tiled_load
    %q = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
    %w = nv_tileas.async.pipeline.producer_write %p, %q {producer_kind = "async_copy"} : !pipe {
    ^bb0(%a: !a, %b: !b):
      %d0, %m0 = nv_tileas.async.tiled_load %va[%i, %c0] into %a {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #ca} : !view_a, (i32, i32), !a
      nv_tileas.async.pipeline.yield %d0 : !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    %adds = arith.cmpi ne, %i, %c0 : i32
    %c2 = nv_tileas.async.pipeline.consumer_read %p, %c : !pipe {
    ^bb0(%a: !a, %b: !b):
      %d = nv_tileas.dot %a, %b, %t if %adds {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 16, warps = 4>} : !a, !b, !t
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %p, %c2 : !pipe
    %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
    scf.yield %in1, %out1 : !iter, !iter
  }
  // CHECK: %[[LAST:.*]] = nv_tileas.async.pipeline.inc_iter %[[LOOP]]#1
  // CHECK-NEXT: nv_tileas.async.pipeline.producer_acquire %[[RING]], %[[LAST]]
  // NVVM: mbarrier.try_wait.parity
  // NVVM: tcgen05.fence::after_thread_sync
  // NVVM: nv_tileas.convert_layout
  %r = nv_tileas.convert_layout %t : !t -> tensor<128x16xf32, #r>
  nv_tileaa.return %r : tensor<128x16xf32, #r>
}

// Who reads the sums in the loop waits for them there.
// CHECK-LABEL: @read_in_the_loop
nv_tileaa.func @read_in_the_loop(%n: i32, %z: tensor<128x16xf32, #r>) -> tensor<128x16xf32, #r> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = nv_tileas.alloc_tensor : !t
  %a0 = nv_tileas.alloc_tensor : !a
  %a1 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %b1 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1 {numStages = 2 : i32} : (!a, !b, !a, !b) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %q = nv_tileas.async.pipeline.producer_acquire %p, %first : !pipe, !iter
  nv_tileas.async.pipeline.producer_commit %p, %q : !pipe
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%out = %first, %s = %z) -> (!iter, tensor<128x16xf32, #r>) : i32 {
    %c = nv_tileas.async.pipeline.consumer_wait %p, %out : !pipe, !iter
    // CHECK: nv_tileas.dot
    // CHECK-NOT: under_way
    // CHECK: consumer_release
    // CHECK-NOT: by_products
    // CHECK: return
    %c2 = nv_tileas.async.pipeline.consumer_read %p, %c : !pipe {
    ^bb0(%a: !a, %b: !b):
      %d = nv_tileas.dot %a, %b, %t {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 16, warps = 4>} : !a, !b, !t
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %p, %c2 : !pipe
    %r = nv_tileas.convert_layout %t : !t -> tensor<128x16xf32, #r>
    %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
    scf.yield %out1, %r : !iter, tensor<128x16xf32, #r>
  }
  nv_tileaa.return %l#1 : tensor<128x16xf32, #r>
}
}
