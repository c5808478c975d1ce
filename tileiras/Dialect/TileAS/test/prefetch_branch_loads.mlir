// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-prefetch-branch-loads,canonicalize))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-prefetch-branch-loads,tileas-prefetch-branch-loads,canonicalize))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-prefetch-branch-loads{num-stages=1}))' | FileCheck %s --check-prefix=ONE
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-prefetch-branch-loads))' --remarks-filter=".*" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#f = #nv_tileas.fma_atom<f32, box = [1, 2], lanes = [8, 4], warps = [1, 1, 1]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#s = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#i = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [0], [0], [0], [0]], warp = []>
!view = !nv_tileaa.tiled_view<[8, 8], !nv_tileaa.memref<?x8xf32, strides = [8, 1]>>
!sizes = !nv_tileaa.tiled_view<[1], !nv_tileaa.memref<?xi32, strides = [1]>>
!t = tensor<8x8xf32, #l>
!m = tensor<8x8xf32, #s>
!sum = tensor<8x8xf32, #c>
#spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>

module attributes {nv_tileaa.target_spec = "sm_80"} {
// What a round asks, in a loop that reads memory, is asked before the loop and a round ahead; the loop carries the
// answer and the tile.
// REMARK: [Passed] Prefetch | Category:pipeline | Function=grouped | Ahead=1, Loads=1, Products=1, Reason="where the next iteration loads from is asked an iteration ahead, and its loads are under way in registers"
// CHECK-LABEL: nv_tileaa.func @grouped
// CHECK: ub.poison
// CHECK: scf.if
// CHECK: scf.for
// CHECK: nv_tileas.tiled_load %{{.*}} -> tensor<1xi32
// CHECK: scf.if
// CHECK: nv_tileas.tiled_load %{{.*}} -> tensor<8x8xf32
// CHECK: scf.for %[[R:[a-z0-9]+]] = %{{.*}} iter_args(%[[PLACE:[a-z0-9]+]] = %{{[^,]*}}, %[[TILE:[a-z0-9]+]] = %{{[^,]*}}) ->
// CHECK: %[[MORE:[0-9]+]] = arith.cmpi ugt,
// CHECK: %[[NEXT:[0-9]+]]:2 = scf.if %[[MORE]]
// CHECK: %[[R1:[0-9]+]] = arith.addi %[[R]],
// CHECK: %[[PLACE1:[0-9]+]] = scf.for {{.*}} iter_args(%{{.*}} = %[[R1]])
// CHECK: %[[FOUND1:[0-9]+]] = arith.cmpi slt, %[[PLACE1]],
// CHECK: scf.if %[[FOUND1]]
// CHECK: nv_tileas.tiled_load %{{.*}}[%[[PLACE1]]
// CHECK: } else {
// CHECK: %[[FOUND:[0-9]+]] = arith.cmpi slt, %[[PLACE]],
// CHECK: scf.if %[[FOUND]]
// CHECK-NOT: tiled_load
// CHECK: nv_tileas.copy %[[TILE]]
// CHECK: nv_tileas.dot
// CHECK: nv_tileas.tiled_store %{{.*}}[%[[PLACE]]
// CHECK: scf.yield %[[NEXT]]#0, %[[NEXT]]#1
// ONE-LABEL: nv_tileaa.func @grouped
// ONE-NOT: ub.poison
// ONE: nv_tileaa.func @written
nv_tileaa.func @grouped(%a: !view, %o: !view, %sizes: !sizes, %n: i32, %groups: i32, %b: !m, %z: !sum) attributes {nv_tileaa.kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    %place = scf.for %g = %c0 to %groups step %c1 iter_args(%p = %r) -> (i32) : i32 {
      %x, %mx = nv_tileas.tiled_load %sizes[%g] : !sizes, (i32) -> tensor<1xi32, #i>
      %k = nv_tileaa.extract %x : tensor<1xi32, #i> -> i32
      %p1 = arith.addi %p, %k : i32
      scf.yield %p1 : i32
    }
    %found = arith.cmpi slt, %place, %n : i32
    scf.if %found {
      %t, %mt = nv_tileas.tiled_load %a[%place, %c0] : !view, (i32, i32) -> !t
      %tile = nv_tileas.alloc_tensor : !m
      nv_tileas.copy %t, %tile {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 8>} : !t, !m
      %d = nv_tileas.dot %tile, %b, %z {atom = #f} : !m, !m, !sum
      %ts = nv_tileas.tiled_store %o[%place, %c0], %d : !view, (i32, i32), !sum
    }
  }
  nv_tileaa.return
}

// What is asked may have been written by the loop: a token says so.
// REMARK: [Missed] Prefetch | Category:pipeline | Function=written | Ahead=0, Loads=1, Products=1, Reason="loads are not made ahead: where they come from depends on the round before"
// CHECK-LABEL: nv_tileaa.func @written
// CHECK-NOT: ub.poison
// CHECK: nv_tileaa.return
nv_tileaa.func @written(%a: !view, %o: !view, %sizes: !sizes, %n: i32, %b: !m, %z: !sum, %first: !nv_tileaa.mem_token) attributes {nv_tileaa.kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = scf.for %r = %c0 to %n step %c1 iter_args(%before = %first) -> (!nv_tileaa.mem_token) : i32 {
    %x, %mx = nv_tileas.tiled_load %sizes[%r], token %before : !sizes, (i32) -> tensor<1xi32, #i>
    %place = nv_tileaa.extract %x : tensor<1xi32, #i> -> i32
    %found = arith.cmpi slt, %place, %n : i32
    %after = scf.if %found -> (!nv_tileaa.mem_token) {
      %t, %mt = nv_tileas.tiled_load %a[%place, %c0] : !view, (i32, i32) -> !t
      %tile = nv_tileas.alloc_tensor : !m
      nv_tileas.copy %t, %tile {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 8>} : !t, !m
      %d = nv_tileas.dot %tile, %b, %z {atom = #f} : !m, !m, !sum
      %ts = nv_tileas.tiled_store %o[%place, %c0], %d : !view, (i32, i32), !sum
      scf.yield %ts : !nv_tileaa.mem_token
    } else {
      scf.yield %before : !nv_tileaa.mem_token
    }
    scf.yield %after : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// A store that comes after the loads has to wait until all threads have loaded.
// REMARK: [Missed] Prefetch | Category:pipeline | Function=followed | Ahead=0, Loads=1, Products=1, Reason="loads are not made ahead: others in the loop come after them"
// CHECK-LABEL: nv_tileaa.func @followed
// CHECK-NOT: ub.poison
// CHECK: nv_tileaa.return
nv_tileaa.func @followed(%a: !view, %o: !view, %sizes: !sizes, %n: i32, %b: !m, %z: !sum) attributes {nv_tileaa.kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %r = %c0 to %n step %c1 : i32 {
    %x, %mx = nv_tileas.tiled_load %sizes[%r] : !sizes, (i32) -> tensor<1xi32, #i>
    %place = nv_tileaa.extract %x : tensor<1xi32, #i> -> i32
    %found = arith.cmpi slt, %place, %n : i32
    scf.if %found {
      %t, %mt = nv_tileas.tiled_load %a[%place, %c0] : !view, (i32, i32) -> !t
      %tile = nv_tileas.alloc_tensor : !m
      nv_tileas.copy %t, %tile {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 8>} : !t, !m
      %d = nv_tileas.dot %tile, %b, %z {atom = #f} : !m, !m, !sum
      %ts = nv_tileas.tiled_store %o[%place, %c0], %d, token %mt : !view, (i32, i32), !sum
    }
  }
  nv_tileaa.return
}
}
