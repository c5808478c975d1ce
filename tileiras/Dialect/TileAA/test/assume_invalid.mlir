// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{'nv_tileaa.div_by' is valid only for integers and pointers}}
  %r = nv_tileaa.assume #nv_tileaa.div_by<16>, %x : f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{'nv_tileaa.div_by' divisor must be a power of 2}}
  %r = nv_tileaa.assume #nv_tileaa.div_by<12>, %x : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{'nv_tileaa.div_by' divisor must be a power of 2}}
  %r = nv_tileaa.assume #nv_tileaa.div_by<0>, %x : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i64) {
  // expected-error @below {{'nv_tileaa.div_by' divisor is too large}}
  %r = nv_tileaa.assume #nv_tileaa.div_by<9223372036854775808>, %x : i64
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{'nv_tileaa.div_by' 'every'/'along' cannot be used if the constrained value is a scalar}}
  %r = nv_tileaa.assume #nv_tileaa.div_by<16, every 4 along 0>, %x : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: tensor<8xi32>) {
  // expected-error @below {{'nv_tileaa.div_by' every_dim (1) must be >= 0 and < tile rank (1)}}
  %r = nv_tileaa.assume #nv_tileaa.div_by<16, every 4 along 1>, %x : tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: tensor<8xi32>) {
  // expected-error @below {{expected 'nv_tileaa.div_by' every_dim to be within 0 and the size of the respective dimension (8)}}
  %r = nv_tileaa.assume #nv_tileaa.div_by<16, every 16 along 0>, %x : tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.bounded' is valid only for integers}}
  %r = nv_tileaa.assume #nv_tileaa.bounded<lb = 0>, %x : !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i8) {
  // expected-error @below {{'nv_tileaa.bounded' expects upper bound to be within [-128, 127]}}
  %r = nv_tileaa.assume #nv_tileaa.bounded<lb = 0 ub = 128>, %x : i8
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i8) {
  // expected-error @below {{'nv_tileaa.bounded' expects lower bound to be within [-128, 127]}}
  %r = nv_tileaa.assume #nv_tileaa.bounded<lb = -129>, %x : i8
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{'nv_tileaa.bounded' expects lower bound to be less than or equal to upper bound}}
  %r = nv_tileaa.assume #nv_tileaa.bounded<lb = 4 ub = 3>, %x : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.same_elements' is valid only for integers and pointers}}
  %r = nv_tileaa.assume #nv_tileaa.same_elements<[4]>, %x : tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: tensor<4xi32>) {
  // expected-error @below {{expected number of values in 'nv_tileaa.same_elements' (2) to match rank of constrained tile (1)}}
  %r = nv_tileaa.assume #nv_tileaa.same_elements<[4, 4]>, %x : tensor<4xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: tensor<4xi32>) {
  // expected-error @below {{expected 'nv_tileaa.same_elements' value 0 to be within 0 and the size of the respective dimension (4)}}
  %r = nv_tileaa.assume #nv_tileaa.same_elements<[8]>, %x : tensor<4xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: tensor<4xi32>) {
  // expected-error @below {{'nv_tileaa.same_elements' values must not be negative, got -1}}
  %r = nv_tileaa.assume #nv_tileaa.same_elements<[-1]>, %x : tensor<4xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{expects a div_by, bounded or same_elements predicate}}
  %r = nv_tileaa.assume "odd", %x : i32
  nv_tileaa.return
}

// -----

// expected-error @below {{expects numWarps from 1 to 32, got 0}}
#k = #nv_tileaa.kernel_spec<numWarps = 0, clusterDim = [1, 1, 1], numCTAs = 1>

// -----

// expected-error @below {{expects numWarps from 1 to 32, got 33}}
#k = #nv_tileaa.kernel_spec<numWarps = 33, clusterDim = [1, 1, 1], numCTAs = 1>

// -----

// expected-error @below {{expects positive cluster dimensions}}
#k = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [0, 1, 1], numCTAs = 0>

// -----

// expected-error @below {{expects numCTAs to be the product of clusterDim, got 4}}
#k = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [2, 1, 1], numCTAs = 4>
