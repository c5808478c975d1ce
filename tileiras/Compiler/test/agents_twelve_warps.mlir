// Three agents of four warps in a kernel of twelve, each with layouts of its own, executed: the loader fetches a tile per
// round into shared memory, the other two take it from there, one for the sums of rows, one for the maxima of columns, both
// at the same time. Before and after the agents all twelve warps work together on tiles that eight of them own: they set a
// counter to the number of owners of each element, and double the sums that an agent has stored.
// RUN: split-file %s %t
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=2 'x:f32[256x64]=normal(seed=5)' 'out:sums:f32[256]=poison' \
// RUN:   'out:tops:f32[8x64]=poison' 'out:twice:f32[256]=poison' 'owners:i32[512]=zeros' \
// RUN:   --dump=sums=%t/sums.npy --dump=tops=%t/tops.npy --dump=twice=%t/twice.npy --dump=owners=%t/owners.npy
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_80 --check-races --schedules=6 --grid=2 'x:f32[256x64]=normal(seed=5)' \
// RUN:   'out:sums:f32[256]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[8x64]{expect=%t/tops.npy}=poison' \
// RUN:   'out:twice:f32[256]{expect=%t/twice.npy,tol=rel:1e-5/abs:1e-5}=poison' 'owners:i32[512]{expect=%t/owners.npy}=zeros'
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_90 --check-races --schedules=6 --grid=2 'x:f32[256x64]=normal(seed=5)' \
// RUN:   'out:sums:f32[256]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[8x64]{expect=%t/tops.npy}=poison' \
// RUN:   'out:twice:f32[256]{expect=%t/twice.npy,tol=rel:1e-5/abs:1e-5}=poison' 'owners:i32[512]{expect=%t/owners.npy}=zeros'
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_100 --check-races --schedules=6 --grid=2 'x:f32[256x64]=normal(seed=5)' \
// RUN:   'out:sums:f32[256]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[8x64]{expect=%t/tops.npy}=poison' \
// RUN:   'out:twice:f32[256]{expect=%t/twice.npy,tol=rel:1e-5/abs:1e-5}=poison' 'owners:i32[512]{expect=%t/owners.npy}=zeros'
// RUN: tileiras-run %t/agents.mlir --gpu-name=sm_120 --check-races --schedules=6 --grid=2 'x:f32[256x64]=normal(seed=5)' \
// RUN:   'out:sums:f32[256]{expect=%t/sums.npy,tol=rel:1e-5/abs:1e-5}=poison' 'out:tops:f32[8x64]{expect=%t/tops.npy}=poison' \
// RUN:   'out:twice:f32[256]{expect=%t/twice.npy,tol=rel:1e-5/abs:1e-5}=poison' 'owners:i32[512]{expect=%t/owners.npy}=zeros'
// RUN: tileiras %t/agents.mlir --gpu-name=sm_90 --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tileiras %t/agents.mlir --gpu-name=sm_80 --emit=ptx | FileCheck %s --check-prefix=SM80

// The block has 168 registers per thread to begin with: the loader gives up what the others take.
// PTX: .reqntid 384
// PTX-DAG: setmaxnreg.dec.sync.aligned.u32 40;
// PTX-DAG: setmaxnreg.inc.sync.aligned.u32 232;
// PTX-DAG: setmaxnreg.inc.sync.aligned.u32 232;
// Each agent meets at its own barrier.
// PTX-DAG: bar.arrive 1, 384;
// PTX-DAG: bar.sync 3, 128;
// PTX-DAG: bar.sync 4, 128;
// PTX-DAG: setmaxnreg.inc.sync.aligned.u32 168;
// PTX-DAG: setmaxnreg.dec.sync.aligned.u32 168;
// SM80: .reqntid 384
// SM80-NOT: setmaxnreg

//--- same.mlir
!x = !cuda_tile.tensor_view<256x64xf32, strides=[64,1]>
!sums = !cuda_tile.tensor_view<256xf32, strides=[1]>
!tops = !cuda_tile.tensor_view<8x64xf32, strides=[64,1]>
!owners = !cuda_tile.tensor_view<512xi32, strides=[1]>
!x_tile = !cuda_tile.partition_view<tile=(32x64), !x>
!sums_tile = !cuda_tile.partition_view<tile=(32), !sums>
!all_sums = !cuda_tile.partition_view<tile=(128), !sums>
!tops_tile = !cuda_tile.partition_view<tile=(1x64), !tops>
!owners_tile = !cuda_tile.partition_view<tile=(256), !owners>
cuda_tile.module @kernels {
  entry @rows(%x: tile<ptr<f32>>, %s: tile<ptr<f32>>, %t: tile<ptr<f32>>, %d: tile<ptr<f32>>, %n: tile<ptr<i32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %one = constant <i32: 1> : tile<256xi32>
    %xm = make_tensor_view %x, shape = [256, 64], strides = [64, 1] : !x
    %sm = make_tensor_view %s, shape = [256], strides = [1] : !sums
    %tm = make_tensor_view %t, shape = [8, 64], strides = [64, 1] : !tops
    %dm = make_tensor_view %d, shape = [256], strides = [1] : !sums
    %nm = make_tensor_view %n, shape = [512], strides = [1] : !owners
    %xv = make_partition_view %xm : !x_tile
    %sv = make_partition_view %sm : !sums_tile
    %av = make_partition_view %sm : !all_sums
    %tv = make_partition_view %tm : !tops_tile
    %dv = make_partition_view %dm : !all_sums
    %nv = make_partition_view %nm : !owners_tile
    %t0 = make_token : token
    %tn = store_view_tko weak %one, %nv[%block] : tile<256xi32>, !owners_tile, tile<i32> -> token
    %first = muli %block, %c4 : tile<i32>
    %last = for %k in (%c0 to %c4, step %c1) : tile<i32> iter_values(%before = %t0) -> (token) {
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
    %all, %t4 = load_view_tko weak %av[%block] token=%last : !all_sums, tile<i32> -> tile<128xf32>, token
    %twice = addf %all, %all : tile<128xf32>
    %t5 = store_view_tko weak %twice, %dv[%block] : tile<128xf32>, !all_sums, tile<i32> -> token
    return
  }
}

//--- agents.mlir
!x = !nv_tileaa.memref<256x64xf32, strides = [64, 1]>
!sums = !nv_tileaa.memref<256xf32, strides = [1]>
!tops = !nv_tileaa.memref<8x64xf32, strides = [64, 1]>
!owners = !nv_tileaa.memref<512xi32, strides = [1]>
!x_tile = !nv_tileaa.tiled_view<[32, 64], !x>
!sums_tile = !nv_tileaa.tiled_view<[32], !sums>
!all_sums = !nv_tileaa.tiled_view<[128], !sums>
!tops_tile = !nv_tileaa.tiled_view<[1, 64], !tops>
!owners_tile = !nv_tileaa.tiled_view<[256], !owners>
#loaded = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [4, 1], order = [1, 0]>
#wide = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 4], order = [1, 0]>
#tall = #nv_tileas.blocked<size_per_thread = [2, 1], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [0, 1]>
#sums = #nv_tileas.linear<rank = 1, register = [[16]], lane = [[0], [1], [2], [4], [8]], warp = [[0], [0]]>
#tops = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#top_row = #nv_tileas.linear<rank = 2, register = [[0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>
#of_eight = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]]>
#of_four = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#shared = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]>
gpu.module @kernels {
  nv_tileaa.func @rows(%x: !nv_tileaa.ptr<f32>, %s: !nv_tileaa.ptr<f32>, %t: !nv_tileaa.ptr<f32>, %d: !nv_tileaa.ptr<f32>, %n: !nv_tileaa.ptr<i32>) {
    %c4 = arith.constant 4 : i32
    %ones = arith.constant dense<1> : tensor<256xi32, #of_eight>
    %bx, %by, %bz = nv_tileaa.get_program_id
    %begin = arith.muli %bx, %c4 : i32
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !x
    %sm = nv_tileaa.make_memref %s, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !sums
    %tm = nv_tileaa.make_memref %t, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !tops
    %dm = nv_tileaa.make_memref %d, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !sums
    %nm = nv_tileaa.make_memref %n, sizes [], strides [] : !nv_tileaa.ptr<i32>, (), () -> !owners
    %xv = nv_tileaa.block_tile %xm : !x -> !x_tile
    %sv = nv_tileaa.block_tile %sm : !sums -> !sums_tile
    %av = nv_tileaa.block_tile %sm : !sums -> !all_sums
    %tv = nv_tileaa.block_tile %tm : !tops -> !tops_tile
    %dv = nv_tileaa.block_tile %dm : !sums -> !all_sums
    %nv = nv_tileaa.block_tile %nm : !owners -> !owners_tile
    %tile = nv_tileas.alloc_tensor : tensor<32x64xf32, #shared>
    %t0 = nv_tileas.tiled_atomic_rmw %nv[%bx], %ones {rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !owners_tile, (i32), tensor<256xi32, #of_eight>

    nv_tileas.async.pipeline.agent_switch %begin, %xv, %sv, %tv, %tile : i32, !x_tile, !sums_tile, !tops_tile, tensor<32x64xf32, #shared>
        attributes {num_warps = array<i32: 4, 4, 4>, max_regs = array<i32: 40, 232, 232>, isolated} {
    ^bb0(%first: i32, %from: !x_tile, %to_sums: !sums_tile, %to_tops: !tops_tile, %ring: tensor<32x64xf32, #shared>):
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %rounds = arith.constant 4 : i32
      %full = arith.constant 1 : i32
      %empty = arith.constant 2 : i32
      %all = arith.constant 384 : i32
      scf.for %k = %c0 to %rounds step %c1 : i32 {
        %i = arith.addi %first, %k : i32
        %a, %t1 = nv_tileas.tiled_load %from[%i, %c0] {vec = 4 : i32} : !x_tile, (i32, i32) -> tensor<32x64xf32, #loaded>
        nvvm.barrier id = %empty number_of_threads = %all
        nv_tileas.copy %a, %ring : tensor<32x64xf32, #loaded>, tensor<32x64xf32, #shared>
        nvvm.barrier.arrive id = %full number_of_threads = %all
      }
    }, {
    ^bb0(%first: i32, %from: !x_tile, %to_sums: !sums_tile, %to_tops: !tops_tile, %ring: tensor<32x64xf32, #shared>):
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %rounds = arith.constant 4 : i32
      %full = arith.constant 1 : i32
      %empty = arith.constant 2 : i32
      %all = arith.constant 384 : i32
      scf.for %k = %c0 to %rounds step %c1 : i32 {
        %i = arith.addi %first, %k : i32
        nvvm.barrier.arrive id = %empty number_of_threads = %all
        nvvm.barrier id = %full number_of_threads = %all
        %a = nv_tileas.convert_layout %ring {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : tensor<32x64xf32, #shared> -> tensor<32x64xf32, #wide>
        %sum = nv_tileas.reduce %a {axis = 1 : i32, identities = [0.0 : f32]} : tensor<32x64xf32, #wide> -> tensor<32xf32, #sums> {
        ^bb0(%p: f32, %q: f32):
          %r = nv_tileaa.addf %p, %q : f32
          nv_tileas.yield %r : f32
        }
        %t2 = nv_tileas.tiled_store %to_sums[%i], %sum : !sums_tile, (i32), tensor<32xf32, #sums>
      }
    }, {
    ^bb0(%first: i32, %from: !x_tile, %to_sums: !sums_tile, %to_tops: !tops_tile, %ring: tensor<32x64xf32, #shared>):
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %rounds = arith.constant 4 : i32
      %full = arith.constant 1 : i32
      %empty = arith.constant 2 : i32
      %all = arith.constant 384 : i32
      scf.for %k = %c0 to %rounds step %c1 : i32 {
        %i = arith.addi %first, %k : i32
        nvvm.barrier.arrive id = %empty number_of_threads = %all
        nvvm.barrier id = %full number_of_threads = %all
        %a = nv_tileas.convert_layout %ring {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : tensor<32x64xf32, #shared> -> tensor<32x64xf32, #tall>
        %top = nv_tileas.reduce %a {axis = 0 : i32, identities = [0xFF800000 : f32]} : tensor<32x64xf32, #tall> -> tensor<64xf32, #tops> {
        ^bb0(%p: f32, %q: f32):
          %r = nv_tileaa.maxf %p, %q : f32
          nv_tileas.yield %r : f32
        }
        %row = nv_tileas.view %top : tensor<64xf32, #tops> -> tensor<1x64xf32, #top_row>
        %t2 = nv_tileas.tiled_store %to_tops[%i, %c0], %row : !tops_tile, (i32, i32), tensor<1x64xf32, #top_row>
      }
    }

    %sums, %t3 = nv_tileas.tiled_load %av[%bx] : !all_sums, (i32) -> tensor<128xf32, #of_four>
    %twice = nv_tileaa.addf %sums, %sums : tensor<128xf32, #of_four>
    %t4 = nv_tileas.tiled_store %dv[%bx], %twice : !all_sums, (i32), tensor<128xf32, #of_four>
    nv_tileaa.return
  }
}
