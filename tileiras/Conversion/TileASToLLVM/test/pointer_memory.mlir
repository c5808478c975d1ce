// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

// Two warps, 128 elements of f16 in pairs: lane, warp.
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
// 64 elements only: both warps hold all of them.
#rep = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
!p2 = !llvm.struct<(ptr<1>, ptr<1>)>
!v2 = !llvm.struct<(f16, f16)>
!m2 = !llvm.struct<(i1, i1)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// Plain loads are LLVM loads; vec = 2 moves both registers in one word.
// CHECK-LABEL: func.func @plain
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xi16>
func.func @plain(%q: !p2) -> (!v2, !v2) {
  %p = builtin.unrealized_conversion_cast %q : !p2 to tensor<128x!nv_tileaa.ptr<f16>, #l>
  %a, %t = nv_tileas.load %p : tensor<128x!nv_tileaa.ptr<f16>, #l> -> tensor<128xf16, #l>
  %b, %u = nv_tileas.load %p {vec = 2 : i32} : tensor<128x!nv_tileaa.ptr<f16>, #l> -> tensor<128xf16, #l>
  %x = builtin.unrealized_conversion_cast %a : tensor<128xf16, #l> to !v2
  %y = builtin.unrealized_conversion_cast %b : tensor<128xf16, #l> to !v2
  return %x, %y : !v2, !v2
}

// A mask predicates the load; what is not read is `other`, or zero.
// CHECK-LABEL: func.func @masked
// CHECK-COUNT-2: llvm.inline_asm has_side_effects {nv_tileas.access = "global_load"} "@$3 ld.global.b16 $0, [$2];", "=h,0,l,b"
func.func @masked(%q: !p2, %k: !m2, %o: f16) -> !v2 {
  %p = builtin.unrealized_conversion_cast %q : !p2 to tensor<128x!nv_tileaa.ptr<f16>, #l>
  %m = builtin.unrealized_conversion_cast %k : !m2 to tensor<128xi1, #l>
  %other = nv_tileaa.splat %o : f16 -> tensor<128xf16, #l>
  %a, %t = nv_tileas.load %p, mask %m, other %other : tensor<128x!nv_tileaa.ptr<f16>, #l>, mask tensor<128xi1, #l> -> tensor<128xf16, #l>
  %x = builtin.unrealized_conversion_cast %a : tensor<128xf16, #l> to !v2
  return %x : !v2
}

// Every thread owns what it holds: no condition.
// CHECK-LABEL: func.func @store_owned
// CHECK-NOT: scf.if
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK: return
func.func @store_owned(%q: !p2, %v: !v2) {
  %p = builtin.unrealized_conversion_cast %q : !p2 to tensor<128x!nv_tileaa.ptr<f16>, #l>
  %x = builtin.unrealized_conversion_cast %v : !v2 to tensor<128xf16, #l>
  %t = nv_tileas.store %p, %x {vec = 2 : i32} : tensor<128x!nv_tileaa.ptr<f16>, #l>, tensor<128xf16, #l>
  return
}

// Replicated over warps: warp 0 stores.
// CHECK-LABEL: func.func @store_replicated
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[WARP:.*]] = llvm.lshr %[[TID]], %{{.*}}
// CHECK: %[[BIT:.*]] = llvm.and %[[WARP]], %{{.*}}
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[BIT]], %{{.*}}
// CHECK: scf.if %[[FIRST]] {
// CHECK-COUNT-2: llvm.store
// CHECK: }
func.func @store_replicated(%q: !p2, %v: !v2) {
  %p = builtin.unrealized_conversion_cast %q : !p2 to tensor<64x!nv_tileaa.ptr<f16>, #rep>
  %x = builtin.unrealized_conversion_cast %v : !v2 to tensor<64xf16, #rep>
  %t = nv_tileas.store %p, %x : tensor<64x!nv_tileaa.ptr<f16>, #rep>, tensor<64xf16, #rep>
  return
}

// A masked store of a replicated tile: mask and owner.
// CHECK-LABEL: func.func @store_masked
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: %[[K0:.*]] = llvm.extractvalue %{{.*}}[0] : !llvm.struct<(i1, i1)>
// CHECK: llvm.and %[[K0]], %[[FIRST]] : i1
// CHECK: llvm.inline_asm has_side_effects {nv_tileas.access = "global_store"} "@$2 st.global.b16 [$1], $0;", "h,l,b"
func.func @store_masked(%q: !p2, %v: !v2, %k: !m2) {
  %p = builtin.unrealized_conversion_cast %q : !p2 to tensor<64x!nv_tileaa.ptr<f16>, #rep>
  %x = builtin.unrealized_conversion_cast %v : !v2 to tensor<64xf16, #rep>
  %m = builtin.unrealized_conversion_cast %k : !m2 to tensor<64xi1, #rep>
  %t = nv_tileas.store %p, %x, mask %m : tensor<64x!nv_tileaa.ptr<f16>, #rep>, tensor<64xf16, #rep>, mask tensor<64xi1, #rep>
  return
}

// Pointers: offsets are signed and scaled by the pointee.
// CHECK-LABEL: func.func @addptr
// CHECK: %[[O:.*]] = llvm.sext %arg1 : i32 to i64
// CHECK: llvm.getelementptr %arg0[%[[O]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<4 x i8>
// CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
func.func @addptr(%q: !llvm.ptr<1>, %o: i32) -> i64 {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %a = nv_tileaa.addptr %p, %o : !nv_tileaa.ptr<f32>, i32
  %i = nv_tileaa.ptr_to_int %a : !nv_tileaa.ptr<f32> -> i64
  return %i : i64
}
}

// -----

module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
// An ordered scalar load: one thread reads, all get the same value through shared memory.
// CHECK: llvm.mlir.global internal @global_smem_acquire() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i8>
// CHECK-LABEL: func.func @acquire
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: llvm.inline_asm has_side_effects {nv_tileas.access = "any"} "@$3 ld.acquire.gpu.global.b32 $0, [$2];", "=r,0,l,b,~{memory}"
// CHECK: nvvm.barrier0
// CHECK: scf.if %[[FIRST]] {
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
func.func @acquire(%q: !llvm.ptr<1>) -> i32 {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<i32>
  %v, %t = nv_tileas.load %p {mem_semantic = #nv_tileaa.mem_semantic<acquire>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !nv_tileaa.ptr<i32> -> i32
  return %v : i32
}

// A release orders what all threads did before.
// CHECK-LABEL: func.func @release
// CHECK: nvvm.barrier0
// CHECK: scf.if
// CHECK: llvm.inline_asm {{.*}}"st.release.sys.global.b32 [$1], $0;", "r,l,~{memory}"
func.func @release(%q: !llvm.ptr<1>, %v: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<i32>
  %t = nv_tileas.store %p, %v {mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<sys>} : !nv_tileaa.ptr<i32>, i32
  return
}
}
