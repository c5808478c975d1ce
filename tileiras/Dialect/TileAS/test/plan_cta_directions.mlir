// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-plan-cta)))' | FileCheck %s
// Conversions that say in which direction they go, between layouts of two blocks: by rows and by columns.

#rows = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], block = [[4, 0]]>
#columns = #nv_tileas.linear<rank = 2, register = [[0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2]], warp = [], block = [[0, 16]]>
!r = tensor<8x32xf32, #rows>
!c = tensor<8x32xf32, #columns>
!view = !nv_tileaa.tiled_view<[8, 32], !nv_tileaa.memref<?x32xf32, strides = [32, 1]>>
#two = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [2, 1, 1], numCTAs = 2>
#one = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {

// Back to where the tile is loaded, through both operands of an addition and the splat of a number.
// CHECK-DAG: #[[R:.*]] = #nv_tileas.linear<rank = 2, register = {{\[}}[1, 0], [2, 0]]
// CHECK-DAG: #[[C:.*]] = #nv_tileas.linear<rank = 2, register = {{\[}}[0, 4], [0, 8]]
// CHECK-LABEL: @backward
// CHECK: nv_tileaa.splat {{.*}} -> tensor<8x32xf32, #[[C]]>
// CHECK: nv_tileas.tiled_load {{.*}} -> tensor<8x32xf32, #[[C]]>
// CHECK-NEXT: arith.addf {{.*}} : tensor<8x32xf32, #[[C]]>
// CHECK-NEXT: nv_tileas.tiled_store {{.*}} tensor<8x32xf32, #[[C]]>
nv_tileaa.func @backward(%v: !view, %i: i32, %f: f32) attributes {nv_tileaa.kernel_spec = #two} {
  %s = nv_tileaa.splat %f : f32 -> !r
  %x, %t = nv_tileas.tiled_load %v[%i, %i] : !view, (i32, i32) -> !r
  %y = arith.addf %x, %s : !r
  %z = nv_tileas.convert_layout %y {plancta.direction = "backward"} : !r -> !c
  %t1 = nv_tileas.tiled_store %v[%i, %i], %z : !view, (i32, i32), !c
  nv_tileaa.return
}

// As far as the store, which it stops in front of.
// CHECK-LABEL: @forward
// CHECK: nv_tileas.tiled_load {{.*}} -> tensor<8x32xf32, #[[R]]>
// CHECK-NEXT: %[[M:.*]] = arith.mulf {{.*}} : tensor<8x32xf32, #[[R]]>
// CHECK-NEXT: %[[Z:.*]] = nv_tileas.convert_layout %[[M]] : tensor<8x32xf32, #[[R]]> -> tensor<8x32xf32, #[[C]]>
// CHECK-NEXT: nv_tileas.tiled_store {{.*}}, %[[Z]]
nv_tileaa.func @forward(%v: !view, %i: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %x, %t = nv_tileas.tiled_load %v[%i, %i] : !view, (i32, i32) -> !r
  %y = nv_tileas.convert_layout %x {plancta.direction = "forward"} : !r -> !c
  %z = arith.mulf %y, %y : !c
  %t1 = nv_tileas.tiled_store %v[%i, %i], %z : !view, (i32, i32), !c
  nv_tileaa.return
}

// Two that meet, from both sides of a negation: none is left.
// CHECK-LABEL: @partners
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: math.absf {{.*}} : tensor<8x32xf32, #[[C]]>
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: nv_tileaa.return
nv_tileaa.func @partners(%v: !view, %x: !c, %i: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %y = nv_tileas.convert_layout %x {plancta.direction = "forward"} : !c -> !r
  %z = math.absf %y : !r
  %w = nv_tileas.convert_layout %z {plancta.direction = "backward"} : !r -> !c
  %t1 = nv_tileas.tiled_store %v[%i, %i], %w : !view, (i32, i32), !c
  nv_tileaa.return
}

// Who wants the old layout gets it back.
// CHECK-LABEL: @two_users
// CHECK: %[[X:.*]], %{{.*}} = nv_tileas.tiled_load {{.*}} -> tensor<8x32xf32, #[[C]]>
// CHECK-NEXT: %[[B:.*]] = nv_tileas.convert_layout %[[X]] : tensor<8x32xf32, #[[C]]> -> tensor<8x32xf32, #[[R]]>
// CHECK: nv_tileas.tiled_store {{.*}}, %[[B]]
// CHECK: nv_tileas.tiled_store {{.*}}, %[[X]]
nv_tileaa.func @two_users(%v: !view, %i: i32, %j: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %x, %t = nv_tileas.tiled_load %v[%i, %i] : !view, (i32, i32) -> !r
  %t1 = nv_tileas.tiled_store %v[%i, %i], %x : !view, (i32, i32), !r
  %y = nv_tileas.convert_layout %x {plancta.direction = "backward"} : !r -> !c
  %t2 = nv_tileas.tiled_store %v[%j, %i], %y : !view, (i32, i32), !c
  nv_tileaa.return
}

// Tiles that come from elsewhere have the layout they come in.
// CHECK-LABEL: @argument
// CHECK: nv_tileas.convert_layout %{{.*}} : tensor<8x32xf32, #[[R]]> -> tensor<8x32xf32, #[[C]]>
nv_tileaa.func @argument(%v: !view, %x: !r, %i: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %y = nv_tileas.convert_layout %x {plancta.direction = "backward"} : !r -> !c
  %t = nv_tileas.tiled_store %v[%i, %i], %y : !view, (i32, i32), !c
  nv_tileaa.return
}

// One block has nothing to plan.
// CHECK-LABEL: @one_block
// CHECK: plancta.direction = "backward"
nv_tileaa.func @one_block(%v: !view, %i: i32) attributes {nv_tileaa.kernel_spec = #one} {
  %x, %t = nv_tileas.tiled_load %v[%i, %i] : !view, (i32, i32) -> !r
  %y = nv_tileas.convert_layout %x {plancta.direction = "backward"} : !r -> !c
  %t1 = nv_tileas.tiled_store %v[%i, %i], %y : !view, (i32, i32), !c
  nv_tileaa.return
}
}

// -----

#rows = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], block = [[4, 0]]>
#columns = #nv_tileas.linear<rank = 2, register = [[0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2]], warp = [], block = [[0, 16]]>
!r = tensor<8x32xf32, #rows>
!c = tensor<8x32xf32, #columns>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
nv_tileaa.func @sideways(%x: !r) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [2, 1, 1], numCTAs = 2>} {
  // expected-error @below {{expects 'plancta.direction' to be "backward" or "forward"}}
  %y = nv_tileas.convert_layout %x {plancta.direction = "sideways"} : !r -> !c
  nv_tileaa.return
}
}
