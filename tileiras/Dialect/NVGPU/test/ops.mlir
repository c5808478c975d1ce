// The operations that we add to MLIR's dialect: parsed, printed, parsed again.
// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s --mlir-print-op-generic | tileiras-opt | FileCheck %s

!group = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>

// CHECK-LABEL: func.func @barrier
func.func @barrier(%g: !group, %i: index, %p: i1) {
  // CHECK: nvgpu.mbarrier.inval %{{.*}}[%{{.*}}] : <memorySpace
  nvgpu.mbarrier.inval %g[%i] : !group
  // CHECK: nvgpu.mbarrier.inval %{{.*}}[%{{.*}}], predicate = %{{.*}} : <memorySpace
  nvgpu.mbarrier.inval %g[%i], predicate = %p : !group
  return
}

// CHECK-LABEL: func.func @tma
func.func @tma(%s: memref<32x32xf32, 3>, %m: !map, %i: index, %hint: i64, %p: i1) {
  // CHECK: nvgpu.tma.async.reduce %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}], add : memref<32x32xf32, 3> -> <tensor
  nvgpu.tma.async.reduce %s to %m[%i, %i], add : memref<32x32xf32, 3> -> !map
  // CHECK: nvgpu.tma.async.reduce %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}], add l2_cache_hint = %{{.*}}, predicate = %{{.*}} :
  nvgpu.tma.async.reduce %s to %m[%i, %i], add l2_cache_hint = %hint, predicate = %p : memref<32x32xf32, 3> -> !map
  return
}

// CHECK-LABEL: func.func @tensormap
func.func @tensormap(%m: !map, %b: memref<128xi8, 3>, %w: i32, %l: i64) {
  // CHECK: nvgpu.tensormap.create.descriptor %{{.*}} to %{{.*}} : !nvgpu.tensormap.descriptor<{{.*}}>, memref<128xi8, 3>
  nvgpu.tensormap.create.descriptor %m to %b : !map, memref<128xi8, 3>
  // CHECK: nvgpu.tensormap.update.global_address %{{.*}}, %{{.*}} : memref<128xi8, 3>
  nvgpu.tensormap.update.global_address %b, %l : memref<128xi8, 3>
  // CHECK: nvgpu.tensormap.update.box_dim %{{.*}}, %{{.*}} {ord = 1 : i32} : memref<128xi8, 3>
  nvgpu.tensormap.update.box_dim %b, %w {ord = 1 : i32} : memref<128xi8, 3>
  // CHECK: nvgpu.tensormap.update.global_dim
  nvgpu.tensormap.update.global_dim %m, %w {ord = 1 : i32} : !map
  // CHECK: nvgpu.tensormap.update.element_stride
  nvgpu.tensormap.update.element_stride %b, %w {ord = 4 : i32} : memref<128xi8, 3>
  // CHECK: nvgpu.tensormap.update.global_stride
  nvgpu.tensormap.update.global_stride %b, %l {ord = 3 : i32} : memref<128xi8, 3>
  // CHECK: nvgpu.tensormap.init %{{.*}} as !nvgpu.tensormap.descriptor<{{.*}}> : memref<128xi8, 3>
  nvgpu.tensormap.init %b as !map : memref<128xi8, 3>
  // CHECK: nvgpu.tensormap.publish %{{.*}} to %{{.*}} : memref<128xi8, 3>, !nvgpu.tensormap.descriptor
  nvgpu.tensormap.publish %b to %m : memref<128xi8, 3>, !map
  return
}

// CHECK-LABEL: func.func @matrix
func.func @matrix(%f: vector<4x2xf16>, %q: vector<2x4xi8>, %s: memref<16x16xf16, 3>, %b: memref<16x32xi8, 3>, %i: index) {
  // CHECK: nvgpu.stmatrix %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] {transpose} : vector<4x2xf16>, memref<16x16xf16, 3>
  nvgpu.stmatrix %f, %s[%i, %i] {transpose} : vector<4x2xf16>, memref<16x16xf16, 3>
  // CHECK: nvgpu.stmatrix %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : vector<2x4xi8>, memref<16x32xi8, 3>
  nvgpu.stmatrix %q, %b[%i, %i] : vector<2x4xi8>, memref<16x32xi8, 3>
  return
}

// CHECK-LABEL: func.func @packed
func.func @packed(%n: i32, %h: vector<2xf16>, %v: vector<2xf32>) {
  // CHECK: nvgpu.cvt_fpext %{{.*}}, e4m3x2 : i32 -> vector<2xf16>
  %0 = nvgpu.cvt_fpext %n, e4m3x2 : i32 -> vector<2xf16>
  // CHECK: nvgpu.cvt_fpext %{{.*}}, e2m1x2 relu : i32 -> vector<2xf32>
  %1 = nvgpu.cvt_fpext %n, e2m1x2 relu : i32 -> vector<2xf32>
  // CHECK: nvgpu.cvt_fptrunc %{{.*}}, e5m2x2 : vector<2xf16> -> i32
  %2 = nvgpu.cvt_fptrunc %h, e5m2x2 : vector<2xf16> -> i32
  // CHECK: nvgpu.cvt_fptrunc %{{.*}}, ue8m0x2, rp : vector<2xf32> -> i32
  %3 = nvgpu.cvt_fptrunc %v, ue8m0x2, rp : vector<2xf32> -> i32
  // CHECK: nvgpu.cvt_fptrunc %{{.*}}, e2m3x2 relu : vector<2xf32> -> i32
  %4 = nvgpu.cvt_fptrunc %v, e2m3x2 relu : vector<2xf32> -> i32
  // CHECK: nvgpu.fma.packed.f32x2 %{{.*}}, %{{.*}}, %{{.*}} : vector<2xf32>
  %5 = nvgpu.fma.packed.f32x2 %v, %v, %v : vector<2xf32>
  // CHECK: nvgpu.fma.packed.f32x2 %{{.*}}, %{{.*}}, %{{.*}}, rm ftz : vector<2xf32>
  %6 = nvgpu.fma.packed.f32x2 %v, %v, %v, rm ftz : vector<2xf32>
  // CHECK: nvgpu.mul.packed.f32x2 %{{.*}}, %{{.*}}, rz : vector<2xf32>
  %7 = nvgpu.mul.packed.f32x2 %v, %v, rz : vector<2xf32>
  return
}
