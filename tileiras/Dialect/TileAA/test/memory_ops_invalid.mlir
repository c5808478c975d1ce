// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

!pi = !nv_tileaa.ptr<i32>
nv_tileaa.func @weak(%p: !pi, %v: i32) {
  // expected-error @below {{unsupported memSemantic: weak}}
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<weak>, rmw_mode = #nv_tileaa.rmw_mode<add>} : !pi -> i32
  nv_tileaa.return
}

// -----

!pf = !nv_tileaa.ptr<f32>
nv_tileaa.func @mode(%p: !pf, %v: f32) {
  // expected-error @below {{rmw_mode max is not defined for 'f32'}}
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<max>} : !pf -> f32
  nv_tileaa.return
}

// -----

!ph = !nv_tileaa.ptr<f16>
nv_tileaa.func @cas(%p: !ph, %v: f16) {
  // expected-error @below {{rmw_mode xchg is not defined for 'f16'}}
  %a, %t = nv_tileaa.atomic_cas %p, %v, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>} : !ph -> f16
  nv_tileaa.return
}

// -----

!pi = !nv_tileaa.ptr<i32>
nv_tileaa.func @shape(%p: tensor<64x!pi>, %v: tensor<64xi32>, %m: tensor<32xi1>) {
  // expected-error @below {{expects all operands and the result in one shape and layout}}
  %a, %t = nv_tileaa.atomic_rmw %p, %v, mask %m {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<add>} : tensor<64x!pi>, mask tensor<32xi1> -> tensor<64xi32>
  nv_tileaa.return
}

// -----

!mr = !nv_tileaa.memref<64x64xi32, strides = [64, 1]>
!av = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [8, 16], !mr>
nv_tileaa.func @xchg(%av: !av, %x: tensor<8x16xi32>, %i: i32) {
  // expected-error @below {{tiled_atomic_rmw op cannot use xchg operation}}
  %t2 = nv_tileaa.tiled_atomic_rmw %av[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<xchg>} : !av, (i32, i32), tensor<8x16xi32>
  nv_tileaa.return
}

// -----

!mr = !nv_tileaa.memref<64x64xi32, strides = [64, 1]>
!gv = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [1, 16], !mr>
nv_tileaa.func @rows(%g: !gv, %rows: tensor<4xi32>, %i: i32) {
  // expected-error @below {{expects a tensor of 8 integers as coordinate 0}}
  %x, %t0 = nv_tileaa.gather_load %g[%rows, %i] {axis = 0 : i32} : !gv, (tensor<4xi32>, i32) -> tensor<8x16xi32>
  nv_tileaa.return
}

// -----

!mr = !nv_tileaa.memref<64x64xi32, strides = [64, 1]>
!gv = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [1, 16], !mr>
nv_tileaa.func @axis(%g: !gv, %rows: tensor<8xi32>, %i: i32, %x: tensor<8x16xi32>) {
  // expected-error @below {{axis 2 is out of bound [0, 2)}}
  %t0 = nv_tileaa.scatter_store %g[%rows, %i], %x {axis = 2 : i32} : !gv, (tensor<8xi32>, i32), tensor<8x16xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @bytes(%h: tensor<64xf16>) {
  // expected-error @below {{expects source and result with the same size in bytes}}
  %b = nv_tileaa.reinterpret %h : tensor<64xf16> -> tensor<64xi8>
  nv_tileaa.return
}

// -----

nv_tileaa.func @vec_wide(%p: tensor<64x!nv_tileaa.ptr<f32>>, %v: tensor<64xf32>) {
  // expected-error @below {{'vec' (8) must be a power of two, here at most 4}}
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 8 : i32} : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @vec_three(%p: tensor<64x!nv_tileaa.ptr<f16>>, %v: tensor<64xf16>) {
  // expected-error @below {{'vec' (3) must be a power of two, here at most 8}}
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 3 : i32} : tensor<64x!nv_tileaa.ptr<f16>> -> tensor<64xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @vec_negative(%p: tensor<64x!nv_tileaa.ptr<f32>>, %v: tensor<64xf32>) {
  // expected-error @below {{'vec' (-2) must be a power of two}}
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = -2 : i32} : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @vec_ordered(%p: tensor<64x!nv_tileaa.ptr<f32>>, %v: tensor<64xf32>) {
  // expected-error @below {{'vec' (2) must be a power of two, here at most 1}}
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 2 : i32} : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @vec_scalar(%p: !nv_tileaa.ptr<f32>, %v: f32) {
  // expected-error @below {{'vec' (2) must be a power of two, here at most 1}}
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 2 : i32} : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}
