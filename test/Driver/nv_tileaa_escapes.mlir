// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of nv_tileaa that bring their own code, and those that are expanded, from nv_tileaa to PTX and executed.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.90.ptx
// RUN: tileiras-run %t.90.ptx --check-races --block=128 --show=o --show=h 'out:o:f32[8x4]=poison' 'out:h:i32[4]=poison' | FileCheck %s
// RUN: sed 's/__nv_fmodf/__nv_nonsense/' %s > %t.mlir
// RUN: %{exits} 5 tileiras %t.mlir --gpu-name=sm_90 --emit=ptx -o %t.none 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: tileiras %s --gpu-name=sm_90 --pipeline-options=libdevice=false --emit=ptx -o %t.own.ptx
// RUN: tileiras-run %t.own.ptx --check-races --block=128 --show=o --show=h 'out:o:f32[8x4]=poison' 'out:h:i32[4]=poison' | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_80 -O0 --emit=ptx -o %t.80.ptx
// RUN: tileiras-run %t.80.ptx --check-races --block=128 --show=o --show=h 'out:o:f32[8x4]=poison' 'out:h:i32[4]=poison' | FileCheck %s

// MISSING: error: the kernel calls __nv_nonsense
// CHECK: o:
// CHECK-NEXT: 5 5 5 7
// CHECK-NEXT: 21 23 25 27
// CHECK-NEXT: 41 43 45 47
// CHECK-NEXT: 50 50 5 5
// CHECK-NEXT: 17 19 21 23
// CHECK-NEXT: 37 39 41 43
// CHECK-NEXT: 50 50 50 50
// CHECK-NEXT: 13 15 17 19
// CHECK-NEXT: h: 14 14 15 15
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @kernel(%o: !nv_tileaa.ptr<f32>, %h: !nv_tileaa.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // Element (r, c) of `generate` is 10 r + c.
    %g = nv_tileaa.generate : tensor<8x4xi32> {
    ^bb0(%r: i32, %c: i32):
      %ten = arith.constant 10 : i32
      %p = arith.muli %r, %ten : i32
      %s = arith.addi %p, %c : i32
      nv_tileaa.yield %s : i32
    }
    %x = arith.sitofp %g : tensor<8x4xi32> to tensor<8x4xf32>
    // -2 x - 1 by assembly, its magnitude by an intrinsic, modulo 64 by libdevice or our own function, at most 50 and at least 5 by clampf.
    %two = arith.constant dense<-2.0> : tensor<8x4xf32>
    %one = arith.constant dense<-1.0> : tensor<8x4xf32>
    %y = nv_tileaa.elementwise_inline_asm "fma.rn.f32 $0, $1, $2, $3;", "=f,f,f,f"(%x, %two, %one) {pure} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %z = nv_tileaa.call_elementwise_intrinsic "llvm.fabs"(%y) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %modulus = arith.constant dense<64.0> : tensor<8x4xf32>
    %w = nv_tileaa.extern_elementwise "__nv_fmodf" of "libdevice" at ""(%z, %modulus) {pure} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %low = arith.constant dense<5.0> : tensor<8x4xf32>
    %high = arith.constant dense<50.0> : tensor<8x4xf32>
    %v = nv_tileaa.clampf %w, %low, %high : tensor<8x4xf32>
    %range = nv_tileaa.make_range(0, 32) : tensor<32xi32>
    %at = nv_tileaa.view %range : tensor<32xi32> -> tensor<8x4xi32>
    %os = nv_tileaa.splat %o : !nv_tileaa.ptr<f32> -> tensor<8x4x!nv_tileaa.ptr<f32>>
    %op = nv_tileaa.addptr %os, %at : tensor<8x4x!nv_tileaa.ptr<f32>>, tensor<8x4xi32>
    %t0 = nv_tileaa.store %op, %v : tensor<8x4x!nv_tileaa.ptr<f32>>, tensor<8x4xf32>
    // How many of 0 .. 63 are 0, 1, 2 and 3 in their lowest two bits, without those below 6.
    %i = nv_tileaa.make_range(0, 64) : tensor<64xi32>
    %three = arith.constant dense<3> : tensor<64xi32>
    %six = arith.constant dense<6> : tensor<64xi32>
    %k = arith.andi %i, %three : tensor<64xi32>
    %m = arith.cmpi sge, %i, %six : tensor<64xi32>
    %n = nv_tileaa.histogram %k, mask %m : tensor<64xi1> : tensor<64xi32> -> tensor<4xi32>
    %four = nv_tileaa.make_range(0, 4) : tensor<4xi32>
    %hs = nv_tileaa.splat %h : !nv_tileaa.ptr<i32> -> tensor<4x!nv_tileaa.ptr<i32>>
    %hp = nv_tileaa.addptr %hs, %four : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32>
    %t1 = nv_tileaa.store %hp, %n : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32>
    nv_tileaa.return
  }
}
