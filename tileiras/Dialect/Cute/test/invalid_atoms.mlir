// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atoms, tensors of coordinates, descriptors and scalars that do not fit.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expects 1, 2 or 4 matrices, got 3}}
func.func private @f(!cute_nvgpu.ldsm<3>)

// -----

// expected-error @below {{wgmma: 64xNx16 of f16 or bf16}}
func.func private @f(!cute_nvgpu.sm90.mma<64x12x16, f16, f16, f32>)

// -----

// expected-error @below {{mma.sync of this kind: 16x8x32 of f8E4M3FN or f8E5M2, with f32 sums; got 16x8x16}}
func.func private @f(!cute_nvgpu.sm89.mma<16x8x16, f8E4M3FN, f8E4M3FN, f32>)

// -----

// expected-error @below {{mma.sync with block scales: 16x8x32}}
func.func private @f(!cute_nvgpu.SM120.mma_bs<16x8x64, f4E2M1FN, f4E2M1FN, f32>)

// -----

// expected-error @below {{expects the extents of a box, one to five from 1 to 256: (64,32), got '(512,32)'}}
func.func private @f(!cute_nvgpu.tma_load<"(512,32)">)

// -----

// expected-error @below {{expects the coordinate of the first element and strides of coordinates}}
func.func private @f(!cute.coord_tensor<"(4,8):(1,4)">)

// -----

// expected-error @below {{a stride counts in one of the 2 components, not 1@2}}
func.func private @f(!cute.coord_tensor<"(0,0) o (4,8):(1@0,1@2)">)

// -----

// expected-error @below {{expects a swizzle of 0, 32, 64 or 128 bytes, got 48}}
func.func private @f(!cute.desc_iter<k, 48, 0, 1024>)

// -----

// expected-error @below {{of matrices, a tiled copy moves four at once}}
func.func private @f(!cute.tiled_copy<!cute_nvgpu.ldsm<2>, "((4,8),(2,2,2)):((32,1),(16,8,128))", "(16,16)">)

// -----

// expected-error @below {{expects a copy atom of threads, got '!cute_nvgpu.tma_load<"(8,8)">'}}
func.func private @f(!cute.tiled_copy<!cute_nvgpu.tma_load<"(8,8)">, "(1,64):(0,1)", "(8,8)">)

// -----

func.func @map() {
  // expected-error @below {{a TMA copy has a tensor map: cute_nvgpu.atom.tma_load, cute_nvgpu.atom.tma_store}}
  %0 = cute.make_atom : !cute_nvgpu.tma_load<"(8,8)">
  return
}

// -----

func.func @other(%a: !cute_nvgpu.universal_copy<32>) {
  // expected-error @below {{expects an atom of type '!cute_nvgpu.universal_copy<64>', got '!cute_nvgpu.universal_copy<32>'}}
  %0 = cute.make_tiled_copy(%a) : (!cute_nvgpu.universal_copy<32>) -> !cute.tiled_copy<!cute_nvgpu.universal_copy<64>, "(4,2):(2,1)", "(8,1)">
  return
}

// -----

func.func @more(%s: !cute.shape<"(?,4)">) {
  // expected-error @below {{expects the result to say the same or less than '!cute.shape<"(?,4)">', got '!cute.shape<"(8,4)">'}}
  %0 = cute.derefine(%s) : (!cute.shape<"(?,4)">) -> !cute.shape<"(8,4)">
  return
}

// -----

func.func @vector(%t: !cute.memref<i32, gmem, "4:3">, %v: vector<8xi32>) {
  // expected-error @below {{expects a vector of 4 elements of type 'i32', got 'vector<8xi32>'}}
  cute.memref.store_vec(%t, %v) : !cute.memref<i32, gmem, "4:3">, vector<8xi32>
  return
}

// -----

func.func @layouts(%t: !cute.tile<"[4:1;8:2]">) {
  // expected-error @below {{the tile has 2 modes, but there are 1 results}}
  %0 = cute.get_layouts_from_tile(%t) : (!cute.tile<"[4:1;8:2]">) -> !cute.layout<"4:1">
  return
}

// -----

func.func @compare(%a: !cute.layout<"4:1">) {
  // expected-error @below {{compares tuples, not '!cute.layout<"4:1">'}}
  %0 = cute.tuple_eq(%a, %a) : !cute.layout<"4:1">, !cute.layout<"4:1">
  return
}

// -----

func.func @descriptor(%s: !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16)):((64,1))">) {
  // expected-error @below {{expects the result to be '!cute.desc_iter<k, 128, 0, 1024>', got '!cute.desc_iter<k, 128, 0, 512>'}}
  %0 = cute.make_desc_iter(%s) : (!cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16)):((64,1))">) -> !cute.desc_iter<k, 128, 0, 512>
  return
}

// -----

func.func @strided(%s: !cute.memref<f16, smem, align<1024>, "((64,16)):((40,1))">) {
  // expected-error @below {{Not a canonical GMMA_MN Layout: ((64,16)):((40,1))}}
  %0 = cute.make_desc_iter(%s) : (!cute.memref<f16, smem, align<1024>, "((64,16)):((40,1))">) -> !cute.desc_iter<k, 0, 128, 256>
  return
}

// -----

func.func @low(%s: !cute.memref<f16, smem, align<128>, "S<3,3,3> o 0 o ((64,16)):((64,1))">) {
  // expected-error @below {{a swizzle of 128 bytes takes an alignment of 1024, got 128}}
  %0 = cute.make_desc_iter(%s) : (!cute.memref<f16, smem, align<128>, "S<3,3,3> o 0 o ((64,16)):((64,1))">) -> !cute.desc_iter<k, 128, 0, 1024>
  return
}

// -----

func.func @matrices(%a: !cute_nvgpu.ldsm<4>, %g: !cute.memref<f16, gmem, align<16>, "8:1">, %r: !cute.memref<f16, rmem, "8:1">) {
  // expected-error @below {{matrices are copied from smem to rmem}}
  cute.copy(%a, %g, %r) : !cute_nvgpu.ldsm<4>, !cute.memref<f16, gmem, align<16>, "8:1">, !cute.memref<f16, rmem, "8:1">
  return
}

// -----

func.func @halves(%a: !cute_nvgpu.ldsm<2>, %s: !cute.memref<f16, smem, align<16>, "8:1">, %r: !cute.memref<f16, rmem, "8:1">) {
  // expected-error @below {{rows of eight elements on one side and 4 elements on the other do not make 8 and 8}}
  cute.copy(%a, %s, %r) : !cute_nvgpu.ldsm<2>, !cute.memref<f16, smem, align<16>, "8:1">, !cute.memref<f16, rmem, "8:1">
  return
}

// -----

func.func @box(%a: !cute_nvgpu.tma_load<"(8,8)">, %c: !cute.coord_tensor<"(0,0) o (8,8):(1@0,1@1)">, %s: !cute.memref<i8, smem, align<128>, "(8,8):(1,8)">) {
  // expected-error @below {{a box has rows of whole 16 bytes, not 8 bytes}}
  cute.copy(%a, %c, %s) : !cute_nvgpu.tma_load<"(8,8)">, !cute.coord_tensor<"(0,0) o (8,8):(1@0,1@1)">, !cute.memref<i8, smem, align<128>, "(8,8):(1,8)">
  return
}

// -----

func.func @scales(%m: !cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, %d: !cute.memref<f32, rmem, "(2,2):(1,2)">, %a: !cute.memref<f8E4M3FN, rmem, "(4,2,2):(1,4,8)">, %b: !cute.memref<f8E4M3FN, rmem, "(4,2):(1,4)">) {
  // expected-error @below {{expects the scales of A and B, got 0}}
  cute.mma_atom_call(%m, %d, %a, %b, %d) : !cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, !cute.memref<f32, rmem, "(2,2):(1,2)">, !cute.memref<f8E4M3FN, rmem, "(4,2,2):(1,4,8)">, !cute.memref<f8E4M3FN, rmem, "(4,2):(1,4)">, !cute.memref<f32, rmem, "(2,2):(1,2)">
  return
}

// -----

func.func @rows(%p: !cute.ptr<f16, smem>) {
  // expected-error @below {{a row is aligned to 16 bytes, not 2}}
  %0 = cute_nvgpu.arch.copy.ldsm(%p) : (!cute.ptr<f16, smem>) -> i32
  return
}

// -----

func.func @printed(%a: !cute_nvgpu.universal_copy<32>) {
  // expected-error @below {{prints tuples, layouts, tiles, tensors, addresses, i32, i64, f32 and f64, not '!cute_nvgpu.universal_copy<32>'}}
  cute.print("atom", %a) : !cute_nvgpu.universal_copy<32>
  return
}

// -----

// expected-error @below {{tcgen05.mma is executed by one block or by two, not by 4}}
func.func private @f(!cute_nvgpu.sm100.mma<512x64x16, f16, f16, f32, ctas = 4>)

// -----

// expected-error @below {{tcgen05.mma of two blocks: 256xNx16 of f16 or bf16}}
func.func private @f(!cute_nvgpu.sm100.mma<128x64x16, f16, f16, f32, ctas = 2>)

// -----

// expected-error @below {{tcgen05.mma with block scales: 128xNx32 of f8E4M3FN or f8E5M2}}
func.func private @f(!cute_nvgpu.sm100.mma_bs<128x64x64, f4E2M1FN, f4E2M1FN, f32>)

// -----

// expected-error @below {{tcgen05.mma.sp: 128xNx32 of f16 or bf16}}
func.func private @f(!cute_nvgpu.sm100.mma_sp<128x64x16, f16, f16, f32>)

// -----

// expected-error @below {{tcgen05.mma.sp with block scales: 128xNx64 of f8E4M3FN or f8E5M2}}
func.func private @f(!cute_nvgpu.sm100.mma_bs_sp<128x64x32, f8E4M3FN, f8E4M3FN, f32>)

// -----

func.func @no_such_byte(%p: !cute.ptr<f32, tmem>, %s: !cute.ptr<i32, tmem>, %d: i64, %f: i1) {
  // expected-error @below {{a word has bytes 0 to 3, not 7}}
  cute_nvgpu.arch.mma.SM100.umma_block_scaled_sparse !cute_nvgpu.sm100.mma_bs_sp<128x64x64, f8E4M3FN, f8E4M3FN, f32> (%p, %d, %d if %f) scaled by %s 0, %s 7 stored by %s 0 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>
  return
}

// -----

func.func @no_such_column(%p: !cute.ptr<f32, tmem>, %s: !cute.ptr<i32, tmem>, %d: i64, %f: i1) {
  // expected-error @below {{metadata of 2 columns for an instruction have no selector 1}}
  cute_nvgpu.arch.mma.SM100.umma_block_scaled_sparse !cute_nvgpu.sm100.mma_bs_sp<128x64x64, f8E4M3FN, f8E4M3FN, f32> (%p, %d, %d if %f) scaled by %s 0, %s 1 stored by %s 1 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>
  return
}

// -----

// expected-error @below {{expects 128x256b, 128x128b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23 or 32x128b.warpx4, got '32x128b'}}
func.func private @f(!cute_nvgpu.s2t_copy<"32x128b">)

// -----

// expected-error @below {{expects a copy atom of threads, got '!cute_nvgpu.s2t_copy<"128x128b">'}}
func.func private @f(!cute.tiled_copy<!cute_nvgpu.s2t_copy<"128x128b">, "(1,512):(0,1)", "(128,4)">)

// -----

func.func @one_word_for_four(%a: !cute.memref<f32, tmem, "((128,64),1,1):((65536,1),0,0)">, %s: !cute.memref<i32, tmem, "((128,4),1,2):((65536,1),0,4)">, %u: !cute.memref<i32, tmem, "((128,2),1,2):((65536,1),0,4)">) {
  %mma = cute.make_atom : !cute_nvgpu.sm100.mma_bs<128x64x32, f8E4M3FN, f8E4M3FN, f32>
  %x = cute.memref.alloc_smem : !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((128,32),1,4):((128,1),0,32)">
  %y = cute.memref.alloc_smem : !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((64,32),1,4):((128,1),0,32)">
  // expected-error @below {{the extents differ; a word of scales is of four instructions along K}}
  cute.gemm(%mma, %a, %x, %y, %a scaled by %s, %u) : !cute_nvgpu.sm100.mma_bs<128x64x32, f8E4M3FN, f8E4M3FN, f32>, !cute.memref<f32, tmem, "((128,64),1,1):((65536,1),0,0)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((128,32),1,4):((128,1),0,32)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((64,32),1,4):((128,1),0,32)">, !cute.memref<f32, tmem, "((128,64),1,1):((65536,1),0,0)"> scaled by !cute.memref<i32, tmem, "((128,4),1,2):((65536,1),0,4)">, !cute.memref<i32, tmem, "((128,2),1,2):((65536,1),0,4)">
  return
}

// -----

func.func @no_such_byte(%p: !cute.ptr<f32, tmem>, %s: !cute.ptr<i32, tmem>, %d: i64, %f: i1) {
  // expected-error @below {{a word has bytes 0 to 3, not 4}}
  cute_nvgpu.arch.mma.SM100.umma_block_scaled !cute_nvgpu.sm100.mma_bs<128x64x32, f8E4M3FN, f8E4M3FN, f32> (%p, %d, %d if %f) scaled by %s 4, %s 0 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>
  return
}

// -----

func.func @no_such_column(%p: !cute.ptr<f32, tmem>, %s: !cute.ptr<i32, tmem>, %d: i64, %f: i1) {
  // expected-error @below {{metadata of 2 columns for an instruction have no selector 1}}
  cute_nvgpu.arch.mma.SM100.umma_sparse !cute_nvgpu.sm100.mma_sp<128x64x64, f8E4M3FN, f8E4M3FN, f32> (%p, %d, %d if %f) stored by %s 1 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>
  return
}

// -----

func.func @registers(%a: i64, %x: f32) {
  // expected-error @below {{expects an atom sm90.mma with A in smem, got '!cute_nvgpu.sm90.mma<64x8x16, f16, f16, f32, a = rmem>'}}
  %0:4 = cute_nvgpu.arch.mma.SM90 !cute_nvgpu.sm90.mma<64x8x16, f16, f16, f32, a = rmem> (%a, %a) (%x, %x, %x, %x) : f32, f32, f32, f32 -> f32, f32, f32, f32
  return
}

// -----

func.func @map_of_smem(%at: !cute.ptr<i64, gmem, align<128>>, %x: !cute.memref<i32, smem, align<16>, "(32,8):(1,32)">) {
  // expected-error @below {{expects a tensor in gmem, aligned to 16 bytes}}
  cute_nvgpu.update_tma_desc(%at, %x) : !cute.ptr<i64, gmem, align<128>>, !cute.memref<i32, smem, align<16>, "(32,8):(1,32)">
  return
}

// -----

func.func @map_of_columns(%at: !cute.ptr<i64, gmem, align<128>>, %x: !cute.memref<i32, gmem, align<16>, "(32,8):(8,1)">) {
  // expected-error @below {{expects one to five modes, the first one contiguous, got (32,8):(8,1)}}
  cute_nvgpu.update_tma_desc(%at, %x) : !cute.ptr<i64, gmem, align<128>>, !cute.memref<i32, gmem, align<16>, "(32,8):(8,1)">
  return
}

// -----

func.func @map_of_odd_rows(%at: !cute.ptr<i64, gmem, align<128>>, %x: !cute.memref<i32, gmem, align<16>, "(32,8):(1,?)">) {
  // expected-error @below {{strides are multiples of 16 bytes, and not known to be in (32,8):(1,?)}}
  cute_nvgpu.update_tma_desc(%at, %x) : !cute.ptr<i64, gmem, align<128>>, !cute.memref<i32, gmem, align<16>, "(32,8):(1,?)">
  return
}

// -----

func.func @unaligned_map(%at: !cute.ptr<i64, gmem, align<64>>, %x: !cute.memref<i32, gmem, align<16>, "(32,8):(1,32)">) {
  // expected-error @below {{a tensor map is aligned to 128 bytes, not 64}}
  cute_nvgpu.update_tma_desc(%at, %x) : !cute.ptr<i64, gmem, align<64>>, !cute.memref<i32, gmem, align<16>, "(32,8):(1,32)">
  return
}

// -----

func.func @box_of_three(%at: !cute.ptr<i64, gmem, align<128>>, %x: !cute.memref<i32, gmem, align<16>, "(32,8):(1,32)">) {
  // expected-error @below {{a box of 3 extents of a tensor of 2}}
  cute_nvgpu.make_tma_desc_tiled_at "(32,4,2)" (%at, %x) : !cute.ptr<i64, gmem, align<128>>, !cute.memref<i32, gmem, align<16>, "(32,8):(1,32)">
  return
}

// -----

func.func @wide_box(%at: !cute.ptr<i64, gmem, align<128>>, %x: !cute.memref<i32, gmem, align<16>, "(32,8):(1,32)">) {
  // expected-error @below {{a swizzle of 64 bytes does not fit rows of 128 bytes; there are 32, 64 and 128}}
  cute_nvgpu.make_tma_desc_tiled_at "(32,4)" (%at, %x) swizzle 64 : !cute.ptr<i64, gmem, align<128>>, !cute.memref<i32, gmem, align<16>, "(32,8):(1,32)">
  return
}
