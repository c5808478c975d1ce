// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{'h' does not reference a valid function}}
  %r = nv_tileaa.call @h(%x) : (f32) -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @k(%p: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  nv_tileaa.return
}
nv_tileaa.func @f(%x: i32) {
  // expected-error @below {{'k' is a kernel; it can only be launched}}
  nv_tileaa.call @k(%x) : (i32) -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func private @g(f32) -> f32
nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{incorrect number of operands for callee: expected 1, got 2}}
  %r = nv_tileaa.call @g(%x, %x) : (f32, f32) -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func private @g(f32) -> f32
nv_tileaa.func @f(%x: f16) {
  // expected-error @below {{operand type mismatch: expected operand type 'f32', but provided 'f16' for operand number 0}}
  %r = nv_tileaa.call @g(%x) : (f16) -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func private @g(f32) -> f32
nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{expects the results of the callee}}
  %r = nv_tileaa.call @g(%x) : (f32) -> f16
  nv_tileaa.return
}

// -----

nv_tileaa.func private @g(f32) -> f32
nv_tileaa.func @f(%n: i32) {
  // expected-error @below {{@g does not reference a kernel}}
  nv_tileaa.launch_func @g grid(%n, %n, %n) args()
  nv_tileaa.return
}

// -----

nv_tileaa.func @k(%p: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  nv_tileaa.return
}
nv_tileaa.func @f(%n: i32) {
  // expected-error @below {{incorrect number of operands for callee: expected 1, got 0}}
  nv_tileaa.launch_func @k grid(%n, %n, %n) args()
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects one i32 block argument per dimension}}
  %r = nv_tileaa.generate : tensor<4x4xi32> {
  ^bb0(%i: i32):
    nv_tileaa.yield %i : i32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects the region to yield one 'f32'}}
  %r = nv_tileaa.generate : tensor<4xf32> {
  ^bb0(%i: i32):
    nv_tileaa.yield %i : i32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%i: tensor<4x4xi32>) {
  // expected-error @below {{expects source and result of rank 1}}
  %r = nv_tileaa.histogram %i : tensor<4x4xi32> -> tensor<4xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%i: tensor<4xf32>) {
  // expected-error @below {{expects integers to count and i32 counts}}
  %r = nv_tileaa.histogram %i : tensor<4xf32> -> tensor<4xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%i: tensor<4xi32>, %m: tensor<8xi1>) {
  // expected-error @below {{expects an i1 mask of the source's shape}}
  %r = nv_tileaa.histogram %i, mask %m : tensor<8xi1> : tensor<4xi32> -> tensor<4xi32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%m: !nv_tileaa.memref<4x8x16xf16, strides = [128, 16, 1]>) {
  // expected-error @below {{activation_layout nhwc has 2 spatial dimensions, conv_params 1}}
  %r = nv_tileaa.conv_tile %m {activation_layout = #nv_tileaa.activation_layout<nhwc>, conv_params = #nv_tileaa.conv_params<pad_low = [0], pad_high = [0], strides = [1], dilations = [1]>} : <4x8x16xf16, strides = [128, 16, 1]> -> <[1, 8, 16], !nv_tileaa.memref<4x8x16xf16, strides = [128, 16, 1]>>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%a: tensor<4x8xf32>) {
  // expected-error @below {{expects M x K times K x N plus M x N}}
  %r = nv_tileaa.conv_dot %a, %a, %a {activation_layout = #nv_tileaa.activation_layout<nwc>, conv_params = #nv_tileaa.conv_params<pad_low = [0], pad_high = [0], strides = [1], dilations = [1]>} : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{expects the name of an LLVM intrinsic, got 'sin'}}
  %r = nv_tileaa.call_elementwise_intrinsic "sin"(%x) : (f32) -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{expects operand #0 in the shape and layout of the result}}
  %r = nv_tileaa.call_elementwise_intrinsic "llvm.sin"(%x) : (tensor<4xf32>) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{expects the name of a function}}
  %r = nv_tileaa.extern_elementwise "" of "l" at ""(%x) : (f32) -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{has 1 operands and 2 input constraints}}
  %r = nv_tileaa.elementwise_inline_asm "mov.f32 $0, $1;", "=f,f,f"(%x) : (f32) -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{expects PTX text}}
  %r = nv_tileaa.elementwise_inline_asm "", "=f,f"(%x) : (f32) -> f32
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects the name of a plugin}}
  nv_tileaa.plugin ""() : () -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects the text of a function}}
  nv_tileaa.inject_ir ""() : () -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects the region to yield the results}}
  %r = nv_tileaa.pragma -> (f32) {
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{'nothing' does not reference a valid global}}
  %r = nv_tileaa.get_global @nothing : <f32>
  nv_tileaa.return
}

// -----

// expected-error @below {{expects positive strides and dilations, got 0}}
#p = #nv_tileaa.conv_params<pad_low = [0], pad_high = [0], strides = [0], dilations = [1]>

// -----

// expected-error @below {{expects one to three spatial dimensions, the same number in every list}}
#p = #nv_tileaa.conv_params<pad_low = [0], pad_high = [0, 0], strides = [1], dilations = [1]>

// -----

// expected-error @below {{expects padding that is not negative, got -1}}
#p = #nv_tileaa.conv_params<pad_low = [-1], pad_high = [0], strides = [1], dilations = [1]>

// -----

nv_tileaa.global @table align 16 dense<[1, 2]> : tensor<2xi32>
nv_tileaa.func @f() {
  // expected-error @below {{expects a pointer to 'i32', got '!nv_tileaa.ptr<f32>'}}
  %r = nv_tileaa.get_global @table : <f32>
  nv_tileaa.return
}

// -----

// expected-error @below {{expects alignment to be a power of two, got 3}}
nv_tileaa.global @table align 3 dense<[1, 2]> : tensor<2xi32>

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects at least one element, got 0}}
  %r = nv_tileaa.alloca 0 align 16 : <f32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects alignment to be a power of two, got 12}}
  %r = nv_tileaa.alloca 4 align 12 : <f32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%m: !nv_tileaa.memref<4x8x16xf16, strides = [128, 16, 1]>) {
  // expected-error @below {{expects a memref of rank 4}}
  %r = nv_tileaa.conv_tile %m {activation_layout = #nv_tileaa.activation_layout<nhwc>, conv_params = #nv_tileaa.conv_params<pad_low = [0, 0], pad_high = [0, 0], strides = [1, 1], dilations = [1, 1]>} : <4x8x16xf16, strides = [128, 16, 1]> -> <[1, 8, 16], !nv_tileaa.memref<4x8x16xf16, strides = [128, 16, 1]>>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%m: !nv_tileaa.memref<4x8x16xf16, strides = [128, 16, 1]>) {
  // expected-error @below {{expects the view's source type to be the operand's}}
  %r = nv_tileaa.conv_tile %m {activation_layout = #nv_tileaa.activation_layout<nwc>, conv_params = #nv_tileaa.conv_params<pad_low = [0], pad_high = [0], strides = [1], dilations = [1]>} : <4x8x16xf16, strides = [128, 16, 1]> -> <[1, 8, 16], !nv_tileaa.memref<4x8x16xf16, strides = [512, 16, 1]>>
  nv_tileaa.return
}
