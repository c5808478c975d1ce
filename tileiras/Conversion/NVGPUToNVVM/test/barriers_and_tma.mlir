// RUN: tileiras-opt %s --convert-nvgpu-to-nvvm -split-input-file | FileCheck %s
!group = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xi32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>

// A predicate becomes a branch, of which inline PTX with a constant predicate is no problem (docs/upstream-mlir.md).
// CHECK-LABEL: @predicates
// CHECK-SAME: %[[P:[a-z0-9]*]]: i1
func.func @predicates(%p: i1, %g: !group, %m: !map, %s: memref<32x32xi32, 3>, %i: index, %hint: i64) {
  // CHECK: scf.if %[[P]]
  // CHECK: nvvm.mbarrier.init %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
  nvgpu.mbarrier.init %g[%i], %i, predicate = %p : !group
  // CHECK: scf.if %[[P]]
  // CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}} : !llvm.ptr<3>, i32
  nvgpu.mbarrier.arrive.expect_tx %g[%i], %i, predicate = %p : !group
  // CHECK: scf.if %[[P]]
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
  // CHECK-NOT: predicate
  nvgpu.tma.async.load %m[%i, %i], %g[%i] to %s, predicate = %p : !map, !group -> memref<32x32xi32, 3>
  // CHECK: scf.if %[[P]]
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
  nvgpu.tma.async.store %s to %m[%i, %i], predicate = %p : memref<32x32xi32, 3> -> !map
  // CHECK: scf.if %[[P]]
  // CHECK: nvvm.cp.async.bulk.tensor.reduce %{{.*}}, %{{.*}}, box[%{{.*}}, %{{.*}}] l2_cache_hint = %{{.*}} {redKind = #nvvm.tma_redux_kind<xor>}
  nvgpu.tma.async.reduce %s to %m[%i, %i], xor l2_cache_hint = %hint, predicate = %p : memref<32x32xi32, 3> -> !map
  // CHECK: scf.if %[[P]]
  // CHECK: nvvm.prefetch tensormap
  nvgpu.tma.prefetch.descriptor %m, predicate = %p : !map
  // CHECK: scf.if %[[P]]
  // CHECK: nvvm.mbarrier.inval %{{.*}} : !llvm.ptr<3>
  nvgpu.mbarrier.inval %g[%i], predicate = %p : !group
  return
}

// -----

!group = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

// sm_90 and later suspend the thread ...
// CHECK-LABEL: gpu.module @hopper
gpu.module @hopper attributes {nvgpu.chip = "sm_90a"} {
  gpu.func @wait(%g: !group, %i: index, %p: i1) {
    // CHECK: nvvm.mbarrier.try_wait.parity %{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32, i32
    nvgpu.mbarrier.try_wait.parity %g[%i], %p, %i : !group
    gpu.return
  }
}
// ... before, it asks again and again.
// CHECK-LABEL: gpu.module @ampere
gpu.module @ampere attributes {nvgpu.chip = "sm_80"} {
  gpu.func @wait(%g: !group, %i: index, %p: i1) {
    // CHECK: scf.while
    // CHECK: %[[DONE:.*]] = nvvm.mbarrier.test.wait %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32 -> i1
    // CHECK: %[[AGAIN:.*]] = arith.xori %[[DONE]]
    // CHECK: scf.condition(%[[AGAIN]])
    nvgpu.mbarrier.try_wait.parity %g[%i], %p, %i : !group
    gpu.return
  }
}

// -----

// CHECK-LABEL: @stmatrix
func.func @stmatrix(%v: vector<2x2xf16>, %s: memref<16x16xf16, #gpu.address_space<workgroup>>, %i: index) {
  // CHECK: %[[ROW0:.*]] = llvm.extractvalue %{{.*}}[0] : !llvm.array<2 x vector<2xf16>>
  // CHECK: %[[R0:.*]] = llvm.bitcast %[[ROW0]] : vector<2xf16> to i32
  // CHECK: %[[R1:.*]] = llvm.bitcast %{{.*}} : vector<2xf16> to i32
  // CHECK: nvvm.stmatrix %{{.*}}, %[[R0]], %[[R1]] {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32
  nvgpu.stmatrix %v, %s[%i, %i] {transpose} : vector<2x2xf16>, memref<16x16xf16, #gpu.address_space<workgroup>>
  return
}
