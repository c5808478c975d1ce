// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{expects floats, got 'i32'}}
  %r = nv_tileaa.addf %x, %x : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{rounding mode approx is not defined for this operation}}
  %r = nv_tileaa.addf %x, %x {rounding_mode = #nv_tileaa.rounding_mode<approx>} : f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{expects floats, got 'i32'}}
  %r = nv_tileaa.subf %x, %x : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{rounding mode approx is not defined for this operation}}
  %r = nv_tileaa.subf %x, %x {rounding_mode = #nv_tileaa.rounding_mode<approx>} : f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{expects floats, got 'i32'}}
  %r = nv_tileaa.mulf %x, %x : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{rounding mode approx is not defined for this operation}}
  %r = nv_tileaa.mulf %x, %x {rounding_mode = #nv_tileaa.rounding_mode<approx>} : f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f64) {
  // expected-error @below {{full modifier only supported for f32 data type, but got: 'f64'}}
  %r = nv_tileaa.divf %x, %x {rounding_mode = #nv_tileaa.rounding_mode<full>} : f64
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{rounding mode nearest_away is not defined for this operation}}
  %r = nv_tileaa.divf %x, %x {rounding_mode = #nv_tileaa.rounding_mode<nearest_away>} : f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i8) {
  // expected-error @below {{expects floats, got 'i8'}}
  %r = nv_tileaa.fma %x, %x, %x : i8
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{rounding mode full is not defined for this operation}}
  %r = nv_tileaa.sqrt %x {rounding_mode = #nv_tileaa.rounding_mode<full>} : f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i8) {
  // expected-error @below {{expects floats, got 'i8'}}
  %r = nv_tileaa.rsqrt %x : i8
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i8) {
  // expected-error @below {{expects floats, got 'i8'}}
  %r = nv_tileaa.exp2 %x : i8
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i8) {
  // expected-error @below {{expects floats, got 'i8'}}
  %r = nv_tileaa.maxf %x, %x : i8
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i8) {
  // expected-error @below {{expects floats, got 'i8'}}
  %r = nv_tileaa.minf %x, %x : i8
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i8) {
  // expected-error @below {{expects floats, got 'i8'}}
  %r = nv_tileaa.clampf %x, %x, %x : i8
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{expects integers, got 'f32'}}
  %r = nv_tileaa.mulhiui %x, %x : f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{expects floats, got 'i32' and 'f32'}}
  %r = nv_tileaa.fp_to_fp %x : i32 -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{rounding mode nearest_int_to_zero is not defined for this operation}}
  %r = nv_tileaa.fp_to_fp %x {rounding_mode = #nv_tileaa.rounding_mode<nearest_int_to_zero>} : f32 -> f16
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{expects operands and result of one shape}}
  %r = nv_tileaa.fp_to_fp %x : tensor<4xf32> -> tensor<8xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{expects i64 to pointer, got 'i32' and '!nv_tileaa.ptr<f32>'}}
  %r = nv_tileaa.int_to_ptr %x : i32 -> !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{expects pointer to i64, got '!nv_tileaa.ptr<f32>' and 'i32'}}
  %r = nv_tileaa.ptr_to_int %x : !nv_tileaa.ptr<f32> -> i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i64) {
  // expected-error @below {{expects pointers, got 'i64' and '!nv_tileaa.ptr<f32>'}}
  %r = nv_tileaa.bitcast %x : i64 -> !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: !nv_tileaa.mem_token) {
  // expected-error @below {{expects numbers or pointers, got '!nv_tileaa.mem_token'}}
  %r = nv_tileaa.print "x", %x : !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{expects an i1 condition, got 'i32'}}
  nv_tileaa.assert %x, "text" : i32
  nv_tileaa.return
}
