// A ring of two stages whose stage is given back a round late, so that the last one is given back behind the loop. Divided
// among agents every release is in the region of the one that reads, none is left outside; executed, compared with the same
// product in cuda_tile by the reference.
// RUN: split-file %s %t
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' 'out:c:f32[256x256]=poison' --dump=c=%t/c.npy
// RUN: sed 's/@CC@/80/g' %t/late.mlir | tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" -o %t/late80.mlir
// RUN: tileiras-run %t/late80.mlir --gpu-name=sm_80 --check-races --schedules=4 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t/c.npy,tol=rel:1e-4/abs:1e-3}=poison'
// RUN: sed 's/@CC@/90/g' %t/late.mlir | tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" -o %t/late90.mlir
// RUN: tileiras-run %t/late90.mlir --gpu-name=sm_90 --check-races --schedules=4 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t/c.npy,tol=rel:1e-4/abs:1e-3}=poison'
// RUN: sed 's/@CC@/120/g' %t/late.mlir | tileiras-opt --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" -o %t/late120.mlir
// RUN: tileiras-run %t/late120.mlir --gpu-name=sm_120 --check-races --schedules=4 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t/c.npy,tol=rel:1e-4/abs:1e-3}=poison'
// RUN: FileCheck %s < %t/late90.mlir
// CHECK: create_pipeline
// CHECK-NOT: consumer_release
// CHECK: agent_switch
// CHECK: scf.for
// CHECK: consumer_read
// CHECK: scf.if
// CHECK: consumer_release
// CHECK: } {
// CHECK: consumer_release %{{.*}}, %{{.*}}#
// CHECK: tiled_store
// CHECK: }, {
// CHECK: producer_commit
// CHECK-NOT: consumer_release
// CHECK: nv_tileaa.return

// Without any release every reader gives its stage back at once.
// RUN: grep -v consumer_release %t/late.mlir | sed 's/@CC@/90/g' > %t/none.mlir
// RUN: tileiras-opt %t/none.mlir --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" -o %t/none90.mlir
// RUN: FileCheck %s --check-prefix=INSERTED < %t/none90.mlir
// INSERTED: agent_switch
// INSERTED: consumer_release
// INSERTED: }, {
// RUN: tileiras-run %t/none90.mlir --gpu-name=sm_90 --check-races --schedules=4 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t/c.npy,tol=rel:1e-4/abs:1e-3}=poison'

// What the release is for: the producer of the stage behind waits for it.
// RUN: grep -v 'consumer_release %ring, %last' %t/late.mlir | sed 's/@CC@/90/g; s/scf.if %later {/scf.if %later { %nothing = arith.addi %k, %c0 : i32/' > %t/never.mlir
// RUN: tileiras-opt %t/never.mlir --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))" -o %t/never90.mlir
// RUN: %{exits} 6 tileiras-run %t/never90.mlir --gpu-name=sm_90 --check-races --schedules=1 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' 'out:c:f32[256x256]=poison' 2>&1 | FileCheck %s --check-prefix=STUCK
// STUCK: deadlock

//--- same.mlir
cuda_tile.module @kernels {
  entry @gemm(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %am = make_tensor_view %a, shape = [256, 256], strides = [256, 1] : !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>
    %bm = make_tensor_view %b, shape = [256, 256], strides = [256, 1] : !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>
    %cm = make_tensor_view %c, shape = [256, 256], strides = [256, 1] : !cuda_tile.tensor_view<256x256xf32, strides=[256,1]>
    %av = make_partition_view %am : !cuda_tile.partition_view<tile=(64x32), !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>>
    %bv = make_partition_view %bm : !cuda_tile.partition_view<tile=(32x64), !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>>
    %cv = make_partition_view %cm : !cuda_tile.partition_view<tile=(64x64), !cuda_tile.tensor_view<256x256xf32, strides=[256,1]>>
    %z = constant <f32: 0.0> : tile<64x64xf32>
    %r = for %k in (%c0 to %c8, step %c1) : tile<i32> iter_values(%acc = %z) -> (tile<64x64xf32>) {
      %x, %t1 = load_view_tko weak %av[%bx, %k] : !cuda_tile.partition_view<tile=(64x32), !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>>, tile<i32> -> tile<64x32xf16>, token
      %y, %t2 = load_view_tko weak %bv[%k, %by] : !cuda_tile.partition_view<tile=(32x64), !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x64xf16>, token
      %d = mmaf %x, %y, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t3 = store_view_tko weak %r, %cv[%bx, %by] : tile<64x64xf32>, !cuda_tile.partition_view<tile=(64x64), !cuda_tile.tensor_view<256x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }
}
//--- late.mlir
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
gpu.module @kernels attributes {nv_tileaa.compute_capability = @CC@ : i32, nv_tileaa.target_spec = "sm_@CC@"} {
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
    %tc = nv_tileas.alloc_tensor : tensor<64x64xf32, #c>
    nv_tileas.copy %sum#0, %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : !acc, tensor<64x64xf32, #c>
    %stored = nv_tileas.convert_layout %tc {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x64xf32, #c> -> tensor<64x64xf32, #store>
    %token = nv_tileas.tiled_store %vc[%x, %y], %stored {vec = 4 : i32} : !c_view, (i32, i32), tensor<64x64xf32, #store>
    nv_tileaa.return
  }
}
