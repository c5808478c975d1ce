// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts)))' -o %t --remarks-filter="product" 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t
// What else could multiply, at what cost, or why not; and where the left factor of a second product is.

#weak = #nv_tileaa.mem_semantic<weak>
#signed = #nv_tileaa.signedness<signed>
!mb = !nv_tileaa.memref<64x64xi8, strides = [64, 1]>
!vb = !nv_tileaa.tiled_view<[64, 64], !mb>
gpu.module @sm90 attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
  // Multiply-adds would do, too.
  // REMARK: Instruction {{.*}}Function=large {{.*}}Alternatives="mma.sync: 128 cycles; fma: 2048 cycles", Atom="#nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>", Cycles=64
  nv_tileaa.func @large(%a_s: f16, %b_s: f16, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f16 -> tensor<64x32xf16>
    %b = nv_tileaa.splat %b_s : f16 -> tensor<32x64xf16>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %e = arith.negf %d : tensor<64x64xf32>
    nv_tileaa.return
  }
  // REMARK: Instruction {{.*}}Function=small {{.*}}Alternatives="wgmma: the warpgroups have 64 rows, the product 32; fma: {{[0-9]+}} cycles", Atom="#nv_tileas.mma_atom
  nv_tileaa.func @small(%a_s: f16, %b_s: f16, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f16 -> tensor<32x32xf16>
    %b = nv_tileaa.splat %b_s : f16 -> tensor<32x64xf16>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<32x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x32xf16>, tensor<32x64xf16>, tensor<32x64xf32>
    %e = arith.negf %d : tensor<32x64xf32>
    nv_tileaa.return
  }
  // REMARK: Instruction {{.*}}Function=exact {{.*}}Alternatives="wgmma: wgmma has no product of this type; mma.sync: tf32 would round the operands"
  nv_tileaa.func @exact(%a_s: f32, %b_s: f32, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f32 -> tensor<64x32xf32>
    %b = nv_tileaa.splat %b_s : f32 -> tensor<32x64xf32>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x32xf32>, tensor<32x64xf32>, tensor<64x64xf32>
    %e = arith.negf %d : tensor<64x64xf32>
    nv_tileaa.return
  }
  // Bytes whose rows run along n are turned: 4,096 of them by 32 lanes.
  // REMARK: Instruction {{.*}}Function=turned {{.*}}Turning=128
  nv_tileaa.func @turned(%pb: !nv_tileaa.ptr<i8>, %a_s: i8, %c_s: i32) {
    %zero = arith.constant 0 : i32
    %t = nv_tileaa.create_mem_token
    %m = nv_tileaa.make_memref %pb, sizes[], strides[] : !nv_tileaa.ptr<i8>, (), () -> !mb
    %v = nv_tileaa.block_tile %m : !mb -> !vb
    %b, %t1 = nv_tileaa.tiled_load %v[%zero, %zero], token %t : !vb, (i32, i32) -> tensor<64x64xi8>
    %a = nv_tileaa.splat %a_s : i8 -> tensor<64x64xi8>
    %c = nv_tileaa.splat %c_s : i32 -> tensor<64x64xi32>
    %d = nv_tileaa.dot %a, %b, %c {signedness_a = #signed, signedness_b = #signed} : tensor<64x64xi8>, tensor<64x64xi8>, tensor<64x64xi32>
    %e = arith.addi %d, %d : tensor<64x64xi32>
    nv_tileaa.return
  }
  // What the first product leaves in registers is the second one's left factor, unless it is turned.
  // CHECK-LABEL: @chain
  // CHECK: dot {{.*}}wgmma_atom<f16, n = 64, groups = [1, 1]>
  // CHECK: dot {{.*}}wgmma_atom<f16, n = 64, groups = [1, 1], registers_a = true>
  // CHECK: dot {{.*}}wgmma_atom<f16, n = 64, groups = [1, 1]>
  nv_tileaa.func @chain(%a_s: f16, %b_s: f16, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f16 -> tensor<64x64xf16>
    %b = nv_tileaa.splat %b_s : f16 -> tensor<64x64xf16>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %p = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %e = nv_tileaa.dot %p, %b, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %q = nv_tileaa.permute %p [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %f = nv_tileaa.dot %q, %b, %e : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %g = arith.negf %f : tensor<64x64xf32>
    nv_tileaa.return
  }
  // Eight warps beside each other along n have the columns of one row in two warpgroups.
  // CHECK-LABEL: @two_groups
  // CHECK: dot {{.*}}wgmma_atom<f16, n = 32, groups = [1, 2]>
  // CHECK: dot {{.*}}wgmma_atom<f16, n = 32, groups = [1, 2]>
  nv_tileaa.func @two_groups(%a_s: f16, %b_s: f16, %c_s: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %a = nv_tileaa.splat %a_s : f16 -> tensor<64x64xf16>
    %b = nv_tileaa.splat %b_s : f16 -> tensor<64x64xf16>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %p = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %e = nv_tileaa.dot %p, %b, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %g = arith.negf %e : tensor<64x64xf32>
    nv_tileaa.return
  }
}
