// Tiles that the whole block computes and agents use (tileas-resolve-agent-boundary), executed: all eight warps fetch a tile; one agent stores twice
// of it, another one what is left when a splat from before is taken from it.
// RUN: split-file %s %t
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=4 'x:f32[256x64]=iota' 'out:y:f32[256x64]=poison' 'out:z:f32[256x64]=poison' --dump=y=%t/y.npy --dump=z=%t/z.npy
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_80 --check-races --schedules=6 --grid=4 'x:f32[256x64]=iota' 'out:y:f32[256x64]{expect=%t/y.npy}=poison' 'out:z:f32[256x64]{expect=%t/z.npy}=poison'
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_90 --check-races --schedules=6 --grid=4 'x:f32[256x64]=iota' 'out:y:f32[256x64]{expect=%t/y.npy}=poison' 'out:z:f32[256x64]{expect=%t/z.npy}=poison'
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_120 --check-races --schedules=6 --grid=4 'x:f32[256x64]=iota' 'out:y:f32[256x64]{expect=%t/y.npy}=poison' 'out:z:f32[256x64]{expect=%t/z.npy}=poison'

// By way of one shared tile, which a capture is, too.
// RUN: tileiras-opt %t/agents.mlir --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-resolve-agent-boundary)))" | FileCheck %s
// CHECK: %[[TILE:.*]], %{{.*}} = nv_tileas.tiled_load
// CHECK: %[[SHARED:.*]] = nv_tileas.alloc_tensor : tensor<64x64xf32, #[[S:.*]]>
// CHECK: nv_tileas.copy %[[TILE]], %[[SHARED]]
// CHECK: agent_switch %[[SHARED]] : tensor<64x64xf32, #[[S]]>
// CHECK: ^bb0(%[[MINE:.*]]: tensor<64x64xf32, #[[S]]>):
// CHECK: convert_layout %[[MINE]] {atom_plan
// CHECK: }, {
// CHECK: nv_tileaa.splat
// CHECK: convert_layout %[[SHARED]] {atom_plan
// CHECK: nv_tileaa.return

// What the barrier between is for: the tile is read before it is written.
// RUN: tileiras %t/agents.mlir --gpu-name=sm_90 --emit=ptx -o %t/good.ptx
// RUN: sed '/bar.sync/d' %t/good.ptx > %t/early.ptx
// RUN: %{exits} 6 tileiras-run %t/early.ptx --check-races --schedules=6 --grid=4 --block=256 'x:f32[256x64]=iota' 'out:y:f32[256x64]=poison' 'out:z:f32[256x64]=poison' 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: {{race|nobody has written}}

// More warps than the agent has: only a conversion can be resolved.
// RUN: %{exits} 5 tileiras %t/wide.mlir --gpu-name=sm_90 --emit=ptx -o %t/wide.ptx 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: is spread over 8 warps, the code that uses it is run by 4

//--- same.mlir
!m = !cuda_tile.tensor_view<256x64xf32, strides=[64,1]>
!view = !cuda_tile.partition_view<tile=(64x64), !m>
cuda_tile.module @kernels {
  entry @both(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %three = constant <f32: 3.0> : tile<64x64xf32>
    %xm = make_tensor_view %x, shape = [256, 64], strides = [64, 1] : !m
    %ym = make_tensor_view %y, shape = [256, 64], strides = [64, 1] : !m
    %zm = make_tensor_view %z, shape = [256, 64], strides = [64, 1] : !m
    %xv = make_partition_view %xm : !view
    %yv = make_partition_view %ym : !view
    %zv = make_partition_view %zm : !view
    %a, %t0 = load_view_tko weak %xv[%bx, %c0] : !view, tile<i32> -> tile<64x64xf32>, token
    %b = addf %a, %a : tile<64x64xf32>
    %c = subf %a, %three : tile<64x64xf32>
    %t1 = store_view_tko weak %b, %yv[%bx, %c0] : tile<64x64xf32>, !view, tile<i32> -> token
    %t2 = store_view_tko weak %c, %zv[%bx, %c0] : tile<64x64xf32>, !view, tile<i32> -> token
    return
  }
}

//--- agents.mlir
!m = !nv_tileaa.memref<256x64xf32, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[64, 64], !m>
#eight = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [8, 1], order = [1, 0]>
#four = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [4, 1], order = [1, 0]>
#two = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [1, 2], order = [1, 0]>
gpu.module @kernels {
  nv_tileaa.func @both(%x: !nv_tileaa.ptr<f32>, %y: !nv_tileaa.ptr<f32>, %z: !nv_tileaa.ptr<f32>)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %three = arith.constant 3.0 : f32
    %bx, %by, %bz = nv_tileaa.get_program_id
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !m
    %ym = nv_tileaa.make_memref %y, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !m
    %zm = nv_tileaa.make_memref %z, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !m
    %xv = nv_tileaa.block_tile %xm : !m -> !view
    %yv = nv_tileaa.block_tile %ym : !m -> !view
    %zv = nv_tileaa.block_tile %zm : !m -> !view
    %tile, %t0 = nv_tileas.tiled_load %xv[%bx, %c0] {vec = 1 : i32} : !view, (i32, i32) -> tensor<64x64xf32, #eight>
    %splat = nv_tileaa.splat %three : f32 -> tensor<64x64xf32, #two>
    nv_tileas.async.pipeline.agent_switch %tile : tensor<64x64xf32, #eight> attributes {num_warps = array<i32: 4, 2>} {
    ^bb0(%mine: tensor<64x64xf32, #eight>):
      %a = nv_tileas.convert_layout %mine : tensor<64x64xf32, #eight> -> tensor<64x64xf32, #four>
      %b = nv_tileaa.addf %a, %a : tensor<64x64xf32, #four>
      %t1 = nv_tileas.tiled_store %yv[%bx, %c0], %b {vec = 1 : i32} : !view, (i32, i32), tensor<64x64xf32, #four>
    }, {
    ^bb0(%mine: tensor<64x64xf32, #eight>):
      %a = nv_tileas.convert_layout %tile : tensor<64x64xf32, #eight> -> tensor<64x64xf32, #two>
      %b = nv_tileaa.subf %a, %splat : tensor<64x64xf32, #two>
      %t1 = nv_tileas.tiled_store %zv[%bx, %c0], %b {vec = 1 : i32} : !view, (i32, i32), tensor<64x64xf32, #two>
    }
    nv_tileaa.return
  }
}

//--- wide.mlir
#eight = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [8, 1], order = [1, 0]>
gpu.module @kernels {
  nv_tileaa.func @k(%x: !nv_tileaa.ptr<f32>)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !nv_tileaa.memref<64x64xf32, strides = [64, 1]>
    %xv = nv_tileaa.block_tile %xm : !nv_tileaa.memref<64x64xf32, strides = [64, 1]> -> !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<64x64xf32, strides = [64, 1]>>
    %tile, %t0 = nv_tileas.tiled_load %xv[%c0, %c0] {vec = 1 : i32} : !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<64x64xf32, strides = [64, 1]>>, (i32, i32) -> tensor<64x64xf32, #eight>
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>} {
      %b = nv_tileaa.addf %tile, %tile : tensor<64x64xf32, #eight>
      %t1 = nv_tileas.tiled_store %xv[%c0, %c0], %b {vec = 1 : i32} : !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<64x64xf32, strides = [64, 1]>>, (i32, i32), tensor<64x64xf32, #eight>
    }
    nv_tileaa.return
  }
}
