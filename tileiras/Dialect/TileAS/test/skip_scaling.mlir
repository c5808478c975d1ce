// Sums in tensor memory whose factors are mostly 1. The first two loops are attention of 128 rows as tileas-skip-masks gets it, less what comes before and behind
// and the copies into the stages. Executed: test/EndToEnd/tcgen05.py, with logits that fall from the first tile on.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-skip-masks)))' | FileCheck %s
// RUN: tileiras-opt %s -o %t.mlir -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-skip-masks)))' --remarks-filter=schedule --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

#tile = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#wide = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#narrow = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#row = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#row1 = #nv_tileas.linear<rank = 2, register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#stage = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#turned = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]]>
#queries = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#stage_wide = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [0, 64]]>
#tmem = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#tmem_wide = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#tmem_narrow = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4]]>
!tile = tensor<128x64xf32, #tile>
!half = tensor<128x64xf16, #tile>
!row = tensor<128xf32, #row>
!row1 = tensor<128x1xf32, #row1>
!sums = tensor<128x64xf32, #tmem>
!left = tensor<128x64xf16, #tmem>
!queries = tensor<128x64xf16, #queries>
!stage = tensor<64x64xf16, #stage>
!turned = tensor<64x64xf16, #turned>
!wide = tensor<128x128xf32, #wide>
!sums_wide = tensor<128x128xf32, #tmem_wide>
!left_wide = tensor<128x128xf16, #tmem_wide>
!values_wide = tensor<128x128xf16, #stage_wide>
!pipe = !nv_tileas.pipeline<4 x (!stage, !stage)>
!iter = !nv_tileas.pipeline_iterator<4 x (!stage, !stage)>
!view = !nv_tileaa.tiled_view<[128, 64], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {

// Factors come out of the region that reads the keys, spread over the columns. Threads wait for O before they write P, not in the branch; its products are
// issued behind the branch.
// CHECK-LABEL: @ring
// REMARK-DAG: [Passed] Scaling | Category:schedule | Function=ring{{.*}}all of whose factors are 1
// CHECK: %[[O:.*]] = nv_tileas.alloc_tensor : tensor<128x64xf32, #tensor_memory
// CHECK: scf.for
// CHECK: %[[READ:.*]]:3 = nv_tileas.async.pipeline.consumer_read
// CHECK: nv_tileas.copy %{{.*}} {no_war_barrier, nv_tileas.awaits = 2 : i64}
// CHECK: nv_tileas.async.pipeline.consumer_read
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[ONE:.*]] = nv_tileaa.splat %[[C1]]
// CHECK-NEXT: %[[NOT:.*]] = arith.cmpf une, %{{.*}}#2, %[[ONE]] : tensor<128x64xf32
// CHECK-NEXT: %[[FLAT:.*]] = nv_tileas.view %[[NOT]] : tensor<128x64xi1, {{.*}} -> tensor<8192xi1
// CHECK-NEXT: %[[ANY:.*]] = nv_tileas.reduce %[[FLAT]] {axis = 0 : i32, identities = [false], nv_tileas.of_warp}
// CHECK: arith.ori
// CHECK: scf.if %[[ANY]] {
// CHECK-NEXT: %[[OLD:.*]] = nv_tileas.convert_layout %[[O]]
// CHECK-NEXT: %[[NEW:.*]] = arith.mulf %[[OLD]], %{{.*}}#2
// CHECK-NEXT: nv_tileas.copy %[[NEW]], %[[O]] {no_war_barrier}
// CHECK-NEXT: } {nv_tileas.usual}
// CHECK-NEXT: nv_tileas.dot {{.*}}, %[[O]]
nv_tileaa.func @ring(%n: i32, %low: !row, %zero: !row, %scale: !tile) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = nv_tileas.alloc_tensor : !sums
  %s = nv_tileas.alloc_tensor : !sums
  %q = nv_tileas.alloc_tensor : !queries
  %k0 = nv_tileas.alloc_tensor : !stage
  %v0 = nv_tileas.alloc_tensor : !stage
  %k1 = nv_tileas.alloc_tensor : !stage
  %v1 = nv_tileas.alloc_tensor : !stage
  %k2 = nv_tileas.alloc_tensor : !stage
  %v2 = nv_tileas.alloc_tensor : !stage
  %k3 = nv_tileas.alloc_tensor : !stage
  %v3 = nv_tileas.alloc_tensor : !stage
  %ring = nv_tileas.async.pipeline.create_pipeline %k0, %v0, %k1, %v1, %k2, %v2, %k3, %v3 {numStages = 4 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
  %p = nv_tileas.alloc_tensor : !left
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low, %total = %zero, %at = %first) -> (!row, !row, !iter) : i32 {
    nv_tileas.async.await_product 1
    %logits = nv_tileas.convert_layout %s : !sums -> !tile
    %no = arith.constant false
    %full = nv_tileas.async.pipeline.consumer_wait %ring, %at : !pipe, !iter
    %consumed, %of:3 = nv_tileas.async.pipeline.consumer_read %ring, %full : !pipe -> !row, !row, !tile {
    ^bb0(%k: !stage, %v: !stage):
      %kt = nv_tileaa.permute %k [1, 0] : !stage -> !turned
      %next = nv_tileas.dot %q, %kt, %s if %no {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 64, warps = 4>, nv_tileas.awaited_as = 1 : i64} : !queries, !turned, !sums
      %scaled = arith.mulf %logits, %scale {nv_tileas.slice_and_fuse} : !tile
      %most = nv_tileas.reduce %scaled {axis = 1 : i32, identities = [0x7FC00000 : f32]} : !tile -> !row {
      ^bb0(%a: f32, %b: f32):
        %m = arith.maxnumf %a, %b : f32
        nv_tileas.yield %m : f32
      }
      %now = arith.maxnumf %top, %most : !row
      %now1 = nv_tileas.view %now : !row -> !row1
      %nows = nv_tileaa.broadcast %now1 : !row1 -> !tile
      %below = arith.subf %scaled, %nows {nv_tileas.slice_and_fuse} : !tile
      %powers = math.exp2 %below : !tile
      %sum = nv_tileas.reduce %powers {axis = 1 : i32, identities = [-0.000000e+00 : f32]} : !tile -> !row {
      ^bb0(%a: f32, %b: f32):
        %m = arith.addf %a, %b : f32
        nv_tileas.yield %m : f32
      }
      %grown = arith.subf %top, %now {nv_tileas.slice_and_fuse} : !row
      %factor = math.exp2 %grown : !row
      %less = arith.mulf %total, %factor {nv_tileas.slice_and_fuse} : !row
      %more = arith.addf %less, %sum : !row
      %factor1 = nv_tileas.view %factor : !row -> !row1
      %factors = nv_tileaa.broadcast %factor1 : !row1 -> !tile
      %half = arith.truncf %powers : !tile to !half
      nv_tileas.copy %half, %p {no_war_barrier, nv_tileas.awaits = 2 : i64} : !half, !left
      nv_tileas.async.pipeline.yield %now, %more, %factors : !row, !row, !tile
    }
    %again = nv_tileas.async.pipeline.consumer_read %ring, %consumed : !pipe {
    ^bb0(%k: !stage, %v: !stage):
      %old = nv_tileas.convert_layout %o : !sums -> !tile
      %new = arith.mulf %old, %of#2 : !tile
      nv_tileas.copy %new, %o {no_war_barrier} : !tile, !sums
      %d = nv_tileas.dot %p, %v, %o {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 64, warps = 4>, nv_tileas.awaited_as = 2 : i64} : !left, !stage, !sums
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %ring, %again {nv_tileas.by_products} : !pipe
    %then = nv_tileas.async.pipeline.inc_iter %at : !iter
    scf.yield %of#0, %of#1, %then : !row, !row, !iter
  }
  nv_tileas.async.await_product 2 behind_loop
  nv_tileas.async.await_product 1 behind_loop
  nv_tileaa.return %r#1 : !row
}

// A thread has a row of 128: the branch asks for the sum of the row, too. The factors are spread over the columns in the branch.
// CHECK-LABEL: @rows_of_threads
// REMARK-DAG: [Passed] Scaling | Category:schedule | Function=rows_of_threads
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = nv_tileas.reduce %{{.*}} {axis = 1 : i32, identities = [-0.000000e+00 : f32]}
// CHECK: %[[F:.*]] = math.exp2 %{{.*}} : tensor<128xf32
// CHECK: nv_tileas.copy
// CHECK: %[[NOT:.*]] = arith.cmpf une, %[[F]], %{{.*}} : tensor<128xf32
// CHECK-NEXT: %[[ANY:.*]] = nv_tileas.reduce %[[NOT]] {{.*}}nv_tileas.of_warp
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[SUM]], %[[SUM]] : tensor<128xf32
// CHECK-NEXT: %[[NANS:.*]] = nv_tileas.reduce %[[NAN]] {{.*}}nv_tileas.of_warp
// CHECK: %[[EITHER:.*]] = arith.ori %[[ANY]], %[[NANS]] : i1
// CHECK-NEXT: scf.if %[[EITHER]] {
// CHECK-NEXT: %[[F1:.*]] = nv_tileas.view %[[F]]
// CHECK-NEXT: %[[FS:.*]] = nv_tileaa.broadcast %[[F1]]
// CHECK-NEXT: %[[OLD:.*]] = nv_tileas.convert_layout
// CHECK-NEXT: %[[NEW:.*]] = arith.mulf %[[OLD]], %[[FS]]
// CHECK-NEXT: nv_tileas.copy %[[NEW]], {{.*}}>{{$}}
// CHECK-NEXT: }
// CHECK-NEXT: nv_tileas.dot
nv_tileaa.func @rows_of_threads(%n: i32, %low: !row, %zero: !row, %v: !values_wide) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = nv_tileas.alloc_tensor : !sums_wide
  %s = nv_tileas.alloc_tensor : !sums_wide
  %p = nv_tileas.alloc_tensor : !left_wide
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low, %total = %zero) -> (!row, !row) : i32 {
    %logits = nv_tileas.convert_layout %s : !sums_wide -> !wide
    %most = nv_tileas.reduce %logits {axis = 1 : i32, identities = [0x7FC00000 : f32]} : !wide -> !row {
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      nv_tileas.yield %m : f32
    }
    %now = arith.maxnumf %top, %most : !row
    %now1 = nv_tileas.view %now : !row -> !row1
    %nows = nv_tileaa.broadcast %now1 : !row1 -> !wide
    %below = arith.subf %logits, %nows {nv_tileas.slice_and_fuse} : !wide
    %powers = math.exp2 %below : !wide
    %sum = nv_tileas.reduce %powers {axis = 1 : i32, identities = [-0.000000e+00 : f32]} : !wide -> !row {
    ^bb0(%a: f32, %b: f32):
      %m = arith.addf %a, %b : f32
      nv_tileas.yield %m : f32
    }
    %grown = arith.subf %top, %now {nv_tileas.slice_and_fuse} : !row
    %factor = math.exp2 %grown : !row
    %less = arith.mulf %total, %factor {nv_tileas.slice_and_fuse} : !row
    %more = arith.addf %less, %sum : !row
    %half = arith.truncf %powers : !wide to tensor<128x128xf16, #wide>
    nv_tileas.copy %half, %p : tensor<128x128xf16, #wide>, !left_wide
    %factor1 = nv_tileas.view %factor : !row -> !row1
    %factors = nv_tileaa.broadcast %factor1 : !row1 -> !wide
    %old = nv_tileas.convert_layout %o : !sums_wide -> !wide
    %new = arith.mulf %old, %factors : !wide
    nv_tileas.copy %new, %o {no_war_barrier} : !wide, !sums_wide
    %d = nv_tileas.dot %p, %v, %o {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left_wide, !values_wide, !sums_wide
    scf.yield %now, %more : !row, !row
  }
  nv_tileaa.return %r#1 : !row
}

// What stays as it is. A product by 1 that flushes gives 0 for what is subnormal.
// CHECK-LABEL: @flushes
// CHECK-NOT: scf.if
// REMARK-DAG: [Missed] Scaling | Category:schedule | Function=flushes | Reason="a product by 1 flushes to zero"
nv_tileaa.func @flushes(%n: i32, %low: !row, %most: !row) -> !row {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = nv_tileas.alloc_tensor : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low) -> (!row) : i32 {
    %now = arith.maxnumf %top, %most : !row
    %grown = arith.subf %top, %now : !row
    %factor = math.exp2 %grown : !row
    %factor1 = nv_tileas.view %factor : !row -> !row1
    %factors = nv_tileaa.broadcast %factor1 : !row1 -> !tile
    %old = nv_tileas.convert_layout %o : !sums -> !tile
    %new = nv_tileaa.mulf %old, %factors {ftz} : !tile
    nv_tileas.copy %new, %o {no_war_barrier} : !tile, !sums
    scf.yield %now : !row
  }
  nv_tileaa.return %r : !row
}

// A maximum that is kept until it has grown far: few rounds multiply.
// CHECK-LABEL: @kept
// CHECK: scf.if
// CHECK: nv_tileas.copy
// CHECK-NEXT: {{^ *}}}{{$}}
// REMARK-DAG: [Passed] Scaling | Category:schedule | Function=kept | Reason="{{.*}}in most rounds: the maximum is kept until it has grown far"
nv_tileaa.func @kept(%n: i32, %low: !row, %most: !row) -> !row {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %far = arith.constant dense<8.0> : !row
  %o = nv_tileas.alloc_tensor : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low) -> (!row) : i32 {
    %larger = arith.maxnumf %top, %most : !row
    %more = arith.subf %larger, %top : !row
    %raise = arith.cmpf ogt, %more, %far : !row
    %now = arith.select %raise, %larger, %top : tensor<128xi1, #row>, !row
    %grown = arith.subf %top, %now : !row
    %factor = math.exp2 %grown : !row
    %factor1 = nv_tileas.view %factor : !row -> !row1
    %factors = nv_tileaa.broadcast %factor1 : !row1 -> !tile
    %old = nv_tileas.convert_layout %o : !sums -> !tile
    %new = arith.mulf %old, %factors : !tile
    nv_tileas.copy %new, %o {no_war_barrier} : !tile, !sums
    scf.yield %now : !row
  }
  nv_tileaa.return %r : !row
}

// The sum of what was, not the largest: the factor is hardly ever 1.
// CHECK-LABEL: @no_maximum
// CHECK-NOT: scf.if
// REMARK-DAG: [Missed] Scaling | Category:schedule | Function=no_maximum | Reason="the factors do not say how far a maximum has grown"
nv_tileaa.func @no_maximum(%n: i32, %low: !row, %most: !row) -> !row {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = nv_tileas.alloc_tensor : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low) -> (!row) : i32 {
    %now = arith.addf %top, %most : !row
    %grown = arith.subf %top, %now : !row
    %factor = math.exp2 %grown : !row
    %factor1 = nv_tileas.view %factor : !row -> !row1
    %factors = nv_tileaa.broadcast %factor1 : !row1 -> !tile
    %old = nv_tileas.convert_layout %o : !sums -> !tile
    %new = arith.mulf %old, %factors : !tile
    nv_tileas.copy %new, %o {no_war_barrier} : !tile, !sums
    scf.yield %now : !row
  }
  nv_tileaa.return %r : !row
}

// Threads meet before they write: a warp that does not come would be waited for.
// CHECK-LABEL: @meets
// CHECK-NOT: scf.if
// REMARK-DAG: [Missed] Scaling | Category:schedule | Function=meets | Reason="threads meet, or wait for a product, before the sums are written"
nv_tileaa.func @meets(%n: i32, %low: !row, %most: !row) -> !row {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = nv_tileas.alloc_tensor : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low) -> (!row) : i32 {
    %now = arith.maxnumf %top, %most : !row
    %grown = arith.subf %top, %now : !row
    %factor = math.exp2 %grown : !row
    %factor1 = nv_tileas.view %factor : !row -> !row1
    %factors = nv_tileaa.broadcast %factor1 : !row1 -> !tile
    %old = nv_tileas.convert_layout %o : !sums -> !tile
    %new = arith.mulf %old, %factors : !tile
    nv_tileas.copy %new, %o : !tile, !sums
    scf.yield %now : !row
  }
  nv_tileaa.return %r : !row
}

// CHECK-LABEL: @few
// CHECK-NOT: scf.if
// REMARK-DAG: [Missed] Scaling | Category:schedule | Function=few | Reason="a thread has few of them"
nv_tileaa.func @few(%n: i32, %low: !row, %most: !row) -> !row {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = nv_tileas.alloc_tensor : tensor<128x8xf32, #tmem_narrow>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low) -> (!row) : i32 {
    %now = arith.maxnumf %top, %most : !row
    %grown = arith.subf %top, %now : !row
    %factor = math.exp2 %grown : !row
    %factor1 = nv_tileas.view %factor : !row -> !row1
    %factors = nv_tileaa.broadcast %factor1 : !row1 -> tensor<128x8xf32, #narrow>
    %old = nv_tileas.convert_layout %o : tensor<128x8xf32, #tmem_narrow> -> tensor<128x8xf32, #narrow>
    %new = arith.mulf %old, %factors : tensor<128x8xf32, #narrow>
    nv_tileas.copy %new, %o {no_war_barrier} : tensor<128x8xf32, #narrow>, tensor<128x8xf32, #tmem_narrow>
    scf.yield %now : !row
  }
  nv_tileaa.return %r : !row
}

// Something is stored in between.
// CHECK-LABEL: @between
// CHECK-NOT: scf.if
// REMARK-DAG: [Missed] Scaling | Category:schedule | Function=between | Reason="something happens between reading and writing"
nv_tileaa.func @between(%n: i32, %low: !row, %most: !row, %view: !view) -> !row {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = nv_tileas.alloc_tensor : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low) -> (!row) : i32 {
    %now = arith.maxnumf %top, %most : !row
    %grown = arith.subf %top, %now : !row
    %factor = math.exp2 %grown : !row
    %factor1 = nv_tileas.view %factor : !row -> !row1
    %factors = nv_tileaa.broadcast %factor1 : !row1 -> !tile
    %old = nv_tileas.convert_layout %o : !sums -> !tile
    %new = arith.mulf %old, %factors : !tile
    %token = nv_tileas.tiled_store %view[%i, %c0], %factors {vec = 4 : i32} : !view, (i32, i32), !tile
    nv_tileas.copy %new, %o {no_war_barrier} : !tile, !sums
    scf.yield %now : !row
  }
  nv_tileaa.return %r : !row
}
}
