// Sums that a warpgroup of its own multiplies between their products. The loop is attention as tileas-defer-products leaves it, less the rings; executed:
// test/Driver/attention_columns.mlir and test/EndToEnd/tcgen05.py (attention with tiles of 256 queries and width 128, and faults in it).
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-separate-corrections)))' | FileCheck %s
// RUN: tileiras-opt %s -o %t.mlir -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-separate-corrections)))' --remarks-filter=schedule --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

#tile = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#row1 = #nv_tileas.linear<rank = 2, register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#row = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]]>
#queries = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0]]>
#stage = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#tmem = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [128, 0]]>
!tile = tensor<256x64xf32, #tile>
!half = tensor<256x64xbf16, #tile>
!row = tensor<256xf32, #row>
!row1 = tensor<256x1xf32, #row1>
!sums = tensor<256x64xf32, #tmem>
!left = tensor<256x64xbf16, #tmem>
!queries = tensor<256x64xbf16, #queries>
!stage = tensor<64x64xbf16, #stage>
#spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {

// Four more warps; two more mbarriers of each warpgroup, numbers 3 (factors are there) and 4 (sums are multiplied). What the agents begin with is computed again
// from scalars. The factors are computed and given before the turn is waited for. Barriers of the block become
// those of the agent. The other agent has as many rounds.
// CHECK-LABEL: @rounds
// CHECK-SAME: numWarps = 12
// CHECK-SAME: nv_tileas.by_warpgroup = 5 : i64
// CHECK-SAME: nv_tileas.corrections = 3 : i64
// CHECK: %[[O:.*]] = nv_tileas.alloc_tensor : tensor<256x64xf32
// CHECK: %[[PLACE:.*]] = nv_tileas.alloc_tensor : tensor<256xf32
// CHECK: agent_switch {{.*}}max_regs = array<i32: 224, 56>, num_warps = array<i32: 8, 4>, warp_id = array<i32: 0, 8>
// CHECK: nv_tileaa.splat %{{.*}} -> tensor<256x1xf32
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %
// CHECK: scf.for
// CHECK: nv_tileas.dot
// CHECK: arith.subf
// CHECK-NEXT: %[[FACTORS:.*]] = math.exp2 %{{.*}} : tensor<256x1xf32
// CHECK-NEXT: nv_tileas.async.give_factors %[[FACTORS]], %[[PLACE]] {number = 3 : i64}
// CHECK: nv_tileas.async.await_product 2{{$}}
// CHECK: math.exp2 %{{.*}} : tensor<256x64xf32
// CHECK: nv_tileas.copy %{{.*}}nv_tileas.ends_turn
// CHECK-NEXT: nv_tileas.async.await_product 4{{$}}
// CHECK-NEXT: nv_tileas.dot
// CHECK: scf.yield
// CHECK-NOT: nvvm.barrier0
// CHECK: }, {
// CHECK: scf.for
// CHECK-NEXT: nv_tileas.async.scale_sums %[[O]], %[[PLACE]] {number = 3 : i64, registers = tensor<256x64xf32
// CHECK-NEXT: {{^ *}}}
// CHECK: nv_tileaa.return
// REMARK: [Passed] Corrections {{.*}}Function=rounds | Reason="another warpgroup multiplies the sums while this one computes powers", Registers=224
nv_tileaa.func @rounds(%n: i32, %number: f32) attributes {nv_tileaa.kernel_spec = #spec, nv_tileas.by_warpgroup = 3 : i64, nv_tileas.turn_number = 2 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %scale = nv_tileaa.splat %number : f32 -> !tile
  %low = nv_tileaa.splat %number : f32 -> !row1
  %o = nv_tileas.alloc_tensor : !sums
  nv_tileas.copy %scale, %o {no_war_barrier} : !tile, !sums
  %q = nv_tileas.alloc_tensor : !queries
  %k = nv_tileas.alloc_tensor : !stage
  %some = arith.cmpi sgt, %n, %c0 : i32
  scf.if %some {
    nvvm.barrier0
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low, %total = %low) -> (!row1, !row1) : i32 {
      %s = nv_tileas.alloc_tensor : !sums
      %next = nv_tileas.dot %q, %k, %s if %no {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>, nv_tileas.meets_by_warpgroup} : !queries, !stage, !sums
      %logits = nv_tileas.convert_layout %s : !sums -> !tile
      %most = nv_tileas.reduce %logits {axis = 1 : i32, identities = [0x7FC00000 : f32]} : !tile -> !row {
      ^bb0(%a: f32, %b: f32):
        %m = arith.maxnumf %a, %b : f32
        nv_tileas.yield %m : f32
      }
      %most1 = nv_tileas.view %most : !row -> !row1
      %now = arith.maxnumf %top, %most1 : !row1
      nv_tileas.async.await_product 2
      %same = nv_tileaa.elementwise_inline_asm "mov.b32 $0, $1;", "=f,f"(%now) {nv_tileas.same} : (!row1) -> !row1
      %nows = nv_tileaa.broadcast %same : !row1 -> !tile
      %scaled = arith.mulf %logits, %scale : !tile
      %below = arith.subf %scaled, %nows : !tile
      %powers = math.exp2 %below : !tile
      %grown = arith.subf %top, %now : !row1
      %factor = math.exp2 %grown : !row1
      %more = arith.mulf %total, %factor : !row1
      %factors = nv_tileaa.broadcast %factor : !row1 -> !tile
      %half = arith.truncf %powers : !tile to !half
      %p = nv_tileas.alloc_tensor : !left
      nv_tileas.copy %half, %p {no_war_barrier, nv_tileas.ends_turn} : !half, !left
      %old = nv_tileas.convert_layout %o : !sums -> !tile
      %new = arith.mulf %old, %factors : !tile
      nv_tileas.copy %new, %o {no_war_barrier} : !tile, !sums
      %d = nv_tileas.dot %p, %k, %o {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>, nv_tileas.meets_by_warpgroup} : !left, !stage, !sums
      scf.yield %now, %more : !row1, !row1
    }
    nvvm.barrier0
  }
  nv_tileaa.return
}

// The product is waited for behind the factors, where P is written, so who gets them would not know that it is done.
// CHECK-LABEL: @later
// CHECK-NOT: agent_switch
// REMARK: [Missed] Corrections {{.*}}Function=later | Reason="the product before is waited for behind the factors"
nv_tileaa.func @later(%n: i32, %low: !row1) attributes {nv_tileaa.kernel_spec = #spec, nv_tileas.by_warpgroup = 3 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %o = nv_tileas.alloc_tensor : !sums
  %q = nv_tileas.alloc_tensor : !queries
  %k = nv_tileas.alloc_tensor : !stage
  %p = nv_tileas.alloc_tensor : !left
  %top1 = scf.for %i = %c0 to %n step %c1 iter_args(%top = %low) -> (!row1) : i32 {
    %s = nv_tileas.alloc_tensor : !sums
    %next = nv_tileas.dot %q, %k, %s if %no {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>, nv_tileas.meets_by_warpgroup} : !queries, !stage, !sums
    %logits = nv_tileas.convert_layout %s : !sums -> !tile
    %most = nv_tileas.reduce %logits {axis = 1 : i32, identities = [0x7FC00000 : f32]} : !tile -> !row {
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      nv_tileas.yield %m : f32
    }
    %most1 = nv_tileas.view %most : !row -> !row1
    %now = arith.maxnumf %top, %most1 : !row1
    %grown = arith.subf %top, %now : !row1
    %factor = math.exp2 %grown : !row1
    %factors = nv_tileaa.broadcast %factor : !row1 -> !tile
    %half = arith.truncf %logits : !tile to !half
    nv_tileas.copy %half, %p {no_war_barrier, nv_tileas.awaits = 1 : i64} : !half, !left
    %old = nv_tileas.convert_layout %o : !sums -> !tile
    %new = arith.mulf %old, %factors : !tile
    nv_tileas.copy %new, %o {no_war_barrier} : !tile, !sums
    %d = nv_tileas.dot %p, %k, %o {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>, nv_tileas.awaited_as = 1 : i64, nv_tileas.meets_by_warpgroup} : !left, !stage, !sums
    scf.yield %now : !row1
  }
  nv_tileas.async.await_product 1 behind_loop
  nv_tileaa.return
}

// Nothing is multiplied between products.
// CHECK-LABEL: @plain
// CHECK-NOT: agent_switch
// REMARK: [Missed] Corrections {{.*}}Function=plain | Reason="no sums are multiplied between products"
nv_tileaa.func @plain(%n: i32) attributes {nv_tileaa.kernel_spec = #spec, nv_tileas.by_warpgroup = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = nv_tileas.alloc_tensor : !sums
  %q = nv_tileas.alloc_tensor : !queries
  %k = nv_tileas.alloc_tensor : !stage
  scf.for %i = %c0 to %n step %c1 : i32 {
    %d = nv_tileas.dot %q, %k, %o {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>, nv_tileas.meets_by_warpgroup} : !queries, !stage, !sums
    %e = nv_tileas.dot %q, %k, %o {atom = #nv_tileas.sm100_mma_atom<bf16, m = 128, n = 64, warps = 8>, nv_tileas.meets_by_warpgroup} : !queries, !stage, !sums
  }
  nv_tileaa.return
}
}
