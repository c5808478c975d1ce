// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

nv_tileaa.func @shapes(%a: tensor<16x32xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @below {{expects M x K times K x N plus M x N}}
  %d = nv_tileaa.dot %a, %b, %c : tensor<16x32xf16>, tensor<16x8xf16>, tensor<16x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @rank(%a: tensor<16xf16>) {
  // expected-error @below {{expects operands of rank 2 or 3, all of one rank}}
  %d = nv_tileaa.dot %a, %a, %a : tensor<16xf16>, tensor<16xf16>, tensor<16xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @types(%a: tensor<16x16xf16>, %c: tensor<16x16xi32>) {
  // expected-error @below {{of 'f16' elements cannot be summed in 'i32'}}
  %d = nv_tileaa.dot %a, %a, %c : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @signs(%a: tensor<16x16xi8>, %c: tensor<16x16xi32>) {
  // expected-error @below {{expects a signedness for each integer operand, and only there}}
  %d = nv_tileaa.dot %a, %a, %c {signedness_a = #nv_tileaa.signedness<signed>} : tensor<16x16xi8>, tensor<16x16xi8>, tensor<16x16xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @scales(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E8M0FNU>) {
  // expected-error @below {{Scale factor vector size mismatch}}
  %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %s : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x16xf32>, tensor<16x2xf8E8M0FNU>, tensor<16x2xf8E8M0FNU>
  nv_tileaa.return
}

// -----

nv_tileaa.func @scaled_f16(%a: tensor<16x16xf8E4M3FN>, %c: tensor<16x16xf16>, %s: tensor<16x1xf8E8M0FNU>, %t: tensor<1x16xf8E8M0FNU>) {
  // expected-error @below {{expects c type to be Float32}}
  %d = nv_tileaa.mma_block_scale %a, %a, %c, %s, %t : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<16x16xf16>, tensor<16x1xf8E8M0FNU>, tensor<1x16xf8E8M0FNU>
  nv_tileaa.return
}

// -----

nv_tileaa.func @atom(%a: tensor<16x8xf16>, %b: tensor<8x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @below {{atom does not fit: expects K to be at least 16, got 8}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x8xf16>, tensor<8x8xf16>, tensor<16x8xf32>
  nv_tileaa.return
}

// -----

// expected-error @below {{expects powers of two, got 3}}
#a = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 3, 1]>

// -----

// expected-error @below {{expects shape = [m, n, k] and warps = [batch, m, n]}}
#a = #nv_tileas.mma_atom<f16, shape = [16, 8], warps = [1, 1, 1]>

// -----

// expected-error @below {{expects box = [m, n], lanes = [m, n] and warps = [batch, m, n]}}
#a = #nv_tileas.fma_atom<f32, box = [2, 2, 1], lanes = [8, 4], warps = [1, 1, 1]>

// -----

#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0]], column = [[0, 1], [0, 2], [0, 4]]>
nv_tileaa.func @sums_in_tensor_memory(%a: tensor<16x16xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32, #t>) {
  // expected-error @below {{atom does not take operand #2 from tensor memory}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf16>, tensor<16x8xf16>, tensor<16x8xf32, #t>
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>
nv_tileaa.func @shared_without_atom(%a: tensor<16x16xf16, #s>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @below {{expects operand #0 in registers, as it has no atom}}
  %d = nv_tileas.dot %a, %b, %c : tensor<16x16xf16, #s>, tensor<16x8xf16>, tensor<16x8xf32>
  nv_tileaa.return
}

// -----

// Block-scaled products: five checks, in this order.
nv_tileaa.func @no_scales(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf32>) {
  // expected-error @below {{fp4 mma should expect scaling factors}}
  %d = nv_tileaa.dot %a, %b, %c : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x16xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @no_scales(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf32>) {
  // expected-error @below {{fp4 mma should expect scaling factors}}
  %d = nv_tileas.dot %a, %b, %c : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x16xf32>
  nv_tileaa.return
}

// -----

// Wrong in every respect: the first check that finds something speaks.
nv_tileaa.func @order(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf16>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<16x16xf8E4M3FN>) {
  // expected-error @below {{sfa and sfb element type mismatch}}
  %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x16xf16>, tensor<16x2xf8E8M0FNU>, tensor<16x16xf8E4M3FN>
  nv_tileaa.return
}

// -----

nv_tileaa.func @order(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf16>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<16x16xf8E8M0FNU>) {
  // expected-error @below {{expects c type to be Float32}}
  %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x16xf16>, tensor<16x2xf8E8M0FNU>, tensor<16x16xf8E8M0FNU>
  nv_tileaa.return
}

// -----

nv_tileaa.func @order(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<16x16xf8E8M0FNU>) {
  // expected-error @below {{Scale factor vector size mismatch: }}
  %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x16xf32>, tensor<16x2xf8E8M0FNU>, tensor<16x16xf8E8M0FNU>
  nv_tileaa.return
}

// -----

nv_tileaa.func @vector_of_4(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf32>, %s: tensor<16x16xf8E8M0FNU>) {
  // expected-error @below {{unsupported block-scaled mma configuration: 'f4E2M1FN' elements with one scale of type 'f8E8M0FNU' for 4}}
  %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %s : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x16xf32>, tensor<16x16xf8E8M0FNU>, tensor<16x16xf8E8M0FNU>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f8_by_16(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>, %s: tensor<16x4xf8E8M0FNU>, %t: tensor<4x16xf8E8M0FNU>) {
  // expected-error @below {{unsupported block-scaled mma configuration: 'f8E5M2' elements with one scale of type 'f8E8M0FNU' for 16}}
  %d = nv_tileas.dot %a, %b, %c scales(%s : tensor<16x4xf8E8M0FNU>, %t : tensor<4x16xf8E8M0FNU>) : tensor<16x64xf8E5M2>, tensor<64x16xf8E5M2>, tensor<16x16xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f4_by_32_e4m3(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E4M3FN>, %t: tensor<2x16xf8E4M3FN>) {
  // expected-error @below {{unsupported block-scaled mma configuration: 'f4E2M1FN' elements with one scale of type 'f8E4M3FN' for 32}}
  %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x16xf32>, tensor<16x2xf8E4M3FN>, tensor<2x16xf8E4M3FN>
  nv_tileaa.return
}

// -----

// Sums in a type that no product has, but scales: the third check speaks.
nv_tileaa.func @order(%a: tensor<16x64xf4E2M1FN>, %b: tensor<64x16xf4E2M1FN>, %c: tensor<16x16xbf16>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<2x16xf8E8M0FNU>) {
  // expected-error @below {{expects c type to be Float32}}
  %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x16xbf16>, tensor<16x2xf8E8M0FNU>, tensor<2x16xf8E8M0FNU>
  nv_tileaa.return
}

// -----

// Products of one block and of two: the right factor is divided among two blocks, of which an instruction of 64 rows has none.
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], block = [[0, 64]]>
nv_tileaa.func @rows_of_two_blocks(%a: tensor<64x64xf16, #a>, %b: tensor<64x128xf16, #b>, %c: tensor<64x128xf32>) {
  // expected-error @below {{one-CTA and two-CTA shapes do not go together: two blocks multiply 128 rows each, and this one's instruction has 64}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.sm100_mma_atom<f16, m = 64, n = 64, warps = 4>} : tensor<64x64xf16, #a>, tensor<64x128xf16, #b>, tensor<64x128xf32>
  nv_tileaa.return
}

// -----

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], block = [[0, 64]]>
nv_tileaa.func @columns_of_two_blocks(%a: tensor<128x64xf16, #a>, %b: tensor<64x128xf16, #b>, %c: tensor<128x128xf32>) {
  // expected-error @below {{one-CTA and two-CTA shapes do not go together: two blocks multiply all columns by one instruction, a multiple of 32, and this one has 64 of 128}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 64, warps = 4>} : tensor<128x64xf16, #a>, tensor<64x128xf16, #b>, tensor<128x128xf32>
  nv_tileaa.return
}

// -----

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 8], [2, 16], [4, 0], [8, 0], [16, 0], [32, 0]], block = [[0, 32], [0, 64]]>
nv_tileaa.func @four_blocks(%a: tensor<128x64xf16, #a>, %b: tensor<64x128xf16, #b>, %c: tensor<128x128xf32>) {
  // expected-error @below {{one-CTA and two-CTA shapes do not go together: operand #1 is divided among 4 blocks}}
  %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : tensor<128x64xf16, #a>, tensor<64x128xf16, #b>, tensor<128x128xf32>
  nv_tileaa.return
}

// -----

// Scales are those of a product of one block.
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 16], [2, 32], [4, 0], [8, 0], [16, 0], [32, 0]], block = [[0, 64]]>
nv_tileaa.func @scaled_by_two_blocks(%a: tensor<128x64xf8E4M3FN>, %b: tensor<64x128xf8E4M3FN, #b>, %c: tensor<128x128xf32>, %s: tensor<128x2xf8E8M0FNU>, %t: tensor<2x128xf8E8M0FNU>) {
  // expected-error @below {{one-CTA and two-CTA shapes do not go together: scales that threads store are those of one block}}
  %d = nv_tileas.dot %a, %b, %c scales(%s : tensor<128x2xf8E8M0FNU>, %t : tensor<2x128xf8E8M0FNU>) {atom = #nv_tileas.sm100_mma_atom<f8E4M3FN, m = 128, n = 128, warps = 4>} : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN, #b>, tensor<128x128xf32>
  nv_tileaa.return
}

// -----

#tm = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1]]>
#sums = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#l = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
nv_tileaa.func @scales_in_tensor_memory(%a: tensor<128x64xf8E4M3FN, #l>, %b: tensor<64x64xf8E4M3FN, #l>, %c: tensor<128x64xf32, #sums>, %s: tensor<128x2xf8E8M0FNU, #tm>, %t: tensor<2x64xf8E8M0FNU, #l>) {
  // expected-error @below {{expects operand #3 in registers or shared memory: where scales are in tensor memory is said by columns}}
  %d = nv_tileas.dot %a, %b, %c scales(%s : tensor<128x2xf8E8M0FNU, #tm>, %t : tensor<2x64xf8E8M0FNU, #l>) {atom = #nv_tileas.sm100_mma_atom<f8E4M3FN, m = 128, n = 64, warps = 4>} : tensor<128x64xf8E4M3FN, #l>, tensor<64x64xf8E4M3FN, #l>, tensor<128x64xf32, #sums>
  nv_tileaa.return
}
}
