// Masks of positions. Executed: test/EndToEnd/agents.py, wgmma.py and examples.py; at the ends of i32 in test/Driver/skip_masks_edges.mlir.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-skip-masks)))' --remarks-filter=schedule --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: tileiras-opt %s -o %t.mlir -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-skip-masks)))' --remarks-filter=schedule --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not='Mask{{.*}}Function=numbers'

#tile = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
#row = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>
#line = #nv_tileas.linear<rank = 1, register = [[1], [2], [4], [8]], lane = [[16], [0], [0], [0], [0]], warp = []>
#column = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [1], [2], [4], [8]], warp = []>
#column2 = #nv_tileas.linear<rank = 2, register = [], lane = [[0, 0], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-DAG: [Passed] Mask | Category:schedule | Function=causal
// CHECK-DAG: [Passed] Mask | Category:schedule | Function=both
// CHECK-DAG: [Passed] Mask | Category:schedule | Function=inverted
// CHECK-DAG: [Passed] Mask | Category:schedule | Function=either
// CHECK-DAG: [Missed] Mask | Category:schedule | Function=loaded | Reason="the mask is not a comparison of positions"
// CHECK-DAG: [Missed] Mask | Category:schedule | Function=twice | Reason="the mask is used by other operations, too"
// REMARK: Mask{{.*}}Function=causal

// Keys of a tile are 32 from %key on, queries 16 from %query on, of which the last must not exceed i32.
// CHECK-LABEL: nv_tileaa.func @causal(%arg0: i32
// CHECK: scf.for %[[I:[a-z0-9]+]] = %
// CHECK: %[[KEY:.*]] = arith.muli %[[I]]
// CHECK: %[[A:.*]] = arith.extsi %[[KEY]] : i32 to i64
// CHECK: %[[B:.*]] = arith.extsi %arg0 : i32 to i64
// CHECK: %[[C31:.*]] = arith.constant 31 : i64
// CHECK: %[[LAST:.*]] = arith.addi %[[A]], %[[C31]]
// CHECK: %[[BELOW:.*]] = arith.cmpi sle, %[[LAST]], %[[B]] : i64
// CHECK: %[[C15:.*]] = arith.constant 15 : i64
// CHECK: %[[TOP:.*]] = arith.addi %[[B]], %[[C15]]
// CHECK: %[[MOST:.*]] = arith.constant 2147483647 : i64
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[TOP]], %[[MOST]] : i64
// CHECK: %[[ALL:.*]] = arith.andi %[[BELOW]], %[[FITS]]
// CHECK-NOT: nv_tileaa.splat
// CHECK: %[[M:.*]] = scf.if %[[ALL]] -> (tensor<16x32xf32, #{{.*}}>) {
// CHECK-NEXT: scf.yield %[[X:.*]] : tensor
// CHECK-NEXT: } else {
// CHECK: nv_tileaa.splat %[[KEY]]
// CHECK: %[[MASK:.*]] = arith.cmpi sle
// CHECK: %[[SELECTED:.*]] = arith.select %[[MASK]], %[[X]]
// CHECK: scf.yield %[[SELECTED]]
// CHECK: }
// CHECK-NEXT: scf.yield %[[M]]
nv_tileaa.func @causal(%query: i32, %n: i32, %x: tensor<16x32xf32, #tile>, %hidden: tensor<16x32xf32, #tile>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %q = nv_tileaa.splat %query : i32 -> tensor<16xi32, #column>
  %r = nv_tileaa.make_range(0, 16) : tensor<16xi32, #column>
  %rows = arith.addi %q, %r : tensor<16xi32, #column>
  %rows1 = nv_tileaa.view %rows : tensor<16xi32, #column> -> tensor<16x1xi32, #column2>
  %rows2 = nv_tileaa.broadcast %rows1 : tensor<16x1xi32, #column2> -> tensor<16x32xi32, #tile>
  %k = nv_tileaa.make_range(0, 32) : tensor<32xi32, #line>
  %k1 = nv_tileaa.view %k : tensor<32xi32, #line> -> tensor<1x32xi32, #row>
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<16x32xf32, #tile>) : i32 {
    %key = arith.muli %i, %c32 : i32
    %first = nv_tileaa.splat %key : i32 -> tensor<1x32xi32, #row>
    %keys = arith.addi %first, %k1 : tensor<1x32xi32, #row>
    %keys2 = nv_tileaa.broadcast %keys : tensor<1x32xi32, #row> -> tensor<16x32xi32, #tile>
    %m = arith.cmpi sle, %keys2, %rows2 : tensor<16x32xi32, #tile>
    %s = arith.select %m, %y, %hidden : tensor<16x32xi1, #tile>, tensor<16x32xf32, #tile>
    scf.yield %s : tensor<16x32xf32, #tile>
  }
  nv_tileaa.return
}

// Two comparisons, one of them turned round, and positions that begin below zero.
// CHECK-LABEL: nv_tileaa.func @both(%arg0
// CHECK: scf.for
// CHECK: arith.constant -2147483648 : i64
// CHECK: arith.cmpi sge
// CHECK: scf.if
nv_tileaa.func @both(%query: i32, %n: i32, %x: tensor<16x32xf32, #tile>, %hidden: tensor<16x32xf32, #tile>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %four = arith.constant dense<-4> : tensor<16x32xi32, #tile>
  %end = nv_tileaa.splat %n : i32 -> tensor<16x32xi32, #tile>
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<16x32xf32, #tile>) : i32 {
    %keys = nv_tileaa.splat %i : i32 -> tensor<16x32xi32, #tile>
    %before = arith.addi %keys, %four : tensor<16x32xi32, #tile>
    %m = arith.cmpi sgt, %end, %keys : tensor<16x32xi32, #tile>
    %w = arith.cmpi sle, %before, %end : tensor<16x32xi32, #tile>
    %b = arith.andi %m, %w : tensor<16x32xi1, #tile>
    %s = arith.select %b, %y, %hidden : tensor<16x32xi1, #tile>, tensor<16x32xf32, #tile>
    scf.yield %s : tensor<16x32xf32, #tile>
  }
  nv_tileaa.return
}

// A mask of columns, repeated for all rows.
// CHECK-LABEL: nv_tileaa.func @columns(%arg0
// CHECK: scf.for
// CHECK: scf.if
// CHECK: arith.cmpi slt, %{{.*}} : tensor<1x32xi32
// CHECK: nv_tileaa.broadcast
// CHECK-NEXT: arith.select
nv_tileaa.func @columns(%n: i32, %x: tensor<16x32xf32, #tile>, %hidden: tensor<16x32xf32, #tile>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = nv_tileaa.splat %n : i32 -> tensor<1x32xi32, #row>
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<16x32xf32, #tile>) : i32 {
    %keys = nv_tileaa.splat %i : i32 -> tensor<1x32xi32, #row>
    %m = arith.cmpi slt, %keys, %end : tensor<1x32xi32, #row>
    %b = nv_tileaa.broadcast %m : tensor<1x32xi1, #row> -> tensor<16x32xi1, #tile>
    %s = arith.select %b, %y, %hidden : tensor<16x32xi1, #tile>, tensor<16x32xf32, #tile>
    scf.yield %s : tensor<16x32xf32, #tile>
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @loaded(%arg0
// CHECK-NOT: scf.if
nv_tileaa.func @loaded(%n: i32, %given: tensor<16x32xi32, #tile>, %x: tensor<16x32xf32, #tile>, %hidden: tensor<16x32xf32, #tile>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<16x32xf32, #tile>) : i32 {
    %keys = nv_tileaa.splat %i : i32 -> tensor<16x32xi32, #tile>
    %m = arith.cmpi slt, %keys, %given : tensor<16x32xi32, #tile>
    %s = arith.select %m, %y, %hidden : tensor<16x32xi1, #tile>, tensor<16x32xf32, #tile>
    scf.yield %s : tensor<16x32xf32, #tile>
  }
  nv_tileaa.return
}

// What is hidden where the mask is true, so nothing is where it is false for all elements.
// CHECK-LABEL: nv_tileaa.func @inverted(%arg0: i32
// CHECK: scf.for %[[I:[a-z0-9]+]] = %{{.*}} iter_args(%[[Y:.*]] = %
// CHECK: %[[A:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK: %[[B:.*]] = arith.extsi %arg0 : i32 to i64
// CHECK: %[[NONE:.*]] = arith.cmpi sle, %[[A]], %[[B]] : i64
// CHECK: scf.if %[[NONE]]
// CHECK-NEXT: scf.yield %[[Y]] : tensor
// CHECK-NEXT: } else {
// CHECK: %[[MASK:.*]] = arith.cmpi sgt
// CHECK: arith.select %[[MASK]], %{{.*}}, %[[Y]]
nv_tileaa.func @inverted(%query: i32, %n: i32, %x: tensor<16x32xf32, #tile>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %hidden = arith.constant dense<0xFF800000> : tensor<16x32xf32, #tile>
  %end = nv_tileaa.splat %query : i32 -> tensor<16x32xi32, #tile>
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<16x32xf32, #tile>) : i32 {
    %keys = nv_tileaa.splat %i : i32 -> tensor<16x32xi32, #tile>
    %m = arith.cmpi sgt, %keys, %end : tensor<16x32xi32, #tile>
    %s = arith.select %m, %hidden, %y : tensor<16x32xi1, #tile>, tensor<16x32xf32, #tile>
    scf.yield %s : tensor<16x32xf32, #tile>
  }
  nv_tileaa.return
}

// Either comparison hides: nothing is hidden where both are false.
// CHECK-LABEL: nv_tileaa.func @either(%arg0
// CHECK: scf.for
// CHECK: %[[FIRST:.*]] = arith.cmpi sle, %{{.*}} : i64
// CHECK: %[[SECOND:.*]] = arith.cmpi slt, %{{.*}} : i64
// CHECK: %[[NEITHER:.*]] = arith.andi %[[FIRST]], %[[SECOND]] : i1
// CHECK: scf.if %[[NEITHER]]
// CHECK: arith.ori
nv_tileaa.func @either(%query: i32, %n: i32, %x: tensor<16x32xf32, #tile>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %hidden = arith.constant dense<0xFF800000> : tensor<16x32xf32, #tile>
  %end = nv_tileaa.splat %query : i32 -> tensor<16x32xi32, #tile>
  %length = nv_tileaa.splat %n : i32 -> tensor<16x32xi32, #tile>
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<16x32xf32, #tile>) : i32 {
    %keys = nv_tileaa.splat %i : i32 -> tensor<16x32xi32, #tile>
    %m = arith.cmpi sgt, %keys, %end : tensor<16x32xi32, #tile>
    %w = arith.cmpi sge, %keys, %length : tensor<16x32xi32, #tile>
    %b = arith.ori %m, %w : tensor<16x32xi1, #tile>
    %s = arith.select %b, %hidden, %y : tensor<16x32xi1, #tile>, tensor<16x32xf32, #tile>
    scf.yield %s : tensor<16x32xf32, #tile>
  }
  nv_tileaa.return
}

// Numbers are compared, not positions: nothing to say.
// CHECK-LABEL: nv_tileaa.func @numbers(%arg0
// CHECK-NOT: scf.if
nv_tileaa.func @numbers(%n: i32, %x: tensor<16x32xf32, #tile>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<16x32xf32, #tile>
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<16x32xf32, #tile>) : i32 {
    %m = arith.cmpf ogt, %y, %z : tensor<16x32xf32, #tile>
    %s = arith.select %m, %y, %z : tensor<16x32xi1, #tile>, tensor<16x32xf32, #tile>
    scf.yield %s : tensor<16x32xf32, #tile>
  }
  nv_tileaa.return
}

// The mask is computed in any case.
// CHECK-LABEL: nv_tileaa.func @twice(%arg0
// CHECK-NOT: scf.if
nv_tileaa.func @twice(%n: i32, %x: tensor<16x32xf32, #tile>, %u: tensor<16x32xf32, #tile>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<16x32xf32, #tile>
  %end = nv_tileaa.splat %n : i32 -> tensor<16x32xi32, #tile>
  %o:2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x, %w = %u) -> (tensor<16x32xf32, #tile>, tensor<16x32xf32, #tile>) : i32 {
    %keys = nv_tileaa.splat %i : i32 -> tensor<16x32xi32, #tile>
    %m = arith.cmpi slt, %keys, %end : tensor<16x32xi32, #tile>
    %s = arith.select %m, %y, %z : tensor<16x32xi1, #tile>, tensor<16x32xf32, #tile>
    %t = arith.select %m, %w, %z : tensor<16x32xi1, #tile>, tensor<16x32xf32, #tile>
    scf.yield %s, %t : tensor<16x32xf32, #tile>, tensor<16x32xf32, #tile>
  }
  nv_tileaa.return
}
}
