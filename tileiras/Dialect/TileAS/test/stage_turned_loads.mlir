// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads,tileas-stage-loads))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads,tileas-materialize-async{num-stages=3},tileas-prefetch-loads))' | FileCheck %s --check-prefix=AHEAD
// RUN: sed 's/vec = 16 : i32/vec = 8 : i32/' %s >%t.mlir
// RUN: tileiras-opt %t.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads))' | FileCheck %s --check-prefix=TRIP
// RUN: tileiras-opt %t.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads,tileas-stage-loads))' | FileCheck %s --check-prefix=TRIP
// RUN: tileiras-opt %t.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads,tileas-materialize-async{num-stages=3}))' | FileCheck %s --check-prefix=RING
// RUN: sed 's/numCTAs = 1>/&, nv_tileaa.occupancy = 5 : i32/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads))' | FileCheck %s --check-prefix=SHORT
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads{agents=true}))' | FileCheck %s --check-prefix=SHORT
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads{num-stages=1}))' | FileCheck %s --check-prefix=LEFT
// RUN: sed 's/vec = 16 : i32/vec = 2 : i32/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads))' | FileCheck %s --check-prefix=LEFT
// RUN: sed 's/numCTAs = 1>/&, nv_tileaa.occupancy = 8 : i32/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-stage-loads))' --remarks-filter=memory 2>%t.remarks | FileCheck %s --check-prefix=LEFT
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// The right factor of a product of wgmma has n first in memory, and the unit reads k first. Threads load 16 bytes of each of two rows k, which
// stmatrix turns on the way to the tile.
// CHECK: #[[ROWS:.*]] = #nv_tileas.linear<rank = 2, register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [0, 32]], lane = {{\[\[}}0, 16], [32, 0], [2, 0], [4, 0], [8, 0]], warp = {{\[\[}}0, 64], [16, 0]]>
// CHECK-LABEL: nv_tileaa.func @gemm
// CHECK: scf.for
// CHECK: %[[LOADED:.*]], %{{.*}} = nv_tileas.tiled_load %{{.*}} {vec = 16 : i32} {{.*}} -> tensor<64x128xi8, #[[ROWS]]>
// CHECK: nv_tileas.copy %[[LOADED]], %[[B:[0-9]+]] {{.*}}nv_tileas.store_atom = #nv_tileas.stsm<matrices = 4, transposed = true>
// CHECK-NEXT: nv_tileas.dot %{{.*}}, %[[B]]

// A ring of the other factor alone. What the next round needs is loaded when what this one needs has been written, before the product.
// AHEAD: create_pipeline {{.*}}numStages = 3
// AHEAD: scf.for {{.*}}iter_args({{.*}}, %[[WORDS:arg[0-9]+]] = %{{[^ ]*}}) -> ({{.*}}, tensor<2048xi32, {{.*}}>)
// AHEAD-NEXT: nv_tileas.reinterpret %[[WORDS]]
// AHEAD: consumer_wait
// AHEAD-NEXT: %[[TILE:.*]] = nv_tileas.alloc_tensor
// AHEAD-NEXT: nv_tileas.copy %{{.*}}, %[[TILE]] {{.*}}stsm
// AHEAD: %[[NEXT:.*]] = scf.if
// AHEAD: tiled_load
// AHEAD: consumer_read
// AHEAD: nv_tileas.dot %{{.*}}, %[[TILE]]
// AHEAD: scf.yield {{.*}}, %[[NEXT]]

// In shorter runs, or where registers are short or an agent copies for others (SHORT), it is copied as it is and comes out of ldmatrix and prmt with four bytes of k to a
// word, in a layout of which no two rows of 16 bytes meet in a bank. Where there are no stages, or runs are too short for copies, threads write
// what they have loaded byte by byte.
// TRIP: nv_tileas.linear<rank = 2, register = {{\[\[}}1, 0], [2, 0], [0, 1], {{.*}}lane = {{\[\[}}4, 0], [8, 0], [0, 2], [0, 4], [0, 9]]
// TRIP-LABEL: nv_tileaa.func @gemm
// TRIP: scf.for
// TRIP: %[[RAW:.*]] = nv_tileas.alloc_tensor : tensor<64x128xi8
// TRIP-NEXT: %[[DONE:.*]], %{{.*}} = nv_tileas.async.tiled_load %{{.*}} into %[[RAW]] {allow_tma = false, atom = #nv_tileas.simt_async_copy<bytes = 8>
// TRIP: nv_tileas.async.wait %[[DONE]]
// TRIP-NEXT: %[[TURNED:.*]] = nv_tileas.convert_layout %[[RAW]] {{.*}}nv_tileas.load_atom = #nv_tileas.ldsm<matrices = 4, transposed = true>
// TRIP-NEXT: nv_tileas.copy %[[TURNED]], %[[B:.*]] {
// TRIP-NEXT: nv_tileas.dot %{{.*}}, %[[B]]
// SHORT-LABEL: nv_tileaa.func @gemm
// SHORT: load_atom
// SHORT-NOT: store_atom
// REMARK: Turn {{.*}}Reason="shared memory has no room for two stages
// LEFT-LABEL: nv_tileaa.func @gemm
// LEFT: nv_tileas.tiled_load
// LEFT-NOT: {{load|store}}_atom
// RING: numStages = 3
// RING: producer_write
// RING-COUNT-2: nv_tileas.async.tiled_load
// RING: consumer_read
// RING: load_atom

#l0 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#l1 = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#l2 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [32, 0]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#l3 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [16, 0], [32, 0]], lane = [[0, 16], [0, 32], [0, 64], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#l4 = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [0, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#l5 = #nv_tileas.shared<rank = 2, offset = [[0, 1], [8, 0], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [0, 32], [0, 64], [16, 0], [32, 0], [0, 10], [1, 16]]>
#l6 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[1, 0], [2, 0]]>
module attributes {nv_tileaa.target_spec = "sm_90a"} {
nv_tileaa.func @gemm(%arg0: !nv_tileaa.ptr<i8>, %arg1: !nv_tileaa.ptr<i8>, %arg2: !nv_tileaa.ptr<i32>, %arg3: i32, %arg4: i32, %arg5: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1_i32 = arith.constant 1 : i32
  %c0_i32 = arith.constant 0 : i32
  %0 = nv_tileaa.splat %c0_i32 : i32 -> tensor<64x128xi32, #l0>
  %x, %y, %z = nv_tileaa.get_program_id
  %1 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<i8>
  %2 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg5 : i32
  %3 = nv_tileaa.make_memref %1, sizes[%arg3, %2], strides[%2] : <i8>, (i32, i32), (i32) -> <?x?xi8, strides = [?, 1]>
  %4 = nv_tileaa.block_tile %3 : <?x?xi8, strides = [?, 1]> -> <[64, 64], padding = zero, !nv_tileaa.memref<?x?xi8, strides = [?, 1]>>
  %5 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<i8>
  %6 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg4 : i32
  %7 = nv_tileaa.make_memref %5, sizes[%arg5, %6], strides[%6] : <i8>, (i32, i32), (i32) -> <?x?xi8, strides = [?, 1]>
  %8 = nv_tileaa.block_tile %7 : <?x?xi8, strides = [?, 1]> -> <[64, 128], padding = zero, !nv_tileaa.memref<?x?xi8, strides = [?, 1]>>
  %9 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<i32>
  %10 = nv_tileaa.make_memref %9, sizes[%arg3, %6], strides[%6] : <i32>, (i32, i32), (i32) -> <?x?xi32, strides = [?, 1]>
  %11 = nv_tileaa.block_tile %10 : <?x?xi32, strides = [?, 1]> -> <[64, 128], !nv_tileaa.memref<?x?xi32, strides = [?, 1]>>
  %12 = nv_tileaa.get_dim_size %4 {axis = 1 : i32} : !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xi8, strides = [?, 1]>> -> i32
  %13 = scf.for %arg6 = %c0_i32 to %12 step %c1_i32 iter_args(%arg7 = %0) -> (tensor<64x128xi32, #l0>)  : i32 {
    %17 = nv_tileas.alloc_tensor : tensor<64x64xi8, #l1>
    %done, %result_token = nv_tileas.async.tiled_load %4[%x, %arg6] into %17 {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l2} : <[64, 64], padding = zero, !nv_tileaa.memref<?x?xi8, strides = [?, 1]>>, (i32, i32), tensor<64x64xi8, #l1>
    %result, %result_token_0 = nv_tileas.tiled_load %8[%arg6, %y] {vec = 16 : i32} : <[64, 128], padding = zero, !nv_tileaa.memref<?x?xi8, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xi8, #l3>
    nv_tileas.async.wait %done {nv_tileas.async_proxy}
    %18 = nv_tileas.alloc_tensor : tensor<64x128xi8, #l4>
    nv_tileas.copy %result, %18 {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>, nv_tileas.async_proxy} : tensor<64x128xi8, #l3>, tensor<64x128xi8, #l4>
    %19 = nv_tileas.dot %17, %18, %arg7 {atom = #nv_tileas.wgmma_atom<i8, n = 128, groups = [1, 1]>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>} : tensor<64x64xi8, #l1>, tensor<64x128xi8, #l4>, tensor<64x128xi32, #l0>
    scf.yield %19 : tensor<64x128xi32, #l0>
  }
  %14 = nv_tileas.alloc_tensor : tensor<64x128xi32, #l5>
  nv_tileas.copy %13, %14 {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x128xi32, #l0>, tensor<64x128xi32, #l5>
  %15 = nv_tileas.convert_layout %14 {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x128xi32, #l5> -> tensor<64x128xi32, #l6>
  %16 = nv_tileas.tiled_store %11[%x, %y], %15 {vec = 4 : i32} : <[64, 128], !nv_tileaa.memref<?x?xi32, strides = [?, 1]>>, (i32, i32), tensor<64x128xi32, #l6>
  nv_tileaa.return
}
}
