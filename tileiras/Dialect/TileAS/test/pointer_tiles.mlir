// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-load-store-layouts)))' | FileCheck %s

// What is known of pointers survives the operations that are renamed between the stages: reshapes and slices.

#weak = #nv_tileaa.mem_semantic<weak>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: @rows
nv_tileaa.func @rows(%p: !nv_tileaa.ptr<f16>, %stride: i32, %n: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %st = nv_tileaa.assume #nv_tileaa.div_by<8>, %stride : i32
  %r = nv_tileaa.make_range(0, 32) : tensor<32xi32>
  %rv = nv_tileaa.view %r : tensor<32xi32> -> tensor<32x1xi32>
  %rb = nv_tileaa.broadcast %rv : tensor<32x1xi32> -> tensor<32x64xi32>
  %ss = nv_tileaa.splat %st : i32 -> tensor<32x64xi32>
  %ro = arith.muli %rb, %ss : tensor<32x64xi32>
  %c = nv_tileaa.make_range(0, 64) : tensor<64xi32>
  %cv = nv_tileaa.view %c : tensor<64xi32> -> tensor<1x64xi32>
  %cb = nv_tileaa.broadcast %cv : tensor<1x64xi32> -> tensor<32x64xi32>
  %o = arith.addi %ro, %cb : tensor<32x64xi32>
  %ps = nv_tileaa.splat %q : !nv_tileaa.ptr<f16> -> tensor<32x64x!nv_tileaa.ptr<f16>>
  %pp = nv_tileaa.addptr %ps, %o : tensor<32x64x!nv_tileaa.ptr<f16>>, tensor<32x64xi32>
  %ns = nv_tileaa.splat %st : i32 -> tensor<32x64xi32>
  %in = arith.cmpi slt, %cb, %ns : tensor<32x64xi32>
  // CHECK: nv_tileas.load {{.*}}vec = 8 : i32
  %v, %t = nv_tileaa.load %pp, mask %in : tensor<32x64x!nv_tileaa.ptr<f16>>, mask tensor<32x64xi1> -> tensor<32x64xf16>
  // CHECK: nv_tileas.load {{.*}}vec = 4 : i32
  %sl = nv_tileaa.extract_slice %pp[%n, %n] : tensor<32x64x!nv_tileaa.ptr<f16>> -> tensor<16x32x!nv_tileaa.ptr<f16>>
  %w, %t2 = nv_tileaa.load %sl : tensor<16x32x!nv_tileaa.ptr<f16>> -> tensor<16x32xf16>
  nv_tileaa.return
}
}
