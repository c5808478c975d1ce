// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tileiras-layout draws the layouts of values of cute.
// RUN: tileiras-layout %s | FileCheck %s --check-prefix=LIST
// RUN: tileiras-layout %s --op 0 | FileCheck %s --check-prefix=COPY
// RUN: tileiras-layout %s --op 1 --max-rows 8 | FileCheck %s --check-prefix=MMA
// RUN: tileiras-layout %s --op 2 | FileCheck %s --check-prefix=SWIZZLE
// RUN: tileiras-layout %s --op 4 | FileCheck %s --check-prefix=COORDS
// RUN: tileiras-layout %s --op 1 --svg %t.svg && FileCheck %s --check-prefix=SVG --input-file=%t.svg
// RUN: not tileiras-layout %s --op 5 2>&1 | FileCheck %s --check-prefix=OPEN

// LIST: #0 cute.make_atom at {{.*}}pictures.mlir
// LIST-NEXT: result: !cute.tiled_copy<
// LIST: #2 cute.memref.alloc_smem
// LIST-NEXT: result: !cute.memref<f16, smem, align<128>, "S<2,3,3> o 0 o (8,32):(32,1)">
// COPY: result: tile (4,4)
// COPY: 0 | T0:r0 T0:r1 T1:r0 T1:r1
// MMA: result: A of one atom, (16,16)
// MMA: 0 | T0:r0 T0:r1 T1:r0
// MMA: result: B of one atom, (8,16)
// MMA: result: C of one atom, (16,8)
// SWIZZLE: result: S<2,3,3> o 0 o (8,32):(32,1)
// COORDS: result: (0,0) o (4,2):(1@0,1@1)
// COORDS: 3 | {{.*}}(3,1)
// SVG: <svg xmlns
// OPEN: pictures.mlir:{{.*}} error: known at run time only: (?,4):(4,1)
func.func @drawn(%n: i32) {
  %c = cute.make_atom : !cute.tiled_copy<!cute_nvgpu.universal_copy<32>, "((2,4),2):((8,1),4)", "(4,4)">
  %m = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, "(1,1,1)">
  %s = cute.memref.alloc_smem : !cute.memref<f16, smem, align<128>, "S<2,3,3> o 0 o (8,32):(32,1)">
  %four = cute.static : !cute.int_tuple<"4">
  %one = cute.static : !cute.int_tuple<"1">
  %small = cute.static : !cute.shape<"(4,2)">
  %l = cute.static : !cute.layout<"(4,2):(1,4)">
  %id = cute.make_identity_tensor(%small) : (!cute.shape<"(4,2)">) -> !cute.coord_tensor<"(0,0) o (4,2):(1@0,1@1)">
  %shape = cute.make_shape(%n, %four) : (i32, !cute.int_tuple<"4">) -> !cute.shape<"(?,4)">
  %stride = cute.make_stride(%four, %one) : (!cute.int_tuple<"4">, !cute.int_tuple<"1">) -> !cute.stride<"(4,1)">
  %open = cute.make_layout(%shape, %stride) : (!cute.shape<"(?,4)">, !cute.stride<"(4,1)">) -> !cute.layout<"(?,4):(4,1)">
  return
}
