// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-defer-products)))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-defer-products,tileas-alloc-pipeline-barriers,tileas-optimize-alloc-tensor)),convert-nv-tile-func-to-llvm,convert-pipeline-to-nvvm,convert-nv-tileas-to-llvm)' | FileCheck %s --check-prefix=LLVM

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2], [8, 4], [0, 8]]>
#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8]]>
#r = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#ck = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 0], [0, 0]]>
#atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 16, warps = 4>
!a = tensor<128x16xf16, #a>
!b = tensor<16x16xf16, #b>
!t = tensor<128x16xf32, #t>
!l = tensor<128x16xf16, #t>
!pipe = !nv_tileas.pipeline<3 x (!b, !b)>
!iter = !nv_tileas.pipeline_iterator<3 x (!b, !b)>
!view = !nv_tileaa.tiled_view<[16, 16], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [1, ?]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {

// A loop that has been rotated, and a ring: the sums are read before the wait for the stage, products release the stage,
// and that of the iteration before is filled where its products have been waited for. What the copy writes has been
// computed before it waits.
// CHECK-LABEL: @ring
// CHECK: %[[S:.*]] = nv_tileas.alloc_tensor : tensor<128x16xf32
// CHECK: %[[O:.*]] = nv_tileas.alloc_tensor : tensor<128x16xf32
// CHECK: %[[L:.*]] = nv_tileas.alloc_tensor : tensor<128x16xf16, #tensor_memory>
// CHECK: scf.for
// CHECK: nv_tileas.async.await_product 1{{$}}
// CHECK-NEXT: nv_tileas.convert_layout %[[S]]
// CHECK-NEXT: nv_tileas.async.pipeline.consumer_wait
// CHECK-NEXT: %[[FIRST:.*]] = nv_tileas.async.pipeline.consumer_read
// CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %[[S]] if {{.*}}nv_tileas.awaited_as = 1
// CHECK: arith.truncf
// CHECK: nv_tileas.copy %{{.*}}, %[[L]] {nv_tileas.awaits = 2
// CHECK: nv_tileas.async.pipeline.producer_acquire
// CHECK: nv_tileas.async.pipeline.producer_commit
// CHECK: nv_tileas.async.pipeline.consumer_read %{{.*}}, %[[FIRST]]
// CHECK: nv_tileas.dot %[[L]], %{{.*}}, %[[O]] {{.*}}nv_tileas.awaited_as = 2
// CHECK: nv_tileas.async.pipeline.consumer_release {{.*}}nv_tileas.by_products
// CHECK: scf.yield
// CHECK: nv_tileas.async.await_product 2 behind_loop
// CHECK: nv_tileas.async.await_product 1 behind_loop
// CHECK: nv_tileas.async.pipeline.producer_acquire
// LLVM-LABEL: @ring
// Two mbarriers, as nobody waits for a product without a number; who waits for the iteration before begins with parity 1.
// LLVM-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// LLVM-NOT: [$0 + 8]
// LLVM: mbarrier.init.shared::cta.b64 [$0 + 16], 1;{{.*}}[$0 + 24], 1;
// LLVM: tcgen05.mma.cta_group::1.kind::f16 [$[[D:[0-9]+]]], $
// LLVM: mbarrier.try_wait.parity{{.*}}tcgen05.fence::after_thread_sync;{{.*}}tcgen05.st.sync.aligned.32x32b.x8.b32
// LLVM: tcgen05.mma.cta_group::1.kind::f16 [${{[0-9]+}}], [${{[0-9]+}}], $
nv_tileaa.func @ring(%view: !view, %n: i32, %z: tensor<128x16xf32, #r>) -> tensor<128x16xf32, #r> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %q = nv_tileas.alloc_tensor : !a
  %s = nv_tileas.alloc_tensor : !t
  %o = nv_tileas.alloc_tensor : !t
  nv_tileas.copy %z, %o : tensor<128x16xf32, #r>, !t
  %k0 = nv_tileas.alloc_tensor : !b
  %k1 = nv_tileas.alloc_tensor : !b
  %k2 = nv_tileas.alloc_tensor : !b
  %v0 = nv_tileas.alloc_tensor : !b
  %v1 = nv_tileas.alloc_tensor : !b
  %v2 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %k0, %v0, %k1, %v1, %k2, %v2 {groups, numStages = 3 : i32} : (!b, !b, !b, !b, !b, !b) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %t0 = nv_tileas.async.pipeline.producer_acquire %p, %first : !pipe, !iter
  %w0 = nv_tileas.async.pipeline.producer_write %p, %t0 {producer_kind = "async_copy"} : !pipe {
  ^bb0(%k: !b, %v: !b):
    %d0, %m0 = nv_tileas.async.tiled_load %view[%c0, %c0] into %k {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #ck} : !view, (i32, i32), !b
    nv_tileas.async.pipeline.yield %d0 : !nv_tileas.async.token
  }
  nv_tileas.async.pipeline.producer_commit %p, %w0 : !pipe
  %at1 = nv_tileas.async.pipeline.inc_iter %first : !iter
  %t1 = nv_tileas.async.pipeline.producer_acquire %p, %at1 : !pipe, !iter
  %w1 = nv_tileas.async.pipeline.producer_write %p, %t1 {producer_kind = "async_copy"} : !pipe {
  ^bb0(%k: !b, %v: !b):
    %d0, %m0 = nv_tileas.async.tiled_load %view[%c0, %c0] into %k {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #ck} : !view, (i32, i32), !b
    nv_tileas.async.pipeline.yield %d0 : !nv_tileas.async.token
  }
  nv_tileas.async.pipeline.producer_commit %p, %w1 : !pipe
  %at2 = nv_tileas.async.pipeline.inc_iter %at1 : !iter
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%in = %at2, %out = %first) -> (!iter, !iter) : i32 {
    %t = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
    %w = nv_tileas.async.pipeline.producer_write %p, %t {producer_kind = "async_copy"} : !pipe {
    ^bb0(%k: !b, %v: !b):
      %d0, %m0 = nv_tileas.async.tiled_load %view[%i, %c0] into %k {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #ck} : !view, (i32, i32), !b
      %d1, %m1 = nv_tileas.async.tiled_load %view[%i, %c1] into %v {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #ck} : !view, (i32, i32), !b
      nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    %c = nv_tileas.async.pipeline.consumer_wait %p, %out {nv_tileas.async_proxy} : !pipe, !iter
    %x = nv_tileas.convert_layout %s : !t -> tensor<128x16xf32, #r>
    %read = nv_tileas.async.pipeline.consumer_read %p, %c : !pipe {
    ^bb0(%k: !b, %v: !b):
      %d = nv_tileas.dot %q, %k, %s if %no {atom = #atom} : !a, !b, !t
      %y = nv_tileas.alloc_tensor : !l
      %h = arith.truncf %x : tensor<128x16xf32, #r> to tensor<128x16xf16, #r>
      nv_tileas.copy %h, %y : tensor<128x16xf16, #r>, !l
      %e = nv_tileas.dot %y, %v, %o {atom = #atom} : !l, !b, !t
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %p, %read : !pipe
    %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
    scf.yield %in1, %out1 : !iter, !iter
  }
  %r = nv_tileas.convert_layout %o : !t -> tensor<128x16xf32, #r>
  nv_tileaa.return %r : tensor<128x16xf32, #r>
}

// Stages that are filled in the iteration that reads them: threads release them, and wait for the products before.
// CHECK-LABEL: @filled_in_turn
// CHECK: scf.for
// CHECK: producer_acquire
// CHECK: consumer_wait
// CHECK-NOT: by_products
// CHECK: nv_tileaa.return
nv_tileaa.func @filled_in_turn(%view: !view, %n: i32, %z: tensor<128x16xf32, #r>) -> tensor<128x16xf32, #r> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %q = nv_tileas.alloc_tensor : !a
  %s = nv_tileas.alloc_tensor : !t
  %o = nv_tileas.alloc_tensor : !t
  nv_tileas.copy %z, %o : tensor<128x16xf32, #r>, !t
  %k0 = nv_tileas.alloc_tensor : !b
  %k1 = nv_tileas.alloc_tensor : !b
  %k2 = nv_tileas.alloc_tensor : !b
  %v0 = nv_tileas.alloc_tensor : !b
  %v1 = nv_tileas.alloc_tensor : !b
  %v2 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %k0, %v0, %k1, %v1, %k2, %v2 {groups, numStages = 3 : i32} : (!b, !b, !b, !b, !b, !b) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%in = %first, %out = %first) -> (!iter, !iter) : i32 {
    %t = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
    %w = nv_tileas.async.pipeline.producer_write %p, %t {producer_kind = "async_copy"} : !pipe {
    ^bb0(%k: !b, %v: !b):
      %d0, %m0 = nv_tileas.async.tiled_load %view[%i, %c0] into %k {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #ck} : !view, (i32, i32), !b
      %d1, %m1 = nv_tileas.async.tiled_load %view[%i, %c1] into %v {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #ck} : !view, (i32, i32), !b
      nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    %c = nv_tileas.async.pipeline.consumer_wait %p, %out {nv_tileas.async_proxy} : !pipe, !iter
    %x = nv_tileas.convert_layout %s : !t -> tensor<128x16xf32, #r>
    %read = nv_tileas.async.pipeline.consumer_read %p, %c : !pipe {
    ^bb0(%k: !b, %v: !b):
      %d = nv_tileas.dot %q, %k, %s if %no {atom = #atom} : !a, !b, !t
      %y = nv_tileas.alloc_tensor : !l
      %h = arith.truncf %x : tensor<128x16xf32, #r> to tensor<128x16xf16, #r>
      nv_tileas.copy %h, %y : tensor<128x16xf16, #r>, !l
      %e = nv_tileas.dot %y, %v, %o {atom = #atom} : !l, !b, !t
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %p, %read : !pipe
    %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
    scf.yield %in1, %out1 : !iter, !iter
  }
  %r = nv_tileas.convert_layout %o : !t -> tensor<128x16xf32, #r>
  nv_tileaa.return %r : tensor<128x16xf32, #r>
}

// Without a ring, and in one iteration: the wait moves past what does not need the sums.
// CHECK-LABEL: @alone
// CHECK: nv_tileas.dot {{.*}}nv_tileas.awaited_as = 1
// CHECK-NEXT: math.exp2
// CHECK-NEXT: nv_tileas.async.await_product 1{{$}}
// CHECK-NEXT: nv_tileas.convert_layout
// CHECK-NOT: behind_loop
nv_tileaa.func @alone(%n: i32, %z: tensor<128x16xf32, #r>) -> tensor<128x16xf32, #r> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %q = nv_tileas.alloc_tensor : !a
  %k = nv_tileas.alloc_tensor : !b
  %s = nv_tileas.alloc_tensor : !t
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z) -> (tensor<128x16xf32, #r>) : i32 {
    %d = nv_tileas.dot %q, %k, %s if %no {atom = #atom} : !a, !b, !t
    %y = math.exp2 %x : tensor<128x16xf32, #r>
    %t = nv_tileas.convert_layout %s : !t -> tensor<128x16xf32, #r>
    %u = arith.addf %t, %y : tensor<128x16xf32, #r>
    scf.yield %u : tensor<128x16xf32, #r>
  }
  nv_tileaa.return %r : tensor<128x16xf32, #r>
}

// Who needs the sums comes next: nothing to gain.
// CHECK-LABEL: @at_once
// CHECK-NOT: awaited_as
// CHECK: nv_tileaa.return
nv_tileaa.func @at_once(%n: i32, %z: tensor<128x16xf32, #r>) -> tensor<128x16xf32, #r> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %q = nv_tileas.alloc_tensor : !a
  %k = nv_tileas.alloc_tensor : !b
  %s = nv_tileas.alloc_tensor : !t
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z) -> (tensor<128x16xf32, #r>) : i32 {
    %d = nv_tileas.dot %q, %k, %s if %no {atom = #atom} : !a, !b, !t
    %t = nv_tileas.convert_layout %s : !t -> tensor<128x16xf32, #r>
    %u = arith.addf %t, %x : tensor<128x16xf32, #r>
    scf.yield %u : tensor<128x16xf32, #r>
  }
  nv_tileaa.return %r : tensor<128x16xf32, #r>
}
}
