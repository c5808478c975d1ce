// A ring that two loops use is one stream, not one for each loop.
// RUN: tileiras-opt --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))' %s | FileCheck %s
// CHECK-COUNT-1: create_pipeline
// CHECK-NOT: create_pipeline

#linear = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#linear1 = #nv_tileas.linear<rank = 1, register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]]>
#linear2 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#linear3 = #nv_tileas.linear<rank = 1, register = [[1], [8], [16]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>
#linear4 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#linear5 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#linear6 = #nv_tileas.linear<rank = 2, register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#linear7 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#shared = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#shared1 = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [2, 8], [4, 16]]>
#shared2 = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 8], [0, 16], [8, 2], [16, 4]]>
#shared3 = #nv_tileas.shared<rank = 2, offset = [[0, 1], [8, 0], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [16, 0], [32, 0], [8, 8], [0, 18]]>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @attention(%arg0: !nv_tileaa.ptr<f16>, %arg1: !nv_tileaa.ptr<f16>, %arg2: !nv_tileaa.ptr<f16>, %arg3: !nv_tileaa.ptr<f32>, %arg4: i32, %arg5: i32, %arg6: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant -1.000000e+30 : f32
    %c32_i32 = arith.constant 32 : i32
    %cst_1 = arith.constant 3.000000e-01 : f32
    %0 = nv_tileaa.splat %cst_1 : f32 -> tensor<64x32xf32, #linear>
    %1 = nv_tileaa.splat %cst_0 : f32 -> tensor<64x32xf32, #linear>
    %2 = nv_tileaa.splat %cst_0 : f32 -> tensor<64xf32, #linear1>
    %3 = nv_tileaa.splat %cst : f32 -> tensor<64xf32, #linear1>
    %4 = nv_tileaa.splat %cst : f32 -> tensor<64x32xf32, #linear>
    %x, %y, %z = nv_tileaa.get_program_id
    %5 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<f16>
    %6 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg6 : i32
    %7 = nv_tileaa.make_memref %5, sizes[%arg4, %6], strides[%6] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %8 = nv_tileaa.block_tile %7 : <?x?xf16, strides = [?, 1]> -> <[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
    %9 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<f16>
    %10 = nv_tileaa.make_memref %9, sizes[%arg5, %6], strides[%6] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %11 = nv_tileaa.block_tile %10 : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
    %12 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<f16>
    %13 = nv_tileaa.make_memref %12, sizes[%arg5, %6], strides[%6] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %14 = nv_tileaa.block_tile %13 : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
    %15 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg3 : !nv_tileaa.ptr<f32>
    %16 = nv_tileaa.make_memref %15, sizes[%arg4, %6], strides[%6] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %17 = nv_tileaa.block_tile %16 : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %result, %result_token = nv_tileas.tiled_load %8[%x, %c0_i32] {vec = 8 : i32} : <[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x32xf16, #linear2>
    %18 = nv_tileaa.get_dim_size %11 {axis = 0 : i32} : !nv_tileaa.tiled_view<[32, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>> -> i32
    %19 = nv_tileaa.make_range(0, 32) : tensor<32xi32, #linear3>
    %20 = nv_tileas.alloc_tensor : tensor<64x32xf16, #shared>
    nv_tileas.copy %result, %20 {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x32xf16, #linear2>, tensor<64x32xf16, #shared>
    %21 = nv_tileas.alloc_tensor : tensor<32x32xf16, #shared1>
    %22 = nv_tileas.alloc_tensor : tensor<32x32xf16, #shared1>
    %23 = nv_tileas.alloc_tensor : tensor<32x32xf16, #shared1>
    %24 = nv_tileas.alloc_tensor : tensor<32x32xf16, #shared1>
    %25 = nv_tileas.async.pipeline.create_pipeline %21, %23, %22, %24 {groups, numStages = 2 : i32} : (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>) -> !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
    %26 = nv_tileas.async.pipeline.create_iterator %25 : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)> -> !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
    %27 = nv_tileaa.create_mem_token
    %28:5 = scf.for %arg7 = %c0_i32 to %18 step %c1_i32 iter_args(%arg8 = %4, %arg9 = %2, %arg10 = %3, %arg11 = %26, %arg12 = %26) -> (tensor<64x32xf32, #linear>, tensor<64xf32, #linear1>, tensor<64xf32, #linear1>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>)  : i32 {
      %35 = nv_tileas.async.pipeline.producer_acquire %25, %arg11 {pipeline_stage = 0 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %36 = nv_tileas.async.pipeline.producer_write %25, %35 {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)> {
      ^bb0(%arg13: tensor<32x32xf16, #shared1>, %arg14: tensor<32x32xf16, #shared1>):
        %done, %result_token_2 = nv_tileas.async.tiled_load %11[%arg7, %c0_i32] into %arg13 {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #linear4} : <[32, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32), tensor<32x32xf16, #shared1>
        %done_3, %result_token_4 = nv_tileas.async.tiled_load %14[%arg7, %c0_i32] into %arg14 {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #linear4} : <[32, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32), tensor<32x32xf16, #shared1>
        nv_tileas.async.pipeline.yield %done, %done_3 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %25, %36 {pipeline_stage = 0 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %37 = nv_tileas.async.pipeline.inc_iter %arg11 {pipeline_stage = 0 : i32} : !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %38 = nv_tileas.async.pipeline.consumer_wait %25, %arg12 {pipeline_stage = 1 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %consumed, %results:3 = nv_tileas.async.pipeline.consumer_read %25, %38 {pipeline_stage = 1 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)> -> tensor<64xf32, #linear1>, tensor<64xf32, #linear1>, tensor<64x32xf32, #linear> {
      ^bb0(%arg13: tensor<32x32xf16, #shared1>, %arg14: tensor<32x32xf16, #shared1>):
        %40 = nv_tileaa.permute %arg13 [1, 0] : tensor<32x32xf16, #shared1> -> tensor<32x32xf16, #shared2>
        %41 = nv_tileas.dot %20, %40, %4 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4>} : tensor<64x32xf16, #shared>, tensor<32x32xf16, #shared2>, tensor<64x32xf32, #linear>
        %42 = arith.mulf %41, %0 : tensor<64x32xf32, #linear>
        %43 = arith.muli %arg7, %c32_i32 : i32
        %44 = arith.subi %arg5, %43 : i32
        %45 = nv_tileaa.splat %44 : i32 -> tensor<32xi32, #linear3>
        %46 = arith.cmpi slt, %19, %45 : tensor<32xi32, #linear3>
        %47 = nv_tileas.view %46 : tensor<32xi1, #linear3> -> tensor<1x32xi1, #linear5>
        %48 = nv_tileaa.broadcast %47 : tensor<1x32xi1, #linear5> -> tensor<64x32xi1, #linear>
        %49 = arith.select %48, %42, %1 : tensor<64x32xi1, #linear>, tensor<64x32xf32, #linear>
        %50 = nv_tileas.reduce %49 {axis = 1 : i32, identities = [-1.000000e+30 : f32]} : tensor<64x32xf32, #linear> -> tensor<64xf32, #linear1> {
        ^bb0(%arg15: f32, %arg16: f32):
          %66 = arith.maxnumf %arg15, %arg16 : f32
          nv_tileas.yield %66 : f32
        }
        %51 = arith.maxnumf %arg9, %50 : tensor<64xf32, #linear1>
        %52 = nv_tileas.view %51 : tensor<64xf32, #linear1> -> tensor<64x1xf32, #linear6>
        %53 = nv_tileaa.broadcast %52 : tensor<64x1xf32, #linear6> -> tensor<64x32xf32, #linear>
        %54 = arith.subf %49, %53 : tensor<64x32xf32, #linear>
        %55 = math.exp2 %54 : tensor<64x32xf32, #linear>
        %56 = nv_tileas.reduce %55 {axis = 1 : i32, identities = [0.000000e+00 : f32]} : tensor<64x32xf32, #linear> -> tensor<64xf32, #linear1> {
        ^bb0(%arg15: f32, %arg16: f32):
          %66 = arith.addf %arg15, %arg16 : f32
          nv_tileas.yield %66 : f32
        }
        %57 = arith.subf %arg9, %51 : tensor<64xf32, #linear1>
        %58 = math.exp2 %57 : tensor<64xf32, #linear1>
        %59 = arith.mulf %arg10, %58 : tensor<64xf32, #linear1>
        %60 = arith.addf %59, %56 : tensor<64xf32, #linear1>
        %61 = nv_tileas.view %58 : tensor<64xf32, #linear1> -> tensor<64x1xf32, #linear6>
        %62 = nv_tileaa.broadcast %61 : tensor<64x1xf32, #linear6> -> tensor<64x32xf32, #linear>
        %63 = arith.mulf %arg8, %62 : tensor<64x32xf32, #linear>
        %64 = arith.truncf %55 : tensor<64x32xf32, #linear> to tensor<64x32xf16, #linear>
        %65 = nv_tileas.dot %64, %arg14, %63 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #linear>, tensor<32x32xf16, #shared1>, tensor<64x32xf32, #linear>
        nv_tileas.async.pipeline.yield %51, %60, %65 : tensor<64xf32, #linear1>, tensor<64xf32, #linear1>, tensor<64x32xf32, #linear>
      }
      nv_tileas.async.pipeline.consumer_release %25, %consumed {pipeline_stage = 1 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %39 = nv_tileas.async.pipeline.inc_iter %arg12 {pipeline_stage = 1 : i32} : !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      scf.yield %results#2, %results#0, %results#1, %37, %39 : tensor<64x32xf32, #linear>, tensor<64xf32, #linear1>, tensor<64xf32, #linear1>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
    } {token_iter_idx = 3 : i32}
    %128:5 = scf.for %arg7 = %c0_i32 to %18 step %c1_i32 iter_args(%arg8 = %28#0, %arg9 = %28#1, %arg10 = %28#2, %arg11 = %28#3, %arg12 = %28#4) -> (tensor<64x32xf32, #linear>, tensor<64xf32, #linear1>, tensor<64xf32, #linear1>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>)  : i32 {
      %35 = nv_tileas.async.pipeline.producer_acquire %25, %arg11 {pipeline_stage = 0 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %36 = nv_tileas.async.pipeline.producer_write %25, %35 {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)> {
      ^bb0(%arg13: tensor<32x32xf16, #shared1>, %arg14: tensor<32x32xf16, #shared1>):
        %done, %result_token_2 = nv_tileas.async.tiled_load %11[%arg7, %c0_i32] into %arg13 {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #linear4} : <[32, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32), tensor<32x32xf16, #shared1>
        %done_3, %result_token_4 = nv_tileas.async.tiled_load %14[%arg7, %c0_i32] into %arg14 {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #linear4} : <[32, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32), tensor<32x32xf16, #shared1>
        nv_tileas.async.pipeline.yield %done, %done_3 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %25, %36 {pipeline_stage = 0 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %37 = nv_tileas.async.pipeline.inc_iter %arg11 {pipeline_stage = 0 : i32} : !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %38 = nv_tileas.async.pipeline.consumer_wait %25, %arg12 {pipeline_stage = 1 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %consumed, %results:3 = nv_tileas.async.pipeline.consumer_read %25, %38 {pipeline_stage = 1 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)> -> tensor<64xf32, #linear1>, tensor<64xf32, #linear1>, tensor<64x32xf32, #linear> {
      ^bb0(%arg13: tensor<32x32xf16, #shared1>, %arg14: tensor<32x32xf16, #shared1>):
        %40 = nv_tileaa.permute %arg13 [1, 0] : tensor<32x32xf16, #shared1> -> tensor<32x32xf16, #shared2>
        %41 = nv_tileas.dot %20, %40, %4 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4>} : tensor<64x32xf16, #shared>, tensor<32x32xf16, #shared2>, tensor<64x32xf32, #linear>
        %42 = arith.mulf %41, %0 : tensor<64x32xf32, #linear>
        %43 = arith.muli %arg7, %c32_i32 : i32
        %44 = arith.subi %arg5, %43 : i32
        %45 = nv_tileaa.splat %44 : i32 -> tensor<32xi32, #linear3>
        %46 = arith.cmpi slt, %19, %45 : tensor<32xi32, #linear3>
        %47 = nv_tileas.view %46 : tensor<32xi1, #linear3> -> tensor<1x32xi1, #linear5>
        %48 = nv_tileaa.broadcast %47 : tensor<1x32xi1, #linear5> -> tensor<64x32xi1, #linear>
        %49 = arith.select %48, %42, %1 : tensor<64x32xi1, #linear>, tensor<64x32xf32, #linear>
        %50 = nv_tileas.reduce %49 {axis = 1 : i32, identities = [-1.000000e+30 : f32]} : tensor<64x32xf32, #linear> -> tensor<64xf32, #linear1> {
        ^bb0(%arg15: f32, %arg16: f32):
          %66 = arith.maxnumf %arg15, %arg16 : f32
          nv_tileas.yield %66 : f32
        }
        %51 = arith.maxnumf %arg9, %50 : tensor<64xf32, #linear1>
        %52 = nv_tileas.view %51 : tensor<64xf32, #linear1> -> tensor<64x1xf32, #linear6>
        %53 = nv_tileaa.broadcast %52 : tensor<64x1xf32, #linear6> -> tensor<64x32xf32, #linear>
        %54 = arith.subf %49, %53 : tensor<64x32xf32, #linear>
        %55 = math.exp2 %54 : tensor<64x32xf32, #linear>
        %56 = nv_tileas.reduce %55 {axis = 1 : i32, identities = [0.000000e+00 : f32]} : tensor<64x32xf32, #linear> -> tensor<64xf32, #linear1> {
        ^bb0(%arg15: f32, %arg16: f32):
          %66 = arith.addf %arg15, %arg16 : f32
          nv_tileas.yield %66 : f32
        }
        %57 = arith.subf %arg9, %51 : tensor<64xf32, #linear1>
        %58 = math.exp2 %57 : tensor<64xf32, #linear1>
        %59 = arith.mulf %arg10, %58 : tensor<64xf32, #linear1>
        %60 = arith.addf %59, %56 : tensor<64xf32, #linear1>
        %61 = nv_tileas.view %58 : tensor<64xf32, #linear1> -> tensor<64x1xf32, #linear6>
        %62 = nv_tileaa.broadcast %61 : tensor<64x1xf32, #linear6> -> tensor<64x32xf32, #linear>
        %63 = arith.mulf %arg8, %62 : tensor<64x32xf32, #linear>
        %64 = arith.truncf %55 : tensor<64x32xf32, #linear> to tensor<64x32xf16, #linear>
        %65 = nv_tileas.dot %64, %arg14, %63 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #linear>, tensor<32x32xf16, #shared1>, tensor<64x32xf32, #linear>
        nv_tileas.async.pipeline.yield %51, %60, %65 : tensor<64xf32, #linear1>, tensor<64xf32, #linear1>, tensor<64x32xf32, #linear>
      }
      nv_tileas.async.pipeline.consumer_release %25, %consumed {pipeline_stage = 1 : i32} : !nv_tileas.pipeline<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      %39 = nv_tileas.async.pipeline.inc_iter %arg12 {pipeline_stage = 1 : i32} : !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
      scf.yield %results#2, %results#0, %results#1, %37, %39 : tensor<64x32xf32, #linear>, tensor<64xf32, #linear1>, tensor<64xf32, #linear1>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>, !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #shared1>, tensor<32x32xf16, #shared1>)>
    } {token_iter_idx = 3 : i32}
    %29 = nv_tileas.view %128#2 : tensor<64xf32, #linear1> -> tensor<64x1xf32, #linear6>
    %30 = nv_tileaa.broadcast %29 : tensor<64x1xf32, #linear6> -> tensor<64x32xf32, #linear>
    %31 = arith.divf %128#0, %30 : tensor<64x32xf32, #linear>
    %32 = nv_tileas.alloc_tensor : tensor<64x32xf32, #shared3>
    nv_tileas.copy %31, %32 {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x32xf32, #linear>, tensor<64x32xf32, #shared3>
    %33 = nv_tileas.convert_layout %32 {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 8>} : tensor<64x32xf32, #shared3> -> tensor<64x32xf32, #linear7>
    %34 = nv_tileas.tiled_store %17[%x, %c0_i32], %33 {vec = 4 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), tensor<64x32xf32, #linear7>
    nv_tileaa.return
  }
}
