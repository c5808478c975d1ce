// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s

// 64 elements of f16 over one warp, in pairs; in memory with a swizzle: offset bit 5 also flips coordinate bit 1.
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#t = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [34]]>
!v2 = !llvm.struct<(f16, f16)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK: llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<384 x i8>
// CHECK-LABEL: func.func @round_trip
// CHECK: %[[BASE:.*]] = llvm.mlir.addressof @global_smem : !llvm.ptr<3>
// CHECK: %[[TILE:.*]] = llvm.getelementptr %[[BASE]][256] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// Writing: pairs are neighbours, one access; a barrier on either side.
// CHECK: nvvm.barrier0
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<3>
// CHECK-NEXT: nvvm.barrier0
// Reading in the other layout: element by element.
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
func.func @round_trip(%s: !v2) -> !v2 {
  %x = builtin.unrealized_conversion_cast %s : !v2 to tensor<64xf16, #l>
  %a = nv_tileas.alloc_tensor {offset = 256 : i64} : tensor<64xf16, #m>
  nv_tileas.copy %x, %a : tensor<64xf16, #l>, tensor<64xf16, #m>
  %y = nv_tileas.convert_layout %a {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 2>} : tensor<64xf16, #m> -> tensor<64xf16, #t>
  %r = builtin.unrealized_conversion_cast %y : tensor<64xf16, #t> to !v2
  return %r : !v2
}
}

// -----

// no_war_barrier leaves out the first barrier.
#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @fresh
// CHECK-NOT: barrier
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: nvvm.barrier0
func.func @fresh(%s: !llvm.struct<(i1)>) {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(i1)> to tensor<32xi1, #l>
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32xi1, #m>
  nv_tileas.copy %x, %a {no_war_barrier} : tensor<32xi1, #l>, tensor<32xi1, #m>
  return
}
}

// -----

// A shuffle inside the warp: lane bits reversed.
#a = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#b = #nv_tileas.linear<rank = 1, register = [], lane = [[16], [8], [4], [2], [1]], warp = []>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @shuffle
// CHECK: nvvm.shfl.sync idx
// CHECK-NOT: shfl
func.func @shuffle(%s: !llvm.struct<(f16)>) -> !llvm.struct<(f16)> {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f16)> to tensor<32xf16, #a>
  %y = nv_tileas.shuffle %x : tensor<32xf16, #a> -> tensor<32xf16, #b>
  %r = builtin.unrealized_conversion_cast %y : tensor<32xf16, #b> to !llvm.struct<(f16)>
  return %r : !llvm.struct<(f16)>
}
// A copy renames registers.
// CHECK-LABEL: func.func @copy
// CHECK: %[[V1:.*]] = llvm.extractvalue %arg0[1]
// CHECK: llvm.insertvalue %[[V1]], %{{.*}}[2]
func.func @copy(%s: !llvm.struct<(i32, i32, i32, i32)>) -> !llvm.struct<(i32, i32, i32, i32)> {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(i32, i32, i32, i32)> to tensor<128xi32, #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>>
  %y = nv_tileas.copy %x : tensor<128xi32, #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>> -> tensor<128xi32, #nv_tileas.linear<rank = 1, register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = []>>
  %r = builtin.unrealized_conversion_cast %y : tensor<128xi32, #nv_tileas.linear<rank = 1, register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = []>> to !llvm.struct<(i32, i32, i32, i32)>
  return %r : !llvm.struct<(i32, i32, i32, i32)>
}
}

// -----

// More than the target has: what is needed and what is there.
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192]]>
module attributes {nv_tileaa.compute_capability = 80 : i64, nv_tileaa.target_spec = "sm_80"} {
// expected-error @below {{fails to assign smem buffer: the kernel needs 65536 bytes of shared memory, sm_80 has 49152}}
func.func @too_much() {
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<16384xf32, #m>
  return
}
}

// -----

// A variable that is there already holds the tiles, if it can: no other one is made.
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK: llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<4096 x i8>
// CHECK-NOT: llvm.mlir.global
// CHECK-LABEL: func.func @reuses
// CHECK: llvm.mlir.addressof @global_smem : !llvm.ptr<3>
llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<4096 x i8>
func.func @reuses(%s: !llvm.struct<(f32)>) {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f32)> to tensor<32xf32, #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>>
  %a = nv_tileas.alloc_tensor {offset = 128 : i64} : tensor<32xf32, #m>
  nv_tileas.copy %x, %a : tensor<32xf32, #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>>, tensor<32xf32, #m>
  return
}
}

// -----

// Who needs no shared memory gets none.
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-NOT: llvm.mlir.global
// CHECK-LABEL: func.func @needs_none
func.func @needs_none() {
  return
}
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// expected-error @below {{cannot hold the shared memory of 'too_small': it has 64 bytes}}
llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<64 x i8>
// expected-note @below {{which needs 128 bytes}}
func.func @too_small() {
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32xf32, #m>
  return
}
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// expected-error @below {{cannot hold the shared memory of 'elsewhere': it is no variable in shared memory}}
llvm.mlir.global internal @global_smem() {alignment = 1024 : i64} : !llvm.array<4096 x i8>
// expected-note @below {{which needs 128 bytes}}
func.func @elsewhere() {
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32xf32, #m>
  return
}
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// expected-error @below {{cannot hold the shared memory of 'askew': it is aligned to 4 bytes, and 128 are needed}}
llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<4096 x i8>
// expected-note @below {{which needs 128 bytes}}
func.func @askew() {
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32xf32, #m>
  return
}
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// expected-error @below {{cannot hold the shared memory of 'at_launch': its size comes with the launch}}
llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// expected-note @below {{which needs 128 bytes}}
func.func @at_launch() {
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32xf32, #m>
  return
}
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1]]>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// expected-error @below {{fails to do bufferization analysis}}
func.func @no_offset() {
  // expected-error @below {{has no offset in shared memory}}
  %a = nv_tileas.alloc_tensor : tensor<2xf32, #m>
  return
}
}

// -----

// Offset bit 6 flips coordinate bit 0 too, so that registers 2 and 3 lie in memory the other way round: still one access.
#l = #nv_tileas.linear<rank = 1, register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [65]]>
!v4 = !llvm.struct<(f16, f16, f16, f16)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @turned
// CHECK-DAG: %[[V2:.*]] = llvm.extractvalue %{{.*}}[2]
// CHECK-DAG: %[[V3:.*]] = llvm.extractvalue %{{.*}}[3]
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<3>
// CHECK: %[[LOW:.*]] = llvm.bitcast %[[V3]] : f16 to i16
// CHECK: llvm.insertelement %[[LOW]],
// CHECK: %[[HIGH:.*]] = llvm.bitcast %[[V2]] : f16 to i16
// CHECK: llvm.insertelement %[[HIGH]],
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: return
func.func @turned(%s: !v4) {
  %x = builtin.unrealized_conversion_cast %s : !v4 to tensor<128xf16, #l>
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<128xf16, #m>
  nv_tileas.copy %x, %a : tensor<128xf16, #l>, tensor<128xf16, #m>
  return
}
}

// -----

// By stmatrix: every lane gives the address of a row, and its pairs of four matrices. An atom that does not fit is refused.
#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#m = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
!v8 = !llvm.struct<(f16, f16, f16, f16, f16, f16, f16, f16)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @matrices
// CHECK: nvvm.barrier0
// CHECK: llvm.call_intrinsic "llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3"({{.*}}) : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
// CHECK-NOT: llvm.store
// CHECK: nvvm.barrier0
// CHECK: return
func.func @matrices(%s: !v8) {
  %x = builtin.unrealized_conversion_cast %s : !v8 to tensor<64x16xf16, #sums>
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x16xf16, #m>
  nv_tileas.copy %x, %a {nv_tileas.store_atom = #nv_tileas.stsm<matrices = 4>} : tensor<64x16xf16, #sums>, tensor<64x16xf16, #m>
  return
}
}

// -----

// Bytes that lie across, n in registers: pairs of k are put together of two rows, in odd lanes the second pair first, and stmatrix turns them.
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], lane = [[0, 16], [16, 0], [2, 0], [4, 0], [8, 0]], warp = []>
!v32 = !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)>
#m = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [16, 4], [0, 8], [0, 16]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @bytes
// CHECK-DAG: %[[LOWER:.*]] = llvm.mlir.constant(20800 : i32)
// CHECK-DAG: %[[UPPER:.*]] = llvm.mlir.constant(29538 : i32)
// CHECK: %[[FIRST:.*]] = llvm.select %[[ODD:.*]], %[[UPPER]], %[[LOWER]]
// CHECK: %[[SECOND:.*]] = llvm.select %[[ODD]], %[[LOWER]], %[[UPPER]]
// CHECK: nvvm.barrier0
// CHECK: %[[W0:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"(%[[EVEN:.*]], %[[NEXT:.*]], %[[FIRST]])
// CHECK: %[[W1:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"({{.*}}, %[[SECOND]])
// CHECK: %[[W2:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"({{.*}}, %[[FIRST]])
// CHECK: %[[W3:.*]] = llvm.call_intrinsic "llvm.nvvm.prmt"({{.*}}, %[[SECOND]])
// CHECK: llvm.call_intrinsic "llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3"({{.*}}, %[[W0]], %[[W1]], %[[W2]], %[[W3]])
// CHECK: llvm.call_intrinsic "llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3"
// CHECK-NOT: llvm.store
// CHECK: nvvm.barrier0
// CHECK: return
func.func @bytes(%s: !v32) {
  %x = builtin.unrealized_conversion_cast %s : !v32 to tensor<32x32xi8, #rows>
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32x32xi8, #m>
  nv_tileas.copy %x, %a {nv_tileas.store_atom = #nv_tileas.stsm<matrices = 4, transposed = true>} : tensor<32x32xi8, #rows>, tensor<32x32xi8, #m>
  return
}
}

// -----

// Rows that are not 16 bytes of k.
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], lane = [[0, 16], [16, 0], [2, 0], [4, 0], [8, 0]], warp = []>
!v32 = !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)>
#m = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @across(%s: !v32) {
  %x = builtin.unrealized_conversion_cast %s : !v32 to tensor<32x32xi8, #rows>
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32x32xi8, #m>
  // expected-error @below {{cannot be written by #nv_tileas.stsm<matrices = 4, transposed = true>}}
  // expected-error @below {{failed to legalize operation 'nv_tileas.copy'}}
  nv_tileas.copy %x, %a {nv_tileas.store_atom = #nv_tileas.stsm<matrices = 4, transposed = true>} : tensor<32x32xi8, #rows>, tensor<32x32xi8, #m>
  return
}
}

// -----

#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#m = #nv_tileas.shared<rank = 2, offset = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
!v8 = !llvm.struct<(f16, f16, f16, f16, f16, f16, f16, f16)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @scattered(%s: !v8) {
  %x = builtin.unrealized_conversion_cast %s : !v8 to tensor<64x16xf16, #sums>
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x16xf16, #m>
  // expected-error @below {{cannot be written by #nv_tileas.stsm<matrices = 4>}}
  // expected-error @below {{failed to legalize operation 'nv_tileas.copy'}}
  nv_tileas.copy %x, %a {nv_tileas.store_atom = #nv_tileas.stsm<matrices = 4>} : tensor<64x16xf16, #sums>, tensor<64x16xf16, #m>
  return
}
}
