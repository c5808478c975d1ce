// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

// One warp, 2 x 64 of f4E2M1FN: pairs along the row.
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = []>
!mem = !nv_tileaa.memref<?x64xf4E2M1FN, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[2, 64], padding = nan, !mem>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// Two elements are a byte; outside both read as 6 (0x77 = 119), the largest number, since there is no NaN.
// CHECK-LABEL: func.func @pairs
// CHECK: llvm.ashr %{{.*}}, %{{.*}} : i64
// CHECK: llvm.inline_asm {{.*}}"@$3 ld.global.b8 $0, [$2];"
// CHECK: llvm.and %{{.*}} : i8
// CHECK: llvm.lshr %{{.*}} : i8
// CHECK: ld.global.b8
// CHECK-NOT: ld.global
// CHECK-NOT: nvvm.barrier
// CHECK: st.global.b8
// CHECK: st.global.b8
// CHECK-NOT: st.global
func.func @pairs(%q: !llvm.ptr<1>, %m: i32, %i: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f4E2M1FN>
  %r = nv_tileaa.make_memref %p, sizes [%m], strides [] : !nv_tileaa.ptr<f4E2M1FN>, (i32), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %tok = nv_tileas.tiled_load %v[%i, %i] {vec = 2 : i32} : !view, (i32, i32) -> tensor<2x64xf4E2M1FN, #l>
  %s = nv_tileas.tiled_store %v[%i, %i], %t {vec = 2 : i32} : !view, (i32, i32), tensor<2x64xf4E2M1FN, #l>
  return
}
}

// -----

// Every thread owns half a byte, whose other half may be anybody's: merged into the word around it. No barriers: the merges
// are atomic.
#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
!mem = !nv_tileaa.memref<64xf4E2M1FN, strides = [1]>
!view = !nv_tileaa.tiled_view<[32], !mem>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @halves
// CHECK-NOT: nvvm.barrier0
// CHECK-NOT: ld.
// CHECK: llvm.mlir.constant(-4 : i64)
// CHECK: %[[WORD:.*]] = llvm.inttoptr
// CHECK: %[[FIFTEEN:.*]] = llvm.mlir.constant(15 : i32)
// CHECK: %[[ONES:.*]] = llvm.shl %[[FIFTEEN]]
// CHECK: %[[VALUE:.*]] = llvm.shl %{{.*}} : i32
// CHECK: %[[KEEP:.*]] = llvm.xor %[[ONES]]
// CHECK: "red.relaxed.gpu.global.and.b32 [$0], $1;", "l,r,~{memory}" %[[WORD]], %[[KEEP]]
// CHECK: "red.relaxed.gpu.global.or.b32 [$0], $1;", "l,r,~{memory}" %[[WORD]], %[[VALUE]]
// CHECK-NOT: red.
// CHECK-NOT: st.
// CHECK-NOT: nvvm.barrier0
func.func @halves(%q: !llvm.ptr<1>, %x: !llvm.struct<(i8)>, %i: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f4E2M1FN>
  %t = builtin.unrealized_conversion_cast %x : !llvm.struct<(i8)> to tensor<32xf4E2M1FN, #l>
  %r = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<f4E2M1FN>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %s = nv_tileas.tiled_store %v[%i], %t {vec = 1 : i32} : !view, (i32), tensor<32xf4E2M1FN, #l>
  return
}

// A store that others may watch changes its half at once, whatever its scope: the owner of the other half is anybody.
// CHECK-LABEL: func.func @ordered
// CHECK: nvvm.barrier0
// CHECK: llvm.inline_asm {{.*}}ld.relaxed.gpu.global.b8 seen, [$3];{{.*}}atom.release.gpu.global.cas.b32 answer, [$0], seen, next;
// CHECK-NOT: red.
func.func @ordered(%q: !llvm.ptr<1>, %x: !llvm.struct<(i8)>, %i: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f4E2M1FN>
  %t = builtin.unrealized_conversion_cast %x : !llvm.struct<(i8)> to tensor<32xf4E2M1FN, #l>
  %r = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<f4E2M1FN>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %s = nv_tileas.tiled_store %v[%i], %t {mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<tl_blk>} : !view, (i32), tensor<32xf4E2M1FN, #l>
  return
}

// Where halves are stored, loads of halves are relaxed: the other half may be changing.
// CHECK-LABEL: func.func @both
// CHECK: "ld.relaxed.gpu.global.b8 $0, [$1];"
// CHECK: red.relaxed.gpu.global.and.b32
func.func @both(%q: !llvm.ptr<1>, %i: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f4E2M1FN>
  %r = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<f4E2M1FN>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %tok = nv_tileas.tiled_load %v[%i] : !view, (i32) -> tensor<32xf4E2M1FN, #l>
  %s = nv_tileas.tiled_store %v[%i], %t, token %tok : !view, (i32), tensor<32xf4E2M1FN, #l>
  return
}

// Bit 63 of a pointer means the high half: rotated by one place a pointer counts half bytes.
// CHECK-LABEL: func.func @pointers
// CHECK: llvm.ptrtoint
// CHECK: llvm.shl
// CHECK: llvm.lshr
// CHECK: llvm.add
// CHECK: llvm.lshr
// CHECK: llvm.shl
// CHECK: llvm.inttoptr
// CHECK: llvm.mlir.constant(9223372036854775807 : i64)
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i8
// CHECK: llvm.select
func.func @pointers(%q: !llvm.ptr<1>, %n: !llvm.struct<(i32)>) -> !llvm.struct<(i8)> {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f4E2M1FN>
  %o = builtin.unrealized_conversion_cast %n : !llvm.struct<(i32)> to tensor<32xi32, #l>
  %s = nv_tileaa.splat %p : !nv_tileaa.ptr<f4E2M1FN> -> tensor<32x!nv_tileaa.ptr<f4E2M1FN>, #l>
  %a = nv_tileaa.addptr %s, %o : tensor<32x!nv_tileaa.ptr<f4E2M1FN>, #l>, tensor<32xi32, #l>
  %t, %tok = nv_tileas.load %a : tensor<32x!nv_tileaa.ptr<f4E2M1FN>, #l> -> tensor<32xf4E2M1FN, #l>
  %z = builtin.unrealized_conversion_cast %t : tensor<32xf4E2M1FN, #l> to !llvm.struct<(i8)>
  return %z : !llvm.struct<(i8)>
}
}

// -----

// A kernel that has tiles in shared memory and stores no halves: its loads of halves stay weak.
#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
!mem = !nv_tileaa.memref<64xf4E2M1FN, strides = [1]>
!view = !nv_tileaa.tiled_view<[32], !mem>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @loads_only
// CHECK-NOT: shared_bytes
// CHECK-NOT: ld.relaxed
// CHECK: llvm.load %{{.*}} -> i8
// CHECK-NOT: ld.relaxed
// CHECK: return
func.func @loads_only(%q: !llvm.ptr<1>, %i: i32) -> !llvm.struct<(i8)> attributes {nv_tileas.shared_bytes = 512 : i64} {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f4E2M1FN>
  %r = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<f4E2M1FN>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %s = nv_tileas.tiled_load %v[%i] {vec = 1 : i32} : !view, (i32) -> tensor<32xf4E2M1FN, #l>
  %x = builtin.unrealized_conversion_cast %t : tensor<32xf4E2M1FN, #l> to !llvm.struct<(i8)>
  return %x : !llvm.struct<(i8)>
}
}

// -----

// One that does store halves loads them relaxed, whatever else it has in shared memory.
#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
!mem = !nv_tileaa.memref<64xf4E2M1FN, strides = [1]>
!view = !nv_tileaa.tiled_view<[32], !mem>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @loads_and_stores
// CHECK: ld.relaxed.gpu.global.b8
// CHECK: red.relaxed
func.func @loads_and_stores(%q: !llvm.ptr<1>, %i: i32) attributes {nv_tileas.shared_bytes = 512 : i64} {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f4E2M1FN>
  %r = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<f4E2M1FN>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %s = nv_tileas.tiled_load %v[%i] {vec = 1 : i32} : !view, (i32) -> tensor<32xf4E2M1FN, #l>
  %u = nv_tileas.tiled_store %v[%i], %t {vec = 1 : i32} : !view, (i32), tensor<32xf4E2M1FN, #l>
  return
}
}
