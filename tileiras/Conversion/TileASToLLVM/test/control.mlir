// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s
#l = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @ids
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: nvvm.read.ptx.sreg.ctaid.y
// CHECK: nvvm.read.ptx.sreg.ctaid.z
// CHECK: nvvm.read.ptx.sreg.nctaid.x
func.func @ids() -> (i32, i32) {
  %x, %y, %z = nv_tileaa.get_program_id
  %nx, %ny, %nz = nv_tileaa.get_num_programs
  return %x, %nx : i32, i32
}
// With clusters a tile block is a cluster.
// CHECK-LABEL: func.func @cluster_ids
// CHECK: nvvm.read.ptx.sreg.clusterid.x
// CHECK: nvvm.read.ptx.sreg.nclusterid.x
func.func @cluster_ids() -> (i32, i32) attributes {nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
  %x, %y, %z = nv_tileaa.get_program_id
  %nx, %ny, %nz = nv_tileaa.get_num_programs
  return %x, %nx : i32, i32
}
// No tile is spread over the blocks of a cluster: the first of them does all.
// CHECK-LABEL: func.func @one_of_cluster
// CHECK: llvm.alloca
// CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[RANK]]
// CHECK: cf.cond_br %[[FIRST]], ^[[BODY:.*]], ^[[DONE:.*]]
// CHECK: ^[[BODY]]:
// CHECK: vprintf
// CHECK: ^[[DONE]]:
// CHECK-NEXT: return
func.func @one_of_cluster(%n: i32) attributes {nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
  %t = nv_tileaa.print "%d", %n : i32
  return
}
// Tiles and tokens through loops and branches: structs and i32.
// CHECK-LABEL: func.func @regions
// CHECK: scf.for {{.*}} -> (!llvm.struct<(f32, f32)>, i32) : i32
// CHECK: scf.if %{{.*}} -> (!llvm.struct<(f32, f32)>)
// CHECK: scf.while {{.*}} : (!llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)>
func.func @regions(%n: i32, %c: i1, %x: f32) -> !llvm.struct<(f32, f32)> {
  %s = nv_tileaa.splat %x : f32 -> tensor<64xf32, #l>
  %t = nv_tileaa.create_mem_token
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %t) -> (tensor<64xf32, #l>, !nv_tileaa.mem_token) : i32 {
    %z = arith.addf %a, %s : tensor<64xf32, #l>
    %j = nv_tileaa.join_mem_token %b, %t
    scf.yield %z, %j : tensor<64xf32, #l>, !nv_tileaa.mem_token
  }
  %q = scf.if %c -> (tensor<64xf32, #l>) {
    scf.yield %r#0 : tensor<64xf32, #l>
  } else {
    %p = ub.poison : tensor<64xf32, #l>
    scf.yield %p : tensor<64xf32, #l>
  }
  %w = scf.while (%a = %q) : (tensor<64xf32, #l>) -> tensor<64xf32, #l> {
    scf.condition(%c) %a : tensor<64xf32, #l>
  } do {
  ^bb0(%a: tensor<64xf32, #l>):
    scf.yield %a : tensor<64xf32, #l>
  }
  %res = builtin.unrealized_conversion_cast %w : tensor<64xf32, #l> to !llvm.struct<(f32, f32)>
  return %res : !llvm.struct<(f32, f32)>
}
}
