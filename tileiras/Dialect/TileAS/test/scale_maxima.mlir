// Maxima of scaled tiles, where the scaled tile is not wanted for itself: of the tile, scaled once. Executed: test/Driver/scale_maxima.mlir, test/EndToEnd/tcgen05.py.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-scale-maxima)))' | FileCheck %s
// RUN: tileiras-opt %s -o %t.mlir -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-scale-maxima)))' --remarks-filter=schedule --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

#tile = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#values = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [0, 64]]>
#tmem = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#row = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
!tile = tensor<128x128xf32, #tile>
!row = tensor<128xf32, #row>
!sums = tensor<128x128xf32, #tmem>
!left = tensor<128x128xf16, #tmem>
!values = tensor<128x128xf16, #values>

gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {

// A number that is known.
// CHECK-LABEL: @known
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor
// CHECK-NOT: arith.mulf {{.*}}128x128
// CHECK: %[[M:.*]] = nv_tileas.reduce %[[X]] {axis = 1 : i32, identities = [0xFF800000 : f32]}
// CHECK: %[[S:.*]] = nv_tileaa.splat %{{.*}} : f32 -> tensor<128xf32
// CHECK: %[[R:.*]] = arith.mulf %[[M]], %[[S]] fastmath<nnan> : tensor<128xf32
// CHECK-NOT: arith.mulf
// CHECK: nv_tileaa.return %[[R]]
// REMARK-DAG: [Passed] Maxima | Category:schedule | Function=known | Reason="the maximum is scaled, not the elements"
nv_tileaa.func @known(%x: !tile) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c = arith.constant 0.125 : f32
  %s = nv_tileaa.splat %c : f32 -> !tile
  %y = arith.mulf %x, %s fastmath<nnan> : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [0xFF800000 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maxnumf %a, %b : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m : !row
}

// A constant tile on the left; NaN as identity, and NaN that wins.
// CHECK-LABEL: @constant_tile
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor
// CHECK: nv_tileas.reduce %[[X]]
nv_tileaa.func @constant_tile(%x: !tile) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = arith.constant dense<3.0> : !tile
  %y = arith.mulf %s, %x : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [0x7FC00000 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m : !row
}

// An argument is asked before the loop, and both forms are in it.
// CHECK-LABEL: @argument
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32, %[[X:[a-z0-9]+]]: tensor<{{.*}}, %[[SCALE:[a-z0-9]+]]: f32
// CHECK: %[[LEAST:.*]] = arith.constant 1.17549435E-38 : f32
// CHECK: %[[POSITIVE:.*]] = arith.cmpf oge, %[[SCALE]], %[[LEAST]] : f32
// CHECK: %[[MOST:.*]] = arith.constant 3.40282347E+38 : f32
// CHECK: %[[FINITE:.*]] = arith.cmpf ole, %[[SCALE]], %[[MOST]] : f32
// CHECK: %[[KEEPS:.*]] = arith.andi %[[POSITIVE]], %[[FINITE]] : i1
// CHECK: scf.for
// CHECK-NOT: arith.mulf
// CHECK: scf.if %[[KEEPS]]
// CHECK: %[[M:.*]] = nv_tileas.reduce %[[A:[a-z0-9]+]]
// CHECK: %[[S:.*]] = nv_tileaa.splat %[[SCALE]] : f32 -> tensor<128xf32
// CHECK: %[[R:.*]] = arith.mulf %[[M]], %[[S]] : tensor<128xf32
// CHECK: scf.yield %[[R]]
// CHECK: } else {
// CHECK: %[[Y:.*]] = arith.mulf %[[A]], %{{.*}} : tensor<128x128xf32
// CHECK: nv_tileas.reduce %[[Y]]
// REMARK-DAG: [Passed] Maxima {{.*}}Function=argument | {{.*}}where the scale is positive
nv_tileaa.func @argument(%n: i32, %x: !tile, %scale: f32, %y: !row) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %s = nv_tileaa.splat %scale : f32 -> !tile
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %y) -> (!row) : i32 {
    %d = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %l = nv_tileas.convert_layout %o : !sums -> !tile
    %z = arith.mulf %l, %s : !tile
    %m = nv_tileas.reduce %z {axis = 1 : i32, identities = [0xFF800000 : f32]} : !tile -> !row {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.maxnumf %a, %b : f32
      nv_tileas.yield %0 : f32
    }
    %g = arith.maxnumf %f, %m : !row
    scf.yield %g : !row
  }
  nv_tileaa.return %r : !row
}

// Numbers that turn the order round, make it nothing, or are none.
// CHECK-LABEL: @negative
// CHECK: %[[Y:.*]] = arith.mulf {{.*}} : tensor<128x128xf32
// CHECK: nv_tileas.reduce %[[Y]]
// REMARK-DAG: [Missed] Maxima {{.*}}Function=negative | {{.*}}the scale is not a positive number
nv_tileaa.func @negative(%x: !tile) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = arith.constant dense<-3.0> : !tile
  %y = arith.mulf %x, %s : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [0xFF800000 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maxnumf %a, %b : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m : !row
}
// CHECK-LABEL: @zero
// CHECK: %[[Y:.*]] = arith.mulf {{.*}} : tensor<128x128xf32
// CHECK: nv_tileas.reduce %[[Y]]
nv_tileaa.func @zero(%x: !tile) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = arith.constant dense<0.0> : !tile
  %y = arith.mulf %x, %s : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [0xFF800000 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maxnumf %a, %b : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m : !row
}
// With a factor that flushes to zero, infinity would be NaN.
// CHECK-LABEL: @subnormal
// CHECK: %[[Y:.*]] = arith.mulf {{.*}} : tensor<128x128xf32
// CHECK: nv_tileas.reduce %[[Y]]
nv_tileaa.func @subnormal(%x: !tile) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = arith.constant dense<1.0e-39> : !tile
  %y = arith.mulf %x, %s : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [0xFF800000 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maxnumf %a, %b : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m : !row
}
// CHECK-LABEL: @infinite
// CHECK: %[[Y:.*]] = arith.mulf {{.*}} : tensor<128x128xf32
// CHECK: nv_tileas.reduce %[[Y]]
nv_tileaa.func @infinite(%x: !tile) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = arith.constant dense<0x7F800000> : !tile
  %y = arith.mulf %x, %s : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [0xFF800000 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maxnumf %a, %b : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m : !row
}

// Minima, an identity that would have to be scaled, and products that somebody else wants.
// CHECK-LABEL: @minimum
// CHECK: %[[Y:.*]] = arith.mulf {{.*}} : tensor<128x128xf32
// CHECK: nv_tileas.reduce %[[Y]]
nv_tileaa.func @minimum(%x: !tile) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = arith.constant dense<3.0> : !tile
  %y = arith.mulf %x, %s : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [0x7F800000 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.minnumf %a, %b : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m : !row
}
// CHECK-LABEL: @identity
// CHECK: %[[Y:.*]] = arith.mulf {{.*}} : tensor<128x128xf32
// CHECK: nv_tileas.reduce %[[Y]]
nv_tileaa.func @identity(%x: !tile) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = arith.constant dense<3.0> : !tile
  %y = arith.mulf %x, %s : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [-1.0e30 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maxnumf %a, %b : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m : !row
}
// CHECK-LABEL: @wanted
// CHECK: %[[Y:.*]] = arith.mulf {{.*}} : tensor<128x128xf32
// CHECK: nv_tileas.reduce %[[Y]]
nv_tileaa.func @wanted(%x: !tile) -> (!row, !tile) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = arith.constant dense<3.0> : !tile
  %y = arith.mulf %x, %s : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [0xFF800000 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maxnumf %a, %b : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m, %y : !row, !tile
}
// An argument where no product adds up in tensor memory: a branch would stand among registers that wgmma adds up in.
// CHECK-LABEL: @registers
// CHECK-NOT: scf.if
// REMARK-DAG: [Missed] Maxima {{.*}}Function=registers | {{.*}}no product adds up in tensor memory
nv_tileaa.func @registers(%x: !tile, %scale: f32) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = nv_tileaa.splat %scale : f32 -> !tile
  %y = arith.mulf %x, %s : !tile
  %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [0xFF800000 : f32]} : !tile -> !row {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maxnumf %a, %b : f32
    nv_tileas.yield %0 : f32
  }
  nv_tileaa.return %m : !row
}
}
