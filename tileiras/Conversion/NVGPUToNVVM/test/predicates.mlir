// RUN: tileiras-opt --convert-nvgpu-to-nvvm %s | FileCheck %s
// A predicate is a branch: as an operand of inline PTX a constant would be printed as `@0`.

!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = memref<64xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>

// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[P:.*]]: i1
// CHECK: scf.if %[[P]] {
// CHECK-NOT: scf.if
// CHECK: nvvm.mbarrier.init
// CHECK: scf.if %[[P]] {
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: scf.if %[[P]] {
// CHECK: nvvm.prefetch tensormap
// CHECK: scf.if %[[P]] {
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-NOT: predicate
// CHECK: scf.if %[[P]] {
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK-NOT: predicate
func.func @f(%p: i1, %b: !bar, %m: !map, %t: memref<64xf32, 3>, %i: index) {
  nvgpu.mbarrier.init %b[%i], %i, predicate = %p : !bar
  nvgpu.mbarrier.arrive.expect_tx %b[%i], %i, predicate = %p : !bar
  nvgpu.tma.prefetch.descriptor %m, predicate = %p : !map
  nvgpu.tma.async.load %m[%i], %b[%i] to %t, predicate = %p : !map, !bar -> memref<64xf32, 3>
  nvgpu.tma.async.store %t to %m[%i], predicate = %p : memref<64xf32, 3> -> !map
  return
}
