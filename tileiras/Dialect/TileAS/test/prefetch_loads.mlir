// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-prefetch-loads))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-prefetch-loads,tileas-prefetch-loads))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-prefetch-loads{num-stages=1}))' | FileCheck %s --check-prefix=ONE
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-prefetch-loads))' --remarks-filter=".*" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

!view = !nv_tileaa.tiled_view<[64], !nv_tileaa.memref<?xf16, strides = [1]>>
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#i = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [0], [0], [0], [0]], warp = []>
!t = tensor<64xf16, #l>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// Before the loop if it has a round, in it if there is a next one; halves go round in words.
// REMARK: [Passed] Prefetch | Category:pipeline | Function=sum | Ahead=1, Loads=1, Products=0, Reason="loads of the next iteration are under way in registers"
// CHECK-LABEL: nv_tileaa.func @sum
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %[[LB:.*]], %[[UB:.*]] : i32
// CHECK: %[[FIRST:.*]] = scf.if %[[SOME]] -> (tensor<32xi32
// CHECK: nv_tileas.tiled_load %{{.*}}[%[[LB]]]
// CHECK: nv_tileas.reinterpret
// CHECK: } else {
// CHECK-NEXT: ub.poison
// CHECK: scf.for %[[I:.*]] = %[[LB]] to %[[UB]] step %[[ST:.*]] iter_args(%{{.*}} = %{{.*}}, %[[NOW:.*]] = %[[FIRST]])
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi %[[UB]], %[[I]] : i32
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ugt, %[[LEFT]], %[[ST]] : i32
// CHECK-NEXT: %[[NEXT:.*]] = scf.if %[[MORE]]
// CHECK-NEXT: %[[I1:.*]] = arith.addi %[[I]], %[[ST]]
// CHECK-NEXT: tiled_load %{{.*}}[%[[I1]]]
// CHECK: %[[X:.*]] = nv_tileas.reinterpret %[[NOW]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[X]]
// CHECK-NEXT: scf.yield %{{.*}}, %[[NEXT]]
// ONE-LABEL: nv_tileaa.func @sum
// ONE-NOT: scf.if
nv_tileaa.func @sum(%v: !view, %lb: i32, %ub: i32, %st: i32, %z: !t) -> !t attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %r = scf.for %k = %lb to %ub step %st iter_args(%s = %z) -> (!t) : i32 {
    %x, %m = nv_tileas.tiled_load %v[%k] : !view, (i32) -> !t
    %s1 = arith.addf %s, %x : !t
    scf.yield %s1 : !t
  }
  nv_tileaa.return %r : !t
}

// A loop over the tiles of the array itself: the load behind the last tile finds that all of it is outside, and nobody asks.
// CHECK-LABEL: nv_tileaa.func @tiles
// CHECK-NOT: scf.if
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %[[ST:.*]] iter_args
// CHECK-NEXT: %[[I1:.*]] = arith.addi %[[I]], %[[ST]]
// CHECK-NEXT: tiled_load %{{.*}}[%[[I1]]]
// CHECK-NOT: scf.if
// CHECK: return
nv_tileaa.func @tiles(%p: !nv_tileaa.ptr<f16>, %n: i32, %z: !t) -> !t attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = nv_tileaa.make_memref %p, sizes[%n], strides[] : <f16>, (i32), () -> <?xf16, strides = [1]>
  %v = nv_tileaa.block_tile %a : <?xf16, strides = [1]> -> <[64], !nv_tileaa.memref<?xf16, strides = [1]>>
  %count = nv_tileaa.get_dim_size %v {axis = 0 : i32} : !view -> i32
  %r = scf.for %k = %c0 to %count step %c1 iter_args(%s = %z) -> (!t) : i32 {
    %x, %m = nv_tileas.tiled_load %v[%k] : !view, (i32) -> !t
    %s1 = arith.addf %s, %x : !t
    scf.yield %s1 : !t
  }
  nv_tileaa.return %r : !t
}

// Not where the array has a whole number of tiles, of which none is asked about, nor where another array is counted.
// CHECK-LABEL: nv_tileaa.func @whole
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK: scf.if
// CHECK: return
nv_tileaa.func @whole(%p: !nv_tileaa.ptr<f16>, %n: i32, %other: i32, %z: !t) -> !t attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n64 = nv_tileaa.assume #nv_tileaa.div_by<64>, %n : i32
  %a = nv_tileaa.make_memref %p, sizes[%n64], strides[] : <f16>, (i32), () -> <?xf16, strides = [1]>
  %v = nv_tileaa.block_tile %a : <?xf16, strides = [1]> -> <[64], !nv_tileaa.memref<?xf16, strides = [1]>>
  %count = nv_tileaa.get_dim_size %v {axis = 0 : i32} : !view -> i32
  %r = scf.for %k = %c0 to %count step %c1 iter_args(%s = %z) -> (!t) : i32 {
    %x, %m = nv_tileas.tiled_load %v[%k] : !view, (i32) -> !t
    %s1 = arith.addf %s, %x : !t
    scf.yield %s1 : !t
  }
  %b = nv_tileaa.make_memref %p, sizes[%other], strides[] : <f16>, (i32), () -> <?xf16, strides = [1]>
  %w = nv_tileaa.block_tile %b : <?xf16, strides = [1]> -> <[64], !nv_tileaa.memref<?xf16, strides = [1]>>
  %q = scf.for %k = %c0 to %count step %c1 iter_args(%s = %r) -> (!t) : i32 {
    %x, %m = nv_tileas.tiled_load %w[%k] : !view, (i32) -> !t
    %s1 = arith.addf %s, %x : !t
    scf.yield %s1 : !t
  }
  nv_tileaa.return %q : !t
}

// What the loop carries is known one iteration ahead, whatever is done with it.
// CHECK-LABEL: nv_tileaa.func @carried
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[K:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: scf.if
// CHECK: %[[K1:.*]] = arith.muli %[[K]], %{{.*}} : i32
// CHECK: tiled_load %{{.*}}[%[[K1]]]
nv_tileaa.func @carried(%v: !view, %n: i32, %z: !t) -> !t attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e, %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c1, %s = %z) -> (i32, !t) : i32 {
    %x, %m = nv_tileas.tiled_load %v[%k] : !view, (i32) -> !t
    %k1 = arith.muli %k, %n : i32
    %s1 = arith.addf %s, %x : !t
    scf.yield %k1, %s1 : i32, !t
  }
  nv_tileaa.return %r : !t
}

// The number of a tile is loaded ahead, the tile that it names is not.
// REMARK: [Missed] Prefetch | Category:pipeline | Function=gathered | Ahead=1, Loads=2, Products=0, Reason="loads are not made ahead: where they come from depends on what the loop loads"
// CHECK-LABEL: nv_tileaa.func @gathered
// CHECK: scf.for
// CHECK: tiled_load {{.*}} -> tensor<1xi32
// CHECK: nv_tileaa.extract
// CHECK: nv_tileas.tiled_load
nv_tileaa.func @gathered(%v: !view, %p: !nv_tileaa.tiled_view<[1], !nv_tileaa.memref<?xi32, strides = [1]>>, %n: i32, %z: !t) -> !t attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!t) : i32 {
    %q, %mq = nv_tileas.tiled_load %p[%i] : !nv_tileaa.tiled_view<[1], !nv_tileaa.memref<?xi32, strides = [1]>>, (i32) -> tensor<1xi32, #i>
    %k = nv_tileaa.extract %q : tensor<1xi32, #i> -> i32
    %x, %m = nv_tileas.tiled_load %v[%k] : !view, (i32) -> !t
    %s1 = arith.addf %s, %x : !t
    scf.yield %s1 : !t
  }
  nv_tileaa.return %r : !t
}

// Not across a token, and not with an order of its own.
// REMARK: [Missed] Prefetch | Category:pipeline | Function=ordered | {{.*}}a token orders them after what the loop writes
// CHECK-LABEL: nv_tileaa.func @ordered
// CHECK-NOT: scf.if
// CHECK: nv_tileaa.return
nv_tileaa.func @ordered(%v: !view, %n: i32, %z: !t) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m0 = nv_tileaa.create_mem_token
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %m0) -> (!nv_tileaa.mem_token) : i32 {
    %x, %m1 = nv_tileas.tiled_load %v[%i], token %m : !view, (i32) -> !t
    %m2 = nv_tileas.tiled_store %v[%c0], %x, token %m1 : !view, (i32), !t
    scf.yield %m2 : !nv_tileaa.mem_token
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x, %m1 = nv_tileas.tiled_load %v[%i] {mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !view, (i32) -> !t
    %m2 = nv_tileas.tiled_store %v[%c0], %x : !view, (i32), !t
  }
  nv_tileaa.return
}

// A copy past the registers that no ring takes is a load, written where it was waited for.
// CHECK-LABEL: nv_tileaa.func @copied
// CHECK: scf.for
// CHECK: scf.if
// CHECK: nv_tileas.tiled_load {{.*}} {vec = 2 : i32}
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor
// CHECK: nv_tileas.copy %{{.*}}, %[[TILE]] {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>}
// CHECK-NOT: async
// CHECK: nv_tileas.convert_layout %[[TILE]]
nv_tileaa.func @copied(%v: !view, %n: i32, %z: !t) -> !t attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!t) : i32 {
    %tile = nv_tileas.alloc_tensor : tensor<64xf16, #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>>
    %a, %m = nv_tileas.async.tiled_load %v[%i] into %tile {atom = #nv_tileas.simt_async_copy<bytes = 4>, copies = #l} : !view, (i32), tensor<64xf16, #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>>
    nv_tileas.async.wait %a
    %x = nv_tileas.convert_layout %tile : tensor<64xf16, #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>> -> !t
    %s1 = arith.addf %s, %x : !t
    scf.yield %s1 : !t
  }
  nv_tileaa.return %r : !t
}

// A store behind a load waits for all threads to have loaded: it gets the token of the load, which was an iteration ago.
// CHECK-LABEL: nv_tileaa.func @followed
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[DONE:.*]] = %{{.*}}) -> (tensor<32xi32, {{.*}}>, !nv_tileaa.mem_token)
// CHECK: tiled_store {{.*}}, token %[[DONE]]
nv_tileaa.func @followed(%v: !view, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x, %m1 = nv_tileas.tiled_load %v[%i] : !view, (i32) -> !t
    %x2 = arith.addf %x, %x : !t
    %m2 = nv_tileas.tiled_store %v[%i], %x2, token %m1 : !view, (i32), !t
  }
  nv_tileaa.return
}
}
