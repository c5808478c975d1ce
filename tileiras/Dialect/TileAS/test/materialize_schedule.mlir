// tileas-materialize-schedule. Executed: tileiras/Compiler/test/agents_schedule.mlir.
// RUN: split-file %s %t
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" %t/gemm.mlir | FileCheck %s --check-prefix=AWS

// The agent that computes comes first; what both use stays in front; each loop carries only what is its own.
// AWS-LABEL: nv_tileaa.func @gemm
// AWS: %[[VIEW:.*]] = nv_tileaa.block_tile
// AWS: %[[RING:.*]] = nv_tileas.async.pipeline.create_pipeline
// AWS-NOT: scf.for
// AWS: agent_switch attributes {num_warps = array<i32: 4, 4>}
// AWS: create_iterator %[[RING]]
// AWS: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<64x64xf32, #linear>, !nv_tileas.pipeline_iterator
// AWS-NOT: producer_
// AWS: consumer_wait %[[RING]], {{.*}}nv_tile.aws.order = {{[0-9]+}} : i32, nv_tile.aws.stage = {{[0-9]+}} : i32
// AWS: consumer_read
// AWS: nv_tileas.dot
// AWS: consumer_release
// AWS: tiled_store
// AWS: }, {
// AWS: scf.for {{.*}} iter_args(%{{[a-z0-9]*}} = %{{[a-z0-9]*}}) -> (!nv_tileas.pipeline_iterator
// AWS: producer_acquire %[[RING]]
// AWS: producer_write
// AWS: tiled_load
// AWS: producer_commit
// AWS-NOT: consumer_
// AWS-NOT: pipeline_stage
// AWS: nv_tileaa.return

// Who reads a stage and does not give it back does so in its agent.
// RUN: sed '/consumer_release/d' %t/gemm.mlir | tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" | FileCheck %s --check-prefix=GIVEN
// GIVEN: agent_switch
// GIVEN: consumer_read
// GIVEN: nv_tileas.async.pipeline.yield
// GIVEN-NEXT: }
// GIVEN-NEXT: nv_tileas.async.pipeline.consumer_release
// GIVEN: }, {

// An outer loop carries the ring's iterators; the ring is made before it.
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" %t/tiles.mlir | FileCheck %s --check-prefix=OUTER
// OUTER: create_pipeline
// OUTER: agent_switch
// OUTER: %[[FIRST:.*]] = nv_tileas.async.pipeline.create_iterator
// OUTER: scf.for {{.*}} iter_args(%[[OF_TILE:.*]] = %[[FIRST]])
// OUTER: scf.for {{.*}} = %[[OF_TILE]])
// OUTER: }, {
// OUTER: scf.for
// OUTER: scf.for

// Two warpgroups that compute get the registers of the one that copies, where the target can.
// RUN: sed 's/numWarps = 4/numWarps = 8/; s/= 80 : i32/= 90 : i32/; s/sm_80/sm_90/' %t/gemm.mlir | tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" | FileCheck %s --check-prefix=REGS
// REGS: agent_switch attributes {max_regs = array<i32: 232, 40>, num_warps = array<i32: 8, 4>}

// Two agents that compute, of four warps each: a team, which divides the tiles of eight. Each has its own number in the
// ring and its own epilogue, in the ring's bytes when both have met; the rows of what is stored are divided as those of
// the sums are.
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" %t/dual.mlir | FileCheck %s --check-prefix=DUAL
// DUAL-DAG: #[[ACC:.*]] = #nv_tileas.linear<rank = 2, register = {{\[}}[0, 1], [8, 0], [0, 16], [0, 32], [64, 0]], {{.*}} warp = {{\[}}[0, 8], [16, 0], [32, 0]]>
// DUAL-DAG: #[[STORE:.*]] = #nv_tileas.linear<rank = 2, register = {{\[}}[0, 1], [0, 2], [16, 0], [8, 0], [64, 0]], {{.*}} warp = {{\[}}[2, 0], [4, 0], [32, 0]]>
// DUAL: agent_switch attributes {max_regs = array<i32: 232, 232, 40>, num_warps = array<i32: 4, 4, 4>, nv_tileas.team = array<i32: 0, 4, 0>}
// DUAL: consumer_wait
// DUAL-NOT: consumer_idx = 1
// DUAL: nv_tileas.dot {{.*}}tensor<128x64xf32, #[[ACC]]>
// DUAL: nvvm.barrier id = {{.*}} number_of_threads = {{.*}} {nv_tileas.drained}
// DUAL: alloc_tensor
// DUAL: tiled_store {{.*}}tensor<128x64xf32, #[[STORE]]>
// DUAL: }, {
// DUAL: consumer_wait {{.*}} {consumer_idx = 1 : i32
// DUAL: consumer_read {{.*}} {consumer_idx = 1 : i32
// DUAL: nvvm.barrier id = {{.*}} number_of_threads = {{.*}} {nv_tileas.drained}
// DUAL: }, {
// DUAL: producer_acquire
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule{use-dual-simt=false})))" %t/dual.mlir | FileCheck %s --check-prefix=SINGLE
// RUN: sed 's/= 90 : i32/= 80 : i32/; s/sm_90/sm_80/' %t/dual.mlir | tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" | FileCheck %s --check-prefix=SINGLE
// The number of rounds is not known, so the work is that of one: too much.
// RUN: sed 's/to %%c32/to %%x/' %t/dual.mlir | tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" | FileCheck %s --check-prefix=SINGLE
// Integers are multiplied by the same units.
// RUN: sed 's/f16/i8/g; s/f32/i32/g; s/0.000000e+00/0/' %t/dual.mlir | tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" | FileCheck %s --check-prefix=INTEGERS
// INTEGERS: agent_switch attributes {{.*}}num_warps = array<i32: 4, 4, 4>
// Where lanes of a warp of one agent store what the other one has, both meet when all is written; the tile is theirs both.
// RUN: sed 's/\[0, 32\], \[1, 0\]\], warp = \[\[2, 0\], \[4, 0\], \[8, 0\]\]/[0, 32], [32, 0]], warp = [[2, 0], [4, 0], [8, 0]]/; s/\[0, 2\], \[16, 0\], \[32, 0\], \[64, 0\]\]/[0, 2], [16, 0], [1, 0], [64, 0]]/' %t/dual.mlir \
// RUN:   | tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" | FileCheck %s --check-prefix=MEET
// MEET: %[[TILE:.*]] = nv_tileas.alloc_tensor : tensor<128x64xf32
// MEET: nv_tileas.team = array<i32: 0, 4, 0>
// MEET: nv_tileas.copy %{{.*}}, %[[TILE]]
// MEET: nvvm.barrier id
// MEET: convert_layout %[[TILE]]
// MEET: nv_tileas.copy %{{.*}}, %[[TILE]]
// MEET: nvvm.barrier id
// MEET: convert_layout %[[TILE]]
// SINGLE: num_warps = array<i32: 8, 4>

// One agent, or no rewriting: tags, and program order.
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule{use-AUS})))" %t/gemm.mlir | FileCheck %s --check-prefix=TAGS
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule{enable-schedule-rewrite=false})))" %t/gemm.mlir | FileCheck %s --check-prefix=TAGS
// TAGS-NOT: agent_switch
// TAGS: scf.for
// TAGS: producer_acquire {{.*}}nv_tile.aws.order = {{[0-9]+}} : i32, nv_tile.aws.stage = {{[0-9]+}} : i32, pipeline_stage = 0
// TAGS: consumer_wait {{.*}}nv_tile.aws.stage
// TAGS-NOT: agent_switch

// No warps left, a kind of schedule that is none, or a load that needs what is computed: nothing changes, byte for byte.
// RUN: tileiras-opt %t/wide.mlir -o %t/wide.before
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" %t/wide.mlir -o %t/wide.after
// RUN: diff %t/wide.before %t/wide.after
// RUN: tileiras-opt %t/found.mlir -o %t/found.before
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" %t/found.mlir -o %t/found.after
// RUN: diff %t/found.before %t/found.after
// RUN: tileiras-opt %t/gemm.mlir -o %t/gemm.before
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule{kind=NONE},tileas-materialize-schedule)))" %t/gemm.mlir -o %t/gemm.after
// RUN: diff %t/gemm.before %t/gemm.after
// Every other kind gives the same agents.
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule{kind=SERIAL},tileas-materialize-schedule)))" %t/gemm.mlir | FileCheck %s --check-prefix=KIND
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule{kind=FAST},tileas-materialize-schedule)))" %t/gemm.mlir | FileCheck %s --check-prefix=KIND
// RUN: tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule{kind=COST_BASED},tileas-materialize-schedule)))" %t/gemm.mlir | FileCheck %s --check-prefix=KIND
// KIND: agent_switch attributes {num_warps = array<i32: 4, 4>}

// RUN: not tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-schedule)))" %t/gemm.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: gemm.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'nv_tileaa.func' op has no schedule: tileas-generate-schedule has to run right before
// RUN: not tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,canonicalize,tileas-materialize-schedule)))" %t/gemm.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" %t/alias.mlir 2>&1 | FileCheck %s --check-prefix=ALIAS
// ALIAS: alias.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'nv_tileas.async.pipeline.create_pipeline' op Alias is not expected here.

// The description has been spelled so since the first release of the reference tool.
// RUN: tileiras-opt --help | FileCheck %s --check-prefix=HELP
// HELP: --tileas-materialize-schedule {{.*}} Meterialize the pipeline schedule to generate warp-specialized or unspecialized IR
// HELP-NEXT: --enable-schedule-rewrite
// HELP-NEXT: --only-where-faster
// HELP-NEXT: --peel-within-agents
// HELP-NEXT: --turns
// HELP-NEXT: --use-AUS
// HELP-NEXT: --use-dual-simt
// HELP-NEXT: --tileas-

//--- gemm.mlir
#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0]]>
#copies_a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies_b = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#store = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]>
#c = #nv_tileas.shared<rank = 2, offset = [[0, 1], [8, 0], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [0, 32], [32, 0], [16, 0], [0, 10], [1, 16]]>
!a = tensor<64x32xf16, #a>
!b = tensor<32x64xf16, #b>
!acc = tensor<64x64xf32, #acc>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<3 x (!a, !b)>
!f16s = !nv_tileaa.memref<256x256xf16, strides = [256, 1]>
!f32s = !nv_tileaa.memref<256x256xf32, strides = [256, 1]>
!a_view = !nv_tileaa.tiled_view<[64, 32], !f16s>
!b_view = !nv_tileaa.tiled_view<[32, 64], !f16s>
!c_view = !nv_tileaa.tiled_view<[64, 64], !f32s>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @gemm(%arg0: !nv_tileaa.ptr<f16>, %arg1: !nv_tileaa.ptr<f16>, %arg2: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %zero = arith.constant 0.000000e+00 : f32
    %acc0 = nv_tileaa.splat %zero : f32 -> !acc
    %x, %y, %z = nv_tileaa.get_program_id
    %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<f16>
    %pb = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<f16>
    %pc = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<f32>
    %ma = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mb = nv_tileaa.make_memref %pb, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mc = nv_tileaa.make_memref %pc, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !f32s
    %va = nv_tileaa.block_tile %ma : !f16s -> !a_view
    %vb = nv_tileaa.block_tile %mb : !f16s -> !b_view
    %vc = nv_tileaa.block_tile %mc : !f32s -> !c_view
    %a0 = nv_tileas.alloc_tensor : !a
    %a1 = nv_tileas.alloc_tensor : !a
    %a2 = nv_tileas.alloc_tensor : !a
    %b0 = nv_tileas.alloc_tensor : !b
    %b1 = nv_tileas.alloc_tensor : !b
    %b2 = nv_tileas.alloc_tensor : !b
    %ring = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2 {numStages = 3 : i32} : (!a, !b, !a, !b, !a, !b) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sum:3 = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %acc0, %in = %first, %out = %first) -> (!acc, !iter, !iter) : i32 {
      %t0 = nv_tileas.async.pipeline.producer_acquire %ring, %in {pipeline_stage = 0 : i32} : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.producer_write %ring, %t0 {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %done_a, %token_a = nv_tileas.async.tiled_load %va[%x, %k] into %ta {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_a} : !a_view, (i32, i32), !a
        %done_b, %token_b = nv_tileas.async.tiled_load %vb[%k, %y] into %tb {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_b} : !b_view, (i32, i32), !b
        nv_tileas.async.pipeline.yield %done_a, %done_b : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %t1 {pipeline_stage = 0 : i32} : !pipe
      %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
      %c_0 = nv_tileas.async.pipeline.consumer_wait %ring, %out {pipeline_stage = 2 : i32} : !pipe, !iter
      %c_1, %next = nv_tileas.async.pipeline.consumer_read %ring, %c_0 {pipeline_stage = 2 : i32} : !pipe -> !acc {
      ^bb0(%ta: !a, %tb: !b):
        %r = nv_tileas.dot %ta, %tb, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 2, 2]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : !a, !b, !acc
        nv_tileas.async.pipeline.yield %r : !acc
      }
      nv_tileas.async.pipeline.consumer_release %ring, %c_1 {pipeline_stage = 2 : i32} : !pipe
      %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %in1, %out1 : !acc, !iter, !iter
    }
    %tc = nv_tileas.alloc_tensor : tensor<64x64xf32, #c>
    nv_tileas.copy %sum#0, %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : !acc, tensor<64x64xf32, #c>
    %stored = nv_tileas.convert_layout %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x64xf32, #c> -> tensor<64x64xf32, #store>
    %token = nv_tileas.tiled_store %vc[%x, %y], %stored {vec = 4 : i32} : !c_view, (i32, i32), tensor<64x64xf32, #store>
    nv_tileaa.return
  }
}
//--- dual.mlir
#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16], [0, 32], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0], [32, 0]]>
#copies_a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [64, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0], [32, 0]]>
#copies_b = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]>
#store = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [16, 0], [32, 0], [64, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0], [8, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [64, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]>
#c = #nv_tileas.shared<rank = 2, offset = [[0, 1], [8, 0], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [0, 32], [32, 0], [64, 0], [16, 0], [0, 10], [1, 16]]>
!a = tensor<128x32xf16, #a>
!b = tensor<32x64xf16, #b>
!acc = tensor<128x64xf32, #acc>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<3 x (!a, !b)>
!f16s = !nv_tileaa.memref<256x256xf16, strides = [256, 1]>
!f32s = !nv_tileaa.memref<256x256xf32, strides = [256, 1]>
!a_view = !nv_tileaa.tiled_view<[128, 32], !f16s>
!b_view = !nv_tileaa.tiled_view<[32, 64], !f16s>
!c_view = !nv_tileaa.tiled_view<[128, 64], !f32s>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func @gemm(%arg0: !nv_tileaa.ptr<f16>, %arg1: !nv_tileaa.ptr<f16>, %arg2: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant 0.000000e+00 : f32
    %acc0 = nv_tileaa.splat %zero : f32 -> !acc
    %x, %y, %z = nv_tileaa.get_program_id
    %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<f16>
    %pb = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<f16>
    %pc = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<f32>
    %ma = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mb = nv_tileaa.make_memref %pb, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mc = nv_tileaa.make_memref %pc, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !f32s
    %va = nv_tileaa.block_tile %ma : !f16s -> !a_view
    %vb = nv_tileaa.block_tile %mb : !f16s -> !b_view
    %vc = nv_tileaa.block_tile %mc : !f32s -> !c_view
    %a0 = nv_tileas.alloc_tensor : !a
    %a1 = nv_tileas.alloc_tensor : !a
    %a2 = nv_tileas.alloc_tensor : !a
    %b0 = nv_tileas.alloc_tensor : !b
    %b1 = nv_tileas.alloc_tensor : !b
    %b2 = nv_tileas.alloc_tensor : !b
    %ring = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2 {numStages = 3 : i32} : (!a, !b, !a, !b, !a, !b) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sum:3 = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %acc0, %in = %first, %out = %first) -> (!acc, !iter, !iter) : i32 {
      %t0 = nv_tileas.async.pipeline.producer_acquire %ring, %in {pipeline_stage = 0 : i32} : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.producer_write %ring, %t0 {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %done_a, %token_a = nv_tileas.async.tiled_load %va[%x, %k] into %ta {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_a} : !a_view, (i32, i32), !a
        %done_b, %token_b = nv_tileas.async.tiled_load %vb[%k, %y] into %tb {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_b} : !b_view, (i32, i32), !b
        nv_tileas.async.pipeline.yield %done_a, %done_b : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %t1 {pipeline_stage = 0 : i32} : !pipe
      %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
      %c_0 = nv_tileas.async.pipeline.consumer_wait %ring, %out {pipeline_stage = 2 : i32} : !pipe, !iter
      %c_1, %next = nv_tileas.async.pipeline.consumer_read %ring, %c_0 {pipeline_stage = 2 : i32} : !pipe -> !acc {
      ^bb0(%ta: !a, %tb: !b):
        %r = nv_tileas.dot %ta, %tb, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 2]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : !a, !b, !acc
        nv_tileas.async.pipeline.yield %r : !acc
      }
      nv_tileas.async.pipeline.consumer_release %ring, %c_1 {pipeline_stage = 2 : i32} : !pipe
      %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %in1, %out1 : !acc, !iter, !iter
    }
    %tc = nv_tileas.alloc_tensor : tensor<128x64xf32, #c>
    nv_tileas.copy %sum#0, %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : !acc, tensor<128x64xf32, #c>
    %stored = nv_tileas.convert_layout %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<128x64xf32, #c> -> tensor<128x64xf32, #store>
    %token = nv_tileas.tiled_store %vc[%x, %y], %stored {vec = 4 : i32} : !c_view, (i32, i32), tensor<128x64xf32, #store>
    nv_tileaa.return
  }
}
//--- tiles.mlir
#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0]]>
#copies_a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies_b = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#store = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]>
#c = #nv_tileas.shared<rank = 2, offset = [[0, 1], [8, 0], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [0, 32], [32, 0], [16, 0], [0, 10], [1, 16]]>
!a = tensor<64x32xf16, #a>
!b = tensor<32x64xf16, #b>
!acc = tensor<64x64xf32, #acc>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<3 x (!a, !b)>
!f16s = !nv_tileaa.memref<256x256xf16, strides = [256, 1]>
!f32s = !nv_tileaa.memref<256x256xf32, strides = [256, 1]>
!a_view = !nv_tileaa.tiled_view<[64, 32], !f16s>
!b_view = !nv_tileaa.tiled_view<[32, 64], !f16s>
!c_view = !nv_tileaa.tiled_view<[64, 64], !f32s>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @tiles(%arg0: !nv_tileaa.ptr<f16>, %arg1: !nv_tileaa.ptr<f16>, %arg2: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %zero = arith.constant 0.000000e+00 : f32
    %acc0 = nv_tileaa.splat %zero : f32 -> !acc
    %x, %y, %z = nv_tileaa.get_program_id
    %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<f16>
    %pb = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<f16>
    %pc = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<f32>
    %ma = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mb = nv_tileaa.make_memref %pb, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mc = nv_tileaa.make_memref %pc, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !f32s
    %va = nv_tileaa.block_tile %ma : !f16s -> !a_view
    %vb = nv_tileaa.block_tile %mb : !f16s -> !b_view
    %vc = nv_tileaa.block_tile %mc : !f32s -> !c_view
    scf.for %n = %c0 to %c4 step %c1 : i32 {
      %a0 = nv_tileas.alloc_tensor : !a
      %a1 = nv_tileas.alloc_tensor : !a
      %a2 = nv_tileas.alloc_tensor : !a
      %b0 = nv_tileas.alloc_tensor : !b
      %b1 = nv_tileas.alloc_tensor : !b
      %b2 = nv_tileas.alloc_tensor : !b
      %ring = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2 {numStages = 3 : i32} : (!a, !b, !a, !b, !a, !b) -> !pipe
      %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
      %sum:3 = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %acc0, %in = %first, %out = %first) -> (!acc, !iter, !iter) : i32 {
        %t0 = nv_tileas.async.pipeline.producer_acquire %ring, %in {pipeline_stage = 0 : i32} : !pipe, !iter
        %t1 = nv_tileas.async.pipeline.producer_write %ring, %t0 {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
        ^bb0(%ta: !a, %tb: !b):
          %done_a, %token_a = nv_tileas.async.tiled_load %va[%x, %k] into %ta {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_a} : !a_view, (i32, i32), !a
          %done_b, %token_b = nv_tileas.async.tiled_load %vb[%k, %n] into %tb {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_b} : !b_view, (i32, i32), !b
          nv_tileas.async.pipeline.yield %done_a, %done_b : !nv_tileas.async.token, !nv_tileas.async.token
        }
        nv_tileas.async.pipeline.producer_commit %ring, %t1 {pipeline_stage = 0 : i32} : !pipe
        %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
        %c_0 = nv_tileas.async.pipeline.consumer_wait %ring, %out {pipeline_stage = 2 : i32} : !pipe, !iter
        %c_1, %next = nv_tileas.async.pipeline.consumer_read %ring, %c_0 {pipeline_stage = 2 : i32} : !pipe -> !acc {
        ^bb0(%ta: !a, %tb: !b):
          %r = nv_tileas.dot %ta, %tb, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 2, 2]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : !a, !b, !acc
          nv_tileas.async.pipeline.yield %r : !acc
        }
        nv_tileas.async.pipeline.consumer_release %ring, %c_1 {pipeline_stage = 2 : i32} : !pipe
        %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !iter
        scf.yield %next, %in1, %out1 : !acc, !iter, !iter
      }
      %tc = nv_tileas.alloc_tensor : tensor<64x64xf32, #c>
      nv_tileas.copy %sum#0, %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : !acc, tensor<64x64xf32, #c>
      %stored = nv_tileas.convert_layout %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x64xf32, #c> -> tensor<64x64xf32, #store>
      %token = nv_tileas.tiled_store %vc[%x, %n], %stored {vec = 4 : i32} : !c_view, (i32, i32), tensor<64x64xf32, #store>
    }
    nv_tileaa.return
  }
}
//--- wide.mlir
#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0]]>
#copies_a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies_b = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#store = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]>
#c = #nv_tileas.shared<rank = 2, offset = [[0, 1], [8, 0], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [0, 32], [32, 0], [16, 0], [0, 10], [1, 16]]>
!a = tensor<64x32xf16, #a>
!b = tensor<32x64xf16, #b>
!acc = tensor<64x64xf32, #acc>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<3 x (!a, !b)>
!f16s = !nv_tileaa.memref<256x256xf16, strides = [256, 1]>
!f32s = !nv_tileaa.memref<256x256xf32, strides = [256, 1]>
!a_view = !nv_tileaa.tiled_view<[64, 32], !f16s>
!b_view = !nv_tileaa.tiled_view<[32, 64], !f16s>
!c_view = !nv_tileaa.tiled_view<[64, 64], !f32s>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @gemm(%arg0: !nv_tileaa.ptr<f16>, %arg1: !nv_tileaa.ptr<f16>, %arg2: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 32, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %zero = arith.constant 0.000000e+00 : f32
    %acc0 = nv_tileaa.splat %zero : f32 -> !acc
    %x, %y, %z = nv_tileaa.get_program_id
    %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<f16>
    %pb = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<f16>
    %pc = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<f32>
    %ma = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mb = nv_tileaa.make_memref %pb, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mc = nv_tileaa.make_memref %pc, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !f32s
    %va = nv_tileaa.block_tile %ma : !f16s -> !a_view
    %vb = nv_tileaa.block_tile %mb : !f16s -> !b_view
    %vc = nv_tileaa.block_tile %mc : !f32s -> !c_view
    %a0 = nv_tileas.alloc_tensor : !a
    %a1 = nv_tileas.alloc_tensor : !a
    %a2 = nv_tileas.alloc_tensor : !a
    %b0 = nv_tileas.alloc_tensor : !b
    %b1 = nv_tileas.alloc_tensor : !b
    %b2 = nv_tileas.alloc_tensor : !b
    %ring = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2 {numStages = 3 : i32} : (!a, !b, !a, !b, !a, !b) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sum:3 = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %acc0, %in = %first, %out = %first) -> (!acc, !iter, !iter) : i32 {
      %t0 = nv_tileas.async.pipeline.producer_acquire %ring, %in {pipeline_stage = 0 : i32} : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.producer_write %ring, %t0 {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %done_a, %token_a = nv_tileas.async.tiled_load %va[%x, %k] into %ta {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_a} : !a_view, (i32, i32), !a
        %done_b, %token_b = nv_tileas.async.tiled_load %vb[%k, %y] into %tb {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_b} : !b_view, (i32, i32), !b
        nv_tileas.async.pipeline.yield %done_a, %done_b : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %t1 {pipeline_stage = 0 : i32} : !pipe
      %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
      %c_0 = nv_tileas.async.pipeline.consumer_wait %ring, %out {pipeline_stage = 2 : i32} : !pipe, !iter
      %c_1, %next = nv_tileas.async.pipeline.consumer_read %ring, %c_0 {pipeline_stage = 2 : i32} : !pipe -> !acc {
      ^bb0(%ta: !a, %tb: !b):
        %r = nv_tileas.dot %ta, %tb, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 2, 2]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : !a, !b, !acc
        nv_tileas.async.pipeline.yield %r : !acc
      }
      nv_tileas.async.pipeline.consumer_release %ring, %c_1 {pipeline_stage = 2 : i32} : !pipe
      %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %in1, %out1 : !acc, !iter, !iter
    }
    %tc = nv_tileas.alloc_tensor : tensor<64x64xf32, #c>
    nv_tileas.copy %sum#0, %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : !acc, tensor<64x64xf32, #c>
    %stored = nv_tileas.convert_layout %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x64xf32, #c> -> tensor<64x64xf32, #store>
    %token = nv_tileas.tiled_store %vc[%x, %y], %stored {vec = 4 : i32} : !c_view, (i32, i32), tensor<64x64xf32, #store>
    nv_tileaa.return
  }
}
//--- found.mlir
#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0]]>
#copies_a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies_b = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#store = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]>
#c = #nv_tileas.shared<rank = 2, offset = [[0, 1], [8, 0], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [0, 32], [32, 0], [16, 0], [0, 10], [1, 16]]>
!a = tensor<64x32xf16, #a>
!b = tensor<32x64xf16, #b>
!acc = tensor<64x64xf32, #acc>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<3 x (!a, !b)>
!f16s = !nv_tileaa.memref<256x256xf16, strides = [256, 1]>
!f32s = !nv_tileaa.memref<256x256xf32, strides = [256, 1]>
!a_view = !nv_tileaa.tiled_view<[64, 32], !f16s>
!b_view = !nv_tileaa.tiled_view<[32, 64], !f16s>
!c_view = !nv_tileaa.tiled_view<[64, 64], !f32s>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @gemm(%arg0: !nv_tileaa.ptr<f16>, %arg1: !nv_tileaa.ptr<f16>, %arg2: !nv_tileaa.ptr<f32>, %arg3: !nv_tileaa.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %zero = arith.constant 0.000000e+00 : f32
    %acc0 = nv_tileaa.splat %zero : f32 -> !acc
    %x, %y, %z = nv_tileaa.get_program_id
    %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<f16>
    %pb = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<f16>
    %pc = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<f32>
    %ma = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mb = nv_tileaa.make_memref %pb, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mc = nv_tileaa.make_memref %pc, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !f32s
    %va = nv_tileaa.block_tile %ma : !f16s -> !a_view
    %vb = nv_tileaa.block_tile %mb : !f16s -> !b_view
    %vc = nv_tileaa.block_tile %mc : !f32s -> !c_view
    %a0 = nv_tileas.alloc_tensor : !a
    %a1 = nv_tileas.alloc_tensor : !a
    %a2 = nv_tileas.alloc_tensor : !a
    %b0 = nv_tileas.alloc_tensor : !b
    %b1 = nv_tileas.alloc_tensor : !b
    %b2 = nv_tileas.alloc_tensor : !b
    %ring = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2 {numStages = 3 : i32} : (!a, !b, !a, !b, !a, !b) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sum:4 = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %acc0, %in = %first, %out = %first, %from = %c0) -> (!acc, !iter, !iter, i32) : i32 {
      %t0 = nv_tileas.async.pipeline.producer_acquire %ring, %in {pipeline_stage = 0 : i32} : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.producer_write %ring, %t0 {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %done_a, %token_a = nv_tileas.async.tiled_load %va[%x, %from] into %ta {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_a} : !a_view, (i32, i32), !a
        %done_b, %token_b = nv_tileas.async.tiled_load %vb[%k, %y] into %tb {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_b} : !b_view, (i32, i32), !b
        nv_tileas.async.pipeline.yield %done_a, %done_b : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %t1 {pipeline_stage = 0 : i32} : !pipe
      %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
      %c_0 = nv_tileas.async.pipeline.consumer_wait %ring, %out {pipeline_stage = 2 : i32} : !pipe, !iter
      %c_1, %next = nv_tileas.async.pipeline.consumer_read %ring, %c_0 {pipeline_stage = 2 : i32} : !pipe -> !acc {
      ^bb0(%ta: !a, %tb: !b):
        %r = nv_tileas.dot %ta, %tb, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 2, 2]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : !a, !b, !acc
        nv_tileas.async.pipeline.yield %r : !acc
      }
      nv_tileas.async.pipeline.consumer_release %ring, %c_1 {pipeline_stage = 2 : i32} : !pipe
      %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !iter
      %found, %ft = nv_tileaa.atomic_rmw %arg3, %k {rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !nv_tileaa.ptr<i32> -> i32
      scf.yield %next, %in1, %out1, %found : !acc, !iter, !iter, i32
    }
    %tc = nv_tileas.alloc_tensor : tensor<64x64xf32, #c>
    nv_tileas.copy %sum#0, %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : !acc, tensor<64x64xf32, #c>
    %stored = nv_tileas.convert_layout %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x64xf32, #c> -> tensor<64x64xf32, #store>
    %token = nv_tileas.tiled_store %vc[%x, %y], %stored {vec = 4 : i32} : !c_view, (i32, i32), tensor<64x64xf32, #store>
    nv_tileaa.return
  }
}
//--- alias.mlir
#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0]]>
#copies_a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies_b = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#store = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]>
#c = #nv_tileas.shared<rank = 2, offset = [[0, 1], [8, 0], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [0, 32], [32, 0], [16, 0], [0, 10], [1, 16]]>
!a = tensor<64x32xf16, #a>
!b = tensor<32x64xf16, #b>
!acc = tensor<64x64xf32, #acc>
!pipe = !nv_tileas.pipeline<3 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<3 x (!a, !b)>
!f16s = !nv_tileaa.memref<256x256xf16, strides = [256, 1]>
!f32s = !nv_tileaa.memref<256x256xf32, strides = [256, 1]>
!a_view = !nv_tileaa.tiled_view<[64, 32], !f16s>
!b_view = !nv_tileaa.tiled_view<[32, 64], !f16s>
!c_view = !nv_tileaa.tiled_view<[64, 64], !f32s>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @gemm(%arg0: !nv_tileaa.ptr<f16>, %arg1: !nv_tileaa.ptr<f16>, %arg2: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %zero = arith.constant 0.000000e+00 : f32
    %acc0 = nv_tileaa.splat %zero : f32 -> !acc
    %x, %y, %z = nv_tileaa.get_program_id
    %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<f16>
    %pb = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<f16>
    %pc = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<f32>
    %ma = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mb = nv_tileaa.make_memref %pb, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !f16s
    %mc = nv_tileaa.make_memref %pc, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !f32s
    %va = nv_tileaa.block_tile %ma : !f16s -> !a_view
    %vb = nv_tileaa.block_tile %mb : !f16s -> !b_view
    %vc = nv_tileaa.block_tile %mc : !f32s -> !c_view
    %a0 = nv_tileas.alloc_tensor : !a
    %a1 = nv_tileas.alloc_tensor : !a
    %a2 = nv_tileas.alloc_tensor : !a
    %b0 = nv_tileas.alloc_tensor : !b
    %b1 = nv_tileas.alloc_tensor : !b
    %b2 = nv_tileas.alloc_tensor : !b
    %ring = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a0, %b1, %a2, %b2 {numStages = 3 : i32} : (!a, !b, !a, !b, !a, !b) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sum:3 = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %acc0, %in = %first, %out = %first) -> (!acc, !iter, !iter) : i32 {
      %t0 = nv_tileas.async.pipeline.producer_acquire %ring, %in {pipeline_stage = 0 : i32} : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.producer_write %ring, %t0 {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %done_a, %token_a = nv_tileas.async.tiled_load %va[%x, %k] into %ta {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_a} : !a_view, (i32, i32), !a
        %done_b, %token_b = nv_tileas.async.tiled_load %vb[%k, %y] into %tb {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_b} : !b_view, (i32, i32), !b
        nv_tileas.async.pipeline.yield %done_a, %done_b : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %t1 {pipeline_stage = 0 : i32} : !pipe
      %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
      %c_0 = nv_tileas.async.pipeline.consumer_wait %ring, %out {pipeline_stage = 2 : i32} : !pipe, !iter
      %c_1, %next = nv_tileas.async.pipeline.consumer_read %ring, %c_0 {pipeline_stage = 2 : i32} : !pipe -> !acc {
      ^bb0(%ta: !a, %tb: !b):
        %r = nv_tileas.dot %ta, %tb, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 2, 2]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : !a, !b, !acc
        nv_tileas.async.pipeline.yield %r : !acc
      }
      nv_tileas.async.pipeline.consumer_release %ring, %c_1 {pipeline_stage = 2 : i32} : !pipe
      %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %in1, %out1 : !acc, !iter, !iter
    }
    %tc = nv_tileas.alloc_tensor : tensor<64x64xf32, #c>
    nv_tileas.copy %sum#0, %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : !acc, tensor<64x64xf32, #c>
    %stored = nv_tileas.convert_layout %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x64xf32, #c> -> tensor<64x64xf32, #store>
    %token = nv_tileas.tiled_store %vc[%x, %y], %stored {vec = 4 : i32} : !c_view, (i32, i32), tensor<64x64xf32, #store>
    nv_tileaa.return
  }
}
