// Products whose operands arrive by TMA through a ring of three stages, with tensor maps that the kernel builds itself,
// executed. `one` is a kernel of one agent, which fills the stages two iterations ahead and goes another way where there
// are no tensor maps; `two` divides its warps. The extents leave partial boxes in every direction. Compared with the same
// kernel in cuda_tile, by the reference.
// RUN: split-file %s %t
// RUN: cat %t/types.mlir %t/one.mlir > %t/one_all.mlir
// RUN: cat %t/types.mlir %t/two.mlir > %t/two_all.mlir
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]=poison' i32=100 i32=88 i32=328 --dump=c=%t/c.npy
// RUN: tileiras-run %t/one_all.mlir --gpu-name=sm_90 --check-races --schedules=8 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 --save-ptx=%t/one.ptx
// RUN: tileiras-run %t/two_all.mlir --gpu-name=sm_90 --check-races --schedules=8 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 --save-ptx=%t/two.ptx
// The same rings feed mma.sync.
// RUN: sed -f %t/mma.sed %t/one_all.mlir > %t/one_mma.mlir
// RUN: tileiras-run %t/one_mma.mlir --gpu-name=sm_120 --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328
// RUN: sed -f %t/mma.sed %t/two_all.mlir > %t/two_mma.mlir
// RUN: tileiras-run %t/two_mma.mlir --gpu-name=sm_100 --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328
// Rows of 77 elements are no multiples of 16 bytes: the other way, into the same ring.
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=1,1 'a:f16[50x77]=normal(seed=7)' 'b:f16[77x64]=normal(seed=8)' \
// RUN:   'out:c:f32[50x64]=poison' i32=50 i32=64 i32=77 --dump=c=%t/d.npy
// RUN: tileiras-run %t/one_all.mlir --gpu-name=sm_90 --check-races --schedules=8 --grid=1,1 'a:f16[50x77]=normal(seed=7)' 'b:f16[77x64]=normal(seed=8)' \
// RUN:   'out:c:f32[50x64]{expect=%t/d.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=50 i32=64 i32=77
// RUN: FileCheck %s --check-prefix=PTX < %t/two.ptx
// RUN: FileCheck %s --check-prefix=MAPS < %t/one.ptx

// Two warps look for the two maps at the same time.
// MAPS: bar.sync
// MAPS: ld.acquire.gpu.global.b64
// MAPS: vote.sync.ballot.b32
// MAPS-NOT: bar.sync
// MAPS: ld.acquire.gpu.global.b64
// MAPS: vote.sync.ballot.b32
// MAPS: bar.sync

// One thread builds and publishes a map: the release fence of its proxy, then the state; who finds it, the acquire fence.
// PTX: .global .align 128 .b8 tileir_tensormaps[262144];
// PTX: ld.acquire.gpu.global.b64
// Behind the type, the key of a matrix is three words in two sectors: base and stride, both extents.
// PTX: ld.global.v2.b64 {{.*}}+144];
// PTX: ld.global.b64 {{.*}}+160];
// PTX-NOT: ld.global
// PTX: atom.relaxed.gpu.global.cas.b64
// PTX: tensormap.replace.tile.global_address.global.b1024.b64
// PTX: fence.proxy.tensormap::generic.release.gpu;
// PTX: st.release.gpu.global.b64
// PTX: fence.proxy.tensormap::generic.acquire.gpu [{{.*}}], 128;
// PTX: fence.mbarrier_init.release.cluster;
// One thread of the producer waits, announces two tiles and issues two copies.
// PTX: elect.sync
// PTX: mbarrier.try_wait.parity
// PTX-NOT: elect.sync
// PTX: mbarrier.arrive.expect_tx.shared.b64 _, [{{.*}}], {{.*}};
// PTX-COUNT-2: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
// PTX-NOT: cp.async.bulk.tensor
// The product of a stage is done when that of the next has been issued; then the stage is released.
// PTX: wgmma.mma_async
// PTX: wgmma.commit_group
// PTX: wgmma.wait_group.sync.aligned 1;
// PTX: mbarrier.arrive
// PTX: wgmma.wait_group.sync.aligned 0;

// What all that is for: the bytes are not announced; nobody arrives for them; too few are announced, too many; the tensor
// map lacks its release or its acquire fence; it is used before it has been published, or published before it is there;
// barriers are not made visible to tensor copies; the map has another swizzle, or one too narrow for its box.
// RUN: sed 's/mbarrier.arrive.expect_tx.shared.b64 _, \[\(%r[0-9]*+[0-9]*\)\], %r[0-9]*;/mbarrier.arrive.shared.b64 _, [\1];/' %t/one.ptx > %t/notx.ptx
// RUN: %{exits} 6 tileiras-run %t/notx.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=NOTX
// RUN: sed '/mbarrier.arrive.expect_tx/d' %t/two.ptx > %t/silent.ptx
// RUN: %{exits} 6 tileiras-run %t/silent.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: sed 's/, 16384;/, 8192;/' %t/two.ptx > %t/few.ptx
// RUN: %{exits} 6 tileiras-run %t/few.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: sed 's/, 16384;/, 16400;/' %t/one.ptx > %t/many.ptx
// RUN: %{exits} 6 tileiras-run %t/many.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: sed '/fence.proxy.tensormap::generic.release/d' %t/two.ptx > %t/norelease.ptx
// RUN: %{exits} 6 tileiras-run %t/norelease.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=NORELEASE
// RUN: sed '/fence.proxy.tensormap::generic.acquire/d' %t/one.ptx > %t/noacquire.ptx
// RUN: %{exits} 6 tileiras-run %t/noacquire.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=NOACQUIRE
// RUN: sed 's/ld.acquire.gpu.global/ld.relaxed.gpu.global/' %t/two.ptx > %t/unseen.ptx
// RUN: %{exits} 6 tileiras-run %t/unseen.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=UNSEEN
// RUN: sed 's/st.release.gpu.global/st.relaxed.gpu.global/' %t/two.ptx > %t/unpublished.ptx
// RUN: %{exits} 6 tileiras-run %t/unpublished.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=UNPUBLISHED
// RUN: sed '/fence.mbarrier_init/d' %t/two.ptx > %t/noinit.ptx
// RUN: %{exits} 6 tileiras-run %t/noinit.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=NOINIT
// RUN: sed 's/\(tensormap.replace.tile.swizzle_mode.*\), 3;/\1, 0;/' %t/one.ptx > %t/swizzle.ptx
// RUN: %{exits} 7 tileiras-run %t/swizzle.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328
// RUN: sed 's/\(tensormap.replace.tile.swizzle_mode.*\), 3;/\1, 2;/' %t/two.ptx > %t/swizzle64.ptx
// RUN: %{exits} 6 tileiras-run %t/swizzle64.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=SWIZZLE64
// A stage is released while its product may be under way; the sums are stored before the last product is done.
// RUN: sed 's/wgmma.wait_group.sync.aligned 1;/wgmma.wait_group.sync.aligned 2;/' %t/two.ptx > %t/early.ptx
// RUN: %{exits} 6 tileiras-run %t/early.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sed '/wgmma.wait_group.sync.aligned 0;/d' %t/two.ptx > %t/unwaited.ptx
// RUN: %{exits} 6 tileiras-run %t/unwaited.ptx --check-races --schedules=4 --grid=2,2 'a:f16[100x328]=normal(seed=7)' 'b:f16[328x88]=normal(seed=8)' \
// RUN:   'out:c:f32[100x88]{expect=%t/c.npy,tol=rel:1e-3/abs:1e-2}=poison' i32=100 i32=88 i32=328 2>&1 | FileCheck %s --check-prefix=UNWAITED
// EARLY: {{async.*wgmma|TMA operation}}
// UNWAITED: {{wgmma.wait_group is missing}}
// NOTX: {{still at work|not been waited for|asynchronous write}}
// SILENT: {{deadlock}}
// FEW: {{async}}
// MANY: {{deadlock}}
// NORELEASE: {{proxy.*tileir_tensormaps}}
// NOACQUIRE: {{proxy.*tileir_tensormaps}}
// UNSEEN: {{race.*tileir_tensormaps}}
// UNPUBLISHED: {{race.*tileir_tensormaps}}
// NOINIT: {{proxy.*global_smem}}
// SWIZZLE64: {{descriptor}}

//--- same.mlir
!a = !cuda_tile.tensor_view<?x?xf16, strides=[?,1]>
!c = !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>
!at = !cuda_tile.partition_view<tile=(64x64), padding_value = zero, !a>
!ct = !cuda_tile.partition_view<tile=(64x64), !c>
cuda_tile.module @kernels {
  entry @gemm(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c63 = constant <i32: 63> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %k1 = addi %k, %c63 : tile<i32>
    %trips = divi %k1, %c64 signed : tile<i32>
    %av = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !a
    %bv = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !a
    %cv = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !c
    %ap = make_partition_view %av : !at
    %bp = make_partition_view %bv : !at
    %cp = make_partition_view %cv : !ct
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %sum = for %i in (%c0 to %trips, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %x, %t1 = load_view_tko weak %ap[%bx, %i] : !at, tile<i32> -> tile<64x64xf16>, token
      %y, %t2 = load_view_tko weak %bp[%i, %by] : !at, tile<i32> -> tile<64x64xf16>, token
      %r = mmaf %x, %y, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %r : tile<64x64xf32>
    }
    %t3 = store_view_tko weak %sum, %cp[%bx, %by] : tile<64x64xf32>, !ct, tile<i32> -> token
    return
  }
}

//--- types.mlir
!ab = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!c = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !ab>
!out = !nv_tileaa.tiled_view<[64, 64], !c>
#load = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>
#swizzled = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#loaded = #nv_tileas.linear<rank = 2, register = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0]]>
!tile = tensor<64x64xf16, #swizzled>
!sum = tensor<64x64xf32, #sums>
!pipe = !nv_tileas.pipeline<3 x (!tile, !tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile, !tile)>

//--- mma.sed
s/#nv_tileas.wgmma_atom<f16, n = 64, groups = \[1, 1\]>/#nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>/

//--- one.mlir
gpu.module @kernels {
  nv_tileaa.func @gemm(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sum
    %bx, %by, %bz = nv_tileaa.get_program_id
    %k1 = arith.addi %k, %c63 : i32
    %trips = arith.divsi %k1, %c64 : i32
    %am = nv_tileaa.make_memref %a, sizes [%m, %k], strides [%k] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !ab
    %bm = nv_tileaa.make_memref %b, sizes [%k, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !ab
    %cm = nv_tileaa.make_memref %c, sizes [%m, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !c
    %av = nv_tileaa.block_tile %am : !ab -> !view
    %bv = nv_tileaa.block_tile %bm : !ab -> !view
    %cv = nv_tileaa.block_tile %cm : !c -> !out
    %da, %ua = nv_tileas.make_tiled_tma_desc %av {atom = #load, tmaIdx = 0 : i32} : !view
    %db, %ub = nv_tileas.make_tiled_tma_desc %bv {atom = #load, tmaIdx = 1 : i32} : !view
    %usable = arith.andi %ua, %ub : i1
    %a0 = nv_tileas.alloc_tensor : !tile
    %b0 = nv_tileas.alloc_tensor : !tile
    %a1 = nv_tileas.alloc_tensor : !tile
    %b1 = nv_tileas.alloc_tensor : !tile
    %a2 = nv_tileas.alloc_tensor : !tile
    %b2 = nv_tileas.alloc_tensor : !tile
    %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2 tma %usable {numStages = 3 : i32} : (!tile, !tile, !tile, !tile, !tile, !tile) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    // Two stages before the loop, and the one two iterations ahead in each.
    %ahead = scf.for %i = %c0 to %c2 step %c1 iter_args(%it = %first) -> (!iter) : i32 {
      %there = arith.cmpi slt, %i, %trips : i32
      scf.if %there {
        %t0 = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
        %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
        ^bb0(%x: !tile, %y: !tile):
          scf.if %usable {
            %d0, %m0 = nv_tileas.async.tiled_tma_load %da, %av[%bx, %i] into %x {atom = #load, tx_count = 8192 : i32} : !view, (i32, i32), !tile
            %d1, %m1 = nv_tileas.async.tiled_tma_load %db, %bv[%i, %by] into %y {atom = #load, tx_count = 8192 : i32} : !view, (i32, i32), !tile
          } else {
            %v, %m0 = nv_tileas.tiled_load %av[%bx, %i] : !view, (i32, i32) -> tensor<64x64xf16, #loaded>
            nv_tileas.copy %v, %x : tensor<64x64xf16, #loaded>, !tile
            %w, %m1 = nv_tileas.tiled_load %bv[%i, %by] : !view, (i32, i32) -> tensor<64x64xf16, #loaded>
            nv_tileas.copy %w, %y : tensor<64x64xf16, #loaded>, !tile
          }
          nv_tileas.async.pipeline.yield
        }
        nv_tileas.async.pipeline.producer_commit %p, %t1 : !pipe
      }
      %next = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %next : !iter
    }
    %sum, %ends:2 = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %in = %ahead, %out = %first) -> (!sum, !iter, !iter) : i32 {
      %later = arith.addi %i, %c2 : i32
      %there = arith.cmpi slt, %later, %trips : i32
      scf.if %there {
        %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
        %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
        ^bb0(%x: !tile, %y: !tile):
          scf.if %usable {
            %d0, %m0 = nv_tileas.async.tiled_tma_load %da, %av[%bx, %later] into %x {atom = #load, tx_count = 8192 : i32} : !view, (i32, i32), !tile
            %d1, %m1 = nv_tileas.async.tiled_tma_load %db, %bv[%later, %by] into %y {atom = #load, tx_count = 8192 : i32} : !view, (i32, i32), !tile
          } else {
            %v, %m0 = nv_tileas.tiled_load %av[%bx, %later] : !view, (i32, i32) -> tensor<64x64xf16, #loaded>
            nv_tileas.copy %v, %x : tensor<64x64xf16, #loaded>, !tile
            %w, %m1 = nv_tileas.tiled_load %bv[%later, %by] : !view, (i32, i32) -> tensor<64x64xf16, #loaded>
            nv_tileas.copy %w, %y : tensor<64x64xf16, #loaded>, !tile
          }
          nv_tileas.async.pipeline.yield
        }
        nv_tileas.async.pipeline.producer_commit %p, %t1 : !pipe
      }
      %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
      %q0 = nv_tileas.async.pipeline.consumer_wait %p, %out : !pipe, !iter
      %q1, %r = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> !sum {
      ^bb0(%x: !tile, %y: !tile):
        %s = nv_tileas.dot %x, %y, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>} : !tile, !tile, !sum
        nv_tileas.async.pipeline.yield %s : !sum
      }
      nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
      %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
      scf.yield %r, %in1, %out1 : !sum, !iter, !iter
    }
    %t = nv_tileas.tiled_store %cv[%bx, %by], %sum : !out, (i32, i32), !sum
    nv_tileaa.return
  }
}

//--- two.mlir
gpu.module @kernels {
  nv_tileaa.func @gemm(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %bx, %by, %bz = nv_tileaa.get_program_id
    %k1 = arith.addi %k, %c63 : i32
    %trips = arith.divsi %k1, %c64 : i32
    %am = nv_tileaa.make_memref %a, sizes [%m, %k], strides [%k] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !ab
    %bm = nv_tileaa.make_memref %b, sizes [%k, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !ab
    %cm = nv_tileaa.make_memref %c, sizes [%m, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !c
    %av = nv_tileaa.block_tile %am : !ab -> !view
    %bv = nv_tileaa.block_tile %bm : !ab -> !view
    %cv = nv_tileaa.block_tile %cm : !c -> !out
    %da, %ua = nv_tileas.make_tiled_tma_desc %av {atom = #load} : !view
    %db, %ub = nv_tileas.make_tiled_tma_desc %bv {atom = #load} : !view
    %a0 = nv_tileas.alloc_tensor : !tile
    %b0 = nv_tileas.alloc_tensor : !tile
    %a1 = nv_tileas.alloc_tensor : !tile
    %b1 = nv_tileas.alloc_tensor : !tile
    %a2 = nv_tileas.alloc_tensor : !tile
    %b2 = nv_tileas.alloc_tensor : !tile
    %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1, %a2, %b2 {numStages = 3 : i32} : (!tile, !tile, !tile, !tile, !tile, !tile) -> !pipe
    nv_tileas.async.pipeline.agent_switch %p : !pipe attributes {num_warps = array<i32: 1, 4>} {
    ^bb0(%q: !pipe):
      %first = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
      %end = scf.for %i = %c0 to %trips step %c1 iter_args(%it = %first) -> (!iter) : i32 {
        %t0 = nv_tileas.async.pipeline.producer_acquire %q, %it : !pipe, !iter
        %t1 = nv_tileas.async.pipeline.producer_write %q, %t0 : !pipe {
        ^bb0(%x: !tile, %y: !tile):
          %d0, %m0 = nv_tileas.async.tiled_tma_load %da, %av[%bx, %i] into %x {atom = #load, tx_count = 8192 : i32} : !view, (i32, i32), !tile
          %d1, %m1 = nv_tileas.async.tiled_tma_load %db, %bv[%i, %by] into %y {atom = #load, tx_count = 8192 : i32} : !view, (i32, i32), !tile
          nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
        }
        nv_tileas.async.pipeline.producer_commit %q, %t1 : !pipe
        %next = nv_tileas.async.pipeline.inc_iter %it : !iter
        scf.yield %next : !iter
      }
    }, {
    ^bb0(%q: !pipe):
      %zero = arith.constant dense<0.0> : !sum
      %first = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
      %sum, %end = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero, %it = %first) -> (!sum, !iter) : i32 {
        %q0 = nv_tileas.async.pipeline.consumer_wait %q, %it : !pipe, !iter
        %q1, %r = nv_tileas.async.pipeline.consumer_read %q, %q0 : !pipe -> !sum {
        ^bb0(%x: !tile, %y: !tile):
          %s = nv_tileas.dot %x, %y, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>} : !tile, !tile, !sum
          nv_tileas.async.pipeline.yield %s : !sum
        }
        nv_tileas.async.pipeline.consumer_release %q, %q1 : !pipe
        %next = nv_tileas.async.pipeline.inc_iter %it : !iter
        scf.yield %r, %next : !sum, !iter
      }
      %t = nv_tileas.tiled_store %cv[%bx, %by], %sum : !out, (i32, i32), !sum
    }
    nv_tileaa.return
  }
}
