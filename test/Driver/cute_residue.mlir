// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of cute and cute_nvgpu in a kernel of tiles: block b stores 10 b at the b-th element of a column-major 4x8 matrix seen
// row by row, and the number of the first lane; compiled through all stages, and executed.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.ptx
// RUN: tileiras-run %t.ptx --check-races --grid=8 --block=128 --show=o 'out:o:i32[2x4]=poison' 'out:l:i32[1]' --show=l | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_80 -O0 --emit=ptx -o %t.80.ptx
// RUN: tileiras-run %t.80.ptx --check-races --grid=8 --block=128 --show=o 'out:o:i32[2x4]=poison' 'out:l:i32[1]' --show=l | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_90 --emit=llvm | FileCheck %s --check-prefix=LLVM
// CHECK: 0 20 40 60
// CHECK-NEXT: 10 30 50 70
// CHECK-NEXT: l: 7
// LLVM-NOT: cute

gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @kernel(%o: !nv_tileaa.ptr<i32>, %l: !nv_tileaa.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %x, %y, %z = nv_tileaa.get_program_id
    %layout = cute.static : !cute.layout<"(2,4):(4,1)">
    %at = cute.crd2idx(%x, %layout) : (i32, !cute.layout<"(2,4):(4,1)">) -> !cute.int_tuple<"?">
    %i = cute.unpack_tuple(%at) : (!cute.int_tuple<"?">) -> i32
    %ten = arith.constant 10 : i32
    %v = arith.muli %x, %ten : i32
    %p = nv_tileaa.addptr %o, %i : !nv_tileaa.ptr<i32>, i32
    %t0 = nv_tileaa.store %p, %v : !nv_tileaa.ptr<i32>, i32
    %seven = arith.constant 7 : i32
    %same = cute_nvgpu.arch.make_warp_uniform(%seven) : i32
    %zero = arith.constant 0 : i32
    %first = arith.cmpi eq, %x, %zero : i32
    scf.if %first {
      %t1 = nv_tileaa.store %l, %same : !nv_tileaa.ptr<i32>, i32
    }
    nv_tileaa.return
  }
}
