// A ring of three stages that two agents fill together, one half of a tile each, one with one warp and one
// with two; a third one adds up the tile's rows. Eight rounds. Compared with the same kernel in cuda_tile, by the reference.
// RUN: split-file %s %t
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=2 'x:f32[512x64]=normal(seed=7)' 'out:sums:f32[512]=poison' --dump=sums=%t/sums.npy
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_80 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison'
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_90 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison'
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_100 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison'
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_120 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison'
// RUN: tileiras %t/ring.mlir --gpu-name=sm_90 --emit=ptx -o %t/ring.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t/ring.ptx

// A stage is full when the 96 threads of both producers have arrived.
// PTX: mov.b32 [[FULL:.*]], 96;
// PTX-NEXT: mbarrier.init.shared.b64 {{.*}}, [[FULL]];

// A stage that is full when one of the two has filled its half, and one that waits for more threads than there are.
// RUN: sed 's/\(mov.b32[^,]*\), 96;/\1, 32;/' %t/ring.ptx > %t/half.ptx
// RUN: %{exits} 6 tileiras-run %t/half.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' 'out:sums:f32[512]=poison' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HALF
// HALF: {{race|nobody has written|arrive}}
// RUN: sed 's/\(mov.b32[^,]*\), 96;/\1, 97;/' %t/ring.ptx > %t/many.ptx
// RUN: %{exits} 6 tileiras-run %t/many.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' 'out:sums:f32[512]=poison' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MANY
// MANY: deadlock

// By threads only: of tensor copies the bytes of a stage are announced once.
// RUN: sed 's/{numStages = 3 : i32}/{groups, numStages = 3 : i32}/' %t/ring.mlir > %t/groups.mlir
// RUN: not tileiras %t/groups.mlir --gpu-name=sm_90 --emit=ptx -o %t/none.ptx 2>&1 | FileCheck %s --check-prefix=GROUPS
// GROUPS: groups.mlir":{{[0-9]+}}:{{[0-9]+}}): error: {{.*}}create_pipeline{{.*}} expects one agent that commits to the pipeline, got 2: only threads can fill a stage together

//--- same.mlir
!x = !cuda_tile.tensor_view<512x64xf32, strides=[64,1]>
!sums = !cuda_tile.tensor_view<512xf32, strides=[1]>
!x_tile = !cuda_tile.partition_view<tile=(32x64), !x>
!sums_tile = !cuda_tile.partition_view<tile=(32), !sums>
cuda_tile.module @kernels {
  entry @rows(%x: tile<ptr<f32>>, %s: tile<ptr<f32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %xm = make_tensor_view %x, shape = [512, 64], strides = [64, 1] : !x
    %sm = make_tensor_view %s, shape = [512], strides = [1] : !sums
    %xv = make_partition_view %xm : !x_tile
    %sv = make_partition_view %sm : !sums_tile
    %first = muli %block, %c8 : tile<i32>
    for %k in (%c0 to %c8, step %c1) : tile<i32> {
      %i = addi %first, %k : tile<i32>
      %a, %t1 = load_view_tko weak %xv[%i, %c0] : !x_tile, tile<i32> -> tile<32x64xf32>, token
      %sum = reduce %a dim=1 identities=[0.0 : f32] : tile<32x64xf32> -> tile<32xf32>
      (%p: tile<f32>, %q: tile<f32>) {
        %r = addf %p, %q : tile<f32>
        yield %r : tile<f32>
      }
      %t2 = store_view_tko weak %sum, %sv[%i] : tile<32xf32>, !sums_tile, tile<i32> -> token
      continue
    }
    return
  }
}

//--- ring.mlir
!x = !nv_tileaa.memref<512x64xf32, strides = [64, 1]>
!sums = !nv_tileaa.memref<512xf32, strides = [1]>
!x_half = !nv_tileaa.tiled_view<[32, 32], !x>
!sums_tile = !nv_tileaa.tiled_view<[32], !sums>
#one = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [1, 1], order = [1, 0]>
#two = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [2, 1], order = [1, 0]>
#wide = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 4], order = [1, 0]>
#sums = #nv_tileas.linear<rank = 1, register = [[16]], lane = [[0], [1], [2], [4], [8]], warp = [[0], [0]]>
#shared = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]>
!tile = tensor<32x32xf32, #shared>
!pipe = !nv_tileas.pipeline<3 x (!tile, !tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile, !tile)>
gpu.module @kernels {
  nv_tileaa.func @rows(%x: !nv_tileaa.ptr<f32>, %s: !nv_tileaa.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %bx, %by, %bz = nv_tileaa.get_program_id
    %first = arith.muli %bx, %c8 : i32
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !x
    %sm = nv_tileaa.make_memref %s, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !sums
    %from = nv_tileaa.block_tile %xm : !x -> !x_half
    %to_sums = nv_tileaa.block_tile %sm : !sums -> !sums_tile
    %s0 = nv_tileas.alloc_tensor : !tile
    %s1 = nv_tileas.alloc_tensor : !tile
    %s2 = nv_tileas.alloc_tensor : !tile
    %s3 = nv_tileas.alloc_tensor : !tile
    %s4 = nv_tileas.alloc_tensor : !tile
    %s5 = nv_tileas.alloc_tensor : !tile
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {numStages = 3 : i32} : (!tile, !tile, !tile, !tile, !tile, !tile) -> !pipe
    nv_tileas.async.pipeline.agent_switch %ring : !pipe attributes {num_warps = array<i32: 1, 2, 4>} {
    ^bb0(%p: !pipe):
      %begin = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
      %end = scf.for %k = %c0 to %c8 step %c1 iter_args(%it = %begin) -> (!iter) : i32 {
        %i = arith.addi %first, %k : i32
        %a, %t1 = nv_tileas.tiled_load %from[%i, %c0] {vec = 4 : i32} : !x_half, (i32, i32) -> tensor<32x32xf32, #one>
        %p0 = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
        %p1 = nv_tileas.async.pipeline.producer_write %p, %p0 : !pipe {
        ^bb0(%left: !tile, %right: !tile):
          nv_tileas.copy %a, %left : tensor<32x32xf32, #one>, !tile
          nv_tileas.async.pipeline.yield
        }
        nv_tileas.async.pipeline.producer_commit %p, %p1 : !pipe
        %next = nv_tileas.async.pipeline.inc_iter %it : !iter
        scf.yield %next : !iter
      }
    }, {
    ^bb0(%p: !pipe):
      %begin = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
      %end = scf.for %k = %c0 to %c8 step %c1 iter_args(%it = %begin) -> (!iter) : i32 {
        %i = arith.addi %first, %k : i32
        %a, %t1 = nv_tileas.tiled_load %from[%i, %c1] {vec = 4 : i32} : !x_half, (i32, i32) -> tensor<32x32xf32, #two>
        %p0 = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
        %p1 = nv_tileas.async.pipeline.producer_write %p, %p0 : !pipe {
        ^bb0(%left: !tile, %right: !tile):
          nv_tileas.copy %a, %right : tensor<32x32xf32, #two>, !tile
          nv_tileas.async.pipeline.yield
        }
        nv_tileas.async.pipeline.producer_commit %p, %p1 : !pipe
        %next = nv_tileas.async.pipeline.inc_iter %it : !iter
        scf.yield %next : !iter
      }
    }, {
    ^bb0(%p: !pipe):
      %begin = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
      %end = scf.for %k = %c0 to %c8 step %c1 iter_args(%it = %begin) -> (!iter) : i32 {
        %i = arith.addi %first, %k : i32
        %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
        %q1, %a = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> tensor<32x32xf32, #wide> {
        ^bb0(%left: !tile, %right: !tile):
          %l = nv_tileas.convert_layout %left {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<32x32xf32, #wide>
          %r = nv_tileas.convert_layout %right {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<32x32xf32, #wide>
          %v = nv_tileaa.addf %l, %r : tensor<32x32xf32, #wide>
          nv_tileas.async.pipeline.yield %v : tensor<32x32xf32, #wide>
        }
        nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
        %sum = nv_tileas.reduce %a {axis = 1 : i32, identities = [0.0 : f32]} : tensor<32x32xf32, #wide> -> tensor<32xf32, #sums> {
        ^bb0(%l: f32, %m: f32):
          %r = nv_tileaa.addf %l, %m : f32
          nv_tileas.yield %r : f32
        }
        %t2 = nv_tileas.tiled_store %to_sums[%i], %sum : !sums_tile, (i32), tensor<32xf32, #sums>
        %next = nv_tileas.async.pipeline.inc_iter %it : !iter
        scf.yield %next : !iter
      }
    }
    nv_tileaa.return
  }
}
