// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-advance-products)))' | FileCheck %s

#q = #nv_tileas.blocked<size_per_thread = [1, 8], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]>
#k = #nv_tileas.blocked<size_per_thread = [8, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 64, warps = 4>
!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // The first product stands before the loop, if there is a round; in a round the sums are read, and the product of the
  // next one is issued with what that loads, which has to begin a round earlier. The last round loads what it has had.
  // CHECK-LABEL: nv_tileaa.func @chain
  // CHECK: %[[O:.*]] = nv_tileas.alloc_tensor
  // CHECK: %[[S:.*]] = nv_tileas.alloc_tensor
  // CHECK: %[[Q:.*]] = nv_tileas.alloc_tensor : tensor<128x64xf16, #shared>
  // CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[Q]] {{.*}}nv_tileas.async_proxy
  // CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LOW:.*]], %[[HIGH:.*]] : i32
  // CHECK: scf.if %[[ANY]] {
  // CHECK:   %[[FIRST:.*]], %{{.*}} = nv_tileas.tiled_load %[[VIEW:.*]][%[[LOW]], %{{.*}}]
  // CHECK:   %[[FIRST_T:.*]] = nv_tileaa.permute %[[FIRST]]
  // CHECK:   nv_tileas.dot %[[Q]], %[[FIRST_T]], %[[S]] if %{{.*}}
  // CHECK: }
  // CHECK: scf.for %[[I:.*]] = %[[LOW]] to %[[HIGH]] step %[[STEP:.*]] : i32 {
  // CHECK-NEXT: %[[X:.*]] = nv_tileas.convert_layout %[[S]]
  // CHECK: %[[LEFT:.*]] = arith.subi %[[HIGH]], %[[I]]
  // CHECK: %[[MORE:.*]] = arith.cmpi ugt, %[[LEFT]], %[[STEP]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]]
  // CHECK: %[[AT:.*]] = arith.select %[[MORE]], %[[NEXT]], %[[I]]
  // CHECK: %[[K:.*]], %{{.*}} = nv_tileas.tiled_load %[[VIEW]][%[[AT]], %{{.*}}] if %[[MORE]] {latency = 3 : i32
  // CHECK: %[[T:.*]] = nv_tileaa.permute %[[K]]
  // CHECK: nv_tileas.dot %[[Q]], %[[T]], %[[S]] if
  // CHECK: arith.truncf %[[X]]
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %[[O]] {
  nv_tileaa.func @chain(%q: tensor<128x64xf16, #q>, %v: tensor<64x64xf16, #q>, %view: !view, %low: i32, %high: i32, %step: i32) {
    %o = nv_tileas.alloc_tensor : tensor<128x64xf32, #t>
    %c0 = arith.constant 0 : i32
    scf.for %i = %low to %high step %step : i32 {
      %k, %m = nv_tileas.tiled_load %view[%i, %c0] {latency = 2 : i32, vec = 8 : i32} : !view, (i32, i32) -> tensor<64x64xf16, #q>
      %kt = nv_tileaa.permute %k [1, 0] : tensor<64x64xf16, #q> -> tensor<64x64xf16, #k>
      %s = nv_tileas.alloc_tensor : tensor<128x64xf32, #t>
      %no = arith.constant false
      %d = nv_tileas.dot %q, %kt, %s if %no {atom = #atom} : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #t>
      %x = nv_tileas.convert_layout %s : tensor<128x64xf32, #t> -> tensor<128x64xf32, #c>
      %p = arith.truncf %x : tensor<128x64xf32, #c> to tensor<128x64xf16, #c>
      %e = nv_tileas.dot %p, %v, %o {atom = #atom} : tensor<128x64xf16, #c>, tensor<64x64xf16, #q>, tensor<128x64xf32, #t>
      scf.yield
    }
    nv_tileaa.return
  }

  // Nobody multiplies what becomes of the sums: the product stays.
  // CHECK-LABEL: nv_tileaa.func @no_chain
  // CHECK-NOT: scf.if
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.tiled_load
  nv_tileaa.func @no_chain(%q: tensor<128x64xf16, #q>, %view: !view, %n: i32, %z: tensor<128x64xf32, #c>) -> tensor<128x64xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z) -> (tensor<128x64xf32, #c>) : i32 {
      %k, %m = nv_tileas.tiled_load %view[%i, %c0] {vec = 8 : i32} : !view, (i32, i32) -> tensor<64x64xf16, #q>
      %s = nv_tileas.alloc_tensor : tensor<128x64xf32, #t>
      %no = arith.constant false
      %d = nv_tileas.dot %q, %k, %s if %no {atom = #atom} : tensor<128x64xf16, #q>, tensor<64x64xf16, #q>, tensor<128x64xf32, #t>
      %x = nv_tileas.convert_layout %s : tensor<128x64xf32, #t> -> tensor<128x64xf32, #c>
      %y = arith.addf %sum, %x : tensor<128x64xf32, #c>
      scf.yield %y : tensor<128x64xf32, #c>
    }
    nv_tileaa.return %r : tensor<128x64xf32, #c>
  }

  // What is loaded depends on what the loop computes.
  // CHECK-LABEL: nv_tileaa.func @dependent
  // CHECK-NOT: scf.if
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.tiled_load
  nv_tileaa.func @dependent(%q: tensor<128x64xf16, #q>, %v: tensor<64x64xf16, #q>, %view: !view, %n: i32, %other: !nv_tileaa.tiled_view<[1], padding = zero, !nv_tileaa.memref<?xi32, strides = [1]>>) {
    %o = nv_tileas.alloc_tensor : tensor<128x64xf32, #t>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (i32) : i32 {
      %k, %m = nv_tileas.tiled_load %view[%at, %c0] {vec = 8 : i32} : !view, (i32, i32) -> tensor<64x64xf16, #q>
      %s = nv_tileas.alloc_tensor : tensor<128x64xf32, #t>
      %no = arith.constant false
      %d = nv_tileas.dot %q, %k, %s if %no {atom = #atom} : tensor<128x64xf16, #q>, tensor<64x64xf16, #q>, tensor<128x64xf32, #t>
      %x = nv_tileas.convert_layout %s : tensor<128x64xf32, #t> -> tensor<128x64xf32, #c>
      %p = arith.truncf %x : tensor<128x64xf32, #c> to tensor<128x64xf16, #c>
      %e = nv_tileas.dot %p, %v, %o {atom = #atom} : tensor<128x64xf16, #c>, tensor<64x64xf16, #q>, tensor<128x64xf32, #t>
      %w = nv_tileaa.get_dim_size %other {axis = 0 : i32} : !nv_tileaa.tiled_view<[1], padding = zero, !nv_tileaa.memref<?xi32, strides = [1]>> -> i32
      %next = scf.for %j = %c0 to %w step %c1 iter_args(%a = %at) -> (i32) : i32 {
        %b = arith.muli %a, %w : i32
        scf.yield %b : i32
      }
      scf.yield %next : i32
    }
    nv_tileaa.return
  }
}
