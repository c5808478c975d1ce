// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{expects a scalar source}}
  %0 = nv_tileaa.splat %s : tensor<4xf32> -> tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: f32) {
  // expected-error @below {{expects the result's element type 'f16', got 'f32'}}
  %0 = nv_tileaa.splat %s : f32 -> tensor<4xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects the attribute's shape and element type to be the result's}}
  %0 = nv_tileaa.constant_tensor dense<1> : tensor<4xi32> : tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects a rank-1 result}}
  %0 = nv_tileaa.make_range(0, 4) : tensor<2x2xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects end - start to be the number of elements}}
  %0 = nv_tileaa.make_range(0, 4) : tensor<8xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{expects source and result with the same number of elements}}
  %0 = nv_tileaa.view %s : tensor<4xf32> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{expects source and result of one element type}}
  %0 = nv_tileaa.view %s : tensor<4xf32> -> tensor<2x2xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{expects source and result of one rank}}
  %0 = nv_tileaa.broadcast %s : tensor<4xf32> -> tensor<4x4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{expects each source dimension to be 1 or the result's}}
  %0 = nv_tileaa.broadcast %s : tensor<4xf32> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{expects axis in [0, 1], got 2}}
  %0 = nv_tileaa.expand_dims %s {axis = 2 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{result shape does not match}}
  %0 = nv_tileaa.expand_dims %s {axis = 0 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4x8xf32>) {
  // expected-error @below {{expects one permutation entry per dimension}}
  %0 = nv_tileaa.permute %s [0] : tensor<4x8xf32> -> tensor<4x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4x8xf32>) {
  // expected-error @below {{expects a permutation}}
  %0 = nv_tileaa.permute %s [0, 0] : tensor<4x8xf32> -> tensor<4x4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4x8xf32>) {
  // expected-error @below {{result shape invalid at index 0}}
  %0 = nv_tileaa.permute %s [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{expects operands and result of one rank and an axis inside it}}
  %0 = nv_tileaa.cat %s, %s {axis = 1 : i32} : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{shapes do not concatenate at dimension 0}}
  %0 = nv_tileaa.cat %s, %s {axis = 0 : i32} : tensor<4xf32>, tensor<4xf32> -> tensor<16xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>, %i: i32) {
  // expected-error @below {{expects equal ranks and one index per dimension}}
  %0 = nv_tileaa.extract_slice %s[%i, %i] : tensor<4xf32> -> tensor<2xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>, %i: i32) {
  // expected-error @below {{expects each source dimension to be a multiple of the result's}}
  %0 = nv_tileaa.extract_slice %s[%i] : tensor<4xf32> -> tensor<3xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<4xf32>) {
  // expected-error @below {{expects a tensor of one element}}
  %0 = nv_tileaa.extract %s : tensor<4xf32> -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%s: tensor<1xf32>) {
  // expected-error @below {{expects the source's element type as result}}
  %0 = nv_tileaa.extract %s : tensor<1xf32> -> f16
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: f32, %o: i32) {
  // expected-error @below {{expects a pointer or a tensor of pointers}}
  %0 = nv_tileaa.addptr %p, %o : f32, i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>, %o: f32) {
  // expected-error @below {{expects integer offsets}}
  %0 = nv_tileaa.addptr %p, %o : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>, %o: tensor<4xi32>) {
  // expected-error @below {{expects pointer and offset of one shape}}
  %0 = nv_tileaa.addptr %p, %o : !nv_tileaa.ptr<f32>, tensor<4xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: i32) {
  // expected-error @below {{expects a div_by, bounded or same_elements predicate}}
  %0 = nv_tileaa.assume 5 : i32, %p : i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: i64) {
  // expected-error @below {{expects a pointer or a tensor of pointers}}
  %0, %t = nv_tileaa.load %p : i64 -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{expects the pointee to be the value's element type}}
  %0, %t = nv_tileaa.load %p : !nv_tileaa.ptr<f32> -> f16
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{expects pointers and value of one shape}}
  %0, %t = nv_tileaa.load %p : !nv_tileaa.ptr<f32> -> tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>, %m: i8) {
  // expected-error @below {{expects an i1 mask}}
  %0, %t = nv_tileaa.load %p, mask %m : !nv_tileaa.ptr<f32>, mask i8 -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>, %m: tensor<4xi1>) {
  // expected-error @below {{expects pointers and mask of one shape}}
  %0, %t = nv_tileaa.load %p, mask %m : !nv_tileaa.ptr<f32>, mask tensor<4xi1> -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{mem_scope not supported when mem_semantic is weak}}
  %0, %t = nv_tileaa.load %p {mem_scope = #nv_tileaa.mem_scope<gpu>} : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{mem_scope required when mem_semantic is not weak}}
  %0, %t = nv_tileaa.load %p {mem_semantic = #nv_tileaa.mem_semantic<relaxed>} : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{unsupported mem_semantic: release}}
  %0, %t = nv_tileaa.load %p {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>} : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>, %v: f32) {
  // expected-error @below {{unsupported mem_semantic: acquire}}
  %t = nv_tileaa.store %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>} : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{expects a pointer to the memref's element type}}
  %0 = nv_tileaa.make_memref %p, sizes[], strides[] : <f32>, (), () -> <f16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{expected 1 dynamic sizes, got 0}}
  %0 = nv_tileaa.make_memref %p, sizes[], strides[] : <f32>, (), () -> <?xf32, strides = [1]>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  // expected-error @below {{expected 0 dynamic strides, got 1}}
  %0 = nv_tileaa.make_memref %p, sizes[], strides[%n] : <f32>, (), (i32) -> <4xf32, strides = [1]>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%m: !nv_tileaa.memref<8xf32, strides = [1]>) {
  // expected-error @below {{expects the view's source type to be the operand's}}
  %0 = nv_tileaa.block_tile %m : <8xf32, strides = [1]> -> <[4], !nv_tileaa.memref<16xf32, strides = [1]>>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%m: i32) {
  // expected-error @below {{expects a memref or a tiled_view}}
  %0 = nv_tileaa.get_dim_size %m {axis = 0 : i32} : i32 -> i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%m: !nv_tileaa.memref<8xf32, strides = [1]>) {
  // expected-error @below {{axis 1 is out of bound [0, 1)}}
  %0 = nv_tileaa.get_dim_size %m {axis = 1 : i32} : !nv_tileaa.memref<8xf32, strides = [1]> -> i32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%v: !nv_tileaa.tiled_view<[4], !nv_tileaa.memref<8xf32, strides = [1]>>, %i: i32) {
  // expected-error @below {{expects 1 coordinates, but got 2}}
  %0, %t = nv_tileaa.tiled_load %v[%i, %i] : <[4], !nv_tileaa.memref<8xf32, strides = [1]>>, (i32, i32) -> tensor<4xf32>
  nv_tileaa.return
}

// -----

// expected-error @below {{only f32 is rounded, to tf32, got 'f16' to 'tf32'}}
nv_tileaa.func @f(%v: !nv_tileaa.tiled_view<[4], rounded = tf32, !nv_tileaa.memref<8xf16, strides = [1]>>)

// -----

nv_tileaa.func @f(%v: !nv_tileaa.tiled_view<[4], rounded = tf32, !nv_tileaa.memref<8xf32, strides = [1]>>, %i: i32) {
  // expected-error @below {{view elementType not equal with tensor element type: 'tf32' vs 'f32'}}
  %0, %t = nv_tileaa.tiled_load %v[%i] : <[4], rounded = tf32, !nv_tileaa.memref<8xf32, strides = [1]>>, (i32) -> tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%v: !nv_tileaa.tiled_view<[4], rounded = tf32, !nv_tileaa.memref<8xf32, strides = [1]>>, %i: i32, %x: tensor<4xtf32>) {
  // expected-error @below {{expects a view whose tiles are not rounded: those are for tiled_load only}}
  %t = nv_tileaa.tiled_store %v[%i], %x : <[4], rounded = tf32, !nv_tileaa.memref<8xf32, strides = [1]>>, (i32), tensor<4xtf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%v: !nv_tileaa.tiled_view<[4], !nv_tileaa.memref<8xf32, strides = [1]>>, %i: i32) {
  // expected-error @below {{requires the same shape for tileSize and tensor value}}
  %0, %t = nv_tileaa.tiled_load %v[%i] : <[4], !nv_tileaa.memref<8xf32, strides = [1]>>, (i32) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%v: !nv_tileaa.tiled_view<[4], !nv_tileaa.memref<8xf32, strides = [1]>>, %i: i32) {
  // expected-error @below {{view elementType not equal with tensor element type: 'f32' vs 'f16'}}
  %0, %t = nv_tileaa.tiled_load %v[%i] : <[4], !nv_tileaa.memref<8xf32, strides = [1]>>, (i32) -> tensor<4xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%v: !nv_tileaa.tiled_view<[4], !nv_tileaa.memref<8xf32, strides = [1]>>, %i: i32) {
  // expected-error @below {{incorrect number of in_bounds elements: expected 1}}
  %0, %t = nv_tileaa.tiled_load %v[%i] {in_bounds = array<i1: true, true>} : <[4], !nv_tileaa.memref<8xf32, strides = [1]>>, (i32) -> tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%v: !nv_tileaa.tiled_view<[4], !nv_tileaa.memref<8xf32, strides = [1]>>, %i: i32, %t: tensor<4xf32>) {
  // expected-error @below {{unsupported mem_semantic: acq_rel}}
  %k = nv_tileaa.tiled_store %v[%i], %t {mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>} : <[4], !nv_tileaa.memref<8xf32, strides = [1]>>, (i32), tensor<4xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%t: tensor<4xf32>) {
  // expected-error @below {{dimension (1) is out of bound [0, 1)}}
  %r = nv_tileaa.reduce %t {axis = 1 : i32, identities = [0.0 : f32]} : tensor<4xf32> -> f32 {
  ^bb0(%e: f32, %a: f32):
    nv_tileaa.yield %e : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%t: tensor<4xf32>) {
  // expected-error @below {{expects one identity, one result and two block arguments per operand}}
  %r = nv_tileaa.reduce %t {axis = 0 : i32, identities = []} : tensor<4xf32> -> f32 {
  ^bb0(%e: f32, %a: f32):
    nv_tileaa.yield %e : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%t: tensor<4xf32>) {
  // expected-error @below {{result #0 has the wrong type}}
  %r = nv_tileaa.reduce %t {axis = 0 : i32, identities = [0.0 : f32]} : tensor<4xf32> -> tensor<4xf32> {
  ^bb0(%e: f32, %a: f32):
    nv_tileaa.yield %e : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%t: tensor<4xf32>, %h: f16) {
  // expected-error @below {{expects block arguments and yielded value #0 of type 'f32'}}
  %r = nv_tileaa.reduce %t {axis = 0 : i32, identities = [0.0 : f32]} : tensor<4xf32> -> f32 {
  ^bb0(%e: f32, %a: f32):
    nv_tileaa.yield %h : f16
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%t: tensor<4xf32>, %u: tensor<8xf32>) {
  // expected-error @below {{requires the same shape for all operands}}
  %r:2 = nv_tileaa.scan %t, %u {axis = 0 : i32, identities = [0.0 : f32, 0.0 : f32]} : tensor<4xf32>, tensor<8xf32> -> tensor<4xf32>, tensor<8xf32> {
  ^bb0(%a: f32, %e: f32, %b: f32, %f: f32):
    nv_tileaa.yield %e, %f : f32, f32
  }
  nv_tileaa.return
}

// -----

// expected-error @below {{expects an integer or float element type}}
nv_tileaa.func private @f(!nv_tileaa.memref<4xindex, strides = [1]>)

// -----

// expected-error @below {{expects as many strides as dimensions, got 2 and 1}}
nv_tileaa.func private @f(!nv_tileaa.memref<4xf32, strides = [1, 1]>)

// -----

// expected-error @below {{expects tile shape, dim_map and steps of the memref's rank 1}}
nv_tileaa.func private @f(!nv_tileaa.tiled_view<[4, 4], !nv_tileaa.memref<4xf32, strides = [1]>>)

// -----

// expected-error @below {{expects dim_map to be a permutation}}
nv_tileaa.func private @f(!nv_tileaa.tiled_view<[4], dim_map = [1], !nv_tileaa.memref<4xf32, strides = [1]>>)

// -----

// expected-error @below {{all dimensions must be positive constants, got 0}}
nv_tileaa.func private @f(!nv_tileaa.tiled_view<[0], !nv_tileaa.memref<4xf32, strides = [1]>>)

// -----

// expected-error @below {{all dimensions must be powers of two, got 3}}
nv_tileaa.func private @f(!nv_tileaa.tiled_view<[3], !nv_tileaa.memref<4xf32, strides = [1]>>)

// -----

// expected-error @below {{tile would exceed the maximum of 16777216 elements}}
nv_tileaa.func private @f(!nv_tileaa.tiled_view<[8192, 4096], !nv_tileaa.memref<4x4xf32, strides = [4, 1]>>)

// -----

// expected-error @below {{steps must be positive, got 0}}
nv_tileaa.func private @f(!nv_tileaa.tiled_view<[4], steps = [0], !nv_tileaa.memref<4xf32, strides = [1]>>)

// -----

// expected-error @below {{special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types}}
nv_tileaa.func private @f(!nv_tileaa.tiled_view<[4], padding = nan, !nv_tileaa.memref<4xi32, strides = [1]>>)

// -----

// expected-error @below {{unknown padding value 'one'}}
nv_tileaa.func private @f(!nv_tileaa.tiled_view<[4], padding = one, !nv_tileaa.memref<4xf32, strides = [1]>>)
