// The bytes that somebody has planned for a kernel, when more than its tiles take, and when fewer.
// RUN: split-file %s %t
// RUN: tileiras-opt %t/tiles.mlir -convert-nv-tileas-to-llvm=extended-shared-bytes=4096 | FileCheck %s --check-prefix=PLANNED
// PLANNED: llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<4096 x i8>
// RUN: tileiras-opt %t/none.mlir -convert-nv-tileas-to-llvm=extended-shared-bytes=4096 | FileCheck %s --check-prefix=ALONE
// ALONE: llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4096 x i8>
// RUN: tileiras-opt %t/none.mlir -convert-nv-tileas-to-llvm | FileCheck %s --check-prefix=NONE
// NONE-NOT: global_smem
// RUN: not tileiras-opt %t/tiles.mlir -convert-nv-tileas-to-llvm=extended-shared-bytes=64 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: tiles.mlir:3:1: error: fails to assign smem buffer: the kernel needs 128 bytes of shared memory, and 64 are planned for it
// RUN: not tileiras-opt %t/none.mlir -convert-nv-tileas-to-llvm=extended-shared-bytes=1000000 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: none.mlir:2:1: error: fails to assign smem buffer: the kernel needs 1000000 bytes of shared memory, sm_90a has 232448

//--- tiles.mlir
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90"} {
func.func @tiles() {
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32xf32, #m>
  return
}
}
//--- none.mlir
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90"} {
func.func @none() {
  return
}
}
