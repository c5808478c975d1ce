// RUN: tileiras-opt %s -tileaa-expand-ops -split-input-file -verify-diagnostics

nv_tileaa.func @f(%p: !nv_tileaa.ptr<i32>) {
  %0 = nv_tileaa.generate : tensor<4xi32> {
  ^bb0(%r: i32):
    // expected-error @below {{inside nv_tileaa.generate is not element-wise}}
    %x, %t = nv_tileaa.load %p : !nv_tileaa.ptr<i32> -> i32
    nv_tileaa.yield %x : i32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) -> f32 {
  // expected-error @below {{of 'f' is recursive}}
  %0 = nv_tileaa.call @f(%x) : (f32) -> f32
  nv_tileaa.return %0 : f32
}

// -----

nv_tileaa.func private @g(f32) -> f32
nv_tileaa.func @f(%x: f32) -> f32 {
  // expected-error @below {{'g' has no body}}
  %0 = nv_tileaa.call @g(%x) : (f32) -> f32
  nv_tileaa.return %0 : f32
}

// -----

nv_tileaa.func @a(%x: f32) -> f32 {
  %0 = nv_tileaa.call @b(%x) : (f32) -> f32
  nv_tileaa.return %0 : f32
}
nv_tileaa.func @b(%x: f32) -> f32 {
  %0 = nv_tileaa.call @c(%x) : (f32) -> f32
  nv_tileaa.return %0 : f32
}
nv_tileaa.func @c(%x: f32) -> f32 {
  // expected-error @below {{of 'b' is recursive}}
  %0 = nv_tileaa.call @b(%x) : (f32) -> f32
  nv_tileaa.return %0 : f32
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{has no lowering yet}}
  %i = nv_tileaa.cancel_next_program_id
  nv_tileaa.return
}
