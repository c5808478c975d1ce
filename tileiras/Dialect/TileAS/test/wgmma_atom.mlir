// RUN: tileiras-opt %s -split-input-file -verify-diagnostics | FileCheck %s
// What the atom of wgmma takes, and what it refuses.

// A of 64 x 16 and B of 16 x 8, both K-major without swizzle.
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#asw = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
// CHECK-LABEL: @takes_descriptors
nv_tileaa.func @takes_descriptors(%a: tensor<64x16xf16, #asw>, %b: tensor<16x8xf16, #b>, %c: tensor<64x8xf32>) {
  // CHECK: nv_tileas.dot {{.*}}wgmma_atom<f16, n = 8, groups = [1, 1]>
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #asw>, tensor<16x8xf16, #b>, tensor<64x8xf32>
  nv_tileaa.return
}

// -----

// Rows of 32 bytes one after the other: canonical only with a swizzle, which is missing.
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
nv_tileaa.func @no_descriptor(%a: tensor<64x16xf16, #a>, %b: tensor<16x8xf16>, %c: tensor<64x8xf32>) {
  // expected-error @below {{atom does not take operand #0 in this layout: Not a canonical GMMA_MN Layout}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16>, tensor<64x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @too_few_rows(%a: tensor<32x16xf16>, %b: tensor<16x8xf16>, %c: tensor<32x8xf32>) {
  // expected-error @below {{atom does not fit: the warpgroups have 64 rows, the product 32}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<32x16xf16>, tensor<16x8xf16>, tensor<32x8xf32>
  nv_tileaa.return
}

// -----

// expected-error @below {{wgmma does not multiply 'f64'}}
#a = #nv_tileas.wgmma_atom<f64, n = 8, groups = [1, 1]>

// -----

// expected-error @below {{expects powers of two, got 3}}
#a = #nv_tileas.wgmma_atom<f16, n = 8, groups = [3, 1]>

// -----

// expected-error @below {{sums of 'f16' need no promotion}}
#a = #nv_tileas.wgmma_atom<f16 promoted by 128, n = 8, groups = [1, 1]>

// -----

// expected-error @below {{expects spans of 32 times a power of two along k, got 96}}
#a = #nv_tileas.wgmma_atom<f8E4M3FN promoted by 96, n = 8, groups = [1, 1]>
