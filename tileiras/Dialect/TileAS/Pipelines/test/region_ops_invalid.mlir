// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!pipe = !nv_tileas.pipeline<2 x (tensor<64xf32, #s>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<64xf32, #s>)>
nv_tileaa.func @f(%p: !pipe, %i: !iter) {
  // expected-error @below {{expects the region to end with nv_tileas.async.pipeline.yield}}
  "nv_tileas.async.pipeline.produce_one"(%p, %i) ({
    %j = nv_tileas.async.pipeline.inc_iter %i : !iter
  }) : (!pipe, !iter) -> ()
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!pipe = !nv_tileas.pipeline<2 x (tensor<64xf32, #s>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<64xf32, #s>)>
nv_tileaa.func @f(%p: !pipe, %i: !iter) {
  // expected-error @below {{expects the region to end with nv_tileas.async.pipeline.yield}}
  "nv_tileas.async.pipeline.consume_one"(%p, %i) ({
    %j = nv_tileas.async.pipeline.inc_iter %i : !iter
  }) : (!pipe, !iter) -> ()
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!pipe = !nv_tileas.pipeline<2 x (tensor<64xf32, #s>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<64xf32, #s>)>
nv_tileaa.func @f(%p: !pipe, %i: !iter) {
  // expected-error @below {{expects region result types to be match with operation result types [i32], but got: [!nv_tileas.pipeline_iterator<2 x}}
  %j = nv_tileas.async.pipeline.consume_one %p, %i : !pipe, !iter -> i32 {
    nv_tileas.async.pipeline.yield %i : !iter
  }
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!pipe = !nv_tileas.pipeline<2 x (tensor<64xf32, #s>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<64xf32, #s>)>
nv_tileaa.func @f(%p: !pipe, %i: !iter) {
  // expected-error @below {{expects region arguement types to match with producer types [], but got: [i32]}}
  nv_tileas.async.pipeline.produce_one %p, %i : !pipe, !iter {
  ^bb0(%x: i32):
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!pipe = !nv_tileas.pipeline<2 x (tensor<64xf32, #s>)>
!iter = !nv_tileas.pipeline_iterator<3 x (tensor<64xf32, #s>)>
nv_tileaa.func @f(%p: !pipe, %i: !iter) {
  // expected-error @below {{expects an iterator of}}
  nv_tileas.async.pipeline.produce_one %p, %i : !pipe, !iter {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!pipe = !nv_tileas.pipeline<2 x (tensor<64xf32, #s>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<64xf32, #s>)>
nv_tileaa.func @f(%p: !pipe, %i: !iter) {
  // expected-error @below {{expects a token of what is under way as its last result}}
  nv_tileas.async.pipeline.produce_one_async %p, %i : !pipe, !iter {
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
nv_tileaa.func @f(%x: tensor<64xf32, #s>) {
  // expected-error @below {{expects the kind 'storage' or 'token', got 'both'}}
  %t = nv_tileas.async.to_async %x {kind = "both"} : tensor<64xf32, #s> -> !nv_tileas.async.token
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
nv_tileaa.func @f(%x: tensor<64xf32, #s>) {
  // expected-error @below {{as token expects an asynchronous token as result}}
  %t = nv_tileas.async.to_async %x {kind = "token"} : tensor<64xf32, #s> -> tensor<64xf32, #s>
  nv_tileaa.return
}

// -----

// Here, and not at assembly.
#r = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [0], [0], [0], [0]], warp = []>
nv_tileaa.func @f(%b: tensor<1xi64, #r>, %n: i32) {
  // expected-error @below {{expects an mbarrier in shared memory, got}}
  %t = nv_tileas.async.mbarrier_init %b, %n : tensor<1xi64, #r>
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
nv_tileaa.func @f(%b: tensor<64xf32, #s>, %n: i32) {
  // expected-error @below {{expects one i64 as mbarrier, got}}
  %t = nv_tileas.async.mbarrier_init %b, %n : tensor<64xf32, #s>
  nv_tileaa.return
}

// -----

// The arms of a branch yield one type of iterator; there is no merge.
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!two = !nv_tileas.pipeline_iterator<2 x (tensor<64xf32, #s>)>
!three = !nv_tileas.pipeline_iterator<3 x (tensor<64xf32, #s>)>
nv_tileaa.func @f(%c: i1, %i: !two, %j: !three) {
  // expected-error @below {{along control flow edge from Operation scf.yield to parent: successor operand type #0 '!nv_tileas.pipeline_iterator<3}}
  %k = scf.if %c -> !two {
    scf.yield %i : !two
  } else {
    // expected-note @below {{region branch point}}
    scf.yield %j : !three
  }
  nv_tileaa.return
}

// -----

// What is waited for on an mbarrier.
#word = #nv_tileas.shared<rank = 1, offset = []>
nv_tileaa.func @f(%b: tensor<1xi64, #word>) {
  // expected-error @below {{expects an mbarrier and its phase, or neither}}
  "nv_tileas.async.wait"(%b) {operandSegmentSizes = array<i32: 0, 1, 0>} : (tensor<1xi64, #word>) -> ()
  nv_tileaa.return
}

// -----

#word = #nv_tileas.shared<rank = 1, offset = []>
nv_tileaa.func @f(%b: tensor<1xi64, #word>, %phase: i32) {
  %none = nv_tileas.create_none
  // expected-error @below {{on an mbarrier expects tokens of tensor copies that complete on one}}
  nv_tileas.async.wait %none on %b : tensor<1xi64, #word> phase %phase
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
nv_tileaa.func @f(%b: tensor<64xf32, #s>, %phase: i32) {
  // expected-error @below {{expects one i64 in shared memory as mbarrier, got}}
  nv_tileas.async.wait on %b : tensor<64xf32, #s> phase %phase
  nv_tileaa.return
}

// -----

#word = #nv_tileas.shared<rank = 1, offset = []>
nv_tileaa.func @f(%b: tensor<1xi64, #word>, %phase: i32) {
  // expected-error @below {{on an mbarrier waits for all that completes on it}}
  nv_tileas.async.wait on %b : tensor<1xi64, #word> phase %phase {pending = 1 : i32}
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#word = #nv_tileas.shared<rank = 1, offset = []>
nv_tileaa.func @f(%view: !view, %desc: !nv_tileas.tma_descriptor_iter, %tile: tensor<64x64xf16, #tile>, %i: i32, %b: tensor<1xi64, #word>) {
  %done, %t = nv_tileas.async.tiled_tma_load %desc, %view[%i, %i] into %tile barrier %b : tensor<1xi64, #word> {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i32), tensor<64x64xf16, #tile>
  // expected-error @below {{expects the mbarrier on which the tensor copies complete, and its phase}}
  nv_tileas.async.wait %done
  nv_tileaa.return
}
