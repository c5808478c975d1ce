// RUN: tileiras-opt %s -split-input-file -verify-diagnostics | FileCheck %s
// Products under way: what their sums may be used for, and what is refused.

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
// CHECK-LABEL: @through_a_loop
nv_tileaa.func @through_a_loop(%a: tensor<64x16xf16, #a>, %b: tensor<16x8xf16, #b>, %c: tensor<64x8xf32, #c>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: async.dot_begin {{.*}} -> !nv_tileas.pending<tensor<64x8xf32, #
  %p = nv_tileas.async.dot_begin %c : tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %p) -> (!nv_tileas.pending<tensor<64x8xf32, #c>>) : i32 {
    %more = arith.cmpi ne, %i, %c0 : i32
    // CHECK: async.dot %{{.*}}, %{{.*}}, %{{.*}} if %
    %q = nv_tileas.async.dot %a, %b, %s if %more {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, !nv_tileas.pending<tensor<64x8xf32, #c>> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
    // CHECK: async.dot_wait {{.*}} {pending = 1 : i32}
    %w = nv_tileas.async.dot_wait %q {pending = 1 : i32} : !nv_tileas.pending<tensor<64x8xf32, #c>> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
    scf.yield %w : !nv_tileas.pending<tensor<64x8xf32, #c>>
  }
  %d = nv_tileas.async.dot_wait %r : !nv_tileas.pending<tensor<64x8xf32, #c>> -> tensor<64x8xf32, #c>
  nv_tileaa.return
}

// -----

// Two products side by side: the first one is done when only the second may be under way. The left factor of the second
// is in registers, which the wait holds, too.
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#f = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!sums = !nv_tileas.pending<tensor<64x8xf32, #c>>
// CHECK-LABEL: @side_by_side
nv_tileaa.func @side_by_side(%a: tensor<64x16xf16, #a>, %p: tensor<64x16xf16, #f>, %b: tensor<16x8xf16, #b>, %c: tensor<64x8xf32, #c>, %more: i1) {
  %q = nv_tileas.async.dot %a, %b, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c> -> !sums
  %r = nv_tileas.async.dot %p, %b, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1], registers_a = true>} : tensor<64x16xf16, #f>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c> -> !sums
  // CHECK: async.dot_wait {{.*}} {pending = 1 : i32} : !nv_tileas.pending<{{.*}}> -> tensor<64x8xf32
  %s = nv_tileas.async.dot_wait %q {pending = 1 : i32} : !sums -> tensor<64x8xf32, #c>
  // CHECK: async.dot_wait %{{.*}}, %{{.*}} if %
  %o, %held = nv_tileas.async.dot_wait %r, %p if %more : !sums, tensor<64x16xf16, #f> -> tensor<64x8xf32, #c>, tensor<64x16xf16, #f>
  nv_tileaa.return
}

// -----

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!sums = !nv_tileas.pending<tensor<64x8xf32, #c>>
nv_tileaa.func @dropped_too_early(%a: tensor<64x16xf16, #a>, %b: tensor<16x8xf16, #b>, %c: tensor<64x8xf32, #c>, %more: i1) {
  %q = nv_tileas.async.dot %a, %b, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c> -> !sums
  // expected-error @below {{drops sums of a product that is under way}}
  %s = nv_tileas.async.dot_wait %q if %more {pending = 1 : i32} : !sums -> !sums
  %d = nv_tileas.async.dot_wait %s : !sums -> tensor<64x8xf32, #c>
  nv_tileaa.return
}

// -----

#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
nv_tileaa.func @something_else(%c: tensor<64x8xf32, #c>) {
  // expected-error @below {{expects a tile to come out as it went in}}
  %d = nv_tileas.async.dot_wait %c : tensor<64x8xf32, #c> -> tensor<64x8xf32>
  nv_tileaa.return
}

// -----

#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
nv_tileaa.func @nothing_to_wait_for(%c: tensor<64x8xf32, #c>) {
  // expected-error @below {{waits for no product}}
  %d = nv_tileas.async.dot_wait %c : tensor<64x8xf32, #c> -> tensor<64x8xf32, #c>
  nv_tileaa.return
}

// -----

nv_tileaa.func @by_number() {
  // CHECK: nv_tileas.async.await_product 1{{$}}
  nv_tileas.async.await_product 1
  // CHECK: nv_tileas.async.await_product 2 behind_loop
  nv_tileas.async.await_product 2 behind_loop
  nv_tileaa.return
}

// -----

nv_tileaa.func @numbers_begin_at_one() {
  // expected-error @below {{'nv_tileas.async.await_product' op attribute 'product' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  "nv_tileas.async.await_product"() <{product = 0 : i64}> : () -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_sums() {
  // expected-error @below {{waits for no product}}
  "nv_tileas.async.dot_wait"() <{operandSegmentSizes = array<i32: 0, 0, 0>, pending = 0 : i32}> : () -> ()
  nv_tileaa.return
}

// -----

#f = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
nv_tileaa.func @bits(%c: tensor<64x16xi1, #f>) {
  // expected-error @below {{takes tiles of 8, 16 or 32 bits, got 'i1'}}
  %d = nv_tileas.async.dot_wait %c : tensor<64x16xi1, #f> -> tensor<64x16xi1, #f>
  nv_tileaa.return
}

// -----

#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
nv_tileaa.func @read_too_early(%c: tensor<64x8xf32, #c>, %i: i1) {
  // expected-error @below {{sums under way have more than one use}}
  %p = nv_tileas.async.dot_begin %c : tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
  // expected-note @below {{here}}
  %q = arith.select %i, %p, %p : !nv_tileas.pending<tensor<64x8xf32, #c>>
  nv_tileaa.return
}

// -----

#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
nv_tileaa.func @read_in_place(%c: tensor<64x8xf32, #c>) {
  // expected-error @below {{sums under way are used by 'arith.negf' before a wait}}
  %p = nv_tileas.async.dot_begin %c : tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
  // expected-note @below {{nv_tileas.async.dot_wait makes a tile of them}}
  %q = arith.negf %p : !nv_tileas.pending<tensor<64x8xf32, #c>>
  nv_tileaa.return
}

// -----

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
nv_tileaa.func @chosen_before_a_wait(%a: tensor<64x16xf16, #a>, %b: tensor<16x8xf16, #b>, %c: tensor<64x8xf32, #c>, %i: i1) {
  %o = nv_tileas.async.dot_begin %c : tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
  // expected-error @below {{sums under way are used by 'builtin.unrealized_conversion_cast' before a wait}}
  %p = nv_tileas.async.dot %a, %b, %o {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, !nv_tileas.pending<tensor<64x8xf32, #c>> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
  // expected-note @below {{nv_tileas.async.dot_wait makes a tile of them}}
  %q = builtin.unrealized_conversion_cast %p : !nv_tileas.pending<tensor<64x8xf32, #c>> to i32
  nv_tileaa.return
}

// -----

#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
nv_tileaa.func @forgotten_by_a_loop(%c: tensor<64x8xf32, #c>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @below {{sums under way are never waited for}}
  %p = nv_tileas.async.dot_begin %c : tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
  // expected-note @below {{they end here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %p) -> (!nv_tileas.pending<tensor<64x8xf32, #c>>) : i32 {
    scf.yield %s : !nv_tileas.pending<tensor<64x8xf32, #c>>
  }
  nv_tileaa.return
}

// -----

#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#f = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
nv_tileaa.func @factor_in_registers(%a: tensor<64x16xf16, #f>, %b: tensor<16x8xf16, #b>, %c: tensor<64x8xf32, #c>) {
  // expected-error @below {{expects operand #0 in shared memory, where it stays until the product is done, or in the hands of an async.dot_wait}}
  %p = nv_tileas.async.dot %a, %b, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1], registers_a = true>} : tensor<64x16xf16, #f>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
  %d = nv_tileas.async.dot_wait %p : !nv_tileas.pending<tensor<64x8xf32, #c>> -> tensor<64x8xf32, #c>
  nv_tileaa.return
}

// -----

nv_tileaa.func @at_once(%a: tensor<16x16xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @below {{atom does not multiply while the threads go on}}
  %p = nv_tileas.async.dot %a, %b, %c {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf16>, tensor<16x8xf16>, tensor<16x8xf32> -> !nv_tileas.pending<tensor<16x8xf32>>
  %d = nv_tileas.async.dot_wait %p : !nv_tileas.pending<tensor<16x8xf32>> -> tensor<16x8xf32>
  nv_tileaa.return
}

// -----

#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
nv_tileaa.func @a_tile_too_early(%c: tensor<64x8xf32, #c>) {
  %p = nv_tileas.async.dot_begin %c : tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
  // expected-error @below {{with 1 products under way}}
  %d = nv_tileas.async.dot_wait %p {pending = 1 : i32} : !nv_tileas.pending<tensor<64x8xf32, #c>> -> tensor<64x8xf32, #c>
  nv_tileaa.return
}
