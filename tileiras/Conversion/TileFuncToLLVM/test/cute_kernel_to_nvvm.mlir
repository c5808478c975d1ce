// RUN: tileiras-opt %s -cute-kernel-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @kernel
// CHECK-SAME: (%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
// CHECK-SAME: attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>}
llvm.func @kernel(%p: !llvm.ptr<1>, %d: !llvm.ptr {cute_nvgpu.grid_constant}) attributes {cute.kernel, nvvm.reqntid = array<i32: 128>} {
  llvm.return
}
// CHECK-LABEL: llvm.func @helper()
// CHECK-NOT: nvvm.kernel
llvm.func @helper() {
  llvm.return
}
