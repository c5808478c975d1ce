// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-slice-tiles)))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-slice-and-fuse)))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-slicing)))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-slice-tiles{room=1})))' | FileCheck %s --check-prefix=ALL

// Sums of 256 x 256 are the whole register file: two halves of the columns, since the left operand is smaller than the right one. The
// loop over k is inside. Tiles of the right operand may hang over the edge, so its slices lie half a slice apart.
#weak = #nv_tileaa.mem_semantic<weak>
!ma = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!mb = !nv_tileaa.memref<64x?xf16, strides = [?, 1]>
!mc = !nv_tileaa.memref<?x512xf16, strides = [512, 1]>
!va = !nv_tileaa.tiled_view<[128, 64], !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!vb = !nv_tileaa.tiled_view<[64, 512], !nv_tileaa.memref<64x?xf16, strides = [?, 1]>>
!vc = !nv_tileaa.tiled_view<[128, 512], !nv_tileaa.memref<?x512xf16, strides = [512, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @product
// Two blocks per multiprocessor would have half of the registers each.
// CHECK-SAME: nv_tileaa.occupancy = 1 : i32
// CHECK: scf.for %[[S:.*]] = %{{.*}} to %c2_i32
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<128x64xf16>
// CHECK: arith.addi
// CHECK: nv_tileaa.tiled_load {{.*}} : <[64, 256], steps = [64, 128], {{.*}} -> tensor<64x256xf16>
// CHECK: nv_tileaa.dot {{.*}} tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
// The store has a whole number of tiles: its slices never hang over.
// CHECK: nv_tileaa.tiled_store {{.*}}in_bounds = array<i1: false, true>{{.*}} : <[128, 256], !nv
nv_tileaa.func @product(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f16>, %m: i32, %n: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>, nv_tileaa.occupancy = 2 : i32} {
  %zero = arith.constant dense<0.0> : tensor<128x512xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %t = nv_tileaa.create_mem_token
  %ra = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
  %rb = nv_tileaa.make_memref %b, sizes[%n], strides[%n] : !nv_tileaa.ptr<f16>, (i32), (i32) -> !mb
  %rc = nv_tileaa.make_memref %c, sizes[%m], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !mc
  %x, %y, %z = nv_tileaa.get_program_id
  %pa = nv_tileaa.block_tile %ra : !ma -> !va
  %pb = nv_tileaa.block_tile %rb : !mb -> !vb
  %pc = nv_tileaa.block_tile %rc : !mc -> !vc
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<128x512xf32>) : i32 {
    %l, %t1 = nv_tileaa.tiled_load %pa[%x, %k], token %t : !va, (i32, i32) -> tensor<128x64xf16>
    %r, %t2 = nv_tileaa.tiled_load %pb[%k, %y], token %t : !vb, (i32, i32) -> tensor<64x512xf16>
    %d = nv_tileaa.dot %l, %r, %acc : tensor<128x64xf16>, tensor<64x512xf16>, tensor<128x512xf32>
    scf.yield %d : tensor<128x512xf32>
  }
  %h = arith.truncf %sum : tensor<128x512xf32> to tensor<128x512xf16>
  %t3 = nv_tileaa.tiled_store %pc[%x, %c0], %h, token %t : !vc, (i32, i32), tensor<128x512xf16>
  nv_tileaa.return
}
}

// -----

// A row at a time: reductions along the other dimension are no obstacle. What fits is left alone; with room for nothing it is cut as
// far as the store allows (two rows: a slice of one would always be a whole number of tiles).
!mem = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[16, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @rows
// CHECK-NOT: scf.for
// CHECK: nv_tileaa.return
// ALL-LABEL: nv_tileaa.func @rows
// ALL: scf.for %{{.*}} = %{{.*}} to %c8_i32
// ALL: tiled_load {{.*}} : <[2, 64], steps = [1, 64], {{.*}} -> tensor<2x64xf32>
// ALL: nv_tileaa.reduce {{.*}} : tensor<2x64xf32> -> tensor<2xf32>
// ALL: nv_tileaa.broadcast %{{.*}} : tensor<2x1xf32> -> tensor<2x64xf32>
nv_tileaa.func @rows(%a: !nv_tileaa.ptr<f32>, %m: i32, %i: i32) {
  %r = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f32>, (i32), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %c0 = arith.constant 0 : i32
  %x, %t = nv_tileaa.tiled_load %v[%i, %c0] : !view, (i32, i32) -> tensor<16x64xf32>
  %s = nv_tileaa.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<16x64xf32> -> tensor<16xf32> {
  ^bb0(%e: f32, %acc: f32):
    %u = arith.addf %e, %acc : f32
    nv_tileaa.yield %u : f32
  }
  %s2 = nv_tileaa.expand_dims %s {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
  %b = nv_tileaa.broadcast %s2 : tensor<16x1xf32> -> tensor<16x64xf32>
  %d = arith.divf %x, %b : tensor<16x64xf32>
  // In place: the token orders the load before the store, and slices of one array never meet.
  %t2 = nv_tileaa.tiled_store %v[%i, %c0], %d, token %t : !view, (i32, i32), tensor<16x64xf32>
  nv_tileaa.return
}

// The load comes before the store by its token, and reads other tiles of the same array: no order of slices is right.
// ALL-LABEL: nv_tileaa.func @shifted
// ALL-NOT: scf.for
// ALL: nv_tileaa.return
nv_tileaa.func @shifted(%a: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %m: i32, %i: i32) {
  %r = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f32>, (i32), () -> !mem
  %r2 = nv_tileaa.make_memref %q, sizes[%m], strides[] : !nv_tileaa.ptr<f32>, (i32), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %v2 = nv_tileaa.block_tile %r2 : !mem -> !view
  %c0 = arith.constant 0 : i32
  %x, %t = nv_tileaa.tiled_load %v[%i, %c0] : !view, (i32, i32) -> tensor<16x64xf32>
  %t2 = nv_tileaa.tiled_store %v2[%i, %c0], %x, token %t : !view, (i32, i32), tensor<16x64xf32>
  nv_tileaa.return
}

// Two tiles joined along the rows, and a part of the rows taken: slices along the columns.
// ALL-LABEL: nv_tileaa.func @joined
// ALL: scf.for %{{.*}} = %{{.*}} to %c32_i32
// ALL: nv_tileaa.cat {{.*}} {axis = 0 : i32} : tensor<16x2xf32>, tensor<16x2xf32> -> tensor<32x2xf32>
// ALL: nv_tileaa.extract_slice {{.*}} : tensor<32x2xf32> -> tensor<16x2xf32>
nv_tileaa.func @joined(%a: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %m: i32, %i: i32) {
  %r = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f32>, (i32), () -> !mem
  %r2 = nv_tileaa.make_memref %q, sizes[%m], strides[] : !nv_tileaa.ptr<f32>, (i32), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %v2 = nv_tileaa.block_tile %r2 : !mem -> !view
  %c0 = arith.constant 0 : i32
  %t0 = nv_tileaa.create_mem_token
  %x, %t = nv_tileaa.tiled_load %v[%i, %c0], token %t0 : !view, (i32, i32) -> tensor<16x64xf32>
  %c = nv_tileaa.cat %x, %x {axis = 0 : i32} : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<32x64xf32>
  %p = nv_tileaa.extract_slice %c[%i, %c0] : tensor<32x64xf32> -> tensor<16x64xf32>
  %t2 = nv_tileaa.tiled_store %v2[%i, %c0], %p, token %t0 : !view, (i32, i32), tensor<16x64xf32>
  nv_tileaa.return
}

// Pointers out of ranges: the slice number goes into the range.
// ALL-LABEL: nv_tileaa.func @pointers
// ALL: scf.for %[[S:.*]] = %{{.*}} to
// ALL: %[[R:.*]] = nv_tileaa.make_range(0, [[E:[0-9]+]])
// ALL: %[[F:.*]] = arith.muli %[[S]]
// ALL: %[[B:.*]] = nv_tileaa.splat %[[F]]
// ALL: %[[O:.*]] = arith.addi %[[R]], %[[B]]
// ALL: nv_tileaa.load
// ALL: nv_tileaa.store
nv_tileaa.func @pointers(%a: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) {
  %o = nv_tileaa.make_range(0, 1024) : tensor<1024xi32>
  %p = nv_tileaa.splat %a : !nv_tileaa.ptr<f32> -> tensor<1024x!nv_tileaa.ptr<f32>>
  %p2 = nv_tileaa.splat %q : !nv_tileaa.ptr<f32> -> tensor<1024x!nv_tileaa.ptr<f32>>
  %l = nv_tileaa.addptr %p, %o : tensor<1024x!nv_tileaa.ptr<f32>>, tensor<1024xi32>
  %s = nv_tileaa.addptr %p2, %o : tensor<1024x!nv_tileaa.ptr<f32>>, tensor<1024xi32>
  %x, %t = nv_tileaa.load %l : tensor<1024x!nv_tileaa.ptr<f32>> -> tensor<1024xf32>
  %y = arith.addf %x, %x : tensor<1024xf32>
  %t2 = nv_tileaa.store %s, %y : tensor<1024x!nv_tileaa.ptr<f32>>, tensor<1024xf32>
  nv_tileaa.return
}

// A sum over the whole tile is written once: nothing to slice.
// ALL-LABEL: nv_tileaa.func @whole
// ALL-NOT: scf.for
// ALL: nv_tileaa.return
nv_tileaa.func @whole(%a: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) {
  %o = nv_tileaa.make_range(0, 1024) : tensor<1024xi32>
  %p = nv_tileaa.splat %a : !nv_tileaa.ptr<f32> -> tensor<1024x!nv_tileaa.ptr<f32>>
  %l = nv_tileaa.addptr %p, %o : tensor<1024x!nv_tileaa.ptr<f32>>, tensor<1024xi32>
  %x, %t = nv_tileaa.load %l : tensor<1024x!nv_tileaa.ptr<f32>> -> tensor<1024xf32>
  %s = nv_tileaa.reduce %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<1024xf32> -> f32 {
  ^bb0(%e: f32, %acc: f32):
    %u = arith.addf %e, %acc : f32
    nv_tileaa.yield %u : f32
  }
  %t2 = nv_tileaa.store %q, %s : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}
}

// -----

// 8-bit numbers that are multiplied as f16 from shared memory (n first on sm_90) become so a few at a time, on their way there: what is loaded
// for the product alone takes a quarter of a register a number.
!ma = !nv_tileaa.memref<?x512xf8E4M3FN, strides = [512, 1]>
!mc = !nv_tileaa.memref<?x512xf32, strides = [512, 1]>
!va = !nv_tileaa.tiled_view<[128, 128], !nv_tileaa.memref<?x512xf8E4M3FN, strides = [512, 1]>>
!vc = !nv_tileaa.tiled_view<[128, 128], !nv_tileaa.memref<?x512xf32, strides = [512, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @narrow
// CHECK: nv_tileaa.dot {{.*}} tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>
nv_tileaa.func @narrow(%a: !nv_tileaa.ptr<f8E4M3FN>, %b: !nv_tileaa.ptr<f8E4M3FN>, %c: !nv_tileaa.ptr<f32>, %m: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %t = nv_tileaa.create_mem_token
  %ra = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f8E4M3FN>, (i32), () -> !ma
  %rb = nv_tileaa.make_memref %b, sizes[%m], strides[] : !nv_tileaa.ptr<f8E4M3FN>, (i32), () -> !ma
  %rc = nv_tileaa.make_memref %c, sizes[%m], strides[] : !nv_tileaa.ptr<f32>, (i32), () -> !mc
  %x, %y, %z = nv_tileaa.get_program_id
  %pa = nv_tileaa.block_tile %ra : !ma -> !va
  %pb = nv_tileaa.block_tile %rb : !ma -> !va
  %pc = nv_tileaa.block_tile %rc : !mc -> !vc
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %l, %t1 = nv_tileaa.tiled_load %pa[%x, %k], token %t : !va, (i32, i32) -> tensor<128x128xf8E4M3FN>
    %r, %t2 = nv_tileaa.tiled_load %pb[%k, %y], token %t : !va, (i32, i32) -> tensor<128x128xf8E4M3FN>
    %d = nv_tileaa.dot %l, %r, %acc : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %t3 = nv_tileaa.tiled_store %pc[%x, %y], %sum, token %t : !vc, (i32, i32), tensor<128x128xf32>
  nv_tileaa.return
}
}

// -----

// Rows whose numbers are loaded. Eight elements that one instruction moves have one pointer, so pointers to all of them fit in the
// registers beside the tile, and nothing is sliced; if the stride is a multiple of one element only, every element has its own.
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @rows_side_by_side
// CHECK-NOT: scf.for
// CHECK: nv_tileaa.load {{.*}} -> tensor<256x128xf16>
// CHECK-LABEL: nv_tileaa.func @rows_apart
// CHECK: scf.for {{.*}} to %c4
// CHECK: nv_tileaa.load {{.*}} -> tensor<64x128xf16>
nv_tileaa.func @rows_side_by_side(%n: !nv_tileaa.ptr<i32>, %from: !nv_tileaa.ptr<f16>, %to: !nv_tileaa.ptr<f16>, %row: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %from16 = nv_tileaa.assume #nv_tileaa.div_by<16>, %from : !nv_tileaa.ptr<f16>
  %to16 = nv_tileaa.assume #nv_tileaa.div_by<16>, %to : !nv_tileaa.ptr<f16>
  %stride = nv_tileaa.assume #nv_tileaa.div_by<8>, %row : i32
  %r = nv_tileaa.make_range(0, 256) : tensor<256xi32>
  %pn = nv_tileaa.splat %n : !nv_tileaa.ptr<i32> -> tensor<256x!nv_tileaa.ptr<i32>>
  %an = nv_tileaa.addptr %pn, %r : tensor<256x!nv_tileaa.ptr<i32>>, tensor<256xi32>
  %rows, %t = nv_tileaa.load %an : tensor<256x!nv_tileaa.ptr<i32>> -> tensor<256xi32>
  %wide = arith.extsi %rows : tensor<256xi32> to tensor<256xi64>
  %column = nv_tileaa.view %wide : tensor<256xi64> -> tensor<256x1xi64>
  %all = nv_tileaa.broadcast %column : tensor<256x1xi64> -> tensor<256x128xi64>
  %stride64 = arith.extsi %stride : i32 to i64
  %strides = nv_tileaa.splat %stride64 : i64 -> tensor<256x128xi64>
  %begins = arith.muli %all, %strides : tensor<256x128xi64>
  %c = nv_tileaa.make_range(0, 128) : tensor<128xi32>
  %c64 = arith.extsi %c : tensor<128xi32> to tensor<128xi64>
  %cr = nv_tileaa.view %c64 : tensor<128xi64> -> tensor<1x128xi64>
  %columns = nv_tileaa.broadcast %cr : tensor<1x128xi64> -> tensor<256x128xi64>
  %offsets = arith.addi %begins, %columns : tensor<256x128xi64>
  %pf = nv_tileaa.splat %from16 : !nv_tileaa.ptr<f16> -> tensor<256x128x!nv_tileaa.ptr<f16>>
  %af = nv_tileaa.addptr %pf, %offsets : tensor<256x128x!nv_tileaa.ptr<f16>>, tensor<256x128xi64>
  %x, %t1 = nv_tileaa.load %af : tensor<256x128x!nv_tileaa.ptr<f16>> -> tensor<256x128xf16>
  %pt = nv_tileaa.splat %to16 : !nv_tileaa.ptr<f16> -> tensor<256x128x!nv_tileaa.ptr<f16>>
  %at = nv_tileaa.addptr %pt, %offsets : tensor<256x128x!nv_tileaa.ptr<f16>>, tensor<256x128xi64>
  %t2 = nv_tileaa.store %at, %x : tensor<256x128x!nv_tileaa.ptr<f16>>, tensor<256x128xf16>
  nv_tileaa.return
}

nv_tileaa.func @rows_apart(%n: !nv_tileaa.ptr<i32>, %from: !nv_tileaa.ptr<f16>, %to: !nv_tileaa.ptr<f16>, %row: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %from16 = nv_tileaa.assume #nv_tileaa.div_by<16>, %from : !nv_tileaa.ptr<f16>
  %to16 = nv_tileaa.assume #nv_tileaa.div_by<16>, %to : !nv_tileaa.ptr<f16>
  %stride = nv_tileaa.assume #nv_tileaa.div_by<1>, %row : i32
  %r = nv_tileaa.make_range(0, 256) : tensor<256xi32>
  %pn = nv_tileaa.splat %n : !nv_tileaa.ptr<i32> -> tensor<256x!nv_tileaa.ptr<i32>>
  %an = nv_tileaa.addptr %pn, %r : tensor<256x!nv_tileaa.ptr<i32>>, tensor<256xi32>
  %rows, %t = nv_tileaa.load %an : tensor<256x!nv_tileaa.ptr<i32>> -> tensor<256xi32>
  %wide = arith.extsi %rows : tensor<256xi32> to tensor<256xi64>
  %column = nv_tileaa.view %wide : tensor<256xi64> -> tensor<256x1xi64>
  %all = nv_tileaa.broadcast %column : tensor<256x1xi64> -> tensor<256x128xi64>
  %stride64 = arith.extsi %stride : i32 to i64
  %strides = nv_tileaa.splat %stride64 : i64 -> tensor<256x128xi64>
  %begins = arith.muli %all, %strides : tensor<256x128xi64>
  %c = nv_tileaa.make_range(0, 128) : tensor<128xi32>
  %c64 = arith.extsi %c : tensor<128xi32> to tensor<128xi64>
  %cr = nv_tileaa.view %c64 : tensor<128xi64> -> tensor<1x128xi64>
  %columns = nv_tileaa.broadcast %cr : tensor<1x128xi64> -> tensor<256x128xi64>
  %offsets = arith.addi %begins, %columns : tensor<256x128xi64>
  %pf = nv_tileaa.splat %from16 : !nv_tileaa.ptr<f16> -> tensor<256x128x!nv_tileaa.ptr<f16>>
  %af = nv_tileaa.addptr %pf, %offsets : tensor<256x128x!nv_tileaa.ptr<f16>>, tensor<256x128xi64>
  %x, %t1 = nv_tileaa.load %af : tensor<256x128x!nv_tileaa.ptr<f16>> -> tensor<256x128xf16>
  %pt = nv_tileaa.splat %to16 : !nv_tileaa.ptr<f16> -> tensor<256x128x!nv_tileaa.ptr<f16>>
  %at = nv_tileaa.addptr %pt, %offsets : tensor<256x128x!nv_tileaa.ptr<f16>>, tensor<256x128xi64>
  %t2 = nv_tileaa.store %at, %x : tensor<256x128x!nv_tileaa.ptr<f16>>, tensor<256x128xf16>
  nv_tileaa.return
}
}

// -----

// Sums that have room in tensor memory, all 512 columns, are no reason for slices: parts of 64 columns come to registers, and are stored.
#weak = #nv_tileaa.mem_semantic<weak>
!ma = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!mb = !nv_tileaa.memref<64x?xf16, strides = [?, 1]>
!mc = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<[256, 64], !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!vb = !nv_tileaa.tiled_view<[64, 256], !nv_tileaa.memref<64x?xf16, strides = [?, 1]>>
!vc = !nv_tileaa.tiled_view<[256, 256], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
// CHECK-LABEL: nv_tileaa.func @parts
// CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (tensor<256x256xf32>)
// CHECK: nv_tileaa.extract_slice %[[SUM]][%c0_i32{{.*}}, %c0_i32{{.*}}] : tensor<256x256xf32> -> tensor<256x64xf32>
// CHECK: nv_tileaa.broadcast %arg5 : tensor<256x1xf32> -> tensor<256x64xf32>
// CHECK: arith.addf {{.*}} : tensor<256x64xf32>
// CHECK: arith.truncf {{.*}} : tensor<256x64xf32> to tensor<256x64xf16>
// A part of a tile that hangs over may lie outside of the memref altogether, which views with steps of a whole tile do not allow.
// CHECK: nv_tileaa.tiled_store {{.*}} : <[256, 64], steps = [256, 32], {{.*}}, tensor<256x64xf16>
// CHECK-COUNT-3: nv_tileaa.tiled_store {{.*}} tensor<256x64xf16>
// CHECK-NOT: tiled_store
nv_tileaa.func @parts(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %column: tensor<256x1xf32>)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %t = nv_tileaa.create_mem_token
  %ra = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
  %rb = nv_tileaa.make_memref %b, sizes[%n], strides[%n] : !nv_tileaa.ptr<f16>, (i32), (i32) -> !mb
  %rc = nv_tileaa.make_memref %c, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %x, %y, %z = nv_tileaa.get_program_id
  %pa = nv_tileaa.block_tile %ra : !ma -> !va
  %pb = nv_tileaa.block_tile %rb : !mb -> !vb
  %pc = nv_tileaa.block_tile %rc : !mc -> !vc
  %wide = nv_tileaa.broadcast %column : tensor<256x1xf32> -> tensor<256x256xf32>
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) : i32 {
    %l, %t1 = nv_tileaa.tiled_load %pa[%x, %k], token %t : !va, (i32, i32) -> tensor<256x64xf16>
    %r, %t2 = nv_tileaa.tiled_load %pb[%k, %y], token %t : !vb, (i32, i32) -> tensor<64x256xf16>
    %d = nv_tileaa.dot %l, %r, %acc : tensor<256x64xf16>, tensor<64x256xf16>, tensor<256x256xf32>
    scf.yield %d : tensor<256x256xf32>
  }
  %e = arith.addf %sum, %wide : tensor<256x256xf32>
  %h = arith.truncf %e : tensor<256x256xf32> to tensor<256x256xf16>
  %t3 = nv_tileaa.tiled_store %pc[%x, %y], %h, token %t : !vc, (i32, i32), tensor<256x256xf16>
  nv_tileaa.return
}
}

// -----

// A row that is added to all rows of sums, and not loaded for that, would be in every thread as a whole: slices.
!ma = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!mb = !nv_tileaa.memref<64x?xf16, strides = [?, 1]>
!mc = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<[256, 64], !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!vb = !nv_tileaa.tiled_view<[64, 256], !nv_tileaa.memref<64x?xf16, strides = [?, 1]>>
!vc = !nv_tileaa.tiled_view<[256, 256], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
// CHECK-LABEL: nv_tileaa.func @row
// CHECK: scf.for %{{.*}} = %{{.*}} to %c2_i32
// CHECK: scf.for
// CHECK-NOT: extract_slice
// CHECK: nv_tileaa.tiled_store
// CHECK-NOT: tiled_store
nv_tileaa.func @row(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %row: tensor<1x256xf32>)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %t = nv_tileaa.create_mem_token
  %ra = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
  %rb = nv_tileaa.make_memref %b, sizes[%n], strides[%n] : !nv_tileaa.ptr<f16>, (i32), (i32) -> !mb
  %rc = nv_tileaa.make_memref %c, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %x, %y, %z = nv_tileaa.get_program_id
  %pa = nv_tileaa.block_tile %ra : !ma -> !va
  %pb = nv_tileaa.block_tile %rb : !mb -> !vb
  %pc = nv_tileaa.block_tile %rc : !mc -> !vc
  %wide = nv_tileaa.broadcast %row : tensor<1x256xf32> -> tensor<256x256xf32>
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) : i32 {
    %l, %t1 = nv_tileaa.tiled_load %pa[%x, %k], token %t : !va, (i32, i32) -> tensor<256x64xf16>
    %r, %t2 = nv_tileaa.tiled_load %pb[%k, %y], token %t : !vb, (i32, i32) -> tensor<64x256xf16>
    %d = nv_tileaa.dot %l, %r, %acc : tensor<256x64xf16>, tensor<64x256xf16>, tensor<256x256xf32>
    scf.yield %d : tensor<256x256xf32>
  }
  %e = arith.addf %sum, %wide : tensor<256x256xf32>
  %h = arith.truncf %e : tensor<256x256xf32> to tensor<256x256xf16>
  %t3 = nv_tileaa.tiled_store %pc[%x, %y], %h, token %t : !vc, (i32, i32), tensor<256x256xf16>
  nv_tileaa.return
}
}
