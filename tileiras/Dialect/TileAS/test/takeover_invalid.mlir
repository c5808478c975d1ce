// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
func.func @f(%a: tensor<64xi8, #m>) {
  // expected-error @below {{expects 128 bytes of shared memory, got 'tensor<64xi8}}
  nv_tileas.takeover.create %a {releases = 4 : i32} : tensor<64xi8, #m>
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64]]>
func.func @f(%a: tensor<128xi16, #m>, %round: i32) {
  // expected-error @below {{expects 128 bytes of shared memory, got 'tensor<128xi16}}
  nv_tileas.takeover.ask %a, %round {releases = 4 : i32} : tensor<128xi16, #m>
  return
}

// -----

#m = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
func.func @f(%a: tensor<128xi8, #m>, %round: i32) {
  // expected-error @below {{expects 128 bytes of shared memory, got 'tensor<128xi8}}
  %id = nv_tileas.takeover.answer %a, %round : tensor<128xi8, #m>
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64]]>
func.func @f(%a: tensor<128xi8, #m>) {
  // expected-error @below {{expects 0 to 32 releases, as many as a block has warps, got 33}}
  nv_tileas.takeover.create %a {releases = 33 : i32} : tensor<128xi8, #m>
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64]]>
func.func @f(%a: tensor<128xi8, #m>, %round: i32) {
  // expected-error @below {{expects 0 to 32 releases, as many as a block has warps, got -1}}
  nv_tileas.takeover.ask %a, %round {releases = -1 : i32} : tensor<128xi8, #m>
  return
}
