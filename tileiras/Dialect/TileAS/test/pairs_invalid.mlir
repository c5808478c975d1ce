// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts)))'
// Pairs of f4E2M1FN that somebody has written by hand, where nothing multiplies them.

gpu.module @few_rows attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  nv_tileaa.func @f() {
    %a = arith.constant dense<1> : tensor<64x32xi8>
    %b = arith.constant dense<1> : tensor<32x64xi8>
    %c = arith.constant dense<1.0> : tensor<64x64xf32>
    %s = arith.constant dense<1.0> : tensor<64x4xf8E4M3FN>
    %t = arith.constant dense<1.0> : tensor<4x64xf8E4M3FN>
    // expected-error @below {{of pairs of 4-bit elements has no instruction}}
    // expected-note @below {{tcgen05: scaled products are of matrices of at least 128 rows}}
    // expected-note @below {{mma.sync: pairs of 4-bit elements are multiplied in tensor memory only}}
    // expected-note @below {{fma: pairs of 4-bit elements are multiplied in tensor memory only}}
    %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xf32>, tensor<64x4xf8E4M3FN>, tensor<4x64xf8E4M3FN>
    %o = nv_tileaa.print "%f", %d : tensor<64x64xf32>
    nv_tileaa.return
  }
}

// -----

gpu.module @no_tensor_memory attributes {nv_tileaa.compute_capability = 120 : i32, nv_tileaa.target_spec = "sm_120a"} {
  nv_tileaa.func @f() {
    %a = arith.constant dense<1> : tensor<128x32xi8>
    %b = arith.constant dense<1> : tensor<32x64xi8>
    %c = arith.constant dense<1.0> : tensor<128x64xf32>
    %s = arith.constant dense<1.0> : tensor<128x2xf8E8M0FNU>
    %t = arith.constant dense<1.0> : tensor<2x64xf8E8M0FNU>
    // expected-error @below {{of pairs of 4-bit elements has no instruction}}
    // expected-note @below {{mma.sync: pairs of 4-bit elements are multiplied in tensor memory only}}
    // expected-note @below {{fma: pairs of 4-bit elements are multiplied in tensor memory only}}
    %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<128x32xi8>, tensor<32x64xi8>, tensor<128x64xf32>, tensor<128x2xf8E8M0FNU>, tensor<2x64xf8E8M0FNU>
    %o = nv_tileaa.print "%f", %d : tensor<128x64xf32>
    nv_tileaa.return
  }
}

// -----

gpu.module @scales attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  nv_tileaa.func @f() {
    %a = arith.constant dense<1> : tensor<128x32xi8>
    %b = arith.constant dense<1> : tensor<32x64xi8>
    %c = arith.constant dense<1.0> : tensor<128x64xf32>
    %s = arith.constant dense<1.0> : tensor<128x2xf8E4M3FN>
    %t = arith.constant dense<1.0> : tensor<2x64xf8E4M3FN>
    // expected-error @below {{unsupported block-scaled mma configuration: 'f4E2M1FN' elements with one scale of type 'f8E4M3FN' for 32}}
    %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<128x32xi8>, tensor<32x64xi8>, tensor<128x64xf32>, tensor<128x2xf8E4M3FN>, tensor<2x64xf8E4M3FN>
    %o = nv_tileaa.print "%f", %d : tensor<128x64xf32>
    nv_tileaa.return
  }
}
