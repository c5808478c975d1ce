// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics

// expected-error @below {{Failed to get ComputeCapability}}
func.func @no_target() {
  return
}

// -----

// A kernel whose module does not say what it is for; one that the pass on signatures has left alone for that.
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// expected-error @below {{Failed to get ComputeCapability}}
func.func @no_target_spec() attributes {cute.kernel} {
  return
}
}

// -----

#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// expected-error @below {{Failed to get ComputeCapability}}
func.func @not_translated() attributes {nv_tileaa.kernel_spec = #spec} {
  return
}
}

// -----

// A value of a tile type that nothing converts.
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @survivor(%p: !nv_tileaa.ptr<f32>) -> i64 {
  // expected-error @below {{survived the conversion to LLVM}}
  %i = nv_tileaa.ptr_to_int %p : !nv_tileaa.ptr<f32> -> i64
  return %i : i64
}
}

// -----

// Register to register conversions are decomposed by an earlier pass.
#a = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#b = #nv_tileas.linear<rank = 1, register = [], lane = [[16], [8], [4], [2], [1]], warp = []>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @not_materialized(%s: !llvm.struct<(f16)>) {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f16)> to tensor<32xf16, #a>
  // expected-error @below {{between register layouts must have been materialized}}
  // expected-error @below {{failed to legalize}}
  %y = nv_tileas.convert_layout %x : tensor<32xf16, #a> -> tensor<32xf16, #b>
  return
}
}

// -----

// A tile without a layout.
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @no_layout(%x: f32) {
  // expected-error @below {{failed to legalize operation 'nv_tileaa.splat'}}
  %s = nv_tileaa.splat %x : f32 -> tensor<32xf32>
  return
}
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @identity_type(%s: !llvm.struct<(f32, f32)>) {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f32, f32)> to tensor<64xf32, #l>
  // expected-error @below {{identity 0 : i32 is not of the operand's element type}}
  // expected-error @below {{failed to legalize}}
  %y = nv_tileas.scan %x {axis = 0 : i32, identities = [0 : i32]} : tensor<64xf32, #l> -> tensor<64xf32, #l> {
  ^bb0(%a: f32, %e: f32):
    nv_tileas.yield %e : f32
  }
  return
}
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @identity_count(%s: !llvm.struct<(f32, f32)>) {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f32, f32)> to tensor<64xf32, #l>
  // expected-error @below {{expects one identity per operand}}
  // expected-error @below {{failed to legalize}}
  %y = nv_tileas.scan %x {axis = 0 : i32, identities = []} : tensor<64xf32, #l> -> tensor<64xf32, #l> {
  ^bb0(%a: f32, %e: f32):
    nv_tileas.yield %e : f32
  }
  return
}
}
