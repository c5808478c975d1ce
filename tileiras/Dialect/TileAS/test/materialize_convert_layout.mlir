// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout,tileas-optimize-alloc-tensor))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{reg2reg-vec-size=8}))' | FileCheck %s --check-prefix=NARROW

#a = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#b = #nv_tileas.linear<rank = 1, register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = []>

// The same elements in every thread, in other registers.
// CHECK-LABEL: nv_tileaa.func @rename
// CHECK: nv_tileas.copy %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 0, vec = 4>} {{.*}} ->
// NARROW-LABEL: nv_tileaa.func @rename
// NARROW: nv_tileas.copy {{.*}} nv_tileas.root_reg_to_reg_copy_op
nv_tileaa.func @rename(%s: f32) {
  %x = nv_tileaa.splat %s : f32 -> tensor<128xf32, #a>
  %y = nv_tileas.convert_layout %x : tensor<128xf32, #a> -> tensor<128xf32, #b>
  %z = arith.negf %y : tensor<128xf32, #b>
  nv_tileaa.return
}

// -----

#a = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#b = #nv_tileas.linear<rank = 1, register = [], lane = [[2], [1], [4], [8], [16]], warp = [[32], [64]]>

// Other lanes of the same warp.
// CHECK-LABEL: nv_tileaa.func @shuffle
// CHECK: nv_tileas.shuffle
// CHECK-NOT: alloc_tensor
// CHECK: nv_tileaa.return
nv_tileaa.func @shuffle(%s: f32) {
  %x = nv_tileaa.splat %s : f32 -> tensor<128xf32, #a>
  %y = nv_tileas.convert_layout %x : tensor<128xf32, #a> -> tensor<128xf32, #b>
  %z = arith.negf %y : tensor<128xf32, #b>
  nv_tileaa.return
}

// -----

#a = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#b = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [32], [64]], warp = [[8], [16]]>

// Other warps: through shared memory. The first tile needs no barrier before its write, the second reuses its bytes and does.
// CHECK-LABEL: nv_tileaa.func @shared
// CHECK-SAME: nv_tileas.shared_bytes = 512
// CHECK: %[[T:.*]] = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<128xf32, #shared{{[0-9]*}}>
// CHECK: nv_tileas.copy %{{.*}}, %[[T]] {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = {{[0-9]+}}>, no_war_barrier}
// CHECK: nv_tileas.convert_layout %[[T]] {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = {{[0-9]+}}>}
// CHECK: %[[U:.*]] = nv_tileas.alloc_tensor {offset = 0 : i64}
// CHECK: nv_tileas.copy %{{.*}}, %[[U]]
// CHECK-NOT: no_war_barrier
// CHECK: nv_tileaa.return
nv_tileaa.func @shared(%s: f32) {
  %x = nv_tileaa.splat %s : f32 -> tensor<128xf32, #a>
  %y = nv_tileas.convert_layout %x : tensor<128xf32, #a> -> tensor<128xf32, #b>
  %z = arith.negf %y : tensor<128xf32, #b>
  %w = nv_tileas.convert_layout %z : tensor<128xf32, #b> -> tensor<128xf32, #a>
  %v = arith.negf %w : tensor<128xf32, #a>
  nv_tileaa.return
}

// -----

#a = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#b = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [32], [64]], warp = [[8], [16]]>

// In a loop the write of one iteration follows the reads of the one before: the barrier stays.
// CHECK-LABEL: nv_tileaa.func @loop
// CHECK-NOT: no_war_barrier
// CHECK: nv_tileaa.return
nv_tileaa.func @loop(%s: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileaa.splat %s : f32 -> tensor<128xf32, #a>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (tensor<128xf32, #a>) : i32 {
    %y = nv_tileas.convert_layout %v : tensor<128xf32, #a> -> tensor<128xf32, #b>
    scf.yield %v : tensor<128xf32, #a>
  }
  nv_tileaa.return
}

// -----

// 64 KiB of f32, more than a third of what this target has: four pieces through one buffer, taken apart and put together in
// registers.
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16], [0, 32], [0, 64], [32, 0], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0]]>
#b = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[1, 0], [2, 0]]>
// CHECK-LABEL: nv_tileaa.func @pieces
// CHECK-SAME: nv_tileas.shared_bytes = 16384
// CHECK-COUNT-2: nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32x128xf32,
// CHECK: nv_tileaa.cat {{.*}} {axis = 0 : i32}
// CHECK-COUNT-2: nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32x128xf32,
// CHECK-NOT: alloc_tensor
// CHECK: nv_tileaa.cat {{.*}} {axis = 0 : i32}
// CHECK: nv_tileaa.cat {{.*}} {axis = 0 : i32}
nv_tileaa.func @pieces(%s: f32) {
  %x = nv_tileaa.splat %s : f32 -> tensor<128x128xf32, #a>
  %y = nv_tileas.convert_layout %x : tensor<128x128xf32, #a> -> tensor<128x128xf32, #b>
  %z = arith.negf %y : tensor<128x128xf32, #b>
  nv_tileaa.return
}

// -----

// The only bit that is a register on both sides is in the middle of the columns: it becomes a dimension of its own for a while.
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0], [16, 0]], lane = [[0, 16], [0, 32], [0, 64], [0, 128], [0, 256]], warp = [[1, 0], [2, 0]]>
#b = #nv_tileas.linear<rank = 2, register = [[0, 4], [0, 16], [0, 32], [0, 64], [0, 128], [0, 256], [1, 0]], lane = [[0, 1], [0, 2], [2, 0], [0, 8], [4, 0]], warp = [[8, 0], [16, 0]]>
// CHECK-LABEL: nv_tileaa.func @middle
// CHECK: nv_tileas.view {{.*}} -> tensor<32x64x2x4xf32
// Its halves are still too large, and go in rounds.
// CHECK-COUNT-2: nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<4096xf32,
// CHECK: nv_tileaa.cat {{.*}} {axis = 2 : i32}
// CHECK: nv_tileas.view {{.*}} -> tensor<32x512xf32
nv_tileaa.func @middle(%s: f32) {
  %x = nv_tileaa.splat %s : f32 -> tensor<32x512xf32, #a>
  %y = nv_tileas.convert_layout %x : tensor<32x512xf32, #a> -> tensor<32x512xf32, #b>
  %z = arith.negf %y : tensor<32x512xf32, #b>
  nv_tileaa.return
}

// -----

// No bit is a register on both sides: a transposition. The write of the loop's next round must wait for the reads of this one.
#a = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64]]>
#b = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
// CHECK-LABEL: nv_tileaa.func @transposition
// CHECK: nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<4096xf32,
// CHECK: nv_tileas.copy
// CHECK-NOT: no_war_barrier
// CHECK: nv_tileaa.return
nv_tileaa.func @transposition(%s: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = nv_tileaa.splat %s : f32 -> tensor<128x128xf32, #a>
    %y = nv_tileas.convert_layout %x : tensor<128x128xf32, #a> -> tensor<128x128xf32, #b>
    %z = arith.negf %y : tensor<128x128xf32, #b>
  }
  nv_tileaa.return
}

// -----

#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>

// Sums of a product that were made 16 bits wide: four matrices of eight rows with each instruction, where the target has it.
// CHECK-LABEL: nv_tileaa.func @stmatrix
// CHECK: nv_tileas.copy {{.*}} nv_tileas.store_atom = #nv_tileas.stsm<matrices = 4>
// NARROW-LABEL: nv_tileaa.func @stmatrix
// NARROW-NOT: nv_tileas.store_atom
// NARROW: nv_tileaa.return
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func @stmatrix(%s: f16) {
    %x = nv_tileaa.splat %s : f16 -> tensor<64x32xf16, #sums>
    %y = nv_tileas.convert_layout %x : tensor<64x32xf16, #sums> -> tensor<64x32xf16, #rows>
    %z = arith.negf %y : tensor<64x32xf16, #rows>
    nv_tileaa.return
  }
}

// -----

#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>

// CHECK-LABEL: nv_tileaa.func @without
// CHECK-NOT: nv_tileas.store_atom
// CHECK: nv_tileaa.return
module attributes {nv_tileaa.compute_capability = 80 : i64, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @without(%s: f16) {
    %x = nv_tileaa.splat %s : f16 -> tensor<64x32xf16, #sums>
    %y = nv_tileas.convert_layout %x : tensor<64x32xf16, #sums> -> tensor<64x32xf16, #rows>
    %z = arith.negf %y : tensor<64x32xf16, #rows>
    nv_tileaa.return
  }
}

// -----

#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>

// Neither are pointers, whatever the target has.
// CHECK-LABEL: nv_tileaa.func @pointers
// CHECK-NOT: nv_tileas.store_atom
// CHECK: nv_tileaa.return
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func @pointers(%s: !nv_tileaa.ptr<f16>) {
    %x = nv_tileaa.splat %s : !nv_tileaa.ptr<f16> -> tensor<64x32x!nv_tileaa.ptr<f16>, #sums>
    %y = nv_tileas.convert_layout %x : tensor<64x32x!nv_tileaa.ptr<f16>, #sums> -> tensor<64x32x!nv_tileaa.ptr<f16>, #rows>
    nv_tileaa.return
  }
}
