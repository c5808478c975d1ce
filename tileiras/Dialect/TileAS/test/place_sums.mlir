// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-place-sums)))' | FileCheck %s

#a = #nv_tileas.blocked<size_per_thread = [1, 8], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#half = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 64, warps = 4>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // Sums stay in their tile while the loop runs; the first product does not add. The loop may have no rounds.
  // CHECK-LABEL: nv_tileaa.func @carried
  // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor : tensor<128x64xf32, #tensor_memory>
  // CHECK: scf.for %[[I:.*]] = %[[LOW:.*]] to %[[HIGH:.*]] step %{{.*}} : i32 {
  // CHECK: %[[ADD:.*]] = arith.cmpi ne, %[[I]], %[[LOW]] : i32
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %[[T]] if %[[ADD]] {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 64, warps = 4>}
  // CHECK: }
  // CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LOW]], %[[HIGH]] : i32
  // CHECK: scf.if %[[ANY]]
  // CHECK: nv_tileas.convert_layout %[[T]] : tensor<128x64xf32, #tensor_memory> -> tensor<128x64xf32, #linear
  // CHECK: } else {
  nv_tileaa.func @carried(%a: tensor<128x64xf16, #a>, %b: tensor<64x64xf16, #a>, %low: i32, %high: i32, %step: i32) -> tensor<128x64xf32, #c> {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #c>
    %r = scf.for %i = %low to %high step %step iter_args(%s = %zero) -> (tensor<128x64xf32, #c>) : i32 {
      %d = nv_tileas.dot %a, %b, %s {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
      scf.yield %d : tensor<128x64xf32, #c>
    }
    nv_tileaa.return %r : tensor<128x64xf32, #c>
  }

  // Parts are read where they are wanted: nobody has all of them.
  // CHECK-LABEL: nv_tileaa.func @parts
  // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor : tensor<128x64xf32, #tensor_memory>
  // CHECK: scf.for
  // CHECK-NOT: convert_layout
  // CHECK: %[[LEFT:.*]] = scf.if
  // CHECK-NEXT: %[[ALL:.*]] = nv_tileas.convert_layout %[[T]]
  // CHECK-NEXT: %[[PART:.*]] = nv_tileas.extract_slice %[[ALL]][%[[ZERO:.*]], %[[ZERO]]]
  // CHECK-NEXT: scf.yield %[[PART]]
  // CHECK: } else {
  // CHECK: nv_tileas.extract_slice %{{.*}}[%[[ZERO]], %[[ZERO]]]
  // CHECK: arith.negf %[[LEFT]]
  // CHECK: %[[RIGHT:.*]] = scf.if
  // CHECK-NEXT: %[[AGAIN:.*]] = nv_tileas.convert_layout %[[T]]
  // CHECK-NEXT: nv_tileas.extract_slice %[[AGAIN]][%[[ZERO]], %{{.*}}]
  // CHECK: arith.addf %{{.*}}, %[[RIGHT]]
  nv_tileaa.func @parts(%a: tensor<128x64xf16, #a>, %b: tensor<64x64xf16, #a>, %low: i32, %high: i32, %step: i32) -> tensor<128x32xf32, #half> {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #c>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %low to %high step %step iter_args(%s = %zero) -> (tensor<128x64xf32, #c>) : i32 {
      %d = nv_tileas.dot %a, %b, %s {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
      scf.yield %d : tensor<128x64xf32, #c>
    }
    %left = nv_tileas.extract_slice %r[%c0, %c0] : tensor<128x64xf32, #c> -> tensor<128x32xf32, #half>
    %n = arith.negf %left : tensor<128x32xf32, #half>
    %right = nv_tileas.extract_slice %r[%c0, %c1] : tensor<128x64xf32, #c> -> tensor<128x32xf32, #half>
    %sum = arith.addf %n, %right : tensor<128x32xf32, #half>
    nv_tileaa.return %sum : tensor<128x32xf32, #half>
  }

  // What is not zero is copied there before the loop, and the loop may be empty.
  // CHECK-LABEL: nv_tileaa.func @given
  // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor
  // CHECK: nv_tileas.copy %{{.*}}, %[[T]]
  // CHECK: scf.for
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %[[T]] {atom
  // CHECK-NOT: scf.if
  nv_tileaa.func @given(%a: tensor<128x64xf16, #a>, %b: tensor<64x64xf16, #a>, %c: tensor<128x64xf32, #c>, %low: i32, %high: i32, %step: i32) -> tensor<128x64xf32, #c> {
    %r = scf.for %i = %low to %high step %step iter_args(%s = %c) -> (tensor<128x64xf32, #c>) : i32 {
      %d = nv_tileas.dot %a, %b, %s {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
      scf.yield %d : tensor<128x64xf32, #c>
    }
    nv_tileaa.return %r : tensor<128x64xf32, #c>
  }

  // Sums that are changed between the products stay in their tile; a copy of them is changed and goes back at once.
  // CHECK-LABEL: nv_tileaa.func @scaled
  // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor
  // CHECK: nv_tileas.copy %{{.*}}, %[[T]]
  // CHECK: scf.for
  // CHECK-NEXT: %[[S:.*]] = nv_tileas.convert_layout %[[T]]
  // CHECK-NEXT: %[[M:.*]] = arith.mulf %[[S]]
  // CHECK-NEXT: nv_tileas.copy %[[M]], %[[T]]
  // CHECK-NEXT: nv_tileas.dot %{{.*}}, %{{.*}}, %[[T]] {atom
  // CHECK: %[[R:.*]] = nv_tileas.convert_layout %[[T]]
  // CHECK: nv_tileaa.return %[[R]]
  nv_tileaa.func @scaled(%a: tensor<128x64xf16, #a>, %b: tensor<64x64xf16, #a>, %c: tensor<128x64xf32, #c>, %low: i32, %high: i32, %step: i32) -> tensor<128x64xf32, #c> {
    %r = scf.for %i = %low to %high step %step iter_args(%s = %c) -> (tensor<128x64xf32, #c>) : i32 {
      %t = arith.mulf %s, %c : tensor<128x64xf32, #c>
      %d = nv_tileas.dot %a, %b, %t {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
      scf.yield %d : tensor<128x64xf32, #c>
    }
    nv_tileaa.return %r : tensor<128x64xf32, #c>
  }

  // Sums that others see are copied in every round.
  // CHECK-LABEL: nv_tileaa.func @seen
  // CHECK: scf.for
  // CHECK: %[[S:.*]] = arith.mulf
  // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor
  // CHECK: nv_tileas.copy %[[S]], %[[T]]
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %[[T]] {atom
  // CHECK: %[[R:.*]] = nv_tileas.convert_layout %[[T]]
  // CHECK: scf.yield %[[R]], %[[S]]
  nv_tileaa.func @seen(%a: tensor<128x64xf16, #a>, %b: tensor<64x64xf16, #a>, %c: tensor<128x64xf32, #c>, %low: i32, %high: i32, %step: i32) -> tensor<128x64xf32, #c> {
    %r:2 = scf.for %i = %low to %high step %step iter_args(%s = %c, %u = %c) -> (tensor<128x64xf32, #c>, tensor<128x64xf32, #c>) : i32 {
      %t = arith.mulf %s, %c : tensor<128x64xf32, #c>
      %d = nv_tileas.dot %a, %b, %t {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
      scf.yield %d, %t : tensor<128x64xf32, #c>, tensor<128x64xf32, #c>
    }
    nv_tileaa.return %r#1 : tensor<128x64xf32, #c>
  }

  // A left factor that is computed a row to a thread goes to tensor memory, before the sums come to the registers.
  // CHECK-LABEL: nv_tileaa.func @left
  // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor : tensor<128x64xf32, #tensor_memory>
  // CHECK: scf.for
  // CHECK: %[[P:.*]] = arith.truncf
  // CHECK: %[[L:.*]] = nv_tileas.alloc_tensor : tensor<128x64xf16, #tensor_memory>
  // CHECK-NEXT: nv_tileas.copy %[[P]], %[[L]]
  // CHECK-NEXT: nv_tileas.convert_layout %[[T]]
  // CHECK: nv_tileas.dot %[[L]], %{{.*}}, %[[T]]
  nv_tileaa.func @left(%x: tensor<128x64xf32, #c>, %b: tensor<64x64xf16, #a>, %low: i32, %high: i32, %step: i32) -> tensor<128x64xf32, #c> {
    %r = scf.for %i = %low to %high step %step iter_args(%s = %x) -> (tensor<128x64xf32, #c>) : i32 {
      %p = arith.truncf %x : tensor<128x64xf32, #c> to tensor<128x64xf16, #c>
      %t = arith.mulf %s, %x : tensor<128x64xf32, #c>
      %d = nv_tileas.dot %p, %b, %t {atom = #atom} : tensor<128x64xf16, #c>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
      scf.yield %d : tensor<128x64xf32, #c>
    }
    nv_tileaa.return %r : tensor<128x64xf32, #c>
  }

  // One that is loaded, or spread otherwise, does not.
  // CHECK-LABEL: nv_tileaa.func @elsewhere
  // CHECK: %[[P:.*]] = arith.truncf
  // CHECK: nv_tileas.dot %[[P]]
  nv_tileaa.func @elsewhere(%x: tensor<128x64xf32, #a>, %b: tensor<64x64xf16, #a>, %c: tensor<128x64xf32, #c>) -> tensor<128x64xf32, #c> {
    %p = arith.truncf %x : tensor<128x64xf32, #a> to tensor<128x64xf16, #a>
    %d = nv_tileas.dot %p, %b, %c {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
    nv_tileaa.return %d : tensor<128x64xf32, #c>
  }

  // One product adds to the sums of the other: one tile, one copy back.
  // CHECK-LABEL: nv_tileaa.func @chain
  // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %[[T]] if %false
  // CHECK-NEXT: nv_tileas.dot %{{.*}}, %{{.*}}, %[[T]] {atom
  // CHECK-NEXT: nv_tileas.convert_layout %[[T]]
  nv_tileaa.func @chain(%a: tensor<128x64xf16, #a>, %b: tensor<64x64xf16, #a>) -> tensor<128x64xf32, #c> {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #c>
    %d = nv_tileas.dot %a, %b, %zero {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
    %e = nv_tileas.dot %a, %b, %d {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
    nv_tileaa.return %e : tensor<128x64xf32, #c>
  }

  // Two loops around each other pass the sums on; a product in only one of them does not know whether it is the first.
  // CHECK-LABEL: nv_tileaa.func @nested
  // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor
  // CHECK: nv_tileas.copy %{{.*}}, %[[T]]
  // CHECK: scf.for {{.*}} : i32 {
  // CHECK-NEXT: scf.for {{.*}} : i32 {
  // CHECK-NEXT: nv_tileas.dot %{{.*}}, %{{.*}}, %[[T]] {atom
  // CHECK: nv_tileas.convert_layout %[[T]]
  nv_tileaa.func @nested(%a: tensor<128x64xf16, #a>, %b: tensor<64x64xf16, #a>, %low: i32, %high: i32, %step: i32) -> tensor<128x64xf32, #c> {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #c>
    %r = scf.for %i = %low to %high step %step iter_args(%s = %zero) -> (tensor<128x64xf32, #c>) : i32 {
      %q = scf.for %j = %low to %high step %step iter_args(%t = %s) -> (tensor<128x64xf32, #c>) : i32 {
        %d = nv_tileas.dot %a, %b, %t {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x64xf16, #a>, tensor<128x64xf32, #c>
        scf.yield %d : tensor<128x64xf32, #c>
      }
      scf.yield %q : tensor<128x64xf32, #c>
    }
    nv_tileaa.return %r : tensor<128x64xf32, #c>
  }
}
