// Two consumers of a ring that have its fillings in turn: four of one, four of the other, which each of them passes over by
// inc_iter with a count. Five times four rows of tiles, so that the first one has three turns and the second one two; rings of
// three and of four stages, whose iterators count differently. Compared with the same kernel in cuda_tile, by the reference.
// RUN: split-file %s %t
// RUN: sed -e 's/%x0, %x1, %x2 {numStages = 3/%x0, %x1, %x2, %x3 {numStages = 4/' -e 's/(!tile, !tile, !tile)/(!tile, !tile, !tile, !tile)/' -e 's/<3 x (!tile)>/<4 x (!tile)>/' %t/ring.mlir > %t/four.mlir
// RUN: sed -e 's/%x0, %x1, %x2 {numStages = 3/%x0 {numStages = 1/' -e 's/(!tile, !tile, !tile)/(!tile)/' -e 's/<3 x (!tile)>/<1 x (!tile)>/' %t/ring.mlir > %t/one.mlir
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=1 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]=poison' --dump=sums=%t/sums.npy
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_80 --check-races --schedules=6 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison'
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_90 --check-races --schedules=6 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison'
// RUN: tileiras-run %t/ring.mlir --gpu-name=sm_120 --check-races --schedules=6 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison'
// RUN: tileiras-run %t/four.mlir --gpu-name=sm_90 --check-races --schedules=6 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison'
// RUN: tileiras-run %t/one.mlir --gpu-name=sm_90 --check-races --schedules=6 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison'
// RUN: tileiras %t/ring.mlir --gpu-name=sm_90 --emit=ptx -o %t/ring.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t/ring.ptx

// A stage is empty when one of each of a consumer's 4 warps has arrived, for its lanes.
// PTX: mov.b32 [[FULL:.*]], 64;
// PTX-NEXT: mbarrier.init.shared.b64 {{.*}}, [[FULL]];
// PTX-NEXT: mov.b32 [[EMPTY:.*]], 4;
// PTX-NEXT: mbarrier.init.shared.b64 {{.*}}, [[EMPTY]];

// What the checks are for. A stage counts the arrivals of both consumers; the second one begins where the first one does; nobody
// passes over what is the other one's; they have no turns; a turn is not handed on.
// RUN: sed 's/\(mov.b32[^,]*\), 4;/\1, 8;/' %t/ring.ptx > %t/many.ptx
// RUN: %{exits} 6 tileiras-run %t/many.ptx --check-races --schedules=3 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]=poison' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: sed 's/%begin by %c4/%begin by %c0/' %t/ring.mlir > %t/start.mlir
// RUN: %{exits} 6 tileiras-run %t/start.mlir --gpu-name=sm_90 --check-races --schedules=3 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]=poison' 2>&1 | FileCheck %s --check-prefix=START
// RUN: sed 's/%behind by %c4/%behind by %c0/' %t/ring.mlir > %t/pass.mlir
// RUN: %{exits} 6 tileiras-run %t/pass.mlir --gpu-name=sm_90 --check-races --schedules=3 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]=poison' 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: sed '/bar.sync.*1[34],/d' %t/ring.ptx > %t/apart.ptx
// RUN: %{exits} 6 tileiras-run %t/apart.ptx --check-races --schedules=3 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]=poison' 2>&1 | FileCheck %s --check-prefix=APART
// RUN: sed '/bar.arrive.*14,/d' %t/ring.ptx > %t/kept.ptx
// RUN: %{exits} 6 tileiras-run %t/kept.ptx --check-races --schedules=3 'x:f32[640x64]=normal(seed=7)' 'out:sums:f32[640]=poison' 2>&1 | FileCheck %s --check-prefix=KEPT

// MANY: deadlock
// START: {{race|deadlock|nobody has written}}
// PASS: {{race|deadlock|nobody has written}}
// APART: {{race|deadlock|nobody has written}}
// KEPT: deadlock

// Consumers of a ring that they have in turn are of one size.
// RUN: sed 's/num_warps = array<i32: 2, 4, 4>/num_warps = array<i32: 2, 4, 8>/' %t/ring.mlir > %t/sizes.mlir
// RUN: not tileiras %t/sizes.mlir --gpu-name=sm_90 --emit=ptx 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: in turn expects consumers of as many warps each

//--- same.mlir
!x = !cuda_tile.tensor_view<640x64xf32, strides=[64,1]>
!sums = !cuda_tile.tensor_view<640xf32, strides=[1]>
!x_tile = !cuda_tile.partition_view<tile=(32x64), !x>
!sums_tile = !cuda_tile.partition_view<tile=(32), !sums>
cuda_tile.module @kernels {
  entry @rows(%x: tile<ptr<f32>>, %s: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c20 = constant <i32: 20> : tile<i32>
    %xm = make_tensor_view %x, shape = [640, 64], strides = [64, 1] : !x
    %sm = make_tensor_view %s, shape = [640], strides = [1] : !sums
    %xv = make_partition_view %xm : !x_tile
    %sv = make_partition_view %sm : !sums_tile
    %t0 = make_token : token
    %last = for %i in (%c0 to %c20, step %c1) : tile<i32> iter_values(%before = %t0) -> (token) {
      %a, %t1 = load_view_tko weak %xv[%i, %c0] : !x_tile, tile<i32> -> tile<32x64xf32>, token
      %sum = reduce %a dim=1 identities=[0.0 : f32] : tile<32x64xf32> -> tile<32xf32>
      (%p: tile<f32>, %q: tile<f32>) {
        %r = addf %p, %q : tile<f32>
        yield %r : tile<f32>
      }
      %t2 = store_view_tko weak %sum, %sv[%i] token=%before : tile<32xf32>, !sums_tile, tile<i32> -> token
      continue %t2 : token
    }
    return
  }
}

//--- ring.mlir
!x = !nv_tileaa.memref<640x64xf32, strides = [64, 1]>
!sums = !nv_tileaa.memref<640xf32, strides = [1]>
!x_tile = !nv_tileaa.tiled_view<[32, 64], !x>
!sums_tile = !nv_tileaa.tiled_view<[32], !sums>
#loaded = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [2, 1], order = [1, 0]>
#wide = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 4], order = [1, 0]>
#sums = #nv_tileas.linear<rank = 1, register = [[16]], lane = [[0], [1], [2], [4], [8]], warp = [[0], [0]]>
#shared = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]>
!tile = tensor<32x64xf32, #shared>
!pipe = !nv_tileas.pipeline<3 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile)>
gpu.module @kernels {
  nv_tileaa.func @rows(%x: !nv_tileaa.ptr<f32>, %s: !nv_tileaa.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c20 = arith.constant 20 : i32
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !x
    %sm = nv_tileaa.make_memref %s, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !sums
    %from = nv_tileaa.block_tile %xm : !x -> !x_tile
    %to_sums = nv_tileaa.block_tile %sm : !sums -> !sums_tile
    %x0 = nv_tileas.alloc_tensor : !tile
    %x1 = nv_tileas.alloc_tensor : !tile
    %x2 = nv_tileas.alloc_tensor : !tile
    %x3 = nv_tileas.alloc_tensor : !tile
    %ring = nv_tileas.async.pipeline.create_pipeline %x0, %x1, %x2 {numStages = 3 : i32, nv_tileas.in_turn} : (!tile, !tile, !tile) -> !pipe
    nv_tileas.async.pipeline.agent_switch %ring : !pipe attributes {num_warps = array<i32: 2, 4, 4>} {
    ^bb0(%p: !pipe):
      %begin = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
      %end = scf.for %i = %c0 to %c20 step %c1 iter_args(%it = %begin) -> (!iter) : i32 {
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
      %c13 = arith.constant 13 : i32
      %c14 = arith.constant 14 : i32
      %threads = arith.constant 256 : i32
      %end = scf.for %t = %c0 to %c5 step %c2 iter_args(%it = %begin) -> (!iter) : i32 {
        %later = arith.cmpi ne, %t, %c0 : i32
        scf.if %later {
          nvvm.barrier id = %c13 number_of_threads = %threads
        }
        %first = arith.muli %t, %c4 : i32
        %behind = scf.for %k = %c0 to %c4 step %c1 iter_args(%at = %it) -> (!iter) : i32 {
          %i = arith.addi %first, %k : i32
          %q0 = nv_tileas.async.pipeline.consumer_wait %p, %at {consumer_idx = 0 : i32} : !pipe, !iter
          %q1, %a = nv_tileas.async.pipeline.consumer_read %p, %q0 {consumer_idx = 0 : i32} : !pipe -> tensor<32x64xf32, #wide> {
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
          %next = nv_tileas.async.pipeline.inc_iter %at : !iter
          scf.yield %next : !iter
        }
        %left = arith.subi %c5, %t : i32
        %more = arith.cmpi ugt, %left, %c1 : i32
        scf.if %more {
          nvvm.barrier.arrive id = %c14 number_of_threads = %threads
        }
        %passed = nv_tileas.async.pipeline.inc_iter %behind by %c4 : !iter
        scf.yield %passed : !iter
      }
    }, {
    ^bb0(%p: !pipe):
      %begin = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
      %own = nv_tileas.async.pipeline.inc_iter %begin by %c4 : !iter
      %c13 = arith.constant 13 : i32
      %c14 = arith.constant 14 : i32
      %threads = arith.constant 256 : i32
      %end = scf.for %t = %c1 to %c5 step %c2 iter_args(%it = %own) -> (!iter) : i32 {
        nvvm.barrier id = %c14 number_of_threads = %threads
        %first = arith.muli %t, %c4 : i32
        %behind = scf.for %k = %c0 to %c4 step %c1 iter_args(%at = %it) -> (!iter) : i32 {
          %i = arith.addi %first, %k : i32
          %q0 = nv_tileas.async.pipeline.consumer_wait %p, %at {consumer_idx = 1 : i32} : !pipe, !iter
          %q1, %a = nv_tileas.async.pipeline.consumer_read %p, %q0 {consumer_idx = 1 : i32} : !pipe -> tensor<32x64xf32, #wide> {
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
          %next = nv_tileas.async.pipeline.inc_iter %at : !iter
          scf.yield %next : !iter
        }
        %left = arith.subi %c5, %t : i32
        %more = arith.cmpi ugt, %left, %c1 : i32
        scf.if %more {
          nvvm.barrier.arrive id = %c13 number_of_threads = %threads
        }
        %passed = nv_tileas.async.pipeline.inc_iter %behind by %c4 : !iter
        scf.yield %passed : !iter
      }
    }
    nv_tileaa.return
  }
}
