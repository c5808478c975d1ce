// Two agents of a kernel of eight warps, executed. The transposer (two warps) fetches a tile per round, hands it to the
// reducer (four warps) in a shared tile, and stores it transposed by way of another; the reducer sums its rows over its
// warps. Between them two named barriers: `full`, the shared tile has been written; `empty`, it may be written again. The
// numbers are compared with those of the same kernel in cuda_tile, by the reference.
// RUN: split-file %s %t
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=2 'x:f32[256x64]=normal(seed=3)' 'out:sums:f32[256]=poison' \
// RUN:   'out:xt:f32[64x256]=poison' --dump=sums=%t/sums.npy --dump=xt=%t/xt.npy
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_80 --check-races --schedules=6 --grid=2 'x:f32[256x64]=normal(seed=3)' \
// RUN:   'out:sums:f32[256]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:xt:f32[64x256]{expect=%t/xt.npy}=poison'
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_90 --check-races --schedules=6 --grid=2 'x:f32[256x64]=normal(seed=3)' \
// RUN:   'out:sums:f32[256]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:xt:f32[64x256]{expect=%t/xt.npy}=poison'
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_100 --check-races --schedules=6 --grid=2 'x:f32[256x64]=normal(seed=3)' \
// RUN:   'out:sums:f32[256]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:xt:f32[64x256]{expect=%t/xt.npy}=poison'
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_120 --check-races --schedules=6 --grid=2 'x:f32[256x64]=normal(seed=3)' \
// RUN:   'out:sums:f32[256]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:xt:f32[64x256]{expect=%t/xt.npy}=poison'

// What the checks are for: the reducer's barriers swapped; its wait left out; its leave to write again given too early.
// RUN: sed -e '/reducer begins/,/reducer ends/{s/= %%empty/= %%other/;s/= %%full/= %%empty/;s/= %%other/= %%full/;}' %t/agents.mlir > %t/swapped.mlir
// RUN: %{exits} 6 tileiras-run %t/swapped.mlir --gpu-name=sm_90 --check-races --schedules=3 --grid=2 'x:f32[256x64]=normal(seed=3)' \
// RUN:   'out:sums:f32[256]=poison' 'out:xt:f32[64x256]=poison' 2>&1 | FileCheck %s --check-prefix=SWAPPED
// RUN: sed -e '/nvvm.barrier id = %%full/d' %t/agents.mlir > %t/early.mlir
// RUN: %{exits} 6 tileiras-run %t/early.mlir --gpu-name=sm_90 --check-races --grid=2 'x:f32[256x64]=normal(seed=3)' \
// RUN:   'out:sums:f32[256]=poison' 'out:xt:f32[64x256]=poison' 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sed -e '/nvvm.barrier id = %%empty/d' -e '/nvvm.barrier.arrive id = %%empty/d' %t/agents.mlir > %t/late.mlir
// RUN: %{exits} 6 tileiras-run %t/late.mlir --gpu-name=sm_90 --check-races --grid=2 'x:f32[256x64]=normal(seed=3)' \
// RUN:   'out:sums:f32[256]=poison' 'out:xt:f32[64x256]=poison' 2>&1 | FileCheck %s --check-prefix=LATE

// Tiles of two agents that share bytes: the reducer's parts of sums where the transposer turns its tile.
// RUN: tileiras %t/agents.mlir --gpu-name=sm_90 --emit=ptx -o %t/apart.ptx
// RUN: tileiras-run %t/apart.ptx --check-races --grid=2 --block=256 'x:f32[256x64]=normal(seed=3)' \
// RUN:   'out:sums:f32[256]=poison' 'out:xt:f32[64x256]=poison'
// RUN: sed '/shared/s/+8\([1-6][0-9][0-9]\)\]/+9\1]/' %t/apart.ptx > %t/overlap.ptx && not diff -q %t/apart.ptx %t/overlap.ptx
// RUN: %{exits} 6 tileiras-run %t/overlap.ptx --check-races --grid=2 --block=256 'x:f32[256x64]=normal(seed=3)' \
// RUN:   'out:sums:f32[256]=poison' 'out:xt:f32[64x256]=poison' 2>&1 | FileCheck %s --check-prefix=LATE

// SWAPPED: reads a byte nobody has written
// EARLY: reads a byte nobody has written
// LATE: race

//--- same.mlir
!x = !cuda_tile.tensor_view<256x64xf32, strides=[64,1]>
!sums = !cuda_tile.tensor_view<256xf32, strides=[1]>
!xt = !cuda_tile.tensor_view<64x256xf32, strides=[256,1]>
!x_tile = !cuda_tile.partition_view<tile=(32x64), !x>
!sums_tile = !cuda_tile.partition_view<tile=(32), !sums>
!xt_tile = !cuda_tile.partition_view<tile=(64x32), !xt>
cuda_tile.module @kernels {
  entry @sums(%x: tile<ptr<f32>>, %s: tile<ptr<f32>>, %t: tile<ptr<f32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %xm = make_tensor_view %x, shape = [256, 64], strides = [64, 1] : !x
    %sm = make_tensor_view %s, shape = [256], strides = [1] : !sums
    %tm = make_tensor_view %t, shape = [64, 256], strides = [256, 1] : !xt
    %xv = make_partition_view %xm : !x_tile
    %sv = make_partition_view %sm : !sums_tile
    %tv = make_partition_view %tm : !xt_tile
    %first = muli %block, %c4 : tile<i32>
    for %k in (%c0 to %c4, step %c1) : tile<i32> {
      %i = addi %first, %k : tile<i32>
      %a, %t0 = load_view_tko weak %xv[%i, %c0] : !x_tile, tile<i32> -> tile<32x64xf32>, token
      %sum = reduce %a dim=1 identities=[0.0 : f32] : tile<32x64xf32> -> tile<32xf32>
      (%p: tile<f32>, %q: tile<f32>) {
        %r = addf %p, %q : tile<f32>
        yield %r : tile<f32>
      }
      %t1 = store_view_tko weak %sum, %sv[%i] : tile<32xf32>, !sums_tile, tile<i32> -> token
      %at = permute %a [1, 0] : tile<32x64xf32> -> tile<64x32xf32>
      %t2 = store_view_tko weak %at, %tv[%c0, %i] : tile<64x32xf32>, !xt_tile, tile<i32> -> token
    }
    return
  }
}

//--- agents.mlir
!x = !nv_tileaa.memref<256x64xf32, strides = [64, 1]>
!sums = !nv_tileaa.memref<256xf32, strides = [1]>
!xt = !nv_tileaa.memref<64x256xf32, strides = [256, 1]>
!x_tile = !nv_tileaa.tiled_view<[32, 64], !x>
!sums_tile = !nv_tileaa.tiled_view<[32], !sums>
!xt_tile = !nv_tileaa.tiled_view<[64, 32], !xt>
// The reducer: four warps share the columns. The transposer: two warps, along rows as they come and along columns as they go.
#wide = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 4], order = [1, 0]>
#rows = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [2, 1], order = [1, 0]>
#columns = #nv_tileas.blocked<size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 2], order = [0, 1]>
#columns_t = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [2, 1], order = [1, 0]>
#sums = #nv_tileas.linear<rank = 1, register = [[16]], lane = [[0], [1], [2], [4], [8]], warp = [[0], [0]]>
#shared = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]>
gpu.module @kernels {
  nv_tileaa.func @sums(%x: !nv_tileaa.ptr<f32>, %s: !nv_tileaa.ptr<f32>, %t: !nv_tileaa.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %full = arith.constant 1 : i32
    %empty = arith.constant 2 : i32
    %all = arith.constant 192 : i32
    %bx, %by, %bz = nv_tileaa.get_program_id
    %first = arith.muli %bx, %c4 : i32
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !x
    %sm = nv_tileaa.make_memref %s, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !sums
    %tm = nv_tileaa.make_memref %t, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !xt
    %xv = nv_tileaa.block_tile %xm : !x -> !x_tile
    %sv = nv_tileaa.block_tile %sm : !sums -> !sums_tile
    %tv = nv_tileaa.block_tile %tm : !xt -> !xt_tile
    %tile = nv_tileas.alloc_tensor : tensor<32x64xf32, #shared>
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 2>} {
      // reducer begins
      scf.for %k = %c0 to %c4 step %c1 : i32 {
        %i = arith.addi %first, %k : i32
        nvvm.barrier.arrive id = %empty number_of_threads = %all
        nvvm.barrier id = %full number_of_threads = %all
        %a = nv_tileas.convert_layout %tile {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : tensor<32x64xf32, #shared> -> tensor<32x64xf32, #wide>
        %sum = nv_tileas.reduce %a {axis = 1 : i32, identities = [0.0 : f32]} : tensor<32x64xf32, #wide> -> tensor<32xf32, #sums> {
        ^bb0(%p: f32, %q: f32):
          %r = nv_tileaa.addf %p, %q : f32
          nv_tileas.yield %r : f32
        }
        %t1 = nv_tileas.tiled_store %sv[%i], %sum : !sums_tile, (i32), tensor<32xf32, #sums>
      }
      // reducer ends
    }, {
      scf.for %k = %c0 to %c4 step %c1 : i32 {
        %i = arith.addi %first, %k : i32
        %a, %t0 = nv_tileas.tiled_load %xv[%i, %c0] {vec = 4 : i32} : !x_tile, (i32, i32) -> tensor<32x64xf32, #rows>
        nvvm.barrier id = %empty number_of_threads = %all
        nv_tileas.copy %a, %tile : tensor<32x64xf32, #rows>, tensor<32x64xf32, #shared>
        nvvm.barrier.arrive id = %full number_of_threads = %all
        %b = nv_tileas.convert_layout %a : tensor<32x64xf32, #rows> -> tensor<32x64xf32, #columns>
        %bt = nv_tileaa.permute %b [1, 0] : tensor<32x64xf32, #columns> -> tensor<64x32xf32, #columns_t>
        %t2 = nv_tileas.tiled_store %tv[%c0, %i], %bt {vec = 4 : i32} : !xt_tile, (i32, i32), tensor<64x32xf32, #columns_t>
      }
    }
    nv_tileaa.return
  }
}
