// RUN: tileiras-opt %s -split-input-file -verify-diagnostics
// Rules that MLIR's own verifiers of nvgpu keep.

func.func @rank(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<2x64x64xf16, 3>>,
                %acc: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  // expected-error @below {{matrices A, B, C and D, they must be 2 dimensional}}
  %d = nvgpu.warpgroup.mma %a, %b, %acc : <tensor = memref<64x64xf16, 3>>, <tensor = memref<2x64x64xf16, 3>>, <fragmented = vector<64x64xf32>> -> <fragmented = vector<64x64xf32>>
  return
}

// -----

func.func @extents(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<32x64xf16, 3>>,
                   %acc: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  // expected-error @below {{2nd dim matrix-A (64)!= 1st dim matrix-B (32 )}}
  %d = nvgpu.warpgroup.mma %a, %b, %acc : <tensor = memref<64x64xf16, 3>>, <tensor = memref<32x64xf16, 3>>, <fragmented = vector<64x64xf32>> -> <fragmented = vector<64x64xf32>>
  return
}

// -----

func.func @shape(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x60xf16, 3>>,
                 %acc: !nvgpu.warpgroup.accumulator<fragmented = vector<64x60xf32>>) {
  // expected-error @below {{n is set to 60, it is not supported}}
  %d = nvgpu.warpgroup.mma %a, %b, %acc : <tensor = memref<64x64xf16, 3>>, <tensor = memref<64x60xf16, 3>>, <fragmented = vector<64x60xf32>> -> <fragmented = vector<64x60xf32>>
  return
}

// -----

func.func @types(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>,
                 %acc: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  // expected-error @below {{type of matrix C and matrix D must be the same}}
  %d = nvgpu.warpgroup.mma %a, %b, %acc : <tensor = memref<64x64xf16, 3>>, <tensor = memref<64x64xf16, 3>>, <fragmented = vector<64x64xf32>> -> <fragmented = vector<64x64xf16>>
  return
}

// -----

func.func @tf32(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>) {
  // expected-error @below {{expected tf32 tensor cores only for F32 operands}}
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16], tf32Enabled} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @copy_types(%src: memref<128xf32>, %dst: memref<128xf16, 3>, %i: index) {
  // expected-error @below {{source and destination must have the same element type}}
  %t = nvgpu.device_async_copy %src[%i], %dst[%i], 4 : memref<128xf32> to memref<128xf16, 3>
  return
}

// -----

func.func @copy_strides(%src: memref<128x128xf32>, %dst: memref<128x128xf32, affine_map<(d0, d1) -> (2*d1 + 256*d0)>, 3>, %i: index) {
  // expected-error @below {{destination memref most minor dim must have unit stride}}
  %t = nvgpu.device_async_copy %src[%i, %i], %dst[%i, %i], 4 : memref<128x128xf32> to memref<128x128xf32, affine_map<(d0, d1) -> (2*d1 + 256*d0)>, 3>
  return
}

// -----

func.func @copy_size(%src: memref<128xf32>, %dst: memref<128xf32, 3>, %i: index) {
  // expected-error @below {{Requested copy elements is 3 with width 32. But copy elements could be one of 1, 2, 4.}}
  %t = nvgpu.device_async_copy %src[%i], %dst[%i], 3 : memref<128xf32> to memref<128xf32, 3>
  return
}

// -----

// Reciprocals are of vectors, approximate, and flush denormals.
func.func @rcp_scalar(%x: f32) {
  // expected-error @below {{operand #0 must be vector of 32-bit float}}
  %r = "nvgpu.rcp"(%x) {rounding = #nvgpu<rcp_rounding_mode approx>, ftz} : (f32) -> f32
  return
}

// -----

func.func @rcp_exact(%x: vector<4xf32>) {
  // expected-error @below {{is not supported yet}}
  %r = nvgpu.rcp %x {rounding = rn, ftz} : vector<4xf32>
  return
}
