// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s

// Fragments of mma.m16n8k16 as the PTX ISA draws them, one warp.
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
// Only eight rows: what the rows beyond hold is a copy.
#a8 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#c8 = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#shared = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>
#rows = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!h8 = !llvm.struct<(f16, f16, f16, f16, f16, f16, f16, f16)>
!h4 = !llvm.struct<(f16, f16, f16, f16)>
!f4 = !llvm.struct<(f32, f32, f32, f32)>
!f2 = !llvm.struct<(f32, f32)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @f16
// CHECK-SAME: (%[[A:.*]]: !llvm.struct<(f16, f16, f16, f16, f16, f16, f16, f16)>, %[[B:.*]]: !llvm.struct<(f16, f16, f16, f16)>, %[[C:.*]]: !llvm.struct<(f32, f32, f32, f32)>)
// CHECK-DAG: %[[A2:.*]] = llvm.extractvalue %[[A]][2]
// CHECK-DAG: %[[A3:.*]] = llvm.extractvalue %[[A]][3]
// CHECK: %[[LO:.*]] = llvm.insertelement %[[A2]], %{{.*}}[%{{.*}} : i32] : vector<2xf16>
// CHECK: %[[A23:.*]] = llvm.insertelement %[[A3]], %[[LO]]
// CHECK: %[[D:.*]] = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"(%{{.*}}, %[[A23]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK: %[[D3:.*]] = llvm.extractvalue %[[D]][3]
// CHECK: llvm.insertvalue %[[D3]], %{{.*}}[3]
func.func @f16(%a: !h8, %b: !h4, %c: !f4) -> !f4 {
  %x = builtin.unrealized_conversion_cast %a : !h8 to tensor<16x16xf16, #a>
  %y = builtin.unrealized_conversion_cast %b : !h4 to tensor<16x8xf16, #b>
  %z = builtin.unrealized_conversion_cast %c : !f4 to tensor<16x8xf32, #c>
  %d = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf16, #a>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
  %r = builtin.unrealized_conversion_cast %d : tensor<16x8xf32, #c> to !f4
  return %r : !f4
}

// CHECK-LABEL: func.func @eight_rows
// CHECK-SAME: (%{{.*}}: {{.*}}, %{{.*}}: {{.*}}, %[[C:.*]]: !llvm.struct<(f32, f32)>)
// CHECK: %[[C0:.*]] = llvm.extractvalue %[[C]][0]
// CHECK: %[[C1:.*]] = llvm.extractvalue %[[C]][1]
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"({{.*}}, %[[C0]], %[[C1]], %[[C0]], %[[C1]])
func.func @eight_rows(%a: !h4, %b: !h4, %c: !f2) -> !f2 {
  %x = builtin.unrealized_conversion_cast %a : !h4 to tensor<8x16xf16, #a8>
  %y = builtin.unrealized_conversion_cast %b : !h4 to tensor<16x8xf16, #b>
  %z = builtin.unrealized_conversion_cast %c : !f2 to tensor<8x8xf32, #c8>
  %d = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<8x16xf16, #a8>, tensor<16x8xf16, #b>, tensor<8x8xf32, #c8>
  %r = builtin.unrealized_conversion_cast %d : tensor<8x8xf32, #c8> to !f2
  return %r : !f2
}

// An operand in shared memory: pairs are neighbours there, four loads.
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3>
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
func.func @shared(%b: !h4, %c: !f4) -> !f4 {
  %x = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<16x16xf16, #shared>
  %y = builtin.unrealized_conversion_cast %b : !h4 to tensor<16x8xf16, #b>
  %z = builtin.unrealized_conversion_cast %c : !f4 to tensor<16x8xf32, #c>
  %d = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf16, #shared>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
  %r = builtin.unrealized_conversion_cast %d : tensor<16x8xf32, #c> to !f4
  return %r : !f4
}

// The same by ldmatrix: one instruction for the four matrices of the fragment, the lanes give addresses of rows.
// CHECK-LABEL: func.func @ldmatrix
// CHECK: %[[W:.*]] = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3"(%{{.*}}) : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NOT: ldmatrix
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
func.func @ldmatrix(%b: !h4, %c: !f4) -> !f4 {
  %x = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<16x16xf16, #shared>
  %y = builtin.unrealized_conversion_cast %b : !h4 to tensor<16x8xf16, #b>
  %z = builtin.unrealized_conversion_cast %c : !f4 to tensor<16x8xf32, #c>
  %d = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>} : tensor<16x16xf16, #shared>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
  %r = builtin.unrealized_conversion_cast %d : tensor<16x8xf32, #c> to !f4
  return %r : !f4
}

// B with rows along n: transposed on the way.
// CHECK-LABEL: func.func @transposed
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3"(%{{.*}}) : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
func.func @transposed(%a: !h8, %c: !f4) -> !f4 {
  %x = builtin.unrealized_conversion_cast %a : !h8 to tensor<16x16xf16, #a>
  %y = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<16x8xf16, #rows>
  %z = builtin.unrealized_conversion_cast %c : !f4 to tensor<16x8xf32, #c>
  %d = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>, fetch_b = #nv_tileas.ldsm<matrices = 2, transposed = true>} : tensor<16x16xf16, #a>, tensor<16x8xf16, #rows>, tensor<16x8xf32, #c>
  %r = builtin.unrealized_conversion_cast %d : tensor<16x8xf32, #c> to !f4
  return %r : !f4
}
}

// -----

#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
// Rows are not sixteen bytes in one piece.
#columns = #nv_tileas.shared<rank = 2, offset = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [2, 0], [4, 0], [8, 0]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @no_rows(%b: !llvm.struct<(f16, f16, f16, f16)>, %c: !llvm.struct<(f32, f32, f32, f32)>) {
  %x = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<16x16xf16, #columns>
  %y = builtin.unrealized_conversion_cast %b : !llvm.struct<(f16, f16, f16, f16)> to tensor<16x8xf16, #b>
  %z = builtin.unrealized_conversion_cast %c : !llvm.struct<(f32, f32, f32, f32)> to tensor<16x8xf32, #c>
  // expected-error @below {{operand #0 does not have the layout of the atom}}
  // expected-error @below {{failed to legalize operation 'nv_tileas.dot'}}
  %d = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>} : tensor<16x16xf16, #columns>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
  return
}
}

// -----

#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 8], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
!f4 = !llvm.struct<(f32, f32, f32, f32)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// Two registers of A exchanged: not the fragment.
func.func @exchanged(%h: f16, %f: f32) {
  %x = nv_tileaa.splat %h : f16 -> tensor<16x16xf16, #a>
  %y = nv_tileaa.splat %h : f16 -> tensor<16x8xf16, #b>
  %z = nv_tileaa.splat %f : f32 -> tensor<16x8xf32, #c>
  // expected-error @below {{operand #0 does not have the layout of the atom}}
  // expected-error @below {{failed to legalize operation 'nv_tileas.dot'}}
  %d = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf16, #a>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
  return
}
}

// -----

#l = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [4, 8], warps_per_cta = [1, 1], order = [1, 0]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @no_atom(%h: f16, %f: f32) {
  %x = nv_tileaa.splat %h : f16 -> tensor<16x16xf16, #l>
  %z = nv_tileaa.splat %f : f32 -> tensor<16x16xf32, #l>
  // expected-error @below {{has no atom; tileas-assign-dot-layouts chooses one}}
  // expected-error @below {{failed to legalize operation 'nv_tileas.dot'}}
  %d = nv_tileas.dot %x, %x, %z : tensor<16x16xf16, #l>, tensor<16x16xf16, #l>, tensor<16x16xf32, #l>
  return
}
}

// -----

#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @no_instruction(%h: f8E4M3FN, %f: f32) {
  %x = nv_tileaa.splat %h : f8E4M3FN -> tensor<16x16xf8E4M3FN, #a>
  %y = nv_tileaa.splat %h : f8E4M3FN -> tensor<16x8xf8E4M3FN, #b>
  %z = nv_tileaa.splat %f : f32 -> tensor<16x8xf32, #c>
  // expected-error @below {{has no instruction m16n8k16 of 'f8E4M3FN'}}
  // expected-error @below {{failed to legalize operation 'nv_tileas.dot'}}
  %d = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.mma_atom<f8E4M3FN, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf8E4M3FN, #a>, tensor<16x8xf8E4M3FN, #b>, tensor<16x8xf32, #c>
  return
}
}

// -----

#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [16, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#sa = #nv_tileas.linear<rank = 2, register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []>
#sb = #nv_tileas.linear<rank = 2, register = [], lane = [[0, 0], [0, 0], [0, 1], [0, 2], [0, 4]], warp = []>
module attributes {nv_tileaa.compute_capability = 120 : i64, nv_tileaa.target_spec = "sm_120a"} {
// The instruction takes scales: odd lanes give that of the lower row, both rows' are in every lane. Without scales they are 1.
// CHECK-LABEL: func.func @block_scaled
// CHECK: %[[SB:.*]] = llvm.zext %{{.*}} : i8 to i32
// CHECK: %[[S:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, i8
// CHECK: %[[SA:.*]] = llvm.zext %[[S]] : i8 to i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0"({{.*}}, %[[SA]], %{{.*}}, %{{.*}}, %[[SB]], %{{.*}}, %{{.*}})
// CHECK: %[[ONES:.*]] = llvm.mlir.constant(2139062143 : i32) : i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0"({{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ONES]], %{{.*}}, %{{.*}})
func.func @block_scaled(%xs: !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)>, %ys: !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8)>, %zs: !llvm.struct<(f32, f32, f32, f32)>, %sh: !llvm.struct<(i8, i8)>, %r: !llvm.struct<(i8)>) -> !llvm.struct<(f32, f32, f32, f32)> {
  %x = builtin.unrealized_conversion_cast %xs : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)> to tensor<16x32xf8E4M3FN, #a>
  %y = builtin.unrealized_conversion_cast %ys : !llvm.struct<(i8, i8, i8, i8, i8, i8, i8, i8)> to tensor<32x8xf8E4M3FN, #b>
  %z = builtin.unrealized_conversion_cast %zs : !llvm.struct<(f32, f32, f32, f32)> to tensor<16x8xf32, #c>
  %s = builtin.unrealized_conversion_cast %sh : !llvm.struct<(i8, i8)> to tensor<16x1xf8E8M0FNU, #sa>
  %t = builtin.unrealized_conversion_cast %r : !llvm.struct<(i8)> to tensor<1x8xf8E8M0FNU, #sb>
  %d = nv_tileas.dot %x, %y, %z scales(%s : tensor<16x1xf8E8M0FNU, #sa>, %t : tensor<1x8xf8E8M0FNU, #sb>) {atom = #nv_tileas.mma_atom<f8E4M3FN, shape = [16, 8, 32], warps = [1, 1, 1], block_scaled = true>} : tensor<16x32xf8E4M3FN, #a>, tensor<32x8xf8E4M3FN, #b>, tensor<16x8xf32, #c>
  %e = nv_tileas.dot %x, %y, %d {atom = #nv_tileas.mma_atom<f8E4M3FN, shape = [16, 8, 32], warps = [1, 1, 1], block_scaled = true>} : tensor<16x32xf8E4M3FN, #a>, tensor<32x8xf8E4M3FN, #b>, tensor<16x8xf32, #c>
  %o = builtin.unrealized_conversion_cast %e : tensor<16x8xf32, #c> to !llvm.struct<(f32, f32, f32, f32)>
  return %o : !llvm.struct<(f32, f32, f32, f32)>
}
}

// -----

// expected-error @below {{multiplies no scaled 'f16'}}
#atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1], block_scaled = true>
