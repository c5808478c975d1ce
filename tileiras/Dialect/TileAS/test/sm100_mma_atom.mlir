// RUN: tileiras-opt %s -split-input-file -verify-diagnostics | FileCheck %s
// What the atom of tcgen05.mma takes, and what it refuses.

// A of 128 x 16 and B of 16 x 16, both K-major with the 32-byte swizzle.
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2], [8, 4], [0, 8]]>
#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8]]>
// CHECK-LABEL: @takes_descriptors
nv_tileaa.func @takes_descriptors(%a: tensor<128x16xf16, #a>, %b: tensor<16x16xf16, #b>, %adds: i1) {
  %c = nv_tileas.alloc_tensor : tensor<128x16xf32, #t>
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} if %{{.*}} {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 16, warps = 4>}
  %d = nv_tileas.dot %a, %b, %c if %adds {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 16, warps = 4>} : tensor<128x16xf16, #a>, tensor<16x16xf16, #b>, tensor<128x16xf32, #t>
  nv_tileaa.return
}

// -----

// B of 8 x 32 words with n side by side, in rows of 128 bytes whose pieces of 32 bytes are exchanged.
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 4], [8, 0], [16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 8], [2, 16], [4, 0]]>
#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
// CHECK-LABEL: @words_across
nv_tileaa.func @words_across(%a: tensor<128x8xtf32, #a>, %b: tensor<8x32xtf32, #b>, %adds: i1) {
  %c = nv_tileas.alloc_tensor : tensor<128x32xf32, #t>
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} if %{{.*}} {atom = #nv_tileas.sm100_mma_atom<tf32, m = 128, n = 32, warps = 4>}
  %d = nv_tileas.dot %a, %b, %c if %adds {atom = #nv_tileas.sm100_mma_atom<tf32, m = 128, n = 32, warps = 4>} : tensor<128x8xtf32, #a>, tensor<8x32xtf32, #b>, tensor<128x32xf32, #t>
  nv_tileaa.return
}

// -----

// Pieces of 16 bytes are exchanged where k is side by side, or elements have two bytes.
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16]]>
nv_tileaa.func @words_in_pieces(%a: tensor<128x8xtf32>, %b: tensor<8x32xtf32, #b>, %c: tensor<128x32xf32>) {
  // expected-error @below {{atom does not take operand #1 in this layout: Not a canonical GMMA_MN Layout}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.sm100_mma_atom<tf32, m = 128, n = 32, warps = 4>} : tensor<128x8xtf32>, tensor<8x32xtf32, #b>, tensor<128x32xf32>
  nv_tileaa.return
}

// -----

// wgmma reads words along k only.
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 8], [2, 16], [4, 0]]>
nv_tileaa.func @of_warpgroups(%a: tensor<64x8xtf32>, %b: tensor<8x32xtf32, #b>, %c: tensor<64x32xf32>) {
  // expected-error @below {{atom does not take operand #1 in this layout: Not a canonical GMMA_MN Layout}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.wgmma_atom<tf32, n = 32, groups = [1, 1]>} : tensor<64x8xtf32>, tensor<8x32xtf32, #b>, tensor<64x32xf32>
  nv_tileaa.return
}

// -----

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]>
nv_tileaa.func @no_descriptor(%a: tensor<128x16xf16, #a>, %b: tensor<16x16xf16>, %c: tensor<128x16xf32>) {
  // expected-error @below {{atom does not take operand #0 in this layout: Not a canonical GMMA_MN Layout}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 16, warps = 4>} : tensor<128x16xf16, #a>, tensor<16x16xf16>, tensor<128x16xf32>
  nv_tileaa.return
}

// -----

#t = #nv_tileas.tensor_memory<rank = 2, row = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], column = [[8, 0], [16, 0], [32, 0], [64, 0]]>
nv_tileaa.func @rows_elsewhere(%a: tensor<128x16xf16>, %b: tensor<16x16xf16>, %c: tensor<128x16xf32, #t>) {
  // expected-error @below {{atom does not take operand #2 in this layout}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 16, warps = 4>} : tensor<128x16xf16>, tensor<16x16xf16>, tensor<128x16xf32, #t>
  nv_tileaa.return
}

// -----

nv_tileaa.func @condition_in_registers(%a: tensor<128x16xf16>, %b: tensor<16x16xf16>, %c: tensor<128x16xf32>, %adds: i1) {
  // expected-error @below {{expects sums in tensor memory where a condition says whether to add to them}}
  %d = nv_tileas.dot %a, %b, %c if %adds {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 16, warps = 4>} : tensor<128x16xf16>, tensor<16x16xf16>, tensor<128x16xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @too_few_rows(%a: tensor<32x16xf16>, %b: tensor<16x16xf16>, %c: tensor<32x16xf32>) {
  // expected-error @below {{atom does not fit: an instruction has 64 rows, the product 32}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.sm100_mma_atom<f16, m = 64, n = 8, warps = 4>} : tensor<32x16xf16>, tensor<16x16xf16>, tensor<32x16xf32>
  nv_tileaa.return
}

// -----

// expected-error @below {{tcgen05.mma does not multiply 'f64'}}
#a = #nv_tileas.sm100_mma_atom<f64, m = 128, n = 16, warps = 4>

// -----

// expected-error @below {{expects powers of two, got 96}}
#a = #nv_tileas.sm100_mma_atom<f16, m = 96, n = 16, warps = 4>
