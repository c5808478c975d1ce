// What stands for a tile under another name is made again in every agent that uses it, and nowhere else; tiles of rings, which
// both use, stay in front, and are nobody's alias (materialize_schedule.mlir, "Alias is not expected here.").
// RUN: tileiras-opt %s --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" | FileCheck %s
// CHECK: nv_tileaa.func @gemm
// CHECK-NOT: nv_tileas.view
// CHECK: create_pipeline
// CHECK-NOT: nv_tileas.view
// CHECK: agent_switch
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor
// CHECK: %[[ALIAS:.*]] = nv_tileas.view %[[TILE]]
// CHECK: nv_tileas.copy %{{.*}}, %[[ALIAS]]
// CHECK: nv_tileas.convert_layout %[[TILE]]
// CHECK: }, {
// CHECK-NOT: nv_tileas.view
// CHECK: nv_tileaa.return

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
!pipe = !nv_tileas.pipeline<2 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<2 x (!a, !b)>
!f16s = !nv_tileaa.memref<256x256xf16, strides = [256, 1]>
!f32s = !nv_tileaa.memref<256x256xf32, strides = [256, 1]>
!a_view = !nv_tileaa.tiled_view<[64, 32], !f16s>
!b_view = !nv_tileaa.tiled_view<[32, 64], !f16s>
!c_view = !nv_tileaa.tiled_view<[64, 64], !f32s>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
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
    %b0 = nv_tileas.alloc_tensor : !b
    %b1 = nv_tileas.alloc_tensor : !b
    %ring = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1 {numStages = 2 : i32} : (!a, !b, !a, !b) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %tc = nv_tileas.alloc_tensor : tensor<64x64xf32, #c>
    %alias = nv_tileas.view %tc : tensor<64x64xf32, #c> -> tensor<64x64xf32, #c>
    %none = nv_tileas.async.pipeline.create_null_token : !nv_tileas.consumer_token
    %sum:4 = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %acc0, %in = %first, %out = %first, %last = %none) -> (!acc, !iter, !iter, !nv_tileas.consumer_token) : i32 {
      %t0 = nv_tileas.async.pipeline.producer_acquire %ring, %in : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.producer_write %ring, %t0 {producer_kind = "async_copy"} : !pipe {
      ^bb0(%ta: !a, %tb: !b):
        %done_a, %token_a = nv_tileas.async.tiled_load %va[%x, %k] into %ta {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_a} : !a_view, (i32, i32), !a
        %done_b, %token_b = nv_tileas.async.tiled_load %vb[%k, %y] into %tb {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies_b} : !b_view, (i32, i32), !b
        nv_tileas.async.pipeline.yield %done_a, %done_b : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %t1 : !pipe
      %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
      %c_0 = nv_tileas.async.pipeline.consumer_wait %ring, %out : !pipe, !iter
      %c_1, %next = nv_tileas.async.pipeline.consumer_read %ring, %c_0 : !pipe -> !acc {
      ^bb0(%ta: !a, %tb: !b):
        %r = nv_tileas.dot %ta, %tb, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 2, 2]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : !a, !b, !acc
        nv_tileas.async.pipeline.yield %r : !acc
      }
      %later = arith.cmpi ne, %k, %c0 : i32
      scf.if %later {
        nv_tileas.async.pipeline.consumer_release %ring, %last : !pipe
      }
      %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
      scf.yield %next, %in1, %out1, %c_1 : !acc, !iter, !iter, !nv_tileas.consumer_token
    }
    nv_tileas.async.pipeline.consumer_release %ring, %sum#3 : !pipe
    nv_tileas.copy %sum#0, %alias {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : !acc, tensor<64x64xf32, #c>
    %stored = nv_tileas.convert_layout %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x64xf32, #c> -> tensor<64x64xf32, #store>
    %token = nv_tileas.tiled_store %vc[%x, %y], %stored {vec = 4 : i32} : !c_view, (i32, i32), tensor<64x64xf32, #store>
    nv_tileaa.return
  }
}
