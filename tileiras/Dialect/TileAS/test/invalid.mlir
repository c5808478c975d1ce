// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expects threads_per_warp to multiply to 32, got 16}}
#b = #nv_tileas.blocked<size_per_thread = [1], threads_per_warp = [16], warps_per_cta = [4], order = [0]>

// -----

// expected-error @below {{expects powers of two, got 3}}
#b = #nv_tileas.blocked<size_per_thread = [3], threads_per_warp = [32], warps_per_cta = [4], order = [0]>

// -----

// expected-error @below {{expects order to be a permutation}}
#b = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [32, 1], warps_per_cta = [4, 1], order = [1, 1]>

// -----

// expected-error @below {{register basis 1 is zero}}
#l = #nv_tileas.linear<rank = 1, register = [[1], [0]], lane = [[2], [4], [8], [16], [32]], warp = []>

// -----

// expected-error @below {{expects five lane bases, got 4}}
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16]], warp = []>

// -----

// expected-error @below {{expects 2 coordinates per basis}}
#l = #nv_tileas.linear<rank = 2, register = [[1]], lane = [], warp = []>

// -----

// The layout does not reach beyond 64 of 128 elements, or reaches outside the tile.
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
// expected-error @below {{layout does not cover the tile: }}
nv_tileaa.func @small(%x: tensor<128xf32, #l>) {
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
// expected-error @below {{layout does not fit the tile: }}
nv_tileaa.func @large(%x: tensor<32xf32, #l>) {
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
nv_tileaa.func @alloc() {
  // expected-error @below {{expects a layout of shared or tensor memory}}
  %x = nv_tileas.alloc_tensor : tensor<64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#k = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
nv_tileaa.func @load(%p: tensor<64x!nv_tileaa.ptr<f32>, #l>) {
  // expected-error @below {{expects all operands and the value in one shape and layout}}
  %v, %t = nv_tileas.load %p : tensor<64x!nv_tileaa.ptr<f32>, #l> -> tensor<64xf32, #k>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
nv_tileaa.func @copy(%x: tensor<64xf32, #l>) {
  // expected-error @below {{expects a source in registers and a destination in shared memory}}
  nv_tileas.copy %x, %x : tensor<64xf32, #l>, tensor<64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
nv_tileaa.func @copy_in_rounds(%x: tensor<64xf32, #l>, %m: tensor<32xf16, #m>) {
  // expected-error @below {{with a result expects a destination of rank 1 for a part of the source, and the result in registers}}
  %y = nv_tileas.copy %x, %m : tensor<64xf32, #l>, tensor<32xf16, #m> -> tensor<64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
nv_tileaa.func @reduce(%x: tensor<64xf32, #l>) {
  // expected-error @below {{dimension (1) is out of bound [0, 1)}}
  %r = nv_tileas.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<64xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    nv_tileas.yield %a : f32
  }
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
func.func @plan_of_registers(%x: tensor<32xf32, #s>) {
  // expected-error @+1 {{has an atom_plan with tag 0, but its operands are in shared memory}}
  %y = nv_tileas.convert_layout %x {atom_plan = #nv_tileas.atom_plan<tag = 0, vec = 4>} : tensor<32xf32, #s> -> tensor<32xf32, #l>
  return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
func.func @plan_of_memory(%x: tensor<32xf32, #l>) {
  // expected-error @+1 {{has an atom_plan with tag 1, but its operands are all in registers}}
  %y = nv_tileas.shuffle %x {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : tensor<32xf32, #l> -> tensor<32xf32, #l>
  return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
func.func @plan_of_halves(%x: tensor<32xf32, #l>, %y: tensor<32xf32, #s>) {
  // expected-error @+1 {{has an atom_plan with accesses of 2 bytes, expected a power of two from 4 to 16}}
  nv_tileas.copy %x, %y {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 2>} : tensor<32xf32, #l>, tensor<32xf32, #s>
  return
}

// -----

#a = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]]>
#c = #nv_tileas.linear<rank = 2, register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
nv_tileaa.func @view_between_threads(%x: tensor<64xf32, #a>) {
  // expected-error @below {{layouts of operand and result disagree between threads}}
  %z = nv_tileas.view %x : tensor<64xf32, #a> -> tensor<8x8xf32, #c>
  nv_tileaa.return
}

// -----

// Shape operations move nothing between threads.
#a = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]]>
#b = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
nv_tileaa.func @view(%x: tensor<64xf32, #a>) {
  // The rows of #b are what lanes of #a have next to each other.
  %y = nv_tileaa.view %x : tensor<64xf32, #a> -> tensor<8x8xf32, #b>
  // expected-error @below {{layouts of operand and result disagree between threads}}
  %z = nv_tileaa.view %x : tensor<64xf32, #a> -> tensor<8x8xf32, #c>
  nv_tileaa.return
}

// -----

#b = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
#t = #nv_tileas.linear<rank = 2, register = [[1, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]>
nv_tileaa.func @permute(%x: tensor<8x8xf32, #b>) {
  %y = nv_tileaa.permute %x [1, 0] : tensor<8x8xf32, #b> -> tensor<8x8xf32, #t>
  // expected-error @below {{layouts of operand and result disagree between threads}}
  %z = nv_tileaa.permute %x [1, 0] : tensor<8x8xf32, #b> -> tensor<8x8xf32, #b>
  nv_tileaa.return
}

// -----

#b = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
#row = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#other = #nv_tileas.linear<rank = 2, register = [[0, 4]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
nv_tileaa.func @broadcast(%x: tensor<1x8xf32, #row>, %y: tensor<1x8xf32, #other>) {
  %z = nv_tileaa.broadcast %x : tensor<1x8xf32, #row> -> tensor<8x8xf32, #b>
  // expected-error @below {{layouts of operand and result disagree between threads}}
  %w = nv_tileaa.broadcast %y : tensor<1x8xf32, #other> -> tensor<8x8xf32, #b>
  nv_tileaa.return
}
