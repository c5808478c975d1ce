// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directives of a pragma reach the PTX when they are asked for, stand around the code they belong to, and change nothing else.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.off.ptx
// RUN: FileCheck %s --check-prefix=OFF --input-file=%t.off.ptx
// RUN: tileiras %s --gpu-name=sm_90 --pipeline-options=ocg-knobs=true --emit=ptx -o %t.on.ptx
// RUN: FileCheck %s --input-file=%t.on.ptx
// RUN: tileiras-run %t.on.ptx --check-races --block=32 --show=o 'out:o:i32[1]=poison' i32=20 | FileCheck %s --check-prefix=RESULT
// RUN: tileiras-run %t.off.ptx --check-races --block=32 --show=o 'out:o:i32[1]=poison' i32=20 | FileCheck %s --check-prefix=RESULT
// RUN: tileiras %examples/attention.mlir --gpu-name=sm_100 --pipeline-options=ocg-knobs=true --emit=ptx -o - | FileCheck %s --check-prefix=PRODUCT
// RUN: tileiras %examples/attention.mlir --gpu-name=sm_90 --pipeline-options=ocg-knobs=true --emit=ptx -o - | FileCheck %s --check-prefix=OFF
// RUN: tileiras %examples/attention.mlir --gpu-name=sm_100 --emit=ptx -o - | FileCheck %s --check-prefix=OFF
// PRODUCT: .pragma "global knob SchedResBusyXU64=1";
// OFF-NOT: .pragma "{{global|next|enter|leave}}
// CHECK: .pragma "enter";
// CHECK: st.global
// CHECK: .pragma "leave one";
// CHECK: .pragma "leave two";
// RESULT: o: 42
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @kernel(%o: !nv_tileaa.ptr<i32>, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %two = arith.constant 2 : i32
    %y = arith.addi %x, %x : i32
    %t = nv_tileaa.pragma {ocgEnterDirectives = ["enter"], ocgLeaveDirectives = ["leave one", "leave two"]} -> (!nv_tileaa.mem_token) {
      %z = arith.addi %y, %two : i32
      %s = nv_tileaa.store %o, %z : !nv_tileaa.ptr<i32>, i32
      nv_tileaa.yield %s : !nv_tileaa.mem_token
    }
    nv_tileaa.return
  }
}
