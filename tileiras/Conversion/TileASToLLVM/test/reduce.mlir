// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s

// 4 x 32: rows in registers, columns in lanes.
#l = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#cols = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#rows = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = []>
!v4 = !llvm.struct<(f32, f32, f32, f32)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// Inside the thread: a balanced tree in axis order.
// CHECK-LABEL: func.func @registers
// CHECK-DAG: %[[V0:.*]] = llvm.extractvalue %arg0[0]
// CHECK-DAG: %[[V1:.*]] = llvm.extractvalue %arg0[1]
// CHECK-DAG: %[[V2:.*]] = llvm.extractvalue %arg0[2]
// CHECK-DAG: %[[V3:.*]] = llvm.extractvalue %arg0[3]
// CHECK: %[[A:.*]] = llvm.fadd %[[V1]], %[[V0]]
// CHECK: %[[B:.*]] = llvm.fadd %[[V3]], %[[V2]]
// CHECK: %[[ALL:.*]] = llvm.fadd %[[B]], %[[A]]
// The identity comes first: the body's second argument is what there is so far.
// CHECK: %[[ID:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
// CHECK: llvm.fadd %[[ALL]], %[[ID]]
// CHECK-NOT: shfl
func.func @registers(%s: !v4) -> !llvm.struct<(f32)> {
  %x = builtin.unrealized_conversion_cast %s : !v4 to tensor<4x32xf32, #l>
  %y = nv_tileas.reduce %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<4x32xf32, #l> -> tensor<32xf32, #cols> {
  ^bb0(%e: f32, %a: f32):
    %z = arith.addf %e, %a : f32
    nv_tileas.yield %z : f32
  }
  %r = builtin.unrealized_conversion_cast %y : tensor<32xf32, #cols> to !llvm.struct<(f32)>
  return %r : !llvm.struct<(f32)>
}

// Across lanes: five butterflies for each of the four rows.
// CHECK-LABEL: func.func @lanes
// CHECK-COUNT-20: nvvm.shfl.sync bfly
// CHECK-NOT: shfl
// CHECK-NOT: barrier
func.func @lanes(%s: !v4) -> !v4 {
  %x = builtin.unrealized_conversion_cast %s : !v4 to tensor<4x32xf32, #l>
  %y = nv_tileas.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<4x32xf32, #l> -> tensor<4xf32, #rows> {
  ^bb0(%e: f32, %a: f32):
    %z = arith.addf %e, %a : f32
    nv_tileas.yield %z : f32
  }
  %r = builtin.unrealized_conversion_cast %y : tensor<4xf32, #rows> to !v4
  return %r : !v4
}

// A body that is not evidently commutative keeps the lower coordinate first, in every lane.
// CHECK-LABEL: func.func @ordered
// CHECK: %[[O:.*]] = nvvm.shfl.sync bfly
// CHECK: %[[LOW:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, f32
// CHECK: %[[HIGH:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, f32
// CHECK: llvm.fsub %[[LOW]], %[[HIGH]]
func.func @ordered(%s: !llvm.struct<(f32)>) -> f32 {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f32)> to tensor<32xf32, #cols>
  %y = nv_tileas.reduce %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<32xf32, #cols> -> f32 {
  ^bb0(%e: f32, %a: f32):
    %z = arith.subf %a, %e : f32
    nv_tileas.yield %z : f32
  }
  return %y : f32
}
}

// -----

// Of many results each is combined behind its last butterfly, before the owners store it: LLVM would move that to them,
// and all that lanes have exchanged would be alive. Where no warps are left to combine nobody stores.
#alone = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#ofAlone = #nv_tileas.linear<rank = 1, register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = []>
#both = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]]>
#ofBoth = #nv_tileas.linear<rank = 1, register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = [[0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!v32 = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @many
// CHECK-COUNT-128: nvvm.shfl.sync bfly
// CHECK-COUNT-32: llvm.inline_asm {{.*}}"", "=r,0"
// CHECK: scf.if
// CHECK: llvm.store
func.func @many(%s: !v32) -> !v32 {
  %x = builtin.unrealized_conversion_cast %s : !v32 to tensor<32x64xf32, #both>
  %m = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64xf32, #s>
  %y = nv_tileas.reduce %x scratch %m : tensor<64xf32, #s> {axis = 1 : i32, identities = [0.0 : f32]} : tensor<32x64xf32, #both> -> tensor<32xf32, #ofBoth> {
  ^bb0(%e: f32, %a: f32):
    %z = arith.addf %e, %a : f32
    nv_tileas.yield %z : f32
  }
  %r = builtin.unrealized_conversion_cast %y : tensor<32xf32, #ofBoth> to !v32
  return %r : !v32
}

// CHECK-LABEL: func.func @many_of_one_warp
// CHECK-NOT: inline_asm
// CHECK-COUNT-160: nvvm.shfl.sync bfly
// CHECK-NOT: inline_asm
// CHECK: return
func.func @many_of_one_warp(%s: !v32) -> !v32 {
  %x = builtin.unrealized_conversion_cast %s : !v32 to tensor<32x32xf32, #alone>
  %y = nv_tileas.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<32x32xf32, #alone> -> tensor<32xf32, #ofAlone> {
  ^bb0(%e: f32, %a: f32):
    %z = arith.addf %e, %a : f32
    nv_tileas.yield %z : f32
  }
  %r = builtin.unrealized_conversion_cast %y : tensor<32xf32, #ofAlone> to !v32
  return %r : !v32
}
}

// -----

// Two warps share the axis: each leaves its part, all read both.
#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK: llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i8>
// CHECK-LABEL: func.func @warps
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: %[[LANE0:.*]] = llvm.icmp "eq"
// CHECK: nvvm.barrier0
// CHECK: scf.if %[[LANE0]] {
// CHECK-NEXT: llvm.bitcast
// CHECK-NEXT: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
// CHECK: llvm.intr.maxnum
func.func @warps(%s: !llvm.struct<(f32)>) -> f32 {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f32)> to tensor<64xf32, #l>
  %m = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<2xf32, #s>
  %y = nv_tileas.reduce %x scratch %m : tensor<2xf32, #s> {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #l> -> f32 {
  ^bb0(%e: f32, %a: f32):
    %z = arith.maxnumf %e, %a : f32
    nv_tileas.yield %z : f32
  }
  return %y : f32
}
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @no_scratch(%s: !llvm.struct<(f32)>) -> f32 {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f32)> to tensor<64xf32, #l>
  // expected-error @below {{along an axis that is spread over warps needs scratch tiles}}
  // expected-error @below {{failed to legalize}}
  %y = nv_tileas.reduce %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #l> -> f32 {
  ^bb0(%e: f32, %a: f32):
    %z = arith.addf %e, %a : f32
    nv_tileas.yield %z : f32
  }
  return %y : f32
}
}
