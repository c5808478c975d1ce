// Products of 256 rows that two warpgroups issue for their own rows. The first loop is attention as tileas-defer-products gets it, less what comes before and
// behind; executed: test/EndToEnd/tcgen05.py (attention with tiles of 256 queries).
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-defer-products)))' | FileCheck %s
// RUN: tileiras-opt %s -o %t.mlir -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-defer-products)))' --remarks-filter=product --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

#tile = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#across = #nv_tileas.linear<rank = 2, register = [[128, 0], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 1]]>
#low = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 32]]>
#row = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]]>
#row1 = #nv_tileas.linear<rank = 2, register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]>
#queries = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0]]>
#stage = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#turned = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]]>
#queries_low = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#tmem = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [128, 0]]>
#tmem_low = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
!tile = tensor<256x64xf32, #tile>
!half = tensor<256x64xbf16, #tile>
!row = tensor<256xf32, #row>
!row1 = tensor<256x1xf32, #row1>
!sums = tensor<256x64xf32, #tmem>
!left = tensor<256x64xbf16, #tmem>
!queries = tensor<256x64xbf16, #queries>
!stage = tensor<64x64xbf16, #stage>
!turned = tensor<64x64xbf16, #turned>
!pipe = !nv_tileas.pipeline<4 x (!stage, !stage)>
!iter = !nv_tileas.pipeline_iterator<4 x (!stage, !stage)>
!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>>
!desc = !nv_tileas.tma_descriptor_iter
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {

// mbarriers 0 to 2 are those of products, the next one is that of turns, and each warpgroup has that many. The first product is one of the block, in front of
// the loop; all meet before the loop and behind it. A turn begins behind the maxima, with the wait and a number that no compiler moves in front of it, and ends
// where P is written.
// CHECK-LABEL: @turns
// CHECK-SAME: nv_tileas.by_warpgroup = [[EACH:[0-9]+]] : i64
// CHECK-SAME: nv_tileas.turn_number = [[TURN:[0-9]+]] : i64
// REMARK-DAG: [Passed] Warpgroups | Category:product | Function=turns | Reason="two warpgroups issue the products of their rows, and do not wait for each other"
// CHECK: nv_tileas.dot
// CHECK-NOT: meets_by_warpgroup
// CHECK: nvvm.barrier0
// CHECK-NEXT: scf.for
// CHECK: nv_tileas.async.await_product 1{{$}}
// CHECK-NEXT: nv_tileas.convert_layout
// CHECK: nv_tileas.dot {{.*}}nv_tileas.awaited_as = 1 : i64, nv_tileas.meets_by_warpgroup
// CHECK: %[[NOW:.*]] = arith.maxnumf %{{.*}} : tensor<256xf32
// CHECK: %[[NOW1:.*]] = nv_tileas.view %[[NOW]]
// CHECK-NEXT: nv_tileas.async.await_product [[TURN]]{{$}}
// CHECK-NEXT: %[[SAME:.*]] = nv_tileaa.elementwise_inline_asm "mov.b32 $0, $1;", "=f,f"(%[[NOW1]])
// CHECK-NEXT: nv_tileaa.broadcast %[[SAME]]
// CHECK: math.exp2 {{.*}}256x64
// CHECK: nv_tileas.copy {{.*}}{no_war_barrier, nv_tileas.awaits = 2 : i64, nv_tileas.ends_turn}
// CHECK: nv_tileas.copy {{.*}}{no_war_barrier} :
// CHECK: nv_tileas.dot {{.*}}nv_tileas.awaited_as = 2 : i64, nv_tileas.meets_by_warpgroup
// CHECK: scf.yield
// CHECK: nv_tileas.async.await_product 2 behind_loop
// CHECK-NEXT: nv_tileas.async.await_product 1 behind_loop
// CHECK-NEXT: nvvm.barrier0
nv_tileaa.func @turns(%n: i32, %low: !row, %zero: !row, %zeros: !tile, %scale: !tile, %map: !desc, %view: !view) -> !row attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %o = nv_tileas.alloc_tensor : !sums
  nv_tileas.copy %zeros, %o : !tile, !sums
  %s = nv_tileas.alloc_tensor : !sums
  %q = nv_tileas.alloc_tensor : !queries
  %k = nv_tileas.alloc_tensor : !stage
  %kt0 = nv_tileaa.permute %k [1, 0] : !stage -> !turned
  %d0 = nv_tileas.dot %q, %kt0, %s if %no {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>} : !queries, !turned, !sums
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
  %second = nv_tileas.async.pipeline.inc_iter %first : !iter
  %third = nv_tileas.async.pipeline.inc_iter %second : !iter
  %fourth = nv_tileas.async.pipeline.inc_iter %third : !iter
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low, %total = %zero, %to = %fourth, %at = %first) -> (!row, !row, !iter, !iter) : i32 {
    %full = nv_tileas.async.pipeline.consumer_wait %ring, %at : !pipe, !iter
    %empty = nv_tileas.async.pipeline.producer_acquire %ring, %to : !pipe, !iter
    %filled = nv_tileas.async.pipeline.producer_write %ring, %empty {producer_kind = "tma_bulk"} : !pipe {
    ^bb0(%ks: !stage, %vs: !stage):
      %done, %t0 = nv_tileas.async.tiled_tma_load %map, %view[%i, %c0] into %ks {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 0 : i32, tx_count = 8192 : i32} : !view, (i32, i32), !stage
      %done2, %t1 = nv_tileas.async.tiled_tma_load %map, %view[%i, %c0] into %vs {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 0 : i32, tx_count = 8192 : i32} : !view, (i32, i32), !stage
      nv_tileas.async.pipeline.yield %done, %done2 : !nv_tileas.async.token, !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %ring, %filled : !pipe
    %logits = nv_tileas.convert_layout %s : !sums -> !tile
    %consumed, %of:2 = nv_tileas.async.pipeline.consumer_read %ring, %full : !pipe -> !row, !row {
    ^bb0(%ks: !stage, %vs: !stage):
      %kt = nv_tileaa.permute %ks [1, 0] : !stage -> !turned
      %next = nv_tileas.dot %q, %kt, %s if %no {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>} : !queries, !turned, !sums
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
      %p = nv_tileas.alloc_tensor : !left
      nv_tileas.copy %half, %p : !half, !left
      %old = nv_tileas.convert_layout %o : !sums -> !tile
      %new = arith.mulf %old, %factors : !tile
      nv_tileas.copy %new, %o : !tile, !sums
      %d = nv_tileas.dot %p, %vs, %o {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>} : !left, !stage, !sums
      nv_tileas.async.pipeline.yield %now, %more : !row, !row
    }
    nv_tileas.async.pipeline.consumer_release %ring, %consumed : !pipe
    %to1 = nv_tileas.async.pipeline.inc_iter %to : !iter
    %at1 = nv_tileas.async.pipeline.inc_iter %at : !iter
    scf.yield %of#0, %of#1, %to1, %at1 : !row, !row, !iter, !iter
  }
  nv_tileaa.return %r#1 : !row
}

// The loops of the others: sums that are read and written back in every round, beside something that keeps the warpgroups together.
// Threads of both copy into the stages.
// CHECK-LABEL: @copied
// CHECK-NOT: by_warpgroup
// REMARK-DAG: [Missed] Warpgroups | Category:product | Function=copied | Reason="threads of both copy into the stages of a ring and meet for it"
nv_tileaa.func @copied(%n: i32, %low: !tile, %view: !view) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
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
  %ring = nv_tileas.async.pipeline.create_pipeline %k0, %v0, %k1, %v1, %k2, %v2, %k3, %v3 {groups, numStages = 4 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
  %second = nv_tileas.async.pipeline.inc_iter %first : !iter
  %third = nv_tileas.async.pipeline.inc_iter %second : !iter
  %fourth = nv_tileas.async.pipeline.inc_iter %third : !iter
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %low, %to = %fourth, %at = %first) -> (!tile, !iter, !iter) : i32 {
    %full = nv_tileas.async.pipeline.consumer_wait %ring, %at : !pipe, !iter
    %empty = nv_tileas.async.pipeline.producer_acquire %ring, %to : !pipe, !iter
    %filled = nv_tileas.async.pipeline.producer_write %ring, %empty {producer_kind = "async_copy"} : !pipe {
    ^bb0(%ks: !stage, %vs: !stage):
      %done, %t0 = nv_tileas.async.tiled_load %view[%i, %c0] into %ks {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !stage
      %done2, %t1 = nv_tileas.async.tiled_load %view[%i, %c0] into %vs {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !stage
      nv_tileas.async.pipeline.yield %done, %done2 : !nv_tileas.async.token, !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %ring, %filled : !pipe
    %old = nv_tileas.convert_layout %s : !sums -> !tile
    %consumed = nv_tileas.async.pipeline.consumer_read %ring, %full : !pipe {
    ^bb0(%ks: !stage, %vs: !stage):
      %kt = nv_tileaa.permute %ks [1, 0] : !stage -> !turned
      %next = nv_tileas.dot %q, %kt, %s if %no {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>} : !queries, !turned, !sums
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %ring, %consumed : !pipe
    %sum = arith.addf %x, %old : !tile
    %to1 = nv_tileas.async.pipeline.inc_iter %to : !iter
    %at1 = nv_tileas.async.pipeline.inc_iter %at : !iter
    scf.yield %sum, %to1, %at1 : !tile, !iter, !iter
  }
  nv_tileaa.return %r#0 : !tile
}

// Sums that a warp reads of both halves.
// CHECK-LABEL: @across
// CHECK-NOT: by_warpgroup
// REMARK-DAG: [Missed] Warpgroups | Category:product | Function=across | Reason="elements go from warp to warp"
nv_tileaa.func @across(%n: i32, %low: tensor<256x64xf32, #across>) -> tensor<256x64xf32, #across> attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %a = nv_tileas.alloc_tensor : !queries
  %b = nv_tileas.alloc_tensor : !turned
  %s = nv_tileas.alloc_tensor : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %low) -> (tensor<256x64xf32, #across>) : i32 {
    %old = nv_tileas.convert_layout %s : !sums -> tensor<256x64xf32, #across>
    %next = nv_tileas.dot %a, %b, %s if %no {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>} : !queries, !turned, !sums
    %sum = arith.addf %x, %old : tensor<256x64xf32, #across>
    scf.yield %sum : tensor<256x64xf32, #across>
  }
  nv_tileaa.return %r : tensor<256x64xf32, #across>
}

// Something is written to shared memory.
// CHECK-LABEL: @shared
// CHECK-NOT: by_warpgroup
// REMARK-DAG: [Missed] Warpgroups | Category:product | Function=shared | Reason="threads write to shared memory"
nv_tileaa.func @shared(%n: i32, %low: !tile) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %a = nv_tileas.alloc_tensor : !queries
  %b = nv_tileas.alloc_tensor : !turned
  %s = nv_tileas.alloc_tensor : !sums
  %w = nv_tileas.alloc_tensor : !queries
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %low) -> (!tile) : i32 {
    %old = nv_tileas.convert_layout %s : !sums -> !tile
    %next = nv_tileas.dot %a, %b, %s if %no {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>} : !queries, !turned, !sums
    %sum = arith.addf %x, %old : !tile
    %half = arith.truncf %sum : !tile to !half
    nv_tileas.copy %half, %w : !half, !queries
    scf.yield %sum : !tile
  }
  nv_tileaa.return %r : !tile
}

// 128 rows for eight warps.
// CHECK-LABEL: @rows_128
// CHECK-NOT: by_warpgroup
// REMARK-DAG: [Missed] Warpgroups | Category:product | Function=rows_128 | Reason="a product in tensor memory does not have two times 128 rows"
nv_tileaa.func @rows_128(%n: i32, %low: tensor<128x64xf32, #low>) -> tensor<128x64xf32, #low> attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %a = nv_tileas.alloc_tensor : tensor<128x64xbf16, #queries_low>
  %b = nv_tileas.alloc_tensor : !turned
  %s = nv_tileas.alloc_tensor : tensor<128x64xf32, #tmem_low>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %low) -> (tensor<128x64xf32, #low>) : i32 {
    %old = nv_tileas.convert_layout %s : tensor<128x64xf32, #tmem_low> -> tensor<128x64xf32, #low>
    %next = nv_tileas.dot %a, %b, %s if %no {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>} : tensor<128x64xbf16, #queries_low>, !turned, tensor<128x64xf32, #tmem_low>
    %sum = arith.addf %x, %old : tensor<128x64xf32, #low>
    scf.yield %sum : tensor<128x64xf32, #low>
  }
  nv_tileaa.return %r : tensor<128x64xf32, #low>
}
}
