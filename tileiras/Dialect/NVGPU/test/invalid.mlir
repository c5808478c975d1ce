// What the verifiers of our nvgpu operations refuse.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

func.func @f(%s: memref<32x32xf32>, %m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) {
  // expected-error @below {{the source must be in shared memory}}
  nvgpu.tma.async.reduce %s to %m[%i, %i], add : memref<32x32xf32> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%s: memref<32x32xf32, 3>, %m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) {
  // expected-error @below {{has 0 coordinates; there must be 1 to 5}}
  nvgpu.tma.async.reduce %s to %m[], add : memref<32x32xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%s: memref<32x32xf32, 3>, %m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) {
  // expected-error @below {{has 1 coordinates for a tensor map of rank 2}}
  nvgpu.tma.async.reduce %s to %m[%i], add : memref<32x32xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%s: memref<32x32xi32, 3>, %m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) {
  // expected-error @below {{source and tensor map have different element types: 'i32' and 'f32'}}
  nvgpu.tma.async.reduce %s to %m[%i, %i], add : memref<32x32xi32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%s: memref<32x16xf32, 3>, %m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) {
  // expected-error @below {{source and tensor map have different shapes}}
  nvgpu.tma.async.reduce %s to %m[%i, %i], add : memref<32x16xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%s: memref<32x32xf32, 3>, %m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) {
  // expected-error @below {{no 'min' of 'f32' in TMA}}
  nvgpu.tma.async.reduce %s to %m[%i, %i], min : memref<32x32xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%s: memref<32x32xi64, 3>, %m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xi64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) {
  // expected-error @below {{no 'inc' of 'i64' in TMA}}
  nvgpu.tma.async.reduce %s to %m[%i, %i], inc : memref<32x32xi64, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xi64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%s: memref<32x32xf64, 3>, %m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) {
  // expected-error @below {{no 'add' of 'f64' in TMA}}
  nvgpu.tma.async.reduce %s to %m[%i, %i], add : memref<32x32xf64, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xf64, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: memref<127xi8, 3>) {
  // expected-error @below {{the destination has fewer than the 128 bytes of a tensor map}}
  nvgpu.tensormap.create.descriptor %m to %b : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, memref<127xi8, 3>
  return
}

// -----

func.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: memref<?xi8, 3>) {
  // expected-error @below {{the source must be a contiguous memref of a known size}}
  nvgpu.tensormap.create.descriptor %b to %m : memref<?xi8, 3>, !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: memref<128xi8>) {
  // expected-error @below {{the source must be in shared memory}}
  nvgpu.tensormap.publish %b to %m : memref<128xi8>, !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%m: memref<128xi8, 3>, %b: memref<128xi8, 3>) {
  // expected-error @below {{the destination must be in global memory}}
  nvgpu.tensormap.publish %b to %m : memref<128xi8, 3>, memref<128xi8, 3>
  return
}

// -----

func.func @f(%m: memref<64xi8>, %b: memref<128xi8, 3>) {
  // expected-error @below {{the destination has fewer than the 128 bytes}}
  nvgpu.tensormap.publish %b to %m : memref<128xi8, 3>, memref<64xi8>
  return
}

// -----

func.func @f(%b: memref<128xi8, 3>, %w: i32) {
  // expected-error @below {{ord is 5; the tensor map has 5 such fields}}
  nvgpu.tensormap.update.box_dim %b, %w {ord = 5 : i32} : memref<128xi8, 3>
  return
}

// -----

func.func @f(%b: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %w: i32) {
  // expected-error @below {{ord is 2; the tensor map has 2 such fields}}
  nvgpu.tensormap.update.element_stride %b, %w {ord = 2 : i32} : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%b: memref<128xi8, 3>, %w: i32) {
  // expected-error @below {{ord is -1; the tensor map has 5 such fields}}
  nvgpu.tensormap.update.global_dim %b, %w {ord = -1 : i32} : memref<128xi8, 3>
  return
}

// -----

func.func @f(%b: memref<128xi8, 3>, %w: i64) {
  // expected-error @below {{ord is 4; the tensor map has 4 such fields}}
  nvgpu.tensormap.update.global_stride %b, %w {ord = 4 : i32} : memref<128xi8, 3>
  return
}

// -----

func.func @f(%b: memref<16xi32, 3>, %w: i64) {
  // expected-error @below {{the descriptor has fewer than the 128 bytes}}
  nvgpu.tensormap.update.global_address %b, %w : memref<16xi32, 3>
  return
}

// -----

func.func @f(%v: vector<4x2xf16>, %s: memref<16x16xf16>, %i: index) {
  // expected-error @below {{the destination must be in shared memory}}
  nvgpu.stmatrix %v, %s[%i, %i] : vector<4x2xf16>, memref<16x16xf16>
  return
}

// -----

func.func @f(%v: vector<4x2xf16>, %s: memref<16x16xbf16, 3>, %i: index) {
  // expected-error @below {{source and destination have different element types: 'f16' and 'bf16'}}
  nvgpu.stmatrix %v, %s[%i, %i] : vector<4x2xf16>, memref<16x16xbf16, 3>
  return
}

// -----

func.func @f(%v: vector<4x2xf16>, %s: memref<16x16xf16, 3>, %i: index) {
  // expected-error @below {{has 1 indices for a memref of rank 2}}
  nvgpu.stmatrix %v, %s[%i] : vector<4x2xf16>, memref<16x16xf16, 3>
  return
}

// -----

func.func @f(%v: vector<4x2xf16>, %s: memref<16x16xf16, strided<[1, 16]>, 3>, %i: index) {
  // expected-error @below {{the destination's minor-most dimension must have unit stride}}
  nvgpu.stmatrix %v, %s[%i, %i] : vector<4x2xf16>, memref<16x16xf16, strided<[1, 16]>, 3>
  return
}

// -----

func.func @f(%v: vector<4x4xf16>, %s: memref<16x16xf16, 3>, %i: index) {
  // expected-error @below {{the source must hold 32 bits per matrix}}
  nvgpu.stmatrix %v, %s[%i, %i] : vector<4x4xf16>, memref<16x16xf16, 3>
  return
}

// -----

func.func @f(%v: vector<4x4xi8>, %s: memref<16x16xi8, 3>, %i: index) {
  // expected-error @below {{only 16-bit elements can be transposed}}
  nvgpu.stmatrix %v, %s[%i, %i] {transpose} : vector<4x4xi8>, memref<16x16xi8, 3>
  return
}

// -----

func.func @f(%v: vector<3x2xf16>, %s: memref<16x16xf16, 3>, %i: index) {
  // expected-error @below {{stores 3 matrices; there must be 1, 2 or 4}}
  nvgpu.stmatrix %v, %s[%i, %i] : vector<3x2xf16>, memref<16x16xf16, 3>
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @below {{cannot extend ue8m0x2 to 'vector<2xf16>'}}
  %0 = nvgpu.cvt_fpext %n, ue8m0x2 : i32 -> vector<2xf16>
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @below {{cannot extend f16x2 to 'vector<2xf16>'}}
  %0 = nvgpu.cvt_fpext %n, f16x2 : i32 -> vector<2xf16>
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @below {{cannot extend e4m3x2 to 'vector<2xbf16>'}}
  %0 = nvgpu.cvt_fpext %n, e4m3x2 : i32 -> vector<2xbf16>
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @below {{has no relu form for bf16x2}}
  %0 = nvgpu.cvt_fpext %n, bf16x2 relu : i32 -> vector<2xf32>
  return
}

// -----

func.func @f(%v: vector<2xf16>) {
  // expected-error @below {{cannot round 'vector<2xf16>' to f16x2}}
  %0 = nvgpu.cvt_fptrunc %v, f16x2 : vector<2xf16> -> i32
  return
}

// -----

func.func @f(%v: vector<2xbf16>) {
  // expected-error @below {{cannot round 'vector<2xbf16>' to e4m3x2}}
  %0 = nvgpu.cvt_fptrunc %v, e4m3x2 : vector<2xbf16> -> i32
  return
}

// -----

func.func @f(%v: vector<2xf16>) {
  // expected-error @below {{cannot round 'vector<2xf16>' to ue8m0x2}}
  %0 = nvgpu.cvt_fptrunc %v, ue8m0x2, rz : vector<2xf16> -> i32
  return
}

// -----

func.func @f(%v: vector<2xf32>) {
  // expected-error @below {{has no rounding mode 'rz' for e4m3x2}}
  %0 = nvgpu.cvt_fptrunc %v, e4m3x2, rz : vector<2xf32> -> i32
  return
}

// -----

func.func @f(%v: vector<2xf32>) {
  // expected-error @below {{has no rounding mode 'rn' for ue8m0x2}}
  %0 = nvgpu.cvt_fptrunc %v, ue8m0x2 : vector<2xf32> -> i32
  return
}

// -----

func.func @f(%v: vector<2xf32>) {
  // expected-error @below {{has no rounding mode 'rm' for bf16x2}}
  %0 = nvgpu.cvt_fptrunc %v, bf16x2, rm : vector<2xf32> -> i32
  return
}

// -----

func.func @f(%v: vector<2xf32>) {
  // expected-error @below {{has no relu form for ue8m0x2}}
  %0 = nvgpu.cvt_fptrunc %v, ue8m0x2, rz relu : vector<2xf32> -> i32
  return
}

// -----

func.func @f(%b: memref<128xi8, 3>) {
  // expected-error @below {{makes a tensor map of a tensormap descriptor type, not of 'f32'}}
  nvgpu.tensormap.init %b as f32 : memref<128xi8, 3>
  return
}

// -----

func.func @f(%b: memref<128xi8, 3>) {
  // expected-error @below {{a tensor map has 1 to 5 dimensions of a known size}}
  nvgpu.tensormap.init %b as !nvgpu.tensormap.descriptor<tensor = memref<?x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none> : memref<128xi8, 3>
  return
}

// -----

func.func @f(%b: memref<128xi8, 3>) {
  // expected-error @below {{a tensor map has no elements of 'i4'}}
  nvgpu.tensormap.init %b as !nvgpu.tensormap.descriptor<tensor = memref<8xi4, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none> : memref<128xi8, 3>
  return
}

// -----

func.func @f(%b: memref<12xi8, 3>) {
  // expected-error @below {{the destination has fewer than the 128 bytes}}
  nvgpu.tensormap.init %b as !nvgpu.tensormap.descriptor<tensor = memref<8xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none> : memref<12xi8, 3>
  return
}
