// A queue between three agents of a kernel in nv_tileaa, without layouts, executed: one puts tiles and their numbers, one takes
// them in a for and sums rows, one takes them in a while, in two branches, and takes maxima of columns. Compared with the same
// kernel in cuda_tile, by the reference.
// RUN: split-file %s %t
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=2 'x:f32[512x64]=normal(seed=7)' 'out:sums:f32[512]=poison' \
// RUN:   'out:tops:f32[16x64]=poison' --dump=sums=%t/sums.npy --dump=tops=%t/tops.npy
// RUN: tileiras-run %t/queue.mlir --gpu-name=sm_80 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[16x64]{expect=%t/tops.npy}=poison'
// RUN: tileiras-run %t/queue.mlir --gpu-name=sm_90 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[16x64]{expect=%t/tops.npy}=poison'
// RUN: tileiras-run %t/queue.mlir --gpu-name=sm_100 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[16x64]{expect=%t/tops.npy}=poison'
// RUN: tileiras-run %t/queue.mlir --gpu-name=sm_120 --check-races --schedules=6 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[16x64]{expect=%t/tops.npy}=poison'
// RUN: tileiras %t/queue.mlir --gpu-name=sm_90 --emit=tileas | FileCheck %s --check-prefix=TILEAS
// RUN: tileiras %t/queue.mlir --gpu-name=sm_90 --emit=ptx -o %t/queue.ptx

// Neither queues nor regions of single stages are left; every agent has four warps.
// TILEAS-NOT: nv_tileaa.{{queue|execute}}
// TILEAS-NOT: {{produce|consume}}_one
// TILEAS: agent_switch {{.*}}num_warps = array<i32: 4, 4, 4>

// The first wait of the text is the producer's for empty stages, the last a consumer's for full ones: without either the
// checker reports.
// RUN: sed '0,/mbarrier.try_wait.*;/s//setp.eq.u32 done, 0, 0;/' %t/queue.ptx > %t/hasty.ptx
// RUN: %{exits} 6 tileiras-run %t/hasty.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]=poison' 'out:tops:f32[16x64]=poison' 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: tac %t/queue.ptx | sed '0,/mbarrier.try_wait.*;/s//setp.eq.u32 done, 0, 0;/' | tac > %t/eager.ptx
// RUN: %{exits} 6 tileiras-run %t/eager.ptx --check-races --schedules=3 --grid=2 'x:f32[512x64]=normal(seed=7)' \
// RUN:   'out:sums:f32[512]=poison' 'out:tops:f32[16x64]=poison' 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: {{race|deadlock|nobody has written}}

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

//--- queue.mlir
!x = !nv_tileaa.memref<512x64xf32, strides = [64, 1]>
!sums = !nv_tileaa.memref<512xf32, strides = [1]>
!tops = !nv_tileaa.memref<16x64xf32, strides = [64, 1]>
!x_tile = !nv_tileaa.tiled_view<[32, 64], !x>
!sums_tile = !nv_tileaa.tiled_view<[32], !sums>
!tops_tile = !nv_tileaa.tiled_view<[1, 64], !tops>
!queue = !nv_tileaa.queue<tensor<32x64xf32>, i32>
gpu.module @kernels {
  nv_tileaa.func @rows(%x: !nv_tileaa.ptr<f32>, %s: !nv_tileaa.ptr<f32>, %t: !nv_tileaa.ptr<f32>)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
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
    %q = nv_tileaa.create_queue {num_stages = 3 : i32} : !queue
    nv_tileaa.execute [4, 7, 8] attributes {max_regs = array<i32: 64, 96, 96>} {
      scf.for %k = %c0 to %c8 step %c1 : i32 {
        nv_tileaa.queue.put %q[%k : i32] {producer_group = 4 : i32} : !queue {
          %i = arith.addi %first, %k : i32
          %a, %t1 = nv_tileaa.tiled_load %from[%i, %c0] : !x_tile, (i32, i32) -> tensor<32x64xf32>
          nv_tileaa.queue.yield %a, %i : tensor<32x64xf32>, i32
        }
      }
    }, {
      scf.for %k = %c0 to %c8 step %c1 : i32 {
        %sum, %i = nv_tileaa.queue.get %q[%k : i32] {consumer_group = 7 : i32} : !queue -> (tensor<32xf32>, i32) {
        ^bb0(%a: tensor<32x64xf32>, %row: i32):
          %r = nv_tileaa.reduce %a {axis = 1 : i32, identities = [0.0 : f32]} : tensor<32x64xf32> -> tensor<32xf32> {
          ^bb0(%l: f32, %m: f32):
            %n = arith.addf %l, %m : f32
            nv_tileaa.yield %n : f32
          }
          nv_tileaa.queue.yield %r, %row : tensor<32xf32>, i32
        }
        %t2 = nv_tileaa.tiled_store %to_sums[%i], %sum : !sums_tile, (i32), tensor<32xf32>
      }
    }, {
      %end = scf.while (%k = %c0) : (i32) -> i32 {
        %more = arith.cmpi slt, %k, %c8 : i32
        scf.condition(%more) %k : i32
      } do {
      ^bb0(%k: i32):
        %odd = arith.andi %k, %c1 : i32
        %is_odd = arith.cmpi eq, %odd, %c1 : i32
        %top, %i = scf.if %is_odd -> (tensor<64xf32>, i32) {
          %a, %row = nv_tileaa.queue.get %q : !queue -> (tensor<32x64xf32>, i32)
          %r = nv_tileaa.reduce %a {axis = 0 : i32, identities = [0xFF800000 : f32]} : tensor<32x64xf32> -> tensor<64xf32> {
          ^bb0(%l: f32, %m: f32):
            %n = arith.maxnumf %l, %m : f32
            nv_tileaa.yield %n : f32
          }
          scf.yield %r, %row : tensor<64xf32>, i32
        } else {
          %a, %row = nv_tileaa.queue.get %q : !queue -> (tensor<32x64xf32>, i32)
          %same = nv_tileaa.mark_for_reuse %a : tensor<32x64xf32>
          %r = nv_tileaa.reduce %same {axis = 0 : i32, identities = [0xFF800000 : f32]} : tensor<32x64xf32> -> tensor<64xf32> {
          ^bb0(%l: f32, %m: f32):
            %n = arith.maxnumf %l, %m : f32
            nv_tileaa.yield %n : f32
          }
          scf.yield %r, %row : tensor<64xf32>, i32
        }
        %line = nv_tileaa.view %top : tensor<64xf32> -> tensor<1x64xf32>
        %t2 = nv_tileaa.tiled_store %to_tops[%i, %c0], %line : !tops_tile, (i32, i32), tensor<1x64xf32>
        %next = arith.addi %k, %c1 : i32
        scf.yield %next : i32
      }
    }
    nv_tileaa.return
  }
}
