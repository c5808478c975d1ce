// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

// Axis bits: register, lanes. The identity comes in front of the first element, which lane 0 has in its first register. The thread's own
// prefix next, then one butterfly of totals per lane bit.
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
!v2 = !llvm.struct<(f32, f32)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @scan
// CHECK-DAG: %[[V0:.*]] = llvm.extractvalue %arg0[0]
// CHECK-DAG: %[[V1:.*]] = llvm.extractvalue %arg0[1]
// CHECK: %[[ID:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
// CHECK: %[[ISFIRST:.*]] = llvm.icmp "eq"
// CHECK: %[[SUM:.*]] = llvm.fadd %[[V0]], %[[ID]]
// CHECK: %[[F:.*]] = llvm.select %[[ISFIRST]], %[[SUM]], %[[V0]]
// CHECK: %[[P1:.*]] = llvm.fadd %[[F]], %[[V1]]
// CHECK: %[[TOTAL:.*]] = llvm.fadd %[[F]], %[[V1]]
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}
// CHECK: llvm.fadd %{{.*}}, %[[F]]
// CHECK: llvm.select
// CHECK: llvm.fadd %{{.*}}, %[[P1]]
// CHECK: llvm.select
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT: shfl
func.func @scan(%s: !v2) -> !v2 {
  %x = builtin.unrealized_conversion_cast %s : !v2 to tensor<64xf32, #l>
  %y = nv_tileas.scan %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #l> -> tensor<64xf32, #l> {
  ^bb0(%a: f32, %e: f32):
    %z = arith.addf %a, %e : f32
    nv_tileas.yield %z : f32
  }
  %r = builtin.unrealized_conversion_cast %y : tensor<64xf32, #l> to !v2
  return %r : !v2
}

// Backwards the second register of lane 31 is first, and the first register takes in the second.
// CHECK-LABEL: func.func @reverse
// CHECK-DAG: %[[V0:.*]] = llvm.extractvalue %arg0[0]
// CHECK-DAG: %[[V1:.*]] = llvm.extractvalue %arg0[1]
// CHECK: %[[ID:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
// CHECK: %[[LAST:.*]] = llvm.mlir.constant(62 : i32)
// CHECK: %[[ISFIRST:.*]] = llvm.icmp "eq" %{{.*}}, %[[LAST]]
// CHECK: %[[SUM:.*]] = llvm.fsub %[[ID]], %[[V1]]
// CHECK: %[[F:.*]] = llvm.select %[[ISFIRST]], %[[SUM]], %[[V1]]
// CHECK: llvm.fsub %[[F]], %[[V0]]
func.func @reverse(%s: !v2) -> !v2 {
  %x = builtin.unrealized_conversion_cast %s : !v2 to tensor<64xf32, #l>
  %y = nv_tileas.scan %x {axis = 0 : i32, reverse, identities = [0.0 : f32]} : tensor<64xf32, #l> -> tensor<64xf32, #l> {
  ^bb0(%a: f32, %e: f32):
    %z = arith.subf %a, %e : f32
    nv_tileas.yield %z : f32
  }
  %r = builtin.unrealized_conversion_cast %y : tensor<64xf32, #l> to !v2
  return %r : !v2
}
}

// -----

// Warps exchange their totals through a buffer that the pass adds to the kernel's shared memory: 2 warps, of whose lanes one writes, 4 bytes.
#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK: llvm.mlir.global internal @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i8>
// CHECK-LABEL: func.func @warps
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: nvvm.barrier0
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
func.func @warps(%s: !llvm.struct<(f32)>) -> !llvm.struct<(f32)> {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f32)> to tensor<64xf32, #l>
  %y = nv_tileas.scan %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #l> -> tensor<64xf32, #l> {
  ^bb0(%a: f32, %e: f32):
    %z = arith.addf %a, %e : f32
    nv_tileas.yield %z : f32
  }
  %r = builtin.unrealized_conversion_cast %y : tensor<64xf32, #l> to !llvm.struct<(f32)>
  return %r : !llvm.struct<(f32)>
}
}
