// Semantics and scopes of nv_tileas accesses are those of nv_tileaa: the PTX of what is refused here would be illegal
// (ld.acq_rel) or mean something else.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

!p = !nv_tileaa.ptr<f32>
nv_tileaa.func @load_acq_rel(%p: !p) {
  // expected-error @below {{unsupported mem_semantic: acq_rel}}
  %x, %t = nv_tileas.load %p {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>} : !p -> f32
  nv_tileaa.return
}

// -----

!p = !nv_tileaa.ptr<f32>
nv_tileaa.func @load_release(%p: !p) {
  // expected-error @below {{unsupported mem_semantic: release}}
  %x, %t = nv_tileas.load %p {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>} : !p -> f32
  nv_tileaa.return
}

// -----

!p = !nv_tileaa.ptr<f32>
nv_tileaa.func @store_acquire(%p: !p, %v: f32) {
  // expected-error @below {{unsupported mem_semantic: acquire}}
  %t = nv_tileas.store %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>} : !p, f32
  nv_tileaa.return
}

// -----

!p = !nv_tileaa.ptr<f32>
nv_tileaa.func @weak_with_scope(%p: !p, %v: f32) {
  // expected-error @below {{mem_scope not supported when mem_semantic is weak}}
  %t = nv_tileas.store %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>} : !p, f32
  nv_tileaa.return
}

// -----

!p = !nv_tileaa.ptr<f32>
nv_tileaa.func @relaxed_without_scope(%p: !p) {
  // expected-error @below {{mem_scope required when mem_semantic is not weak}}
  %x, %t = nv_tileas.load %p {mem_semantic = #nv_tileaa.mem_semantic<relaxed>} : !p -> f32
  nv_tileaa.return
}

// -----

!mr = !nv_tileaa.memref<64x64xi32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [8, 16], !mr>
nv_tileaa.func @tiled(%v: !v, %i: i32, %x: tensor<8x16xi32>) {
  // expected-error @below {{unsupported mem_semantic: release}}
  %y, %t = nv_tileas.tiled_load %v[%i, %i] {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>} : !v, (i32, i32) -> tensor<8x16xi32>
  nv_tileaa.return
}

// -----

!mr = !nv_tileaa.memref<64x64xi32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [8, 16], !mr>
nv_tileaa.func @tiled(%v: !v, %i: i32, %x: tensor<8x16xi32>) {
  // expected-error @below {{unsupported mem_semantic: acq_rel}}
  %t = nv_tileas.tiled_store %v[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>} : !v, (i32, i32), tensor<8x16xi32>
  nv_tileaa.return
}

// -----

!mr = !nv_tileaa.memref<64x64xi32, strides = [64, 1]>
!g = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [1, 16], !mr>
nv_tileaa.func @gather(%g: !g, %rows: tensor<8xi32>, %i: i32) {
  // expected-error @below {{unsupported mem_semantic: release}}
  %x, %t = nv_tileas.gather_load %g[%rows, %i] {axis = 0 : i32, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>} : !g, (tensor<8xi32>, i32) -> tensor<8x16xi32>
  nv_tileaa.return
}

// -----

!mr = !nv_tileaa.memref<64x64xi32, strides = [64, 1]>
!g = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [1, 16], !mr>
nv_tileaa.func @scatter(%g: !g, %rows: tensor<8xi32>, %i: i32, %x: tensor<8x16xi32>) {
  // expected-error @below {{mem_scope required when mem_semantic is not weak}}
  %t = nv_tileas.scatter_store %g[%rows, %i], %x {axis = 0 : i32, mem_semantic = #nv_tileaa.mem_semantic<release>} : !g, (tensor<8xi32>, i32), tensor<8x16xi32>
  nv_tileaa.return
}

// -----

!mr = !nv_tileaa.memref<64x64xi32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [8, 16], !mr>
nv_tileaa.func @atomic(%v: !v, %i: i32, %x: tensor<8x16xi32>) {
  // expected-error @below {{unsupported memSemantic: weak}}
  %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<weak>, rmw_mode = #nv_tileaa.rmw_mode<add>} : !v, (i32, i32), tensor<8x16xi32>
  nv_tileaa.return
}

// -----

!mr = !nv_tileaa.memref<64x64xi32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [8, 16], !mr>
nv_tileaa.func @atomic(%v: !v, %i: i32, %x: tensor<8x16xi32>) {
  // expected-error @below {{tiled_atomic_rmw op cannot use xchg operation}}
  %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<xchg>} : !v, (i32, i32), tensor<8x16xi32>
  nv_tileaa.return
}
