// A ring of three stages between one producer of two warps and two consumers of four, eight rounds through it, executed.
// A stage holds a tile and the number of its row of tiles; the producer fills it, one consumer sums the tile's rows, the
// other takes the maxima of its columns. Compared with the same kernel in cuda_tile, by the reference.
// RUN: split-file %s %t
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=2 'x:f32[512x64]=normal(seed=7)' 'out:sums:f32[512]=poison' \
// RUN:   'out:tops:f32[16x64]=poison' --dump=sums=%t/sums.npy --dump=tops=%t/tops.npy
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_80 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[16x64]{expect=%t/tops.npy}=poison'
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_90 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[16x64]{expect=%t/tops.npy}=poison'
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_100 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[16x64]{expect=%t/tops.npy}=poison'
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_120 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[16x64]{expect=%t/tops.npy}=poison'
// RUN: tileiras %t/ring.mlir --gpu-name=sm_90 --emit=ptx -o %t/ring.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t/ring.ptx
// RUN: tileiras %t/ring.mlir --gpu-name=sm_80 --emit=ptx | FileCheck %s --check-prefix=SM80

// Three stages; a stage is full when the producer's 64 threads have arrived, and empty when one of each
// of the consumers' 8 warps has, for lanes that have met.
// Nobody meets at a barrier of the block in the loops.
// PTX: mov.b32 [[FULL:.*]], 64;
// PTX-NEXT: mbarrier.init.shared.b64 {{.*}}, [[FULL]];
// PTX-NEXT: mov.b32 [[EMPTY:.*]], 8;
// PTX-NEXT: mbarrier.init.shared.b64 {{.*}}, [[EMPTY]];
// PTX-COUNT-4: mbarrier.init.shared.b64
// PTX: bar.sync 0;
// PTX-NOT: bar.sync 0;
// PTX: mbarrier.try_wait.parity.shared.b64
// PTX: mbarrier.arrive.shared.b64
// PTX: bar.warp.sync
// PTX: @one mbarrier.arrive.shared.b64 _,
// PTX-NOT: bar.sync 0;
// SM80-NOT: try_wait
// SM80: mbarrier.test_wait.parity.shared.b64
// SM80-NOT: try_wait

// What the checks are for. The producer does not wait for empty stages; a consumer does not wait for full ones; a stage
// counts the arrivals of one consumer only; it counts one arrival too many; the block does not meet after the barriers
// have been initialised; a lane arrives for others that it has not met.
// RUN: sed '0,/mbarrier.try_wait.*;/s//setp.eq.u32 done, 0, 0;/' %t/ring.ptx > %t/hasty.ptx
// RUN: %{exits} 6 tileiras-run %t/hasty.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]=poison' 'out:tops:f32[16x64]=poison' 2>&1 | FileCheck %s --check-prefix=HASTY
// RUN: tac %t/ring.ptx | sed '0,/mbarrier.try_wait.*;/s//setp.eq.u32 done, 0, 0;/' | tac > %t/eager.ptx
// RUN: %{exits} 6 tileiras-run %t/eager.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]=poison' 'out:tops:f32[16x64]=poison' 2>&1 | FileCheck %s --check-prefix=EAGER
// RUN: sed 's/\(mov.b32[^,]*\), 8;/\1, 4;/' %t/ring.ptx > %t/few.ptx
// RUN: %{exits} 6 tileiras-run %t/few.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]=poison' 'out:tops:f32[16x64]=poison' 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: sed 's/\(mov.b32[^,]*\), 64;/\1, 65;/' %t/ring.ptx > %t/many.ptx
// RUN: %{exits} 6 tileiras-run %t/many.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]=poison' 'out:tops:f32[16x64]=poison' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: sed '/bar.sync.*0;/d' %t/ring.ptx > %t/early.ptx
// RUN: %{exits} 6 tileiras-run %t/early.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]=poison' 'out:tops:f32[16x64]=poison' 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sed '/bar.warp.sync/d' %t/ring.ptx > %t/alone.ptx
// RUN: %{exits} 6 tileiras-run %t/alone.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]=poison' 'out:tops:f32[16x64]=poison' 2>&1 | FileCheck %s --check-prefix=ALONE

// HASTY: {{race|deadlock}}
// EAGER: {{race|nobody has written}}
// FEW: deadlock
// MANY: deadlock
// EARLY: race
// ALONE: race

//--- same.mlir
!x = !cuda_tile.tensor_view<512x64xf32, strides=[64,1]>
!sums = !cuda_tile.tensor_view<512xf32, strides=[1]>
!tops = !cuda_tile.tensor_view<16x64xf32, strides=[64,1]>
!x_tile = !cuda_tile.partition_view<tile=(32x64), !x>
!sums_tile = !cuda_tile.partition_view<tile=(32), !sums>
!tops_tile = !cuda_tile.partition_view<tile=(1x64), !tops>
cuda_tile.module @kernels {
  entry @rows(%x: tile<ptr<f32>>, %s: tile<ptr<f32>>, %t: tile<ptr<f32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %xm = make_tensor_view %x, shape = [512, 64], strides = [64, 1] : !x
    %sm = make_tensor_view %s, shape = [512], strides = [1] : !sums
    %tm = make_tensor_view %t, shape = [16, 64], strides = [64, 1] : !tops
    %xv = make_partition_view %xm : !x_tile
    %sv = make_partition_view %sm : !sums_tile
    %tv = make_partition_view %tm : !tops_tile
    %t0 = make_token : token
    %first = muli %block, %c8 : tile<i32>
    %last = for %k in (%c0 to %c8, step %c1) : tile<i32> iter_values(%before = %t0) -> (token) {
      %i = addi %first, %k : tile<i32>
      %a, %t1 = load_view_tko weak %xv[%i, %c0] : !x_tile, tile<i32> -> tile<32x64xf32>, token
      %sum = reduce %a dim=1 identities=[0.0 : f32] : tile<32x64xf32> -> tile<32xf32>
      (%p: tile<f32>, %q: tile<f32>) {
        %r = addf %p, %q : tile<f32>
        yield %r : tile<f32>
      }
      %top = reduce %a dim=0 identities=[0xFF800000 : f32] : tile<32x64xf32> -> tile<64xf32>
      (%p: tile<f32>, %q: tile<f32>) {
        %r = maxf %p, %q : tile<f32>
        yield %r : tile<f32>
      }
      %t2 = store_view_tko weak %sum, %sv[%i] token=%before : tile<32xf32>, !sums_tile, tile<i32> -> token
      %row = reshape %top : tile<64xf32> -> tile<1x64xf32>
      %t3 = store_view_tko weak %row, %tv[%i, %c0] : tile<1x64xf32>, !tops_tile, tile<i32> -> token
      continue %t2 : token
    }
    return
  }
}

//--- ring.mlir
!x = !nv_tileaa.memref<512x64xf32, strides = [64, 1]>
!sums = !nv_tileaa.memref<512xf32, strides = [1]>
!tops = !nv_tileaa.memref<16x64xf32, strides = [64, 1]>
!x_tile = !nv_tileaa.tiled_view<[32, 64], !x>
!sums_tile = !nv_tileaa.tiled_view<[32], !sums>
!tops_tile = !nv_tileaa.tiled_view<[1, 64], !tops>
#loaded = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [2, 1], order = [1, 0]>
#wide = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 4], order = [1, 0]>
#tall = #nv_tileas.blocked<size_per_thread = [2, 1], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [0, 1]>
#sums = #nv_tileas.linear<rank = 1, register = [[16]], lane = [[0], [1], [2], [4], [8]], warp = [[0], [0]]>
#tops = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#top_row = #nv_tileas.linear<rank = 2, register = [[0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>
#shared = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]>
!tile = tensor<32x64xf32, #shared>
!pipe = !nv_tileas.pipeline<3 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile)>
gpu.module @kernels {
  nv_tileaa.func @rows(%x: !nv_tileaa.ptr<f32>, %s: !nv_tileaa.ptr<f32>, %t: !nv_tileaa.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %bx, %by, %bz = nv_tileaa.get_program_id
    %first = arith.muli %bx, %c8 : i32
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !x
    %sm = nv_tileaa.make_memref %s, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !sums
    %tm = nv_tileaa.make_memref %t, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !tops
    %from = nv_tileaa.block_tile %xm : !x -> !x_tile
    %to_sums = nv_tileaa.block_tile %sm : !sums -> !sums_tile
    %to_tops = nv_tileaa.block_tile %tm : !tops -> !tops_tile
    %s0 = nv_tileas.alloc_tensor : !tile
    %s1 = nv_tileas.alloc_tensor : !tile
    %s2 = nv_tileas.alloc_tensor : !tile
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2 {numStages = 3 : i32} : (!tile, !tile, !tile) -> !pipe
    nv_tileas.async.pipeline.agent_switch %ring : !pipe attributes {num_warps = array<i32: 2, 4, 4>} {
    ^bb0(%p: !pipe):
      %begin = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
      %end = scf.for %k = %c0 to %c8 step %c1 iter_args(%it = %begin) -> (!iter) : i32 {
        %i = arith.addi %first, %k : i32
        %a, %t1 = nv_tileas.tiled_load %from[%i, %c0] {vec = 4 : i32} : !x_tile, (i32, i32) -> tensor<32x64xf32, #loaded>
        %p0 = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
        %p1 = nv_tileas.async.pipeline.producer_write %p, %p0 : !pipe {
        ^bb0(%stage: !tile):
          nv_tileas.copy %a, %stage : tensor<32x64xf32, #loaded>, !tile
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
        %q1, %a = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> tensor<32x64xf32, #wide> {
        ^bb0(%stage: !tile):
          %v = nv_tileas.convert_layout %stage {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<32x64xf32, #wide>
          nv_tileas.async.pipeline.yield %v : tensor<32x64xf32, #wide>
        }
        nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
        %sum = nv_tileas.reduce %a {axis = 1 : i32, identities = [0.0 : f32]} : tensor<32x64xf32, #wide> -> tensor<32xf32, #sums> {
        ^bb0(%l: f32, %m: f32):
          %r = nv_tileaa.addf %l, %m : f32
          nv_tileas.yield %r : f32
        }
        %t2 = nv_tileas.tiled_store %to_sums[%i], %sum : !sums_tile, (i32), tensor<32xf32, #sums>
        %next = nv_tileas.async.pipeline.inc_iter %it : !iter
        scf.yield %next : !iter
      }
    }, {
    ^bb0(%p: !pipe):
      %begin = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
      %end = scf.for %k = %c0 to %c8 step %c1 iter_args(%it = %begin) -> (!iter) : i32 {
        %i = arith.addi %first, %k : i32
        %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it {consumer_idx = 1 : i32} : !pipe, !iter
        %q1, %a = nv_tileas.async.pipeline.consumer_read %p, %q0 {consumer_idx = 1 : i32} : !pipe -> tensor<32x64xf32, #tall> {
        ^bb0(%stage: !tile):
          %v = nv_tileas.convert_layout %stage {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<32x64xf32, #tall>
          nv_tileas.async.pipeline.yield %v : tensor<32x64xf32, #tall>
        }
        nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
        %top = nv_tileas.reduce %a {axis = 0 : i32, identities = [0xFF800000 : f32]} : tensor<32x64xf32, #tall> -> tensor<64xf32, #tops> {
        ^bb0(%l: f32, %m: f32):
          %r = nv_tileaa.maxf %l, %m : f32
          nv_tileas.yield %r : f32
        }
        %row = nv_tileas.view %top : tensor<64xf32, #tops> -> tensor<1x64xf32, #top_row>
        %t2 = nv_tileas.tiled_store %to_tops[%i, %c0], %row : !tops_tile, (i32, i32), tensor<1x64xf32, #top_row>
        %next = nv_tileas.async.pipeline.inc_iter %it : !iter
        scf.yield %next : !iter
      }
    }
    nv_tileaa.return
  }
}
