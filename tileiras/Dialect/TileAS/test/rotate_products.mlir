// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-rotate-products)))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-rotate-products)))' --remarks-filter=product -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// The second product of an iteration is done in the next one, beside the first.

#q = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#r = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [0, 0]]>
#s = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#o = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#i = #nv_tileas.linear<rank = 1, register = [[1], [8]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>
#i2 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 8]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
!k = !nv_tileaa.tiled_view<[16, 16], padding = zero, !nv_tileaa.memref<?x16xf16, strides = [16, 1]>>
!v = !nv_tileaa.tiled_view<[16, 8], padding = zero, !nv_tileaa.memref<?x8xf16, strides = [8, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: @chain
// CHECK-SAME: (%[[Q:.*]]: tensor<64x16xf16, {{.*}}>, %[[K:.*]]: !nv_tileaa{{.*}}, %[[V:.*]]: !nv_tileaa{{.*}}, %[[A:.*]]: f32, %[[N:.*]]: i32)
nv_tileaa.func @chain(%q: tensor<64x16xf16, #q>, %k: !k, %v: !v, %alpha: f32, %n: i32) -> tensor<64x8xf32, #o> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zs = nv_tileaa.splat %f0 : f32 -> tensor<64x16xf32, #s>
  // CHECK: %[[ZERO:.*]] = nv_tileaa.splat {{.*}} -> tensor<64x8xf32
  %zo = nv_tileaa.splat %f0 : f32 -> tensor<64x8xf32, #o>
  %scale = nv_tileaa.splat %alpha : f32 -> tensor<64x8xf32, #o>
  // CHECK: %[[SOME:.*]] = arith.cmpi slt, %[[LB:.*]], %[[N]]
  // CHECK: %[[LAST:.*]] = arith.select %[[SOME]], %{{.*}}, %[[LB]]
  // CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:.*]] = %[[LB]] to %[[N]] {{.*}} iter_args(%[[C:.*]] = %[[ZERO]], %[[P:.*]] = %{{.*}})
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zo) -> (tensor<64x8xf32, #o>) : i32 {
    // CHECK: %[[KI:.*]], %{{.*}} = nv_tileas.tiled_load %[[K]][%{{.*}}, %[[I]]]
    %ki, %t0 = nv_tileas.tiled_load %k[%c0, %i] {vec = 2 : i32} : !k, (i32, i32) -> tensor<16x16xf16, #l>
    // CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[I]], %[[LB]]
    // CHECK: %[[BEFORE:.*]] = arith.select %[[MORE]], %{{.*}}, %[[LB]]
    // In the first iteration it is zero, wherever its place is.
    // CHECK: %[[VI:.*]], %{{.*}} = nv_tileas.tiled_load %[[V]][%[[BEFORE]], %{{.*}}] if %[[MORE]] {
    // CHECK: %[[S:.*]] = nv_tileas.dot %[[Q]], %[[KI]]
    // CHECK-NEXT: %[[D:.*]] = nv_tileas.dot %[[P]], %[[VI]], %[[C]]
    %s = nv_tileas.dot %q, %ki, %zs {atom = #nv_tileas.wgmma_atom<f16, n = 16, groups = [1, 1]>} : tensor<64x16xf16, #q>, tensor<16x16xf16, #l>, tensor<64x16xf32, #s>
    // CHECK-NEXT: %[[X:.*]] = nv_tileaa.exp2 %[[S]]
    %x = nv_tileaa.exp2 %s : tensor<64x16xf32, #s>
    %c = arith.mulf %acc, %scale : tensor<64x8xf32, #o>
    %vi, %t1 = nv_tileas.tiled_load %v[%i, %c0] {vec = 2 : i32} : !v, (i32, i32) -> tensor<16x8xf16, #r>
    %p = arith.truncf %x : tensor<64x16xf32, #s> to tensor<64x16xf16, #s>
    // CHECK-NEXT: %[[C1:.*]] = arith.mulf %[[D]]
    // CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[X]]
    // CHECK-NEXT: scf.yield %[[C1]], %[[ROUNDED]]
    %d = nv_tileas.dot %p, %vi, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1], registers_a = true>} : tensor<64x16xf16, #s>, tensor<16x8xf16, #r>, tensor<64x8xf32, #o>
    scf.yield %d : tensor<64x8xf32, #o>
  }
  // CHECK: %[[VLAST:.*]], %{{.*}} = nv_tileas.tiled_load %[[V]][%[[LAST]], %{{.*}}] if %[[SOME]] {
  // CHECK: %[[DLAST:.*]] = nv_tileas.dot %[[LOOP]]#1, %[[VLAST]], %[[LOOP]]#0
  // CHECK-NEXT: nv_tileaa.return %[[DLAST]]
  nv_tileaa.return %sum : tensor<64x8xf32, #o>
}

// Bounds without a sign and a step: the counter of the last iteration.
// CHECK-LABEL: @steps
nv_tileaa.func @steps(%q: tensor<64x16xf16, #q>, %k: !k, %v: !v, %n: i32) -> tensor<64x8xf32, #o> {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %f0 = arith.constant 0.0 : f32
  %zs = nv_tileaa.splat %f0 : f32 -> tensor<64x16xf32, #s>
  %zo = nv_tileaa.splat %f0 : f32 -> tensor<64x8xf32, #o>
  // CHECK: arith.cmpi ult
  // CHECK: %[[END:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
  // CHECK: %[[FROM:.*]] = arith.subi %[[END]], %[[LB:.*]] : i32
  // CHECK: %[[REST:.*]] = arith.remui %[[FROM]], %{{.*}} : i32
  // CHECK: arith.subi %[[END]], %[[REST]] : i32
  %sum = scf.for unsigned %i = %c0 to %n step %c3 iter_args(%acc = %zo) -> (tensor<64x8xf32, #o>) : i32 {
    %ki, %t0 = nv_tileas.tiled_load %k[%c0, %i] {vec = 2 : i32} : !k, (i32, i32) -> tensor<16x16xf16, #l>
    %s = nv_tileas.dot %q, %ki, %zs {atom = #nv_tileas.wgmma_atom<f16, n = 16, groups = [1, 1]>} : tensor<64x16xf16, #q>, tensor<16x16xf16, #l>, tensor<64x16xf32, #s>
    %vi, %t1 = nv_tileas.tiled_load %v[%i, %c0] {vec = 2 : i32} : !v, (i32, i32) -> tensor<16x8xf16, #r>
    %p = arith.truncf %s : tensor<64x16xf32, #s> to tensor<64x16xf16, #s>
    %d = nv_tileas.dot %p, %vi, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1], registers_a = true>} : tensor<64x16xf16, #s>, tensor<16x8xf16, #r>, tensor<64x8xf32, #o>
    scf.yield %d : tensor<64x8xf32, #o>
  }
  nv_tileaa.return %sum : tensor<64x8xf32, #o>
}

// WHY: Rotate{{.*}}it is done beside the first product{{.*}}, Words=[[WORDS:[0-9]+]]
// WHY: Rotate{{.*}}it is done beside the first product

// Numbers of keys, which a mask compares, take no registers.
// CHECK-LABEL: @masked
// CHECK: scf.for {{.*}} iter_args(%{{[^,]*}}, %{{[^,]*}}) ->
// WHY: Rotate{{.*}}it is done beside the first product{{.*}}, Words=[[WORDS]]{{$}}
nv_tileaa.func @masked(%q: tensor<64x16xf16, #q>, %k: !k, %v: !v, %alpha: f32, %n: i32) -> tensor<64x8xf32, #o> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zs = nv_tileaa.splat %f0 : f32 -> tensor<64x16xf32, #s>
  %zo = nv_tileaa.splat %f0 : f32 -> tensor<64x8xf32, #o>
  %scale = nv_tileaa.splat %alpha : f32 -> tensor<64x8xf32, #o>
  %range = nv_tileaa.make_range(0, 16) : tensor<16xi32, #i>
  %row = nv_tileas.view %range : tensor<16xi32, #i> -> tensor<1x16xi32, #i2>
  %limit = nv_tileaa.splat %n : i32 -> tensor<64x16xi32, #s>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zo) -> (tensor<64x8xf32, #o>) : i32 {
    %ki, %t0 = nv_tileas.tiled_load %k[%c0, %i] {vec = 2 : i32} : !k, (i32, i32) -> tensor<16x16xf16, #l>
    %s = nv_tileas.dot %q, %ki, %zs {atom = #nv_tileas.wgmma_atom<f16, n = 16, groups = [1, 1]>} : tensor<64x16xf16, #q>, tensor<16x16xf16, #l>, tensor<64x16xf32, #s>
    %at = nv_tileaa.splat %i : i32 -> tensor<1x16xi32, #i2>
    %keys = arith.addi %row, %at : tensor<1x16xi32, #i2>
    %all = nv_tileaa.broadcast %keys : tensor<1x16xi32, #i2> -> tensor<64x16xi32, #s>
    %in = arith.cmpi slt, %all, %limit : tensor<64x16xi32, #s>
    %m = arith.select %in, %s, %zs : tensor<64x16xi1, #s>, tensor<64x16xf32, #s>
    %x = nv_tileaa.exp2 %m : tensor<64x16xf32, #s>
    %c = arith.mulf %acc, %scale : tensor<64x8xf32, #o>
    %vi, %t1 = nv_tileas.tiled_load %v[%i, %c0] {vec = 2 : i32} : !v, (i32, i32) -> tensor<16x8xf16, #r>
    %p = arith.truncf %x : tensor<64x16xf32, #s> to tensor<64x16xf16, #s>
    %d = nv_tileas.dot %p, %vi, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1], registers_a = true>} : tensor<64x16xf16, #s>, tensor<16x8xf16, #r>, tensor<64x8xf32, #o>
    scf.yield %d : tensor<64x8xf32, #o>
  }
  nv_tileaa.return %sum : tensor<64x8xf32, #o>
}

// Sums that begin with something are not dropped in the first iteration.
// CHECK-LABEL: @from_something
// CHECK: scf.for {{.*}} iter_args(%{{[^,]*}}) ->
// WHY: Rotate{{.*}}its sums begin with something
nv_tileaa.func @from_something(%q: tensor<64x16xf16, #q>, %k: !k, %v: !v, %init: tensor<64x8xf32, #o>, %n: i32) -> tensor<64x8xf32, #o> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zs = nv_tileaa.splat %f0 : f32 -> tensor<64x16xf32, #s>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (tensor<64x8xf32, #o>) : i32 {
    %ki, %t0 = nv_tileas.tiled_load %k[%c0, %i] {vec = 2 : i32} : !k, (i32, i32) -> tensor<16x16xf16, #l>
    %s = nv_tileas.dot %q, %ki, %zs {atom = #nv_tileas.wgmma_atom<f16, n = 16, groups = [1, 1]>} : tensor<64x16xf16, #q>, tensor<16x16xf16, #l>, tensor<64x16xf32, #s>
    %vi, %t1 = nv_tileas.tiled_load %v[%i, %c0] {vec = 2 : i32} : !v, (i32, i32) -> tensor<16x8xf16, #r>
    %p = arith.truncf %s : tensor<64x16xf32, #s> to tensor<64x16xf16, #s>
    %d = nv_tileas.dot %p, %vi, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1], registers_a = true>} : tensor<64x16xf16, #s>, tensor<16x8xf16, #r>, tensor<64x8xf32, #o>
    scf.yield %d : tensor<64x8xf32, #o>
  }
  nv_tileaa.return %sum : tensor<64x8xf32, #o>
}

// The first product scales by what the second one gave: nothing can be done side by side.
// CHECK-LABEL: @in_a_circle
// CHECK: scf.for {{.*}} iter_args(%{{[^,]*}}) ->
// WHY: Rotate{{.*}}depend
nv_tileaa.func @in_a_circle(%q: tensor<64x16xf16, #q>, %k: !k, %n: i32) -> tensor<64x16xf32, #s> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zs = nv_tileaa.splat %f0 : f32 -> tensor<64x16xf32, #s>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zs) -> (tensor<64x16xf32, #s>) : i32 {
    %ki, %t0 = nv_tileas.tiled_load %k[%c0, %i] {vec = 2 : i32} : !k, (i32, i32) -> tensor<16x16xf16, #l>
    %s = nv_tileas.dot %q, %ki, %zs {atom = #nv_tileas.wgmma_atom<f16, n = 16, groups = [1, 1]>} : tensor<64x16xf16, #q>, tensor<16x16xf16, #l>, tensor<64x16xf32, #s>
    %x = arith.addf %s, %acc : tensor<64x16xf32, #s>
    %vi, %t1 = nv_tileas.tiled_load %k[%i, %c0] {vec = 2 : i32} : !k, (i32, i32) -> tensor<16x16xf16, #l>
    %p = arith.truncf %x : tensor<64x16xf32, #s> to tensor<64x16xf16, #s>
    %d = nv_tileas.dot %p, %vi, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 16, groups = [1, 1], registers_a = true>} : tensor<64x16xf16, #s>, tensor<16x16xf16, #l>, tensor<64x16xf32, #s>
    scf.yield %d : tensor<64x16xf32, #s>
  }
  nv_tileaa.return %sum : tensor<64x16xf32, #s>
}

// Keys that are values, too, would have to be there twice.
// CHECK-LABEL: @shared
// CHECK: scf.for {{.*}} iter_args(%{{[^,]*}}) ->
// WHY: Rotate{{.*}}its right factor is used elsewhere
nv_tileaa.func @shared(%q: tensor<64x16xf16, #q>, %k: !k, %n: i32) -> tensor<64x16xf32, #s> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zs = nv_tileaa.splat %f0 : f32 -> tensor<64x16xf32, #s>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zs) -> (tensor<64x16xf32, #s>) : i32 {
    %ki, %t0 = nv_tileas.tiled_load %k[%c0, %i] {vec = 2 : i32} : !k, (i32, i32) -> tensor<16x16xf16, #l>
    %s = nv_tileas.dot %q, %ki, %zs {atom = #nv_tileas.wgmma_atom<f16, n = 16, groups = [1, 1]>} : tensor<64x16xf16, #q>, tensor<16x16xf16, #l>, tensor<64x16xf32, #s>
    %p = arith.truncf %s : tensor<64x16xf32, #s> to tensor<64x16xf16, #s>
    %d = nv_tileas.dot %p, %ki, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 16, groups = [1, 1], registers_a = true>} : tensor<64x16xf16, #s>, tensor<16x16xf16, #l>, tensor<64x16xf32, #s>
    scf.yield %d : tensor<64x16xf32, #s>
  }
  nv_tileaa.return %sum : tensor<64x16xf32, #s>
}
}
