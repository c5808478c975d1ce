// RUN: tileiras-opt %s --convert-nvgpu-to-nvvm | FileCheck %s
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>

// CHECK-LABEL: @edit
func.func @edit(%m: !map, %b: memref<128xi8, 3>, %w: i32, %l: i64) {
  // 128 bytes, from global to shared memory.
  // CHECK: %[[GLOBAL:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
  // CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[GLOBAL]][0]
  // CHECK: llvm.load %[[FIRST]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
  // CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
  // CHECK-COUNT-7: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
  // CHECK-NOT: llvm.store
  nvgpu.tensormap.create.descriptor %m to %b : !map, memref<128xi8, 3>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.address"(%{{.*}}, %{{.*}}) : (!llvm.ptr<3>, i64)
  nvgpu.tensormap.update.global_address %b, %l : memref<128xi8, 3>
  // CHECK: %[[ORD:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.box.dim"(%{{.*}}, %[[ORD]], %{{.*}}) : (!llvm.ptr<3>, i32, i32)
  nvgpu.tensormap.update.box_dim %b, %w {ord = 2 : i32} : memref<128xi8, 3>
  // A descriptor is one in global memory.
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.dim"({{.*}}) : (!llvm.ptr<1>, i32, i32)
  nvgpu.tensormap.update.global_dim %m, %w {ord = 1 : i32} : !map
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.element.stride"({{.*}}) : (!llvm.ptr<3>, i32, i32)
  nvgpu.tensormap.update.element_stride %b, %w {ord = 0 : i32} : memref<128xi8, 3>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.stride"({{.*}}) : (!llvm.ptr<3>, i32, i64)
  nvgpu.tensormap.update.global_stride %b, %l {ord = 0 : i32} : memref<128xi8, 3>
  // Two dimensions of f32, 32 by 32.
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.rank"(%{{.*}}, %[[ONE]]) : (!llvm.ptr<3>, i32)
  // CHECK: %[[F32:.*]] = llvm.mlir.constant(7 : i32)
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.elemtype"(%{{.*}}, %[[F32]])
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.interleave.layout"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.swizzle.mode"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.fill.mode"
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.tensormap.replace.box.dim"
  nvgpu.tensormap.init %b as !map : memref<128xi8, 3>
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att {nvgpu.ptx_version = 83 : i32} "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;", "l,l,~{memory}" %{{.*}}, %{{.*}} : (!llvm.ptr<1>, !llvm.ptr<3>)
  nvgpu.tensormap.publish %b to %m : memref<128xi8, 3>, !map
  return
}
